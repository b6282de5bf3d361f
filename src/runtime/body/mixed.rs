//! JSON mappers of the project that differ from a plain mapper only in mix-ins: which classes have a mix-in, and
//! which values that affects.

use std::collections::BTreeSet;

use mastor_java::interpret::engine::machine::Machine;
use mastor_java::interpret::values::scalar::ClassRef;
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::facts::{MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// Annotations by which a mix-in changes an object to another JSON form.
const FORMS: &[&str] =
    &["JsonValue", "JsonSerialize", "JsonFormat", "JsonTypeInfo", "JsonIdentityInfo", "JsonRootName"];
/// Calls that register mix-ins.
const TELLS: &[&str] = &["put", "addMixIn", "addMixInAnnotations", "setMixIns", "setMixInAnnotations"];

/// The classes with a mix-in in the mapper of a factory method; `None` if the mapper may differ from a plain one in
/// more than mix-ins.
pub fn targets(project: &Project, factory: MemberId) -> Option<BTreeSet<TypeId>> {
    let body = project.body(factory)?;
    let mut mapper = None;
    for expr in &body.exprs {
        match &expr.kind {
            ExprKind::New { ty, anonymous: None, .. } if ty.simple() == "MappingJackson2HttpMessageConverter" => {}
            ExprKind::New { ty, anonymous: None, args, .. } if args.is_empty() && mapper.is_none() => {
                mapper = project.resolve(factory.ty, &ty.name).project();
                mapper?;
            }
            _ => return None,
        }
    }
    let mapper = mapper?;
    let above: Vec<&str> = project.library_supers(mapper);
    if above != ["com.fasterxml.jackson.databind.ObjectMapper"] || !project.all_supers(mapper).is_empty() {
        return None;
    }
    let mut found = BTreeSet::new();
    for member in project.members(mapper) {
        if !matches!(project.member(member).kind, MemberKind::Constructor | MemberKind::Initializer) {
            return None;
        }
        told(project, member, &mut found)?;
    }
    Some(found)
}

/// Collects the mix-ins that a member registers; `None` if it does anything else.
fn told(project: &Project, member: MemberId, found: &mut BTreeSet<TypeId>) -> Option<()> {
    let body = project.body(member)?;
    for expr in &body.exprs {
        match &expr.kind {
            ExprKind::Call { name, args, .. } if TELLS.contains(&name.as_str()) => {
                let [target, mixin] = args.as_slice() else { continue };
                let (ExprKind::ClassLit(target), ExprKind::ClassLit(mixin)) =
                    (&body.expr(*target).kind, &body.expr(*mixin).kind)
                else {
                    return None;
                };
                let (Named::Project(target), Named::Project(mixin)) =
                    (project.resolve(member.ty, &target.name), project.resolve(member.ty, &mixin.name))
                else {
                    return None;
                };
                is_object(project, mixin).then(|| found.insert(target))?;
            }
            ExprKind::New { ty, .. } if matches!(ty.simple(), "HashMap" | "LinkedHashMap") => {}
            ExprKind::ClassLit(_) | ExprKind::Name(_) | ExprKind::This(_) | ExprKind::Super(_) => {}
            _ => return None,
        }
    }
    Some(())
}

/// Whether an object with this mix-in is still written as a JSON object.
fn is_object(project: &Project, mixin: TypeId) -> bool {
    let facts = project.ty(mixin);
    let annotations = || facts.annotations.iter();
    !annotations().any(|one| FORMS.contains(&one.simple()))
        && !facts.members.iter().flat_map(|member| &member.annotations).any(|one| one.simple() == "JsonValue")
}

/// Properties of everything that a type contains and that is written to JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContentSummary {
    /// Contains a class with a mix-in, or an unknown class.
    pub is_touched: bool,
    /// Contains a type that a plain mapper writes in another form than the framework's mapper, or cannot write.
    pub is_odd: bool,
    /// Contains a getter that does more than return a field.
    pub computes: bool,
}

/// Examines all types reachable from a type through fields and getters.
pub fn within(machine: &Machine<'_>, mixed: &BTreeSet<TypeId>, ty: &Type) -> ContentSummary {
    let project = machine.project;
    let mut found = ContentSummary::default();
    let mut seen = BTreeSet::new();
    let mut open = vec![ty.clone()];
    while let Some(ty) = open.pop() {
        let id = match ty {
            Type::Array(element) => {
                open.push(*element);
                continue;
            }
            Type::Class(ClassRef::Library(fqn), args) => {
                found.is_odd |= fqn.starts_with("java.time.") || fqn.starts_with("org.joda.") || is_dated(&fqn);
                found.is_touched |=
                    &*fqn == "java.lang.Object" || fqn.starts_with("java.util.") && args.is_empty() && is_raw(&fqn);
                open.extend(args);
                continue;
            }
            Type::Class(ClassRef::Project(id), args) => {
                open.extend(args);
                id
            }
            Type::Unknown => {
                found.is_touched = true;
                continue;
            }
            Type::Prim(_) | Type::Boxed(_) | Type::Str | Type::Void => continue,
        };
        if !seen.insert(id) {
            continue;
        }
        found.is_touched |= mixed.contains(&id) || matches!(project.ty(id).kind, TypeKind::Interface);
        if project.ty(id).kind == TypeKind::Enum {
            continue;
        }
        for of in std::iter::once(id).chain(project.all_supers(id)) {
            for member in project.members(of) {
                let facts = project.member(member);
                let is_static = facts.modifiers.has(Modifiers::STATIC);
                match facts.kind {
                    MemberKind::Field | MemberKind::RecordComponent if !is_static => {
                        open.push(machine.field_type(member))
                    }
                    MemberKind::Method if !is_static && is_getter(&facts.name, facts.params.len()) => {
                        found.computes |= !gives_field(project, member);
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

fn is_dated(fqn: &str) -> bool {
    matches!(
        fqn,
        "java.util.Date" | "java.util.Calendar" | "java.util.Optional" | "java.sql.Timestamp" | "java.sql.Date"
    )
}

fn is_raw(fqn: &str) -> bool {
    ["List", "Set", "Map", "Collection"].iter().any(|end| fqn.ends_with(end))
}

fn is_getter(name: &str, params: usize) -> bool {
    params == 0
        && name != "getClass"
        && (name.starts_with("get") && name.len() > 3 || name.starts_with("is") && name.len() > 2)
}

/// Whether a method only returns a field.
fn gives_field(project: &Project, member: MemberId) -> bool {
    let Some(body) = project.body(member) else { return false };
    let own = |name: &str| {
        std::iter::once(member.ty).chain(project.all_supers(member.ty)).any(|ty| project.own_field(ty, name).is_some())
    };
    body.stmts.len() <= 2
        && body.exprs.iter().all(|expr| match &expr.kind {
            ExprKind::Name(name) | ExprKind::Field { name, .. } => own(name),
            ExprKind::This(None) => true,
            _ => false,
        })
}
