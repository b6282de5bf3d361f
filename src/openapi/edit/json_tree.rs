//! The tree of a JSON text.

use super::change::EditError;
use super::tree::{Entry, Kind, Node};

/// Reads a text of strict JSON.
pub(super) fn read(text: &str) -> Result<Node, EditError> {
    let mut reader = Reader { text, at: 0 };
    let node = reader.node(0)?;
    reader.space();
    if reader.at < text.len() { Err(reader.odd()) } else { Ok(node) }
}

/// The deepest nesting of objects and lists that is read.
const DEPTH: usize = 200;

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn odd(&self) -> EditError {
        let line = 1 + self.text.as_bytes().iter().take(self.at).filter(|byte| **byte == b'\n').count();
        EditError::Unreadable(format!("line {line} is no plain JSON"))
    }

    fn space(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        self.space();
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn node(&mut self, depth: usize) -> Result<Node, EditError> {
        self.space();
        let start = self.at;
        let kind = match self.peek() {
            _ if depth > DEPTH => return Err(self.odd()),
            Some(b'{') => self.map(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => {
                self.string()?;
                Kind::Scalar
            }
            Some(_) => {
                let rest = self.text.get(self.at..).unwrap_or_default();
                let length = rest.find([',', '}', ']', ' ', '\t', '\r', '\n']).unwrap_or(rest.len());
                if serde_json::from_str::<serde_json::Value>(&rest[..length]).is_err() {
                    return Err(self.odd());
                }
                self.at += length;
                Kind::Scalar
            }
            None => return Err(self.odd()),
        };
        Ok(Node { start, end: self.at, kind })
    }

    fn string(&mut self) -> Result<String, EditError> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'\\') => self.at += 2,
                Some(b'"') => break,
                Some(_) => self.at += 1,
                None => return Err(self.odd()),
            }
        }
        self.at += 1;
        let written = self.text.get(start..self.at).unwrap_or_default();
        serde_json::from_str(written).map_err(|_| self.odd())
    }

    fn map(&mut self, depth: usize) -> Result<Kind, EditError> {
        self.at += 1;
        let mut entries = Vec::new();
        while !self.takes(b'}') {
            if !entries.is_empty() && !self.takes(b',') {
                return Err(self.odd());
            }
            self.space();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.odd());
            }
            let key = self.string()?;
            let key_end = self.at;
            if !self.takes(b':') {
                return Err(self.odd());
            }
            let value = self.node(depth + 1)?;
            entries.push(Entry { key, start, key_end, value });
        }
        Ok(Kind::Map { entries, is_flow: true })
    }

    fn list(&mut self, depth: usize) -> Result<Kind, EditError> {
        self.at += 1;
        let mut items = Vec::new();
        while !self.takes(b']') {
            if !items.is_empty() && !self.takes(b',') {
                return Err(self.odd());
            }
            items.push(self.node(depth + 1)?);
        }
        Ok(Kind::List { items, is_flow: true })
    }
}
