//! The machine: the state of one running path, its forks, and the facts that it records.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::walked::Walked;
use crate::interpret::linking::code::Code;
use crate::interpret::linking::codes::Codes;
use crate::interpret::opaque::follows::FollowedMembers;
use crate::interpret::opaque::state::{OpaqueState, says_failing};
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::known::PathConstraints;
use crate::interpret::paths::path::{Bound, Exploration, Modelled, Outcome, Path, Site, Taken, Thrown};
use crate::interpret::state::snapshots::{Initialised, Recording, Snapshots};
use crate::interpret::stores::data::Stores;
use crate::interpret::stores::state::StoreState;
use crate::interpret::values::scalar::{ClassRef, Identity, JStr, Prim, Scalar};
use crate::interpret::values::term::Term;
use crate::interpret::values::types;
use crate::interpret::values::value::{Heap, Kind, ObjId, Object, Type, Value};
use crate::ir::facts::{Span, TypeRef};
use crate::ir::ids::{MemberId, TypeId};
use crate::project::index::Project;

/// The bounds of a run, in counted units.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Maximum call depth.
    pub depth: usize,
    /// Maximum number of symbolic conditions on one path.
    pub forks: usize,
    /// Maximum number of paths.
    pub paths: usize,
    /// Maximum number of steps of one path.
    pub steps: u64,
    /// Maximum number of steps of all paths together.
    pub total_steps: u64,
    /// Maximum number of iterations of a loop with a symbolic condition.
    pub turns: usize,
    /// Maximum number of objects and of elements of arrays and lists created on one path.
    pub cells: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { depth: 200, forks: 40, paths: 200, steps: 500_000, total_steps: 4_000_000, turns: 3, cells: 1_000_000 }
    }
}

/// The container's decisions: which class is injected where, and the values of properties.
pub trait Wiring {
    /// The class of the bean that is injected into a field or parameter of this declared project type and name.
    fn bean(&self, declared: TypeId, name: &str) -> Option<TypeId>;
    /// Whether a run starts with static fields as their initialisers leave them. Otherwise the run is a request to a
    /// service that has already run.
    fn starts_fresh(&self) -> bool {
        false
    }
    /// How the project's code uses objects, if known.
    fn usage(&self) -> Option<&crate::objects::usage::Usage> {
        None
    }
    /// The text that a placeholder such as `${orders.currency:EUR}` expands to.
    fn property(&self, placeholder: &str) -> Option<String>;
    /// Whether a placeholder expands only by a default that it, or a property behind it, has.
    fn is_default(&self, _placeholder: &str) -> bool {
        false
    }
    /// The stores, if their contents are known.
    fn stores(&self) -> Option<&Stores> {
        None
    }
    /// Whether the state of this field between requests is its initial value plus the changes of requests that are
    /// followed.
    fn follows_state(&self, _field: MemberId) -> bool {
        false
    }
    /// The single factory method of a bean of a library class.
    fn factory(&self, _fqn: &str) -> Option<MemberId> {
        None
    }
    /// Whether XML annotations do not affect JSON.
    fn has_plain_xml(&self) -> bool {
        false
    }
    /// Whether one persistence session spans the whole request.
    fn keeps_session(&self) -> bool {
        false
    }
    /// The stores of the project, whether or not their rows are known.
    fn declared_stores(&self) -> Option<&Stores> {
        self.stores()
    }
    /// The bytes of a class path resource, if the revision contains it and the build copies it unchanged.
    fn resource(&self, _path: &str) -> Option<Rc<[u8]>> {
        None
    }
}

/// Data that all runs over one revision share.
pub struct Context<'p> {
    /// The linked codes.
    pub codes: &'p Codes<'p>,
    /// The container.
    pub wiring: &'p dyn Wiring,
    /// The bounds.
    pub bounds: Bounds,
    /// Selects the members that are followed, in runs with opaque values; `None` in runs where other code is unknown.
    pub follows: Option<&'p dyn FollowedMembers>,
}

impl<'p> Context<'p> {
    /// The cached state after static initialisers for this kind of run.
    pub(in crate::interpret) fn snapshots(&self) -> &'p RefCell<Snapshots> {
        let codes = self.codes;
        match (self.follows, self.wiring.stores()) {
            (Some(_), _) => &codes.opaque,
            (None, Some(_)) => &codes.followed,
            (None, None) => &codes.snapshots,
        }
    }
}

/// Maximum length in bytes of a string that a path creates.
pub const MAX_TEXT: usize = 200_000;

/// Why evaluation stops.
#[derive(Debug, Clone)]
pub enum Stop {
    /// An exception was thrown.
    Throw(Box<Thrown>),
    /// A bound was reached.
    Cut(Bound),
}

impl Stop {
    /// Stops with an exception.
    pub fn thrown(thrown: Thrown) -> Self {
        Self::Throw(Box::new(thrown))
    }
}

/// The result of evaluation.
pub type Eval<T = Value> = Result<T, Stop>;

/// One invocation.
#[derive(Debug)]
pub struct Frame {
    /// The running code.
    pub code: Rc<Code>,
    /// `this`.
    pub this: Option<Value>,
    /// Variables, by slot.
    pub slots: Vec<Value>,
    /// The number of frames before it on this path, whether they are left or not.
    pub serial: u64,
}

/// A decision between several alternatives.
#[derive(Debug, Clone, Copy)]
struct Choice {
    taken: usize,
    of: usize,
}

/// One running path.
pub struct Machine<'p> {
    /// Data that all runs share.
    pub cx: &'p Context<'p>,
    /// The linked codes.
    pub codes: &'p Codes<'p>,
    /// The project.
    pub project: &'p Project,
    /// The objects.
    pub heap: Heap,
    /// The call stack, innermost last.
    pub frames: Vec<Frame>,
    /// Number of frames that the path has entered.
    pub entered: u64,
    /// Conditions taken so far.
    pub conditions: Vec<Taken>,
    /// Number of enclosing `try` blocks with a `catch`.
    pub catching: usize,
    /// Whether startup code is running, such as the construction of a bean.
    pub is_starting: bool,
    /// Static fields of the classes initialised so far.
    pub statics: BTreeMap<MemberId, Value>,
    /// Classes whose initialisation has started.
    pub classes: BTreeMap<TypeId, Initialised>,
    /// Beans and enum constants created so far.
    pub singles: BTreeMap<(TypeId, Rc<str>), ObjId>,
    /// Objects of library constants created so far.
    pub constants: BTreeMap<Rc<str>, ObjId>,
    /// Members that have run.
    pub members: BTreeSet<MemberId>,
    /// Models used.
    pub models: BTreeSet<&'static str>,
    /// Library calls, with whether a model answered.
    pub library_calls: BTreeMap<Rc<str>, BTreeMap<Rc<str>, Modelled>>,
    /// See [`Path::unknowns`].
    pub unknowns: BTreeSet<Rc<str>>,
    /// See [`Path::doubts`].
    pub doubts: BTreeSet<Rc<str>>,
    /// See [`Path::assumed`].
    pub assumed: BTreeSet<Rc<str>>,
    /// See [`Path::effects`].
    pub effects: Vec<Rc<str>>,
    /// See [`Path::exit`].
    pub exit: Option<Site>,
    /// State of the stores, as far as they were accessed.
    pub store: StoreState,
    /// Steps so far.
    pub steps: u64,
    /// Argument types of the current call, for models that need them.
    pub argument_types: Vec<Type>,
    /// The current call expression.
    pub calling: Option<Site>,
    /// Candidate members of a Java model for the current call, and whether its last argument is a single variable
    /// argument.
    pub meant: (Vec<MemberId>, Option<bool>),
    /// The site where project code called the running Java model.
    pub modelled_at: Option<Site>,
    /// Request and response as Servlet API objects, once created.
    pub exchange: Option<(ObjId, ObjId)>,
    /// Members that set response headers before the handler ran, with the header names in lower case.
    pub header_setters: Vec<(MemberId, Vec<String>)>,
    /// Contexts of servers that code has started itself, each with its path.
    pub hosted: Vec<(Rc<str>, ObjId)>,
    /// State of opaque values.
    pub opaque: OpaqueState,
    known: PathConstraints,
    choices: Vec<Choice>,
    pub(in crate::interpret) at: usize,
    pub(in crate::interpret) budget: u64,
    pub(in crate::interpret) nesting: u32,
    /// Objects whose text, hash or equality is being computed, each within the one before.
    pub(in crate::interpret) walking: Vec<(Walked, ObjId)>,
    /// The maximum call depth and nesting depth so far.
    pub(in crate::interpret) deepest: (usize, u32),
    pub(in crate::interpret) cells: usize,
    pub(in crate::interpret) made: u64,
    /// Classes whose state was taken over from the cache.
    pub(in crate::interpret) recalled: BTreeSet<TypeId>,
    /// Whether the path has assigned a static field of a recalled class.
    pub(in crate::interpret) is_disturbed: bool,
    /// Whether evaluated expressions are recorded.
    pub(in crate::interpret) is_covering: bool,
    /// Whether uses of texts are recorded.
    pub(in crate::interpret) is_hinting: bool,
    /// The recording, if this run initialises a class for the cache.
    pub(in crate::interpret) recording: Option<Recording>,
}

/// Beginnings of paths that were not followed yet, each with an alternative that no path has taken as its last choice.
/// Those with the fewest choices besides the first ones are taken first (limited discrepancy search).
struct OpenChoices {
    open: BTreeMap<(usize, usize), Vec<Vec<Choice>>>,
    /// Number of choices that the current path began with.
    begun: usize,
}

impl OpenChoices {
    /// What a search that flips the last choice first has still before it, with the path that it would take next.
    fn of_search(next: &[Choice]) -> Self {
        let mut found = Self { open: BTreeMap::new(), begun: 0 };
        let last = next.len().saturating_sub(1);
        for at in 0..last {
            found.add_behind(next, at);
        }
        if let Some(own) = next.last() {
            (own.taken..own.of).for_each(|taken| found.push(next, last, taken));
        }
        found
    }

    /// Adds the alternatives of a path that began with the choices last taken.
    fn add(&mut self, made: &[Choice]) {
        (self.begun..made.len()).for_each(|at| self.add_behind(made, at));
    }

    fn add_behind(&mut self, made: &[Choice], at: usize) {
        (made[at].taken + 1..made[at].of).for_each(|taken| self.push(made, at, taken));
    }

    fn push(&mut self, made: &[Choice], at: usize, taken: usize) {
        let mut choices = made[..at].to_vec();
        choices.push(Choice { taken, ..made[at] });
        let flips = choices.iter().filter(|choice| choice.taken > 0).count();
        self.open.entry((flips, choices.len())).or_default().push(choices);
    }

    /// The beginning of the next path; `None` if all have been followed.
    fn take(&mut self) -> Option<Vec<Choice>> {
        let mut first = self.open.first_entry()?;
        let next = first.get_mut().pop();
        if first.get().is_empty() {
            first.remove();
        }
        self.begun = next.as_ref().map_or(0, Vec::len);
        next
    }
}

/// Runs `start` once for every combination of outcomes of its symbolic conditions.
pub fn explore<'p>(cx: &'p Context<'p>, start: impl FnMut(&mut Machine<'p>) -> Eval) -> Exploration {
    explore_where(cx, &[], start)
}

/// Runs `start` once for every combination of outcomes of the symbolic conditions that `known` leaves open.
pub fn explore_where<'p>(
    cx: &'p Context<'p>,
    known: &[Cond],
    mut start: impl FnMut(&mut Machine<'p>) -> Eval,
) -> Exploration {
    let mut choices: Vec<Choice> = Vec::new();
    let mut paths = Vec::new();
    let mut left = cx.bounds.total_steps;
    // Where not all paths are followed, the last forks would take all of them. So the second half goes to alternatives
    // that are few decisions away from the first path.
    let mut open: Option<OpenChoices> = None;
    loop {
        let mut machine = Machine::new(cx, choices, left.min(cx.bounds.steps));
        known.iter().for_each(|cond| machine.constrain(cond.clone()));
        machine.opaque.is_failing = known.iter().any(says_failing);
        let outcome = match start(&mut machine) {
            Ok(value) => Outcome::Returned(value),
            Err(Stop::Throw(thrown)) => Outcome::Thrown(*thrown),
            Err(Stop::Cut(bound)) => Outcome::Cut(bound),
        };
        left = left.saturating_sub(machine.steps.max(1));
        let (path, made) = machine.finish(outcome);
        paths.push(path);
        choices = made;
        if let Some(open) = open.as_mut() {
            open.add(&choices);
            match open.take() {
                None => return Exploration { paths, complete: true },
                Some(next) => choices = next,
            }
        } else {
            // The next path: flips the last choice that has an untried alternative.
            while choices.last().is_some_and(|choice| choice.taken + 1 == choice.of) {
                choices.pop();
            }
            match choices.last_mut() {
                None => return Exploration { paths, complete: true },
                Some(choice) => choice.taken += 1,
            }
            let is_half = paths.len() >= cx.bounds.paths / 2 || left < cx.bounds.total_steps / 2;
            if is_half && cx.follows.is_some_and(FollowedMembers::compares) {
                let mut rest = OpenChoices::of_search(&choices);
                match rest.take() {
                    None => return Exploration { paths, complete: true },
                    Some(next) => choices = next,
                }
                open = Some(rest);
            }
        }
        if paths.len() >= cx.bounds.paths || left == 0 {
            return Exploration { paths, complete: false };
        }
    }
}

impl<'p> Machine<'p> {
    /// A machine outside any path, without earlier decisions. It has no step bound of its own; the code that it runs
    /// sets one.
    pub(in crate::interpret) fn apart(cx: &'p Context<'p>) -> Self {
        let recording = Some(Recording::default());
        Self { recording, ..Self::new(cx, Vec::new(), u64::MAX / 2) }
    }

    fn new(cx: &'p Context<'p>, choices: Vec<Choice>, budget: u64) -> Self {
        let (heap, made) = cx.snapshots().borrow().heap();
        Self {
            cx,
            codes: cx.codes,
            project: cx.codes.project(),
            heap,
            frames: Vec::new(),
            entered: 0,
            conditions: Vec::new(),
            catching: 0,
            is_starting: false,
            statics: BTreeMap::new(),
            classes: BTreeMap::new(),
            singles: BTreeMap::new(),
            constants: BTreeMap::new(),
            members: BTreeSet::new(),
            models: BTreeSet::new(),
            library_calls: BTreeMap::new(),
            unknowns: BTreeSet::new(),
            doubts: BTreeSet::new(),
            assumed: BTreeSet::new(),
            effects: Vec::new(),
            exit: None,
            store: StoreState::default(),
            steps: 0,
            argument_types: Vec::new(),
            calling: None,
            meant: Default::default(),
            modelled_at: None,
            exchange: None,
            header_setters: Vec::new(),
            hosted: Vec::new(),
            opaque: OpaqueState::default(),
            known: PathConstraints::default(),
            choices,
            at: 0,
            budget,
            nesting: 0,
            walking: Vec::new(),
            deepest: (0, 0),
            cells: 0,
            made,
            recalled: BTreeSet::new(),
            is_disturbed: false,
            is_covering: cx.codes.covered.borrow().is_some(),
            is_hinting: cx.codes.hinted.borrow().is_some(),
            recording: None,
        }
    }

    fn finish(mut self, outcome: Outcome) -> (Path, Vec<Choice>) {
        self.choices.truncate(self.at);
        let path = Path {
            conditions: self.conditions,
            outcome,
            exit: self.exit,
            members: self.members,
            models: self.models,
            library_calls: self
                .library_calls
                .iter()
                .flat_map(|(class, names)| names.iter().map(move |(name, known)| (format!("{class}.{name}"), *known)))
                .map(|(name, known)| (Rc::from(name), known))
                .collect(),
            unknowns: self.unknowns,
            doubts: self.doubts,
            assumed: self.assumed,
            effects: self.effects,
            store: self.store,
            heap: self.heap,
            steps: self.steps,
        };
        (path, self.choices)
    }

    /// Counts one step.
    pub fn step(&mut self) -> Eval<()> {
        self.steps += 1;
        if self.steps > self.budget { self.spent() } else { Ok(()) }
    }

    #[cold]
    fn spent(&self) -> Eval<()> {
        Err(Stop::Cut(Bound::Steps))
    }

    /// Chooses one of `of` alternatives; each is taken by a path of its own.
    pub fn choose(&mut self, of: usize) -> Eval<usize> {
        if self.at == self.choices.len() {
            if self.at >= self.cx.bounds.forks {
                return Err(Stop::Cut(Bound::Forks));
            }
            self.choices.push(Choice { taken: 0, of });
        }
        let taken = self.choices[self.at].taken;
        self.at += 1;
        Ok(taken)
    }

    /// Decides a condition: by the path constraints, else by a fork.
    pub fn decide(&mut self, cond: Cond, site: Option<Site>) -> Eval<bool> {
        let cond = cond.simplify();
        if let Cond::Const(value) = cond {
            return Ok(value);
        }
        if self.is_opaque() {
            self.note_asked(&cond, site);
        }
        if !cond.is_unknown()
            && let Some(value) = self.known.decides(&cond)
        {
            return Ok(value);
        }
        let holds = self.choose(2)? == 0;
        let cond = if holds { cond } else { cond.negate() };
        self.constrain(cond.clone());
        self.conditions.push(Taken { cond, site });
        Ok(holds)
    }

    /// Adds a condition as assumed, without a fork.
    pub(in crate::interpret) fn assume(&mut self, taken: Taken) {
        self.constrain(taken.cond.clone());
        self.conditions.push(taken);
    }

    /// Adds a condition to the path constraints.
    fn constrain(&mut self, cond: Cond) {
        if let Cond::Same(a, b) = &cond
            && [a, b].iter().all(|term| matches!(&***term, Term::Opaque(_)))
        {
            self.opaque.same.push((a.clone(), b.clone()));
        }
        self.known.add(cond);
    }

    /// The path constraints so far.
    pub fn known(&self) -> &PathConstraints {
        &self.known
    }

    /// Decides a boolean value.
    pub fn truth(&mut self, value: &Value, site: Site) -> Eval<bool> {
        let value = &match self.is_opaque_value(value) {
            true => self.typed(value.clone(), &Type::Prim(Prim::Bool)),
            false => value.clone(),
        };
        match value {
            Value::Scalar(Scalar::Bool(value)) => Ok(*value),
            Value::Scalar(Scalar::Null) => Err(self.null_pointer()),
            Value::Cond(cond) => self.decide((**cond).clone(), Some(site)),
            Value::Symbol(symbol) => {
                self.not_null(value)?;
                self.decide(Cond::Test(symbol.term.clone()), Some(site))
            }
            Value::Unknown(unknown) => {
                let why: Vec<&str> = unknown.reasons.iter().map(AsRef::as_ref).collect();
                let (why, primitive) = (why.join("; "), matches!(unknown.ty, Type::Prim(_)));
                if !primitive && !unknown.present && !matches!(unknown.ty, Type::Unknown) {
                    self.doubt(&format!("{why}: may be null"));
                }
                let cond = Cond::Unknown(self.source(site), Rc::from(why));
                self.decide(cond, Some(site))
            }
            Value::Ref(_) | Value::Class(_) | Value::Lambda(_) | Value::Scalar(_) => {
                self.doubt("a condition was not understood");
                let cond = Cond::Unknown(self.source(site), Rc::from("a condition was not understood"));
                self.decide(cond, Some(site))
            }
        }
    }

    /// Source text of a site, on one line and shortened.
    pub fn source(&self, site: Site) -> Rc<str> {
        self.cx.codes.source(site)
    }

    /// Throws `NullPointerException` if the value is null. A symbolic value that may be null forks; an opaque one counts as non-null from here on.
    pub fn not_null(&mut self, value: &Value) -> Eval<()> {
        match value {
            Value::Scalar(Scalar::Null) => Err(self.null_pointer()),
            Value::Symbol(_) | Value::Ref(_) if let Some(term) = self.null_where_asked(value) => {
                let is_null = Cond::IsNull(term);
                match self.known.decides(&is_null) {
                    Some(true) => Err(self.null_pointer()),
                    Some(false) => Ok(()),
                    // A value that was dereferenced is not null in later tests.
                    None => {
                        self.known.add(is_null.negate());
                        Ok(())
                    }
                }
            }
            Value::Symbol(symbol) if symbol.nullable => {
                let site = self.here();
                if self.decide(Cond::IsNull(symbol.term.clone()), site)? {
                    return Err(self.null_pointer());
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Whether code that takes no null refuses a value. What it does not refuse is not null in later tests, but for those of
    /// a `catch` around it.
    pub(in crate::interpret) fn is_refused_as_null(&mut self, value: &Value) -> bool {
        let term = match value {
            Value::Symbol(symbol) if symbol.nullable && self.is_compared() => Some(symbol.term.clone()),
            value => self.null_where_asked(value),
        };
        let Some(is_null) = term.map(Cond::IsNull) else { return value.is_null() };
        let decided = self.known.decides(&is_null);
        if decided.is_none() && self.catching == 0 {
            self.known.add(is_null.negate());
        }
        decided == Some(true)
    }

    /// Whether a value is null, as a boolean value.
    pub fn is_null(&mut self, value: &Value) -> Value {
        match value {
            Value::Scalar(scalar) => Value::bool(*scalar == Scalar::Null),
            Value::Symbol(symbol) if symbol.nullable => Value::cond(Cond::IsNull(symbol.term.clone())),
            Value::Ref(_) if let Some(term) = self.null_where_asked(value) => Value::cond(Cond::IsNull(term)),
            Value::Unknown(unknown) if unknown.present => Value::bool(false),
            Value::Unknown(unknown) => Value::Unknown(Rc::new(crate::interpret::values::value::Unknown {
                reasons: unknown.reasons.clone(),
                ty: Type::Prim(Prim::Bool),
                present: false,
                ends: None,
            })),
            _ => Value::bool(false),
        }
    }

    /// Whether code of a Java model is running.
    pub fn is_in_model(&self) -> bool {
        self.frames.last().is_some_and(|frame| self.project.is_model(frame.code.member.ty))
    }

    /// Records that a member ran; members of library models do not count.
    pub fn ran(&mut self, member: MemberId) {
        if !self.project.is_model(member.ty) {
            self.members.insert(member);
        }
    }

    /// The current site.
    pub fn here(&self) -> Option<Site> {
        let member = self.frames.last()?.code.member;
        match self.project.is_model(member.ty) {
            true => self.modelled_at,
            false => Some(Site { member, span: self.project.member(member).name_span }),
        }
    }

    /// A site in the running member.
    pub fn site(&self, span: Span) -> Option<Site> {
        let member = self.frames.last()?.code.member;
        if self.project.is_model(member.ty) { self.modelled_at } else { Some(Site { member, span }) }
    }

    /// A new object.
    pub fn allocate(&mut self, object: Object) -> ObjId {
        if let Kind::List { items, .. } = &object.kind {
            self.cells += items.len();
        }
        self.cells += 4;
        if self.cells > self.cx.bounds.cells {
            // Makes the next step end the path.
            self.budget = 0;
        }
        self.heap.push(object)
    }

    /// The object with this id.
    pub fn object(&self, id: ObjId) -> &Object {
        &self.heap[id]
    }

    /// The object with this id, mutable.
    pub fn object_mut(&mut self, id: ObjId) -> &mut Object {
        &mut self.heap[id]
    }

    /// The model's state of an object, if it has this type.
    pub fn native<T: 'static>(&self, id: ObjId) -> Option<&T> {
        match &self.object(id).kind {
            Kind::Native(native) => native.as_any().downcast_ref(),
            _ => None,
        }
    }

    /// The model's state of an object, mutable.
    pub fn native_mut<T: 'static>(&mut self, id: ObjId) -> Option<&mut T> {
        match &mut self.object_mut(id).kind {
            Kind::Native(native) => native.as_any_mut().downcast_mut(),
            _ => None,
        }
    }

    /// Throws `NullPointerException`; its message depends on the release.
    pub fn null_pointer(&mut self) -> Stop {
        let message = Value::unknown("message of a null pointer exception", Type::Str);
        self.throw("java.lang.NullPointerException", message)
    }

    /// Throws an exception of a library class.
    pub fn throw(&mut self, fqn: &str, message: Value) -> Stop {
        let mut object = Object::new(ClassRef::library(fqn), Kind::Modelled);
        object.parts.insert("message", message);
        let id = self.allocate(object);
        let site = self.exit.or_else(|| self.here());
        Stop::thrown(Thrown { class: Some(ClassRef::library(fqn)), object: Some(id), site })
    }

    /// A string created at run time.
    pub fn fresh_text(&mut self, text: &str) -> Value {
        if text.len() > MAX_TEXT {
            // For much longer texts, Java runs out of memory.
            self.doubt("a text is too long");
            return self.unknown("a text is too long", Type::Str);
        }
        self.made += 1;
        Value::Scalar(Scalar::Str(JStr { text: Rc::from(text), identity: Identity::Fresh(self.made) }))
    }

    /// Resolves a type reference in a scope.
    pub fn type_of(&self, scope: TypeId, reference: &TypeRef) -> Type {
        types::type_of(self.project, scope, reference)
    }

    /// Display name of a class.
    pub fn class_name(&self, class: &ClassRef) -> String {
        match class {
            ClassRef::Project(id) => self.project.fqn(*id).to_owned(),
            ClassRef::Library(fqn) => fqn.to_string(),
        }
    }

    /// A value of a declared type as a request input: objects of the body are created, everything else is symbolic.
    pub fn input(&mut self, input: crate::interpret::values::term::Input, ty: &Type, nullable: bool) -> Value {
        match ty {
            Type::Class(ClassRef::Project(id), _)
                if matches!(
                    self.project.ty(*id).kind,
                    crate::ir::facts::TypeKind::Class | crate::ir::facts::TypeKind::Record
                ) =>
            {
                let object = Object::new(ClassRef::Project(*id), Kind::Body(input));
                Value::Ref(self.allocate(object))
            }
            _ => Value::symbol(Term::Input(input), ty.clone(), nullable && ty.is_reference()),
        }
    }
}
