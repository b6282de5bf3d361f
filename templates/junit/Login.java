// Made by mastor: the request that a user logs in by, and what it takes out of the answer. Change the auth file and export again.
package mastor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A login. */
final class Login {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern TAG = Pattern.compile("<(?:input|meta)\\b[^>]*");
    private static final Pattern GUARD = Pattern.compile("csrf|xsrf|authenticity_token|requestverificationtoken");

    private final String method;
    private final String url;
    private final List<String[]> headers = new ArrayList<>();
    private final Map<String, String> fields = new LinkedHashMap<>();
    private String contentType;
    private String body;
    private String takes;
    private boolean fromHeader;
    private String sendsAs;
    private boolean inQuery;
    private String template;
    private boolean takesCookies;

    Login(String method, String url) {
        this.method = method;
        this.url = url;
    }

    Login header(String name, String value) {
        headers.add(new String[] {name, value});
        return this;
    }

    Login contentType(String mediaType) {
        contentType = mediaType;
        return this;
    }

    /** A field of the body, which is JSON or a form by its media type. */
    Login field(String name, String value) {
        fields.put(name, value);
        return this;
    }

    Login body(String text) {
        body = text;
        return this;
    }

    /** The token stands at this JSON pointer of the body. */
    Login takesToken(String pointer) {
        takes = pointer;
        return this;
    }

    /** The token is the value of this header. */
    Login takesHeader(String name) {
        takes = name;
        fromHeader = true;
        return this;
    }

    /** Requests carry the token in this header; {@code {token}} stands for it. */
    Login sendsAsHeader(String name, String value) {
        sendsAs = name;
        template = value;
        return this;
    }

    /** Requests carry the token in this parameter of the query. */
    Login sendsAsQuery(String name, String value) {
        inQuery = true;
        return sendsAsHeader(name, value);
    }

    /** Requests carry the cookies of the login. */
    Login takesCookies() {
        takesCookies = true;
        return this;
    }

    /** Sends the request, whatever is answered. */
    void ask() {
        request(new Session()).exchange();
    }

    /** Logs in. */
    Session send() throws Refused {
        Session session = new Session();
        Response answer = session.keep(request(session).exchange());
        if (answer.statusCode() == 403) {
            // A form that is guarded against forgery refuses what does not carry the token of its own page.
            Response page = session.keep(session.within(Mastor.callTo("GET", url)).exchange());
            session.guard = guard(page.asString());
            if (session.guard != null || session.cookies.containsKey("XSRF-TOKEN")) {
                answer = session.keep(request(session).exchange());
            }
        }
        int status = answer.statusCode();
        check(status < 400, url + " answered " + status);
        String location = answer.getHeader("Location");
        if (location != null && status >= 300) {
            String to = location.replaceAll("^.*[?#]", "");
            check(!to.contains("error") && !to.contains("fail"), url + " leads on to an error page");
        }
        if (takes != null) {
            String token = fromHeader ? answer.getHeader(takes) : token(answer);
            String place = fromHeader ? "header " : "body at ";
            check(token != null && !token.isEmpty(), url + " answered " + status + " without a token in the " + place + takes);
            session.token = template.replace("{token}", token);
        }
        check(!takesCookies || !session.cookies.isEmpty(), url + " answered " + status + " without a cookie");
        return session;
    }

    private Mastor.Call request(Session session) {
        boolean json = contentType != null && contentType.contains("json");
        String text = body;
        if (!fields.isEmpty()) {
            text = json ? json(fields) : form(fields);
        }
        Mastor.Call call = session.within(Mastor.callTo(method, url));
        if (session.guard != null && json) {
            call.header("X-CSRF-TOKEN", session.guard[1]);
        } else if (session.guard != null) {
            text = (text == null ? "" : text) + "&" + Mastor.encode(session.guard[0]) + "=" + Mastor.encode(session.guard[1]);
        }
        headers.forEach(header -> call.header(header[0], header[1]));
        if (contentType != null) {
            call.header("Content-Type", contentType);
        }
        return text == null ? call : call.text("application/x-www-form-urlencoded", text);
    }

    private static String json(Map<String, String> fields) {
        ObjectNode object = JSON.createObjectNode();
        fields.forEach(object::put);
        return object.toString();
    }

    private static String form(Map<String, String> fields) {
        List<String> pairs = new ArrayList<>();
        fields.forEach((name, value) -> pairs.add(Mastor.encode(name) + "=" + Mastor.encode(value)));
        return String.join("&", pairs);
    }

    /** The token at the JSON pointer; the whole text where the body is no JSON and the pointer is that of the whole. */
    private String token(Response answer) {
        String text = new String(answer.asByteArray(), StandardCharsets.UTF_8);
        if (!takes.isEmpty() && !takes.startsWith("/")) {
            return null;
        }
        try {
            JsonNode value = JSON.readTree(text).at(takes);
            return value.isTextual() || value.isNumber() ? value.asText() : null;
        } catch (JsonProcessingException e) {
            return takes.isEmpty() ? text.trim() : null;
        }
    }

    /** Name and value of the hidden field of a page that guards it against forgery. */
    private static String[] guard(String page) {
        Matcher tag = TAG.matcher(page);
        while (tag.find()) {
            String name = attribute(tag.group(), "name");
            String value = attribute(tag.group(), "value");
            value = value == null ? attribute(tag.group(), "content") : value;
            String lower = name == null ? "" : name.toLowerCase(Locale.ROOT);
            boolean guards = GUARD.matcher(lower).find() && !lower.endsWith("header") && !lower.contains("parameter");
            if (guards && value != null) {
                return new String[] {name, value};
            }
        }
        return null;
    }

    private static String attribute(String tag, String name) {
        Matcher found = Pattern.compile(name + "=(?:\"([^\"]*)\"|'([^']*)')").matcher(tag);
        return !found.find() ? null : found.group(1) == null ? found.group(2) : found.group(1);
    }

    private static void check(boolean holds, String otherwise) throws Refused {
        if (!holds) {
            throw new Refused(otherwise);
        }
    }

    /** The service does not let a user in. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String why) {
            super(why);
        }
    }

    /** What a login has given so far. */
    final class Session {
        private final Map<String, String> cookies = new LinkedHashMap<>();
        private String token;
        private String[] guard;

        private Response keep(Response answer) {
            for (String line : answer.getHeaders().getValues("Set-Cookie")) {
                String[] parts = line.split(";");
                String[] pair = parts[0].trim().split("=", 2);
                if (pair.length == 2) {
                    cookies.remove(pair[0]);
                    if (!pair[1].isEmpty() && !line.toLowerCase(Locale.ROOT).matches(".*; *max-age=0 *(;.*)?")) {
                        cookies.put(pair[0], pair[1]);
                    }
                }
            }
            return answer;
        }

        /** A request of the login itself carries all cookies. */
        private Mastor.Call within(Mastor.Call call) {
            cookies.forEach(call::cookie);
            if (cookies.containsKey("XSRF-TOKEN")) {
                call.header("X-XSRF-TOKEN", cookies.get("XSRF-TOKEN"));
            }
            return call;
        }

        /** A request as the user who has logged in; what it says itself stays. */
        Mastor.Call on(Mastor.Call call) {
            if (token != null && inQuery) {
                call.query(sendsAs, token);
            } else if (token != null && !call.says(sendsAs)) {
                call.header(sendsAs, token);
            }
            if (takesCookies) {
                cookies.forEach(call::addCookie);
                if (cookies.containsKey("XSRF-TOKEN") && !call.isSafe() && !call.says("X-XSRF-TOKEN")) {
                    call.header("X-XSRF-TOKEN", cookies.get("XSRF-TOKEN"));
                }
            }
            return call;
        }
    }
}
