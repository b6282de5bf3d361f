//! Escaping: makes any text safe in Java, JavaScript, Markdown, HTML and terminals.

use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;

/// Maximum length of one Java literal in bytes, well below the limit of a class file's constant (65,535 bytes of
/// modified UTF-8).
const JAVA_PIECE: usize = 50_000;

/// Zero-width space: invisible; prevents GitHub from making a link or a mention of a text.
const GAP: char = '\u{200B}';

/// Left-to-right mark: keeps what follows right-to-left text on its right side.
const LEFT_TO_RIGHT: char = '\u{200E}';

/// Maximum number of consecutive backticks: GitHub's renderer supports no code span with a fence of more than 80.
const BACKTICKS: usize = 32;

/// Maximum number of combining marks on one character: more would overlap the lines above and below.
const MARKS: usize = 3;

/// Whether a character moves, hides or breaks text: control characters, line separators and bidirectional overrides.
fn disturbs(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061C}' | '\u{2028}' | '\u{2029}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// Whether a character is invisible: joiners, fillers, tags and other zero-width characters.
fn hides(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200D}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether a letter belongs to a right-to-left script.
fn from_right(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

/// Makes everything in `text` visible. White space becomes a space (line breaks are kept if `lines`), characters that
/// move or hide text become their code, long runs of combining marks or backticks are cut, and right-to-left words stay
/// in place.
fn visible(text: &str, lines: bool) -> String {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && longest_run(text, '`') <= BACKTICKS {
        return text.to_owned();
    }
    let mut out = String::new();
    let (mut marks, mut backticks) = (0, 0);
    let chars: Vec<char> = text.chars().collect();
    // GitHub chooses the direction of a block by its first letter.
    if chars.iter().find(|c| c.is_alphabetic()).is_some_and(|c| from_right(*c)) {
        out.push(LEFT_TO_RIGHT);
    }
    for (at, &c) in chars.iter().enumerate() {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        backticks = if c == '`' { backticks + 1 } else { 0 };
        match c {
            '\n' | '\t' if lines => out.push(c),
            '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push(' '),
            c if disturbs(c) || hides(c) => {
                let _ = if u32::from(c) > 0xFFFF {
                    write!(out, "\\u{{{:x}}}", u32::from(c))
                } else {
                    write!(out, "\\u{:04x}", u32::from(c))
                };
            }
            _ if marks > MARKS + 1 || backticks > BACKTICKS + 1 => {}
            _ if marks > MARKS || backticks > BACKTICKS => out.push('…'),
            c => out.push(c),
        }
        let rest = || chars[at + 1..].iter().find(|c| !matches!(c, ' ' | '\u{A0}') && !is_mark(**c));
        if from_right(c) && !chars.get(at + 1).is_some_and(|c| is_mark(*c)) && !rest().is_some_and(|c| from_right(*c)) {
            out.push(LEFT_TO_RIGHT);
        }
    }
    out
}

/// Whether a character is a combining mark.
fn is_mark(c: char) -> bool {
    static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{M}$").ok());
    let mut bytes = [0; 4];
    !c.is_ascii() && MARK.as_ref().is_some_and(|mark| mark.is_match(c.encode_utf8(&mut bytes)))
}

/// A Java expression for `text` in ASCII: a literal, or several concatenated ones if one would exceed the limit of a
/// class file.
pub fn java_string(text: &str) -> String {
    let mut pieces = vec![String::new()];
    let mut size = 0;
    for unit in text.encode_utf16() {
        // A UTF-16 unit takes at most three bytes of modified UTF-8. A surrogate pair is never split, since javac would
        // not join it across literals.
        if size >= JAVA_PIECE && !(0xDC00..=0xDFFF).contains(&unit) {
            pieces.push(String::new());
            size = 0;
        }
        size += if (1..0x80).contains(&unit) { 1 } else { 3 };
        if let Some(piece) = pieces.last_mut() {
            java_unit(piece, unit);
        }
    }
    let literals: Vec<String> = pieces.iter().map(|piece| format!("\"{piece}\"")).collect();
    if literals.len() == 1 { literals.concat() } else { format!("String.join(\"\", {})", literals.join(", ")) }
}

fn java_unit(out: &mut String, unit: u16) {
    match char::from_u32(u32::from(unit)) {
        Some('"') => out.push_str("\\\""),
        Some('\\') => out.push_str("\\\\"),
        Some('\n') => out.push_str("\\n"),
        Some('\r') => out.push_str("\\r"),
        Some('\t') => out.push_str("\\t"),
        Some(c @ ' '..='~') => out.push(c),
        // Java translates Unicode escapes before lexing, so a control character needs an octal escape.
        Some(c) if u32::from(c) < 0x80 => {
            let _ = write!(out, "\\{:03o}", u32::from(c));
        }
        _ => {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
}

/// `text` for a Java line comment: one line, ASCII, without active Unicode escapes or an end of comment.
pub fn java_comment(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            // An even number of backslashes does not begin a Unicode escape (JLS 3.3).
            '\\' => out.push_str("\\\\"),
            c if disturbs(c) => out.push(' '),
            c if c.is_ascii() => out.push(c),
            c => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.replace("*/", "* /")
}

/// A JavaScript string literal that is safe inside HTML and inside Postman's `{{…}}` templating. ASCII only.
pub fn js_string(text: &str) -> String {
    let mut out = String::from("\"");
    for unit in text.encode_utf16() {
        match char::from_u32(u32::from(unit)) {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some(c @ (' '..='~')) if !matches!(c, '<' | '>' | '&' | '{' | '}' | '`' | '$' | '/') => out.push(c),
            // Prevents that a comment begins or ends inside the text.
            Some('/') if out.ends_with(['/', '*']) => out.push_str("\\/"),
            Some('/') => out.push('/'),
            _ => {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out.push('"');
    out
}

/// `text` as Markdown text on one line: no markup, no raw HTML, no mention, no link, safe in a table cell.
pub fn markdown_text(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text, false).chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '!' | '$' => {
                out.push('\\');
                out.push(c);
            }
            '&' => out.push_str("&amp;"),
            '@' => {
                out.push('@');
                out.push(GAP);
            }
            '#' => {
                out.push_str("\\#");
                out.push(GAP);
            }
            c => out.push(c),
        }
    }
    mark_line_start(&break_links(&out))
}

/// Breaks up what GitHub turns into links or pictures: addresses, commits, `GH-1`, `:name:`.
fn break_links(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::new();
    let (mut word, mut commit) = (String::new(), false);
    for (at, &c) in chars.iter().enumerate() {
        let breaks = match c {
            '.' => word.len() >= 3 && word[word.len() - 3..].eq_ignore_ascii_case("www"),
            '/' => at > 0 && chars[at - 1] == ':',
            '-' => word.eq_ignore_ascii_case("gh"),
            _ => at > 0 && chars[at - 1] == ':' && names_emoji(&chars[at..]),
        };
        if word.is_empty() {
            commit = looks_like_commit(&chars[at..]);
        }
        // GitHub recognises commits from seven digits on.
        if breaks || commit && c.is_ascii_alphanumeric() && !word.is_empty() && word.len() % 6 == 0 {
            out.push(GAP);
        }
        out.push(c);
        if c.is_ascii_alphanumeric() {
            word.push(c);
        } else {
            word.clear();
        }
    }
    out
}

/// Whether a word begins here that GitHub may take for a commit; digits alone are unlikely.
fn looks_like_commit(rest: &[char]) -> bool {
    let end = rest.iter().position(|c| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let word = &rest[..end];
    word.len() >= 7 && word.iter().all(char::is_ascii_hexdigit) && word.iter().any(char::is_ascii_alphabetic)
}

/// Whether this continues an emoji after its colon, such as `tada:`. Numbers between colons are line numbers.
fn names_emoji(rest: &[char]) -> bool {
    let inside = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '\\');
    let end = rest.iter().position(|c| !inside(c)).unwrap_or(rest.len());
    let name: String = rest[..end].iter().collect();
    let named = name.contains(|c: char| !c.is_ascii_digit()) || matches!(name.as_str(), "100" | "1234");
    end > 0 && named && rest.get(end) == Some(&':')
}

/// Escapes markup that counts only at the start of a line: lists, headings, rules.
fn mark_line_start(text: &str) -> String {
    let trimmed = text.trim_start();
    let digits = trimmed.len() - trimmed.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match trimmed.as_bytes().get(digits) {
        Some(b'-' | b'+' | b'=') if digits == 0 => format!("\\{trimmed}"),
        Some(b'.' | b')') if digits > 0 => format!("{}\\{}", &trimmed[..digits], &trimmed[digits..]),
        _ => trimmed.to_owned(),
    }
}

/// `text` as a Markdown code span in a table cell, where GitHub ends the cell at `|` even inside code.
pub fn markdown_cell(text: &str) -> String {
    let mut out = String::new();
    let mut backslashes = 0;
    for c in markdown_code(text).chars() {
        if c == '|' {
            // The table parser reads backslashes in pairs, so the escape must not pair with a backslash of the text.
            out.push_str(if backslashes % 2 == 0 { "\\" } else { "\\\\" });
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    out
}

/// `text` as a Markdown code span on one line, outside of tables.
pub fn markdown_code(text: &str) -> String {
    let clean = visible(text, false);
    if clean.trim().is_empty() {
        return "(empty)".to_owned();
    }
    let fence = "`".repeat(longest_run(&clean, '`') + 1);
    let pad = if clean.starts_with(['`', ' ']) || clean.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{clean}{pad}{fence}")
}

/// A sentence as Markdown: parts in backticks become code spans, the rest text. Both may contain untrusted text.
pub fn markdown_prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // An unpaired backtick is text.
    if parts.len().is_multiple_of(2) {
        return markdown_text(text);
    }
    let part = |(at, part): (usize, &&str)| match at % 2 {
        1 => markdown_code(part),
        _ if part.is_empty() && at > 0 && at + 1 < parts.len() => " ".to_owned(),
        _ if part.starts_with(' ') => format!(" {}", markdown_text(part)),
        _ => markdown_text(part),
    };
    parts.iter().enumerate().map(part).collect()
}

/// [`markdown_prose`] for a table cell, where `|` ends the cell even inside code.
pub fn markdown_prose_cell(text: &str) -> String {
    let mut out = String::new();
    for c in markdown_prose(text).chars() {
        if c == '|' && !out.ends_with('\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// `text` as a fenced Markdown block; lines are kept.
pub fn markdown_block(text: &str) -> String {
    let clean = visible(&text.replace("\r\n", "\n"), true);
    let fence = "`".repeat((longest_run(&clean, '`') + 1).max(3));
    format!("{fence}\n{}\n{fence}", clean.trim_end_matches('\n'))
}

fn longest_run(text: &str, wanted: char) -> usize {
    text.split(|c| c != wanted).map(str::len).max().unwrap_or(0)
}

/// `text` on one line for a terminal: nothing moves the cursor, changes colours or reverses the direction.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if disturbs(c) { ' ' } else { c }).collect()
}

/// Text of several lines for a model: without control characters except line breaks and tabs.
pub fn prompt(text: &str) -> String {
    text.chars().map(|c| if disturbs(c) && !matches!(c, '\n' | '\t') { ' ' } else { c }).collect()
}

/// `text` for HTML, as content or in a quoted attribute: no markup, and characters that move or hide text are made
/// visible.
pub fn html(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text, false).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// JSON for a script element of a page: the same values, without anything that ends the script or begins a comment.
pub fn script_json(json: &str) -> String {
    // JSON contains these characters inside texts only.
    let mut out = String::with_capacity(json.len() + json.len() / 64);
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// The first `limit` characters of `text`, with the number of further ones if it is longer.
pub fn shorten_counted(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}… ({} more characters)", &text[..at], text[at..].chars().count()),
    }
}

/// The last `limit` characters of `text`, with `…` if it was truncated; for paths, whose end matters most.
pub fn shorten_start(text: &str, limit: usize) -> String {
    match text.chars().count().checked_sub(limit) {
        None | Some(0) => text.to_owned(),
        Some(over) => format!("…{}", text.chars().skip(over + 1).collect::<String>()),
    }
}

/// The first `limit` characters of `text`, with `…` if it was truncated.
pub fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(limit.saturating_sub(1)).collect();
            format!("{kept}…")
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The source after a Java compiler has translated Unicode escapes (JLS 3.3).
    fn translated(source: &str) -> Vec<u16> {
        let units: Vec<u16> = source.encode_utf16().collect();
        let (mut out, mut at, mut backslashes) = (Vec::new(), 0, 0);
        while at < units.len() {
            if units[at] == u16::from(b'\\') && backslashes % 2 == 0 && units.get(at + 1) == Some(&u16::from(b'u')) {
                let digits = String::from_utf16(&units[at + 2..at + 6]).unwrap();
                out.push(u16::from_str_radix(&digits, 16).unwrap());
                (at, backslashes) = (at + 6, 0);
            } else {
                backslashes = if units[at] == u16::from(b'\\') { backslashes + 1 } else { 0 };
                out.push(units[at]);
                at += 1;
            }
        }
        out
    }

    /// The value of a Java expression made of string literals, in UTF-16 units.
    fn value(source: &str) -> Vec<u16> {
        let body = source.strip_prefix("String.join(\"\", ").map_or(source, |rest| rest.strip_suffix(')').unwrap());
        let units = translated(body);
        let (mut out, mut at, mut inside) = (Vec::new(), 0, false);
        while at < units.len() {
            let unit = units[at];
            at += 1;
            match u8::try_from(unit).unwrap_or(b'x') {
                b'"' => inside = !inside,
                _ if !inside => {}
                b'\n' | b'\r' => panic!("a literal ends with its line"),
                b'\\' => {
                    let escape = u8::try_from(units[at]).unwrap();
                    at += 1;
                    out.push(match escape {
                        b'n' => 10,
                        b'r' => 13,
                        b't' => 9,
                        b'0'..=b'7' => {
                            at += 2;
                            u16::from_str_radix(&String::from_utf16(&units[at - 3..at]).unwrap(), 8).unwrap()
                        }
                        other => u16::from(other),
                    });
                }
                _ => out.push(unit),
            }
        }
        assert!(!inside);
        out
    }

    fn hostile() -> impl Strategy<Value = String> {
        let tokens = prop::sample::select(vec![
            "\\",
            "\\u000a",
            "\\u0022",
            "\\\\u000a",
            "*/",
            "//",
            "\"",
            "'",
            "`",
            "``",
            "</script>",
            "<!--",
            "{{x}}",
            "${x}",
            "|",
            "\n",
            "\r\n",
            "\u{2028}",
            "\u{202e}",
            "\0",
            "\u{1a}",
            "@a",
            "#1",
            "https://x",
            "www.x.y",
            "[a](b)",
            "![",
            "<img>",
            "&amp;",
            "é",
            "😀",
            "\u{5d0}",
            "\u{301}\u{301}\u{301}",
            "\u{200d}",
            "0123abc",
            ":tada:",
            "GH-1",
            "1. ",
            "- ",
            "a",
            " ",
            "7",
        ]);
        prop::collection::vec(prop_oneof![tokens.prop_map(str::to_owned), ".{0,3}"], 0..12)
            .prop_map(|parts| parts.concat())
    }

    /// Whether each of these characters is preceded by its own backslash.
    fn all_escaped(text: &str, special: &str) -> bool {
        let mut escaped = false;
        for c in text.chars() {
            if special.contains(c) && !escaped {
                return false;
            }
            escaped = c == '\\' && !escaped;
        }
        true
    }

    proptest! {
        #[test]
        fn java_reads_back_the_text(text in hostile()) {
            let source = java_string(&text);
            prop_assert!(source.is_ascii());
            prop_assert_eq!(value(&source), text.encode_utf16().collect::<Vec<_>>());
        }

        #[test]
        fn a_java_comment_stays_one_line(text in hostile()) {
            let comment = java_comment(&text);
            let seen = String::from_utf16_lossy(&translated(&comment));
            prop_assert!(comment.is_ascii());
            prop_assert!(!seen.contains(['\n', '\r', '\u{1a}']) && !seen.contains("*/"), "{seen:?}");
        }

        #[test]
        fn javascript_reads_back_the_text(text in hostile()) {
            let literal = js_string(&text);
            // The escapes in use are valid in JSON too.
            prop_assert_eq!(serde_json::from_str::<String>(&literal).unwrap(), text);
            prop_assert!(literal.is_ascii() && !literal.contains("{{") && !literal.contains("</") && !literal.contains("*/") && !literal.contains("//"));
        }

        #[test]
        fn markdown_text_has_no_markup(text in hostile()) {
            let out = markdown_text(&text);
            prop_assert!(all_escaped(&out, "`*_[]<>|~!$"), "{out}");
            prop_assert!(!out.chars().any(|c| c.is_control() || hides(c) && c != GAP) && !out.contains(":tada:"));
            let commit = |word: &str| looks_like_commit(&word.chars().collect::<Vec<_>>());
            prop_assert!(!out.split(|c: char| !c.is_ascii_alphanumeric()).any(commit), "{out:?}");
            prop_assert!(!out.contains("://") && !out.to_lowercase().contains("www."));
            let loose = out.replace(&format!("@{}", GAP), "").replace(&format!("#{}", GAP), "");
            prop_assert!(!loose.contains(['@', '#']));
            prop_assert!(!out.starts_with(['-', '+', '=', ' ', '>']) && !out.replace("&amp;", "").contains('&'));
        }

        #[test]
        fn markdown_code_ends_where_it_should(text in hostile()) {
            let out = markdown_code(&text);
            if let Some(rest) = out.strip_prefix('`') {
                let fence = 1 + rest.len() - rest.trim_start_matches('`').len();
                let inner = out.strip_prefix(&"`".repeat(fence)).unwrap().strip_suffix(&"`".repeat(fence)).unwrap();
                prop_assert!(longest_run(inner, '`') != fence && !inner.starts_with('`') && !inner.ends_with('`'));
            }
            prop_assert!(!out.contains(['\n', '\r']));
            prop_assert!(all_escaped(&markdown_cell(&text), "|"));
            let block = markdown_block(&text);
            let fence = block.split('\n').next().unwrap();
            prop_assert_eq!(block.matches(fence).count(), 2);
        }

        #[test]
        fn a_page_reads_back_the_data(text in hostile()) {
            let json = serde_json::to_string(&text).unwrap();
            let out = script_json(&json);
            prop_assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
            prop_assert!(!out.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{out}");
        }

        #[test]
        fn a_page_has_no_markup_of_others(text in hostile()) {
            let out = html(&text);
            prop_assert!(!out.contains(['<', '>', '"', '\'']) && !out.chars().any(|c| c.is_control() || hides(c)));
            let bare = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"].iter().fold(out, |out, known| out.replace(known, ""));
            prop_assert!(!bare.contains('&'));
        }

        #[test]
        fn nothing_moves_the_cursor(text in hostile()) {
            prop_assert!(!plain(&text).chars().any(disturbs));
        }
    }

    #[test]
    fn a_text_too_long_for_a_class_file_is_joined_at_run_time() {
        let text = "é\\u".repeat(40_000);
        let source = java_string(&text);
        assert!(source.starts_with("String.join("));
        assert_eq!(value(&source), text.encode_utf16().collect::<Vec<_>>());
        assert!(source.split("\", \"").all(|piece| translated(piece).len() <= 60_000));
    }

    #[test]
    fn slashes_in_a_row_start_no_comment() {
        assert_eq!(js_string("*///"), r#""*\/\/\/""#);
    }

    #[test]
    fn what_moves_or_hides_text_is_shown_and_heaps_are_cut() {
        assert_eq!(markdown_code("/a\u{202e}b\u{200d}\0\nc\u{e0041}"), "`/a\\u202eb\\u200d\\u0000 c\\u{e0041}`");
        assert_eq!(markdown_text(&format!("a{}b", "\u{301}".repeat(50))), "a\u{301}\u{301}\u{301}…b");
        let long = "`".repeat(200);
        let fence = "`".repeat(BACKTICKS + 1);
        assert_eq!(markdown_code(&format!("a{long}b")), format!("{fence}a{}…b{fence}", "`".repeat(BACKTICKS)));
        // Adjacent right-to-left words form one phrase; separate values keep their order.
        let (alef, bet) = ('\u{5d0}', '\u{5d1}');
        let marked = format!("{LEFT_TO_RIGHT}\"{alef} {bet}{LEFT_TO_RIGHT}\" → \"{bet}{LEFT_TO_RIGHT}\"");
        assert_eq!(markdown_text(&format!("\"{alef} {bet}\" → \"{bet}\"")), marked);
        assert_eq!(markdown_text("a 0123456 b A.java:12:7: c"), "a 0123456 b A.java:12:7: c");
    }

    #[test]
    fn what_is_cut_shows_it() {
        assert_eq!(shorten_start("abc", 3), "abc");
        assert_eq!(shorten_start("abcd", 3), "…cd");
        assert_eq!(shorten("abc", 3), "abc");
        assert_eq!(shorten("abcd", 3), "ab…");
        assert_eq!(shorten_counted("abc", 3), "abc");
        assert_eq!(shorten_counted("äbcde", 3), "äbc… (2 more characters)");
    }
}
