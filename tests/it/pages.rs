//! Pagination, and objects that the framework binds from parameters.

use mastor::derive::Derived;
use mastor::types::Method;
use mastor::types::suite::assertion::{Assertion, Check};
use mastor::types::suite::oracle::Candidate;
use serde_json::{Value, json};

use crate::loaded::Service;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>
    <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>VERSION</version></parent>\
    <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency>\
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-validation</artifactId></dependency>\
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-data-jpa</artifactId></dependency>\
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId></dependency></dependencies></project>";

const NOTE: &str = "package a; import jakarta.persistence.*;
@Entity public class Note { @Id @GeneratedValue(strategy = GenerationType.IDENTITY) private Long id; private String title; private boolean done;
  public Long getId() { return id; } public String getTitle() { return title; } public boolean isDone() { return done; } }";

const NOTES: &str =
    "package a; import org.springframework.data.domain.*; import org.springframework.data.jpa.repository.*;
public interface Notes extends JpaRepository<Note, Long> {
  Page<Note> findByDone(boolean done, Pageable pageable);
  Slice<Note> findByTitleContaining(String part, Pageable pageable);
  @Query(\"select n from Note n where n.done = :done\") Page<Note> of(boolean done, Pageable pageable);
}";

const CONTROLLER: &str = "package a; import java.util.*; import jakarta.validation.Valid; import org.springframework.web.bind.annotation.*;
import org.springframework.http.*; import org.springframework.data.domain.*; import org.springframework.data.web.PageableDefault;
@RestController public class NoteController {
  private final Notes notes;
  public NoteController(Notes notes) { this.notes = notes; }
  @GetMapping(\"/notes\") public Page<Note> all(@PageableDefault(size = 2, sort = \"title\") Pageable pageable) { return notes.findAll(pageable); }
  @GetMapping(\"/done\") public ResponseEntity<List<String>> done(Pageable pageable) {
    Page<Note> page = notes.findByDone(true, PageRequest.of(pageable.getPageNumber(), pageable.getPageSize(), Sort.by(\"title\")));
    return ResponseEntity.ok().header(\"X-Total-Count\", String.valueOf(page.getTotalElements())).body(page.map(Note::getTitle).getContent());
  }
  @GetMapping(\"/first\") public Slice<Note> first() { return notes.findByTitleContaining(\"i\", PageRequest.of(0, 1, Sort.by(\"title\").descending())); }
  @GetMapping(\"/any\") public Page<Note> any() { return notes.findAll(PageRequest.of(0, 2)); }
  @GetMapping(\"/open\") public Page<Note> open() { return notes.of(false, PageRequest.of(1, 1, Sort.by(\"id\"))); }
  @GetMapping(\"/wrong\") public Page<Note> wrong(@RequestParam int size) { return notes.findAll(PageRequest.of(0, size)); }
  @GetMapping(\"/search\") public List<String> search(@Valid Filter filter) {
    if (filter.getText() == null) { return List.of(\"none\"); }
    return filter.getMost() > 5 ? List.of(filter.getText(), \"many\") : List.of(filter.getText(), \"few\");
  }
}";

const FILTER: &str = "package a; import jakarta.validation.constraints.*;
public class Filter { @Size(max = 4) private String text; private int most = 3; private Kind kind;
  public String getText() { return text; } public void setText(String text) { this.text = text; }
  public int getMost() { return most; } public void setMost(int most) { this.most = most; }
  public Kind getKind() { return kind; } public void setKind(Kind kind) { this.kind = kind; }
  public enum Kind { LONG, SHORT } }";

const DATA: &str = "insert into note (id, title, done) values (1, 'milk', false), (2, 'bread', true), (3, 'figs', false), (4, 'tea', true), (5, 'rice', true);";

fn service(version: &str, more: &[(&str, &str)]) -> Service {
    let dir = "src/main/java/a";
    let mut files = vec![
        ("pom.xml".to_owned(), POM.replace("VERSION", version)),
        (format!("{dir}/Note.java"), NOTE.to_owned()),
        (format!("{dir}/Notes.java"), NOTES.to_owned()),
        (format!("{dir}/NoteController.java"), CONTROLLER.to_owned()),
        (format!("{dir}/Filter.java"), FILTER.to_owned()),
        ("src/main/resources/data.sql".to_owned(), DATA.to_owned()),
    ];
    files.extend(more.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    Service::of(files)
}

/// The exact value of a field in the answer to the request with this query.
fn field(derived: &Derived, query: &str, wanted: &str) -> Option<Value> {
    let asked = |candidate: &&Candidate| {
        let pairs = candidate.oracle.input.query.iter().map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<String>>().join("&") == query
    };
    let found = derived.candidates.iter().find(asked)?;
    let exact = |assertion: &Assertion| match &assertion.check {
        Check::Field { path, expected: Some(value), op } if path == wanted && format!("{op:?}") == "Equals" => {
            Some(value.clone())
        }
        _ => None,
    };
    found.oracle.assertions.iter().find_map(exact)
}

/// The query and the expected status of each candidate.
fn statuses(derived: &Derived) -> Vec<(String, u16)> {
    let one = |candidate: &Candidate| {
        let pairs = candidate.oracle.input.query.iter().map(|(name, value)| format!("{name}={value}"));
        (pairs.collect::<Vec<String>>().join("&"), candidate.oracle.statuses()[0])
    };
    derived.candidates.iter().map(one).collect()
}

#[test]
fn a_page_that_a_request_asks_for_is_known_with_its_numbers() {
    let derived = service("3.2.0", &[]).derive(Method::Get, "/notes");
    let plain = |name: &str| field(&derived, "", name);
    let titles = json!([{"id": 2, "title": "bread", "done": true}, {"id": 3, "title": "figs", "done": false}]);
    assert_eq!(plain("content"), Some(titles), "{:#?}", statuses(&derived));
    assert_eq!((plain("totalElements"), plain("totalPages")), (Some(json!(5)), Some(json!(3))));
    assert_eq!((plain("size"), plain("first"), plain("last")), (Some(json!(2)), Some(json!(true)), Some(json!(false))));
    assert_eq!(field(&derived, "page=1", "number"), Some(json!(1)), "{:#?}", statuses(&derived));
    assert_eq!(field(&derived, "size=1", "totalPages"), Some(json!(5)), "{:#?}", statuses(&derived));
    let turned = field(&derived, "sort=title,desc", "content");
    assert_eq!(turned.map(|rows| rows[0]["title"].clone()), Some(json!("tea")));
    assert!(statuses(&derived).iter().all(|(_, status)| *status == 200), "{:#?}", statuses(&derived));
}

#[test]
fn pages_that_code_asks_for_are_known_where_their_order_is() {
    let service = service("3.2.0", &[]);
    let done = service.derive(Method::Get, "/done");
    assert_eq!(field(&done, "", ""), Some(json!(["bread", "rice", "tea"])), "{:#?}", done.notes);
    assert_eq!(field(&done, "size=1", ""), Some(json!(["bread"])), "{:#?}", statuses(&done));
    let first = service.derive(Method::Get, "/first");
    assert_eq!(
        field(&first, "", "content"),
        Some(json!([{"id": 5, "title": "rice", "done": true}])),
        "{:#?}",
        first.notes
    );
    assert_eq!(field(&first, "", "last"), Some(json!(false)));
    assert_eq!(field(&first, "", "totalElements"), None);
    let open = service.derive(Method::Get, "/open");
    assert_eq!(
        field(&open, "", "content"),
        Some(json!([{"id": 3, "title": "figs", "done": false}])),
        "{:#?}",
        open.notes
    );
    // Without an order, the database decides which rows come first.
    let any = service.derive(Method::Get, "/any");
    assert_eq!((field(&any, "", "content"), field(&any, "", "totalPages")), (None, Some(json!(3))));
    let wrong = service.derive(Method::Get, "/wrong");
    let refused = statuses(&wrong).into_iter().find(|(query, _)| query == "size=0");
    assert_eq!(refused.map(|(_, status)| status), Some(500), "{:#?}", statuses(&wrong));
}

#[test]
fn what_configures_pages_leaves_their_form_open() {
    let config = "package a; import org.springframework.context.annotation.Configuration;
        import org.springframework.data.web.config.EnableSpringDataWebSupport;
        @Configuration @EnableSpringDataWebSupport(pageSerializationMode = EnableSpringDataWebSupport.PageSerializationMode.VIA_DTO) public class Pages { }";
    let derived = service("3.3.0", &[("src/main/java/a/Pages.java", config)]).derive(Method::Get, "/notes");
    assert_eq!(field(&derived, "", "totalElements"), None);
    let settings = (
        "src/main/resources/application.properties",
        "spring.data.web.pageable.size-parameter=most\nspring.data.web.pageable.default-page-size=1",
    );
    let derived = service("3.2.0", &[settings]).derive(Method::Get, "/done");
    assert_eq!(field(&derived, "", ""), Some(json!(["bread"])), "{:#?}", statuses(&derived));
    assert_eq!(field(&derived, "page=1&most=1", ""), Some(json!(["rice"])), "{:#?}", statuses(&derived));
}

#[test]
fn objects_are_filled_from_parameters() {
    let derived = service("3.2.0", &[]).derive(Method::Get, "/search");
    let told = statuses(&derived);
    let status = |part: &str| told.iter().find(|(query, _)| query.contains(part)).map(|(_, status)| *status);
    assert_eq!(field(&derived, "", ""), Some(json!(["none"])), "{told:#?}");
    let ways: Vec<Value> = told.iter().filter_map(|(query, _)| field(&derived, query, "")).collect();
    assert!(ways.iter().any(|way| way[1] == "many") && ways.iter().any(|way| way[1] == "few"), "{told:#?} {ways:#?}");
    assert_eq!((status("most=abc"), status("kind=abc")), (Some(400), Some(400)), "{told:#?}");
    assert!(told.iter().any(|(query, status)| query.contains("text=") && *status == 400), "{told:#?}");
    let named: Vec<&str> = derived.context.request_params.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(named, ["text", "most", "kind"]);
}

#[test]
fn errors_of_objects_are_another_exception_before_spring_6() {
    let advice = "package a; import org.springframework.web.bind.annotation.*; import org.springframework.http.*;
        @RestControllerAdvice public class Advice {
          @ExceptionHandler(org.springframework.web.bind.MethodArgumentNotValidException.class) public ResponseEntity<Void> one() { return ResponseEntity.status(422).build(); }
        }";
    for (version, expected) in [("2.7.0", 400), ("3.2.0", 422)] {
        let javax = |text: &str| if version == "2.7.0" { text.replace("jakarta.", "javax.") } else { text.to_owned() };
        let dir = "src/main/java/a";
        let own = [("Note", NOTE), ("Filter", FILTER), ("NoteController", CONTROLLER)];
        let own: Vec<(String, String)> =
            own.iter().map(|(name, text)| (format!("{dir}/{name}.java"), javax(text))).collect();
        let path = format!("{dir}/Advice.java");
        let mut files: Vec<(&str, &str)> = own.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        files.push((&path, advice));
        let told = statuses(&service(version, &files).derive(Method::Get, "/search"));
        let status = told.iter().find(|(query, _)| query.contains("most=abc")).map(|(_, status)| *status);
        assert_eq!(status, Some(expected), "{told:#?}");
    }
}

#[test]
fn variables_of_the_path_fill_properties_too() {
    let controller = CONTROLLER.replace(
        "@GetMapping(\"/search\")",
        "@GetMapping(\"/texts/{text}\") public String text(Filter filter) { return filter.getText() + filter.getMost(); }
         @GetMapping(\"/search\")",
    );
    let service = service("3.2.0", &[("src/main/java/a/NoteController.java", &controller)]);
    let derived = service.derive(Method::Get, "/texts/{text}");
    let plain = derived.candidates.iter().find(|one| one.oracle.input.query.is_empty()).unwrap();
    let text = &plain.oracle.input.path["text"];
    let said = field(&derived, "", "").or_else(|| field(&derived, "", "/"));
    assert!(
        format!("{:?}", plain.oracle.assertions).contains(&format!("{text}3")),
        "{said:?} {:?}",
        plain.oracle.assertions
    );
}

#[test]
fn beans_of_jax_rs_are_injected_from_parameters() {
    let resource = "package a; import javax.ws.rs.*; import javax.ws.rs.core.*;
        @Path(\"found\") @Produces(\"application/json\") public class R {
          @GET public Response all(@BeanParam Query query) {
            if (query.key == null) { return Response.status(403).build(); }
            if (query.getText() == null) { return Response.status(422).build(); }
            return query.getMost() > 10 ? Response.status(400).build() : Response.ok().build(); } }";
    let query = "package a; import javax.ws.rs.*;
        public class Query { @QueryParam(\"text\") private String text; @QueryParam(\"most\") @DefaultValue(\"3\") private int most; @HeaderParam(\"X-Key\") String key;
          public String getText() { return text; } public int getMost() { return most; } }";
    let application = "package a; import org.glassfish.jersey.server.ResourceConfig; public class App extends ResourceConfig { public App() { register(R.class); } }";
    let service = Service::of([
        ("src/main/java/a/R.java", resource),
        ("src/main/java/a/Query.java", query),
        ("src/main/java/a/App.java", application),
    ]);
    let derived = service.derive(Method::Get, "/found");
    let mut found: Vec<u16> = derived.candidates.iter().map(|one| one.oracle.statuses()[0]).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, [200, 400, 403, 404, 422], "{:#?} {:#?}", statuses(&derived), derived.notes);
    let wrong = derived.candidates.iter().find(|one| one.oracle.statuses()[0] == 404).unwrap();
    assert_eq!(wrong.oracle.input.query, [("most".to_owned(), "abc".to_owned())]);
}

#[test]
fn of_pages_that_show_the_same_two_are_asked_for() {
    let controller = CONTROLLER.replace(
        "@GetMapping(\"/search\")",
        "@GetMapping(\"/mapped\") public List<String> mapped(@RequestParam(defaultValue = \"0\") int page, @RequestParam(defaultValue = \"2\") int size, @RequestParam(required = false) String part) {
           if (part != null) { return List.of(part); } if (size > 50) { throw new IllegalArgumentException(); }
           List<String> all = new ArrayList<>(); for (Note note : notes.findAll(PageRequest.of(page, size, Sort.by(\"title\")))) { all.add(note.getTitle()); } return all; }
         @GetMapping(\"/search\")",
    );
    let service = service("3.2.0", &[("src/main/java/a/NoteController.java", &controller)]);
    let derived = service.derive(Method::Get, "/mapped");
    let told = statuses(&derived);
    let empty = told.iter().filter(|(query, _)| field(&derived, query, "") == Some(json!([]))).count();
    assert!((1..=2).contains(&empty), "{told:#?}");
    assert!(told.iter().any(|(query, status)| query.contains("size=51") && *status == 500), "{told:#?}");
}
