//! Nulls: marks properties as nullable if a confirmed answer holds null there, since Java's types do not tell.

use std::collections::{BTreeMap, BTreeSet};

use openapiv3::{Operation, ReferenceOr, Schema, SchemaData, SchemaKind, Type};
use serde_json::Value;

use super::examples::{answer, confirmed};
use mastor_types::described::{Component, SCHEMAS};
use mastor_types::suite::oracle::Oracle;

/// Marks component properties as nullable that are null in an operation's confirmed answers.
pub(super) fn allow(operation: &Operation, oracles: &[Oracle], components: &mut BTreeMap<String, Component>) {
    let mut found: BTreeSet<(String, String)> = BTreeSet::new();
    for oracle in confirmed(oracles) {
        let Some(answer) = answer(oracle) else { continue };
        for status in oracle.statuses() {
            let response = operation.responses.responses.get(&openapiv3::StatusCode::Code(status));
            let Some(ReferenceOr::Item(response)) = response else { continue };
            for schema in response.content.values().filter_map(|media| media.schema.as_ref()) {
                nulls(schema, &answer.value, None, components, &mut found);
            }
        }
    }
    for (key, name) in found {
        let Some(Component { schema: ReferenceOr::Item(schema), .. }) = components.get_mut(&key) else { continue };
        if let SchemaKind::Type(Type::Object(object)) = &mut schema.schema_kind
            && let Some(property) = object.properties.get_mut(&name)
        {
            nullable(property);
        }
    }
}

/// Collects component properties that are null in a value.
fn nulls(
    schema: &ReferenceOr<Schema>,
    value: &Value,
    holder: Option<&str>,
    components: &BTreeMap<String, Component>,
    found: &mut BTreeSet<(String, String)>,
) {
    let schema = match schema {
        ReferenceOr::Item(schema) => schema,
        ReferenceOr::Reference { reference } => {
            let Some(key) = reference.strip_prefix(SCHEMAS) else { return };
            if let Some(component) = components.get(key) {
                nulls(&component.schema, value, Some(key), components, found);
            }
            return;
        }
    };
    match (&schema.schema_kind, value) {
        (SchemaKind::Type(Type::Object(object)), Value::Object(map)) => {
            for (name, property) in &object.properties {
                match map.get(name) {
                    Some(Value::Null) => found.extend(holder.map(|key| (key.to_owned(), name.clone()))),
                    Some(inner) => nulls(&unboxed(property), inner, None, components, found),
                    None => {}
                }
            }
        }
        (SchemaKind::Type(Type::Array(list)), Value::Array(items)) => {
            let Some(of) = &list.items else { return };
            items.iter().for_each(|item| nulls(&unboxed(of), item, None, components, found));
        }
        _ => {}
    }
}

fn unboxed(schema: &ReferenceOr<Box<Schema>>) -> ReferenceOr<Schema> {
    schema.clone().unbox()
}

/// Marks a schema as nullable; a reference is first wrapped in `allOf`, since nothing may stand beside it.
fn nullable(schema: &mut ReferenceOr<Box<Schema>>) {
    match schema {
        ReferenceOr::Item(schema) => schema.schema_data.nullable = true,
        ReferenceOr::Reference { reference } => {
            let all_of = vec![ReferenceOr::Reference { reference: std::mem::take(reference) }];
            let schema_data = SchemaData { nullable: true, ..SchemaData::default() };
            *schema = ReferenceOr::Item(Box::new(Schema { schema_data, schema_kind: SchemaKind::AllOf { all_of } }));
        }
    }
}
