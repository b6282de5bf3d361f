//! Context that influences only some operations: security rules, injected properties, initialisers that are not followed. A change of it is reported for
//! those operations, and all others stay the same.

use crate::opaque::MORE;
use crate::states::{between, report, states};

const HANDLERS: &str = "private final Limits limits; public C(Limits limits) { this.limits = limits; }
  @GetMapping(\"/open/notes\") public int open() { return 1; }
  @GetMapping(\"/mine/{id}\") public int mine(@PathVariable(\"id\") int id) { return id; }
  @GetMapping(\"/limits\") public String limits() { return limits.most(); }";

const LIMITS: &str = "package a; import org.springframework.beans.factory.annotation.Value; import org.vendor.*;
@org.springframework.stereotype.Component public class Limits {
  static final org.slf4j.Logger LOG = org.slf4j.LoggerFactory.getLogger(Limits.class);
  static final Ranking RANKING = Ranking.of(org.vendor.Order.FIRST.then());
  static final java.util.Set<String> KINDS = java.util.Set.of(\"a\", \"b\");
  private final String least; private final String top; private final java.util.List<String> slots = new java.util.ArrayList<>();
  public Limits(@Value(\"${limits.least}\") String least, @Value(\"${limits.size}\") int size, Source source) {
    for (int i = 0; i < size; i++) { slots.add(null); }
    this.least = least; this.top = source.top().orElseThrow(); }
  public String most() { LOG.info(\"most {}\", Pairs.kv(\"least\", least)); if (KINDS.contains(least)) { return RANKING.first(top); } return \"none\"; } }";

const CHAIN: &str = "package a; import org.springframework.context.annotation.*; import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
@Configuration public class Guards { @Bean SecurityFilterChain chain(HttpSecurity http) throws Exception {
  http.csrf(csrf -> csrf.disable()).authorizeHttpRequests(auth -> auth
    .requestMatchers(\"/open/**\").permitAll()
    .anyRequest().authenticated()).apply(org.vendor.Tokens.checked());
  return http.build(); } }";

/// The state of each operation and the reported changes, after `was` is replaced by `is` in a file.
fn said(file: &str, was: &str, is: &str) -> (Vec<String>, Vec<String>) {
    let mut files: Vec<(&str, &str)> = MORE.to_vec();
    files.extend([("Limits.java", LIMITS), ("Guards.java", CHAIN)]);
    let text = files.iter().find(|(name, _)| *name == file).map(|(_, text)| *text).unwrap();
    assert!(text.contains(was), "{was}");
    let repo = between(HANDLERS, HANDLERS, &files)
        .file(&format!("src/main/java/a/{file}"), text.replacen(was, is, 1))
        .commit("Changed");
    let report = report(&repo);
    let told = report["changes"].as_array().unwrap().iter().map(|one| {
        format!("{} {}", one["op_id"].as_str().unwrap_or_default(), one["what"].as_str().unwrap_or_default())
    });
    (states(&report).into_iter().map(|(op, state)| format!("{op} {state}")).collect(), told.collect())
}

#[test]
fn a_rule_for_other_paths_leaves_an_operation_as_it_was() {
    let rule = ".requestMatchers(\"/open/**\")";
    let (states, told) = said(
        "Guards.java",
        rule,
        ".requestMatchers(\"/health\", \"/metrics/**\").permitAll()\n    .requestMatchers(\"/open/**\")",
    );
    let all = ["GET /limits same", "GET /mine/{id} same", "GET /open/notes same"].map(str::to_owned);
    assert_eq!((states.as_slice(), told.as_slice()), (&all[..], &[][..]));
    // A rule for one operation is reported for that operation only.
    let (states, told) = said(
        "Guards.java",
        rule,
        ".requestMatchers(\"/mine/*\").hasRole(\"OWNER\")\n    .requestMatchers(\"/open/**\")",
    );
    assert!(
        told.iter().all(|what| what.contains("/mine/{id}"))
            && told.iter().any(|what| what.contains("`hasRole(\"OWNER\")`") && what.contains("`authenticated()`")),
        "{told:?}"
    );
    assert!(
        states.contains(&"GET /open/notes same".to_owned()) && states.contains(&"GET /mine/{id} changed".to_owned()),
        "{states:?}"
    );
    // A change in another part of the chain leaves no operation *same*.
    let (states, _) = said("Guards.java", "Tokens.checked()", "Tokens.unchecked()");
    assert!(states.len() == 3 && !states.iter().any(|state| state.ends_with(" same")), "{states:?}");
}

#[test]
fn of_roles_one_of_which_is_asked_the_order_says_nothing() {
    let rule = |roles: &str| {
        CHAIN.replacen(
            "    .anyRequest()",
            &format!("    .requestMatchers(\"/mine/*\").hasAnyRole({roles})\n    .anyRequest()"),
            1,
        )
    };
    let told = |roles: &str| {
        let before = rule("\"OWNER\", \"STAFF\"");
        let files: Vec<(&str, &str)> =
            MORE.iter().copied().chain([("Limits.java", LIMITS), ("Guards.java", before.as_str())]).collect();
        let repo =
            between(HANDLERS, HANDLERS, &files).file("src/main/java/a/Guards.java", rule(roles)).commit("Changed");
        report(&repo)["changes"].as_array().unwrap().len()
    };
    assert_eq!(told("\"STAFF\", \"OWNER\""), 0);
    assert_eq!(told("\"STAFF\", \"GUEST\""), 1);
}

#[test]
fn a_filter_or_an_interceptor_that_comes_is_told_where_it_may_answer() {
    let handlers = "@GetMapping(\"/x\") public String x() { return org.vendor.Texts.one(); }";
    let interceptor = |body: &str| {
        format!(
            "package a; import jakarta.servlet.http.*; import org.springframework.web.servlet.HandlerInterceptor;
@org.springframework.stereotype.Component public class Login implements HandlerInterceptor {{
  public boolean preHandle(HttpServletRequest q, HttpServletResponse s, Object handler) throws Exception {{ {body} }} }}"
        )
    };
    let file = "src/main/java/a/Login.java";
    let web = |name: &str| {
        format!(
            "package a; import org.springframework.web.servlet.config.annotation.*;
@org.springframework.context.annotation.Configuration public class Web implements WebMvcConfigurer {{
  @Override public void addInterceptors(InterceptorRegistry registry) {{ registry.addInterceptor(new {name}()); }} }}"
        )
    };
    let comes = |body: &str| {
        let repo = between(handlers, handlers, &[]).file(file, interceptor(body));
        let repo = repo.file("src/main/java/a/Web.java", web("Login")).commit("Login");
        let report = report(&repo);
        let whats = report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned());
        (states(&report).remove(0).1, whats.collect::<Vec<_>>())
    };
    // An interceptor that the analysis follows is reported with its status.
    let (state, told) = comes("if (!org.vendor.Keys.has(q)) { s.sendError(401); return false; } return true;");
    assert!(state == "changed" && told[0].starts_with("`Login` is new, and may answer 401"), "{state} {told:?}");
    let asks = "return org.vendor.Keys.check(q, s);";
    let (state, told) = comes(asks);
    assert_eq!(
        (state.as_str(), &*told),
        ("changed", &["`Login` is new, and may answer before the handler runs".to_owned()][..])
    );
    // An interceptor that is not registered is not reported.
    let alone = report(&between(handlers, handlers, &[]).file(file, interceptor(asks)).commit("Unused"));
    assert_eq!(alone["changes"], serde_json::json!([]));
    // An interceptor that lets every request pass may have other effects: undecided.
    assert_eq!(comes("org.vendor.Audit.seen(q); return true;"), ("undecided".to_owned(), Vec::new()));
    let goes = |after: &str, more: &[(&str, &str)]| {
        let first = [("Login.java", &*interceptor(asks)), ("Web.java", &web("Login"))];
        let repo = between(handlers, after, &first).remove(file).remove("src/main/java/a/Web.java");
        let repo = more.iter().fold(repo, |repo, (name, text)| repo.file(&format!("src/main/java/a/{name}"), text));
        let report = report(&repo.commit("Gone"));
        let whats = report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned());
        (states(&report).remove(0).1, whats.collect::<Vec<_>>())
    };
    let gone = "`Login` is gone, which could answer before the handler ran".to_owned();
    assert_eq!(goes(handlers, &[]), ("changed".to_owned(), vec![gone]));
    // Undecided if the handler or another interceptor may have taken over the check.
    let by_hand =
        handlers.replace("return", "if (org.vendor.Gate.isShut()) { throw new IllegalStateException(); } return");
    assert_eq!(goes(&by_hand, &[]), ("undecided".to_owned(), Vec::new()));
    let renamed = interceptor(asks).replace("class Login", "class Entry");
    let both = [("Entry.java", &*renamed), ("Web.java", &web("Entry"))];
    assert_eq!(goes(handlers, &both), ("same".to_owned(), Vec::new()));
}

#[test]
fn what_an_annotation_of_a_class_says_otherwise_is_told_and_what_lombok_makes_of_it_is_not() {
    let note = |marks: &str| {
        format!(
            "package a; {marks} public class Kept {{ private String text; public String getText() {{ return text; }} public void setText(String text) {{ this.text = text; }} }}"
        )
    };
    let handlers =
        "private final org.vendor.Rows<Kept> rows; public C(org.vendor.Rows<Kept> rows) { this.rows = rows; }
      @GetMapping(\"/x\") public Kept x() { Kept kept = new Kept(); kept.setText(rows.name()); return kept; }";
    let said = |was: &str, is: &str| {
        let repo =
            between(handlers, handlers, &[("Kept.java", &note(was))]).file("src/main/java/a/Kept.java", note(is));
        let report = report(&repo.commit("Marked"));
        let whats = report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned());
        (states(&report).remove(0).1, whats.collect::<Vec<_>>())
    };
    let (state, told) =
        said("@Table(name = \"kept\")", "@Table(name = \"kept\", indexes = {@Index(columnList = \"text\")})");
    let what = "`@Table(name = \"kept\", indexes = @Index(columnList = \"text\"))` stands where `@Table(name = \"kept\")` stood on `Kept`";
    assert_eq!((state.as_str(), &*told), ("changed", &[what.to_owned()][..]));
    // `@Builder` removes Java's default constructor, unless the class declares constructors itself.
    let made = "@NoArgsConstructor @AllArgsConstructor";
    assert_eq!(said(&format!("{made} @Builder"), made), ("same".to_owned(), Vec::new()));
    assert_eq!(said("", "@Builder"), ("undecided".to_owned(), Vec::new()));
    // An unknown annotation leaves the operation undecided.
    assert_eq!(said("", "@org.vendor.Kept"), ("undecided".to_owned(), Vec::new()));
}

#[test]
fn another_text_in_a_list_of_a_configuration_is_told_by_the_text() {
    let config = |origins: &str| {
        format!(
            "package a; import org.springframework.web.servlet.config.annotation.*;
@org.springframework.context.annotation.Configuration public class Web implements WebMvcConfigurer {{
  @Override public void addCorsMappings(CorsRegistry registry) {{
    registry.addMapping(\"/**\").allowedOrigins({origins}).allowedMethods(\"GET\").allowCredentials(true); }} }}"
        )
    };
    let handlers = "@GetMapping(\"/x\") public String x() { return org.vendor.Texts.one(); }";
    let said = |origins: &str| {
        let repo = between(handlers, handlers, &[("Web.java", &config("\"http://a.example\""))]);
        let report = report(&repo.file("src/main/java/a/Web.java", config(origins)).commit("Origins"));
        let whats = report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned());
        (states(&report).remove(0).1, whats.collect::<Vec<_>>())
    };
    let (state, told) = said("\"http://a.example\", \"http://b.example\"");
    assert_eq!(state, "changed");
    assert!(told[0].contains("allowedOrigins` with `\"http://b.example\"` where it was `nothing`"), "{told:?}");
    // Origins computed by library code may be equal to the old ones.
    assert_eq!(said("org.vendor.Origins.of(1), org.vendor.Origins.of(2)").0, "undecided");
}

#[test]
fn a_transaction_that_comes_or_goes_is_told_unless_it_only_reads() {
    let service = |mark: &str| {
        format!(
            "package a; import org.springframework.stereotype.Service; import org.springframework.transaction.annotation.Transactional;
@Service public class Both {{ private final ArticleStore store; public Both(ArticleStore store) {{ this.store = store; }}
  {mark} public void both(Article one, Article other) {{ store.save(one); store.save(other); }} }}"
        )
    };
    let handlers = "private final Both both; public C(Both both) { this.both = both; }
      @PostMapping(\"/x\") public int x() { both.both(new Article(), new Article()); return 1; }";
    let told = |mark: &str| {
        let before = service("@Transactional");
        let files: Vec<(&str, &str)> = MORE.iter().copied().chain([("Both.java", before.as_str())]).collect();
        let repo =
            between(handlers, handlers, &files).file("src/main/java/a/Both.java", service(mark)).commit("Changed");
        let report = report(&repo);
        let whats = report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned());
        whats.collect::<Vec<_>>()
    };
    assert_eq!(told(""), ["`@Transactional` is gone on `Both#both`"]);
    assert!(told("@Transactional ").is_empty());
}

#[test]
fn another_property_that_the_container_gives_is_told() {
    let (states, told) = said("Limits.java", "${limits.least}", "${limits.lowest}");
    assert_eq!(states, ["GET /limits changed"], "{told:?}");
    assert!(
        told.iter()
            .any(|what| what.contains("@Value(\"${limits.lowest}\")") && what.contains("@Value(\"${limits.least}\")")),
        "{told:?}"
    );
}

#[test]
fn what_initialisers_that_are_not_followed_leave_is_one_value_in_both_revisions() {
    let (states, told) = said("Limits.java", "return \"none\";", "String none = \"none\"; return none;");
    assert_eq!((states.as_slice(), told.as_slice()), (&["GET /limits same".to_owned()][..], &[][..]));
    // A logging statement changes nothing, wherever it stands.
    let (states, _) =
        said("Limits.java", "this.least = least;", "LOG.info(\"at least {}\", least); this.least = least;");
    assert_eq!(states, ["GET /limits same"]);
    // A library call inside the logging statement may fail.
    let (states, _) = said("Limits.java", "Pairs.kv(\"least\", least)", "Pairs.kv(least, \"least\")");
    assert_eq!(states, ["GET /limits undecided"]);
    // A changed initialiser may give another value.
    let (states, _) = said("Limits.java", "Order.FIRST", "Order.LAST");
    assert_ne!(states, ["GET /limits same"]);
    // A constant is known although its neighbour's initialiser is not followed.
    let (states, told) = said("Limits.java", "Set.of(\"a\", \"b\")", "Set.of(\"a\", \"c\")");
    assert_eq!(states, ["GET /limits changed"], "{told:?}");
}

#[test]
fn what_only_code_can_call_and_how_beans_are_wired_is_compared_where_it_is_used() {
    // A new private method that nothing calls, and `@Autowired` on the only constructor, change nothing.
    let helper = "private int half(int all) { return all / 2; }\n  public String most() { String none = null; ";
    let (states, told) = said("Limits.java", "public String most() { ", helper);
    assert_eq!((states.as_slice(), told.as_slice()), (&["GET /limits same".to_owned()][..], &[][..]));
    let marked = "@org.springframework.beans.factory.annotation.Autowired public Limits(@Value";
    let (states, told) = said("Limits.java", "public Limits(@Value", marked);
    assert_eq!((states.as_slice(), told.as_slice()), (&["GET /limits same".to_owned()][..], &[][..]));
    // Actuator settings influence no operation of the API.
    let files: Vec<(&str, &str)> =
        MORE.iter().copied().chain([("Limits.java", LIMITS), ("Guards.java", CHAIN)]).collect();
    let settings = "src/main/resources/application.properties";
    let with = |key: &str| {
        let repo =
            between(HANDLERS, HANDLERS, &files).file(settings, "limits.least=1\n").commit("Settings").branch("other");
        let repo = repo.file(settings, format!("limits.least=1\n{key}=a\n")).commit("More settings");
        let report = repo.run(["ci", "--since", "feature", "--format", "json"]).json();
        states_of(&report)
    };
    assert_eq!(with("management.endpoints.web.exposure.include"), ["same"; 3]);
    assert_eq!(with("spring.mvc.problemdetails.enabled"), ["changed"; 3]);
}

fn states_of(report: &serde_json::Value) -> Vec<String> {
    states(report).into_iter().map(|(_, state)| state).collect()
}

#[test]
fn what_scripts_say_of_a_table_is_told_for_who_uses_it() {
    let entity = "package a; import jakarta.persistence.*; @Entity @Table(name = \"notes\") public class Note { @Id Long id; String text; public String getText() { return text; } }";
    let rows = "package a; public interface NoteRows extends org.springframework.data.jpa.repository.JpaRepository<Note, Long> { }";
    let handlers = "private final NoteRows rows; public C(NoteRows rows) { this.rows = rows; }
      @GetMapping(\"/notes/{id}\") public String one(@PathVariable(\"id\") Long id) { return rows.findById(id).orElseThrow().getText(); }
      @GetMapping(\"/plain\") public int plain() { return 1; }";
    let files = [("Note.java", entity), ("NoteRows.java", rows)];
    let first = "src/main/resources/db/migration/V1__notes.sql";
    let repo = between(handlers, handlers, &files)
        .file(first, "create table notes (id bigint primary key, text varchar(40));\n")
        .commit("Table")
        .branch("other")
        .file("src/main/resources/db/migration/V2__less.sql", "alter table notes drop column text;\n")
        .commit("Less");
    let report = repo.run(["ci", "--since", "feature", "--format", "json"]).json();
    let told: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert_eq!(told, ["the table `notes` no longer has the column `text`"], "{}", report["compared"]);
}

#[test]
fn an_error_page_is_asked_by_nobody_where_no_session_is_kept() {
    let chain = |session: &str, open: &str| {
        format!(
            "package a; import org.springframework.context.annotation.*; import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.config.annotation.web.builders.HttpSecurity; import org.springframework.security.config.http.SessionCreationPolicy;
@Configuration public class Guards {{ @Bean SecurityFilterChain chain(HttpSecurity http) throws Exception {{
  http.csrf(csrf -> csrf.disable()){session}.authorizeHttpRequests(auth -> auth
    .requestMatchers({open}).permitAll().anyRequest().authenticated());
  return http.build(); }} }}"
        )
    };
    let handlers = "private final org.vendor.Gate gate; public C(org.vendor.Gate gate) { this.gate = gate; }
      @GetMapping(\"/open/{name}\") public String open(@PathVariable(\"name\") String name) {
        if (gate.hasKey(name)) { throw new Denied(); } return gate.getText(name); }";
    let told = |session: &str, open: &str| -> Vec<String> {
        let guards = chain(session, open);
        let files: Vec<(&str, &str)> = MORE
            .iter()
            .copied()
            .filter(|(name, _)| *name != "TokenFilter.java")
            .chain([("Guards.java", guards.as_str())])
            .collect();
        let repo = between(handlers, &handlers.replace("new Denied()", "new IllegalStateException()"), &files);
        let starter = "<dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-security</artifactId></dependency>";
        let pom = repo.read("pom.xml").replacen("<dependencies>", &format!("<dependencies>{starter}"), 1);
        let repo = repo.file("pom.xml", &pom).commit("Security").branch("next");
        let controller =
            repo.read("src/main/java/a/C.java").replace("IllegalStateException", "IllegalArgumentException");
        let before = controller.replace("new IllegalArgumentException()", "new Denied()");
        let repo = repo.file("src/main/java/a/C.java", before).commit("Before").branch("last");
        let repo = repo.file("src/main/java/a/C.java", controller).commit("After");
        let report = repo.run(["ci", "--since", "next", "--format", "json"]).json();
        let changes = report["changes"].as_array().unwrap().iter();
        changes.map(|change| change["what"].as_str().unwrap().to_owned()).collect()
    };
    let stateless = ".sessionManagement(s -> s.sessionCreationPolicy(SessionCreationPolicy.STATELESS))";
    let says = |told: &[String], what: &str| told.iter().any(|one| one.contains(what));
    let kept = told("", "\"/open/**\"");
    assert!(says(&kept, "answers 500"), "{kept:?}");
    let guarded = told(stateless, "\"/open/**\"");
    assert!(!says(&guarded, "500"), "{guarded:?}");
    let open = told(stateless, "\"/open/**\", \"/error\"");
    assert!(says(&open, "answers 500"), "{open:?}");
}

#[test]
fn a_bean_that_makes_servlet_filters_stands_around_every_operation() {
    let gates = |path: &str| {
        format!(
            "package a; import org.springframework.context.annotation.*;
@Configuration public class Gates {{ @Bean public org.vendor.GateFilterFactoryBean gate() {{
  org.vendor.GateFilterFactoryBean gate = new org.vendor.GateFilterFactoryBean(); gate.setClosed(\"{path}\"); return gate; }}
  static String aside() {{ return \"other\"; }} }}"
        )
    };
    let file = "src/main/java/a/Gates.java";
    let mut files: Vec<(&str, &str)> = MORE.to_vec();
    let was = gates("/open");
    files.extend([("Limits.java", LIMITS), ("Gates.java", was.as_str())]);
    let repo = between(HANDLERS, HANDLERS, &files).file(file, gates("/mine")).commit("Another gate");
    assert_eq!(states(&report(&repo)).len(), 3, "each operation is affected");
    let repo = between(HANDLERS, HANDLERS, &files).file(file, was.replace("\"other\"", "\"new\"")).commit("Beside it");
    assert_eq!(states(&report(&repo)).len(), 0, "nobody calls it");
}

#[test]
fn what_a_filter_that_comes_may_do_is_said() {
    let handlers = "@GetMapping(\"/x\") public String x() { return org.vendor.Texts.one(); }";
    let comes = |code: &str| {
        let repo = between(handlers, handlers, &[]);
        let head = "package a; import org.springframework.web.server.*; import reactor.core.publisher.Mono; import jakarta.servlet.*; import jakarta.servlet.http.*;
import org.springframework.web.filter.OncePerRequestFilter; import org.springframework.security.core.context.SecurityContextHolder;
@org.springframework.stereotype.Component public class Gate";
        let repo = repo.file("src/main/java/a/Gate.java", format!("{head} {code}"));
        let report = report(&repo.commit("A filter"));
        let told = report["changes"].as_array().unwrap().first().map(|one| one["what"].as_str().unwrap().to_owned());
        (states(&report).remove(0).1, told.unwrap_or_default())
    };
    let reactive = |body: &str| {
        comes(&format!(
            "implements WebFilter {{ public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {{ {body} }} }}"
        ))
    };
    let found = reactive(
        "if (org.vendor.Keys.has(exchange)) { exchange.getResponse().setStatusCode(org.springframework.http.HttpStatus.FORBIDDEN); return exchange.getResponse().setComplete(); }
         return chain.filter(exchange);",
    );
    assert_eq!(found, ("changed".to_owned(), "`Gate` is new, and may answer 403 before the handler runs".to_owned()));
    let (state, told) = reactive("return Mono.empty();");
    assert_eq!((&*state, &*told), ("changed", "`Gate` is new, and may answer before the handler runs"));
    let (state, told) = reactive("org.vendor.Audit.seen(exchange); return chain.filter(exchange);");
    assert_eq!((&*state, &*told), ("undecided", ""));
    let of_servlets = |body: &str| {
        comes(&format!(
            "extends OncePerRequestFilter {{ protected void doFilterInternal(HttpServletRequest q, HttpServletResponse s, FilterChain chain) throws java.io.IOException, ServletException {{ {body} }} }}"
        ))
    };
    let (state, told) = of_servlets(
        "SecurityContextHolder.getContext().setAuthentication(org.vendor.Tokens.read(q)); chain.doFilter(q, s);",
    );
    assert_eq!((&*state, &*told), ("changed", "`Gate` is new, and may say who the caller is"));
    let (state, told) =
        of_servlets("try { chain.doFilter(q, s); } catch (Exception e) { org.vendor.Audit.failed(e); }");
    assert_eq!((&*state, &*told), ("changed", "`Gate` is new, and catches what the handler throws"));
    let (state, told) = of_servlets("org.vendor.Audit.seen(q); chain.doFilter(q, s);");
    assert_eq!((&*state, &*told), ("undecided", ""));
}
