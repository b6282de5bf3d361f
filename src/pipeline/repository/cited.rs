//! Finds what an oracle rests on in a revision: the code that it cites, and the path of its request.

use mastor_derive as derive;
use mastor_extract::{Analysis, Surface};
use mastor_publish::terminal::explain::{CITED, Cited, Excerpt};
use mastor_types::results::trace::Trace;
use mastor_types::suite::evidence::{Evidence, EvidenceTable};
use mastor_types::suite::oracle::Oracle;

/// The evidence of an oracle, with the source as it reads in `analysis`.
pub fn cited(analysis: &Analysis, table: &EvidenceTable, oracle: &Oracle) -> Vec<Cited> {
    oracle.evidence.iter().filter_map(|id| table.get(id)).map(|evidence| found(analysis, evidence)).collect()
}

/// A citation, with the source as it reads in `analysis`.
pub fn found(analysis: &Analysis, evidence: &Evidence) -> Cited {
    found_in(&analysis.surface, evidence)
}

/// A citation, with the source as it reads in a surface.
pub fn found_in(surface: &Surface, evidence: &Evidence) -> Cited {
    match (surface.excerpt(&evidence.symbol), surface.resolve(&evidence.symbol)) {
        (Some((path, text, span)), Some(hash)) => {
            let label = if hash == evidence.tokens_sha256 { CITED } else { "reads differently now" };
            Cited::Found(Excerpt { symbol: evidence.symbol.clone(), path, text, span, label: label.to_owned() })
        }
        _ => Cited::Lost { symbol: evidence.symbol.clone(), reason: "it is not in this revision".to_owned() },
    }
}

/// The path that an oracle's request takes through the code of `analysis`; `None` where the operation has no entry
/// there.
pub fn trace(analysis: &Analysis, oracle: &Oracle) -> Option<Trace> {
    let shared = crate::pipeline::repository::comparison::shared(analysis);
    let subject = crate::pipeline::repository::comparison::subject(analysis, &shared, &oracle.op_id)?;
    derive::trace(&subject, &oracle.as_user, &oracle.input)
}
