//! Agents: make candidates for the operations of a plan with a chat model.
//!
//! Comes in: briefs of operations. Goes out: contexts, associations, oracles and sequences, each citing code that was
//! sent. Never here: sending a request (that is `llm`).
//!
//! Seven agents share a blackboard (MASTOR paper, section 4); `direct` is the paper's baseline. The orchestrator
//! submits tasks to a bounded bus; the agents read and write the blackboard and never call each other. Replies of
//! models are untrusted data: the `read_*` files accept only what cites code that was sent.

pub mod brief;
pub mod bus;
pub mod desk;
pub mod direct;
pub mod listing;
pub mod machine;
pub mod orchestrator;
pub mod planned;
pub mod prompts;
pub mod reading;
pub mod roles;
pub mod store;

pub use brief::{Brief, Bundle, BundleFile, Cite, Derived};
pub use desk::{Desk, Other, Switches};
pub use orchestrator::{Finished, run};
pub use store::{OutputStore, Record};
