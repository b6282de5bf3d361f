//! The plan of a change, made from two analyses or from the fingerprints of them that the cache kept.

use std::sync::Arc;

use crate::pipeline::repository::relevant::identity;
use crate::pipeline::repository::stale;
use crate::pipeline::repository::workspace::{BaseRevision, Head};
use mastor_config::Settings;
use mastor_extract::manifests::kept::{self, Fingerprints};
use mastor_extract::manifests::plan::Fingerprinted;
use mastor_extract::{self as extract, Analysis};
use mastor_revision::SourceTree;
use mastor_suite::load::Suite;
use mastor_types::Hash;
use mastor_types::results::plan::{Plan, Since, State};
use mastor_types::suite::source_context::Entry;

/// One revision of a service, as far as a plan needs it.
pub enum Side {
    /// Analysed in this run.
    Analysed(Arc<Analysis>),
    /// Analysed before, and read from the cache.
    Kept(Fingerprints),
}

impl Side {
    /// Its operations, sorted by name.
    pub fn operations(&self) -> &[Fingerprinted] {
        match self {
            Self::Analysed(analysis) => &analysis.operations,
            Self::Kept(kept) => &kept.operations,
        }
    }

    /// Methods that no route names but that may serve operations.
    fn hidden(&self) -> &[Entry] {
        match self {
            Self::Analysed(analysis) => &analysis.hidden,
            Self::Kept(kept) => &kept.hidden,
        }
    }

    /// The inputs that its operations share, and those that none of them reaches.
    fn inputs(&self) -> extract::manifests::unreached::Side<'_> {
        let shared = self.operations().first().map(|first| &**first.manifest.shared()).unwrap_or_default();
        let unreached = match self {
            Self::Analysed(analysis) => &analysis.unreached,
            Self::Kept(kept) => &kept.unreached,
        };
        (shared, unreached)
    }

    fn place(&self, input: &str) -> Option<String> {
        match self {
            Self::Analysed(analysis) => analysis.place(input),
            Self::Kept(kept) => kept.place(input),
        }
    }
}

/// The cache key of a revision's fingerprints under these settings.
pub fn key(settings: &Settings, tree: &SourceTree) -> Hash {
    kept::key([format!("{settings:?}").as_bytes(), identity(tree).as_bytes()])
}

/// The plan from two revisions of a service.
pub fn of_sides(settings: &Settings, old: &Side, new: &Side, base: &BaseRevision, head: &Head) -> Plan {
    let place = |input: &str| new.place(input).or_else(|| old.place(input)).unwrap_or_else(|| input.to_owned());
    let operations = extract::manifests::plan::compare(old.operations(), new.operations(), new.hidden(), &place);
    let committed = Suite::load(&head.tree, &settings.dir);
    let since = Since {
        reference: base.reference.clone(),
        merge_base: base.commit.id.to_string(),
        head: head.label.clone(),
        head_sha: head.whole_id(),
    };
    let mut stale = stale::stale(new.operations(), &committed);
    // A lock of another analysis version is stale only where this binary finds the operation affected.
    let unknown = operations
        .iter()
        .filter(|o| o.state == State::Affected && committed.operations.contains_key(&o.op_id))
        .map(|o| o.op_id.clone());
    stale.extend(unknown.filter(|op_id| {
        committed.locks.get(op_id).is_some_and(|l| l.analysis != mastor_suite::lock::ANALYSIS_VERSION)
    }));
    stale.sort();
    stale.dedup();
    let unreached = extract::manifests::unreached::changed(old.inputs(), new.inputs());
    Plan { unreached, ..Plan::new(Some(since), operations, stale) }
}
