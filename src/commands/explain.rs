//! `mastor explain`: what an oracle or a proposal rests on, with the source as it stands now.

use super::context::Context;
use crate::cli::Format;
use crate::error::{Exit, Failure};
use crate::pipeline;
use crate::pipeline::cited::cited;
use crate::publish::explain::{self, Cited, Explained};
use crate::suite::Suite;
use crate::types::oracle::Oracle;
use serde_json::json;

/// Shows one oracle.
///
/// # Errors
/// Exit 2 for an id that fits none or several.
pub fn run(context: &Context, id: &str, format: Format) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    let head = workspace.head(None)?;
    let mut found: Vec<(Oracle, Explained)> = Vec::new();
    for settings in workspace.services(&head.tree)? {
        let suite = Suite::load(&head.tree, &settings.dir);
        let proposals = pipeline::proposals::waiting(&workspace.service_dir(&settings));
        let committed = suite.find(id);
        let proposed: Vec<_> =
            proposals.iter().filter(|p| p.o_id == id || (id.len() >= 4 && p.o_id.starts_with(id))).collect();
        if committed.is_empty() && proposed.is_empty() {
            continue;
        }
        let analysis = pipeline::analyse(&workspace, &settings, &head.tree)?;
        for oracle in committed {
            let table = suite.operations.get(&oracle.op_id).map(|o| &o.context.evidence);
            let mut history: Vec<String> = Vec::new();
            if let Some(after) = proposed.iter().find(|p| p.o_id == oracle.o_id).and_then(|p| p.after.as_ref()) {
                history.push(format!("proposed: {}", expectation(after)));
            }
            let cited = table.map(|table| cited(&analysis, table, oracle)).unwrap_or_default();
            let trace = pipeline::cited::trace(&analysis, oracle);
            found.push((oracle.clone(), Explained { cited, history, trace }));
        }
        let waiting = proposed.iter().filter(|p| !found.iter().any(|(o, ..)| o.o_id == p.o_id));
        let fresh: Vec<_> = waiting.filter_map(|p| Some((p.after.clone()?, &p.evidence))).collect();
        for (oracle, table) in fresh {
            let cited = cited(&analysis, table, &oracle);
            let trace = pipeline::cited::trace(&analysis, &oracle);
            found.push((oracle, Explained { cited, history: Vec::new(), trace }));
        }
    }
    match found.as_slice() {
        [] => Err(Failure::new(Exit::Usage, format!("no oracle has the id {id}"))
            .hint("ids stand in .mastor/suite and in the report of `mastor ci`")),
        [(oracle, explained)] => {
            match format {
                Format::Json => context.console.json(&json!({
                    "schema_version": 1,
                    "command": "explain",
                    "oracle": oracle,
                    "history": explained.history,
                    "path": explained.trace,
                    "evidence": explained.cited.iter().map(|c| match c {
                        Cited::Found(e) => json!({"symbol": e.symbol, "file": e.path, "source": e.text.get(e.span.clone())}),
                        Cited::Lost { symbol, reason } => json!({"symbol": symbol, "lost": reason}),
                    }).collect::<Vec<_>>(),
                })),
                Format::Text => context.console.result(&explain::oracle(oracle, explained)),
            }
            Ok(Exit::Clean)
        }
        several => {
            let ids: Vec<&str> = several.iter().map(|(oracle, ..)| oracle.o_id.as_str()).collect();
            Err(Failure::new(Exit::Usage, format!("{id} fits {} oracles", several.len()))
                .hint(format!("give more digits: {}", ids.join(", "))))
        }
    }
}

fn expectation(oracle: &Oracle) -> String {
    oracle.assertions.iter().map(crate::publish::words::assertion).collect::<Vec<_>>().join("; ")
}
