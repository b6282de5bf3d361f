//! Classes that a build generates: models and interfaces from an OpenAPI document, and MapStruct mappers.

use std::path::Path;

use mastor::types::Method;
use mastor::types::suite::assertion::{Assertion, Check, FieldOp};
use serde_json::{Value, json};

use crate::loaded::{Service, files};

/// The exact values asserted of an answer's fields, by path.
fn fields(assertions: &[Assertion]) -> Vec<(String, Value)> {
    let exact = assertions.iter().filter_map(|assertion| match &assertion.check {
        Check::Field { path, op: FieldOp::Equals, expected: Some(value) } => Some((path.clone(), value.clone())),
        Check::Field { path, op: FieldOp::IsNull, .. } => Some((path.clone(), Value::Null)),
        _ => None,
    });
    exact.collect()
}

fn books() -> Service {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/contract-mapped");
    Service::of(files(&dir))
}

#[test]
fn an_answer_follows_from_generated_models_and_mappers() {
    let service = books();
    assert!(service.left_out.is_empty(), "{:?}", service.left_out);
    let found = service.derive(Method::Get, "/books/{bookId}");
    let of = |id: &str| {
        let mut all = found.candidates.iter().map(|one| &one.oracle);
        let oracle = all.find(|oracle| oracle.input.path["bookId"] == *id);
        let oracle = oracle.unwrap_or_else(|| panic!("no request for {id}: {:?}", found.notes));
        (oracle.statuses()[0], fields(&oracle.assertions))
    };
    let (status, told) = of("1");
    let expected = [
        ("author.name", json!("Ada")),
        ("author_name", json!("Ada")),
        ("book_id", json!(1)),
        ("genre", json!("novel")),
        ("marks", json!([])),
        ("printed", json!("1843-07-10")),
        ("title", json!("Engines")),
    ];
    for (path, value) in &expected {
        assert!(told.contains(&((*path).to_owned(), value.clone())), "{path}: {told:?}");
    }
    assert_eq!(status, 200);
    let (_, told) = of("2");
    assert!(told.contains(&("author_name".to_owned(), json!("unknown"))), "{told:?}");
    assert!(told.contains(&("author".to_owned(), Value::Null)), "{told:?}");
    assert_eq!(of("0").0, 500, "a proxy refuses what the interface does not allow, and nothing handles that");
    // Citations name the document instead of generated models, and the mapper instead of its implementation.
    let cited: Vec<&str> =
        found.candidates.iter().flat_map(|one| &one.citations).map(|one| one.symbol.as_str()).collect();
    assert!(cited.contains(&"src/main/resources/openapi.yml#/components/schemas/Book"), "{cited:?}");
    assert!(cited.contains(&"com.acme.books.BookMapper#toDto(Book)"), "{cited:?}");
    assert!(!cited.iter().any(|symbol| symbol.contains("BookDto#") || symbol.contains("MapperImpl")), "{cited:?}");
}

#[test]
fn a_body_is_read_and_refused_by_its_schema() {
    let service = books();
    let found = service.derive(Method::Post, "/books");
    let of = |wanted: u16| {
        let all = found.candidates.iter().filter(move |one| one.oracle.statuses() == [wanted]);
        let bodies: Vec<String> = all.map(|one| serde_json::to_string(&one.oracle.input).unwrap()).collect();
        bodies
    };
    let refused = of(400);
    assert!(refused.iter().any(|body| body.contains("\"title\":\"a\"")), "{refused:?} {:?}", found.notes);
    let made = of(201);
    assert!(made.iter().any(|body| body.contains("\"genre\":\"novel\"")), "{made:?} {:?}", found.notes);
}

#[test]
fn what_nobody_implements_of_a_generated_interface_answers_501() {
    let without = |name: &str, switch: &str| {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/contract-mapped");
        let mut all = files(&dir);
        for (path, bytes) in &mut all {
            let text = String::from_utf8(bytes.clone()).unwrap();
            *bytes = match path.rsplit('/').next() {
                Some("BookController.java") => text.replace("> getBook(", name).into_bytes(),
                Some("pom.xml") => text.replace("<useTags>", &format!("{switch}<useTags>")).into_bytes(),
                _ => continue,
            };
        }
        Service::of(all)
    };
    let gone = without("> byNumber(", "");
    let found = gone.derive(Method::Get, "/books/{bookId}");
    let told: Vec<(String, u16)> = found
        .candidates
        .iter()
        .map(|one| (one.oracle.input.path["bookId"].clone(), one.oracle.statuses()[0]))
        .collect();
    assert!(told.contains(&("1".to_owned(), 501)), "{told:?} {:?}", found.notes);
    // The analysis cannot tell whether an overload implements the interface's method.
    let hidden =
        without("> byNumber(Long x) { return null; } public ResponseEntity<BookDto> getBook(String other, ", "");
    assert!(!hidden.endpoints.iter().any(|one| one.path == "/books/{bookId}" && one.entry.ty != one.receiver));
    let abstractly = without("> byNumber(", "<skipDefaultInterface>true</skipDefaultInterface>");
    assert!(!abstractly.endpoints.iter().any(|one| one.path == "/books/{bookId}"));
}

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
    <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency>\
    <dependency><groupId>org.mapstruct</groupId><artifactId>mapstruct</artifactId><version>1.5.5.Final</version></dependency></dependencies></project>";

const SOURCE: &str = "package a; import java.time.LocalDate; import java.util.*;
public class Source {
  private String name; private Inner inner; private int count; private String amount; private Kind kind; private LocalDate day;
  private List<Inner> inners; private List<String> words; private String note; private Map<String, Integer> sizes;
  public String getName() { return name; } public void setName(String v) { name = v; }
  public Inner getInner() { return inner; } public void setInner(Inner v) { inner = v; }
  public int getCount() { return count; } public void setCount(int v) { count = v; }
  public String getAmount() { return amount; } public void setAmount(String v) { amount = v; }
  public Kind getKind() { return kind; } public void setKind(Kind v) { kind = v; }
  public LocalDate getDay() { return day; } public void setDay(LocalDate v) { day = v; }
  public List<Inner> getInners() { return inners; } public void setInners(List<Inner> v) { inners = v; }
  public List<String> getWords() { return words; } public void setWords(List<String> v) { words = v; }
  public String getNote() { return note; } public void setNote(String v) { note = v; }
  public Map<String, Integer> getSizes() { return sizes; } public void setSizes(Map<String, Integer> v) { sizes = v; }
}";

const INNER: &str = "package a;
public class Inner {
  private String code;
  public Inner() { } public Inner(String code) { this.code = code; }
  public String getCode() { return code; } public void setCode(String v) { code = v; }
}";

const TARGET: &str = "package a; import java.util.*;
public class Target {
  private String title = \"none\"; private String code; private long count; private Integer amount; private String kind; private String day;
  private List<Made> inners; private List<String> words = new ArrayList<>(); private String note; private String fixed; private String joined;
  private String left; private Map<String, String> sizes;
  public String getTitle() { return title; } public void setTitle(String v) { title = v; }
  public String getCode() { return code; } public void setCode(String v) { code = v; }
  public long getCount() { return count; } public void setCount(long v) { count = v; }
  public Integer getAmount() { return amount; } public void setAmount(Integer v) { amount = v; }
  public String getKind() { return kind; } public void setKind(String v) { kind = v; }
  public String getDay() { return day; } public void setDay(String v) { day = v; }
  public List<Made> getInners() { return inners; } public void setInners(List<Made> v) { inners = v; }
  public List<String> getWords() { return words; } public void setWords(List<String> v) { words = v; }
  public String getNote() { return note; } public void setNote(String v) { note = v; }
  public String getFixed() { return fixed; } public void setFixed(String v) { fixed = v; }
  public String getJoined() { return joined; } public void setJoined(String v) { joined = v; }
  public String getLeft() { return left; } public void setLeft(String v) { left = v; }
  public Map<String, String> getSizes() { return sizes; } public void setSizes(Map<String, String> v) { sizes = v; }
}";

const MAPPER: &str = "package a; import java.util.*; import org.mapstruct.*;
@Mapper(componentModel = \"spring\") public interface TargetMapper {
  @Mapping(target = \"title\", source = \"name\")
  @Mapping(target = \"code\", source = \"inner.code\")
  @Mapping(target = \"note\", source = \"note\", defaultValue = \"-\", qualifiedByName = \"loud\")
  @Mapping(target = \"fixed\", constant = \"F\")
  @Mapping(target = \"joined\", expression = \"java(source.getName() + source.getCount())\")
  @Mapping(target = \"left\", ignore = true)
  Target map(Source source);
  @Named(\"loud\") default String loud(String text) { return text.toUpperCase(); }
  @BeanMapping(ignoreByDefault = true, nullValuePropertyMappingStrategy = NullValuePropertyMappingStrategy.IGNORE)
  @Mapping(target = \"title\", source = \"name\") @Mapping(target = \"kind\", source = \"kind\") @Mapping(target = \"words\", source = \"words\")
  void update(Source source, @MappingTarget Target target);
  @BeanMapping(ignoreByDefault = true) @Mapping(target = \"title\", source = \"name\") @Mapping(target = \"words\", source = \"words\")
  void replace(Source source, @MappingTarget Target target);
}";

const PLAIN: &str = "package a; import org.mapstruct.*; import org.mapstruct.factory.Mappers;
@Mapper public interface PlainMapper {
  PlainMapper INSTANCE = Mappers.getMapper(PlainMapper.class);
  Made map(Inner inner);
}";

const MADE: &str = "package a; public record Made(String code) { }";

const CONTROLLER: &str = "package a; import java.time.LocalDate; import java.util.*; import org.springframework.web.bind.annotation.*;
@RestController public class C {
  private final TargetMapper mapper;
  public C(TargetMapper mapper) { this.mapper = mapper; }
  private Source source() {
    Source s = new Source(); s.setName(\"n\"); s.setInner(new Inner(\"c\")); s.setCount(3); s.setAmount(\"12\"); s.setKind(Kind.B);
    s.setDay(LocalDate.of(2020, 2, 3)); s.setInners(List.of(new Inner(\"x\"), new Inner(\"y\"))); s.setWords(List.of(\"w\")); s.setNote(\"hm\");
    s.setSizes(Map.of(\"k\", 1));
    return s;
  }
  @GetMapping(\"/full\") public Target full() { return mapper.map(source()); }
  @GetMapping(\"/empty\") public Target empty() { return mapper.map(new Source()); }
  @GetMapping(\"/update\") public Target update() { Target t = old(); mapper.update(new Source(), t); return t; }
  @GetMapping(\"/replace\") public Target replace() { Target t = old(); mapper.replace(new Source(), t); return t; }
  @GetMapping(\"/plain\") public Made plain() { return PlainMapper.INSTANCE.map(new Inner(\"p\")); }
  private Target old() { Target t = new Target(); t.setTitle(\"old\"); t.setKind(\"A\"); t.setWords(new ArrayList<>(List.of(\"v\"))); return t; }
}";

fn mapped(mapper: &str) -> Service {
    mapped_to(mapper, TARGET, MADE)
}

/// The service with other target classes.
fn mapped_to(mapper: &str, target: &str, made: &str) -> Service {
    let dir = "src/main/java/a";
    let java = [
        ("Source", SOURCE),
        ("Inner", INNER),
        ("Target", target),
        ("TargetMapper", mapper),
        ("PlainMapper", PLAIN),
        ("Made", made),
        ("Kind", "package a; public enum Kind { A, B }"),
        ("C", CONTROLLER),
    ];
    let mut files: Vec<(String, &str)> = vec![("pom.xml".to_owned(), POM)];
    files.extend(java.iter().map(|(name, text)| (format!("{dir}/{name}.java"), *text)));
    Service::of(files)
}

#[test]
fn a_mapper_makes_its_target_by_the_builder_that_lombok_generates() {
    let built = |class: &str| class.replacen("public ", "@lombok.Builder public ", 1);
    let service = mapped_to(MAPPER, &built(TARGET), &built(MADE));
    assert!(service.left_out.is_empty(), "{:?}", service.left_out);
    assert_eq!(body(&service, "/plain"), json!({"code": "p"}));
    let full = body(&service, "/full");
    assert_eq!((&full["title"], &full["inners"]), (&json!("n"), &json!([{"code": "x"}, {"code": "y"}])));
    // The builder does not run the initialisers of fields.
    assert_eq!(body(&service, "/empty")["words"], json!(null));
}

/// The asserted fields of a path's first oracle.
fn told(service: &Service, path: &str) -> Vec<(String, Value)> {
    let found = service.derive(Method::Get, path);
    let oracle = found.candidates.first().unwrap_or_else(|| panic!("{path}: {:?}", found.notes));
    fields(&oracle.oracle.assertions)
}

/// The asserted value of one field of a path's answer, alone or as part of the whole body.
fn field(service: &Service, path: &str, name: &str) -> Value {
    let all = told(service, path);
    let own = all.iter().find(|(path, _)| path == name).map(|(_, value)| value.clone());
    let whole = || all.iter().find(|(path, _)| path.is_empty()).map(|(_, value)| value[name].clone());
    own.or_else(whole).unwrap_or_else(|| panic!("nothing is asserted of {name}: {all:?}"))
}

/// The asserted body of a path's answer, composed of its fields.
fn body(service: &Service, path: &str) -> Value {
    let mut whole = json!({});
    for (path, value) in told(service, path) {
        let mut place = &mut whole;
        for name in path.split('.').filter(|name| !name.is_empty()) {
            place = &mut place[name];
        }
        *place = value;
    }
    whole
}

#[test]
fn a_mapper_maps_property_by_property_as_its_annotations_say() {
    let service = mapped(MAPPER);
    assert!(service.left_out.is_empty(), "{:?}", service.left_out);
    let expected = json!({
        "title": "n", "code": "c", "count": 3, "amount": 12, "kind": "B", "day": "2020-02-03",
        "inners": [{"code": "x"}, {"code": "y"}], "words": ["w"], "note": "HM", "fixed": "F", "joined": "n3", "left": null,
        "sizes": {"k": "1"}
    });
    assert_eq!(body(&service, "/full"), expected);
    let expected = json!({
        "title": null, "code": null, "count": 0, "amount": null, "kind": null, "day": null, "inners": null, "words": [],
        "note": "-", "fixed": "F", "joined": "null0", "left": null, "sizes": null
    });
    assert_eq!(body(&service, "/empty"), expected);
    assert_eq!(body(&service, "/plain"), json!({"code": "p"}));
}

#[test]
fn what_is_null_leaves_an_updated_property_or_makes_it_null() {
    let service = mapped(MAPPER);
    let of = |path: &str, name: &str| field(&service, path, name);
    assert_eq!(
        (of("/update", "title"), of("/update", "kind"), of("/update", "words")),
        (json!("old"), json!("A"), json!(["v"]))
    );
    assert_eq!((of("/replace", "title"), of("/replace", "words")), (Value::Null, Value::Null));
}

#[test]
fn a_mapping_that_is_not_followed_is_named_and_asserts_nothing() {
    let odd = MAPPER.replace("defaultValue = \"-\",", "conditionExpression = \"java(true)\",");
    let service = mapped(&odd);
    let named: Vec<&str> = service.left_out.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        named,
        ["what TargetMapper.map(Source) maps is not followed: conditionExpression of @Mapping is not followed"]
    );
    assert!(service.derive(Method::Get, "/full").candidates.is_empty());
    assert_eq!(field(&service, "/update", "title"), json!("old"));
    let around = MAPPER
        .replace("@Named(\"loud\")", "@AfterMapping default void after(@MappingTarget Target t) { } @Named(\"loud\")");
    let service = mapped(&around);
    assert_eq!(service.left_out.len(), 1, "{:?}", service.left_out);
    assert!(service.derive(Method::Get, "/update").candidates.is_empty());
}

/// A handler whose parameters have other names than the document's, before and after `was` is replaced by `is`.
fn told_of_delegate(was: &str, is: &str) -> Vec<String> {
    let pom = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version><build><plugins><plugin>
        <groupId>org.openapitools</groupId><artifactId>openapi-generator-maven-plugin</artifactId><version>7.4.0</version><executions><execution>
        <goals><goal>generate</goal></goals><configuration><inputSpec>${project.basedir}/openapi.yml</inputSpec><generatorName>spring</generatorName>
        <apiPackage>a.api</apiPackage><configOptions><delegatePattern>true</delegatePattern></configOptions></configuration></execution></executions>
        </plugin></plugins></build></project>";
    let document = "openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths:\n  /users:\n    get:\n      operationId: listUsers\n      tags: [users]\n      parameters:
      - {name: size, in: query, schema: {type: integer}}\n      - {name: X-User-Role, in: header, required: true, schema: {type: string}}
      responses: {'200': {description: ok}}\n";
    let code = "package a; import org.springframework.http.ResponseEntity;
@org.springframework.stereotype.Service public class Users implements a.api.UsersApiDelegate {
  @Override public ResponseEntity<String> listUsers(String role, Integer many) {
    if (!role.equals(\"ADMIN\")) { return ResponseEntity.status(403).build(); }
    return ResponseEntity.ok(\"all\"); } }";
    assert!(code.contains(was));
    let repo = crate::support::Repo::new().file("pom.xml", pom).file("openapi.yml", document);
    let repo = repo.file("src/main/java/a/Users.java", code).commit("Before").branch("feature");
    let repo = repo.file("src/main/java/a/Users.java", code.replacen(was, is, 1)).commit("After");
    let changes = crate::states::report(&repo)["changes"].as_array().unwrap().clone();
    changes.iter().map(|change| change["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn parameters_that_the_handler_names_otherwise_are_those_at_their_place() {
    let found = told_of_delegate("status(403)", "status(404)");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("X-User-Role") && !found[0].contains("the body"), "{found:#?}");
}
