//! Reading: JSON bodies as the types of a handler want them.

use super::case::number_as;
use super::serve::Server;
use super::signature::{element, setter};
use crate::java::facts::TypeKind;
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::{ClassRef, Scalar};
use crate::java::interpret::value::{Kind, Object, Type, Value};
use serde_json::Value as Json;

impl Server<'_> {
    /// A JSON value as a type wants it; what is not plain is unknown, and may be refused.
    pub(super) fn read_json(&self, machine: &mut Machine<'_>, ty: &Type, json: &Json) -> Eval {
        let refused = |machine: &mut Machine<'_>| {
            machine.doubt("how a value of the body is read is not modelled");
            Ok(machine.unknown("how a value of the body is read", ty.clone()))
        };
        if let (Json::String(text), Some(case)) = (json, self.case)
            && let Some(key) = case.key(text, ty)
        {
            return Ok(key);
        }
        match (ty, json) {
            (Type::Prim(prim), Json::Null) => Ok(Value::Scalar(prim.zero())),
            (_, Json::Null) => Ok(Value::NULL),
            (Type::Str, Json::String(text)) => Ok(machine.fresh_text(text)),
            (Type::Prim(prim) | Type::Boxed(prim), Json::Number(number)) => match number_as(number, *prim) {
                Some(value) => Ok(Value::Scalar(value)),
                None => refused(machine),
            },
            (
                Type::Prim(crate::java::interpret::scalar::Prim::Bool)
                | Type::Boxed(crate::java::interpret::scalar::Prim::Bool),
                Json::Bool(value),
            ) => Ok(Value::bool(*value)),
            (Type::Class(ClassRef::Project(id), _), Json::String(text))
                if machine.project.ty(*id).kind == TypeKind::Enum =>
            {
                let constants = machine.enum_constants(*id);
                match constants.iter().find(|name| ***name == *text.as_str()) {
                    Some(name) => Ok(Value::Scalar(Scalar::Enum(ClassRef::Project(*id), name.clone()))),
                    None => refused(machine),
                }
            }
            (Type::Class(ClassRef::Project(id), _), Json::Object(map)) => {
                let Some(fields) = self.bench.signature.fields(*id) else { return refused(machine) };
                if map.keys().any(|key| !fields.iter().any(|field| field.name == *key)) {
                    return refused(machine);
                }
                let record = machine.project.ty(*id).kind == TypeKind::Record;
                if record {
                    let mut args = Vec::new();
                    for field in fields {
                        args.push(self.read_json(machine, &field.ty, map.get(&field.name).unwrap_or(&Json::Null))?);
                    }
                    return machine.construct_type(ty, args);
                }
                let made = machine.construct_type(ty, Vec::new())?;
                for field in fields {
                    let Some(json) = map.get(&field.name) else { continue };
                    let value = self.read_json(machine, &field.ty, json)?;
                    let name = machine.project.member(field.member).name.clone();
                    if machine.project.find_method(*id, &setter(&name), 1).len() == 1 {
                        machine.call_method(made.clone(), &setter(&name), vec![value])?;
                    } else {
                        machine.write_member(&made, field.member, value)?;
                    }
                }
                Ok(made)
            }
            (_, Json::Array(items)) => match element(ty) {
                Some(element) => {
                    let mut values = Vec::new();
                    for item in items {
                        values.push(self.read_json(machine, &element, item)?);
                    }
                    let object = Object::new(
                        ClassRef::library("java.util.ArrayList"),
                        Kind::List { items: values, fixed: false },
                    );
                    Ok(Value::Ref(machine.allocate(object)))
                }
                None => refused(machine),
            },
            _ => refused(machine),
        }
    }
}
