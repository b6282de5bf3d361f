//! What conditions ask of the path and the method of a request, and what the operation's own requests say about it. Code
//! around handlers serves all operations, but a request of one of them has that operation's path.

use std::collections::BTreeMap;

use mastor_frameworks::endpoint::Endpoint;
use mastor_frameworks::paths::join;
use mastor_frameworks::spring::security::patterns::covers;
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::values::function::Function;
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::{Canon, Opaque, Origin, Term};

/// The owner of the methods of a request (Servlet API).
const REQUEST: &str = ".servlet.http.HttpServletRequest";
/// The method that gives the path of a request with the context path.
const WHOLE: &str = ".getRequestURI/0";
/// The method that gives the path without the context path.
const WITHIN: &str = ".getServletPath/0";
/// The method that gives the method of a request.
const METHOD: &str = ".getMethod/0";
/// Methods of matchers that take a pattern and a path (Spring, `PathMatcher`).
const MATCH: &str = ".match/2";

/// The part of a request that a condition asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    /// Its path, with the context path.
    Whole,
    /// Its path, without the context path.
    Within,
    /// Its method.
    Method,
}

/// How the part is held against a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    Equals,
    StartsWith,
    EndsWith,
    Contains,
    /// A pattern in the style of Ant.
    Matches,
}

/// A condition about a request's path or method alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::compare) struct RequestTest {
    subject: Subject,
    relation: Relation,
    text: String,
}

impl RequestTest {
    /// The test that an elementary condition makes; `None` if it is about something else.
    pub(in crate::compare) fn of(cond: &Cond) -> Option<Self> {
        let of = |subject, relation, text: &Term| Some(Self { subject, relation, text: constant(text)? });
        match cond {
            Cond::Same(a, b) => match (subject(a), subject(b)) {
                (Some(subject), None) => of(subject, Relation::Equals, b),
                (None, Some(subject)) => of(subject, Relation::Equals, a),
                _ => None,
            },
            Cond::Test(term) => match &**term {
                Term::Apply(function, parts) => {
                    let [on, text] = parts.as_slice() else { return None };
                    let relation = match function {
                        Function::StartsWith => Relation::StartsWith,
                        Function::EndsWith => Relation::EndsWith,
                        Function::Contains => Relation::Contains,
                        _ => return None,
                    };
                    of(subject(on)?, relation, text)
                }
                Term::Opaque(call) if call.callee.ends_with(MATCH) => {
                    let mut terms = call.operands.iter().filter(|operand| !operand.is_mark()).skip(1);
                    let (Canon::Term(pattern), Canon::Term(path)) = (terms.next()?, terms.next()?) else { return None };
                    of(subject(path)?, Relation::Matches, pattern)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the requests of an operation meet it; `None` if only some do, or if that is not known.
    pub(in crate::compare) fn holds(&self, endpoint: &Endpoint) -> Option<bool> {
        let text = self.text.as_str();
        let path = match self.subject {
            Subject::Method => {
                let own = endpoint.method.as_str();
                return (self.relation == Relation::Equals).then_some(own == text);
            }
            Subject::Whole => join(&endpoint.context_path, &endpoint.path),
            // Whether a prefix is that of the application or of the servlet is not known.
            Subject::Within if !endpoint.context_path.is_empty() => return None,
            Subject::Within => endpoint.path.clone(),
        };
        if [&path, &endpoint.raw_path].iter().any(|one| one.contains(['*', '$'])) {
            return None;
        }
        // A variable may stand for several segments.
        let is_plain = !endpoint.raw_path.contains(':') && !endpoint.raw_path.contains("{*");
        let literals: Vec<&str> = path.split(['{', '}']).step_by(2).collect();
        match (self.relation, path.contains('{')) {
            (Relation::Equals, false) => Some(path == text),
            (Relation::StartsWith, false) => Some(path.starts_with(text)),
            (Relation::EndsWith, false) => Some(path.ends_with(text)),
            (Relation::Contains, false) => Some(path.contains(text)),
            (Relation::Matches, false) => covers(text, &path),
            (_, true) if !is_plain => None,
            (Relation::Equals, true) => (!may_be(&path, text, false)).then_some(false),
            (Relation::StartsWith, true) if path.starts_with(text) && !text.contains('{') => Some(true),
            (Relation::StartsWith, true) => (!may_be(&path, text, true)).then_some(false),
            (Relation::EndsWith, true) => {
                let last = literals.last().copied().unwrap_or_default();
                match last.ends_with(text) {
                    true => Some(true),
                    false => (!text.ends_with(last)).then_some(false),
                }
            }
            (Relation::Contains, true) => literals.iter().any(|literal| literal.contains(text)).then_some(true),
            (Relation::Matches, true) => covers(text, &path),
        }
    }

    /// All elementary conditions about the request in a condition.
    pub(in crate::compare) fn within(cond: &Cond, into: &mut BTreeMap<Self, Cond>) {
        match cond {
            Cond::Not(inner) => Self::within(inner, into),
            Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|part| Self::within(part, into)),
            cond => into.extend(Self::of(cond).map(|test| (test, cond.clone()))),
        }
    }
}

/// Whether a path of this form may be the text, or may start with it (`is_beginning`). Each variable of the form stands for
/// a segment or for a part of one.
fn may_be(form: &str, text: &str, is_beginning: bool) -> bool {
    let (form, text): (Vec<&str>, Vec<&str>) = (form.split('/').collect(), text.split('/').collect());
    let fits = |(at, part): (usize, &&str)| match form.get(at) {
        Some(own) if own.contains('{') => is_beginning && at + 1 == text.len() || !part.is_empty(),
        Some(own) if is_beginning && at + 1 == text.len() => own.starts_with(part),
        Some(own) => own == part,
        None => false,
    };
    (is_beginning || form.len() == text.len()) && text.iter().enumerate().all(fits)
}

/// The part of a request that a term stands for.
fn subject(term: &Term) -> Option<Subject> {
    match term {
        Term::Opaque(call) => of_call(call),
        _ => None,
    }
}

fn of_call(call: &Opaque) -> Option<Subject> {
    let is_of_request = |method: &str| {
        let owner = call.callee.strip_suffix(method);
        owner.is_some_and(|owner| {
            owner.ends_with(REQUEST) && (owner.starts_with("jakarta") || owner.starts_with("javax"))
        })
    };
    match () {
        () if call.origin != Origin::Call => None,
        () if is_of_request(WHOLE) => Some(Subject::Whole),
        () if is_of_request(WITHIN) => Some(Subject::Within),
        () if is_of_request(METHOD) => Some(Subject::Method),
        () => None,
    }
}

/// A constant text.
fn constant(term: &Term) -> Option<String> {
    match term {
        Term::Const(Scalar::Str(text)) => Some(text.text.to_string()),
        _ => None,
    }
}
