//! Refactored declarations: descriptive annotations, renamed handlers, result types, fields of builders.

use crate::states::{between, report, states};

/// A controller whose handler has this annotation, name and role, and answers with a library's text.
fn handler(annotation: &str, name: &str, role: &str) -> String {
    format!(
        "private final org.vendor.Texts texts; public C(org.vendor.Texts texts) {{ this.texts = texts; }}
  {annotation} @org.springframework.security.access.prepost.PreAuthorize(\"hasRole('{role}')\")
  @GetMapping(\"/books/{{id}}\") public String {name}(@PathVariable(\"id\") Long id) {{ return texts.of(id); }}"
    )
}

fn state(before: &str, after: &str, more: &[(&str, &str)]) -> Vec<String> {
    let all = states(&report(&between(before, after, more)));
    all.into_iter().map(|(op, state)| format!("{op} {state}")).collect()
}

const OPERATION: &str = "@io.swagger.v3.oas.annotations.Operation(operationId = \"ID\")";
const AUDIT: &str = "package a; import org.aspectj.lang.annotation.*; import org.springframework.stereotype.Component;
@Aspect @Component public class Audit { private final org.vendor.Log log; public Audit(org.vendor.Log log) { this.log = log; }
  @Before(\"@annotation(io.swagger.v3.oas.annotations.Operation)\") public void note() { log.note(); } }";

#[test]
fn what_documents_an_operation_decides_nothing_unless_an_aspect_looks_for_it() {
    let of = |id: &str| handler(&OPERATION.replace("ID", id), "book", "READER");
    assert_eq!(state(&of("one"), &of("two"), &[]), ["GET /books/{id} same"]);
    assert_eq!(state(&of("one"), &handler("", "book", "READER"), &[]), ["GET /books/{id} same"]);
    let found = state(&of("one"), &handler("", "book", "READER"), &[("Audit.java", AUDIT)]);
    assert!(!found.is_empty() && !found[0].ends_with(" same"), "{found:?}");
}

#[test]
fn a_handler_with_another_name_is_the_same_handler_and_its_role_is_compared() {
    let of = |name: &str, role: &str| handler("", name, role);
    assert_eq!(state(&of("book", "READER"), &of("one", "READER"), &[]), ["GET /books/{id} same"]);
    let found = state(&of("book", "READER"), &of("one", "OWNER"), &[]);
    assert!(!found.is_empty() && !found[0].ends_with(" same"), "{found:?}");
}

#[test]
fn what_a_method_is_declared_to_give_matters_where_it_is_converted() {
    let of = |ty: &str, result: &str| {
        format!(
            "private final org.vendor.Texts texts; public C(org.vendor.Texts texts) {{ this.texts = texts; }}
  @GetMapping(\"/halves/{{n}}\") public String half(@PathVariable(\"n\") int n) {{ return texts.of(part(n)); }}
  private {ty} part(int n) {{ return {result}; }}"
        )
    };
    let found = state(&of("Object", "texts.part(n)"), &of("CharSequence", "texts.part(n)"), &[]);
    assert_eq!(found, ["GET /halves/{n} same"]);
    assert_eq!(state(&of("double", "n / 2"), &of("int", "n / 2"), &[]), ["GET /halves/{n} changed"]);
}

#[test]
fn a_field_that_only_builders_fill_matters_where_it_is_answered() {
    let note = |more: &str| {
        format!(
            "package a; import lombok.*; import java.util.*;
@Getter @Builder @AllArgsConstructor public class Note {{ private String text; {more} }}"
        )
    };
    let handlers = "private final org.vendor.Texts texts; public C(org.vendor.Texts texts) { this.texts = texts; }
  @GetMapping(\"/lengths\") public String length() { return texts.of(Note.builder().text(texts.next()).build().getText()); }
  @GetMapping(\"/notes\") public Note note() { return Note.builder().text(texts.next()).build(); }";
    let repo = between(handlers, handlers, &[("Note.java", &note(""))]);
    let repo =
        repo.file("src/main/java/a/Note.java", note("@Builder.Default private List<String> tags = new ArrayList<>();"));
    let found = states(&report(&repo.commit("A field more")));
    let of = |path: &str| found.iter().find(|(op, _)| op == path).map(|(_, state)| state.as_str());
    assert!(of("GET /lengths").is_none_or(|state| state == "same"), "{found:?}");
    assert_eq!(of("GET /notes"), Some("changed"), "{found:?}");
}

#[test]
fn what_lombok_makes_of_a_class_matters_where_it_is_used() {
    let note = |annotations: &str| {
        format!(
            "package a; import lombok.*; {annotations} public class Note {{ private String text; private String by; }}"
        )
    };
    let handlers = "private final org.vendor.Texts texts; public C(org.vendor.Texts texts) { this.texts = texts; }
  @GetMapping(\"/notes\") public ResponseEntity<Note> note() { return ResponseEntity.ok(made()); }
  @PostMapping(\"/notes\") public String take(@RequestBody Note note) { return texts.of(note.getText()); }
  @GetMapping(\"/alike\") public String alike() { return made().equals(made()) ? texts.of(1L) : texts.of(2L); }
  private Note made() { return new Note(); }";
    let repo = between(handlers, handlers, &[("Note.java", &note("@Data"))]);
    let repo = repo.file("src/main/java/a/Note.java", note("@Getter"));
    let found = states(&report(&repo.commit("No setters")));
    let of = |path: &str| found.iter().find(|(op, _)| op == path).map(|(_, state)| state.as_str());
    assert_eq!(of("GET /notes"), Some("same"), "{found:?}");
    assert!(of("POST /notes").is_some_and(|state| state != "same"), "{found:?}");
    assert!(of("GET /alike").is_some_and(|state| state != "same"), "{found:?}");
}

/// An order that holds lists, sets and maps with constraints on what they hold.
fn order(items: &str, tags: &str, counts: &str) -> String {
    format!(
        "package a; import java.util.*; import jakarta.validation.*; import jakarta.validation.constraints.*;
  public class Order {{ private List<{items}Item> items; private Set<{tags}String> tags; private Map<String, {counts}Integer> counts;
  public List<Item> getItems() {{ return items; }} public void setItems(List<Item> items) {{ this.items = items; }}
  public Set<String> getTags() {{ return tags; }} public void setTags(Set<String> tags) {{ this.tags = tags; }}
  public Map<String, Integer> getCounts() {{ return counts; }} public void setCounts(Map<String, Integer> counts) {{ this.counts = counts; }} }}"
    )
}

#[test]
fn constraints_on_what_a_collection_holds_are_told() {
    let item = "package a; import jakarta.validation.constraints.*; public class Item { @NotBlank private String name;
  public String getName() { return name; } public void setName(String name) { this.name = name; } }";
    let handlers = |valid: &str, size: &str| {
        format!(
            "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) {{ this.shelf = shelf; }}
  @PostMapping(\"/orders\") public int add({valid}@RequestBody Order order) {{ return shelf.put(order); }}
  @GetMapping(\"/names\") public int names(@RequestParam(\"names\") List<{size}String> names) {{ return shelf.all(names); }}"
        )
    };
    let told = |valid: &str, was: &str, is: &str, sizes: [&str; 2]| {
        let dir = "src/main/java/a";
        let repo = between(
            &handlers(valid, sizes[0]),
            &handlers(valid, sizes[1]),
            &[("Item.java", item), ("Order.java", was)],
        );
        let repo = repo.file(&format!("{dir}/Order.java"), is).commit("Order");
        let report = report(&repo);
        report["changes"][0]["what"].as_str().map_or_else(|| format!("{:?}", states(&report)), str::to_owned)
    };
    let whole = order("@Valid ", "@NotBlank ", "@Min(1) ");
    let size = "@Size(min = 2) ";
    let of_order = |is: &str| told("@Valid ", &whole, is, [size, size]);
    assert_eq!(of_order(&order("", "@NotBlank ", "@Min(1) ")), "`@Valid` is gone on what `Order#items` holds");
    assert_eq!(of_order(&order("@Valid ", "", "@Min(1) ")), "`@NotBlank` is gone on what `Order#tags` holds");
    assert_eq!(
        of_order(&order("@Valid ", "@NotBlank ", "@Min(2) ")),
        "`@Min(2)` stands where `@Min(1)` stood on what `Order#counts` holds"
    );
    assert_eq!(
        told("@Valid ", &whole, &whole, [size, ""]),
        "`@Size(min = 2)` is gone on what `names` of `C#names` holds"
    );
    // What nothing validates is the same.
    let unchecked = told("", &whole, &order("", "", ""), [size, size]);
    assert!(!unchecked.contains("is gone") && unchecked.contains("same"), "{unchecked}");
}

#[test]
fn a_list_of_settings_is_told_by_what_it_gained_or_lost() {
    let settings = "package a; import java.util.*; @org.springframework.stereotype.Component
  @org.springframework.boot.context.properties.ConfigurationProperties(prefix = \"app\") public class Settings { private List<String> origins;
  public List<String> getOrigins() { return origins; } public void setOrigins(List<String> origins) { this.origins = origins; } }";
    let handler = "private final Settings settings; private final org.vendor.Gate gate;
  public C(Settings settings, org.vendor.Gate gate) { this.settings = settings; this.gate = gate; }
  @GetMapping(\"/origins\") public int count() { return gate.let(settings.getOrigins()); }";
    let yaml = |values: &[&str]| {
        let lines: String = values.iter().map(|value| format!("    - {value}\n")).collect();
        format!("app:\n  origins:\n{lines}")
    };
    let told = |was: &[&str], is: &[&str]| {
        let resource = "src/main/resources/application.yml";
        let repo = between(
            handler,
            &format!("{handler} "),
            &[("Settings.java", settings), ("../../resources/application.yml", &yaml(was))],
        );
        let report = report(&repo.file(resource, yaml(is)).commit("Origins"));
        let told = report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned());
        told.filter(|what| what.contains("app.origins")).collect::<Vec<String>>()
    };
    // Of each list one sentence, whatever code makes of it.
    assert_eq!(told(&["a", "b"], &["c", "a", "b"]), ["`app.origins` has one value more in `application.yml`"]);
    assert_eq!(told(&["a", "b", "c"], &["c"]), ["`app.origins` has 2 values fewer in `application.yml`"]);
    assert_eq!(told(&["a", "b"], &["b", "a"]), ["`app.origins` has its values in another order in `application.yml`"]);
    assert_eq!(told(&["a", "b"], &["a", "d"]), ["`app.origins[1]` is set to something else in `application.yml`"]);
}

#[test]
fn two_parameters_of_one_name_are_each_held_against_their_own() {
    let handler = |found: &str| {
        format!(
            "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) {{ this.shelf = shelf; }}
  @GetMapping(\"/rows\") public int rows(@RequestParam(value = \"sort\", defaultValue = \"name,asc\") String[] sort,
      @RequestParam(value = \"sort\", required = false) String first) {{ {found} }}"
        )
    };
    let (whole, extracted) = (
        "return shelf.find(sort, first);",
        "return found(sort, first); } private int found(String[] sort, String first) { return shelf.find(sort, first);",
    );
    let report = report(&between(&handler(whole), &handler(extracted), &[]));
    assert_eq!(states(&report), [("GET /rows".to_owned(), "same".to_owned())], "{}", report["changes"]);
}
