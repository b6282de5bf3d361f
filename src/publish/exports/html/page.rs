//! Assembles the page: data, style, script, and the content security policy.

use std::collections::BTreeMap;

use base64::Engine as _;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::super::exported::{Export, Exported};
use super::known::{PageContext, PageIndex, Words, meanings};
use super::{operations, sequences};
use crate::wording::words;
use mastor_suite::OperationSuite;
use mastor_template::TemplateError;
use mastor_types::op_id::OpId;

/// File name in the export's folder.
pub const FILE: &str = "index.html";

/// The data of the page's template.
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
    sequences: Vec<sequences::Listed>,
    sequence_data: String,
    source_data: String,
}

/// An operation as shown without scripts, with the data for the script.
#[derive(Debug, Serialize)]
struct Listed {
    op_id: String,
    entry: Option<String>,
    counts: String,
    data: String,
}

/// The data for listing and filtering, loaded when the page opens.
#[derive(Debug, Serialize)]
struct Index<'a> {
    service: &'a str,
    checked: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strength: Option<String>,
    words: Words,
    operations: Vec<operations::Row>,
    sequences: Vec<sequences::Row>,
}

/// Exports the suite as a page.
///
/// # Errors
/// Where a template is invalid.
pub fn html(export: &Export<'_>, beside: &PageContext) -> Result<Exported, TemplateError> {
    let templates = export.templates;
    let style = templates.part("html/page.css", &["</style"])?.to_owned();
    let scripts = ["html/diagram.js", "html/items.js", "html/page.js"];
    let scripts: Vec<&str> =
        scripts.iter().map(|name| templates.part(name, &["</script", "<!--"])).collect::<Result<_, _>>()?;
    let script = scripts.join("\n");
    let known = PageIndex::new(export, beside);
    let ordered = ordered(export);
    let place: BTreeMap<&OpId, usize> = ordered.iter().enumerate().map(|(at, (op_id, _))| (*op_id, at)).collect();
    let all: Vec<_> = export.all_sequences().collect();
    let rows = ordered.iter().map(|(op_id, suite)| operations::row(op_id, suite, &all, &known)).collect();
    let index = Index {
        service: export.service,
        checked: beside.check.as_ref().map(|check| check.base_url.as_str()),
        strength: beside.strength.as_ref().map(crate::report::strength::line),
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
    Ok(Exported { files: [(FILE.to_owned(), text.into_bytes())].into(), ..Exported::default() })
}

/// Operations sorted by path, then in the order of a resource's life cycle.
fn ordered<'a>(export: &Export<'a>) -> Vec<(&'a OpId, &'a OperationSuite)> {
    let mut all: Vec<_> = export.operations.iter().collect();
    all.sort_by_key(|(op_id, _)| op_id.by_path());
    all
}

/// The content security policy: allows this style and this script only.
fn policy(style: &str, script: &str) -> String {
    let hash = |text: &str| base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(style)
    )
}

/// JSON of the page's own data types, which cannot fail.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
