//! What an oracle cites, found anew in a revision.

use crate::extract::Analysis;
use crate::publish::explain::{Cited, Excerpt};
use crate::types::evidence::EvidenceTable;
use crate::types::oracle::Oracle;

/// The evidence of an oracle with the source as it stands in `analysis`.
pub fn cited(analysis: &Analysis, table: &EvidenceTable, oracle: &Oracle) -> Vec<Cited> {
    let evidence = oracle.evidence.iter().filter_map(|id| table.get(id));
    evidence
        .map(|evidence| match (analysis.excerpt(&evidence.symbol), analysis.resolve(&evidence.symbol)) {
            (Some((path, text, span)), Some(hash)) => {
                let label = if hash == evidence.tokens_sha256 { "cited here" } else { "reads differently now" };
                Cited::Found(Excerpt { symbol: evidence.symbol.clone(), path, text, span, label: label.to_owned() })
            }
            _ => Cited::Lost { symbol: evidence.symbol.clone(), reason: "it is not in this revision".to_owned() },
        })
        .collect()
}
