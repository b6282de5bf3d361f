//! The product of base and head: the result of their joint run, for the operation and for the code around its handler.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::joint::{Joint, RunScope};
use super::round::{Product, Unit, join};
use super::served::served_otherwise;
use super::surrounded::surrounded;
use super::uncompared::{is_unreached, uncompared_inputs, uncovered_stops};
use super::units::{Proven, Units};
use crate::compare::edits::changed::ChangedCode;
use crate::compare::objects::callers::is_called_for_others;
use crate::compare::sides::reach::Reach;
use crate::compare::sides::side::Side;
use mastor_java::ir::ids::MemberId;
use mastor_types::results::change::Change;
use mastor_types::results::compared::Stop;

/// Maximum number of names of surrounding code that are listed.
const NAMED: usize = 3;

/// Maximum number of changes of single members that are reported for one operation.
const MOST: usize = 4;

/// Runs both sides together, using the results for single changed members; `None` if an operation cannot be run this
/// way.
pub fn product(
    old: &Side<'_>,
    new: &Side<'_>,
    changed: &ChangedCode,
    (units, proven): (&Units<'_>, Proven),
) -> Option<Product> {
    if !units.can_run() {
        return None;
    }
    let found = together(old, new, changed, (units, proven));
    let around = served_otherwise(old, new);
    if around.is_empty() {
        return Some(found);
    }
    // The handler may have taken over what a filter did, so nothing is reported if both differ.
    let changes = if found.changes.is_empty() { surrounded(old, new) } else { Vec::new() };
    let stopped = match changes.is_empty() {
        true => {
            BTreeSet::from([Stop::of(format!("other code runs around the handler than before ({})", listed(&around)))])
        }
        false => BTreeSet::new(),
    };
    Some(Product { changes, stopped, ..Product::default() })
}

/// The first of these names, without their packages.
fn listed(names: &[String]) -> String {
    let simple = |name: &String| match name.contains(' ') {
        true => name.clone(),
        false => format!("`{}`", name.rsplit('.').next().unwrap_or(name)),
    };
    let more = if names.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", names.iter().take(NAMED).map(simple).collect::<Vec<_>>().join(", "))
}

/// The changes of single members that are reported for an operation: one for each location, the most informative first.
fn told_of(new: &Side<'_>, mut told: Vec<Product>) -> Vec<Change> {
    // A removed call is more informative than the field that it was made on.
    told.sort_by_key(|alone| alone.weight);
    let mut changes: Vec<Change> = Vec::new();
    for change in told.into_iter().flat_map(|alone| alone.changes) {
        let stands = |other: &Change| {
            (&other.evidence_before, &other.evidence_after) == (&change.evidence_before, &change.evidence_after)
        };
        if changes.len() < MOST && !changes.iter().any(stands) {
            changes.push(change.of_operation(new.bench.subject.op_id));
        }
    }
    changes
}

/// Replaces the changes of this operation by those that the changed members show by themselves. If one change reaches
/// many operations, all of them then report the same.
/// A change of which nothing is said is told by the changed members that ran.
fn by_members(new: &Side<'_>, found: &mut Product, units: &Units<'_>, ran: &BTreeSet<MemberId>) {
    if found.is_vague {
        let symbols = ran.iter().map(|member| new.bench.subject.project.symbol(*member));
        let alone: Vec<Product> = symbols.filter_map(|symbol| units.by_itself(&symbol)).collect();
        let is_open = alone.iter().any(|alone| !alone.stopped.is_empty() && alone.changes.is_empty());
        let told: Vec<Product> = alone.into_iter().filter(|alone| !alone.changes.is_empty()).collect();
        if !told.is_empty() && !is_open && told.iter().all(|alone| !alone.is_vague) {
            found.changes = told_of(new, told);
        }
        return;
    }
    let symbol =
        |change: &Change| Some(change.evidence_after.as_ref().or(change.evidence_before.as_ref())?.symbol.clone());
    let Some(parting) = found.changes.iter().map(symbol).collect::<Option<BTreeSet<String>>>() else { return };
    let mut told = Vec::new();
    for member in &parting {
        match units.by_itself(member) {
            Some(alone) if !alone.changes.is_empty() => told.push(alone),
            _ => return,
        }
    }
    found.changes = told_of(new, told);
}

/// The changes of a member that the operation meets: those in the states in which the operation calls the member, else
/// those of the member by itself. If the operation meets none of them, the stop that says so.
fn met_in_context(alone: Product, unit: Unit, units: &Units<'_>) -> Result<Product, Stop> {
    if units.affects_many() {
        return Ok(alone);
    }
    match units.in_context(unit) {
        Some(met) if !met.changes.is_empty() => Ok(met),
        Some(met) if met.stopped.is_empty() => {
            Err(Stop::of(format!("{} behaves alike where it is first called", units.named(unit))))
        }
        _ => Ok(alone),
    }
}

/// Runs both sides together, regardless of code around their handlers.
fn together(old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode, (units, proven): (&Units<'_>, Proven)) -> Product {
    let Proven { mut ran, members } = proven;
    // A member that only one revision has is followed even if its own comparison found no difference, since the other
    // revision may have its code in the caller.
    let is_twin = |at: usize, member: &MemberId| {
        let (side, other) = if at == 0 { (old, new) } else { (new, old) };
        other.member(&side.bench.subject.project.symbol(*member)).is_some()
    };
    let open: [BTreeSet<MemberId>; 2] = [0, 1].map(|at| {
        let is_open = |member: &&MemberId| !(members[at].contains(member) && is_twin(at, member));
        changed.members[at].iter().filter(is_open).copied().collect()
    });
    let reaches = (Reach::of(old, &open[0]), Reach::of(new, &open[1]));
    reaches.0.share(&reaches.1);
    let joint = Joint {
        old,
        new,
        reaches: &reaches,
        changed,
        on: RunScope::Operation,
        steps: units.steps(),
        given: Vec::new(),
        tests: RefCell::default(),
    };
    let (mut found, ran_here) = joint.best();
    if (units.affects_many() || found.is_vague) && !found.changes.is_empty() {
        by_members(new, &mut found, units, &ran_here[1].0);
    }
    // If the operation's run is incomplete, and shows only changes that callers rarely meet, its single members may
    // show more.
    let is_hardly_met = found.changes.iter().all(|change| change.seldom);
    if !found.changes.is_empty() && (!is_hardly_met || found.stopped.is_empty()) {
        return found;
    }
    // If the run was complete and found no difference, the code that ran does not differ on any path of this operation.
    let met = match found.stopped.is_empty() {
        true => [ran_here[0].0.clone(), ran_here[1].0.clone()],
        false => [BTreeSet::new(), BTreeSet::new()],
    };
    join(&mut ran, ran_here);
    // Code that the framework runs around the handler is compared by itself, if it affects the operation. If the run of
    // the operation is incomplete, every changed member is compared so.
    let open = match found.stopped.is_empty() {
        true => uncompared_inputs((old, new), changed, &ran).1,
        false => {
            let decides = |symbol: &&str| !is_called_for_others((old, new), symbol);
            changed.symbols().filter(decides).map(str::to_owned).collect::<Vec<String>>()
        }
    };
    let mut told: Vec<Product> = Vec::new();
    for (unit, (alone, of_unit)) in units.around(&open, &met) {
        found.alike += alone.alike;
        if !alone.changes.is_empty() {
            match met_in_context(alone, unit, units) {
                Ok(told_of_unit) => told.push(told_of_unit),
                Err(stop) => _ = found.stopped.insert(stop),
            }
        } else if alone.stopped.is_empty() {
            join(&mut ran, of_unit);
        } else {
            found.stopped.extend(alone.stopped);
        }
    }
    if !told.is_empty() {
        let mut changes = told_of(new, told);
        if !changes.is_empty() && (found.changes.is_empty() || changes.iter().any(|change| !change.seldom)) {
            changes.extend(found.changes);
            return Product { alike: found.alike, changes, ..Product::default() };
        }
    }
    if !found.changes.is_empty() {
        return found;
    }
    let (stopped, open) = uncovered_stops((old, new), changed, &ran);
    if found.stopped.is_empty() {
        found.is_followed = stopped.iter().all(is_unreached);
        found.stopped = stopped;
    }
    if !found.stopped.is_empty() {
        found.open_inputs = match open.is_empty() {
            true => changed.symbols().map(str::to_owned).collect(),
            false => open,
        };
    }
    found
}
