//! Parses the parts of a regular expression that match one character: escapes, properties and bracketed classes.

use super::regex::{Class, LONG, Name, Read, RegexFailure};
use super::regex_read::Reader;

impl Reader<'_> {
    fn hex(&mut self, count: usize) -> Read<char> {
        let digits: String = self.text.iter().skip(self.at).take(count).collect();
        if digits.len() != count {
            return Err(RegexFailure::Syntax);
        }
        self.at += count;
        match u32::from_str_radix(&digits, 16).map(char::from_u32) {
            Ok(Some(c)) => Ok(c),
            Ok(None) => Err(RegexFailure::Open("half a character")),
            Err(_) => Err(RegexFailure::Syntax),
        }
    }

    /// A character class after a backslash.
    pub(super) fn escaped_class(&mut self) -> Read<Class> {
        let Some(c) = self.peek() else { return Err(RegexFailure::Syntax) };
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
            '0' | 'c' => return Err(RegexFailure::Open("a rare escape")),
            c if c.is_ascii_alphabetic() => return Err(RegexFailure::Syntax),
            c => Class::One(c),
        })
    }

    fn property(&mut self) -> Read<Class> {
        if self.insensitive() {
            return Err(RegexFailure::Open("a property without regard to case"));
        }
        let name: String = if self.eat('{') {
            let from = self.at;
            while self.peek().is_some_and(|c| c != '}') {
                self.at += 1;
            }
            let name = self.text[from..self.at].iter().collect();
            if !self.eat('}') {
                return Err(RegexFailure::Syntax);
            }
            name
        } else {
            let Some(c) = self.peek() else { return Err(RegexFailure::Syntax) };
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
            "M" | "IsM" | "Mn" | "IsMn" => Class::Named(Name::Mark),
            "InCombiningDiacriticalMarks" | "InCOMBINING_DIACRITICAL_MARKS" => Class::Range('\u{300}', '\u{36f}'),
            _ => return Err(RegexFailure::Open("a property of Unicode")),
        })
    }

    /// A bracketed class, after its opening bracket.
    pub(in crate::interpret::library) fn class(&mut self) -> Read<Class> {
        self.depth += 1;
        if self.depth > 60 {
            return Err(LONG);
        }
        let negated = self.eat('^');
        let mut parts = Vec::new();
        let mut both: Option<Class> = None;
        let mut first = true;
        loop {
            let Some(c) = self.peek() else { return Err(RegexFailure::Syntax) };
            if c == ']' && !first {
                self.at += 1;
                break;
            }
            if c == ']' {
                // A bracket in first position is a literal only in some contexts.
                return Err(RegexFailure::Open("a bracket at the start of a class"));
            }
            first = false;
            if self.looking("&&") {
                if negated {
                    return Err(RegexFailure::Open("an intersection in a negated class"));
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
                    return Err(RegexFailure::Open("a hyphen before an intersection"));
                }
                match self.class_item()? {
                    Class::One(to) if to >= from => parts.push(Class::Range(from, to)),
                    _ => return Err(RegexFailure::Syntax),
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
        let Some(c) = self.peek() else { return Err(RegexFailure::Syntax) };
        self.at += 1;
        if c != '\\' {
            return Ok(Class::One(c));
        }
        match self.peek() {
            Some('Q' | 'E' | 'b' | 'B' | 'R' | 'X' | 'v' | 'V' | 'N' | 'k' | 'G' | 'A' | 'z' | 'Z') => {
                Err(RegexFailure::Open("a rare escape"))
            }
            Some('1'..='9') => Err(RegexFailure::Syntax),
            _ => self.escaped_class(),
        }
    }
}
