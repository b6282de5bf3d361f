//! Models `Matcher`: a pattern applied to a text, and the groups found.

use super::pattern_texts::{Matcher, With, expanded, matches, odd, part, replace};
use super::regex::RegexFailure;
use super::regex_match::MatchGroups;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, native, open, reference, size, text, throw};
use crate::interpret::values::value::{ObjId, Value};

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

fn search(machine: &mut Machine<'_>, id: ObjId, found: Result<Option<MatchGroups>, RegexFailure>) -> Answer {
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

/// Models a call on a matcher. Indices in UTF-16 equal those in characters, because texts with supplementary
/// characters are not supported.
pub fn on_matcher(machine: &mut Machine<'_>, id: ObjId, matcher: Matcher, call: &LibraryCall<'_>) -> Option<Answer> {
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
                    machine
                        .native_mut::<crate::interpret::library::text::sequences::Builder>(reference(builder)?)?
                        .text
                        .push_str(&text);
                    machine.native_mut::<Matcher>(id)?.appended = end;
                    Ok(Value::Ref(id))
                }
                Err(fail) => Err(fail),
            }
        }
        ("appendTail", [builder]) => {
            let text = part(&matcher.text, matcher.appended, matcher.text.len());
            machine
                .native_mut::<crate::interpret::library::text::sequences::Builder>(reference(builder)?)?
                .text
                .push_str(&text);
            Ok(builder.clone())
        }
        ("results", []) => matches(machine, &matcher.of, &matcher.text).map(|all| {
            let items = all
                .into_iter()
                .map(|found| {
                    native(machine, "java.util.regex.MatchResult", Matcher { found: Some(found), ..matcher.clone() })
                })
                .collect();
            crate::interpret::library::functions::stream_state::of(machine, items, None)
        }),
        ("toMatchResult", []) => Ok(native(machine, "java.util.regex.MatchResult", matcher)),
        ("hitEnd" | "requireEnd", []) => open("whether more text would change a match"),
        _ => return None,
    })
}
