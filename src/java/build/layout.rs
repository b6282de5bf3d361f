//! The layout of a repository: its Maven and Gradle modules, and which files are main sources, tests or build output.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::build_files::{self, BuildFile};
use super::build_kind::BuildKind;
use mastor_revision::SourceTree;

/// A module of a [`Layout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(pub u32);

/// One module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Its folder from the repository's root; empty for the root.
    pub dir: String,
    /// The build tool.
    pub kind: BuildKind,
    /// Artifact id (Maven) or project path such as `:core:api` (Gradle); empty if there is none.
    pub name: String,
    /// Its direct dependencies within this repository.
    pub deps: Vec<ModuleId>,
    /// Whether it depends on a module of this repository that was not found.
    pub needs_unknown: bool,
    /// Configured folders of main sources, relative to the repository's root.
    pub sources: Vec<String>,
    /// Configured folders of test sources, relative to the repository's root.
    pub test_sources: Vec<String>,
}

/// The purpose of a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceSet {
    /// Production code.
    Main,
    /// Part of the tests.
    Test,
    /// Build output, or part of the build itself.
    Output,
}

/// The files that an analysis reads.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Folders relative to the repository's root; if empty, all main sources.
    pub roots: Vec<String>,
    /// Whether tests are included.
    pub tests: bool,
}

/// The modules of a repository.
#[derive(Debug, Clone)]
pub struct Layout {
    modules: Vec<Module>,
    /// For each module, its direct and indirect dependencies, nearest first.
    reach: Vec<Vec<ModuleId>>,
    by_dir: FxHashMap<String, ModuleId>,
}

impl Layout {
    /// The layout of a tree.
    pub fn of(tree: &SourceTree) -> Self {
        let mut found: BTreeMap<String, BuildFile> = BTreeMap::new();
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for entry in tree.files() {
            let (dir, file) = entry.path.rsplit_once('/').unwrap_or(("", &entry.path));
            if !build_files::is_build_file(file) || is_test_path(dir) {
                continue;
            }
            let Ok(text) = tree.text(&entry.path) else { continue };
            if file.starts_with("settings.gradle") {
                for (name, place) in build_files::settings(&text.text) {
                    names.insert(join(dir, &place), name);
                }
            } else {
                // If both build a module, Maven's file wins: it comes later in path order and contains more.
                found.insert(dir.to_owned(), build_files::read(file, &text.text));
            }
        }
        for dir in names.keys() {
            found.entry(dir.clone()).or_insert_with(|| BuildFile::empty(BuildKind::Gradle));
        }
        found.entry(String::new()).or_insert_with(|| BuildFile::empty(BuildKind::None));
        Self::link(found, &names)
    }

    fn link(found: BTreeMap<String, BuildFile>, names: &BTreeMap<String, String>) -> Self {
        let by_dir: FxHashMap<String, ModuleId> = found.keys().cloned().zip((0..).map(ModuleId)).collect();
        let name_of = |dir: &str, file: &BuildFile| match file.kind {
            BuildKind::Gradle => names.get(dir).cloned().unwrap_or_else(|| format!(":{}", dir.replace('/', ":"))),
            _ => file.name.clone(),
        };
        let mut by_name: BTreeMap<String, BTreeSet<ModuleId>> = BTreeMap::new();
        for (dir, file) in &found {
            by_name.entry(build_files::comparable(&name_of(dir, file))).or_default().insert(by_dir[dir]);
        }
        // Settings can rename all projects: `core` is included as a folder but called `conductor-core`.
        let renamed = |dep: &str| {
            let fits = by_name.iter().filter(|(name, _)| !name.is_empty() && dep.ends_with(name.as_str()));
            fits.max_by_key(|(name, _)| name.len()).map(|(_, modules)| modules)
        };
        let modules: Vec<Module> = found
            .iter()
            .map(|(dir, file)| {
                let own = by_dir[dir];
                let is_gradle = file.kind == BuildKind::Gradle;
                let named = |dep: &String| {
                    let dep = build_files::comparable(dep);
                    by_name.get(&dep).or_else(|| renamed(&dep).filter(|_| is_gradle))
                };
                let deps: BTreeSet<ModuleId> =
                    file.deps.iter().filter_map(named).flatten().copied().filter(|dep| *dep != own).collect();
                Module {
                    needs_unknown: is_gradle && file.deps.iter().any(|dep| named(dep).is_none()),
                    dir: dir.clone(),
                    kind: file.kind,
                    name: name_of(dir, file),
                    deps: deps.into_iter().collect(),
                    sources: file.sources.iter().map(|place| join(dir, place)).collect(),
                    test_sources: file.test_sources.iter().map(|place| join(dir, place)).collect(),
                }
            })
            .collect();
        let reach = (0..modules.len()).map(|at| reach(&modules, at)).collect();
        Self { modules, reach, by_dir }
    }

    /// All modules, by folder; the root comes first.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// The direct and indirect dependencies of a module, nearest first.
    pub fn reach(&self, module: ModuleId) -> &[ModuleId] {
        &self.reach[module.0 as usize]
    }

    /// The innermost module whose folder contains `path`.
    pub fn module_of(&self, path: &str) -> ModuleId {
        let mut dir = path;
        while let Some((above, _)) = dir.rsplit_once('/') {
            if let Some(found) = self.by_dir.get(above) {
                return *found;
            }
            dir = above;
        }
        ModuleId(0)
    }

    /// The purpose of the file at `path`.
    pub fn source_set(&self, path: &str) -> SourceSet {
        let module = &self.modules[self.module_of(path).0 as usize];
        // Only the build runs Maven's wrapper.
        if path.starts_with(".mvn/") || path.contains("/.mvn/") {
            return SourceSet::Output;
        }
        if module.test_sources.iter().any(|dir| is_below(path, dir)) || is_test_path(path) {
            return SourceSet::Test;
        }
        if module.sources.iter().any(|dir| is_below(path, dir)) {
            return SourceSet::Main;
        }
        let inside = path.strip_prefix(&module.dir).unwrap_or(path).trim_start_matches('/');
        match inside.split('/').next() {
            Some("target" | "build" | "node_modules") if inside.contains('/') => SourceSet::Output,
            Some("test" | "tests" | "it") if inside.contains('/') => SourceSet::Test,
            _ => SourceSet::Main,
        }
    }

    /// Whether the file at `path` is in the scope.
    pub fn is_in(&self, scope: &Scope, path: &str) -> bool {
        if !scope.roots.is_empty() {
            return scope.roots.iter().any(|root| is_below(path, root.trim_matches('/')));
        }
        match self.source_set(path) {
            SourceSet::Main => true,
            SourceSet::Test => scope.tests,
            SourceSet::Output => false,
        }
    }
}

fn reach(modules: &[Module], start: usize) -> Vec<ModuleId> {
    let mut found: Vec<ModuleId> = modules[start].deps.clone();
    let mut at = 0;
    while let Some(module) = found.get(at).copied() {
        for dep in &modules[module.0 as usize].deps {
            if dep.0 as usize != start && !found.contains(dep) {
                found.push(*dep);
            }
        }
        at += 1;
    }
    found
}

/// Whether a path contains a test source set: `src/test`, `src/it`, `src/integrationTest` and the like.
pub fn is_test_path(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    parts.windows(2).any(|pair| pair[0] == "src" && is_test_set(pair[1]))
}

fn is_test_set(name: &str) -> bool {
    matches!(name, "it" | "jmh" | "e2e")
        || name.starts_with("test")
        || name.contains("Test")
        || name.ends_with("-test")
        || name.ends_with("-tests")
        || name.ends_with("_test")
}

fn is_below(path: &str, dir: &str) -> bool {
    dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
}

/// Resolves `place` relative to `dir`, with `.` and `..`; a path that leaves the repository ends at its root.
fn join(dir: &str, place: &str) -> String {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in place.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        Layout::of(&SourceTree::from_memory([
            ("pom.xml", "<project><artifactId>all</artifactId><modules><module>core</module></modules></project>"),
            (
                "core/pom.xml",
                "<project><parent><artifactId>all</artifactId></parent><artifactId>core</artifactId>\
                 <build><sourceDirectory>code</sourceDirectory></build></project>",
            ),
            (
                "web/pom.xml",
                "<project><artifactId>web</artifactId><dependencies><dependency><groupId>g</groupId>\
                 <artifactId>core</artifactId></dependency></dependencies></project>",
            ),
            ("g/settings.gradle.kts", "include(\":a\", \":deep:b\")\nproject(\":a\").projectDir = file(\"first\")"),
            ("g/first/build.gradle", "dependencies { implementation project(':deep:b') }"),
            ("g/deep/b/build.gradle.kts", "sourceSets { main { java { srcDirs(\"gen\") } } }"),
        ]))
    }

    #[test]
    fn modules_of_maven_and_gradle_are_found_with_their_dependencies() {
        let layout = layout();
        let found: Vec<(&str, &str)> =
            layout.modules().iter().map(|module| (module.dir.as_str(), module.name.as_str())).collect();
        let expected = [("", "all"), ("core", "core"), ("g/deep/b", ":deep:b"), ("g/first", ":a"), ("web", "web")];
        assert_eq!(found, expected);
        assert_eq!(layout.reach(layout.module_of("web/src/main/java/A.java")), [ModuleId(1)]);
        assert_eq!(layout.reach(layout.module_of("g/first/A.java")), [ModuleId(2)]);
    }

    #[test]
    fn tests_and_build_output_are_told_from_main_sources() {
        let layout = layout();
        for path in ["core/src/main/java/com/build/A.java", "core/code/A.java", "web/src/com/test/A.java", "A.java"] {
            assert_eq!(layout.source_set(path), SourceSet::Main, "{path}");
        }
        for path in ["web/src/test/java/A.java", "src/integrationTest/java/A.java", "web/tests/A.java"] {
            assert_eq!(layout.source_set(path), SourceSet::Test, "{path}");
        }
        assert_eq!(layout.source_set("web/target/generated/A.java"), SourceSet::Output);
        assert_eq!(layout.source_set("web/src/latest/java/A.java"), SourceSet::Main);
    }
}
