//! The exceptions that an operation may meet, and with them the exception handlers that it can notice.

use crate::compare::objects::handed::{creates_exactly, handed, members_around};
use crate::compare::objects::reads_only::only_reads;
use crate::compare::sides::side::Side;
use mastor_frameworks::advice;
use mastor_java::ir::facts::{MemberFacts, TypeRef, Value};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// Exceptions of stores that only writing causes, by simple name.
const OF_WRITING: [&str; 7] = [
    "DataIntegrityViolationException",
    "DuplicateKeyException",
    "EntityExistsException",
    "ObjectOptimisticLockingFailureException",
    "OptimisticLockException",
    "OptimisticLockingFailureException",
    "TransactionSystemException",
];

/// Packages of libraries whose exceptions only code that uses the library meets, with the packages by which code uses it.
const BY_USE: [(&str, &[&str]); 8] = [
    ("org.springframework.security.", &["org.springframework.security."]),
    ("io.jsonwebtoken.", &["io.jsonwebtoken."]),
    ("com.auth0.jwt.", &["com.auth0.jwt."]),
    ("com.nimbusds.", &["com.nimbusds.", "org.springframework.security."]),
    ("feign.", &["feign.", "org.springframework.cloud.openfeign."]),
    ("com.stripe.", &["com.stripe."]),
    ("jakarta.mail.", &["jakarta.mail.", "org.springframework.mail."]),
    ("org.springframework.mail.", &["jakarta.mail.", "javax.mail.", "org.springframework.mail."]),
];

/// Annotations that let a framework refuse the caller of a method.
const GUARDING: [&str; 5] = ["PreAuthorize", "PostAuthorize", "Secured", "RolesAllowed", "DenyAll"];

/// The exception types that a handler takes.
pub(in crate::compare) fn handled(facts: &MemberFacts) -> Vec<&TypeRef> {
    let said = facts.annotations.iter().filter(|one| one.simple() == "ExceptionHandler");
    let mut all: Vec<&TypeRef> = said.flat_map(|one| one.args.iter().flat_map(|(_, value)| classes(value))).collect();
    if all.is_empty() {
        all.extend(facts.params.first().map(|param| &param.ty));
    }
    all
}

fn classes(value: &Value) -> Vec<&TypeRef> {
    match value {
        Value::Class(ty) => vec![ty],
        Value::Array(all) => all.iter().flat_map(classes).collect(),
        _ => Vec::new(),
    }
}

/// Whether the operation may meet an exception that a handler of `this` revision takes. Exceptions of the project are met
/// where code of the operation creates one, those of some libraries where its code uses the library; others anywhere.
pub(super) fn handler_is_noticed(this: &Side<'_>, other: &Side<'_>, member: MemberId) -> bool {
    let project = this.bench.subject.project;
    handled(project.member(member)).into_iter().any(|ty| match project.resolve(member.ty, &ty.name) {
        Named::Project(of) => [this, other].into_iter().any(|side| created((this, member), side, of)),
        Named::Library(name) => [this, other].into_iter().any(|side| may_be_thrown(side, &name)),
        _ => true,
    })
}

/// Whether both revisions of a member are exception handlers for exceptions that the operation meets in neither.
pub(super) fn is_unnoticed_handler((old, was): (&Side<'_>, MemberId), (new, is): (&Side<'_>, MemberId)) -> bool {
    let handles = |side: &Side<'_>, member: MemberId| {
        let facts = side.bench.subject.project.member(member);
        facts.annotations.iter().any(|one| one.simple() == "ExceptionHandler")
    };
    handles(old, was) && handles(new, is) && !handler_is_noticed(old, new, was) && !handler_is_noticed(new, old, is)
}

/// Whether the operation's code on `side`, or code around it, creates an exception of this class or one of its subclasses
/// that this handler answers, and no closer one.
fn created((this, handler): (&Side<'_>, MemberId), side: &Side<'_>, class: TypeId) -> bool {
    let subject = this.bench.subject;
    let project = subject.project;
    let is_answered_here = |class: TypeId| {
        let thrown = advice::Thrown::Project(class);
        let rule = advice::rule_for(project, subject.exceptions, subject.endpoint, &thrown);
        let taken = rule.and_then(|rule| rule.handler);
        taken.is_none_or(|taken| taken == handler || project.overridden(taken).contains(&handler))
    };
    let is_met = |class: TypeId| {
        side.class(project.fqn(class)).is_some_and(|own| creates_exactly(side, own)) && is_answered_here(class)
    };
    std::iter::once(class).chain(project.all_subtypes(class)).any(is_met)
}

/// Whether a library may throw this exception to the operation's code, or to the framework that calls it.
fn may_be_thrown(side: &Side<'_>, name: &str) -> bool {
    let simple = name.rsplit('.').next().unwrap_or(name);
    if OF_WRITING.contains(&simple) {
        return !only_reads(side);
    }
    let Some((_, uses)) = BY_USE.iter().find(|(package, _)| name.starts_with(package)) else { return true };
    let project = side.bench.subject.project;
    // Code around handlers may hand its exceptions to the handlers.
    let hands_over = || imports_any(project, members_around(side).iter(), &["HandlerExceptionResolver"]);
    let is_guarded = || {
        name.starts_with("org.springframework.security.")
            && handed(side).members.iter().any(|member| may_be_guarded(project, *member))
    };
    // The handlers of an exception name it, whoever throws it.
    let handles = |member: &&MemberId| {
        member.ty != side.bench.subject.endpoint.receiver
            && project
                .ty(member.ty)
                .members
                .iter()
                .any(|one| one.annotations.iter().any(|one| one.simple() == "ExceptionHandler"))
    };
    let own = handed(side).members.iter().filter(|member| !handles(member));
    // Interceptors, aspects and argument resolvers throw to the handlers as well.
    let of_around = || imports_any(project, members_around(side).iter().filter(|member| !handles(member)), uses);
    is_guarded() || imports_any(project, own, uses) || of_around() || hands_over()
}

/// Whether a framework may refuse the caller of a method: an annotation of it, of its class or of what it overrides says so, or
/// is one of the project's own, which may be made of such ones.
fn may_be_guarded(project: &Project, member: MemberId) -> bool {
    let overridden = project.overridden(member);
    let methods = std::iter::once(member).chain(overridden);
    let types = std::iter::once(member.ty).chain(project.all_supers(member.ty));
    let of_methods = methods.flat_map(|one| project.member(one).annotations.iter().map(move |said| (one.ty, said)));
    let of_types = types.flat_map(|ty| project.ty(ty).annotations.iter().map(move |said| (ty, said)));
    let mut all = of_methods.chain(of_types);
    all.any(|(scope, said)| {
        GUARDING.contains(&said.simple()) || project.resolve(scope, said.simple()).project().is_some()
    })
}

/// Whether the file of one of these members names a type, by an import or in full, whose name contains one of these texts.
fn imports_any<'m>(project: &Project, members: impl Iterator<Item = &'m MemberId>, texts: &[&str]) -> bool {
    members.into_iter().any(|member| {
        let facts = &project.file(project.file_of(member.ty)).facts;
        let named = facts.imports.iter().map(|one| &one.path).chain(&facts.type_words);
        named.into_iter().any(|one| texts.iter().any(|text| format!("{one}.").contains(text)))
    })
}
