//! Nulls: properties that a confirmed answer holds as null may be null, which the types of Java do not say.

use std::collections::{BTreeMap, BTreeSet};

use openapiv3::{Operation, ReferenceOr, Schema, SchemaData, SchemaKind, Type};
use serde_json::Value;

use super::examples::{answer, confirmed};
use crate::types::described::{Component, SCHEMAS};
use crate::types::oracle::Oracle;

/// Lets properties of components be null that are so in confirmed answers of an operation.
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

/// Collects the properties of components that are null in a value.
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

/// Lets a schema be null; what is only a reference stands in a list of one, beside which more can be said.
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
