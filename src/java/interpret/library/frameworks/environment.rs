//! Models Spring's `Environment`: properties set in files of the project, resolved as for `@Value`.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{class_of, text};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Type, Value};

/// The class of the injected object.
const FQN: &str = "org.springframework.core.env.Environment";
const TYPES: &[&str] =
    &[FQN, "org.springframework.core.env.ConfigurableEnvironment", "org.springframework.core.env.PropertyResolver"];

/// The environment, if a field or parameter of this class is injected.
pub fn injected(machine: &mut Machine<'_>, fqn: &str) -> Option<Value> {
    TYPES.contains(&fqn).then(|| machine.modelled(FQN, &[]))
}

/// Models a library call. A property that no file sets may be set at start-up; if the code gives a default, the
/// default is assumed, as for `@Value`.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if class_of(machine, call.receiver?)? != FQN {
        return None;
    }
    let (key, ty, default) = match (call.name, call.args) {
        ("getProperty" | "getRequiredProperty" | "containsProperty", [key]) => (key, Type::Str, None),
        ("getProperty" | "getRequiredProperty", [key, Value::Class(ty)]) => (key, ty.clone(), None),
        ("getProperty", [key, Value::Class(ty), default]) => (key, ty.clone(), Some(default)),
        ("getProperty", [key, default]) => (key, Type::Str, Some(default)),
        _ => return None,
    };
    let key = text(key)?;
    if key.contains(['$', '{', '}', ':']) {
        return None;
    }
    let set = machine.cx.wiring.property(&format!("${{{key}}}"));
    let value = match (set, default) {
        (None, Some(default)) => default.clone(),
        (None, None) => {
            let (ty, name) =
                if call.name == "containsProperty" { (Type::Prim(Prim::Bool), "whether") } else { (ty, "what") };
            machine.unknown(&format!("{name} a property is that no file sets"), ty)
        }
        (Some(_), _) if call.name == "containsProperty" => Value::bool(true),
        (Some(text), _) => {
            property_as(machine, &text, &ty).unwrap_or_else(|| machine.unknown("a property in another form", ty))
        }
    };
    Some(Ok(value))
}

/// The text of a property converted to a type: a string, a whole number or a boolean.
pub fn property_as(machine: &mut Machine<'_>, text: &str, ty: &Type) -> Option<Value> {
    let scalar = match (ty, text.trim()) {
        (Type::Str, _) => return Some(Value::text(text)),
        (Type::Prim(_) | Type::Boxed(_), "true") => Scalar::Bool(true),
        (Type::Prim(_) | Type::Boxed(_), "false") => Scalar::Bool(false),
        (Type::Prim(_) | Type::Boxed(_), number) => Scalar::Long(number.parse().ok()?),
        _ => return None,
    };
    Some(machine.convert(Value::Scalar(scalar), ty))
}
