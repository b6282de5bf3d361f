//! A proposal as shown by `mastor review`: both answers, both source lines, and the change to the suite.

use std::fmt::Write as _;

use crate::wording::words;
use mastor_suite::proposal::Proposal;
use mastor_template::escape::plain;
use mastor_types::results::change::{Change, Place};
use mastor_types::suite::assertion::Assertion;

/// The proposal in words; `change` is the last run's report about the same oracle.
pub fn proposal((number, of): (usize, usize), proposal: &Proposal, change: Option<&Change>) -> String {
    let mut out = String::new();
    let name = proposal.name();
    let _ = writeln!(out, "\n{number} of {of}: {}  {}  {}", plain(proposal.op_id.as_str()), plain(name), proposal.o_id);
    let _ = writeln!(out, "  {}", plain(&proposal.reason));
    if let Some(change) = change {
        let _ = writeln!(out, "  {}", plain(&change.what));
        let place =
            |place: &Option<Place>| place.as_ref().map(|p| format!("   at {}:{}", p.file, p.line)).unwrap_or_default();
        if let Some(witness) = &change.witness {
            let _ = writeln!(out, "  before   {}{}", plain(&witness.before), plain(&place(&change.evidence_before)));
            let _ = writeln!(out, "  now      {}{}", plain(&witness.after), plain(&place(&change.evidence_after)));
        }
    }
    let after = proposal.proposed();
    let (old, new) = (said(&proposal.committed()), said(after.as_deref().unwrap_or_default()));
    for gone in old.iter().filter(|line| !new.contains(line)) {
        let _ = writeln!(out, "  - {}", plain(gone));
    }
    for come in new.iter().filter(|line| !old.contains(line)) {
        let _ = writeln!(out, "  + {}", plain(come));
    }
    if after.is_none() {
        let _ = writeln!(out, "  it leaves the suite");
    }
    out
}

fn said(assertions: &[&Assertion]) -> Vec<String> {
    assertions.iter().map(|assertion| words::assertion(assertion)).collect()
}
