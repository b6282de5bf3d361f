//! Keeps the answers of the base's service, so that the next run with the same base needs to start only the head.
//!
//! Kept answers are used only for the same commit, settings, users and version of mastor, and for at most [`AGE`]
//! seconds: values that depend on the current time are recognised only within a day. They are read before code of the
//! head runs, and written after the head's service has ended.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};

use crate::pipeline::repository::workspace::{BaseRevision, Workspace};
use crate::pipeline::service::live::Live;
use mastor_config::{ServiceSettings, Settings};
use mastor_probe::answers::unstable::Moment;
use mastor_probe::job::Job;
use mastor_probe::runs::passes::Passes;
use mastor_types::Hash;
use mastor_types::results::outcome::Answer;
use mastor_types::suite::oracle::Oracle;

/// Kind of the records in the cache.
const KIND: &str = "base-answers";
/// Seconds for which kept answers are used.
const AGE: i64 = 12 * 3600;
/// Bytes of answers that are kept for a service, at most; if there are more, none are kept.
const MOST: usize = 32 << 20;

/// The state on which jobs were run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pipeline) enum How {
    /// In passes over all of them.
    Passes,
    /// Each on fresh state, if a reset is a restart.
    Alone,
}

/// The known answers of one base, and those that this run adds.
pub(in crate::pipeline) struct BaseAnswers<'w> {
    workspace: &'w Workspace,
    service: String,
    kept: Kept,
}

/// The kept answers of one base of a service.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    /// Hash of what the answers rest on: [`rests_on`].
    of: String,
    /// Seconds since 1970 at which the first answer was given.
    at: i64,
    /// Host and port of the base when it was asked last.
    authority: String,
    /// Whether the base can be reset.
    can_reset: bool,
    /// Answers to the requests of discovery, by request; `None` if a request got no answer.
    questions: BTreeMap<String, Option<KeptAnswer>>,
    /// Answers to jobs.
    jobs: BTreeMap<String, KeptJob>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct KeptJob {
    authority: String,
    answers: Vec<KeptAnswer>,
    steps: Vec<Vec<KeptAnswer>>,
    unanswered: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct KeptAnswer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
    cut: bool,
    millis: f64,
}

impl<'w> BaseAnswers<'w> {
    /// Reads the kept answers of this base; none if they are of another base or too old.
    pub(in crate::pipeline) fn read(workspace: &'w Workspace, live: &Live<'_>, base: &BaseRevision) -> Self {
        let settings = live.settings();
        let of = rests_on(workspace, settings, live, base);
        let bytes = workspace.cache.get(KIND, &settings.name);
        let kept: Option<Kept> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let age = |kept: &Kept| jiff::Timestamp::now().as_second() - kept.at;
        let kept = kept.filter(|kept| kept.of == of && (0..AGE).contains(&age(kept)));
        let kept = kept.unwrap_or_else(|| Kept { of, ..Kept::default() });
        Self { workspace, service: settings.name.clone(), kept }
    }

    /// Replaces the stored answers by the current ones.
    pub(in crate::pipeline) fn write(&self) {
        let bytes = serde_json::to_vec(&self.kept).ok().filter(|bytes| bytes.len() <= MOST);
        let none = || serde_json::to_vec(&Kept::default()).unwrap_or_default();
        self.workspace.cache.put(KIND, &self.service, &bytes.unwrap_or_else(none));
    }

    /// The answers to requests of discovery, one for each; `None` if one of them was never sent.
    pub(in crate::pipeline) fn to_questions(&self, questions: &[Oracle]) -> Option<Vec<Option<Answer>>> {
        let known = questions.iter().map(|one| self.kept.questions.get(&one.o_id));
        known.map(|answer| answer.map(|answer| answer.as_ref().and_then(KeptAnswer::answer))).collect()
    }

    /// Adds the answers to such requests.
    pub(in crate::pipeline) fn keep_questions(&mut self, questions: &[Oracle], answers: &[Option<Answer>]) {
        let kept = answers.iter().map(|answer| answer.as_ref().map(KeptAnswer::of));
        self.kept.questions.extend(questions.iter().map(|one| one.o_id.clone()).zip(kept));
    }

    /// Whether no answers to jobs are known.
    pub(in crate::pipeline) fn is_empty(&self) -> bool {
        self.kept.jobs.is_empty()
    }

    /// Whether the base can be reset, as an earlier run found.
    pub(in crate::pipeline) fn can_reset(&self) -> bool {
        self.kept.can_reset
    }

    /// The jobs that were never run in this way.
    pub(in crate::pipeline) fn missing(&self, jobs: &[Arc<Job>], how: How) -> Vec<Arc<Job>> {
        jobs.iter().filter(|job| !self.kept.jobs.contains_key(&key(job, how))).cloned().collect()
    }

    /// The known answers of the base to these jobs, as if it had been at this host and port.
    pub(in crate::pipeline) fn passes(&self, jobs: &[Arc<Job>], how: How, authority: &str) -> Passes {
        let mut passes = Passes::default();
        for job in jobs {
            let Some(kept) = self.kept.jobs.get(&key(job, how)) else { continue };
            let own = |answer: &KeptAnswer| Some(renamed(answer.answer()?, &kept.authority, authority));
            let answers: Vec<Answer> = kept.answers.iter().filter_map(own).collect();
            if !answers.is_empty() {
                passes.answers.insert(job.id.clone(), answers);
            }
            let steps: Vec<Vec<Answer>> = kept.steps.iter().map(|run| run.iter().filter_map(own).collect()).collect();
            if !steps.is_empty() {
                passes.steps.insert(job.id.clone(), steps);
            }
            if let Some(why) = &kept.unanswered {
                passes.unanswered.insert(job.id.clone(), why.clone());
            }
        }
        passes
    }

    /// When and where the kept answers were given.
    pub(in crate::pipeline) fn moment(&self, live: &Live<'_>) -> Moment {
        Moment { now: self.kept.at, authority: self.kept.authority.clone(), ..live.moment("") }
    }

    /// Adds the answers to jobs; passes that did not finish add nothing.
    pub(in crate::pipeline) fn keep(
        &mut self,
        jobs: &[Arc<Job>],
        how: How,
        passes: &Passes,
        (moment, can_reset): (&Moment, bool),
    ) {
        if passes.trouble.is_some() {
            return;
        }
        if self.kept.jobs.is_empty() {
            self.kept.at = moment.now;
        }
        (self.kept.authority, self.kept.can_reset) = (moment.authority.clone(), can_reset);
        let all = |answers: &[Answer]| answers.iter().map(KeptAnswer::of).collect::<Vec<_>>();
        for job in jobs {
            let kept = KeptJob {
                authority: moment.authority.clone(),
                answers: all(passes.of(&job.id)),
                steps: passes.steps_of(&job.id).iter().map(|run| all(run)).collect(),
                unanswered: passes.unanswered.get(&job.id).cloned(),
            };
            self.kept.jobs.insert(key(job, how), kept);
        }
    }

    /// Forgets all answers to jobs.
    pub(in crate::pipeline) fn forget(&mut self) {
        self.kept.jobs.clear();
    }
}

impl KeptAnswer {
    fn of(answer: &Answer) -> Self {
        let Answer { status, headers, body, cut, millis } = answer;
        Self { status: *status, headers: headers.clone(), body: BASE64.encode(body), cut: *cut, millis: *millis }
    }

    fn answer(&self) -> Option<Answer> {
        let Self { status, headers, body, cut, millis } = self;
        let body = BASE64.decode(body).ok()?;
        Some(Answer { status: *status, headers: headers.clone(), body, cut: *cut, millis: *millis })
    }
}

/// Identifies a job: its requests, and how they were sent.
fn key(job: &Job, how: How) -> String {
    let steps = serde_json::to_vec(&job.steps).unwrap_or_default();
    let how: &[u8] = if how == How::Alone { b"alone" } else { b"" };
    Hash::of_parts([job.id.as_bytes(), how, steps.as_slice()]).short(32)
}

/// Hash of everything besides the request that the base's answers rest on.
fn rests_on(workspace: &Workspace, settings: &Settings, live: &Live<'_>, base: &BaseRevision) -> String {
    let service = settings.service.as_ref().map(|spec| of_service(workspace, spec)).unwrap_or_default();
    let how = format!("{:?} {}", live.how, live.options().quick_reset);
    let users = live.user_names().join(" ");
    let parts = [env!("CARGO_PKG_VERSION"), &base.commit.id.to_string(), &settings.path, &service, &how, &users];
    Hash::of_parts(parts.map(str::as_bytes)).short(32)
}

/// The settings of a service, with the text of the auth file in place of its path.
fn of_service(workspace: &Workspace, spec: &ServiceSettings) -> String {
    let auth = spec.auth.as_ref().and_then(|auth| auth.text(&workspace.root).ok());
    format!("{:?} {}", ServiceSettings { auth: None, ..spec.clone() }, auth.unwrap_or_default())
}

/// The answer, with the old host and port replaced by the new one.
fn renamed(answer: Answer, old: &str, new: &str) -> Answer {
    if old.is_empty() || old == new {
        return answer;
    }
    let text = |text: &str| text.replace(old, new);
    let headers = answer.headers.iter().map(|(name, value)| (name.clone(), text(value))).collect();
    let body = match std::str::from_utf8(&answer.body) {
        Ok(body) => text(body).into_bytes(),
        Err(_) => answer.body.clone(),
    };
    Answer { headers, body, ..answer }
}
