//! Secrets: text that is used but never printed.

use std::sync::{Mutex, PoisonError};

/// Printed in place of a secret.
pub const MASK: &str = "***";

/// A password, token or cookie; prints as `***`.
#[derive(Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for use in a request.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(MASK)
    }
}

impl std::fmt::Display for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(MASK)
    }
}

/// All secrets used so far, for masking them in output.
#[derive(Debug, Default)]
pub struct Secrets(Mutex<Vec<Secret>>);

/// Minimum length of a secret; masking shorter texts would hide too much.
const SHORTEST: usize = 5;

impl Secrets {
    /// Registers a secret. The value of an `Authorization` header is registered without its scheme too.
    pub fn add(&self, text: &str) {
        let mut known = self.lock();
        let parts = [Some(text), text.split_once(' ').map(|(_, rest)| rest)];
        for part in parts.into_iter().flatten().map(str::trim).filter(|part| part.len() >= SHORTEST) {
            if !known.iter().any(|secret| secret.reveal() == part) {
                known.push(Secret::new(part));
                // Longest first, so that no secret is masked only in part.
                known.sort_by_key(|secret| std::cmp::Reverse(secret.reveal().len()));
            }
        }
    }

    /// The text with every secret replaced by `***`, also in percent-encoded and JSON-escaped form. JSON field names
    /// are kept, even if a password is the same word.
    pub fn hide(&self, text: &str) -> String {
        let known = self.lock();
        let mut out = text.to_owned();
        for secret in known.iter() {
            let plain = secret.reveal();
            let encoded = mastor_types::suite::request::percent(plain);
            let quoted = serde_json::Value::from(plain).to_string();
            for form in [plain, encoded.as_str(), quoted.trim_matches('"')] {
                if out.contains(form) {
                    out = masked(&out, form);
                }
            }
        }
        out
    }

    /// Whether no secret is registered.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Secret>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Replaces each occurrence of a secret, unless it is a whole field name in JSON.
fn masked(text: &str, secret: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret) {
        let (before, found) = rest.split_at(at);
        let behind = &found[secret.len()..];
        out.push_str(before);
        let is_name =
            out.ends_with('"') && behind.strip_prefix('"').is_some_and(|behind| behind.trim_start().starts_with(':'));
        out.push_str(if is_name { secret } else { MASK });
        rest = behind;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_printed() {
        let secret = Secret::new("s3cret/x");
        assert_eq!(format!("{secret} {secret:?} {:?}", Some(&secret)), "*** *** Some(***)");
        let secrets = Secrets::default();
        secrets.add("Bearer s3cret/x");
        assert_eq!(secrets.hide("a s3cret/x b s3cret%2Fx Bearer s3cret/x"), "a *** b *** ***");
        secrets.add("ab");
        assert_eq!(secrets.hide("ab"), "ab");
        secrets.add("password");
        let body = r#"{"password": "hidden", "a":"password","note":"my password: x"}"#;
        assert_eq!(secrets.hide(body), r#"{"password": "hidden", "a":"***","note":"my ***: x"}"#);
    }
}
