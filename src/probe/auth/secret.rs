//! Secrets: text that is used and never shown.

use std::sync::{Mutex, PoisonError};

/// What stands in the place of a secret.
pub const MASK: &str = "***";

/// A password, a token, a cookie: prints as `***`.
#[derive(Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Keeps this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the request that needs it.
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

/// Every secret that was used so far, to take it out of what is shown.
#[derive(Debug, Default)]
pub struct Secrets(Mutex<Vec<Secret>>);

/// Shorter texts are no secrets: taking them out would hide what was seen.
const SHORTEST: usize = 5;

impl Secrets {
    /// Remembers a secret; an `Authorization` value is one without its scheme too.
    pub fn add(&self, text: &str) {
        let mut known = self.lock();
        let parts = [Some(text), text.split_once(' ').map(|(_, rest)| rest)];
        for part in parts.into_iter().flatten().map(str::trim).filter(|part| part.len() >= SHORTEST) {
            if !known.iter().any(|secret| secret.reveal() == part) {
                known.push(Secret::new(part));
                // The longest first, so that no part of one is left.
                known.sort_by_key(|secret| std::cmp::Reverse(secret.reveal().len()));
            }
        }
    }

    /// The text with `***` for every secret, as it is, percent-encoded or escaped as in JSON. The names of fields in JSON stay: a password that is the
    /// word for it tells nothing there.
    pub fn hide(&self, text: &str) -> String {
        let known = self.lock();
        let mut out = text.to_owned();
        for secret in known.iter() {
            let plain = secret.reveal();
            let encoded = crate::types::request::percent(plain);
            let quoted = serde_json::Value::from(plain).to_string();
            for form in [plain, encoded.as_str(), quoted.trim_matches('"')] {
                if out.contains(form) {
                    out = masked(&out, form);
                }
            }
        }
        out
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Secret>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A text with `***` for each occurrence of another one that is not all of a field's name in JSON.
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
