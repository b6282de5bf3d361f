//! `mastor check` and `mastor replay`: run the committed suite on the service.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::pipeline::ci::ignored::{in_force, left_aside};
use crate::pipeline::generate::candidates::may_regress;
use crate::pipeline::repository::cited;
use crate::pipeline::repository::comparison::{analyse, surface};
use crate::pipeline::repository::workspace::{Head, Workspace, out_folder};
use crate::pipeline::service::live::{Live, LiveOptions, Side};
use mastor_config::Settings;
use mastor_probe::job::Job;
use mastor_probe::job::UNASKED;
use mastor_probe::runs::check::{Checked, Trouble, check as check_service, target};
use mastor_probe::runs::run::{self, Keep, Options, Stopped};
use mastor_publish::checks::check_view::check_fields;
use mastor_publish::checks::junit_report::junit_report;
use mastor_publish::json::{Envelope, to_text};
use mastor_publish::terminal::explain::Cited;
use mastor_suite::{OUT_DIR, Suite};
use mastor_types::error::{Exit, Failure};
use mastor_types::results::check::CheckFields;
use mastor_types::results::outcome::{Outcome, RunVerdict};

/// The options of `mastor check`.
#[derive(Debug, Clone)]
pub struct CheckAsked {
    /// Oracles and sequences, by id or a unique prefix; all where empty.
    pub ids: Vec<String>,
    /// Oracles that run at a time, at most.
    pub concurrency: usize,
    /// Time limit of a request.
    pub time: Duration,
}

/// The result of checking one service.
#[derive(Debug)]
pub struct ServiceChecked {
    /// Its name.
    pub name: String,
    /// The fields that are printed and written.
    pub fields: CheckFields,
    /// The exit of the check.
    pub exit: Exit,
}

/// The committed suite of a service, as jobs.
struct Chosen {
    settings: Settings,
    suite: Suite,
    jobs: Vec<Arc<Job>>,
}

/// Runs the committed suite of each service on it, and writes `check.json` and `junit-results.xml` below `.mastor/out`.
///
/// # Errors
/// Exit 2 for an id that fits none or several, a damaged suite, or a service without an address; exit 3 without a
/// suite; exit 4 where the service cannot be reached.
pub fn check(workspace: &Workspace, head: &Head, asked: &CheckAsked) -> Result<Vec<ServiceChecked>, Failure> {
    let mut done = Vec::new();
    for chosen in chosen(workspace, head, &asked.ids)? {
        let checked = session(workspace, head, &chosen, asked)?;
        let cited = evidence(workspace, head, &chosen, &checked.outcomes)?;
        let mut fields =
            check_fields(&checked.base_url, &checked.outcomes, |id| cited.get(id).cloned().unwrap_or_default());
        fields.unsteady = checked.unsteady;
        fields.ignored = if asked.ids.is_empty() { in_force(&chosen.settings.ignore) } else { Vec::new() };
        fields.trouble = checked.trouble.as_ref().map(ToString::to_string);
        fields.seconds = Some(rounded(checked.time.as_secs_f64()));
        fields.service_seconds = Some(rounded(checked.outcomes.iter().map(|outcome| outcome.service_seconds).sum()));
        done.push(ServiceChecked { name: chosen.settings.name.clone(), exit: exit(&checked), fields });
    }
    write(workspace, &done)?;
    Ok(done)
}

/// Sends the requests of one oracle or sequence again.
///
/// # Errors
/// As for [`check`]; exit 2 without an id.
pub fn replay(workspace: &Workspace, head: &Head, asked: &CheckAsked) -> Result<Outcome, Failure> {
    let mut chosen = chosen(workspace, head, &asked.ids)?;
    let (Some(one), true) = (chosen.pop(), chosen.is_empty()) else {
        return Err(Failure::new(Exit::Usage, "the id is one of several services").hint("run it in the folder of one"));
    };
    let [job] = one.jobs.as_slice() else {
        return Err(Failure::new(Exit::Usage, "one id at a time"));
    };
    let live = live(workspace, head, &one.settings, asked)?;
    let options = Options { concurrency: 1, keep: Keep::All, stop: live.options().run.stop.clone() };
    live.session(Side::Head(head), async |running| {
        let target = target(running, live.users(), live.options())?;
        Ok(run::one(&target, job, &options).await)
    })
}

/// The jobs to run, for each service that has any.
fn chosen(workspace: &Workspace, head: &Head, ids: &[String]) -> Result<Vec<Chosen>, Failure> {
    let mut all = Vec::new();
    for settings in workspace.services(&head.tree)? {
        let suite = Suite::load(&head.tree, &settings.dir);
        if let Some(problem) = suite.problems.first() {
            return Err(Failure::new(Exit::Usage, problem.to_string()).hint("restore it with `git checkout`"));
        }
        // A job that is named by its id runs even if it is ignored.
        let ignore = if ids.is_empty() { settings.ignore.as_slice() } else { &[] };
        let jobs: Vec<Arc<Job>> = Job::of_suite(&suite).into_iter().filter_map(|job| left_aside(ignore, job)).collect();
        if !jobs.is_empty() {
            all.push(Chosen { settings, suite, jobs });
        }
    }
    if all.is_empty() {
        return Err(Failure::new(Exit::Nothing, "no suite is committed").hint("`mastor generate --all` makes one"));
    }
    if ids.is_empty() {
        return Ok(all);
    }
    let mut wanted: Vec<&str> = Vec::new();
    let known: Vec<String> = all.iter().flat_map(|one| &one.jobs).map(|job| job.id.clone()).collect();
    for id in ids {
        let exact: Vec<&String> = known.iter().filter(|known| *known == id).collect();
        let fits = |known: &&String| id.len() >= 4 && known.starts_with(id.as_str());
        let found = if exact.is_empty() { known.iter().filter(fits).collect() } else { exact };
        match found.as_slice() {
            [] => {
                return Err(Failure::new(Exit::Usage, format!("no oracle or sequence has the id {id}"))
                    .hint("ids stand in .mastor/suite and in the report of `mastor check`"));
            }
            [one] => wanted.push(one),
            several => {
                let several: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
                return Err(Failure::new(Exit::Usage, format!("{id} fits {} oracles", several.len()))
                    .hint(format!("give more digits: {}", several.join(", "))));
            }
        }
    }
    for one in &mut all {
        one.jobs.retain(|job| wanted.contains(&job.id.as_str()));
    }
    all.retain(|one| !one.jobs.is_empty());
    Ok(all)
}

/// Starts or reaches the service, checks the suite on it, and stops it.
fn session(workspace: &Workspace, head: &Head, chosen: &Chosen, asked: &CheckAsked) -> Result<Checked, Failure> {
    let live = live(workspace, head, &chosen.settings, asked)?;
    let events = &workspace.events;
    let mut checked = live.session(Side::Head(head), async |running| {
        check_service(running, live.users(), &chosen.jobs, live.options(), events).await
    })?;
    refute_own(workspace, head, chosen, &mut checked)?;
    events.finished(format!("checked {} oracles", checked.outcomes.len()));
    Ok(checked)
}

/// Refutes oracles that were never confirmed, do not hold, and were made from this very code: these were wrong from the start.
fn refute_own(workspace: &Workspace, head: &Head, chosen: &Chosen, checked: &mut Checked) -> Result<(), Failure> {
    let is_open = |outcome: &Outcome| outcome.reason.as_deref() == Some(UNASKED);
    if !checked.outcomes.iter().any(is_open) {
        return Ok(());
    }
    let analysis = analyse(workspace, &chosen.settings, &head.tree)?;
    let oracles = chosen.suite.operations.values().flat_map(|suite| &suite.oracles);
    let of_oracles = oracles.map(|oracle| (&oracle.o_id, Some(&oracle.op_id), oracle.confirmation.made_from));
    let sequences = chosen.suite.sequences.values().flatten();
    let of_sequences = sequences.map(|one| {
        let first = one.steps.first().map(|step| &step.op_id);
        (&one.s_id, first, one.confirmation.made_from)
    });
    let own: BTreeSet<&String> = of_oracles
        .chain(of_sequences)
        .filter(|(_, op_id, made_from)| op_id.is_some_and(|op_id| !may_regress(&analysis, op_id, *made_from)))
        .map(|(id, ..)| id)
        .collect();
    for outcome in checked.outcomes.iter_mut().filter(|outcome| is_open(outcome) && own.contains(&outcome.id)) {
        outcome.verdict = RunVerdict::Refuted;
        outcome.reason = None;
    }
    Ok(())
}

/// The service to check.
fn live<'w>(
    workspace: &'w Workspace,
    head: &Head,
    settings: &'w Settings,
    asked: &CheckAsked,
) -> Result<Live<'w>, Failure> {
    if settings.service.is_none() {
        return Err(nowhere(settings));
    }
    let surface = surface(workspace, settings, &head.tree)?;
    let how = LiveOptions { concurrency: asked.concurrency, time: asked.time, ..LiveOptions::default() };
    Live::of(workspace, &surface, settings, how)?.ok_or_else(|| nowhere(settings))
}

fn nowhere(settings: &Settings) -> Failure {
    Failure::new(Exit::Usage, format!("nothing says where the service `{}` is", settings.name))
        .hint(match settings.switched_off {
            Some(_) => "it is switched off: `enabled = true` in `[service]` of mastor.toml turns it on; or add `--base-url http://…`",
            None => "add `--base-url http://…`, or `[service]` with `base-url` or `start` to mastor.toml",
        })
}

/// The evidence of what did not hold, by id, with the source as it reads now.
fn evidence(
    workspace: &Workspace,
    head: &Head,
    chosen: &Chosen,
    outcomes: &[Outcome],
) -> Result<BTreeMap<String, Vec<Cited>>, Failure> {
    let missed = |outcome: &&Outcome| !outcome.misses.is_empty();
    let failed: Vec<&str> = outcomes.iter().filter(missed).map(|outcome| outcome.id.as_str()).collect();
    if failed.is_empty() {
        return Ok(BTreeMap::new());
    }
    let analysis = analyse(workspace, &chosen.settings, &head.tree)?;
    let suite = &chosen.suite;
    let mut found = BTreeMap::new();
    for oracle in suite.operations.values().flat_map(|operation| &operation.oracles) {
        if failed.contains(&oracle.o_id.as_str()) {
            let table = suite.operations.get(&oracle.op_id).map(|operation| &operation.context.evidence);
            let cited = table.map(|table| cited::cited(&analysis, table, oracle));
            found.insert(oracle.o_id.clone(), cited.unwrap_or_default());
        }
    }
    for sequence in suite.sequences.values().flatten().filter(|s| failed.contains(&s.s_id.as_str())) {
        let cited = suite.evidence_of(sequence).map(|evidence| cited::found(&analysis, evidence)).collect();
        found.insert(sequence.s_id.clone(), cited);
    }
    Ok(found)
}

/// The exit of a check. A check that ran nothing, or that ended early, is no success.
fn exit(checked: &Checked) -> Exit {
    let any = |wanted: &[RunVerdict]| checked.outcomes.iter().any(|outcome| wanted.contains(&outcome.verdict));
    // A failing oracle that was never confirmed is no success either, though it may be no regression.
    let is_unheld = |outcome: &Outcome| outcome.reason.as_deref() == Some(UNASKED);
    let is_broken = any(&[RunVerdict::Broken]) || checked.outcomes.iter().any(is_unheld);
    let broken = is_broken.then_some(Exit::BehaviourChange);
    let ran = is_broken || any(&[RunVerdict::Held, RunVerdict::Refuted]);
    let trouble = match &checked.trouble {
        Some(Trouble::Gone(_) | Trouble::Reset(_)) => Some(Exit::NotReady),
        Some(Trouble::Environment(_)) => Some(Exit::Nothing),
        Some(Trouble::Stopped(Stopped::Interrupted)) => Some(Exit::Interrupted),
        Some(Trouble::Stopped(Stopped::OutOfTime(_))) => Some(Exit::BudgetSpent),
        None => (!ran).then_some(Exit::Nothing),
    };
    Exit::worst(broken.into_iter().chain(trouble))
}

fn write(workspace: &Workspace, done: &[ServiceChecked]) -> Result<(), Failure> {
    let out = workspace.root.join(OUT_DIR);
    out_folder(&out)?;
    let services: Vec<(String, CheckFields)> =
        done.iter().map(|one| (one.name.clone(), one.fields.without_times())).collect();
    let xml = junit_report(&services).map_err(internal)?;
    let json = to_text(&Envelope::new("check", services));
    put(&out.join("check.json"), &json)?;
    put(&out.join("junit-results.xml"), &xml)
}

fn put(path: &Path, text: &str) -> Result<(), Failure> {
    mastor_store::write(path, text.as_bytes()).map_err(internal)
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

fn internal(error: impl std::fmt::Display) -> Failure {
    Failure::new(Exit::Internal, error.to_string())
}
