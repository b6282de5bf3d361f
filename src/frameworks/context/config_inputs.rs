//! Application properties as inputs, by key: a key that code reads belongs to the operations that reach the reader, one that frameworks are
//! known to read while answering belongs to all, any other is environment.

use std::collections::BTreeMap;

use super::{GlobalInput, Touched};
use crate::frameworks::properties::relaxed;
use crate::frameworks::routing::Inputs;
use crate::java::constant::Constant;
use crate::java::facts::Annotation;
use crate::java::ids::TypeId;
use crate::java::project::Project;
use crate::types::Hash;
use crate::types::manifest::InputClass;

/// Prefixes that decide how a framework answers requests.
const ANSWERING: &[&str] = &[
    "server.servlet",
    "server.context-path",
    "server.error",
    "server.servletpath",
    "spring.mvc",
    "spring.webflux",
    "spring.jackson",
    "spring.gson",
    "spring.http",
    "spring.security",
    "security.",
    "spring.data.rest",
    "spring.data.web",
    "spring.profiles",
    "spring.messages",
    "spring.servlet",
    "spring.web",
    "spring.hateoas",
    "spring.resources",
    "spring.main.allow",
    "management.endpoints.web",
    "quarkus.http.root-path",
    "quarkus.resteasy",
    "quarkus.jackson",
    "micronaut.server.context-path",
    "jersey.",
];

/// Who reads a key.
enum Reader {
    /// Types whose annotations bind it.
    Types(Vec<TypeId>),
    /// Frameworks, while answering.
    Everything,
    /// Code that names the key in a literal, or nobody known.
    Literal,
}

/// One key with its readers.
struct Key {
    input: GlobalInput,
    name: String,
    reader: Reader,
}

/// All keys of a revision.
pub(super) struct ConfigInputs {
    keys: Vec<Key>,
}

impl ConfigInputs {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let project = inputs.project;
        let prefixes = prefixes(project);
        let mut values: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for property in &inputs.properties.all {
            let profile = property.profile.as_deref().unwrap_or_default();
            values
                .entry((property.file.clone(), property.key.clone()))
                .or_default()
                .push(format!("{profile}={}", property.value));
        }
        let keys = values.into_iter().map(|((file, name), content)| {
            let bound: Vec<TypeId> = prefixes
                .iter()
                .filter(|(prefix, _)| {
                    relaxed(&name)
                        .strip_prefix(prefix.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
                })
                .map(|(_, ty)| *ty)
                .collect();
            let answering = ANSWERING.iter().any(|prefix| relaxed(&name).starts_with(&relaxed(prefix)));
            let reader = match () {
                () if !bound.is_empty() => Reader::Types(bound),
                () if answering => Reader::Everything,
                () => Reader::Literal,
            };
            let hash = Hash::of(content.join("\n").as_bytes());
            let input = GlobalInput { id: format!("global:{file}#{name}"), class: InputClass::Environment, hash };
            Key { input, name, reader }
        });
        Self { keys: keys.collect() }
    }

    pub(super) fn inputs_for(&self, touched: &Touched<'_>) -> Vec<GlobalInput> {
        let with = |key: &Key, class| Some(GlobalInput { class, ..key.input.clone() });
        let one = |key: &Key| match &key.reader {
            Reader::Everything => with(key, InputClass::Code),
            Reader::Types(types) if types.iter().any(|ty| touched.types.contains(ty)) => with(key, InputClass::Code),
            Reader::Types(_) => None,
            Reader::Literal if touched.literals.iter().any(|literal| names(literal, &key.name)) => {
                with(key, InputClass::Code)
            }
            Reader::Literal => with(key, InputClass::Environment),
        };
        self.keys.iter().filter_map(one).collect()
    }
}

/// Whether a literal is the key, or holds it as a placeholder `${key}` or `${key:default}`.
fn names(literal: &str, key: &str) -> bool {
    if literal == key || (literal.ends_with('.') && literal.len() > 3 && key.starts_with(literal)) {
        return true;
    }
    literal.match_indices("${").any(|(at, _)| {
        let inner = &literal[at + 2..];
        let end = inner.find([':', '}']).unwrap_or(inner.len());
        relaxed(&inner[..end]) == relaxed(key)
    })
}

/// `@ConfigurationProperties(prefix)` types.
fn prefixes(project: &Project) -> Vec<(String, TypeId)> {
    let mut found = Vec::new();
    let prefix = |ty: TypeId, annotation: &Annotation| {
        let value = annotation.arg("prefix").or_else(|| annotation.arg("value"))?;
        match project.eval(ty, value).value {
            Constant::Str(text) => Some(relaxed(&text)),
            _ => None,
        }
    };
    for ty in project.types() {
        for annotation in project
            .ty(ty)
            .annotations
            .iter()
            .filter(|a| matches!(a.simple(), "ConfigurationProperties" | "ConfigMapping"))
        {
            found.extend(prefix(ty, annotation).map(|prefix| (prefix, ty)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_literal_names_a_key_directly_or_as_a_placeholder() {
        assert!(names("orders.max-lines", "orders.max-lines"));
        assert!(names("${orders.max-lines:10}", "orders.max-lines"));
        assert!(names("a ${x} ${orders.maxLines}", "orders.max-lines"));
        assert!(!names("${orders.max}", "orders.max-lines"));
    }
}
