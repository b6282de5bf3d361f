//! Readable export: Markdown that a reviewer can follow, one page per operation and an index.

use serde::Serialize;

use super::exported::{Export, Exported, symbols};
use super::report_md::tidy;
use super::{request, words};
use crate::suite::OperationSuite;
use crate::template::{TemplateError, render};
use crate::types::evidence::{EvidenceId, EvidenceTable};
use crate::types::oracle::{Oracle, Strategy};
use crate::types::sequence::Sequence;
use crate::types::source_context::Entry;

#[derive(Debug, Serialize)]
struct Index<'a> {
    service: &'a str,
    counts: String,
    operations: Vec<Listed>,
    sequences: Vec<SequencePage>,
}

#[derive(Debug, Serialize)]
struct Listed {
    op_id: String,
    file: String,
    entry: Option<String>,
    fv: usize,
    fi: usize,
    bv: usize,
    bi: usize,
}

#[derive(Debug, Serialize)]
struct SequencePage {
    test_id: String,
    id: String,
    description: String,
    steps: Vec<StepLines>,
    evidence: Vec<String>,
}

#[derive(Debug, Serialize)]
struct StepLines {
    request: String,
    lines: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Page {
    op_id: String,
    entry: Option<String>,
    params: Vec<ParamRow>,
    fields: Vec<FieldRow>,
    errors: Vec<ErrorRow>,
    pending: Vec<String>,
    oracles: Vec<OraclePart>,
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

#[derive(Debug, Serialize)]
struct OraclePart {
    test_id: String,
    id: String,
    strategy: &'static str,
    description: String,
    request: String,
    expects: Vec<String>,
    assumes: Vec<String>,
    rationale: String,
    evidence: Vec<String>,
}

/// The suite as Markdown pages.
///
/// # Errors
/// Where a template itself is wrong.
pub fn readable(export: &Export<'_>) -> Result<Exported, TemplateError> {
    let mut out = Exported::default();
    let mut operations = Vec::new();
    for (op_id, operation) in export.operations {
        let file = format!("operations/{}.md", op_id.slug());
        let count = |strategy| operation.oracles.iter().filter(|o| o.strategy == strategy).count();
        operations.push(Listed {
            op_id: op_id.to_string(),
            file: file.clone(),
            entry: operation.context.entry.as_ref().map(entry),
            fv: count(Strategy::Fv),
            fi: count(Strategy::Fi),
            bv: count(Strategy::Bv),
            bi: count(Strategy::Bi),
        });
        out.files.insert(file, tidy(&render("readable/operation.md", page(operation))?).into_bytes());
    }
    let index = Index {
        service: export.service,
        counts: [
            words::count(operations.len(), "operation"),
            words::count(export.operations.values().map(|o| o.oracles.len()).sum(), "oracle"),
            words::count(export.all_sequences().count(), "sequence"),
        ]
        .join(", "),
        operations,
        sequences: export.all_sequences().map(|s| sequence_page(s, export.symbols_of(s))).collect(),
    };
    out.files.insert("index.md".to_owned(), tidy(&render("readable/index.md", index)?).into_bytes());
    Ok(out)
}

fn entry(entry: &Entry) -> String {
    format!("{}#{}", entry.class, entry.method)
}

fn symbol(table: &EvidenceTable, id: &EvidenceId) -> String {
    symbols(table, std::slice::from_ref(id)).concat()
}

fn page(operation: &OperationSuite) -> Page {
    let context = &operation.context;
    let table = &context.evidence;
    let pending_params = context.request_params_pending.iter().map(|p| format!("parameter {}: {}", p.name, p.reason));
    let pending_responses = context.response_schema_pending.iter().map(|p| match p.status {
        Some(status) => format!("status {status}: {}", p.reason),
        None => format!("body: {}", p.reason),
    });
    Page {
        op_id: context.op_id.to_string(),
        entry: context.entry.as_ref().map(entry),
        params: context
            .request_params
            .iter()
            .map(|p| ParamRow {
                name: p.name.clone(),
                location: format!("{:?}", p.location).to_lowercase(),
                ty: p.ty.clone(),
                required: yes_no(Some(p.required)),
                constraints: p.constraints.iter().map(|c| c.kind.to_string()).collect::<Vec<_>>().join("; "),
                evidence: symbol(table, &p.evidence),
            })
            .collect(),
        fields: context
            .response_schema
            .fields
            .iter()
            .map(|f| FieldRow {
                path: if f.path.is_empty() { "(body)".to_owned() } else { f.path.clone() },
                ty: f.ty.clone(),
                nullable: yes_no(f.nullable),
                evidence: symbol(table, &f.evidence),
            })
            .collect(),
        errors: context
            .response_schema
            .error_cases
            .iter()
            .map(|e| ErrorRow {
                status: e.status,
                condition: e.condition.clone(),
                evidence: symbol(table, &e.evidence),
            })
            .collect(),
        pending: pending_params.chain(pending_responses).collect(),
        oracles: operation.oracles.iter().map(|o| oracle_part(o, table)).collect(),
    }
}

fn yes_no(value: Option<bool>) -> &'static str {
    match value {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not known",
    }
}

fn oracle_part(oracle: &Oracle, table: &EvidenceTable) -> OraclePart {
    OraclePart {
        test_id: oracle.test_id.clone(),
        id: oracle.o_id.clone(),
        strategy: words::strategy(oracle.strategy),
        description: oracle.description.clone(),
        request: request::in_words(&oracle.op_id, &oracle.as_user, &oracle.input),
        expects: oracle.assertions.iter().map(words::assertion).collect(),
        assumes: oracle.assumes.iter().map(|a| format!("{} ({})", a.what, symbol(table, &a.evidence))).collect(),
        rationale: oracle.rationale.clone(),
        evidence: symbols(table, &oracle.evidence),
    }
}

fn sequence_page(sequence: &Sequence, evidence: Vec<String>) -> SequencePage {
    let steps = sequence
        .steps
        .iter()
        .map(|step| {
            let binds = step.binds.iter().map(|(place, from)| format!("puts {from} into {place}"));
            let expects = step.assertions.iter().map(|a| format!("expects: {}", words::assertion(a)));
            let takes = step.captures.iter().map(|(name, from)| format!("takes {name} from {from}"));
            StepLines {
                request: request::in_words(&step.op_id, &step.as_user, &step.input),
                lines: binds.chain(expects).chain(takes).collect(),
            }
        })
        .collect();
    SequencePage {
        test_id: sequence.test_id.clone(),
        id: sequence.s_id.clone(),
        description: sequence.description.clone(),
        steps,
        evidence,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

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
