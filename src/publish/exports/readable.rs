//! Readable export: Markdown pages for reviewers: an index, and a page for each operation and for the sequences that
//! begin with it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::binds::captured;
use super::exported::{Export, Exported, symbols};
use crate::report::report_md::tidy;
use crate::wording::asked::{Expects, RequestView, VALUE, expected, expected_of, of_oracle, of_step, taken_from};
use crate::wording::short_names::Names;
use crate::wording::words;
use mastor_suite::OperationSuite;
use mastor_template::TemplateError;
use mastor_template::escape::shorten_counted;
use mastor_types::op_id::OpId;
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::evidence::{EvidenceId, EvidenceTable};
use mastor_types::suite::given::Given;
use mastor_types::suite::oracle::{Confirmation, Confirmed, Oracle, Origin};
use mastor_types::suite::sequence::{Sequence, Step};
use mastor_types::suite::source_context::Entry;

/// Maximum length of a table cell, in characters.
const CELL: usize = 400;

#[derive(Debug, Serialize)]
struct Index<'a> {
    service: &'a str,
    counts: String,
    operations: Vec<Listed>,
    sequences: Vec<ListedSequence>,
}

#[derive(Debug, Serialize)]
struct Listed {
    op_id: String,
    file: String,
    entry: Option<String>,
    oracles: usize,
    confirmed: usize,
    statuses: String,
}

#[derive(Debug, Serialize)]
struct ListedSequence {
    title: String,
    file: String,
    steps: Vec<String>,
    pattern: &'static str,
    state: &'static str,
}

#[derive(Debug, Serialize)]
struct Page {
    op_id: String,
    entry: Option<String>,
    counts: String,
    params: Vec<ParamRow>,
    statuses: Vec<u16>,
    fields: Vec<FieldRow>,
    errors: Vec<ErrorRow>,
    pending: Vec<String>,
    oracles: Vec<OraclePart>,
    sequences: Vec<ListedSequence>,
    /// All code cited on the page, with full names.
    cited: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ParamRow {
    name: String,
    location: String,
    #[serde(rename = "type")]
    ty: String,
    required: &'static str,
    constraints: String,
    evidence: String,
}

#[derive(Debug, Serialize)]
struct FieldRow {
    path: String,
    #[serde(rename = "type")]
    ty: String,
    nullable: &'static str,
    evidence: String,
}

#[derive(Debug, Serialize)]
struct ErrorRow {
    status: u16,
    condition: String,
    evidence: String,
}

/// Expectations, divided into derived and observed ones.
#[derive(Debug, Serialize)]
struct Expected {
    derived: Vec<Expects>,
    observed: Vec<Expects>,
}

/// Origin and confirmation.
#[derive(Debug, Serialize)]
struct OriginView {
    made: String,
    confirmed: String,
    /// Path and class of varying fields.
    varies: Vec<(String, String)>,
    given: Vec<(String, String)>,
    assumes: Vec<(String, String)>,
    evidence: Vec<String>,
}

#[derive(Debug, Serialize)]
struct OraclePart {
    test_id: String,
    id: String,
    strategy: &'static str,
    description: String,
    request: RequestView,
    expects: Expected,
    rationale: String,
    known: OriginView,
}

#[derive(Debug, Serialize)]
struct SequencesPage {
    op_id: String,
    sequences: Vec<SequencePart>,
    cited: Vec<String>,
}

#[derive(Debug, Serialize)]
struct SequencePart {
    test_id: String,
    id: String,
    title: String,
    pattern: &'static str,
    steps: Vec<StepPart>,
    known: OriginView,
}

#[derive(Debug, Serialize)]
struct StepPart {
    request: RequestView,
    /// Name of a captured value, and the place of the request that receives it.
    puts: Vec<(String, String)>,
    expects: Expected,
    /// Name of a captured value, and the place of the answer that it is taken from.
    takes: Vec<(String, String)>,
}

/// Exports the suite as Markdown pages.
///
/// # Errors
/// Where a template is invalid.
pub fn readable(export: &Export<'_>) -> Result<Exported, TemplateError> {
    let mut out = Exported::default();
    let mut ordered: Vec<(&OpId, &OperationSuite)> = export.operations.iter().collect();
    ordered.sort_by_key(|(op_id, _)| op_id.by_path());
    for (op_id, operation) in &ordered {
        let text = export.templates.render("readable/operation.md", page(op_id, operation, export))?;
        out.files.insert(file("operations", op_id), tidy(&text).into_bytes());
    }
    for (op_id, sequences) in export.sequences {
        let names = Names::of(sequences.iter().flat_map(|sequence| export.symbols_of(sequence)));
        let page = SequencesPage {
            op_id: op_id.to_string(),
            sequences: sequences.iter().map(|sequence| sequence_part(sequence, export, &names)).collect(),
            cited: names.whole(),
        };
        let text = export.templates.render("readable/sequences.md", page)?;
        out.files.insert(file("sequences", op_id), tidy(&text).into_bytes());
    }
    let index = Index {
        service: export.service,
        counts: export.counts(),
        operations: ordered.iter().map(|(op_id, operation)| listed(op_id, operation)).collect(),
        sequences: export.all_sequences().map(|sequence| listed_sequence(sequence, "")).collect(),
    };
    out.files.insert("index.md".to_owned(), tidy(&export.templates.render("readable/index.md", index)?).into_bytes());
    Ok(out)
}

fn file(folder: &str, op_id: &OpId) -> String {
    format!("{folder}/{}.md", op_id.slug())
}

fn listed(op_id: &OpId, operation: &OperationSuite) -> Listed {
    let statuses: BTreeSet<u16> = operation.oracles.iter().flat_map(Oracle::statuses).collect();
    Listed {
        op_id: op_id.to_string(),
        file: file("operations", op_id),
        entry: operation.context.entry.as_ref().map(entry),
        oracles: operation.oracles.len(),
        confirmed: confirmed_of(operation),
        statuses: statuses.iter().map(u16::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn confirmed_of(operation: &OperationSuite) -> usize {
    operation.oracles.iter().filter(|oracle| oracle.confirmation.state == Confirmed::Confirmed).count()
}

/// A sequence in the list of a page; `up` is the relative path from the page to the export's folder.
fn listed_sequence(sequence: &Sequence, up: &str) -> ListedSequence {
    let first = sequence.steps.first().map(|step| format!("{up}{}", file("sequences", &step.op_id)));
    ListedSequence {
        title: shorten_counted(&sequence.description, CELL),
        file: first.unwrap_or_default(),
        steps: sequence.steps.iter().map(|step| step.op_id.to_string()).collect(),
        pattern: words::pattern(sequence.pattern),
        state: match sequence.confirmation.state {
            Confirmed::Confirmed => "yes",
            Confirmed::Refuted => "refuted",
            Confirmed::Flaky => "in some runs",
            Confirmed::Unconfirmed => "never run",
        },
    }
}

fn entry(entry: &Entry) -> String {
    format!("{}#{}", entry.class, entry.method)
}

fn symbol(table: &EvidenceTable, id: &EvidenceId) -> String {
    symbols(table, std::slice::from_ref(id)).concat()
}

fn page(op_id: &OpId, operation: &OperationSuite, export: &Export<'_>) -> Page {
    let context = &operation.context;
    let table = &context.evidence;
    let schema = &context.response_schema;
    let names = Names::of(table.values().map(|evidence| evidence.symbol.clone()));
    let named = |id: &EvidenceId| names.name(symbol(table, id));
    let mut statuses = schema.success_statuses.clone();
    statuses.extend(schema.success_status.filter(|status| !statuses.contains(status)));
    let asks = |sequence: &&Sequence| sequence.steps.iter().any(|step| step.op_id == *op_id);
    let counts = [
        words::count(operation.oracles.len(), "oracle"),
        format!("{} confirmed on a service", confirmed_of(operation)),
    ];
    Page {
        op_id: op_id.to_string(),
        entry: context.entry.as_ref().map(entry),
        counts: counts.join(", "),
        params: context
            .request_params
            .iter()
            .map(|p| ParamRow {
                name: if p.name.is_empty() { "(body)".to_owned() } else { p.name.clone() },
                location: format!("{:?}", p.location).to_lowercase(),
                ty: p.ty.clone(),
                required: yes_no(Some(p.required)),
                constraints: p
                    .constraints
                    .iter()
                    .map(|c| shorten_counted(&c.kind.to_string(), CELL))
                    .collect::<Vec<_>>()
                    .join("; "),
                evidence: named(&p.evidence),
            })
            .collect(),
        statuses,
        fields: schema
            .fields
            .iter()
            .map(|f| FieldRow {
                path: if f.path.is_empty() { "(body)".to_owned() } else { f.path.clone() },
                ty: f.ty.clone(),
                nullable: yes_no(f.nullable),
                evidence: named(&f.evidence),
            })
            .collect(),
        errors: schema
            .error_cases
            .iter()
            .map(|e| ErrorRow {
                status: e.status,
                condition: shorten_counted(&e.condition, CELL),
                evidence: named(&e.evidence),
            })
            .collect(),
        pending: words::pending(context),
        oracles: operation.oracles.iter().map(|oracle| oracle_part(oracle, table, &names)).collect(),
        sequences: export.all_sequences().filter(asks).map(|one| listed_sequence(one, "../")).collect(),
        cited: names.whole(),
    }
}

fn yes_no(value: Option<bool>) -> &'static str {
    match value {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not known",
    }
}

fn oracle_part(oracle: &Oracle, table: &EvidenceTable, names: &Names) -> OraclePart {
    let cited = |id: &EvidenceId| symbol(table, id);
    OraclePart {
        test_id: oracle.test_id.clone(),
        id: oracle.o_id.clone(),
        strategy: words::strategy(oracle.strategy),
        description: shorten_counted(&oracle.description, VALUE),
        request: of_oracle(&oracle.op_id, &oracle.as_user, &oracle.input),
        expects: sorted(expected_of(oracle)),
        rationale: shorten_counted(&oracle.rationale, VALUE),
        known: known(
            (&oracle.origin, &oracle.confirmation),
            rests(&oracle.given, &oracle.assumes, &cited, names),
            names.names(symbols(table, &oracle.evidence)),
        ),
    }
}

fn known(
    (origin, confirmation): (&Origin, &Confirmation),
    (given, assumes): Rests,
    evidence: Vec<String>,
) -> OriginView {
    let (confirmed, varies) = words::confirmed(confirmation);
    OriginView { made: words::origin(origin), confirmed, varies, given, assumes, evidence }
}

/// Needed data and assumptions, each with the code that it is about.
type Rests = (Vec<(String, String)>, Vec<(String, String)>);

fn rests(given: &[Given], assumes: &[Assumption], cited: &dyn Fn(&EvidenceId) -> String, names: &Names) -> Rests {
    let named = |what: &str, id: &EvidenceId| (shorten_counted(what, VALUE), names.name(cited(id)));
    let given = given.iter().map(|one| named(&one.what(), &one.evidence)).collect();
    (given, assumes.iter().map(|one| named(&one.words(), &one.evidence)).collect())
}

fn sorted(expects: Vec<Expects>) -> Expected {
    let (observed, derived) = expects.into_iter().partition(|one| one.observed);
    Expected { derived, observed }
}

fn sequence_part(sequence: &Sequence, export: &Export<'_>, names: &Names) -> SequencePart {
    let tables: Vec<&EvidenceTable> = sequence
        .steps
        .iter()
        .filter_map(|step| export.operations.get(&step.op_id))
        .map(|operation| &operation.context.evidence)
        .collect();
    let cited = |id: &EvidenceId| tables.iter().find_map(|table| table.get(id)).map(|evidence| evidence.symbol.clone());
    let cited = |id: &EvidenceId| cited(id).unwrap_or_else(|| id.as_str().to_owned());
    SequencePart {
        test_id: sequence.test_id.clone(),
        id: sequence.s_id.clone(),
        title: shorten_counted(&sequence.description, VALUE),
        pattern: words::pattern(sequence.pattern),
        steps: sequence.steps.iter().map(step_part).collect(),
        known: known(
            (&sequence.origin, &sequence.confirmation),
            rests(&sequence.given, &sequence.assumes, &cited, names),
            names.names(export.symbols_of(sequence)),
        ),
    }
}

fn step_part(step: &Step) -> StepPart {
    let name = |bind: &str| format!("${}", captured(bind).unwrap_or(bind));
    StepPart {
        request: of_step(step),
        puts: step.binds.iter().map(|(place, from)| (name(from), place.clone())).collect(),
        expects: sorted(expected(&step.assertions)),
        takes: step.captures.iter().map(|(name, from)| (format!("${name}"), taken_from(from))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_reviewer_can_follow_every_page() {
        let suite = sample::suite();
        let exported = readable(&Export::of("orders", "/api", &suite)).unwrap();
        let pages: Vec<String> = exported
            .files
            .iter()
            .map(|(path, bytes)| format!("=== {path}\n{}", String::from_utf8_lossy(bytes)))
            .collect();
        insta::assert_snapshot!(pages.join("\n"));
    }
}
