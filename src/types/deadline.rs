//! The time budget of a run: when it ends, and how its end is reported.

use std::fmt;
use std::time::{Duration, Instant};

/// The moment at which a run's time budget is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    at: Instant,
    budget: Duration,
    /// Whether this is a share of the budget, made by [`Deadline::half`].
    is_half: bool,
}

impl Deadline {
    /// A budget that counts from `began`.
    pub fn new(began: Instant, budget: Duration) -> Self {
        Self { at: began + budget, budget, is_half: false }
    }

    /// Time that is left; zero once the budget is spent.
    pub fn left(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Whether the budget is spent.
    pub fn is_over(&self) -> bool {
        self.left().is_zero()
    }

    /// A deadline after half of the remaining time, so that the first of two tasks leaves as much time for the second.
    pub fn half(&self) -> Self {
        Self { at: Instant::now() + self.left() / 2, is_half: true, ..*self }
    }
}

impl fmt::Display for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.budget.as_secs();
        match self.is_half {
            true => write!(f, "its share of the time budget of {seconds} s is spent"),
            false => write!(f, "the time budget of {seconds} s is spent"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_counts_from_the_start_and_half_of_it_ends_earlier() {
        let began = Instant::now();
        let deadline = Deadline::new(began, Duration::from_secs(600));
        assert!(!deadline.is_over() && deadline.left() > Duration::from_secs(590));
        assert!(deadline.half().left() <= Duration::from_secs(300));
        assert!(Deadline::new(began, Duration::ZERO).is_over());
        assert_eq!(deadline.to_string(), "the time budget of 600 s is spent");
        assert_eq!(deadline.half().to_string(), "its share of the time budget of 600 s is spent");
    }
}
