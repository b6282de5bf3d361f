//! Models annotations as running code sees them: those of classes, and those of methods that a framework passes to
//! the code.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{array, native, reference};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, Native, Object, Type, Value};
use crate::ir::constant::Constant;
use crate::ir::facts::{Annotation, MemberKind};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::named::Named;
use crate::project::annotations::Annotated;

const METHOD: &str = "java.lang.reflect.Method";

/// Library annotations with runtime retention that are not `@Inherited`, in either package.
const SEEN: [&str; 6] = [
    "annotation.security.PermitAll",
    "annotation.security.DenyAll",
    "annotation.security.RolesAllowed",
    "ws.rs.Path",
    "ws.rs.Produces",
    "ws.rs.Consumes",
];

/// A method of the project as a `java.lang.reflect.Method`.
#[derive(Debug, Clone)]
struct ReflectedMethod(MemberId);

impl Native for ReflectedMethod {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }
}

/// A `java.lang.reflect.Method` for a method of the project.
pub fn method(machine: &mut Machine<'_>, member: MemberId) -> Value {
    native(machine, METHOD, ReflectedMethod(member))
}

/// Models calls on methods and on annotations with roles.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let id = reference(call.receiver?)?;
    if short(call.fqn) == Some("annotation.security.RolesAllowed") && call.name == "value" {
        return machine.object(id).parts.get("value").cloned().map(Ok);
    }
    if call.fqn != METHOD {
        return None;
    }
    let ReflectedMethod(member) = machine.native::<ReflectedMethod>(id)?.clone();
    if let Some(answer) = asked(machine, member.into(), call) {
        return Some(Ok(answer));
    }
    match (call.name, call.args) {
        ("getName", []) => {
            let name = machine.project.member(member).name.clone();
            Some(Ok(machine.fresh_text(&name)))
        }
        ("getDeclaringClass", []) => Some(Ok(Value::Class(Type::Class(ClassRef::Project(member.ty), Vec::new())))),
        _ => None,
    }
}

/// The answer of a class or method to a question about one of its annotations.
pub fn asked(machine: &mut Machine<'_>, of: Annotated, call: &LibraryCall<'_>) -> Option<Value> {
    let [Value::Class(wanted)] = call.args else { return None };
    match call.name {
        "isAnnotationPresent" => Some(Value::bool(is_present(machine, of, wanted)?)),
        "getAnnotation" if !is_present(machine, of, wanted)? => Some(Value::NULL),
        "getAnnotation" if let Some(ty) = wanted.project() => {
            let (annotations, scope) = machine.project.annotations_of(of);
            let is_meant = |one: &&Annotation| machine.project.resolve(scope, &one.name) == Named::Project(ty);
            let annotation = annotations.iter().find(is_meant)?;
            Some(instance(machine, (ty, scope), annotation))
        }
        "getAnnotation" => {
            let fqn = wanted.library()?.to_owned();
            let roles = roles(machine, of, &fqn)?;
            Some(machine.modelled(&fqn, &[("value", roles)]))
        }
        _ => None,
    }
}

/// An object for an annotation of the project's type `ty`: the elements written at the class `scope`, and defaults
/// for the others.
pub fn instance(machine: &mut Machine<'_>, (ty, scope): (TypeId, TypeId), annotation: &Annotation) -> Value {
    let project = machine.project;
    let mut object = Object::new(ClassRef::Project(ty), Kind::Modelled);
    for member in project.members(ty) {
        let facts = project.member(member);
        if facts.kind != MemberKind::AnnotationElement {
            continue;
        }
        let of = machine.field_type(member);
        let constant = match annotation.arg(&facts.name) {
            Some(given) => Some(project.eval(scope, given).value),
            None => facts.value.as_ref().map(|default| project.eval(ty, default).value),
        };
        let value = constant.and_then(|constant| of_constant(machine, &constant, &of));
        let name = || format!("@{}.{}", annotation.simple(), facts.name);
        let value = value.unwrap_or_else(|| machine.unknown(&name(), of));
        object.fields.insert(member, value);
    }
    Value::Ref(machine.allocate(object))
}

fn of_constant(machine: &mut Machine<'_>, constant: &Constant, ty: &Type) -> Option<Value> {
    if let Type::Array(element) = ty {
        let one = std::slice::from_ref(constant);
        let items = if let Constant::Array(items) = constant { items } else { one };
        let items = items.iter().map(|item| of_constant(machine, item, element)).collect::<Option<Vec<Value>>>()?;
        return Some(machine.array(items, (**element).clone()));
    }
    let value = match constant {
        Constant::Str(text) => machine.fresh_text(text),
        Constant::Int(number) => Value::int(*number),
        Constant::Long(number) => Value::Scalar(Scalar::Long(*number)),
        Constant::Float(number) => Value::Scalar(Scalar::Float(*number)),
        Constant::Double(number) => Value::Scalar(Scalar::Double(*number)),
        Constant::Bool(value) => Value::bool(*value),
        Constant::Char(unit) => Value::Scalar(Scalar::Char(*unit)),
        Constant::Class { named: Named::Project(id), dims: 0 } => {
            Value::Class(Type::Class(ClassRef::Project(*id), Vec::new()))
        }
        Constant::Class { named: Named::Library(fqn), dims: 0 } => {
            Value::Class(Type::Class(ClassRef::library(fqn), Vec::new()))
        }
        Constant::Enum { ty: Named::Project(id), name } => {
            Value::Scalar(Scalar::Enum(ClassRef::Project(*id), name.as_str().into()))
        }
        _ => return None,
    };
    Some(machine.convert(value, ty))
}

fn short(fqn: &str) -> Option<&str> {
    fqn.strip_prefix("javax.").or_else(|| fqn.strip_prefix("jakarta."))
}

/// The role names of `@RolesAllowed`.
fn roles(machine: &mut Machine<'_>, of: Annotated, fqn: &str) -> Option<Value> {
    if short(fqn) != Some("annotation.security.RolesAllowed") {
        return None;
    }
    let (annotations, scope) = machine.project.annotations_of(of);
    let annotation = annotations.iter().find(|one| one.simple() == "RolesAllowed")?;
    let names = match machine.project.eval(scope, annotation.arg("value")?).value {
        Constant::Str(text) => vec![text],
        Constant::Array(items) => items
            .into_iter()
            .map(|item| if let Constant::Str(text) = item { Some(text) } else { None })
            .collect::<Option<Vec<String>>>()?,
        _ => return None,
    };
    let names = names.iter().map(|name| machine.fresh_text(name)).collect();
    Some(array(machine, names, Type::Str))
}

/// Whether an annotation is present at run time; `None` if unknown.
fn is_present(machine: &Machine<'_>, of: Annotated, wanted: &Type) -> Option<bool> {
    let project = machine.project;
    let Type::Class(wanted, _) = wanted else { return None };
    let simple = match wanted {
        ClassRef::Library(fqn) => fqn.rsplit('.').next()?.to_owned(),
        ClassRef::Project(id) => project.ty(*id).name.clone(),
    };
    let stands = |of: Annotated| -> Option<bool> {
        let (annotations, scope) = project.annotations_of(of);
        for annotation in annotations.iter().filter(|one| one.simple() == simple) {
            match (project.resolve(scope, &annotation.name), wanted) {
                (Named::Project(id), ClassRef::Project(wanted)) if id == *wanted => return Some(true),
                (Named::Library(fqn), ClassRef::Library(wanted)) if *fqn == **wanted => return Some(true),
                (Named::Project(_) | Named::Library(_), _) => {}
                _ => return None,
            }
        }
        Some(false)
    };
    // Annotations of a superclass may be inherited.
    if let Annotated::Type(id) = of
        && project.all_supers(id).into_iter().any(|above| stands(above.into()) != Some(false))
    {
        return None;
    }
    if !stands(of)? {
        return Some(false);
    }
    match wanted {
        ClassRef::Library(fqn) => SEEN.contains(&short(fqn)?).then_some(true),
        ClassRef::Project(id) => is_kept(&project.ty(*id).annotations),
    }
}

/// Whether an annotation type with these meta-annotations is kept at run time (JLS §9.6.4.2); `None` if unknown.
pub fn is_kept(meta: &[Annotation]) -> Option<bool> {
    let Some(retention) = meta.iter().find(|one| one.simple() == "Retention") else { return Some(false) };
    match retention.arg("value")? {
        crate::ir::facts::Value::Name(name) => Some(name.rsplit('.').next() == Some("RUNTIME")),
        _ => None,
    }
}
