//! Settings that are injected into fields: a changed setting is reported for an operation whose code reads such a
//! field.

use std::collections::BTreeSet;

use super::twins::is_used_bean;
use crate::compare::objects::handed::{handed, handles, is_run_around, members_around};
use crate::compare::sides::side::Side;
use mastor_frameworks::files::properties::relaxed;
use mastor_frameworks::files::resources::file_name;
use mastor_java::interpret::linking::code::Link;
use mastor_java::ir::facts::{Annotation, MemberKind, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_types::manifest::Changed;

/// Annotations that inject a setting into a field or parameter (Spring, MicroProfile Config, Micronaut).
const TAKING: &[&str] = &["Value", "ConfigProperty", "Property"];

/// Prefixes of settings that frameworks read themselves.
const OF_FRAMEWORKS: &[&str] = &["micronaut.", "mp.", "quarkus.", "server.", "spring."];

/// Parts of the names of files with settings that people copy and fill in.
const TEMPLATES: &[&str] = &["example", "sample", "template"];

/// Annotations of classes whose fields hold all settings with a prefix (Spring Boot and Micronaut, SmallRye).
const BINDING: &[&str] = &["ConfigurationProperties", "ConfigMapping"];

/// The code that a setting is injected into.
#[derive(Default)]
struct SettingReaders {
    fields: BTreeSet<MemberId>,
    /// Classes whose constructors take the setting, or whose generated getters give it.
    classes: BTreeSet<TypeId>,
}

impl SettingReaders {
    fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.classes.is_empty()
    }
}

/// Whether the operation may read a changed setting: its code reads it, or the use of the setting is unknown. A setting
/// that is new together with the code that reads it has no effect by itself.
pub(super) fn reads_setting((old, new): (&Side<'_>, &Side<'_>), key: &str, how: Changed) -> bool {
    if OF_FRAMEWORKS.iter().any(|prefix| key.starts_with(prefix)) {
        return true;
    }
    let [Some(was), Some(is)] = [old, new].map(|side| readers(side, key)) else { return true };
    match (was.is_empty(), is.is_empty()) {
        (true, true) => true,
        (true, false) if how == Changed::Added => false,
        (false, true) if how == Changed::Removed => false,
        _ => reads(old, key, &was) || reads(new, key, &is),
    }
}

/// Whether code of the operation, or code around it, reads a setting through one of these readers, or names it.
fn reads(side: &Side<'_>, key: &str, readers: &SettingReaders) -> bool {
    let project = side.bench.subject.project;
    let is_one = |link: &Link| match link {
        Link::Field(field) | Link::Static(field) => readers.fields.contains(field),
        Link::Const(value, _) => value.as_text().is_some_and(|text| text.contains(key)),
        _ => false,
    };
    let names = |member: &MemberId| side.bench.codes.code(*member).is_some_and(|code| code.links.iter().any(is_one));
    let around = members_around(side);
    let makes_beans = |member: &MemberId| project.member(*member).annotations.iter().any(|one| one.simple() == "Bean");
    let is_of = |member: &MemberId| readers.classes.contains(&member.ty);
    let has_class = |ty: TypeId| handed(side).members.iter().any(|member| member.ty == ty);
    // The container calls annotated methods of beans, such as `@PostConstruct`.
    let is_initial = |member: &MemberId| !project.member(*member).annotations.is_empty() && names(member);
    handed(side).members.iter().any(|member| is_of(member) || names(member))
        || readers.fields.iter().any(|field| has_class(field.ty) && project.members(field.ty).any(|id| is_initial(&id)))
        || readers.classes.iter().any(|ty| handles(side, *ty) || is_run_around(side, *ty))
        // What a factory method reads matters where its bean is used.
        || around.iter().any(|member| names(member) && (!makes_beans(member) || is_used_bean(side, *member)))
}

/// Whether something may load a file of settings. A template that nothing names is only copied; any other file may be loaded
/// by a library under a name of its own.
pub(super) fn may_be_loaded(side: &Side<'_>, file: &str) -> bool {
    let name = file_name(file);
    let is_template = TEMPLATES.iter().any(|part| name.contains(part));
    let says = |text: &String| text.contains(name);
    let subject = side.bench.subject;
    let is_named_by = |annotation: &Annotation| format!("{:?}", annotation.args).contains(name);
    let is_named_in = |ty: TypeId| {
        let facts = subject.project.ty(ty);
        let literals = || facts.members.iter().flat_map(|member| &member.literals);
        facts.annotations.iter().any(is_named_by) || literals().any(says)
    };
    !is_template
        || subject.properties.all.iter().any(|one| says(&one.value))
        || subject.project.types().any(is_named_in)
}

/// The code that a setting is injected into; `None` if it is also used in another way.
fn readers(side: &Side<'_>, key: &str) -> Option<SettingReaders> {
    let project = side.bench.subject.project;
    let mut found = SettingReaders::default();
    for ty in project.types() {
        for annotation in &project.ty(ty).annotations {
            if BINDING.contains(&annotation.simple()) && binds(annotation, key) {
                found.classes.insert(ty);
            } else if says(annotation, key) {
                return None;
            }
        }
        for member in project.members(ty) {
            let facts = project.member(member);
            let mut said = facts.annotations.iter().chain(facts.params.iter().flat_map(|param| &param.annotations));
            if said.any(takes_any) {
                return None;
            }
            let is_of_params = facts.params.iter().flat_map(|param| &param.annotations).any(|one| takes(one, key));
            match facts.kind {
                MemberKind::Constructor if is_of_params => _ = found.classes.insert(ty),
                _ if is_of_params => return None,
                MemberKind::Field if facts.annotations.iter().any(|one| takes(one, key)) => {
                    found.fields.insert(member);
                }
                _ if facts.annotations.iter().any(|one| says(one, key) || binds(one, key)) => {
                    return None;
                }
                _ => {}
            }
        }
    }
    // A getter that Lombok generates reads the field too.
    let is_open = |field: &&MemberId| {
        let mut said = project.ty(field.ty).annotations.iter().chain(&project.member(**field).annotations);
        said.any(|one| ["Getter", "Data"].contains(&one.simple()))
    };
    let by_getters: Vec<TypeId> = found.fields.iter().filter(is_open).map(|field| field.ty).collect();
    found.classes.extend(by_getters);
    Some(found)
}

/// Whether an annotation binds all settings with a prefix of this key.
fn binds(annotation: &Annotation, key: &str) -> bool {
    let prefixes = annotation.args.iter().filter(|(name, _)| ["prefix", "value"].contains(&name.as_str()));
    let is_of = |prefix: &str| {
        relaxed(key).strip_prefix(&relaxed(prefix)).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    BINDING.contains(&annotation.simple())
        && prefixes.into_iter().any(|(_, value)| match value {
            Value::Str(prefix) => is_of(prefix),
            _ => true,
        })
}

/// Whether an annotation injects this setting.
fn takes(annotation: &Annotation, key: &str) -> bool {
    TAKING.contains(&annotation.simple()) && says(annotation, key)
}

/// Whether an annotation may inject any setting, since a constant or an expression names it.
fn takes_any(annotation: &Annotation) -> bool {
    let is_open = |value: &Value| matches!(value, Value::Name(_) | Value::Binary(..));
    TAKING.contains(&annotation.simple()) && annotation.args.iter().any(|(_, value)| is_open(value))
}

/// Whether a string of an annotation names a setting, directly or in a placeholder.
fn says(annotation: &Annotation, key: &str) -> bool {
    let names = |value: &Value| matches!(value, Value::Str(text) if relaxed(text).contains(&relaxed(key)));
    annotation.args.iter().any(|(_, value)| match value {
        Value::Array(all) => all.iter().any(names),
        value => names(value),
    })
}
