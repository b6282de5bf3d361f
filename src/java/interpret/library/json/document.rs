//! JSON documents: strict parsing, and the output formats of Gson and Jackson.

/// A JSON value; a number keeps its text.
#[derive(Debug, Clone, PartialEq)]
pub enum Doc {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, with its text as written.
    Number(String),
    /// A text.
    Text(String),
    /// An array.
    Array(Vec<Doc>),
    /// An object: its members in order.
    Object(Vec<(String, Doc)>),
}

/// Maximum nesting of objects and arrays.
const DEPTH: usize = 60;

/// Parses a document; `None` if it violates the standard, even if a lenient parser would accept it.
pub fn parse(text: &str) -> Option<Doc> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let doc = reader.value(0)?;
    reader.space();
    (reader.at == reader.text.len()).then_some(doc)
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn space(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.space();
        let there = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(there);
        there
    }

    fn word(&mut self, word: &str, doc: Doc) -> Option<Doc> {
        let there = self.text.get(self.at..)?.starts_with(word.as_bytes());
        self.at += word.len();
        there.then_some(doc)
    }

    fn value(&mut self, depth: usize) -> Option<Doc> {
        if depth > DEPTH {
            return None;
        }
        self.space();
        match self.text.get(self.at)? {
            b'{' => {
                self.at += 1;
                let mut members: Vec<(String, Doc)> = Vec::new();
                if self.eat(b'}') {
                    return Some(Doc::Object(members));
                }
                loop {
                    self.space();
                    let name = self.string()?;
                    if !self.eat(b':') {
                        return None;
                    }
                    let value = self.value(depth + 1)?;
                    members.push((name, value));
                    if self.eat(b'}') {
                        return Some(Doc::Object(members));
                    }
                    if !self.eat(b',') {
                        return None;
                    }
                }
            }
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                if self.eat(b']') {
                    return Some(Doc::Array(items));
                }
                loop {
                    items.push(self.value(depth + 1)?);
                    if self.eat(b']') {
                        return Some(Doc::Array(items));
                    }
                    if !self.eat(b',') {
                        return None;
                    }
                }
            }
            b'"' => self.string().map(Doc::Text),
            b't' => self.word("true", Doc::Bool(true)),
            b'f' => self.word("false", Doc::Bool(false)),
            b'n' => self.word("null", Doc::Null),
            _ => self.number(),
        }
    }

    fn digits(&mut self) -> Option<()> {
        let from = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        (self.at > from).then_some(())
    }

    fn number(&mut self) -> Option<Doc> {
        let from = self.at;
        if self.text.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        let whole = self.at;
        self.digits()?;
        if self.text.get(whole) == Some(&b'0') && self.at > whole + 1 {
            return None;
        }
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.text.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.text.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = std::str::from_utf8(self.text.get(from..self.at)?).ok()?;
        Some(Doc::Number(text.to_owned()))
    }

    fn string(&mut self) -> Option<String> {
        if self.text.get(self.at) != Some(&b'"') {
            return None;
        }
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            match self.text.get(self.at)? {
                b'"' => {
                    self.at += 1;
                    return String::from_utf8(bytes).ok();
                }
                b'\\' => {
                    self.at += 1;
                    let escape = *self.text.get(self.at)?;
                    self.at += 1;
                    let c = match escape {
                        b'"' | b'\\' | b'/' => char::from(escape),
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'n' => '\n',
                        b'r' => '\r',
                        b't' => '\t',
                        b'u' => self.unit()?,
                        _ => return None,
                    };
                    bytes.extend(c.to_string().bytes());
                }
                byte if *byte < 0x20 => return None,
                byte => {
                    bytes.push(*byte);
                    self.at += 1;
                }
            }
        }
    }

    fn hex(&mut self) -> Option<u16> {
        let digits = std::str::from_utf8(self.text.get(self.at..self.at + 4)?).ok()?;
        self.at += 4;
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
    }

    fn unit(&mut self) -> Option<char> {
        let first = self.hex()?;
        if let Some(c) = char::from_u32(first.into()) {
            return Some(c);
        }
        if self.text.get(self.at..self.at + 2)? != b"\\u" {
            return None;
        }
        self.at += 2;
        let second = self.hex()?;
        char::decode_utf16([first, second]).next()?.ok()
    }
}

/// The output format of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// Whether the format is Jackson's; otherwise it is Gson's.
    pub jackson: bool,
    /// Whether `<`, `>`, `&`, `=` and `'` are escaped.
    pub html: bool,
    /// Whether null members are omitted.
    pub without_nulls: bool,
    /// Whether the output is indented: line breaks, and two spaces per level.
    pub pretty: bool,
}

/// Writes a document.
pub fn write(doc: &Doc, style: Style) -> String {
    let mut out = String::new();
    put(doc, style, 0, &mut out);
    out
}

fn line(style: Style, level: usize, out: &mut String) {
    if style.pretty {
        out.push('\n');
        out.push_str(&"  ".repeat(level));
    }
}

fn put(doc: &Doc, style: Style, level: usize, out: &mut String) {
    match doc {
        Doc::Null => out.push_str("null"),
        Doc::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Doc::Number(text) => out.push_str(text),
        Doc::Text(text) => quote(text, style, out),
        Doc::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                line(style, level + 1, out);
                put(item, style, level + 1, out);
            }
            if !items.is_empty() {
                line(style, level, out);
            }
            out.push(']');
        }
        Doc::Object(members) => {
            out.push('{');
            let mut any = false;
            for (name, value) in members {
                if style.without_nulls && *value == Doc::Null {
                    continue;
                }
                if any {
                    out.push(',');
                }
                any = true;
                line(style, level + 1, out);
                quote(name, style, out);
                out.push_str(if style.pretty { ": " } else { ":" });
                put(value, style, level + 1, out);
            }
            if any {
                line(style, level, out);
            }
            out.push('}');
        }
    }
}

fn quote(text: &str, style: Style, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\u{c}' => out.push_str("\\f"),
            c if (c as u32) < 0x20 && style.jackson => out.push_str(&format!("\\u{:04X}", c as u32)),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            '\u{2028}' | '\u{2029}' if !style.jackson => out.push_str(&format!("\\u{:04x}", c as u32)),
            '<' | '>' | '&' | '=' | '\'' if style.html => out.push_str(&format!("\\u{:04x}", c as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_read_and_written_alike() {
        for text in [r#"{"a":[1,2.50,-3e7],"b":null,"c":{"d":"x\"y\\"}}"#, "[]", "{}", r#""ü""#, "true"] {
            assert_eq!(parse(text).map(|doc| write(&doc, Style::default())).as_deref(), Some(text));
        }
        for text in ["", "{a:1}", "[1,]", "01", "'x'", "[1] 2", "nul"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
