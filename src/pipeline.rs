//! The pipeline: the only module that uses several stages. The flow on one screen:
//!
//! ```text
//! revision ─▶ extract::surface ─▶ extract::analyse ─▶ extract::plan::compare ─▶ plan
//! plan ─▶ derive, agents ─▶ candidates ─▶ normalise ─▶ suite::regenerate ─▶ suite and proposals
//! suite ─▶ probe::job ─▶ probe::check on a probe::service ─▶ outcomes ─▶ publish
//! base and head ─▶ derive::compared, derive::judge ─▶ changes ─▶ publish ─▶ report and exports
//! ```

pub mod accept;
mod asked_again;
pub mod audit;
pub mod backtest;
mod base_answers;
mod base_side;
pub mod briefs;
pub mod bundles;
pub mod candidates;
pub mod causes;
mod chained;
pub mod changes;
pub mod check;
pub mod ci;
pub mod cited;
pub mod claims;
mod code_differences;
pub mod comparison;
pub mod conclude;
pub mod confirm;
pub mod costs;
mod decisions;
pub mod described;
pub mod dry_run;
mod edits;
mod elsewhere;
pub mod engines;
pub mod export;
pub mod follow;
pub mod fresh_state;
pub mod generate;
pub mod ignored;
pub mod java_bench;
mod jdks;
pub mod launches;
pub mod leads;
mod left_over;
mod let_go;
pub mod live;
pub mod made;
pub mod mended;
mod mending;
mod mending_operations;
mod mending_plan;
mod mending_values;
pub mod named;
pub mod page;
pub mod part;
pub mod planning;
mod planted;
pub mod proposals;
pub mod propose;
pub mod proposed;
pub mod question;
pub mod relevant;
pub mod seen;
pub mod seen_changes;
pub mod seen_sequences;
pub mod service;
pub mod service_path;
pub mod sharding;
pub mod sides;
pub mod sign_up;
pub mod slices;
pub mod stale;
pub mod strength;
mod strength_branches;
mod strength_fast;
mod strength_pit;
pub mod strength_places;
mod strength_run;
pub mod strength_work;
pub mod study;
pub mod templates;
pub mod told_sequences;
mod unserved;
pub mod workspace;

pub use accept::{AcceptOptions, accept};
pub use audit::{AuditOutcome, audit, last_audited};
pub use backtest::{BacktestOptions, backtest};
pub use check::{CheckAsked, ServiceChecked, check, replay};
pub use ci::{CiOptions, CiOutcome, ci};
pub use comparison::{Comparison, analyse, compare, find_operation, plan, subject, surface};
pub use engines::EngineOptions;
pub use export::{write_audit, write_exit, write_failure};
pub use generate::{GenerateOptions, ServiceGenerated, generate};
pub use launches::{in_jvm, is_in, launches};
pub use propose::{Pushed, propose};
pub use sharding::{ci_shard, cut, merge};
pub use slices::{SliceOptions, slice};
pub use strength::strength;
pub use strength_work::{StrengthOptions, WithSlices};
pub use workspace::{BaseRevision, Head, Workspace, failure, nothing_found, out_folder};
