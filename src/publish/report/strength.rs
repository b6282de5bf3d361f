//! The strength of a suite as text: scores, then surviving mutants.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use crate::wording::words;
use mastor_template::escape::{plain, shorten};
use mastor_types::results::strength::{Branches, Score, Scored, Strength, Unnoticed};

/// Maximum number of survivors listed.
const SHOWN: usize = 40;

/// The text for one service.
pub fn strength(strength: &Strength) -> String {
    let mut out = String::new();
    table(&mut out, "Operation", &strength.operations);
    table(&mut out, "Class", &strength.classes);
    table(&mut out, "Mutator", &strength.mutators);
    for (outcome, title) in [
        (Unnoticed::Survived, "Survived: run by tests, noticed by none"),
        (Unnoticed::NotCovered, "Not covered: run by no test"),
        (Unnoticed::StartUp, "Run when the application starts alone"),
    ] {
        unnoticed(&mut out, strength, outcome, title);
    }
    if let Some(branches) = &strength.branches {
        untaken(&mut out, branches);
    }
    for test in &strength.tests.left_out {
        let why = test.why.as_deref().unwrap_or_default();
        let _ = writeln!(out, "left out: {} meets no mutant: {}", test.id, shorten(&plain(why), 160));
    }
    for otherwise in &strength.alone.otherwise {
        let (together, alone) = (&otherwise.together, &otherwise.alone);
        let _ = writeln!(out, "alone {alone}, among others {together}: {}", plain(&otherwise.mutant));
    }
    let _ = writeln!(out, "{}", line(strength));
    if let Some(Branches { branches_by, branches, taken, .. }) = &strength.branches {
        let left = branches - taken;
        let _ = writeln!(out, "{branches} branches: {taken} taken by tests, {left} by none ({})", plain(branches_by));
    }
    if strength.approximate {
        let _ = writeln!(out, "an approximation: the interpreter ran the mutants, not a JVM");
    }
    out
}

/// A summary line.
pub fn line(strength: &Strength) -> String {
    let totals = &strength.totals;
    let mut parts = vec![format!(
        "{} mutants{}: {} killed, {} survived, {} not covered, {} at start-up only",
        totals.mutants,
        strength.since.as_ref().map(|since| format!(" in what changed since {since}")).unwrap_or_default(),
        totals.killed,
        totals.survived,
        totals.not_covered,
        totals.start_up
    )];
    parts.push(scores(totals));
    parts.push(format!("{} tests", strength.tests.run));
    if totals.generated > 0 {
        parts.push(format!("{} in generated code left out", totals.generated));
    }
    if strength.alone.run > 0 {
        parts.push(format!("{} run again alone, {} otherwise", strength.alone.run, strength.alone.otherwise.len()));
    }
    if strength.not_run > 0 {
        parts.push(format!("{} not run: the time was up", strength.not_run));
    }
    if let Some(seconds) = strength.seconds {
        parts.push(format!("{seconds:.0} s"));
    }
    parts.join(" · ")
}

fn scores(score: &Score) -> String {
    format!("score {}, strict {}{}", percent(score.score), percent(score.strict_score), left_out(score))
}

/// The share of killed mutants, with the number of undecided ones: `75 % of 4 mutants`. `None` where nothing was
/// decided.
pub fn kill_rate(score: &Score) -> Option<String> {
    let percent = score.strict_score?;
    let decided = words::count(score.killed + score.survived + score.not_covered, "mutant");
    Some(format!("{percent} % of {decided}{}", left_out(score)))
}

/// The number of undecided mutants, appended to a score; empty for none.
fn left_out(score: &Score) -> String {
    match score.undecided {
        0 => String::new(),
        undecided => format!(" ({undecided} of {} undecided)", score.mutants),
    }
}

fn percent(score: Option<f64>) -> String {
    score.map_or_else(|| "—".to_owned(), |score| format!("{score:.1} %"))
}

fn table(out: &mut String, title: &str, rows: &[Scored]) {
    if rows.is_empty() {
        return;
    }
    let width = rows.iter().map(|row| row.name.width()).chain([title.width()]).max().unwrap_or_default().min(70);
    let is_partial = rows.iter().any(|row| row.score.undecided > 0);
    let column = if is_partial { "  undecided" } else { "" };
    let _ = writeln!(out, "{title:width$}  mutants  killed  survived  not covered  start-up{column}   score  strict");
    for row in rows {
        let Score { mutants, killed, survived, not_covered, start_up, undecided, score, strict_score, .. } = row.score;
        let undecided = if is_partial { format!("  {undecided:9}") } else { String::new() };
        let name = plain(&row.name);
        let pad = " ".repeat(width.saturating_sub(name.width()));
        let (score, strict) = (percent(score), percent(strict_score));
        let _ = writeln!(
            out,
            "{name}{pad}  {mutants:7}  {killed:6}  {survived:8}  {not_covered:11}  {start_up:8}{undecided}  {score:>6}  {strict:>6}"
        );
    }
    out.push('\n');
}

fn unnoticed(out: &mut String, strength: &Strength, outcome: Unnoticed, title: &str) {
    let all: Vec<_> = strength.survivors.iter().filter(|one| one.outcome == outcome).collect();
    if all.is_empty() {
        return;
    }
    let _ = writeln!(out, "{title} ({})", all.len());
    for one in all.iter().take(SHOWN) {
        let _ = writeln!(out, "  {}:{}  {}", plain(&one.file), one.line, plain(&one.what));
        if !one.code.is_empty() {
            let _ = writeln!(out, "      {}", shorten(&plain(&one.code), 140));
        }
        if let Some(near) = &one.nearest {
            let _ = writeln!(out, "      nearest: {} {}", near.id, plain(&near.test_id));
        }
    }
    if all.len() > SHOWN {
        let _ = writeln!(out, "  … and {} more in .mastor/out/strength.json", all.len() - SHOWN);
    }
    out.push('\n');
}

fn untaken(out: &mut String, branches: &Branches) {
    let all = &branches.untaken;
    if all.is_empty() {
        return;
    }
    let _ = writeln!(out, "Branches that no test takes ({})", branches.branches - branches.taken);
    for one in all.iter().take(SHOWN) {
        let _ = writeln!(out, "  {}:{}  {} of {} taken", plain(&one.file), one.line, one.taken, one.branches);
        if !one.code.is_empty() {
            let _ = writeln!(out, "      {}", shorten(&plain(&one.code), 140));
        }
    }
    if all.len() > SHOWN {
        let _ = writeln!(out, "  … and {} lines more in .mastor/out/strength.json", all.len() - SHOWN);
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_names_what_it_leaves_out_beside_the_figure() {
        let score = Score {
            mutants: 436,
            killed: 3,
            not_covered: 248,
            undecided: 185,
            score: Some(100.0),
            strict_score: Some(1.2),
            ..Score::default()
        };
        assert_eq!(kill_rate(&score).unwrap(), "1.2 % of 251 mutants (185 of 436 undecided)");
        let decided = Score { mutants: 251, undecided: 0, ..score };
        assert_eq!(kill_rate(&decided).unwrap(), "1.2 % of 251 mutants");
        assert_eq!(kill_rate(&Score { strict_score: None, ..score }), None);
        assert_eq!(scores(&score), "score 100.0 %, strict 1.2 % (185 of 436 undecided)");
        assert_eq!(scores(&decided), "score 100.0 %, strict 1.2 %");
    }
}
