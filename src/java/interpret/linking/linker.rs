//! State of linking one body, with the links created so far.

use std::collections::HashMap;
use std::rc::Rc;

use super::code::Link;
use crate::java::interpret::values::java_type::Type;
use crate::java::interpret::values::scalar::Scalar;
use crate::java::ir::body::{Body, ExprId};
use crate::java::ir::calls::Resolved;
use crate::java::ir::facts::TypeRef;
use crate::java::ir::ids::MemberId;
use crate::java::ir::ty::Ty;
use crate::java::resolve::resolver::Resolver;

/// State of linking one body.
pub(in crate::java::interpret) struct Linker<'a, 'p> {
    pub(in crate::java::interpret) resolver: &'a Resolver<'p>,
    pub(in crate::java::interpret) member: MemberId,
    pub(in crate::java::interpret) body: &'a Body,
    pub(in crate::java::interpret) resolved: &'a Resolved,
    /// Links created so far; operands come before the expressions that use them.
    pub(in crate::java::interpret) links: Vec<Link>,
    /// Local variables with constant values.
    pub(in crate::java::interpret) constants: HashMap<u32, Scalar>,
    /// Final variables by their initialisers.
    pub(in crate::java::interpret) finals: HashMap<ExprId, u32>,
    pub(in crate::java::interpret) locals: Vec<Type>,
    /// Looks up the value of a constant field, with the fields that it uses.
    pub(in crate::java::interpret) constant: &'a dyn Fn(MemberId) -> Option<(Scalar, Rc<[MemberId]>)>,
}

impl Linker<'_, '_> {
    /// Resolves a written type in the body.
    pub(in crate::java::interpret) fn read(&self, r: &TypeRef) -> Ty {
        self.resolver.types.read(self.member.ty, Some(self.member), r)
    }
}
