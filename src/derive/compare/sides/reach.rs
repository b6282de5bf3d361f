//! Reach: the members of an operation's code that lead to a change. These are followed; all others are opaque as a
//! whole (abstraction on demand).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::side::Side;
use mastor_java::interpret::linking::code::{Code, Link, On};
use mastor_java::interpret::opaque::does::reads;
use mastor_java::interpret::opaque::follows::{Effects, FollowedMembers};
use mastor_java::interpret::values::scalar::ClassRef;
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::facts::{MemberKind, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};

/// Maximum number of members that are visited.
const MOST: usize = 20_000;

/// Maximum number of expressions in a body that is followed although it leads to no change, such as an accessor.
const SMALL: usize = 12;

/// The call graph of one revision's operation, and which of its members lead to a change.
pub struct Reach<'s> {
    side: &'s Side<'s>,
    /// For each member, the members that its body names.
    leads: FxHashMap<MemberId, Arc<[MemberId]>>,
    /// Members that changed or lead to a change.
    changing: FxHashSet<MemberId>,
    /// Members that are followed because a result depends on their code.
    opened: RefCell<BTreeSet<MemberId>>,
    effects: RefCell<FxHashMap<MemberId, Effects>>,
    /// The member at whose end the run ends.
    until: Option<MemberId>,
    /// Project classes of the objects that a member, or code that it leads to, creates; `None` if unknown code runs.
    makes: RefCell<FxHashMap<MemberId, Option<Rc<BTreeSet<TypeId>>>>>,
}

impl<'s> Reach<'s> {
    /// Computes the graph from the operation's entry and exception handlers.
    pub fn of(side: &'s Side<'s>, changed: &BTreeSet<MemberId>) -> Self {
        Self::from(side, &starts(side), changed)
    }

    /// Computes the graph from these members.
    pub fn from(side: &'s Side<'s>, starts: &[MemberId], changed: &BTreeSet<MemberId>) -> Self {
        let mut leads: FxHashMap<MemberId, Arc<[MemberId]>> = FxHashMap::default();
        let mut open: Vec<MemberId> = starts.iter().chain(changed).copied().collect();
        while let Some(member) = open.pop() {
            if leads.contains_key(&member) || leads.len() >= MOST {
                continue;
            }
            let next = successors(side, member);
            open.extend(next.iter().copied());
            leads.insert(member, next);
        }
        let mut back: FxHashMap<MemberId, Vec<MemberId>> = FxHashMap::default();
        for (member, next) in &leads {
            next.iter().for_each(|one| back.entry(*one).or_default().push(*member));
        }
        let mut changing: FxHashSet<MemberId> = FxHashSet::default();
        let mut open: Vec<MemberId> = changed.iter().copied().collect();
        while let Some(member) = open.pop() {
            if changing.insert(member) {
                open.extend(back.get(&member).into_iter().flatten().copied());
            }
        }
        // The start of an operation or member is always followed.
        changing.extend(starts.iter().copied());
        Self {
            side,
            leads,
            changing,
            opened: RefCell::default(),
            effects: RefCell::default(),
            until: None,
            makes: RefCell::default(),
        }
    }

    /// Lets the run end when this member returns or throws.
    pub fn until(self, member: MemberId) -> Self {
        Self { until: Some(member), ..self }
    }

    /// For both sides: also follows the members that lead to a change on the other side.
    pub fn share(&self, other: &Self) {
        for (own, other) in [(self, other), (other, self)] {
            let of_other = other.side.bench.subject.project;
            let changing = other.changing.iter().map(|member| of_other.symbol(*member));
            own.opened.borrow_mut().extend(changing.filter_map(|symbol| own.side.member(&symbol)));
        }
    }

    /// Follows these members too; returns whether one of them was not followed before.
    pub fn open(&self, symbols: &BTreeSet<Rc<str>>) -> bool {
        let members: Vec<MemberId> = symbols.iter().filter_map(|symbol| self.side.member(symbol)).collect();
        let mut opened = self.opened.borrow_mut();
        let before = opened.len();
        opened.extend(members);
        opened.len() > before
    }

    /// Project classes of the objects that a member, or code that it leads to, creates, with their superclasses. `None`
    /// if code may run that no call names (event listeners, aspects), or if too much code is reached.
    fn makes(&self, member: MemberId) -> Option<Rc<BTreeSet<TypeId>>> {
        if let Some(known) = self.makes.borrow().get(&member) {
            return known.clone();
        }
        let made = self.read_made(member).map(Rc::new);
        self.makes.borrow_mut().insert(member, made.clone());
        made
    }

    fn read_made(&self, member: MemberId) -> Option<BTreeSet<TypeId>> {
        let project = self.side.bench.subject.project;
        let is_aspect = |ty: TypeId| project.ty(ty).annotations.iter().any(|one| one.simple() == "Aspect");
        let members = self.led_to(member);
        if members.len() >= MOST || project.types().any(is_aspect) {
            return None;
        }
        let class = |link: &Link| match link {
            Link::New(link) => link.class.project(),
            Link::Reference(link) => link.class.as_ref().and_then(Type::project),
            _ => None,
        };
        let publishes = |kind: &ExprKind| matches!(kind, ExprKind::Call { name, .. } if name.starts_with("publish") || name.starts_with("fire"));
        let mut made: BTreeSet<TypeId> = BTreeSet::new();
        for code in members.into_iter().filter_map(|at| self.side.bench.codes.code(at)) {
            if code.body.exprs.iter().any(|expr| publishes(&expr.kind)) {
                return None;
            }
            made.extend(code.links.iter().filter_map(class));
        }
        let above: Vec<TypeId> = made.iter().flat_map(|ty| project.all_supers(*ty)).collect();
        made.extend(above);
        Some(made)
    }

    /// A member and all members that it leads to.
    fn led_to(&self, member: MemberId) -> BTreeSet<MemberId> {
        let mut seen: BTreeSet<MemberId> = BTreeSet::new();
        let mut open = vec![member];
        while let Some(at) = open.pop() {
            if seen.len() < MOST && seen.insert(at) {
                open.extend(self.leads.get(&at).into_iter().flat_map(|next| next.iter().copied()));
            }
        }
        seen
    }

    fn own_effects(&self, member: MemberId) -> Effects {
        let project = self.side.bench.subject.project;
        let facts = project.member(member);
        if facts.body.is_none() {
            let is_interface = project.ty(member.ty).kind == TypeKind::Interface;
            return Effects {
                changes_arguments: false,
                writes: is_interface && facts.kind == MemberKind::Method && !reads(&facts.name),
            };
        }
        let Some(code) = self.side.bench.codes.code(member) else { return Effects::default() };
        let is_made = matches!(facts.kind, MemberKind::Constructor | MemberKind::Initializer);
        let mut effects = Effects::default();
        for (at, expr) in code.body.exprs.iter().enumerate() {
            match &expr.kind {
                ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } if !is_made => {
                    effects.changes_arguments |= matches!(code.link(*target), Link::Field(_))
                        || matches!(code.body.expr(*target).kind, ExprKind::Field { .. });
                    effects.writes |= matches!(code.link(*target), Link::Static(_));
                }
                ExprKind::Call { name, .. } => {
                    let Link::Call(call) = &code.links[at] else { continue };
                    if !call.methods.is_empty() {
                        continue;
                    }
                    effects.changes_arguments |=
                        ["set", "add", "put", "remove", "clear"].iter().any(|start| name.starts_with(start));
                    effects.writes |= !reads(name) && is_collaborator(&code, &call.on);
                }
                _ => {}
            }
        }
        effects
    }
}

/// All members that these lead to, including these, sorted.
pub(in crate::compare) fn reached(side: &Side<'_>, starts: &[MemberId]) -> Vec<MemberId> {
    let mut found: FxHashSet<MemberId> = FxHashSet::default();
    let mut open = starts.to_vec();
    while let Some(member) = open.pop() {
        if found.len() < MOST && found.insert(member) {
            open.extend(successors(side, member).iter().filter(|next| !found.contains(next)));
        }
    }
    let mut all = Vec::from_iter(found);
    all.sort();
    all
}

/// The starts of an operation: its entry, and exception handlers.
pub(in crate::compare) fn starts(side: &Side<'_>) -> Vec<MemberId> {
    let subject = side.bench.subject;
    let mut starts = vec![subject.endpoint.entry];
    let covering = subject.exceptions.iter().filter(|rule| rule.scope.covers(subject.project, subject.endpoint));
    starts.extend(covering.filter_map(|rule| rule.handler));
    starts
}

/// Whether the receiver of a call is a field, which holds an injected object.
fn is_collaborator(code: &Code, on: &On) -> bool {
    match on {
        On::Value(target) => matches!(code.link(*target), Link::Field(_)),
        _ => false,
    }
}

impl FollowedMembers for Reach<'_> {
    fn opens(&self, member: MemberId) -> bool {
        if self.changing.contains(&member) || self.opened.borrow().contains(&member) {
            return true;
        }
        let Some(code) = self.side.bench.codes.code(member) else { return true };
        let is_call = |link: &Link| matches!(link, Link::Call(call) if !call.methods.is_empty());
        code.body.exprs.len() <= SMALL && !code.links.iter().any(is_call)
    }

    fn changes(&self, member: MemberId) -> bool {
        self.changing.contains(&member)
    }

    fn compares(&self) -> bool {
        true
    }

    fn ends(&self, member: MemberId) -> bool {
        self.until == Some(member)
    }

    fn effects(&self, member: MemberId) -> Effects {
        if let Some(known) = self.effects.borrow().get(&member) {
            return *known;
        }
        let mut all = Effects::default();
        for at in self.led_to(member) {
            let own = self.own_effects(at);
            all = Effects {
                changes_arguments: all.changes_arguments || own.changes_arguments,
                writes: all.writes || own.writes,
            };
        }
        self.effects.borrow_mut().insert(member, all);
        all
    }

    fn may_throw(&self, symbol: &str, class: TypeId) -> bool {
        // A member that was not visited may throw anything, and so may a method that a library or the build implements.
        let read = self.side.member(symbol).filter(|member| self.leads.contains_key(member));
        read.is_none_or(|member| {
            self.side.bench.codes.code(member).is_none()
                || self.makes(member).is_none_or(|classes| classes.contains(&class))
        })
    }
}

/// The members that a member's body names and that can run.
pub(in crate::compare) fn successors(side: &Side<'_>, member: MemberId) -> Arc<[MemberId]> {
    side.revision.successors.get(member, || read_successors(side, member).into())
}

fn read_successors(side: &Side<'_>, member: MemberId) -> Vec<MemberId> {
    let project = side.bench.subject.project;
    let mut found: BTreeSet<MemberId> = BTreeSet::new();
    let mut call = |method: MemberId| {
        found.insert(method);
        found.extend(project.overriders(method));
    };
    project.fallbacks(member).into_iter().for_each(&mut call);
    let Some(code) = side.bench.codes.code(member) else { return found.into_iter().collect() };
    let mut made: BTreeMap<mastor_java::ir::ids::TypeId, ()> = BTreeMap::new();
    let mut fields = Vec::new();
    // Enums on which `values()` or `valueOf(…)` may be called.
    let mut enumerated = Vec::new();
    for link in &code.links {
        match link {
            Link::Call(link) if link.methods.is_empty() => {
                let scope = match &link.on {
                    On::Class(Type::Class(ClassRef::Project(ty), _)) | On::This(ty) => Some(*ty),
                    _ => None,
                };
                enumerated.extend(scope);
            }
            Link::Call(link) => link.methods.iter().for_each(|method| call(*method)),
            Link::Reference(link) => {
                link.methods.iter().for_each(|method| call(*method));
                if let Some(Type::Class(ClassRef::Project(ty), _)) = &link.class {
                    enumerated.push(*ty);
                    made.insert(*ty, ());
                }
            }
            Link::New(link) => {
                link.constructors.iter().for_each(|constructor| call(*constructor));
                if let Some(ty) = link.class.project() {
                    made.insert(ty, ());
                }
            }
            Link::Field(field) | Link::Static(field) => fields.push(*field),
            Link::Const(_, Some(used)) => fields.extend(used.iter().copied()),
            _ => {}
        }
    }
    if project.member(member).kind == MemberKind::Constructor {
        made.insert(member.ty, ());
    }
    found.extend(fields);
    for ty in enumerated.into_iter().filter(|ty| project.ty(*ty).kind == TypeKind::Enum) {
        found.extend(project.members(ty).filter(|member| project.member(*member).kind == MemberKind::EnumConstant));
    }
    for (ty, ()) in made {
        for class in std::iter::once(ty).chain(project.all_supers(ty)) {
            let own = project.members(class).filter(|member| {
                matches!(
                    project.member(*member).kind,
                    MemberKind::Initializer | MemberKind::Field | MemberKind::Constructor
                )
            });
            found.extend(own);
        }
        let kind = project.ty(ty).nesting;
        if kind == mastor_java::ir::facts::Nesting::Anonymous {
            found.extend(project.members(ty));
        }
    }
    found.remove(&member);
    found.into_iter().collect()
}
