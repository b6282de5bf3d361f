//! Bodies of real repositories: how many are lowered fully, what running every operation on open inputs comes to: paths, bounds met, calls into
//! libraries, and how many of these are modelled.
//!
//! `cargo bench --bench bodies -- [-v] REPOSITORY …`. `-v` lists the calls into libraries that no model answers, by how many operations reach
//! them.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints its figures, and ends where it cannot measure"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use mastor::config::{Overrides, services};
use mastor::derive::trace::{Reached, reached};
use mastor::extract;
use mastor::java::interpret::paths::path::Modelled;
use mastor::java::ir::calls::Target;
use mastor::java::resolve::resolver::Resolver;
use mastor::revision::Repo;
use mastor::types::event::Events;
use rayon::prelude::*;

/// What all operations reach.
#[derive(Default)]
struct All {
    operations: usize,
    /// Operations whose closure holds a call, by the call's name.
    held: BTreeMap<String, usize>,
    /// Operations whose open run came to a call, by how far models came with it.
    run: BTreeMap<String, BTreeMap<Modelled, usize>>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let verbose = arguments.iter().any(|a| a == "-v");
    println!(
        "{:<24} {:>5} {:>7} {:>7} {:>8} {:>8} {:>6} {:>8} {:>5} {:>8}",
        "repository", "ops", "bodies", "partly", "analysed", "paths", "cut", "certain", "jdk", "run"
    );
    let mut all = All::default();
    for repository in arguments.iter().filter(|a| !a.starts_with('-')) {
        measure(Path::new(repository), &mut all);
    }
    let jdk = |wanted: Modelled| -> usize {
        all.run.iter().filter(|(name, _)| name.starts_with("java.")).filter_map(|(_, all)| all.get(&wanted)).sum()
    };
    let (answered, missing) = (jdk(Modelled::Answered), jdk(Modelled::Missing));
    println!(
        "{} operations come to {} calls into the JDK (by operation and name) of which something is known: {answered} are modelled, {}%; \
         {} more are given nothing that is known",
        all.operations,
        answered + missing,
        (answered * 100).checked_div(answered + missing).unwrap_or(100),
        jdk(Modelled::Inputs)
    );
    if let Some(peak) = peak_memory() {
        println!("peak memory {peak}");
    }
    if verbose {
        for (what, wanted) in [
            ("no model answers", Modelled::Missing),
            ("no model answers, and what it is given is not known", Modelled::Inputs),
            ("a model answers", Modelled::Answered),
        ] {
            println!("\n{what} (operations that come to it, name):");
            let mut list: Vec<(&String, usize)> =
                all.run.iter().filter_map(|(name, all)| Some((name, *all.get(&wanted)?))).collect();
            list.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
            for (name, count) in list {
                println!("{count:>5} {name}");
            }
        }
        println!("\nheld by closures and not come to (operations, name):");
        let mut list: Vec<(&String, &usize)> =
            all.held.iter().filter(|(name, _)| !all.run.contains_key(*name)).collect();
        list.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        for (name, count) in list {
            println!("{count:>5} {name}");
        }
    }
}

/// As Linux counts it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map(|rest| rest.trim().to_owned())
}

fn measure(repository: &Path, all: &mut All) {
    let started = Instant::now();
    let repo = Repo::discover(repository).expect("a repository");
    let tree = repo.tree_at(repo.head().expect("a commit").id).expect("its tree");
    let settings = services(&tree, &Overrides::default()).expect("settings").remove(0);
    let surface = extract::surface(&tree, &settings, None, &Events::silent()).expect("a surface");
    let analysis = extract::analyse(surface, &Events::silent());
    let project = &analysis.surface.project;
    let resolver = Resolver::new(project);
    let (mut bodies, mut partly) = (0, 0);
    for ty in project.types() {
        for body in project.members(ty).filter_map(|member| project.body(member)) {
            bodies += 1;
            partly += usize::from(!body.unknown.is_empty());
        }
    }
    for closure in analysis.closures.values() {
        let mut own = BTreeSet::new();
        for member in closure.members.keys() {
            let resolved = resolver.resolve(*member);
            let targets = resolved.targets.values().chain(resolved.constructor_calls.values());
            for target in targets {
                if let Target::Library { ty, name } = target {
                    own.insert(format!("{ty}.{name}"));
                }
            }
        }
        for name in own {
            *all.held.entry(name).or_default() += 1;
        }
    }
    let analysed = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let shared = mastor::pipeline::repository::comparison::shared(&analysis);
    let reached: Vec<Reached> = analysis
        .operations
        .par_iter()
        .filter_map(|operation| mastor::pipeline::subject(&analysis, &shared, &operation.op_id))
        .map(|subject| reached(&subject))
        .collect();
    let (mut paths, mut cut, mut certain) = (0, 0, 0);
    let (mut jdk, mut modelled) = (0, 0);
    for one in &reached {
        paths += one.paths;
        cut += one.cut.values().sum::<usize>();
        certain += one.certain;
        for (name, known) in &one.calls {
            *all.run.entry(name.clone()).or_default().entry(*known).or_default() += 1;
            if name.starts_with("java.") {
                jdk += usize::from(*known != Modelled::Inputs);
                modelled += usize::from(*known == Modelled::Answered);
            }
        }
    }
    all.operations += reached.len();
    let label = repository.file_name().unwrap_or_default().to_string_lossy().into_owned();
    println!(
        "{label:<24} {:>5} {bodies:>7} {partly:>7} {analysed:>7.1}s {paths:>8} {cut:>6} {certain:>8} {:>4}% {:>7.1}s",
        reached.len(),
        (modelled * 100usize).checked_div(jdk).unwrap_or(100),
        started.elapsed().as_secs_f64()
    );
}
