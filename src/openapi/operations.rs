//! Operations: the methods of each path with their own and the path's parameters, and the security in force.

use serde_json::{Map, Value};

use super::document::{In, Operation, Parameter, Security, SecurityFrom};
use super::paths::template_parameters;
use super::payloads;
use super::place::DocumentLocation;
use super::reader::Reader;
use mastor_types::Method;

/// The operations of all paths, in the order of the document.
pub(super) fn read(reader: &mut Reader<'_>, at: &DocumentLocation, paths: &Map<String, Value>) -> Vec<Operation> {
    let mut operations = Vec::new();
    for path in paths.keys().filter(|path| !path.starts_with("x-")) {
        let own = at.at(path);
        if !path.starts_with('/') {
            reader.warn(&own, "relative-path", "the path does not start with a slash");
        }
        let Some((shared, item)) = reader.object(&own, "path item") else { continue };
        let mut items = vec![(shared.clone(), item)];
        if shared != own {
            // Methods beside a `$ref` are declared on the path itself.
            items.extend(reader.sources.get(&own).and_then(Value::as_object).map(|item| (own, item)));
        }
        for (at, item) in items {
            path_item(reader, path, &at, item, &mut operations);
        }
    }
    operations
}

fn path_item(
    reader: &mut Reader<'_>,
    path: &str,
    at: &DocumentLocation,
    item: &Map<String, Value>,
    operations: &mut Vec<Operation>,
) {
    let shared = parameters(reader, at, item);
    for key in item.keys() {
        let own = at.at(key);
        match Method::parse(key) {
            Some(method) => {
                if key.chars().any(|c| c.is_ascii_uppercase()) {
                    reader.warn(&own, "upper-case-method", "the method is not written in lower case");
                }
                if let Some((found, value)) = reader.object(&own, "operation") {
                    operations.push(operation(reader, method, path, (at, item), (&found, value), &shared));
                }
            }
            None if matches!(key.as_str(), "$ref" | "parameters" | "servers" | "summary" | "description") => {}
            None if key.starts_with("x-") => {}
            None => reader.warn(&own, "unknown-method", format_args!("`{key}` is no method; left out")),
        }
    }
}

fn operation(
    reader: &mut Reader<'_>,
    method: Method,
    path: &str,
    (item_at, item): (&DocumentLocation, &Map<String, Value>),
    (at, map): (&DocumentLocation, &Map<String, Value>),
    shared: &[Parameter],
) -> Operation {
    let mut parameters = merged(shared, parameters(reader, at, map));
    check_path_parameters(reader, path, at, &mut parameters);
    let request_body = payloads::request_body(reader, at, map, &parameters);
    let responses = payloads::responses(reader, at, map);
    let mut extensions: Map<String, Value> = extensions(item);
    extensions.extend(self::extensions(map));
    let base_paths = reader.servers(at, map).or_else(|| reader.servers(item_at, item));
    Operation {
        method,
        path: path.to_owned(),
        op_id: format!("{method} {path}"),
        operation_id: reader.text(at, map, "operationId").filter(|id| !id.is_empty()),
        tags: reader.texts(at, map, "tags"),
        parameters,
        request_body,
        is_default_block: payloads::is_default_block(&responses),
        responses,
        security: security(reader, at, map),
        deprecated: reader.flag(at, map, "deprecated").unwrap_or(false),
        extensions,
        base_paths,
        at: at.clone(),
        path_item: item_at.clone(),
    }
}

/// The path's parameters; an operation's parameter of the same name and location replaces the path's.
fn merged(shared: &[Parameter], own: Vec<Parameter>) -> Vec<Parameter> {
    let mut all = shared.to_vec();
    for parameter in own {
        match all.iter_mut().find(|earlier| earlier.name == parameter.name && earlier.location == parameter.location) {
            Some(earlier) => *earlier = parameter,
            None => all.push(parameter),
        }
    }
    all
}

fn check_path_parameters(reader: &mut Reader<'_>, path: &str, at: &DocumentLocation, parameters: &mut [Parameter]) {
    let names = template_parameters(path);
    for name in &names {
        if !parameters.iter().any(|parameter| parameter.location == In::Path && parameter.name == *name) {
            reader.warn(
                at,
                "undeclared-path-parameter",
                format_args!("the path has `{{{name}}}`, and no parameter says what it is"),
            );
        }
    }
    for parameter in parameters.iter_mut().filter(|parameter| parameter.location == In::Path) {
        if !names.contains(&parameter.name) {
            let what = format!("the path has no `{{{}}}` for the path parameter", parameter.name);
            reader.warn(&parameter.at, "bogus-path-parameter", what);
        }
        parameter.required = true;
    }
}

/// The readable parameters of an operation or of a path.
fn parameters(reader: &mut Reader<'_>, at: &DocumentLocation, map: &Map<String, Value>) -> Vec<Parameter> {
    let at = at.at("parameters");
    let places: Vec<DocumentLocation> = match map.get("parameters") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => (0..items.len()).map(|index| at.at(&index.to_string())).collect(),
        Some(Value::Object(named)) => {
            reader.warn(&at, "bad-value", "`parameters` is not a list; its members are read");
            named.keys().map(|name| at.at(name)).collect()
        }
        Some(_) => {
            reader.warn(&at, "bad-value", "`parameters` is not a list; left out");
            Vec::new()
        }
    };
    places.iter().filter_map(|place| parameter(reader, place)).collect()
}

fn parameter(reader: &mut Reader<'_>, at: &DocumentLocation) -> Option<Parameter> {
    let (at, map) = reader.object(at, "parameter")?;
    let location = location(reader, &at, map)?;
    let name = match reader.text(&at, map, "name") {
        Some(name) => name,
        None if location == In::Body => "body".to_owned(),
        None => {
            reader.warn(&at, "nameless-parameter", "the parameter has no name; left out");
            return None;
        }
    };
    let (schema, media_type) = match map.get("content") {
        Some(Value::Object(content)) if !content.is_empty() && !map.contains_key("schema") => {
            let media = content.keys().next().cloned().unwrap_or_default();
            (at.at("content").at(&media).at("schema"), Some(media))
        }
        _ if map.get("schema").is_some_and(Value::is_object) => (at.at("schema"), None),
        _ => (at.clone(), None),
    };
    Some(Parameter {
        required: location == In::Path || reader.flag(&at, map, "required").unwrap_or(false),
        name,
        location,
        schema,
        media_type,
        list_style: reader.text(&at, map, "collectionFormat").or_else(|| reader.text(&at, map, "style")),
        explode: reader.flag(&at, map, "explode"),
        deprecated: reader.flag(&at, map, "deprecated").unwrap_or(false),
        extensions: extensions(map),
        at,
    })
}

fn location(reader: &mut Reader<'_>, at: &DocumentLocation, map: &Map<String, Value>) -> Option<In> {
    let text = reader.text(at, map, "in");
    Some(match text.as_deref().map(str::to_ascii_lowercase).as_deref() {
        Some("path") => In::Path,
        Some("query" | "querystring") => In::Query,
        Some("header") => In::Header,
        Some("cookie") => In::Cookie,
        Some("body") => In::Body,
        Some("formdata" | "form") => In::FormData,
        Some(other) => {
            reader.warn(at, "bad-location", format_args!("no parameter goes into `{other}`; left out"));
            return None;
        }
        None => {
            reader.warn(at, "bad-location", "the parameter does not say where it goes; read as a query parameter");
            In::Query
        }
    })
}

/// The `x-…` members of an object.
pub(super) fn extensions(map: &Map<String, Value>) -> Map<String, Value> {
    map.iter().filter(|(key, _)| key.starts_with("x-")).map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn security(reader: &mut Reader<'_>, at: &DocumentLocation, map: &Map<String, Value>) -> Security {
    let (from, at, said) = match (map.get("security"), reader.root.get("security")) {
        (Some(said @ Value::Array(_)), _) => (SecurityFrom::Operation, at.at("security"), said),
        (_, Some(said @ Value::Array(_))) => {
            (SecurityFrom::Document, DocumentLocation::new(&at.file, "/security"), said)
        }
        _ => return Security { from: SecurityFrom::Unsaid, alternatives: Vec::new() },
    };
    let mut alternatives = Vec::new();
    for alternative in said.as_array().into_iter().flatten() {
        let Value::Object(schemes) = alternative else {
            reader.warn(&at, "bad-value", "a security requirement is not an object; left out");
            continue;
        };
        let scopes = |value: &Value| -> Vec<String> {
            value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        alternatives.push(schemes.iter().map(|(name, value)| (name.clone(), scopes(value))).collect());
    }
    Security { from, alternatives }
}
