//! Fields of beans that a `@PostConstruct` method sets.

use mastor::types::Method;
use mastor::types::suite::assertion::{Check, FieldOp};
use serde_json::{Value, json};

use crate::loaded::Service;

/// The exact values that oracles expect of the field `word` in answers, for a controller with this method.
fn told(method: &str) -> Vec<Value> {
    let controller = format!(
        "package a; import java.util.*; import org.springframework.web.bind.annotation.*; import jakarta.annotation.PostConstruct;
        @RestController class C {{ private String word; private int seen; private int other;
          {method}
          @GetMapping(\"/word\") Map<String, Object> word() {{ return Map.of(\"word\", word, \"seen\", seen); }} }}"
    );
    let service = Service::of([("src/main/java/a/C.java", controller)]);
    let derived = service.derive(Method::Get, "/word");
    let all = derived.candidates.into_iter().flat_map(|one| one.oracle.assertions);
    all.filter_map(|one| match one.check {
        Check::Field { path, op: FieldOp::Equals, expected: Some(value) } if path == "word" => Some(value),
        _ => None,
    })
    .collect()
}

#[test]
fn what_a_field_is_given_once_is_known() {
    let plain = "@PostConstruct void open() { word = \"tea\".toUpperCase(); seen = 2; }";
    assert_eq!(told(plain), [json!("TEA")]);
}

#[test]
fn what_more_is_done_or_may_be_done_again_leaves_it_open() {
    let begins = "@PostConstruct void open() { word = \"tea\"; MORE }";
    let with = |more: &str, others: &str| told(&format!("{} {others}", begins.replace("MORE", more)));
    // It calls project code, which may do more than set fields.
    assert_eq!(with("note();", "void note() { other++; }"), Vec::<Value>::new());
    // Requests also change one of its fields.
    assert_eq!(with("other = 1;", "@PostMapping(\"/other\") void more() { other++; }"), Vec::<Value>::new());
    assert_eq!(with("", "@PostMapping(\"/word\") void put(@RequestParam String w) { word = w; }"), Vec::<Value>::new());
    // A request runs it again.
    assert_eq!(with("", "@PostMapping(\"/again\") void again() { open(); }"), Vec::<Value>::new());
}
