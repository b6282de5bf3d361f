//! Which SQL files may be loaded: files in places that Flyway, Liquibase, Spring and Hibernate read by default, and
//! files that settings, code, build files or scripts name by file or folder. A file that nothing can load has no
//! effect.

use std::collections::BTreeSet;

use crate::files::resources::{file_name, folder};
use crate::routing::Inputs;
use mastor_java::ir::facts::{Annotation, Value};

/// Parts of paths that tools read by default.
const PLACES: [&str; 6] =
    ["db/migration", "db/changelog", "changelog", "liquibase", "docker-entrypoint-initdb", "META-INF/"];

/// Names of scripts that run from the root of the class path, alone or with a platform suffix.
const SCRIPTS: [&str; 4] = ["schema", "data", "import", "load"];

/// Largest script that is read, in bytes.
const LIMIT: u64 = 128 << 10;

/// All texts that may name an SQL file.
pub(super) struct ScriptReferences {
    texts: BTreeSet<String>,
}

impl ScriptReferences {
    /// Collects settings, string literals, annotation texts, shell scripts and container descriptions.
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let mut texts = BTreeSet::new();
        let mut add = |text: &str| {
            if text.contains(['/', ':', '.']) || text.to_ascii_lowercase().contains("sql") {
                texts.insert(text.to_owned());
            }
        };
        inputs.properties.all.iter().for_each(|property| add(&property.value));
        for (path, text) in inputs.resources.iter().filter(|(path, _)| !path.ends_with(".sql")) {
            // The values of properties have been added already.
            if !path.ends_with(".properties") {
                add(text);
            }
        }
        for ty in inputs.project.types() {
            let facts = inputs.project.ty(ty);
            let annotations = facts.members.iter().flat_map(|member| &member.annotations).chain(&facts.annotations);
            annotations.for_each(|annotation| said(annotation, &mut add));
            facts.members.iter().flat_map(|member| &member.literals).for_each(|text| add(text));
            facts.members.iter().filter_map(|member| member.value.as_ref()).for_each(|value| strings(value, &mut add));
        }
        for entry in inputs.tree.files().filter(|entry| is_script(&entry.path)) {
            if let Ok(text) = inputs.tree.text_within(&entry.path, LIMIT) {
                add(&text.text);
            }
        }
        Self { texts }
    }

    /// Whether the file at `path` may be loaded.
    pub(super) fn may_load(&self, path: &str) -> bool {
        let (name, dir) = (file_name(path), folder(path));
        let lower = name.to_ascii_lowercase();
        // `data.sql` and `data-h2.sql`, but not `data2.sql`.
        let is_told = |script: &str| lower.strip_prefix(script).is_some_and(|rest| rest.starts_with(['.', '-', '_']));
        let at_top = dir.ends_with("resources") && SCRIPTS.iter().any(|script| is_told(script));
        if at_top || PLACES.iter().any(|place| path.contains(place)) || is_version(name) {
            return true;
        }
        let last = file_name(dir);
        let of_folder = [format!("/{last}"), format!("{last}/"), format!(":{last}")];
        self.texts.iter().any(|text| {
            text.contains(name)
                || *text == *last
                || !matches!(last, "" | "resources") && of_folder.iter().any(|part| text.contains(part.as_str()))
        })
    }
}

/// Whether a file has the name of a Flyway migration: `V1__x.sql`, `R__x.sql`.
fn is_version(name: &str) -> bool {
    name.contains("__") && name.starts_with(['V', 'R', 'U', 'B'])
}

/// Whether a file is a script or container description, which can run SQL.
fn is_script(path: &str) -> bool {
    let name = file_name(path).to_ascii_lowercase();
    let is = |ending: &str| name.ends_with(ending);
    name.contains("compose") && (is(".yml") || is(".yaml"))
        || name.contains("dockerfile")
        || is(".sh")
        || name == "makefile"
}

fn said(annotation: &Annotation, add: &mut impl FnMut(&str)) {
    annotation.args.iter().for_each(|(_, value)| strings(value, add));
}

fn strings(value: &Value, add: &mut impl FnMut(&str)) {
    match value {
        Value::Str(text) => add(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, add)),
        Value::Annotation(inner) => said(inner, add),
        Value::Binary(_, left, right) => {
            strings(left, add);
            strings(right, add);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_run_by_their_names_alone_and_others_where_something_names_them() {
        let named = |text: &str| ScriptReferences { texts: BTreeSet::from([text.to_owned()]) };
        let loads = |path: &str| named("").may_load(&format!("src/main/resources/{path}"));
        assert!(loads("data.sql") && loads("schema-h2.sql") && loads("import.sql") && loads("db/migration/any.sql"));
        assert!(!loads("data2.sql") && !loads("import2.sql") && !loads("old/data.sql"));
        assert!(named("classpath:import2.sql").may_load("src/main/resources/import2.sql"));
    }
}
