//! Resolves calls: finds the declaration that a call selects from the type of its target.

use super::resolve_body::BodyResolver;
use super::resolve_expr::Meaning;
use crate::ir::body::{ExprId, ExprKind};
use crate::ir::calls::{Target, Unresolved};
use crate::ir::facts::TypeRef;
use crate::ir::ids::TypeId;
use crate::ir::named::StaticName;
use crate::ir::ty::{Args, Ty};
use crate::types::lookup::{BUILDER, Candidate};

/// Stands for an unknown arity: that of a method reference whose type could not be inferred.
pub const ANY_ARITY: usize = usize::MAX;

impl BodyResolver<'_, '_> {
    /// `target.name(args)`.
    pub(crate) fn call(
        &mut self,
        id: ExprId,
        target: Option<Meaning>,
        name: &str,
        args: &[ExprId],
        type_args: &[TypeRef],
        expected: &Ty,
    ) -> Ty {
        let explicit: Vec<Ty> = type_args.iter().map(|arg| self.read(arg)).collect();
        match target {
            None => self.plain_call(id, name, args, &explicit, expected),
            Some(Meaning::Value(ty)) => self.value_call(id, &ty, name, args, &explicit, expected),
            Some(Meaning::Type(ty)) => self.static_call(id, &ty, name, args, &explicit, expected),
            Some(Meaning::Package(_)) => self.unresolved(id, name, args),
        }
    }

    /// `name(args)`: a method of this type or an enclosing type, or a static import.
    pub(super) fn plain_call(&mut self, id: ExprId, name: &str, args: &[ExprId], explicit: &[Ty], expected: &Ty) -> Ty {
        let scopes = self.scopes();
        for scope in scopes.iter() {
            let this = self.types.this_type(*scope);
            let candidates = self.types.methods(&this, name, args.len());
            let candidates = self.taking(&this, candidates, args);
            if !candidates.is_empty() {
                self.out.implicit.insert(id, *scope);
                return self.invoke(id, candidates, args, explicit, expected);
            }
            if self.types.generated(&this, name, args.len()).is_some() {
                self.out.implicit.insert(id, *scope);
                return self.value_call(id, &this, name, args, explicit, expected);
            }
        }
        if let Some(ty) = self.static_import_call(id, name, args, explicit, expected) {
            return ty;
        }
        for scope in scopes.iter() {
            let this = self.types.this_type(*scope);
            let enumeration = self.enum_method(*scope, name, args.len());
            if enumeration.is_some() || object_method(name, args.len()).is_some() {
                self.out.implicit.insert(id, *scope);
                return self.value_call(id, &this, name, args, explicit, expected);
            }
            let base = self.types.library_bases(&this).into_iter().find(|base| !is_marker(base));
            if let Some(base) = base {
                self.out.implicit.insert(id, *scope);
                return self.library_call(id, &base, name, args, expected);
            }
        }
        self.unresolved(id, name, args)
    }

    pub(super) fn static_import_call(
        &mut self,
        id: ExprId,
        name: &str,
        args: &[ExprId],
        explicit: &[Ty],
        expected: &Ty,
    ) -> Option<Ty> {
        let mut candidates = Vec::new();
        let mut library = None;
        for found in self.types.project.resolve_static(self.scope(), name) {
            match found {
                StaticName::Member(member) => {
                    let owner = Ty::project(member.ty);
                    let all = self.types.methods(&owner, name, args.len());
                    candidates.extend(all.into_iter().filter(|candidate| candidate.member() == Some(member)));
                }
                StaticName::Library(path) => library = library.or(Some(path)),
            }
        }
        if !candidates.is_empty() {
            return Some(self.invoke(id, candidates, args, explicit, expected));
        }
        if let Some(owner) = self.imported_enum(name) {
            return Some(self.static_call(id, &Ty::project(owner), name, args, explicit, expected));
        }
        let path = library?;
        let ty = Ty::library(path.rsplit_once('.').map_or("", |(ty, _)| ty));
        Some(self.static_call(id, &ty, name, args, explicit, expected))
    }

    /// The enum whose implicit `values` or `valueOf` a static import brings.
    pub(super) fn imported_enum(&self, name: &str) -> Option<TypeId> {
        if !matches!(name, "values" | "valueOf") {
            return None;
        }
        let project = self.types.project;
        let imports = &project.file(project.file_of(self.scope())).facts.imports;
        let owners = imports.iter().filter(|import| import.is_static).filter_map(|import| {
            if import.wildcard { Some(import.path.as_str()) } else { import.path.strip_suffix(name)?.strip_suffix('.') }
        });
        let mut enums = owners.filter_map(|owner| project.resolve(self.scope(), owner).project());
        enums.find(|owner| project.ty(*owner).kind == crate::ir::facts::TypeKind::Enum)
    }

    /// Resolves a call on a value.
    pub(super) fn value_call(
        &mut self,
        id: ExprId,
        ty: &Ty,
        name: &str,
        args: &[ExprId],
        explicit: &[Ty],
        expected: &Ty,
    ) -> Ty {
        match ty {
            Ty::Var(var) => {
                let bounds = self.types.bounds(self.scope(), Some(self.member), var);
                let has_it = |bound: &&Ty| {
                    !self.types.methods(bound, name, args.len()).is_empty()
                        || self.types.generated(bound, name, args.len()).is_some()
                };
                return match bounds.iter().find(has_it).or(bounds.first()) {
                    Some(bound) => self.value_call(id, bound, name, args, explicit, expected),
                    None => self.unresolved(id, name, args),
                };
            }
            Ty::Unknown | Ty::Null => return self.unresolved(id, name, args),
            Ty::Array(_) | Ty::Prim(_) => {
                self.type_args_of(args);
                self.library_target(id, "java.lang.Object", name);
                return if name == "clone" {
                    ty.clone()
                } else {
                    object_method(name, args.len()).unwrap_or(Ty::Unknown)
                };
            }
            Ty::Opaque(ids) => return self.opaque_call(id, ids, name, args, explicit, expected),
            Ty::Project { .. } | Ty::Library { .. } => {}
        }
        let candidates = self.types.methods(ty, name, args.len());
        let candidates = self.taking(ty, candidates, args);
        if !candidates.is_empty() {
            return self.invoke(id, candidates, args, explicit, expected);
        }
        if let Some(generated) = self.types.generated(ty, name, args.len()) {
            let wanted = generated.field.map(|field| self.types.signature(field).ret.clone()).unwrap_or(Ty::Unknown);
            for arg in args {
                self.expr(*arg, &wanted);
            }
            let target = match generated.field {
                Some(field) => Target::Field(field),
                None => Target::Library { ty: BUILDER.into(), name: name.into() },
            };
            self.out.targets.insert(id, target);
            return generated.ret;
        }
        if name == "getClass" && args.is_empty() {
            self.library_target(id, "java.lang.Object", name);
            return Ty::Library { fqn: "java.lang.Class".into(), args: Args::one(ty.clone()) };
        }
        if let Some(result) = object_method(name, args.len()) {
            self.type_args_of(args);
            self.library_target(id, "java.lang.Object", name);
            return result;
        }
        if let Some(owner) = ty.as_project()
            && let Some(result) = self.enum_method(owner, name, args.len())
        {
            self.type_args_of(args);
            self.library_target(id, "java.lang.Enum", name);
            return result;
        }
        let base = self.types.library_bases(ty).into_iter().find(|base| !is_marker(base));
        match base.or_else(|| Some(ty.clone()).filter(|ty| ty.library_name().is_some())) {
            Some(base) => self.library_call(id, &base, name, args, expected),
            None => self.unresolved(id, name, args),
        }
    }

    pub(super) fn opaque_call(
        &mut self,
        id: ExprId,
        ids: &[TypeId],
        name: &str,
        args: &[ExprId],
        explicit: &[Ty],
        expected: &Ty,
    ) -> Ty {
        let mut candidates: Vec<Candidate> = Vec::new();
        for owner in ids {
            let this = Ty::project(*owner);
            candidates.extend(self.types.methods(&this, name, args.len()));
            if candidates.is_empty() && self.types.generated(&this, name, args.len()).is_some() {
                return self.value_call(id, &this, name, args, explicit, expected);
            }
        }
        if candidates.iter().any(|candidate| candidate.member().is_some()) {
            candidates.retain(|candidate| candidate.member().is_some());
            return self.invoke(id, candidates, args, explicit, expected);
        }
        let lent = self.carried(&[Ty::Opaque(ids.to_vec()), expected.clone()]);
        let mut given: Vec<Ty> = self.args_of_library(args, &lent);
        given.push(lent);
        self.library_target(id, "?", name);
        object_method(name, args.len()).unwrap_or_else(|| self.carried(&given))
    }

    /// Resolves a call on a type.
    pub(super) fn static_call(
        &mut self,
        id: ExprId,
        ty: &Ty,
        name: &str,
        args: &[ExprId],
        explicit: &[Ty],
        expected: &Ty,
    ) -> Ty {
        if let Some(owner) = ty.as_project()
            && self.types.methods(ty, name, args.len()).is_empty()
            && let Some(result) = self.enum_method(owner, name, args.len())
        {
            self.type_args_of(args);
            self.library_target(id, "java.lang.Enum", name);
            return result;
        }
        self.value_call(id, ty, name, args, explicit, expected)
    }

    /// The result type of a method that every enum has.
    pub(super) fn enum_method(&self, id: TypeId, name: &str, arity: usize) -> Option<Ty> {
        if self.types.project.ty(id).kind != crate::ir::facts::TypeKind::Enum {
            return None;
        }
        Some(match (name, arity) {
            ("values", 0) => Ty::array(Ty::project(id)),
            ("valueOf", 1) => Ty::project(id),
            ("ordinal", 0) | ("compareTo", 1) => Ty::prim("int"),
            ("name", 0) => Ty::string(),
            _ => return None,
        })
    }

    /// Resolves a call of a library method without a known signature.
    pub(super) fn library_call(&mut self, id: ExprId, ty: &Ty, name: &str, args: &[ExprId], expected: &Ty) -> Ty {
        let lent = self.given_by_library(ty, std::slice::from_ref(expected));
        let mut given = self.args_of_library(args, &lent);
        given.push(expected.clone());
        let fqn = ty.library_name().unwrap_or("?").to_owned();
        self.library_target(id, &fqn, name);
        object_method(name, args.len()).unwrap_or_else(|| self.given_by_library(ty, &given))
    }

    pub(super) fn library_target(&mut self, id: ExprId, ty: &str, name: &str) {
        self.out.targets.insert(id, Target::Library { ty: ty.into(), name: name.into() });
    }

    pub(crate) fn unresolved(&mut self, id: ExprId, name: &str, args: &[ExprId]) -> Ty {
        self.type_args_of(args);
        if object_method(name, args.len()).is_some_and(|_| matches!(name, "getClass" | "wait" | "notify" | "notifyAll"))
        {
            self.library_target(id, "java.lang.Object", name);
            return Ty::Unknown;
        }
        self.miss(id, name, args.len());
        object_method(name, args.len()).unwrap_or(Ty::Unknown)
    }

    pub(super) fn miss(&mut self, id: ExprId, name: &str, arity: usize) {
        let line = self.body.expr(id).span.line;
        self.out.targets.insert(id, Target::Unresolved { name: name.to_owned(), arity });
        self.out.unresolved.push(Unresolved { name: name.to_owned(), arity, line });
    }

    /// Types the arguments of an unresolved call.
    pub(super) fn type_args_of(&mut self, args: &[ExprId]) -> Vec<Ty> {
        self.args_of_library(args, &Ty::Unknown)
    }

    /// Types the arguments of a library call without a known signature. Lambda parameters get the types that the
    /// library can hold: `lent`, and those of the other arguments.
    pub(super) fn args_of_library(&mut self, args: &[ExprId], lent: &Ty) -> Vec<Ty> {
        let mut given: Vec<Ty> = Vec::new();
        let (functions, plain): (Vec<ExprId>, Vec<ExprId>) = args.iter().partition(|arg| self.is_function(**arg));
        for arg in plain {
            given.push(self.expr(arg, lent));
        }
        let param = if lent.is_unknown() {
            Ty::Unknown
        } else {
            given.push(lent.clone());
            let param = self.carried(&given);
            given.pop();
            param
        };
        for arg in functions {
            let found = if let ExprKind::Lambda { params, .. } = &self.body.expr(arg).kind {
                self.lambda(arg, &vec![param.clone(); params.len()], &Ty::Unknown)
            } else {
                self.reference(arg, None)
            };
            self.out.types[arg.0 as usize] = Ty::Unknown;
            given.push(found);
        }
        given
    }

    /// The result type of a library method without a known signature: one of the project types that the library
    /// received.
    pub(super) fn given_by_library(&self, ty: &Ty, args: &[Ty]) -> Ty {
        if ty.library_name().is_some_and(|fqn| self.types.is_missing(fqn)) {
            return Ty::Unknown;
        }
        let mut all = args.to_vec();
        all.push(ty.clone());
        self.carried(&all)
    }

    /// The project types that library code can reach from values of these types.
    pub(crate) fn carried(&self, types: &[Ty]) -> Ty {
        let mut found = Vec::new();
        for ty in types {
            ty.projects(&mut found);
            match ty {
                // `projects` has already added its own type arguments.
                Ty::Project { id, .. } => {
                    let bases = self.types.ancestors(*id).iter().filter(|base| base.library_name().is_some());
                    bases.for_each(|base| base.projects(&mut found));
                }
                Ty::Var(var) => self.types.bound(self.scope(), Some(self.member), var).projects(&mut found),
                _ => {}
            }
        }
        found.sort();
        found.dedup();
        Ty::Opaque(found)
    }
}

/// Library supertypes without methods to call.
pub(super) fn is_marker(base: &Ty) -> bool {
    base.library_name().is_some_and(|fqn| {
        matches!(
            fqn,
            "java.io.Serializable"
                | "java.lang.Cloneable"
                | "java.lang.Record"
                | "java.lang.Enum"
                | "java.lang.Comparable"
                | "java.lang.Object"
        )
    })
}

/// The result type of a method of `Object`.
pub fn object_method(name: &str, arity: usize) -> Option<Ty> {
    Some(match (name, arity) {
        ("toString", 0) => Ty::string(),
        ("equals", 1) => Ty::prim("boolean"),
        ("hashCode", 0) => Ty::prim("int"),
        ("getClass", 0) => Ty::library("java.lang.Class"),
        ("notify" | "notifyAll", 0) | ("wait", 0..=2) | ("finalize", 0) => Ty::prim("void"),
        ("clone", 0) => Ty::Unknown,
        _ => return None,
    })
}
