//! Sources in other languages of the Java virtual machine: not read, named as such, and never told as a change.

use crate::support::Repo;

const SPRING: &str = "import org.springframework.web.bind.annotation.*; import org.springframework.stereotype.*;";
const PRICES: &str = "src/main/java/shop/Prices.java";
const GREETER: &str = "src/main/kotlin/shop/Greeter.kt";

/// A handler in Java whose greeter is Kotlin, and a handler in Kotlin whose prices are Java.
fn shop() -> Repo {
    Repo::new()
        .file(
            "src/main/java/shop/Other.java",
            format!(
                "package shop; {SPRING} @RestController class Other {{ private final Greeter greeter; Other(Greeter greeter) {{ this.greeter = greeter; }}\n\
                 @GetMapping(\"/other\") String other() {{ return greeter.greet(\"x\"); }} }}"
            ),
        )
        .file(
            PRICES,
            format!(
                "package shop; {SPRING} @Service class Prices {{ int of(String name) {{ return name.length() + 1; }}\n\
                 int unused() {{ return 1; }} }}"
            ),
        )
        .file(
            "src/main/kotlin/shop/Hello.kt",
            "package shop\nimport org.springframework.web.bind.annotation.*\n@RestController\n\
             class Hello(val prices: Prices) {\n  @GetMapping(\"/hello\") fun hello() = prices.of(\"a\")\n}\n",
        )
        .file(GREETER, "package shop\n@Service\nclass Greeter { fun greet(name: String) = \"Hello \" + name }\n")
        .commit("first")
}

#[test]
fn files_that_are_not_read_are_named_once_for_each_language_with_what_that_costs() {
    let repo = shop().file("src/main/groovy/shop/Jobs.groovy", "class Jobs {}");
    let told = repo.run(["operations"]).ends(0).out;
    let warnings: Vec<&str> = told.lines().filter(|line| line.contains("opaque-language")).collect();
    assert_eq!(
        warnings,
        [
            "warning[opaque-language]: src/main/groovy/shop/Jobs.groovy: Groovy, which is not read: operations declared \
             there are missing, what calls them is not followed, and a change of this file leaves every operation of its \
             application undecided",
            "warning[opaque-language]: src/main/kotlin/shop/Greeter.kt: Kotlin, as in 1 more, which are not read: \
             operations declared there are missing, what calls them is not followed, and a change of one of them leaves \
             every operation of its application undecided",
        ]
    );
}

#[test]
fn a_changed_file_that_is_not_read_leaves_operations_undecided_and_is_never_told_as_a_change() {
    let repo = shop().edit(GREETER, "Hello", "Hi");
    let report = repo.json(["ci", "--since", "main", "--format", "json"]);
    assert_eq!(report["changes"].as_array().map_or(0, Vec::len), 0, "{report:#}");
    let other = &report["compared"][0];
    assert_eq!((&other["op_id"], &other["state"]), (&"GET /other".into(), &"undecided".into()));
    let stops: Vec<&str> =
        other["stopped"].as_array().unwrap().iter().filter_map(|stop| stop["what"].as_str()).collect();
    assert!(stops.contains(&"Greeter.kt was changed, and Kotlin is not read"), "{stops:?}");
}

#[test]
fn java_that_only_such_a_file_names_may_run() {
    let repo = shop().edit(PRICES, "+ 1", "+ 2").edit(PRICES, "return 1", "return 2");
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    let told = plan["unreached"].as_array().unwrap().iter();
    let told: Vec<(&str, bool, &str)> = told
        .map(|one| {
            let by = one["referred_by"][0].as_str().unwrap_or_default();
            (one["input"].as_str().unwrap().rsplit('.').next().unwrap(), one["from_running"].as_bool().unwrap(), by)
        })
        .collect();
    assert_eq!(
        told,
        [("of(String)", true, "named in src/main/kotlin/shop/Hello.kt, which is not read"), ("unused()", false, ""),]
    );
}

#[test]
fn an_operation_of_the_document_may_stand_in_such_a_file() {
    let document = "openapi: 3.0.3\ninfo: {title: Shop, version: '1'}\npaths:\n  /hello:\n    get:\n      responses:\n        '200': {description: ok}\n";
    let told = shop().file("openapi.yaml", document).run(["operations"]).ends(0).out;
    assert!(
        told.lines().any(|line| line.starts_with("GET /hello") && line.contains("2 files of Kotlin are not read")),
        "{told}"
    );
}
