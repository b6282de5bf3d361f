//! Defects: a tolerated one gives a warning with its location, any other an error with its position.

use super::super::*;
use super::{codes, document, try_read};

/// A document with one operation, and `more` at its end.
fn with_operation(operation: &str, more: &str) -> Document {
    document(&format!("openapi: 3.0.0\npaths:\n  /a:\n    get: {operation}\n{more}"))
}

#[test]
fn lenient_json_is_read_and_named() {
    let read = document(
        "\u{feff}{\n // why not\n \"openapi\": \"3.0.0\", /* , */ \"paths\": {\"/a,}\": {\"get\": {\"responses\": {},},},},\n}",
    );
    assert_eq!(read.operations[0].path, "/a,}");
    assert_eq!(codes(&read), ["not-strict-json"]);
    assert_eq!(read.warnings[0].line, Some(2));
    let saved = document(
        "// 20210424\n// https://example.com/api.json\n\n{\"openapi\": \"3.0.0\", \"paths\": {\"/a\": {\"get\": {\"responses\": {}}}}}",
    );
    assert_eq!((saved.operations.len(), codes(&saved)), (1, vec!["not-strict-json"]));
    assert_eq!(document("{openapi: 3.0.0, paths: {/a: {get: {responses: {}}}}}").operations.len(), 1);
}

#[test]
fn duplicate_keys_are_joined_and_named() {
    let read = document(
        r#"{"openapi": "3.0.0", "paths": {"/a": {"get": {"responses": {}}}, "/a": {"put": {"responses": {}}}}}"#,
    );
    assert_eq!(read.operations.len(), 2);
    assert_eq!(read.warnings[0].code, "duplicate-key");
    assert!(read.warnings[0].message.ends_with("(at #/paths/~1a)"), "{}", read.warnings[0].message);
    let yaml = document("openapi: 3.0.0\npaths:\n  /a: {get: {responses: {}, operationId: a, operationId: b}}\n");
    assert_eq!((yaml.operations[0].operation_id.as_deref(), codes(&yaml)), (Some("b"), vec!["duplicate-key"]));
}

#[test]
fn anchors_aliases_merge_keys_and_tags_are_applied() {
    let read = document(
        "openapi: 3.0.0\nx-common: &common\n  404: {description: none}\n  200: {description: base}\npaths:\n  /a:\n    get: {responses: {<<: *common, 200: {description: own}}}\n    put: {responses: *common, tags: [!custom x]}\n",
    );
    let texts: Vec<_> = read.operations[0].responses.iter().map(|one| one.description.as_deref()).collect();
    assert_eq!(texts, [Some("own"), Some("none")]);
    assert_eq!(read.operations[1].tags, ["x"]);
}

#[test]
fn alias_bombs_end_in_an_error() {
    let mut text = "openapi: 3.0.0\npaths: {}\nx0: &x0 [a,a,a,a,a,a,a,a,a,a]\n".to_owned();
    for level in 1..12 {
        let aliases = vec![format!("*x{}", level - 1); 10].join(",");
        text.push_str(&format!("x{level}: &x{level} [{aliases}]\n"));
    }
    assert!(matches!(try_read(&text), Err(OpenApiError::TooLarge { .. })));
    let wide = format!("openapi: 3.0.0\npaths: {{}}\nx: &x [{}]\ny: [{}]\n", "a,".repeat(3000), "*x,".repeat(3000));
    assert!(matches!(try_read(&wide), Err(OpenApiError::TooLarge { .. })));
}

#[test]
fn unusable_documents_are_errors_with_their_place() {
    let message = |text: &str| try_read(text).unwrap_err().to_string();
    assert!(message("{\"openapi\": \"3.0.0\",\n \"paths\": {").starts_with("api.yaml:2:"));
    assert!(message("openapi: 3.0.0\npaths:\n\t/a: {}\n").starts_with("api.yaml:3:1: a tab where YAML wants spaces"));
    assert_eq!(message("- a"), "api.yaml#: the document is not an object");
    assert_eq!(message("openapi: 3.0.0"), "api.yaml#: the document has no `paths`");
    assert_eq!(message("openapi: 3.0.0\npaths: 7"), "api.yaml#/paths: `paths` is not an object");
    assert!(try_read("").is_err());
    assert_eq!(read(&MemoryFiles::default(), "x.yaml").unwrap_err().to_string(), "x.yaml: no such file");
    assert!(try_read(&"[".repeat(10_000)).is_err());
}

#[test]
fn what_does_not_matter_is_forgiven() {
    let read =
        with_operation("{parameters: null, tags: one, operationId: 7, deprecated: 'true', unknown: 1}", "info: null\n");
    assert_eq!(read.operations.len(), 1);
    assert_eq!((read.operations[0].tags.len(), read.operations[0].deprecated), (1, true));
    assert_eq!(codes(&read), ["bad-value", "no-responses"]);
    assert_eq!(codes(&document("openapi: 3.0.0\npaths:\n")), ["no-paths"]);
    assert_eq!(codes(&document("paths: {/a: {get: {responses: {}}}}")), ["no-version"]);
    assert_eq!(codes(&document("openapi: 4.0.0\npaths: {/a: {get: {responses: {}}}}")), ["unknown-version"]);
    let odd = document("openapi: 3.0.0\npaths:\n  x-y: 1\n  a: {GET: {responses: {}}, copy: {}, put: 3}\n");
    assert_eq!(odd.operations[0].op_id, "GET a");
    assert_eq!(codes(&odd), ["bad-value", "relative-path", "unknown-method", "upper-case-method"]);
}

#[test]
fn doubtful_parameters_are_named() {
    let read = with_operation(
        "{responses: {x: {}, 200: 3}, parameters: [{name: b, in: path}, {in: query}, {name: c}, {name: d, in: moon}, 5]}",
        "  /z/{q}: {get: {responses: {}}}\n",
    );
    let names: Vec<_> = read.operations[0].parameters.iter().map(|one| (one.name.as_str(), one.location)).collect();
    assert_eq!(names, [("b", In::Path), ("c", In::Query)]);
    assert_eq!(
        codes(&read),
        [
            "bad-location",
            "bad-status",
            "bad-value",
            "bogus-path-parameter",
            "nameless-parameter",
            "undeclared-path-parameter"
        ]
    );
    assert_eq!(read.operations[0].responses.len(), 2, "a declared status stays declared");
}

#[test]
fn references_that_lead_nowhere_are_named() {
    let read = with_operation(
        "{parameters: [{$ref: '#/components/parameters/No'}], responses: {200: {$ref: 'no.yaml#/x'}, 201: {$ref: 'https://h/x.yaml'}, 202: {$ref: '#/components/responses/A'}}}",
        "components:\n  responses: {A: {$ref: '#/components/responses/B'}, B: {$ref: '#/components/responses/A'}}\n  examples: {E: {value: {$ref: data}}}\n",
    );
    assert_eq!(codes(&read), ["cyclic-ref", "missing-ref", "remote-ref"]);
    assert_eq!(read.operations[0].responses.len(), 3);
    assert!(
        read.warnings
            .iter()
            .any(|one| one.message == "`$ref` no.yaml#/x has no target (at #/paths/~1a/get/responses/200)")
    );
}

#[test]
fn cycles_of_all_of_end() {
    let read = with_operation(
        "{responses: {}}",
        "components: {schemas: {A: {allOf: [{$ref: '#/components/schemas/B'}], properties: {a: {}}}, B: {allOf: [{$ref: '#/components/schemas/A'}], properties: {b: {}}}}}\n",
    );
    assert_eq!(codes(&read), ["cyclic-ref"]);
    let merged = read.resolve(&read.schema("A").unwrap());
    assert_eq!(merged.properties.keys().collect::<Vec<_>>(), ["b", "a"]);
}

#[test]
fn odd_schemas_are_read_as_far_as_they_go() {
    let read = with_operation(
        "{responses: {200: {description: x, content: {t/t: {schema: {$ref: '#/components/schemas/A b/c'}}}}}}",
        "components: {schemas: {'A b/c': {type: strin, minimum: '3', maxLength: -1, enum: one, required: yes, properties: [], items: {$ref: Bare}}, Bare: {type: string}}}\n",
    );
    assert_eq!(codes(&read), ["bad-schema", "unknown-type"]);
    let odd = read.resolve(read.operations[0].responses[0].schema().unwrap());
    assert_eq!((odd.name.as_deref(), odd.types.len(), odd.max_length), (Some("A b/c"), 0, None));
    assert_eq!(odd.minimum.unwrap().value, 3.into());
    assert_eq!(read.resolve(odd.items.as_ref().unwrap()).types, [JsonType::String]);
}

#[test]
fn operations_that_look_alike_are_named() {
    let read = document(
        "openapi: 3.0.0\npaths:\n  /a/{x}: {get: {operationId: o, security: [{none: []}], parameters: [{name: x, in: path}], responses: {}}}\n  /a/{y}/: {get: {operationId: o, parameters: [{name: y, in: path}], responses: {}}}\n",
    );
    assert_eq!(codes(&read), ["same-operation-id", "same-template", "unknown-scheme"]);
}
