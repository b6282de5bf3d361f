package mastor;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.*;
import java.time.temporal.ChronoUnit;
import java.time.temporal.Temporal;
import java.util.*;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.NoOp;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.http.ResponseEntity;
import org.springframework.objenesis.ObjenesisStd;

/** Makes values of every type, few and readable; one object makes one value. */
final class Values {
    private static final int DEEP = 3;
    /** What expires does so a hundred years after all other dates. */
    private static final long LONG = 36500;
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final Map<Class<?>, Object> PLAIN = new HashMap<>();

    static {
        LocalDateTime day = LocalDateTime.of(2020, 1, 1, 0, 0);
        Object[] all = {
            true, 1, 1L, (short) 1, (byte) 1, 1.0, 1f, 'a', BigDecimal.ONE, BigInteger.ONE, new UUID(0, 1), day,
            day.toLocalDate(), day.toLocalTime(), day.toInstant(ZoneOffset.UTC), day.atOffset(ZoneOffset.UTC),
            day.atZone(ZoneOffset.UTC), Duration.ofSeconds(1), Period.ofDays(1), Year.of(2020), YearMonth.of(2020, 1),
            ZoneOffset.UTC, OptionalInt.of(1), OptionalLong.of(1), OptionalDouble.of(1), Locale.ENGLISH,
            Currency.getInstance("EUR"), URI.create("http://localhost/"), Object.class,
        };
        for (Object one : all) {
            PLAIN.put(one.getClass(), one);
        }
        PLAIN.put(ZoneId.class, ZoneOffset.UTC);
        PLAIN.put(Number.class, 1);
    }

    private final Deque<Class<?>> path = new ArrayDeque<>();
    private final Fitting fitting;

    Values() {
        this(null);
    }

    /** Values of a request: rules of validation take them, and texts look like what their names say; null for data that stubs give. */
    Values(Fitting fitting) {
        this.fitting = fitting;
    }

    /** A value of a type; a text is its own name. */
    Object of(ResolvableType type, String name) {
        Class<?> raw = boxed(type.resolve(Object.class));
        boolean expiry = name.toLowerCase(Locale.ROOT).contains("expir");
        if (PLAIN.containsKey(raw)) {
            Object plain = PLAIN.get(raw);
            boolean day = plain instanceof Temporal && ((Temporal) plain).isSupported(ChronoUnit.DAYS);
            return expiry && day ? ((Temporal) plain).plus(LONG, ChronoUnit.DAYS) : plain;
        } else if (raw == void.class || raw == Void.class || raw == Object.class) {
            return null;
        } else if (raw == String.class || raw == CharSequence.class) {
            return fitting == null ? name : Names.text(name);
        } else if (Date.class.isAssignableFrom(raw)) {
            return date(raw, Duration.ofDays(expiry ? LONG : 0).toMillis());
        } else if (raw == InputStream.class) {
            return new ByteArrayInputStream(name.getBytes(StandardCharsets.UTF_8));
        } else if (raw == OutputStream.class) {
            return new ByteArrayOutputStream();
        } else if (raw.isEnum()) {
            return raw.getEnumConstants().length == 0 ? null : raw.getEnumConstants()[0];
        } else if (raw.isArray()) {
            Object one = of(type.getComponentType(), name);
            Object array = Array.newInstance(raw.getComponentType(), one == null ? 0 : 1);
            if (one != null) {
                Array.set(array, 0, one);
            }
            return array;
        }
        Object held = Holders.is(raw) ? Holders.of(raw, of(type.as(raw).getGeneric(0), name)) : null;
        if (held != null) {
            return held;
        } else if (Map.class.isAssignableFrom(raw)) {
            return map(type, raw);
        } else if (Caller.makes(raw)) {
            return Caller.make(raw);
        } else if (raw == ResponseEntity.class) {
            return ResponseEntity.ok(of(type.getGeneric(0), name));
        }
        return object(type, raw);
    }

    /** What stands for nothing in a type. */
    static Object none(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        return type.isPrimitive() && type != void.class ? Array.get(Array.newInstance(type, 1), 0) : null;
    }

    /** What is there, but holds nothing. */
    static Object empty(Class<?> raw) {
        if (raw == String.class) {
            return "";
        } else if (raw.isArray()) {
            return Array.newInstance(raw.getComponentType(), 0);
        }
        return Map.class.isAssignableFrom(raw) ? new LinkedHashMap<>() : Holders.is(raw) ? Holders.of(raw, null) : null;
    }

    static Class<?> boxed(Class<?> type) {
        return type.isPrimitive() && type != void.class ? Array.get(Array.newInstance(type, 1), 0).getClass() : type;
    }

    private static Object date(Class<?> raw, long later) {
        try {
            return raw.getConstructor(long.class).newInstance(1577836800000L + later);
        } catch (ReflectiveOperationException other) {
            return null;
        }
    }

    private Object map(ResolvableType type, Class<?> raw) {
        if (!raw.isAssignableFrom(LinkedHashMap.class)) {
            return Modifier.isAbstract(raw.getModifiers()) ? null : fresh(type, raw);
        }
        Map<Object, Object> map = new LinkedHashMap<>();
        Object key = of(type.as(Map.class).getGeneric(0), "key");
        Object value = of(type.as(Map.class).getGeneric(1), "value");
        if (key != null && value != null) {
            map.put(key, value);
        }
        return map;
    }

    private Object object(ResolvableType type, Class<?> raw) {
        if (path.size() > DEEP || path.contains(raw)) {
            return null;
        }
        path.push(raw);
        try {
            boolean open = raw.isInterface() || Modifier.isAbstract(raw.getModifiers());
            if (open || !Project.owns(raw) && Stubs.possible(raw)) {
                return Stubs.possible(raw) ? Stubs.value(type) : null;
            }
            return Project.owns(raw) ? fill(fresh(type, raw), type, raw) : fresh(type, raw);
        } catch (RuntimeException | LinkageError closed) {
            return null;
        } finally {
            path.pop();
        }
    }

    /** A new object by the constructor that asks least, or else by none. */
    private Object fresh(ResolvableType type, Class<?> raw) {
        Constructor<?>[] constructors = raw.getDeclaredConstructors();
        Arrays.sort(constructors, Comparator.comparingInt(Executable::getParameterCount));
        for (Constructor<?> constructor : constructors) {
            if (constructor.isSynthetic() || Arrays.asList(constructor.getParameterTypes()).contains(raw)) {
                continue;
            }
            try {
                constructor.setAccessible(true);
                Object[] arguments = new Object[constructor.getParameterCount()];
                String[] names = NAMES.getParameterNames(constructor);
                for (int i = 0; i < arguments.length; i++) {
                    ResolvableType wanted = ResolvableType.forType(constructor.getGenericParameterTypes()[i], type);
                    arguments[i] = of(wanted, names == null ? "text" : names[i]);
                    if (fitting != null && names != null) {
                        arguments[i] = fitting.fit(raw, names[i], wanted, arguments[i]);
                    }
                }
                return constructor.newInstance(arguments);
            } catch (ReflectiveOperationException | RuntimeException | LinkageError refused) {
                // The next one may do.
            }
        }
        return raw.getName().startsWith("java.") ? null : new ObjenesisStd().newInstance(raw);
    }

    private Object fill(Object made, ResolvableType type, Class<?> raw) {
        for (Class<?> at = raw; at != null && at != Object.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
                    continue;
                }
                try {
                    field.setAccessible(true);
                    Object old = field.get(made);
                    ResolvableType wanted = ResolvableType.forField(field, type);
                    Object value = isUnset(old) ? of(wanted, field.getName()) : null;
                    if (fitting != null) {
                        value = fitting.fit(raw, field.getName(), wanted, value == null ? old : value);
                    }
                    if (value != null) {
                        field.set(made, value);
                    }
                } catch (ReflectiveOperationException | RuntimeException closed) {
                    // A constant, or a field of the platform.
                }
            }
        }
        return made;
    }

    private static boolean isUnset(Object old) {
        return old == null || old instanceof Number && ((Number) old).doubleValue() == 0
                || old instanceof Collection && ((Collection<?>) old).isEmpty();
    }

    /** An exception by whatever constructor works; of an abstract class one of a class below it. */
    static Throwable thrown(Class<?> type) {
        if (Modifier.isAbstract(type.getModifiers())) {
            Enhancer below = new Enhancer();
            below.setClassLoader(Values.class.getClassLoader());
            below.setSuperclass(type);
            below.setUseCache(false);
            below.setUseFactory(false);
            below.setCallbackType(NoOp.class);
            below.setCallback(NoOp.INSTANCE);
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                Class<?>[] parameters = constructor.getParameterTypes();
                Object[] arguments = Arrays.stream(parameters).map(one -> one == String.class ? "given" : none(one)).toArray();
                try {
                    return (Throwable) below.create(parameters, arguments);
                } catch (RuntimeException | LinkageError other) {
                    // Not this one.
                }
            }
        }
        for (Object[] arguments : new Object[][] {{"given"}, {}, {"given", null}, {1}}) {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                try {
                    constructor.setAccessible(true);
                    return (Throwable) constructor.newInstance(arguments);
                } catch (ReflectiveOperationException | RuntimeException other) {
                    // Not this one.
                }
            }
        }
        return (Throwable) new Values().fresh(ResolvableType.forClass(type), type);
    }
}
