//! Derived changes of small services with stores: changes of behaviour are reported, and nothing else is.

use mastor::types::results::change::Change;

use crate::derive::all_changes;
use crate::loaded::Service;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
    <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.2.0</version></parent>\
    <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency>\
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-validation</artifactId></dependency>\
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-data-jpa</artifactId></dependency>\
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId></dependency></dependencies></project>";

const ITEM: &str = "package a; import jakarta.persistence.*; import jakarta.validation.constraints.*;
@Entity public class Item {
  @Id @GeneratedValue(strategy = GenerationType.IDENTITY) private Long id;
  private String name;
  public Long getId() { return id; } public String getName() { return name; }
  public void setId(Long id) { this.id = id; } public void setName(String name) { this.name = name; }
}";

const ITEMS: &str =
    "package a; public interface Items extends org.springframework.data.jpa.repository.JpaRepository<Item, Long> { }";

const DATA: &str = "insert into item (id, name) values (7, 'bread'), (8, 'milk');";

/// A service for items with the handlers `code`; `more` adds or replaces files.
pub(crate) fn service(code: &str, more: &[(&str, &str)]) -> Service {
    let controller = format!(
        "package a; import java.util.*; import java.net.URI; import org.springframework.http.*; import org.springframework.web.bind.annotation.*;
         import jakarta.validation.Valid; import jakarta.validation.constraints.*;
         @RestController public class C {{ private final Items items; public C(Items items) {{ this.items = items; }}
         @ResponseStatus(HttpStatus.BAD_REQUEST) static class Bad extends RuntimeException {{ }}
         {code} }}"
    );
    let dir = "src/main/java/a";
    let mut files: Vec<(String, String)> = vec![
        ("pom.xml".to_owned(), POM.to_owned()),
        ("src/main/resources/data.sql".to_owned(), DATA.to_owned()),
        (format!("{dir}/Item.java"), ITEM.to_owned()),
        (format!("{dir}/Items.java"), ITEMS.to_owned()),
        (format!("{dir}/C.java"), controller),
    ];
    files.retain(|(path, _)| !more.iter().any(|(other, _)| other == path));
    files.extend(more.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    Service::of(files)
}

pub(crate) fn between(before: &str, after: &str) -> Vec<Change> {
    all_changes(&service(before, &[]), &service(after, &[]))
}

/// The reported changes, with the witness's answers.
pub(crate) fn told(changes: &[Change]) -> Vec<String> {
    let of = |change: &Change| match &change.witness {
        Some(witness) => format!("{} [{} → {}]", change.what, witness.before, witness.after),
        None => change.what.clone(),
    };
    changes.iter().map(of).collect()
}

#[test]
fn a_class_named_after_a_repository_comes_before_what_every_repository_has() {
    let code = "@GetMapping(\"/items/{id}\") public ResponseEntity<Item> one(@PathVariable(\"id\") Long id) {
        return items.findById(id).map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.notFound().build()); }";
    let own = "package a; import java.util.*; public class ItemsImpl { public Optional<Item> findById(Long id) { return Optional.empty(); } }";
    let (without, with) = (service(code, &[]), service(code, &[("src/main/java/a/ItemsImpl.java", own)]));
    let found = told(&all_changes(&without, &with));
    assert!(found.iter().any(|one| one.starts_with("answers 404 where it answered 200")), "{found:#?}");
}

#[test]
fn lists_of_a_repository_are_never_null() {
    let all = |body: &str| {
        format!(
            "@GetMapping(\"/items\") public List<Item> all() {{ List<Item> all = items.findAll(); {body} return all; }}"
        )
    };
    let found = between(&all(""), &all("if (all == null) { throw new Bad(); }"));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn fields_of_answers_without_a_body_are_no_change() {
    let other = ITEM.replace(
        "private String name;",
        "private String name; private String note; public String getNote() { return note; }",
    );
    let code = "@PutMapping(\"/items/{id}\") public ResponseEntity<Item> put(@PathVariable(\"id\") Long id) { return ResponseEntity.noContent().build(); }";
    let found = all_changes(&service(code, &[]), &service(code, &[("src/main/java/a/Item.java", other.as_str())]));
    assert!(found.is_empty(), "{found:#?}");
    let read = code.replace("ResponseEntity.noContent().build()", "ResponseEntity.ok(items.findById(id).get())");
    let found =
        told(&all_changes(&service(&read, &[]), &service(&read, &[("src/main/java/a/Item.java", other.as_str())])));
    assert!(found.iter().any(|one| one.contains("the field note is new")), "{found:#?}");
}

const FORM: &str =
    "public static class Form { #at private String name; #other private List<String> tags = new ArrayList<>();
  public String getName() { return name; } public void setName(String name) { this.name = name; }
  public List<String> getTags() { return tags; } public void setTags(List<String> tags) { this.tags = tags; } }";

fn form(at: &str, other: &str) -> String {
    let class = FORM.replace("#at", at).replace("#other", other);
    format!("{class} @PostMapping(\"/forms\") public String take(@Valid @RequestBody Form form) {{ return \"ok\"; }}")
}

#[test]
fn what_is_required_is_told_with_a_request_that_shows_it() {
    let found = between(&form("", ""), &form("@NotBlank", ""));
    assert!(!found.is_empty() && found.iter().all(|change| change.witness.is_some()), "{found:#?}");
    // A field with a default value may be left out, so it is not reported as needed.
    let found = told(&between(&form("", ""), &form("", "@NotNull")));
    assert!(found.iter().all(|one| one.contains('[') && !one.contains("needs")), "{found:#?}");
}

#[test]
fn the_status_that_takes_the_place_of_another_is_told() {
    let code = |status: &str| {
        format!(
            "@GetMapping(\"/items/{{id}}\") public ResponseEntity<String> one(@PathVariable(\"id\") String id) {{
           Object found = Outside.find(id); if (found == null) {{ return ResponseEntity.status({status}).build(); }}
           return ResponseEntity.ok(\"there\"); }}"
        )
    };
    let found = told(&between(&code("404"), &code("410")));
    assert_eq!(found, ["answers 410 where it answered 404 (`found == null`)"]);
}

#[test]
fn headers_and_elements_of_lists_are_compared() {
    let made = |place: &str| {
        format!(
            "@PostMapping(\"/items\") public ResponseEntity<Void> make(@RequestBody Item item) {{ return ResponseEntity.created(URI.create({place})).build(); }}"
        )
    };
    let found = told(&between(&made("\"/itms/1\""), &made("\"/items/1\"")));
    assert!(found.iter().any(|one| one.contains("the header Location is /items/1 where it was /itms/1")), "{found:#?}");
    let built = "org.springframework.web.util.UriComponentsBuilder.fromPath(\"/items/{id}\").buildAndExpand(1).toUri().toString()";
    let built = made("X").replace("URI.create(X)", &built.replace(".toString()", ""));
    assert!(between(&made("\"/items/1\""), &built).is_empty());
    let marked = |mark: &str| {
        format!(
            "@GetMapping(\"/items/{{id}}\") public ResponseEntity<String> one(@PathVariable(\"id\") int id) {{ return ResponseEntity.ok(){mark}.body(\"there\"); }}"
        )
    };
    let found = told(&between(&marked(""), &marked(".header(\"X-Kind\", \"plain\")")));
    assert!(found.iter().any(|one| one.contains("the header X-Kind is new")), "{found:#?}");
    let listed = |more: &str| {
        format!(
        "public static class Line {{ public int n; public Object sum; {more} }}
         @GetMapping(\"/lines\") public List<Line> lines() {{ Line l = new Line(); l.n = 1; l.sum = Outside.sum(); return List.of(l); }}"
    )
    };
    let found = told(&between(&listed(""), &listed("public int of = 2;")));
    assert!(found.iter().any(|one| one.contains("the field [*].of is new")), "{found:#?}");
}

#[test]
fn further_properties_of_a_problem_are_compared() {
    let code = |more: &str| {
        format!(
            "@GetMapping(\"/items/{{id}}\") public Item one(@PathVariable(\"id\") int id) {{ throw new Bad(); }}
         @ExceptionHandler(Bad.class) public ProblemDetail bad() {{
           ProblemDetail p = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, \"no\"); {more} return p; }}"
        )
    };
    let found = told(&between(&code(""), &code("p.setProperty(\"code\", 7);")));
    assert!(found.iter().any(|one| one.contains("the field code is new on 409")), "{found:#?}");
    assert!(between(&code(""), &code("p.setDetail(\"no\");")).is_empty());
}

#[test]
fn a_constraint_of_an_entity_that_is_kept_is_told() {
    let strict = ITEM.replace("private String name;", "@Size(max = 3) private String name;");
    let code = "@PostMapping(\"/items\") public ResponseEntity<Void> make(@RequestParam(\"name\") String name) {
        if (name.length() > 5) { throw new Bad(); } Item item = new Item(); item.setName(name); items.save(item); return ResponseEntity.ok().build(); }";
    let found =
        told(&all_changes(&service(code, &[]), &service(code, &[("src/main/java/a/Item.java", strict.as_str())])));
    assert!(found.iter().any(|one| one.starts_with("answers 500 where it answered 200")), "{found:#?}");
}
