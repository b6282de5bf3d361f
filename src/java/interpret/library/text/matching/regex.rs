//! Java's regular expressions: their parsed form.
//!
//! Results that differ between releases, or that depend on Unicode tables which differ, are unknown:
//! [`RegexFailure::Open`].

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegexFailure {
    /// Java refuses the pattern.
    Syntax,
    /// The result is unknown, for this reason.
    Open(&'static str),
}

/// The result of parsing or matching.
pub type Read<T> = Result<T, RegexFailure>;

/// The failure when matching takes too many steps.
pub const LONG: RegexFailure = RegexFailure::Open("a regular expression that takes too long");

/// A set of characters.
#[derive(Debug, Clone)]
pub(in crate::interpret::library) enum Class {
    One(char),
    Range(char, char),
    Digit,
    Word,
    Space,
    Horizontal,
    Named(Name),
    Not(Box<Class>),
    Any(Vec<Class>),
    Both(Box<Class>, Box<Class>),
}

/// A named set of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::interpret::library) enum Name {
    Lower,
    Upper,
    Alpha,
    Alnum,
    Punct,
    Xdigit,
    Ascii,
    Letter,
    UpperLetter,
    LowerLetter,
    Number,
    Mark,
    Blank,
    Cntrl,
    Graph,
    Print,
}

/// The greediness of a repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::interpret::library) enum Greed {
    Greedy,
    Lazy,
    Possessive,
}

/// A node of a parsed pattern.
#[derive(Debug, Clone)]
pub(in crate::interpret::library) enum Node {
    Set(Class, bool),
    Any(bool),
    Start(bool),
    End(bool),
    Begin,
    Finish,
    FinishLine,
    Boundary(bool),
    Seq(Vec<Node>),
    Alt(Vec<Node>),
    Repeat(Box<Node>, u32, u32, Greed),
    Group(usize, Box<Node>),
    Back(usize, bool),
    Look { ahead: bool, wanted: bool, node: Box<Node> },
    Atomic(Box<Node>),
}

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Regex {
    /// The root node.
    pub(in crate::interpret::library) node: Node,
    /// Number of groups.
    pub groups: usize,
    /// Names of groups.
    pub names: Vec<(String, usize)>,
    /// Whether a group is within a repeated group: its last capture differs between releases.
    pub nested: bool,
    /// Whether it uses features that differ for characters outside ASCII.
    pub(in crate::interpret::library) ascii_only: bool,
}

/// `CASE_INSENSITIVE`.
pub const CASE_INSENSITIVE: i32 = 2;
/// `MULTILINE`.
pub const MULTILINE: i32 = 8;
/// `LITERAL`.
pub const LITERAL: i32 = 16;
/// `DOTALL`.
pub const DOTALL: i32 = 32;

/// Whether a group is within a repeated group.
pub(super) fn nested(node: &Node, repeated: bool) -> bool {
    match node {
        Node::Seq(all) | Node::Alt(all) => all.iter().any(|node| nested(node, repeated)),
        Node::Repeat(inner, _, max, _) => match &**inner {
            // A group that is itself repeated is fine; a group within it is not.
            Node::Group(_, inner) => nested(inner, *max > 1 || repeated),
            other => nested(other, *max > 1 || repeated),
        },
        Node::Group(_, inner) => repeated || nested(inner, repeated),
        Node::Look { node, .. } | Node::Atomic(node) => nested(node, repeated),
        _ => false,
    }
}

/// The maximum length of a match of a node; `None` if it is unbounded.
pub(super) fn longest(node: &Node) -> Option<usize> {
    Some(match node {
        Node::Set(..) | Node::Any(_) => 1,
        Node::Seq(all) => {
            let mut sum = 0;
            for node in all {
                sum += longest(node)?;
            }
            sum
        }
        Node::Alt(all) => {
            let mut most = 0;
            for node in all {
                most = most.max(longest(node)?);
            }
            most
        }
        Node::Repeat(inner, _, max, _) => {
            if *max == u32::MAX {
                return None;
            }
            longest(inner)?.checked_mul(*max as usize)?
        }
        Node::Group(_, inner) | Node::Atomic(inner) => longest(inner)?,
        Node::Back(..) => return None,
        _ => 0,
    })
}

impl Class {
    /// Whether the set contains a character.
    pub(in crate::interpret::library) fn holds(&self, c: char, insensitive: bool) -> Read<bool> {
        let wide = || -> Read<()> {
            if (c as u32) < 0x250 { Ok(()) } else { Err(RegexFailure::Open("a property of rare characters")) }
        };
        Ok(match self {
            Self::One(own) => *own == c || (insensitive && c.is_ascii() && own.eq_ignore_ascii_case(&c)),
            Self::Range(from, to) => {
                let inside = |c: char| (*from..=*to).contains(&c);
                inside(c)
                    || (insensitive
                        && c.is_ascii()
                        && (inside(c.to_ascii_lowercase()) || inside(c.to_ascii_uppercase())))
            }
            Self::Digit => c.is_ascii_digit(),
            Self::Word => c.is_ascii_alphanumeric() || c == '_',
            Self::Space => matches!(c, ' ' | '\t'..='\r'),
            Self::Horizontal => {
                matches!(
                    c,
                    ' ' | '\t' | '\u{a0}' | '\u{1680}' | '\u{180e}' | '\u{2000}'
                        ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
                )
            }
            Self::Named(name) => match name {
                Name::Lower => c.is_ascii_lowercase(),
                Name::Upper => c.is_ascii_uppercase(),
                Name::Alpha => c.is_ascii_alphabetic(),
                Name::Alnum => c.is_ascii_alphanumeric(),
                Name::Punct => c.is_ascii_punctuation(),
                Name::Xdigit => c.is_ascii_hexdigit(),
                Name::Ascii => c.is_ascii(),
                Name::Blank => matches!(c, ' ' | '\t'),
                Name::Cntrl => c.is_ascii_control(),
                Name::Graph => c.is_ascii_graphic(),
                Name::Print => c.is_ascii_graphic() || c == ' ',
                Name::Letter => {
                    wide()?;
                    c.is_alphabetic()
                }
                Name::Mark => {
                    let is_mark = ('\u{300}'..='\u{36f}').contains(&c);
                    if !is_mark {
                        wide()?;
                    }
                    is_mark
                }
                Name::UpperLetter => {
                    wide()?;
                    c.is_uppercase()
                }
                Name::LowerLetter => {
                    wide()?;
                    c.is_lowercase() && !matches!(c, 'ª' | 'º')
                }
                Name::Number => {
                    wide()?;
                    c.is_ascii_digit()
                }
            },
            Self::Not(inner) => !inner.holds(c, insensitive)?,
            Self::Any(all) => {
                for class in all {
                    if class.holds(c, insensitive)? {
                        return Ok(true);
                    }
                }
                false
            }
            Self::Both(a, b) => a.holds(c, insensitive)? && b.holds(c, insensitive)?,
        })
    }
}
