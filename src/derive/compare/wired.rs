//! Wired classes: their objects serve others and hold no data, since a container makes them or the constructors of such do.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::frameworks::stereotypes::is_component;
use crate::java::facts::{MemberKind, TypeKind};
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::code::{Code, Link};
use crate::java::project::Project;

/// Annotations of constructors that a container calls.
const CALLED: &[&str] = &["Inject", "Autowired"];

/// By class, where objects of it are made.
type Made = BTreeMap<TypeId, BTreeSet<Option<TypeId>>>;

/// Notes the objects that code makes.
fn note(made: &mut Made, code: &Code, by: Option<TypeId>) {
    for link in &code.links {
        if let Link::New(new) = link
            && let Some(ty) = new.class.project()
        {
            made.entry(ty).or_default().insert(by);
        }
    }
}

/// The classes of a project that are wired, as far as the code of an operation makes objects of them.
pub(super) fn wired(
    project: &Project,
    codes: &[Rc<Code>],
    code_of: impl Fn(MemberId) -> Option<Rc<Code>>,
) -> BTreeSet<TypeId> {
    let is_class = |ty: TypeId| project.ty(ty).kind == TypeKind::Class && !project.is_model(ty);
    let constructors =
        |ty: TypeId| project.members(ty).filter(|id| project.member(*id).kind == MemberKind::Constructor);
    let is_called = |id: MemberId| project.member(id).annotations.iter().any(|one| CALLED.contains(&one.simple()));
    let is_marked = |ty: TypeId| is_component(project, ty) || constructors(ty).any(is_called);
    let mut found: BTreeSet<TypeId> = project.types().filter(|ty| is_class(*ty) && is_marked(*ty)).collect();
    // Where objects of other classes are made: the class whose constructor or field does so, or none.
    let mut made: Made = BTreeMap::new();
    let sets_up = |member: MemberId| matches!(project.member(member).kind, MemberKind::Constructor | MemberKind::Field);
    for code in codes {
        note(&mut made, code, sets_up(code.member).then_some(code.member.ty));
    }
    let mut open: Vec<TypeId> = found.iter().copied().collect();
    while !open.is_empty() {
        for ty in open.drain(..) {
            let set_up = project.members(ty).filter(|member| sets_up(*member));
            set_up.filter_map(&code_of).for_each(|code| note(&mut made, &code, Some(ty)));
        }
        let taken = found.iter().flat_map(|ty| constructors(*ty).map(|id| (*ty, id))).flat_map(|(ty, id)| {
            project.member(id).params.iter().filter_map(move |param| project.resolve(ty, &param.ty.name).project())
        });
        let mut more: BTreeSet<TypeId> = taken.filter(|ty| !made.contains_key(ty)).collect();
        more.extend(
            made.iter()
                .filter_map(|(ty, by)| by.iter().all(|by| by.is_some_and(|by| found.contains(&by))).then_some(*ty)),
        );
        more.retain(|ty| is_class(*ty) && !found.contains(ty));
        open.extend(&more);
        found.extend(more);
    }
    found
}
