//! Converts written references and types of the resolver to types of the interpreter.

use super::java_type::Type;
use super::scalar::{ClassRef, Prim};
use crate::ir::facts::TypeRef;
use crate::ir::ids::TypeId;
use crate::ir::named::Named;
use crate::ir::ty::Ty;
use crate::project::index::Project;

/// Resolves a type reference in a scope.
pub fn type_of(project: &Project, scope: TypeId, reference: &TypeRef) -> Type {
    let mut ty = if reference.name == "void" {
        Type::Void
    } else if let Some(prim) = Prim::of_keyword(&reference.name) {
        Type::Prim(prim)
    } else {
        let args = || reference.args.iter().map(|arg| type_of(project, scope, arg)).collect();
        match project.resolve(scope, &reference.name) {
            Named::Project(id) => Type::Class(ClassRef::Project(id), args()),
            Named::Library(fqn) => library(&fqn, args),
            _ => Type::Unknown,
        }
    };
    for _ in 0..reference.dims {
        ty = Type::Array(Box::new(ty));
    }
    ty
}

/// The type of a resolved name.
pub fn named_type(named: &Named) -> Type {
    match named {
        Named::Project(id) => Type::Class(ClassRef::Project(*id), Vec::new()),
        Named::Library(fqn) => library(fqn, Vec::new),
        _ => Type::Unknown,
    }
}

/// Converts a type of the resolver; type variables become unknown.
pub fn known_type(ty: &Ty) -> Type {
    match ty {
        Ty::Prim(name) if &**name == "void" => Type::Void,
        Ty::Prim(name) => Prim::of_keyword(name).map_or(Type::Unknown, Type::Prim),
        Ty::Project { id, args } => Type::Class(ClassRef::Project(*id), args.iter().map(known_type).collect()),
        Ty::Library { fqn, .. } if fqn.starts_with('?') => Type::Unknown,
        Ty::Library { fqn, args } => library(fqn, || args.iter().map(known_type).collect()),
        Ty::Array(element) => Type::Array(Box::new(known_type(element))),
        Ty::Var(_) | Ty::Opaque(_) | Ty::Null | Ty::Unknown => Type::Unknown,
    }
}

/// Converts a type to the resolver's representation, for subtype checks.
pub fn resolver_type(ty: &Type) -> Ty {
    match ty {
        Type::Void => Ty::prim("void"),
        Type::Prim(prim) => Ty::prim(prim.keyword()),
        Type::Boxed(prim) => Ty::prim(prim.keyword()).boxed(),
        Type::Str => Ty::string(),
        Type::Class(ClassRef::Project(id), _) => Ty::project(*id),
        Type::Class(ClassRef::Library(fqn), _) => Ty::library(&**fqn),
        Type::Array(element) => Ty::array(resolver_type(element)),
        Type::Unknown => Ty::Unknown,
    }
}

fn library(fqn: &str, args: impl FnOnce() -> Vec<Type>) -> Type {
    match Prim::of_box(fqn) {
        Some(prim) => Type::Boxed(prim),
        None if fqn == "java.lang.String" => Type::Str,
        None => Type::Class(ClassRef::library(fqn), args()),
    }
}
