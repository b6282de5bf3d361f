//! Dispatches calls on values by the kind of the receiver.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::calls::library_name;
use super::machine::{Eval, Machine, Stop};
use super::walked::Walked;
use crate::interpret::classes::objects;
use crate::interpret::library;
use crate::interpret::linking::code::{CallLink, On};
use crate::interpret::opaque::calls::{QUERY, Unfollowed, element_expected, takes_each};
use crate::interpret::opaque::does::{CallEffect, declared, reads};
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::path::{Modelled, Thrown};
use crate::interpret::stores::{derived, query_form};
use crate::interpret::values::function::Function;
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::term::{Opaque, Sort, Term};
use crate::interpret::values::types::known_type;
use crate::interpret::values::value::{Kind, Lambda, ObjId, Type, Unknown, Value};
use crate::ir::facts::{MemberFacts, MemberKind, Modifiers, TypeKind};
use crate::ir::ids::{MemberId, TypeId};
use crate::ir::ty::Ty;

impl Machine<'_> {
    /// `receiver.name(args)`, resolved by the receiver's class alone.
    pub fn call_method(&mut self, receiver: Value, name: &str, args: Vec<Value>) -> Eval {
        let link =
            CallLink { on: On::Nothing, methods: Vec::new(), library: None, result: Type::Unknown, spread: None };
        self.call_on(receiver, name, args, &link)
    }

    /// `receiver.name(args)` with the candidates from the resolver.
    pub fn call_on(&mut self, receiver: Value, name: &str, args: Vec<Value>, link: &CallLink) -> Eval {
        self.step()?;
        self.not_null(&receiver)?;
        match &receiver {
            Value::Ref(id) => {
                let id = *id;
                match Walked::of(name, args.len()) {
                    Some(walked) => self.walk_into(walked, id, |machine| machine.call_on_object(id, name, args, link)),
                    None => self.call_on_object(id, name, args, link),
                }
            }
            Value::Scalar(Scalar::Enum(ClassRef::Project(ty), constant)) => {
                let (ty, constant) = (*ty, constant.clone());
                self.call_on_constant(ty, &constant, receiver.clone(), name, args, link)
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
                    self.call_on_open_constant(ty, receiver.clone(), name, args, link)
                }
                Type::Class(ClassRef::Project(ty), _) if self.is_opaque() => {
                    let ty = *ty;
                    self.call_on_opaque(ty, receiver.clone(), name, args, link)
                }
                // `forEach` iterates over the elements like a loop.
                ty if name == "forEach" && self.is_opaque() && is_any(ty) && takes_each(&args) => {
                    match self.enumerated_by(&receiver, &Type::Unknown)? {
                        Value::Ref(id) => self.call_on_object(id, name, args, link),
                        other => self.call_library("java.lang.Iterable", name, Some(other), args),
                    }
                }
                // A value that equals a string is a string (documentation of `String.equals`).
                Type::Unknown
                    if self.is_opaque()
                        && name == "equals"
                        && matches!(args.as_slice(), [Value::Scalar(Scalar::Str(_))])
                        && matches!(&*symbol.term, Term::Opaque(_)) =>
                {
                    let Term::Opaque(opaque) = &*symbol.term else { return Ok(Value::bool(false)) };
                    let text = Opaque { sort: Sort::Text, ..(**opaque).clone() };
                    let text = self.of_opaque(text, &Type::Str);
                    self.call_library("java.lang.String", name, Some(text), args)
                }
                Type::Unknown if self.is_opaque() => {
                    let (callee, ty) = (format!("?.{name}/{}", args.len()), link.result.clone());
                    let receiver = Some(&receiver);
                    self.unfollowed(&Unfollowed {
                        callee: &callee,
                        name,
                        receiver,
                        args: &args,
                        ty,
                        does: CallEffect::ByName,
                    })
                }
                Type::Class(ClassRef::Project(ty), _) => {
                    let what = format!("{}.{name}", self.simple_name(*ty));
                    self.unknown_call(&format!("{what} on a value of the request"), &args, link.result.clone())
                }
                Type::Unknown => {
                    self.unknown_call(&format!("{name} on a value of unknown type"), &args, link.result.clone())
                }
                other => {
                    let fqn = library_name(other);
                    self.call_library(&fqn, name, Some(receiver.clone()), args)
                }
            },
            Value::Lambda(lambda) => {
                let lambda = lambda.clone();
                self.call_functional(&lambda, name, args, link)
            }
            Value::Class(ty) => {
                let ty = ty.clone();
                match (name, args.as_slice(), &ty) {
                    ("getSimpleName", [], Type::Class(ClassRef::Project(id), _)) => {
                        Ok(Value::text(&self.project.ty(*id).name.clone()))
                    }
                    ("getName", [], Type::Class(class, _)) => Ok(Value::text(&self.binary_name(class))),
                    _ => self.call_library("java.lang.Class", name, Some(receiver.clone()), args),
                }
            }
            Value::Unknown(unknown) => {
                let (ty, reasons) = (unknown.ty.clone(), unknown.reasons.clone());
                self.call_on_unknown(&ty, &reasons, receiver.clone(), name, args, link)
            }
        }
    }

    /// The callee of a repository's query method: the repository, the normalised query, and the parameter and result
    /// types, so that two names of the same query have the same callee. `None` if a body, SQL or another annotation
    /// defines the method, or if the interface extends no library repository.
    pub(in crate::interpret) fn query_by_name(&self, repository: TypeId, method: MemberId) -> Option<String> {
        let facts = self.project.member(method);
        if facts.body.is_some() || !query_form::is_plain(facts) {
            return None;
        }
        let query = match facts.annotations.iter().find(|one| one.simple() == "Query") {
            Some(said) => {
                let rows = self.entity_of_repository(repository).project()?;
                query_form::in_jpql(facts, said, &self.project.ty(rows).name)?
            }
            None => derived::normal_form(&facts.name)?,
        };
        if !self.extends_repository(repository, "") {
            return None;
        }
        let params: Vec<String> =
            facts.params.iter().map(|param| self.type_name(&self.type_of(method.ty, &param.ty))).collect();
        let result = facts.ty.as_ref().map(ToString::to_string).unwrap_or_default();
        // The query may equal a method that every repository has.
        let is_optional = result.starts_with("Optional<");
        match (query.as_str(), params.len()) {
            ("find by Id", 1) if is_optional && self.is_keyed_by_id(repository) => {
                return Some(format!("{}#findById/1", self.project.fqn(repository)));
            }
            ("find", count) if !is_optional => {
                return Some(format!("{}#findAll/{count}", self.project.fqn(repository)));
            }
            _ => {}
        }
        Some(format!("{}{QUERY}{query} ({}): {result}", self.project.fqn(repository), params.join(",")))
    }

    /// Whether the key field of a repository's entity is named `id`.
    fn is_keyed_by_id(&self, repository: TypeId) -> bool {
        let is_key = |facts: &MemberFacts| {
            facts.kind == MemberKind::Field
                && facts.name == "id"
                && facts.annotations.iter().any(|one| ["Id", "EmbeddedId"].contains(&one.simple()))
        };
        self.entity_of_repository(repository).project().is_some_and(|rows| {
            let mut line = std::iter::once(rows).chain(self.project.all_supers(rows));
            line.any(|ty| self.project.members(ty).any(|member| is_key(self.project.member(member))))
        })
    }

    /// Whether an interface extends a library repository whose name has this prefix.
    pub(in crate::interpret) fn extends_repository(&self, ty: TypeId, package: &str) -> bool {
        let is_repository = |fqn: &str| fqn.ends_with("Repository") && fqn.starts_with(package);
        let extends = |ty: TypeId| {
            let mut above = self.project.ty(ty).implements.iter().map(|one| self.type_of(ty, one));
            above.any(|one| one.library().is_some_and(is_repository))
        };
        std::iter::once(ty).chain(self.project.all_supers(ty)).any(extends)
    }

    /// Whether the call passes null to a Spring Data repository method that refuses null (documentation of
    /// `CrudRepository`). A query that the interface declares under the same name does not.
    fn refuses_null(&self, ty: TypeId, name: &str, args: &[Value]) -> bool {
        const REFUSING: &[&str] = &[
            "findById",
            "existsById",
            "deleteById",
            "getReferenceById",
            "getById",
            "getOne",
            "save",
            "saveAndFlush",
            "delete",
        ];
        let mut line = std::iter::once(ty).chain(self.project.all_supers(ty));
        let has_query = |ty: TypeId| {
            let named = self.project.members(ty).map(|one| self.project.member(one)).filter(|facts| facts.name == name);
            let mut single = named.filter(|facts| facts.params.len() == 1);
            single.any(|facts| facts.annotations.iter().any(|one| ["NativeQuery", "Query"].contains(&one.simple())))
        };
        args.len() == 1
            && REFUSING.contains(&name)
            && self.extends_repository(ty, "org.springframework.data.")
            && !line.any(has_query)
    }

    /// A call on an opaque value of a project type: on its lazily created object, or for an interface an opaque call.
    fn call_on_opaque(&mut self, ty: TypeId, receiver: Value, name: &str, args: Vec<Value>, link: &CallLink) -> Eval {
        let methods = self.eliminate(&link.methods, &args);
        let is_generated = self.is_of_generated_class(ty, &receiver);
        if let Some(object) = self.lazy_object(&receiver) {
            let is_open = is_generated || methods.iter().any(|method| !self.project.overriders(*method).is_empty());
            if let (Value::Ref(id), false) = (&object, is_open) {
                return self.call_on_object(*id, name, args, link);
            }
        }
        if let [method] = methods.as_slice()
            && !is_generated
            && self.project.member(*method).body.is_some()
            && self.project.overriders(*method).is_empty()
        {
            return self.invoke_with(*method, Some(receiver), args, link.spread);
        }
        // An interface may declare a method of its repository again.
        let is_inherited = methods.iter().all(|method| self.project.member(*method).body.is_none());
        let takes_no_null = is_inherited && self.refuses_null(ty, name, &args);
        if takes_no_null && args.first().is_some_and(|only| self.is_refused_as_null(only)) {
            let message = Value::unknown("message of a refused argument", Type::Str);
            return Err(self.throw("org.springframework.dao.InvalidDataAccessApiUsageException", message));
        }
        if let Some(is_there) = self.existence((ty, methods.first().copied()), name, &receiver, &args)? {
            return Ok(is_there);
        }
        if let [method] = methods.as_slice()
            && let Some(found) = self.filtered((ty, *method), &receiver, &args)?
        {
            return Ok(found);
        }
        let (callee, does) = match methods.as_slice() {
            [method] => {
                let callee = self.query_by_name(ty, *method).unwrap_or_else(|| self.project.symbol(*method));
                (callee, declared(self.project.member(*method)))
            }
            _ => (format!("{}#{name}/{}", self.project.fqn(ty), args.len()), CallEffect::ByName),
        };
        let (receiver, ty) = (Some(&receiver), link.result.clone());
        self.unfollowed(&Unfollowed { callee: &callee, name, receiver, args: &args, ty, does })
    }

    fn call_on_unknown(
        &mut self,
        ty: &Type,
        reasons: &BTreeSet<Rc<str>>,
        receiver: Value,
        name: &str,
        args: Vec<Value>,
        link: &CallLink,
    ) -> Eval {
        if let Some(fqn) = ty.library()
            && (library::is_silent(fqn) || library::is_given(fqn))
        {
            return self.call_library(fqn, name, Some(receiver), args);
        }
        if let Some(answer) = self.call_on_unknowable(&receiver, ty, name, &args) {
            return answer;
        }
        if let ("orElseThrow", [Value::Lambda(lambda)]) = (name, args.as_slice()) {
            // Only `Optional` has this method, so the value is an `Optional`, empty or present.
            let lambda = lambda.clone();
            return self.or_else_throw(ty, reasons, &lambda, &link.result);
        }
        if let Some(value) = self.told_by_exception(ty, name, &args, link) {
            return Ok(value);
        }
        let what = match ty {
            Type::Class(ClassRef::Project(id), _) => format!("{}.{name}", self.simple_name(*id)),
            Type::Unknown => {
                // The best description available is the reason why the receiver is unknown.
                reasons.iter().next().map_or_else(|| name.to_owned(), |reason| format!("{name} on: {reason}"))
            }
            other => {
                let fqn = library_name(other);
                self.note_library_call(&fqn, name, Modelled::Inputs);
                format!("{}.{name}", fqn.rsplit('.').next().unwrap_or_default())
            }
        };
        if let Type::Class(ClassRef::Project(id), _) = ty
            && self.surely_reads(*id, name, &args, &link.result)
        {
            return Ok(self.rows_of_unknown(&format!("{what} cannot be followed"), link.result.clone()));
        }
        let rows = matches!(ty, Type::Class(ClassRef::Project(id), _) if self.gives_rows(*id, name, &args, link));
        let mut given = args;
        given.push(receiver);
        let value = self.unknown_call(&format!("{what} cannot be followed"), &given, link.result.clone())?;
        Ok(match value {
            Value::Unknown(unknown) if rows => Value::Unknown(Rc::new(Unknown { present: true, ..(*unknown).clone() })),
            value => value,
        })
    }

    /// The result of an accessor of an unknown library exception; it cannot fail and has no effect.
    fn told_by_exception(&mut self, ty: &Type, name: &str, args: &[Value], link: &CallLink) -> Option<Value> {
        if !args.is_empty() || !link.methods.is_empty() {
            return None;
        }
        // Only exceptions have this method.
        if name == "printStackTrace" {
            return Some(Value::NULL);
        }
        let declared = ty.library().map(Rc::from).or_else(|| link.library.clone())?;
        let is_exception = ["Exception", "Error", "Throwable"].iter().any(|end| declared.ends_with(end));
        let result = match name {
            "getMessage" | "getLocalizedMessage" if is_exception => Type::Str,
            "getCause" if is_exception => known_type(&Ty::library("java.lang.Throwable")),
            _ => return None,
        };
        self.note_library_call(&declared, name, Modelled::Answered);
        Some(self.unknown("what an exception that is not known says", result))
    }

    /// The result of a call on an inherently unknown, non-null value; `None` unless the call succeeds for every such value.
    fn call_on_unknowable(&mut self, receiver: &Value, ty: &Type, name: &str, args: &[Value]) -> Option<Eval> {
        let Value::Unknown(unknown) = receiver else { return None };
        if !unknown.present && !matches!(ty, Type::Prim(_)) {
            return None;
        }
        let fqn = library_name(ty);
        let (meant, spread) = (&[], None);
        let call = library::LibraryCall { fqn: &fqn, name, receiver: Some(receiver), args, types: &[], meant, spread };
        let answer = library::call_open(self, &call)?;
        self.note_library_call(&fqn, name, Modelled::Answered);
        Some(answer)
    }

    /// `orElseThrow` on an unknown `Optional`: forks on whether it is empty; if so, the lambda supplies the exception.
    fn or_else_throw(&mut self, ty: &Type, reasons: &BTreeSet<Rc<str>>, lambda: &Rc<Lambda>, result: &Type) -> Eval {
        let why: Vec<&str> = reasons.iter().map(AsRef::as_ref).collect();
        let (why, site) = (why.join("; "), self.calling.or_else(|| self.here()));
        let text = site.map(|site| self.source(site)).unwrap_or_default();
        let text = text.split(".orElseThrow").next().unwrap_or_default().trim().to_owned();
        let empty = Cond::Unknown(Rc::from(format!("{text} is empty")), Rc::from(why));
        if self.decide(empty, site)? {
            let thrown = self.apply(lambda, Vec::new())?;
            self.exit = self.calling.or_else(|| self.here());
            let site = self.exit;
            return Err(Stop::thrown(match thrown {
                Value::Ref(id) => Thrown { class: Some(self.object(id).class.clone()), object: Some(id), site },
                _ => Thrown { class: None, object: None, site },
            }));
        }
        let held = match ty {
            Type::Class(_, args) => args.first().cloned().unwrap_or_else(|| result.clone()),
            _ => result.clone(),
        };
        Ok(Value::Unknown(Rc::new(Unknown { reasons: reasons.clone(), ty: held, present: false, ends: None })))
    }

    /// The method that runs on an object of a project class; `Err` describes what is undecided.
    fn select(&self, ty: TypeId, name: &str, args: &[Value], link: &CallLink) -> Result<Option<MemberId>, String> {
        let methods: Vec<MemberId> =
            link.methods.iter().copied().filter(|method| self.codes.resolver.types.is_subtype(ty, method.ty)).collect();
        let methods = self.eliminate(&methods, args);
        let mut found: Vec<MemberId> = Vec::new();
        for method in &methods {
            let Some(run) = self.codes.implementation(ty, *method) else {
                return Err(format!("{}.{name} has no body", self.simple_name(method.ty)));
            };
            if !found.contains(&run) {
                found.push(run);
            }
        }
        if methods.is_empty() {
            found = self.methods_of(ty, name, args);
        }
        match found.as_slice() {
            [] => Ok(None),
            [only] if self.project.member(*only).body.is_some() => Ok(Some(*only)),
            [only] => Err(format!("{}.{name} has no body", self.simple_name(only.ty))),
            _ => Err(format!("{}.{name}: which overload is meant is not resolved", self.simple_name(ty))),
        }
    }

    /// Whether an object, of which no more is known than a class above its own, may run another method in place of this one.
    fn may_be_overridden(&self, id: ObjId, class: TypeId, method: MemberId) -> bool {
        let is_below = |ty: TypeId| ty != class && self.codes.resolver.types.is_subtype(ty, class);
        self.is_opaque()
            && (matches!(self.object(id).kind, Kind::Opaque(_))
                || self.project.ty(class).modifiers.has(Modifiers::ABSTRACT))
            && self.project.overriders(method).iter().any(|one| is_below(one.ty))
    }

    fn call_on_object(&mut self, id: ObjId, name: &str, args: Vec<Value>, link: &CallLink) -> Eval {
        match self.object(id).class.clone() {
            // A call of project code on an object of a model is a library call.
            ClassRef::Project(ty) if self.project.is_model(ty) && !self.is_in_model() => {
                let fqn = self.project.fqn(ty);
                self.meant = (link.methods.clone(), link.spread);
                self.call_library(fqn, name, Some(Value::Ref(id)), args)
            }
            ClassRef::Project(ty) => {
                if let Some(value) = self.annotated(id, ty, name, &args) {
                    return Ok(value);
                }
                if self.is_repository(ty)
                    && !matches!(self.select(ty, name, &args, link), Ok(Some(_)))
                    && !(matches!(name, "equals" | "hashCode" | "toString" | "getClass"))
                {
                    return self.call_repository(ty, name, args, link);
                }
                match self.select(ty, name, &args, link) {
                    Ok(Some(method)) if self.may_be_overridden(id, ty, method) => {
                        let (callee, ty) = (self.project.symbol(method), link.result.clone());
                        let (receiver, does) = (Some(&Value::Ref(id)), declared(self.project.member(method)));
                        let call = Unfollowed { callee: &callee, name, receiver, args: &args, ty, does };
                        return self.unfollowed(&call);
                    }
                    Ok(Some(method)) => return self.invoke_with(method, Some(Value::Ref(id)), args, link.spread),
                    Ok(None) => {}
                    Err(why) => return self.unselected(&Value::Ref(id), (ty, name), &args, (link, &why)),
                }
                if let Some(answer) = self.call_panache(ty, Some(&Value::Ref(id)), (name, &args), &link.result) {
                    return answer;
                }
                if let Some(result) = self.accessor(id, ty, name, &args)? {
                    return Ok(result);
                }
                self.call_inherited(id, name, args)
            }
            ClassRef::Library(fqn) => self.call_library(&fqn, name, Some(Value::Ref(id)), args),
        }
    }

    /// A call of a project method where the overload is undecided.
    fn unselected(
        &mut self,
        receiver: &Value,
        (of, name): (TypeId, &str),
        args: &[Value],
        (link, why): (&CallLink, &str),
    ) -> Eval {
        if !self.is_opaque() {
            return self.unknown_call(why, args, link.result.clone());
        }
        let (receiver, ty, does) = (Some(receiver), link.result.clone(), CallEffect::Known { writes: !reads(name) });
        let callee = format!("{}.{name}/{}", self.class_name(&ClassRef::Project(of)), args.len());
        self.unfollowed(&Unfollowed { callee: &callee, name, receiver, args, ty, does })
    }

    /// The value of an annotation's element.
    fn annotated(&self, id: ObjId, ty: TypeId, name: &str, args: &[Value]) -> Option<Value> {
        let is_annotation = args.is_empty() && self.project.ty(ty).kind == TypeKind::Annotation;
        let member =
            self.project.members(ty).find(|member| is_annotation && self.project.member(*member).name == name)?;
        self.object(id).fields.get(&member).cloned()
    }

    fn call_on_constant(
        &mut self,
        ty: TypeId,
        constant: &Rc<str>,
        receiver: Value,
        name: &str,
        args: Vec<Value>,
        link: &CallLink,
    ) -> Eval {
        // A constant with a class body may override the method.
        let class = self.body_of_constant(ty, constant).unwrap_or(ty);
        match self.select(class, name, &args, link) {
            Ok(Some(method)) => return self.invoke_with(method, Some(receiver), args, link.spread),
            Ok(None) => {}
            Err(why) => return self.unselected(&receiver, (ty, name), &args, (link, &why)),
        }
        match (name, args.as_slice()) {
            ("name" | "toString", []) => Ok(Value::Scalar(Scalar::pooled(constant))),
            ("ordinal", []) => {
                let at = self.enum_constants(ty).iter().position(|name| name == constant);
                Ok(Value::int(at.and_then(|at| i32::try_from(at).ok()).unwrap_or_default()))
            }
            ("getDeclaringClass", []) => Ok(Value::Class(Type::Class(ClassRef::Project(ty), Vec::new()))),
            ("compareTo", [other]) => {
                let other = self.pick_constant(other)?;
                self.not_null(&other)?;
                match other {
                    Value::Scalar(Scalar::Enum(ClassRef::Project(of), name)) if of == ty => {
                        let constants = self.enum_constants(ty);
                        let place =
                            |wanted: &Rc<str>| constants.iter().position(|name| name == wanted).unwrap_or_default();
                        let (a, b) = (place(constant), place(&name));
                        Ok(Value::int(i32::try_from(a).unwrap_or_default() - i32::try_from(b).unwrap_or_default()))
                    }
                    other => self.unknown_call("constants are compared", &[other], Type::Prim(Prim::Int)),
                }
            }
            ("equals", [other]) => {
                let other = other.clone();
                if other.is_null() {
                    return Ok(Value::bool(false));
                }
                self.same(receiver, other, (None, None))
            }
            ("hashCode", []) => Ok(self.unknown("the identity hash of an enum constant", Type::Prim(Prim::Int))),
            _ => {
                if let Ok(object) = self.enum_object(ty, constant)
                    && let Some(result) = self.accessor(object, ty, name, &args)?
                {
                    return Ok(result);
                }
                let what = format!("{}.{name} is not modelled", self.simple_name(ty));
                self.unknown_call(&what, &args, link.result.clone())
            }
        }
    }

    /// A call on a symbolic enum value: forks into one path for each constant, if the constant matters.
    fn call_on_open_constant(
        &mut self,
        ty: TypeId,
        receiver: Value,
        name: &str,
        args: Vec<Value>,
        link: &CallLink,
    ) -> Eval {
        let Value::Symbol(symbol) = &receiver else { return self.unresolved(name, &args) };
        let own: Vec<MemberId> = if link.methods.is_empty() {
            self.methods_of(ty, name, &args)
        } else {
            self.eliminate(&link.methods, &args)
        };
        match (name, args.as_slice()) {
            ("name" | "toString", []) if own.is_empty() => {
                return Ok(Value::symbol(Term::Apply(Function::Name, vec![symbol.term.clone()]), Type::Str, false));
            }
            ("equals", [other]) if own.is_empty() => {
                let other = other.clone();
                if other.is_null() {
                    return Ok(Value::bool(false));
                }
                return self.same(receiver, other, (None, None));
            }
            _ => {}
        }
        if let [method] = own.as_slice()
            && self.project.member(*method).body.is_some()
            && self.project.overriders(*method).is_empty()
        {
            return self.invoke_with(*method, Some(receiver), args, link.spread);
        }
        match self.pick_constant(&receiver)? {
            Value::Scalar(Scalar::Enum(ClassRef::Project(ty), constant)) => {
                let receiver = Value::Scalar(Scalar::Enum(ClassRef::Project(ty), constant.clone()));
                self.call_on_constant(ty, &constant, receiver, name, args, link)
            }
            _ => self.unresolved(name, &args),
        }
    }

    /// A method that a record or Lombok generates.
    pub(super) fn accessor(&mut self, id: ObjId, ty: TypeId, name: &str, args: &[Value]) -> Eval<Option<Value>> {
        let this = Value::Ref(id);
        if self.project.ty(ty).kind == TypeKind::Record && args.is_empty() {
            let component = self.project.members(ty).find(|member| {
                let facts = self.project.member(*member);
                facts.kind == MemberKind::RecordComponent && facts.name == name
            });
            if let Some(component) = component {
                return self.read_member(&this, component).map(Some);
            }
        }
        if let Some(copy) = self.lombok_copy(id, ty, name, args)? {
            return Ok(Some(copy));
        }
        let mut scope = vec![ty];
        scope.extend(self.project.all_supers(ty));
        for ty in scope {
            let Some(property) = objects::lombok_property(self.project, ty, name, args.len()) else { continue };
            return match args {
                [] => self.read_member(&this, property).map(Some),
                [value] => {
                    let value = value.clone();
                    self.write_member(&this, property, value)?;
                    Ok(Some(if objects::is_chained(self.project, property) { this } else { Value::NULL }))
                }
                _ => Ok(None),
            };
        }
        Ok(None)
    }

    /// A method that a project class inherits from a library class.
    pub fn call_inherited(&mut self, id: ObjId, name: &str, args: Vec<Value>) -> Eval {
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
            match crate::interpret::classes::hierarchy::super_of(self.project, &at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        let text = self.class_name(&class);
        let is_record = matches!(&class, ClassRef::Project(ty) if self.project.ty(*ty).kind == TypeKind::Record);
        match (name, args.as_slice()) {
            ("equals" | "hashCode" | "toString", _) if is_record => self.record_method(id, name, &args),
            ("toString", []) if let Some(made) = self.made_text(id, &class) => made,
            ("equals" | "hashCode", _) if let Some(made) = self.made_equality(id, &class, name, &args) => made,
            ("equals", [other]) if self.is_opaque() => Ok(self.opaque_equals(id, &other.clone())),
            ("hashCode" | "toString", []) if self.is_opaque() => {
                let ty = if name == "hashCode" { Type::Prim(Prim::Int) } else { Type::Str };
                let (callee, receiver) = (format!("{text}.{name}"), Value::Ref(id));
                self.unfollowed(&Unfollowed {
                    callee: &callee,
                    name: "get",
                    receiver: Some(&receiver),
                    args: &[],
                    ty,
                    does: CallEffect::ByName,
                })
            }
            ("equals", [other]) => {
                if matches!(other, Value::Unknown(_)) {
                    return Ok(self.unknown("objects are compared", Type::Prim(Prim::Bool)));
                }
                let generated = objects::has_generated(self.project, &class, &["Data", "Value", "EqualsAndHashCode"]);
                if generated && !matches!(other, Value::Ref(other) if *other == id) {
                    return Ok(self.unknown(&format!("equals of {text} is generated"), Type::Prim(Prim::Bool)));
                }
                let is_same = matches!(other, Value::Ref(other) if *other == id);
                if is_same && self.may_be_apart(id) {
                    return Ok(self.unknown("objects are compared by reference", Type::Prim(Prim::Bool)));
                }
                Ok(Value::bool(is_same))
            }
            ("getClass", []) => Ok(Value::Class(Type::Class(class, Vec::new()))),
            ("hashCode" | "toString", []) => {
                let ty = if name == "hashCode" { Type::Prim(Prim::Int) } else { Type::Str };
                Ok(self.unknown(&format!("{name} of {text}"), ty))
            }
            _ if self.gives_row_as_optional(&text, name) => {
                self.opaque.expected = element_expected(self.opaque.expected.take());
                let found = self.call_inherited(id, "findById", args)?;
                self.optional_row(found)
            }
            _ if self.is_opaque() => {
                let (this, callee) = (Value::Ref(id), format!("{text}.{name}/{}", args.len()));
                let ty = self.expected_or(Type::Unknown);
                self.unfollowed(&Unfollowed {
                    callee: &callee,
                    name,
                    receiver: Some(&this),
                    args: &args,
                    ty,
                    does: CallEffect::ByName,
                })
            }
            _ => self.unknown_call(&format!("{text}.{name} is not resolved"), &args, Type::Unknown),
        }
    }
}

/// Whether a type does not limit an object's class: `Object` or unknown.
fn is_any(ty: &Type) -> bool {
    match ty {
        Type::Unknown => true,
        Type::Class(ClassRef::Library(fqn), _) => **fqn == *"java.lang.Object",
        _ => false,
    }
}
