//! Judges by the name of a variable, key or column whether its value is secret.

/// How certain it is that a name's value is secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameVerdict {
    /// The value is a secret of this kind.
    Certain(&'static str),
    /// The value is a secret if it looks random.
    Weak,
}

/// Words that make a name secret, with the kind shown in the placeholder.
const WORDS: &[(&str, &str)] = &[
    ("password", "password"),
    ("passwords", "password"),
    ("passwd", "password"),
    ("passwrd", "password"),
    ("passwort", "password"),
    ("kennwort", "password"),
    ("passphrase", "password"),
    ("passcode", "password"),
    ("pass", "password"),
    ("pwd", "password"),
    ("secret", "secret"),
    ("secrets", "secret"),
    ("token", "token"),
    ("apikey", "key"),
    ("credential", "credential"),
    ("credentials", "credential"),
    ("secretkey", "key"),
    ("accesskey", "key"),
    ("privatekey", "key"),
];

/// Suffixes of compound words without a boundary: `dbpassword`, `clientsecret`.
const ENDINGS: &[(&str, &str)] = &[
    ("password", "password"),
    ("passwd", "password"),
    ("passphrase", "password"),
    ("secret", "secret"),
    ("token", "token"),
    ("apikey", "key"),
    ("secretkey", "key"),
    ("accesskey", "key"),
];

/// Words that make a following `key` secret.
const KEYS: &str = "\
    api access auth private signing sign encryption encrypt crypto master account secret shared storage license \
    subscription jwt hmac aes service client app function host deploy webhook integration admin signature";

/// Words that, after a secret's name, mean that the value is only about the secret (`passwordLength`).
const ABOUT: &str = "\
    header headers param parameter params name names field fields url uri path endpoint pattern regex regexp type prefix \
    suffix length size min max minimum maximum expiry expires expire expiration expired ttl timeout validity encoder \
    service repository provider policy message messages error errors label column attribute attr format issuer store file \
    location class count limit enabled required valid invalid strength hint question description title placeholder \
    template mode algorithm scope scopes audience role roles user username manager factory filter util utils id ref \
    refresh lifetime age duration seconds minutes hours days millis ms config properties property generator validator \
    validation converter handler extractor resolver method strategy rotation version status state reset change changed \
    confirmation matches mismatch not is of for and kind source target claim claims entropy charset rules rule icon input \
    form page view screen link email mail subject topic table index bytes bits iterations rounds cost request response dto \
    entity controller exception test tests bucket cache session cookie domain key keys alias";

/// Verbs of methods that are named after a secret but whose argument is something else.
const VERBS: &str = "\
    generate create make build issue get has is reset send encode hash extract resolve forgot load read fetch remove \
    delete clear revoke invalidate contains supports";

/// Last words of names whose values are secret if they look random.
const WEAK: &str = "\
    key salt signature auth cert certificate session cookie nonce seed iv license licence";

/// The judgement of a name; `None` where it does not suggest a secret.
pub(super) fn judge(name: &str) -> Option<NameVerdict> {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    for at in (0..words.len()).rev() {
        if let Some((kind, length)) = secret(&words[at..]) {
            let behind = &words[at + length..];
            return behind.iter().all(|word| !has(ABOUT, word)).then_some(NameVerdict::Certain(kind));
        }
    }
    words.last().is_some_and(|word| has(WEAK, word)).then_some(NameVerdict::Weak)
}

/// Whether a method of this name takes the secret as its argument.
pub(super) fn takes_secret(method: &str) -> bool {
    let last = method.rsplit('.').next().unwrap_or(method);
    if matches!(last, "equals" | "equalsIgnoreCase" | "contentEquals") {
        return matches!(
            judge(method.rsplit_once('.').map_or("", |(before, _)| before)),
            Some(NameVerdict::Certain(_))
        );
    }
    let first = words(last).first().cloned().unwrap_or_default();
    !has(VERBS, &first) && matches!(judge(last), Some(NameVerdict::Certain(_)))
}

/// Whether a space-separated list contains this word.
pub(super) fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|other| other == word)
}

/// The kind of secret that these words begin with, and the number of words used.
fn secret(words: &[&str]) -> Option<(&'static str, usize)> {
    let first = *words.first()?;
    if words.get(1).is_some_and(|second| matches!(*second, "key" | "keys")) && has(KEYS, first) {
        return Some(("key", 2));
    }
    let whole = WORDS.iter().find(|(word, _)| *word == first);
    whole.or_else(|| ENDINGS.iter().find(|(word, _)| first.ends_with(word))).map(|(_, kind)| (*kind, 1))
}

/// The words of a name in lower case: `dbPassword`, `DB_PASSWORD` and `db.password` give the same.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| chars.get(before));
        let after = chars.get(at + 1);
        let begins = c.is_ascii_uppercase()
            && (before.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
                || (before.is_some_and(char::is_ascii_uppercase) && after.is_some_and(char::is_ascii_lowercase)));
        if (begins || !c.is_ascii_alphabetic()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphabetic() {
            word.push(c.to_ascii_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Whether a text consists of such words only, like the name of a field, header, parameter or setting, and so is not a
/// secret.
pub(super) fn is_name(text: &str) -> bool {
    const BESIDE: &str = "\
    x auth user access refresh id csrf xsrf jwt reset new old current confirm repeat bearer basic api key hidden text \
    session oauth device verification authorization client grant post required invalid expired missing incorrect wrong bad \
    field header name param and not found mismatch empty blank short long too weak is null no error type";
    let plain = |c: char| c.is_ascii_alphabetic() || matches!(c, '.' | '-' | '_' | ' ' | ':' | '?' | '!' | '*');
    if text.is_empty() || !text.chars().all(plain) {
        return false;
    }
    let dotted = text.contains('.') && text.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '.' | '-' | '_'));
    let words = words(text);
    let known = |word: &String| has(BESIDE, word) || WORDS.iter().any(|(other, _)| other == word);
    if dotted {
        // For a dotted key of settings, the last word decides.
        return words.last().is_some_and(|word| WORDS.iter().any(|(other, _)| other == word) || has(ABOUT, word));
    }
    words.iter().all(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_their_values_are() {
        for name in [
            "password",
            "DB_PASSWORD",
            "spring.datasource.password",
            "userPwd",
            "clientSecret",
            "API_KEY",
            "apiKey2",
            "accessToken",
            "dbpassword",
            "JWT_SECRET_PROD",
            "aws_secret_access_key",
            "private-key",
            "x-api-key",
            "DB_PASS",
        ] {
            assert!(matches!(judge(name), Some(NameVerdict::Certain(_))), "{name}");
        }
        for name in [
            "passwordHeader",
            "TOKEN_PREFIX",
            "tokenUrl",
            "passwordMinLength",
            "passport",
            "bypass",
            "maxTokens",
            "tokenizer",
            "secretName",
            "passwordEncoder",
            "compass",
            "tokenExpirySeconds",
        ] {
            assert!(!matches!(judge(name), Some(NameVerdict::Certain(_))), "{name}");
        }
        assert_eq!(judge("signature"), Some(NameVerdict::Weak));
        assert!(takes_secret("user.setPassword") && takes_secret("password") && takes_secret("password.equals"));
        assert!(!takes_secret("generateToken") && !takes_secret("token.startsWith") && !takes_secret("getPassword"));
    }

    #[test]
    fn words_of_names_are_the_same_however_they_are_written() {
        for name in ["dbPassword", "DB_PASSWORD", "db.password", "DBPassword", "db-password"] {
            assert_eq!(words(name), ["db", "password"], "{name}");
        }
    }
}
