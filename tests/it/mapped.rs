//! Mappers that match properties by name: a new field of an entity matters only if the other side has a matching name. Also aspects that advise other
//! code, and annotations that repeat a default.

use crate::states::{between, report, states};

const NOTE: &str = "package a; import jakarta.persistence.*; import lombok.*;
@Data @NoArgsConstructor @Entity public class Note { @Id private Long id; private String text; @ManyToOne private Owner owner;
  @OneToMany(mappedBy = \"note\") private java.util.List<Line> lines; }";
const OWNER: &str = "package a; import jakarta.persistence.*; import lombok.*;
@Data @NoArgsConstructor @Entity public class Owner { @Id private Long id; private String name; private Level level; }";
const LINE: &str = "package a; import jakarta.persistence.*; import lombok.*;
@Data @NoArgsConstructor @Entity public class Line { @Id private Long id; private int place; @ManyToOne private Note note; }";
const LEVEL: &str = "package a; public enum Level { LOW, HIGH }";
const SHOWN: &str = "package a; import lombok.*; @Data @NoArgsConstructor public class Shown { private Long id; private String ownerName; private String text; }";
const SENT: &str = "package a; import lombok.*; @Data @NoArgsConstructor public class Sent { private String text; }";
const ROWS: &str =
    "package a; public interface Notes extends org.springframework.data.jpa.repository.JpaRepository<Note, Long> { }";
const MARK: &str = "package a; public @interface Counted { }";
const COUNTER: &str = "package a; public class Counter { @Counted public String count(String text) { return text; } }";

const HANDLERS: &str = "private final Notes notes; private final org.modelmapper.ModelMapper mapper; private final org.vendor.Json json; private final Counter counter = new Counter();
  public C(Notes notes, org.modelmapper.ModelMapper mapper, org.vendor.Json json) { this.notes = notes; this.mapper = mapper; this.json = json; }
  @GetMapping(\"/one/{id}\") public Shown one(@PathVariable(\"id\") Long id) { return mapper.map(notes.findById(id).orElseThrow(), Shown.class); }
  @GetMapping(\"/all\") public List<Shown> all() { return mapper.map(notes.findAll(), new org.modelmapper.TypeToken<List<Shown>>() { }.getType()); }
  @PostMapping(\"/new\") public Shown made(@RequestBody Sent sent) { return mapper.map(notes.save(mapper.map(sent, Note.class)), Shown.class); }
  @GetMapping(\"/known/{id}\") public Shown known(@PathVariable(\"id\") Long id) { Note note = notes.findById(id).orElseThrow();
    Shown shown = mapper.map(note, Shown.class); shown.setText(notes.findAll().contains(note) ? \"known\" : \"new\"); return shown; }
  @GetMapping(\"/read/{text}\") public Shown read(@PathVariable(\"text\") String text) { return mapper.map(json.read(text, Note.class), Shown.class); }
  @GetMapping(\"/ask/{id}\") public Shown ask(@PathVariable(\"id\") Long id) { return json.exchange(notes.findById(id).orElseThrow(), Shown.class); }
  @GetMapping(\"/counted/{text}\") public String counted(@PathVariable(\"text\") String text) { return counter.count(text); }";

const FILES: [(&str, &str); 9] = [
    ("Note.java", NOTE),
    ("Owner.java", OWNER),
    ("Line.java", LINE),
    ("Level.java", LEVEL),
    ("Shown.java", SHOWN),
    ("Sent.java", SENT),
    ("Notes.java", ROWS),
    ("Counted.java", MARK),
    ("Counter.java", COUNTER),
];

/// The affected operations after these files were replaced: path and state.
fn states_with(files: &[(&str, String)]) -> Vec<(String, String)> {
    let repo = between(HANDLERS, HANDLERS, &FILES);
    let repo = files.iter().fold(repo, |repo, (file, text)| repo.file(&format!("src/main/java/a/{file}"), text));
    let found = states(&report(&repo.commit("Changed otherwise"))).into_iter();
    found.map(|(op, state)| (op.split_once(' ').map_or_else(String::new, |(_, path)| path.to_owned()), state)).collect()
}

/// The operations that are not *same* after `was` is replaced by `is` in a file, each with its state. Fails if no operation is affected.
fn not_same(file: &str, was: &str, is: &str) -> Vec<String> {
    let found = states_with(&[(file, otherwise(file, was, is))]);
    assert!(!found.is_empty(), "{is}: nothing is affected");
    let others = found.into_iter().filter(|(_, state)| state != "same");
    others.map(|(path, state)| format!("{path} {state}")).collect()
}

fn otherwise(file: &str, was: &str, is: &str) -> String {
    let text = FILES.iter().find(|(name, _)| *name == file).map(|(_, text)| *text).unwrap();
    assert!(text.contains(was), "{was}");
    text.replacen(was, is, 1)
}

#[test]
fn a_field_is_read_by_a_mapper_where_what_it_makes_has_a_word_of_its_name() {
    // No mapped class names the field. It matters where the whole object is sent or read, and where Lombok's `equals` compares all fields.
    let lines = "private java.util.List<Line> lines;";
    let with = |field: &str| not_same("Note.java", lines, &format!("{lines} {field}"));
    assert_eq!(with("private String colour;"), ["/ask/{id} changed", "/known/{id} undecided", "/read/{text} changed"]);
    // The mapper may match a word of the name (`owner`), or go through a field's object.
    let found = with("private String ownerText;");
    assert!(
        found.iter().any(|one| one.starts_with("/one/")) && found.iter().any(|one| one.starts_with("/all")),
        "{found:?}"
    );
    let found = with("@ManyToOne private Owner reader;");
    assert!(found.iter().any(|one| one.starts_with("/one/")), "{found:?}");
    // The mapper does not look into a list whose name does not match.
    let found = not_same("Line.java", "private int place;", "private int place; private String name;");
    assert!(!found.iter().any(|one| one.starts_with("/one/") || one.starts_with("/new")), "{found:?}");
}

#[test]
fn a_class_of_rows_that_is_new_changes_only_who_comes_to_it() {
    let mark = "package a; import jakarta.persistence.*; import lombok.*; @Data @Entity @Table(name = \"marks\") public class Mark { @Id private Long id; }";
    let marks = "private Long id; @OneToMany(mappedBy = \"note\") private java.util.List<Mark> marks;";
    let held = otherwise("Note.java", "private Long id;", marks);
    let found = states_with(&[("Mark.java", mark.to_owned()), ("Note.java", held)]);
    let of = |path: &str| found.iter().find(|(op, _)| op.starts_with(path)).map(|(_, state)| state.as_str());
    assert_eq!((of("/one/"), of("/all"), of("/new")), (Some("same"), Some("same"), Some("same")), "{found:?}");
    assert_ne!(of("/known/"), Some("same"), "{found:?}");
}

#[test]
fn how_a_field_is_kept_is_told_where_the_operation_has_such_rows() {
    // The annotation repeats the default.
    let owner = "@ManyToOne private Owner";
    let lines = "@OneToMany(mappedBy = \"note\")";
    let nothing: [String; 0] = [];
    assert_eq!(not_same("Note.java", owner, "@ManyToOne(fetch = FetchType.EAGER) private Owner"), nothing);
    assert_eq!(not_same("Note.java", lines, "@OneToMany(mappedBy = \"note\", fetch = FetchType.LAZY)"), nothing);
    // The annotation changes the default.
    let found = not_same("Note.java", owner, "@ManyToOne(fetch = FetchType.LAZY) private Owner");
    assert!(found.contains(&"/one/{id} changed".to_owned()), "{found:?}");
    // The operation does not use these rows, so their column does not matter.
    let found = not_same("Line.java", "private int place;", "@Column(nullable = false) private int place;");
    assert!(!found.iter().any(|one| one.starts_with("/one/")), "{found:?}");
}

#[test]
fn a_constant_behind_the_others_is_given_by_a_library_that_makes_objects_of_a_text_alone() {
    let found = not_same("Level.java", "LOW, HIGH", "LOW, HIGH, TOP");
    assert_eq!(found, ["/read/{text} undecided"]);
}

#[test]
fn an_aspect_counts_for_what_it_advises() {
    let aspect = "package a; import org.aspectj.lang.*; import org.aspectj.lang.annotation.*; import org.springframework.stereotype.Component;
      @Aspect @Component public class Counting { private final org.vendor.Meter meter; public Counting(org.vendor.Meter meter) { this.meter = meter; }
      @Around(\"@annotation(counted)\") public Object count(ProceedingJoinPoint point, Counted counted) throws Throwable { if (meter.full()) { return null; } return point.proceed(); } }";
    let with = |aspect: &str| {
        let found = states_with(&[("Counting.java", aspect.to_owned())]).into_iter();
        found.filter(|(_, state)| state != "same").map(|(path, _)| path).collect::<Vec<String>>()
    };
    assert_eq!(with(aspect), ["/counted/{text}"]);
    // An unsupported pointcut may match anything.
    assert_eq!(with(&aspect.replace("@annotation(counted)", "bean(*c)")).len(), 7);
    assert_eq!(with(&aspect.replace("@annotation(counted)", "execution(* a.Counter.*(..))")), ["/counted/{text}"]);
}

#[test]
fn a_version_that_comes_to_rows_that_were_there_is_open() {
    let text = "private String text;";
    let found = not_same("Note.java", text, &format!("{text} @Version private Long version;"));
    assert!(found.iter().any(|one| one.starts_with("/new")), "{found:?}");
}
