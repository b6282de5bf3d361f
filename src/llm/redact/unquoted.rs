//! Finds unquoted values after a secret's name in settings, shell commands and URLs, and tells them from code.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::place::NameInText;

/// Text that may stand before a name at the beginning of a line: indentation, line numbers, list and comment markers,
/// shell keywords.
static BEGINS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^\s*(?:\d+\s*[|:]?\s+)?(?:[-+]\s+)?(?:(?:#|//|\*|--|;)\s*)?(?:export\s+|set\s+|setx\s+|ENV\s+|ARG\s+)?["']?$"#).ok()
});

/// A name or call in code: `user.token`, `getPassword()`.
static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"^(?:new\s+|await\s+|return\s+|!|\()?[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::)[A-Za-z_$][\w$]*)*\s*(?:\(.*|\[.*|<.*)$",
    )
    .ok()
});
static PATH: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:this|self|[a-z]\w*)(?:\.[A-Za-z_]\w*)*\.(?i:[a-z]*(?:password|passwd|pwd|secret|token|key|credentials?|get[a-z]*))$").ok()
});

/// The unquoted value that begins at `at`, after the separator; `None` where code stands there.
pub(super) fn value(place: &NameInText<'_>, separator: &str, at: usize, quoted: bool) -> Option<Range<usize>> {
    let text = place.text;
    let rest = text.get(at..)?;
    let line_end = rest.find('\n').unwrap_or(rest.len());
    let line = rest[..line_end].trim_end_matches('\r');
    let lead = line.len() - line.trim_start().len();
    let start = at + lead;
    let line = line.trim();
    let before = place.before();
    if separator.starts_with(':') && matches!(line, "|" | ">" | "|-" | ">-" | "|+" | ">+") {
        return block(text, at + line_end, before);
    }
    if line.is_empty() {
        return None;
    }
    let until = |stops: &[char]| {
        let end = line.find(stops).unwrap_or(line.len());
        Some(start..start + line[..end].trim_end().len())
    };
    let inside = place.inside_quotes();
    if separator == "=" && before.ends_with(['?', '&']) {
        return until(&['&', '"', '\'', ' ', '<', '>', '`', ')', '#', ';', ',']);
    }
    if let Some(quote) = inside {
        return in_text(separator, line, quote, until(&[quote, '&', ';', ' ', '\\', '<', ','])?, text);
    }
    let begins = BEGINS.as_ref().is_some_and(|form| form.is_match(before));
    if quoted {
        // A JSON number.
        let end = line.find([',', '}', ' ']).unwrap_or(line.len());
        return line[..end].chars().all(|c| c.is_ascii_digit()).then_some(start..start + end);
    }
    let upper = place.name.chars().all(|c| !c.is_ascii_lowercase());
    let glued = separator == "=" && lead == 0;
    if !begins {
        // `PASSWORD=x command`, `--password=x`, `-Dpassword=x`, `;password=x`
        let flag = place.name.starts_with('-') || before.ends_with(['-', ';', '|']);
        return (glued && (flag || upper)).then(|| until(&[' ', '"', '\'', '`', ';', '&', '|', ')', ','])).flatten();
    }
    settings(place, separator, line, start, glued)
}

/// The value on a line of settings.
fn settings(place: &NameInText<'_>, separator: &str, line: &str, start: usize, glued: bool) -> Option<Range<usize>> {
    let name = place.name;
    let upper = name.chars().all(|c| !c.is_ascii_lowercase());
    let key = name.contains(['.', '-']) && !name.starts_with("this.") && !name.starts_with("self.");
    let mut end = line.len();
    if let Some(comment) = line.find(" #") {
        end = line[..comment].trim_end().len();
    }
    let value = &line[..end];
    let numeric = value.chars().all(|c| c.is_ascii_digit() || c == '_');
    if numeric && name.to_ascii_lowercase().contains("token") {
        return None;
    }
    let whole = Some(start..start + end);
    // Code has no assignments of this form.
    if (upper || key) && glued && !value.ends_with(';') {
        // In a shell command, `PASSWORD=x command`, only the first word is the value.
        let first = value.split_whitespace().next().unwrap_or_default();
        return if upper && value.contains(' ') && !key { Some(start..start + first.len()) } else { whole };
    }
    let code = value.ends_with([';', '{', '(', ','])
        || value.ends_with("->")
        || value.starts_with(['{', '[', '(', '&', '*', '!'])
        || CODE.as_ref().is_some_and(|form| form.is_match(value))
        || (separator != ":" && PATH.as_ref().is_some_and(|form| form.is_match(value)));
    if code {
        return None;
    }
    let words = value.split_whitespace().count();
    match separator {
        // More than one word: a sentence in a comment, or a condition in code.
        "=" | ":=" | "?=" if words > 1 && !key => None,
        "=" if value.ends_with(')') => None,
        ":" | ":: " if words > 4 => None,
        _ => whole,
    }
}

/// A value inside a quoted text, if that text is a URL, connection string or header rather than a message.
fn in_text(separator: &str, line: &str, quote: char, value: Range<usize>, text: &str) -> Option<Range<usize>> {
    let found = text.get(value.clone())?;
    if separator == "=" {
        return Some(value);
    }
    let whole = line.split(quote).next().unwrap_or_default().trim();
    let one = !whole.contains(' ');
    let odd = found.chars().any(|c| c.is_ascii_digit()) || found.chars().count() >= 12;
    (one && odd).then_some(value)
}

/// The lines of a YAML block: those indented deeper than its key.
fn block(text: &str, from: usize, before: &str) -> Option<Range<usize>> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(before);
    let start = from + 1;
    let mut end = start;
    for line in text.get(start..)?.split_inclusive('\n') {
        if !line.trim().is_empty() && indent(line) <= own {
            break;
        }
        end += line.len();
    }
    let block = text.get(start..end)?;
    let lead = indent(block);
    (!block.trim().is_empty()).then(|| start + lead..start + block.trim_end().len())
}
