//! Looks up members of a type by name: own and inherited members, members that Lombok generates, and members of
//! library supertypes.

use super::signatures::{LibraryMethod, library_type};
use super::typing::Types;
use crate::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, TypeKind};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::name::Name;
use crate::ir::ty::{Args, Ty};

/// Name of the pseudo type of a builder that Lombok generates; its type argument is the built type.
pub const BUILDER: &str = "lombok.Builder";

/// A method that a call may select.
#[derive(Debug, Clone)]
pub enum Candidate {
    /// A method of the project.
    Project {
        /// The method.
        id: MemberId,
        /// The declaring type, with the type arguments that the receiver implies.
        owner: Ty,
    },
    /// A method of a library type with known signatures.
    Library {
        /// The method.
        method: &'static LibraryMethod,
        /// The declaring type, with its type arguments.
        owner: Ty,
    },
}

/// A generated method that exists only after compilation; it reads or writes fields.
#[derive(Debug, Clone)]
pub struct Generated {
    /// The field that it reads or writes; `None` if it takes all fields or creates a builder.
    pub field: Option<MemberId>,
    /// Its return type.
    pub ret: Ty,
}

impl Types<'_> {
    /// The methods of this name that accept `arity` arguments: own and inherited, most derived first.
    pub fn methods(&self, ty: &Ty, name: &str, arity: usize) -> Vec<Candidate> {
        let mut all: Vec<Candidate> = Vec::new();
        let has_one = |base: &Ty| match base {
            Ty::Project { id, .. } => self.members_of(*id).methods.contains_key(name),
            Ty::Library { fqn, .. } => library_type(fqn).is_some_and(|known| known.has(name)),
            _ => false,
        };
        for owner in self.supers_where(&self.captured(ty), has_one) {
            let owner = self.captured(&owner);
            let candidates = match &owner {
                Ty::Project { id, .. } => self.own_methods(*id, &owner, name),
                _ => library_methods(&owner, name),
            };
            all.extend(candidates.into_iter().filter(|candidate| {
                let (types, varargs) = self.parameters(candidate);
                takes(types.len(), varargs, arity) && !self.is_hidden(candidate, ty)
            }));
        }
        if all.len() < 2 {
            return all;
        }
        let mut found: Vec<(Candidate, Vec<Ty>)> = Vec::new();
        for candidate in all {
            let erased = self.erased_parameters(&candidate);
            if !found.iter().any(|(_, known)| *known == erased) {
                found.push((candidate, erased));
            }
        }
        found.into_iter().map(|(candidate, _)| candidate).collect()
    }

    /// Erased parameter types of a candidate, with its owner's type arguments applied: two methods with equal ones
    /// override each other.
    fn erased_parameters(&self, candidate: &Candidate) -> Vec<Ty> {
        let owner = candidate.owner();
        let (bindings, (types, varargs)) = (self.bindings(owner), self.parameters(candidate));
        let params: &[Name] = match owner {
            Ty::Project { id, .. } => &self.members_of(*id).params,
            _ => owner.library_name().and_then(library_type).map(|known| known.params.as_slice()).unwrap_or_default(),
        };
        let mut erased: Vec<Ty> = types.iter().map(|ty| ty.close(&bindings, params).erased()).collect();
        if varargs && let Some(last) = erased.pop() {
            erased.push(Ty::array(last));
        }
        erased
    }

    /// Whether a candidate is a private method of a supertype, which is not inherited.
    fn is_hidden(&self, candidate: &Candidate, of: &Ty) -> bool {
        candidate.member().is_some_and(|member| {
            Some(member.ty) != of.as_project() && self.project.member(member).modifiers.has(Modifiers::PRIVATE)
        })
    }

    fn own_methods(&self, id: TypeId, owner: &Ty, name: &str) -> Vec<Candidate> {
        let own = self.members_of(id).methods.get(name).map(Vec::as_slice).unwrap_or_default();
        own.iter()
            .map(|index| Candidate::Project { id: MemberId { ty: id, index: *index }, owner: owner.clone() })
            .collect()
    }

    /// The constructors that accept `arity` arguments.
    pub fn constructors(&self, ty: &Ty, arity: usize) -> Vec<Candidate> {
        let candidates: Vec<Candidate> = match ty {
            Ty::Project { id, .. } => self
                .members_of(*id)
                .constructors
                .iter()
                .map(|index| Candidate::Project { id: MemberId { ty: *id, index: *index }, owner: ty.clone() })
                .collect(),
            _ => library_methods(ty, "<init>"),
        };
        candidates
            .into_iter()
            .filter(|candidate| {
                let (params, varargs) = self.parameters(candidate);
                takes(params.len(), varargs, arity)
            })
            .collect()
    }

    /// Declared parameter types of a candidate, and whether the last is variable.
    pub fn parameters<'s>(&'s self, candidate: &'s Candidate) -> (&'s [Ty], bool) {
        match candidate {
            Candidate::Project { id, .. } => {
                let signature = self.signature(*id);
                (&signature.params, signature.varargs)
            }
            Candidate::Library { method, .. } => (&method.params, method.varargs),
        }
    }

    /// A field, constant or component, own or inherited, with its type.
    pub fn field(&self, ty: &Ty, name: &str) -> Option<(MemberId, Ty)> {
        let has_one = |base: &Ty| base.as_project().is_some_and(|id| self.members_of(id).fields.contains_key(name));
        let owner = self.captured(&self.super_where(&self.captured(ty), has_one)?);
        let id = owner.as_project()?;
        let field = MemberId { ty: id, index: *self.members_of(id).fields.get(name)? };
        let declared = &self.signature(field).ret;
        Some((field, declared.close(&self.bindings(&owner), &self.members_of(id).params)))
    }

    /// The generated method that a call selects: an accessor of a record, or a method from Lombok.
    pub fn generated(&self, ty: &Ty, name: &str, arity: usize) -> Option<Generated> {
        if let Ty::Library { fqn, args } = ty
            && &**fqn == BUILDER
        {
            return self.builder_method(ty, args.first()?, name, arity);
        }
        for owner in self.supers_where(ty, |base| base.as_project().is_some_and(|id| self.may_generate(id))) {
            let Some(id) = owner.as_project() else { continue };
            let facts = self.project.ty(id);
            if facts.kind == TypeKind::Record && arity == 0 {
                let own = self.members_of(id).fields.get(name).map(|index| MemberId { ty: id, index: *index });
                if let Some((field, ret)) = own.and_then(|_| self.field(&owner, name)) {
                    return Some(Generated { field: Some(field), ret });
                }
            }
            if let Some(found) = self.lombok(id, &owner, name, arity) {
                return Some(found);
            }
        }
        None
    }

    /// Whether a type may have generated methods: a record, or a type with annotations.
    fn may_generate(&self, id: TypeId) -> bool {
        let facts = self.project.ty(id);
        facts.kind == TypeKind::Record
            || !facts.annotations.is_empty()
            || facts.members.iter().any(|member| !member.annotations.is_empty())
    }

    fn lombok(&self, id: TypeId, owner: &Ty, name: &str, arity: usize) -> Option<Generated> {
        let facts = self.project.ty(id);
        if arity == 0
            && matches!(name, "builder" | "toBuilder")
            && has(&facts.annotations, &["Builder", "SuperBuilder"])
            || arity == 0 && matches!(name, "builder" | "toBuilder") && self.builds(id)
        {
            return Some(Generated {
                field: None,
                ret: Ty::Library { fqn: BUILDER.into(), args: Args::one(owner.clone()) },
            });
        }
        for member in self.project.members(id) {
            let field = self.project.member(member);
            if field.kind != MemberKind::Field {
                continue;
            }
            let is_static = field.modifiers.has(Modifiers::STATIC);
            let all = |names: &[&str]| (!is_static && has(&facts.annotations, names)) || has(&field.annotations, names);
            let ret = || self.field(owner, &field.name).map(|(_, ty)| ty);
            if arity == 0 && all(&["Getter", "Data", "Value"]) && is_getter(field, name) {
                return Some(Generated { field: Some(member), ret: ret()? });
            }
            if arity == 1 && all(&["Setter", "Data"]) && is_setter(field, name) {
                return Some(Generated { field: Some(member), ret: owner.clone() });
            }
            if arity == 1 && all(&["With", "Wither"]) && name == format!("with{}", capital(&field.name)) {
                return Some(Generated { field: Some(member), ret: owner.clone() });
            }
        }
        None
    }

    /// Whether a constructor or static method of the type has a builder.
    fn builds(&self, id: TypeId) -> bool {
        self.project.members(id).any(|member| has(&self.project.member(member).annotations, &["Builder"]))
    }

    fn builder_method(&self, builder: &Ty, built: &Ty, name: &str, arity: usize) -> Option<Generated> {
        if name == "build" && arity == 0 {
            return Some(Generated { field: None, ret: built.clone() });
        }
        let field = self.field(built, name).map(|(field, _)| field);
        Some(Generated { field, ret: builder.clone() })
    }

    /// Whether Lombok generates constructors for the type.
    pub fn has_generated_constructor(&self, id: TypeId) -> bool {
        let names = ["AllArgsConstructor", "RequiredArgsConstructor", "NoArgsConstructor", "Data", "Value", "Builder"];
        has(&self.project.ty(id).annotations, &names)
    }

    /// Whether `name` is the logger field that Lombok generates for a type.
    pub fn logger(&self, id: TypeId, name: &str) -> bool {
        let names = ["Slf4j", "Log", "Log4j", "Log4j2", "CommonsLog", "JBossLog", "Flogger", "XSlf4j", "CustomLog"];
        name == "log" && has(&self.project.ty(id).annotations, &names)
    }

    /// The nearest library supertypes: the source of members that the project does not declare.
    pub fn library_bases(&self, ty: &Ty) -> Vec<Ty> {
        self.supers_where(ty, |base| base.library_name().is_some())
    }
}

/// Whether a method with `params` parameters accepts `arity` arguments.
pub fn takes(params: usize, varargs: bool, arity: usize) -> bool {
    if varargs { arity + 1 >= params } else { arity == params }
}

fn library_methods(owner: &Ty, name: &str) -> Vec<Candidate> {
    let Some(known) = owner.library_name().and_then(library_type) else { return Vec::new() };
    known.named(name).map(|method| Candidate::Library { method, owner: owner.clone() }).collect()
}

fn has(annotations: &[Annotation], names: &[&str]) -> bool {
    annotations.iter().any(|annotation| names.contains(&annotation.simple()))
}

fn is_getter(field: &MemberFacts, name: &str) -> bool {
    let boolean = field.ty.as_ref().is_some_and(|ty| ty.name == "boolean" && ty.dims == 0);
    let rest = name.strip_prefix("get").or_else(|| name.strip_prefix("is").filter(|_| boolean));
    name == field.name || rest.is_some_and(|rest| rest == capital(&field.name))
}

fn is_setter(field: &MemberFacts, name: &str) -> bool {
    let rest = name.strip_prefix("set");
    name == field.name
        || rest.is_some_and(|rest| rest == capital(&field.name) || field.name.strip_prefix("is") == Some(rest))
}

/// `name` → `Name`.
pub fn capital(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

impl Candidate {
    /// Type parameters of the method itself.
    pub fn vars<'s>(&'s self, types: &'s Types<'_>) -> &'s [Name] {
        match self {
            Self::Project { id, .. } => &types.signature(*id).vars,
            Self::Library { method, .. } => &method.vars,
        }
    }

    /// The declared return type.
    pub fn ret<'s>(&'s self, types: &'s Types<'_>) -> &'s Ty {
        match self {
            Self::Project { id, .. } => &types.signature(*id).ret,
            Self::Library { method, .. } => &method.ret,
        }
    }

    /// The declaring type.
    pub fn owner(&self) -> &Ty {
        match self {
            Self::Project { owner, .. } | Self::Library { owner, .. } => owner,
        }
    }

    /// The method, if it belongs to the project.
    pub fn member(&self) -> Option<MemberId> {
        match self {
            Self::Project { id, .. } => Some(*id),
            Self::Library { .. } => None,
        }
    }
}
