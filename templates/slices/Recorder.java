package mastor;

import java.lang.reflect.Method;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.method.HandlerMethod;

/** Writes down what stubs were asked and gave in one request, as lines of a test that asks the same. */
final class Recorder {
    private static final int MOST = 40;
    /** The fields of mocks, the same in all tests. */
    private static final Map<String, String> FIELDS = new LinkedHashMap<>();
    private static Recorder current;

    private final Map<String, List<String>> answers = new LinkedHashMap<>();
    private final Set<String> verified = new LinkedHashSet<>();
    private final Map<String, ResolvableType> mocks = new LinkedHashMap<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final Recipe recipe;
    private String problem;
    private boolean later;

    private Recorder(String home) {
        recipe = new Recipe(home);
        FIELDS.values().forEach(recipe::free);
    }

    /** Begins a record for a test in this package, or ends recording where it is null. */
    static void begin(String home) {
        current = home == null ? null : new Recorder(home);
    }

    /** The record of the request that is under way, or null. */
    static Recorder current() {
        return current;
    }

    /** Notes what a stub gave. */
    void answered(Object stub, ResolvableType type, Method method, Object[] arguments, Object answer, String key) {
        try {
            String name = name(stub, type);
            String call = name + "." + method.getName() + "(" + matchers(type, method, arguments) + ")";
            if (method.getReturnType() == void.class) {
                verified.add("verify(" + name + ")" + call.substring(name.length()) + ";");
                return;
            }
            for (int i = 0; i < arguments.length; i++) {
                if (answer != null && answer == arguments[i] && !ClassUtils.isPrimitiveOrWrapper(answer.getClass()) && !(answer instanceof String)) {
                    String back = key == null ? "call.getArgument(" + i + ")" : kept(answer, key, i);
                    add(call, ".thenAnswer(call -> " + back + ")");
                    return;
                }
            }
            if (answer == stub) {
                throw new Recipe.Unwritable("a chain of calls of " + type);
            }
            if (!isUsual(answer, method)) {
                add(call, ".thenReturn(" + recipe.of(answer) + ")");
            }
        } catch (RuntimeException refused) {
            refuse(refused);
        }
    }

    /** Notes that the answer comes later. */
    void later() {
        later = true;
    }

    /** Notes what a stub threw. */
    void threw(Object stub, ResolvableType type, Method method, Object[] arguments, Throwable thrown) {
        try {
            String name = name(stub, type);
            String call = "." + method.getName() + "(" + matchers(type, method, arguments) + ")";
            // Of an abstract class there is no object but one of a class that was made for it.
            boolean made = thrown.getClass().getName().contains("$$EnhancerBy");
            Class<?> kind = made ? thrown.getClass().getSuperclass() : thrown.getClass();
            String thrower = made ? "mock(" + Recipe.type(kind) + ".class)" : Recipe.type(kind) + ".class";
            if (!recipe.accessible(kind)) {
                throw new Recipe.Unwritable("an exception " + kind.getName());
            } else if (method.getReturnType() == void.class) {
                recipe.lines.add("doThrow(" + thrower + ").when(" + name + ")" + call + ";");
            } else {
                add(name + call, ".thenThrow(" + thrower + ")");
            }
        } catch (RuntimeException refused) {
            refuse(refused);
        }
    }

    /** Notes that the project's own method of an interface ran. */
    void real(Object stub, ResolvableType type, Method method, Object[] arguments) {
        try {
            add(name(stub, type) + "." + method.getName() + "(" + matchers(type, method, arguments) + ")", ".thenCallRealMethod()");
        } catch (RuntimeException refused) {
            refuse(refused);
        }
    }

    /** There is no test, for this reason. */
    void refuse(RuntimeException refused) {
        boolean told = refused instanceof Recipe.Unwritable;
        problem = problem != null ? problem : told ? refused.getMessage() + " cannot be written" : "a value cannot be written";
    }

    /** One statement for all answers of a call, where the first of them was given. */
    private void add(String call, String answer) {
        List<String> known = answers.computeIfAbsent(call, key -> new ArrayList<>());
        if (known.isEmpty() || !known.get(known.size() - 1).equals(answer)) {
            known.add(answer);
        }
        if (!places.containsKey(call)) {
            places.put(call, recipe.lines.size());
            recipe.lines.add("");
        }
        recipe.lines.set(places.get(call), "when(" + call + ")" + String.join("", known) + ";");
    }

    /** What gives an argument back with a key, as a store does. */
    private String kept(Object stored, String key, int at) {
        String type = Recipe.type(stored.getClass());
        String name = "withKey";
        String[] known = recipe.helpers.get(name);
        String variable = StringUtils.uncapitalize(stored.getClass().getSimpleName());
        String body = key.replace("\0", variable) + "\nreturn " + variable + ";";
        if (known != null && !known[1].equals(body)) {
            throw new Recipe.Unwritable("keys of several stores");
        }
        recipe.helpers.put(name, new String[] {type, body, type + " " + variable});
        return name + "(call.getArgument(" + at + "))";
    }

    /** What a mock answers that nobody told anything. */
    private static boolean isUsual(Object answer, Method method) {
        if (answer instanceof Collection) {
            return ((Collection<?>) answer).isEmpty() && method.getReturnType().isInterface();
        }
        return answer == null || answer.equals(Boolean.FALSE) || answer.equals(Optional.empty())
                || answer instanceof Number && ((Number) answer).doubleValue() == 0;
    }

    private String name(Object stub, ResolvableType type) {
        String known = recipe.mock(stub);
        if (known != null) {
            return known;
        } else if (!Stubs.isPart(stub)) {
            throw new Recipe.Unwritable("a stand-in of " + type);
        }
        String name = mock(type);
        recipe.named(stub, name);
        return name;
    }

    /** The field of the mock of this type. */
    String mock(ResolvableType type) {
        String known = FIELDS.get(type.toString());
        if (known != null) {
            mocks.put(known, type);
            return known;
        }
        Class<?> raw = type.resolve(Object.class);
        if (!recipe.accessible(raw)) {
            throw new Recipe.Unwritable("a mock of " + raw.getName() + ", which is not public");
        }
        String name = recipe.free(StringUtils.uncapitalize(raw.getSimpleName()));
        mocks.put(name, type);
        FIELDS.put(type.toString(), name);
        return name;
    }

    /** The arguments as a test names them: values where all of them are plain, else what matches them. */
    private String matchers(ResolvableType type, Method method, Object[] arguments) {
        List<String> values = new ArrayList<>();
        List<Object> all = new ArrayList<>(Arrays.asList(arguments));
        List<Class<?>> types = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            types.add(ResolvableType.forMethodParameter(method, i).resolve(Object.class));
        }
        // Variable arguments stand one by one.
        if (method.isVarArgs() && arguments[arguments.length - 1] instanceof Object[]) {
            Class<?> one = types.remove(arguments.length - 1).getComponentType();
            for (Object more : (Object[]) all.remove(arguments.length - 1)) {
                all.add(more);
                types.add(one);
            }
        }
        boolean plain = true;
        for (Object one : all) {
            plain &= one instanceof String || one instanceof Enum || one != null && ClassUtils.isPrimitiveOrWrapper(one.getClass());
        }
        for (int i = 0; i < all.size(); i++) {
            Object one = all.get(i);
            Class<?> wanted = types.get(i);
            wanted = wanted == Object.class && one != null && recipe.accessible(one.getClass()) ? one.getClass() : wanted;
            if (plain) {
                values.add(recipe.of(one));
            } else if (wanted.isPrimitive()) {
                values.add("any" + StringUtils.capitalize(wanted.getName()) + "()");
            } else if (one instanceof String || one instanceof Enum || one instanceof Number) {
                values.add("eq(" + recipe.of(one) + ")");
            } else if (one == null || !recipe.accessible(wanted) || Stubs.is(one)) {
                values.add("any()");
            } else {
                values.add("any(" + Recipe.type(wanted) + ".class)");
            }
        }
        return String.join(", ", values);
    }

    /** The lines of the test, or why there is none: a kind and its fields, percent-encoded, with tabs between. */
    String text(Context context, HandlerMethod handler, Object user, Collection<String> authorities) {
        StringBuilder out = new StringBuilder();
        if (answers.size() + verified.size() > MOST) {
            problem = "it asks stubs more than " + MOST + " times";
        }
        try {
            if (handler == null) {
                throw new Recipe.Unwritable("a request without a handler of the project");
            }
            line(out, "handler", Recipe.type(handler.getBeanType()), handler.getMethod().getName());
            if (user != null) {
                boolean known = Project.owns(user.getClass()) || user instanceof String;
                line(out, "caller", known ? recipe.of(user) : "", String.join(",", authorities));
            }
            Beans beans = new Beans(context, recipe);
            beans.behind(handler);
            for (ResolvableType one : beans.mocks) {
                mock(one);
            }
            beans.classes.forEach(one -> line(out, "class", Recipe.type(one)));
            beans.methods.forEach((name, code) -> line(out, "bean", name, code[0], code[1], code[2]));
            beans.properties.forEach(one -> line(out, "properties", Recipe.type(one)));
            beans.missing.forEach(one -> line(out, "missing", one));
        } catch (RuntimeException refused) {
            refuse(refused);
        }
        mocks.forEach((name, type) -> line(out, "mock", name, Recipe.type(type)));
        recipe.helpers.forEach((name, code) -> line(out, "helper", name, code[0], code[1], code.length > 2 ? code[2] : ""));
        recipe.lines.forEach(one -> line(out, "line", one));
        verified.forEach(one -> line(out, "verify", one));
        if (later) {
            line(out, "async");
        }
        if (problem != null) {
            line(out, "problem", problem);
        }
        return out.toString();
    }

    private static void line(StringBuilder out, String... fields) {
        List<String> all = new ArrayList<>();
        for (String field : Arrays.asList(fields)) {
            try {
                all.add(URLEncoder.encode(field, "UTF-8").replace("+", "%20"));
            } catch (java.io.UnsupportedEncodingException never) {
                throw new IllegalStateException(never);
            }
        }
        out.append(String.join("\t", all)).append('\n');
    }
}
