//! Branch coverage of lines, as JaCoCo counts it.

use super::score::MutantLookups;
use mastor_types::results::strength::{Branches, Untaken};

/// A line with branches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Path of the file below its source folder.
    pub path: String,
    /// Line number, counted from 1.
    pub line: u32,
    /// Number of branches that no test takes.
    pub missed: usize,
    /// Number of branches that a test takes.
    pub taken: usize,
    /// Whether only the application's start-up runs the line.
    pub is_start_up: bool,
}

/// Parses tab-separated lines: file, line, missed branches, taken branches, start-up flag. A truncated line is skipped.
pub fn read(text: &str) -> Vec<Line> {
    let line = |text: &str| {
        let mut parts = text.split('\t');
        let path = parts.next()?.to_owned();
        let line = parts.next()?.parse().ok()?;
        let (missed, taken) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(Line { path, line, missed, taken, is_start_up: parts.next()?.parse().ok()? })
    };
    text.lines().filter_map(line).collect()
}

/// Counts the branches of lines that operations reach. Start-up code is left out, since no test could take its
/// branches.
pub fn counted(lines: &[Line], known: &dyn MutantLookups) -> Branches {
    let mut found = Branches::default();
    for one in lines.iter().filter(|one| !one.is_start_up) {
        let operations = known.reaching(&one.path, one.line);
        if operations.is_empty() {
            continue;
        }
        found.branches += one.missed + one.taken;
        found.taken += one.taken;
        if one.missed > 0 {
            let file = known.file(&one.path).unwrap_or_else(|| one.path.clone());
            let code = known.code(&file, one.line);
            let (line, taken, branches) = (one.line, one.taken, one.missed + one.taken);
            found.untaken.push(Untaken { file, line, code, taken, branches, operations });
        }
    }
    found.untaken.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_is_none() {
        let lines = read("a/B.java\t3\t1\t1\tfalse\na/B.java\t9\t2\t0\ttrue\na/B.java\t12\t1");
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].path.as_str(), lines[0].missed, lines[1].is_start_up), ("a/B.java", 1, true));
    }
}
