//! MongoDB documents: by `MongoTemplate`, by repositories on the same collection, and by the driver's collections of POJOs.

use std::collections::BTreeMap;

use mastor::derive::Derived;
use mastor::types::Method;
use mastor::types::suite::assertion::{Check, FieldOp, StatusSet};
use serde_json::{Value, json};

use crate::loaded::Service;

const POM: &str = "<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>\
    <version>3.2.4</version></parent><artifactId>shop</artifactId><dependencies><dependency>\
    <groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency></dependencies></project>";

const TEA: &str = "package a; import java.util.*; import org.springframework.data.annotation.Id; import org.springframework.data.mongodb.core.mapping.Document;
@Document(\"teas\") public class Tea {
  @Id private String id; private String kind; private int grams; private List<String> tags = new ArrayList<>();
  public String getId() { return id; } public String getKind() { return kind; } public int getGrams() { return grams; }
  public List<String> getTags() { return tags; }
  public void setId(String id) { this.id = id; } public void setKind(String kind) { this.kind = kind; }
  public void setGrams(int grams) { this.grams = grams; } public void setTags(List<String> tags) { this.tags = tags; }
}";

const TEAS: &str = "package a; public interface Teas extends org.springframework.data.mongodb.repository.MongoRepository<Tea, String> { }";

const CONTROLLER: &str = "package a; import java.util.*; import org.springframework.web.bind.annotation.*; import org.springframework.http.*;
import org.springframework.data.mongodb.core.MongoTemplate; import org.springframework.data.mongodb.core.query.*;
@RestController @RequestMapping(\"/teas\") public class TeaController {
  private final MongoTemplate template; private final Teas teas;
  public TeaController(MongoTemplate template, Teas teas) { this.template = template; this.teas = teas; }
  @PostMapping public ResponseEntity<Tea> make(@RequestBody Tea tea) {
    tea.setId(null);
    template.save(tea);
    tea.setGrams(-1);
    return ResponseEntity.status(201).body(tea);
  }
  @GetMapping(\"/{id}\") public ResponseEntity<Tea> one(@PathVariable String id) {
    Tea tea = template.findById(id, Tea.class);
    return tea == null ? ResponseEntity.notFound().build() : ResponseEntity.ok(tea);
  }
  @GetMapping(\"/{id}/known\") public boolean known(@PathVariable String id) { return teas.existsById(id); }
  @GetMapping(\"/{id}/strong\") public ResponseEntity<String> strong(@PathVariable String id) {
    Query query = new Query(Criteria.where(\"id\").is(id).and(\"grams\").gte(5).lt(1000));
    return template.exists(query, Tea.class) ? ResponseEntity.ok(\"strong\") : ResponseEntity.status(404).body(\"weak\");
  }
  @GetMapping public List<Tea> all() { return template.findAll(Tea.class); }
  @GetMapping(\"/count\") public long count() { return template.count(new Query(), Tea.class); }
  @PutMapping(\"/{id}\") public long more(@PathVariable String id) {
    Update update = new Update().inc(\"grams\", 2).set(\"kind\", \"more\").push(\"tags\", \"new\");
    return template.updateFirst(Query.query(Criteria.where(\"_id\").is(id)), update, Tea.class).getModifiedCount();
  }
  @DeleteMapping(\"/{id}\") public long remove(@PathVariable String id) {
    return template.remove(Query.query(Criteria.where(\"id\").is(id)), Tea.class).getDeletedCount();
  }
  @DeleteMapping public void clear() { template.dropCollection(Tea.class); }
  MORE
}";

const PERSON: &str = "package a; import org.bson.types.ObjectId;
public class Person { private ObjectId id; private String name; private Home home; private String mood = \"calm\";
  public Person() { }
  public ObjectId getId() { return id; } public Person setId(ObjectId id) { this.id = id; return this; }
  public String getName() { return name; } public Person setName(String name) { this.name = name; return this; }
  public Home getAddress() { return home; } public Person setAddress(Home home) { this.home = home; return this; }
  public String getMood() { return mood; } public void setMood(String mood) { this.mood = mood; } }";

const HOME: &str = "package a; public class Home { private String city; public Home() { }
  public String getCity() { return city; } public void setCity(String city) { this.city = city; } }";

const PEOPLE: &str = "package a; import java.util.*; import com.mongodb.client.MongoClient; import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters; import com.mongodb.client.model.FindOneAndReplaceOptions; import com.mongodb.client.model.ReturnDocument;
import org.bson.types.ObjectId;
import jakarta.annotation.PostConstruct; import org.springframework.stereotype.Repository;
@Repository public class People {
  private final MongoClient client; private MongoCollection<Person> people;
  public People(MongoClient client) { this.client = client; }
  @PostConstruct void open() { people = client.getDatabase(\"test\").getCollection(\"people\", Person.class); }
  public Person save(Person person) { person.setId(new ObjectId()); people.insertOne(person); return person; }
  public Person one(String id) { return people.find(Filters.eq(\"_id\", new ObjectId(id))).first(); }
  public Person of(String id, String city) {
    return people.find(Filters.and(Filters.eq(new ObjectId(id)), Filters.eq(\"address.city\", city))).first();
  }
  public List<Person> all() { return people.find().into(new ArrayList<>()); }
  public Person put(Person person) {
    return people.findOneAndReplace(Filters.eq(\"_id\", person.getId()), person,
      new FindOneAndReplaceOptions().returnDocument(ReturnDocument.AFTER));
  }
  public long remove(String id) { return people.deleteOne(Filters.eq(\"_id\", new ObjectId(id))).getDeletedCount(); }
  public long clear() { return people.deleteMany(new org.bson.Document()).getDeletedCount(); }
}";

const CONFIG: &str = "package a; import com.mongodb.ConnectionString; import com.mongodb.MongoClientSettings; import com.mongodb.client.MongoClient; import com.mongodb.client.MongoClients; import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider; import org.springframework.context.annotation.*;
import static org.bson.codecs.configuration.CodecRegistries.fromProviders; import static org.bson.codecs.configuration.CodecRegistries.fromRegistries;
@Configuration public class Config {
  @Bean public MongoClient client() {
    CodecRegistry plain = fromProviders(PojoCodecProvider.builder().automatic(true).build());
    CodecRegistry all = fromRegistries(MongoClientSettings.getDefaultCodecRegistry(), plain);
    return MongoClients.create(MongoClientSettings.builder().applyConnectionString(new ConnectionString(\"mongodb://localhost\"))
      .codecRegistry(all).build());
  }
}";

const PERSONS: &str = "package a; import java.util.*; import org.springframework.web.bind.annotation.*; import org.springframework.http.*;
@RestController @RequestMapping(\"/people\") public class PersonController {
  private final People people; public PersonController(People people) { this.people = people; }
  public record Shown(String id, String name, String city, String mood) { }
  public record Given(String id, String name, String city) { }
  private static Shown shown(Person p) { return new Shown(p.getId().toHexString(), p.getName(), p.getAddress().getCity(), p.getMood()); }
  private static Person person(Given given) {
    Home home = new Home(); home.setCity(given.city()); Person person = new Person().setName(given.name()).setAddress(home);
    if (given.id() != null) { person.setId(new org.bson.types.ObjectId(given.id())); }
    person.setMood(null);
    return person;
  }
  @PostMapping @ResponseStatus(HttpStatus.CREATED) public Shown make(@RequestBody Given given) { return shown(people.save(person(given))); }
  @GetMapping(\"/{id}\") public ResponseEntity<Shown> one(@PathVariable String id) {
    Person person = people.one(id);
    return person == null ? ResponseEntity.notFound().build() : ResponseEntity.ok(shown(person));
  }
  @GetMapping(\"/{id}/here\") public boolean here(@PathVariable String id) { return people.of(id, \"Rome\") != null; }
  @GetMapping public List<Person> all() { return people.all(); }
  @PutMapping public ResponseEntity<Shown> put(@RequestBody Given given) {
    Person person = people.put(person(given));
    return person == null ? ResponseEntity.notFound().build() : ResponseEntity.ok(shown(person));
  }
  @DeleteMapping(\"/{id}\") public long remove(@PathVariable String id) { return people.remove(id); }
  @DeleteMapping public long clear() { return people.clear(); }
}";

fn teas_of(more: &str, repository: &str) -> Service {
    teas(more, &[("src/main/java/a/Teas.java", repository)])
}

fn teas(more: &str, others: &[(&str, &str)]) -> Service {
    let controller = CONTROLLER.replace("MORE", more);
    let mut files = vec![
        ("pom.xml", POM.to_owned()),
        ("src/main/java/a/Tea.java", TEA.to_owned()),
        ("src/main/java/a/TeaController.java", controller),
    ];
    if !others.iter().any(|(path, _)| path.ends_with("Teas.java")) {
        files.push(("src/main/java/a/Teas.java", TEAS.to_owned()));
    }
    files.extend(others.iter().map(|(path, text)| (*path, (*text).to_owned())));
    Service::of(files)
}

fn people() -> Service {
    Service::of([
        ("pom.xml", POM),
        ("src/main/java/a/Person.java", PERSON),
        ("src/main/java/a/Home.java", HOME),
        ("src/main/java/a/People.java", PEOPLE),
        ("src/main/java/a/Config.java", CONFIG),
        ("src/main/java/a/PersonController.java", PERSONS),
    ])
}

/// A sequence's step: operation, status, and exact values of its answer.
type Step = (String, u16, BTreeMap<String, Value>);

/// The steps of the derived sequences.
fn sequences(derived: &Derived) -> Vec<Vec<Step>> {
    let all = derived.sequences.iter().map(|made| &made.0);
    all.map(|sequence| {
        let steps = sequence.steps.iter().map(|step| {
            let mut status = 0;
            let mut fields = BTreeMap::new();
            for assertion in &step.assertions {
                match &assertion.check {
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
    })
    .collect()
}

fn statuses(steps: &[Step]) -> Vec<(&str, u16)> {
    steps.iter().map(|(op_id, status, _)| (op_id.as_str(), *status)).collect()
}

#[test]
fn a_template_keeps_what_was_given_when_it_was_given() {
    let derived = teas("", &[]).derive(Method::Post, "/teas");
    let all = sequences(&derived);
    let life = all.iter().find(|steps| steps.len() == 6).unwrap_or_else(|| panic!("{all:?}"));
    let expected = [
        ("POST /teas", 201),
        ("GET /teas/{id}", 200),
        ("PUT /teas/{id}", 200),
        ("GET /teas/{id}", 200),
        ("DELETE /teas/{id}", 200),
        ("GET /teas/{id}", 404),
    ];
    assert_eq!(statuses(life), expected, "{all:?}");
    // A change of the object after it was saved is not stored.
    let grams = life[1].2["grams"].as_i64().unwrap();
    assert_eq!((&life[0].2["grams"], grams >= 0), (&json!(-1), true));
    assert_eq!(life[3].2["grams"], json!(grams + 2));
    assert_eq!(life[3].2["kind"], json!("more"));
    assert_eq!((&life[2].2[""], &life[4].2[""]), (&json!(1), &json!(1)));
    // The repository finds the document that the template saved.
    let known = all.iter().find(|steps| steps.last().is_some_and(|step| step.0 == "GET /teas/{id}/known"));
    assert_eq!(known.unwrap().last().unwrap().2[""], json!(true));
}

#[test]
fn once_all_documents_are_removed_all_are_known() {
    let derived = teas("", &[]).derive(Method::Delete, "/teas");
    let all = sequences(&derived);
    let last = |op_id: &str| {
        let mut ends = all.iter().filter_map(|steps| steps.last()).filter(|step| step.0 == op_id);
        ends.next().map(|step| step.2.clone()).unwrap_or_default()
    };
    assert_eq!(last("GET /teas").get(""), Some(&json!([])), "{all:?}");
}

#[test]
fn what_is_not_followed_leaves_all_documents_open() {
    let more = "@PatchMapping(\"/{id}\") public int odd(@PathVariable String id) {
      try { template.getCollection(\"teas\").drop(); } catch (RuntimeException e) { return 1; } return 2; }
      @PostMapping(\"/odd\") public ResponseEntity<Tea> odd(@RequestBody Tea tea) {
        tea.setId(null); template.save(tea);
        try { template.executeCommand(\"{}\"); } catch (RuntimeException e) { }
        return ResponseEntity.status(201).body(template.findById(tea.getId(), Tea.class)); }";
    let derived = teas(more, &[]).derive(Method::Post, "/teas/odd");
    let exact = derived
        .candidates
        .iter()
        .flat_map(|one| &one.oracle.assertions)
        .any(|one| matches!(&one.check, Check::Field { op: FieldOp::Equals, .. }));
    assert!(!exact && sequences(&derived).is_empty());
}

/// The expected whole body in the last step of the sequence that ends with this operation.
fn told_last(more: &str, repository: &str, first: &str, last: &str) -> Option<Value> {
    let teas = TEAS.replace("{ }", &format!("{{ {repository} }}"));
    let all = sequences(&teas_of(more, &teas).derive(Method::Delete, first));
    let mut ends = all.iter().filter_map(|steps| steps.last()).filter(|step| step.0 == last);
    ends.find_map(|step| step.2.get("").cloned())
}

#[test]
fn queries_by_names_are_those_of_documents() {
    let more = "@DeleteMapping(\"/strong\") public long strong() { teas.deleteAll(); return teas.countByGramsGreaterThan(10); }
      @DeleteMapping(\"/between\") public long between() { teas.deleteAll(); return teas.countByGramsBetween(1, 10); }";
    let repository =
        TEAS.replace("{ }", "{ long countByGramsGreaterThan(int grams); long countByGramsBetween(int a, int b); }");
    let told = |path: &str| -> Vec<Value> {
        let derived = teas_of(more, &repository).derive(Method::Delete, path);
        let all = derived.candidates.into_iter().flat_map(|one| one.oracle.assertions);
        let exact = all.filter_map(|one| match one.check {
            Check::Field { op: FieldOp::Equals, expected, .. } => expected,
            _ => None,
        });
        exact.collect()
    };
    assert_eq!(told("/teas/strong"), [json!(0)]);
    // Whether `Between` includes its bounds depends on the release.
    assert_eq!(told("/teas/between"), Vec::<Value>::new());
}

#[test]
fn a_method_that_finds_and_changes_is_no_read() {
    let more = "@DeleteMapping(\"/reset\") public void reset() { template.dropCollection(Tea.class); MORE }";
    let repository = "@Query(\"{}\") @Update(\"{}\") long findAndIncrementGrams(int by);";
    let with = |what: &str| told_last(&more.replace("MORE", what), repository, "/teas/reset", "GET /teas");
    assert_eq!(with(""), Some(json!([])));
    assert_eq!(with("try { teas.findAndIncrementGrams(1); } catch (RuntimeException e) { }"), None);
}

#[test]
fn conversions_of_the_project_leave_documents_open() {
    let config = "package a; import org.springframework.context.annotation.*; import org.springframework.data.mongodb.core.convert.*;
      @Configuration public class Config { @Bean public MongoCustomConversions conversions() { return new MongoCustomConversions(java.util.List.of()); } }";
    let derived = teas("", &[("src/main/java/a/Config.java", config)]).derive(Method::Post, "/teas");
    assert!(sequences(&derived).is_empty());
}

#[test]
fn a_collection_of_the_driver_keeps_objects_by_their_accessors() {
    let derived = people().derive(Method::Post, "/people");
    let all = sequences(&derived);
    let life = all.iter().find(|steps| steps.len() == 6).unwrap_or_else(|| panic!("{all:?}"));
    let expected = [
        ("POST /people", 201),
        ("GET /people/{id}", 200),
        ("PUT /people", 200),
        ("GET /people/{id}", 200),
        ("DELETE /people/{id}", 200),
        ("GET /people/{id}", 404),
    ];
    assert_eq!(statuses(life), expected, "{all:?}");
    assert_eq!(life[1].2["name"], life[0].2["name"]);
    // The driver stores no nulls, so a read object has the constructor's default.
    assert_eq!((life[0].2.get("mood"), &life[1].2["mood"]), (None, &json!("calm")));
}

#[test]
fn an_identifier_of_the_driver_is_24_digits_or_refused() {
    let derived = people().derive(Method::Get, "/people/{id}");
    let told: Vec<(String, u16)> =
        derived.candidates.iter().map(|one| (one.oracle.input.path["id"].clone(), one.oracle.statuses()[0])).collect();
    assert!(told.iter().any(|(id, status)| id.len() != 24 && *status == 500), "{told:?}");
    assert!(!told.iter().any(|(id, _)| id.len() == 24), "{told:?}");
}
