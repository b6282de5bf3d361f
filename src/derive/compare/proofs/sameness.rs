//! Sameness: whether all changed code of two revisions of an operation ran on requests that both answer alike.
//!
//! *Same* is claimed only if every changed member of both revisions ran on such requests, with every statement and
//! every branch of its body, and no other change can have an effect. Everything that prevents this is a [`Stop`].

use std::collections::BTreeSet;

use super::uncompared::{at, uncompared_inputs};
use crate::compare::edits::changed::ChangedCode;
use crate::compare::sides::side::Side;
use crate::judge::known_answers::{is_whole, writes};
use crate::search::explore::Settled;
use mastor_java::interpret::paths::path::Outcome;
use mastor_java::ir::ids::MemberId;
use mastor_runtime::request::case::Case;
use mastor_runtime::server::serve::{Run, Served};
use mastor_types::results::compared::Stop;

/// Maximum number of stops that are named for one operation.
const NAMED: usize = 8;

/// One request to both revisions, with the results.
pub struct Pair<'r> {
    /// The request.
    pub case: &'r Case,
    /// The run of base, and its answer if that is certain.
    pub before: (&'r Run, Option<&'r Settled>),
    /// The run of head, and its answer if that is certain.
    pub after: (&'r Run, Option<&'r Settled>),
}

/// Evidence for sameness from the requests of a comparison.
#[derive(Default)]
pub struct SamenessEvidence {
    /// Requests that both revisions answer alike, with completely known answers and writes.
    alike: Vec<Case>,
    /// Why other requests could not be compared.
    stops: BTreeSet<Stop>,
}

impl SamenessEvidence {
    /// Number of requests that both revisions answer alike.
    pub fn requests(&self) -> usize {
        self.alike.len()
    }

    /// Adds the evidence of one request without a difference.
    pub fn take(&mut self, (old, new): (&Side<'_>, &Side<'_>), changed: &ChangedCode, pair: &Pair<'_>) {
        let ((was, before), (is, after)) = (pair.before, pair.after);
        let runs = changed.runs(0, was) || changed.runs(1, is);
        match (before, after) {
            (Some(before), Some(after)) => {
                let (of_old, of_new) = (old.bench.subject.project, new.bench.subject.project);
                let is_all = is_whole((of_old, was, before), (of_new, is, after), &changed.members);
                let written = |side: &Side<'_>, run: &Run| writes(side.bench.subject.project, run);
                let (was_written, is_written) = (written(old, was), written(new, is));
                if !is_all && runs {
                    self.stop(Stop::of("what an answer holds is not known in all its parts"));
                } else if (was_written.is_none() || was_written != is_written) && runs {
                    self.stop(Stop::of("what is written to a store is not known in all its parts"));
                } else {
                    self.alike.push(pair.case.clone());
                }
            }
            (None, None) => {
                let is_cut = |run: &Run| run.served.iter().any(|one| matches!(one.path.outcome, Outcome::Cut(_)));
                if runs || is_cut(was) || is_cut(is) {
                    self.stop_all(stops(old, was));
                    self.stop_all(stops(new, is));
                }
            }
            (Some(_), None) => self.stop_all(stops(new, is)),
            (None, Some(_)) => self.stop_all(stops(old, was)),
        }
    }

    fn stop(&mut self, stop: Stop) {
        if self.stops.len() < NAMED {
            self.stops.insert(stop);
        }
    }

    fn stop_all(&mut self, stops: BTreeSet<Stop>) {
        stops.into_iter().for_each(|stop| self.stop(stop));
    }

    /// What prevents the result *same*, with the changed inputs that were not compared; both empty for *same*.
    pub fn conclude(mut self, old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode) -> (BTreeSet<Stop>, Vec<String>) {
        let covered = [old, new].map(|side| {
            let (bench, alike) = (&side.bench, &self.alike);
            bench.codes.covering(|| alike.iter().flat_map(|case| ran(bench.try_case(case))).collect::<BTreeSet<_>>())
        });
        let (stops, open) = uncompared_inputs((old, new), changed, &covered);
        self.stop_all(stops);
        if self.alike.is_empty() && self.stops.is_empty() {
            self.stop(Stop::of("no request is answered for certain by both"));
        }
        (self.stops, open)
    }
}

fn ran(run: Run) -> impl Iterator<Item = MemberId> {
    run.served.into_iter().flat_map(|served| served.path.members)
}

/// Why a request has no certain answer, each with its location if known.
fn stops(side: &Side<'_>, run: &Run) -> BTreeSet<Stop> {
    let mut found = BTreeSet::new();
    for served in &run.served {
        let why = served.path.unknowns.iter().chain(&served.path.doubts).filter(|why| !why.contains("; it may "));
        let place = open_place(side, served);
        found.extend(why.map(|why| Stop { what: why.to_string(), ..place.clone() }));
        if let Outcome::Cut(bound) = served.path.outcome {
            found.insert(Stop { what: bound.describe().to_owned(), ..place });
        }
    }
    if found.is_empty() {
        found.insert(Stop::of("a request has more than one answer"));
    }
    found
}

/// The location of a path's condition on an unknown value; without a location if there is none.
fn open_place(side: &Side<'_>, served: &Served) -> Stop {
    let mut asked = served.path.conditions.iter().filter(|taken| taken.cond.is_unknown());
    match asked.find_map(|taken| taken.site) {
        Some(site) => at(side, site, String::new()),
        None => Stop::of(""),
    }
}
