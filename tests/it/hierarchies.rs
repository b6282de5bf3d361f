//! Stores: entity inheritance in a single table, in joined tables, and in a table for each class.

use std::collections::BTreeMap;

use mastor::derive::Derived;
use mastor::types::Method;
use mastor::types::suite::assertion::{Check, FieldOp, StatusSet};
use serde_json::{Value, json};

use crate::loaded::Service;
use crate::stores::{Told, answers};

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
    <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-data-jpa</artifactId></dependency>\
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId></dependency></dependencies></project>";

const ANIMAL: &str = "package a; import jakarta.persistence.*; import com.fasterxml.jackson.annotation.JsonIgnore;
@Entity INHERITANCE public abstract class Animal {
  @Id @GeneratedValue(strategy = GenerationType.AUTO) protected Long id;
  protected String name;
  @JsonIgnore @ManyToOne protected Farm farm;
  public Long getId() { return id; } public String getName() { return name; } public void setName(String n) { name = n; }
  public void setFarm(Farm f) { farm = f; } public Farm getFarm() { return farm; }
  public abstract String getSound();
}";

const COW: &str = "package a; import jakarta.persistence.*;
@Entity public class Cow extends Animal { private Integer litres;
  public String getSound() { return \"moo\"; }
  public Integer getLitres() { return litres; } public void setLitres(Integer l) { litres = l; } }";

const DOG: &str = "package a; import jakarta.persistence.*;
@Entity @DiscriminatorValue(\"HUND\") public class Dog extends Animal { @Column(nullable = false) private String trick;
  public String getSound() { return \"wuff\"; }
  public String getTrick() { return trick; } public void setTrick(String t) { trick = t; } }";

const FARM: &str = "package a; import jakarta.persistence.*; import java.util.*;
@Entity public class Farm { @Id @GeneratedValue(strategy = GenerationType.IDENTITY) private Integer id; private String name;
  @OneToMany(mappedBy = \"farm\", cascade = CascadeType.ALL, orphanRemoval = true) @OrderBy(\"name\") private List<Animal> animals = new ArrayList<>();
  public Integer getId() { return id; } public void setId(Integer i) { id = i; } public String getName() { return name; } public void setName(String n) { name = n; }
  public List<Animal> getAnimals() { return animals; } }";

const CONTROLLER: &str = "package a; import java.util.*; import org.springframework.web.bind.annotation.*; import org.springframework.http.*;
@RestController public class Animals {
  private final AnimalRows animals; private final CowRows cows; private final FarmRows farms;
  public Animals(AnimalRows animals, CowRows cows, FarmRows farms) { this.animals = animals; this.cows = cows; this.farms = farms; }
  @GetMapping(\"/animals/{id}\") public ResponseEntity<Animal> one(@PathVariable Long id) {
    return animals.findById(id).map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.notFound().build());
  }
  @GetMapping(\"/cows/{id}\") public ResponseEntity<Cow> cow(@PathVariable Long id) {
    return cows.findById(id).map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.notFound().build());
  }
  @GetMapping(\"/counts\") public List<Long> counts() { return List.of(animals.count(), cows.count()); }
  @GetMapping(\"/farms/{id}\") public ResponseEntity<Farm> farm(@PathVariable Integer id) {
    return farms.findById(id).map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.notFound().build());
  }
  @PostMapping(\"/cows\") public ResponseEntity<Cow> keep(@RequestParam String name, @RequestParam int litres) {
    Cow cow = new Cow(); cow.setName(name); cow.setLitres(litres);
    return ResponseEntity.status(201).body(animals.save(cow));
  }
  @PostMapping(\"/dogs\") public ResponseEntity<Dog> train(@RequestParam String name, @RequestParam boolean trained) {
    Dog dog = new Dog(); dog.setName(name); if (trained) { dog.setTrick(\"sit\"); }
    return ResponseEntity.status(201).body(animals.save(dog));
  }
  @PostMapping(\"/farms\") public ResponseEntity<Farm> found(@RequestParam String cow, @RequestParam String dog) {
    Farm farm = new Farm(); farm.setName(\"north\");
    Cow one = new Cow(); one.setName(cow); one.setFarm(farm); farm.getAnimals().add(one);
    Dog other = new Dog(); other.setName(dog); other.setTrick(\"roll\"); other.setFarm(farm); farm.getAnimals().add(other);
    return ResponseEntity.status(201).body(farms.save(farm));
  }
  @DeleteMapping(\"/animals/{id}\") public ResponseEntity<Void> remove(@PathVariable Long id) {
    animals.deleteById(id);
    return ResponseEntity.noContent().build();
  }
  @DeleteMapping(\"/farms/{id}\") public ResponseEntity<Long> close(@PathVariable Integer id) {
    if (!farms.existsById(id)) { return ResponseEntity.notFound().build(); }
    farms.deleteById(id);
    return ResponseEntity.ok(animals.count());
  }
}";

const SEEDS: &str = "insert into farm (id, name) values (1, 'south');
insert into animal (id, dtype, name, litres, trick, farm_id) values (101, 'Cow', 'Berta', 20, null, 1), (102, 'HUND', 'Rex', null, 'sit', 1),
  (103, 'Cow', 'Alma', 12, null, null);";

fn service(inheritance: &str, others: &[(&str, &str)]) -> Service {
    let animal = ANIMAL.replace("INHERITANCE", inheritance);
    let rows = |name: &str, of: &str| {
        format!(
            "package a; import org.springframework.data.jpa.repository.*; public interface {name} extends JpaRepository<{of}> {{ }}"
        )
    };
    let mut files = vec![
        ("pom.xml", POM.to_owned()),
        ("src/main/java/a/Animal.java", animal),
        ("src/main/java/a/Cow.java", COW.to_owned()),
        ("src/main/java/a/Dog.java", DOG.to_owned()),
        ("src/main/java/a/Farm.java", FARM.to_owned()),
        ("src/main/java/a/AnimalRows.java", rows("AnimalRows", "Animal, Long")),
        ("src/main/java/a/CowRows.java", rows("CowRows", "Cow, Long")),
        ("src/main/java/a/FarmRows.java", rows("FarmRows", "Farm, Integer")),
        ("src/main/java/a/Animals.java", CONTROLLER.to_owned()),
    ];
    files.extend(others.iter().map(|(path, text)| (*path, (*text).to_owned())));
    Service::of(files)
}

const JOINED: &str = "@Inheritance(strategy = InheritanceType.JOINED)";
const EACH: &str = "@Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)";

/// A sequence's step: operation, status, and exact values of its answer.
type Step = (String, u16, BTreeMap<String, Value>);

fn sequences(derived: &Derived) -> Vec<Vec<Step>> {
    let all = derived.sequences.iter().map(|made| {
        let steps = made.0.steps.iter().map(|step| {
            let mut status = 0;
            let mut fields = BTreeMap::new();
            for one in &step.assertions {
                match &one.check {
                    Check::Status { expected: StatusSet::One(one) } => status = *one,
                    Check::Field { path, op: FieldOp::Equals, expected: Some(value) } => {
                        fields.insert(path.clone(), value.clone());
                    }
                    _ => {}
                }
            }
            (step.op_id.to_string(), status, fields)
        });
        steps.collect()
    });
    all.collect()
}

#[test]
fn rows_of_one_table_are_of_the_class_that_their_column_says() {
    let service = service("", &[("src/main/resources/data.sql", SEEDS)]);
    let one = answers(&service.derive(Method::Get, "/animals/{id}"));
    let of = |found: &[Told], path: &str| {
        let one = found.iter().find(|(own, ..)| own == path).unwrap_or_else(|| panic!("{path}: {found:#?}"));
        (one.1, one.2.iter().cloned().collect::<BTreeMap<_, _>>())
    };
    let (status, rex) = of(&one, "102");
    assert_eq!((status, &rex["sound"], &rex["trick"]), (200, &json!("wuff"), &json!("sit")));
    assert_eq!(of(&one, "101").1["litres"], json!(20));
    let cows = answers(&service.derive(Method::Get, "/cows/{id}"));
    assert_eq!(of(&cows, "101").0, 200);
    // Row 102 is a dog, so it is not found as a cow.
    assert!(cows.iter().all(|(path, status, _)| path != "102" || *status == 404), "{cows:#?}");
    let counts = answers(&service.derive(Method::Get, "/counts"));
    assert_eq!(counts[0].2, [(String::new(), json!([3, 2]))]);
    let (_, farm) = of(&answers(&service.derive(Method::Get, "/farms/{id}")), "1");
    let sounds: Vec<&Value> = farm["animals"].as_array().into_iter().flatten().map(|one| &one["sound"]).collect();
    assert_eq!(sounds, [&json!("moo"), &json!("wuff")], "{farm:#?}");
}

#[test]
fn rows_of_several_tables_are_put_together() {
    let farm = "insert into farm (id, name) values (1, 'south');";
    let joined = "insert into animal (id, name, farm_id) values (101, 'Berta', 1), (102, 'Rex', 1);
        insert into cow (id, litres) values (101, 20); insert into dog (id, trick) values (102, 'sit');";
    let each = "insert into dog (id, name, farm_id, trick) values (102, 'Rex', 1, 'sit');
        insert into cow (id, name, farm_id, litres) values (101, 'Berta', 1, 20);";
    for (inheritance, rows) in [(JOINED, joined), (EACH, each)] {
        let data = format!("{farm}{rows}");
        let service = service(inheritance, &[("src/main/resources/data.sql", &data)]);
        let counts = answers(&service.derive(Method::Get, "/counts"));
        assert_eq!(counts[0].2, [(String::new(), json!([2, 1]))], "{inheritance}");
        let farms = answers(&service.derive(Method::Get, "/farms/{id}"));
        let (_, _, fields) = farms.iter().find(|(path, ..)| path == "1").unwrap_or_else(|| panic!("{farms:#?}"));
        let animals = fields.iter().find(|(path, _)| path == "animals").unwrap();
        assert_eq!(
            animals.1,
            json!([{"id": 101, "name": "Berta", "litres": 20, "sound": "moo"}, {"id": 102, "name": "Rex", "trick": "sit", "sound": "wuff"}])
        );
    }
}

#[test]
fn what_is_made_is_read_again_as_what_it_is() {
    for inheritance in ["", JOINED, EACH] {
        let derived = service(inheritance, &[]).derive(Method::Post, "/cows");
        let all = sequences(&derived);
        let life = all.iter().find(|steps| {
            let told: Vec<(&str, u16)> = steps.iter().map(|step| (step.0.as_str(), step.1)).collect();
            told.ends_with(&[("DELETE /animals/{id}", 204), ("GET /animals/{id}", 404)])
        });
        let life = life.unwrap_or_else(|| panic!("{inheritance}: {all:#?}"));
        let read = life.iter().find(|step| step.0.starts_with("GET") && step.1 == 200).unwrap();
        assert_eq!((&read.2["sound"], &read.2["litres"]), (&json!("moo"), &life[0].2["litres"]));
    }
}

#[test]
fn what_belongs_to_a_row_is_kept_and_removed_with_it() {
    let service = service(EACH, &[]);
    let made = answers(&service.derive(Method::Post, "/farms"));
    assert!(made.iter().any(|(_, status, _)| *status == 201), "{made:#?}");
    let gone = service.derive(Method::Post, "/farms");
    let all = sequences(&gone);
    let closed = all.iter().flatten().find(|step| step.0 == "DELETE /farms/{id}" && step.1 == 200);
    assert_eq!(closed.unwrap_or_else(|| panic!("{all:#?}")).2[""], json!(0));
}

#[test]
fn null_in_a_column_of_one_table_that_another_class_does_not_have_is_open() {
    let refused = |inheritance: &str| {
        let found = answers(&service(inheritance, &[]).derive(Method::Post, "/dogs"));
        (found.iter().any(|(_, status, _)| *status == 201), found.iter().any(|(_, status, _)| *status == 500))
    };
    assert_eq!(refused(""), (true, false));
    assert_eq!(refused(JOINED), (true, true));
}

#[test]
fn what_is_not_followed_leaves_the_whole_hierarchy_open() {
    let unknown = [("src/main/resources/data.sql", "insert into animal (id, dtype, name) values (1, 'Cat', 'a');")];
    assert!(answers(&service("", &unknown).derive(Method::Get, "/counts")).is_empty());
    let numbered = "@DiscriminatorColumn(discriminatorType = DiscriminatorType.INTEGER)";
    assert!(
        answers(&service(numbered, &[("src/main/resources/data.sql", SEEDS)]).derive(Method::Get, "/counts"))
            .is_empty()
    );
}
