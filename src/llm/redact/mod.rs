//! Redaction: takes out of a text what is secret, and leaves its lines as they are.

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

/// Shorter values are not known secrets: taking them out would take out too much.
const SHORTEST: usize = 6;

/// Why a pattern of the settings cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("[redact] patterns: {0}")]
pub struct PatternError(#[from] regex::Error);

/// Takes out secrets: known ones, those of the settings' patterns, and those that look like one.
#[derive(Clone)]
pub struct Redactor {
    known: Vec<String>,
    patterns: Vec<Regex>,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What it knows are secrets.
        write!(f, "Redactor({} known, {} patterns)", self.known.len(), self.patterns.len())
    }
}

impl Redactor {
    /// A redactor that knows these patterns and these values, besides its own rules.
    ///
    /// # Errors
    /// Where a pattern is no regular expression.
    pub fn new(patterns: &[String], known: &[String]) -> Result<Self, PatternError> {
        let patterns = patterns.iter().map(|pattern| Regex::new(pattern)).collect::<Result<_, _>>()?;
        let mut redactor = Self { known: Vec::new(), patterns };
        redactor.know(known.iter().map(String::as_str));
        Ok(redactor)
    }

    /// Knows further values.
    pub fn know<'v>(&mut self, values: impl IntoIterator<Item = &'v str>) {
        for value in values {
            for part in [Some(value), value.split_once(' ').map(|(_, rest)| rest)].into_iter().flatten() {
                let part = part.trim();
                // A password that is a word of the language of passwords would take out every `password`.
                if part.len() >= SHORTEST && values::is_secret(part) && !self.known.iter().any(|known| known == part) {
                    self.known.push(part.to_owned());
                }
            }
        }
        // The longest first, so that no part of one is left.
        self.known.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    }

    /// The text without secrets, and how many were taken out. Lines stay as many as they were.
    pub fn redact<'t>(&self, text: &'t str) -> (Cow<'t, str>, usize) {
        let mut found = self.certain(text);
        found.extend(rules::forms(text));
        found.extend(assign::find(text));
        found.extend(sql::find(text));
        without(text, found)
    }

    /// The text without what is a secret wherever it stands: for replies, whose invented passwords are values of requests.
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

/// Whether a value that could be a part of a word is none.
fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let letters = |text: &str| text.chars().all(|c| c.is_ascii_alphabetic());
    let part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    !letters(&text[range.clone()])
        || !(part(text[..range.start].chars().next_back()) || part(text[range.end..].chars().next()))
}

/// Whether a header holds a secret, by its name or its value.
pub(super) fn is_secret_header(name: &str, value: &str) -> bool {
    names::judge(name).is_some() || name.to_ascii_lowercase().contains("auth") || values::is_random(value)
}
