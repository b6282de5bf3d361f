//! What the HTML page shows besides the suite: places and tags of operations, cited code, and the results of the last
//! check.

use crate::pipeline::repository::cited::found_in;
use crate::pipeline::repository::workspace::Workspace;
use mastor_config::Settings;
use mastor_extract::Surface;
use mastor_publish::Export;
use mastor_publish::exports::html::PageContext;
use mastor_publish::exports::html::sources::ExcerptReader;
use mastor_publish::json::Envelope;
use mastor_suite::OUT_DIR;
use mastor_types::results::check::CheckFields;
use mastor_types::suite::evidence::Evidence;

/// What the surface and a check tell the page about the operations of `export`.
pub fn beside(surface: &Surface, export: &Export<'_>, check: Option<CheckFields>) -> PageContext {
    let mut beside = PageContext { revision: surface.tree.label().to_owned(), check, ..PageContext::default() };
    for op_id in export.operations.keys() {
        let endpoint = surface.find(op_id).and_then(|operation| surface.endpoint(operation));
        if let Some(endpoint) = endpoint {
            beside.places.insert(op_id.clone(), (endpoint.file.clone(), endpoint.line));
        }
        let described = surface.document.as_ref().and_then(|document| document.operation(op_id.as_str()));
        if let Some(described) = described {
            beside.tags.insert(op_id.clone(), described.tags.clone());
        }
    }
    // Sorted by symbol, so that members of one file follow each other.
    let tables = export.operations.values().map(|suite| &suite.context.evidence);
    let mut cited: Vec<&Evidence> = tables.flat_map(|table| table.values()).collect();
    cited.sort_unstable();
    cited.dedup();
    let mut reader = ExcerptReader::default();
    beside.sources = cited.into_iter().map(|one| (one.id(), reader.source(&found_in(surface, one)))).collect();
    beside
}

/// The results of the last `mastor check` of a service; `None` if there are none, or if their file is of another
/// version.
pub fn last_check(workspace: &Workspace, settings: &Settings) -> Option<CheckFields> {
    let text = fs_err::read_to_string(workspace.root.join(OUT_DIR).join("check.json")).ok()?;
    match serde_json::from_str::<Envelope<CheckFields>>(&text).ok()? {
        Envelope::One { fields, .. } => Some(fields),
        Envelope::Many { services, .. } => {
            services.into_iter().find(|one| one.name == settings.name).map(|one| one.fields)
        }
    }
}
