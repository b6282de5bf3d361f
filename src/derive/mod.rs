//! Derive: plan → candidates, by rules. Runs an operation on the interpreter and reads contexts, oracles and changes off its paths.
//!
//! An expectation is exact only where no unknown touched it; all else weakens to what is still known, or is left out (DESIGN §9).

pub mod applies;
pub mod around;
pub mod aspects;
pub mod assumes;
pub mod begun;
pub mod bench;
pub mod binding;
pub mod bounds;
pub mod callers;
pub mod case;
pub mod cause;
pub mod change;
pub mod contexts;
pub mod dispatch;
pub mod dispatched;
pub mod documented;
pub mod drift;
pub mod error_cases;
pub mod failed;
pub mod filters;
pub mod forms;
pub mod functional;
pub mod guards;
pub mod inputs;
pub mod judge;
pub mod judge_steps;
pub mod learned;
pub mod moved_bounds;
pub mod mutants;
pub mod noticed;
pub mod oracles;
pub mod pending;
pub mod properties;
pub mod provider;
pub mod reactive;
pub mod reading;
pub mod respond;
pub mod response_context;
pub mod response_fields;
pub mod samples;
pub mod sampling;
pub mod search;
pub mod senders;
pub mod sequences;
pub mod serve;
pub mod shape;
pub mod shared;
pub mod side;
pub mod signature;
pub mod steps;
pub mod stereotypes;
pub mod stored;
pub mod subject;
pub mod surroundings;
pub mod telling;
pub mod tour;
pub mod trace;
pub mod trials;
pub mod tried;
pub mod validating;
pub mod validation;
pub mod variations;
pub mod wiring;
pub mod written;

pub use change::{Compared, changes, compared};
pub use judge::{Judgement, judge, judge_all};
pub use judge_steps::{StepsJudgement, judge_steps};
pub use shared::Shared;
pub use subject::{Derived, Engine, Subject};
pub use trace::trace;

use crate::java::interpret::Outcome;

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
    let bench = bench::Bench::new(subject);
    let open = bench.open();
    let mut tried = search::search(&bench, &open);
    tried.extend(telling::telling(&bench, &open, &tried, &subject.shared.targets));
    let context = contexts::context(&bench, &open);
    let candidates = oracles::candidates(&bench, &open, &tried);
    let probes = oracles::probes(&bench, &open, &tried, &candidates);
    let trials = trials::trials(&bench, &open, &tried);
    let mut notes: Vec<String> = bench.surroundings.doubts.clone();
    notes.extend(bench.surroundings.serialisation.iter().cloned());
    // What stands in the way of requests says more than what open inputs meet.
    let unsettled: Vec<&serve::Run> =
        tried.iter().map(|one| &one.run).filter(|run| search::settle(run).is_none()).collect();
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
    let sequences = sequences::sequences(&bench, &tried);
    Derived { context, candidates, probes, trials, sequences, notes }
}
