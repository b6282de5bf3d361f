//! A scripted strong model: hand-written replies for the bundled example, with citations looked up in the received prompt.

use serde_json::{Value, json};

use crate::llm::server::{Received, Reply};

/// Operations of the example that the faithful model knows.
pub const OPERATIONS: [&str; 4] = ["GET /quotes", "POST /customers", "GET /customers/{id}", "DELETE /customers/{id}"];

/// The line that holds `needle` in the file whose path ends in `file`, as a citation.
pub fn cite(prompt: &str, file: &str, needle: &str) -> String {
    let mut label = None;
    for line in prompt.lines() {
        if let Some(head) = line.strip_prefix("=== ") {
            label = head.split_once(' ').filter(|(_, path)| path.ends_with(file)).map(|(label, _)| label);
        } else if let (Some(label), Some((number, text))) = (label, line.split_once("| "))
            && text.contains(needle)
        {
            return format!("{label}:{number}");
        }
    }
    panic!("{file} with {needle} was not sent:\n{prompt}")
}

/// The operation that a prompt is about: the line after its last heading.
pub fn operation(prompt: &str) -> &str {
    let rest = prompt.rsplit("# The operation\n").next().unwrap();
    rest.lines().next().unwrap().split(", entry").next().unwrap()
}

/// The agent that sent the prompt.
pub fn agent(received: &Received) -> &'static str {
    let prompt = received.user();
    for (task, name) in [
        ("# Task: the source context", "extraction"),
        ("# Task: test oracles for one operation", "oracles"),
        ("# Task: improve some oracles", "again"),
        ("# Task: review test oracles", "review"),
        ("# Task: which operations belong together", "associations"),
        ("# Task: test sequences", "sequences"),
        ("# Task: review test sequences", "group review"),
        ("# Task: improve some sequences", "group again"),
    ] {
        if prompt.contains(task) {
            return name;
        }
    }
    if prompt.contains("Write as many test oracles") { "direct" } else { panic!("an unknown prompt:\n{prompt}") }
}

/// What a strong model would reply.
pub fn reply(received: &Received) -> Reply {
    Reply::json(&value(received))
}

/// The value of the reply.
pub fn value(received: &Received) -> Value {
    let prompt = received.user();
    match agent(received) {
        "extraction" => context(prompt),
        "oracles" => json!({ "oracles": oracles(prompt) }),
        "direct" => json!({ "operations": [{ "op_id": "GET /quotes", "oracles": quotes(prompt) }] }),
        "review" => review(prompt),
        "again" => again(prompt),
        "associations" => associations(prompt),
        "sequences" => sequences(prompt),
        _ => json!({ "hints": [] }),
    }
}

/// The source context of an operation.
fn context(prompt: &str) -> Value {
    match operation(prompt) {
        "GET /quotes" => {
            let parameter = |name: &str, ty: &str, required: bool| {
                json!({"name": name, "location": "query", "type": ty, "required": required,
                    "evidence": cite(prompt, "QuoteController.java", &format!("{ty} {name}"))})
            };
            let mut quantity = parameter("quantity", "int", true);
            quantity["constraints"] = json!([{"kind": "range", "min": 1, "max": 10,
                "evidence": cite(prompt, "PriceCalculator.java", "quantity > MAX_QUANTITY")}]);
            json!({
                "request_params": [quantity, parameter("unitPriceCents", "long", true), parameter("coupon", "String", false)],
                "success_status": 200,
                "fields": [{"path": "totalCents", "type": "long", "nullable": false,
                    "evidence": cite(prompt, "PriceCalculator.java", "subtotal - discount")}],
                "error_cases": [
                    {"status": 422, "condition": "quantity outside 1..10", "evidence": cite(prompt, "PriceCalculator.java", "quantity > MAX_QUANTITY")},
                    {"status": 422, "condition": "an unknown coupon", "evidence": cite(prompt, "PriceCalculator.java", "this coupon is not known")},
                ],
                "pending_statuses": [{"status": 401, "reason": "no line asks for credentials here"}],
            })
        }
        "POST /customers" => {
            let member = |name: &str| {
                json!({"name": name, "location": "body", "type": "String", "required": true,
                    "evidence": cite(prompt, "CustomerRequest.java", &format!("String {name}"))})
            };
            json!({
                "request_params": [member("name"), member("email"), member("country")],
                "success_status": 201,
                "fields": [{"path": "id", "type": "Long", "nullable": false,
                    "evidence": cite(prompt, "CustomerResponse.java", "Long id")}],
                "error_cases": [{"status": 409, "condition": "the e-mail address is taken",
                    "evidence": cite(prompt, "DefaultCustomerService.java", "existsByEmail")}],
            })
        }
        "GET /customers/{id}" | "DELETE /customers/{id}" => {
            let id = json!({"name": "id", "location": "path", "type": "long", "required": true,
                "evidence": cite(prompt, "CustomerController.java", "@PathVariable long id")});
            let missing = cite(prompt, "DefaultCustomerService.java", "no customer ");
            let status = if operation(prompt).starts_with("GET") { 200 } else { 204 };
            json!({"request_params": [id], "success_status": status,
                "error_cases": [{"status": 404, "condition": "there is no such customer", "evidence": missing}]})
        }
        other => panic!("nobody asked for {other}"),
    }
}

fn oracle(test_id: &str, input: Value, assertions: Value, evidence: &[String]) -> Value {
    json!({"test_id": test_id, "description": format!("{test_id}, as the code has it."), "strategy": &test_id[..2],
        "input": input, "assertions": assertions, "evidence": evidence, "rationale": "The cited lines decide it: read top to bottom."})
}

fn status(code: u16) -> Value {
    json!({"type": "status", "expected": code})
}

fn equals(path: &str, value: Value) -> Value {
    json!({"type": "field", "path": path, "op": "equals", "expected": value})
}

fn query(quantity: i64, price: i64, coupon: Option<&str>) -> Value {
    let mut query = json!([["quantity", quantity.to_string()], ["unitPriceCents", price.to_string()]]);
    if let Some(coupon) = coupon {
        query.as_array_mut().unwrap().push(json!(["coupon", coupon]));
    }
    json!({ "query": query })
}

fn quotes(prompt: &str) -> Vec<Value> {
    let line = |needle: &str| cite(prompt, "PriceCalculator.java", needle);
    vec![
        // 7 × 333 = 2331; 5 % for the volume and 10 % for the coupon make 15 %, so 349 are deducted.
        oracle(
            "fv_volume_and_coupon",
            query(7, 333, Some("SAVE10")),
            json!([status(200), equals("discountPercent", json!(15)), equals("totalCents", json!(1982))]),
            &[line("subtotal * percent"), line("return 10;")],
        ),
        oracle(
            "bv_cap_of_discount",
            query(9, 333, Some("SAVE10")),
            json!([status(200), equals("discountPercent", json!(15))]),
            &[line("return MAX_DISCOUNT_PERCENT")],
        ),
        oracle(
            "bi_unknown_coupon",
            query(2, 777, Some("NOSUCH")),
            json!([status(422), equals("code", json!("unprocessable"))]),
            &[line("this coupon is not known")],
        ),
        // Wrong: 20 % is more than the cap, which the rules engine knows.
        oracle(
            "fv_twenty_percent",
            query(10, 451, Some("SAVE10")),
            json!([status(200), equals("discountPercent", json!(20)), equals("currency", json!("EUR"))]),
            &[line("return 10;")],
        ),
        // Cites a file that was never sent.
        oracle(
            "fv_invented",
            query(3, 5, None),
            json!([status(200), equals("totalCents", json!(15))]),
            &["F99:1".to_owned()],
        ),
    ]
}

fn customer(name: &str, email: &str) -> Value {
    json!({"body": {"json": {"name": name, "email": email, "country": "AT"}}})
}

fn oracles(prompt: &str) -> Vec<Value> {
    let service = |needle: &str| cite(prompt, "DefaultCustomerService.java", needle);
    let seed = |needle: &str| cite(prompt, "data.sql", needle);
    match operation(prompt) {
        "GET /quotes" => quotes(prompt),
        "POST /customers" => vec![
            oracle(
                "fv_new_customer",
                customer("Eve", "eve@example.com"),
                json!([status(201), equals("name", json!("Eve")), {"type": "field", "path": "id", "op": "type", "expected": "Long"}]),
                &[service("existsByEmail")],
            ),
            oracle(
                "bi_email_taken",
                customer("Ada", "ada@example.com"),
                json!([status(409), equals("code", json!("conflict"))]),
                &[service("existsByEmail"), seed("Ada Weber")],
            ),
        ],
        "GET /customers/{id}" => vec![
            oracle(
                "fv_seeded_customer",
                json!({"path": {"id": "1"}}),
                json!([status(200), equals("name", json!("Ada Weber"))]),
                &[seed("Ada Weber")],
            ),
            oracle(
                "bi_no_such_customer",
                json!({"path": {"id": "4711"}}),
                json!([status(404)]),
                &[service("no customer ")],
            ),
        ],
        "DELETE /customers/{id}" => vec![
            // Wrong, as the challenger will say: a customer with orders cannot be deleted.
            oracle(
                "fv_delete_customer",
                json!({"path": {"id": "1"}}),
                json!([status(204), {"type": "body", "op": "empty"}]),
                &[service("customers.delete(")],
            ),
            oracle(
                "bi_no_such_customer",
                json!({"path": {"id": "4712"}}),
                json!([status(404)]),
                &[service("no customer ")],
            ),
        ],
        other => panic!("nobody asked for {other}"),
    }
}

fn review(prompt: &str) -> Value {
    match operation(prompt) {
        "DELETE /customers/{id}" if prompt.contains("\"fv_delete_customer\"") => json!({"hints": [
            {"test_id": "fv_delete_customer", "dimension": "assertion_correctness", "hint": "Customer 1 has orders in the seed: the service refuses to delete it. Customer 3 has none."},
            {"test_id": "no_such_oracle", "dimension": "coverage_gaps", "hint": "ignored"},
        ]}),
        _ => json!({"hints": []}),
    }
}

fn again(prompt: &str) -> Value {
    assert_eq!(operation(prompt), "DELETE /customers/{id}");
    assert!(prompt.contains("Customer 3 has none."), "the hint is shown");
    let service = |needle: &str| cite(prompt, "DefaultCustomerService.java", needle);
    let mut better = oracle(
        "fv_delete_customer_without_orders",
        json!({"path": {"id": "3"}}),
        json!([status(204), {"type": "body", "op": "empty"}]),
        &[service("customers.delete("), cite(prompt, "data.sql", "Nora Gruber")],
    );
    better["replaces"] = json!("fv_delete_customer");
    let mut unasked =
        oracle("bi_changed", json!({"path": {"id": "9"}}), json!([status(404)]), &[service("no customer ")]);
    unasked["replaces"] = json!("bi_no_such_customer");
    json!({ "oracles": [better, unasked] })
}

fn associations(prompt: &str) -> Value {
    assert!(prompt.contains("POST /customers | writes"), "{prompt}");
    json!({"groups": [
        {"pattern": "resource_lifecycle", "operations": ["POST /customers", "GET /customers/{id}", "DELETE /customers/{id}", "GET /customers/{id}"],
            "reason": "What is created is found until it is deleted.",
            "flows": [{"from_step": 0, "capture": "body:id", "to_step": 1, "bind": "path.id"}]},
        {"pattern": "identifier_flow", "operations": ["POST /customers", "GET /invented"], "reason": "ignored"},
        {"pattern": "identifier_flow", "operations": ["GET /quotes"], "reason": "one is none"},
    ]})
}

fn sequences(prompt: &str) -> Value {
    // The first citation in the contexts.
    let fact = prompt.split("(e:").nth(1).unwrap().split(')').next().map(|hash| format!("e:{hash}")).unwrap();
    let id = json!({"path.id": "$captures.id"});
    json!({"sequences": [
        {"test_id": "customer_lifecycle", "description": "A customer is found until deleted.", "rationale": "load(id) finds what save has kept.", "evidence": [fact],
            "steps": [
                {"op_id": "POST /customers", "input": customer("Zoe", "zoe@example.com"), "captures": {"id": "body:id"}, "assertions": [status(201)]},
                {"op_id": "GET /customers/{id}", "binds": id, "assertions": [status(200), equals("name", json!("Zoe")), equals("id", json!("$captures.id"))]},
                {"op_id": "DELETE /customers/{id}", "binds": id, "assertions": [status(204)]},
                {"op_id": "GET /customers/{id}", "binds": id, "assertions": [status(404)]},
            ]},
        {"test_id": "wrong", "rationale": "Deleting does not change a name.", "evidence": [fact],
            "steps": [
                {"op_id": "POST /customers", "input": customer("Max", "max@example.com"), "captures": {"id": "body:id"}, "assertions": [status(201)]},
                {"op_id": "GET /customers/{id}", "binds": id, "assertions": [status(200), equals("name", json!("Moritz"))]},
            ]},
        {"test_id": "outside", "evidence": [fact], "steps": [
            {"op_id": "POST /orders", "assertions": [status(201)]}, {"op_id": "GET /customers/{id}", "input": {"path": {"id": "1"}}, "assertions": [status(200)]}]},
        {"test_id": "unbound", "evidence": [fact], "steps": [
            {"op_id": "POST /customers", "input": customer("A", "a@example.com"), "assertions": [status(201)]},
            {"op_id": "GET /customers/{id}", "binds": {"path.id": "$captures.never"}, "assertions": [status(200)]}]},
    ]})
}
