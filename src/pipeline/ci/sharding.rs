//! Shards of a run: cuts the work into shards, runs one shard, and merges all shards into the result of a single run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::pipeline::ci::conclude::conclude;
use crate::pipeline::ci::costs;
use crate::pipeline::ci::part::{FILE, Part, PartFile, SCHEMA_VERSION};
use crate::pipeline::ci::run::{self, CiOptions, CiOutcome, find};
use crate::pipeline::repository::comparison::{compare, plan};
use crate::pipeline::repository::workspace::{BaseRevision, Head, Workspace, out_folder, unwritable};
use mastor_config::Settings;
use mastor_suite::OUT_DIR;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::plan::Plan;
use mastor_types::shard::Shard;

/// Largest file of a shard that is read, in bytes.
const LARGEST: u64 = 1 << 30;
/// Milliseconds of expected work that justify a further shard.
const WORTH: u64 = 10_000;

/// All operations that a run has to look at, with the name of their service, in an order that is the same on every
/// machine.
pub fn work<'p>(plans: impl IntoIterator<Item = (&'p str, &'p Plan)>) -> Vec<(String, OpId)> {
    let of = |(service, plan): (&'p str, &'p Plan)| plan.work().map(move |op_id| (service.to_owned(), op_id.clone()));
    plans.into_iter().flat_map(of).collect()
}

/// A shard and the size of its work.
pub struct Cut {
    /// The shard.
    pub shard: Shard,
    /// Number of its operations.
    pub operations: usize,
    /// Seconds that they are expected to take, by the costs of earlier runs.
    pub seconds: f64,
}

/// Cuts the work of these plans by recorded cost into at most `most` shards; little work gives fewer shards.
pub fn cut(workspace: &Workspace, plans: &[(String, Plan)], most: u16) -> Vec<Cut> {
    let work = work(plans.iter().map(|(name, plan)| (name.as_str(), plan)));
    let expected = costs::expected(workspace, &work);
    let enough = expected.iter().sum::<u64>().div_ceil(WORTH).clamp(1, u64::from(most));
    let shards = Shard::cut(&expected, u16::try_from(enough).unwrap_or(most));
    let with_costs = |shard: Shard| {
        let part = shard.part(&expected).unwrap_or_default();
        let (operations, millis) = (part.len(), part.iter().sum::<u64>());
        Cut { shard, operations, seconds: std::time::Duration::from_millis(millis).as_secs_f64() }
    };
    shards.into_iter().map(with_costs).collect()
}

/// Runs one shard, and writes what it found for [`merge`], which judges it.
///
/// # Errors
/// As for `ci`; exit 2 for a shard that was cut for another plan.
pub fn ci_shard(
    workspace: &Workspace,
    head: &Head,
    base: &BaseRevision,
    shard: &Shard,
    options: &CiOptions,
) -> Result<(PartFile, Exit), Failure> {
    let settings = run::services(workspace, head, base)?;
    run::give_time(workspace, &settings, options);
    let mut plans = Vec::new();
    for one in &settings {
        plans.push((one.name.as_str(), plan(workspace, one, base, head)?));
    }
    let work = work(plans.iter().map(|(name, plan)| (*name, plan)));
    let part = shard.part(&work).map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
    let mut mine: BTreeMap<&str, BTreeSet<OpId>> = BTreeMap::new();
    for (service, op_id) in part {
        mine.entry(service).or_default().insert(op_id.clone());
    }
    let mut services = Vec::new();
    for one in &settings {
        let comparison = compare(workspace, one, base, head)?;
        let mine = mine.remove(one.name.as_str()).unwrap_or_default();
        services.push(find(workspace, one, (base, head), &comparison, Some(&mine), options)?);
    }
    for part in &services {
        costs::record(workspace, &part.frame.name, &part.found.costs);
    }
    let exit = Exit::worst(services.iter().filter_map(|part| part.found.exit));
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let file = PartFile { schema_version: SCHEMA_VERSION, mastor: version, shard: shard.clone(), services };
    let out = workspace.root.join(OUT_DIR);
    out_folder(&out)?;
    let bytes = serde_json::to_vec(&file).map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    mastor_store::write(&out.join(FILE), &bytes).map_err(unwritable)?;
    Ok((file, exit))
}

/// Merges the shards in these folders into the report and the files of a single run. Each folder holds a shard, or has
/// folders that do.
///
/// # Errors
/// Exit 2 for a shard that is missing, duplicate, of another run, of another version, or unreadable; the message names
/// it.
pub fn merge(workspace: &Workspace, head: &Head, folders: &[PathBuf]) -> Result<CiOutcome, Failure> {
    let mut files = Vec::new();
    for folder in folders {
        let found = parts_in(folder);
        if found.is_empty() {
            return Err(wrong(format!("no part of a run is in `{}`", folder.display()))
                .hint("`mastor ci --shard 1/2` writes `.mastor/out/shard.json`"));
        }
        for path in found {
            files.push((path.clone(), read(&path)?));
        }
    }
    fit(workspace, head, &files)?;
    files.sort_by_key(|(_, file)| file.shard.number());
    let mut files = files.into_iter().map(|(_, file)| file.services);
    let mut services: Vec<Part> = files.next().unwrap_or_default();
    for more in files {
        for (part, other) in services.iter_mut().zip(more) {
            part.found.join(other.found);
        }
    }
    let settings = workspace.services(&head.tree)?;
    let mut concluded = Vec::new();
    for part in services {
        let own = |settings: &&Settings| (&settings.name, &settings.dir) == (&part.frame.name, &part.frame.dir);
        let settings = settings.iter().find(own).ok_or_else(|| {
            wrong(format!(
                "the parts are of a service `{}` in `{}`, which is not here",
                part.frame.name, part.frame.dir
            ))
        })?;
        costs::record(workspace, &settings.name, &part.found.costs);
        concluded.push(conclude(workspace, settings, (head, None), part, false)?);
    }
    run::report(workspace, head, concluded, false)
}

/// Checks that these are all shards of one run on this head, each exactly once.
fn fit(workspace: &Workspace, head: &Head, files: &[(PathBuf, PartFile)]) -> Result<(), Failure> {
    let Some((first_path, first)) = files.first() else { return Err(wrong("no folder was named".to_owned())) };
    let mut there: BTreeMap<u16, &Path> = BTreeMap::new();
    for (path, file) in files {
        let (shown, name) = (path.display(), file.shard.name());
        if !file.shard.is_of_the_same_cut(&first.shard) {
            return Err(wrong(format!(
                "`{shown}` is foreign: it is shard {name} of another cut than {} in `{}`",
                first.shard.name(),
                first_path.display()
            )));
        }
        let frames = |file: &PartFile| file.services.iter().map(|part| part.frame.clone()).collect::<Vec<_>>();
        if frames(file) != frames(first) {
            return Err(wrong(format!(
                "`{shown}` is foreign: shard {name} is of another run than `{}`, over {} instead of {}",
                first_path.display(),
                ends(file),
                ends(first)
            )));
        }
        if let Some(other) = there.insert(file.shard.number(), path) {
            return Err(wrong(format!("shard {name} is there twice: in `{}` and `{shown}`", other.display())));
        }
    }
    let missing: Vec<String> = (1..=first.shard.of())
        .filter(|n| !there.contains_key(n))
        .map(|n| format!("{n}/{}", first.shard.of()))
        .collect();
    if !missing.is_empty() {
        let words = if missing.len() == 1 { "shard" } else { "shards" };
        return Err(wrong(format!("{words} {} missing", are(&missing)))
            .hint("a job that failed has left no part: run it again, and merge then"));
    }
    let of_other_head = |part: &Part| {
        let since = part.frame.plan.since.as_ref();
        since.and_then(|since| since.head_sha.clone()).is_some_and(|sha| sha != head.commit.id.to_string())
    };
    if first.services.iter().any(of_other_head) {
        let at = head.commit.short();
        return Err(wrong(format!("the parts are foreign: they were made on {}, and here is {at}", ends(first)))
            .hint("check out the commit that the shards ran on"));
    }
    workspace.events.detail(format!("{} shards fit", files.len()));
    Ok(())
}

fn are(missing: &[String]) -> String {
    if let [one] = missing { format!("{one} is") } else { format!("{} are", missing.join(", ")) }
}

/// The two commits of a shard, for messages.
fn ends(file: &PartFile) -> String {
    let since = file.services.iter().find_map(|part| part.frame.plan.since.as_ref());
    let short = |sha: &str| sha.chars().take(8).collect::<String>();
    since.map_or_else(|| "nothing".to_owned(), |since| format!("{}..{}", short(&since.merge_base), since.head))
}

/// The shard file in a folder or in its `.mastor/out`, else those in the folders below it.
fn parts_in(folder: &Path) -> Vec<PathBuf> {
    let own = |folder: &Path| {
        let places = [folder.join(FILE), folder.join(OUT_DIR).join(FILE)];
        places.into_iter().find(|path| path.is_file())
    };
    if let Some(path) = own(folder) {
        return vec![path];
    }
    let entries = fs_err::read_dir(folder).into_iter().flatten().flatten();
    let mut below: Vec<PathBuf> = entries.filter_map(|entry| own(&entry.path())).collect();
    below.sort();
    below
}

fn read(path: &Path) -> Result<PartFile, Failure> {
    let bad = |why: String| wrong(format!("`{}` is no part of a run: {why}", path.display()));
    let size = fs_err::metadata(path).map_err(|error| bad(error.to_string()))?.len();
    if size > LARGEST {
        return Err(bad(format!("it has {size} bytes, more than {LARGEST}")));
    }
    let bytes = fs_err::read(path).map_err(|error| bad(error.to_string()))?;
    let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
    let text = |key: &str| value.get(key).map(ToString::to_string).unwrap_or_default();
    let (version, own) = (text("mastor"), format!("\"{}\"", env!("CARGO_PKG_VERSION")));
    if version != own || text("schema_version") != SCHEMA_VERSION.to_string() {
        let version = if version.is_empty() { "none".to_owned() } else { version };
        return Err(bad(format!("it was written by version {version}, and this is {own}")));
    }
    serde_json::from_value(value).map_err(|error| bad(error.to_string()))
}

fn wrong(message: String) -> Failure {
    Failure::new(Exit::Usage, message)
}
