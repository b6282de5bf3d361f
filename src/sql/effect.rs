//! Whether a statement leaves tables and rows as they are.

use sqlparser::ast;

use super::script::Statement;
use super::words::{all_words, words_of};

/// First words of statements that change no rows themselves.
const INERT: [&str; 46] = [
    "alter",
    "analyze",
    "audit",
    "begin",
    "check",
    "checkpoint",
    "cluster",
    "comment",
    "commit",
    "create",
    "deallocate",
    "declare",
    "desc",
    "describe",
    "end",
    "exit",
    "explain",
    "flush",
    "go",
    "grant",
    "listen",
    "lock",
    "noaudit",
    "notify",
    "optimize",
    "pragma",
    "print",
    "prompt",
    "purge",
    "quit",
    "refresh",
    "reindex",
    "release",
    "rem",
    "remark",
    "reset",
    "revoke",
    "savepoint",
    "select",
    "set",
    "show",
    "spool",
    "start",
    "unlock",
    "use",
    "vacuum",
];
/// Words of what changes rows or tables, or runs what may; also within a body.
const CHANGES: [&str; 11] =
    ["insert", "update", "delete", "truncate", "merge", "copy", "execute", "exec", "call", "drop", "into"];
/// Commands of `psql` that run or load a file, or the result of a query.
const RUNS: [&str; 7] = ["\\i", "\\ir", "\\include", "\\include_relative", "\\copy", "\\gexec", "\\g"];

/// What has a body, which may stand in quotes.
const ROUTINES: [&str; 3] = ["function", "procedure", "trigger"];

impl Statement {
    /// Whether it neither makes nor changes tables and rows. What calls a routine that it makes is not followed, so that one that may change rows is not
    /// inert; a query that calls a function is.
    pub fn is_inert(&self) -> bool {
        if self.tree.as_ref().is_some_and(is_inert) {
            return true;
        }
        let mut words = words_of(&self.text);
        if words.iter().any(|word| ROUTINES.contains(&word.as_str())) {
            words = all_words(&self.text.to_ascii_lowercase());
        }
        let Some(first) = words.first() else { return true };
        let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
        let is_block = matches!(first.as_str(), "begin" | "declare") && has(&["end"]);
        let is_command = first.starts_with('\\') && !RUNS.contains(&first.as_str());
        let is_query = matches!(self.tree, Some(ast::Statement::Query(_)));
        (INERT.contains(&first.as_str()) || is_command || is_query) && !is_block && !has(&CHANGES)
    }
}

fn is_inert(tree: &ast::Statement) -> bool {
    use ast::Statement as Tree;
    matches!(
        tree,
        Tree::Grant(_)
            | Tree::Revoke(_)
            | Tree::Comment { .. }
            | Tree::Set(_)
            | Tree::Use(_)
            | Tree::Explain { analyze: false, .. }
            | Tree::CreateView(_)
            | Tree::CreateSequence { .. }
            | Tree::CreateType { .. }
            | Tree::CreateRole(_)
            | Tree::CreateExtension(_)
            | Tree::CreateDomain(_)
            | Tree::CreatePolicy(_)
    )
}
