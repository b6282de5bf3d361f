//! A hand-written suite with every feature of oracles; each oracle is named for its check, and known to hold or to break.

use std::collections::BTreeMap;

use mastor::suite::{OperationSuite, Suite};
use mastor::types::suite::oracle::Oracle;
use mastor::types::suite::sequence::Sequence;
use mastor::types::suite::source_context::{ResponseSchema, SourceContext};
use mastor::types::{Method, OpId};
use serde_json::{Value, json};

/// A text that is hostile to all output languages at once.
pub const HOSTILE: &str =
    "q\"s'b\\ */ \\u000a </script> {{baseUrl}} {{$guid}} ${x} `t` | <img src=x> @a %41+é😀\u{2028}\u{202e}\nz";

/// A suite, and whether each oracle and sequence must hold, by `test_id`.
pub struct Cases {
    pub suite: Suite,
    pub expected: BTreeMap<String, bool>,
}

impl Cases {
    /// All cases.
    pub fn all() -> Self {
        let mut cases = Self { suite: Suite::default(), expected: BTreeMap::new() };
        checks(&mut cases);
        requests(&mut cases);
        sequences(&mut cases);
        cases
    }

    /// Adds an oracle on `GET path` without input.
    fn check(&mut self, name: &str, path: &str, holds: bool, assertion: Value) {
        self.add(name, &format!("GET {path}"), "anonymous", holds, json!({}), &[assertion]);
    }

    fn add(&mut self, name: &str, op: &str, user: &str, holds: bool, input: Value, assertions: &[Value]) {
        let op_id = OpId::parse(op).unwrap();
        let oracle: Oracle = serde_json::from_value(json!({
            "o_id": mastor::types::Hash::of(name.as_bytes()).short(16),
            "op_id": op, "test_id": name, "description": format!("{name} {HOSTILE}"), "strategy": "fv", "as": user, "input": input,
            "assertions": assertions, "effect": "reads", "evidence": [], "rationale": HOSTILE,
            "origin": {"engine": "human", "model": null, "challenger": "skipped"},
            "confirmation": {"state": "unconfirmed", "runs": 0},
        }))
        .unwrap();
        let context = SourceContext {
            op_id: op_id.clone(),
            entry: None,
            matched_by: None,
            request_params: vec![],
            response_schema: ResponseSchema::default(),
            request_params_pending: vec![],
            response_schema_pending: vec![],
            evidence: BTreeMap::new(),
        };
        let operation = self.suite.operations.entry(op_id).or_insert(OperationSuite::new(context, vec![]));
        operation.oracles.push(oracle);
        self.expect(name, holds);
    }

    fn expect(&mut self, name: &str, holds: bool) {
        assert!(self.expected.insert(name.to_owned(), holds).is_none(), "{name} stands twice");
    }
}

/// Every operator, once holding and once broken.
fn checks(cases: &mut Cases) {
    let fields = [
        ("equals_text", "s", "equals", json!("Bad \"x\" \\u000a"), json!("Bad \"x\" \n")),
        ("equals_integer", "n", "equals", json!(1), json!(2)),
        ("equals_integer_no_text", "n", "equals", json!(1), json!("1")),
        ("equals_integer_no_bool", "n", "equals", json!(1), json!(true)),
        ("equals_number_by_value", "one", "equals", json!(1), json!(1.5)),
        ("equals_fraction", "f", "equals", json!(0.1), json!(0.2)),
        ("equals_beyond_double", "big", "equals", json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64)),
        ("equals_trailing_zero", "dec", "equals", json!(1.1), json!(1.11)),
        ("equals_null", "z", "equals", json!(null), json!(false)),
        ("equals_bool", "b", "equals", json!(true), json!(false)),
        ("equals_array_in_order", "a", "equals", json!([3, 1, 2]), json!([1, 2, 3])),
        ("equals_object", "o", "equals", json!({"k": 1, "constructor": 3, "__proto__": 2}), json!({"k": 1})),
        (
            "equals_object_same_size",
            "o",
            "equals",
            json!({"k": 1, "constructor": 3, "__proto__": 2}),
            json!({"k": 1, "constructor": 3, "toString": 2}),
        ),
        ("equals_unicode", "uni", "equals", json!("é€😀"), json!("é€")),
        ("equals_dotted_key", "dotted\\.key", "equals", json!(5), json!(6)),
        ("equals_index", "a[1]", "equals", json!(1), json!(3)),
        ("equals_every", "items[*].id", "one_of", json!([1, 2]), json!([1])),
        ("gte", "n", "gte", json!(1), json!(1.5)),
        ("gte_negative", "neg", "gte", json!(-5), json!(-4)),
        ("lte_big", "big", "lte", json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64)),
        ("gt", "n", "gt", json!(0.5), json!(1)),
        ("lt", "neg", "lt", json!(-4), json!(-5)),
        ("lt_of_texts", "items[0].name", "lt", json!("zz"), json!("a")),
        ("gte_of_texts", "items[0].name", "gte", json!(""), json!(1)),
        ("near", "f", "near", json!({"value": 0.3, "within": 0.25}), json!({"value": 0.3, "within": 0.1})),
        ("contains_not_text", "s", "contains_not", json!("y"), json!("\"x\"")),
        ("contains_not_item", "a", "contains_not", json!(4), json!(2)),
        ("sorted", "items[].id", "sorted", json!("ascending"), json!("descending")),
        ("some", "items[?].id", "equals", json!(2), json!(3)),
        ("list", "items[].id", "equals", json!([1, 2]), json!([2, 1])),
        ("list_of_what_is_there", "items[].name", "length", json!(2), json!(3)),
        ("relation", "n", "equals", json!("$body.one"), json!("$body.f")),
        ("relation_of_order", "neg", "lt", json!("$body.n"), json!("$body.neg")),
        ("relation_to_nothing", "n", "gte", json!("$body.neg"), json!("$body.missing")),
        ("relation_to_an_item", "a", "contains", json!("$body.items[1].id"), json!("$body.s")),
        ("relation_within_a_text", "", "not_null", json!("{$body.n}"), json!("{$body.missing}")),
        ("matches", "s", "matches", json!("^Bad \".\" \\\\"), json!("^ad")),
        ("type_string", "s", "type", json!("string"), json!("number")),
        ("type_integer", "one", "type", json!("integer"), json!("string")),
        ("type_number", "f", "type", json!("number"), json!("integer")),
        ("type_array", "a", "type", json!("array"), json!("object")),
        ("type_object", "", "type", json!("object"), json!("array")),
        ("type_null", "z", "type", json!("null"), json!("boolean")),
        ("type_boolean", "b", "type", json!("boolean"), json!("null")),
        ("contains_text", "s", "contains", json!("\"x\""), json!("y")),
        ("contains_item", "a", "contains", json!(2), json!(4)),
        ("one_of", "n", "one_of", json!([2, 1]), json!([2, 3])),
        ("length_text_in_utf16", "uni", "length", json!(4), json!(3)),
        ("length_array", "a", "length", json!(3), json!(2)),
        ("length_object", "o", "length", json!(3), json!(1)),
        ("length_empty", "e", "length", json!(0), json!(1)),
        ("keys", "o", "keys", json!(["constructor", "__proto__", "k"]), json!(["k", "constructor"])),
        ("same_items", "a", "same_items", json!([1, 2, 3]), json!([1, 2])),
        ("same_items_as_multisets", "dup", "same_items", json!([2, 1, 1]), json!([2, 2, 1])),
    ];
    for (name, path, op, holds, breaks) in fields {
        let check = |expected| json!({"type": "field", "path": path, "op": op, "expected": expected});
        cases.check(&format!("{name}_holds"), "/json", true, check(holds));
        cases.check(&format!("{name}_breaks"), "/json", false, check(breaks));
    }
    let plain = [
        ("not_null", "n", "z"),
        ("not_null", "items[*].id", "items[*].name"),
        ("not_null", "e[*].x", "missing"),
        ("is_null", "z", "missing"),
        ("is_null", "items[1].name", "items[0].name"),
        ("absent", "o.toString", "o.k"),
        ("absent", "a[3]", "a[2]"),
        ("absent", "items[*].toString", "z"),
        ("not_null", "o.__proto__", "n[*]"),
    ];
    for (n, (op, holds, breaks)) in plain.into_iter().enumerate() {
        cases.check(&format!("{op}_{n}_holds"), "/json", true, json!({"type": "field", "path": holds, "op": op}));
        cases.check(&format!("{op}_{n}_breaks"), "/json", false, json!({"type": "field", "path": breaks, "op": op}));
    }
    let others = [
        ("status", "/json", json!({"type": "status", "expected": 200}), json!({"type": "status", "expected": 404})),
        (
            "status_set",
            "/nothing",
            json!({"type": "status", "expected": [400, 404]}),
            json!({"type": "status", "expected": [200, 400]}),
        ),
        (
            "status_of_redirect",
            "/redirect",
            json!({"type": "status", "expected": 302}),
            json!({"type": "status", "expected": 200}),
        ),
        (
            "media_type",
            "/json",
            json!({"type": "body", "op": "media_type", "expected": "application/json"}),
            json!({"type": "body", "op": "media_type", "expected": "text/plain"}),
        ),
        ("body_empty", "/empty", json!({"type": "body", "op": "empty"}), json!({"type": "body", "op": "not_empty"})),
        ("body_not_empty", "/text", json!({"type": "body", "op": "not_empty"}), json!({"type": "body", "op": "empty"})),
        (
            "body_of_text",
            "/text",
            json!({"type": "field", "path": "", "op": "equals", "expected": "hello"}),
            json!({"type": "field", "path": "x", "op": "absent"}),
        ),
        (
            "body_of_bare_text",
            "/bare",
            json!({"type": "field", "path": "", "op": "equals", "expected": "hello"}),
            json!({"type": "field", "path": "", "op": "equals", "expected": "hell"}),
        ),
        (
            "body_of_number",
            "/number",
            json!({"type": "field", "path": "", "op": "equals", "expected": 5}),
            json!({"type": "field", "path": "", "op": "equals", "expected": "5"}),
        ),
        (
            "body_absent",
            "/empty",
            json!({"type": "field", "path": "", "op": "absent"}),
            json!({"type": "field", "path": "", "op": "not_null"}),
        ),
        (
            "header_equals",
            "/json",
            json!({"type": "header", "name": "x-name", "op": "equals", "expected": "orders v2"}),
            json!({"type": "header", "name": "X-Name", "op": "equals", "expected": "orders"}),
        ),
        (
            "header_number",
            "/json",
            json!({"type": "header", "name": "X-Count", "op": "gte", "expected": 12}),
            json!({"type": "header", "name": "X-Count", "op": "lte", "expected": 11}),
        ),
        (
            "header_matches",
            "/json",
            json!({"type": "header", "name": "X-Name", "op": "matches", "expected": "v[0-9]$"}),
            json!({"type": "header", "name": "X-Name", "op": "matches", "expected": "^v"}),
        ),
        (
            "header_absent",
            "/json",
            json!({"type": "header", "name": "X-None", "op": "absent"}),
            json!({"type": "header", "name": "X-Name", "op": "absent"}),
        ),
        (
            "header_not_null",
            "/json",
            json!({"type": "header", "name": "X-Name", "op": "not_null"}),
            json!({"type": "header", "name": "X-None", "op": "not_null"}),
        ),
    ];
    for (name, path, holds, breaks) in others {
        cases.check(&format!("{name}_holds"), path, true, holds);
        cases.check(&format!("{name}_breaks"), path, false, breaks);
    }
}

/// Every part of a request and every kind of body, as the service receives it.
fn requests(cases: &mut Cases) {
    let field =
        |path: &str, expected: Value| json!({"type": "field", "path": path, "op": "equals", "expected": expected});
    let mut add = |name: &str, op: &str, user: &str, input: Value, assertions: &[Value]| {
        cases.add(name, op, user, true, input, assertions)
    };
    add(
        "path_encoded_once",
        "GET /echo/{id}/x",
        "anonymous",
        json!({"path": {"id": "a/b%2F é+;?#:@&="}}),
        &[field("target", json!("/echo/a%2Fb%252F%20%C3%A9%2B%3B%3F%23%3A%40%26%3D/x"))],
    );
    add(
        "path_hostile",
        "GET /echo/{id}",
        "anonymous",
        json!({"path": {"id": HOSTILE}}),
        &[field("target", json!(format!("/echo/{}", mastor::publish::request::percent(HOSTILE))))],
    );
    add(
        "query_in_order",
        "GET /echo",
        "anonymous",
        json!({"query": [["b", "1 &=+"], ["a", ""], ["b", "{{baseUrl}}"]]}),
        &[field("target", json!("/echo?b=1%20%26%3D%2B&a=&b=%7B%7BbaseUrl%7D%7D"))],
    );
    add(
        "headers",
        "GET /echo",
        "anonymous",
        json!({"headers": [["X-A", "q\"s\\ */"], ["Accept", "application/xml"]]}),
        &[field("headers.x-a", json!("q\"s\\ */")), field("headers.accept", json!("application/xml"))],
    );
    add(
        "cookies",
        "GET /echo",
        "anonymous",
        json!({"cookies": [["a", "1"], ["b", "2"]]}),
        &[field("headers.cookie", json!("a=1; b=2"))],
    );
    add("cookie_that_is_set", "GET /cookie", "anonymous", json!({}), &[json!({"type": "status", "expected": 200})]);
    add(
        "no_cookie_leaks",
        "GET /echo",
        "anonymous",
        json!({}),
        &[json!({"type": "field", "path": "headers.cookie", "op": "absent"}), field("body", json!(""))],
    );
    add("user", "GET /echo", "admin user", json!({}), &[field("headers.authorization", json!("Bearer t"))]);
    add(
        "json_body",
        "POST /echo",
        "anonymous",
        json!({"body": {"json": {"b": HOSTILE, "a": [1, 1.5, null], "n": 9_007_199_254_740_993_u64}}}),
        &[
            field("json", json!({"a": [1, 1.5, null], "b": HOSTILE, "n": 9_007_199_254_740_993_u64})),
            field("headers.content-type", json!("application/json")),
        ],
    );
    add(
        "json_body_of_a_get",
        "GET /echo",
        "anonymous",
        json!({"body": {"json": {"a": 1}}}),
        &[field("body", json!("{\"a\":1}"))],
    );
    add(
        "json_with_its_own_media_type",
        "PATCH /echo",
        "anonymous",
        json!({"headers": [["Content-Type", "application/merge-patch+json"]], "body": {"json": {}}}),
        &[
            field("method", json!("PATCH")),
            field("body", json!("{}")),
            field("headers.content-type", json!("application/merge-patch+json")),
        ],
    );
    add(
        "malformed_body",
        "PUT /echo",
        "anonymous",
        json!({"body": {"text": "{\"a\": é", "media_type": "application/json"}}),
        &[field("hex", json!(hex::encode("{\"a\": é"))), field("method", json!("PUT"))],
    );
    add(
        "other_media_type",
        "POST /echo",
        "anonymous",
        json!({"body": {"text": "<a/>", "media_type": "application/vnd.acme+xml"}}),
        &[field("body", json!("<a/>")), field("headers.content-type", json!("application/vnd.acme+xml"))],
    );
    add(
        "empty_text_body",
        "POST /echo",
        "anonymous",
        json!({"body": {"text": "", "media_type": "application/json"}}),
        &[field("body", json!(""))],
    );
    add(
        "no_body",
        "POST /echo",
        "anonymous",
        json!({}),
        &[field("body", json!("")), json!({"type": "field", "path": "headers.content-type", "op": "absent"})],
    );
    add(
        "base64_text",
        "POST /echo",
        "anonymous",
        json!({"body": {"base64": "aGkgw6k=", "media_type": "text/plain"}}),
        &[field("hex", json!("686920c3a9"))],
    );
    add(
        "base64_bytes",
        "POST /echo",
        "anonymous",
        json!({"body": {"base64": "/wCA", "media_type": "application/octet-stream"}}),
        &[field("hex", json!("ff0080"))],
    );
    add(
        "text_that_is_templated",
        "POST /echo",
        "anonymous",
        json!({"body": {"text": "{{baseUrl}} {{$guid}}", "media_type": "text/plain"}}),
        &[field("body", json!("{{baseUrl}} {{$guid}}"))],
    );
    add(
        "form",
        "POST /echo",
        "anonymous",
        json!({"body": {"form": [["a b", "1&2"], ["c", "é{{baseUrl}}"]]}}),
        &[
            field("body", json!("a%20b=1%262&c=%C3%A9%7B%7BbaseUrl%7D%7D")),
            field("headers.content-type", json!("application/x-www-form-urlencoded")),
        ],
    );
    add(
        "multipart",
        "POST /echo",
        "anonymous",
        json!({"body": {"multipart": [{"name": "f", "filename": "a.txt", "media_type": "text/plain", "text": "hi é"}, {"name": "g", "text": "2"}]}}),
        &[field(
            "body",
            json!(
                "--mastor-part-0\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nhi é\r\n\
                               --mastor-part-0\r\nContent-Disposition: form-data; name=\"g\"\r\n\r\n2\r\n--mastor-part-0--\r\n"
            ),
        )],
    );
    add(
        "huge_text",
        "POST /echo",
        "anonymous",
        json!({"body": {"text": "é".repeat(70_000), "media_type": "text/plain"}}),
        &[json!({"type": "field", "path": "body", "op": "length", "expected": 70_000})],
    );
    let many: Vec<Value> = (0..900)
        .map(|n| json!({"type": "field", "path": "target", "op": "contains", "expected": format!("q{n}=")}))
        .collect();
    let query: Vec<Value> = (0..900).map(|n| json!([format!("q{n}"), ""])).collect();
    add("many_checks", "GET /echo", "anonymous", json!({"query": query}), &many);
}

fn sequences(cases: &mut Cases) {
    let sequence = |name: &str, last: Value| -> Sequence {
        serde_json::from_value(json!({
            "s_id": mastor::types::Hash::of(name.as_bytes()).short(16), "test_id": name, "description": HOSTILE, "pattern": "identifier_flow",
            "effect": "writes", "evidence": [],
            "steps": [
                {"op_id": "POST /things", "as": "anonymous", "input": {"body": {"json": {"name": "x"}}},
                 "captures": {"id": "body:id", "code": "body:code", "tail": "header:Location#tail"},
                 "assertions": [{"type": "status", "expected": 201}]},
                {"op_id": "GET /things/{id}", "as": "anonymous", "input": {"path": {"id": "?"}, "query": [["t", "?"]]},
                 "binds": {"path.id": "$captures.id", "query.t": "$captures.tail"},
                 "assertions": [{"type": "field", "path": "target", "op": "equals", "expected": "/things/a%2Fb%20%7B%7BbaseUrl%7D%7D%20%C3%A9?t=x%2Fy"},
                                {"type": "field", "path": "code", "op": "equals", "expected": "$captures.code"}]},
                {"op_id": "PUT /things/{id}", "as": "anonymous",
                 "input": {"path": {"id": "1"}, "body": {"json": {"code": 0, "in": {"id": ""}}}},
                 "binds": {"body.code": "$captures.code", "body.in.id": "$captures.id"},
                 "assertions": [last]},
            ],
            "origin": {"engine": "human", "model": null, "challenger": "skipped"}, "confirmation": {"state": "unconfirmed", "runs": 0},
        }))
        .unwrap()
    };
    let body = |code: Value| json!({"type": "field", "path": "json", "op": "equals", "expected": {"code": code, "in": {"id": "a/b {{baseUrl}} é"}}});
    let all = vec![
        sequence("sequence_holds", body(json!(9_007_199_254_740_993_u64))),
        sequence(
            "sequence_holds_by_captures",
            json!({"type": "field", "path": "json", "op": "equals", "expected": {"code": "$captures.code", "in": {"id": "$captures.id"}}}),
        ),
        sequence("sequence_breaks", body(json!(0))),
    ];
    for sequence in &all {
        cases.expect(&sequence.test_id, sequence.test_id != "sequence_breaks");
    }
    cases.suite.sequences.insert(OpId::new(Method::Post, "/things"), all);
}
