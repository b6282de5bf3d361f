//! Parses Java's regular expressions.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::regex::{
    CASE_INSENSITIVE, Class, DOTALL, Greed, LITERAL, LONG, MULTILINE, Node, Read, Regex, RegexFailure, longest, nested,
};

/// A parser for a pattern.
pub(in crate::interpret::library) struct Reader<'t> {
    pub(in crate::interpret::library) text: &'t [char],
    pub(in crate::interpret::library) at: usize,
    pub(in crate::interpret::library) flags: i32,
    pub(in crate::interpret::library) groups: usize,
    pub(in crate::interpret::library) names: Vec<(String, usize)>,
    pub(in crate::interpret::library) ascii_only: bool,
    pub(in crate::interpret::library) depth: usize,
}

/// Maximum number of cached patterns.
const KEPT: usize = 256;

thread_local! {
    /// The patterns that this thread has parsed.
    static READ: RefCell<Patterns> = RefCell::default();
}

/// Patterns by text and flags.
type Patterns = FxHashMap<(Box<str>, i32), Rc<Regex>>;

/// Parses a pattern, or returns it from the cache.
pub fn compile(pattern: &str, flags: i32) -> Read<Rc<Regex>> {
    let key = (Box::from(pattern), flags);
    if let Some(known) = READ.with_borrow(|read| read.get(&key).cloned()) {
        return Ok(known);
    }
    let regex = Rc::new(read(pattern, flags)?);
    READ.with_borrow_mut(|read| {
        if read.len() >= KEPT {
            read.clear();
        }
        read.insert(key, regex.clone());
    });
    Ok(regex)
}

fn read(pattern: &str, flags: i32) -> Read<Regex> {
    if flags & !(CASE_INSENSITIVE | MULTILINE | LITERAL | DOTALL) != 0 {
        return Err(RegexFailure::Open("a flag of a regular expression"));
    }
    let text: Vec<char> = pattern.chars().collect();
    if text.iter().any(|c| *c as u32 > 0xffff) || text.len() > 2000 {
        return Err(RegexFailure::Open("a pattern with rare characters"));
    }
    let ascii = flags & CASE_INSENSITIVE != 0;
    let mut reader = Reader { text: &text, at: 0, flags, groups: 0, names: Vec::new(), ascii_only: false, depth: 0 };
    let node = if flags & LITERAL != 0 {
        Node::Seq(text.iter().map(|c| Node::Set(Class::One(*c), ascii)).collect())
    } else {
        let node = reader.alternatives()?;
        if reader.at < text.len() {
            return Err(RegexFailure::Syntax);
        }
        node
    };
    let nested = nested(&node, false);
    Ok(Regex { node, groups: reader.groups, names: reader.names, nested, ascii_only: reader.ascii_only })
}

impl Reader<'_> {
    pub(in crate::interpret::library) fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    pub(in crate::interpret::library) fn eat(&mut self, c: char) -> bool {
        let there = self.peek() == Some(c);
        self.at += usize::from(there);
        there
    }

    pub(super) fn looking(&self, text: &str) -> bool {
        let wanted: Vec<char> = text.chars().collect();
        self.text[self.at.min(self.text.len())..].starts_with(&wanted)
    }

    pub(super) fn insensitive(&self) -> bool {
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
                return Err(RegexFailure::Open("a repetition of what is empty or repeated"));
            }
            last = Node::Repeat(Box::new(last), min, max, greed);
        }
        atom.push(last);
        Ok(atom)
    }

    /// Reads `{n}`, `{n,}` or `{n,m}`, including the closing brace.
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
        let Some(min) = number(self)? else { return Err(RegexFailure::Syntax) };
        let max = if self.eat(',') { number(self)?.unwrap_or(u32::MAX) } else { min };
        if !self.eat('}') || max < min {
            return Err(RegexFailure::Syntax);
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
            '*' | '+' | '?' => return Err(RegexFailure::Syntax),
            '{' => return Err(RegexFailure::Syntax),
            other => Node::Set(Class::One(other), self.insensitive()),
        };
        Ok(vec![one])
    }

    fn close(&mut self) -> Read<()> {
        if self.eat(')') { Ok(()) } else { Err(RegexFailure::Syntax) }
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
                    return Err(RegexFailure::Open("looking behind without a bound"));
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
                return Err(RegexFailure::Syntax);
            }
            self.groups += 1;
            let index = self.groups;
            self.names.push((name, index));
            return Ok(Some(Node::Group(index, Box::new(self.within()?))));
        }
        // Inline flags apply to the rest of the enclosing group, or to a group of their own.
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
                Some(_) => return Err(RegexFailure::Open("a flag of a regular expression")),
                None => return Err(RegexFailure::Syntax),
            };
            self.at += 1;
            self.flags = if on { self.flags | flag } else { self.flags & !flag };
        }
    }

    fn escape(&mut self) -> Read<Vec<Node>> {
        let Some(c) = self.peek() else { return Err(RegexFailure::Syntax) };
        let insensitive = self.insensitive();
        let one = match c {
            'b' | 'B' => {
                self.ascii_only = true;
                if self.text.get(self.at + 1) == Some(&'{') {
                    return Err(RegexFailure::Open("a boundary of Unicode"));
                }
                Node::Boundary(c == 'b')
            }
            'A' => Node::Begin,
            'z' => Node::Finish,
            'Z' => Node::FinishLine,
            'G' | 'R' | 'X' | 'N' | 'v' | 'V' => return Err(RegexFailure::Open("a rare escape")),
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
                    return Err(RegexFailure::Syntax);
                }
                let from = self.at;
                while self.peek().is_some_and(|c| c != '>') {
                    self.at += 1;
                }
                let name: String = self.text[from..self.at].iter().collect();
                if !self.eat('>') {
                    return Err(RegexFailure::Syntax);
                }
                let Some((_, index)) = self.names.iter().find(|(other, _)| *other == name) else {
                    return Err(RegexFailure::Syntax);
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
                    return Err(RegexFailure::Open("a reference to a group that comes later"));
                }
                return Ok(vec![Node::Back(index, insensitive)]);
            }
            _ => return Ok(vec![Node::Set(self.escaped_class()?, insensitive)]),
        };
        self.at += 1;
        Ok(vec![one])
    }
}
