//! Progress events: workers send them, and only the console prints.
//!
//! Comes in: events of workers. Goes out: the same events, for whoever listens. Never here: printing.

use std::sync::Arc;

/// A progress event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A stage begins; `total` is its number of steps, where known.
    Started {
        /// What the stage does, such as `reading Java`.
        what: String,
        /// Number of steps.
        total: Option<u64>,
    },
    /// One step of the current stage is done.
    Advanced {
        /// The step.
        what: String,
    },
    /// The current stage has ended.
    Finished {
        /// A summary with a number, on one line.
        what: String,
    },
    /// A message for the user.
    Said(String),
    /// A message for the user that is shown with `-v` only.
    Detail(String),
}

/// A handle for sending events; cheap to clone, usable from any thread.
#[derive(Clone)]
pub struct Events(Arc<dyn Fn(Event) + Send + Sync>);

impl Events {
    /// Sends every event to `sink`.
    pub fn new(sink: impl Fn(Event) + Send + Sync + 'static) -> Self {
        Self(Arc::new(sink))
    }

    /// Drops every event.
    pub fn silent() -> Self {
        Self::new(|_| {})
    }

    /// Sends one event.
    pub fn send(&self, event: Event) {
        (self.0)(event);
    }

    /// Reports the beginning of a stage.
    pub fn started(&self, what: impl Into<String>, total: Option<u64>) {
        self.send(Event::Started { what: what.into(), total });
    }

    /// Reports one step as done.
    pub fn advanced(&self, what: impl Into<String>) {
        self.send(Event::Advanced { what: what.into() });
    }

    /// Reports the end of the stage.
    pub fn finished(&self, what: impl Into<String>) {
        self.send(Event::Finished { what: what.into() });
    }

    /// Sends a message for the user.
    pub fn said(&self, what: impl Into<String>) {
        self.send(Event::Said(what.into()));
    }

    /// Sends a message that is shown with `-v` only.
    pub fn detail(&self, what: impl Into<String>) {
        self.send(Event::Detail(what.into()));
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Events")
    }
}
