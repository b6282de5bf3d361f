//! Deserialisation by Gson's defaults: texts, numbers, lists, maps, enums and plain classes by their fields.

use super::choice::{Binding, BindingDirection};
use super::document::Doc;
use super::fields::name_of;
use super::tree::{Dialect, grown};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, native, open, reference, throw};
use crate::interpret::library::collections::keyed::entries::put;
use crate::interpret::library::collections::keyed::set_makers::filled;
use crate::interpret::library::collections::keyed::table::{Insert, Order, Table};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{Kind, Object, Type, Value};
use crate::ir::facts::{MemberKind, Modifiers, Nesting, TypeKind};
use crate::ir::ids::TypeId;

/// The exception for a document of the wrong kind.
pub const SYNTAX: &str = "com.google.gson.JsonSyntaxException";

/// Converts a document to a value of a type.
pub fn read(machine: &mut Machine<'_>, doc: &Doc, ty: &Type, by: &Binding) -> Answer {
    machine.step()?;
    match (ty, doc) {
        (Type::Class(ClassRef::Library(fqn), _), doc) if fqn.starts_with("com.google.gson.Json") => {
            let fits = matches!(
                (&**fqn, doc),
                ("com.google.gson.JsonElement", _)
                    | ("com.google.gson.JsonObject", Doc::Object(_))
                    | ("com.google.gson.JsonArray", Doc::Array(_))
            );
            if fits { grown(machine, Dialect::Gson, doc) } else { open("a tree of another kind") }
        }
        (Type::Prim(_), Doc::Null) => open("null for a primitive type"),
        (_, Doc::Null) => Ok(Value::NULL),
        (Type::Str, Doc::Text(text)) => Ok(machine.fresh_text(text)),
        (Type::Str, Doc::Number(text)) => Ok(machine.fresh_text(text)),
        (Type::Str, Doc::Bool(value)) => Ok(machine.fresh_text(&value.to_string())),
        (Type::Prim(Prim::Bool) | Type::Boxed(Prim::Bool), Doc::Bool(value)) => Ok(Value::bool(*value)),
        (Type::Prim(prim) | Type::Boxed(prim), Doc::Number(text)) => match number(*prim, text) {
            Some(value) => Ok(Value::Scalar(value)),
            None => open("a number that does not fit"),
        },
        (Type::Class(ClassRef::Project(id), args), doc) => match machine.project.ty(*id).kind {
            TypeKind::Enum => constant(machine, *id, doc),
            TypeKind::Class if args.is_empty() => object(machine, *id, doc, by),
            _ => open("how a class is read from JSON"),
        },
        (Type::Array(element), Doc::Array(items)) => {
            let items = each(machine, items, element, by)?;
            Ok(machine.array(items, (**element).clone()))
        }
        (Type::Class(ClassRef::Library(fqn), args), doc) => library(machine, fqn, args, doc, by),
        (Type::Str | Type::Boxed(_) | Type::Prim(_), Doc::Object(_) | Doc::Array(_)) => Err(throw(machine, SYNTAX)),
        _ => open("how a value is read from JSON"),
    }
}

fn number(prim: Prim, text: &str) -> Option<Scalar> {
    Some(match prim {
        Prim::Int => Scalar::Int(text.parse().ok()?),
        Prim::Long => Scalar::Long(text.parse().ok()?),
        Prim::Short => Scalar::Short(text.parse().ok()?),
        Prim::Byte => Scalar::Byte(text.parse().ok()?),
        Prim::Double => Scalar::Double(text.parse().ok().filter(|x: &f64| x.is_finite())?),
        Prim::Float => Scalar::Float(text.parse().ok().filter(|x: &f32| x.is_finite())?),
        _ => return None,
    })
}

fn each(machine: &mut Machine<'_>, items: &[Doc], element: &Type, by: &Binding) -> Answer<Vec<Value>> {
    let mut out = Vec::new();
    for item in items {
        out.push(read(machine, item, element, by)?);
    }
    Ok(out)
}

/// The value that Gson creates for the type `Object`.
fn anything(machine: &mut Machine<'_>, doc: &Doc, by: &Binding) -> Answer {
    let object = Type::Class(ClassRef::library("java.lang.Object"), Vec::new());
    match doc {
        Doc::Text(_) => read(machine, doc, &Type::Str, by),
        Doc::Bool(_) => read(machine, doc, &Type::Boxed(Prim::Bool), by),
        Doc::Number(_) => read(machine, doc, &Type::Boxed(Prim::Double), by),
        Doc::Null => Ok(Value::NULL),
        Doc::Array(items) => {
            let items = each(machine, items, &object, by)?;
            Ok(machine.list(items, "java.util.ArrayList"))
        }
        Doc::Object(members) => map(machine, members, &object, by),
    }
}

fn map(machine: &mut Machine<'_>, members: &[(String, Doc)], value: &Type, by: &Binding) -> Answer {
    let made = native(machine, "java.util.LinkedHashMap", Table::new(Order::Linked, false));
    let Some(id) = reference(&made) else { return Ok(made) };
    for (name, member) in members {
        let key = machine.fresh_text(name);
        let value = read(machine, member, value, by)?;
        if put(machine, id, key, value, Insert::Put)?.is_some() {
            return open("two members with one name");
        }
    }
    Ok(made)
}

fn library(machine: &mut Machine<'_>, fqn: &str, args: &[Type], doc: &Doc, by: &Binding) -> Answer {
    let object = Type::Class(ClassRef::library("java.lang.Object"), Vec::new());
    let arg = |at: usize| match args.get(at) {
        Some(Type::Unknown) => None,
        Some(ty) => Some(ty.clone()),
        None if args.is_empty() => Some(object.clone()),
        None => None,
    };
    match (fqn, doc) {
        ("java.lang.Object", doc) => anything(machine, doc, by),
        (
            "java.util.List" | "java.util.Collection" | "java.util.ArrayList" | "java.lang.Iterable",
            Doc::Array(items),
        ) => {
            let Some(element) = arg(0) else { return open("the type of a list's elements") };
            let items = each(machine, items, &element, by)?;
            Ok(machine.list(items, "java.util.ArrayList"))
        }
        ("java.util.Set" | "java.util.LinkedHashSet", Doc::Array(items)) => {
            let Some(element) = arg(0) else { return open("the type of a set's elements") };
            let items = each(machine, items, &element, by)?;
            filled(machine, "java.util.LinkedHashSet", items)
        }
        ("java.util.Map" | "java.util.LinkedHashMap", Doc::Object(members)) => {
            if !args.is_empty() && args.first() != Some(&Type::Str) {
                return open("keys of a map that are no texts");
            }
            let Some(value) = arg(1) else { return open("the type of a map's values") };
            map(machine, members, &value, by)
        }
        (
            "java.util.List" | "java.util.Collection" | "java.util.ArrayList" | "java.util.Set",
            Doc::Object(_) | Doc::Text(_) | Doc::Number(_) | Doc::Bool(_),
        ) => Err(throw(machine, SYNTAX)),
        _ => open("how a value is read from JSON"),
    }
}

/// An enum constant by its name; null if there is none of that name.
fn constant(machine: &mut Machine<'_>, ty: TypeId, doc: &Doc) -> Answer {
    let Doc::Text(text) = doc else { return open("a constant that is no text") };
    let project = machine.project;
    let mut found = Value::NULL;
    for member in project.members(ty) {
        let facts = project.member(member);
        if facts.kind != MemberKind::EnumConstant {
            continue;
        }
        match name_of(&facts.annotations, &facts.name) {
            Some(name) if name == *text => {
                found = Value::Scalar(Scalar::Enum(ClassRef::Project(ty), facts.name.as_str().into()));
            }
            Some(_) => {}
            None => return open("the name of a constant in JSON"),
        }
    }
    Ok(found)
}

/// An object of a plain class: created by its constructor without parameters, or without running any; then its fields
/// are set.
fn object(machine: &mut Machine<'_>, ty: TypeId, doc: &Doc, by: &Binding) -> Answer {
    let Doc::Object(members) = doc else { return Err(throw(machine, SYNTAX)) };
    let project = machine.project;
    let abstract_ = project.ty(ty).modifiers.has(Modifiers::ABSTRACT);
    let inner = project.ty(ty).nesting == Nesting::Member && !project.ty(ty).modifiers.has(Modifiers::STATIC);
    let Some(fields) = by.fields(machine, ty, BindingDirection::Read)?.filter(|_| !abstract_ && !inner) else {
        return open("how a class is read from JSON");
    };
    // The compiler inlines a final field with a constant value, so setting it has no visible effect.
    if fields.iter().any(|field| {
        let facts = project.member(field.field);
        facts.modifiers.has(Modifiers::FINAL) && facts.body.is_some()
    }) {
        return open("final fields that are set");
    }
    let class = Type::Class(ClassRef::Project(ty), Vec::new());
    let constructors: Vec<_> =
        project.members(ty).filter(|member| project.member(*member).kind == MemberKind::Constructor).collect();
    let plain = constructors.iter().any(|constructor| project.member(*constructor).params.is_empty());
    let lombok =
        project.ty(ty).annotations.iter().any(|a| a.simple().ends_with("Constructor") || a.simple() == "Value");
    let made = if plain || constructors.is_empty() && !lombok {
        machine.construct_type(&class, Vec::new())?
    } else if lombok {
        return open("which constructors are generated");
    } else {
        // Without such a constructor, Gson creates the object without running constructors or initialisers.
        Value::Ref(machine.allocate(Object::new(ClassRef::Project(ty), Kind::Plain)))
    };
    let Some(id) = reference(&made) else { return open("an object that is read from JSON") };
    for (name, member) in members {
        let Some(field) = fields.iter().find(|field| field.name == *name) else { continue };
        let declared = machine.field_type(field.field);
        if *member == Doc::Null && matches!(declared, Type::Prim(_)) {
            continue;
        }
        let value = read(machine, member, &declared, by)?;
        machine.object_mut(id).fields.insert(field.field, value);
    }
    Ok(made)
}
