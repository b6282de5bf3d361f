//! What counts as run: a statement whose operands an exception cut off did not run; what constants decide is worked out;
//! a condition that a validator or a caller tests first still belongs to the changed code that tests it again.

use crate::states::{between, first, report, states};

const JPA: &str = "org.springframework.data.jpa.repository.JpaRepository";

const ROW: &str = "package a; import jakarta.persistence.*; @Entity public class Row { @Id @GeneratedValue private Long id; private java.time.LocalDateTime at;
  public Long getId() { return id; } public java.time.LocalDateTime getAt() { return at; } public void setAt(java.time.LocalDateTime at) { this.at = at; } }";

fn rows() -> String {
    format!(
        "package a; public interface Rows extends {JPA}<Row, Long> {{ java.util.List<Row> findByAt(java.time.LocalDateTime at); }}"
    )
}

fn of_rows(handler: &str) -> String {
    format!("private final Rows rows; public C(Rows rows) {{ this.rows = rows; }} {handler}")
}

#[test]
fn a_statement_that_an_exception_cuts_off_has_not_run() {
    let handler = |time: &str| {
        of_rows(&format!(
            "@GetMapping(\"/rows\") public List<Row> list(@RequestParam(\"day\") String day) {{
  return rows.findByAt(java.time.LocalDate.parse(day).{time}); }}"
        ))
    };
    let rows = rows();
    let files = [("Row.java", ROW), ("Rows.java", rows.as_str())];
    // No request that is tried has a day that can be parsed, so none shows what stands behind.
    let told = first(&handler("atTime(23, 59, 59)"), &handler("atTime(23, 59, 58)"), &files);
    assert_eq!(
        told,
        "gives `rows.findByAt(LocalDate.parse(day).atTime(23, 59, 58))` where it gave \
         `rows.findByAt(LocalDate.parse(day).atTime(23, 59, 59))`"
    );
    // What both do alike is still the same, though no request gets that far.
    let report = report(&between(&handler("atTime(23, 59)"), &handler("atTime(20 + 3, 59)"), &files));
    assert_eq!(states(&report), [("GET /rows".to_owned(), "same".to_owned())]);
}

#[test]
fn a_time_of_day_that_does_not_exist_is_an_exception() {
    let handler = |time: &str| {
        of_rows(&format!(
            "@GetMapping(\"/rows\") public List<Row> list(@RequestParam(\"day\") String day) {{
  return rows.findByAt(java.time.LocalDate.parse(day).atTime({time})); }}"
        ))
    };
    let rows = rows();
    let files = [("Row.java", ROW), ("Rows.java", rows.as_str())];
    assert_eq!(first(&handler("23, 59, 59"), &handler("23, 59, 60"), &files), "answers 500 where it answered 200");
}

#[test]
fn a_text_that_no_format_fits_fails_in_each_of_them() {
    let handler = |last: &str| {
        format!(
            "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) {{ this.shelf = shelf; }}
  @GetMapping(\"/rows\") public int count(@RequestParam(\"day\") String day) {{ return shelf.count(read(day)); }}
  private static java.time.LocalDateTime read(String text) {{
    try {{ return java.time.LocalDateTime.parse(text); }} catch (java.time.format.DateTimeParseException e) {{
      try {{ return java.time.LocalDate.parse(text).atStartOfDay(); }} catch (java.time.format.DateTimeParseException other) {{
        throw new {last}(\"format\"); }} }} }}"
        )
    };
    let told = first(&handler("IllegalArgumentException"), &handler("IllegalStateException"), &[]);
    assert_eq!(
        told,
        "throws `IllegalStateException` where it threw `IllegalArgumentException` (LocalDateTime.parse(day) fails with \
         DateTimeParseException and LocalDate.parse(day) fails with DateTimeParseException)"
    );
}

const TOOLS: &str = "package a; public class Tools { public static boolean isFilled(String text) { return text != null && !text.isEmpty(); } }";

#[test]
fn what_a_function_gives_for_constants_is_worked_out() {
    let handler = |message: &str| {
        format!(
            "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) {{ this.shelf = shelf; }}
  @GetMapping(\"/rows/{{id}}\") public String one(@PathVariable(\"id\") String id) {{
    String message = shelf.has(id) ? {message} : null;
    if (Tools.isFilled(message)) {{ shelf.note(message); }} return id; }}"
        )
    };
    let told = first(&handler("\"known\""), &handler("null"), &[("Tools.java", TOOLS)]);
    // Not under the condition that `isFilled(null)` is false.
    assert_eq!(told, "no longer calls `shelf.note(\"known\")` (shelf.has(id))");
}

#[test]
fn a_helper_for_objects_asks_a_text_for_its_length_and_a_number_for_nothing() {
    let handler = |test: &str| {
        format!(
            "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) {{ this.shelf = shelf; }}
  @GetMapping(\"/rows\") public int count(@RequestParam(value = \"text\", required = false) String text) {{
    return shelf.count({test} ? \"none\" : text); }}"
        )
    };
    let tools = "org.apache.commons.lang3.ObjectUtils";
    let told = report(&between(
        &handler(&format!("{tools}.isEmpty(text)")),
        &handler(&format!("!{tools}.isNotEmpty(text)")),
        &[],
    ));
    assert_eq!(states(&told), [("GET /rows".to_owned(), "same".to_owned())]);
    let told = report(&between(&handler("text == null"), &handler(&format!("{tools}.isEmpty(text)")), &[]));
    assert!(
        told["changes"][0]["what"].as_str().is_some_and(|what| what.contains("text is empty")),
        "{}",
        told["changes"]
    );
}

#[test]
fn what_a_validator_tests_first_still_belongs_to_the_changed_test() {
    let handler = |test: &str| {
        format!(
            "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) {{ this.shelf = shelf; }}
  @GetMapping(\"/rows\") public int count(@RequestParam(value = \"from\", required = false) @Pattern(regexp = \"[0-9T:-]+\") String from,
      @RequestParam(value = \"to\", required = false) @Pattern(regexp = \"[0-9T:-]+\") String to) {{
    java.time.LocalDateTime start = null; java.time.LocalDateTime end = null;
    if (from {test} null) {{ start = java.time.LocalDateTime.parse(from); }}
    if (to != null) {{ end = java.time.LocalDateTime.parse(to); }}
    return shelf.count(start, end); }}"
        )
    };
    let told = first(&handler("!="), &handler("=="), &[]);
    assert!(told.starts_with("answers 500 where it answered 200 (from is null"), "{told}");
}

#[test]
fn a_helper_that_only_tests_its_arguments_is_followed() {
    let tools = "package a; import java.util.*; public class Tools { public static boolean isFilled(Collection<?> all) { return !(all == null || all.isEmpty()); }
  public static boolean isThere(Object one) { return !isNull(one); } static boolean isNull(Object one) { return Objects.isNull(one); } }";
    let page = "org.springframework.data.domain.Page";
    let store = format!("package a; public class Store {{ private org.vendor.Shelf shelf; public {page}<String> search(String by, String text) {{ return shelf.find(by, text); }}
  public List<String> list(String by) {{ return shelf.list(by); }} }}").replace("List<", "java.util.List<");
    let handler = |of: &str, filled: &str| {
        format!(
            "private final Store store; public C(Store store) {{ this.store = store; }}
  @GetMapping(\"/rows\") public ResponseEntity<Object> find(@RequestParam(\"by\") String by) {{ {page}<String> found = store.search({of});
    if (Tools.isThere(found)) {{ return ResponseEntity.ok(found.getContent()); }} return ResponseEntity.notFound().build(); }}
  @GetMapping(\"/list\") public ResponseEntity<Object> list(@RequestParam(\"by\") String by) {{ List<String> found = store.list(by);
    return {filled} ? ResponseEntity.ok(found) : ResponseEntity.notFound().build(); }}"
        )
    };
    let files = [("Tools.java", tools), ("Store.java", store.as_str())];
    let filled = "Tools.isFilled(found)";
    // A page is there whatever it holds, so that nobody gets 404.
    let told = first(&handler("by, \"text\"", filled), &handler("\"text\", by", filled), &files);
    assert!(told.contains("getContent") && !told.contains("404"), "{told}");
    // What a helper asks is said in the words of what it asks.
    let told = first(&handler("by, by", filled), &handler("by, by", "found != null"), &files);
    assert_eq!(told, "answers 200 where it answered 404 (store.shelf.list(by) is empty)");
}

#[test]
fn an_interruption_comes_from_a_call_that_waits() {
    let handler = |status: &str| {
        format!(
            "private final org.vendor.Shelf shelf; private final Rows rows; public C(org.vendor.Shelf shelf, Rows rows) {{ this.shelf = shelf; this.rows = rows; }}
  @PostMapping(\"/rows/{{id}}\") public int wait(@PathVariable(\"id\") long id) {{
    String status;
    try {{ rows.deleteById(id); Thread.sleep(200); status = \"done\"; }} catch (InterruptedException e) {{ status = {status}; }}
    return shelf.note(status); }}"
        )
    };
    let rows = rows();
    let told = first(&handler("\"late\""), &handler("\"left\""), &[("Row.java", ROW), ("Rows.java", rows.as_str())]);
    // Not where the row cannot be deleted: that declares no such exception.
    assert_eq!(
        told,
        "gives `shelf.note(\"left\")` where it gave `shelf.note(\"late\")` (Thread.sleep(200) fails with InterruptedException)"
    );
}

#[test]
fn what_a_request_gives_has_a_type_behind_a_variable_without_one() {
    let handler = |test: &str| {
        format!(
            "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) {{ this.shelf = shelf; }}
  @GetMapping(\"/rows\") public int count(jakarta.servlet.http.HttpServletRequest request) {{
    var token = request.getHeader(\"Token\");
    if (token == null || {test}token.startsWith(\"Bearer \")) {{ return shelf.none(); }} return shelf.take(token.substring(7)); }}"
        )
    };
    let told = first(&handler("!"), &handler(""), &[]);
    assert!(told.contains("request.getHeader(\"Token\") does not start with \"Bearer \""), "{told}");
}
