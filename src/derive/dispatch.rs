//! Inflector: what it decides before a handler that a document dispatches to, and what it makes of the `ResponseContext` that comes back.
//! The rule `inflector`.

use serde_json::Value as Json;

use super::bench::Bench;
use super::serve::Server;
use super::shape::{Answer, AnswerBody, Label};
use super::signature::Slot;
use super::subject::Subject;
use super::written::{Rules, shape};
use crate::frameworks::openapi_driven::settings::{self, Settings, is_inflector};
use crate::frameworks::{Framework, Location};
use crate::java::interpret::library::frameworks::inflector::{self, RESPONSE};
use crate::java::interpret::library::frameworks::media_types;
use crate::java::interpret::machine::{Eval, Machine, Stop};
use crate::java::interpret::scalar::{ClassRef, Scalar};
use crate::java::interpret::term::Place;
use crate::java::interpret::value::{Kind, ObjId, Type, Value};
use crate::openapi::In;
use crate::openapi::schema::Schema;

const RULE: &str = "inflector";

/// What is thrown where a request is refused.
pub const REFUSED: &str = "io.swagger.oas.inflector.utils.ApiException";

/// How the document has the operation dispatched.
#[derive(Debug, Clone)]
pub struct Dispatched {
    settings: Settings,
    /// Names of parameters with where they stand, and their schemas.
    params: Vec<(In, String, Schema)>,
}

impl Dispatched {
    /// Reads what the document and the settings say of an operation that Inflector dispatches; the error says why that is not followed.
    ///
    /// # Errors
    /// The reason.
    pub fn of(subject: &Subject<'_>) -> Result<Self, String> {
        let endpoint = subject.endpoint;
        if !subject.build.uses_near(&endpoint.file, "swagger-inflector") {
            return Err(format!("how {} answers is not modelled", endpoint.framework));
        }
        let text = |path: &String| {
            let bytes = subject.files.read(path).ok()?;
            String::from_utf8(bytes.to_vec()).ok()
        };
        let file = endpoint.rests_on_files.iter().find(|path| is_inflector(path));
        let settings = file.and_then(text).and_then(|text| settings::read(&text));
        let settings = settings.ok_or("the settings of Inflector are not known")?;
        if let Some(odd) = &settings.odd {
            return Err(format!("{odd} of Inflector is not followed"));
        }
        let path = endpoint.rests_on_files.first().ok_or("the document is not known")?;
        let document = crate::openapi::read(subject.files, path).map_err(|_| "the document is not read".to_owned())?;
        let operation = endpoint.made_from.as_deref().and_then(|name| document.operation(name));
        let operation = operation.ok_or("the document does not have the operation")?;
        let json = |name: &str| name.contains("json") || name == "*/*";
        if operation.request_body.as_ref().is_some_and(|body| !body.content.iter().any(|media| json(&media.name))) {
            return Err("a body that is no JSON is dispatched".to_owned());
        }
        let params = operation.parameters.iter();
        let params =
            params.map(|param| (param.location, param.name.clone(), document.resolve(&param.schema))).collect();
        Ok(Self { settings, params })
    }

    /// What the document says of the values of a parameter.
    pub fn schema(&self, slot: &Slot) -> Option<&Schema> {
        let location = match slot.location {
            Location::Path => In::Path,
            Location::Query => In::Query,
            Location::Header => In::Header,
            _ => return None,
        };
        let named = |own: &&(In, String, Schema)| own.0 == location && *own.1 == *slot.input.name;
        self.params.iter().find(named).map(|(_, _, schema)| schema)
    }

    /// The status of what is refused.
    pub fn invalid(&self) -> u16 {
        self.settings.invalid
    }
}

impl Server<'_> {
    /// Whether Inflector dispatches to the handler.
    pub(super) fn is_dispatched(&self) -> bool {
        self.bench.subject.endpoint.framework == Framework::OpenApiDriven
    }

    /// Refuses a text that the document does not allow.
    pub(super) fn allow(&self, machine: &mut Machine<'_>, slot: &Slot, text: &str) -> Eval<()> {
        let schema = self.bench.surroundings.dispatched.as_ref().and_then(|dispatched| dispatched.schema(slot));
        let Some(schema) = schema.filter(|_| self.is_dispatched()) else { return Ok(()) };
        let is_listed = |values: &[Json]| values.iter().any(|value| value.as_str() == Some(text));
        if slot.ty == Type::Str && !schema.values.is_empty() && !is_listed(&schema.values) {
            let defect = crate::java::interpret::condition::Defect::NotA("".into());
            return Err(self.refuse(machine, slot, &defect));
        }
        let bounded = schema.minimum.is_some()
            || schema.maximum.is_some()
            || schema.min_length.is_some()
            || schema.max_length.is_some()
            || !schema.patterns.is_empty();
        if bounded {
            machine.doubt(&format!("how the document bounds {} is not modelled", slot.input.name));
        }
        Ok(())
    }

    /// The request as Inflector hands it over.
    pub(super) fn request_context(&self, machine: &mut Machine<'_>, fqn: &str) -> Value {
        let headers = self.case.map(|case| {
            let of = case.params.iter().filter(|(input, _)| input.place == Place::Header);
            of.map(|(input, text)| (input.name.to_lowercase(), text.clone())).collect()
        });
        inflector::request(machine, fqn, headers)
    }
}

/// The answer for a `ResponseContext`.
pub fn answer(machine: &mut Machine<'_>, bench: &Bench<'_>, id: ObjId) -> Eval<Answer> {
    machine.models.insert(RULE);
    if !matches!(machine.object(id).kind, Kind::Modelled) {
        return Ok(Answer::unknown());
    }
    let parts = machine.object(id).parts.clone();
    let status = match parts.get("status") {
        None => Some(200),
        Some(status) => status.scalar().and_then(Scalar::as_int).and_then(|code| u16::try_from(code).ok()),
    };
    let entity = parts.get("entity").cloned().unwrap_or(Value::NULL);
    if entity.is_null() {
        return Ok(Answer::of(status, AnswerBody::Empty));
    }
    if let Value::Scalar(Scalar::Str(text)) = &entity {
        // A text is written as it stands, whatever it is labelled.
        return Ok(Answer::of(status, AnswerBody::Text(text.text.to_string(), Label::Open)));
    }
    let kind = parts.get("content-type").and_then(|kind| media_types::text_of(machine, kind));
    if kind.as_deref() != Some("application/json") {
        return Ok(Answer::of(status, AnswerBody::Unknown));
    }
    let depth = machine.frames.len();
    let rules = Rules { non_null: true, plain_xml: true, ..Rules::of(bench.subject) };
    match shape(machine, &entity, &Type::Unknown, rules, 0) {
        Ok(shape) if machine.store.is_unordered => Ok(Answer::of(status, AnswerBody::Json(shape.unordered()))),
        Ok(shape) => Ok(Answer::of(status, AnswerBody::Json(shape))),
        Err(Stop::Throw(_)) => {
            machine.frames.truncate(depth);
            machine.doubt("writing the body may fail");
            Ok(Answer::of(status, AnswerBody::Unknown))
        }
        Err(cut) => Err(cut),
    }
}

/// Whether a value is what a handler of Inflector gives back.
pub fn is_response(machine: &Machine<'_>, value: &Value) -> Option<ObjId> {
    match value {
        Value::Ref(id) if machine.object(*id).class == ClassRef::library(RESPONSE) => Some(*id),
        _ => None,
    }
}
