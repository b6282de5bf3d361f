//! Results of the PITest driver: mutants, one JSON object a line, and test runs without mutants.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// The test that only starts the application.
pub const START: &str = "ApplicationStartsTest#starts";

/// Result of running a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// A test failed.
    Killed,
    /// No test failed.
    Survived,
    /// No test covers it.
    NoCoverage,
    /// A test timed out.
    TimedOut,
    /// The process ran out of memory.
    MemoryError,
    /// The process crashed.
    RunError,
    /// The JVM rejects the mutated class.
    NonViable,
    /// Known to behave like the original.
    Equivalent,
    /// Its run had not begun when the analysis stopped.
    NotStarted,
    /// Its run had begun but not ended when the analysis stopped.
    Started,
    /// The interpreter could not decide whether a test fails.
    Undecided,
}

impl Status {
    /// Whether the mutant counts as killed: a test failed, or it hung or crashed its process.
    pub fn is_noticed(self) -> bool {
        matches!(self, Self::Killed | Self::TimedOut | Self::MemoryError | Self::RunError)
    }

    /// The status in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::Survived => "survived",
            Self::NoCoverage => "not covered",
            Self::TimedOut => "timed out",
            Self::MemoryError => "out of memory",
            Self::RunError => "the process died",
            Self::NonViable => "refused by the JVM",
            Self::Equivalent => "equivalent",
            Self::NotStarted | Self::Started => "not run",
            Self::Undecided => "undecided",
        }
    }
}

/// One mutant with its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Id, the same in every run on the same code.
    pub id: String,
    /// Mutated class.
    pub class: String,
    /// File name of the class.
    pub file: String,
    /// Mutated method.
    pub method: String,
    /// Mutated line.
    pub line: u32,
    /// Class of the mutator.
    pub mutator: String,
    /// Description of the mutation.
    pub description: String,
    /// Result.
    pub status: Status,
    /// The test that killed it.
    pub killed_by: Option<String>,
    /// Tests that cover it.
    pub covered_by: Vec<String>,
}

impl Mutant {
    /// Merges the result of other tests on the same mutant: it is killed if either result says so.
    pub fn take(&mut self, other: Self) {
        let ran = |status: Status| !matches!(status, Status::NoCoverage | Status::NotStarted | Status::Started);
        let is_more = other.status.is_noticed() || !ran(self.status);
        if !self.status.is_noticed() && is_more {
            (self.status, self.killed_by) = (other.status, other.killed_by);
        }
        self.covered_by.extend(other.covered_by);
        self.covered_by.sort();
        self.covered_by.dedup();
    }

    /// Path of the file below its source folder.
    pub fn path(&self) -> String {
        let package = self.class.rsplit_once('.').map_or("", |(package, _)| package);
        let folder = package.replace('.', "/");
        if folder.is_empty() { self.file.clone() } else { format!("{folder}/{}", self.file) }
    }

    /// The top-level class.
    pub fn outer(&self) -> &str {
        self.class.split_once('$').map_or(self.class.as_str(), |(outer, _)| outer)
    }

    /// Kind of mutation: the mutator's name without package and `Mutator`.
    pub fn kind(&self) -> String {
        let name = self.mutator.rsplit('.').next().unwrap_or_default();
        name.replacen("Mutator", "", 1)
    }

    /// Class, method, line and description, for display.
    pub fn shown(&self) -> String {
        format!("{}.{}, line {}: {}", self.class, self.method, self.line, self.description)
    }

    /// Whether the mutant survived and only the start-up test covers it.
    pub fn is_start_up(&self) -> bool {
        self.status == Status::Survived && self.covered_by.iter().all(|test| test == START)
    }
}

/// Parses results; a truncated line is skipped.
pub fn read(text: &str) -> Vec<Mutant> {
    let mut mutants: Vec<Mutant> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    mutants.sort_by(|a, b| a.id.cmp(&b.id));
    mutants.dedup_by(|a, b| a.id == b.id);
    mutants
}

/// Results of running the tests without mutants, several times.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rounds {
    /// Tests that passed every time.
    pub held: BTreeSet<String>,
    /// The other tests, with their first failure message.
    pub failed: BTreeMap<String, String>,
    /// Longest time of a passing test, without the start-up test, in milliseconds.
    pub slowest: u64,
}

impl Rounds {
    /// Parses tab-separated lines: test, milliseconds, failure message (empty for a pass).
    pub fn read(text: &str) -> Self {
        let mut rounds = Self::default();
        for line in text.lines() {
            let mut parts = line.splitn(3, '\t');
            let (Some(test), Some(millis), Some(wrong)) = (parts.next(), parts.next(), parts.next()) else { continue };
            if wrong.is_empty() {
                let millis = millis.parse().unwrap_or(0);
                rounds.slowest = rounds.slowest.max(if test == START { 0 } else { millis });
                rounds.held.insert(test.to_owned());
            } else {
                rounds.failed.entry(test.to_owned()).or_insert_with(|| wrong.to_owned());
            }
        }
        for test in rounds.failed.keys() {
            rounds.held.remove(test);
        }
        rounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_fails_once_is_left_out() {
        let rounds = Rounds::read(
            "A#a\t10\t\nApplicationStartsTest#starts\t900\t\nA#b\t20\t\nA#b\t9\tno\tit\nA#b\t9\tthen\ncut",
        );
        assert_eq!(rounds.held.iter().map(String::as_str).collect::<Vec<_>>(), ["A#a", START]);
        assert_eq!(rounds.failed, BTreeMap::from([("A#b".to_owned(), "no\tit".to_owned())]));
        assert_eq!(rounds.slowest, 20);
    }

    #[test]
    fn a_line_that_was_cut_is_no_mutant() {
        let line = r#"{"id":"a.B$C#m()V@1@x.MathMutator","class":"a.B$C","file":"B.java","method":"m","line":3,"mutator":"x.MathMutator","description":"d","status":"NO_COVERAGE","tests_run":0,"killed_by":null,"covered_by":[]}"#;
        let mutants = read(&format!("{line}\n{}", &line[..40]));
        assert_eq!(mutants.len(), 1);
        let mutant = &mutants[0];
        assert_eq!((mutant.path().as_str(), mutant.outer(), mutant.kind().as_str()), ("a/B.java", "a.B", "Math"));
        assert!(!mutant.is_start_up());
    }
}
