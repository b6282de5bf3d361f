//! Request bodies in OpenAPI form.

use openapiv3::{MediaType, ObjectType, ReferenceOr, RequestBody, Schema, SchemaKind, Type as Kind};

use super::limits::{limit, of_kind, text};
use super::schemas::{SchemaDirection, Schemas, boxed};
use mastor_frameworks::{Endpoint, Location};
use mastor_java::interpret::values::value::Type;
use mastor_runtime::bench::Bench;
use mastor_runtime::body::media::is_known;
use mastor_runtime::request::slot::Slot;
use mastor_runtime::validation::constraints::is_constraint;
use mastor_types::suite::source_context::ConstraintKind;

/// The body that an operation reads; `None` if it reads none.
pub(super) fn request_body(bench: &Bench<'_>, schemas: &mut Schemas<'_>) -> Option<RequestBody> {
    match bench.signature.body() {
        Some(slot) => Some(whole(bench, schemas, slot)),
        None => form(bench, schemas),
    }
}

/// A body with a single value.
fn whole(bench: &Bench<'_>, schemas: &mut Schemas<'_>, slot: &Slot) -> RequestBody {
    let is_bytes = is_binary(&slot.ty);
    let schema = match is_bytes {
        true => ReferenceOr::Item(text(Some("binary"))),
        false => schemas.schema(&slot.ty, SchemaDirection::Read { validated: slot.validated }),
    };
    let fallback = match &bench.signature.text_body {
        Some(kind) => kind.as_str(),
        None if is_bytes => "application/octet-stream",
        None => bench.signature.taken.json(),
    };
    let names = named(&bench.subject.endpoint.consumes);
    let names = if names.is_empty() { vec![fallback.to_owned()] } else { names };
    body(names, schema, slot.required)
}

/// A form with its fields.
fn form(bench: &Bench<'_>, schemas: &mut Schemas<'_>) -> Option<RequestBody> {
    let is_field = |slot: &&Slot| {
        matches!(slot.location, Location::Form | Location::Part) && slot.is_read() && !slot.input.name.is_empty()
    };
    let fields: Vec<&Slot> = bench.signature.slots.iter().filter(is_field).collect();
    if fields.is_empty() {
        return None;
    }
    let project = bench.subject.project;
    let mut object = ObjectType::default();
    for field in &fields {
        let is_object = field.location == Location::Part && field.ty.project().is_some();
        let mut schema = match is_object {
            true => schemas.schema(&field.ty, SchemaDirection::Read { validated: field.validated }),
            false => ReferenceOr::Item(schemas.parameter(field)),
        };
        let scope = bench.subject.endpoint.entry.ty;
        let own = field.constraints.iter().filter(|one| is_constraint(project, scope, one) == Some(true));
        let kinds: Vec<ConstraintKind> =
            own.filter_map(|one| crate::oracles::contexts::constraint(one, &field.ty)).collect();
        limit(&mut schema, kinds.iter());
        if field.required {
            object.required.push(field.input.name.to_string());
        }
        object.properties.insert(field.input.name.to_string(), boxed(schema));
    }
    let in_parts = fields.iter().any(|field| field.location == Location::Part);
    let fallback = if in_parts { "multipart/form-data" } else { "application/x-www-form-urlencoded" };
    let names: Vec<String> =
        named(&bench.subject.endpoint.consumes).into_iter().filter(|name| name.contains("form")).collect();
    let names = if names.is_empty() { vec![fallback.to_owned()] } else { names };
    let is_required = !object.required.is_empty();
    Some(body(names, ReferenceOr::Item(of_kind(SchemaKind::Type(Kind::Object(object)))), is_required))
}

fn body(names: Vec<String>, schema: ReferenceOr<Schema>, required: bool) -> RequestBody {
    let media = MediaType { schema: Some(schema), ..MediaType::default() };
    let content = names.into_iter().map(|name| (name, media.clone())).collect();
    RequestBody { content, required, ..RequestBody::default() }
}

/// The literal media types of a mapping.
pub(super) fn named(kinds: &[String]) -> Vec<String> {
    let is_name = |kind: &&String| is_known(kind) && !kind.trim_start().starts_with('!');
    kinds.iter().filter(is_name).map(|kind| kind.trim().to_owned()).collect()
}

/// The literal media types that an endpoint produces.
pub(super) fn produced(endpoint: &Endpoint) -> Vec<String> {
    named(&endpoint.produces)
}

/// Whether values of this type are sent as bytes.
pub(super) fn is_binary(ty: &Type) -> bool {
    const BYTES: &[&str] = &[
        "java.io.File",
        "java.io.InputStream",
        "java.nio.ByteBuffer",
        "org.springframework.core.io.ByteArrayResource",
        "org.springframework.core.io.InputStreamResource",
        "org.springframework.core.io.Resource",
        "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
    ];
    match ty {
        Type::Array(element) => **element == Type::Prim(mastor_java::interpret::values::scalar::Prim::Byte),
        other => other.library().is_some_and(|fqn| BYTES.contains(&fqn) || fqn.ends_with(".StreamingOutput")),
    }
}
