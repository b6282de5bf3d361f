//! Answers of an operation: every status of its code, with the conditions and the schema of the body.

use std::collections::BTreeMap;

use openapiv3::{Header, MediaType, ParameterSchemaOrContent, ReferenceOr, Response, Responses, Schema, StatusCode};

use super::bodies::{is_binary, produced};
use super::limits::text;
use super::schemas::{SchemaDirection, Schemas};
use super::shapes::of_shapes;
use crate::oracles::response_fields::response_type;
use mastor_frameworks::Returns;
use mastor_java::interpret::values::scalar::ClassRef;
use mastor_java::interpret::values::value::Type;
use mastor_runtime::bench::Bench;
use mastor_runtime::body::shape::{Answer, AnswerBody, Label, Shape};
use mastor_runtime::server::serve::Run;
use mastor_types::status::phrase;
use mastor_types::suite::source_context::SourceContext;

const JSON: &str = "application/json";
const PROBLEM: &str = "application/problem+json";

/// The answers of an operation by status; if no success status is known, a `default` answer says so.
pub(super) fn responses(
    bench: &Bench<'_>,
    open: &Run,
    schemas: &mut Schemas<'_>,
    context: &SourceContext,
) -> Responses {
    let known = &context.response_schema;
    let mut found: BTreeMap<u16, Response> = BTreeMap::new();
    for status in &known.success_statuses {
        let answers = with_status(open, *status);
        let content = match status {
            204 | 205 | 304 => Vec::new(),
            _ => success(bench, schemas, &answers),
        };
        let description = phrase(*status);
        found.insert(*status, response(description, content, &answers));
    }
    let mut conditions: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for case in &known.error_cases {
        conditions.entry(case.status).or_default().push(&case.condition);
    }
    for (status, conditions) in conditions {
        let answers = with_status(open, status);
        let description = format!("{}{}", phrase(status), when(&conditions));
        found.insert(status, response(description, failure(schemas, &answers), &answers));
    }
    let mut responses = Responses::default();
    if known.success_statuses.is_empty() {
        let content = success(bench, schemas, &[]);
        let description = "Which status the code answers with was not decided.".to_owned();
        responses.default = Some(ReferenceOr::Item(response(description, content, &[])));
    }
    responses.responses =
        found.into_iter().map(|(status, one)| (StatusCode::Code(status), ReferenceOr::Item(one))).collect();
    responses
}

fn with_status(open: &Run, status: u16) -> Vec<&Answer> {
    open.served.iter().map(|served| &served.answer).filter(|answer| answer.status == Some(status)).collect()
}

fn response(description: String, content: Vec<(String, ReferenceOr<Schema>)>, answers: &[&Answer]) -> Response {
    let content = content
        .into_iter()
        .map(|(kind, schema)| (kind, MediaType { schema: Some(schema), ..MediaType::default() }))
        .collect();
    let mut response = Response { description, content, ..Response::default() };
    if answers.iter().any(|answer| answer.location.is_some() || answer.made.is_some()) {
        response.headers.insert("Location".to_owned(), ReferenceOr::Item(header()));
    }
    response
}

fn header() -> Header {
    Header {
        description: None,
        style: Default::default(),
        required: false,
        deprecated: None,
        format: ParameterSchemaOrContent::Schema(ReferenceOr::Item(text(None))),
        example: None,
        examples: Default::default(),
        extensions: Default::default(),
    }
}

/// Maximum number of conditions that are listed for one status.
const CONDITIONS: usize = 12;

/// The conditions in words.
fn when(conditions: &[&str]) -> String {
    // Only callers who are let in reach this point.
    let conditions: Vec<String> =
        conditions.iter().map(|text| text.replace("not (`the caller is not let in`) and ", "")).collect();
    match conditions.as_slice() {
        [] => String::new(),
        [one] if one == "always" => String::new(),
        [one] => format!(", when {one}"),
        several => {
            let mut text = ", when one of these holds:\n".to_owned();
            for condition in several.iter().take(CONDITIONS) {
                text += &format!("\n- {condition}");
            }
            if several.len() > CONDITIONS {
                text += &format!("\n- {} more", several.len() - CONDITIONS);
            }
            text
        }
    }
}

/// The content of a success answer, by media type.
fn success(bench: &Bench<'_>, schemas: &mut Schemas<'_>, answers: &[&Answer]) -> Vec<(String, ReferenceOr<Schema>)> {
    let endpoint = bench.subject.endpoint;
    if !answers.is_empty() && answers.iter().all(|answer| answer.body == AnswerBody::Empty) {
        return Vec::new();
    }
    if matches!(endpoint.returns, Returns::Nothing | Returns::View) {
        return Vec::new();
    }
    let ty = response_type(bench).map_or(Type::Unknown, peeled);
    let shapes = shapes(answers);
    let texts = |answer: &&Answer| matches!(answer.body, AnswerBody::Text(..) | AnswerBody::Empty);
    let is_text = ty == Type::Str || !answers.is_empty() && answers.iter().all(texts);
    let schema = match &ty {
        Type::Void => return Vec::new(),
        _ if is_text => ReferenceOr::Item(text(None)),
        _ if is_binary(&ty) => ReferenceOr::Item(text(Some("binary"))),
        _ if says_nothing(&ty) => match &shapes {
            Some(shapes) if !shapes.is_empty() => ReferenceOr::Item(of_shapes(shapes)),
            _ => {
                return produced(endpoint)
                    .into_iter()
                    .map(|kind| (kind, schemas.schema(&ty, SchemaDirection::Written)))
                    .collect();
            }
        },
        _ => schemas.schema(&ty, SchemaDirection::Written),
    };
    let kinds = produced(endpoint);
    let is_json = |answer: &&Answer| matches!(answer.body, AnswerBody::Text(_, Label::Json));
    let kinds = match kinds.is_empty() {
        false => kinds,
        true if is_text && answers.iter().all(is_json) && !answers.is_empty() => {
            vec![JSON.to_owned()]
        }
        true if is_text && endpoint.framework.body.labels_texts => vec!["text/plain".to_owned()],
        true if is_text || is_binary(&ty) => vec!["*/*".to_owned()],
        true if schemas.is_json || shapes.is_some_and(|shapes| !shapes.is_empty()) => vec![JSON.to_owned()],
        true => vec!["*/*".to_owned()],
    };
    kinds.into_iter().map(|kind| (kind, schema.clone())).collect()
}

/// The content of an error answer, by media type; empty if it is not known on every path.
fn failure(schemas: &Schemas<'_>, answers: &[&Answer]) -> Vec<(String, ReferenceOr<Schema>)> {
    let Some(shapes) = shapes(answers) else { return Vec::new() };
    if shapes.is_empty() {
        let is_text = |answer: &&&Answer| matches!(answer.body, AnswerBody::Text(_, Label::Plain));
        let has_text = answers.iter().any(|answer| is_text(&answer));
        return if has_text { vec![("text/plain".to_owned(), ReferenceOr::Item(text(None)))] } else { Vec::new() };
    }
    let kind = if is_problem(schemas, &shapes) { PROBLEM } else { JSON };
    vec![(kind.to_owned(), ReferenceOr::Item(of_shapes(&shapes)))]
}

/// Whether these bodies are RFC 9457 problems.
fn is_problem(schemas: &Schemas<'_>, shapes: &[&Shape]) -> bool {
    let has = |fields: &[(String, Shape)], name: &str| fields.iter().any(|(own, _)| own == name);
    let is_one = |shape: &&&Shape| match shape {
        Shape::Object(fields) => has(fields, "status") && has(fields, "title") && !has(fields, "timestamp"),
        _ => false,
    };
    schemas.rules.problems.is_some() && shapes.iter().all(|shape| is_one(&shape))
}

/// The shapes of these bodies, without empty bodies and texts; `None` if one of them is not known.
fn shapes<'a>(answers: &[&'a Answer]) -> Option<Vec<&'a Shape>> {
    let mut found = Vec::new();
    for answer in answers {
        match &answer.body {
            AnswerBody::Json(shape) => found.push(shape),
            AnswerBody::Empty | AnswerBody::Text(..) => {}
            AnswerBody::Unknown => return None,
        }
    }
    Some(found)
}

/// The type of the body, without wrappers such as `ResponseEntity` and `Mono`.
fn peeled(ty: Type) -> Type {
    let Type::Class(ClassRef::Library(fqn), args) = &ty else { return ty };
    let of = || args.first().cloned().unwrap_or(Type::Unknown);
    match fqn.rsplit('.').next().unwrap_or(fqn) {
        "Void" => Type::Void,
        "ResponseEntity" | "HttpEntity" | "Mono" | "Maybe" | "Single" | "Uni" | "CompletableFuture"
        | "CompletionStage" | "Callable" | "DeferredResult" | "WebAsyncTask" | "Future" | "ListenableFuture" => {
            peeled(of())
        }
        "Flux" | "Flowable" | "Multi" => Type::Class(ClassRef::library("java.util.List"), vec![of()]),
        "RestResponse" if fqn.starts_with("org.jboss.") => peeled(of()),
        _ => ty,
    }
}

/// Whether a type says nothing about the body.
fn says_nothing(ty: &Type) -> bool {
    match ty {
        Type::Unknown => true,
        Type::Class(ClassRef::Library(fqn), _) => {
            matches!(&**fqn, "java.lang.Object" | "?") || fqn.ends_with(".core.Response")
        }
        _ => false,
    }
}
