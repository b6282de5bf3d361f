//! Revisions in memory for tests: the files of a folder, and an analysed service for the engines.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mastor::frameworks::advice::ExceptionRule;
use mastor::frameworks::files::modules::applications;
use mastor::frameworks::{
    Build, Endpoint, FRAMEWORKS, Inputs, MAKERS, Properties, Registration, Resources, brought, endpoints, exceptions,
};
use mastor::java::build::layout::Scope;
use mastor::java::project::index::Project;
use mastor::revision::SourceTree;
use mastor::types::results::strength::Targets;
use mastor::types::user::User;
use mastor::types::{Method, Warning};

/// One revision of a service.
pub struct Service {
    /// Its files.
    pub tree: SourceTree,
    pub project: Project,
    pub resources: Resources,
    pub properties: Properties,
    pub build: Build,
    pub endpoints: Vec<Endpoint>,
    pub rules: Vec<ExceptionRule>,
    /// The users of its auth file; empty unless a test sets them.
    pub users: Vec<User>,
    /// Targets for additional oracles; empty unless a test sets them.
    pub targets: Targets,
    /// Warnings about generated classes that are not followed.
    pub left_out: Vec<Warning>,
}

impl Service {
    /// The service with these files, each a path and its content.
    pub fn of(files: impl IntoIterator<Item = (impl Into<String>, impl Into<Vec<u8>>)>) -> Self {
        Self::by(files, FRAMEWORKS)
    }

    /// The service with these files, analysed with these frameworks.
    pub fn by(
        files: impl IntoIterator<Item = (impl Into<String>, impl Into<Vec<u8>>)>,
        frameworks: &[Registration],
    ) -> Self {
        let tree = SourceTree::from_memory(files);
        let mut project = Project::load(&tree, None, &Scope::default()).with_brought(brought(frameworks));
        let resources = Resources::load(&tree);
        let (mut properties, mut build) = (Properties::load(&resources), Build::load(&resources));
        build.applications = Arc::new(applications(&project, &build));
        properties.applications = build.applications.clone();
        let mut left_out = Vec::new();
        for make in MAKERS {
            let inputs = Inputs {
                project: &project,
                tree: &tree,
                resources: &resources,
                properties: &properties,
                build: &build,
                document: None,
                patterns: &[],
            };
            let (made, warnings) = make(&inputs);
            project = project.with_made(made);
            left_out.extend(warnings);
        }
        let (endpoints, rules) = {
            let inputs = Inputs {
                project: &project,
                tree: &tree,
                resources: &resources,
                properties: &properties,
                build: &build,
                document: None,
                patterns: &[],
            };
            let (endpoints, _) = endpoints(&inputs, frameworks);
            let rules = exceptions(&inputs, &endpoints, frameworks);
            (endpoints, rules)
        };
        Self {
            tree,
            project,
            resources,
            properties,
            build,
            endpoints,
            rules,
            users: Vec::new(),
            targets: Targets::default(),
            left_out,
        }
    }

    /// The endpoint for a method and path.
    pub fn endpoint(&self, method: Method, path: &str) -> &Endpoint {
        self.endpoints.iter().find(|one| one.method == method && one.path == path).unwrap()
    }
}

/// The files below a folder without build output, sorted; each with its path relative to the folder.
pub fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    fn walk(dir: &Path, at: &Path, out: &mut Vec<(String, Vec<u8>)>) {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if !path.is_dir() {
                let name = path.strip_prefix(dir).unwrap().to_str().unwrap().replace('\\', "/");
                out.push((name, std::fs::read(&path).unwrap()));
            } else if !path.ends_with("target") {
                walk(dir, &path, out);
            }
        }
    }
    let mut out = Vec::new();
    walk(dir, dir, &mut out);
    out
}
