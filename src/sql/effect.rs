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
/// Words of statements that change rows or tables, or that run code which may; a routine's body is searched too.
const CHANGES: [&str; 11] =
    ["insert", "update", "delete", "truncate", "merge", "copy", "execute", "exec", "call", "drop", "into"];
/// `psql` commands that run a file, load one, or run the result of a query.
const RUNS: [&str; 7] = ["\\i", "\\ir", "\\include", "\\include_relative", "\\copy", "\\gexec", "\\g"];

/// Kinds of routine; their body may be a quoted string.
const ROUTINES: [&str; 3] = ["function", "procedure", "trigger"];

impl Statement {
    /// Whether the statement leaves tables and rows as they are. Later calls of a routine are not followed, so a statement that creates a routine which
    /// may change rows is not inert. A query that calls a function is inert.
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
