//! Classes that move to another package: the move alone is no difference, and what else changed is told.

use serde_json::Value;

use crate::states::{between, states};

const HANDLERS: &str = "private final a.notes.Notes notes; public C(a.notes.Notes notes) { this.notes = notes; }
  @GetMapping(\"/notes/{id}\") public a.notes.Shown one(@PathVariable(\"id\") Long id) { return notes.one(id); }";

const ROWS: &str = "package a.notes;\n\npublic interface Rows extends org.springframework.data.jpa.repository.JpaRepository<Note, Long> { }";
const NOTE: &str =
    "package a.notes; import jakarta.persistence.*; @Entity public class Note { @Id Long id; String text;
  public Long getId() { return id; } public String getText() { return text; } }";
const SHOWN: &str = "package a.notes; public record Shown(Long id, String text) { }";
const NOTES: &str = "package a.notes; @org.springframework.stereotype.Service public class Notes { private final Rows rows;
  public Notes(Rows rows) { this.rows = rows; }
  public Shown one(Long id) { Note note = rows.findById(id).orElseThrow(); return new Shown(note.getId(), note.getText()); } }";

/// The report after `Shown` and `Rows` moved to other packages, with this code of `Notes`.
fn moved(notes: &str) -> Value {
    moved_beside(notes, "package a; public class Empty { }")
}

/// The same, beside another class.
fn moved_beside(notes: &str, other: &str) -> Value {
    let files = [
        ("notes/Rows.java", ROWS),
        ("notes/Note.java", NOTE),
        ("notes/Shown.java", SHOWN),
        ("notes/Notes.java", NOTES),
        ("Other.java", other),
    ];
    let dir = "src/main/java/a";
    let handlers = HANDLERS.replace("a.notes.Shown", "a.shown.Shown");
    let imports = "package a.notes; import a.shown.Shown; import a.rows.*;";
    let repo = between(HANDLERS, &handlers, &files)
        .remove(&format!("{dir}/notes/Shown.java"))
        .remove(&format!("{dir}/notes/Rows.java"))
        .file(&format!("{dir}/shown/Shown.java"), SHOWN.replace("a.notes", "a.shown"))
        .file(
            &format!("{dir}/rows/Rows.java"),
            ROWS.replace("package a.notes;", "package a.rows;\nimport a.notes.Note;"),
        )
        .file(&format!("{dir}/notes/Notes.java"), notes.replace("package a.notes;", imports))
        .commit("Moved");
    repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json()
}

#[test]
fn a_move_alone_changes_nothing() {
    let report = moved(NOTES);
    assert_eq!(states(&report), [("GET /notes/{id}".to_owned(), "same".to_owned())], "{}", report["compared"]);
}

#[test]
fn what_changes_beside_a_move_is_told() {
    let report = moved(&NOTES.replace("note.getText())", "note.getText() + 1)"));
    let told: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert!(told.len() == 1 && told[0].starts_with("`text` is `note.text + "), "{told:?} {}", report["compared"]);
}

#[test]
fn a_move_out_of_a_package_that_an_annotation_names_is_no_mere_move() {
    let aspect = "package a; import org.aspectj.lang.annotation.*; @Aspect @org.springframework.stereotype.Component public class Other {
  @Before(\"execution(* a.notes.*.*(..))\") public void before() { throw new IllegalStateException(); } }";
    let report = moved_beside(NOTES, aspect);
    assert!(states(&report).iter().all(|(_, state)| state != "same"), "{}", report["compared"]);
}

/// The report after `Shown` got the name `View`, which `Notes` and the controller use, with this code of `Notes`.
fn renamed(notes: &str) -> Value {
    let files = [
        ("notes/Rows.java", ROWS),
        ("notes/Note.java", NOTE),
        ("notes/Shown.java", SHOWN),
        ("notes/Notes.java", NOTES),
    ];
    let dir = "src/main/java/a/notes";
    let repo = between(HANDLERS, &HANDLERS.replace("a.notes.Shown", "a.notes.View"), &files)
        .remove(&format!("{dir}/Shown.java"))
        .file(&format!("{dir}/View.java"), SHOWN.replace("Shown", "View"))
        .file(&format!("{dir}/Notes.java"), notes.replace("Shown", "View"))
        .commit("Renamed");
    repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json()
}

#[test]
fn another_name_alone_changes_nothing() {
    let report = renamed(NOTES);
    assert_eq!(states(&report), [("GET /notes/{id}".to_owned(), "same".to_owned())], "{}", report["compared"]);
}

#[test]
fn what_changes_beside_another_name_is_told() {
    let report = renamed(&NOTES.replace("note.getText())", "\"Shown \" + note.getText())"));
    let told: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert!(told.len() == 1 && told[0].contains("View "), "{told:?} {}", report["compared"]);
}

#[test]
fn another_name_that_code_reads_is_told() {
    let named = |text: &str| NOTES.replace("note.getText())", &format!("{text}.class.getSimpleName())"));
    let files = [
        ("notes/Rows.java", ROWS),
        ("notes/Note.java", NOTE),
        ("notes/Shown.java", SHOWN),
        ("notes/Notes.java", &named("Shown")),
    ];
    let dir = "src/main/java/a/notes";
    let repo = between(HANDLERS, &HANDLERS.replace("a.notes.Shown", "a.notes.View"), &files)
        .remove(&format!("{dir}/Shown.java"))
        .file(&format!("{dir}/View.java"), SHOWN.replace("Shown", "View"))
        .file(&format!("{dir}/Notes.java"), named("View").replace("Shown", "View"))
        .commit("Renamed");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert!(states(&report).iter().all(|(_, state)| state != "same"), "{}", report["compared"]);
}

#[test]
fn a_list_of_packages_that_follows_the_move_decides_nothing() {
    let scan = |package: &str| {
        format!(
            "package a; @org.springframework.context.annotation.ComponentScan({{\"a.notes\", \"{package}\"}}) public class Other {{ }}"
        )
    };
    let files = [
        ("notes/Rows.java", ROWS),
        ("notes/Note.java", NOTE),
        ("shown/Shown.java", &SHOWN.replace("a.notes", "a.shown")),
        ("notes/Notes.java", &NOTES.replace("package a.notes;", "package a.notes; import a.shown.Shown;")),
        ("Other.java", &scan("a.shown")),
    ];
    let dir = "src/main/java/a";
    let handlers = |package: &str| HANDLERS.replace("a.notes.Shown", &format!("{package}.Shown"));
    let repo = between(&handlers("a.shown"), &handlers("a.views"), &files)
        .remove(&format!("{dir}/shown/Shown.java"))
        .file(&format!("{dir}/views/Shown.java"), SHOWN.replace("a.notes", "a.views"))
        .file(
            &format!("{dir}/notes/Notes.java"),
            NOTES.replace("package a.notes;", "package a.notes; import a.views.Shown;"),
        )
        .file(&format!("{dir}/Other.java"), scan("a.views"))
        .commit("Moved");
    let report = repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json();
    assert_eq!(states(&report), [("GET /notes/{id}".to_owned(), "same".to_owned())], "{}", report["compared"]);
}
