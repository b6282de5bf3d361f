//! Extract: revision → operations, matches, closure, bundle, fingerprint, plan, why.

pub mod matching;
pub mod plan;
