//! Parses one statement in one dialect, within limits that protect the stack.

use sqlparser::ast;
use sqlparser::dialect::Dialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Maximum nesting depth of brackets.
const BRACKETS: usize = 24;

/// Maximum number of operators and keywords between commas. The tree of `a + b + c` is as deep as it is long, so this bounds the recursion over it.
const CHAIN: usize = 500;

/// Bytes of stack that must be free before a tree is built or walked, and the size of the stack segment that is allocated otherwise.
const RED_ZONE: usize = 3 << 20;
const GROWTH: usize = 16 << 20;

/// Runs code that builds or walks a tree, with enough stack.
pub(super) fn with_room<T>(run: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, GROWTH, run)
}

/// The syntax tree of a statement; `None` where the dialect cannot parse it or the tree may be too deep.
pub(super) fn parse(dialect: &dyn Dialect, tokens: Vec<TokenWithSpan>) -> Option<ast::Statement> {
    if is_deep(&tokens) {
        return None;
    }
    with_room(|| {
        let mut parser = Parser::new(dialect).with_tokens_with_locations(without_unsupported(tokens));
        let statement = parser.parse_statement().ok()?;
        (parser.peek_token().token == Token::EOF).then_some(statement)
    })
}

/// Removes tokens that embedded databases use and the parser does not know: the kind of table in `CREATE CACHED TABLE`, the commas in
/// `IDENTITY (START WITH 1, INCREMENT BY 1)`, and everything after `NEXT` in `NEXT VALUE FOR sequence`.
fn without_unsupported(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let (mut before, mut last, mut is_among_options) = (TokenKind::Other, TokenKind::Other, false);
    let mut is_sequence = false;
    tokens.retain(|token| {
        // `NEXT` is kept: it parses as an identifier, so the value counts as unknown.
        if is_sequence {
            match &token.token {
                Token::Whitespace(_) | Token::Period | Token::Word(_) => return false,
                _ => is_sequence = false,
            }
        }
        let now = match &token.token {
            Token::Whitespace(_) => return true,
            Token::Word(word) if word.quote_style.is_none() => TokenKind::of(&word.value),
            Token::LParen => TokenKind::Open,
            Token::RParen => TokenKind::Close,
            Token::Comma => TokenKind::Comma,
            _ => TokenKind::Other,
        };
        is_among_options = match now {
            TokenKind::Option => is_among_options || (before, last) == (TokenKind::Identity, TokenKind::Open),
            TokenKind::Close => false,
            _ => is_among_options,
        };
        let is_dropped =
            now == TokenKind::Comma && is_among_options || (last, now) == (TokenKind::Create, TokenKind::Kind);
        is_sequence = (last, now) == (TokenKind::Next, TokenKind::Value);
        (before, last) = (last, now);
        !is_dropped && !is_sequence
    });
    tokens
}

/// The kinds of token that [`without_unsupported`] distinguishes.
#[derive(Clone, Copy, PartialEq)]
enum TokenKind {
    Create,
    Kind,
    Identity,
    Option,
    Next,
    Value,
    Open,
    Close,
    Comma,
    Other,
}

impl TokenKind {
    fn of(word: &str) -> Self {
        let is = |keyword: &&str| word.eq_ignore_ascii_case(keyword);
        match () {
            () if is(&"create") => Self::Create,
            () if ["cached", "memory"].iter().any(is) => Self::Kind,
            () if is(&"next") => Self::Next,
            () if is(&"value") => Self::Value,
            () if is(&"identity") => Self::Identity,
            () if ["start", "increment"].iter().any(is) => Self::Option,
            () => Self::Other,
        }
    }
}

/// Whether the tree of these tokens may be too deep to walk.
fn is_deep(tokens: &[TokenWithSpan]) -> bool {
    let (mut open, mut last, mut chained) = (Vec::new(), 0_usize, 0_usize);
    for token in tokens {
        match &token.token {
            Token::LParen | Token::LBracket | Token::LBrace => open.push(std::mem::take(&mut last)),
            Token::RParen | Token::RBracket | Token::RBrace => {
                if let Some(outer) = open.pop() {
                    chained -= last;
                    last = outer;
                }
            }
            Token::Comma => chained -= std::mem::take(&mut last),
            Token::Whitespace(_) | Token::Period | Token::Number(..) | Token::SingleQuotedString(_) => {}
            Token::Word(word) if word.keyword == Keyword::NoKeyword => {}
            _ => (last, chained) = (last + 1, chained + 1),
        }
        if open.len() > BRACKETS || chained > CHAIN {
            return true;
        }
    }
    false
}
