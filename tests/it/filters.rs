//! Filters affect the operations below their registered paths, and beans beside a filter chain affect the operations that use them.

use mastor::types::Method;

use crate::loaded::Service;
use crate::support::Repo;

const PATH: &str = "src/main/java/a/C.java";

fn service(registration: &str, more: &str) -> Repo {
    let code = format!(
        "package a; import java.util.*; import org.springframework.web.bind.annotation.*; import org.springframework.context.annotation.*;\n\
         import org.springframework.boot.web.servlet.FilterRegistrationBean; import org.springframework.web.filter.OncePerRequestFilter;\n\
         import org.springframework.security.web.SecurityFilterChain;\n\
         @RestController class C {{ @GetMapping(\"/admin/{{id}}\") String admin() {{ return \"1\"; }} @GetMapping(\"/shop\") String shop() {{ return \"1\"; }} }}\n\
         class Guard extends OncePerRequestFilter {{ protected void doFilterInternal(Object a, Object b, Object c) {{ int limit = 7; }} }}\n\
         @Configuration class Config {{ {registration} }}\n{more}\n"
    );
    Repo::new().file(PATH, code).commit("first")
}

fn states(repo: &Repo) -> Vec<String> {
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    let operations = plan["operations"].as_array().unwrap().iter();
    operations.map(|one| format!("{} {}", one["op_id"].as_str().unwrap(), one["state"].as_str().unwrap())).collect()
}

const FOR_ADMINS: [&str; 2] = ["GET /admin/{id} affected", "GET /shop inherited"];
const FOR_ALL: [&str; 2] = ["GET /admin/{id} affected", "GET /shop affected"];

#[test]
fn a_filter_that_is_registered_for_paths_flags_the_operations_below_them() {
    let bean = |set: &str| {
        format!(
            "@Bean FilterRegistrationBean<Guard> guard() {{ FilterRegistrationBean<Guard> bean = new FilterRegistrationBean<>(); \
             bean.setFilter(new Guard()); {set} return bean; }}"
        )
    };
    for (set, expected) in [
        ("bean.addUrlPatterns(\"/admin/*\");", FOR_ADMINS),
        ("bean.setUrlPatterns(Arrays.asList(\"/admin/*\", \"/other\"));", FOR_ADMINS),
        ("bean.addUrlPatterns(\"/admin/*\"); bean.setOrder(1);", FOR_ADMINS),
        ("", FOR_ALL),
        ("bean.addUrlPatterns(System.getenv(\"PATHS\"));", FOR_ALL),
        ("bean.setEnabled(false);", ["GET /admin/{id} inherited", "GET /shop inherited"]),
    ] {
        let repo = service(&bean(set), "").edit(PATH, "limit = 7", "limit = 8");
        assert_eq!(states(&repo), expected, "{set}");
    }
    let repo = service(&bean("bean.addUrlPatterns(\"/admin/*\");"), "").edit(PATH, "\"/admin/*\"", "\"/*\"");
    assert_eq!(states(&repo), FOR_ALL, "it runs for more");
    let repo =
        service(&bean("bean.addUrlPatterns(\"/admin/*\"); bean.setOrder(1);"), "").edit(PATH, "Order(1)", "Order(2)");
    assert_eq!(states(&repo), FOR_ADMINS);
    let component = "@org.springframework.stereotype.Component class Second extends Guard {}";
    let repo = service(&bean("bean.addUrlPatterns(\"/admin/*\");"), component).edit(PATH, "limit = 7", "limit = 8");
    assert_eq!(states(&repo), FOR_ALL, "what inherits from it runs for all");
}

#[test]
fn a_bean_beside_a_filter_chain_flags_who_gets_it() {
    let chain = "@Bean SecurityFilterChain chain(Object http) { return null; }";
    let repo = service(chain, "class Rate { int perMinute; }");
    let repo = repo.edit(PATH, "return null; } }", "return null; } @Bean Rate rate() { return new Rate(); } }");
    assert_eq!(states(&repo), ["GET /admin/{id} inherited", "GET /shop inherited"]);
    let repo = service(chain, "").edit(PATH, "return null;", "return (SecurityFilterChain) http;");
    assert_eq!(states(&repo), FOR_ALL);
    let adapter = "class Secured extends org.springframework.security.config.annotation.web.configuration.WebSecurityConfigurerAdapter {\n\
                   protected void configure(Object http) { int n = 1; } /* more */ }";
    let repo = service("", &format!("class Rate {{}} @Configuration {adapter}"));
    let repo = repo.edit(PATH, "/* more */", "@Bean Rate rate() { return new Rate(); }");
    assert_eq!(states(&repo), ["GET /admin/{id} inherited", "GET /shop inherited"]);
    assert_eq!(states(&repo.edit(PATH, "int n = 1", "int n = 2")), FOR_ALL);
}

#[test]
fn what_only_reads_otherwise_flags_nothing() {
    let repo = service("", "").edit(
        PATH,
        "String shop() { return \"1\"; }",
        "String shop() { if (true) return \"1\"; return \"2\"; }",
    );
    assert_eq!(states(&repo), ["GET /admin/{id} inherited", "GET /shop affected"]);
    let repo = repo.commit("second").edit(PATH, "if (true) return \"1\";", "if (true) { return \"1\"; }");
    let repo = repo.edit(PATH, "@GetMapping(\"/shop\")", "@CrossOrigin @GetMapping(\"/shop\")").commit("third");
    let repo = repo.edit(PATH, "@CrossOrigin @GetMapping(\"/shop\")", "@GetMapping(\"/shop\") @CrossOrigin");
    let plan = repo.json(["plan", "--since", "HEAD", "--format", "json"]);
    assert_eq!(plan["counts"]["affected"], 0, "{plan:#}");
    let plan = repo.json(["plan", "--since", "HEAD~1", "--format", "json"]);
    assert_eq!(plan["counts"]["affected"], 1, "{plan:#}");
}

#[test]
fn sql_that_nothing_loads_flags_nothing() {
    let code = |more: &str| {
        format!(
            "package a; import org.springframework.web.bind.annotation.*; import jakarta.persistence.*;\n\
             @Entity class Town {{ @Id Long id; String name; }} interface Towns extends org.springframework.data.jpa.repository.JpaRepository<Town, Long> {{}}\n\
             @RestController class C {{ private final Towns towns; C(Towns towns) {{ this.towns = towns; }} {more}\n\
             @GetMapping(\"/towns\") Object all() {{ return towns.findAll(); }} }}\n"
        )
    };
    let insert = "insert into town values (1, 'Ulm');\n";
    let state = |path: &str, more: &str, beside: &[(&str, &str)]| {
        let mut repo = Repo::new().file(PATH, code(more)).file(path, insert);
        for (path, text) in beside {
            repo = repo.file(path, *text);
        }
        states(&repo.commit("first").edit(path, "Ulm", "Bonn")).join("")
    };
    assert_eq!(state("docs/examples/towns.sql", "", &[]), "GET /towns inherited");
    assert_eq!(state("src/main/resources/archive/towns.sql", "", &[]), "GET /towns inherited");
    for (path, more, beside) in [
        ("src/main/resources/data.sql", "", [("README.md", "")]),
        ("src/main/resources/data-h2.sql", "", [("README.md", "")]),
        ("src/main/resources/db/migration/V1__towns.sql", "", [("README.md", "")]),
        (
            "src/main/resources/archive/towns.sql",
            "String seed() { return \"archive/towns.sql\"; }",
            [("README.md", "")],
        ),
        (
            "src/main/resources/archive/towns.sql",
            "",
            [("src/main/resources/application.properties", "spring.sql.init.data-locations=classpath:archive/*.sql")],
        ),
        (
            "src/main/resources/archive/towns.sql",
            "",
            [("src/main/resources/application.yml", "spring:\n  flyway:\n    locations: classpath:archive\n")],
        ),
        ("docs/towns.sql", "", [("docker-compose.yml", "volumes:\n  - ./docs:/docker-entrypoint-initdb.d\n")]),
    ] {
        assert_eq!(state(path, more, &beside), "GET /towns affected", "{path} {beside:?}");
    }
}

#[test]
fn a_script_that_is_too_large_to_be_read_concerns_what_reads_any_entity() {
    let code = "package a; import org.springframework.web.bind.annotation.*; import jakarta.persistence.*;\n\
        @Entity class Town { @Id Long id; String name; } interface Towns extends org.springframework.data.jpa.repository.JpaRepository<Town, Long> {}\n\
        @RestController class C { private final Towns towns; C(Towns towns) { this.towns = towns; }\n\
        @GetMapping(\"/towns\") Object all() { return towns.findAll(); } }\n";
    let other = "package a; import org.springframework.web.bind.annotation.*; @RestController class D { @GetMapping(\"/ok\") String ok() { return \"ok\"; } }\n";
    let seed = "src/main/resources/data.sql";
    let large = |name: &str| format!("insert into town values (1, '{name}');\n{}", "-- more\n".repeat(300_000));
    let repo = Repo::new()
        .file(PATH, code)
        .file("src/main/java/a/D.java", other)
        .file(seed, large("Ulm"))
        .commit("first")
        .file(seed, large("Bonn"));
    assert_eq!(states(&repo), ["GET /ok inherited", "GET /towns affected"]);
}

#[test]
fn a_filter_answers_requests_below_its_paths_alone() {
    let pom = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
        <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.2.0</version></parent>\
        <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency></dependencies></project>";
    let code = |name: &str, body: &str| {
        let head = "package a; import org.springframework.web.bind.annotation.*; import org.springframework.context.annotation.*; import jakarta.servlet.*; \
                    import org.springframework.boot.SpringApplication; import org.springframework.boot.autoconfigure.SpringBootApplication; \
                    import jakarta.servlet.http.*; import org.springframework.boot.web.servlet.FilterRegistrationBean; import org.springframework.web.filter.OncePerRequestFilter;\n";
        (format!("src/main/java/a/{name}.java"), format!("{head}{body}"))
    };
    let service = |set: &str| {
        Service::of([
            ("pom.xml".to_owned(), pom.to_owned()),
            code(
                "App",
                "@SpringBootApplication public class App { public static void main(String[] a) { SpringApplication.run(App.class, a); } }",
            ),
            code(
                "C",
                "@RestController public class C { @GetMapping(\"/admin\") public String admin() { return \"1\"; } @GetMapping(\"/shop\") public String shop() { return \"1\"; } }",
            ),
            code(
                "Guard",
                "public class Guard extends OncePerRequestFilter { protected void doFilterInternal(HttpServletRequest q, HttpServletResponse s, FilterChain chain) throws java.io.IOException, ServletException {\n\
            if (q.getHeader(\"X-Key\") == null) { s.setStatus(403); return; } chain.doFilter(q, s); } }",
            ),
            code(
                "Config",
                &format!(
                    "@Configuration public class Config {{ @Bean FilterRegistrationBean<Guard> guard() {{ FilterRegistrationBean<Guard> bean = new FilterRegistrationBean<>(new Guard());\n\
            bean.addUrlPatterns(\"/admin/*\"); {set} return bean; }} }}"
                ),
            ),
        ])
    };
    let statuses = |set: &str, path: &str| {
        let derived = service(set).derive(Method::Get, path);
        derived.candidates.iter().flat_map(|one| one.oracle.statuses()).collect::<std::collections::BTreeSet<u16>>()
    };
    assert_eq!(statuses("", "/shop"), [200].into());
    assert!(statuses("", "/admin").contains(&403), "{:?}", statuses("", "/admin"));
    let open = "bean.setEnabled(System.getenv(\"GUARDED\") != null);";
    assert_eq!(statuses(open, "/admin"), [].into(), "whether it runs is not known");
}

/// A `UserDetailsService` runs on every request only if the framework checks credentials itself; otherwise only where code authenticates.
#[test]
fn a_user_service_runs_where_credentials_are_checked() {
    let code = |mechanism: &str| {
        format!(
            "package a; import org.springframework.context.annotation.*; import org.springframework.security.config.annotation.web.builders.*;\n\
             import org.springframework.security.core.userdetails.*; import org.springframework.security.authentication.*;\n\
             import org.springframework.security.web.*; import org.springframework.stereotype.*; import org.springframework.web.bind.annotation.*;\n\
             @Configuration class Security {{ @Bean SecurityFilterChain chain(HttpSecurity http) throws Exception {{\n\
             return http.authorizeHttpRequests(a -> a.anyRequest().authenticated()){mechanism}.build(); }} }}\n\
             @Service class Users implements UserDetailsService {{ public UserDetails loadUserByUsername(String name) {{ int n = 1; return null; }} }}\n\
             @RestController class C {{ AuthenticationManager manager;\n\
             @PostMapping(\"/login\") Object login(@RequestBody String s) {{ return manager.authenticate(null).getName(); }}\n\
             @GetMapping(\"/a\") String a() {{ return \"a\"; }} }}"
        )
    };
    for (mechanism, wanted) in [
        ("", vec!["POST /login"]),
        (".httpBasic(b -> b.disable()).formLogin().disable()", vec!["POST /login"]),
        (".httpBasic(b -> {})", vec!["GET /a", "POST /login"]),
    ] {
        let repo = Repo::new().file("src/main/java/a/C.java", code(mechanism)).commit("first");
        let repo = repo.edit("src/main/java/a/C.java", "int n = 1", "int n = 2");
        let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
        let affected = plan["operations"].as_array().unwrap().iter().filter(|one| one["state"] == "affected");
        let affected: Vec<&str> = affected.map(|one| one["op_id"].as_str().unwrap()).collect();
        assert_eq!(affected, wanted, "{mechanism}");
    }
}

/// A HATEOAS link to a controller's method does not call it.
#[test]
fn a_link_to_a_method_does_not_run_it() {
    let code = "package a; import org.springframework.stereotype.*; import org.springframework.web.bind.annotation.*;\n\
        import static org.springframework.hateoas.server.mvc.WebMvcLinkBuilder.*;\n\
        @RestController class C { Deep deep;\n\
        @GetMapping(\"/a\") Object a() { return linkTo(methodOn(C.class).b(1)).withSelfRel(); }\n\
        @GetMapping(\"/b\") Object b(@RequestParam int n) { return deep.run(n); } }\n\
        @Service class Deep { Object run(int n) { return n + 1; } }";
    let changed = |from: &str, to: &str| {
        let repo = Repo::new().file("src/main/java/a/C.java", code).commit("first");
        let repo = repo.edit("src/main/java/a/C.java", from, to);
        let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
        let affected = plan["operations"].as_array().unwrap().iter().filter(|one| one["state"] == "affected");
        affected.map(|one| one["op_id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(changed("n + 1", "n + 2"), ["GET /b"]);
    // The method's mapping annotation decides the link.
    assert!(
        changed("@GetMapping(\"/b\")", "@GetMapping(path = \"/b\", params = \"x\")").contains(&"GET /a".to_owned())
    );
}
