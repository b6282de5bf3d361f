//! Functions that code hands to a library, and within which alone two revisions differ: they are compared by themselves.

use crate::states::{between, report, states};

const ROW: &str = "package a; import java.util.*; public class Row { private String id; private String name; private boolean open; private List<String> parts;
  public Row(String id, String name, boolean open, List<String> parts) { this.id = id; this.name = name; this.open = open; this.parts = parts; }
  public String getId() { return id; } public String getName() { return name; } public boolean isOpen() { return open; } public List<String> getParts() { return parts; } }";

const ROWS: &str = "package a; import reactor.core.publisher.*; @org.springframework.stereotype.Component public class Rows {
  private final org.vendor.Store<Row> store; public Rows(org.vendor.Store<Row> store) { this.store = store; }
  public Mono<Row> find(String id) { return Mono.justOrEmpty(id).flatMap(store::find).doOnError(e -> System.err.println(e)); }
  public Mono<Row> save(Row row) { return Mono.justOrEmpty(row).flatMap(store::save).doOnError(e -> System.err.println(e)); } }";

/// Handlers around one function of a chain.
fn chain(function: &str) -> String {
    format!(
        "private final Rows rows; private final org.slf4j.Logger log = org.slf4j.LoggerFactory.getLogger(C.class); public C(Rows rows) {{ this.rows = rows; }}
  @PatchMapping(\"/rows/{{id}}\") public reactor.core.publisher.Mono<Row> patch(@PathVariable(\"id\") String id, @RequestParam(\"name\") String name) {{
    return reactor.core.publisher.Mono.justOrEmpty(id).flatMap(rows::find).switchIfEmpty(reactor.core.publisher.Mono.error(new IllegalStateException(\"none\"))).{function}.flatMap(rows::save)
      .onErrorResume(IllegalStateException.class, e -> reactor.core.publisher.Mono.error(e)); }}"
    )
}

/// The first sentence and the state.
fn told(was: &str, is: &str) -> (String, String) {
    let found = report(&between(&chain(was), &chain(is), &[("Row.java", ROW), ("Rows.java", ROWS)]));
    let what = found["changes"][0]["what"].as_str().unwrap_or_default().to_owned();
    (what, states(&found)[0].1.clone())
}

#[test]
fn what_a_function_does_is_told_with_what_decides() {
    let throws =
        |class: &str| format!("map(row -> {{ if (row.isOpen()) {{ throw new {class}(\"open\"); }} return row; }})");
    let (what, _) = told(&throws("IllegalStateException"), &throws("IllegalArgumentException"));
    let wanted = "throws `IllegalArgumentException` where it threw `IllegalStateException`, in a function of `C#patch`";
    assert!(what.starts_with(wanted) && what.contains("row.open"), "{what}");
    let lists = |add: &str| {
        format!(
            "map(row -> {{ List<String> parts = new ArrayList<>(row.getParts()); {add} return new Row(row.getId(), name, row.isOpen(), parts); }})"
        )
    };
    let (what, _) = told(&lists("parts.add(name);"), &lists(""));
    assert!(what.contains("in a function of `C#patch`") && what.contains("parts"), "{what}");
    assert!(!what.contains("something else"), "{what}");
}

#[test]
fn the_innermost_function_is_compared() {
    let nested = |of: &str| {
        format!(
            "flatMap(row -> rows.find(row.getName()).map(other -> new Row(row.getId(), other.{of}(), true, row.getParts())))"
        )
    };
    let (what, _) = told(&nested("getName"), &nested("getId"));
    assert!(what.contains("`other.id`") && what.contains("`other.name`"), "{what}");
}

#[test]
fn functions_that_do_the_same_are_the_same() {
    let logs = |of: &str| format!("doOnNext(row -> log.info(\"found {{}}\", row.{of}()))");
    let (what, state) = told(&logs("getName"), &logs("getId"));
    assert_eq!(state, "same", "{what}");
    let turned = |test: &str| format!("filter(row -> {test})");
    let (what, state) =
        told(&turned("row.isOpen() && row.getParts() != null"), &turned("row.getParts() != null && row.isOpen()"));
    assert_eq!(state, "same", "{what}");
    let (what, state) = told(&turned("row.isOpen()"), &turned("!row.isOpen()"));
    assert_eq!(state, "changed", "{what}");
}

#[test]
fn parameters_are_paired_by_their_place() {
    let sorts = |function: &str| {
        format!(
            "private final org.vendor.Shelf<Row> shelf; public C(org.vendor.Shelf<Row> shelf) {{ this.shelf = shelf; }}
  @GetMapping(\"/rows\") public Object rows() {{ return shelf.sorted({function}).toList(); }}"
        )
    };
    let state = |was: &str, is: &str| {
        let found = report(&between(&sorts(was), &sorts(is), &[("Row.java", ROW)]));
        states(&found)[0].1.clone()
    };
    let order = "a.getName().compareTo(b.getName())";
    assert_ne!(state(&format!("(a, b) -> {order}"), &format!("(b, a) -> {order}")), "same");
    assert_ne!(state("row -> row.getName()", "other -> other.getId()"), "same");
    let renamed =
        |name: &str, of: &str| format!("map({name} -> new Row({name}.{of}(), name, true, {name}.getParts()))");
    let (what, state_of_chain) = told(&renamed("row", "getId"), &renamed("other", "getName"));
    assert_eq!(state_of_chain, "changed", "{what}");
    assert_eq!(what, "`id` is `row.name` where it was `row.id`, in a function of `C#patch`");
    assert_ne!(state("row -> row.getName().concat(\" a\")", "other -> other.getName().concat(\"a\")"), "same");
}
