//! Models functional interfaces: their default and static methods, and `Comparator`.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, Fail, compare, invoke, native, open, reference, settle, truth};
use crate::interpret::values::value::{Lambda, LambdaCode, Native, Value};
use crate::ir::body::ExprKind;

/// A function created by a library method.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each variant is the method that makes it")]
pub enum Fun {
    Identity,
    AndThen(Value, Value),
    Compose(Value, Value),
    Negate(Value),
    And(Value, Value),
    Or(Value, Value),
    IsEqual(Value),
    NaturalOrder,
    Reversed(Option<Value>),
    Comparing(Value, Option<Value>),
    ThenComparing(Value, Value),
    NullsFirst(Option<Value>),
    NullsLast(Option<Value>),
    ByKey(Option<Value>),
    ByValue(Option<Value>),
    MinBy(Value),
    MaxBy(Value),
    CaseInsensitive,
}

impl Native for Fun {
    native_state!();

    fn children(&self) -> Vec<Value> {
        match self {
            Self::Identity | Self::NaturalOrder | Self::CaseInsensitive => Vec::new(),
            Self::AndThen(a, b)
            | Self::Compose(a, b)
            | Self::And(a, b)
            | Self::Or(a, b)
            | Self::ThenComparing(a, b) => {
                vec![a.clone(), b.clone()]
            }
            Self::Negate(a) | Self::IsEqual(a) | Self::MinBy(a) | Self::MaxBy(a) => vec![a.clone()],
            Self::Comparing(a, b) => [Some(a.clone()), b.clone()].into_iter().flatten().collect(),
            Self::Reversed(a) | Self::NullsFirst(a) | Self::NullsLast(a) | Self::ByKey(a) | Self::ByValue(a) => {
                a.iter().cloned().collect()
            }
        }
    }
}

const COMPARATOR: &str = "java.util.Comparator";

/// The reverse of an order; `None` is the natural order.
pub fn reversed(machine: &mut Machine<'_>, by: Option<Value>) -> Value {
    native(machine, COMPARATOR, Fun::Reversed(by))
}

/// A function object of the library.
pub fn made(machine: &mut Machine<'_>, class: &str, fun: Fun) -> Value {
    native(machine, class, fun)
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match call.receiver {
        None => statics(machine, call)?,
        Some(receiver) => {
            let own = reference(receiver).and_then(|id| machine.native::<Fun>(id).cloned());
            let functional = own.is_some()
                || matches!(receiver, Value::Lambda(_))
                || (call.fqn.starts_with("java.util.function.") || call.fqn == COMPARATOR)
                    && matches!(receiver, Value::Ref(_));
            if !functional {
                return None;
            }
            match (defaults(machine, receiver, call), own) {
                (Some(answer), _) => answer,
                (None, Some(fun)) => run(machine, &fun, call)?,
                (None, None) => return None,
            }
        }
    };
    Some(settle(machine, call, answer))
}

fn statics(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    let class = call.fqn;
    let fun = match (class, call.name, call.args) {
        (
            "java.util.function.Function"
            | "java.util.function.UnaryOperator"
            | "java.util.function.IntUnaryOperator"
            | "java.util.function.LongUnaryOperator"
            | "java.util.function.DoubleUnaryOperator",
            "identity",
            [],
        ) => Fun::Identity,
        ("java.util.function.Predicate", "not", [a]) => Fun::Negate(a.clone()),
        ("java.util.function.Predicate", "isEqual", [a]) => Fun::IsEqual(a.clone()),
        ("java.util.function.BinaryOperator", "minBy", [a]) => Fun::MinBy(a.clone()),
        ("java.util.function.BinaryOperator", "maxBy", [a]) => Fun::MaxBy(a.clone()),
        (COMPARATOR, "naturalOrder", []) => Fun::NaturalOrder,
        (COMPARATOR, "reverseOrder", []) => Fun::Reversed(None),
        (COMPARATOR, "comparing" | "comparingInt" | "comparingLong" | "comparingDouble", [key]) => {
            Fun::Comparing(key.clone(), None)
        }
        (COMPARATOR, "comparing", [key, by]) => Fun::Comparing(key.clone(), Some(by.clone())),
        (COMPARATOR, "nullsFirst", [by]) => Fun::NullsFirst((!by.is_null()).then(|| by.clone())),
        (COMPARATOR, "nullsLast", [by]) => Fun::NullsLast((!by.is_null()).then(|| by.clone())),
        ("java.util.Map.Entry" | "java.util.Map$Entry", "comparingByKey", args @ ([] | [_])) => {
            Fun::ByKey(args.first().cloned())
        }
        ("java.util.Map.Entry" | "java.util.Map$Entry", "comparingByValue", args @ ([] | [_])) => {
            Fun::ByValue(args.first().cloned())
        }
        _ => return None,
    };
    let class = if class.contains("Entry") { COMPARATOR } else { class };
    Some(Ok(native(machine, class, fun)))
}

fn defaults(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let this = receiver.clone();
    let (class, fun) = match (call.name, call.args) {
        ("andThen", [next]) => (call.fqn, Fun::AndThen(this, next.clone())),
        ("compose", [first]) => (call.fqn, Fun::Compose(this, first.clone())),
        ("negate", []) => (call.fqn, Fun::Negate(this)),
        ("and", [other]) => (call.fqn, Fun::And(this, other.clone())),
        ("or", [other]) => (call.fqn, Fun::Or(this, other.clone())),
        ("reversed", []) => (COMPARATOR, Fun::Reversed(Some(this))),
        ("thenComparing", [next]) => {
            // The argument is a comparator or a key function: the number of parameters of the lambda decides.
            let next = match arity(machine, next)? {
                2 => next.clone(),
                _ => native(machine, COMPARATOR, Fun::Comparing(next.clone(), None)),
            };
            (COMPARATOR, Fun::ThenComparing(this, next))
        }
        ("thenComparing", [key, by]) => {
            let next = native(machine, COMPARATOR, Fun::Comparing(key.clone(), Some(by.clone())));
            (COMPARATOR, Fun::ThenComparing(this, next))
        }
        ("thenComparingInt" | "thenComparingLong" | "thenComparingDouble", [key]) => {
            let next = native(machine, COMPARATOR, Fun::Comparing(key.clone(), None));
            (COMPARATOR, Fun::ThenComparing(this, next))
        }
        _ => return None,
    };
    Some(Ok(native(machine, class, fun)))
}

/// The number of parameters of a function, if known.
fn arity(machine: &Machine<'_>, function: &Value) -> Option<usize> {
    match function {
        Value::Lambda(lambda) => lambda_arity(machine, lambda),
        Value::Ref(id) => match machine.native::<Fun>(*id)? {
            Fun::NaturalOrder
            | Fun::Reversed(_)
            | Fun::Comparing(..)
            | Fun::ThenComparing(..)
            | Fun::NullsFirst(_)
            | Fun::NullsLast(_)
            | Fun::ByKey(_)
            | Fun::ByValue(_)
            | Fun::CaseInsensitive => Some(2),
            _ => Some(1),
        },
        _ => None,
    }
}

fn lambda_arity(machine: &Machine<'_>, lambda: &Lambda) -> Option<usize> {
    match &lambda.code {
        LambdaCode::Lambda { at } => match &lambda.around.code.as_ref()?.body.expr(*at).kind {
            ExprKind::Lambda { params, .. } => Some(params.len()),
            _ => None,
        },
        LambdaCode::Method { receiver, link, name } => {
            let mut counts: Vec<usize> = link
                .methods
                .iter()
                .map(|method| {
                    let of_object = receiver.is_none() && !machine.is_static(*method);
                    machine.project.member(*method).params.len() + usize::from(of_object)
                })
                .collect();
            counts.dedup();
            match counts.as_slice() {
                [only] => Some(*only),
                [] if name.starts_with("compare") => Some(2),
                [] => Some(1),
                _ => None,
            }
        }
    }
}

/// The method name by which a key function is called; a lambda accepts any name.
const CALL: &str = "apply";

fn part(machine: &mut Machine<'_>, entry: &Value, name: &str) -> Answer {
    invoke(machine, entry, name, Vec::new())
}

fn with_nulls(machine: &mut Machine<'_>, by: Option<&Value>, a: &Value, b: &Value, first: bool) -> Answer<i32> {
    let sign = if first { -1 } else { 1 };
    match (a.is_null(), b.is_null()) {
        (true, true) => Ok(0),
        (true, false) => Ok(sign),
        (false, true) => Ok(-sign),
        (false, false) => match by {
            Some(by) => compare(machine, Some(by), a, b),
            None => Ok(0),
        },
    }
}

/// Compares two values by a comparator of the library.
fn order(machine: &mut Machine<'_>, fun: &Fun, a: &Value, b: &Value) -> Option<Answer<i32>> {
    Some(match fun {
        Fun::NaturalOrder => compare(machine, None, a, b),
        Fun::CaseInsensitive => {
            match (crate::interpret::library::base::support::text(a), crate::interpret::library::base::support::text(b))
            {
                (Some(a), Some(b)) if a.is_ascii() && b.is_ascii() => {
                    Ok(crate::interpret::library::base::support::compare_texts(
                        &a.to_ascii_lowercase(),
                        &b.to_ascii_lowercase(),
                    ))
                }
                _ => open("an order is not known"),
            }
        }
        Fun::Reversed(by) => compare(machine, by.as_ref(), b, a),
        Fun::Comparing(key, by) => {
            let keys = invoke(machine, key, CALL, vec![a.clone()])
                .and_then(|x| Ok((x, invoke(machine, key, CALL, vec![b.clone()])?)));
            keys.and_then(|(x, y)| compare(machine, by.as_ref(), &x, &y))
        }
        Fun::ThenComparing(first, next) => match compare(machine, Some(first), a, b) {
            Ok(0) => compare(machine, Some(next), a, b),
            other => other,
        },
        Fun::NullsFirst(by) => with_nulls(machine, by.as_ref(), a, b, true),
        Fun::NullsLast(by) => with_nulls(machine, by.as_ref(), a, b, false),
        Fun::ByKey(by) | Fun::ByValue(by) => {
            let name = if matches!(fun, Fun::ByKey(_)) { "getKey" } else { "getValue" };
            let parts = part(machine, a, name).and_then(|x| Ok((x, part(machine, b, name)?)));
            parts.and_then(|(x, y)| compare(machine, by.as_ref(), &x, &y))
        }
        _ => return None,
    })
}

fn run(machine: &mut Machine<'_>, fun: &Fun, call: &LibraryCall<'_>) -> Option<Answer> {
    if let [a, b] = call.args
        && let Some(order) = order(machine, fun, a, b)
    {
        return Some(order.map(Value::int));
    }
    let args = call.args.to_vec();
    let name = call.name;
    let both = |machine: &mut Machine<'_>, a: &Value, b: &Value, stop: bool| -> Answer {
        let first = invoke(machine, a, name, args.clone())?;
        if truth(machine, &first)? == stop {
            return Ok(Value::bool(stop));
        }
        let second = invoke(machine, b, name, args.clone())?;
        Ok(Value::bool(truth(machine, &second)?))
    };
    Some(match fun {
        Fun::Identity => Ok(call.args.first()?.clone()),
        Fun::AndThen(first, next) => {
            let result = invoke(machine, first, name, args.clone());
            match (result, name) {
                (Ok(_), "accept") => invoke(machine, next, name, args.clone()),
                (Ok(value), _) => invoke(machine, next, CALL, vec![value]),
                (Err(fail), _) => Err(fail),
            }
        }
        Fun::Compose(then, first) => {
            invoke(machine, first, name, args.clone()).and_then(|value| invoke(machine, then, name, vec![value]))
        }
        Fun::Negate(inner) => {
            let answer: Result<Value, Fail> = invoke(machine, inner, name, args.clone());
            answer.and_then(|holds| Ok(Value::bool(!truth(machine, &holds)?)))
        }
        Fun::And(a, b) => both(machine, a, b, false),
        Fun::Or(a, b) => both(machine, a, b, true),
        Fun::IsEqual(value) => {
            crate::interpret::library::base::support::equal(machine, value, call.args.first()?).map(Value::bool)
        }
        Fun::MinBy(by) | Fun::MaxBy(by) => {
            let (a, b) = (call.args.first()?, call.args.get(1)?);
            let least = matches!(fun, Fun::MinBy(_));
            compare(machine, Some(by), a, b).map(|order| {
                let first = if least { order <= 0 } else { order >= 0 };
                if first { a.clone() } else { b.clone() }
            })
        }
        _ => return None,
    })
}
