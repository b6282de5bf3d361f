//! The registry of library models: which types and members are modelled, how, and which are static.
//!
//! A model in Java is registered by its source. Models in Rust are listed in `rust.txt`, one line per type: members
//! as `name/arguments`, constructors as `new/arguments`, static members after `static`. A test rejects an entry for a
//! member that the JVM's class does not have. `statics.txt` lists the static members of other types;
//! `packages/make.sh` generates it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::sources::models;
use crate::ir::facts::{MemberFacts, MemberKind, Modifiers, Nesting};

/// The models written in Rust.
const RUST: &str = include_str!("rust.txt");
/// The documentation site of each package: package prefix and base URL.
const DOCUMENTATION: &str = include_str!("documentation.txt");

/// How a type or member is modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModelKind {
    /// By a Java source.
    Java,
    /// By Rust code of the interpreter.
    Rust,
}

/// A modelled member of a library type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// Its name; `<init>` for a constructor.
    pub name: &'static str,
    /// Whether it is static.
    pub is_static: bool,
    /// Number of arguments; the minimum if `is_open`.
    pub arity: usize,
    /// Whether more arguments are accepted.
    pub is_open: bool,
}

/// A modelled library type.
#[derive(Debug, Clone)]
pub struct Modelled {
    /// How it is modelled.
    pub how: ModelKind,
    /// Its members, sorted.
    pub members: Vec<Member>,
}

/// The static members of library types, including types that are not modelled, by full name.
static STATICS: LazyLock<FxHashMap<&'static str, &'static str>> =
    LazyLock::new(|| include_str!("statics.txt").lines().filter_map(|line| line.split_once(' ')).collect());

static TYPES: LazyLock<BTreeMap<String, Modelled>> = LazyLock::new(read_all);

/// All modelled types, by full name.
pub fn types() -> &'static BTreeMap<String, Modelled> {
    &TYPES
}

/// Whether a member of a library type is static when called with this many arguments.
pub fn is_static(fqn: &str, name: &str, arity: usize) -> bool {
    let name_of = plain(fqn);
    let known = types().get(name_of.as_ref()).map(|known| known.members.as_slice()).unwrap_or_default();
    let is_called = |wanted: bool, arity: usize| {
        known.iter().any(|member| member.is_static == wanted && member.is_called(name, arity))
    };
    if is_called(true, arity) {
        return true;
    }
    if arity > 0 && is_called(false, arity - 1) {
        return false;
    }
    let listed = STATICS.get(name_of.as_ref()).into_iter().flat_map(|line| line.split(' '));
    listed.filter_map(|word| read(word, true)).any(|member| member.is_called(name, arity))
}

/// Matches every member of a type.
const ANY: &str = "*";

/// The URL of the page that documents a type; `None` if `documentation.txt` does not list its package.
///
/// A nested type has a page of its own: `java/util/Map.Entry.html`.
pub fn documentation(fqn: &str) -> Option<String> {
    let found = DOCUMENTATION.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '));
    let (_, base) = found.filter(|(prefix, _)| fqn.starts_with(prefix)).max_by_key(|(prefix, _)| prefix.len())?;
    let capital = |part: &&str| part.starts_with(char::is_uppercase);
    let package: Vec<&str> = fqn.split('.').take_while(|part| !capital(part)).collect();
    let name: Vec<&str> = fqn.split('.').skip_while(|part| !capital(part)).collect();
    Some(format!("{base}{}/{}.html", package.join("/"), name.join(".")))
}

/// The registry's name of a type: `javax` for `jakarta`, `.` before nested types, and the public type for internal
/// classes of the JDK.
fn plain(fqn: &str) -> Cow<'_, str> {
    match fqn {
        "java.util.Arrays$ArrayList" => "java.util.List".into(),
        "java.time.ZoneRegion" => "java.time.ZoneId".into(),
        _ => match fqn.strip_prefix("jakarta.") {
            Some(rest) => format!("javax.{rest}").replace('$', ".").into(),
            None if fqn.contains('$') => fqn.replace('$', ".").into(),
            None => fqn.into(),
        },
    }
}

impl Member {
    fn is_called(&self, name: &str, arity: usize) -> bool {
        (self.name == ANY || self.name == name) && (self.arity == arity || self.is_open && self.arity <= arity)
    }

    /// The notation of `rust.txt`: `of/1`, `new/0`, `format/1+`.
    pub fn written(&self) -> String {
        let name = if self.name == "<init>" { "new" } else { self.name };
        format!("{name}/{}{}", self.arity, if self.is_open { "+" } else { "" })
    }
}

fn read_all() -> BTreeMap<String, Modelled> {
    let mut found: BTreeMap<String, Modelled> = BTreeMap::new();
    for line in RUST.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let fqn = words.next().unwrap_or_default().to_owned();
        let mut members = Vec::new();
        let mut is_static = false;
        for word in words {
            if word == "static" {
                is_static = true;
                continue;
            }
            members.extend(read(word, is_static));
        }
        members.sort();
        found.insert(fqn, Modelled { how: ModelKind::Rust, members });
    }
    for model in models() {
        for ty in model.facts.types.iter().filter(|ty| ty.nesting == Nesting::Top) {
            let members = ty.members.iter().filter(|member| {
                matches!(member.kind, MemberKind::Method | MemberKind::Constructor)
                    && member.modifiers.has(Modifiers::PUBLIC)
            });
            let member = |facts: &'static MemberFacts| {
                let is_open = facts.params.last().is_some_and(|param| param.varargs);
                let is_constructor = facts.kind == MemberKind::Constructor;
                Member {
                    name: if is_constructor { "<init>" } else { facts.name.as_str() },
                    is_static: is_constructor || facts.modifiers.has(Modifiers::STATIC),
                    arity: facts.params.len() - usize::from(is_open),
                    is_open,
                }
            };
            let mut members: Vec<Member> = members.map(member).collect();
            members.sort();
            members.dedup();
            found.insert(format!("{}.{}", model.facts.package, ty.name), Modelled { how: ModelKind::Java, members });
        }
    }
    found
}

fn read(word: &'static str, is_static: bool) -> Option<Member> {
    let (name, arity) = word.split_once('/')?;
    let is_open = arity.ends_with('+');
    let arity = arity.trim_end_matches('+').parse().ok()?;
    let is_constructor = name == "new";
    let name = if is_constructor { "<init>" } else { name };
    Some(Member { name, is_static: is_static || is_constructor, arity, is_open })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whether_a_member_is_static_stands_in_one_place() {
        for (fqn, name, arity, wanted) in [
            ("java.util.Optional", "isPresent", 1, false),
            ("java.util.Optional", "ofNullable", 1, true),
            ("java.lang.Integer", "max", 2, true),
            ("java.lang.Integer", "intValue", 1, false),
            ("java.util.regex.Pattern", "quote", 1, true),
            ("java.util.BitSet", "valueOf", 1, true),
            ("java.util.BitSet", "cardinality", 1, false),
            ("java.lang.String", "valueOf", 1, true),
            ("java.lang.String", "length", 1, false),
            ("java.util.Objects", "nonNull", 1, true),
        ] {
            assert_eq!(is_static(fqn, name, arity), wanted, "{fqn}.{name}/{arity}");
        }
    }

    #[test]
    fn the_registry_is_in_order_and_says_where_its_types_are_documented() {
        let lines: Vec<&str> = RUST.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.is_sorted());
        for line in &lines {
            let words: Vec<&str> = line.split(' ').skip(1).filter(|word| *word != "static").collect();
            assert!(words.iter().all(|word| read(word, false).is_some()), "{line}");
        }
        let in_both = types().iter().filter(|(fqn, known)| {
            known.how == ModelKind::Java && lines.iter().any(|line| line.split(' ').next() == Some(fqn.as_str()))
        });
        assert_eq!(in_both.count(), 0, "a type is modelled in one way");
        let without: Vec<&String> =
            types().keys().filter(|fqn| fqn.contains('.') && documentation(fqn).is_none()).collect();
        assert!(without.is_empty(), "{without:?}");
        let mut bases = DOCUMENTATION.lines().filter(|line| !line.starts_with('#'));
        assert!(bases.all(|line| line.matches(' ').count() == 1 && line.contains(" https://") && line.ends_with('/')));
        let address = documentation("java.util.Map.Entry").unwrap();
        assert!(address.ends_with("/java.base/java/util/Map.Entry.html"), "{address}");
    }
}
