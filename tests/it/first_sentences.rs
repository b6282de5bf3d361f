//! Which sentence comes first, and under which condition: what ordinary requests meet, as the service starts; and what a
//! database refuses.

use serde_json::Value;

use crate::states::{between, report, states};

const REPOSITORY: &str = "org.springframework.data.jpa.repository.JpaRepository";

/// The sentences of an operation, in order.
fn told(report: &Value, op_id: &str) -> Vec<String> {
    let of = |one: &&Value| one["op_id"] == op_id;
    let text = |one: &Value| one["what"].as_str().unwrap().to_owned();
    report["changes"].as_array().unwrap().iter().filter(of).map(text).collect()
}

fn first(report: &Value, op_id: &str) -> String {
    told(report, op_id).first().cloned().unwrap_or_default()
}

const STATE: &str = "private final org.vendor.Texts texts; public C(org.vendor.Texts texts) { this.texts = texts; }
  private static List<Integer> kept = null;
  static List<Integer> kept() { if (kept == null) { kept = new ArrayList<>(); kept.add(4); kept.add(5); } return kept; }
  @DeleteMapping(\"/kept/{n}\") public String drop(@PathVariable(\"n\") int n) {
    Integer found = kept().stream().filter(one -> one TEST n).findAny().orElse(null);
    if (found != null) { kept().remove(found); } return texts.of(found != null); }";

#[test]
fn the_state_that_a_service_starts_with_comes_first() {
    let of = |test: &str| STATE.replace("TEST", test);
    let found = report(&between(&of("=="), &of("!="), &[]));
    let first = first(&found, "DELETE /kept/{n}");
    let condition = first.rsplit('(').next().unwrap();
    assert!(!condition.contains("kept holds") && !condition.contains("kept["), "{first}");
    assert!(first.contains("n == ") || first.contains("n != "), "{first}");
}

const ITEM: &str = "package a; import jakarta.persistence.*;
@Entity public class Item { @Id @GeneratedValue private Long id; @Column(nullable = false) private String title; private String note;
  public Long getId() { return id; } public String getTitle() { return title; } public void setTitle(String title) { this.title = title; }
  public void setNote(String note) { this.note = note; } }";
const KEYED: &str = "package a; import jakarta.persistence.*;
@Entity public class Keyed { @Id private Integer id; private String title;
  public Integer getId() { return id; } public void setId(Integer id) { this.id = id; } public void setTitle(String title) { this.title = title; } }";

#[test]
fn a_database_refuses_what_lacks_a_column_that_may_not_be_null() {
    let of_rows =
        |row: &str, key: &str| format!("package a; public interface {row}s extends {REPOSITORY}<{row}, {key}> {{ }}");
    let handlers = |title: &str, note: &str, key: &str| {
        format!(
            "private final Items items; private final Keyeds keyeds; private final org.vendor.Texts texts;
  public C(Items items, Keyeds keyeds, org.vendor.Texts texts) {{ this.items = items; this.keyeds = keyeds; this.texts = texts; }}
  @PostMapping(\"/items\") public String add(@RequestParam(\"t\") String t) {{ Item item = new Item(); {title} {note} items.save(item); return texts.of(t); }}
  @PostMapping(\"/keyed\") public String keyed(@RequestParam(\"t\") String t) {{ Keyed one = new Keyed(); {key} one.setTitle(t); keyeds.save(one); return texts.of(t); }}"
        )
    };
    let files = [
        ("Item.java", ITEM),
        ("Items.java", &of_rows("Item", "Long")),
        ("Keyed.java", KEYED),
        ("Keyeds.java", &of_rows("Keyed", "Integer")),
    ]
    .map(|(name, text)| (name, text.to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let base = handlers("item.setTitle(t);", "item.setNote(t);", "one.setId(t.length());");
    let found = report(&between(&base, &handlers("", "item.setNote(t);", ""), &files));
    for op_id in ["POST /items", "POST /keyed"] {
        assert!(first(&found, op_id).starts_with("answers 500 where it answered 200"), "{op_id}: {found:#}");
    }
    // A column that may be null is written as null.
    let found = report(&between(&base, &handlers("item.setTitle(t);", "", "one.setId(t.length());"), &files));
    assert!(first(&found, "POST /items").contains("with `null` for `note`"), "{found:#}");
}

#[test]
fn what_a_look_up_took_is_not_null_afterwards() {
    let item = ITEM.replace("@GeneratedValue ", "");
    let items = format!("package a; public interface Items extends {REPOSITORY}<Item, Long> {{ }}");
    let body = "package a; public class Sent { private Long id; private String title; private String note;
  public Long getId() { return id; } public void setId(Long id) { this.id = id; } public String getTitle() { return title; } public void setTitle(String title) { this.title = title; }
  public String getNote() { return note; } public void setNote(String note) { this.note = note; } }";
    let handlers = |of: &str| {
        format!(
            "private final Items items; private final org.vendor.Texts texts; public C(Items items, org.vendor.Texts texts) {{ this.items = items; this.texts = texts; }}
  @PutMapping(\"/items\") public String put(@RequestBody Sent sent) {{ if (items.findById(sent.getId()).isPresent()) {{ return texts.there(); }}
    return sent.{of}() != null ? texts.of(sent.getTitle()) : texts.none(); }}"
        )
    };
    let files = [("Item.java", item.as_str()), ("Items.java", &items), ("Sent.java", body)];
    let found = report(&between(&handlers("getNote"), &handlers("getId"), &files));
    let all = told(&found, "PUT /items");
    assert!(all.iter().any(|one| one.contains("note is null")), "{all:?}");
    assert!(!all.iter().any(|one| one.contains("(id is null") || one.contains("and id is null")), "{all:?}");
}

#[test]
fn code_beside_that_which_fills_a_store_is_not_told_of_its_rows() {
    let items = format!("package a; public interface Items extends {REPOSITORY}<Item, Long> {{ }}");
    let seeds = |label: &str, title: &str| {
        format!(
            "package a; import org.springframework.boot.context.event.ApplicationReadyEvent; import org.springframework.context.event.EventListener;
@org.springframework.stereotype.Component public class Seeds {{ private final Items items; public Seeds(Items items) {{ this.items = items; }}
  @EventListener public void fill(ApplicationReadyEvent event) {{ add(); }}
  void add() {{ Item item = new Item(); item.setTitle(\"{title}\"); items.save(item); }}
  public String label() {{ return \"{label}\"; }} }}"
        )
    };
    let handlers = "private final Items items; private final Seeds seeds; private final org.vendor.Texts texts;
  public C(Items items, Seeds seeds, org.vendor.Texts texts) { this.items = items; this.seeds = seeds; this.texts = texts; }
  @GetMapping(\"/label\") public String label() { return seeds.label(); }
  @GetMapping(\"/items/{id}\") public String item(@PathVariable(\"id\") Long id) { return texts.of(items.findById(id).orElseThrow().getTitle()); }";
    let base = [("Item.java", ITEM), ("Items.java", &items), ("Seeds.java", &seeds("a", "one"))]
        .map(|(name, text)| (name, text.to_owned()));
    let base: Vec<(&str, &str)> = base.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let changed = |seeds: String| {
        report(&between(handlers, handlers, &base).file("src/main/java/a/Seeds.java", seeds).commit("Changed"))
    };
    let beside = changed(seeds("b", "one"));
    assert_eq!(first(&beside, "GET /label"), "the text of the body changes", "{beside:#}");
    assert!(!states(&beside).iter().any(|(op_id, _)| op_id == "GET /items/{id}"), "{beside:#}");
    let filled = changed(seeds("a", "two"));
    assert!(first(&filled, "GET /items/{id}").starts_with("`Seeds` fills `Item` with other values"), "{filled:#}");
}

#[test]
fn times_are_not_compared_with_null() {
    let handlers = |test: &str| {
        format!(
            "private final org.vendor.Days days; public C(org.vendor.Days days) {{ this.days = days; }}
  @PostMapping(\"/days\") public String day(@RequestBody Span span) {{
    java.time.LocalDate day = days.of(\"kind\");
    if (span.getStart() {test} null && day.isAfter(span.getStart())) {{ return days.open(); }} return days.closed(); }}"
        )
    };
    let span = "package a; public class Span { private java.time.LocalDate start;
  public java.time.LocalDate getStart() { return start; } public void setStart(java.time.LocalDate start) { this.start = start; } }";
    let found = report(&between(&handlers("!="), &handlers("=="), &[("Span.java", span)]));
    let all = told(&found, "POST /days");
    assert!(all.iter().any(|one| one.starts_with("answers 500 where it answered 200 (start is null)")), "{all:?}");
    assert!(!all.iter().any(|one| one.contains("isAfter(null)")), "{all:?}");
}

#[test]
fn marks_for_native_images_and_for_servlet_containers_change_no_answer() {
    let handlers = "@GetMapping(\"/one\") public One one() { return new One(); }";
    let one = |mark: &str| {
        format!(
            "package a; {mark} public class One {{ private String name = \"n\"; public String getName() {{ return name; }} }}"
        )
    };
    let app = |above: &str| {
        format!(
            "package a; import org.springframework.boot.SpringApplication;
@org.springframework.boot.autoconfigure.SpringBootApplication public class App {above} {{ public static void main(String[] args) {{ SpringApplication.run(App.class, args); }} }}"
        )
    };
    let repo = between(handlers, handlers, &[("One.java", &one("")), ("App.java", &app(""))]);
    let repo =
        repo.file("src/main/java/a/One.java", one("@io.quarkus.runtime.annotations.RegisterForReflection")).file(
            "src/main/java/a/App.java",
            app("extends org.springframework.boot.web.servlet.support.SpringBootServletInitializer"),
        );
    let found = report(&repo.commit("Changed"));
    assert_eq!(states(&found), [("GET /one".to_owned(), "same".to_owned())], "{found:#}");
}

#[test]
fn a_request_has_the_method_of_its_operation() {
    let handlers = |status: &str| {
        format!(
            "private final jakarta.servlet.http.HttpServletRequest request; private final org.vendor.Pages pages;
  public C(jakarta.servlet.http.HttpServletRequest request, org.vendor.Pages pages) {{ this.request = request; this.pages = pages; }}
  String page(String name) {{ if (request.getMethod().equals(\"PUT\")) {{ pages.go({status}); }} return pages.of(name); }}
  @GetMapping(\"/pages/{{name}}\") public String read(@PathVariable(\"name\") String name) {{ return page(name); }}
  @PutMapping(\"/pages/{{name}}\") public String write(@PathVariable(\"name\") String name) {{ return page(name); }}"
        )
    };
    let found = report(&between(&handlers("303"), &handlers("302"), &[]));
    assert!(first(&found, "PUT /pages/{name}").contains("302"), "{found:#}");
    assert_eq!(told(&found, "GET /pages/{name}"), [] as [&str; 0], "{found:#}");
}

#[test]
fn a_key_that_comes_from_another_row_is_not_missing() {
    let mapped = "package a; import jakarta.persistence.*;
@Entity public class Note { @Id private Long id; @OneToOne @MapsId private Item item; private String text;
  public void setItem(Item item) { this.item = item; } public void setText(String text) { this.text = text; } }";
    let rows = |row: &str| format!("package a; public interface {row}s extends {REPOSITORY}<{row}, Long> {{ }}");
    let handlers = |text: &str| {
        format!(
            "private final Items items; private final Notes notes; private final org.vendor.Texts texts;
  public C(Items items, Notes notes, org.vendor.Texts texts) {{ this.items = items; this.notes = notes; this.texts = texts; }}
  @PostMapping(\"/notes/{{id}}\") public String note(@PathVariable(\"id\") Long id, @RequestParam(\"t\") String t) {{
    Note note = new Note(); note.setItem(items.findById(id).orElseThrow()); note.setText({text}); notes.save(note); return texts.of(t); }}"
        )
    };
    let files =
        [("Item.java", ITEM), ("Items.java", &rows("Item")), ("Note.java", mapped), ("Notes.java", &rows("Note"))]
            .map(|(name, text)| (name, text.to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let found = report(&between(&handlers("t"), &handlers("t + \"!\""), &files));
    assert!(first(&found, "POST /notes/{id}").contains("for `text`"), "{found:#}");
}

#[test]
fn a_class_of_the_project_may_be_invalid_whatever_its_name() {
    let character = "package a; import jakarta.validation.constraints.NotBlank; public class Character { @NotBlank private String name;
  public String getName() { return name; } public void setName(String name) { this.name = name; } }";
    let handlers = |mark: &str| {
        format!(
            "@PostMapping(\"/cast\") public String cast({mark} @RequestBody Character character) {{ return \"done\"; }}"
        )
    };
    let found = report(&between(&handlers("@Valid"), &handlers(""), &[("Character.java", character)]));
    let all = told(&found, "POST /cast");
    assert_eq!(all, ["answers 200 where it answered 400 (name is null)"]);
}

#[test]
fn a_lost_status_is_told_also_where_it_was_400() {
    let handlers = |status: &str| {
        format!(
            "private final org.vendor.Names names; public C(org.vendor.Names names) {{ this.names = names; }}
  @GetMapping(\"/names/{{name}}\") public String name(@PathVariable(\"name\") String name) {{
    if (names.isBad(name)) {{ throw new IllegalArgumentException(\"bad\"); }} return names.of(name); }}
  @ExceptionHandler {status} public String bad(IllegalArgumentException e) {{ return \"bad\"; }}"
        )
    };
    let gate = "package a; import jakarta.servlet.*; import jakarta.servlet.http.*; import org.springframework.stereotype.Component;
@Component public class Gate extends org.springframework.web.filter.OncePerRequestFilter {
  private final org.vendor.Keys keys; public Gate(org.vendor.Keys keys) { this.keys = keys; }
  protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain) throws java.io.IOException, ServletException {
    keys.check(request, response, chain); } }";
    let files = [("Gate.java", gate)];
    let found = report(&between(&handlers("@ResponseStatus(HttpStatus.BAD_REQUEST)"), &handlers(""), &files));
    let all = told(&found, "GET /names/{name}");
    assert!(all.iter().any(|one| one.starts_with("answers 200 where it answered 400")), "{all:?}");
}
