//! Outcomes: the result of running an oracle or a sequence on a service.

use serde::{Deserialize, Serialize};

use crate::http::Method;
use crate::op_id::OpId;
use crate::suite::assertion::Check;

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
    /// All five, in counting order.
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

/// The result of one oracle or sequence.
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
    /// Expectations that were not met.
    pub misses: Vec<Miss>,
    /// The reason of the verdict, where the misses do not give it.
    pub reason: Option<String>,
    /// Requests with their answers: of oracles that did not hold, or of all on request.
    pub exchanges: Vec<Exchange>,
    /// Total seconds, including mastor's own work.
    pub seconds: f64,
    /// Seconds spent waiting for the service.
    pub service_seconds: f64,
}

impl Outcome {
    /// Whether every request was answered with 4xx, which leaves the state of the service as it was. `false` where no
    /// exchanges were kept.
    pub fn was_refused(&self) -> bool {
        let refused =
            |exchange: &Exchange| exchange.answer.as_ref().is_ok_and(|answer| (400..500).contains(&answer.status));
        !self.exchanges.is_empty() && self.exchanges.iter().all(refused)
    }
}

/// One expectation that was not met.
#[derive(Debug, Clone, PartialEq)]
pub struct Miss {
    /// Step of the sequence, counted from 0; 0 for an oracle.
    pub step: usize,
    /// What was expected, with captured values filled in.
    pub expected: Expected,
    /// Concrete path of the field that missed (`items[2].id`); empty unless a field below the root missed.
    pub at: String,
    /// What was seen instead, as JSON or as text, shortened.
    pub seen: String,
}

/// The kinds of expectation.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// An assertion of the oracle or step.
    Assertion {
        /// Index in the list of assertions.
        index: usize,
        /// The check.
        check: Check,
    },
    /// A value that later steps need.
    Capture {
        /// Name of the capture.
        name: String,
        /// The place in the answer that it is taken from.
        from: String,
    },
    /// Any answer at all.
    Answer,
}

/// A request as sent, and its answer. Credentials are shown as `***`.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// Step of the sequence, counted from 0.
    pub step: usize,
    /// The operation.
    pub op_id: OpId,
    /// The user whose credentials were sent.
    pub as_user: String,
    /// HTTP method.
    pub method: Method,
    /// The absolute URL.
    pub url: String,
    /// Headers as sent, with names as the oracle writes them.
    pub headers: Vec<(String, String)>,
    /// The body as sent, if any.
    pub body: Option<Vec<u8>>,
    /// The answer, or why there is none.
    pub answer: Result<Answer, NoAnswer>,
}

/// An answer of the service.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Status code.
    pub status: u16,
    /// Headers in order, names in lower case; invalid UTF-8 is replaced.
    pub headers: Vec<(String, String)>,
    /// The body, truncated at the run's limit.
    pub body: Vec<u8>,
    /// Whether the body was longer than that limit.
    pub cut: bool,
    /// Milliseconds from sending to the last byte read.
    pub millis: f64,
}

impl Answer {
    /// The values of this header in order; `name` is in lower case.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The first value of this header; `name` is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The media type without parameters, in lower case; empty without one.
    pub fn media_type(&self) -> String {
        let value = self.header("content-type").unwrap_or_default();
        value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// The body as text; invalid UTF-8 is replaced.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoAnswer {
    /// The request cannot be written as HTTP, a fault of the oracle. Nothing was sent.
    #[error("the request cannot be sent: {why}")]
    Unsendable {
        /// What HTTP does not allow.
        why: String,
    },
    /// The auth file has no such user. Nothing was sent.
    #[error("nothing says how to authenticate as `{user}`")]
    NoUser {
        /// The user.
        user: String,
    },
    /// The user could not log in. Nothing but the login was sent.
    #[error("`{user}` could not log in: {why}")]
    NoLogin {
        /// The user.
        user: String,
        /// Why the login failed.
        why: String,
    },
    /// The connection failed. Nothing was sent.
    #[error("no connection: {why}")]
    Refused {
        /// Error message of the operating system.
        why: String,
    },
    /// The service did not answer within the limit.
    #[error("no answer within {seconds} s")]
    TimedOut {
        /// The limit in seconds.
        seconds: f64,
    },
    /// The service closed the connection before the answer's headers were complete.
    #[error("the connection was closed before an answer came")]
    Closed,
    /// The service closed the connection within the body.
    #[error("the answer ended after {bytes} bytes of its body, before its end")]
    Truncated {
        /// Bytes of the body that were read.
        bytes: usize,
    },
    /// The answer is not valid HTTP.
    #[error("the answer is no HTTP: {why}")]
    Garbled {
        /// What is invalid.
        why: String,
    },
}

impl NoAnswer {
    /// Whether the service may have stopped, so that the verdict has to wait until it has been checked.
    pub fn may_be_gone(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::Closed | Self::Truncated { .. } | Self::TimedOut { .. })
    }
}
