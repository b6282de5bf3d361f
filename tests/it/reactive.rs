//! Reactive services and router functions: inputs of their handlers, and values of their publishers.

use std::path::Path;

use mastor::derive::Derived;
use mastor::types::Method;
use mastor::types::suite::assertion::Check;
use mastor::types::suite::input::Body;
use serde_json::json;

use crate::loaded::{Service, files};

fn shop(more: &[(&str, &str)]) -> Service {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/spring-webflux");
    let mut all = files(&dir);
    all.retain(|(path, _)| !more.iter().any(|(other, _)| other == path));
    all.extend(more.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
    Service::of(all)
}

/// Each oracle in short: request, status and exact values.
fn told(derived: &Derived) -> Vec<String> {
    let one = |one: &mastor::types::suite::oracle::Candidate| {
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
        |one: &mastor::types::suite::oracle::Candidate| format!("{:?}", one.oracle.assertions).contains("/fn/items/7");
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
    // Whether advice handles exceptions of router functions depends on the release.
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
    // The first matching route is used.
    let before = routes.replace("return route(", "return route(GET(\"/fn/{any}\"), h::nothing).andRoute(");
    assert!(!asserts(&before, "/fn/search") && asserts(&before, "/fn/items/{id}"));
}

/// A service whose routes have lambdas as handlers, reactive or not.
fn by_lambdas(reactive: bool, routes: &str) -> Service {
    let (package, starter) = match reactive {
        true => ("org.springframework.web.reactive.function.server", "spring-boot-starter-webflux"),
        false => ("org.springframework.web.servlet.function", "spring-boot-starter-web"),
    };
    let pom = format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
        <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.2.0</version></parent>\
        <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>{starter}</artifactId></dependency></dependencies></project>"
    );
    let code = format!(
        "package a; import static {package}.RouterFunctions.route; import static {package}.RequestPredicates.*; import java.util.*;
         import {package}.RouterFunction; import {package}.ServerResponse; import org.springframework.context.annotation.*;
         @Configuration public class Routes {{ private final Names names; public Routes(Names names) {{ this.names = names; }} {routes} }}"
    );
    let names = "package a; import org.springframework.stereotype.Component;
        @Component public class Names { public String of(int n) { if (n < 1) { throw new IllegalStateException(); } return \"item \" + n; } }";
    Service::of([
        ("pom.xml".to_owned(), pom),
        ("src/main/java/a/Routes.java".to_owned(), code),
        ("src/main/java/a/Names.java".to_owned(), names.to_owned()),
    ])
}

#[test]
fn handlers_that_are_lambdas_are_run_on_what_they_read() {
    let one = |made: &str| format!("int n = Integer.parseInt(r.pathVariable(\"id\")); if (n > 9) {{ return {made}; }}");
    let none = "ServerResponse.notFound().build()";
    let fields = "@Bean RouterFunction<ServerResponse> all() { return route(GET(\"/items/{id}\"), r -> { #one return ServerResponse.ok().#body(Map.of(\"name\", names.of(n))); })
        .andRoute(GET(\"/hello\"), r -> ServerResponse.ok().#body(Map.of(\"to\", r.#param(\"to\").orElse(\"all\")))); }";
    let params = "@Bean RouterFunction<ServerResponse> more(Names given) { return route().path(\"/more\", b -> b.GET(\"/{id}\", r ->
        ServerResponse.status(202).#body(Map.of(\"name\", given.of(Integer.parseInt(r.pathVariable(\"id\"))))))).build(); }";
    for (reactive, body, param) in [(true, "bodyValue", "queryParam"), (false, "body", "param")] {
        let routes =
            format!("{fields} {params}").replace("#one", &one(none)).replace("#body", body).replace("#param", param);
        let service = by_lambdas(reactive, &routes);
        let of = |path: &str| told(&service.derive(Method::Get, path));
        let items = of("/items/{id}");
        assert!(has(&items, "1 200 name=\"item 1\"") && has(&items, "10 404"), "{items:?}");
        assert!(items.iter().any(|one| one.contains(" 500")), "{items:?}");
        let hello = of("/hello");
        assert!(has(&hello, "200 to=\"all\""), "{hello:?}");
        assert!(has(&of("/more/{id}"), "1 202 name=\"item 1\""), "{:?}", of("/more/{id}"));
    }
}

#[test]
fn a_lambda_that_takes_what_is_not_run_for_it_and_a_filtered_one_stay_open() {
    let route = |before: &str, said: &str, after: &str| {
        format!(
            "@Bean RouterFunction<ServerResponse> all() {{ {before} return route(GET(\"/hello\"), r -> ServerResponse.ok().body({said})){after}; }}"
        )
    };
    let asserts = |routes: &str| !by_lambdas(false, routes).derive(Method::Get, "/hello").candidates.is_empty();
    assert!(asserts(&route("", "Map.of(\"a\", 1)", "")));
    assert!(!asserts(&route("int n = names.hashCode();", "Map.of(\"a\", n)", "")));
    assert!(!asserts(&route("", "Map.of(\"a\", 1)", ".filter((r, next) -> next.handle(r))")));
    assert!(!asserts(&route("", "Map.of(\"a\", 1)", ".filter(new Guard())")));
    let empty = "@Bean RouterFunction<ServerResponse> all() { return route(GET(\"/hello\"), r -> reactor.core.publisher.Mono.empty()); }";
    assert!(has(&told(&by_lambdas(true, empty).derive(Method::Get, "/hello")), "200"));
    // Unknown code makes the response, so its status is unknown.
    let outside =
        "@Bean RouterFunction<ServerResponse> all() { return route(GET(\"/hello\"), r -> Outside.answer()); }";
    assert!(!asserts(outside));
}
