//! Parses the reply of the source extraction: facts that cite a line of the bundle are verified, all others pending
//! (MASTOR paper, section 4.3).

use std::collections::BTreeSet;

use serde_json::Value;

use super::replies::{Context, Limit};
use super::text::{line, sentence};
use crate::brief::{Brief, Bundle};
use mastor_types::suite::evidence::{EvidenceId, EvidenceTable};
use mastor_types::suite::source_context::{
    Constraint, ConstraintKind, ErrorCase, Location, PendingParam, PendingResponse, RequestParam, ResponseField,
    ResponseSchema, SourceContext,
};

/// Reason for a pending fact.
const NO_LINE: &str = "cites no line of the code that was sent";

/// The source context in a reply about this bundle.
pub fn context(brief: &Brief, bundle: &Bundle, reply: Context) -> SourceContext {
    let mut reader = Reader { bundle, table: EvidenceTable::new() };
    let mut out = empty(brief);
    for param in reply.request_params {
        let Some(location) = location(&param.location) else { continue };
        let name = line(&param.name);
        let wrong = location == Location::Path && !brief.op_id.path().contains(&format!("{{{name}"));
        let evidence = reader.cite(&param.evidence).filter(|_| !wrong);
        let Some(evidence) = evidence else {
            let reason = if wrong { "the path has no such parameter" } else { NO_LINE };
            out.request_params_pending.push(PendingParam { name, location, reason: reason.to_owned() });
            continue;
        };
        let constraints = param.constraints.iter().filter_map(|limit| reader.constraint(limit)).collect();
        let oas_match = documented(brief.document.as_ref(), &name, location);
        let known = out.request_params.iter().any(|other| other.name == name && other.location == location);
        if !known {
            let default = param.default.as_deref().map(line);
            let (ty, required) = (line(&param.ty), param.required);
            out.request_params.push(RequestParam {
                name,
                location,
                ty,
                required,
                default,
                constraints,
                oas_match,
                evidence,
            });
        }
    }
    for field in reply.fields {
        let Some(evidence) = reader.cite(&field.evidence) else { continue };
        let path = line(&field.path);
        if out.response_schema.fields.iter().all(|other| other.path != path) {
            let (ty, nullable) = (line(&field.ty), field.nullable);
            out.response_schema.fields.push(ResponseField { path, ty, nullable, evidence });
        }
    }
    for error in reply.error_cases {
        if !(400..600).contains(&error.status) {
            continue;
        }
        match reader.cite(&error.evidence) {
            Some(evidence) => {
                let condition = sentence(&error.condition);
                out.response_schema.error_cases.push(ErrorCase { status: error.status, condition, evidence });
            }
            None => out.response_schema_pending.push(pending_status(error.status, None, NO_LINE)),
        }
    }
    let mut statuses: Vec<u16> = reply.success_status.into_iter().chain(reply.success_statuses).collect();
    statuses.retain(|status| (100..400).contains(status));
    statuses.sort_unstable();
    statuses.dedup();
    out.response_schema.success_status = statuses.first().copied().filter(|_| statuses.len() == 1);
    out.response_schema.success_statuses = statuses;
    for param in reply.pending_params {
        if let Some(location) = location(&param.location) {
            let reason = sentence(&param.reason);
            out.request_params_pending.push(PendingParam { name: line(&param.name), location, reason });
        }
    }
    for status in reply.pending_statuses {
        let claimed = says_status(brief.document.as_ref(), status.status);
        out.response_schema_pending.push(pending_status(status.status, claimed, &sentence(&status.reason)));
    }
    out.evidence = reader.table;
    tidy(out)
}

/// A context without facts.
pub fn empty(brief: &Brief) -> SourceContext {
    SourceContext {
        op_id: brief.op_id.clone(),
        entry: Some(brief.entry.clone()),
        matched_by: None,
        request_params: Vec::new(),
        response_schema: ResponseSchema::default(),
        request_params_pending: Vec::new(),
        response_schema_pending: Vec::new(),
        evidence: EvidenceTable::new(),
    }
}

/// Adds the facts of `more` that `known` lacks. Contradicting facts are left out; returns their number.
pub fn merge(known: &mut SourceContext, more: SourceContext) -> usize {
    let mut contradictions = 0;
    for param in more.request_params {
        let same =
            |other: &RequestParam| other.location == param.location && erased(&other.name) == erased(&param.name);
        match known.request_params.iter().find(|other| same(other)) {
            Some(other) => contradictions += usize::from(other.required != param.required),
            None => known.request_params.push(param),
        }
    }
    let (schema, other) = (&mut known.response_schema, more.response_schema);
    match (schema.success_status, other.success_status) {
        (Some(one), Some(two)) => contradictions += usize::from(one != two && !schema.success_statuses.contains(&two)),
        (None, Some(two)) if schema.success_statuses.is_empty() => {
            schema.success_status = Some(two);
            schema.success_statuses.push(two);
        }
        (None, None) if schema.success_statuses.is_empty() => schema.success_statuses = other.success_statuses,
        _ => {}
    }
    for field in other.fields {
        match schema.fields.iter().find(|one| one.path == field.path) {
            Some(one) => {
                let differ = matches!((one.nullable, field.nullable), (Some(a), Some(b)) if a != b);
                contradictions += usize::from(differ);
            }
            None => schema.fields.push(field),
        }
    }
    for case in other.error_cases {
        let same = |one: &ErrorCase| {
            (one.status, &one.evidence, &one.condition) == (case.status, &case.evidence, &case.condition)
        };
        if !schema.error_cases.iter().any(same) {
            schema.error_cases.push(case);
        }
    }
    known.request_params_pending.extend(more.request_params_pending);
    known.response_schema_pending.extend(more.response_schema_pending);
    known.evidence.extend(more.evidence);
    *known = tidy(known.clone());
    contradictions
}

/// The parameter's name without the regular expression after a colon.
fn erased(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}

/// Removes pending facts that are verified elsewhere, duplicates, and unused citations.
fn tidy(mut context: SourceContext) -> SourceContext {
    let schema = &context.response_schema;
    let verified: BTreeSet<u16> =
        schema.error_cases.iter().map(|case| case.status).chain(schema.success_statuses.iter().copied()).collect();
    context.response_schema_pending.retain(|one| one.status.is_none_or(|status| !verified.contains(&status)));
    let params: BTreeSet<(Location, String)> =
        context.request_params.iter().map(|param| (param.location, param.name.clone())).collect();
    context.request_params_pending.retain(|one| !params.contains(&(one.location, one.name.clone())));
    let mut seen = BTreeSet::new();
    context.request_params_pending.retain(|one| seen.insert((one.location, one.name.clone())));
    let mut seen = BTreeSet::new();
    context.response_schema_pending.retain(|one| one.status.is_none_or(|status| seen.insert(status)));
    context.response_schema.error_cases.dedup();
    context
}

struct Reader<'a> {
    bundle: &'a Bundle,
    table: EvidenceTable,
}

impl Reader<'_> {
    fn cite(&mut self, text: &str) -> Option<EvidenceId> {
        let evidence = self.bundle.cite(text)?.clone();
        let id = evidence.id();
        self.table.insert(id.clone(), evidence);
        Some(id)
    }

    fn constraint(&mut self, limit: &Limit) -> Option<Constraint> {
        let evidence = self.cite(&limit.evidence)?;
        let whole = |number: &Option<serde_json::Number>| number.as_ref().and_then(serde_json::Number::as_i64);
        let text = || limit.text.as_deref().map(line).filter(|text| !text.is_empty());
        let kind = match limit.kind.as_str() {
            "length" => ConstraintKind::Length { min: whole(&limit.min), max: whole(&limit.max) },
            "range" => ConstraintKind::Range {
                min: limit.min.as_ref().map(ToString::to_string),
                max: limit.max.as_ref().map(ToString::to_string),
                exclusive_min: false,
                exclusive_max: false,
            },
            "not_null" => ConstraintKind::NotNull,
            "not_empty" => ConstraintKind::NotEmpty,
            "not_blank" => ConstraintKind::NotBlank,
            "email" => ConstraintKind::Email,
            "pattern" => ConstraintKind::Pattern { regex: text()? },
            "one_of" => ConstraintKind::OneOf { values: limit.values.iter().map(|value| line(value)).collect() },
            _ => ConstraintKind::Condition { text: text()? },
        };
        Some(Constraint { kind, evidence })
    }
}

fn pending_status(status: u16, oas_claim: Option<String>, reason: &str) -> PendingResponse {
    PendingResponse { status: Some(status), oas_claim, reason: reason.to_owned() }
}

fn location(text: &str) -> Option<Location> {
    Some(match text.to_ascii_lowercase().as_str() {
        "path" => Location::Path,
        "query" => Location::Query,
        "header" | "headers" => Location::Header,
        "cookie" | "cookies" => Location::Cookie,
        "form" => Location::Form,
        "body" => Location::Body,
        _ => return None,
    })
}

/// Whether the document has a parameter with this name and location.
fn documented(document: Option<&Value>, name: &str, location: Location) -> bool {
    let Some(document) = document else { return false };
    let place = match location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "header",
        Location::Cookie => "cookie",
        Location::Form => "formData",
        Location::Body => "body",
    };
    let mut found = false;
    walk(document, &mut |object| {
        let is = |key: &str, value: &str| object.get(key).and_then(Value::as_str) == Some(value);
        found |= is("in", place) && (location == Location::Body || is("name", name));
        found |= matches!(location, Location::Body | Location::Form) && object.contains_key("requestBody");
    });
    found
}

/// The document's description of a status; `None` where the document lacks it.
fn says_status(document: Option<&Value>, status: u16) -> Option<String> {
    let mut found = None;
    walk(document?, &mut |object| {
        if object.get("responses").and_then(|responses| responses.get(status.to_string())).is_some() {
            found = Some(status.to_string());
        }
    });
    found
}

fn walk(value: &Value, see: &mut dyn FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            see(object);
            object.values().for_each(|child| walk(child, see));
        }
        Value::Array(items) => items.iter().for_each(|child| walk(child, see)),
        _ => {}
    }
}
