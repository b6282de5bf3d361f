//! Lines of a script that address the client program, such as `psql` or SQL*Plus, and not the database.

/// The meaning of a line for the client.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'t> {
    /// Ends the statement before it: `GO` of SQL Server, `/` of Oracle.
    Separator,
    /// A command of `psql`, SQL*Plus or SQL Server; it ends with its line.
    Command,
    /// MySQL's `DELIMITER`: from here on, statements end at this text.
    Delimiter(&'t str),
}

/// First words of client commands.
const COMMANDS: [&str; 8] = ["prompt", "rem", "remark", "whenever", "spool", "exit", "quit", "print"];

/// The line that begins at a byte offset, without its line break.
pub(super) fn line_at(text: &str, start: usize) -> &str {
    text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

/// Whether only white space precedes a byte offset on its line.
pub(super) fn begins_line(text: &str, place: usize) -> bool {
    let before = text.get(..place).unwrap_or_default();
    before.chars().rev().take_while(|c| *c != '\n').all(char::is_whitespace)
}

/// The meaning of a line for the client; `None` for a line of SQL. Commands and delimiters count only where a statement may begin (`is_start`).
pub(super) fn line(text: &str, is_start: bool) -> Option<Line<'_>> {
    let text = text.trim();
    let mut words = text.split_whitespace();
    let first = words.next()?.to_ascii_lowercase();
    let is_last = words.next_back().map(str::to_ascii_lowercase);
    let is_go = first == "go" && text[2..].chars().all(|c| c.is_ascii_digit() || c.is_whitespace());
    match first.as_str() {
        "/" if text == "/" => Some(Line::Separator),
        "go" if is_go => Some(Line::Separator),
        _ if !is_start => None,
        "delimiter" => Some(Line::Delimiter(text["delimiter".len()..].trim())),
        "set" if !text.contains([';', '=', '\'']) => {
            matches!(is_last.as_deref(), Some("on" | "off")).then_some(Line::Command)
        }
        _ if first.starts_with(['\\', '@']) => Some(Line::Command),
        _ if COMMANDS.contains(&first.as_str()) && !text.ends_with(';') => Some(Line::Command),
        _ => None,
    }
}
