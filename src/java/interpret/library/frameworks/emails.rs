//! Texts that every implementation of Bean Validation accepts or rejects as an e-mail address.

/// Whether a text is an e-mail address; `None` if implementations may differ.
pub fn plain_email(text: &str) -> Option<bool> {
    let word = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
    match text.split_once('@') {
        None if text.is_empty() => None,
        None => Some(false),
        Some((name, host)) => {
            let plain = word(name) && host.contains('.') && host.split('.').all(word);
            // Maximum lengths of the local part, the host name and each label of the host name.
            let fits = name.len() <= 64 && host.len() <= 255 && host.split('.').all(|part| part.len() <= 63);
            plain.then_some(fits)
        }
    }
}
