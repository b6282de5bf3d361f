//! The Gradle build of a module, as far as its build files are plain: commands, package and Java version.

use super::actuator::boot_major;
use super::made::{BuildCommands, above, join};
use super::mains::{Kind, Main, capture};
use super::maven::java_version;
use crate::Resources;
use crate::files::resources::file_name;
use mastor_revision::SourceTree;

/// How the build builds and starts the module of a main class.
pub fn made(main: &Main, module: &str, tree: &SourceTree, resources: &Resources, repository: &str) -> BuildCommands {
    let read = |dir: &str, name: &str| {
        [format!("{name}.kts"), name.to_owned()].iter().find_map(|name| resources.text(&join(dir, name)))
    };
    let includes =
        |dir: &&str| read(dir, "settings.gradle").is_some_and(|settings| *dir == module || includes(settings, module));
    let top = above(module).find(includes).unwrap_or(module).to_owned();
    let own = read(module, "build.gradle").unwrap_or_default();
    let of_top = read(&top, "build.gradle").unwrap_or_default();
    let settings = read(&top, "settings.gradle");
    let catalog = tree.text(&join(&top, "gradle/libs.versions.toml")).map(|file| file.text.to_string());
    let catalog = catalog.unwrap_or_default();
    let within = module.strip_prefix(&top).unwrap_or(module).trim_start_matches('/').to_owned();
    let mut made = BuildCommands { java: java(own).or_else(|| java(of_top)), ..BuildCommands::default() };

    let gradle = if tree.get(&join(&top, "gradlew")).is_some() { "./gradlew" } else { "gradle" };
    let task = |name: &str| match within.as_str() {
        "" => name.to_owned(),
        within => format!(":{}:{name}", within.replace('/', ":")),
    };
    let own_name = settings.and_then(|text| capture(text, r#"rootProject\.name\s*=\s*['"]([^'"]+)['"]"#));
    // Otherwise Gradle uses the folder's name, which differs in a linked checkout.
    let is_named = !within.is_empty() || own_name.is_some() || !top.is_empty();
    let name = match within.as_str() {
        "" => {
            own_name.unwrap_or_else(|| if top.is_empty() { repository.to_owned() } else { file_name(&top).to_owned() })
        }
        within => file_name(within).to_owned(),
    };
    let build = |task: String| format!("{gradle} --no-daemon -q {task}");
    let libs = join(&within, "build");
    let is_boot = |text: &str| uses_boot(text, &catalog);
    if main.kind == Kind::SpringBoot && (is_boot(own) || top != module && is_boot(of_top)) {
        // Before Spring Boot 2 the plugin repackages the output of `assemble`.
        let is_old = boot_major(own).or_else(|| boot_major(of_top)).is_some_and(|major| major == "1");
        made.build = build(task(if is_old { "assemble" } else { "bootJar" }));
        let package = archive(own, of_top, &top, &name, resources).filter(|_| is_named);
        made.run = match package {
            Some(package) => format!("java {{system}}-jar {libs}/libs/{package}"),
            // The newest package that is not a plain library.
            None => {
                format!("java {{system}}-jar \"$(ls -t {libs}/libs/*.jar | grep -v -e '-plain.jar$' | head -n 1)\"")
            }
        };
    } else if capture(own, r#"(?m)(?:^\s*|['"])(application)(?:['"]|\s*$)"#).is_some() {
        made.build = build(task("installDist"));
        made.run = match is_named {
            true => format!("{{system}}{libs}/install/{name}/bin/{name}"),
            false => format!("{{system}}\"$(ls -t {libs}/install/*/bin/* | grep -v -e '.bat$' | head -n 1)\""),
        };
    } else {
        made.build = build(task("jar"));
        made.run = format!("java {{system}}-cp \"{libs}/libs/*\" {}", main.class);
        made.doubts.push(
            "the class path: the build uses neither Spring Boot's plugin nor `application`, which would write it"
                .to_owned(),
        );
    }
    made.dir = top;
    made
}

/// Whether a settings file includes a module by a plain name. A file that searches for its modules is taken to include
/// all.
fn includes(settings: &str, module: &str) -> bool {
    let looks = ["each", "listFiles", "fileTree", "walk"].iter().any(|word| settings.contains(word));
    looks || settings.contains(file_name(module))
}

/// Whether a build file uses Spring Boot's plugin, by its id or by its alias in a version catalog.
fn uses_boot(text: &str, catalog: &str) -> bool {
    let alias = capture(catalog, r#"(?m)^\s*([\w.-]+)\s*=\s*(?:\{\s*id\s*=\s*)?['"]org\.springframework\.boot\b"#);
    let aliased = |alias: String| text.contains(&format!("libs.plugins.{}", alias.replace(['-', '_'], ".")));
    text.contains("org.springframework.boot") || alias.is_some_and(aliased)
}

/// The file name of the package: name and version, if the build sets a version; `None` if the build computes the name.
fn archive(own: &str, of_top: &str, top: &str, name: &str, resources: &Resources) -> Option<String> {
    let version = |text: &str| capture(text, r#"(?m)^\s*version\s*[= ]\s*['"]([^'"$]+)['"]"#);
    let of_properties = || {
        let text = resources.text(&join(top, "gradle.properties"))?;
        capture(text, r"(?m)^\s*version\s*[=:]\s*(\S+)")
    };
    let says = |pattern: &str| capture(own, pattern).is_some();
    if says(r"(archiveFileName)") {
        return capture(own, r#"archiveFileName\s*(?:=|\.set\()\s*['"]([^'"$]+)['"]"#);
    }
    let given = capture(own, r#"archiveBaseName\s*(?:=|\.set\()\s*['"]([^'"$]+)['"]"#)
        .or_else(|| capture(own, r#"archives(?:Base)?Name\s*(?:=|\.set\()\s*['"]([^'"$]+)['"]"#));
    if given.is_none() && says(r"(archiveBaseName|archivesBaseName|archivesName)") {
        return None;
    }
    let name = given.unwrap_or_else(|| name.to_owned());
    match version(own).or_else(|| version(of_top)).or_else(of_properties) {
        Some(version) => Some(format!("{name}-{version}.jar")),
        None if says(r"(?m)^\s*(version)\b") => None,
        None => Some(format!("{name}.jar")),
    }
}

fn java(text: &str) -> Option<u32> {
    let found = [
        r"JavaLanguageVersion\.of\(\s*(\d+)",
        r"jvmToolchain\(\s*(\d+)",
        r"JavaVersion\.VERSION_(?:1_)?(\d+)",
        r#"(?:sourceCompatibility|targetCompatibility)\s*=\s*['"]?([\d.]+)"#,
        r"options\.release\s*(?:=|\.set\()\s*(\d+)",
    ];
    found.iter().find_map(|pattern| java_version(&capture(text, pattern)?))
}

#[cfg(test)]
mod tests {
    use super::super::mains::PortBy;
    use super::*;

    fn of(kind: Kind, module: &str, files: &[(&str, &str)]) -> BuildCommands {
        let main = Main { class: "com.acme.App".to_owned(), file: String::new(), kind, port: PortBy::Unknown };
        let tree = SourceTree::from_memory(files.iter().copied());
        made(&main, module, &tree, &Resources::from_texts(files), "checkout")
    }

    #[test]
    fn a_boot_module_starts_from_its_package() {
        let build = "plugins {\n  id 'org.springframework.boot' version '3.2.0'\n}\nversion = '0.1'\njava { toolchain { languageVersion = JavaLanguageVersion.of(21) } }\n";
        let alone = of(
            Kind::SpringBoot,
            "",
            &[("build.gradle", build), ("settings.gradle", "rootProject.name = 'shop'"), ("gradlew", "")],
        );
        assert_eq!(alone.build, "./gradlew --no-daemon -q bootJar");
        assert_eq!((alone.run.as_str(), alone.java), ("java {system}-jar build/libs/shop-0.1.jar", Some(21)));
        let kotlin = "plugins { id(\"org.springframework.boot\") }\n";
        let files = [
            ("s/settings.gradle.kts", "include(\"web:api\")"),
            ("s/web/api/build.gradle.kts", kotlin),
            ("s/gradle.properties", "version=2\n"),
        ];
        let below = of(Kind::SpringBoot, "s/web/api", &files);
        assert_eq!((below.dir.as_str(), below.build.as_str()), ("s", "gradle --no-daemon -q :web:api:bootJar"));
        assert_eq!(below.run, "java {system}-jar web/api/build/libs/api-2.jar");
    }

    #[test]
    fn a_package_whose_name_is_not_known_is_looked_for() {
        let looked_for = "java {system}-jar \"$(ls -t build/libs/*.jar | grep -v -e '-plain.jar$' | head -n 1)\"";
        let boot = "plugins { id 'org.springframework.boot' version '3.2.0' }\n";
        let no_settings = of(Kind::SpringBoot, "", &[("build.gradle", boot)]);
        assert_eq!(
            (no_settings.run.as_str(), no_settings.build.as_str()),
            (looked_for, "gradle --no-daemon -q bootJar")
        );
        let named = format!("{boot}bootJar {{ archiveFileName = \"${{project.name}}.jar\" }}\n");
        let files = [("build.gradle", named.as_str()), ("settings.gradle", "rootProject.name = 'shop'")];
        assert_eq!(of(Kind::SpringBoot, "", &files).run, looked_for);
        let old = boot.replace("3.2.0", "1.5.7.RELEASE");
        assert_eq!(of(Kind::SpringBoot, "", &[("build.gradle", &old)]).build, "gradle --no-daemon -q assemble");
        // An alias in a version catalog, and a plugin that the root applies to all modules.
        let catalog = "[plugins]\nspring-boot = { id = \"org.springframework.boot\", version = \"3.2.0\" }\n";
        let files = [
            ("settings.gradle.kts", "include(\"web\")"),
            ("build.gradle.kts", "plugins { alias(libs.plugins.spring.boot) }"),
            ("gradle/libs.versions.toml", catalog),
            ("web/build.gradle.kts", ""),
        ];
        assert_eq!(of(Kind::SpringBoot, "web", &files).run, "java {system}-jar web/build/libs/web.jar");
        // The settings of an enclosing folder do not include it.
        let files = [("settings.gradle", "include 'other'"), ("web/build.gradle", boot)];
        let alone = of(Kind::SpringBoot, "web", &files);
        assert_eq!((alone.dir.as_str(), alone.build.as_str()), ("web", "gradle --no-daemon -q bootJar"));
    }

    #[test]
    fn an_application_is_installed_and_anything_else_is_doubted() {
        let application = of(Kind::Server, "", &[("build.gradle", "plugins {\n    id 'application'\n}\n")]);
        assert_eq!(application.build, "gradle --no-daemon -q installDist");
        assert_eq!(application.run, "{system}\"$(ls -t build/install/*/bin/* | grep -v -e '.bat$' | head -n 1)\"");
        let plain = of(Kind::Server, "", &[("build.gradle", "plugins { id 'java' }\n")]);
        assert_eq!(plain.doubts.len(), 1);
    }
}
