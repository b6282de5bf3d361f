//! Changed inputs that are not members: settings, files, the document, class declarations, and which of them have no
//! effect.

use super::classes::declared_alike;
use super::declarations::is_harmless;
use super::scripts::fills_tables;
use super::settings::{may_be_loaded, reads_setting};
use super::start_up::starts_alike;
use super::twins::is_unnoticed_configuration;
use crate::compare::objects::handed::{handles, hands_out};
use crate::compare::sides::side::Side;
use mastor_frameworks::endpoint::Location;
use mastor_frameworks::files::resources::file_name;
use mastor_java::ir::facts::{Annotation, Value};
use mastor_java::project::languages::other_language;
use mastor_types::manifest::{Changed, InputChange};
use mastor_types::results::compared::Stop;

/// Settings of Spring Boot without an effect on a service's own operations, by key or prefix: operator endpoints, logs,
/// documentation pages (Spring Boot, *Common Application Properties*).
const ASIDE: &[&str] = &[
    "management.",
    "logging.",
    "info.",
    "springdoc.",
    "spring.application.name",
    "spring.banner.",
    "spring.devtools.",
    "spring.main.banner-mode",
    "server.shutdown",
    "server.tomcat.accesslog.",
    "server.tomcat.threads.",
    "spring.datasource.hikari.",
    "spring.lifecycle.",
    "spring.output.",
    "spring.jpa.show-sql",
    "spring.jpa.properties.hibernate.format_sql",
    "server.port",
    // Requests that no operation handles.
    "spring.mvc.throw-exception-if-no-handler-found",
    "spring.mvc.static-path-pattern",
    "spring.resources.",
    "spring.web.resources.",
    "server.error.whitelabel.",
];

/// Settings that say how the tables come to be (Spring Boot, Quarkus).
const OF_TABLES: &[&str] = &[
    "spring.jpa.generate-ddl",
    "spring.jpa.hibernate.ddl-auto",
    "spring.jpa.properties.hibernate.hbm2ddl.auto",
    "quarkus.hibernate-orm.database.generation",
    "quarkus.hibernate-orm.schema-management.strategy",
];

/// Prefix of settings about requests with several parts (Spring Boot).
const OF_UPLOADS: &str = "spring.servlet.multipart.";

/// Annotations of data classes: how objects are created, compared and stored (Lombok, Jakarta Persistence, Hibernate,
/// Swagger).
const OF_DATA: &[&str] = &[
    "Accessors",
    "AllArgsConstructor",
    "Builder",
    "Data",
    "DynamicInsert",
    "DynamicUpdate",
    "Embeddable",
    "Entity",
    "EqualsAndHashCode",
    "Getter",
    "NoArgsConstructor",
    "RequiredArgsConstructor",
    "Schema",
    "Setter",
    "SuperBuilder",
    "Table",
    "ToString",
    "Value",
];

/// The stop for an input that is not a member and cannot be compared: a class declaration, a part of the document, a
/// global input.
pub(in crate::compare) fn beside_members((old, new): (&Side<'_>, &Side<'_>), change: &InputChange) -> Option<Stop> {
    let input = change.input.as_str();
    let generated = |side: &Side<'_>| {
        side.bench.subject.endpoint.framework.routing.from_document || side.bench.subject.endpoint.made_from.is_some()
    };
    if input.starts_with("openapi:") {
        // The document has no effect on behaviour, unless code is generated from it.
        let made = generated(old) || generated(new);
        return made.then(|| Stop::of("the document changed, and code is made from it"));
    }
    if input.starts_with("global:unresolved ") {
        // The call is part of the member that contains it.
        return None;
    }
    // The input belongs to a class of another module that has the same name as a class which the operation sees. It is
    // not compared here.
    if !input.starts_with("global:") && input.contains('#') {
        return Some(Stop::of(format!("`{}` stands in a module that the operation does not see", short(input))));
    }
    if comes_with_its_method((old, new), change) || is_setting_aside((old, new), change) {
        return None;
    }
    if starts_alike((old, new), input) {
        return None;
    }
    if let Some(name) = input.strip_prefix("global:") {
        if let Some(language) = other_language(name) {
            let what = format!("{} was {}, and {language} is not read", file_name(name), words(change.change));
            return Some(Stop { what, file: Some(name.to_owned()), line: Some(1) });
        }
        return Some(Stop::of(format!("{name} was {}", words(change.change))));
    }
    let declared = |side: &Side<'_>| {
        let project = side.bench.subject.project;
        let id = side.class(input)?;
        Some((project.ty(id).annotations.clone(), project.shown(id, project.ty(id).name_span.line)))
    };
    let (annotations, (file, line)) = declared(new).or_else(|| declared(old))?;
    if change.change != Changed::Changed && is_harmless(&annotations) {
        return None;
    }
    let of = |side: &Side<'_>| side.class(input);
    let is_unnoticed = match (of(old), of(new)) {
        (Some(gone), None) => is_unnoticed_configuration(old, new, gone),
        (None, Some(come)) => is_unnoticed_configuration(new, old, come),
        _ => false,
    };
    if is_unnoticed {
        return None;
    }
    // If no library reads objects of a data class, only code that names the class can use it, and that code changed
    // with it.
    let is_seen = || [old, new].iter().any(|side| of(side).is_some_and(|ty| hands_out(side, ty)));
    if change.change != Changed::Changed && annotations.iter().all(is_of_data) && !is_seen() {
        return None;
    }
    // The declaration of a data class only matters if the operation handles such objects.
    let is_foreign = |side: &Side<'_>| {
        of(side).is_some_and(|ty| {
            let project = side.bench.subject.project;
            !project.ty(ty).annotations.iter().all(is_of_data)
                || project.library_supers(ty).iter().any(|name| !name.starts_with("java."))
        })
    };
    let both = [old, new];
    if !both.iter().any(|side| is_foreign(side) || of(side).is_some_and(|ty| handles(side, ty))) {
        return None;
    }
    if let (Some(was), Some(is)) = (of(old), of(new))
        && declared_alike((old, was), (new, is))
    {
        return None;
    }
    let what = format!("the declaration of `{}` was {}", short(input), words(change.change));
    Some(Stop { what, file: Some(file), line: Some(line) })
}

/// Whether an annotation of a class only says how its objects are created, read, written or stored, and makes no bean
/// of it.
fn is_of_data(annotation: &Annotation) -> bool {
    let name = annotation.simple();
    is_harmless(std::slice::from_ref(annotation)) || OF_DATA.contains(&name) || name.starts_with("Json")
}

/// Whether an input is a setting that does not affect the operation: one of `ASIDE` that no code of the project names, one
/// with the same value in both revisions, one about tables that no script fills, one about uploads where the operation
/// takes none, one in a template that nothing loads, or one that other code reads.
pub(super) fn is_setting_aside((old, new): (&Side<'_>, &Side<'_>), change: &InputChange) -> bool {
    let setting = change.input.strip_prefix("global:").and_then(|name| name.split_once('#'));
    let Some((file, key)) = setting else { return false };
    let both = [old, new];
    let is_of_spring = [".properties", ".yml", ".yaml"].iter().any(|end| file.ends_with(end));
    let is_aside = || ASIDE.iter().any(|one| key == *one || one.ends_with('.') && key.starts_with(one));
    // Whether tables are made anew matters where a script fills them.
    let is_of_tables = || OF_TABLES.contains(&key) && !both.iter().any(|side| fills_tables(side));
    let is_of_uploads = || key.starts_with(OF_UPLOADS) && !both.iter().any(|side| takes_uploads(side));
    is_of_spring
        && ((is_aside() || is_of_uploads() || is_of_tables()) && !both.iter().any(|side| names_setting(side, key))
            || is_set_alike((old, new), file, key))
        || is_of_spring && !both.iter().any(|side| may_be_loaded(side, file))
        || !reads_setting((old, new), key, change.change)
}

/// Whether requests of the operation may have several parts, such as files.
fn takes_uploads(side: &Side<'_>) -> bool {
    let may_be = |location| matches!(location, Location::Part | Location::Model | Location::Form | Location::Context);
    side.bench.subject.endpoint.params.iter().any(|param| may_be(param.location))
}

/// Whether a setting without a profile has the same value in both revisions, in whichever file.
fn is_set_alike((old, new): (&Side<'_>, &Side<'_>), file: &str, key: &str) -> bool {
    let is_for_all = |side: &Side<'_>| {
        let mut all = side.bench.subject.properties.all.iter();
        all.find(|one| one.file == file && one.key == key).is_none_or(|one| one.profile.is_none())
    };
    let value = |side: &Side<'_>| {
        let subject = side.bench.subject;
        subject.properties.get(&subject.endpoint.file, key).map(|one| one.value.clone())
    };
    // The framework merges only `application*` files. Code may load any other file by its name.
    let is_of_application = file.rsplit('/').next().is_some_and(|name| name.starts_with("application"));
    is_of_application && is_for_all(old) && is_for_all(new) && value(old).is_some() && value(old) == value(new)
}

/// Whether an annotation in the project's code takes a setting, by its key or by a prefix of it.
fn names_setting(side: &Side<'_>, key: &str) -> bool {
    let project = side.bench.subject.project;
    let says = |annotation: &Annotation| {
        let texts = annotation.args.iter().filter_map(|(_, value)| match value {
            Value::Str(text) => Some(text.as_str()),
            _ => None,
        });
        match annotation.simple() {
            "Value" => texts.into_iter().any(|text| text.contains(key)),
            "ConfigurationProperties" => texts.into_iter().any(|prefix| key.starts_with(prefix)),
            _ => false,
        }
    };
    project.types().any(|ty| {
        let of_members = project.members(ty).flat_map(|member| {
            let facts = project.member(member);
            facts.annotations.iter().chain(facts.params.iter().flat_map(|param| &param.annotations))
        });
        project.ty(ty).annotations.iter().chain(of_members).any(says)
    })
}

/// Whether a statement of a mapper's XML was added or removed together with the mapper's method: the callers of the
/// method are compared.
fn comes_with_its_method((old, new): (&Side<'_>, &Side<'_>), change: &InputChange) -> bool {
    let Some((_, statement)) = change.input.split_once(" statement ") else { return false };
    let Some((mapper, method)) = statement.rsplit_once('.') else { return false };
    let has_method = |side: &Side<'_>| {
        let project = side.bench.subject.project;
        let types = project.by_fqn_all(mapper).iter();
        let mut all = types.flat_map(|ty| std::iter::once(*ty).chain(project.all_supers(*ty)));
        all.any(|ty| project.members(ty).any(|member| project.member(member).name == method))
    };
    match change.change {
        Changed::Added => !has_method(old),
        Changed::Removed => !has_method(new),
        Changed::Changed => false,
    }
}

fn words(change: Changed) -> &'static str {
    match change {
        Changed::Added => "added",
        Changed::Removed => "removed",
        Changed::Changed => "changed",
    }
}

/// The symbol without its package and parameters.
pub(in crate::compare) fn short(symbol: &str) -> &str {
    let name = symbol.split('(').next().unwrap_or(symbol);
    let class = name.split('#').next().unwrap_or(name);
    let cut = class.rfind('.').map_or(0, |dot| dot + 1);
    &name[cut..]
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn a_symbol_is_named_without_package_and_parameters() {
        assert_eq!(short("com.acme.Orders#find(java.lang.String)"), "Orders#find");
        assert_eq!(short("com.acme.Orders"), "Orders");
    }
}
