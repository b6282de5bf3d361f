//! `generate`: makes oracles of the chosen operations, joins them with the committed suite, confirms them and writes
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::pipeline::accept::proposals::{head_id, retirement, write_proposals};
use crate::pipeline::confirm::claims::{Claimed, Claims, is_claim, is_claimed};
use crate::pipeline::confirm::discovery::{Patterns, discover, leads};
use crate::pipeline::confirm::fresh_state::note_fresh_state;
use crate::pipeline::confirm::settle::{confirm, take_into, take_sequences, trouble, write_refuted};
use crate::pipeline::files::export::write_all;
use crate::pipeline::generate::candidates::{doubtful, may_regress, note_origins};
use crate::pipeline::generate::dry_run::dry_run;
use crate::pipeline::generate::engines::{Asking, EngineOptions, MadeBy, make_by};
use crate::pipeline::generate::made::make_all;
use crate::pipeline::generate::named::{has_vanished, is_unmatched, match_by_model};
use crate::pipeline::generate::readings;
use crate::pipeline::repository::comparison::{Comparison, analyse, compare, find_operation};
use crate::pipeline::repository::stale::stale;
use crate::pipeline::repository::workspace::{BaseRevision, Head, Workspace, failure, nothing_found, unwritable};
use crate::pipeline::service::live::{Live, LiveOptions, Side};
use crate::pipeline::slices::searches::Seeded;
use crate::pipeline::slices::{beside, found};
use mastor_config::{ExportKind, Settings};
use mastor_extract::Analysis;
use mastor_suite::candidates::{note_origin, without_refuted};
use mastor_suite::follow::{merged, synchronised};
use mastor_suite::load::{OperationSuite, Suite};
use mastor_suite::proposal::Proposal;
use mastor_suite::regenerate::{Regenerated, regenerate};
use mastor_suite::save;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::manifest::Manifest;
use mastor_types::model::Usage;
use mastor_types::results::agents::AgentsRan;
use mastor_types::results::plan::State;
use mastor_types::results::report::{Confirming, Generated, GeneratedOperation, Totals, strategies};
use mastor_types::results::strength::Targets;
use mastor_types::suite::input::Input;
use mastor_types::suite::oracle::{Candidate, Certainty, Confirmed, Engine, Oracle, counted};
use mastor_types::suite::sequence::Sequence;

/// Further requests of one operation that are tried for answers of another shape, at most.
const TRIALS: usize = 40;

/// Which operations to generate.
#[derive(Debug, Clone, Default)]
pub struct GenerateOptions {
    /// Every operation.
    pub all: bool,
    /// These operations.
    pub ops: Vec<String>,
    /// By service, mutants that further oracles should kill: the operations that reach them are chosen.
    pub targets: BTreeMap<String, Targets>,
    /// Write nothing.
    pub dry_run: bool,
    /// How oracles are confirmed on the configured service; `None` to send no request.
    pub live: Option<LiveOptions>,
    /// Whether this command runs slices, if the settings allow it.
    pub slices: bool,
    /// Which engine makes the oracles, and how.
    pub engine: EngineOptions,
}

/// What `generate` did to one service.
#[derive(Debug)]
pub struct ServiceGenerated {
    /// Name of the service.
    pub name: String,
    /// Counts by operation and in total.
    pub generated: Generated,
    /// Operations that were chosen.
    pub chosen: Vec<OpId>,
    /// Files written or removed, from the repository's root, sorted.
    pub written: Vec<String>,
    /// Changed expectations and retirements that wait for `accept`.
    pub proposals: Vec<Proposal>,
    /// Bytes of the suite files to be written.
    pub bytes: usize,
    /// Sentences for the user.
    pub notes: Vec<String>,
    /// Results of the candidates on the service; `None` if nothing was run.
    pub confirm: Option<Confirming>,
    /// Why confirmation did not finish, if it did not.
    pub unfinished: Option<String>,
    /// The exit that models or the service call for, if it counts.
    pub exit: Option<Exit>,
    /// The prompts of a dry run, by file name.
    pub prompts: Vec<(String, String)>,
}

/// One service, generated but not written.
struct Prepared<'s> {
    settings: &'s Settings,
    analysis: Arc<Analysis>,
    committed: Suite,
    service: ServiceGenerated,
    work: Vec<Work>,
}

/// Generates for every service of `head`. With `base`, the operations that the change since then affects are chosen.
/// Before anything is written, `tell` gets the largest possible number of suite files and their bytes.
///
/// # Errors
/// Exit 2 for an unknown operation, or a suite that cannot be read; exit 3 where there is no operation; exit 70 where
/// writing fails.
pub fn generate(
    workspace: &Workspace,
    head: &Head,
    base: Option<&BaseRevision>,
    options: &GenerateOptions,
    tell: &dyn Fn(usize, usize),
) -> Result<Vec<ServiceGenerated>, Failure> {
    let services = workspace.services(&head.tree)?;
    let mut prepared = Vec::new();
    for settings in &services {
        if !options.targets.is_empty() && !options.targets.contains_key(&settings.name) {
            continue;
        }
        let (analysis, comparison) = match base {
            Some(base) => {
                let comparison = compare(workspace, settings, base, head)?;
                (comparison.head.clone(), Some(comparison))
            }
            None => (Arc::new(analyse(workspace, settings, &head.tree)?), None),
        };
        prepared.push(prepare(workspace, head, settings, analysis, comparison.as_ref(), options)?);
    }
    if !options.dry_run {
        let files = prepared.iter().map(|one| one.service.chosen.len() * 2).sum();
        tell(files, prepared.iter().map(|one| one.service.bytes).sum());
    }
    let finish = |one: Prepared<'_>| if options.dry_run { Ok(one.service) } else { write(workspace, one) };
    let out = prepared.into_iter().map(finish).collect::<Result<Vec<_>, Failure>>()?;
    if !options.ops.is_empty() && out.iter().all(|service| service.chosen.is_empty()) {
        return Err(Failure::new(Exit::Usage, format!("no operation is named {}", options.ops.join(", ")))
            .hint("`mastor operations` lists them"));
    }
    Ok(out)
}

fn prepare<'s>(
    workspace: &Workspace,
    head: &Head,
    settings: &'s Settings,
    analysis: Arc<Analysis>,
    comparison: Option<&Comparison>,
    options: &GenerateOptions,
) -> Result<Prepared<'s>, Failure> {
    let tree = workspace.repo.work_tree().map_err(failure)?;
    let committed = Suite::load(&tree, &settings.dir);
    if let Some(problem) = committed.problems.first() {
        return Err(Failure::new(Exit::Usage, problem.to_string()).hint(
            "restore it with `git checkout`, or remove the file and run `mastor generate`; nothing was written",
        ));
    }
    let mut asking = Asking::new(workspace, settings, &options.engine)?;
    let unmatched = unmatched(&analysis, comparison, &committed, options);
    let named = match options.dry_run {
        true => None,
        false => match_by_model(&mut asking, &analysis, &head.tree, &unmatched)?,
    };
    let mut analysis = named.map_or(analysis, Arc::new);
    let targets = options.targets.get(&settings.name);
    if let (Some(targets), Some(analysis)) = (targets, Arc::get_mut(&mut analysis)) {
        let is_observed = settings.service.is_some() && options.live.is_some_and(|live| live.observe);
        analysis.targets = Targets { is_observed, ..targets.clone() };
    }
    let chosen = match targets {
        Some(targets) => reaching(&analysis, targets),
        None => choose(&analysis, comparison, &committed, options)?,
    };
    let (retired, chosen): (Vec<OpId>, Vec<OpId>) =
        chosen.into_iter().partition(|op_id| analysis.find(op_id).is_none());
    let mut service = ServiceGenerated {
        name: settings.name.clone(),
        generated: Generated::default(),
        chosen: chosen.clone(),
        written: Vec::new(),
        proposals: retired.iter().flat_map(|op_id| retirement(&committed, op_id, "the operation is gone")).collect(),
        bytes: 0,
        notes: Vec::new(),
        confirm: None,
        unfinished: None,
        exit: None,
        prompts: Vec::new(),
    };
    workspace.events.started("generating", Some(chosen.len() as u64));
    let done = |op_id: &OpId| workspace.events.advanced(op_id.to_string());
    let made = match options.dry_run {
        true => MadeBy::rules(make_all(&analysis, &chosen, &done)),
        false => make_by(&asking, &analysis, (&committed, &chosen), &done)?,
    };
    let MadeBy { made: all, sequences, agents, exit, notes, contested } = made;
    (service.exit, service.notes) = (exit, notes);
    if options.dry_run
        && let Some(dry) = dry_run(&asking, &analysis, (&committed, &chosen), &all, &unmatched)?
    {
        (service.generated.planned, service.prompts) = (Some(dry.calls), dry.prompts);
    }
    service.generated.usage = agents.as_ref().map_or(Usage { usd: Some(0.0), ..Usage::default() }, AgentsRan::usage);
    service.generated.agents = agents;
    let mut work: Vec<Work> = Vec::new();
    for made in all.into_iter().flatten() {
        let old = committed.operations.get(&made.op_id);
        let dropped = made.normalised.reasons();
        let fingerprint = analysis.manifest(&made.op_id).map(Manifest::fingerprint);
        let is_asked = options.live.is_some() && !options.dry_run && settings.service.is_some();
        let fresh = without_refuted(made.suite.oracles, old, fingerprint, is_asked);
        let mut joined = regenerate(old, made.suite.context, fresh, &|symbol| analysis.resolve(symbol));
        fingerprint.into_iter().for_each(|fingerprint| note_origin(&mut joined.suite, old, fingerprint));
        service.proposals.extend(joined.proposals.iter().cloned());
        work.push(Work {
            op_id: made.op_id,
            joined,
            sequences: Vec::new(),
            dropped,
            probes: made.probes,
            trials: made.trials,
            notes: made.notes,
            chosen: true,
        });
    }
    let mut sequences = sequences;
    note_origins(&analysis, &mut sequences);
    give(&mut work, sequences, &committed);
    if let Some(how) = options.live.filter(|_| !options.dry_run) {
        confirm_work(workspace, (head, &analysis), settings, &committed, how, &mut work, &mut service)?;
    }
    let has_service = options.live.is_none() || settings.service.is_some() && service.exit != Some(Exit::NotReady);
    if options.slices && !options.dry_run && settings.slices.runs(has_service) {
        slice_work(workspace, (head, &analysis), settings, &mut work, &mut service)?;
    }
    if let Some(ran) = &mut service.generated.agents {
        work.iter_mut().for_each(|one| readings::settle(&mut one.joined.suite, &contested, ran));
    }
    for one in &mut work {
        let known = match options.live.filter(|_| !options.dry_run && settings.service.is_some()) {
            // `confirm_work` has added the committed sequences already.
            Some(_) => &[],
            None => committed.sequences.get(&one.op_id).map(Vec::as_slice).unwrap_or_default(),
        };
        one.sequences = synchronised(merged(known, std::mem::take(&mut one.sequences)), &one.joined.suite);
        service.bytes += save::suite_bytes(&one.joined.suite).len();
        service.bytes += save::sequence_bytes(&one.sequences).map_or(0, |bytes| bytes.len());
        if one.chosen {
            count(&mut service, one);
        }
    }
    workspace.events.finished(generated_line(&service));
    Ok(Prepared { settings, analysis, committed, service, work })
}

/// Adds each sequence to the operation of its first step; a sequence of an operation without a suite is dropped.
fn give(work: &mut Vec<Work>, sequences: Vec<Sequence>, committed: &Suite) {
    for sequence in sequences {
        let Some(first) = sequence.steps.first().map(|step| step.op_id.clone()) else { continue };
        if work.iter().all(|one| one.op_id != first) {
            let Some(suite) = committed.operations.get(&first) else { continue };
            work.push(Work::committed(&first, suite));
        }
        if let Some(one) = work.iter_mut().find(|one| one.op_id == first) {
            one.sequences.push(sequence);
        }
    }
}

/// One operation that is being added to the suite.
struct Work {
    op_id: OpId,
    joined: Regenerated,
    /// Its sequences: at first only the new ones, later all.
    sequences: Vec<Sequence>,
    dropped: Vec<mastor_types::results::report::Dropped>,
    probes: Vec<Candidate>,
    trials: Vec<Input>,
    notes: Vec<String>,
    /// Whether it was regenerated, and not only confirmed.
    chosen: bool,
}

impl Work {
    /// An operation that is not regenerated.
    fn committed(op_id: &OpId, suite: &OperationSuite) -> Self {
        let joined = Regenerated { suite: suite.clone(), proposals: Vec::new(), added: 0, unsupported: Vec::new() };
        let (sequences, dropped, probes, trials, notes) = Default::default();
        Self { op_id: op_id.clone(), joined, sequences, dropped, probes, trials, notes, chosen: false }
    }
}

/// Confirms on the service everything that was never confirmed, in the chosen operations and in the rest of the suite.
fn confirm_work(
    workspace: &Workspace,
    (head, analysis): (&Head, &Analysis),
    settings: &Settings,
    committed: &Suite,
    how: LiveOptions,
    work: &mut Vec<Work>,
    service: &mut ServiceGenerated,
) -> Result<(), Failure> {
    let Some(live) = Live::of(workspace, &analysis.surface, settings, how)? else { return Ok(()) };
    let live = live.knowing(analysis);
    for (op_id, suite) in &committed.operations {
        let known = committed.sequences.get(op_id).map(Vec::as_slice).unwrap_or_default();
        let open = suite.oracles.iter().any(is_claim) || known.iter().any(is_claimed);
        if open && work.iter().all(|one| one.op_id != *op_id) {
            work.push(Work::committed(op_id, suite));
        }
    }
    for one in work.iter_mut() {
        let known = committed.sequences.get(&one.op_id).map(Vec::as_slice).unwrap_or_default();
        one.sequences = merged(known, std::mem::take(&mut one.sequences));
    }
    let user = live.user_names().into_iter().next();
    let readers = analysis.operations.iter().map(|operation| operation.op_id.clone());
    let mut claims = Claims { readers: readers.collect(), ..Claims::default() };
    let mut patterns = Patterns::default();
    // Whether a plain request is sent to an operation for which the engines made nothing.
    let mut is_unknown = false;
    for steps in work.iter().flat_map(|one| &one.sequences).map(|sequence| sequence.steps.as_slice()) {
        let pairs = steps.windows(2).filter_map(|pair| Some((pair.first()?, pair.last()?)));
        claims.chained.extend(pairs.map(|(one, next)| (one.op_id.clone(), next.op_id.clone())));
    }
    for one in work.iter() {
        patterns.of_suite(&one.joined.suite);
        one.probes.iter().for_each(|probe| patterns.add(probe.clone()));
        let trials = &one.trials[..one.trials.len().min(TRIALS)];
        patterns.further(&one.op_id, analysis.endpoint(&one.op_id), trials);
        is_unknown |= how.observe && one.chosen && patterns.plain(&one.joined.suite);
        claims.oracles.extend(one.joined.suite.oracles.iter().filter(|oracle| is_claim(oracle)).cloned());
        claims.sequences.extend(one.sequences.iter().filter(|sequence| is_claimed(sequence)).cloned());
        let known = &one.joined.suite.oracles;
        let mut probes = Claims::default();
        probes.probe(&one.probes, user.as_ref());
        // If an assumption does not hold, the actual answer is worth keeping.
        let is_new =
            |p: &Candidate| known.iter().all(|o| o.o_id != p.oracle.o_id || o.certainty() == Certainty::Assumed);
        claims.probes.extend(probes.probes.into_iter().filter(|p| is_new(p)));
        // Committed oracles are asked too: their answers show which shapes are known already.
        if how.observe && one.chosen {
            claims.asked.extend(known.iter().filter(|oracle| !is_claim(oracle) && !oracle.needs_stubs()).cloned());
        }
    }
    if claims.oracles.is_empty() && claims.sequences.is_empty() && claims.probes.is_empty() && !is_unknown {
        return Ok(());
    }
    let events = &workspace.events;
    let chosen: Vec<OpId> = work.iter().filter(|one| one.chosen).map(|one| one.op_id.clone()).collect();
    let (claimed, disturbed) = live.session(Side::Head(head), async |running| {
        if how.observe {
            let known = discover(&live, running, &patterns, |_, _| {}).await?;
            claims.leads(leads(&live, running.can_reset(), &known, &patterns, &chosen));
        }
        let mut claimed = confirm(&live, running, &claims, true, events).await?;
        let disturbed = note_fresh_state(&live, running, &mut claimed, committed).await?;
        Ok((claimed, disturbed))
    })?;
    let trouble = trouble(&claimed.passes);
    for one in work.iter_mut() {
        let before = counted(&one.joined.suite.oracles).0;
        let regresses = |made_from| may_regress(analysis, &one.op_id, made_from);
        let keeps = |oracle: &Oracle| regresses(oracle.confirmation.made_from);
        let left = take_into(&mut one.joined.suite, &one.op_id, &claimed, &keeps);
        let doubtful = doubtful(&one.joined.suite, &claimed, &one.joined.proposals);
        service.proposals.extend(doubtful.iter().cloned());
        one.notes.extend(doubtful.iter().map(|proposal| format!("{} is kept: {}", proposal.name(), proposal.reason)));
        one.joined.proposals.extend(doubtful);
        one.notes.extend(left);
        one.notes.extend(live.asks_others(&one.op_id).then(|| ASKS_OTHERS.to_owned()));
        let own = |sequence: &&Sequence| sequence.steps.first().is_some_and(|step| step.op_id == one.op_id);
        let keeps = |sequence: &Sequence| may_regress(analysis, &one.op_id, sequence.confirmation.made_from);
        let left = take_sequences(&mut one.sequences, &claimed, &keeps);
        one.notes.extend(left);
        one.sequences.extend(claimed.sequences.iter().filter(own).cloned());
        let after = counted(&one.joined.suite.oracles).0;
        one.joined.added = (one.joined.added + after).saturating_sub(before);
    }
    note_disturbed(work, committed, &disturbed);
    write_refuted(workspace, settings, (&claimed.refuted, &claimed.refuted_sequences))?;
    if let Some(agents) = &mut service.generated.agents {
        agents.confirmed = of_agents(&claimed);
    }
    if let Some(failure) = trouble {
        service.unfinished = Some(format!("not all was confirmed: {}", failure.message));
        service.exit = Some(Exit::worst(service.exit.into_iter().chain([failure.exit])));
    }
    service.confirm = Some(claimed.report);
    Ok(())
}

/// Runs oracles in slices that no service confirmed.
fn slice_work(
    workspace: &Workspace,
    (head, analysis): (&Head, &Analysis),
    settings: &Settings,
    work: &mut [Work],
    service: &mut ServiceGenerated,
) -> Result<(), Failure> {
    let open = |oracle: &&Oracle| oracle.confirmation.state == Confirmed::Unconfirmed;
    let oracles: Vec<&Oracle> = work.iter().flat_map(|one| &one.joined.suite.oracles).filter(open).collect();
    let seeded: Vec<Seeded> =
        work.iter().filter(|one| one.chosen).map(|one| Seeded::of(&one.joined.suite, &one.trials)).collect();
    let showed = beside::run_on_head(workspace, settings, (head, analysis), (&oracles, &seeded));
    let noted = (&mut service.notes, &mut service.exit);
    let Some(found) = beside::or_noted(showed, (workspace, settings.slices), noted)? else { return Ok(()) };
    for one in work.iter_mut() {
        let keeps = |oracle: &Oracle| may_regress(analysis, &one.op_id, oracle.confirmation.made_from);
        let left = beside::take_into(&mut one.joined.suite, &found, &keeps);
        one.joined.added = one.joined.added.saturating_sub(left.len());
        one.notes.extend(left);
        one.joined.added += found::add(&mut one.joined.suite, &found.found);
    }
    service.generated.slices = Some(found.summary);
    Ok(())
}

/// Marks committed oracles and sequences that need fresh state because new ones change what they see.
fn note_disturbed(work: &mut Vec<Work>, committed: &Suite, disturbed: &BTreeSet<String>) {
    for (op_id, suite) in &committed.operations {
        let known = committed.sequences.get(op_id).map(Vec::as_slice).unwrap_or_default();
        let touches = suite.oracles.iter().any(|oracle| disturbed.contains(&oracle.o_id))
            || known.iter().any(|sequence| disturbed.contains(&sequence.s_id));
        if touches && work.iter().all(|one| one.op_id != *op_id) {
            work.push(Work { sequences: known.to_vec(), ..Work::committed(op_id, suite) });
        }
    }
    for one in work {
        for oracle in one.joined.suite.oracles.iter_mut().filter(|oracle| disturbed.contains(&oracle.o_id)) {
            oracle.confirmation.fresh_state = true;
        }
        for sequence in one.sequences.iter_mut().filter(|sequence| disturbed.contains(&sequence.s_id)) {
            sequence.confirmation.fresh_state = true;
        }
    }
}

/// Note on an operation whose code calls other services.
const ASKS_OTHERS: &str = "it asks other services: of what was seen only the status and the media type are asserted, beside what the code says";

/// The number of confirmed oracles and sequences of the agents.
pub fn of_agents(claimed: &Claimed) -> usize {
    let oracles = claimed.confirmed.values().filter(|oracle| oracle.origin.engine == Engine::Agents).count();
    oracles + claimed.held.values().filter(|sequence| sequence.origin.engine == Engine::Agents).count()
}

/// Writes the prepared suite, its proposals and its committed exports.
fn write(workspace: &Workspace, prepared: Prepared<'_>) -> Result<ServiceGenerated, Failure> {
    let Prepared { settings, analysis, committed, mut service, work } = prepared;
    let dir = workspace.service_dir(settings);
    save::sweep(&dir);
    let mut batch = mastor_store::Batch::default();
    for Work { op_id, joined, sequences, chosen, .. } in &work {
        // An operation that was only confirmed keeps the manifest of its lock if it is stale: it stays stale.
        let fresh = *chosen || !stale(&analysis.operations, &committed).contains(op_id);
        let manifest = analysis.manifest(op_id).filter(|_| joined.proposals.is_empty() && fresh).map(|m| m.to_lines());
        let entry = save::Entry { op_id, suite: &joined.suite, sequences, manifest: manifest.as_deref() };
        let written = save::save(&mut batch, &dir, &entry).map_err(unwritable)?;
        service.written.extend(written.into_iter().map(|path| mastor_config::join(&settings.dir, &path)));
    }
    batch.commit().map_err(unwritable)?;
    write_proposals(workspace, settings, head_id(&analysis), &service.proposals)?;
    if !service.written.is_empty() {
        service.written.extend(attributes(&dir, settings)?);
    }
    if settings.export_commit && !service.written.is_empty() {
        let tree = workspace.repo.work_tree().map_err(failure)?;
        let suite = Suite::load(&tree, &settings.dir);
        let to = dir.join(&settings.export_dir);
        // The page shows places and code: a committed page would change with every edit.
        let kinds: Vec<_> = settings.export_kinds.iter().copied().filter(|kind| *kind != ExportKind::Html).collect();
        let written = write_all(workspace, settings, (&tree, &suite), &kinds, &to)?;
        let shown = mastor_config::join(&settings.dir, &settings.export_dir);
        service.written.extend(written.into_iter().map(|path| format!("{shown}/{path}")));
    }
    service.written.sort();
    workspace.events.said(format!("{} files written", service.written.len()));
    Ok(service)
}

/// Tells git that suite files are generated, and have the same line ending on every system.
fn attributes(dir: &std::path::Path, settings: &Settings) -> Result<Vec<String>, Failure> {
    const TEXT: &[u8] = b"* text eol=lf linguist-generated=true\n";
    let changed = mastor_store::write_if_changed(&dir.join(".mastor/.gitattributes"), TEXT).map_err(unwritable)?;
    Ok(if changed { vec![mastor_config::join(&settings.dir, ".mastor/.gitattributes")] } else { Vec::new() })
}

/// The operations that reach the targets of further oracles.
fn reaching(analysis: &Analysis, targets: &Targets) -> Vec<OpId> {
    let wanted: BTreeSet<&OpId> = targets.operations().collect();
    let is_wanted = |op_id: &&OpId| wanted.contains(op_id) && analysis.endpoint(op_id).is_some();
    analysis.operations.iter().map(|operation| &operation.op_id).filter(is_wanted).cloned().collect()
}

fn choose(
    analysis: &Analysis,
    comparison: Option<&Comparison>,
    committed: &Suite,
    options: &GenerateOptions,
) -> Result<Vec<OpId>, Failure> {
    let generable = || analysis.operations.iter().filter(|o| o.entry.is_some()).map(|o| o.op_id.clone());
    let gone = || committed.operations.keys().filter(|op_id| analysis.find(op_id).is_none()).cloned();
    if options.all {
        if analysis.operations.is_empty() {
            return Err(nothing_found());
        }
        return Ok(generable().chain(gone()).collect());
    }
    if !options.ops.is_empty() {
        let mut chosen = BTreeSet::new();
        for asked in &options.ops {
            chosen.insert(find_operation(analysis, asked)?);
        }
        return Ok(chosen.into_iter().collect());
    }
    if let Some(comparison) = comparison {
        let wanted = |o: &&mastor_types::results::plan::PlannedOperation| {
            matches!(o.state, State::Affected | State::New | State::Retired)
        };
        let with_entry: BTreeSet<OpId> = generable().collect();
        let chosen = comparison.plan.operations.iter().filter(wanted).map(|o| o.op_id.clone());
        return Ok(chosen
            .filter(|op_id| with_entry.contains(op_id) || committed.operations.contains_key(op_id))
            .collect());
    }
    Ok(stale(&analysis.operations, committed).into_iter().chain(gone()).collect())
}

/// The unmatched operations for which a model would be asked: those that are chosen, and those whose entry a model had
/// named before.
fn unmatched(
    analysis: &Analysis,
    comparison: Option<&Comparison>,
    committed: &Suite,
    options: &GenerateOptions,
) -> Vec<OpId> {
    let all = analysis.surface.matches.iter().filter(|one| is_unmatched(one)).map(|one| &one.op_id);
    let named: BTreeSet<OpId> = options.ops.iter().filter_map(|op| find_operation(analysis, op).ok()).collect();
    let new: BTreeSet<&OpId> = comparison.iter().flat_map(|comparison| comparison.plan.in_state(State::New)).collect();
    let chosen = |op_id: &&OpId| match options.ops.is_empty() {
        false => named.contains(*op_id),
        true => options.all || new.contains(op_id) || has_vanished(committed, op_id),
    };
    all.filter(chosen).cloned().collect()
}

fn count(service: &mut ServiceGenerated, work: &mut Work) {
    let Work { op_id, joined, sequences, dropped, notes, .. } = work;
    let (dropped, mut notes) = (std::mem::take(dropped), std::mem::take(notes));
    let oracles = &joined.suite.oracles;
    let context = &joined.suite.context;
    notes.extend(joined.unsupported.iter().map(|lost| format!("kept without its evidence: {lost}")));
    let (all, assumed) = counted(oracles);
    service.generated.operations.push(GeneratedOperation {
        op_id: op_id.clone(),
        oracles: all,
        assumed,
        added: joined.added,
        proposed: joined.proposals.len(),
        by_strategy: strategies(oracles),
        dropped,
        notes,
    });
    let totals: &mut Totals = &mut service.generated.totals;
    totals.oracles += all;
    totals.assumed += assumed;
    totals.sequences += sequences.len();
    service.generated.sequences += sequences.len();
    let schema = &context.response_schema;
    totals.verified += context.request_params.len()
        + schema.fields.len()
        + schema.error_cases.len()
        + usize::from(schema.success_status.is_some());
    totals.pending += context.request_params_pending.len() + context.response_schema_pending.len();
}

/// One line with the counts for a service, before it is written.
fn generated_line(service: &ServiceGenerated) -> String {
    let totals = &service.generated.totals;
    format!(
        "{} operations, {} oracles{} ({} verified facts, {} pending), {} proposals",
        service.chosen.len(),
        totals.oracles,
        mastor_publish::wording::words::and_assumed(totals.assumed),
        totals.verified,
        totals.pending,
        service.proposals.len(),
    )
}
