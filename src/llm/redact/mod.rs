//! Redaction: takes out of a text what is secret, and leaves its lines as they are.

mod rules;

use std::borrow::Cow;

use regex::Regex;

/// How every placeholder begins.
pub const PLACEHOLDER: &str = "<redacted:";
/// Shorter values are not known secrets: taking them out would take out too much.
const SHORTEST: usize = 6;

/// Why a pattern of the settings cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("[redact] patterns: {0}")]
pub struct PatternError(#[from] regex::Error);

/// Takes out secrets: known ones, those of the settings' patterns, and those that look like one.
#[derive(Debug, Clone)]
pub struct Redactor {
    known: Vec<String>,
    patterns: Vec<Regex>,
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
                if part.len() >= SHORTEST && !self.known.iter().any(|known| known == part) {
                    self.known.push(part.to_owned());
                }
            }
        }
        // The longest first, so that no part of one is left.
        self.known.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    }

    /// The text without secrets, and how many were taken out.
    pub fn redact<'t>(&self, text: &'t str) -> (Cow<'t, str>, usize) {
        self.redact_certain(text)
    }

    /// The text without what is a secret by itself, wherever it stands: for replies, whose invented passwords are values of requests.
    pub fn redact_certain<'t>(&self, text: &'t str) -> (Cow<'t, str>, usize) {
        let mut text = Cow::Borrowed(text);
        let mut count = 0;
        for known in &self.known {
            let times = text.matches(known.as_str()).count();
            if times > 0 {
                count += times;
                text = Cow::Owned(text.replace(known.as_str(), "<redacted:known>"));
            }
        }
        let own: Vec<(&Regex, &str)> = self.patterns.iter().map(|pattern| (pattern, "pattern")).collect();
        for (pattern, name) in own.into_iter().chain(rules::of(&text)) {
            if let Some((other, times)) = replaced(&text, pattern, name) {
                count += times;
                text = Cow::Owned(other);
            }
        }
        (text, count)
    }
}

/// The text with the first group of each match, or the whole of it, replaced; none where nothing matches.
fn replaced(text: &str, pattern: &Regex, name: &str) -> Option<(String, usize)> {
    let mut out = String::new();
    let (mut last, mut count) = (0, 0);
    for found in pattern.captures_iter(text) {
        let Some(secret) = found.get(1).or_else(|| found.get(0)).filter(|secret| !secret.is_empty()) else { continue };
        if secret.start() < last {
            continue;
        }
        out.push_str(&text[last..secret.start()]);
        out.push_str(&format!("{PLACEHOLDER}{name}>"));
        out.extend(secret.as_str().chars().filter(|c| *c == '\n'));
        last = secret.end();
        count += 1;
    }
    if count == 0 {
        return None;
    }
    out.push_str(&text[last..]);
    Some((out, count))
}
