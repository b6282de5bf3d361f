//! Plain wording of reported changes: an exception before the calls that it prevents, a status before its consequences, one condition in place of two
//! equivalent ones, and nothing impossible.

use serde_json::Value;

use crate::states::{between, report, states};
use crate::support::Repo;

const MARK: &str = "package a; import java.util.*; public class Mark { private final String text;
  public Mark(String text) { this.text = text; } public String getText() { return text; }
  @Override public boolean equals(Object o) {
    if (this == o) return true;
    if (o == null || getClass() != o.getClass()) return false;
    return Objects.equals(text, ((Mark) o).text); }
  @Override public int hashCode() { return Objects.hash(text); } }";
const TAKEN: &str = "package a; public class Taken extends RuntimeException { public int code() { return 409; } }";
const LOST: &str = "package a; public class Lost extends RuntimeException { }";
const REFUSED: &str =
    "package a; public class Refused extends RuntimeException { public Refused(String text) { super(text); } }";
const ADVICE: &str = "package a; import org.springframework.http.*; import org.springframework.web.bind.annotation.*;
@RestControllerAdvice public class Advice extends org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler {
  @ExceptionHandler(Refused.class) ProblemDetail refused(Refused e) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, e.getMessage());
    problem.setProperty(\"service\", \"desk\");
    problem.setProperty(\"kind\", \"plain\");
    return problem; } }";
const BASE: &str = "package a; public abstract class Base extends org.vendor.Support { }";
const DESK: &str = "package a; import java.util.*; import org.springframework.stereotype.Service;
@Service public class Desk extends Base { private final org.vendor.Rows rows;
  public Desk(org.vendor.Rows rows) { this.rows = rows; }
  public Object put(Request request) {
    if (request == null) { throw new IllegalArgumentException(\"nothing\"); }
    rows.insert(request.name());
    return rows.find(request.name()); }
  public int mark(String name) {
    int changed = rows.change(name);
    if (changed == 0) { throw new Refused(\"not there\"); }
    return changed; }
  public Object move(String one, String other) {
    Object first = rows.open(one);
    if (rows.isFull(other)) { return null; }
    rows.open(other);
    rows.drop(one);
    return first; }
  public Object keyed(String key, String name) {
    Map<String, Object> all = new HashMap<>();
    all.put(\"id\", key);
    all.put(\"name\", name);
    return rows.query(all); }
  public int code(RuntimeException e) {
    if (e instanceof Taken) { return ((Taken) e).code(); }
    if (e instanceof Lost) { return 404; }
    return 500; }
  public void title(Row row, String one, String other) { Row found = row.near(one); found.setTitle(other); }
  public void note(String name) {
    if (!rows.isFull(name)) { this.logger.debug(\"room for \" + name); }
    rows.insert(name); } }";
const ROW: &str = "package a; public abstract class Row { private String title;
  public abstract Row near(String name); public void setTitle(String title) { this.title = title; } public String getTitle() { return title; } }";
const REQUEST: &str = "package a; public interface Request { String name(); }";

const HANDLERS: &str = "private final Desk desk;
  public C(Desk desk) { this.desk = desk; }
  record Asked(String name) implements Request { }
  @PostMapping(\"/rows\") public Object put(@RequestParam(\"name\") String name) { return desk.put(new Asked(name)); }
  @PutMapping(\"/rows/{name}\") public int mark(@PathVariable(\"name\") String name) { return desk.mark(name); }
  @PostMapping(\"/moves\") public Object move(@RequestParam(\"a\") String one, @RequestParam(\"b\") String other) { return desk.move(one, other); }
  @GetMapping(\"/rows\") public Object keyed(@RequestParam(\"key\") String key, @RequestParam(\"name\") String name) { return desk.keyed(key, name); }
  @PutMapping(\"/titles\") public void title(@RequestParam(\"a\") String one, @RequestParam(\"b\") String other) {
    desk.title(org.vendor.Rows.first(Row.class), one, other); }
  @PostMapping(\"/notes\") public void note(@RequestParam(\"name\") String name) { desk.note(name); }
  @GetMapping(\"/marks\") public Object marks(@RequestParam(\"a\") String one, @RequestParam(\"b\") String other) {
    return new Mark(one).equals(new Mark(other)); }
  @GetMapping(\"/codes\") public int code(@RequestParam(\"name\") String name) {
    try { desk.mark(name); } catch (RuntimeException e) { return desk.code(e); }
    return 200; }";

/// The reported changes after `was` is replaced by `is` in the files.
fn told(was: &str, is: &str) -> Vec<String> {
    let files = |changed: bool| {
        let read = |text: &str| if changed { text.replacen(was, is, 1) } else { text.to_owned() };
        [
            ("Mark.java", read(MARK)),
            ("Taken.java", TAKEN.to_owned()),
            ("Lost.java", LOST.to_owned()),
            ("Refused.java", REFUSED.to_owned()),
            ("Advice.java", read(ADVICE)),
            ("Base.java", BASE.to_owned()),
            ("Desk.java", read(DESK)),
            ("Request.java", REQUEST.to_owned()),
            ("Row.java", ROW.to_owned()),
        ]
    };
    assert!([MARK, ADVICE, DESK].iter().any(|text| text.contains(was)), "{was}");
    let before = files(false);
    let named: Vec<(&str, &str)> = before.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let repo = between(HANDLERS, HANDLERS, &named);
    let repo = files(true).iter().fold(repo, |repo, (name, text)| repo.file(&format!("src/main/java/a/{name}"), text));
    let report = report(&repo.commit("Changed"));
    let said = |change: &Value| change["what"].as_str().unwrap().to_owned();
    report["changes"].as_array().unwrap().iter().map(said).collect()
}

#[test]
fn an_exception_comes_before_the_calls_that_it_cuts_short() {
    let found = told("if (request == null)", "if (request != null)");
    assert!(found[0].starts_with("throws `IllegalArgumentException` where it gave "), "{found:#?}");
}

#[test]
fn of_two_conditions_one_of_which_includes_the_other_one_is_said() {
    let found = told("changed == 0", "changed == 1");
    assert!(found[0].contains("rows.change(name) == 1)"), "{found:#?}");
    assert!(!found.iter().any(|one| one.contains("!= 0 and")), "{found:#?}");
}

#[test]
fn the_status_of_a_problem_is_the_answers() {
    let found = told("changed == 0", "changed >= 0");
    assert!(found.iter().any(|one| one.starts_with("answers 400 where it answered 200")), "{found:#?}");
    let lost = told("problem.setProperty(\"kind\", \"plain\");", "");
    assert!(lost[0].starts_with("no longer gives `properties.kind`, which was `\"plain\"`"), "{lost:#?}");
}

#[test]
fn a_call_that_is_gone_is_not_held_against_the_next_one_of_its_method() {
    let found = told("Object first = rows.open(one);", "Object first = null;");
    assert!(found[0].starts_with("no longer calls `rows.open(a)`"), "{found:#?}");
}

#[test]
fn a_key_is_lost_whatever_else_it_may_happen_to_be() {
    let found = told("all.put(\"id\", key);", "all.put(key, \"id\");");
    assert!(found[0].starts_with("calls `Rows.query` without `id`, which was `key`"), "{found:#?}");
    assert!(!found[0].contains("key equals"), "{found:#?}");
}

#[test]
fn one_object_is_equal_to_itself_and_of_one_class() {
    let found = told("if (this == o) return true;", "if (this != o) return true;");
    assert!(found[0].starts_with("the body has another value on 200"), "{found:#?}");
    assert!(!found.iter().any(|one| one.contains("gives `false` where it gave `true`")), "{found:#?}");
    let found = told("if (e instanceof Taken)", "if (!(e instanceof Taken))");
    // Another exception cannot be cast to `Taken`, and a `Taken` is never a `Lost`.
    assert!(found.iter().any(|one| one.starts_with("answers 500 where it answered 200")), "{found:#?}");
    assert!(found.iter().any(|one| one.starts_with("gives `500` where it gave `409`")), "{found:#?}");
    assert!(!found.iter().any(|one| one.contains("`404` where it gave `409`")), "{found:#?}");
}

#[test]
fn a_logger_that_a_library_hands_down_writes_a_log() {
    assert_eq!(told("if (!rows.isFull(name)) {", "if (rows.isFull(name)) {"), [""; 0]);
    let found = told("rows.insert(name); } }", "} }");
    assert!(found[0].starts_with("no longer calls `rows.insert(name)`"), "{found:#?}");
}

#[test]
fn two_objects_that_are_changed_are_told_by_the_call_that_finds_them() {
    let found = told("row.near(one)", "row.near(other)");
    assert!(!found.is_empty() && !found.iter().any(|one| one.contains("otherwise")), "{found:#?}");
    assert!(found[0].contains("near"), "{found:#?}");
}

#[test]
fn a_field_holds_its_bean_however_the_container_gives_it() {
    let by = |marks: &str, field: &str| {
        format!(
            "package a; import org.springframework.beans.factory.annotation.Autowired; import org.springframework.stereotype.Service;\n\
             @Service {marks} public class Shop {{ {field} org.vendor.Rows rows; public Object find(String name) {{ return rows.find(name); }} }}"
        )
    };
    let handlers = "@org.springframework.beans.factory.annotation.Autowired private Shop shop;
      @GetMapping(\"/rows/{name}\") public Object find(@PathVariable(\"name\") String name) { return shop.find(name); }";
    let state = |after: String| {
        let repo = between(handlers, handlers, &[("Shop.java", &by("", "@Autowired private"))]);
        let repo = repo.file("src/main/java/a/Shop.java", after).commit("Given otherwise");
        states(&report(&repo)).into_iter().map(|(_, state)| state).collect::<Vec<_>>()
    };
    assert_eq!(state(by("@lombok.RequiredArgsConstructor", "private final")), ["same"]);
    // Without injection, the field has no value.
    assert_ne!(state(by("", "private")), ["same"]);
}

#[test]
fn of_two_classes_of_one_name_that_of_the_started_module_runs() {
    let pom = |name: &str, more: &str| {
        format!(
            "<project><modelVersion>4.0.0</modelVersion><parent><groupId>a</groupId><artifactId>all</artifactId><version>1</version></parent>\
             <artifactId>{name}</artifactId><dependencies>{more}</dependencies></project>"
        )
    };
    let all = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>\
               <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.2.0</version></parent>\
               <modules><module>web</module><module>app</module></modules></project>";
    let web = "<dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency>";
    let app = "<dependency><groupId>a</groupId><artifactId>web</artifactId><version>1</version></dependency>";
    let advice = |text: &str| {
        format!(
            "package a; import org.springframework.web.bind.annotation.*; @RestControllerAdvice public class Advice {{\n\
             @ExceptionHandler(IllegalStateException.class) @ResponseStatus(org.springframework.http.HttpStatus.CONFLICT)\n\
             public String closed(IllegalStateException e) {{ return \"{text}\"; }} }}"
        )
    };
    let repo = Repo::new()
        .file("pom.xml", all)
        .file("web/pom.xml", pom("web", web))
        .file("app/pom.xml", pom("app", app))
        .file(
            "app/src/main/java/a/App.java",
            "package a; @org.springframework.boot.autoconfigure.SpringBootApplication public class App {\n\
             public static void main(String[] args) { org.springframework.boot.SpringApplication.run(App.class, args); } }",
        )
        .file(
            "web/src/main/java/a/C.java",
            "package a; import org.springframework.web.bind.annotation.*; @RestController public class C {\n\
             @GetMapping(\"/shut\") public String shut() { throw new IllegalStateException(); } }",
        )
        .file("web/src/main/java/a/Advice.java", advice("hidden"))
        .file("app/src/main/java/a/Advice.java", advice("seen"))
        .commit("Before");
    let changed = repo.branch("feature").file("app/src/main/java/a/Advice.java", advice("other")).commit("After");
    let report = report(&changed);
    assert_eq!(states(&report), [("GET /shut".to_owned(), "changed".to_owned())], "{report:#}");
}

#[test]
fn a_save_of_what_the_transaction_writes_anyway_is_no_change() {
    let item = "package a; import jakarta.persistence.*; @Entity public class Item { @Id private Long id; private String name;\n\
                public Long getId() { return id; } public String getName() { return name; } public void setName(String name) { this.name = name; } }";
    let items = "package a; import org.springframework.data.jpa.repository.JpaRepository; public interface Items extends JpaRepository<Item, Long> { }";
    let service = |marks: &str, found: &str, save: &str| {
        format!(
            "package a; import org.springframework.stereotype.Service; import org.springframework.transaction.annotation.Transactional;\n\
             @Service public class Renaming {{ private final Items items; public Renaming(Items items) {{ this.items = items; }}\n\
             {marks} public void rename(Long id, String name) {{ Item item = {found}; item.setName(name); {save} }} }}"
        )
    };
    let handlers = "private final Renaming renaming; public C(Renaming renaming) { this.renaming = renaming; }
      @PutMapping(\"/items/{id}\") public void rename(@PathVariable(\"id\") Long id, @RequestParam(\"name\") String name) { renaming.rename(id, name); }";
    let state = |marks: &str, found: &str| {
        let before = service(marks, found, "items.save(item);");
        let more = [("Item.java", item), ("Items.java", items), ("Renaming.java", before.as_str())];
        let repo = between(handlers, handlers, &more);
        let repo = repo.file("src/main/java/a/Renaming.java", service(marks, found, "")).commit("Not saved");
        states(&report(&repo)).into_iter().map(|(_, state)| state).collect::<Vec<_>>()
    };
    let found = "items.findById(id).orElseThrow(() -> new IllegalArgumentException(\"no item\"))";
    assert_eq!(state("@Transactional", found), ["same"]);
    assert_eq!(state("", found), ["changed"], "nothing writes it");
    assert_eq!(state("@Transactional", "new Item()"), ["changed"], "a new item is no row yet");
}
