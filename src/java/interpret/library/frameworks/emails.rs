//! Which texts are addresses of mail for every implementation of Bean Validation.

/// Whether a text is an address; `None` where implementations may differ.
pub fn plain_email(text: &str) -> Option<bool> {
    let word = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
    match text.split_once('@') {
        None if text.is_empty() => None,
        None => Some(false),
        Some((name, host)) => {
            let plain = word(name) && host.contains('.') && host.split('.').all(word);
            // No name within a host's is longer, and no name before it.
            let fits = name.len() <= 64 && host.len() <= 255 && host.split('.').all(|part| part.len() <= 63);
            plain.then_some(fits)
        }
    }
}
