//! Media types: requests have the media type that the handler consumes; types that cannot be generated are reported.

use mastor::types::Method;
use mastor::types::suite::assertion::{Check, StatusSet};
use mastor::types::suite::input::{Body, Input};

use crate::loaded::Service;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><parent><groupId>org.springframework.boot</groupId>\
    <artifactId>spring-boot-starter-parent</artifactId><version>3.2.4</version></parent><artifactId>b</artifactId></project>";

const CONTROLLER: &str = "package a; import org.springframework.http.*; import org.springframework.web.bind.annotation.*;
@RestController @RequestMapping(consumes = \"application/vnd.shop+json\") class C {
  record Item(String name, int count) { }
  @PutMapping(\"/items\") ResponseEntity<String> put(@RequestBody Item item) {
    return item.count() > 3 ? ResponseEntity.badRequest().build() : ResponseEntity.ok(item.name());
  }
  @GetMapping(\"/items/{n}\") String get(@PathVariable int n) { return n > 3 ? \"many\" : \"few\"; }
  @PutMapping(path = \"/plain\", consumes = { \"application/xml\", MediaType.APPLICATION_JSON_VALUE }) String plain(@RequestBody Item item) {
    return item.name();
  }
  @PutMapping(path = \"/xml\", consumes = MediaType.APPLICATION_XML_VALUE) ResponseEntity<String> xml(@RequestBody Item item) {
    return item.count() > 3 ? ResponseEntity.badRequest().build() : ResponseEntity.ok(item.name());
  }
  @PutMapping(path = \"/other\", consumes = org.other.Types.SHOP) String other(@RequestBody Item item) { return item.name(); }
}";

fn service() -> Service {
    Service::of([("pom.xml", POM), ("src/main/java/a/C.java", CONTROLLER)])
}

/// The requests of an operation, each with its expected status.
fn asked(path: &str, method: Method) -> Vec<(Input, u16)> {
    let candidates = service().derive(method, path).candidates;
    let status = |one: &mastor::types::suite::oracle::Candidate| {
        one.oracle.assertions.iter().find_map(|one| match &one.check {
            Check::Status { expected: StatusSet::One(status) } => Some(*status),
            _ => None,
        })
    };
    candidates.into_iter().filter_map(|one| Some((one.oracle.input.clone(), status(&one)?))).collect()
}

fn kind(input: &Input) -> Option<&str> {
    let named = input.headers.iter().find(|(name, _)| name == "Content-Type");
    let own = match &input.body {
        Some(Body::Text { media_type, .. }) => Some(media_type.as_str()),
        _ => None,
    };
    named.map(|(_, kind)| kind.as_str()).or(own)
}

#[test]
fn requests_go_out_as_what_the_handler_takes() {
    let asked = asked("/items", Method::Put);
    assert!(asked.iter().all(|(input, _)| kind(input) == Some("application/vnd.shop+json")), "{asked:?}");
    let of = |is: fn(&Option<Body>) -> bool, wanted: u16| {
        asked.iter().any(|(input, status)| is(&input.body) && *status == wanted)
    };
    assert!(of(|body| matches!(body, Some(Body::Json { .. })), 200), "{asked:?}");
    assert!(of(|body| matches!(body, Some(Body::Text { .. })), 400), "{asked:?}");
}

#[test]
fn a_request_without_a_body_names_what_the_class_takes() {
    let asked = asked("/items/{n}", Method::Get);
    assert!(
        asked.len() > 1 && asked.iter().all(|(one, _)| kind(one) == Some("application/vnd.shop+json")),
        "{asked:?}"
    );
}

#[test]
fn plain_json_goes_out_where_it_is_taken() {
    let asked = asked("/plain", Method::Put);
    let sent: Vec<_> = asked.iter().filter(|(input, _)| matches!(input.body, Some(Body::Json { .. }))).collect();
    assert!(!sent.is_empty() && sent.iter().all(|(input, _)| kind(input).is_none()), "{asked:?}");
}

#[test]
fn what_cannot_be_made_is_named_and_not_sent() {
    for (path, why) in
        [("/xml", "a body of application/xml is not made"), ("/other", "which media types it takes is not known")]
    {
        let derived = service().derive(Method::Put, path);
        assert!(derived.notes.iter().any(|note| note == why), "{path}: {:?}", derived.notes);
        assert!(derived.candidates.is_empty() && derived.probes.is_empty(), "{path}");
    }
}
