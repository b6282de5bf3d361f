package mastor;

import java.io.File;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** What the project's own beans and classes keep in memory, as it was when all was started: each slice begins with it. */
final class State {
    private static final int MOST_CLASSES = 5000;
    private static final int MOST_OBJECTS = 20000;
    /** What brings each object back to what it held. */
    private final List<Runnable> restores = new ArrayList<>();
    private final Map<Object, Boolean> seen = new IdentityHashMap<>();
    private final Deque<Object> open = new ArrayDeque<>();

    private State() {}

    /** What beans and static fields hold now. */
    static State now(ConfigurableListableBeanFactory beans) {
        State state = new State();
        for (String name : beans.getSingletonNames()) {
            Object bean = beans.getSingleton(name);
            try {
                state.found(bean instanceof Advised ? ((Advised) bean).getTargetSource().getTarget() : bean);
            } catch (Exception lazy) {
                // Its target is not there yet.
            }
        }
        for (Class<?> type : classes()) {
            state.fields(type, null);
        }
        while (!state.open.isEmpty() && state.seen.size() < MOST_OBJECTS) {
            state.save(state.open.poll());
        }
        return state;
    }

    /** Brings all of it back. */
    void restore() {
        for (Runnable one : restores) {
            try {
                one.run();
            } catch (RuntimeException closed) {
                // It takes nothing: what it shows is brought back where it is kept.
            }
        }
    }

    /** The project's classes that lie in folders, those with static state made ready. */
    private static List<Class<?>> classes() {
        List<Class<?>> found = new ArrayList<>();
        for (String entry : Project.classPath()) {
            File folder = new File(entry);
            if (folder.isDirectory()) {
                classes(folder, "", found);
            }
        }
        return found;
    }

    private static void classes(File folder, String above, List<Class<?>> found) {
        File[] files = folder.listFiles();
        for (File file : files == null ? new File[0] : files) {
            String name = file.getName();
            if (file.isDirectory()) {
                classes(file, above + name + ".", found);
            } else if (name.endsWith(".class") && found.size() < MOST_CLASSES) {
                Class<?> type = Project.find(above + name.substring(0, name.length() - 6));
                if (type != null && Project.owns(type) && keeps(type)) {
                    found.add(type);
                }
            }
        }
    }

    /** Whether a class has static fields that may change; then it is made ready. */
    private static boolean keeps(Class<?> type) {
        try {
            for (Field field : type.getDeclaredFields()) {
                boolean holds = !Modifier.isFinal(field.getModifiers()) || isContainer(field.getType());
                if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && holds) {
                    Class.forName(type.getName(), true, type.getClassLoader());
                    return true;
                }
            }
        } catch (ClassNotFoundException | LinkageError | RuntimeException broken) {
            return false;
        }
        return false;
    }

    private static boolean isContainer(Class<?> type) {
        return type.isArray() || Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
                || type.getName().startsWith("java.util.concurrent.atomic.") || Project.owns(type) && !type.isEnum();
    }

    private void found(Object value) {
        if (value != null && seen.size() < MOST_OBJECTS && isState(value) && seen.put(value, true) == null) {
            open.add(value);
        }
    }

    /** Objects of the project, and containers of the JDK: what libraries keep is their own matter. */
    private static boolean isState(Object value) {
        Class<?> type = value.getClass();
        String name = type.getName();
        boolean isOwn = Project.owns(ClassUtils.getUserClass(type)) && !(value instanceof Enum);
        return isOwn || type.isArray() || name.startsWith("java.util.") && isContainer(type);
    }

    private void save(Object value) {
        if (value.getClass().isArray()) {
            array(value);
        } else if (value instanceof Map) {
            map((Map<?, ?>) value);
        } else if (value instanceof Collection) {
            collection((Collection<?>) value);
        } else if (value instanceof AtomicInteger) {
            int held = ((AtomicInteger) value).get();
            restores.add(() -> ((AtomicInteger) value).set(held));
        } else if (value instanceof AtomicLong) {
            long held = ((AtomicLong) value).get();
            restores.add(() -> ((AtomicLong) value).set(held));
        } else if (value instanceof AtomicBoolean) {
            boolean held = ((AtomicBoolean) value).get();
            restores.add(() -> ((AtomicBoolean) value).set(held));
        } else if (value instanceof AtomicReference) {
            reference((AtomicReference<?>) value);
        } else if (!value.getClass().getName().startsWith("java.")) {
            for (Class<?> at = value.getClass(); at != null && at != Object.class; at = at.getSuperclass()) {
                if (Project.owns(at) && !at.getName().contains("$$")) {
                    fields(at, value);
                }
            }
        }
    }

    private void array(Object array) {
        int length = Array.getLength(array);
        Object held = Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, held, 0, length);
        restores.add(() -> System.arraycopy(held, 0, array, 0, length));
        if (array instanceof Object[]) {
            Arrays.asList((Object[]) array).forEach(this::found);
        }
    }

    @SuppressWarnings("unchecked")
    private void collection(Collection<?> all) {
        List<Object> held = new ArrayList<>(all);
        restores.add(() -> {
            if (!isSame(all, held)) {
                all.clear();
                ((Collection<Object>) all).addAll(held);
            }
        });
        held.forEach(this::found);
    }

    @SuppressWarnings("unchecked")
    private void map(Map<?, ?> all) {
        Map<Object, Object> held = new LinkedHashMap<>(all);
        restores.add(() -> {
            if (!isSame(all.keySet(), held.keySet()) || !isSame(all.values(), held.values())) {
                all.clear();
                ((Map<Object, Object>) all).putAll(held);
            }
        });
        held.values().forEach(this::found);
    }

    @SuppressWarnings("unchecked")
    private void reference(AtomicReference<?> value) {
        Object held = value.get();
        restores.add(() -> ((AtomicReference<Object>) value).set(held));
        found(held);
    }

    /** Whether these are the same objects in the same order. */
    private static boolean isSame(Collection<?> now, Collection<?> held) {
        Object[] some = now.toArray();
        Object[] others = held.toArray();
        boolean same = some.length == others.length;
        for (int i = 0; same && i < some.length; i++) {
            same = some[i] == others[i];
        }
        return same;
    }

    /** The fields of an object, or the static ones where there is none. */
    private void fields(Class<?> type, Object of) {
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) != (of == null) || field.isSynthetic()) {
                continue;
            }
            try {
                field.setAccessible(true);
                Object held = field.get(of);
                if (!Modifier.isFinal(field.getModifiers())) {
                    restores.add(() -> put(field, of, held));
                }
                found(held);
            } catch (ReflectiveOperationException | RuntimeException | LinkageError closed) {
                // It stays as it is.
            }
        }
    }

    private static void put(Field field, Object of, Object held) {
        try {
            field.set(of, held);
        } catch (ReflectiveOperationException closed) {
            throw new IllegalStateException(closed);
        }
    }
}
