//! Both sides of a comparison: what was asked, what base and head answered, and what the suites expect.

use std::collections::BTreeMap;

use crate::pipeline::accept::let_go::was_removed_by_decision;
use crate::pipeline::confirm::claims::{Claimed, Claims};
use crate::pipeline::seen::question::Question;
use mastor_probe::answers::differ::{Difference, differ};
use mastor_probe::answers::field_path::{Lies, lies};
use mastor_probe::answers::judge::{Captures, judge};
use mastor_probe::answers::unstable::Moment;
use mastor_probe::runs::passes::Passes;
use mastor_publish::wording::words;
use mastor_types::OpId;
use mastor_types::results::outcome::{Expected, Outcome, RunVerdict};
use mastor_types::suite::oracle::Oracle;

/// What is known of both sides.
pub struct Sides<'a> {
    /// The question to the service.
    pub question: &'a Question<'a>,
    /// The requests that were sent.
    pub claims: &'a Claims,
    /// Results of the base's suite on the head, by id.
    pub outcomes: &'a BTreeMap<&'a str, &'a Outcome>,
    /// The base's answers.
    pub before: Option<&'a (Passes, Moment)>,
    /// The head's answers, with the results of the candidates.
    pub after: &'a Claimed,
    /// The head's answers to the broken writes and their follow-up reads, and when they were given.
    pub followed: &'a (Passes, Moment),
}

impl Sides<'_> {
    /// Every request that was sent, by its id.
    pub fn asked(&self) -> BTreeMap<&str, &Oracle> {
        let mut asked: BTreeMap<&str, &Oracle> = BTreeMap::new();
        let probes = self.claims.probes.iter().map(|probe| &probe.oracle);
        for oracle in self.claims.asked.iter().chain(&self.claims.oracles).chain(probes) {
            asked.entry(&oracle.o_id).or_insert(oracle);
        }
        asked
    }

    /// The differences between the answers of base and head to a request, without ignored fields; `None` if one of them
    /// was not asked.
    pub fn differences(&self, op_id: &OpId, id: &str) -> Option<Vec<Difference>> {
        let (before, base_moment) = self.before?;
        let (base, head) = (before.of(id), self.after.passes.of(id));
        let head_moment = self.after.moment.as_ref()?;
        let mut found = (!base.is_empty() && !head.is_empty()).then(|| differ(base, head, base_moment, head_moment))?;
        let today = mastor_config::Day::today();
        let ignore = self.question.ignore.iter().filter(|entry| entry.counts(today) && entry.names(op_id));
        for field in ignore.filter_map(|entry| entry.field.as_deref()) {
            found.retain(|difference| !matches!(lies(&difference.place, field), Lies::At | Lies::Below));
        }
        Some(found)
    }

    /// Whether the base meets at least one expectation of an operation, or there is none to meet. Otherwise its answers may come from another service, or
    /// have nothing to do with its code.
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

    /// Whether the code of an operation calls other services, so that its answer may come from there.
    pub fn asks_others(&self, op_id: &OpId) -> bool {
        self.after.moment.as_ref().is_some_and(|moment| moment.asking.contains(op_id))
    }

    /// The outcome with this id, if it broke on the head.
    pub fn broken(&self, id: &str) -> Option<&Outcome> {
        self.outcomes.get(id).copied().filter(|outcome| outcome.verdict == RunVerdict::Broken)
    }

    /// The base's oracle of this id.
    pub fn committed(&self, id: &str) -> Option<&Oracle> {
        self.question.old.operations.values().flat_map(|suite| &suite.oracles).find(|oracle| oracle.o_id == id)
    }

    /// Whether the head's own suite accepts what is seen: it removed the oracle by a decision, or has other
    /// expectations that hold.
    pub fn accepted(&self, old: &Oracle) -> bool {
        let now = self.question.new.operations.values().flat_map(|suite| &suite.oracles).find(|o| o.o_id == old.o_id);
        let Some(now) = now else {
            let suites = (self.question.old, self.question.new);
            return was_removed_by_decision(suites, (&old.op_id, &self.stands_in(&old.op_id)), &old.o_id);
        };
        let answers = self.after.passes.of(&old.o_id);
        now.assertions != old.assertions
            && !answers.is_empty()
            && answers.iter().all(|answer| judge(&now.assertions, answer, &Captures::new()).is_empty())
    }
}

impl Sides<'_> {
    /// The operation under which the head's suite has the expectations of an operation of the base: its new name if it
    /// moved.
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
