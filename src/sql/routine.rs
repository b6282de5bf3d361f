//! Recognises bodies of routines and blocks, in which a semicolon does not end the statement.

use sqlparser::tokenizer::Token;

/// Kinds of object whose `CREATE` has a body of statements.
const ROUTINES: [&str; 6] = ["trigger", "procedure", "proc", "function", "package", "event"];
/// Words after `CREATE` that rule out such a body: other kinds of object, `ON` and `AS`.
const OTHERS: [&str; 12] =
    ["table", "view", "index", "sequence", "schema", "database", "user", "role", "type", "alias", "on", "as"];
/// Maximum number of words from `CREATE` to the kind of object.
const BEFORE_KIND: usize = 12;
/// Words after a `BEGIN` that starts a transaction, not a block.
const TRANSACTION: [&str; 9] =
    ["transaction", "tran", "work", "distributed", "deferred", "immediate", "exclusive", "isolation", "read"];
/// Words after an `END` that closes neither `BEGIN` nor `CASE`.
const LOOPS: [&str; 5] = ["if", "loop", "while", "repeat", "for"];
/// Words before an `AS` that begins no body: row aliases of a trigger (`NEW AS n`), and `EXECUTE AS` of a procedure.
const NAMED: [&str; 8] = ["new", "old", "row", "table", "new_table", "old_table", "execute", "exec"];
/// Words after an `AS` or `IS` that begins no block: the body is one expression or external, or there is none.
const NO_BODY: [&str; 8] = ["return", "language", "external", "null", "not", "true", "false", "distinct"];

/// The kind of a statement, as far as the words read so far tell.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// No word was read yet.
    Empty,
    /// Begins with `CREATE` or `ALTER`; the kind of object is not known yet.
    Made,
    /// Begins with `DECLARE`; whether it is a block is not known yet.
    Declared,
    /// The first semicolon ends it.
    Plain,
    /// A semicolon ends it only outside its blocks.
    Blocks,
    /// Only a separator line (`/`, `GO`) ends it.
    Package,
}

/// Follows the tokens of a statement, to tell whether a semicolon ends it.
#[derive(Debug)]
pub(super) struct StatementTracker {
    kind: Kind,
    words: usize,
    /// Whether the routine is created or altered, as opposed to a block that runs at once.
    is_made: bool,
    brackets: usize,
    depth: usize,
    /// Whether declarations were read, but not yet the `BEGIN` after them.
    awaits_begin: bool,
    last: String,
}

impl StatementTracker {
    pub(super) fn new() -> Self {
        Self {
            kind: Kind::Empty,
            words: 0,
            is_made: false,
            brackets: 0,
            depth: 0,
            awaits_begin: false,
            last: String::new(),
        }
    }

    /// Whether a semicolon at this point lies inside a body.
    pub(super) fn is_open(&self) -> bool {
        let depth = self.depth - usize::from(self.last == "end" && self.depth > 0);
        let is_transaction = self.last == "begin" && self.words == 1;
        match self.kind {
            Kind::Package => true,
            Kind::Blocks => !is_transaction && (depth > 0 || self.awaits_begin),
            _ => false,
        }
    }

    /// Reads one token.
    pub(super) fn read(&mut self, token: &Token) {
        let word = match token {
            Token::Whitespace(_) => return,
            Token::Word(word) if word.quote_style.is_none() => word.value.to_ascii_lowercase(),
            Token::LParen => "(".to_owned(),
            Token::RParen => ")".to_owned(),
            Token::AtSign | Token::Placeholder(_) => "@".to_owned(),
            _ => String::new(),
        };
        self.words += 1;
        match word.as_str() {
            "(" => self.brackets += 1,
            ")" => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        let was = self.kind;
        self.kind = self.kind_with(&word);
        if self.kind == Kind::Blocks {
            self.is_made |= was == Kind::Made;
            self.awaits_begin |= was == Kind::Declared;
            self.step(&word);
        }
        let is_named = matches!(word.as_str(), "as" | "is") && NAMED.contains(&self.last.as_str());
        self.last = if is_named { String::new() } else { word };
    }

    fn kind_with(&self, word: &str) -> Kind {
        match self.kind {
            Kind::Empty => match word {
                "create" | "alter" => Kind::Made,
                "declare" => Kind::Declared,
                "begin" | "if" | "while" => Kind::Blocks,
                _ => Kind::Plain,
            },
            Kind::Made if word == "package" => Kind::Package,
            Kind::Made if ROUTINES.contains(&word) => Kind::Blocks,
            Kind::Made if word == "(" || OTHERS.contains(&word) || self.words > BEFORE_KIND => Kind::Plain,
            // Declares a variable, a temporary table or a cursor, not a block.
            Kind::Declared if word.starts_with('@') || matches!(word, "global" | "local" | "cursor") => Kind::Plain,
            Kind::Declared if self.words == 3 => Kind::Blocks,
            kind => kind,
        }
    }

    fn step(&mut self, word: &str) {
        let last = self.last.as_str();
        if last == "end" && !LOOPS.contains(&word) {
            self.depth = self.depth.saturating_sub(1);
        }
        if last == "begin" && TRANSACTION.contains(&word) {
            self.depth = self.depth.saturating_sub(1);
        }
        let is_body = self.is_made
            && matches!(last, "as" | "is")
            && (self.brackets, self.depth) == (0, 0)
            && word.starts_with(|c: char| c.is_alphabetic())
            && !NO_BODY.contains(&word);
        match word {
            "begin" => (self.depth, self.awaits_begin) = (self.depth + 1, false),
            "case" if last != "end" => self.depth += 1,
            "declare" if self.depth == 0 => self.awaits_begin = true,
            _ => self.awaits_begin |= is_body,
        }
    }
}
