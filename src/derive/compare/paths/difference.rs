//! A difference between base and head: its kind, its location in the value, and both values in words.

use std::rc::Rc;

use mastor_java::interpret::opaque::calls::QUERY;
use mastor_java::interpret::values::term::{Canon, Opaque, Origin};

/// One step on the path to the differing part, outermost first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A field, an element, a key.
    Part(Rc<str>),
    /// The status of an answer object.
    Status,
    /// An argument of a call, by the method's simple name.
    Argument(Rc<str>),
    /// The return value of a lambda or other function object.
    Gives,
}

/// The result of comparing two values, answers or sequences of events.
#[derive(Debug, Clone)]
pub enum Comparison {
    /// They are the same.
    Alike,
    /// They differ under some assignment.
    Differs(Difference),
    /// Undecided, with the reason.
    Open(String),
}

/// The part of two joint paths that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DifferenceKind {
    /// The status.
    Status,
    /// The result: the answer, or the value that a member returns or throws.
    Given,
    /// Whether a call is made.
    Call,
    /// Which of two calls comes first.
    Order,
    /// How often a call is made, if both sides make it; the call in words.
    Times(Rc<str>),
    /// An argument of a call, in words.
    Argument(Rc<str>),
    /// The final state of an object, in words.
    Left(Rc<str>),
    /// The value of an expression within a member.
    Computed,
    /// The content of an exception, by its class.
    Thrown(Rc<str>),
}

/// How two values differ.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The kind of value.
    pub of: DifferenceKind,
    /// Path to the difference, from the outermost step.
    pub place: Vec<Step>,
    /// The value in base.
    pub before: String,
    /// The value in head.
    pub after: String,
}

/// Stands for the value of a missing key in a map.
pub const NO_KEY: &str = "no such key";

/// Stands for a value that cannot be described: a lambda, an object that a library keeps.
pub const SEALED: &str = "what a library keeps";

/// Stands for the second value if two arguments that read alike were swapped.
pub const SWAPPED: &str = "its arguments swapped";

/// The opaque calls on which a value depends.
pub fn calls(value: &Canon) -> Vec<Rc<Opaque>> {
    let mut all = Vec::new();
    value.opaque(&mut all);
    all.retain(|one| one.origin == Origin::Call);
    all
}

/// A collection in words, without the number of its elements; `None` for other values.
pub(super) fn collection(value: &Canon) -> Option<String> {
    let Canon::Object(class, _) = value else { return None };
    match &**class {
        "list" | "set" | "map" => Some(format!("a {class}")),
        "bag" => Some("a set".to_owned()),
        _ => None,
    }
}

/// A value in words for readers.
pub fn words(value: &Canon) -> String {
    match value {
        Canon::Term(term) => term.to_string(),
        Canon::Truth(truth) => truth.words(),
        Canon::Named(name) | Canon::Unknown(name) => name.to_string(),
        Canon::Object(class, parts) if matches!(&**class, "list" | "set" | "map") => {
            format!("a {class} of {}", parts.len())
        }
        Canon::Object(class, parts) if &**class == "bag" => format!("a set of {}", parts.len()),
        Canon::Object(class, _) if &**class == "pairs" => "a map".to_owned(),
        Canon::Object(class, _) => class.rsplit('.').next().unwrap_or(class).to_owned(),
        Canon::Again(_) => "the same object".to_owned(),
        Canon::Sealed(_) => SEALED.to_owned(),
    }
}

/// Queries that every repository has, each with its number of arguments.
const GIVEN: [&str; 6] = ["findById/1", "findAll/0", "findAll/1", "findAllById/1", "existsById/1", "count/0"];

/// Whether both callees are query methods of one repository. Their queries differ, so each may find rows that the other
/// does not find.
pub fn are_queries(one: &str, other: &str) -> bool {
    let is_said = |callee: &str| callee.contains(QUERY);
    let repository = |callee: &'_ str| -> Option<String> {
        let (repository, method) = callee.split_once('#')?;
        (is_said(callee) || GIVEN.contains(&method)).then(|| repository.to_owned())
    };
    // Both find the row with one key, and differ in the return type only.
    let is_by_key = |callee: &str| callee.ends_with("#findById/1") || callee.contains("#query find by Id (");
    (is_said(one) || is_said(other))
        && !(is_by_key(one) && is_by_key(other))
        && repository(one).is_some()
        && repository(one) == repository(other)
}
