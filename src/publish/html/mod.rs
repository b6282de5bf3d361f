//! HTML export: one page that needs no network. The suite stands in it as JSON in scripts that nothing executes, and a small script draws what is looked
//! at, as text alone; a policy in the page's head lets no other script run.

mod operations;
mod sequences;
pub mod sources;

use std::collections::BTreeMap;

use base64::Engine as _;
use serde::Serialize;
use sha2::{Digest, Sha256};

pub(super) use operations::pending;
pub(super) use sequences::pattern;
pub use sources::Source;

use super::exported::{Export, Exported};
use super::words;
use crate::suite::OperationSuite;
use crate::template::TemplateError;
use crate::types::check::{CheckFields, CheckedOracle};
use crate::types::evidence::EvidenceId;
use crate::types::op_id::OpId;
use crate::types::oracle::{Assertion, Challenger, Confirmation, Confirmed, Engine, Origin, Source as Of, Strategy};
use crate::types::outcome::RunVerdict;

/// The page, below the folder of the export.
pub const FILE: &str = "index.html";

/// What the page shows beside the suite: what the revision that it is made from says, and what the last check has shown.
#[derive(Debug, Default)]
pub struct Beside {
    /// The revision: a shortened commit id, or `work tree`.
    pub revision: String,
    /// Where the entry of each operation stands: file and line.
    pub places: BTreeMap<OpId, (String, u32)>,
    /// What the document files each operation under.
    pub tags: BTreeMap<OpId, Vec<String>>,
    /// The cited code.
    pub sources: BTreeMap<EvidenceId, Source>,
    /// The last check.
    pub check: Option<CheckFields>,
}

/// What the template of the page is given.
#[derive(Debug, Serialize)]
struct Page<'a> {
    service: &'a str,
    revision: &'a str,
    counts: String,
    style: minijinja::Value,
    script: minijinja::Value,
    policy: String,
    index: String,
    operations: Vec<Listed>,
    sequences: Vec<ListedSequence>,
    sequence_data: String,
    source_data: String,
}

/// An operation where no script runs, with the data for when one does.
#[derive(Debug, Serialize)]
struct Listed {
    op_id: String,
    entry: Option<String>,
    counts: String,
    data: String,
}

/// A sequence where no script runs.
#[derive(Debug, Serialize)]
struct ListedSequence {
    description: String,
    steps: Vec<String>,
}

/// What is known when the page opens: enough to list and filter.
#[derive(Debug, Serialize)]
struct Index<'a> {
    service: &'a str,
    checked: Option<&'a str>,
    words: Words,
    operations: Vec<operations::Row>,
    sequences: Vec<sequences::Row>,
}

/// What the short names in rows mean.
#[derive(Debug, Serialize)]
struct Words {
    strategies: BTreeMap<&'static str, &'static str>,
    states: BTreeMap<&'static str, &'static str>,
    verdicts: BTreeMap<&'static str, &'static str>,
    engines: BTreeMap<&'static str, &'static str>,
}

/// The suite as a page.
///
/// # Errors
/// Where a template itself is wrong.
pub fn html(export: &Export<'_>, beside: &Beside) -> Result<Exported, TemplateError> {
    let templates = export.templates;
    let style = templates.part("html/page.css", &["</style"])?.to_owned();
    let scripts = ["html/diagram.js", "html/items.js", "html/page.js"];
    let scripts: Vec<&str> =
        scripts.iter().map(|name| templates.part(name, &["</script", "<!--"])).collect::<Result<_, _>>()?;
    let script = scripts.join("\n");
    let known = Known::new(export, beside);
    let ordered = ordered(export);
    let place: BTreeMap<&OpId, usize> = ordered.iter().enumerate().map(|(at, (op_id, _))| (*op_id, at)).collect();
    let all: Vec<_> = export.all_sequences().collect();
    let rows = ordered.iter().map(|(op_id, suite)| operations::row(op_id, suite, &all, &known)).collect();
    let index = Index {
        service: export.service,
        checked: beside.check.as_ref().map(|check| check.base_url.as_str()),
        words: meanings(),
        operations: rows,
        sequences: all.iter().map(|sequence| sequences::row(sequence, &place, &known)).collect(),
    };
    let listed = |(op_id, suite): &(&OpId, &OperationSuite)| Listed {
        op_id: op_id.to_string(),
        entry: suite.context.entry.as_ref().map(|entry| format!("{}#{}", entry.class, entry.method)),
        counts: words::count(suite.oracles.len(), "oracle"),
        data: json(&operations::detail(suite, &known)),
    };
    let page = Page {
        service: export.service,
        revision: &beside.revision,
        counts: export.counts(),
        policy: policy(&style, &script),
        style: minijinja::Value::from_safe_string(style),
        script: minijinja::Value::from_safe_string(script),
        index: json(&index),
        operations: ordered.iter().map(listed).collect(),
        sequences: all.iter().map(|one| sequences::listed(one)).collect(),
        sequence_data: json(&all.iter().map(|one| sequences::detail(one, export, &known)).collect::<Vec<_>>()),
        source_data: json(&known.sources),
    };
    let text = templates.render("html/page.html", page)?;
    Ok(Exported { files: [(FILE.to_owned(), text.into_bytes())].into(), left_out: Vec::new() })
}

/// The operations by path, and of one path as a resource lives: what makes one before what reads, changes and removes it.
fn ordered<'a>(export: &Export<'a>) -> Vec<(&'a OpId, &'a OperationSuite)> {
    let mut all: Vec<_> = export.operations.iter().collect();
    all.sort_by_key(|(op_id, _)| op_id.by_path());
    all
}

/// What rows and details look things up in.
struct Known<'a> {
    beside: &'a Beside,
    /// The cited code, in the order of its ids.
    sources: Vec<&'a Source>,
    at: BTreeMap<&'a EvidenceId, usize>,
    checked: BTreeMap<&'a str, &'a CheckedOracle>,
}

impl<'a> Known<'a> {
    fn new(export: &Export<'a>, beside: &'a Beside) -> Self {
        // Of what is cited, what an exported operation names.
        let named = |id: &EvidenceId| export.operations.values().any(|suite| suite.context.evidence.contains_key(id));
        let sources: Vec<(&EvidenceId, &Source)> = beside.sources.iter().filter(|(id, _)| named(id)).collect();
        let checked = beside.check.iter().flat_map(|check| &check.oracles);
        Self {
            beside,
            at: sources.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect(),
            sources: sources.into_iter().map(|(_, source)| source).collect(),
            checked: checked.map(|one| (one.id.as_str(), one)).collect(),
        }
    }

    /// Places of these citations in the list of cited code.
    fn cited(&self, ids: &[EvidenceId]) -> Vec<usize> {
        ids.iter().filter_map(|id| self.at.get(id).copied()).collect()
    }

    /// What the last check has shown of this oracle or sequence; empty where it was not in it.
    fn verdict(&self, id: &str) -> &'static str {
        self.checked.get(id).map_or("", |one| one.verdict.as_str())
    }
}

/// How often something was held against the service, in words, with what varies.
pub(super) fn confirmed(confirmation: &Confirmation) -> (String, Vec<(String, String)>) {
    let runs = words::count(confirmation.runs as usize, "run");
    let text = match confirmation.state {
        Confirmed::Confirmed => format!("held in {runs} on a service"),
        Confirmed::Refuted => format!("refuted in {runs} on a service"),
        Confirmed::Flaky => format!("held in some of {runs} on a service"),
        Confirmed::Unconfirmed => "never run: derived from code".to_owned(),
    };
    (text, confirmation.quarantined.iter().map(|one| (one.path.clone(), one.why.clone())).collect())
}

/// Who made something, in words.
pub(super) fn made_by(origin: &Origin) -> String {
    let model = origin.model.as_deref().map(|model| format!(" with {model}")).unwrap_or_default();
    let challenger = match origin.challenger {
        Challenger::Passed => ", passed the challenger",
        Challenger::Hinted => ", regenerated on the challenger's hint",
        Challenger::Skipped => "",
    };
    format!("{}{model}{challenger}", engine(origin.engine).1)
}

fn engine(engine: Engine) -> (&'static str, &'static str) {
    match engine {
        Engine::Rules => ("rules", "the rules engine"),
        Engine::Agents => ("agents", "the agents"),
        Engine::Human => ("human", "a person"),
    }
}

fn state(state: Confirmed) -> (&'static str, &'static str) {
    match state {
        Confirmed::Confirmed => ("confirmed", "confirmed on a service"),
        Confirmed::Refuted => ("refuted", "refuted on a service"),
        Confirmed::Flaky => ("flaky", "held in some runs"),
        Confirmed::Unconfirmed => ("unconfirmed", "never run"),
    }
}

/// How many assertions are derived, and how many observed.
fn by_source<'a>(assertions: impl Iterator<Item = &'a Assertion>) -> (usize, usize) {
    assertions.fold((0, 0), |(derived, observed), one| match one.source {
        Of::Derived => (derived + 1, observed),
        Of::Observed => (derived, observed + 1),
    })
}

fn meanings() -> Words {
    let verdict = |verdict: RunVerdict| match verdict {
        RunVerdict::Held => ("held", "every expectation was seen"),
        RunVerdict::Broken => ("broken", "an expectation was not seen"),
        RunVerdict::Refuted => ("refuted", "it never held: the candidate was wrong"),
        RunVerdict::Inconclusive => ("inconclusive", "whether it holds could not be told"),
        RunVerdict::Skipped => ("skipped", "it was not run"),
    };
    let states = [Confirmed::Confirmed, Confirmed::Flaky, Confirmed::Refuted, Confirmed::Unconfirmed];
    Words {
        strategies: Strategy::ALL.into_iter().map(|one| (one.as_str(), words::strategy(one))).collect(),
        states: states.into_iter().map(state).collect(),
        verdicts: RunVerdict::ALL.into_iter().map(verdict).collect(),
        engines: [Engine::Rules, Engine::Agents, Engine::Human].into_iter().map(engine).collect(),
    }
}

/// What may run and be loaded: this style, this script, nothing else.
fn policy(style: &str, script: &str) -> String {
    let hash = |text: &str| base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(style)
    )
}

/// As JSON; all of it is ours, and made of texts and numbers.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
