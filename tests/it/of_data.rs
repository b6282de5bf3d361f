//! Class declarations: changes that only operations with such objects can notice, and members that only compared code calls.

use crate::states::{between, report, states};

const NOTE: &str = "package a; import jakarta.persistence.*;
@Entity public class Note { @Id private Long id; private String text; @OneToMany private java.util.List<Line> lines = new java.util.ArrayList<>();
  public String getText() { return text; } public java.util.List<Line> getLines() { return lines; } }";
const LINE: &str = "package a; import jakarta.persistence.*; @Entity public class Line { @Id private Long id; }";
const OWNER: &str = "package a; import jakarta.persistence.*;
@Entity public class Owner { @Id private Long id; private String name; public String getName() { return name; } }";
const BASE: &str = "package a; import jakarta.persistence.*; @MappedSuperclass public class Base { private java.time.LocalDateTime made; }";
const NOTES: &str =
    "package a; public interface Notes extends org.springframework.data.jpa.repository.JpaRepository<Note, Long> { }";
const OWNERS: &str =
    "package a; public interface Owners extends org.springframework.data.jpa.repository.JpaRepository<Owner, Long> { }";
const CARD: &str = "package a; public class Card { private final String name;
  public Card(String name) { this.name = name; } public String said() { return \"card of \" + name; } }";
const DESK: &str = "package a; import org.springframework.stereotype.Service;
@Service public class Desk { public Card card(String name) { return new Card(name); } }";

const FILES: [(&str, &str); 7] = [
    ("Note.java", NOTE),
    ("Line.java", LINE),
    ("Owner.java", OWNER),
    ("Notes.java", NOTES),
    ("Owners.java", OWNERS),
    ("Card.java", CARD),
    ("Desk.java", DESK),
];

const HANDLERS: &str = "private final Notes notes; private final Owners owners; private final Desk desk; private final org.vendor.Texts texts;
  public C(Notes notes, Owners owners, Desk desk, org.vendor.Texts texts) { this.notes = notes; this.owners = owners; this.desk = desk; this.texts = texts; }
  @GetMapping(\"/notes/{id}\") public int note(@PathVariable(\"id\") Long id) { return notes.findById(id).orElseThrow().getLines().size(); }
  @PostMapping(\"/notes\") public int made() { return notes.save(new Note()).getLines().size(); }
  @GetMapping(\"/owners/{id}\") public String owner(@PathVariable(\"id\") Long id) { return texts.of(owners.findById(id).orElseThrow()); }
  @GetMapping(\"/cards/{name}\") public String card(@PathVariable(\"name\") String name) { return texts.of(desk.card(name).said()); }";

/// The affected operations with their states after these files were added or replaced.
fn states_with(files: &[(&str, String)]) -> Vec<String> {
    let repo = between(HANDLERS, HANDLERS, &FILES);
    let repo = files.iter().fold(repo, |repo, (file, text)| repo.file(&format!("src/main/java/a/{file}"), text));
    let found = states(&report(&repo.commit("Changed otherwise"))).into_iter();
    found.map(|(op, state)| format!("{op} {state}")).collect()
}

fn otherwise(text: &str, was: &str, is: &str) -> String {
    assert!(text.contains(was), "{was}");
    text.replacen(was, is, 1)
}

#[test]
fn how_a_class_of_rows_is_declared_matters_where_such_rows_are_met() {
    let below = otherwise(OWNER, "class Owner", "class Owner extends Base");
    let found = states_with(&[("Base.java", BASE.to_owned()), ("Owner.java", below)]);
    assert!(!found.contains(&"GET /owners/{id} same".to_owned()), "{found:?}");
    assert!(found.iter().all(|one| one.starts_with("GET /owners/") || one.ends_with(" same")), "{found:?}");
}

#[test]
fn what_a_field_of_a_row_is_set_to_at_first_matters_where_the_row_is_made() {
    let unset = otherwise(NOTE, " = new java.util.ArrayList<>()", "");
    let found = states_with(&[("Note.java", unset)]);
    assert!(found.contains(&"GET /notes/{id} same".to_owned()), "{found:?}");
    assert!(!found.contains(&"POST /notes same".to_owned()), "{found:?}");
    // A MongoDB document may have been stored without the field.
    let document = |set: &str| {
        let text = NOTE.replace("@Entity", "@org.springframework.data.mongodb.core.mapping.Document");
        otherwise(&text, " = new java.util.ArrayList<>()", set)
    };
    let repo = between(HANDLERS, HANDLERS, &FILES)
        .file("src/main/java/a/Note.java", document(" = new java.util.LinkedList<>()"));
    let repo = repo.commit("Documents").branch("other").file("src/main/java/a/Note.java", document("")).commit("Unset");
    let report = repo.run(["ci", "--since", "feature", "--format", "json"]).ends(0).json();
    assert!(!states(&report).contains(&("GET /notes/{id}".to_owned(), "same".to_owned())), "{:?}", states(&report));
}

#[test]
fn what_only_code_calls_is_compared_where_it_is_called() {
    // A constructor that Lombok now generates is the same; one that sets another value is not.
    let generated = otherwise(CARD, "public class", "@lombok.RequiredArgsConstructor public class")
        .replace("public Card(String name) { this.name = name; }", "");
    assert_eq!(states_with(&[("Card.java", generated)]), ["GET /cards/{name} same"]);
    let set = otherwise(CARD, "this.name = name;", "this.name = name + name;");
    assert_eq!(states_with(&[("Card.java", set)]), ["GET /cards/{name} changed"]);
    // An interface that nothing injects by changes nothing; one that is an injection point may.
    let desks = "package a; public interface Desks { Card card(String name); }";
    let said = otherwise(DESK, "class Desk", "class Desk implements Desks");
    let found = states_with(&[("Desks.java", desks.to_owned()), ("Desk.java", said.clone())]);
    assert!(found.contains(&"GET /cards/{name} same".to_owned()) && found.iter().all(|one| one.ends_with(" same")));
    let asks = "package a; @org.springframework.stereotype.Component public class Asks { private final Desks desks; public Asks(Desks desks) { this.desks = desks; } }";
    let found = states_with(&[("Desks.java", desks.to_owned()), ("Desk.java", said), ("Asks.java", asks.to_owned())]);
    assert!(!found.contains(&"GET /cards/{name} same".to_owned()), "{found:?}");
    let looks = "package a; public class Looks { static int all(org.springframework.context.ApplicationContext c) { return c.getBeansOfType(Desks.class).size(); } }";
    let said = otherwise(DESK, "class Desk", "class Desk implements Desks");
    let found = states_with(&[("Desks.java", desks.to_owned()), ("Desk.java", said), ("Looks.java", looks.to_owned())]);
    assert!(!found.contains(&"GET /cards/{name} same".to_owned()), "{found:?}");
}

#[test]
fn a_method_that_configures_the_framework_is_told_of_all_it_serves() {
    let web = "package a; import org.springframework.web.servlet.config.annotation.*;
@org.springframework.context.annotation.Configuration public class Web implements WebMvcConfigurer {
  @Override public void configureContentNegotiation(ContentNegotiationConfigurer configurer) {
    configurer.defaultContentType(org.springframework.http.MediaType.APPLICATION_XML); } }";
    let repo = between(HANDLERS, HANDLERS, &FILES).file("src/main/java/a/Web.java", web).commit("Web");
    let report = report(&repo);
    let told: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    let is_told = |what: &&str| what.starts_with("`Web#configureContentNegotiation` is new");
    assert!(!told.is_empty() && told.iter().all(is_told), "{told:?}");
}

#[test]
fn what_is_said_anyway_or_elsewhere_is_no_news() {
    let properties = "app.limit=5\nserver.servlet.context-path=/api\n";
    let yaml = "app:\n  limit: 5\nserver:\n  servlet:\n    context-path: /api\n";
    let reads = "private final org.vendor.Texts texts; public C(org.vendor.Texts texts) { this.texts = texts; }
  @org.springframework.beans.factory.annotation.Value(\"${app.limit}\") private int limit;
  @GetMapping(\"/limit\") public String limit() { return texts.of(limit); }";
    let base =
        || between(reads, reads, &[]).file("src/main/resources/application.properties", properties).commit("Set");
    let moved = |yaml: &str| {
        let repo = base().branch("other").remove("src/main/resources/application.properties");
        let repo = repo.file("src/main/resources/application.yml", yaml).commit("Moved");
        repo.run(["ci", "--since", "feature", "--format", "json"]).ends(0).json()
    };
    assert_eq!(states(&moved(yaml)), [("GET /limit".to_owned(), "same".to_owned())]);
    let other = moved(&yaml.replace('5', "6"));
    assert_eq!(other["changes"][0]["what"], "gives `texts.of(6)` where it gave `texts.of(5)`");
    // A table name equal to the default, and another one.
    let named = |table: &str| otherwise(OWNER, "@Entity", &format!("@Table(name = \"{table}\") @Entity"));
    assert!(states_with(&[("Owner.java", named("owner"))]).iter().all(|one| one.ends_with(" same")));
    assert!(states_with(&[("Owner.java", named("owners"))]).contains(&"GET /owners/{id} changed".to_owned()));
}

#[test]
fn what_a_repository_that_is_served_by_itself_reads_and_writes_are_its_rows() {
    let pom = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
        <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-data-rest</artifactId></dependency></dependencies></project>";
    let kind = |constants: &str| format!("package a; public enum Kind {{ {constants} }}");
    let row = "package a; import jakarta.persistence.*; @Entity public class Card { @Id private Long id; @Enumerated(EnumType.STRING) private Kind kind;
      public Kind getKind() { return kind; } public void setKind(Kind kind) { this.kind = kind; } }";
    let cards = "package a; public interface Cards extends org.springframework.data.jpa.repository.JpaRepository<Card, Long> { }";
    let files = [("Card.java", row), ("Cards.java", cards), ("Kind.java", &kind("PAPER"))];
    let repo = between("", "", &files).file("pom.xml", pom).commit("Served").branch("other");
    let repo = repo.file("src/main/java/a/Kind.java", kind("PAPER, METAL")).commit("Another kind");
    let found = states(&repo.run(["ci", "--since", "feature", "--format", "json"]).ends(0).json());
    assert!(found.iter().any(|(op, state)| op == "POST /cards" && state != "same"), "{found:?}");
}

#[test]
fn a_method_that_only_other_operations_call_is_told_of_those() {
    let row = "package a; import jakarta.persistence.*; @Entity public class Pass { @Id private Long id; private String token; private java.time.LocalDateTime at;
      public Long getId() { return id; } public String getToken() { return token; }
      public void renew(String token) { this.token = token; this.at = java.time.LocalDateTime.now(); } }";
    let passes = "package a; public interface Passes extends org.springframework.data.jpa.repository.JpaRepository<Pass, Long> { }";
    let handlers = "private final Passes passes; private final org.vendor.Texts texts; public C(Passes passes, org.vendor.Texts texts) { this.passes = passes; this.texts = texts; }
      @GetMapping(\"/passes/{id}\") public Object pass(@PathVariable(\"id\") Long id) { return texts.of(passes.findById(id).orElseThrow()); }
      @PutMapping(\"/passes/{id}\") public void renewed(@PathVariable(\"id\") Long id, @RequestParam(\"token\") String token) {
        Pass pass = passes.findById(id).orElseThrow(); pass.renew(token); passes.save(pass); }";
    let files = [("Pass.java", row), ("Passes.java", passes)];
    let repo = between(handlers, handlers, &files);
    let repo = repo.file("src/main/java/a/Pass.java", otherwise(row, "this.at = java.time.LocalDateTime.now();", ""));
    let found = states(&report(&repo.commit("Not dated")));
    assert!(found.contains(&("PUT /passes/{id}".to_owned(), "changed".to_owned())), "{found:?}");
    assert!(found.iter().all(|(op, state)| op == "PUT /passes/{id}" || state == "same"), "{found:?}");
}
