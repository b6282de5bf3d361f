//! Field paths: dotted keys, `[0]`, `[*]` (every element), `[?]` (some element) and `[]` (a list of what follows); a backslash
//! escapes the next character; `""` is the whole body.

use serde_json::Value;

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The value of this key.
    Key(String),
    /// The element of this index.
    Index(usize),
    /// `[*]`: every element.
    Every,
    /// `[?]`: at least one element.
    Some,
    /// `[]`: the list of what follows in each element.
    List,
}

/// Why a text is no path; `None` where it is one.
pub fn problem(path: &str) -> Option<String> {
    let steps = match steps(path) {
        Ok(steps) => steps,
        Err(why) => return Some(why),
    };
    let list = steps.iter().position(|step| *step == Step::List)?;
    let behind = steps.iter().skip(list).any(|step| matches!(step, Step::Every | Step::Some));
    behind.then(|| "[*] and [?] cannot stand behind []".to_owned())
}

/// The value at a path of keys and indices; `None` where nothing is there, or the path has other steps.
pub fn at<'v>(root: &'v Value, path: &str) -> Option<&'v Value> {
    steps(path).ok()?.iter().try_fold(root, |value, step| match step {
        Step::Key(key) => value.as_object()?.get(key),
        Step::Index(index) => value.as_array()?.get(*index),
        Step::Every | Step::Some | Step::List => None,
    })
}

/// The steps of a path.
///
/// # Errors
/// Where the text is no path.
pub fn steps(path: &str) -> Result<Vec<Step>, String> {
    let wrong = || format!("no path: {path}");
    let mut out = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']').ok_or_else(wrong)?;
            out.push(match index {
                "*" => Step::Every,
                "?" => Step::Some,
                "" => Step::List,
                digits if digits.bytes().all(|b| b.is_ascii_digit()) => {
                    Step::Index(digits.parse().map_err(|_| wrong())?)
                }
                _ => return Err(wrong()),
            });
            rest = after;
            continue;
        }
        rest = rest.strip_prefix('.').unwrap_or(rest);
        let mut key = String::new();
        let mut chars = rest.char_indices();
        let mut end = rest.len();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => key.push(chars.next().ok_or_else(wrong)?.1),
                '.' | '[' => {
                    end = at;
                    break;
                }
                c => key.push(c),
            }
        }
        if end == 0 || rest.is_empty() {
            return Err(wrong());
        }
        out.push(Step::Key(key));
        rest = &rest[end..];
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_path_that_cannot_be_followed_is_refused_with_the_reason() {
        assert_eq!(problem("a[].b[?]").as_deref(), Some("[*] and [?] cannot stand behind []"));
        assert_eq!(problem("a[x]").as_deref(), Some("no path: a[x]"));
        assert_eq!(problem("a[*].b[]"), None);
        assert_eq!(at(&json!({"a": [{"b.c": 1}]}), "a[0].b\\.c"), Some(&json!(1)));
    }
}
