//! Splits a query into words: names, texts, numbers and signs.

/// One word of a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Word {
    /// A name or keyword, as written.
    Name(String),
    /// A name in quotes.
    Quoted(String),
    /// A text.
    Text(String),
    /// A number.
    Number(String),
    /// Any other character.
    Sign(char),
}

impl Word {
    /// Whether it is this keyword, ignoring letter case.
    pub fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Name(name) if name.eq_ignore_ascii_case(keyword))
    }

    /// Whether it is this sign.
    pub fn is_sign(&self, sign: char) -> bool {
        *self == Self::Sign(sign)
    }

    /// The name, quoted or not.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) | Self::Quoted(name) => Some(name),
            _ => None,
        }
    }
}

/// The words of a statement.
pub fn words(statement: &str) -> Vec<Word> {
    let mut out = Vec::new();
    let mut chars = statement.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => {}
            '\'' => {
                let mut text = String::new();
                while let Some(c) = chars.next() {
                    match c {
                        '\'' if chars.peek() == Some(&'\'') => {
                            chars.next();
                            text.push('\'');
                        }
                        '\'' => break,
                        c => text.push(c),
                    }
                }
                out.push(Word::Text(text));
            }
            '"' | '`' | '[' => {
                let close = if c == '[' { ']' } else { c };
                let name: String = chars.by_ref().take_while(|c| *c != close).collect();
                out.push(Word::Quoted(name));
            }
            c if c.is_ascii_digit() => {
                let mut number = String::from(c);
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '.') {
                    number.push(c);
                }
                out.push(Word::Number(number));
            }
            c if c.is_alphabetic() || c == '_' => {
                let mut name = String::from(c);
                while let Some(c) = chars.next_if(|c| c.is_alphanumeric() || matches!(c, '_' | '$')) {
                    name.push(c);
                }
                out.push(Word::Name(name));
            }
            c => out.push(Word::Sign(c)),
        }
    }
    out
}
