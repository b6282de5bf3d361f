//! Filters and interceptors that were added or removed for an operation, and may answer a request before its handler.

use std::collections::{BTreeMap, BTreeSet};

use crate::compare::sides::side::{Side, change};
use crate::judge::oracle::place;
use mastor_frameworks::jax_rs::filters::Registered;
use mastor_java::interpret::paths::path::Site;
use mastor_java::ir::body::{ExprKind, Lit, StmtKind};
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_runtime::app::catching::statuses_set;
use mastor_types::results::change::{Change, ChangeEffect, Place};

/// Calls with which a filter or interceptor answers.
const ANSWERS: [&str; 5] = ["sendError", "sendRedirect", "setStatus", "getWriter", "abortWith"];
/// The same for reactive filters (Spring, `ServerHttpResponse`).
const ANSWERS_REACTIVE: [&str; 5] =
    ["setStatusCode", "setRawStatusCode", "setComplete", "writeWith", "writeAndFlushWith"];
/// Calls with which a filter sets the caller (Spring Security; wrappers of the Servlet API are not recognised).
const NAMES_CALLER: [&str; 4] = ["setAuthentication", "setContext", "withAuthentication", "withSecurityContext"];
/// Prefix of the doubts about reactive filters.
const WEB_FILTER: &str = "a web filter";

/// Suffix of the doubts about methods that configure the framework.
const CONFIGURES: &str = " configures the framework";

/// The effect of a filter or interceptor on an answer.
struct Answering {
    /// The method with the effect.
    member: MemberId,
    act: FilterEffect,
}

enum FilterEffect {
    /// It may answer, in words: `answer 401`.
    Answers(String),
    /// It may set the caller.
    NamesCaller,
    /// It catches exceptions from the rest of the chain.
    Catches,
}

impl FilterEffect {
    /// The words after `X is new, and `.
    fn of_new(&self) -> String {
        match self {
            Self::Answers(words) => format!("may {words} before the handler runs"),
            Self::NamesCaller => "may say who the caller is".to_owned(),
            Self::Catches => "catches what the handler throws".to_owned(),
        }
    }

    /// The words after `X is gone, which `.
    fn of_gone(&self) -> String {
        match self {
            Self::Answers(words) => format!("could {words} before the handler ran"),
            Self::NamesCaller => "could say who the caller was".to_owned(),
            Self::Catches => "caught what the handler threw".to_owned(),
        }
    }
}

/// The added or removed filters and interceptors that may answer before the handler; empty if some were added and
/// others removed, since these may do the same.
pub(in crate::compare) fn surrounded(old: &Side<'_>, new: &Side<'_>) -> Vec<Change> {
    let (was, is) = (answering(old), answering(new));
    let at = |side: &Side<'_>, of: &Answering| -> Place {
        let span = side.bench.subject.project.member(of.member).name_span;
        place(side.bench.subject, Site { member: of.member, span })
    };
    let come = is.iter().filter(|(name, _)| !was.contains_key(*name)).map(|(name, of)| {
        let what = format!("`{name}` is new, and {}", of.act.of_new());
        Change { evidence_after: Some(at(new, of)), ..change(new, ChangeEffect::Unclear, what) }
    });
    let gone = was.iter().filter(|(name, _)| !is.contains_key(*name)).map(|(name, of)| {
        let what = format!("`{name}` is gone, which {}", of.act.of_gone());
        Change { evidence_before: Some(at(old, of)), ..change(new, ChangeEffect::Unclear, what) }
    });
    let (come, gone): (Vec<Change>, Vec<Change>) = (come.collect(), gone.collect());
    match (come.is_empty(), gone.is_empty()) {
        (false, true) => come,
        (true, false) => gone,
        (true, true) => configured(old, new),
        (false, false) => Vec::new(),
    }
}

/// The added and removed methods that configure the framework for all operations.
fn configured(old: &Side<'_>, new: &Side<'_>) -> Vec<Change> {
    let of = |side: &Side<'_>| -> BTreeSet<String> {
        side.bench.surroundings.doubts.iter().filter(|doubt| doubt.ends_with(CONFIGURES)).cloned().collect()
    };
    let (was, is) = (of(old), of(new));
    let named = |said: &str| -> Option<String> {
        let (method, class) = said.strip_suffix(CONFIGURES)?.split_once(" of ")?;
        Some(format!("`{class}#{method}`"))
    };
    let come = is.difference(&was).filter_map(|said| {
        Some(change(
            new,
            ChangeEffect::Unclear,
            format!("{} is new, and configures the framework for this operation", named(said)?),
        ))
    });
    let gone = was.difference(&is).filter_map(|said| {
        Some(change(
            new,
            ChangeEffect::Unclear,
            format!("{} is gone, which configured the framework for this operation", named(said)?),
        ))
    });
    come.chain(gone).collect()
}

/// The filters and interceptors around an operation that may affect its answer, by class name.
fn answering(side: &Side<'_>) -> BTreeMap<String, Answering> {
    let (around, project) = (&side.bench.surroundings, side.bench.subject.project);
    // Only filters that certainly run: an unregistered class answers nothing.
    let filters = around.filters.iter().filter(|filter| filter.is_sure).map(|filter| filter.ty);
    let of_requests = around.request_filters.iter().filter(|filter| filter.registered == Registered::Surely);
    let interceptors = around.interceptors.iter().copied().filter(|ty| is_named_elsewhere(project, *ty));
    let catching: BTreeSet<TypeId> = around
        .filters
        .iter()
        .filter(|filter| filter.is_sure && filter.caught.is_some())
        .map(|filter| filter.ty)
        .collect();
    let reactive = side.bench.subject.shared.around.doubts.iter();
    let reactive = reactive.filter(|(_, said)| said.starts_with(WEB_FILTER) && around.doubts.contains(said));
    let all = filters.chain(of_requests.map(|filter| filter.ty)).chain(interceptors).chain(reactive.map(|(ty, _)| *ty));
    let of = |ty: TypeId| {
        let methods = || project.members(ty).filter(|member| project.member(*member).kind == MemberKind::Method);
        let answering = |member: MemberId| Answering { member, act: FilterEffect::Answers(words(project, ty)) };
        let naming = |member| Answering { member, act: FilterEffect::NamesCaller };
        let catching = || {
            let passes = methods().find(|member| calls(project, *member, &["doFilter"]))?;
            catching.contains(&ty).then_some(Answering { member: passes, act: FilterEffect::Catches })
        };
        let found = methods().find(|member| may_answer(project, *member)).map(answering);
        let found = found.or_else(|| methods().find(|member| calls(project, *member, &NAMES_CALLER)).map(naming));
        Some((project.ty(ty).name.clone(), found.or_else(catching)?))
    };
    all.filter_map(of).collect()
}

/// How a filter or interceptor answers: `answer 401`.
fn words(project: &Project, ty: TypeId) -> String {
    let statuses: BTreeSet<u16> = project.members(ty).flat_map(|member| statuses_set(project, member)).collect();
    let redirects = project.members(ty).any(|member| calls(project, member, &["sendRedirect"]));
    match statuses.into_iter().filter(|status| *status >= 300).collect::<Vec<_>>().as_slice() {
        [] if redirects => "redirect".to_owned(),
        [one] if !redirects => format!("answer {one}"),
        _ => "answer".to_owned(),
    }
}

fn calls(project: &Project, member: MemberId, names: &[&str]) -> bool {
    let body = project.body(member);
    body.is_some_and(|body| {
        body.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Call { target: Some(_), name, .. } => names.contains(&name.as_str()),
            _ => false,
        })
    })
}

/// Whether a method may keep a request from its handler: it answers, throws, or returns that the handler must not run.
fn may_answer(project: &Project, member: MemberId) -> bool {
    let Some(body) = project.body(member) else { return false };
    let is_asked = project.member(member).name == "preHandle";
    let ends = |stmt: &StmtKind| match stmt {
        StmtKind::Throw(_) => true,
        StmtKind::Return(Some(value)) => is_asked && !matches!(body.expr(*value).kind, ExprKind::Lit(Lit::Bool(true))),
        _ => false,
    };
    // A reactive filter that does not call the chain ends the request.
    let facts = project.member(member);
    let ends_chain = || facts.name == "filter" && facts.params.len() == 2 && !calls(project, member, &["filter"]);
    calls(project, member, &ANSWERS)
        || calls(project, member, &ANSWERS_REACTIVE)
        || ends_chain()
        || body.stmts.iter().any(|stmt| ends(&stmt.kind))
}

/// Whether another file names a class, as the registration of an interceptor does.
fn is_named_elsewhere(project: &Project, ty: TypeId) -> bool {
    let (own, name) = (project.file_of(ty), &project.ty(ty).name);
    project.files().any(|file| file != own && project.file(file).facts.type_words.binary_search(name).is_ok())
}
