//! Answers to exceptions: how the framework answers an exception that a handler throws.

use super::guards::DENIED;
use super::respond::returned;
use super::serve::Server;
use crate::body::shape::{Answer, AnswerBody};
use crate::request::dispatched::REFUSED;
use mastor_frameworks::advice::{self, ExceptionRule};
use mastor_frameworks::record::{Advice, Places, Refusals};
use mastor_java::interpret::classes::hierarchy;
use mastor_java::interpret::classes::objects::has;
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::base::support::{Fail, invoke};
use mastor_java::interpret::paths::path::Thrown;
use mastor_java::interpret::values::scalar::{ClassRef, Scalar};
use mastor_java::interpret::values::value::{Type, Value};
use mastor_java::ir::facts::Value as Arg;
use mastor_java::ir::ids::MemberId;
use mastor_types::status;

impl Server<'_> {
    /// The answer to a thrown exception.
    pub fn thrown(&self, machine: &mut Machine<'_>, thrown: &Thrown) -> Eval<Answer> {
        let name = |class: &ClassRef| machine.class_name(class).rsplit('.').next().unwrap_or_default().to_owned();
        let exception = thrown.class.as_ref().map(name);
        let mut answer = answer(machine, self, thrown)?;
        answer.exception = exception;
        answer.thrown = thrown.object;
        Ok(answer)
    }
}

fn answer(machine: &mut Machine<'_>, server: &Server<'_>, thrown: &Thrown) -> Eval<Answer> {
    let bench = server.bench;
    let subject = bench.subject;
    let failures = &subject.endpoint.framework.failures;
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
        if server.is_dispatched() {
            return Ok(dispatched(machine, server, &class));
        }
        if let (Refusals::ByPlace(places), ClassRef::Library(fqn)) =
            (subject.endpoint.framework.binding.refusals, &class)
            && **fqn == *places.unreadable
        {
            return Ok(unreadable(machine, server, places));
        }
        if failures.sends_carried && carries_body(machine, server, &class, &at) {
            return by_status(machine, server, None, &class, &at);
        }
        // It depends on the release whether advice handles exceptions of functional handlers.
        if failures.advice == Advice::Uncertain
            && advice::rule_for(subject.project, subject.exceptions, subject.endpoint, &name)
                .is_some_and(|rule| rule.handler.is_some())
        {
            machine.doubt("whether advice answers for a router function is not known");
            return Ok(Answer::unknown());
        }
        let cause = at.object.and_then(|id| machine.object(id).parts.get("cause").cloned());
        let found = advice::rule_for(subject.project, subject.exceptions, subject.endpoint, &name);
        // The causes of an exception are matched with handlers too, before the framework's default handling.
        if failures.asks_causes
            && found.is_none_or(|rule| rule.rank == advice::DEFAULT)
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
            Some(rule) if rule.handler.is_some_and(|handler| takes_other(machine, handler, &at)) => {
                let without: Vec<ExceptionRule> =
                    subject.exceptions.iter().filter(|rule| rule.handler.is_none()).cloned().collect();
                let rule = advice::rule_for(subject.project, &without, subject.endpoint, &name);
                let status = rule.and_then(|rule| rule.status.map(|status| (status, rule.rank)));
                by_status(machine, server, status, &class, &at)
            }
            Some(rule) if rule.handler.is_some() => {
                let before = std::mem::take(&mut machine.members);
                let answer = handler(machine, server, &rule.clone(), &at);
                let handled_by = std::mem::replace(&mut machine.members, before);
                machine.members.extend(handled_by.iter().copied());
                Ok(Answer { handled_by, ..answer? })
            }
            found => by_status(
                machine,
                server,
                found.and_then(|rule| rule.status.map(|status| (status, rule.rank))),
                &class,
                &at,
            ),
        };
    }
    Ok(Answer::unknown())
}

/// Whether a handler method has a parameter of an exception class that neither the thrown exception nor its cause is an
/// instance of. Spring then cannot call the method and asks its next resolver (`ExceptionHandlerExceptionResolver`).
fn takes_other(machine: &Machine<'_>, handler: MemberId, thrown: &Thrown) -> bool {
    let Some(own) = &thrown.class else { return false };
    let throwable = ClassRef::library("java.lang.Throwable");
    let cause = thrown.object.and_then(|id| machine.object(id).parts.get("cause"));
    // An exception of the project whose constructor hands on no cause has none.
    if thrown.object.is_none() || cause.is_some_and(|cause| !cause.is_null()) {
        return false;
    }
    machine.project.member(handler).params.iter().any(|param| match machine.type_of(handler.ty, &param.ty) {
        Type::Class(class, _) => {
            hierarchy::is_below(machine.project, &class, &throwable) == Some(true)
                && hierarchy::is_below(machine.project, own, &class) == Some(false)
        }
        _ => false,
    })
}

/// Whether an exception carries a response with a body. That response is then the answer; mappers are asked only if it
/// has no body (Jakarta RESTful Web Services 3.1, section 3.3.4).
fn carries_body(machine: &Machine<'_>, server: &Server<'_>, class: &ClassRef, thrown: &Thrown) -> bool {
    let carriers = server.bench.subject.endpoint.framework.failures.carriers;
    let carries = |name: &str| hierarchy::is_below(machine.project, class, &ClassRef::library(name)) == Some(true);
    let body = thrown.object.and_then(|id| machine.object(id).parts.get("body"));
    carriers.iter().any(|name| carries(name))
        && matches!(body, Some(Value::Ref(_) | Value::Scalar(_)) if !body.is_some_and(Value::is_null))
}

/// Inflector's answer: the status of its own refusal, or 500.
fn dispatched(machine: &mut Machine<'_>, server: &Server<'_>, class: &ClassRef) -> Answer {
    let status = match (&server.bench.surroundings.dispatched, class) {
        (Some(dispatched), ClassRef::Library(fqn)) if **fqn == *REFUSED => Some(dispatched.invalid()),
        (Some(_), class) if !machine.class_name(class).ends_with("ApiException") => Some(500),
        _ => {
            machine.doubt("what an exception of Inflector says is not modelled");
            None
        }
    };
    Answer::of(status, AnswerBody::Unknown)
}

/// The answer if Jackson refuses a body. It comes from the runtime's own mappers, because their exception types are
/// more specific than those that most projects map.
fn unreadable(machine: &mut Machine<'_>, server: &Server<'_>, places: &Places) -> Answer {
    let named = |rule: &ExceptionRule| match &rule.exception {
        advice::Thrown::Library(name) => places.shared.contains(&name.rsplit('.').next().unwrap_or(name)),
        advice::Thrown::Project(_) => false,
    };
    if server.bench.subject.exceptions.iter().any(named) {
        machine.doubt("which mapper answers what Jackson refuses");
    }
    Answer::of(Some(400), AnswerBody::Unknown)
}

/// The answer to an exception without a handler method.
fn by_status(
    machine: &mut Machine<'_>,
    server: &Server<'_>,
    rule: Option<(u16, i64)>,
    class: &ClassRef,
    thrown: &Thrown,
) -> Eval<Answer> {
    let carries = |name: &str| hierarchy::is_below(machine.project, class, &ClassRef::library(name)) == Some(true);
    let failures = &server.bench.subject.endpoint.framework.failures;
    let shown = |machine: &mut Machine<'_>, status: u16| match failures.has_error_page {
        true => server.shown(machine, status),
        false => Some(status),
    };
    if failures.carriers.iter().any(|name| carries(name)) {
        let parts = thrown.object.map(|id| machine.object(id).parts.clone()).unwrap_or_default();
        let status = parts
            .get("status")
            .and_then(Value::scalar)
            .and_then(Scalar::as_int)
            .and_then(|code| u16::try_from(code).ok());
        let status = status.and_then(|status| shown(machine, status));
        return Ok(Answer::of(status, AnswerBody::Unknown));
    }
    if failures.denies_by_chain && carries(DENIED) && rule.is_none_or(|(_, rank)| rank == advice::DEFAULT) {
        return Ok(server.denied(machine));
    }
    if rule.is_none()
        && let Some((filter, caught)) = server.caught()
    {
        if caught.status.is_none() {
            machine.doubt(&format!("what {filter} answers where a handler fails"));
        }
        let status = match caught.status {
            Some(status) if caught.is_error => shown(machine, status),
            status => status,
        };
        return Ok(Answer::of(status, AnswerBody::Unknown));
    }
    if rule.is_none()
        && let Some(above) = foreign(machine, class)
    {
        // The library that defines such exceptions may also handle them (for example Zalando's Problem library).
        machine.doubt(&format!("what {above} is answered by"));
        return Ok(Answer::unknown());
    }
    let status = rule.map_or(failures.uncaught, |(status, _)| status);
    let status = shown(machine, status);
    Ok(Answer::of(status, AnswerBody::Unknown))
}

/// The library class that a project exception extends, if it belongs neither to Java nor to a framework.
fn foreign(machine: &Machine<'_>, class: &ClassRef) -> Option<String> {
    const KNOWN: [&str; 6] = ["java.", "javax.", "jakarta.", "org.springframework.", "io.micronaut.", "io.quarkus."];
    let ClassRef::Project(ty) = class else { return None };
    let above = machine.project.library_supers(*ty).into_iter().find(|name| {
        (name.ends_with("Exception") || name.ends_with("Error") || name.ends_with("Problem"))
            && !KNOWN.iter().any(|start| name.starts_with(start))
    });
    above.map(str::to_owned)
}

/// Runs a handler method on the exception.
fn handler(machine: &mut Machine<'_>, server: &Server<'_>, rule: &ExceptionRule, thrown: &Thrown) -> Eval<Answer> {
    let bench = server.bench;
    let Some(method) = rule.handler else { return Ok(Answer::unknown()) };
    let exit = machine.exit;
    let params = machine.project.member(method).params.clone();
    let opaque = match &thrown.class {
        Some(class) if machine.is_opaque() => machine.opaque_exception(Type::Class(class.clone(), Vec::new())),
        _ => None,
    };
    let object = match thrown.object {
        Some(id) => Value::Ref(id),
        None => opaque.unwrap_or_else(|| Value::unknown("an exception that is not known", Type::Unknown)),
    };
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
            // The parameter type is a type variable: `<T extends RuntimeException> … (T exception)`.
            Type::Unknown => machine.project.member(method).type_params.iter().any(|own| own.name == param.ty.name),
            _ => false,
        };
        const GIVEN: [&str; 5] = ["Request", "Response", "Locale", "HandlerMethod", "HttpHeaders"];
        // The filter compares parts of the type's name, so exceptions such as `ResponseStatusException` are excluded
        // first.
        let library = ty.library().is_some_and(|fqn| {
            !fqn.ends_with("Exception") && !fqn.ends_with("Error") && GIVEN.iter().any(|part| fqn.contains(part))
        });
        args.push(if throwable && !library {
            object.clone()
        } else if let Some(value) = server.given_type(machine, &ty) {
            value
        } else {
            machine.given_by_framework(&param.name, ty)
        });
    }
    let this = match (machine.is_static(method), rule.advice) {
        (true, _) => None,
        (false, Some(advice)) => Some(Value::Ref(machine.bean(advice)?)),
        (false, None) => Some(Value::Ref(machine.bean(method.ty)?)),
    };
    let result = match machine.invoke(method, this, args) {
        // A factory method returns an `ExceptionHandler` object, whose `handle` is called.
        Ok(made) if machine.project.member(method).ty.as_ref().is_some_and(|ty| ty.simple() == "ExceptionHandler") => {
            let request = machine.given_by_framework("request", Type::Unknown);
            match invoke(machine, &made, "handle", vec![request, object]) {
                Ok(value) => Ok(value),
                Err(Fail::Stop(stop)) => Err(stop),
                Err(Fail::Open(why)) => Ok(machine.unknown(&why, Type::Unknown)),
            }
        }
        result => result,
    };
    machine.exit = exit;
    match result {
        Ok(value) => {
            let value = server.settle(machine, value)?;
            let status = annotated_status(machine, method).or(rule.status);
            let facts = machine.project.member(method);
            let view = !has(&facts.annotations, &["ResponseBody"])
                && !rule.advice.is_some_and(|advice| {
                    has(
                        &machine.project.ty(advice).annotations,
                        &["RestControllerAdvice", "RestController", "ResponseBody", "Provider"],
                    )
                })
                && bench.subject.endpoint.framework.failures.names_views;
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
        // If the handler itself fails, the framework handles the original exception.
        Err(Stop::Throw(_)) => {
            machine.doubt("an exception handler may fail");
            Ok(Answer::unknown())
        }
        Err(cut) => Err(cut),
    }
}

/// The status from `@ResponseStatus` on a method.
fn annotated_status(machine: &Machine<'_>, method: MemberId) -> Option<u16> {
    let annotation = machine.project.member(method).annotations.iter().find(|a| a.simple() == "ResponseStatus")?;
    let arg = annotation.arg("value").or_else(|| annotation.arg("code"))?;
    match arg {
        Arg::Name(name) => status::of_name(name.rsplit('.').next()?),
        _ => None,
    }
}
