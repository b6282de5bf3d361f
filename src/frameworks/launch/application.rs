//! An application with what its build files and settings say of it.

use std::collections::{BTreeMap, BTreeSet};

use super::actuator::boot_major;
use super::made::{above, join};
use super::store::Store;
use crate::frameworks::{Build, Properties, Resources};
use crate::java::layout::Layout;

/// What an application needs that is not in its repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Stores, each with the name of its database; empty where it has none.
    pub stores: BTreeMap<Store, String>,
    /// Variables that lead the application to them.
    pub env: BTreeMap<String, String>,
    /// What nothing here can bring, each as a noun phrase: while one is missing, the application does not start.
    pub unmet: Vec<String>,
    /// Neighbours that it starts without, each as a noun phrase.
    pub without: Vec<String>,
}

/// An application with all that is read to tell what it needs.
pub struct Application<'a> {
    /// Folder of the module that starts it.
    pub module: &'a str,
    /// The modules of the repository.
    pub layout: &'a Layout,
    /// Build files, read.
    pub build: &'a Build,
    /// Configuration and build files.
    pub resources: &'a Resources,
    /// Application properties.
    pub properties: &'a Properties,
}

impl Application<'_> {
    /// `group:artifact` of all that it depends on, by its own build file, those it inherits from and those of the modules that it depends on.
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

    /// A path in the module's resources, where its settings are.
    pub(super) fn near(&self) -> String {
        join(self.module, "src/main/resources/application.properties")
    }

    /// The value of a setting, with what it refers to filled in; where that has no value, its name is the error. None where nothing is set.
    pub(super) fn value(&self, key: &str) -> Option<Result<String, String>> {
        let near = self.near();
        let property = self.properties.get(&near, key)?;
        Some(self.properties.expand(&near, property.value.trim()).map(|(text, _)| text))
    }

    /// The same where it is known.
    pub(super) fn known(&self, key: &str) -> Option<String> {
        self.value(key)?.ok().filter(|text| !text.is_empty())
    }

    /// The number before the first dot of Spring Boot's version, where a build file says it.
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

    /// A name for a database where the settings give none.
    pub(super) fn own_name(&self) -> String {
        let last = self.module.rsplit('/').next().filter(|name| !name.is_empty());
        plain_name(last.unwrap_or("service"))
    }
}

/// `group:artifact` of what a file of Gradle depends on, but for tests; the alias of a version catalog stands for what it names.
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

/// A name of a database that needs no quotes in any command.
pub(super) fn plain_name(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("db_{name}") }
}
