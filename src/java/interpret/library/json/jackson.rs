//! Models Jackson's `ObjectMapper` for trees, texts, numbers, collections and maps.

use super::binding::written;
use super::document::{Style, parse, write};
use super::tree::{Dialect, Tree, document, grown, node, of, single, single_of};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, native, open, reference, settle, text};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Native, Type, Value};

/// The configuration of a mapper.
#[derive(Debug, Clone, Copy, Default)]
struct Mapper {
    /// Whether an unsupported setting was made.
    custom: bool,
}

impl Native for Mapper {
    native_state!(leaf);
}

const STYLE: Style = Style { jackson: true, html: false, without_nulls: false, pretty: false };

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let simple = call.fqn.rsplit('.').next().unwrap_or_default();
    if simple == "JsonNodeFactory" {
        let made = match (call.name, call.args) {
            ("objectNode", []) => Tree::Object(Vec::new()),
            ("arrayNode", []) => Tree::Array(Vec::new()),
            _ => return None,
        };
        return Some(Ok(node(machine, Dialect::Jackson, made)));
    }
    if !matches!(simple, "ObjectMapper" | "JsonMapper") {
        return None;
    }
    let answer = match call.receiver {
        None if call.name == "<init>" && call.args.is_empty() => Ok(native(machine, call.fqn, Mapper::default())),
        None => return None,
        Some(receiver) => {
            let id = reference(receiver)?;
            let mapper = *machine.native::<Mapper>(id)?;
            match call.name {
                "configure"
                | "enable"
                | "disable"
                | "setSerializationInclusion"
                | "registerModule"
                | "registerModules"
                | "findAndRegisterModules"
                | "setDateFormat"
                | "setPropertyNamingStrategy"
                | "setVisibility"
                | "addMixIn"
                | "setDefaultPropertyInclusion"
                | "setTimeZone" => {
                    // In an opaque run the call stays opaque, because base and head may configure the mapper
                    // differently.
                    if machine.is_opaque() {
                        return None;
                    }
                    machine.native_mut::<Mapper>(id)?.custom = true;
                    Ok(receiver.clone())
                }
                _ => map(machine, mapper, call)?,
            }
        }
    };
    Some(settle(machine, call, answer))
}

fn map(machine: &mut Machine<'_>, mapper: Mapper, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("createObjectNode", []) => Ok(node(machine, Dialect::Jackson, Tree::Object(Vec::new()))),
        ("createArrayNode", []) => Ok(node(machine, Dialect::Jackson, Tree::Array(Vec::new()))),
        ("readTree", [given]) => tree(machine, mapper, text(given)?),
        ("readValue", [given, Value::Class(Type::Class(ClassRef::Library(class), _))])
            if class.starts_with("com.fasterxml.jackson.databind.") =>
        {
            let given = text(given)?.to_owned();
            let simple = class.rsplit('.').next().unwrap_or_default();
            tree(machine, mapper, &given).and_then(|made| {
                let fits = matches!(
                    (simple, of(machine, &made).map(|node| &node.tree)),
                    ("JsonNode", _) | ("ObjectNode", Some(Tree::Object(_))) | ("ArrayNode", Some(Tree::Array(_)))
                );
                if fits { Ok(made) } else { open("a tree of another kind") }
            })
        }
        ("writeValueAsString", [value]) => {
            let own = single_of(value).is_some() || of(machine, value).is_some();
            if mapper.custom {
                return Some(open("a mapper that is configured"));
            }
            let doc = if own { document(machine, value, 0) } else { written(machine, value, None, 0) };
            doc.map(|doc| machine.fresh_text(&write(&doc, STYLE)))
        }
        ("valueToTree", [value]) if !value.is_null() => {
            if mapper.custom {
                return Some(open("a mapper that is configured"));
            }
            written(machine, value, None, 0).and_then(|doc| grown(machine, Dialect::Jackson, &doc))
        }
        ("createParser" | "writerWithDefaultPrettyPrinter" | "getTypeFactory", _) => return None,
        _ => return None,
    })
}

fn tree(machine: &mut Machine<'_>, mapper: Mapper, given: &str) -> Answer {
    if mapper.custom {
        return open("a mapper that is configured");
    }
    match parse(given) {
        Some(doc) => grown(machine, Dialect::Jackson, &doc),
        None => open("text that is no JSON by the letter"),
    }
}

/// The node for an absent member.
pub fn missing() -> Value {
    single(super::tree::JACKSON_MISSING, "")
}
