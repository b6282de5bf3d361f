//! Exit codes: what the number that `mastor` ends with means (`docs/reference/exit-codes.md`).

/// How a run ended. Where several apply, the first of [`Exit::ORDER`] is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// Nothing to say, or only things to tell.
    Clean,
    /// A behaviour change or broken oracle that nobody has accepted.
    BehaviourChange,
    /// The command line, `mastor.toml` or the OpenAPI document cannot be used as it is.
    Usage,
    /// No operations found, or nothing was run that should have been.
    Nothing,
    /// The service under test could not be built, started, reached or reset.
    NotReady,
    /// The base revision is not here.
    BaseMissing,
    /// The budget for models was spent with work left.
    BudgetSpent,
    /// The model could not be asked, with work left.
    ModelUnavailable,
    /// A person or a CI system stopped the run; all that it started has ended.
    Interrupted,
    /// A defect of `mastor` or of the machine, such as a full disk.
    Internal,
}

impl Exit {
    /// Which exit wins where several apply.
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

    /// The name that is printed with the code.
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

    /// The first of these by [`Exit::ORDER`]; clean where there is none.
    pub fn worst(exits: impl IntoIterator<Item = Self>) -> Self {
        let place = |exit: &Self| Self::ORDER.iter().position(|other| other == exit);
        exits.into_iter().min_by_key(place).unwrap_or(Self::Clean)
    }
}

/// A failure as the user sees it: what is wrong, what to do next, and how the process ends.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// How the process ends.
    pub exit: Exit,
    /// Lower-case sentence: what is wrong.
    pub message: String,
    /// Lines that show it, such as the last ones of a log.
    pub lines: Vec<String>,
    /// What to do next, a command where there is one.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), lines: Vec::new(), hint: None }
    }

    /// The same with what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with lines that show it.
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
