//! Models Spring's `MessageSource`: the text of a message depends on the language of the client, so only its
//! existence is known.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{class_of, reference, text};
use crate::interpret::values::value::{Type, Value};

const FQN: &str = "org.springframework.context.MessageSource";
/// The declared types for which it is injected.
const TYPES: &[&str] = &[
    FQN,
    "org.springframework.context.support.ResourceBundleMessageSource",
    "org.springframework.context.support.ReloadableResourceBundleMessageSource",
];

/// The message source, if this is one of the types for which it is injected.
pub fn injected(machine: &mut Machine<'_>, fqn: &str) -> Option<Value> {
    TYPES.contains(&fqn).then(|| machine.modelled(FQN, &[]))
}

/// Models a library call. A message exists if a file of the project defines it, if it carries a default text, or if
/// the call passes one.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if class_of(machine, call.receiver?)? != FQN || call.name != "getMessage" {
        return None;
    }
    let is_there = match call.args {
        [code, _, _] => has_message(machine, text(code)?),
        [_, _, default, _] => !matches!(default, Value::Unknown(_)) && !default.is_null(),
        [told, _] => {
            let message = machine.object(reference(told)?).parts.get("message")?;
            !message.is_null()
        }
        _ => return None,
    };
    is_there.then(|| Ok(Value::unknowable("a message in the language of the server", Type::Str)))
}

/// Whether the message bundle defines this code.
fn has_message(machine: &Machine<'_>, code: &str) -> bool {
    let wiring = machine.cx.wiring;
    if wiring.property("${spring.messages.use-code-as-default-message:false}").as_deref() == Some("true") {
        return true;
    }
    let names = wiring.property("${spring.messages.basename:messages}").unwrap_or_default();
    let has = |name: &str| {
        let bytes = wiring.resource(&format!("{}.properties", name.trim().replace('.', "/")))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut keys = text.lines().filter_map(|line| line.split_once(['=', ':'])).map(|(key, _)| key.trim());
        Some(keys.any(|key| key == code))
    };
    names.split(',').any(|name| has(name) == Some(true))
}
