//! Beans as MapStruct sees them: their readable and writable properties, and how objects are created.

use mastor_java::interpret::classes::objects::{capitalised, lombok_property};
use mastor_java::ir::facts::{Annotation, MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::ty::Ty;
use mastor_java::types::typing::Types;

/// A readable or writable property.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// How the property is accessed.
    pub access: Access,
    /// Its type.
    pub ty: Ty,
}

/// How a property is read or set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// By the method with this name.
    Method(String),
    /// By the field.
    Field,
    /// By adding elements to the collection that the getter with this name returns.
    Filled(String),
}

/// How an object of a type is created.
#[derive(Debug, Clone, PartialEq)]
pub enum Maker {
    /// By a constructor without arguments, then by setters.
    Empty,
    /// By a constructor with these properties as parameters.
    Full(Vec<(String, Ty)>),
    /// By the builder that Lombok generates, which has these properties.
    Built(Vec<Property>),
}

/// The classes and interfaces of a bean, the most general first, each with its type arguments; `None` if a supertype is
/// unknown.
fn line(types: &Types<'_>, ty: &Ty) -> Option<Vec<(TypeId, Ty)>> {
    let id = ty.as_project()?;
    let project = types.project();
    if project.has_unknown_super(id) || matches!(project.ty(id).kind, TypeKind::Enum | TypeKind::Annotation) {
        return None;
    }
    let all = types.supers_of(ty).into_iter().filter_map(|base| Some((base.as_project()?, base.clone())));
    let mut found: Vec<(TypeId, Ty)> = all.collect();
    found.reverse();
    Some(found)
}

fn is_seen(types: &Types<'_>, member: MemberId) -> bool {
    let project = types.project();
    let modifiers = project.member(member).modifiers;
    let open = project.ty(member.ty).kind == TypeKind::Interface || modifiers.has(Modifiers::PUBLIC);
    open && !modifiers.has(Modifiers::STATIC) && !modifiers.has(Modifiers::PRIVATE)
}

/// The readable properties of a bean, without duplicates, in order; `None` if they are not known.
pub fn readable(types: &Types<'_>, ty: &Ty) -> Option<Vec<Property>> {
    let project = types.project();
    let mut found: Vec<Property> = Vec::new();
    let mut add = |name: String, access: Access, ty: Ty| {
        match found.iter_mut().find(|known| known.name == name) {
            Some(known) => *known = Property { name, access, ty },
            None => found.push(Property { name, access, ty }),
        };
    };
    for (id, owner) in line(types, ty)? {
        let bindings = types.bindings(&owner);
        let is_record = project.ty(id).kind == TypeKind::Record;
        for member in project.members(id) {
            let facts = project.member(member);
            let ret = types.signature(member).ret.subst(&bindings);
            match facts.kind {
                MemberKind::RecordComponent => add(facts.name.clone(), Access::Method(facts.name.clone()), ret),
                MemberKind::Field if !facts.modifiers.has(Modifiers::STATIC) && !is_record => {
                    let getters =
                        [format!("get{}", capitalised(&facts.name)), format!("is{}", capitalised(&facts.name))];
                    let getter = getters.iter().find(|name| lombok_property(project, id, name, 0) == Some(member));
                    match getter {
                        Some(name) => add(facts.name.clone(), Access::Method(name.clone()), ret),
                        None if facts.modifiers.has(Modifiers::PUBLIC) => add(facts.name.clone(), Access::Field, ret),
                        None => {}
                    }
                }
                MemberKind::Method if facts.params.is_empty() && is_seen(types, member) => {
                    if let Some(name) = getter_of(&facts.name, &ret) {
                        add(name, Access::Method(facts.name.clone()), ret);
                    }
                }
                _ => {}
            }
        }
    }
    Some(found)
}

/// The property that a getter with this name reads.
fn getter_of(name: &str, ty: &Ty) -> Option<String> {
    let is_truth = matches!(ty, Ty::Prim(name) if &**name == "boolean") || ty.unboxed() == Some("boolean");
    if matches!(ty, Ty::Prim(name) if &**name == "void") || name == "getClass" {
        return None;
    }
    let rest = name.strip_prefix("get").or_else(|| name.strip_prefix("is").filter(|_| is_truth))?;
    (!rest.is_empty()).then(|| decapitalised(rest))
}

/// Implements `Introspector.decapitalize`.
pub fn decapitalised(name: &str) -> String {
    let mut chars = name.chars();
    let (first, second) = (chars.next(), chars.next());
    if first.is_some_and(char::is_uppercase) && second.is_some_and(char::is_uppercase) {
        return name.to_owned();
    }
    let mut chars = name.chars();
    chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect()
}

/// The properties of a bean that can be set after its creation, without duplicates, in order; `None` if they are not
/// known.
pub fn writable(types: &Types<'_>, ty: &Ty) -> Option<Vec<Property>> {
    let project = types.project();
    let mut found: Vec<(Property, u8)> = Vec::new();
    let mut add = |property: Property, rank: u8| match found.iter_mut().find(|(known, _)| known.name == property.name) {
        Some((_, known)) if *known > rank => {}
        Some(known) => *known = (property, rank),
        None => found.push((property, rank)),
    };
    for (id, owner) in line(types, ty)? {
        let bindings = types.bindings(&owner);
        for member in project.members(id) {
            let facts = project.member(member);
            let signature = types.signature(member);
            match facts.kind {
                MemberKind::Field if !facts.modifiers.has(Modifiers::STATIC) => {
                    let ty = signature.ret.subst(&bindings);
                    let setter = format!("set{}", capitalised(&facts.name));
                    let name = facts.name.clone();
                    if lombok_property(project, id, &setter, 1) == Some(member) {
                        add(Property { name, access: Access::Method(setter), ty }, 3);
                    } else if facts.modifiers.has(Modifiers::PUBLIC) && !facts.modifiers.has(Modifiers::FINAL) {
                        add(Property { name, access: Access::Field, ty }, 1);
                    }
                }
                MemberKind::Method
                    if facts.params.len() == 1 && is_seen(types, member) && facts.type_params.is_empty() =>
                {
                    let ty = signature.params.first()?.subst(&bindings);
                    let access = Access::Method(facts.name.clone());
                    let rest =
                        facts.name.strip_prefix("set").filter(|rest| rest.starts_with(|c: char| c.is_uppercase()));
                    let is_adder =
                        facts.name.strip_prefix("add").is_some_and(|rest| rest.starts_with(char::is_uppercase));
                    let is_fluent = types.super_where(&owner, |base| base.as_project() == signature.ret.as_project());
                    if let Some(rest) = rest {
                        add(Property { name: decapitalised(rest), access, ty }, 3);
                    } else if signature.ret.as_project().is_some() && is_fluent.is_some() && !is_adder {
                        add(Property { name: facts.name.clone(), access, ty }, 2);
                    }
                }
                _ => {}
            }
        }
    }
    // A collection without a setter is filled through its getter.
    for property in readable(types, ty)? {
        if let Access::Method(getter) = &property.access
            && getter.starts_with("get")
            && is_collection(types, &property.ty)
        {
            let access = Access::Filled(getter.clone());
            add(Property { access, ..property }, 0);
        }
    }
    Some(found.into_iter().map(|(property, _)| property).collect())
}

fn is_collection(types: &Types<'_>, ty: &Ty) -> bool {
    types.super_where(ty, |base| base.library_name() == Some("java.util.Collection")).is_some()
}

/// The element type of a library collection.
pub fn element(types: &Types<'_>, ty: &Ty) -> Option<Ty> {
    ty.library_name()?;
    let base = types
        .super_where(ty, |base| matches!(base.library_name(), Some("java.lang.Iterable" | "java.util.Collection")))?;
    match base {
        Ty::Library { args, .. } => args.first().cloned(),
        _ => None,
    }
}

/// How an object of a type is created; the error says what is not followed.
pub fn maker(types: &Types<'_>, ty: &Ty) -> Result<Maker, String> {
    let project = types.project();
    let id = ty.as_project().ok_or("the target is of no type of the project")?;
    let facts = project.ty(id);
    let name = &facts.name;
    let has = |names: &[&str]| facts.annotations.iter().any(|one| names.contains(&one.simple()));
    if facts.modifiers.has(Modifiers::ABSTRACT) || !matches!(facts.kind, TypeKind::Class | TypeKind::Record) {
        return Err(format!("{name} cannot be made"));
    }
    if has_builder(types, id) {
        return Err(format!("{name} has a builder of its own"));
    }
    if has(&["Builder", "SuperBuilder"]) {
        let built = built_properties(types, ty).map(Maker::Built);
        return built.ok_or_else(|| format!("the builder of {name} is not followed"));
    }
    let bindings = types.bindings(ty);
    let open: Vec<MemberId> = project
        .members(id)
        .filter(|member| {
            let facts = project.member(*member);
            facts.kind == MemberKind::Constructor && !facts.modifiers.has(Modifiers::PRIVATE)
        })
        .collect();
    let declared = project.members(id).any(|member| project.member(member).kind == MemberKind::Constructor);
    let full = |params: Vec<(String, Ty)>| Ok(Maker::Full(params));
    let components = || {
        let all = project.members(id).filter(|member| project.member(*member).kind == MemberKind::RecordComponent);
        all.map(|member| (project.member(member).name.clone(), types.signature(member).ret.subst(&bindings))).collect()
    };
    if facts.kind == TypeKind::Record {
        return if open.iter().all(|member| types.signature(*member).params.is_empty()) {
            full(components())
        } else {
            Err(format!("{name} has several constructors"))
        };
    }
    if has(&["NoArgsConstructor"]) || open.iter().any(|member| project.member(*member).params.is_empty()) {
        return Ok(Maker::Empty);
    }
    if has(&["AllArgsConstructor", "RequiredArgsConstructor", "Value"]) {
        return Err(format!("{name} is made by constructors of Lombok's"));
    }
    match open.as_slice() {
        [] if !declared => Ok(Maker::Empty),
        [only] => {
            let names = project.member(*only).params.iter().map(|param| param.name.clone());
            full(names.zip(types.signature(*only).params.iter().map(|ty| ty.subst(&bindings))).collect())
        }
        _ => Err(format!("{name} has several constructors, or none that is open")),
    }
}

/// The properties of the builder that Lombok generates for a class or record: its fields that an initialiser does not fix, and
/// with `@SuperBuilder` those of its superclasses. `None` if the builder has other names or adds single elements.
fn built_properties(types: &Types<'_>, ty: &Ty) -> Option<Vec<Property>> {
    let project = types.project();
    let own = ty.as_project()?;
    let builder = |one: &&Annotation| ["Builder", "SuperBuilder"].contains(&one.simple());
    let said = project.ty(own).annotations.iter().find(builder)?;
    if said.args.iter().any(|(name, _)| name != "toBuilder") {
        return None;
    }
    let mut found = Vec::new();
    for (id, owner) in line(types, ty)? {
        if id != own && said.simple() != "SuperBuilder" {
            continue;
        }
        let bindings = types.bindings(&owner);
        for member in project.members(id) {
            let facts = project.member(member);
            let is_fixed = facts.modifiers.has(Modifiers::FINAL) && facts.body.is_some();
            match facts.kind {
                MemberKind::RecordComponent => {}
                MemberKind::Field if project.ty(id).kind == TypeKind::Class => {}
                _ => continue,
            }
            if facts.annotations.iter().any(|one| one.simple() == "Singular") {
                return None;
            }
            if !facts.modifiers.has(Modifiers::STATIC) && !is_fixed {
                let ty = types.signature(member).ret.subst(&bindings);
                found.push(Property { name: facts.name.clone(), access: Access::Method(facts.name.clone()), ty });
            }
        }
    }
    Some(found)
}

/// Whether a type has a static method that returns a builder.
fn has_builder(types: &Types<'_>, id: TypeId) -> bool {
    let project = types.project();
    project.members(id).any(|member| {
        let facts = project.member(member);
        let is_static = facts.kind == MemberKind::Method && facts.modifiers.has(Modifiers::STATIC);
        is_static
            && facts.params.is_empty()
            && types.signature(member).ret.as_project().is_some_and(|builder| {
                project.members(builder).any(|method| {
                    let facts = project.member(method);
                    facts.kind == MemberKind::Method
                        && facts.params.is_empty()
                        && types.signature(method).ret.as_project() == Some(id)
                        && builder != id
                })
            })
    })
}
