//! Launches: every way to start a program of a repository, the most likely first.

use super::application::{Application, Needs};
use super::made::{BuildCommands, above, join};
use super::mains::{self, Kind, Main, PortBy};
use super::{actuator, gradle, maven};
use crate::files::resources::folder;
use crate::{Build, Properties, Resources};
use mastor_java::build::build_kind::BuildKind;
use mastor_java::project::index::Project;
use mastor_revision::SourceTree;

/// How one module is built and started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The main class.
    pub main: String,
    /// Folder of its module.
    pub module: String,
    /// Kind of program: `Spring Boot`, or `a main class`.
    pub what: &'static str,
    /// Folder in which the commands run, from the repository's root.
    pub dir: String,
    /// Command that builds it.
    pub build: String,
    /// Command that starts it.
    pub start: String,
    /// The fixed port, if it cannot be chosen.
    pub port: Option<u16>,
    /// The environment variable with its port, if its name is not `PORT`.
    pub port_variable: Option<String>,
    /// URL that shows that it is ready, with the expected status; without one, the port must answer.
    pub ready: Option<(String, Option<u16>)>,
    /// Java version for which it is built.
    pub java: Option<u32>,
    /// Unknown details, each as a sentence.
    pub doubts: Vec<String>,
    /// The build tool.
    pub tool: BuildKind,
    /// External systems that it needs.
    pub needs: Needs,
}

/// The parts of a revision from which launches are derived.
#[derive(Clone, Copy)]
pub struct Read<'a> {
    /// Its indexed Java code.
    pub project: &'a Project,
    /// Its files.
    pub tree: &'a SourceTree,
    /// Configuration and build files.
    pub resources: &'a Resources,
    /// Parsed build files.
    pub build: &'a Build,
    /// Application properties.
    pub properties: &'a Properties,
}

/// Every way to start a program, the most likely first: frameworks' own applications, then the module that serves most
/// routes.
pub fn launches(read: Read<'_>, serves: &dyn Fn(&str) -> usize, repository: &str) -> Vec<Launch> {
    let Read { project, tree, resources, .. } = read;
    let mut found: Vec<((bool, usize, bool), Launch)> = Vec::new();
    for main in mains::mains(project) {
        let Some(module) = module_of(&main.file, resources) else { continue };
        let (tool, made) = match resources.text(&join(&module, "pom.xml")) {
            Some(_) => (BuildKind::Maven, maven::made(&main, &module, tree, resources)),
            None => (BuildKind::Gradle, gradle::made(&main, &module, tree, resources, repository)),
        };
        let routes = serves(&module);
        let likely = (main.kind == Kind::SpringBoot, routes, main.kind == Kind::Server);
        found.push((likely, launch(main, module, (tool, made), read)));
    }
    found
        .sort_by(|(one, a), (two, b)| two.cmp(one).then_with(|| (a.main.len(), &a.main).cmp(&(b.main.len(), &b.main))));
    // A main class that starts no known server, in a module without routes, is a tool.
    found.retain(|((boot, routes, server), _)| *boot || *server || *routes > 0);
    found.into_iter().map(|(_, launch)| launch).collect()
}

fn launch(main: Main, module: String, (tool, made): (BuildKind, BuildCommands), read: Read<'_>) -> Launch {
    let Read { project, resources, build, properties, .. } = read;
    let needs = match main.kind {
        Kind::SpringBoot => {
            Application { module: &module, layout: project.layout(), build, resources, properties }.needs()
        }
        _ => Needs::default(),
    };
    let needed: Vec<&str> = match tool {
        BuildKind::Maven => {
            let layout = project.layout();
            let own = layout.module_of(&join(&module, "pom.xml"));
            layout.reach(own).iter().map(|id| layout.modules()[id.0 as usize].dir.as_str()).collect()
        }
        _ => Vec::new(),
    };
    let before = maven::installed(&needed, &made.dir, &made.build, resources);
    let made = BuildCommands { build: before + &made.build, ..made };
    let mut doubts = made.doubts;
    let (mut system, mut arguments, mut port, mut port_variable) = (String::new(), String::new(), None, None);
    match &main.port {
        PortBy::BootArguments => arguments = " --server.port={port} --server.address=127.0.0.1".to_owned(),
        PortBy::BootProperties => system = "-Dserver.port={port} -Dserver.address=127.0.0.1 ".to_owned(),
        PortBy::First => arguments = " {port}".to_owned(),
        PortBy::Option(option) => arguments = format!(" {option} {{port}}"),
        PortBy::Property(name) => system = format!("-D{name}={{port}} "),
        PortBy::Variable(name) => port_variable = Some(name.clone()).filter(|name| name != "PORT"),
        PortBy::Fixed(number) => port = Some(*number),
        PortBy::Unknown => doubts.push(format!(
            "how {} takes its port: write {{port}} where it belongs in `start`, or set `port` to the one that it listens on",
            main.class
        )),
    }
    let ready = match main.kind {
        Kind::SpringBoot => actuator::actuator(&module, resources, properties, &mut doubts),
        _ => None,
    };
    let what = if main.kind == Kind::SpringBoot { "Spring Boot" } else { "a main class" };
    // Gradle's start script takes system properties from an environment variable.
    let run = match made.run.strip_prefix("{system}") {
        Some(script) if !system.is_empty() => format!("JAVA_OPTS=\"{}\" {script}", system.trim_end()),
        _ => made.run.replace("{system}", &format!("{SHORT_LIVED}{system}")),
    };
    let start = format!("{run}{arguments}");
    let (dir, build, java) = (made.dir, made.build, made.java);
    Launch { main: main.class, module, what, dir, build, start, port, port_variable, ready, java, doubts, tool, needs }
}

/// Options of a JVM that lives for minutes: the quick compiler alone, and the collector that starts fastest.
const SHORT_LIVED: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ";

/// The nearest enclosing folder with a build file.
fn module_of(file: &str, resources: &Resources) -> Option<String> {
    let built = |dir: &str| {
        ["pom.xml", "build.gradle", "build.gradle.kts"].iter().any(|name| resources.text(&join(dir, name)).is_some())
    };
    above(folder(file)).find(|dir| built(dir)).map(str::to_owned)
}
