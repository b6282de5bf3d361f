//! Answers of exception handlers: the status that they set on the response, and the exceptions that a closer handler takes.

use crate::states::{between, report, states};

fn advice(handlers: &str) -> String {
    format!(
        "package a; import jakarta.servlet.http.*; import org.springframework.http.*; import org.springframework.web.bind.annotation.*;
@RestControllerAdvice public class Advice {{ {handlers} }}"
    )
}

const BASE: &str = "package a; public abstract class Failed extends RuntimeException { protected Failed(String why) { super(why); } public abstract String thing(); }";
const ABSENT: &str = "package a; public class Absent extends Failed { public Absent() { super(\"absent\"); } public String thing() { return \"row\"; } }";

#[test]
fn a_handler_that_sets_the_status_of_the_response_answers_with_it() {
    let advice = advice(
        "@ExceptionHandler(Exception.class) public String failed(HttpServletResponse response, Exception e) {
    response.setStatus(HttpStatus.INTERNAL_SERVER_ERROR.value()); return e.getMessage(); }",
    );
    let handlers = |test: &str| {
        format!(
            "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) {{ this.shelf = shelf; }}
  @GetMapping(\"/rows\") public List<String> rows() {{ List<String> all = shelf.all(); if (all {test} null) {{ throw new IllegalArgumentException(\"none\"); }}
    shelf.count(all.size()); return all; }}"
        )
    };
    let found = report(&between(&handlers("=="), &handlers("!="), &[("Advice.java", advice.as_str())]));
    let what = found["changes"][0]["what"].as_str().unwrap();
    assert!(what.starts_with("answers 500 where it answered 200"), "{what}");
}

#[test]
fn a_handler_that_closer_ones_stand_before_says_nothing() {
    let all = |text: &str, closer: &str| {
        advice(&format!(
            "@ExceptionHandler(Failed.class) public ResponseEntity<String> failed(Failed e) {{ return ResponseEntity.status(400).body(e.{text}()); }} {closer}"
        ))
    };
    let closer = "@ExceptionHandler(Absent.class) public ResponseEntity<String> absent(Absent e) { return ResponseEntity.status(404).body(e.thing()); }";
    let handlers = "@GetMapping(\"/rows/{id}\") public String row(@PathVariable(\"id\") int id) { if (id > 9) { throw new Absent(); } return \"row\"; }";
    let told = |closer: &str| {
        let (was, is) = (all("getMessage", closer), all("thing", closer));
        let repo =
            between(handlers, handlers, &[("Failed.java", BASE), ("Absent.java", ABSENT), ("Advice.java", &was)]);
        report(&repo.file("src/main/java/a/Advice.java", is).commit("Another text"))
    };
    let found = told(closer);
    assert!(states(&found).iter().all(|(_, state)| state == "same"), "{}", found["compared"]);
    let found = told("");
    assert!(states(&found).iter().all(|(_, state)| state == "changed"), "{}", found["compared"]);
}

#[test]
fn what_binding_refuses_needs_no_constraint() {
    let handlers = |constraint: &str, name: &str| {
        format!(
            "@GetMapping(\"/pages\") public int page(@RequestParam{name} {constraint} Integer page) {{ return page == null ? -1 : page; }}"
        )
    };
    let (required, optional) = ("(\"page\")", "(value = \"page\", required = false)");
    let found = report(&between(&handlers("@NotNull", required), &handlers("", required), &[]));
    assert!(states(&found).iter().all(|(_, state)| state == "same"), "{}", found["changes"]);
    let found = report(&between(&handlers("@NotNull", optional), &handlers("", optional), &[]));
    assert!(states(&found).iter().all(|(_, state)| state == "changed"), "{}", found["compared"]);
}

#[test]
fn a_save_that_is_gone_says_more_than_the_copy_before_it() {
    let row = "package a; public class Row { private String name; public String getName() { return name; } public void setName(String name) { this.name = name; } }";
    let handlers = |test: &str| {
        format!(
            "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) {{ this.shelf = shelf; }}
  @PutMapping(\"/rows/{{id}}\") public void put(@PathVariable(\"id\") int id, @RequestBody Row given) {{
    if (shelf.holds(id) {test}) {{ Row row = new Row(); org.springframework.beans.BeanUtils.copyProperties(given, row); shelf.save(row); }} }}"
        )
    };
    let found = report(&between(&handlers("== true"), &handlers("== false"), &[("Row.java", row)]));
    let what = found["changes"][0]["what"].as_str().unwrap();
    assert!(what.starts_with("no longer calls `shelf.save(row)`"), "{what}");
}

#[test]
fn static_methods_handle_exceptions_too() {
    let advice = advice(
        "@org.springframework.web.bind.annotation.ExceptionHandler(IllegalStateException.class) public static ResponseEntity<String> closed(IllegalStateException e) {
    return ResponseEntity.status(409).body(e.getMessage()); }",
    );
    let handlers = |test: &str| {
        format!(
            "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) {{ this.shelf = shelf; }}
  @PostMapping(\"/rows\") public void add(@RequestParam(\"size\") int size) {{
    if (size {test} 9) {{ throw new IllegalStateException(\"closed\"); }} shelf.add(size); }}"
        )
    };
    let found = report(&between(&handlers(">"), &handlers(">="), &[("Advice.java", advice.as_str())]));
    let what = found["changes"][0]["what"].as_str().unwrap();
    assert!(what.starts_with("answers 409 where it answered 200"), "{what}");
}

#[test]
fn what_an_interface_says_of_a_handler_is_told() {
    let errors = |status: &str| {
        format!(
            "package a; import org.springframework.http.*; import org.springframework.web.bind.annotation.*;
public interface Errors {{ @ExceptionHandler(Absent.class) @ResponseStatus(HttpStatus.{status}) String absent(Absent e); }}"
        )
    };
    let advice = "package a; @org.springframework.web.bind.annotation.RestControllerAdvice public class Advice implements Errors { public String absent(Absent e) { return e.thing(); } }";
    let handlers = "private final org.vendor.Shelf shelf; public C(org.vendor.Shelf shelf) { this.shelf = shelf; }
  @GetMapping(\"/rows/{id}\") public String row(@PathVariable(\"id\") int id) { if (shelf.lacks(id)) { throw new Absent(); } return \"row\"; }";
    let files = [
        ("Failed.java", BASE),
        ("Absent.java", ABSENT),
        ("Advice.java", advice),
        ("Errors.java", &errors("NOT_FOUND")),
    ];
    let repo = between(handlers, handlers, &files);
    let found = report(&repo.file("src/main/java/a/Errors.java", errors("GONE")).commit("Gone"));
    assert!(states(&found).iter().all(|(_, state)| state != "same"), "{}", found["compared"]);
}
