import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles classes and runs cases of them, one request after another: each line read names a folder with sources, `options` of the compiler,
 * the `path` of libraries and `cases`. What each case returns or throws is written to `results`, bit for bit, a line each.
 */
public final class Run {
    public static void main(String[] args) throws Exception {
        PrintStream answers = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answers.println(answer(Path.of(line)));
            answers.flush();
        }
    }

    static String answer(Path dir) throws Exception {
        StringWriter errors = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            File[] sources = dir.toFile().listFiles(file -> file.getName().endsWith(".java"));
            Arrays.sort(sources);
            List<String> options = Files.readAllLines(dir.resolve("options"));
            if (!compiler.getTask(errors, files, null, options, null, files.getJavaFileObjects(sources)).call()) {
                Files.writeString(dir.resolve("errors"), errors.toString());
                return "failed";
            }
        }
        List<URL> path = new ArrayList<>();
        for (String entry : Files.readAllLines(dir.resolve("path"))) path.add(Path.of(entry).toUri().toURL());
        try (URLClassLoader loader = new URLClassLoader(path.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
             PrintWriter out = new PrintWriter(Files.newBufferedWriter(dir.resolve("results"), StandardCharsets.UTF_8))) {
            Thread.currentThread().setContextClassLoader(loader);
            for (String line : Files.readAllLines(dir.resolve("cases"))) out.print(run(loader, line.split("\t", -1)) + "\n");
        }
        return "done";
    }

    static String run(ClassLoader loader, String[] asked) throws Exception {
        Object[] given = new Object[asked.length - 2];
        for (int i = 0; i < given.length; i++) given[i] = argument(asked[i + 2]);
        for (Method method : methods(Class.forName(asked[0], true, loader))) {
            if (!method.getName().equals(asked[1])) continue;
            method.setAccessible(true);
            try {
                return encode(method.invoke(null, given), 0);
            } catch (InvocationTargetException e) {
                return "throws " + thrown(e.getCause(), 0);
            }
        }
        throw new IllegalStateException("no method " + asked[0] + "." + asked[1]);
    }

    static Class<?> last;
    static Method[] declared;

    static Method[] methods(Class<?> type) {
        if (type != last) {
            declared = type.getDeclaredMethods();
            last = type;
        }
        return declared;
    }

    static Object argument(String text) {
        String rest = text.substring(1);
        switch (text.charAt(0)) {
            case 'I': return Integer.parseInt(rest);
            case 'J': return Long.parseLong(rest);
            case 'D': return Double.longBitsToDouble(Long.parseUnsignedLong(rest, 16));
            default:
                StringBuilder out = new StringBuilder();
                for (int i = 0; i < rest.length(); i += 4) out.append((char) Integer.parseInt(rest.substring(i, i + 4), 16));
                return out.toString();
        }
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
