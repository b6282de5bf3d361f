//! The pipeline: the only module that uses several stages.
//!
//! Comes in: a repository and its settings. Goes out: plans, suites, reports and files. Never here: the rules of a
//! stage.
//!
//! The data flow in brief:
//!
//! ```text
//! revision ─▶ extract::surface ─▶ extract::analyse ─▶ extract::manifests::plan::compare ─▶ plan
//! plan ─▶ derive, agents ─▶ candidates ─▶ normalise ─▶ suite::regenerate ─▶ suite and proposals
//! suite ─▶ probe::job ─▶ probe::runs::check on a probe::service ─▶ outcomes ─▶ publish
//! base and head ─▶ derive::compared, derive::judge ─▶ changes ─▶ publish ─▶ report and exports
//! ```

pub mod accept;
pub mod ci;
pub mod confirm;
pub mod document;
pub mod files;
pub mod generate;
pub mod repository;
pub mod seen;
pub mod service;
pub mod slices;
pub mod strength;

pub use accept::propose::{Pushed, propose};
pub use accept::take::{AcceptOptions, accept};
pub use ci::audit::{AuditOutcome, audit, last_audited};
pub use ci::backtest::{BacktestOptions, backtest};
pub use ci::run::{CiOptions, CiOutcome, ci};
pub use ci::sharding::{ci_shard, cut, merge};
pub use files::export::{write_audit, write_exit, write_failure};
pub use generate::engines::EngineOptions;
pub use generate::suites::{GenerateOptions, ServiceGenerated, generate};
pub use repository::comparison::{Comparison, analyse, compare, find_operation, plan, subject, surface};
pub use repository::workspace::{BaseRevision, Head, Workspace, failure, nothing_found, out_folder};
pub use service::check::{CheckAsked, ServiceChecked, check, replay};
pub use service::launches::{in_jvm, is_in, launches};
pub use slices::{SliceOptions, slice};
pub use strength::measure::strength;
pub use strength::work::{StrengthOptions, WithSlices};
