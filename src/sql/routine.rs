//! Bodies of routines and blocks, whose semicolons do not end the statement.

use sqlparser::tokenizer::Token;

/// What `CREATE` makes that has a body of statements.
const ROUTINES: [&str; 6] = ["trigger", "procedure", "proc", "function", "package", "event"];
/// What `CREATE` makes otherwise.
const OTHERS: [&str; 12] =
    ["table", "view", "index", "sequence", "schema", "database", "user", "role", "type", "alias", "on", "as"];
/// How many words may stand before the kind of what is made.
const BEFORE_KIND: usize = 12;
/// What `BEGIN` is followed by where it starts a transaction.
const TRANSACTION: [&str; 9] =
    ["transaction", "tran", "work", "distributed", "deferred", "immediate", "exclusive", "isolation", "read"];
/// What stands behind `END` where that closes neither `BEGIN` nor `CASE`.
const LOOPS: [&str; 5] = ["if", "loop", "while", "repeat", "for"];
/// What stands before `AS` where no body follows: names of rows in a trigger, and rights of a procedure.
const NAMED: [&str; 8] = ["new", "old", "row", "table", "new_table", "old_table", "execute", "exec"];
/// What stands behind `AS` or `IS` where the body is one expression or lies elsewhere, and where no body follows.
const NO_BODY: [&str; 8] = ["return", "language", "external", "null", "not", "true", "false", "distinct"];

/// What a statement is, by its first words.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Nothing was read.
    Empty,
    /// `CREATE` or `ALTER`, and what follows is not known yet.
    Made,
    /// `DECLARE`, and what follows is not known yet.
    Declared,
    /// It ends at its semicolon.
    Plain,
    /// It ends where its blocks do.
    Blocks,
    /// Only a line that separates statements ends it.
    Package,
}

/// A statement while its tokens are read: whether a semicolon ends it.
#[derive(Debug)]
pub(super) struct Routine {
    kind: Kind,
    words: usize,
    /// Whether `CREATE` or `ALTER` makes it.
    is_made: bool,
    brackets: usize,
    depth: usize,
    /// Whether declarations come before a `BEGIN` that has not been read.
    awaits_begin: bool,
    last: String,
}

impl Routine {
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

    /// Whether a semicolon here stands within a body.
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
            // A variable, a temporary table or a cursor, and no block.
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
