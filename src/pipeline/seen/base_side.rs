//! The base's side of a comparison: its answers to the requests that the head gets, taken from an earlier run if
//! possible.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::pipeline::confirm::claims::Claims;
use crate::pipeline::confirm::discovery::{Discovery, Patterns, discover, leads};
use crate::pipeline::repository::workspace::Workspace;
use crate::pipeline::seen::base_answers::{BaseAnswers, How};
use crate::pipeline::seen::left_over;
use crate::pipeline::seen::question::Question;
use crate::pipeline::service::live::{Live, Side};
use mastor_probe::answers::unstable::Moment;
use mastor_probe::job::{Job, Standing};
use mastor_probe::resources::known::DiscoveredValues;
use mastor_probe::runs::passes::{Passes, passes};
use mastor_publish::wording::words;
use mastor_suite::Suite;
use mastor_types::OpId;
use mastor_types::error::Exit;
use mastor_types::event::Events;
use mastor_types::results::outcome::Answer;
use mastor_types::results::plan::State;
use mastor_types::suite::oracle::Oracle;

/// Number of times that each request is sent to the base.
const TIMES: usize = 2;

/// The base of a comparison, run as a service.
pub(in crate::pipeline) struct BaseSide<'a, 'w> {
    live: &'a Live<'a>,
    question: &'a Question<'a>,
    events: &'w Events,
    kept: BaseAnswers<'w>,
    /// Whether it started in this run; `None` if nobody tried.
    starts: Option<bool>,
}

impl<'a, 'w> BaseSide<'a, 'w> {
    /// The base, with the answers that an earlier run kept. Nothing is started yet.
    pub(in crate::pipeline) fn new(workspace: &'w Workspace, live: &'a Live<'a>, question: &'a Question<'a>) -> Self {
        Self {
            live,
            question,
            events: &workspace.events,
            kept: BaseAnswers::read(workspace, live, question.base),
            starts: None,
        }
    }

    /// Stores the answers for the next run, if the base can be started at all.
    pub(in crate::pipeline) fn keep(&self) {
        if self.live.can_start() {
            self.kept.write();
        }
    }

    /// The base's answers to the requests of `claims`, to which discovery adds further ones, and to the committed jobs
    /// that were never confirmed. `None` if there is nothing to ask, or if the base cannot be run, which is noted.
    pub(in crate::pipeline) fn ask(
        &mut self,
        committed: &[Arc<Job>],
        claims: &mut Claims,
        patterns: &Patterns,
        notes: &mut Vec<String>,
    ) -> Option<(Passes, Moment)> {
        let live = self.live;
        if !live.can_start() {
            notes.push(
                "only the head was run: the service is reached, not started, so the base's answers are those of its suite"
                    .to_owned(),
            );
            return None;
        }
        let affected: BTreeSet<&OpId> = self.question.comparison.plan.in_state(State::Affected).collect();
        let never: Vec<Arc<Job>> = committed
            .iter()
            .filter(|job| job.standing == Standing::Unasked)
            .map(|job| asking(self.question.old, job))
            .collect();
        if never.is_empty() && !of_claims(claims).any(|oracle| affected.contains(&oracle.op_id)) {
            return None;
        }
        let made = self.question.operations();
        let there = self.known_before(patterns);
        let is_found = there.is_some();
        if let Some(known) = there {
            claims.leads(leads(live, self.kept.can_reset(), &known, patterns, &made));
            let jobs = jobs(claims, &affected, &never);
            if self.kept.missing(&jobs, How::Passes).is_empty() {
                let moment = self.kept.moment(live);
                let requests = words::count(jobs.len(), "request");
                self.events.finished(format!("the base is not started: its answers to {requests} are known"));
                notes.push("the base was not started: an earlier run at the same commit has its answers".to_owned());
                return Some((self.kept.passes(&jobs, How::Passes, &moment.authority), moment));
            }
        }
        let (kept, events) = (&mut self.kept, self.events);
        let asked = live.session(Side::Base(self.question.base), async |running| {
            if !is_found {
                let note = |questions: &[Oracle], answers: &[Option<Answer>]| kept.keep_questions(questions, answers);
                let known = discover(live, running, patterns, note).await?;
                claims.leads(leads(live, running.can_reset(), &known, patterns, &made));
            }
            let jobs = jobs(claims, &affected, &never);
            let moment = live.moment(running.base_url());
            let mut missing = kept.missing(&jobs, How::Passes);
            // If writers share a state, the answer to one depends on the others: then all jobs are run again.
            if !live.options().quick_reset || missing.len() == jobs.len() {
                kept.forget();
                missing.clone_from(&jobs);
            }
            let can_reset = running.can_reset();
            let found = passes(running, live.users(), &missing, (TIMES, true), live.options(), events).await?;
            kept.keep(&missing, How::Passes, &found, (&moment, can_reset));
            let asked: BTreeSet<&str> = missing.iter().map(|job| job.id.as_str()).collect();
            let known: Vec<Arc<Job>> = jobs.iter().filter(|job| !asked.contains(job.id.as_str())).cloned().collect();
            let mut all = kept.passes(&known, How::Passes, &moment.authority);
            let Passes { answers, steps, unanswered, requests, trouble } = found;
            all.answers.extend(answers);
            all.steps.extend(steps);
            all.unanswered.extend(unanswered);
            (all.requests, all.trouble) = (requests, trouble);
            Ok((all, moment))
        });
        self.starts = Some(asked.as_ref().err().is_none_or(|failure| failure.exit != Exit::NotReady));
        match asked {
            Ok((found, moment)) => {
                events.finished(format!("{} requests were sent to the base", found.requests));
                notes.extend(found.trouble.as_ref().map(|why| format!("the base was not asked to the end: {why}")));
                Some((found, moment))
            }
            Err(failure) => {
                notes.push(format!("the base could not be run: {}", failure.message));
                None
            }
        }
    }

    /// Whether the base can be built and started; tried now if it was not tried before.
    pub(in crate::pipeline) fn starts(&mut self) -> bool {
        let (live, base) = (self.live, self.question.base);
        *self.starts.get_or_insert_with(|| live.can_start() && live.session(Side::Base(base), async |_| Ok(())).is_ok())
    }

    /// The base's answers to jobs that each run on fresh state; the base is started again for that. A job that cannot
    /// be run has no answer.
    pub(in crate::pipeline) fn ask_alone(&mut self, jobs: &[Arc<Job>]) -> Passes {
        if jobs.is_empty() {
            return Passes::default();
        }
        let authority = self.kept.moment(self.live).authority;
        if self.kept.missing(jobs, How::Alone).is_empty() {
            return self.kept.passes(jobs, How::Alone, &authority);
        }
        let (live, kept) = (self.live, &mut self.kept);
        let asked = live.session(Side::Base(self.question.base), async |running| {
            let (moment, can_reset) = (live.moment(running.base_url()), running.can_reset());
            let found = left_over::ask(live, running, jobs).await?;
            kept.keep(jobs, How::Alone, &found, (&moment, can_reset));
            Ok(found)
        });
        let Ok(found) = asked else { return Passes::default() };
        if found.trouble.is_some() {
            return found;
        }
        // The base was started again, at another address: its answers are given as if it still had the one that the
        // caller knows.
        Passes { requests: found.requests, ..self.kept.passes(jobs, How::Alone, &authority) }
    }

    /// The data that an earlier run discovered; `None` if that run did not send all the requests.
    fn known_before(&self, patterns: &Patterns) -> Option<DiscoveredValues> {
        let mut discovery = Discovery::new(self.live, patterns, self.kept.moment(self.live));
        if self.kept.is_empty() {
            return None;
        }
        loop {
            let questions = discovery.next_round();
            if questions.is_empty() {
                return Some(discovery.known());
            }
            discovery.learn(&questions, &self.kept.to_questions(&questions)?);
        }
    }
}

/// The oracles whose requests are sent.
fn of_claims(claims: &Claims) -> impl Iterator<Item = &Oracle> {
    let probes = claims.probes.iter().map(|probe| &probe.oracle);
    claims.oracles.iter().chain(&claims.asked).chain(probes)
}

/// The jobs of the affected operations, and those that were never confirmed.
fn jobs(claims: &Claims, affected: &BTreeSet<&OpId>, never: &[Arc<Job>]) -> Vec<Arc<Job>> {
    let mut jobs: BTreeMap<&str, Arc<Job>> = BTreeMap::new();
    for oracle in of_claims(claims).filter(|oracle| affected.contains(&oracle.op_id)) {
        jobs.entry(&oracle.o_id).or_insert_with(|| Arc::new(Job::of_oracle(oracle)));
    }
    let known: BTreeSet<String> = jobs.keys().map(|id| (*id).to_owned()).collect();
    let further = never.iter().filter(|job| !known.contains(&job.id)).cloned();
    jobs.into_values().chain(further).collect()
}

/// The job that sends a committed job's requests to the base. For a sequence, every step is sent, whatever the answers are.
fn asking(old: &Suite, job: &Arc<Job>) -> Arc<Job> {
    let sequence = old.sequences.values().flatten().find(|sequence| sequence.s_id == job.id);
    sequence.map_or_else(|| job.clone(), |sequence| Arc::new(Job::asking(sequence)))
}
