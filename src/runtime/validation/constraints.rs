//! Bean Validation: decides whether a value violates a constraint, or returns the condition under which it does.

use std::rc::Rc;

use mastor_java::interpret::engine::machine::{Eval, Machine};
use mastor_java::interpret::library::base::invocation::LibraryCall;
use mastor_java::interpret::library::base::support::{library_type, native, reference};
use mastor_java::interpret::library::environment::clock;
use mastor_java::interpret::library::families;
use mastor_java::interpret::library::frameworks::annotated;
use mastor_java::interpret::library::frameworks::emails::plain_email;
use mastor_java::interpret::library::numeric::big_decimals;
use mastor_java::interpret::library::numeric::decimal::Decimal;
use mastor_java::interpret::library::text::matching::regex_read::compile;
use mastor_java::interpret::library::text::strings;
use mastor_java::interpret::library::time::old_dates;
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::values::function::Function;
use mastor_java::interpret::values::scalar::{ClassRef, Prim, Scalar};
use mastor_java::interpret::values::term::Term;
use mastor_java::interpret::values::value::{Kind, Type, Value};
use mastor_java::ir::body::{BinaryOp, UnaryOp};
use mastor_java::ir::facts::{Annotation, Value as Arg};
use mastor_java::ir::ids::TypeId;
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// Whether an annotation is a constraint of Bean Validation, Hibernate Validator or the project; `None` if unknown. None is
/// where nothing checks them.
pub fn is_constraint(project: &Project, scope: TypeId, annotation: &Annotation) -> Option<bool> {
    if project.has_inert_constraints() {
        return Some(false);
    }
    match project.resolve(scope, &annotation.name) {
        Named::Library(fqn) => Some(
            fqn.starts_with("javax.validation.constraints.")
                || fqn.starts_with("jakarta.validation.constraints.")
                || fqn.starts_with("org.hibernate.validator.constraints."),
        ),
        Named::Project(ty) => {
            let own = &project.ty(ty).annotations;
            let is_declared = own.iter().any(|annotation| annotation.simple() == "Constraint");
            // A constraint without runtime retention is invisible to validators.
            if is_declared { annotated::is_kept(own) } else { Some(false) }
        }
        _ => None,
    }
}

/// Annotations that never constrain values: of serialisers, persistence, code generators and the language.
const HARMLESS: &[&str] =
    &["Override", "Deprecated", "SuppressWarnings", "Getter", "Setter", "Column", "Id", "Valid", "Schema"];

/// Whether an annotation is unknown, so that it may constrain values.
pub fn may_constrain(project: &Project, scope: TypeId, annotation: &Annotation) -> bool {
    is_constraint(project, scope, annotation).is_none() && !HARMLESS.contains(&annotation.simple())
}

/// An integer argument of an annotation.
pub fn int_arg(annotation: &Annotation, name: &str) -> Option<i64> {
    match annotation.arg(name) {
        Some(Arg::Int(value)) => Some(*value),
        Some(Arg::Unary(op, inner)) if op == "-" => match &**inner {
            Arg::Int(value) => Some(-*value),
            _ => None,
        },
        _ => None,
    }
}

/// A text argument of an annotation.
pub fn text_arg<'a>(annotation: &'a Annotation, name: &str) -> Option<&'a str> {
    match annotation.arg(name) {
        Some(Arg::Str(text)) => Some(text),
        _ => None,
    }
}

/// The literal message of a constraint, if it is reported unchanged.
pub fn plain_message(annotation: &Annotation) -> Option<&str> {
    text_arg(annotation, "message").filter(|text| is_plain(text))
}

/// Whether a message is reported unchanged: it has no message keys and no expressions.
pub fn is_plain(message: &str) -> bool {
    !message.contains(['{', '}', '$', '\\'])
}

/// Whether a value violates a constraint of Bean Validation or Hibernate Validator, as a boolean value. `scope`: the
/// class that contains the annotation.
pub fn violated(
    machine: &mut Machine<'_>,
    (scope, annotation): (TypeId, &Annotation),
    label: &str,
    value: &Value,
) -> Eval {
    let open = |machine: &mut Machine<'_>| {
        let text = format!("{label} violates @{}", annotation.simple());
        if machine.is_opaque() {
            let callee = format!("violates @{} {:?}", annotation.name, annotation.without_places().args);
            return machine.opaque_truth(&callee, std::slice::from_ref(value), &text);
        }
        Value::Cond(Rc::new(Cond::Unknown(Rc::from(text.as_str()), Rc::from("a constraint that is not followed"))))
    };
    if annotation.arg("groups").is_some() || machine.project.resolve(scope, &annotation.name).project().is_some() {
        return Ok(open(machine));
    }
    let name = annotation.simple();
    let null = machine.is_null(value);
    if name == "NotNull" {
        return Ok(null);
    }
    if name == "Null" {
        return machine.unary(UnaryOp::Not, null);
    }
    // Null satisfies every constraint except `NotNull`, `NotBlank` and `NotEmpty`.
    let wants = matches!(name, "NotBlank" | "NotEmpty");
    match &null {
        Value::Scalar(Scalar::Bool(true)) => return Ok(Value::bool(wants)),
        Value::Scalar(Scalar::Bool(false)) => {}
        Value::Cond(cond) => {
            if machine.decide((**cond).clone(), None)? {
                return Ok(Value::bool(wants));
            }
        }
        _ => return Ok(open(machine)),
    }
    let size = size_of(machine, value)?;
    let compare = |machine: &mut Machine<'_>, left: Value, op: BinaryOp, limit: i64| -> Eval {
        machine.binary(op, left, Value::Scalar(Scalar::Long(limit)))
    };
    match name {
        "NotEmpty" => match size {
            Some(size) => same(machine, size, 0),
            None => Ok(open(machine)),
        },
        "NotBlank" => {
            let trimmed = strings::apply(machine, Function::Trim, Type::Str, value, &[])?;
            let length = strings::apply(machine, Function::Length, Type::Prim(Prim::Int), &trimmed, &[])?;
            same(machine, length, 0)
        }
        "Size" | "Length" => {
            let Some(size) = size else { return Ok(open(machine)) };
            let (min, max) = (int_arg(annotation, "min"), int_arg(annotation, "max"));
            if (annotation.arg("min").is_some() && min.is_none()) || (annotation.arg("max").is_some() && max.is_none())
            {
                return Ok(open(machine));
            }
            if let Some(min) = min.filter(|min| *min > 0) {
                let below = compare(machine, size.clone(), BinaryOp::Lt, min)?;
                if decided(machine, &below)? {
                    return Ok(Value::bool(true));
                }
            }
            match max {
                Some(max) => compare(machine, size, BinaryOp::Gt, max),
                None => Ok(Value::bool(false)),
            }
        }
        "Min" | "Max" => match (int_arg(annotation, "value"), value.prim().filter(|prim| prim.is_integral())) {
            (Some(limit), Some(_)) => {
                compare(machine, value.clone(), if name == "Min" { BinaryOp::Lt } else { BinaryOp::Gt }, limit)
            }
            _ => Ok(open(machine)),
        },
        "Positive" | "PositiveOrZero" | "Negative" | "NegativeOrZero"
            if value.prim().is_some_and(Prim::is_integral) =>
        {
            let op = match name {
                "Positive" => BinaryOp::Le,
                "PositiveOrZero" => BinaryOp::Lt,
                "Negative" => BinaryOp::Ge,
                _ => BinaryOp::Gt,
            };
            compare(machine, value.clone(), op, 0)
        }
        _ if let Some((op, limit)) = decimal_limit(machine, annotation, value) => {
            let limit = native(machine, big_decimals::FQN, limit);
            let order = machine.call_method(value.clone(), "compareTo", vec![limit])?;
            machine.binary(op, order, Value::int(0))
        }
        "DecimalMin" | "DecimalMax" => decimal(machine, annotation, value).map_or_else(|| Ok(open(machine)), Ok),
        "Past" | "PastOrPresent" | "Future" | "FutureOrPresent" => Ok(match is_past(machine, value) {
            Some(is_past) => Value::bool(is_past == name.starts_with("Future")),
            None => open(machine),
        }),
        "AssertTrue" | "AssertFalse" if value.prim() == Some(Prim::Bool) => {
            if name == "AssertTrue" {
                machine.unary(UnaryOp::Not, value.clone())
            } else {
                Ok(value.clone())
            }
        }
        "Pattern" => {
            match (text_arg(annotation, "regexp"), value.scalar().and_then(Scalar::as_text), annotation.arg("flags")) {
                (Some(regex), Some(text), None) => Ok(match full_match(regex, text) {
                    Some(matches) => Value::bool(!matches),
                    None => open(machine),
                }),
                (Some(regex), None, None) if strings::is_matched(value, &Value::text(regex)) => {
                    let pattern = [Value::text(regex)];
                    let matches = strings::apply(machine, Function::Matches, Type::Prim(Prim::Bool), value, &pattern)?;
                    machine.unary(UnaryOp::Not, matches)
                }
                _ => Ok(open(machine)),
            }
        }
        "Email" => match value.scalar().and_then(Scalar::as_text) {
            Some(text) if annotation.arg("regexp").is_none() => Ok(match plain_email(text) {
                Some(valid) => Value::bool(!valid),
                None => open(machine),
            }),
            _ => Ok(open(machine)),
        },
        _ => Ok(open(machine)),
    }
}

/// The operator and the limit with which an opaque `BigDecimal` violates a constraint: `<=` and 0 for `@Positive`. `None`
/// for other values and constraints. The comparison is the one that code makes by `compareTo`.
fn decimal_limit(machine: &Machine<'_>, annotation: &Annotation, value: &Value) -> Option<(BinaryOp, Decimal)> {
    let Value::Symbol(symbol) = value else { return None };
    let is_decimal = matches!(&symbol.ty, Type::Class(ClassRef::Library(fqn), _) if **fqn == *big_decimals::FQN);
    if !machine.is_opaque() || !is_decimal {
        return None;
    }
    let zero = || Decimal::new(0, 0);
    let whole = || Some(Decimal::new(int_arg(annotation, "value")?, 0));
    let limit = || Decimal::read(text_arg(annotation, "value")?);
    let is_exclusive = matches!(annotation.arg("inclusive"), Some(Arg::Bool(false)));
    Some(match annotation.simple() {
        "Positive" => (BinaryOp::Le, zero()),
        "PositiveOrZero" => (BinaryOp::Lt, zero()),
        "Negative" => (BinaryOp::Ge, zero()),
        "NegativeOrZero" => (BinaryOp::Gt, zero()),
        "Min" => (BinaryOp::Lt, whole()?),
        "Max" => (BinaryOp::Gt, whole()?),
        "DecimalMin" => (if is_exclusive { BinaryOp::Le } else { BinaryOp::Lt }, limit()?),
        "DecimalMax" => (if is_exclusive { BinaryOp::Ge } else { BinaryOp::Gt }, limit()?),
        _ => return None,
    })
}

/// Whether a number exceeds a decimal limit; `None` if one of them is not known exactly.
fn decimal(machine: &Machine<'_>, annotation: &Annotation, value: &Value) -> Option<Value> {
    let limit = Decimal::read(text_arg(annotation, "value")?)?;
    let number = match value {
        Value::Scalar(scalar) => Decimal::new(scalar.as_long()?, 0),
        Value::Ref(id) => machine.native::<Decimal>(*id)?.clone(),
        _ => return None,
    };
    let inclusive = match annotation.arg("inclusive") {
        None | Some(Arg::Bool(true)) => true,
        Some(Arg::Bool(false)) => false,
        Some(_) => return None,
    };
    let order = number.compare(&limit).ok()?;
    let beyond = if annotation.simple() == "DecimalMin" { order < 0 } else { order > 0 };
    Some(Value::bool(beyond || !inclusive && order == 0))
}

/// Whether a time is in the past at any time when a test runs; `None` if that depends on the time of the run.
fn is_past(machine: &mut Machine<'_>, value: &Value) -> Option<bool> {
    let class = match &machine.object(reference(value)?).class {
        ClassRef::Library(fqn) => fqn.clone(),
        ClassRef::Project(_) => return None,
    };
    let now = clock::now("the time of day", library_type(&class));
    let name = if &*class == old_dates::FQN { "before" } else { "isBefore" };
    let call =
        LibraryCall { fqn: &class, name, receiver: Some(value), args: &[now], types: &[], meant: &[], spread: None };
    match families::call_open(machine, &call)? {
        Ok(Value::Scalar(Scalar::Bool(is_past))) => Some(is_past),
        _ => None,
    }
}

/// Decides the result of [`violated`], with a fork if it is open.
pub fn decided(machine: &mut Machine<'_>, value: &Value) -> Eval<bool> {
    match value {
        Value::Scalar(Scalar::Bool(value)) => Ok(*value),
        Value::Cond(cond) => machine.decide((**cond).clone(), None),
        _ => {
            let cond =
                Cond::Unknown(Rc::from("a constraint is violated"), Rc::from("a constraint that is not followed"));
            machine.decide(cond, None)
        }
    }
}

fn same(machine: &mut Machine<'_>, value: Value, to: i32) -> Eval {
    machine.same(value, Value::int(to), (Some(false), Some(false)))
}

/// Length of a string or number of elements.
fn size_of(machine: &mut Machine<'_>, value: &Value) -> Eval<Option<Value>> {
    Ok(match value {
        Value::Scalar(Scalar::Str(_)) => {
            Some(strings::apply(machine, Function::Length, Type::Prim(Prim::Int), value, &[])?)
        }
        Value::Symbol(symbol) if symbol.ty == Type::Str => {
            Some(strings::apply(machine, Function::Length, Type::Prim(Prim::Int), value, &[])?)
        }
        Value::Symbol(symbol) if crate::request::signature::element(&symbol.ty).is_some() => {
            Some(Value::symbol(Term::Apply(Function::Size, vec![symbol.term.clone()]), Type::Prim(Prim::Int), false))
        }
        Value::Ref(id) => match &machine.object(*id).kind {
            Kind::List { items, .. } => i32::try_from(items.len()).ok().map(Value::int),
            _ => None,
        },
        _ => None,
    })
}

/// Whether a Java regular expression matches a whole text; `None` if unknown.
pub fn full_match(regex: &str, text: &str) -> Option<bool> {
    let chars: Vec<char> = text.chars().collect();
    Some(compile(regex, 0).ok()?.at(&chars, 0, true).ok()?.is_some())
}
