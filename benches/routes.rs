//! Compares the entries that are found with a truth in tab-separated files: `cargo bench --bench routes -- REPOSITORIES TRUTH [-v]`.
//!
//! `TRUTH` holds one `NAME.tsv` for each repository `REPOSITORIES/NAME`; a line is `METHOD`, path, and `Class#method` or `framework`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use mastor::extract::api::matching::{Match, Sides, matches};
use mastor::frameworks::{Build, Endpoint, FRAMEWORKS, Inputs, Properties, Resources, brought, endpoints};
use mastor::java::build::layout::Scope;
use mastor::java::project::index::Project;
use mastor::openapi::{discover, read};
use mastor::revision::Repo;
use mastor::types::results::report::MatchStatus;

/// What was counted for one repository.
#[derive(Default)]
struct Counts {
    entries: usize,
    right: usize,
    framework: usize,
    framework_right: usize,
    wrong: Vec<String>,
    missing: Vec<String>,
    undocumented: usize,
    warnings: usize,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let mut out = std::io::stdout().lock();
    let (Some(repositories), Some(truth)) = (args.first(), args.get(1)) else {
        writeln!(out, "usage: cargo bench --bench routes -- REPOSITORIES TRUTH [-v]")?;
        return Ok(());
    };
    let verbose = args.iter().any(|arg| arg == "-v");
    let mut names: Vec<String> = std::fs::read_dir(truth)?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".tsv").map(str::to_owned))
        .collect();
    names.sort();
    writeln!(out, "| repository | entries found | wrong | framework | missing | undocumented | warnings | seconds |")?;
    writeln!(out, "|---|---|---|---|---|---|---|---|")?;
    let mut total = Counts::default();
    for name in names {
        let counts = one(&Path::new(repositories).join(&name), &Path::new(truth).join(format!("{name}.tsv")), verbose)?;
        row(&mut out, &name, &counts)?;
        for line in counts
            .wrong
            .iter()
            .map(|line| ("wrong", line))
            .chain(counts.missing.iter().map(|line| ("missing", line)))
            .take(if verbose { 99 } else { 0 })
        {
            writeln!(out, "    {}: {}", line.0, line.1)?;
        }
        total.entries += counts.entries;
        total.right += counts.right;
        total.framework += counts.framework;
        total.framework_right += counts.framework_right;
        total.undocumented += counts.undocumented;
        total.warnings += counts.warnings;
        total.seconds += counts.seconds;
        total.wrong.extend(counts.wrong);
        total.missing.extend(counts.missing);
    }
    row(&mut out, "all", &total)?;
    Ok(())
}

fn row(out: &mut impl Write, name: &str, counts: &Counts) -> std::io::Result<()> {
    writeln!(
        out,
        "| {name} | {}/{} | {} | {}/{} | {} | {} | {} | {:.2} |",
        counts.right,
        counts.entries,
        counts.wrong.len(),
        counts.framework_right,
        counts.framework,
        counts.missing.len(),
        counts.undocumented,
        counts.warnings,
        counts.seconds
    )
}

fn one(repository: &Path, truth: &Path, verbose: bool) -> Result<Counts, Box<dyn std::error::Error>> {
    let start = Instant::now();
    let repo = Repo::discover(repository)?;
    let tree = repo.work_tree()?;
    let document = match ["openapi.json", "openapi.yaml", "openapi.yml"].iter().find(|path| tree.get(path).is_some()) {
        Some(path) => Some(read(&tree, path)?),
        None => discover(&tree, "").first().map(|found| read(&tree, &found.path)).transpose()?,
    };
    let project = Project::load(&tree, None, &Scope::default()).with_brought(brought(FRAMEWORKS));
    let resources = Resources::load(&tree);
    let (properties, build) = (Properties::load(&resources), Build::load(&resources));
    let inputs = Inputs {
        project: &project,
        tree: &tree,
        resources: &resources,
        properties: &properties,
        build: &build,
        document: document.as_ref(),
        patterns: &[],
    };
    let (found, warnings) = endpoints(&inputs, FRAMEWORKS);
    let sides = Sides {
        document: document.as_ref(),
        endpoints: &found,
        project: &project,
        build: &build,
        properties: &properties,
    };
    let matched = matches(&sides);
    let mut counts = Counts { seconds: start.elapsed().as_secs_f64(), warnings: warnings.len(), ..Counts::default() };
    let mut out = std::io::stderr().lock();
    if verbose {
        for one in &matched {
            let entry = entry(&project, &found, one);
            writeln!(
                out,
                "{:?} {} {entry} {}",
                one.status,
                one.op_id,
                one.matched_by.as_deref().or(one.reason.as_deref()).unwrap_or_default()
            )?;
        }
        for warning in &warnings {
            writeln!(out, "warning {}: {} {:?}:{:?}", warning.code, warning.message, warning.file, warning.line)?;
        }
    }
    compare(&project, &found, &matched, truth, &mut counts)?;
    Ok(counts)
}

fn entry(project: &Project, endpoints: &[Endpoint], one: &Match) -> String {
    one.endpoints.first().map_or_else(
        || "-".to_owned(),
        |at| {
            let entry = endpoints[*at].entry;
            format!("{}#{}", project.fqn(endpoints[*at].receiver), project.member(entry).name)
        },
    )
}

fn compare(
    project: &Project,
    endpoints: &[Endpoint],
    matched: &[Match],
    truth: &Path,
    counts: &mut Counts,
) -> std::io::Result<()> {
    let by_name: BTreeMap<String, &Match> = matched.iter().map(|one| (one.op_id.to_string(), one)).collect();
    let mut known = BTreeSet::new();
    for line in std::fs::read_to_string(truth)?.lines() {
        let mut parts = line.split('\t');
        let (Some(method), Some(path), Some(expected)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let name = format!("{method} {path}");
        known.insert(name.clone());
        let found = by_name.get(&name);
        let is = found.map(|one| entry(project, endpoints, one)).unwrap_or_else(|| "-".to_owned());
        if expected == "framework" {
            counts.framework += 1;
            match found.map(|one| one.status) {
                Some(MatchStatus::Framework) => counts.framework_right += 1,
                _ => counts.missing.push(format!("{name} is of the framework, found {is}")),
            }
            continue;
        }
        counts.entries += 1;
        if is == expected {
            counts.right += 1;
        } else if is == "-" {
            counts.missing.push(format!("{name} {expected}"));
        } else {
            counts.wrong.push(format!("{name} {expected}, found {is}"));
        }
    }
    counts.undocumented = matched.iter().filter(|one| one.status == MatchStatus::Undocumented).count();
    Ok(())
}
