//! Opaque calls: results as opaque values, effects as events, and the epochs of collaborators.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::frameworks::reactive;
use crate::interpret::library::time::date_zones;
use crate::interpret::library::{self, LibraryCall};
use crate::interpret::opaque::does::{
    CallEffect, READINGS, STORES, asks_method, is_frozen_value, is_of_jdk, keeps_elements, moves, only_computes, reads,
    reads_in_vain, takes_no_null,
};
use crate::interpret::opaque::state::Event;
use crate::interpret::paths::path::Modelled;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::term::{Canon, OPERATOR, Opaque, Origin, Sort, Term};
use crate::interpret::values::types::known_type;
use crate::interpret::values::value::{Kind, Lambda, LambdaCode, ObjId, Type, Value};
use crate::ir::ids::MemberId;

/// Separates the repository from the query in the callee of a query method, which is identified by its normalised
/// query.
pub const QUERY: &str = "#query ";

/// Marks the callee of a value that an opaque call passes to a lambda.
pub const HANDED: &str = " argument ";
/// Class of the canonical form of a lambda that an opaque call receives; its only part is the lambda's result.
pub const GIVES: &str = "gives";
/// Prefix of the callee of an object that an opaque call has changed.
pub const AFTER: &str = "after ";
/// Methods of configurations that take patterns or names in any order.
const UNORDERED: [&str; 13] = [
    "addPathPatterns",
    "allowedHeaders",
    "allowedMethods",
    "allowedOriginPatterns",
    "allowedOrigins",
    "antMatchers",
    "excludePathPatterns",
    "exposedHeaders",
    "hasAnyAuthority",
    "hasAnyRole",
    "mvcMatchers",
    "pathMatchers",
    "requestMatchers",
];
/// Package of the objects to which code reports errors of a request (Spring).
const ERRORS: &str = "org.springframework.validation.";
/// Methods that report an error to it.
const REPORTS: [&str; 4] = ["addAllErrors", "addError", "reject", "rejectValue"];

/// Library classes of buffers: a method that receives one may write into it.
const BUFFERS: [&str; 6] = [
    "java.io.ByteArrayOutputStream",
    "java.io.CharArrayWriter",
    "java.io.PrintWriter",
    "java.io.StringWriter",
    "java.lang.StringBuffer",
    "java.lang.StringBuilder",
];

/// Maximum number of static library calls that are recorded per path for comparison.
const QUIET: usize = 100;

/// An opaque call.
pub struct Unfollowed<'c> {
    /// The callee, by a name that both revisions share.
    pub callee: &'c str,
    /// The method's name.
    pub name: &'c str,
    /// The receiver.
    pub receiver: Option<&'c Value>,
    /// Its arguments.
    pub args: &'c [Value],
    /// The result type.
    pub ty: Type,
    /// Its possible effects.
    pub does: CallEffect,
}

impl Machine<'_> {
    /// Records an external effect.
    pub(in crate::interpret) fn event(&mut self, callee: &str, operands: Vec<Canon>, words: &str) {
        let site = self.calling.or_else(|| self.here());
        let (callee, words, taken) = (Rc::from(callee), Rc::from(words), self.conditions.len());
        let bean = self.opaque.making.clone();
        self.opaque.events.push(Event { callee, operands, words, site, taken, bean });
    }

    /// Records that a modelled call passes its arguments to code that is not followed: passing other arguments is a
    /// different event.
    pub(in crate::interpret) fn handed_over(&mut self, call: &LibraryCall<'_>) {
        if !self.is_opaque() {
            return;
        }
        let callee = format!("{}.{}/{}", call.fqn, call.name, call.args.len());
        let operands = self.canons(call.args);
        let (receiver, ty) = (call.receiver, Type::Void);
        let does = CallEffect::ByName;
        let words =
            self.words_of(&Unfollowed { callee: &callee, name: call.name, receiver, args: call.args, ty, does });
        self.event(&callee, operands, &words);
    }

    /// A call into a library; without a model, the result is opaque.
    pub fn opaque_library(&mut self, fqn: &str, name: &str, receiver: Option<Value>, args: Vec<Value>) -> Eval {
        let expected = self.opaque.expected.take();
        // Only exceptions have this method, and it only logs.
        if name == "printStackTrace" && args.is_empty() {
            return Ok(Value::NULL);
        }
        if let Some(value) = &receiver
            && self.is_enumerable(value)
        {
            let known = self.enumerated(value)?;
            self.opaque.expected = expected;
            let class = match &known {
                Value::Ref(id) => self.class_name(&self.object(*id).class.clone()),
                _ => fqn.to_owned(),
            };
            return self.opaque_library(&class, name, Some(known), args);
        }
        if fqn.starts_with(ERRORS) && name == "hasErrors" && self.has_reported(receiver.as_ref()) {
            return Ok(Value::bool(true));
        }
        if self.gives_row_as_optional(fqn, name) {
            self.opaque.expected = element_expected(expected);
            let found = self.opaque_library(fqn, "findById", receiver, args)?;
            return self.optional_row(found);
        }
        // `Iterable.forEach` loops over the elements.
        if let (Some(value @ Value::Symbol(_)), "forEach", [Value::Lambda(lambda)]) = (&receiver, name, args.as_slice())
        {
            let call = Unfollowed {
                callee: "",
                name,
                receiver: Some(value),
                args: &args,
                ty: Type::Void,
                does: CallEffect::ByName,
            };
            let types = self.parameters_of(lambda, &call);
            if let [element] = types.as_slice() {
                let known = self.enumerated_by(value, element)?;
                if matches!(known, Value::Ref(_)) {
                    return self.opaque_library("java.util.ArrayList", name, Some(known), args);
                }
            }
        }
        // Models of collections need the elements of their arguments. An opaque call keeps the original arguments.
        let mut given = args.clone();
        if fqn.starts_with("java.util.") {
            for arg in &mut given {
                *arg = self.enumerated(arg)?;
            }
        }
        // An opaque set is enumerated as a list. The model of another set compares them as sets.
        let is_enumerated_set = |value: &Value| matches!(value, Value::Ref(id) if self.opaque.sets.contains(id));
        if let (Some(set), "equals", [Value::Ref(other)]) = (&receiver, name, given.as_slice())
            && is_enumerated_set(set)
            && !is_enumerated_set(&Value::Ref(*other))
        {
            let class = self.class_name(&self.object(*other).class.clone());
            return self.opaque_library(&class, name, Some(Value::Ref(*other)), vec![set.clone()]);
        }
        match self.ask_models(fqn, name, receiver.as_ref(), &given) {
            None | Some(Ok(Value::Unknown(_))) => {}
            Some(Ok(Value::Ref(id))) => {
                self.fill_parts(id, fqn, name, receiver.as_ref(), &args);
                return Ok(Value::Ref(id));
            }
            Some(known) => return known,
        }
        let mut ty = self.library_result(fqn, name, args.len(), receiver.is_some());
        if let Some(expected) = expected.filter(|expected| *expected != Type::Unknown) {
            let is_bare = matches!(&ty, Type::Unknown | Type::Class(..));
            ty = if is_bare { expected } else { ty };
        }
        // What such a step gives does not depend on what the code around it expects.
        if let Some(Value::Symbol(symbol)) = &receiver
            && keeps_elements(fqn, name)
            && matches!(&symbol.ty, Type::Class(ClassRef::Library(own), of) if **own == *fqn && !of.is_empty())
        {
            ty = symbol.ty.clone();
        }
        if library::is_silent(fqn) {
            return Ok(if ty == Type::Void { Value::NULL } else { self.given(fqn, fqn, ty) });
        }
        let callee = format!("{fqn}.{name}/{}", args.len());
        self.unfollowed(&Unfollowed {
            callee: &callee,
            name,
            receiver: receiver.as_ref(),
            args: &args,
            ty,
            does: CallEffect::ByName,
        })
    }

    /// Whether the code has reported an error to this object, which keeps it.
    fn has_reported(&mut self, errors: Option<&Value>) -> bool {
        let Some(errors) = errors.map(|value| self.canon(value)) else { return false };
        let reports = |callee: &str| {
            let name = callee.split('/').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
            REPORTS.contains(&name)
        };
        let mut within = Vec::new();
        errors.opaque(&mut within);
        within.iter().any(|one| one.callee.starts_with(AFTER) && reports(&one.callee))
            || self.opaque.events.iter().any(|event| reports(&event.callee) && event.operands.first() == Some(&errors))
    }

    /// Replaces the unknown parts of a modelled object by opaque values, identified by the call that created them.
    fn fill_parts(&mut self, id: ObjId, fqn: &str, name: &str, receiver: Option<&Value>, args: &[Value]) {
        let object = self.object(id);
        if !matches!(object.kind, Kind::Modelled)
            || !object.parts.values().any(|part| matches!(part, Value::Unknown(_)))
        {
            return;
        }
        let parts: Vec<(&'static str, Type)> = object
            .parts
            .iter()
            .filter_map(|(name, part)| match part {
                Value::Unknown(unknown) => Some((*name, unknown.ty.clone())),
                _ => None,
            })
            .collect();
        let mut of: Vec<Value> =
            receiver.filter(|own| !matches!(own, Value::Ref(own) if *own == id)).cloned().into_iter().collect();
        of.extend(args.iter().cloned());
        let operands = self.canons(&of);
        for (part, ty) in parts {
            let callee = format!("{fqn}.{name} {part}");
            let words = format!("{part} of {}", short(fqn));
            let opaque = Opaque::new(Origin::Call, &callee, operands.clone(), self.sort_of(&ty), &words);
            let value = self.of_opaque(opaque, &ty);
            self.object_mut(id).parts.insert(part, value);
        }
    }

    /// The models' answer to a call. If it is unknown, its doubts are dropped, because the caller makes it opaque.
    fn ask_models(&mut self, fqn: &str, name: &str, receiver: Option<&Value>, args: &[Value]) -> Option<Eval> {
        let doubts = self.doubts.clone();
        let types = std::mem::take(&mut self.argument_types);
        let settled: Vec<Value> = args.iter().map(|arg| self.settled(arg)).collect();
        let args = settled.as_slice();
        let (meant, spread) = std::mem::take(&mut self.meant);
        let call = LibraryCall { fqn, name, receiver, args, types: &types, meant: &meant, spread };
        let answer = match self.ask_within_bounds(&call) {
            Ok(answer) => answer,
            Err(cut) => return Some(Err(cut)),
        };
        self.note_library_call(fqn, name, if answer.is_some() { Modelled::Answered } else { Modelled::Missing });
        if matches!(answer, None | Some(Ok(Value::Unknown(_)))) {
            self.doubts = doubts;
            (self.argument_types, self.meant) = (types, (meant, spread));
        }
        answer
    }

    /// Replaces a symbolic number by its value if the path constraints allow only one.
    fn settled(&self, value: &Value) -> Value {
        let Value::Symbol(symbol) = value else { return value.clone() };
        let number = |prim: Prim| -> Option<Value> {
            let (low, high) = self.known().range(&symbol.term);
            match prim {
                _ if low != high => None,
                Prim::Int => i32::try_from(low).ok().map(Value::int),
                Prim::Long => Some(Value::Scalar(Scalar::Long(low))),
                _ => None,
            }
        };
        match symbol.ty {
            Type::Prim(prim) => number(prim).unwrap_or_else(|| value.clone()),
            _ => value.clone(),
        }
    }

    /// A call of a project member that is not followed.
    pub(in crate::interpret) fn opaque_member(
        &mut self,
        method: MemberId,
        this: Option<Value>,
        args: Vec<Value>,
    ) -> Eval {
        let effects = self.cx.follows.map(|follows| follows.effects(method)).unwrap_or_default();
        // What it may do to an object that is not made here is an event.
        let hands_on = args.iter().any(is_handed_by_framework);
        let symbol = self.project.symbol(method);
        let ty = known_type(&self.codes.resolver.types.signature(method).ret);
        let ty = self.expected_or(ty);
        let name = self.project.member(method).name.clone();
        let value = self.unfollowed(&Unfollowed {
            callee: &symbol,
            name: &name,
            receiver: this.as_ref(),
            args: &args,
            ty,
            does: CallEffect::Known { writes: effects.writes || effects.changes_arguments && hands_on },
        })?;
        if effects.changes_arguments {
            let operands = self.canons(&args);
            self.change_arguments(&args, &symbol, &operands, |_, _| true);
        }
        Ok(value)
    }

    /// Makes the arguments that a call may have changed opaque.
    fn change_arguments(
        &mut self,
        args: &[Value],
        callee: &str,
        operands: &[Canon],
        may_change: impl Fn(&Self, &Value) -> bool,
    ) {
        for (at, arg) in args.iter().enumerate().filter(|(_, arg)| may_change(self, arg)).collect::<Vec<_>>() {
            self.change(arg, &format!("{callee} changed {at}"), operands);
        }
    }

    /// Whether a value is a buffer.
    fn is_buffer(&self, value: &Value) -> bool {
        let Value::Ref(id) = value else { return false };
        matches!(&self.object(*id).class, ClassRef::Library(fqn) if BUFFERS.contains(&&**fqn))
    }

    pub(in crate::interpret) fn expected_or(&mut self, ty: Type) -> Type {
        match self.opaque.expected.take() {
            Some(expected) if expected != Type::Unknown && !matches!(ty, Type::Void | Type::Prim(_)) => expected,
            _ => ty,
        }
    }

    /// Makes an object opaque after a call that may have changed it; its identity includes its earlier state.
    fn change(&mut self, value: &Value, by: &str, operands: &[Canon]) {
        let Value::Ref(id) = value else { return };
        let object = self.object(*id);
        if matches!(object.kind, Kind::Bean) || matches!(&object.kind, Kind::Native(native) if native.is_frozen()) {
            return;
        }
        let mut of = vec![self.canon(value)];
        of.extend(operands.iter().cloned());
        let words = self.base_of(*id).map_or_else(|| self.class_name(&object.class.clone()), |base| base.to_string());
        let words = words.rsplit('.').next().unwrap_or_default().to_owned();
        let opaque = Opaque::new(Origin::Call, by, of, Sort::Object, &words);
        self.become_opaque(*id, opaque);
    }

    fn become_opaque(&mut self, id: ObjId, opaque: Opaque) {
        let object = self.object_mut(id);
        object.kind = Kind::Opaque(Rc::new(Term::Opaque(Rc::new(opaque))));
        object.fields.clear();
        object.parts.clear();
        object.inherited.clear();
    }

    /// An opaque call: its result is an opaque value, and its effect is an event.
    ///
    /// # Errors
    /// Exceptions of lambdas that it receives, and an exception of its own if the project catches one.
    pub fn unfollowed(&mut self, call: &Unfollowed<'_>) -> Eval {
        self.step()?;
        if self.is_compared() && takes_no_null(call.callee, call.name) {
            for arg in call.args {
                if self.is_refused_as_null(arg) {
                    return Err(self.null_pointer());
                }
            }
        }
        if let Some(message) = date_zones::refusal(call.callee, call.args) {
            let message = self.fresh_text(&message);
            return Err(self.throw("java.time.DateTimeException", message));
        }
        if let Some(method) = self.opaque.method.filter(|_| asks_method(call.callee)) {
            return Ok(self.fresh_text(method));
        }
        let is_discarded = self.opaque.discarded.is_some() && self.opaque.discarded == self.opaque.calling;
        let mut operands = Vec::new();
        let mut ran = Vec::new();
        for (at, arg) in call.args.iter().enumerate() {
            ran.push(match arg {
                Value::Lambda(lambda) => Some(self.run_once(&lambda.clone(), call, at)?),
                _ => None,
            });
        }
        let mut all: Vec<Value> = call.receiver.cloned().into_iter().collect();
        all.extend(call.args.iter().cloned());
        let snapshot = self.canons(&all);
        let shift = usize::from(call.receiver.is_some());
        for (at, canon) in snapshot.into_iter().enumerate() {
            operands.push(match at.checked_sub(shift).and_then(|at| ran.get(at)).and_then(Clone::clone) {
                Some(ran) => ran,
                None => canon,
            });
        }
        // `equals` is symmetric (documentation of `Object`), as `==` is.
        let is_same = call.callee.strip_prefix(OPERATOR).is_some_and(|op| op.starts_with("==") || op.starts_with("!="));
        if is_same || call.callee == "java.util.Objects.equals/2" || call.callee.ends_with(".equals/1") {
            operands.sort_by_cached_key(Canon::text);
        }
        // The order of such patterns and roles has no effect.
        let is_text = |one: &Canon| matches!(one, Canon::Term(term) if matches!(&**term, Term::Const(Scalar::Str(_))));
        if UNORDERED.contains(&call.name) && operands.iter().skip(shift).all(is_text) {
            operands.get_mut(shift..).unwrap_or_default().sort_by_cached_key(Canon::text);
        }
        if call.name == "publishEvent" && !call.callee.contains('#') && self.is_unheard(call.args) {
            return Ok(Value::NULL);
        }
        // Comparing a value with itself has a fixed result (documentation of `Comparable` and of `Object`).
        if let ("compareTo" | "equals", Some(Value::Symbol(_) | Value::Ref(_)), [_]) =
            (call.name, call.receiver, call.args)
            && let [one, other] = operands.as_slice()
            && one == other
        {
            return Ok(if call.name == "equals" { Value::bool(true) } else { Value::Scalar(Scalar::Int(0)) });
        }
        let words = self.words_of(call);
        let collaborator = call.receiver.and_then(|receiver| self.collaborator(receiver));
        // A generated mapper only makes what it gives.
        let collaborator = collaborator.filter(|_| call.ty == Type::Void || !self.is_mapping(call));
        if let (Some(_), [entity]) = (&collaborator, call.args)
            && self.saves_managed(call, &operands)
        {
            return Ok(if call.ty == Type::Void { Value::NULL } else { entity.clone() });
        }
        if let Some(row) = collaborator.as_ref().and_then(|own| self.row_at_hand(call, own)) {
            return Ok(row);
        }
        let (is_reading, known) = match call.does {
            CallEffect::ByName => (reads(call.name), None),
            CallEffect::Declared { reads } => (reads, None),
            CallEffect::Known { writes } => (reads(call.name), Some(writes)),
        };
        let is_void = call.ty == Type::Void || is_discarded;
        let is_reading = is_reading && (!is_void || call.does != CallEffect::ByName || reads_in_vain(call.name));
        // A constant of a library that is asked without arguments changes nothing, by the name of what it is asked.
        let is_constant = |receiver: &Value| match receiver {
            Value::Symbol(symbol) => matches!(&*symbol.term, Term::Opaque(of) if of.origin == Origin::Constant),
            _ => false,
        };
        let is_asked = call.args.is_empty() && !is_void && !moves(call.name) && call.receiver.is_some_and(is_constant);
        // A discarded call may be there for its exception, which is only followed where code catches it.
        let computes = self.catching > 0 && only_computes(call.callee);
        let is_reading = is_reading || is_asked || computes;
        let writes = known.unwrap_or(match (&collaborator, call.receiver) {
            (Some(_), _) => !is_reading,
            (None, None) => is_void && !computes,
            (None, Some(_)) => false,
        });
        let epoch = match (&collaborator, known) {
            (Some(own), None) => self.opaque.epochs.get(own).copied().unwrap_or_default() + self.opaque.epoch * 1000,
            (_, Some(_)) => self.opaque.epoch * 1000 + self.opaque.epochs.values().sum::<u32>(),
            _ => 0,
        };
        let mut identity = operands.clone();
        if epoch > 0 {
            identity.push(Canon::epoch(epoch));
        }
        if READINGS.contains(&call.name) && !matches!(call.ty, Type::Void) {
            let count = self.opaque.readings.entry(Rc::from(call.callee)).or_default();
            *count += 1;
            identity.push(Canon::reading(*count));
        }
        let is_given_null = !call.args.is_empty() && call.args.iter().all(Value::is_null);
        // Setters and the like usually take null.
        let takes_null = ["body", "of", "set"].iter().any(|start| call.name.starts_with(start));
        self.opaque.given_null += usize::from(is_given_null && !takes_null && !call.callee.contains('#'));
        let is_quiet = call.receiver.is_none() && !writes && !is_void && !call.callee.contains('#');
        let is_of_java = is_of_jdk(call.callee) || call.callee.starts_with(OPERATOR);
        if is_quiet && self.opaque.quiet.len() < QUIET && !is_of_java {
            let with: Vec<String> = operands.iter().map(Canon::text).collect();
            self.opaque.quiet.push((Rc::from(call.callee), with.join(", ")));
        }
        let result = Opaque::new(Origin::Call, call.callee, identity, self.sort_of(&call.ty), &words);
        if collaborator.is_some() {
            self.note_found(call.name, result.key);
        }
        let handed: Vec<u128> = call
            .args
            .iter()
            .filter_map(|arg| match &*self.reference_term(arg)? {
                Term::Opaque(object) => Some(object.key),
                _ => None,
            })
            .collect();
        self.opaque.handed.extend(handed);
        if let Some(class) = self.refused_for_key(call) {
            return Err(self.throw(class, Value::unknown("message of a library exception", Type::Str)));
        }
        self.throws(&result, call, writes || collaborator.is_some())?;
        if known.is_none() && (!is_of_java || call.name.starts_with("append")) {
            self.change_arguments(call.args, call.callee, &operands, Self::is_buffer);
        }
        // The call changes an object that the code created itself: its state becomes opaque.
        if let Some(Value::Ref(id)) = call.receiver
            && collaborator.is_none()
            && known.is_none()
            && !is_reading
        {
            let id = *id;
            let is_fluent = call.ty.library().is_some_and(|fqn| fqn.ends_with("Builder") || fqn.ends_with("Spec"))
                && matches!(&self.object(id).class, ClassRef::Library(own) if call.ty.library() == Some(own));
            let after = Opaque::new(Origin::Call, &format!("{AFTER}{}", call.callee), operands, Sort::Object, &words);
            // The arguments may be stored elsewhere too, so the call is also an event.
            if is_void {
                self.event(call.callee, after.operands.to_vec(), &words);
            }
            self.become_opaque(id, after);
            if is_fluent {
                return Ok(Value::Ref(id));
            }
            return Ok(if call.ty == Type::Void { Value::NULL } else { self.of_opaque(result, &call.ty) });
        }
        if writes || (is_void && !computes && (call.ty == Type::Void || !is_reading)) {
            self.event(call.callee, operands, &words);
            match &collaborator {
                Some(own) if known.is_none() => {
                    *self.opaque.epochs.entry(own.clone()).or_default() += 1;
                }
                _ => self.opaque.epoch += u32::from(writes),
            }
        }
        // A void library function with two object arguments may copy properties from one to the other.
        let is_object = |arg: &&Value| match arg {
            Value::Ref(_) => true,
            // A value of unknown type may be an object too.
            Value::Symbol(symbol) => !matches!(symbol.ty, Type::Str | Type::Prim(_) | Type::Boxed(_)),
            _ => false,
        };
        let copies = call.receiver.is_none() && call.args.iter().filter(is_object).count() > 1;
        // A static method of an active record stores what it is handed (Panache).
        let stores = call.receiver.is_none() && STORES.contains(&call.name) && !call.callee.contains('#');
        if (writes || stores) && known.is_none() && (collaborator.is_some() || copies || stores) {
            self.fill(call, copies);
        }
        if let ("save" | "saveAndFlush" | "persist" | "merge", [entity], Some(_)) =
            (call.name, call.args, &collaborator)
            && matches!(entity, Value::Ref(_) | Value::Symbol(_))
        {
            return Ok(match call.ty.library() {
                _ if call.ty == Type::Void => Value::NULL,
                // A reactive repository gives back what it has saved too.
                Some(reactive::MONO) => reactive::of(self, reactive::MONO, vec![entity.clone()]),
                _ => entity.clone(),
            });
        }
        Ok(if call.ty == Type::Void { Value::NULL } else { self.of_opaque(result, &call.ty) })
    }

    /// The name of the collaborator that a value denotes: a bean, or another object that the container injects.
    fn collaborator(&self, value: &Value) -> Option<Rc<str>> {
        match value {
            Value::Symbol(symbol) => match &*symbol.term {
                Term::Opaque(opaque)
                    if matches!(opaque.origin, Origin::Given | Origin::Constant)
                        && opaque.sort == Sort::Object
                        && !symbol.ty.library().is_some_and(is_frozen_value) =>
                {
                    Some(opaque.callee.clone())
                }
                // Another opaque value of a project interface, such as a field of an injected object.
                Term::Opaque(_) => match &symbol.ty {
                    Type::Class(ClassRef::Project(ty), _)
                        if self.project.ty(*ty).kind == crate::ir::facts::TypeKind::Interface =>
                    {
                        Some(Rc::from(self.project.fqn(*ty)))
                    }
                    _ => None,
                },
                _ => None,
            },
            Value::Ref(id) if matches!(self.object(*id).kind, Kind::Bean) => {
                Some(Rc::from(self.class_name(&self.object(*id).class)))
            }
            _ => None,
        }
    }

    /// The result of a lambda passed to an opaque call: it runs once, on opaque arguments.
    fn run_once(&mut self, lambda: &Rc<Lambda>, call: &Unfollowed<'_>, at: usize) -> Eval<Canon> {
        let types = self.parameters_of(lambda, call);
        let mut operands: Vec<Canon> = Vec::new();
        if let Some(receiver) = call.receiver {
            operands.push(self.canon(receiver));
        }
        let mut args = Vec::new();
        for (index, ty) in types.iter().enumerate() {
            let words = match self.noun_of(ty) {
                Some(noun) => format!("the {noun} that {} hands on", short(call.callee)),
                None => format!("what {} hands on", short(call.callee)),
            };
            let name = format!("{}{HANDED}{at} parameter {index}", call.callee);
            let leaf = Opaque::new(Origin::Part, &name, operands.clone(), self.sort_of(ty), &words);
            args.push(self.of_opaque(self.named_by_type(leaf, ty), ty));
        }
        let saved =
            (self.opaque.discarded.take(), self.opaque.calling.take(), self.opaque.expected.take(), self.calling);
        let value = self.apply(lambda, args);
        (self.opaque.discarded, self.opaque.calling, self.opaque.expected, self.calling) = saved;
        let value = value?;
        Ok(Canon::Object(Rc::from(GIVES), Rc::new([(Rc::from(""), self.canon(&value))])))
    }

    fn parameters_of(&self, lambda: &Lambda, call: &Unfollowed<'_>) -> Vec<Type> {
        match &lambda.code {
            LambdaCode::Lambda { at } => {
                let Some(code) = &lambda.around.code else { return Vec::new() };
                match (&code.body.expr(*at).kind, code.link(*at)) {
                    (
                        crate::ir::body::ExprKind::Lambda { params, .. },
                        crate::interpret::linking::code::Link::Lambda(_, types, _),
                    ) => (0..params.len())
                        .map(|at| types.get(at).cloned().unwrap_or(Type::Unknown))
                        .map(|ty| if ty == Type::Unknown { element_of(call.receiver) } else { ty })
                        .collect(),
                    _ => Vec::new(),
                }
            }
            LambdaCode::Method { receiver, link, .. } => {
                let of = |method: &MemberId| {
                    let signature = self.codes.resolver.types.signature(*method);
                    signature.params.iter().map(known_type).collect::<Vec<Type>>()
                };
                match (receiver, &link.class, link.methods.as_slice()) {
                    (Some(_), _, [method]) => of(method),
                    (None, Some(_), [method]) if self.is_static(*method) || self.is_constructor(*method) => of(method),
                    (None, Some(class), [method]) => std::iter::once(class.clone()).chain(of(method)).collect(),
                    (None, Some(class), []) => vec![class.clone()],
                    (Some(_), _, _) => vec![element_of(call.receiver)],
                    _ => Vec::new(),
                }
            }
        }
    }

    fn is_constructor(&self, method: MemberId) -> bool {
        self.project.member(method).kind == crate::ir::facts::MemberKind::Constructor
    }
}

/// The element type of the `Optional` that the code expects.
pub(in crate::interpret) fn element_expected(expected: Option<Type>) -> Option<Type> {
    match expected {
        Some(Type::Class(_, of)) => of.first().cloned(),
        _ => None,
    }
}

/// Whether the only argument is a lambda with one parameter, so that it takes elements and not map entries.
pub(in crate::interpret) fn takes_each(args: &[Value]) -> bool {
    let [Value::Lambda(lambda)] = args else { return false };
    match (&lambda.code, &lambda.around.code) {
        (LambdaCode::Lambda { at }, Some(code)) => {
            matches!(&code.body.expr(*at).kind, crate::ir::body::ExprKind::Lambda { params, .. } if params.len() == 1)
        }
        _ => false,
    }
}

fn element_of(receiver: Option<&Value>) -> Type {
    match receiver {
        Some(Value::Symbol(symbol)) => match &symbol.ty {
            Type::Class(_, args) => args.first().cloned().unwrap_or(Type::Unknown),
            _ => Type::Unknown,
        },
        _ => Type::Unknown,
    }
}

fn short(callee: &str) -> String {
    let callee = callee.split(['/', '(']).next().unwrap_or(callee);
    callee.rsplit('.').next().unwrap_or(callee).replace('#', ".")
}

/// Packages of the objects that a framework hands to a handler to be filled: answers, sessions, data of a page, errors.
const FILLED: [&str; 9] = [
    "jakarta.servlet.",
    "javax.servlet.",
    "jakarta.ws.rs.",
    "javax.ws.rs.",
    "org.springframework.http.server.",
    "org.springframework.ui.",
    "org.springframework.validation.",
    "org.springframework.web.server.",
    "org.springframework.web.servlet.",
];

/// Whether a value is an object of a framework that a call may fill.
fn is_handed_by_framework(value: &Value) -> bool {
    let Value::Symbol(symbol) = value else { return false };
    symbol.ty.library().is_some_and(|name| FILLED.iter().any(|package| name.starts_with(package)))
}
