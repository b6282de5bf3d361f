//! The three states of a compared operation (*changed*, *same*, *undecided*), from the code to headline and exit code.

use serde_json::{Value, json};

use crate::generate::with_suite;
use crate::support::Repo;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
    <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.2.0</version></parent>\
    <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency>\
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-validation</artifactId></dependency></dependencies></project>";

pub const FILTER: &str = "package a; import jakarta.servlet.*; import org.vendor.Gate; import org.springframework.stereotype.Component;
@Component public class TokenFilter implements Filter { private final Gate gate = Gate.open();
  public void doFilter(ServletRequest q, ServletResponse s, FilterChain chain) throws java.io.IOException, ServletException {
    if (gate.lets(q)) { chain.doFilter(q, s); } else { gate.refuse(s); } } }";

const MAIN: &str = "package a; @org.springframework.boot.autoconfigure.SpringBootApplication public class App {
  public static void main(String[] args) { org.springframework.boot.SpringApplication.run(App.class, args); } }";

/// A branch that replaces the handlers `before` by `after`; `more` are additional files on both sides.
pub fn between(before: &str, after: &str, more: &[(&str, &str)]) -> Repo {
    let controller = |code: &str| {
        format!(
            "package a; import java.util.*; import org.springframework.http.*; import org.springframework.web.bind.annotation.*;\n\
             import jakarta.validation.Valid; import jakarta.validation.constraints.*;\n@RestController public class C {{\n{code}\n}}\n"
        )
    };
    let dir = "src/main/java/a";
    let repo = Repo::new().file("pom.xml", POM).file(&format!("{dir}/App.java"), MAIN);
    let repo = more.iter().fold(repo, |repo, (path, text)| repo.file(&format!("{dir}/{path}"), text));
    let file = format!("{dir}/C.java");
    repo.file(&file, controller(before))
        .commit("Before")
        .branch("feature")
        .file(&file, controller(after))
        .commit("After")
}

pub fn report(repo: &Repo) -> Value {
    repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json()
}

/// The first sentence of the report on a change of handlers; the states of the operations if nothing is told.
pub fn first(before: &str, after: &str, more: &[(&str, &str)]) -> String {
    let report = report(&between(before, after, more));
    let told = report["changes"][0]["what"].as_str();
    told.map_or_else(|| format!("nothing is told: {}", report["compared"]), str::to_owned)
}

pub fn states(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    report["compared"].as_array().unwrap().iter().map(|one| (text(&one["op_id"]), text(&one["state"]))).collect()
}

const CODES: &str = "@GetMapping(\"/codes/{code}\") public String one(@PathVariable(\"code\") String code) {
    if (code.length() < 2 || code.length() > 3) { throw new IllegalArgumentException(\"length\"); }
    return code.toUpperCase(Locale.ROOT); }
  @ExceptionHandler @ResponseStatus(HttpStatus.BAD_REQUEST) void bad(IllegalArgumentException e) { }";

const CODES_TIDIED: &str = "@GetMapping(\"/codes/{code}\") public String one(@PathVariable(\"code\") String code) {
    checkLength(code);
    return code.toUpperCase(Locale.ROOT); }
  private static void checkLength(String text) {
    int length = text.length();
    if (length > 3 || length < 2) { throw new IllegalArgumentException(\"length\"); } }
  @ExceptionHandler @ResponseStatus(HttpStatus.BAD_REQUEST) void bad(IllegalArgumentException e) { }";

#[test]
fn a_refactoring_that_is_followed_is_the_same_and_green() {
    let repo = between(CODES, CODES_TIDIED, &[]);
    let report = report(&repo);
    assert_eq!(states(&report), [("GET /codes/{code}".to_owned(), "same".to_owned())], "{}", report["compared"]);
    assert_eq!((&report["verdict"], &report["changes"]), (&json!("same"), &json!([])));
    // The changed member itself is equivalent, so no assumption is needed.
    assert_eq!(report["compared"][0]["assumes"], json!([]), "{}", report["compared"]);
    let text = repo.read(".mastor/out/report.md");
    assert!(text.contains("### mastor: ✅ no behaviour change: 1 operation is the same"), "{text}");
}

#[test]
fn behind_a_filter_that_is_not_followed_the_same_refactoring_is_the_same() {
    let repo = between(CODES, CODES_TIDIED, &[("TokenFilter.java", FILTER)]);
    let report = report(&repo);
    assert_eq!(states(&report), [("GET /codes/{code}".to_owned(), "same".to_owned())]);
    assert_eq!(report["verdict"], "same");
    assert_eq!(report["compared"][0]["assumes"], json!([]), "{}", report["compared"]);
}

#[test]
fn what_a_filter_of_a_vendor_is_handed_otherwise_is_undecided_and_never_green() {
    let other = FILTER.replace("gate.lets(q)", "gate.admits(q)");
    let repo = between(CODES, CODES, &[("TokenFilter.java", FILTER)])
        .file("src/main/java/a/TokenFilter.java", &other)
        .commit("Gate");
    let report = report(&repo);
    assert_eq!(states(&report), [("GET /codes/{code}".to_owned(), "undecided".to_owned())]);
    assert_eq!(report["verdict"], "undecided");
    let text = repo.read(".mastor/out/report.md");
    assert!(!text.contains('✅') && !text.contains("no difference found"), "{text}");
    assert!(text.contains("could not tell whether 1 affected operation answers differently"), "{text}");
    // The report shows the code's diff, folded.
    assert!(text.contains("gate.admits(q)"), "{text}");
    repo.run(["ci", "--since", "main", "--fail-on", "any"]).ends(1);
}

#[test]
fn what_contexts_say_differently_is_told_where_no_request_can_show_it() {
    let page = |size: &str| {
        format!(
            "@GetMapping(\"/pages\") public String page(@RequestParam(name = \"size\", defaultValue = \"{size}\") int size) {{ return \"\" + size; }}"
        )
    };
    let form = |constraint: &str| {
        format!(
            "@PostMapping(\"/forms\") public String take(@Valid @RequestBody Form form) {{ return \"ok\"; }}
             static class Form {{ {constraint} public String mail; }}"
        )
    };
    let made = |status: &str| {
        format!(
            "@PostMapping(\"/things\") @ResponseStatus(HttpStatus.{status}) public String make() {{ return \"made\"; }}"
        )
    };
    let gate = [("TokenFilter.java", FILTER)];
    let told = |before: String, after: String| {
        let report = report(&between(&before, &after, &gate));
        assert_eq!(states(&report).iter().map(|(_, state)| state.as_str()).collect::<Vec<_>>(), ["changed"]);
        (report["changes"][0]["what"].as_str().unwrap().to_owned(), report["changes"][0]["effect"].clone())
    };
    assert_eq!(
        told(page("20"), page("10")),
        ("the default of the parameter size is `10` where it was `20`".to_owned(), json!("unclear"))
    );
    let (what, effect) = told(form("@Email"), form(""));
    assert_eq!(what, "the body's field mail no longer has the constraint an e-mail address");
    assert_eq!(effect, "additive");
    let (what, effect) = told(made("CREATED"), made("OK"));
    assert_eq!((what.as_str(), effect), ("answers 200 where it answered 201, on success", json!("breaking")));
}

/// If the properties of an object are unknown on one side, none is reported as new or removed.
#[test]
fn fields_of_an_object_that_one_side_leaves_open_are_not_new() {
    let told = |before: &str, after: &str| {
        let code = |inner: &str| {
            format!(
                "@GetMapping(\"/menus\") public ResponseEntity<List<Menu>> all(@RequestParam(defaultValue = \"\") String q) {{
                   if (q.equals(\"none\")) {{ return new ResponseEntity<>(new ArrayList<Menu>(), HttpStatus.OK); }}
                   return new ResponseEntity<>(org.vendor.Menus.all(), HttpStatus.OK); }}
                 public static class Menu {{ public String title; public Inner inner; }}
                 @lombok.Getter @lombok.Setter public static class Inner {{ {inner} private String name; }}"
            )
        };
        let report = report(&between(&code(before), &code(after), &[]));
        let changes = report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned());
        (states(&report).remove(0).1, changes.collect::<Vec<_>>())
    };
    // The JSON name for `getIFrame` depends on Jackson's settings.
    let named = "@com.fasterxml.jackson.annotation.JsonProperty(\"iFrame\") private Boolean iFrame;";
    assert_eq!(told("private Boolean iFrame;", named), ("undecided".to_owned(), Vec::new()));
    assert_eq!(
        told("", "private int size;"),
        ("changed".to_owned(), vec!["the field [*].inner.size is new".to_owned()])
    );
}

#[test]
fn one_side_certain_and_the_other_open_is_undecided() {
    let length = "code.length() < 2 || code.length() > 3";
    let before = CODES.replace(length, "code.equals(\"xx\")");
    let after = CODES.replace(length, "org.vendor.Codes.isBad(code)");
    let report = report(&between(&before, &after, &[]));
    assert_eq!(states(&report), [("GET /codes/{code}".to_owned(), "undecided".to_owned())], "{}", report["changes"]);
    let stopped = &report["compared"][0]["stopped"];
    assert!(stopped.to_string().contains("isBad"), "{stopped}");
    assert!(stopped.as_array().unwrap().iter().any(|stop| stop["line"].is_u64()), "{stopped}");
}

const ZONES: &str = "src/main/java/com/example/orders/shipping/ShippingController.java";

/// The example's suite without the oracles of one operation, and a branch that breaks clients of that operation.
fn unasked() -> Repo {
    let repo = with_suite();
    let slug = repo.git(["ls-files", ".mastor/suite"]);
    let path = slug.lines().find(|path| path.contains("get-shipping-zones")).unwrap().to_owned();
    let mut suite: Value = serde_json::from_str(&repo.read(&path)).unwrap();
    suite["oracles"] = json!([]);
    repo.file(&path, serde_json::to_string_pretty(&suite).unwrap())
        .commit("Ask nothing of the zones")
        .branch("feature")
        .edit(ZONES, "return ResponseEntity.notFound().build();", "return ResponseEntity.noContent().build();")
        .edit(ZONES, "a country code has two letters\");", "two letters\"); // shorter")
        .commit("Answer otherwise")
}

#[test]
fn what_breaks_clients_needs_a_decision_though_no_oracle_asked_just_that() {
    let repo = unasked();
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1).json();
    assert_eq!(report["verdict"], "needs_decision", "{}", report["changes"]);
    let change = &report["changes"][0];
    assert_eq!(
        (&change["o_id"], &change["effect"], &change["needs_decision"]),
        (&Value::Null, &json!("breaking"), &json!(true))
    );
    // Newly generated oracles in the head are not a decision, because nobody reviewed them.
    repo.run(["generate", "--all"]).ends(0);
    let repo = repo.commit("Generate");
    let again = repo.run(["ci", "--since", "main", "--format", "json"]).ends(1).json();
    let id = again["changes"][0]["id"].as_str().unwrap().to_owned();
    repo.run(["accept", &id]).ends(0);
    let repo = repo.commit("Accept it");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert_eq!(
        (&report["verdict"], &report["changes"][0]["accepted"]),
        (&json!("accepted"), &json!(true)),
        "{}",
        report["changes"]
    );
}

/// An aspect around every handler that refuses requests without a token; it is not followed.
const ADVICE: &str = "package a; import org.aspectj.lang.*; import org.aspectj.lang.annotation.*; import org.springframework.stereotype.Component;
import org.springframework.http.HttpStatus; import org.springframework.web.context.request.*; import org.springframework.web.server.ResponseStatusException;
@Aspect @Component public class Guard { @Around(\"execution(* a.C.*(..))\") public Object guard(ProceedingJoinPoint point) throws Throwable {
  if (((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getRequest().getHeader(\"X-Token\") == null) {
    throw new ResponseStatusException(HttpStatus.UNAUTHORIZED); }
  return point.proceed(); } }";

#[test]
fn a_status_that_the_other_side_may_answer_by_what_is_not_followed_there_is_not_new() {
    let handler = |guard: &str| {
        format!(
            "@GetMapping(\"/x/{{n}}\") public ResponseEntity<Integer> x(@PathVariable(\"n\") int n,
               @RequestHeader(name = \"X-Token\", required = false) String token) {{ {guard} return ResponseEntity.ok(n); }}"
        )
    };
    let by_hand = handler("if (token == null) { return ResponseEntity.status(401).build(); }");
    let between = |more: &[(&str, &str)]| between(&handler(""), &by_hand, more);
    let moved = between(&[("Guard.java", ADVICE)]).remove("src/main/java/a/Guard.java").commit("By hand");
    let told = report(&moved);
    assert_eq!((told["changes"].as_array().unwrap().len(), &states(&told)[0].1[..]), (0, "undecided"), "{told:#}");
    let new = report(&between(&[]));
    assert!(new["changes"].to_string().contains("answers 401 where it answered 200"), "{}", new["changes"]);
}

/// A controller advice for the framework's binding errors and for all other exceptions.
fn advice(detail: &str) -> String {
    format!(
        "package a; import java.util.*; import org.springframework.http.*; import org.springframework.web.bind.annotation.*;\n\
         import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;\n\
         @RestControllerAdvice public class Advice {{ @ExceptionHandler(MethodArgumentTypeMismatchException.class)\n\
         ResponseEntity<Object> no(MethodArgumentTypeMismatchException e) {{ return ResponseEntity.status(400).body(Map.of(\"detail\", \"no number\")); }}\n\
         @ExceptionHandler(Exception.class) ResponseEntity<Object> all(Exception e) {{\n\
         return ResponseEntity.status(500).body(Map.of(\"detail\", {detail})); }} }}"
    )
}

#[test]
fn what_an_advice_says_of_an_error_is_compared_and_never_the_same_where_it_is_not_known() {
    let code = "@GetMapping(\"/a/{id}\") public String one(@PathVariable(\"id\") int id) { if (id == 3) { throw new IllegalStateException(\"three\"); } return \"a\" + id; }";
    let file = "src/main/java/a/Advice.java";
    let state = |before: &str, after: &str| {
        let repo = between(code, code, &[("Advice.java", &advice(before))]).file(file, advice(after)).commit("Advice");
        let report = report(&repo);
        (report["compared"][0]["state"].as_str().unwrap_or("none").to_owned(), report["changes"].to_string())
    };
    let (told, changes) = state("\"it broke\"", "\"it failed\"");
    assert!(told == "changed" && changes.contains("detail has another value on 500"), "{told} {changes}");
    for (before, after) in [
        ("\"it broke\"", "\"x\" + System.nanoTime()"),
        ("\"at \" + System.nanoTime()", "\"on \" + System.nanoTime()"),
        ("org.vendor.Words.of(1)", "org.vendor.Words.of(2)"),
    ] {
        assert_eq!(state(before, after).0, "changed", "{before} {after}");
    }
    let refactored = code.replace("id == 3", "3 == id");
    let repo = between(code, &refactored, &[("Advice.java", &advice("\"at \" + System.nanoTime()"))]);
    assert_eq!(states(&report(&repo))[0].1, "same", "the advice did not change");
}
