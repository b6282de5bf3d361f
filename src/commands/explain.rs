//! `mastor explain`: shows the evidence of an oracle or proposal, with the current source.

use super::context::Context;
use crate::cli::Format;
use crate::pipeline;
use crate::pipeline::repository::cited::cited;
use mastor_publish::terminal::explain::{self, Cited, Explained};
use mastor_suite::Suite;
use mastor_types::error::{Exit, Failure};
use mastor_types::suite::oracle::Oracle;
use mastor_types::suite::sequence::Sequence;
use serde_json::{Value, json};

/// Shows one oracle or sequence.
///
/// # Errors
/// Exit 2 for an id that matches none or several.
pub fn run(context: &Context, id: &str, format: Format) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(None)?;
    let mut found: Vec<(Oracle, Explained)> = Vec::new();
    let mut sequences: Vec<(Sequence, Vec<Cited>)> = Vec::new();
    for settings in workspace.services(&head.tree)? {
        let suite = Suite::load(&head.tree, &settings.dir);
        let proposals = pipeline::accept::proposals::waiting(&workspace.service_dir(&settings));
        let committed = suite.find(id);
        let proposed: Vec<_> =
            proposals.iter().filter(|p| p.o_id == id || (id.len() >= 4 && p.o_id.starts_with(id))).collect();
        let steps = suite.find_sequence(id);
        if committed.is_empty() && proposed.is_empty() && steps.is_empty() {
            continue;
        }
        let analysis = pipeline::analyse(&workspace, &settings, &head.tree)?;
        for sequence in steps {
            let cited =
                suite.evidence_of(sequence).map(|evidence| pipeline::repository::cited::found(&analysis, evidence));
            sequences.push((sequence.clone(), cited.collect()));
        }
        for oracle in committed {
            let table = suite.operations.get(&oracle.op_id).map(|o| &o.context.evidence);
            let mut history: Vec<String> = Vec::new();
            if let Some(after) = proposed.iter().find(|p| p.o_id == oracle.o_id).and_then(|p| p.after.as_ref()) {
                history.push(format!("proposed: {}", expectation(after)));
            }
            let cited = table.map(|table| cited(&analysis, table, oracle)).unwrap_or_default();
            let trace = pipeline::repository::cited::trace(&analysis, oracle);
            found.push((oracle.clone(), Explained { cited, history, trace }));
        }
        let waiting = proposed.iter().filter(|p| !found.iter().any(|(o, ..)| o.o_id == p.o_id));
        let fresh: Vec<_> = waiting.filter_map(|p| Some((p.after.clone()?, &p.evidence))).collect();
        for (oracle, table) in fresh {
            let cited = cited(&analysis, table, &oracle);
            let trace = pipeline::repository::cited::trace(&analysis, &oracle);
            found.push((oracle, Explained { cited, history: Vec::new(), trace }));
        }
    }
    if let ([(sequence, cited)], []) = (sequences.as_slice(), found.as_slice()) {
        match format {
            Format::Json => context.console.json(&json!({
                "schema_version": 1, "command": "explain", "sequence": sequence, "evidence": evidence(cited),
            })),
            Format::Text => context.console.result(&explain::sequence(sequence, cited)),
        }
        return Ok(Exit::Clean);
    }
    match found.as_slice() {
        [] if sequences.is_empty() => Err(Failure::new(Exit::Usage, format!("no oracle or sequence has the id {id}"))
            .hint("ids stand in .mastor/suite and in the report of `mastor ci`")),
        [(oracle, explained)] if sequences.is_empty() => {
            match format {
                Format::Json => context.console.json(&json!({
                    "schema_version": 1,
                    "command": "explain",
                    "oracle": oracle,
                    "history": explained.history,
                    "path": explained.trace,
                    "evidence": evidence(&explained.cited),
                })),
                Format::Text => context.console.result(&explain::oracle(oracle, explained)),
            }
            Ok(Exit::Clean)
        }
        several => {
            let mut ids: Vec<&str> = several.iter().map(|(oracle, ..)| oracle.o_id.as_str()).collect();
            ids.extend(sequences.iter().map(|(sequence, _)| sequence.s_id.as_str()));
            Err(Failure::new(Exit::Usage, format!("{id} fits {} oracles and sequences", ids.len()))
                .hint(format!("give more digits: {}", ids.join(", "))))
        }
    }
}

fn evidence(cited: &[Cited]) -> Vec<Value> {
    let one = |cited: &Cited| match cited {
        Cited::Found(e) => json!({"symbol": e.symbol, "file": e.path, "source": e.text.get(e.span.clone())}),
        Cited::Lost { symbol, reason } => json!({"symbol": symbol, "lost": reason}),
    };
    cited.iter().map(one).collect()
}

fn expectation(oracle: &Oracle) -> String {
    oracle.assertions.iter().map(mastor_publish::wording::words::assertion).collect::<Vec<_>>().join("; ")
}
