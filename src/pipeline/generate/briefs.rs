//! Briefs: the agents' input for each operation, built from the analysis; and the candidates that are kept of their output.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::pipeline::generate::bundles::Bundles;
use crate::pipeline::generate::made::Made;
use crate::pipeline::generate::readings::{assume_reading, second_reading};
use crate::pipeline::repository::comparison::{shared, subject};
use crate::pipeline::repository::workspace::Workspace;
use mastor_agents::desk::Kept;
use mastor_agents::{self as agents, Brief, Derived, Desk, Finished, Other, OutputStore, Record, Switches};
use mastor_config::Settings;
use mastor_derive::{self as derive, Judgement};
use mastor_extract::Analysis;
use mastor_frameworks::Endpoint;
use mastor_llm::Models;
use mastor_normalise::normalise;
use mastor_openapi::operation_part;
use mastor_probe::service::Interrupt;
use mastor_suite::Suite;
use mastor_suite::load::OperationSuite;
use mastor_types::error::{Exit, Failure};
use mastor_types::model::EngineName;
use mastor_types::results::strength::{Survivor, Unnoticed, Untaken};
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::oracle::{Candidate, Effect, Oracle};
use mastor_types::suite::sequence::Sequence;
use mastor_types::suite::source_context::SourceContext;
use mastor_types::{Method, OpId};

/// Why a candidate that contradicts a derived result is dropped.
pub const CONTRADICTS: &str = "contradicts what is derived";
/// Why a candidate with the same request as a derived oracle is dropped.
const KNOWN: &str = "asks what is derived already";

/// The input of the agents.
pub struct Prepared {
    /// One brief for each entry method, by operation.
    pub briefs: Vec<Brief>,
    /// Committed operations that are not worked on.
    pub others: Vec<Other>,
    /// For each operation, the operation whose brief stands for it.
    pub leaders: BTreeMap<OpId, OpId>,
    /// Sequences that rules made, which agents see.
    pub sequences: Vec<Sequence>,
}

/// Assumptions that an agent is asked about with one operation, at most.
const ASSUMPTIONS: usize = 12;
/// Mutants, and branches, that are named to agents at most.
const SURVIVORS: usize = 40;

/// Builds the briefs of these operations; `made` holds the rules engine's result for each, if it worked on it.
///
/// # Errors
/// Exit 2 for file patterns that cannot be read.
pub fn prepare(
    workspace: &Workspace,
    settings: &Settings,
    analysis: &Analysis,
    (committed, op_ids): (&Suite, &[OpId]),
    made: &[Option<Made>],
    engine: EngineName,
) -> Result<Prepared, Failure> {
    let bundles = Bundles::new(analysis, &settings.redact.never_send)?;
    let users = crate::pipeline::service::live::user_names(workspace, settings)?;
    let mut prepared =
        Prepared { briefs: Vec::new(), others: Vec::new(), leaders: BTreeMap::new(), sequences: Vec::new() };
    let mut by_method: BTreeMap<(String, String, BTreeSet<String>), OpId> = BTreeMap::new();
    let has_slices = settings.slices.runs(settings.service.is_some());
    // An assumption is asked about once, with the first operation under it.
    let mut asked_about: BTreeSet<String> = BTreeSet::new();
    for (op_id, made) in op_ids.iter().zip(made) {
        let Some(entry) = analysis.find(op_id).and_then(|operation| operation.entry.clone()) else { continue };
        let key = (entry.class.clone(), entry.method.clone(), op_id.parameters().map(str::to_owned).collect());
        let leader = by_method.entry(key).or_insert_with(|| op_id.clone()).clone();
        prepared.leaders.insert(op_id.clone(), leader.clone());
        if leader != *op_id {
            continue;
        }
        let derived = made.as_ref().filter(|_| engine == EngineName::Hybrid);
        let derived = derived.map(|made| Derived {
            context: made.suite.context.clone(),
            oracles: made.suite.oracles.clone(),
            open: made.open.clone(),
        });
        let oracles = made.as_ref().map(|made| made.suite.oracles.as_slice()).unwrap_or_default();
        let effect = effect(op_id, oracles);
        let of_rules = if derived.is_some() { oracles } else { &[] };
        let mut assumptions: Vec<Assumption> = Vec::new();
        for assumed in of_rules.iter().flat_map(|oracle| &oracle.assumes) {
            if assumptions.len() < ASSUMPTIONS && asked_about.insert(assumed.id.clone()) {
                assumptions.push(assumed.clone());
            }
        }
        let calls = if has_slices { calls(of_rules) } else { BTreeSet::new() };
        prepared.briefs.push(Brief {
            op_id: op_id.clone(),
            entry,
            document: document(analysis, op_id),
            bundle: bundles.of(op_id),
            derived,
            effect,
            users: users.clone(),
            assumptions,
            calls,
            survivors: survivors(analysis, op_id),
            branches: untaken(analysis, op_id),
        });
    }
    let worked: BTreeSet<&OpId> = op_ids.iter().collect();
    for (op_id, suite) in &committed.operations {
        if !worked.contains(op_id) && analysis.find(op_id).is_some() {
            let effect = effect(op_id, &suite.oracles);
            prepared.others.push(Other { context: suite.context.clone(), effect });
        }
    }
    Ok(prepared)
}

/// Calls that leave the project's code on the paths of these oracles, whose results a stub can give.
fn calls(oracles: &[Oracle]) -> BTreeSet<String> {
    let stubs = oracles.iter().flat_map(|oracle| &oracle.given).filter_map(|given| given.stub.as_ref());
    let all = stubs.flat_map(|stub| {
        let bare = stub.calls.iter().filter(|_| stub.gives.is_empty()).map(String::as_str);
        stub.gives.iter().map(|gives| gives.call.as_str()).chain(bare)
    });
    all.filter(|call| call.contains('#') && !call.starts_with('?')).map(str::to_owned).collect()
}

/// The mutants that agents should kill with an operation, one a line.
fn survivors(analysis: &Analysis, op_id: &OpId) -> Vec<String> {
    let own = analysis.targets.survivors.iter().filter(|target| target.operations.contains(op_id));
    let line = |target: &Survivor| {
        let outcome = if target.outcome == Unnoticed::NotCovered { "never run" } else { "run, not noticed" };
        format!("{}:{} `{}`: {} ({outcome})", target.file, target.line, target.code, target.what)
    };
    own.map(line).take(SURVIVORS).collect()
}

/// The branches that agents should cover with an operation, one a line.
fn untaken(analysis: &Analysis, op_id: &OpId) -> Vec<String> {
    let own = analysis.targets.branches.iter().filter(|target| target.operations.contains(op_id));
    let line = |target: &Untaken| {
        let Untaken { file, line, code, taken, branches, .. } = target;
        format!("{file}:{line} `{code}`: tests take {taken} of {branches} branches")
    };
    own.map(line).take(SURVIVORS).collect()
}

/// The document's part on an operation, with everything that it references.
fn document(analysis: &Analysis, op_id: &OpId) -> Option<serde_json::Value> {
    let document = analysis.surface.document.as_ref()?;
    let operation = document.operation(op_id.as_str())?;
    let mut part = serde_json::from_slice(&operation_part(document, operation)).ok()?;
    strip(&mut part);
    Some(part)
}

/// Removes what says nothing of parameters and answers: names for documentation, examples, extensions.
fn strip(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(members) => {
            let says = |name: &str| {
                !matches!(name, "tags" | "operationId" | "summary" | "example" | "examples") && !name.starts_with("x-")
            };
            // A schema's property may have any name.
            members.retain(|name, value| says(name) || value.get("type").is_some() || value.get("$ref").is_some());
            members.values_mut().for_each(strip);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

/// Whether an operation reads or writes, by its method and by its known oracles.
fn effect(op_id: &OpId, known: &[Oracle]) -> Effect {
    let reads = matches!(op_id.method(), Method::Get | Method::Head | Method::Options);
    let writes = known.iter().any(|oracle| oracle.effect == Effect::Writes);
    if reads && !writes { Effect::Reads } else { Effect::Writes }
}

/// Runs the agents. An interrupt ends all calls; replies that have arrived are kept.
///
/// # Errors
/// Where no thread can be started.
pub fn agents_work(
    workspace: &Workspace,
    analysis: &Analysis,
    prepared: &Prepared,
    models: &Models,
    store: &OutputStore,
    (engine, switches): (EngineName, Switches),
) -> Result<Finished, Failure> {
    let shared = shared(analysis);
    let normalise = |op_id: &OpId, candidates: Vec<Candidate>| {
        let brief = prepared.briefs.iter().find(|brief| brief.op_id == *op_id);
        let derived = brief.and_then(|brief| brief.derived.as_ref());
        let judged = |oracles: &[Oracle]| match (derived, subject(analysis, &shared, op_id)) {
            (Some(_), Some(subject)) => derive::judge_all(&subject, oracles),
            _ => Vec::new(),
        };
        kept(analysis, derived, candidates, &judged)
    };
    let desk = Desk {
        briefs: &prepared.briefs,
        others: &prepared.others,
        sequences: &prepared.sequences,
        models,
        store,
        switches,
        normalise: &normalise,
    };
    let events = &workspace.events;
    events.started("asking the model", None);
    let told = |what: &str| events.advanced(what.to_owned());
    let finished = until_interrupted(models, async {
        match engine {
            EngineName::Direct => agents::direct::run(&desk, &told).await,
            _ => agents::run(&desk, &told).await,
        }
    })?;
    let calls: u64 = models.ledger().iter().map(|spent| spent.usage.calls).sum();
    events.finished(format!(
        "{calls} calls, {} associations, {} operations failed",
        finished.groups,
        finished.failed.len()
    ));
    Ok(finished)
}

/// Runs work that asks models; an interrupt ends all calls, and replies that have arrived are kept.
///
/// # Errors
/// Where no thread can be started.
pub fn until_interrupted<T>(models: &Models, working: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|e| Failure::new(Exit::Internal, e.to_string()))?;
    Ok(runtime.block_on(async {
        let mut interrupt = Interrupt::listen();
        tokio::pin!(working);
        tokio::select! {
            finished = &mut working => finished,
            () = interrupt.wait() => {
                models.cancel();
                working.await
            }
        }
    }))
}

/// What normalisation keeps of candidates. Of those that send the request of a derived oracle, what goes beyond it is kept
/// as a second reading; those that contradict what is derived are contested.
fn kept(
    analysis: &Analysis,
    derived: Option<&Derived>,
    candidates: Vec<Candidate>,
    judge: &dyn Fn(&[Oracle]) -> Vec<Judgement>,
) -> Kept {
    let mut out = Kept::default();
    let known: BTreeMap<&str, &Oracle> =
        derived.into_iter().flat_map(|derived| &derived.oracles).map(|oracle| (oracle.o_id.as_str(), oracle)).collect();
    let mut open = Vec::new();
    for candidate in candidates {
        let Some(other) = known.get(candidate.oracle.o_id.as_str()) else {
            open.push(candidate);
            continue;
        };
        let test_id = candidate.oracle.test_id.clone();
        match second_reading(other, candidate) {
            Some((reading, is_contested)) => {
                out.contested.extend(is_contested.then(|| reading.oracle.o_id.clone()));
                open.push(reading);
            }
            None => out.dropped.push((test_id, KNOWN.to_owned())),
        }
    }
    let normalised = normalise(open, &|symbol| analysis.resolve(symbol));
    out.dropped.extend(normalised.dropped.iter().map(|drop| (drop.test_id.clone(), drop.reason.clone())));
    let judgements = judge(&normalised.oracles);
    for (n, oracle) in normalised.oracles.into_iter().enumerate() {
        let citations: Vec<Evidence> =
            oracle.evidence.iter().filter_map(|id| normalised.evidence.get(id)).cloned().collect();
        let mut candidate = Candidate { oracle, citations };
        if matches!(judgements.get(n), Some(Judgement::Broken { .. }))
            && out.contested.insert(candidate.oracle.o_id.clone())
        {
            assume_reading(&mut candidate, true);
        }
        out.candidates.push(candidate);
    }
    out
}

/// The record of an operation, transferred to another operation with the same entry method and the same parameters.
pub fn as_of(mut record: Record, leader: &OpId, op_id: &OpId) -> Record {
    if leader == op_id {
        return record;
    }
    if let Some(context) = &mut record.context {
        context.op_id = op_id.clone();
    }
    for candidate in &mut record.candidates {
        let oracle = &mut candidate.oracle;
        oracle.op_id = op_id.clone();
        let was = oracle.o_id.clone();
        let plain = |op_id: &OpId, oracle: &Oracle| {
            Oracle::identity_given(op_id, &oracle.as_user, &oracle.input, &oracle.given)
        };
        let is_reading = was == Oracle::second_reading(&plain(leader, oracle));
        let own = plain(op_id, oracle);
        oracle.o_id = if is_reading { Oracle::second_reading(&own) } else { own };
        if record.contested.remove(&was) {
            record.contested.insert(oracle.o_id.clone());
        }
    }
    record
}

/// Joins what rules and agents made of an operation. Derived oracles stay as they are; the context is the agents' one, if there is one.
pub fn joined(analysis: &Analysis, op_id: &OpId, rules: Option<Made>, record: &Record, engine: EngineName) -> Made {
    let mut made = rules.unwrap_or_else(|| Made {
        op_id: op_id.clone(),
        suite: OperationSuite::new(empty(analysis, op_id), Vec::new()),
        normalised: Default::default(),
        open: Vec::new(),
        probes: Vec::new(),
        sequences: Vec::new(),
        trials: Vec::new(),
        notes: Vec::new(),
        took: Duration::ZERO,
    });
    if let Some(context) = &record.context {
        let evidence = std::mem::take(&mut made.suite.context.evidence);
        made.suite.context = context.clone();
        made.suite.context.matched_by = analysis.endpoint(op_id).and_then(Endpoint::matched_by);
        if engine == EngineName::Hybrid {
            // The record may be of another operation: the context keeps the name of this one.
            made.suite.context.op_id = op_id.clone();
        }
        made.suite.context.evidence.extend(evidence);
    }
    let ids: BTreeSet<String> = made.suite.oracles.iter().map(|oracle| oracle.o_id.clone()).collect();
    let mut names: BTreeSet<String> = made.suite.oracles.iter().map(|oracle| oracle.test_id.clone()).collect();
    for candidate in record.candidates.iter().filter(|candidate| !ids.contains(&candidate.oracle.o_id)) {
        let mut oracle = candidate.oracle.clone();
        if !names.insert(oracle.test_id.clone()) {
            oracle.test_id = format!("{}_{}", oracle.test_id, oracle.o_id.get(..4).unwrap_or_default());
            names.insert(oracle.test_id.clone());
        }
        made.suite.context.evidence.extend(candidate.citations.iter().map(|cited| (cited.id(), cited.clone())));
        made.suite.oracles.push(oracle);
    }
    made.suite.oracles.sort_by(|a, b| (&a.test_id, &a.o_id).cmp(&(&b.test_id, &b.o_id)));
    made
}

fn empty(analysis: &Analysis, op_id: &OpId) -> SourceContext {
    SourceContext {
        op_id: op_id.clone(),
        entry: analysis.find(op_id).and_then(|operation| operation.entry.clone()),
        matched_by: None,
        request_params: Vec::new(),
        response_schema: Default::default(),
        request_params_pending: Vec::new(),
        response_schema_pending: Vec::new(),
        evidence: Default::default(),
    }
}
