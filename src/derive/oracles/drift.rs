//! Drift: where document and code of one operation disagree, with the correction of the document.

use super::documented_limits::{bounds_differ, type_differs};
use mastor_frameworks::record::Serving;
use mastor_frameworks::{Location as Bound, Returns, paths};
use mastor_openapi::{Document, DocumentLocation, In, Operation, Parameter, Status};
use mastor_runtime::app::surroundings::is_of_another_application;
use mastor_runtime::subject::Subject;
use mastor_types::results::change::{Drift, DriftKind, Place};
use mastor_types::suite::source_context::{Location, RequestParam, SourceContext};

/// One disagreement, with the correction of the document.
#[derive(Debug, Clone, PartialEq)]
pub struct Disagreement {
    /// The reported drift.
    pub drift: Drift,
    /// The correction.
    pub mend: Mend,
}

/// A correction that makes a document agree with the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mend {
    /// Adds the whole operation.
    Operation,
    /// Adds an answer with this status.
    Response(u16),
    /// Adds a parameter.
    Parameter(Location, String),
    /// Sets whether the parameter at a location is required.
    Required(DocumentLocation, bool),
    /// Replaces the schema of the parameter at a location.
    Schema(DocumentLocation, Location, String),
    /// Removes the parameter at a location.
    NoParameter(DocumentLocation),
    /// Only a person can decide, for this reason.
    ByHand(&'static str),
}

/// The disagreements of document and code of an operation, as far as the code is known.
pub fn drift(subject: &Subject<'_>, context: &SourceContext) -> Vec<Drift> {
    let mut found: Vec<Drift> = disagreements(subject, context).into_iter().map(|one| one.drift).collect();
    found.sort();
    found.dedup();
    found
}

/// The disagreements, each with its correction.
pub fn disagreements(subject: &Subject<'_>, context: &SourceContext) -> Vec<Disagreement> {
    let Some(document) = subject.document else { return Vec::new() };
    let entry = subject.endpoint.entry;
    let span = subject.project.member(entry).name_span;
    let code = Place {
        file: subject.endpoint.file.clone(),
        line: span.line,
        end_line: span.end_line,
        symbol: subject.project.symbol(entry),
    };
    let mut found = DriftCollector { subject, code, all: Vec::new() };
    let Some(operation) = document.operation(subject.op_id.as_str()) else {
        // Pages, and methods that a mapping does not name, are usually not documented.
        let endpoint = subject.endpoint;
        if endpoint.any_method || endpoint.returns == Returns::View || is_of_another_application(subject, document) {
            return Vec::new();
        }
        let what = "the code serves it, and the document does not name it".to_owned();
        found.add(
            DriftKind::UndocumentedRoute,
            what,
            &DocumentLocation::new(&document.path, "/paths"),
            Mend::Operation,
        );
        return found.all;
    };
    found.statuses(operation, context);
    found.unnamed(operation, context);
    found.limits(document, operation, context);
    found.unread(operation, context);
    found.all
}

struct DriftCollector<'a> {
    subject: &'a Subject<'a>,
    code: Place,
    all: Vec<Disagreement>,
}

impl DriftCollector<'_> {
    fn add(&mut self, kind: DriftKind, what: String, at: &DocumentLocation, mend: Mend) {
        let (op_id, code, document) = (self.subject.op_id.clone(), Some(self.code.clone()), Some(at.to_string()));
        self.all.push(Disagreement { drift: Drift { op_id, kind, what, code, document }, mend });
    }

    fn statuses(&mut self, operation: &Operation, context: &SourceContext) {
        let any = operation.responses.iter().any(|response| !matches!(response.status, Status::Code(_)));
        if operation.is_default_block || any {
            return;
        }
        let schema = &context.response_schema;
        let mut statuses: Vec<(u16, String)> =
            schema.success_statuses.iter().map(|code| (*code, String::new())).collect();
        statuses.extend(schema.error_cases.iter().map(|case| (case.status, format!(" ({})", case.condition))));
        statuses.sort();
        statuses.dedup_by_key(|(code, _)| *code);
        for (status, when) in statuses.into_iter().filter(|(code, _)| *code < 500) {
            if !operation.responses.iter().any(|response| response.status.covers(status)) {
                let what = format!("the code answers {status}{when}, which the document does not say");
                self.add(DriftKind::UndocumentedStatus, what, &operation.at, Mend::Response(status));
            }
        }
    }

    fn unnamed(&mut self, operation: &Operation, context: &SourceContext) {
        for param in &context.request_params {
            if !matches!(param.location, Location::Path | Location::Query) {
                continue;
            }
            if documented(self.subject, operation, param).is_none() && !is_no_variable(self.subject, param) {
                let what = format!(
                    "the code reads the {} parameter {}, which the document does not name",
                    param.location.as_str(),
                    param.name
                );
                let mend = Mend::Parameter(param.location, param.name.clone());
                self.add(DriftKind::UndocumentedParameter, what, &operation.at, mend);
            }
        }
    }

    fn limits(&mut self, document: &Document, operation: &Operation, context: &SourceContext) {
        for param in &context.request_params {
            let Some(documented) = documented(self.subject, operation, param) else { continue };
            if param.location != Location::Path && documented.required != param.required {
                let (says, is) = if documented.required { ("required", "optional") } else { ("optional", "required") };
                let what = format!("{} is {says} in the document and {is} in the code", param.name);
                let mend = Mend::Required(documented.at.clone(), param.required);
                self.add(DriftKind::ConstraintMismatch, what, &documented.at, mend);
            }
            let schema = document.resolve(&documented.schema);
            if let Some(what) = type_differs(param, &schema).or_else(|| bounds_differ(param, &schema)) {
                let mend = Mend::Schema(documented.at.clone(), param.location, param.name.clone());
                self.add(DriftKind::ConstraintMismatch, what, &documented.at, mend);
            }
        }
    }

    fn unread(&mut self, operation: &Operation, context: &SourceContext) {
        // Inputs that code reads by hand are known only from the document.
        if self.subject.endpoint.framework.serving == Serving::Exchange {
            return;
        }
        for param in operation.parameters.iter().filter(|param| param.location == In::Query) {
            let is_read = |known: &RequestParam| known.location == Location::Query && known.name == param.name;
            if context.request_params.iter().any(is_read) {
                continue;
            }
            let what =
                format!("the document names the query parameter {}, which no binding of the code reads", param.name);
            let mend = match reads_openly(self.subject) {
                true => Mend::ByHand("the handler is given the whole request, and may read it there"),
                false => Mend::NoParameter(param.at.clone()),
            };
            self.add(DriftKind::UnreadParameter, what, &operation.at, mend);
        }
    }
}

/// Whether the handler may read more of a request than the parameters that are bound by name.
fn reads_openly(subject: &Subject<'_>) -> bool {
    let open = |location: Bound| matches!(location, Bound::Context | Bound::Resolved | Bound::Model);
    let is_map = |name: &str| matches!(name, "Map" | "MultiValueMap" | "HashMap");
    let mut params = subject.endpoint.params.iter();
    params.any(|param| open(param.location) || param.location == Bound::Query && is_map(param.ty.simple()))
}

/// The document's parameter for a parameter of the code: by name, or for a path parameter by position, since requests
/// do not contain its name.
fn documented<'o>(subject: &Subject<'_>, operation: &'o Operation, param: &RequestParam) -> Option<&'o Parameter> {
    let location = match param.location {
        Location::Path => In::Path,
        Location::Query => In::Query,
        Location::Header => In::Header,
        Location::Cookie => In::Cookie,
        Location::Form | Location::Body => return None,
    };
    if location == In::Path
        && let Some(name) = name_in_path(subject, operation, &param.name)
    {
        return operation.parameter(In::Path, &name);
    }
    let is_same = |other: &&Parameter| match location {
        In::Header => other.name.eq_ignore_ascii_case(&param.name),
        _ => other.name == param.name,
    };
    operation.parameters.iter().filter(|other| other.location == location).find(is_same)
}

/// The document's name for a path variable of the code, by its position from the end.
fn name_in_path(subject: &Subject<'_>, operation: &Operation, name: &str) -> Option<String> {
    let own = paths::template(&subject.endpoint.raw_path).1;
    let other = paths::template(&operation.path).1;
    let from_end = own.iter().rev().position(|variable| variable.name == name)?;
    other.iter().rev().nth(from_end).map(|variable| variable.name.clone())
}

/// Whether a path parameter does not occur in the path, so that no request can contain it.
fn is_no_variable(subject: &Subject<'_>, param: &RequestParam) -> bool {
    let is_own = || paths::template(&subject.endpoint.raw_path).1.iter().any(|variable| variable.name == param.name);
    param.location == Location::Path && !is_own()
}
