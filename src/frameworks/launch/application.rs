//! An application with its build files and settings.

use std::collections::{BTreeMap, BTreeSet};

use super::actuator::boot_major;
use super::made::{above, join};
use super::store::Store;
use crate::{Build, Properties, Resources};
use mastor_java::build::layout::Layout;

/// External systems that an application needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Stores, each with the name of its database; empty if it has no database name.
    pub stores: BTreeMap<Store, String>,
    /// Environment variables that connect the application to the stores.
    pub env: BTreeMap<String, String>,
    /// Needs that mastor cannot provide, each as a noun phrase: the application does not start without them.
    pub unmet: Vec<String>,
    /// External systems without which it still starts, each as a noun phrase.
    pub without: Vec<String>,
}

/// An application with the data from which its needs are read.
pub struct Application<'a> {
    /// Folder of the module that starts the application.
    pub module: &'a str,
    /// The modules of the repository.
    pub layout: &'a Layout,
    /// Parsed build files.
    pub build: &'a Build,
    /// Configuration and build files.
    pub resources: &'a Resources,
    /// Application properties.
    pub properties: &'a Properties,
}

impl Application<'_> {
    /// `group:artifact` of all dependencies: from its own build file, its parents, and the modules that it depends on.
    pub(super) fn artifacts(&self) -> BTreeSet<String> {
        let own = self.layout.module_of(&join(self.module, "pom.xml"));
        let mut dirs: Vec<&str> = vec![self.module];
        dirs.extend(self.layout.reach(own).iter().map(|module| self.layout.modules()[module.0 as usize].dir.as_str()));
        let mut found = BTreeSet::new();
        for dir in dirs {
            let of_module = self.build.modules.iter().filter(|module| module.dir == dir);
            let around = self.build.modules.iter().filter(|module| {
                let holds = module.dir.is_empty() || dir.starts_with(&format!("{}/", module.dir));
                holds && module.dir != dir
            });
            for module in of_module.chain(around) {
                match self.resources.text(&module.path).filter(|_| !module.path.ends_with("pom.xml")) {
                    Some(text) => found.extend(of_gradle(text)),
                    None => found.extend(module.needs.iter().cloned()),
                }
            }
        }
        found
    }

    /// The path of the module's settings file, by which settings are looked up.
    pub(super) fn near(&self) -> String {
        join(self.module, "src/main/resources/application.properties")
    }

    /// The value of a setting with placeholders expanded; the error is the name of a placeholder without value. `None`
    /// if the setting is absent.
    pub(super) fn value(&self, key: &str) -> Option<Result<String, String>> {
        let near = self.near();
        let property = self.properties.get(&near, key)?;
        Some(self.properties.expand(&near, property.value.trim()).map(|(text, _)| text))
    }

    /// The value of a setting if it is known and not empty.
    pub(super) fn known(&self, key: &str) -> Option<String> {
        self.value(key)?.ok().filter(|text| !text.is_empty())
    }

    /// The major version of Spring Boot, if a build file declares it.
    pub(super) fn boot(&self) -> Option<u32> {
        let file = |dir: &str| {
            ["pom.xml", "build.gradle", "build.gradle.kts"]
                .iter()
                .find_map(|name| self.resources.text(&join(dir, name)))
        };
        let texts = above(self.module).filter_map(file);
        let number = texts.into_iter().find_map(boot_major);
        number?.parse().ok()
    }

    /// The database name to use if the settings have none.
    pub(super) fn own_name(&self) -> String {
        let last = self.module.rsplit('/').next().filter(|name| !name.is_empty());
        plain_name(last.unwrap_or("service"))
    }
}

/// `group:artifact` of the dependencies in a Gradle file, except those of tests; the alias `libs.a.b` of a version
/// catalog counts as the artifact `a-b`.
fn of_gradle(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines().map(str::trim_start).filter(|line| !line.starts_with("//")) {
        let word: String = line.chars().take_while(char::is_ascii_alphanumeric).collect();
        if word.to_ascii_lowercase().contains("test") {
            continue;
        }
        let quoted = line.split(['\'', '"']).skip(1).step_by(2).filter(|text| text.contains(':'));
        found.extend(quoted.map(str::to_owned));
        // `group: 'g', name: 'a'`
        let named = line.split("name:").nth(1).and_then(|rest| rest.split(['\'', '"']).nth(1));
        found.extend(named.map(|name| format!(":{name}")));
        let aliases = line.split("libs.").skip(1).map(|rest| {
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_')).collect::<String>()
        });
        found.extend(aliases.map(|alias| format!(":{}", alias.replace(['.', '_'], "-"))));
    }
    found
}

/// A database name that needs no quotes in any command.
pub(super) fn plain_name(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("db_{name}") }
}
