package mastor;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.stereotype.Component;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.method.HandlerMethod;

/** Finds the beans that stand behind a handler, and how a test wires them: classes of the project, its bean methods, and mocks. */
final class Beans {
    /** What shapes requests and answers without being asked for by name. */
    private static final List<String> SHAPES = Arrays.asList(
            "com.fasterxml.jackson.databind.Module", "com.fasterxml.jackson.databind.ObjectMapper",
            "org.springframework.http.converter.json.Jackson2ObjectMapperBuilder",
            "org.springframework.boot.autoconfigure.jackson.Jackson2ObjectMapperBuilderCustomizer",
            "org.springframework.http.converter.HttpMessageConverter", "org.springframework.web.servlet.config.annotation.WebMvcConfigurer",
            "org.springframework.context.MessageSource", "org.springframework.core.convert.converter.Converter",
            "org.springframework.format.Formatter", "javax.validation.Validator", "jakarta.validation.Validator");

    final Set<Class<?>> classes = new LinkedHashSet<>();
    /** Bean methods by bean: type, parameters, and the call that makes it. */
    final Map<String, String[]> methods = new LinkedHashMap<>();
    final List<ResolvableType> mocks = new ArrayList<>();
    /** Classes of settings that are bound, not found. */
    final Set<Class<?>> properties = new LinkedHashSet<>();
    final Set<String> missing = new LinkedHashSet<>();

    private final Context context;
    private final Factory factory;
    private final Recipe recipe;
    private final Set<String> seen = new LinkedHashSet<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final Set<String> whole = new LinkedHashSet<>();

    Beans(Context context, Recipe recipe) {
        this.context = context;
        this.factory = (Factory) context.getBeanFactory();
        this.recipe = recipe;
    }

    /** Finds all that a handler needs, with what shapes its answers. */
    void behind(HandlerMethod handler) {
        open.addAll(Arrays.asList(context.getBeanNamesForType(handler.getBeanType(), true, false)));
        for (String name : context.getBeanDefinitionNames()) {
            Class<?> type = typeOf(context, name);
            if (type != null && isOwn(name, type) && shapes(type)) {
                open.add(name);
            }
        }
        while (!open.isEmpty()) {
            String name = open.pop();
            if (seen.add(name)) {
                add(name);
            }
        }
        replaceOthers();
    }

    private static boolean shapes(Class<?> type) {
        Class<?> own = ClassUtils.getUserClass(type);
        if (AnnotationUtils.findAnnotation(own, ControllerAdvice.class) != null || has(own, "JsonComponent")) {
            return true;
        }
        return SHAPES.stream().map(Project::find).anyMatch(shape -> shape != null && shape.isAssignableFrom(own));
    }

    private static boolean has(Class<?> type, String annotation) {
        return Arrays.stream(type.getAnnotations()).anyMatch(one -> one.annotationType().getSimpleName().equals(annotation));
    }

    /** Whether the project defines it: by a class of its own, or by a method of one. */
    private boolean isOwn(String name, Class<?> type) {
        if (Project.owns(ClassUtils.getUserClass(type))) {
            return true;
        }
        Method made = maker(name);
        return made != null && Project.owns(made.getDeclaringClass());
    }

    private Method maker(String name) {
        if (!factory.containsBeanDefinition(name)) {
            return null;
        }
        BeanDefinition definition = factory.getMergedBeanDefinition(name);
        boolean method = definition.getFactoryMethodName() != null && definition instanceof RootBeanDefinition;
        return method ? ((RootBeanDefinition) definition).getResolvedFactoryMethod() : null;
    }

    private void add(String name) {
        ResolvableType stub = factory.stubOf(name);
        if (stub != null) {
            mocks.add(stub);
            return;
        }
        Class<?> type = factory.containsBean(name) ? typeOf(factory, name) : null;
        if (type == null || !isOwn(name, type)) {
            return;
        }
        Method maker = maker(name);
        Class<?> own = ClassUtils.getUserClass(type);
        if (maker != null && Project.owns(maker.getDeclaringClass())) {
            byMethod(name, maker);
        } else if (has(own, "ConfigurationProperties") && AnnotationUtils.findAnnotation(own, Component.class) == null) {
            properties.add(accessible(own));
        } else if (has(own, "Configuration") || has(own, "SpringBootApplication")) {
            configuration(own, name);
        } else {
            classes.add(accessible(own));
        }
        if (has(own, "ConfigurationProperties")) {
            properties.add(own);
        }
        factory.standIns(name).forEach(mocks::add);
        missing.addAll(factory.missing(name));
        open.addAll(Arrays.asList(factory.getDependenciesForBean(name)));
    }

    /** A configuration that shapes answers itself, or that is wired, is taken as a whole. */
    private void configuration(Class<?> own, String name) {
        if (!has(own, "SpringBootApplication") && (shapes(own) || needsContext(own)) && whole.add(name)) {
            classes.add(accessible(own));
        }
    }

    /** What else the methods of whole configurations would make is replaced. */
    private void replaceOthers() {
        for (String other : context.getBeanDefinitionNames()) {
            Method maker = seen.contains(other) ? null : maker(other);
            Class<?> type = maker == null ? null : maker.getReturnType();
            if (type != null && whole.contains(String.valueOf(factory.getMergedBeanDefinition(other).getFactoryBeanName()))
                    && Stubs.possible(type) && recipe.accessible(type)) {
                mocks.add(ResolvableType.forClass(type));
            }
        }
    }

    /** Whether a configuration has to be wired itself before its methods can be called. */
    private static boolean needsContext(Class<?> own) {
        for (Field field : own.getDeclaredFields()) {
            for (Annotation one : field.getAnnotations()) {
                if (Arrays.asList("Autowired", "Value", "Resource", "Inject").contains(one.annotationType().getSimpleName())) {
                    return true;
                }
            }
        }
        Constructor<?>[] constructors = own.getDeclaredConstructors();
        return constructors.length != 1 || constructors[0].getParameterCount() > 0;
    }

    private void byMethod(String name, Method maker) {
        Class<?> own = ClassUtils.getUserClass(maker.getDeclaringClass());
        boolean isStatic = Modifier.isStatic(maker.getModifiers());
        // The application's own class would bring all of the application.
        boolean takes = !has(own, "SpringBootApplication") && !has(own, "ComponentScan") && !has(own, "EnableAutoConfiguration");
        if (!isStatic && takes && (shapes(own) || needsContext(own))) {
            configuration(own, factory.getMergedBeanDefinition(name).getFactoryBeanName());
            return;
        }
        if (!recipe.callable(maker) || !isStatic && !isMade(own)) {
            throw new Recipe.Unwritable("a bean of " + own.getSimpleName() + "." + maker.getName() + ", which is not public,");
        }
        List<String> parameters = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < maker.getParameterCount(); i++) {
            parameters.add(Recipe.type(ResolvableType.forMethodParameter(maker, i)) + " argument" + i);
            arguments.add("argument" + i);
        }
        String holder = isStatic ? Recipe.type(own) : "new " + Recipe.type(own) + "()";
        methods.put(name, new String[] {
            Recipe.type(ResolvableType.forMethodReturnType(maker)), String.join(", ", parameters),
            holder + "." + maker.getName() + "(" + String.join(", ", arguments) + ")",
        });
    }

    private boolean isMade(Class<?> own) {
        return Arrays.stream(own.getDeclaredConstructors()).anyMatch(one -> one.getParameterCount() == 0 && recipe.callable(one));
    }

    private Class<?> accessible(Class<?> type) {
        if (!recipe.accessible(type)) {
            throw new Recipe.Unwritable("the class " + type.getName() + ", which is not public,");
        }
        return type;
    }

    /** The type of a bean, which Spring tells since 5.2 without making it. */
    private static Class<?> typeOf(BeanFactory factory, String name) {
        Method known = ReflectionUtils.findMethod(factory.getClass(), "getType", String.class, boolean.class);
        Object type = known == null ? factory.getType(name) : ReflectionUtils.invokeMethod(known, factory, name, false);
        return (Class<?>) type;
    }
}
