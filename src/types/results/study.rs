//! A study: several engines and switches run on the same projects, in the form of the MASTOR paper's tables (section
//! 6).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Usage;

/// One configuration on one project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyRow {
    /// The project.
    pub project: String,
    /// The configuration.
    pub configuration: String,
    /// The engine that worked.
    pub engine: String,
    /// The project's commit.
    pub commit: String,
    /// Operations with an entry.
    pub operations: usize,
    /// Oracles that normalisation kept, and a service did not refute.
    pub oracles: usize,
    /// Of these, made by agents.
    pub by_agents: usize,
    /// Sequences.
    pub sequences: usize,
    /// Candidates that ran on the service.
    pub candidates: usize,
    /// Of these, those that held each time; precision is their share.
    pub held: usize,
    /// What it cost.
    pub usage: Usage,
    /// What each agent cost.
    pub by_agent: BTreeMap<String, Usage>,
    /// Seconds from the first file read to the last one written.
    pub seconds: f64,
    /// Why there are no numbers; absent where there are.
    pub error: Option<String>,
}

impl StudyRow {
    /// The share of candidates that held; `None` where none ran.
    pub fn precision(&self) -> Option<f64> {
        (self.candidates > 0).then(|| self.held as f64 / self.candidates as f64)
    }
}

/// All rows of a study, in the order of its file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Study {
    /// By project, then by configuration.
    pub rows: Vec<StudyRow>,
}
