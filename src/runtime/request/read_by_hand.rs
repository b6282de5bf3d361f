//! Parameters that handler code reads from the request itself, as the document describes them: query parameters,
//! headers and form fields.

use super::slot::Slot;
use crate::subject::Subject;
use mastor_frameworks::Location;
use mastor_frameworks::record::Serving;
use mastor_openapi::In;
use mastor_openapi::place::SchemaRef;
use mastor_openapi::schema::Schema;

/// The documented parameters of a handler that reads the request itself.
pub fn params(subject: &Subject<'_>) -> Vec<Slot> {
    let Some(operation) = subject.document.and_then(|document| document.operation(subject.op_id.as_str())) else {
        return Vec::new();
    };
    let location = |of: In| match of {
        In::Query => Some(Location::Query),
        In::Header => Some(Location::Header),
        _ => None,
    };
    let params = operation.parameters.iter();
    let mut found: Vec<Slot> =
        params.filter_map(|param| Some(Slot::unread(location(param.location)?, &param.name, param.required))).collect();
    for (name, _, required) in fields(subject) {
        found.push(Slot::unread(Location::Form, &name, required));
    }
    found
}

/// The documented form fields, with whether each is required.
fn fields(subject: &Subject<'_>) -> Vec<(String, SchemaRef, bool)> {
    let body = subject.document.and_then(|document| {
        let body = document.operation(subject.op_id.as_str())?.request_body.as_ref()?;
        if !body.form.is_empty() {
            return None;
        }
        let form = body.content.iter().find(|media| media.name == "application/x-www-form-urlencoded")?;
        Some(document.resolve(form.schema.as_ref()?))
    });
    let Some(schema) = body else { return old_fields(subject) };
    schema.properties.iter().map(|(name, field)| (name.clone(), field.clone(), schema.requires(name))).collect()
}

/// The form fields of a Swagger 2 document, whose forms have no schema of their own.
fn old_fields(subject: &Subject<'_>) -> Vec<(String, SchemaRef, bool)> {
    let operation = subject.document.and_then(|document| document.operation(subject.op_id.as_str()));
    let form = operation.and_then(|operation| operation.request_body.as_ref()).map(|body| &body.form);
    form.into_iter().flatten().map(|param| (param.name.clone(), param.schema.clone(), param.required)).collect()
}

/// The documented schema of a parameter that code reads itself.
pub fn schema(subject: &Subject<'_>, slot: &Slot) -> Option<Schema> {
    let document = subject.document?;
    if slot.is_read() || subject.endpoint.framework.serving != Serving::Exchange {
        return None;
    }
    let operation = document.operation(subject.op_id.as_str())?;
    let param = operation.parameters.iter().find(|param| *param.name == *slot.input.name).map(|param| &param.schema);
    match param {
        Some(at) => Some(document.resolve(at)),
        None => fields(subject)
            .into_iter()
            .find(|(name, ..)| **name == *slot.input.name)
            .map(|(_, at, _)| document.resolve(&at)),
    }
}
