package mastor;

import java.io.UnsupportedEncodingException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.beans.PropertyDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.BeanUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.http.HttpEntity;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.mock.http.MockHttpOutputMessage;
import org.springframework.util.MultiValueMap;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/** Requests that the project's handlers take: a value of its type for everything that they ask of one. */
final class Requests {
    private final RequestMappingHandlerAdapter adapter;
    private final ConversionService conversion;
    private final Fitting fitting;

    Requests(ApplicationContext context) {
        adapter = context.getBeansOfType(RequestMappingHandlerAdapter.class).values().stream().findFirst().orElse(null);
        ConversionService known = null;
        for (ConversionService one : context.getBeansOfType(ConversionService.class).values()) {
            known = known == null ? one : known;
        }
        conversion = known;
        fitting = Fitting.of(context);
    }

    /** The requests of a handler: with all that it takes, and with what it must have alone; none where no request can be made. */
    Set<String> of(HandlerMethod handler, Collection<MediaType> consumed) {
        Set<String> all = new LinkedHashSet<>();
        for (boolean whole : new boolean[] {true, false}) {
            try {
                Request request = new Request();
                for (MethodParameter parameter : handler.getMethodParameters()) {
                    parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
                    put(request, parameter, whole, consumed);
                }
                request.form(consumed);
                all.add(request.text());
            } catch (Exception | LinkageError unmade) {
                // Of this handler there is no such request.
            }
        }
        return all;
    }

    private void put(Request request, MethodParameter parameter, boolean whole, Collection<MediaType> consumed) throws Exception {
        ResolvableType type = ResolvableType.forMethodParameter(parameter);
        Class<?> raw = type.resolve(Object.class);
        if (raw == java.util.Optional.class) {
            type = type.getGeneric(0);
            raw = type.resolve(Object.class);
        }
        PathVariable path = parameter.getParameterAnnotation(PathVariable.class);
        RequestParam query = parameter.getParameterAnnotation(RequestParam.class);
        RequestHeader header = parameter.getParameterAnnotation(RequestHeader.class);
        CookieValue cookie = parameter.getParameterAnnotation(CookieValue.class);
        RequestPart part = parameter.getParameterAnnotation(RequestPart.class);
        boolean file = raw == MultipartFile.class || raw.isArray() && raw.getComponentType() == MultipartFile.class
                || Collection.class.isAssignableFrom(raw) && type.as(Collection.class).getGeneric(0).resolve() == MultipartFile.class;
        if (part != null || file) {
            String told = part != null ? name(part.value(), part.name(), parameter)
                    : query != null ? name(query.value(), query.name(), parameter) : String.valueOf(parameter.getParameterName());
            part(request, told, type, file);
        } else if (path != null) {
            String name = name(path.value(), path.name(), parameter);
            request.path.add(pair(name, text(type, name, parameter)));
        } else if (query != null) {
            String name = name(query.value(), query.name(), parameter);
            boolean must = query.required() && isNone(query.defaultValue()) && parameter.getParameterType() != java.util.Optional.class;
            if (whole && BeanUtils.isSimpleProperty(raw) || must) {
                request.query.add(pair(name, text(type, name, parameter)));
            }
        } else if (header != null) {
            String name = name(header.value(), header.name(), parameter);
            if (header.required() && isNone(header.defaultValue()) && BeanUtils.isSimpleProperty(raw)) {
                request.headers.add(pair(name, text(type, name, parameter)));
            }
        } else if (cookie != null) {
            String name = name(cookie.value(), cookie.name(), parameter);
            if (cookie.required() && isNone(cookie.defaultValue())) {
                request.headers.add(pair("Cookie", name + "=" + text(type, name, parameter)));
            }
        } else if (parameter.hasParameterAnnotation(RequestBody.class) || HttpEntity.class.isAssignableFrom(raw)) {
            body(request, HttpEntity.class.isAssignableFrom(raw) ? type.as(HttpEntity.class).getGeneric(0) : type, consumed);
        } else if (parameter.hasParameterAnnotation(ModelAttribute.class) || parameter.getParameterAnnotations().length == 0) {
            attribute(request, parameter, type, raw, whole);
        }
    }

    /** A part of a form: a file, or a value as the service's own converters write it. */
    private void part(Request request, String name, ResolvableType type, boolean file) throws Exception {
        Class<?> raw = type.resolve(Object.class);
        boolean text = raw == String.class;
        byte[] content = file || text ? name.getBytes(StandardCharsets.UTF_8)
                : write(new Values(fitting).of(type, name), MediaType.APPLICATION_JSON);
        String media = file ? "image/png" : text ? "text/plain" : "application/json";
        request.parts.add(String.join("&", escaped(name), file ? "file.png" : "", escaped(media), escaped(new String(content, StandardCharsets.UTF_8))));
    }

    private static boolean isNone(String text) {
        return text.equals(org.springframework.web.bind.annotation.ValueConstants.DEFAULT_NONE);
    }

    private static String name(String value, String name, MethodParameter parameter) {
        String told = value.isEmpty() ? name : value;
        return told.isEmpty() ? String.valueOf(parameter.getParameterName()) : told;
    }

    /** What stands in a request for a value. */
    private String text(ResolvableType type, String name, MethodParameter parameter) {
        Class<?> raw = type.resolve(Object.class);
        Object value = new Values(fitting).of(type, name);
        if (value == null || value.getClass().isArray() && java.lang.reflect.Array.getLength(value) == 0) {
            return name;
        } else if (raw.isEnum()) {
            return ((Enum<?>) value).name();
        }
        try {
            TypeDescriptor from = new TypeDescriptor(parameter);
            boolean fits = conversion != null && from.getType().isInstance(value);
            return fits ? (String) conversion.convert(value, from, TypeDescriptor.valueOf(String.class)) : plain(value);
        } catch (RuntimeException other) {
            return plain(value);
        }
    }

    private static String plain(Object value) {
        Object one = value instanceof Collection ? ((Collection<?>) value).iterator().next() : value;
        return one instanceof Enum ? ((Enum<?>) one).name() : String.valueOf(one);
    }

    /** A plain parameter, or an object of the project whose properties parameters fill. */
    private void attribute(Request request, MethodParameter parameter, ResolvableType type, Class<?> raw, boolean whole)
            throws Exception {
        String own = String.valueOf(parameter.getParameterName());
        if (BeanUtils.isSimpleProperty(raw)) {
            if (whole) {
                request.query.add(pair(own, text(type, own, parameter)));
            }
        } else if (Project.owns(raw)) {
            for (PropertyDescriptor one : BeanUtils.getPropertyDescriptors(raw)) {
                Method setter = one.getWriteMethod();
                if (setter != null && one.getPropertyType() == MultipartFile.class && whole) {
                    part(request, one.getName(), ResolvableType.forClass(MultipartFile.class), true);
                }
                if (setter == null || !BeanUtils.isSimpleProperty(one.getPropertyType())) {
                    continue;
                }
                MethodParameter taken = new MethodParameter(setter, 0);
                ResolvableType of = ResolvableType.forMethodParameter(taken, type);
                Object value = fitting.fit(raw, one.getName(), of, new Values(fitting).of(of, one.getName()));
                if (value != null && (whole || !fitting.fits(raw, one.getName(), null))) {
                    Field field = ReflectionUtils.findField(raw, one.getName());
                    TypeDescriptor from = field == null ? new TypeDescriptor(taken) : new TypeDescriptor(field);
                    request.query.add(pair(one.getName(), written(value, from)));
                }
            }
        }
    }

    private String written(Object value, TypeDescriptor from) {
        try {
            boolean plain = conversion == null || value instanceof Enum || !from.getType().isInstance(value);
            return plain ? plain(value) : (String) conversion.convert(value, from, TypeDescriptor.valueOf(String.class));
        } catch (RuntimeException other) {
            return plain(value);
        }
    }

    /** The body as the service's own converters write it. */
    private void body(Request request, ResolvableType type, Collection<MediaType> consumed) throws Exception {
        Class<?> raw = type.resolve(Object.class);
        MediaType media = consumed.stream().filter(one -> one.isConcrete() && !one.getType().equals("multipart")).findFirst()
                .orElse(raw == String.class ? MediaType.TEXT_PLAIN : MediaType.APPLICATION_JSON);
        request.media = media.toString();
        if (raw == MultiValueMap.class) {
            request.media = MediaType.APPLICATION_FORM_URLENCODED_VALUE;
            request.body = "key=value".getBytes(StandardCharsets.UTF_8);
            return;
        }
        if (raw == String.class || raw == byte[].class) {
            request.body = media.getSubtype().endsWith("json") ? "{}".getBytes(StandardCharsets.UTF_8) : "text".getBytes(StandardCharsets.UTF_8);
            return;
        }
        Object value = new Values(fitting).of(type, "item");
        if (value == null || raw == Object.class) {
            request.body = "{}".getBytes(StandardCharsets.UTF_8);
            return;
        }
        request.body = write(value, media);
        if (media.getSubtype().endsWith("json") && Project.owns(value.getClass())) {
            request.body = withSecrets(request.body, value, media);
        }
    }

    @SuppressWarnings("unchecked")
    private byte[] write(Object value, MediaType media) throws Exception {
        for (HttpMessageConverter<?> one : adapter.getMessageConverters()) {
            if (one.canWrite(value.getClass(), media)) {
                MockHttpOutputMessage out = new MockHttpOutputMessage();
                ((HttpMessageConverter<Object>) one).write(value, media, out);
                return out.getBodyAsBytes();
            }
        }
        throw new IllegalArgumentException("nothing writes " + value.getClass());
    }

    /** Adds what is read and never written, such as a password. */
    private byte[] withSecrets(byte[] body, Object value, MediaType media) throws Exception {
        String text = new String(body, StandardCharsets.UTF_8).trim();
        StringBuilder more = new StringBuilder();
        for (Class<?> at = value.getClass(); at != null && at != Object.class; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                String name = onlyRead(field, at);
                if (name == null || text.contains("\"" + name + "\"")) {
                    continue;
                }
                ReflectionUtils.makeAccessible(field);
                Object held = field.get(value);
                if (held instanceof String || held instanceof Number || held instanceof Boolean) {
                    String written = held instanceof String ? "\"" + held + "\"" : held.toString();
                    more.append(more.length() == 0 ? "" : ",").append('"').append(name).append("\":").append(written);
                }
            }
        }
        if (more.length() == 0 || !text.endsWith("}")) {
            return body;
        }
        String open = text.substring(0, text.length() - 1).trim();
        return (open + (open.endsWith("{") ? "" : ",") + more + "}").getBytes(StandardCharsets.UTF_8);
    }

    /** The name of a property that JSON gives and never shows, or null. */
    private static String onlyRead(Field field, Class<?> type) {
        PropertyDescriptor property = BeanUtils.getPropertyDescriptor(type, field.getName());
        Method setter = property == null ? null : property.getWriteMethod();
        for (java.lang.reflect.AnnotatedElement at : Arrays.asList(field, setter == null ? field : setter)) {
            for (Annotation one : at.getAnnotations()) {
                if (one.annotationType().getSimpleName().equals("JsonProperty")
                        && (at == setter || "WRITE_ONLY".equals(String.valueOf(AnnotationUtils.getValue(one, "access"))))) {
                    String told = String.valueOf(AnnotationUtils.getValue(one));
                    return told.isEmpty() ? field.getName() : told;
                }
            }
        }
        return null;
    }

    private static String pair(String name, String value) {
        return escaped(name) + "=" + escaped(value);
    }

    private static String escaped(String text) {
        try {
            return URLEncoder.encode(text, "UTF-8").replace("+", "%20");
        } catch (UnsupportedEncodingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What a request consists of, in the order of the handler's parameters. */
    private static final class Request {
        final List<String> path = new ArrayList<>();
        final List<String> query = new ArrayList<>();
        final List<String> headers = new ArrayList<>();
        final List<String> parts = new ArrayList<>();
        String media = "";
        byte[] body = {};

        /** Parameters go into the body where a handler takes forms alone. */
        void form(Collection<MediaType> consumed) {
            boolean multipart = consumed.stream().anyMatch(one -> one.getType().equals("multipart"));
            if (body.length == 0 && multipart) {
                for (String one : query) {
                    parts.add(one.replaceFirst("=", "&&&"));
                }
                query.clear();
                media = "multipart/form-data";
            } else if (body.length == 0 && parts.isEmpty() && consumed.contains(MediaType.APPLICATION_FORM_URLENCODED)) {
                media = MediaType.APPLICATION_FORM_URLENCODED_VALUE;
                body = String.join("&", query).getBytes(StandardCharsets.UTF_8);
                query.clear();
            }
        }

        String text() {
            if (!parts.isEmpty()) {
                media = "multipart/form-data";
                body = String.join("\n", parts).getBytes(StandardCharsets.UTF_8);
            }
            String encoded = Base64.getEncoder().encodeToString(body);
            return String.join("\t", String.join("&", path), String.join("&", query), String.join("&", headers), media, encoded);
        }
    }
}
