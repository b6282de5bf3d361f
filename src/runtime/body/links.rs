//! Links of Spring HATEOAS objects in JSON, in HAL or in Jackson's plain form. The rule `links`.

use super::shape::Shape;
use crate::subject::Subject;
use mastor_java::interpret::engine::machine::Machine;
use mastor_java::interpret::library::frameworks::hateoas;
use mastor_java::interpret::values::value::ObjId;

/// How links are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// HAL: an object `_links` with a member for each relation; left out if there are no links.
    Hal,
    /// Plain: an array `links`.
    Plain,
}

impl Links {
    /// The form in which the service writes links. Spring Boot selects HAL if the library is present, unless a
    /// setting or an annotation says otherwise.
    pub fn of(subject: &Subject<'_>) -> Option<Self> {
        let set =
            |key: &str| subject.properties.get(&subject.endpoint.file, key).map(|one| one.value.trim().to_owned());
        let is_usual = set("spring.hateoas.use-hal-as-default-json-media-type").is_none_or(|value| value == "true");
        let is_there = subject.build.uses("-hateoas").is_some() && subject.build.uses("spring-boot").is_some();
        (is_there && is_usual && subject.shared.plain_links).then_some(Self::Hal)
    }
}

/// The JSON field with an object's links; `Some(None)` if there are no links, and `None` if they are unknown.
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
