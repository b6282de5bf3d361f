//! Highlighting of Java: which stretches of a text are keywords, types, texts and the like, by the grammar's own query.

use std::ops::Range;

use super::syntax::{QueryCursor, StreamingIterator, Tree, highlights};

/// What a stretch of code is, as far as it is shown in a colour of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ink {
    /// Nothing of its own: names of variables, punctuation.
    Plain,
    /// A keyword, or a word that stands for a value.
    Keyword,
    /// A type.
    Type,
    /// A method where it is declared or called.
    Method,
    /// An annotation.
    Annotation,
    /// A constant by its name.
    Constant,
    /// A number.
    Number,
    /// A text or a character.
    Text,
    /// An escape within a text.
    Escape,
    /// A comment.
    Comment,
}

/// The coloured stretches of `span`, in order, none over another; what lies between them is plain. Parts of broken code may stay plain.
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
    // What is inside stands over what is around it, and of one stretch the pattern that the query has last.
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
    use super::super::syntax;
    use super::*;

    fn inks(text: &str, wanted: &str) -> Vec<(String, Ink)> {
        let tree = syntax::parse(text).unwrap();
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
