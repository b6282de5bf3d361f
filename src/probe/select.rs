//! Evaluates field paths: dotted keys, `[0]` and `[*]`; a backslash escapes the next character; `""` is the whole body.

use serde_json::Value;

/// A value found by a path (or its absence), with the indices that each `[*]` matched.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit<'a> {
    /// The value; `None` where it is absent.
    pub value: Option<&'a Value>,
    places: Vec<usize>,
}

impl Hit<'_> {
    /// The path with concrete indices in place of each `[*]`.
    pub fn at(&self, path: &str) -> String {
        let mut places = self.places.iter();
        let mut out = String::new();
        for (n, part) in path.split("[*]").enumerate() {
            if n > 0 {
                let place = places.next().map_or_else(|| "*".to_owned(), usize::to_string);
                out.push_str(&format!("[{place}]"));
            }
            out.push_str(part);
        }
        out
    }
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
    Every,
}

/// The values at a path. `[*]` yields every element of an array, so an empty array yields none.
///
/// # Errors
/// Where the path is invalid, or `[*]` stands behind anything but an array.
pub fn select<'a>(root: Option<&'a Value>, path: &str) -> Result<Vec<Hit<'a>>, String> {
    let mut found = vec![Hit { value: root, places: Vec::new() }];
    for step in steps(path)? {
        match step {
            Step::Key(key) => {
                for hit in &mut found {
                    hit.value = hit.value.and_then(Value::as_object).and_then(|object| object.get(&key));
                }
            }
            Step::Index(at) => {
                for hit in &mut found {
                    hit.value = hit.value.and_then(Value::as_array).and_then(|array| array.get(at));
                }
            }
            Step::Every => {
                let mut next = Vec::new();
                for hit in found {
                    let Some(Value::Array(items)) = hit.value else {
                        let stands = hit.value.map_or("nothing", kind);
                        return Err(format!("no array before [*]: {stands} stands there"));
                    };
                    next.extend(items.iter().enumerate().map(|(n, item)| Hit {
                        value: Some(item),
                        places: hit.places.iter().copied().chain([n]).collect(),
                    }));
                }
                found = next;
            }
        }
    }
    Ok(found)
}

/// The JSON type of a value.
pub fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn steps(path: &str) -> Result<Vec<Step>, String> {
    let wrong = || format!("no path: {path}");
    let mut out = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']').ok_or_else(wrong)?;
            out.push(match index {
                "*" => Step::Every,
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

    fn found(path: &str) -> Result<Vec<(String, Option<Value>)>, String> {
        let root = json!({"a": [{"b": 1}, {"c": 2}], "x.y": {"": 3}, "e": []});
        Ok(select(Some(&root), path)?.iter().map(|hit| (hit.at(path), hit.value.cloned())).collect())
    }

    #[test]
    fn a_path_leads_to_values_and_says_where_each_stands() {
        assert_eq!(found("a[1].c"), Ok(vec![("a[1].c".to_owned(), Some(json!(2)))]));
        assert_eq!(found("a[*].b"), Ok(vec![("a[0].b".to_owned(), Some(json!(1))), ("a[1].b".to_owned(), None)]));
        assert_eq!(found("e[*].b"), Ok(vec![]));
        assert_eq!(found("x\\.y"), Ok(vec![("x\\.y".to_owned(), Some(json!({"": 3})))]));
        assert_eq!(found("a.b"), Ok(vec![("a.b".to_owned(), None)]));
    }

    #[test]
    fn what_is_no_path_is_said() {
        for path in ["a[x]", "a[1", "a..b", ".", "a\\"] {
            assert!(found(path).is_err(), "{path}");
        }
        assert_eq!(found("x\\.y[*]"), Err("no array before [*]: object stands there".to_owned()));
    }
}
