//! Models `Pattern`, `Matcher`, and the methods of strings that take a regular expression.

use super::matchers::on_matcher;
use super::pattern_texts::{Compiled, Matcher, compiled, odd, split, texts, whole};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, int, native, open, reference, settle, text, throw};
use crate::interpret::library::text::strings::{apply, is_matched};
use crate::interpret::values::function::Function;
use crate::interpret::values::scalar::Prim;
use crate::interpret::values::value::{Native, Type, Value};

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if let Some(asked) = of_request(machine, call) {
        return Some(asked);
    }
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

/// A matcher on a symbolic text.
#[derive(Debug, Clone)]
struct Asked {
    pattern: Value,
    given: Value,
}

impl Native for Asked {
    native_state!();

    fn children(&self) -> Vec<Value> {
        vec![self.pattern.clone(), self.given.clone()]
    }
}

/// Whether a symbolic text matches as a whole, as a condition on it.
fn of_request(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let (pattern, given) = match (call.receiver, call.name, call.args) {
        (None, "matches", [pattern, given]) if is_matched(given, pattern) => (pattern.clone(), given.clone()),
        (Some(receiver), "matcher", [given @ Value::Symbol(_)]) => {
            let compiled = machine.native::<Compiled>(reference(receiver)?)?.clone();
            let pattern = Value::text(&compiled.source);
            if compiled.flags != 0 || !is_matched(given, &pattern) {
                return None;
            }
            if let Err(stop) = machine.not_null(given) {
                return Some(Err(stop));
            }
            let asked = Asked { pattern, given: given.clone() };
            return Some(Ok(native(machine, "java.util.regex.Matcher", asked)));
        }
        (Some(receiver), "matches", []) => {
            let asked = machine.native::<Asked>(reference(receiver)?)?.clone();
            (asked.pattern, asked.given)
        }
        _ => return None,
    };
    if let Err(stop) = machine.not_null(&given) {
        return Some(Err(stop));
    }
    Some(apply(machine, Function::Matches, Type::Prim(Prim::Bool), &given, &[pattern]))
}

fn chars(machine: &mut Machine<'_>, value: &Value) -> Option<Vec<char>> {
    Some(crate::interpret::library::text::sequences::sequence(machine, value)?.chars().collect())
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
                crate::interpret::library::functions::stream_state::of(machine, items, None)
            })
        }
        // The pattern as a predicate, called through `test`.
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
    native_state!(leaf);
}

/// Models `test` of a pattern used as a predicate.
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
