//! Drift: what the document says and the code does not, and the other way round, for one operation.

use crate::openapi::{In, Status};
use crate::runtime::subject::Subject;
use crate::types::change::{Drift, DriftKind, Place};
use crate::types::source_context::{Location, SourceContext};

/// Where document and code of an operation disagree, as far as the code is known.
pub fn drift(subject: &Subject<'_>, context: &SourceContext) -> Vec<Drift> {
    let Some(operation) = subject.document.and_then(|document| document.operation(subject.op_id.as_str())) else {
        return Vec::new();
    };
    let entry = subject.endpoint.entry;
    let span = subject.project.member(entry).name_span;
    let code = Place {
        file: subject.endpoint.file.clone(),
        line: span.line,
        end_line: span.end_line,
        symbol: subject.project.symbol(entry),
    };
    let mut found = Vec::new();
    let mut add = |kind: DriftKind, what: String, document: Option<String>| {
        found.push(Drift { op_id: subject.op_id.clone(), kind, what, code: Some(code.clone()), document });
    };
    let schema = &context.response_schema;
    let any = operation.responses.iter().any(|response| !matches!(response.status, Status::Code(_)));
    if !operation.is_default_block && !any {
        let mut statuses: Vec<(u16, String)> =
            schema.success_statuses.iter().map(|code| (*code, String::new())).collect();
        statuses.extend(schema.error_cases.iter().map(|case| (case.status, format!(" ({})", case.condition))));
        statuses.sort();
        statuses.dedup_by_key(|(code, _)| *code);
        for (status, when) in statuses.into_iter().filter(|(code, _)| *code < 500) {
            if !operation.responses.iter().any(|response| response.status.covers(status)) {
                let what = format!("the code answers {status}{when}, which the document does not say");
                add(DriftKind::UndocumentedStatus, what, Some(operation.at.to_string()));
            }
        }
    }
    for param in context.request_params.iter().filter(|p| !p.oas_match) {
        let checked = matches!(param.location, Location::Path | Location::Query);
        if checked {
            let what = format!(
                "the code reads the {} parameter {}, which the document does not name",
                place_word(param.location),
                param.name
            );
            add(DriftKind::UndocumentedParameter, what, Some(operation.at.to_string()));
        }
    }
    for param in &context.request_params {
        let documented = operation.parameters.iter().find(|other| {
            other.name == param.name
                && matches!(
                    (other.location, param.location),
                    (In::Query, Location::Query) | (In::Header, Location::Header)
                )
        });
        if let Some(documented) = documented
            && documented.required != param.required
        {
            let (says, is) = if documented.required { ("required", "optional") } else { ("optional", "required") };
            let what = format!("{} is {says} in the document and {is} in the code", param.name);
            add(DriftKind::ConstraintMismatch, what, Some(documented.at.to_string()));
        }
    }
    for param in &context.request_params_pending {
        if param.location == Location::Query || param.location == Location::Path {
            let what = format!(
                "the document names the {} parameter {}, which no binding of the code reads",
                place_word(param.location),
                param.name
            );
            add(DriftKind::UnreadParameter, what, Some(operation.at.to_string()));
        }
    }
    found.sort();
    found.dedup();
    found
}

fn place_word(location: Location) -> &'static str {
    match location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "header",
        Location::Cookie => "cookie",
        Location::Form => "form",
        Location::Body => "body",
    }
}
