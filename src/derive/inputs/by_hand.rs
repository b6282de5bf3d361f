//! Requests for code that reads queries, headers and forms by hand, where no condition shows the input: values that
//! occur as literals in the code that ran, and the request without the input.

use std::collections::BTreeSet;

use super::solve::{Candidate, Pool};
use crate::search::tried::{Add, Purpose, TriedRequest};
use mastor_frameworks::Location;
use mastor_java::ir::body::{ExprKind, Lit};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_openapi::schema::JsonType;
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::Case;
use mastor_runtime::request::read_by_hand;
use mastor_runtime::request::signature::Slot;
use mastor_runtime::server::serve::Run;

/// Maximum number of values that are tried for one input.
const EACH: usize = 24;
/// Maximum length of a value that is tried.
const LENGTH: usize = 24;

/// Whether a request certainly has a success answer.
type IsWell = fn(&Run) -> bool;

/// Tries values of inputs that the code reads by hand, one input at a time.
pub fn cases(
    bench: &Bench<'_>,
    pool: &Pool<'_>,
    (base, is_well): (&Case, IsWell),
    tried: &mut Vec<TriedRequest>,
    add: &Add<'_>,
) {
    let slots: Vec<&Slot> = bench.signature.slots.iter().filter(|slot| is_by_hand(slot)).collect();
    if slots.is_empty() {
        return;
    }
    let runs = tried.iter().flat_map(|one| &one.run.served);
    let members: BTreeSet<MemberId> = runs.flat_map(|served| served.path.members.iter().copied()).collect();
    let (texts, numbers) = literals(bench, &members);
    let mut base = base.clone();
    // A second pass combines inputs: it starts from a request that succeeded in the meantime.
    for slot in slots.iter().chain(&slots) {
        if let Some(well) = tried.iter().find(|one| is_well(&one.run)) {
            base = well.case.clone();
        }
        let mut without = base.clone();
        without.params.remove(&slot.input);
        add(without, Purpose::Sample(slot.input.clone()), tried);
        let is_number = read_by_hand::schema(bench.subject, slot)
            .is_some_and(|schema| schema.types.iter().any(|ty| matches!(ty, JsonType::Integer | JsonType::Number)));
        let known = pool.of_input(&slot.input).iter().filter_map(|candidate| match candidate {
            Candidate::Text(text) => Some(text.clone()),
            _ => None,
        });
        let own: Vec<String> = match is_number {
            true => numbers.iter().map(i64::to_string).chain(known).collect(),
            false => known.chain(texts.iter().cloned()).collect(),
        };
        for text in own.into_iter().take(EACH) {
            let mut case = base.clone();
            if pool.put(&mut case, &slot.input, &Candidate::Text(text)) {
                add(case, Purpose::Sample(slot.input.clone()), tried);
            }
        }
    }
}

/// Whether the code reads an input by hand.
pub fn is_by_hand(slot: &Slot) -> bool {
    !slot.is_read() && slot.location != Location::Path
}

/// The strings and numbers in the classes of these members, with the neighbours of each number.
fn literals(bench: &Bench<'_>, members: &BTreeSet<MemberId>) -> (BTreeSet<String>, BTreeSet<i64>) {
    let project = bench.subject.project;
    let types: BTreeSet<TypeId> = members.iter().map(|member| member.ty).collect();
    let (mut texts, mut numbers) = (BTreeSet::new(), BTreeSet::from([-1, 0, 1]));
    for member in types.iter().flat_map(|ty| project.members(*ty)) {
        let Some(body) = project.body(member) else { continue };
        for expr in &body.exprs {
            match &expr.kind {
                ExprKind::Lit(Lit::Str(text)) if is_plain(text) => {
                    texts.insert(text.clone());
                }
                ExprKind::Lit(Lit::Int(number)) => {
                    numbers.extend([-1, 0, 1].map(|step| i64::from(*number) + step));
                }
                _ => {}
            }
        }
    }
    (texts, numbers)
}

/// Whether all clients send a string in the same form.
fn is_plain(text: &str) -> bool {
    (1..=LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}
