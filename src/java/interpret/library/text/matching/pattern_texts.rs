//! Operations of compiled patterns on texts: splitting, replacing, matching.

use super::regex::{Regex, RegexFailure};
use super::regex_match::MatchGroups;
use super::regex_read::compile;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, Fail, int, invoke, native, open, text, text_of, throw};
use crate::interpret::values::value::{Native, Type, Value};
use std::rc::Rc;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Compiled {
    pub(in crate::interpret) source: String,
    pub(in crate::interpret::library) flags: i32,
    pub(in crate::interpret::library) regex: Rc<Regex>,
}

impl Native for Compiled {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }
}

/// The state of a `Matcher`.
#[derive(Debug, Clone)]
pub struct Matcher {
    pub(in crate::interpret::library) of: Compiled,
    pub(in crate::interpret::library) text: Vec<char>,
    pub(in crate::interpret::library) found: Option<MatchGroups>,
    /// Position where the next search starts.
    pub(in crate::interpret::library) next: usize,
    pub(in crate::interpret::library) failed: bool,
    pub(in crate::interpret::library) appended: usize,
}

impl Native for Matcher {
    native_state!(leaf);
}

/// The failure of a model for a problem with a regular expression.
pub fn odd(machine: &mut Machine<'_>, odd: RegexFailure) -> Fail {
    match odd {
        RegexFailure::Syntax => throw(machine, "java.util.regex.PatternSyntaxException"),
        RegexFailure::Open(why) => Fail::Open(why.into()),
    }
}

/// Compiles a pattern.
pub fn compiled(machine: &mut Machine<'_>, source: &str, flags: i32) -> Answer<Compiled> {
    match compile(source, flags) {
        Ok(regex) => Ok(Compiled { source: source.to_owned(), flags, regex }),
        Err(why) => Err(odd(machine, why)),
    }
}

/// Whether the whole text matches.
pub fn whole(machine: &mut Machine<'_>, pattern: &Compiled, given: &[char]) -> Answer {
    match pattern.regex.at(given, 0, true) {
        Ok(found) => Ok(Value::bool(found.is_some())),
        Err(why) => Err(odd(machine, why)),
    }
}

/// Models the methods of strings that take a regular expression.
pub fn on_text(machine: &mut Machine<'_>, own: &str, call: &LibraryCall<'_>) -> Option<Answer> {
    let given: Vec<char> = own.chars().collect();
    let source = text(call.args.first()?)?.to_owned();
    if !matches!((call.name, call.args.len()), ("matches", 1) | ("replaceAll" | "replaceFirst", 2) | ("split", 1 | 2)) {
        return None;
    }
    let pattern = match compiled(machine, &source, 0) {
        Ok(pattern) => pattern,
        Err(fail) => return Some(Err(fail)),
    };
    Some(match (call.name, call.args) {
        ("matches", _) => whole(machine, &pattern, &given),
        ("replaceAll" | "replaceFirst", [_, with]) => {
            let with = text(with)?.to_owned();
            replace(machine, &pattern, &given, &With::Text(with), call.name == "replaceAll")
        }
        ("split", [_, rest @ ..]) => {
            let limit = rest.first().map_or(Some(0), int)?;
            split(machine, &pattern, &given, limit).map(|parts| texts(machine, parts))
        }
        _ => return None,
    })
}

/// An array of texts.
pub fn texts(machine: &mut Machine<'_>, parts: Vec<String>) -> Value {
    let items = parts.iter().map(|part| machine.fresh_text(part)).collect();
    crate::interpret::library::base::support::array(machine, items, Type::Str)
}

/// All matches from the start of the text.
pub fn matches(machine: &mut Machine<'_>, pattern: &Compiled, given: &[char]) -> Answer<Vec<MatchGroups>> {
    let mut all = Vec::new();
    let mut from = 0;
    while from <= given.len() {
        match pattern.regex.find(given, from) {
            Ok(Some(found)) => {
                let (start, end) = found[0].unwrap_or_default();
                from = if start == end { end + 1 } else { end };
                all.push(found);
            }
            Ok(None) => break,
            Err(why) => return Err(odd(machine, why)),
        }
    }
    Ok(all)
}

/// A part of a text.
pub fn part(given: &[char], from: usize, to: usize) -> String {
    given[from..to].iter().collect()
}

/// Splits a text.
pub fn split(machine: &mut Machine<'_>, pattern: &Compiled, given: &[char], limit: i32) -> Answer<Vec<String>> {
    let mut out: Vec<String> = Vec::new();
    let mut index = 0;
    let limited = usize::try_from(limit).ok().filter(|limit| *limit > 0);
    for found in matches(machine, pattern, given)? {
        let (start, end) = found[0].unwrap_or_default();
        match limited {
            Some(limit) if out.len() + 1 > limit => {}
            Some(limit) if out.len() + 1 == limit => {
                out.push(part(given, index, given.len()));
                index = end;
            }
            _ => {
                if index == 0 && start == 0 && end == 0 {
                    continue;
                }
                out.push(part(given, index, start));
                index = end;
            }
        }
    }
    if index == 0 {
        return Ok(vec![given.iter().collect()]);
    }
    if limited.is_none_or(|limit| out.len() < limit) {
        out.push(part(given, index, given.len()));
    }
    if limit == 0 {
        while out.last().is_some_and(String::is_empty) {
            out.pop();
        }
    }
    Ok(out)
}

/// The replacement of a match.
pub(in crate::interpret::library) enum With {
    Text(String),
    Function(Value),
}

/// Expands a replacement text with group references for a match.
pub fn expanded(
    machine: &mut Machine<'_>,
    pattern: &Compiled,
    given: &[char],
    found: &MatchGroups,
    with: &str,
) -> Answer<String> {
    let mut out = String::new();
    let mut rest = with.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some(c) => out.push(c),
                None => return Err(throw(machine, "IllegalArgumentException")),
            },
            '$' => {
                let index = if rest.peek() == Some(&'{') {
                    rest.next();
                    let name: String = std::iter::from_fn(|| rest.next_if(char::is_ascii_alphanumeric)).collect();
                    if rest.next() != Some('}') {
                        return Err(throw(machine, "IllegalArgumentException"));
                    }
                    match pattern.regex.names.iter().find(|(own, _)| *own == name) {
                        Some((_, index)) => *index,
                        None => return Err(throw(machine, "IllegalArgumentException")),
                    }
                } else {
                    let Some(digit) = rest.next_if(char::is_ascii_digit).and_then(|c| c.to_digit(10)) else {
                        return Err(throw(machine, "IllegalArgumentException"));
                    };
                    let mut index = digit as usize;
                    if index > pattern.regex.groups {
                        return Err(throw(machine, "IndexOutOfBoundsException"));
                    }
                    while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
                        let next = index * 10 + digit as usize;
                        if next > pattern.regex.groups {
                            break;
                        }
                        index = next;
                        rest.next();
                    }
                    index
                };
                if index > 0 && pattern.regex.nested {
                    return open("a group within a group that is repeated");
                }
                if let Some((from, to)) = found[index] {
                    out.push_str(&part(given, from, to));
                }
            }
            other => out.push(other),
        }
    }
    Ok(out)
}

/// Replaces the first match or all matches in a text.
pub(in crate::interpret::library) fn replace(
    machine: &mut Machine<'_>,
    pattern: &Compiled,
    given: &[char],
    with: &With,
    all: bool,
) -> Answer {
    let mut out = String::new();
    let mut index = 0;
    let found = matches(machine, pattern, given)?;
    let count = if all { found.len() } else { found.len().min(1) };
    for found in found.into_iter().take(count) {
        let (start, end) = found[0].unwrap_or_default();
        out.push_str(&part(given, index, start));
        let with = match with {
            With::Text(text) => text.clone(),
            With::Function(function) => {
                let matcher = Matcher {
                    of: pattern.clone(),
                    text: given.to_vec(),
                    found: Some(found.clone()),
                    next: end,
                    failed: false,
                    appended: 0,
                };
                let result = native(machine, "java.util.regex.MatchResult", matcher);
                let value = invoke(machine, function, "apply", vec![result])?;
                text_of(machine, &value)?
            }
        };
        out.push_str(&expanded(machine, pattern, given, &found, &with)?);
        index = end;
    }
    out.push_str(&part(given, index, given.len()));
    Ok(machine.fresh_text(&out))
}
