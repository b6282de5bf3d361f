//! Assertions: what must be seen of an answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that must be seen of the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Assertion {
    /// What is checked.
    #[serde(flatten)]
    pub check: Check,
    /// Whether it was derived from code or seen on the running service.
    #[serde(default, skip_serializing_if = "Source::is_derived")]
    pub source: Source,
}

impl Assertion {
    /// An assertion derived from code.
    pub fn derived(check: Check) -> Self {
        Self { check, source: Source::Derived }
    }
}

/// Where an expectation comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// From code.
    #[default]
    Derived,
    /// From the running service.
    Observed,
}

impl Source {
    fn is_derived(&self) -> bool {
        *self == Self::Derived
    }
}

/// The kinds of assertions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Check {
    /// The status code.
    Status {
        /// One code, or the codes that are allowed.
        expected: StatusSet,
    },
    /// A field of a JSON body.
    Field {
        /// Dotted path with `[0]`, `[*]` (every element: an empty array holds, anything else than an array breaks), `[?]` (at least one element)
        /// and `[]` (what follows, of each element, as one list: `lines[].sku`); a backslash takes the character behind it as it is (`a\\.b` is one key); `""` is the whole body. A body is its JSON value; one that is not JSON by its media
        /// type, and is no object or array, is one string. An empty body is absent.
        path: String,
        /// Operator.
        op: FieldOp,
        /// Operand; absent for operators that take none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<Value>,
    },
    /// A response header.
    Header {
        /// Name, in any letter case.
        name: String,
        /// Operator.
        op: FieldOp,
        /// Operand; absent for operators that take none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<Value>,
    },
    /// The body as a whole.
    Body {
        /// Operator.
        op: BodyOp,
        /// Operand of `media_type`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<String>,
    },
}

/// One status code or several.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum StatusSet {
    /// Exactly this one.
    One(u16),
    /// One of these.
    Many(Vec<u16>),
}

impl StatusSet {
    /// The allowed codes.
    pub fn codes(&self) -> Vec<u16> {
        match self {
            Self::One(code) => vec![*code],
            Self::Many(codes) => codes.clone(),
        }
    }
}

/// Operators on a field or header: the paper's seven, and eleven more. In an operand, the text `$captures.name` stands for a captured value and
/// `$body.path` for a value of the same answer; `{$captures.name}` and `{$body.path}` stand inside of a text. Strings are ordered by UTF-16 units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldOp {
    /// Equal as JSON values; numbers by value, and where one is written with a fraction or exponent, as the nearest double too. Without an
    /// operand: equal to null.
    Equals,
    /// There, and not null.
    NotNull,
    /// There, and null.
    IsNull,
    /// A number at least this, or a string not before it.
    Gte,
    /// A number at most this, or a string not behind it.
    Lte,
    /// A string in which this regular expression is found somewhere.
    Matches,
    /// Has this JSON type: `string`, `number`, `integer` (a number without fraction, however written), `boolean`, `array`, `object`, `null`.
    Type,
    /// Not there.
    Absent,
    /// A number below this, or a string before it.
    Lt,
    /// A number above this, or a string behind it.
    Gt,
    /// A string that contains this, or an array with this element.
    Contains,
    /// A string that does not contain this, or an array without this element.
    ContainsNot,
    /// A number that differs from `value` by at most `within`, as doubles.
    Near,
    /// An array of numbers, or of strings, in this order: `ascending` or `descending`; equal neighbours are in both.
    Sorted,
    /// Equal to one of these.
    OneOf,
    /// Has this length: string (in UTF-16 units, as Java counts), array or object.
    Length,
    /// An object with exactly these keys.
    Keys,
    /// An array with these elements in any order, as multisets.
    SameItems,
}

/// Operators on the body as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BodyOp {
    /// No byte.
    Empty,
    /// At least one byte.
    NotEmpty,
    /// `Content-Type` has this media type, parameters aside.
    MediaType,
}

/// The status codes that the status assertion among these allows; empty without one.
pub fn statuses(assertions: &[Assertion]) -> Vec<u16> {
    assertions
        .iter()
        .find_map(|a| if let Check::Status { expected } = &a.check { Some(expected.codes()) } else { None })
        .unwrap_or_default()
}
