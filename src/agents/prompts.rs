//! Renders the prompts of all agents from `prompts/`. Shared files come first, so that the provider's prefix cache is
//! used; the operation comes last.

use serde::Serialize;
use serde_json::Value;

use super::brief::{Brief, Bundle};
use super::listing::{assumptions, known, sequences, shown, verified, without_empty};
use super::reading::read_sequences::Association;
use super::reading::replies::Hint;
use super::store::Record;
use mastor_template::{TemplateError, render};
use mastor_types::OpId;
use mastor_types::suite::oracle::{Candidate, Oracle};
use mastor_types::suite::sequence::Sequence;
use mastor_types::suite::source_context::SourceContext;

#[derive(Serialize)]
struct OfOperation<'a> {
    op_id: &'a str,
    entry: String,
    bundle: String,
    document: String,
    facts: String,
    context: String,
    known: String,
    assumptions: String,
    calls: String,
    users: String,
    survivors: String,
    branches: String,
    oracles: String,
    others: String,
    hints: String,
}

impl<'a> OfOperation<'a> {
    fn of(brief: &'a Brief, bundle: &Bundle) -> Self {
        let entry = &brief.entry;
        let derived = brief.derived.as_ref();
        Self {
            op_id: brief.op_id.as_str(),
            entry: format!("{}#{}", entry.class, entry.method),
            bundle: bundle.text(),
            document: brief.document.as_ref().map(ToString::to_string).unwrap_or_default(),
            facts: derived.map(|derived| bundle.with_lines(&verified(&derived.context))).unwrap_or_default(),
            context: String::new(),
            known: derived.map(known).unwrap_or_default(),
            assumptions: assumptions(&brief.assumptions, bundle),
            calls: brief.calls.iter().map(String::as_str).collect::<Vec<_>>().join("\n"),
            users: brief.users.join(", "),
            survivors: brief.survivors.join("\n"),
            branches: brief.branches.join("\n"),
            oracles: String::new(),
            others: String::new(),
            hints: String::new(),
        }
    }
}

/// The prompt of the source extraction, for a bundle or a part of it.
///
/// # Errors
/// Where the template cannot be rendered.
pub fn extraction(brief: &Brief, bundle: &Bundle) -> Result<String, TemplateError> {
    render("prompts/source_extraction.prompt", OfOperation::of(brief, bundle))
}

/// The prompt of the oracle generation.
///
/// # Errors
/// As for [`extraction`].
pub fn generation(brief: &Brief, bundle: &Bundle, context: &SourceContext) -> Result<String, TemplateError> {
    let context = bundle.with_lines(&verified(context));
    render("prompts/single_op.prompt", OfOperation { context, ..OfOperation::of(brief, bundle) })
}

/// The prompt of the challenger: the code that the oracles cite and every line that decides, under the generator's
/// labels, with lines in place of the facts' ids.
///
/// # Errors
/// As for [`extraction`].
pub fn review(brief: &Brief, context: &SourceContext, record: &Record) -> Result<String, TemplateError> {
    let mut ids: Vec<_> = record.candidates.iter().flat_map(|candidate| candidate.oracle.evidence.clone()).collect();
    ids.extend(context.evidence.keys().cloned());
    let seen = brief.bundle.excerpts(&ids);
    let oracles: Vec<String> = record.candidates.iter().map(|one| candidate(brief, record, one)).collect();
    let (context, oracles) = (seen.with_lines(&verified(context)), seen.with_lines(&oracles.join("\n")));
    let values = OfOperation { context, oracles, ..OfOperation::of(brief, &seen) };
    render("prompts/single_op_challenger.prompt", values)
}

/// A candidate as models see it: with the lines that its maker cited, and the derived oracle that it fills.
fn candidate(brief: &Brief, record: &Record, candidate: &Candidate) -> String {
    let o_id = &candidate.oracle.o_id;
    let derived = brief.derived.iter().flat_map(|derived| &derived.oracles);
    let mut filled = derived.filter(|known| Oracle::second_reading(&known.o_id) == *o_id);
    shown(&candidate.oracle, record.cited.get(o_id), filled.next().map(|known| known.test_id.as_str()))
}

/// The prompt for regenerating flagged oracles of the blackboard's record.
///
/// # Errors
/// As for [`extraction`].
pub fn again(
    brief: &Brief,
    (bundle, context): (&Bundle, &SourceContext),
    (record, flagged, others): (&Record, &[&Candidate], &[&Candidate]),
    hints: &[Hint],
) -> Result<String, TemplateError> {
    let oracles: Vec<String> = flagged.iter().map(|one| candidate(brief, record, one)).collect();
    let values = OfOperation {
        context: bundle.with_lines(&verified(context)),
        oracles: bundle.with_lines(&oracles.join("\n")),
        others: names(others.iter().map(|candidate| candidate.oracle.test_id.as_str())),
        hints: said(hints),
        ..OfOperation::of(brief, bundle)
    };
    render("prompts/single_op_again.prompt", values)
}

/// The prompt of the association extraction.
///
/// # Errors
/// As for [`extraction`].
pub fn association(operations: &str, touched: &[OpId], most_steps: usize) -> Result<String, TemplateError> {
    let touched = touched.iter().map(OpId::as_str).collect::<Vec<_>>().join("\n");
    render(
        "prompts/semantic_extract.prompt",
        serde_json::json!({ "operations": operations, "touched": touched, "most_steps": most_steps }),
    )
}

/// The prompt of the OpenAPI matching: files, and the unmatched operations, one a line.
///
/// # Errors
/// As for [`extraction`].
pub fn matching(bundle: &Bundle, operations: &[String]) -> Result<String, TemplateError> {
    render(
        "prompts/oas_matching.prompt",
        serde_json::json!({ "bundle": bundle.text(), "operations": operations.join("\n") }),
    )
}

/// What is known of the operations of a group.
pub struct Seen<'a> {
    /// Their source contexts, in the order of the steps.
    pub contexts: Vec<&'a SourceContext>,
    /// The lines that decide what they answer, and the seeds that they read.
    pub bundle: Bundle,
    /// Sequences that rules made of them.
    pub known: Vec<&'a Sequence>,
}

#[derive(Serialize)]
struct OfGroup<'a> {
    pattern: String,
    reason: &'a str,
    flows: String,
    users: String,
    contexts: String,
    bundle: String,
    known: String,
    sequences: String,
    others: String,
    hints: String,
}

impl<'a> OfGroup<'a> {
    fn of(group: &'a Association, seen: &Seen<'_>, users: &[String]) -> Self {
        let pattern = serde_json::to_value(group.pattern).unwrap_or_default();
        Self {
            pattern: pattern.as_str().unwrap_or_default().to_owned(),
            reason: &group.reason,
            flows: group.flows.join("\n"),
            users: users.join(", "),
            contexts: seen.contexts.iter().map(|context| verified(context)).collect::<Vec<_>>().join("\n"),
            bundle: seen.bundle.text(),
            known: sequences(&seen.known),
            sequences: String::new(),
            others: String::new(),
            hints: String::new(),
        }
    }
}

/// The prompt for generating sequences.
///
/// # Errors
/// As for [`extraction`].
pub fn composition(group: &Association, seen: &Seen<'_>, users: &[String]) -> Result<String, TemplateError> {
    render("prompts/multi_op.prompt", OfGroup::of(group, seen, users))
}

/// The prompt of the challenger for sequences.
///
/// # Errors
/// As for [`extraction`].
pub fn group_review(group: &Association, seen: &Seen<'_>, made: &[Sequence]) -> Result<String, TemplateError> {
    let sequences = made.iter().map(shown_sequence).collect::<Vec<_>>().join("\n");
    render("prompts/multi_op_challenger.prompt", OfGroup { sequences, ..OfGroup::of(group, seen, &[]) })
}

/// The prompt for regenerating flagged sequences.
///
/// # Errors
/// As for [`extraction`].
pub fn group_again(
    group: &Association,
    seen: &Seen<'_>,
    (flagged, others): (&[&Sequence], &[&Sequence]),
    hints: &[Hint],
) -> Result<String, TemplateError> {
    let values = OfGroup {
        sequences: flagged.iter().map(|sequence| shown_sequence(sequence)).collect::<Vec<_>>().join("\n"),
        others: names(others.iter().map(|sequence| sequence.test_id.as_str())),
        hints: said(hints),
        ..OfGroup::of(group, seen, &[])
    };
    render("prompts/multi_op_again.prompt", values)
}

/// The prompt of direct prompting, the paper's baseline.
///
/// # Errors
/// As for [`extraction`].
pub fn direct(bundle: &Bundle, operations: &[OpId]) -> Result<String, TemplateError> {
    let operations = operations.iter().map(OpId::as_str).collect::<Vec<_>>().join("\n");
    render("prompts/direct.prompt", serde_json::json!({ "bundle": bundle.text(), "operations": operations }))
}

fn names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let all: Vec<&str> = names.collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

fn said(hints: &[Hint]) -> String {
    let one = |hint: &Hint| {
        let name = hint.test_id.as_deref().unwrap_or("(missing)");
        format!("- {name}: {}", super::reading::text::sentence(&hint.hint))
    };
    hints.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// A sequence in the format in which models write it; a value that a step takes from an earlier answer stands where it
/// is sent, too.
fn shown_sequence(sequence: &Sequence) -> String {
    let mut steps = serde_json::json!(sequence.steps);
    for step in steps.as_array_mut().into_iter().flatten() {
        let binds = step.get("binds").and_then(Value::as_object).cloned().unwrap_or_default();
        for (place, value) in binds {
            let Some(path) = place.strip_prefix("path.") else { continue };
            step["input"]["path"][path] = value;
        }
        without_empty(step);
        without_empty(&mut step["input"]);
    }
    serde_json::json!({
        "test_id": sequence.test_id, "description": sequence.description, "steps": steps, "evidence": sequence.evidence,
    })
    .to_string()
}
