//! Liquibase: the rows that a service has after its changelog, and the operations that a changed changelog affects.

use mastor::frameworks::persistence::liquibase::scripts;
use mastor::frameworks::{Build, Properties, Resources};
use mastor::types::Method;
use serde_json::json;

use crate::loaded::Service;
use crate::stores::{Told, answers};

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
    <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-data-jpa</artifactId></dependency>\
    <dependency><groupId>org.liquibase</groupId><artifactId>liquibase-core</artifactId></dependency>\
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId></dependency></dependencies></project>";

const NOTE: &str = "package a; import jakarta.persistence.*;
@Entity @Table(name = \"notes\") public class Note {
  @Id private Long id; @Column(name = \"note_title\") private String title; private boolean done; private Integer rank;
  public Long getId() { return id; } public String getTitle() { return title; } public boolean isDone() { return done; } public Integer getRank() { return rank; }
}";

const NOTES: &str =
    "package a; public interface Notes extends org.springframework.data.jpa.repository.JpaRepository<Note, Long> { }";

const CONTROLLER: &str =
    "package a; import org.springframework.web.bind.annotation.*; import org.springframework.http.*;
@RestController @RequestMapping(\"/notes\") public class C {
  private final Notes notes;
  public C(Notes notes) { this.notes = notes; }
  @GetMapping(\"/{id}\") public ResponseEntity<Note> one(@PathVariable Long id) {
    return notes.findById(id).map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.notFound().build());
  }
}";

const MASTER: &str = "databaseChangeLog:
- property: {name: first, value: bread}
- include: {file: tables.xml, relativeToChangelogFile: true}
- changeSet:
    id: 2
    author: a
    changes:
    - insert:
        tableName: notes
        columns:
        - column: {name: id, valueNumeric: 1}
        - column: {name: note_title, value: \"${first} it's\"}
        - column: {name: done, valueBoolean: true}
    - loadData:
        tableName: notes
        file: rows.csv
        relativeToChangelogFile: true
        separator: ;
        columns:
        - column: {name: id, type: numeric}
        - column: {name: rank, type: numeric}
";

const TABLES: &str = "<databaseChangeLog xmlns=\"http://www.liquibase.org/xml/ns/dbchangelog\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"
  xsi:schemaLocation=\"http://www.liquibase.org/xml/ns/dbchangelog http://www.liquibase.org/xml/ns/dbchangelog/dbchangelog-latest.xsd\">
  <changeSet id=\"1\" author=\"a\">
    <preConditions onFail=\"MARK_RAN\"><not><tableExists tableName=\"notes\"/></not></preConditions>
    <createTable tableName=\"notes\">
      <column name=\"id\" type=\"bigint\"><constraints primaryKey=\"true\" nullable=\"false\"/></column>
      <column name=\"note_title\" type=\"varchar(40)\"><constraints nullable=\"false\"/></column>
      <column name=\"done\" type=\"boolean\" defaultValueBoolean=\"false\"/>
    </createTable>
    <addColumn tableName=\"notes\"><column name=\"rank\" type=\"int\" defaultValueNumeric=\"5\"/></addColumn>
  </changeSet>
</databaseChangeLog>";

const ROWS: &str = "id;note_title;rank\n# a remark\n2;milk;7\n3;\"red; wine\";NULL\n";

fn files(master: &str, tables: &str) -> Vec<(String, String)> {
    let dir = "src/main/resources/db/changelog";
    let of = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    vec![
        of("pom.xml", POM),
        of("src/main/java/a/Note.java", NOTE),
        of("src/main/java/a/Notes.java", NOTES),
        of("src/main/java/a/C.java", CONTROLLER),
        of(&format!("{dir}/db.changelog-master.yaml"), master),
        of(&format!("{dir}/tables.xml"), tables),
        of(&format!("{dir}/rows.csv"), ROWS),
    ]
}

fn told(master: &str, tables: &str) -> Vec<Told> {
    answers(&Service::of(files(master, tables)).derive(Method::Get, "/notes/{id}"))
}

#[test]
fn a_changelog_s_rows_are_there_when_the_service_has_started() {
    let told = told(MASTER, TABLES);
    let of = |id: &str| {
        let found = told.iter().find(|one| one.0 == id).unwrap_or_else(|| panic!("{id}: {told:?}"));
        let of = |name: &str| found.2.iter().find(|(path, _)| path == name).map(|(_, value)| value.clone());
        (found.1, of("title"), of("done"), of("rank"))
    };
    assert_eq!(of("1"), (200, Some(json!("bread it's")), Some(json!(true)), Some(json!(5))));
    assert_eq!(of("2"), (200, Some(json!("milk")), Some(json!(false)), Some(json!(7))));
    assert_eq!(of("3").1, Some(json!("red; wine")));
    assert_eq!(of("99999").0, 404);
}

#[test]
fn what_of_a_changelog_is_not_followed_leaves_its_table_or_all_of_them_open() {
    let none = |master: &str, tables: &str| told(master, tables).iter().all(|one| one.1 != 200 && one.1 != 404);
    let unknown = MASTER.replace("    - loadData:", "    - mergeColumns: {tableName: notes}\n    - loadData:");
    assert!(none(&unknown, TABLES));
    let elsewhere = MASTER.replace("    - loadData:", "    - mergeColumns: {tableName: others}\n    - loadData:");
    assert!(!none(&elsewhere, TABLES));
    assert!(none(&MASTER.replace("    - loadData:", "    - customChange: {class: a.Change}\n    - loadData:"), TABLES));
    let asked = TABLES
        .replace("<not><tableExists tableName=\"notes\"/></not>", "<sqlCheck expectedResult=\"0\">select 1</sqlCheck>");
    assert!(none(MASTER, &asked));
    assert!(!none(MASTER, &TABLES.replace("id=\"1\" author", "id=\"1\" dbms=\"h2,postgresql\" author")));
}

#[test]
fn a_changelog_is_an_input_by_table() {
    let all = files(MASTER, TABLES);
    let texts: Vec<(&str, &str)> = all.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let resources = Resources::from_texts(&texts);
    assert!(Build::load(&resources).uses("liquibase-core").is_some() && Properties::load(&resources).all.is_empty());
    let found: Vec<(String, String)> =
        scripts(&resources).map(|(path, text)| (path.to_owned(), text.into_owned())).collect();
    let [(master, rows), (tables, made)] = found.as_slice() else { panic!("{found:?}") };
    assert!(
        master.ends_with("master.yaml")
            && rows.contains("insert into notes (id, note_title, rank) values (2, 'milk', 7)")
    );
    assert!(
        tables.ends_with("tables.xml") && made.starts_with("create table notes (id bigint primary key not null"),
        "{made}"
    );
}
