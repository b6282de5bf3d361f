//! Includes of templates: code that renders a template also renders the templates that it includes.

use std::collections::{BTreeSet, HashMap};

/// Text before the name of an included template: attributes and expressions of Thymeleaf, directives and actions of
/// JSP, directives of FreeMarker and Velocity, partials of Mustache and Handlebars, and layouts, which are extended or
/// decorated.
const BEFORE: &[&str] = &[
    "th:replace=",
    "th:insert=",
    "th:include=",
    "data-th-replace=",
    "data-th-insert=",
    "~{",
    "layout:decorat",
    "include ",
    "include(",
    ":include",
    "<#import",
    "#parse",
    "{{>",
    "{{#>",
    "extends ",
];

/// File extensions of templates.
const TEMPLATES: &[&str] =
    &["ftl", "ftlh", "hbs", "html", "jsp", "jspf", "jspx", "mustache", "peb", "pebble", "tag", "vm", "xhtml"];

/// Number of bytes after such a text in which names are searched.
const FAR: usize = 200;

/// Names up to this length are ignored: they would occur in any text.
const SHORTEST: usize = 3;

/// The templates of a revision, by the names under which others may include them.
#[derive(Default)]
pub(super) struct Templates<'n> {
    named: HashMap<&'n str, Vec<usize>>,
}

/// Whether a template engine may read a file of this name.
pub(super) fn is_template(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| TEMPLATES.contains(&ending))
}

impl<'n> Templates<'n> {
    /// Adds a template by its number and names.
    pub(super) fn add(&mut self, number: usize, names: &'n [String]) {
        for name in names {
            let name = name.trim_start_matches('/');
            let of_name = self.named.entry(name).or_default();
            if name.len() > SHORTEST && !of_name.contains(&number) {
                of_name.push(number);
            }
        }
    }

    /// The numbers of all templates.
    pub(super) fn all(&self) -> BTreeSet<usize> {
        self.named.values().flatten().copied().collect()
    }

    /// The numbers of the templates that this text includes.
    pub(super) fn included(&self, text: &str) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for before in BEFORE {
            for (at, _) in text.match_indices(before) {
                let mut end = text.len().min(at + before.len() + FAR);
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                let behind = &text[at + before.len()..end];
                let behind = behind.split(['>', '\n']).next().unwrap_or(behind);
                let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
                let names = behind.split(|c| !is_of_name(c)).map(|name| name.trim_start_matches(['/', '.']));
                found.extend(names.filter_map(|name| self.named.get(name)).flatten());
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_template_includes_is_found_and_what_it_links_to_is_not() {
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let head = names(&["head.html", "templates/parts/head.html", "parts/head", "parts/head.html"]);
        let list = names(&["list.html", "templates/users/list.html", "users/list", "users/list.html"]);
        let mut templates = Templates::default();
        templates.add(0, &head);
        templates.add(1, &list);
        let included = |text: &str| Vec::from_iter(templates.included(text));
        assert_eq!(included("<div th:replace=\"~{parts/head :: nav}\"></div>"), [0]);
        assert_eq!(included("<div th:insert=\"parts/head\"><a href=\"/users/list\">all</a>"), [0]);
        assert_eq!(included("<%@ include file=\"parts/head.html\" %>"), [0]);
        assert_eq!(included("<#include \"/parts/head\">"), [0]);
        assert_eq!(included("<a th:href=\"@{/users/list}\">all</a>"), Vec::<usize>::new());
        assert_eq!(included("<jsp:include page=\"head.html\"/>"), [0]);
    }
}
