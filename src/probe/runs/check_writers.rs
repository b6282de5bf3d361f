//! The part of a check that runs writing jobs: one by one, and those that broke once more on fresh state.

use std::sync::Arc;

use super::check::{Check, missed};
use super::run::{Keep, Options, keep, run};
use crate::job::Job;
use crate::service::ServiceError;
use mastor_types::event::Events;
use mastor_types::op_id::OpId;
use mastor_types::results::outcome::{Answer, Outcome, RunVerdict};

/// Maximum number of restarts for jobs that broke; one for each operation with such a job, if these are more.
const RESTARTS: usize = 32;

impl Check<'_> {
    pub(crate) async fn write(&mut self, jobs: &[Arc<Job>], writers: &[usize]) -> Result<(), ServiceError> {
        for group in by_operation(jobs, writers) {
            if !self.goes_on() || (self.options.quick_reset && self.touched && !self.reset().await?) {
                return Ok(());
            }
            self.run(jobs, &group, self.events).await;
        }
        self.write_again(jobs, self.broken(writers)).await
    }

    /// Runs the jobs that broke once more. With a fast reset each runs on fresh state; otherwise only the first does, and the others run after it. A job that
    /// now holds counts as held. One that breaks after others may have been disturbed by them, so it moves towards the front after the next reset. One that
    /// never gets to the front remains undecided.
    async fn write_again(&mut self, jobs: &[Arc<Job>], mut open: Vec<usize>) -> Result<(), ServiceError> {
        let mut left = match self.options.quick_reset {
            true => usize::MAX,
            false => RESTARTS.max(by_operation(jobs, &open).len()),
        };
        while !open.is_empty() {
            if left == 0 || !self.goes_on() || !self.reset().await? {
                break;
            }
            left -= 1;
            let mut behind = Vec::new();
            for n in std::mem::take(&mut open) {
                // If no reset is possible, the state cannot get any fresher.
                let is_fresh = !self.touched || !self.running.can_reset();
                if !is_fresh && self.options.quick_reset {
                    behind.push(n);
                    continue;
                }
                self.again(jobs, &[n]).await;
                let broke = self.outcomes.get(&n).is_some_and(missed);
                if broke && !is_fresh {
                    self.twice.remove(&n);
                    behind.push(n);
                }
            }
            open = behind;
        }
        Ok(())
    }

    /// Runs these jobs; where they share a state, what they create is removed afterwards.
    pub(super) async fn outcomes_of(&self, jobs: &[Arc<Job>], events: &Events) -> Vec<Outcome> {
        if self.removers.is_empty() || !jobs.iter().all(|job| job.writes) {
            return run(&self.target, jobs, &self.options.run, events).await;
        }
        let whole = Options { keep: Keep::All, ..self.options.run.clone() };
        let mut outcomes = Vec::new();
        for job in jobs {
            let mut ran = run(&self.target, std::slice::from_ref(job), &whole, events).await;
            for outcome in &mut ran {
                let answers = outcome.exchanges.iter().map_while(|exchange| exchange.answer.as_ref().ok().cloned());
                let answers: Vec<Answer> = answers.collect();
                let removals = self.removers.removals(job, &answers);
                run(&self.target, &removals, &self.options.run, &Events::silent()).await;
                keep(outcome, self.options.run.keep, &self.target);
            }
            outcomes.append(&mut ran);
        }
        outcomes
    }

    /// Runs these jobs once more. One that now holds shows no change of behaviour.
    pub(crate) async fn again(&mut self, jobs: &[Arc<Job>], which: &[usize]) {
        let first: Vec<(usize, Outcome)> = which.iter().filter_map(|n| Some((*n, self.outcomes.remove(n)?))).collect();
        self.run(jobs, which, &Events::silent()).await;
        for (n, before) in first {
            match self.outcomes.get_mut(&n) {
                // Expected for a job that is known to need fresh state.
                Some(outcome) if outcome.verdict == RunVerdict::Held && jobs[n].needs_fresh_state => {}
                Some(outcome) if outcome.verdict == RunVerdict::Held => {
                    let missed =
                        before.misses.first().map_or_else(String::new, |miss| format!(": {} was seen", miss.seen));
                    outcome.reason = Some(format!(
                        "it broke behind others{missed}; on fresh state it held: `mastor generate` notes what needs one"
                    ));
                    self.unsteady += 1;
                }
                Some(outcome) if missed(outcome) => {
                    self.twice.insert(n);
                }
                // Interrupted before the second run: keep the first outcome.
                Some(outcome) if outcome.verdict == RunVerdict::Skipped => *outcome = before,
                _ => {}
            }
        }
    }
}

/// Groups consecutive jobs by the operation of their first step.
fn by_operation(jobs: &[Arc<Job>], which: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(&OpId, Vec<usize>)> = Vec::new();
    for n in which {
        let Some(op_id) = jobs[*n].steps.first().map(|step| &step.op_id) else { continue };
        match groups.last_mut() {
            Some((last, group)) if *last == op_id => group.push(*n),
            _ => groups.push((op_id, vec![*n])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}
