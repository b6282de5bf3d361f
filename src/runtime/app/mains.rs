//! Finds `main` methods that start a server of the JDK themselves, by a call of `createContext`.

use std::collections::BTreeSet;

use mastor_java::ir::body::ExprKind;
use mastor_java::ir::calls::Target;
use mastor_java::ir::facts::Modifiers;
use mastor_java::ir::ids::MemberId;
use mastor_java::resolve::resolver::Resolver;

/// Maximum number of members searched for one `main`.
const REACHED: usize = 4_000;

/// The `main` methods from which a call of `createContext` is reachable.
pub fn mains(resolver: &Resolver<'_>) -> Vec<MemberId> {
    let project = resolver.project();
    let is_main = |member: &MemberId| {
        let facts = project.member(*member);
        facts.name == "main" && facts.modifiers.has(Modifiers::STATIC) && facts.params.len() < 2
    };
    let all = project.types().flat_map(|ty| project.members(ty)).filter(is_main);
    all.filter(|main| hosts(resolver, *main)).collect()
}

fn hosts(resolver: &Resolver<'_>, main: MemberId) -> bool {
    let project = resolver.project();
    let (mut open, mut seen) = (vec![main], BTreeSet::from([main]));
    while let Some(member) = open.pop() {
        let Some(body) = resolver.body(member) else { continue };
        let makes = |kind: &ExprKind| matches!(kind, ExprKind::Call { name, .. } if name == "createContext");
        if body.exprs.iter().any(|expr| makes(&expr.kind)) {
            return true;
        }
        for target in resolver.resolve(member).targets.values() {
            let Target::Methods(named) = target else { continue };
            let overriding = named.iter().flat_map(|named| project.overriders(*named));
            let below = named.iter().copied().chain(overriding);
            open.extend(below.filter(|member| seen.len() < REACHED && seen.insert(*member)));
        }
    }
    false
}
