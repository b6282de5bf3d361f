//! Mends the given document: edits its text to match the code, and lists what cannot be mended.

use std::collections::BTreeMap;

use crate::pipeline::document::described::{Described, describe};
use crate::pipeline::document::mending::plan;
use crate::pipeline::document::plan::Planned;
use crate::pipeline::repository::workspace::{Workspace, unwritable};
use mastor_config::Settings;
use mastor_openapi::edit::{TextLayout, apply};
use mastor_openapi::{Document, Files, SpecVersion, read};
use mastor_revision::SourceTree;
use mastor_suite::Suite;
use mastor_types::OpId;
use mastor_types::described::DescribedOperation;
use mastor_types::error::{Exit, Failure};

/// One change of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The file.
    pub file: String,
    /// The line in the mended text, from 1.
    pub line: usize,
    /// What was changed.
    pub what: String,
}

/// The result of mending.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mended {
    /// Path of the document.
    pub document: String,
    /// The changes, by file and line.
    pub changes: Vec<Changed>,
    /// What was not mended, each with the reason.
    pub left: Vec<String>,
}

/// Mends the document of a service in the work tree.
///
/// # Errors
/// Exit 2 where there is no document, or one that cannot be mended; exit 70 where writing fails.
pub fn mend(
    workspace: &Workspace,
    settings: &Settings,
    (tree, suite): (&SourceTree, &Suite),
) -> Result<Mended, Failure> {
    let described = describe(workspace, settings, (tree, suite))?;
    let Some(document) = &described.analysis.surface.document else {
        return Err(Failure::new(
            Exit::Usage,
            format!("{} has no OpenAPI document that could be mended", settings.name),
        )
        .hint("`mastor export openapi` writes the first one"));
    };
    if document.version == SpecVersion::V20 {
        return Err(Failure::new(Exit::Usage, format!("{} is Swagger 2.0; only OpenAPI 3 is mended", document.path))
            .hint("convert it first, such as by `npx swagger2openapi`, or take what `mastor export openapi` writes"));
    }
    let planned = plan(&described, document);
    let mut texts = Texts { workspace, tree, all: BTreeMap::new() };
    let mut mended = Mended { document: document.path.clone(), left: planned.left.clone(), ..Mended::default() };
    texts.apply(&planned, &mut mended)?;
    if mended.changes.is_empty() {
        return Ok(mended);
    }
    let again = read(&texts, &document.path)
        .map_err(|error| Failure::new(Exit::Internal, format!("the mended document cannot be read: {error}")))?;
    mended.left.extend(left(&described, &again, &planned));
    mended.left.sort();
    mended.left.dedup();
    for (path, text) in &texts.all {
        mastor_store::write(&workspace.root.join(path), text.as_bytes()).map_err(unwritable)?;
    }
    Ok(mended)
}

/// Differences that remain between the mended document and the code, without those that were known to remain.
fn left(described: &Described, document: &Document, planned: &Planned) -> Vec<String> {
    let named = |one: &DescribedOperation| -> Option<OpId> {
        Some(planned.names.get(&one.op_id).unwrap_or(&one.op_id).clone())
    };
    let found = described.disagreements(Some(document), named).into_iter();
    let told = found.map(|one| format!("{}: {}", one.drift.op_id, one.drift.what));
    told.filter(|told| !planned.left.iter().any(|known| known.starts_with(told.as_str()))).collect()
}

/// The files of the document; `all` holds those that were changed.
struct Texts<'a> {
    workspace: &'a Workspace,
    tree: &'a SourceTree,
    all: BTreeMap<String, String>,
}

impl Texts<'_> {
    /// Applies every edit that can be applied; the others are listed as not mended.
    fn apply(&mut self, planned: &Planned, mended: &mut Mended) -> Result<(), Failure> {
        for step in &planned.steps {
            let text = self.text(&step.file)?;
            let manner = TextLayout::of(&text);
            match apply(&text, &step.edit, manner) {
                Ok(edited) => {
                    for known in mended.changes.iter_mut().filter(|known| known.file == step.file) {
                        if known.line >= edited.line {
                            known.line = known.line.saturating_add_signed(edited.more);
                        }
                    }
                    let (file, what) = (step.file.clone(), step.what.clone());
                    mended.changes.push(Changed { file, line: edited.line, what });
                    self.all.insert(step.file.clone(), edited.text);
                }
                Err(error) => mended.left.push(format!("{}: {error}", step.what)),
            }
        }
        mended.changes.sort_by(|a, b| (&a.file, a.line, &a.what).cmp(&(&b.file, b.line, &b.what)));
        Ok(())
    }

    fn text(&self, path: &str) -> Result<String, Failure> {
        if let Some(text) = self.all.get(path) {
            return Ok(text.clone());
        }
        let read = Files::read(self.tree, path).unwrap_or_default();
        let on_disk = fs_err::read(self.workspace.root.join(path)).unwrap_or_default();
        if read != on_disk {
            return Err(Failure::new(Exit::Usage, format!("{path} is not in the work tree as it was read"))
                .hint("mend it in a work tree that has the revision checked out"));
        }
        String::from_utf8(read).map_err(|_| {
            Failure::new(Exit::Usage, format!("{path} is not UTF-8")).hint("save it as UTF-8, then mend it")
        })
    }
}

impl Files for Texts<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.all.get(path).map(|text| text.clone().into_bytes()).or_else(|| Files::read(self.tree, path))
    }

    fn list(&self) -> Vec<String> {
        Files::list(self.tree)
    }
}
