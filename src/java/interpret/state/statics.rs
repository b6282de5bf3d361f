//! Static fields and class initialisation (JLS §12.4): once, before the first use, superclass first, in textual
//! order.
//!
//! A running service initialised its classes before the request: exceptions and doubts of an initialiser do not
//! concern this request, and state that may have changed since is unknown. A run that starts fresh follows the
//! language exactly.

use std::rc::Rc;

use super::snapshots::Initialised;
use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::paths::path::{Bound, Thrown};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::term::Canon;
use crate::interpret::values::value::{Kind, ObjId, Object, Type, Value};
use crate::ir::facts::{MemberKind, Modifiers, TypeKind};
use crate::ir::ids::{MemberId, TypeId};

/// Maximum number of steps for the initialisation of one class.
const INITIALISER_STEPS: u64 = 200_000;

impl Machine<'_> {
    /// Reads a static field or enum constant.
    pub fn read_static(&mut self, field: MemberId) -> Eval {
        let facts = self.project.member(field);
        if facts.kind == MemberKind::EnumConstant {
            return Ok(Value::Scalar(Scalar::Enum(ClassRef::Project(field.ty), Rc::from(facts.name.as_str()))));
        }
        if let Some((value, used)) = self.codes.constant(field) {
            self.note_members(&used);
            return Ok(Value::Scalar(value));
        }
        self.initialise_class(field.ty)?;
        if !self.cx.wiring.starts_fresh() && !facts.modifiers.has(Modifiers::FINAL) {
            for maker in self.started_by(field).into_iter().flatten() {
                self.initialise_class(maker)?;
            }
        }
        self.members.insert(field);
        match self.statics.get(&field) {
            Some(value) => Ok(value.clone()),
            None => {
                let name = format!("{}.{}", self.simple_name(field.ty), facts.name);
                let ty = self.field_type(field);
                Ok(self.given(&name, &format!("{name} is set by what is not known"), ty))
            }
        }
    }

    /// Called for a static call or an object creation. A run that starts fresh initialises the class now; in a
    /// running service this happened before, and only matters when a static field is read.
    pub fn enter_class(&mut self, ty: TypeId) -> Eval<()> {
        if self.cx.wiring.starts_fresh() { self.initialise_class(ty) } else { Ok(()) }
    }

    /// Runs the static initialisers of a class, unless they have started already.
    pub fn initialise_class(&mut self, ty: TypeId) -> Eval<()> {
        match self.classes.get(&ty).copied() {
            Some(Initialised::Failed) if self.cx.wiring.starts_fresh() => {
                let message = Value::unknown("message of a library exception", Type::Str);
                Err(self.throw("java.lang.NoClassDefFoundError", message))
            }
            Some(_) => Ok(()),
            None if !self.cx.wiring.starts_fresh() && self.recall(ty)? => Ok(()),
            None => self.run_class(ty),
        }
    }

    /// Runs the static initialisers of a class; in a running service, makes fields unknown that may have changed since.
    pub(super) fn run_class(&mut self, ty: TypeId) -> Eval<()> {
        let fields = self.begin_class(ty)?;
        if !self.cx.wiring.starts_fresh() && self.classes.get(&ty) == Some(&Initialised::Done) {
            self.settle(&fields);
            self.settle_started(ty);
        }
        Ok(())
    }

    /// Runs the static initialisers of a class; returns its static fields.
    fn begin_class(&mut self, ty: TypeId) -> Eval<Vec<MemberId>> {
        self.classes.insert(ty, Initialised::Running);
        let fields: Vec<MemberId> = self
            .project
            .members(ty)
            .filter(|member| self.project.member(*member).kind == MemberKind::Field && self.is_static(*member))
            .collect();
        for field in &fields {
            let zero = match self.field_type(*field) {
                Type::Prim(prim) => Value::Scalar(prim.zero()),
                _ => Value::NULL,
            };
            self.statics.insert(*field, zero);
        }
        let parent = self.project.supers(ty).first().and_then(|base| base.named.project());
        if let Some(parent) = parent.filter(|parent| self.project.ty(*parent).kind != TypeKind::Interface) {
            self.initialise_class(parent)?;
        }
        let fresh = self.cx.wiring.starts_fresh();
        let result = self.initialisers_of(ty, fresh);
        match result {
            Ok(true) => {
                self.classes.insert(ty, Initialised::Done);
                Ok(fields)
            }
            Ok(false) => {
                self.classes.insert(ty, Initialised::Failed);
                for field in fields.iter().copied() {
                    self.leave_open(field);
                }
                Ok(fields)
            }
            Err(stop) => {
                self.classes.insert(ty, Initialised::Failed);
                Err(stop)
            }
        }
    }

    /// Runs the static initialisers of a class; returns its static fields, and those of other classes that the
    /// initialisers wrote.
    ///
    /// # Errors
    /// A bound was reached.
    pub fn initialised(&mut self, ty: TypeId) -> Eval<Canon> {
        self.begin_class(ty)?;
        if self.classes.get(&ty) != Some(&Initialised::Done) {
            return Ok(Canon::Unknown(Rc::from("a class could not be initialised")));
        }
        for member in self.project.members(ty) {
            if self.project.member(member).kind == MemberKind::StaticInitializer {
                self.ran(member);
            }
        }
        // Static blocks may set fields of other classes too.
        let is_set = |machine: &Self, member: &MemberId| member.ty == ty || machine.opaque.set_later.contains(member);
        let mut parts: Vec<(Rc<str>, Canon)> = Vec::new();
        for (member, value) in
            self.statics.clone().into_iter().filter(|(member, _)| is_set(self, member)).collect::<Vec<_>>()
        {
            let name = &self.project.member(member).name;
            let name = match member.ty == ty {
                true => Rc::from(name.as_str()),
                false => Rc::from(format!("{}.{name}", self.simple_name(member.ty))),
            };
            parts.push((name, self.canon(&value)));
        }
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Canon::Object(Rc::from(self.project.fqn(ty)), parts.into()))
    }

    /// Runs the initialisers; `false` if, in a running service, they threw or took too long.
    fn initialisers_of(&mut self, ty: TypeId, fresh: bool) -> Eval<bool> {
        if self.codes.is_too_deep() {
            self.doubt("constants are named through too many others");
        }
        let members: Vec<MemberId> = self
            .project
            .members(ty)
            .filter(|member| {
                let facts = self.project.member(*member);
                match facts.kind {
                    MemberKind::Field => {
                        self.is_static(*member) && facts.body.is_some() && self.codes.constant(*member).is_none()
                    }
                    MemberKind::StaticInitializer => true,
                    _ => false,
                }
            })
            .collect();
        if members.is_empty() {
            return Ok(true);
        }
        if fresh {
            let exit = self.exit;
            for member in members {
                if let Err(stop) = self.initialiser(member) {
                    return Err(self.failed_initialiser(stop));
                }
            }
            self.exit = exit;
            return Ok(true);
        }
        // The steps have a bound of their own, so that a large table does not use up the steps of the request.
        let (budget, steps) = (self.budget, self.steps);
        // Calls of the initialisers happened before the request.
        let (events, quiet) = (self.opaque.events.len(), self.opaque.quiet.len());
        let set_by_code = self.opaque.set_by_code.clone();
        self.budget = steps.saturating_add(INITIALISER_STEPS);
        let result = self.quietly(|machine| {
            for member in &members {
                // The service did start, so every initialiser must have completed.
                let is_field = machine.is_opaque() && machine.project.member(*member).kind == MemberKind::Field;
                if !is_field {
                    machine.initialiser(*member)?;
                } else if machine.quietly(|machine| machine.initialiser(*member))?.is_none() {
                    machine.leave_open(*member);
                }
            }
            Ok(())
        });
        self.opaque.events.truncate(events);
        self.opaque.quiet.truncate(quiet);
        self.opaque.set_by_code = set_by_code;
        let spent = self.steps > self.budget;
        self.budget = budget.saturating_add(self.steps - steps);
        match result {
            Ok(made) => Ok(made.is_some()),
            Err(Stop::Cut(Bound::Steps)) if spent => Ok(false),
            Err(stop) => Err(stop),
        }
    }

    /// Makes the value of a static field unknown.
    fn leave_open(&mut self, field: MemberId) {
        let name = format!("{}.{}", self.simple_name(field.ty), self.project.member(field).name);
        let declared = self.field_type(field);
        let value = self.not_made(field.ty, &name, declared);
        self.statics.insert(field, value);
    }

    /// The value of a field whose initialisers could not be followed: equal in both revisions if none of them reaches
    /// a change.
    pub(super) fn not_made(&mut self, owner: TypeId, name: &str, declared: Type) -> Value {
        let why = format!("{name} could not be initialised");
        let runs = |member: &MemberId| self.project.member(*member).kind != MemberKind::Method;
        let mut initialisers = self.project.members(owner).filter(runs);
        let changes = self.cx.follows.is_some_and(|follows| initialisers.any(|member| follows.changes(member)));
        if self.is_opaque() && !changes { self.given(name, &why, declared) } else { self.unknown(&why, declared) }
    }

    fn initialiser(&mut self, member: MemberId) -> Eval<()> {
        let Some(code) = self.codes.code(member) else { return Ok(()) };
        let is_field = self.project.member(member).kind == MemberKind::Field;
        self.within(&code, None, |machine| {
            let value = machine.run_root(&code)?;
            if is_field {
                let value = machine.assigned(value, &code.result)?;
                machine.statics.insert(member, value);
            }
            Ok(())
        })
    }

    /// The exception of a failed static initialiser: errors unchanged, exceptions wrapped into
    /// `ExceptionInInitializerError`.
    fn failed_initialiser(&mut self, stop: Stop) -> Stop {
        let Stop::Throw(thrown) = stop else { return stop };
        let error = ClassRef::library("java.lang.Error");
        match &thrown.class {
            None => Stop::Throw(thrown),
            Some(class) => match crate::interpret::classes::hierarchy::is_below(self.project, class, &error) {
                Some(false) => {
                    let mut object =
                        Object::new(ClassRef::library("java.lang.ExceptionInInitializerError"), Kind::Modelled);
                    object.parts.insert("message", Value::NULL);
                    if let Some(cause) = thrown.object {
                        object.parts.insert("cause", Value::Ref(cause));
                    }
                    let class = object.class.clone();
                    let id = self.allocate(object);
                    Stop::thrown(Thrown { class: Some(class), object: Some(id), site: thrown.site })
                }
                Some(true) => Stop::Throw(thrown),
                None => Stop::thrown(Thrown { class: None, object: None, site: thrown.site }),
            },
        }
    }

    /// The current values of a running service's static fields: unknown if something assigns them later.
    fn settle(&mut self, fields: &[MemberId]) {
        for field in fields {
            let facts = self.project.member(*field);
            let name = format!("{}.{}", self.simple_name(field.ty), facts.name);
            let settled =
                facts.modifiers.has(Modifiers::FINAL) || self.project.ty(field.ty).kind == TypeKind::Interface;
            let value = if !settled && self.started_by(*field).is_some() {
                // Only the singleton of its class sets it.
                continue;
            } else if !settled && self.is_assigned(*field) {
                if let Some(value) = self.statics.get(field).cloned()
                    && self.counts(*field)
                    && self.follow(&value, *field, None, &name)
                {
                    continue;
                }
                let ty = self.field_type(*field);
                self.left_by_requests(&name, ty)
            } else {
                let Some(value) = self.statics.get(field).cloned() else { continue };
                self.kept(value, *field, None, &name)
            };
            self.statics.insert(*field, value);
        }
    }

    /// Settles the static fields that this class's initialisation set by creating the singleton of another class.
    fn settle_started(&mut self, maker: TypeId) {
        let set: Vec<MemberId> = self
            .statics
            .keys()
            .copied()
            .filter(|field| !self.project.member(*field).modifiers.has(Modifiers::FINAL))
            .filter(|field| self.started_by(*field).is_some_and(|makers| makers.contains(&maker)))
            .collect();
        for field in set {
            let name = format!("{}.{}", self.simple_name(field.ty), self.project.member(field).name);
            if let Some(value) = self.statics.get(&field).cloned() {
                let value = self.kept(value, field, None, &name);
                self.statics.insert(field, value);
            }
        }
    }

    /// The value of a field that outlives requests; what may have changed meanwhile is unknown.
    pub fn kept(&mut self, value: Value, field: MemberId, holder: Option<ObjId>, name: &str) -> Value {
        if self.is_only_asked(&value, field) {
            return value;
        }
        if let Value::Ref(id) = &value {
            let frozen = match &self.object(*id).kind {
                Kind::List { fixed, .. } => {
                    *fixed || (self.object(*id).class == ClassRef::library("array") && !self.is_index_assigned(field))
                }
                Kind::Bean => true,
                Kind::Native(native) => native.is_frozen(),
                Kind::Modelled => false,
                _ => false,
            };
            let pure = match &self.object(*id).class {
                ClassRef::Project(ty) => self.is_immutable(*ty),
                ClassRef::Library(_) => false,
            };
            if !frozen && !pure && self.is_opaque() && !self.is_left_alone(&value) {
                let ty = self.field_type(field);
                return self.given(name, name, ty);
            }
            if !frozen && !pure && !self.is_left_alone(&value) && !self.follow(&value, field, holder, name) {
                self.escape(&value, &format!("{name} may change between requests"));
            }
        }
        value
    }

    /// Whether all fields of a class are final and of immutable types.
    fn is_immutable(&self, ty: TypeId) -> bool {
        self.project.members(ty).all(|member| {
            let facts = self.project.member(member);
            match facts.kind {
                MemberKind::Field if !self.is_static(member) => {
                    facts.modifiers.has(Modifiers::FINAL)
                        && matches!(self.field_type(member), Type::Prim(_) | Type::Boxed(_) | Type::Str)
                }
                MemberKind::RecordComponent => {
                    matches!(self.field_type(member), Type::Prim(_) | Type::Boxed(_) | Type::Str)
                }
                _ => true,
            }
        })
    }

    /// Whether some body of the file assigns to a variable with the field's name, outside its initialiser. A field
    /// that other files can see counts as assigned.
    pub fn is_assigned(&self, field: MemberId) -> bool {
        let facts = self.project.member(field);
        !facts.modifiers.has(Modifiers::PRIVATE) || self.assigns(field, false)
    }

    /// Whether a field is a counter: a private, initialised integral number that no annotated method without parameters sets, such as a scheduled
    /// one.
    pub(in crate::interpret) fn counts(&self, field: MemberId) -> bool {
        let facts = self.project.member(field);
        facts.modifiers.has(Modifiers::PRIVATE)
            && facts.body.is_some()
            && matches!(self.field_type(field), Type::Prim(prim) if prim.is_integral())
            && self.assigning_members(field).iter().all(|member| {
                let own = self.project.member(*member);
                own.kind != MemberKind::Method || own.annotations.is_empty() || !own.params.is_empty()
            })
    }

    fn is_index_assigned(&self, field: MemberId) -> bool {
        self.assigns(field, true)
    }

    fn assigns(&self, field: MemberId, indexed: bool) -> bool {
        !self.assigning(field, indexed).is_empty()
    }

    /// Members of the field's file that assign to a variable with its name.
    pub fn assigning_members(&self, field: MemberId) -> Vec<MemberId> {
        self.assigning(field, false)
    }

    fn assigning(&self, field: MemberId, indexed: bool) -> Vec<MemberId> {
        let name = self.project.member(field).name.clone();
        let all = self.codes.assignments(self.project.file_of(field.ty));
        let found = all.get(&(name, indexed)).map(Vec::as_slice).unwrap_or_default();
        found.iter().copied().filter(|member| *member != field).collect()
    }
}
