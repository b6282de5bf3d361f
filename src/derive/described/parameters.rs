//! Path, query, header and cookie parameters in OpenAPI form.

use std::collections::BTreeSet;

use openapiv3::{Parameter, ParameterData, ParameterSchemaOrContent, ReferenceOr, Schema, SchemaKind, Type as Kind};
use serde_json::Value as Json;

use super::limits::{limit, text};
use super::schemas::Schemas;
use mastor_frameworks::{Location, paths};
use mastor_java::interpret::values::term::Input;
use mastor_runtime::bench::Bench;
use mastor_runtime::request::slot::{Slot, place};
use mastor_types::suite::source_context::{ConstraintKind, Location as Wire, SourceContext};

/// Headers that OpenAPI expresses elsewhere: by media types and security.
const ELSEWHERE: &[&str] = &["accept", "content-type", "authorization"];

/// The parameters of an operation: path parameters in path order, then the others in the order of the code.
pub(super) fn parameters(
    bench: &Bench<'_>,
    schemas: &mut Schemas<'_>,
    context: &SourceContext,
) -> Vec<ReferenceOr<Parameter>> {
    let mut found: Vec<Parameter> = Vec::new();
    for variable in paths::template(&bench.subject.endpoint.raw_path).1 {
        let slot = bench.signature.slot(&Input::new(place(Location::Path), &variable.name));
        let mut schema = match slot {
            Some(slot) => schema(schemas, slot, context),
            None => ReferenceOr::Item(text(None)),
        };
        let regex = variable.regex.filter(|regex| regex != ".*").map(|regex| ConstraintKind::Pattern { regex });
        // The type of a number already defines its form.
        let is_text = matches!(
            &schema,
            ReferenceOr::Item(Schema { schema_kind: SchemaKind::Type(Kind::String(text)), .. })
                if text.enumeration.is_empty() && text.format.is_empty()
        );
        limit(&mut schema, regex.iter().filter(|_| is_text));
        let data = data(&variable.name, true, schema);
        found.push(Parameter::Path { parameter_data: data, style: Default::default() });
    }
    let mut named: BTreeSet<(Location, String)> = BTreeSet::new();
    for slot in bench.signature.slots.iter().filter(|slot| !slot.input.name.is_empty()) {
        let name = slot.input.name.to_string();
        if !slot.is_read() || !named.insert((slot.location, name.clone())) {
            continue;
        }
        let make: fn(ParameterData) -> Parameter = match slot.location {
            Location::Query => |parameter_data| Parameter::Query {
                parameter_data,
                allow_reserved: false,
                style: Default::default(),
                allow_empty_value: None,
            },
            Location::Header if ELSEWHERE.contains(&name.to_lowercase().as_str()) => continue,
            Location::Header => |parameter_data| Parameter::Header { parameter_data, style: Default::default() },
            Location::Cookie => |parameter_data| Parameter::Cookie { parameter_data, style: Default::default() },
            _ => continue,
        };
        let schema = schema(schemas, slot, context);
        found.push(make(data(&name, slot.required, schema)));
    }
    found.into_iter().map(ReferenceOr::Item).collect()
}

fn data(name: &str, required: bool, schema: ReferenceOr<Schema>) -> ParameterData {
    ParameterData {
        name: name.to_owned(),
        description: None,
        required,
        deprecated: None,
        format: ParameterSchemaOrContent::Schema(schema),
        example: None,
        examples: Default::default(),
        explode: None,
        extensions: Default::default(),
    }
}

/// The schema of a parameter with its constraints and default.
fn schema(schemas: &Schemas<'_>, slot: &Slot, context: &SourceContext) -> ReferenceOr<Schema> {
    let mut schema = schemas.parameter(slot);
    schema.schema_data.default = slot.default.as_ref().and_then(|text| default(&schema, text));
    let mut schema = ReferenceOr::Item(schema);
    let param = context
        .request_params
        .iter()
        .find(|param| *param.name == *slot.input.name && wire(slot.location) == Some(param.location));
    limit(&mut schema, param.iter().flat_map(|param| &param.constraints).map(|constraint| &constraint.kind));
    schema
}

/// The location of a parameter, in the terms of source contexts.
pub(super) fn wire(location: Location) -> Option<Wire> {
    Some(match location {
        Location::Path => Wire::Path,
        Location::Query => Wire::Query,
        Location::Header => Wire::Header,
        Location::Cookie => Wire::Cookie,
        Location::Form | Location::Part => Wire::Form,
        _ => return None,
    })
}

/// A default value, converted to the parameter's type.
fn default(schema: &Schema, text: &str) -> Option<Json> {
    match &schema.schema_kind {
        SchemaKind::Type(Kind::Integer(_)) => text.parse::<i64>().ok().map(Json::from),
        SchemaKind::Type(Kind::Number(_)) => text.parse::<f64>().ok().map(Json::from),
        SchemaKind::Type(Kind::Boolean(_)) => text.parse::<bool>().ok().map(Json::from),
        SchemaKind::Type(Kind::Array(_)) => {
            let is_texts = |kind: &SchemaKind| matches!(kind, SchemaKind::Type(Kind::String(_)));
            let SchemaKind::Type(Kind::Array(list)) = &schema.schema_kind else { return None };
            let texts = matches!(&list.items, Some(ReferenceOr::Item(item)) if is_texts(&item.schema_kind));
            let items = text.split(',').filter(|item| !item.is_empty()).map(Json::from);
            texts.then(|| Json::Array(items.collect()))
        }
        SchemaKind::Type(Kind::String(own)) => {
            let known = |text: &str| own.enumeration.iter().any(|one| one.as_deref() == Some(text));
            (own.enumeration.is_empty() || known(text)).then(|| Json::from(text))
        }
        _ => None,
    }
}
