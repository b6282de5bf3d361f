//! Sets of changes: when they run, and what they are as statements.

use super::changes::change;
use crate::frameworks::resources::Resources;
use crate::frameworks::xml::Element;

/// What a changelog lists.
#[derive(Debug)]
pub(super) enum Item {
    /// A set of changes.
    Set(Set),
    /// Another changelog.
    Include { file: String, is_relative: bool },
    /// All changelogs of a folder.
    IncludeAll { folder: String, is_relative: bool },
    /// Something else, by its name.
    Odd(String),
}

impl Item {
    /// The set of changes that it is.
    pub(super) fn set(self) -> Option<Set> {
        if let Self::Set(set) = self { Some(set) } else { None }
    }
}

/// A set of changes.
#[derive(Debug, Default)]
pub(super) struct Set {
    /// What it stands for.
    pub(super) statements: Vec<String>,
    /// Whether it runs in some contexts, or under some labels alone.
    pub(super) is_for_contexts: bool,
    /// The databases that it is for, or not for; none for all.
    pub(super) databases: Vec<String>,
    /// The tables that must not be there; `None` where it asks for something else.
    pub(super) absent: Option<Vec<String>>,
    /// Why it is not followed as a whole.
    pub(super) odd: Option<String>,
}

impl Set {
    /// What it stands for, followed or not.
    pub(super) fn script(&self) -> String {
        let odd = self.odd.iter().map(|why| format!("unfollowed {why}"));
        self.statements.iter().cloned().chain(odd).collect::<Vec<_>>().join(";\n")
    }
}

/// Reads one changelog.
pub(super) struct Reader<'r> {
    /// Beside it: what it loads.
    pub(super) resources: &'r Resources,
    /// Its path.
    pub(super) at: &'r str,
    /// Texts by the names that stand for them.
    pub(super) properties: Vec<(String, String)>,
}

impl Reader<'_> {
    /// What it lists, in order.
    pub(super) fn items(&mut self, root: &Element) -> Vec<Item> {
        let mut found = Vec::new();
        for child in &root.children {
            let text = |name: &str| child.attribute(name).map(str::to_owned).unwrap_or_default();
            let is_relative = child.attribute("relativeToChangelogFile") == Some("true");
            match child.name.as_str() {
                "changeSet" => found.push(Item::Set(self.set(child))),
                "include" => found.push(Item::Include { file: text("file"), is_relative }),
                "includeAll"
                    if child.attributes.iter().all(|(key, _)| key == "path" || key.starts_with("relative")) =>
                {
                    found.push(Item::IncludeAll { folder: text("path"), is_relative });
                }
                "property" if child.attribute("name").is_some() && child.attributes.len() == 2 => {
                    // The first one counts.
                    if !self.properties.iter().any(|(name, _)| *name == text("name")) {
                        self.properties.push((text("name"), text("value")));
                    }
                }
                // Of one database, or from a file: what it stands for is left as it is.
                "property" => {}
                other => found.push(Item::Odd(other.to_owned())),
            }
        }
        found
    }

    fn set(&self, element: &Element) -> Set {
        let has = |name: &str| element.attribute(name).is_some_and(|text| !text.is_empty());
        let databases = element.attribute("dbms").unwrap_or_default();
        let mut set = Set {
            is_for_contexts: ["context", "contextFilter", "labels"].iter().any(|name| has(name)),
            databases: databases
                .split(',')
                .map(|one| one.trim().to_lowercase())
                .filter(|one| !one.is_empty())
                .collect(),
            absent: Some(Vec::new()),
            ..Set::default()
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

    /// An element with the texts that names stand for.
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

/// The tables that a condition wants not to be there, where it wants nothing else and passes over the set otherwise.
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

/// The statements of a changelog that is written in SQL; `None` where one of its sets is special.
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
