//! Class names in a test: imported and short where unambiguous.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

/// Methods that tests import statically, by class.
const STATIC: [(&str, &[&str]); 6] = [
    (
        "org.mockito.ArgumentMatchers",
        &["any", "anyBoolean", "anyByte", "anyChar", "anyDouble", "anyFloat", "anyInt", "anyLong", "anyShort", "eq"],
    ),
    ("org.mockito.Mockito", &["doThrow", "mock", "reset", "verify", "when"]),
    ("org.hamcrest.Matchers", &["containsString", "greaterThanOrEqualTo", "lessThanOrEqualTo", "nullValue"]),
    (
        "org.springframework.test.web.servlet.request.MockMvcRequestBuilders",
        &["asyncDispatch", "delete", "get", "head", "options", "patch", "post", "put"],
    ),
    (
        "org.springframework.test.web.servlet.result.MockMvcResultMatchers",
        &["content", "header", "jsonPath", "redirectedUrl", "status"],
    ),
    ("org.springframework.test.web.servlet.setup.MockMvcBuilders", &["webAppContextSetup"]),
];

/// The imports of a class.
#[derive(Debug)]
pub(super) struct Imports {
    /// The package of the class.
    home: String,
    /// Fully qualified names by simple name of the outermost class.
    known: BTreeMap<String, String>,
    statics: BTreeSet<String>,
    marked: Regex,
    called: Regex,
}

impl Imports {
    /// Starts for a class in this package.
    pub(super) fn new(home: &str) -> Self {
        let regex = |text| Regex::new(text).unwrap_or_else(|_| unreachable!("it is a constant"));
        Self {
            home: home.to_owned(),
            known: BTreeMap::new(),
            statics: BTreeSet::new(),
            marked: regex("`([^`|]*)\\|([^`]*)`"),
            called: regex("(^|[^.\\w])([a-z]\\w*)\\("),
        }
    }

    /// Replaces marked class names in code by their names in this class, and records the imports.
    pub(super) fn named(&mut self, code: &str) -> String {
        let mut out = String::with_capacity(code.len());
        let mut last = 0;
        let marked = self.marked.clone();
        for found in marked.captures_iter(code) {
            let (whole, package, name) = (found.get(0), &found[1], &found[2]);
            let Some(whole) = whole else { continue };
            out.push_str(&code[last..whole.start()]);
            out.push_str(&self.name(package, name));
            last = whole.end();
        }
        out.push_str(&code[last..]);
        for found in self.called.captures_iter(&out) {
            let method = &found[2];
            let mut places = STATIC.iter().filter(|(_, methods)| methods.contains(&method));
            if let Some((class, _)) = places.next() {
                self.statics.insert(format!("{class}.{method}"));
            }
        }
        out
    }

    /// The name of a class as written here.
    pub(super) fn name(&mut self, package: &str, name: &str) -> String {
        let outer = name.split('.').next().unwrap_or(name);
        let full = if package.is_empty() { outer.to_owned() } else { format!("{package}.{outer}") };
        match self.known.get(outer) {
            Some(known) if *known != full => format!("{package}.{name}"),
            _ => {
                self.known.insert(outer.to_owned(), full);
                name.to_owned()
            }
        }
    }

    /// The import lines: static ones first, in ASCII order (google-java-format).
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.statics.iter().map(|name| format!("import static {name};")).collect();
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let is_needed = |full: &&String| {
            let package = full.rsplit_once('.').map_or("", |(package, _)| package);
            package != "java.lang" && package != self.home
        };
        let mut plain: Vec<&String> = self.known.values().filter(is_needed).collect();
        plain.sort();
        lines.extend(plain.into_iter().map(|full| format!("import {full};")));
        lines
    }
}
