package mastor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The handler methods of the project. */
final class Handlers {
    private final Set<String> lines = new TreeSet<>();
    private final List<HandlerMethod> methods = new ArrayList<>();

    Handlers(ApplicationContext context, String prefix) {
        for (RequestMappingHandlerMapping mapping : context.getBeansOfType(RequestMappingHandlerMapping.class).values()) {
            for (Map.Entry<RequestMappingInfo, HandlerMethod> one : mapping.getHandlerMethods().entrySet()) {
                if (Project.owns(one.getValue().getBeanType())) {
                    methods.add(one.getValue());
                    add(one.getKey(), one.getValue(), prefix);
                }
            }
        }
    }

    private void add(RequestMappingInfo info, HandlerMethod handler, String prefix) {
        Set<Object> verbs = new LinkedHashSet<>(info.getMethodsCondition().getMethods());
        for (Object verb : verbs.isEmpty() ? Collections.<Object>singleton("*") : verbs) {
            for (String path : paths(info)) {
                String name = verb instanceof RequestMethod ? ((RequestMethod) verb).name() : verb.toString();
                String method = handler.getBeanType().getName() + "#" + handler.getMethod().getName();
                lines.add(name + " " + prefix + path + " " + method);
            }
        }
    }

    /** Since 5.3, Spring keeps patterns of two kinds; before, of one. */
    @SuppressWarnings("unchecked")
    private static Collection<String> paths(RequestMappingInfo info) {
        if (ReflectionUtils.findMethod(RequestMappingInfo.class, "getPatternValues") != null) {
            return (Collection<String>) call(info, "getPatternValues");
        }
        return (Collection<String>) call(call(info, "getPatternsCondition"), "getPatterns");
    }

    private static Object call(Object object, String name) {
        Method method = ReflectionUtils.findMethod(object.getClass(), name);
        return ReflectionUtils.invokeMethod(method, object);
    }

    List<HandlerMethod> methods() {
        return methods;
    }

    /** One line for each method, path and handler. */
    String text() {
        return String.join("\n", lines) + "\n";
    }
}
