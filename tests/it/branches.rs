//! Branches that no test covers: the rules engine searches for requests that take them.

use std::collections::BTreeSet;

use mastor::types::Method;
use mastor::types::OpId;
use mastor::types::results::strength::{Targets, Untaken};
use mastor::types::suite::assertion::Check;

use crate::loaded::Service;

const CODE: &str = "package a; import org.springframework.web.bind.annotation.*;
@RestController public class C {
  @GetMapping(\"/kinds/{text}\") public String kind(@PathVariable String text) {
    int sum = 0;
    for (char c : text.toCharArray()) { sum = sum * 31 + c; }
    switch (Math.floorMod(sum, 7)) {
      case 0: return \"zero\";
      case 1: return \"one\";
      case 2: return \"two\";
      case 3: return \"three\";
      default: return \"many\";
    }
  }
  @GetMapping(\"/odd/{n}\") public String odd(@PathVariable int n) {
    return Math.floorMod(n * n * 3 + n, 11) == 8 ? \"eight\" : \"other\";
  }
}";

fn service(line: Option<u32>) -> Service {
    let file = "src/main/java/a/C.java";
    let pom = "<project><modelVersion>4.0.0</modelVersion><parent><groupId>org.springframework.boot</groupId>\
        <artifactId>spring-boot-starter-parent</artifactId><version>3.3.0</version></parent><artifactId>b</artifactId></project>";
    let mut service = Service::of([(file, CODE), ("pom.xml", pom)]);
    let untaken = |line| Untaken {
        file: file.to_owned(),
        line,
        code: String::new(),
        taken: 1,
        branches: 2,
        operations: vec![OpId::parse("GET /kinds/{text}").unwrap(), OpId::parse("GET /odd/{n}").unwrap()],
    };
    service.targets = Targets { branches: line.map(untaken).into_iter().collect(), ..Targets::default() };
    service
}

/// The expected whole bodies, and the descriptions of oracles that were generated for a branch.
fn answers(service: &Service, path: &str) -> (BTreeSet<String>, Vec<String>) {
    let derived = service.derive(Method::Get, path);
    let oracles = derived.candidates.iter().map(|one| &one.oracle);
    let bodies = oracles.clone().flat_map(|oracle| &oracle.assertions).filter_map(|assertion| match &assertion.check {
        Check::Field { path, expected: Some(expected), .. } if path.is_empty() => Some(expected.to_string()),
        _ => None,
    });
    let said = oracles.filter(|oracle| oracle.rationale.contains("takes a branch")).map(|one| one.rationale.clone());
    (bodies.collect(), said.collect())
}

#[test]
fn arms_of_a_switch_are_searched_for() {
    let (before, said) = answers(&service(None), "/kinds/{text}");
    assert!(said.is_empty(), "{said:?}");
    let (after, said) = answers(&service(Some(6)), "/kinds/{text}");
    let all: BTreeSet<String> = ["zero", "one", "two", "three", "many"].map(|text| format!("{text:?}")).into();
    assert!(before.len() < 5, "nothing is left to search for: {before:?}");
    assert_eq!(after, all, "{before:?}");
    assert_eq!(said.len(), 5 - before.len(), "{said:#?}");
    assert!(
        said[0].starts_with("It takes a branch that no test of the suite took (src/main/java/a/C.java:6)."),
        "{said:?}"
    );
}

#[test]
fn a_line_that_is_not_named_is_not_searched_for() {
    let (before, _) = answers(&service(None), "/odd/{n}");
    let (other, said) = answers(&service(Some(6)), "/odd/{n}");
    assert_eq!((before.clone(), Vec::new()), (other, said));
    let (after, _) = answers(&service(Some(15)), "/odd/{n}");
    assert!(after.contains("\"eight\"") && after.contains("\"other\""), "{before:?} {after:?}");
}
