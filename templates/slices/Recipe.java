package mastor;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/** Writes values as Java that makes them: by constructors, builders, setters, and fields in that order. Names of classes stand between backquotes. */
final class Recipe {
    private static final int DEEP = 6;
    /** Setters that make a value out of the usual one; beyond that it is made anew. */
    private static final int FEW = 4;
    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final String DATA = "org.springframework.data.domain.";

    /** Names that Java keeps for itself, or that a test has already. */
    private static final Set<String> KEPT = new HashSet<>(Arrays.asList(
            "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "continue", "default",
            "double", "enum", "extends", "final", "finally", "float", "for", "import", "int", "interface", "long", "native",
            "new", "package", "private", "protected", "public", "record", "return", "short", "static", "super", "switch",
            "this", "throw", "transient", "try", "var", "void", "volatile", "while", "yield", "mvc", "started", "caller",
            "any", "eq", "mock", "when", "verify", "reset", "get", "post", "put", "patch", "delete", "head", "options",
            "content", "header", "status", "context", "setUp", "logOut", "logIn", "jsonPath", "withKey"));

    /** Methods of the test's class, by name: type and lines. */
    final Map<String, String[]> helpers = new LinkedHashMap<>();
    /** Statements before the request. */
    List<String> lines = new ArrayList<>();
    private final Map<Object, String> mocks = new IdentityHashMap<>();
    private final Set<Class<?>> underWay = new HashSet<>();
    private final Set<String> taken = new HashSet<>();
    private final String home;

    /** Values for a test in this package. */
    Recipe(String home) {
        this.home = home;
    }

    /** What cannot be written. */
    static final class Unwritable extends RuntimeException {
        Unwritable(String what) {
            super(what);
        }
    }

    /** A variable's name that is free in the test. */
    String free(String wanted) {
        String name = wanted;
        for (int n = 2; KEPT.contains(name) || !taken.add(name); n++) {
            name = wanted + n;
        }
        return name;
    }

    /** The name of a stand-in that a stub gave, or null. */
    String mock(Object stub) {
        return mocks.get(stub);
    }

    void named(Object stub, String name) {
        mocks.put(stub, name);
    }

    /** An expression of the value. */
    String of(Object value) {
        return of(value, 0);
    }

    private String of(Object value, int deep) {
        String plain = plain(value);
        if (plain != null) {
            return plain;
        } else if (deep > DEEP) {
            throw new Unwritable("a value that holds values without end");
        } else if (value instanceof Optional) {
            return "`java.util|Optional`" + ((Optional<?>) value).map(one -> ".of(" + of(one, deep + 1) + ")").orElse(".empty()");
        } else if (value instanceof CompletableFuture && ((CompletableFuture<?>) value).isDone()) {
            Object done = ((CompletableFuture<?>) value).getNow(null);
            return "`java.util.concurrent|CompletableFuture`.completedFuture(" + of(done, deep + 1) + ")";
        } else if (value.getClass().getName().equals(DATA + "PageImpl")) {
            Object content = ReflectionUtils.invokeMethod(ReflectionUtils.findMethod(value.getClass(), "getContent"), value);
            return "new `" + DATA.substring(0, DATA.length() - 1) + "|PageImpl`<>(" + of(content, deep + 1) + ")";
        } else if (value instanceof Collection) {
            return collection((Collection<?>) value, deep);
        } else if (value instanceof Map) {
            return map((Map<?, ?>) value, deep);
        } else if (value.getClass().isArray()) {
            List<String> items = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                items.add(of(Array.get(value, i), deep + 1));
            }
            return "new " + type(value.getClass().getComponentType()) + "[] {" + String.join(", ", items) + "}";
        } else if (value instanceof ResponseEntity && ((ResponseEntity<?>) value).getHeaders().isEmpty()) {
            ResponseEntity<?> entity = (ResponseEntity<?>) value;
            Object status = ReflectionUtils.invokeMethod(ReflectionUtils.findMethod(ResponseEntity.class, "getStatusCodeValue"), entity);
            return "`org.springframework.http|ResponseEntity`.status(" + status + ").body(" + of(entity.getBody(), deep + 1) + ")";
        } else if (Caller.is(value)) {
            return caller(value, deep);
        } else if (Stubs.is(value)) {
            return standIn(value);
        } else if (value instanceof Throwable || !Project.owns(value.getClass())) {
            throw new Unwritable("an object of " + value.getClass().getName());
        }
        return object(value, deep);
    }

    /** What Spring Security knows of a caller, by its own classes. */
    private String caller(Object token, int deep) {
        Object user = ReflectionUtils.invokeMethod(ReflectionUtils.findMethod(token.getClass(), "getPrincipal"), token);
        String security = "`org.springframework.security.";
        List<String> names = new ArrayList<>();
        Caller.authorities().forEach(one -> names.add(text(one)));
        String all = security + "core.authority|AuthorityUtils`.createAuthorityList(" + String.join(", ", names) + ")";
        String own = user instanceof String || user != null && Project.owns(user.getClass())
                ? of(user, deep + 1) : "new " + security + "core.userdetails|User`(\"user\", \"password\", " + all + ")";
        return "new " + security + "authentication|UsernamePasswordAuthenticationToken`(" + own + ", \"password\", " + all + ")";
    }

    private static String plain(Object value) {
        if (value == null || value instanceof Boolean || value instanceof Integer) {
            return String.valueOf(value);
        } else if (value instanceof Long) {
            return value + "L";
        } else if (value instanceof Double) {
            return value.toString();
        } else if (value instanceof Float) {
            return value + "f";
        } else if (value instanceof Short || value instanceof Byte) {
            return "(" + (value instanceof Short ? "short" : "byte") + ") " + value;
        } else if (value instanceof Character) {
            String quoted = text(value.toString());
            return "'" + quoted.substring(1, quoted.length() - 1).replace("'", "\\'").replace("\\\"", "\"") + "'";
        } else if (value instanceof String) {
            return text((String) value);
        } else if (value instanceof java.math.BigDecimal || value instanceof java.math.BigInteger) {
            String name = value.getClass().getSimpleName();
            return value.equals(value instanceof java.math.BigDecimal ? java.math.BigDecimal.ONE : java.math.BigInteger.ONE)
                    ? "`java.math|" + name + "`.ONE" : "new `java.math|" + name + "`(\"" + value + "\")";
        } else if (value instanceof UUID) {
            return "`java.util|UUID`.fromString(\"" + value + "\")";
        } else if (value.getClass() == Date.class) {
            return "new `java.util|Date`(" + ((Date) value).getTime() + "L)";
        } else if (value instanceof Date) {
            return "new `java.sql|" + value.getClass().getSimpleName() + "`(" + ((Date) value).getTime() + "L)";
        } else if (value instanceof java.net.URI) {
            return "`java.net|URI`.create(" + text(value.toString()) + ")";
        } else if (value instanceof Locale) {
            return "`java.util|Locale`.forLanguageTag(" + text(((Locale) value).toLanguageTag()) + ")";
        } else if (value instanceof java.time.ZoneOffset) {
            return "`java.time|ZoneOffset`.of(" + text(value.toString()) + ")";
        } else if (value instanceof Class) {
            return type((Class<?>) value) + ".class";
        } else if (value instanceof Enum) {
            return type(((Enum<?>) value).getDeclaringClass()) + "." + ((Enum<?>) value).name();
        } else if (value.getClass().getName().startsWith("java.time.")
                && ReflectionUtils.findMethod(value.getClass(), "parse", CharSequence.class) != null) {
            return type(value.getClass()) + ".parse(\"" + value + "\")";
        }
        return null;
    }

    /** A literal of a text. */
    static String text(String value) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : value.toCharArray()) {
            switch (c) {
                case '"': case '\\': out.append('\\').append(c); break;
                case '\n': out.append("\\n"); break;
                case '\r': out.append("\\r"); break;
                case '\t': out.append("\\t"); break;
                default: out.append(c < ' ' || c > '~' || c == '`' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return out.append('"').toString();
    }

    private String collection(Collection<?> all, int deep) {
        String kind = all instanceof Set ? "HashSet" : all instanceof List ? "ArrayList" : null;
        if (kind == null || !all.getClass().getName().startsWith("java.")) {
            throw new Unwritable("an object of " + all.getClass().getName());
        }
        List<String> items = new ArrayList<>();
        all.forEach(one -> items.add(of(one, deep + 1)));
        String inner = "`java.util|Arrays`.asList(" + String.join(", ", items) + ")";
        return items.isEmpty() ? "new `java.util|" + kind + "`<>()" : kind.equals("ArrayList") ? inner : "new `java.util|HashSet`<>(" + inner + ")";
    }

    private String map(Map<?, ?> map, int deep) {
        if (!map.getClass().getName().startsWith("java.") || map.size() > 1) {
            throw new Unwritable("a map of " + map.size() + " entries");
        } else if (map.isEmpty()) {
            return "new `java.util|HashMap`<>()";
        }
        Map.Entry<?, ?> one = map.entrySet().iterator().next();
        return "`java.util|Collections`.singletonMap(" + of(one.getKey(), deep + 1) + ", " + of(one.getValue(), deep + 1) + ")";
    }

    /** An object that a stub gave and that is a stub itself: a mock of its own, of which the test says what it answers. */
    private String standIn(Object stub) {
        String known = mocks.get(stub);
        if (known != null) {
            return known;
        }
        Class<?> type = Stubs.named(stub);
        if (type.getTypeParameters().length > 0 || !accessible(type)) {
            throw new Unwritable("a stand-in of " + type.getName());
        }
        String name = free(StringUtils.uncapitalize(type.getSimpleName()));
        lines.add(type(type) + " " + name + " = mock(" + type(type) + ".class);");
        mocks.put(stub, name);
        return name;
    }

    private String object(Object value, int deep) {
        Class<?> type = value.getClass();
        if (!accessible(type)) {
            throw new Unwritable("an object of " + type.getName() + ", which is not public");
        }
        String helper = helper(type);
        Object usual = helper == null ? null : new Values().of(ResolvableType.forClass(type), "one");
        if (usual != null && usual.getClass() == type && print(usual, 0).equals(print(value, 0))) {
            return helper + "()";
        }
        if (usual != null && usual.getClass() == type) {
            List<String> changed = new ArrayList<>();
            boolean few = true;
            String name = StringUtils.uncapitalize(type.getSimpleName());
            for (Field field : fields(type)) {
                Object wanted = get(field, value);
                if (!print(wanted, 0).equals(print(get(field, usual), 0))) {
                    few &= setter(type, field) != null && changed.size() < FEW;
                    changed.add(few ? setting(type, field, wanted, deep) : "");
                }
            }
            if (few) {
                name = free(name);
                lines.add(type(type) + " " + name + " = " + helper + "();");
                for (String one : changed) {
                    lines.add(name + one);
                }
                return name;
            }
        }
        return made(value, deep, true);
    }

    /** The method that makes the usual object of a class, or null while it is being written. */
    private String helper(Class<?> type) {
        String name = StringUtils.uncapitalize(type.getSimpleName());
        name = KEPT.contains(name) ? name + "Value" : name;
        if (underWay.contains(type)) {
            return null;
        }
        String[] known = helpers.get(name);
        if (known != null) {
            return known[0].equals(type(type)) ? name : null;
        }
        Object usual = new Values().of(ResolvableType.forClass(type), "one");
        if (usual == null || usual.getClass() != type) {
            return null;
        }
        underWay.add(type);
        List<String> outside = lines;
        Set<String> before = new HashSet<>(taken);
        lines = new ArrayList<>();
        taken.clear();
        try {
            String made = made(usual, 0, false);
            lines.add("return " + made + ";");
            helpers.put(name, new String[] {type(type), String.join("\n", lines)});
        } finally {
            lines = outside;
            taken.clear();
            taken.addAll(before);
            underWay.remove(type);
        }
        return name;
    }

    /** Writes what makes an object; gives its name, or the expression that makes all of it. */
    private String made(Object value, int deep, boolean named) {
        Class<?> type = value.getClass();
        List<Field> fields = fields(type);
        Maker best = null;
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            Maker maker = constructor.isSynthetic() || !accessible(constructor) ? null : maker(constructor, value, fields);
            if (maker != null && (best == null || maker.compareTo(best) < 0)) {
                best = maker;
            }
        }
        Method builder = best == null || best.closed > 0 ? ReflectionUtils.findMethod(type, "builder") : null;
        String built = builder != null && accessible(builder) ? built(builder, value, fields, deep) : null;
        if (built != null) {
            return built;
        } else if (best == null) {
            throw new Unwritable("an object of " + type.getName() + ", which no constructor makes");
        }
        List<String> arguments = new ArrayList<>();
        for (Field field : best.arguments) {
            arguments.add(of(get(field, value), deep + 1));
        }
        String expression = "new " + type(type) + "(" + String.join(", ", arguments) + ")";
        if (best.rest.isEmpty() && !named) {
            return expression;
        }
        List<String> settings = new ArrayList<>();
        for (Field field : best.rest) {
            settings.add(setting(type, field, get(field, value), deep));
        }
        if (settings.isEmpty()) {
            return expression;
        }
        String name = free(StringUtils.uncapitalize(type.getSimpleName()));
        lines.add(type(type) + " " + name + " = " + expression + ";");
        for (String one : settings) {
            lines.add(one.startsWith(".") ? name + one : one.replace("\0", name));
        }
        return name;
    }

    /** A way to make an object: the fields that arguments say, and those that are set then. */
    private static final class Maker implements Comparable<Maker> {
        final List<Field> arguments = new ArrayList<>();
        final List<Field> rest = new ArrayList<>();
        int closed;

        @Override
        public int compareTo(Maker other) {
            return closed != other.closed ? closed - other.closed : arguments.size() - other.arguments.size();
        }
    }

    private Maker maker(Constructor<?> constructor, Object value, List<Field> fields) {
        Maker maker = new Maker();
        String[] names = NAMES.getParameterNames(constructor);
        Class<?>[] types = constructor.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            Field found = null;
            for (Field field : fields) {
                boolean here = names != null ? field.getName().equals(names[i]) : types.length == fields.size() && fields.get(i) == field;
                found = here && types[i].isAssignableFrom(field.getType()) ? field : found;
            }
            if (found == null) {
                return null;
            }
            maker.arguments.add(found);
        }
        Object fresh;
        try {
            constructor.setAccessible(true);
            fresh = constructor.newInstance(maker.arguments.stream().map(field -> get(field, value)).toArray());
        } catch (ReflectiveOperationException | RuntimeException refused) {
            return null;
        }
        for (Field field : fields) {
            if (!print(get(field, fresh), 0).equals(print(get(field, value), 0))) {
                maker.rest.add(field);
                maker.closed += setter(value.getClass(), field) == null ? 1 : 0;
            }
        }
        return maker;
    }

    private String built(Method builder, Object value, List<Field> fields, int deep) {
        Class<?> type = builder.getReturnType();
        StringBuilder out = new StringBuilder(type(value.getClass()) + ".builder()");
        Method build = ReflectionUtils.findMethod(type, "build");
        if (!Modifier.isStatic(builder.getModifiers()) || build == null || build.getReturnType() != value.getClass()) {
            return null;
        }
        for (Field field : fields) {
            Object one = get(field, value);
            Method with = ReflectionUtils.findMethod(type, field.getName(), field.getType());
            if (one != null && with == null) {
                return null;
            } else if (one != null) {
                out.append('.').append(field.getName()).append('(').append(of(one, deep + 1)).append(')');
            }
        }
        return out.append(".build()").toString();
    }

    /** A statement that gives what is stored a key; a mark stands for the object. */
    static String keyed(Class<?> type, Field key, Object made) {
        String value = plain(made);
        Method setter = ReflectionUtils.findMethod(type, "set" + StringUtils.capitalize(key.getName()), key.getType());
        if (value == null) {
            return null;
        }
        return setter != null && Modifier.isPublic(setter.getModifiers())
                ? "\0." + setter.getName() + "(" + value + ");"
                : "`org.springframework.test.util|ReflectionTestUtils`.setField(\0, \"" + key.getName() + "\", " + value + ");";
    }

    /** A statement that sets a field, with a mark or nothing for the object; only where there is no setter the field itself is set. */
    private String setting(Class<?> type, Field field, Object value, int deep) {
        Method setter = setter(type, field);
        return setter != null
                ? "." + setter.getName() + "(" + of(value, deep + 1) + ");"
                : "`org.springframework.test.util|ReflectionTestUtils`.setField(\0, \"" + field.getName() + "\", " + of(value, deep + 1) + ");";
    }

    private Method setter(Class<?> type, Field field) {
        String name = StringUtils.capitalize(field.getName().replaceFirst("^is(?=[A-Z])", ""));
        for (String one : Arrays.asList("set" + name, "set" + StringUtils.capitalize(field.getName()))) {
            Method found = ReflectionUtils.findMethod(type, one, field.getType());
            if (found != null && accessible(found)) {
                return found;
            }
        }
        return null;
    }

    private static List<Field> fields(Class<?> type) {
        List<Field> all = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            List<Field> own = new ArrayList<>();
            for (Field field : at.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && !field.getName().startsWith("$")) {
                    own.add(field);
                }
            }
            all.addAll(0, own);
        }
        return all;
    }

    private static Object get(Field field, Object holder) {
        try {
            field.setAccessible(true);
            return field.get(holder);
        } catch (IllegalAccessException | RuntimeException closed) {
            throw new Unwritable("a field of " + field.getDeclaringClass().getName());
        }
    }

    /** A text by which two values are told apart. */
    private static String print(Object value, int deep) {
        String plain = plain(value);
        if (plain != null || deep > DEEP) {
            return plain == null ? "…" : plain;
        } else if (value instanceof Collection) {
            StringBuilder out = new StringBuilder("[");
            ((Collection<?>) value).forEach(one -> out.append(print(one, deep + 1)).append(','));
            return out.append(']').toString();
        } else if (value instanceof Map) {
            StringBuilder out = new StringBuilder("{");
            ((Map<?, ?>) value).forEach((key, one) -> out.append(print(key, deep + 1)).append(':').append(print(one, deep + 1)));
            return out.append('}').toString();
        } else if (Stubs.is(value)) {
            return "stub of " + Stubs.named(value).getName();
        } else if (Project.owns(value.getClass())) {
            StringBuilder out = new StringBuilder(value.getClass().getName() + "{");
            fields(value.getClass()).forEach(field -> out.append(field.getName()).append('=').append(print(get(field, value), deep + 1)).append(','));
            return out.append('}').toString();
        }
        return value.getClass().getName();
    }

    /** Whether a class can be named in the test's package. */
    boolean accessible(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getDeclaringClass()) {
            boolean near = ClassUtils.getPackageName(at).equals(home) && !Modifier.isPrivate(at.getModifiers());
            if (!Modifier.isPublic(at.getModifiers()) && !near) {
                return false;
            }
        }
        return type.getCanonicalName() != null;
    }

    boolean accessible(Member member) {
        boolean near = ClassUtils.getPackageName(member.getDeclaringClass()).equals(home) && !Modifier.isPrivate(member.getModifiers());
        return Modifier.isPublic(member.getModifiers()) || near;
    }

    boolean callable(Executable member) {
        return accessible(member) && accessible(member.getDeclaringClass());
    }

    /** The name of a class, between backquotes: package, bar, name. */
    static String type(Class<?> type) {
        if (type.isArray()) {
            return type(type.getComponentType()) + "[]";
        } else if (type.isPrimitive()) {
            return type.getName();
        }
        String canonical = type.getCanonicalName();
        String home = ClassUtils.getPackageName(type);
        if (canonical == null) {
            throw new Unwritable("an object of " + type.getName());
        }
        return "`" + home + "|" + (home.isEmpty() ? canonical : canonical.substring(home.length() + 1)) + "`";
    }

    /** The name of a type with its arguments. */
    static String type(ResolvableType type) {
        Class<?> raw = type.resolve();
        if (raw == null || raw.isArray()) {
            return raw == null ? "?" : type(raw);
        }
        List<String> arguments = new ArrayList<>();
        for (ResolvableType one : type.getGenerics()) {
            arguments.add(type(one));
        }
        return type(raw) + (arguments.isEmpty() ? "" : "<" + String.join(", ", arguments) + ">");
    }
}
