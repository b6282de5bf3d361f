//! What a project has for its tests.

use std::collections::BTreeSet;

/// What the project has for its tests, by the names of classes; and what stands before the paths of its handlers.
#[derive(Debug, Clone, Default)]
pub struct Kit {
    classes: BTreeSet<String>,
    prefix: String,
}

impl Kit {
    /// Reads the harness's text: a class a line, and the context path behind `prefix`.
    pub fn parse(text: &str) -> Self {
        let (prefix, classes): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("prefix "));
        let prefix = prefix.first().and_then(|line| line.strip_prefix("prefix ")).unwrap_or_default().to_owned();
        Self { classes: classes.into_iter().map(str::to_owned).collect(), prefix }
    }

    /// What of a path that stands before those of operations is inside of the application.
    pub(super) fn inside<'a>(&self, base_path: &'a str) -> &'a str {
        base_path.strip_prefix(self.prefix.as_str()).unwrap_or(base_path)
    }

    /// What no test can do without and is not there.
    pub fn missing(&self) -> Option<&'static str> {
        let needed = [
            ("org.junit.jupiter.api.Test", "JUnit 5 (`org.junit.jupiter:junit-jupiter`)"),
            ("org.mockito.Mockito", "Mockito (`org.mockito:mockito-core`)"),
            ("com.jayway.jsonpath.JsonPath", "JSON paths (`com.jayway.jsonpath:json-path`)"),
        ];
        needed.into_iter().find(|(class, _)| !self.classes.contains(*class)).map(|(_, name)| name)
    }

    /// The first of these classes that is there: package and name.
    pub(super) fn first<'a>(&self, names: &[&'a str]) -> Option<(&'a str, &'a str)> {
        names.iter().find(|name| self.classes.contains(**name)).and_then(|name| name.rsplit_once('.'))
    }
}
