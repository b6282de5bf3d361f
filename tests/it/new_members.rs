//! New or removed members that no code refers to: enum constants, fields and accessors. They matter only where a library uses them.

use crate::states::{between, report, states};

const NOTE: &str = "package a; import jakarta.persistence.*;
@Entity public class Note {
  @Id @GeneratedValue private Long id; private String text; private Kind kind;
  public Long getId() { return id; } public String getText() { return text; }
  public void setText(String text) { this.text = text; }
  public Kind kind() { return kind; }
}";

const KIND: &str = "package a; public enum Kind { SHORT, LONG;
  public static Kind named(String name) { for (Kind kind : values()) { if (kind.name().equals(name)) { return kind; } } throw new IllegalArgumentException(name); } }";

const FAULT: &str = "package a; public enum Fault { UNKNOWN, GONE }";

const REFUSED: &str = "package a; public class Refused extends RuntimeException { private final Fault fault;
  public Refused(Fault fault) { this.fault = fault; } public Fault fault() { return fault; } }";

const ROWS: &str = "package a; public interface Notes extends org.springframework.data.jpa.repository.JpaRepository<Note, Long> { Note findByText(String text); }";

const HANDLERS: &str = "private final Notes notes; private final org.vendor.Mapper mapper; private final org.vendor.Clock clock;
  public C(Notes notes, org.vendor.Mapper mapper, org.vendor.Clock clock) { this.notes = notes; this.mapper = mapper; this.clock = clock; }
  @GetMapping(\"/texts/{text}\") public String text(@PathVariable(\"text\") String text) {
    Note note = notes.findByText(text);
    if (note == null) { throw new Refused(Fault.GONE); }
    note.setText(clock.now());
    notes.save(note);
    return note.getText(); }
  @GetMapping(\"/mapped/{text}\") public Object mapped(@PathVariable(\"text\") String text) { return mapper.map(notes.findByText(text)); }
  @GetMapping(\"/whole/{text}\") public Note whole(@PathVariable(\"text\") String text) { return notes.findByText(text); }
  @GetMapping(\"/kinds/{kind}\") public String kind(@PathVariable(\"kind\") String kind) { return Kind.named(kind).name(); }
  @GetMapping(\"/taken\") public String taken(@RequestParam(\"kind\") Kind kind) { return kind == Kind.SHORT ? \"s\" : \"l\"; }
  @ExceptionHandler public ResponseEntity<String> refused(Refused e) { return ResponseEntity.status(404).body(e.fault().name()); }";

/// The files besides the controller, with this text of the entity.
fn files(note: &str) -> [(&str, &str); 5] {
    [("Note.java", note), ("Kind.java", KIND), ("Fault.java", FAULT), ("Refused.java", REFUSED), ("Notes.java", ROWS)]
}

/// The affected operations (path and state) after `was` is replaced by `is` in a file.
fn said(file: &str, was: &str, is: &str) -> Vec<String> {
    let files = files(NOTE);
    let text = files.iter().find(|(name, _)| *name == file).map(|(_, text)| *text).unwrap();
    assert!(text.contains(was), "{was}");
    let repo = between(HANDLERS, HANDLERS, &files)
        .file(&format!("src/main/java/a/{file}"), text.replacen(was, is, 1))
        .commit("Changed");
    let all = states(&report(&repo)).into_iter();
    all.map(|(op, state)| format!("{} {state}", op.trim_start_matches("GET "))).collect()
}

#[test]
fn an_accessor_that_is_new_matters_where_a_library_reads_the_object() {
    let getter = "public String getTitle() { return text + \"!\"; } public String getText()";
    let states = said("Note.java", "public String getText()", getter);
    assert_eq!(states, ["/mapped/{text} undecided", "/whole/{text} changed"]);
}

#[test]
fn a_field_that_is_new_matters_where_a_library_reads_the_object() {
    let field =
        "@Column(name = \"made\") private String made; public String getMade() { return made; } private String text;";
    let states = said("Note.java", "private String text;", field);
    assert_eq!(states, ["/mapped/{text} changed", "/whole/{text} changed"]);
}

#[test]
fn a_constant_that_is_new_matters_where_something_but_code_can_name_it() {
    // A new error code changes nothing.
    let states = said("Fault.java", "UNKNOWN, GONE", "UNKNOWN, GONE, TWICE");
    assert!(!states.is_empty() && states.iter().all(|state| state.ends_with(" same")), "{states:?}");
    // A request can name the constant, and code iterates over all constants.
    let states = said("Kind.java", "SHORT, LONG;", "SHORT, LONG, MIDDLE;");
    assert!(states.contains(&"/kinds/{kind} changed".to_owned()), "{states:?}");
    assert!(
        states.contains(&"/taken changed".to_owned()) || states.contains(&"/taken undecided".to_owned()),
        "{states:?}"
    );
    // Rows may store a constant's ordinal.
    let states = said("Kind.java", "SHORT, LONG;", "MIDDLE, SHORT, LONG;");
    assert!(!states.iter().any(|state| state.starts_with("/texts") && state.ends_with(" same")), "{states:?}");
}

#[test]
fn an_annotation_that_decides_nothing_where_it_stands_is_no_change() {
    let state = |was: &str, is: &str| {
        let plain = "package a; public class Plain { private String text; public String getText() { return text; } public void setText(String text) { this.text = text; } }";
        let bounded = plain
            .replace("class Plain", "class Bounded")
            .replace("private String", "@jakarta.validation.constraints.NotNull private String");
        let inner = "package a; public class Inner { private String text = \"a\"; @com.fasterxml.jackson.annotation.JsonIgnore public String getText() { return text; } }";
        let handlers = "@PostMapping(\"/plain\") @ResponseStatus(HttpStatus.OK) public String plain(@Valid @RequestBody Plain plain) { return new Inner().getText(); }
          @PostMapping(\"/bounded\") @ResponseStatus(HttpStatus.CREATED) public String bounded(@Valid @RequestBody Bounded bounded) { return bounded.getText(); }";
        let files = [("Plain.java", plain), ("Bounded.java", &bounded), ("Inner.java", inner)];
        let (file, text) = if handlers.contains(was) { ("C.java", handlers) } else { ("Inner.java", inner) };
        assert!(text.contains(was));
        let repo = match file {
            "C.java" => between(handlers, &handlers.replacen(was, is, 1), &files),
            _ => between(handlers, handlers, &files)
                .file("src/main/java/a/Inner.java", text.replacen(was, is, 1))
                .commit("Changed"),
        };
        states(&report(&repo)).into_iter().map(|(op, state)| format!("{op} {state}")).collect::<Vec<String>>()
    };
    assert_eq!(state("@ResponseStatus(HttpStatus.OK) ", ""), ["POST /plain same"]);
    assert_eq!(state("@ResponseStatus(HttpStatus.CREATED) ", ""), ["POST /bounded changed"]);
    assert_eq!(state("@Valid @RequestBody Plain", "@RequestBody Plain"), ["POST /plain same"]);
    assert_eq!(state("@Valid @RequestBody Bounded", "@RequestBody Bounded"), ["POST /bounded changed"]);
    assert_eq!(state("@com.fasterxml.jackson.annotation.JsonIgnore ", ""), ["POST /plain same"]);
}

const WRITER: &str = "package a; public class Writer { private final org.vendor.Clock clock;
  public Writer(org.vendor.Clock clock) { this.clock = clock; }
  public String write(String text) { return text + clock.now(); } }";

const DESK: &str = "package a; @org.springframework.stereotype.Service public class Desk { private final Writer writer;
  public Desk(org.vendor.Clock clock) { this.writer = new Writer(clock); }
  public String write(String text) { return writer.write(text); } }";

/// The state of the operation after the class `Writer` and its creator get another constructor argument.
fn wired_with(field: &str, set: &str) -> Vec<String> {
    let handlers = "private final Desk desk; public C(Desk desk) { this.desk = desk; }
      @GetMapping(\"/written/{text}\") public String written(@PathVariable(\"text\") String text) { return desk.write(text); }";
    let writer = WRITER
        .replace("private final org.vendor.Clock clock;", &format!("private final org.vendor.Clock clock; {field}"))
        .replace(
            "Writer(org.vendor.Clock clock) { this.clock = clock;",
            &format!("Writer(org.vendor.Clock clock, org.vendor.Clock other) {{ {set}"),
        );
    let desk = DESK
        .replace("Desk(org.vendor.Clock clock) {", "Desk(org.vendor.Clock clock, org.vendor.Clock other) {")
        .replace("new Writer(clock)", "new Writer(clock, other)");
    let repo = between(handlers, handlers, &[("Writer.java", WRITER), ("Desk.java", DESK)])
        .file("src/main/java/a/Writer.java", writer)
        .file("src/main/java/a/Desk.java", desk)
        .commit("Another part");
    states(&report(&repo)).into_iter().map(|(op, state)| format!("{op} {state}")).collect()
}

#[test]
fn a_part_that_is_new_is_no_change_where_all_others_are_set_as_before() {
    let field = "private final org.vendor.Clock other;";
    assert_eq!(wired_with(field, "this.clock = clock; this.other = other;"), ["GET /written/{text} same"]);
    // A call on the new part in the constructor may have an effect.
    let asked = wired_with("private final String zone;", "this.clock = clock; this.zone = other.start();");
    assert_eq!(asked, ["GET /written/{text} undecided"]);
    // The other clock is used now.
    let crossed = wired_with(field, "this.clock = other; this.other = clock;");
    assert_eq!(crossed, ["GET /written/{text} undecided"]);
    // The constructor's additional call is not followed.
    let busy = wired_with(field, "this.clock = clock; this.other = other; other.start();");
    assert_eq!(busy, ["GET /written/{text} undecided"]);
}

#[test]
fn what_is_passed_on_as_an_object_of_any_class_is_that_of_the_callers() {
    let handlers = |given: &str| {
        format!(
            "private final Notes notes; public C(Notes notes) {{ this.notes = notes; }}
             private final org.vendor.Sink sink = org.vendor.Sink.open();
             private ResponseEntity<Object> answer(Object entity) {{ return sink.answer(entity); }}
             @GetMapping(\"/texts/{{text}}\") public ResponseEntity<Object> text(@PathVariable(\"text\") String text) {{
               Note note = notes.findByText(text);
               note.setText(note.getText() + 1);
               notes.save(note);
               return answer({given}); }}"
        )
    };
    let states = |given: &str| {
        let note = NOTE.replace("  public Kind kind() { return kind; }\n", "").replace(" private Kind kind;", "");
        let files = [("Note.java", note.as_str()), ("Notes.java", ROWS)];
        let handlers = handlers(given);
        let getter = "public String getTitle() { return text + \"!\"; } public String getText()";
        let repo = between(&handlers, &handlers, &files)
            .file("src/main/java/a/Note.java", note.replace("public String getText()", getter))
            .commit("Title");
        states(&report(&repo)).into_iter().map(|(_, state)| state).collect::<Vec<String>>()
    };
    assert_eq!(states("note.getText()"), [] as [&str; 0]);
    assert_eq!(states("note"), ["undecided"]);
}

/// The state of the operation after a service's class and interface get additional methods.
fn with_methods(above: &str, method: &str, declared: &str) -> Vec<String> {
    let class = |more: &str| {
        format!(
            "package a; import org.vendor.*; import org.springframework.security.core.userdetails.*;
@org.springframework.stereotype.Service public class NoteService implements UserDetailsService, {above} {{
  public UserDetails loadUserByUsername(String name) {{ return org.vendor.Users.load(name); }}
  private final Notes notes; public NoteService(Notes notes) {{ this.notes = notes; }}
  @Override public String text(String text) {{ return notes.findByText(text).getText(); }} {more} }}"
        )
    };
    let interface = |more: &str| format!("package a; public interface Reading {{ String text(String text); {more} }}");
    let handlers = "private final Reading reading; public C(Reading reading) { this.reading = reading; }
      @GetMapping(\"/texts/{text}\") public String text(@PathVariable(\"text\") String text) { return reading.text(text); }";
    let (was_class, was_interface) = (class(""), interface(""));
    let files = [
        ("Note.java", NOTE),
        ("Kind.java", KIND),
        ("Notes.java", ROWS),
        ("NoteService.java", was_class.as_str()),
        ("Reading.java", was_interface.as_str()),
    ];
    let repo = between(handlers, handlers, &files)
        .file("src/main/java/a/NoteService.java", class(method))
        .file("src/main/java/a/Reading.java", interface(declared))
        .commit("Changed");
    states(&report(&repo)).into_iter().map(|(_, state)| state).collect()
}

#[test]
fn a_method_of_a_service_stands_in_for_one_of_a_library_only_where_that_may_declare_it() {
    let finds = "public Note find(Note like, int page) { notes.delete(like); return like; }";
    // A library cannot declare a method with a project class, unless by its type arguments.
    assert_eq!(with_methods("Lookup, Reading", finds, ""), ["same"]);
    assert_eq!(with_methods("Lookup<Note>, Reading", finds, ""), ["undecided"]);
    // A method that a project interface declares is the project's own; any other may implement a library's interface.
    let counts = "public long countAll(String like) { notes.deleteAll(); return 1; }";
    assert_eq!(with_methods("Lookup, Reading", counts, "long countAll(String like);"), ["same"]);
    assert_eq!(with_methods("Lookup, Reading", counts, ""), ["undecided"]);
    // A getter with arguments is not a property, and nothing reads this bean's properties.
    let gets = "public Note getNote(String like) { notes.deleteAll(); return null; }";
    assert_eq!(with_methods("Reading", gets, "Note getNote(String like);"), ["same"]);
}

#[test]
fn a_column_that_is_named_as_it_is_anyway_says_nothing() {
    let is_same = |named: &str| {
        let states = said("Note.java", "private String text;", &format!("{named} private String text;"));
        assert!(!states.is_empty(), "{named}");
        states.iter().all(|state| state.ends_with(" same"))
    };
    assert!(is_same("@Column(name = \"text\")"));
    assert!(!is_same("@Column(name = \"body\")"));
    assert!(!is_same("@Column(name = \"text\", nullable = false)"));
    assert!(!is_same("@JoinColumn"));
    let line = "private Kind kind; private String firstLine; public String getFirstLine() { return firstLine; }";
    let bare = NOTE.replacen("private Kind kind;", line, 1);
    let marked =
        bare.replacen("private String firstLine", "@Column(name = \"first_line\") private String firstLine", 1);
    let files = files(&bare);
    let repo = between(HANDLERS, HANDLERS, &files).file("src/main/java/a/Note.java", &marked).commit("Named");
    let found = states(&report(&repo));
    assert!(!found.is_empty() && found.iter().all(|(_, state)| state == "same"), "{found:?}");
    // A custom naming strategy may choose another column name.
    let strategy =
        "package a; public class Names extends org.hibernate.boot.model.naming.PhysicalNamingStrategyStandardImpl { }";
    let with: Vec<(&str, &str)> = files.into_iter().chain([("Names.java", strategy)]).collect();
    let repo = between(HANDLERS, HANDLERS, &with).file("src/main/java/a/Note.java", &marked).commit("Named");
    let found = states(&report(&repo));
    assert!(found.iter().any(|(_, state)| state != "same"), "{found:?}");
}

#[test]
fn a_constructor_that_only_code_calls_or_that_java_gives_anyway_says_nothing() {
    let with = |members: &str| said("Note.java", "private Kind kind;", &format!("private Kind kind; {members}"));
    let is_same = |states: &[String]| !states.is_empty() && states.iter().all(|state| state.ends_with(" same"));
    assert!(is_same(&with("public Note() { }")));
    assert!(is_same(&with(
        "public Note() { } public Note(String text, Kind kind) { this.text = text; this.kind = kind; }"
    )));
    // Existing calls may resolve to the new constructor.
    let two =
        |kind: &str| format!("public Note() {{ }} public Note({kind} text, Kind kind) {{ this.text = \"\" + text; }}");
    let other = NOTE.replace("private Kind kind;", &format!("private Kind kind; {}", two("Object")));
    let files = files(&other);
    let both = other
        .replace("public Note() { }", "public Note() { } public Note(String text, Kind kind) { this.kind = kind; }");
    let handlers = HANDLERS.replace("note.setText(clock.now());", "note = new Note(note.getText(), Kind.SHORT);");
    let repo = between(&handlers, &handlers, &files).file("src/main/java/a/Note.java", both).commit("Both");
    let found = states(&report(&repo));
    assert!(found.iter().any(|(_, state)| state != "same"), "{found:?}");
    // A library that creates a note runs the new constructor's body.
    assert!(!is_same(&with("public Note() { this.text = \"none\"; }")));
    assert!(!is_same(&with("public Note(String text, Kind kind) { this.text = text; this.kind = kind; }")));
}

/// The reported changes for this new text of the entity.
fn told(note: &str) -> Vec<String> {
    let files = files(NOTE);
    let handlers = "private final Notes notes; private final org.vendor.Mapper mapper;
  public C(Notes notes, org.vendor.Mapper mapper) { this.notes = notes; this.mapper = mapper; }
  @GetMapping(\"/notes/{id}\") public Object one(@PathVariable(\"id\") Long id) {
    Note note = notes.findById(id).orElseThrow(); note.setText(\"t\"); notes.save(note); return mapper.map(note); }";
    let repo = between(handlers, handlers, &files).file("src/main/java/a/Note.java", note);
    let report = report(&repo.commit("Changed"));
    report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_rows_hold_otherwise_is_told_where_no_code_does_anything_else() {
    let with = |more: &str| told(&NOTE.replacen("private String text;", &format!("private String text; {more}"), 1));
    let weight = "private Integer weight; public Integer getWeight() { return weight; }";
    assert_eq!(with(weight), ["`Note#weight` is new in what is stored"]);
    let runs = "`Note#made`, which is new, runs with `@PrePersist`";
    assert_eq!(with("@PrePersist void made() { text = text.trim(); }"), [runs]);
    assert!(with(&format!("@Transient {weight}")).is_empty());
    // A renamed field with the same column.
    let renamed = NOTE.replace("private Kind kind;", "@Column(name = \"kind\") private Kind sort;");
    let renamed = told(&renamed.replace("return kind;", "return sort;"));
    assert!(!renamed.iter().any(|what| what.contains("stored")), "{renamed:?}");
}
