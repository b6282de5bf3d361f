//! Values of JSON bodies: a `Date` from a timestamp, single-precision numbers, and overloads selected by the body's class.

use mastor::types::Method;
use mastor::types::suite::assertion::{Check, FieldOp};
use mastor::types::suite::input::Body;
use serde_json::{Value, json};

use crate::loaded::Service;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><parent><groupId>org.springframework.boot</groupId>\
    <artifactId>spring-boot-starter-parent</artifactId><version>3.2.4</version></parent><artifactId>b</artifactId></project>";

const CONTROLLER: &str = "package a; import java.util.*; import org.springframework.web.bind.annotation.*;
@RestController public class C {
  public record Trip(Date at, Float speed) { }
  public record Shown(long at, Float speed, Date seen) { }
  public interface Trips { Shown of(Trip trip); long of(List<Trip> trips); }
  @org.springframework.stereotype.Service public static class Store implements Trips {
    public Shown of(Trip trip) { return new Shown(trip.at().getTime(), trip.speed(), trip.at()); }
    public long of(List<Trip> trips) { return trips.size(); }
  }
  private final Trips trips; public C(Trips trips) { this.trips = trips; }
  @PostMapping(\"/trips\") public Shown one(@RequestBody Trip trip) { return trips.of(trip); }
}";

/// The field assertions on answers with 200: path, operator and value.
fn told(more: &[(&str, &str)]) -> Vec<(String, FieldOp, Value)> {
    let files = [("pom.xml", POM), ("src/main/java/a/C.java", CONTROLLER)];
    let service = Service::of(files.into_iter().chain(more.iter().copied()));
    let derived = service.derive(Method::Post, "/trips");
    let well = derived.candidates.into_iter().map(|one| one.oracle).filter(|oracle| oracle.statuses() == [200]);
    let fields = well.flat_map(|oracle| oracle.assertions).filter_map(|one| match one.check {
        Check::Field { path, op, expected } => Some((path, op, expected.unwrap_or_default())),
        _ => None,
    });
    fields.collect()
}

#[test]
fn a_date_is_read_of_a_moment_and_a_number_of_single_precision_as_it_is() {
    let all = told(&[]);
    assert!(all.contains(&("at".to_owned(), FieldOp::Equals, json!(1_705_314_615_000_i64))), "{all:?}");
    assert!(all.contains(&("speed".to_owned(), FieldOp::Equals, json!(1.5))), "{all:?}");
    // The text's format depends on release and settings, so only its type is asserted.
    assert!(all.contains(&("seen".to_owned(), FieldOp::Type, json!("string"))), "{all:?}");
}

#[test]
fn a_form_that_a_property_gives_to_dates_leaves_them_open() {
    let all = told(&[("src/main/resources/application.properties", "spring.jackson.date-format=yyyy-MM-dd HH:mm")]);
    assert_eq!(all, [], "{all:?}");
}

/// The bodies that oracles send to `POST /`, each with the expected status.
fn asked(handler: &str) -> Vec<(Option<Body>, u16)> {
    let source = format!(
        "package a; import java.util.*; import org.springframework.web.bind.annotation.*;
        @RestController public class C {{ {handler} }}"
    );
    let service = Service::of([("pom.xml", POM), ("src/main/java/a/C.java", source.as_str())]);
    let derived = service.derive(Method::Post, "/").candidates.into_iter();
    derived.map(|one| (one.oracle.input.body.clone(), one.oracle.statuses()[0])).collect()
}

fn is_json(body: &Option<Body>, json: &Value) -> bool {
    matches!(body, Some(Body::Json { json: own }) if own == json)
}

#[test]
fn a_required_body_that_is_null_is_missing() {
    let all = asked("@PostMapping(\"/\") public int add(@RequestBody Map<String, String> in) { return in.size(); }");
    assert!(all.iter().any(|(body, status)| is_json(body, &json!({})) && *status == 200), "{all:?}");
    assert!(all.iter().all(|(body, status)| !is_json(body, &Value::Null) || *status == 400), "{all:?}");
}

#[test]
fn a_body_that_only_a_form_can_be_is_not_asked_as_json() {
    let map = "org.springframework.util.MultiValueMap<String, String>";
    let all = asked(&format!("@PostMapping(\"/\") public int add(@RequestBody {map} in) {{ return in.size(); }}"));
    assert_eq!(all, []);
    let plain = asked("@PostMapping(\"/\") public int add(@RequestBody List<String> in) { return in.size(); }");
    assert!(!plain.is_empty());
}

#[test]
fn a_date_whose_form_is_not_followed_is_left_out_of_the_body() {
    let trip = |format: &str| {
        format!(
            "public static class Trip {{ private String name; {format} private Date at; public String getName() {{ return name; }}
               public void setName(String n) {{ name = n; }} public Date getAt() {{ return at; }} public void setAt(Date d) {{ at = d; }} }}
             @PostMapping(\"/\") public String add(@RequestBody Trip in) {{ return in.getName(); }}"
        )
    };
    let has_date = |all: &[(Option<Body>, u16)]| {
        let mut bodies = all.iter().filter(|(_, status)| *status == 200).map(|(body, _)| body);
        bodies.any(|body| matches!(body, Some(Body::Json { json }) if !json["at"].is_null()))
    };
    let plain = asked(&trip(""));
    assert!(has_date(&plain), "{plain:?}");
    let formed = asked(&trip("@com.fasterxml.jackson.annotation.JsonFormat(pattern = \"yyyy-MM-dd HH:mm:ss\")"));
    assert!(!has_date(&formed) && formed.iter().any(|(_, status)| *status == 200), "{formed:?}");
}
