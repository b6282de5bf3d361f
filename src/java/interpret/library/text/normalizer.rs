//! Models `Normalizer`: the Unicode normalization forms, which no release changes for an assigned character
//! (Unicode's normalization stability policy).

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{open, settle, text, throw};
use crate::interpret::values::scalar::{Identity, JStr, Scalar};
use crate::interpret::values::value::Value;

/// Models a library call.
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
        // Whether the result is the same object is left open.
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

/// Whether every release of Java decomposes a character and orders its marks alike: Unicode 3.2 or earlier defined
/// both.
const fn is_old(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{34e}'
            | '\u{360}'..='\u{3f8}'
            | '\u{3fa}'..='\u{486}'
            | '\u{488}'..='\u{5a1}'
            | '\u{5d0}'..='\u{60f}'
            | '\u{61b}'..='\u{655}'
            | '\u{660}'..='\u{6ff}'
            | '\u{900}'..='\u{9fd}'
            | '\u{9ff}'..='\u{c3b}'
            | '\u{c3d}'..='\u{cbb}'
            | '\u{cbd}'..='\u{d3a}'
            | '\u{d3d}'..='\u{eb9}'
            | '\u{ebb}'..='\u{1039}'
            | '\u{103b}'..='\u{108c}'
            | '\u{10fd}'..='\u{135c}'
            | '\u{1780}'..='\u{17dc}'
            | '\u{1e00}'..='\u{206f}'
            | '\u{3000}'..='\u{321c}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
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
