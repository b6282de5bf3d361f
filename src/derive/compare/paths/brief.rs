//! Long expressions, shortened for readers: what stands deep in brackets is left out.

/// Texts up to this length stay as they are.
const LONG: usize = 100;

/// A group in brackets up to this length is not worth leaving out.
const SHORT_GROUP: usize = 8;

/// A text in which the most deeply nested brackets are emptied, until it is short or nothing is left to empty.
pub(super) fn brief(text: &str) -> String {
    levels(text).find(|level| is_short(level)).unwrap_or_else(|| emptied(text, 1))
}

/// Two texts that are shortened alike, as far as they still read differently.
pub(super) fn brief_pair(before: &str, after: &str) -> (String, String) {
    let whole = (before.to_owned(), after.to_owned());
    let apart = (1..=depth(before).max(depth(after)) + 1).rev();
    let apart = apart.map(|deep| (emptied(before, deep), emptied(after, deep))).take_while(|(was, is)| was != is);
    let mut last = whole;
    for (was, is) in apart {
        let is_enough = is_short(&was) && is_short(&is);
        last = (was, is);
        if is_enough {
            break;
        }
    }
    last
}

fn is_short(text: &str) -> bool {
    text.chars().count() <= LONG
}

/// The text with ever more brackets emptied, the deepest first.
fn levels(text: &str) -> impl Iterator<Item = String> {
    (1..=depth(text) + 1).rev().map(|deep| emptied(text, deep))
}

/// The text with `…` in place of what stands at least this deep in brackets.
fn emptied(text: &str, deep: usize) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for (open, close) in groups(text, deep) {
        if text[open..close].chars().count() > SHORT_GROUP {
            out.push_str(&text[at..open]);
            out.push('…');
            at = close;
        }
    }
    out.push_str(&text[at..]);
    out
}

/// What stands between the brackets of this depth: its first byte, and the one behind its last.
fn groups(text: &str, deep: usize) -> Vec<(usize, usize)> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for (at, is_open) in brackets(text) {
        if is_open {
            open.push(at);
        } else if let Some(start) = open.pop()
            && open.len() + 1 == deep
        {
            found.push((start + 1, at));
        }
    }
    found
}

fn depth(text: &str) -> usize {
    let (mut deep, mut most) = (0_usize, 0);
    for (_, is_open) in brackets(text) {
        deep = if is_open { deep + 1 } else { deep.saturating_sub(1) };
        most = most.max(deep);
    }
    most
}

/// The round brackets outside of quoted texts: where each stands, and whether it opens.
fn brackets(text: &str) -> Vec<(usize, bool)> {
    let (mut found, mut quoted, mut escaped) = (Vec::new(), false, false);
    for (at, c) in text.char_indices() {
        let is_literal = escaped;
        escaped = quoted && c == '\\' && !is_literal;
        match c {
            _ if is_literal => {}
            '"' => quoted = !quoted,
            '(' | ')' if !quoted => found.push((at, c == '(')),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_brackets_are_emptied_first() {
        let long = "x".repeat(90);
        assert_eq!(brief("rows.find(of(id), \"(\")"), "rows.find(of(id), \"(\")");
        assert_eq!(brief(&format!("((a + ({long})) % 12) + total(year)")), "((a + (…)) % 12) + total(year)");
        assert_eq!(brief(&format!("call(\"({long})\", f({long}))")), "call(…)");
    }

    #[test]
    fn two_texts_are_shortened_only_as_far_as_they_read_differently() {
        let long = "y".repeat(120);
        let of = |last: &str| format!("sum(({long}) + f(part({last})))");
        assert_eq!(
            brief_pair(&of("first month"), &of("second month")),
            (of("first month"), of("second month")),
            "the difference stands deepest"
        );
        let of = |last: &str| format!("{last}(f({long}))");
        assert_eq!(brief_pair(&of("a"), &of("b")), ("a(f(…))".to_owned(), "b(f(…))".to_owned()));
    }
}
