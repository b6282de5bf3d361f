//! The sources of the Java models, parsed once per process.

use std::sync::{Arc, LazyLock};

use crate::declarations::extract_facts::facts_with;
use crate::declarations::outline::outline;
use crate::files::read_files::keep_literals;
use crate::ir::body::Body;
use crate::ir::facts::FileFacts;
use crate::lower::members::lower_tree;
use mastor_revision::BlobId;
use mastor_types::Hash;

/// Lists the source files by their paths below `library/`.
macro_rules! sources {
    ($($path:literal),* $(,)?) => {
        /// Path and text of each source.
        pub const SOURCES: &[(&str, &str)] = &[$(($path, include_str!(concat!("library/", $path)))),*];
    };
}

sources![
    "java/util/BitSet.java",
    "java/util/StringTokenizer.java",
    "org/apache/commons/lang3/mutable/MutableInt.java",
    "org/apache/commons/lang3/tuple/ImmutablePair.java",
    "org/apache/commons/lang3/tuple/Pair.java",
];

/// A parsed model source.
pub struct Model {
    /// Its path below `library/`.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The blob id that git would give it.
    pub blob: BlobId,
    /// Its declarations.
    pub facts: Arc<FileFacts>,
    /// Hash over everything that other files can see of it.
    pub outline: Hash,
    /// Its lowered bodies, by type and member.
    pub bodies: Vec<Vec<Option<Arc<Body>>>>,
}

static MODELS: LazyLock<Vec<Model>> = LazyLock::new(|| SOURCES.iter().map(|(path, text)| read(path, text)).collect());

/// All models, sorted by path.
pub fn models() -> &'static [Model] {
    &MODELS
}

fn read(path: &'static str, text: &'static str) -> Model {
    let mut lowered = Vec::new();
    let mut facts = facts_with(text, |facts, root| lowered = lower_tree(root, text, facts));
    keep_literals(&mut facts, &lowered);
    let shared = |ty: Vec<Option<Body>>| ty.into_iter().map(|body| body.map(Arc::new)).collect();
    let outline = outline(&facts);
    let mut blob = [0; 20];
    blob.copy_from_slice(&Hash::of(text.as_bytes()).as_bytes()[..20]);
    let blob = BlobId::from_bytes(blob);
    Model { path, text, blob, facts: Arc::new(facts), outline, bodies: lowered.into_iter().map(shared).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_declares_the_type_that_its_path_names_and_is_listed() {
        for model in models() {
            let facts = &model.facts;
            assert!(facts.error_lines.is_empty(), "{}", model.path);
            let name = format!("{}/{}.java", facts.package.replace('.', "/"), facts.types[0].name);
            assert_eq!(name, model.path);
        }
        assert!(SOURCES.is_sorted(), "the list is in order");
    }
}
