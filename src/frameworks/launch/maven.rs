//! The Maven build of a module: the name of its package, and whether the package is executable.

use super::made::{BuildCommands, above, join};
use super::mains::{Kind, Main};
use crate::Resources;
use crate::files::resources::folder;
use crate::files::xml::{self, Element};
use mastor_revision::SourceTree;

/// File to which a Maven goal writes the class path of a module.
const CLASS_PATH: &str = "target/mastor.classpath";

/// How the build builds and starts the module of a main class.
pub fn made(main: &Main, module: &str, tree: &SourceTree, resources: &Resources) -> BuildCommands {
    let pom = Pom::read(module, resources);
    let mut made = BuildCommands { dir: top(module, resources), java: pom.java(), ..BuildCommands::default() };
    let within = module.strip_prefix(&made.dir).unwrap_or(module).trim_start_matches('/').to_owned();
    let wrapper = |name: &str| tree.get(&join(&made.dir, name)).is_some();
    let maven = if wrapper("mvnw") && wrapper(".mvn/wrapper/maven-wrapper.properties") { "./mvnw" } else { "mvn" };
    let of_module = if within.is_empty() { String::new() } else { format!(" -pl {within} -am") };
    made.build = format!("{maven} -q -DskipTests{of_module} package");
    let target = join(&within, "target");
    match pom.package().filter(|_| main.kind == Kind::SpringBoot && pom.is_executable()) {
        Some(package) if !package.contains("${") => made.run = format!("java {{system}}-jar {target}/{package}"),
        Some(package) => {
            made.doubts.push(format!("the name of the package: {package}"));
            made.run = format!("java {{system}}-jar {target}/{package}");
        }
        None => {
            // Any module can start from its classes and its class path, whatever its packaging.
            made.build += &format!(" dependency:build-classpath -DincludeScope=runtime -Dmdep.outputFile={CLASS_PATH}");
            let path = join(&within, CLASS_PATH);
            made.run = format!("java {{system}}-cp \"{target}/classes:$(cat {path})\" {}", main.class);
        }
    }
    made
}

/// The commands that install modules of other builds on which a module depends, dependencies first; `dir` is the folder
/// in which they run.
pub fn installed(needed: &[&str], dir: &str, build: &str, resources: &Resources) -> String {
    let maven = build.split_whitespace().next().unwrap_or("mvn");
    let mut tops: Vec<String> = Vec::new();
    for module in needed.iter().rev().filter(|module| resources.text(&join(module, "pom.xml")).is_some()) {
        let top = top(module, resources);
        if top != dir && !tops.contains(&top) {
            tops.push(top);
        }
    }
    let up = "../".repeat(dir.split('/').filter(|part| !part.is_empty()).count());
    tops.iter().map(|top| format!("{maven} -q -DskipTests -f {up}{} install && ", join(top, "pom.xml"))).collect()
}

/// The topmost folder whose build includes the module; the module's own folder if there is none.
fn top(module: &str, resources: &Resources) -> String {
    let mut top = module;
    for dir in above(module).skip(1) {
        let Some(root) = resources.text(&join(dir, "pom.xml")).and_then(xml::parse) else { continue };
        let lists = root.walk().into_iter().filter(|element| element.name == "module").any(|listed| {
            let listed = join(dir, listed.text.trim().trim_end_matches("/pom.xml").trim_end_matches('/'));
            listed == top || top.starts_with(&format!("{listed}/"))
        });
        if lists {
            top = dir;
        }
    }
    top.to_owned()
}

/// A `pom.xml` with its parents in the repository; the module's own is first.
struct Pom {
    chain: Vec<Element>,
}

impl Pom {
    fn read(module: &str, resources: &Resources) -> Self {
        let mut chain = Vec::new();
        let mut next = Some(join(module, "pom.xml"));
        while let Some(path) = next.take().filter(|_| chain.len() < 10) {
            let Some(root) = resources.text(&path).and_then(xml::parse) else { break };
            if let Some(parent) = root.child("parent") {
                let relative = match parent.child("relativePath") {
                    Some(said) => Some(said.text.trim()).filter(|text| !text.is_empty()),
                    None => Some("../pom.xml"),
                };
                next = relative.and_then(|relative| beside(folder(&path), relative));
            }
            chain.push(root);
        }
        Self { chain }
    }

    fn own(&self) -> Option<&Element> {
        self.chain.first()
    }

    /// A text with the module's properties filled in.
    fn filled(&self, text: &str) -> String {
        let mut text = text.trim().to_owned();
        for _ in 0..5 {
            let Some((before, rest)) = text.split_once("${") else { break };
            let Some((name, after)) = rest.split_once('}') else { break };
            let Some(value) = self.property(name) else { break };
            text = format!("{before}{value}{after}");
        }
        text
    }

    fn property(&self, name: &str) -> Option<String> {
        let of_project = name.strip_prefix("project.").or_else(|| name.strip_prefix("pom."));
        match of_project {
            Some("artifactId") => self.own()?.child_text("artifactId").map(str::to_owned),
            Some("version") => self.version(),
            Some("name") => self.own()?.child_text("name").or(self.own()?.child_text("artifactId")).map(str::to_owned),
            Some("parent.version") => self.own()?.child("parent")?.child_text("version").map(str::to_owned),
            Some(_) => None,
            None => self.chain.iter().find_map(|pom| pom.child("properties")?.child_text(name)).map(str::to_owned),
        }
    }

    fn version(&self) -> Option<String> {
        let own = self.own()?;
        let version = own.child_text("version").or_else(|| own.child("parent")?.child_text("version"))?;
        // Expands `${revision}` and the like; a version that refers to itself would never end.
        Some(if version.contains("project.version") { version.to_owned() } else { self.filled(version) })
    }

    /// Spring Boot's plugin, as each `pom.xml` configures it.
    fn boot_plugin(&self) -> impl Iterator<Item = &Element> {
        self.chain.iter().filter_map(|pom| pom.child("build")).flat_map(|build| {
            let managed = build.child("pluginManagement").and_then(|managed| managed.child("plugins"));
            let plugins = build.child("plugins").into_iter().chain(managed);
            plugins
                .flat_map(|plugins| plugins.all("plugin"))
                .filter(|plugin| plugin.child_text("artifactId") == Some("spring-boot-maven-plugin"))
        })
    }

    /// Whether `java -jar` starts the package: the plugin repackages it, by its own execution or by that of Spring
    /// Boot's parent.
    fn is_executable(&self) -> bool {
        let from_parent = self
            .chain
            .iter()
            .filter_map(|pom| pom.child("parent"))
            .any(|parent| parent.child_text("artifactId") == Some("spring-boot-starter-parent"));
        let used = self.own().and_then(|own| own.child("build")).and_then(|build| build.child("plugins")).is_some_and(
            |plugins| {
                plugins.all("plugin").any(|plugin| plugin.child_text("artifactId") == Some("spring-boot-maven-plugin"))
            },
        );
        let repackages = self
            .boot_plugin()
            .any(|plugin| plugin.walk().iter().any(|part| part.name == "goal" && part.text.trim() == "repackage"));
        let inherited =
            self.chain.iter().skip(1).filter_map(|pom| pom.child("build")?.child("plugins")).any(|plugins| {
                plugins.all("plugin").any(|plugin| plugin.child_text("artifactId") == Some("spring-boot-maven-plugin"))
            });
        (used || inherited) && (from_parent || repackages)
    }

    /// The file name of the package, with `${…}` for unknown properties; `None` for a module without a package.
    fn package(&self) -> Option<String> {
        let own = self.own()?;
        let end = match own.child_text("packaging").unwrap_or("jar") {
            "war" => "war",
            "jar" => "jar",
            _ => return None,
        };
        let of_plugin = |name: &str| {
            self.boot_plugin().find_map(|plugin| {
                let executions = plugin.child("executions").into_iter().flat_map(|all| all.all("execution"));
                let configurations = executions.chain([plugin]).filter_map(|part| part.child("configuration"));
                configurations.into_iter().find_map(|configuration| configuration.child_text(name)).map(str::to_owned)
            })
        };
        let name = of_plugin("finalName")
            .or_else(|| {
                self.chain.iter().find_map(|pom| pom.child("build")?.child_text("finalName")).map(str::to_owned)
            })
            .unwrap_or_else(|| "${project.artifactId}-${project.version}".to_owned());
        let classifier = of_plugin("classifier").map(|classifier| format!("-{classifier}")).unwrap_or_default();
        Some(self.filled(&format!("{name}{classifier}.{end}")))
    }

    fn java(&self) -> Option<u32> {
        let names = ["maven.compiler.release", "java.version", "maven.compiler.source", "maven.compiler.target"];
        let of_property = names.iter().find_map(|name| self.property(name));
        let of_plugin = || {
            self.chain.iter().flat_map(Element::walk).find_map(|element| {
                let is = element.name == "plugin" && element.child_text("artifactId") == Some("maven-compiler-plugin");
                let configuration = element.child("configuration").filter(|_| is)?;
                ["release", "source"].iter().find_map(|name| configuration.child_text(name)).map(str::to_owned)
            })
        };
        java_version(&self.filled(&of_property.or_else(of_plugin)?))
    }
}

/// The number of a Java version: 8 for `1.8`.
pub(super) fn java_version(text: &str) -> Option<u32> {
    let text = text.trim();
    text.strip_prefix("1.").unwrap_or(text).split('.').next()?.parse().ok()
}

/// A path as written in a file of this folder; `None` if it leaves the repository.
fn beside(dir: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    Some(if path.ends_with(".xml") { path } else { join(&path, "pom.xml") })
}

#[cfg(test)]
mod tests {
    use super::super::mains::PortBy;
    use super::*;

    fn main(kind: Kind) -> Main {
        Main { class: "com.acme.App".to_owned(), file: String::new(), kind, port: PortBy::Unknown }
    }

    const BOOT_PARENT: &str = "<parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>\
                               <version>3.5.7</version><relativePath/></parent>";
    const PLUGIN: &str = "<plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin>";

    #[test]
    fn a_boot_module_starts_from_its_package_by_the_name_that_the_build_gives_it() {
        let of = |pom: &str| {
            let resources = Resources::from_texts(&[("pom.xml", pom)]);
            made(&main(Kind::SpringBoot), "", &SourceTree::from_memory([("pom.xml", pom)]), &resources).run
        };
        let name = "<artifactId>orders</artifactId><version>1.0</version>";
        assert_eq!(
            of(&format!("<project>{BOOT_PARENT}{name}<build><plugins>{PLUGIN}</plugins></build></project>")),
            "java {system}-jar target/orders-1.0.jar"
        );
        assert_eq!(
            of(&format!(
                "<project>{BOOT_PARENT}{name}<packaging>war</packaging><build><finalName>${{project.artifactId}}</finalName><plugins>{PLUGIN}</plugins></build></project>"
            )),
            "java {system}-jar target/orders.war"
        );
        let configured = "<plugin><artifactId>spring-boot-maven-plugin</artifactId><executions><execution><goals><goal>repackage</goal></goals>\
                          <configuration><finalName>shop</finalName><classifier>exec</classifier></configuration></execution></executions></plugin>";
        assert_eq!(
            of(&format!("<project>{name}<build><plugins>{configured}</plugins></build></project>")),
            "java {system}-jar target/shop-exec.jar"
        );
        // Nothing repackages it, so its classes are started.
        assert_eq!(
            of(&format!("<project>{name}<build><plugins>{PLUGIN}</plugins></build></project>")),
            "java {system}-cp \"target/classes:$(cat target/mastor.classpath)\" com.acme.App"
        );
    }

    #[test]
    fn modules_of_other_builds_are_installed_first() {
        let pom = |name: &str| format!("<project><artifactId>{name}</artifactId></project>");
        let files = [("web/pom.xml", pom("web")), ("core/pom.xml", pom("core")), ("base/pom.xml", pom("base"))];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        assert_eq!(
            installed(&["core", "base"], "web", "./mvnw -q package", &Resources::from_texts(&files)),
            "./mvnw -q -DskipTests -f ../base/pom.xml install && ./mvnw -q -DskipTests -f ../core/pom.xml install && "
        );
        let top = "<project><modules><module>web</module><module>core</module></modules></project>";
        let files = [files, vec![("pom.xml", top)]].concat();
        assert_eq!(installed(&["core"], "", "mvn -q package", &Resources::from_texts(&files)), "");
    }

    #[test]
    fn a_module_is_built_from_the_top_with_what_it_needs() {
        let top = "<project><artifactId>shop</artifactId><version>2</version><packaging>pom</packaging><modules><module>rest</module></modules>\
                   <properties><java.version>1.8</java.version></properties></project>";
        let rest = "<project><parent><artifactId>shop</artifactId><version>2</version></parent><artifactId>rest</artifactId></project>";
        let files = [
            ("a/pom.xml", top),
            ("a/rest/pom.xml", rest),
            ("a/mvnw", ""),
            ("a/.mvn/wrapper/maven-wrapper.properties", ""),
        ];
        let resources = Resources::from_texts(&files);
        let made = made(&main(Kind::Server), "a/rest", &SourceTree::from_memory(files), &resources);
        assert_eq!((made.dir.as_str(), made.java), ("a", Some(8)));
        assert_eq!(
            made.build,
            "./mvnw -q -DskipTests -pl rest -am package dependency:build-classpath -DincludeScope=runtime -Dmdep.outputFile=target/mastor.classpath"
        );
        assert_eq!(
            made.run,
            "java {system}-cp \"rest/target/classes:$(cat rest/target/mastor.classpath)\" com.acme.App"
        );
        assert_eq!(Pom::read("a/rest", &resources).package().unwrap(), "rest-2.jar");
    }
}
