//! Code that runs when the service starts, and whether it does the same in both revisions.

use std::collections::BTreeMap;

use super::declarations::is_harmless;
use crate::compare::sides::side::Side;
use mastor_frameworks::context::startup::starting_members;
use mastor_java::interpret::linking::alike::are_alike;
use mastor_java::ir::facts::MemberFacts;
use mastor_java::ir::ids::{MemberId, TypeId};

/// Prefix of manifest inputs for code that runs at start-up, before the class name.
pub(in crate::compare) const START: &str = "global:start-up ";

/// Whether an input is start-up code that is the same in both revisions, or differs in form only.
pub(super) fn starts_alike((old, new): (&Side<'_>, &Side<'_>), input: &str) -> bool {
    let Some(name) = input.strip_prefix(START) else { return false };
    let [Some(was), Some(is)] = [old, new].map(|side| side.class(name)) else { return false };
    let members = |side: &Side<'_>, ty: TypeId| -> BTreeMap<String, MemberId> {
        let project = side.bench.subject.project;
        starting_members(project, ty).into_iter().map(|member| (project.symbol(member), member)).collect()
    };
    let (before, after) = (members(old, was), members(new, is));
    let is_alike = |a: MemberId, b: MemberId| {
        let (of_a, of_b) = (old.bench.subject.project, new.bench.subject.project);
        let (facts, other): (&MemberFacts, &MemberFacts) = (of_a.member(a), of_b.member(b));
        if facts.tokens == other.tokens {
            return true;
        }
        let codes = old.bench.codes.code(a).zip(new.bench.codes.code(b));
        let says_alike = facts.annotations == other.annotations
            || is_harmless(&facts.annotations) && is_harmless(&other.annotations);
        says_alike && codes.is_some_and(|(was, is)| are_alike((of_a, &was), (of_b, &is)))
    };
    let header = |side: &Side<'_>, ty: TypeId| side.bench.subject.project.ty(ty).header;
    header(old, was) == header(new, is)
        && before.len() == after.len()
        && before.iter().all(|(symbol, a)| after.get(symbol).is_some_and(|b| is_alike(*a, *b)))
}
