package mastor;

import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/** Takes note of the keys that code asks of a body that is a map, and that the request does not have. */
@ControllerAdvice
final class Bodies extends RequestBodyAdviceAdapter {
    @Override
    public boolean supports(MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
        Class<?> raw = parameter.getParameterType();
        return Map.class.isAssignableFrom(raw) && raw.isAssignableFrom(Noting.class);
    }

    @Override
    public Object afterBodyRead(Object body, HttpInputMessage message, MethodParameter parameter, Type type,
            Class<? extends HttpMessageConverter<?>> converter) {
        ResolvableType item = ResolvableType.forMethodParameter(parameter).as(Map.class).getGeneric(1);
        return body instanceof Map ? new Noting((Map<?, ?>) body, item) : body;
    }

    /** A map that tells which keys are missed. */
    private static final class Noting extends LinkedHashMap<Object, Object> {
        private static final long serialVersionUID = 1;
        private final transient ResolvableType item;

        Noting(Map<?, ?> all, ResolvableType item) {
            super(all);
            this.item = item;
        }

        private void miss(Object key) {
            if (key instanceof String && !super.containsKey(key)) {
                Asked.hint("missing", (String) key, json((String) key));
            }
        }

        private String json(String key) {
            Class<?> raw = item.resolve(Object.class);
            boolean many = Iterable.class.isAssignableFrom(raw);
            Class<?> one = many ? item.as(Iterable.class).getGeneric(0).resolve(Object.class) : raw;
            boolean number = Number.class.isAssignableFrom(one);
            String text = number || one == Boolean.class ? number ? "1" : "true" : "\"" + Names.text(key) + "\"";
            return many ? "[" + text + "]" : text;
        }

        @Override
        public Object get(Object key) {
            miss(key);
            return super.get(key);
        }

        @Override
        public Object getOrDefault(Object key, Object otherwise) {
            miss(key);
            return super.getOrDefault(key, otherwise);
        }

        @Override
        public boolean containsKey(Object key) {
            miss(key);
            return super.containsKey(key);
        }
    }
}
