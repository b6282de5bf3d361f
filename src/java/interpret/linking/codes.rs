//! The linked codes of one revision, created on first run and shared by all paths, with cached dispatch results.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::assignments::{Assignments, assignments};
use super::branches::{Branch, Executed, Way, branches, executed, operands};
use super::code::{Code, Link};
use super::link;
use crate::interpret::mutation::{Mutation, mutant, mutations};
use crate::interpret::paths::hints::Hint;
use crate::interpret::paths::path::Site;
use crate::interpret::state::snapshots::Snapshots;
use crate::interpret::values::arith;
use crate::interpret::values::java_type::Type;
use crate::interpret::values::scalar::Scalar;
use crate::ir::body::{ExprId, Root};
use crate::ir::facts::{MemberKind, Modifiers, TypeKind};
use crate::ir::ids::{FileId, MemberId, TypeId};
use crate::project::index::Project;
use crate::resolve::resolver::Resolver;

/// Maximum length of a chain of constants that refer to each other.
const MAX_DEPTH: u32 = 6_000;

/// Minimum remaining stack before a constant refers to another, and by how much the stack grows.
const RED_ZONE: usize = 1 << 20;
const GROWTH: usize = 8 << 20;

/// Maximum number of fields recorded as used by one constant.
const MAX_USED: usize = 50;

/// A constant's value, with the fields that it depends on.
type Constant = (Scalar, Rc<[MemberId]>);

/// Evaluated expressions.
#[derive(Debug, Clone, Default)]
pub struct Covered {
    /// Evaluated by requests.
    pub asked: FxHashSet<(MemberId, ExprId)>,
    /// Evaluated while beans were created.
    pub started: FxHashSet<(MemberId, ExprId)>,
    /// Outcomes of conditions and switches during requests.
    pub ways: FxHashSet<(MemberId, ExprId, Way)>,
    /// Performed by requests: all operands had values. The value says whether it gave a result, and did not throw.
    pub performed: FxHashMap<(MemberId, ExprId), bool>,
}

impl Covered {
    /// Records the end of an evaluation. One that threw was performed if its operands had values before: of a statement
    /// that an operand ended, the rest is not known.
    pub(in crate::interpret) fn ended(&mut self, code: &Code, id: ExprId, gave: bool) {
        let at = |id: ExprId| (code.member, id);
        if gave {
            self.performed.insert(at(id), true);
            return;
        }
        let has_value = |id: &ExprId| self.performed.get(&at(*id)) == Some(&true);
        let (needed, others) = operands(&code.body.expr(id).kind);
        if needed.iter().all(has_value) && others.iter().all(|one| has_value(one) || !self.asked.contains(&at(*one))) {
            self.performed.entry(at(id)).or_insert(false);
        }
    }

    /// Adds the coverage of other requests.
    pub fn extend(&mut self, other: Self) {
        self.asked.extend(other.asked);
        self.started.extend(other.started);
        self.ways.extend(other.ways);
        for (at, gave) in other.performed {
            *self.performed.entry(at).or_insert(false) |= gave;
        }
    }
}

/// The linked codes of one revision.
pub struct Codes<'p> {
    /// The meaning of names and calls, shared with the closure's threads.
    pub resolver: &'p Resolver<'p>,
    /// Annotations of the framework without effect on calls.
    marks: &'static [&'static str],
    codes: RefCell<FxHashMap<MemberId, Option<Rc<Code>>>>,
    /// Constants; `None` for a field that is not one, or whose value is being computed.
    constants: RefCell<FxHashMap<MemberId, Option<Constant>>>,
    depth: Cell<u32>,
    too_deep: Cell<bool>,
    implementations: RefCell<FxHashMap<(TypeId, MemberId), Option<MemberId>>>,
    assignments: RefCell<FxHashMap<FileId, Rc<Assignments>>>,
    /// For each static field, the classes whose initialisation sets it, if nothing sets it later.
    pub(in crate::interpret) started: RefCell<FxHashMap<MemberId, Option<Vec<TypeId>>>>,
    /// State after static initialisers. It also depends on the container, which is the same for all runs with these
    /// codes.
    pub(in crate::interpret) snapshots: RefCell<Snapshots>,
    /// State after static initialisers, for runs that follow state changed by requests.
    pub(in crate::interpret) followed: RefCell<Snapshots>,
    /// State after static initialisers, for runs with opaque values.
    pub(in crate::interpret) opaque: RefCell<Snapshots>,
    /// Source texts of sites. Cached, since reading a file of a commit is slow.
    sources: RefCell<FxHashMap<Site, Rc<str>>>,
    /// Evaluated expressions, while they are recorded.
    pub(in crate::interpret) covered: RefCell<Option<Covered>>,
    /// Hints on the use of texts, while they are recorded.
    pub(in crate::interpret) hinted: RefCell<Option<BTreeSet<Hint>>>,
}

impl<'p> Codes<'p> {
    /// Adds annotations of the framework without effect on calls.
    #[must_use]
    pub fn with_marks(self, marks: &'static [&'static str]) -> Self {
        Self { marks, ..self }
    }

    /// No code linked yet.
    pub fn new(resolver: &'p Resolver<'p>) -> Self {
        Self {
            resolver,
            marks: &[],
            codes: RefCell::default(),
            constants: RefCell::default(),
            depth: Cell::default(),
            too_deep: Cell::default(),
            implementations: RefCell::default(),
            assignments: RefCell::default(),
            started: RefCell::default(),
            snapshots: RefCell::default(),
            followed: RefCell::default(),
            opaque: RefCell::default(),
            sources: RefCell::default(),
            covered: RefCell::default(),
            hinted: RefCell::default(),
        }
    }

    /// Source text of a site, on one line and shortened.
    pub fn source(&self, site: Site) -> Rc<str> {
        if let Some(known) = self.sources.borrow().get(&site) {
            return known.clone();
        }
        let project = self.resolver.project();
        let text = project.text(project.file_of(site.member.ty)).unwrap_or_default();
        let cut = text.get(site.span.start as usize..site.span.end as usize).unwrap_or_default();
        let mut line = cut.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() > 120 {
            line = line.chars().take(117).collect::<String>() + "...";
        }
        let line: Rc<str> = line.into();
        self.sources.borrow_mut().insert(site, line.clone());
        line
    }

    /// All mutations of a member's body.
    pub fn mutations(&self, member: MemberId) -> Vec<Mutation> {
        self.code(member).map(|code| mutations(&code)).unwrap_or_default()
    }

    /// All branches of a member's body.
    pub fn branches(&self, member: MemberId) -> Vec<Branch> {
        self.code(member).map(|code| branches(&code)).unwrap_or_default()
    }

    /// For each statement and lambda of a member's body, an expression that shows whether it ran.
    pub fn executed(&self, member: MemberId) -> Vec<Executed> {
        self.code(member).map(|code| executed(&code)).unwrap_or_default()
    }

    /// Runs a function with a mutation applied; static state that it creates is discarded.
    pub fn mutated<T>(&self, mutation: &Mutation, run: impl FnOnce() -> T) -> T {
        let Some(code) = self.code(mutation.member) else { return run() };
        let kept = [&self.snapshots, &self.followed, &self.opaque].map(|snapshots| snapshots.borrow().clone());
        self.codes.borrow_mut().insert(mutation.member, Some(Rc::new(mutant(&code, mutation))));
        let result = run();
        self.codes.borrow_mut().insert(mutation.member, Some(code));
        for (snapshots, kept) in [&self.snapshots, &self.followed, &self.opaque].into_iter().zip(kept) {
            *snapshots.borrow_mut() = kept;
        }
        result
    }

    /// Runs a function and records the expressions that it evaluates.
    pub fn covering<T>(&self, run: impl FnOnce() -> T) -> (T, Covered) {
        *self.covered.borrow_mut() = Some(Covered::default());
        let result = run();
        (result, self.covered.borrow_mut().take().unwrap_or_default())
    }

    /// Runs a function and records its uses of texts.
    pub fn hinting<T>(&self, run: impl FnOnce() -> T) -> (T, BTreeSet<Hint>) {
        *self.hinted.borrow_mut() = Some(BTreeSet::new());
        let result = run();
        (result, self.hinted.borrow_mut().take().unwrap_or_default())
    }

    /// The project.
    pub fn project(&self) -> &'p Project {
        self.resolver.types.project
    }

    /// The assignments of a file, by variable.
    pub fn assignments(&self, file: FileId) -> Rc<Assignments> {
        let made = || Rc::new(assignments(self.project(), file));
        Rc::clone(self.assignments.borrow_mut().entry(file).or_insert_with(made))
    }

    /// The code of a member; `None` if it has none.
    pub fn code(&self, member: MemberId) -> Option<Rc<Code>> {
        if let Some(known) = self.codes.borrow().get(&member) {
            return known.clone();
        }
        let code = link::link(self.resolver, member, &|field| self.constant(field), self.marks).map(Rc::new);
        self.codes.borrow_mut().insert(member, code.clone());
        code
    }

    /// Whether a chain of constants was longer than the maximum.
    pub fn is_too_deep(&self) -> bool {
        self.too_deep.get()
    }

    /// The value of a field that is a constant variable (JLS §4.12.4).
    pub fn constant(&self, field: MemberId) -> Option<Constant> {
        if let Some(known) = self.constants.borrow().get(&field) {
            return known.clone();
        }
        if self.depth.get() >= MAX_DEPTH {
            self.too_deep.set(true);
            return None;
        }
        self.constants.borrow_mut().insert(field, None);
        self.depth.set(self.depth.get() + 1);
        let value = stacker::maybe_grow(RED_ZONE, GROWTH, || self.read_constant(field));
        self.depth.set(self.depth.get() - 1);
        self.constants.borrow_mut().insert(field, value.clone());
        value
    }

    fn read_constant(&self, field: MemberId) -> Option<Constant> {
        let project = self.project();
        let facts = project.member(field);
        let settled = facts.modifiers.has(Modifiers::FINAL)
            || matches!(project.ty(field.ty).kind, TypeKind::Interface | TypeKind::Annotation);
        if facts.kind != MemberKind::Field || !settled {
            return None;
        }
        let code = self.code(field)?;
        let Some(Root::Expr(root)) = code.body.root else { return None };
        let (value, used) = match (code.link(root), &code.result) {
            (Link::Const(value, used), Type::Prim(prim)) => (arith::convert(value, *prim)?, used),
            (Link::Const(value @ Scalar::Str(_), used), Type::Str) => (value.clone(), used),
            _ => return None,
        };
        let mut members = vec![field];
        members.extend(used.iter().flat_map(|used| used.iter()).take(MAX_USED));
        Some((value, members.into()))
    }

    /// The method that a call of `method` on an object of `class` runs; `None` if undecided, or if it has no body.
    pub fn implementation(&self, class: TypeId, method: MemberId) -> Option<MemberId> {
        if let Some(known) = self.implementations.borrow().get(&(class, method)) {
            return *known;
        }
        let found = super::dispatch::implementation(&self.resolver.types, class, method);
        self.implementations.borrow_mut().insert((class, method), found);
        found
    }
}
