//! Responding: what the framework makes of what a handler returns or throws.

use serde_json::{Value as Json, json};

use super::bench::Bench;
use super::shape::{Answer, AnswerBody, Shape};
use crate::frameworks::advice::{self, ExceptionRule};
use crate::frameworks::{Framework, Returns};
use crate::java::facts::{Annotation, MemberKind, Modifiers, TypeKind, Value as Arg};
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::hierarchy;
use crate::java::interpret::library::{jax_rs, spring};
use crate::java::interpret::machine::{Eval, Machine, Stop};
use crate::java::interpret::objects::{capitalised, has, lombok_property};
use crate::java::interpret::path::Thrown;
use crate::java::interpret::scalar::{ClassRef, Prim, Scalar};
use crate::java::interpret::value::{Kind, ObjId, Type, Value};
use crate::types::status;

/// The answer for what a method returned.
pub fn returned(
    machine: &mut Machine<'_>,
    bench: &Bench<'_>,
    value: &Value,
    method: MemberId,
    status: Option<u16>,
) -> Eval<Answer> {
    let declared = machine.project.member(method).ty.clone();
    let ty = declared.as_ref().map_or(Type::Void, |ty| machine.type_of(method.ty, ty));
    let jax_rs = bench.subject.endpoint.framework == Framework::JaxRs;
    if let Value::Ref(id) = value
        && let ClassRef::Library(fqn) = machine.object(*id).class.clone()
        && (*fqn == *spring::ENTITY || *fqn == *jax_rs::RESPONSE)
    {
        return entity(machine, bench, *id);
    }
    if method == bench.subject.endpoint.entry
        && matches!(bench.subject.endpoint.returns, Returns::View | Returns::Written)
    {
        machine.doubt("the answer is not made from the returned value");
        return Ok(Answer { status: None, body: AnswerBody::Unknown, exception: None });
    }
    let plain = match ty.library() {
        Some("org.springframework.http.ResponseEntity" | "org.springframework.http.HttpEntity") => false,
        Some(fqn) if hierarchy::jax_rs_name(fqn) == Some("core.Response") => false,
        Some(fqn) => !is_wrapper(fqn),
        None => ty != Type::Unknown,
    };
    if !plain {
        machine.unknown("what a response holds", ty);
        return Ok(Answer::unknown());
    }
    let success = status.unwrap_or(if jax_rs && (value.is_null() || ty == Type::Void) { 204 } else { 200 });
    let body = body(machine, bench, value, &ty)?;
    Ok(Answer { status: Some(success), body, exception: None })
}

/// Types around a value that the framework unwraps or waits for.
fn is_wrapper(fqn: &str) -> bool {
    let simple = fqn.rsplit('.').next().unwrap_or(fqn);
    matches!(
        simple,
        "Mono"
            | "Flux"
            | "CompletableFuture"
            | "CompletionStage"
            | "Callable"
            | "DeferredResult"
            | "WebAsyncTask"
            | "Future"
            | "SseEmitter"
            | "StreamingResponseBody"
            | "ModelAndView"
            | "View"
            | "Resource"
            | "RedirectView"
            | "Uni"
            | "Multi"
            | "ResponseBodyEmitter"
            | "Object"
            | "AsyncResponse"
            | "Optional"
            | "HttpHeaders"
            | "Model"
            | "ModelMap"
            | "EntityModel"
            | "CollectionModel"
            | "MappingJacksonValue"
    )
}

fn entity(machine: &mut Machine<'_>, bench: &Bench<'_>, id: ObjId) -> Eval<Answer> {
    if matches!(machine.object(id).kind, Kind::Escaped(_)) {
        return Ok(Answer::unknown());
    }
    let parts = machine.object(id).parts.clone();
    let status =
        parts.get("status").and_then(Value::scalar).and_then(Scalar::as_int).and_then(|code| u16::try_from(code).ok());
    let value = parts.get("body").cloned().unwrap_or(Value::NULL);
    let own_type = parts.contains_key("content-type");
    let body =
        if own_type && !value.is_null() { AnswerBody::Unknown } else { body(machine, bench, &value, &Type::Unknown)? };
    Ok(Answer { status, body, exception: None })
}

/// The body that a value becomes.
fn body(machine: &mut Machine<'_>, bench: &Bench<'_>, value: &Value, ty: &Type) -> Eval<AnswerBody> {
    if *ty == Type::Void || value.is_null() {
        return Ok(AnswerBody::Empty);
    }
    if let Value::Scalar(Scalar::Str(text)) = value {
        return Ok(AnswerBody::Text(text.text.to_string()));
    }
    let textual = match value {
        Value::Symbol(symbol) => symbol.ty == Type::Str,
        Value::Unknown(unknown) => unknown.ty == Type::Str,
        _ => false,
    };
    let endpoint = bench.subject.endpoint;
    let json =
        endpoint.produces.is_empty() || endpoint.produces.iter().any(|kind| kind.to_lowercase().contains("json"));
    let certain = json && bench.surroundings.serialisation.is_empty() && endpoint.framework != Framework::JaxRs;
    if textual || !certain {
        return Ok(AnswerBody::Unknown);
    }
    let depth = machine.frames.len();
    match shape(machine, value, ty, 0) {
        Ok(shape) => Ok(AnswerBody::Json(shape)),
        Err(Stop::Throw(_)) => {
            machine.frames.truncate(depth);
            machine.doubt("writing the body may fail");
            Ok(AnswerBody::Unknown)
        }
        Err(cut) => Err(cut),
    }
}

/// What a type alone says of a JSON value.
pub fn typed(machine: &Machine<'_>, ty: &Type, nullable: bool) -> Shape {
    match ty {
        Type::Prim(prim) | Type::Boxed(prim) => Shape::Typed(
            match prim {
                Prim::Bool => "boolean",
                Prim::Char => "string",
                Prim::Float | Prim::Double => "number",
                _ => "integer",
            },
            nullable && matches!(ty, Type::Boxed(_)),
        ),
        Type::Str => Shape::Typed("string", nullable),
        Type::Array(element) if **element != Type::Prim(Prim::Byte) => Shape::Typed("array", nullable),
        Type::Class(ClassRef::Library(fqn), _)
            if matches!(
                &**fqn,
                "java.util.List" | "java.util.Set" | "java.util.Collection" | "java.util.ArrayList"
            ) =>
        {
            Shape::Typed("array", nullable)
        }
        Type::Class(ClassRef::Project(id), _)
            if machine.project.ty(*id).kind == TypeKind::Enum && is_plain_enum(machine, *id) =>
        {
            Shape::Typed("string", nullable)
        }
        _ => Shape::Unknown,
    }
}

fn is_plain_enum(machine: &Machine<'_>, id: TypeId) -> bool {
    let facts = machine.project.ty(id);
    let custom = |annotations: &[Annotation]| annotations.iter().any(|a| a.simple().starts_with("Json"));
    !custom(&facts.annotations) && !facts.members.iter().any(|member| custom(&member.annotations))
}

/// What Jackson makes of a value under its defaults.
fn shape(machine: &mut Machine<'_>, value: &Value, ty: &Type, depth: usize) -> Eval<Shape> {
    if depth > 8 {
        return Ok(Shape::Unknown);
    }
    Ok(match value {
        Value::Scalar(scalar) => match scalar {
            Scalar::Null => Shape::Exact(Json::Null),
            Scalar::Bool(x) => Shape::Exact(json!(x)),
            Scalar::Str(text) => Shape::Exact(json!(&*text.text)),
            Scalar::Char(unit) => match String::from_utf16(&[*unit]) {
                Ok(text) => Shape::Exact(json!(text)),
                Err(_) => Shape::Typed("string", false),
            },
            Scalar::Double(x) if x.is_finite() => Shape::Exact(json!(x)),
            Scalar::Double(x) if x.is_nan() => Shape::Exact(json!("NaN")),
            Scalar::Double(x) => Shape::Exact(json!(if *x > 0.0 { "Infinity" } else { "-Infinity" })),
            Scalar::Float(_) => Shape::Unknown,
            Scalar::Enum(ClassRef::Project(id), name) if is_plain_enum(machine, *id) => Shape::Exact(json!(&**name)),
            Scalar::Enum(..) => Shape::Unknown,
            other => other.as_long().map_or(Shape::Unknown, |x| Shape::Exact(json!(x))),
        },
        Value::Cond(_) => Shape::Typed("boolean", false),
        Value::Symbol(symbol) => {
            let (ty, nullable) = (symbol.ty.clone(), symbol.nullable);
            typed(machine, &ty, nullable)
        }
        Value::Unknown(unknown) => {
            let known = if unknown.ty == Type::Unknown { ty.clone() } else { unknown.ty.clone() };
            typed(machine, &known, true)
        }
        Value::Ref(id) => {
            let object = machine.object(*id).clone();
            match (&object.kind, &object.class) {
                (Kind::Escaped(_), ClassRef::Project(ty)) => of_object(machine, *id, *ty, depth)?,
                (Kind::List { items, .. }, _) => {
                    let mut shapes = Vec::new();
                    for item in items {
                        shapes.push(shape(machine, item, &Type::Unknown, depth + 1)?);
                    }
                    Shape::Array(shapes)
                }
                (_, ClassRef::Project(ty)) => of_object(machine, *id, *ty, depth)?,
                _ => Shape::Unknown,
            }
        }
        _ => Shape::Unknown,
    })
}

/// One property of a class as Jackson sees it.
#[derive(Debug, Clone)]
pub struct Property {
    /// Name in JSON.
    pub name: String,
    /// The field or component that holds it, or the getter that computes it.
    pub member: MemberId,
    /// Whether null values are left out.
    pub non_null: bool,
}

/// The properties of a record or bean class; `None` where annotations, inheritance from libraries or odd names make that uncertain.
pub fn properties(project: &crate::java::project::Project, ty: TypeId) -> Option<Vec<Property>> {
    let mut classes = vec![ty];
    classes.extend(project.all_supers(ty).into_iter().filter(|up| project.ty(*up).kind != TypeKind::Interface));
    let mut found: Vec<Property> = Vec::new();
    for class in classes.into_iter().rev() {
        let facts = project.ty(class);
        if project.has_unknown_super(class)
            || project.supers(class).iter().any(|up| {
                up.named.library().is_some_and(|fqn| fqn != "java.io.Serializable" && !fqn.starts_with("java.lang."))
            })
        {
            return None;
        }
        if !matches!(facts.kind, TypeKind::Record | TypeKind::Class) {
            return None;
        }
        let non_null = non_null(&facts.annotations)?;
        let mut add = |name: String, member: MemberId| {
            found.retain(|property| property.name != name);
            found.push(Property { name, member, non_null });
        };
        for member in project.members(class) {
            let facts = project.member(member);
            if facts.modifiers.has(Modifiers::STATIC) {
                continue;
            }
            match facts.kind {
                MemberKind::RecordComponent => {
                    let name = crate::java::interpret::objects::json_name(project, member)?;
                    add(name, member);
                }
                MemberKind::Field => {
                    if facts.annotations.iter().any(|a| a.simple().starts_with("Json")) {
                        return None;
                    }
                    let getter = format!("get{}", capitalised(&facts.name));
                    let boolean = format!("is{}", capitalised(&facts.name));
                    let lombok = lombok_property(project, class, &getter, 0) == Some(member)
                        || lombok_property(project, class, &boolean, 0) == Some(member);
                    let plain = plain_name(&facts.name);
                    if facts.modifiers.has(Modifiers::TRANSIENT) {
                        continue;
                    }
                    if facts.modifiers.has(Modifiers::PUBLIC) || lombok {
                        if lombok && !plain {
                            return None;
                        }
                        add(facts.name.clone(), member);
                    }
                }
                MemberKind::Method if facts.params.is_empty() && facts.modifiers.has(Modifiers::PUBLIC) => {
                    if facts.annotations.iter().any(|a| a.simple().starts_with("Json") || a.simple().starts_with("Xml"))
                    {
                        return None;
                    }
                    let returns = facts.ty.as_ref().map(crate::java::facts::TypeRef::erased).unwrap_or_default();
                    let rest = match facts.name.strip_prefix("get") {
                        Some(rest) if returns != "void" => rest,
                        _ => match facts.name.strip_prefix("is") {
                            Some(rest) if matches!(returns.as_str(), "boolean") => rest,
                            _ => continue,
                        },
                    };
                    if rest.is_empty() || facts.name == "getClass" {
                        continue;
                    }
                    if project.ty(class).kind == TypeKind::Record {
                        return None;
                    }
                    let mut letters = rest.chars();
                    let first = letters.next()?;
                    if !first.is_uppercase() || letters.next().is_some_and(char::is_uppercase) {
                        return None;
                    }
                    let name = first.to_lowercase().chain(rest.chars().skip(1)).collect();
                    add(name, member);
                }
                _ => {}
            }
        }
    }
    Some(found)
}

fn plain_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_lowercase) && !letters.next().is_some_and(char::is_uppercase)
}

/// Whether `@JsonInclude` leaves null out; `None` for other rules, and for annotations that change the form.
fn non_null(annotations: &[Annotation]) -> Option<bool> {
    let mut non_null = false;
    for annotation in annotations {
        match annotation.simple() {
            "JsonInclude" => match annotation.arg("value") {
                Some(Arg::Name(name)) if name.rsplit('.').next() == Some("NON_NULL") => non_null = true,
                Some(Arg::Name(name)) if name.rsplit('.').next() == Some("ALWAYS") => {}
                _ => return None,
            },
            "JsonPropertyOrder" | "JsonIgnoreProperties" if annotation.arg("value").is_none() => {}
            name if name.starts_with("Json") || name.starts_with("Xml") => return None,
            _ => {}
        }
    }
    Some(non_null)
}

fn of_object(machine: &mut Machine<'_>, id: ObjId, ty: TypeId, depth: usize) -> Eval<Shape> {
    let Some(properties) = properties(machine.project, ty) else { return Ok(Shape::Unknown) };
    if properties.is_empty() {
        machine.doubt("an object without properties cannot be written");
        return Ok(Shape::Unknown);
    }
    let mut fields = Vec::new();
    for property in properties {
        let this = Value::Ref(id);
        let facts = machine.project.member(property.member);
        let (value, declared) = if facts.kind == MemberKind::Method {
            let declared = facts.ty.as_ref().map_or(Type::Unknown, |ty| machine.type_of(property.member.ty, ty));
            let name = facts.name.clone();
            let exit = machine.exit;
            let value = machine.call_method(this, &name, Vec::new())?;
            machine.exit = exit;
            (value, declared)
        } else {
            (machine.read_member(&this, property.member)?, machine.field_type(property.member))
        };
        if property.non_null {
            match machine.is_null(&value) {
                Value::Scalar(Scalar::Bool(true)) => continue,
                Value::Scalar(Scalar::Bool(false)) => {}
                _ => return Ok(Shape::Unknown),
            }
        }
        let shape = shape(machine, &value, &declared, depth + 1)?;
        fields.push((property.name, shape));
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Shape::Object(fields))
}

/// The answer for what was thrown.
pub fn thrown(machine: &mut Machine<'_>, bench: &Bench<'_>, thrown: &Thrown) -> Eval<Answer> {
    let exception =
        thrown.class.as_ref().map(|class| machine.class_name(class).rsplit('.').next().unwrap_or_default().to_owned());
    let mut answer = answer(machine, bench, thrown)?;
    answer.exception = exception;
    Ok(answer)
}

fn answer(machine: &mut Machine<'_>, bench: &Bench<'_>, thrown: &Thrown) -> Eval<Answer> {
    let subject = bench.subject;
    let mut at = thrown.clone();
    for _ in 0..8 {
        let Some(class) = at.class.clone() else {
            machine.doubt("which exception is thrown is not known");
            return Ok(Answer::unknown());
        };
        let name = match &class {
            ClassRef::Project(id) => advice::Thrown::Project(*id),
            ClassRef::Library(fqn) => advice::Thrown::Library(fqn.to_string()),
        };
        let cause = at.object.and_then(|id| machine.object(id).parts.get("cause").cloned());
        let found = advice::rule_for(subject.project, subject.exceptions, subject.endpoint, &name);
        // Handlers are also found by the causes of an exception, before what the framework does by itself.
        if found.is_none_or(|rule| rule.rank == advice::DEFAULT)
            && let Some(Value::Ref(id)) = &cause
        {
            let class = machine.object(*id).class.clone();
            let name = match &class {
                ClassRef::Project(id) => advice::Thrown::Project(*id),
                ClassRef::Library(fqn) => advice::Thrown::Library(fqn.to_string()),
            };
            if advice::rule_for(subject.project, subject.exceptions, subject.endpoint, &name)
                .is_some_and(|rule| rule.rank < advice::DEFAULT)
            {
                at = Thrown { class: Some(class), object: Some(*id), site: at.site };
                continue;
            }
        }
        if let Some(Value::Unknown(_)) = &cause
            && found.is_none()
        {
            machine.doubt("the cause of an exception is not known");
        }
        return match found {
            Some(rule) if rule.handler.is_some() => handler(machine, bench, &rule.clone(), &at),
            found => by_status(
                machine,
                bench,
                found.and_then(|rule| rule.status.map(|status| (status, rule.rank))),
                &class,
                &at,
            ),
        };
    }
    Ok(Answer::unknown())
}

/// What is answered where no method handles the exception.
fn by_status(
    machine: &mut Machine<'_>,
    bench: &Bench<'_>,
    rule: Option<(u16, i64)>,
    class: &ClassRef,
    thrown: &Thrown,
) -> Eval<Answer> {
    let carries = |name: &str| hierarchy::is_below(machine.project, class, &ClassRef::library(name)) == Some(true);
    let jax_rs = bench.subject.endpoint.framework == Framework::JaxRs;
    let own = if jax_rs {
        carries("javax.ws.rs.WebApplicationException") || carries("jakarta.ws.rs.WebApplicationException")
    } else {
        carries(spring::STATUS_EXCEPTION)
    };
    if own {
        let parts = thrown.object.map(|id| machine.object(id).parts.clone()).unwrap_or_default();
        let status = parts
            .get("status")
            .and_then(Value::scalar)
            .and_then(Scalar::as_int)
            .and_then(|code| u16::try_from(code).ok());
        return Ok(Answer { status, body: AnswerBody::Unknown, exception: None });
    }
    let status = rule.map_or(500, |(status, _)| status);
    Ok(Answer { status: Some(status), body: AnswerBody::Unknown, exception: None })
}

/// Runs a handler method on the exception.
fn handler(machine: &mut Machine<'_>, bench: &Bench<'_>, rule: &ExceptionRule, thrown: &Thrown) -> Eval<Answer> {
    let Some(method) = rule.handler else { return Ok(Answer::unknown()) };
    let exit = machine.exit;
    let params = machine.project.member(method).params.clone();
    let object =
        thrown.object.map_or_else(|| Value::unknown("an exception that is not known", Type::Unknown), Value::Ref);
    let mut args = Vec::new();
    for param in &params {
        let ty = machine.type_of(method.ty, &param.ty);
        let throwable = match &ty {
            Type::Class(class, _) => {
                hierarchy::is_below(machine.project, class, &ClassRef::library("java.lang.Throwable")) != Some(false)
                    && thrown
                        .class
                        .as_ref()
                        .is_some_and(|own| hierarchy::is_below(machine.project, own, class) != Some(false))
            }
            _ => false,
        };
        let library = matches!(&ty, Type::Class(ClassRef::Library(fqn), _) if ["Request", "Response", "Locale", "HandlerMethod", "HttpHeaders"].iter().any(|part| fqn.contains(part)));
        args.push(if throwable && !library {
            object.clone()
        } else {
            machine.unknown(&format!("{} is given by the framework", param.name), ty)
        });
    }
    let this = match (machine.is_static(method), rule.advice) {
        (true, _) => None,
        (false, Some(advice)) => Some(Value::Ref(machine.bean(advice)?)),
        (false, None) => Some(Value::Ref(machine.bean(method.ty)?)),
    };
    let result = machine.invoke(method, this, args);
    machine.exit = exit;
    match result {
        Ok(value) => {
            let status = annotated_status(machine, method).or(rule.status);
            let facts = machine.project.member(method);
            let view = !has(&facts.annotations, &["ResponseBody"])
                && !rule.advice.is_some_and(|advice| {
                    has(
                        &machine.project.ty(advice).annotations,
                        &["RestControllerAdvice", "RestController", "ResponseBody", "Provider"],
                    )
                })
                && bench.subject.endpoint.framework != Framework::JaxRs;
            if view && matches!(value, Value::Scalar(Scalar::Str(_)) | Value::Unknown(_)) {
                machine.doubt("an exception handler names a view");
            }
            let void = facts.ty.as_ref().is_some_and(|ty| ty.name == "void");
            if void && status.is_none() {
                machine.doubt("an exception handler writes the answer by itself");
                return Ok(Answer::unknown());
            }
            returned(machine, bench, &value, method, status)
        }
        // A handler that fails leaves the exception to the framework.
        Err(Stop::Throw(_)) => {
            machine.doubt("an exception handler may fail");
            Ok(Answer::unknown())
        }
        Err(cut) => Err(cut),
    }
}

/// The status that `@ResponseStatus` on a method sets.
fn annotated_status(machine: &Machine<'_>, method: MemberId) -> Option<u16> {
    let annotation = machine.project.member(method).annotations.iter().find(|a| a.simple() == "ResponseStatus")?;
    let arg = annotation.arg("value").or_else(|| annotation.arg("code"))?;
    match arg {
        Arg::Name(name) => status::of_name(name.rsplit('.').next()?),
        _ => None,
    }
}
