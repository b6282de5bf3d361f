//! Models `Mappers.getMapper` of MapStruct: returns an object of the implementation that the build generates.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Type, Value};

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let ("org.mapstruct.factory.Mappers", "getMapper", [Value::Class(mapper)]) = (call.fqn, call.name, call.args)
    else {
        return None;
    };
    let mapper = mapper.project()?;
    let made = machine.project.by_fqn(&format!("{}Impl", machine.project.fqn(mapper)))?;
    machine.project.origin(made)?;
    Some(machine.construct_type(&Type::Class(ClassRef::Project(made), Vec::new()), Vec::new()))
}
