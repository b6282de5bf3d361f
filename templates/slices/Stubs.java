package mastor;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.cglib.proxy.Callback;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.MethodInterceptor;
import org.springframework.cglib.proxy.MethodProxy;
import org.springframework.core.ResolvableType;
import org.springframework.objenesis.ObjenesisStd;
import org.springframework.util.ReflectionUtils;

/** Stand-ins for what is not there, and the record of what is asked of them. */
final class Stubs {
    private static final Map<String, Object> MADE = new HashMap<>();
    private static final Map<String, Class<?>> CLASSES = new HashMap<>();
    private static final List<String> CALLS = new ArrayList<>();
    private static final Map<Object, Map<String, Object>> SET = new IdentityHashMap<>();
    private static final Object OWN = new Object();

    /** Calls that open and close what is not there tell nothing. */
    private static final Pattern LIFE =
            Pattern.compile(".*\\.(close|isOpen|createEntityManager|getEntityManagerFactory|openSession)/\\d");

    /** What goes on to one item after another: there is one. */
    private static final Pattern STEP = Pattern.compile("next|hasNext\\w*|hasMore\\w*|isTruncated");
    private static final int MOST = 100000;
    private static int total;

    private Stubs() {}

    /** Forgets the calls and values of the request before. */
    static synchronized void begin() {
        CALLS.clear();
        Asked.begin();
        total = 0;
        SET.clear();
    }

    /** The calls of this request, in order. */
    static synchronized String calls() {
        return String.join("; ", CALLS.size() > 50 ? CALLS.subList(0, 50) : CALLS);
    }

    static boolean possible(Class<?> type) {
        return !type.isPrimitive() && !type.isArray() && !type.isEnum() && !Modifier.isFinal(type.getModifiers())
                && type != Object.class;
    }

    /** The one stand-in for a type of a dependency; `why` is what failed before, or null. */
    static synchronized Object of(ResolvableType type, Throwable why) {
        Class<?> raw = type.resolve(Object.class);
        if (!possible(raw)) {
            throw new BeanCreationException(raw.getName(), "no stub of this type can be made", why);
        }
        if (Wiring.isTransactions(raw)) {
            // Managers of classes have methods that are final, which no stub takes over.
            return mute(raw.isInterface() ? raw : Wiring.transactions());
        }
        Object known = MADE.get(type.toString());
        if (known == null) {
            System.out.println("mastor: stub " + type);
            known = make(type, Mode.CALLED);
            tables(type);
            MADE.put(type.toString(), known);
        }
        return known;
    }

    /** MyBatis-Plus keeps a register of the tables of its mappers, without which even queries cannot be built. */
    private static void tables(ResolvableType mapper) {
        Class<?> base = Project.find("com.baomidou.mybatisplus.core.mapper.BaseMapper");
        Class<?> entity = base == null ? null : mapper.as(base).getGeneric(0).resolve();
        if (entity == null) {
            return;
        }
        try {
            Class<?> assistant = Class.forName("org.apache.ibatis.builder.MapperBuilderAssistant");
            Object configuration =
                    Class.forName("com.baomidou.mybatisplus.core.MybatisConfiguration").getConstructor().newInstance();
            Object made = assistant.getConstructors()[0].newInstance(configuration, "");
            assistant.getMethod("setCurrentNamespace", String.class).invoke(made, mapper.resolve().getName());
            Class.forName("com.baomidou.mybatisplus.core.metadata.TableInfoHelper")
                    .getMethod("initTableInfo", assistant, Class.class).invoke(null, made, entity);
        } catch (ReflectiveOperationException | LinkageError other) {
            System.out.println("mastor: this MyBatis-Plus is not known: " + other.getMessage());
        }
    }

    /** A stand-in that does nothing and gives nothing, for a part of the framework. */
    static Object mute(Class<?> type) {
        return make(ResolvableType.forClass(type), Mode.MUTE);
    }

    /** An object of an interface or abstract class: data of the project is not recorded, parts of libraries are. */
    static Object value(ResolvableType type) {
        return make(type, Project.owns(type.resolve(Object.class)) ? Mode.DATA : Mode.CALLED);
    }

    /** A stand-in that passes its calls to what is made at the first of them. */
    static Object later(Class<?> type, Supplier<Object> target) {
        Object[] found = new Object[1];
        return instance(type, (MethodInterceptor) (self, method, arguments, above) -> {
            found[0] = found[0] == null ? target.get() : found[0];
            try {
                method.setAccessible(true);
                return method.invoke(found[0], arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        });
    }

    /** An object by its constructor, whose methods without arguments answer what a request gives for this type of it. */
    static Object over(Class<?> type, Class<?> named, Class<?>[] parameters, Object[] values) {
        Enhancer enhancer = new Enhancer();
        enhancer.setClassLoader(Stubs.class.getClassLoader());
        enhancer.setSuperclass(type);
        enhancer.setUseCache(false);
        enhancer.setUseFactory(false);
        enhancer.setCallback((MethodInterceptor) (self, method, arguments, above) -> {
            String name = method.getName();
            if (name.startsWith("get")) {
                Caller.ask();
            }
            if (arguments.length > 0 || !Given.has(named, name)) {
                return above.invokeSuper(self, arguments);
            }
            if (Recorder.current() != null) {
                Recorder.current().refuse(new Recipe.Unwritable("what the caller's " + name + " gives"));
            }
            record(named.getSimpleName() + "." + name + "/0");
            return Given.answer(named, name, ResolvableType.forMethodReturnType(method), () -> own(above, self));
        });
        return enhancer.create(parameters, values);
    }

    private static Object own(MethodProxy above, Object self) {
        try {
            return above.invokeSuper(self, new Object[0]);
        } catch (Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Gives a property of a stand-in a value for this request. */
    static void set(Object stub, String method, Object value) {
        SET.computeIfAbsent(stub, key -> new HashMap<>()).put(method, value);
    }

    static boolean is(Object object) {
        return object != null && object.getClass().getName().contains("$$EnhancerBy") && CLASSES.containsValue(object.getClass());
    }

    /** Whether it stands for a part of the service, and is no value that another one gave. */
    static synchronized boolean isPart(Object object) {
        return MADE.values().stream().anyMatch(made -> made == object);
    }

    /** The class or interface that a stub stands for. */
    static Class<?> named(Object stub) {
        Class<?> above = stub.getClass().getSuperclass();
        return above == Object.class ? stub.getClass().getInterfaces()[0] : above;
    }

    private static synchronized Object make(ResolvableType type, Mode mode) {
        String key = mode + " " + type;
        Class<?> made = CLASSES.get(key);
        if (made == null) {
            made = define(type.resolve(Object.class), new Stub(type, mode));
            CLASSES.put(key, made);
        }
        return new ObjenesisStd().newInstance(made);
    }

    private static Object instance(Class<?> type, Callback callback) {
        return new ObjenesisStd().newInstance(define(type, callback));
    }

    private static Class<?> define(Class<?> type, Callback callback) {
        Enhancer enhancer = new Enhancer();
        enhancer.setClassLoader(Stubs.class.getClassLoader());
        if (type.isInterface()) {
            enhancer.setInterfaces(new Class<?>[] {type});
        } else {
            enhancer.setSuperclass(type);
        }
        enhancer.setUseCache(false);
        enhancer.setUseFactory(false);
        enhancer.setCallbackType(MethodInterceptor.class);
        try {
            Class<?> made = enhancer.createClass();
            Enhancer.registerStaticCallbacks(made, new Callback[] {callback});
            return made;
        } catch (RuntimeException | LinkageError refused) {
            throw new BeanCreationException(type.getName(), "no stub of this type can be made", refused);
        }
    }

    /** Notes a call of a request; gives how often it was noted before. */
    private static synchronized int record(String call) {
        if (total++ > MOST) {
            Given.problem("calls of stubs never end");
            throw new IllegalStateException("mastor: calls of stubs never end");
        }
        int before = Collections.frequency(CALLS, call);
        if (!Factory.isMaking() && CALLS.size() < 1000 && !LIFE.matcher(call).matches()) {
            CALLS.add(call);
        }
        return before;
    }

    private enum Mode { CALLED, DATA, MUTE }

    /** What a stand-in does when it is called. */
    private static final class Stub implements MethodInterceptor {
        private final ResolvableType type;
        private final Class<?> raw;
        private final Mode mode;

        Stub(ResolvableType type, Mode mode) {
            this.type = type;
            this.raw = type.resolve(Object.class);
            this.mode = mode;
        }

        @Override
        public Object intercept(Object self, Method method, Object[] arguments, MethodProxy above) throws Throwable {
            String name = method.getName();
            if (ReflectionUtils.isHashCodeMethod(method)) {
                return System.identityHashCode(self);
            } else if (ReflectionUtils.isEqualsMethod(method)) {
                return self == arguments[0];
            } else if (ReflectionUtils.isToStringMethod(method)) {
                return "stub of " + raw.getSimpleName();
            } else if (name.equals("finalize")) {
                return null;
            } else if (mode == Mode.MUTE) {
                boolean same = method.getReturnType() == Object.class && arguments.length > 0;
                return same ? arguments[0] : Values.none(method.getReturnType());
            }
            Recorder recorder = Factory.isMaking() || LIFE.matcher("." + name + "/" + arguments.length).find() ? null : Recorder.current();
            if (recorder == null) {
                return answer(self, method, arguments, null);
            }
            Object answer;
            try {
                Answers.forget();
                answer = answer(self, method, arguments, recorder);
            } catch (Throwable thrown) {
                recorder.threw(self, type, method, arguments, thrown);
                throw thrown;
            }
            if (answer != OWN) {
                recorder.answered(self, type, method, arguments, answer, Answers.key());
                return answer;
            }
            recorder.real(self, type, method, arguments);
            return own(self, method, arguments);
        }

        /** What it answers; the project's own code in an interface is left to be run where somebody records. */
        private Object answer(Object self, Method method, Object[] arguments, Recorder recorder) throws Throwable {
            String name = method.getName();
            Map<String, Object> set = SET.get(self);
            if (set != null && set.containsKey(name)) {
                return set.get(name);
            }
            if (mode == Mode.CALLED) {
                int before = record(raw.getSimpleName() + "." + name + "/" + arguments.length);
                if (!Given.has(raw, name) && STEP.matcher(name).matches() && method.getReturnType() == boolean.class) {
                    return !Factory.isMaking() && before % 2 == 0;
                } else if (!Given.has(raw, name) && method.isDefault() && Project.owns(method.getDeclaringClass())) {
                    return recorder == null ? own(self, method, arguments) : OWN;
                }
            }
            if (mode == Mode.CALLED && !Factory.isMaking()) {
                Events.note(raw, method, arguments);
            }
            ResolvableType result = Answers.type(type, method, arguments);
            if (mode == Mode.DATA || Factory.isMaking()) {
                return Answers.plain(result, mode == Mode.CALLED ? self : null, method, arguments);
            }
            Object given = Given.answer(raw, name, result, () -> Answers.plain(result, self, method, arguments));
            boolean noted = mode == Mode.CALLED && !LIFE.matcher("." + name + "/" + arguments.length).find();
            return noted ? Asked.note(raw, method, result, given) : given;
        }

        /** The project's own code in a method of an interface is real. */
        private static Object own(Object self, Method method, Object[] arguments) throws Throwable {
            Class<?> type = method.getDeclaringClass();
            MethodHandles.Lookup lookup;
            try {
                lookup = (MethodHandles.Lookup) MethodHandles.class
                        .getMethod("privateLookupIn", Class.class, MethodHandles.Lookup.class)
                        .invoke(null, type, MethodHandles.lookup());
            } catch (NoSuchMethodException java8) {
                java.lang.reflect.Constructor<MethodHandles.Lookup> open =
                        MethodHandles.Lookup.class.getDeclaredConstructor(Class.class);
                open.setAccessible(true);
                lookup = open.newInstance(type);
            }
            return lookup.unreflectSpecial(method, type).bindTo(self).invokeWithArguments(arguments);
        }
    }
}
