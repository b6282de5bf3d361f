//! State of linking one body, with the links created so far.

use std::collections::HashMap;
use std::rc::Rc;

use super::code::Link;
use super::java_type::Type;
use super::scalar::Scalar;
use crate::java::body::{Body, ExprId};
use crate::java::calls::Resolved;
use crate::java::facts::TypeRef;
use crate::java::ids::MemberId;
use crate::java::resolver::Resolver;
use crate::java::ty::Ty;

/// State of linking one body.
pub(super) struct Linker<'a, 'p> {
    pub(super) resolver: &'a Resolver<'p>,
    pub(super) member: MemberId,
    pub(super) body: &'a Body,
    pub(super) resolved: &'a Resolved,
    /// Links created so far; operands come before the expressions that use them.
    pub(super) links: Vec<Link>,
    /// Local variables with constant values.
    pub(super) constants: HashMap<u32, Scalar>,
    /// Final variables by their initialisers.
    pub(super) finals: HashMap<ExprId, u32>,
    pub(super) locals: Vec<Type>,
    /// Looks up the value of a constant field, with the fields that it uses.
    pub(super) constant: &'a dyn Fn(MemberId) -> Option<(Scalar, Rc<[MemberId]>)>,
}

impl Linker<'_, '_> {
    /// Resolves a written type in the body.
    pub(super) fn read(&self, r: &TypeRef) -> Ty {
        self.resolver.types.read(self.member.ty, Some(self.member), r)
    }
}
