//! Extracts the requested value from a reply that may contain other text.

use serde_json::Value;

use super::ask::{Check, Parsed};
use super::coerce::coerced;
use super::cut;
use super::lenient::{self, LenientValue};
use super::schema::Judge;

/// Maximum number of values examined in one reply.
const VALUES: usize = 64;

/// The requested value in a reply, or an error message for the model. `whole` tells that the reply was not cut.
pub(super) fn read(text: &str, whole: bool, judge: &Judge<'_>, check: Check<'_>) -> Result<(Value, Parsed), String> {
    let shown = visible(text);
    if let Ok(value) = serde_json::from_str::<Value>(shown)
        && (value.is_object() || value.is_array() || judge.fits(&value))
    {
        return fitted(value, Parsed::AtOnce, true, judge, check);
    }
    let values = values(shown, whole);
    let mut first_fault = None;
    // Returns the first value that fits, otherwise the first error.
    for value in values {
        // A list inside a truncated object must not be mistaken for the requested list.
        match fitted(value, Parsed::Repaired, whole, judge, check) {
            Ok(read) => return Ok(read),
            Err(fault) => first_fault = first_fault.or(Some(fault)),
        }
    }
    Err(first_fault.unwrap_or_else(|| {
        let seen = serde_json::from_str::<Value>(shown).err().map(|error| format!(": {error}"));
        format!("it holds no whole JSON value{}", seen.unwrap_or_default())
    }))
}

/// The value made of the complete elements of a cut reply, if it fits.
pub(super) fn whole_part(text: &str, judge: &Judge<'_>, check: Check<'_>) -> Option<Value> {
    let whole = cut::whole_part(visible(text))?;
    read(&whole, true, judge, check).ok().map(|(value, _)| value)
}

fn fitted(
    value: Value,
    parsed: Parsed,
    may_wrap: bool,
    judge: &Judge<'_>,
    check: Check<'_>,
) -> Result<(Value, Parsed), String> {
    let (value, parsed) = if judge.fits(&value) {
        (value, parsed)
    } else {
        let other = if may_wrap { wrapped(value.clone(), judge) } else { value.clone() };
        let other = coerced(&other, judge.schema);
        match judge.faults(&other) {
            None => (other, Parsed::Repaired),
            Some(_) => return Err(judge.faults(&value).unwrap_or_default()),
        }
    };
    check(&value).map(|()| (value, parsed))
}

/// Wraps a list in the object that the schema requires, if that object has a single member: models often omit it.
fn wrapped(value: Value, judge: &Judge<'_>) -> Value {
    if !value.is_array() {
        return value;
    }
    let members = judge.schema.get("properties").and_then(Value::as_object).filter(|members| members.len() == 1);
    let Some((name, _)) = members.and_then(|members| members.iter().next()) else { return value };
    let mut object = serde_json::Map::new();
    object.insert(name.clone(), value);
    Value::Object(object)
}

/// The reply without a leading thinking section.
pub(super) fn visible(text: &str) -> &str {
    let text = text.trim().trim_start_matches('\u{feff}').trim();
    // A JSON reply may contain such a tag inside a text.
    if text.starts_with(['{', '[']) {
        return text;
    }
    for (open, close) in [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>")] {
        if let Some(end) = text.rfind(close) {
            return text[end + close.len()..].trim();
        }
        if text.starts_with(open) {
            return "";
        }
    }
    text
}

/// All outermost objects and arrays in a text: first those in code fences, since the prose around them may contain
/// brackets too.
fn values(text: &str, whole: bool) -> Vec<Value> {
    let mut found = Vec::new();
    for block in fenced(text) {
        collect(block, false, &mut found);
    }
    collect(text, whole, &mut found);
    found
}

fn collect(text: &str, whole: bool, found: &mut Vec<Value>) {
    let mut at = 0;
    let mut deep = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find(['{', '['])).map(|next| at + next) {
        // A limit, since text with many unclosed brackets would be parsed again from each of them.
        if found.len() >= VALUES || deep >= VALUES * 4 {
            return;
        }
        match lenient::read(text, next) {
            Some(LenientValue { value, end, unclosed }) if unclosed == 0 || whole => {
                if !found.contains(&value) {
                    found.push(value);
                }
                at = end;
            }
            _ => {
                deep += 1;
                at = next + 1;
            }
        }
    }
}

/// The contents of code fences.
fn fenced(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find("```") {
        let inner = &rest[open + 3..];
        let Some(line) = inner.find('\n') else { break };
        let inner = &inner[line + 1..];
        let Some(close) = inner.find("\n```") else { break };
        blocks.push(&inner[..close]);
        rest = &inner[close + 4..];
    }
    blocks
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::ask::Schema;
    use super::*;

    fn schema() -> Schema {
        let json = json!({
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}},
            "required": ["items"],
        });
        Schema { name: "items", json, takes: None }
    }

    fn read_one(text: &str, whole: bool) -> Result<(Value, Parsed), String> {
        let schema = schema();
        read(text, whole, &Judge::new(&schema).unwrap(), &|_| Ok(()))
    }

    #[test]
    fn the_value_is_found_whatever_stands_around_it() {
        let wanted = json!({"items": [{"n": 1}]});
        let plain = "{\"items\": [{\"n\": 1}]}";
        for (text, parsed) in [
            (plain.to_owned(), Parsed::AtOnce),
            (format!("\u{feff}\n{plain}\n"), Parsed::AtOnce),
            (format!("<think>so {{\"items\": 3}}</think>\n{plain}"), Parsed::AtOnce),
            (format!("it is {{1}}</think>{plain}"), Parsed::AtOnce),
            (format!("```json\n{plain}\n```"), Parsed::Repaired),
            (
                format!("Here it is, for `/orders/{{id}}` [1]:\n```\n{plain}\n```\nHope {{that}} helps!"),
                Parsed::Repaired,
            ),
            (format!("{{\"note\": \"first\"}}\n{plain}"), Parsed::Repaired),
            (format!("{plain}{plain}"), Parsed::Repaired),
            ("{\"items\": [{\"n\": 1,},],} // done".to_owned(), Parsed::Repaired),
            ("{'items': [{'n': '1'}]}".to_owned(), Parsed::Repaired),
            ("[{\"n\": 1}]".to_owned(), Parsed::Repaired),
            ("{\"items\": [{\"n\": \"1\"}]}".to_owned(), Parsed::Repaired),
            ("{\"items\": [{\"n\": 1}".to_owned(), Parsed::Repaired),
        ] {
            assert_eq!(read_one(&text, true), Ok((wanted.clone(), parsed)), "{text}");
        }
    }

    #[test]
    fn what_was_cut_is_not_closed() {
        assert!(read_one("{\"items\": [{\"n\": 1}", false).is_err());
        assert!(read_one("{\"items\": [{\"n\": 1}]} and then", false).is_ok());
        // A list inside it is not returned either.
        assert!(read_one("{\"items\": [{\"n\": 1, \"m\": [], \"o\": [{\"n\": 3}]}, {\"n", false).is_err());
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(read_one("I cannot do that.", true).unwrap_err().contains("no whole JSON value"));
        assert!(read_one("{\"items\": [{\"n\": \"x\"}]}", true).unwrap_err().contains("/items/0/n"));
        let schema = schema();
        let judge = Judge::new(&schema).unwrap();
        let check = |_: &Value| Err("no such operation".to_owned());
        assert_eq!(read("{\"items\": []}", true, &judge, &check).unwrap_err(), "no such operation");
    }

    #[test]
    fn brackets_without_end_are_given_up() {
        let text = "[{\"a\":".repeat(50_000);
        assert!(read_one(&text, true).is_err());
    }
}
