//! SQL: finds `INSERT` values in columns whose name suggests a secret.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::names::{self, NameVerdict};
use super::values::is_secret;

static INSERT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?i)(?-u:\b)(?:insert\s+(?:ignore\s+|or\s+\w+\s+)?into|merge\s+into|replace\s+into)\s+[\w."`\[\]$]+\s*\(([^()]*)\)\s*(?:key\s*\([^()]*\)\s*)?values\s*"#).ok()
});

/// Maximum number of rows examined.
const TUPLES: usize = 100_000;

/// Ranges and kinds of secrets in inserted rows.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found = Vec::new();
    for insert in INSERT.iter().flat_map(|form| form.captures_iter(text)) {
        let (Some(whole), Some(columns)) = (insert.get(0), insert.get(1)) else { continue };
        let kinds: Vec<Option<&'static str>> = columns
            .as_str()
            .split(',')
            .map(|column| {
                match names::judge(column.trim_matches(|c: char| c.is_whitespace() || "\"'`[]".contains(c))) {
                    Some(NameVerdict::Certain(kind)) => Some(kind),
                    // Columns with hashes of passwords count too, since a hash is as sensitive as the password.
                    _ if column.to_ascii_lowercase().contains("password") => Some("password"),
                    _ => None,
                }
            })
            .collect();
        if kinds.iter().any(Option::is_some) {
            rows(text, whole.end(), &kinds, &mut found);
        }
    }
    found
}

fn rows(text: &str, from: usize, kinds: &[Option<&'static str>], found: &mut Vec<(Range<usize>, &'static str)>) {
    let bytes = text.as_bytes();
    let mut at = from;
    for _ in 0..TUPLES {
        while bytes.get(at).is_some_and(|b| b.is_ascii_whitespace() || *b == b',') {
            at += 1;
        }
        if bytes.get(at) != Some(&b'(') {
            return;
        }
        at += 1;
        let (mut column, mut depth) = (0, 0);
        loop {
            match bytes.get(at) {
                None => return,
                Some(b'\'') => {
                    let Some(end) = closing(bytes, at + 1) else { return };
                    let value = &text[at + 1..end];
                    if let Some(kind) = kinds.get(column).copied().flatten().filter(|_| is_secret(value)) {
                        found.push((at + 1..end, kind));
                    }
                    at = end;
                }
                Some(b',') if depth == 0 => column += 1,
                Some(b'(') => depth += 1,
                Some(b')') if depth == 0 => {
                    at += 1;
                    break;
                }
                Some(b')') => depth -= 1,
                Some(_) => {}
            }
            at += 1;
        }
    }
}

/// The end of a text in single quotes; a doubled quote is an escaped one.
fn closing(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match bytes.get(at)? {
            b'\'' if bytes.get(at + 1) == Some(&b'\'') => at += 2,
            b'\'' => return Some(at),
            _ => at += 1,
        }
    }
}
