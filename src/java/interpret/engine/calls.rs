//! Calls: takes the candidates from the resolver, then dispatches on the class of the receiver.

use std::rc::Rc;

use super::machine::{Eval, Machine};
use crate::interpret::library::{self, LibraryCall};
use crate::interpret::linking::code::{CallLink, Code, Link, On};
use crate::interpret::linking::link::is_static;
use crate::interpret::paths::path::Modelled;
use crate::interpret::values::scalar::{ClassRef, Prim};
use crate::interpret::values::types::known_type;
use crate::interpret::values::value::{Kind, Type, Value};
use crate::ir::body::{ExprId, ExprKind};
use crate::ir::facts::{MemberKind, Modifiers, TypeKind};
use crate::ir::ids::{MemberId, TypeId};
use crate::types::lookup;
use crate::types::typing::Fit;

/// Names of logger methods that write to a log.
const LEVELS: &[&str] = &["debug", "error", "fatal", "info", "trace", "warn"];

/// Whether a call writes to a log, judged by the names of the method and of the field that it is called on: a logger inherited from a
/// library class has no known type.
fn writes_log(code: &Code, on: ExprId, name: &str) -> bool {
    let field = match &code.body.expr(on).kind {
        ExprKind::Name(name) | ExprKind::Field { name, .. } => name.rsplit('.').next().unwrap_or_default(),
        _ => return false,
    };
    LEVELS.contains(&name) && ["log", "logger"].iter().any(|known| field.eq_ignore_ascii_case(known))
}

/// Whether the type of a value is unknown.
fn is_untyped(value: &Value) -> bool {
    match value {
        Value::Unknown(unknown) => unknown.ty == Type::Unknown,
        Value::Symbol(symbol) => symbol.ty == Type::Unknown,
        _ => false,
    }
}

impl Machine<'_> {
    /// Evaluates a call expression of the running body.
    pub fn call(&mut self, code: &Code, id: ExprId, name: &str, args: &[ExprId]) -> Eval {
        let Link::Call(link) = code.link(id) else {
            let args = self.eval_all(code, args)?;
            return self.unresolved(name, &args);
        };
        match &link.on {
            On::Value(target) => {
                let receiver = self.eval(code, *target)?;
                let given = args;
                let args = self.eval_all(code, args)?;
                self.calling = self.site(code.body.expr(id).span);
                self.enters(code, id, link);
                if self.is_opaque() && is_untyped(&receiver) && writes_log(code, *target, name) {
                    return Ok(Value::NULL);
                }
                // Only these library methods have overloads that differ between a number and its box.
                if matches!(name, "remove" | "valueOf") {
                    self.argument_types = given.iter().map(|arg| known_type(code.resolved.ty(*arg))).collect();
                }
                self.call_on(receiver, name, args, link)
            }
            On::Class(class) => {
                let args = self.eval_all(code, args)?;
                self.enters(code, id, link);
                // A static method of a library superclass, called by its name alone.
                if matches!(&code.body.expr(id).kind, ExprKind::Call { target: None, .. })
                    && class.library().is_some()
                    && let Some(answer) = self.call_panache(code.member.ty, None, (name, &args), &link.result)
                {
                    return answer;
                }
                self.call_static(class, name, args, link)
            }
            On::This(scope) => {
                let args = self.eval_all(code, args)?;
                self.enters(code, id, link);
                let of_instance = |method: &&MemberId| !is_static(self.project, **method);
                if let [only] = link.methods.as_slice()
                    && is_static(self.project, *only)
                    && (self.is_in_model() || !self.project.is_model(only.ty))
                {
                    return self.invoke_with(*only, None, args, link.spread);
                }
                if link.methods.iter().find(of_instance).is_none() && !link.methods.is_empty() {
                    let class = Type::Class(ClassRef::Project(*scope), Vec::new());
                    return self.call_static(&class, name, args, link);
                }
                // `values()` and `valueOf(…)` of an enclosing enum.
                if link.methods.is_empty()
                    && self.project.ty(*scope).kind == TypeKind::Enum
                    && matches!((name, args.len()), ("values", 0) | ("valueOf", 1))
                {
                    let class = Type::Class(ClassRef::Project(*scope), Vec::new());
                    return self.call_static(&class, name, args, link);
                }
                let this = self.this_for(*scope);
                if self.frames.last().is_some_and(|frame| frame.this.is_none()) && link.methods.is_empty() {
                    if let Some(answer) = self.call_panache(*scope, None, (name, &args), &link.result) {
                        return answer;
                    }
                    // A static body has no `this`: the callee must be a static method inherited from a library class.
                    let fqn = link.library.as_deref().unwrap_or("?").to_owned();
                    return self.call_library(&fqn, name, None, args);
                }
                self.call_on(this, name, args, link)
            }
            On::Super => {
                let args = self.eval_all(code, args)?;
                self.call_super(name, args, link)
            }
            On::Nothing => {
                let args = self.eval_all(code, args)?;
                self.unresolved(name, &args)
            }
        }
    }

    /// Records the current call, its result type and its site, for opaque values.
    fn enters(&mut self, code: &Code, id: ExprId, link: &CallLink) {
        if self.is_opaque() {
            self.opaque.calling = Some((code.member, id));
            self.opaque.expected = Some(link.result.clone());
            self.calling = self.site(code.body.expr(id).span);
        }
    }

    fn call_super(&mut self, name: &str, args: Vec<Value>, link: &CallLink) -> Eval {
        let this = self.this();
        // A superclass that is modelled in Java counts as a library class.
        let own = link.methods.iter().copied().filter(|one| self.is_in_model() || !self.project.is_model(one.ty));
        match self.eliminate(&own.collect::<Vec<_>>(), &args).as_slice() {
            [method] => {
                let from = self.frames.last().map_or(method.ty, |frame| frame.code.member.ty);
                // A default method runs as resolved; for a class method, the superclass decides which override runs.
                let method = if self.project.ty(method.ty).kind == TypeKind::Interface {
                    *method
                } else {
                    self.inherited(from, *method).unwrap_or(*method)
                };
                self.invoke_with(method, Some(this), args, link.spread)
            }
            [] => match &this {
                Value::Ref(id) => {
                    let id = *id;
                    self.call_inherited(id, name, args)
                }
                _ => self.unresolved(&format!("super.{name}"), &args),
            },
            _ => self.unresolved(&format!("super.{name}: which overload is meant"), &args),
        }
    }

    /// The method that `super.method()` runs in a class.
    fn inherited(&self, from: TypeId, method: MemberId) -> Option<MemberId> {
        let parent = self.project.supers(from).first()?.named.project()?;
        self.codes.implementation(parent, method)
    }

    /// A call that could not be resolved.
    pub fn unresolved(&mut self, what: &str, args: &[Value]) -> Eval {
        self.unknown_call(&format!("{what} is not resolved"), args, Type::Unknown)
    }

    /// `Type.name(args)`.
    pub fn call_static(&mut self, class: &Type, name: &str, args: Vec<Value>, link: &CallLink) -> Eval {
        let Type::Class(ClassRef::Project(ty), _) = class else {
            let fqn = match (class, &link.library) {
                (Type::Unknown, Some(fqn)) => fqn.to_string(),
                _ => library_name(class),
            };
            self.meant = (link.methods.clone(), link.spread);
            return self.call_library(&fqn, name, None, args);
        };
        match self.eliminate(&link.methods, &args).as_slice() {
            [method] if is_static(self.project, *method) => {
                return self.invoke_with(*method, None, args, link.spread);
            }
            [] => {}
            _ => return self.unresolved(&format!("{}.{name}: which overload is meant", self.simple_name(*ty)), &args),
        }
        if self.project.ty(*ty).kind == TypeKind::Enum {
            match (name, args.as_slice()) {
                ("values", []) => {
                    let constants = self.enum_constants(*ty).into_iter();
                    let items = constants
                        .map(|name| {
                            Value::Scalar(crate::interpret::values::scalar::Scalar::Enum(ClassRef::Project(*ty), name))
                        })
                        .collect();
                    return Ok(self.array(items, class.clone()));
                }
                ("valueOf", [arg]) => {
                    let arg = arg.clone();
                    return self.enum_value_of(*ty, &arg);
                }
                _ => {}
            }
        }
        if let ("builder", []) = (name, args.as_slice())
            && let Some(builder) = self.new_builder(*ty)
        {
            return Ok(builder);
        }
        if let Some(answer) = self.call_panache(*ty, None, (name, &args), &link.result) {
            return answer;
        }
        if let Some(fqn) = &link.library
            && !fqn.starts_with('?')
            && **fqn != *lookup::BUILDER
            && **fqn != *"java.lang.Object"
        {
            // A static method inherited from a library class.
            let fqn = fqn.to_string();
            return self.call_library(&fqn, name, None, args);
        }
        self.unresolved(&format!("{}.{name}", self.simple_name(*ty)), &args)
    }

    /// The methods that can accept these arguments: a method is excluded if a value cannot be converted to its
    /// parameter type, whatever the static type.
    pub fn eliminate(&self, methods: &[MemberId], args: &[Value]) -> Vec<MemberId> {
        if methods.len() < 2 {
            return methods.to_vec();
        }
        methods.iter().copied().filter(|method| self.accepts(*method, args)).collect()
    }

    /// Whether a method can accept these arguments.
    pub fn accepts(&self, method: MemberId, args: &[Value]) -> bool {
        let signature = self.codes.resolver.types.signature(method);
        if signature.varargs || signature.params.len() != args.len() {
            return signature.varargs;
        }
        signature.params.iter().zip(args).all(|(param, arg)| match (known_type(param), arg) {
            (Type::Unknown, _) => true,
            (ty, arg) if arg.is_null() => ty.is_reference(),
            (Type::Prim(prim), value) => match value.prim() {
                Some(own) => widens(own, prim),
                None => matches!(value, Value::Unknown(unknown) if unknown.ty == Type::Unknown),
            },
            // `String` and boxes have no subclasses.
            (wanted, Value::Unknown(unknown)) if matches!(unknown.ty, Type::Str | Type::Boxed(_)) => {
                self.fits(&unknown.ty, &wanted) != Fit::No
            }
            (wanted, value) => self.is_instance(value, &wanted) != Some(false),
        })
    }

    /// Calls a library method: asks its model, else returns an unknown or opaque value.
    pub fn call_library(&mut self, fqn: &str, name: &str, receiver: Option<Value>, args: Vec<Value>) -> Eval {
        if self.is_opaque() {
            return self.opaque_library(fqn, name, receiver, args);
        }
        let types = std::mem::take(&mut self.argument_types);
        let (meant, spread) = std::mem::take(&mut self.meant);
        let call =
            LibraryCall { fqn, name, receiver: receiver.as_ref(), args: &args, types: &types, meant: &meant, spread };
        let answer = self.ask_within_bounds(&call)?;
        let modelled = match &answer {
            Some(_) => Modelled::Answered,
            None if args.iter().chain(&receiver).any(|value| self.is_open(value, 0)) => Modelled::Inputs,
            None => Modelled::Missing,
        };
        self.note_library_call(fqn, name, modelled);
        if let Some(result) = answer {
            return result;
        }
        let simple = fqn.rsplit('.').next().unwrap_or(fqn);
        let reason = match name {
            "<init>" => format!("new {simple} is not modelled"),
            _ => format!("{simple}.{name} is not modelled"),
        };
        let ty = self.library_result(fqn, name, args.len(), receiver.is_some());
        let mut given = args;
        given.extend(receiver);
        self.unknown_call(&reason, &given, ty)
    }

    /// The models' answer to a call, within the bound on elements per path; `None` if no model answers.
    ///
    /// # Errors
    /// The bound was reached.
    pub(in crate::interpret) fn ask_within_bounds(&mut self, call: &LibraryCall<'_>) -> Eval<Option<Eval>> {
        let held = self.elements_of(call.receiver);
        if held.is_some() && call.name.starts_with("addAll") {
            // Counted before the copy, since a list may be added to itself.
            let added: usize = call.args.iter().filter_map(|arg| self.elements_of(Some(arg))).sum();
            self.would_hold(added)?;
        }
        let answer = library::call(self, call);
        if let (Some(before), Some(after)) = (held, self.elements_of(call.receiver)) {
            self.hold(after.saturating_sub(before))?;
        }
        Ok(answer)
    }

    /// Records whether a model answered a call.
    pub fn note_library_call(&mut self, fqn: &str, name: &str, modelled: Modelled) {
        if let Some(known) = self.library_calls.get(fqn).and_then(|names| names.get(name))
            && *known >= modelled
        {
            return;
        }
        self.library_calls.entry(Rc::from(fqn)).or_default().insert(Rc::from(name), modelled);
    }

    /// Whether a value, or something up to two levels within it, is unknown or symbolic.
    fn is_open(&self, value: &Value, depth: usize) -> bool {
        match value {
            Value::Unknown(_) | Value::Symbol(_) | Value::Cond(_) => true,
            Value::Ref(id) if depth < 2 => {
                let object = self.object(*id);
                let held = match &object.kind {
                    Kind::Escaped(_) | Kind::Body(_) => return true,
                    Kind::List { items, .. } => items.clone(),
                    Kind::Native(native) => native.children(),
                    _ => object.parts.values().cloned().collect(),
                };
                held.iter().take(64).any(|value| self.is_open(value, depth + 1))
            }
            _ => false,
        }
    }

    /// The declared result type of a library method, if its signature is known.
    pub(in crate::interpret) fn library_result(&self, fqn: &str, name: &str, arity: usize, on_value: bool) -> Type {
        let listed = library::result_type(fqn, name);
        if listed != Type::Unknown {
            return listed;
        }
        let owner = crate::ir::ty::Ty::library(fqn);
        if name == "<init>" {
            return known_type(&owner);
        }
        let methods = self.codes.resolver.types.methods(&owner, name, arity);
        let mut found: Vec<Type> = methods
            .iter()
            .filter(|method| match method {
                lookup::Candidate::Library { method, .. } => method.is_static != on_value,
                lookup::Candidate::Project { .. } => true,
            })
            .map(|method| known_type(method.ret(&self.codes.resolver.types)))
            .collect();
        found.dedup();
        match found.as_slice() {
            [only] => only.clone(),
            _ => Type::Unknown,
        }
    }

    /// Methods of a class by name and number of arguments, own and inherited, for calls where only the object is
    /// known.
    pub fn methods_of(&self, ty: TypeId, name: &str, args: &[Value]) -> Vec<MemberId> {
        let mut found = self.project.find_method(ty, name, args.len());
        found.retain(|method| {
            let facts = self.project.member(*method);
            facts.kind == MemberKind::Method && (method.ty == ty || !facts.modifiers.has(Modifiers::PRIVATE))
        });
        let found = self.eliminate(&found, args);
        // Overridden methods are left out.
        let mut open: Vec<MemberId> = Vec::new();
        for method in found {
            let run = self.codes.implementation(ty, method).unwrap_or(method);
            if !open.contains(&run) {
                open.push(run);
            }
        }
        if open.len() > 1 {
            let with_body: Vec<MemberId> =
                open.iter().copied().filter(|method| self.project.member(*method).body.is_some()).collect();
            if with_body.len() == 1
                && open.iter().all(|m| *m == with_body[0] || self.project.same_parameters(*m, with_body[0]))
            {
                return with_body;
            }
        }
        open
    }
}

/// Whether a primitive type equals another or widens to it (JLS §5.1.2).
pub fn widens(from: Prim, to: Prim) -> bool {
    crate::ir::ty::widens(from.keyword(), to.keyword())
}

/// Fully qualified name of a library class.
pub fn library_name(ty: &Type) -> String {
    match ty {
        Type::Boxed(prim) | Type::Prim(prim) => format!("java.lang.{}", prim.box_name()),
        Type::Array(_) => "array".to_owned(),
        other => other.library().unwrap_or("?").to_owned(),
    }
}
