//! `mastor cache`: shows and prunes the repository's cache.

use std::time::Duration;

use serde_json::json;

use super::context::Context;
use crate::cli::Format;
use mastor_store::cache::CacheSize;
use mastor_types::error::{Exit, Failure};

/// Seconds in a day.
const DAY: u64 = 86_400;

/// Prints number and size of records by kind; damaged records are removed and named.
///
/// # Errors
/// Exit 2 outside a repository.
pub fn stats(context: &Context, format: Format) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    workspace.cache.verify();
    let (kinds, damaged) = (workspace.cache.kinds(), workspace.cache.damaged());
    let all = workspace.cache.size();
    match format {
        Format::Json => {
            let kinds: serde_json::Map<_, _> = kinds
                .iter()
                .map(|(kind, size)| (kind.clone(), json!({ "records": size.records, "bytes": size.bytes })))
                .collect();
            context
                .console
                .json(&json!({ "schema_version": 1, "command": "cache stats", "kinds": kinds, "records": all.records,
                "bytes": all.bytes, "damaged": damaged }));
        }
        Format::Text => {
            let mut out = String::new();
            for (kind, size) in &kinds {
                out.push_str(&format!("{kind:<16} {}\n", in_words(*size)));
            }
            out.push_str(&format!("{:<16} {}\n", "all", in_words(all)));
            for name in &damaged {
                out.push_str(&format!("removed, since it is damaged: {name}\n"));
            }
            context.console.result(&out);
        }
    }
    Ok(Exit::Clean)
}

/// Removes damaged records, those older than `days`, and then the oldest until at most `megabytes` are left. Without
/// either limit, removes all.
///
/// # Errors
/// Exit 70 where the folder cannot be emptied.
pub fn prune(context: &Context, days: Option<u32>, megabytes: Option<u32>) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
    workspace.cache.verify();
    let damaged = workspace.cache.damaged();
    let freed = if days.is_none() && megabytes.is_none() {
        workspace.cache.clear().map_err(|error| Failure::new(Exit::Internal, error.to_string()))?
    } else {
        let age = days.map(|days| Duration::from_secs(u64::from(days) * DAY));
        workspace.cache.prune(age, megabytes.map(|megabytes| u64::from(megabytes) << 20))
    };
    let left = workspace.cache.size();
    let damaged = if damaged.is_empty() { String::new() } else { format!(", and {} that were damaged", damaged.len()) };
    context.console.result(&format!("removed {}{damaged}; left {}\n", in_words(freed), in_words(left)));
    Ok(Exit::Clean)
}

fn in_words(size: CacheSize) -> String {
    format!(
        "{} {}, {:.1} MB",
        size.records,
        if size.records == 1 { "record" } else { "records" },
        size.bytes as f64 / 1_048_576.0
    )
}
