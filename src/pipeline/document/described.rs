//! The OpenAPI document of a service as its code describes it: exported, parsed again, and compared with the given
//! document.

use rayon::prelude::*;

use crate::pipeline::repository::comparison::{analyse, shared, subject};
use crate::pipeline::repository::workspace::Workspace;
use mastor_config::Settings;
use mastor_derive as derive;
use mastor_derive::oracles::drift::{Disagreement, disagreements};
use mastor_extract::Analysis;
use mastor_openapi::write::{Style, yaml};
use mastor_openapi::{Document, MemoryFiles, read};
use mastor_publish::Exported;
use mastor_publish::exports::openapi::{Assembled, DocumentInput, document};
use mastor_publish::wording::words::count;
use mastor_revision::SourceTree;
use mastor_runtime::Subject;
use mastor_suite::Suite;
use mastor_types::OpId;
use mastor_types::described::DescribedOperation;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::change::{Drift, DriftKind};

/// Name of the document's file.
const FILE: &str = "openapi.yaml";
/// Differences to the given document that are listed, at most.
const TOLD: usize = 20;

/// A service as its code describes it.
pub struct Described {
    /// The analysed revision.
    pub analysis: Analysis,
    /// Every operation that the code serves.
    pub operations: Vec<DescribedOperation>,
    /// The document made from these operations.
    pub assembled: Assembled,
}

/// Describes a service.
///
/// # Errors
/// Exit 2 where the given document cannot be used, exit 3 where the code serves nothing.
pub fn describe(
    workspace: &Workspace,
    settings: &Settings,
    (tree, suite): (&SourceTree, &Suite),
) -> Result<Described, Failure> {
    let analysis = analyse(workspace, settings, tree)?;
    let op_ids: Vec<&OpId> = analysis.operations.iter().map(|operation| &operation.op_id).collect();
    let shared = shared(&analysis);
    workspace.events.started("describing", Some(op_ids.len() as u64));
    let one = |op_id: &&OpId| {
        let described = subject(&analysis, &shared, op_id).map(|subject| derive::describe(&subject));
        workspace.events.advanced(op_id.to_string());
        described
    };
    // Split one by one, since some operations take far longer than others.
    let operations: Vec<DescribedOperation> = op_ids.par_iter().with_max_len(1).filter_map(one).collect();
    workspace.events.finished(count(operations.len(), "operation"));
    drop(shared);
    if operations.is_empty() {
        return Err(Failure::new(Exit::Nothing, "no operation was found in the code")
            .hint("`mastor operations` says what was looked at"));
    }
    let near = analysis.surface.endpoints.first().map_or("", |endpoint| endpoint.file.as_str());
    let module = analysis.surface.build.module_of(near);
    let version = module.map(|module| module.version.as_str());
    let titles = [
        analysis.surface.document.as_ref().and_then(|document| document.title.as_deref()),
        module.map(|module| module.artifact.as_str()),
    ];
    let title = titles.into_iter().flatten().find(|title| !title.trim().is_empty());
    let given = DocumentInput {
        title: title.unwrap_or(&settings.name),
        version: version.filter(|version| !version.is_empty() && !version.contains('$')),
        operations: &operations,
        suites: &suite.operations,
    };
    let assembled = document(&given);
    Ok(Described { analysis, operations, assembled })
}

/// The document as an export. Counts and differences to the given document are reported.
///
/// # Errors
/// As for [`describe`]; exit 70 if the written document cannot be parsed.
pub fn exported(workspace: &Workspace, settings: &Settings, of: (&SourceTree, &Suite)) -> Result<Exported, Failure> {
    let described = describe(workspace, settings, of)?;
    let text = yaml(&described.assembled.value, Style::default());
    let again = read(&MemoryFiles::default().with(FILE, text.clone()), FILE)
        .map_err(|error| Failure::new(Exit::Internal, format!("the document cannot be read again: {error}")))?;
    let left = described.against(&again);
    for line in described.told(&again, &left) {
        workspace.events.said(line);
    }
    let mut exported = Exported::default();
    exported.files.insert(FILE.to_owned(), text.into_bytes());
    Ok(exported)
}

impl Described {
    /// Differences between the code and a document that uses the exported names.
    fn against(&self, document: &Document) -> Vec<Drift> {
        let named = |described: &DescribedOperation| self.assembled.names.get(&described.op_id).cloned();
        let mut found: Vec<Drift> =
            self.disagreements(Some(document), named).into_iter().map(|one| one.drift).collect();
        found.sort();
        found.dedup();
        found
    }

    /// Differences between the code and a document; `named` gives an operation's name in the document, or `None` to
    /// skip it.
    pub fn disagreements(
        &self,
        document: Option<&Document>,
        named: impl Fn(&DescribedOperation) -> Option<OpId>,
    ) -> Vec<Disagreement> {
        let shared = shared(&self.analysis);
        let mut found = Vec::new();
        for described in &self.operations {
            let Some(name) = named(described) else { continue };
            let Some(of) = subject(&self.analysis, &shared, &described.op_id) else { continue };
            found.extend(disagreements(&Subject { document, op_id: &name, ..of }, &described.context));
        }
        found
    }

    /// Differences between the code and the given document, and operations of the document that no code serves.
    pub fn drift_of_given(&self) -> Vec<Drift> {
        let Some(document) = &self.analysis.surface.document else { return Vec::new() };
        let named = |described: &DescribedOperation| Some(described.op_id.clone());
        let mut found: Vec<Drift> =
            self.disagreements(Some(document), named).into_iter().map(|one| one.drift).collect();
        found.extend(self.unserved());
        found.sort();
        found.dedup();
        found
    }

    /// The operations of the given document that nothing in the code serves.
    pub fn unserved(&self) -> Vec<Drift> {
        let op_ids = self.analysis.operations.iter().map(|operation| &operation.op_id);
        let is_unserved = |op_id: &&OpId| self.analysis.endpoint(op_id).is_none();
        op_ids
            .filter(is_unserved)
            .filter_map(|op_id| crate::pipeline::repository::unserved::unserved(&self.analysis, op_id))
            .collect()
    }

    fn told(&self, again: &Document, left: &[Drift]) -> Vec<String> {
        let Assembled { schemas, open, examples, left_out, .. } = &self.assembled;
        let mut lines = Vec::new();
        let mut line = format!("{}, {}", count(again.operations.len(), "operation"), count(*schemas, "schema"));
        if *open > 0 {
            line += &format!(" ({open} of classes whose form was not followed)");
        }
        line += &format!(", {}; read again: {}", count(*examples, "example"), differences(left.len()));
        lines.push(line);
        lines.extend(left.iter().map(|drift| format!("  {}: {}", drift.op_id, drift.what)));
        lines.extend(again.warnings.iter().map(|warning| format!("  {}", warning.message)));
        if !left_out.is_empty() {
            let what = "answers that were confirmed are no examples, since the types say otherwise";
            lines.push(format!("{} {what}: {}", left_out.len(), left_out.join(", ")));
        }
        if let Some(document) = &self.analysis.surface.document {
            let drift = self.drift_of_given();
            lines.push(format!("{} against the code: {}", document.path, differences(drift.len())));
            lines.extend(drift.iter().take(TOLD).map(|one| format!("  {}: {}", one.op_id, one.what)));
            if drift.len() > TOLD {
                lines.push(format!("  and {} more", drift.len() - TOLD));
            }
            let routes = drift.iter().filter(|one| one.kind == DriftKind::UndocumentedRoute).count();
            if routes > 0 {
                lines.push(format!("  {} of the code are not in it", count(routes, "operation")));
            }
        }
        lines
    }
}

fn differences(n: usize) -> String {
    if n == 0 { "no drift".to_owned() } else { count(n, "difference") }
}
