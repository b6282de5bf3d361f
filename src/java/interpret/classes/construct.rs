//! Object creation: constructors, superclass constructors, initialisers in textual order, and enclosing instances of
//! inner classes (JLS §12.5, §15.9).

use std::rc::Rc;

use super::objects::has;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::linking::code::{Code, Link};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Captured, Kind, ObjId, Object, Type, Unknown, Value};
use crate::ir::body::{Body, ExprId, ExprKind, Root, StmtId, StmtKind};
use crate::ir::calls::Target;
use crate::ir::facts::{MemberKind, Modifiers, Nesting, TypeKind};
use crate::ir::ids::{MemberId, TypeId};

impl Machine<'_> {
    /// `new T(args)` or `outer.new T(args)`, with the body of an anonymous class if there is one.
    pub fn creation(&mut self, code: &Code, at: ExprId, outer: Option<ExprId>, args: &[ExprId]) -> Eval {
        let outer = match outer {
            Some(outer) => {
                let value = self.eval(code, outer)?;
                self.not_null(&value)?;
                Some(value)
            }
            None => None,
        };
        let args = self.eval_all(code, args)?;
        // Evaluating the arguments may have changed the current call.
        if self.is_opaque() {
            self.opaque.calling = Some((code.member, at));
            self.opaque.expected = None;
        }
        let link = match code.link(at) {
            Link::New(link) if link.class != Type::Unknown => link,
            // An unresolved class is treated like a library class of that name.
            _ => match &code.body.expr(at).kind {
                ExprKind::New { ty, .. } if self.is_opaque() => {
                    return self.call_library(&ty.name, "<init>", None, args);
                }
                _ => return self.unknown_call("a new object of a type that is not resolved", &args, Type::Unknown),
            },
        };
        let Type::Class(ClassRef::Project(ty), _) = &link.class else {
            return self.construct_by(&link.class, &link.constructors, args, link.spread);
        };
        let ty = *ty;
        self.enter_class(ty)?;
        let mut object = Object::new(ClassRef::Project(ty), Kind::Plain);
        if let Some(around) = self.surrounding(ty, outer) {
            object.captured.push((ty, around));
        }
        let id = self.allocate(object);
        let this = Value::Ref(id);
        if self.project.ty(ty).nesting == Nesting::Anonymous {
            self.construct_super(ty, id, &this, &link.constructors, args, link.spread)?;
            self.run_initialisers(ty, id, &this)?;
        } else {
            self.construct_into(ty, id, &this, &link.constructors, args, link.spread)?;
        }
        Ok(this)
    }

    /// The captured surroundings of a new inner object; `None` for a class that captures nothing.
    fn surrounding(&mut self, ty: TypeId, outer: Option<Value>) -> Option<Rc<Captured>> {
        let facts = self.project.ty(ty);
        let fixed = facts.modifiers.has(Modifiers::STATIC)
            || matches!(facts.kind, TypeKind::Interface | TypeKind::Enum | TypeKind::Record | TypeKind::Annotation);
        match facts.nesting {
            Nesting::Top => None,
            _ if fixed => None,
            Nesting::Member => {
                let around = self.project.outer(ty)?;
                if matches!(self.project.ty(around).kind, TypeKind::Interface | TypeKind::Annotation) {
                    return None;
                }
                let this = match outer {
                    Some(outer) => outer,
                    None => self.this_for(around),
                };
                Some(Rc::new(Captured { code: None, slots: Vec::new(), this: Some(this) }))
            }
            Nesting::Local | Nesting::Anonymous => {
                let within = self.project.within(ty)?;
                let frame = self.frames.last()?;
                if frame.code.member == within {
                    return self.surroundings();
                }
                // The object is created inside its own class or another class of the same body: that class has
                // already captured the variables.
                let mut this = frame.this.clone();
                let mut scope = Some(frame.code.member.ty);
                while let Some(at) = scope {
                    let around = self.around(this.as_ref(), at)?;
                    if around.code.as_ref().is_some_and(|code| code.member == within) {
                        return Some(around);
                    }
                    this.clone_from(&around.this);
                    scope = self.project.outer(at);
                }
                None
            }
        }
    }

    /// Creates an object of a type with one of its constructors.
    pub fn construct_type(&mut self, class: &Type, args: Vec<Value>) -> Eval {
        self.construct_by(class, &[], args, None)
    }

    /// Creates an object of a type with one of these constructors.
    pub fn construct_by(
        &mut self,
        class: &Type,
        constructors: &[MemberId],
        args: Vec<Value>,
        spread: Option<bool>,
    ) -> Eval {
        match class {
            Type::Class(ClassRef::Project(ty), _) => {
                self.enter_class(*ty)?;
                let mut object = Object::new(ClassRef::Project(*ty), Kind::Plain);
                if let Some(around) = self.surrounding(*ty, None) {
                    object.captured.push((*ty, around));
                }
                let id = self.allocate(object);
                self.construct_into(*ty, id, &Value::Ref(id), constructors, args, spread)?;
                Ok(Value::Ref(id))
            }
            Type::Unknown | Type::Array(_) | Type::Void | Type::Prim(_) => {
                self.unknown_call("a new object of a type that is not resolved", &args, Type::Unknown)
            }
            Type::Str => self.call_library("java.lang.String", "<init>", None, args),
            Type::Boxed(prim) => {
                let fqn = format!("java.lang.{}", prim.box_name());
                self.call_library(&fqn, "<init>", None, args)
            }
            Type::Class(ClassRef::Library(fqn), _) => {
                let fqn = fqn.to_string();
                self.meant = (constructors.to_vec(), spread);
                let made = match self.call_library(&fqn, "<init>", None, args)? {
                    // The result of `new` is never null, even if it is unknown.
                    Value::Unknown(unknown) => Value::Unknown(Rc::new(Unknown { present: true, ..(*unknown).clone() })),
                    made => made,
                };
                Ok(self.convert(made, class))
            }
        }
    }

    /// Runs a constructor of a class on an object, after the superclass constructor. `this` is the object as the code
    /// sees it.
    pub fn construct_into(
        &mut self,
        ty: TypeId,
        id: ObjId,
        this: &Value,
        constructors: &[MemberId],
        args: Vec<Value>,
        spread: Option<bool>,
    ) -> Eval<()> {
        self.step()?;
        let declared: Vec<MemberId> = if constructors.is_empty() {
            self.project.constructors(ty, args.len())
        } else {
            constructors.iter().copied().filter(|constructor| constructor.ty == ty).collect()
        };
        let mut fitting = self.eliminate(&declared, &args);
        let canonical = self.implicit_canonical(ty).filter(|components| components.len() == args.len());
        if let Some(components) = canonical {
            // The implicit canonical constructor of a record competes with its explicit constructors.
            let own = |component: &MemberId, arg: &Value| {
                let wanted = self.field_type(*component);
                match (&wanted, arg.prim()) {
                    (Type::Prim(prim), Some(own)) => crate::interpret::engine::calls::widens(own, *prim),
                    (Type::Prim(_), None) => !arg.is_null(),
                    _ => self.is_instance(arg, &wanted) != Some(false),
                }
            };
            let fits = components.iter().zip(&args).all(|(component, arg)| own(component, arg));
            fitting.retain(|constructor| self.accepts(*constructor, &args));
            if fits && fitting.is_empty() {
                return self.assign_in_order(id, &components, args);
            }
            // If the values fit both, the implicit one is used unless the resolver selected an explicit one.
            if fits && constructors.is_empty() {
                fitting.clear();
            }
        }
        if let [constructor] = fitting.as_slice() {
            return self.nested(|machine| machine.run_constructor(ty, id, this, *constructor, args, spread));
        }
        if fitting.is_empty()
            && let Some(fields) = self.generated_constructor(ty, args.len())
        {
            if fields.is_empty() {
                self.construct_super(ty, id, this, &[], Vec::new(), None)?;
            }
            self.run_initialisers(ty, id, this)?;
            return self.assign_in_order(id, &fields, args);
        }
        let what = format!("new {} with {} arguments is not resolved", self.simple_name(ty), args.len());
        self.object_mut(id).kind = Kind::Escaped(Rc::from(what.as_str()));
        self.unknown_call(&what, &args, Type::Unknown).map(|_| ())
    }

    /// The components of a record whose canonical constructor is implicit.
    fn implicit_canonical(&self, ty: TypeId) -> Option<Vec<MemberId>> {
        if self.project.ty(ty).kind != TypeKind::Record {
            return None;
        }
        let of = |kind: MemberKind| self.project.members(ty).filter(move |m| self.project.member(*m).kind == kind);
        let components: Vec<MemberId> = of(MemberKind::RecordComponent).collect();
        let written = of(MemberKind::Constructor).any(|constructor| {
            let params = &self.project.member(constructor).params;
            params.len() == components.len()
                && params.iter().zip(&components).all(|(param, component)| {
                    let ty = self.project.member(*component).ty.as_ref();
                    ty.is_some_and(|ty| ty.erased() == param.ty.erased() || param.varargs)
                })
        });
        (!written).then_some(components)
    }

    /// The fields that an implicit constructor sets: none for the default constructor, else those of Lombok's
    /// constructors.
    fn generated_constructor(&self, ty: TypeId, arity: usize) -> Option<Vec<MemberId>> {
        let facts = self.project.ty(ty);
        let fields = |all: bool| -> Vec<MemberId> {
            let takes = |member: &MemberId| {
                let field = self.project.member(*member);
                let is_final = field.modifiers.has(Modifiers::FINAL);
                let open = field.body.is_none() && (is_final || has(&field.annotations, &["NonNull"]));
                let fixed = is_final && field.body.is_some();
                field.kind == MemberKind::Field && !field.modifiers.has(Modifiers::STATIC) && (open || all && !fixed)
            };
            self.project.members(ty).filter(takes).collect()
        };
        let own = self.project.members(ty).any(|m| self.project.member(m).kind == MemberKind::Constructor);
        if has(&facts.annotations, &["AllArgsConstructor", "Value"]) && fields(true).len() == arity && arity > 0 {
            return Some(fields(true));
        }
        let required = has(&facts.annotations, &["RequiredArgsConstructor", "Data"]);
        if required && fields(false).len() == arity && arity > 0 {
            return Some(fields(false));
        }
        (arity == 0 && (!own || has(&facts.annotations, &["NoArgsConstructor"]))).then(Vec::new)
    }

    fn assign_in_order(&mut self, id: ObjId, fields: &[MemberId], args: Vec<Value>) -> Eval<()> {
        for (field, value) in fields.iter().zip(args) {
            let ty = self.field_type(*field);
            let value = self.assigned(value, &ty)?;
            self.object_mut(id).fields.insert(*field, value);
        }
        Ok(())
    }

    fn run_constructor(
        &mut self,
        ty: TypeId,
        id: ObjId,
        this: &Value,
        constructor: MemberId,
        args: Vec<Value>,
        spread: Option<bool>,
    ) -> Eval<()> {
        let Some(code) = self.codes.code(constructor) else {
            return self.unknown_call("a constructor has no body", &args, Type::Unknown).map(|_| ());
        };
        let Some(slots) = self.bind_params(&code, args, spread)? else {
            return self.unknown_call("a constructor's arguments do not fit", &[], Type::Unknown).map(|_| ());
        };
        self.ran(constructor);
        let is_record = self.project.ty(ty).kind == TypeKind::Record;
        self.framed(code.clone(), Some(this.clone()), slots, |machine| {
            let statements = statements(&code.body);
            let first = statements.first().map(|stmt| (*stmt, &code.body.stmt(*stmt).kind));
            match first {
                Some((at, StmtKind::ConstructorCall { is_super, outer, args })) => {
                    let outer = match outer {
                        Some(outer) => Some(machine.eval(&code, *outer)?),
                        None => None,
                    };
                    let args = machine.eval_all(&code, args)?;
                    let methods = match code.resolved.constructor_calls.get(&at) {
                        Some(Target::Methods(methods)) => methods.clone(),
                        _ => Vec::new(),
                    };
                    if *is_super {
                        machine.construct_super_of(ty, id, this, &methods, args, None, outer)?;
                        machine.run_initialisers(ty, id, this)?;
                    } else {
                        machine.construct_into(ty, id, this, &methods, args, None)?;
                    }
                }
                _ => {
                    machine.construct_super(ty, id, this, &[], Vec::new(), None)?;
                    machine.run_initialisers(ty, id, this)?;
                }
            }
            let exit = machine.exit;
            machine.run_all(&code, &statements)?;
            machine.exit = exit;
            if is_record { machine.assign_components(ty, id, &code) } else { Ok(()) }
        })
    }

    /// Assigns the final values of a compact constructor's parameters to the record components.
    fn assign_components(&mut self, ty: TypeId, id: ObjId, code: &Code) -> Eval<()> {
        for component in self.project.members(ty) {
            if self.project.member(component).kind != MemberKind::RecordComponent
                || self.object(id).fields.contains_key(&component)
            {
                continue;
            }
            let name = &self.project.member(component).name;
            let place = code.resolved.locals.iter().take(code.params.len()).position(|local| local.name == *name);
            if let Some(place) = place {
                let value = self.local(place as u32);
                self.object_mut(id).fields.insert(component, value);
            }
        }
        Ok(())
    }

    /// Runs a superclass constructor on an object.
    pub fn construct_super(
        &mut self,
        ty: TypeId,
        id: ObjId,
        this: &Value,
        constructors: &[MemberId],
        args: Vec<Value>,
        spread: Option<bool>,
    ) -> Eval<()> {
        self.construct_super_of(ty, id, this, constructors, args, spread, None)
    }

    #[expect(clippy::too_many_arguments, reason = "a constructor call of the language has as many parts")]
    fn construct_super_of(
        &mut self,
        ty: TypeId,
        id: ObjId,
        this: &Value,
        constructors: &[MemberId],
        args: Vec<Value>,
        spread: Option<bool>,
        outer: Option<Value>,
    ) -> Eval<()> {
        if matches!(self.project.ty(ty).kind, TypeKind::Enum | TypeKind::Record) {
            return Ok(());
        }
        match super::hierarchy::super_of(self.project, &ClassRef::Project(ty)) {
            Some(ClassRef::Project(parent)) if self.project.ty(parent).kind == TypeKind::Interface => Ok(()),
            Some(ClassRef::Project(parent)) => {
                if let Some(around) = self.surrounding(parent, outer) {
                    self.object_mut(id).captured.push((parent, around));
                }
                self.construct_into(parent, id, this, constructors, args, spread)
            }
            Some(ClassRef::Library(fqn)) if matches!(&*fqn, "java.lang.Object" | "java.lang.Number") => Ok(()),
            Some(ClassRef::Library(fqn)) if self.is_library_interface(ty, &fqn) => Ok(()),
            Some(ClassRef::Library(fqn)) => {
                let fqn = fqn.to_string();
                self.call_library(&fqn, "<init>", Some(Value::Ref(id)), args).map(|_| ())
            }
            None => self.unknown_call("a superclass is not resolved", &args, Type::Unknown).map(|_| ()),
        }
    }

    /// Whether the library supertype of an anonymous class is known to be an interface.
    fn is_library_interface(&self, ty: TypeId, fqn: &str) -> bool {
        self.project.ty(ty).nesting == Nesting::Anonymous
            && super::hierarchy::library_super(self.project, fqn).is_none()
            && crate::types::signatures::library_type(fqn).is_some_and(|known| {
                known.functional
                    || known.methods.iter().any(|method| method.is_abstract)
                        && known.methods.iter().all(|method| *method.name != *"<init>")
            })
    }

    /// Runs the instance initialisers of a class on an object, in textual order.
    pub fn run_initialisers(&mut self, ty: TypeId, id: ObjId, this: &Value) -> Eval<()> {
        let members: Vec<MemberId> = self.project.members(ty).collect();
        for member in members {
            let facts = self.project.member(member);
            let is_field = facts.kind == MemberKind::Field;
            let runs = match facts.kind {
                MemberKind::Field => !self.is_static(member) && facts.body.is_some(),
                MemberKind::Initializer => true,
                _ => false,
            };
            if !runs {
                continue;
            }
            let Some(code) = self.codes.code(member) else { continue };
            self.within(&code, Some(this.clone()), |machine| {
                let exit = machine.exit;
                let value = machine.run_root(&code)?;
                machine.exit = exit;
                if is_field {
                    let value = machine.assigned(value, &code.result)?;
                    machine.object_mut(id).fields.insert(member, value);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// The statements of a constructor's body.
fn statements(body: &Body) -> Vec<StmtId> {
    match body.root {
        Some(Root::Stmt(stmt)) => match &body.stmt(stmt).kind {
            StmtKind::Block(statements) => statements.clone(),
            _ => vec![stmt],
        },
        _ => Vec::new(),
    }
}
