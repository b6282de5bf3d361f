//! Stores: oracles of small services with seeds in scripts, seeds in code, and unknown content.

use mastor::derive::Derived;
use mastor::types::Method;
use mastor::types::suite::assertion::{Assertion, Check};
use serde_json::{Value, json};

use crate::loaded::Service;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
    <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-data-jpa</artifactId></dependency>\
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId></dependency></dependencies></project>";

const NOTE: &str = "package a; import jakarta.persistence.*;
@Entity public class Note {
  @Id @GeneratedValue(strategy = GenerationType.IDENTITY) private Long id;
  @Column(nullable = false, unique = true) private String title;
  private boolean done;
  public Long getId() { return id; } public String getTitle() { return title; } public boolean isDone() { return done; }
  public void setId(Long id) { this.id = id; } public void setTitle(String t) { title = t; } public void setDone(boolean d) { done = d; }
}";

const NOTES: &str = "package a; import java.util.*; import org.springframework.data.jpa.repository.*;
public interface Notes extends JpaRepository<Note, Long> {
  List<Note> findByDoneFalseAndTitleContainingIgnoreCaseOrderByTitleDesc(String part);
  @Query(\"select n from Note n where n.done = :done order by n.title\") List<Note> of(boolean done);
}";

const CONTROLLER: &str = "package a; import java.util.*; import org.springframework.web.bind.annotation.*; import org.springframework.http.*;
@RestController @RequestMapping(\"/notes\") public class NoteController {
  private final Notes notes;
  public NoteController(Notes notes) { this.notes = notes; }
  @GetMapping(\"/{id}\") public ResponseEntity<Note> one(@PathVariable Long id) {
    return notes.findById(id).map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.notFound().build());
  }
  @GetMapping(\"/open\") public List<Note> open(@RequestParam String part) {
    return notes.findByDoneFalseAndTitleContainingIgnoreCaseOrderByTitleDesc(part);
  }
  @GetMapping(\"/done\") public List<Note> done() { return notes.of(true); }
  @PostMapping public ResponseEntity<Note> make(@RequestBody Note note) {
    return ResponseEntity.status(HttpStatus.CREATED).body(notes.save(note));
  }
  @DeleteMapping(\"/{id}\") public ResponseEntity<Void> remove(@PathVariable Long id) {
    notes.deleteById(id);
    return ResponseEntity.noContent().build();
  }
}";

const STARTER: &str = "package a; import org.springframework.boot.*; import org.springframework.stereotype.Component;
@Component public class Start implements CommandLineRunner {
  private final Notes notes;
  public Start(Notes notes) { this.notes = notes; }
  public void run(String... args) {
    for (String title : new String[] {\"bread\", \"milk\"}) { Note n = new Note(); n.setTitle(title); notes.save(n); }
  }
}";

fn service(more: &[(&str, &str)]) -> Service {
    let dir = "src/main/java/a";
    let mut files: Vec<(String, Vec<u8>)> = vec![("pom.xml".to_owned(), POM.into())];
    for (name, text) in [("Note", NOTE), ("Notes", NOTES), ("NoteController", CONTROLLER)] {
        files.push((format!("{dir}/{name}.java"), text.into()));
    }
    files.extend(more.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
    Service::of(files)
}

/// Path and query of a request, its status, and the exact fields.
pub type Told = (String, u16, Vec<(String, Value)>);

/// The answers to requests.
pub fn answers(derived: &Derived) -> Vec<Told> {
    let exact = |assertion: &Assertion| match &assertion.check {
        Check::Field { path, expected: Some(value), op } if format!("{op:?}") == "Equals" => {
            Some((path.clone(), value.clone()))
        }
        _ => None,
    };
    let of = derived.candidates.iter().map(|candidate| {
        let oracle = &candidate.oracle;
        let path: Vec<&str> = oracle.input.path.values().map(String::as_str).collect();
        let query: Vec<&str> = oracle.input.query.iter().map(|(_, value)| value.as_str()).collect();
        (path.join("/") + &query.join("&"), oracle.statuses()[0], oracle.assertions.iter().filter_map(exact).collect())
    });
    of.collect()
}

const DATA: (&str, &str) = (
    "src/main/resources/data.sql",
    "insert into note (id, title, done) values (7, 'Buy milk', false), (8, 'Call Ada', true), (9, 'Mill grain', false);",
);

#[test]
fn keys_that_a_handler_reads_as_numbers_itself_are_asked_for() {
    let by_hand = "package a; import org.springframework.web.bind.annotation.*;
        @RestController @RequestMapping(\"/titles\") public class Titles {
          private final Notes notes;
          public Titles(Notes notes) { this.notes = notes; }
          @GetMapping(\"/{id}\") public String title(@PathVariable String id) {
            return notes.findById(Long.parseLong(id)).map(Note::getTitle).orElse(\"none\");
          }
        }";
    let service = service(&[DATA, ("src/main/java/a/Titles.java", by_hand)]);
    let derived = service.derive(Method::Get, "/titles/{id}");
    let told: Vec<String> = derived
        .candidates
        .iter()
        .map(|one| {
            let expected = one.oracle.assertions.iter().find_map(|assertion| match &assertion.check {
                Check::Field { expected: Some(value), .. } => Some(value.to_string()),
                _ => None,
            });
            format!("{} {} {}", one.oracle.input.path["id"], one.oracle.statuses()[0], expected.unwrap_or_default())
        })
        .collect();
    assert!(told.contains(&"8 200 \"Call Ada\"".to_owned()), "{told:?}");
    assert!(told.iter().any(|one| one.ends_with("200 \"none\"")), "{told:?}");
    assert!(told.iter().any(|one| one.contains("500")), "{told:?}");
}

#[test]
fn rows_of_scripts_are_found_by_keys_names_and_queries() {
    let service = service(&[DATA]);
    let one = answers(&service.derive(Method::Get, "/notes/{id}"));
    let found = one.iter().find(|(path, ..)| path == "7").unwrap();
    assert_eq!((found.1, &found.2[0]), (200, &("done".to_owned(), json!(false))));
    assert_eq!(one.iter().filter(|(_, status, _)| *status == 404).count(), 1, "one that is not there is enough");
    let done = answers(&service.derive(Method::Get, "/notes/done"));
    assert_eq!(done[0].2, [(String::new(), json!([{"id": 8, "title": "Call Ada", "done": true}]))]);
}

#[test]
fn what_code_stores_at_the_start_is_there_with_its_counted_keys() {
    let service = service(&[("src/main/java/a/Start.java", STARTER)]);
    let one = answers(&service.derive(Method::Get, "/notes/{id}"));
    let first = one.iter().find(|(path, ..)| path == "1").unwrap();
    assert_eq!((first.1, first.2.last()), (200, Some(&("title".to_owned(), json!("bread")))));
    // Seed code that cannot be followed leaves the content unknown.
    let odd = STARTER.replace("notes.save(n)", "if (args.length == 0) notes.save(n)");
    let service = self::service(&[("src/main/java/a/Start.java", &odd)]);
    assert!(answers(&service.derive(Method::Get, "/notes/{id}")).iter().all(|(_, status, _)| *status == 400));
}

#[test]
fn what_is_made_is_found_again_even_where_nobody_knows_what_was_there() {
    let outside = "spring.datasource.url=jdbc:postgresql://db/notes\nspring.jpa.hibernate.ddl-auto=update\n";
    let plain = NOTE.replace(", unique = true", "");
    for settings in ["", outside] {
        let mut files = vec![("src/main/java/a/Note.java", plain.as_str())];
        files.push(("src/main/resources/application.properties", settings));
        let service = service(&files);
        let made = service.derive(Method::Post, "/notes");
        let lives: Vec<Vec<&str>> = made
            .sequences
            .iter()
            .map(|(sequence, _)| sequence.steps.iter().map(|step| step.op_id.as_str()).collect())
            .collect();
        let whole = ["POST /notes", "GET /notes/{id}", "DELETE /notes/{id}", "GET /notes/{id}"];
        assert!(lives.iter().any(|life| *life == whole), "{settings}: {lives:?}");
        // Whether a record is absent is known only for an embedded database.
        let absent = answers(&service.derive(Method::Get, "/notes/{id}"));
        assert_eq!(absent.iter().any(|(_, status, _)| *status == 404), settings.is_empty());
    }
}

#[test]
fn a_script_that_is_too_large_to_be_read_may_hold_any_row() {
    let told = |data: &str| {
        let service = service(&[(DATA.0, data)]);
        let one = answers(&service.derive(Method::Get, "/notes/{id}"));
        let done = answers(&service.derive(Method::Get, "/notes/done"));
        let missing = one.iter().filter(|(_, status, _)| *status == 404).count();
        (missing, done.iter().filter(|(.., exact)| !exact.is_empty()).count())
    };
    assert_eq!(told(DATA.1), (1, 1));
    let large = format!("{}\n{}", DATA.1, "-- more\n".repeat(300_000));
    assert_eq!(told(&large), (0, 0));
}
