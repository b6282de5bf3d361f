//! One run of a job: sends its steps in order, and stops at the first that does not hold.

use super::exchange;
use super::shown;
use super::target::Target;
use crate::answers::judge::{Captures, judge, shorten, take, undecided};
use crate::job::{Job, Standing, UNASKED};
use mastor_types::results::outcome::{Answer, Expected, Miss, NoAnswer, Outcome, RunVerdict};
use mastor_types::suite::assertion::Check;
use mastor_types::suite::sequence::Step;

/// Runs the steps of a job. The outcome contains all exchanges, not truncated.
pub async fn steps(target: &Target, job: &Job) -> Outcome {
    let outcome = Outcome { reason: None, ..job.without_run(RunVerdict::Held, "") };
    let mut attempt = Attempt { target, job, outcome, captures: Captures::new() };
    for (n, step) in job.steps.iter().enumerate() {
        let built = exchange::request(target.base_url(), &step.op_id, &step.input, &step.binds, &attempt.captures);
        let request = match built {
            Ok(request) => request,
            Err(why) => {
                attempt.ends(RunVerdict::Skipped, why);
                break;
            }
        };
        let renew = !expects_401(step);
        let sending = target.users.send(&target.client, target.base_url(), &step.as_user, &request, renew);
        let answer = sending.await;
        match &answer {
            Ok(answer) => attempt.answered(n, step, answer),
            Err(no_answer) => attempt.unanswered(n, step, no_answer).await,
        }
        attempt.outcome.exchanges.push(shown::exchange(&target.users, n, step, request, answer));
        if attempt.outcome.verdict != RunVerdict::Held {
            break;
        }
    }
    attempt.outcome
}

fn expects_401(step: &Step) -> bool {
    step.assertions.iter().any(|assertion| match &assertion.check {
        Check::Status { expected } => expected.codes().contains(&401),
        _ => false,
    })
}

/// The state of a running job.
struct Attempt<'a> {
    target: &'a Target,
    job: &'a Job,
    outcome: Outcome,
    captures: Captures,
}

impl Attempt<'_> {
    fn ends(&mut self, verdict: RunVerdict, reason: impl Into<String>) {
        self.outcome.verdict = verdict;
        self.outcome.reason = Some(reason.into());
    }

    fn misses(&mut self, mut misses: Vec<Miss>, step: usize) {
        let secrets = self.target.users.secrets();
        for miss in &mut misses {
            miss.step = step;
            miss.seen = shorten(&secrets.hide(&miss.seen));
        }
        self.outcome.misses = misses;
        self.outcome.verdict = self.job.missed();
        self.outcome.reason = match self.job.standing {
            Standing::Flaky => Some("it is known to hold only sometimes".to_owned()),
            Standing::Unasked => Some(UNASKED.to_owned()),
            Standing::Counts | Standing::Candidate => None,
        };
    }

    /// Judges an answer and captures the values that later steps need.
    fn answered(&mut self, n: usize, step: &Step, answer: &Answer) {
        self.outcome.service_seconds += answer.millis / 1000.0;
        let mut misses = judge(&step.assertions, answer, &self.captures);
        misses.retain(|miss| match &miss.expected {
            Expected::Assertion { check: Check::Field { path, .. }, .. } => !self.job.is_quarantined(n, path, &miss.at),
            _ => true,
        });
        if misses.is_empty() {
            for (name, from) in &step.captures {
                match take(from, answer) {
                    Ok(value) => {
                        self.captures.insert(name.clone(), value);
                    }
                    Err(seen) => {
                        let expected = Expected::Capture { name: name.clone(), from: from.clone() };
                        misses.push(Miss { step: n, expected, at: String::new(), seen });
                    }
                }
            }
        }
        if !misses.is_empty() {
            self.misses(misses, n);
        } else if let Some(why) = undecided(&step.assertions, answer) {
            self.ends(RunVerdict::Inconclusive, why);
        }
    }

    /// Sets the outcome of a step without an answer.
    async fn unanswered(&mut self, n: usize, step: &Step, no_answer: &NoAnswer) {
        let target = self.target;
        if matches!(no_answer, NoAnswer::TimedOut { .. }) {
            target.timed_out(&step.op_id);
        }
        if no_answer.may_be_gone() && !target.is_there().await {
            return self.ends(RunVerdict::Inconclusive, target.gone().unwrap_or_default());
        }
        let told = target.users.secrets().hide(&no_answer.to_string());
        match no_answer {
            NoAnswer::Unsendable { .. } | NoAnswer::NoUser { .. } => self.ends(RunVerdict::Skipped, told),
            NoAnswer::NoLogin { .. } | NoAnswer::Refused { .. } => self.ends(RunVerdict::Inconclusive, told),
            NoAnswer::TimedOut { .. } | NoAnswer::Closed | NoAnswer::Truncated { .. } | NoAnswer::Garbled { .. } => {
                self.misses(vec![Miss { step: n, expected: Expected::Answer, at: String::new(), seen: told }], n);
            }
        }
    }
}
