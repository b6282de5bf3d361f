//! Bodies of real repositories: how many are lowered fully, which library calls the operations reach, and how many of these are modelled.
//!
//! `cargo bench --bench bodies -- [-v] REPOSITORY …`. `-v` lists the calls into libraries that no model answers, by how many operations reach
//! them in their closures.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints its figures, and ends where it cannot measure"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use mastor::config::{Overrides, services};
use mastor::event::Events;
use mastor::extract;
use mastor::java::calls::Target;
use mastor::java::resolver::Resolver;
use mastor::revision::Repo;

/// Operations that reach a call, by the call's name.
type Reached = BTreeMap<String, usize>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let verbose = arguments.iter().any(|a| a == "-v");
    println!("{:<32} {:>5} {:>7} {:>7} {:>8}", "repository", "ops", "bodies", "partly", "seconds");
    let mut reached = Reached::new();
    let mut operations = 0;
    for repository in arguments.iter().filter(|a| !a.starts_with('-')) {
        operations += measure(Path::new(repository), &mut reached);
    }
    if verbose {
        println!("\n{operations} operations; calls into libraries by how many operations reach them:");
        let mut list: Vec<(&String, &usize)> = reached.iter().collect();
        list.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        for (name, count) in list {
            println!("{count:>5} {name}");
        }
    }
}

fn measure(repository: &Path, reached: &mut Reached) -> usize {
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
            *reached.entry(name).or_default() += 1;
        }
    }
    let label = repository.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let operations = analysis.closures.len();
    println!("{label:<32} {operations:>5} {bodies:>7} {partly:>7} {:>8.1}", started.elapsed().as_secs_f64());
    operations
}
