//! Applies `[[ignore]]`: leaves out whole jobs, or fields of them, and lists the entries for reports.

use std::sync::Arc;

use mastor_config::{Day, IgnoreEntry};
use mastor_probe::job::Job;
use mastor_types::results::ignored::Ignored;

/// A job without the fields that `[[ignore]]` names; `None` if the whole job is ignored.
pub fn left_aside(ignore: &[IgnoreEntry], mut job: Job) -> Option<Arc<Job>> {
    let today = Day::today();
    for entry in ignore.iter().filter(|entry| entry.counts(today)) {
        let operations = job.op_ids();
        if operations.iter().any(|op_id| entry.covers(op_id, Some(&job.id))) {
            return None;
        }
        if operations.iter().any(|op_id| entry.names(op_id)) {
            entry.field.clone().into_iter().for_each(|field| job.quarantined.add(field));
        }
    }
    Some(Arc::new(job))
}

/// The entries that are in force, for reports.
pub fn in_force(ignore: &[IgnoreEntry]) -> Vec<Ignored> {
    let today = Day::today();
    ignore.iter().filter(|entry| entry.counts(today)).map(|entry| said(entry, entry.what())).collect()
}

/// An entry as a report shows it.
pub fn said(entry: &IgnoreEntry, what: String) -> Ignored {
    Ignored { what, reason: entry.reason.clone(), until: entry.until.map(|until| until.to_string()) }
}
