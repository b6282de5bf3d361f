//! Wired classes: classes of service objects, which hold no request data. A container creates such objects, or the
//! constructors and field initialisers of other wired classes do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::compare::sides::hands::MemberEscapes;
use crate::compare::sides::side::Side;
use mastor_frameworks::code::stereotypes::is_component;
use mastor_java::ir::facts::{MemberKind, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// Annotations of constructors that a container calls.
const CALLED: &[&str] = &["Inject", "Autowired"];

/// For each class, where its objects are created: by the constructors and fields of which class, or elsewhere (`None`).
type Made = BTreeMap<TypeId, BTreeSet<Option<TypeId>>>;

/// The wired classes of a project, judged by the code that an operation runs.
pub(in crate::compare) fn wired(side: &Side<'_>, all: &[(MemberId, Arc<MemberEscapes>)]) -> BTreeSet<TypeId> {
    let project = side.bench.subject.project;
    let mut found = components(side).clone();
    let mut made: Made = BTreeMap::new();
    let sets_up = |member: MemberId| matches!(project.member(member).kind, MemberKind::Constructor | MemberKind::Field);
    let note = |made: &mut Made, hands: &MemberEscapes, by: Option<TypeId>| {
        hands.constructed.iter().for_each(|ty| {
            made.entry(*ty).or_default().insert(by);
        });
    };
    for (member, hands) in all {
        note(&mut made, hands, sets_up(*member).then_some(member.ty));
    }
    let mut open: Vec<TypeId> = found.iter().copied().collect();
    while !open.is_empty() {
        for ty in open.drain(..) {
            let set_up = project.members(ty).filter(|member| sets_up(*member));
            set_up.for_each(|member| note(&mut made, &side.hands(member), Some(ty)));
        }
        let taken = found.iter().flat_map(|ty| taken(side, *ty).to_vec());
        let mut more: BTreeSet<TypeId> = taken.filter(|ty| !made.contains_key(ty)).collect();
        more.extend(
            made.iter()
                .filter_map(|(ty, by)| by.iter().all(|by| by.is_some_and(|by| found.contains(&by))).then_some(*ty)),
        );
        more.retain(|ty| is_class(project, *ty) && !found.contains(ty));
        open.extend(&more);
        found.extend(more);
    }
    found
}

fn is_class(project: &Project, ty: TypeId) -> bool {
    project.ty(ty).kind == TypeKind::Class && !project.is_model(ty)
}

fn constructors(project: &Project, ty: TypeId) -> impl Iterator<Item = MemberId> {
    project.members(ty).filter(|id| project.member(*id).kind == MemberKind::Constructor)
}

/// Classes whose objects a container creates, judged by annotations of the class or of a constructor.
fn components<'s>(side: &'s Side<'_>) -> &'s BTreeSet<TypeId> {
    side.revision.components.get_or_init(|| {
        let project = side.bench.subject.project;
        let is_called = |id: MemberId| project.member(id).annotations.iter().any(|one| CALLED.contains(&one.simple()));
        let is_marked = |ty: TypeId| is_component(project, ty) || constructors(project, ty).any(is_called);
        project.types().filter(|ty| is_class(project, *ty) && is_marked(*ty)).collect()
    })
}

/// The classes of the constructor parameters of a class.
fn taken(side: &Side<'_>, ty: TypeId) -> Arc<[TypeId]> {
    side.revision.taken.get(ty, || {
        let project = side.bench.subject.project;
        let params = constructors(project, ty).flat_map(|id| &project.member(id).params);
        params.filter_map(|param| project.resolve(ty, &param.ty.name).project()).collect::<Vec<_>>().into()
    })
}
