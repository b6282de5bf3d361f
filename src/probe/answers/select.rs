//! Evaluates field paths: dotted keys, `[0]`, `[*]` (every element), `[?]` (some element) and `[]` (collects what follows from all elements into one list).
//! A backslash escapes the next character; `""` is the whole body.

use serde_json::Value;

use mastor_types::suite::path::{Step, steps};

/// The place where a check failed, and what was seen there.
pub type Failed = (String, String);

/// Applies `check` to the values at a path, with `None` for an absent value. With `[*]` every value must pass, so an empty array does; with `[?]` one must
/// pass; with `[]` the list of all present values must pass.
///
/// # Errors
/// Where the check fails, and what it reports. The place is empty if the path is invalid, or if `[*]`, `[?]` or `[]` follows anything but an array.
pub fn each<'v>(
    root: Option<&'v Value>,
    path: &str,
    check: &mut dyn FnMut(Option<&Value>) -> Result<(), String>,
) -> Result<(), Failed> {
    let steps = steps(path).map_err(|why| (String::new(), why))?;
    let mut walk = Walk { path, places: Vec::new(), check };
    walk.at(root, &steps)
}

struct Walk<'c> {
    path: &'c str,
    /// The current index for each `[*]` passed so far.
    places: Vec<usize>,
    check: &'c mut dyn FnMut(Option<&Value>) -> Result<(), String>,
}

impl Walk<'_> {
    fn at(&mut self, mut value: Option<&Value>, mut steps: &[Step]) -> Result<(), Failed> {
        while let Some((step, rest)) = steps.split_first() {
            match step {
                Step::Key(_) | Step::Index(_) => value = stepped(value, step),
                Step::Every => {
                    for (n, item) in items(value, "[*]")?.iter().enumerate() {
                        self.places.push(n);
                        self.at(Some(item), rest)?;
                        self.places.pop();
                    }
                    return Ok(());
                }
                Step::Some => {
                    let all = items(value, "[?]")?;
                    let depth = self.places.len();
                    for item in all {
                        if self.at(Some(item), rest).is_ok() {
                            return Ok(());
                        }
                        self.places.truncate(depth);
                    }
                    let shown = Value::Array(all.clone()).to_string();
                    return Err((self.place(), format!("{shown}, of which none does")));
                }
                Step::List => {
                    let mut list = Vec::new();
                    collect(items(value, "[]")?, rest, &mut list).map_err(|why| (String::new(), why))?;
                    let list = Value::Array(list);
                    return (self.check)(Some(&list)).map_err(|seen| (self.place(), seen));
                }
            }
            steps = rest;
        }
        (self.check)(value).map_err(|seen| (self.place(), seen))
    }

    /// The path with concrete indices in place of each `[*]`.
    fn place(&self) -> String {
        let mut places = self.places.iter();
        let mut out = String::new();
        for (n, part) in self.path.split("[*]").enumerate() {
            if n > 0 {
                let place = places.next().map_or_else(|| "*".to_owned(), usize::to_string);
                out.push_str(&format!("[{place}]"));
            }
            out.push_str(part);
        }
        out
    }
}

/// The value at a key or an index.
fn stepped<'v>(value: Option<&'v Value>, step: &Step) -> Option<&'v Value> {
    match step {
        Step::Key(key) => value.and_then(Value::as_object)?.get(key),
        Step::Index(at) => value.and_then(Value::as_array)?.get(*at),
        Step::Every | Step::Some | Step::List => None,
    }
}

/// The elements of an array.
fn items<'v>(value: Option<&'v Value>, step: &str) -> Result<&'v Vec<Value>, Failed> {
    let Some(Value::Array(items)) = value else {
        let stands = value.map_or("nothing", kind);
        return Err((String::new(), format!("no array before {step}: {stands} stands there")));
    };
    Ok(items)
}

/// Collects the values at the rest of a path in each element; a further `[]` collects from the elements of the list there.
fn collect(all: &[Value], rest: &[Step], out: &mut Vec<Value>) -> Result<(), String> {
    for item in all {
        let mut value = Some(item);
        let mut steps = rest;
        while let Some((step, after)) = steps.split_first() {
            match step {
                Step::Key(_) | Step::Index(_) => value = stepped(value, step),
                Step::List => {
                    let inner = items(value, "[]").map_err(|(_, why)| why)?;
                    collect(inner, after, out)?;
                    value = None;
                    break;
                }
                Step::Every | Step::Some => return Err("no path: [*] and [?] cannot stand behind []".to_owned()),
            }
            steps = after;
        }
        out.extend(value.cloned());
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(path: &str) -> Result<Vec<Option<Value>>, Failed> {
        let root = json!({"a": [{"b": 1, "d": [1, 2]}, {"c": 2, "d": [3]}], "x.y": {"": 3}, "e": []});
        let mut all = Vec::new();
        each(Some(&root), path, &mut |value| {
            all.push(value.cloned());
            Ok(())
        })?;
        Ok(all)
    }

    #[test]
    fn a_path_leads_to_values() {
        assert_eq!(found("a[1].c"), Ok(vec![Some(json!(2))]));
        assert_eq!(found("a[*].b"), Ok(vec![Some(json!(1)), None]));
        assert_eq!(found("e[*].b"), Ok(vec![]));
        assert_eq!(found("x\\.y"), Ok(vec![Some(json!({"": 3}))]));
        assert_eq!(found("a.b"), Ok(vec![None]));
        assert_eq!(found("a[].b"), Ok(vec![Some(json!([1]))]));
        assert_eq!(found("a[].d[]"), Ok(vec![Some(json!([1, 2, 3]))]));
        assert_eq!(found("a[].d[0]"), Ok(vec![Some(json!([1, 3]))]));
        assert_eq!(found("e[]"), Ok(vec![Some(json!([]))]));
    }

    #[test]
    fn some_element_is_enough_and_each_has_a_place() {
        let root = json!({"a": [{"b": [1, 2]}, {"b": [3]}]});
        let is = |wanted: i64| {
            move |value: Option<&Value>| match value.and_then(Value::as_i64) {
                Some(found) if found == wanted => Ok(()),
                other => Err(format!("{other:?}")),
            }
        };
        assert_eq!(each(Some(&root), "a[?].b[?]", &mut is(3)), Ok(()));
        let (at, seen) = each(Some(&root), "a[*].b[?]", &mut is(3)).unwrap_err();
        assert_eq!((at.as_str(), seen.as_str()), ("a[0].b[?]", "[1,2], of which none does"));
        assert_eq!(each(Some(&root), "a[1].b[*]", &mut is(3)), Ok(()));
        assert_eq!(each(Some(&json!([])), "[?]", &mut is(3)).unwrap_err().1, "[], of which none does");
    }

    #[test]
    fn what_is_no_path_is_said() {
        for path in ["a[x]", "a[1", "a..b", ".", "a\\", "a[].d[*]"] {
            assert!(found(path).is_err(), "{path}");
        }
        assert_eq!(found("x\\.y[*]").unwrap_err().1, "no array before [*]: object stands there");
    }
}
