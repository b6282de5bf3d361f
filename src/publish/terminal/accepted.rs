//! Lists what `mastor accept` took into the suite: one proposal a line, with before and after.

use std::fmt::Write as _;

use crate::wording::words;
use mastor_suite::proposal::Proposal;
use mastor_template::escape::plain;
use mastor_types::suite::assertion::Assertion;

/// One line for each accepted proposal.
pub fn list(taken: &[Proposal]) -> String {
    let mut out = String::new();
    for proposal in taken {
        let before = expectation(&proposal.committed());
        let after = proposal.proposed().map_or_else(|| "leaves the suite".to_owned(), |after| expectation(&after));
        let name = proposal.name();
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

fn expectation(assertions: &[&Assertion]) -> String {
    assertions.iter().map(|assertion| words::assertion(assertion)).collect::<Vec<_>>().join(", ")
}
