//! `backtest`: what `ci` would have said on the last commits or merges; runs nothing, writes nothing but the cache.

use std::time::Instant;

use super::ci;
use super::comparison::{Comparison, analyse, compare_analyses};
use super::relevant::is_same;
use super::workspace::{BaseRevision, Head, Workspace, failure};
use crate::config::Settings;
use crate::error::Failure;
use crate::extract::Analysis;
use crate::revision::{self, Commit, HistoryKind};
use crate::types::backtest::{Backtest, BacktestRow};
use crate::types::plan::State;

/// Options of `backtest`.
#[derive(Debug, Clone)]
pub struct BacktestOptions {
    /// How many commits.
    pub last: usize,
    /// Only merges.
    pub merges: bool,
    /// Where to start instead of HEAD.
    pub head: Option<String>,
    /// Name operations and changes.
    pub details: bool,
}

/// An analysed commit, kept because the commit after it is compared with it.
struct Known {
    commit: Commit,
    analysis: std::sync::Arc<Analysis>,
}

/// The table of each service, in the order of their folders.
///
/// # Errors
/// Exit 2 for settings that cannot be read or a start that is no commit, exit 3 without commits.
pub fn backtest(workspace: &Workspace, options: &BacktestOptions) -> Result<Vec<(String, Backtest)>, Failure> {
    let start = match &options.head {
        Some(spec) => workspace.repo.resolve(spec),
        None => workspace.repo.head(),
    }
    .map_err(failure)?;
    let kind = if options.merges { HistoryKind::Merges } else { HistoryKind::Commits };
    let mut commits = workspace.repo.history(start.id, options.last, kind).map_err(failure)?;
    commits.retain(|commit| !commit.parents.is_empty());
    // Oldest first: the head of one comparison is often the base of the next.
    commits.reverse();
    let tree = workspace.repo.tree_at(start.id).map_err(failure)?;
    let mut out = Vec::new();
    for settings in workspace.services(&tree)? {
        workspace.events.started(format!("backtesting {}", settings.name), Some(commits.len() as u64));
        let mut known: Option<Known> = None;
        let mut rows = Vec::new();
        for commit in &commits {
            let begin = Instant::now();
            let mut row = match one(workspace, &settings, commit, &mut known, options) {
                Ok(row) => row,
                Err(error) => BacktestRow { error: Some(error.to_string()), ..BacktestRow::default() },
            };
            row.sha = commit.id.to_string();
            row.subject = commit.subject.clone();
            row.seconds = (begin.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
            workspace.events.advanced(format!("{} {}", commit.short(), commit.subject));
            rows.push(row);
        }
        rows.reverse();
        let table = Backtest::new(rows);
        workspace.events.finished(format!(
            "{} commits, {} silent, {} with derived changes",
            table.totals.commits, table.totals.silent, table.totals.with_changes
        ));
        out.push((settings.name.clone(), table));
    }
    Ok(out)
}

fn one(
    workspace: &Workspace,
    settings: &Settings,
    commit: &Commit,
    known: &mut Option<Known>,
    options: &BacktestOptions,
) -> Result<BacktestRow, Failure> {
    let parent = commit.parents.first().and_then(|id| workspace.repo.commit(*id)).ok_or_else(|| {
        failure(revision::RevisionError::BaseMissing {
            since: format!("{}^", commit.short()),
            reason: "its parent is not in this clone".to_owned(),
            command: Some("git fetch --unshallow".to_owned()),
        })
    })?;
    let tree = workspace.repo.tree_at(commit.id).map_err(failure)?;
    let before = workspace.repo.tree_at(parent.id).map_err(failure)?;
    let base = match known.take() {
        Some(known) if known.commit.id == parent.id => known.analysis,
        _ => std::sync::Arc::new(analyse(workspace, settings, &before)?),
    };
    if is_same(&before, &tree) {
        let operations = base.operations.len();
        *known = Some(Known { commit: commit.clone(), analysis: base });
        return Ok(BacktestRow { operations, ..BacktestRow::default() });
    }
    let head = std::sync::Arc::new(analyse(workspace, settings, &tree)?);
    *known = Some(Known { commit: commit.clone(), analysis: head.clone() });
    let old = BaseRevision { tree: before, reference: parent.short(), commit: parent };
    let new = Head { tree, label: commit.short(), commit: commit.clone() };
    let comparison: Comparison = compare_analyses(settings, base, head, &old, &new);
    let changes = ci::changes(&comparison, &old, &new, settings);
    let count = |state| comparison.plan.count(state);
    let mut row = BacktestRow {
        affected: count(State::Affected),
        recheck: count(State::Recheck),
        new: count(State::New),
        retired: count(State::Retired),
        operations: comparison.head.operations.len(),
        changes: changes.len(),
        ..BacktestRow::default()
    };
    if options.details {
        row.details = comparison.plan.operations.iter().filter(|o| o.state != State::Inherited).cloned().collect();
        row.derived = changes;
    }
    Ok(row)
}
