package mastor;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.net.URI;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.web.method.HandlerMethod;

/** Takes one request at a time through Spring's handlers, and tells the answer and how it came about. */
final class Client {
    private static final List<String> METHODS =
            Arrays.asList("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

    private final MockMvc mvc;
    private final String prefix;
    private final Context context;
    private final State state;
    private String recorded = "";

    Client(MockMvc mvc, String prefix, Context context, State state) {
        this.mvc = mvc;
        this.prefix = prefix;
        this.context = context;
        this.state = state;
    }

    /** The test of the last request that was to be recorded. */
    synchronized String recorded() {
        return recorded;
    }

    synchronized void answer(HttpExchange exchange) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        Caller.begin();
        begin(exchange.getRequestHeaders());
        recorded = "";
        int status = 500;
        byte[] body = new byte[0];
        if (!METHODS.contains(exchange.getRequestMethod())) {
            Given.problem("requests of this method are not known");
            read(exchange.getRequestBody());
            finish(exchange, 501, body);
            return;
        }
        try {
            MvcResult result = perform(exchange);
            MockHttpServletResponse response = result.getResponse();
            status = response.getStatus();
            body = response.getContentAsByteArray();
            for (String name : response.getHeaderNames()) {
                if (!name.equalsIgnoreCase("Content-Length") && !name.equalsIgnoreCase("Transfer-Encoding")) {
                    response.getHeaders(name).forEach(value -> headers.add(name, value.replaceAll("[\r\n]", " ")));
                }
            }
            wiring(result.getResolvedException());
            Hints.read(result.getResolvedException());
            if (result.getResolvedException() != null) {
                headers.set("X-Mastor-Handled", classes(result.getResolvedException()));
            }
            Object handler = result.getHandler();
            recorded = record(handler);
            if (handler instanceof HandlerMethod) {
                headers.set("X-Mastor-Handler", ((HandlerMethod) handler).getBeanType().getName());
            }
            if (handler instanceof HandlerMethod && Stubs.is(((HandlerMethod) handler).getBean())) {
                Given.problem("not wired: " + ((HandlerMethod) handler).getBeanType().getName() + " is a stub itself");
            }
            boolean files = handler != null && handler.getClass().getName().endsWith("ResourceHttpRequestHandler");
            if (status == 404 && (handler == null || files)) {
                Given.problem("no handler of this application serves it");
            }
            if (Views.rendered() != null || response.getForwardedUrl() != null || response.getIncludedUrl() != null) {
                headers.set("X-Mastor-View", Views.rendered() == null ? "a page" : Project.line(Views.rendered()));
            }
        } catch (Exception | LinkageError | StackOverflowError failure) {
            fail(failure, headers);
        }
        finish(exchange, status, body);
    }

    /** The package of a test of this handler. */
    private static String home(String handler) {
        return handler == null ? null : handler.substring(0, Math.max(0, handler.lastIndexOf('.')));
    }

    private String record(Object handler) {
        Recorder recorder = Recorder.current();
        Recorder.begin(null);
        HandlerMethod method = handler instanceof HandlerMethod ? (HandlerMethod) handler : null;
        return recorder == null ? "" : recorder.text(context, method, Caller.user(), Caller.authorities());
    }

    private static void finish(HttpExchange exchange, int status, byte[] body) throws IOException {
        if (!Given.problems().isEmpty()) {
            exchange.getResponseHeaders().set("X-Mastor-Inconclusive", Project.line(Given.problems()));
        }
        exchange.getResponseHeaders().set("X-Mastor-Calls", Project.line(Stubs.calls()));
        if (Events.text() != null) {
            exchange.getResponseHeaders().set("X-Mastor-Events", Events.text());
        }
        if (Events.missed() != null) {
            exchange.getResponseHeaders().set("X-Mastor-Missed", Project.line(Events.missed()));
        }
        send(exchange, status, body);
    }

    /** Performs a request, and again where the code casts its user or what a call gave to a type that nothing else tells. */
    private MvcResult perform(HttpExchange exchange) throws Exception {
        byte[] body = read(exchange.getRequestBody());
        Unknown.begin();
        while (true) {
            Exception failure = null;
            MvcResult result = null;
            try {
                result = perform(request(exchange, body));
            } catch (Exception thrown) {
                failure = thrown;
            }
            Exception told = failure != null ? failure : result.getResolvedException();
            if (!Caller.mistaken(told) && !Unknown.isLearning(told)) {
                if (failure != null) {
                    throw failure;
                }
                return result;
            }
            begin(exchange.getRequestHeaders());
        }
    }

    /** Nothing is left of what an earlier request, or an earlier attempt of this one, has brought about. */
    private void begin(Headers asked) {
        state.restore();
        Given.begin(asked.getFirst("X-Mastor-Given"));
        Stubs.begin();
        Events.begin(asked.getFirst("X-Mastor-Events"));
        Views.begin();
        Recorder.begin(home(asked.getFirst("X-Mastor-Record")));
    }

    private MvcResult perform(MockHttpServletRequestBuilder request) throws Exception {
        try {
            Principal user = Caller.enter();
            MvcResult result = mvc.perform(user == null ? request : request.principal(user)).andReturn();
            if (result.getRequest().isAsyncStarted()) {
                if (Recorder.current() != null) {
                    Recorder.current().later();
                }
                result.getAsyncResult(5000);
                result = mvc.perform(MockMvcRequestBuilders.asyncDispatch(result)).andReturn();
            }
            return result;
        } finally {
            Caller.leave();
        }
    }

    private MockHttpServletRequestBuilder request(HttpExchange exchange, byte[] body) throws Exception {
        String raw = exchange.getRequestURI().getRawQuery();
        String path = exchange.getRequestURI().getRawPath();
        URI uri = URI.create(path + (raw == null ? "" : "?" + raw.replace("+", "%20")));
        String media = exchange.getRequestHeaders().getFirst("Content-Type");
        boolean parts = Multipart.is(media);
        MockHttpServletRequestBuilder request =
                MockMvcRequestBuilders.request(HttpMethod.valueOf(exchange.getRequestMethod()), uri);
        if (!prefix.isEmpty() && path.startsWith(prefix + "/")) {
            request.contextPath(prefix);
        }
        for (Map.Entry<String, List<String>> header : exchange.getRequestHeaders().entrySet()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (name.equals("cookie")) {
                List<String> cookies = header.getValue();
                request.with(made -> cookies(made, cookies));
            }
            if (!name.startsWith("x-mastor-") && !(parts && name.equals("content-type"))) {
                request.header(header.getKey(), header.getValue().toArray());
            }
        }
        return parts ? request.with(made -> Multipart.of(made, media, body)) : request.content(body);
    }

    /** Cookies are of the servlet API, of which there are two. */
    private static MockHttpServletRequest cookies(MockHttpServletRequest request, List<String> lines) {
        try {
            Class<?> type = MockHttpServletRequest.class.getMethod("getCookies").getReturnType();
            List<Object> all = new ArrayList<>();
            for (String one : String.join(";", lines).split(";")) {
                int at = one.indexOf('=');
                if (at > 0) {
                    all.add(type.getComponentType().getConstructor(String.class, String.class)
                            .newInstance(one.substring(0, at).trim(), one.substring(at + 1).trim()));
                }
            }
            Object array = all.toArray((Object[]) Array.newInstance(type.getComponentType(), 0));
            MockHttpServletRequest.class.getMethod("setCookies", type).invoke(request, array);
        } catch (ReflectiveOperationException refused) {
            Given.problem("a cookie cannot be passed on");
        }
        return request;
    }

    /** A failure of the handler is told apart from one of the slice. */
    private static void fail(Throwable failure, Headers headers) {
        Throwable thrown = failure;
        while (thrown.getClass().getSimpleName().endsWith("ServletException") && thrown.getCause() != null) {
            thrown = thrown.getCause();
        }
        Throwable root = Factory.root(thrown);
        wiring(failure);
        Hints.read(failure);
        StackTraceElement[] trace = root.getStackTrace();
        if (trace.length > 0 && trace[0].getClassName().endsWith("DefaultMvcResult")) {
            Given.problem("the answer is never ended");
        }
        headers.set("X-Mastor-Thrown", classes(thrown));
        if (Boolean.getBoolean("mastor.traces")) {
            root.printStackTrace();
        }
    }

    /** The outermost class and the root's, without messages, since these may hold values. */
    private static String classes(Throwable thrown) {
        return Project.line(thrown.getClass().getName() + " < " + Factory.root(thrown).getClass().getName());
    }

    private static void wiring(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause() == at ? null : at.getCause()) {
            if (at instanceof BeanCreationException || at instanceof NoSuchBeanDefinitionException
                    || at instanceof LinkageError || at instanceof ClassNotFoundException) {
                Given.problem("not wired: " + Factory.reason(failure));
                return;
            }
        }
    }

    static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean none = body.length == 0 || status < 200 || status == 204 || status == 304
                || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, none ? -1 : body.length);
        if (!none) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private static byte[] read(InputStream stream) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] part = new byte[8192];
        for (int count = stream.read(part); count >= 0; count = stream.read(part)) {
            all.write(part, 0, count);
        }
        return all.toByteArray();
    }
}
