//! Closures against coverage: every member that ran while an operation was served must be in its closure.
//!
//! `cargo bench --bench closures -- [-v] REPOSITORY=COVERAGE.tsv …`. A coverage file has a line for each member that ran: method, path as in the
//! document, class, member, descriptor, line, separated by tabs (made with JaCoCo by hand). `-v` lists what was missed.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints its figures, and ends where it cannot measure"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use mastor::config::{Overrides, services};
use mastor::extract;
use mastor::java::ir::facts::MemberKind;
use mastor::java::project::index::Project;
use mastor::revision::Repo;
use mastor::types::event::Events;
use mastor::types::{Method, OpId};

type Members = BTreeSet<(String, String)>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = arguments.iter().any(|a| a == "-v");
    println!("{:<32} {:>5} {:>6} {:>7} {:>6} {:>7}", "repository", "ops", "ran", "missed", "ratio", "most");
    for (repository, coverage) in arguments.iter().filter_map(|a| a.split_once('=')) {
        measure(Path::new(repository), Path::new(coverage), verbose);
    }
}

fn measure(repository: &Path, coverage: &Path, verbose: bool) {
    let repo = Repo::discover(repository).expect("a repository");
    let tree = repo.tree_at(repo.head().expect("a commit").id).expect("its tree");
    let settings = services(&tree, &Overrides::default()).expect("settings").remove(0);
    let surface = extract::surface(&tree, &settings, None, &Events::silent()).expect("a surface");
    let analysis = extract::analyse(surface, &Events::silent());
    let project = &analysis.surface.project;
    let (mut ran, mut missed, mut ratios) = (0, BTreeMap::<(String, String), usize>::new(), Vec::new());
    let recorded = read(coverage);
    for (op_id, members) in &recorded {
        let Some(closure) = analysis.closures.get(op_id) else { continue };
        let reached: Members = closure.members.keys().map(|m| name(project, *m)).collect();
        let types: BTreeSet<&str> =
            closure.types.iter().chain(closure.members.keys().map(|m| &m.ty)).map(|ty| project.fqn(*ty)).collect();
        ran += members.len();
        let mut hit = 0;
        for member in members {
            // Implicit constructors and initialisers have no declaration of their own: their type's counts.
            let implicit = !declares(project, member) && types.contains(member.0.as_str());
            if reached.contains(member) || implicit {
                hit += 1;
            } else {
                *missed.entry(member.clone()).or_default() += 1;
            }
        }
        if hit > 0 {
            let code =
                closure.members.keys().filter(|m| runs(project, **m)).map(|m| name(project, *m)).collect::<Members>();
            ratios.push(code.len() as f64 / members.len() as f64);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or_default();
    let most = ratios.last().copied().unwrap_or_default();
    let label = repository.file_name().unwrap_or_default().to_string_lossy().into_owned();
    println!(
        "{label:<32} {:>5} {ran:>6} {:>7} {median:>6.2} {most:>7.2}",
        recorded.len(),
        missed.values().sum::<usize>()
    );
    if verbose {
        for ((class, member), count) in &missed {
            println!("    {count:>4} {class}#{member}");
        }
    }
}

/// Class and plain name, as coverage has them.
fn name(project: &Project, member: mastor::java::ir::ids::MemberId) -> (String, String) {
    (project.fqn(member.ty).to_owned(), project.member(member).name.clone())
}

/// Whether coverage can show a member: code of its own.
fn runs(project: &Project, member: mastor::java::ir::ids::MemberId) -> bool {
    let facts = project.member(member);
    facts.body.is_some()
        && !matches!(facts.kind, MemberKind::Field | MemberKind::EnumConstant | MemberKind::AnnotationElement)
}

fn declares(project: &Project, (class, member): &(String, String)) -> bool {
    project.by_fqn(class).is_some_and(|ty| project.ty(ty).members.iter().any(|facts| facts.name == *member))
}

fn read(path: &Path) -> BTreeMap<OpId, Members> {
    let text = std::fs::read_to_string(path).expect("a coverage file");
    let mut out: BTreeMap<OpId, Members> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [method, path, class, member, ..] = fields[..] else { continue };
        let Some(method) = Method::parse(method) else { continue };
        let class = class.replace('$', ".");
        let simple = class.rsplit('.').next().unwrap_or(&class).to_owned();
        let member = match member {
            "<init>" | "new" => simple,
            "static" => "<clinit>".to_owned(),
            lambda if lambda.starts_with("lambda$") => lambda.split('$').nth(1).unwrap_or(lambda).to_owned(),
            member => member.to_owned(),
        };
        out.entry(OpId::new(method, path)).or_default().insert((class, member));
    }
    out
}
