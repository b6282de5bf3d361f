//! Objects that the code of an operation passes to libraries or answers with: a library may read their fields and
//! getters by name. If no object of a class is among them, an added or removed field or accessor of the class only
//! affects code that names it, which is compared.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::holders::holders;
use crate::compare::sides::hands::MemberEscapes;
use crate::compare::sides::made::words_in;
use crate::compare::sides::reach::{reached, starts};
use crate::compare::sides::revision::Surrounding;
use crate::compare::sides::side::{EscapingObjects, Side};
use mastor_frameworks::spring::rest_repositories::entity_of;
use mastor_java::ir::body::{Expr, ExprId, ExprKind};
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// Annotations that generate comparison by all fields.
const BY_VALUE: &[&str] = &["Data", "Value", "EqualsAndHashCode"];

/// Annotations of classes whose methods a framework runs around handlers, or to configure code that does.
const RUN_AROUND: &[&str] = &["Aspect", "Configuration", "EnableWebSecurity", "TestConfiguration"];

/// Whether a library may see an object of this class, or one that contains such an object.
pub(in crate::compare) fn hands_out(side: &Side<'_>, ty: TypeId) -> bool {
    let (handed, project) = (handed(side), side.bench.subject.project);
    !handed.wired.contains(&ty) && (handed.has(side, ty) || handed.is_made(project, ty, None))
}

/// Whether a library may read or write this field or accessor by its name.
pub(in crate::compare) fn hands_out_member(side: &Side<'_>, member: MemberId) -> bool {
    let handed = handed(side);
    !handed.wired.contains(&member.ty) && (handed.has(side, member.ty) || maps_member(side, member))
}

/// Whether a mapper may read or set this field or accessor.
pub(in crate::compare) fn maps_member(side: &Side<'_>, member: MemberId) -> bool {
    let project = side.bench.subject.project;
    handed(side).is_made(project, member.ty, Some(&words_in(project, member)))
}

/// Whether the operation's own code has an object of a class, or its answer contains one.
pub(in crate::compare) fn meets(side: &Side<'_>, ty: TypeId) -> bool {
    let (handed, project) = (handed(side), side.bench.subject.project);
    any_of_line(project, ty, &handed.hands.met) || !holders(side, ty).is_disjoint(&handed.answered)
}

/// Whether an operation can see objects of a class: its code or code around it has or creates one, a library reads or
/// creates one for it, or its answer contains one.
pub(in crate::compare) fn handles(side: &Side<'_>, ty: TypeId) -> bool {
    let (handed, project) = (handed(side), side.bench.subject.project);
    meets(side, ty)
        || any_of_line(project, ty, &handed.hands.made_here)
        || any_of_line(project, ty, met_around(side))
        || hands_out(side, ty)
}

/// Classes of the objects that code around the handlers has.
pub(in crate::compare) fn met_around<'h>(side: &'h Side<'_>) -> &'h BTreeSet<TypeId> {
    &around(side).hands.met
}

/// Names of the methods that code around the handlers calls on objects of unknown class.
pub(super) fn calls_around<'h>(side: &'h Side<'_>) -> &'h BTreeSet<String> {
    &around(side).hands.unresolved
}

/// The code that a framework may run around handlers: classes with library supertypes, and configuration classes. Read
/// once for all operations of a revision.
fn around<'h>(side: &'h Side<'_>) -> &'h Surrounding {
    side.revision.around.get_or_init(|| {
        let project = side.bench.subject.project;
        let is_run = |ty: &TypeId| is_run_around(side, *ty);
        let members = project.types().filter(is_run).flat_map(|ty| project.members(ty));
        let starts: Vec<MemberId> = members.filter(|member| project.member(*member).body.is_some()).collect();
        let mut found = Surrounding::default();
        for member in reached(side, &starts) {
            found.hands.join(&side.hands(member));
            found.members.insert(member);
        }
        add_rows(project, &mut found.hands.met);
        found
    })
}

/// Whether a framework may run code of this class around handlers: it has a library supertype, or configures such code.
pub(in crate::compare) fn is_run_around(side: &Side<'_>, ty: TypeId) -> bool {
    let project = side.bench.subject.project;
    let is_foreign = |name: &&str| !name.starts_with("java.") && !name.ends_with("Repository");
    !project.is_model(ty)
        && (project.library_supers(ty).iter().any(is_foreign)
            || project.ty(ty).annotations.iter().any(|one| RUN_AROUND.contains(&one.simple())))
}

/// All members that are reached from code which a framework may run around handlers.
pub(in crate::compare) fn members_around<'h>(side: &'h Side<'_>) -> &'h BTreeSet<MemberId> {
    &around(side).members
}

/// Whether code that a framework may run around handlers reaches this member.
pub(super) fn is_around(side: &Side<'_>, member: MemberId) -> bool {
    members_around(side).contains(&member)
}

/// Whether the operation's code, or code around it, creates objects of a class or its subclasses itself.
pub(in crate::compare) fn creates(side: &Side<'_>, ty: TypeId) -> bool {
    let project = side.bench.subject.project;
    any_of_line(project, ty, &handed(side).hands.made_here) || any_of_line(project, ty, &around(side).hands.made_here)
}

/// Whether the operation's code, or code around it, creates objects of exactly this class itself.
pub(in crate::compare) fn creates_exactly(side: &Side<'_>, ty: TypeId) -> bool {
    handed(side).hands.made_here.contains(&ty) || around(side).hands.made_here.contains(&ty)
}

/// Whether objects of a class are created for the operation other than by a store: by its code, a mapper, or the reader
/// of a request.
pub(in crate::compare) fn makes(side: &Side<'_>, ty: TypeId) -> bool {
    let handed = handed(side);
    creates(side, ty)
        || handed.is_made(side.bench.subject.project, ty, None)
        || !holders(side, ty).is_disjoint(&handed.taken)
}

/// Whether a library may set fields of an object of a class: it creates one from a request or another object, or code
/// passes one to it. Serialising the answer sets no fields. Rows that a store creates are not considered.
pub(in crate::compare) fn is_filled(side: &Side<'_>, ty: TypeId) -> bool {
    let (handed, holders) = (handed(side), holders(side, ty));
    handed.hands.anything
        || handed.wired.contains(&ty)
        || handed.is_made(side.bench.subject.project, ty, None)
        || !holders.is_disjoint(&handed.taken)
        || !holders.is_disjoint(&handed.hands.settable)
}

/// Whether something may compare or print objects of a class by all of their fields, directly or as parts of other
/// objects.
pub(in crate::compare) fn is_used_whole(side: &Side<'_>, ty: TypeId) -> bool {
    let hands = &handed(side).hands;
    hands.anything || hands.uses_any_whole || !holders(side, ty).is_disjoint(&hands.used_whole)
}

/// The objects that the operation's code passes on; computed once.
pub(in crate::compare) fn handed<'h>(side: &'h Side<'_>) -> &'h EscapingObjects {
    side.handed.get_or_init(|| EscapingObjects::of(side))
}

impl EscapingObjects {
    /// Computes the objects that the operation's code passes on.
    fn of(side: &Side<'_>) -> Self {
        let mut found = Self::default();
        let project = side.bench.subject.project;
        let starts = starts(side);
        for start in &starts {
            let facts = project.member(*start);
            let outer = facts.params.iter().map(|param| &param.ty).chain(&facts.ty);
            outer.for_each(|named| project.named_in(start.ty, named, &mut found.hands.types));
        }
        let entry = side.bench.subject.endpoint.entry;
        let params = project.member(entry).params.iter();
        params.for_each(|param| project.named_in(entry.ty, &param.ty, &mut found.taken));
        let answer = project.member(entry).ty.iter();
        answer.for_each(|named| project.named_in(entry.ty, named, &mut found.answered));
        // If the framework serves a repository directly, its rows are read from bodies and written as answers.
        if let Some(row) = entity_of(project, side.bench.subject.endpoint.receiver) {
            [&mut found.taken, &mut found.answered, &mut found.hands.types]
                .into_iter()
                .for_each(|all| _ = all.insert(row));
        }
        let members = reached(side, &starts);
        found.members.extend(&members);
        let all: Vec<(MemberId, Arc<MemberEscapes>)> =
            members.into_iter().map(|member| (member, side.hands(member))).collect();
        found.wired = super::wired::wired(side, &all);
        for (member, hands) in &all {
            // Beans that a constructor stores in fields are met where a method uses the fields.
            let met =
                (found.wired.contains(&member.ty) && only_stores(project, *member)).then(|| found.hands.met.clone());
            found.hands.join(hands);
            if let Some(met) = met {
                found.hands.met = met;
            }
        }
        add_rows(project, &mut found.hands.met);
        found.passed_on(side, &all);
        found
    }

    /// For a parameter that is passed on and whose type says nothing, adds the types of the callers' arguments.
    fn passed_on(&mut self, side: &Side<'_>, all: &[(MemberId, Arc<MemberEscapes>)]) {
        if self.hands.open.is_empty() {
            return;
        }
        let mut calls: HashMap<MemberId, Vec<(MemberId, ExprId)>> = HashMap::new();
        for (by, hands) in all {
            for (called, at) in &hands.calls {
                calls.entry(*called).or_default().push((*by, *at));
            }
        }
        let project = side.bench.subject.project;
        let mut seen = BTreeSet::new();
        while let Some(parameter) = self.hands.open.pop_first() {
            if !seen.insert(parameter) {
                continue;
            }
            let (member, place) = (parameter.0, usize::try_from(parameter.1).unwrap_or(usize::MAX));
            // The last parameter may be of variable arity, so it takes all remaining arguments.
            let is_last = project.member(member).params.len() == place.saturating_add(1);
            let all = calls.get(&member).map(Vec::as_slice).unwrap_or_default();
            for (by, at) in all {
                let Some(code) = side.bench.codes.code(*by) else { continue };
                let (ExprKind::Call { args, .. } | ExprKind::New { args, .. }) = &code.body.expr(*at).kind else {
                    continue;
                };
                let passed = args.get(place..).unwrap_or_default();
                let passed = if is_last { passed } else { passed.get(..1).unwrap_or_default() };
                let mut passed = MemberEscapes::passed(&code, passed);
                passed.settable.clone_from(&passed.types);
                self.hands.join(&passed);
            }
            // A method without callers is called by a library, through a reference, or for a request.
            self.hands.anything |= all.is_empty();
        }
    }

    /// Whether a library may see an object of this class, or one that contains such an object.
    fn has(&self, side: &Side<'_>, ty: TypeId) -> bool {
        let project = side.bench.subject.project;
        let by_value = project.ty(ty).annotations.iter().any(|one| BY_VALUE.contains(&one.simple()));
        let is_among = || {
            let holders = holders(side, ty);
            !holders.is_disjoint(&self.hands.types)
                || by_value && (self.hands.uses_any_whole || !holders.is_disjoint(&self.hands.used_whole))
        };
        self.hands.anything || *self.known.borrow_mut().entry(ty).or_insert_with(is_among)
    }

    /// Whether a library that creates one object from another reads or creates an object of this class, or one that
    /// contains such an object. With `words`, only if a name on the other side contains one of them.
    pub(in crate::compare) fn is_made(&self, project: &Project, ty: TypeId, words: Option<&BTreeSet<String>>) -> bool {
        self.hands
            .made
            .iter()
            .flat_map(|made| made.met(project))
            .any(|(types, others)| types.contains(&ty) && words.is_none_or(|words| !words.is_disjoint(others)))
    }
}

/// Whether a class or one of its subclasses is among these.
fn any_of_line(project: &Project, ty: TypeId, these: &BTreeSet<TypeId>) -> bool {
    these.contains(&ty) || project.all_subtypes(ty).iter().any(|one| these.contains(one))
}

/// Whether a constructor calls and creates nothing.
fn only_stores(project: &Project, member: MemberId) -> bool {
    let is_plain = |expr: &Expr| !matches!(expr.kind, ExprKind::Call { .. } | ExprKind::New { .. });
    project.member(member).kind == MemberKind::Constructor
        && project.body(member).is_some_and(|body| body.exprs.iter().all(is_plain))
}

/// Adds the row classes of the repositories among these classes, since `deleteById` affects rows that no expression
/// holds.
fn add_rows(project: &Project, met: &mut BTreeSet<TypeId>) {
    let mut rows = BTreeSet::new();
    for ty in met.iter().flat_map(|ty| std::iter::once(*ty).chain(project.all_supers(*ty))) {
        for above in project.supers(ty) {
            if above.named.library().is_some_and(|name| name.contains("Repository")) {
                above.args.iter().for_each(|arg| project.named_in(ty, arg, &mut rows));
            }
        }
    }
    met.extend(rows);
}
