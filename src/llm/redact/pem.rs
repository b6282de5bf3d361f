//! Private keys in PEM format: finds the encoded text between the markers, line by line.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

static BEGIN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:-----|---- )BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?(?:-----| ----)|PuTTY-User-Key-File-\d:")
        .ok()
});
static END: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:-----|---- )END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?(?:-----| ----)|Private-MAC:").ok()
});
/// A run of base64 characters; excludes placeholders of earlier redactions.
static RUN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"<redacted:[a-z-]+>|\\[nr]|([A-Za-z0-9+/=_-]{3,})").ok());

/// Maximum length of a key.
const LONGEST: usize = 40_000;

/// Ranges of the encoded parts of private keys.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found = Vec::new();
    let (Some(begin), Some(end), Some(run)) = (BEGIN.as_ref(), END.as_ref(), RUN.as_ref()) else { return found };
    for mark in begin.find_iter(text) {
        let rest = &text[mark.end()..];
        let mut most = rest.len().min(LONGEST);
        while !rest.is_char_boundary(most) {
            most -= 1;
        }
        let body = match end.find(&rest[..most]) {
            Some(end) => &rest[..end.start()],
            None => &rest[..cut_off(&rest[..most])],
        };
        let parts = run.captures_iter(body).filter_map(|part| part.get(1));
        found.extend(parts.map(|part| (mark.end() + part.start()..mark.end() + part.end(), "private-key")));
    }
    found
}

/// Length of a key without an end marker: as far as its lines contain nothing else.
fn cut_off(rest: &str) -> usize {
    let part = |line: &str| {
        let line = line.replace("\\n", "").replace("\\r", "");
        let line = line.trim_matches(|c: char| c.is_whitespace() || "\"'+,;|".contains(c));
        line.chars().all(|c| c.is_ascii_alphanumeric() || "+/=".contains(c))
    };
    let mut end = 0;
    for (n, line) in rest.split_inclusive('\n').enumerate() {
        if n > 0 && !part(line) {
            break;
        }
        end += line.len();
    }
    end
}
