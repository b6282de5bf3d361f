//! Cited code as data of the page: whole lines with numbers and syntax colours.

use std::ops::Range;

use serde::Serialize;

use crate::terminal::explain::{CITED, Cited, Excerpt};
use mastor_java::syntax::highlight::{Ink, highlight};
use mastor_java::syntax::tree::{self, Tree};

/// Maximum lines and bytes of an excerpt.
const LINES: usize = 120;
const BYTES: usize = 16_000;

/// A citation as shown on the page.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Source {
    /// The cited symbol.
    symbol: String,
    /// Path from the repository's root; empty if the revision lacks the code.
    #[serde(skip_serializing_if = "String::is_empty")]
    file: String,
    /// Number of the first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The lines without their common indentation.
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    /// Number of further lines that are not shown.
    #[serde(skip_serializing_if = "is_zero")]
    more: usize,
    /// Coloured ranges, each as start, length (in UTF-16 units of `text`) and colour.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inks: Vec<usize>,
    /// A remark: that the code has changed since, or why it is not shown.
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Makes [`Source`]s; consecutive citations of a file share one parse.
#[derive(Default)]
pub struct ExcerptReader {
    file: Option<(String, Option<Tree>)>,
}

impl ExcerptReader {
    /// The citation as shown on the page.
    pub fn source(&mut self, cited: &Cited) -> Source {
        match cited {
            Cited::Found(excerpt) => self.found(excerpt),
            Cited::Lost { symbol, reason } => {
                Source { symbol: symbol.clone(), note: reason.clone(), ..Source::default() }
            }
        }
    }

    fn found(&mut self, excerpt: &Excerpt) -> Source {
        let text = excerpt.text.as_str();
        let (lines, more) = lines(text, &excerpt.span);
        let line = 1 + text[..lines.start].matches('\n').count();
        let colours = match self.tree(excerpt) {
            Some(tree) => highlight(text, tree, lines.clone()),
            None => Vec::new(),
        };
        let (text, inks) = unindented(text, lines, &colours);
        let note = if excerpt.label == CITED { "" } else { &excerpt.label };
        Source {
            symbol: excerpt.symbol.clone(),
            file: excerpt.path.clone(),
            line: Some(line),
            text,
            more,
            inks,
            note: note.to_owned(),
        }
    }

    fn tree(&mut self, excerpt: &Excerpt) -> Option<&Tree> {
        if !excerpt.path.ends_with(".java") {
            return None;
        }
        if self.file.as_ref().is_none_or(|(path, _)| *path != excerpt.path) {
            self.file = Some((excerpt.path.clone(), tree::parse(&excerpt.text)));
        }
        self.file.as_ref().and_then(|(_, tree)| tree.as_ref())
    }
}

/// The whole lines of a byte range up to the limits, and the number of lines beyond them.
fn lines(text: &str, span: &Range<usize>) -> (Range<usize>, usize) {
    let floor = |at: usize| (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    let start = floor(span.start);
    let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = floor(span.end).max(start);
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let mut shown = start;
    for (n, line) in text[start..end].split_inclusive('\n').enumerate() {
        if n == LINES || shown + line.len() - start > BYTES {
            break;
        }
        shown += line.len();
    }
    if shown == start {
        // A single line that exceeds the limit is truncated.
        shown = floor(end.min(start + BYTES));
    }
    let more = text[shown..end].lines().count();
    (start..shown, more)
}

/// The lines without their common indentation, and the colours at their new positions.
fn unindented(text: &str, lines: Range<usize>, colours: &[(Range<usize>, Ink)]) -> (String, Vec<usize>) {
    let shown = &text[lines.clone()];
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let indent = shown.lines().filter(|line| !line.trim().is_empty()).map(blanks).min().unwrap_or(0);
    let (mut out, mut inks, mut at, mut units) = (String::new(), Vec::new(), lines.start, 0);
    for line in shown.split_inclusive('\n') {
        let cut = indent.min(blanks(line));
        let (start, end) = (at + cut, at + line.trim_end_matches(['\n', '\r']).len());
        let end = end.max(start.min(at + line.len()));
        let first = colours.partition_point(|(range, _)| range.end <= start);
        for (range, ink) in colours.iter().skip(first).take_while(|(range, _)| range.start < end) {
            let (from, to) = (range.start.max(start), range.end.min(end));
            if from < to {
                inks.extend([units + utf16(&text[start..from]), utf16(&text[from..to]), *ink as usize]);
            }
        }
        let kept = text.get(start..end).unwrap_or_default();
        out.push_str(kept);
        units += utf16(kept);
        at += line.len();
        if line.ends_with('\n') {
            out.push('\n');
            units += 1;
        }
    }
    let whole = out.trim_end_matches('\n').len();
    out.truncate(whole);
    (out, inks)
}

fn utf16(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(path: &str, text: &str, wanted: &str) -> Cited {
        let start = text.find(wanted).unwrap();
        Cited::Found(Excerpt {
            symbol: "A#f(int)".into(),
            path: path.into(),
            text: text.into(),
            span: start..start + wanted.len(),
            label: "reads differently now".into(),
        })
    }

    #[test]
    fn code_is_shown_in_whole_lines_with_colours_at_their_places() {
        let text = "class A {\r\n    /* 😀 */ int f(int a) {\r\n        return a;\r\n    }\r\n}\r\n";
        let source = ExcerptReader::default().source(&excerpt(
            "src/A.java",
            text,
            "int f(int a) {\r\n        return a;\r\n    }",
        ));
        assert_eq!((source.line, source.more, source.note.as_str()), (Some(2), 0, "reads differently now"));
        assert_eq!(source.text, "/* 😀 */ int f(int a) {\n    return a;\n}");
        let units: Vec<u16> = source.text.encode_utf16().collect();
        let part = |ink: &[usize]| String::from_utf16(&units[ink[0]..ink[0] + ink[1]]).unwrap();
        let said: Vec<(String, usize)> = source.inks.chunks(3).map(|ink| (part(ink), ink[2])).collect();
        assert_eq!(said[0], ("/* 😀 */".to_owned(), Ink::Comment as usize));
        assert!(said.contains(&("return".to_owned(), Ink::Keyword as usize)), "{said:?}");
        assert!(said.contains(&("f".to_owned(), Ink::Method as usize)), "{said:?}");
    }

    #[test]
    fn what_is_too_long_is_cut_at_a_line_and_a_file_of_one_line_at_a_character() {
        let long: String = (0..500).map(|n| format!("line {n}\n")).collect();
        let source = ExcerptReader::default().source(&excerpt("data.sql", &long, &long));
        assert_eq!((source.text.lines().count(), source.more), (LINES, 500 - LINES));
        let wide = "é".repeat(BYTES);
        let source = ExcerptReader::default().source(&excerpt("data.sql", &wide, &wide));
        assert!(source.text.len() <= BYTES && source.more == 1);
        assert_eq!(ExcerptReader::default().source(&excerpt("A.java", "class A {}", "A")).text, "class A {}");
    }
}
