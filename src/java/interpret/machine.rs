//! The machine: the state of one running path, its forks, and what it notes on the way.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::code::Code;
use super::codes::Codes;
use super::condition::Cond;
use super::known::Known;
use super::opaque::follows::Follows;
use super::opaque::state::{OpaqueState, says_failing};
use super::path::{Bound, Exploration, Modelled, Outcome, Path, Site, Taken, Thrown};
use super::scalar::{ClassRef, Identity, JStr, Prim, Scalar};
use super::snapshots::{Initialised, Recording, Snapshots};
use super::stores::data::Stores;
use super::stores::state::StoreState;
use super::term::Term;
use super::types;
use super::value::{Heap, Kind, ObjId, Object, Type, Value};
use super::walked::Walked;
use crate::java::facts::{Span, TypeRef};
use crate::java::ids::{MemberId, TypeId};
use crate::java::project::Project;

/// How far a run goes, in counted steps.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Calls within calls.
    pub depth: usize,
    /// Open conditions on one path.
    pub forks: usize,
    /// Paths.
    pub paths: usize,
    /// Steps of one path.
    pub steps: u64,
    /// Steps of all paths together.
    pub total_steps: u64,
    /// Turns of a loop whose condition is not concrete.
    pub turns: usize,
    /// Objects and elements of arrays and lists made on one path.
    pub cells: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { depth: 200, forks: 40, paths: 200, steps: 500_000, total_steps: 4_000_000, turns: 3, cells: 1_000_000 }
    }
}

/// What the container decides: which class is injected where, and what a property says.
pub trait Wiring {
    /// The class of the object that is injected for a declared project type at a field or parameter of this name.
    fn bean(&self, declared: TypeId, name: &str) -> Option<TypeId>;
    /// Whether a run is a life of its own: static fields begin as their initialisers leave them. A service lives on between requests instead.
    fn starts_fresh(&self) -> bool {
        false
    }
    /// How the project's code uses objects, where that is known.
    fn usage(&self) -> Option<&crate::java::usage::Usage> {
        None
    }
    /// The text that a placeholder such as `${orders.currency:EUR}` resolves to.
    fn property(&self, placeholder: &str) -> Option<String>;
    /// The stores, where what they hold is known.
    fn stores(&self) -> Option<&Stores> {
        None
    }
    /// Whether what this field keeps between requests is what its initialiser gave when the service starts, but for what requests changed that
    /// are followed.
    fn follows_state(&self, _field: MemberId) -> bool {
        false
    }
    /// The one method that makes the container's object of a library class, and the class that it stands in.
    fn factory(&self, _fqn: &str) -> Option<MemberId> {
        None
    }
    /// Whether the annotations of XML say nothing of JSON.
    fn has_plain_xml(&self) -> bool {
        false
    }
    /// Whether one session of the store lasts for the whole request.
    fn keeps_session(&self) -> bool {
        false
    }
    /// The stores of the project, whether or not their rows are followed.
    fn declared_stores(&self) -> Option<&Stores> {
        self.stores()
    }
    /// The bytes of a file of the class path, where the revision holds it and the build hands it on as it stands.
    fn resource(&self, _path: &str) -> Option<Rc<[u8]>> {
        None
    }
}

/// What all runs over one revision share.
pub struct Context<'p> {
    /// The code.
    pub codes: &'p Codes<'p>,
    /// The container.
    pub wiring: &'p dyn Wiring,
    /// The bounds.
    pub bounds: Bounds,
    /// What is followed, where all else is opaque; nothing where it is unknown instead.
    pub follows: Option<&'p dyn Follows>,
}

impl<'p> Context<'p> {
    /// What static initialisers left, in runs that follow what requests change, or in those that do not.
    pub(super) fn snapshots(&self) -> &'p RefCell<Snapshots> {
        let codes = self.codes;
        match (self.follows, self.wiring.stores()) {
            (Some(_), _) => &codes.opaque,
            (None, Some(_)) => &codes.followed,
            (None, None) => &codes.snapshots,
        }
    }
}

/// Longest string, in bytes, that a path may make.
pub const MAX_TEXT: usize = 200_000;

/// Why a body does not go on.
#[derive(Debug, Clone)]
pub enum Stop {
    /// An exception is under way.
    Throw(Box<Thrown>),
    /// A bound was met.
    Cut(Bound),
}

impl Stop {
    /// An exception.
    pub fn thrown(thrown: Thrown) -> Self {
        Self::Throw(Box::new(thrown))
    }
}

/// What evaluating gives.
pub type Eval<T = Value> = Result<T, Stop>;

/// One invocation.
#[derive(Debug)]
pub struct Frame {
    /// What runs.
    pub code: Rc<Code>,
    /// `this`.
    pub this: Option<Value>,
    /// Variables, by their places.
    pub slots: Vec<Value>,
}

/// One decision: which of several ways was taken.
#[derive(Debug, Clone, Copy)]
struct Choice {
    taken: usize,
    of: usize,
}

/// One running path.
pub struct Machine<'p> {
    /// What all runs share.
    pub cx: &'p Context<'p>,
    /// What runs.
    pub codes: &'p Codes<'p>,
    /// The code.
    pub project: &'p Project,
    /// Objects.
    pub heap: Heap,
    /// Invocations, the latest last.
    pub frames: Vec<Frame>,
    /// Conditions taken.
    pub conditions: Vec<Taken>,
    /// Number of enclosing `try` blocks that catch something.
    pub catching: usize,
    /// Whether an object of the container is being made, which the service did when it started.
    pub is_starting: bool,
    /// Static fields of the classes initialised so far.
    pub statics: BTreeMap<MemberId, Value>,
    /// Classes whose initialisation began.
    pub classes: BTreeMap<TypeId, Initialised>,
    /// Beans and enum constants made so far.
    pub singles: BTreeMap<(TypeId, Rc<str>), ObjId>,
    /// Constants of library classes that are objects, made so far.
    pub constants: BTreeMap<Rc<str>, ObjId>,
    /// Members that ran.
    pub members: BTreeSet<MemberId>,
    /// Models used.
    pub models: BTreeSet<&'static str>,
    /// Calls into libraries that a model answered (`true`), or none did.
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
    /// The stores, as far as they were asked.
    pub store: StoreState,
    /// Steps so far.
    pub steps: u64,
    /// Types of the arguments of the call under way, where a model asks for them.
    pub argument_types: Vec<Type>,
    /// The call expression under way.
    pub calling: Option<Site>,
    /// Members of a model in Java that the call under way can mean, and how its last argument is given.
    pub meant: (Vec<MemberId>, Option<bool>),
    /// Where code of the project called a model in Java that runs.
    pub modelled_at: Option<Site>,
    /// Request and response as objects of the Servlet API, once something asks for them.
    pub exchange: Option<(ObjId, ObjId)>,
    /// What set headers of the response before the request came to its handler, with their names in lower case.
    pub header_setters: Vec<(MemberId, Vec<String>)>,
    /// Contexts of servers that code has made by itself, each with its path.
    pub hosted: Vec<(Rc<str>, ObjId)>,
    /// What is known of opaque values.
    pub opaque: OpaqueState,
    known: Known,
    choices: Vec<Choice>,
    pub(super) at: usize,
    pub(super) budget: u64,
    pub(super) nesting: u32,
    /// Objects whose text, hash or equality is being worked out, each within the one before.
    pub(super) walking: Vec<(Walked, ObjId)>,
    /// The most frames, and the deepest nesting, so far.
    pub(super) deepest: (usize, u32),
    pub(super) cells: usize,
    pub(super) made: u64,
    /// Classes of which the state was taken over as it is kept.
    pub(super) recalled: BTreeSet<TypeId>,
    /// Whether a static field of these was assigned.
    pub(super) is_disturbed: bool,
    /// Whether expressions are noted that are worked out.
    pub(super) is_covering: bool,
    /// Whether it is noted what is done with texts.
    pub(super) is_hinting: bool,
    /// Where this run is made to be kept.
    pub(super) recording: Option<Recording>,
}

/// Runs `start` once for every way through its open conditions.
pub fn explore<'p>(cx: &'p Context<'p>, start: impl FnMut(&mut Machine<'p>) -> Eval) -> Exploration {
    explore_where(cx, &[], start)
}

/// Runs `start` once for every way through those of its open conditions that do not follow from what is known.
pub fn explore_where<'p>(
    cx: &'p Context<'p>,
    known: &[Cond],
    mut start: impl FnMut(&mut Machine<'p>) -> Eval,
) -> Exploration {
    let mut choices: Vec<Choice> = Vec::new();
    let mut paths = Vec::new();
    let mut left = cx.bounds.total_steps;
    loop {
        let mut machine = Machine::new(cx, choices, left.min(cx.bounds.steps));
        known.iter().for_each(|cond| machine.known.add(cond.clone()));
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
        // The next way: the last choice that has another side.
        while choices.last().is_some_and(|choice| choice.taken + 1 == choice.of) {
            choices.pop();
        }
        match choices.last_mut() {
            None => return Exploration { paths, complete: true },
            Some(choice) => choice.taken += 1,
        }
        if paths.len() >= cx.bounds.paths || left == 0 {
            return Exploration { paths, complete: false };
        }
    }
}

impl<'p> Machine<'p> {
    /// A machine on no path: it begins with nothing decided, and is bounded by nothing but what it runs.
    pub(super) fn apart(cx: &'p Context<'p>) -> Self {
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
            known: Known::default(),
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

    /// One of `of` ways, each taken by a path of its own.
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

    /// Whether a condition holds: decided by what is known, or both ways.
    pub fn decide(&mut self, cond: Cond, site: Option<Site>) -> Eval<bool> {
        let cond = cond.simplify();
        if let Cond::Const(value) = cond {
            return Ok(value);
        }
        if self.is_opaque() {
            self.note_asked(&cond);
        }
        if !cond.is_unknown()
            && let Some(value) = self.known.decides(&cond)
        {
            return Ok(value);
        }
        let holds = self.choose(2)? == 0;
        let cond = if holds { cond } else { cond.negate() };
        self.known.add(cond.clone());
        self.conditions.push(Taken { cond, site });
        Ok(holds)
    }

    /// Goes on where a condition holds that is not decided.
    pub(super) fn assume(&mut self, taken: Taken) {
        self.known.add(taken.cond.clone());
        self.conditions.push(taken);
    }

    /// What the conditions so far say.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// A boolean value as a way to go.
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

    /// Source text of a place, on one line and not too long.
    pub fn source(&self, site: Site) -> Rc<str> {
        self.cx.codes.source(site)
    }

    /// Throws `NullPointerException` where the value is null; a symbolic one that may be null goes both ways.
    pub fn not_null(&mut self, value: &Value) -> Eval<()> {
        match value {
            Value::Scalar(Scalar::Null) => Err(self.null_pointer()),
            Value::Symbol(_) | Value::Ref(_) if let Some(term) = self.null_where_asked(value) => {
                let is_null = Cond::IsNull(term);
                match self.known.decides(&is_null) {
                    Some(true) => Err(self.null_pointer()),
                    Some(false) => Ok(()),
                    // What was used is not null where code asks later.
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

    /// Whether a value is null, as a value.
    pub fn is_null(&mut self, value: &Value) -> Value {
        match value {
            Value::Scalar(scalar) => Value::bool(*scalar == Scalar::Null),
            Value::Symbol(symbol) if symbol.nullable => Value::cond(Cond::IsNull(symbol.term.clone())),
            Value::Ref(_) if let Some(term) = self.null_where_asked(value) => Value::cond(Cond::IsNull(term)),
            Value::Unknown(unknown) if unknown.present => Value::bool(false),
            Value::Unknown(unknown) => Value::Unknown(Rc::new(super::value::Unknown {
                reasons: unknown.reasons.clone(),
                ty: Type::Prim(Prim::Bool),
                present: false,
                ends: None,
            })),
            _ => Value::bool(false),
        }
    }

    /// Whether code of a model in Java runs.
    pub fn is_in_model(&self) -> bool {
        self.frames.last().is_some_and(|frame| self.project.is_model(frame.code.member.ty))
    }

    /// Notes that a member ran; models of libraries are none of the project's.
    pub fn ran(&mut self, member: MemberId) {
        if !self.project.is_model(member.ty) {
            self.members.insert(member);
        }
    }

    /// Where the machine is.
    pub fn here(&self) -> Option<Site> {
        let member = self.frames.last()?.code.member;
        match self.project.is_model(member.ty) {
            true => self.modelled_at,
            false => Some(Site { member, span: self.project.member(member).name_span }),
        }
    }

    /// A place in the running member.
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
            // The next step ends the path.
            self.budget = 0;
        }
        self.heap.push(object)
    }

    /// An object.
    pub fn object(&self, id: ObjId) -> &Object {
        &self.heap[id]
    }

    /// An object, to change it.
    pub fn object_mut(&mut self, id: ObjId) -> &mut Object {
        &mut self.heap[id]
    }

    /// The state that a model keeps of an object, where it is of this type.
    pub fn native<T: 'static>(&self, id: ObjId) -> Option<&T> {
        match &self.object(id).kind {
            Kind::Native(native) => native.as_any().downcast_ref(),
            _ => None,
        }
    }

    /// The state that a model keeps of an object, to change it.
    pub fn native_mut<T: 'static>(&mut self, id: ObjId) -> Option<&mut T> {
        match &mut self.object_mut(id).kind {
            Kind::Native(native) => native.as_any_mut().downcast_mut(),
            _ => None,
        }
    }

    /// What the machine itself throws on `null`; its message depends on the release.
    pub fn null_pointer(&mut self) -> Stop {
        let message = Value::unknown("message of a null pointer exception", Type::Str);
        self.throw("java.lang.NullPointerException", message)
    }

    /// An exception of a library class.
    pub fn throw(&mut self, fqn: &str, message: Value) -> Stop {
        let mut object = Object::new(ClassRef::library(fqn), Kind::Modelled);
        object.parts.insert("message", message);
        let id = self.allocate(object);
        let site = self.exit.or_else(|| self.here());
        Stop::thrown(Thrown { class: Some(ClassRef::library(fqn)), object: Some(id), site })
    }

    /// A string made while running.
    pub fn fresh_text(&mut self, text: &str) -> Value {
        if text.len() > MAX_TEXT {
            // Where it is far longer, Java runs out of memory.
            self.doubt("a text is too long");
            return self.unknown("a text is too long", Type::Str);
        }
        self.made += 1;
        Value::Scalar(Scalar::Str(JStr { text: Rc::from(text), identity: Identity::Fresh(self.made) }))
    }

    /// The type that a reference means in a scope.
    pub fn type_of(&self, scope: TypeId, reference: &TypeRef) -> Type {
        types::type_of(self.project, scope, reference)
    }

    /// Name of a class for people.
    pub fn class_name(&self, class: &ClassRef) -> String {
        match class {
            ClassRef::Project(id) => self.project.fqn(*id).to_owned(),
            ClassRef::Library(fqn) => fqn.to_string(),
        }
    }

    /// A value of a declared type as an input of the request: objects of the body are made, the rest is symbolic.
    pub fn input(&mut self, input: super::term::Input, ty: &Type, nullable: bool) -> Value {
        match ty {
            Type::Class(ClassRef::Project(id), _)
                if matches!(
                    self.project.ty(*id).kind,
                    crate::java::facts::TypeKind::Class | crate::java::facts::TypeKind::Record
                ) =>
            {
                let object = Object::new(ClassRef::Project(*id), Kind::Body(input));
                Value::Ref(self.allocate(object))
            }
            _ => Value::symbol(Term::Input(input), ty.clone(), nullable && ty.is_reference()),
        }
    }
}
