//! Guards: a Spring Security filter chain, reduced to the rules that may apply to one operation. So a new rule for one
//! operation leaves all other operations unchanged.

use std::collections::BTreeMap;

use crate::compare::sides::side::Side;
use mastor_frameworks::code::expressions::string_of;
use mastor_frameworks::spring::security::matchers::{access, matchers};
use mastor_java::interpret::linking::alike::{paired_parameters, read_alike};
use mastor_java::interpret::linking::code::Code;
use mastor_java::interpret::linking::form::{Forms, Token};
use mastor_java::ir::body::{ExprId, ExprKind};
use mastor_java::ir::ids::MemberId;

/// Calls that set the requests of a whole chain.
const SCOPES: [&str; 3] = ["securityMatcher", "securityMatchers", "antMatcher"];

/// What a rule demands of the caller, as written: the call's name and its arguments.
type Access = (String, Vec<Option<Vec<Token>>>);

/// A rule that may apply to an operation.
struct Rule {
    /// The request matcher as written, if it is unknown whether it matches the operation's requests; `None` if it
    /// matches all of them.
    requests: Option<Vec<Option<Vec<Token>>>>,
    access: Access,
    words: String,
}

/// A chain, reduced to the rules that may apply to one operation.
struct ChainRules {
    rules: Vec<Rule>,
    /// The tokens of the chain without its rules.
    rest: Vec<Token>,
}

/// The effect of a changed chain on an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::compare) enum ChainChange {
    /// The same rules apply.
    Alike,
    /// Another rule decides: the rules of base and head in words.
    Otherwise(String, String),
}

/// Compares the configuration of a chain in both revisions for the operation; `None` if it is not a chain, or more than
/// its rules changed.
pub(in crate::compare) fn guarded(
    (old, was): (&Side<'_>, MemberId),
    (new, is): (&Side<'_>, MemberId),
) -> Option<ChainChange> {
    if is_of_others(old, was) && is_of_others(new, is) {
        return Some(ChainChange::Alike);
    }
    let codes = (old.bench.codes.code(was)?, new.bench.codes.code(is)?);
    let (before, after) = (guard(old, was, &codes.0)?, guard(new, is, &codes.1)?);
    let projects = (old.bench.subject.project, new.bench.subject.project);
    let mut pairs = paired_parameters(&codes.0, &codes.1);
    let is_read_alike = read_alike((projects.0, &codes.0), (projects.1, &codes.1));
    if !is_read_alike || !pairs.agree(&before.rest, &after.rest) {
        return None;
    }
    let rules = before.rules.iter().zip(&after.rules);
    let alike = |(a, b): (&Rule, &Rule)| a.requests == b.requests && a.access == b.access;
    if before.rules.len() == after.rules.len() && rules.clone().all(alike) {
        return Some(ChainChange::Alike);
    }
    match (before.rules.as_slice(), after.rules.as_slice()) {
        ([was], [is]) if was.requests.is_none() && is.requests.is_none() => {
            Some(ChainChange::Otherwise(was.words.clone(), is.words.clone()))
        }
        _ => None,
    }
}

/// Whether a member configures a chain for paths other than the operation's.
pub(in crate::compare) fn is_of_others(side: &Side<'_>, member: MemberId) -> bool {
    let (subject, project) = (side.bench.subject, side.bench.subject.project);
    if !configures(side, member) {
        return false;
    }
    let Some(body) = project.body(member) else { return false };
    let mut scopes = body.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Call { target: Some(_), name, args, .. } if SCOPES.contains(&name.as_str()) => {
            let requests = matchers(project, member.ty, &body, name, args);
            Some(requests.and_then(|requests| requests.hold(subject.endpoint.method, &subject.endpoint.path)))
        }
        _ => None,
    });
    let first = scopes.next();
    first == Some(Some(false)) && scopes.all(|one| one == Some(false))
}

/// Whether a member configures a security filter chain.
fn configures(side: &Side<'_>, member: MemberId) -> bool {
    side.bench.subject.shared.around.security.chains.iter().any(|chain| chain.member == Some(member))
}

fn guard(side: &Side<'_>, member: MemberId, code: &Code) -> Option<ChainRules> {
    let (subject, project) = (side.bench.subject, side.bench.subject.project);
    if !configures(side, member) {
        return None;
    }
    let body = &code.body;
    let forms = Forms::of(project, code);
    let mut instead: BTreeMap<ExprId, ExprId> = BTreeMap::new();
    let mut rules = Vec::new();
    for (at, name, args, target) in calls(code) {
        let ExprKind::Call { target: Some(before), name: asks, args: asked, .. } = &body.expr(target).kind else {
            continue;
        };
        let any = matches!(asks.as_str(), "anyRequest" | "anyExchange");
        let requests = matchers(project, member.ty, body, asks, asked);
        if (requests.is_none() && !any) || access(project, member.ty, body, name, args).is_none() {
            continue;
        }
        instead.insert(at, *before);
        let holds =
            requests.map_or(Some(true), |requests| requests.hold(subject.endpoint.method, &subject.endpoint.path));
        let written = |all: &[ExprId]| all.iter().map(|one| forms.as_written(*one)).collect::<Vec<_>>();
        rules.push((
            holds,
            Rule {
                requests: (holds != Some(true)).then(|| written(asked)),
                access: (name.to_owned(), in_any_order(name, written(args))),
                words: words(side, member, code, (name, args)),
            },
        ));
    }
    // Spring tests rules in order. This collects those that may apply, up to the first that certainly applies.
    let mut met = Vec::new();
    for (holds, rule) in rules {
        if holds == Some(false) {
            continue;
        }
        met.push(rule);
        if holds == Some(true) {
            break;
        }
    }
    let is_read = |rule: &Rule| rule.access.1.iter().chain(rule.requests.iter().flatten()).all(Option::is_some);
    if !met.iter().all(is_read) {
        return None;
    }
    Some(ChainRules { rules: met, rest: forms.whole_with(&instead)? })
}

/// The arguments of a rule, sorted if their order has no meaning.
fn in_any_order(name: &str, mut args: Vec<Option<Vec<Token>>>) -> Vec<Option<Vec<Token>>> {
    if name.starts_with("hasAny") {
        args.sort_by_cached_key(|arg| format!("{arg:?}"));
    }
    args
}

/// The calls of a body that have a target expression, with their arguments.
fn calls(code: &Code) -> impl Iterator<Item = (ExprId, &str, &[ExprId], ExprId)> {
    (0..).zip(&code.body.exprs).filter_map(|(at, expr)| match &expr.kind {
        ExprKind::Call { target: Some(target), name, args, .. } => {
            Some((ExprId(at), name.as_str(), args.as_slice(), *target))
        }
        _ => None,
    })
}

/// What a rule demands of the caller, in the words of the configuration.
fn words(side: &Side<'_>, member: MemberId, code: &Code, (name, args): (&str, &[ExprId])) -> String {
    let text = |arg: &ExprId| string_of(side.bench.subject.project, member.ty, &code.body, *arg);
    let said: Vec<String> =
        args.iter().map(|arg| text(arg).map_or("…".to_owned(), |(text, _)| format!("\"{text}\""))).collect();
    format!("{name}({})", said.join(", "))
}
