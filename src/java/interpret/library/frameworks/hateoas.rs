//! Models Spring HATEOAS: objects with links, and builders of links to handlers. The relation of a link is known; its
//! target contains the server's address.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{class_of, reference, spread, text};
use crate::interpret::library::functions::optional;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::term::{Opaque, Origin, Sort};
use crate::interpret::values::value::{ObjId, Type, Value};

/// The base class of objects with links, by release.
pub const MODELS: [&str; 2] =
    ["org.springframework.hateoas.RepresentationModel", "org.springframework.hateoas.ResourceSupport"];
/// The class that wraps one object and its links, by release.
const AROUND: [&str; 2] = ["org.springframework.hateoas.EntityModel", "org.springframework.hateoas.Resource"];
/// The class that wraps several objects and their links, by release.
const SEVERAL: [&str; 2] = ["org.springframework.hateoas.CollectionModel", "org.springframework.hateoas.Resources"];
const BUILDERS: [&str; 2] = [
    "org.springframework.hateoas.server.mvc.WebMvcLinkBuilder",
    "org.springframework.hateoas.mvc.ControllerLinkBuilder",
];
const LINK: &str = "org.springframework.hateoas.Link";
/// The part of a link builder that holds the target of the link.
const TO: &str = "value";
/// The callee of the opaque address of a link.
const PLACE: &str = "org.springframework.hateoas.Link.href";
/// The part of an object that holds the addresses of its links.
const PLACES: &str = "links";
/// The class of the proxy on which a handler is called to name it, and of the result of that call.
const NAMED: &str = "org.springframework.hateoas.server.core.DummyInvocationUtils";

/// The part of an object that holds the relations of its links, one per line.
const RELATIONS: &str = "relations";

/// The relations of an object's links, in order; `None` if unknown.
pub fn relations(machine: &Machine<'_>, object: ObjId) -> Option<Vec<Rc<str>>> {
    match machine.object(object).parts.get(RELATIONS) {
        None => Some(Vec::new()),
        Some(lines) => Some(text(lines)?.lines().map(Rc::from).collect()),
    }
}

/// The content of an object with links.
#[derive(Debug, Clone)]
pub enum LinkedContent {
    /// Its own properties.
    Own,
    /// The properties of another object.
    Content(Value),
    /// Several objects.
    Several(Value),
}

/// The content of an object with links; `None` for any other object.
pub fn held(machine: &Machine<'_>, object: ObjId) -> Option<LinkedContent> {
    match &machine.object(object).class {
        ClassRef::Library(fqn) => {
            let content = || machine.object(object).parts.get("content").cloned();
            match &**fqn {
                fqn if AROUND.contains(&fqn) => content().map(LinkedContent::Content),
                fqn if SEVERAL.contains(&fqn) => content().map(LinkedContent::Several),
                fqn if MODELS.contains(&fqn) => Some(LinkedContent::Own),
                _ => None,
            }
        }
        ClassRef::Project(ty) => {
            let project = machine.project;
            let mut all = project.all_supers(*ty);
            all.push(*ty);
            let is_model = |fqn: &str| MODELS.contains(&fqn);
            let supers = all.into_iter().flat_map(|ty| project.supers(ty));
            supers.filter_map(|up| up.named.library()).any(is_model).then_some(LinkedContent::Own)
        }
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if !call.fqn.starts_with("org.springframework.hateoas.") {
        return None;
    }
    let fqn = call.fqn;
    let value = match (call.receiver, call.name, call.args) {
        (Some(own), "<init>", links) if MODELS.contains(&fqn) => {
            add(machine, own, links)?;
            Value::NULL
        }
        (None, "<init>", links) if MODELS.contains(&fqn) => with_links(machine, fqn, Value::NULL, links)?,
        (None, "<init>" | "of", [content, links @ ..]) if AROUND.contains(&fqn) || SEVERAL.contains(&fqn) => {
            with_links(machine, fqn, content.clone(), links)?
        }
        (None, "linkTo", [to, ..]) if BUILDERS.contains(&fqn) => match to {
            to @ Value::Class(_) => machine.modelled(fqn, &[(TO, to.clone())]),
            named if class_of(machine, named) == Some(NAMED) => machine.modelled(fqn, &[(TO, named.clone())]),
            _ => return None,
        },
        (None, "methodOn", [of @ Value::Class(_), ..]) if BUILDERS.contains(&fqn) => {
            machine.modelled(NAMED, &[(TO, of.clone())])
        }
        (Some(of), name, args) if fqn == NAMED => {
            let args = machine.array(args.to_vec(), Type::Unknown);
            machine.modelled(NAMED, &[(TO, of.clone()), ("method", Value::text(name)), ("arguments", args)])
        }
        (None, "of" | "<init>", [href]) if fqn == LINK => link(machine, "self", href.clone()),
        (None, "of" | "<init>", [href, relation]) if fqn == LINK => link(machine, text(relation)?, href.clone()),
        (Some(own), name, args) => return on(machine, call, own, name, args).map(Ok),
        _ => return None,
    };
    Some(Ok(value))
}

fn on(machine: &mut Machine<'_>, call: &LibraryCall<'_>, own: &Value, name: &str, args: &[Value]) -> Option<Value> {
    let fqn = call.fqn;
    let target = || Value::unknowable("the place of the server", Type::Str);
    Some(match (name, args) {
        ("slash", [part]) if BUILDERS.contains(&fqn) => {
            machine.modelled(fqn, &[(TO, own.clone()), ("part", part.clone())])
        }
        ("withSelfRel", []) if BUILDERS.contains(&fqn) => link_to(machine, own, "self"),
        ("withRel", [relation]) if BUILDERS.contains(&fqn) => link_to(machine, own, text(relation)?),
        ("toString", []) if BUILDERS.contains(&fqn) => target(),
        ("withSelfRel", []) if fqn == LINK => relink(machine, own, "self")?,
        ("withRel", [relation]) if fqn == LINK => relink(machine, own, text(relation)?)?,
        ("getHref", []) if fqn == LINK => machine.object(reference(own)?).parts.get("href")?.clone(),
        ("getContent", []) if AROUND.contains(&fqn) || SEVERAL.contains(&fqn) => {
            machine.object(reference(own)?).parts.get("content")?.clone()
        }
        ("add", links) => {
            add(machine, own, links)?;
            own.clone()
        }
        ("hasLinks", []) => Value::bool(!relations(machine, reference(own)?)?.is_empty()),
        ("hasLink", [relation]) => {
            let relation = text(relation)?;
            Value::bool(relations(machine, reference(own)?)?.iter().any(|one| **one == *relation))
        }
        ("getLink", [relation]) => {
            let relation = text(relation)?;
            let is_there = relations(machine, reference(own)?)?.iter().any(|one| **one == *relation);
            let found = if is_there { link(machine, relation, target()) } else { Value::NULL };
            optional::of(machine, "java.util.Optional", found)
        }
        ("removeLinks", []) => {
            machine.object_mut(reference(own)?).parts.remove(RELATIONS);
            own.clone()
        }
        _ => return None,
    })
}

fn with_links(machine: &mut Machine<'_>, fqn: &str, content: Value, links: &[Value]) -> Option<Value> {
    let made = machine.modelled(fqn, &[("content", content)]);
    add(machine, &made, links)?;
    Some(made)
}

fn link(machine: &mut Machine<'_>, relation: &str, href: Value) -> Value {
    machine.modelled(LINK, &[("relation", Value::text(relation)), ("href", href)])
}

/// A link with this relation to the target of a builder. Its address begins with the server's, which is not known.
fn link_to(machine: &mut Machine<'_>, builder: &Value, relation: &str) -> Value {
    let place = match machine.is_opaque() {
        true => {
            let (of, words) = (vec![machine.canon(builder)], format!("the link `{relation}`"));
            machine.of_opaque(Opaque::new(Origin::Call, PLACE, of, Sort::Text, &words), &Type::Str)
        }
        false => Value::unknowable("the place of the server", Type::Str),
    };
    link(machine, relation, place)
}

fn relink(machine: &mut Machine<'_>, own: &Value, relation: &str) -> Option<Value> {
    let href = machine.object(reference(own)?).parts.get("href")?.clone();
    Some(link(machine, relation, href))
}

/// Adds links to an object; `None` if one of them is unknown.
fn add(machine: &mut Machine<'_>, own: &Value, links: &[Value]) -> Option<()> {
    let (mut all, mut places) = (Vec::<String>::new(), Vec::new());
    for given in links {
        for one in spread(machine, std::slice::from_ref(given)) {
            let links = match class_of(machine, &one) {
                Some(LINK) => vec![one],
                _ => machine.given_items(&one)?,
            };
            for link in links {
                if class_of(machine, &link) != Some(LINK) {
                    return None;
                }
                let parts = &machine.object(reference(&link)?).parts;
                all.push(text(parts.get("relation")?)?.to_owned());
                places.extend(parts.get("href").cloned());
            }
        }
    }
    let own = reference(own)?;
    let mut known: Vec<String> = relations(machine, own)?.iter().map(ToString::to_string).collect();
    known.extend(all);
    if !known.is_empty() {
        machine.object_mut(own).parts.insert(RELATIONS, Value::text(&known.join("\n")));
    }
    // Base and head are compared by the addresses too.
    if machine.is_opaque() && !places.is_empty() {
        places.extend(machine.object(own).parts.get(PLACES).cloned());
        let places = machine.array(places, Type::Str);
        machine.object_mut(own).parts.insert(PLACES, places);
    }
    Some(())
}
