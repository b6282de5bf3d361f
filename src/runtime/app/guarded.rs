//! What decides who may call a handler and is not followed: annotations and settings that the framework's record names.
//!
//! Each is assumed to let the caller in; an answer of 401 or 403 that it gives instead is not told.

use crate::subject::Subject;
use mastor_frameworks::paths;
use mastor_frameworks::record::Guards;

/// The guards of an operation, as doubts.
pub fn guards(subject: &Subject<'_>) -> Vec<String> {
    let guards = &subject.endpoint.framework.middleware.guards;
    let mut found: Vec<String> = by_annotation(subject, guards).into_iter().collect();
    found.extend(by_setting(subject, guards));
    found
}

/// The annotation on the handler, else on its class; without one, the setting that guards such handlers.
fn by_annotation(subject: &Subject<'_>, guards: &Guards) -> Option<String> {
    let (project, endpoint) = (subject.project, subject.endpoint);
    let mut declared = vec![endpoint.entry];
    declared.extend(project.overridden(endpoint.entry));
    let own = declared.iter().map(|member| &project.member(*member).annotations);
    let classes = [endpoint.receiver, endpoint.entry.ty];
    let around = classes.iter().map(|ty| &project.ty(*ty).annotations);
    for annotations in own.chain(around) {
        for one in annotations {
            let simple = one.simple();
            if guards.open.contains(&simple) {
                return None;
            }
            if guards.asking.contains(&simple) {
                return Some(format!("a guard: @{simple}"));
            }
        }
    }
    let mut settings = guards.otherwise.iter().filter_map(|key| subject.properties.get(&endpoint.file, key));
    settings.find(|setting| setting.value.trim() != "false").map(|setting| format!("a guard: {}", setting.key))
}

/// The setting that guards the path: of several the one with the longest pattern.
fn by_setting(subject: &Subject<'_>, guards: &Guards) -> Option<String> {
    if guards.permissions.is_empty() {
        return None;
    }
    let endpoint = subject.endpoint;
    let full = paths::join(&endpoint.context_path, &endpoint.path);
    let mut found: Vec<((usize, bool), String, bool)> = Vec::new();
    for property in &subject.properties.all {
        let Some(name) = property.key.strip_prefix(guards.permissions).and_then(|rest| rest.strip_suffix(".paths"))
        else {
            continue;
        };
        let policy = subject.properties.get(&endpoint.file, &format!("{}{name}.policy", guards.permissions));
        let is_open = policy.is_some_and(|policy| policy.value.trim() == "permit");
        for pattern in property.value.split(',').map(str::trim).filter(|pattern| !pattern.is_empty()) {
            if covers(pattern, &full, &endpoint.path) {
                found.push((weight(pattern), format!("a guard: {}{name}", guards.permissions), is_open));
            }
        }
    }
    // Where two are as long, both have to let the caller in.
    let longest = found.iter().map(|(weight, ..)| *weight).max()?;
    found.into_iter().find(|(weight, _, is_open)| *weight == longest && !is_open).map(|(_, why, _)| why)
}

/// The weight of a pattern among those that cover a path: the length before its wildcard; a whole path weighs more.
fn weight(pattern: &str) -> (usize, bool) {
    match pattern.split_once('*') {
        Some((start, _)) => (start.trim_matches('/').len(), false),
        None => (pattern.trim_matches('/').len(), true),
    }
}

/// Whether a pattern may cover a path, as written or below the root path.
fn covers(pattern: &str, full: &str, path: &str) -> bool {
    let Some(start) = pattern.strip_suffix('*').or_else(|| pattern.split_once('*').map(|(start, _)| start)) else {
        let wanted = pattern.trim_matches('/');
        return [full, path].iter().any(|one| one.trim_matches('/') == wanted);
    };
    let start = start.trim_matches('/');
    let is_below = |one: &str| {
        let one = one.trim_matches('/');
        start.is_empty() || one == start || one.strip_prefix(start).is_some_and(|rest| rest.starts_with('/'))
    };
    is_below(full) || is_below(path)
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn a_pattern_covers_what_is_below_it() {
        let covers = |pattern: &str| covers(pattern, "/shop/api/plants", "/plants");
        assert!(covers("/*") && covers("/shop/api/*") && covers("/plants") && covers("plants/*"));
        assert!(!covers("/beds/*") && !covers("/plant") && !covers("/shop/ap/*"));
    }
}
