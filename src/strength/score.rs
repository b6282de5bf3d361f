//! Mutation scores by operation, class and kind of mutation, and the list of surviving mutants.

use std::collections::BTreeMap;

use super::mutants::{Mutant, START, Status};
use mastor_types::OpId;
use mastor_types::results::strength::{Near, Score, Scored, Strength, Survivor, Tests, Unnoticed};

/// Look-ups that scoring needs beside the mutants.
pub trait MutantLookups {
    /// The oracle or sequence that a test (class and method) was made from.
    fn test(&self, test: &str) -> Option<Near>;
    /// Resolves a path below a source folder to a path from the repository's root.
    fn file(&self, path: &str) -> Option<String>;
    /// The source line; empty where it cannot be read.
    fn code(&self, file: &str, line: u32) -> String;
    /// The operations that reach a line of a file, given by its path below a source folder.
    fn reaching(&self, path: &str, line: u32) -> Vec<OpId>;
}

/// Computes all scores and the surviving mutants.
pub fn strength(mutants: &[Mutant], known: &dyn MutantLookups) -> Strength {
    let mut totals = Score::default();
    let mut operations: BTreeMap<String, Score> = BTreeMap::new();
    let (mut classes, mut mutators) = (operations.clone(), operations.clone());
    let mut survivors = Vec::new();
    // How many mutants each test covers. The nearest test of a survivor is the most specific one, which covers fewest.
    let mut reach: BTreeMap<&str, usize> = BTreeMap::new();
    for test in mutants.iter().flat_map(|mutant| &mutant.covered_by) {
        *reach.entry(test).or_default() += 1;
    }
    for mutant in mutants {
        let reached_by = known.reaching(&mutant.path(), mutant.line);
        add(&mut totals, mutant);
        for op_id in &reached_by {
            add(operations.entry(op_id.to_string()).or_default(), mutant);
        }
        add(classes.entry(mutant.outer().to_owned()).or_default(), mutant);
        add(mutators.entry(mutant.kind()).or_default(), mutant);
        if let Some(outcome) = unnoticed(mutant) {
            survivors.push(survivor(mutant, outcome, reached_by, known, &reach));
        }
    }
    survivors.sort_by(|a, b| (&a.file, a.line, &a.mutator, &a.what).cmp(&(&b.file, b.line, &b.mutator, &b.what)));
    Strength {
        mutants_by: String::new(),
        approximate: false,
        head: None,
        since: None,
        totals: scored(totals),
        operations: rows(operations),
        classes: rows(classes),
        mutators: rows(mutators),
        survivors,
        branches: None,
        tests: Tests::default(),
        alone: Default::default(),
        not_run: 0,
        seconds: None,
    }
}

fn unnoticed(mutant: &Mutant) -> Option<Unnoticed> {
    match mutant.status {
        _ if mutant.is_start_up() => Some(Unnoticed::StartUp),
        Status::Survived => Some(Unnoticed::Survived),
        Status::NoCoverage => Some(Unnoticed::NotCovered),
        _ => None,
    }
}

fn survivor(
    mutant: &Mutant,
    outcome: Unnoticed,
    operations: Vec<OpId>,
    known: &dyn MutantLookups,
    reach: &BTreeMap<&str, usize>,
) -> Survivor {
    let file = known.file(&mutant.path());
    let code = file.as_ref().map(|file| known.code(file, mutant.line)).unwrap_or_default();
    let near = mutant.covered_by.iter().filter(|test| *test != START);
    let nearest = near.min_by_key(|test| (reach.get(test.as_str()).copied().unwrap_or_default(), *test));
    Survivor {
        outcome,
        file: file.unwrap_or_else(|| mutant.path()),
        line: mutant.line,
        code,
        member: format!("{}.{}", mutant.class, mutant.method),
        mutator: mutant.kind(),
        what: mutant.description.clone(),
        operations,
        nearest: nearest.and_then(|test| known.test(test)),
    }
}

fn add(score: &mut Score, mutant: &Mutant) {
    if mutant.status == Status::NonViable {
        score.not_viable += 1;
        return;
    }
    if mutant.status == Status::Undecided {
        score.undecided += 1;
        score.mutants += 1;
        return;
    }
    let count = match unnoticed(mutant) {
        Some(Unnoticed::Survived) => &mut score.survived,
        Some(Unnoticed::NotCovered) => &mut score.not_covered,
        Some(Unnoticed::StartUp) => &mut score.start_up,
        None if mutant.status.is_noticed() => &mut score.killed,
        None => return,
    };
    *count += 1;
    score.mutants += 1;
    score.timed_out += usize::from(mutant.status == Status::TimedOut);
}

fn rows(scores: BTreeMap<String, Score>) -> Vec<Scored> {
    scores.into_iter().map(|(name, score)| Scored { name, score: scored(score) }).collect()
}

fn scored(score: Score) -> Score {
    let met = score.killed + score.survived;
    Score { score: percent(score.killed, met), strict_score: percent(score.killed, met + score.not_covered), ..score }
}

/// Percentage, rounded to one decimal.
fn percent(part: usize, whole: usize) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "nobody has so many mutants")]
    (whole > 0).then(|| (part as f64 * 1000.0 / whole as f64).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(line: u32, status: Status, covered_by: &[&str]) -> Mutant {
        Mutant {
            id: format!("{line}"),
            class: "a.B".to_owned(),
            file: "B.java".to_owned(),
            method: "m".to_owned(),
            line,
            mutator: "org.x.MathMutator".to_owned(),
            description: "changed".to_owned(),
            status,
            killed_by: None,
            covered_by: covered_by.iter().map(|test| (*test).to_owned()).collect(),
        }
    }

    struct Sample;

    impl MutantLookups for Sample {
        fn test(&self, test: &str) -> Option<Near> {
            (test != START).then(|| near(test))
        }

        fn file(&self, path: &str) -> Option<String> {
            Some(format!("src/{path}"))
        }

        fn code(&self, _: &str, line: u32) -> String {
            format!("line {line}")
        }

        fn reaching(&self, _: &str, line: u32) -> Vec<OpId> {
            OpId::parse("GET /a").filter(|_| line < 5).into_iter().collect()
        }
    }

    fn near(test: &str) -> Near {
        Near { id: test.to_owned(), test_id: format!("test {test}") }
    }

    #[test]
    fn not_covered_counts_against_the_strict_score_alone_and_start_up_against_none() {
        let all = [
            mutant(1, Status::Killed, &["A#a"]),
            mutant(2, Status::TimedOut, &["A#a"]),
            mutant(3, Status::Survived, &["A#a", "A#b", START]),
            mutant(4, Status::NoCoverage, &[]),
            mutant(5, Status::Survived, &[START]),
            mutant(6, Status::NonViable, &["A#a"]),
            mutant(7, Status::Undecided, &["A#a"]),
        ];
        let strength = strength(&all, &Sample);
        let expected = Score {
            mutants: 6,
            killed: 2,
            timed_out: 1,
            survived: 1,
            not_covered: 1,
            start_up: 1,
            not_viable: 1,
            undecided: 1,
            generated: 0,
            score: Some(66.7),
            strict_score: Some(50.0),
        };
        assert_eq!(strength.totals, expected);
        assert_eq!(strength.operations.len(), 1);
        assert_eq!(strength.operations[0].score.mutants, 4);
        assert_eq!(strength.mutators[0].name, "Math");
        let seen: Vec<_> = strength.survivors.iter().map(|one| (one.outcome, one.line, one.code.as_str())).collect();
        assert_eq!(
            seen,
            [
                (Unnoticed::Survived, 3, "line 3"),
                (Unnoticed::NotCovered, 4, "line 4"),
                (Unnoticed::StartUp, 5, "line 5")
            ]
        );
        // `A#b` is nearest since it covers fewer mutants.
        assert_eq!(strength.survivors[0].nearest, Some(near("A#b")));
        assert_eq!(strength.survivors[2].nearest, None);
    }
}
