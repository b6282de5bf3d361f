package mastor;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
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
    private static int making;

    Factory(BeanFactory parent) {
        super(parent);
    }

    /** Whether a bean is being made, so that calls of stubs belong to no request. */
    static boolean isMaking() {
        return making > 0;
    }

    @Override
    protected Object createBean(String name, RootBeanDefinition definition, Object[] arguments) {
        Object marked = definition.getAttribute(Wiring.STUB);
        if (marked != null) {
            return Stubs.of(ResolvableType.forClass((Class<?>) marked), null);
        }
        boolean method = definition.getFactoryMethodName() != null;
        Class<?> type = method || definition.hasBeanClass() ? predictBeanType(name, definition) : null;
        if (method && type != null && Outside.has(type) && Stubs.possible(type)) {
            return Stubs.of(ResolvableType.forClass(type), null);
        }
        making++;
        try {
            Object made = super.createBean(name, definition, arguments);
            boolean none = made == null || made.getClass().getSimpleName().equals("NullBean");
            boolean own = method && definition.getResolvedFactoryMethod() != null
                    && Project.owns(definition.getResolvedFactoryMethod().getDeclaringClass());
            return none && own && Stubs.possible(type) ? Stubs.of(ResolvableType.forClass(type), null) : made;
        } catch (BeanCurrentlyInCreationException circle) {
            throw circle;
        } catch (BeansException | LinkageError failure) {
            if (type == null || !Stubs.possible(type)) {
                throw failure;
            }
            System.out.println("mastor: bean " + name + " is a stub: " + reason(failure));
            boolean framework =
                    type.getName().startsWith("org.springframework.") && !Project.owns(type) && !Outside.has(type);
            return framework ? Stubs.mute(type) : Stubs.of(ResolvableType.forClass(type), failure);
        } finally {
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
            return standIn(wanted, failure);
        }
    }

    private Object standIn(DependencyDescriptor wanted, Throwable failure) {
        ResolvableType type = wanted.getResolvableType();
        Class<?> raw = type.resolve(wanted.getDependencyType());
        Object key = getAutowireCandidateResolver().getSuggestedValue(wanted);
        if (key != null || !Stubs.possible(raw) && !Project.owns(raw)) {
            return new Values().of(type, key == null ? wanted.getDependencyName() : resolveEmbeddedValue(key.toString()));
        }
        if (raw.isArray() || Collection.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw)) {
            return Values.empty(raw);
        }
        return Stubs.of(type.resolve() == null ? ResolvableType.forClass(raw) : type, failure);
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
            return type.cast(Stubs.of(ResolvableType.forClass(type), failure));
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
