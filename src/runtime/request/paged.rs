//! Requests for pages of rows: the parameters that Spring Data's resolvers read
//! (`PageableHandlerMethodArgumentResolver`, `SortHandlerMethodArgumentResolver`), and sample values for them. The
//! rule `pages`.

use super::slot::{Part, Slot};
use crate::subject::Subject;
use mastor_frameworks::Location;
use mastor_java::interpret::library::frameworks::pages::Request;
use mastor_java::interpret::values::scalar::Prim;
use mastor_java::interpret::values::term::Input;
use mastor_java::interpret::values::types::type_of;
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::facts::{Annotation, MemberKind, Modifiers, Value as Arg};
use mastor_java::project::index::Project;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The parameter type that requests a page.
pub const PAGEABLE: &str = "org.springframework.data.domain.Pageable";

/// The request parameters that select a page or an order; `None` if that is not modelled.
pub fn parts(subject: &Subject<'_>, slot: &Slot) -> Option<Vec<Slot>> {
    Defaults::of(subject, slot).map(|defaults| defaults.parts(slot))
}

/// The page that a request selects; `None` if that is not modelled.
pub fn asked(subject: &Subject<'_>, slot: &Slot, sent: &BTreeMap<Input, String>, parts: &[&Slot]) -> Option<Request> {
    Defaults::of(subject, slot).and_then(|defaults| defaults.asked(sent, parts))
}

/// The names of the page parameters, and the page selected without them.
struct Defaults {
    names: [String; 3],
    from_one: bool,
    most: i32,
    request: Request,
}

impl Defaults {
    /// Reads the settings and annotations; `None` if they are not modelled.
    fn of(subject: &Subject<'_>, slot: &Slot) -> Option<Self> {
        const CUSTOM: [&str; 5] = [
            "PageableHandlerMethodArgumentResolverCustomizer",
            "SortHandlerMethodArgumentResolverCustomizer",
            "PageableHandlerMethodArgumentResolver",
            "SortHandlerMethodArgumentResolver",
            "SpringDataWebSettings",
        ];
        let near = subject.endpoint.file.as_str();
        if subject.build.uses("spring-boot").is_none()
            || CUSTOM.iter().any(|name| subject.shared.produced.contains_key(*name))
        {
            return None;
        }
        let said = |key: &str| {
            let property = subject.properties.get(near, &format!("spring.data.web.{key}"))?;
            Some(property.value.trim().to_owned())
        };
        let number = |key: &str, usual: i32| said(key).map_or(Some(usual), |text| text.parse().ok());
        if said("pageable.prefix").is_some_and(|prefix| !prefix.is_empty()) {
            return None;
        }
        let name = |key: &str, usual: &str| said(key).unwrap_or_else(|| usual.to_owned());
        let mut part = (0, number("pageable.default-page-size", 20)?);
        let mut order = Vec::new();
        for annotation in &slot.constraints {
            match annotation.simple() {
                "PageableDefault" => {
                    let int = |name: &str| match annotation.arg(name) {
                        None => Some(None),
                        Some(Arg::Int(number)) => i32::try_from(*number).ok().map(Some),
                        Some(_) => None,
                    };
                    part = (int("page")?.unwrap_or(0), int("size")?.or(int("value")?).unwrap_or(10));
                    order = sorted(annotation, "sort")?;
                }
                "SortDefault" => order = [sorted(annotation, "sort")?, sorted(annotation, "value")?].concat(),
                "Qualifier" | "SortDefaults" => return None,
                _ => {}
            }
        }
        Some(Self {
            names: [
                name("pageable.page-parameter", "page"),
                name("pageable.size-parameter", "size"),
                name("sort.sort-parameter", "sort"),
            ],
            from_one: said("pageable.one-indexed-parameters").as_deref() == Some("true"),
            most: number("pageable.max-page-size", 2000)?,
            request: Request { part: Some(part), order },
        })
    }

    fn parts(&self, slot: &Slot) -> Vec<Slot> {
        let made = |part: Part, name: &str, ty: Type| Slot {
            index: slot.index,
            ty,
            is_wrapped: false,
            part: Some(part),
            ..Slot::unread(Location::Query, name, false)
        };
        let [page, size, sort] = &self.names;
        let mut all = Vec::new();
        if slot.ty.library() == Some(PAGEABLE) {
            all.push(made(Part::Page, page, Type::Prim(Prim::Int)));
            all.push(made(Part::Size, size, Type::Prim(Prim::Int)));
        }
        all.push(made(Part::Sort, sort, Type::Str));
        all
    }

    /// The page that a request selects: texts that are not numbers count as 0, and a size below 1 as missing
    /// (`PageableHandlerMethodArgumentResolverSupport`).
    fn asked(&self, sent: &BTreeMap<Input, String>, parts: &[&Slot]) -> Option<Request> {
        let text = |wanted: Part| {
            let slot = parts.iter().find(|slot| slot.part == Some(wanted))?;
            sent.get(&slot.input).map(String::as_str).filter(|text| !text.trim().is_empty())
        };
        let number = |text: &str, from: i32| text.parse::<i32>().map_or(0, |number| number.saturating_sub(from)).max(0);
        let (usual_page, usual_size) = self.request.part?;
        let page = text(Part::Page).map_or(usual_page, |text| number(text, i32::from(self.from_one)));
        let size = text(Part::Size).map_or(usual_size, |text| number(text, 0).min(self.most));
        let size = if size < 1 { usual_size } else { size };
        let order = match text(Part::Sort) {
            None => self.request.order.clone(),
            Some(text) => {
                let mut words: Vec<&str> = text.split(',').map(str::trim).collect();
                let last = words.last().map(|word| word.to_lowercase());
                let down = match last.as_deref() {
                    Some("desc") => Some(true),
                    Some("asc") => Some(false),
                    _ => None,
                };
                if down.is_some() {
                    words.pop();
                }
                if words.iter().any(|word| word.is_empty() || word.eq_ignore_ascii_case("ignorecase")) {
                    return None;
                }
                words.into_iter().map(|word| (word.to_owned(), down == Some(true))).collect()
            }
        };
        Some(Request { part: Some((page, size)), order })
    }
}

/// The sort properties that an annotation names, with its direction.
fn sorted(annotation: &Annotation, name: &str) -> Option<Vec<(String, bool)>> {
    let down = match annotation.arg("direction") {
        None => false,
        Some(Arg::Name(direction)) => direction.rsplit('.').next() == Some("DESC"),
        Some(_) => return None,
    };
    let text = |value: &Arg| match value {
        Arg::Str(text) => Some((text.clone(), down)),
        _ => None,
    };
    match annotation.arg(name) {
        None => Some(Vec::new()),
        Some(Arg::Array(items)) => items.iter().map(text).collect(),
        Some(one) => text(one).map(|one| vec![one]),
    }
}

/// Sample texts for page parameters: small numbers, and a property of the result's elements.
pub fn samples(subject: &Subject<'_>, slot: &Slot) -> Vec<Json> {
    match slot.part {
        Some(Part::Page) => vec!["1".into(), "0".into()],
        Some(Part::Size) => vec!["1".into(), "2".into()],
        Some(Part::Sort) => {
            let entry = subject.endpoint.entry;
            let given = subject.project.member(entry).ty.as_ref().map(|ty| type_of(subject.project, entry.ty, ty));
            let name = given.and_then(|ty| shown(subject.project, &ty, 0));
            name.map(|name| format!("{name},desc").into()).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// A property that the elements of a type can be sorted by: the first string, else the first primitive or boxed value.
fn shown(project: &Project, ty: &Type, depth: usize) -> Option<String> {
    if let Type::Class(_, args) = ty
        && let Some(name) = args.iter().filter(|_| depth < 4).find_map(|arg| shown(project, arg, depth + 1))
    {
        return Some(name);
    }
    let id = ty.project()?;
    let own = |is_meant: fn(&Type) -> bool| {
        project.members(id).find_map(|member| {
            let field = project.member(member);
            let holds = matches!(field.kind, MemberKind::Field | MemberKind::RecordComponent)
                && !field.modifiers.has(Modifiers::STATIC);
            let ty = type_of(project, id, field.ty.as_ref().filter(|_| holds)?);
            is_meant(&ty).then(|| field.name.clone())
        })
    };
    own(|ty| *ty == Type::Str).or_else(|| own(|ty| matches!(ty, Type::Prim(_) | Type::Boxed(_))))
}
