//! What an operation cannot meet is not told of it: paths of other requests, exceptions, constants of enums, and methods that
//! only other operations call.

use serde_json::Value;

use crate::states::{between, states};

const HANDLERS: &str =
    "private final Shelf shelf; private final Rows rows; public C(Shelf shelf, Rows rows) { this.shelf = shelf; this.rows = rows; }
  @GetMapping(\"/notes/{id}\") public String note(@PathVariable(\"id\") Long id) { return shelf.find(id); }
  @GetMapping(\"/times/{id}\") public String time(@PathVariable(\"id\") Long id) { return shelf.time(id); }
  @PostMapping(\"/notes\") public void add(@RequestBody String text) { shelf.add(text); }
  @GetMapping(\"/rows/{id}\") public String row(@PathVariable(\"id\") Long id) { return rows.findById(id).get().getText(); }";

const SHELF: &str = "package a; @org.springframework.stereotype.Service public class Shelf { private final Rows rows;
  public Shelf(Rows rows) { this.rows = rows; }
  public String find(Long id) { return rows.findById(id).orElseThrow(() -> new Failed(Code.NO_NOTE)).getText(); }
  public String time(Long id) { if (id > 100) { throw new Failed(Code.NO_TIME); } return \"noon\"; }
  public void add(String text) { Note note = new Note(); note.fill(text); rows.save(note); } }";

const NOTE: &str =
    "package a; import jakarta.persistence.*; @Entity @Table(name = \"notes\") public class Note { @Id @GeneratedValue Long id; String text; int size = 0;
  public Long getId() { return id; } public String getText() { return text; }
  public void fill(String text) { this.text = text; this.size = 1; } }";

const ROWS: &str =
    "package a; public interface Rows extends org.springframework.data.jpa.repository.JpaRepository<Note, Long> { }";

const CODE: &str = "package a; public enum Code { NO_NOTE(1), NO_TIME(2); private final int number;
  Code(int number) { this.number = number; } public int number() { return number; } }";

const FAILED: &str = "package a; public class Failed extends RuntimeException { final Code code;
  public Failed(Code code) { this.code = code; } public Code code() { return code; } }";

const ADVICE: &str =
    "package a; import org.springframework.http.*; import org.springframework.web.bind.annotation.*; @RestControllerAdvice public class Advice {
  @ExceptionHandler(Failed.class) public ResponseEntity<Integer> failed(Failed e) { return ResponseEntity.status(404).body(e.code().number()); } }";

const FILTER: &str =
    "package a; import java.util.*; import jakarta.servlet.*; import jakarta.servlet.http.*; @org.springframework.stereotype.Component
public class Tokens extends org.springframework.web.filter.OncePerRequestFilter {
  private static final List<String> PUBLIC = List.of(\"/login\");
  @Override protected boolean shouldNotFilter(HttpServletRequest request) { String path = request.getRequestURI(); return path.startsWith(\"/health\"); }
  @Override protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain) throws java.io.IOException, ServletException {
    if (PUBLIC.contains(request.getRequestURI()) || org.vendor.Tokens.fits(request.getHeader(\"Authorization\"))) { chain.doFilter(request, response); return; }
    response.sendError(401); } }";

const FILES: &[(&str, &str)] = &[
    ("Shelf.java", SHELF),
    ("Note.java", NOTE),
    ("Rows.java", ROWS),
    ("Code.java", CODE),
    ("Failed.java", FAILED),
    ("Advice.java", ADVICE),
    ("Tokens.java", FILTER),
];

/// The report on a commit that replaces a text in a file.
fn replaced(file: &str, from: &str, to: &str) -> Value {
    let text = FILES.iter().find(|(name, _)| *name == file).unwrap().1;
    assert!(text.contains(from), "{from} is in {file}");
    let repo = between(HANDLERS, HANDLERS, FILES);
    let repo = repo.file(&format!("src/main/java/a/{file}"), text.replace(from, to)).commit("Replaced");
    repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json()
}

/// The operations of which something is told.
fn told_of(report: &Value) -> Vec<String> {
    let all = states(report).into_iter();
    all.filter(|(_, state)| state == "changed").map(|(operation, _)| operation).collect()
}

#[test]
fn paths_of_other_requests_say_nothing() {
    for (from, to) in [
        ("List.of(\"/login\")", "List.of(\"/login\", \"/metrics/**\")"),
        ("path.startsWith(\"/health\")", "path.startsWith(\"/health\") || path.startsWith(\"/metrics\")"),
    ] {
        let report = replaced("Tokens.java", from, to);
        assert!(states(&report).iter().all(|(_, state)| state == "same"), "{to}: {}", report["compared"]);
    }
    // The path of an operation is told of it alone.
    let report = replaced("Tokens.java", "startsWith(\"/health\")", "startsWith(\"/rows\")");
    assert_eq!(told_of(&report), ["GET /rows/{id}"], "{}", report["compared"]);
}

#[test]
fn a_constant_is_told_where_code_uses_it() {
    let report = replaced("Code.java", "NO_TIME(2)", "NO_TIME(3)");
    assert_eq!(told_of(&report), ["GET /times/{id}"], "{}", report["compared"]);
    assert!(states(&report).iter().all(|(_, state)| state != "undecided"), "{}", report["compared"]);
}

#[test]
fn a_handler_of_what_only_writing_causes_is_told_where_code_writes() {
    let with = "public class Advice { @ExceptionHandler(org.springframework.dao.DataIntegrityViolationException.class)
  public ResponseEntity<String> twice() { return ResponseEntity.status(409).body(\"twice\"); }";
    let report = replaced("Advice.java", "public class Advice {", with);
    assert_eq!(told_of(&report), ["POST /notes"], "{}", report["compared"]);
    let of_tokens =
        with.replace("org.springframework.dao.DataIntegrityViolationException", "io.jsonwebtoken.JwtException");
    let report = replaced("Advice.java", "public class Advice {", &of_tokens);
    assert!(states(&report).iter().all(|(_, state)| state == "same"), "{}", report["compared"]);
}

#[test]
fn a_method_that_only_another_operation_calls_says_nothing() {
    let report = replaced("Note.java", "size = 0;", "size = 2;");
    let told: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert!(told.iter().all(|one| !one.contains("Note#fill")), "{told:?} {}", report["compared"]);
    assert!(!told_of(&report).contains(&"GET /times/{id}".to_owned()), "{told:?} {}", report["compared"]);
    let report = replaced("Note.java", "this.size = 1;", "this.size = 2;");
    assert_eq!(told_of(&report), ["POST /notes"], "{}", report["compared"]);
}

/// The report on a commit that replaces a text in one of two classes beside a controller.
fn beside(handlers: &str, files: &[(&str, &str)], (from, to): (&str, &str)) -> Value {
    let repo = between(handlers, &handlers.replace(from, to), files);
    let repo = files
        .iter()
        .fold(repo, |repo, (file, text)| repo.file(&format!("src/main/java/a/{file}"), text.replace(from, to)));
    repo.commit("Replaced").run(["ci", "--since", "main", "--format", "json"]).ends(0).json()
}

#[test]
fn a_lost_call_that_fills_what_the_framework_handed_is_told() {
    let handlers = "private final Filler filler; public C(Filler filler) { this.filler = filler; }
  @GetMapping(\"/page\") public void page(jakarta.servlet.http.HttpServletResponse response, @RequestParam(\"id\") String id) {
    filler.fill(response, new Person(id)); }";
    let filler = "package a; @org.springframework.stereotype.Component public class Filler {
  public void fill(jakarta.servlet.http.HttpServletResponse response, Person person) {
    if (person.getId() == null) { throw new IllegalStateException(); } response.addHeader(\"X-Person\", person.getId()); } }";
    let person = "package a; public class Person { private final String id; public Person(String id) { this.id = id; }
  public String getId() { return id; } }";
    let report = beside(
        handlers,
        &[("Filler.java", filler), ("Person.java", person)],
        ("filler.fill(response, new Person(id));", ""),
    );
    assert_eq!(told_of(&report), ["GET /page"], "{}", report["compared"]);
}

#[test]
fn a_lost_call_of_a_method_that_subclasses_override_is_told() {
    let handlers = "private final Notes notes; public C(Notes notes) { this.notes = notes; }
  @PostMapping(\"/notes\") public String add(@RequestBody String text) { return notes.create(text); }";
    let base =
        "package a; public abstract class Base { public String create(String text) { check(text); return text.trim(); }
  protected void check(String text) { } }";
    let notes = "package a; @org.springframework.stereotype.Service public class Notes extends Base {
  @Override protected void check(String text) { if (org.vendor.Rules.refuse(text)) { throw new IllegalArgumentException(text); } } }";
    let report = beside(
        handlers,
        &[("Base.java", base), ("Notes.java", notes)],
        ("create(String text) { check(text);", "create(String text) {"),
    );
    assert_eq!(told_of(&report), ["POST /notes"], "{}", report["compared"]);
}

#[test]
fn constraints_of_a_table_are_told_where_its_rows_are_written() {
    let with = "@Table(name = \"notes\", uniqueConstraints = @UniqueConstraint(columnNames = \"text\"))";
    let report = replaced("Note.java", "@Table(name = \"notes\")", with);
    assert_eq!(told_of(&report), ["POST /notes"], "{}", report["compared"]);
    assert!(states(&report).iter().all(|(_, state)| state != "undecided"), "{}", report["compared"]);
}

#[test]
fn what_a_constructor_of_a_row_sets_is_told_where_rows_are_made() {
    let note = NOTE.replace(
        "public void fill",
        "public Note() { } public Note(String text) { this.text = text; } public void fill",
    );
    let shelf = SHELF.replace("new Note(); note.fill(text);", "new Note(text);");
    let with = |name: &str, text: &str| -> Vec<(&str, String)> {
        let other = |(file, own): &(&'static str, &str)| {
            (*file, if *file == name { text.to_owned() } else { (*own).to_owned() })
        };
        FILES.iter().map(other).collect()
    };
    let files = with("Shelf.java", &shelf);
    let mut files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (*file, text.as_str())).collect();
    files.retain(|(file, _)| *file != "Note.java");
    files.push(("Note.java", &note));
    let after = note
        .replace("int size = 0;", "int size = 0; int length;")
        .replace("{ this.text = text; } public void", "{ this.text = text; this.length = 7; } public void");
    assert_ne!(note, after);
    let repo = between(HANDLERS, HANDLERS, &files).file("src/main/java/a/Note.java", after).commit("Length");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    let of_writing = states(&report).into_iter().find(|(operation, _)| operation == "POST /notes").unwrap();
    assert_ne!(of_writing.1, "same", "{}", report["compared"]);
    // A row of another table that comes says nothing of operations that use none.
    let tag = "package a; import jakarta.persistence.*; @Entity public class Tag { @Id @GeneratedValue Long id; String made; @ManyToOne Note note;
  public Tag() { this.made = \"now\"; } public Tag(Note note) { this.note = note; } }";
    let linked =
        NOTE.replace("int size = 0;", "int size = 0; @OneToMany(mappedBy = \"note\") java.util.List<Tag> tags;");
    let repo = between(HANDLERS, HANDLERS, FILES);
    let repo = repo.file("src/main/java/a/Tag.java", tag).file("src/main/java/a/Note.java", linked).commit("Tag");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert!(states(&report).iter().all(|(_, state)| state == "same"), "{}", report["compared"]);
}
