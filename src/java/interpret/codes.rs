//! The codes of one revision, linked when first run, with what dispatch found; kept by whoever runs many paths.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::arith;
use super::assignments::{Assignments, assignments};
use super::branches::{Branch, Executed, Way, branches, executed};
use super::code::{Code, Link};
use super::hints::Hint;
use super::java_type::Type;
use super::link;
use super::mutation::{Mutation, mutant, mutations};
use super::path::Site;
use super::scalar::Scalar;
use super::snapshots::Snapshots;
use crate::java::body::{ExprId, Root};
use crate::java::facts::{MemberKind, Modifiers, TypeKind};
use crate::java::ids::{FileId, MemberId, TypeId};
use crate::java::project::Project;
use crate::java::resolver::Resolver;

/// How many constants may be named one through another.
const MAX_DEPTH: u32 = 6_000;

/// What must be left of the stack where one constant is named through another, and by how much it grows.
const RED_ZONE: usize = 1 << 20;
const GROWTH: usize = 8 << 20;

/// How many other fields are noted that one constant rests on.
const MAX_USED: usize = 50;

/// A constant's value, and the fields that it rests on.
type Constant = (Scalar, Rc<[MemberId]>);

/// Expressions that were worked out.
#[derive(Debug, Clone, Default)]
pub struct Covered {
    /// By requests.
    pub asked: HashSet<(MemberId, ExprId)>,
    /// When objects of the container were made.
    pub started: HashSet<(MemberId, ExprId)>,
    /// Ways that conditions and switches went, by requests.
    pub ways: HashSet<(MemberId, ExprId, Way)>,
}

/// Codes of one revision.
pub struct Codes<'p> {
    /// What names and calls mean; shared with the closure's threads.
    pub resolver: &'p Resolver<'p>,
    /// Annotations of the framework that change nothing about what a call returns or throws.
    marks: &'static [&'static str],
    codes: RefCell<HashMap<MemberId, Option<Rc<Code>>>>,
    /// Constants, `None` for a field that is none or whose value is being asked for.
    constants: RefCell<HashMap<MemberId, Option<Constant>>>,
    depth: Cell<u32>,
    too_deep: Cell<bool>,
    implementations: RefCell<HashMap<(TypeId, MemberId), Option<MemberId>>>,
    assignments: RefCell<HashMap<FileId, Rc<Assignments>>>,
    /// Which classes set a static field when they are initialised, once and for all.
    pub(super) started: RefCell<HashMap<MemberId, Option<Vec<TypeId>>>>,
    /// What static initialisers left. It depends on the container too, which is the same in all runs over one set of codes.
    pub(super) snapshots: RefCell<Snapshots>,
    /// The same where what requests change is followed from its initial state.
    pub(super) followed: RefCell<Snapshots>,
    /// The same where what is not followed is opaque.
    pub(super) opaque: RefCell<Snapshots>,
    /// Source texts of places: to read a file of a commit takes long.
    sources: RefCell<HashMap<Site, Rc<str>>>,
    /// Where expressions are noted that are worked out.
    pub(super) covered: RefCell<Option<Covered>>,
    /// Where it is noted what is done with texts.
    pub(super) hinted: RefCell<Option<BTreeSet<Hint>>>,
}

impl<'p> Codes<'p> {
    /// The same, where these annotations change nothing about what a call returns or throws.
    #[must_use]
    pub fn with_marks(self, marks: &'static [&'static str]) -> Self {
        Self { marks, ..self }
    }

    /// No code yet.
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

    /// Source text of a place, on one line and not too long.
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

    /// By which expressions of a member's body it is seen what of it ran.
    pub fn executed(&self, member: MemberId) -> Vec<Executed> {
        self.code(member).map(|code| executed(&code)).unwrap_or_default()
    }

    /// Runs something with a mutation in place; what it leaves of static state is forgotten.
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

    /// Runs something, and notes what it works out.
    pub fn covering<T>(&self, run: impl FnOnce() -> T) -> (T, Covered) {
        *self.covered.borrow_mut() = Some(Covered::default());
        let result = run();
        (result, self.covered.borrow_mut().take().unwrap_or_default())
    }

    /// Runs something, and notes what it does with texts.
    pub fn hinting<T>(&self, run: impl FnOnce() -> T) -> (T, BTreeSet<Hint>) {
        *self.hinted.borrow_mut() = Some(BTreeSet::new());
        let result = run();
        (result, self.hinted.borrow_mut().take().unwrap_or_default())
    }

    /// The project.
    pub fn project(&self) -> &'p Project {
        self.resolver.types.project
    }

    /// Which members of a file assign to what.
    pub fn assignments(&self, file: FileId) -> Rc<Assignments> {
        let made = || Rc::new(assignments(self.project(), file));
        Rc::clone(self.assignments.borrow_mut().entry(file).or_insert_with(made))
    }

    /// The code of a member; `None` where nothing runs.
    pub fn code(&self, member: MemberId) -> Option<Rc<Code>> {
        if let Some(known) = self.codes.borrow().get(&member) {
            return known.clone();
        }
        let code = link::link(self.resolver, member, &|field| self.constant(field), self.marks).map(Rc::new);
        self.codes.borrow_mut().insert(member, code.clone());
        code
    }

    /// Whether constants were named through more others than are followed.
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

    /// The method that runs where `method` is called on an object of `class`; `None` where that is not decided, or it has no body.
    pub fn implementation(&self, class: TypeId, method: MemberId) -> Option<MemberId> {
        if let Some(known) = self.implementations.borrow().get(&(class, method)) {
            return *known;
        }
        let found = super::dispatch::implementation(&self.resolver.types, class, method);
        self.implementations.borrow_mut().insert((class, method), found);
        found
    }
}
