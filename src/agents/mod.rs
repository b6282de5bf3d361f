//! Agents: make candidates for the operations of a plan with a chat model. Seven agents share a blackboard (MASTOR
//! paper, section 4); `direct` is the paper's baseline.
//!
//! The orchestrator submits tasks to a bounded bus; the agents read and write the blackboard and never call each other.
//! Replies of models are untrusted data: the `read_*` files accept only what cites code that was sent.

pub mod brief;
pub mod bus;
pub mod compress;
pub mod desk;
pub mod direct;
pub mod machine;
pub mod multi_op;
pub mod multi_op_challenger;
pub mod oas_matching;
pub mod orchestrator;
pub mod planned;
pub mod prompts;
pub mod read_context;
pub mod read_oracles;
pub mod read_sequences;
pub mod replies;
pub mod schemas;
pub mod semantic_extract;
pub mod single_op;
pub mod single_op_challenger;
pub mod source_extraction;
pub mod store;
pub mod text;

pub use brief::{Brief, Bundle, BundleFile, Cite, Derived};
pub use desk::{Desk, Other, Switches};
pub use orchestrator::{Finished, run};
pub use store::{OutputStore, Record};
