//! Engines: chooses the engine of a run, and joins what rules and agents make of the same operations.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::pipeline::generate::briefs::{Prepared, agents_work, prepare};
use crate::pipeline::generate::made::{Made, make_all};
use crate::pipeline::generate::readings;
use crate::pipeline::repository::workspace::{Workspace, failure_of_model};
use mastor_agents::roles::oas_matching;
use mastor_agents::{self as agents, Switches};
use mastor_config::Settings;
use mastor_extract::Analysis;
use mastor_llm::{AskError, Limits, Models, ModelsOptions, Redactor, Spent};
use mastor_suite::{CACHE_DIR, OUT_DIR, Suite};
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::model::{EngineName, ModelsSettings, Usage};
use mastor_types::results::agents::{AgentsRan, FailedOperation, Replies};
use mastor_types::results::report::Dropped;
use mastor_types::suite::assumption::Opinion;
use mastor_types::suite::oracle::Engine;
use mastor_types::suite::sequence::Sequence;

/// How oracles are made.
#[derive(Debug, Clone, Default)]
pub struct EngineOptions {
    /// The engine that the user named.
    pub engine: Option<EngineName>,
    /// Limit on the cost of models, in USD.
    pub max_usd: Option<f64>,
    /// Limit on the tokens of models.
    pub max_tokens: Option<u64>,
    /// Switches of the paper's study.
    pub switches: Switches,
    /// Models that replace those of the settings.
    pub models: Option<ModelsSettings>,
    /// Folder in which every exchange with a model is recorded.
    pub record: Option<PathBuf>,
    /// Folder from which recorded replies are read, instead of asking a model.
    pub replay: Option<PathBuf>,
    /// Whether the run fails if the rules engine had to take over.
    pub strict: bool,
}

impl EngineOptions {
    /// Rules alone, whatever is configured.
    pub fn rules() -> Self {
        Self { engine: Some(EngineName::Rules), ..Self::default() }
    }
}

/// What engines made of operations.
#[derive(Default)]
pub struct MadeBy {
    /// One entry for each operation that was asked for, in order; `None` if there is nothing to work on.
    pub made: Vec<Option<Made>>,
    /// Sequences of rules and agents.
    pub sequences: Vec<Sequence>,
    /// What the agents did; `None` if rules worked alone.
    pub agents: Option<AgentsRan>,
    /// The exit that models call for, if it counts.
    pub exit: Option<Exit>,
    /// Sentences for the user.
    pub notes: Vec<String>,
    /// Ids of agents' oracles that contradict what is derived. `readings::settle` drops those that neither the service nor a
    /// slice confirmed.
    pub contested: BTreeSet<String>,
}

impl MadeBy {
    /// The result of the rules engine alone.
    pub fn rules(mut made: Vec<Option<Made>>) -> Self {
        let sequences = of_rules(&mut made);
        Self { made, sequences, ..Self::default() }
    }
}

/// The engine in force, and a sentence if it is not the one that the settings ask for.
///
/// # Errors
/// Exit 2 where an engine needs a model and none is configured, exit 8 where `direct` has no key for its model.
pub fn choose(settings: &Settings, options: &EngineOptions) -> Result<(EngineName, Option<String>), Failure> {
    let asked = options.engine.or(settings.engine);
    let Some(models) = options.models.as_ref().or(settings.models.as_ref()) else {
        return match asked {
            None | Some(EngineName::Rules) => Ok((EngineName::Rules, None)),
            Some(name) => Err(Failure::new(Exit::Usage, format!("--engine {} needs a model", name.as_str()))
                .hint("name one in mastor.toml: [model.primary] with base-url and model")),
        };
    };
    let name = asked.unwrap_or(EngineName::Hybrid);
    let missing = models.primary.key_env.as_ref().filter(|name| mastor_env::var(name).is_none());
    match missing.filter(|_| options.replay.is_none() && name != EngineName::Rules) {
        None => Ok((name, None)),
        Some(key) if name == EngineName::Direct => {
            Err(Failure::new(Exit::ModelUnavailable, format!("the model's key is not there: {key} is not set"))
                .hint("nothing takes over from `--engine direct`"))
        }
        Some(key) => {
            let why = format!("the rules engine works alone: {key}, which holds the model's key, is not set");
            Ok((EngineName::Rules, Some(why)))
        }
    }
}

/// The engine in force for one service, with its models, which are created on first use: all calls of a run count
/// against one budget.
pub struct Asking<'a> {
    /// The repository.
    pub workspace: &'a Workspace,
    /// The service.
    pub settings: &'a Settings,
    /// How oracles are made.
    pub options: &'a EngineOptions,
    /// The engine in force.
    pub engine: EngineName,
    /// A sentence if it is not the engine that the settings ask for.
    note: Option<String>,
    models: OnceLock<Models>,
    /// What a model said about operations without an entry, if it was asked.
    pub searched: Option<oas_matching::Found>,
}

impl<'a> Asking<'a> {
    /// Chooses the engine; models are not created yet.
    ///
    /// # Errors
    /// As for [`choose`].
    pub fn new(workspace: &'a Workspace, settings: &'a Settings, options: &'a EngineOptions) -> Result<Self, Failure> {
        let (engine, note) = choose(settings, options)?;
        Ok(Self { workspace, settings, options, engine, note, models: OnceLock::new(), searched: None })
    }

    /// Whether a model may be asked which method implements an operation; `direct`, the paper's baseline, uses only
    /// what rules found.
    pub fn asks_for_entries(&self) -> bool {
        matches!(self.engine, EngineName::Agents | EngineName::Hybrid)
    }

    /// The models in force.
    ///
    /// # Errors
    /// As for [`models`].
    pub fn models(&self) -> Result<&Models, Failure> {
        if let Some(models) = self.models.get() {
            return Ok(models);
        }
        let models = models(self.workspace, self.settings, self.options)?;
        Ok(self.models.get_or_init(|| models))
    }
}

/// Makes oracles and sequences of operations with the engine in force.
///
/// # Errors
/// Settings that cannot be used, and failures of asking.
pub fn make_by(
    asking: &Asking<'_>,
    analysis: &Analysis,
    (committed, op_ids): (&Suite, &[OpId]),
    done: &(dyn Fn(&OpId) + Sync),
) -> Result<MadeBy, Failure> {
    let Asking { workspace, settings, options, engine, note, .. } = asking;
    let engine = *engine;
    let mut out = MadeBy { notes: note.iter().cloned().collect(), ..MadeBy::default() };
    if note.is_some() && options.strict && !op_ids.is_empty() {
        out.exit = Some(Exit::ModelUnavailable);
    }
    let by_rules = matches!(engine, EngineName::Rules | EngineName::Hybrid);
    let nobody: &(dyn Fn(&OpId) + Sync) = &|_| {};
    out.made = match by_rules {
        true => make_all(analysis, op_ids, if engine == EngineName::Rules { done } else { nobody }),
        false => op_ids.iter().map(|_| None).collect(),
    };
    out.sequences = of_rules(&mut out.made);
    if engine == EngineName::Rules || (op_ids.is_empty() && asking.searched.is_none()) {
        return Ok(out);
    }
    let models = asking.models()?;
    out.notes.extend(models.notices());
    let mut prepared = prepare(workspace, settings, analysis, (committed, op_ids), &out.made, engine)?;
    prepared.sequences.clone_from(&out.sequences);
    let store = agents::OutputStore::new(Some(&workspace.service_dir(settings).join(OUT_DIR).join("blackboard")));
    crate::pipeline::repository::workspace::out_folder(&workspace.service_dir(settings).join(OUT_DIR))?;
    let finished = agents_work(workspace, analysis, &prepared, models, &store, (engine, options.switches))?;
    if matches!(finished.ended, Some(AskError::Cancelled)) {
        return Err(interrupted());
    }
    let spent = models.ledger();
    let mut ran = ran(engine, &finished, &spent, &prepared);
    if let Some(searched) = &asking.searched {
        add_search(&mut ran, searched);
    }
    join(analysis, (&prepared, &store, asking.searched.as_ref()), &mut out, &mut ran, op_ids, engine);
    take_over(analysis, op_ids, (&finished, engine), &mut out, &mut ran);
    out.sequences.extend(of_rules(&mut out.made));
    let of_agents = store.all().into_iter().flat_map(|record| record.sequences);
    out.sequences.extend(of_agents);
    out.sequences.sort_by(|a, b| a.s_id.cmp(&b.s_id));
    out.sequences.dedup_by(|a, b| a.s_id == b.s_id);
    ran.sequences = out.sequences.iter().filter(|sequence| sequence.origin.engine == Engine::Agents).count();
    let counts = options.strict || engine == EngineName::Direct;
    out.exit = finished.ended.as_ref().filter(|_| counts).map(|error| match error {
        AskError::Budget(_) => Exit::BudgetSpent,
        _ => Exit::ModelUnavailable,
    });
    out.agents = Some(ran);
    Ok(out)
}

/// Adds the results of the search for missing entries.
fn add_search(ran: &mut AgentsRan, searched: &oas_matching::Found) {
    ran.matched.clone_from(&searched.entries);
    ran.troubles.extend(searched.trouble.as_ref().map(|trouble| format!("{}: {trouble}", oas_matching::NAME)));
    ran.withheld.extend(searched.withheld.iter().cloned());
    ran.withheld.sort();
    ran.withheld.dedup();
}

/// The failure of a run that was stopped while models were asked.
pub fn interrupted() -> Failure {
    Failure::new(Exit::Interrupted, "interrupted; replies that had arrived are kept")
        .hint("the same command goes on where it was")
}

/// Takes the sequences that rules made.
fn of_rules(made: &mut [Option<Made>]) -> Vec<Sequence> {
    made.iter_mut().flatten().flat_map(|made| std::mem::take(&mut made.sequences)).collect()
}

/// The models in force.
///
/// # Errors
/// Exit 2 for settings or patterns that cannot be used, exit 8 without a key.
pub fn models(workspace: &Workspace, settings: &Settings, options: &EngineOptions) -> Result<Models, Failure> {
    let Some(named) = options.models.clone().or_else(|| settings.models.clone()) else {
        return Err(
            Failure::new(Exit::Usage, "no model is configured").hint("[model.primary] in mastor.toml names one")
        );
    };
    let redactor = Redactor::new(&settings.redact.patterns, &[])
        .map_err(|error| Failure::new(Exit::Usage, format!("redact.patterns: {error}")))?;
    let limits = Limits {
        max_usd: options.max_usd.or(settings.max_usd),
        max_tokens: options.max_tokens.or(settings.max_tokens),
    };
    let options = ModelsOptions {
        cache: workspace.root.join(CACHE_DIR),
        record: options.record.clone(),
        replay: options.replay.clone(),
        limits,
        ..ModelsOptions::default()
    };
    Models::new(named.primary, named.challenger, options, redactor).map_err(failure_of_model)
}

/// What the agents did, as far as the models' ledger and the agents' results tell.
fn ran(engine: EngineName, finished: &agents::Finished, spent: &[Spent], prepared: &Prepared) -> AgentsRan {
    let mut replies = Replies { at_once: 0, repaired: 0, re_asked: 0, failed: 0 };
    let (mut by_agent, mut by_subject): (BTreeMap<String, Usage>, BTreeMap<String, Usage>) = Default::default();
    for one in spent {
        replies.at_once += one.at_once;
        replies.repaired += one.repaired;
        replies.re_asked += one.re_asked;
        replies.failed += one.failed;
        for (map, key) in [(&mut by_agent, &one.agent), (&mut by_subject, &one.subject)] {
            let entry = map.entry(key.clone()).or_default();
            *entry = entry.and(one.usage);
        }
    }
    let withheld: BTreeSet<String> =
        prepared.briefs.iter().flat_map(|brief| brief.bundle.withheld.iter().cloned()).collect();
    AgentsRan {
        engine: engine.as_str().to_owned(),
        matched: Vec::new(),
        oracles: 0,
        confirmed: 0,
        sequences: 0,
        associations: finished.groups,
        contradicted: 0,
        overruled: 0,
        filled: 0,
        dropped: Vec::new(),
        hints: 0,
        failed: Vec::new(),
        troubles: finished.troubles.clone(),
        ended: finished.ended.as_ref().map(ToString::to_string),
        replies,
        compressed: finished.compressed,
        by_agent,
        by_subject,
        withheld: withheld.into_iter().collect(),
    }
}

/// Joins what the agents left in the output store with what the rules made.
fn join(
    analysis: &Analysis,
    (prepared, store, searched): (&Prepared, &agents::OutputStore, Option<&oas_matching::Found>),
    out: &mut MadeBy,
    ran: &mut AgentsRan,
    op_ids: &[OpId],
    engine: EngineName,
) {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for record in store.all() {
        ran.hints += record.hints.len();
        for (_, why) in &record.dropped {
            match why.as_str() {
                crate::pipeline::generate::briefs::CONTRADICTS => ran.contradicted += 1,
                _ => *reasons.entry(why.clone()).or_default() += 1,
            }
        }
    }
    for (_, why) in searched.iter().flat_map(|searched| &searched.dropped) {
        *reasons.entry((*why).to_owned()).or_default() += 1;
    }
    ran.dropped = reasons.into_iter().map(|(reason, count)| Dropped { reason, count }).collect();
    ran.dropped.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
    for (op_id, slot) in op_ids.iter().zip(&mut out.made) {
        let leader = prepared.leaders.get(op_id).unwrap_or(op_id);
        let Some(record) = store.of(leader).filter(|record| record.failed.is_none()) else { continue };
        let record = crate::pipeline::generate::briefs::as_of(record, leader, op_id);
        let made = crate::pipeline::generate::briefs::joined(analysis, op_id, slot.take(), &record, engine);
        ran.contradicted += record.contested.len();
        ran.oracles += readings::of_agents(&made.suite, &record.contested);
        out.contested.extend(record.contested.iter().cloned());
        *slot = Some(made);
    }
    let opinions: BTreeMap<String, Opinion> = store.all().into_iter().flat_map(|record| record.opinions).collect();
    let oracles = out.made.iter_mut().flatten().flat_map(|made| &mut made.suite.oracles);
    for assumed in oracles.flat_map(|oracle| &mut oracle.assumes) {
        assumed.opinion = opinions.get(&assumed.id).cloned().or(assumed.opinion.take());
    }
}

/// If models became unavailable or exceeded the budget, the rules engine takes over what the agents engine has left. Lists all operations that failed, for
/// whatever reason.
fn take_over(
    analysis: &Analysis,
    op_ids: &[OpId],
    (finished, engine): (&agents::Finished, EngineName),
    out: &mut MadeBy,
    ran: &mut AgentsRan,
) {
    let left: Vec<OpId> = match finished.ended.is_some() && engine == EngineName::Agents {
        true => {
            op_ids.iter().zip(&out.made).filter(|(_, made)| made.is_none()).map(|(op_id, _)| op_id.clone()).collect()
        }
        false => Vec::new(),
    };
    let made = make_all(analysis, &left, &|_| {});
    for (op_id, one) in left.iter().zip(made) {
        if let Some(place) = op_ids.iter().position(|other| other == op_id)
            && let Some(slot) = out.made.get_mut(place)
        {
            *slot = one;
        }
    }
    for (op_id, why) in &finished.failed {
        let by_rules = engine == EngineName::Hybrid || left.contains(op_id);
        ran.failed.push(FailedOperation { op_id: op_id.clone(), why: why.clone(), by_rules });
    }
    if let Some(ended) = &finished.ended {
        let named: Vec<&str> = finished.failed.keys().map(OpId::as_str).collect();
        let by = if engine == EngineName::Direct { "left undone" } else { "left to the rules engine" };
        out.notes.push(format!("{ended}: {} operations are {by}: {}", named.len(), named.join(", ")));
    }
}
