//! Versions of frameworks in build files, for behaviour that differs between releases.

use super::build::{Build, Module};

impl Build {
    /// Major and minor version of a library that the code in `near` uses, by a part of `group:artifact`: from its own
    /// module, else the enclosing ones, else any. `None` if no build file declares it, or two declare different
    /// versions.
    pub fn version(&self, near: &str, name: &str) -> Option<(u32, u32)> {
        let own = self.module_of(near).map(|module| module.dir.as_str()).unwrap_or_default();
        let mut rings: Vec<Vec<&Module>> = vec![
            self.modules.iter().filter(|module| module.dir == own).collect(),
            self.modules
                .iter()
                .filter(|module| module.dir.is_empty() || own.starts_with(&format!("{}/", module.dir)))
                .collect(),
        ];
        rings.push(self.modules.iter().collect());
        for ring in rings {
            let mut found: Vec<(u32, u32)> = ring
                .iter()
                .flat_map(|module| &module.versions)
                .filter(|(artifact, _)| artifact.contains(name))
                .filter_map(|(_, version)| numbers(&self.filled(version)))
                .collect();
            found.sort_unstable();
            found.dedup();
            match found.as_slice() {
                [] => {}
                [only] => return Some(*only),
                [first, rest @ ..] => return rest.iter().all(|other| other.0 == first.0).then_some(*first),
            }
        }
        None
    }

    /// The version of Spring Boot.
    pub fn boot(&self, near: &str) -> Option<(u32, u32)> {
        self.version(near, "org.springframework.boot:spring-boot-starter-parent")
            .or_else(|| self.version(near, "org.springframework.boot:spring-boot-dependencies"))
            .or_else(|| self.version(near, "org.springframework.boot:plugin"))
            .or_else(|| self.version(near, "org.springframework.boot:spring-boot-gradle-plugin"))
            .or_else(|| self.version(near, "org.springframework.boot:spring-boot"))
    }

    /// Whether compiled classes keep parameter names, by Maven files: Spring Boot's parent enables it. `None` if that
    /// is not known.
    pub fn keeps_parameter_names(&self, near: &str) -> Option<bool> {
        let mut module = self.module_of(near)?;
        for _ in 0..self.modules.len() {
            // A Gradle build of the same module may configure it differently.
            let is_maven = |other: &&Module| other.path.ends_with("pom.xml");
            if !self.modules.iter().filter(|other| other.dir == module.dir).all(|other| is_maven(&other)) {
                return None;
            }
            if module.names_parameters {
                return Some(true);
            }
            let Some(parent) = &module.parent else { return Some(false) };
            if parent == "org.springframework.boot:spring-boot-starter-parent" {
                return Some(true);
            }
            let artifact = parent.rsplit(':').next()?;
            let mut named = self.modules.iter().filter(|other| other.artifact == artifact && other.path != module.path);
            let (Some(only), None) = (named.next(), named.next()) else { return None };
            module = only;
        }
        None
    }

    /// A version with the properties of all build files filled in.
    fn filled(&self, version: &str) -> String {
        let Some(name) = version.trim().strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) else {
            return version.to_owned();
        };
        self.modules.iter().find_map(|module| module.values.get(name)).cloned().unwrap_or_default()
    }
}

/// The first two numbers of a version.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.trim().split(['.', '-']);
    let major = parts.next()?.parse().ok()?;
    Some((major, parts.next().and_then(|minor| minor.parse().ok()).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::super::resources::Resources;
    use super::*;

    fn boot(files: &[(&str, &str)], near: &str) -> Option<(u32, u32)> {
        Build::load(&Resources::from_texts(files)).boot(near)
    }

    #[test]
    fn the_version_of_spring_boot_is_read_from_parents_imports_and_plugins() {
        let parent = "<project><parent><groupId>org.springframework.boot</groupId>\
            <artifactId>spring-boot-starter-parent</artifactId><version>2.1.3.RELEASE</version></parent></project>";
        assert_eq!(boot(&[("pom.xml", parent)], "src/main/java/A.java"), Some((2, 1)));
        let import = "<project><properties><boot>3.2.0</boot></properties><dependencyManagement><dependencies><dependency>\
            <groupId>org.springframework.boot</groupId><artifactId>spring-boot-dependencies</artifactId>\
            <version>${boot}</version></dependency></dependencies></dependencyManagement></project>";
        assert_eq!(boot(&[("pom.xml", import)], "web/src/main/java/A.java"), Some((3, 2)));
        let gradle = "plugins {\n  id 'org.springframework.boot' version '1.5.4.RELEASE'\n}";
        assert_eq!(boot(&[("build.gradle", gradle)], "src/main/java/A.java"), Some((1, 5)));
    }
}
