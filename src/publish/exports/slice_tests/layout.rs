//! Lays out statements by the rules of google-java-format: 100 columns, call chains broken before dots, arguments
//! broken after the bracket.

use super::request::literal;

/// Maximum line width.
const COLUMNS: usize = 100;
/// Indentation of continuation lines.
const MORE: usize = 4;

/// A statement at this indentation, on as many lines as needed.
pub(super) fn statement(code: &str, indent: usize) -> Vec<String> {
    let pad = " ".repeat(indent);
    if fits(code, indent) {
        return vec![format!("{pad}{code}")];
    }
    let parts = chain(code);
    // A short receiver stays on one line with its first call.
    let first = if parts[0].chars().count() < MORE && parts.len() > 2 { 2 } else { 1 };
    if parts.len() > first {
        // Arguments of the first call are indented deeper than the following calls.
        let mut lines = broken(&parts[..first].concat(), indent, 2 * MORE);
        for part in &parts[first..] {
            lines.extend(broken(part, indent + MORE, MORE));
        }
        return lines;
    }
    broken(code, indent, MORE)
}

/// A display-name annotation; a long text is split and concatenated.
pub(super) fn display_name(annotation: &str, text: &str, indent: usize) -> Vec<String> {
    let whole = format!("{annotation}({})", literal(text));
    if fits(&whole, indent) || fits(&format!("{})", literal(text)), indent + MORE) {
        return statement(&whole, indent);
    }
    let pad = " ".repeat(indent);
    let mut lines = vec![format!("{pad}{annotation}(")];
    let mut part = String::new();
    for word in text.split_inclusive(' ') {
        // Leaves room for the plus sign, the quotes and the closing bracket.
        if !part.is_empty() && !fits(&literal(&format!("{part}{}", word.trim_end())), indent + 2 * MORE + 3) {
            lines.push(part_of(&std::mem::take(&mut part), indent, lines.len() == 1));
        }
        part.push_str(word);
    }
    let last = part_of(&part, indent, lines.len() == 1);
    lines.push(format!("{last})"));
    // The space between two parts moves to the beginning of the second one.
    for at in 1..lines.len() - 1 {
        if let Some(cut) = lines[at].strip_suffix(" \"").map(str::to_owned) {
            lines[at] = format!("{cut}\"");
            lines[at + 1] = lines[at + 1].replacen('"', "\" ", 1);
        }
    }
    lines
}

fn part_of(text: &str, indent: usize, is_first: bool) -> String {
    match is_first {
        true => format!("{}{}", " ".repeat(indent + MORE), literal(text)),
        false => format!("{}+ {}", " ".repeat(indent + 2 * MORE), literal(text)),
    }
}

/// A Javadoc comment without indentation.
pub(super) fn comment(text: &str) -> Vec<String> {
    let whole = format!("/** {text} */");
    if fits(&whole, 0) {
        return vec![whole];
    }
    let mut lines = vec!["/**".to_owned()];
    let mut line = String::from(" *");
    for word in text.split(' ') {
        if !fits(&format!("{line} {word}"), 0) && line.len() > 2 {
            lines.push(std::mem::replace(&mut line, String::from(" *")));
        }
        line.push(' ');
        line.push_str(word);
    }
    lines.extend([line, " */".to_owned()]);
    lines
}

fn fits(code: &str, indent: usize) -> bool {
    indent + code.chars().count() <= COLUMNS
}

/// A part of a statement; if it is too long, its last arguments move to lines of their own.
fn broken(code: &str, indent: usize, more: usize) -> Vec<String> {
    let pad = " ".repeat(indent);
    if fits(code, indent) {
        return vec![format!("{pad}{code}")];
    }
    if let Some((left, right)) = assigned(code) {
        let mut lines = vec![format!("{pad}{left} =")];
        lines.extend(statement(right, indent + MORE));
        return lines;
    }
    let Some((open, close)) = arguments(code) else { return vec![format!("{pad}{code}")] };
    let (head, inner, tail) = (&code[..=open], &code[open + 1..close], &code[close..]);
    let mut lines = vec![format!("{pad}{head}")];
    let whole = format!("{inner}{tail}");
    if fits(&whole, indent + more) {
        lines.push(format!("{}{whole}", " ".repeat(indent + more)));
        return lines;
    }
    // The items of an annotation's array stand on lines of their own.
    if let Some(items) = whole.find("= {").filter(|_| code.starts_with('@')).map(|at| at + 3)
        && let Some(end) = whole.rfind('}')
    {
        lines.push(format!("{pad}    {}", &whole[..items]));
        let all = split(&whole[items..end]);
        let count = all.len();
        for (n, one) in all.into_iter().enumerate() {
            lines.push(format!("{pad}      {one}{}", if n + 1 < count { "," } else { "" }));
        }
        lines.push(format!("{pad}    {}", &whole[end..]));
        return lines;
    }
    let all = split(inner);
    let count = all.len();
    for (n, one) in all.into_iter().enumerate() {
        let end = if n + 1 == count { tail } else { "," };
        lines.extend(statement(&format!("{one}{end}"), indent + more));
    }
    lines
}

/// Both sides of an assignment.
fn assigned(code: &str) -> Option<(&str, &str)> {
    let at = walk(code).find(|(at, depth)| *depth == 0 && code[*at..].starts_with(" = "))?.0;
    Some((&code[..at], &code[at + 3..]))
}

/// Splits a chain of calls before its dots.
fn chain(code: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut called = false;
    for (at, depth) in walk(code) {
        let is_call = code[at..].starts_with('.') && depth == 0 && next_is_call(&code[at + 1..]);
        if is_call && at > from {
            // A class name such as `Optional` stays with its first static call.
            let is_class = !called && code[from..at].starts_with(|c: char| c.is_ascii_uppercase());
            if !is_class {
                parts.push(code[from..at].to_owned());
                from = at;
            }
            called = true;
        }
    }
    parts.push(code[from..].to_owned());
    parts
}

fn next_is_call(rest: &str) -> bool {
    let name = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    name.len() < rest.len() && name.starts_with('(')
}

/// Begin and end of the last non-empty argument list.
fn arguments(code: &str) -> Option<(usize, usize)> {
    let places: Vec<(usize, usize)> = walk(code).collect();
    let opens = places.iter().filter(|(at, depth)| code[*at..].starts_with('(') && *depth == 0);
    let mut found = None;
    for (open, _) in opens {
        let close = places.iter().find(|(at, depth)| at > open && *depth == 0 && code[*at..].starts_with(')'));
        if let Some((close, _)) = close
            && *close > open + 1
        {
            found = Some((*open, *close));
        }
    }
    found
}

/// Splits arguments at their commas.
fn split(inner: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, depth) in walk(inner) {
        if depth == 0 && inner[at..].starts_with(',') {
            parts.push(inner[from..at].trim());
            from = at + 1;
        }
    }
    parts.push(inner[from..].trim());
    parts
}

/// Positions outside of literals, with the nesting depth of brackets.
fn walk(code: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut escaped = false;
    code.char_indices().filter_map(move |(at, c)| {
        if let Some(end) = quote {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == end => quote = None,
                _ => {}
            }
            return None;
        }
        match c {
            '"' | '\'' => {
                quote = Some(c);
                None
            }
            '(' | '[' | '{' => {
                depth += 1;
                Some((at, depth - 1))
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                Some((at, depth))
            }
            _ => Some((at, depth)),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::statement;

    #[test]
    fn what_is_too_long_is_broken_at_dots_and_then_at_arguments() {
        let chain = "mvc.perform(get(\"/notes/{id}\", \"7\")).andExpect(status().isOk()).andExpect(jsonPath(\"$.id\").value(1));";
        assert_eq!(
            statement(chain, 4),
            [
                "    mvc.perform(get(\"/notes/{id}\", \"7\"))",
                "        .andExpect(status().isOk())",
                "        .andExpect(jsonPath(\"$.id\").value(1));",
            ]
        );
        let text = "a".repeat(60);
        let call = format!("Note note = new Note(\"{text}\", \"{text}\");");
        assert_eq!(
            statement(&call, 4),
            [
                "    Note note =".to_owned(),
                "        new Note(".to_owned(),
                format!("            \"{text}\","),
                format!("            \"{text}\");"),
            ]
        );
        assert_eq!(
            statement("when(rows.find(7L)).thenReturn(null);", 4),
            ["    when(rows.find(7L)).thenReturn(null);"]
        );
    }
}
