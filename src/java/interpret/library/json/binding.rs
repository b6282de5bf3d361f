//! Serialisation by Gson's defaults: trees, texts, numbers, collections, maps, and plain classes by their fields.

use super::choice::{Binding, BindingDirection};
use super::document::Doc;
use super::fields::name_of;
use super::tree::{document, leaf, of, single_of};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::contents::{Contents, contents};
use crate::interpret::library::base::support::{Answer, open, text_of};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, ObjId, Value};
use crate::ir::facts::{MemberKind, TypeKind};
use crate::ir::ids::TypeId;

/// Maximum nesting of objects.
const DEPTH: usize = 20;

/// The document that Gson writes for a value; `beans` selects the fields of plain classes, if these are supported.
pub fn written(machine: &mut Machine<'_>, value: &Value, beans: Option<&Binding>, depth: usize) -> Answer<Doc> {
    machine.step()?;
    if depth > DEPTH {
        return open("objects within objects");
    }
    if single_of(value).is_some() || of(machine, value).is_some() {
        return document(machine, value, 0);
    }
    match value {
        Value::Scalar(Scalar::Enum(ClassRef::Project(ty), name)) => constant(machine, *ty, name),
        Value::Scalar(_) => match leaf(value) {
            Some(doc) => Ok(doc),
            None => open("a value that is written as JSON"),
        },
        Value::Ref(id) => object(machine, *id, beans, depth),
        _ => open("a value that is written as JSON"),
    }
}

/// An enum constant as its name.
fn constant(machine: &Machine<'_>, ty: TypeId, name: &str) -> Answer<Doc> {
    let project = machine.project;
    let found = project.members(ty).find(|member| {
        let facts = project.member(*member);
        facts.kind == MemberKind::EnumConstant && facts.name == name
    });
    let custom = |annotations: &[crate::ir::facts::Annotation]| {
        annotations.iter().any(|annotation| annotation.simple().starts_with("Json"))
    };
    match found.map(|member| project.member(member)) {
        Some(facts) if !custom(&facts.annotations) && !custom(&project.ty(ty).annotations) => {
            match name_of(&facts.annotations, name) {
                Some(name) => Ok(Doc::Text(name)),
                None => open("the name of a constant in JSON"),
            }
        }
        _ => open("the name of a constant in JSON"),
    }
}

fn object(machine: &mut Machine<'_>, id: ObjId, beans: Option<&Binding>, depth: usize) -> Answer<Doc> {
    if let ClassRef::Project(ty) = machine.object(id).class.clone() {
        let Some(beans) = beans.filter(|_| machine.project.ty(ty).kind != TypeKind::Enum) else {
            return open("a class that is written as JSON");
        };
        return fields(machine, id, ty, beans, depth);
    }
    match contents(&machine.heap, id) {
        Some(Contents::Array(items) | Contents::List(items) | Contents::Set(items) | Contents::Collection(items)) => {
            let mut out = Vec::new();
            for item in items {
                out.push(written(machine, &item, beans, depth + 1)?);
            }
            Ok(Doc::Array(out))
        }
        Some(Contents::Map(entries)) => {
            let mut out: Vec<(String, Doc)> = Vec::new();
            for (key, value) in entries {
                let name = match &key {
                    Value::Scalar(Scalar::Enum(..)) | Value::Ref(_) => return open("a key of a map in JSON"),
                    key => text_of(machine, key)?,
                };
                out.push((name, written(machine, &value, beans, depth + 1)?));
            }
            Ok(Doc::Object(out))
        }
        Some(Contents::Bag(_) | Contents::Pairs(_)) => open("Java does not fix the order of a hashed collection"),
        Some(Contents::Integer(text)) => Ok(Doc::Number(text)),
        _ => open("an object that is written as JSON"),
    }
}

fn fields(machine: &mut Machine<'_>, id: ObjId, ty: TypeId, beans: &Binding, depth: usize) -> Answer<Doc> {
    if !matches!(machine.object(id).kind, Kind::Plain) {
        return open("an object whose fields are not all known");
    }
    let Some(fields) = beans.fields(machine, ty, BindingDirection::Written)? else {
        return open("a class that is written as JSON");
    };
    let mut out = Vec::new();
    for field in fields {
        let value = machine.read_member(&Value::Ref(id), field.field)?;
        out.push((field.name, written(machine, &value, Some(beans), depth + 1)?));
    }
    Ok(Doc::Object(out))
}
