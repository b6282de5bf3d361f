//! Models `AtomicInteger` and related classes: a variable in an object.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, boolean, invoke, long, native, reference, settle, text_of};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Native, ObjId, Type, Value};
use crate::ir::body::BinaryOp;

/// The state of an atomic: the value that it holds.
#[derive(Debug, Clone)]
struct Cell {
    value: Value,
    prim: Option<Prim>,
}

impl Native for Cell {
    native_state!();

    fn children(&self) -> Vec<Value> {
        vec![self.value.clone()]
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let prim = match call.fqn {
        "java.util.concurrent.atomic.AtomicInteger" => Some(Prim::Int),
        "java.util.concurrent.atomic.AtomicLong" => Some(Prim::Long),
        "java.util.concurrent.atomic.AtomicBoolean" => Some(Prim::Bool),
        "java.util.concurrent.atomic.AtomicReference" => None,
        _ => return None,
    };
    let Some(receiver) = call.receiver else {
        let value = match (call.name, call.args, prim) {
            ("<init>", [], Some(prim)) => Value::Scalar(prim.zero()),
            ("<init>", [], None) => Value::NULL,
            ("<init>", [value], Some(prim)) => machine.convert(value.clone(), &Type::Prim(prim)),
            ("<init>", [value], None) => value.clone(),
            _ => return None,
        };
        return Some(Ok(native(machine, call.fqn, Cell { value, prim })));
    };
    let id = reference(receiver)?;
    let answer = on_cell(machine, id, call)?;
    Some(settle(machine, call, answer))
}

fn on_cell(machine: &mut Machine<'_>, id: ObjId, call: &LibraryCall<'_>) -> Option<Answer> {
    let Cell { value: old, prim } = machine.native::<Cell>(id)?.clone();
    let add = |machine: &mut Machine<'_>, by: &Value| -> Answer {
        let sum = machine.binary(BinaryOp::Add, old.clone(), by.clone())?;
        Ok(match prim {
            Some(prim) => machine.convert(sum, &Type::Prim(prim)),
            None => sum,
        })
    };
    let (one, less) = (Value::int(1), Value::int(-1));
    let (new, gives_new) = match (call.name, call.args) {
        ("get" | "getPlain" | "getAcquire" | "intValue" | "longValue", [])
            if call.name != "intValue" || prim == Some(Prim::Int) =>
        {
            return Some(Ok(old));
        }
        ("toString", []) => return Some(text_of(machine, &old).map(|text| machine.fresh_text(&text))),
        ("set" | "lazySet" | "setPlain" | "setRelease", [value]) => {
            let value = match prim {
                Some(prim) => machine.convert(value.clone(), &Type::Prim(prim)),
                None => value.clone(),
            };
            machine.native_mut::<Cell>(id)?.value = value;
            return Some(Ok(Value::NULL));
        }
        ("compareAndSet", [expected, value]) => {
            let same = match (prim, &old, expected) {
                (Some(Prim::Bool), old, expected) => boolean(old)? == boolean(expected)?,
                (Some(_), old, expected) => long(old)? == long(expected)?,
                (None, Value::Scalar(Scalar::Null), Value::Scalar(Scalar::Null)) => true,
                (None, Value::Ref(a), Value::Ref(b)) => a == b,
                _ => return None,
            };
            if same {
                machine.native_mut::<Cell>(id)?.value = value.clone();
            }
            return Some(Ok(Value::bool(same)));
        }
        ("getAndSet", [value]) => (Ok(value.clone()), false),
        ("incrementAndGet", []) => (add(machine, &one), true),
        ("decrementAndGet", []) => (add(machine, &less), true),
        ("getAndIncrement", []) => (add(machine, &one), false),
        ("getAndDecrement", []) => (add(machine, &less), false),
        ("addAndGet", [by]) => (add(machine, by), true),
        ("getAndAdd", [by]) => (add(machine, by), false),
        ("updateAndGet", [function]) => (invoke(machine, function, "apply", vec![old.clone()]), true),
        ("getAndUpdate", [function]) => (invoke(machine, function, "apply", vec![old.clone()]), false),
        ("accumulateAndGet", [value, function]) => {
            (invoke(machine, function, "apply", vec![old.clone(), value.clone()]), true)
        }
        _ => return None,
    };
    Some(new.map(|new| {
        if let Some(cell) = machine.native_mut::<Cell>(id) {
            cell.value = new.clone();
        }
        if gives_new { new } else { old }
    }))
}
