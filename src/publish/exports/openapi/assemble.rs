//! Assembles a document from described operations: paths, named components, tags, servers and security.

use std::collections::{BTreeMap, BTreeSet};

use openapiv3::{Components, Info, OpenAPI, PathItem, Paths, ReferenceOr, Server, Tag};
use serde_json::Value;

use super::names::{component_names, operation_ids};
use super::paths::{Routed, routed};
use super::references::{reached, rename};
use super::{examples, nulls};
use mastor_suite::OperationSuite;
use mastor_types::described::{Component, DescribedOperation};
use mastor_types::{Method, OpId};

/// The input of a document.
#[derive(Debug, Clone, Copy)]
pub struct DocumentInput<'a> {
    /// Title of the service.
    pub title: &'a str,
    /// Version of the service, if a build file gives it.
    pub version: Option<&'a str>,
    /// The operations.
    pub operations: &'a [DescribedOperation],
    /// The committed suite.
    pub suites: &'a BTreeMap<OpId, OperationSuite>,
}

/// A document with statistics.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembled {
    /// The document.
    pub value: Value,
    /// The document's name of each operation.
    pub names: BTreeMap<OpId, OpId>,
    /// Number of schemas.
    pub schemas: usize,
    /// Number of schemas without any structure.
    pub open: usize,
    /// Number of examples.
    pub examples: usize,
    /// Examples left out because they contradict their schemas.
    pub left_out: Vec<String>,
}

/// Assembles the document of a service.
pub fn document(given: &DocumentInput<'_>) -> Assembled {
    let (routes, servers) = routed(given.operations);
    let mut components: BTreeMap<String, Component> = BTreeMap::new();
    for route in &routes {
        for (key, component) in &route.described.components {
            // If operations describe the same class differently, the most detailed schema is used.
            let is_fuller = |known: &Component| weight(component) > weight(known);
            if components.get(key).is_none_or(is_fuller) {
                components.insert(key.clone(), component.clone());
            }
        }
    }
    let mut operations: Vec<openapiv3::Operation> = routes.iter().map(|route| route.operation.clone()).collect();
    // If no operation requires security, that is stated once for the whole document.
    if operations.iter().all(|operation| operation.security.as_ref().is_some_and(Vec::is_empty)) {
        operations.iter_mut().for_each(|operation| operation.security = None);
    }
    for (route, id) in routes.iter().zip(operation_ids(&routes)).enumerate().map(|(at, pair)| (at, pair.1)) {
        operations[route].operation_id = Some(id);
    }
    let suites: Vec<Option<&OperationSuite>> =
        routes.iter().map(|route| given.suites.get(&route.described.op_id)).collect();
    for (operation, suite) in operations.iter().zip(&suites) {
        nulls::allow(operation, suite.map_or(&[], |suite| suite.oracles.as_slice()), &mut components);
    }
    let mut told = examples::ExampleWriter::new(&components);
    for ((operation, suite), route) in operations.iter_mut().zip(&suites).zip(&routes) {
        if let Some(suite) = suite {
            told.add(operation, suite, route);
        }
    }
    let (examples, left_out) = (told.count, told.left_out);
    let names = component_names(&components, &reached(&operations, &components));
    let is_open = |key: &&String| components.get(*key).is_some_and(is_open);
    let open: BTreeSet<&String> = names.keys().filter(is_open).filter_map(|key| names.get(key)).collect();
    let open = open.len();
    let typed = typed(given, &routes, operations, servers, (&components, &names));
    let mut value = serde_json::to_value(&typed).unwrap_or_default();
    rename(&mut value, &names);
    let schemas = names.values().collect::<BTreeSet<_>>().len();
    let names = routes.iter().map(|route| (route.described.op_id.clone(), route.name())).collect();
    Assembled { value, names, schemas, open, examples, left_out }
}

/// Builds the typed document.
fn typed(
    given: &DocumentInput<'_>,
    routes: &[Routed<'_>],
    operations: Vec<openapiv3::Operation>,
    servers: Vec<Server>,
    (components, names): (&BTreeMap<String, Component>, &BTreeMap<String, String>),
) -> OpenAPI {
    let mut paths = Paths::default();
    let mut tags: BTreeMap<String, String> = BTreeMap::new();
    for (route, operation) in routes.iter().zip(operations) {
        for tag in &operation.tags {
            tags.entry(tag.clone()).or_insert_with(|| route.described.full_class.clone());
        }
        let item = paths.paths.entry(route.path.clone()).or_insert_with(|| ReferenceOr::Item(PathItem::default()));
        if let ReferenceOr::Item(item) = item {
            *slot(item, route.described.method) = Some(operation);
        }
    }
    let mut schemas: BTreeMap<&String, &Component> = BTreeMap::new();
    for (key, name) in names {
        if let Some(component) = components.get(key) {
            schemas.entry(name).or_insert(component);
        }
    }
    let schemas = schemas.into_iter().map(|(name, component)| (name.clone(), component.schema.clone())).collect();
    let described = |class: &str| format!("What `{class}` serves.");
    let schemes = routes.iter().flat_map(|route| &route.described.schemes);
    let security_schemes =
        schemes.map(|(name, scheme)| (name.clone(), ReferenceOr::Item(scheme.clone()))).collect::<BTreeMap<_, _>>();
    let is_free = |route: &Routed<'_>| route.operation.security.as_ref().is_some_and(Vec::is_empty);
    OpenAPI {
        openapi: "3.0.3".to_owned(),
        info: Info {
            title: given.title.to_owned(),
            description: Some(
                "What the code does, as mastor reads it; examples are answers that were confirmed.".to_owned(),
            ),
            version: given.version.unwrap_or("unversioned").to_owned(),
            ..Info::default()
        },
        servers,
        paths,
        components: Some(Components {
            schemas,
            security_schemes: security_schemes.into_iter().collect(),
            ..Components::default()
        }),
        security: routes.iter().all(is_free).then(Vec::new),
        tags: tags
            .into_iter()
            .map(|(name, class)| Tag { name, description: Some(described(&class)), ..Tag::default() })
            .collect(),
        ..OpenAPI::default()
    }
}

fn slot(item: &mut PathItem, method: Method) -> &mut Option<openapiv3::Operation> {
    match method {
        Method::Get => &mut item.get,
        Method::Head => &mut item.head,
        Method::Post => &mut item.post,
        Method::Put => &mut item.put,
        Method::Patch => &mut item.patch,
        Method::Delete => &mut item.delete,
        Method::Options => &mut item.options,
        Method::Trace => &mut item.trace,
    }
}

/// The level of detail of a schema.
fn weight(component: &Component) -> usize {
    if is_open(component) { 0 } else { serde_json::to_string(&component.schema).map_or(0, |text| text.len()) }
}

/// Whether a schema describes no structure.
fn is_open(component: &Component) -> bool {
    matches!(&component.schema, ReferenceOr::Item(schema) if matches!(schema.schema_kind, openapiv3::SchemaKind::Any(_)))
}
