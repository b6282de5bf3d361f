//! Syntax highlighting of Java, based on the grammar's highlight query.

use std::ops::Range;

use super::tree::{QueryCursor, StreamingIterator, Tree, highlights};

/// The colour class of a stretch of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ink {
    /// No colour: variable names, punctuation.
    Plain,
    /// A keyword, or a literal such as `true` or `null`.
    Keyword,
    /// A type.
    Type,
    /// The name of a method in a declaration or a call.
    Method,
    /// An annotation.
    Annotation,
    /// A constant, recognised by its name.
    Constant,
    /// A number.
    Number,
    /// A string or character literal.
    Text,
    /// An escape sequence within a literal.
    Escape,
    /// A comment.
    Comment,
}

/// The coloured ranges of `span`, in order and without overlap; text between them is plain. Parts of broken code may
/// stay plain.
pub fn highlight(text: &str, tree: &Tree, span: Range<usize>) -> Vec<(Range<usize>, Ink)> {
    let Some(query) = highlights() else { return Vec::new() };
    let mut found: Vec<(Range<usize>, usize, Ink)> = Vec::new();
    let mut cursor = QueryCursor::new();
    cursor.set_byte_range(span.clone());
    let names = query.capture_names();
    let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
    while let Some(one) = matches.next() {
        for capture in one.captures() {
            let ink = names.get(capture.index as usize).map_or(Ink::Plain, |name| ink(name));
            let (start, end) = (capture.node.start_byte().max(span.start), capture.node.end_byte().min(span.end));
            if start < end {
                found.push((start..end, one.pattern_index, ink));
            }
        }
    }
    // Inner ranges win over outer ones; for the same range, the later pattern of the query wins.
    found.sort_by_key(|(range, pattern, _)| (std::cmp::Reverse(range.len()), *pattern));
    let mut inks = vec![Ink::Plain; span.len()];
    for (range, _, ink) in found {
        if let Some(place) = inks.get_mut(range.start - span.start..range.end - span.start) {
            place.fill(ink);
        }
    }
    let mut out: Vec<(Range<usize>, Ink)> = Vec::new();
    for (at, ink) in inks.into_iter().enumerate() {
        let at = span.start + at;
        match out.last_mut() {
            Some((range, last)) if *last == ink => range.end = at + 1,
            _ => out.push((at..at + 1, ink)),
        }
    }
    out.retain(|(_, ink)| *ink != Ink::Plain);
    out
}

fn ink(capture: &str) -> Ink {
    match capture {
        "keyword" | "constant.builtin" | "variable.builtin" | "function.builtin" | "type.builtin" => Ink::Keyword,
        "type" => Ink::Type,
        "function.method" => Ink::Method,
        "attribute" => Ink::Annotation,
        "constant" => Ink::Constant,
        "number" => Ink::Number,
        "string" => Ink::Text,
        "string.escape" => Ink::Escape,
        "comment" => Ink::Comment,
        _ => Ink::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree;
    use super::*;

    fn inks(text: &str, wanted: &str) -> Vec<(String, Ink)> {
        let tree = tree::parse(text).unwrap();
        let start = text.find(wanted).unwrap();
        let found = highlight(text, &tree, start..start + wanted.len());
        found.into_iter().map(|(range, ink)| (text[range].to_owned(), ink)).collect()
    }

    #[test]
    fn a_member_is_coloured_by_what_its_parts_are() {
        let text = "class A {\n  // é\n  @Get(\"/x\") int f(String s) { return LIMIT + s.length() + 3; }\n}\n";
        let wanted = "@Get(\"/x\") int f(String s) { return LIMIT + s.length() + 3; }";
        let found = inks(text, wanted);
        let said = |text: &str| found.iter().find(|(part, _)| part == text).map(|(_, ink)| *ink);
        assert_eq!(said("Get"), Some(Ink::Annotation));
        assert_eq!(said("\"/x\""), Some(Ink::Text));
        assert_eq!((said("int"), said("return")), (Some(Ink::Keyword), Some(Ink::Keyword)));
        assert_eq!((said("f"), said("length")), (Some(Ink::Method), Some(Ink::Method)));
        assert_eq!(
            (said("String"), said("LIMIT"), said("3")),
            (Some(Ink::Type), Some(Ink::Constant), Some(Ink::Number))
        );
        assert_eq!(inks(text, "// é"), [("// é".to_owned(), Ink::Comment)]);
    }

    #[test]
    fn an_escape_stands_over_its_text_and_broken_code_is_no_failure() {
        let found = inks("class A { String s = \"a\\n\"; }", "\"a\\n\"");
        assert_eq!(found, [("\"a".into(), Ink::Text), ("\\n".into(), Ink::Escape), ("\"".into(), Ink::Text)]);
        assert!(inks("class A { void f( { if ", "void f( { if ").iter().any(|(part, _)| part == "void"));
    }
}
