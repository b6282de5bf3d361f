//! Tests of the language on small sources, with the results that the Java Language Specification requires.

use super::tests::{result, value};
use super::values::scalar::Scalar;

/// Runs `static Object run()` of class `T`, with further members and types.
fn run(members: &str) -> String {
    value(&format!("import java.util.*; import java.util.function.*; class T {{ {members} }}"))
}

#[test]
fn overloads_are_chosen_by_static_types() {
    let overloads = "static String f(Object o) { return \"object\"; } static String f(String s) { return \"string\"; }
        static String f(long l) { return \"long\"; } static String f(Integer i) { return \"integer\"; } static String f(int... all) { return \"many\"; }
        static String f(char c) { return \"char\"; } static String f(double d) { return \"double\"; }";
    let call = |code: &str| run(&format!("{overloads} static Object run() {{ {code} }}"));
    assert_eq!(call("Object o = \"text\"; return f(o);"), "\"object\"");
    assert_eq!(call("return f(\"text\");"), "\"string\"");
    assert_eq!(call("return f(1);"), "\"long\"");
    assert_eq!(call("short s = 1; return f(s);"), "\"long\"");
    assert_eq!(call("Integer i = 1; return f(i);"), "\"integer\"");
    assert_eq!(call("return f('c');"), "\"char\"");
    assert_eq!(call("return f(1f);"), "\"double\"");
    assert_eq!(call("return f(1, 2);"), "\"many\"");
    assert_eq!(call("return f();"), "\"many\"");
    assert_eq!(call("Long l = 1L; return f(l);"), "\"object\"");
    assert_eq!(
        run("static int v(Object... all) { return all == null ? -1 : all.length; }
             static Object run() { Object one = new String[] {\"a\", \"b\"}; return v(one) + \" \" + v(new String[] {\"a\", \"b\"}) + \" \" + v((Object[]) null) + \" \" + v(new int[] {1, 2}) + v(); }"),
        "\"1 2 -1 10\""
    );
}

#[test]
fn methods_are_dispatched_by_the_class_of_the_object() {
    assert_eq!(
        run("static class A { String name() { return \"A\"; } String show() { return name() + this.name(); } static String s() { return \"sA\"; } }
             static class B extends A { @Override String name() { return \"B\" + super.name(); } static String s() { return \"sB\"; } }
             static Object run() { A a = new B(); return a.show() + \" \" + ((A) a).name() + A.s() + B.s(); }"),
        "\"BABA BAsAsB\""
    );
    assert_eq!(
        run("interface I { default String hi() { return \"I\" + own() + st(); } private String own() { return \"p\"; } static String st() { return \"s\"; } }
             interface J extends I { default String hi() { return \"J\" + I.super.hi(); } }
             static class C implements J { } static class D extends C implements I { public String hi() { return \"D\" + super.hi(); } }
             static Object run() { I one = new C(); return one.hi() + \" \" + new D().hi(); }"),
        "\"JIps DJIps\""
    );
    assert_eq!(
        run("interface Shape<X> { String of(X x); } static class Text implements Shape<String> { public String of(String s) { return \"t\" + s; } public String of(Object o) { return \"o\"; } }
             static <X> String use(Shape<X> s, X x) { return s.of(x); }
             static Object run() { return use(new Text(), \"a\"); }"),
        "\"ta\""
    );
    // A virtual call from a constructor sees uninitialised fields.
    assert_eq!(
        run("static class A { String seen; A() { seen = \"\" + value(); } int value() { return 1; } }
             static class B extends A { int x = 7; final int c = 5; B() { super(); seen += \"/\" + value(); } int value() { return x * 10 + c; } }
             static Object run() { return new B().seen; }"),
        "\"5/75\""
    );
}

#[test]
fn initialisers_run_in_textual_order() {
    assert_eq!(
        run("static class A { int a = next(); { a = a * 10; } int b = a + next(); int n; int next() { n++; return n + 4; } }
             static Object run() { A a = new A(); return a.a + \" \" + a.b + \" \" + a.n; }"),
        "\"50 56 2\""
    );
    assert_eq!(
        run("static int early = later(); static final int CONSTANT = 5; static int late = 6; static final Integer BOXED = 7;
             static int later() { return CONSTANT * 100 + late * 10 + (BOXED == null ? 1 : 2); }
             static Object run() { return early; }"),
        "501"
    );
    assert_eq!(
        run("enum E { A(1), B(2) { int twice() { return 40; } }; final int n; static final int SUM; static { int s = 0; for (E e : values()) s += e.n; SUM = s; }
               E(int n) { this.n = n; } int twice() { return n * 2; } }
             static Object run() { return E.SUM + \" \" + E.A.twice() + \" \" + E.B.twice() + E.valueOf(\"B\").ordinal() + E.B.compareTo(E.A); }"),
        "\"3 2 4011\""
    );
}

#[test]
fn inner_classes_see_what_is_around_them() {
    assert_eq!(
        run("int x = 1; class In { int x = 2; class Deep { int x = 3; String all() { return \"\" + x + this.x + In.this.x + T.this.x; } } }
             static Object run() { T t = new T(); t.x = 9; In in = t.new In(); In.Deep deep = in.new Deep(); return deep.all(); }"),
        "\"3329\""
    );
    assert_eq!(
        run("interface Op { int of(int n); } int base = 100;
             Op make(int k) { int local = k * 2; class Add implements Op { final int own; Add(int own) { this.own = own; } public int of(int n) { return n + local + own + base; } Op again() { return new Add(own + 1); } }
               Add add = new Add(5); return new Op() { int calls = 0; public int of(int n) { calls++; return add.of(n) + calls + k + add.again().of(0); } }; }
             static Object run() { Op op = new T().make(10); return op.of(1) + op.of(1); }"),
        "527"
    );
    assert_eq!(
        run(
            "static Object run() { List<Supplier<Integer>> all = new ArrayList<>(); for (int i = 0; i < 3; i++) { int j = i; all.add(() -> j * 10); } int sum = 0; for (Supplier<Integer> s : all) sum += s.get(); return sum; }"
        ),
        "30"
    );
}

#[test]
fn lambdas_and_the_four_kinds_of_method_references() {
    assert_eq!(
        run("interface F { int of(int n); default F twice() { return n -> of(of(n)); } } interface M<A> { A make(String s); } interface B { boolean of(String a, String b); }
             final String held; T(String s) { held = s + \"!\"; } int plus(int n) { return n + held.length(); } static int inc(int n) { return n + 1; }
             static Object run() {
               F a = T::inc; F b = new T(\"abc\")::plus; M<T> c = T::new; B d = String::equals; F e = n -> { int m = n; return m * 2; };
               return a.of(1) + \" \" + b.of(1) + \" \" + c.make(\"x\").held + \" \" + d.of(\"q\", \"q\") + \" \" + e.twice().of(3) + a.twice().of(0); }"),
        "\"2 5 x! true 122\""
    );
}

#[test]
fn patterns_bind_where_they_match() {
    assert_eq!(
        run("sealed interface S permits P, Q { } record P(int x, Object y) implements S { } record Q(S left, S right) implements S { }
             static String show(Object o) { return switch (o) {
               case null -> \"null\"; case Integer i when i > 10 -> \"big\" + i; case Integer i -> \"int\" + i; case P(int x, String s) -> \"ps\" + x + s; case P(var x, var y) -> \"p\" + x + y;
               case Q(P(int a, var b), Q q) -> \"qp\" + a + show(q); case Q(S l, S r) -> \"q(\" + show(l) + \",\" + show(r) + \")\"; default -> \"?\"; }; }
             static Object run() { return show(null) + show(11) + show(3) + show(new P(1, \"z\")) + show(new P(2, null)) + show(new Q(new P(4, 5), new Q(null, new P(6, 7L)))) + show('c'); }"),
        "\"nullbig11int3ps1zp2nullqp4q(null,p67)?\""
    );
    assert_eq!(
        run("static String s = \"field\"; static String f(Object o) { if (!(o instanceof String s)) { return \"no \" + s; } return s + s.length(); }
             static String g(Object o) { if (o instanceof String s && s.length() > 1) { return s; } return s; }
             static Object run() { return f(1) + f(\"ab\") + g(\"x\") + g(\"long\"); }"),
        "\"no fieldab2fieldlong\""
    );
}

#[test]
fn exceptions_finally_and_resources() {
    assert_eq!(
        run("static String out = \"\";
             static class R implements AutoCloseable { final String n; R(String n) { this.n = n; out += \"+\" + n; } public void close() { out += \"-\" + n; throw new IllegalStateException(\"close \" + n); } }
             static Object run() { String r = \"\"; try (R a = new R(\"a\"); R b = new R(\"b\")) { out += \"body\"; throw new RuntimeException(\"first\"); }
               catch (RuntimeException e) { r = e.getMessage(); } finally { out += \"f\"; } return r; }"),
        "\"first\""
    );
    assert_eq!(
        run("@SuppressWarnings(\"finally\") static int f() { try { throw new RuntimeException(); } finally { return 2; } }
             static int g() { int x = 1; try { return x; } finally { x = 5; } }
             static int h() { for (int i = 0; ; i++) { try { if (i == 2) break; continue; } finally { if (i == 1) i = 7; } } return 9; }
             static Object run() { return f() + \" \" + g(); }"),
        "\"2 1\""
    );
    assert_eq!(
        run("static class E extends Exception { E(String m, Throwable c) { super(m, c); } }
             static Object run() { try { try { Object o = null; o.hashCode(); return 1; } catch (NullPointerException | IllegalStateException e) { throw new E(\"outer\", e); } }
               catch (E e) { return e.getMessage() + (e.getCause() instanceof NullPointerException); } }"),
        "\"outertrue\""
    );
}

#[test]
fn labels_jump_out_of_loops() {
    assert_eq!(
        run(
            "static Object run() { int n = 0; outer: for (int i = 0; i < 5; i++) { int j = 0; while (true) { j++; if (j == 3) continue outer; if (i == 3) break outer; n += i * 10 + j; } } block: { if (n > 0) break block; n = -1; } do { n++; } while (n < 70); return n; }"
        ),
        "70"
    );
}

#[test]
fn conversions_are_those_of_the_language() {
    assert_eq!(
        run(
            "static Object run() { byte b = (byte) 200; b += 100; short s = (short) 70000; s >>>= 1; char c = 'a'; c++; c += 1; return b + \" \" + s + \" \" + c; }"
        ),
        "\"44 2232 c\""
    );
    assert_eq!(
        run(
            "static Object run() { int i = 'a' + 1; long l = Integer.MAX_VALUE + 1; l += 0.7; i -= 0.5; return i + \" \" + l + \" \" + (1 << 33) + \" \" + (1L << 33) + \" \" + (-17 >> 2) + \" \" + (-17 >>> 28) + \" \" + (-7 / 2) + (-7 % 2); }"
        ),
        "\"97 -2147483647 2 8589934592 -5 15 -3-1\""
    );
    assert_eq!(
        run(
            "static Object run() { return (int) Double.NaN + \" \" + (long) 1e30 + \" \" + (int) -1e30f + \" \" + (char) 65.7 + \" \" + (byte) 300.5 + \" \" + (0.0 == -0.0) + (Double.NaN != Double.NaN); }"
        ),
        "\"0 9223372036854775807 -2147483648 A 44 truetrue\""
    );
    assert_eq!(
        run(
            "static Object run() { boolean t = true; Integer i = 5; Object o = t ? i : 2.0; Object p = t ? 'a' : 0; Object q = t ? null : 0; return o + \" \" + p + \" \" + q; }"
        ),
        "\"5.0 a null\""
    );
    assert_eq!(
        run(
            "static Object run() { Integer i = null; try { int j = i; return j; } catch (NullPointerException e) { return \"npe\"; } }"
        ),
        "\"npe\""
    );
    assert_eq!(
        run(
            "static Object run() { String s = null; s += null; s = s + 'c' + 1 + 2L + true + 1.5 + 0.1f; return 1 + 2 + s + 1 + 2; }"
        ),
        "\"3nullnullc12true1.50.112\""
    );
}

#[test]
fn references_are_the_same_where_the_language_says_so() {
    assert_eq!(
        run("static final String A = \"a\"; static String made(String s) { return s + \"b\"; }
             static Object run() { final String local = \"b\"; String open = \"b\"; String ab = \"ab\"; return (A + \"b\" == ab) + \" \" + (A + local == ab) + \" \" + (A + open == ab) + \" \" + (made(\"a\") == ab) + \" \" + (made(\"a\").intern() == ab); }"),
        "\"true true false false true\""
    );
    assert_eq!(
        run(
            "static Object run() { Integer a = 127, b = 127; Long c = 5L; Integer d = 1000; int e = 1000; return (a == b) + \" \" + (d == e) + \" \" + c.equals(5) + (c == 5); }"
        ),
        "\"true true falsetrue\""
    );
    assert!(run("static Object run() { Integer a = 128, b = 128; return a == b; }").contains("unknown"));
}

#[test]
fn evaluation_goes_from_left_to_right_and_places_are_evaluated_once() {
    assert_eq!(
        run(
            "static int n; static int next() { return ++n; } static Object run() { int[] a = new int[9]; a[next()] += next() * 10; a[next()]++; int i = 1; i = i++ + ++i; int j = 5; j += j++ * 2 + j; return a[1] + \" \" + a[3] + \" \" + i + \" \" + j + \" \" + n; }"
        ),
        "\"20 1 4 21 3\""
    );
    assert_eq!(
        run(
            "static Object run() { try { Object[] o = new Integer[1]; o[0] = \"x\"; return 0; } catch (ArrayStoreException e) { return e.getMessage(); } }"
        ),
        "\"java.lang.String\""
    );
    assert_eq!(
        run(
            "static Object run() { int[][] m = new int[2][3]; m[1][2] = 5; int[][] r = {{1}, {2, 3}}; try { m[1][3] = 1; } catch (ArrayIndexOutOfBoundsException e) { return m[1][2] + r[1].length + e.getMessage(); } return 0; }"
        ),
        "\"7Index 3 out of bounds for length 3\""
    );
}

#[test]
fn switches_fall_through_and_yield() {
    assert_eq!(
        run(
            "static int f(String s) { int r = 0; switch (s) { case \"a\": r += 1; case \"b\": r += 10; break; default: r = 7; case \"c\": r += 100; } return r; } static Object run() { return f(\"a\") + \" \" + f(\"b\") + \" \" + f(\"c\") + \" \" + f(\"z\"); }"
        ),
        "\"11 10 100 107\""
    );
    assert_eq!(
        run(
            "enum E { X, Y } static int f(E e, char c) { int k = switch (e) { case X -> { int t = 3; yield t * 2; } case Y -> switch (c) { case 'a', 'b': yield 1; default: yield 2; }; }; return k; } static Object run() { return f(E.X, 'q') + \" \" + f(E.Y, 'b') + \" \" + f(E.Y, 'c'); }"
        ),
        "\"6 1 2\""
    );
}

#[test]
fn records_have_their_methods() {
    assert_eq!(
        run("record R(int x, String s, Integer... more) { static int made; R { if (x < 0) throw new IllegalArgumentException(\"neg\"); x = x * 2; } R(int x) { this(x, \"d\"); } int sum() { return x + more.length; } }
             record Pair(int a, double b, String c) { }
             static Object run() { R r = new R(2, \"q\", 1, 2); return r.x() + r.s() + r.sum() + new R(4).s() + new Pair(1, 2.5, null) + new Pair(1, 0.0, \"x\").equals(new Pair(1, -0.0, \"x\")) + new Pair(1, 2, \"x\").equals(new Pair(1, 2, \"x\")); }"),
        "\"4q6dPair[a=1, b=2.5, c=null]falsetrue\""
    );
}

#[test]
fn hostile_code_ends() {
    assert!(
        run("static Object run() { return f(0); } static int f(int n) { return f(n + 1) + f(n + 2); }")
            .contains("nested too deeply")
    );
    assert!(
        run("static Object run() { String s = \"ab\"; for (int i = 0; i < 40; i++) s += s; return s; }")
            .contains("unknown")
    );
    let long = format!("static Object run() {{ int x = 0; {} return x; }}", "x += 1;".repeat(10_000));
    assert_eq!(run(&long), "10000");
    let wide = format!("static Object run() {{ return 0{}; }}", " + one()".repeat(3_000));
    assert_eq!(run(&format!("{wide} static int one() {{ return 1; }}")), "3000");
    let source =
        "class T { static Object run(int n) { int x = n; for (int i = 0; i < 1000; i++) x = x * x + n; return x; } }";
    assert!(super::tests::paths(source).contains("unknown"));
    let source = "class T { static Object run(boolean a, boolean b) { boolean x = a; for (int i = 0; i < 100; i++) x = x ^ b; return x; } }";
    assert!(super::tests::paths(source).contains("unknown"));
    assert_eq!(
        result("class T { static int run(int n) { return n == 0 ? 0 : 1 + run(n - 1); } }", &[Scalar::Int(150)]),
        "150"
    );
}
