//! Module dependencies: which modules' code and configuration can be in one process.
//!
//! A module needs the dependencies of its build file (entries that only manage versions do not count), everything that
//! its parent needs, and the modules whose types its code imports. Two modules can be in one application if one needs
//! the other, or if a third module that is started needs both. If a build is not understood, the answer is yes.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::applications::Applications;
use super::build::{Build, Module};
use mastor_java::build::build_kind::BuildKind;
use mastor_java::build::layout::{Layout, ModuleId};
use mastor_java::ir::facts::{MemberKind, Modifiers};
use mastor_java::project::index::Project;

/// Which modules can be in one application, by the build files and imports of a revision.
pub fn applications(project: &Project, build: &Build) -> Applications {
    let mut started = BTreeSet::new();
    let mut imported: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); project.modules().len()];
    for file in project.files() {
        let own = project.file(file).module;
        let is_main = |member| {
            let facts = project.member(member);
            facts.name == "main" && facts.kind == MemberKind::Method && facts.modifiers.has(Modifiers::STATIC)
        };
        if project.types_of(file).any(|ty| project.members(ty).any(is_main)) {
            started.insert(own.0 as usize);
        }
        imports(project, own, &project.file(file).facts.imports, &mut imported);
    }
    link(project.layout(), build, &imported, &|at| started.contains(&at))
}

fn link(
    layout: &Layout,
    build: &Build,
    imported: &[BTreeSet<usize>],
    has_main: &dyn Fn(usize) -> bool,
) -> Applications {
    let files: Vec<Option<&Module>> =
        layout.modules().iter().map(|module| build.modules.iter().find(|other| other.dir == module.dir)).collect();
    let count = files.len();
    let direct: Vec<BTreeSet<usize>> = (0..count).map(|at| direct(layout, &files, at)).collect();
    let needs: Vec<Vec<bool>> = (0..count).map(|at| reached(at, &[&direct, imported])).collect();
    let is_open = |at: usize| {
        layout.modules()[at].kind == BuildKind::None
            || layout.modules()[at].needs_unknown
            || files[at].is_none_or(|file| {
                file.needs.iter().any(|name| name.rsplit(':').next().is_some_and(|artifact| artifact.contains('$')))
            })
    };
    let open: Vec<bool> = (0..count).map(is_open).collect();
    let is_started = |at: &usize| has_main(*at) || files[*at].is_some_and(|file| file.is_war);
    let started: Vec<usize> = (0..count).filter(is_started).collect();
    let is_needed = |at: usize| (0..count).any(|by| by != at && needs[by][at]);
    // A module that nothing needs and that is not started may be added to an application in a way that build files do
    // not show.
    let beside: Vec<bool> = (0..count).map(|at| !is_needed(at) && !started.contains(&at)).collect();
    let run = |one: usize, two: usize| {
        let mut tops = started.iter().copied().filter(|top| *top == one || needs[*top][one]);
        let shares = || (0..count).any(|at| needs[two][at] && (at == one || needs[one][at]));
        one == two
            || open[one]
            || open[two]
            || needs[one][two]
            || needs[two][one]
            || tops.clone().any(|top| needs[top][two])
            || beside[two] && tops.next().is_some() && shares()
    };
    let row = |one: usize| (0..count).map(|two| run(one, two) || run(two, one)).collect();
    Applications::new(layout.clone(), (0..count).map(row).collect())
}

/// Adds the modules from which the files of a module import types, though its build file declares no dependency on
/// them.
fn imports(
    project: &Project,
    own: ModuleId,
    imports: &[mastor_java::ir::facts::Import],
    found: &mut [BTreeSet<usize>],
) {
    let declared = |module: &ModuleId| *module == own || project.layout().reach(own).contains(module);
    for import in imports {
        let outer = import.path.rsplit_once('.').map_or("", |(outer, _)| outer);
        let of_name = |name: &str| project.by_fqn_all(name).iter().map(|ty| project.module_of(*ty)).collect::<Vec<_>>();
        let mut modules = of_name(&import.path);
        if modules.is_empty() {
            modules = of_name(outer);
        }
        if modules.is_empty() && import.wildcard {
            modules = project.package(&import.path).iter().map(|file| project.file(*file).module).collect();
        }
        if !modules.iter().any(declared) {
            found[own.0 as usize].extend(modules.iter().map(|module| module.0 as usize));
        }
    }
}

/// The modules that a module needs by its build files.
fn direct(layout: &Layout, files: &[Option<&Module>], at: usize) -> BTreeSet<usize> {
    let module = &layout.modules()[at];
    let mut found: BTreeSet<usize> = module.deps.iter().map(|dep| dep.0 as usize).collect();
    let artifact = |name: &str| name.rsplit(':').next().unwrap_or(name).to_owned();
    for (other, file) in files.iter().enumerate().filter(|(other, _)| *other != at) {
        let name = match layout.modules()[other].kind {
            BuildKind::Gradle => artifact(&layout.modules()[other].name),
            _ => file.map(|file| file.artifact.clone()).unwrap_or_default(),
        };
        let own = files[at];
        let is_named = |names: &BTreeSet<String>| !name.is_empty() && names.iter().any(|one| artifact(one) == name);
        let is_parent = own.and_then(|own| own.parent.as_ref()).is_some_and(|parent| artifact(parent) == name);
        let dir = &layout.modules()[other].dir;
        let is_around = dir.is_empty() || module.dir.starts_with(&format!("{dir}/"));
        // A Gradle file in an enclosing folder can add dependencies to a module.
        if is_around && layout.modules()[other].kind == BuildKind::Gradle && module.kind == BuildKind::Gradle {
            found.extend(layout.modules()[other].deps.iter().map(|dep| dep.0 as usize));
        }
        if own.is_some_and(|own| is_named(&own.needs)) || is_parent && !name.is_empty() {
            found.insert(other);
        }
    }
    found
}

/// For each module, whether `from` needs it, directly or indirectly.
fn reached(from: usize, edges: &[&[BTreeSet<usize>]]) -> Vec<bool> {
    let mut found = vec![false; edges.first().map_or(0, |edges| edges.len())];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for next in edges.iter().filter_map(|edges| edges.get(at)).flatten() {
            if !std::mem::replace(&mut found[*next], true) {
                open.push(*next);
            }
        }
    }
    found
}

impl Build {
    /// Whether the module of a file, an enclosing module, or one that it needs uses an artifact whose name contains
    /// this text.
    pub fn uses_near(&self, near: &str, text: &str) -> bool {
        self.names_near(near, |name| name.contains(text))
    }

    /// Whether the module of a file, an enclosing module, or one that it needs uses an artifact that meets the
    /// condition.
    pub fn names_near(&self, near: &str, is_meant: impl Fn(&str) -> bool) -> bool {
        let names = |module: &Module| module.uses.iter().any(|name| is_meant(name));
        let own = self.module_of(near).and_then(|own| self.modules.iter().position(|module| module.dir == own.dir));
        match own {
            Some(own) => self.near(own).iter().filter_map(|at| self.modules.get(*at)).any(names),
            None => self.modules.iter().any(names),
        }
    }

    /// Indices of a module, its enclosing modules, and the modules that it needs, directly or indirectly. Cached, since
    /// every request asks for it.
    fn near(&self, own: usize) -> &[usize] {
        let all = self.near.get_or_init(|| self.modules.iter().map(|_| OnceLock::new()).collect());
        let find = || {
            let needed = self.needed(own);
            let dir = &self.modules[own].dir;
            let counts = |at: &usize| {
                let other = &self.modules[*at].dir;
                other.is_empty() || other == dir || dir.starts_with(&format!("{other}/")) || needed[*at]
            };
            (0..self.modules.len()).filter(counts).collect()
        };
        all.get(own).map_or(&[], |kept| kept.get_or_init(find))
    }

    /// For each module, whether this module needs it, directly or indirectly.
    fn needed(&self, own: usize) -> Vec<bool> {
        let mut seen = vec![false; self.modules.len()];
        let mut open = vec![own];
        while let Some(at) = open.pop() {
            let named: BTreeSet<&str> =
                self.modules[at].uses.iter().filter_map(|name| name.rsplit(':').next()).collect();
            for (next, module) in self.modules.iter().enumerate() {
                let is_new = !module.artifact.is_empty() && named.contains(module.artifact.as_str());
                if is_new && !std::mem::replace(&mut seen[next], true) {
                    open.push(next);
                }
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::super::resources::Resources;
    use super::*;
    use mastor_revision::SourceTree;

    fn read(files: &[(&str, &str)], started: &[&str]) -> Applications {
        let layout = Layout::of(&SourceTree::from_memory(files.iter().copied()));
        let build = Build::load(&Resources::from_texts(files));
        let none = vec![BTreeSet::new(); layout.modules().len()];
        let has_main = |at: usize| started.contains(&layout.modules()[at].dir.as_str());
        link(&layout, &build, &none, &has_main)
    }

    fn pom(artifact: &str, needs: &str) -> String {
        format!(
            "<project><parent><groupId>a</groupId><artifactId>all</artifactId></parent><artifactId>{artifact}</artifactId>\
             <dependencies><dependency><groupId>${{project.groupId}}</groupId><artifactId>{needs}</artifactId></dependency></dependencies></project>"
        )
    }

    #[test]
    fn two_services_over_one_library_do_not_run_together() {
        // A shared file that only manages versions declares no dependencies.
        let managed = ["core", "rest", "web"]
            .map(|name| format!("<dependency><groupId>a</groupId><artifactId>{name}</artifactId></dependency>"))
            .concat();
        let all = format!(
            "<project><artifactId>all</artifactId><dependencyManagement><dependencies>{managed}</dependencies></dependencyManagement></project>"
        );
        let (core, rest, web, more) = (pom("core", "x"), pom("rest", "core"), pom("web", "core"), pom("more", "core"));
        let files: [(&str, &str); 5] = [
            ("pom.xml", &all),
            ("core/pom.xml", &core),
            ("rest/pom.xml", &rest),
            ("web/pom.xml", &web),
            ("more/pom.xml", &more),
        ];
        let found = read(&files, &["rest", "web"]);
        assert!(found.run_together("rest/src/A.java", "core/src/B.java"));
        assert!(found.run_together("core/src/B.java", "web/src/C.java"));
        assert!(!found.run_together("rest/src/A.java", "web/src/C.java"));
        assert!(!found.reads("rest/src/A.java", "web/src/main/resources/a.yml"));
        assert!(found.reads("rest/src/A.java", "config/a.yml") && found.reads("rest/src/A.java", "pom.xml"));
        // Nothing needs this module and it is not started: it may be added to either.
        assert!(found.run_together("rest/src/A.java", "more/src/D.java"));
    }

    #[test]
    fn projects_of_gradle_run_together_as_their_dependencies_say() {
        let files = [
            ("settings.gradle", "include 'core', 'rest', 'web'"),
            ("build.gradle", "subprojects { apply plugin: 'java' }"),
            ("core/build.gradle", "dependencies { }"),
            ("rest/build.gradle", "dependencies { implementation project(':core') }"),
            ("web/build.gradle", "dependencies { implementation project(':core') }"),
        ];
        let found = read(&files, &["rest", "web"]);
        assert!(found.run_together("rest/src/A.java", "core/src/B.java"));
        assert!(!found.run_together("rest/src/A.java", "web/src/C.java"));
        let open = [("build.xml", ""), ("rest/A.java", ""), ("web/B.java", "")];
        assert!(read(&open, &[]).run_together("rest/A.java", "web/B.java"));
    }

    #[test]
    fn projects_that_settings_give_other_names_are_needed_under_those() {
        let needs = |name: &str| format!("dependencies {{ implementation project(':{name}') }}");
        let settings = "include 'core', 'store', 'sqlite-store', 'server', 'batch'\n\
                        rootProject.children.each { it.name = \"shop-${it.name}\" }";
        let (core, store) = (needs("shop-core"), needs("shop-store"));
        let run = |server: &str, one: &str, two: &str| {
            let files = [
                ("settings.gradle", settings),
                ("core/build.gradle", ""),
                ("store/build.gradle", &core),
                ("sqlite-store/build.gradle", &core),
                ("server/build.gradle", server),
                ("batch/build.gradle", &store),
            ];
            read(&files, &["server", "batch"]).run_together(&format!("{one}/src/A.java"), &format!("{two}/src/B.java"))
        };
        let server = needs("shop-sqlite-store");
        assert!(run(&server, "server", "sqlite-store") && run(&server, "server", "core"));
        assert!(!run(&server, "server", "store") && !run(&server, "batch", "sqlite-store"));
        // A dependency that is not found may be any module.
        assert!(run(&needs("elsewhere"), "server", "store"));
    }
}
