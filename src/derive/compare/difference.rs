//! A difference between base and head: of what it is, where it stands, and the two values in words.

use std::rc::Rc;

use crate::java::interpret::opaque::calls::QUERY;
use crate::java::interpret::term::{Canon, Opaque, Origin};

/// One step on the way to what differs, from the outermost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A field, an element, a key.
    Part(Rc<str>),
    /// The status of an answer that code makes.
    Status,
    /// What a method is called with: its simple name.
    Argument(Rc<str>),
    /// What a function gives that something is handed.
    Gives,
}

/// What comparing two values, answers or sequences of events came to.
#[derive(Debug, Clone)]
pub enum Told {
    /// They are the same.
    Alike,
    /// An assignment parts them.
    Differs(Difference),
    /// Neither is told, and why.
    Open(String),
}

/// What of two joint paths differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Of {
    /// The status.
    Status,
    /// What is given: the answer, or what a member returns or throws.
    Given,
    /// Whether something is called.
    Call,
    /// What something is called with, in words.
    Argument(Rc<str>),
    /// How an object is left, in words.
    Left(Rc<str>),
    /// The value of an expression within a member.
    Computed,
    /// What an exception carries, by its class.
    Thrown(Rc<str>),
}

/// How two values differ.
#[derive(Debug, Clone)]
pub struct Difference {
    /// Of what they are.
    pub of: Of,
    /// Where, from the outermost step.
    pub place: Vec<Step>,
    /// What stands there in base.
    pub before: String,
    /// What stands there in head.
    pub after: String,
}

/// What stands for the value of a key that a map does not have.
pub const NO_KEY: &str = "no such key";

/// A value of which nothing can be said: a lambda, an object that a library keeps.
pub const SEALED: &str = "what a library keeps";

/// What stands in place of the other value where two arguments of a call that read alike changed places.
pub const SWAPPED: &str = "its arguments swapped";

/// The calls that are not followed and that a value rests on.
pub fn calls(value: &Canon) -> Vec<Rc<Opaque>> {
    let mut all = Vec::new();
    value.opaque(&mut all);
    all.retain(|one| one.origin == Origin::Call);
    all
}

/// A value for people.
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

/// Queries that every repository has, with the number of their arguments.
const GIVEN: [&str; 6] = ["findById/1", "findAll/0", "findAll/1", "findAllById/1", "existsById/1", "count/0"];

/// Whether both callees are query methods of one repository: what they ask for differs, so some rows are given by one alone.
pub fn are_queries(one: &str, other: &str) -> bool {
    let is_said = |callee: &str| callee.contains(QUERY);
    let repository = |callee: &'_ str| -> Option<String> {
        let (repository, method) = callee.split_once('#')?;
        (is_said(callee) || GIVEN.contains(&method)).then(|| repository.to_owned())
    };
    // The row of one key, handed over in another type.
    let is_by_key = |callee: &str| callee.ends_with("#findById/1") || callee.contains("#query find by Id (");
    (is_said(one) || is_said(other))
        && !(is_by_key(one) && is_by_key(other))
        && repository(one).is_some()
        && repository(one) == repository(other)
}
