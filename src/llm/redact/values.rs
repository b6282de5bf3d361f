//! Judges whether a value is the secret itself or a placeholder for it.

use super::names;

/// Shorter values are not redacted.
const SHORTEST: usize = 3;

/// Words that occur in sentences and not in pass phrases.
const SENTENCE: &[&str] = &[
    "must",
    "is",
    "not",
    "be",
    "the",
    "should",
    "at",
    "your",
    "please",
    "too",
    "least",
    "cannot",
    "required",
    "invalid",
    "a",
    "an",
    "or",
    "and",
    "for",
    "of",
    "do",
    "does",
    "enter",
    "has",
    "have",
    "was",
    "are",
    "with",
    "in",
    "to",
    "no",
    "may",
    "only",
    "wrong",
    "expired",
    "missing",
    "match",
    "incorrect",
    "can",
    "than",
    "must,",
];

/// Whether the value is a secret rather than a placeholder, a name, a sentence or an ordinary word.
pub(super) fn is_secret(value: &str) -> bool {
    let value = value.trim();
    if value.chars().count() < SHORTEST || is_placeholder(value) || is_word(value) || names::is_name(value) {
        return false;
    }
    let pattern = value.starts_with('^') && value.ends_with('$');
    let place =
        ["classpath:", "file:", "/run/secrets/", "arn:aws:", "vault:"].iter().any(|start| value.starts_with(start));
    let path = value.starts_with('/') && value.chars().all(|c| c.is_ascii_lowercase() || "/_-.{}*".contains(c));
    let url = (value.starts_with("http://") || value.starts_with("https://")) && !value.contains('@');
    !(pattern || place || path || url || is_sentence(value))
}

/// Whether the value is a placeholder that is filled in elsewhere.
pub(super) fn is_placeholder(value: &str) -> bool {
    let around = [
        ("${", "}"),
        ("#{", "}"),
        ("{{", "}}"),
        ("<", ">"),
        ("@", "@"),
        ("$(", ")"),
        ("%(", ")s"),
        ("[", "]"),
        ("%", "%"),
    ];
    let inner = |open: &str, close: &str| {
        let inner = value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.contains(close))
    };
    // `${A}${B}` and `${A:${B}}` are placeholders too.
    let filled = value.starts_with("${") && value.ends_with('}');
    let variable = value.strip_prefix('$').is_some_and(|name| {
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name.chars().next().is_some_and(|c| !c.is_ascii_digit())
            && (name.chars().all(|c| !c.is_ascii_lowercase()) || name.chars().all(|c| !c.is_ascii_uppercase()))
    });
    let parameter =
        value.strip_prefix(':').is_some_and(|name| name.chars().all(|c| c.is_ascii_alphabetic() || c == '_'));
    let template = value
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
        .is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
    let masked = value.chars().all(|c| matches!(c, '*' | '.' | '•' | '…' | '-' | '?'))
        || value.chars().all(|c| matches!(c, 'x' | 'X'));
    let format = matches!(value, "%s" | "%d" | "{}" | "{0}" | "{1}" | "%s:%s" | "%1$s");
    filled
        || variable
        || parameter
        || template
        || masked
        || format
        || around.iter().any(|(open, close)| inner(open, close))
}

fn is_word(value: &str) -> bool {
    const WORDS: &[&str] = &[
        "null",
        "true",
        "false",
        "none",
        "nil",
        "undefined",
        "yes",
        "no",
        "on",
        "off",
        "string",
        "integer",
        "number",
        "boolean",
        "object",
        "array",
        "char[]",
        "byte[]",
        "int",
        "long",
        "bytes",
        "optional",
        "uuid",
        "varchar",
        "text",
        "not null",
        "redacted",
        "any",
        "void",
        "this",
        "self",
        "default",
        "empty",
        "n/a",
        "tbd",
        "todo",
        "bearer",
        "basic",
        "jwt",
        "oauth2",
        "http",
        "apikey",
        "header",
        "query",
        "cookie",
        "body",
        "login",
        "refresh",
        "charsequence",
        "secretstr",
    ];
    WORDS.contains(&value.to_ascii_lowercase().as_str())
}

/// Whether the value is a sentence for people.
fn is_sentence(value: &str) -> bool {
    let words: Vec<&str> = value.split_whitespace().collect();
    let word = |word: &&str| word.chars().all(|c| c.is_alphabetic() || ".,;:!?'’()-{}%\"0123456789".contains(c));
    // A word that mixes letters and digits is not part of a sentence.
    let mixed = |word: &&str| word.contains(|c: char| c.is_alphabetic()) && word.contains(|c: char| c.is_ascii_digit());
    if words.len() >= 5 && words.iter().all(|part| word(part) && !mixed(part)) {
        return true;
    }
    words.len() >= 2
        && !words.iter().any(mixed)
        && words.iter().all(word)
        && words
            .iter()
            .any(|word| SENTENCE.contains(&word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase().as_str()))
}

/// Whether a value is not an ordinary word: it contains a digit, or is long without word boundaries.
pub(super) fn is_made(value: &str) -> bool {
    let digits = value.chars().any(|c| c.is_ascii_digit()) && value.len() >= 6;
    let long = value.len() >= 20 && value.chars().all(|c| c.is_ascii_alphanumeric() || "+/=_-.~".contains(c));
    (digits || long) && !value.contains(['|', '(', '\\', ' '])
}

/// Whether a value looks randomly generated.
pub(super) fn is_random(value: &str) -> bool {
    let value = value.trim();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let letters = value.chars().filter(char::is_ascii_alphabetic).count();
    let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || "+/=_-.~".contains(c));
    let uuid = value.len() == 36 && value.chars().filter(|c| *c == '-').count() == 4;
    plain && !uuid && value.len() >= 16 && digits >= 3 && letters >= 3 && entropy(value) >= 3.2
}

/// Shannon entropy in bits per character.
fn entropy(value: &str) -> f64 {
    let mut counts = std::collections::BTreeMap::new();
    for c in value.chars() {
        *counts.entry(c).or_insert(0_u32) += 1;
    }
    let total: u32 = counts.values().sum();
    counts.values().map(|count| f64::from(*count) / f64::from(total)).map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_secret_is_none() {
        for value in [
            "",
            "ab",
            "${DB_PASSWORD}",
            "${DB_PASSWORD:${OTHER}}",
            "#{vault.x}",
            "{{ password }}",
            "<your password>",
            "@db.password@",
            "$DB_PASSWORD",
            "%s",
            "{}",
            ":password",
            "{token}",
            "****",
            "null",
            "String",
            "password",
            "X-Auth-Token",
            "access_token",
            "app.jwt.secret",
            "/oauth/token",
            "^[a-z]{8,}$",
            "classpath:key.pem",
            "Password must be at least 8 characters",
            "is required",
            "https://idp.example/token",
            "Bearer ",
            "user.password.invalid",
        ] {
            assert!(!is_secret(value), "{value}");
        }
        for value in [
            "hunter2",
            "changeme",
            "correct horse battery staple",
            "P@ssw0rd!",
            "123456",
            "s3cr3t",
            "abc$DEF{9}",
            "tr0ub4dor&3",
            "admin",
        ] {
            assert!(is_secret(value), "{value}");
        }
        assert!(
            is_random("9f8a7b6c5d4e3f2a1b0c")
                && !is_random("order-created-event")
                && !is_random("550e8400-e29b-41d4-a716-446655440000")
        );
    }
}
