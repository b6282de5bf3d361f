//! Source contexts: parameters, response fields and error cases with evidence, and what stays pending, with the reason.

use std::collections::{BTreeMap, BTreeSet};

use super::bench::Bench;
use super::respond;
use super::serve::{Run, Served};
use super::signature::{Slot, element};
use super::validation;
use crate::frameworks::{Framework, Location};
use crate::java::body::BinaryOp;
use crate::java::facts::Annotation;
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::condition::Cond;
use crate::java::interpret::function::Function;
use crate::java::interpret::known::Known;
use crate::java::interpret::path::{Outcome, Site};
use crate::java::interpret::scalar::ClassRef;
use crate::java::interpret::term::{Input, Place, Term};
use crate::java::interpret::types::type_of;
use crate::java::interpret::value::Type;
use crate::openapi;
use crate::types::evidence::{Evidence, EvidenceId, EvidenceTable};
use crate::types::source_context::{
    Constraint, ConstraintKind, Entry, ErrorCase, Location as Wire, PendingParam, PendingResponse, RequestParam,
    ResponseField, ResponseSchema, SourceContext,
};

/// The citation of a member.
pub fn cite(bench: &Bench<'_>, member: MemberId) -> Evidence {
    let project = bench.subject.project;
    Evidence { symbol: project.symbol(member), tokens_sha256: project.member(member).tokens }
}

/// What the code says of an operation.
pub fn context(bench: &Bench<'_>, open: &Run) -> SourceContext {
    let subject = bench.subject;
    let mut evidence = EvidenceTable::new();
    let mut cited = |member: MemberId| -> EvidenceId {
        let evidence_of = cite(bench, member);
        let id = evidence_of.id();
        evidence.insert(id.clone(), evidence_of);
        id
    };
    let mut request_params = Vec::new();
    for slot in &bench.signature.slots {
        params(bench, slot, &mut cited, &mut request_params);
    }
    bounds(open, &mut request_params, bench, &mut cited);
    let cases = error_cases(bench, open);
    let error_cases = cases
        .iter()
        .map(|case| ErrorCase {
            status: case.status,
            condition: case.condition.clone(),
            evidence: cited(case.site.map_or(subject.endpoint.entry, |site| site.member)),
        })
        .collect();
    let mut success: BTreeSet<u16> = BTreeSet::new();
    let mut open_ended = BTreeSet::new();
    for served in &open.served {
        match served.answer.status {
            Some(status) if status < 400 => {
                success.insert(status);
            }
            Some(_) => {}
            None => open_ended.extend(why_open(served)),
        }
    }
    if !open.complete {
        open_ended.insert("there are more paths than were followed".to_owned());
    }
    let success_status = match success.iter().collect::<Vec<_>>().as_slice() {
        [only] => Some(**only),
        _ => None,
    };
    let mut fields = Vec::new();
    if bench.surroundings.serialisation.is_empty() && subject.endpoint.framework != Framework::JaxRs {
        response_fields(bench, &mut cited, &mut fields);
    }
    let known: BTreeSet<u16> = open.served.iter().filter_map(|served| served.answer.status).collect();
    let (request_params_pending, response_schema_pending) = pending(bench, &request_params, &known, &open_ended);
    SourceContext {
        op_id: subject.op_id.clone(),
        entry: Some(Entry {
            class: subject.project.fqn(subject.endpoint.receiver).to_owned(),
            method: subject.project.member(subject.endpoint.entry).signature(),
        }),
        request_params,
        response_schema: ResponseSchema {
            success_status,
            success_statuses: success.into_iter().collect(),
            fields,
            error_cases,
        },
        request_params_pending,
        response_schema_pending,
        evidence,
    }
}

/// Why a path's status is not known.
fn why_open(served: &Served) -> Vec<String> {
    match &served.path.outcome {
        Outcome::Cut(bound) => vec![bound.describe().to_owned()],
        _ => served.path.unknowns.iter().map(ToString::to_string).collect(),
    }
}

fn wire(location: Location) -> Option<Wire> {
    Some(match location {
        Location::Path => Wire::Path,
        Location::Query => Wire::Query,
        Location::Header => Wire::Header,
        Location::Cookie => Wire::Cookie,
        Location::Form | Location::Part => Wire::Form,
        Location::Body => Wire::Body,
        _ => return None,
    })
}

fn params(bench: &Bench<'_>, slot: &Slot, cited: &mut impl FnMut(MemberId) -> EvidenceId, out: &mut Vec<RequestParam>) {
    let subject = bench.subject;
    let Some(location) = wire(slot.location) else { return };
    let declared =
        subject.project.member(subject.endpoint.entry).params.get(slot.index).map(|param| param.ty.to_string());
    let constraints = slot
        .constraints
        .iter()
        .filter(|a| validation::is_constraint(subject.project, subject.endpoint.entry.ty, a) == Some(true))
        .filter_map(|annotation| constraint(annotation, &slot.ty))
        .map(|kind| Constraint { kind, evidence: cited(subject.endpoint.entry) })
        .collect();
    out.push(RequestParam {
        name: slot.input.name.to_string(),
        location,
        ty: declared.unwrap_or_default(),
        required: slot.required,
        default: slot.default.clone(),
        constraints,
        oas_match: documented(bench, location, &slot.input.name),
        evidence: cited(subject.endpoint.entry),
    });
    if slot.location == Location::Body {
        body_params(bench, &slot.ty, "", slot.validated, cited, out, 0);
    }
}

fn body_params(
    bench: &Bench<'_>,
    ty: &Type,
    prefix: &str,
    validated: bool,
    cited: &mut impl FnMut(MemberId) -> EvidenceId,
    out: &mut Vec<RequestParam>,
    depth: usize,
) {
    let (inner, prefix) = match element(ty) {
        Some(inner) => (inner, format!("{prefix}[*]")),
        None => (ty.clone(), prefix.to_owned()),
    };
    let Some(fields) = inner.project().and_then(|id| bench.signature.fields(id)) else { return };
    if depth > 4 {
        return;
    }
    for field in fields {
        let facts = bench.subject.project.member(field.member);
        let name = if prefix.is_empty() { field.name.clone() } else { format!("{prefix}.{}", field.name) };
        let own: Vec<&Annotation> = facts
            .annotations
            .iter()
            .filter(|a| validated && validation::is_constraint(bench.subject.project, field.member.ty, a) == Some(true))
            .collect();
        let required = own.iter().any(|a| matches!(a.simple(), "NotNull" | "NotBlank" | "NotEmpty"));
        let constraints = own
            .iter()
            .filter_map(|annotation| constraint(annotation, &field.ty))
            .map(|kind| Constraint { kind, evidence: cited(field.member) })
            .collect();
        out.push(RequestParam {
            name: name.clone(),
            location: Wire::Body,
            ty: facts.ty.as_ref().map(ToString::to_string).unwrap_or_default(),
            required,
            default: None,
            constraints,
            oas_match: documented(bench, Wire::Body, &name),
            evidence: cited(field.member),
        });
        let cascades = validated && facts.annotations.iter().any(|a| a.simple() == "Valid");
        body_params(bench, &field.ty, &name, cascades, cited, out, depth + 1);
    }
}

/// What an annotation of Bean Validation says.
fn constraint(annotation: &Annotation, ty: &Type) -> Option<ConstraintKind> {
    let int = |name: &str| validation::int_arg(annotation, name);
    let range = |min: Option<i64>, max: Option<i64>| ConstraintKind::Range {
        min: min.map(|x| x.to_string()),
        max: max.map(|x| x.to_string()),
        exclusive_min: false,
        exclusive_max: false,
    };
    Some(match annotation.simple() {
        "NotNull" => ConstraintKind::NotNull,
        "NotEmpty" => ConstraintKind::NotEmpty,
        "NotBlank" => ConstraintKind::NotBlank,
        "Size" | "Length" => ConstraintKind::Length { min: int("min").filter(|min| *min > 0), max: int("max") },
        "Min" => range(int("value"), None),
        "Max" => range(None, int("value")),
        "Positive" if is_integral(ty) => range(Some(1), None),
        "PositiveOrZero" => range(Some(0), None),
        "Negative" if is_integral(ty) => range(None, Some(-1)),
        "NegativeOrZero" => range(None, Some(0)),
        "Pattern" => ConstraintKind::Pattern { regex: validation::text_arg(annotation, "regexp")?.to_owned() },
        "Email" => ConstraintKind::Email,
        other => ConstraintKind::Condition { text: format!("@{other}") },
    })
}

fn is_integral(ty: &Type) -> bool {
    matches!(ty, Type::Prim(prim) | Type::Boxed(prim) if prim.is_integral())
}

/// Bounds that code draws: conditions that lead to an error and that no path to success leaves open.
fn bounds(open: &Run, params: &mut [RequestParam], bench: &Bench<'_>, cited: &mut impl FnMut(MemberId) -> EvidenceId) {
    /// Least and greatest value, and where the code says so.
    type Drawn = (Option<i64>, Option<i64>, Site);
    let mut ranges: BTreeMap<(Input, bool), Drawn> = BTreeMap::new();
    let others = open.served.iter().filter(|other| other.answer.status.is_none_or(|status| status < 400));
    let passing: Vec<Known> = others
        .map(|other| {
            let mut known = Known::default();
            other.path.conditions.iter().for_each(|taken| known.add(taken.cond.clone()));
            known
        })
        .collect();
    for served in open.served.iter().filter(|served| served.answer.status.is_some_and(|status| status >= 400)) {
        let Some(last) = served.path.conditions.last() else { continue };
        let (Some(site), Some((term, op, limit))) = (last.site, last.cond.bound()) else { continue };
        let (input, length) = match &**term {
            Term::Input(input) => (input.clone(), false),
            Term::Apply(Function::Length | Function::Size, args) => match args.first().map(AsRef::as_ref) {
                Some(Term::Input(input)) => (input.clone(), true),
                _ => continue,
            },
            _ => continue,
        };
        let passes = passing.iter().all(|known| known.decides(&last.cond) == Some(false));
        if !passes {
            continue;
        }
        let (min, max) = match op {
            BinaryOp::Lt => (Some(limit), None),
            BinaryOp::Le => (limit.checked_add(1), None),
            BinaryOp::Gt => (None, Some(limit)),
            BinaryOp::Ge => (None, limit.checked_sub(1)),
            BinaryOp::Ne => (Some(limit), Some(limit)),
            _ => continue,
        };
        let entry = ranges.entry((input, length)).or_insert((None, None, site));
        entry.0 = entry.0.max(min);
        entry.1 = match (entry.1, max) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    for ((input, length), (min, max, site)) in ranges {
        let location = match input.place {
            Place::Path => Wire::Path,
            Place::Query => Wire::Query,
            Place::Header => Wire::Header,
            Place::Cookie => Wire::Cookie,
            Place::Form => Wire::Form,
            Place::Body => Wire::Body,
        };
        let name = input.name.replace("[0]", "[*]");
        let Some(param) = params.iter_mut().find(|param| param.location == location && param.name == name) else {
            continue;
        };
        let kind = if length {
            ConstraintKind::Length { min, max }
        } else {
            ConstraintKind::Range {
                min: min.map(|x| x.to_string()),
                max: max.map(|x| x.to_string()),
                exclusive_min: false,
                exclusive_max: false,
            }
        };
        let _ = bench;
        if !param.constraints.iter().any(|constraint| constraint.kind == kind) {
            param.constraints.push(Constraint { kind, evidence: cited(site.member) });
        }
    }
}

/// One way, or several of one kind, to an error.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Status.
    pub status: u16,
    /// In words.
    pub condition: String,
    /// Where it is decided; `None` for the framework.
    pub site: Option<Site>,
    /// The exception, by its simple name.
    pub exception: Option<String>,
}

/// The error cases of an open run: paths that end alike, with what sets them apart from the others.
pub fn error_cases(bench: &Bench<'_>, open: &Run) -> Vec<Case> {
    type Key = (u16, Option<Site>, Option<String>);
    let mut groups: Vec<(Key, Vec<Vec<Cond>>)> = Vec::new();
    for (index, served) in open.served.iter().enumerate() {
        let Some(status) = served.answer.status.filter(|status| *status >= 400) else { continue };
        let key = (status, served.path.exit, served.answer.exception.clone());
        let own = relevant(open, index);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, all)) => {
                if !all.contains(&own) {
                    all.push(own);
                }
            }
            None => groups.push((key, vec![own])),
        }
    }
    let _ = bench;
    let mut cases: Vec<Case> = groups
        .into_iter()
        .map(|((status, site, exception), ways)| Case { status, condition: describe(&merged(ways)), site, exception })
        .collect();
    cases.sort_by(|a, b| (a.status, &a.condition).cmp(&(b.status, &b.condition)));
    cases.dedup_by(|a, b| a.status == b.status && a.condition == b.condition);
    cases
}

/// The conditions of a path without those that only pass guards: whose other side leads to errors alone.
pub fn relevant(open: &Run, index: usize) -> Vec<Cond> {
    let Some(served) = open.served.get(index) else { return Vec::new() };
    let conditions = &served.path.conditions;
    // How far every other path goes the same way.
    let shared: Vec<(&Served, usize)> = open
        .served
        .iter()
        .map(|other| {
            let pairs = other.path.conditions.iter().zip(conditions);
            (other, pairs.take_while(|(a, b)| a.cond == b.cond).count())
        })
        .collect();
    let mut out: Vec<Cond> = Vec::new();
    for (at, taken) in conditions.iter().enumerate() {
        let side = |cond: &Cond| {
            shared
                .iter()
                .filter(|(other, common)| {
                    *common >= at && other.path.conditions.get(at).is_some_and(|own| own.cond == *cond)
                })
                .all(|(other, _)| other.answer.status.is_some_and(|status| status >= 400))
        };
        let only_guards = side(&taken.cond.negate()) && !side(&taken.cond);
        if !only_guards && !out.contains(&taken.cond) {
            out.push(taken.cond.clone());
        }
    }
    if out.is_empty() {
        out.extend(conditions.last().map(|taken| taken.cond.clone()));
    }
    out
}

/// Alternatives without what does not matter: two that differ in one condition and its opposite are one.
fn merged(mut ways: Vec<Vec<Cond>>) -> Vec<Vec<Cond>> {
    'again: loop {
        if ways.len() > 60 {
            return ways;
        }
        for a in 0..ways.len() {
            for b in 0..ways.len() {
                if a == b {
                    continue;
                }
                // All that b asks, a asks too: a adds nothing.
                if ways[b].iter().all(|cond| ways[a].contains(cond)) {
                    ways.remove(a);
                    continue 'again;
                }
                // a asks the opposite of one condition of b, and otherwise no more than b: that condition of b does not matter.
                for at in 0..ways[b].len() {
                    let opposite = ways[b][at].negate();
                    let rest_in_b = |cond: &Cond| {
                        *cond == opposite || ways[b].iter().enumerate().any(|(i, c)| i != at && c == cond)
                    };
                    if ways[a].contains(&opposite) && ways[a].iter().all(rest_in_b) {
                        ways[b].remove(at);
                        continue 'again;
                    }
                }
            }
        }
        return ways;
    }
}

/// Alternatives in words; two that leave a range between them as one.
pub fn describe(ways: &[Vec<Cond>]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut used = vec![false; ways.len()];
    for (index, way) in ways.iter().enumerate() {
        if used[index] {
            continue;
        }
        if let [one] = way.as_slice()
            && let Some((term, op @ (BinaryOp::Lt | BinaryOp::Le), low)) = one.bound()
        {
            let above = ways.iter().enumerate().skip(index + 1).find_map(|(at, other)| match other.last()?.bound() {
                Some((t, op @ (BinaryOp::Gt | BinaryOp::Ge), high))
                    if t == term && other.iter().all(|c| c.bound().is_some_and(|(t, ..)| t == term)) =>
                {
                    Some((at, if op == BinaryOp::Gt { high } else { high - 1 }))
                }
                _ => None,
            });
            if let Some((at, high)) = above {
                let low = if op == BinaryOp::Lt { low } else { low + 1 };
                used[at] = true;
                parts.push(if low == high {
                    format!("{term} is not {low}")
                } else {
                    format!("{term} outside {low}..{high}")
                });
                continue;
            }
        }
        let words = sentence(way);
        if !parts.contains(&words) {
            parts.push(words);
        }
    }
    let more = parts.len().saturating_sub(6);
    parts.truncate(6);
    let mut text = parts.join("; or ");
    if more > 0 {
        text += &format!("; or {more} more");
    }
    if text.is_empty() { "always".to_owned() } else { text }
}

/// Conditions that must all hold, without those that others imply.
pub fn sentence(conditions: &[Cond]) -> String {
    let mut kept: Vec<&Cond> = Vec::new();
    for (index, cond) in conditions.iter().enumerate() {
        let mut known = Known::default();
        for (at, other) in conditions.iter().enumerate() {
            if at != index && (at > index || kept.contains(&other)) {
                known.add(other.clone());
            }
        }
        let implied = !cond.is_unknown() && known.decides(cond) == Some(true);
        if !implied {
            kept.push(cond);
        }
    }
    const WORDS: usize = 160;
    let mut text = String::new();
    for (index, cond) in kept.iter().enumerate() {
        let words = cond.to_string();
        if !text.is_empty() && text.chars().count() + words.chars().count() > WORDS {
            return format!("{text} and {} more conditions", kept.len() - index);
        }
        if !text.is_empty() {
            text += " and ";
        }
        text.extend(words.chars().take(WORDS));
    }
    text
}

/// The type of a successful body.
pub fn response_type(bench: &Bench<'_>) -> Option<Type> {
    let entry = bench.subject.endpoint.entry;
    let declared = bench.subject.project.member(entry).ty.as_ref()?;
    match type_of(bench.subject.project, entry.ty, declared) {
        Type::Class(ClassRef::Library(fqn), args)
            if matches!(&*fqn, "org.springframework.http.ResponseEntity" | "org.springframework.http.HttpEntity") =>
        {
            args.into_iter().next()
        }
        other => Some(other),
    }
}

fn response_fields(bench: &Bench<'_>, cited: &mut impl FnMut(MemberId) -> EvidenceId, out: &mut Vec<ResponseField>) {
    let Some(ty) = response_type(bench) else { return };
    let (inner, prefix) = match element(&ty) {
        Some(inner) => (inner, "[*]".to_owned()),
        None => (ty, String::new()),
    };
    if let Some(id) = inner.project() {
        fields_of(bench, id, &prefix, cited, out, &mut Vec::new());
    }
}

fn fields_of(
    bench: &Bench<'_>,
    id: TypeId,
    prefix: &str,
    cited: &mut impl FnMut(MemberId) -> EvidenceId,
    out: &mut Vec<ResponseField>,
    above: &mut Vec<TypeId>,
) {
    if above.contains(&id) || above.len() > 5 {
        return;
    }
    let project = bench.subject.project;
    let Some(properties) = respond::properties(project, id) else { return };
    above.push(id);
    for property in properties {
        let facts = project.member(property.member);
        let path = if prefix.is_empty() { property.name.clone() } else { format!("{prefix}.{}", property.name) };
        let Some(declared) = &facts.ty else { continue };
        let ty = type_of(project, property.member.ty, declared);
        let nullable = if matches!(ty, Type::Prim(_)) { Some(false) } else { None };
        out.push(ResponseField {
            path: path.clone(),
            ty: declared.to_string(),
            nullable,
            evidence: cited(property.member),
        });
        let (inner, path) = match element(&ty) {
            Some(inner) => (inner, format!("{path}[*]")),
            None => (ty, path),
        };
        if let Some(inner) = inner.project() {
            fields_of(bench, inner, &path, cited, out, above);
        }
    }
    above.pop();
}

fn operation<'a>(bench: &Bench<'a>) -> Option<&'a openapi::Operation> {
    bench.subject.document?.operation(bench.subject.op_id.as_str())
}

fn documented(bench: &Bench<'_>, location: Wire, name: &str) -> bool {
    let Some(operation) = operation(bench) else { return false };
    match location {
        Wire::Body if name.is_empty() => operation.request_body.is_some(),
        Wire::Body => false,
        _ => operation.parameters.iter().any(|param| same_place(param.location, location) && param.name == name),
    }
}

fn same_place(of_document: openapi::In, location: Wire) -> bool {
    matches!(
        (of_document, location),
        (openapi::In::Path, Wire::Path)
            | (openapi::In::Query, Wire::Query)
            | (openapi::In::Header, Wire::Header)
            | (openapi::In::Cookie, Wire::Cookie)
            | (openapi::In::Body, Wire::Body)
            | (openapi::In::FormData, Wire::Form)
    )
}

/// What the document claims and the code does not show.
fn pending(
    bench: &Bench<'_>,
    params: &[RequestParam],
    statuses: &BTreeSet<u16>,
    open_ended: &BTreeSet<String>,
) -> (Vec<PendingParam>, Vec<PendingResponse>) {
    let mut pending_params = Vec::new();
    let mut responses = Vec::new();
    let all: Vec<&str> = open_ended.iter().take(6).map(String::as_str).collect();
    let reason = if all.is_empty() {
        "no path of the code ends in it".to_owned()
    } else {
        format!("not decided: {}", all.join("; "))
    };
    if let Some(operation) = operation(bench) {
        for param in &operation.parameters {
            let location = match param.location {
                openapi::In::Path => Wire::Path,
                openapi::In::Query => Wire::Query,
                openapi::In::Header => Wire::Header,
                openapi::In::Cookie => Wire::Cookie,
                openapi::In::Body => Wire::Body,
                openapi::In::FormData => Wire::Form,
            };
            let found = params.iter().any(|known| {
                known.location == location
                    && (known.name == param.name || location == Wire::Body && known.name.is_empty())
            });
            if !found {
                let reason = "only the document names it; no binding of the entry reads it".to_owned();
                pending_params.push(PendingParam { name: param.name.clone(), location, reason });
            }
        }
        for response in &operation.responses {
            let openapi::Status::Code(code) = response.status else { continue };
            if !statuses.contains(&code) {
                responses.push(PendingResponse {
                    status: Some(code),
                    oas_claim: Some(response.description.clone().unwrap_or_default()),
                    reason: reason.clone(),
                });
            }
        }
    }
    if !all.is_empty() && responses.is_empty() {
        responses.push(PendingResponse { status: None, oas_claim: None, reason });
    }
    pending_params.sort_by(|a, b| (a.location, &a.name).cmp(&(b.location, &b.name)));
    (pending_params, responses)
}
