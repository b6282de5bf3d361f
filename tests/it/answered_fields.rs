//! Fields that come or go deep in what an answer is made of: no code of the operation names them.

use serde_json::Value;

use crate::states::{between, report};

const LINE: &str =
    "package a; import lombok.*; @Data @NoArgsConstructor public class Line { private Long id; private String text; }";
const NOTE: &str = "package a; import lombok.*; @Data @NoArgsConstructor public class Note { private Long id; private java.util.List<Line> lines; }";
const HIDING: &str = "package a; import lombok.*; @Data @NoArgsConstructor public class Hiding { private Long id; @com.fasterxml.jackson.annotation.JsonIgnore private Line line; }";
const HANDLERS: &str = "private final org.vendor.Store store;
  public C(org.vendor.Store store) { this.store = store; }
  @GetMapping(\"/notes\") public ResponseEntity<Map<String, List<Note>>> notes() { return ResponseEntity.ok(store.<Map<String, List<Note>>>all(Note.class)); }
  @GetMapping(\"/hidden\") public ResponseEntity<Hiding> hidden() { return ResponseEntity.ok(store.<Hiding>one(Hiding.class)); }
  @GetMapping(\"/count\") public long count() { return store.count(Line.class); }";

/// What is told of each operation after `line` has taken the place of the class of lines.
fn told(line: &str) -> Vec<String> {
    let files = [("Line.java", LINE), ("Note.java", NOTE), ("Hiding.java", HIDING)];
    let repo = between(HANDLERS, HANDLERS, &files).file("src/main/java/a/Line.java", line).commit("Other lines");
    let text = |one: &Value| format!("{}: {}", one["op_id"].as_str().unwrap(), one["what"].as_str().unwrap());
    report(&repo)["changes"].as_array().unwrap().iter().map(text).collect()
}

#[test]
fn a_nested_field_that_comes_or_goes_is_told_where_the_answer_holds_it() {
    let more = LINE.replace("private String text;", "private String text; private String mark;");
    assert_eq!(told(&more), ["GET /notes: answers with `Line.mark`, which is new"]);
    let less = LINE.replace("private String text;", "");
    assert_eq!(told(&less), ["GET /notes: no longer answers with `Line.text`"]);
    // A getter or another field may give the same property.
    let computed = less.replace("private Long id;", "private Long id; public String getText() { return \"\"; }");
    let renamed = LINE.replace(
        "private String text;",
        "@com.fasterxml.jackson.annotation.JsonProperty(\"text\") private String words;",
    );
    for same in [computed, renamed] {
        assert!(told(&same).iter().all(|one| !one.contains("answers with")), "{:?}", told(&same));
    }
    // What is not written is not answered.
    let left_out =
        more.replace("private String mark", "@com.fasterxml.jackson.annotation.JsonIgnore private String mark");
    assert!(told(&left_out).iter().all(|one| !one.contains("answers with")), "{:?}", told(&left_out));
}
