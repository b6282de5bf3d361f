package mastor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.BeansException;
import org.springframework.beans.TypeConverter;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;

/** Makes the project's beans, and stubs of what cannot be made, at the innermost point. */
final class Factory extends DefaultListableBeanFactory {
    /** A setting without a value of its own. */
    private static final Pattern MISSING = Pattern.compile("\\$\\{([^}:]*)\\}");
    private static int making;
    private final Map<String, ResolvableType> stubs = new HashMap<>();
    private final Map<String, List<ResolvableType>> standIns = new HashMap<>();
    private final Map<String, Set<String>> missing = new HashMap<>();
    private final Deque<String> under = new ArrayDeque<>();

    Factory(BeanFactory parent) {
        super(parent);
    }

    /** Whether a bean is being made, so that calls of stubs belong to no request. */
    static boolean isMaking() {
        return making > 0;
    }

    /** The type of the stub that a bean is, or null. */
    ResolvableType stubOf(String bean) {
        return stubs.get(bean);
    }

    /** The stubs that a bean was given where no other bean is. */
    List<ResolvableType> standIns(String bean) {
        return standIns.getOrDefault(bean, Collections.emptyList());
    }

    /** The settings that a bean asked for and that nobody says. */
    Set<String> missing(String bean) {
        return missing.getOrDefault(bean, Collections.emptySet());
    }

    private Object stub(String bean, ResolvableType type, Throwable why) {
        Object made = Stubs.of(type, why);
        stubs.put(bean, type);
        return made;
    }

    private Object standIn(String bean, ResolvableType type, Throwable why) {
        Object made = Stubs.of(type, why);
        standIns.computeIfAbsent(bean, key -> new ArrayList<>()).add(type);
        return made;
    }

    /** Without these nothing that a handler answers means anything. */
    private static final List<String> SERVING =
            Arrays.asList("requestMappingHandlerMapping", "requestMappingHandlerAdapter", "handlerExceptionResolver");

    @Override
    protected Object createBean(String name, RootBeanDefinition definition, Object[] arguments) {
        Object marked = definition.getAttribute(Wiring.STUB);
        if (marked != null) {
            return stub(name, ResolvableType.forClass((Class<?>) marked), null);
        }
        boolean method = definition.getFactoryMethodName() != null;
        Class<?> type = method || definition.hasBeanClass() ? predictBeanType(name, definition) : null;
        if (method && type != null && Outside.has(type) && Stubs.possible(type)) {
            return stub(name, ResolvableType.forClass(type), null);
        }
        making++;
        under.push(name);
        try {
            Object made = super.createBean(name, definition, arguments);
            boolean none = made == null || made.getClass().getSimpleName().equals("NullBean");
            boolean own = method && definition.getResolvedFactoryMethod() != null
                    && Project.owns(definition.getResolvedFactoryMethod().getDeclaringClass());
            return none && own && Stubs.possible(type) ? stub(name, ResolvableType.forClass(type), null) : made;
        } catch (BeanCurrentlyInCreationException circle) {
            throw circle;
        } catch (BeansException | LinkageError failure) {
            if (type == null || !Stubs.possible(type) || SERVING.contains(name)) {
                throw failure;
            }
            System.out.println("mastor: bean " + name + " is a stub: " + reason(failure));
            boolean framework =
                    type.getName().startsWith("org.springframework.") && !Project.owns(type) && !Outside.has(type);
            return framework ? Stubs.mute(type) : stub(name, ResolvableType.forClass(type), failure);
        } finally {
            under.pop();
            making--;
        }
    }

    /** An own class whose initialization fails is kept as far as it came. */
    @Override
    protected Object initializeBean(String name, Object bean, RootBeanDefinition definition) {
        try {
            return super.initializeBean(name, bean, definition);
        } catch (BeansException | LinkageError failure) {
            if (!Project.owns(bean.getClass())) {
                throw failure;
            }
            System.out.println("mastor: bean " + name + " is made without its initialization: " + reason(failure));
            return applyBeanPostProcessorsAfterInitialization(bean, name);
        }
    }

    @Override
    public Object doResolveDependency(
            DependencyDescriptor wanted, String name, Set<String> names, TypeConverter converter) {
        try {
            return super.doResolveDependency(wanted, name, names, converter);
        } catch (BeanCurrentlyInCreationException circle) {
            Class<?> type = wanted.getDependencyType();
            if (!Stubs.possible(type)) {
                throw circle;
            }
            return Stubs.later(type, () -> super.doResolveDependency(wanted, name, null, null));
        } catch (BeansException | IllegalArgumentException | LinkageError failure) {
            return standIn(wanted, name, failure);
        }
    }

    private Object standIn(DependencyDescriptor wanted, String bean, Throwable failure) {
        ResolvableType type = wanted.getResolvableType();
        Class<?> raw = type.resolve(wanted.getDependencyType());
        Object key = getAutowireCandidateResolver().getSuggestedValue(wanted);
        if (key != null || !Stubs.possible(raw) && !Project.owns(raw)) {
            return new Values().of(type, key == null ? wanted.getDependencyName() : resolveEmbeddedValue(key.toString()));
        }
        if (raw.isArray() || Collection.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw)) {
            return Values.empty(raw);
        }
        return standIn(String.valueOf(bean), type.resolve() == null ? ResolvableType.forClass(raw) : type, failure);
    }

    /** Asked by name, as by a resource of the project: what is not there is a stub. */
    @Override
    public <T> T getBean(String name, Class<T> type) {
        try {
            return super.getBean(name, type);
        } catch (BeanCurrentlyInCreationException circle) {
            throw circle;
        } catch (BeansException failure) {
            if (type == null || !Stubs.possible(type) || !Project.owns(type) && !Outside.has(type)) {
                throw failure;
            }
            return type.cast(standIn(String.valueOf(under.peek()), ResolvableType.forClass(type), failure));
        }
    }

    /** A placeholder without a value stands for its own key. */
    @Override
    public String resolveEmbeddedValue(String text) {
        String resolved = text;
        try {
            resolved = super.resolveEmbeddedValue(text);
        } catch (IllegalArgumentException unknown) {
            // What is left of the text is mended below.
        }
        Matcher left = MISSING.matcher(String.valueOf(resolved));
        while (left.find()) {
            missing.computeIfAbsent(String.valueOf(under.peek()), key -> new LinkedHashSet<>()).add(left.group(1));
        }
        return resolved == null ? null : resolved.replaceAll("\\$\\{([^}:]*):?([^}]*)\\}", "$1");
    }

    /** The names of the classes that failed, without messages, since these may hold values. */
    static String reason(Throwable failure) {
        Throwable cause = root(failure);
        String where =
                failure instanceof BeanCreationException ? " in " + ((BeanCreationException) failure).getBeanName() : "";
        boolean types =
                cause instanceof LinkageError || cause instanceof ClassNotFoundException || cause instanceof BeansException;
        return cause.getClass().getName() + where + (types ? ": " + String.valueOf(cause.getMessage()).split("[\n;]")[0] : "");
    }

    static Throwable root(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause;
    }
}
