// Made by mastor from the auth file: how users are authenticated. Change it and export again.
package mastor;

import io.restassured.response.Response;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
{%- macro text(user, it) -%}
{%- if it.text is defined -%}{{ it.text | java }}{%- else -%}secret({{ user.name | java }}, {{ (user.prefix ~ "_" ~ it.setting) | java }}){%- endif -%}
{%- endmacro %}


/** A user of the service, with what its login gave. Names and passwords come from settings. */
final class User {
    /** Logins on a 401 that may change nothing, before 401 is taken for what the service means. */
    private static final int USELESS = 3;

    private static final Map<String, User> KNOWN = new HashMap<>();

    private static boolean areMade;

    private final String name;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private Login maker;
    private boolean isMade;
    private Login login;
    private Login.Session session;
    private String refused;
    private int useless;

    private User(String name) {
        this.name = name;
    }

    static User named(String name) {
        User user = KNOWN.get(name);
        if (user == null) {
            user = make(name);
            KNOWN.put(name, user);
        }
        return user;
    }

    /** Makes the users whom the auth file says how to make, so that every request meets the same ones. */
    static void makeAll() {
        if (areMade) {
            return;
        }
        areMade = true;
{% for user in users %}
{% if user.account.made_by is not none %}
        named({{ user.name | java }}).make();
{% endif %}
{% endfor %}
    }

    /** The service is back in its first state: whoever was made is gone. */
    static void unmake() {
        areMade = false;
        KNOWN.values().removeIf(user -> user.maker != null);
    }

    /** Every user logs in anew when it is needed next. */
    static void forget() {
        areMade = false;
        KNOWN.clear();
    }

    private static User make(String name) {
        switch (name) {
{% for user in users %}
            case {{ user.name | java }}:
                return new User(name)
{% for header in user.account.headers %}
                        .header({{ header[0] | java }}, {{ text(user, header[1]) }}){% if loop.last and user.account.login is none %};{% endif %}

{% endfor %}
{% if user.account.made_by is not none %}
{% set made = user.account.made_by %}
                        .madeBy(new Login({{ made.method | java }}, {{ text(user, made.url) }})
                                .contentType({{ made.media_type | java }})
                                .body({{ text(user, made.body) }}))
{% endif %}
{% if user.account.login is not none %}
{% set login = user.account.login %}
                        .logsIn(new Login({{ login.method | java }}, {{ text(user, login.url) }})
{% for header in login.headers %}
                                .header({{ header[0] | java }}, {{ text(user, header[1]) }})
{% endfor %}
{% if login.media_type is not none %}
                                .contentType({{ login.media_type | java }})
{% endif %}
{% if login.body.fields is defined %}
                                .field({{ login.body.fields.username_field | java }}, {{ text(user, login.body.fields.username) }})
                                .field({{ login.body.fields.password_field | java }}, {{ text(user, login.body.fields.password) }})
{% elif login.body.raw is defined %}
                                .body({{ text(user, login.body.raw) }})
{% endif %}
{% if login.token is not none %}
                                .takes{% if login.token.from_header %}Header{% else %}Token{% endif %}({{ login.token.selector | java }})
                                .sendsAs{% if login.token.in_query %}Query{% else %}Header{% endif %}({{ login.token.name | java }}, {{ login.token.template | java }})
{% endif %}
{% if login.cookies %}
                                .takesCookies()
{% endif %}
                        );
{% endif %}
{% endfor %}
            default:
                throw new AssertionError("no user is named " + name);
        }
    }

    private User header(String header, String value) {
        headers.put(header, value);
        return this;
    }

    private User madeBy(Login by) {
        maker = by;
        return this;
    }

    private User logsIn(Login by) {
        login = by;
        return this;
    }

    private static String secret(String user, String variable) {
        String value = Mastor.setting(variable, null);
        if (value == null) {
            throw new AssertionError("no credentials for user " + user + ": set " + variable);
        }
        return value;
    }

    /** Sends a request as this user: logs in where that is needed and, where {@code renews} says so, once more on a 401. */
    Response send(Mastor.Call call, boolean renews) {
        make();
        if (login == null) {
            return authenticated(call).exchange();
        }
        logIn();
        Response answer = session.on(authenticated(call)).exchange();
        if (answer.statusCode() != 401 || !renews || useless >= USELESS) {
            return answer;
        }
        session = null;
        logIn();
        Response again = session.on(authenticated(call)).exchange();
        useless = again.statusCode() == 401 ? useless + 1 : 0;
        return again;
    }

    /** Makes the user once. One that is refused may be there already: its login says. */
    private void make() {
        if (maker != null && !isMade) {
            isMade = true;
            maker.ask();
        }
    }

    private Mastor.Call authenticated(Mastor.Call call) {
        Mastor.Call copy = call.copy();
        headers.forEach((header, value) -> {
            if (!copy.says(header)) {
                copy.header(header, value);
            }
        });
        return copy;
    }

    /** A login that was refused is not tried again: accounts are locked for less. */
    private void logIn() {
        if (refused == null && session == null) {
            try {
                session = login.send();
            } catch (Login.Refused e) {
                refused = e.getMessage();
            }
        }
        if (refused != null) {
            throw new AssertionError("user " + name + " could not log in: " + refused);
        }
    }
}
