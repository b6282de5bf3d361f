//! Builds the tree of a YAML text from the events of its parser.

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::change::EditError;
use super::tree::{Entry, Kind, Node};

/// Reads the first document of a text.
pub(super) fn read(text: &str) -> Result<Node, EditError> {
    let mut bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    bytes.push(text.len());
    let mut reader = Reader { text, bytes, events: Parser::new_from_str(text), last: 0 };
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamStart | Event::DocumentStart(_) | Event::Nothing => {}
            Event::StreamEnd => return Err(EditError::Unreadable("it is empty".to_owned())),
            event => return reader.node(&event, span),
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    /// Byte offset of each character.
    bytes: Vec<usize>,
    events: Parser<'t, saphyr_parser::StrInput<'t>>,
    /// End of the last part of the text that was read.
    last: usize,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<(Event<'t>, Span), EditError> {
        match self.events.next() {
            Some(Ok(next)) => Ok(next),
            Some(Err(error)) => Err(EditError::Unreadable(error.to_string())),
            None => Err(EditError::Unreadable("it ends too early".to_owned())),
        }
    }

    fn byte(&self, index: usize) -> usize {
        self.bytes.get(index).copied().unwrap_or(self.text.len())
    }

    fn node(&mut self, event: &Event<'t>, span: Span) -> Result<Node, EditError> {
        let (start, end) = (self.byte(span.start.index()), self.byte(span.end.index()));
        match event {
            Event::MappingStart(..) => self.map(start),
            Event::SequenceStart(..) => self.list(start),
            Event::Alias(_) => {
                self.last = end;
                Ok(Node { start, end, kind: Kind::Alias })
            }
            Event::Scalar(_, style, ..) => {
                // The parser reports an empty value at the position of the next token; it is placed at the end of the
                // previous one.
                if start == end {
                    return Ok(Node { start: self.last, end: self.last, kind: Kind::Scalar });
                }
                let end = match style {
                    ScalarStyle::Literal | ScalarStyle::Folded => start + self.text[start..end].trim_end().len(),
                    _ => end,
                };
                self.last = end;
                Ok(Node { start, end, kind: Kind::Scalar })
            }
            _ => Err(EditError::Unreadable("a value is missing".to_owned())),
        }
    }

    fn is_flow(&self, start: usize) -> bool {
        self.text[start..].starts_with(['{', '['])
    }

    fn map(&mut self, start: usize) -> Result<Node, EditError> {
        let is_flow = self.is_flow(start);
        let mut entries = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                return Ok(self.ended(start, span, Kind::Map { entries, is_flow }, is_flow));
            }
            let key = match &event {
                Event::Scalar(text, ..) => text.to_string(),
                _ => String::new(),
            };
            let node = self.node(&event, span)?;
            let (event, span) = self.next()?;
            // The colon after the key is written even if no value follows.
            self.last = self.last.max(node.end + usize::from(self.text[node.end..].starts_with(':')));
            let value = self.node(&event, span)?;
            entries.push(Entry { key, start: node.start, key_end: node.end, value });
        }
    }

    fn list(&mut self, start: usize) -> Result<Node, EditError> {
        let is_flow = self.is_flow(start);
        let mut items = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                return Ok(self.ended(start, span, Kind::List { items, is_flow }, is_flow));
            }
            items.push(self.node(&event, span)?);
        }
    }

    fn ended(&mut self, start: usize, span: Span, kind: Kind, is_flow: bool) -> Node {
        if is_flow {
            self.last = self.byte(span.end.index());
        }
        Node { start, end: self.last.max(start), kind }
    }
}
