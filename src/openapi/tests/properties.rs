//! Properties: no input makes the reader panic, and reading is the same every time.

use proptest::prelude::*;
use serde_json::{Map, Value};

use super::super::*;

/// Keys that the reader looks for, so that arbitrary documents get past the first check.
const KEYS: [&str; 34] = [
    "openapi",
    "swagger",
    "paths",
    "/a/{b}",
    "/a",
    "get",
    "put",
    "parameters",
    "responses",
    "200",
    "default",
    "schema",
    "content",
    "application/json",
    "properties",
    "items",
    "allOf",
    "oneOf",
    "$ref",
    "type",
    "enum",
    "required",
    "name",
    "in",
    "components",
    "schemas",
    "A",
    "B",
    "servers",
    "url",
    "security",
    "definitions",
    "minimum",
    "additionalProperties",
];
const TEXTS: [&str; 14] = [
    "3.0.0",
    "3.1.0",
    "2.0",
    "#/components/schemas/A",
    "#/definitions/B",
    "#/paths/~1a",
    "#",
    "other.yaml#/A",
    "https://h/x",
    "path",
    "query",
    "object",
    "{x}",
    "%zz",
];

fn arbitrary() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::sample::select(&TEXTS[..]).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(7, 96, 6, |inner| {
        let key = prop_oneof![8 => prop::sample::select(&KEYS[..]).prop_map(str::to_owned), 1 => ".{0,4}"];
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            4 => prop::collection::vec((key, inner), 0..6).prop_map(|all| Value::Object(all.into_iter().collect())),
        ]
    })
}

/// Reads a document and resolves everything in it.
fn exercise(bytes: Vec<u8>) {
    let files = MemoryFiles::default().with("openapi.json", bytes.clone()).with("other.yaml", bytes);
    discover(&files, "");
    let Ok(document) = read(&files, "openapi.json") else { return };
    for operation in &document.operations {
        let part = operation_part(&document, operation);
        assert_eq!(part, operation_part(&document, operation));
        for place in referenced(&document, operation) {
            document.resolve(&place);
        }
        for parameter in &operation.parameters {
            document.resolve(&parameter.schema);
        }
    }
    assert_eq!(read(&files, "openapi.json").unwrap(), document);
}

proptest! {
    #[test]
    fn arbitrary_values_never_panic(paths in arbitrary(), components in arbitrary(), item in arbitrary(), version in prop::sample::select(&["2.0", "3.0.1", "3.1.0"][..])) {
        let mut root = Map::new();
        root.insert(if version == "2.0" { "swagger" } else { "openapi" }.into(), version.into());
        let mut all = paths.as_object().cloned().unwrap_or_default();
        all.insert("/a/{b}".into(), item);
        root.insert("paths".into(), all.into());
        root.insert("components".into(), components.clone());
        root.insert("definitions".into(), components);
        exercise(Value::Object(root).to_string().into_bytes());
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise(bytes);
    }

    #[test]
    fn arbitrary_text_around_a_document_never_panics(before in "[ -~\n\t]{0,12}", after in "[ -~\n\té€]{0,40}") {
        exercise(format!("{before}{{\"openapi\": \"3.0.0\", \"paths\": {{}},{after}").into_bytes());
        exercise(format!("openapi: 3.0.0\npaths:\n  /a: {after}").into_bytes());
    }

    #[test]
    fn template_keys_are_stable(path in ".{0,30}") {
        let key = template_key(&path);
        prop_assert_eq!(template_key(&key), key);
    }
}
