//! Edges of aspects: from the join points that their pointcuts match to the advice. A pointcut that cannot be decided
//! matches everything (AspectJ, Spring AOP).

use std::collections::BTreeMap;

use crate::endpoint::Endpoint;
use crate::routing::Inputs;
use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::{Annotation, MemberKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::objects::injection::{EdgeSource, ExtraEdges};
use mastor_java::project::index::Project;

const ADVICE: [&str; 5] = ["Around", "Before", "After", "AfterReturning", "AfterThrowing"];

/// The join points that a pointcut matches.
pub enum Matched {
    /// These members.
    Members(Vec<MemberId>),
    /// All elements with this annotation.
    Annotated(String),
    /// Undecided: everything.
    Anything,
}

impl Matched {
    /// Whether it matches calls on objects of a class by the class's annotations.
    pub fn covers_class(&self, project: &Project, ty: TypeId) -> bool {
        let Self::Annotated(name) = self else { return true };
        let mut line = std::iter::once(ty).chain(project.all_supers(ty));
        line.any(|ty| project.ty(ty).annotations.iter().any(|one| one.simple() == name))
    }

    /// Whether it matches a member; an undecided pointcut matches all.
    pub fn covers(&self, project: &Project, member: MemberId) -> bool {
        match self {
            Self::Members(members) => members.contains(&member),
            Self::Annotated(name) => {
                let bears = |all: &[Annotation]| all.iter().any(|one| one.simple() == name);
                let own = project.member(member);
                let line = std::iter::once(member.ty).chain(project.all_supers(member.ty));
                bears(&own.annotations)
                    || line.into_iter().any(|ty| {
                        let mut same = project.members(ty).filter(|one| project.member(*one).name == own.name);
                        bears(&project.ty(ty).annotations) || same.any(|one| bears(&project.member(one).annotations))
                    })
            }
            Self::Anything => true,
        }
    }
}

/// The join points that the pointcuts of an aspect match, for each advice method.
pub fn advised(project: &Project, aspect: TypeId) -> Vec<(MemberId, Matched)> {
    let named = named_pointcuts(project, aspect);
    let of_advice = project.members(aspect).filter_map(|advice| {
        let facts = project.member(advice);
        let annotation = facts.annotations.iter().find(|one| ADVICE.contains(&one.simple()))?;
        let text = expression(project, aspect, annotation).map(|text| expand(&text, &named));
        // A designator such as `@annotation(x)` can name a parameter of the advice; the parameter's type is the
        // annotation.
        let text = text.map(|text| {
            facts.params.iter().fold(text, |text, param| {
                ["@annotation", "@within"].into_iter().fold(text, |text, designator| {
                    let (by_name, by_type) = (&param.name, &param.ty.name);
                    text.replace(&format!("{designator}({by_name})"), &format!("{designator}({by_type})"))
                })
            })
        });
        Some((advice, text.as_deref().map_or(Matched::Anything, |text| decide(project, text))))
    });
    of_advice.collect()
}

/// Adds the edges of every `@Aspect`.
pub(super) fn add(inputs: &Inputs<'_>, endpoints: &[Endpoint], edges: &mut ExtraEdges) {
    let project = inputs.project;
    for ty in project.types().filter(|ty| project.ty(*ty).annotations.iter().any(|a| a.simple() == "Aspect")) {
        for (advice, matched) in advised(project, ty) {
            match matched {
                Matched::Members(members) => {
                    for member in members {
                        edges.add(EdgeSource::Member(member), [advice], "is advised by the aspect");
                    }
                }
                Matched::Annotated(name) => {
                    edges.add(EdgeSource::Annotation(name), [advice], "is advised by the aspect")
                }
                Matched::Anything => {
                    for endpoint in endpoints {
                        edges.add(EdgeSource::Member(endpoint.entry), [advice], "may be advised by the aspect");
                    }
                }
            }
        }
    }
}

fn expression(project: &Project, ty: TypeId, annotation: &Annotation) -> Option<String> {
    let value = annotation.arg("value").or_else(|| annotation.arg("pointcut"))?;
    match project.eval(ty, value).value {
        Constant::Str(text) => Some(text),
        _ => None,
    }
}

/// The `@Pointcut` methods of an aspect, by name.
fn named_pointcuts(project: &Project, ty: TypeId) -> BTreeMap<String, String> {
    let mut named = BTreeMap::new();
    for member in project.members(ty) {
        let facts = project.member(member);
        let pointcut = facts.annotations.iter().find(|a| a.simple() == "Pointcut");
        if let Some(text) = pointcut.and_then(|annotation| expression(project, ty, annotation)) {
            named.insert(format!("{}()", facts.name), text);
        }
    }
    named
}

/// Replaces a text that is just the name of a pointcut by its expression. Names within a longer expression stay
/// undecided.
fn expand(text: &str, named: &BTreeMap<String, String>) -> String {
    let mut text = text.trim().to_owned();
    for _ in 0..8 {
        match named.get(&text) {
            Some(meaning) => text = meaning.trim().to_owned(),
            None => break,
        }
    }
    text
}

/// Decides a single designator, or alternatives of designators.
fn decide(project: &Project, text: &str) -> Matched {
    if text.contains("||") {
        let mut all = Vec::new();
        for part in text.split("||") {
            match decide(project, part.trim()) {
                Matched::Members(members) => all.extend(members),
                _ => return Matched::Anything,
            }
        }
        all.sort();
        all.dedup();
        return Matched::Members(all);
    }
    // Any one part of a conjunction is a sound upper bound; the first part that can be decided is used.
    for part in text.split("&&").map(str::trim) {
        let Some((designator, inner)) = part.strip_suffix(')').and_then(|part| part.split_once('(')) else { continue };
        let inner = inner.trim();
        match designator.trim() {
            "@annotation" | "@within" if inner.contains('.') || inner.starts_with(char::is_uppercase) => {
                return Matched::Annotated(inner.rsplit('.').next().unwrap_or(inner).to_owned());
            }
            "within" => return Matched::Members(members_of(project, &|fqn| type_matches(inner, fqn), &|_| true)),
            "execution" | "call" => {
                if let Some((types, method)) = signature(inner) {
                    return Matched::Members(members_of(project, &|fqn| type_matches(&types, fqn), &|name| {
                        wildcard(&method, name)
                    }));
                }
            }
            _ => {}
        }
    }
    Matched::Anything
}

/// The type pattern and method pattern of `modifiers? type pattern.method(..)`.
fn signature(text: &str) -> Option<(String, String)> {
    let head = text.split('(').next()?.trim();
    let qualified = head.rsplit(char::is_whitespace).next()?;
    match qualified.rsplit_once('.') {
        Some((types, method)) => Some((types.to_owned(), method.to_owned())),
        None => Some(("*..*".to_owned(), qualified.to_owned())),
    }
}

fn members_of(project: &Project, ty: &dyn Fn(&str) -> bool, name: &dyn Fn(&str) -> bool) -> Vec<MemberId> {
    let mut found = Vec::new();
    for id in project.types() {
        // A pattern on a supertype matches its implementations.
        let line = std::iter::once(id).chain(project.all_supers(id));
        if line.into_iter().any(|above| ty(project.fqn(above))) {
            let methods = project
                .members(id)
                .filter(|m| project.member(*m).kind == MemberKind::Method && name(&project.member(*m).name));
            found.extend(methods);
        }
    }
    found
}

/// AspectJ's type patterns: `..` matches any packages, `*` a part of a name, and a final `+` includes subtypes.
fn type_matches(pattern: &str, fqn: &str) -> bool {
    let pattern = pattern.trim_end_matches('+');
    let parts: Vec<&str> = pattern.split("..").collect();
    if parts.len() == 1 {
        return if pattern.contains('.') || pattern == "*" {
            segments(pattern, fqn)
        } else {
            wildcard(pattern, fqn.rsplit('.').next().unwrap_or(fqn))
        };
    }
    let first =
        parts.first().is_none_or(|head| head.is_empty() || *head == "*" || fqn.starts_with(&head.replace('*', "")));
    let last = parts.last().is_none_or(|tail| {
        let count = tail.split('.').count();
        let names: Vec<&str> = fqn.rsplitn(count + 1, '.').take(count).collect();
        let tail_of: Vec<&str> = names.into_iter().rev().collect();
        segments(tail, &tail_of.join("."))
    });
    first && last
}

fn segments(pattern: &str, name: &str) -> bool {
    if pattern == "*" {
        return true;
    }
    let (patterns, names): (Vec<&str>, Vec<&str>) = (pattern.split('.').collect(), name.split('.').collect());
    patterns.len() == names.len() && patterns.iter().zip(names).all(|(pattern, name)| wildcard(pattern, name))
}

fn wildcard(pattern: &str, name: &str) -> bool {
    let parts: Vec<&str> = pattern.split('*').collect();
    let [first, .., last] = parts.as_slice() else { return pattern == name };
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for part in parts.iter().skip(1).take(parts.len().saturating_sub(2)) {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_patterns_match_as_in_aspectj() {
        assert!(type_matches("com.acme..*", "com.acme.orders.Orders"));
        assert!(!type_matches("com.acme..*", "org.acme.Orders"));
        assert!(type_matches("com.acme.*.*Service", "com.acme.orders.OrderService"));
        assert!(type_matches("*..*Controller", "com.acme.web.OrderController"));
        assert!(type_matches("OrderService+", "com.acme.OrderService"));
        assert!(!type_matches("com.acme.*", "com.acme.orders.Orders"));
    }

    #[test]
    fn a_pointcut_on_an_annotation_leads_from_what_carries_it_and_one_on_types_from_their_methods() {
        let project = Project::from_sources(&[
            ("a/Log.java", "package a; public @interface Log {}"),
            ("a/S.java", "package a; public class S { public void one() {} public void two() {} }"),
        ]);
        assert!(matches!(decide(&project, "@annotation(a.Log)"), Matched::Annotated(name) if name == "Log"));
        let Matched::Members(found) = decide(&project, "execution(public * a.S.o*(..)) && args(x)") else {
            panic!("not decided")
        };
        assert_eq!(found.iter().map(|m| project.symbol(*m)).collect::<Vec<_>>(), ["a.S#one()"]);
        assert!(matches!(decide(&project, "bean(*x)"), Matched::Anything));
    }
}
