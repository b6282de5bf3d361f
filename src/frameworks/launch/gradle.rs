//! What Gradle makes of a module, as far as its build files say so plainly.

use super::made::{Made, above, join};
use super::mains::{Kind, Main, capture};
use super::maven::java_version;
use crate::frameworks::Resources;
use crate::frameworks::resources::file_name;
use crate::revision::SourceTree;

/// What the build makes of the module of a main class.
pub fn made(main: &Main, module: &str, tree: &SourceTree, resources: &Resources, repository: &str) -> Made {
    let read = |dir: &str, name: &str| {
        [format!("{name}.kts"), name.to_owned()].iter().find_map(|name| resources.text(&join(dir, name)))
    };
    let top = above(module).find(|dir| read(dir, "settings.gradle").is_some()).unwrap_or(module).to_owned();
    let own = read(module, "build.gradle").unwrap_or_default();
    let of_top = read(&top, "build.gradle").unwrap_or_default();
    let settings = read(&top, "settings.gradle").unwrap_or_default();
    let within = module.strip_prefix(&top).unwrap_or(module).trim_start_matches('/').to_owned();
    let mut made = Made { java: java(own).or_else(|| java(of_top)), ..Made::default() };

    let gradle = if tree.get(&join(&top, "gradlew")).is_some() { "./gradlew" } else { "gradle" };
    let task = |name: &str| match within.as_str() {
        "" => name.to_owned(),
        within => format!(":{}:{name}", within.replace('/', ":")),
    };
    let name = match within.as_str() {
        "" => capture(settings, r#"rootProject\.name\s*=\s*['"]([^'"]+)['"]"#)
            .unwrap_or_else(|| if top.is_empty() { repository.to_owned() } else { file_name(&top).to_owned() }),
        within => file_name(within).to_owned(),
    };
    let build = |task: String| format!("{gradle} --no-daemon -q {task}");
    let libs = join(&within, "build");
    if main.kind == Kind::SpringBoot && own.contains("org.springframework.boot") {
        made.build = build(task("bootJar"));
        made.run = format!("java {{system}}-jar {libs}/libs/{}", archive(own, of_top, &top, &name, resources));
        if capture(own, r"(archiveFileName|archiveBaseName|archivesBaseName|archivesName)").is_some() {
            made.doubts.push(format!("the name of the package: the build sets it, `{name}` may not be it"));
        }
    } else if capture(own, r#"(?m)(?:^\s*|['"])(application)(?:['"]|\s*$)"#).is_some() {
        made.build = build(task("installDist"));
        made.run = format!("{{system}}{libs}/install/{name}/bin/{name}");
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

/// The file name of the package: name and version, where the build has one.
fn archive(own: &str, of_top: &str, top: &str, name: &str, resources: &Resources) -> String {
    let version = |text: &str| capture(text, r#"(?m)^\s*version\s*[= ]\s*['"]([^'"$]+)['"]"#);
    let of_properties = || {
        let text = resources.text(&join(top, "gradle.properties"))?;
        capture(text, r"(?m)^\s*version\s*[=:]\s*(\S+)")
    };
    let name = capture(own, r#"archiveBaseName\s*(?:=|\.set\()\s*['"]([^'"$]+)['"]"#)
        .or_else(|| capture(own, r#"archives(?:Base)?Name\s*(?:=|\.set\()\s*['"]([^'"$]+)['"]"#))
        .unwrap_or_else(|| name.to_owned());
    if let Some(file) = capture(own, r#"archiveFileName\s*(?:=|\.set\()\s*['"]([^'"$]+)['"]"#) {
        return file;
    }
    match version(own).or_else(|| version(of_top)).or_else(of_properties) {
        Some(version) => format!("{name}-{version}.jar"),
        None => format!("{name}.jar"),
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

    fn of(kind: Kind, module: &str, files: &[(&str, &str)]) -> Made {
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
    fn an_application_is_installed_and_anything_else_is_doubted() {
        let application = of(Kind::Server, "", &[("build.gradle", "plugins {\n    id 'application'\n}\n")]);
        assert_eq!(application.build, "gradle --no-daemon -q installDist");
        assert_eq!(application.run, "{system}build/install/checkout/bin/checkout");
        let plain = of(Kind::Server, "", &[("build.gradle", "plugins { id 'java' }\n")]);
        assert_eq!(plain.doubts.len(), 1);
    }
}
