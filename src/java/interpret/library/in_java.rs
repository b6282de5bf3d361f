//! Models that are Java sources: a call into such a library type runs what its source says.

use crate::java::facts::{MemberKind, TypeKind};
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::library::invocation::LibraryCall;
use crate::java::interpret::link::is_static;
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::ClassRef;
use crate::java::interpret::value::{ObjId, Type, Value};

/// What a call gives, where the type is modelled in Java and its source has the member.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let ty = machine.project.model(call.fqn)?;
    let args = call.args.to_vec();
    match (call.name, call.receiver) {
        ("<init>", None) => {
            let class = Type::Class(ClassRef::Project(ty), Vec::new());
            Some(from_here(machine, |machine| machine.construct_by(&class, call.meant, args, call.spread)))
        }
        // The constructor of a superclass, on an object of a class of the project.
        ("<init>", Some(Value::Ref(id))) => {
            let (id, this) = (*id, Value::Ref(*id));
            Some(from_here(machine, |machine| {
                machine.construct_into(ty, id, &this, call.meant, args, call.spread).map(|()| Value::NULL)
            }))
        }
        (name, None) => {
            let declared = || machine.project.find_method(ty, name, args.len());
            let methods = if call.meant.is_empty() { declared() } else { call.meant.to_vec() };
            let methods: Vec<MemberId> =
                methods.into_iter().filter(|method| is_static(machine.project, *method)).collect();
            let method = only(machine, &methods, &args)?;
            Some(from_here(machine, |machine| machine.invoke_with(method, None, args, call.spread)))
        }
        (name, Some(Value::Ref(id))) => {
            let class = class_of(machine, *id, ty)?;
            let meant = call.meant.iter().filter_map(|method| machine.codes.implementation(class, *method));
            let meant: Vec<MemberId> = meant.collect();
            let methods = if meant.is_empty() { machine.methods_of(class, name, &args) } else { meant };
            let method = only(machine, &methods, &args)?;
            let this = Value::Ref(*id);
            Some(from_here(machine, |machine| machine.invoke_with(method, Some(this), args, call.spread)))
        }
        _ => None,
    }
}

/// A constant of a type that is modelled in Java.
pub fn constant(machine: &mut Machine<'_>, fqn: &str, name: &str) -> Option<Value> {
    let ty = machine.project.model(fqn)?;
    let field = machine.project.find_field(ty, name).filter(|field| {
        machine.project.member(*field).kind == MemberKind::Field && is_static(machine.project, *field)
    })?;
    machine.read_static(field).ok()
}

/// The one of these methods that is meant, where it has a body.
fn only(machine: &Machine<'_>, methods: &[MemberId], args: &[Value]) -> Option<MemberId> {
    match machine.eliminate(methods, args).as_slice() {
        [only] => Some(*only).filter(|method| machine.project.member(*method).body.is_some()),
        _ => None,
    }
}

/// Where the methods of an object are looked up that is called as one of a modelled type: its own class, where that is of a model, else the
/// model, which a class of the project extends.
fn class_of(machine: &Machine<'_>, id: ObjId, ty: TypeId) -> Option<TypeId> {
    let ClassRef::Project(class) = machine.object(id).class else {
        // An object that another model made can be called by an interface's default methods.
        return Some(ty).filter(|ty| machine.project.ty(*ty).kind == TypeKind::Interface);
    };
    Some(if machine.project.is_model(class) { class } else { ty })
}

/// Runs the code of a model: what it decides and throws is told of the place that calls it.
fn from_here<T>(machine: &mut Machine<'_>, run: impl FnOnce(&mut Machine<'_>) -> T) -> T {
    let outside = !machine.is_in_model();
    let before = machine.modelled_at;
    if outside {
        machine.modelled_at = machine.calling.or_else(|| machine.here());
    }
    let result = run(machine);
    machine.modelled_at = before;
    result
}
