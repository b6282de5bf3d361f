//! Models `java.util.Locale`, as far as it decides the format of numbers and names.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, native, open, reference, settle, text};
use crate::interpret::values::value::{Contents, Heap, Native, Value};

/// The class name.
pub const FQN: &str = "java.util.Locale";

/// A language and a country.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locale {
    language: String,
    country: String,
}

impl Locale {
    fn tag(&self, between: &str) -> String {
        if self.country.is_empty() {
            return self.language.clone();
        }
        format!("{}{between}{}", self.language, self.country)
    }
}

impl Native for Locale {
    native_state!(leaf);

    fn contents(&self, _: &Heap) -> Option<Contents> {
        Some(Contents::Text(self.tag("_")))
    }

    fn is_frozen(&self) -> bool {
        true
    }

    fn is_value(&self) -> bool {
        true
    }
}

/// A constant of the class.
pub fn constant(name: &str) -> Option<Locale> {
    let (language, country) = match name {
        "ROOT" => ("", ""),
        "ENGLISH" => ("en", ""),
        "US" => ("en", "US"),
        "UK" => ("en", "GB"),
        "CANADA" => ("en", "CA"),
        "GERMAN" => ("de", ""),
        "GERMANY" => ("de", "DE"),
        "FRENCH" => ("fr", ""),
        "FRANCE" => ("fr", "FR"),
        "ITALIAN" => ("it", ""),
        "ITALY" => ("it", "IT"),
        "JAPAN" => ("ja", "JP"),
        "JAPANESE" => ("ja", ""),
        "CHINA" => ("zh", "CN"),
        "KOREA" => ("ko", "KR"),
        _ => return None,
    };
    Some(Locale { language: language.to_owned(), country: country.to_owned() })
}

/// The locale of a value.
pub fn given(machine: &Machine<'_>, value: &Value) -> Option<Locale> {
    machine.native::<Locale>(reference(value)?).cloned()
}

/// Whether a locale formats names in American English.
pub fn is_english(machine: &Machine<'_>, value: &Value) -> bool {
    given(machine, value).is_some_and(|locale| locale.language == "en" && matches!(&*locale.country, "" | "US"))
}

/// Whether a locale formats numbers as English does.
pub fn is_plain(machine: &Machine<'_>, value: &Value) -> bool {
    given(machine, value)
        .is_some_and(|locale| matches!((&*locale.language, &*locale.country), ("", "") | ("en", "" | "US" | "GB")))
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != FQN {
        return None;
    }
    let answer: Answer = match (call.receiver, call.name, call.args) {
        (None, "<init>" | "of", [language, rest @ ..]) if rest.len() < 2 => {
            let country = rest.first().map_or(Some(""), text)?;
            let (language, country) = (text(language)?.to_owned(), country.to_owned());
            let plain = |text: &str| text.bytes().all(|c| c.is_ascii_alphabetic());
            if !plain(&language) || !plain(&country) || matches!(&*language, "iw" | "in" | "ji" | "he" | "id" | "yi") {
                return None;
            }
            let locale = Locale { language: language.to_lowercase(), country: country.to_uppercase() };
            Ok(native(machine, FQN, locale))
        }
        (Some(receiver), name, args) => {
            let own = given(machine, receiver)?;
            match (name, args) {
                ("toString", []) => Ok(machine.fresh_text(&own.tag("_"))),
                ("toLanguageTag", []) if !own.language.is_empty() => Ok(machine.fresh_text(&own.tag("-"))),
                ("getLanguage", []) => Ok(Value::text(&own.language)),
                ("getCountry", []) => Ok(Value::text(&own.country)),
                ("equals", [other @ (Value::Ref(_) | Value::Scalar(_))]) => {
                    Ok(Value::bool(given(machine, other) == Some(own)))
                }
                ("hashCode", []) => open("the hash of a locale"),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(settle(machine, call, answer))
}
