//! Events between work and display: workers send them, only the console prints.

use std::sync::Arc;

/// Something that happened during work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A stage begins; `total` is the number of things it will go through, where that is known.
    Started {
        /// What the stage does, such as `reading Java`.
        what: String,
        /// How much there is.
        total: Option<u64>,
    },
    /// One more thing of the current stage is done.
    Advanced {
        /// What was done.
        what: String,
    },
    /// The current stage is over.
    Finished {
        /// One countable line.
        what: String,
    },
    /// A sentence for the user at normal verbosity.
    Said(String),
    /// A sentence for the user at `-v`.
    Detail(String),
}

/// Where events go; cheap to clone, usable from any thread.
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

    /// A stage begins.
    pub fn started(&self, what: impl Into<String>, total: Option<u64>) {
        self.send(Event::Started { what: what.into(), total });
    }

    /// One more thing is done.
    pub fn advanced(&self, what: impl Into<String>) {
        self.send(Event::Advanced { what: what.into() });
    }

    /// The stage is over.
    pub fn finished(&self, what: impl Into<String>) {
        self.send(Event::Finished { what: what.into() });
    }

    /// A sentence for the user.
    pub fn said(&self, what: impl Into<String>) {
        self.send(Event::Said(what.into()));
    }

    /// A sentence for `-v`.
    pub fn detail(&self, what: impl Into<String>) {
        self.send(Event::Detail(what.into()));
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Events")
    }
}
