//! Applications of one repository are analysed separately: code of one is not part of an operation of another.

use mastor::types::Method;

use crate::loaded::Service;
use crate::support::Repo;

const SPRING: &str = "import org.springframework.stereotype.*; import org.springframework.web.bind.annotation.*; \
                      import org.springframework.boot.SpringApplication; import org.springframework.context.annotation.*;\n";

fn states(repo: &Repo) -> Vec<(String, String)> {
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    let operations = plan["operations"].as_array().unwrap().iter();
    let of = |one: &serde_json::Value, key: &str| one[key].as_str().unwrap().to_owned();
    operations.map(|one| (of(one, "op_id"), of(one, "state"))).collect()
}

fn flagged(repo: &Repo, state: &str) -> Vec<String> {
    states(repo).into_iter().filter(|(_, is)| is == state).map(|(op_id, _)| op_id).collect()
}

fn file(module: &str, name: &str) -> String {
    format!("{module}/src/main/java/{module}/{name}.java")
}

/// Two applications over one library, each with a filter, an advice, a bean of the library's interface and settings.
fn two() -> Repo {
    let mut repo =
        Repo::new().file(&file("core", "Greets"), "package core; public interface Greets { String greet(); }");
    repo = repo.file(
        &file("core", "Greeting"),
        format!("package core; {SPRING} @Component public class Greeting {{ private final Greets greets; public Greeting(Greets greets) {{ this.greets = greets; }}\n\
                 public String now() {{ return greets.greet(); }} }}"),
    );
    for app in ["one", "two"] {
        repo = repo
            .file(&file(app, "App"), format!("package {app}; {SPRING} class App {{ public static void main(String[] args) {{ SpringApplication.run(App.class, args); }} }}"))
            .file(&file(app, "C"), format!("package {app}; {SPRING} import core.*; @RestController class C {{ private final Greeting greeting; C(Greeting greeting) {{ this.greeting = greeting; }}\n\
                  @GetMapping(\"/{app}\") String get() {{ return greeting.now(); }} }}"))
            .file(&file(app, "Own"), format!("package {app}; {SPRING} @Service class Own implements core.Greets {{ public String greet() {{ return \"hello\"; }} }}"))
            .file(&file(app, "Guard"), format!("package {app}; {SPRING} import org.springframework.web.filter.OncePerRequestFilter; @Component class Guard extends OncePerRequestFilter {{\n\
                  protected void doFilterInternal(Object a, Object b, Object c) {{ int limit = 7; }} }}"))
            .file(&file(app, "Advice"), format!("package {app}; {SPRING} @RestControllerAdvice class Advice {{ @ExceptionHandler(IllegalStateException.class) String no() {{ return \"no\"; }} }}"))
            .file(&format!("{app}/src/main/resources/application.properties"), "server.servlet.context-path=/api\nspring.jackson.date=1\n");
    }
    repo
}

fn with_maven(repo: Repo) -> Repo {
    let pom = |name: &str, rest: &str| {
        format!(
            "<project><parent><groupId>a</groupId><artifactId>all</artifactId></parent><groupId>a</groupId><artifactId>{name}</artifactId>{rest}</project>"
        )
    };
    let dependency =
        |name: &str| format!("<dependency><groupId>a</groupId><artifactId>{name}</artifactId></dependency>");
    let managed = ["core", "one", "two"].map(dependency).concat();
    let needs = format!("<dependencies>{}</dependencies>", dependency("core"));
    repo.file("pom.xml", format!("<project><groupId>a</groupId><artifactId>all</artifactId><dependencyManagement><dependencies>{managed}</dependencies></dependencyManagement></project>"))
        .file("core/pom.xml", pom("core", ""))
        .file("one/pom.xml", pom("one", &needs))
        .file("two/pom.xml", pom("two", &needs))
}

fn with_gradle(repo: Repo) -> Repo {
    repo.file("settings.gradle", "include 'core', 'one', 'two'\n")
        .file("core/build.gradle", "plugins { id 'java' }\n")
        .file("one/build.gradle", "dependencies { implementation project(':core') }\n")
        .file("two/build.gradle", "dependencies { implementation project(':core') }\n")
}

#[test]
fn filters_beans_advice_and_settings_of_another_application_flag_nothing() {
    for build in [with_maven, with_gradle] {
        for (name, from, to) in
            [("Guard", "limit = 7", "limit = 8"), ("Own", "\"hello\"", "\"hi\""), ("Advice", "\"no\"", "\"never\"")]
        {
            let repo = build(two()).commit("first").edit(&file("two", name), from, to);
            assert_eq!(flagged(&repo, "affected"), ["GET /two"], "{name}");
            assert_eq!(flagged(&repo, "recheck"), [""; 0], "{name}");
        }
        let properties = "two/src/main/resources/application.properties";
        let repo = build(two()).commit("first").edit(properties, "spring.jackson.date=1", "spring.jackson.date=2");
        assert_eq!(flagged(&repo, "affected"), ["GET /two"]);
        assert_eq!(flagged(&repo, "recheck"), [""; 0]);
        let repo =
            build(two()).commit("first").edit(&file("core", "Greeting"), "return greets", "return  \"\" + greets");
        assert_eq!(flagged(&repo, "affected"), ["GET /one", "GET /two"]);
    }
}

#[test]
fn of_classes_of_one_name_each_module_has_its_own() {
    let mut repo = with_maven(Repo::new());
    let store = |limit: u32| {
        format!(
            "package demo; {SPRING} @Component class Store {{ String find(int n) {{ return n > {limit} ? \"many\" : \"few\"; }} }}"
        )
    };
    let file = |app: &str, name: &str| format!("{app}/src/main/java/demo/{name}.java");
    for app in ["one", "two"] {
        repo = repo
            .file(&file(app, "App"), format!("package demo; {SPRING} class App {{ public static void main(String[] args) {{ SpringApplication.run(App.class, args); }} }}"))
            .file(&file(app, "Store"), store(3))
            .file(&file(app, "C"), format!("package demo; {SPRING} @RestController class C {{ private final Store store; C(Store store) {{ this.store = store; }}\n\
                  @GetMapping(\"/{app}/{{n}}\") String get(@PathVariable(\"n\") int n) {{ return store.find(n); }} }}"));
    }
    let repo = repo.commit("Before").branch("feature").file(&file("two", "Store"), store(4)).commit("After");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    let compared = report["compared"].as_array().unwrap().iter();
    let states: Vec<(&str, &str)> =
        compared.map(|one| (one["op_id"].as_str().unwrap(), one["state"].as_str().unwrap())).collect();
    assert!(states.contains(&("GET /two/{n}", "changed")), "{states:?}");
    assert!(!states.contains(&("GET /one/{n}", "changed")), "{states:?}");
}

#[test]
fn what_no_build_file_keeps_apart_runs_together() {
    let repo = two().commit("first").edit(&file("two", "Guard"), "limit = 7", "limit = 8");
    assert_eq!(flagged(&repo, "affected"), ["GET /one", "GET /two"]);
}

#[test]
fn a_setting_of_another_application_says_nothing() {
    let properties = "two/src/main/resources/application.properties";
    let repo = with_maven(two()).remove("one/src/main/resources/application.properties").commit("first");
    let repo = repo.edit(properties, "context-path=/api", "context-path=/second");
    assert_eq!(flagged(&repo, "affected"), ["GET /two"]);
    assert_eq!(flagged(&repo, "inherited"), ["GET /one"]);
}

#[test]
fn the_maven_wrapper_is_no_application() {
    let repo = with_maven(two()).file(
        ".mvn/wrapper/MavenWrapperDownloader.java",
        "public class MavenWrapperDownloader { public static void main(String[] args) { } }",
    );
    // If the wrapper counted as an application at the root, all other code would belong to it.
    let repo = repo.commit("first").edit(&file("two", "Guard"), "limit = 7", "limit = 8");
    assert_eq!(flagged(&repo, "affected"), ["GET /two"]);
    let repo = repo.edit(".mvn/wrapper/MavenWrapperDownloader.java", "{ }", "{ int n = 1; }");
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    assert_eq!(plan["unreached"].as_array().map_or(0, Vec::len), 0, "{plan:#}");
}

#[test]
fn beans_and_advice_of_another_application_answer_no_request() {
    let pom = |name: &str, rest: &str| {
        format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>{name}</artifactId><version>1</version>{rest}</project>"
        )
    };
    let boot = "<dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId><version>3.2.0</version></dependency>";
    let needs = |more: &str| format!("<dependencies>{boot}{more}</dependencies>");
    let core = "<dependency><groupId>a</groupId><artifactId>core</artifactId></dependency>";
    let statuses = |second_needs_first: bool| {
        let first = if second_needs_first {
            "<dependency><groupId>a</groupId><artifactId>one</artifactId></dependency>"
        } else {
            ""
        };
        let main = |app: &str| {
            format!(
                "package {app}; import org.springframework.boot.*; @org.springframework.boot.autoconfigure.SpringBootApplication public class App {{ public static void main(String[] args) {{ SpringApplication.run(App.class, args); }} }}"
            )
        };
        let own = |app: &str, number: u32| {
            format!(
                "package {app}; @org.springframework.stereotype.Service public class Own implements core.Limit {{ public int max() {{ return {number}; }} }}"
            )
        };
        let files = vec![
            ("core/pom.xml".to_owned(), pom("core", "")),
            ("one/pom.xml".to_owned(), pom("one", &needs(core))),
            ("two/pom.xml".to_owned(), pom("two", &needs(&format!("{core}{first}")))),
            (file("core", "Limit"), "package core; public interface Limit { int max(); }".to_owned()),
            (file("one", "App"), main("one")),
            (file("two", "App"), main("two")),
            (file("one", "Own"), own("one", 10)),
            (file("two", "Own"), own("two", 20)),
            (
                file("one", "C"),
                format!(
                    "package one; {SPRING} import core.*; @RestController public class C {{ private final Limit limit; public C(Limit limit) {{ this.limit = limit; }}\n\
                @GetMapping(\"/one/{{n}}\") public int get(@PathVariable(\"n\") int n) {{ if (n > limit.max()) {{ throw new IllegalStateException(\"high\"); }} return n; }} }}"
                ),
            ),
            (
                file("two", "Advice"),
                format!(
                    "package two; {SPRING} @RestControllerAdvice public class Advice {{ @ExceptionHandler(IllegalStateException.class)\n\
                @ResponseStatus(org.springframework.http.HttpStatus.I_AM_A_TEAPOT) public String no() {{ return \"no\"; }} }}"
                ),
            ),
        ];
        let derived = Service::of(files).derive(Method::Get, "/one/{n}");
        let told = derived.candidates.iter().flat_map(|one| one.oracle.statuses());
        told.collect::<std::collections::BTreeSet<u16>>()
    };
    let apart = statuses(false);
    assert!(apart.contains(&200) && apart.contains(&500) && !apart.contains(&418), "{apart:?}");
    let together = statuses(true);
    assert!(!together.contains(&500), "{together:?}");
}

#[test]
fn settings_that_a_test_brings_along_ask_for_a_recheck_and_those_beside_the_build_file_flag() {
    let app = format!(
        "package one; {SPRING} @RestController class C {{ @org.springframework.beans.factory.annotation.Value(\"${{greeting}}\") String greeting;\n\
         @GetMapping(\"/one\") String get() {{ return greeting; }} }}"
    );
    let change = |path: &str| {
        let repo =
            Repo::new().file("pom.xml", "<project/>").file(&file("one", "C"), &app).file("one/pom.xml", "<project/>");
        let repo = repo.file(path, "greeting: hello\n").commit("One").branch("feature").file(path, "greeting: hi\n");
        let repo = repo.commit("Greet otherwise");
        (flagged(&repo, "affected").len(), flagged(&repo, "recheck").len())
    };
    let near = change("one/src/main/resources/application.yml");
    assert_eq!((change("one/application.yml"), change("one/config/application.yml")), (near, near));
    assert_eq!(change("one/e2e/browser/config/application-login.yml"), (0, 1));
    assert_eq!(near.0 + near.1, 1);
}
