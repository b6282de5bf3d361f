//! Models `MediaType` of JAX-RS and Spring: constants, factory methods and parts.

use crate::constants::media_types::{SPRING, named};
use crate::interpret::classes::hierarchy::jax_rs_name;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{reference, text};
use crate::interpret::values::value::{Kind, Value};

const FQN: &str = "jakarta.ws.rs.core.MediaType";

/// The media type with this text.
pub fn of(machine: &mut Machine<'_>, text: &str) -> Value {
    let text = machine.fresh_text(text);
    machine.modelled(FQN, &[("text", text)])
}

/// The text of a media type object, or of a string that names a media type.
pub fn text_of(machine: &Machine<'_>, value: &Value) -> Option<String> {
    let own = match value {
        Value::Ref(id) if matches!(machine.object(*id).kind, Kind::Modelled) => {
            machine.object(*id).parts.get("text")?
        }
        other => other,
    };
    text(own).map(str::to_lowercase)
}

/// A constant of `MediaType`.
pub fn constant(machine: &mut Machine<'_>, fqn: &str, name: &str) -> Option<Value> {
    if fqn == SPRING {
        let plain = name.strip_suffix("_VALUE");
        let text = named(plain.unwrap_or(name))?;
        return Some(match plain {
            Some(_) => Value::text(text),
            None => {
                let text = machine.fresh_text(text);
                machine.modelled(SPRING, &[("text", text)])
            }
        });
    }
    if jax_rs_name(fqn) != Some("core.MediaType") {
        return None;
    }
    let plain = name.strip_suffix("_TYPE");
    let text = named(plain.unwrap_or(name))?;
    Some(match plain {
        Some(_) => of(machine, text),
        None => Value::text(text),
    })
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if jax_rs_name(call.fqn) != Some("core.MediaType") {
        return None;
    }
    let letters =
        |part: &str| part.bytes().all(|b| b.is_ascii_alphanumeric() || b"*+-.".contains(&b)) && !part.is_empty();
    let Some(receiver) = call.receiver else {
        let (kind, sub) = match (call.name, call.args) {
            ("<init>", [kind, sub]) => (text(kind)?.to_owned(), text(sub)?.to_owned()),
            ("valueOf", [whole]) => {
                let (kind, sub) = text(whole)?.split_once('/')?;
                (kind.to_owned(), sub.to_owned())
            }
            _ => return None,
        };
        if !letters(&kind) || !letters(&sub) {
            return None;
        }
        return Some(Ok(of(machine, &format!("{kind}/{sub}"))));
    };
    let own = text(machine.object(reference(receiver)?).parts.get("text")?)?.to_owned();
    let (kind, sub) = own.split_once('/')?;
    Some(Ok(match (call.name, call.args) {
        ("equals", [other]) => match other {
            Value::Scalar(_) => Value::bool(false),
            Value::Ref(id) => {
                let theirs = text(machine.object(*id).parts.get("text")?)?;
                Value::bool(theirs.eq_ignore_ascii_case(&own))
            }
            _ => return None,
        },
        ("getType", []) => machine.fresh_text(kind),
        ("getSubtype", []) => machine.fresh_text(sub),
        ("toString", []) => machine.fresh_text(&own),
        ("isWildcardType", []) => Value::bool(kind == "*"),
        ("isWildcardSubtype", []) => Value::bool(sub == "*"),
        ("isCompatible", [other]) => {
            let theirs = text(machine.object(reference(other)?).parts.get("text")?)?.to_owned();
            let (their_kind, their_sub) = theirs.split_once('/')?;
            let same = |a: &str, b: &str| a == "*" || b == "*" || a.eq_ignore_ascii_case(b);
            let any = kind == "*" || their_kind == "*";
            Value::bool(any || same(kind, their_kind) && same(sub, their_sub))
        }
        _ => return None,
    }))
}
