// JDK signatures for type inference: the result types of calls, and the parameter types of lambdas. One package after
// another; a wildcard is written as its bound. Types and methods that no inference needs are omitted.
package java.lang;
class Object { }
class String implements CharSequence, Comparable<String> {
  int length(); boolean isEmpty(); boolean isBlank(); char charAt(int i); String trim(); String strip(); String toLowerCase(); String toUpperCase();
  String substring(int a); String substring(int a, int b); boolean startsWith(String s); boolean endsWith(String s); boolean contains(CharSequence s);
  boolean equalsIgnoreCase(String s); int indexOf(String s); int lastIndexOf(String s); boolean matches(String r); String concat(String s);
  String replace(CharSequence a, CharSequence b); String replaceAll(String a, String b); String[] split(String r); String[] split(String r, int n);
  static String valueOf(Object o); static String format(String f, Object... args); static String join(CharSequence d, Iterable<CharSequence> parts);
  String formatted(Object... args); String repeat(int n); java.util.stream.Stream<String> lines(); byte[] getBytes(); char[] toCharArray(); String intern();
  int compareTo(String o);
}
interface CharSequence { }
interface Comparable<T> { int compareTo(T o); }
interface Iterable<T> { java.util.Iterator<T> iterator(); void forEach(java.util.function.Consumer<T> f); java.util.Spliterator<T> spliterator(); }
@FunctionalInterface interface Runnable { void run(); }
interface AutoCloseable { void close(); }
class Number { int intValue(); long longValue(); double doubleValue(); float floatValue(); short shortValue(); byte byteValue(); }
class Integer extends Number implements Comparable<Integer> { static Integer valueOf(Object o); static int parseInt(String s); static String toString(int i); static int compare(int a, int b); }
class Long extends Number implements Comparable<Long> { static Long valueOf(Object o); static long parseLong(String s); static String toString(long i); static int compare(long a, long b); }
class Double extends Number implements Comparable<Double> { static Double valueOf(Object o); static double parseDouble(String s); static int compare(double a, double b); }
class Float extends Number implements Comparable<Float> { static Float valueOf(Object o); static float parseFloat(String s); }
class Short extends Number implements Comparable<Short> { }
class Byte extends Number implements Comparable<Byte> { }
class Boolean implements Comparable<Boolean> { boolean booleanValue(); static Boolean valueOf(Object o); static boolean parseBoolean(String s); }
class Character implements Comparable<Character> { char charValue(); }
class Class<T> { T cast(Object o); T newInstance(); String getName(); String getSimpleName(); T[] getEnumConstants(); java.lang.reflect.Constructor<T> getDeclaredConstructor(Class<?>... p); java.lang.reflect.Constructor<T> getConstructor(Class<?>... p); <U> Class<U> asSubclass(Class<U> c); boolean isInstance(Object o); Class<T> getSuperclass(); }
class ThreadLocal<T> { T get(); void set(T t); static <S> ThreadLocal<S> withInitial(java.util.function.Supplier<S> s); }
class Throwable { String getMessage(); Throwable getCause(); }
class Exception extends Throwable { }
class RuntimeException extends Exception { }
class Error extends Throwable { }
class IllegalArgumentException extends RuntimeException { }
class IllegalStateException extends RuntimeException { }
class StringBuilder implements CharSequence { StringBuilder append(Object o); StringBuilder insert(int i, Object o); StringBuilder reverse(); StringBuilder deleteCharAt(int i); int length(); char charAt(int i); }
class StringBuffer implements CharSequence { StringBuffer append(Object o); int length(); }
class Enum<E> implements Comparable<E> { String name(); int ordinal(); Class<E> getDeclaringClass(); static <T> T valueOf(Class<T> c, String s); }
class Thread implements Runnable { Thread(Runnable r) { } Thread(Runnable r, String s) { } static Thread currentThread(); }
package java.lang.ref;
class Reference<T> { T get(); }
class WeakReference<T> extends Reference<T> { }
class SoftReference<T> extends Reference<T> { }
package java.lang.reflect;
class Constructor<T> { T newInstance(Object... args); }
package java.math;
class BigDecimal extends Number implements Comparable<BigDecimal> { BigDecimal add(BigDecimal o); BigDecimal subtract(BigDecimal o); BigDecimal multiply(BigDecimal o); BigDecimal negate(); static BigDecimal valueOf(Object o); }
class BigInteger extends Number implements Comparable<BigInteger> { }
package java.util;
interface Iterator<E> { boolean hasNext(); E next(); void remove(); void forEachRemaining(java.util.function.Consumer<E> f); }
interface ListIterator<E> extends Iterator<E> { E previous(); void set(E e); }
interface PrimitiveIterator<T> extends Iterator<T> { }
interface Spliterator<T> { }
interface Enumeration<E> { boolean hasMoreElements(); E nextElement(); Iterator<E> asIterator(); }
interface Collection<E> extends Iterable<E> {
  int size(); boolean isEmpty(); boolean contains(Object o); boolean add(E e); boolean remove(Object o); boolean addAll(Collection<E> c);
  boolean removeAll(Collection<?> c); boolean retainAll(Collection<?> c); boolean removeIf(java.util.function.Predicate<E> p); void clear();
  java.util.stream.Stream<E> stream(); java.util.stream.Stream<E> parallelStream(); <T> T[] toArray(T[] a); <T> T[] toArray(java.util.function.IntFunction<T[]> a); boolean containsAll(Collection<?> c);
}
interface SequencedCollection<E> extends Collection<E> { E getFirst(); E getLast(); E removeFirst(); E removeLast(); void addFirst(E e); void addLast(E e); SequencedCollection<E> reversed(); }
interface List<E> extends SequencedCollection<E> {
  E get(int i); E set(int i, E e); boolean add(E e); void add(int i, E e); E remove(int i); boolean remove(Object o); int indexOf(Object o); List<E> subList(int a, int b); ListIterator<E> listIterator(); ListIterator<E> listIterator(int i);
  void sort(Comparator<E> c); void replaceAll(java.util.function.UnaryOperator<E> f); List<E> reversed(); boolean addAll(int i, Collection<E> c);
  static <T> List<T> of(T... e); static <T> List<T> copyOf(Collection<T> c);
}
interface Set<E> extends Collection<E> { static <T> Set<T> of(T... e); static <T> Set<T> copyOf(Collection<T> c); }
interface SortedSet<E> extends Set<E> { E first(); E last(); SortedSet<E> headSet(E e); SortedSet<E> tailSet(E e); SortedSet<E> subSet(E a, E b); }
interface NavigableSet<E> extends SortedSet<E> { E floor(E e); E ceiling(E e); E higher(E e); E lower(E e); E pollFirst(); E pollLast(); NavigableSet<E> descendingSet(); Iterator<E> descendingIterator(); }
interface Queue<E> extends Collection<E> { E poll(); E peek(); E element(); E remove(); boolean offer(E e); }
interface Deque<E> extends Queue<E> { E pollFirst(); E pollLast(); E peekFirst(); E peekLast(); E getFirst(); E getLast(); E pop(); void push(E e); void addFirst(E e); void addLast(E e); E removeFirst(); E removeLast(); Iterator<E> descendingIterator(); }
class AbstractCollection<E> implements Collection<E> { }
class AbstractList<E> implements List<E> { }
class AbstractSet<E> implements Set<E> { }
class ArrayList<E> extends AbstractList<E> { ArrayList() { } ArrayList(int n) { } ArrayList(Collection<E> c) { } }
class LinkedList<E> extends AbstractList<E> implements Deque<E> { LinkedList() { } LinkedList(Collection<E> c) { } }
class Vector<E> extends AbstractList<E> { E elementAt(int i); E firstElement(); E lastElement(); Enumeration<E> elements(); }
class Stack<E> extends Vector<E> { E push(E e); E pop(); E peek(); }
class ArrayDeque<E> extends AbstractCollection<E> implements Deque<E> { ArrayDeque() { } ArrayDeque(Collection<E> c) { } }
class PriorityQueue<E> extends AbstractCollection<E> implements Queue<E> { PriorityQueue() { } PriorityQueue(Comparator<E> c) { } PriorityQueue(int n, Comparator<E> c) { } }
class HashSet<E> extends AbstractSet<E> { HashSet() { } HashSet(int n) { } HashSet(Collection<E> c) { } }
class LinkedHashSet<E> extends HashSet<E> { LinkedHashSet() { } LinkedHashSet(Collection<E> c) { } }
class TreeSet<E> extends AbstractSet<E> implements NavigableSet<E> { TreeSet() { } TreeSet(Comparator<E> c) { } TreeSet(Collection<E> c) { } }
class EnumSet<E> extends AbstractSet<E> { static <T> EnumSet<T> of(T... e); static <T> EnumSet<T> allOf(Class<T> c); static <T> EnumSet<T> noneOf(Class<T> c); static <T> EnumSet<T> complementOf(EnumSet<T> c); static <T> EnumSet<T> copyOf(Collection<T> c); static <T> EnumSet<T> range(T a, T b); }
interface Map<K, V> {
  int size(); boolean isEmpty(); V get(Object k); V put(K k, V v); V remove(Object k); boolean containsKey(Object k); boolean containsValue(Object v); V getOrDefault(Object k, V v); V putIfAbsent(K k, V v); void putAll(Map<K, V> m); void clear();
  Set<K> keySet(); Collection<V> values(); Set<Map.Entry<K, V>> entrySet(); void forEach(java.util.function.BiConsumer<K, V> f); V replace(K k, V v);
  V computeIfAbsent(K k, java.util.function.Function<K, V> f); V computeIfPresent(K k, java.util.function.BiFunction<K, V, V> f); V compute(K k, java.util.function.BiFunction<K, V, V> f); V merge(K k, V v, java.util.function.BiFunction<V, V, V> f); void replaceAll(java.util.function.BiFunction<K, V, V> f);
  static <A, B> Map<A, B> of(); static <A, B> Map<A, B> of(A a, B b); static <A, B> Map<A, B> of(A a, B b, A c, B d); static <A, B> Map<A, B> of(A a, B b, A c, B d, A e, B f); static <A, B> Map<A, B> of(A a, B b, A c, B d, A e, B f, A g, B h); static <A, B> Map<A, B> of(A a, B b, A c, B d, A e, B f, A g, B h, A i, B j);
  static <A, B> Map<A, B> ofEntries(Map.Entry<A, B>... e); static <A, B> Map.Entry<A, B> entry(A a, B b); static <A, B> Map<A, B> copyOf(Map<A, B> m);
  interface Entry<K, V> { K getKey(); V getValue(); V setValue(V v); static <A, B> Comparator<Map.Entry<A, B>> comparingByKey(); static <A, B> Comparator<Map.Entry<A, B>> comparingByValue(); static <A, B> Comparator<Map.Entry<A, B>> comparingByKey(Comparator<A> c); static <A, B> Comparator<Map.Entry<A, B>> comparingByValue(Comparator<B> c); }
}
interface SortedMap<K, V> extends Map<K, V> { K firstKey(); K lastKey(); SortedMap<K, V> headMap(K k); SortedMap<K, V> tailMap(K k); SortedMap<K, V> subMap(K a, K b); }
interface NavigableMap<K, V> extends SortedMap<K, V> { Map.Entry<K, V> firstEntry(); Map.Entry<K, V> lastEntry(); Map.Entry<K, V> floorEntry(K k); Map.Entry<K, V> ceilingEntry(K k); Map.Entry<K, V> higherEntry(K k); Map.Entry<K, V> lowerEntry(K k); Map.Entry<K, V> pollFirstEntry(); K floorKey(K k); K ceilingKey(K k); K higherKey(K k); K lowerKey(K k); NavigableMap<K, V> descendingMap(); NavigableSet<K> navigableKeySet(); NavigableSet<K> descendingKeySet(); }
class AbstractMap<K, V> implements Map<K, V> { static class SimpleEntry<K, V> implements Map.Entry<K, V> { SimpleEntry(K k, V v) { } } static class SimpleImmutableEntry<K, V> implements Map.Entry<K, V> { SimpleImmutableEntry(K k, V v) { } } }
class HashMap<K, V> extends AbstractMap<K, V> { HashMap() { } HashMap(int n) { } HashMap(Map<K, V> m) { } }
class LinkedHashMap<K, V> extends HashMap<K, V> { LinkedHashMap() { } LinkedHashMap(Map<K, V> m) { } }
class TreeMap<K, V> extends AbstractMap<K, V> implements NavigableMap<K, V> { TreeMap() { } TreeMap(Comparator<K> c) { } TreeMap(Map<K, V> m) { } }
class Hashtable<K, V> implements Map<K, V> { Enumeration<K> keys(); Enumeration<V> elements(); }
class IdentityHashMap<K, V> extends AbstractMap<K, V> { }
class WeakHashMap<K, V> extends AbstractMap<K, V> { }
class EnumMap<K, V> extends AbstractMap<K, V> { EnumMap(Class<K> c) { } }
class Properties extends Hashtable<Object, Object> { String getProperty(String k); String getProperty(String k, String d); }
final class Optional<T> {
  T get(); boolean isPresent(); boolean isEmpty(); T orElse(T t); T orElseGet(java.util.function.Supplier<T> s); T orElseThrow(); <X> T orElseThrow(java.util.function.Supplier<X> s); void ifPresent(java.util.function.Consumer<T> c); void ifPresentOrElse(java.util.function.Consumer<T> c, Runnable r);
  <U> Optional<U> map(java.util.function.Function<T, U> f); <U> Optional<U> flatMap(java.util.function.Function<T, Optional<U>> f); Optional<T> filter(java.util.function.Predicate<T> p); Optional<T> or(java.util.function.Supplier<Optional<T>> s); java.util.stream.Stream<T> stream();
  static <A> Optional<A> of(A a); static <A> Optional<A> ofNullable(A a); static <A> Optional<A> empty();
}
final class OptionalInt { int getAsInt(); int orElse(int i); }
final class OptionalLong { long getAsLong(); long orElse(long i); }
final class OptionalDouble { double getAsDouble(); double orElse(double i); }
@FunctionalInterface interface Comparator<T> {
  int compare(T a, T b);
  default Comparator<T> reversed(); default Comparator<T> thenComparing(Comparator<T> c); default <U> Comparator<T> thenComparing(java.util.function.Function<T, U> f); default <U> Comparator<T> thenComparing(java.util.function.Function<T, U> f, Comparator<U> c); default Comparator<T> thenComparingInt(java.util.function.ToIntFunction<T> f); default Comparator<T> thenComparingLong(java.util.function.ToLongFunction<T> f); default Comparator<T> thenComparingDouble(java.util.function.ToDoubleFunction<T> f);
  static <A, U> Comparator<A> comparing(java.util.function.Function<A, U> f); static <A, U> Comparator<A> comparing(java.util.function.Function<A, U> f, Comparator<U> c); static <A> Comparator<A> comparingInt(java.util.function.ToIntFunction<A> f); static <A> Comparator<A> comparingLong(java.util.function.ToLongFunction<A> f); static <A> Comparator<A> comparingDouble(java.util.function.ToDoubleFunction<A> f);
  static <A> Comparator<A> naturalOrder(); static <A> Comparator<A> reverseOrder(); static <A> Comparator<A> nullsFirst(Comparator<A> c); static <A> Comparator<A> nullsLast(Comparator<A> c);
}
class Collections {
  static <T> List<T> emptyList(); static <T> Set<T> emptySet(); static <K, V> Map<K, V> emptyMap(); static <T> Iterator<T> emptyIterator(); static <T> List<T> singletonList(T t); static <T> Set<T> singleton(T t); static <K, V> Map<K, V> singletonMap(K k, V v);
  static <T> List<T> unmodifiableList(List<T> l); static <T> Set<T> unmodifiableSet(Set<T> l); static <T> Collection<T> unmodifiableCollection(Collection<T> l); static <K, V> Map<K, V> unmodifiableMap(Map<K, V> m); static <T> SortedSet<T> unmodifiableSortedSet(SortedSet<T> s);
  static <T> List<T> synchronizedList(List<T> l); static <T> Set<T> synchronizedSet(Set<T> l); static <K, V> Map<K, V> synchronizedMap(Map<K, V> m); static <T> void sort(List<T> l); static <T> void sort(List<T> l, Comparator<T> c); static void reverse(List<?> l); static void shuffle(List<?> l);
  static <T> T max(Collection<T> c); static <T> T max(Collection<T> c, Comparator<T> d); static <T> T min(Collection<T> c); static <T> T min(Collection<T> c, Comparator<T> d); static <T> boolean addAll(Collection<T> c, T... e); static <T> Comparator<T> reverseOrder(); static <T> Comparator<T> reverseOrder(Comparator<T> c); static <T> List<T> nCopies(int n, T t); static <T> ArrayList<T> list(Enumeration<T> e); static <T> Enumeration<T> enumeration(Collection<T> c); static <T> Set<T> newSetFromMap(Map<T, Boolean> m);
}
class Arrays { static <T> List<T> asList(T... a); static <T> java.util.stream.Stream<T> stream(T[] a); static <T> T[] copyOf(T[] a, int n); static <T> T[] copyOfRange(T[] a, int i, int j); static String toString(Object a); static <T> void sort(T[] a, Comparator<T> c); static int hashCode(Object a); static boolean equals(Object a, Object b); }
class Objects { static <T> T requireNonNull(T t); static <T> T requireNonNull(T t, Object m); static <T> T requireNonNullElse(T t, T u); static <T> T requireNonNullElseGet(T t, java.util.function.Supplier<T> s); static boolean equals(Object a, Object b); static int hash(Object... o); static int hashCode(Object o); static String toString(Object o); static boolean isNull(Object o); static boolean nonNull(Object o); }
class ServiceLoader<S> implements Iterable<S> { static <T> ServiceLoader<T> load(Class<T> c); Optional<S> findFirst(); }
class UUID implements Comparable<UUID> { static UUID randomUUID(); static UUID fromString(String s); }
class Date implements Comparable<Date> { long getTime(); boolean before(Date d); boolean after(Date d); }
package java.util.function;
@FunctionalInterface interface Function<T, R> { R apply(T t); default <V> Function<T, V> andThen(Function<R, V> f); default <V> Function<V, R> compose(Function<V, T> f); static <A> Function<A, A> identity(); }
@FunctionalInterface interface BiFunction<T, U, R> { R apply(T t, U u); default <V> BiFunction<T, U, V> andThen(Function<R, V> f); }
@FunctionalInterface interface UnaryOperator<T> extends Function<T, T> { static <A> UnaryOperator<A> identity(); }
@FunctionalInterface interface BinaryOperator<T> extends BiFunction<T, T, T> { }
@FunctionalInterface interface Supplier<T> { T get(); }
@FunctionalInterface interface Consumer<T> { void accept(T t); default Consumer<T> andThen(Consumer<T> c); }
@FunctionalInterface interface BiConsumer<T, U> { void accept(T t, U u); }
@FunctionalInterface interface Predicate<T> { boolean test(T t); default Predicate<T> and(Predicate<T> p); default Predicate<T> or(Predicate<T> p); default Predicate<T> negate(); static <A> Predicate<A> not(Predicate<A> p); static <A> Predicate<A> isEqual(Object o); }
@FunctionalInterface interface BiPredicate<T, U> { boolean test(T t, U u); }
@FunctionalInterface interface ToIntFunction<T> { int applyAsInt(T t); }
@FunctionalInterface interface ToLongFunction<T> { long applyAsLong(T t); }
@FunctionalInterface interface ToDoubleFunction<T> { double applyAsDouble(T t); }
@FunctionalInterface interface ToIntBiFunction<T, U> { int applyAsInt(T t, U u); }
@FunctionalInterface interface IntFunction<R> { R apply(int i); }
@FunctionalInterface interface LongFunction<R> { R apply(long i); }
@FunctionalInterface interface DoubleFunction<R> { R apply(double i); }
@FunctionalInterface interface IntPredicate { boolean test(int i); }
@FunctionalInterface interface IntUnaryOperator { int applyAsInt(int i); }
@FunctionalInterface interface IntBinaryOperator { int applyAsInt(int i, int j); }
@FunctionalInterface interface IntConsumer { void accept(int i); }
@FunctionalInterface interface IntToLongFunction { long applyAsLong(int i); }
@FunctionalInterface interface IntToDoubleFunction { double applyAsDouble(int i); }
@FunctionalInterface interface LongBinaryOperator { long applyAsLong(long i, long j); }
@FunctionalInterface interface LongUnaryOperator { long applyAsLong(long i); }
@FunctionalInterface interface LongPredicate { boolean test(long i); }
@FunctionalInterface interface DoubleUnaryOperator { double applyAsDouble(double i); }
@FunctionalInterface interface DoubleBinaryOperator { double applyAsDouble(double i, double j); }
@FunctionalInterface interface BooleanSupplier { boolean getAsBoolean(); }
@FunctionalInterface interface IntSupplier { int getAsInt(); }
@FunctionalInterface interface LongSupplier { long getAsLong(); }
@FunctionalInterface interface DoubleSupplier { double getAsDouble(); }
@FunctionalInterface interface ObjIntConsumer<T> { void accept(T t, int i); }
package java.util.stream;
interface BaseStream<T, S> { java.util.Iterator<T> iterator(); S parallel(); S sequential(); S unordered(); S onClose(Runnable r); void close(); }
interface Stream<T> extends BaseStream<T, Stream<T>> {
  Stream<T> filter(java.util.function.Predicate<T> p); <R> Stream<R> map(java.util.function.Function<T, R> f); <R> Stream<R> flatMap(java.util.function.Function<T, Stream<R>> f); <R> Stream<R> mapMulti(java.util.function.BiConsumer<T, java.util.function.Consumer<R>> f); IntStream mapToInt(java.util.function.ToIntFunction<T> f); LongStream mapToLong(java.util.function.ToLongFunction<T> f); DoubleStream mapToDouble(java.util.function.ToDoubleFunction<T> f);
  Stream<T> distinct(); Stream<T> sorted(); Stream<T> sorted(java.util.Comparator<T> c); Stream<T> peek(java.util.function.Consumer<T> c); Stream<T> limit(long n); Stream<T> skip(long n); Stream<T> takeWhile(java.util.function.Predicate<T> p); Stream<T> dropWhile(java.util.function.Predicate<T> p);
  void forEach(java.util.function.Consumer<T> c); void forEachOrdered(java.util.function.Consumer<T> c); <A> A[] toArray(java.util.function.IntFunction<A[]> f); Object[] toArray(); T reduce(T t, java.util.function.BinaryOperator<T> f); java.util.Optional<T> reduce(java.util.function.BinaryOperator<T> f); <U> U reduce(U u, java.util.function.BiFunction<U, T, U> f, java.util.function.BinaryOperator<U> g);
  <R, A> R collect(Collector<T, A, R> c); <R> R collect(java.util.function.Supplier<R> s, java.util.function.BiConsumer<R, T> a, java.util.function.BiConsumer<R, R> b); java.util.List<T> toList(); java.util.Optional<T> min(java.util.Comparator<T> c); java.util.Optional<T> max(java.util.Comparator<T> c); long count(); boolean anyMatch(java.util.function.Predicate<T> p); boolean allMatch(java.util.function.Predicate<T> p); boolean noneMatch(java.util.function.Predicate<T> p); java.util.Optional<T> findFirst(); java.util.Optional<T> findAny();
  static <A> Stream<A> of(A... a); static <A> Stream<A> ofNullable(A a); static <A> Stream<A> empty(); static <A> Stream<A> concat(Stream<A> a, Stream<A> b); static <A> Stream<A> iterate(A a, java.util.function.UnaryOperator<A> f); static <A> Stream<A> iterate(A a, java.util.function.Predicate<A> p, java.util.function.UnaryOperator<A> f); static <A> Stream<A> generate(java.util.function.Supplier<A> s);
}
interface IntStream extends BaseStream<Integer, IntStream> { IntStream filter(java.util.function.IntPredicate p); IntStream map(java.util.function.IntUnaryOperator f); <U> Stream<U> mapToObj(java.util.function.IntFunction<U> f); LongStream asLongStream(); DoubleStream asDoubleStream(); Stream<Integer> boxed(); void forEach(java.util.function.IntConsumer c); int sum(); java.util.OptionalInt max(); java.util.OptionalInt min(); java.util.OptionalDouble average(); long count(); boolean anyMatch(java.util.function.IntPredicate p); boolean allMatch(java.util.function.IntPredicate p); boolean noneMatch(java.util.function.IntPredicate p); static IntStream range(int a, int b); static IntStream rangeClosed(int a, int b); static IntStream of(int... a); java.util.OptionalInt findFirst(); IntStream sorted(); IntStream distinct(); IntStream limit(long n); int[] toArray(); }
interface LongStream extends BaseStream<Long, LongStream> { <U> Stream<U> mapToObj(java.util.function.LongFunction<U> f); Stream<Long> boxed(); long sum(); java.util.OptionalLong max(); java.util.OptionalLong min(); long count(); static LongStream range(long a, long b); static LongStream rangeClosed(long a, long b); }
interface DoubleStream extends BaseStream<Double, DoubleStream> { <U> Stream<U> mapToObj(java.util.function.DoubleFunction<U> f); Stream<Double> boxed(); double sum(); java.util.OptionalDouble max(); java.util.OptionalDouble min(); java.util.OptionalDouble average(); long count(); }
interface Collector<T, A, R> { static <T, R> Collector<T, R, R> of(java.util.function.Supplier<R> s, java.util.function.BiConsumer<R, T> a, java.util.function.BinaryOperator<R> b); }
class Collectors {
  static <T> Collector<T, ?, java.util.List<T>> toList(); static <T> Collector<T, ?, java.util.List<T>> toUnmodifiableList(); static <T> Collector<T, ?, java.util.Set<T>> toSet(); static <T> Collector<T, ?, java.util.Set<T>> toUnmodifiableSet(); static <T, C> Collector<T, ?, C> toCollection(java.util.function.Supplier<C> s);
  static Collector<CharSequence, ?, String> joining(); static Collector<CharSequence, ?, String> joining(CharSequence a); static Collector<CharSequence, ?, String> joining(CharSequence a, CharSequence b, CharSequence c);
  static <T, K, U> Collector<T, ?, java.util.Map<K, U>> toMap(java.util.function.Function<T, K> k, java.util.function.Function<T, U> v); static <T, K, U> Collector<T, ?, java.util.Map<K, U>> toMap(java.util.function.Function<T, K> k, java.util.function.Function<T, U> v, java.util.function.BinaryOperator<U> m); static <T, K, U, M> Collector<T, ?, M> toMap(java.util.function.Function<T, K> k, java.util.function.Function<T, U> v, java.util.function.BinaryOperator<U> m, java.util.function.Supplier<M> s); static <T, K, U> Collector<T, ?, java.util.Map<K, U>> toUnmodifiableMap(java.util.function.Function<T, K> k, java.util.function.Function<T, U> v);
  static <T, K> Collector<T, ?, java.util.Map<K, java.util.List<T>>> groupingBy(java.util.function.Function<T, K> k); static <T, K, A, D> Collector<T, ?, java.util.Map<K, D>> groupingBy(java.util.function.Function<T, K> k, Collector<T, A, D> d); static <T, K, A, D, M> Collector<T, ?, M> groupingBy(java.util.function.Function<T, K> k, java.util.function.Supplier<M> s, Collector<T, A, D> d); static <T> Collector<T, ?, java.util.Map<Boolean, java.util.List<T>>> partitioningBy(java.util.function.Predicate<T> p); static <T, A, D> Collector<T, ?, java.util.Map<Boolean, D>> partitioningBy(java.util.function.Predicate<T> p, Collector<T, A, D> d);
  static <T, U, A, R> Collector<T, ?, R> mapping(java.util.function.Function<T, U> f, Collector<U, A, R> c); static <T, U, A, R> Collector<T, ?, R> flatMapping(java.util.function.Function<T, Stream<U>> f, Collector<U, A, R> c); static <T, A, R> Collector<T, ?, R> filtering(java.util.function.Predicate<T> f, Collector<T, A, R> c); static <T, A, R, X> Collector<T, A, X> collectingAndThen(Collector<T, A, R> c, java.util.function.Function<R, X> f);
  static <T> Collector<T, ?, Long> counting(); static <T> Collector<T, ?, java.util.Optional<T>> minBy(java.util.Comparator<T> c); static <T> Collector<T, ?, java.util.Optional<T>> maxBy(java.util.Comparator<T> c); static <T> Collector<T, ?, Integer> summingInt(java.util.function.ToIntFunction<T> f); static <T> Collector<T, ?, Long> summingLong(java.util.function.ToLongFunction<T> f); static <T> Collector<T, ?, Double> summingDouble(java.util.function.ToDoubleFunction<T> f); static <T> Collector<T, ?, Double> averagingInt(java.util.function.ToIntFunction<T> f); static <T> Collector<T, ?, Double> averagingDouble(java.util.function.ToDoubleFunction<T> f); static <T> Collector<T, ?, Double> averagingLong(java.util.function.ToLongFunction<T> f); static <T> Collector<T, ?, T> reducing(T t, java.util.function.BinaryOperator<T> f); static <T> Collector<T, ?, java.util.Optional<T>> reducing(java.util.function.BinaryOperator<T> f); static <T, U> Collector<T, ?, U> reducing(U u, java.util.function.Function<T, U> g, java.util.function.BinaryOperator<U> f);
}
class StreamSupport { static <T> Stream<T> stream(java.util.Spliterator<T> s, boolean p); }
package java.util.concurrent;
@FunctionalInterface interface Callable<V> { V call(); }
interface Future<V> { V get(); V get(long n, TimeUnit u); boolean isDone(); boolean cancel(boolean b); }
interface ScheduledFuture<V> extends Future<V> { }
class FutureTask<V> implements Future<V> { FutureTask(Callable<V> c) { } }
interface Executor { void execute(Runnable r); }
interface ExecutorService extends Executor { <T> Future<T> submit(Callable<T> c); Future<?> submit(Runnable r); <T> java.util.List<Future<T>> invokeAll(java.util.Collection<Callable<T>> c); <T> T invokeAny(java.util.Collection<Callable<T>> c); void shutdown(); }
interface ScheduledExecutorService extends ExecutorService { ScheduledFuture<?> schedule(Runnable r, long n, TimeUnit u); ScheduledFuture<?> scheduleAtFixedRate(Runnable r, long n, long m, TimeUnit u); ScheduledFuture<?> scheduleWithFixedDelay(Runnable r, long n, long m, TimeUnit u); }
interface CompletionStage<T> { <U> CompletionStage<U> thenApply(java.util.function.Function<T, U> f); <U> CompletionStage<U> thenCompose(java.util.function.Function<T, CompletionStage<U>> f); CompletionStage<Void> thenAccept(java.util.function.Consumer<T> f); CompletableFuture<T> toCompletableFuture(); CompletionStage<T> exceptionally(java.util.function.Function<Throwable, T> f); <U> CompletionStage<U> handle(java.util.function.BiFunction<T, Throwable, U> f); CompletionStage<T> whenComplete(java.util.function.BiConsumer<T, Throwable> f); }
class CompletableFuture<T> implements Future<T>, CompletionStage<T> { T join(); T getNow(T t); boolean complete(T t); <U> CompletableFuture<U> thenApply(java.util.function.Function<T, U> f); <U> CompletableFuture<U> thenApplyAsync(java.util.function.Function<T, U> f); <U> CompletableFuture<U> thenCompose(java.util.function.Function<T, CompletionStage<U>> f); CompletableFuture<Void> thenAccept(java.util.function.Consumer<T> f); <U, V> CompletableFuture<V> thenCombine(CompletionStage<U> o, java.util.function.BiFunction<T, U, V> f); CompletableFuture<T> exceptionally(java.util.function.Function<Throwable, T> f); <U> CompletableFuture<U> handle(java.util.function.BiFunction<T, Throwable, U> f); CompletableFuture<T> whenComplete(java.util.function.BiConsumer<T, Throwable> f); static <U> CompletableFuture<U> supplyAsync(java.util.function.Supplier<U> s); static <U> CompletableFuture<U> supplyAsync(java.util.function.Supplier<U> s, Executor e); static CompletableFuture<Void> runAsync(Runnable r); static CompletableFuture<Void> runAsync(Runnable r, Executor e); static <U> CompletableFuture<U> completedFuture(U u); static CompletableFuture<Void> allOf(CompletableFuture<?>... f); }
interface ConcurrentMap<K, V> extends java.util.Map<K, V> { }
class ConcurrentHashMap<K, V> extends java.util.AbstractMap<K, V> implements ConcurrentMap<K, V> { ConcurrentHashMap() { } ConcurrentHashMap(java.util.Map<K, V> m) { } static <T> java.util.Set<T> newKeySet(); }
class ConcurrentSkipListMap<K, V> extends java.util.AbstractMap<K, V> implements java.util.NavigableMap<K, V> { }
class ConcurrentLinkedQueue<E> extends java.util.AbstractCollection<E> implements java.util.Queue<E> { }
class CopyOnWriteArrayList<E> implements java.util.List<E> { CopyOnWriteArrayList() { } CopyOnWriteArrayList(java.util.Collection<E> c) { } }
class CopyOnWriteArraySet<E> extends java.util.AbstractSet<E> { }
interface BlockingQueue<E> extends java.util.Queue<E> { E take(); void put(E e); E poll(long n, TimeUnit u); }
class LinkedBlockingQueue<E> extends java.util.AbstractCollection<E> implements BlockingQueue<E> { }
class ArrayBlockingQueue<E> extends java.util.AbstractCollection<E> implements BlockingQueue<E> { }
class TimeUnit { }
package java.util.concurrent.atomic;
class AtomicReference<V> { AtomicReference(V v) { } AtomicReference() { } V get(); void set(V v); V getAndSet(V v); boolean compareAndSet(V a, V b); V updateAndGet(java.util.function.UnaryOperator<V> f); V getAndUpdate(java.util.function.UnaryOperator<V> f); }
package java.security;
interface Principal { String getName(); }
@FunctionalInterface interface PrivilegedAction<T> { T run(); }
class AccessController { static <T> T doPrivileged(PrivilegedAction<T> a); }
package java.time;
class LocalDate implements java.time.temporal.Temporal, Comparable<Object> { static LocalDate now(); static LocalDate now(Object z); static LocalDate parse(CharSequence t); static LocalDate parse(CharSequence t, Object f); static LocalDate of(int y, int m, int d); static LocalDate ofEpochDay(long n); static LocalDate ofYearDay(int y, int d); static LocalDate from(Object t); LocalDate plusDays(long n); LocalDate plusWeeks(long n); LocalDate plusMonths(long n); LocalDate plusYears(long n); LocalDate minusDays(long n); LocalDate minusWeeks(long n); LocalDate minusMonths(long n); LocalDate minusYears(long n); LocalDate withDayOfMonth(int d); LocalDate withDayOfYear(int d); LocalDate withMonth(int m); LocalDate withYear(int y); LocalDate with(Object a); LocalDateTime atStartOfDay(); ZonedDateTime atStartOfDay(ZoneId z); LocalDateTime atTime(int h, int m); LocalDateTime atTime(int h, int m, int s); LocalDateTime atTime(int h, int m, int s, int n); LocalDateTime atTime(LocalTime t); int getYear(); int getMonthValue(); int getDayOfMonth(); int getDayOfYear(); int lengthOfMonth(); long toEpochDay(); boolean isBefore(Object o); boolean isAfter(Object o); boolean isEqual(Object o); boolean isLeapYear(); String format(Object f); }
class LocalTime implements java.time.temporal.Temporal, Comparable<Object> { static LocalTime now(); static LocalTime now(Object z); static LocalTime parse(CharSequence t); static LocalTime parse(CharSequence t, Object f); static LocalTime of(int h, int m); static LocalTime of(int h, int m, int s); static LocalTime of(int h, int m, int s, int n); static LocalTime ofSecondOfDay(long n); LocalTime plusHours(long n); LocalTime plusMinutes(long n); LocalTime plusSeconds(long n); LocalTime minusHours(long n); LocalTime minusMinutes(long n); LocalTime minusSeconds(long n); LocalTime withHour(int h); LocalTime withMinute(int m); LocalTime withSecond(int s); LocalTime withNano(int n); LocalTime truncatedTo(Object u); LocalDateTime atDate(LocalDate d); int getHour(); int getMinute(); int getSecond(); int toSecondOfDay(); boolean isBefore(LocalTime o); boolean isAfter(LocalTime o); String format(Object f); }
class LocalDateTime implements java.time.temporal.Temporal, Comparable<Object> { static LocalDateTime now(); static LocalDateTime now(Object z); static LocalDateTime parse(CharSequence t); static LocalDateTime parse(CharSequence t, Object f); static LocalDateTime of(LocalDate d, LocalTime t); static LocalDateTime of(int y, int m, int d, int h, int n); static LocalDateTime of(int y, int m, int d, int h, int n, int s); static LocalDateTime ofInstant(Instant i, ZoneId z); static LocalDateTime from(Object t); LocalDateTime plusDays(long n); LocalDateTime plusWeeks(long n); LocalDateTime plusMonths(long n); LocalDateTime plusYears(long n); LocalDateTime plusHours(long n); LocalDateTime plusMinutes(long n); LocalDateTime plusSeconds(long n); LocalDateTime minusDays(long n); LocalDateTime minusWeeks(long n); LocalDateTime minusMonths(long n); LocalDateTime minusYears(long n); LocalDateTime minusHours(long n); LocalDateTime minusMinutes(long n); LocalDateTime minusSeconds(long n); LocalDateTime withDayOfMonth(int d); LocalDateTime withHour(int h); LocalDateTime withMinute(int m); LocalDateTime withSecond(int s); LocalDateTime withNano(int n); LocalDateTime with(Object a); LocalDateTime truncatedTo(Object u); LocalDate toLocalDate(); LocalTime toLocalTime(); ZonedDateTime atZone(ZoneId z); OffsetDateTime atOffset(ZoneOffset z); Instant toInstant(ZoneOffset z); int getYear(); int getMonthValue(); int getDayOfMonth(); int getHour(); int getMinute(); int getSecond(); boolean isBefore(Object o); boolean isAfter(Object o); boolean isEqual(Object o); String format(Object f); }
class Instant implements java.time.temporal.Temporal, Comparable<Object> { static Instant now(); static Instant now(Object c); static Instant parse(CharSequence t); static Instant ofEpochMilli(long n); static Instant ofEpochSecond(long n); Instant plusSeconds(long n); Instant plusMillis(long n); Instant minusSeconds(long n); Instant minusMillis(long n); Instant truncatedTo(Object u); ZonedDateTime atZone(ZoneId z); OffsetDateTime atOffset(ZoneOffset z); long toEpochMilli(); long getEpochSecond(); boolean isBefore(Instant o); boolean isAfter(Instant o); }
class ZonedDateTime implements java.time.temporal.Temporal, Comparable<Object> { static ZonedDateTime now(); static ZonedDateTime now(Object z); static ZonedDateTime parse(CharSequence t); static ZonedDateTime parse(CharSequence t, Object f); static ZonedDateTime of(LocalDateTime t, ZoneId z); static ZonedDateTime ofInstant(Instant i, ZoneId z); ZonedDateTime plusDays(long n); ZonedDateTime plusHours(long n); ZonedDateTime plusMinutes(long n); ZonedDateTime plusMonths(long n); ZonedDateTime minusDays(long n); ZonedDateTime minusHours(long n); ZonedDateTime minusMinutes(long n); ZonedDateTime minusMonths(long n); ZonedDateTime withZoneSameInstant(ZoneId z); ZonedDateTime truncatedTo(Object u); LocalDate toLocalDate(); LocalTime toLocalTime(); LocalDateTime toLocalDateTime(); OffsetDateTime toOffsetDateTime(); Instant toInstant(); long toEpochSecond(); boolean isBefore(Object o); boolean isAfter(Object o); String format(Object f); }
class OffsetDateTime implements java.time.temporal.Temporal, Comparable<Object> { static OffsetDateTime now(); static OffsetDateTime now(Object z); static OffsetDateTime parse(CharSequence t); static OffsetDateTime parse(CharSequence t, Object f); static OffsetDateTime of(LocalDateTime t, ZoneOffset z); static OffsetDateTime ofInstant(Instant i, ZoneId z); OffsetDateTime plusDays(long n); OffsetDateTime plusHours(long n); OffsetDateTime plusMinutes(long n); OffsetDateTime plusSeconds(long n); OffsetDateTime minusDays(long n); OffsetDateTime minusHours(long n); OffsetDateTime minusMinutes(long n); OffsetDateTime truncatedTo(Object u); LocalDate toLocalDate(); LocalDateTime toLocalDateTime(); ZonedDateTime toZonedDateTime(); Instant toInstant(); long toEpochSecond(); boolean isBefore(OffsetDateTime o); boolean isAfter(OffsetDateTime o); String format(Object f); }
class Duration implements java.time.temporal.TemporalAmount, Comparable<Object> { static Duration between(Object a, Object b); static Duration ofDays(long n); static Duration ofHours(long n); static Duration ofMinutes(long n); static Duration ofSeconds(long n); static Duration ofMillis(long n); static Duration parse(CharSequence t); Duration plus(Duration d); Duration minus(Duration d); long toDays(); long toHours(); long toMinutes(); long toSeconds(); long getSeconds(); long toMillis(); long toNanos(); boolean isNegative(); boolean isZero(); }
class Period implements java.time.temporal.TemporalAmount { static Period between(LocalDate a, LocalDate b); static Period ofDays(int n); static Period ofMonths(int n); static Period ofYears(int n); int getDays(); int getMonths(); int getYears(); long toTotalMonths(); boolean isNegative(); boolean isZero(); }
class ZoneId implements java.io.Serializable { static ZoneId of(String n); static ZoneId systemDefault(); }
class ZoneOffset extends ZoneId { static ZoneOffset of(String n); static ZoneOffset ofHours(int n); }
