//! State of linking one body, with the links created so far.

use std::collections::HashMap;
use std::rc::Rc;

use super::code::Link;
use crate::interpret::values::java_type::Type;
use crate::interpret::values::scalar::Scalar;
use crate::ir::body::{Body, ExprId};
use crate::ir::calls::Resolved;
use crate::ir::facts::TypeRef;
use crate::ir::ids::MemberId;
use crate::ir::ty::Ty;
use crate::resolve::resolver::Resolver;

/// State of linking one body.
pub(in crate::interpret) struct Linker<'a, 'p> {
    pub(in crate::interpret) resolver: &'a Resolver<'p>,
    pub(in crate::interpret) member: MemberId,
    pub(in crate::interpret) body: &'a Body,
    pub(in crate::interpret) resolved: &'a Resolved,
    /// Links created so far; operands come before the expressions that use them.
    pub(in crate::interpret) links: Vec<Link>,
    /// Local variables with constant values.
    pub(in crate::interpret) constants: HashMap<u32, Scalar>,
    /// Final variables by their initialisers.
    pub(in crate::interpret) finals: HashMap<ExprId, u32>,
    pub(in crate::interpret) locals: Vec<Type>,
    /// Looks up the value of a constant field, with the fields that it uses.
    pub(in crate::interpret) constant: &'a dyn Fn(MemberId) -> Option<(Scalar, Rc<[MemberId]>)>,
}

impl Linker<'_, '_> {
    /// Resolves a written type in the body.
    pub(in crate::interpret) fn read(&self, r: &TypeRef) -> Ty {
        self.resolver.types.read(self.member.ty, Some(self.member), r)
    }
}
