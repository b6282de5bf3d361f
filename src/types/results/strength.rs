//! The strength of a suite: the outcome of the mutants of the code that its operations reach.

use serde::{Deserialize, Serialize};

use crate::op_id::OpId;

/// What `mastor strength` found of one service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Strength {
    /// What made the mutants, with its release and group.
    pub mutants_by: String,
    /// Whether an interpreter has run them instead of a JVM: an approximation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub approximate: bool,
    /// The commit that was measured; none for a work tree that differs from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// The commit since which members changed, where only mutants of those were made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// All mutants.
    pub totals: Score,
    /// By operation, sorted by name; a mutant counts for every operation that reaches its member.
    pub operations: Vec<Scored>,
    /// By class, sorted by name.
    pub classes: Vec<Scored>,
    /// By kind of mutation, sorted by name.
    pub mutators: Vec<Scored>,
    /// Mutants that no test noticed, in the order of their places: survived, not covered, and those of code that only the start runs.
    pub survivors: Vec<Survivor>,
    /// Branches of the code, where they were looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branches: Option<Branches>,
    /// The tests that mutants met.
    pub tests: Tests,
    /// Mutants that were run again, each in a process of its own.
    pub alone: Alone,
    /// Mutants that the time did not suffice for.
    pub not_run: usize,
    /// Seconds that the mutants took, tests without any included; not in files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Counts and scores of some mutants.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Score {
    /// All that follow, but for those that the JVM refuses.
    pub mutants: usize,
    /// Noticed by a test: one failed, took too long, or the process died.
    pub killed: usize,
    /// Of those: by time.
    pub timed_out: usize,
    /// Run, and noticed by no test.
    pub survived: usize,
    /// Run by no test.
    pub not_covered: usize,
    /// Run when the application starts, and by no test.
    pub start_up: usize,
    /// Code that the JVM refuses: no mutants.
    pub not_viable: usize,
    /// Run by tests of which the interpreter does not know what they would have said; they count in neither score.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub undecided: usize,
    /// In code that a tool makes (Lombok, MapStruct, a client that is generated), beside all of the above: they count in neither score.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub generated: usize,
    /// Killed of those that were killed or survived, in percent; none where there are none.
    pub score: Option<f64>,
    /// Killed of those that were killed, survived or are not covered, in percent.
    pub strict_score: Option<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The score of one thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Scored {
    /// What it is of.
    pub name: String,
    /// Counts and scores.
    #[serde(flatten)]
    pub score: Score,
}

/// What became of a mutant that no test noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unnoticed {
    /// Tests ran it.
    Survived,
    /// No test ran it.
    NotCovered,
    /// Only the start of the application ran it.
    StartUp,
}

/// A mutant that no test noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Survivor {
    /// What became of it.
    pub outcome: Unnoticed,
    /// The file, from the repository's root; as the class says it, where the repository has none such.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// That line as it stands; empty where it cannot be read.
    pub code: String,
    /// Class and method.
    pub member: String,
    /// The kind of mutation.
    pub mutator: String,
    /// What was changed.
    pub what: String,
    /// Operations that reach the member.
    pub operations: Vec<OpId>,
    /// The oracle or sequence that ran it and runs the least beside it; none where none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Near>,
}

/// Branches of the code that operations reach.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Branches {
    /// What counted them, with its release.
    pub branches_by: String,
    /// How many there are, without those of lines that only the start of the application runs.
    pub branches: usize,
    /// How many of them tests take.
    pub taken: usize,
    /// Lines with branches that no test takes, in their order.
    pub untaken: Vec<Untaken>,
}

/// A line with branches that no test takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Untaken {
    /// The file, from the repository's root; as the class says it, where the repository has none such.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// That line as it stands; empty where it cannot be read.
    pub code: String,
    /// How many of its branches tests take.
    pub taken: usize,
    /// How many it has.
    pub branches: usize,
    /// Operations that reach the member.
    pub operations: Vec<OpId>,
}

/// What additional oracles should cover: surviving mutants to kill and branches to take.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Targets {
    /// Surviving mutants.
    pub survivors: Vec<Survivor>,
    /// Lines with branches that no test takes.
    pub branches: Vec<Untaken>,
    /// Whether a running service may supply values that the analysis left open.
    pub is_observed: bool,
}

/// An oracle or sequence that came near.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Near {
    /// `o_id` or `s_id`.
    pub id: String,
    /// Its name.
    pub test_id: String,
}

/// The tests that mutants met.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Tests {
    /// How many.
    pub run: usize,
    /// Those that do not hold on the code as it is when all run in one JVM, in any order; they met no mutant.
    pub left_out: Vec<LeftOutTest>,
}

/// A test that met no mutant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LeftOutTest {
    /// `o_id` or `s_id`.
    pub id: String,
    /// What it said; not in files, since it may hold times and numbers of one run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Mutants that were run again alone, to see that sharing a process changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Alone {
    /// How many.
    pub run: usize,
    /// Those that came to something else, each with both.
    pub otherwise: Vec<Otherwise>,
}

/// A mutant that came to something else when it ran alone; what it came to alone is what counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Otherwise {
    /// Class, method, line and what was changed.
    pub mutant: String,
    /// What it came to among others.
    pub together: String,
    /// What it came to alone.
    pub alone: String,
}

/// What a report says of the strength where the change is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Measured {
    /// Whether an interpreter has run them instead of a JVM: an approximation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub approximate: bool,
    /// All mutants.
    pub totals: Score,
    /// By operation, sorted by name.
    pub operations: Vec<Scored>,
}

impl Measured {
    /// The score of an operation, if any of its mutants was run.
    pub fn of(&self, op_id: &OpId) -> Option<&Score> {
        self.operations.iter().find(|row| row.name == op_id.as_str()).map(|row| &row.score)
    }
}

impl Targets {
    /// The targets in these results, without mutants that only start-up code runs, which no test can kill.
    pub fn of(strength: &Strength) -> Self {
        let reached = strength.survivors.iter().filter(|one| one.outcome != Unnoticed::StartUp);
        let branches = strength.branches.iter().flat_map(|branches| &branches.untaken);
        Self { survivors: reached.cloned().collect(), branches: branches.cloned().collect(), is_observed: false }
    }

    /// Whether there are no targets.
    pub fn is_empty(&self) -> bool {
        self.survivors.is_empty() && self.branches.is_empty()
    }

    /// Operations that reach a target; one may occur several times.
    pub fn operations(&self) -> impl Iterator<Item = &OpId> {
        let of_branches = self.branches.iter().flat_map(|one| &one.operations);
        self.survivors.iter().flat_map(|one| &one.operations).chain(of_branches)
    }
}

impl Strength {
    /// A copy without the values that differ from run to run.
    #[must_use]
    pub fn without_times(&self) -> Self {
        let mut same = Self { seconds: None, ..self.clone() };
        same.tests.left_out.iter_mut().for_each(|test| test.why = None);
        same
    }
}
