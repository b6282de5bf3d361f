package mastor;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.ResolvableType;

/** What the stubs of a request were asked, what they gave, and where in it another value could stand. */
final class Asked {
    private static final int DEEP = 2;
    private static final int MOST = 400;
    private static final Map<String, String> LINES = new LinkedHashMap<>();

    private Asked() {}

    static synchronized void begin() {
        LINES.clear();
    }

    /** A line each: the call, where in what it gives, the sort of value, the value, what else it could be; last, other texts for a request. */
    static synchronized String text() {
        for (String[] texts : Names.OTHERWISE) {
            for (int i = 1; i < texts.length; i++) {
                hint("replace", texts[0], texts[i]);
            }
        }
        return String.join("\n", LINES.values()) + "\n";
    }

    /** Takes note of an answer, and gives it. */
    static synchronized Object note(Class<?> stub, Method method, ResolvableType type, Object answer) {
        String call = stub.getName() + "#" + method.getName();
        if (LINES.size() > MOST || LINES.containsKey(call + " ")) {
            return answer;
        }
        Class<?> raw = Values.boxed(method.getReturnType());
        if (raw == Void.class || raw == void.class) {
            put(call, "", "void", "", "");
        } else {
            value(call, "", type, raw, answer, 0);
        }
        String failures = failures(method);
        if (!failures.isEmpty()) {
            put(call, "!", "failure", "", failures);
        }
        return answer;
    }

    /** Takes note of what a request lacks, or of a text of it that another one should replace. */
    static synchronized void hint(String sort, String old, String better) {
        if (!old.equals(better)) {
            LINES.putIfAbsent(sort + " " + old + " " + better, String.join("\t", "request", old, sort, better, "").replaceAll("[\r\n]", " "));
        }
    }

    private static String failures(Method method) {
        List<String> names = new ArrayList<>();
        for (Class<?> one : method.getExceptionTypes()) {
            names.add(one.getName());
        }
        return String.join(",", names);
    }

    private static void value(String call, String at, ResolvableType type, Class<?> declared, Object value, int deep) {
        Class<?> raw = value == null ? declared : value.getClass();
        if (value instanceof Boolean) {
            put(call, at, "flag", value.toString(), "");
        } else if (value instanceof Number) {
            put(call, at, "number", value.toString(), "");
        } else if (value instanceof String) {
            put(call, at, "text", value.toString(), "");
        } else if (raw.isEnum() || value instanceof Enum) {
            Class<?> constants = value == null ? raw : ((Enum<?>) value).getDeclaringClass();
            List<String> names = new ArrayList<>();
            Arrays.stream(constants.getEnumConstants()).forEach(one -> names.add(((Enum<?>) one).name()));
            put(call, at, "constant", value == null ? "" : ((Enum<?>) value).name(), String.join(",", names));
        } else if (value instanceof Optional || value instanceof Collection || raw.isArray() || Holders.isPage(declared)) {
            Object held = held(value);
            put(call, at, "holder", held == null ? "" : name(held.getClass()), "");
            String step = value instanceof Optional ? "get()" : "[0]";
            if (held != null && !raw.isArray() && Project.owns(held.getClass())) {
                fields(call, at.isEmpty() ? step : at + "." + step, held, deep);
            }
        } else {
            put(call, at, "object", value == null ? "" : name(raw), "");
            if (value != null && Project.owns(raw) && !Stubs.is(value)) {
                fields(call, at, value, deep);
            }
        }
    }

    private static String name(Class<?> type) {
        return type.getName().contains("$$EnhancerBy") ? type.getSuperclass().getSimpleName() : type.getSimpleName();
    }

    /** The first of what a holder holds. */
    private static Object held(Object value) {
        if (value instanceof Optional) {
            return ((Optional<?>) value).orElse(null);
        } else if (value instanceof Iterable) {
            return ((Iterable<?>) value).iterator().hasNext() ? ((Iterable<?>) value).iterator().next() : null;
        }
        return value != null && value.getClass().isArray() && Array.getLength(value) > 0 ? Array.get(value, 0) : null;
    }

    private static void fields(String call, String at, Object holder, int deep) {
        if (deep >= DEEP || Stubs.is(holder)) {
            return;
        }
        for (Class<?> type = holder.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
                    continue;
                }
                try {
                    field.setAccessible(true);
                    String step = at.isEmpty() ? field.getName() : at + "." + field.getName();
                    value(call, step, ResolvableType.forField(field), field.getType(), field.get(holder), deep + 1);
                } catch (ReflectiveOperationException | RuntimeException closed) {
                    // A field of the platform.
                }
            }
        }
    }

    private static void put(String call, String at, String sort, String value, String options) {
        String line = String.join("\t", call, at, sort, value, options);
        LINES.putIfAbsent(call + " " + at, line.replaceAll("[\r\n]", " "));
    }
}
