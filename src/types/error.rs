//! Exit codes of the `mastor` command, and failures with a message and a hint.
//!
//! Comes in: nothing. Goes out: types of exits and failures. Never here: printing.

/// How a run ended. Where several apply, the first in [`Exit::ORDER`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// No findings, or only informational ones.
    Clean,
    /// A behaviour change or broken oracle that is not accepted.
    BehaviourChange,
    /// The command line, `mastor.toml` or the OpenAPI document is invalid.
    Usage,
    /// No operations were found, or nothing was run although something should have been.
    Nothing,
    /// The service under test could not be built, started, reached or reset.
    NotReady,
    /// The base revision is not in this clone.
    BaseMissing,
    /// The budget for models was used up with work left.
    BudgetSpent,
    /// The model was unavailable with work left.
    ModelUnavailable,
    /// The run was stopped by a person or a CI system; all processes that it started have ended.
    Interrupted,
    /// An internal error of `mastor`, or a fault of the machine such as a full disk.
    Internal,
}

impl Exit {
    /// Priority of exits where several apply, the highest first.
    pub const ORDER: [Self; 10] = [
        Self::Interrupted,
        Self::Internal,
        Self::Usage,
        Self::BaseMissing,
        Self::NotReady,
        Self::Nothing,
        Self::BehaviourChange,
        Self::ModelUnavailable,
        Self::BudgetSpent,
        Self::Clean,
    ];

    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::BehaviourChange => 1,
            Self::Usage => 2,
            Self::Nothing => 3,
            Self::NotReady => 4,
            Self::BaseMissing => 5,
            Self::BudgetSpent => 6,
            Self::ModelUnavailable => 8,
            Self::Interrupted => 130,
            Self::Internal => 70,
        }
    }

    /// The name printed with the code.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::BehaviourChange => "behaviour-change",
            Self::Usage => "usage-or-configuration",
            Self::Nothing => "nothing-found-or-run",
            Self::NotReady => "service-not-ready",
            Self::BaseMissing => "base-revision-missing",
            Self::BudgetSpent => "budget-spent",
            Self::ModelUnavailable => "model-unavailable",
            Self::Interrupted => "interrupted",
            Self::Internal => "internal",
        }
    }

    /// The exit with the highest priority in [`Exit::ORDER`]; clean for none.
    pub fn worst(exits: impl IntoIterator<Item = Self>) -> Self {
        let place = |exit: &Self| Self::ORDER.iter().position(|other| other == exit);
        exits.into_iter().min_by_key(place).unwrap_or(Self::Clean)
    }
}

/// A failure as shown to the user: message, hint, and exit code.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The exit that the failure causes.
    pub exit: Exit,
    /// What is wrong: a sentence without a capital letter.
    pub message: String,
    /// Lines of detail, such as the end of a log.
    pub lines: Vec<String>,
    /// What to do next, a command where possible.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), lines: Vec::new(), hint: None }
    }

    /// Adds a hint about what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds lines of detail.
    #[must_use]
    pub fn lines(mut self, lines: Vec<String>) -> Self {
        self.lines = lines;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_exit_wins_in_the_order_of_the_contract() {
        assert_eq!(Exit::worst([Exit::BehaviourChange, Exit::Nothing]), Exit::Nothing);
        assert_eq!(Exit::worst([Exit::Nothing, Exit::Internal, Exit::Usage]), Exit::Internal);
        assert_eq!(Exit::worst([]), Exit::Clean);
    }
}
