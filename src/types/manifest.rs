//! The manifest of an operation: every input that decides how it behaves, one a line, hashed (DESIGN §7).

use std::cmp::Ordering;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::hash::Hash;

/// What a difference in an input means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InputClass {
    /// On the code path: a difference makes the operation *affected*.
    Code,
    /// Of the environment only: a difference makes it *recheck*.
    Environment,
}

/// One input: its name, what a difference in it means, its hash.
pub type Input = (Arc<str>, InputClass, Hash);

/// Every input of an operation with its hash, sorted by name. Names are symbols (`com.acme.Orders#find(String)`), `openapi:…` or
/// `global:…`; paths stand only where there is no symbol, so that moving Java code changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    lines: Vec<Input>,
}

impl Manifest {
    /// The manifest of these inputs. Where several have one name (two members of one symbol in different modules), all count.
    pub fn of(mut inputs: Vec<Input>) -> Self {
        inputs.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        let mut lines: Vec<Input> = Vec::with_capacity(inputs.len());
        for (name, class, hash) in inputs {
            match lines.last_mut() {
                Some(last) if *last.0 == *name => (last.1, last.2) = merged((last.1, last.2), class, hash),
                _ => lines.push((name, class, hash)),
            }
        }
        Self { lines }
    }

    /// Adds an input, as [`Manifest::of`] does.
    pub fn add(&mut self, name: impl Into<Arc<str>>, class: InputClass, hash: Hash) {
        let name = name.into();
        match self.place(&name) {
            Ok(at) => {
                let (_, old_class, old) = &mut self.lines[at];
                (*old_class, *old) = merged((*old_class, *old), class, hash);
            }
            Err(at) => self.lines.insert(at, (name, class, hash)),
        }
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.lines.binary_search_by(|(known, ..)| (**known).cmp(name))
    }

    /// Inputs in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, InputClass, Hash)> {
        self.lines.iter().map(|(name, class, hash)| (&**name, *class, *hash))
    }

    /// Number of inputs.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines as a lock file holds them: `code <hash> <name>` or `env <hash> <name>`.
    pub fn to_lines(&self) -> String {
        let mut out = String::new();
        for (name, class, hash) in self.iter() {
            let class = match class {
                InputClass::Code => "code",
                InputClass::Environment => "env",
            };
            out.push_str(&format!("{class} {} {}\n", hash.short(32), escape(name)));
        }
        out
    }

    /// The fingerprint: SHA-256 over the lines.
    pub fn fingerprint(&self) -> Hash {
        Hash::of(self.to_lines().as_bytes())
    }

    /// Every difference from `base` to `self`, sorted by name.
    pub fn diff(&self, base: &Self) -> Vec<InputChange> {
        let mut changes = Vec::new();
        let mut note = |input: &Arc<str>, class, change| {
            changes.push(InputChange { input: input.to_string(), class, change });
        };
        let (mut new, mut old) = (self.lines.iter().peekable(), base.lines.iter().peekable());
        loop {
            let order = match (new.peek(), old.peek()) {
                (Some((a, ..)), Some((b, ..))) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return changes,
            };
            let added = if order == Ordering::Greater { None } else { new.next() };
            let removed = if order == Ordering::Less { None } else { old.next() };
            match (added, removed) {
                (Some((name, class, hash)), Some((_, old_class, old))) if hash != old => {
                    note(name, (*class).min(*old_class), Changed::Changed);
                }
                (Some((name, class, _)), None) => note(name, *class, Changed::Added),
                (None, Some((name, class, _))) => note(name, *class, Changed::Removed),
                _ => {}
            }
        }
    }
}

/// What two inputs of one name are together.
fn merged((old_class, old): (InputClass, Hash), class: InputClass, hash: Hash) -> (InputClass, Hash) {
    if old == hash {
        return (class, hash);
    }
    let (a, b) = if old < hash { (old, hash) } else { (hash, old) };
    (old_class.min(class), Hash::of_parts([a.hex().as_bytes(), b.hex().as_bytes()]))
}

fn escape(name: &str) -> String {
    name.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

/// One difference between two manifests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputChange {
    /// Name of the input.
    pub input: String,
    /// What the difference means.
    pub class: InputClass,
    /// What happened to it.
    pub change: Changed,
}

/// What happened to an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "named for what happened")]
pub enum Changed {
    Added,
    Removed,
    Changed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_listed_by_name_with_what_happened() {
        let mut base = Manifest::default();
        base.add("a#x", InputClass::Code, Hash::of(b"1"));
        base.add("b#y", InputClass::Code, Hash::of(b"1"));
        base.add("global:pom", InputClass::Environment, Hash::of(b"1"));
        let mut head = Manifest::default();
        head.add("b#y", InputClass::Code, Hash::of(b"2"));
        head.add("c#z", InputClass::Code, Hash::of(b"1"));
        head.add("global:pom", InputClass::Environment, Hash::of(b"1"));
        let changes: Vec<_> = head.diff(&base).into_iter().map(|c| (c.input, c.change)).collect();
        assert_eq!(
            changes,
            [
                ("a#x".to_owned(), Changed::Removed),
                ("b#y".to_owned(), Changed::Changed),
                ("c#z".to_owned(), Changed::Added)
            ]
        );
    }

    #[test]
    fn two_inputs_of_one_name_both_count_in_any_order() {
        let (one, two) = (Hash::of(b"1"), Hash::of(b"2"));
        let mut a = Manifest::default();
        a.add("x", InputClass::Code, one);
        a.add("x", InputClass::Code, two);
        let mut b = Manifest::default();
        b.add("x", InputClass::Code, two);
        b.add("x", InputClass::Code, one);
        assert_eq!(a.fingerprint(), b.fingerprint());
        assert_ne!(a.fingerprint(), Manifest::default().fingerprint());
    }
}
