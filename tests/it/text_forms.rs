//! Parameters that Spring converts from text to library classes: identifiers, big numbers and dates.

use mastor::types::Method;
use mastor::types::suite::assertion::{Check, StatusSet};
use mastor::types::suite::oracle::Oracle;

use crate::loaded::Service;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><parent><groupId>org.springframework.boot</groupId>\
    <artifactId>spring-boot-starter-parent</artifactId><version>3.2.4</version></parent><artifactId>b</artifactId></project>";

const CONTROLLER: &str = "package a; import java.math.BigDecimal; import java.time.*; import java.util.*;
import org.springframework.format.annotation.DateTimeFormat; import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;
@RestController class C {
  private static final UUID ROOT = UUID.fromString(\"00000000-0000-0000-0000-000000000001\");
  @GetMapping(\"/things/{id}\") ResponseEntity<String> thing(@PathVariable UUID id) {
    return id.equals(ROOT) ? ResponseEntity.ok(\"root\") : ResponseEntity.notFound().build();
  }
  @GetMapping(\"/days\") String day(@RequestParam @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate day) {
    return day.getDayOfWeek().name();
  }
  @GetMapping(\"/local\") String local(@RequestParam LocalDate day) { return day.getDayOfWeek().name(); }
  @GetMapping(\"/sums\") String sum(@RequestParam BigDecimal a, @RequestParam(required = false) Instant from) {
    return a.add(BigDecimal.ONE) + (from == null ? \"\" : \" from \" + from.getEpochSecond());
  }
}";

fn derived(service: &Service, path: &str) -> Vec<Oracle> {
    service.derive(Method::Get, path).candidates.into_iter().map(|one| one.oracle).collect()
}

fn service(more: &[(&str, &str)]) -> Service {
    let files = [("pom.xml", POM), ("src/main/java/a/C.java", CONTROLLER)];
    Service::of(files.into_iter().chain(more.iter().copied()))
}

/// The sent values, the status, and an expected text.
fn told(oracles: &[Oracle]) -> Vec<(String, u16, String)> {
    let one = |oracle: &Oracle| {
        let status = oracle.assertions.iter().find_map(|one| match &one.check {
            Check::Status { expected: StatusSet::One(status) } => Some(*status),
            _ => None,
        })?;
        let text = oracle.assertions.iter().find_map(|one| match &one.check {
            Check::Field { path, expected: Some(value), .. } if path.is_empty() => value.as_str().map(str::to_owned),
            _ => None,
        });
        let query = oracle.input.query.iter().map(|(name, value)| format!("{name}={value}"));
        let sent: Vec<String> = oracle.input.path.values().cloned().chain(query).collect();
        Some((sent.join("&"), status, text.unwrap_or_default()))
    };
    oracles.iter().filter_map(one).collect()
}

#[test]
fn an_identifier_is_made_of_a_text_or_refused() {
    let told = told(&derived(&service(&[]), "/things/{id}"));
    let has = |sent: &str, status: u16| told.iter().any(|(own, is, _)| own == sent && *is == status);
    assert!(has("3f2504e0-4f89-41d3-9a0c-0305e82c3300", 404) && has("abc", 400), "{told:?}");
}

#[test]
fn dates_are_read_by_the_form_that_an_annotation_says() {
    let days = told(&derived(&service(&[]), "/days"));
    assert!(days.contains(&("day=2024-01-15".to_owned(), 200, "MONDAY".to_owned())), "{days:?}");
    assert!(days.iter().any(|(sent, status, _)| sent == "day=abc" && *status == 400), "{days:?}");
    // Without a pattern, the format depends on the server's locale.
    let local = told(&derived(&service(&[]), "/local"));
    assert!(!local.iter().any(|(sent, ..)| sent.contains("2024")), "{local:?}");
}

#[test]
fn numbers_and_moments_are_read_and_what_is_left_out_is_null() {
    let sums = told(&derived(&service(&[]), "/sums"));
    assert!(sums.contains(&("a=1.5".to_owned(), 200, "2.5".to_owned())), "{sums:?}");
    assert!(
        sums.iter().any(|(sent, _, text)| sent.contains("from=2024-01-15T10:30:15Z") && text == "2.5 from 1705314615"),
        "{sums:?}"
    );
}

#[test]
fn a_converter_of_the_project_leaves_them_open() {
    let converter = "package a; @org.springframework.stereotype.Component
      class ToId implements org.springframework.core.convert.converter.Converter<String, java.util.UUID> {
        public java.util.UUID convert(String text) { return java.util.UUID.nameUUIDFromBytes(text.getBytes()); } }";
    let told = told(&derived(&service(&[("src/main/java/a/ToId.java", converter)]), "/things/{id}"));
    assert_eq!(told, [], "{told:?}");
}
