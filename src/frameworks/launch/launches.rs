//! Launches: every way to start something in a repository, the likeliest first.

use super::application::{Application, Needs};
use super::made::{Made, above, join};
use super::mains::{self, Kind, Main, PortBy};
use super::{actuator, gradle, maven};
use crate::frameworks::resources::folder;
use crate::frameworks::{Build, Properties, Resources};
use crate::java::build_kind::BuildKind;
use crate::java::project::Project;
use crate::revision::SourceTree;

/// How one module is built and started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The class that starts it.
    pub main: String,
    /// Its module's folder.
    pub module: String,
    /// What it is: `Spring Boot`, or `a main class`.
    pub what: &'static str,
    /// Where the commands run, from the repository's root.
    pub dir: String,
    /// Command that builds it.
    pub build: String,
    /// Command that starts it.
    pub start: String,
    /// A port that cannot be chosen.
    pub port: Option<u16>,
    /// A variable of another name than `PORT` that it reads its port from.
    pub port_variable: Option<String>,
    /// URL that says that it is ready, with its status; none: the port has to answer.
    pub ready: Option<(String, Option<u16>)>,
    /// The Java that it is built for.
    pub java: Option<u32>,
    /// What could not be told, each a sentence.
    pub doubts: Vec<String>,
    /// What builds it.
    pub tool: BuildKind,
    /// What it asks for when it starts.
    pub needs: Needs,
}

/// What of a revision is read to tell how something is started.
#[derive(Clone, Copy)]
pub struct Read<'a> {
    /// Its Java.
    pub project: &'a Project,
    /// Its files.
    pub tree: &'a SourceTree,
    /// Configuration and build files.
    pub resources: &'a Resources,
    /// Build files, read.
    pub build: &'a Build,
    /// Application properties.
    pub properties: &'a Properties,
}

/// Every way to start something, the likeliest first: the frameworks' own way, then the module that serves most routes.
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
    // A main class that neither starts a known server nor stands beside the routes is a tool.
    found.retain(|((boot, routes, server), _)| *boot || *server || *routes > 0);
    found.into_iter().map(|(_, launch)| launch).collect()
}

fn launch(main: Main, module: String, (tool, made): (BuildKind, Made), read: Read<'_>) -> Launch {
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
    let made = Made { build: before + &made.build, ..made };
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
    // A script of Gradle takes system properties by a variable.
    let run = match made.run.strip_prefix("{system}") {
        Some(script) if !system.is_empty() => format!("JAVA_OPTS=\"{}\" {script}", system.trim_end()),
        _ => made.run.replace("{system}", &system),
    };
    let start = format!("{run}{arguments}");
    let (dir, build, java) = (made.dir, made.build, made.java);
    Launch { main: main.class, module, what, dir, build, start, port, port_variable, ready, java, doubts, tool, needs }
}

/// The nearest folder around a file that a build describes.
fn module_of(file: &str, resources: &Resources) -> Option<String> {
    let built = |dir: &str| {
        ["pom.xml", "build.gradle", "build.gradle.kts"].iter().any(|name| resources.text(&join(dir, name)).is_some())
    };
    above(folder(file)).find(|dir| built(dir)).map(str::to_owned)
}
