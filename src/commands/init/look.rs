//! The scan of a repository for `init`: its Java, its services, and each service's document and operations.

use std::collections::BTreeMap;
use std::path::Path;

use super::document::{self, Chosen};
use super::services::{self, Proposed, ServiceSearch};
use crate::pipeline::{self, Workspace};
use mastor_config::{self as config, OpenApiSetting, Overrides, Settings};
use mastor_extract::{self as extract, Surface};
use mastor_frameworks::Endpoint;
use mastor_frameworks::launch::Launch;
use mastor_revision::SourceTree;
use mastor_types::error::Failure;
use mastor_types::results::report::{MatchStatus, OperationRow};

/// A scan of the work tree.
pub(super) struct RepositoryScan {
    tree: SourceTree,
    /// The whole repository, analysed without documents.
    surface: Surface,
    /// The default settings.
    defaults: Settings,
    /// Name of the folder in which the command runs.
    folder: String,
    /// The services found.
    pub(super) found: ServiceSearch,
}

impl RepositoryScan {
    /// Scans the work tree below a folder.
    ///
    /// # Errors
    /// Exit 2 where the clone lacks a file that is needed for the analysis.
    pub(super) fn around(workspace: &Workspace, directory: &Path) -> Result<Self, Failure> {
        let dir = workspace.repo.relative(directory).map_err(pipeline::failure)?;
        let tree = workspace.repo.work_tree().map_err(pipeline::failure)?;
        let nothing = SourceTree::from_memory(Vec::<(String, Vec<u8>)>::new());
        let defaults = config::services(&nothing, &Overrides::default())?;
        let Some(defaults) = defaults.into_iter().next() else { return Err(pipeline::nothing_found()) };
        let defaults = Settings { openapi: OpenApiSetting::None, ..defaults };
        let below = Settings { dir: dir.clone(), ..defaults.clone() };
        let surface = pipeline::surface(workspace, &below, &tree)?;
        let repository = workspace.root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut found = services::find(&surface, &dir, &repository);
        for launch in found.services.iter_mut().flat_map(|service| &mut service.launches) {
            by_shell(launch, &workspace.root);
        }
        let folder = directory.canonicalize().ok();
        let folder = folder.and_then(|dir| dir.file_name().map(|name| name.to_string_lossy().into_owned()));
        let folder = folder.unwrap_or_else(|| defaults.name.clone());
        Ok(Self { tree, surface, defaults, folder, found })
    }

    /// The name of a service, taken from its folder.
    pub(super) fn name(&self, service: &Proposed) -> String {
        let last = service.dir.rsplit('/').next().filter(|name| !name.is_empty());
        last.map_or_else(|| self.folder.clone(), str::to_owned)
    }

    /// A summary, one line each: files, frameworks, services with their modules, and routes outside of services.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut frameworks: BTreeMap<&str, usize> = BTreeMap::new();
        for endpoint in &self.surface.endpoints {
            *frameworks.entry(endpoint.framework.name).or_default() += 1;
        }
        let routes: Vec<String> = frameworks.iter().map(|(name, count)| format!("{name} ({count} routes)")).collect();
        let project = &self.surface.project;
        let mut lines = vec![format!("Java: {} files in {} modules", project.files().len(), project.modules().len())];
        lines.push(match routes.is_empty() {
            true => "framework: none whose routes mastor knows".to_owned(),
            false => format!("framework: {}", routes.join(", ")),
        });
        let ServiceSearch { services, silent, homeless } = &self.found;
        if services.len() > 1 {
            lines.push(format!("services: {}, each with a mastor.toml of its own", services.len()));
        }
        for service in services.iter().filter(|_| services.len() > 1) {
            let others: Vec<&str> = service.modules.iter().skip(1).map(String::as_str).collect();
            let with = if others.is_empty() { String::new() } else { format!(", with {}", others.join(", ")) };
            lines.push(format!("  {}: {} routes{with}", named(&service.dir), self.endpoints(service).len()));
        }
        if !silent.is_empty() {
            lines.push(format!("  serve no route, so no services: {}", silent.join(", ")));
        }
        lines.extend(homeless.iter().map(|(dir, routes)| {
            format!("  {routes} routes of {} belong to none of them: no application depends on it", named(dir))
        }));
        lines
    }

    fn endpoints(&self, service: &Proposed) -> Vec<Endpoint> {
        let settings = self.settings(service, OpenApiSetting::None);
        let own = |one: &&Endpoint| extract::is_of_service(&one.file, &settings);
        self.surface.endpoints.iter().filter(own).cloned().collect()
    }

    fn settings(&self, service: &Proposed, openapi: OpenApiSetting) -> Settings {
        let (name, dir, source) = (self.name(service), service.dir.clone(), service.source.clone());
        Settings { name, dir, source, openapi, ..self.defaults.clone() }
    }

    /// Chooses the document of a service. Its messages also tell how many operations match the code.
    ///
    /// # Errors
    /// Where the chosen document cannot be used.
    pub(super) fn document(&self, workspace: &Workspace, service: &Proposed) -> Result<Chosen, Failure> {
        let others: Vec<&str> = self.found.services.iter().map(|other| other.dir.as_str()).collect();
        let others: Vec<&str> = others.into_iter().filter(|other| *other != service.dir).collect();
        let mut chosen = document::choose(&self.tree, &self.surface, &self.endpoints(service), &service.dir, &others);
        let openapi = chosen.path.clone().map_or(OpenApiSetting::None, OpenApiSetting::Path);
        let surface = pipeline::surface(workspace, &self.settings(service, openapi), &self.tree)?;
        chosen.said.extend(operations(&surface));
        Ok(chosen)
    }
}

fn named(dir: &str) -> &str {
    if dir.is_empty() { "the root" } else { dir }
}

/// How many operations match the code, one line each.
fn operations(surface: &Surface) -> Vec<String> {
    let rows: Vec<_> = surface.matches.iter().map(|one| surface.row(one)).collect();
    let count = |status| rows.iter().filter(|row| row.status == status).count();
    let mut lines = vec![match surface.document {
        None => format!("operations: {}, each a route", rows.len()),
        Some(_) => format!(
            "operations: {} matched, {} unmatched, {} undocumented, {} of the framework",
            count(MatchStatus::Matched),
            count(MatchStatus::Unmatched),
            count(MatchStatus::Undocumented),
            count(MatchStatus::Framework)
        ),
    }];
    let unmatched: Vec<_> = rows.iter().filter(|row| row.status == MatchStatus::Unmatched).collect();
    let named =
        |row: &&OperationRow| format!("  unmatched: {} ({})", row.op_id, row.reason.clone().unwrap_or_default());
    lines.extend(unmatched.iter().copied().take(5).map(|row| named(&row)));
    let left = unmatched.len().saturating_sub(5);
    if left > 0 {
        lines.push(format!("  and {left} more: `mastor operations` lists all"));
    }
    lines
}

/// Prefixes the build tool's wrapper with `sh` where it is committed without execute permission.
fn by_shell(launch: &mut Launch, root: &Path) {
    for wrapper in ["mvnw", "gradlew"] {
        let command = format!("./{wrapper} ");
        let path = root.join(&launch.dir).join(wrapper);
        if launch.build.contains(&command) && path.is_file() && !mastor_spawn::may_run(&path) {
            launch.build = launch.build.replace(&command, &format!("sh {command}"));
        }
    }
}
