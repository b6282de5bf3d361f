//! Models `Class`: names, type arguments, annotations; and class-path files that classes and class loaders open.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, array, library_type, open, reference, settle, text, throw};
use crate::interpret::library::frameworks::annotated;
use crate::interpret::library::text::input_text;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Type, Value};
use crate::ir::facts::TypeKind;

const LOADER: &str = "java.lang.ClassLoader";
const RESOURCE: &str = "org.springframework.core.io.ClassPathResource";

/// The type of a superclass with type arguments, as reflection returns it.
const GENERIC: &str = "java.lang.reflect.ParameterizedType";

/// The type arguments that a class gives its superclass.
fn arguments(machine: &mut Machine<'_>, class: &Value) -> Option<Answer> {
    let Value::Class(ty) = class else { return None };
    let own = ty.project()?;
    let above = machine.project.supers(own).first()?;
    let args: Vec<Type> = above.args.iter().map(|arg| machine.type_of(own, arg)).collect();
    let plain = |ty: &Type| matches!(ty, Type::Class(..) | Type::Str | Type::Boxed(_));
    if machine.project.ty(own).extends.is_empty() || args.is_empty() || !args.iter().all(plain) {
        return None;
    }
    let items = args.into_iter().map(|ty| match ty {
        Type::Class(class, _) => Value::Class(Type::Class(class, Vec::new())),
        other => Value::Class(other),
    });
    let items = items.collect();
    Some(Ok(array(machine, items, library_type("java.lang.reflect.Type"))))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match (call.fqn, call.receiver) {
        ("java.lang.Class", Some(Value::Class(ty))) => on_class(machine, ty, call)?,
        (LOADER, Some(Value::Ref(_))) => {
            let name = text(call.args.first()?)?;
            opened(machine, call, name)?
        }
        (LOADER, None) if call.name.starts_with("getSystemResource") => {
            let name = text(call.args.first()?)?;
            opened(machine, call, name)?
        }
        (GENERIC, Some(receiver)) if call.name == "getActualTypeArguments" => {
            let own = machine.object(reference(receiver)?).parts.get("class")?.clone();
            arguments(machine, &own)?
        }
        (RESOURCE, receiver) => spring(machine, receiver, call)?,
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

/// The name of a class that `getSimpleName` returns.
fn simple(machine: &Machine<'_>, ty: &Type) -> Option<String> {
    Some(match ty {
        Type::Str => "String".to_owned(),
        Type::Boxed(prim) => prim.box_name().to_owned(),
        Type::Prim(prim) => prim.keyword().to_owned(),
        Type::Array(element) => format!("{}[]", simple(machine, element)?),
        Type::Class(ClassRef::Project(id), _) => machine.project.ty(*id).name.clone(),
        Type::Class(ClassRef::Library(fqn), _) => fqn.rsplit(['.', '$']).next()?.to_owned(),
        Type::Void => "void".to_owned(),
        Type::Unknown => return None,
    })
}

/// The name of a class that `getName` returns; not modelled for arrays.
fn full(machine: &Machine<'_>, ty: &Type) -> Option<String> {
    Some(match ty {
        Type::Str => "java.lang.String".to_owned(),
        Type::Boxed(prim) => format!("java.lang.{}", prim.box_name()),
        Type::Prim(prim) => prim.keyword().to_owned(),
        Type::Class(class, _) => machine.binary_name(class),
        _ => return None,
    })
}

fn on_class(machine: &mut Machine<'_>, ty: &Type, call: &LibraryCall<'_>) -> Option<Answer> {
    let project = ty.project();
    let kind = project.map(|id| machine.project.ty(id).kind);
    let made = |machine: &mut Machine<'_>, text: String| Ok(machine.fresh_text(&text));
    if let Some(id) = project
        && let Some(answer) = annotated::asked(machine, id.into(), call)
    {
        return Some(Ok(answer));
    }
    Some(match (call.name, call.args) {
        ("getSimpleName", []) => {
            let name = simple(machine, ty)?;
            made(machine, name)
        }
        ("getName" | "getTypeName", []) => {
            let name = full(machine, ty)?;
            made(machine, name)
        }
        ("getCanonicalName", []) if !matches!(ty, Type::Array(_)) => {
            let name = full(machine, ty)?.replace('$', ".");
            made(machine, name)
        }
        ("getPackageName", []) if matches!(ty, Type::Class(..) | Type::Str | Type::Boxed(_)) => {
            let name = full(machine, ty)?;
            let package = name.rsplit_once('.').map_or("", |(package, _)| package).to_owned();
            made(machine, package)
        }
        ("toString", []) => {
            let name = full(machine, ty)?;
            let what = match (ty, kind) {
                (Type::Prim(_), _) => "",
                (_, Some(TypeKind::Interface | TypeKind::Annotation)) => "interface ",
                (Type::Class(ClassRef::Library(_), _), _) => return Some(open("whether a class is an interface")),
                _ => "class ",
            };
            made(machine, format!("{what}{name}"))
        }
        ("equals", [other]) => match other {
            Value::Class(other) => Ok(Value::bool(ty == other)),
            Value::Scalar(_) | Value::Ref(_) | Value::Lambda(_) => Ok(Value::bool(false)),
            _ => return None,
        },
        ("isInstance", [value]) => {
            if value.is_null() {
                return Some(Ok(Value::bool(false)));
            }
            match machine.is_instance(value, ty) {
                Some(is) => Ok(Value::bool(is)),
                None => open("what an object is"),
            }
        }
        ("cast", [value]) => match machine.is_instance(value, ty) {
            Some(true) => Ok(value.clone()),
            Some(false) => Err(throw(machine, "ClassCastException")),
            None => open("what an object is"),
        },
        ("getGenericSuperclass", []) => Ok(machine.modelled(GENERIC, &[("class", Value::Class(ty.clone()))])),
        ("isEnum", []) => Ok(Value::bool(kind? == TypeKind::Enum)),
        ("isInterface", []) => Ok(Value::bool(matches!(kind?, TypeKind::Interface | TypeKind::Annotation))),
        ("isArray", []) => Ok(Value::bool(matches!(ty, Type::Array(_)))),
        ("isPrimitive", []) => Ok(Value::bool(matches!(ty, Type::Prim(_) | Type::Void))),
        ("isRecord", []) => Ok(Value::bool(kind? == TypeKind::Record)),
        ("getEnumConstants", []) if kind == Some(TypeKind::Enum) => {
            let id = project?;
            let items = machine
                .enum_constants(id)
                .into_iter()
                .map(|name| Value::Scalar(Scalar::Enum(ClassRef::Project(id), name)))
                .collect();
            Ok(array(machine, items, ty.clone()))
        }
        ("getResourceAsStream" | "getResource", [name]) => {
            let name = text(name)?.to_owned();
            let own = full(machine, ty)?;
            let package = own.rsplit_once('.').map_or(String::new(), |(package, _)| package.replace('.', "/") + "/");
            let path = match name.strip_prefix('/') {
                Some(rest) => rest.to_owned(),
                None => package + &name,
            };
            opened(machine, call, &path)?
        }
        _ => return None,
    })
}

/// Opens a file of the class path. A file that the revision does not contain may still come from a library.
fn opened(machine: &mut Machine<'_>, call: &LibraryCall<'_>, name: &str) -> Option<Answer> {
    let file = machine.cx.wiring.resource(name);
    let stream = match call.name {
        "getResourceAsStream" | "getSystemResourceAsStream" => true,
        "getResource" | "getSystemResource" => false,
        _ => return None,
    };
    let why = format!("the class path: {name}");
    Some(Ok(match (file, stream) {
        (Some(bytes), true) => input_text::stream(machine, bytes),
        (Some(_), false) => {
            let name = Value::text(name);
            machine.modelled("java.net.URL", &[("resource", name)])
        }
        (None, true) => machine.unknown(&why, Type::Class(ClassRef::library("java.io.InputStream"), Vec::new())),
        (None, false) => machine.unknown(&why, Type::Class(ClassRef::library("java.net.URL"), Vec::new())),
    }))
}

/// Models Spring's access to class-path files.
fn spring(machine: &mut Machine<'_>, receiver: Option<&Value>, call: &LibraryCall<'_>) -> Option<Answer> {
    let Some(receiver) = receiver else {
        let [name] = call.args else { return None };
        let name = text(name)?.trim_start_matches('/').to_owned();
        let name = machine.fresh_text(&name);
        return Some(Ok(machine.modelled(RESOURCE, &[("path", name)])));
    };
    let id = reference(receiver)?;
    let path = text(machine.object(id).parts.get("path")?)?.to_owned();
    let file = machine.cx.wiring.resource(&path);
    Some(match (call.name, file) {
        ("getInputStream", Some(bytes)) => Ok(input_text::stream(machine, bytes)),
        ("exists" | "isReadable", Some(_)) => Ok(Value::bool(true)),
        ("getPath", _) => Ok(machine.fresh_text(&path)),
        ("getFilename", _) => {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            Ok(machine.fresh_text(&name))
        }
        ("getContentAsString", Some(bytes)) if call.args.len() == 1 => input_text::decoded(machine, &bytes),
        ("getInputStream" | "exists" | "isReadable" | "getContentAsString", None) => open("the class path"),
        _ => return None,
    })
}
