//! Conditions that are told: none that the difference does not need, those that it needs too, and none that the operation
//! never meets; two objects of one class under two names; handlers only of exceptions that a request can cause.

use crate::states::{between, report};

const SHELF: &str = "package a; import java.util.*; import org.springframework.stereotype.Service;
@Service public class Shelf { private final org.vendor.Rows rows; private final ItemRepository items;
  public Shelf(org.vendor.Rows rows, ItemRepository items) { this.rows = rows; this.items = items; }
  public String rename(String key, String name) {
    Item item = items.findById(org.vendor.Keys.read(key)).orElseThrow();
    Optional.ofNullable(name).filter(one -> !one.isEmpty()).ifPresent(item::setName);
    items.save(item);
    return key; }
  public List<String> labels(List<String> names) {
    List<String> all = new ArrayList<>();
    for (String name : names) { all.add(rows.label(name)); }
    return all; }
  public String link(Long one, Long two) {
    Item first = items.findById(one).orElseThrow();
    Item second = items.findById(two).orElseThrow();
    if (first.getName().equals(second.getName())) { throw new IllegalStateException(\"same\"); }
    rows.link(first.getName(), second.getName());
    return \"linked\"; }
  public String pack(String name) {
    if (name.length() < 2) { throw new IllegalArgumentException(\"short\"); }
    String label = label(name);
    long sum = 0;
    for (int at = 0; at < 100000000; at++) { sum += at % 7; }
    return rows.pack(label, sum); }
  public String label(String name) {
    if (name.isEmpty()) { return \"none\"; }
    if (name.length() > 20) { return name.substring(0, 5); }
    return name; }
  public String caller() {
    var caller = org.springframework.security.core.context.SecurityContextHolder.getContext().getAuthentication();
    if (caller == null) { return \"nobody\"; }
    return caller.getName(); }
  public String page(String name) {
    StringBuilder all = new StringBuilder();
    rows.render(name, all);
    if (all.length() == 0) { return \"no page\"; }
    return all.toString(); }
  public String clear(Long id, boolean all) {
    Item item = items.findById(id).orElseThrow();
    Set<String> kept = new HashSet<>();
    if (!kept.equals(item.getTags())) { rows.clear(id); }
    if (all) { rows.clearAll(); }
    return \"cleared\"; }
  public String open(String token) {
    try { return org.vendor.Tokens.parser().key(\"k\").parse(token).getBody(); }
    catch (org.vendor.Expired e) { return \"expired\"; } }
  public Object settings() {
    Map<String, Object> all = new HashMap<>();
    all.put(org.vendor.Config.SERVERS, rows.servers());
    all.put(org.vendor.Config.READER, \"org.vendor.TextReader\");
    all.put(org.vendor.Config.WRITER, \"org.vendor.TextWriter\");
    return new org.vendor.Sender(all).send(); } }";

const ITEM: &str = "package a; import jakarta.persistence.*;
@Entity public class Item { @Id private Long id; private String name; @ElementCollection private java.util.Set<String> tags = new java.util.HashSet<>();
  public java.util.Set<String> getTags() { return tags; }
  public Long getId() { return id; } public String getName() { return name; } public void setName(String name) { this.name = name; } }";

const ITEMS: &str = "package a; public interface ItemRepository extends org.springframework.data.jpa.repository.JpaRepository<Item, Long> { }";

const NOTE: &str = "package a; public class Note { @jakarta.validation.constraints.NotNull private String text; public String getText() { return text; } public void setText(String text) { this.text = text; } }";

const ERRORS: &str = "package a; import org.springframework.http.*; import org.springframework.web.bind.MethodArgumentNotValidException; import org.springframework.web.bind.annotation.*;
@RestControllerAdvice public class Errors {
  @ExceptionHandler(MethodArgumentNotValidException.class) public ResponseEntity<String> invalid(MethodArgumentNotValidException e) { return ResponseEntity.status(422).body(\"invalid\"); }
  @ExceptionHandler public ResponseEntity<String> method(org.springframework.web.HttpRequestMethodNotSupportedException e) { return ResponseEntity.status(405).body(\"method\"); }
  @ExceptionHandler public ResponseEntity<String> lacks(org.springframework.web.bind.MissingServletRequestParameterException e) { return ResponseEntity.status(499).body(\"lacks\"); }
  @ExceptionHandler({Missing.class, Gone.class}) public ResponseEntity<String> missing(Missing e) { return ResponseEntity.status(404).body(\"missing\"); } }
class Missing extends RuntimeException { }
class Gone extends RuntimeException { }";

const HANDLERS: &str = "private final Shelf shelf;
  public C(Shelf shelf) { this.shelf = shelf; }
  @PutMapping(\"/items/{key}\") public String rename(@PathVariable(\"key\") String key, @RequestParam(value = \"name\", required = false) String name) { return shelf.rename(key, name); }
  @PostMapping(\"/labels\") public java.util.Map<String, Object> labels(@RequestBody java.util.List<String> names) {
    java.util.Map<String, Object> all = new java.util.HashMap<>();
    all.put(\"labels\", shelf.labels(names));
    return all; }
  @PostMapping(\"/links\") public String link(@RequestParam(\"one\") Long one, @RequestParam(\"two\") Long two) { return shelf.link(one, two); }
  @PostMapping(\"/packs\") public String pack(@RequestParam(\"name\") String name) { return shelf.pack(name); }
  @GetMapping(\"/settings\") public Object settings() { return shelf.settings(); }
  @GetMapping(\"/pages\") public String page(@RequestParam(\"name\") String name) { return shelf.page(name); }
  @PostMapping(\"/clears\") public String clear(@RequestParam(\"id\") Long id, @RequestParam(\"all\") boolean all) { return shelf.clear(id, all); }
  @GetMapping(\"/tokens\") public String open(@RequestParam(\"token\") String token) { return shelf.open(token); }
  @GetMapping(\"/whoami\") public String whoami(@RequestAttribute(\"name\") String name) { return name; }
  @GetMapping(\"/caller\") public String caller() { return shelf.caller(); }
  @PostMapping(\"/notes\") public String note(@Valid @RequestBody Note note) { return note.getText(); }
  @PutMapping(\"/notes\") public String change(@Valid @RequestBody Note note, org.springframework.validation.BindingResult errors) {
    return errors.hasErrors() ? \"invalid\" : note.getText(); }
  @GetMapping(\"/gone\") public String gone() { throw new Gone(); }";

/// The operation and the sentence of each change, after `was` is replaced by `is`.
fn told(was: &str, is: &str) -> Vec<(String, String)> {
    let files = [
        ("Shelf.java", SHELF),
        ("Item.java", ITEM),
        ("ItemRepository.java", ITEMS),
        ("Note.java", NOTE),
        ("Errors.java", ERRORS),
    ];
    let after = HANDLERS.replacen(was, is, 1);
    let repo = between(HANDLERS, &after, &files);
    let repo = match files.into_iter().find(|(_, text)| text.contains(was)) {
        Some((name, text)) => {
            repo.file(&format!("src/main/java/a/{name}"), text.replacen(was, is, 1)).commit("Changed")
        }
        None => repo,
    };
    let changes = report(&repo)["changes"].as_array().unwrap().clone();
    let text = |change: &serde_json::Value, name: &str| change[name].as_str().unwrap().to_owned();
    changes.iter().map(|change| (text(change, "op_id"), text(change, "what"))).collect()
}

#[test]
fn a_condition_that_the_difference_does_not_need_is_left_out() {
    let found = told("org.vendor.Keys.read(key)", "org.vendor.Keys.read(name)");
    assert_eq!(found[0].1, "calls `Keys.read` with `name` where it was `key`", "{found:#?}");
}

#[test]
fn a_list_that_is_gone_is_told_without_the_number_of_its_elements() {
    let found = told("return all; }\n  public String link", "return null; }\n  public String link");
    let gone =
        found.iter().find(|(_, what)| what.contains("`null` where it was")).unwrap_or_else(|| panic!("{found:#?}"));
    assert!(gone.1.contains("where it was `a list`") && !gone.1.contains(" ("), "{found:#?}");
}

#[test]
fn two_rows_of_one_class_have_two_names() {
    let found = told("throw new IllegalStateException(\"same\");", "return \"same\";");
    assert!(found[0].1.ends_with(" (item.name equals itemRepository.findById(two).name)"), "{found:#?}");
}

#[test]
fn a_member_is_compared_in_the_states_in_which_the_operation_calls_it() {
    // No path of the operation ends within the bounds, and none calls the member with an empty name.
    let short = "if (name.isEmpty()) { return \"none\"; }\n    if (name.length() > 20)";
    let found = told(short, "if (name.isEmpty()) { return \"no name\"; }\n    if (name.length() > 10)");
    assert_eq!(found.len(), 1, "{found:#?}");
    let what = "gives `substring(name, 0, 5)` where it gave `name`, in `Shelf#label`";
    assert!(found[0].1.starts_with(what) && found[0].1.contains("length of name > 10"), "{found:#?}");
}

#[test]
fn constants_of_a_library_are_different_keys() {
    let found = told(
        "all.put(org.vendor.Config.WRITER, \"org.vendor.TextWriter\");",
        "all.put(\"org.vendor.TextWriter\", org.vendor.Config.WRITER);",
    );
    assert!(found.iter().all(|(_, what)| !what.contains(" equals ")), "{found:#?}");
    assert!(found[0].1.contains("Config.WRITER"), "{found:#?}");
}

#[test]
fn a_handler_always_has_a_caller() {
    let found = told("return \"nobody\";", "return \"none\";");
    assert_eq!(found, []);
    let found = told("return caller.getName();", "return caller.getName().trim();");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(!found[0].1.contains("null"), "{found:#?}");
}

#[test]
fn a_handler_of_requests_that_no_operation_takes_concerns_none() {
    let found = told("status(405)", "status(404)");
    assert_eq!(found, []);
    // What the path and the request's attributes hold is no parameter that a request may lack.
    let found = told("status(499)", "status(400)");
    let operations: Vec<&str> = found.iter().map(|(op_id, _)| op_id.as_str()).collect();
    assert_eq!(operations, ["GET /pages"], "the others are listed below it: {found:#?}");
}

#[test]
fn a_handler_of_refused_bodies_concerns_operations_that_validate() {
    let found = told("status(422)", "status(400)");
    let operations: Vec<&str> = found.iter().map(|(op_id, _)| op_id.as_str()).collect();
    assert_eq!(operations, ["POST /notes"], "{found:#?}");
}

#[test]
fn a_handler_whose_parameter_does_not_fit_does_not_answer() {
    let found = told("throw new Gone();", "throw new Missing();");
    assert!(found[0].1.starts_with("answers 404 where it answered 500"), "{found:#?}");
}

#[test]
fn a_library_writes_into_the_builder_that_it_is_handed() {
    let found = told("return all.toString();", "return all.append(\".\").toString();");
    assert_eq!(found.len(), 1, "{found:#?}");
    let found = told("return \"no page\";", "return \"nothing\";");
    assert!(found[0].1.contains("length") && found[0].1.ends_with(')'), "{found:#?}");
}

#[test]
fn of_a_chain_of_calls_the_last_one_fails_and_not_the_factory() {
    let found = told("return \"expired\";", "return \"too old\";");
    assert!(found[0].1.ends_with("(Tokens.parser()….parse fails with Expired)"), "{found:#?}");
}

#[test]
fn a_set_that_the_code_makes_may_equal_one_that_it_reads() {
    let found = told("{ rows.clear(id); }", "{ }");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].1, "no longer calls `rows.clear(id)` (item.tags is not empty)");
}
