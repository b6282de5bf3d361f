import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.io.BufferedWriter;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs every case of the classes it is given and prints what each returns or throws, bit for bit. */
public final class Run {
    public static void main(String[] args) throws Exception {
        PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(new java.io.FileOutputStream(args[0]), StandardCharsets.UTF_8)));
        for (String name : Arrays.asList(args).subList(1, args.length)) {
            Method[] methods = Class.forName(name).getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparingInt(m -> number(m)));
            for (Method method : methods) {
                if (number(method) < 0) continue;
                method.setAccessible(true);
                String result;
                try {
                    result = encode(method.invoke(null), 0);
                } catch (InvocationTargetException e) {
                    result = "throws " + thrown(e.getCause(), 0);
                }
                out.print(name + "." + method.getName() + "\t" + result + "\n");
            }
        }
        out.close();
    }

    static int number(Method method) {
        String name = method.getName();
        if (!name.matches("c[0-9]+")) return -1;
        return Integer.parseInt(name.substring(1));
    }

    static String thrown(Throwable thrown, int depth) {
        if (depth > 6) return "...";
        String text = name(thrown.getClass()) + " " + encode(thrown.getMessage(), 0);
        if (thrown.getCause() != null) text += " by " + thrown(thrown.getCause(), depth + 1);
        return text;
    }

    static String name(Class<?> type) {
        return type.getName().replace('$', '.');
    }

    static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c >= 32 && c < 127 && c != '"' && c != '\\') out.append(c);
            else out.append(String.format("\\u%04x", (int) c));
        }
        return out.append('"').toString();
    }

    static String each(Iterable<?> items, int depth) {
        List<String> out = new ArrayList<>();
        for (Object item : items) out.add(encode(item, depth));
        return "[" + String.join(",", out) + "]";
    }

    static String encode(Object value, int depth) {
        if (depth > 8) return "...";
        int below = depth + 1;
        if (value == null) return "null";
        if (value instanceof Boolean) return value.toString();
        if (value instanceof Byte) return "byte:" + value;
        if (value instanceof Short) return "short:" + value;
        if (value instanceof Character) return "char:" + (int) (Character) value;
        if (value instanceof Integer) return "int:" + value;
        if (value instanceof Long) return "long:" + value;
        if (value instanceof Float) return "float:" + Integer.toHexString(Float.floatToIntBits((Float) value));
        if (value instanceof Double) return "double:" + Long.toHexString(Double.doubleToLongBits((Double) value));
        if (value instanceof String) return quote((String) value);
        if (value instanceof StringBuilder || value instanceof StringBuffer) return "text" + quote(value.toString());
        if (value instanceof BigInteger) return "integer:" + value;
        if (value instanceof BigDecimal) return "decimal:" + ((BigDecimal) value).unscaledValue() + "e" + -((BigDecimal) value).scale();
        if (value instanceof Enum) return "enum:" + name(((Enum<?>) value).getDeclaringClass()) + "." + ((Enum<?>) value).name();
        if (value instanceof Class) return "class:" + name((Class<?>) value);
        if (value instanceof Optional) return "optional[" + encode(((Optional<?>) value).orElse(null), below) + "]";
        if (value.getClass().isArray()) {
            List<Object> items = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) items.add(Array.get(value, i));
            return "array" + each(items, below);
        }
        if (value instanceof Throwable) return "throwable " + thrown((Throwable) value, depth);
        if (!value.getClass().getName().startsWith("java.")) return object(value, below);
        if (value instanceof List) return "list" + each((List<?>) value, below);
        if (value instanceof Set) return "set" + each((Set<?>) value, below);
        if (value instanceof Collection) return "collection" + each((Collection<?>) value, below);
        if (value instanceof Map) {
            List<String> out = new ArrayList<>();
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) out.add(encode(entry.getKey(), below) + "=" + encode(entry.getValue(), below));
            return "map[" + String.join(",", out) + "]";
        }
        if (value instanceof Map.Entry) return "entry[" + encode(((Map.Entry<?, ?>) value).getKey(), below) + "=" + encode(((Map.Entry<?, ?>) value).getValue(), below) + "]";
        return name(value.getClass()) + ":" + quote(value.toString());
    }

    static String object(Object value, int depth) {
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> at = value.getClass(); at != null && !at.getName().startsWith("java."); at = at.getSuperclass()) classes.add(0, at);
        List<String> out = new ArrayList<>();
        for (Class<?> at : classes) {
            for (Field field : at.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) continue;
                field.setAccessible(true);
                try {
                    out.add(field.getName() + "=" + encode(field.get(value), depth));
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        return "object:" + name(value.getClass()) + "{" + String.join(",", out) + "}";
    }
}
