//! Builds the answer from the `ResponseContext` that an Inflector handler returns. The rule `inflector`.

use crate::bench::Bench;
use crate::body::shape::{Answer, AnswerBody, Label};
use crate::body::written::{Rules, WritePosition, shape};
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::frameworks::inflector::RESPONSE;
use mastor_java::interpret::library::frameworks::media_types;
use mastor_java::interpret::values::scalar::{ClassRef, Scalar};
use mastor_java::interpret::values::value::{Kind, ObjId, Type, Value};

const RULE: &str = "inflector";

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
        // A text is written unchanged under every media type.
        return Ok(Answer::of(status, AnswerBody::Text(text.text.to_string(), Label::Open)));
    }
    let kind = parts.get("content-type").and_then(|kind| media_types::text_of(machine, kind));
    if kind.as_deref() != Some("application/json") {
        return Ok(Answer::of(status, AnswerBody::Unknown));
    }
    let depth = machine.frames.len();
    let rules = Rules { non_null: true, plain_xml: true, ..Rules::of(bench.subject) };
    match shape(machine, &entity, &Type::Unknown, rules, &WritePosition::default()) {
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

/// The `ResponseContext` object, if the value is one.
pub fn is_response(machine: &Machine<'_>, value: &Value) -> Option<ObjId> {
    match value {
        Value::Ref(id) if machine.object(*id).class == ClassRef::library(RESPONSE) => Some(*id),
        _ => None,
    }
}
