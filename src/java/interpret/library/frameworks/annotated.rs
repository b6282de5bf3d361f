//! Annotations as running code sees them: of classes, and of the methods that a framework tells of.

use crate::java::annotations::Annotated;
use crate::java::constant::Constant;
use crate::java::ids::MemberId;
use crate::java::interpret::library::invocation::LibraryCall;
use crate::java::interpret::library::support::{array, native, reference};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::ClassRef;
use crate::java::interpret::value::{Native, Type, Value};
use crate::java::named::Named;

const METHOD: &str = "java.lang.reflect.Method";

/// Library annotations that are there at run time, and that no class inherits, below either package.
const SEEN: [&str; 6] = [
    "annotation.security.PermitAll",
    "annotation.security.DenyAll",
    "annotation.security.RolesAllowed",
    "ws.rs.Path",
    "ws.rs.Produces",
    "ws.rs.Consumes",
];

/// A method of the project, as reflection shows it.
#[derive(Debug, Clone)]
struct Shown(MemberId);

impl Native for Shown {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }
}

/// A method, as reflection shows it.
pub fn method(machine: &mut Machine<'_>, member: MemberId) -> Value {
    native(machine, METHOD, Shown(member))
}

/// The model of methods, and of the roles that an annotation names.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let id = reference(call.receiver?)?;
    if short(call.fqn) == Some("annotation.security.RolesAllowed") && call.name == "value" {
        return machine.object(id).parts.get("value").cloned().map(Ok);
    }
    if call.fqn != METHOD {
        return None;
    }
    let Shown(member) = machine.native::<Shown>(id)?.clone();
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

/// What a class or method says of one of its annotations.
pub fn asked(machine: &mut Machine<'_>, of: Annotated, call: &LibraryCall<'_>) -> Option<Value> {
    let [Value::Class(wanted)] = call.args else { return None };
    match call.name {
        "isAnnotationPresent" => Some(Value::bool(is_present(machine, of, wanted)?)),
        "getAnnotation" if !is_present(machine, of, wanted)? => Some(Value::NULL),
        "getAnnotation" => {
            let fqn = wanted.library()?.to_owned();
            let roles = roles(machine, of, &fqn)?;
            Some(machine.modelled(&fqn, &[("value", roles)]))
        }
        _ => None,
    }
}

fn short(fqn: &str) -> Option<&str> {
    fqn.strip_prefix("javax.").or_else(|| fqn.strip_prefix("jakarta."))
}

/// The texts of `@RolesAllowed`.
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

/// Whether an annotation is there at run time; `None` where that is not known.
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
    // What a class above bears may be inherited.
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
        ClassRef::Project(id) => {
            let retention = project.ty(*id).annotations.iter().find(|one| one.simple() == "Retention");
            let Some(retention) = retention else { return Some(false) };
            match retention.arg("value")? {
                crate::java::facts::Value::Name(name) => Some(name.ends_with("RUNTIME")),
                _ => None,
            }
        }
    }
}
