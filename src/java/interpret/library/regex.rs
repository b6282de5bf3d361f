//! Regular expressions in Java's dialect: read, and matched by backtracking in the order in which Java tries, within counted steps.
//!
//! What differs between releases, or rests on tables of Unicode that do, is not known: [`Odd::Open`].

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Odd {
    /// Java refuses the pattern.
    Syntax,
    /// Not known, and why.
    Open(&'static str),
}

type Read<T> = Result<T, Odd>;

const LONG: Odd = Odd::Open("a regular expression that takes too long");

#[derive(Debug, Clone)]
enum Class {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
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
    Blank,
    Cntrl,
    Graph,
    Print,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Greed {
    Greedy,
    Lazy,
    Possessive,
}

#[derive(Debug, Clone)]
enum Node {
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
    node: Node,
    /// Number of groups.
    pub groups: usize,
    /// Names of groups.
    pub names: Vec<(String, usize)>,
    /// Whether a group stands in a group that is repeated: what it captured last differs.
    pub nested: bool,
    ascii_only: bool,
}

/// `CASE_INSENSITIVE`.
pub const CASE_INSENSITIVE: i32 = 2;
/// `MULTILINE`.
pub const MULTILINE: i32 = 8;
/// `LITERAL`.
pub const LITERAL: i32 = 16;
/// `DOTALL`.
pub const DOTALL: i32 = 32;

struct Reader<'t> {
    text: &'t [char],
    at: usize,
    flags: i32,
    groups: usize,
    names: Vec<(String, usize)>,
    ascii_only: bool,
    depth: usize,
}

/// Reads a pattern.
pub fn compile(pattern: &str, flags: i32) -> Read<Regex> {
    if flags & !(CASE_INSENSITIVE | MULTILINE | LITERAL | DOTALL) != 0 {
        return Err(Odd::Open("a flag of a regular expression"));
    }
    let text: Vec<char> = pattern.chars().collect();
    if text.iter().any(|c| *c as u32 > 0xffff) || text.len() > 2000 {
        return Err(Odd::Open("a pattern with rare characters"));
    }
    let ascii = flags & CASE_INSENSITIVE != 0;
    let mut reader = Reader { text: &text, at: 0, flags, groups: 0, names: Vec::new(), ascii_only: false, depth: 0 };
    let node = if flags & LITERAL != 0 {
        Node::Seq(text.iter().map(|c| Node::Set(Class::One(*c), ascii)).collect())
    } else {
        let node = reader.alternatives()?;
        if reader.at < text.len() {
            return Err(Odd::Syntax);
        }
        node
    };
    let nested = nested(&node, false);
    Ok(Regex { node, groups: reader.groups, names: reader.names, nested, ascii_only: reader.ascii_only })
}

fn nested(node: &Node, repeated: bool) -> bool {
    match node {
        Node::Seq(all) | Node::Alt(all) => all.iter().any(|node| nested(node, repeated)),
        Node::Repeat(inner, _, max, _) => match &**inner {
            // The group that is itself repeated is plain; those within are not.
            Node::Group(_, inner) => nested(inner, *max > 1 || repeated),
            other => nested(other, *max > 1 || repeated),
        },
        Node::Group(_, inner) => repeated || nested(inner, repeated),
        Node::Look { node, .. } | Node::Atomic(node) => nested(node, repeated),
        _ => false,
    }
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, c: char) -> bool {
        let there = self.peek() == Some(c);
        self.at += usize::from(there);
        there
    }

    fn looking(&self, text: &str) -> bool {
        let wanted: Vec<char> = text.chars().collect();
        self.text[self.at.min(self.text.len())..].starts_with(&wanted)
    }

    fn insensitive(&self) -> bool {
        self.flags & CASE_INSENSITIVE != 0
    }

    fn alternatives(&mut self) -> Read<Node> {
        self.depth += 1;
        if self.depth > 60 {
            return Err(LONG);
        }
        let mut all = vec![self.sequence()?];
        while self.eat('|') {
            all.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(if all.len() == 1 { all.swap_remove(0) } else { Node::Alt(all) })
    }

    fn sequence(&mut self) -> Read<Node> {
        let mut all = Vec::new();
        while let Some(c) = self.peek() {
            if matches!(c, '|' | ')') {
                break;
            }
            let atom = self.atom()?;
            all.extend(self.quantified(atom)?);
        }
        Ok(Node::Seq(all))
    }

    fn quantified(&mut self, atom: Vec<Node>) -> Read<Vec<Node>> {
        let mut atom = atom;
        let Some(mut last) = atom.pop() else { return Ok(atom) };
        loop {
            let (min, max) = match self.peek() {
                Some('?') => (0, 1),
                Some('*') => (0, u32::MAX),
                Some('+') => (1, u32::MAX),
                Some('{') => {
                    let (min, max) = self.counts()?;
                    self.at -= 1;
                    (min, max)
                }
                _ => break,
            };
            self.at += 1;
            let greed = if self.eat('?') {
                Greed::Lazy
            } else if self.eat('+') {
                Greed::Possessive
            } else {
                Greed::Greedy
            };
            if matches!(last, Node::Repeat(..))
                || matches!(last, Node::Start(_) | Node::End(_) | Node::Boundary(_) | Node::Look { .. })
            {
                return Err(Odd::Open("a repetition of what is empty or repeated"));
            }
            last = Node::Repeat(Box::new(last), min, max, greed);
        }
        atom.push(last);
        Ok(atom)
    }

    /// `{n}`, `{n,}` or `{n,m}`; leaves the place after the brace.
    fn counts(&mut self) -> Read<(u32, u32)> {
        self.at += 1;
        let number = |reader: &mut Self| -> Read<Option<u32>> {
            let from = reader.at;
            while reader.peek().is_some_and(|c| c.is_ascii_digit()) {
                reader.at += 1;
            }
            let text: String = reader.text[from..reader.at].iter().collect();
            if text.is_empty() {
                return Ok(None);
            }
            match text.parse::<u32>() {
                Ok(n) if n <= 1000 => Ok(Some(n)),
                _ => Err(LONG),
            }
        };
        let Some(min) = number(self)? else { return Err(Odd::Syntax) };
        let max = if self.eat(',') { number(self)?.unwrap_or(u32::MAX) } else { min };
        if !self.eat('}') || max < min {
            return Err(Odd::Syntax);
        }
        Ok((min, max))
    }

    fn atom(&mut self) -> Read<Vec<Node>> {
        let Some(c) = self.peek() else { return Ok(Vec::new()) };
        self.at += 1;
        let one = match c {
            '.' => Node::Any(self.flags & DOTALL != 0),
            '^' => Node::Start(self.flags & MULTILINE != 0),
            '$' => Node::End(self.flags & MULTILINE != 0),
            '(' => return self.group().map(|node| node.into_iter().collect()),
            '[' => {
                let class = self.class()?;
                Node::Set(class, self.insensitive())
            }
            '\\' => return self.escape(),
            '*' | '+' | '?' => return Err(Odd::Syntax),
            '{' => return Err(Odd::Syntax),
            other => Node::Set(Class::One(other), self.insensitive()),
        };
        Ok(vec![one])
    }

    fn close(&mut self) -> Read<()> {
        if self.eat(')') { Ok(()) } else { Err(Odd::Syntax) }
    }

    fn within(&mut self) -> Read<Node> {
        let flags = self.flags;
        let node = self.alternatives()?;
        self.close()?;
        self.flags = flags;
        Ok(node)
    }

    fn group(&mut self) -> Read<Option<Node>> {
        if !self.eat('?') {
            self.groups += 1;
            let index = self.groups;
            return Ok(Some(Node::Group(index, Box::new(self.within()?))));
        }
        for (mark, ahead, wanted) in [("=", true, true), ("!", true, false), ("<=", false, true), ("<!", false, false)]
        {
            if self.looking(mark) {
                self.at += mark.len();
                let node = self.within()?;
                if !ahead && longest(&node).is_none() {
                    return Err(Odd::Open("looking behind without a bound"));
                }
                return Ok(Some(Node::Look { ahead, wanted, node: Box::new(node) }));
            }
        }
        if self.eat(':') {
            return Ok(Some(self.within()?));
        }
        if self.eat('>') {
            return Ok(Some(Node::Atomic(Box::new(self.within()?))));
        }
        if self.eat('<') {
            let from = self.at;
            while self.peek().is_some_and(|c| c.is_ascii_alphanumeric()) {
                self.at += 1;
            }
            let name: String = self.text[from..self.at].iter().collect();
            let good = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
            if !good || !self.eat('>') || self.names.iter().any(|(other, _)| *other == name) {
                return Err(Odd::Syntax);
            }
            self.groups += 1;
            let index = self.groups;
            self.names.push((name, index));
            return Ok(Some(Node::Group(index, Box::new(self.within()?))));
        }
        // Flags: for the rest of the group, or for a group of their own.
        let before = self.flags;
        let mut on = true;
        loop {
            let flag = match self.peek() {
                Some('i') => CASE_INSENSITIVE,
                Some('m') => MULTILINE,
                Some('s') => DOTALL,
                Some('-') => {
                    on = false;
                    self.at += 1;
                    continue;
                }
                Some(')') => {
                    self.at += 1;
                    return Ok(None);
                }
                Some(':') => {
                    self.at += 1;
                    let node = self.alternatives()?;
                    self.close()?;
                    self.flags = before;
                    return Ok(Some(node));
                }
                Some(_) => return Err(Odd::Open("a flag of a regular expression")),
                None => return Err(Odd::Syntax),
            };
            self.at += 1;
            self.flags = if on { self.flags | flag } else { self.flags & !flag };
        }
    }

    fn escape(&mut self) -> Read<Vec<Node>> {
        let Some(c) = self.peek() else { return Err(Odd::Syntax) };
        let insensitive = self.insensitive();
        let one = match c {
            'b' | 'B' => {
                self.ascii_only = true;
                if self.text.get(self.at + 1) == Some(&'{') {
                    return Err(Odd::Open("a boundary of Unicode"));
                }
                Node::Boundary(c == 'b')
            }
            'A' => Node::Begin,
            'z' => Node::Finish,
            'Z' => Node::FinishLine,
            'G' | 'R' | 'X' | 'N' | 'v' | 'V' => return Err(Odd::Open("a rare escape")),
            'Q' => {
                self.at += 1;
                let mut all = Vec::new();
                while self.at < self.text.len() && !self.looking("\\E") {
                    all.push(Node::Set(Class::One(self.text[self.at]), insensitive));
                    self.at += 1;
                }
                self.at = (self.at + 2).min(self.text.len());
                return Ok(all);
            }
            'k' => {
                self.at += 1;
                if !self.eat('<') {
                    return Err(Odd::Syntax);
                }
                let from = self.at;
                while self.peek().is_some_and(|c| c != '>') {
                    self.at += 1;
                }
                let name: String = self.text[from..self.at].iter().collect();
                if !self.eat('>') {
                    return Err(Odd::Syntax);
                }
                let Some((_, index)) = self.names.iter().find(|(other, _)| *other == name) else {
                    return Err(Odd::Syntax);
                };
                return Ok(vec![Node::Back(*index, insensitive)]);
            }
            '1'..='9' => {
                self.at += 1;
                let mut index = c.to_digit(10).unwrap_or_default() as usize;
                while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
                    let next = index * 10 + digit as usize;
                    if next > self.groups {
                        break;
                    }
                    index = next;
                    self.at += 1;
                }
                if index > self.groups {
                    return Err(Odd::Open("a reference to a group that comes later"));
                }
                return Ok(vec![Node::Back(index, insensitive)]);
            }
            _ => return Ok(vec![Node::Set(self.escaped_class()?, insensitive)]),
        };
        self.at += 1;
        Ok(vec![one])
    }

    fn hex(&mut self, count: usize) -> Read<char> {
        let digits: String = self.text.iter().skip(self.at).take(count).collect();
        if digits.len() != count {
            return Err(Odd::Syntax);
        }
        self.at += count;
        match u32::from_str_radix(&digits, 16).map(char::from_u32) {
            Ok(Some(c)) => Ok(c),
            Ok(None) => Err(Odd::Open("half a character")),
            Err(_) => Err(Odd::Syntax),
        }
    }

    /// What stands after a backslash, as a class.
    fn escaped_class(&mut self) -> Read<Class> {
        let Some(c) = self.peek() else { return Err(Odd::Syntax) };
        self.at += 1;
        let not = |class: Class| Class::Not(Box::new(class));
        Ok(match c {
            'd' => Class::Digit,
            'D' => not(Class::Digit),
            'w' => Class::Word,
            'W' => not(Class::Word),
            's' => Class::Space,
            'S' => not(Class::Space),
            'h' => Class::Horizontal,
            'H' => not(Class::Horizontal),
            't' => Class::One('\t'),
            'n' => Class::One('\n'),
            'r' => Class::One('\r'),
            'f' => Class::One('\u{c}'),
            'a' => Class::One('\u{7}'),
            'e' => Class::One('\u{1b}'),
            'x' => Class::One(self.hex(2)?),
            'u' => Class::One(self.hex(4)?),
            'p' => self.property()?,
            'P' => not(self.property()?),
            '0' | 'c' => return Err(Odd::Open("a rare escape")),
            c if c.is_ascii_alphabetic() => return Err(Odd::Syntax),
            c => Class::One(c),
        })
    }

    fn property(&mut self) -> Read<Class> {
        if self.insensitive() {
            return Err(Odd::Open("a property without regard to case"));
        }
        let name: String = if self.eat('{') {
            let from = self.at;
            while self.peek().is_some_and(|c| c != '}') {
                self.at += 1;
            }
            let name = self.text[from..self.at].iter().collect();
            if !self.eat('}') {
                return Err(Odd::Syntax);
            }
            name
        } else {
            let Some(c) = self.peek() else { return Err(Odd::Syntax) };
            self.at += 1;
            c.to_string()
        };
        Ok(match name.as_str() {
            "Digit" => Class::Digit,
            "Space" => Class::Space,
            "Lower" => Class::Named(Name::Lower),
            "Upper" => Class::Named(Name::Upper),
            "Alpha" => Class::Named(Name::Alpha),
            "Alnum" => Class::Named(Name::Alnum),
            "Punct" => Class::Named(Name::Punct),
            "XDigit" => Class::Named(Name::Xdigit),
            "ASCII" => Class::Named(Name::Ascii),
            "Blank" => Class::Named(Name::Blank),
            "Cntrl" => Class::Named(Name::Cntrl),
            "Graph" => Class::Named(Name::Graph),
            "Print" => Class::Named(Name::Print),
            "L" | "IsL" | "IsAlphabetic" | "IsLetter" | "javaLetter" => Class::Named(Name::Letter),
            "Lu" | "IsLu" => Class::Named(Name::UpperLetter),
            "Ll" | "IsLl" => Class::Named(Name::LowerLetter),
            "Nd" | "IsNd" | "IsDigit" => Class::Named(Name::Number),
            _ => return Err(Odd::Open("a property of Unicode")),
        })
    }

    /// A class after its opening bracket.
    fn class(&mut self) -> Read<Class> {
        self.depth += 1;
        if self.depth > 60 {
            return Err(LONG);
        }
        let negated = self.eat('^');
        let mut parts = Vec::new();
        let mut both: Option<Class> = None;
        let mut first = true;
        loop {
            let Some(c) = self.peek() else { return Err(Odd::Syntax) };
            if c == ']' && !first {
                self.at += 1;
                break;
            }
            if c == ']' {
                // A bracket that comes first: read as itself in some places only.
                return Err(Odd::Open("a bracket at the start of a class"));
            }
            first = false;
            if self.looking("&&") {
                if negated {
                    return Err(Odd::Open("an intersection in a negated class"));
                }
                self.at += 2;
                let left = Class::Any(std::mem::take(&mut parts));
                both = Some(match both {
                    Some(before) => Class::Both(Box::new(before), Box::new(left)),
                    None => left,
                });
                continue;
            }
            if c == '[' {
                self.at += 1;
                parts.push(self.class()?);
                continue;
            }
            let low = self.class_item()?;
            let range = self.peek() == Some('-') && !matches!(self.text.get(self.at + 1), None | Some(']' | '['));
            if let (Class::One(from), true) = (&low, range) {
                let from = *from;
                self.at += 1;
                if self.looking("&&") {
                    return Err(Odd::Open("a hyphen before an intersection"));
                }
                match self.class_item()? {
                    Class::One(to) if to >= from => parts.push(Class::Range(from, to)),
                    _ => return Err(Odd::Syntax),
                }
                continue;
            }
            parts.push(low);
        }
        self.depth -= 1;
        let right = Class::Any(parts);
        let all = match both {
            Some(left) => Class::Both(Box::new(left), Box::new(right)),
            None => right,
        };
        Ok(if negated { Class::Not(Box::new(all)) } else { all })
    }

    fn class_item(&mut self) -> Read<Class> {
        let Some(c) = self.peek() else { return Err(Odd::Syntax) };
        self.at += 1;
        if c != '\\' {
            return Ok(Class::One(c));
        }
        match self.peek() {
            Some('Q' | 'E' | 'b' | 'B' | 'R' | 'X' | 'v' | 'V' | 'N' | 'k' | 'G' | 'A' | 'z' | 'Z') => {
                Err(Odd::Open("a rare escape"))
            }
            Some('1'..='9') => Err(Odd::Syntax),
            _ => self.escaped_class(),
        }
    }
}

/// The longest text that a node can match; `None` where there is no bound.
fn longest(node: &Node) -> Option<usize> {
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
    fn holds(&self, c: char, insensitive: bool) -> Read<bool> {
        let wide = || -> Read<()> {
            if (c as u32) < 0x250 { Ok(()) } else { Err(Odd::Open("a property of rare characters")) }
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

/// Places of the groups of a match, the whole first.
pub type Found = Vec<Option<(usize, usize)>>;

struct Run<'t> {
    text: &'t [char],
    groups: Found,
    steps: usize,
    depth: usize,
}

type Then<'k, 't> = &'k mut dyn FnMut(&mut Run<'t>, usize) -> Read<bool>;

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

impl<'t> Run<'t> {
    fn matches(&mut self, node: &Node, at: usize, then: Then<'_, 't>) -> Read<bool> {
        self.steps += 1;
        if self.steps > 100_000 || self.depth > 1500 {
            return Err(LONG);
        }
        self.depth += 1;
        let result = self.step(node, at, then);
        self.depth -= 1;
        result
    }

    fn step(&mut self, node: &Node, at: usize, then: Then<'_, 't>) -> Read<bool> {
        let here = self.text.get(at).copied();
        let length = self.text.len();
        match node {
            Node::Set(class, insensitive) => match here {
                Some(c) if class.holds(c, *insensitive)? => then(self, at + 1),
                _ => Ok(false),
            },
            Node::Any(all) => match here {
                Some(c) if *all || !is_line_end(c) => then(self, at + 1),
                _ => Ok(false),
            },
            Node::Start(lines) => {
                let start = at == 0
                    || (*lines
                        && at < length
                        && is_line_end(self.text[at - 1])
                        && !(self.text[at - 1] == '\r' && here == Some('\n')));
                if start { then(self, at) } else { Ok(false) }
            }
            Node::End(lines) => {
                let end = at == length
                    || self.before_last_line_end(at)
                    || (*lines && here.is_some_and(is_line_end) && !self.within_line_end(at));
                if end { then(self, at) } else { Ok(false) }
            }
            Node::Begin => {
                if at == 0 {
                    then(self, at)
                } else {
                    Ok(false)
                }
            }
            Node::Finish => {
                if at == length {
                    then(self, at)
                } else {
                    Ok(false)
                }
            }
            Node::FinishLine => {
                if at == length || self.before_last_line_end(at) {
                    then(self, at)
                } else {
                    Ok(false)
                }
            }
            Node::Boundary(wanted) => {
                let word = |c: Option<&char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_');
                let before = at.checked_sub(1).and_then(|at| self.text.get(at));
                let boundary = word(before) != word(self.text.get(at));
                if boundary == *wanted { then(self, at) } else { Ok(false) }
            }
            Node::Seq(all) => self.sequence(all, at, then),
            Node::Alt(all) => {
                for one in all {
                    let saved = self.groups.clone();
                    if self.matches(one, at, then)? {
                        return Ok(true);
                    }
                    self.groups = saved;
                }
                Ok(false)
            }
            Node::Repeat(inner, min, max, greed) => match greed {
                Greed::Possessive => {
                    let mut end = None;
                    let all = self.repeat(inner, 0, (*min, *max), false, at, &mut |_, at| {
                        end = Some(at);
                        Ok(true)
                    })?;
                    match end {
                        Some(end) if all => then(self, end),
                        _ => Ok(false),
                    }
                }
                greed => self.repeat(inner, 0, (*min, *max), *greed == Greed::Lazy, at, then),
            },
            Node::Group(index, inner) => {
                let index = *index;
                let old = self.groups[index];
                let done = self.matches(inner, at, &mut |run, end| {
                    let before = run.groups[index];
                    run.groups[index] = Some((at, end));
                    if then(run, end)? {
                        return Ok(true);
                    }
                    run.groups[index] = before;
                    Ok(false)
                })?;
                if !done {
                    self.groups[index] = old;
                }
                Ok(done)
            }
            Node::Back(index, insensitive) => {
                let Some((from, to)) = self.groups[*index] else { return Ok(false) };
                let wanted: Vec<char> = self.text[from..to].to_vec();
                let Some(given) = self.text.get(at..at + wanted.len()) else { return Ok(false) };
                let same = if *insensitive {
                    given.iter().zip(&wanted).all(|(a, b)| a == b || a.eq_ignore_ascii_case(b))
                } else {
                    given == wanted.as_slice()
                };
                if same { then(self, at + wanted.len()) } else { Ok(false) }
            }
            Node::Look { ahead: true, wanted, node } => {
                let saved = self.groups.clone();
                let found = self.matches(node, at, &mut |_, _| Ok(true))?;
                if found != *wanted {
                    self.groups = saved;
                    return Ok(false);
                }
                if !*wanted {
                    self.groups = saved;
                }
                then(self, at)
            }
            Node::Look { ahead: false, wanted, node } => {
                let saved = self.groups.clone();
                let most = longest(node).unwrap_or_default();
                let mut found = false;
                for back in 0..=most.min(at) {
                    if self.matches(node, at - back, &mut |_, end| Ok(end == at))? {
                        found = true;
                        break;
                    }
                }
                if found != *wanted {
                    self.groups = saved;
                    return Ok(false);
                }
                if !*wanted {
                    self.groups = saved;
                }
                then(self, at)
            }
            Node::Atomic(inner) => {
                let mut end = None;
                self.matches(inner, at, &mut |_, at| {
                    end = Some(at);
                    Ok(true)
                })?;
                match end {
                    Some(end) => then(self, end),
                    None => Ok(false),
                }
            }
        }
    }

    fn before_last_line_end(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        match rest {
            ['\r', '\n'] => true,
            ['\n'] => at.checked_sub(1).and_then(|at| self.text.get(at)) != Some(&'\r'),
            [c] => is_line_end(*c),
            _ => false,
        }
    }

    fn within_line_end(&self, at: usize) -> bool {
        self.text.get(at) == Some(&'\n') && at > 0 && self.text.get(at - 1) == Some(&'\r')
    }

    fn sequence(&mut self, all: &[Node], at: usize, then: Then<'_, 't>) -> Read<bool> {
        match all.split_first() {
            None => then(self, at),
            Some((first, rest)) => self.matches(first, at, &mut |run, at| run.sequence(rest, at, then)),
        }
    }

    fn repeat(
        &mut self,
        inner: &Node,
        count: u32,
        (min, max): (u32, u32),
        lazy: bool,
        at: usize,
        then: Then<'_, 't>,
    ) -> Read<bool> {
        self.steps += 1;
        if self.steps > 100_000 {
            return Err(LONG);
        }
        if lazy && count >= min && then(self, at)? {
            return Ok(true);
        }
        if count < max {
            let saved = self.groups.clone();
            let more = self.matches(inner, at, &mut |run, end| {
                if end == at {
                    // No progress: what comes next is tried.
                    return if lazy && count >= min { Ok(false) } else { then(run, end) };
                }
                run.repeat(inner, count + 1, (min, max), lazy, end, then)
            })?;
            if more {
                return Ok(true);
            }
            self.groups = saved;
        }
        if !lazy && count >= min { then(self, at) } else { Ok(false) }
    }
}

impl Regex {
    /// Whether a text can be matched at all here.
    fn check(&self, text: &[char]) -> Read<()> {
        if text.len() > 1000 {
            return Err(Odd::Open("a long text"));
        }
        if text.iter().any(|c| *c as u32 > 0xffff || (self.ascii_only && !c.is_ascii())) {
            return Err(Odd::Open("a text with rare characters"));
        }
        Ok(())
    }

    /// Matches at a place; `whole` where the match must reach the end.
    pub fn at(&self, text: &[char], at: usize, whole: bool) -> Read<Option<Found>> {
        self.check(text)?;
        let mut run = Run { text, groups: vec![None; self.groups + 1], steps: 0, depth: 0 };
        let mut end = None;
        let found = run.matches(&self.node, at, &mut |_, to| {
            if whole && to != text.len() {
                return Ok(false);
            }
            end = Some(to);
            Ok(true)
        })?;
        match end {
            Some(end) if found => {
                run.groups[0] = Some((at, end));
                Ok(Some(run.groups))
            }
            _ => Ok(None),
        }
    }

    /// The first match from a place on.
    pub fn find(&self, text: &[char], from: usize) -> Read<Option<Found>> {
        for at in from..=text.len() {
            if let Some(found) = self.at(text, at, false)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(pattern: &str, text: &str) -> Read<bool> {
        let text: Vec<char> = text.chars().collect();
        Ok(compile(pattern, 0)?.at(&text, 0, true)?.is_some())
    }

    #[test]
    fn patterns_match_as_java_does() {
        assert_eq!(whole("[A-Z]{2}\\d{5,}", "DE12345"), Ok(true));
        assert_eq!(whole("(a|b)*c", "ababc"), Ok(true));
        assert_eq!(whole("a++a", "aaa"), Ok(false));
        assert_eq!(whole("(..)\\1", "abab"), Ok(true));
        assert_eq!(whole("foo(?!bar).*", "foobar"), Ok(false));
        assert_eq!(whole("(", ""), Err(Odd::Syntax));
    }

    #[test]
    fn what_explodes_is_cut() {
        assert_eq!(whole("(a|aa)+$", &format!("{}b", "a".repeat(60))), Err(LONG));
    }
}
