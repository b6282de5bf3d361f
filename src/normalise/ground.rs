//! Ground: every citation must resolve in the source, and an oracle made by an engine needs at least one citation.

use mastor_types::hash::Hash;
use mastor_types::suite::oracle::{Candidate, Engine};

/// Keeps a candidate whose citations all resolve.
///
/// # Errors
/// The reason for dropping the candidate.
pub(super) fn ground(candidate: Candidate, resolve: &dyn Fn(&str) -> Option<Hash>) -> Result<Candidate, &'static str> {
    let oracle = &candidate.oracle;
    if oracle.evidence.is_empty() && oracle.origin.engine != Engine::Human {
        return Err("cites no code");
    }
    for id in &oracle.evidence {
        let Some(evidence) = candidate.citations.iter().find(|e| e.id() == *id) else {
            return Err("cites something that was not handed over");
        };
        match resolve(&evidence.symbol) {
            None => return Err("cites code that does not exist"),
            Some(hash) if hash != evidence.tokens_sha256 => return Err("cites code that reads differently"),
            Some(_) => {}
        }
    }
    Ok(candidate)
}
