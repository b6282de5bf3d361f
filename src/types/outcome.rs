//! Outcomes: what running an oracle or a sequence on a service has shown.

use serde::{Deserialize, Serialize};

use super::http::Method;
use super::op_id::OpId;
use super::oracle::Check;

/// The verdict of a run: never a bool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunVerdict {
    /// Every assertion was seen.
    Held,
    /// An assertion was not seen, and the oracle counts: it was confirmed once, or a person wrote it.
    Broken,
    /// An assertion was not seen, and it never held before: the candidate was wrong.
    Refuted,
    /// Whether it holds could not be told.
    Inconclusive,
    /// It was not run.
    Skipped,
}

impl RunVerdict {
    /// All five, in the order in which they are counted.
    pub const ALL: [Self; 5] = [Self::Held, Self::Broken, Self::Refuted, Self::Inconclusive, Self::Skipped];

    /// The name in files and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Broken => "broken",
            Self::Refuted => "refuted",
            Self::Inconclusive => "inconclusive",
            Self::Skipped => "skipped",
        }
    }
}

/// What came of one oracle or sequence.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// `o_id` or `s_id`.
    pub id: String,
    /// The operations of its steps, in order.
    pub op_ids: Vec<OpId>,
    /// Its readable name.
    pub test_id: String,
    /// The verdict.
    pub verdict: RunVerdict,
    /// What was expected and not seen.
    pub misses: Vec<Miss>,
    /// Why the verdict is what it is, where the misses do not say so.
    pub reason: Option<String>,
    /// The requests with their answers: of those that did not hold, or of all where that was asked for.
    pub exchanges: Vec<Exchange>,
    /// Seconds it took, with everything of ours.
    pub seconds: f64,
    /// Seconds of it that the service took.
    pub service_seconds: f64,
}

impl Outcome {
    /// Whether every request of it was refused as the client's fault, which leaves a service's state as it was; not where none is kept.
    pub fn was_refused(&self) -> bool {
        let refused =
            |exchange: &Exchange| exchange.answer.as_ref().is_ok_and(|answer| (400..500).contains(&answer.status));
        !self.exchanges.is_empty() && self.exchanges.iter().all(refused)
    }
}

/// One thing that was expected and not seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Miss {
    /// Step of the sequence, from 0; 0 for an oracle.
    pub step: usize,
    /// What was expected, with captured values filled in.
    pub expected: Expected,
    /// The concrete path of the field that missed (`items[2].id`); empty for anything but a field below the root.
    pub at: String,
    /// What was seen, as JSON or in words; shortened.
    pub seen: String,
}

/// What can be expected.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// The assertion at this place of its list.
    Assertion {
        /// Its place, from 0.
        index: usize,
        /// What is checked.
        check: Check,
    },
    /// A value that later steps need.
    Capture {
        /// Its name.
        name: String,
        /// Where it is taken from.
        from: String,
    },
    /// An answer at all.
    Answer,
}

/// A request as it was sent and what came of it. Nothing in it holds a secret: values of credentials stand as `***`.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// Step of the sequence, from 0.
    pub step: usize,
    /// The operation.
    pub op_id: OpId,
    /// The user it was sent as.
    pub as_user: String,
    /// The method.
    pub method: Method,
    /// The whole URL.
    pub url: String,
    /// Headers as sent, names as the oracle writes them.
    pub headers: Vec<(String, String)>,
    /// The body as sent; absent for none.
    pub body: Option<Vec<u8>>,
    /// What came back.
    pub answer: Result<Answer, NoAnswer>,
}

/// An answer of the service.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Status code.
    pub status: u16,
    /// Headers in order, names in lower case; bytes that are no UTF-8 are replaced.
    pub headers: Vec<(String, String)>,
    /// The body, at most the limit of the run.
    pub body: Vec<u8>,
    /// Whether the body went on beyond that limit.
    pub cut: bool,
    /// Milliseconds from sending to the last byte that was read.
    pub millis: f64,
}

impl Answer {
    /// The values of this header, in order; `name` in lower case.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The first value of this header; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The media type without parameters, in lower case; empty where there is none.
    pub fn media_type(&self) -> String {
        let value = self.header("content-type").unwrap_or_default();
        value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// The body as text; bytes that are no UTF-8 are replaced.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoAnswer {
    /// The oracle's fault: the request cannot be written as HTTP. Nothing was sent.
    #[error("the request cannot be sent: {why}")]
    Unsendable {
        /// What stands against it.
        why: String,
    },
    /// Nobody said how to authenticate as this user. Nothing was sent.
    #[error("nothing says how to authenticate as `{user}`")]
    NoUser {
        /// The user.
        user: String,
    },
    /// The user could not log in. Nothing else was sent.
    #[error("`{user}` could not log in: {why}")]
    NoLogin {
        /// The user.
        user: String,
        /// What came of it.
        why: String,
    },
    /// No connection. Nothing was sent.
    #[error("no connection: {why}")]
    Refused {
        /// What the system said.
        why: String,
    },
    /// The service took too long.
    #[error("no answer within {seconds} s")]
    TimedOut {
        /// The limit.
        seconds: f64,
    },
    /// The service closed the connection before the head of an answer was there.
    #[error("the connection was closed before an answer came")]
    Closed,
    /// The service closed the connection within the body.
    #[error("the answer ended after {bytes} bytes of its body, before its end")]
    Truncated {
        /// How much had come.
        bytes: usize,
    },
    /// What came is no HTTP.
    #[error("the answer is no HTTP: {why}")]
    Garbled {
        /// What is wrong with it.
        why: String,
    },
}

impl NoAnswer {
    /// Whether the service may be gone, so that nobody can tell whether the oracle holds before someone has looked.
    pub fn may_be_gone(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::Closed | Self::Truncated { .. } | Self::TimedOut { .. })
    }
}
