//! Code that fills stores at the start of the service.

use std::collections::BTreeMap;

use crate::context::startup::{runs_at_start, stored_by};
use mastor_java::interpret::classes::objects::has;
use mastor_java::interpret::stores::data::{Entity, Starter};
use mastor_java::ir::facts::{MemberKind, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// Annotations of methods that run when an object is created, or when the service has started.
const STARTS: [&str; 3] = ["PostConstruct", "EventListener", "Startup"];
/// Interface methods that the framework calls at the start.
const RUNS: [&str; 4] = ["run", "afterPropertiesSet", "afterSingletonsInstantiated", "onApplicationEvent"];

/// Whether a type contains code that may fill stores at the start.
pub(super) fn fills(project: &Project, ty: TypeId) -> bool {
    let made = |member: MemberId| {
        let facts = project.member(member);
        has(&facts.annotations, &["PostConstruct"]) || (facts.name == "afterPropertiesSet" && facts.params.is_empty())
    };
    runs_at_start(project, ty) || project.members(ty).any(made)
}

/// The code that fills stores at the start, if it is clear which code runs.
pub(super) fn starters(project: &Project, entities: &BTreeMap<TypeId, Entity>) -> Vec<Starter> {
    let mut out = Vec::new();
    for ty in project.types().filter(|ty| fills(project, *ty)) {
        let facts = project.ty(ty);
        let stored: Vec<TypeId> = stored_by(project, ty).into_iter().filter(|ty| entities.contains_key(ty)).collect();
        let conditional = [
            "Profile",
            "Conditional",
            "ConditionalOnProperty",
            "ConditionalOnMissingBean",
            "ConditionalOnExpression",
            "Order",
        ];
        if stored.is_empty() || has(&facts.annotations, &conditional) || facts.kind != TypeKind::Class {
            continue;
        }
        let supers = project.library_supers(ty);
        let is_runner = supers.iter().any(|name| !name.starts_with("java."));
        let mut methods = Vec::new();
        let mut odd = false;
        for member in project.members(ty) {
            let of = project.member(member);
            if of.kind != MemberKind::Method {
                continue;
            }
            let returns = of.ty.as_ref().map(|ty| ty.simple()).unwrap_or_default();
            let is_factory =
                has(&of.annotations, &["Bean"]) && matches!(returns, "CommandLineRunner" | "ApplicationRunner");
            let runs = has(&of.annotations, &STARTS) || (is_runner && RUNS.contains(&of.name.as_str()));
            if is_factory || runs {
                odd |= has(&of.annotations, &conditional) || has(&of.annotations, &["Async"]);
                methods.push(Starter { ty, method: member, is_factory, entities: stored.clone() });
            }
        }
        if !odd && methods.len() == 1 {
            out.append(&mut methods);
        }
    }
    out
}
