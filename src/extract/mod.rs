//! Extract: revision → operations, matches, closure, bundle, fingerprint, plan, why.

pub mod closure;
pub mod edges;
pub mod imports;
pub mod library_uses;
pub mod matching;
pub mod plan;
pub mod properties;
pub mod reach;
