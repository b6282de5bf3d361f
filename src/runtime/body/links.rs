//! Links of objects in their JSON: in the form of HAL, or as Jackson writes them by itself. The rule `links`.

use super::shape::Shape;
use crate::java::interpret::library::frameworks::hateoas;
use crate::java::interpret::machine::Machine;
use crate::java::interpret::value::ObjId;
use crate::runtime::subject::Subject;

/// How links are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Each by its relation in `_links`, which is left out where there is none (HAL).
    Hal,
    /// A list `links`.
    Plain,
}

impl Links {
    /// How the service writes what has links: Spring Boot makes that HAL where the library is there, unless a setting or an annotation says otherwise.
    pub fn of(subject: &Subject<'_>) -> Option<Self> {
        let set =
            |key: &str| subject.properties.get(&subject.endpoint.file, key).map(|one| one.value.trim().to_owned());
        let is_usual = set("spring.hateoas.use-hal-as-default-json-media-type").is_none_or(|value| value == "true");
        let is_there = subject.build.uses("-hateoas").is_some() && subject.build.uses("spring-boot").is_some();
        (is_there && is_usual && subject.shared.plain_links).then_some(Self::Hal)
    }
}

/// The field of an object's links, or none; `None` where that is not known.
pub fn of_object(machine: &Machine<'_>, object: ObjId, links: Option<Links>) -> Option<Option<(String, Shape)>> {
    let relations = hateoas::relations(machine, object)?;
    Some(match links? {
        Links::Plain => Some(("links".to_owned(), Shape::Typed("array", false))),
        Links::Hal if relations.is_empty() => None,
        Links::Hal => {
            let mut names: Vec<String> = relations.iter().map(ToString::to_string).collect();
            names.sort();
            names.dedup();
            let each = names.into_iter().map(|name| {
                let count = relations.iter().filter(|one| ***one == *name).count();
                (name, Shape::Typed(if count > 1 { "array" } else { "object" }, false))
            });
            Some(("_links".to_owned(), Shape::Object(each.collect())))
        }
    })
}
