//! Objects: constructors, beans that the container makes, enum constants, and what is read from a request's body.

use std::rc::Rc;

use super::machine::{Eval, Machine};
use super::scalar::{ClassRef, Scalar};
use super::term::Input;
use super::value::{Kind, ObjId, Object, Type, Value};
use crate::java::body::{Body, ExprId, Root, StmtKind};
use crate::java::facts::{Annotation, MemberKind, Modifiers, TypeFacts, TypeKind, TypeRef};
use crate::java::ids::{MemberId, TypeId};
use crate::java::project::Project;

/// Annotations by which the container fills in a field.
const INJECTED: &[&str] = &["Autowired", "Inject", "Resource", "Value", "PersistenceContext", "EJB", "Context"];

/// Whether one of the annotations has this simple name.
pub fn has(annotations: &[Annotation], names: &[&str]) -> bool {
    annotations.iter().any(|annotation| names.contains(&annotation.simple()))
}

/// The field that a Lombok getter or setter of this name and arity stands for.
pub fn lombok_property(project: &Project, ty: TypeId, name: &str, arity: usize) -> Option<MemberId> {
    let facts = project.ty(ty);
    let on_class = |names: &[&str]| has(&facts.annotations, names);
    project.members(ty).find(|member| {
        let field = project.member(*member);
        if field.kind != MemberKind::Field || field.modifiers.has(Modifiers::STATIC) {
            return false;
        }
        let capital = capitalised(&field.name);
        let boolean = field.ty.as_ref().is_some_and(|ty| ty.erased() == "boolean");
        if arity == 0 {
            let allowed = on_class(&["Data", "Getter", "Value"]) || has(&field.annotations, &["Getter"]);
            allowed && if boolean { boolean_getter(&field.name) == name } else { name == format!("get{capital}") }
        } else {
            let allowed = (on_class(&["Data", "Setter"]) || has(&field.annotations, &["Setter"]))
                && !field.modifiers.has(Modifiers::FINAL);
            let capital =
                if boolean { capitalised(field.name.strip_prefix("is").unwrap_or(&field.name)) } else { capital };
            arity == 1 && allowed && name == format!("set{capital}")
        }
    })
}

fn boolean_getter(field: &str) -> String {
    match field.strip_prefix("is") {
        Some(rest) if rest.chars().next().is_some_and(char::is_uppercase) => field.to_owned(),
        _ => format!("is{}", capitalised(field)),
    }
}

/// The text with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

impl Machine<'_> {
    /// `new T(args)`, with the body of an anonymous class where it has one.
    pub fn construct(
        &mut self,
        _body: &Body,
        at: ExprId,
        ty: &TypeRef,
        args: Vec<Value>,
        anonymous: Option<u32>,
    ) -> Eval {
        if let Some(index) = anonymous {
            let file = self.project.file_of(self.scope());
            let Some(class) = Some(self.project.type_in(file, index)) else {
                return self.unknown_call("an anonymous class is not resolved", &args, Type::Unknown);
            };
            if !args.is_empty() {
                return self.unknown_call("an anonymous class with arguments is not modelled", &args, Type::Unknown);
            }
            let mut object = Object::new(ClassRef::Project(class), Kind::Plain);
            object.captured = self.capture(at);
            let id = self.allocate(object);
            self.initialise(class, id)?;
            return Ok(Value::Ref(id));
        }
        let class = self.type_of(self.scope(), ty);
        let captured = self.capture(at);
        match &class {
            Type::Class(ClassRef::Project(id), _) => {
                let inner =
                    self.project.ty(*id).outer.is_some() && !self.project.ty(*id).modifiers.has(Modifiers::STATIC);
                let mut object = Object::new(ClassRef::Project(*id), Kind::Plain);
                if inner {
                    object.captured = captured;
                }
                let (ty, id) = (*id, self.allocate(object));
                self.construct_into(ty, id, args)?;
                Ok(Value::Ref(id))
            }
            _ => self.construct_type(&class, args),
        }
    }

    /// A new object of a type, by one of its constructors.
    pub fn construct_type(&mut self, class: &Type, args: Vec<Value>) -> Eval {
        match class {
            Type::Class(ClassRef::Project(ty), _) => {
                let id = self.allocate(Object::new(ClassRef::Project(*ty), Kind::Plain));
                self.construct_into(*ty, id, args)?;
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
                let made = self.call_library(&fqn, "<init>", None, args)?;
                Ok(self.convert(made, class))
            }
        }
    }

    /// Runs a constructor of a class on an object, that of its superclass first.
    pub fn construct_into(&mut self, ty: TypeId, id: ObjId, args: Vec<Value>) -> Eval<()> {
        self.step()?;
        let facts = self.project.ty(ty);
        let constructors: Vec<MemberId> = self
            .project
            .members(ty)
            .filter(|member| {
                let facts = self.project.member(*member);
                let varargs = facts.params.last().is_some_and(|param| param.varargs);
                facts.kind == MemberKind::Constructor
                    && (facts.params.len() == args.len() || (varargs && args.len() + 1 >= facts.params.len()))
            })
            .collect();
        let components: Vec<MemberId> =
            self.project.members(ty).filter(|m| self.project.member(*m).kind == MemberKind::RecordComponent).collect();
        if let Some(constructor) = self.pick(&constructors, &args) {
            return self.run_constructor(ty, id, constructor, args, &components);
        }
        if facts.kind == TypeKind::Record && components.len() == args.len() {
            self.assign_in_order(id, &components, args);
            return Ok(());
        }
        if constructors.is_empty() {
            let fields = |all: bool| -> Vec<MemberId> {
                let mut fields = Vec::new();
                for member in self.project.members(ty) {
                    let field = self.project.member(member);
                    let open = field.body.is_none()
                        && (field.modifiers.has(Modifiers::FINAL) || has(&field.annotations, &["NonNull"]));
                    let fixed = field.modifiers.has(Modifiers::FINAL) && field.body.is_some();
                    if field.kind == MemberKind::Field
                        && !field.modifiers.has(Modifiers::STATIC)
                        && (open || all && !fixed)
                    {
                        fields.push(member);
                    }
                }
                fields
            };
            let own = self.project.members(ty).any(|m| self.project.member(m).kind == MemberKind::Constructor);
            if args.is_empty() && !own {
                self.construct_super(ty, id, Vec::new())?;
                return self.initialise(ty, id);
            }
            let made = if has(&facts.annotations, &["AllArgsConstructor", "Value"]) && fields(true).len() == args.len()
            {
                Some(fields(true))
            } else if has(&facts.annotations, &["RequiredArgsConstructor", "Data"]) && fields(false).len() == args.len()
            {
                Some(fields(false))
            } else if args.is_empty() && has(&facts.annotations, &["NoArgsConstructor"]) {
                Some(Vec::new())
            } else {
                None
            };
            if let Some(fields) = made {
                self.initialise(ty, id)?;
                self.assign_in_order(id, &fields, args);
                return Ok(());
            }
        }
        let what = format!("new {} with {} arguments is not resolved", self.simple_name(ty), args.len());
        self.object_mut(id).kind = Kind::Escaped(Rc::from(what.as_str()));
        self.unknown_call(&what, &args, Type::Unknown).map(|_| ())
    }

    fn assign_in_order(&mut self, id: ObjId, fields: &[MemberId], args: Vec<Value>) {
        for (field, value) in fields.iter().zip(args) {
            let ty = self.field_type(*field);
            let value = self.convert(value, &ty);
            self.object_mut(id).fields.insert(*field, value);
        }
    }

    fn run_constructor(
        &mut self,
        ty: TypeId,
        id: ObjId,
        constructor: MemberId,
        args: Vec<Value>,
        components: &[MemberId],
    ) -> Eval<()> {
        for (param, arg) in self.project.member(constructor).params.iter().zip(&args) {
            if !param.varargs && param.ty.is_primitive() {
                self.not_null(arg)?;
            }
        }
        let Some(locals) = self.bind_params(constructor, args.clone()) else {
            return self.unknown_call("a constructor's arguments do not fit", &args, Type::Unknown).map(|_| ());
        };
        self.members.insert(constructor);
        let body = self.project.body(constructor).unwrap_or_default();
        let captured = self.object(id).captured.clone();
        let inner = body.clone();
        self.framed(constructor, body, Some(Value::Ref(id)), captured, locals, |machine| {
            let statements = match inner.root {
                Some(Root::Stmt(stmt)) => match &inner.stmt(stmt).kind {
                    StmtKind::Block(statements) => statements.clone(),
                    _ => vec![stmt],
                },
                _ => Vec::new(),
            };
            let first = statements.first().map(|stmt| &inner.stmt(*stmt).kind);
            match first {
                Some(StmtKind::ConstructorCall { is_super: false, args, .. }) => {
                    let args = machine.eval_all(&inner, args)?;
                    machine.construct_into(ty, id, args)?;
                }
                Some(StmtKind::ConstructorCall { is_super: true, args, .. }) => {
                    let args = machine.eval_all(&inner, args)?;
                    machine.construct_super(ty, id, args)?;
                    machine.initialise(ty, id)?;
                }
                _ => {
                    machine.construct_super(ty, id, Vec::new())?;
                    machine.initialise(ty, id)?;
                }
            }
            let exit = machine.exit;
            machine.run_all(&inner, &statements)?;
            machine.exit = exit;
            // A compact constructor assigns what its parameters hold at the end.
            for component in components {
                if !machine.object(id).fields.contains_key(component) {
                    let name = machine.project.member(*component).name.clone();
                    let held = machine.frames.last().and_then(|frame| {
                        frame.locals.iter().find(|(local, ..)| **local == *name).map(|(_, _, value)| value.clone())
                    });
                    if let Some(value) = held {
                        machine.object_mut(id).fields.insert(*component, value);
                    }
                }
            }
            Ok(())
        })
    }

    fn construct_super(&mut self, ty: TypeId, id: ObjId, args: Vec<Value>) -> Eval<()> {
        match super::hierarchy::super_of(self.project, &ClassRef::Project(ty)) {
            Some(ClassRef::Project(parent)) => self.construct_into(parent, id, args),
            Some(ClassRef::Library(fqn)) if &*fqn == "java.lang.Object" => Ok(()),
            Some(ClassRef::Library(fqn)) => {
                let fqn = fqn.to_string();
                self.call_library(&fqn, "<init>", Some(Value::Ref(id)), args).map(|_| ())
            }
            None => self.unknown_call("a superclass is not resolved", &args, Type::Unknown).map(|_| ()),
        }
    }

    /// Runs the initialisers of a class on an object.
    fn initialise(&mut self, ty: TypeId, id: ObjId) -> Eval<()> {
        let members: Vec<MemberId> = self.project.members(ty).collect();
        for member in members {
            let facts = self.project.member(member);
            let runs = match facts.kind {
                MemberKind::Field => !self.is_static(member) && facts.body.is_some(),
                MemberKind::Initializer => true,
                _ => false,
            };
            if !runs {
                continue;
            }
            let Some(body) = self.project.body(member) else { continue };
            let inner = body.clone();
            self.within(member, body, Some(Value::Ref(id)), |machine| {
                match inner.root {
                    Some(Root::Expr(expr)) => {
                        let value = machine.eval(&inner, expr)?;
                        machine.write_member(&Value::Ref(id), member, value)?;
                    }
                    Some(Root::Stmt(stmt)) => {
                        machine.run(&inner, stmt)?;
                    }
                    None => {}
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The one object of a class that the container makes, as it is between requests.
    pub fn bean(&mut self, ty: TypeId) -> Eval<ObjId> {
        let key = (ty, Rc::from("bean"));
        if let Some(id) = self.singles.get(&key) {
            return Ok(*id);
        }
        let id = self.allocate(Object::new(ClassRef::Project(ty), Kind::Plain));
        self.singles.insert(key, id);
        let made = self.quietly(|machine| machine.make_bean(ty, id))?;
        let mut members: Vec<MemberId> = self.project.members(ty).collect();
        for parent in self.project.all_supers(ty) {
            members.extend(self.project.members(parent));
        }
        for member in members {
            let facts = self.project.member(member);
            if facts.kind != MemberKind::Field || self.is_static(member) {
                continue;
            }
            let held = self.object(id).fields.get(&member).cloned();
            let name = format!("{}.{}", self.simple_name(member.ty), facts.name);
            let field_type = self.field_type(member);
            let lombok = held.is_none()
                && facts.body.is_none()
                && has(
                    &self.project.ty(member.ty).annotations,
                    &["RequiredArgsConstructor", "AllArgsConstructor", "Data"],
                );
            let value = if has(&facts.annotations, INJECTED) || lombok {
                self.injected(&field_type, &facts.name, &facts.annotations)?
            } else if made.is_none() {
                self.unknown(&format!("{name} could not be initialised"), field_type)
            } else if !facts.modifiers.has(Modifiers::FINAL) && self.is_assigned_later(member) {
                self.unknown(&format!("{name} changes while the service runs"), field_type)
            } else {
                match held {
                    Some(value) => self.kept(value, member, &name),
                    None => continue,
                }
            };
            self.object_mut(id).fields.insert(member, value);
        }
        self.object_mut(id).kind = Kind::Bean;
        Ok(id)
    }

    /// Whether a field is assigned by anything but constructors and initialisers of its class.
    fn is_assigned_later(&self, field: MemberId) -> bool {
        let facts = self.project.member(field);
        if !facts.modifiers.has(Modifiers::PRIVATE) {
            return true;
        }
        self.assigning_members(field).into_iter().any(|member| {
            !matches!(self.project.member(member).kind, MemberKind::Constructor | MemberKind::Initializer)
        })
    }

    fn make_bean(&mut self, ty: TypeId, id: ObjId) -> Eval<()> {
        let constructors: Vec<MemberId> =
            self.project.members(ty).filter(|m| self.project.member(*m).kind == MemberKind::Constructor).collect();
        let chosen = match constructors.as_slice() {
            [] => None,
            [only] => Some(*only),
            several => {
                let wanted = several
                    .iter()
                    .copied()
                    .find(|m| has(&self.project.member(*m).annotations, &["Autowired", "Inject"]));
                let plain = several.iter().copied().find(|m| self.project.member(*m).params.is_empty());
                wanted.or(plain)
            }
        };
        let Some(constructor) = chosen else {
            let lombok =
                has(&self.project.ty(ty).annotations, &["RequiredArgsConstructor", "AllArgsConstructor", "Data"]);
            if !lombok {
                self.construct_super(ty, id, Vec::new())?;
            }
            return self.initialise(ty, id);
        };
        let params = self.project.member(constructor).params.clone();
        let mut args = Vec::new();
        for param in &params {
            let declared = self.type_of(ty, &param.ty);
            args.push(self.injected(&declared, &param.name, &param.annotations)?);
        }
        self.construct_into(ty, id, args)
    }

    /// What the container gives for a field or parameter.
    pub fn injected(&mut self, declared: &Type, name: &str, annotations: &[Annotation]) -> Eval {
        if let Some(annotation) = annotations.iter().find(|annotation| annotation.simple() == "Value") {
            let text = match annotation.arg("value") {
                Some(crate::java::facts::Value::Str(text)) => self.cx.wiring.property(text),
                _ => None,
            };
            return Ok(match (text, declared) {
                (Some(text), Type::Str) => Value::text(&text),
                (Some(text), Type::Prim(_) | Type::Boxed(_)) => match read_property(&text) {
                    Some(value) => self.convert(Value::Scalar(value), declared),
                    None => self.unknown(&format!("the property of {name}"), declared.clone()),
                },
                _ => self.unknown(&format!("the property of {name} is set when the service starts"), declared.clone()),
            });
        }
        if let Type::Class(ClassRef::Project(ty), _) = declared {
            if let Some(class) = self.cx.wiring.bean(*ty, name) {
                let id = self.bean(class)?;
                return Ok(Value::Ref(id));
            }
            let what = format!("{} is made at run time", self.simple_name(*ty));
            return Ok(self.unknown(&what, declared.clone()));
        }
        Ok(self.unknown(&format!("{name} is injected from a library"), declared.clone()))
    }

    /// The object of an enum constant, to read its fields.
    pub fn enum_object(&mut self, ty: TypeId, constant: &Rc<str>) -> Eval<ObjId> {
        let key = (ty, constant.clone());
        if let Some(id) = self.singles.get(&key) {
            return Ok(*id);
        }
        let id = self.allocate(Object::new(ClassRef::Project(ty), Kind::Plain));
        self.singles.insert(key, id);
        let member = self.project.members(ty).find(|member| {
            let facts = self.project.member(*member);
            facts.kind == MemberKind::EnumConstant && facts.name == **constant
        });
        let made = match member.and_then(|member| self.project.body(member).map(|body| (member, body))) {
            Some((member, body)) => {
                let args = constant_args(&body);
                let inner = body.clone();
                self.quietly(|machine| {
                    let args = match args {
                        Some(args) => machine.within(member, body, None, |machine| machine.eval_all(&inner, &args))?,
                        None => Vec::new(),
                    };
                    machine.construct_into(ty, id, args)
                })?
            }
            None => self.quietly(|machine| machine.construct_into(ty, id, Vec::new()))?,
        };
        if made.is_none() {
            self.object_mut(id).kind = Kind::Escaped(Rc::from("an enum constant could not be initialised"));
        }
        Ok(id)
    }

    /// A field of an object that is read from the body: an input, where reading it is nothing but taking the value.
    pub fn body_field(&mut self, input: &Input, field: MemberId, ty: &Type) -> Value {
        let name = match json_name(self.project, field) {
            Some(name) => name,
            None => {
                let reason = format!("how {} is read from the body", self.project.symbol(field));
                return self.unknown(&reason, ty.clone());
            }
        };
        let nullable = ty.is_reference();
        self.input(input.field(&name), ty, nullable)
    }
}

/// Arguments of an enum constant's declaration.
fn constant_args(body: &Body) -> Option<Vec<ExprId>> {
    use crate::java::body::ExprKind;
    match body.root? {
        Root::Expr(expr) => match &body.expr(expr).kind {
            ExprKind::New { args, .. } | ExprKind::Call { args, .. } => Some(args.clone()),
            ExprKind::ArrayInit(args) => Some(args.clone()),
            _ => None,
        },
        Root::Stmt(_) => None,
    }
}

/// A property's text as a number or boolean.
fn read_property(text: &str) -> Option<Scalar> {
    match text.trim() {
        "true" => Some(Scalar::Bool(true)),
        "false" => Some(Scalar::Bool(false)),
        number => number.parse::<i64>().ok().map(Scalar::Long),
    }
}

/// The name that a field of a plain class or record has in JSON under Jackson's defaults; `None` where annotations or hand-written accessors
/// may say otherwise.
pub fn json_name(project: &Project, field: MemberId) -> Option<String> {
    let facts = project.member(field);
    let class: &TypeFacts = project.ty(field.ty);
    let custom = |annotations: &[Annotation]| {
        annotations.iter().any(|annotation| {
            let name = annotation.simple();
            (name.starts_with("Json")
                && !matches!(name, "JsonProperty" | "JsonInclude" | "JsonFormat" | "JsonPropertyOrder"))
                || name.starts_with("Xml")
                || name == "SerializedName"
        })
    };
    if custom(&class.annotations) || custom(&facts.annotations) {
        return None;
    }
    if let Some(annotation) = facts.annotations.iter().find(|annotation| annotation.simple() == "JsonProperty") {
        return match annotation.arg("value") {
            Some(crate::java::facts::Value::Str(name)) if !name.is_empty() => Some(name.clone()),
            None if annotation.args.is_empty() => Some(facts.name.clone()),
            _ => None,
        };
    }
    // A field whose first two letters are not plain lower case gets its JSON name by rules of its own.
    let mut letters = facts.name.chars();
    let plain = letters.next().is_some_and(char::is_lowercase) && !letters.next().is_some_and(char::is_uppercase);
    plain.then(|| facts.name.clone())
}
