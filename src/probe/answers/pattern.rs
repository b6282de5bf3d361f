//! Java regular expressions, evaluated by the interpreter's engine.

use mastor_java::interpret::library::text::matching::regex::RegexFailure;
use mastor_java::interpret::library::text::matching::regex_read::compile;

/// Whether the expression matches somewhere in the text.
///
/// # Errors
/// Where it cannot be parsed, or takes too long on this text.
pub fn found(pattern: &str, text: &str) -> Result<bool, String> {
    let odd = |odd: RegexFailure| match odd {
        RegexFailure::Syntax => "the pattern cannot be read".to_owned(),
        RegexFailure::Open(what) => format!("the pattern cannot be tried: {what}"),
    };
    let text: Vec<char> = text.chars().collect();
    Ok(compile(pattern, 0).map_err(odd)?.find(&text, 0).map_err(odd)?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_java() {
        assert_eq!(found("^\\d+$", "12"), Ok(true));
        assert_eq!(found("^\\d+$", "１２"), Ok(false));
        assert_eq!(found("^[\\w.]+$", "a_1.b"), Ok(true));
        assert_eq!(found("^[\\w.]+$", "é"), Ok(false));
        assert_eq!(found("^[\\Da]$", "é"), Ok(true));
        assert_eq!(found("^\\S+$", "a\u{a0}b"), Ok(true));
        assert_eq!(found("^(?!x)a", "ab"), Ok(true));
        assert!(found("(", "").is_err());
    }
}
