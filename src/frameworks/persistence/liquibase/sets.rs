//! Change sets: their conditions, and their statements.

use super::changes::change;
use crate::files::resources::Resources;
use crate::files::xml::Element;

/// An entry of a changelog.
#[derive(Debug)]
pub(super) enum ChangelogEntry {
    /// A change set.
    Set(ChangeSet),
    /// Another changelog.
    Include { file: String, is_relative: bool },
    /// All changelogs of a folder.
    IncludeAll { folder: String, is_relative: bool },
    /// Any other entry, by its name.
    Odd(String),
}

impl ChangelogEntry {
    /// The change set, if the entry is one.
    pub(super) fn set(self) -> Option<ChangeSet> {
        if let Self::Set(set) = self { Some(set) } else { None }
    }
}

/// A change set.
#[derive(Debug, Default)]
pub(super) struct ChangeSet {
    /// Its SQL statements.
    pub(super) statements: Vec<String>,
    /// Whether it only runs in some contexts, or with some labels.
    pub(super) is_for_contexts: bool,
    /// The databases in its `dbms` attribute; empty for all.
    pub(super) databases: Vec<String>,
    /// The tables that must not exist for it to run; `None` if it has other preconditions.
    pub(super) absent: Option<Vec<String>>,
    /// Why it is not followed as a whole.
    pub(super) odd: Option<String>,
}

impl ChangeSet {
    /// Its statements as a script, including a marker for a part that is not followed.
    pub(super) fn script(&self) -> String {
        let odd = self.odd.iter().map(|why| format!("unfollowed {why}"));
        self.statements.iter().cloned().chain(odd).collect::<Vec<_>>().join(";\n")
    }
}

/// Parses one changelog.
pub(super) struct Reader<'r> {
    /// Files that it may load.
    pub(super) resources: &'r Resources,
    /// Path of the changelog.
    pub(super) at: &'r str,
    /// Changelog properties by name.
    pub(super) properties: Vec<(String, String)>,
}

impl Reader<'_> {
    /// The entries of the changelog, in order.
    pub(super) fn items(&mut self, root: &Element) -> Vec<ChangelogEntry> {
        let mut found = Vec::new();
        for child in &root.children {
            let text = |name: &str| child.attribute(name).map(str::to_owned).unwrap_or_default();
            let is_relative = child.attribute("relativeToChangelogFile") == Some("true");
            match child.name.as_str() {
                "changeSet" => found.push(ChangelogEntry::Set(self.set(child))),
                "include" => found.push(ChangelogEntry::Include { file: text("file"), is_relative }),
                "includeAll"
                    if child.attributes.iter().all(|(key, _)| key == "path" || key.starts_with("relative")) =>
                {
                    found.push(ChangelogEntry::IncludeAll { folder: text("path"), is_relative });
                }
                "property" if child.attribute("name").is_some() && child.attributes.len() == 2 => {
                    // The first definition of a property wins.
                    if !self.properties.iter().any(|(name, _)| *name == text("name")) {
                        self.properties.push((text("name"), text("value")));
                    }
                }
                // A property for one database, or from a file, is not expanded.
                "property" => {}
                other => found.push(ChangelogEntry::Odd(other.to_owned())),
            }
        }
        found
    }

    fn set(&self, element: &Element) -> ChangeSet {
        let has = |name: &str| element.attribute(name).is_some_and(|text| !text.is_empty());
        let databases = element.attribute("dbms").unwrap_or_default();
        let mut set = ChangeSet {
            is_for_contexts: ["context", "contextFilter", "labels"].iter().any(|name| has(name)),
            databases: databases
                .split(',')
                .map(|one| one.trim().to_lowercase())
                .filter(|one| !one.is_empty())
                .collect(),
            absent: Some(Vec::new()),
            ..ChangeSet::default()
        };
        for child in &element.children {
            match child.name.as_str() {
                "preConditions" => set.absent = absent(child),
                "comment" | "rollback" | "validCheckSum" => {}
                _ => match change(&self.expanded(child), (self.resources, self.at)) {
                    Ok(statements) => set.statements.extend(statements),
                    Err(why) => set.odd = Some(why),
                },
            }
        }
        set
    }

    /// An element with its properties expanded.
    fn expanded(&self, element: &Element) -> Element {
        let text = |text: &str| {
            let mut text = text.to_owned();
            for (name, value) in &self.properties {
                text = text.replace(&format!("${{{name}}}"), value);
            }
            text
        };
        Element {
            name: element.name.clone(),
            attributes: element.attributes.iter().map(|(key, value)| (key.clone(), text(value))).collect(),
            children: element.children.iter().map(|child| self.expanded(child)).collect(),
            text: text(&element.text),
            offset: element.offset,
        }
    }
}

/// The tables that must not exist, if the preconditions consist of nothing else and skip the set otherwise.
fn absent(conditions: &Element) -> Option<Vec<String>> {
    if conditions.attribute("onFail") != Some("MARK_RAN") {
        return None;
    }
    let tables = conditions.children.iter().map(|child| match (child.name.as_str(), child.children.as_slice()) {
        ("not", [inner]) if inner.name == "tableExists" => inner.attribute("tableName").map(str::to_owned),
        _ => None,
    });
    tables.collect()
}

/// The statements of a changelog in formatted SQL; `None` if one of its sets has special attributes.
pub(super) fn formatted(text: &str) -> Option<&str> {
    let mut heads = text.lines().map(str::trim).filter(|line| line.starts_with("--"));
    let words = |line: &str| line.trim_start_matches('-').trim().to_lowercase();
    let first = words(heads.next()?);
    let special = |line: &str| {
        let line = words(line);
        let marks = ["context", "labels:", "dbms:", "enddelimiter", "splitstatements:false"];
        line.starts_with("precondition")
            || line.starts_with("changeset") && marks.iter().any(|mark| line.contains(mark))
    };
    (first.starts_with("liquibase formatted sql")
        && !text.lines().map(str::trim).filter(|line| line.starts_with("--")).any(special))
    .then_some(text)
}
