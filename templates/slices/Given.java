package mastor;

import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.core.ResolvableType;

/** What a request's calls of stubs are to answer, told by the request itself. */
final class Given {
    private static final List<Given> ALL = new ArrayList<>();
    private static final Set<String> PROBLEMS = new LinkedHashSet<>();

    private final String line;
    private final Class<?> type;
    private final String method;
    private final List<String> path;
    private final String kind;
    private final String value;

    private Given(String[] fields) {
        int at = fields[0].lastIndexOf('#');
        line = fields[0] + " " + fields[1] + " " + fields[2];
        type = Project.find(fields[0].substring(0, Math.max(at, 0)));
        method = fields[0].substring(at + 1);
        path = Paths.split(fields[1]);
        kind = fields[2];
        value = fields[3];
        if (type == null) {
            problem("given: no such type: " + fields[0]);
        }
    }

    /** Takes the lines of a request in place of those of the one before. */
    static void begin(String header) {
        ALL.clear();
        PROBLEMS.clear();
        if (header == null || header.isEmpty()) {
            return;
        }
        try {
            String text = new String(Base64.getDecoder().decode(header), StandardCharsets.UTF_8);
            for (String line : text.split("\n")) {
                String[] fields = Arrays.copyOf(line.replace("\r", "").split("\t", -1), 4);
                for (int i = 0; i < 4; i++) {
                    fields[i] = fields[i] == null ? "" : URLDecoder.decode(fields[i], "UTF-8");
                }
                if (!line.trim().isEmpty()) {
                    ALL.add(new Given(fields));
                }
            }
        } catch (IllegalArgumentException | UnsupportedEncodingException garbled) {
            problem("given: not readable");
        }
    }

    static void problem(String text) {
        PROBLEMS.add(text);
    }

    /** Why this request's answer tells nothing, or an empty text. */
    static String problems() {
        return String.join("; ", PROBLEMS);
    }

    static boolean has(Class<?> stub, String name) {
        return ALL.stream().anyMatch(one -> one.matches(stub, name));
    }

    /** What is given for a call, else what the call answers of itself. */
    static Object answer(Class<?> stub, String name, ResolvableType result, Supplier<Object> plain) throws Throwable {
        boolean made = false;
        Object answer = null;
        for (Given one : new ArrayList<>(ALL)) {
            if (!one.matches(stub, name)) {
                continue;
            }
            if (one.kind.equals("throws")) {
                throw one.thrown();
            }
            if (!made && !one.path.isEmpty()) {
                answer = plain.get();
                made = true;
            }
            try {
                answer = Paths.with(answer, result, one.path, name, wanted -> one.value(wanted, name));
                made = true;
            } catch (ReflectiveOperationException | RuntimeException refused) {
                problem("given: cannot apply " + one.line + " (" + refused.getClass().getSimpleName() + ")");
            }
        }
        return made ? answer : plain.get();
    }

    private boolean matches(Class<?> stub, String name) {
        return name.equals(method) && type != null && (type.isAssignableFrom(stub) || stub.isAssignableFrom(type));
    }

    private Throwable thrown() {
        Class<?> wanted = Project.find(value);
        if (wanted == null || !Throwable.class.isAssignableFrom(wanted)) {
            problem("given: no such exception: " + value);
            return new IllegalStateException("mastor");
        }
        return Values.thrown(wanted);
    }

    /** The value of this line's kind, in the type that is wanted where it goes. */
    private Object value(ResolvableType wanted, String name) {
        Class<?> raw = Values.boxed(wanted.resolve(Object.class));
        Object made;
        switch (kind) {
            case "null":
                if (wanted.resolve(Object.class).isPrimitive()) {
                    throw new IllegalArgumentException("null");
                }
                return null;
            case "empty":
                made = Values.empty(raw);
                break;
            case "present":
                made = new Values().of(wanted, path.isEmpty() ? name : path.get(path.size() - 1));
                break;
            case "bool": case "int": case "long": case "double": case "text": case "enum":
                made = Paths.convert(kind, value, raw);
                break;
            default:
                throw new IllegalArgumentException(kind);
        }
        if (made == null) {
            throw new IllegalArgumentException(kind);
        }
        return made;
    }
}
