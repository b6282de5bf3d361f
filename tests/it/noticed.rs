//! What changes for a whole service is told of the operations that can notice it: beans, exception handlers, settings, and
//! scripts of the database.

use serde_json::Value;

use crate::states::{between, states};
use crate::support::Repo;

const HANDLERS: &str =
    "private final Shelf shelf; private final Mail mail; public C(Shelf shelf, Mail mail) { this.shelf = shelf; this.mail = mail; }
  @GetMapping(\"/notes/{id}\") public String note(@PathVariable(\"id\") Long id) { return shelf.find(id); }
  @PostMapping(\"/notes\") public void add(@RequestBody String text) { shelf.add(text); }
  @DeleteMapping(\"/notes/{id}\") public void remove(@PathVariable(\"id\") Long id) { shelf.remove(id); }
  @GetMapping(\"/mail\") public String mail() { return mail.first(); }";

const SHELF: &str =
    "package a; @org.springframework.stereotype.Service public class Shelf { private final NoteRows rows;
  public Shelf(NoteRows rows) { this.rows = rows; }
  public String find(Long id) { return rows.findById(id).orElseThrow(NoNote::new).getText(); }
  public void add(String text) { Note note = new Note(); note.setText(text); rows.save(note); }
  public void remove(Long id) { rows.deleteById(id); } }";

const NOTE: &str = "package a; import jakarta.persistence.*; @Entity @Table(name = \"notes\") public class Note { @Id Long id; String text;
  public Long getId() { return id; } public String getText() { return text; } public void setText(String text) { this.text = text; } }";

const FILES: &[(&str, &str)] = &[
    ("Shelf.java", SHELF),
    ("Note.java", NOTE),
    (
        "NoteRows.java",
        "package a; public interface NoteRows extends org.springframework.data.jpa.repository.JpaRepository<Note, Long> { }",
    ),
    ("NoNote.java", "package a; public class NoNote extends RuntimeException { }"),
    (
        "Mail.java",
        "package a; @org.springframework.stereotype.Service public class Mail { private final org.vendor.Client client;
  public Mail(org.vendor.Client client) { this.client = client; } public String first() { return client.first(); } }",
    ),
    ("Beans.java", BEANS),
];

const BEANS: &str = "package a; import org.springframework.context.annotation.*; import org.vendor.*;
@Configuration public class Beans { @Bean Client client() { return new Client(\"mail\"); } }";

/// The service with further files, and what is committed on top of it.
fn after(base: &[(&str, &str)], head: &[(&str, Option<&str>)]) -> Value {
    let path = |name: &str| {
        if name.contains('/') { format!("src/main/resources/{name}") } else { format!("src/main/java/a/{name}") }
    };
    let repo = between(HANDLERS, HANDLERS, FILES);
    let repo = base.iter().fold(repo, |repo, (name, text)| repo.file(&path(name), text)).commit("Base").branch("other");
    let apply = |repo: Repo, (name, text): &(&str, Option<&str>)| match text {
        Some(text) => repo.file(&path(name), text),
        None => repo.remove(&path(name)),
    };
    let repo = head.iter().fold(repo, apply).commit("Head");
    repo.run(["ci", "--since", "feature", "--format", "json"]).ends(0).json()
}

#[test]
fn a_transaction_around_a_class_is_told_where_several_writes_need_it() {
    let with = |shelf: &str| {
        shelf.replace(
            "public class Shelf",
            "@org.springframework.transaction.annotation.Transactional public class Shelf",
        )
    };
    let said = told_after(&[], &[("Shelf.java", Some(&with(SHELF)))]);
    assert!(said.iter().all(|one| one.starts_with("POST /notes: ")), "{said:?}");
    let twice = SHELF.replace("rows.deleteById(id);", "rows.deleteById(id); rows.flush();");
    let said = told_after(&[("Shelf.java", &twice)], &[("Shelf.java", Some(&with(&twice)))]);
    assert!(
        said.iter().any(|one| one.starts_with("DELETE /notes/{id}: `@Transactional` is new on `Shelf`")),
        "{said:?}"
    );
    assert!(!said.iter().any(|one| one.starts_with("GET /mail") || one.starts_with("GET /notes")), "{said:?}");
}

/// The told sentences, each with its operations.
fn told(report: &Value) -> Vec<String> {
    let one = |change: &Value| {
        let text = |name: &str| change[name].as_str().unwrap().to_owned();
        format!("{}: {}", text("op_id"), text("what"))
    };
    let of = |change: &Value| -> Vec<String> {
        std::iter::once(change).chain(change["also"].as_array().into_iter().flatten()).map(one).collect()
    };
    report["changes"].as_array().unwrap().iter().flat_map(of).collect()
}

fn told_after(base: &[(&str, &str)], head: &[(&str, Option<&str>)]) -> Vec<String> {
    told(&after(base, head))
}

#[test]
fn a_bean_is_told_where_it_is_injected_and_not_where_its_maker_moved() {
    // The same bean, made by another class.
    let moved = "package a; import org.springframework.context.annotation.*; import org.vendor.*;
@Configuration public class Clients { @Bean Client client() { return new Client(\"mail\"); } }";
    let report = after(&[], &[("Beans.java", None), ("Clients.java", Some(moved))]);
    assert_eq!(told(&report), Vec::<String>::new(), "{}", report["compared"]);
    assert!(states(&report).iter().all(|(_, state)| state == "same"), "{}", report["compared"]);
    // Made otherwise, it is told once, of the operation that uses it.
    let other = moved.replace("\"mail\"", "\"post\"");
    let said = told_after(&[], &[("Beans.java", None), ("Clients.java", Some(&other))]);
    let otherwise = "gives `new Client(\"post\")` where it gave `new Client(\"mail\")`, in `Clients#client`";
    assert_eq!(said, [format!("GET /mail: {otherwise}")]);
    // A bean that only new code is injected says nothing.
    let with = "package a; import org.springframework.context.annotation.*; import org.vendor.*;
@Configuration public class Beans { @Bean Client client() { return new Client(\"mail\"); } @Bean Clock clock() { return new Clock(); } }";
    let user = "package a; @org.springframework.stereotype.Service public class Times { public Times(org.vendor.Clock clock) { } }";
    let report = after(&[], &[("Beans.java", Some(with)), ("Times.java", Some(user))]);
    assert_eq!(told(&report), Vec::<String>::new(), "{}", report["compared"]);
    // One that frameworks take by themselves is told of all operations, though code of one is injected it.
    let mapper = |more: &str| {
        format!("package a; import org.springframework.context.annotation.*; import org.vendor.*;
@Configuration public class Beans {{ @Bean Client client() {{ return new Client(\"mail\"); }}
  @Bean com.fasterxml.jackson.databind.ObjectMapper mapper() {{ return new com.fasterxml.jackson.databind.ObjectMapper(){more}; }} }}")
    };
    let user = "package a; @org.springframework.stereotype.Service public class Times { private final com.fasterxml.jackson.databind.ObjectMapper mapper;
  public Times(com.fasterxml.jackson.databind.ObjectMapper mapper) { this.mapper = mapper; } }";
    let before = mapper("");
    let report = after(
        &[("Beans.java", &before), ("Times.java", user)],
        &[("Beans.java", Some(&mapper(".findAndRegisterModules()")))],
    );
    assert!(states(&report).iter().all(|(_, state)| state != "same"), "{}", report["compared"]);
    // One that a framework collects is told of all operations.
    let cors = "org.springframework.web.cors.CorsConfigurationSource cors() { return new Origins(); }";
    let collected = with.replace("Clock clock() { return new Clock(); }", cors);
    let said = told_after(&[], &[("Beans.java", Some(&collected))]);
    assert!(
        said.len() == 4 && said.iter().all(|one| one.ends_with("`Beans#cors` makes a bean that is new")),
        "{said:?}"
    );
}

#[test]
fn a_query_that_tests_its_row_too_finds_the_same_row() {
    let rows = |more: &str| {
        FILES
            .iter()
            .map(|(name, text)| match *name {
                "NoteRows.java" => (
                    *name,
                    text.replace("{ }", &format!("{{ java.util.Optional<Note> findByText(String text); {more} }}")),
                ),
                "Note.java" => (*name, text.replace("String text;", "String text; java.time.Instant deletedAt;")),
                _ => (*name, (*text).to_owned()),
            })
            .collect::<Vec<_>>()
    };
    let asks = |query: &str| {
        format!(
            "private final NoteRows rows; public C(NoteRows rows) {{ this.rows = rows; }}
  @GetMapping(\"/texts/{{text}}\") public Long text(@PathVariable(\"text\") String text) {{ return rows.{query}(text).map(Note::getId).orElse(0L); }}"
        )
    };
    let said = |declared: &str, query: &str| {
        let files = rows(declared);
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let repo = between(&asks("findByText"), &asks(query), &files);
        told(&repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json())
    };
    let expected = [
        "GET /texts/{text}: gives `0` where it gave `note.id` (noteRows.findByText(text) finds a note and note.deletedAt is not null)",
    ];
    for (declared, query) in [
        ("java.util.Optional<Note> findByTextAndDeletedAtIsNull(String text);", "findByTextAndDeletedAtIsNull"),
        (
            "@org.springframework.data.jpa.repository.Query(\"select n from Note n where n.text = :text and n.deletedAt is null\")
             java.util.Optional<Note> findActive(@org.springframework.data.repository.query.Param(\"text\") String text);",
            "findActive",
        ),
    ] {
        assert_eq!(said(declared, query), expected, "{query}");
    }
}

#[test]
fn a_handler_is_told_where_its_exception_is_thrown() {
    let advice = |more: &str| {
        format!(
            "package a; import org.springframework.http.*; import org.springframework.web.bind.annotation.*;
@RestControllerAdvice public class Advice {{ @ExceptionHandler(IllegalStateException.class) ResponseEntity<String> state() {{ return ResponseEntity.status(409).body(\"state\"); }}
{more} }}"
        )
    };
    let with = advice(
        "@ExceptionHandler(NoNote.class) ResponseEntity<String> none() { return ResponseEntity.status(404).body(\"none\"); }",
    );
    let report = after(&[("Advice.java", &advice(""))], &[("Advice.java", Some(&with))]);
    let said = told(&report);
    assert!(!said.is_empty() && said.iter().all(|one| one.starts_with("GET /notes/{id}: ")), "{said:?}");
    let mail: Vec<(String, String)> = states(&report).into_iter().filter(|(op, _)| op == "GET /mail").collect();
    assert!(mail.iter().all(|(_, state)| state == "same"), "{}", report["compared"]);
    // A handler that another one takes in is not gone.
    let joined = advice("").replace(
        "IllegalStateException.class",
        "{IllegalStateException.class, java.util.NoSuchElementException.class}",
    );
    let apart = advice(
        "@ExceptionHandler(java.util.NoSuchElementException.class) ResponseEntity<String> none() { return ResponseEntity.status(409).body(\"state\"); }",
    );
    let said = told_after(&[("Advice.java", &apart)], &[("Advice.java", Some(&joined))]);
    assert!(!said.iter().any(|one| one.contains("is gone")), "{said:?}");
}

#[test]
fn a_setting_is_told_where_code_reads_it() {
    let reads = |key: &str| {
        format!("package a; import org.springframework.beans.factory.annotation.Value; @org.springframework.stereotype.Service public class Mail {{
  private final String from; public Mail(@Value(\"${{{key}}}\") String from) {{ this.from = from; }} public String first() {{ return from; }} }}")
    };
    let (file, mail) = ("./application.properties", reads("mail.from"));
    let settings = |more: &str| format!("mail.from=a\n{more}");
    let base = [("Mail.java", mail.as_str()), (file, "mail.from=a\n")];
    let told_with = |text: &str| told_after(&base, &[(file, Some(text))]);
    assert_eq!(told_with("mail.from=b\n"), ["GET /mail: the text of the body changes"]);
    // About requests that no operation handles, about uploads that none takes, and read by nothing that was there.
    for aside in ["spring.mvc.throw-exception-if-no-handler-found=true", "spring.servlet.multipart.max-file-size=1MB"] {
        assert_eq!(told_with(&settings(aside)), Vec::<String>::new(), "{aside}");
    }
    let (later, with) = (reads("mail.sender"), settings("mail.sender=a\n"));
    let said = told_after(&base, &[(file, Some(&with)), ("Mail.java", Some(&later))]);
    assert!(!said.iter().any(|one| one.contains("is set")), "{said:?}");
    // A library may load a file under a name of its own; a template of settings is only copied.
    let partner = "./partner.properties";
    let said = told_after(&[("Mail.java", &mail), (partner, "mail.from=a\n")], &[(partner, Some("mail.from=b\n"))]);
    assert_eq!(said, ["GET /mail: the text of the body changes"]);
    let template = "./settings-template.properties";
    let said = told_after(&[("Mail.java", &mail), (template, "mail.from=a\n")], &[(template, Some("mail.from=b\n"))]);
    assert_eq!(said, Vec::<String>::new());
}

#[test]
fn a_script_is_told_where_its_effect_on_a_table_can_be_met() {
    let first = ("db/migration/V1__notes.sql", "create table notes (id bigint primary key, text varchar(40));\n");
    let second = "db/migration/V2__more.sql";
    let said = |statement: &str| told_after(&[first], &[(second, Some(statement))]);
    let nothing: [&str; 4] = [
        "alter table notes add column mood varchar(10);",
        "create index by_text on notes (text);",
        "create table marks (id bigint primary key, note_id bigint references notes (id) on delete cascade);",
        "comment on table notes is 'all notes';",
    ];
    for statement in nothing {
        assert_eq!(said(statement), Vec::<String>::new(), "{statement}");
    }
    assert_eq!(
        said("alter table notes add constraint one unique (text);"),
        ["POST /notes: the table `notes` has the new constraint `unique (text)`"]
    );
    assert_eq!(
        said("alter table notes add column mood varchar(10) not null;"),
        ["POST /notes: the table `notes` has the new column `mood`, which must not be null"]
    );
    assert_eq!(
        said("create table marks (id bigint primary key, note_id bigint references notes (id));"),
        ["DELETE /notes/{id}: rows of the table `marks` that refer to `notes` keep its rows from being deleted"]
    );
    assert_eq!(
        said("alter table notes alter column text set not null;"),
        ["POST /notes: the column `text` of the table `notes` must not be null"]
    );
    let dropped = said("alter table notes drop column text;");
    assert!(
        dropped.len() == 3 && dropped[0].ends_with("the table `notes` no longer has the column `text`"),
        "{dropped:?}"
    );
    let filled = said("insert into notes (id, text) values (1, 'a');");
    assert!(filled.iter().any(|one| one.starts_with("GET /notes/{id}: ")), "{filled:?}");
    assert!(!filled.iter().any(|one| one.starts_with("GET /mail")), "{filled:?}");
    // The same statements in other files say nothing new.
    let [one, other] = ["db/migration/V1__a.sql", "db/migration/V2__b.sql"];
    let (table, column) =
        ("create table notes (id bigint primary key);\n", "alter table notes add column text varchar(40);\n");
    let base = [(one, table), (other, column)];
    let whole = format!("{table}{column}");
    assert_eq!(told_after(&base, &[(one, Some(&whole)), (other, None)]), Vec::<String>::new());
}

#[test]
fn what_only_writing_obeys_is_told_where_rows_are_written() {
    let column = |more: &str| NOTE.replace("String text;", &format!("@Column(name = \"text\"{more}) String text;"));
    let said = told_after(&[("Note.java", &column(""))], &[("Note.java", Some(&column(", length = 40")))]);
    assert!(said.iter().any(|one| one.starts_with("POST /notes: `@Column(")), "{said:?}");
    assert!(!said.iter().any(|one| one.starts_with("GET ")), "{said:?}");
    let renamed = NOTE.replace("String text;", "@Column(name = \"words\") String text;");
    let said = told_after(&[("Note.java", &column(""))], &[("Note.java", Some(&renamed))]);
    assert!(said.iter().any(|one| one.starts_with("GET /notes/{id}: ")), "{said:?}");
    // How tables come to be matters where a script fills them.
    let file = "./application.properties";
    let (create, none) = ("spring.jpa.hibernate.ddl-auto=create\n", "spring.jpa.hibernate.ddl-auto=none\n");
    assert_eq!(told_after(&[(file, create)], &[(file, Some(none))]), Vec::<String>::new());
    let rows = ("./data.sql", "insert into notes (id, text) values (1, 'a');\n");
    assert!(!told_after(&[(file, create), rows], &[(file, Some(none))]).is_empty());
}

#[test]
fn a_link_of_a_chain_that_comes_or_goes_is_told_as_such() {
    let chain = |link: &str| {
        format!(
            "package a; import org.springframework.context.annotation.*; import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
@Configuration public class Guards {{ @Bean SecurityFilterChain chain(HttpSecurity http) throws Exception {{
  http.csrf(csrf -> csrf.disable()).sessionManagement(org.vendor.Sessions.none()){link}.addFilterAfter(new org.vendor.Second(), org.vendor.Anchor.class)
    .httpBasic(org.vendor.Basic.plain());
  return http.build(); }} }}"
        )
    };
    let (with, without) = (chain(".addFilterBefore(new org.vendor.First(), org.vendor.Anchor.class)"), chain(""));
    let said = told_after(&[("Guards.java", &with)], &[("Guards.java", Some(&without))]);
    assert!(
        !said.is_empty()
            && said.iter().all(|one| one.contains("no longer calls `") && one.contains("addFilterBefore(")),
        "{said:?}"
    );
    let said = told_after(&[("Guards.java", &without)], &[("Guards.java", Some(&with))]);
    assert!(
        !said.is_empty() && said.iter().all(|one| one.contains("addFilterBefore(") && one.contains("which it did not")),
        "{said:?}"
    );
}
