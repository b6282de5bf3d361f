//! What `mastor accept` took into the suite: a proposal a line, before and after.

use std::fmt::Write as _;

use super::words;
use crate::suite::proposal::Proposal;
use crate::template::escape::plain;
use crate::types::oracle::Oracle;

/// One line a proposal.
pub fn list(taken: &[Proposal]) -> String {
    let mut out = String::new();
    for proposal in taken {
        let before = proposal.before.as_ref().map(expectation).unwrap_or_default();
        let after = proposal.after.as_ref().map_or_else(|| "leaves the suite".to_owned(), expectation);
        let name = proposal.before.as_ref().map(|o| o.test_id.as_str()).unwrap_or_default();
        let _ = writeln!(
            out,
            "{}  {}  {}: {} → {}",
            proposal.o_id,
            plain(proposal.op_id.as_str()),
            plain(name),
            plain(&before),
            plain(&after)
        );
    }
    out
}

fn expectation(oracle: &Oracle) -> String {
    oracle.assertions.iter().map(words::assertion).collect::<Vec<_>>().join(", ")
}
