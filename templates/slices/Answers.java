package mastor;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/** What a stub's method answers of itself. */
final class Answers {
    private static final Pattern STORES =
            Pattern.compile("(save|insert|merge|persist|saveOrUpdate)(All|AndFlush|AllAndFlush|Selective|Batch)?");

    /** How the key was set that what was stored last was given, as Java with a mark for the object; null where it had one. */
    private static String key;

    private Answers() {}

    static void forget() {
        key = null;
    }

    static String key() {
        return key;
    }

    /** The type that a call gives, its type variables told by the stub's own type or by a class among the arguments. */
    static ResolvableType type(ResolvableType stub, Method method, Object[] arguments) {
        Type result = method.getGenericReturnType();
        Map<Type, Type> told = new HashMap<>();
        Type[] parameters = method.getGenericParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i] instanceof ParameterizedType && arguments[i] != null) {
                Type of = ((ParameterizedType) parameters[i]).getActualTypeArguments()[0];
                if (arguments[i] instanceof Class) {
                    told.put(of, (Class<?>) arguments[i]);
                } else if (arguments[i] instanceof ParameterizedTypeReference) {
                    told.put(of, ((ParameterizedTypeReference<?>) arguments[i]).getType());
                } else {
                    // A mapper or converter says by its own class what it makes; a lambda says nothing.
                    Class<?> made = ResolvableType.forInstance(arguments[i]).as(method.getParameterTypes()[i]).getGeneric(0).resolve();
                    if (made != null && made != Object.class) {
                        told.put(of, made);
                    }
                }
            }
        }
        if (result instanceof TypeVariable && told.containsKey(result)) {
            return ResolvableType.forType(told.get(result));
        }
        ResolvableType owner = stub.as(method.getDeclaringClass());
        if (result instanceof ParameterizedType && !told.isEmpty()) {
            List<ResolvableType> generics = new ArrayList<>();
            for (Type one : ((ParameterizedType) result).getActualTypeArguments()) {
                generics.add(ResolvableType.forType(told.getOrDefault(one, one), owner));
            }
            Class<?> raw = method.getReturnType();
            if (raw.getTypeParameters().length == generics.size()) {
                return ResolvableType.forClassWithGenerics(raw, generics.toArray(new ResolvableType[0]));
            }
        }
        return ResolvableType.forType(result, owner);
    }

    /** What is stored is given back, what chains gives itself, all else is made by its type; `self` is null for data. */
    static Object plain(ResolvableType type, Object self, Method method, Object[] arguments) {
        Class<?> raw = type.resolve(Object.class);
        Type result = method.getGenericReturnType();
        if (self != null && arguments.length > 0 && STORES.matcher(method.getName()).matches()) {
            Object stored = arguments[0];
            if (stored instanceof Iterable) {
                List<Object> all = new ArrayList<>();
                for (Object one : (Iterable<?>) stored) {
                    key(one);
                    all.add(one);
                }
                if (raw != Object.class && raw.isInstance(all)) {
                    return all;
                }
            } else {
                key(stored);
                if (stored != null && raw.isInstance(stored)) {
                    return stored;
                }
            }
        }
        if (self != null && result instanceof TypeVariable && ((TypeVariable<?>) result).getGenericDeclaration() == method) {
            for (int i = 0; i < arguments.length; i++) {
                if (method.getGenericParameterTypes()[i].equals(result)) {
                    return arguments[i];
                }
            }
        }
        if (self != null && raw != Object.class && raw.isInstance(self)) {
            return self;
        }
        if (self != null && method.getReturnType() == Object.class && raw == Object.class) {
            String call = Stubs.named(self).getName() + "#" + method.getName();
            Class<?> told = Unknown.type(call);
            return told == null ? Unknown.mark(call) : new Values().of(ResolvableType.forClass(told), name(method));
        }
        return new Values().of(type, name(method));
    }

    /** The readable name of what a method gives: `getName` and `findName` give a `name`. */
    private static String name(Method method) {
        String name = method.getName().replaceFirst("^(get|is)(?=[A-Z])", "");
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /** A stored object has a key. */
    private static void key(Object stored) {
        if (stored == null || !Project.owns(stored.getClass())) {
            return;
        }
        Field key = null;
        for (Class<?> at = stored.getClass(); at != null && at != Object.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                key = key == null && field.getName().equals("id") || isKey(field) ? field : key;
            }
        }
        if (key == null) {
            return;
        }
        ReflectionUtils.makeAccessible(key);
        Object old = ReflectionUtils.getField(key, stored);
        if (old == null || old instanceof Number && ((Number) old).longValue() == 0) {
            try {
                Object made = new Values().of(ResolvableType.forField(key, stored.getClass()), "id");
                key.set(stored, made);
                Answers.key = Recorder.current() == null ? null : Recipe.keyed(stored.getClass(), key, made);
            } catch (IllegalAccessException | IllegalArgumentException constant) {
                // A record keeps the key that it has.
            }
        }
    }

    private static boolean isKey(Field field) {
        for (Annotation one : field.getAnnotations()) {
            String name = one.annotationType().getSimpleName();
            if (name.equals("Id") || name.equals("EmbeddedId") || name.equals("TableId")) {
                return true;
            }
        }
        return false;
    }
}
