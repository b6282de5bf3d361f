package mastor;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.cache.CacheManager;
import org.springframework.cache.support.NoOpCacheManager;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.ResolvableType;

/** Turns the definitions of the project's beans into those of a slice: lazy, quiet, and with stubs for what reaches out. */
final class Wiring implements BeanFactoryPostProcessor {
    static final String STUB = "mastor.stub";
    private static final String TRANSACTIONS = "org.springframework.transaction.PlatformTransactionManager";
    private static final String TEMPLATE = "org.springframework.transaction.support.TransactionTemplate";
    /** What would run of itself, or on other threads. */
    private static final Pattern RUNNING = Pattern.compile(".*\\.internal(Scheduled|Async|\\w+Listener)AnnotationProcessor");

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory given) {
        DefaultListableBeanFactory factory = (DefaultListableBeanFactory) given;
        for (String name : factory.getBeanDefinitionNames()) {
            BeanDefinition definition = factory.getBeanDefinition(name);
            if (RUNNING.matcher(name).matches()) {
                factory.removeBeanDefinition(name);
            } else if (!name.endsWith(".internalEventListenerProcessor")) {
                definition.setLazyInit(true);
                replace(factory, name, definition);
            }
        }
        for (String name : factory.getBeanNamesForType(CacheManager.class, true, false)) {
            factory.registerBeanDefinition(name, lazy(NoOpCacheManager.class, factory.getBeanDefinition(name)));
        }
        standIns(factory);
    }

    /** Repositories, mappers and clients are made by factories that need what is not there. */
    private static void replace(DefaultListableBeanFactory factory, String name, BeanDefinition definition) {
        if (!(definition instanceof AbstractBeanDefinition) || definition.getFactoryMethodName() != null) {
            return;
        }
        Class<?> type;
        try {
            type = ((AbstractBeanDefinition) definition).resolveBeanClass(factory.getBeanClassLoader());
        } catch (ClassNotFoundException | LinkageError absent) {
            return;
        }
        boolean outside = type != null && Outside.has(type);
        if (type != null && FactoryBean.class.isAssignableFrom(type)) {
            type = product(type, definition);
        }
        boolean made = type != null && type.isInterface() && (outside || Project.owns(type));
        if (made || type != null && Outside.has(type) && Stubs.possible(type)) {
            RootBeanDefinition stub = lazy(type, definition);
            stub.setAttribute(STUB, type);
            factory.registerBeanDefinition(name, stub);
        }
    }

    private static RootBeanDefinition lazy(Class<?> type) {
        RootBeanDefinition made = new RootBeanDefinition(type);
        made.setLazyInit(true);
        return made;
    }

    private static RootBeanDefinition lazy(Class<?> type, BeanDefinition old) {
        RootBeanDefinition made = lazy(type);
        made.setPrimary(old.isPrimary());
        if (old instanceof AbstractBeanDefinition) {
            made.copyQualifiersFrom((AbstractBeanDefinition) old);
        }
        return made;
    }

    /** What a factory bean makes: told by an attribute, an argument, a property or its own generics. */
    private static Class<?> product(Class<?> type, BeanDefinition definition) {
        Object told = definition.getAttribute("factoryBeanObjectType");
        for (String key : Arrays.asList("mapperInterface", "repositoryInterface", "type", "serviceInterface")) {
            told = told == null ? definition.getPropertyValues().get(key) : told;
        }
        if (told == null && definition.getConstructorArgumentValues().getArgumentCount() == 1) {
            told = definition.getConstructorArgumentValues().getArgumentValue(0, null).getValue();
        }
        Class<?> named = told instanceof Class ? (Class<?>) told : told instanceof String ? Project.find((String) told) : null;
        return named != null ? named : ResolvableType.forClass(type).as(FactoryBean.class).getGeneric(0).resolve();
    }

    /** What the framework looks up by itself. */
    private static void standIns(DefaultListableBeanFactory factory) {
        standIn(factory, "transactionManager", TRANSACTIONS);
        standIn(factory, "entityManagerFactory", "javax.persistence.EntityManagerFactory");
        standIn(factory, "entityManagerFactory", "jakarta.persistence.EntityManagerFactory");
        Class<?> template = Project.find(TEMPLATE);
        if (template != null && isFree(factory, "transactionTemplate", template) && factory.containsBean("transactionManager")) {
            RootBeanDefinition definition = lazy(template);
            definition.getPropertyValues().add("transactionManager", new RuntimeBeanReference("transactionManager"));
            factory.registerBeanDefinition("transactionTemplate", definition);
        }
        if (isFree(factory, "cacheManager", CacheManager.class)) {
            factory.registerBeanDefinition("cacheManager", lazy(NoOpCacheManager.class));
        }
        factory.registerBeanDefinition("mastorViews", lazy(Views.class));
        factory.registerBeanDefinition("mastorBodies", lazy(Bodies.class));
        factory.registerSingleton("lifecycleProcessor", new Unstarted());
        factory.registerSingleton("applicationEventMulticaster", new Events(factory));
    }

    private static void standIn(DefaultListableBeanFactory factory, String name, String typeName) {
        Class<?> type = Project.find(typeName);
        if (type != null && isFree(factory, name, type)) {
            RootBeanDefinition stub = lazy(type);
            stub.setAttribute(STUB, type);
            factory.registerBeanDefinition(name, stub);
        }
    }

    private static boolean isFree(DefaultListableBeanFactory factory, String name, Class<?> type) {
        return !factory.containsBean(name) && factory.getBeanNamesForType(type, true, false).length == 0;
    }

    /** Transactions are begun and ended without a trace. */
    static boolean isTransactions(Class<?> type) {
        Class<?> manager = transactions();
        return manager != null && manager.isAssignableFrom(type);
    }

    /** What all managers of transactions are, or null. */
    static Class<?> transactions() {
        return Project.find(TRANSACTIONS);
    }

    /** Nothing that runs of itself is started. */
    private static final class Unstarted implements LifecycleProcessor {
        @Override
        public void onRefresh() {}

        @Override
        public void onClose() {}

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    /** Events of the project reach its listeners, those of the context's start do not. */
    private static final class Events extends SimpleApplicationEventMulticaster {
        Events(DefaultListableBeanFactory factory) {
            super(factory);
        }

        @Override
        public void multicastEvent(ApplicationEvent event, ResolvableType type) {
            if (!(event instanceof ApplicationContextEvent)) {
                super.multicastEvent(event, type);
            }
        }
    }
}
