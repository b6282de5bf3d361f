//! Field paths of assertions: construction and comparison.

/// The path of a key inside the object at `path`; special characters in the key are escaped.
pub fn child(path: &str, key: &str) -> String {
    let mut out = String::with_capacity(path.len() + key.len() + 1);
    out.push_str(path);
    if !path.is_empty() {
        out.push('.');
    }
    if key.is_empty() {
        // An empty key cannot be written as a path; assertions never use one.
        out.push('\\');
        return out;
    }
    for c in key.chars() {
        if matches!(c, '.' | '[' | ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The path of an element, by its index or `*`.
pub fn element(path: &str, index: impl std::fmt::Display) -> String {
    format!("{path}[{index}]")
}

/// The steps of a path (keys and indices), still escaped.
pub fn steps(path: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut step = String::new();
    let mut chars = path.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                step.push('\\');
                step.extend(chars.next());
            }
            '.' => out.extend((!step.is_empty()).then(|| std::mem::take(&mut step))),
            '[' => {
                out.extend((!step.is_empty()).then(|| std::mem::take(&mut step)));
                step.push('[');
            }
            ']' => {
                step.push(']');
                out.push(std::mem::take(&mut step));
            }
            c => step.push(c),
        }
    }
    out.extend((!step.is_empty()).then_some(step));
    out
}

/// The relation of one path to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lies {
    /// The same place.
    At,
    /// Inside the other.
    Below,
    /// Around the other.
    Above,
    /// Disjoint.
    Apart,
}

/// The relation of `path` to `other`; `[*]`, `[?]` and `[]` match any index.
pub fn lies(path: &str, other: &str) -> Lies {
    let (a, b) = (steps(path), steps(other));
    let any = |step: &str| matches!(step, "[*]" | "[?]" | "[]");
    let index = |step: &str| step.starts_with('[');
    let same = |x: &String, y: &String| x == y || (index(x) && index(y) && (any(x) || any(y)));
    if !a.iter().zip(&b).all(|(x, y)| same(x, y)) {
        return Lies::Apart;
    }
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Equal => Lies::At,
        std::cmp::Ordering::Greater => Lies::Below,
        std::cmp::Ordering::Less => Lies::Above,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_by_their_steps() {
        assert_eq!(lies("items[0].id", "items[*].id"), Lies::At);
        assert_eq!(lies("items", "items[*].id"), Lies::Above);
        assert_eq!(lies("", "a"), Lies::Above);
        assert_eq!(lies("a.b", "a"), Lies::Below);
        assert_eq!(lies("ab", "a"), Lies::Apart);
        assert_eq!(steps(&child(&child("", "a.b"), "c[0]")), ["a\\.b", "c\\[0\\]"]);
        assert_eq!(steps("[0][1].x"), ["[0]", "[1]", "x"]);
    }
}
