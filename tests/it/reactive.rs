//! Reactive services and router functions: what their handlers read, and what their publishers give.

use std::path::Path;

use mastor::derive::Derived;
use mastor::types::Method;
use mastor::types::oracle::{Body, Check};
use serde_json::json;

use crate::loaded::{Service, files};

fn shop(more: &[(&str, &str)]) -> Service {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/spring-webflux");
    let mut all = files(&dir);
    all.retain(|(path, _)| !more.iter().any(|(other, _)| other == path));
    all.extend(more.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
    Service::of(all)
}

/// Each request in short, with its status and what is asserted exactly.
fn told(derived: &Derived) -> Vec<String> {
    let one = |one: &mastor::types::oracle::Candidate| {
        let input = &one.oracle.input;
        let path: Vec<&str> = input.path.values().map(String::as_str).collect();
        let query: Vec<&str> = input.query.iter().map(|(_, value)| value.as_str()).collect();
        let headers: Vec<&str> = input.headers.iter().map(|(_, value)| value.as_str()).collect();
        let exact = one.oracle.assertions.iter().filter_map(|assertion| match &assertion.check {
            Check::Field { path, expected: Some(value), op } if format!("{op:?}") == "Equals" => {
                Some(format!("{path}={value}"))
            }
            _ => None,
        });
        let exact: Vec<String> = exact.collect();
        let inputs = [path, query, headers].concat().join("&");
        format!("{inputs} {} {}", one.oracle.statuses()[0], exact.join(" "))
    };
    derived.candidates.iter().map(one).collect()
}

fn has(all: &[String], wanted: &str) -> bool {
    all.iter().any(|one| one.trim() == wanted)
}

#[test]
fn a_router_function_s_handler_is_followed_through_its_publishers() {
    let service = shop(&[]);
    let of = |method: Method, path: &str| told(&service.derive(method, path));
    let one = of(Method::Get, "/fn/items/{id}");
    assert!(has(&one, "1 200 count=2 name=\"bread\"") && one.iter().any(|one| one.contains(" 404")), "{one:?}");
    assert!(one.iter().any(|one| one.contains(" 500")), "no number: {one:?}");
    let removed = of(Method::Delete, "/fn/items/{id}");
    assert!(has(&removed, "1 204") && removed.iter().any(|one| one.contains(" 500")), "{removed:?}");
    let search = of(Method::Get, "/fn/search");
    assert!(search.iter().any(|one| one.contains("xx 418")), "{search:?}");
    assert!(search.iter().any(|one| one.contains(" 422")), "{search:?}");
    let fail = of(Method::Get, "/fn/fail/{kind}");
    assert!(fail.iter().any(|one| one.starts_with("gone 410")), "{fail:?}");
    assert!(fail.iter().any(|one| one.starts_with("state 200")), "{fail:?}");
    assert!(has(&of(Method::Get, "/fn/nothing"), "200"));
}

#[test]
fn a_body_that_a_publisher_reads_decides_its_answer() {
    let service = shop(&[]);
    let found = service.derive(Method::Post, "/fn/items");
    let of = |status: u16| {
        let all = found.candidates.iter().filter(move |one| one.oracle.statuses() == [status]);
        all.map(|one| format!("{:?}", one.oracle.input.body)).collect::<Vec<String>>()
    };
    assert!(!of(201).is_empty() && !of(409).is_empty(), "{:?}", told(&found));
    let location =
        |one: &mastor::types::oracle::Candidate| format!("{:?}", one.oracle.assertions).contains("/fn/items/7");
    assert!(found.candidates.iter().any(location));
}

#[test]
fn annotated_controllers_give_what_their_publishers_give_and_refuse_as_webflux_does() {
    let service = shop(&[]);
    let of = |method: Method, path: &str| told(&service.derive(method, path));
    assert!(has(&of(Method::Get, "/plain/items/{id}"), "1 200 count=2 name=\"bread\""));
    let all = of(Method::Get, "/plain/items");
    assert!(all.iter().any(|one| one.contains("{\"count\":5,\"name\":\"milk\"}")), "{all:?}");
    let raw = of(Method::Get, "/plain/raw/{id}");
    assert!(raw.iter().all(|one| !one.contains(" 404")), "nothing is an empty answer: {raw:?}");
    assert!(has(&of(Method::Get, "/plain/pair"), "200 count=2 name=\"breadmilk\""));
    let gone = of(Method::Get, "/plain/gone/{id}");
    assert!(gone.iter().any(|one| one.contains(" 404 message=\"no 0\"")), "{gone:?}");
    let advice = "package com.acme.shop; import org.springframework.http.*; import org.springframework.web.bind.*; \
        import org.springframework.web.bind.annotation.*; import org.springframework.web.bind.support.WebExchangeBindException; \
        @RestControllerAdvice public class Advice { \
        @ExceptionHandler(MethodArgumentNotValidException.class) public ResponseEntity<String> servlet() { return ResponseEntity.status(409).build(); } \
        @ExceptionHandler(WebExchangeBindException.class) public ResponseEntity<String> reactive() { return ResponseEntity.status(406).build(); } }";
    let advised = shop(&[("src/main/java/com/acme/shop/Advice.java", advice)]);
    let made = advised.derive(Method::Post, "/plain/items");
    let statuses: Vec<u16> = made.candidates.iter().map(|one| one.oracle.statuses()[0]).collect();
    assert!(statuses.contains(&406) && !statuses.contains(&409), "{statuses:?}");
    assert!(
        made.candidates
            .iter()
            .any(|one| matches!(&one.oracle.input.body, Some(Body::Json { json }) if json["name"] != json!("")))
    );
    // Whether advice sees what a router function's handler throws, releases decide.
    let any = advice.replace("WebExchangeBindException.class", "RuntimeException.class");
    let advised = shop(&[("src/main/java/com/acme/shop/Advice.java", any.as_str())]);
    let removed = told(&advised.derive(Method::Delete, "/fn/items/{id}"));
    assert!(has(&removed, "1 204") && removed.iter().all(|one| one.contains(" 204")), "{removed:?}");
}

#[test]
fn what_stands_around_a_route_and_is_not_followed_leaves_it_open() {
    let path = "src/main/java/com/acme/shop/Routes.java";
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/spring-webflux");
    let routes = std::fs::read_to_string(dir.join(path)).unwrap();
    let asserts = |text: &str, path: &str| {
        let service = shop(&[("src/main/java/com/acme/shop/Routes.java", text)]);
        !service.derive(Method::Get, path).candidates.is_empty()
    };
    assert!(asserts(&routes, "/fn/items/{id}"));
    let filtered = routes.replace("h::nothing);", "h::nothing).filter((request, next) -> next.handle(request));");
    assert!(!asserts(&filtered, "/fn/items/{id}"));
    let asked = routes.replace("GET(\"/fn/search\")", "GET(\"/fn/search\").and(queryParam(\"part\", p -> true))");
    assert!(!asserts(&asked, "/fn/search") && asserts(&asked, "/fn/items/{id}"));
    // The first route that fits is taken.
    let before = routes.replace("return route(", "return route(GET(\"/fn/{any}\"), h::nothing).andRoute(");
    assert!(!asserts(&before, "/fn/search") && asserts(&before, "/fn/items/{id}"));
}
