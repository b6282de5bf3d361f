//! Models `Gson`, `GsonBuilder` and `JsonParser`, with the configurations that are supported.

use std::rc::Rc;

use super::binding::written;
use super::choice::{Binding, BindingDirection, Naming};
use super::document::{Doc, Style, parse, write};
use super::objects::read;
use super::reader::{self, Cursor};
use super::tree::{Dialect, document, grown, null, of, single_of};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, native, open, reference, settle, spread, text};
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::{Native, Type, Value};

const GSON: &str = "com.google.gson.Gson";
const BUILDER: &str = "com.google.gson.GsonBuilder";
const PARSER: &str = "com.google.gson.JsonParser";

/// The configuration of a `Gson` or of its builder.
#[derive(Debug, Clone)]
struct GsonConfig {
    style: Style,
    /// Which fields it binds, and under which names.
    fields: Rc<Binding>,
    /// Whether an unsupported setting was made.
    custom: bool,
}

impl Native for GsonConfig {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.fields.strategies.iter().map(|(strategy, _)| strategy.clone()).collect()
    }

    fn is_frozen(&self) -> bool {
        true
    }
}

const PLAIN: Style = Style { jackson: false, html: true, without_nulls: true, pretty: false };

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match (call.fqn, call.receiver) {
        (GSON | BUILDER, None) if call.name == "<init>" && call.args.is_empty() => {
            Ok(native(machine, call.fqn, GsonConfig { style: PLAIN, fields: Rc::default(), custom: false }))
        }
        (BUILDER, Some(receiver)) => build(machine, receiver, call)?,
        (GSON, Some(receiver)) => {
            let set = machine.native::<GsonConfig>(reference(receiver)?)?.clone();
            gson(machine, &set, call)?
        }
        (PARSER, None) if call.name == "<init>" && call.args.is_empty() => Ok(machine.modelled(PARSER, &[])),
        (PARSER, _) if matches!(call.name, "parse" | "parseString") => {
            let [given] = call.args else { return None };
            let given = text(given)?.to_owned();
            match parse(&given) {
                Some(doc) => grown(machine, Dialect::Gson, &doc),
                None => open("JSON that only a lenient reader takes"),
            }
        }
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn build(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let id = reference(receiver)?;
    let strategies = match call.name {
        "setExclusionStrategies" => spread(machine, call.args),
        _ => call.args.to_vec(),
    };
    let is_opaque = machine.is_opaque();
    let set = machine.native_mut::<GsonConfig>(id)?;
    let fields = Rc::make_mut(&mut set.fields);
    match call.name {
        "setExclusionStrategies" => {
            fields.strategies.extend(strategies.into_iter().map(|one| (one, BindingDirection::Both)))
        }
        "addSerializationExclusionStrategy" => {
            fields.strategies.extend(strategies.into_iter().map(|one| (one, BindingDirection::Written)));
        }
        "addDeserializationExclusionStrategy" => {
            fields.strategies.extend(strategies.into_iter().map(|one| (one, BindingDirection::Read)));
        }
        "excludeFieldsWithoutExposeAnnotation" => fields.is_exposed_only = true,
        "setFieldNamingPolicy" => match call.args.first().and_then(policy) {
            Some(naming) => fields.naming = naming,
            // In an opaque run the call stays opaque, because base and head may configure different policies.
            None if is_opaque => return None,
            None => set.custom = true,
        },
        "create" => {
            let set = set.clone();
            return Some(Ok(native(machine, GSON, set)));
        }
        "setPrettyPrinting" => set.style.pretty = true,
        "serializeNulls" => set.style.without_nulls = false,
        "disableHtmlEscaping" => set.style.html = false,
        "setLenient" => {}
        _ if is_opaque => return None,
        _ => set.custom = true,
    }
    Some(Ok(receiver.clone()))
}

/// The naming policy for a constant of `FieldNamingPolicy`.
fn policy(value: &Value) -> Option<Naming> {
    let Value::Scalar(Scalar::Enum(_, name)) = value else { return None };
    Some(match &**name {
        "IDENTITY" => Naming::Own,
        "LOWER_CASE_WITH_UNDERSCORES" => Naming::Lower('_'),
        "LOWER_CASE_WITH_DASHES" => Naming::Lower('-'),
        "UPPER_CAMEL_CASE" => Naming::Upper,
        _ => return None,
    })
}

fn gson(machine: &mut Machine<'_>, set: &GsonConfig, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("toJson", [value]) => to_json(machine, set, value),
        // The second argument is the type to write as; it is not supported.
        ("toJson", [_, Value::Class(_)]) => open("a type that an object is written as"),
        ("toJsonTree", [value]) => {
            if value.is_null() {
                return Some(Ok(null(Dialect::Gson)));
            }
            plain(machine, set, value).and_then(|doc| {
                if set.style.without_nulls && has_null(&doc) && of(machine, value).is_none() {
                    return open("null members of a tree");
                }
                grown(machine, Dialect::Gson, &doc)
            })
        }
        ("fromJson", [given, wanted]) => from_json(machine, set, given, wanted)?,
        _ => return None,
    })
}

fn plain(machine: &mut Machine<'_>, set: &GsonConfig, value: &Value) -> Answer<Doc> {
    if set.custom && single_of(value).is_none() && of(machine, value).is_none() {
        return open("a Gson that is configured");
    }
    written(machine, value, Some(&set.fields), 0)
}

fn has_null(doc: &Doc) -> bool {
    match doc {
        Doc::Object(members) => members.iter().any(|(_, value)| *value == Doc::Null || has_null(value)),
        Doc::Array(items) => items.iter().any(has_null),
        _ => false,
    }
}

fn to_json(machine: &mut Machine<'_>, set: &GsonConfig, value: &Value) -> Answer {
    let doc = plain(machine, set, value)?;
    if set.style.pretty && empty_within(&doc, set.style) {
        return open("an empty object among lines");
    }
    let text = write(&doc, set.style);
    Ok(machine.fresh_text(&text))
}

/// Whether the document contains an empty object or array: their indented form differs between releases.
fn empty_within(doc: &Doc, style: Style) -> bool {
    match doc {
        Doc::Array(items) => items.is_empty() || items.iter().any(|item| empty_within(item, style)),
        Doc::Object(members) => {
            let mut shown =
                members.iter().filter(|(_, value)| !(style.without_nulls && *value == Doc::Null)).peekable();
            shown.peek().is_none() || shown.any(|(_, value)| empty_within(value, style))
        }
        _ => false,
    }
}

fn from_json(machine: &mut Machine<'_>, set: &GsonConfig, given: &Value, wanted: &Value) -> Option<Answer> {
    if given.is_null() {
        return Some(Ok(Value::NULL));
    }
    let doc = if let Some(given) = text(given) {
        match parse(given) {
            Some(doc) => doc,
            None => return Some(open("JSON that only a lenient reader takes")),
        }
    } else if reference(given).is_some_and(|id| machine.native::<Cursor>(id).is_some()) {
        match reader::take(machine, reference(given)?) {
            Ok(doc) => doc,
            Err(fail) => return Some(Err(fail)),
        }
    } else if single_of(given).is_some() || of(machine, given).is_some() {
        match document(machine, given, 0) {
            Ok(doc) => doc,
            Err(fail) => return Some(Err(fail)),
        }
    } else {
        return None;
    };
    let Value::Class(ty) = wanted else { return None };
    if set.custom {
        return Some(open("a Gson that is configured"));
    }
    // The class literal of a primitive type results in its boxed type.
    let ty = match ty {
        Type::Prim(prim) => Type::Boxed(*prim),
        other => other.clone(),
    };
    Some(read(machine, &doc, &ty, &set.fields))
}
