//! The dry run of engines that ask a model: the calls that they would make, with prompts, files, tokens and cost. Sends
//! nothing.

use std::collections::BTreeSet;

use crate::pipeline::generate::briefs::{Prepared, prepare};
use crate::pipeline::generate::bundles::Bundles;
use crate::pipeline::generate::engines::Asking;
use crate::pipeline::generate::made::Made;
use crate::pipeline::generate::named::search;
use mastor_agents::desk::{AgentError, Kept, PlannedPrompt};
use mastor_agents::planned::prompts;
use mastor_agents::roles::oas_matching;
use mastor_agents::{Bundle, Desk, OutputStore};
use mastor_extract::Analysis;
use mastor_llm::Models;
use mastor_suite::Suite;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::model::EngineName;
use mastor_types::results::agents::{PlannedCall, PlannedCalls};

/// The planned calls and their prompts.
pub struct DryRun {
    /// The calls.
    pub calls: PlannedCalls,
    /// File name and text of each prompt, system part first.
    pub prompts: Vec<(String, String)>,
}

/// The calls that `make_by` would begin with; `None` if no model would be asked.
///
/// # Errors
/// Settings that cannot be used.
pub fn dry_run(
    asking: &Asking<'_>,
    analysis: &Analysis,
    (committed, op_ids): (&Suite, &[OpId]),
    made: &[Option<Made>],
    unmatched: &[OpId],
) -> Result<Option<DryRun>, Failure> {
    let Asking { workspace, settings, options, engine, .. } = asking;
    let engine = *engine;
    let unmatched = if asking.asks_for_entries() { unmatched } else { &[] };
    if engine == EngineName::Rules || (op_ids.is_empty() && unmatched.is_empty()) {
        return Ok(None);
    }
    let models = asking.models()?;
    let prepared = prepare(workspace, settings, analysis, (committed, op_ids), made, engine)?;
    let store = OutputStore::new(None);
    let normalise = |_: &OpId, candidates| Kept { candidates, ..Kept::default() };
    let desk = Desk {
        briefs: &prepared.briefs,
        others: &prepared.others,
        sequences: &prepared.sequences,
        models,
        store: &store,
        switches: options.switches,
        normalise: &normalise,
    };
    let internal = |error: AgentError| Failure::new(Exit::Internal, error.to_string());
    let search = search(analysis, settings, unmatched)?;
    let mut planned = oas_matching::planned(models, &search).map_err(internal)?;
    planned.extend(prompts(&desk, engine == EngineName::Direct).map_err(internal)?);
    let bundles = Bundles::new(analysis, &settings.redact.never_send)?;
    let whole = prepared.briefs.iter().map(|brief| bundles.whole_files(&brief.op_id)).sum();
    Ok(Some(told(planned, models, (&prepared, &search.bundle), engine, whole)))
}

fn told(
    planned: Vec<PlannedPrompt>,
    models: &Models,
    (prepared, searched): (&Prepared, &Bundle),
    engine: EngineName,
    whole: usize,
) -> DryRun {
    let bundles = || prepared.briefs.iter().map(|brief| &brief.bundle).chain([searched]);
    let files: BTreeSet<String> = bundles().flat_map(|bundle| &bundle.files).map(|file| file.path.clone()).collect();
    let withheld: BTreeSet<String> = bundles().flat_map(|bundle| bundle.withheld.iter().cloned()).collect();
    let mut out = DryRun {
        calls: PlannedCalls {
            engine: engine.as_str().to_owned(),
            calls: Vec::new(),
            files: files.into_iter().collect(),
            withheld: withheld.into_iter().collect(),
            input_tokens: 0,
            usd: Some(0.0),
            prompt_bytes: 0,
            prefix_bytes: 0,
            whole_file_bytes: whole,
        },
        prompts: Vec::new(),
    };
    let mut earlier: Vec<String> = Vec::new();
    for (n, one) in planned.into_iter().enumerate() {
        let estimate = models.estimate(&one.ask);
        let (system, user) = models.preview(&one.ask);
        let text = format!("{system}\n\n{user}");
        out.calls.prompt_bytes += text.len();
        out.calls.prefix_bytes += earlier.iter().map(|other| common(other, &text)).max().unwrap_or_default();
        out.calls.input_tokens += if estimate.kept { 0 } else { estimate.tokens };
        let usd = if estimate.kept { Some(0.0) } else { estimate.usd };
        out.calls.usd = out.calls.usd.zip(usd).map(|(sum, usd)| sum + usd);
        out.calls.calls.push(PlannedCall {
            agent: one.ask.agent.to_owned(),
            subject: one.ask.subject.clone(),
            model: models.model(one.ask.role).to_owned(),
            input_tokens: estimate.tokens,
            usd: estimate.usd,
            kept: estimate.kept,
            exact: one.exact,
        });
        let name = mastor_types::op_id::slug(&format!("{:03} {} {}", n + 1, one.ask.agent, one.ask.subject));
        out.prompts.push((format!("{name}.txt"), text.clone()));
        earlier.push(text);
    }
    out
}

/// Length of the common beginning of two texts, in bytes.
fn common(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}
