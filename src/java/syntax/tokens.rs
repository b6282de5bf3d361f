//! Tokenises a Java file in one pass over its bytes, for hashes, for the names it mentions, and to find where bodies
//! may declare types.
//!
//! The syntax tree says what a file declares; tokens say what counts as a change. Tokenising does not need the tree,
//! so a file with syntax errors still has all hashes, and bodies without local or anonymous types need not be walked.

use std::borrow::Cow;
use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use super::normal_form::{Named, SEPARATOR, may_differ, normal_form};
use super::text_block;
use mastor_types::Hash;

/// Tokens up to this length are copied as one fixed-size block.
const SHORT: usize = 16;

/// The tokens of one file.
pub struct Tokens<'t> {
    text: &'t str,
    /// Text of all tokens, each followed by [`SEPARATOR`].
    bytes: Vec<u8>,
    /// For each token: its offset in the source, and in `bytes`.
    starts: Vec<(u32, u32)>,
    /// Source offsets at which the name or body of a local or anonymous type may start, ascending.
    points: Vec<u32>,
    words: FxHashSet<&'t str>,
    /// The words, sorted on first use.
    sorted: OnceCell<Vec<&'t str>>,
    /// The libraries that the file mentions, for normalising annotations.
    named: Named,
}

impl<'t> Tokens<'t> {
    /// Tokenises `text`, even if it is not Java.
    pub fn of(text: &'t str) -> Self {
        let mut lexer = Lexer {
            tokens: Self {
                text,
                bytes: Vec::with_capacity(text.len()),
                starts: Vec::with_capacity(text.len() / 6),
                points: Vec::new(),
                words: FxHashSet::default(),
                sorted: OnceCell::new(),
                named: Named::of(text),
            },
            at: 0,
            previous: Previous::Start,
            parens: Vec::new(),
            closed_control: false,
            in_import: false,
        };
        lexer.run();
        lexer.tokens
    }

    /// Hash of the normal form of the tokens that start in any of these ranges of the source.
    pub fn hash(&self, stretches: &[(usize, usize)]) -> Hash {
        let form = |(start, end): &(usize, usize)| {
            let written = self.slice(*start, *end);
            if may_differ(written) { Cow::Owned(normal_form(written, self.named)) } else { Cow::Borrowed(written) }
        };
        match stretches {
            [only] => Hash::of(&form(only)),
            _ => {
                let forms: Vec<Cow<'_, [u8]>> = stretches.iter().map(form).collect();
                Hash::of_parts(forms.iter().map(|form| &**form))
            }
        }
    }

    /// The tokens that start in `start..end`, concatenated.
    pub fn joined(&self, start: usize, end: usize) -> String {
        let bytes: Vec<u8> = self.slice(start, end).iter().copied().filter(|byte| *byte != SEPARATOR).collect();
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// The text with every comment character replaced by a space; all lines and tokens keep their positions.
    pub fn without_comments(&self) -> String {
        let mut out: Vec<u8> = self.text.bytes().map(|b| if b.is_ascii_whitespace() { b } else { b' ' }).collect();
        let ends = self.starts.iter().skip(1).map(|(_, at)| *at as usize).chain([self.bytes.len()]);
        for ((source, at), end) in self.starts.iter().zip(ends) {
            let mut token = self.bytes.get(*at as usize..end.saturating_sub(1)).unwrap_or_default();
            let rest = self.text.get(*source as usize..).unwrap_or_default();
            if let Some(block) = rest.strip_prefix("\"\"\"") {
                // The stored token of a text block has no indentation, so the length is taken from the source.
                let end = block.find("\"\"\"").map_or(rest.len(), |end| end + 6);
                token = rest.as_bytes().get(..end).unwrap_or_default();
            }
            if let Some(place) = out.get_mut(*source as usize..*source as usize + token.len()) {
                place.copy_from_slice(token);
            }
        }
        String::from_utf8(out).unwrap_or_default()
    }

    /// Whether `start..end` may contain a local or anonymous type.
    pub fn may_hold_type(&self, start: usize, end: usize) -> bool {
        let first = self.points.partition_point(|point| (*point as usize) < start);
        self.points.get(first).is_some_and(|point| (*point as usize) < end)
    }

    /// Offset of the first token; the length of the text if there is none.
    pub fn first(&self) -> usize {
        self.starts.first().map_or(self.text.len(), |(source, _)| *source as usize)
    }

    /// The capitalised names without a preceding dot among the tokens that start in any of these ranges: indexes into
    /// [`Self::words`], ascending.
    pub fn named(&self, stretches: &[(usize, usize)]) -> Vec<u32> {
        let words = self.sorted.get_or_init(|| self.sorted_words());
        let mut found = Vec::new();
        for (start, end) in stretches {
            let mut before: &[u8] = b"";
            for token in self.slice(*start, *end).split(|byte| *byte == SEPARATOR) {
                if token.first().is_some_and(u8::is_ascii_uppercase)
                    && before != b"."
                    && let Ok(word) = std::str::from_utf8(token)
                    && let Ok(place) = words.binary_search(&word)
                {
                    found.push(place as u32);
                }
                before = token;
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn sorted_words(&self) -> Vec<&'t str> {
        let mut words: Vec<&str> = self.words.iter().copied().collect();
        words.sort_unstable();
        words
    }

    /// Names that may be types, sorted: see [`crate::ir::facts::FileFacts::type_words`].
    pub fn words(&self) -> Vec<String> {
        self.sorted.get_or_init(|| self.sorted_words()).iter().map(|word| (*word).to_owned()).collect()
    }

    fn slice(&self, start: usize, end: usize) -> &[u8] {
        let place = |offset: usize| {
            let index = self.starts.partition_point(|(source, _)| (*source as usize) < offset);
            self.starts.get(index).map_or(self.bytes.len(), |(_, at)| *at as usize)
        };
        let (from, to) = (place(start), place(end));
        self.bytes.get(from..to.max(from)).unwrap_or_default()
    }
}

/// The kind of the previous token, as far as it affects the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Previous<'t> {
    Start,
    Dot,
    ClosedParen,
    /// A keyword that a type follows, such as `new` or `extends`; also `@` and `<`.
    BeforeType,
    /// `class`, `interface`, `enum` or `record`, with its offset.
    TypeKeyword(u32),
    /// `if`, `for` and the like, whose parentheses are not an argument list.
    Control,
    Keyword,
    /// A chain of names, without keywords.
    Name(&'t str),
    Other,
}

struct Lexer<'t> {
    tokens: Tokens<'t>,
    at: usize,
    previous: Previous<'t>,
    /// For each open parenthesis: whether a control keyword precedes it.
    parens: Vec<bool>,
    closed_control: bool,
    in_import: bool,
}

impl<'t> Lexer<'t> {
    fn byte(&self, ahead: usize) -> u8 {
        self.tokens.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        let len = self.tokens.text.len();
        while self.at < len {
            match self.byte(0) {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0c => self.at += 1,
                0xef if self.at == 0 && self.tokens.text.starts_with('\u{feff}') => self.at = 3,
                b'/' if matches!(self.byte(1), b'/' | b'*') => self.comment(),
                b'"' => self.string(),
                b'\'' => self.quoted(b'\''),
                byte if is_name_start(byte) => self.name(),
                byte if byte.is_ascii_digit() || (byte == b'.' && self.byte(1).is_ascii_digit()) => self.number(),
                _ => self.operator(),
            }
        }
    }

    fn push(&mut self, start: usize, previous: Previous<'t>) {
        let Tokens { text, bytes, starts, .. } = &mut self.tokens;
        let (to, len) = (bytes.len(), self.at - start);
        starts.push((start as u32, to as u32));
        // Most tokens are short, and copying a fixed number of bytes takes one instruction.
        match text.as_bytes()[start..].first_chunk::<SHORT>() {
            Some(chunk) if len <= SHORT => {
                bytes.extend_from_slice(chunk);
                bytes.truncate(to + len);
            }
            _ => bytes.extend_from_slice(&text.as_bytes()[start..self.at]),
        }
        bytes.push(SEPARATOR);
        self.previous = previous;
    }

    /// Skips a comment; an unterminated one ends with the text.
    fn comment(&mut self) {
        let start = self.at + 2;
        let rest = self.tokens.text.get(start..).unwrap_or_default();
        let end = if self.byte(1) == b'*' { end_of_block(rest) } else { rest.find('\n').map(|end| end + 1) };
        self.at = end.map_or(self.tokens.text.len(), |end| start + end);
    }

    fn string(&mut self) {
        if !(self.byte(1) == b'"' && self.byte(2) == b'"') {
            return self.quoted(b'"');
        }
        let start = self.at;
        self.at += 3;
        let bytes = self.tokens.text.as_bytes();
        while self.at < bytes.len() && !bytes[self.at..].starts_with(b"\"\"\"") {
            self.at += if bytes[self.at] == b'\\' { 2 } else { 1 };
        }
        self.at = (self.at + 3).min(bytes.len());
        let Some(block) = self.tokens.text.get(start..self.at) else {
            return self.push(start, Previous::Other);
        };
        // The indentation of a text block is formatting only.
        let stripped = text_block::stripped(block);
        self.tokens.starts.push((start as u32, self.tokens.bytes.len() as u32));
        self.tokens.bytes.extend_from_slice(b"\"\"\"");
        self.tokens.bytes.extend_from_slice(stripped.as_bytes());
        self.tokens.bytes.push(SEPARATOR);
        self.previous = Previous::Other;
    }

    /// Reads a string or character literal within one line.
    fn quoted(&mut self, quote: u8) {
        let start = self.at;
        let bytes = self.tokens.text.as_bytes();
        self.at += 1;
        while self.at < bytes.len() && bytes[self.at] != quote && bytes[self.at] != b'\n' {
            self.at += if bytes[self.at] == b'\\' && bytes.get(self.at + 1) != Some(&b'\n') { 2 } else { 1 };
        }
        if bytes.get(self.at) == Some(&quote) {
            self.at += 1;
        }
        self.at = self.at.min(bytes.len());
        self.push(start, Previous::Other);
    }

    fn number(&mut self) {
        let start = self.at;
        let mut last = 0;
        while is_name_part(self.byte(0))
            || (self.byte(0) == b'.' && self.byte(1) != b'.')
            || (matches!(self.byte(0), b'+' | b'-') && matches!(last, b'e' | b'E' | b'p' | b'P') && !self.is_hex(start))
        {
            last = self.byte(0);
            self.at += 1;
        }
        self.push(start, Previous::Other);
    }

    /// Whether the number that starts at `start` is hexadecimal without a binary exponent, so that `e` is a digit.
    fn is_hex(&self, start: usize) -> bool {
        let bytes = self.tokens.text.as_bytes();
        bytes[start..].starts_with(b"0x") && !matches!(bytes[self.at - 1], b'p' | b'P')
    }

    fn name(&mut self) {
        let start = self.at;
        let before = self.previous;
        let rest = &self.tokens.text.as_bytes()[start..];
        self.at += rest.iter().take_while(|byte| is_name_part(**byte)).count();
        let word = &self.tokens.text[start..self.at];
        let keyword = keyword(word, start as u32);
        if let Some(found) = keyword
            && !matches!((before, found), (Previous::Dot, Previous::TypeKeyword(_)))
        {
            if word == "import" || (word == "package" && !matches!(before, Previous::Dot)) {
                self.in_import = true;
            }
            if word != "record" || self.name_follows() {
                return self.push(start, found);
            }
        } else if keyword.is_some() {
            return self.push(start, Previous::Keyword);
        }
        match before {
            Previous::TypeKeyword(place) => self.tokens.points.push(place),
            Previous::Name(chain) if !self.in_import => {
                self.tokens.words.insert(chain);
            }
            _ => {}
        }
        let name = if before == Previous::Dot { Previous::Other } else { Previous::Name(self.chain(start)) };
        if let Previous::Name(chain) = name
            && !self.in_import
        {
            self.add_words(chain, before == Previous::BeforeType);
        }
        self.push(start, name);
    }

    /// Whether a name follows the current word, as it does if `record` is a keyword.
    fn name_follows(&self) -> bool {
        self.tokens.text[self.at..].trim_start().bytes().next().is_some_and(is_name_start)
    }

    /// The longest `a.b.c` without white space that starts at `start`.
    fn chain(&self, start: usize) -> &'t str {
        let bytes = self.tokens.text.as_bytes();
        let mut end = self.at;
        while bytes.get(end) == Some(&b'.') && bytes.get(end + 1).copied().is_some_and(is_name_start) {
            end += 1;
            while bytes.get(end).copied().is_some_and(is_name_part) {
                end += 1;
            }
        }
        &self.tokens.text[start..end]
    }

    fn add_words(&mut self, chain: &'t str, is_type: bool) {
        if is_type {
            self.tokens.words.insert(chain);
        }
        let bytes = chain.as_bytes();
        let (mut start, mut seen) = (0, false);
        while start < bytes.len() {
            let end = bytes[start..].iter().position(|byte| *byte == b'.').map_or(bytes.len(), |dot| start + dot);
            let capital = match bytes[start] {
                first if first.is_ascii() => first.is_ascii_uppercase(),
                _ => chain[start..].chars().next().is_some_and(char::is_uppercase),
            };
            if capital {
                self.tokens.words.insert(&chain[..end]);
            } else if seen {
                return;
            }
            seen |= capital;
            start = end + 1;
        }
    }

    fn operator(&mut self) {
        let start = self.at;
        let first = self.byte(0);
        let (second, third) = (self.byte(1), self.byte(2));
        // `>` stays a token of its own, since `>>` may close two lists of type arguments or be a shift.
        self.at += match (first, second) {
            (b'<', b'<') if third == b'=' => 3,
            (b'+', b'+' | b'=') | (b'-', b'-' | b'=' | b'>') | (b'&', b'&' | b'=') | (b'|', b'|' | b'=') => 2,
            (b'=' | b'!' | b'*' | b'/' | b'%' | b'^', b'=') | (b'<', b'<' | b'=') | (b':', b':') => 2,
            _ => 1,
        };
        let mut next = Previous::Other;
        match first {
            b'(' => self.parens.push(self.previous == Previous::Control),
            b')' => {
                self.closed_control = self.parens.pop().unwrap_or(false);
                next = Previous::ClosedParen;
            }
            b'{' if self.previous == Previous::ClosedParen && !self.closed_control => {
                self.tokens.points.push(start as u32);
            }
            b';' => self.in_import = false,
            b'.' => next = Previous::Dot,
            b'@' => next = Previous::BeforeType,
            b'<' if self.at == start + 1 => next = Previous::BeforeType,
            _ => {}
        }
        self.push(start, next);
    }
}

/// The offset after the `*/` that ends a block comment.
fn end_of_block(text: &str) -> Option<usize> {
    let mut slashes = text.match_indices('/').map(|(at, _)| at);
    slashes.find(|at| *at > 0 && text.as_bytes()[at - 1] == b'*').map(|at| at + 1)
}

/// For each byte: whether a name can start with it, and whether a name can contain it.
const NAME_BYTES: [(bool, bool); 256] = {
    let mut found = [(false, false); 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        let start = byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80;
        found[at] = (start, start || byte.is_ascii_digit());
        at += 1;
    }
    found
};

fn is_name_start(byte: u8) -> bool {
    NAME_BYTES[usize::from(byte)].0
}

fn is_name_part(byte: u8) -> bool {
    NAME_BYTES[usize::from(byte)].1
}

fn keyword<'t>(word: &str, start: u32) -> Option<Previous<'t>> {
    // Fast path: most names cannot be keywords.
    if !matches!(word.as_bytes(), [b'a'..=b'y', .., b'c'..=b'y']) || word.len() > 12 {
        return None;
    }
    Some(match word {
        "class" | "interface" | "enum" | "record" => Previous::TypeKeyword(start),
        "if" | "for" | "while" | "switch" | "catch" | "synchronized" | "try" => Previous::Control,
        "new" | "extends" | "implements" | "instanceof" | "throws" | "permits" => Previous::BeforeType,
        "abstract" | "assert" | "boolean" | "break" | "byte" | "case" | "char" | "const" | "continue" | "default"
        | "do" | "double" | "else" | "final" | "finally" | "float" | "goto" | "import" | "int" | "long" | "native"
        | "package" | "private" | "protected" | "public" | "return" | "short" | "static" | "strictfp" | "super"
        | "this" | "throw" | "transient" | "void" | "volatile" | "true" | "false" | "null" | "yield" | "var" => {
            Previous::Keyword
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Hash {
        Tokens::of(text).hash(&[(0, text.len())])
    }

    #[test]
    fn text_without_comments_has_every_token_where_it_stood() {
        let text = "int a; // ignore all rules\n/* x\n y */ String s = \"// no\"; /** é */ char c = '\"';\nvar t = \"\"\"\n  /* in */\n  \"\"\"; // end\n";
        let plain = Tokens::of(text).without_comments();
        assert_eq!(plain.lines().count(), text.lines().count());
        let lines: Vec<&str> = plain.lines().map(str::trim_end).collect();
        assert_eq!(lines[0], "int a;");
        assert_eq!(lines[1], "");
        assert!(lines[2].starts_with("      String s = \"// no\";") && lines[2].ends_with("char c = '\"';"), "{plain}");
        assert_eq!(lines[4], "  /* in */");
        assert_eq!(all(&plain), all(text));
    }

    #[test]
    fn comments_and_white_space_do_not_count() {
        assert_eq!(all("int a=1; // x\n/* y */ List<List<A>> b;"), all("int  a =\n1;List < List<A> > b ;"));
        assert_ne!(all("a - --b"), all("a-- - b"));
        assert_ne!(all("\"a b\""), all("\"ab\""));
        assert_ne!(all("x = '/'; // y"), all("x = '*';"));
    }

    #[test]
    fn indentation_of_text_blocks_does_not_count() {
        assert_eq!(all("s = \"\"\"\n    a\n      b\n    \"\"\";"), all("s = \"\"\"\n  a\n    b\n  \"\"\";"));
        assert_ne!(all("s = \"\"\"\n    a\n      b\n    \"\"\";"), all("s = \"\"\"\n    a\n    b\n    \"\"\";"));
    }

    #[test]
    fn words_are_names_that_may_be_types() {
        let words = Tokens::of(
            "import a.Skipped; class Foo extends bar { java.util.List<Item> x = Outer.Inner.make(y.z); lower v; int i = LIMIT; }",
        )
        .words();
        let expected = ["Foo", "Item", "LIMIT", "Outer", "Outer.Inner", "bar", "java.util.List", "lower"];
        assert_eq!(words, expected);
    }

    #[test]
    fn only_what_may_be_a_type_is_a_point() {
        let points = |text| Tokens::of(text).points.len();
        assert_eq!(points("if (a) { } for (;;) { x.f(() -> { }); A.class.y(); }"), 0);
        assert_eq!(points("new A<B>(1) { }"), 1);
        assert_eq!(points("class X { } record R(int a) { } record = 1;"), 3);
    }
}
