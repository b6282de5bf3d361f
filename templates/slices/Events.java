package mastor;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** The calls of a request that change what is outside, with what was handed over as it was then. */
final class Events {
    /** Names of methods that change something, although they give something back. */
    private static final Pattern CHANGES = Pattern.compile("(?i)(save|insert|update|delete|remove|persist|merge|create|add|put|send"
            + "|publish|emit|store|write|upload|push|register|upsert|replace|append|revoke|cancel).*");
    /** Names of methods that change nothing that lasts, although they give nothing back. */
    private static final Pattern PASSES = Pattern.compile("(?i)(get|find|read|load|flush|clear|close|detach|refresh|lock|unlock|open|begin|rollback).*");
    private static final int MOST = 30;
    private static final int DEEP = 3;
    private static final int ITEMS = 5;
    private static final int FIELDS = 40;
    private static final int LONGEST = 200;
    private static final int BYTES = 12000;
    private static final List<Map<String, Object>> SEEN = new ArrayList<>();
    private static List<Set<String>> expected = new ArrayList<>();

    private Events() {}

    /** Begins a request; `text` is what is expected of it in base64, or null: a line for each call and each value handed over, calls apart by an empty line. */
    static synchronized void begin(String text) {
        SEEN.clear();
        expected = new ArrayList<>();
        if (text != null) {
            String lines = new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
            for (String one : lines.split("\n\n")) {
                expected.add(new HashSet<>(Arrays.asList(one.split("\n"))));
            }
        }
    }

    /** Takes note of a call of a stub, where it changes something. */
    static synchronized void note(Class<?> stub, Method method, Object[] arguments) {
        String name = method.getName();
        boolean changes = method.getReturnType() == void.class ? !PASSES.matcher(name).matches() : CHANGES.matcher(name).matches();
        if (!changes || SEEN.size() >= MOST) {
            return;
        }
        List<Object> handed = new ArrayList<>();
        for (Object argument : arguments) {
            handed.add(plain(argument, 0));
        }
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("call", stub.getName() + "#" + name);
        event.put("arguments", handed);
        SEEN.add(event);
    }

    /** All of them as JSON in base64, or null where there are none or too much to tell. */
    static synchronized String text() {
        StringBuilder out = new StringBuilder();
        json(SEEN, out);
        byte[] bytes = out.toString().getBytes(StandardCharsets.UTF_8);
        return SEEN.isEmpty() || bytes.length > BYTES ? null : Base64.getEncoder().encodeToString(bytes);
    }

    /** The first expected call that was not made so, or null. */
    static synchronized String missed() {
        List<Set<String>> open = new ArrayList<>();
        for (Map<String, Object> event : SEEN) {
            Set<String> lines = new HashSet<>();
            lines.add((String) event.get("call"));
            lines("", event.get("arguments"), lines);
            open.add(lines);
        }
        for (Set<String> one : expected) {
            Set<String> made = open.stream().filter(seen -> seen.containsAll(one)).findFirst().orElse(null);
            if (made == null) {
                return one.stream().filter(line -> !line.contains("\t")).findFirst().orElse("a call");
            }
            open.remove(made);
        }
        return null;
    }

    /** A value as texts, numbers, lists and maps; null where it says nothing that lasts. */
    private static Object plain(Object value, int deep) {
        if (value instanceof Boolean || value instanceof Number) {
            return value;
        } else if (value instanceof CharSequence || value instanceof Character || value instanceof UUID
                || value instanceof TemporalAccessor) {
            String text = value.toString();
            return text.length() > LONGEST ? text.substring(0, LONGEST) : text;
        } else if (value instanceof Enum) {
            return ((Enum<?>) value).name();
        } else if (value instanceof Date) {
            return String.valueOf(((Date) value).getTime());
        } else if (value instanceof Optional) {
            return plain(((Optional<?>) value).orElse(null), deep);
        } else if (value == null || Stubs.is(value) || deep > DEEP) {
            return null;
        } else if (value instanceof Collection) {
            return list(((Collection<?>) value).toArray(), deep);
        } else if (value.getClass().isArray()) {
            return list(value, deep);
        } else if (value instanceof Map) {
            Map<String, Object> fields = new LinkedHashMap<>();
            ((Map<?, ?>) value).forEach((key, one) -> {
                if (fields.size() < FIELDS) {
                    fields.put(String.valueOf(key), plain(one, deep + 1));
                }
            });
            return fields;
        }
        return Project.owns(value.getClass()) ? fields(value, deep) : null;
    }

    private static List<Object> list(Object array, int deep) {
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array) && i < ITEMS; i++) {
            items.add(plain(Array.get(array, i), deep + 1));
        }
        return items;
    }

    private static Map<String, Object> fields(Object value, int deep) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (Class<?> type = value.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic() || fields.size() >= FIELDS) {
                    continue;
                }
                try {
                    field.setAccessible(true);
                    fields.put(field.getName(), plain(field.get(value), deep + 1));
                } catch (ReflectiveOperationException | RuntimeException closed) {
                    // A field of the platform.
                }
            }
        }
        return fields;
    }

    /** A line of place and value for each that is there. */
    private static void lines(String at, Object value, Set<String> into) {
        if (value instanceof List) {
            List<?> items = (List<?>) value;
            for (int i = 0; i < items.size(); i++) {
                lines(at + "/" + i, items.get(i), into);
            }
        } else if (value instanceof Map) {
            ((Map<?, ?>) value).forEach((key, one) -> lines(at + "/" + key, one, into));
        } else if (value != null) {
            StringBuilder out = new StringBuilder();
            json(value, out);
            into.add(at.replaceAll("[\t\r\n]", " ") + "\t" + out);
        }
    }

    private static void json(Object value, StringBuilder out) {
        String between = "";
        if (value instanceof List) {
            out.append('[');
            for (Object one : (List<?>) value) {
                out.append(between);
                json(one, out);
                between = ",";
            }
            out.append(']');
        } else if (value instanceof Map) {
            out.append('{');
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                out.append(between);
                text(String.valueOf(entry.getKey()), out);
                out.append(':');
                json(entry.getValue(), out);
                between = ",";
            }
            out.append('}');
        } else if (value instanceof String) {
            text((String) value, out);
        } else if (value instanceof Double && !Double.isFinite((Double) value) || value instanceof Float && !Float.isFinite((Float) value)) {
            text(String.valueOf(value), out);
        } else if (value instanceof Number && !value.getClass().getName().startsWith("java.")) {
            text(String.valueOf(value), out);
        } else {
            out.append(value);
        }
    }

    private static void text(String text, StringBuilder out) {
        out.append('"');
        for (char one : text.toCharArray()) {
            if (one == '"' || one == '\\') {
                out.append('\\').append(one);
            } else if (one < ' ' || one > '~') {
                out.append(String.format("\\u%04x", (int) one));
            } else {
                out.append(one);
            }
        }
        out.append('"');
    }
}
