//! Escaping: makes any text harmless in Java, JavaScript, Markdown and plain terminals.

use std::fmt::Write as _;

/// Longest constant a class file holds is 65,535 bytes of modified UTF-8; texts are split well below.
const JAVA_PIECE: usize = 50_000;

/// Zero-width space: breaks up what GitHub would make a link or a mention, and shows nothing.
const GAP: char = '\u{200B}';

/// Whether a character moves, hides or breaks text: control characters, line separators and bidirectional overrides.
fn disturbs(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// A Java expression for `text`: one literal, or several joined at run time where one would be too long for a class file. ASCII only.
pub fn java_string(text: &str) -> String {
    let mut pieces = vec![String::new()];
    let mut size = 0;
    for unit in text.encode_utf16() {
        // Modified UTF-8: at most three bytes for a UTF-16 unit. Never split between two surrogates: javac joins none across literals.
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
        // Unicode escapes are translated before lexing: a control character must be an octal escape instead.
        Some(c) if u32::from(c) < 0x80 => {
            let _ = write!(out, "\\{:03o}", u32::from(c));
        }
        _ => {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
}

/// `text` for a Java line comment: one line, ASCII, no live Unicode escape, no end of comment.
pub fn java_comment(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            // An even run of backslashes starts no Unicode escape (JLS 3.3).
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
            Some('/') => out.push('/'),
            _ => {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out.push('"');
    out.replace("*/", "*\\/").replace("//", "/\\/")
}

/// `text` as Markdown text on one line: no markup, no raw HTML, no mention, no link, safe in a table cell.
pub fn markdown_text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            c if disturbs(c) => out.push(' '),
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
    let out = break_links(&out);
    mark_line_start(&out)
}

/// Breaks up `scheme://` and `www.`, which GitHub makes links of by themselves.
fn break_links(text: &str) -> String {
    let mut out = String::new();
    let mut recent = String::new();
    for c in text.chars() {
        if c == '.' && recent.to_ascii_lowercase().ends_with("www") || c == '/' && recent.ends_with(':') {
            out.push(GAP);
        }
        if c == '-' && matches!(recent.to_ascii_lowercase().as_str(), "gh") {
            out.push(GAP);
        }
        out.push(c);
        if c.is_ascii_alphanumeric() || c == ':' {
            recent.push(c);
        } else {
            recent.clear();
        }
    }
    out
}

/// Escapes what is markup only at the start of a line: lists, headings, rules.
fn mark_line_start(text: &str) -> String {
    let trimmed = text.trim_start();
    let digits = trimmed.len() - trimmed.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match trimmed.as_bytes().get(digits) {
        Some(b'-' | b'+' | b'=') if digits == 0 => format!("\\{trimmed}"),
        Some(b'.' | b')') if digits > 0 => format!("{}\\{}", &trimmed[..digits], &trimmed[digits..]),
        _ => trimmed.to_owned(),
    }
}

/// `text` as a Markdown code span for a table cell, where GitHub takes `|` as the end of the cell even inside code.
pub fn markdown_cell(text: &str) -> String {
    markdown_code(text).replace('|', "\\|")
}

/// `text` as a Markdown code span on one line, outside tables.
pub fn markdown_code(text: &str) -> String {
    let clean: String = text.chars().map(|c| if disturbs(c) { ' ' } else { c }).collect();
    if clean.trim().is_empty() {
        return "(empty)".to_owned();
    }
    let fence = "`".repeat(longest_run(&clean, '`') + 1);
    let pad = if clean.starts_with(['`', ' ']) || clean.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{clean}{pad}{fence}")
}

/// `text` as a fenced Markdown block; lines are kept.
pub fn markdown_block(text: &str) -> String {
    let clean: String = text
        .replace("\r\n", "\n")
        .chars()
        .map(|c| if disturbs(c) && c != '\n' && c != '\t' { ' ' } else { c })
        .collect();
    let fence = "`".repeat((longest_run(&clean, '`') + 1).max(3));
    format!("{fence}\n{}\n{fence}", clean.trim_end_matches('\n'))
}

fn longest_run(text: &str, wanted: char) -> usize {
    text.split(|c| c != wanted).map(str::len).max().unwrap_or(0)
}

/// `text` on one line for a terminal: nothing that moves the cursor, changes colour or turns the reading direction.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if disturbs(c) { ' ' } else { c }).collect()
}

/// The first `limit` characters of `text`, with `…` where something was cut.
pub fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(limit.saturating_sub(1)).collect();
            format!("{kept}…")
        }
    }
}
