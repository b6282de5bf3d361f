//! Redaction: replaces secrets in a text and keeps its line structure.
//!
//! Comes in: a text, with patterns and known secrets. Goes out: the text with placeholders, and their number. Never
//! here: sending or storing a text.

mod assign;
mod holes;
mod names;
mod pem;
mod place;
mod rules;
mod sql;
mod unquoted;
mod values;

use std::borrow::Cow;
use std::ops::Range;

use regex::Regex;

use holes::without;

pub use holes::PLACEHOLDER;

/// Minimum length of known secrets; redacting shorter ones would redact too much other text.
const SHORTEST: usize = 6;

/// A pattern of the settings is not a valid regular expression.
#[derive(Debug, thiserror::Error)]
#[error("[redact] patterns: {0}")]
pub struct PatternError(#[from] regex::Error);

/// Redacts known secrets, matches of configured patterns, and text that looks like a secret.
#[derive(Clone)]
pub struct Redactor {
    known: Vec<String>,
    patterns: Vec<Regex>,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The known values are secrets themselves.
        write!(f, "Redactor({} known, {} patterns)", self.known.len(), self.patterns.len())
    }
}

impl Redactor {
    /// A redactor with these patterns and known secrets beside the built-in rules.
    ///
    /// # Errors
    /// Where a pattern is not a valid regular expression.
    pub fn new(patterns: &[String], known: &[String]) -> Result<Self, PatternError> {
        let patterns = patterns.iter().map(|pattern| Regex::new(pattern)).collect::<Result<_, _>>()?;
        let mut redactor = Self { known: Vec::new(), patterns };
        redactor.know(known.iter().map(String::as_str));
        Ok(redactor)
    }

    /// Adds known secrets.
    pub fn know<'v>(&mut self, values: impl IntoIterator<Item = &'v str>) {
        for value in values {
            for part in [Some(value), value.split_once(' ').map(|(_, rest)| rest)].into_iter().flatten() {
                let part = part.trim();
                // A password such as `password` is not added, since it would redact every occurrence of that word.
                if part.len() >= SHORTEST && values::is_secret(part) && !self.known.iter().any(|known| known == part) {
                    self.known.push(part.to_owned());
                }
            }
        }
        // Longest first, so that no secret is redacted only in part.
        self.known.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    }

    /// The redacted text and the number of secrets in it. The number of lines is unchanged.
    pub fn redact<'t>(&self, text: &'t str) -> (Cow<'t, str>, usize) {
        let mut found = self.certain(text);
        found.extend(rules::forms(text));
        found.extend(assign::find(text));
        found.extend(sql::find(text));
        without(text, found)
    }

    /// Redacts only what is certainly a secret. For replies: passwords that a model made up for requests must stay.
    pub fn redact_certain<'t>(&self, text: &'t str) -> (Cow<'t, str>, usize) {
        without(text, self.certain(text))
    }

    fn certain(&self, text: &str) -> Vec<(Range<usize>, &'static str)> {
        let mut found = Vec::new();
        for known in &self.known {
            let places = text.match_indices(known.as_str()).map(|(at, value)| at..at + value.len());
            found.extend(places.filter(|range| stands_alone(text, range)).map(|range| (range, "known")));
        }
        for pattern in &self.patterns {
            for captures in pattern.captures_iter(text) {
                let secret = captures.iter().skip(1).flatten().next().or_else(|| captures.get(0));
                found.extend(secret.filter(|secret| !secret.is_empty()).map(|secret| (secret.range(), "pattern")));
            }
        }
        found.extend(pem::find(text));
        found.extend(rules::tokens(text));
        found
    }
}

/// Whether a known value that was found is redacted: one of letters only must be a whole word, any other always is.
fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let letters = |text: &str| text.chars().all(|c| c.is_ascii_alphabetic());
    let part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    !letters(&text[range.clone()])
        || !(part(text[..range.start].chars().next_back()) || part(text[range.end..].chars().next()))
}

/// Whether a header holds a secret, judged by its name or value.
pub(super) fn is_secret_header(name: &str, value: &str) -> bool {
    names::judge(name).is_some() || name.to_ascii_lowercase().contains("auth") || values::is_random(value)
}
