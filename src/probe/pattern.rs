//! Regular expressions as Java reads them: `\d`, `\w` and `\s` are the ASCII ones.

use fancy_regex::Regex;

/// Whether the expression is found somewhere in the text.
///
/// # Errors
/// In words: where it cannot be read, or takes too long on this text.
pub fn found(pattern: &str, text: &str) -> Result<bool, String> {
    let regex = Regex::new(&ascii(pattern)).map_err(|error| format!("the pattern cannot be read: {error}"))?;
    regex.is_match(text).map_err(|error| format!("the pattern gives up: {error}"))
}

/// The expression with Java's character classes spelt out.
fn ascii(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    let mut depth = 0_usize;
    while let Some(c) = chars.next() {
        if c != '\\' {
            depth = match c {
                '[' => depth + 1,
                ']' => depth.saturating_sub(1),
                _ => depth,
            };
            out.push(c);
            continue;
        }
        let Some(escaped) = chars.next() else {
            out.push(c);
            break;
        };
        let class = match escaped {
            'd' | 'D' => "0-9",
            'w' | 'W' => "a-zA-Z_0-9",
            's' | 'S' => " \\t\\n\\x0B\\f\\r",
            other => {
                out.push('\\');
                out.push(other);
                continue;
            }
        };
        match (escaped.is_ascii_uppercase(), depth) {
            (false, 0) => out.push_str(&format!("[{class}]")),
            (false, _) => out.push_str(class),
            (true, _) => out.push_str(&format!("[^{class}]")),
        }
    }
    out
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
