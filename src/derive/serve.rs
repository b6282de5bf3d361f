//! Serving: one request through binding, validation, handler and exception handling, on the interpreter.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value as Json;

use super::bench::Bench;
use super::case::{Case, CaseBody, Converted, convert, number_as};
use super::respond;
use super::shape::Answer;
use super::signature::{Slot, element, setter};
use super::validation;
use super::wiring::Container;
use crate::frameworks::{Framework, Location};
use crate::java::facts::{MemberKind, TypeKind};
use crate::java::interpret::condition::{Cond, Defect};
use crate::java::interpret::machine::{Eval, Machine, Stop};
use crate::java::interpret::path::{Exploration, Path};
use crate::java::interpret::scalar::{ClassRef, Scalar};
use crate::java::interpret::term::{Input, Term};
use crate::java::interpret::value::{Kind, Object, Type, Value};
use crate::java::interpret::{Bounds, Context, explore};

/// One path through an operation, with what it answers.
#[derive(Debug, Clone)]
pub struct Served {
    /// The path.
    pub path: Path,
    /// The answer.
    pub answer: Answer,
}

impl Served {
    /// Whether the answer's status is certain for every request that takes this path.
    pub fn is_certain(&self) -> bool {
        self.path.is_certain() && self.answer.status.is_some()
    }
}

/// All paths of one run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The paths.
    pub served: Vec<Served>,
    /// Whether these are all.
    pub complete: bool,
}

impl Bench<'_> {
    /// Runs the operation on open inputs.
    pub fn open(&self) -> Run {
        self.run(None, Bounds { steps: 40_000, total_steps: 800_000, ..Bounds::default() })
    }

    /// Runs the operation on one request.
    pub fn try_case(&self, case: &Case) -> Run {
        self.run(Some(case), Bounds { paths: 24, forks: 16, steps: 60_000, total_steps: 200_000, ..Bounds::default() })
    }

    fn run(&self, case: Option<&Case>, bounds: Bounds) -> Run {
        let container = Container {
            project: self.subject.project,
            properties: self.subject.properties,
            near: &self.subject.endpoint.file,
            produced: &self.subject.shared.produced,
        };
        let cx = Context { codes: &self.codes, wiring: &container, bounds };
        let answers: RefCell<Vec<Answer>> = RefCell::new(Vec::new());
        let Exploration { paths, complete } = explore(&cx, |machine| {
            for doubt in &self.surroundings.doubts {
                machine.doubt(doubt);
            }
            let answer = Server { bench: self, case }.serve(machine);
            let (answer, end) = match answer {
                Ok(answer) => (answer, Ok(Value::NULL)),
                Err(stop) => (Answer::unknown(), Err(stop)),
            };
            answers.borrow_mut().push(answer);
            end
        });
        let served =
            paths.into_iter().zip(answers.into_inner()).map(|(path, answer)| Served { path, answer }).collect();
        Run { served, complete }
    }
}

/// Serves one request.
struct Server<'b> {
    bench: &'b Bench<'b>,
    case: Option<&'b Case>,
}

impl Server<'_> {
    fn is_jax_rs(&self) -> bool {
        self.bench.subject.endpoint.framework == Framework::JaxRs
    }

    fn serve(&self, machine: &mut Machine<'_>) -> Eval<Answer> {
        // What the handler throws reaches the framework: unknown calls are not caught by anything of the project.
        let result = self.handle(machine);
        match result {
            Ok(value) => {
                let endpoint = self.bench.subject.endpoint;
                respond::returned(machine, self.bench, &value, endpoint.entry, endpoint.success_status)
            }
            Err(Stop::Throw(thrown)) => {
                machine.frames.clear();
                machine.catching = 0;
                respond::thrown(machine, self.bench, &thrown)
            }
            Err(cut) => Err(cut),
        }
    }

    fn handle(&self, machine: &mut Machine<'_>) -> Eval {
        let endpoint = self.bench.subject.endpoint;
        let params = machine.project.member(endpoint.entry).params.clone();
        let mut args = vec![None; params.len()];
        for slot in &self.bench.signature.slots {
            let value = self.bind(machine, slot)?;
            if let Some(place) = args.get_mut(slot.index) {
                *place = Some(value);
            }
        }
        let mut given = Vec::new();
        for (arg, param) in args.into_iter().zip(&params) {
            given.push(match arg {
                Some(value) => value,
                None => {
                    let ty = machine.type_of(endpoint.entry.ty, &param.ty);
                    machine.unknown(&format!("{} is given by the framework", param.name), ty)
                }
            });
        }
        let this =
            if machine.is_static(endpoint.entry) { None } else { Some(Value::Ref(machine.bean(endpoint.receiver)?)) };
        machine.invoke(endpoint.entry, this, given)
    }

    fn bind(&self, machine: &mut Machine<'_>, slot: &Slot) -> Eval {
        match slot.location {
            Location::Path | Location::Query | Location::Header | Location::Cookie => {
                let value = match self.case {
                    Some(case) => self.bind_text(machine, slot, case)?,
                    None => self.bind_open(machine, slot)?,
                };
                let guarded = slot.constraints.iter().any(|a| {
                    validation::is_constraint(machine.project, self.bench.subject.endpoint.entry.ty, a) == Some(true)
                });
                if guarded {
                    self.check_param(machine, slot, &value)?;
                }
                Ok(value)
            }
            Location::Body => {
                let value = match self.case {
                    Some(case) => self.bind_body(machine, slot, case)?,
                    None => {
                        if slot.required && !self.is_jax_rs() {
                            self.fork_defect(machine, slot, Defect::Unreadable)?;
                        }
                        if slot.ty.project().is_some_and(|ty| self.bench.signature.fields(ty).is_some()) {
                            machine.input(slot.input.clone(), &slot.ty, false)
                        } else {
                            machine.unknown("how the body is read", slot.ty.clone())
                        }
                    }
                };
                if slot.validated {
                    self.validate(machine, &value, &slot.ty, "")?;
                }
                Ok(value)
            }
            Location::Context => {
                Ok(machine.unknown(&format!("{} is given by the framework", slot.input.name), slot.ty.clone()))
            }
            _ => {
                machine.doubt(&format!("how {} is bound is not modelled", slot.input.name));
                Ok(machine.unknown(&format!("{} is bound by the framework", slot.input.name), slot.ty.clone()))
            }
        }
    }

    /// Throws what the framework throws for a defect of an input.
    fn refuse(&self, machine: &mut Machine<'_>, slot: &Slot, defect: &Defect) -> Stop {
        machine.exit = None;
        if self.is_jax_rs() {
            let name = match slot.location {
                Location::Path | Location::Query => "NotFoundException",
                _ => "BadRequestException",
            };
            let status = if name == "NotFoundException" { 404 } else { 400 };
            let fqn = format!("jakarta.ws.rs.{name}");
            let stop = machine.throw(&fqn, Value::NULL);
            if let Stop::Throw(thrown) = &stop
                && let Some(id) = thrown.object
            {
                machine.object_mut(id).parts.insert("status", Value::int(status));
                machine.object_mut(id).parts.insert("body", Value::NULL);
            }
            return stop;
        }
        let fqn = match (defect, slot.location) {
            (Defect::Missing, Location::Header) => "org.springframework.web.bind.MissingRequestHeaderException",
            (Defect::Missing, Location::Cookie) => "org.springframework.web.bind.MissingRequestCookieException",
            (Defect::Missing, Location::Body) | (Defect::Unreadable, _) => {
                "org.springframework.http.converter.HttpMessageNotReadableException"
            }
            (Defect::Missing, _) => "org.springframework.web.bind.MissingServletRequestParameterException",
            (Defect::NotA(_), _) => "org.springframework.web.method.annotation.MethodArgumentTypeMismatchException",
        };
        let message = Value::unknown("message of the framework", Type::Str);
        let stop = machine.throw(fqn, message);
        if let (Defect::NotA(_), Stop::Throw(thrown)) = (defect, &stop)
            && let Some(id) = thrown.object
        {
            // The cause is an IllegalArgumentException, directly or further down; for numbers a NumberFormatException.
            let cause = if slot.constants.is_some() {
                "java.lang.IllegalArgumentException"
            } else {
                "java.lang.NumberFormatException"
            };
            let cause = machine.modelled(cause, &[("message", Value::unknown("message of the framework", Type::Str))]);
            machine.object_mut(id).parts.insert("cause", cause);
        }
        stop
    }

    fn fork_defect(&self, machine: &mut Machine<'_>, slot: &Slot, defect: Defect) -> Eval<()> {
        if machine.decide(Cond::Input(slot.input.clone(), defect.clone()), None)? {
            return Err(self.refuse(machine, slot, &defect));
        }
        Ok(())
    }

    /// A parameter on open inputs.
    fn bind_open(&self, machine: &mut Machine<'_>, slot: &Slot) -> Eval {
        let optional = !slot.required && slot.default.is_none();
        let primitive = matches!(slot.ty, Type::Prim(_));
        if slot.required && slot.location != Location::Path && slot.default.is_none() {
            self.fork_defect(machine, slot, Defect::Missing)?;
        }
        if optional && primitive && !self.is_jax_rs() && slot.location != Location::Path {
            // Spring cannot put nothing into a primitive (but for boolean, which becomes false).
            if slot.ty != Type::Prim(crate::java::interpret::scalar::Prim::Bool)
                && machine.decide(Cond::Input(slot.input.clone(), Defect::Missing), None)?
            {
                return Err(machine
                    .throw("java.lang.IllegalStateException", Value::unknown("message of the framework", Type::Str)));
            }
        }
        let typed = match &slot.ty {
            Type::Str => None,
            Type::Prim(prim) | Type::Boxed(prim) => Some(prim.keyword().to_owned()),
            Type::Class(ClassRef::Project(ty), _) if slot.constants.is_some() => {
                Some(machine.project.ty(*ty).name.clone())
            }
            _ => {
                machine.may_throw(&format!("how {} is converted is not modelled", slot.input.name))?;
                return Ok(machine.unknown(&format!("how {} is converted", slot.input.name), slot.ty.clone()));
            }
        };
        if let Some(typed) = typed
            && slot.default.is_none()
        {
            self.fork_defect(machine, slot, Defect::NotA(Rc::from(typed)))?;
        }
        Ok(Value::symbol(Term::Input(slot.input.clone()), slot.ty.clone(), optional && !primitive))
    }

    /// A parameter of a case.
    fn bind_text(&self, machine: &mut Machine<'_>, slot: &Slot, case: &Case) -> Eval {
        let Some(text) = case.params.get(&slot.input).or(slot.default.as_ref()) else {
            if slot.required {
                return Err(self.refuse(machine, slot, &Defect::Missing));
            }
            return match &slot.ty {
                Type::Prim(prim) if self.is_jax_rs() || *prim == crate::java::interpret::scalar::Prim::Bool => {
                    Ok(Value::Scalar(prim.zero()))
                }
                Type::Prim(_) => Err(machine
                    .throw("java.lang.IllegalStateException", Value::unknown("message of the framework", Type::Str))),
                Type::Str | Type::Boxed(_) => Ok(Value::NULL),
                _ if slot.constants.is_some() => Ok(Value::NULL),
                _ => {
                    machine.may_throw(&format!("how {} is converted is not modelled", slot.input.name))?;
                    Ok(machine.unknown(&format!("how {} is converted", slot.input.name), slot.ty.clone()))
                }
            };
        };
        match convert(text, &slot.ty, || slot.constants.clone()) {
            Converted::Value(Scalar::Str(text)) => Ok(machine.fresh_text(&text.text)),
            Converted::Value(value) => Ok(Value::Scalar(value)),
            Converted::Refused => Err(self.refuse(machine, slot, &Defect::NotA(Rc::from("")))),
            Converted::Unknown => {
                machine.may_throw(&format!("how {} is converted is not modelled", slot.input.name))?;
                Ok(machine.unknown(&format!("how {} is converted", slot.input.name), slot.ty.clone()))
            }
        }
    }

    /// The body of a case.
    fn bind_body(&self, machine: &mut Machine<'_>, slot: &Slot, case: &Case) -> Eval {
        match &case.body {
            CaseBody::None | CaseBody::Malformed if self.is_jax_rs() => {
                machine.doubt("how a missing or malformed body is read is not modelled");
                Ok(machine.unknown("how the body is read", slot.ty.clone()))
            }
            CaseBody::None if slot.required => Err(self.refuse(machine, slot, &Defect::Missing)),
            CaseBody::None => Ok(Value::NULL),
            CaseBody::Malformed => {
                if slot.ty == Type::Str {
                    return Ok(machine.fresh_text("{"));
                }
                Err(self.refuse(machine, slot, &Defect::Unreadable))
            }
            CaseBody::Json(json) => {
                if !self.bench.surroundings.serialisation.is_empty() {
                    machine.doubt("how JSON is read is configured");
                }
                self.read_json(machine, &slot.ty, json)
            }
        }
    }

    /// A JSON value as a type wants it; what is not plain is unknown, and may be refused.
    fn read_json(&self, machine: &mut Machine<'_>, ty: &Type, json: &Json) -> Eval {
        let refused = |machine: &mut Machine<'_>| {
            machine.doubt("how a value of the body is read is not modelled");
            Ok(machine.unknown("how a value of the body is read", ty.clone()))
        };
        match (ty, json) {
            (Type::Prim(prim), Json::Null) => Ok(Value::Scalar(prim.zero())),
            (_, Json::Null) => Ok(Value::NULL),
            (Type::Str, Json::String(text)) => Ok(machine.fresh_text(text)),
            (Type::Prim(prim) | Type::Boxed(prim), Json::Number(number)) => match number_as(number, *prim) {
                Some(value) => Ok(Value::Scalar(value)),
                None => refused(machine),
            },
            (
                Type::Prim(crate::java::interpret::scalar::Prim::Bool)
                | Type::Boxed(crate::java::interpret::scalar::Prim::Bool),
                Json::Bool(value),
            ) => Ok(Value::bool(*value)),
            (Type::Class(ClassRef::Project(id), _), Json::String(text))
                if machine.project.ty(*id).kind == TypeKind::Enum =>
            {
                let constants = machine.enum_constants(*id);
                match constants.iter().find(|name| ***name == *text.as_str()) {
                    Some(name) => Ok(Value::Scalar(Scalar::Enum(ClassRef::Project(*id), name.clone()))),
                    None => refused(machine),
                }
            }
            (Type::Class(ClassRef::Project(id), _), Json::Object(map)) => {
                let Some(fields) = self.bench.signature.fields(*id) else { return refused(machine) };
                if map.keys().any(|key| !fields.iter().any(|field| field.name == *key)) {
                    return refused(machine);
                }
                let record = machine.project.ty(*id).kind == TypeKind::Record;
                if record {
                    let mut args = Vec::new();
                    for field in fields {
                        args.push(self.read_json(machine, &field.ty, map.get(&field.name).unwrap_or(&Json::Null))?);
                    }
                    return machine.construct_type(ty, args);
                }
                let made = machine.construct_type(ty, Vec::new())?;
                for field in fields {
                    let Some(json) = map.get(&field.name) else { continue };
                    let value = self.read_json(machine, &field.ty, json)?;
                    let name = machine.project.member(field.member).name.clone();
                    if machine.project.find_method(*id, &setter(&name), 1).len() == 1 {
                        machine.call_method(made.clone(), &setter(&name), vec![value])?;
                    } else {
                        machine.write_member(&made, field.member, value)?;
                    }
                }
                Ok(made)
            }
            (_, Json::Array(items)) => match element(ty) {
                Some(element) => {
                    let mut values = Vec::new();
                    for item in items {
                        values.push(self.read_json(machine, &element, item)?);
                    }
                    let object = Object::new(
                        ClassRef::library("java.util.ArrayList"),
                        Kind::List { items: values, fixed: false },
                    );
                    Ok(Value::Ref(machine.allocate(object)))
                }
                None => refused(machine),
            },
            _ => refused(machine),
        }
    }

    /// Constraints on a parameter: what a violation answers depends on versions and annotations, so only values that satisfy them are certain.
    fn check_param(&self, machine: &mut Machine<'_>, slot: &Slot, value: &Value) -> Eval<()> {
        for annotation in &slot.constraints {
            if validation::is_constraint(machine.project, self.bench.subject.endpoint.entry.ty, annotation)
                != Some(true)
            {
                continue;
            }
            let violated = validation::violated(machine, annotation, &slot.input.to_string(), value)?;
            let holds = match violated {
                Value::Scalar(Scalar::Bool(value)) => value,
                Value::Cond(cond) => machine.decide((*cond).clone(), None)?,
                _ => true,
            };
            if holds {
                machine.doubt("what a constraint on a parameter answers is not modelled");
            }
        }
        Ok(())
    }

    /// The constraints on the fields of a value.
    fn validate(&self, machine: &mut Machine<'_>, value: &Value, ty: &Type, label: &str) -> Eval<()> {
        let Some(id) = ty.project() else { return Ok(()) };
        if !matches!(value, Value::Ref(_)) {
            return Ok(());
        }
        let present = self.bench.subject.build.uses("validat").is_some();
        let members: Vec<_> = machine.project.members(id).collect();
        for annotation in &machine.project.ty(id).annotations {
            if validation::is_constraint(machine.project, id, annotation) == Some(true) {
                machine.doubt(&format!("@{} on {} is not followed", annotation.simple(), machine.project.ty(id).name));
            }
        }
        let mut violated_any = false;
        for member in members {
            let facts = machine.project.member(member);
            if matches!(facts.kind, MemberKind::Method) && facts.params.is_empty() {
                // Constraints on getters.
                for annotation in &facts.annotations {
                    if validation::is_constraint(machine.project, id, annotation) == Some(true) {
                        machine.doubt(&format!("@{} on {} is not followed", annotation.simple(), facts.name));
                    }
                }
            }
            if !matches!(facts.kind, MemberKind::Field | MemberKind::RecordComponent) {
                continue;
            }
            let name = if label.is_empty() { facts.name.clone() } else { format!("{label}.{}", facts.name) };
            let constraints: Vec<_> = facts
                .annotations
                .iter()
                .filter(|a| validation::is_constraint(machine.project, id, a) == Some(true))
                .cloned()
                .collect();
            let cascades = facts.annotations.iter().any(|a| a.simple() == "Valid");
            let field_type = machine.field_type(member);
            let nested =
                field_type.project().is_some() || element(&field_type).is_some_and(|ty| ty.project().is_some());
            if constraints.is_empty() && !cascades && !nested {
                continue;
            }
            let field = machine.read_member(value, member)?;
            for annotation in constraints {
                let violated = validation::violated(machine, &annotation, &name, &field)?;
                let holds = match violated {
                    Value::Scalar(Scalar::Bool(value)) => value,
                    Value::Cond(cond) => machine.decide((*cond).clone(), None)?,
                    _ => false,
                };
                if holds {
                    if self.case.is_none() {
                        return Err(self.invalid(machine, present));
                    }
                    violated_any = true;
                }
            }
            if cascades && field_type.project().is_some() {
                self.validate(machine, &field, &field_type, &name)?;
            }
            if let (Some(element_type), Value::Ref(list)) = (element(&field_type), &field)
                && element_type.project().is_some()
                && let Kind::List { items, .. } = &machine.object(*list).kind
            {
                let items = items.clone();
                for (index, item) in items.iter().enumerate() {
                    // `List<@Valid T>` and `@Valid List<T>` are not told apart here: elements that satisfy their constraints pass either way.
                    let before = machine.exit;
                    match self.validate(machine, item, &element_type, &format!("{name}[{index}]")) {
                        Ok(()) => {}
                        Err(Stop::Throw(_)) => {
                            machine.exit = before;
                            if cascades {
                                violated_any = true;
                            } else {
                                machine.doubt("whether elements of a list are validated is not known");
                            }
                        }
                        Err(cut) => return Err(cut),
                    }
                    if item.is_null() {
                        machine.doubt("whether elements of a list are validated is not known");
                    }
                }
            }
        }
        if violated_any {
            return Err(self.invalid(machine, present));
        }
        Ok(())
    }

    fn invalid(&self, machine: &mut Machine<'_>, present: bool) -> Stop {
        if !present {
            machine.doubt("no implementation of Bean Validation is seen in the build");
        }
        machine.exit = None;
        if self.is_jax_rs() {
            machine.doubt("what a violated constraint answers is not modelled");
            return machine.throw("jakarta.validation.ConstraintViolationException", Value::NULL);
        }
        machine.throw(
            "org.springframework.web.bind.MethodArgumentNotValidException",
            Value::unknown("message of the framework", Type::Str),
        )
    }
}

/// The input that a label of the body stands for.
pub fn body_input(name: &str) -> Input {
    Input::new(crate::java::interpret::term::Place::Body, name)
}
