//! Results of slices: the verdict of each oracle that was run on the project's own handlers, with stubs in place of
//! databases, brokers and other services.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::outcome::RunVerdict;
use crate::op_id::OpId;

/// The fields of `mastor slice`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SliceFields {
    /// Every oracle of the suite that was asked for, in the order of the suite.
    pub slices: Vec<Sliced>,
    /// Number of oracles by verdict; every verdict is there.
    pub counts: BTreeMap<String, usize>,
    /// Operations with an oracle of a successful answer that held in a slice.
    pub operations: Vec<OpId>,
    /// Why oracles made no slice, with their number, the commonest first.
    pub not_made: Vec<NotMade>,
    /// The commit that head was compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// What head answers otherwise than that commit, given the same and asked the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<SliceChange>,
    /// Seconds by phase; not in files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<SliceSeconds>,
}

/// What head answers otherwise than base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SliceChange {
    /// The operation.
    pub op_id: OpId,
    /// The oracle whose request and stubs show it.
    pub o_id: String,
    /// What was given, in words.
    pub given: Vec<String>,
    /// What differs: `status: 404 → 200`.
    pub what: Vec<String>,
    /// What no code of head caught.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thrown: Option<String>,
}

/// What came of one oracle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sliced {
    /// `o_id`.
    pub o_id: String,
    /// The operation.
    pub op_id: OpId,
    /// Readable name.
    pub test_id: String,
    /// What was given, in words.
    pub given: Vec<String>,
    /// The verdict.
    pub verdict: RunVerdict,
    /// Why it was not run or says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was expected and not seen, in words: the first of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<String>,
}

/// Why oracles made no slice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotMade {
    /// The reason.
    pub why: String,
    /// Oracles.
    pub oracles: usize,
}

/// Seconds by phase.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SliceSeconds {
    /// The project's own build, its class path, and the harness.
    pub build: f64,
    /// From the start of the JVM to the first answer.
    pub start: f64,
    /// All slices.
    pub run: f64,
}

/// What slices showed beside other work: the numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SliceSummary {
    /// Oracles that were to be run.
    pub oracles: usize,
    /// Those that held.
    pub held: usize,
    /// Those that did not.
    pub refuted: usize,
    /// Why the others told nothing, with their number, the commonest first.
    pub not_made: Vec<NotMade>,
    /// Operations that were searched, since no oracle of a good answer held.
    #[serde(default)]
    pub searched: usize,
    /// For how many of them a search found a good answer.
    #[serde(default)]
    pub found: usize,
    /// Operations of base and head that were undecided, and so were searched at both.
    #[serde(default)]
    pub undecided: usize,
    /// In how many of them base and head answered a request of the search differently.
    #[serde(default)]
    pub parted: usize,
}

impl SliceSummary {
    /// A summary line: `12 of 15 oracles held in slices, 1 did not, 2 told nothing; a search found a good answer of 3
    /// of 4 operations`.
    pub fn line(&self) -> String {
        let mut text = format!("{} of {} oracles held in slices", self.held, self.oracles);
        let silent = self.oracles - self.held - self.refuted;
        for (count, what) in [(self.refuted, "did not"), (silent, "told nothing")] {
            if count > 0 {
                text.push_str(&format!(", {count} {what}"));
            }
        }
        if self.searched > 0 {
            text.push_str(&format!("; a search found a good answer of {} of {} operations", self.found, self.searched));
        }
        if self.undecided > 0 {
            text.push_str(&format!(
                "; a search parted base and head in {} of {} undecided operations",
                self.parted, self.undecided
            ));
        }
        text
    }

    /// Adds the results of another part of the same run.
    pub fn join(&mut self, other: Self) {
        self.oracles += other.oracles;
        self.held += other.held;
        self.refuted += other.refuted;
        self.searched += other.searched;
        self.found += other.found;
        self.undecided += other.undecided;
        self.parted += other.parted;
        for more in other.not_made {
            match self.not_made.iter_mut().find(|one| one.why == more.why) {
                Some(known) => known.oracles += more.oracles,
                None => self.not_made.push(more),
            }
        }
        self.not_made.sort_by(|a, b| b.oracles.cmp(&a.oracles).then_with(|| a.why.cmp(&b.why)));
    }
}
