//! Rows and unreachable code: a found row has a key, equivalent existence queries are the same, a difference on an unreachable path is not reported, and
//! of classes with one name the handler's module decides.

use crate::opaque::MORE;
use crate::states::{between, report, states};
use crate::support::Repo;

const OWNER: &str = "package a; import jakarta.persistence.*;
@Entity public class Owner { @Id @GeneratedValue private Long id; private String name;
  public Long getId() { return id; } public String getName() { return name; } public void setName(String name) { this.name = name; } }";

const OWNERS: &str = "package a; import java.util.*;
public interface Owners extends org.springframework.data.jpa.repository.JpaRepository<Owner, Long> {
  boolean existsByName(String name); Optional<Owner> findByName(String name); }";

const HANDLERS: &str = "private final Owners owners; private final org.vendor.Client client; private final org.vendor.Texts texts;
  public C(Owners owners, org.vendor.Client client, org.vendor.Texts texts) { this.owners = owners; this.client = client; this.texts = texts; }
  @GetMapping(\"/owners/{id}\") public String byId(@PathVariable(\"id\") Long id) {
    if (!owners.existsById(id)) { throw new Missing(\"id\"); }
    return texts.of(owners.findById(id).get());
  }
  @GetMapping(\"/rows/{id}\") public String row(@PathVariable(\"id\") Long id) {
    if (!owners.existsById(id)) { throw new Missing(\"id\"); }
    return texts.of(owners.findById(id).orElseThrow(() -> new Missing(\"row\")));
  }
  @PostMapping(\"/owners/{name}\") public Object add(@PathVariable(\"name\") String name) {
    if (owners.existsByName(name)) { throw new Denied(); }
    Owner owner = owners.findByName(name).orElse(new Owner());
    owner.setName(name);
    return texts.of(owners.save(owner));
  }
  @GetMapping(\"/names/{name}\") public String byName(@PathVariable(\"name\") String name) {
    Owner owner = owners.findByName(name).orElseThrow(() -> new Missing(name));
    if (owner.getId() == null) { throw new IllegalArgumentException(); }
    return texts.of(owner);
  }
  @GetMapping(\"/letters\") public char letter() {
    int at = new java.util.Random().nextInt(3);
    if (at > 2) { throw new IllegalArgumentException(); }
    return \"abc\".charAt(at);
  }
  @GetMapping(\"/shown/{name}\") public String shown(@PathVariable(\"name\") String name) { return texts.of(called(name + \"!\")); }
  private String called(String name) { if (name == null) { return \"none\"; } return name; }
  @GetMapping(\"/maps/{name}\") public Map<String, Object> map(@PathVariable(\"name\") String name) {
    Map<String, Object> answer = new HashMap<>();
    answer.put(\"title\", texts.of(name));
    return answer;
  }
  @PostMapping(\"/clients\") public void client() {
    client.open(org.vendor.Settings.of(texts.readFrom(\"the first key of the settings that clients have who were opened by hand\", String.class),
      texts.readFrom(\"the other key of the settings that clients have who were opened by hand\", String.class)));
  }
  @PostMapping(\"/saved/{name}\") public String saved(@PathVariable(\"name\") String name) {
    client.save(name, 1);
    try { client.save(name, 2); } catch (RuntimeException e) { return texts.of(\"failed\"); }
    return texts.of(\"saved\");
  }
  @PostMapping(\"/providers\") public void provider() {
    org.vendor.Provider made = new org.vendor.Provider();
    made.setTexts(texts);
    client.register(made);
  }
  @GetMapping(\"/pages\") public Object pages(org.vendor.Range range) {
    return client.page(range).map((Owner owner) -> { Map<String, Object> one = new HashMap<>(); one.put(\"name\", owner.getName()); return one; });
  }";

/// The first reported change after `was` is replaced by `is` in the handlers, and the states of the operations.
fn told(was: &str, is: &str) -> (Option<String>, Vec<String>) {
    assert!(HANDLERS.contains(was), "{was}");
    let files: Vec<(&str, &str)> =
        MORE.iter().copied().chain([("Owner.java", OWNER), ("Owners.java", OWNERS)]).collect();
    let report = report(&between(HANDLERS, &HANDLERS.replacen(was, is, 1), &files));
    let first = report["changes"].as_array().unwrap().first().map(|one| one["what"].as_str().unwrap().to_owned());
    (first, states(&report).into_iter().map(|(_, state)| state).collect())
}

#[test]
fn whether_a_row_is_there_is_one_question_in_all_its_words() {
    let same = |was: &str, is: &str| assert_eq!(told(was, is), (None, vec!["same".to_owned()]), "{was}");
    same("!owners.existsById(id)", "owners.findById(id).isEmpty()");
    same("owners.existsByName(name)", "owners.findByName(name).isPresent()");
    // A negated query is a change.
    let (first, _) = told("!owners.existsById(id)", "owners.existsById(id)");
    assert!(first.is_some_and(|first| first.starts_with("answers 404 where it answered 200")));
    let (first, _) = told("owners.existsByName(name)", "!owners.existsByName(name)");
    let refused = "throws `Denied` where it gave `texts.of(owner)` (owners.findByName(name) finds no owner)";
    assert_eq!(first.as_deref(), Some(refused));
}

#[test]
fn what_no_way_leads_to_is_not_told() {
    let refuse = "throw new IllegalArgumentException();";
    let undecided = |was: &str, is: &str| assert_eq!(told(was, is), (None, vec!["undecided".to_owned()]), "{was}");
    // `existsById` was true, so the row cannot be missing.
    undecided("new Missing(\"row\")", "new Denied()");
    // A row that was found has a key.
    undecided(&format!("if (owner.getId() == null) {{ {refuse}"), "if (owner.getId() == null) { throw new Denied();");
    // `nextInt(3)` is below 3.
    undecided(&format!("if (at > 2) {{ {refuse}"), "if (at > 2) { throw new Denied();");
    // The changed branch of `called` is unreachable from its only caller.
    undecided("return \"none\"; }", "return \"nothing\"; }");
    // Another argument of the caller makes it reachable.
    assert!(told("called(name + \"!\")", "called(texts.some(name))").0.is_some());
}

#[test]
fn arguments_keys_and_functions_are_told_by_what_they_are() {
    let first = |was: &str, is: &str| told(was, is).0.unwrap_or_default();
    let keys = ["the first key of the settings", "the other key of the settings"];
    let swapped = |text: &str| text.replace(keys[0], "#").replace(keys[1], keys[0]).replace('#', keys[1]);
    let at = HANDLERS.find("org.vendor.Settings").unwrap();
    let open = &HANDLERS[at..at + HANDLERS[at..].find(';').unwrap()];
    assert_eq!(first(open, &swapped(open)), "calls `Settings.of` with its arguments swapped");
    assert_eq!(
        first("answer.put(\"title\", texts.of(name))", "answer.put(\"text\", texts.of(name))"),
        "no longer gives `title`, which was `texts.of(name)`"
    );
    assert!(
        first("one.put(\"name\", owner.getName())", "one.put(\"name\", owner.getId())")
            .contains(" a function that gives `owner.id` for `name` where it gave `owner.name`")
    );
    // Whether a call with another argument fails is unknown. Of two calls of one method, the one at the same position is compared.
    let other = first("client.save(name, 2)", "client.save(name, 3)");
    assert!(other.starts_with("calls `client.save(name, 3)` with `3` where it was `2`"), "{other}");
    // A removed call is reported, not the construction of its argument.
    let all =
        "org.vendor.Provider made = new org.vendor.Provider();\n    made.setTexts(texts);\n    client.register(made);";
    assert!(first(all, "").starts_with("no longer calls `client.register("), "{}", first(all, ""));
}

#[test]
fn of_classes_of_one_name_in_several_modules_the_handler_s_own_decides() {
    let module = |repo: Repo, name: &str, saves: &str| {
        let pom = format!(
            "<project><modelVersion>4.0.0</modelVersion><parent><groupId>a</groupId><artifactId>all</artifactId><version>1</version></parent><artifactId>{name}</artifactId></project>"
        );
        let dir = format!("{name}/src/main/java/a");
        let code = format!(
            "package a; import org.springframework.web.bind.annotation.*;
@RestController public class C {{ private final Cars cars; public C(Cars cars) {{ this.cars = cars; }}
  @PostMapping(\"/{name}/{{id}}\") public String take(@PathVariable(\"id\") Long id) {{
    Car car = cars.findById(id).orElseThrow();
    if (car.getState() != State.FREE) {{ throw new IllegalArgumentException(); }}
    {saves}
    return \"taken\"; }} }}"
        );
        repo.file(&format!("{name}/pom.xml"), &pom)
            .file(&format!("{dir}/App.java"), "package a; @org.springframework.boot.autoconfigure.SpringBootApplication public class App {
  public static void main(String[] args) { org.springframework.boot.SpringApplication.run(App.class, args); } }")
            .file(&format!("{dir}/State.java"), "package a; public enum State { FREE, TAKEN }")
            .file(&format!("{dir}/Car.java"), "package a; public class Car { private State state; public State getState() { return state; } public void setState(State state) { this.state = state; } }")
            .file(&format!("{dir}/Cars.java"), "package a; @org.vendor.Store public interface Cars { java.util.Optional<Car> findById(Long id); Car save(Car car); }")
            .file(&format!("{dir}/C.java"), &code)
    };
    let pom = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
<parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.2.0</version></parent>
<modules><module>first</module><module>other</module></modules>
<dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency></dependencies></project>";
    let before = "car.setState(State.TAKEN); cars.save(car);";
    let repo =
        ["first", "other"].iter().fold(Repo::new().file("pom.xml", pom), |repo, name| module(repo, name, before));
    let repo = module(repo.commit("Before").branch("feature"), "other", "car.setState(State.TAKEN);").commit("After");
    let report = report(&repo);
    let told: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert_eq!(
        told,
        ["no longer calls `cars.save(car)` (cars.findById(id) finds a car and car.state equals FREE)"],
        "{report:#}"
    );
}

#[test]
fn what_a_library_copies_into_an_object_is_not_what_it_was_made_with() {
    let handlers = "private final org.vendor.Mails mails; public C(org.vendor.Mails mails) { this.mails = mails; }
      @PostMapping(\"/mails\") public void sent(@RequestBody Mail mail) {
        Letter letter = new Letter(); org.vendor.Beans.copyProperties(mail, letter); mails.send(letter.getSubject()); }";
    let data = |name: &str| {
        let numbers = "private int pages; private int lines; public int getPages() { return pages; } public int getLines() { return lines; } \
            public void setPages(int pages) { this.pages = pages; } public void setLines(int lines) { this.lines = lines; }";
        let property = |name: &str| {
            let capital = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
            format!(
                "private String {name}; public String get{capital}() {{ return {name}; }} public void set{capital}(String {name}) {{ this.{name} = {name}; }}"
            )
        };
        format!("package a; public class {name} {{ {} {} {numbers} }}", property("subject"), property("text"))
    };
    let (mail, letter) = (data("Mail"), data("Letter"));
    let told = |was: &str, is: &str| {
        let [was, is] = [was, is].map(|getter| handlers.replace("getSubject", getter));
        let report = report(&between(&was, &is, &[("Mail.java", &mail), ("Letter.java", &letter)]));
        assert_eq!(states(&report), [("POST /mails".to_owned(), "changed".to_owned())]);
        report["changes"][0]["what"].as_str().unwrap().to_owned()
    };
    let text = told("getSubject", "getText");
    assert_eq!(text, "calls `mails.send(letter.text)` with `letter.text` where it was `letter.subject`");
    let number = told("getPages", "getLines");
    assert_eq!(number, "calls `mails.send(letter.lines)` with `letter.lines` where it was `letter.pages`");
}

#[test]
fn a_view_that_another_method_names_is_the_same() {
    let view = |body: &str| {
        format!(
            "package a; import org.springframework.stereotype.Controller; import org.springframework.web.bind.annotation.*;
@Controller public class V {{ private final org.vendor.Users users; private final org.vendor.Mails mails;
  public V(org.vendor.Users users, org.vendor.Mails mails) {{ this.users = users; this.mails = mails; }}
  @PostMapping(\"/resend\") public String resend() {{ {body} }}"
        )
    };
    // `Optional.of` throws on null, so the function of `orElseThrow` never runs.
    let code = "Object user = java.util.Optional.of(users.current()).orElseThrow(() -> new IllegalStateException(\"none\")); mails.send(user); return \"redirect:/sent\";";
    let (before, after) = (
        format!("{} }}", view(code)),
        format!("{} private String extracted() {{ {code} }} }}", view("return extracted();")),
    );
    let repo = between("", "", &[("V.java", &before)]).file("src/main/java/a/V.java", after).commit("Extracted");
    let report = report(&repo);
    assert_eq!(report["changes"], serde_json::json!([]));
}
