//! `backtest`: what `ci` would have reported on each of the last commits or merges. It starts nothing, and writes only
//! to the cache.

use std::sync::Arc;
use std::time::Instant;

use crate::pipeline::ci::changes::changes;
use crate::pipeline::repository::comparison::{analyse, analyse_base, compare_analyses};
use crate::pipeline::repository::relevant::is_same;
use crate::pipeline::repository::workspace::{BaseRevision, Head, Workspace, failure};
use mastor_config::Settings;
use mastor_extract::Analysis;
use mastor_revision::{self as revision, Commit, CommitId, HistoryKind};
use mastor_types::Hash;
use mastor_types::error::Failure;
use mastor_types::results::backtest::{Backtest, BacktestRow};
use mastor_types::results::compared::{self, Comparison as Outcome};
use mastor_types::results::plan::State;

/// Kind of the recorded rows in the cache.
const ROWS: &str = "backtest";

/// Options of `backtest`.
#[derive(Debug, Clone)]
pub struct BacktestOptions {
    /// How many commits.
    pub last: usize,
    /// Only merges.
    pub merges: bool,
    /// Where to start instead of HEAD.
    pub head: Option<String>,
    /// Whether rows name operations and changes.
    pub details: bool,
}

/// Called with the name of the service and the row, as soon as a row is known.
pub type Heard<'a> = &'a dyn Fn(&str, &BacktestRow);

/// The table of each service, in the order of their folders. Each row is reported and recorded as soon as it is known:
/// a killed run loses at most one row, and the next run resumes after the recorded ones.
///
/// # Errors
/// Exit 2 for settings that cannot be read or a start that is no commit, exit 3 without commits.
pub fn backtest(
    workspace: &Workspace,
    options: &BacktestOptions,
    heard: Heard<'_>,
) -> Result<Vec<(String, Backtest)>, Failure> {
    let start = match &options.head {
        Some(spec) => workspace.repo.resolve(spec),
        None => workspace.repo.head(),
    }
    .map_err(failure)?;
    let kind = if options.merges { HistoryKind::Merges } else { HistoryKind::Commits };
    let mut commits = workspace.repo.history(start.id, options.last, kind).map_err(failure)?;
    commits.retain(|commit| !commit.parents.is_empty());
    let tree = workspace.repo.tree_at(start.id).map_err(failure)?;
    let mut out = Vec::new();
    for settings in workspace.services(&tree)? {
        workspace.events.started(format!("backtesting {}", settings.name), Some(commits.len() as u64));
        let mut run = Run { workspace, settings: &settings, details: options.details, known: None, recorded: 0 };
        let mut rows = Vec::new();
        // Newest first: the base of one comparison is the head of the next.
        for commit in &commits {
            let row = run.row(commit);
            heard(&settings.name, &row);
            workspace.events.advanced(format!("{} {}", commit.short(), commit.subject));
            rows.push(row);
        }
        let recorded = run.recorded;
        let table = Backtest::new(rows);
        let known = if recorded > 0 { format!(", {recorded} known from an earlier run") } else { String::new() };
        workspace.events.finished(format!(
            "{} commits, {} silent, {} with derived changes{known}",
            table.totals.commits, table.totals.silent, table.totals.with_changes
        ));
        out.push((settings.name.clone(), table));
    }
    Ok(out)
}

/// The backtest of one service.
struct Run<'a> {
    workspace: &'a Workspace,
    settings: &'a Settings,
    details: bool,
    /// The base of the previous comparison, which is the head of the next one.
    known: Option<(CommitId, Arc<Analysis>)>,
    /// Number of rows that were read from an earlier run.
    recorded: usize,
}

impl Run<'_> {
    fn row(&mut self, commit: &Commit) -> BacktestRow {
        let key = self.key(commit);
        let cache = &self.workspace.cache;
        let recorded = key.as_ref().and_then(|key| cache.get(ROWS, key));
        if let Some(row) = recorded.and_then(|bytes| serde_json::from_slice::<BacktestRow>(&bytes).ok()) {
            self.recorded += 1;
            return row;
        }
        let begin = Instant::now();
        let mut row = self
            .compare(commit)
            .unwrap_or_else(|error| BacktestRow { error: Some(error.to_string()), ..BacktestRow::default() });
        row.sha = commit.id.to_string();
        row.subject = commit.subject.clone();
        row.seconds = (begin.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        // A row with an error is not recorded: the next run may be able to read what was missing.
        if let (Some(key), None, Ok(bytes)) = (key, &row.error, serde_json::to_vec(&row)) {
            cache.put(ROWS, &key, &bytes);
        }
        row
    }

    /// The cache key of a row: this binary, the settings, the commit, its parent and the level of detail. `None` if the
    /// commit has no parent or the binary cannot be identified.
    fn key(&self, commit: &Commit) -> Option<String> {
        let settings = Hash::of(format!("{:?}", self.settings).as_bytes());
        let parent = commit.parents.first()?;
        Some(format!("{} {} {parent} {} {}", mastor_env::binary()?, settings, commit.id, self.details))
    }

    fn compare(&mut self, commit: &Commit) -> Result<BacktestRow, Failure> {
        let (workspace, settings) = (self.workspace, self.settings);
        let parent = commit.parents.first().and_then(|id| workspace.repo.commit(*id)).ok_or_else(|| {
            failure(revision::RevisionError::BaseMissing {
                since: format!("{}^", commit.short()),
                reason: "its parent is not in this clone".to_owned(),
                command: Some("git fetch --unshallow".to_owned()),
            })
        })?;
        let tree = workspace.repo.tree_at(commit.id).map_err(failure)?;
        let before = workspace.repo.tree_at(parent.id).map_err(failure)?;
        let known = self.known.take().filter(|(id, _)| *id == commit.id).map(|(_, analysis)| analysis);
        let same = is_same(&before, &tree);
        let make_head = || match known {
            Some(known) => Ok(known),
            None => analyse(workspace, settings, &tree).map(Arc::new),
        };
        let (head, base) = if same {
            let head = make_head()?;
            (head.clone(), Ok(head))
        } else {
            let (head, base) = rayon::join(make_head, || analyse(workspace, settings, &before).map(Arc::new));
            (head?, base)
        };
        let base = match base {
            Ok(base) => {
                self.known = Some((parent.id, base.clone()));
                base
            }
            // Analysed without its document, it cannot be the head of the next comparison.
            Err(_) => Arc::new(analyse_base(workspace, settings, &before)?),
        };
        if same {
            return Ok(BacktestRow { operations: head.operations.len(), ..BacktestRow::default() });
        }
        let old = BaseRevision { tree: before, reference: parent.short(), commit: parent };
        let new = Head { tree, label: commit.short(), commit: commit.clone() };
        let comparison = compare_analyses(workspace, settings, (base, head), &old, &new);
        let (changes, compared) = changes(&comparison, &old, &new, settings);
        let count = |state| comparison.plan.count(state);
        let mut row = BacktestRow {
            affected: count(State::Affected),
            recheck: count(State::Recheck),
            new: count(State::New),
            retired: count(State::Retired),
            operations: comparison.head.operations.len(),
            changes: changes.len(),
            same: compared::count(&compared, Outcome::Same),
            undecided: compared::count(&compared, Outcome::Undecided),
            ..BacktestRow::default()
        };
        if self.details {
            row.details = comparison.plan.operations.iter().filter(|o| o.state != State::Inherited).cloned().collect();
            row.derived = changes;
            row.compared = compared;
        }
        Ok(row)
    }
}
