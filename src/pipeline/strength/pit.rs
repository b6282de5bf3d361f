//! Runs PITest: all mutants in few processes, without those whose results are known, and a sample once more, each
//! mutant alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::pipeline::repository::workspace::unwritable;
use crate::pipeline::service::java_bench::{Bench, Ran};
use crate::pipeline::strength::work::Work;
use mastor_strength::mutants::{Rounds, read};
use mastor_strength::{Mutant, Status};
use mastor_types::error::{Exit, Failure};
use mastor_types::results::strength::{Alone, Otherwise};

/// Mutants of one process, at most, so that results are written from time to time.
const TOGETHER: usize = 250;
/// Milliseconds that a test may take beyond the time limit of an answer.
const SLACK: u64 = 3000;
/// Number of results of earlier runs that are kept.
const KEPT: usize = 8;

/// PITest with its input.
pub(in crate::pipeline) struct Pit<'a> {
    /// What is measured.
    pub work: &'a Work<'a>,
    /// Where it runs.
    pub bench: &'a Bench<'a>,
    /// The class path of tests, driver and PITest.
    pub own: &'a [String],
    /// The class path of the application.
    pub application: &'a [String],
    /// The results of the tests without mutants.
    pub rounds: &'a Rounds,
}

impl Pit<'_> {
    /// The results of all mutants, the number of mutants that were not run for lack of time, and the number in
    /// generated code. Results of an earlier run with the same inputs are reused.
    pub(in crate::pipeline) async fn all(&self, key: &str) -> Result<(Vec<Mutant>, usize, usize), Failure> {
        let folder = self.bench.dir.join("history");
        // PITest writes results to the `.part` file while it runs; the other file holds those of finished runs.
        let (kept, part) = (folder.join(key), folder.join(format!("{key}.part")));
        let text = |path| fs_err::read_to_string(path).unwrap_or_default();
        let mut mutants = read(&format!("{}\n{}", text(&kept), text(&part)));
        keep(&kept, &mutants)?;
        let known: Vec<String> = mutants.iter().map(|mutant| mutant.id.clone()).collect();
        let run = self.run("mutants", &part, TOGETHER, (&known, &[])).await?;
        mutants.extend(run.mutants);
        // A mutant that did not run has no result.
        mutants.retain(|mutant| !matches!(mutant.status, Status::NotStarted | Status::Started));
        keep(&kept, &mutants)?;
        forget(&folder).map_err(unwritable)?;
        mutants.retain(|mutant| self.is_wanted(mutant));
        if mutants.is_empty() {
            let nothing =
                Failure::new(Exit::Nothing, "PITest made no mutant of what the operations of the suite reach");
            return Err(nothing.hint(format!("its log: {}", self.bench.place.log("mutants").display())));
        }
        Ok((mutants, run.not_run, run.generated))
    }

    /// Runs a sample again, each mutant in a process of its own; that result counts.
    pub(in crate::pipeline) async fn alone(&self, mutants: &mut [Mutant]) -> Result<Alone, Failure> {
        let sample = sample(mutants, self.work.options.alone);
        if sample.is_empty() {
            return Ok(Alone::default());
        }
        self.bench.events.started(format!("running {} of them again, each alone", sample.len()), None);
        let run = self.run("alone", &self.bench.dir.join("alone.results"), 1, (&[], &sample)).await?;
        let again: BTreeMap<&str, &Mutant> = run.mutants.iter().map(|mutant| (mutant.id.as_str(), mutant)).collect();
        let mut alone = Alone { run: run.mutants.len(), otherwise: Vec::new() };
        for mutant in mutants {
            let Some(other) = again.get(mutant.id.as_str()) else { continue };
            if mutant.status.is_noticed() != other.status.is_noticed() {
                alone.otherwise.push(Otherwise {
                    mutant: mutant.shown(),
                    together: mutant.status.as_str().to_owned(),
                    alone: other.status.as_str().to_owned(),
                });
                mutant.status = other.status;
            }
        }
        self.bench.events.finished(format!(
            "{} run alone, {} came to something else",
            alone.run,
            alone.otherwise.len()
        ));
        Ok(alone)
    }

    /// One run of PITest, with the results written to a file: on all mutants except `known`, or on `only` these.
    async fn run(
        &self,
        name: &str,
        results: &Path,
        together: usize,
        (known, only): (&[String], &[String]),
    ) -> Result<Run, Failure> {
        let (bench, within) = (self.bench, self.work.options.within);
        let _ = fs_err::remove_file(results);
        let folders = self.application.iter().filter(|path| Path::new(path).is_dir()).cloned();
        let one = |text: String| vec![text];
        let timeout: u64 = bench.spec.env.get("MASTOR_TIMEOUT").and_then(|text| text.parse().ok()).unwrap_or(30_000);
        let lines = self.work.lines.unwrap_or_default().iter();
        let values = BTreeMap::from([
            ("directory", one(bench.place.root.join(&bench.spec.dir).display().to_string())),
            ("report", one(bench.dir.join("report").display().to_string())),
            ("class-path", self.own.iter().chain(self.application).cloned().collect()),
            ("code", folders.collect()),
            ("classes", self.work.places.classes()),
            ("lines", lines.map(|lines| format!("{} {} {}", lines.file, lines.first, lines.last)).collect()),
            ("mutators", one("STRONGER".to_owned())),
            ("timeout", one((timeout + SLACK).to_string())),
            ("verbosity", one("NO_SPINNER".to_owned())),
            ("written", self.work.places.written()),
            ("jvm", self.work.jvm_options()),
            ("together", one(together.to_string())),
            ("results", one(results.display().to_string())),
            ("without", self.rounds.failed.keys().cloned().collect()),
            ("known", known.to_vec()),
            ("only", only.to_vec()),
        ]);
        let properties = bench.properties(name, &values)?;
        let class_path = ["-cp".to_owned(), crate::pipeline::service::java_bench::joined(self.own)];
        let arguments = class_path.into_iter().chain(["mastor.Strength".to_owned(), properties]);
        let line = bench.line("java", name, arguments)?;
        let ran = bench.run(name, &line, within).await?;
        let mutants = read(&fs_err::read_to_string(results).unwrap_or_default());
        let log = fs_err::read_to_string(bench.place.log(name)).unwrap_or_default();
        let (made, generated) = (said(&log, "mutants"), said(&log, "generated"));
        let not_run = if ran == Ran::Cut { made.saturating_sub(mutants.len()) } else { 0 };
        Ok(Run { mutants, not_run, generated })
    }

    /// Whether a mutant of an earlier run lies in the lines that were asked for.
    fn is_wanted(&self, mutant: &Mutant) -> bool {
        let Some(lines) = self.work.lines else { return true };
        let path = mutant.path();
        lines.iter().any(|lines| lines.file == path && (lines.first..=lines.last).contains(&mutant.line))
    }
}

/// The results of one run.
struct Run {
    mutants: Vec<Mutant>,
    not_run: usize,
    generated: usize,
}

/// The last number that the driver printed after `what`: it prints the number again once it knows what tests cover.
fn said(log: &str, what: &str) -> usize {
    let said = log.lines().filter_map(|line| line.trim().strip_prefix("mastor: ")?.strip_prefix(what));
    said.filter_map(|number| number.trim().parse().ok()).next_back().unwrap_or_default()
}

/// A sample spread over all mutants: four fifths of it were killed, one fifth survived.
fn sample(mutants: &[Mutant], size: usize) -> Vec<String> {
    let spread = |wanted: usize, from: Vec<&Mutant>| -> BTreeSet<String> {
        let count = wanted.min(from.len());
        (0..count).filter_map(|n| from.get(n * from.len() / count)).map(|mutant| mutant.id.clone()).collect()
    };
    let survived = mutants.iter().filter(|mutant| mutant.status == Status::Survived && !mutant.is_start_up()).collect();
    let survived = spread(size / 5, survived);
    let killed = mutants.iter().filter(|mutant| mutant.status == Status::Killed).collect();
    let killed = spread(size - survived.len(), killed);
    killed.into_iter().chain(survived).collect()
}

/// Writes results for the next run.
pub(in crate::pipeline) fn keep(path: &Path, mutants: &[Mutant]) -> Result<(), Failure> {
    let lines: Result<Vec<String>, _> = mutants.iter().map(serde_json::to_string).collect();
    let text = lines.map_err(|error| Failure::new(Exit::Internal, error.to_string()))?.join("\n");
    mastor_store::write(path, text.as_bytes()).map_err(unwritable)
}

/// Removes all but the newest results.
fn forget(folder: &Path) -> std::io::Result<()> {
    let mut files: Vec<_> = fs_err::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.sort_by_key(|path| std::cmp::Reverse(std::fs::metadata(path).and_then(|data| data.modified()).ok()));
    files.iter().skip(KEPT).try_for_each(fs_err::remove_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_driver_said_last_counts() {
        let log = "mastor: mutants 12\nx\nmastor: generated 3\n  mastor: mutants 10\n";
        assert_eq!((said(log, "mutants"), said(log, "generated"), said("", "mutants")), (10, 3, 0));
    }
}
