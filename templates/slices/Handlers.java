package mastor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The handler methods of the project. */
final class Handlers {
    private final List<HandlerMethod> methods = new ArrayList<>();
    private final Map<RequestMappingInfo, HandlerMethod> mapped = new LinkedHashMap<>();
    private final String prefix;

    Handlers(ApplicationContext context, String prefix) {
        this.prefix = prefix;
        for (RequestMappingHandlerMapping mapping : context.getBeansOfType(RequestMappingHandlerMapping.class).values()) {
            for (Map.Entry<RequestMappingInfo, HandlerMethod> one : mapping.getHandlerMethods().entrySet()) {
                if (Project.owns(one.getValue().getBeanType())) {
                    methods.add(one.getValue());
                    mapped.put(one.getKey(), one.getValue());
                }
            }
        }
    }

    /** One line for each method, path and handler, with what is told of it; in the order of the paths. */
    private void each(RequestMappingInfo info, HandlerMethod handler, Collection<String> told, Collection<String> lines) {
        Set<Object> verbs = new LinkedHashSet<>(info.getMethodsCondition().getMethods());
        for (Object verb : verbs.isEmpty() ? Collections.<Object>singleton("GET") : verbs) {
            for (String path : paths(info)) {
                String name = verb instanceof RequestMethod ? ((RequestMethod) verb).name() : verb.toString();
                String method = handler.getBeanType().getName() + "#" + handler.getMethod().getName();
                told.forEach(one -> lines.add(name + "\t" + prefix + path + "\t" + method + one));
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

    /** One line for each request that a handler takes. */
    String requests(ApplicationContext context) {
        Requests requests = new Requests(context);
        List<String> lines = new ArrayList<>();
        mapped.forEach((info, handler) -> {
            List<String> told = new ArrayList<>();
            Set<MediaType> consumed = info.getConsumesCondition().getConsumableMediaTypes();
            requests.of(handler, consumed).forEach(one -> told.add("\t" + one));
            each(info, handler, told, lines);
        });
        return String.join("\n", lines) + "\n";
    }
}
