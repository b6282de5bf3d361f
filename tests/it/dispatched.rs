//! Handlers that Swagger Inflector calls by the document, on data that requests change.

use mastor::types::Method;
use serde_json::json;

use crate::loaded::Service;
use crate::stores::answers;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version><dependencies>\
    <dependency><groupId>io.swagger</groupId><artifactId>swagger-inflector</artifactId><version>2.0.11</version></dependency></dependencies></project>";

const SETTINGS: &str = "controllerPackage: a\nmodelPackage: a\nswaggerUrl: openapi.yaml\nentityProcessors: [json]\n";

const DOCUMENT: &str = "openapi: 3.0.2
info: {title: t, version: '1'}
paths:
  /boats/{boatId}:
    get:
      tags: [boat]
      operationId: boatById
      parameters: [{name: boatId, in: path, required: true, schema: {type: integer, format: int64}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object}}}}}
    delete:
      tags: [boat]
      operationId: sink
      parameters: [{name: boatId, in: path, required: true, schema: {type: integer, format: int64}}]
      responses: {'200': {description: ok}}
  /boats:
    get:
      tags: [boat]
      operationId: boats
      parameters: [{name: kind, in: query, required: true, schema: {type: string, enum: [sail, motor]}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: object}}}}}}
    post:
      tags: [boat]
      operationId: launch
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object}}}}}
";

const BOAT: &str = "package a; import javax.xml.bind.annotation.*;
@XmlRootElement(name = \"Boat\") public class Boat {
  private long id; private String kind; private String name;
  @XmlElement(name = \"id\") public long getId() { return id; } public void setId(long id) { this.id = id; }
  @XmlElement(name = \"kind\") public String getKind() { return kind; } public void setKind(String k) { kind = k; }
  public String getName() { return name; } public void setName(String n) { name = n; }
}";

const DATA: &str = "package a; import java.util.*;
public class Harbour {
  private static List<Boat> boats = new ArrayList<>();
  static { boats.add(boat(1, \"sail\", \"Ada\")); boats.add(boat(2, \"motor\", null)); }
  static Boat boat(long id, String kind, String name) { Boat b = new Boat(); b.setId(id); b.setKind(kind); b.setName(name); return b; }
  public Boat byId(long id) { for (Boat b : boats) { if (b.getId() == id) { return b; } } return null; }
  public List<Boat> of(String kind) { List<Boat> found = new ArrayList<>(); for (Boat b : boats) { if (b.getKind().equals(kind)) found.add(b); } return found; }
  public void add(Boat boat) { boats.removeIf(b -> b.getId() == boat.getId()); boats.add(boat); }
  public void remove(long id) { boats.removeIf(b -> b.getId() == id); }
}";

const CONTROLLER: &str = "package a; import java.util.*; import io.swagger.oas.inflector.models.*; import javax.ws.rs.core.*;
public class BoatController {
  private static Harbour harbour = new Harbour();
  public ResponseContext boatById(RequestContext request, Long boatId) {
    Boat found = harbour.byId(boatId);
    if (found == null) return new ResponseContext().status(Response.Status.NOT_FOUND).entity(\"no such boat\");
    return new ResponseContext().contentType(kind(request)).entity(found);
  }
  public ResponseContext boats(RequestContext request, String kind) { return new ResponseContext().contentType(kind(request)).entity(harbour.of(kind)); }
  public ResponseContext launch(RequestContext request, Boat boat) {
    harbour.add(boat);
    return new ResponseContext().contentType(MediaType.APPLICATION_JSON_TYPE).entity(boat);
  }
  public ResponseContext launch(RequestContext request, Long id, String kind, String name) { return launch(request, new Boat()); }
  public ResponseContext sink(RequestContext request, Long boatId) { harbour.remove(boatId); return new ResponseContext(); }
  private MediaType kind(RequestContext request) {
    List<String> accept = request.getHeaders().get(\"Accept\");
    return accept != null && MediaType.APPLICATION_XML.equals(accept.get(0)) ? MediaType.APPLICATION_XML_TYPE : MediaType.APPLICATION_JSON_TYPE;
  }
}";

fn service(harbour: &str, settings: &str) -> Service {
    let dir = "src/main/java/a";
    Service::of([
        ("pom.xml".to_owned(), POM),
        ("inflector.yaml".to_owned(), settings),
        ("openapi.yaml".to_owned(), DOCUMENT),
        (format!("{dir}/Boat.java"), BOAT),
        (format!("{dir}/Harbour.java"), harbour),
        (format!("{dir}/BoatController.java"), CONTROLLER),
    ])
}

#[test]
fn static_data_is_what_its_initialiser_made_and_is_given() {
    let service = service(DATA, SETTINGS);
    let derived = service.derive(Method::Get, "/boats/{boatId}");
    let told = answers(&derived);
    let of = |path: &str| told.iter().find(|(own, ..)| own == path).cloned();
    // Null fields are left out of the answer.
    let second = of("2").unwrap();
    assert_eq!((second.1, second.2), (200, vec![("id".to_owned(), json!(2)), ("kind".to_owned(), json!("motor"))]));
    assert_eq!(of("abc").map(|(_, status, _)| status), Some(400));
    assert!(told.iter().any(|(_, status, _)| *status == 404), "{told:?}");
    let assumed = derived.candidates.iter().find(|one| one.oracle.statuses()[0] == 200).unwrap();
    assert!(
        assumed.oracle.given.iter().any(|one| one.what().starts_with("Harbour.boats")),
        "{:?}",
        assumed.oracle.given
    );
}

#[test]
fn what_the_document_does_not_list_is_refused() {
    let told = answers(&service(DATA, SETTINGS).derive(Method::Get, "/boats"));
    let of = |query: &str| told.iter().find(|(own, ..)| own == query).cloned();
    assert_eq!(of("sail").unwrap().2, [(String::new(), json!([{"id": 1, "kind": "sail", "name": "Ada"}]))]);
    assert_eq!(told.iter().filter(|(query, status, _)| query.is_empty() && *status == 400).count(), 1, "{told:?}");
}

#[test]
fn what_requests_change_is_shown_by_later_ones() {
    let service = service(DATA, SETTINGS);
    let steps = |derived: &mastor::derive::Derived| -> Vec<Vec<String>> {
        derived.sequences.iter().map(|(one, _)| one.steps.iter().map(|step| step.op_id.to_string()).collect()).collect()
    };
    let sunk = service.derive(Method::Delete, "/boats/{boatId}");
    let gone = ["DELETE /boats/{boatId}", "GET /boats/{boatId}"].map(str::to_owned).to_vec();
    assert!(steps(&sunk).contains(&gone), "{:?}", steps(&sunk));
    let launched = service.derive(Method::Post, "/boats");
    let shown = ["POST /boats", "GET /boats/{boatId}"].map(str::to_owned).to_vec();
    assert!(steps(&launched).contains(&shown), "{:?}", steps(&launched));
    assert!(launched.candidates.iter().any(|one| one.oracle.statuses()[0] == 200));
}

#[test]
fn what_may_have_changed_before_is_not_assumed() {
    let early = DATA.replace(
        "public class Harbour {",
        "public class Harbour { @javax.annotation.PostConstruct void fill() { add(boat(3, \"sail\", \"Eve\")); }",
    );
    let told = answers(&service(&early, SETTINGS).derive(Method::Get, "/boats/{boatId}"));
    assert!(told.iter().all(|(_, status, _)| *status == 400), "{told:?}");
    let odd = format!("{SETTINGS}validatePayloads: [in]\n");
    assert!(answers(&service(DATA, &odd).derive(Method::Get, "/boats/{boatId}")).is_empty());
}
