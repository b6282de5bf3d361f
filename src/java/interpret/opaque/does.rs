//! What a call that is not followed may do: by its method's name, by the annotations of its declaration, or by its code.

use crate::java::facts::{Annotation, MemberFacts, Value};

/// How names begin of methods that change nothing that their object gives.
const READS: &[&str] = &[
    "get",
    "is",
    "has",
    "find",
    "exists",
    "count",
    "size",
    "contains",
    "to",
    "as",
    "of",
    "read",
    "query",
    "search",
    "list",
    "load",
    "fetch",
    "select",
    "lookup",
    "equals",
    "hashCode",
    "compare",
    "stream",
    "values",
    "keys",
    "entry",
    "matches",
    "length",
    "format",
    "parse",
    "convert",
    "map",
    "encode",
    "decode",
    "resolve",
    "supports",
    "can",
    "authenticate",
];

/// How names begin of methods that are called for what they give, or for what they throw: where nothing is made of it, the call does nothing else.
const PLAIN: &[&str] = &[
    "get", "is", "has", "find", "exists", "count", "size", "contains", "read", "query", "search", "list", "equals",
    "hashCode", "compare", "values", "keys", "length", "matches", "supports", "can",
];

/// Verbs of what writes, behind an *and* or *or* in a name: `convertAndSend`, `findAndModify`, `getOrCreate`.
const WRITES: &[&str] = &[
    "Send",
    "Publish",
    "Set",
    "Update",
    "Delete",
    "Remove",
    "Modify",
    "Replace",
    "Create",
    "Save",
    "Insert",
    "Add",
    "Put",
    "Increment",
    "Decrement",
    "Clear",
    "Write",
    "Store",
    "Register",
    "Receive",
    "Lock",
    "Wait",
    "Close",
    "Flush",
    "Commit",
];

/// Sources that give another value each time.
pub(super) const READINGS: &[&str] =
    &["now", "currentTimeMillis", "nanoTime", "instant", "millis", "randomUUID", "random", "generate"];

/// Annotations of methods that only read, by their simple names (Spring Data, MyBatis, JDBI, HTTP clients), and of those that write.
const READING: &[&str] = &["Query", "Select", "SelectProvider", "SqlQuery", "GetMapping", "GET", "Get"];
const WRITING: &[&str] = &[
    "Modifying",
    "Insert",
    "Update",
    "Delete",
    "InsertProvider",
    "UpdateProvider",
    "DeleteProvider",
    "SqlUpdate",
    "SqlBatch",
    "PostMapping",
    "PutMapping",
    "PatchMapping",
    "DeleteMapping",
    "POST",
    "PUT",
    "DELETE",
];

/// What a call that is not followed may do to what it is made on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// What the method's name tells.
    ByName,
    /// What annotations of the method tell: whether it only reads.
    Declared {
        /// It changes nothing.
        reads: bool,
    },
    /// What the method's code does: whether it, or what it calls, writes to anything.
    Known {
        /// It does.
        writes: bool,
    },
}

/// Whether a method, by its name, only reads.
pub fn reads(name: &str) -> bool {
    READS.iter().any(|start| starts(name, start)) && !also_writes(name)
}

/// Whether a method, by its name, only reads where nothing is made of what it gives.
pub(super) fn reads_in_vain(name: &str) -> bool {
    PLAIN.iter().any(|start| starts(name, start)) && !also_writes(name)
}

fn starts(name: &str, start: &str) -> bool {
    name.strip_prefix(start).is_some_and(|rest| rest.chars().next().is_none_or(|next| !next.is_lowercase()))
}

/// Whether a name says that something is written as well. The properties of a query (`findByNameAndAddress`) are no verbs.
fn also_writes(name: &str) -> bool {
    let verbs = name.split("By").next().unwrap_or(name);
    ["And", "Or"]
        .iter()
        .any(|joins| verbs.split(joins).skip(1).any(|rest| WRITES.iter().any(|verb| starts(rest, verb))))
}

/// What the annotations of a method without a body say that it does.
pub fn declared(facts: &MemberFacts) -> Does {
    let has = |names: &[&str]| facts.annotations.iter().any(|one| names.contains(&one.simple()));
    // Some libraries run any statement that `@Query` holds.
    let is_statement = |annotation: &Annotation| match annotation.arg("value") {
        Some(Value::Str(text)) => {
            let first = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
            ["insert", "update", "delete", "merge", "call"].contains(&first.as_str())
        }
        _ => false,
    };
    if has(WRITING) || facts.annotations.iter().any(is_statement) {
        return Does::Declared { reads: false };
    }
    if has(READING) { Does::Declared { reads: true } } else { Does::ByName }
}

/// Whether a call is of a class of the JDK that is taken to run no code but its own.
pub(super) fn is_of_jdk(callee: &str) -> bool {
    let runs_others = [
        "java.util.function.",
        "java.util.concurrent.",
        "java.util.ServiceLoader.",
        "java.lang.reflect.",
        "java.lang.Class.",
        "java.lang.Runnable.",
        "java.sql.",
    ];
    callee.starts_with("java.") && !runs_others.iter().any(|package| callee.starts_with(package))
}
