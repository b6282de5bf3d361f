package mastor;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;

/** A context whose beans are made when they are needed. */
final class Context extends AnnotationConfigWebApplicationContext {
    @Override
    protected DefaultListableBeanFactory createBeanFactory() {
        return new Factory(getInternalParentBeanFactory());
    }
}
