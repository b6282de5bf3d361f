//! Added and removed beans by which Spring Security authenticates callers: each replaces a default of the framework.

use std::collections::{BTreeMap, BTreeSet};

use crate::compare::edits::changed::ChangedCode;
use crate::compare::sides::side::{Side, change};
use crate::judge::oracle::place;
use mastor_frameworks::code::stereotypes::is_component;
use mastor_java::interpret::paths::path::Site;
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::MemberId;
use mastor_types::results::change::{Change, ChangeEffect, Place};

/// Types of beans that the framework looks up in the container (Spring Security, *Authentication*).
const ASKED: [&str; 8] = [
    "AccessDeniedHandler",
    "AuthenticationEntryPoint",
    "AuthenticationManager",
    "AuthenticationProvider",
    "PasswordEncoder",
    "PermissionEvaluator",
    "ReactiveUserDetailsService",
    "UserDetailsService",
];

/// The added and removed beans of these types. If beans of one type were added and others removed, they are left out,
/// since they may do the same.
pub(in crate::compare) fn secured(old: &Side<'_>, new: &Side<'_>, changed: &ChangedCode) -> Vec<Change> {
    let of = |side: &Side<'_>, other: &Side<'_>| -> BTreeMap<String, (String, Place)> {
        let project = side.bench.subject.project;
        let only = changed.symbols().filter(|symbol| other.member(symbol).is_none());
        let members: BTreeSet<MemberId> = only.filter_map(|symbol| side.member(symbol)).collect();
        let methods = members.into_iter().filter(|member| project.member(*member).kind == MemberKind::Method);
        let beans = methods.filter_map(|member| {
            let above = project.library_supers(member.ty).into_iter();
            let mut asked = above.filter_map(|name| ASKED.into_iter().find(|one| name.ends_with(&format!(".{one}"))));
            let is_new = other.class(project.fqn(member.ty)).is_none();
            let asked = asked.next().filter(|_| is_new && is_component(project, member.ty))?;
            let at = place(side.bench.subject, Site { member, span: project.member(member).name_span });
            Some((asked.to_owned(), (project.ty(member.ty).name.clone(), at)))
        });
        beans.collect()
    };
    let (gone, come) = (of(old, new), of(new, old));
    let mut found = Vec::new();
    for (asked, (name, at)) in come.iter().filter(|(asked, _)| !gone.contains_key(*asked)) {
        let made =
            change(new, ChangeEffect::Unclear, format!("`{name}`, which is new, is the `{asked}` of the service"));
        found.push(Change { evidence_after: Some(at.clone()), ..made });
    }
    for (asked, (name, at)) in gone.iter().filter(|(asked, _)| !come.contains_key(*asked)) {
        let made =
            change(new, ChangeEffect::Unclear, format!("`{name}`, which was the `{asked}` of the service, is gone"));
        found.push(Change { evidence_before: Some(at.clone()), ..made });
    }
    found
}
