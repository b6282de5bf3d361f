//! Moved bounds of parameters, each with a request at the bound as witness.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::changed_context::counterpart;
use crate::compare::sides::side::{Side, change};
use crate::inputs::samples::filler;
use crate::inputs::solve::{Candidate, Pool};
use crate::oracles::bounds::input_of;
use crate::search::explore::search;
use mastor_java::interpret::library::text::matching::regex_samples::samples;
use mastor_java::interpret::stores::refusals::KEPT;
use mastor_java::interpret::values::term::InputPlace;
use mastor_runtime::request::case::Case;
use mastor_runtime::request::signature::element;
use mastor_runtime::server::serve::{Run, Served};
use mastor_types::results::change::{Change, ChangeEffect, Witness};
use mastor_types::suite::source_context::{Constraint, ConstraintKind, RequestParam};
use serde_json::{Value as Json, json};

/// A bound of a length, or of the value itself.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Limit {
    length: bool,
    at: i64,
}

/// The bounds that a constraint sets.
fn limits(kind: &ConstraintKind) -> Vec<Limit> {
    let all = match kind {
        ConstraintKind::Length { min, max } => [*min, *max].map(|at| at.map(|at| Limit { length: true, at })),
        ConstraintKind::Range { min, max, .. } => {
            let read = |text: &Option<String>| text.as_ref().and_then(|text| text.parse().ok());
            [read(min), read(max)].map(|at| at.map(|at| Limit { length: false, at }))
        }
        _ => return Vec::new(),
    };
    all.into_iter().flatten().collect()
}

/// The possible statuses of a request; `None` if they are not known.
fn possible(run: &Run) -> Option<BTreeSet<u16>> {
    if !run.complete {
        return None;
    }
    run.served.iter().map(|served| served.answer.status).collect()
}

/// Whether a request is rejected on every path.
fn refused(run: &Run) -> bool {
    run.complete && run.served.iter().all(|served| served.answer.status.is_some_and(|status| status >= 400))
}

fn words(run: &Run) -> String {
    match possible(run) {
        Some(statuses) => statuses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or "),
        None => "not refused".to_owned(),
    }
}

/// Whether a request is accepted on every path, and not rejected later for the same reason.
fn passes(run: &Run) -> bool {
    let kept = |served: &Served| served.path.doubts.iter().any(|why| why.contains(KEPT));
    let passes = |served: &Served| served.answer.status.is_some_and(|status| status < 400) && !kept(served);
    run.complete && !run.served.is_empty() && run.served.iter().all(passes)
}

/// Whether a request reaches the handler on some path without rejection. A rejection by the framework that is not
/// modelled does not prove otherwise.
fn arrives(side: &Side<'_>, run: &Run) -> bool {
    let entry = side.bench.subject.endpoint.entry;
    let goes_on = |served: &&Served| served.answer.status.is_none_or(|status| status < 400);
    run.complete && run.served.iter().filter(goes_on).any(|served| served.path.members.contains(&entry))
}

/// A witness: a valid request with one of these values put in, which both revisions answer differently. With `moved`,
/// both revisions have a bound; then it suffices that one revision rejects a request which reaches the handler in the
/// other.
fn parting(
    old: &Side<'_>,
    new: &Side<'_>,
    param: &RequestParam,
    values: impl IntoIterator<Item = Candidate>,
    moved: bool,
    start: &OnceCell<Case>,
) -> Option<Witness> {
    let input = input_of(&new.bench, param)?;
    let pool = Pool::of(&new.bench, &[new.open()]);
    let start = start.get_or_init(|| good(new, &pool));
    for value in values {
        let mut case = start.clone();
        if !pool.put(&mut case, &input, &value) || !pool.is_sendable(&case) {
            continue;
        }
        let request = case.request(&new.bench.signature);
        if request != case.request(&old.bench.signature) {
            continue;
        }
        let (was, is) = (old.bench.try_case(&case), new.bench.try_case(&case));
        let part = passes(&was) && refused(&is)
            || refused(&was) && passes(&is)
            || moved && (refused(&was) && arrives(new, &is) || refused(&is) && arrives(old, &was));
        if part {
            return Some(Witness { as_user: case.sender(), input: request, before: words(&was), after: words(&is) });
        }
    }
    None
}

/// A valid request, if one is found.
fn good(side: &Side<'_>, pool: &Pool<'_>) -> Case {
    let success = |run: &Run| run.served.iter().any(|served| served.answer.status.is_some_and(|status| status < 400));
    let tried = search(&side.bench, side.open()).into_iter().find(|tried| success(&tried.run));
    tried.map_or_else(|| pool.valid(), |tried| tried.case)
}

/// Values one off the bounds.
fn near(new: &Side<'_>, param: &RequestParam, limits: &[Limit]) -> Vec<Candidate> {
    let Some(input) = input_of(&new.bench, param) else { return Vec::new() };
    let body = input.place == InputPlace::Body;
    let list = body && new.bench.signature.body_type(&input).as_ref().and_then(element).is_some();
    let around = |limit: &Limit| {
        let values = [Some(limit.at), limit.at.checked_add(1), limit.at.checked_sub(1)];
        values.map(|at| at.map(|at| (limit.length, at)))
    };
    let value = |(length, at): (bool, i64)| {
        if !length {
            return Some(if body { Candidate::Json(json!(at)) } else { Candidate::Text(at.to_string()) });
        }
        let length = usize::try_from(at).ok().filter(|length| *length <= 5_000)?;
        Some(if list && length <= 200 {
            Candidate::Size(length)
        } else if body {
            Candidate::Json(json!(filler(length)))
        } else {
            Candidate::Text(filler(length))
        })
    };
    limits.iter().flat_map(around).flatten().filter_map(value).collect()
}

/// Values that violate constraints which have no numeric bound.
fn refusable(kinds: &[&ConstraintKind]) -> Vec<Candidate> {
    let mut out = vec![Candidate::Absent];
    for kind in kinds {
        match kind {
            ConstraintKind::NotNull => out.push(Candidate::Json(Json::Null)),
            ConstraintKind::NotEmpty => out.extend([Candidate::Json(json!("")), Candidate::Size(0)]),
            ConstraintKind::NotBlank => out.extend([Candidate::Json(json!(" ")), Candidate::Text(" ".to_owned())]),
            ConstraintKind::Pattern { regex } => {
                out.extend(
                    samples(regex).into_iter().flat_map(|text| [Candidate::Json(json!(text)), Candidate::Text(text)]),
                );
                out.extend([Candidate::Json(json!("?")), Candidate::Json(json!("")), Candidate::Text("?".to_owned())]);
            }
            _ => out.extend([Candidate::Json(json!("?")), Candidate::Json(json!("")), Candidate::Text("?".to_owned())]),
        }
    }
    out
}

/// Whether another change already has this request as witness.
fn is_told(found: &[Change], witness: &Witness) -> bool {
    let same = |told: &Witness| told.input == witness.input && told.as_user == witness.as_user;
    found.iter().any(|change| change.witness.as_ref().is_some_and(same))
}

/// Adds changes of required parameters, of types and of bounds. With `told`, requests have already shown a change, so
/// only new required parameters and changed types are added.
pub fn by_bounds(old: &Side<'_>, new: &Side<'_>, told: bool, found: &mut Vec<Change>) {
    let start = OnceCell::new();
    for param in &new.context().request_params {
        let Some(was) = counterpart(&old.context().request_params, param) else {
            // The result in base may be unknown: only a request shows that base accepted it without the parameter.
            if param.required
                && let Some(witness) = parting(old, new, param, [Candidate::Absent], false, &start)
                && !is_told(found, &witness)
            {
                let mut made = change(new, ChangeEffect::Breaking, format!("needs {}, which it did not", param.name));
                made.evidence_after = new.cited(&param.evidence);
                made.witness = Some(witness);
                found.push(made);
            }
            continue;
        };
        if was.required != param.required
            && !told
            && let Some(witness) = parting(old, new, param, [Candidate::Absent], false, &start)
        {
            let (effect, what) = if param.required {
                (ChangeEffect::Breaking, format!("{} is required now", param.name))
            } else {
                (ChangeEffect::Additive, format!("{} may be left out now", param.name))
            };
            let mut made = change(new, effect, what);
            (made.evidence_before, made.evidence_after) = (old.cited(&was.evidence), new.cited(&param.evidence));
            made.witness = Some(witness);
            found.push(made);
        }
        if was.ty != param.ty && old.on_the_wire(&was.ty) != new.on_the_wire(&param.ty) {
            let name = if param.name.is_empty() { "the body" } else { &param.name };
            let mut made =
                change(new, ChangeEffect::Unclear, format!("{name} is {} where it was {}", param.ty, was.ty));
            (made.evidence_before, made.evidence_after) = (old.cited(&was.evidence), new.cited(&param.evidence));
            found.push(made);
        }
        if told {
            continue;
        }
        let only = |of: &[Constraint], others: &[Constraint]| -> Vec<Constraint> {
            of.iter().filter(|one| !others.iter().any(|other| other.kind == one.kind)).cloned().collect()
        };
        let (gone, came) = (only(&was.constraints, &param.constraints), only(&param.constraints, &was.constraints));
        for index in 0..gone.len().max(came.len()) {
            let (before, after) = (gone.get(index), came.get(index));
            let of = |constraint: Option<&Constraint>| constraint.map(|c| limits(&c.kind)).unwrap_or_default();
            let (was_at, is_at) = (of(before), of(after));
            // Bounds that differ come first.
            let mut bounds: Vec<Limit> = is_at.iter().filter(|limit| !was_at.contains(limit)).copied().collect();
            bounds.extend(was_at.iter().filter(|limit| !is_at.contains(limit)));
            bounds.extend(is_at.iter().filter(|limit| was_at.contains(limit)));
            let both = before.is_some() && after.is_some();
            let kinds: Vec<&ConstraintKind> = before.iter().chain(&after).map(|constraint| &constraint.kind).collect();
            let values = if bounds.is_empty() { refusable(&kinds) } else { near(new, param, &bounds) };
            let witness = parting(old, new, param, values, both, &start);
            if witness.as_ref().is_none_or(|witness| is_told(found, witness)) {
                continue;
            }
            let words = |c: Option<&Constraint>| c.map_or_else(|| "free".to_owned(), |c| c.kind.to_string());
            let effect = match (before, after) {
                (None, Some(_)) => ChangeEffect::Breaking,
                (Some(_), None) => ChangeEffect::Additive,
                _ => ChangeEffect::Unclear,
            };
            let mut made = change(new, effect, format!("{}: {} → {}", param.name, words(before), words(after)));
            made.before = Some(words(before));
            made.after = Some(words(after));
            made.evidence_before = before.and_then(|c| old.cited(&c.evidence));
            made.evidence_after = after.and_then(|c| new.cited(&c.evidence));
            made.witness = witness;
            found.push(made);
        }
    }
}
