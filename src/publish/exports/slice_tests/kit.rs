//! The test libraries that a project has.

use std::collections::BTreeSet;

/// Classes available on the project's test class path, and the application's context path.
#[derive(Debug, Clone, Default)]
pub struct Kit {
    classes: BTreeSet<String>,
    prefix: String,
}

impl Kit {
    /// Parses the harness's output: one class a line, and the context path after `prefix`.
    pub fn parse(text: &str) -> Self {
        let (prefix, classes): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("prefix "));
        let prefix = prefix.first().and_then(|line| line.strip_prefix("prefix ")).unwrap_or_default().to_owned();
        Self { classes: classes.into_iter().map(str::to_owned).collect(), prefix }
    }

    /// The part of the base path inside the application, without the context path.
    pub(super) fn inside<'a>(&self, base_path: &'a str) -> &'a str {
        base_path.strip_prefix(self.prefix.as_str()).unwrap_or(base_path)
    }

    /// The first indispensable test library that is missing.
    pub fn missing(&self) -> Option<&'static str> {
        let needed = [
            ("org.junit.jupiter.api.Test", "JUnit 5 (`org.junit.jupiter:junit-jupiter`)"),
            ("org.mockito.Mockito", "Mockito (`org.mockito:mockito-core`)"),
            ("com.jayway.jsonpath.JsonPath", "JSON paths (`com.jayway.jsonpath:json-path`)"),
        ];
        needed.into_iter().find(|(class, _)| !self.classes.contains(*class)).map(|(_, name)| name)
    }

    /// The first of these classes that is available, as package and name.
    pub(super) fn first<'a>(&self, names: &[&'a str]) -> Option<(&'a str, &'a str)> {
        names.iter().find(|name| self.classes.contains(**name)).and_then(|name| name.rsplit_once('.'))
    }
}
