//! Models the simple operations on lists and arrays whose elements are known.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::open_capacity;
use crate::interpret::paths::condition::Cond;
use crate::interpret::values::function::Function;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Kind, Type, Value};
use crate::ir::body::BinaryOp;
use std::rc::Rc;

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let util = call.fqn.strip_prefix("java.util.");
    match (util, call.receiver, call.name, call.args) {
        (Some("ArrayList" | "LinkedList"), None, "<init>", []) => return Some(Ok(machine.list(Vec::new(), call.fqn))),
        (Some("ArrayList" | "LinkedList"), None, "<init>", [Value::Scalar(Scalar::Int(_))]) => {
            return Some(Ok(machine.list(Vec::new(), call.fqn)));
        }
        (Some("ArrayList"), None, "<init>", [size])
            if let Some(taken) = open_capacity(machine, size, "java.lang.IllegalArgumentException") =>
        {
            return Some(taken.map(|()| machine.list(Vec::new(), call.fqn)));
        }
        (Some("List"), None, "of", args) if !args.iter().any(Value::is_null) => {
            return Some(Ok(machine.list(args.to_vec(), "fixed")));
        }
        (Some("Collections"), None, "emptyList", []) => return Some(Ok(machine.list(Vec::new(), "fixed"))),
        (Some("Arrays"), None, "asList", args) if args.iter().all(|arg| arg.scalar().is_some()) => {
            return Some(Ok(machine.list(args.to_vec(), "java.util.Arrays$ArrayList")));
        }
        _ => {}
    }
    match call.receiver? {
        Value::Ref(id) => {
            let Kind::List { items, fixed } = &machine.object(*id).kind else { return None };
            let (items, fixed) = (items.clone(), *fixed);
            match (call.name, call.args) {
                ("size", []) => Some(Ok(Value::int(i32::try_from(items.len()).ok()?))),
                ("isEmpty", []) => Some(Ok(Value::bool(items.is_empty()))),
                ("get", [index]) => {
                    let at = index.scalar()?.as_int()?;
                    Some(match usize::try_from(at).ok().and_then(|at| items.get(at)) {
                        Some(item) => Ok(item.clone()),
                        None => {
                            let message = Value::unknown("message of a library exception", Type::Str);
                            Err(machine.throw("java.lang.IndexOutOfBoundsException", message))
                        }
                    })
                }
                ("add", [value]) => {
                    if fixed
                        || machine.object(*id).class
                            == crate::interpret::values::scalar::ClassRef::library("java.util.Arrays$ArrayList")
                    {
                        return Some(Err(machine.throw("java.lang.UnsupportedOperationException", Value::NULL)));
                    }
                    if let Kind::List { items, .. } = &mut machine.object_mut(*id).kind {
                        items.push(value.clone());
                    }
                    Some(Ok(Value::bool(true)))
                }
                _ => None,
            }
        }
        Value::Symbol(symbol) if is_collection(&symbol.ty) && matches!(&*symbol.term, Term::Input(_)) => {
            let size = Rc::new(Term::Apply(Function::Size, vec![symbol.term.clone()]));
            match (call.name, call.args) {
                ("size", []) => Some(Ok(Value::symbol((*size).clone(), Type::Prim(Prim::Int), false))),
                ("isEmpty", []) => {
                    let zero = Rc::new(Term::Const(Scalar::Int(0)));
                    Some(Ok(Value::cond(Cond::Compare(BinaryOp::Eq, Prim::Int, size, zero))))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_collection(ty: &Type) -> bool {
    matches!(ty.library(), Some("java.util.List" | "java.util.Collection" | "java.util.ArrayList"))
}
