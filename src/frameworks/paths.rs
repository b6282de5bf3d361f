//! Paths of routes: joins prefixes and paths, and parses templates with regular expressions.

/// Joins a prefix and a path with exactly one slash between them and one before; an empty part adds nothing.
pub fn join(prefix: &str, path: &str) -> String {
    let mut joined = String::new();
    for part in [prefix, path] {
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        if !joined.ends_with('/') && !part.starts_with('/') {
            joined.push('/');
        }
        let part = if joined.ends_with('/') { part.trim_start_matches('/') } else { part };
        joined.push_str(part);
    }
    collapse(if joined.is_empty() { "/" } else { &joined })
}

/// Replaces every run of slashes outside of braces by one slash.
fn collapse(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut depth = 0_u32;
    for c in path.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '/' if depth == 0 && out.ends_with('/') => continue,
            _ => {}
        }
        out.push(c);
    }
    out
}

/// Normalises a prefix such as a context path: with a leading slash and without a trailing one; empty for `/`.
pub fn prefix(text: &str) -> String {
    let text = text.trim().trim_end_matches("/*").trim_matches('/');
    if text.is_empty() { String::new() } else { collapse(&format!("/{text}")) }
}

/// A path variable of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its regular expression, if it has one.
    pub regex: Option<String>,
}

/// The template without regular expressions (`{id: [0-9]+}` → `{id}`, `{*rest}` → `{rest}`), and its variables in
/// order.
pub fn template(raw: &str) -> (String, Vec<Variable>) {
    let mut out = String::with_capacity(raw.len());
    let mut variables = Vec::new();
    let mut rest = raw;
    while let Some(open) = rest.find('{') {
        let Some(length) = closing(&rest[open..]) else { break };
        out.push_str(&rest[..open]);
        let inner = &rest[open + 1..open + length];
        let (name, regex) = match inner.split_once(':') {
            Some((name, regex)) => (name.trim(), Some(regex.trim().to_owned())),
            None => (inner.trim(), None),
        };
        let (name, regex) = match name.strip_prefix('*') {
            Some(name) => (name, Some(".*".to_owned())),
            None => (name, regex),
        };
        out.push('{');
        out.push_str(name);
        out.push('}');
        variables.push(Variable { name: name.to_owned(), regex });
        rest = &rest[open + length + 1..];
    }
    out.push_str(rest);
    (out, variables)
}

/// Offset of the brace that closes the one at the start; braces may be nested, as in `{id:[0-9]{3}}`.
pub(crate) fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The path with variable names erased and without a trailing slash: `/orders/{}`.
pub fn key(path: &str) -> String {
    let (path, _) = template(path);
    let mut out = String::with_capacity(path.len());
    let mut inside = false;
    for c in path.chars() {
        match c {
            '{' => {
                inside = true;
                out.push('{');
            }
            '}' => {
                inside = false;
                out.push('}');
            }
            _ if inside => {}
            _ => out.push(c),
        }
    }
    let out = collapse(&format!("/{out}"));
    let trimmed = out.trim_end_matches('/');
    if trimmed.is_empty() { "/".to_owned() } else { trimmed.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_are_missing_double_and_trailing() {
        assert_eq!(join("orders", "{id}"), "/orders/{id}");
        assert_eq!(join("/orders/", "//{id}/"), "/orders/{id}/");
        assert_eq!(join("", ""), "/");
        assert_eq!(join("/", "/"), "/");
        assert_eq!(join("/a", ""), "/a");
        assert_eq!(prefix("api/*"), "/api");
        assert_eq!(prefix("/"), "");
    }

    #[test]
    fn regular_expressions_may_hold_braces_and_slashes() {
        let (path, variables) = template("/a/{id:[0-9]{3}}/{rest: .+}/{*all}");
        assert_eq!(path, "/a/{id}/{rest}/{all}");
        assert_eq!(variables[0].regex.as_deref(), Some("[0-9]{3}"));
        assert_eq!(variables.len(), 3);
        assert_eq!(key("/a/{id:[0-9]+}/"), "/a/{}");
        assert_eq!(key("a//b"), "/a/b");
        assert_eq!(key("/"), "/");
    }
}
