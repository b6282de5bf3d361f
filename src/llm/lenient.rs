//! Lenient JSON parsing: reads the near-JSON that models write, and rejects whatever is ambiguous.

use serde_json::{Map, Value};

/// Maximum nesting depth.
const DEEPEST: usize = 128;

/// A parsed value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LenientValue {
    pub value: Value,
    /// End offset in the text.
    pub end: usize,
    /// Number of brackets that were closed at the end of the text.
    pub unclosed: usize,
}

/// Reads the object or array that begins at `start`. Accepts comments, trailing commas, single quotes, unquoted member
/// names, line breaks and invalid escapes in texts, and Python's constants. Brackets that are open at the end of the
/// text are closed.
pub(super) fn read(text: &str, start: usize) -> Option<LenientValue> {
    let mut reader = LenientParser { text, at: start, unclosed: 0 };
    let value = reader.value(0)?;
    Some(LenientValue { value, end: reader.at, unclosed: reader.unclosed })
}

struct LenientParser<'t> {
    text: &'t str,
    at: usize,
    unclosed: usize,
}

impl LenientParser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, c: char) -> bool {
        let taken = self.peek() == Some(c);
        if taken {
            self.at += c.len_utf8();
        }
        taken
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let space = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
            self.at += space;
            let rest = self.rest();
            let comment = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if let Some(inner) = rest.strip_prefix("/*") {
                inner.find("*/").map_or(rest.len(), |end| end + 4)
            } else {
                return;
            };
            self.at += comment;
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        self.skip();
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            '"' => self.text('"').map(Value::String),
            '\'' => self.single().map(Value::String),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.take('{');
        let mut members = Map::new();
        loop {
            self.skip();
            match self.peek() {
                Some('}') => {
                    self.take('}');
                    return Some(Value::Object(members));
                }
                None => return self.close(Value::Object(members)),
                _ => {}
            }
            let name = self.name()?;
            self.skip();
            if !self.take(':') {
                return None;
            }
            let value = self.value(depth + 1)?;
            members.insert(name, value);
            self.skip();
            if !self.take(',') && !matches!(self.peek(), Some('}') | None) {
                return None;
            }
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.take('[');
        let mut items = Vec::new();
        loop {
            self.skip();
            match self.peek() {
                Some(']') => {
                    self.take(']');
                    return Some(Value::Array(items));
                }
                None => return self.close(Value::Array(items)),
                _ => {}
            }
            items.push(self.value(depth + 1)?);
            self.skip();
            if !self.take(',') && !matches!(self.peek(), Some(']') | None) {
                return None;
            }
        }
    }

    fn close(&mut self, value: Value) -> Option<Value> {
        self.unclosed += 1;
        Some(value)
    }

    fn name(&mut self) -> Option<String> {
        match self.peek()? {
            '"' => self.text('"'),
            '\'' => self.single(),
            c if c.is_ascii_alphabetic() || c == '_' || c == '$' => {
                let rest = self.rest();
                let length =
                    rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_$-.".contains(c)).unwrap_or(rest.len());
                let name = rest[..length].to_owned();
                self.at += length;
                Some(name)
            }
            _ => None,
        }
    }

    fn text(&mut self, quote: char) -> Option<String> {
        self.take(quote);
        let mut out = String::new();
        loop {
            let c = self.peek()?;
            self.at += c.len_utf8();
            match c {
                c if c == quote => return Some(out),
                '\\' => self.escape(&mut out)?,
                c => out.push(c),
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Option<()> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        match c {
            '"' | '\\' | '/' | '\'' => out.push(c),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => out.push(self.unicode()?),
            // An invalid escape such as `\d` is kept: a regular expression that was not escaped.
            other => out.extend(['\\', other]),
        }
        Some(())
    }

    fn unicode(&mut self) -> Option<char> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first).or(Some('\u{fffd}'));
        }
        if !self.rest().starts_with("\\u") {
            return Some('\u{fffd}');
        }
        self.at += 2;
        let second = self.hex()?;
        let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400);
        low.and_then(|low| char::from_u32(0x10000 + ((first - 0xd800) << 10) + low)).or(Some('\u{fffd}'))
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(number)
    }

    /// Reads a text in single quotes. It ends at the first unescaped quote before a comma, a colon, a closing bracket
    /// or the end of the line.
    fn single(&mut self) -> Option<String> {
        let start = self.at + 1;
        let line = self.text.get(start..)?;
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        for (at, _) in line.char_indices().filter(|(_, c)| *c == '\'') {
            let escaped = line[..at].ends_with('\\');
            let follows = line[at + 1..].trim_start().chars().next();
            if !escaped && matches!(follows, None | Some(',' | ':' | '}' | ']')) {
                let inner = &line[..at];
                // A text with double quotes and escaped single quotes is ambiguous.
                if inner.contains('"') && inner.contains("\\'") {
                    return None;
                }
                self.at = start + at + 1;
                return Some(inner.replace("\\'", "'").replace("\\n", "\n").replace("\\\\", "\\"));
            }
        }
        None
    }

    fn word(&mut self) -> Option<Value> {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-._".contains(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        let value = match word {
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            "null" | "None" => Value::Null,
            // A number at the end of the text may be incomplete.
            _ if length == rest.len() => return None,
            number => serde_json::from_str(number).ok().filter(Value::is_number)?,
        };
        self.at += length;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn value(text: &str) -> Option<Value> {
        read(text, 0).map(|found| found.value)
    }

    #[test]
    fn what_is_nearly_json_is_read() {
        for (text, expected) in [
            ("{\"a\": 1,}", json!({"a": 1})),
            ("[1, 2, ]", json!([1, 2])),
            ("{// why\n\"a\": 1 /* so */, # or so\n\"b\": 2}", json!({"a": 1, "b": 2})),
            ("{'a': 'b', 'c': 'it''}", json!({"a": "b", "c": "it'"})),
            ("{a: true, b-c: None}", json!({"a": true, "b-c": null})),
            ("{\"re\": \"^\\d+$\"}", json!({"re": "^\\d+$"})),
            ("{\"a\": \"x\ny\"}", json!({"a": "x\ny"})),
            ("{\"a\": \"\\u00e9\\ud83d\\ude00\"}", json!({"a": "é😀"})),
            ("{\"a\": -1.5e3}", json!({"a": -1500.0})),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_could_mean_two_things_is_not() {
        for text in [
            "{id}",
            "{ }x }"[3..].trim(),
            "{\"a\" 1}",
            "{\"a\": }",
            "{\"a\": 1 \"b\": 2}",
            "{\"a\": NaN}",
            "{\"a\": ...}",
            "[1 2]",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(value(&deep), None);
    }

    #[test]
    fn open_brackets_close_at_the_end_and_are_counted() {
        let found = read("{\"a\": [{\"b\": 1}", 0).unwrap();
        assert_eq!((found.value, found.unclosed), (json!({"a": [{"b": 1}]}), 2));
        assert_eq!(value("{\"a\": \"cut he"), None);
        assert_eq!(value("{\"a\": 12"), None);
    }
}
