//! Calls: into project code by the declaration and the class of the receiver, into a model of a library type, or into the unknown.

use std::rc::Rc;
use std::sync::Arc;

use super::library::{self, LibraryCall};
use super::machine::{Eval, Frame, Machine, Stop};
use super::path::Bound;
use super::scalar::{ClassRef, Prim, Scalar};
use super::term::Term;
use super::value::{Captured, Kind, Lambda, LambdaCode, ObjId, Type, Value};
use crate::java::body::{Body, ExprId, ExprKind, LambdaBody, Root};
use crate::java::facts::{MemberKind, Modifiers, TypeKind};
use crate::java::ids::{MemberId, TypeId};
use crate::java::named::StaticName;

/// Annotations on a method of a bean that change nothing about what a call returns or throws, by their simple names.
const HARMLESS: &[&str] = &[
    "Override",
    "Deprecated",
    "SuppressWarnings",
    "SafeVarargs",
    "Transactional",
    "Bean",
    "Nullable",
    "NonNull",
    "NotNull",
    "Nonnull",
    "CheckForNull",
    "RequestMapping",
    "GetMapping",
    "PostMapping",
    "PutMapping",
    "DeleteMapping",
    "PatchMapping",
    "ResponseBody",
    "ResponseStatus",
    "ExceptionHandler",
    "ApiOperation",
    "ApiResponses",
    "ApiResponse",
    "ApiImplicitParams",
    "ApiImplicitParam",
    "Operation",
    "Parameter",
    "Parameters",
    "Tag",
    "Tags",
    "Hidden",
    "SecurityRequirement",
    "Path",
    "GET",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "HEAD",
    "OPTIONS",
    "Produces",
    "Consumes",
    "JsonIgnore",
    "JsonProperty",
    "JsonGetter",
    "JsonSetter",
    "JsonCreator",
    "VisibleForTesting",
    "Autowired",
    "Inject",
    "PostConstruct",
    "Generated",
    "Context",
    "Timed",
    "Counted",
    "Metered",
    "CrossOrigin",
    "SneakyThrows",
    "Valid",
    "Column",
    "Id",
    "Transient",
    "Basic",
    "XmlElement",
    "XmlAttribute",
    "XmlTransient",
    "JsonValue",
];

impl Machine<'_> {
    /// A call expression of the running body.
    pub fn call(&mut self, body: &Body, id: ExprId) -> Eval {
        let ExprKind::Call { target, name, args, .. } = &body.expr(id).kind else { return Ok(Value::NULL) };
        match target {
            None => {
                let args = self.eval_all(body, args)?;
                self.call_unqualified(name, args)
            }
            Some(target) if matches!(body.expr(*target).kind, ExprKind::Super(_)) => {
                let args = self.eval_all(body, args)?;
                self.call_super(name, args)
            }
            Some(target) => {
                if let Some(class) = self.as_type(body, *target) {
                    let args = self.eval_all(body, args)?;
                    return self.call_static(&class, name, args);
                }
                let receiver = self.eval(body, *target)?;
                let args = self.eval_all(body, args)?;
                self.calling = self.site(body.expr(id).span);
                self.call_method(receiver, name, args)
            }
        }
    }

    fn call_unqualified(&mut self, name: &str, args: Vec<Value>) -> Eval {
        let mut scope = Some(self.scope());
        while let Some(ty) = scope {
            let candidates = self.project.find_method(ty, name, args.len());
            if !candidates.is_empty() {
                let this = self.this_for(ty);
                return match self.pick(&candidates, &args) {
                    Some(method) if self.is_static(method) => self.invoke(method, None, args),
                    Some(_) => self.call_method(this, name, args),
                    None => self.unresolved(&format!("{name}: which overload is meant"), &args),
                };
            }
            scope = self.outer(ty);
        }
        let scope = self.scope();
        let mut imported = Vec::new();
        for found in self.project.resolve_static(scope, name) {
            match found {
                StaticName::Member(method) => imported.push(method),
                StaticName::Library(path) => {
                    let (class, name) = path.rsplit_once('.').unwrap_or(("", &path));
                    return self.call_library(class, name, None, args);
                }
            }
        }
        imported.retain(|method| {
            let facts = self.project.member(*method);
            facts.kind == MemberKind::Method && facts.params.len() == args.len()
        });
        if let Some(method) = self.pick(&imported, &args) {
            return self.invoke(method, None, args);
        }
        // Inherited from a class of a library.
        let this = self.this(None);
        self.call_method(this, name, args)
    }

    fn call_super(&mut self, name: &str, args: Vec<Value>) -> Eval {
        let this = self.this(None);
        for parent in self.project.all_supers(self.scope()) {
            let candidates: Vec<MemberId> = self.project.find_method(parent, name, args.len());
            if let Some(method) = self.pick(&candidates, &args) {
                return self.invoke(method, Some(this), args);
            }
        }
        match &this {
            Value::Ref(id) => {
                let id = *id;
                self.call_inherited(id, name, args)
            }
            _ => self.unresolved(&format!("super.{name}"), &args),
        }
    }

    fn unresolved(&mut self, what: &str, args: &[Value]) -> Eval {
        self.unknown_call(&format!("{what} is not resolved"), args, Type::Unknown)
    }

    /// `Type.name(args)`.
    pub fn call_static(&mut self, class: &Type, name: &str, args: Vec<Value>) -> Eval {
        match class {
            Type::Class(ClassRef::Project(ty), _) => {
                let candidates = self.project.find_method(*ty, name, args.len());
                if let Some(method) = self.pick(&candidates, &args) {
                    return self.invoke(method, None, args);
                }
                if self.project.ty(*ty).kind == TypeKind::Enum {
                    match (name, args.as_slice()) {
                        ("values", []) => {
                            let items = self
                                .enum_constants(*ty)
                                .into_iter()
                                .map(|name| Value::Scalar(Scalar::Enum(ClassRef::Project(*ty), name)))
                                .collect();
                            return Ok(self.list(items, "array"));
                        }
                        ("valueOf", [arg]) => {
                            let arg = arg.clone();
                            return self.enum_value_of(*ty, &arg);
                        }
                        _ => {}
                    }
                }
                self.unresolved(&format!("{}.{name}", self.simple_name(*ty)), &args)
            }
            other => {
                let fqn = class_name(other);
                self.call_library(&fqn, name, None, args)
            }
        }
    }

    fn enum_value_of(&mut self, ty: TypeId, arg: &Value) -> Eval {
        self.not_null(arg)?;
        match arg {
            Value::Scalar(Scalar::Str(text)) => {
                if self.enum_constants(ty).iter().any(|name| **name == *text.text) {
                    return Ok(Value::Scalar(Scalar::Enum(ClassRef::Project(ty), text.text.clone())));
                }
                let message = format!("No enum constant {}.{}", self.project.fqn(ty), text.text);
                Err(self.throw("java.lang.IllegalArgumentException", Value::text(&message)))
            }
            Value::Symbol(symbol) => {
                let site = self.here();
                for name in self.enum_constants(ty) {
                    let same =
                        super::condition::Cond::Same(symbol.term.clone(), Rc::new(Term::Const(Scalar::text(&name))));
                    if self.decide(same, site)? {
                        return Ok(Value::Scalar(Scalar::Enum(ClassRef::Project(ty), name)));
                    }
                }
                Err(self.throw(
                    "java.lang.IllegalArgumentException",
                    Value::unknown("which text was no constant", Type::Str),
                ))
            }
            _ => self.unknown_call(
                "an enum constant by an unknown name",
                &[],
                Type::Class(ClassRef::Project(ty), Vec::new()),
            ),
        }
    }

    /// `receiver.name(args)`, by the class that the receiver has.
    pub fn call_method(&mut self, receiver: Value, name: &str, args: Vec<Value>) -> Eval {
        self.step()?;
        self.not_null(&receiver)?;
        match &receiver {
            Value::Ref(id) => {
                let id = *id;
                self.call_on_object(id, name, args)
            }
            Value::Scalar(Scalar::Enum(ClassRef::Project(ty), constant)) => {
                let (ty, constant) = (*ty, constant.clone());
                self.call_on_enum(ty, Some(constant), receiver.clone(), name, args)
            }
            Value::Scalar(Scalar::Enum(ClassRef::Library(fqn), _)) => {
                let fqn = fqn.to_string();
                self.call_library(&fqn, name, Some(receiver), args)
            }
            Value::Scalar(Scalar::Str(_)) => self.call_library("java.lang.String", name, Some(receiver), args),
            Value::Scalar(scalar) => {
                let fqn = format!("java.lang.{}", scalar.prim().unwrap_or(Prim::Int).box_name());
                self.call_library(&fqn, name, Some(receiver), args)
            }
            Value::Cond(_) => self.call_library("java.lang.Boolean", name, Some(receiver), args),
            Value::Symbol(symbol) => match &symbol.ty {
                Type::Class(ClassRef::Project(ty), _) if self.project.ty(*ty).kind == TypeKind::Enum => {
                    let ty = *ty;
                    self.call_on_enum(ty, None, receiver.clone(), name, args)
                }
                Type::Class(ClassRef::Project(ty), _) => {
                    let what = format!("{}.{name}", self.simple_name(*ty));
                    self.unknown_call(&format!("{what} on a value of the request"), &args, Type::Unknown)
                }
                Type::Unknown => self.unknown_call(&format!("{name} on a value of unknown type"), &args, Type::Unknown),
                other => {
                    let fqn = class_name(other);
                    self.call_library(&fqn, name, Some(receiver.clone()), args)
                }
            },
            Value::Lambda(lambda) => {
                let lambda = lambda.clone();
                self.call_functional(&lambda, name, args)
            }
            Value::Class(ty) => {
                let ty = ty.clone();
                match (name, ty.project()) {
                    ("getSimpleName", Some(id)) => Ok(Value::text(&self.project.ty(id).name.clone())),
                    _ => self.unknown_call(&format!("Class.{name} is not modelled"), &args, Type::Unknown),
                }
            }
            Value::Unknown(unknown) => {
                let (ty, reasons) = (unknown.ty.clone(), unknown.reasons.clone());
                self.call_on_unknown(&ty, &reasons, receiver.clone(), name, args)
            }
        }
    }

    fn call_on_unknown(
        &mut self,
        ty: &Type,
        reasons: &std::collections::BTreeSet<Rc<str>>,
        receiver: Value,
        name: &str,
        args: Vec<Value>,
    ) -> Eval {
        if let Some(fqn) = ty.library()
            && library::is_silent(fqn)
        {
            return self.call_library(fqn, name, Some(receiver), args);
        }
        if let ("orElseThrow", [Value::Lambda(lambda)]) = (name, args.as_slice()) {
            // Only `Optional` has this method: it is empty, or it holds something.
            let lambda = lambda.clone();
            return self.or_else_throw(ty, reasons, &lambda);
        }
        let mut result = Type::Unknown;
        let what = match ty {
            Type::Class(ClassRef::Project(id), _) => {
                let candidates = self.project.find_method(*id, name, args.len());
                if let Some(method) = self.pick(&candidates, &args)
                    && let Some(declared) = &self.project.member(method).ty
                {
                    result = self.type_of(method.ty, declared);
                }
                format!("{}.{name}", self.simple_name(*id))
            }
            Type::Unknown => {
                // Nothing better than why the receiver is not known.
                reasons.iter().next().map_or_else(|| name.to_owned(), |reason| format!("{name} on: {reason}"))
            }
            other => format!("{}.{name}", class_name(other).rsplit('.').next().unwrap_or_default()),
        };
        let mut given = args;
        given.push(receiver);
        self.unknown_call(&format!("{what} cannot be followed"), &given, result)
    }

    /// `orElseThrow` on an `Optional` that is not known: both ways, the thrown exception being the lambda's.
    fn or_else_throw(&mut self, ty: &Type, reasons: &std::collections::BTreeSet<Rc<str>>, lambda: &Rc<Lambda>) -> Eval {
        let why: Vec<&str> = reasons.iter().map(AsRef::as_ref).collect();
        let (why, site) = (why.join("; "), self.calling.or_else(|| self.here()));
        let text = site.map(|site| self.source(site)).unwrap_or_default();
        let text = text.split(".orElseThrow").next().unwrap_or_default().trim().to_owned();
        let empty = super::condition::Cond::Unknown(Rc::from(format!("{text} is empty")), Rc::from(why));
        if self.decide(empty, site)? {
            let thrown = self.apply(lambda, Vec::new())?;
            self.exit = self.calling.or_else(|| self.here());
            let site = self.exit;
            return Err(Stop::Throw(match thrown {
                Value::Ref(id) => {
                    super::path::Thrown { class: Some(self.object(id).class.clone()), object: Some(id), site }
                }
                _ => super::path::Thrown { class: None, object: None, site },
            }));
        }
        let held = match ty {
            Type::Class(_, args) => args.first().cloned().unwrap_or(Type::Unknown),
            _ => Type::Unknown,
        };
        Ok(Value::Unknown(Rc::new(super::value::Unknown { reasons: reasons.clone(), ty: held })))
    }

    fn call_functional(&mut self, lambda: &Rc<Lambda>, name: &str, args: Vec<Value>) -> Eval {
        const DEFAULTS: &[&str] = &[
            "andThen",
            "compose",
            "negate",
            "and",
            "or",
            "thenComparing",
            "reversed",
            "equals",
            "hashCode",
            "toString",
        ];
        if DEFAULTS.contains(&name) {
            return self.unknown_call(&format!("{name} on a lambda is not modelled"), &args, Type::Unknown);
        }
        self.apply(lambda, args)
    }

    /// Runs a lambda or method reference.
    pub fn apply(&mut self, lambda: &Rc<Lambda>, mut args: Vec<Value>) -> Eval {
        match &lambda.code {
            LambdaCode::Lambda { params, body: code } => {
                let captured = lambda.body.clone();
                let body = captured.body.clone();
                if params.len() != args.len() {
                    return self.unresolved("a lambda", &args);
                }
                let mut locals = captured.locals.clone();
                for (param, arg) in params.iter().zip(args) {
                    let ty = self.type_of(captured.member.ty, &param.ty);
                    let arg = self.convert(arg, &ty);
                    locals.push((Rc::from(param.name.as_str()), ty, arg));
                }
                let code = *code;
                self.framed(captured.member, body.clone(), captured.this.clone(), None, locals, |machine| match code {
                    LambdaBody::Expr(expr) => machine.eval(&body, expr),
                    LambdaBody::Block(stmt) => match machine.run(&body, stmt)? {
                        super::exec::Flow::Return(value) => Ok(value),
                        _ => Ok(Value::NULL),
                    },
                })
            }
            LambdaCode::Method { receiver: Some(receiver), name, .. } => self.call_method(receiver.clone(), name, args),
            LambdaCode::Method { class: Some(class), name, .. } => {
                if &**name == "new" {
                    return self.construct_type(class, args);
                }
                if let Type::Class(ClassRef::Project(ty), _) = class {
                    let of_static = self.project.find_method(*ty, name, args.len());
                    if let Some(method) = self.pick(&of_static, &args)
                        && self.is_static(method)
                    {
                        return self.invoke(method, None, args);
                    }
                    if args.is_empty() {
                        return self.unresolved("a method reference", &args);
                    }
                    let receiver = args.remove(0);
                    return self.call_method(receiver, name, args);
                }
                let fqn = class_name(class);
                if library::is_static(&fqn, name) || args.is_empty() {
                    return self.call_library(&fqn, name, None, args);
                }
                let receiver = args.remove(0);
                self.call_method(receiver, name, args)
            }
            LambdaCode::Method { .. } => self.unresolved("a method reference", &args),
        }
    }

    fn call_on_enum(
        &mut self,
        ty: TypeId,
        constant: Option<Rc<str>>,
        receiver: Value,
        name: &str,
        args: Vec<Value>,
    ) -> Eval {
        let candidates = self.project.find_method(ty, name, args.len());
        if let Some(method) = self.pick(&candidates, &args) {
            // A constant with a body of its own may override the method.
            let overriders: Vec<MemberId> = self.project.overriders(method);
            if overriders.iter().any(|over| over.ty != ty) || self.project.body(method).is_none() {
                let constant = match constant {
                    Some(constant) => constant,
                    None => match self.pick_constant(&receiver)? {
                        Value::Scalar(Scalar::Enum(_, name)) => name,
                        _ => return self.unresolved(name, &args),
                    },
                };
                let receiver = Value::Scalar(Scalar::Enum(ClassRef::Project(ty), constant.clone()));
                let own = overriders.into_iter().find(|over| self.is_body_of(over.ty, ty, &constant));
                return self.invoke(own.unwrap_or(method), Some(receiver), args);
            }
            return self.invoke(method, Some(receiver), args);
        }
        match (name, args.as_slice()) {
            ("name" | "toString", []) => match &receiver {
                Value::Scalar(Scalar::Enum(_, name)) => Ok(Value::Scalar(Scalar::pooled(name))),
                Value::Symbol(symbol) => Ok(Value::symbol(
                    Term::Apply(super::function::Function::Name, vec![symbol.term.clone()]),
                    Type::Str,
                    false,
                )),
                _ => self.unresolved(name, &args),
            },
            ("ordinal", []) => match self.pick_constant(&receiver)? {
                Value::Scalar(Scalar::Enum(_, name)) => {
                    let at = self.enum_constants(ty).iter().position(|constant| *constant == name);
                    Ok(Value::int(at.and_then(|at| i32::try_from(at).ok()).unwrap_or_default()))
                }
                _ => self.unresolved(name, &args),
            },
            ("equals", [other]) => {
                let other = other.clone();
                if other.is_null() {
                    return Ok(Value::bool(false));
                }
                self.same(receiver, other, (None, None))
            }
            _ => self.unknown_call(&format!("{}.{name} is not modelled", self.simple_name(ty)), &args, Type::Unknown),
        }
    }

    fn is_body_of(&self, anonymous: TypeId, ty: TypeId, constant: &str) -> bool {
        let facts = self.project.ty(anonymous);
        facts.within.is_some_and(|within| {
            let member = MemberId { ty, index: within };
            self.outer(anonymous) == Some(ty)
                && self.project.member(member).kind == MemberKind::EnumConstant
                && self.project.member(member).name == constant
        })
    }

    fn call_on_object(&mut self, id: ObjId, name: &str, args: Vec<Value>) -> Eval {
        match self.object(id).class.clone() {
            ClassRef::Project(ty) => {
                let candidates = self.project.find_method(ty, name, args.len());
                match self.pick(&candidates, &args) {
                    Some(method) if self.project.body(method).is_some() => {
                        return self.invoke(method, Some(Value::Ref(id)), args);
                    }
                    Some(method) => {
                        let what = format!("{}.{name}", self.simple_name(method.ty));
                        let result = match &self.project.member(method).ty {
                            Some(declared) => self.type_of(method.ty, declared),
                            None => Type::Unknown,
                        };
                        return self.unknown_call(&format!("{what} has no body"), &args, result);
                    }
                    None if !candidates.is_empty() => {
                        return self
                            .unresolved(&format!("{}.{name}: which overload is meant", self.simple_name(ty)), &args);
                    }
                    None => {}
                }
                if let Some(result) = self.accessor(id, ty, name, &args)? {
                    return Ok(result);
                }
                self.call_inherited(id, name, args)
            }
            ClassRef::Library(fqn) => self.call_library(&fqn, name, Some(Value::Ref(id)), args),
        }
    }

    /// What a record or Lombok makes without writing it.
    fn accessor(&mut self, id: ObjId, ty: TypeId, name: &str, args: &[Value]) -> Eval<Option<Value>> {
        let facts = self.project.ty(ty);
        let this = Value::Ref(id);
        if facts.kind == TypeKind::Record && args.is_empty() {
            let component = self.project.members(ty).find(|member| {
                let facts = self.project.member(*member);
                facts.kind == MemberKind::RecordComponent && facts.name == name
            });
            return match component {
                Some(component) => self.read_member(&this, component).map(Some),
                None => Ok(None),
            };
        }
        let mut scope = vec![ty];
        scope.extend(self.project.all_supers(ty));
        for ty in scope {
            let Some(property) = super::objects::lombok_property(self.project, ty, name, args.len()) else { continue };
            return match args {
                [] => self.read_member(&this, property).map(Some),
                [value] => {
                    let value = value.clone();
                    self.write_member(&this, property, value)?;
                    Ok(Some(Value::NULL))
                }
                _ => Ok(None),
            };
        }
        Ok(None)
    }

    /// A method that a project class inherits from a library class.
    fn call_inherited(&mut self, id: ObjId, name: &str, args: Vec<Value>) -> Eval {
        let class = self.object(id).class.clone();
        let mut at = class.clone();
        for _ in 0..32 {
            if let ClassRef::Library(fqn) = &at {
                if !matches!(&**fqn, "java.lang.Object") {
                    let fqn = fqn.to_string();
                    return self.call_library(&fqn, name, Some(Value::Ref(id)), args);
                }
                break;
            }
            match super::hierarchy::super_of(self.project, &at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        let text = self.class_name(&class);
        match (name, args.as_slice()) {
            ("equals", [other]) if !self.is_record(&class) => {
                let same = matches!(other, Value::Ref(other) if *other == id);
                if matches!(other, Value::Unknown(_)) {
                    return Ok(self.unknown("objects are compared", Type::Prim(Prim::Bool)));
                }
                Ok(Value::bool(same))
            }
            ("hashCode" | "toString" | "getClass", []) => {
                let ty = match name {
                    "hashCode" => Type::Prim(Prim::Int),
                    "toString" => Type::Str,
                    _ => Type::Unknown,
                };
                Ok(self.unknown(&format!("{name} of {text}"), ty))
            }
            _ => self.unknown_call(&format!("{text}.{name} is not resolved"), &args, Type::Unknown),
        }
    }

    fn is_record(&self, class: &ClassRef) -> bool {
        matches!(class, ClassRef::Project(ty) if self.project.ty(*ty).kind == TypeKind::Record)
    }

    /// A call into a library: its model's answer, else unknown.
    pub fn call_library(&mut self, fqn: &str, name: &str, receiver: Option<Value>, args: Vec<Value>) -> Eval {
        let call = LibraryCall { fqn, name, receiver: receiver.as_ref(), args: &args };
        if let Some(result) = library::call(self, &call) {
            return result;
        }
        let simple = fqn.rsplit('.').next().unwrap_or(fqn);
        let reason = match name {
            "<init>" => format!("new {simple} is not modelled"),
            _ => format!("{simple}.{name} is not modelled"),
        };
        let ty = library::result_type(fqn, name);
        let mut given = args;
        given.extend(receiver);
        self.unknown_call(&reason, &given, ty)
    }

    /// The method that is meant among those of a name and arity; `None` where that is not decided.
    pub fn pick(&self, candidates: &[MemberId], args: &[Value]) -> Option<MemberId> {
        // Most derived first: of two with the same erased parameters the first overrides the second.
        let mut open: Vec<MemberId> = Vec::new();
        for candidate in candidates {
            let same = |other: &MemberId| {
                let (a, b) = (self.project.member(*candidate), self.project.member(*other));
                a.params.len() == b.params.len()
                    && a.params.iter().zip(&b.params).all(|(a, b)| a.ty.erased() == b.ty.erased())
            };
            if !open.iter().any(same) {
                open.push(*candidate);
            }
        }
        if let [only] = open.as_slice() {
            return Some(*only);
        }
        open.retain(|method| self.accepts(*method, args, false) != Some(false));
        if open.len() > 1 {
            let exact: Vec<MemberId> =
                open.iter().copied().filter(|method| self.accepts(*method, args, true) == Some(true)).collect();
            if let [only] = exact.as_slice() {
                return Some(*only);
            }
            // A generic method of a supertype that the derived class implements with its own types.
            let concrete: Vec<MemberId> =
                open.iter().copied().filter(|method| self.project.body(*method).is_some()).collect();
            if let [only] = concrete.as_slice() {
                return Some(*only);
            }
        }
        match open.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Whether a method takes these arguments; `exact` asks for the very types.
    fn accepts(&self, method: MemberId, args: &[Value], exact: bool) -> Option<bool> {
        let facts = self.project.member(method);
        if facts.params.iter().any(|param| param.varargs) {
            return if exact { Some(false) } else { None };
        }
        let mut open = false;
        for (param, arg) in facts.params.iter().zip(args) {
            let ty = self.type_of(method.ty, &param.ty);
            let fits = match (&ty, arg) {
                (Type::Prim(_), Value::Scalar(Scalar::Null)) => Some(false),
                (_, Value::Scalar(Scalar::Null)) => None,
                (Type::Prim(prim) | Type::Boxed(prim), value) => match value.prim() {
                    Some(own) if own == *prim => Some(true),
                    Some(_) if exact => Some(false),
                    Some(own) => Some(matches!(ty, Type::Prim(_)) && widens(own, *prim)),
                    None => match value {
                        Value::Unknown(unknown) if unknown.ty == Type::Unknown => None,
                        _ => Some(false),
                    },
                },
                (Type::Unknown, _) => None,
                (Type::Class(ClassRef::Library(fqn), _), _) if &**fqn == "java.lang.Object" => Some(!exact),
                (_, Value::Unknown(unknown)) => match &unknown.ty {
                    Type::Unknown => None,
                    other if *other == ty => Some(true),
                    Type::Str | Type::Prim(_) | Type::Boxed(_) => Some(false),
                    _ => None,
                },
                (wanted, value) => self.is_instance(value, wanted),
            };
            match fits {
                Some(false) => return Some(false),
                Some(true) => {}
                None => open = true,
            }
        }
        if open { None } else { Some(true) }
    }

    /// Runs a method with these arguments.
    pub fn invoke(&mut self, method: MemberId, this: Option<Value>, args: Vec<Value>) -> Eval {
        let facts = self.project.member(method);
        if self.frames.len() >= self.cx.bounds.depth {
            return Err(Stop::Cut(Bound::Depth));
        }
        let what = format!("{}.{}", self.simple_name(method.ty), facts.name);
        let result = match &facts.ty {
            Some(ty) => self.type_of(method.ty, ty),
            None => Type::Void,
        };
        let Some(body) = self.project.body(method) else {
            return self.unknown_call(&format!("{what} has no body"), &args, result);
        };
        if let Some(annotation) = facts.annotations.iter().find(|annotation| !HARMLESS.contains(&annotation.simple())) {
            self.doubt(&format!("@{} on {what} may change what a call does", annotation.simple()));
        }
        if facts.modifiers.has(Modifiers::NATIVE) {
            return self.unknown_call(&format!("{what} is native"), &args, result);
        }
        for (param, arg) in facts.params.iter().zip(&args) {
            if !param.varargs && param.ty.is_primitive() {
                self.not_null(arg)?;
            }
        }
        let Some(locals) = self.bind_params(method, args) else {
            return self.unresolved(&what, &[]);
        };
        self.members.insert(method);
        let captured = match &this {
            Some(Value::Ref(id)) => self.object(*id).captured.clone(),
            _ => None,
        };
        let value = self.framed(method, body.clone(), this, captured, locals, |machine| match body.root {
            Some(Root::Stmt(stmt)) => match machine.run(&body, stmt)? {
                super::exec::Flow::Return(value) => Ok(value),
                _ => Ok(Value::NULL),
            },
            Some(Root::Expr(expr)) => machine.eval(&body, expr),
            None => Ok(Value::NULL),
        })?;
        if result == Type::Void {
            return Ok(Value::NULL);
        }
        if matches!(result, Type::Prim(_)) {
            self.not_null(&value)?;
        }
        Ok(self.convert(value, &result))
    }

    /// Arguments as local variables, with variable arguments gathered.
    pub fn bind_params(&mut self, method: MemberId, args: Vec<Value>) -> Option<Vec<(Rc<str>, Type, Value)>> {
        let facts = self.project.member(method);
        let mut locals = Vec::new();
        let mut args = args.into_iter();
        for param in &facts.params {
            let ty = self.type_of(method.ty, &param.ty);
            let name: Rc<str> = Rc::from(param.name.as_str());
            if param.varargs {
                let rest: Vec<Value> = args.by_ref().collect();
                let array = Type::Array(Box::new(ty.clone()));
                let value = match rest.as_slice() {
                    [Value::Ref(id)]
                        if matches!(&self.object(*id).kind, Kind::List { .. })
                            && self.object(*id).class == ClassRef::library("array") =>
                    {
                        rest[0].clone()
                    }
                    [Value::Unknown(_)] | [Value::Symbol(_)]
                        if rest[0].prim().is_none() && !matches!(ty, Type::Str) =>
                    {
                        Value::unknown("variable arguments", array.clone())
                    }
                    _ => {
                        let items = rest.into_iter().map(|value| self.convert(value, &ty)).collect();
                        self.list(items, "array")
                    }
                };
                locals.push((name, array, value));
                continue;
            }
            let arg = args.next()?;
            if matches!(ty, Type::Prim(_)) && arg.is_null() {
                return None;
            }
            let arg = self.convert(arg, &ty);
            locals.push((name, ty, arg));
        }
        Some(locals)
    }

    /// Runs something in a frame of its own.
    pub fn framed<T>(
        &mut self,
        member: MemberId,
        body: Arc<Body>,
        this: Option<Value>,
        captured: Option<Rc<Captured>>,
        locals: Vec<(Rc<str>, Type, Value)>,
        run: impl FnOnce(&mut Self) -> Eval<T>,
    ) -> Eval<T> {
        if self.frames.len() >= self.cx.bounds.depth {
            return Err(Stop::Cut(Bound::Depth));
        }
        let depth = self.frames.len();
        self.frames.push(Frame { member, body, scope: member.ty, this, locals, captured });
        let result = run(self);
        self.frames.truncate(depth);
        result
    }

    /// Runs something in the frame of a field's initialiser.
    pub fn within<T>(
        &mut self,
        member: MemberId,
        body: Arc<Body>,
        this: Option<Value>,
        run: impl FnOnce(&mut Self) -> Eval<T>,
    ) -> Eval<T> {
        let captured = match &this {
            Some(Value::Ref(id)) => self.object(*id).captured.clone(),
            _ => None,
        };
        self.framed(member, body, this, captured, Vec::new(), run)
    }

    /// Runs something that happened when the service started: what it throws, doubts or decides says nothing about this request.
    pub fn quietly<T>(&mut self, run: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<Option<T>> {
        let (doubts, exit, effects, catching) =
            (self.doubts.clone(), self.exit, self.effects.len(), std::mem::take(&mut self.catching));
        let result = run(self);
        self.doubts = doubts;
        self.exit = exit;
        self.effects.truncate(effects);
        self.catching = catching;
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Throw(_)) => Ok(None),
            Err(cut) => Err(cut),
        }
    }
}

/// Whether a primitive type widens to another (JLS §5.1.2), or is it.
fn widens(from: Prim, to: Prim) -> bool {
    use Prim as P;
    let rank = |prim: Prim| match prim {
        P::Byte => 0,
        P::Short | P::Char => 1,
        P::Int => 2,
        P::Long => 3,
        P::Float => 4,
        P::Double => 5,
        P::Bool => 9,
    };
    from == to || (from != P::Bool && to != P::Bool && to != P::Char && rank(from) < rank(to))
}

/// Fully qualified name of a class that is none of the project.
fn class_name(ty: &Type) -> String {
    match ty {
        Type::Boxed(prim) | Type::Prim(prim) => format!("java.lang.{}", prim.box_name()),
        Type::Array(_) => "array".to_owned(),
        other => other.library().unwrap_or("?").to_owned(),
    }
}
