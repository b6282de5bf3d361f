//! Stores: objects that are merged into rows, and the objects that they reference.

use mastor::types::Method;
use serde_json::{Value, json};

use crate::loaded::Service;
use crate::stores::answers;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
    <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-data-jpa</artifactId></dependency>\
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId></dependency></dependencies></project>";

const PERSON: &str = "package a; import jakarta.persistence.*;
@Entity public class Person {
  @Id @GeneratedValue(strategy = GenerationType.IDENTITY) private Long id; private String name;
  @ManyToOne private Person boss;
  @OneToOne(mappedBy = \"person\", cascade = CascadeType.ALL) private Badge badge;
  public Long getId() { return id; } public void setId(Long i) { id = i; } public String getName() { return name; } public void setName(String n) { name = n; }
  public Person getBoss() { return boss; } public void setBoss(Person b) { boss = b; }
  public Badge getBadge() { return badge; } public void setBadge(Badge b) { badge = b; }
}";

const BADGE: &str = "package a; import jakarta.persistence.*; import com.fasterxml.jackson.annotation.JsonIgnore;
@Entity public class Badge {
  @Id @GeneratedValue(strategy = GenerationType.IDENTITY) private Long id; private String text;
  @JsonIgnore @OneToOne private Person person;
  public Long getId() { return id; } public void setId(Long i) { id = i; } public String getText() { return text; } public void setText(String t) { text = t; }
  public Person getPerson() { return person; } public void setPerson(Person p) { person = p; }
}";

const ROWS: &str = "package a; public interface People extends org.springframework.data.jpa.repository.JpaRepository<Person, Long> { }";

const CONTROLLER: &str = "package a; import org.springframework.web.bind.annotation.*;
@RestController public class Persons {
  private final People people;
  public Persons(People people) { this.people = people; }
  private static Person of(long id, String name) { Person p = new Person(); p.setId(id); p.setName(name); return p; }
  @PutMapping(\"/below\") public Person below() { Person p = of(2, \"Bob\"); p.setBoss(of(1, \"given\")); return people.save(p); }
  @PutMapping(\"/self\") public Person self() { Person p = of(2, \"Bob\"); p.setBoss(of(2, \"given\")); return people.save(p); }
  @PutMapping(\"/people/{id}\") public Person badge(@PathVariable long id, @RequestParam String text) {
    if (id != 1) { throw new IllegalStateException(); }
    Person p = of(id, \"Ada\"); Badge b = new Badge(); b.setId(5L); b.setText(text); b.setPerson(p); p.setBadge(b); return people.save(p);
  }
  @GetMapping(\"/people/{id}\") public Person one(@PathVariable long id) { return people.findById(id).get(); }
}";

const DATA: &str = "insert into person (id, name, boss_id) values (1, 'Ada', null), (2, 'Bob', null); insert into badge (id, text, person_id) values (5, 'gold', 1);";

fn service(badge: &str) -> Service {
    service_with(badge, DATA)
}

fn service_with(badge: &str, data: &str) -> Service {
    let dir = "src/main/java/a";
    let files = [
        ("pom.xml".to_owned(), POM),
        (format!("{dir}/Person.java"), PERSON),
        (format!("{dir}/Badge.java"), badge),
        (format!("{dir}/People.java"), ROWS),
        (format!("{dir}/Persons.java"), CONTROLLER),
        ("src/main/resources/data.sql".to_owned(), data),
    ];
    Service::of(files.map(|(path, text)| (path, text.as_bytes().to_vec())))
}

fn field(service: &Service, path: &str, name: &str) -> Option<Value> {
    let told = answers(&service.derive(Method::Put, path));
    let well = told.iter().find(|(_, status, _)| *status == 200)?;
    well.2.iter().find(|(path, _)| path == name).map(|(_, value)| value.clone())
}

#[test]
fn what_a_merged_object_refers_to_is_the_row_of_its_key() {
    assert_eq!(field(&service(BADGE), "/below", "boss.name"), Some(json!("Ada")));
}

#[test]
fn a_row_that_refers_to_itself_cannot_be_written() {
    let told = answers(&service(BADGE).derive(Method::Put, "/self"));
    assert!(told.iter().all(|(_, status, _)| *status != 200), "{told:?}");
}

#[test]
fn merging_goes_on_where_the_field_cascades() {
    let service = service(BADGE);
    let derived = service.derive(Method::Put, "/people/{id}");
    let told = answers(&derived);
    let well = told.iter().find(|(_, status, _)| *status == 200).unwrap();
    let text = well.2.iter().find(|(path, _)| path == "badge.text").unwrap().1.clone();
    assert_ne!(text, json!("gold"));
    let later: Vec<String> = derived
        .sequences
        .iter()
        .flat_map(|(sequence, _)| &sequence.steps)
        .filter(|step| step.op_id.as_str() == "GET /people/{id}")
        .map(|step| format!("{:?}", step.assertions))
        .collect();
    assert!(!later.is_empty(), "{:?}", derived.sequences);
    assert!(later.iter().all(|one| !one.contains("gold") || !one.contains("badge")), "{later:?}");
}

#[test]
fn rows_of_one_key_refer_to_each_other() {
    let badge = BADGE
        .replace("@GeneratedValue(strategy = GenerationType.IDENTITY) private Long id;", "private Long id;")
        .replace(
            "@JsonIgnore @OneToOne private Person person;",
            "@JsonIgnore @OneToOne @PrimaryKeyJoinColumn private Person person;",
        );
    let service = service_with(
        &badge,
        &DATA.replace("(id, text, person_id) values (5, 'gold', 1)", "(id, text) values (1, 'gold')"),
    );
    let told = answers(&service.derive(Method::Get, "/people/{id}"));
    let (.., fields) = told.iter().find(|(path, status, _)| path == "1" && *status == 200).unwrap();
    assert!(fields.contains(&("badge.text".to_owned(), json!("gold"))), "{fields:?}");
}
