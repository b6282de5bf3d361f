//! Writes a suite to disk: only changed files, each file atomically, and the lock last.

use std::path::Path;

use super::error::SuiteError;
use super::format::{SCHEMA_VERSION, SequenceFile, SuiteFile, to_bytes};
use super::load::OperationSuite;
use super::lock::Lock;
use super::{LOCK_DIR, SEQUENCES_DIR, SUITE_DIR};
use mastor_store::{Batch, StoreError};
use mastor_types::op_id::OpId;
use mastor_types::suite::sequence::Sequence;

/// What to write for one operation.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The operation.
    pub op_id: &'a OpId,
    /// Its context and oracles.
    pub suite: &'a OperationSuite,
    /// Its sequences.
    pub sequences: &'a [Sequence],
    /// The manifest lines for a new lock; `None` keeps the old lock, because proposals are open.
    pub manifest: Option<&'a str>,
}

/// The bytes of an operation's suite file.
pub fn suite_bytes(suite: &OperationSuite) -> Vec<u8> {
    to_bytes(&SuiteFile {
        schema_version: SCHEMA_VERSION,
        context: suite.context.clone(),
        oracles: suite.oracles.clone(),
        accepted: suite.accepted.clone(),
        refuted: suite.refuted.clone(),
        assumptions: suite.assumptions.clone(),
    })
}

/// The bytes of an operation's sequence file; `None` where it has no sequence.
pub fn sequence_bytes(sequences: &[Sequence]) -> Option<Vec<u8>> {
    (!sequences.is_empty())
        .then(|| to_bytes(&SequenceFile { schema_version: SCHEMA_VERSION, sequences: sequences.to_vec() }))
}

/// The files of one operation, by path below the service's folder. An obsolete sequence file is not among them.
pub fn files(entry: &Entry<'_>) -> Vec<(String, Vec<u8>)> {
    let slug = entry.op_id.slug();
    let suite = suite_bytes(entry.suite);
    let sequences = sequence_bytes(entry.sequences);
    let lock = entry.manifest.map(|lines| Lock::new(entry.op_id, lines, &suite, sequences.as_deref()).to_bytes());
    let mut files = vec![(format!("{SUITE_DIR}/{slug}.json"), suite)];
    files.extend(sequences.map(|bytes| (format!("{SEQUENCES_DIR}/{slug}.json"), bytes)));
    files.extend(lock.map(|bytes| (format!("{LOCK_DIR}/{slug}.lock"), bytes)));
    files
}

/// Paths of all files that an operation can have, below the service's folder.
pub fn paths(op_id: &OpId) -> [String; 3] {
    let slug = op_id.slug();
    [format!("{SUITE_DIR}/{slug}.json"), format!("{SEQUENCES_DIR}/{slug}.json"), format!("{LOCK_DIR}/{slug}.lock")]
}

/// Removes half-written files that a killed run left beside the suite files.
pub fn sweep(service_dir: &Path) {
    for folder in [SUITE_DIR, SEQUENCES_DIR, LOCK_DIR] {
        mastor_store::sweep(&service_dir.join(folder));
    }
}

/// Adds the changed files of one operation to `batch`. Returns their paths relative to `service_dir`.
///
/// # Errors
/// [`SuiteError::Write`]; the earlier content of the files is kept.
pub fn save(batch: &mut Batch, service_dir: &Path, entry: &Entry<'_>) -> Result<Vec<String>, SuiteError> {
    let mut changed = Vec::new();
    // The order matters: suite and sequences are written before the lock that holds their hashes.
    let [_, beside, _] = paths(entry.op_id);
    if entry.sequences.is_empty() {
        removed(batch, service_dir, beside, &mut changed)?;
    }
    for (path, bytes) in files(entry) {
        if batch.write(&service_dir.join(&path), &bytes).map_err(|source| unwritten(&path, source))? {
            changed.push(path);
        }
    }
    Ok(changed)
}

/// Adds the removal of an operation's suite, sequence and lock files to `batch`. Returns the paths of those that exist.
///
/// # Errors
/// [`SuiteError::Write`] where an existing file cannot be removed.
pub fn remove(batch: &mut Batch, service_dir: &Path, op_id: &OpId) -> Result<Vec<String>, SuiteError> {
    let mut removed = Vec::new();
    for relative in paths(op_id) {
        self::removed(batch, service_dir, relative, &mut removed)?;
    }
    Ok(removed)
}

fn removed(
    batch: &mut Batch,
    service_dir: &Path,
    relative: String,
    changed: &mut Vec<String>,
) -> Result<(), SuiteError> {
    if batch.remove(&service_dir.join(&relative)).map_err(|source| unwritten(&relative, source))? {
        changed.push(relative);
    }
    Ok(())
}

fn unwritten(path: &str, source: StoreError) -> SuiteError {
    SuiteError::Write { path: path.to_owned(), source: std::io::Error::other(source) }
}
