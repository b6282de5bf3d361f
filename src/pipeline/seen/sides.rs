//! Both sides of what was seen: what was asked, what base and head answered, and what the suites say of it.

use std::collections::BTreeMap;

use crate::pipeline::accept::let_go::lets_go;
use crate::pipeline::confirm::claims::{Claimed, Claims};
use crate::pipeline::seen::question::Question;
use crate::probe::differ::{Difference, differ};
use crate::probe::field_path::{Lies, lies};
use crate::probe::judge::{Captures, judge};
use crate::probe::passes::Passes;
use crate::probe::unstable::Moment;
use crate::publish::words;
use crate::types::OpId;
use crate::types::oracle::Oracle;
use crate::types::outcome::{Expected, Outcome, RunVerdict};

/// Both sides.
pub struct Sides<'a> {
    /// What was asked about.
    pub question: &'a Question<'a>,
    /// What was asked.
    pub claims: &'a Claims,
    /// The base's suite on the head, by id.
    pub outcomes: &'a BTreeMap<&'a str, &'a Outcome>,
    /// What the base answered.
    pub before: Option<&'a (Passes, Moment)>,
    /// What the head answered.
    pub after: &'a Claimed,
    /// What the head answered to the writes and follow-up reads that broke, and when.
    pub followed: &'a (Passes, Moment),
}

impl Sides<'_> {
    /// Every request that was asked, by its id.
    pub fn asked(&self) -> BTreeMap<&str, &Oracle> {
        let mut asked: BTreeMap<&str, &Oracle> = BTreeMap::new();
        let probes = self.claims.probes.iter().map(|probe| &probe.oracle);
        for oracle in self.claims.asked.iter().chain(&self.claims.oracles).chain(probes) {
            asked.entry(&oracle.o_id).or_insert(oracle);
        }
        asked
    }

    /// What base and head answer differently to a request, without what is left aside; none where one of them was not asked.
    pub fn differences(&self, op_id: &OpId, id: &str) -> Option<Vec<Difference>> {
        let (before, base_moment) = self.before?;
        let (base, head) = (before.of(id), self.after.passes.of(id));
        let head_moment = self.after.moment.as_ref()?;
        let mut found = (!base.is_empty() && !head.is_empty()).then(|| differ(base, head, base_moment, head_moment))?;
        let today = crate::config::Day::today();
        let ignore = self.question.ignore.iter().filter(|entry| entry.counts(today) && entry.names(op_id));
        for field in ignore.filter_map(|entry| entry.field.as_deref()) {
            found.retain(|difference| !matches!(lies(&difference.place, field), Lies::At | Lies::Below));
        }
        Some(found)
    }

    /// Whether the base shows something of what is expected of an operation, or nothing is: else another service may have answered, or nothing of this
    /// one that the code says.
    pub fn base_is_as_expected(&self, op_id: &OpId) -> bool {
        let Some((before, _)) = self.before else { return true };
        let asked = self.asked();
        let expected = asked.iter().filter(|(_, oracle)| oracle.op_id == *op_id && !oracle.assertions.is_empty());
        let holds = |id: &str, oracle: &Oracle| {
            let mut answers = before.of(id).iter().peekable();
            answers.peek()?;
            Some(answers.all(|answer| judge(&oracle.assertions, answer, &Captures::new()).is_empty()))
        };
        let held: Vec<bool> = expected.filter_map(|(id, oracle)| holds(id, oracle)).collect();
        held.is_empty() || held.contains(&true)
    }

    /// Whether the code of an operation asks other services, so that what it answers may come from there.
    pub fn asks_others(&self, op_id: &OpId) -> bool {
        self.after.moment.as_ref().is_some_and(|moment| moment.asking.contains(op_id))
    }

    /// The outcome of what broke on the head.
    pub fn broken(&self, id: &str) -> Option<&Outcome> {
        self.outcomes.get(id).copied().filter(|outcome| outcome.verdict == RunVerdict::Broken)
    }

    /// The base's oracle of this id.
    pub fn committed(&self, id: &str) -> Option<&Oracle> {
        self.question.old.operations.values().flat_map(|suite| &suite.oracles).find(|oracle| oracle.o_id == id)
    }

    /// Whether the head's own suite says what is seen: the oracle was taken out there by a decision, or says something else that holds.
    pub fn accepted(&self, old: &Oracle) -> bool {
        let now = self.question.new.operations.values().flat_map(|suite| &suite.oracles).find(|o| o.o_id == old.o_id);
        let Some(now) = now else {
            let suites = (self.question.old, self.question.new);
            return lets_go(suites, (&old.op_id, &self.stands_in(&old.op_id)), &old.o_id);
        };
        let answers = self.after.passes.of(&old.o_id);
        now.assertions != old.assertions
            && !answers.is_empty()
            && answers.iter().all(|answer| judge(&now.assertions, answer, &Captures::new()).is_empty())
    }
}

impl Sides<'_> {
    /// The operation that the head's suite has the expectations of one of the base under: where it moved, its new name.
    pub fn stands_in(&self, was: &OpId) -> OpId {
        let operations = &self.question.comparison.plan.operations;
        let moved = operations.iter().find(|operation| operation.was.as_ref() == Some(was)).map(|now| &now.op_id);
        moved.filter(|op_id| self.question.new.operations.contains_key(*op_id)).unwrap_or(was).clone()
    }
}

/// What the first miss of an outcome expected, and what was seen.
pub fn missed(outcome: &Outcome) -> (String, String) {
    let Some(miss) = outcome.misses.first() else { return (String::new(), String::new()) };
    let expected = match &miss.expected {
        Expected::Assertion { check, .. } => words::check(check),
        Expected::Capture { name, .. } => format!("a value for {name}"),
        Expected::Answer => "an answer".to_owned(),
    };
    (expected, miss.seen.clone())
}
