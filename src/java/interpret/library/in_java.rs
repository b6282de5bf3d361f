//! Library models written in Java: a call to such a type runs the model's source.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::linking::link::is_static;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{ObjId, Type, Value};
use crate::ir::facts::{MemberKind, TypeKind};
use crate::ir::ids::{MemberId, TypeId};

/// The result of a call, if the type is modelled in Java and its source declares the member.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let ty = machine.project.model(call.fqn)?;
    let args = call.args.to_vec();
    match (call.name, call.receiver) {
        ("<init>", None) => {
            let class = Type::Class(ClassRef::Project(ty), Vec::new());
            Some(from_here(machine, |machine| machine.construct_by(&class, call.meant, args, call.spread)))
        }
        // A superclass constructor, called for an object of a project class.
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

/// The only method that the arguments allow, if it has a body.
fn only(machine: &Machine<'_>, methods: &[MemberId], args: &[Value]) -> Option<MemberId> {
    match machine.eliminate(methods, args).as_slice() {
        [only] => Some(*only).filter(|method| machine.project.member(*method).body.is_some()),
        _ => None,
    }
}

/// The class in which to look up methods for an object whose declared type is modelled: the object's own class if
/// that is a model, otherwise the model, which a project class extends.
fn class_of(machine: &Machine<'_>, id: ObjId, ty: TypeId) -> Option<TypeId> {
    let ClassRef::Project(class) = machine.object(id).class else {
        // An object of another model can call the default methods of an interface.
        return Some(ty).filter(|ty| machine.project.ty(*ty).kind == TypeKind::Interface);
    };
    Some(if machine.project.is_model(class) { class } else { ty })
}

/// Runs model code; conditions and exceptions in it are attributed to the calling site outside the models.
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
