//! Builds the answer from the value that a handler returns.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::response_context;
use crate::bench::Bench;
use crate::body::mixed::within;
use crate::body::provider;
use crate::body::shape::{Answer, AnswerBody, Label, Shape};
use crate::body::written::{Rules, WritePosition, shape};
use mastor_frameworks::Returns;
use mastor_frameworks::record::Json;
use mastor_java::interpret::classes::hierarchy;
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::frameworks::{micronaut, mutiny, named_headers, reactive, router_functions};
use mastor_java::interpret::library::web::{jax_rs, problems, spring};
use mastor_java::interpret::values::function::Function;
use mastor_java::interpret::values::scalar::{ClassRef, Scalar};
use mastor_java::interpret::values::term::{InputPlace, Term};
use mastor_java::interpret::values::value::{Kind, ObjId, Type, Value};
use mastor_java::ir::ids::MemberId;

/// The answer for a returned value.
pub fn returned(
    machine: &mut Machine<'_>,
    bench: &Bench<'_>,
    value: &Value,
    method: MemberId,
    status: Option<u16>,
) -> Eval<Answer> {
    let answer = written(machine, bench, value, method, status)?;
    let is_filled = bench.subject.endpoint.framework.body.fills_errors
        && answer.status.is_some_and(|status| status >= 400)
        && matches!(answer.body, AnswerBody::Empty);
    Ok(if is_filled { Answer { body: AnswerBody::Unknown, ..answer } } else { answer })
}

fn written(
    machine: &mut Machine<'_>,
    bench: &Bench<'_>,
    value: &Value,
    method: MemberId,
    status: Option<u16>,
) -> Eval<Answer> {
    let inner = bench.subject.endpoint.framework.body.null_status.and_then(|_| held(machine, value));
    let value = inner.as_ref().unwrap_or(value);
    if machine.is_opaque() {
        return Ok(opaque(machine, bench, value, (method, status)));
    }
    let declared = machine.project.member(method).ty.clone();
    let ty = declared.as_ref().map_or(Type::Void, |ty| machine.type_of(method.ty, ty));
    let ty = match &ty {
        Type::Class(_, args) if inner.is_some() => args.first().cloned().unwrap_or(Type::Unknown),
        _ => ty,
    };
    // Publishers have already run. A value that is still a publisher, or unknown, is not modelled.
    let ty = match reactive::written(&ty).or_else(|| mutiny::written(&ty)) {
        Some(of) if !matches!(value, Value::Unknown(_) | Value::Symbol(_)) && !mutiny::is_publisher(machine, value) => {
            of
        }
        _ => ty,
    };
    let ty = of_any_object(machine, value, ty);
    let rules = &bench.subject.endpoint.framework.body;
    if let Value::Ref(id) = value
        && let ClassRef::Library(fqn) = machine.object(*id).class.clone()
        && (is_response(&fqn) || router_functions::is_response(&fqn))
    {
        return entity(machine, bench, *id, method);
    }
    if let Some(id) = response_context::is_response(machine, value) {
        return response_context::answer(machine, bench, id);
    }
    if let Some(answer) = redirected(bench, value).filter(|_| is_view(bench, method)) {
        return Ok(answer);
    }
    if method == bench.subject.endpoint.entry
        && matches!(bench.subject.endpoint.returns, Returns::View | Returns::Written)
    {
        machine.doubt("the answer is not made from the returned value");
        return Ok(Answer::unknown());
    }
    if let Value::Ref(id) = value
        && machine.object(*id).class == ClassRef::library(problems::PROBLEM)
        && rules.knows_problems
    {
        let status = machine.object(*id).parts.get("status").and_then(Value::scalar).and_then(Scalar::as_int);
        let status = status.and_then(|code| u16::try_from(code).ok());
        let body = body(machine, bench, value, &Type::Unknown, method)?;
        return Ok(Answer::of(status, body));
    }
    if value.is_null() && ty.library() == Some("org.springframework.http.ResponseEntity") && rules.null_is_empty {
        return Ok(over(machine, Answer::of(Some(200), AnswerBody::Empty), false));
    }
    let plain = match ty.library() {
        Some("org.springframework.http.ResponseEntity" | "org.springframework.http.HttpEntity") => false,
        Some(fqn) if hierarchy::jax_rs_name(fqn) == Some("core.Response") => false,
        Some(fqn) if fqn.starts_with("io.micronaut.http.") || fqn == "org.jboss.resteasy.reactive.RestResponse" => {
            false
        }
        Some("java.lang.Object") => value.is_null(),
        // The static type does not show the content; only null gives an empty answer.
        Some(fqn) if router_functions::is_response(fqn) || fqn.ends_with(".RouterFunction") => value.is_null(),
        Some(fqn) => !is_wrapper(fqn),
        None => ty != Type::Unknown,
    };
    if !plain {
        machine.unknown("what a response holds", ty);
        return Ok(Answer::unknown());
    }
    let success = match (rules.null_status, value.is_null(), &ty) {
        (Some(missing), true, ty) if *ty != Type::Void => missing,
        _ => status.unwrap_or(if value.is_null() || ty == Type::Void { rules.empty_status } else { 200 }),
    };
    let body = body(machine, bench, value, &ty, method)?;
    let headers = named_headers::with_response(machine, Some(named_headers::Named::new()));
    let set_by = machine.header_setters.clone();
    Ok(over(machine, Answer { headers, set_by, ..Answer::of(Some(success), body) }, status.is_some()))
}

/// The answer in a run with opaque values; the returned value is kept in canonical form.
fn opaque(
    machine: &mut Machine<'_>,
    bench: &Bench<'_>,
    value: &Value,
    (method, status): (MemberId, Option<u16>),
) -> Answer {
    let given = machine.canon(value);
    machine.opaque.answered = Some(given);
    if let Some(sent_on) = redirected(bench, value).filter(|_| is_view(bench, method)) {
        return Answer::of(sent_on.status, AnswerBody::Unknown);
    }
    // An unknown view name may be a redirect.
    if is_view(bench, method) && matches!(value, Value::Symbol(_) | Value::Cond(_)) {
        return Answer::of(status, AnswerBody::Unknown);
    }
    let code = match value {
        Value::Ref(id) if matches!(&machine.object(*id).class, ClassRef::Library(fqn) if is_response(fqn)) => {
            let status = machine.object(*id).parts.get("status").and_then(Value::scalar).and_then(Scalar::as_int);
            status.and_then(|code| u16::try_from(code).ok())
        }
        // Spring takes the status from the problem (`HttpEntityMethodProcessor`).
        Value::Ref(id)
            if machine.object(*id).class == ClassRef::library(problems::PROBLEM)
                && bench.subject.endpoint.framework.body.knows_problems =>
        {
            let status = machine.object(*id).parts.get("status").and_then(Value::scalar).and_then(Scalar::as_int);
            status.and_then(|code| u16::try_from(code).ok())
        }
        Value::Ref(_) | Value::Scalar(_) | Value::Cond(_) => {
            let rules = &bench.subject.endpoint.framework.body;
            let is_void = machine.project.member(method).ty.as_ref().is_some_and(|ty| ty.simple() == "void");
            match rules.null_status.filter(|_| value.is_null() && !is_void) {
                Some(missing) => Some(missing),
                None => Some(status.unwrap_or(if value.is_null() { rules.empty_status } else { 200 })),
            }
        }
        // An opaque value is not null, unless code tests it.
        Value::Symbol(_) if is_plain(machine, method) => Some(status.unwrap_or(200)),
        _ => status,
    };
    let is_response_object = match value {
        Value::Ref(id) => matches!(&machine.object(*id).class, ClassRef::Library(fqn) if is_response(fqn)),
        _ => false,
    };
    let code = match status_on_response(machine) {
        Some((own, is_sent)) if is_sent || !(is_response_object || status.is_some()) => own,
        _ => code,
    };
    Answer::of(code, AnswerBody::Unknown)
}

/// The status that code has set on the response itself, if it is known, and whether it was sent at once; `None` if code
/// set none.
fn status_on_response(machine: &Machine<'_>) -> Option<(Option<u16>, bool)> {
    let (_, response) = machine.exchange?;
    let object = machine.object(response);
    if !matches!(object.kind, Kind::Modelled) {
        return None;
    }
    let status = object.parts.get("status")?;
    let code = status.scalar().and_then(Scalar::as_int).and_then(|code| u16::try_from(code).ok());
    Some((code, object.parts.contains_key("sent")))
}

/// Whether objects of this class are whole responses.
fn is_response(fqn: &str) -> bool {
    *fqn == *spring::ENTITY || *fqn == *jax_rs::RESPONSE || *fqn == *micronaut::RESPONSE
}

/// The value that an `Optional` contains; null if it is empty, and `None` for any other object.
fn held(machine: &Machine<'_>, value: &Value) -> Option<Value> {
    let Value::Ref(id) = value else { return None };
    let object = machine.object(*id);
    let is_known = object.class == ClassRef::library("java.util.Optional") && matches!(object.kind, Kind::Modelled);
    is_known.then(|| object.parts.get("value").cloned()).flatten()
}

/// Whether a method's return type is written as the body: neither a response type nor `Object`.
fn is_plain(machine: &Machine<'_>, method: MemberId) -> bool {
    let Some(declared) = machine.project.member(method).ty.clone() else { return false };
    match machine.type_of(method.ty, &declared) {
        Type::Class(ClassRef::Library(fqn), _) => {
            !is_wrapper(&fqn)
                && hierarchy::jax_rs_name(&fqn) != Some("core.Response")
                && !router_functions::is_response(&fqn)
                && !fqn.starts_with("io.micronaut.http.")
                && *fqn != *"org.jboss.resteasy.reactive.RestResponse"
                && (!fqn.starts_with("org.springframework.") || fqn.starts_with("org.springframework.data."))
                && *fqn != *"java.lang.Object"
        }
        Type::Unknown | Type::Void => false,
        _ => true,
    }
}

/// The type that decides how a value is written. For a declared `Object` it is the class of the value.
fn of_any_object(machine: &Machine<'_>, value: &Value, declared: Type) -> Type {
    if declared.library() != Some("java.lang.Object") {
        return declared;
    }
    match machine.class_of(value) {
        Some(ClassRef::Library(fqn)) if *fqn == *"java.lang.String" => Type::Str,
        Some(class) => Type::Class(class, Vec::new()),
        None => declared,
    }
}

/// Whether the return value of a method is a view name.
fn is_view(bench: &Bench<'_>, method: MemberId) -> bool {
    let endpoint = bench.subject.endpoint;
    method == endpoint.entry && endpoint.returns == Returns::View && endpoint.framework.body.names_views
}

/// The redirect of a view name `redirect:…`; it does not depend on rendering.
fn redirected(bench: &Bench<'_>, value: &Value) -> Option<Answer> {
    // A concatenated text can begin with a known part.
    if let Value::Symbol(symbol) = value {
        let mut term = &symbol.term;
        while let Term::Apply(Function::Concat, parts) = &**term {
            term = parts.first()?;
        }
        let Term::Const(Scalar::Str(begins)) = &**term else { return None };
        return begins.text.starts_with("redirect:").then(|| Answer::of(Some(302), AnswerBody::Unknown));
    }
    let Value::Scalar(Scalar::Str(text)) = value else { return None };
    let place = text.text.strip_prefix("redirect:")?;
    // Only a path from the application root is used unchanged, and the model fills in its variables.
    let path = place.split(['?', '#']).next().unwrap_or(place);
    let plain = path.starts_with('/') && !path.starts_with("//") && !path.contains('{');
    let location = plain.then(|| format!("{}{path}", bench.subject.endpoint.context_path));
    Some(Answer { location, ..Answer::of(Some(302), AnswerBody::Unknown) })
}

/// Removes the body from answers with statuses that have none: the server omits it, whatever the handler returned.
fn without_body(answer: Answer) -> Answer {
    match answer.status {
        Some(204 | 304) => Answer { body: AnswerBody::Empty, ..answer },
        _ => answer,
    }
}

/// The answer combined with what the handler wrote to the response itself: a sent error or redirect wins; a status it
/// set counts unless the framework sets one.
fn over(machine: &mut Machine<'_>, answer: Answer, is_set: bool) -> Answer {
    let answer = without_body(answer);
    let Some((_, response)) = machine.exchange else { return answer };
    if !matches!(machine.object(response).kind, Kind::Modelled) {
        machine.doubt("the response was handed on");
        return Answer::unknown();
    }
    let parts = machine.object(response).parts.clone();
    let status = match status_on_response(machine) {
        Some((code, true)) => return Answer::of(code, AnswerBody::Unknown),
        Some((code, false)) if !is_set => code,
        _ => answer.status,
    };
    let own = parts.contains_key("written") || parts.contains_key("content-type");
    Answer { status, body: if own { AnswerBody::Unknown } else { answer.body }, ..answer }
}

/// Wrapper types that the framework unwraps or waits for.
fn is_wrapper(fqn: &str) -> bool {
    let simple = fqn.rsplit('.').next().unwrap_or(fqn);
    matches!(
        simple,
        "Mono"
            | "Flux"
            | "CompletableFuture"
            | "CompletionStage"
            | "Callable"
            | "DeferredResult"
            | "WebAsyncTask"
            | "Future"
            | "SseEmitter"
            | "StreamingResponseBody"
            | "ModelAndView"
            | "View"
            | "Resource"
            | "RedirectView"
            | "Uni"
            | "Multi"
            | "ResponseBodyEmitter"
            | "Object"
            | "AsyncResponse"
            | "Optional"
            | "HttpHeaders"
            | "Model"
            | "ModelMap"
            | "MappingJacksonValue"
    )
}

fn entity(machine: &mut Machine<'_>, bench: &Bench<'_>, id: ObjId, method: MemberId) -> Eval<Answer> {
    if matches!(machine.object(id).kind, Kind::Escaped(_)) {
        return Ok(Answer::unknown());
    }
    let parts = machine.object(id).parts.clone();
    let status =
        parts.get("status").and_then(Value::scalar).and_then(Scalar::as_int).and_then(|code| u16::try_from(code).ok());
    let value = parts.get("body").cloned().unwrap_or(Value::NULL);
    // A text is sent unchanged under every media type.
    let textual = matches!(&value, Value::Scalar(Scalar::Str(_)) | Value::Symbol(_) | Value::Unknown(_));
    let own_type = parts.get("content-type").is_some_and(|kind| textual || !router_functions::says_json(machine, kind));
    let body = if own_type && !value.is_null() {
        AnswerBody::Unknown
    } else {
        body(machine, bench, &value, &Type::Unknown, method)?
    };
    let made = parts.get("location").and_then(|place| key_at_end(machine, place));
    let location = parts.get("location").and_then(|place| path_of(machine, place)).filter(|_| made.is_none());
    let headers = named_headers::with_response(machine, named_headers::of(machine, id));
    let set_by = machine.header_setters.clone();
    let answer = Answer { made, location, headers, set_by, ..Answer::of(status, body) };
    Ok(over(machine, answer, true))
}

/// The path of a known address; the server adds scheme and host.
fn path_of(machine: &Machine<'_>, place: &Value) -> Option<String> {
    let Value::Ref(id) = place else { return None };
    let Some(Value::Scalar(Scalar::Str(text))) = machine.object(*id).parts.get("text") else { return None };
    let path = text.text.split(['?', '#']).next().unwrap_or_default();
    let plain = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte));
    (path.starts_with('/') && path.len() > 1 && plain).then(|| path.to_owned())
}

/// The generated key at the end of an address.
fn key_at_end(machine: &Machine<'_>, place: &Value) -> Option<Rc<str>> {
    let Value::Ref(id) = place else { return None };
    let Some(Value::Symbol(text)) = machine.object(*id).parts.get("text") else { return None };
    match &*text.term {
        Term::Apply(Function::Concat, parts) => match parts.as_slice() {
            [before, last] if matches!(&**before, Term::Const(Scalar::Str(text)) if text.text.ends_with('/')) => {
                match &**last {
                    Term::Input(input) if input.place == InputPlace::Store => Some(input.name.clone()),
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    }
}

/// How a client that accepts anything reads a text that `method` returns. Spring writes strings as plain text unless
/// the mapping says otherwise. The label of an exception handler's text depends on more than the mapping, so it is
/// open.
fn label(bench: &Bench<'_>, method: MemberId) -> Label {
    let endpoint = bench.subject.endpoint;
    let json = |kind: &String| kind.to_lowercase().contains("json");
    let plain = endpoint.framework.body.labels_texts && bench.surroundings.serialisation.is_empty();
    let produces = &endpoint.produces;
    let open = produces.iter().any(|kind| kind.contains('*') || kind.contains("${"));
    match (produces.iter().any(json), produces.iter().all(json)) {
        _ if open || method != endpoint.entry || (produces.is_empty() && !plain) => Label::Open,
        (false, _) => Label::Plain,
        (true, true) => Label::Json,
        (true, false) => Label::Open,
    }
}

/// The body for a returned value.
fn body(machine: &mut Machine<'_>, bench: &Bench<'_>, value: &Value, ty: &Type, method: MemberId) -> Eval<AnswerBody> {
    if *ty == Type::Void || value.is_null() {
        return Ok(AnswerBody::Empty);
    }
    if let Value::Scalar(Scalar::Str(text)) = value {
        return Ok(AnswerBody::Text(text.text.to_string(), label(bench, method)));
    }
    let textual = match value {
        Value::Symbol(symbol) => symbol.ty == Type::Str,
        Value::Unknown(unknown) => unknown.ty == Type::Str,
        _ => false,
    };
    let endpoint = bench.subject.endpoint;
    let json =
        endpoint.produces.is_empty() || endpoint.produces.iter().any(|kind| kind.to_lowercase().contains("json"));
    let by_jackson = match endpoint.framework.body.json {
        Json::Jackson => true,
        Json::OfBuild => {
            let by_default = endpoint.framework.body.json_by_default;
            let is_followed = provider::is_jackson(bench) || by_default && provider::is_binding(bench);
            (!endpoint.produces.is_empty() || by_default) && is_followed
        }
    };
    let certain = json && bench.surroundings.serialisation.is_empty() && by_jackson;
    if textual || !certain {
        return Ok(AnswerBody::Unknown);
    }
    let known = match value {
        Value::Unknown(unknown) if unknown.ty != Type::Unknown => unknown.ty.clone(),
        Value::Ref(id) if *ty == Type::Unknown => Type::Class(machine.object(*id).class.clone(), Vec::new()),
        _ => ty.clone(),
    };
    let none = BTreeSet::new();
    let inside = within(machine, bench.surroundings.mixed.as_ref().unwrap_or(&none), &known);
    if matches!(value, Value::Unknown(unknown) if unknown.present) && inside.computes {
        machine.doubt("writing the body may fail");
    }
    if bench.surroundings.mixed.is_some() && inside.is_odd {
        machine.doubt("writing the body may fail");
        return Ok(AnswerBody::Unknown);
    }
    let is_weak = bench.surroundings.mixed.is_some() && inside.is_touched;
    let depth = machine.frames.len();
    let rules = Rules::of(bench.subject);
    let rules = match endpoint.framework.body.json {
        Json::OfBuild if provider::is_binding(bench) => Rules { binding: true, non_null: true, ..rules },
        _ => rules,
    };
    match shape(machine, value, ty, rules, &WritePosition::default()) {
        Ok(shape) if is_weak => Ok(match shape {
            Shape::Array(_) | Shape::Bag(_) | Shape::Typed("array", false) => {
                AnswerBody::Json(Shape::Typed("array", false))
            }
            Shape::Object(_) if matches!(known, Type::Class(ClassRef::Project(_), _)) => {
                AnswerBody::Json(Shape::Typed("object", false))
            }
            _ => AnswerBody::Unknown,
        }),
        // The store chose the order of the rows, and it is unknown how the value depends on it.
        Ok(shape) if machine.store.is_unordered => Ok(AnswerBody::Json(shape.unordered())),
        Ok(shape) => Ok(AnswerBody::Json(shape)),
        Err(Stop::Throw(_)) => {
            machine.frames.truncate(depth);
            machine.doubt("writing the body may fail");
            Ok(AnswerBody::Unknown)
        }
        Err(cut) => Err(cut),
    }
}
