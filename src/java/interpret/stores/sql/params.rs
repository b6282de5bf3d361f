//! Statement parameters: positional, or named from a map, a parameter source or an object's properties; and generated
//! key holders.

use std::rc::Rc;

use crate::interpret::classes::objects::capitalised;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::support::{Answer, class_of, native, open, reference, text};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Native, Type, Value};

/// A source of named values.
const SOURCE: &str = "org.springframework.jdbc.core.namedparam.MapSqlParameterSource";
/// A source of an object's properties.
const BEAN: &str = "org.springframework.jdbc.core.namedparam.BeanPropertySqlParameterSource";
/// A holder of a generated key.
const HOLDER: &str = "org.springframework.jdbc.support.GeneratedKeyHolder";

/// The parameters of a statement.
#[derive(Debug, Clone)]
pub(super) enum StatementParameters {
    /// Positional.
    Places(Vec<Value>),
    /// Named by the entries of a map, a source or an object's properties.
    Named(Value),
    /// Named and already evaluated.
    Known(Vec<(String, Value)>),
}

#[derive(Debug, Clone)]
struct Source(Vec<(String, Value)>);

impl Native for Source {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.0.iter().map(|(_, value)| value.clone()).collect()
    }

    fn parts(&self) -> Option<Vec<(Rc<str>, Value)>> {
        Some(self.0.iter().map(|(name, value)| (Rc::from(name.as_str()), value.clone())).collect())
    }
}

/// Models parameter sources and key holders.
pub(super) fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match (call.fqn, call.receiver, call.name, call.args) {
        (SOURCE, None, "<init>", []) => Some(Ok(native(machine, SOURCE, Source(Vec::new())))),
        (SOURCE, None, "<init>", [name, value]) => {
            let name = text(name)?.to_owned();
            Some(Ok(native(machine, SOURCE, Source(vec![(name, value.clone())]))))
        }
        (SOURCE, Some(receiver), "addValue", [name, value, ..]) => {
            let name = text(name)?.to_owned();
            let id = reference(receiver)?;
            let Source(known) = machine.native_mut::<Source>(id)?;
            known.retain(|(own, _)| *own != name);
            known.push((name, value.clone()));
            Some(Ok(receiver.clone()))
        }
        (BEAN, None, "<init>", [object]) => Some(Ok(machine.modelled(BEAN, &[("object", object.clone())]))),
        (HOLDER, None, "<init>", []) => Some(Ok(machine.modelled(HOLDER, &[]))),
        (HOLDER, Some(receiver), "getKey", []) | (HOLDER, Some(receiver), "getKeyAs", [_]) => {
            machine.object(reference(receiver)?).parts.get("key").cloned().map(Ok)
        }
        _ => None,
    }
}

/// Stores a key in a holder.
pub(super) fn hold(machine: &mut Machine<'_>, holder: &Value, key: Option<Value>) -> Answer<()> {
    let Some(id) = reference(holder).filter(|_| class_of(machine, holder) == Some(HOLDER)) else {
        return open("a holder of keys of another kind");
    };
    let Some(key) = key else { return open("a key that the database has not made") };
    machine.object_mut(id).parts.insert("key", key);
    Ok(())
}

/// Whether a value can supply named parameters.
pub(super) fn is_named(machine: &Machine<'_>, value: &Value) -> bool {
    let class = class_of(machine, value).unwrap_or_default();
    class == SOURCE || class == BEAN || class.ends_with("Map") || class.starts_with("java.util.ImmutableCollections")
}

/// The parameter with this name.
pub(super) fn named(machine: &mut Machine<'_>, given: &StatementParameters, name: &str) -> Answer {
    let source = match given {
        StatementParameters::Known(known) => {
            let found = known.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
            return found.map_or_else(|| open("a parameter that is not given"), Ok);
        }
        StatementParameters::Places(_) => return open("a parameter by its name"),
        StatementParameters::Named(source) => source,
    };
    let Some(id) = reference(source) else { return open("parameters that are not known") };
    match class_of(machine, source) {
        Some(SOURCE) => {
            let Some(Source(known)) = machine.native::<Source>(id) else {
                return open("parameters that are not known");
            };
            let found = known.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
            found.map_or_else(|| open("a parameter that is not given"), Ok)
        }
        Some(BEAN) => {
            let Some(object) = machine.object(id).parts.get("object").cloned() else { return open("no object") };
            let ClassRef::Project(ty) = class_ref(machine, &object)? else { return open("an object of a library") };
            let getters = [format!("get{}", capitalised(name)), format!("is{}", capitalised(name)), name.to_owned()];
            for getter in getters {
                let is_there = !machine.project.find_method(ty, &getter, 0).is_empty();
                let is_component = getter == name && machine.project.ty(ty).kind == crate::ir::facts::TypeKind::Record;
                if is_there || is_component {
                    return Ok(machine.call_method(object, &getter, Vec::new())?);
                }
            }
            open("a property that is not there")
        }
        _ => {
            let key = machine.fresh_text(name);
            let has = machine.call_method(source.clone(), "containsKey", vec![key.clone()])?;
            match has {
                Value::Scalar(Scalar::Bool(true)) => Ok(machine.call_method(source.clone(), "get", vec![key])?),
                _ => open("a parameter that is not given"),
            }
        }
    }
}

fn class_ref(machine: &Machine<'_>, value: &Value) -> Answer<ClassRef> {
    match value {
        Value::Ref(id) => Ok(machine.object(*id).class.clone()),
        _ => open("an object that is not known"),
    }
}

/// Converts a value to its stored form: integral numbers become `long`. Enum constants and characters are open,
/// because drivers differ.
pub(super) fn stored(value: &Value) -> Answer {
    Ok(match value {
        Value::Scalar(scalar @ (Scalar::Null | Scalar::Str(_) | Scalar::Bool(_))) => Value::Scalar(scalar.clone()),
        Value::Scalar(Scalar::Char(_) | Scalar::Enum(..)) => {
            return open("a value that drivers write in their own way");
        }
        Value::Scalar(scalar) => match scalar.as_long() {
            Some(number) => Value::Scalar(Scalar::Long(number)),
            None => return open("a fraction"),
        },
        Value::Symbol(symbol) if symbol.term.is_key() => value.clone(),
        Value::Unknown(unknown) if unknown.ty != Type::Unknown && unknown.present => value.clone(),
        // Dates and the like.
        Value::Ref(_) => Value::unknowable("a value as the store keeps it", Type::Unknown),
        _ => return open("a parameter that is not known"),
    })
}
