//! Changes: differences in behaviour between base and head, and drift between code and document.

use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::manifest::Changed;
use crate::op_id::OpId;
use crate::suite::input::Input;
use crate::suite::oracle::Oracle;
use crate::suite::request::ANONYMOUS;

/// The sentence part for a parameter or field that lost a constraint.
pub const LOST_CONSTRAINT: &str = "no longer has the constraint";

/// The status code at the start of an answer written as text: `404` of `404 {"code":1}`.
pub fn status(answer: &str) -> Option<&str> {
    answer.split(' ').next().filter(|word| word.parse::<u16>().is_ok())
}

/// A difference in behaviour between base and head.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Change {
    /// 16 hexadecimal digits over operation, kind and what changed, the same on every run.
    pub id: String,
    /// The oracle it contradicts, where there is one.
    pub o_id: Option<String>,
    /// The sequence it contradicts, where there is one.
    pub s_id: Option<String>,
    /// The operation.
    pub op_id: OpId,
    /// Derived from code, seen in a slice, or seen on the service.
    pub kind: ChangeKind,
    /// What it does to clients.
    pub effect: ChangeEffect,
    /// One sentence: `answers 404 where it answered 200 (length of code outside 2..3)`.
    pub what: String,
    /// The condition under which it is so, which `what` repeats in brackets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// A request that base and head answer differently, where one was found.
    pub witness: Option<Witness>,
    /// What stubs give where it shows in slices, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// The behaviour of the base, in words.
    pub before: Option<String>,
    /// The behaviour of the head, in words.
    pub after: Option<String>,
    /// Where the base's code says so.
    pub evidence_before: Option<Place>,
    /// Where the head's code says so.
    pub evidence_after: Option<Place>,
    /// The edit that it follows from, where the operation's manifest names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<Edit>,
    /// Whether the head's own suite says the new expectation.
    pub accepted: bool,
    /// Whether somebody has to take or mend it: it contradicts the base's suite or breaks clients of an operation that has one, and is not accepted.
    #[serde(default)]
    pub needs_decision: bool,
    /// Whether it shows only where something else is amiss too: a value is null, a call fails, or base answers with an error as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seldom: bool,
    /// What else follows from the same change in the code: other requests, other operations. It counts with this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Change>,
}

impl Change {
    /// Whether it is about requests that failed in base with 5xx, and do so no longer.
    pub fn repairs(&self) -> bool {
        let fails = |answer: &Option<String>| answer.as_ref().is_some_and(|text| text.starts_with('5'));
        self.effect == ChangeEffect::Additive && fails(&self.before) && !fails(&self.after)
    }

    /// A change with nothing known but its operation, kind, effect and sentence.
    pub fn new(op_id: &OpId, kind: ChangeKind, effect: ChangeEffect, what: String) -> Self {
        Self {
            id: Self::identity(op_id, kind, &what),
            o_id: None,
            s_id: None,
            op_id: op_id.clone(),
            kind,
            effect,
            what,
            condition: None,
            witness: None,
            given: Vec::new(),
            before: None,
            after: None,
            evidence_before: None,
            evidence_after: None,
            edit: None,
            accepted: false,
            needs_decision: false,
            seldom: false,
            also: Vec::new(),
        }
    }

    /// A change seen by one oracle, sequence or request. Its id includes that test's id, so that the same sentence from
    /// another test is another change.
    pub fn of_request(op_id: &OpId, kind: ChangeKind, effect: ChangeEffect, (id, what): (&str, String)) -> Self {
        Self { id: Self::identity(op_id, kind, &format!("{id} {what}")), ..Self::new(op_id, kind, effect, what) }
    }

    /// Adds a condition, also in brackets at the end of the sentence.
    #[must_use]
    pub fn under(self, condition: &str) -> Self {
        if condition.is_empty() {
            return self;
        }
        Self { what: format!("{} ({condition})", self.what), condition: Some(condition.to_owned()), ..self }
    }

    /// The sentence without the condition in brackets.
    pub fn sentence(&self) -> &str {
        let within = self.condition.as_ref().and_then(|condition| self.what.strip_suffix(&format!(" ({condition})")));
        within.unwrap_or(&self.what)
    }

    /// The same change for another operation, with a new id.
    #[must_use]
    pub fn of_operation(self, op_id: &OpId) -> Self {
        Self { id: Self::identity(op_id, self.kind, &self.what), op_id: op_id.clone(), ..self }
    }

    /// The line of the head to show: that of the edit which caused the change, otherwise of the code that gives the new
    /// behaviour.
    pub fn line_of_head(&self) -> Option<&Place> {
        let edit = self.edit.as_ref().filter(|edit| edit.change != Changed::Removed);
        edit.and_then(|edit| edit.place.as_ref()).or(self.evidence_after.as_ref())
    }

    /// The place to show first, and whether it exists in the base only: that of the causing edit, otherwise of the code
    /// that gives the behaviour.
    pub fn first_place(&self) -> Option<(&Place, bool)> {
        let edit = self.edit.as_ref();
        let of_edit = edit.and_then(|edit| Some((edit.place.as_ref()?, edit.change == Changed::Removed)));
        let of_head = self.evidence_after.as_ref().map(|place| (place, false));
        of_edit.or(of_head).or_else(|| self.evidence_before.as_ref().map(|place| (place, true)))
    }

    /// This change and all changes with the same cause.
    pub fn with_also(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.also)
    }

    /// The key of a decision (`accept`) on this change: operation, request (or sentence) and both statuses. A derived
    /// and a seen change share it.
    pub fn decision_id(&self) -> String {
        let status = |answer: Option<&str>| answer.and_then(status).unwrap_or_default().to_owned();
        let of_witness = |witness: &Witness| {
            let statuses = (status(Some(&witness.before)), status(Some(&witness.after)));
            (format!("{} {}", witness.as_user, serde_json::to_string(&witness.input).unwrap_or_default()), statuses)
        };
        let (asked, (before, after)) = match &self.witness {
            Some(witness) => of_witness(witness),
            None => (self.what.clone(), (status(self.before.as_deref()), status(self.after.as_deref()))),
        };
        let parts = [self.op_id.as_str(), &asked, &before, &after];
        Hash::of_parts(parts.iter().map(|part| part.as_bytes())).short(16)
    }

    /// Whether the change breaks clients but contradicts no committed oracle, so that somebody has to decide on it.
    pub fn breaks_unsaid(&self) -> bool {
        self.effect == ChangeEffect::Breaking && !self.is_against()
    }

    /// Whether the change contradicts a committed oracle or sequence.
    pub fn is_against(&self) -> bool {
        self.o_id.is_some() || self.s_id.is_some()
    }

    /// The id of a change: a hash of operation, kind and sentence, without its place in the code.
    pub fn identity(op_id: &OpId, kind: ChangeKind, what: &str) -> String {
        let kind = match kind {
            ChangeKind::Derived => "derived",
            ChangeKind::Slice => "slice",
            ChangeKind::Seen => "seen",
        };
        Hash::of_parts([op_id.as_str().as_bytes(), kind.as_bytes(), what.as_bytes()]).short(16)
    }
}

/// How a change is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// From the code of both revisions.
    Derived,
    /// From the answers of both revisions' handlers in slices.
    Slice,
    /// From the answers of both revisions.
    Seen,
}

/// What a change does to clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeEffect {
    /// Clients that worked may fail.
    Breaking,
    /// Clients that worked go on working.
    Additive,
    /// Could not be told.
    Unclear,
}

impl ChangeEffect {
    /// The effect of another status on clients. Accepting what was refused as wrong input harms no client; accepting
    /// what was not found or not allowed may.
    pub fn of_statuses(before: u16, after: u16) -> Self {
        match (before, after) {
            (_, 500..) | (..400, _) => Self::Breaking,
            (400 | 405 | 406 | 415 | 422 | 500.., ..400) => Self::Additive,
            (_, ..400) => Self::Breaking,
            _ => Self::Unclear,
        }
    }

    /// The effect of another value at `path` in an answer with this status. A changed error text for people is unclear
    /// rather than breaking.
    pub fn of_value(status: u16, path: &str) -> Self {
        if is_wording(status, path) { Self::Unclear } else { Self::Breaking }
    }
}

/// Names of fields that hold an error text for people.
const SENTENCES: [&str; 9] =
    ["message", "detail", "details", "title", "description", "error_description", "reason", "defaultMessage", "msg"];

/// Whether `path` of an error answer holds text for people: the whole body as text, or a field named as in
/// `SENTENCES`.
pub fn is_wording(status: u16, path: &str) -> bool {
    let last = path.rsplit(['.', ']']).next().unwrap_or_default();
    let last = last.split('[').next().unwrap_or_default();
    status >= 400 && (path == "body" || SENTENCES.contains(&last))
}

/// A request with the answers of both revisions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Witness {
    /// Who sends it.
    #[serde(rename = "as", default = "anonymous", skip_serializing_if = "is_anonymous")]
    pub as_user: String,
    /// The request.
    pub input: Input,
    /// What the base answers, in words: `400`, `200 {"ok":true}`.
    pub before: String,
    /// What the head answers, in words.
    pub after: String,
}

impl Witness {
    /// Whether an oracle sends the same request as the same user.
    pub fn asks_as(&self, oracle: &Oracle) -> bool {
        self.as_user == oracle.as_user && self.input == oracle.input
    }
}

fn anonymous() -> String {
    ANONYMOUS.to_owned()
}

fn is_anonymous(user: &str) -> bool {
    user == ANONYMOUS
}

/// A place in a file of one revision; stands in reports only, never in committed files.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Place {
    /// Path from the repository's root.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Last line, from 1.
    pub end_line: u32,
    /// The symbol that stands there.
    pub symbol: String,
}

/// What a change in behaviour follows from: one input of the operation's manifest that base and head do not have alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Edit {
    /// `file#member`, or the name of an input that is no member.
    pub input: String,
    /// What happened to it.
    pub change: Changed,
    /// Its first line that differs, in the head; in the base where the head does not have it. None for what stands in no Java file.
    pub place: Option<Place>,
}

/// Kinds of disagreement between code and document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriftKind {
    /// A route of the code that the document lacks.
    UndocumentedRoute,
    /// An operation of the document without a handler.
    UnmatchedOperation,
    /// A status that the code answers and the document lacks.
    UndocumentedStatus,
    /// A status of the document that no path of the code ends in, all paths being known.
    UnreachableStatus,
    /// A parameter of the code that the document lacks.
    UndocumentedParameter,
    /// A parameter of the document that the code does not read.
    UnreadParameter,
    /// A bound, type or requiredness that differs.
    ConstraintMismatch,
    /// A response field of the code that the document lacks.
    UndocumentedField,
    /// A response field of the document that the code does not give.
    MissingField,
}

/// One disagreement between code and document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Drift {
    /// The operation.
    pub op_id: OpId,
    /// What sort of disagreement.
    pub kind: DriftKind,
    /// One sentence for people.
    pub what: String,
    /// Where the code says so.
    pub code: Option<Place>,
    /// `file#/pointer` of the document.
    pub document: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_errors_sentence_is_no_break_and_its_code_is() {
        assert_eq!(ChangeEffect::of_value(422, "message"), ChangeEffect::Unclear);
        assert_eq!(ChangeEffect::of_value(400, "errors[0].message"), ChangeEffect::Unclear);
        assert_eq!(ChangeEffect::of_value(400, "code"), ChangeEffect::Breaking);
        assert_eq!(ChangeEffect::of_value(200, "message"), ChangeEffect::Breaking);
    }

    #[test]
    fn what_was_taken_and_is_refused_breaks() {
        assert_eq!(ChangeEffect::of_statuses(200, 404), ChangeEffect::Breaking);
        assert_eq!(ChangeEffect::of_statuses(422, 200), ChangeEffect::Additive);
        assert_eq!(ChangeEffect::of_statuses(404, 200), ChangeEffect::Breaking);
        assert_eq!(ChangeEffect::of_statuses(422, 404), ChangeEffect::Unclear);
        assert_eq!(ChangeEffect::of_statuses(422, 500), ChangeEffect::Breaking);
    }
}
