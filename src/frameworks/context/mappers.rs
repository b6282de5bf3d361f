//! Edges of mappers that the build generates from an annotated interface (MapStruct): to accessors of the mapped types,
//! and to the mappers that they use.

use std::collections::BTreeSet;

use crate::routing::Inputs;
use mastor_java::ir::facts::{MemberKind, Modifiers, TypeKind, TypeRef, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::objects::injection::{EdgeSource, ExtraEdges};
use mastor_java::project::index::Project;

/// Adds the edges of every `@Mapper`.
pub(super) fn add(inputs: &Inputs<'_>, edges: &mut ExtraEdges) {
    add_to(inputs.project, edges);
}

fn add_to(project: &Project, edges: &mut ExtraEdges) {
    for ty in project.types() {
        let facts = project.ty(ty);
        let Some(mapper) = facts.annotations.iter().find(|a| a.simple() == "Mapper") else { continue };
        if !matches!(facts.kind, TypeKind::Interface | TypeKind::Class) {
            continue;
        }
        let line = std::iter::once(ty).chain(project.all_supers(ty));
        let used = classes(mapper.arg("uses")).into_iter().filter_map(|used| project.resolve(ty, &used).project());
        let is_method = |member: &MemberId| project.member(*member).kind == MemberKind::Method;
        let is_named = |named: &Named| matches!(named, Named::Library(name) if &**name != "org.mapstruct.Mapper");
        let other = is_named(&project.resolve(ty, &mapper.name));
        let helpers: Vec<MemberId> = line.chain(used).flat_map(|ty| project.members(ty)).filter(is_method).collect();
        for member in project.members(ty).filter(|m| is_abstract(project, *m)) {
            // If the generated implementation is known, the edges come from its calls.
            let made = implemented(project, member);
            if !made.is_empty() {
                edges.add(EdgeSource::Member(member), made, "is implemented by generated code");
                continue;
            }
            let mapping = Mapping::of(project, member);
            edges.add(EdgeSource::Member(member), mapping.accessors(project), "is mapped by generated code");
            // Other libraries with an annotation of this name fill objects too, but call no helper methods.
            let helpers = helpers.iter().copied().filter(|_| !other);
            let helps = helpers.filter(|helper| *helper != member && mapping.uses(project, *helper));
            edges.add(EdgeSource::Member(member), helps, "may be used by generated code");
        }
    }
}

/// The generated implementation of a method, with the fields and constructors of its class.
fn implemented(project: &Project, member: MemberId) -> Vec<MemberId> {
    let made = project.overriders(member).into_iter().filter(|other| project.origin(other.ty).is_some());
    let mut all: Vec<MemberId> = made.collect();
    let classes: BTreeSet<TypeId> = all.iter().map(|member| member.ty).collect();
    let held = |member: &MemberId| matches!(project.member(*member).kind, MemberKind::Field | MemberKind::Constructor);
    all.extend(classes.into_iter().flat_map(|ty| project.members(ty)).filter(held));
    all
}

fn is_abstract(project: &Project, member: MemberId) -> bool {
    let facts = project.member(member);
    facts.kind == MemberKind::Method && facts.body.is_none() && !facts.modifiers.has(Modifiers::STATIC)
}

/// The mapping of one generated method: the types that it reads and the types that it makes or fills, including the
/// types of their properties.
struct Mapping {
    from: Side,
    to: Side,
    /// Whether annotations of the inverse method apply to it too.
    inverse: bool,
    /// Words in its annotations: names of helpers, code.
    words: BTreeSet<String>,
}

/// The types on one side of a mapping.
#[derive(Default)]
struct Side {
    types: BTreeSet<TypeId>,
    /// The types that are properties or elements: helpers are called only for these.
    parts: BTreeSet<TypeId>,
    /// Simple names of types outside of the project.
    others: BTreeSet<String>,
    /// Whether one of them can hold unknown types: a class that the build generates, a type variable.
    open: bool,
}

impl Mapping {
    fn of(project: &Project, member: MemberId) -> Self {
        let facts = project.member(member);
        let (mut from, mut to) = (Side::default(), Side::default());
        to.add(project, member.ty, facts.ty.iter());
        for param in &facts.params {
            let filled = param.annotations.iter().any(|a| a.simple() == "MappingTarget");
            let side = if filled { &mut to } else { &mut from };
            side.add(project, member.ty, std::iter::once(&param.ty));
        }
        let inverse = facts.annotations.iter().any(|a| a.simple() == "InheritInverseConfiguration");
        let mut texts = Vec::new();
        facts.annotations.iter().flat_map(|a| &a.args).for_each(|(_, value)| text_of(value, &mut texts));
        let words = texts.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$'));
        Self { from, to, inverse, words: words.map(str::to_owned).collect() }
    }

    /// Members of the mapped types that generated code may call.
    fn accessors(&self, project: &Project) -> Vec<MemberId> {
        let types: BTreeSet<TypeId> = self.from.types.union(&self.to.types).copied().collect();
        let wanted = |member: &MemberId| {
            let facts = project.member(*member);
            let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| facts.name.starts_with(prefix));
            let filled = self.to.types.contains(&member.ty);
            match facts.kind {
                MemberKind::Field | MemberKind::RecordComponent => true,
                MemberKind::Constructor => filled,
                MemberKind::Method => {
                    let reads = starts(&["get", "is", "has"]);
                    let fills = filled && starts(&["set", "add", "with", "build"]);
                    // A fluent accessor has the name of its field.
                    let fluent = project.own_field(member.ty, &facts.name).is_some();
                    facts.params.len() <= 1 && (reads || fills || fluent)
                }
                _ => false,
            }
        };
        types.iter().flat_map(|ty| project.members(*ty)).filter(wanted).collect()
    }

    /// Whether generated code may call this helper: an annotation names it, or it maps a type of one side to a type of
    /// the other.
    fn uses(&self, project: &Project, helper: MemberId) -> bool {
        let facts = project.member(helper);
        let mut named = vec![facts.name.clone()];
        for annotation in &facts.annotations {
            named.push(annotation.simple().to_owned());
            let name = annotation.args.iter().filter(|_| annotation.simple() == "Named");
            name.for_each(|(_, value)| text_of(value, &mut named));
        }
        if named.iter().any(|name| self.words.contains(name)) {
            return true;
        }
        const AROUND: [&str; 3] = ["BeforeMapping", "AfterMapping", "ObjectFactory"];
        let around = facts.annotations.iter().any(|a| AROUND.contains(&a.simple()));
        let fits = |from: &Side, to: &Side| {
            let open = |side: &Side, other: &Side, ty: &TypeRef| {
                side.open && !ty.args.iter().chain([ty]).any(|ty| other.is_own(project, helper, ty))
            };
            let has = |side: &Side, ty: &TypeRef| {
                let other = if std::ptr::eq(side, from) { to } else { from };
                side.has(project, helper, ty, around) || open(side, other, ty)
            };
            let mut params =
                facts.params.iter().filter(|param| !param.annotations.iter().any(|a| a.simple() == "Context"));
            let made = facts.ty.as_ref().filter(|ty| ty.name != "void");
            if around {
                return made.is_none_or(|ty| has(to, ty)) && params.all(|p| has(from, &p.ty) || has(to, &p.ty));
            }
            let makes = match made {
                Some(ty) => has(to, ty),
                None => params.clone().any(|p| has(to, &p.ty)),
            };
            makes && params.any(|p| has(from, &p.ty))
        };
        fits(&self.from, &self.to) || (self.inverse && fits(&self.to, &self.from))
    }
}

impl Side {
    /// Adds the types of references and, transitively, of their fields.
    fn add<'a>(&mut self, project: &Project, scope: TypeId, references: impl Iterator<Item = &'a TypeRef>) {
        let mut queue: Vec<(TypeId, TypeRef, bool)> =
            references.map(|reference| (scope, reference.clone(), reference.dims > 0)).collect();
        while let Some((scope, reference, part)) = queue.pop() {
            queue.extend(reference.args.iter().map(|arg| (scope, arg.clone(), true)));
            let ty = match project.resolve(scope, &reference.name) {
                Named::Project(ty) => ty,
                named => {
                    self.others.insert(reference.simple().to_owned());
                    self.open |= match named {
                        Named::Library(name) => !name.starts_with("java."),
                        Named::Primitive | Named::Project(_) => false,
                        Named::TypeVar(_) | Named::Unknown(_) => true,
                    };
                    continue;
                }
            };
            for ty in std::iter::once(ty).chain(project.all_supers(ty)) {
                if part {
                    self.parts.insert(ty);
                }
                if !self.types.insert(ty) {
                    continue;
                }
                let holds = |m: &&mastor_java::ir::facts::MemberFacts| {
                    matches!(m.kind, MemberKind::Field | MemberKind::RecordComponent)
                        || (m.kind == MemberKind::Method && m.params.is_empty() && m.name.starts_with("get"))
                };
                let held = project.ty(ty).members.iter().filter(holds).filter_map(|m| m.ty.clone());
                queue.extend(held.map(|reference| (ty, reference, true)));
            }
        }
    }

    /// Whether this is a project type of this side.
    fn is_own(&self, project: &Project, at: MemberId, ty: &TypeRef) -> bool {
        project.resolve_at(at, &ty.name).project().is_some_and(|ty| self.types.contains(&ty))
    }

    /// Whether a value of this type can occur on this side. Containers count by their elements only.
    fn has(&self, project: &Project, at: MemberId, ty: &TypeRef, whole: bool) -> bool {
        let types = if whole { &self.types } else { &self.parts };
        match project.resolve_at(at, &ty.name).project() {
            Some(ty) => {
                let below = project.all_subtypes(ty);
                std::iter::once(ty).chain(below).chain(project.all_supers(ty)).any(|ty| types.contains(&ty))
            }
            None if !ty.args.is_empty() => ty.args.iter().all(|arg| self.has(project, at, arg, whole)),
            // Type variables and `Object` can be anything.
            None => ty.simple() == "Object" || ty.simple().len() == 1 || self.others.contains(ty.simple()),
        }
    }
}

fn text_of(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Str(text) => found.push(text.clone()),
        Value::Class(ty) => found.push(ty.simple().to_owned()),
        Value::Array(items) => items.iter().for_each(|item| text_of(item, found)),
        Value::Annotation(inner) => inner.args.iter().for_each(|(_, value)| text_of(value, found)),
        _ => {}
    }
}

fn classes(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Class(ty)) => vec![ty.name.to_string()],
        Some(Value::Array(items)) => items.iter().flat_map(|item| classes(Some(item))).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_mapping_uses_what_maps_its_parts_and_no_other_method_of_its_mapper() {
        let project = Project::from_sources(&[
            ("a/Pet.java", "package a; class Pet { String name; } class PetDto { String name; }"),
            (
                "a/Owner.java",
                "package a; import java.util.*; class Owner { List<Pet> pets; } class OwnerDto { List<PetDto> pets; }",
            ),
            (
                "a/M.java",
                "package a; import java.util.*; @Mapper interface M { OwnerDto toDto(Owner o); Owner toOwner(OwnerDto d); \
                 List<OwnerDto> toDtos(Collection<Owner> o); PetDto toPet(Pet p); Pet ofPet(PetDto p); \
                 @Mapping(target = \"x\", qualifiedByName = \"odd\") PetDto special(Pet p); @Named(\"odd\") default int odd(long x) { return 1; } }",
            ),
        ]);
        let ty = project.by_fqn("a.M").unwrap();
        let method = |name: &str| project.members(ty).find(|m| project.member(*m).name == name).unwrap();
        let uses = |name: &str| {
            let mapping = Mapping::of(&project, method(name));
            let all = project.members(ty).filter(|m| *m != method(name) && mapping.uses(&project, *m));
            all.map(|m| project.member(m).name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(uses("toDto"), ["toPet", "special"]);
        assert_eq!(uses("toDtos"), ["toDto", "toPet", "special"]);
        assert_eq!(uses("toOwner"), ["ofPet"]);
        assert_eq!(uses("toPet"), [""; 0]);
        assert_eq!(uses("special"), ["odd"]);
    }

    #[test]
    fn the_mapper_of_another_library_calls_no_other_method() {
        let of = |import: &str| {
            let text = format!(
                "package a; import {import}; class Pet {{ int id; }} @Mapper interface M {{ Pet one(Pet p); Pet other(Pet p); @Mapping(x = \"other\") Pet named(Pet p); }}"
            );
            let project = Project::from_sources(&[("a/M.java", text.as_str())]);
            let mut edges = ExtraEdges::default();
            add_to(&project, &mut edges);
            let ty = project.by_fqn("a.M").unwrap();
            let named = project.members(ty).find(|m| project.member(*m).name == "named").unwrap();
            let leads = edges.from(&EdgeSource::Member(named)).iter();
            leads.map(|(member, _)| project.member(*member).name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(of("org.mapstruct.*"), ["id", "other"]);
        assert_eq!(of("org.apache.ibatis.annotations.Mapper"), ["id"]);
    }

    #[test]
    fn a_class_that_the_build_generates_can_hold_what_any_helper_maps() {
        let project = Project::from_sources(&[
            (
                "a/User.java",
                "package a; import java.util.*; class User { Set<Role> roles; } class Role { String name; }",
            ),
            (
                "a/M.java",
                "package a; import java.util.*; import g.*; import g.UserDto; import g.RoleDto; @Mapper interface M { \
                 @Mapping(target = \"id\", ignore = true) Role toRole(RoleDto r); RoleDto toRoleDto(Role r); \
                 @Mapping(target = \"id\", ignore = true) User toUser(UserDto u); UserDto toUserDto(User u); }",
            ),
        ]);
        let ty = project.by_fqn("a.M").unwrap();
        let method = |name: &str| project.members(ty).find(|m| project.member(*m).name == name).unwrap();
        let uses = |name: &str| {
            let mapping = Mapping::of(&project, method(name));
            let all = project.members(ty).filter(|m| *m != method(name) && mapping.uses(&project, *m));
            all.map(|m| project.member(m).name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(uses("toUser"), ["toRole"]);
        assert_eq!(uses("toUserDto"), ["toRoleDto"]);
    }
}
