//! The manifest of an operation: every input that decides how it behaves, one a line, with its hash.

use std::cmp::Ordering;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::hash::Hash;
use super::places::IndexSet;

/// What a difference in an input means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InputClass {
    /// Code that the operation reaches: a difference makes the operation *affected*.
    Code,
    /// The environment only (configuration, dependencies): a difference makes the operation *recheck*.
    Environment,
}

/// One input: name, class and hash.
pub type Input = (Arc<str>, InputClass, Hash);

/// Every input of an operation with its hash, sorted by name. A name is a symbol (`com.acme.Orders#find(String)`),
/// `openapi:…` or `global:…`; a path is used only where no symbol exists, so that moving Java code changes nothing.
///
/// The operations of one revision share most inputs, so a manifest stores indices into one shared list.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The shared inputs, sorted by name, class and hash.
    all: Arc<[Input]>,
    /// Indices into `all`, each of another name.
    lines: IndexSet,
}

impl Default for Manifest {
    fn default() -> Self {
        Self { all: Arc::from([]), lines: IndexSet::default() }
    }
}

impl PartialEq for Manifest {
    fn eq(&self, other: &Self) -> bool {
        self.inputs().eq(other.inputs())
    }
}

impl Eq for Manifest {}

impl Manifest {
    /// The manifest of these inputs. Inputs with the same name (one symbol in several modules) are merged.
    pub fn of(inputs: Vec<Input>) -> Self {
        let all: Arc<[Input]> = joined(inputs).into();
        Self { lines: (0..all.len() as u32).collect(), all }
    }

    /// The manifest of the inputs at these indices of `all`, which is sorted by name, class and hash. Each index must
    /// be of another name.
    pub fn within(all: &Arc<[Input]>, lines: IndexSet) -> Self {
        Self { all: all.clone(), lines }
    }

    /// Adds an input; one with an existing name is merged, as in [`Manifest::of`].
    pub fn add(&mut self, name: impl Into<Arc<str>>, class: InputClass, hash: Hash) {
        let added = (name.into(), class, hash);
        *self = Self::of(self.inputs().cloned().chain([added]).collect());
    }

    /// The list of inputs that the revision's operations share.
    pub fn shared(&self) -> &Arc<[Input]> {
        &self.all
    }

    /// The indices of this operation's inputs in the shared list.
    pub fn places(&self) -> &IndexSet {
        &self.lines
    }

    fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.lines.iter().filter_map(|at| self.all.get(at as usize))
    }

    /// The hash of the input with this name.
    pub fn hash(&self, name: &str) -> Option<Hash> {
        let first = self.all.partition_point(|(other, ..)| **other < *name);
        let named = self.all.iter().enumerate().skip(first).take_while(|(_, (other, ..))| **other == *name);
        let mut own = named.filter(|(at, _)| self.lines.has(*at as u32));
        own.next().map(|(_, (.., hash))| *hash)
    }

    /// Inputs in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, InputClass, Hash)> {
        self.inputs().map(|(name, class, hash)| (&**name, *class, *hash))
    }

    /// Number of inputs.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether the manifest has no inputs.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines of a lock file: `code <hash> <name>` or `env <hash> <name>`.
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

    /// The fingerprint: SHA-256 of the manifest's lines.
    pub fn fingerprint(&self) -> Hash {
        Hash::of(self.to_lines().as_bytes())
    }

    /// A hash of all inputs, computed from `hashes`, the result of [`hashes`] for the shared list. Equal manifests have
    /// equal digests, whatever list they share.
    pub fn digest(&self, hashes: &[Hash]) -> Hash {
        let own = self.lines.iter().filter_map(|at| hashes.get(at as usize));
        Hash::of_parts(own.map(|hash| hash.as_bytes().as_slice()))
    }

    /// Every difference from `base` to `self`, sorted by name.
    pub fn diff(&self, base: &Self) -> Vec<InputChange> {
        self.diff_but(base, |_, _| false)
    }

    /// Computes [`Manifest::diff`]; `is_same` takes the indices of two inputs and tells whether they are known to be
    /// equal, so that they need not be compared.
    fn diff_but(&self, base: &Self, is_same: impl Fn(u32, u32) -> bool) -> Vec<InputChange> {
        let mut changes = Vec::new();
        let mut note = |input: &Arc<str>, class, change| {
            changes.push(InputChange { input: input.to_string(), class, change });
        };
        let (mut new, mut old) = (self.lines.iter().peekable(), base.lines.iter().peekable());
        let own = |at: u32| self.all.get(at as usize);
        let other = |at: u32| base.all.get(at as usize);
        loop {
            let order = match (new.peek(), old.peek()) {
                (Some(new), Some(old)) if is_same(*new, *old) => Ordering::Equal,
                (Some(new), Some(old)) => own(*new).map(|(name, ..)| name).cmp(&other(*old).map(|(name, ..)| name)),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return changes,
            };
            let added = if order == Ordering::Greater { None } else { new.next().and_then(own) };
            let removed = if order == Ordering::Less { None } else { old.next().and_then(other) };
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

/// A hash of each input, over its name, class and hash.
pub fn hashes(inputs: &[Input]) -> Vec<Hash> {
    let of = |(name, class, hash): &Input| Hash::of_parts([name.as_bytes(), &[*class as u8], hash.as_bytes()]);
    inputs.iter().map(of).collect()
}

/// Sorts inputs by name and merges those with the same name.
pub fn joined(mut inputs: Vec<Input>) -> Vec<Input> {
    inputs.sort_by(|(a, ..), (b, ..)| a.cmp(b));
    let mut lines: Vec<Input> = Vec::with_capacity(inputs.len());
    for (name, class, hash) in inputs {
        match lines.last_mut() {
            Some(last) if *last.0 == *name => (last.1, last.2) = merged((last.1, last.2), class, hash),
            _ => lines.push((name, class, hash)),
        }
    }
    lines
}

/// Compares many manifests of two revisions: the shared inputs are matched once, so that names of equal inputs are not
/// compared again.
#[derive(Default)]
pub struct ManifestComparer {
    /// The shared lists of the last compared pair.
    new: Arc<[Input]>,
    old: Arc<[Input]>,
    /// For each input of `old`, its index in `new`.
    places: Vec<Option<u32>>,
}

impl ManifestComparer {
    /// Every difference from `old` to `new`, the same as [`Manifest::diff`].
    pub fn diff(&mut self, new: &Manifest, old: &Manifest) -> Vec<InputChange> {
        if Arc::ptr_eq(&new.all, &old.all) {
            return new.diff_but(old, |new, old| new == old);
        }
        // Consecutive manifests come from the same two revisions, so the index table is reused.
        if !Arc::ptr_eq(&self.new, &new.all) || !Arc::ptr_eq(&self.old, &old.all) {
            self.places = places_in(&new.all, &old.all);
            (self.new, self.old) = (new.all.clone(), old.all.clone());
        }
        new.diff_but(old, |new, old| self.places.get(old as usize).is_some_and(|place| *place == Some(new)))
    }
}

/// For each of `inputs`, its index in `all`; both lists are sorted.
fn places_in(all: &[Input], inputs: &[Input]) -> Vec<Option<u32>> {
    let mut at = 0;
    let place = |input: &Input| {
        while all.get(at).is_some_and(|known| known < input) {
            at += 1;
        }
        all.get(at).filter(|known| *known == input).map(|_| at as u32)
    };
    inputs.iter().map(place).collect()
}

/// Merges two inputs of one name: the stricter class and a hash that does not depend on their order.
pub fn merged((old_class, old): (InputClass, Hash), class: InputClass, hash: Hash) -> (InputClass, Hash) {
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
    /// The class of the input that differs.
    pub class: InputClass,
    /// Whether it was added, removed or changed.
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
    fn manifests_are_the_same_by_what_they_say_not_by_what_they_share() {
        let input = |name: &str, text: &str| (Arc::from(name), InputClass::Code, Hash::of(text.as_bytes()));
        let (few, many) =
            (vec![input("b", "1"), input("c", "2")], vec![input("a", "0"), input("b", "1"), input("c", "2")]);
        let old: Arc<[Input]> = few.clone().into();
        let new: Arc<[Input]> = many.into();
        let places = |places: &[u32]| places.iter().copied().collect();
        let (head, base) = (Manifest::within(&new, places(&[1, 2])), Manifest::within(&old, places(&[0, 1])));
        let mut twins = ManifestComparer::default();
        assert!(twins.diff(&head, &base).is_empty() && head == base && head == Manifest::of(few));
        assert!(twins.diff(&head, &head).is_empty());
        for other in [places(&[0, 2]), places(&[0]), places(&[0, 1])] {
            let other = Manifest::within(&new, other);
            for (one, two) in [(&other, &base), (&base, &other), (&other, &head)] {
                assert_eq!(twins.diff(one, two), one.diff(two));
                assert!(!one.diff(two).is_empty());
            }
        }
        assert_eq!(head.diff(&Manifest::within(&new, places(&[0, 1]))).len(), 2);
        assert_eq!((head.hash("c"), head.hash("a"), head.hash("d")), (Some(Hash::of(b"2")), None, None));
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
        assert_eq!(a.digest(&hashes(a.shared())), b.digest(&hashes(b.shared())));
        assert_ne!(a.fingerprint(), Manifest::default().fingerprint());
    }
}
