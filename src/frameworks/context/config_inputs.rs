//! Application properties as inputs, by key. A key that code reads belongs to the operations that reach the reader; a
//! key that frameworks read while answering belongs to all operations; any other key is environment.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::input::{GlobalInput, ReachedCode};
use super::stores::entities;
use crate::files::properties::relaxed;
use crate::routing::Inputs;
use crate::spring::rest_repositories::entity_of;
use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::Annotation;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_types::Hash;
use mastor_types::manifest::InputClass;

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
    "quarkus.http.auth",
    "quarkus.rest.",
    "quarkus.resteasy",
    "quarkus.security.",
    "quarkus.jackson",
    "micronaut.server.context-path",
    "jersey.",
];

/// Keys, and prefixes of keys, that select the rows present when the service starts.
const CHOOSING: &[&str] = &[
    "spring.sql.init.",
    "spring.datasource.data",
    "spring.datasource.schema",
    "spring.datasource.platform",
    "spring.datasource.initialization-mode",
    "spring.datasource.initialize",
    "spring.flyway.locations",
    "spring.flyway.enabled",
    "flyway.locations",
    "flyway.enabled",
    "spring.jpa.hibernate.ddl-auto",
    "quarkus.flyway.locations",
    "quarkus.flyway.migrate-at-start",
    "quarkus.hibernate-orm.database.generation",
    "quarkus.hibernate-orm.schema-management.strategy",
    "quarkus.hibernate-orm.sql-load-script",
];

/// Whether a key selects the rows present when the service starts.
fn selects_rows(name: &str) -> bool {
    let name = relaxed(name);
    let begins = |key: &&str| match name.strip_prefix(relaxed(key).as_str()) {
        Some(rest) => key.ends_with('.') || rest.is_empty() || rest.starts_with('['),
        None => false,
    };
    CHOOSING.iter().any(begins)
}

/// The reader of a key.
enum KeyReader {
    /// Types whose annotations bind the key.
    Types(Vec<TypeId>),
    /// Frameworks, on behalf of these members: a named query.
    Members(Vec<MemberId>),
    /// Frameworks, while answering any request.
    Everything,
    /// Code that names the key in a literal, or no known reader.
    Literal,
}

/// One key with its readers.
struct Key {
    input: GlobalInput,
    name: String,
    reader: KeyReader,
    /// Indices of the literals that name the key.
    named_by: Vec<u32>,
    /// Whether the key has a reader whose operations are unknown: code that no operation reaches, or another file.
    read_beside: bool,
    /// Whether no application loads the file by itself: deployments and tests select such files when they start the
    /// service.
    is_far: bool,
    /// Indices of the keys whose values refer to this one: their readers read this key too.
    held_by: Vec<usize>,
}

/// All keys of a revision.
pub(super) struct ConfigInputs {
    keys: Vec<Key>,
}

impl ConfigInputs {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        let project = inputs.project;
        let prefixes = prefixes(project);
        let entities = entities(project);
        let mut values: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for property in &inputs.properties.all {
            let profile = property.profile.as_deref().unwrap_or_default();
            values
                .entry((property.file.clone(), property.key.clone()))
                .or_default()
                .push(format!("{profile}={}", property.value));
        }
        let texts = inputs.resources.iter().filter(|(path, _)| !is_properties(path));
        let beside: BTreeSet<String> = texts.flat_map(|(_, text)| placeholders(text)).collect();
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
                () if !bound.is_empty() => KeyReader::Types(bound),
                () if file.ends_with("named-queries.properties") => named_query(inputs, &name),
                () if answering => KeyReader::Everything,
                () if selects_rows(&name) => KeyReader::Types(entities.clone()),
                () => KeyReader::Literal,
            };
            let hash = Hash::of(content.join("\n").as_bytes());
            let input = GlobalInput {
                id: format!("global:{file}#{name}").into(),
                file: file.as_str().into(),
                class: InputClass::Environment,
                hash,
            };
            // Code may read tables without any entity.
            let read_beside = beside.contains(&relaxed(&name)) || selects_rows(&name);
            let is_far = is_not_loaded_by_default(project, &file);
            Key { input, name, reader, named_by: Vec::new(), read_beside, is_far, held_by: Vec::new() }
        });
        let mut keys: Vec<Key> = keys.collect();
        // A file that cannot be parsed may contain any setting.
        keys.extend(inputs.properties.read_in_part.iter().map(|path| {
            let text = inputs.resources.iter().find(|(other, _)| other == path).map(|(_, text)| text);
            let hash = Hash::of(text.unwrap_or_default().as_bytes());
            let input = GlobalInput {
                id: format!("global:{path}").into(),
                file: path.as_str().into(),
                class: InputClass::Code,
                hash,
            };
            let (named_by, held_by) = Default::default();
            let (reader, is_far) = (KeyReader::Everything, is_not_loaded_by_default(project, path));
            Key { input, name: String::new(), reader, named_by, read_beside: false, is_far, held_by }
        }));
        let mut holders: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for property in &inputs.properties.all {
            for held in placeholders(&property.value) {
                holders.entry(held).or_default().insert(&property.key);
            }
        }
        for at in 0..keys.len() {
            let Some(holders) = holders.get(&relaxed(&keys[at].name)) else { continue };
            let by = keys.iter().enumerate().filter(|(by, key)| *by != at && holders.contains(key.name.as_str()));
            keys[at].held_by = by.map(|(by, _)| by).collect();
        }
        Self { keys }
    }

    /// Records which literals of a project name which key; both lists are sorted.
    pub(super) fn index(&mut self, literals: &[&str], beside: &[&str]) {
        // Few literals can name a key without being equal to it.
        let open: Vec<(u32, &str)> = (0..).zip(literals.iter().copied()).filter(|(_, text)| is_open(text)).collect();
        let open_beside: Vec<&str> = beside.iter().copied().filter(|literal| is_open(literal)).collect();
        self.keys.par_iter_mut().filter(|key| matches!(key.reader, KeyReader::Literal)).for_each(|key| {
            let name = key.name.as_str();
            let itself = literals.binary_search(&name).ok().filter(|_| !is_open(name)).map(|at| at as u32);
            let naming = open.iter().filter(|(_, literal)| names(literal, name)).map(|(at, _)| *at);
            key.named_by = naming.chain(itself).collect();
            key.read_beside |=
                beside.binary_search(&name).is_ok() || open_beside.iter().any(|literal| names(literal, name));
        });
    }

    pub(super) fn inputs_for(&self, touched: &ReachedCode<'_>) -> Vec<GlobalInput> {
        let one = |key: &Key| {
            let holders = key.held_by.iter().filter_map(|at| self.keys.get(*at));
            // Deeper levels of placeholders are rare: readers of an indirect holder get a recheck.
            let classes = std::iter::once(key).chain(holders.clone()).filter_map(|key| key.class(touched));
            let deep = holders.clone().any(|holder| !holder.held_by.is_empty());
            let class = classes.chain(deep.then_some(InputClass::Environment)).min()?;
            let class = if key.is_far { InputClass::Environment } else { class };
            Some(GlobalInput { class, ..key.input.clone() })
        };
        self.keys.iter().filter_map(one).collect()
    }
}

/// Whether a settings file is in a place where no application looks by itself: outside of resources, of the folder of a
/// module and of its `config` folder (Spring Boot, *Externalized configuration*; Quarkus and Micronaut use the same
/// places).
fn is_not_loaded_by_default(project: &Project, file: &str) -> bool {
    let dir = file.rsplit_once('/').map_or("", |(dir, _)| dir);
    let among_resources = dir.split('/').any(|part| matches!(part, "resources" | "WEB-INF"))
        || dir.contains("src/main")
        || dir.contains("src/test");
    let is_of = |module: &str| {
        let below = if module.is_empty() { Some(dir) } else { dir.strip_prefix(module) };
        below
            .map(|rest| rest.trim_start_matches('/'))
            .is_some_and(|rest| rest.is_empty() || rest == "config" || rest.starts_with("config/"))
    };
    !among_resources && !project.modules().iter().any(|module| is_of(&module.dir))
}

impl Key {
    /// The class of input that the key is for an operation; `None` if all readers are known and the operation reaches
    /// none of them.
    fn class(&self, touched: &ReachedCode<'_>) -> Option<InputClass> {
        let reads = match &self.reader {
            KeyReader::Everything => true,
            KeyReader::Types(types) => types.iter().any(|ty| touched.has_type(*ty)),
            KeyReader::Members(members) => members.iter().any(|member| touched.has_member(*member)),
            KeyReader::Literal => touched.has_any(&self.named_by),
        };
        let unknown = match &self.reader {
            KeyReader::Literal => self.read_beside || (self.named_by.is_empty() && self.held_by.is_empty()),
            _ => self.read_beside,
        };
        if reads { Some(InputClass::Code) } else { unknown.then_some(InputClass::Environment) }
    }
}

/// The keys in a text's placeholders `${key}` or `${key:default}`, in relaxed form.
fn placeholders(text: &str) -> impl Iterator<Item = String> + '_ {
    text.match_indices("${").map(|(at, _)| {
        let inner = &text[at + 2..];
        let end = inner.find([':', '}', '\n']).unwrap_or(inner.len());
        relaxed(&inner[..end])
    })
}

fn is_properties(path: &str) -> bool {
    path.ends_with(".properties") || path.ends_with(".yml") || path.ends_with(".yaml")
}

/// The reader of a named query: repository methods of its name; if there are none, the code that names it.
fn named_query(inputs: &Inputs<'_>, key: &str) -> KeyReader {
    let project = inputs.project;
    let method = key.rsplit('.').next().unwrap_or(key);
    let repositories = project.types().filter(|ty| entity_of(project, *ty).is_some());
    let runs = repositories.flat_map(|ty| project.members(ty)).filter(|member| project.member(*member).name == method);
    let members: Vec<MemberId> = runs.collect();
    if members.is_empty() { KeyReader::Literal } else { KeyReader::Members(members) }
}

/// Whether a literal can name a key without being equal to it.
fn is_open(literal: &str) -> bool {
    literal.ends_with('.') || literal.contains("${")
}

/// Whether a literal is the key, is a prefix of it that ends in a dot, or contains it as a placeholder `${key}` or
/// `${key:default}`.
fn names(literal: &str, key: &str) -> bool {
    if literal == key || (literal.ends_with('.') && literal.len() > 3 && key.starts_with(literal)) {
        return true;
    }
    literal.contains("${") && placeholders(literal).any(|held| held == relaxed(key))
}

/// Types with `@ConfigurationProperties(prefix)`, and their prefixes.
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
