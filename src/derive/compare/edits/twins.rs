//! Methods that a container calls and that only one revision has: bean factories and exception handlers. Whether the other
//! revision has the same one in another place, and whether the operation can notice that it came or went.

use std::collections::BTreeSet;

use super::declarations::is_harmless;
use super::met_exceptions::{handled, handler_is_noticed};
use crate::compare::objects::handed::{handed, is_run_around};
use crate::compare::sides::revision::{InjectionPoint, InjectionPoints};
use crate::compare::sides::side::Side;
use mastor_java::interpret::linking::alike::are_alike;
use mastor_java::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, TypeRef};
use mastor_java::ir::ids::{MemberId, TypeId};

/// What became of a method that only one revision has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::compare) enum Fate {
    /// The operation cannot notice that it came or went.
    Unnoticed,
    /// This method of the other revision takes its place.
    Replaced(MemberId),
    /// It is new or gone.
    Alone,
}

/// What became of a factory method or exception handler that only `this` revision has; `None` for other members.
pub(in crate::compare) fn fate(this: &Side<'_>, other: &Side<'_>, member: MemberId) -> Option<Fate> {
    let facts = this.bench.subject.project.member(member);
    let (twin, is_noticed) = if has(facts, "Bean") {
        (same_bean(this, other, member), bean_is_noticed(this, other, member))
    } else if has(facts, "ExceptionHandler") {
        (same_handler(this, other, member), handler_is_noticed(this, other, member))
    } else {
        return None;
    };
    let is_alike = |twin: MemberId| {
        let codes = [(this, member), (other, twin)].map(|(side, id)| side.bench.codes.code(id));
        let projects = [this, other].map(|side| side.bench.subject.project);
        match codes {
            [Some(own), Some(of_twin)] => are_alike((projects[0], &own), (projects[1], &of_twin)),
            _ => false,
        }
    };
    Some(match twin {
        _ if !is_noticed => Fate::Unnoticed,
        Some(twin) if is_alike(twin) => Fate::Unnoticed,
        Some(twin) => Fate::Replaced(twin),
        None => Fate::Alone,
    })
}

/// Whether a class that only one revision has consists of factory methods whose coming or going is not noticed.
pub(in crate::compare) fn is_unnoticed_configuration(this: &Side<'_>, other: &Side<'_>, ty: TypeId) -> bool {
    let project = this.bench.subject.project;
    let facts = project.ty(ty);
    let is_plain = |one: &Annotation| one.simple() == "Configuration" || is_harmless(std::slice::from_ref(one));
    let is_unnoticed = |member: MemberId| {
        let own = project.member(member);
        fate(this, other, member)
            .map_or_else(|| own.annotations.is_empty() || own.kind == MemberKind::Field, |fate| fate == Fate::Unnoticed)
    };
    facts.annotations.iter().any(|one| one.simple() == "Configuration")
        && facts.annotations.iter().all(is_plain)
        && project.supers(ty).is_empty()
        && project.members(ty).all(is_unnoticed)
}

fn has(facts: &MemberFacts, annotation: &str) -> bool {
    facts.annotations.iter().any(|one| one.simple() == annotation)
}

/// Whether a revision lacks a member of the other one.
fn lacks(side: &Side<'_>, of: &Side<'_>, member: MemberId) -> bool {
    side.member(&of.bench.subject.project.symbol(member)).is_none()
}

/// The factory method of the other revision that makes the bean of the same type and name, or the only other bean of the
/// type that came or went.
fn same_bean(this: &Side<'_>, other: &Side<'_>, member: MemberId) -> Option<MemberId> {
    let facts = this.bench.subject.project.member(member);
    let made = |side: &Side<'_>, by: &Side<'_>| -> Vec<MemberId> {
        let named = facts.ty.as_ref().and_then(|ty| side.bench.subject.shared.produced.get(ty.simple()));
        named.into_iter().flatten().copied().filter(|id| lacks(by, side, *id)).collect()
    };
    let (twins, own) = (made(other, this), made(this, other));
    let name = |id: &&MemberId| other.bench.subject.project.member(**id).name == facts.name;
    match twins.as_slice() {
        all if let Some(twin) = all.iter().find(name) => Some(*twin),
        [only] if own.len() == 1 => Some(*only),
        _ => None,
    }
}

/// Packages of frameworks that look up beans of their own types in the container, even if no project code injects them.
const TAKEN: [&str; 7] =
    ["java.", "javax.", "jakarta.", "org.springframework.", "com.fasterxml.", "com.mongodb.", "io.micrometer."];

/// Types of these packages that frameworks leave to code.
const LEFT_TO_CODE: [&str; 3] = ["RestClient", "RestTemplate", "WebClient"];

/// Whether a framework may take beans of a type from the container by itself.
fn is_taken_by_frameworks(side: &Side<'_>, scope: TypeId, ty: &TypeRef) -> bool {
    let project = side.bench.subject.project;
    let named = project.resolve(scope, &ty.name);
    let of_own = named.project().into_iter().flat_map(|own| project.library_supers(own));
    let mut all = of_own.chain(named.library());
    all.any(|name| TAKEN.iter().any(|package| name.starts_with(package)) && !LEFT_TO_CODE.contains(&ty.simple()))
}

/// Whether the operation's code, or a framework for it, uses a bean.
///
/// If code injects beans of the type in one revision only, that code came or went with the bean, and it is compared.
fn bean_is_noticed(this: &Side<'_>, other: &Side<'_>, member: MemberId) -> bool {
    let Some(ty) = &this.bench.subject.project.member(member).ty else { return true };
    if is_taken_by_frameworks(this, member.ty, ty) {
        return true;
    }
    let names = names_of(this, member.ty, ty);
    let points = |side: &Side<'_>| -> BTreeSet<InjectionPoint> {
        let all = injection_points(side);
        names.iter().filter_map(|name| all.get(name)).flatten().copied().collect()
    };
    let own = points(this);
    if own.is_empty() {
        return true;
    }
    !points(other).is_empty() && own.into_iter().any(|point| is_reached(this, point, &mut BTreeSet::new()))
}

/// Whether both revisions of a member are factory methods whose bean the operation uses in neither.
pub(super) fn is_unnoticed_factory((old, was): (&Side<'_>, MemberId), (new, is): (&Side<'_>, MemberId)) -> bool {
    let makes = |side: &Side<'_>, member: MemberId| has(side.bench.subject.project.member(member), "Bean");
    makes(old, was) && makes(new, is) && !bean_is_noticed(old, new, was) && !bean_is_noticed(new, old, is)
}

/// Whether the operation's code, or a framework for it, uses the bean that a factory method makes.
pub(in crate::compare) fn is_used_bean(side: &Side<'_>, factory: MemberId) -> bool {
    is_reached(side, InjectionPoint::Factory(factory), &mut BTreeSet::new())
}

/// Whether the operation's code is injected a bean here.
fn is_reached(side: &Side<'_>, point: InjectionPoint, seen: &mut BTreeSet<MemberId>) -> bool {
    match point {
        InjectionPoint::Class(ty) => {
            handed(side).members.iter().any(|member| member.ty == ty) || is_run_around(side, ty)
        }
        InjectionPoint::Factory(method) if seen.insert(method) => {
            let Some(ty) = &side.bench.subject.project.member(method).ty else { return true };
            let all = injection_points(side);
            let names = names_of(side, method.ty, ty);
            let points: Vec<InjectionPoint> =
                names.iter().filter_map(|name| all.get(name)).flatten().copied().collect();
            points.is_empty() || points.into_iter().any(|point| is_reached(side, point, seen))
        }
        InjectionPoint::Factory(_) => false,
    }
}

/// The simple names of a type and its supertypes in the project.
fn names_of(side: &Side<'_>, scope: TypeId, ty: &TypeRef) -> BTreeSet<String> {
    let project = side.bench.subject.project;
    let own = project.resolve(scope, &ty.name).project();
    let above = own.into_iter().flat_map(|own| project.all_supers(own)).map(|above| project.ty(above).name.clone());
    let of_library = own.into_iter().flat_map(|own| project.library_supers(own));
    let of_library = of_library.map(|name| name.rsplit('.').next().unwrap_or(name).to_owned());
    above.chain(of_library).chain([ty.simple().to_owned()]).collect()
}

/// All injection points of a revision: fields, and parameters of constructors, factory methods and annotated methods.
fn injection_points<'s>(side: &'s Side<'_>) -> &'s InjectionPoints {
    side.revision.injected.get_or_init(|| {
        let project = side.bench.subject.project;
        let mut found = InjectionPoints::new();
        for member in project.types().filter(|ty| !project.is_model(*ty)).flat_map(|ty| project.members(ty)) {
            let facts = project.member(member);
            let is_injected = has(facts, "Autowired") || has(facts, "Inject");
            let point = match facts.kind {
                MemberKind::Method if has(facts, "Bean") => InjectionPoint::Factory(member),
                MemberKind::Method if !is_injected => continue,
                MemberKind::Field if facts.body.is_some() || facts.modifiers.has(Modifiers::STATIC) => continue,
                _ => InjectionPoint::Class(member.ty),
            };
            let own = facts.ty.iter().filter(|_| facts.kind == MemberKind::Field);
            for ty in own.chain(facts.params.iter().map(|param| &param.ty)) {
                with_arguments(ty, &mut |name| _ = found.entry(name.to_owned()).or_default().insert(point));
            }
        }
        found
    })
}

/// Visits the simple names of a type and of its type arguments (`List<T>`, `ObjectProvider<T>`).
fn with_arguments(ty: &TypeRef, visit: &mut impl FnMut(&str)) {
    visit(ty.simple());
    ty.args.iter().for_each(|arg| with_arguments(arg, visit));
}

/// The annotated exception handlers of a revision.
pub(in crate::compare) fn handlers<'s>(side: &'s Side<'_>) -> impl Iterator<Item = &'s MemberFacts> {
    let of_rules = side.bench.subject.exceptions.iter().filter_map(|rule| rule.handler);
    of_rules.map(|id| side.bench.subject.project.member(id)).filter(|facts| has(facts, "ExceptionHandler"))
}

/// The handler of the other revision that takes all exceptions that this one takes.
fn same_handler(this: &Side<'_>, other: &Side<'_>, member: MemberId) -> Option<MemberId> {
    let named = |side: &Side<'_>, id: MemberId| -> BTreeSet<String> {
        handled(side.bench.subject.project.member(id)).into_iter().map(|ty| ty.simple().to_owned()).collect()
    };
    let own: BTreeSet<String> = named(this, member);
    let of_other = other.bench.subject.exceptions.iter().filter_map(|rule| rule.handler);
    of_other.into_iter().find(|twin| {
        has(other.bench.subject.project.member(*twin), "ExceptionHandler") && own.is_subset(&named(other, *twin))
    })
}
