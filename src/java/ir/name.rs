//! Interned names: copying, comparing and dropping one costs almost nothing, which matters because the resolver
//! handles millions of types.

use std::cell::RefCell;
use std::sync::{LazyLock, Mutex, PoisonError};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An interned text. Interned texts are never freed; their number is bounded by the type names in the analysed code.
#[derive(Clone, Copy)]
pub struct Name(&'static str);

static ALL: LazyLock<Mutex<FxHashSet<&'static str>>> = LazyLock::new(|| Mutex::new(COMMON.into_iter().collect()));

/// The most frequent names.
static COMMON: [&str; 11] = [
    "boolean",
    "byte",
    "short",
    "char",
    "int",
    "long",
    "float",
    "double",
    "void",
    "java.lang.String",
    "java.lang.Object",
];

thread_local! {
    /// Names that this thread has already interned.
    static SEEN: RefCell<FxHashSet<&'static str>> = RefCell::default();
}

impl Name {
    /// The text.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// `java.lang.String`.
    pub fn string() -> Self {
        Self(COMMON[9])
    }

    /// The name of a primitive type, or `void`.
    pub fn primitive(name: &str) -> Self {
        let at = match name {
            "boolean" => 0,
            "byte" => 1,
            "short" => 2,
            "char" => 3,
            "int" => 4,
            "long" => 5,
            "float" => 6,
            "double" => 7,
            "void" => 8,
            other => return other.into(),
        };
        Self(COMMON[at])
    }
}

/// Serialises as the text.
impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        SEEN.with(|seen| {
            let mut seen = seen.borrow_mut();
            if let Some(known) = seen.get(text) {
                return Self(known);
            }
            let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
            let only = match all.get(text) {
                Some(known) => known,
                None => {
                    let only: &'static str = Box::leak(text.into());
                    all.insert(only);
                    only
                }
            };
            seen.insert(only);
            Self(only)
        })
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<&String> for Name {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl std::ops::Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.0
    }
}

impl std::borrow::Borrow<str> for Name {
    fn borrow(&self) -> &str {
        self.0
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        if self == other { std::cmp::Ordering::Equal } else { self.0.cmp(other.0) }
    }
}

impl std::hash::Hash for Name {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(self.0, f)
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_is_one_name_on_every_thread() {
        let here = Name::from("java.lang.String");
        let there = std::thread::spawn(|| Name::from(format!("java.lang.{}", "String"))).join().unwrap();
        assert_eq!(here, there);
        assert_ne!(here, Name::from("java.lang.Strin"));
        assert_eq!(Name::from(""), Name::from(String::new()));
        assert!(Name::from("a") < Name::from("b"));
        assert_eq!(&*here, "java.lang.String");
        assert_eq!(here, Name::string());
        for name in &COMMON[..9] {
            assert_eq!(Name::primitive(name), Name::from(*name));
        }
    }
}
