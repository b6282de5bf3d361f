//! Puts assumptions about middleware into words, with the code that each is about.

use crate::bench::Bench;
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::MemberId;
use mastor_java::project::index::Project;

/// Prefixes of doubts, with the behaviour that is assumed of the named class.
const KINDS: &[(&str, &str)] = &[
    ("a servlet filter: ", "passes the request on"),
    ("a request filter: ", "passes the request on"),
    ("a filter: ", "passes the request on"),
    ("a guard: ", "lets the caller in"),
    ("a security rule: ", "lets the request pass"),
    ("an interceptor: ", "lets the request pass"),
    ("an aspect: ", "proceeds, and gives back what it got"),
    ("a response filter: ", "leaves the answer as it is"),
    ("a converter: ", "reads what is sent"),
];

/// The assumption in words that answers a doubt.
pub fn in_words(doubt: &str) -> String {
    for (begin, does) in KINDS {
        if let Some(name) = doubt.strip_prefix(begin) {
            return format!("`{name}` {does}");
        }
    }
    if let Some(name) = doubt.strip_prefix("how ").and_then(|rest| rest.strip_suffix(" is bound is not modelled")) {
        return format!("`{name}` is given");
    }
    match doubt.contains("Security") || doubt.contains("authorit") || doubt.contains("log in") {
        true => format!("the caller is let in ({doubt})"),
        false => format!("it decides nothing here: {doubt}"),
    }
}

/// The code that a doubt is about: the longest method of the project class that it names; `None` if it names none.
pub fn place(project: &Project, doubt: &str) -> Option<MemberId> {
    let words = doubt.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut named = words.filter(|word| word.starts_with(|c: char| c.is_uppercase())).filter_map(|word| {
        let mut all = project.types().filter(|ty| project.ty(*ty).name == word);
        all.next()
    });
    let ty = named.next()?;
    let methods = project.members(ty).filter(|member| {
        let facts = project.member(*member);
        facts.kind == MemberKind::Method && facts.body.is_some()
    });
    methods.max_by_key(|member| project.member(*member).body.map(|span| span.end - span.start))
}

impl Bench<'_> {
    /// The middleware and doubts that a run of the handler alone leaves out, one phrase each.
    pub fn left_out(&self) -> Vec<String> {
        let (around, project) = (&self.surroundings, self.subject.project);
        let filters = around.filters.iter().map(|filter| ("a servlet filter: ", filter.ty));
        let more = around.request_filters.iter().map(|filter| ("a request filter: ", filter.ty));
        let interceptors = around.interceptors.iter().map(|ty| ("an interceptor: ", *ty));
        let named = filters.chain(more).chain(interceptors);
        let mut all: Vec<String> = named.map(|(what, ty)| format!("{what}{}", project.shown_name(ty))).collect();
        let file = &self.subject.endpoint.file;
        if self.subject.build.uses_near(file, "micronaut-security") {
            all.push("Micronaut Security stands before it".to_owned());
        } else if self.subject.build.uses_near(file, "security") {
            all.push("Spring Security stands before it".to_owned());
        }
        all.extend(around.doubts.iter().chain(&around.bound).cloned());
        all.sort();
        all.dedup();
        all
    }
}
