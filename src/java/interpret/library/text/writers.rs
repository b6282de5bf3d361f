//! Models `StringWriter`, and a `PrintWriter` over one: text written step by step.

use super::sequences::Builder;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, native, reference, settle, text_of};
use crate::interpret::values::value::{Native, ObjId, Value};

/// A `PrintWriter` over a known writer.
#[derive(Debug, Clone)]
struct Printer {
    into: ObjId,
}

impl Native for Printer {
    native_state!();

    fn children(&self) -> Vec<Value> {
        vec![Value::Ref(self.into)]
    }
}

const WRITER: &str = "java.io.StringWriter";
const PRINTER: &str = "java.io.PrintWriter";

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match (call.fqn, call.receiver) {
        (WRITER, None) if call.name == "<init>" && call.args.iter().all(|arg| int(arg).is_some()) => {
            Ok(native(machine, WRITER, Builder::default()))
        }
        (PRINTER, None) if call.name == "<init>" => {
            let into = reference(call.args.first()?)?;
            machine.native::<Builder>(into)?;
            Ok(native(machine, PRINTER, Printer { into }))
        }
        (WRITER, Some(receiver)) => {
            let id = reference(receiver)?;
            machine.native::<Builder>(id)?;
            match (call.name, call.args) {
                ("write" | "append", [value]) if int(value).is_none() || call.name == "append" => {
                    put(machine, id, value).map(|()| if call.name == "append" { receiver.clone() } else { Value::NULL })
                }
                ("flush" | "close", []) => Ok(Value::NULL),
                ("getBuffer", []) => Ok(receiver.clone()),
                _ => return None,
            }
        }
        (PRINTER, Some(receiver)) => {
            let into = machine.native::<Printer>(reference(receiver)?)?.into;
            match (call.name, call.args) {
                ("print" | "append", [value]) => put(machine, into, value).map(|()| receiver.clone()),
                ("write", [value]) if int(value).is_none() => put(machine, into, value).map(|()| Value::NULL),
                ("flush" | "close", []) => Ok(Value::NULL),
                // The line separator is the platform's.
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn put(machine: &mut Machine<'_>, id: ObjId, value: &Value) -> Answer<()> {
    let text = text_of(machine, value)?;
    if let Some(builder) = machine.native_mut::<Builder>(id) {
        builder.text.push_str(&text);
    }
    Ok(())
}
