//! `mastor strength --fast`: makes mutants of the lowered bodies, and runs them on the interpreter against what the
//! oracles expect. No JVM.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rayon::prelude::*;

use crate::pipeline::repository::comparison::{shared, subject};
use crate::pipeline::repository::workspace::{Workspace, cache_folder};
use crate::pipeline::strength::pit::keep;
use crate::pipeline::strength::places::{Lines, Named, Places, known_as};
use mastor_config::Settings;
use mastor_derive::mutation::mutants::{Fate, MutantId, MutantResult, measure, measure_steps};
use mastor_extract::Analysis;
use mastor_java::interpret::mutation::Mutator;
use mastor_java::ir::facts::{MemberKind, Modifiers};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_runtime::Shared;
use mastor_strength::mutants::START;
use mastor_strength::{Mutant, Status, strength as counted};
use mastor_suite::Suite;
use mastor_types::OpId;
use mastor_types::error::Failure;
use mastor_types::results::strength::{Near, Strength, Tests};
use mastor_types::suite::sequence::Sequence;

/// What makes and runs the mutants.
pub const OWN: &str = "mastor's interpreter, like STRONGER of PITest: an approximation";

/// Measures a suite without a JVM. The result of each mutant is kept in the cache, one JSON object a line.
///
/// # Errors
/// Exit 70 where the cache cannot be written.
pub fn approximate(
    workspace: &Workspace,
    settings: &Settings,
    analysis: &Analysis,
    suite: &Suite,
    (places, lines): (&Places, Option<&[Lines]>),
) -> Result<Strength, Failure> {
    let began = Instant::now();
    workspace.events.started("running mutants on the interpreter", Some(suite.operations.len() as u64));
    let mutants = mutants(analysis, suite, lines, &|op_id| workspace.events.advanced(op_id.to_string()));
    let seconds = began.elapsed().as_secs_f64();
    workspace.events.finished(format!("{} mutants in {seconds:.1} s", mutants.len()));
    keep(&cache_folder(&workspace.service_dir(settings))?.join("strength/fast"), &mutants)?;
    let tests = tests(suite);
    let run = tests.len();
    let mut strength = counted(&mutants, &Named { places, tree: &analysis.surface.tree, tests: &tests });
    strength.tests = Tests { run, left_out: Vec::new() };
    strength.seconds = Some((seconds * 10.0).round() / 10.0);
    Ok(strength)
}

/// Oracles and sequences by their ids.
fn tests(suite: &Suite) -> BTreeMap<String, Near> {
    let oracles = suite.operations.values().flat_map(|operation| &operation.oracles);
    let oracles = oracles.map(|oracle| Near { id: oracle.o_id.clone(), test_id: oracle.test_id.clone() });
    let sequences = suite.sequences.values().flatten();
    let sequences = sequences.map(|sequence| Near { id: sequence.s_id.clone(), test_id: sequence.test_id.clone() });
    oracles.chain(sequences).map(|near| (near.id.clone(), near)).collect()
}

/// One mutant, with its result so far.
struct Found {
    mutator: Mutator,
    line: u32,
    status: Status,
    killed_by: Option<String>,
    covered_by: BTreeSet<String>,
}

type AllFound = BTreeMap<MutantId, Found>;

/// All mutants of the code that the operations of a suite reach, or of these lines, with their results.
pub fn mutants(
    analysis: &Analysis,
    suite: &Suite,
    lines: Option<&[Lines]>,
    done: &(dyn Fn(&OpId) + Sync),
) -> Vec<Mutant> {
    let shared = shared(analysis);
    let project = &analysis.surface.project;
    let one = |(op_id, operation): (&OpId, &mastor_suite::load::OperationSuite)| {
        let members = members(analysis, op_id, lines);
        let subject = subject(analysis, &shared, op_id);
        let measured = subject.map(|subject| measure(&subject, &operation.oracles, &members)).unwrap_or_default();
        done(op_id);
        measured
    };
    let operations: Vec<_> = suite.operations.iter().collect();
    let all: Vec<_> = operations.into_par_iter().with_max_len(1).map(one).collect();
    let mut found = AllFound::new();
    for (measured, operation) in all.into_iter().zip(suite.operations.values()) {
        for one in measured {
            let name = |place: &usize| operation.oracles.get(*place).map(|oracle| oracle.o_id.clone());
            let entry = found.entry(one.id).or_insert_with(|| Found {
                mutator: one.mutator,
                line: one.line,
                status: Status::NoCoverage,
                killed_by: None,
                covered_by: BTreeSet::new(),
            });
            entry.covered_by.extend(one.covered_by.iter().filter_map(name));
            let (status, by) = match one.fate {
                Fate::Noticed(place) => (Status::Killed, name(&place)),
                Fate::Late(place) => (Status::TimedOut, name(&place)),
                Fate::Unnoticed => (Status::Survived, None),
                Fate::Open => (Status::Undecided, None),
                Fate::AtStart => {
                    entry.covered_by.insert(START.to_owned());
                    (Status::Survived, None)
                }
                Fate::NotCovered => (Status::NoCoverage, None),
            };
            entry.take(status, by);
        }
    }
    meet_sequences(analysis, &shared, suite, &mut found);
    found.into_iter().map(|((member, number), found)| found.told(project, member, number)).collect()
}

/// The members of an operation's closure that are mutated.
fn members(analysis: &Analysis, op_id: &OpId, lines: Option<&[Lines]>) -> Vec<MemberId> {
    let project = &analysis.surface.project;
    let closure = analysis.closures.get(op_id).into_iter().flat_map(|closure| closure.members.keys());
    let is_wanted = |member: &MemberId| {
        let facts = project.member(*member);
        let is_static = facts.kind == MemberKind::StaticInitializer
            || facts.kind == MemberKind::Field && facts.modifiers.has(Modifiers::STATIC);
        let file = || known_as(project.package_of(member.ty), project.path_of(member.ty));
        let is_asked = lines.is_none_or(|lines| {
            let file = file();
            lines.iter().any(|lines| lines.file == file && lines.first == facts.span.line)
        });
        project.origin(member.ty).is_none() && !is_static && is_asked
    };
    closure.copied().filter(is_wanted).collect()
}

/// Runs the sequences against the mutants that no oracle killed.
fn meet_sequences(analysis: &Analysis, shared: &Shared<'_>, suite: &Suite, found: &mut AllFound) {
    let left: Vec<MutantId> =
        found.iter().filter(|(_, found)| !found.status.is_noticed()).map(|(key, _)| *key).collect();
    let meet = |sequence: &&Sequence| {
        let subjects: Option<Vec<_>> =
            sequence.steps.iter().map(|step| subject(analysis, shared, &step.op_id)).collect();
        subjects.map(|subjects| measure_steps(&subjects, sequence, &left)).unwrap_or_default()
    };
    let sequences: Vec<&Sequence> = suite.sequences.values().flatten().collect();
    let met: Vec<Vec<Option<MutantResult>>> = sequences.par_iter().with_max_len(1).map(meet).collect();
    for (sequence, met) in sequences.iter().zip(met) {
        for (key, met) in left.iter().zip(met) {
            let (Some(met), Some(entry)) = (met, found.get_mut(key)) else { continue };
            entry.covered_by.insert(sequence.s_id.clone());
            match met {
                MutantResult::Noticed => entry.take(Status::Killed, Some(sequence.s_id.clone())),
                MutantResult::Late => entry.take(Status::TimedOut, Some(sequence.s_id.clone())),
                MutantResult::Open => entry.take(Status::Undecided, None),
                MutantResult::Unnoticed => entry.take(Status::Survived, None),
            }
        }
    }
}

impl Found {
    /// Takes over a result from elsewhere: the stronger one counts.
    fn take(&mut self, status: Status, by: Option<String>) {
        let rank = |status: Status| match status {
            Status::Killed => 4,
            Status::TimedOut => 3,
            Status::Undecided => 2,
            Status::Survived => 1,
            _ => 0,
        };
        if rank(status) > rank(self.status) {
            (self.status, self.killed_by) = (status, by);
        }
    }

    fn told(mut self, project: &Project, member: MemberId, number: usize) -> Mutant {
        // Tests that cover the mutant count more than the start of the application.
        if self.covered_by.len() > 1 {
            self.covered_by.remove(START);
        }
        let facts = project.member(member);
        let class = class_name(project, member.ty);
        let method = match facts.kind {
            MemberKind::Method => facts.name.clone(),
            _ => "<init>".to_owned(),
        };
        let path = project.path_of(member.ty);
        Mutant {
            id: format!("{}@{number}", project.symbol(member)),
            class,
            file: path.rsplit('/').next().unwrap_or(path).to_owned(),
            method,
            line: self.line,
            mutator: self.mutator.as_str().to_owned(),
            description: self.mutator.what().to_owned(),
            status: self.status,
            killed_by: self.killed_by,
            covered_by: self.covered_by.into_iter().collect(),
        }
    }
}

/// The name of a class in class files.
fn class_name(project: &Project, ty: TypeId) -> String {
    match project.outer(ty) {
        Some(outer) => {
            let name = project.fqn(ty);
            format!("{}${}", class_name(project, outer), name.rsplit('.').next().unwrap_or(name))
        }
        None => project.fqn(ty).to_owned(),
    }
}
