//! The rules engine: derives the source context, candidates and sequences of one operation from its code.

use std::collections::BTreeSet;

use super::engine::{Derived, Engine};
use super::mutation::telling::killing_requests;
use super::oracles::candidates::{assumed, candidates, probes};
use super::oracles::contexts::context;
use super::oracles::opaque::opaque_candidates;
use super::search::explore::{search, settle};
use super::search::trials::trials;
use super::sequences::candidates::sequences;
use mastor_java::interpret::Outcome;
use mastor_runtime::bench::Bench;
use mastor_runtime::server::serve::Run;
use mastor_runtime::subject::Subject;
use mastor_types::suite::oracle::{Candidate, Certainty};

/// The engine that needs no model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

impl Engine for Rules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn work(&self, subject: &Subject<'_>) -> Derived {
        derive(subject)
    }
}

/// Works on one operation by rules.
pub fn derive(subject: &Subject<'_>) -> Derived {
    let bench = Bench::new(subject);
    let open = bench.open();
    let mut tried = search(&bench, &open);
    tried.extend(killing_requests(&bench, &open, &tried, &subject.shared.targets));
    let context = context(&bench, &open);
    let mut candidates = candidates(&bench, &open, &tried);
    let stopped: Vec<String> = tried.iter().filter_map(|one| one.case.stopped(&bench.signature)).collect();
    tried.retain(|one| one.case.stopped(&bench.signature).is_none());
    let probes = probes(&bench, &open, &tried, &candidates);
    candidates.extend(assumed(&bench, &open, &tried, &candidates));
    // A success oracle that only asserts a status is dropped later.
    let says =
        |one: &&Candidate| one.oracle.assertions.len() > 1 || one.oracle.statuses().iter().all(|status| *status >= 400);
    let known: BTreeSet<u16> = candidates.iter().filter(says).flat_map(|one| one.oracle.statuses()).collect();
    let is_certain = |one: &Candidate| one.oracle.certainty() == Certainty::Certain;
    let well = |one: &Candidate| is_certain(one) && one.oracle.statuses().iter().all(|status| *status < 400);
    // A certain success answer shows that the code is followed, so that opaque values add nothing.
    if !candidates.iter().any(well) {
        candidates.extend(opaque_candidates(&bench, &context, &known));
    }
    let trials = trials(&bench, &open, &tried);
    let mut notes: Vec<String> = bench.surroundings.doubts.clone();
    notes.extend(bench.surroundings.bound.iter().cloned());
    notes.extend(bench.surroundings.serialisation.iter().cloned());
    notes.extend(stopped);
    // If requests were tried, the reasons why they have no certain answer are more informative than those of the run on
    // open inputs.
    let unsettled: Vec<&Run> = tried.iter().map(|one| &one.run).filter(|run| settle(run).is_none()).collect();
    let met = if tried.is_empty() { vec![&open] } else { unsettled };
    for served in met.into_iter().flat_map(|run| &run.served) {
        notes.extend(served.path.unknowns.iter().filter(|why| !why.contains("; it may ")).map(ToString::to_string));
        if let Outcome::Cut(bound) = served.path.outcome {
            notes.push(bound.describe().to_owned());
        }
    }
    if !open.complete {
        notes.push("there are more paths than were followed".to_owned());
    }
    notes.sort();
    notes.dedup();
    let sequences = sequences(&bench, &tried);
    Derived { context, candidates, probes, trials, sequences, notes }
}
