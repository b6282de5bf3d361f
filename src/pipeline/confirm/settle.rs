//! Confirming: runs candidates and open requests on the service, then confirms, completes or refutes each.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use crate::pipeline::confirm::chained::chain_writes;
use crate::pipeline::confirm::claims::{Claimed, Claims, Refuted, RefutedSequence};
use crate::pipeline::confirm::follow::{follow, settle_writers};
use crate::pipeline::confirm::retry_writers::{look_again, stated};
use crate::pipeline::repository::workspace::{Workspace, out_folder};
use crate::pipeline::service::live::Live;
use mastor_config::Settings;
use mastor_probe::answers::judge::{Captures, judge};
use mastor_probe::answers::observe::observed;
use mastor_probe::answers::shapes::Shapes;
use mastor_probe::answers::unstable::Moment;
use mastor_probe::job::Job;
use mastor_probe::runs::check::Trouble;
use mastor_probe::runs::confirm::{Settled, settle, settle_sequence, what_held};
use mastor_probe::runs::environment::unserved;
use mastor_probe::runs::passes::{Passes, UNTAKEN, passes};
use mastor_probe::runs::run::Stopped;
use mastor_probe::service::{Running, ServiceError};
use mastor_publish::json::{Envelope, to_text};
use mastor_publish::wording::words;
use mastor_suite::OUT_DIR;
use mastor_suite::candidates::note_refuted;
use mastor_suite::format::RefutedAssumption;
use mastor_suite::load::OperationSuite;
use mastor_suite::tidy::tidy;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::event::Events;
use mastor_types::results::outcome::{Answer, Expected, Miss};
use mastor_types::results::report::{Confirming, Dropped, Precision, QuarantinedField};
use mastor_types::suite::assertion::{Assertion, Check};
use mastor_types::suite::given::{Given, Read};
use mastor_types::suite::oracle::{Candidate, Certainty, Confirmed, Effect, Engine, Oracle};
use mastor_types::suite::sequence::Sequence;

/// Statuses with which middleware before an operation rejects a request.
const TURNED_AWAY: &[u16] = &[401, 403, 407];

/// Name of the file of candidates that did not hold, below `.mastor/out`.
const REFUTED: &str = "refuted.json";

/// Runs claims on a service that is ready.
///
/// # Errors
/// Where the service cannot be asked at all.
pub async fn confirm(
    live: &Live<'_>,
    running: &mut Running,
    claims: &Claims,
    fresh: bool,
    events: &Events,
) -> Result<Claimed, ServiceError> {
    let mut unique: BTreeMap<&str, &Oracle> = BTreeMap::new();
    let probes = claims.probes.iter().map(|probe| &probe.oracle);
    for oracle in claims.oracles.iter().chain(&claims.asked).chain(probes) {
        unique.entry(&oracle.o_id).or_insert(oracle);
    }
    let reads = reads(claims);
    for read in &reads {
        unique.entry(&read.o_id).or_insert(read);
    }
    let sequences: BTreeMap<&str, &Sequence> = claims.sequences.iter().map(|one| (one.s_id.as_str(), one)).collect();
    let oracles = unique.values().map(|oracle| Arc::new(Job::of_oracle(oracle)));
    let jobs: Vec<Arc<Job>> = oracles.chain(sequences.values().map(|one| Arc::new(Job::asking(one)))).collect();
    let runs = live.how.runs.max(2);
    let found = passes(running, live.users(), &jobs, (runs, fresh), live.options(), events).await?;
    let moment = live.moment(running.base_url());
    let mut claimed = Claimed { passes: found, ..Claimed::default() };
    if let Some((requests, operations)) = unserved(&claims.oracles, &claimed.passes.answers) {
        claimed.passes.trouble = Some(Trouble::Environment(elsewhere(live, running, requests, operations)));
        claimed.passes.answers.clear();
        claimed.passes.steps.clear();
        conclude(live.how.observe, claims, &mut claimed, &moment);
        claimed.moment = Some(moment);
        return Ok(claimed);
    }
    look_again(live, running, claims, (&mut claimed.passes, &moment), runs).await?;
    let tours = follow(live, running, claims, &mut claimed.passes, events).await?;
    events.finished(format!("{} requests were sent", claimed.passes.requests));
    conclude(live.how.observe, claims, &mut claimed, &moment);
    for (job, why) in jobs.iter().filter_map(|job| Some((job, claimed.passes.unanswered.get(&job.id)?))) {
        events.detail(format!(
            "no answer to {} of {}: {why}",
            job.test_id,
            job.op_ids().first().map_or("", OpId::as_str)
        ));
    }
    claimed.moment = Some(moment);
    settle_writers(live, running, &tours, &mut claimed, events).await?;
    chain_writes(live, running, claims, &tours, &mut claimed).await?;
    Ok(claimed)
}

/// The message for a service that answers 404 to everything below the chosen path, with what the document says.
fn elsewhere(live: &Live<'_>, running: &Running, requests: usize, operations: usize) -> String {
    let below = format!("{}{}", running.base_url().trim_end_matches('/'), live.options().base_path);
    let hint = match &live.documented {
        Some(base) => format!("the document says that it is below {base}: end `[service] base-url` in it"),
        None => "does `[service] base-url` lack a part of the path?".to_owned(),
    };
    format!(
        "all {} to {below} end in 404, of {operations} operations that should answer well too: that is no answer of the service, and nothing is made of it; {hint}",
        words::count(requests, "request")
    )
}

/// The read requests that show whether the data that claims need exists.
fn reads(claims: &Claims) -> Vec<Oracle> {
    let probes = claims.probes.iter().map(|probe| &probe.oracle);
    let given = claims.oracles.iter().chain(probes).flat_map(|oracle| &oracle.given);
    let given = given.chain(claims.sequences.iter().flat_map(|sequence| &sequence.given));
    given.filter_map(|given| given.read.as_ref()).map(question).collect()
}

/// A read as a request that is sent only to learn its answer.
fn question(read: &Read) -> Oracle {
    Oracle::question(&read.op_id, &read.as_user, read.input.clone(), Effect::Reads)
}

/// Keeps the assertions of each given's read that held every time; a read that the service does not confirm is removed.
fn keep_confirmed_reads(given: &mut [Given], passes: &Passes) {
    for given in given {
        let Some(mut read) = given.read.take() else { continue };
        let answers = passes.of(&read.id());
        let holds = |assertion: &Assertion| {
            answers.iter().all(|answer| judge(std::slice::from_ref(assertion), answer, &Captures::new()).is_empty())
        };
        read.assertions.retain(holds);
        let is_status = |assertion: &Assertion| matches!(assertion.check, Check::Status { .. });
        given.read = (!answers.is_empty() && read.assertions.iter().any(is_status)).then_some(read);
    }
}

fn conclude(observe: bool, claims: &Claims, claimed: &mut Claimed, moment: &Moment) {
    let mut precision: BTreeMap<(String, String, String), (usize, usize)> = BTreeMap::new();
    let mut refuted_by: BTreeMap<String, usize> = BTreeMap::new();
    let mut shapes = Shapes::default();
    for oracle in &claims.oracles {
        claimed.report.candidates += 1;
        let answers = claimed.passes.of(&oracle.o_id).to_vec();
        let Some(last) = answers.last() else {
            claimed.report.unanswered += 1;
            continue;
        };
        let settled = settle(oracle, &answers, moment);
        let rule = rule(oracle);
        let entry = precision.entry((engine(oracle), oracle.strategy.as_str().to_owned(), rule.clone())).or_default();
        entry.0 += 1;
        match settled.oracle.confirmation.state {
            Confirmed::Confirmed => {
                entry.1 += 1;
                claimed.report.held += 1;
                shapes.learn(&oracle.op_id, last, settled.unstable.is_empty());
                let done = complete(observe, settled, (last, moment), &claimed.passes, &mut claimed.report);
                claimed.confirmed.insert(done.o_id.clone(), done);
            }
            Confirmed::Unconfirmed => claimed.report.unanswered += 1,
            state => {
                match state {
                    Confirmed::Flaky => claimed.report.flaky += 1,
                    _ => claimed.report.refuted += 1,
                }
                *refuted_by.entry(format!("{rule}; {}", seen_instead(&settled))).or_default() += 1;
                let held = what_held(oracle, &answers, moment).filter(|_| state == Confirmed::Refuted);
                let held =
                    held.map(|held| complete(observe, held, (last, moment), &claimed.passes, &mut claimed.report));
                claimed.refuted.push(refuted(settled, held));
            }
        }
    }
    refute_assumptions(claims, claimed);
    for sequence in &claims.sequences {
        conclude_sequence(sequence, claimed, moment, &mut precision);
    }
    if observe {
        for oracle in &claims.asked {
            if let Some(last) = claimed.passes.of(&oracle.o_id).last() {
                shapes.learn(&oracle.op_id, last, oracle.confirmation.quarantined.is_empty());
            }
        }
        for probe in &claims.probes {
            keep_seen(probe, claimed, &mut shapes, moment);
        }
    }
    let mut by: Vec<Dropped> = refuted_by.into_iter().map(|(reason, count)| Dropped { reason, count }).collect();
    by.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
    claimed.report.refuted_by = by;
    let of_kind =
        |((engine, strategy, rule), (candidates, held))| Precision { engine, strategy, rule, candidates, held };
    claimed.report.precision = precision.into_iter().map(of_kind).collect();
    claimed.report.requests = claimed.passes.requests;
    claimed.report.quarantined.sort();
    claimed.report.quarantined.dedup();
}

/// Refutes assumptions: if the service rejected the requests that rest on an assumption, and no confirmed oracle rests
/// on it, the assumption is refuted, and with it every oracle that rests on it.
fn refute_assumptions(claims: &Claims, claimed: &mut Claimed) {
    let mut untrue: BTreeMap<String, RefutedAssumption> = BTreeMap::new();
    for oracle in claims.oracles.iter().filter(|oracle| !claimed.confirmed.contains_key(&oracle.o_id)) {
        let answers = claimed.passes.of(&oracle.o_id);
        let turned_away = answers.iter().all(|answer| TURNED_AWAY.contains(&answer.status));
        let Some(last) = answers.last().filter(|_| turned_away) else { continue };
        if oracle.statuses().contains(&last.status) {
            continue;
        }
        for one in &oracle.assumes {
            let seen = format!("{} answered {}", oracle.op_id, last.status);
            let refuted = RefutedAssumption { id: one.id.clone(), what: one.what.clone(), seen };
            untrue.entry(one.id.clone()).or_insert(refuted);
        }
    }
    for held in claimed.confirmed.values() {
        held.assumes.iter().for_each(|one| drop(untrue.remove(&one.id)));
    }
    for oracle in claims.oracles.iter().filter(|oracle| !claimed.confirmed.contains_key(&oracle.o_id)) {
        let because = oracle.assumes.iter().find_map(|one| untrue.get(&one.id));
        let is_told = claimed.refuted.iter().any(|known| known.oracle.o_id == oracle.o_id);
        if let Some(because) = because.filter(|_| !is_told) {
            let mut oracle = oracle.clone();
            oracle.confirmation.state = Confirmed::Refuted;
            claimed.report.refuted += 1;
            claimed.report.unanswered = claimed.report.unanswered.saturating_sub(1);
            claimed.refuted.push(Refuted {
                oracle,
                seen: vec![format!("{} is not so: {}", because.what, because.seen)],
                held: None,
            });
        }
    }
    claimed.assumptions = untrue.into_values().collect();
}

/// Confirms a sequence, or sets it aside with what was seen.
fn conclude_sequence(
    sequence: &Sequence,
    claimed: &mut Claimed,
    moment: &Moment,
    precision: &mut BTreeMap<(String, String, String), (usize, usize)>,
) {
    claimed.report.candidates += 1;
    let settled = settle_sequence(sequence, claimed.passes.steps_of(&sequence.s_id), moment);
    let pattern = serde_json::to_value(sequence.pattern).ok().and_then(|name| name.as_str().map(str::to_owned));
    let kind = (engine_name(sequence.origin.engine), "sequence".to_owned(), pattern.unwrap_or_default());
    let entry = precision.entry(kind).or_default();
    entry.0 += 1;
    let why = claimed.passes.unanswered.get(&sequence.s_id).cloned();
    match (settled.sequence.confirmation.state, why) {
        (Confirmed::Confirmed, None) => {
            entry.1 += 1;
            claimed.report.held += 1;
            let mut held = settled.sequence;
            keep_confirmed_reads(&mut held.given, &claimed.passes);
            claimed.held.insert(sequence.s_id.clone(), held);
        }
        (Confirmed::Flaky, None) => {
            claimed.report.flaky += 1;
            let seen = settled.misses.iter().map(|miss| missed_in(sequence, miss)).collect();
            claimed.refuted_sequences.push(RefutedSequence { sequence: settled.sequence, seen });
        }
        (Confirmed::Refuted, None) => {
            claimed.report.refuted += 1;
            let seen = settled.misses.iter().map(|miss| missed_in(sequence, miss)).collect();
            claimed.refuted_sequences.push(RefutedSequence { sequence: settled.sequence, seen });
        }
        // A step that lacks a value from an earlier answer is as wrong as one that answers differently.
        (_, Some(why)) if why.starts_with(UNTAKEN) => {
            claimed.report.refuted += 1;
            claimed.refuted_sequences.push(RefutedSequence { sequence: sequence.clone(), seen: vec![why] });
        }
        _ => claimed.report.unanswered += 1,
    }
}

/// Makes an oracle of an open request if its answer has a shape that no other oracle of the operation shows.
fn keep_seen(probe: &Candidate, claimed: &mut Claimed, shapes: &mut Shapes, moment: &Moment) {
    let answers = claimed.passes.of(&probe.oracle.o_id).to_vec();
    let Some(last) = answers.last() else { return };
    // Server errors and varying statuses are not asserted.
    if last.status >= 500 || answers.iter().any(|answer| answer.status != last.status) {
        return;
    }
    let settled = settle(&probe.oracle, &answers, moment);
    if settled.oracle.confirmation.state != Confirmed::Confirmed
        || !shapes.learn(&probe.oracle.op_id, last, settled.unstable.is_empty())
    {
        return;
    }
    let mut done = complete(true, settled, (last, moment), &claimed.passes, &mut claimed.report);
    let when = done.description.strip_prefix("Answers as was seen").unwrap_or_default().trim_end_matches('.');
    let comma = if when.is_empty() { "" } else { "," };
    done.description = format!("Answers {}, as was seen{comma}{when}.", last.status);
    if last.status >= 400 && done.strategy == mastor_types::suite::oracle::Strategy::Fv {
        done.strategy = mastor_types::suite::oracle::Strategy::Fi;
        done.test_id = done.test_id.replacen("fv_", "fi_", 1);
    }
    claimed.report.seen += 1;
    claimed.seen.push((done, probe.citations.clone()));
}

fn complete(
    observe: bool,
    settled: Settled,
    (answer, moment): (&Answer, &Moment),
    passes: &Passes,
    report: &mut Confirming,
) -> Oracle {
    let Settled { mut oracle, unstable, .. } = settled;
    report.quarantined.extend(unstable.iter().map(|one| QuarantinedField {
        op_id: oracle.op_id.clone(),
        path: one.path.clone(),
        why: one.why.as_str().to_owned(),
    }));
    keep_confirmed_reads(&mut oracle.given, passes);
    if observe {
        let more = observed(&oracle, answer, &unstable, moment);
        report.observed += more.len();
        oracle.assertions.extend(more);
    }
    oracle
}

fn refuted(settled: Settled, held: Option<Oracle>) -> Refuted {
    Refuted { seen: settled.misses.iter().map(missed).collect(), oracle: settled.oracle, held: held.map(Box::new) }
}

/// What was expected of a step and what was seen, in words, with its operation.
fn missed_in(sequence: &Sequence, miss: &Miss) -> String {
    let told = missed(&Miss { step: 0, ..miss.clone() });
    match sequence.steps.get(miss.step) {
        Some(step) => format!("step {} ({}): {told}", miss.step + 1, step.op_id),
        None => told,
    }
}

/// What was expected and what was seen, in words.
fn missed(miss: &Miss) -> String {
    let step = if miss.step > 0 { format!("step {}: ", miss.step + 1) } else { String::new() };
    match &miss.expected {
        Expected::Assertion { check, .. } => format!("{step}expected {}, seen {}", words::check(check), miss.seen),
        Expected::Capture { name, .. } => format!("{step}nothing to take as {name}: {}", miss.seen),
        Expected::Answer => format!("{step}no answer: {}", miss.seen),
    }
}

fn seen_instead(settled: &Settled) -> String {
    let status = settled.misses.iter().find_map(|miss| match &miss.expected {
        Expected::Assertion { check: Check::Status { .. }, .. } => Some(miss.seen.clone()),
        _ => None,
    });
    match (status, settled.misses.first()) {
        (Some(status), _) => format!("seen status {status}"),
        (None, Some(miss)) => match &miss.expected {
            Expected::Assertion { check, .. } => format!("expected {}, and it is not so", words::place(check)),
            _ => "no answer".to_owned(),
        },
        (None, None) => "it held sometimes".to_owned(),
    }
}

fn engine(oracle: &Oracle) -> String {
    engine_name(oracle.origin.engine)
}

fn engine_name(engine: Engine) -> String {
    match engine {
        Engine::Rules => "rules",
        Engine::Agents => "agents",
        Engine::Human => "human",
    }
    .to_owned()
}

/// The rule that an expectation follows from: the last clause of the rationale.
fn rule(oracle: &Oracle) -> String {
    let text = oracle.rationale.trim_end_matches('.');
    text.rsplit_once(": ").map_or(text, |(_, rule)| rule).to_owned()
}

/// The failure that trouble of the passes leads to; `None` if there was no trouble.
pub fn trouble(passes: &Passes) -> Option<Failure> {
    let trouble = passes.trouble.as_ref()?;
    let exit = match trouble {
        Trouble::Gone(_) | Trouble::Reset(_) => Exit::NotReady,
        Trouble::Stopped(Stopped::OutOfTime(_)) => Exit::BudgetSpent,
        Trouble::Stopped(Stopped::Interrupted) => Exit::Interrupted,
        Trouble::Environment(_) => Exit::Nothing,
    };
    Some(Failure::new(exit, trouble.to_string()))
}

/// Writes the candidates that did not hold below the service's `.mastor/out`; if there are none, removes the file of an
/// earlier run.
///
/// # Errors
/// Exit 70 where writing fails.
pub fn write_refuted(
    workspace: &Workspace,
    settings: &Settings,
    (refuted, sequences): (&[Refuted], &[RefutedSequence]),
) -> Result<Option<String>, Failure> {
    let dir = workspace.service_dir(settings).join(OUT_DIR);
    let file = dir.join(REFUTED);
    let internal = |error: String| Failure::new(Exit::Internal, error);
    if refuted.is_empty() && sequences.is_empty() {
        return mastor_store::write_or_remove(&file, None).map(|()| None).map_err(|e| internal(e.to_string()));
    }
    let mut refuted = refuted.to_vec();
    refuted.sort_by(|a, b| (&a.oracle.op_id, &a.oracle.o_id).cmp(&(&b.oracle.op_id, &b.oracle.o_id)));
    let fields = RefutedFields { refuted, sequences: sequences.to_vec() };
    let text = to_text(&Envelope::new("refuted", vec![(settings.name.clone(), fields)]));
    out_folder(&dir)?;
    mastor_store::write(&file, text.as_bytes()).map_err(|e| internal(e.to_string()))?;
    Ok(Some(mastor_config::join(&settings.dir, &format!("{OUT_DIR}/{REFUTED}"))))
}

/// What `refuted.json` holds.
#[derive(Debug, Clone, Serialize)]
struct RefutedFields {
    /// Candidates, sorted by operation and id.
    refuted: Vec<Refuted>,
    /// Sequences, by id.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sequences: Vec<RefutedSequence>,
}

/// Updates sequences by the service's results: replaces confirmed ones, and removes refuted ones unless `may_regress`.
/// Gives a sentence for each that was removed.
pub fn take_sequences(
    sequences: &mut Vec<Sequence>,
    claimed: &Claimed,
    may_regress: &dyn Fn(&Sequence) -> bool,
) -> Vec<String> {
    let mut left = Vec::new();
    sequences.retain_mut(|sequence| {
        if let Some(held) = claimed.held.get(&sequence.s_id) {
            let lost = stated(sequence).saturating_sub(stated(held));
            if lost > 0 {
                let what = words::count(lost, "assertion");
                left.push(format!("{} is kept without {what} on values that vary from run to run", sequence.test_id));
            }
            *sequence = held.clone();
        }
        let refuted = claimed.refuted_sequences.iter().find(|refuted| refuted.sequence.s_id == sequence.s_id);
        let refuted = refuted.filter(|_| !may_regress(sequence));
        if let Some(refuted) = refuted {
            let seen = refuted.seen.first().map_or("it held sometimes", String::as_str);
            left.push(format!("{} was refuted: {seen}", sequence.test_id));
        }
        refuted.is_none()
    });
    left
}

/// Updates the suite of an operation by the service's results: replaces confirmed oracles, adds observed ones, and
/// removes refuted ones. Gives a sentence for each that was removed or reduced. A refuted oracle that `may_regress` is
/// kept: the code that it was made from may have fulfilled it.
pub fn take_into(
    suite: &mut OperationSuite,
    op_id: &OpId,
    claimed: &Claimed,
    may_regress: &dyn Fn(&Oracle) -> bool,
) -> Vec<String> {
    let mut left = Vec::new();
    for oracle in &mut suite.oracles {
        if let Some(confirmed) = claimed.confirmed.get(&oracle.o_id) {
            *oracle = confirmed.clone();
        }
    }
    suite.refuted.retain(|one| !claimed.confirmed.contains_key(&one.id));
    let wrong = |refuted: &&Refuted| refuted.oracle.op_id == *op_id && !may_regress(&refuted.oracle);
    for refuted in claimed.refuted.iter().filter(wrong) {
        let before = suite.oracles.len();
        let place = suite.oracles.iter_mut().find(|oracle| oracle.o_id == refuted.oracle.o_id);
        if let (Some(oracle), Some(held)) = (place, &refuted.held) {
            let seen = refuted.seen.first().map_or("", String::as_str);
            left.push(format!("{} is kept without what did not hold: {seen}", oracle.test_id));
            *oracle = (**held).clone();
            continue;
        }
        if let Some(as_made) = suite.oracles.iter().find(|oracle| oracle.o_id == refuted.oracle.o_id).cloned() {
            note_refuted(suite, &refuted.oracle, &as_made);
            let untrue = claimed.assumptions.iter();
            let own = untrue.filter(|one| as_made.assumes.iter().any(|assumed| assumed.id == one.id));
            suite.assumptions.extend(own.cloned());
        }
        suite.oracles.retain(|oracle| oracle.o_id != refuted.oracle.o_id);
        if suite.oracles.len() < before {
            let seen = refuted.seen.first().map_or("it held sometimes", String::as_str);
            left.push(format!("{} was refuted: {seen}", refuted.oracle.test_id));
        }
    }
    // Oracles that the service was not asked are removed with the refuted assumption that they rest on.
    let untrue = |oracle: &Oracle| {
        let rests = |known: &&RefutedAssumption| oracle.assumes.iter().any(|one| one.id == known.id);
        claimed.assumptions.iter().find(rests).filter(|_| oracle.certainty() == Certainty::Assumed)
    };
    let gone: Vec<RefutedAssumption> = suite.oracles.iter().filter_map(untrue).cloned().collect();
    let of_untrue = suite.oracles.extract_if(.., |oracle| untrue(oracle).is_some());
    left.extend(of_untrue.map(|oracle| format!("{} rests on what is not so", oracle.test_id)));
    suite.assumptions.extend(gone);
    let mut names: BTreeSet<String> = suite.oracles.iter().map(|oracle| oracle.test_id.clone()).collect();
    for (oracle, citations) in claimed.seen.iter().filter(|(oracle, _)| oracle.op_id == *op_id) {
        let mut oracle = oracle.clone();
        if !names.insert(oracle.test_id.clone()) {
            oracle.test_id = format!("{}_{}", oracle.test_id, oracle.o_id.get(..4).unwrap_or_default());
            names.insert(oracle.test_id.clone());
        }
        suite.context.evidence.extend(citations.iter().map(|cited| (cited.id(), cited.clone())));
        suite.oracles.push(oracle);
    }
    *suite = tidy(suite.clone());
    left
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use mastor_types::suite::assumption::Assumption;
    use mastor_types::suite::evidence::EvidenceId;

    fn assumed(path: &str, what: &str) -> Oracle {
        let evidence: EvidenceId = serde_json::from_value(json!("e:0011223344556677")).unwrap();
        let op_id = OpId::parse(&format!("GET {path}")).unwrap();
        let asked = Oracle::question(&op_id, "anonymous", Default::default(), Effect::Reads);
        let status = json!({"type": "status", "expected": 200});
        Oracle {
            assertions: vec![serde_json::from_value(status).unwrap()],
            assumes: vec![Assumption::of(what.to_owned(), evidence)],
            ..asked
        }
    }

    #[test]
    fn what_is_turned_away_refutes_the_assumption_for_all_that_rests_on_it_by_name() {
        let all = [
            assumed("/a", "`TokenFilter` passes the request on"),
            assumed("/b", "`TokenFilter` passes the request on"),
            assumed("/c", "`Audit` proceeds, and gives back what it got"),
        ];
        let answer = |status: u16| Answer { status, headers: Vec::new(), body: Vec::new(), cut: false, millis: 1.0 };
        let claims = Claims { oracles: all.to_vec(), ..Claims::default() };
        let mut claimed = Claimed::default();
        for (oracle, status) in all.iter().zip([401, 500, 401]) {
            claimed.passes.answers.insert(oracle.o_id.clone(), vec![answer(status), answer(status)]);
        }
        // Another request passes the aspect: so the aspect does not reject requests.
        let held = assumed("/d", "`Audit` proceeds, and gives back what it got");
        claimed.confirmed.insert(held.o_id.clone(), held);
        refute_assumptions(&claims, &mut claimed);
        let untrue: Vec<&str> = claimed.assumptions.iter().map(|one| one.what.as_str()).collect();
        assert_eq!(untrue, ["`TokenFilter` passes the request on"]);
        assert_eq!(claimed.assumptions[0].seen, "GET /a answered 401");
        let gone: Vec<&str> = claimed.refuted.iter().map(|one| one.oracle.op_id.as_str()).collect();
        assert_eq!(gone, ["GET /a", "GET /b"]);
        assert!(claimed.refuted.iter().all(|one| one.oracle.certainty() == Certainty::Refuted));
        assert!(claimed.refuted[1].seen[0].contains("is not so: GET /a answered 401"), "{:?}", claimed.refuted[1].seen);
    }
}
