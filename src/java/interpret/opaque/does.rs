//! Effects of opaque calls, judged by the method's name, by annotations of its declaration, or by its code.

use crate::ir::facts::{Annotation, MemberFacts, Value};

/// Static methods of active record classes that store their arguments (Panache, `PanacheMongoEntityBase`).
pub(super) const STORES: [&str; 3] = ["persist", "persistOrUpdate", "update"];

/// Prefixes of method names that change nothing observable on their object.
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

/// Prefixes of method names that are called only for their result or exception. If the result is unused, such a call
/// has no effect.
const PLAIN: &[&str] = &[
    "get", "is", "has", "find", "exists", "count", "size", "contains", "read", "query", "search", "list", "equals",
    "hashCode", "compare", "values", "keys", "length", "matches", "supports", "can",
];

/// Verbs of writing methods that follow an `And` or `Or` in a name: `convertAndSend`, `findAndModify`, `getOrCreate`.
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

/// Methods that return another value each time, such as clocks and random sources.
pub(super) const READINGS: &[&str] =
    &["now", "currentTimeMillis", "nanoTime", "instant", "millis", "randomUUID", "random", "generate"];

/// Simple names of annotations of methods that only read (Spring Data, MyBatis, JDBI, HTTP clients), and of those
/// that write.
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

/// The effect of an opaque call on its receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallEffect {
    /// Judged by the method's name.
    ByName,
    /// Judged by annotations of the method.
    Declared {
        /// Whether it only reads.
        reads: bool,
    },
    /// Judged by the method's code, including the code that it calls.
    Known {
        /// Whether it writes anything.
        writes: bool,
    },
}

/// Whether a method's name says that it only reads.
pub fn reads(name: &str) -> bool {
    READS.iter().any(|start| starts(name, start)) && !also_writes(name)
}

/// Whether a step of a publisher or stream gives one with elements of the same type.
pub(super) fn keeps_elements(fqn: &str, name: &str) -> bool {
    const STEPS: [&str; 30] = [
        "cache",
        "checkpoint",
        "contextWrite",
        "defaultIfEmpty",
        "delayElements",
        "delaySubscription",
        "distinct",
        "distinctUntilChanged",
        "filter",
        "filterWhen",
        "hide",
        "limit",
        "limitRate",
        "log",
        "name",
        "onBackpressureBuffer",
        "peek",
        "publishOn",
        "repeat",
        "retry",
        "retryWhen",
        "skip",
        "sort",
        "sorted",
        "startWith",
        "subscribeOn",
        "switchIfEmpty",
        "tag",
        "take",
        "timeout",
    ];
    let is_chain = ["reactor.core.publisher.", "java.util.stream.", "io.smallrye.mutiny."];
    is_chain.iter().any(|start| fqn.starts_with(start))
        && (STEPS.contains(&name) || name.starts_with("do") || name.starts_with("onError"))
}

/// Whether objects of a JDK class never change, so that their methods only compute.
pub(super) fn is_frozen_value(fqn: &str) -> bool {
    const VALUES: [&str; 5] =
        ["java.net.URI", "java.util.Currency", "java.util.Locale", "java.util.UUID", "java.util.regex.Pattern"];
    fqn.starts_with("java.time.") && fqn != "java.time.Clock" || fqn.starts_with("java.math.") || VALUES.contains(&fqn)
}

/// Whether a constructor or method of the JDK only computes its result, or fails: of values that never change, and of
/// boxes of numbers.
pub(super) fn only_computes(callee: &str) -> bool {
    const BOXES: [&str; 8] = ["Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Short"];
    let class = callee.split('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(class, _)| class);
    is_frozen_value(class) || class.strip_prefix("java.lang.").is_some_and(|name| BOXES.contains(&name))
}

/// Whether a method's name says that it only reads, for a call whose result is unused.
pub(super) fn reads_in_vain(name: &str) -> bool {
    PLAIN.iter().any(|start| starts(name, start)) && !also_writes(name)
}

fn starts(name: &str, start: &str) -> bool {
    name.strip_prefix(start).is_some_and(|rest| rest.chars().next().is_none_or(|next| !next.is_lowercase()))
}

/// Whether a name contains a second verb that writes. Properties in a query name (`findByNameAndAddress`) are not
/// verbs.
fn also_writes(name: &str) -> bool {
    let verbs = name.split("By").next().unwrap_or(name);
    ["And", "Or"]
        .iter()
        .any(|joins| verbs.split(joins).skip(1).any(|rest| WRITES.iter().any(|verb| starts(rest, verb))))
}

/// The effect that annotations of a method without a body declare.
pub fn declared(facts: &MemberFacts) -> CallEffect {
    let has = |names: &[&str]| facts.annotations.iter().any(|one| names.contains(&one.simple()));
    // Some libraries execute any statement in `@Query`.
    let is_statement = |annotation: &Annotation| match annotation.arg("value") {
        Some(Value::Str(text)) => {
            let first = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
            ["insert", "update", "delete", "merge", "call"].contains(&first.as_str())
        }
        _ => false,
    };
    if has(WRITING) || facts.annotations.iter().any(is_statement) {
        return CallEffect::Declared { reads: false };
    }
    if has(READING) { CallEffect::Declared { reads: true } } else { CallEffect::ByName }
}

/// Whether the callee is a JDK class that is assumed to run no code of others.
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

/// Whether a call asks a servlet request for its HTTP method. Every operation has exactly one.
pub(super) fn asks_method(callee: &str) -> bool {
    let of_servlet = callee.strip_suffix(".servlet.http.HttpServletRequest.getMethod/0");
    of_servlet.is_some_and(|vendor| ["jakarta", "javax"].contains(&vendor))
}

/// Methods of `java.time` that accept null, according to their documentation.
const TAKING_NULL: [&str; 5] = ["appendLocalized", "equals", "getLocalizedDateTimePattern", "isSupported", "ofLocal"];

/// Whether a method of the JDK refuses null for each of its arguments, as its package says of every method that does not
/// say otherwise (documentation of `java.time` and of `java.math.BigDecimal`). Methods that set something optional
/// (`withZone`), and exceptions, accept null.
pub(super) fn takes_no_null(callee: &str, name: &str) -> bool {
    let refuses = ["java.time.", "java.math."].iter().any(|package| callee.starts_with(package));
    let is_exception = name == "<init>" && callee.contains("Exception");
    refuses && !TAKING_NULL.contains(&name) && !name.starts_with("with") && !is_exception
}

/// Prefixes of names of methods that may change their object, or give something else each time.
const MOVING: [&str; 17] = [
    "accept",
    "add",
    "apply",
    "call",
    "create",
    "decrement",
    "generate",
    "getAnd",
    "increment",
    "new",
    "next",
    "poll",
    "put",
    "random",
    "remove",
    "run",
    "take",
];

/// Whether a method may change its object or give something else each time, by its name.
pub(super) fn moves(name: &str) -> bool {
    MOVING.iter().any(|start| name.starts_with(start))
}
