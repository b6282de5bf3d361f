//! The operations of one revision: its document, Java code, routes, and how they match.

use mastor_frameworks::{FRAMEWORKS, Registration};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::matching::{self, Match, Sides};
use super::named;
use mastor_config::{OpenApiSetting, Settings};
use mastor_frameworks::advice::ExceptionRule;
use mastor_frameworks::files::modules::applications;
use mastor_frameworks::files::resources::is_read;
use mastor_frameworks::{self as frameworks, Build, Endpoint, Inputs, Properties, Resources};
use mastor_java::build::layout::{Scope, is_test_path};
use mastor_java::project::index::Project;
use mastor_openapi::{self as openapi, Document, OpenApiError};
use mastor_revision::{RevisionError, SourceTree};
use mastor_store::Cache;
use mastor_types::entry_pattern::EntryPattern;
use mastor_types::event::Events;
use mastor_types::results::report::{EntryPlace, OperationRow};
use mastor_types::suite::source_context::Entry;
use mastor_types::{OpId, Warning};

/// Data of one revision before any closure is followed.
pub struct Surface {
    /// The revision's files.
    pub tree: SourceTree,
    /// Its indexed Java code.
    pub project: Arc<Project>,
    /// Its document, if there is one.
    pub document: Option<Document>,
    /// Configuration and build files.
    pub resources: Resources,
    /// Application properties.
    pub properties: Properties,
    /// Parsed build files.
    pub build: Build,
    /// Every route of the service.
    pub endpoints: Vec<Endpoint>,
    /// Which handler answers which exception.
    pub exceptions: Vec<ExceptionRule>,
    /// Entry patterns from `mastor.toml`.
    pub patterns: Vec<EntryPattern>,
    /// Every operation, sorted by name.
    pub matches: Vec<Match>,
    /// Warnings about files that were read partly or not at all.
    pub warnings: Vec<Warning>,
}

/// Why the operations of a revision could not be determined.
#[derive(Debug, thiserror::Error)]
pub enum SurfaceError {
    /// The configured or discovered document cannot be used; the user must mend it.
    #[error(transparent)]
    Document(#[from] OpenApiError),
    /// The configured document does not exist; the user must correct the setting.
    #[error("there is no OpenAPI document at {0}")]
    NoDocument(String),
    /// A file that decides how operations behave is missing from the partial clone.
    #[error(transparent)]
    Incomplete(#[from] RevisionError),
}

/// Reads the operations of the service in `tree`.
///
/// # Errors
/// The configured document, or the best discovered one, is unusable as a whole.
pub fn surface(
    tree: &SourceTree,
    settings: &Settings,
    cache: Option<&Arc<Cache>>,
    events: &Events,
) -> Result<Surface, SurfaceError> {
    surface_with(tree, settings, cache, events, (&BTreeMap::new(), FRAMEWORKS))
}

/// As [`surface`], with entries that a model has just named for operations without a route, and with additional
/// frameworks.
///
/// # Errors
/// As for [`surface`].
pub fn surface_with(
    tree: &SourceTree,
    settings: &Settings,
    cache: Option<&Arc<Cache>>,
    events: &Events,
    (named, known): (&BTreeMap<OpId, Entry>, &[Registration]),
) -> Result<Surface, SurfaceError> {
    events.detail(format!("reading {}", tree.label()));
    // A file that a partial clone lacks would look as if it did not exist.
    tree.complete(|path| {
        path.ends_with(".java") && !is_test_path(path) || is_read(path) || is_of_suite(path, settings)
    })?;
    let scope = Scope { roots: settings.source.clone().unwrap_or_default(), tests: false };
    let beside = || {
        let resources = Resources::load(tree);
        let (properties, build) = (Properties::load(&resources), Build::load(&resources));
        (document(tree, settings), resources, properties, build)
    };
    let (project, (document, resources, mut properties, mut build)) =
        rayon::join(|| Project::load(tree, cache, &scope), beside);
    let document = document?;
    let project = project.with_brought(frameworks::brought(known));
    build.applications = Arc::new(applications(&project, &build));
    properties.applications = build.applications.clone();
    let beside = Beside { tree, resources: &resources, properties: &properties, build: &build };
    let (project, made) = beside.complete(project, document.as_ref());
    let project = project.with_inert_constraints(build.lacks_validator());
    let inputs = beside.inputs(&project, document.as_ref(), &settings.entry);
    let (mut endpoints, mut warnings) = frameworks::endpoints(&inputs, known);
    warnings.extend(made);
    endpoints.retain(|endpoint| is_of_service(&endpoint.file, settings));
    let exceptions = frameworks::exceptions(&inputs, &endpoints, known);
    let sides = Sides {
        document: document.as_ref(),
        endpoints: &endpoints,
        project: &project,
        build: &build,
        properties: &properties,
    };
    let mut matches = matching::matches(&sides);
    let is_own = |file: &str| is_of_service(file, settings);
    let mut by_model = named::entries(&inputs, &settings.dir, named, &is_own, &mut matches, endpoints.len());
    endpoints.append(&mut by_model);
    matches.sort_by(|a, b| a.op_id.cmp(&b.op_id));
    matches.dedup_by(|a, b| a.op_id == b.op_id);
    warnings.extend(properties.warnings());
    warnings.extend(project.warnings().iter().cloned());
    warnings.extend(document.iter().flat_map(|d| d.warnings.iter().cloned()));
    warnings.extend(tree.warnings().into_iter().filter(is_relevant));
    warnings.sort();
    warnings.dedup();
    Ok(Surface {
        tree: tree.clone(),
        project: Arc::new(project),
        document,
        resources,
        properties,
        build,
        endpoints,
        exceptions,
        patterns: settings.entry.clone(),
        matches,
        warnings,
    })
}

/// Data of a revision other than its Java code.
struct Beside<'a> {
    tree: &'a SourceTree,
    resources: &'a Resources,
    properties: &'a Properties,
    build: &'a Build,
}

impl<'a> Beside<'a> {
    fn inputs(&self, project: &'a Project, document: Option<&'a Document>, patterns: &'a [EntryPattern]) -> Inputs<'a> {
        let Self { tree, resources, properties, build } = *self;
        Inputs { project, tree, resources, properties, build, document, patterns }
    }

    /// The project with the code that its build generates, and warnings about generated code that is not known.
    fn complete(&self, mut project: Project, document: Option<&Document>) -> (Project, Vec<Warning>) {
        let Self { tree, resources, properties, build } = *self;
        let mut warnings = Vec::new();
        for make in frameworks::MAKERS {
            let inputs = Inputs { project: &project, tree, resources, properties, build, document, patterns: &[] };
            let (made, named) = make(&inputs);
            project = project.with_made(made);
            warnings.extend(named);
        }
        (project, warnings)
    }
}

/// Whether a file belongs to the committed suite, or is the configured document.
fn is_of_suite(path: &str, settings: &Settings) -> bool {
    let dir = if settings.dir.is_empty() { String::new() } else { format!("{}/", settings.dir) };
    let own = path.strip_prefix(&dir).is_some_and(|rest| rest.starts_with(".mastor/"));
    let is_document = ["openapi", "swagger", "api-docs"].iter().any(|part| path.to_ascii_lowercase().contains(part));
    own || is_document && [".json", ".yml", ".yaml"].iter().any(|ending| path.ends_with(ending))
}

/// Whether a file belongs to the service: it is below the service's folder, or below one of the configured source
/// roots.
pub fn is_of_service(file: &str, settings: &Settings) -> bool {
    let below = |dir: &str| dir.is_empty() || file.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'));
    match &settings.source {
        Some(roots) => roots.iter().any(|root| below(root)),
        None => below(&settings.dir),
    }
}

/// Whether a warning of the tree matters: only if the file can be source or configuration.
fn is_relevant(warning: &Warning) -> bool {
    let Some(file) = &warning.file else { return true };
    let source = [
        ".java",
        ".kt",
        ".groovy",
        ".scala",
        ".xml",
        ".yml",
        ".yaml",
        ".json",
        ".properties",
        ".sql",
        ".gradle",
        ".kts",
    ];
    warning.code == "submodule-not-read"
        || source.iter().any(|ending| file.ends_with(ending))
        || !file.rsplit('/').next().unwrap_or(file).contains('.')
}

fn document(tree: &SourceTree, settings: &Settings) -> Result<Option<Document>, SurfaceError> {
    match &settings.openapi {
        OpenApiSetting::None => Ok(None),
        OpenApiSetting::Path(path) if tree.get(path).is_none() => Err(SurfaceError::NoDocument(path.clone())),
        OpenApiSetting::Path(path) => Ok(Some(openapi::read(tree, path)?)),
        OpenApiSetting::Find => match openapi::discover(tree, &settings.dir).into_iter().next() {
            Some(best) => Ok(Some(openapi::read(tree, &best.path)?)),
            None => Ok(None),
        },
    }
}

impl Surface {
    /// The input of frameworks for this revision.
    pub fn inputs(&self) -> Inputs<'_> {
        Inputs {
            project: &self.project,
            tree: &self.tree,
            resources: &self.resources,
            properties: &self.properties,
            build: &self.build,
            document: self.document.as_ref(),
            patterns: &self.patterns,
        }
    }

    /// The endpoint of an operation's entry.
    pub fn endpoint(&self, operation: &Match) -> Option<&Endpoint> {
        operation.endpoints.first().and_then(|index| self.endpoints.get(*index))
    }

    /// The operation with this name.
    pub fn find(&self, op_id: &OpId) -> Option<&Match> {
        self.matches.iter().find(|m| m.op_id == *op_id)
    }

    /// The row of `mastor operations`.
    pub fn row(&self, operation: &Match) -> OperationRow {
        let endpoint = self.endpoint(operation);
        OperationRow {
            op_id: operation.op_id.clone(),
            status: operation.status,
            entry: endpoint.map(|endpoint| EntryPlace {
                class: self.project.fqn(endpoint.entry.ty).to_owned(),
                method: self.project.member(endpoint.entry).signature(),
                file: endpoint.file.clone(),
                line: endpoint.line,
            }),
            framework: endpoint.map(|endpoint| endpoint.framework.to_string()),
            matched_by: operation.matched_by.clone(),
            reason: operation.reason.clone(),
        }
    }
}
