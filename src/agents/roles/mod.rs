//! The agents themselves, one file for each role in the paper.
//!
//! Comes in: briefs and what other agents left on the blackboard. Goes out: questions to the model, and results for the
//! blackboard. Never here: a call of another agent.

pub mod compress;
pub mod multi_op;
pub mod multi_op_challenger;
pub mod oas_matching;
pub mod semantic_extract;
pub mod single_op;
pub mod single_op_challenger;
pub mod source_extraction;
