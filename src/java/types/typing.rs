//! Types of declarations: member signatures, supertypes with their arguments, and subtype checks.

use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::signatures::{self, bind, library_supers, library_supers_where, library_type};
use crate::ir::facts::{MemberKind, TypeKind, TypeParam, TypeRef, is_primitive};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::name::Name;
use crate::ir::named::Named;
use crate::ir::ty::{Args, Bindings, Ty, widens};
use crate::project::index::Project;

/// Maximum number of supertypes followed for one type; bounds cycles and extreme hierarchies.
const MAX_SUPERS: usize = 400;

/// A declared signature, in terms of the type parameters of its type and its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// The method's own type parameters.
    pub vars: Vec<Name>,
    /// Parameter types; the element type of a varargs parameter.
    pub params: Vec<Ty>,
    /// Whether the last parameter is `T...`.
    pub varargs: bool,
    /// The return type; the type of a field; `void` for a constructor.
    pub ret: Ty,
}

/// Members of one type by name.
pub struct TypeIndex {
    /// Type parameters.
    pub params: Vec<Name>,
    /// Direct supertypes, in terms of the type's own parameters.
    pub supers: Vec<Ty>,
    /// Fields, constants and components.
    pub fields: FxHashMap<String, u32>,
    /// Methods and annotation elements.
    pub methods: FxHashMap<String, Vec<u32>>,
    /// Constructors.
    pub constructors: Vec<u32>,
    signatures: Vec<OnceLock<Signature>>,
    ancestors: OnceLock<Vec<Ty>>,
    /// Cached meanings of type names in the body, as names and as types without arguments.
    meanings: Mutex<FxHashMap<Box<str>, (Named, Ty)>>,
}

/// The types of a project, computed on first use.
pub struct Types<'p> {
    /// The project.
    pub project: &'p Project,
    indexes: Vec<OnceLock<TypeIndex>>,
    /// Packages of the project, and the first parts of their names.
    packages: OnceLock<(FxHashSet<String>, FxHashSet<String>)>,
}

/// How well an argument type fits a parameter type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It does not fit.
    No,
    /// Undecided.
    Maybe,
    /// After boxing or unboxing.
    Loose,
    /// Without conversion.
    Strict,
}

impl<'p> Types<'p> {
    /// Types for this project, none computed yet.
    pub fn new(project: &'p Project) -> Self {
        let indexes = project.all_types().map(|_| OnceLock::new()).collect();
        Self { project, indexes, packages: OnceLock::new() }
    }

    /// The project.
    pub fn project(&self) -> &'p Project {
        self.project
    }

    /// Members, parameters and supertypes of a type.
    pub fn members_of(&self, id: TypeId) -> &TypeIndex {
        self.indexes[id.0 as usize].get_or_init(|| self.build(id))
    }

    fn build(&self, id: TypeId) -> TypeIndex {
        let facts = self.project.ty(id);
        let (mut fields, mut methods, mut constructors) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
        for (at, member) in facts.members.iter().enumerate() {
            match member.kind {
                MemberKind::Field | MemberKind::EnumConstant | MemberKind::RecordComponent => {
                    fields.entry(member.name.clone()).or_insert(at as u32);
                }
                MemberKind::Method | MemberKind::AnnotationElement => {
                    methods.entry(member.name.clone()).or_insert_with(Vec::new).push(at as u32);
                }
                MemberKind::Constructor => constructors.push(at as u32),
                MemberKind::StaticInitializer | MemberKind::Initializer => {}
            }
        }
        TypeIndex {
            params: names(&facts.type_params),
            supers: self.direct_supers(id),
            fields,
            methods,
            constructors,
            signatures: facts.members.iter().map(|_| OnceLock::new()).collect(),
            ancestors: OnceLock::new(),
            meanings: Mutex::default(),
        }
    }

    fn direct_supers(&self, id: TypeId) -> Vec<Ty> {
        let supers = self.project.supers(id).iter();
        let mut found: Vec<Ty> = supers
            .map(|base| {
                let args = base.args.iter().map(|arg| self.read(id, None, arg)).collect();
                self.named(id, &base.named, args)
            })
            .collect();
        match self.project.ty(id).kind {
            TypeKind::Enum => {
                found.push(Ty::Library { fqn: "java.lang.Enum".into(), args: Args::one(Ty::project(id)) });
            }
            TypeKind::Record => found.push(Ty::library("java.lang.Record")),
            _ => {}
        }
        found
    }

    /// Converts a resolved name to a type.
    fn named(&self, scope: TypeId, named: &Named, args: Args) -> Ty {
        match named {
            Named::Project(id) => Ty::Project { id: *id, args },
            Named::Library(fqn) => Ty::Library { fqn: fqn.as_str().into(), args },
            Named::TypeVar(name) => Ty::Var(name.as_str().into()),
            Named::Primitive => Ty::Unknown,
            Named::Unknown(name) => {
                let file = self.project.file(self.project.file_of(scope));
                let brought = file.facts.imports.iter().any(|import| {
                    import.wildcard && !import.is_static && self.project.package(&import.path).is_empty()
                });
                let fqn = if brought { name.clone() } else { format!("?{name}") };
                Ty::Library { fqn: fqn.into(), args }
            }
        }
    }

    /// [`Project::resolve_at`], cached.
    pub fn resolve_at(&self, member: MemberId, name: &str) -> Named {
        match self.project.has_own_types(member) {
            true => self.project.resolve_at(member, name),
            false => self.meaning(member.ty, name, |(named, _)| named.clone()),
        }
    }

    /// The meaning of a type name in the body of `scope`: as a name, and as a type without arguments.
    fn meaning<T>(&self, scope: TypeId, name: &str, of: impl Fn(&(Named, Ty)) -> T) -> T {
        let found = || {
            let named = self.project.resolve(scope, name);
            let ty = self.named(scope, &named, Args::default());
            (named, ty)
        };
        // The cache is not available while the index of the type is being built, since that resolves its supertypes.
        let Some(index) = self.indexes[scope.0 as usize].get() else { return of(&found()) };
        let mut meanings = index.meanings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = meanings.get(name) {
            return of(known);
        }
        of(meanings.entry(name.into()).or_insert_with(found))
    }

    /// Resolves a written type in a type, or in one of its members.
    pub fn read(&self, scope: TypeId, member: Option<MemberId>, r: &TypeRef) -> Ty {
        let base = if r.name == "?" {
            r.args.first().map_or(Ty::Unknown, |bound| self.read(scope, member, bound))
        } else if r.name == "var" || r.name.is_empty() {
            Ty::Unknown
        } else if is_primitive(&r.name) {
            Ty::prim(r.name.as_str())
        } else {
            let own = member.filter(|member| self.project.has_own_types(*member));
            let base = match own {
                Some(member) => self.named(scope, &self.project.resolve_at(member, &r.name), Args::default()),
                None => self.meaning(scope, &r.name, |(_, ty)| ty.clone()),
            };
            let args = || r.args.iter().map(|arg| self.read(scope, member, arg)).collect();
            match base {
                Ty::Project { id, .. } => Ty::Project { id, args: args() },
                Ty::Library { fqn, .. } => Ty::Library { fqn, args: args() },
                other => other,
            }
        };
        (0..r.dims).fold(base, |ty, _| Ty::array(ty))
    }

    /// The declared signature of a member.
    pub fn signature(&self, id: MemberId) -> &Signature {
        self.members_of(id.ty).signatures[id.index as usize].get_or_init(|| {
            let member = self.project.member(id);
            let read = |r: &TypeRef| self.read(id.ty, Some(id), r);
            let ret = match (&member.ty, member.kind) {
                (Some(ty), _) => read(ty),
                (None, MemberKind::EnumConstant) => Ty::project(id.ty),
                (None, _) => Ty::prim("void"),
            };
            Signature {
                vars: names(&member.type_params),
                params: member.params.iter().map(|param| read(&param.ty)).collect(),
                varargs: member.params.last().is_some_and(|param| param.varargs),
                ret,
            }
        })
    }

    /// The first bound of a type variable in scope; `Object` if it has none.
    pub fn bound(&self, scope: TypeId, member: Option<MemberId>, var: &str) -> Ty {
        self.bounds(scope, member, var).into_iter().next().unwrap_or(Ty::Unknown)
    }

    /// The bounds of a type variable in scope, with bounds that are type variables expanded; `Object` if it has none,
    /// empty if no such variable is in scope.
    pub fn bounds(&self, scope: TypeId, member: Option<MemberId>, var: &str) -> Vec<Ty> {
        let mut found = self.declared_bounds(scope, member, var);
        let mut seen = vec![Name::from(var)];
        while let Some(at) = found.iter().position(|bound| matches!(bound, Ty::Var(_))) {
            let Ty::Var(above) = found.remove(at) else { break };
            if !seen.contains(&above) {
                seen.push(above);
                found.splice(at..at, self.declared_bounds(scope, member, &above));
            }
        }
        found
    }

    fn declared_bounds(&self, scope: TypeId, member: Option<MemberId>, var: &str) -> Vec<Ty> {
        let of = |params: &[TypeParam], scope: TypeId, member: Option<MemberId>| {
            let param = params.iter().find(|param| param.name == var)?;
            let bounds: Vec<Ty> = param.bounds.iter().map(|bound| self.read(scope, member, bound)).collect();
            Some(if bounds.is_empty() { vec![Ty::library("java.lang.Object")] } else { bounds })
        };
        let mut at = member.map_or(Some((scope, None)), |member| Some((member.ty, Some(member))));
        while let Some((ty, member)) = at {
            let own = member.and_then(|member| of(&self.project.member(member).type_params, ty, Some(member)));
            if let Some(bound) = own.or_else(|| of(&self.project.ty(ty).type_params, ty, None)) {
                return bound;
            }
            at = match self.project.within(ty) {
                Some(within) => Some((within.ty, Some(within))),
                None => self.project.outer(ty).map(|outer| (outer, None)),
            };
        }
        Vec::new()
    }

    /// The type of `this` in a class: the type with its own parameters as arguments.
    pub fn this_type(&self, id: TypeId) -> Ty {
        Ty::Project { id, args: self.members_of(id).params.iter().cloned().map(Ty::Var).collect() }
    }

    /// A type and all its known supertypes, breadth first, in terms of its own parameters.
    pub fn ancestors(&self, id: TypeId) -> &[Ty] {
        self.members_of(id).ancestors.get_or_init(|| {
            let params = self.members_of(id).params.iter().cloned().map(Ty::Var).collect();
            let mut found = vec![Ty::Project { id, args: params }];
            let mut at = 0;
            while at < found.len() && found.len() < MAX_SUPERS {
                let bases = match &found[at] {
                    Ty::Project { id, args } => {
                        let index = self.members_of(*id);
                        let bindings = bind(&index.params, args);
                        index.supers.iter().map(|base| base.close(&bindings, &index.params)).collect()
                    }
                    library @ Ty::Library { .. } => library_supers(library),
                    _ => Vec::new(),
                };
                for base in bases {
                    if !found.iter().any(|known| same_class(known, &base)) {
                        found.push(base);
                    }
                }
                at += 1;
            }
            found
        })
    }

    /// A type and all its supertypes with its type arguments applied.
    pub fn supers_of(&self, ty: &Ty) -> Vec<Ty> {
        match ty {
            Ty::Project { id, args } => {
                let params = &self.members_of(*id).params;
                let bindings = bind(params, args);
                self.ancestors(*id).iter().map(|base| base.close(&bindings, params)).collect()
            }
            Ty::Library { .. } => library_supers(ty),
            _ => vec![ty.clone()],
        }
    }

    /// The types of [`Types::supers_of`] that `wanted` accepts; `wanted` sees them without the type arguments
    /// applied.
    pub fn supers_where(&self, ty: &Ty, wanted: impl Fn(&Ty) -> bool) -> Vec<Ty> {
        match ty {
            Ty::Project { id, args } => {
                let mut wanted = self.ancestors(*id).iter().filter(|base| wanted(base)).peekable();
                if wanted.peek().is_none() {
                    return Vec::new();
                }
                let params = &self.members_of(*id).params;
                let bindings = bind(params, args);
                wanted.map(|base| base.close(&bindings, params)).collect()
            }
            Ty::Library { .. } => library_supers_where(ty, wanted),
            _ => Vec::from_iter(wanted(ty).then(|| ty.clone())),
        }
    }

    /// The first type of [`Types::supers_where`].
    pub fn super_where(&self, ty: &Ty, wanted: impl Fn(&Ty) -> bool) -> Option<Ty> {
        let Ty::Project { id, args } = ty else { return self.supers_where(ty, wanted).into_iter().next() };
        let base = self.ancestors(*id).iter().find(|base| wanted(base))?;
        let params = &self.members_of(*id).params;
        Some(base.close(&bind(params, args), params))
    }

    /// Whether a project type equals another one or is a subtype of it.
    pub fn is_subtype(&self, below: TypeId, above: TypeId) -> bool {
        below == above || self.ancestors(below).iter().any(|base| base.as_project() == Some(above))
    }

    /// Whether a name denotes a type that belongs to the project but was not found; most likely the build generates
    /// it.
    pub fn is_missing(&self, fqn: &str) -> bool {
        if fqn.starts_with('?') {
            return true;
        }
        let (packages, roots) = self.packages.get_or_init(|| {
            let names = || self.project.files().map(|file| &self.project.file(file).facts.package);
            (names().cloned().collect(), names().map(|name| root(name).to_owned()).collect())
        });
        if !roots.contains(root(fqn)) {
            return false;
        }
        let mut end = fqn.len();
        while let Some(dot) = fqn[..end].rfind('.') {
            let package = &fqn[..dot];
            if package.contains('.') && packages.contains(package) {
                return true;
            }
            end = dot;
        }
        false
    }

    /// How well a value of type `arg` fits a parameter of type `param`.
    pub fn fit(&self, arg: &Ty, param: &Ty) -> Fit {
        match (arg, param) {
            (Ty::Unknown | Ty::Var(_) | Ty::Opaque(_), _) | (_, Ty::Unknown | Ty::Opaque(_) | Ty::Null) => Fit::Maybe,
            (Ty::Prim(_), Ty::Var(_)) => Fit::Loose,
            (_, Ty::Var(_)) => Fit::Strict,
            (Ty::Null, Ty::Prim(_)) => Fit::No,
            (Ty::Null, _) => Fit::Strict,
            (Ty::Prim(from), Ty::Prim(to)) => strict_if(widens(from, to)),
            (Ty::Prim(_), _) => match self.fit(&arg.boxed(), param) {
                Fit::Strict => Fit::Loose,
                other => other,
            },
            (_, Ty::Prim(to)) => match arg.unboxed() {
                Some(from) if widens(from, to) => Fit::Loose,
                _ => Fit::No,
            },
            (Ty::Array(from), Ty::Array(to)) => match (&**from, &**to) {
                (Ty::Prim(from), Ty::Prim(to)) => strict_if(from == to),
                (Ty::Prim(_), Ty::Var(_)) | (_, Ty::Prim(_)) => Fit::No,
                (from, to) => self.fit(from, to).min(Fit::Strict),
            },
            (_, Ty::Array(_)) => Fit::No,
            (Ty::Array(_), Ty::Library { fqn, .. }) => strict_if(is_root(fqn)),
            (Ty::Array(_), Ty::Project { .. }) => Fit::No,
            (Ty::Project { id, .. }, Ty::Project { id: above, .. }) => {
                if self.is_subtype(*id, *above) {
                    Fit::Strict
                } else if self.has_missing_super(*id) {
                    Fit::Maybe
                } else {
                    Fit::No
                }
            }
            (Ty::Library { fqn, .. }, Ty::Project { .. }) => {
                if self.is_missing(fqn) {
                    Fit::Maybe
                } else {
                    Fit::No
                }
            }
            (_, Ty::Library { fqn, .. }) => self.fit_library(arg, fqn),
        }
    }

    fn fit_library(&self, arg: &Ty, param: &str) -> Fit {
        if param == "java.lang.Object" {
            return Fit::Strict;
        }
        let known;
        let supers = match arg {
            // Type arguments do not matter here.
            Ty::Project { id, .. } => self.ancestors(*id),
            _ => {
                known = self.supers_of(arg);
                &known
            }
        };
        let renamed = |one: &str, other: &str| {
            one.strip_prefix("jakarta.").is_some_and(|rest| other.strip_prefix("javax.") == Some(rest))
        };
        let same = |fqn: &str| fqn == param || renamed(fqn, param) || renamed(param, fqn);
        if supers.iter().any(|base| base.library_name().is_some_and(same)) {
            return Fit::Strict;
        }
        if is_final(param) || arg.library_name().is_some_and(|fqn| is_final(fqn) && !is_interface_of_finals(param)) {
            return Fit::No;
        }
        let open = supers.iter().any(|base| base.library_name().is_some_and(|fqn| library_type(fqn).is_none()));
        if open || library_type(param).is_none() { Fit::Maybe } else { Fit::No }
    }

    fn has_missing_super(&self, id: TypeId) -> bool {
        self.ancestors(id).iter().any(|base| base.library_name().is_some_and(|fqn| self.is_missing(fqn)))
    }

    /// The parameter types and result type of the method that a lambda of this type implements.
    pub fn functional(&self, ty: &Ty) -> Option<(Vec<Ty>, Ty)> {
        match ty {
            Ty::Library { .. } => {
                let (base, method) = signatures::functional(ty)?;
                let Ty::Library { fqn, args } = &base else { return None };
                let params = &library_type(fqn)?.params;
                let bindings = bind(params, args);
                let close = |ty: &Ty| ty.close(&bindings, params);
                Some((method.params.iter().map(close).collect(), close(&method.ret)))
            }
            Ty::Project { id, .. } => {
                let method = self.functional_method(*id)?;
                let owner = self.captured(&self.owner_of(&self.captured(ty), method.ty)?);
                let signature = self.signature(method);
                let bindings = self.bindings(&owner);
                let params = &self.members_of(method.ty).params;
                let close = |ty: &Ty| ty.close(&bindings, params);
                Some((signature.params.iter().map(close).collect(), close(&signature.ret)))
            }
            _ => None,
        }
    }

    /// The single abstract method of a project interface, own or inherited.
    pub fn functional_method(&self, id: TypeId) -> Option<MemberId> {
        if self.project.ty(id).kind != TypeKind::Interface {
            return None;
        }
        let mut found: Option<MemberId> = None;
        for base in self.ancestors(id).iter().filter_map(Ty::as_project) {
            for member in self.project.members(base).filter(|member| self.is_abstract(*member)) {
                match found {
                    Some(known) if self.project.member(known).name != self.project.member(member).name => return None,
                    Some(_) => {}
                    None => found = Some(member),
                }
            }
        }
        found
    }

    /// Whether a method has no body and classes have to implement it.
    pub fn is_abstract(&self, id: MemberId) -> bool {
        let member = self.project.member(id);
        member.kind == MemberKind::Method && member.body.is_none()
    }

    /// The supertype `base` of a type, with the type arguments that the type gives it.
    pub fn owner_of(&self, ty: &Ty, base: TypeId) -> Option<Ty> {
        self.super_where(ty, |known| known.as_project() == Some(base))
    }

    /// Binds the type parameters of a type to its arguments.
    pub fn bindings(&self, ty: &Ty) -> Bindings {
        match ty {
            Ty::Project { id, args } => bind(&self.members_of(*id).params, args),
            Ty::Library { fqn, args } => library_type(fqn).map(|known| bind(&known.params, args)).unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}

/// The first part of a dotted name.
fn root(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

fn names(params: &[TypeParam]) -> Vec<Name> {
    params.iter().map(|param| param.name.as_str().into()).collect()
}

pub(crate) fn same_class(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Project { id: a, .. }, Ty::Project { id: b, .. }) => a == b,
        (Ty::Library { fqn: a, .. }, Ty::Library { fqn: b, .. }) => a == b,
        _ => a == b,
    }
}

fn strict_if(fits: bool) -> Fit {
    if fits { Fit::Strict } else { Fit::No }
}

/// Whether this is a supertype of every array.
fn is_root(fqn: &str) -> bool {
    matches!(fqn, "java.lang.Object" | "java.lang.Cloneable" | "java.io.Serializable")
}

/// Final classes of the JDK.
fn is_final(fqn: &str) -> bool {
    matches!(
        fqn,
        "java.lang.String"
            | "java.lang.Integer"
            | "java.lang.Long"
            | "java.lang.Double"
            | "java.lang.Float"
            | "java.lang.Boolean"
            | "java.lang.Character"
            | "java.lang.Short"
            | "java.lang.Byte"
            | "java.lang.Class"
            | "java.util.Optional"
            | "java.util.UUID"
    )
}

/// Interfaces that final classes of the JDK implement, besides those in their signatures.
fn is_interface_of_finals(fqn: &str) -> bool {
    matches!(
        fqn,
        "java.io.Serializable"
            | "java.lang.constant.Constable"
            | "java.lang.constant.ConstantDesc"
            | "java.lang.reflect.Type"
            | "java.lang.reflect.AnnotatedElement"
            | "java.lang.reflect.GenericDeclaration"
    )
}
