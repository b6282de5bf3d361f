//! XML as a tree of elements, parsed leniently. Only `java::build`, which reads modules from `pom.xml`, uses the XML
//! parser as well.

use quick_xml::events::{BytesStart, Event};

/// An element with its attributes, children and text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Element {
    /// Local name, without a namespace prefix.
    pub name: String,
    /// Attributes in order, by local name.
    pub attributes: Vec<(String, String)>,
    /// Child elements in order.
    pub children: Vec<Element>,
    /// Direct text content, trimmed.
    pub text: String,
    /// Byte offset after its opening tag.
    pub offset: usize,
}

impl Element {
    /// The first child with this name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// All children with this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The text of the first child with this name; `None` if there is none or it is empty.
    pub fn child_text(&self, name: &str) -> Option<&str> {
        self.child(name).map(|child| child.text.as_str()).filter(|text| !text.is_empty())
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// This element and all of its descendants, outer elements first.
    pub fn walk(&self) -> Vec<&Element> {
        let mut found = vec![self];
        for child in &self.children {
            found.extend(child.walk());
        }
        found
    }
}

/// Greatest nesting depth; deeper elements are left out.
const DEPTH: usize = 200;

/// The root element; `None` if there is none. Text after a syntax error is left out.
pub fn parse(text: &str) -> Option<Element> {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let mut stack: Vec<Element> = Vec::new();
    let mut root = None;
    loop {
        let event = reader.read_event();
        let offset = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        match event {
            Ok(Event::Start(start)) if stack.len() < DEPTH => stack.push(element(&start, offset)),
            Ok(Event::Empty(start)) => close(element(&start, offset), &mut stack, &mut root),
            Ok(Event::End(_)) => {
                if let Some(done) = stack.pop() {
                    close(done, &mut stack, &mut root);
                }
            }
            Ok(Event::Text(text)) => {
                if let Some(top) = stack.last_mut() {
                    top.text.push_str(text.trim());
                }
            }
            Ok(Event::GeneralRef(reference)) => {
                if let Some(top) = stack.last_mut() {
                    top.text.push_str(entity(&reference));
                }
            }
            Ok(Event::CData(data)) => {
                if let Some(top) = stack.last_mut() {
                    top.text.push_str(data.trim());
                }
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    while let Some(open) = stack.pop() {
        close(open, &mut stack, &mut root);
    }
    root
}

fn element(start: &BytesStart<'_>, offset: usize) -> Element {
    let local = |name: &str| name.rsplit(':').next().unwrap_or_default().to_owned();
    let attributes = start
        .attributes()
        .with_checks(false)
        .flatten()
        .map(|attribute| (local(attribute.key.as_ref()), unescape(&attribute.value)))
        .collect();
    Element { name: local(start.name().as_ref()), attributes, offset, ..Element::default() }
}

fn close(done: Element, stack: &mut [Element], root: &mut Option<Element>) {
    match stack.last_mut() {
        Some(parent) => parent.children.push(done),
        None => {
            root.get_or_insert(done);
        }
    }
}

fn entity(name: &str) -> &'static str {
    match name {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "quot" => "\"",
        "apos" => "'",
        _ => "",
    }
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_keep_their_order_text_and_attributes() {
        let root = parse("<?xml version='1.0'?><a:p x:k='v&lt;'><q>one</q><!-- no --><r/><q> two </q></a:p>").unwrap();
        assert_eq!(root.name, "p");
        assert_eq!(root.attribute("k"), Some("v<"));
        assert_eq!(root.all("q").map(|q| q.text.as_str()).collect::<Vec<_>>(), ["one", "two"]);
        assert!(root.child("r").is_some());
    }

    #[test]
    fn a_broken_end_keeps_what_came_before() {
        let root = parse("<a><b>x</b><c").unwrap();
        assert_eq!(root.child_text("b"), Some("x"));
        assert!(parse("no markup").is_none());
    }
}
