//! One proposal as `mastor review` shows it: both answers, both source lines, and what the suite would say.

use std::fmt::Write as _;

use super::words;
use crate::suite::proposal::Proposal;
use crate::template::escape::plain;
use crate::types::change::{Change, Place};
use crate::types::oracle::Oracle;

/// The proposal in words; `change` is what the last run reported of the same oracle.
pub fn proposal((number, of): (usize, usize), proposal: &Proposal, change: Option<&Change>) -> String {
    let mut out = String::new();
    let before = proposal.before.as_ref();
    let name = before.map(|oracle| oracle.test_id.as_str()).unwrap_or_default();
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
    let (old, new) = (said(before), said(proposal.after.as_ref()));
    for gone in old.iter().filter(|line| !new.contains(line)) {
        let _ = writeln!(out, "  - {}", plain(gone));
    }
    for come in new.iter().filter(|line| !old.contains(line)) {
        let _ = writeln!(out, "  + {}", plain(come));
    }
    if proposal.after.is_none() {
        let _ = writeln!(out, "  it leaves the suite");
    }
    out
}

fn said(oracle: Option<&Oracle>) -> Vec<String> {
    oracle.map(|oracle| oracle.assertions.iter().map(words::assertion).collect()).unwrap_or_default()
}
