//! Objects of classes that the build generates.

use super::machine::Machine;
use crate::interpret::values::term::{Origin, Term};
use crate::interpret::values::value::Value;
use crate::ir::facts::{Modifiers, TypeKind};
use crate::ir::ids::TypeId;

impl Machine<'_> {
    /// Whether an object that a library made must be of a class that the build generates: the project has no class below
    /// this type whose objects it could be. Such a class may override any method.
    pub(super) fn is_of_generated_class(&self, ty: TypeId, object: &Value) -> bool {
        let is_concrete = |one: TypeId| {
            let facts = self.project.ty(one);
            facts.kind != TypeKind::Interface && !facts.modifiers.has(Modifiers::ABSTRACT)
        };
        let Value::Symbol(symbol) = object else { return false };
        let Term::Opaque(made) = &*symbol.term else { return false };
        made.origin == Origin::Call
            && !made.callee.contains('#')
            && !is_concrete(ty)
            && !self.project.all_subtypes(ty).into_iter().any(is_concrete)
    }
}
