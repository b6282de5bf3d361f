//! The result of `mastor backtest`: what `ci` would have reported on the last commits of a repository.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::change::Change;
use super::compared::{ComparedOperation, Comparison};
use super::plan::PlannedOperation;

/// What `ci` would have said on one commit.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BacktestRow {
    /// The commit.
    pub sha: String,
    /// First line of its message.
    pub subject: String,
    /// Number of operations affected.
    pub affected: usize,
    /// Number of operations to recheck.
    pub recheck: usize,
    /// Number of new operations.
    pub new: usize,
    /// Number of retired ones.
    pub retired: usize,
    /// Number of operations that head has.
    pub operations: usize,
    /// Number of derived changes.
    pub changes: usize,
    /// Of the affected operations, those that are known to be the same.
    #[serde(default)]
    pub same: usize,
    /// Of the affected operations, those of which it could not be told.
    #[serde(default)]
    pub undecided: usize,
    /// Seconds it took, both revisions and the comparison; the base is often known from the commit before.
    pub seconds: f64,
    /// Why nothing can be said of it.
    pub error: Option<String>,
    /// The operations that are not inherited; only with `--details`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<PlannedOperation>,
    /// What comparing each affected operation came to; only with `--details`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<ComparedOperation>,
    /// The derived changes; only with `--details`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<Change>,
}

/// Sums over all commits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BacktestTotals {
    /// Number of commits.
    pub commits: usize,
    /// Commits on which nothing would have been said: no operation affected, new or retired.
    pub silent: usize,
    /// Commits with at least one derived change.
    pub with_changes: usize,
    /// Affected operations over all commits, by what comparing them came to.
    #[serde(default)]
    pub compared: BTreeMap<String, usize>,
    /// Commits of which nothing can be said.
    pub errors: usize,
    /// Median of the seconds.
    pub median_seconds: f64,
    /// 95th percentile of the seconds.
    pub p95_seconds: f64,
    /// Median of the number of affected operations over the commits that affect any.
    pub median_affected: usize,
}

/// The table of one service.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Backtest {
    /// Newest first.
    pub commits: Vec<BacktestRow>,
    /// Sums.
    pub totals: BacktestTotals,
}

impl Backtest {
    /// Makes the table of these rows and computes its totals.
    pub fn new(commits: Vec<BacktestRow>) -> Self {
        let mut seconds: Vec<f64> = commits.iter().filter(|row| row.error.is_none()).map(|row| row.seconds).collect();
        seconds.sort_by(f64::total_cmp);
        let at = |share: f64| -> f64 {
            let last = seconds.len().saturating_sub(1);
            let index = (last as f64 * share).round() as usize;
            seconds.get(index).copied().unwrap_or_default()
        };
        let mut affected: Vec<usize> = commits.iter().map(|row| row.affected).filter(|n| *n > 0).collect();
        affected.sort_unstable();
        let said = |row: &&BacktestRow| row.affected + row.new + row.retired > 0;
        let totals = BacktestTotals {
            commits: commits.len(),
            silent: commits.iter().filter(|row| row.error.is_none() && !said(row)).count(),
            with_changes: commits.iter().filter(|row| row.changes > 0).count(),
            compared: [
                (
                    Comparison::Changed,
                    commits.iter().map(|row| row.affected.saturating_sub(row.same + row.undecided)).sum(),
                ),
                (Comparison::Same, commits.iter().map(|row| row.same).sum()),
                (Comparison::Undecided, commits.iter().map(|row| row.undecided).sum()),
            ]
            .map(|(state, n): (Comparison, usize)| (state.as_str().to_owned(), n))
            .into(),
            errors: commits.iter().filter(|row| row.error.is_some()).count(),
            median_seconds: at(0.5),
            p95_seconds: at(0.95),
            median_affected: affected.get(affected.len() / 2).copied().unwrap_or_default(),
        };
        Self { commits, totals }
    }
}
