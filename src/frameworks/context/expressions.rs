//! Edges of expressions in annotations (`@PreAuthorize("@rights.mayRead(#id)")`) to the methods that they call: on
//! beans, on classes and on the project's own root object.

use std::collections::BTreeMap;

use crate::code::annotations;
use crate::routing::Inputs;
use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::{Annotation, MemberKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::objects::injection::{EdgeSource, ExtraEdges};
use mastor_java::project::index::Project;

/// Annotations whose expressions can call methods of the root object, without naming an object.
const GUARDS: [&str; 4] = ["PreAuthorize", "PostAuthorize", "PreFilter", "PostFilter"];
const KIND: &str = "is called by an expression of an annotation";

/// Adds the edges of every expression, from the annotated member, or from every method of an annotated class.
pub(super) fn add(inputs: &Inputs<'_>, edges: &mut ExtraEdges) {
    let project = inputs.project;
    let mut named = None;
    for ty in project.types() {
        let whole = called(project, ty, &project.ty(ty).annotations, &mut named);
        for member in project.members(ty) {
            let mut to = called(project, ty, &project.member(member).annotations, &mut named);
            to.extend(&whole);
            if to.is_empty() {
                continue;
            }
            // An annotation on an interface method applies to its implementations.
            for from in std::iter::once(member).chain(project.overriders(member)) {
                edges.add(EdgeSource::Member(from), to.iter().copied().filter(|to| *to != from), KIND);
            }
        }
    }
}

/// Types by bean name.
type Beans = BTreeMap<String, Vec<TypeId>>;

/// The members that the expressions of these annotations and their meta-annotations call.
fn called(project: &Project, scope: TypeId, annotations: &[Annotation], beans: &mut Option<Beans>) -> Vec<MemberId> {
    let mut found = Vec::new();
    let mut queue: Vec<(TypeId, &Annotation)> = annotations.iter().map(|one| (scope, one)).collect();
    let mut seen = Vec::new();
    while let Some((scope, annotation)) = queue.pop() {
        if let Some(composed) = project.resolve(scope, &annotation.name).project().filter(|ty| !seen.contains(ty)) {
            seen.push(composed);
            queue.extend(project.ty(composed).annotations.iter().map(|one| (composed, one)));
        }
        for (_, value) in &annotation.args {
            let mut texts = Vec::new();
            strings(&project.eval(scope, value).value, &mut texts);
            for text in texts {
                let calls = calls(&text, GUARDS.contains(&annotation.simple()));
                for (on, name) in calls {
                    let types = match &on {
                        On::Bean(bean) => {
                            let beans = beans.get_or_insert_with(|| named(project));
                            beans.get(bean).cloned().unwrap_or_default()
                        }
                        On::Class(class) => project.resolve(scope, class).project().into_iter().collect(),
                        On::Root => roots(project),
                    };
                    found.extend(members(project, &types, &name));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The receiver of a call in an expression.
#[derive(Debug, PartialEq, Eq)]
enum On {
    Bean(String),
    Class(String),
    Root,
}

/// The calls of an expression, each with the name of the method or property; the name is empty if the object itself is
/// passed on.
fn calls(text: &str, root: bool) -> Vec<(On, String)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let word = |at: &str| at.chars().take_while(|c| is_word(*c)).collect::<String>();
    let after = |rest: &str| {
        let rest = rest.trim_start();
        rest.strip_prefix("?.")
            .or_else(|| rest.strip_prefix('.'))
            .map(|rest| word(rest.trim_start()))
            .unwrap_or_default()
    };
    let mut found = Vec::new();
    for (at, _) in text.match_indices('@') {
        let rest = &text[at + 1..];
        let (name, rest) = match rest.strip_prefix(['\'', '"']).and_then(|quoted| quoted.split_once(['\'', '"'])) {
            Some((name, rest)) => (name.to_owned(), rest),
            None => (word(rest), &rest[word(rest).len()..]),
        };
        if !name.is_empty() {
            found.push((On::Bean(name), after(rest)));
        }
    }
    for (at, _) in text.match_indices("T(").filter(|(at, _)| !text[..*at].ends_with(is_word)) {
        if let Some((class, rest)) = text[at + 2..].split_once(')') {
            found.push((On::Class(class.trim().to_owned()), after(rest)));
        }
    }
    for (at, _) in text.match_indices('(').filter(|_| root) {
        let before = text[..at].trim_end();
        let start = before
            .rfind(|c: char| !is_word(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let name = &before[start..];
        if !name.is_empty() && name != "T" && !before[..start].trim_end().ends_with(['.', '@', '#']) {
            found.push((On::Root, name.to_owned()));
        }
    }
    found
}

/// Methods and fields of this name and accessors of this property, or all methods for an empty name; in these types,
/// their supertypes and subtypes.
fn members(project: &Project, types: &[TypeId], name: &str) -> Vec<MemberId> {
    let all = types.iter().flat_map(|ty| {
        std::iter::once(*ty).chain(project.all_supers(*ty)).chain(project.all_subtypes(*ty)).collect::<Vec<_>>()
    });
    let is = |member: &MemberId| {
        let facts = project.member(*member);
        let property = ["get", "is"]
            .iter()
            .any(|prefix| facts.name.strip_prefix(prefix).is_some_and(|rest| rest.eq_ignore_ascii_case(name)));
        match facts.kind {
            MemberKind::Method => name.is_empty() || facts.name == name || property,
            MemberKind::Field => facts.name == name,
            _ => false,
        }
    };
    all.flat_map(|ty| project.members(ty)).filter(is).collect()
}

/// Types by every name that their beans can have: from the class name, its annotations, and factory methods.
fn named(project: &Project) -> Beans {
    let mut beans = Beans::new();
    let names = |scope: TypeId, annotations: &[Annotation]| {
        let mut names = Vec::new();
        for (_, value) in
            annotations.iter().flat_map(|one| &one.args).filter(|(name, _)| matches!(name.as_str(), "value" | "name"))
        {
            strings(&project.eval(scope, value).value, &mut names);
        }
        names
    };
    for ty in project.types() {
        let facts = project.ty(ty);
        let mut simple = facts.name.chars();
        let first = simple.next().map(|first| first.to_lowercase().to_string()).unwrap_or_default();
        let own = [facts.name.clone(), first + simple.as_str()];
        for name in own.into_iter().chain(names(ty, &facts.annotations)) {
            beans.entry(name).or_default().push(ty);
        }
        for member in project.members(ty) {
            let facts = project.member(member);
            let made = facts.ty.as_ref().filter(|_| facts.kind == MemberKind::Method && !facts.annotations.is_empty());
            let made = made.filter(|_| facts.annotations.iter().any(|one| matches!(one.simple(), "Bean" | "Produces")));
            let Some(made) = made.and_then(|made| project.resolve_at(member, &made.name).project()) else { continue };
            for name in std::iter::once(facts.name.clone()).chain(names(ty, &facts.annotations)) {
                beans.entry(name).or_default().push(made);
            }
        }
    }
    beans
}

/// The project's own root objects for security expressions, and its permission evaluators.
fn roots(project: &Project) -> Vec<TypeId> {
    const ABOVE: [&str; 3] = ["SecurityExpressionRoot", "SecurityExpressionOperations", "PermissionEvaluator"];
    let is = |ty: &TypeId| {
        let all = std::iter::once(*ty).chain(project.all_supers(*ty)).flat_map(|above| project.supers(above));
        all.filter_map(|above| annotations::simple_of(project, &above.named))
            .any(|name| ABOVE.iter().any(|above| name.ends_with(above)))
    };
    project.types().filter(is).collect()
}

fn strings(value: &Constant, found: &mut Vec<String>) {
    match value {
        Constant::Str(text) => found.push(text.clone()),
        Constant::Array(items) => items.iter().for_each(|item| strings(item, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTROLLER: &str = "package a; import org.springframework.security.access.prepost.*; class C { \
        @PreAuthorize(\"hasRole('X') and @rights.mayRead(#id)\") void read(int id) {} \
        @MayWrite void write(int id) {} \
        @PreAuthorize(\"isOwner(#id) or T(a.Times).open()\") void own(int id) {} \
        @PreAuthorize(\"hasRole('X')\") void plain(int id) {} }";
    const OTHERS: &str = "package a; import org.springframework.security.access.prepost.*; \
        @org.springframework.stereotype.Component(\"rights\") class Decides { boolean mayRead(int id) { return true; } boolean mayWrite(int id) { return true; } } \
        @PreAuthorize(\"@rights.mayWrite(#id)\") @interface MayWrite { } \
        class Times { static boolean open() { return true; } } \
        class Root extends org.springframework.security.access.expression.SecurityExpressionRoot { boolean isOwner(int id) { return true; } }";

    #[test]
    fn an_expression_of_a_guard_leads_to_the_methods_that_it_names() {
        let project = Project::from_sources(&[("a/C.java", CONTROLLER), ("a/Others.java", OTHERS)]);
        let ty = project.by_fqn("a.C").unwrap();
        let mut beans = None;
        let mut leads = |name: &str| {
            let member = project.members(ty).find(|member| project.member(*member).name == name).unwrap();
            let found = called(&project, ty, &project.member(member).annotations, &mut beans);
            found.iter().map(|member| project.member(*member).name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(leads("read"), ["mayRead"]);
        assert_eq!(leads("write"), ["mayWrite"]);
        assert_eq!(leads("own"), ["open", "isOwner"]);
        assert_eq!(leads("plain"), [""; 0]);
    }
}
