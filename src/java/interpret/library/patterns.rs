//! `Pattern`, `Matcher`, and what strings do with regular expressions.

use std::rc::Rc;

use super::invocation::LibraryCall;
use super::regex::{Found, Odd, Regex, compile};
use super::support::{Answer, Fail, int, invoke, native, open, reference, settle, size, text, text_of, throw};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::value::{Native, ObjId, Type, Value};

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Compiled {
    source: String,
    flags: i32,
    regex: Rc<Regex>,
}

impl Native for Compiled {
    native_state!();

    fn children(&self) -> Vec<Value> {
        Vec::new()
    }

    fn is_frozen(&self) -> bool {
        true
    }
}

/// A matcher.
#[derive(Debug, Clone)]
struct Matcher {
    of: Compiled,
    text: Vec<char>,
    found: Option<Found>,
    /// Where the next search starts; `None` after one that failed.
    next: usize,
    failed: bool,
    appended: usize,
}

impl Native for Matcher {
    native_state!();

    fn children(&self) -> Vec<Value> {
        Vec::new()
    }
}

/// The model.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match call.receiver {
        None if call.fqn == "java.util.regex.Pattern" => statics(machine, call)?,
        None if call.fqn == "java.util.regex.Matcher" && call.name == "quoteReplacement" => {
            let own = text(call.args.first()?)?.replace('\\', "\\\\").replace('$', "\\$");
            Ok(machine.fresh_text(&own))
        }
        None => return None,
        Some(receiver) => {
            let id = reference(receiver)?;
            if let Some(pattern) = machine.native::<Compiled>(id).cloned() {
                on_pattern(machine, pattern, call)?
            } else {
                let matcher = machine.native::<Matcher>(id)?.clone();
                on_matcher(machine, id, matcher, call)?
            }
        }
    };
    Some(settle(machine, call, answer))
}

fn odd(machine: &mut Machine<'_>, odd: Odd) -> Fail {
    match odd {
        Odd::Syntax => throw(machine, "java.util.regex.PatternSyntaxException"),
        Odd::Open(why) => Fail::Open(why.into()),
    }
}

fn compiled(machine: &mut Machine<'_>, source: &str, flags: i32) -> Answer<Compiled> {
    match compile(source, flags) {
        Ok(regex) => Ok(Compiled { source: source.to_owned(), flags, regex: Rc::new(regex) }),
        Err(why) => Err(odd(machine, why)),
    }
}

fn chars(machine: &mut Machine<'_>, value: &Value) -> Option<Vec<char>> {
    Some(super::sequences::sequence(machine, value)?.chars().collect())
}

fn statics(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("compile", [source, flags @ ..]) => {
            let flags = match flags {
                [] => 0,
                [flags] => int(flags)?,
                _ => return None,
            };
            let source = text(source)?.to_owned();
            compiled(machine, &source, flags).map(|pattern| native(machine, "java.util.regex.Pattern", pattern))
        }
        ("matches", [source, given]) => {
            let source = text(source)?.to_owned();
            let given = chars(machine, given)?;
            compiled(machine, &source, 0).and_then(|pattern| whole(machine, &pattern, &given))
        }
        ("quote", [own]) => {
            let own = text(own)?.to_owned();
            if own.contains("\\E") {
                return Some(open("a quotation within a quotation"));
            }
            Ok(machine.fresh_text(&format!("\\Q{own}\\E")))
        }
        _ => return None,
    })
}

fn whole(machine: &mut Machine<'_>, pattern: &Compiled, given: &[char]) -> Answer {
    match pattern.regex.at(given, 0, true) {
        Ok(found) => Ok(Value::bool(found.is_some())),
        Err(why) => Err(odd(machine, why)),
    }
}

/// What strings do with regular expressions.
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

fn texts(machine: &mut Machine<'_>, parts: Vec<String>) -> Value {
    let items = parts.iter().map(|part| machine.fresh_text(part)).collect();
    super::support::array(machine, items, Type::Str)
}

/// All matches from the start on.
fn matches(machine: &mut Machine<'_>, pattern: &Compiled, given: &[char]) -> Answer<Vec<Found>> {
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

fn part(given: &[char], from: usize, to: usize) -> String {
    given[from..to].iter().collect()
}

fn split(machine: &mut Machine<'_>, pattern: &Compiled, given: &[char], limit: i32) -> Answer<Vec<String>> {
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

enum With {
    Text(String),
    Function(Value),
}

/// What stands for a match: text with references to groups.
fn expanded(
    machine: &mut Machine<'_>,
    pattern: &Compiled,
    given: &[char],
    found: &Found,
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

fn replace(machine: &mut Machine<'_>, pattern: &Compiled, given: &[char], with: &With, all: bool) -> Answer {
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

fn on_pattern(machine: &mut Machine<'_>, pattern: Compiled, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.name, call.args) {
        ("matcher", [given]) => {
            if given.is_null() {
                return Some(Err(throw(machine, "NullPointerException")));
            }
            let text = chars(machine, given)?;
            Ok(native(
                machine,
                "java.util.regex.Matcher",
                Matcher { of: pattern, text, found: None, next: 0, failed: false, appended: 0 },
            ))
        }
        ("pattern" | "toString", []) => Ok(machine.fresh_text(&pattern.source)),
        ("flags", []) if !pattern.source.contains("(?") => Ok(Value::int(pattern.flags)),
        ("split", [given, rest @ ..]) => {
            let limit = rest.first().map_or(Some(0), int)?;
            let given = chars(machine, given)?;
            split(machine, &pattern, &given, limit).map(|parts| texts(machine, parts))
        }
        ("splitAsStream", [given]) => {
            let given = chars(machine, given)?;
            split(machine, &pattern, &given, 0).map(|parts| {
                let items = parts.iter().map(|part| machine.fresh_text(part)).collect();
                super::stream_state::of(machine, items, None)
            })
        }
        // As a predicate: called with `test`.
        ("asPredicate" | "asMatchPredicate", []) => Ok(native(
            machine,
            "java.util.function.Predicate",
            Test { of: pattern, whole: call.name == "asMatchPredicate" },
        )),
        _ => return None,
    })
}

/// A pattern as a predicate.
#[derive(Debug, Clone)]
struct Test {
    of: Compiled,
    whole: bool,
}

impl Native for Test {
    native_state!();

    fn children(&self) -> Vec<Value> {
        Vec::new()
    }
}

/// A pattern that is asked as a predicate.
pub fn predicate(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let test = machine.native::<Test>(reference(call.receiver?)?)?.clone();
    let ("test", [given]) = (call.name, call.args) else { return None };
    let given = chars(machine, given)?;
    let found = if test.whole { test.of.regex.at(&given, 0, true) } else { test.of.regex.find(&given, 0) };
    let answer = match found {
        Ok(found) => Ok(Value::bool(found.is_some())),
        Err(why) => Err(odd(machine, why)),
    };
    Some(settle(machine, call, answer))
}

fn group(
    machine: &mut Machine<'_>,
    matcher: &Matcher,
    which: Option<&Value>,
) -> Option<Answer<Option<(usize, usize)>>> {
    let index = match which {
        None => 0,
        Some(which) => match (int(which), text(which)) {
            (Some(index), _) => match usize::try_from(index).ok().filter(|index| *index <= matcher.of.regex.groups) {
                Some(index) => index,
                None if matcher.found.is_none() => return Some(Err(throw(machine, "IllegalStateException"))),
                None => return Some(Err(throw(machine, "IndexOutOfBoundsException"))),
            },
            (_, Some(name)) => match matcher.of.regex.names.iter().find(|(own, _)| own == name) {
                Some((_, index)) => *index,
                None => return Some(Err(throw(machine, "IllegalArgumentException"))),
            },
            _ => return None,
        },
    };
    let Some(found) = &matcher.found else { return Some(Err(throw(machine, "IllegalStateException"))) };
    if index > 0 && matcher.of.regex.nested {
        return Some(open("a group within a group that is repeated"));
    }
    Some(Ok(found[index]))
}

fn search(machine: &mut Machine<'_>, id: ObjId, found: Result<Option<Found>, Odd>) -> Answer {
    let found = match found {
        Ok(found) => found,
        Err(why) => return Err(odd(machine, why)),
    };
    let there = found.is_some();
    if let Some(matcher) = machine.native_mut::<Matcher>(id) {
        matcher.failed = !there;
        if let Some((start, end)) = found.as_ref().and_then(|found| found[0]) {
            matcher.next = if start == end { end + 1 } else { end };
        }
        matcher.found = found;
    }
    Ok(Value::bool(there))
}

/// Index in UTF-16, which is that in characters, since rare ones are refused.
fn on_matcher(machine: &mut Machine<'_>, id: ObjId, matcher: Matcher, call: &LibraryCall<'_>) -> Option<Answer> {
    let regex = matcher.of.regex.clone();
    Some(match (call.name, call.args) {
        ("matches", []) => search(machine, id, regex.at(&matcher.text, 0, true)),
        ("lookingAt", []) => search(machine, id, regex.at(&matcher.text, 0, false)),
        ("find", []) => {
            if matcher.failed {
                return Some(open("a search after one that failed"));
            }
            if matcher.next > matcher.text.len() {
                search(machine, id, Ok(None))
            } else {
                search(machine, id, regex.find(&matcher.text, matcher.next))
            }
        }
        ("find", [from]) => match usize::try_from(int(from)?).ok().filter(|from| *from <= matcher.text.len()) {
            Some(from) => search(machine, id, regex.find(&matcher.text, from)),
            None => Err(throw(machine, "IndexOutOfBoundsException")),
        },
        ("reset", []) => {
            let state = machine.native_mut::<Matcher>(id)?;
            *state = Matcher { found: None, next: 0, failed: false, appended: 0, ..matcher };
            Ok(Value::Ref(id))
        }
        ("groupCount", []) => Ok(size(regex.groups)),
        ("group" | "start" | "end", args) => {
            let place = match group(machine, &matcher, args.first())? {
                Ok(place) => place,
                Err(fail) => return Some(Err(fail)),
            };
            match (call.name, place) {
                ("group", Some((from, to))) => Ok(machine.fresh_text(&part(&matcher.text, from, to))),
                ("group", None) => Ok(Value::NULL),
                ("start", Some((from, _))) => Ok(size(from)),
                ("end", Some((_, to))) => Ok(size(to)),
                _ => Ok(Value::int(-1)),
            }
        }
        ("replaceAll" | "replaceFirst", [with]) => {
            let with = match text(with) {
                Some(text) => With::Text(text.to_owned()),
                None => With::Function(with.clone()),
            };
            replace(machine, &matcher.of, &matcher.text, &with, call.name == "replaceAll")
        }
        ("appendReplacement", [builder, with]) => {
            let with = text(with)?.to_owned();
            let Some(found) = matcher.found.clone() else { return Some(Err(throw(machine, "IllegalStateException"))) };
            let (start, end) = found[0]?;
            match expanded(machine, &matcher.of, &matcher.text, &found, &with) {
                Ok(text) => {
                    let text = part(&matcher.text, matcher.appended, start) + &text;
                    machine.native_mut::<super::sequences::Builder>(reference(builder)?)?.text.push_str(&text);
                    machine.native_mut::<Matcher>(id)?.appended = end;
                    Ok(Value::Ref(id))
                }
                Err(fail) => Err(fail),
            }
        }
        ("appendTail", [builder]) => {
            let text = part(&matcher.text, matcher.appended, matcher.text.len());
            machine.native_mut::<super::sequences::Builder>(reference(builder)?)?.text.push_str(&text);
            Ok(builder.clone())
        }
        ("results", []) => matches(machine, &matcher.of, &matcher.text).map(|all| {
            let items = all
                .into_iter()
                .map(|found| {
                    native(machine, "java.util.regex.MatchResult", Matcher { found: Some(found), ..matcher.clone() })
                })
                .collect();
            super::stream_state::of(machine, items, None)
        }),
        ("toMatchResult", []) => Ok(native(machine, "java.util.regex.MatchResult", matcher)),
        ("hitEnd" | "requireEnd", []) => open("whether more text would change a match"),
        _ => return None,
    })
}
