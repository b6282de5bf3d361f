//! Elements of collections, as mappers look at them.

use crate::java::ty::Ty;
use crate::java::typing::Types;

/// The type of the elements of a collection of the library's.
pub fn element(types: &Types<'_>, ty: &Ty) -> Option<Ty> {
    ty.library_name()?;
    let base = types
        .super_where(ty, |base| matches!(base.library_name(), Some("java.lang.Iterable" | "java.util.Collection")))?;
    match base {
        Ty::Library { args, .. } => args.first().cloned(),
        _ => None,
    }
}
