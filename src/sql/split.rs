//! Where the statements of a script end, as a dialect tells its texts, names and comments apart.

use std::collections::VecDeque;

use sqlparser::dialect::Dialect;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer, Whitespace};

/// A comment that MySQL runs. The tokenizer gives the tokens within it; here it stays a comment.
const HINT: &str = "/*!";

/// A statement before it is parsed.
#[derive(Debug)]
pub(super) struct Piece {
    /// Where it begins in the script, in bytes: behind the semicolon before it.
    pub(super) start: usize,
    /// Where the next one begins.
    pub(super) end: usize,
    /// Its text without comments, white space folded; empty where nothing but these stands there.
    pub(super) text: String,
    /// Its tokens, without the semicolon.
    pub(super) tokens: Vec<TokenWithSpan>,
}

impl Piece {
    fn new(start: usize) -> Self {
        Self { start, end: start, text: String::new(), tokens: Vec::new() }
    }

    fn finish(mut self, end: usize) -> Self {
        self.end = end;
        self.text.truncate(self.text.trim_end().len());
        self
    }
}

/// The statements of a script from a place on, as far as the dialect can tell.
pub(super) fn split(dialect: &dyn Dialect, text: &str, from: usize) -> VecDeque<Piece> {
    let rest = text.get(from..).unwrap_or_default();
    let mut tokens = Vec::new();
    let is_whole = Tokenizer::new(dialect, rest).tokenize_with_location_into_buf(&mut tokens).is_ok();
    let mut cursor = Cursor { text, at: from, place: (1, 1) };
    let mut found = VecDeque::new();
    let mut piece = Piece::new(from);
    for token in tokens {
        if let Token::CopyData { data, .. } = &token.token {
            // It stands behind the semicolon that follows in the tokens.
            piece.text.push(' ');
            piece.text.push_str(data);
            piece.tokens.push(token);
            continue;
        }
        let is_within_hint = place(token.span.start) < cursor.place;
        if is_within_hint {
            continue;
        }
        let start = cursor.seek(token.span.start);
        let is_comment = matches!(
            token.token,
            Token::Whitespace(Whitespace::SingleLineComment { .. } | Whitespace::MultiLineComment(_))
        );
        if !is_comment && text[start..].starts_with(HINT) {
            cursor.pass_comment();
            continue;
        }
        let end = cursor.seek(token.span.end);
        if is_comment {
            continue;
        }
        if token.token == Token::SemiColon {
            found.push_back(std::mem::replace(&mut piece, Piece::new(end)).finish(end));
            continue;
        }
        let written = &text[start..end];
        if !written.trim().is_empty() {
            piece.text.push_str(written);
        } else if !piece.text.is_empty() && !piece.text.ends_with(' ') {
            piece.text.push(' ');
        }
        piece.tokens.push(token);
    }
    if is_whole {
        found.push_back(piece.finish(text.len()));
    }
    found
}

fn place(location: Location) -> (u64, u64) {
    (location.line, location.column)
}

/// A place in a text by bytes, and by line and column as the tokenizer counts.
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

    /// Goes on to a location; gives where that is in bytes.
    fn seek(&mut self, to: Location) -> usize {
        while self.place < place(to) && self.step() {}
        self.at
    }

    /// Goes on to the end of the comment that begins here.
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
