package mastor;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/** Places in what a call gives, such as `get().owner.id` or `[0].name`. */
final class Paths {
    private static final Pattern STEP = Pattern.compile("\\[\\d+\\]|[\\w$]+(\\(\\))?");

    private static final DefaultConversionService CONVERSION = new DefaultConversionService();

    private Paths() {}

    static List<String> split(String path) {
        List<String> steps = new ArrayList<>();
        Matcher matcher = STEP.matcher(path);
        while (matcher.find()) {
            steps.add(matcher.group());
        }
        return steps;
    }

    /** The holder with another value at the path; what is missing on the way is made. */
    static Object with(Object holder, ResolvableType type, List<String> path, String name,
            Function<ResolvableType, Object> value) throws ReflectiveOperationException {
        if (path.isEmpty()) {
            return value.apply(type);
        }
        Object here = holder == null ? new Values().of(type, name) : holder;
        if (here == null) {
            throw new IllegalArgumentException("nothing is here");
        }
        String step = path.get(0);
        List<String> rest = path.subList(1, path.size());
        if (here instanceof Optional) {
            boolean named = step.startsWith("get") || step.startsWith("orElse");
            Object old = ((Optional<?>) here).orElse(null);
            return Optional.ofNullable(with(old, type.getGeneric(0), named ? rest : path, name, value));
        }
        Object many = Holders.isPage(type.resolve(Object.class))
                ? ReflectionUtils.invokeMethod(getter(here.getClass(), "getContent"), here)
                : here;
        if (many instanceof Collection) {
            boolean named = !step.startsWith("[") && !rest.isEmpty();
            return item((Collection<?>) many, type, named ? rest : path, value);
        }
        if (here instanceof Map) {
            throw new IllegalArgumentException("a map");
        }
        return property(here, type, step.replace("()", ""), rest, value);
    }

    private static Object item(Collection<?> items, ResolvableType type, List<String> path,
            Function<ResolvableType, Object> value) throws ReflectiveOperationException {
        List<Object> all = new ArrayList<>(items);
        String step = path.get(0);
        if (!step.startsWith("[")) {
            throw new IllegalArgumentException("not an item");
        }
        int at = Integer.parseInt(step.substring(1, step.length() - 1));
        Class<?> raw = type.resolve(Object.class);
        ResolvableType of = Iterable.class.isAssignableFrom(raw) ? type.as(Iterable.class).getGeneric(0) : type.getGeneric(0);
        if (at > 100) {
            throw new IllegalArgumentException("too many items");
        }
        while (all.size() <= at) {
            all.add(new Values().of(of, "item"));
        }
        all.set(at, with(all.get(at), of, path.subList(1, path.size()), "item", value));
        return Holders.all(raw, all);
    }

    private static Object property(Object holder, ResolvableType type, String step, List<String> rest,
            Function<ResolvableType, Object> value) throws ReflectiveOperationException {
        String name = StringUtils.uncapitalize(step.replaceFirst("^(get|is)(?=[A-Z])", ""));
        ResolvableType known = type.resolve(Object.class).isInstance(holder) ? type : ResolvableType.forClass(holder.getClass());
        Class<?> raw = Stubs.is(holder) ? known.resolve(Object.class) : holder.getClass();
        Method getter = getter(raw, step, "get" + StringUtils.capitalize(name), "is" + StringUtils.capitalize(name), name);
        Field field = ReflectionUtils.findField(raw, name);
        if (getter == null && field == null) {
            throw new NoSuchFieldException(name);
        }
        ResolvableType of = Stubs.is(holder) || field == null
                ? ResolvableType.forType(getter.getGenericReturnType(), known.as(getter.getDeclaringClass()))
                : ResolvableType.forField(field, known);
        Object old = null;
        if (!rest.isEmpty() && (field == null || Stubs.is(holder))) {
            ReflectionUtils.makeAccessible(getter);
            old = getter.invoke(holder);
        } else if (!rest.isEmpty()) {
            ReflectionUtils.makeAccessible(field);
            old = field.get(holder);
        }
        Object made = with(old, of, rest, name, value);
        if (Stubs.is(holder)) {
            Stubs.set(holder, getter.getName(), made);
            return holder;
        }
        return put(holder, field, name, made);
    }

    private static Object put(Object holder, Field field, String name, Object made) throws ReflectiveOperationException {
        Class<?> type = holder.getClass();
        if (type.getSuperclass() != null && type.getSuperclass().getName().equals("java.lang.Record")) {
            return record(holder, name, made);
        }
        if (field != null) {
            ReflectionUtils.makeAccessible(field);
            field.set(holder, made);
            return holder;
        }
        for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
            if (method.getName().equals("set" + StringUtils.capitalize(name)) && method.getParameterCount() == 1) {
                ReflectionUtils.makeAccessible(method);
                method.invoke(holder, made);
                return holder;
            }
        }
        throw new NoSuchFieldException(name);
    }

    /** A record is made anew, since it cannot be changed. */
    private static Object record(Object old, String name, Object made) throws ReflectiveOperationException {
        List<Class<?>> types = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (Field field : old.getClass().getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                types.add(field.getType());
                values.add(field.getName().equals(name) ? made : field.get(old));
            }
        }
        Constructor<?> whole = old.getClass().getDeclaredConstructor(types.toArray(new Class<?>[0]));
        whole.setAccessible(true);
        return whole.newInstance(values.toArray());
    }

    private static Method getter(Class<?> type, String... names) {
        for (String name : names) {
            Method method = ReflectionUtils.findMethod(type, name);
            if (method != null && method.getReturnType() != void.class) {
                return method;
            }
        }
        return null;
    }

    /** A value of a kind in the type that is wanted, by the ways that Spring and the type itself know. */
    static Object convert(String kind, String value, Class<?> raw) {
        Class<?> own = Arrays.<Class<?>>asList(Boolean.class, Integer.class, Long.class, Double.class)
                .get(Math.max(0, Arrays.asList("bool", "int", "long", "double").indexOf(kind)));
        boolean text = kind.equals("text") || kind.equals("enum");
        Class<?> type = raw.isAssignableFrom(text ? String.class : own) ? text ? String.class : own : raw;
        if (type == Optional.class) {
            throw new IllegalArgumentException("an Optional takes get()");
        }
        if (type.getName().startsWith("java.time.") || type == java.util.Date.class) {
            return time(value, type);
        }
        return CONVERSION.convert(value, type);
    }

    private static Object time(String value, Class<?> type) {
        try {
            return type == java.util.Date.class
                    ? java.util.Date.from(java.time.Instant.parse(value))
                    : type.getMethod("parse", CharSequence.class).invoke(null, value);
        } catch (InvocationTargetException | NoSuchMethodException | IllegalAccessException other) {
            throw new IllegalArgumentException("not a time", other);
        }
    }
}
