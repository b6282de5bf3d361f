package mastor;

import java.lang.reflect.Proxy;
import java.util.Locale;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.ViewResolver;

/** Pages are not rendered, but what leads to them is answered; a proxy avoids naming the servlet API. */
final class Views implements ViewResolver, Ordered {
    private static String rendered;

    static void begin() {
        rendered = null;
    }

    /** The view that the last request would have rendered, or null. */
    static String rendered() {
        return rendered;
    }

    @Override
    public View resolveViewName(String name, Locale locale) {
        if (name.startsWith("redirect:") || name.startsWith("forward:")) {
            return null;
        }
        ClassLoader loader = Views.class.getClassLoader();
        return (View) Proxy.newProxyInstance(loader, new Class<?>[] {View.class}, (self, method, arguments) -> {
            if (method.getName().equals("render")) {
                rendered = name;
            }
            return method.getReturnType() == String.class ? "text/html" : Values.none(method.getReturnType());
        });
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
