//! Spring's exception handling: `@ExceptionHandler` in controllers and advice, `@ResponseStatus` on exceptions, and the
//! framework's own defaults.

use super::names::{RESPONSE_STATUS, WEB};
use crate::advice::{ANNOTATED, DEFAULT, ExceptionRule, LOCAL, Refusable, Scope, Thrown};
use crate::code::annotations::{MatchedAnnotation, find};
use crate::code::inheritance::{methods, static_methods};
use crate::endpoint::Endpoint;
use crate::record::Advice;
use crate::routing::Inputs;
use mastor_java::ir::facts::Annotation;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_types::status;

/// `@ControllerAdvice` and its composed annotation.
pub const ADVICE: [&str; 2] = [
    "org.springframework.web.bind.annotation.ControllerAdvice",
    "org.springframework.web.bind.annotation.RestControllerAdvice",
];

/// The framework's default statuses (`DefaultHandlerExceptionResolver`, and Spring Security's translation).
pub const DEFAULTS: [(&str, u16); 22] = [
    ("org.springframework.http.converter.HttpMessageNotReadableException", 400),
    ("org.springframework.http.converter.HttpMessageNotWritableException", 500),
    ("org.springframework.web.bind.MethodArgumentNotValidException", 400),
    ("org.springframework.web.method.annotation.HandlerMethodValidationException", 400),
    ("org.springframework.web.method.annotation.MethodArgumentTypeMismatchException", 400),
    ("org.springframework.web.bind.MissingServletRequestParameterException", 400),
    ("org.springframework.web.bind.MissingRequestHeaderException", 400),
    ("org.springframework.web.bind.MissingRequestCookieException", 400),
    ("org.springframework.web.bind.ServletRequestBindingException", 400),
    ("org.springframework.web.multipart.support.MissingServletRequestPartException", 400),
    ("org.springframework.beans.TypeMismatchException", 400),
    ("org.springframework.validation.BindException", 400),
    ("org.springframework.web.HttpRequestMethodNotSupportedException", 405),
    ("org.springframework.web.HttpMediaTypeNotAcceptableException", 406),
    ("org.springframework.web.HttpMediaTypeNotSupportedException", 415),
    ("org.springframework.web.servlet.NoHandlerFoundException", 404),
    ("org.springframework.web.servlet.resource.NoResourceFoundException", 404),
    ("org.springframework.web.bind.MissingPathVariableException", 500),
    ("org.springframework.beans.ConversionNotSupportedException", 500),
    ("org.springframework.web.context.request.async.AsyncRequestTimeoutException", 503),
    ("org.springframework.security.access.AccessDeniedException", 403),
    ("org.springframework.security.core.AuthenticationException", 401),
];

/// Exceptions that only the framework creates, with the part of a request whose refusal they report (Spring Framework
/// reference, "Web MVC", "Exceptions", and the classes' documentation).
const REFUSING: [(&str, Refusable); 14] = [
    ("org.springframework.http.converter.HttpMessageNotReadableException", Refusable::Body),
    ("org.springframework.web.bind.MethodArgumentNotValidException", Refusable::Validated),
    ("org.springframework.web.bind.support.WebExchangeBindException", Refusable::Validated),
    ("org.springframework.validation.BindException", Refusable::Validated),
    ("org.springframework.web.method.annotation.HandlerMethodValidationException", Refusable::Validated),
    ("org.springframework.web.bind.MissingServletRequestParameterException", Refusable::Required),
    ("org.springframework.web.bind.MissingRequestHeaderException", Refusable::Required),
    ("org.springframework.web.bind.MissingRequestCookieException", Refusable::Required),
    ("org.springframework.web.multipart.support.MissingServletRequestPartException", Refusable::Required),
    ("org.springframework.web.method.annotation.MethodArgumentTypeMismatchException", Refusable::Converted),
    ("org.springframework.web.bind.MissingPathVariableException", Refusable::Unmapped),
    ("org.springframework.web.servlet.NoHandlerFoundException", Refusable::Unmapped),
    ("org.springframework.web.servlet.resource.NoResourceFoundException", Refusable::Unmapped),
    ("org.springframework.web.HttpRequestMethodNotSupportedException", Refusable::Unmapped),
];

/// Methods of `ResponseEntityExceptionHandler`, with the exception that each handles.
const OVERRIDABLE: [(&str, &str); 16] = [
    ("handleHttpMessageNotReadable", "org.springframework.http.converter.HttpMessageNotReadableException"),
    ("handleHttpMessageNotWritable", "org.springframework.http.converter.HttpMessageNotWritableException"),
    ("handleMethodArgumentNotValid", "org.springframework.web.bind.MethodArgumentNotValidException"),
    (
        "handleHandlerMethodValidationException",
        "org.springframework.web.method.annotation.HandlerMethodValidationException",
    ),
    ("handleMissingServletRequestParameter", "org.springframework.web.bind.MissingServletRequestParameterException"),
    ("handleServletRequestBindingException", "org.springframework.web.bind.ServletRequestBindingException"),
    ("handleMissingServletRequestPart", "org.springframework.web.multipart.support.MissingServletRequestPartException"),
    ("handleMissingPathVariable", "org.springframework.web.bind.MissingPathVariableException"),
    ("handleTypeMismatch", "org.springframework.beans.TypeMismatchException"),
    ("handleBindException", "org.springframework.validation.BindException"),
    ("handleHttpRequestMethodNotSupported", "org.springframework.web.HttpRequestMethodNotSupportedException"),
    ("handleHttpMediaTypeNotAcceptable", "org.springframework.web.HttpMediaTypeNotAcceptableException"),
    ("handleHttpMediaTypeNotSupported", "org.springframework.web.HttpMediaTypeNotSupportedException"),
    ("handleNoHandlerFoundException", "org.springframework.web.servlet.NoHandlerFoundException"),
    ("handleNoResourceFoundException", "org.springframework.web.servlet.resource.NoResourceFoundException"),
    ("handleConversionNotSupported", "org.springframework.beans.ConversionNotSupportedException"),
];

/// All exception rules of Spring, for the controllers of these endpoints.
pub fn rules(inputs: &Inputs<'_>, endpoints: &[Endpoint]) -> Vec<ExceptionRule> {
    let project = inputs.project;
    let mut rules = Vec::new();
    let mut controllers: Vec<TypeId> = endpoints
        .iter()
        .filter(|endpoint| matches!(endpoint.framework.failures.advice, Advice::Controllers | Advice::Uncertain))
        .map(|endpoint| endpoint.receiver)
        .collect();
    controllers.sort_unstable();
    controllers.dedup();
    if controllers.is_empty() {
        return rules;
    }
    for ty in &controllers {
        let scope = Scope { local: Some(*ty), family: Some(Advice::Controllers), ..Scope::default() };
        handlers(inputs, *ty, &scope, LOCAL, &mut rules);
    }
    for ty in project.types() {
        let annotations = &project.ty(ty).annotations;
        if let Some(found) = find(project, ty, annotations, &ADVICE) {
            let scope = scope_of(inputs, &found);
            let rank = order(inputs, ty, annotations);
            handlers(inputs, ty, &scope, rank, &mut rules);
            overridden(inputs, ty, &scope, rank, &mut rules);
        }
        if annotations.iter().any(|annotation| annotation.simple() == "ResponseStatus")
            && let Some(status) = response_status(inputs, ty, annotations)
        {
            let scope = Scope { family: Some(Advice::Controllers), ..Scope::default() };
            rules.push(ExceptionRule {
                exception: Thrown::Project(ty),
                handler: None,
                advice: Some(ty),
                status: Some(status),
                scope,
                rank: ANNOTATED,
            });
        }
    }
    for (exception, status) in DEFAULTS {
        let scope = Scope { family: Some(Advice::Controllers), ..Scope::default() };
        rules.push(ExceptionRule {
            exception: Thrown::Library(exception.to_owned()),
            handler: None,
            advice: None,
            status: Some(status),
            scope,
            rank: DEFAULT,
        });
    }
    for (exception, part) in REFUSING {
        let is_of = |rule: &&mut ExceptionRule| match &rule.exception {
            Thrown::Library(name) => {
                name == exception || (!name.contains('.') && exception.ends_with(&format!(".{name}")))
            }
            Thrown::Project(_) => false,
        };
        let mut of_exception = rules.iter_mut().filter(|rule| rule.handler.is_some()).filter(is_of).peekable();
        if of_exception.peek().is_some() && !is_created(inputs, exception) {
            of_exception.for_each(|rule| rule.scope.part = Some(part));
        }
    }
    rules
}

/// Whether code of the project creates an exception of this library class.
fn is_created(inputs: &Inputs<'_>, exception: &str) -> bool {
    let project = inputs.project;
    let (package, name) = exception.rsplit_once('.').unwrap_or_default();
    let created = format!("new {name}(");
    project.files().any(|file| {
        let mut imports = project.file(file).facts.imports.iter();
        let names = imports.any(|one| one.path == exception || (one.wildcard && one.path == package));
        names && project.text(file).is_some_and(|text| text.contains(&created))
    })
}

fn response_status(inputs: &Inputs<'_>, scope: TypeId, annotations: &[Annotation]) -> Option<u16> {
    let found = find(inputs.project, scope, annotations, &[RESPONSE_STATUS])?;
    ["code", "value"].iter().find_map(|name| status::of_names(&found.names(name)))
}

/// The value of `@Order`, if it is a constant; advice without one comes last.
fn order(inputs: &Inputs<'_>, ty: TypeId, annotations: &[Annotation]) -> i64 {
    let lowest = i64::from(i32::MAX);
    let Some(found) = find(inputs.project, ty, annotations, &["org.springframework.core.annotation.Order"]) else {
        return lowest;
    };
    match found.string(inputs.project, &["value"]).and_then(|text| text.parse().ok()) {
        Some(order) => order,
        None if found.names("value").iter().any(|name| name == "HIGHEST_PRECEDENCE") => i64::from(i32::MIN),
        None => lowest,
    }
}

/// The controllers to which an advice applies.
pub fn scope_of(inputs: &Inputs<'_>, found: &MatchedAnnotation) -> Scope {
    let project = inputs.project;
    let mut scope = Scope { family: Some(Advice::Controllers), ..Scope::default() };
    for name in ["value", "basePackages"] {
        scope.packages.extend(found.strings(project, &[name]).map(|(strings, _)| strings).unwrap_or_default());
    }
    for (named, _) in found.classes(project, &["basePackageClasses"]) {
        if let Named::Project(id) = named {
            scope.packages.push(project.package_of(id).to_owned());
        }
    }
    for (named, _) in found.classes(project, &["assignableTypes"]) {
        scope.types.extend(named.project());
    }
    for (named, _) in found.classes(project, &["annotations"]) {
        match named {
            Named::Project(id) => scope.annotations.push(project.fqn(id).to_owned()),
            Named::Library(name) | Named::Unknown(name) => scope.annotations.push(name),
            _ => {}
        }
    }
    scope
}

fn handlers(inputs: &Inputs<'_>, ty: TypeId, scope: &Scope, rank: i64, rules: &mut Vec<ExceptionRule>) {
    let project = inputs.project;
    // Spring finds static methods too (`MethodIntrospector`).
    for method in methods(project, ty).into_iter().chain(static_methods(project, ty)) {
        let Some((declared, found)) = method.declarations.iter().find_map(|declared| {
            let annotations = &project.member(*declared).annotations;
            if !annotations.iter().any(|annotation| annotation.simple() == "ExceptionHandler") {
                return None;
            }
            find(project, declared.ty, annotations, &[&format!("{WEB}.ExceptionHandler")])
                .map(|found| (*declared, found))
        }) else {
            continue;
        };
        let status = response_status(inputs, declared.ty, &project.member(declared).annotations);
        let mut exceptions: Vec<Thrown> =
            found.classes(project, &["value", "exception"]).iter().filter_map(|(named, _)| Thrown::of(named)).collect();
        if exceptions.is_empty() {
            let params = &project.member(method.entry).params;
            exceptions.extend(
                params
                    .iter()
                    .filter(|param| is_exception(inputs, method.entry, &param.ty.name))
                    .filter_map(|param| Thrown::of(&project.resolve(method.entry.ty, &param.ty.name))),
            );
        }
        for exception in exceptions {
            rules.push(ExceptionRule {
                exception,
                handler: Some(method.entry),
                advice: Some(ty),
                status,
                scope: scope.clone(),
                rank,
            });
        }
    }
}

fn is_exception(inputs: &Inputs<'_>, member: MemberId, name: &str) -> bool {
    let simple = name.rsplit('.').next().unwrap_or(name);
    simple.ends_with("Exception") || simple.ends_with("Error") || simple == "Throwable" || {
        let named = inputs.project.resolve(member.ty, name);
        named.project().is_some_and(|id| {
            crate::advice::supertypes(inputs.project, &Thrown::Project(id))
                .contains(&Thrown::Library("java.lang.Throwable".to_owned()))
        })
    }
}

/// An advice that extends `ResponseEntityExceptionHandler` handles the framework's own exceptions.
fn overridden(inputs: &Inputs<'_>, ty: TypeId, scope: &Scope, rank: i64, rules: &mut Vec<ExceptionRule>) {
    let project = inputs.project;
    let extends = std::iter::once(ty).chain(project.all_supers(ty)).any(|above| {
        project.supers(above).iter().any(|parent| match &parent.named {
            Named::Library(name) | Named::Unknown(name) => {
                name.rsplit('.').next() == Some("ResponseEntityExceptionHandler")
            }
            _ => false,
        })
    });
    if !extends {
        return;
    }
    let all = methods(project, ty);
    let named =
        |name: &str| all.iter().find(|method| project.member(method.entry).name == name).map(|method| method.entry);
    let internal = named("handleExceptionInternal");
    for (exception, status) in DEFAULTS.iter().filter(|(exception, _)| !exception.contains(".security.")) {
        let own = OVERRIDABLE.iter().find(|(_, answered)| answered == exception).and_then(|(name, _)| named(name));
        rules.push(ExceptionRule {
            exception: Thrown::Library((*exception).to_owned()),
            handler: own.or(internal),
            advice: Some(ty),
            status: own.is_none().then_some(*status),
            scope: scope.clone(),
            rank,
        });
    }
}
