//! Output for shards: the job matrix of a plan, and the summary of one shard's work.

use serde_json::json;

use crate::pipeline::ci::part::PartFile;
use crate::pipeline::ci::sharding::Cut;
use mastor_publish::wording::words::count;
use mastor_suite::OUT_DIR;

/// The job matrix for GitHub Actions, on one line, so that it can be written to a step's output.
pub fn matrix(cuts: &[Cut]) -> String {
    let include: Vec<_> = cuts
        .iter()
        .map(|cut| {
            let (shard, name) = (cut.shard.to_string(), cut.shard.name());
            json!({ "shard": shard, "name": name, "number": cut.shard.number(), "of": cut.shard.of(),
                "operations": cut.operations, "seconds": cut.seconds })
        })
        .collect();
    format!("{}\n", json!({ "include": include }))
}

/// A summary of a shard's work, in two lines.
pub fn part(file: &PartFile) -> String {
    let shard = file.shard.name();
    let found = || file.services.iter().map(|part| &part.found);
    let operations: usize = found().map(|found| found.generated.operations.len()).sum();
    let differences: usize = found().map(|found| found.changes.len()).sum();
    let oracles: usize = found().map(|found| found.generated.totals.oracles).sum();
    format!(
        "shard {shard}: {} worked on, {}, {}\nnothing is judged yet: `mastor merge` joins {OUT_DIR}/shard.json with those of the other shards\n",
        count(operations, "operation"),
        count(oracles, "oracle"),
        count(differences, "difference")
    )
}
