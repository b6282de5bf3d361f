//! Oracles for what runs before and after a handler: Spring Security, filters, interceptors, error pages, views.

use mastor::derive::Derived;
use mastor::types::Method;
use mastor::types::suite::assertion::Check;

use crate::loaded::Service;

fn pom(boot: &str, artifact: &str) -> String {
    format!(
        "<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>\
         <version>{boot}</version></parent><artifactId>shop</artifactId><dependencies><dependency>\
         <groupId>org.springframework.boot</groupId><artifactId>{artifact}</artifactId></dependency></dependencies></project>"
    )
}

const CONTROLLER: &str = "package a; import org.springframework.web.bind.annotation.*; import java.security.Principal; \
    import org.springframework.security.access.annotation.Secured; \
    @RestController public class C { \
    @GetMapping(\"/open\") public String open() { return \"open\"; } \
    @GetMapping(\"/admin/{id}\") public String admin(@PathVariable int id) { return \"\" + id; } \
    @PostMapping(\"/open\") public String post() { return \"made\"; } \
    @Secured(\"ROLE_USER\") @GetMapping(\"/mine\") public String mine() { return \"mine\"; } \
    @GetMapping(\"/who\") public String who(Principal who) { return who.getName(); } }";

fn service(boot: &str, more: &[(&str, &str)]) -> Service {
    let mut files = vec![
        ("pom.xml".to_owned(), pom(boot, "spring-boot-starter-security")),
        ("src/main/java/a/C.java".to_owned(), CONTROLLER.to_owned()),
    ];
    files.extend(more.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    Service::of(files)
}

/// The derived statuses in the order of the oracles, without consecutive repetitions.
fn statuses(derived: &Derived) -> Vec<u16> {
    let mut found: Vec<u16> = derived.candidates.iter().flat_map(|one| one.oracle.statuses()).collect();
    found.dedup();
    found
}

fn on(service: &Service, method: Method, path: &str) -> Vec<u16> {
    statuses(&service.derive(method, path))
}

const IMPORTS: &str = "package a; import org.springframework.context.annotation.*; \
    import org.springframework.security.config.annotation.web.builders.*; \
    import org.springframework.security.config.annotation.web.configuration.*; \
    import org.springframework.security.config.annotation.method.configuration.*; \
    import org.springframework.security.web.SecurityFilterChain; import org.springframework.http.HttpMethod; ";

fn configured(body: &str) -> String {
    format!(
        "{IMPORTS} @Configuration @EnableGlobalMethodSecurity(securedEnabled = true) \
         public class S extends WebSecurityConfigurerAdapter {{ \
         protected void configure(HttpSecurity http) throws Exception {{ {body} }} }}"
    )
}

#[test]
fn an_adapter_guards_what_its_rules_say() {
    let basic = configured(
        "http.csrf().disable().headers().frameOptions().disable().and().authorizeRequests()\
         .antMatchers(HttpMethod.OPTIONS, \"/**\").permitAll().antMatchers(\"/admin/**\").access(\"hasRole('ADMIN')\")\
         .and().httpBasic();",
    );
    let service = service("2.1.3.RELEASE", &[("src/main/java/a/S.java", &basic)]);
    assert_eq!(on(&service, Method::Get, "/open"), [200]);
    assert_eq!(on(&service, Method::Post, "/open"), [200]);
    // The security rule answers before the handler, so one request is enough, whatever the path variable is.
    let admin = service.derive(Method::Get, "/admin/{id}");
    assert_eq!(statuses(&admin), [401]);
    assert_eq!(admin.candidates.len(), 1);
    // For authorised callers, the source context is that of the handler.
    assert_eq!(admin.context.response_schema.success_status, Some(200));
    let cases: Vec<u16> = admin.context.response_schema.error_cases.iter().map(|case| case.status).collect();
    assert_eq!(cases, [400, 401]);
    // `@Secured` on a method is checked after its arguments are bound.
    assert_eq!(on(&service, Method::Get, "/mine"), [401]);
    // An anonymous request has no principal, so the handler fails.
    assert_eq!(on(&service, Method::Get, "/who"), [500]);
}

#[test]
fn a_page_to_log_in_at_is_where_callers_are_sent() {
    let form = configured(
        "http.csrf().disable().authorizeRequests().antMatchers(\"/open\").permitAll().anyRequest().authenticated()\
         .and().formLogin().loginPage(\"/enter\").permitAll();",
    );
    let service = service("2.1.3.RELEASE", &[("src/main/java/a/S.java", &form)]);
    assert_eq!(on(&service, Method::Get, "/open"), [200]);
    let mine = service.derive(Method::Get, "/mine");
    assert_eq!(statuses(&mine), [302]);
    let header = mine.candidates[0].oracle.assertions.iter().find_map(|one| match &one.check {
        Check::Header { name, expected, .. } => Some((name.clone(), expected.clone())),
        _ => None,
    });
    let (name, expected) = header.unwrap();
    let pattern = regex::Regex::new(expected.unwrap().as_str().unwrap()).unwrap();
    assert_eq!(name, "Location");
    assert!(pattern.is_match("http://localhost:8080/enter;jsessionid=1"));
    assert!(!pattern.is_match("http://localhost:8080/entered"));
}

#[test]
fn releases_differ_in_what_a_missing_token_against_forgery_answers() {
    let all = configured("http.authorizeRequests().anyRequest().permitAll().and().httpBasic();");
    let other = configured(
        "http.authorizeRequests().antMatchers(\"/open\").permitAll().anyRequest().authenticated().and().httpBasic();",
    );
    let of = |boot: &str, text: &str| on(&service(boot, &[("src/main/java/a/S.java", text)]), Method::Post, "/open");
    assert_eq!(of("2.1.3.RELEASE", &all), [403]);
    // The error page is protected too, and asks for a password.
    assert_eq!(of("2.1.3.RELEASE", &other), [401]);
    assert_eq!(of("1.5.4.RELEASE", &other), [403]);
}

#[test]
fn a_chain_of_lambdas_is_closed_where_no_rule_fits() {
    let chain = format!(
        "{IMPORTS} @Configuration public class S {{ @Bean SecurityFilterChain chain(HttpSecurity http) throws Exception {{ \
         http.csrf(csrf -> csrf.disable()); http.authorizeHttpRequests(auth -> {{ \
         auth.requestMatchers(\"/open\", \"/who\").permitAll(); }}); return http.build(); }} }}"
    );
    let service = service("3.2.0", &[("src/main/java/a/S.java", &chain)]);
    assert_eq!(on(&service, Method::Get, "/open"), [200]);
    assert_eq!(on(&service, Method::Get, "/mine"), [403]);
    // The failure is forwarded to the error page, which is protected as well.
    assert_eq!(on(&service, Method::Get, "/who"), [403]);
}

#[test]
fn what_is_not_read_leaves_every_status_open() {
    let odd = configured("if (true) { http.csrf().disable(); }");
    let service = service("2.1.3.RELEASE", &[("src/main/java/a/S.java", &odd)]);
    let open = service.derive(Method::Get, "/open");
    assert!(open.candidates.is_empty());
    assert!(open.notes.iter().any(|note| note == "the security configuration is not understood"), "{:?}", open.notes);
}

#[test]
fn without_a_configuration_everything_is_guarded() {
    assert_eq!(on(&service("2.1.3.RELEASE", &[]), Method::Get, "/open"), [401]);
    let off =
        service("1.5.4.RELEASE", &[("src/main/resources/application.properties", "security.basic.enabled=false")]);
    assert_eq!(on(&off, Method::Get, "/open"), [200]);
    let open = configured("http.authorizeRequests().anyRequest().permitAll();");
    // `@Secured` has no effect unless method security is enabled.
    let plain = open.replace("@EnableGlobalMethodSecurity(securedEnabled = true)", "");
    assert_eq!(on(&service("2.1.3.RELEASE", &[("src/main/java/a/S.java", &plain)]), Method::Get, "/mine"), [200]);
}

fn filtered(filter: &str, more: &str) -> Service {
    let filter = format!(
        "package a; import javax.servlet.Filter; import javax.servlet.FilterChain; \
         import javax.servlet.ServletException; import javax.servlet.ServletRequest; import javax.servlet.ServletResponse; \
         import javax.servlet.http.HttpServletRequest; import javax.servlet.http.HttpServletResponse; import java.io.IOException; \
         import org.springframework.stereotype.Component; @Component public class F implements Filter {{ \
         public void doFilter(ServletRequest req, ServletResponse res, FilterChain chain) throws IOException, ServletException {{ \
         HttpServletRequest request = (HttpServletRequest) req; HttpServletResponse response = (HttpServletResponse) res; \
         {filter} }} }}"
    );
    Service::of([
        ("pom.xml", pom("2.1.3.RELEASE", "spring-boot-starter-web")),
        ("src/main/java/a/C.java", CONTROLLER.to_owned()),
        ("src/main/java/a/F.java", filter),
        ("src/main/java/a/More.java", format!("package a; {more}")),
    ])
}

#[test]
fn a_filter_that_passes_on_changes_nothing() {
    let cors = "response.setHeader(\"Access-Control-Allow-Origin\", \"*\"); \
        if (\"OPTIONS\".equalsIgnoreCase(request.getMethod())) { response.setStatus(HttpServletResponse.SC_OK); } \
        else { chain.doFilter(req, res); }";
    assert_eq!(on(&filtered(cors, "class More {}"), Method::Get, "/open"), [200]);
    let token = "String token = request.getHeader(\"Authorization\"); if (token != null) { Tokens.read(token); } \
        chain.doFilter(request, response);";
    assert_eq!(
        on(&filtered(token, "class Tokens { static native void read(String s); }"), Method::Get, "/open"),
        [200]
    );
}

#[test]
fn a_filter_that_answers_by_itself_decides() {
    let guard =
        "if (request.getHeader(\"X-Key\") == null) { response.sendError(401); return; } chain.doFilter(req, res);";
    assert_eq!(on(&filtered(guard, "class More {}"), Method::Get, "/open"), [401]);
    // Filter code that is not followed leaves the status open.
    let odd = "chain.doFilter(new Wrapper(request), res);";
    let wrapper = "class Wrapper extends javax.servlet.http.HttpServletRequestWrapper { \
        Wrapper(javax.servlet.http.HttpServletRequest request) { super(request); } }";
    assert!(on(&filtered(odd, wrapper), Method::Get, "/open").is_empty());
}

#[test]
fn a_filter_that_catches_what_handlers_throw_answers_for_them() {
    let on_who = |caught: &str| {
        let service = filtered(&format!("try {{ chain.doFilter(req, res); }} {caught}"), "class More {}");
        assert_eq!(on(&service, Method::Get, "/open"), [200], "{caught}");
        on(&service, Method::Get, "/who")
    };
    assert_eq!(on_who("finally { }"), [500]);
    assert_eq!(on_who("catch (Exception e) { response.setStatus(HttpServletResponse.SC_UNAUTHORIZED); }"), [401]);
    assert_eq!(on_who("catch (ServletException e) { response.sendError(418); }"), [418]);
    // Spring wraps a handler's exception in another class, and a rethrown exception is not handled.
    assert_eq!(on_who("catch (IllegalStateException e) { response.setStatus(401); }"), [500]);
    assert_eq!(on_who("catch (Exception e) { throw new ServletException(e); }"), [500]);
    // One path through the filter catches nothing.
    let two_ways = "if (request.getHeader(\"X\") == null) { chain.doFilter(req, res); return; } try { chain.doFilter(req, res); } \
        catch (Exception e) { response.setStatus(401); }";
    assert!(on(&filtered(two_ways, "class More {}"), Method::Get, "/who").is_empty());
    // Which of the two statuses it sets is unknown.
    assert!(on_who("catch (Exception e) { response.setStatus(e.getCause() == null ? 401 : 403); }").is_empty());
}

#[test]
fn an_error_page_of_the_project_leaves_errors_open_and_nothing_else() {
    let page = "@org.springframework.stereotype.Controller \
        class More implements org.springframework.boot.web.servlet.error.ErrorController { }";
    let service = filtered("chain.doFilter(req, res);", page);
    assert_eq!(on(&service, Method::Get, "/open"), [200]);
    assert!(on(&service, Method::Get, "/who").is_empty());
    assert_eq!(on(&service, Method::Get, "/admin/{id}"), [200]);
}

#[test]
fn an_interceptor_is_run_and_a_converter_counts_for_its_own_type() {
    let more = "@org.springframework.stereotype.Component \
        class More extends org.springframework.web.servlet.handler.HandlerInterceptorAdapter { \
        @Override public boolean preHandle(javax.servlet.http.HttpServletRequest request, \
        javax.servlet.http.HttpServletResponse response, Object handler) throws Exception { \
        request.getSession(true).setAttribute(\"seen\", true); return super.preHandle(request, response, handler); } } \
        @org.springframework.stereotype.Component \
        class Named implements org.springframework.core.convert.converter.Converter<String, More> { \
        public More convert(String text) { return null; } }";
    assert_eq!(on(&filtered("chain.doFilter(req, res);", more), Method::Get, "/open"), [200]);
}

#[test]
fn a_handler_that_redirects_says_where_to() {
    let service = Service::of([(
        "src/main/java/a/V.java",
        "package a; import org.springframework.web.bind.annotation.*; import org.springframework.stereotype.Controller; \
         import javax.servlet.http.HttpServletResponse; \
         @Controller public class V { @GetMapping(\"/old\") public String old() { return \"redirect:/new\"; } \
         @GetMapping(\"/gone\") @ResponseBody public String gone(HttpServletResponse response) { response.setStatus(410); return \"gone\"; } }",
    )]);
    let old = service.derive(Method::Get, "/old");
    assert_eq!(statuses(&old), [302]);
    assert_eq!(old.candidates[0].oracle.assertions.len(), 2);
    assert_eq!(on(&service, Method::Get, "/gone"), [410]);
}

#[test]
fn what_is_bundled_and_never_changed_is_known() {
    let service = |more: &str| {
        Service::of([
            ("src/main/resources/lands.json", "[{\"code\": \"AF\", \"size\": 3}, {\"code\": \"BE\", \"size\": 5}]".to_owned()),
            (
                "src/main/java/a/Land.java",
                "package a; public class Land { private String code; private int size; \
                 public String getCode() { return code; } public int getSize() { return size; } \
                 public void setSize(int size) { this.size = size; } }"
                    .to_owned(),
            ),
            (
                "src/main/java/a/Lands.java",
                "package a; import java.util.ArrayList; import java.util.List; import java.io.InputStreamReader; \
                 import com.google.gson.Gson; import com.google.gson.stream.JsonReader; \
                 public class Lands { private static List<Land> lands; \
                 private Lands() { load(); } \
                 private static class Holder { private static final Lands ONE = new Lands(); } \
                 public static Lands one() { return Holder.ONE; } \
                 private void load() { lands = new ArrayList<>(); try { \
                 JsonReader reader = new JsonReader(new InputStreamReader(Lands.class.getClassLoader().getResourceAsStream(\"lands.json\"), \"UTF-8\")); \
                 reader.beginArray(); while (reader.hasNext()) { Land land = new Gson().fromJson(reader, Land.class); \
                 List<Land> all = new ArrayList<>(lands); all.add(land); lands = all; } } catch (Exception e) { throw new RuntimeException(e); } } \
                 public Land find(String code) { for (Land land : lands) { if (land.getCode().equals(code)) { return land; } } return null; } }"
                    .to_owned(),
            ),
            (
                "src/main/java/a/R.java",
                format!(
                    "package a; import org.springframework.web.bind.annotation.*; import org.springframework.http.ResponseEntity; \
                     @RestController public class R {{ @GetMapping(\"/lands/{{code}}\") public ResponseEntity<Land> land(@PathVariable String code) {{ \
                     Land land = Lands.one().find(code); if (land == null) {{ return ResponseEntity.notFound().build(); }} {more} \
                     return ResponseEntity.ok(land); }} }}"
                ),
            ),
        ])
    };
    let known = service("").derive(Method::Get, "/lands/{code}");
    let mut found = statuses(&known);
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, [200, 404], "{:?}", known.notes);
    let size = known.candidates.iter().flat_map(|one| &one.oracle.assertions).find_map(|one| match &one.check {
        Check::Field { path, expected, .. } if path == "size" => expected.clone(),
        _ => None,
    });
    assert!(size.is_some());
    // A handler that changes the loaded data makes this data uncertain.
    let changed = service("land.setSize(7);").derive(Method::Get, "/lands/{code}");
    assert!(!statuses(&changed).contains(&200), "{:?}", statuses(&changed));
}
