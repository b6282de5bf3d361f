//! Defects of the whole document: dead references, cycles, doubtful schemas, duplicate and undeclared names.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::document::{Operation, SecurityScheme};
use super::paths::template_key;
use super::place::DocumentLocation;
use super::refs::{Sources, each_reference};
use super::schema::Additional;
use super::version::SpecVersion;
use super::view;
use mastor_types::Warning;

/// Adds the warnings about the whole document; warnings about single operations exist already.
pub(super) fn check(
    sources: &Sources,
    version: SpecVersion,
    operations: &[Operation],
    schemes: &[SecurityScheme],
    warnings: &mut Vec<Warning>,
) {
    references(sources, warnings);
    schemas(sources, version, operations, warnings);
    names(operations, schemes, warnings);
}

/// Checks that every reference in every file has a target.
fn references(sources: &Sources, warnings: &mut Vec<Warning>) {
    for (file, value) in sources.iter() {
        each_reference(&DocumentLocation::new(file, ""), value, &mut |at, _| {
            if let Err(dead) = sources.follow(at) {
                warnings.push(dead.warning(at));
            }
        });
    }
}

/// Checks every schema, named or used. Each is visited once, so that recursive schemas terminate.
fn schemas(sources: &Sources, version: SpecVersion, operations: &[Operation], warnings: &mut Vec<Warning>) {
    let mut wanted: Vec<DocumentLocation> = Vec::new();
    for (file, value) in sources.iter() {
        for parent in ["/definitions", "/components/schemas"] {
            let named = value.pointer(parent).and_then(Value::as_object);
            wanted
                .extend(named.into_iter().flat_map(Map::keys).map(|name| DocumentLocation::new(file, parent).at(name)));
        }
    }
    for operation in operations {
        wanted.extend(operation.parameters.iter().map(|parameter| parameter.schema.clone()));
        let bodies = operation.request_body.iter().flat_map(|body| &body.content);
        let answers = operation.responses.iter().flat_map(|response| &response.content);
        wanted.extend(bodies.chain(answers).filter_map(|media| media.schema.clone()));
    }
    let mut seen = BTreeSet::new();
    while let Some(at) = wanted.pop() {
        if !seen.insert(at.clone()) {
            continue;
        }
        let schema = view::schema(sources, version, &at, warnings);
        if schema.at.as_ref().is_some_and(|target| *target != at && !seen.insert(target.clone())) {
            continue;
        }
        wanted.extend(schema.properties.into_values());
        wanted.extend(schema.items.into_iter().chain(schema.prefix_items).chain(schema.not));
        wanted.extend(schema.one_of.into_iter().chain(schema.any_of));
        if let Additional::Schema(at) = schema.additional {
            wanted.push(at);
        }
    }
}

/// Checks that no two operations share a template or an `operationId`, and that every security scheme is declared.
fn names(operations: &[Operation], schemes: &[SecurityScheme], warnings: &mut Vec<Warning>) {
    let (mut keys, mut ids) = (BTreeMap::new(), BTreeMap::new());
    for operation in operations {
        if let Some(other) = keys.insert(template_key(&operation.op_id), &operation.op_id) {
            warnings
                .push(operation.at.warn("same-template", format_args!("the template is the same as that of {other}")));
        }
        if let Some(other) = operation.operation_id.as_ref().and_then(|id| ids.insert(id.clone(), &operation.op_id)) {
            warnings.push(operation.at.warn("same-operation-id", format_args!("{other} has the same `operationId`")));
        }
        for (name, _) in operation.security.alternatives.iter().flatten() {
            if !schemes.iter().any(|scheme| scheme.name == *name) {
                warnings.push(
                    operation.at.warn("unknown-scheme", format_args!("the security scheme `{name}` is not declared")),
                );
            }
        }
    }
}
