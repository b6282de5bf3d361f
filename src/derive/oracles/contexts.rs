//! Source contexts: parameters, response fields and error cases with evidence, and pending items with their reasons.

use std::collections::BTreeSet;

use super::error_cases::error_cases;
use super::pending::{documented, pending};
use super::response_fields::{FIELDS, response_fields};
use mastor_frameworks::Location;
use mastor_frameworks::record::Json;
use mastor_java::interpret::paths::path::Outcome;
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::facts::Annotation;
use mastor_java::ir::ids::MemberId;
use mastor_runtime::bench::Bench;
use mastor_runtime::request::signature::{Slot, element};
use mastor_runtime::request::slot::Part;
use mastor_runtime::server::serve::{Run, Served};
use mastor_runtime::validation::constraints;
use mastor_types::suite::evidence::{Evidence, EvidenceId, EvidenceTable};
use mastor_types::suite::source_context::{
    Constraint, ConstraintKind, Entry, ErrorCase, Location as Wire, RequestParam, ResponseSchema, SourceContext,
};

/// The citation of a member.
pub fn cite(bench: &Bench<'_>, member: MemberId) -> Evidence {
    let (symbol, tokens_sha256) = bench.subject.project.cited(member);
    Evidence { symbol, tokens_sha256 }
}

/// The parameters as declared, without the conditions in code.
pub fn declared_params(bench: &Bench<'_>) -> Vec<RequestParam> {
    let mut found = Vec::new();
    for slot in bench.signature.slots.iter().filter(|slot| slot.is_read()) {
        params(bench, slot, &mut |member| cite(bench, member).id(), &mut found);
    }
    found
}

/// The source context of an operation.
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
    for slot in bench.signature.slots.iter().filter(|slot| slot.is_read()) {
        params(bench, slot, &mut cited, &mut request_params);
    }
    crate::oracles::bounds::draw(open, &mut request_params, &mut cited);
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
    let is_plain = bench.surroundings.serialisation.is_empty() && bench.surroundings.mixed.is_none();
    if is_plain && subject.endpoint.framework.body.json == Json::Jackson {
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
        matched_by: subject.endpoint.matched_by(),
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
    let entry = subject.endpoint.entry;
    // A part of an object is described at the property that it fills.
    let (at, declared) = match slot.part {
        Some(Part::Property(member)) => (member, subject.project.member(member).ty.as_ref().map(ToString::to_string)),
        Some(Part::Page | Part::Size) => (entry, Some("int".to_owned())),
        Some(Part::Sort) => (entry, Some("String".to_owned())),
        _ => (entry, subject.project.member(entry).params.get(slot.index).map(|param| param.ty.to_string())),
    };
    let constraints = slot
        .constraints
        .iter()
        .filter(|_| at == entry || slot.validated)
        .filter(|a| constraints::is_constraint(subject.project, at.ty, a) == Some(true))
        .filter_map(|annotation| constraint(annotation, &slot.ty))
        .map(|kind| Constraint { kind, evidence: cited(at) })
        .collect();
    out.push(RequestParam {
        name: slot.input.name.to_string(),
        location,
        ty: declared.unwrap_or_default(),
        required: slot.required,
        default: slot.default.clone(),
        constraints,
        oas_match: documented(bench, location, &slot.input.name),
        evidence: cited(at),
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
        if out.len() >= FIELDS {
            return;
        }
        let facts = bench.subject.project.member(field.member);
        let name = if prefix.is_empty() { field.name.clone() } else { format!("{prefix}.{}", field.name) };
        let own: Vec<&Annotation> = facts
            .annotations
            .iter()
            .filter(|a| {
                validated && constraints::is_constraint(bench.subject.project, field.member.ty, a) == Some(true)
            })
            .collect();
        let implies = own.iter().any(|a| matches!(a.simple(), "NotBlank" | "NotEmpty"));
        let is_primitive = matches!(field.ty, Type::Prim(_));
        let required = implies || !is_primitive && own.iter().any(|a| a.simple() == "NotNull");
        let constraints = own
            .iter()
            // `@NotBlank` implies `@NotNull`.
            .filter(|a| !(implies && a.simple() == "NotNull"))
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

/// The constraint of a Bean Validation annotation.
pub fn constraint(annotation: &Annotation, ty: &Type) -> Option<ConstraintKind> {
    let int = |name: &str| constraints::int_arg(annotation, name);
    let range = |min: Option<i64>, max: Option<i64>| ConstraintKind::Range {
        min: min.map(|x| x.to_string()),
        max: max.map(|x| x.to_string()),
        exclusive_min: false,
        exclusive_max: false,
    };
    Some(match annotation.simple() {
        // A primitive value is never null.
        "NotNull" if matches!(ty, Type::Prim(_)) => return None,
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
        "Pattern" => ConstraintKind::Pattern { regex: constraints::text_arg(annotation, "regexp")?.to_owned() },
        "Email" => ConstraintKind::Email,
        other => ConstraintKind::Condition { text: format!("@{other}") },
    })
}

fn is_integral(ty: &Type) -> bool {
    matches!(ty, Type::Prim(prim) | Type::Boxed(prim) if prim.is_integral())
}
