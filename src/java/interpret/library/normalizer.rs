//! `Normalizer`: the forms of text that Unicode defines, which no release changes for a character that it knows (Unicode's normalization stability policy).

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

use super::invocation::LibraryCall;
use super::support::{open, settle, text, throw};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::{Identity, JStr, Scalar};
use crate::java::interpret::value::Value;

/// The model.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let ("java.text.Normalizer", None, [given, form]) = (call.fqn, call.receiver, call.args) else { return None };
    if given.is_null() || form.is_null() {
        let fail = throw(machine, "NullPointerException");
        return Some(settle(machine, call, Err(fail)));
    }
    let own = text(given)?;
    let normal = match form {
        _ if own.is_ascii() => Some(Cow::Borrowed(own)),
        Value::Scalar(Scalar::Enum(_, form)) if own.chars().all(is_old) => normalised(own, form),
        _ => None,
    };
    let answer = match (call.name, normal) {
        ("normalize" | "isNormalized", None) => open("text of rare characters"),
        // Whether it is the same object is left open.
        ("normalize", Some(normal)) => {
            Ok(Value::Scalar(Scalar::Str(JStr { text: (*normal).into(), identity: Identity::Open })))
        }
        ("isNormalized", Some(normal)) => Ok(Value::bool(normal == own)),
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

fn normalised<'t>(text: &'t str, form: &str) -> Option<Cow<'t, str>> {
    Some(match form {
        "NFD" => DecomposingNormalizerBorrowed::new_nfd().normalize(text),
        "NFKD" => DecomposingNormalizerBorrowed::new_nfkd().normalize(text),
        "NFC" => ComposingNormalizerBorrowed::new_nfc().normalize(text),
        "NFKC" => ComposingNormalizerBorrowed::new_nfkc().normalize(text),
        _ => return None,
    })
}

/// Whether every release of Java knows a character: Latin, marks on it, Cyrillic, Arabic's and Hebrew's letters, kana and Han, plain punctuation.
const fn is_old(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{24f}'
            | '\u{300}'..='\u{34e}'
            | '\u{410}'..='\u{44f}'
            | '\u{5d0}'..='\u{5ea}'
            | '\u{621}'..='\u{63a}'
            | '\u{641}'..='\u{652}'
            | '\u{1e00}'..='\u{1e9b}'
            | '\u{1ea0}'..='\u{1ef9}'
            | '\u{2010}'..='\u{2027}'
            | '\u{3041}'..='\u{3094}'
            | '\u{30a1}'..='\u{30fe}'
            | '\u{4e00}'..='\u{9fa5}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_those_of_unicode() {
        assert_eq!(normalised("Réunion", "NFD").as_deref(), Some("Re\u{301}union"));
        assert_eq!(normalised("Re\u{301}union", "NFC").as_deref(), Some("Réunion"));
        assert_eq!(normalised("ﬁ", "NFKC").as_deref(), Some("fi"));
        assert!("Réunion Ñandú Москва 東京".chars().all(is_old));
        assert!(!is_old('\u{1f600}'));
    }
}
