//! Resolves type names (JLS §6.4, §6.5): type parameters, member types, imports, the package, wildcard imports,
//! `java.lang`.

use std::cell::RefCell;
use std::sync::PoisonError;

use super::index::Project;
use super::library_names::{self, Listed};
use crate::ir::facts::{Import, MemberKind, Modifiers, Nesting, TypeKind, TypeParam, TypeRef};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::named::{Named, StaticName, Super};

/// Maximum depth of nested name resolutions.
const MAX_DEPTH: usize = 40;

impl Project {
    /// The meaning of a type name, simple or dotted, in the body of the type `scope`.
    pub fn resolve(&self, scope: TypeId, name: &str) -> Named {
        Resolver { project: self, building: None }.name(scope, name)
    }

    /// Adds every project type that a written type names in `scope`, including its type arguments.
    pub fn named_in(&self, scope: TypeId, written: &TypeRef, found: &mut impl Extend<TypeId>) {
        found.extend(self.resolve(scope, &written.name).project());
        written.args.iter().for_each(|arg| self.named_in(scope, arg, found));
    }

    /// The meaning of a type name in a member: the member's own type parameters first, then the types declared in its
    /// body.
    pub fn resolve_at(&self, member: MemberId, name: &str) -> Named {
        let (head, rest) = split(name);
        if rest.is_none() && self.member(member).type_params.iter().any(|param| param.name == head) {
            return Named::TypeVar(head.to_owned());
        }
        let local = self.inner(member.ty).iter().copied().find(|id| {
            let ty = self.ty(*id);
            ty.nesting == Nesting::Local && ty.within == Some(member.index) && ty.name == head
        });
        match (local, rest) {
            (Some(local), None) => Named::Project(local),
            (Some(local), Some(rest)) => Resolver { project: self, building: None }.walk(local, rest, name),
            (None, _) => self.resolve(member.ty, name),
        }
    }

    /// Whether a member declares type names of its own: type parameters, or types in its body.
    pub fn has_own_types(&self, member: MemberId) -> bool {
        let is_local = |id: &TypeId| {
            let ty = self.ty(*id);
            ty.nesting == Nesting::Local && ty.within == Some(member.index)
        };
        !self.member(member).type_params.is_empty() || self.inner(member.ty).iter().any(is_local)
    }

    /// The possible meanings of `name` through the static imports of the file of `scope`: single imports first,
    /// wildcards only if there is none.
    pub fn resolve_static(&self, scope: TypeId, name: &str) -> Vec<StaticName> {
        let imports = &self.file(self.file_of(scope)).facts.imports;
        let resolver = Resolver { project: self, building: None };
        let mut found = Vec::new();
        for import in imports.iter().filter(|import| import.is_static && !import.wildcard) {
            if let Some((owner, member)) = import.path.rsplit_once('.')
                && member == name
            {
                match resolver.canonical(scope, owner) {
                    Named::Project(ty) => self.static_members(ty, name, &mut found),
                    _ => found.push(StaticName::Library(import.path.clone())),
                }
            }
        }
        if !found.is_empty() {
            return found;
        }
        let mut libraries = Vec::new();
        for import in imports.iter().filter(|import| import.is_static && import.wildcard) {
            match resolver.canonical(scope, &import.path) {
                Named::Project(ty) => self.static_members(ty, name, &mut found),
                _ => libraries.push(StaticName::Library(format!("{}.{name}", import.path))),
            }
        }
        if found.is_empty() { libraries } else { found }
    }

    fn static_members(&self, ty: TypeId, name: &str, found: &mut Vec<StaticName>) {
        for owner in std::iter::once(ty).chain(self.all_supers(ty)) {
            let interface = matches!(self.ty(owner).kind, TypeKind::Interface | TypeKind::Annotation);
            for id in self.members(owner) {
                let member = self.member(id);
                let is_static = member.modifiers.has(Modifiers::STATIC)
                    || member.kind == MemberKind::EnumConstant
                    || (interface && member.kind == MemberKind::Field);
                if is_static && member.name == name && !found.contains(&StaticName::Member(id)) {
                    found.push(StaticName::Member(id));
                }
            }
        }
    }
}

/// The direct supertypes of every type, by id. While a type's supertypes are resolved, they are not searched for
/// names themselves, so that cycles end.
pub(crate) fn direct_supers(project: &Project) -> Vec<Vec<Super>> {
    let building =
        Building { slots: RefCell::new(vec![Slot::Open; project.all_types().len()]), depth: RefCell::new(0) };
    let resolver = Resolver { project, building: Some(&building) };
    for id in project.all_types() {
        resolver.ensure(&building, id);
    }
    let slots = building.slots.into_inner();
    slots.into_iter().map(|slot| if let Slot::Done(supers) = slot { supers } else { Vec::new() }).collect()
}

/// State while supertypes are resolved.
struct Building {
    slots: RefCell<Vec<Slot>>,
    depth: RefCell<usize>,
}

#[derive(Clone)]
enum Slot {
    Open,
    Busy,
    Done(Vec<Super>),
}

#[derive(Clone, Copy)]
struct Resolver<'p> {
    project: &'p Project,
    building: Option<&'p Building>,
}

impl Resolver<'_> {
    fn name(&self, scope: TypeId, name: &str) -> Named {
        if is_primitive(name) {
            return Named::Primitive;
        }
        self.dotted(scope, self.simple(scope, split(name).0), name)
    }

    /// Resolves the rest of a dotted name whose first part means `head`.
    fn dotted(&self, scope: TypeId, head: Option<Named>, name: &str) -> Named {
        match (head, split(name).1) {
            (Some(found), None) => found,
            (Some(Named::Project(ty)), Some(rest)) => self.walk(ty, rest, name),
            (Some(Named::Library(library)), Some(rest)) => Named::Library(format!("{library}.{rest}")),
            (None, Some(_)) => self.canonical(scope, name),
            _ => Named::Unknown(name.to_owned()),
        }
    }

    /// Resolves a simple name in the body of `scope`.
    fn simple(&self, scope: TypeId, name: &str) -> Option<Named> {
        let project = self.project;
        let mut here = Some(scope);
        while let Some(ty) = here {
            let facts = project.ty(ty);
            if is_param(&facts.type_params, name) {
                return Some(Named::TypeVar(name.to_owned()));
            }
            if let Some(member) = self.member_type(ty, name) {
                return Some(Named::Project(member));
            }
            if facts.name == name {
                return Some(Named::Project(ty));
            }
            let outer = project.outer(ty);
            if let Some((outer, within)) = outer.zip(facts.within) {
                let method = &project.ty(outer).members.get(within as usize);
                if method.is_some_and(|method| is_param(&method.type_params, name)) {
                    return Some(Named::TypeVar(name.to_owned()));
                }
                let sibling = project.inner(outer).iter().copied().find(|id| {
                    let other = project.ty(*id);
                    other.nesting == Nesting::Local && other.within == Some(within) && other.name == name
                });
                if let Some(sibling) = sibling {
                    return Some(Named::Project(sibling));
                }
            }
            here = outer;
        }
        self.in_file(scope, name)
    }

    /// Resolves a simple name by imports, the package and `java.lang`. The result is the same for all types of a
    /// file, so it is cached per file.
    fn in_file(&self, scope: TypeId, name: &str) -> Option<Named> {
        if self.building.is_some() {
            return self.imported(scope, name);
        }
        let known = &self.project.imported[self.project.file_of(scope).0 as usize];
        if let Some(found) = known.lock().unwrap_or_else(PoisonError::into_inner).get(name) {
            return found.clone();
        }
        let found = self.imported(scope, name);
        known.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into(), found.clone());
        found
    }

    fn imported(&self, scope: TypeId, name: &str) -> Option<Named> {
        let project = self.project;
        let file = project.file(project.file_of(scope));
        let imports = &file.facts.imports;
        let top = project.types_of(project.file_of(scope)).find(|id| {
            let ty = project.ty(*id);
            ty.outer.is_none() && ty.name == name
        });
        if let Some(top) = top {
            return Some(Named::Project(top));
        }
        for import in imports.iter().filter(|import| !import.wildcard && ends_with(&import.path, name)) {
            if !import.is_static {
                return Some(match self.project_type(scope, &import.path) {
                    Some(ty) => Named::Project(ty),
                    None => Named::Library(import.path.clone()),
                });
            }
            if let Some(ty) = self.project_type(scope, &import.path) {
                return Some(Named::Project(ty));
            }
        }
        if let Some(ty) = self.in_package(scope, &file.facts.package, name) {
            return Some(Named::Project(ty));
        }
        for import in imports.iter().filter(|import| import.wildcard) {
            if let Some(ty) = self.project_type(scope, &dotted(&import.path, name)) {
                return Some(Named::Project(ty));
            }
        }
        if library_names::is_java_lang(name) {
            return Some(Named::Library(format!("java.lang.{name}")));
        }
        self.library_wildcard(imports, name).or_else(|| {
            // A library model can name all types of its own package.
            let is_neighbour = project.is_model(scope) && is_capital(name);
            is_neighbour.then(|| Named::Library(dotted(&file.facts.package, name)))
        })
    }

    /// A name that only a wildcard import of a library can supply: from a package known to contain it, or else from
    /// the only package that may.
    fn library_wildcard(&self, imports: &[Import], name: &str) -> Option<Named> {
        let (mut candidates, mut of_another_release) = (Vec::new(), Vec::new());
        for import in imports.iter().filter(|import| import.wildcard && !import.is_static) {
            match library_names::listed(&import.path, name) {
                Listed::There => return Some(Named::Library(format!("{}.{name}", import.path))),
                Listed::Never => {}
                Listed::NotInThese => of_another_release.push(&import.path),
                Listed::Unknown
                    if !self.project.package(&import.path).is_empty()
                        || self.project.by_fqn(&import.path).is_some() => {}
                // A lower-case name is the first part of a package: `java.util.List`.
                Listed::Unknown if name.starts_with(|c: char| c.is_ascii_lowercase()) => {}
                Listed::Unknown => candidates.push(&import.path),
            }
        }
        let candidates = if candidates.is_empty() { of_another_release } else { candidates };
        match candidates.as_slice() {
            [only] if is_capital(name) => Some(Named::Library(format!("{only}.{name}"))),
            _ => None,
        }
    }

    fn in_package(&self, scope: TypeId, package: &str, name: &str) -> Option<TypeId> {
        if package.is_empty() {
            return self.project.nearest(scope, self.project.seen_by(scope, name));
        }
        self.project.nearest(scope, self.project.seen_by(scope, &dotted(package, name)))
    }

    /// The project type with this full name; the last parts may be inherited member types.
    fn project_type(&self, scope: TypeId, fqn: &str) -> Option<TypeId> {
        if let Some(found) = self.project.nearest(scope, self.project.seen_by(scope, fqn)) {
            return Some(found);
        }
        let (owner, member) = fqn.rsplit_once('.')?;
        let owner = self.project.nearest(scope, self.project.seen_by(scope, owner))?;
        self.member_type(owner, member)
    }

    /// Resolves a dotted name that starts with a package.
    fn canonical(&self, scope: TypeId, name: &str) -> Named {
        let project = self.project;
        if let Some(found) = self.project.nearest(scope, project.seen_by(scope, name)) {
            return Named::Project(found);
        }
        let mut end = name.len();
        while let Some(dot) = name[..end].rfind('.') {
            if let Some(found) = self.project.nearest(scope, project.seen_by(scope, &name[..dot])) {
                return self.walk(found, &name[dot + 1..], name);
            }
            end = dot;
        }
        let package: Vec<&str> = name.split('.').take_while(|part| !is_capital(part)).collect();
        let has_type = package.len() < name.split('.').count();
        if package.is_empty() || !has_type || !project.package(&package.join(".")).is_empty() {
            return Named::Unknown(name.to_owned());
        }
        Named::Library(name.to_owned())
    }

    /// Resolves the remaining parts of a dotted name as member types.
    fn walk(&self, from: TypeId, rest: &str, whole: &str) -> Named {
        let mut here = from;
        for part in rest.split('.') {
            match self.member_type(here, part) {
                Some(next) => here = next,
                None => return Named::Unknown(whole.to_owned()),
            }
        }
        Named::Project(here)
    }

    /// A member type, own or inherited.
    fn member_type(&self, ty: TypeId, name: &str) -> Option<TypeId> {
        // Fast path: most names are not nested types of the project.
        let nested = self.project.by_simple(name).iter().any(|id| self.project.ty(*id).nesting == Nesting::Member);
        if !nested && !self.project.is_model(ty) {
            return None;
        }
        let mut queue = vec![ty];
        let mut at = 0;
        while let Some(here) = queue.get(at).copied() {
            let own = self.project.inner(here).iter().copied().find(|id| {
                let inner = self.project.ty(*id);
                inner.nesting == Nesting::Member && inner.name == name
            });
            if own.is_some() {
                return own;
            }
            for above in self.supers(here) {
                if !queue.contains(&above) {
                    queue.push(above);
                }
            }
            at += 1;
        }
        None
    }

    fn supers(&self, ty: TypeId) -> Vec<TypeId> {
        let ids = |supers: &[Super]| supers.iter().filter_map(|found| found.named.project()).collect();
        match self.building {
            None => ids(&self.project.supers[ty.0 as usize]),
            Some(building) => {
                self.ensure(building, ty);
                match &building.slots.borrow()[ty.0 as usize] {
                    Slot::Done(supers) => ids(supers),
                    Slot::Open | Slot::Busy => Vec::new(),
                }
            }
        }
    }

    fn ensure(&self, building: &Building, ty: TypeId) {
        if !matches!(building.slots.borrow()[ty.0 as usize], Slot::Open) || *building.depth.borrow() > MAX_DEPTH {
            return;
        }
        building.slots.borrow_mut()[ty.0 as usize] = Slot::Busy;
        *building.depth.borrow_mut() += 1;
        let facts = self.project.ty(ty);
        let supers = facts.extends.iter().chain(&facts.implements).map(|written| self.superclass(ty, written));
        let supers = supers.collect();
        *building.depth.borrow_mut() -= 1;
        building.slots.borrow_mut()[ty.0 as usize] = Slot::Done(supers);
    }

    fn superclass(&self, ty: TypeId, written: &TypeRef) -> Super {
        // A header is resolved in the scope around the type; member types of its body are not visible.
        let facts = self.project.ty(ty);
        let name = written.name.as_str();
        let head = split(name).0;
        let named = if is_param(&facts.type_params, head) {
            Named::TypeVar(head.to_owned())
        } else if self.project.outer(ty).is_some() {
            self.around(ty, name)
        } else {
            self.dotted(ty, self.in_file(ty, head), name)
        };
        let named = if named == Named::Project(ty) { Named::Unknown(written.name.to_string()) } else { named };
        Super { named, args: written.args.clone() }
    }

    /// Resolves a name in the header of a nested type.
    fn around(&self, ty: TypeId, name: &str) -> Named {
        let facts = self.project.ty(ty);
        let Some(outer) = self.project.outer(ty) else { return self.name(ty, name) };
        let (head, rest) = split(name);
        let sibling = facts.within.and_then(|within| {
            self.project.inner(outer).iter().copied().find(|id| {
                let other = self.project.ty(*id);
                *id != ty && other.nesting == Nesting::Local && other.within == Some(within) && other.name == head
            })
        });
        match (sibling, rest) {
            (Some(found), None) => Named::Project(found),
            (Some(found), Some(rest)) => self.walk(found, rest, name),
            (None, _) => self.name(outer, name),
        }
    }
}

fn split(name: &str) -> (&str, Option<&str>) {
    match name.split_once('.') {
        Some((head, rest)) => (head, Some(rest)),
        None => (name, None),
    }
}

/// Whether `name` is the last part of a dotted path.
fn ends_with(path: &str, name: &str) -> bool {
    path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// `path.name`, without a format string: this is a hot path, and formatting takes several times as long.
fn dotted(path: &str, name: &str) -> String {
    let mut whole = String::with_capacity(path.len() + name.len() + 1);
    whole.push_str(path);
    whole.push('.');
    whole.push_str(name);
    whole
}

fn is_param(params: &[TypeParam], name: &str) -> bool {
    params.iter().any(|param| param.name == name)
}

fn is_capital(part: &str) -> bool {
    part.chars().next().is_some_and(char::is_uppercase)
}

fn is_primitive(name: &str) -> bool {
    matches!(name, "boolean" | "byte" | "short" | "char" | "int" | "long" | "float" | "double" | "void" | "var")
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
