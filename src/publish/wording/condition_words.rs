//! Shortens conditions for the report, and marks code in them with backticks.

/// At most two parts of a condition and the number of further ones, which the evidence lists. Exclusions of several
/// values count as one part.
pub(crate) fn in_short(condition: &str) -> String {
    let parts = parts(condition);
    let mut said: Vec<String> = Vec::new();
    let mut excluded: Vec<(&str, Vec<&str>)> = Vec::new();
    for part in &parts {
        match part.split_once(" is not ") {
            Some((of, value)) if value.starts_with(['"', '\'']) || value.bytes().all(|byte| byte.is_ascii_digit()) => {
                match excluded.iter_mut().find(|(known, _)| *known == of) {
                    Some((_, values)) => values.push(value),
                    None => excluded.push((of, vec![value])),
                }
            }
            _ => said.push((*part).to_owned()),
        }
    }
    said.extend(excluded.iter().map(|(of, values)| match values.as_slice() {
        [only] => format!("{of} is not {only}"),
        values => format!("{of} is none of {}", values.join(", ")),
    }));
    let more = said.len().saturating_sub(2);
    said.truncate(2);
    match more {
        0 => said.join(" and "),
        _ => format!("{}, and {more} more", said.join(", ")),
    }
}

/// Positions of spaces outside brackets and quotes.
fn outer_spaces(text: &str) -> Vec<usize> {
    let (mut found, mut deep, mut quoted, mut escaped) = (Vec::new(), 0_usize, false, false);
    for (at, c) in text.char_indices() {
        let is_literal = escaped;
        escaped = quoted && c == '\\' && !is_literal;
        match c {
            _ if is_literal => {}
            '"' => quoted = !quoted,
            '(' | '[' if !quoted => deep += 1,
            ')' | ']' if !quoted => deep = deep.saturating_sub(1),
            ' ' if !quoted && deep == 0 => found.push(at),
            _ => {}
        }
    }
    found
}

/// The parts of a conjunction (`… and …`).
fn parts(condition: &str) -> Vec<&str> {
    const AND: &str = " and ";
    let (mut parts, mut start) = (Vec::new(), 0);
    for at in outer_spaces(condition).into_iter().filter(|at| condition[*at..].starts_with(AND)) {
        parts.push(&condition[start..at]);
        start = at + AND.len();
    }
    parts.push(&condition[start..]);
    parts
}

/// Marks code with backticks: names with dots or brackets, mixed-case names, and quoted texts.
pub(crate) fn with_code(text: &str) -> String {
    let text = text.replace('`', "");
    let (mut words, mut start) = (Vec::new(), 0);
    for at in outer_spaces(&text) {
        words.push(&text[start..at]);
        start = at + 1;
    }
    words.push(&text[start..]);
    let is_code = |word: &str| {
        let inner = word.trim_end_matches([',', ';', '.']);
        inner.contains(['.', '(', '[', '"', '_', '#', '@'])
            || inner.char_indices().any(|(at, c)| at > 0 && c.is_ascii_uppercase())
    };
    let mut said: Vec<String> = Vec::new();
    let mut was_code = false;
    for word in words {
        let code = is_code(word);
        let inner = word.trim_end_matches([',', ';']);
        let rest = &word[inner.len()..];
        match said.last_mut().filter(|_| code && was_code) {
            // Adjacent pieces of code are merged.
            Some(last) if last.ends_with('`') => {
                last.pop();
                last.push_str(&format!(" {inner}`{rest}"));
            }
            _ if code => said.push(format!("`{inner}`{rest}")),
            _ => said.push(word.to_owned()),
        }
        was_code = code;
    }
    said.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_code_in_a_condition_stands_between_backticks() {
        assert_eq!(with_code("book.cover is null"), "`book.cover` is null");
        assert_eq!(
            with_code("users.findById(id) finds a user and age > 3"),
            "`users.findById(id)` finds a user and age > 3"
        );
        assert_eq!(
            with_code("path contains \"/a b\", keepIds is empty"),
            "path contains `\"/a b\"`, `keepIds` is empty"
        );
        assert_eq!(with_code("now() == a.b"), "`now()` == `a.b`");
    }

    #[test]
    fn of_a_long_condition_two_parts_are_told() {
        assert_eq!(in_short("a is null"), "a is null");
        assert_eq!(
            in_short("at is not \"DE\" and at is not \"a and b\" and n > 2"),
            "n > 2 and at is none of \"DE\", \"a and b\""
        );
        assert_eq!(in_short("a is null and b is null and c is empty and d > 1"), "a is null, b is null, and 2 more");
    }
}
