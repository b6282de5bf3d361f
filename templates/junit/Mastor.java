// Made by mastor: sends the requests of the suite and checks the answers. Change the suite and export again.
package mastor;

import static io.restassured.RestAssured.given;
import static io.restassured.config.HttpClientConfig.httpClientConfig;
import static io.restassured.config.RedirectConfig.redirectConfig;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.restassured.config.RestAssuredConfig;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.http.client.HttpClient;
import org.apache.http.impl.client.DefaultHttpClient;
import org.apache.http.impl.client.RequestWrapper;

final class Mastor {
    static final String BASE_URL = baseUrl().replaceAll("/+$", "");
    private static final int TIMEOUT = Integer.parseInt(setting("MASTOR_TIMEOUT", "30000"));
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNameLength(Integer.MAX_VALUE)
                            .maxNumberLength(Integer.MAX_VALUE)
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final Set<String> READS = new HashSet<>(Arrays.asList("GET", "HEAD", "OPTIONS"));

    /** Whether something may have changed the state since it was fresh. */
    private static boolean touched = true;

    /** Whether a test has written, and nothing has brought the service back since. */
    private static boolean disturbed;

    private Mastor() {}

    static boolean isDisturbed() {
        return disturbed;
    }

    static Call call(String method, String path) {
        return new Call(method, BASE_URL, path);
    }
{% if users %}

    /** A request to an address, or to a path from the root of the service's server. */
    static Call callTo(String method, String address) {
        String[] parts = URI.create(BASE_URL).resolve(address).toString().split("[?]", 2);
        Call call = new Call(method, parts[0], "");
        call.query.append(parts.length == 2 ? "?" + parts[1] : "");
        return call;
    }
{% endif %}

    /** Where the service runs; with a main class it is started here. */
    private static String baseUrl() {
        String main = setting("MASTOR_MAIN", "");
        return main.isEmpty() ? setting("MASTOR_BASE_URL", {{ base_url | java }}) : Application.start(main);
    }

    /** {@code NAME_OF_IT} of the environment; the system property {@code name.of.it} goes first. */
    static String setting(String name, String otherwise) {
        String property = name.toLowerCase(Locale.ROOT).replace('_', '.');
        String value = System.getProperty(property, System.getenv(name));
        return value == null || value.isEmpty() ? otherwise : value;
    }

    /** Brings the service back to its seed, where a setting says how. */
    static void reset() {
        reset("");
    }

    /** Brings the service back to its seed, where something may have changed it; before each test where it runs in here, maybe as a mutant. */
    static void reset(String path) {
        String where = setting("MASTOR_RESET", path);
        boolean inHere = !setting("MASTOR_MAIN", "").isEmpty();
        if (inHere && where.isEmpty()) {
            Application.restore(touched);
            touched = false;
            disturbed = false;
{% if users %}
            User.unmake();
{% endif %}
        }
        if ((touched || inHere) && !where.isEmpty() && !where.equals("none")) {
            URI address = URI.create(BASE_URL).resolve(where);
            int status = given().post(address).statusCode();
            check(status < 300, "the reset is answered " + status);
            touched = false;
            disturbed = false;
{% if users %}
            User.unmake();
            if (!address.getAuthority().equals(URI.create(BASE_URL).getAuthority())) {
                // Another server may have started it anew.
                User.forget();
            }
{% endif %}
        }
    }

    /** What was learnt of the service counts no more: it may be another one. */
    static void forget() {
        touched = true;
{% if users %}
        User.forget();
{% endif %}
    }

    /** A request; every value is percent-encoded here, exactly once. */
    static final class Call {
        private final String method;
        private final String base;
        private String path;
        private final StringBuilder query = new StringBuilder();
        private final StringBuilder form = new StringBuilder();
        private final StringBuilder cookies = new StringBuilder();
        private final List<String[]> headers = new ArrayList<>();
        private String contentType;
        private byte[] body;
        private boolean writes;
{% if users %}
        private User user;
        private boolean renews = true;
{% endif %}

        private Call(String method, String base, String path) {
            this.method = method;
            this.base = base;
            this.path = path;
            this.writes = !READS.contains(method);
        }

        /** It changes state, although its verb only reads. */
        Call writes() {
            writes = true;
            return this;
        }

        /** Authenticates with the header value that the setting {@code variable} holds. */
        Call as(String user, String variable) {
            String value = setting(variable, null);
            check(value != null, "no credentials for user " + user + ": set " + variable);
            return says("Authorization") ? this : header("Authorization", value);
        }
{% if users %}

        /** Authenticates as a user of {@link User}. */
        Call as(String name) {
            user = User.named(name);
            return this;
        }

        /** A 401 is what is expected, and no reason to log in anew. */
        Call withoutRenewal() {
            renews = false;
            return this;
        }

        /** The same request once more, to which credentials can be added. */
        Call copy() {
            Call copy = new Call(method, base, path);
            copy.query.append(query);
            copy.cookies.append(cookies);
            copy.headers.addAll(headers);
            copy.contentType = contentType;
            copy.body = body;
            return copy;
        }

        /** Adds a cookie to those of the request, wherever it says them. */
        void addCookie(String name, String value) {
            for (int i = 0; i < headers.size(); i++) {
                String[] header = headers.get(i);
                if (header[0].equalsIgnoreCase("Cookie")) {
                    headers.set(i, new String[] {header[0], header[1] + "; " + name + "=" + value});
                    return;
                }
            }
            cookie(name, value);
        }

        boolean isSafe() {
            return READS.contains(method) || method.equals("TRACE");
        }
{% endif %}

        boolean says(String header) {
            return headers.stream().anyMatch(known -> known[0].equalsIgnoreCase(header));
        }

        Call path(String name, String value) {
            path = path.replace("{" + name + "}", encode(value));
            return this;
        }

        Call query(String name, String value) {
            query.append(query.length() == 0 ? '?' : '&').append(encode(name)).append('=').append(encode(value));
            return this;
        }

        Call header(String name, String value) {
            if (name.equalsIgnoreCase("Content-Type")) {
                contentType = value;
            } else {
                headers.add(new String[] {name, value});
            }
            return this;
        }

        Call cookie(String name, String value) {
            cookies.append(cookies.length() == 0 ? "" : "; ").append(name).append('=').append(value);
            return this;
        }

        Call json(String text) {
            return bytes("application/json", text.getBytes(StandardCharsets.UTF_8));
        }

        Call json(JsonNode value) {
            return json(value.toString());
        }

        Call text(String mediaType, String text) {
            return bytes(mediaType, text.getBytes(StandardCharsets.UTF_8));
        }

        Call base64(String mediaType, String text) {
            return bytes(mediaType, Base64.getDecoder().decode(text));
        }

        Call form(String name, String value) {
            form.append(form.length() == 0 ? "" : "&").append(encode(name)).append('=').append(encode(value));
            return text("application/x-www-form-urlencoded", form.toString());
        }

        private Call bytes(String mediaType, byte[] bytes) {
            contentType = contentType == null ? mediaType : contentType;
            body = bytes;
            return this;
        }

        Answer send() {
            boolean before = touched;
            touched |= writes;
{% if users %}
            Response response = user == null ? exchange() : user.send(this, renews);
{% else %}
            Response response = exchange();
{% endif %}
            if (response.statusCode() / 100 == 4) {
                touched = before;
            } else {
                disturbed |= writes;
            }
            return new Answer(response);
        }

        /** Sends it as it stands, and nothing else. */
        Response exchange() {
{% if users %}
            User.makeAll();
{% endif %}
            RequestSpecification request = given().urlEncodingEnabled(false);
            if (cookies.length() > 0) {
                header("Cookie", cookies.toString());
            }
            if (body != null) {
                request.contentType("application/octet-stream").body(body);
            }
            request.config(RestAssuredConfig.config()
                    .redirect(redirectConfig().followRedirects(false))
                    .httpClient(httpClientConfig()
                            .httpClientFactory(this::client)
                            .setParam("http.connection.timeout", 10_000)
                            .setParam("http.socket.timeout", TIMEOUT)));
            return request.request(method, base + path);
        }

        /** REST Assured sorts query parameters, adds media types and writes ASCII: here the request becomes what the suite says. */
        private HttpClient client() {
            URI target = URI.create(URI.create(base + path).getRawPath() + query);
            DefaultHttpClient client = new DefaultHttpClient();
            client.getParams().setParameter("http.protocol.element-charset", "UTF-8");
            client.addRequestInterceptor((sent, context) -> {
                ((RequestWrapper) sent).setURI(target);
                sent.removeHeaders("Content-Type");
                if (contentType != null) {
                    sent.setHeader("Content-Type", contentType);
                }
                Set<String> known = new HashSet<>();
                for (String[] header : headers) {
                    if (known.add(header[0].toLowerCase(Locale.ROOT))) {
                        sent.removeHeaders(header[0]);
                    }
                    sent.addHeader(header[0], header[1]);
                }
            });
            return client;
        }
    }

    /** What came back. */
    static final class Answer {
        private final Response response;
        private final String text;

        private Answer(Response response) {
            this.response = response;
            this.text = new String(response.asByteArray(), StandardCharsets.UTF_8);
        }

        void status(int... allowed) {
            for (int code : allowed) {
                if (code == response.statusCode()) {
                    return;
                }
            }
            check(false, "status is " + response.statusCode() + ", body " + text);
        }

        void field(String path, String op) {
            field(path, op, MissingNode.getInstance());
        }

        void field(String path, String op, String expected) {
            field(path, op, parse(expected));
        }

        void field(String path, String op, JsonNode expected) {
            JsonNode operand = filled(expected);
            each(root(path), path, actual -> check(holds(op, actual, operand),
                    "body at \"" + path + "\" is " + actual + ", expected: " + op + " " + operand));
        }

        void header(String name, String op) {
            header(name, op, MissingNode.getInstance());
        }

        void header(String name, String op, String expected) {
            header(name, op, parse(expected));
        }

        void header(String name, String op, JsonNode expected) {
            List<String> values = response.getHeaders().getValues(name);
            JsonNode actual = values.isEmpty() ? MissingNode.getInstance() : new TextNode(String.join(", ", values));
            JsonNode operand = filled(expected);
            if (operand.isNumber() && actual.isTextual() && !op.equals("length")) {
                actual = parse(actual.textValue().trim());
            }
            check(holds(op, actual, operand), "header " + name + " is " + actual + ", expected: " + op + " " + operand);
        }

        void body(String op) {
            check(op.equals("empty") == (response.asByteArray().length == 0), "body is \"" + text + "\", expected: " + op);
        }

        void body(String op, String mediaType) {
            String actual = mediaType();
            check(actual.equalsIgnoreCase(mediaType.trim()), "media type is \"" + actual + "\", expected: " + mediaType);
        }

        private String mediaType() {
            String value = response.getHeader("Content-Type");
            return value == null ? "" : value.split(";")[0].trim();
        }

        /** The operand with the values of this answer that {@code $body.path} stands for. */
        private JsonNode filled(JsonNode operand) {
            return fill(operand, name -> {
                if (!name.startsWith("$body.")) {
                    return null;
                }
                JsonNode[] found = {MissingNode.getInstance()};
                String path = name.substring("$body.".length());
                each(root(path), path, first(found));
                check(!found[0].isMissingNode(), "nothing at " + path + ", which it is compared with");
                return found[0];
            });
        }

        /** A body that is no JSON by its media type and no object or array is one string. */
        private JsonNode root(String path) {
            if (text.isEmpty()) {
                return MissingNode.getInstance();
            }
            boolean json = mediaType().isEmpty() || mediaType().toLowerCase().matches(".*[/+]json");
            try {
                JsonNode value = JSON.readTree(text);
                return json || value.isContainerNode() ? value : new TextNode(text);
            } catch (JsonProcessingException e) {
                check(path.isEmpty(), "the body is no JSON: " + text);
                return new TextNode(text);
            }
        }
    }

    /** Values that a sequence took from answers. */
    static final class Captures {
        private final Map<String, JsonNode> values = new HashMap<>();

        /** Takes {@code body:path}, {@code header:Name} or {@code header:Name#tail}, the last segment of a URL. */
        void take(String name, Answer answer, String from) throws UnsupportedEncodingException {
            JsonNode value;
            if (from.startsWith("body:")) {
                JsonNode[] found = {MissingNode.getInstance()};
                each(answer.root(from.substring(5)), from.substring(5), first(found));
                value = found[0];
            } else {
                String[] parts = from.substring("header:".length()).split("#", 2);
                String header = answer.response.getHeader(parts[0]);
                check(header != null, "no header " + parts[0] + " to take " + name + " from");
                if (parts.length == 2) {
                    header = header.replaceAll("[?#].*$", "").replaceAll("/+$", "").replaceAll("^.*/", "");
                    header = URLDecoder.decode(header.replace("+", "%2B"), "UTF-8");
                }
                value = new TextNode(header);
            }
            check(!value.isMissingNode() && !value.isNull(), "nothing to take " + name + " from: " + from);
            values.put(name, value);
        }

        String text(String name) {
            JsonNode value = values.get(name);
            return value.isTextual() ? value.textValue() : value.toString();
        }

        /** Parses JSON in which {@code "$captures.name"} stands for what was taken. */
        JsonNode fill(String json) {
            return Mastor.fill(parse(json), name ->
                    name.startsWith("$captures.") ? values.get(name.substring("$captures.".length())) : null);
        }
    }

    /** JSON with each text that {@code known} knows replaced by its value, and each in braces inside of a text by its text. */
    private static JsonNode fill(JsonNode node, Function<String, JsonNode> known) {
        if (node.isTextual() && node.textValue().startsWith("$")) {
            JsonNode value = known.apply(node.textValue());
            return value == null ? node : value;
        }
        if (node.isTextual() && node.textValue().contains("{$")) {
            return new TextNode(within(node.textValue(), known));
        }
        if (node.isObject()) {
            ObjectNode object = (ObjectNode) node;
            object.fieldNames().forEachRemaining(name -> object.set(name, fill(object.get(name), known)));
        }
        if (node.isArray()) {
            ArrayNode array = (ArrayNode) node;
            for (int i = 0; i < array.size(); i++) {
                array.set(i, fill(array.get(i), known));
            }
        }
        return node;
    }

    private static String within(String text, Function<String, JsonNode> known) {
        StringBuilder out = new StringBuilder();
        int from = 0;
        int at = text.indexOf("{$");
        while (at >= 0 && text.indexOf('}', at) >= 0) {
            int end = text.indexOf('}', at);
            JsonNode value = known.apply(text.substring(at + 1, end));
            out.append(text, from, at);
            out.append(value == null ? text.substring(at, end + 1) : value.isTextual() ? value.textValue() : value.toString());
            from = end + 1;
            at = text.indexOf("{$", from);
        }
        return out.append(text.substring(from)).toString();
    }

    private static final Pattern STEP = Pattern.compile("\\[(\\*|\\?|\\d*)\\]|\\.?((?:\\\\.|[^.\\[\\\\])+)");

    /**
     * Checks the values at a dotted path with [0]: each behind [*], at least one behind [?], the list of them behind []. A missing one is a
     * missing node.
     */
    private static void each(JsonNode root, String path, Consumer<JsonNode> check) {
        List<String> steps = new ArrayList<>();
        Matcher step = STEP.matcher(path);
        for (int at = 0; at < path.length(); at = step.end()) {
            check(step.find(at) && step.start() == at, "no path: " + path);
            steps.add(step.group(1) != null ? "[" + step.group(1) : "." + step.group(2).replaceAll("\\\\(.)", "$1"));
        }
        each(root, steps, path, check);
    }

    private static void each(JsonNode root, List<String> steps, String path, Consumer<JsonNode> check) {
        JsonNode node = root;
        for (int n = 0; n < steps.size(); n++) {
            String step = steps.get(n);
            List<String> rest = steps.subList(n + 1, steps.size());
            if (step.equals("[*")) {
                for (JsonNode item : items(node, path)) {
                    each(item, rest, path, check);
                }
                return;
            }
            if (step.equals("[?")) {
                for (JsonNode item : items(node, path)) {
                    try {
                        each(item, rest, path, check);
                        return;
                    } catch (AssertionError other) {
                        // Another element may do.
                    }
                }
                throw new AssertionError("no element at \"" + path + "\" is as it must be: " + node);
            }
            if (step.equals("[")) {
                ArrayNode list = JSON.createArrayNode();
                collect(items(node, path), rest, path, list);
                check.accept(list);
                return;
            }
            node = step(node, step);
        }
        check.accept(node);
    }

    /** Adds what stands at the rest of a path in each element. */
    private static void collect(JsonNode items, List<String> rest, String path, ArrayNode list) {
        for (JsonNode item : items) {
            JsonNode node = item;
            for (int n = 0; n < rest.size() && node != null; n++) {
                String step = rest.get(n);
                check(!step.equals("[*") && !step.equals("[?"), "no path: " + path);
                if (step.equals("[")) {
                    collect(items(node, path), rest.subList(n + 1, rest.size()), path, list);
                    node = null;
                } else {
                    node = step(node, step);
                }
            }
            if (node != null && !node.isMissingNode()) {
                list.add(node);
            }
        }
    }

    private static JsonNode step(JsonNode node, String step) {
        return step.startsWith("[") ? node.path(Integer.parseInt(step.substring(1))) : node.path(step.substring(1));
    }

    private static JsonNode items(JsonNode node, String path) {
        check(node.isArray(), "no array in " + path + ": " + node);
        return node;
    }

    /** Keeps the first value that is checked. */
    private static Consumer<JsonNode> first(JsonNode[] found) {
        boolean[] isFirst = {true};
        return node -> {
            if (isFirst[0]) {
                found[0] = node;
                isFirst[0] = false;
            }
        };
    }

    private static boolean holds(String op, JsonNode actual, JsonNode expected) {
        switch (op) {
            case "equals": return same(expected, actual);
            case "not_null": return !actual.isMissingNode() && !actual.isNull();
            case "is_null": return actual.isNull();
            case "absent": return actual.isMissingNode();
            case "gte": return comparable(actual, expected) && compare(actual, expected) >= 0;
            case "lte": return comparable(actual, expected) && compare(actual, expected) <= 0;
            case "gt": return comparable(actual, expected) && compare(actual, expected) > 0;
            case "lt": return comparable(actual, expected) && compare(actual, expected) < 0;
            case "near": return actual.isNumber()
                    && Math.abs(actual.doubleValue() - expected.path("value").doubleValue()) <= expected.path("within").doubleValue();
            case "sorted": return actual.isArray() && isSorted(actual, expected.textValue().equals("ascending") ? 1 : -1);
            case "contains_not": return actual.isTextual() && expected.isTextual()
                    ? !actual.textValue().contains(expected.textValue()) : actual.isArray() && !has(actual, expected);
            case "matches": return actual.isTextual() && Pattern.compile(expected.textValue()).matcher(actual.textValue()).find();
            case "type": return hasType(actual, expected.textValue());
            case "contains": return actual.isTextual() && expected.isTextual()
                    ? actual.textValue().contains(expected.textValue()) : actual.isArray() && has(actual, expected);
            case "one_of": return has(expected, actual);
            case "length": return length(actual) == expected.asInt(-2);
            case "keys": return actual.isObject() && keys(actual).equals(texts(expected));
            case "same_items": return actual.isArray() && sameItems(actual, expected);
            default: throw new AssertionError("no operator: " + op);
        }
    }

    private static boolean comparable(JsonNode a, JsonNode b) {
        return a.isNumber() && b.isNumber() || a.isTextual() && b.isTextual();
    }

    private static int compare(JsonNode a, JsonNode b) {
        return a.isNumber() ? a.decimalValue().compareTo(b.decimalValue()) : a.textValue().compareTo(b.textValue());
    }

    private static boolean isSorted(JsonNode array, int wrong) {
        for (int i = 0; i < array.size(); i++) {
            JsonNode item = array.get(i);
            if (!comparable(item, item) || i > 0 && (!comparable(array.get(i - 1), item)
                    || Integer.signum(compare(array.get(i - 1), item)) == wrong)) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasType(JsonNode node, String type) {
        switch (type) {
            case "string": return node.isTextual();
            case "number": return node.isNumber();
            case "integer": return node.isNumber() && node.decimalValue().stripTrailingZeros().scale() <= 0;
            case "boolean": return node.isBoolean();
            case "array": return node.isArray();
            case "object": return node.isObject();
            case "null": return node.isNull();
            default: throw new AssertionError("no type: " + type);
        }
    }

    private static int length(JsonNode node) {
        return node.isTextual() ? node.textValue().length() : node.isContainerNode() ? node.size() : -1;
    }

    private static Set<String> keys(JsonNode object) {
        Set<String> names = new HashSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static Set<String> texts(JsonNode array) {
        Set<String> texts = new HashSet<>();
        array.forEach(item -> texts.add(item.textValue()));
        return texts;
    }

    private static boolean has(JsonNode array, JsonNode wanted) {
        for (JsonNode item : array) {
            if (same(item, wanted)) {
                return true;
            }
        }
        return false;
    }

    private static boolean sameItems(JsonNode actual, JsonNode expected) {
        List<JsonNode> left = new ArrayList<>();
        actual.forEach(left::add);
        for (JsonNode item : expected) {
            int at = 0;
            while (at < left.size() && !same(item, left.get(at))) {
                at++;
            }
            if (at == left.size()) {
                return false;
            }
            left.remove(at);
        }
        return left.isEmpty();
    }

    /** Numbers by value; where one is written with a fraction or exponent, as the nearest double too. */
    private static final Comparator<JsonNode> VALUES = (a, b) -> {
        if (!a.isNumber() || !b.isNumber()) {
            return a.equals(b) ? 0 : 1;
        }
        boolean close = (a.isFloatingPointNumber() || b.isFloatingPointNumber()) && a.doubleValue() == b.doubleValue();
        return close || a.decimalValue().compareTo(b.decimalValue()) == 0 ? 0 : 1;
    };

    private static boolean same(JsonNode expected, JsonNode actual) {
        return expected.equals(VALUES, actual);
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + json);
        }
    }

    static String encode(String text) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            boolean unreserved = c < 128 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0);
            out.append(unreserved ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return out.toString();
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
