//! Measures one application: builds it and its tests, runs the tests without mutants, and runs PITest with those that
//! hold.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::pipeline::repository::workspace::unwritable;
use crate::pipeline::service::java_bench::{Bench, ClassPath, Ran, joined};
use crate::pipeline::strength::branches::branches;
use crate::pipeline::strength::pit::Pit;
use crate::pipeline::strength::places::Named;
use crate::pipeline::strength::work::{ApplicationOf, Work};
use mastor_revision::SourceTree;
use mastor_strength::mutants::{Mutant, Rounds, START};
use mastor_types::Hash;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::strength::{Alone, Branches, LeftOutTest, Near, Tests};

/// Oldest Java that PITest runs on.
const JAVA: u32 = 11;
/// What makes the mutants.
pub(in crate::pipeline) const MUTANTS_BY: &str = "PITest 1.30.0, STRONGER";
/// Time limit of the rounds without mutants.
const ROUNDS: Duration = Duration::from_secs(1800);
/// Bounds of the time limit of an answer, in milliseconds.
const ANSWER: std::ops::RangeInclusive<u64> = 1500..=20_000;

/// The results for the mutants of one application.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Outcome {
    /// The mutants.
    pub(in crate::pipeline) mutants: Vec<Mutant>,
    /// Number of mutants in generated code, none of which was run.
    pub(in crate::pipeline) generated: usize,
    /// Oracle or sequence of each test.
    pub(in crate::pipeline) known: BTreeMap<String, Near>,
    /// Branches of the code, if they were counted.
    pub(in crate::pipeline) branches: Option<Branches>,
    /// The tests that mutants ran against.
    pub(in crate::pipeline) tests: Tests,
    /// Mutants that were run again alone.
    pub(in crate::pipeline) alone: Alone,
    /// Number of mutants that were not run for lack of time.
    pub(in crate::pipeline) not_run: usize,
    /// Seconds that the mutants took.
    pub(in crate::pipeline) seconds: f64,
}

impl Outcome {
    /// The same outcome with a prefix on the names of its tests, so that no test of another application has the same
    /// name.
    pub(in crate::pipeline) fn named(mut self, prefix: &str) -> Self {
        let named = |test: &mut String| {
            if test != START {
                test.insert_str(0, prefix);
            }
        };
        for mutant in &mut self.mutants {
            mutant.covered_by.iter_mut().chain(&mut mutant.killed_by).for_each(named);
        }
        self.known = self.known.into_iter().map(|(test, near)| (format!("{prefix}{test}"), near)).collect();
        self
    }

    /// Joins two outcomes: a mutant is killed if the tests of either killed it.
    pub(in crate::pipeline) fn with(mut self, other: Self) -> Self {
        let mut more: BTreeMap<String, Mutant> =
            other.mutants.into_iter().map(|mutant| (mutant.id.clone(), mutant)).collect();
        for mutant in &mut self.mutants {
            if let Some(also) = more.remove(&mutant.id) {
                mutant.take(also);
            }
        }
        self.mutants.extend(more.into_values());
        self.mutants.sort_by(|a, b| a.id.cmp(&b.id));
        self.generated = self.generated.max(other.generated);
        self.known.extend(other.known);
        self.branches = self.branches.or(other.branches);
        self.tests.run += other.tests.run;
        self.tests.left_out.extend(other.tests.left_out);
        self.alone.run += other.alone.run;
        self.alone.otherwise.extend(other.alone.otherwise);
        self.not_run += other.not_run;
        self.seconds += other.seconds;
        self
    }
}

impl Work<'_> {
    /// Builds everything that is needed, and runs PITest.
    pub(in crate::pipeline) async fn measure(&self, tree: &SourceTree) -> Result<Outcome, Failure> {
        let (bench, events) = (&self.bench, self.bench.events);
        bench.check_java(JAVA, "PITest", "; `--fast` needs none")?;
        let application = match &self.application {
            ApplicationOf::Built(class_path) => class_path.clone(),
            ApplicationOf::Launch(launch) => bench.class_path((**launch).as_ref(), ClassPath::Application).await?,
        };
        let tools = bench.tools().await?;
        let classes = bench.compile(&self.exported, &tools).await?;
        let own: Vec<String> = [classes].into_iter().chain(tools).collect();
        let bench = self.with_application(&application);
        events.started("running the tests without a mutant, three times", None);
        let rounds = self.rounds(&bench, &own).await?;
        events.finished(format!("{} tests hold, {} do not", rounds.held.len() - 1, rounds.failed.len()));
        let named = Named { places: self.places, tree, tests: &self.exported.tests };
        let branches = match self.options.branches {
            true => self.branches(&bench, (&own, &application), &rounds, &named).await,
            false => None,
        };
        let bench = bench.with("MASTOR_TIMEOUT", &answer_within(&rounds).to_string());
        let pit = Pit { work: self, bench: &bench, own: &own, application: &application, rounds: &rounds };
        let began = Instant::now();
        events.started("running mutants", None);
        let key = self.key(&own, &application, &rounds)?;
        let (mut mutants, not_run, generated) = pit.all(&key).await?;
        let seconds = began.elapsed().as_secs_f64();
        events.finished(format!("{} mutants in {seconds:.0} s", mutants.len()));
        let alone = pit.alone(&mut mutants).await?;
        let id = |test: &String| self.exported.tests.get(test).map_or_else(|| test.clone(), |near| near.id.clone());
        let left_out = rounds.failed.iter().map(|(test, why)| LeftOutTest { id: id(test), why: Some(why.clone()) });
        let tests = Tests { run: rounds.held.len() - 1, left_out: left_out.collect() };
        Ok(Outcome { mutants, generated, known: self.exported.tests.clone(), branches, tests, alone, not_run, seconds })
    }

    /// The branches that no test takes; `None` if they cannot be counted, which does not end the run.
    async fn branches(
        &self,
        bench: &Bench<'_>,
        paths: (&[String], &[String]),
        rounds: &Rounds,
        named: &Named<'_>,
    ) -> Option<Branches> {
        let events = self.bench.events;
        events.started("running the tests once more, for the branches that they take", None);
        match branches(self, bench, paths, rounds, named).await {
            Ok(found) => {
                events.finished(format!("{} of {} branches taken", found.taken, found.branches));
                Some(found)
            }
            Err(failure) => {
                events.said(format!("the branches were not counted: {failure}"));
                None
            }
        }
    }

    /// The bench with the application's class path in its environment.
    fn with_application(&self, application: &[String]) -> Bench<'_> {
        self.bench.with("MASTOR_CLASSPATH", &joined(application))
    }

    /// Runs the tests without a mutant.
    async fn rounds(&self, bench: &Bench<'_>, own: &[String]) -> Result<Rounds, Failure> {
        let (names, result) = (bench.dir.join("tests"), bench.dir.join("rounds"));
        let classes: BTreeSet<&str> =
            self.exported.tests.keys().filter_map(|test| test.split_once('#')).map(|(class, _)| class).collect();
        let start = START.split('#').take(1);
        let text: String = start.chain(classes).map(|name| format!("{name}\n")).collect();
        mastor_store::write(&names, text.as_bytes()).map_err(unwritable)?;
        let mut arguments = self.jvm_options();
        arguments.extend(["-cp".to_owned(), joined(own), "mastor.Rounds".to_owned()]);
        arguments.extend([names.display().to_string(), result.display().to_string()]);
        let line = bench.line("java", "rounds", arguments)?;
        if bench.run("rounds", &line, ROUNDS).await? == Ran::Cut {
            let late = format!("the tests did not end within {} s", ROUNDS.as_secs());
            return Err(Failure::new(Exit::NotReady, late));
        }
        let rounds = Rounds::read(&fs_err::read_to_string(&result).map_err(unwritable)?);
        if !rounds.held.contains(START) {
            let why = rounds.failed.get(START).cloned().unwrap_or_default();
            return Err(Failure::new(
                Exit::NotReady,
                format!("the application does not start in the JVM of the tests: {why}"),
            )
            .hint(format!("its log: {}", bench.place.log("rounds").display())));
        }
        if rounds.held.len() == 1 {
            let first = rounds.failed.values().next().cloned().into_iter().collect();
            return Err(Failure::new(Exit::Nothing, "no test holds with the application in the JVM of the tests")
                .lines(first)
                .hint("`mastor check` says what holds on the service as it is started"));
        }
        Ok(rounds)
    }

    /// Hash of everything that decides the result of a mutant: options, the classes of the application and of the
    /// tests, libraries by name and size, and the tests that hold.
    fn key(&self, own: &[String], application: &[String], rounds: &Rounds) -> Result<String, Failure> {
        let mut text =
            format!("1 {MUTANTS_BY} {:?} {:?} {:?}", self.jvm_options(), self.bench.spec.env.keys(), rounds.held);
        for path in own.iter().chain(application) {
            hash_of(std::path::Path::new(path), &mut text).map_err(unwritable)?;
        }
        Ok(Hash::of(text.as_bytes()).short(16).clone())
    }
}

/// Adds a file by its size, and the files of a folder by their content.
fn hash_of(path: &std::path::Path, text: &mut String) -> std::io::Result<()> {
    use std::fmt::Write as _;
    let Ok(data) = std::fs::metadata(path) else { return Ok(()) };
    if data.is_file() {
        let _ = write!(text, "\n{} {}", path.display(), data.len());
        return Ok(());
    }
    let mut files: Vec<_> = fs_err::read_dir(path)?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs_err::DirEntry::path);
    for entry in files {
        if entry.file_type()?.is_dir() {
            hash_of(&entry.path(), text)?;
        } else {
            let _ = write!(text, "\n{} {}", entry.path().display(), Hash::of(&fs_err::read(entry.path())?));
        }
    }
    Ok(())
}

/// The time limit of an answer, from the slowest test: a mutant that hangs costs little more.
fn answer_within(rounds: &Rounds) -> u64 {
    (rounds.slowest * 2 + 500).clamp(*ANSWER.start(), *ANSWER.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_strength::Status;

    fn outcome(mutants: &[(&str, Status, &[&str])]) -> Outcome {
        let mutant = |(id, status, covered_by): &(&str, Status, &[&str])| Mutant {
            id: (*id).to_owned(),
            class: "a.B".to_owned(),
            file: "B.java".to_owned(),
            method: "m".to_owned(),
            line: 1,
            mutator: "org.x.MathMutator".to_owned(),
            description: "changed".to_owned(),
            status: *status,
            killed_by: status.is_noticed().then(|| covered_by[0].to_owned()),
            covered_by: covered_by.iter().map(|test| (*test).to_owned()).collect(),
        };
        let tests = Tests { run: 1, left_out: Vec::new() };
        Outcome { mutants: mutants.iter().map(mutant).collect(), generated: 3, tests, ..Outcome::default() }
    }

    #[test]
    fn a_mutant_is_noticed_where_either_notices_it() {
        let application = outcome(&[
            ("1", Status::Survived, &["A#a", START]),
            ("2", Status::NoCoverage, &[]),
            ("3", Status::Killed, &["A#a"]),
            ("4", Status::Survived, &["A#a"]),
        ]);
        let slices = outcome(&[
            ("1", Status::Killed, &["A#a"]),
            ("2", Status::Survived, &["A#a"]),
            ("3", Status::Survived, &["A#a"]),
            ("4", Status::NoCoverage, &[]),
            ("5", Status::TimedOut, &["A#a"]),
        ]);
        let both = application.with(slices.named("slices 1: "));
        let fates: Vec<(&str, Status, Option<&str>)> =
            both.mutants.iter().map(|one| (one.id.as_str(), one.status, one.killed_by.as_deref())).collect();
        let expected = [
            ("1", Status::Killed, Some("slices 1: A#a")),
            ("2", Status::Survived, None),
            ("3", Status::Killed, Some("A#a")),
            ("4", Status::Survived, None),
            ("5", Status::TimedOut, Some("slices 1: A#a")),
        ];
        assert_eq!(fates, expected);
        // The start is the same test in both; all others are told apart.
        assert_eq!(both.mutants[0].covered_by, ["A#a", START, "slices 1: A#a"]);
        assert_eq!((both.generated, both.tests.run), (3, 2));
    }
}
