//! Splits a script into statements, with the string literals, names and comments of a dialect.

use std::collections::VecDeque;

use sqlparser::dialect::Dialect;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer, Whitespace};

use super::lines::{Line, begins_line, line, line_at};
use super::routine::StatementTracker;

/// Start of a comment that MySQL runs. It is dropped like any comment; where it may change rows, its statement is not parsed.
const HINT: &str = "/*!";
const CHANGES: [&str; 5] = ["insert", "update", "delete", "truncate", "replace"];

/// A statement before it is parsed.
#[derive(Debug)]
pub(super) struct Piece {
    /// Byte offset of its start in the script, after the previous semicolon.
    pub(super) start: usize,
    /// Byte offset of the next statement.
    pub(super) end: usize,
    /// Its text without comments, white space collapsed; empty if there is nothing else.
    pub(super) text: String,
    /// Its tokens, without the semicolon.
    pub(super) tokens: Vec<TokenWithSpan>,
    /// Whether no dialect parses it: a client command, a statement with another delimiter, or one with a comment that MySQL runs.
    pub(super) is_unread: bool,
    routine: StatementTracker,
}

impl Piece {
    fn new(start: usize) -> Self {
        Self {
            start,
            end: start,
            text: String::new(),
            tokens: Vec::new(),
            is_unread: false,
            routine: StatementTracker::new(),
        }
    }

    fn unread(start: usize, end: usize, text: &str) -> Self {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { text, is_unread: true, ..Self::new(start) }.finish(end)
    }

    fn finish(mut self, end: usize) -> Self {
        self.end = end;
        self.text.truncate(self.text.trim_end().len());
        self
    }
}

/// Splits a script from a byte offset on, as far as the dialect can read its tokens.
pub(super) fn split(dialect: &dyn Dialect, text: &str, from: usize) -> VecDeque<Piece> {
    let rest = text.get(from..).unwrap_or_default();
    let mut tokens = Vec::new();
    let is_whole = Tokenizer::new(dialect, rest).tokenize_with_location_into_buf(&mut tokens).is_ok();
    let mut splitter =
        Splitter { cursor: Cursor { text, at: from, place: (1, 1) }, piece: Piece::new(from), found: VecDeque::new() };
    let is_aligned = tokens.into_iter().all(|token| splitter.push_token(token));
    if is_whole && is_aligned {
        splitter.end(text.len());
    }
    splitter.found
}

struct Splitter<'t> {
    cursor: Cursor<'t>,
    piece: Piece,
    found: VecDeque<Piece>,
}

impl Splitter<'_> {
    /// Takes one token. Returns `false` if it begins inside a skipped client line and ends after it: the rest must then be split again.
    fn push_token(&mut self, token: TokenWithSpan) -> bool {
        if let Token::CopyData { data, .. } = &token.token {
            // In the text, the data follows the semicolon; in the tokens, it precedes it.
            self.piece.text.push(' ');
            self.piece.text.push_str(data);
            self.piece.tokens.push(token);
            return true;
        }
        let is_comment = matches!(
            token.token,
            Token::Whitespace(Whitespace::SingleLineComment { .. } | Whitespace::MultiLineComment(_))
        );
        if place(token.span.start) < self.cursor.place {
            return is_comment || place(token.span.end) <= self.cursor.place;
        }
        let text = self.cursor.text;
        let start = self.cursor.seek(token.span.start);
        if !is_comment && text[start..].starts_with(HINT) {
            self.cursor.pass_comment();
            let hint = &text[start..self.cursor.at];
            let lower = hint.to_ascii_lowercase();
            if CHANGES.iter().any(|word| lower.contains(word)) {
                self.piece.is_unread = true;
                self.piece.text.push_str(hint);
            }
            return true;
        }
        if !matches!(token.token, Token::Whitespace(_)) && self.handle_client_line(start) {
            return true;
        }
        let end = self.cursor.seek(token.span.end);
        if is_comment {
            return true;
        }
        if token.token == Token::SemiColon && !self.piece.routine.is_open() {
            self.end(end);
            return true;
        }
        self.piece.routine.read(&token.token);
        let written = &text[start..end];
        if !written.trim().is_empty() {
            self.piece.text.push_str(written);
        } else if !self.piece.text.is_empty() && !self.piece.text.ends_with(' ') {
            self.piece.text.push(' ');
        }
        self.piece.tokens.push(token);
        true
    }

    /// Ends the statement; the next one begins at the byte offset `at`.
    fn end(&mut self, at: usize) {
        self.found.push_back(std::mem::replace(&mut self.piece, Piece::new(at)).finish(at));
    }

    /// Handles a client line that begins at a byte offset; returns `false` if there is none.
    fn handle_client_line(&mut self, start: usize) -> bool {
        let text = self.cursor.text;
        if !begins_line(text, start) {
            return false;
        }
        let shown = line_at(text, start);
        let Some(said) = line(shown, self.piece.text.is_empty()) else { return false };
        let end = start + shown.len();
        match said {
            Line::Separator => {
                self.cursor.advance(end);
                self.end(end);
            }
            Line::Command => {
                self.cursor.advance(end);
                self.found.push_back(Piece::unread(self.piece.start, end, shown));
                self.piece = Piece::new(end);
            }
            Line::Delimiter(delimiter) => {
                let mut at = self.piece.start;
                let (ends, over) = delimited(text, end, delimiter);
                for (from, to, next) in ends {
                    self.found.push_back(Piece::unread(at, next, &text[from..to]));
                    at = next;
                }
                self.cursor.advance(over);
                self.piece = Piece::new(at);
                self.end(over);
            }
        }
        true
    }
}

/// Statements that end at another delimiter than the semicolon: start and end of each text, and start of the next; and the end of that part.
fn delimited(text: &str, from: usize, delimiter: &str) -> (Vec<(usize, usize, usize)>, usize) {
    let (mut found, mut delimiter, mut start, mut at) = (Vec::new(), delimiter, from, from);
    if delimiter == ";" || delimiter.is_empty() {
        return (found, from);
    }
    for one in text[from..].split_inclusive('\n') {
        let begin = at;
        at += one.len();
        if let Some(Line::Delimiter(next)) = line(one, true) {
            found.push((start, begin, at));
            if next == ";" || next.is_empty() {
                return (found, at);
            }
            (delimiter, start) = (next, at);
            continue;
        }
        for (place, _) in one.match_indices(delimiter) {
            let (end, next) = (begin + place, begin + place + delimiter.len());
            found.push((start, end, next));
            start = next;
        }
    }
    found.push((start, text.len(), text.len()));
    (found, text.len())
}

fn place(location: Location) -> (u64, u64) {
    (location.line, location.column)
}

/// A position in a text: byte offset, and line and column as the tokenizer counts them.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
    place: (u64, u64),
}

impl Cursor<'_> {
    fn step(&mut self) -> bool {
        let Some(c) = self.text[self.at..].chars().next() else { return false };
        self.at += c.len_utf8();
        self.place = if c == '\n' { (self.place.0 + 1, 1) } else { (self.place.0, self.place.1 + 1) };
        true
    }

    /// Advances to a line and column; returns the byte offset.
    fn seek(&mut self, to: Location) -> usize {
        while self.place < place(to) && self.step() {}
        self.at
    }

    /// Advances to a byte offset.
    fn advance(&mut self, to: usize) {
        while self.at < to && self.step() {}
    }

    /// Advances to the end of the comment that begins here.
    fn pass_comment(&mut self) {
        let mut depth = 0_usize;
        loop {
            let rest = &self.text[self.at..];
            let steps = match rest {
                _ if rest.starts_with("/*") => {
                    depth += 1;
                    2
                }
                _ if rest.starts_with("*/") => {
                    depth -= 1;
                    2
                }
                _ => 1,
            };
            let is_over = !(0..steps).all(|_| self.step());
            if depth == 0 || is_over {
                break;
            }
        }
    }
}
