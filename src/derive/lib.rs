//! Derive: plan → candidates, by rules.
//!
//! Comes in: operations of one or two revisions. Goes out: source contexts, candidates, sequences, changes, judgements
//! and killed mutants, all read off the paths of the code. Never here: a network, a file, or a JVM.
//!
//! An expectation is exact only if no unknown value affects it; otherwise it is weakened to what is known, or left out.

pub mod compare;
pub mod described;
pub mod engine;
pub mod inputs;
pub mod judge;
pub mod mutation;
pub mod oracles;
pub mod rules;
pub mod search;
pub mod sequences;
pub mod trace;

pub use compare::change::{Compared, compared};
pub use compare::proofs::units::SharedUnits;
pub use described::describe;
pub use engine::{Derived, Engine};
pub use judge::oracle::{Judgement, judge, judge_all};
pub use judge::sequence::{StepsJudgement, judge_steps};
pub use rules::{Rules, derive};
pub use trace::trace;
