//! A location in a document: a file and a JSON pointer (RFC 6901) into it.

use mastor_types::Warning;

/// A location: a file and a JSON pointer into its value (`""` is the whole file).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentLocation {
    /// Path from the repository's root.
    pub file: String,
    /// JSON pointer with `~0` and `~1` escapes.
    pub pointer: String,
}

/// The location of a schema, which may itself be a `$ref`.
pub type SchemaRef = DocumentLocation;

impl DocumentLocation {
    /// The place at `pointer` of `file`.
    pub fn new(file: &str, pointer: &str) -> Self {
        Self { file: file.to_owned(), pointer: pointer.to_owned() }
    }

    /// The location one key or index deeper.
    #[must_use]
    pub fn at(&self, key: &str) -> Self {
        Self { file: self.file.clone(), pointer: format!("{}/{}", self.pointer, escape(key)) }
    }

    /// The last key of the pointer, unescaped: the name of a named schema, parameter or response.
    pub fn last(&self) -> Option<String> {
        self.pointer.rsplit_once('/').map(|(_, key)| unescape(key))
    }

    /// The name of the component schema at exactly this location; `None` for inline schemas.
    pub fn schema_name(&self) -> Option<String> {
        let (parent, key) = self.pointer.rsplit_once('/')?;
        matches!(parent, "/definitions" | "/components/schemas").then(|| unescape(key))
    }

    /// A warning about this location.
    pub(crate) fn warn(&self, code: &str, what: impl std::fmt::Display) -> Warning {
        Warning::new(code, format!("{what} (at #{})", self.pointer), Some(&self.file))
    }
}

impl std::fmt::Display for DocumentLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}#{}", self.file, self.pointer)
    }
}

/// A key as a token of a JSON pointer.
pub fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A token of a JSON pointer as a key.
pub fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}
