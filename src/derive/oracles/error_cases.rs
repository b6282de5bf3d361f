//! Error cases: paths with the same error, with the conditions that distinguish them from other paths.

use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::known::PathConstraints;
use mastor_java::interpret::paths::path::Site;
use mastor_java::ir::body::BinaryOp;
use mastor_runtime::bench::Bench;
use mastor_runtime::server::serve::Run;

/// One or several paths to the same error.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Status.
    pub status: u16,
    /// The condition in words.
    pub condition: String,
    /// The complete condition, which distinguishes cases whose shortened conditions are equal.
    pub whole: String,
    /// Where the error is decided; `None` for the framework.
    pub site: Option<Site>,
    /// The exception, by its simple name.
    pub exception: Option<String>,
    /// Whether the condition distinguishes the error from successful answers. If code that is not followed decides,
    /// both have the same condition.
    pub is_decided: bool,
}

/// The error cases of a run on open inputs.
pub fn error_cases(bench: &Bench<'_>, open: &Run) -> Vec<Case> {
    type Key = (u16, Option<Site>, Option<String>);
    let mut groups: Vec<(Key, Vec<Vec<Cond>>)> = Vec::new();
    let ways = PathTree::of(open);
    for (index, served) in open.served.iter().enumerate() {
        let Some(status) = served.answer.status.filter(|status| *status >= 400) else { continue };
        let key = (status, served.path.exit, served.answer.exception.clone());
        let own = ways.relevant(index);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, all)) => {
                if !all.contains(&own) {
                    all.push(own);
                }
            }
            None => groups.push((key, vec![own])),
        }
    }
    let _ = bench;
    let mut cases: Vec<Case> = groups
        .into_iter()
        .map(|((status, site, exception), ways)| {
            let ways = merged(ways);
            let (condition, whole) = (describe(&ways), within(&ways, usize::MAX, usize::MAX));
            let is_decided = !ways.iter().any(|way| is_met_on_success(open, way));
            Case { status, condition, whole, site, exception, is_decided }
        })
        .collect();
    cases.sort_by(|a, b| (a.status, &a.condition).cmp(&(b.status, &b.condition)));
    cases.dedup_by(|a, b| a.status == b.status && a.condition == b.condition);
    cases
}

/// Whether all of these conditions hold on a path to a successful answer.
fn is_met_on_success(open: &Run, way: &[Cond]) -> bool {
    let is_good = |status: u16| status < 400;
    let mut good = open.served.iter().filter(|served| served.answer.status.is_some_and(is_good));
    good.any(|served| way.iter().all(|cond| served.path.conditions.iter().any(|taken| taken.cond == *cond)))
}

/// The conditions of a path, without those that only say that a guard was passed: the opposite of such a condition only
/// leads to errors.
pub fn relevant(open: &Run, index: usize) -> Vec<Cond> {
    PathTree::of(open).relevant(index)
}

/// All paths of a run as a tree of common prefixes.
struct PathTree<'r> {
    open: &'r Run,
    forks: Vec<Fork<'r>>,
    /// The forks of each path.
    passed: Vec<Vec<usize>>,
}

/// A condition after a common prefix of paths.
struct Fork<'r> {
    cond: &'r Cond,
    /// Whether all paths through it end in errors.
    leads_to_errors: bool,
    /// The forks that follow it.
    next: Vec<usize>,
}

impl<'r> PathTree<'r> {
    fn of(open: &'r Run) -> Self {
        let (mut forks, mut first): (Vec<Fork<'r>>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut passed = Vec::new();
        for served in &open.served {
            let is_error = served.answer.status.is_some_and(|status| status >= 400);
            let mut way: Vec<usize> = Vec::new();
            for taken in &served.path.conditions {
                let known = way.last().map_or(&first, |at| &forks[*at].next).iter().copied();
                let at = known.clone().find(|at| *forks[*at].cond == taken.cond);
                let at = at.unwrap_or_else(|| {
                    let at = forks.len();
                    forks.push(Fork { cond: &taken.cond, leads_to_errors: true, next: Vec::new() });
                    match way.last() {
                        Some(last) => forks[*last].next.push(at),
                        None => first.push(at),
                    }
                    at
                });
                forks[at].leads_to_errors &= is_error;
                way.push(at);
            }
            passed.push(way);
        }
        // A root above all forks, so that a path's first condition has alternatives like all others.
        let root = Fork { cond: &Cond::Const(true), leads_to_errors: false, next: first };
        forks.push(root);
        Self { open, forks, passed }
    }

    fn relevant(&self, index: usize) -> Vec<Cond> {
        let (Some(served), Some(passed)) = (self.open.served.get(index), self.passed.get(index)) else {
            return Vec::new();
        };
        let conditions = &served.path.conditions;
        let mut out: Vec<Cond> = Vec::new();
        let mut above = self.forks.len() - 1;
        for (taken, at) in conditions.iter().zip(passed) {
            let opposite = taken.cond.negate();
            let mut beside = self.forks[above].next.iter().map(|at| &self.forks[*at]);
            let is_refused = beside.find(|fork| *fork.cond == opposite).is_none_or(|fork| fork.leads_to_errors);
            let only_guards = is_refused && !self.forks[*at].leads_to_errors;
            if !only_guards && !out.contains(&taken.cond) {
                out.push(taken.cond.clone());
            }
            above = *at;
        }
        if out.is_empty() {
            out.extend(conditions.last().map(|taken| taken.cond.clone()));
        }
        out
    }
}

/// Alternatives without irrelevant conditions: two that differ only in a condition and its opposite are merged.
fn merged(mut ways: Vec<Vec<Cond>>) -> Vec<Vec<Cond>> {
    'again: loop {
        if ways.len() > 60 {
            return ways;
        }
        for a in 0..ways.len() {
            for b in 0..ways.len() {
                if a == b {
                    continue;
                }
                // `a` requires everything that `b` requires, so `a` adds nothing.
                if ways[b].iter().all(|cond| ways[a].contains(cond)) {
                    ways.remove(a);
                    continue 'again;
                }
                // `a` requires the opposite of one condition of `b`, and otherwise no more than `b`, so that condition
                // of `b` is irrelevant.
                for at in 0..ways[b].len() {
                    let opposite = ways[b][at].negate();
                    let rest_in_b = |cond: &Cond| {
                        *cond == opposite || ways[b].iter().enumerate().any(|(i, c)| i != at && c == cond)
                    };
                    if ways[a].contains(&opposite) && ways[a].iter().all(rest_in_b) {
                        ways[b].remove(at);
                        continue 'again;
                    }
                }
            }
        }
        return ways;
    }
}

/// Maximum number of alternatives in one description.
const PARTS: usize = 6;
/// Maximum length of the text of one alternative.
const WORDS: usize = 160;

/// The alternatives in words; two that leave a range between them are joined.
pub fn describe(ways: &[Vec<Cond>]) -> String {
    within(ways, PARTS, WORDS)
}

/// The alternatives in words, limited in number and in the length of each.
fn within(ways: &[Vec<Cond>], most: usize, letters: usize) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut used = vec![false; ways.len()];
    for (index, way) in ways.iter().enumerate() {
        if used[index] {
            continue;
        }
        if let [one] = way.as_slice()
            && let Some((term, op @ (BinaryOp::Lt | BinaryOp::Le), low)) = one.bound()
        {
            let above = ways.iter().enumerate().skip(index + 1).find_map(|(at, other)| match other.last()?.bound() {
                Some((t, op @ (BinaryOp::Gt | BinaryOp::Ge), high))
                    if t == term && other.iter().all(|c| c.bound().is_some_and(|(t, ..)| t == term)) =>
                {
                    Some((at, if op == BinaryOp::Gt { high } else { high - 1 }))
                }
                _ => None,
            });
            if let Some((at, high)) = above {
                let low = if op == BinaryOp::Lt { low } else { low + 1 };
                used[at] = true;
                parts.push(if low == high {
                    format!("{term} is not {low}")
                } else {
                    format!("{term} outside {low}..{high}")
                });
                continue;
            }
        }
        let words = cut(way, letters);
        if !parts.contains(&words) {
            parts.push(words);
        }
    }
    let more = parts.len().saturating_sub(most);
    parts.truncate(most);
    let mut text = parts.join("; or ");
    if more > 0 {
        text += &format!("; or {more} more");
    }
    if text.is_empty() { "always".to_owned() } else { text }
}

/// Conditions that must all hold, in words, without those that others imply.
pub fn sentence(conditions: &[Cond]) -> String {
    cut(conditions, WORDS)
}

/// The conditions in words, limited in length.
fn cut(conditions: &[Cond], letters: usize) -> String {
    let mut kept: Vec<&Cond> = Vec::new();
    for (index, cond) in conditions.iter().enumerate() {
        let mut known = PathConstraints::default();
        for (at, other) in conditions.iter().enumerate() {
            if at != index && (at > index || kept.contains(&other)) {
                known.add(other.clone());
            }
        }
        let implied = !cond.is_unknown() && known.decides(cond) == Some(true);
        if !implied {
            kept.push(cond);
        }
    }
    let mut text = String::new();
    for (index, cond) in kept.iter().enumerate() {
        let words = cond.to_string();
        if !text.is_empty() && text.chars().count().saturating_add(words.chars().count()) > letters {
            return format!("{text} and {} more conditions", kept.len() - index);
        }
        if !text.is_empty() {
            text += " and ";
        }
        text.extend(words.chars().take(letters));
    }
    text
}
