//! `accept`: takes proposals into the suite. They wait in `.mastor/out/proposed.json`, which names the head that they
//! were made for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::pipeline::accept::proposals::{FILE, head_id, retirement, write_proposals};
use crate::pipeline::generate::made::{Made, make_all};
use crate::pipeline::repository::comparison::{analyse, find_operation};
use crate::pipeline::repository::stale::stale;
use crate::pipeline::repository::workspace::{Head, Workspace, failure, unwritable};
use mastor_config::Settings;
use mastor_extract::Analysis;
use mastor_suite::candidates::{note_origin, without_refuted};
use mastor_suite::follow::{synchronised, without_gone_reads};
use mastor_suite::format;
use mastor_suite::load::Suite;
use mastor_suite::proposal::{Proposal, ProposalFile, take, take_renewal};
use mastor_suite::regenerate::regenerate;
use mastor_suite::{OUT_DIR, save};
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::manifest::Manifest;
use mastor_types::results::change::Change;
use mastor_types::suite::sequence::Sequence;

/// Which proposals to take.
#[derive(Debug, Clone, Default)]
pub struct AcceptOptions {
    /// Ids, or unique prefixes of ids, of oracles, sequences or changes: everything that was reported as one change is
    /// taken together.
    pub ids: Vec<String>,
    /// Whole ids of oracles: only these are taken, not what was reported with them.
    pub exactly: Vec<String>,
    /// An operation: all its proposals are taken.
    pub op: Option<String>,
    /// Whether all proposals are taken.
    pub all: bool,
    /// A folder that holds the proposals of a run on this head.
    pub from: Option<PathBuf>,
}

/// What was accepted.
#[derive(Debug, Default)]
pub struct Accepted {
    /// Proposals taken, in order.
    pub taken: Vec<Proposal>,
    /// Proposals that still wait.
    pub left: usize,
    /// Files written, from the repository's root.
    pub written: Vec<String>,
}

/// Takes proposals into the suite on disk, and renews the lock of each operation that has no proposal left.
///
/// # Errors
/// Exit 2 where no proposal fits what was asked, or the proposals were made for another head; exit 70 where writing
/// fails.
pub fn accept(workspace: &Workspace, head: &Head, options: &AcceptOptions) -> Result<Accepted, Failure> {
    let mut accepted = Accepted::default();
    for settings in &workspace.services(&head.tree)? {
        let analysis = analyse(workspace, settings, &head.tree)?;
        let dir = workspace.service_dir(settings);
        let from = options.from.as_deref().map_or_else(|| dir.join(OUT_DIR), |from| below(from, settings));
        let committed = Suite::load(&workspace.repo.work_tree().map_err(failure)?, &settings.dir);
        let proposals = match read(&from, &analysis, options.from.is_some())? {
            Some(proposals) => proposals,
            None => anew(&analysis, &committed),
        };
        let report = options.from.as_deref().map(|from| [from.join(OUT_DIR), from.to_owned()]);
        let report = report.and_then(|places| places.into_iter().find(|place| place.join("report.json").is_file()));
        let groups = groups(&report.unwrap_or_else(|| workspace.root.join(OUT_DIR)));
        let (wanted, left) = select(&analysis, proposals, options, &groups)?;
        accepted.left += left.len();
        apply(&dir, settings, &analysis, committed, wanted, &left, &mut accepted)?;
        write_proposals(workspace, settings, head_id(&analysis), &left)?;
    }
    if accepted.taken.is_empty() {
        let failure = Failure::new(Exit::Usage, "there is no proposal that fits");
        return Err(
            failure.hint("`mastor generate` or `mastor ci` makes proposals; `mastor ci` lists them with their ids")
        );
    }
    accepted.written.sort();
    accepted.written.dedup();
    Ok(accepted)
}

/// The waiting proposals of all services.
///
/// # Errors
/// As for [`accept`].
pub fn open(workspace: &Workspace, head: &Head, from: Option<&Path>) -> Result<Vec<Proposal>, Failure> {
    let mut open = Vec::new();
    for settings in &workspace.services(&head.tree)? {
        let analysis = analyse(workspace, settings, &head.tree)?;
        let folder = from.map_or_else(|| workspace.service_dir(settings).join(OUT_DIR), |from| below(from, settings));
        let committed = Suite::load(&workspace.repo.work_tree().map_err(failure)?, &settings.dir);
        open.extend(match read(&folder, &analysis, from.is_some())? {
            Some(proposals) => proposals,
            None => anew(&analysis, &committed),
        });
    }
    Ok(open)
}

/// The folder below `from` that holds the proposals of a service: `from` has the folders of the repository, as a CI
/// artifact does, or holds the files itself.
fn below(from: &Path, settings: &Settings) -> PathBuf {
    let places = [from.join(&settings.dir).join(OUT_DIR), from.join(OUT_DIR)];
    places.into_iter().find(|place| place.join(FILE).is_file()).unwrap_or_else(|| from.to_owned())
}

/// The changes that the last `ci` reported, one for each cause; empty if there is no report below `out`.
fn groups(out: &Path) -> Vec<Change> {
    let text = fs_err::read_to_string(out.join("report.json")).unwrap_or_default();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let services = report["services"].as_array().cloned().unwrap_or_else(|| vec![report]);
    let changes = services.iter().flat_map(|service| service["changes"].as_array().cloned().unwrap_or_default());
    changes.filter_map(|change| serde_json::from_value::<Change>(change).ok()).collect()
}

/// The changes that the last `ci` here reported, by the id of the oracle or sequence that they contradict; empty if
/// there is no report.
pub fn reported(workspace: &Workspace) -> BTreeMap<String, Change> {
    let groups = groups(&workspace.root.join(OUT_DIR));
    let changes = groups.iter().flat_map(Change::with_also);
    changes.filter_map(|change| Some((change.o_id.clone().or_else(|| change.s_id.clone())?, change.clone()))).collect()
}

/// These ids, and those of all changes that were reported as one with any of them: such a group is taken as a whole.
fn with_consequences(ids: &[String], groups: &[Change]) -> Vec<String> {
    let mut wanted = ids.to_vec();
    for group in groups {
        let named = |change: &Change| {
            let decision = change.decision_id();
            let known = [Some(&change.id), change.o_id.as_ref(), change.s_id.as_ref(), Some(&decision)];
            ids.iter().any(|id| known.into_iter().flatten().any(|known| known.starts_with(id.as_str())))
        };
        if group.with_also().any(named) {
            wanted.extend(group.with_also().flat_map(|change| {
                [change.o_id.clone().or_else(|| change.s_id.clone()), Some(change.decision_id())].into_iter().flatten()
            }));
        }
    }
    wanted
}

/// The proposals below `from`. If there are none, or if they were made for another head: `None`, or an error if the user named the folder.
fn read(from: &Path, analysis: &Analysis, asked: bool) -> Result<Option<Vec<Proposal>>, Failure> {
    let path = from.join(FILE);
    let bytes = match fs_err::read(&path) {
        Ok(bytes) => bytes,
        Err(_) if !asked => return Ok(None),
        Err(error) => {
            return Err(Failure::new(Exit::Usage, error.to_string()).hint("name the folder that holds `proposed.json`"));
        }
    };
    let file: ProposalFile = format::from_bytes(&path.display().to_string(), &bytes)
        .map_err(|e| Failure::new(Exit::Usage, e.to_string()).hint("run `mastor ci` again"))?;
    if file.head != head_id(analysis) {
        if asked {
            return Err(Failure::new(Exit::Usage, "these proposals were made on another head")
                .hint("take the artifact of a run on this commit"));
        }
        return Ok(None);
    }
    Ok(Some(file.proposals))
}

/// Makes the proposals for all stale and removed operations again.
pub fn anew(analysis: &Analysis, committed: &Suite) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for op_id in committed.operations.keys() {
        if analysis.find(op_id).is_none() {
            proposals.extend(retirement(committed, op_id, "the operation is gone"));
        }
    }
    for made in make_all(analysis, &stale(&analysis.operations, committed), &|_| {}).into_iter().flatten() {
        let old = committed.operations.get(&made.op_id);
        let joined = regenerate(old, made.suite.context, made.suite.oracles, &|symbol| analysis.resolve(symbol));
        proposals.extend(joined.proposals);
    }
    proposals
}

fn select(
    analysis: &Analysis,
    proposals: Vec<Proposal>,
    options: &AcceptOptions,
    groups: &[Change],
) -> Result<(Vec<Proposal>, Vec<Proposal>), Failure> {
    if options.all {
        return Ok((proposals, Vec::new()));
    }
    if let Some(op) = &options.op {
        let op_id = find_operation(analysis, op).or_else(|failure| OpId::parse(op).ok_or(failure))?;
        return Ok(proposals.into_iter().partition(|p| p.op_id == op_id));
    }
    for id in &options.ids {
        let fits = proposals.iter().filter(|p| p.o_id.starts_with(id.as_str())).count();
        if fits > 1 && !proposals.iter().any(|p| p.o_id == *id) {
            return Err(
                Failure::new(Exit::Usage, format!("{id} fits {fits} proposals")).hint("give more digits of the id")
            );
        }
    }
    let ids = with_consequences(&options.ids, groups);
    let named =
        |p: &Proposal| options.exactly.contains(&p.o_id) || ids.iter().any(|id| p.o_id.starts_with(id.as_str()));
    Ok(proposals.into_iter().partition(named))
}

fn apply(
    dir: &Path,
    settings: &Settings,
    analysis: &Analysis,
    mut committed: Suite,
    wanted: Vec<Proposal>,
    left: &[Proposal],
    accepted: &mut Accepted,
) -> Result<(), Failure> {
    let mut batch = mastor_store::Batch::default();
    let mut touched: Vec<OpId> = Vec::new();
    let was_stale = stale(&analysis.operations, &committed);
    let is_gone = |op_id: &OpId| analysis.find(op_id).is_none();
    for proposal in wanted {
        let Some(suite) = committed.operations.get_mut(&proposal.op_id) else { continue };
        let taken = match &proposal.sequence {
            None => take(suite, &proposal),
            Some(renewal) => {
                let sequences = committed.sequences.get_mut(&proposal.op_id);
                sequences.is_some_and(|all| take_renewal(suite, all, renewal))
            }
        };
        if !taken {
            return Err(Failure::new(
                Exit::Usage,
                format!("{} of {} has changed since it was proposed", proposal.o_id, proposal.op_id),
            )
            .hint("run `mastor ci` or `mastor generate` again"));
        }
        touched.push(proposal.op_id.clone());
        accepted.taken.push(proposal);
    }
    touched.sort();
    touched.dedup();
    // The lock is renewed once no proposal is left; then the new oracles of the operation are added too, as by
    // `generate`.
    let is_open = |op_id: &OpId| left.iter().any(|p| p.op_id == *op_id);
    let closed: Vec<OpId> = touched.iter().filter(|op_id| !is_open(op_id)).cloned().collect();
    let made = make_all(analysis, &closed, &|_| {}).into_iter().flatten();
    let mut made: BTreeMap<OpId, Made> = made.map(|made| (made.op_id.clone(), made)).collect();
    for op_id in touched {
        let Some(suite) = committed.operations.get(&op_id) else { continue };
        let gone = suite.oracles.is_empty() && analysis.find(&op_id).is_none();
        let written = if gone {
            save::remove(&mut batch, dir, &op_id).map_err(unwritable)?
        } else {
            let suite = match made.remove(&op_id) {
                Some(made) => {
                    let resolve = |symbol: &str| analysis.resolve(symbol);
                    let fingerprint = analysis.manifest(&op_id).map(Manifest::fingerprint);
                    let fresh = without_refuted(made.suite.oracles, Some(suite), fingerprint, false);
                    let mut joined = regenerate(Some(suite), made.suite.context, fresh, &resolve).suite;
                    fingerprint.into_iter().for_each(|one| note_origin(&mut joined, Some(suite), one));
                    joined
                }
                None => suite.clone(),
            };
            let manifest = analysis.manifest(&op_id).filter(|_| !is_open(&op_id)).map(|manifest| manifest.to_lines());
            let sequences = committed.sequences.remove(&op_id).unwrap_or_default();
            let sequences = synchronised(without_gone_reads(&sequences, &is_gone).unwrap_or(sequences), &suite);
            let manifest = manifest.as_deref();
            let entry = save::Entry { op_id: &op_id, suite: &suite, sequences: &sequences, manifest };
            save::save(&mut batch, dir, &entry).map_err(unwritable)?
        };
        accepted.written.extend(written.into_iter().map(|path| mastor_config::join(&settings.dir, &path)));
    }
    // Sequences of other operations lose their reads of removed operations.
    let others: Vec<(OpId, Vec<Sequence>)> = committed
        .sequences
        .iter()
        .filter_map(|(op_id, sequences)| Some((op_id.clone(), without_gone_reads(sequences, &is_gone)?)))
        .collect();
    for (op_id, sequences) in others {
        let Some(suite) = committed.operations.get(&op_id).filter(|_| !is_gone(&op_id)) else { continue };
        let manifest = analysis.manifest(&op_id).filter(|_| !was_stale.contains(&op_id)).map(|m| m.to_lines());
        let manifest = manifest.as_deref();
        let entry = save::Entry { op_id: &op_id, suite, sequences: &sequences, manifest };
        let written = save::save(&mut batch, dir, &entry).map_err(unwritable)?;
        accepted.written.extend(written.into_iter().map(|path| mastor_config::join(&settings.dir, &path)));
    }
    batch.commit().map_err(unwritable)
}
