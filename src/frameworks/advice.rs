//! Exception handling: the exception rules of all frameworks in one form, and the choice of the rule for a thrown
//! exception.

use std::collections::BTreeSet;

use mastor_java::interpret::classes::hierarchy;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

use super::code::annotations;
use super::code::constraints::may_be_checked_for;
use super::code::inheritance::lineage;
use super::endpoint::{Endpoint, Location};
use super::record::Advice;

/// An exception type: of the project, or of a library by its full name (as far as that is known).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thrown {
    /// A type of the project.
    Project(TypeId),
    /// A type of a library.
    Library(String),
}

impl Thrown {
    /// The exception type that a resolved name refers to; an unresolved name keeps its text.
    pub fn of(named: &Named) -> Option<Self> {
        match named {
            Named::Project(id) => Some(Self::Project(*id)),
            Named::Library(name) | Named::Unknown(name) => Some(Self::Library(name.clone())),
            _ => None,
        }
    }
}

/// The requests to which an advice or mapper applies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scope {
    /// Only this controller (and its subtypes).
    pub local: Option<TypeId>,
    /// Packages of the covered controllers. `packages`, `types` and `annotations` are alternatives; if all three are
    /// empty, every controller is covered.
    pub packages: Vec<String>,
    /// Types to which the covered controllers are assignable.
    pub types: Vec<TypeId>,
    /// Annotations of the covered controllers.
    pub annotations: Vec<String>,
    /// Only requests served by code in these files, the application that the advice belongs to; `None` if there is only
    /// one application.
    pub files: Option<BTreeSet<String>>,
    /// Only frameworks that use this family of advice; `None` for all.
    pub family: Option<Advice>,
    /// Only requests with this part; `None` for all.
    pub part: Option<Refusable>,
}

/// A part of a request that the framework may refuse with an exception of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refusable {
    /// A body that is read into an object.
    Body,
    /// A parameter that is validated, or an object that is filled from parameters.
    Validated,
    /// A parameter that must be sent.
    Required,
    /// A parameter that is converted from a string.
    Converted,
    /// The request itself: no operation handles it.
    Unmapped,
}

/// Annotations of parameters whose values are not sent with the request (Spring): request and session attributes, and the
/// authenticated user.
const ATTRIBUTES: [&str; 4] =
    ["AuthenticationPrincipal", "CurrentSecurityContext", "RequestAttribute", "SessionAttribute"];

/// Types of parameters that take the errors of the parameter before them (Spring).
const ERRORS: [&str; 2] = ["BindingResult", "Errors"];

impl Refusable {
    /// Whether requests of this endpoint may have such a part. A value that an unknown resolver provides may be one.
    fn is_part_of(self, endpoint: &Endpoint) -> bool {
        // Errors of a parameter that has `Errors` behind it are handed to the handler (Spring reference, "Validation").
        let reports = |at: usize| endpoint.params.get(at + 1).is_some_and(|next| ERRORS.contains(&next.ty.simple()));
        endpoint.params.iter().enumerate().any(|(at, param)| match (self, param.location) {
            (Self::Unmapped, _) => false,
            (_, Location::Resolved) => !param.constraints.iter().any(|one| ATTRIBUTES.contains(&one.simple())),
            (Self::Body, Location::Body | Location::Part) => true,
            // `HttpEntity` and `RequestEntity` hold a body.
            (Self::Body, Location::Context) => param.ty.simple().ends_with("Entity"),
            (Self::Body, _) => false,
            (Self::Validated, _) if reports(at) => false,
            (Self::Validated, location) => may_be_checked_for(&param.constraints) || location == Location::Model,
            // A path without its variables is another path.
            (Self::Required, Location::Body | Location::Model | Location::Context | Location::Path) => false,
            (Self::Required, _) => param.required,
            (Self::Converted, Location::Body | Location::Part | Location::Context) => false,
            (Self::Converted, _) => param.ty.simple() != "String" || param.ty.dims > 0,
        })
    }
}

impl Scope {
    /// Whether the rule applies to requests of this endpoint.
    pub fn covers(&self, project: &Project, endpoint: &Endpoint) -> bool {
        let advice = endpoint.framework.failures.advice;
        if advice == Advice::Nobody || self.family.is_some_and(|family| !advice.takes(family)) {
            return false;
        }
        if self.files.as_ref().is_some_and(|files| !files.contains(&endpoint.file)) {
            return false;
        }
        if self.part.is_some_and(|part| !part.is_part_of(endpoint)) {
            return false;
        }
        let own = lineage(project, endpoint.receiver);
        if let Some(local) = self.local {
            return own.contains(&local);
        }
        if self.packages.is_empty() && self.types.is_empty() && self.annotations.is_empty() {
            return true;
        }
        let fqn = project.fqn(endpoint.receiver);
        self.packages.iter().any(|package| fqn.starts_with(&format!("{package}.")))
            || self.types.iter().any(|ty| own.contains(ty))
            || self.annotations.iter().any(|name| {
                own.iter().any(|above| annotations::has(project, *above, &project.ty(*above).annotations, &[name]))
            })
    }
}

/// One rule: how an exception is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExceptionRule {
    /// The exception; the rule applies to its subtypes too.
    pub exception: Thrown,
    /// The handler method; `None` if only a status is known.
    pub handler: Option<MemberId>,
    /// The type that the handler belongs to.
    pub advice: Option<TypeId>,
    /// The status that an annotation or the framework sets.
    pub status: Option<u16>,
    /// The requests to which the rule applies.
    pub scope: Scope,
    /// Order of rules: handlers of the controller first, then advice by its order, the framework's own defaults last.
    pub rank: i64,
}

/// Rank of handlers in the controller itself.
pub const LOCAL: i64 = i64::MIN;
/// Rank of `@ResponseStatus` on exceptions.
pub const ANNOTATED: i64 = i64::MAX - 1;
/// Rank of the framework's own defaults.
pub const DEFAULT: i64 = i64::MAX;

/// The rule for an exception that is thrown while an endpoint serves: the lowest rank with a matching rule, and in it
/// the rule for the most specific type. If no rule matches the exception itself, the caller must try its causes.
pub fn rule_for<'r>(
    project: &Project,
    rules: &'r [ExceptionRule],
    endpoint: &Endpoint,
    thrown: &Thrown,
) -> Option<&'r ExceptionRule> {
    let line = supertypes(project, thrown);
    rules
        .iter()
        .filter(|rule| rule.scope.covers(project, endpoint))
        .filter_map(|rule| {
            let distance = line.iter().position(|above| same(project, above, &rule.exception))?;
            // Within one advice the nearest supertype wins; among several advice classes the first with any match. Of
            // mappers the nearest supertype wins (Jakarta RESTful Web Services 3.1, section 4.4).
            let is_mapper = rule.scope.family == Some(Advice::Mappers);
            let advice = if rule.rank == LOCAL || is_mapper { None } else { rule.advice };
            Some(((rule.rank, advice, distance), rule))
        })
        .min_by_key(|(key, _)| *key)
        .map(|(_, rule)| rule)
}

fn same(project: &Project, one: &Thrown, two: &Thrown) -> bool {
    match (one, two) {
        (Thrown::Library(a), Thrown::Library(b)) => {
            let simple = a.rsplit('.').next() == b.rsplit('.').next();
            let renamed = |name: &str| name.replacen("javax.", "jakarta.", 1);
            a == b || (simple && (!a.contains('.') || !b.contains('.') || renamed(a) == renamed(b)))
        }
        (Thrown::Project(a), Thrown::Project(b)) => a == b || project.fqn(*a) == project.fqn(*b),
        _ => false,
    }
}

/// An exception and its superclasses up to `Throwable`, nearest first. For an unknown library class, `Exception` is
/// assumed above it.
pub fn supertypes(project: &Project, thrown: &Thrown) -> Vec<Thrown> {
    let mut line = vec![thrown.clone()];
    let mut at = thrown.clone();
    for _ in 0..64 {
        let next = match &at {
            Thrown::Project(id) => {
                let above = project.supers(*id).iter().find(|above| {
                    !matches!(&above.named, Named::Project(id) if project.ty(*id).kind == mastor_java::ir::facts::TypeKind::Interface)
                });
                match above {
                    Some(above) => Thrown::of(&above.named),
                    None => None,
                }
            }
            Thrown::Library(name) => library_super(project, name).map(Thrown::Library),
        };
        let Some(next) = next else { break };
        if line.contains(&next) {
            break;
        }
        line.push(next.clone());
        at = next;
    }
    line
}

/// Superclasses that are missing from the shared table of exceptions. Keyed by simple name, since packages differ
/// (`javax`, `jakarta`) or are unknown.
const MORE: [(&str, &str); 26] = [
    ("ServletException", "java.lang.Exception"),
    ("HttpRequestMethodNotSupportedException", "jakarta.servlet.ServletException"),
    ("HttpMediaTypeException", "jakarta.servlet.ServletException"),
    ("HttpMediaTypeNotSupportedException", "HttpMediaTypeException"),
    ("HttpMediaTypeNotAcceptableException", "HttpMediaTypeException"),
    ("MissingServletRequestPartException", "jakarta.servlet.ServletException"),
    ("NoHandlerFoundException", "jakarta.servlet.ServletException"),
    ("NoResourceFoundException", "jakarta.servlet.ServletException"),
    ("MissingPathVariableException", "org.springframework.web.bind.MissingRequestValueException"),
    ("MissingRequestCookieException", "org.springframework.web.bind.MissingRequestValueException"),
    ("ConstraintViolationException", "ValidationException"),
    ("ValidationException", "java.lang.RuntimeException"),
    ("PersistenceException", "java.lang.RuntimeException"),
    ("EntityNotFoundException", "PersistenceException"),
    ("EntityExistsException", "PersistenceException"),
    ("NoResultException", "PersistenceException"),
    ("NonUniqueResultException", "PersistenceException"),
    ("OptimisticLockException", "PersistenceException"),
    ("DuplicateKeyException", "org.springframework.dao.DataIntegrityViolationException"),
    ("JpaSystemException", "org.springframework.dao.DataAccessException"),
    ("GeneralSecurityException", "java.lang.Exception"),
    ("MessagingException", "java.lang.Exception"),
    ("JSONException", "java.lang.RuntimeException"),
    ("JsonProcessingException", "java.io.IOException"),
    ("JsonParseException", "JsonProcessingException"),
    ("JsonMappingException", "JsonProcessingException"),
];

/// The superclass of a library exception. An unknown one counts as unchecked, as nearly all exceptions of libraries
/// are.
fn library_super(project: &Project, name: &str) -> Option<String> {
    let simple = name.rsplit('.').next().unwrap_or(name);
    if matches!(simple, "Throwable" | "Object") {
        return None;
    }
    let more = || MORE.iter().find(|(known, _)| *known == simple).map(|(_, above)| (*above).to_owned());
    let guess = || if simple.ends_with("Error") { "java.lang.Error" } else { "java.lang.RuntimeException" }.to_owned();
    hierarchy::library_super(project, name).or_else(more).or_else(|| Some(guess()))
}
