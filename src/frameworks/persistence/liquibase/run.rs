//! Runs a changelog on a database: its change sets in order, each if it is for this database and its preconditions
//! hold.

use super::sets::{self, ChangeSet, ChangelogEntry, Reader};
use super::tree;
use crate::files::properties::module_of;
use crate::files::resources::{Resources, is_aside};
use crate::persistence::sql_run::Database;
use mastor_java::interpret::stores::data::plain;

/// Greatest depth of includes.
const DEPTH: usize = 12;

/// The state of a running changelog.
pub(super) struct Run<'r> {
    pub(super) resources: &'r Resources,
    pub(super) near: &'r str,
    pub(super) contexts: bool,
    pub(super) kind: Option<&'r str>,
    pub(super) database: &'r mut Database,
    pub(super) sources: &'r mut Vec<String>,
    pub(super) properties: Vec<(String, String)>,
}

impl<'r> Run<'r> {
    /// The file at a class path location; prefers the service's own module if several have it.
    fn on_class_path(&self, tail: &str) -> Option<(&'r str, &'r str)> {
        let is_meant = |path: &str| path.strip_suffix(tail).is_some_and(|rest| rest.ends_with("/resources/"));
        let mut found = self.resources.iter().filter(|(path, _)| !is_aside(path) && is_meant(path));
        let first = found.next()?;
        let own = |path: &str| module_of(path) == module_of(self.near);
        Some(std::iter::once(first).chain(found).find(|(path, _)| own(path)).unwrap_or(first))
    }

    /// The files below a folder of the class path, by their class path locations.
    fn folder(&self, folder: &str) -> Vec<String> {
        let name = |(path, _): (&str, &str)| {
            let (root, rest) = path.split_once("/resources/")?;
            let is_own = module_of(&format!("{root}/")) == module_of(self.near);
            (is_own && rest.starts_with(&format!("{folder}/")) && !path.ends_with(".csv")).then(|| rest.to_owned())
        };
        self.resources.iter().filter(|(path, _)| !is_aside(path)).filter_map(name).collect()
    }

    /// Runs a changelog of the class path and the changelogs that it includes.
    pub(super) fn file(&mut self, tail: &str, depth: usize) -> Result<(), String> {
        let open = |what: &str| format!("{what} of Liquibase is not followed");
        if depth > DEPTH {
            return Err(open("a changelog within many others"));
        }
        let Some((path, text)) = self.on_class_path(tail) else { return Err(open("a changelog that is not found")) };
        self.sources.push(path.to_owned());
        if path.ends_with(".sql") {
            let set = sets::formatted(text).ok_or_else(|| open("a changelog in SQL"))?;
            self.database.run(set);
            return Ok(());
        }
        let root = tree::parse(path, text).ok_or_else(|| open("a changelog that cannot be read"))?;
        let mut reader =
            Reader { resources: self.resources, at: path, properties: std::mem::take(&mut self.properties) };
        let items = reader.items(&root);
        self.properties = reader.properties;
        let base = tail.rsplit_once('/').map_or("", |(folder, _)| folder);
        let relative = |file: &str, is_relative: bool| {
            let file = file.trim_start_matches("classpath:").trim_start_matches('/');
            if is_relative && !base.is_empty() { format!("{base}/{file}") } else { file.to_owned() }
        };
        for item in items {
            match item {
                ChangelogEntry::Set(set) => self.set(&set)?,
                ChangelogEntry::Include { file, is_relative } => self.file(&relative(&file, is_relative), depth + 1)?,
                ChangelogEntry::IncludeAll { folder, is_relative } => {
                    let folder = relative(folder.trim_end_matches('/'), is_relative);
                    for file in self.folder(&folder) {
                        self.file(&file, depth + 1)?;
                    }
                }
                ChangelogEntry::Odd(what) => return Err(open(&what)),
            }
        }
        Ok(())
    }

    fn set(&mut self, set: &ChangeSet) -> Result<(), String> {
        let open = |what: &str| format!("{what} of Liquibase is not followed");
        if self.contexts && set.is_for_contexts {
            return Err(open("a context"));
        }
        if !set.databases.is_empty() {
            let Some(kind) = self.kind else { return Err(open("a set of changes for one database")) };
            let (not, only): (Vec<&String>, Vec<&String>) = set.databases.iter().partition(|one| one.starts_with('!'));
            let is_named = |one: &&&String| one.trim_start_matches('!') == kind || one.as_str() == "all";
            if not.iter().any(|one| is_named(&one)) || !only.is_empty() && !only.iter().any(|one| is_named(&one)) {
                return Ok(());
            }
        }
        match &set.absent {
            None => return Err(open("a condition")),
            Some(tables) => {
                if self.database.open.is_some() && !tables.is_empty() {
                    return Err(open("a condition"));
                }
                if tables.iter().any(|table| self.database.tables.contains_key(&plain(table))) {
                    return Ok(());
                }
            }
        }
        if let Some(why) = &set.odd {
            return Err(open(why));
        }
        self.database.run(&set.statements.join(";\n"));
        Ok(())
    }
}
