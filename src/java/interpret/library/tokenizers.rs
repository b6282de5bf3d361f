//! `java.util.StringTokenizer`: the parts of a text between delimiters, which may be other ones for each part.

use super::invocation::LibraryCall;
use super::support::{Answer, boolean, native, open, reference, settle, size, text, throw};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::value::{Native, Value};

const FQN: &str = "java.util.StringTokenizer";

/// What divides where nothing else is said.
const BLANKS: &str = " \t\n\r\u{c}";

/// Where a text is being divided.
#[derive(Debug, Clone)]
struct Tokenizer {
    text: Vec<char>,
    at: usize,
    /// Delimiters; `None` for null, which only what divides finds.
    by: Option<Vec<char>>,
    /// Whether delimiters are parts themselves.
    gives: bool,
}

impl Native for Tokenizer {
    native_state!(leaf);
}

impl Tokenizer {
    /// Where the next part begins.
    fn begin(&self, from: usize, by: &[char]) -> usize {
        if self.gives {
            return from;
        }
        from + self.text.iter().skip(from).take_while(|letter| by.contains(letter)).count()
    }

    /// Where the part that begins here ends.
    fn end(&self, from: usize, by: &[char]) -> usize {
        let length = self.text.iter().skip(from).take_while(|letter| !by.contains(letter)).count();
        match length {
            0 if self.gives && from < self.text.len() => from + 1,
            length => from + length,
        }
    }

    fn count(&self, by: &[char]) -> usize {
        let (mut at, mut count) = (self.at, 0);
        loop {
            at = self.begin(at, by);
            if at >= self.text.len() {
                return count;
            }
            at = self.end(at, by);
            count += 1;
        }
    }
}

/// The model.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn != FQN {
        return None;
    }
    let answer = match call.receiver {
        None => made(machine, call)?,
        Some(receiver) => {
            let receiver = receiver.clone();
            parts(machine, &receiver, call)?
        }
    };
    Some(settle(machine, call, answer))
}

fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if call.name != "<init>" {
        return None;
    }
    let (given, by, gives) = match call.args {
        [given] => (given, None, false),
        [given, by] => (given, Some(by), false),
        [given, by, gives] => (given, Some(by), boolean(gives)?),
        _ => return None,
    };
    if given.is_null() {
        return Some(Err(throw(machine, "NullPointerException")));
    }
    let letters = |text: &str| text.chars().collect::<Vec<char>>();
    let by = match by {
        None => Some(letters(BLANKS)),
        Some(by) if by.is_null() => None,
        Some(by) => match text(by) {
            Some(by) => Some(letters(by)),
            None => return Some(open("what divides a text is not known")),
        },
    };
    Some(match text(given) {
        Some(given) => {
            let state = Tokenizer { text: letters(given), at: 0, by, gives };
            Ok(native(machine, FQN, state))
        }
        None => open("a text that is divided is not known"),
    })
}

fn parts(machine: &mut Machine<'_>, receiver: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let id = reference(receiver)?;
    let own = machine.native::<Tokenizer>(id)?.clone();
    let by = match (call.name, call.args) {
        ("nextToken", [by]) => match (by.is_null(), text(by)) {
            (true, _) => None,
            (false, Some(by)) => Some(by.chars().collect()),
            (false, None) => return Some(open("what divides a text is not known")),
        },
        _ => own.by.clone(),
    };
    machine.native_mut::<Tokenizer>(id)?.by.clone_from(&by);
    let Some(by) = by else {
        return Some(match call.name == "countTokens" && own.at >= own.text.len() {
            true => Ok(size(0)),
            false => Err(throw(machine, "NullPointerException")),
        });
    };
    Some(match (call.name, call.args) {
        ("hasMoreTokens" | "hasMoreElements", []) => Ok(Value::bool(own.begin(own.at, &by) < own.text.len())),
        ("countTokens", []) => Ok(size(own.count(&by))),
        ("nextToken", [] | [_]) | ("nextElement", []) => {
            let from = own.begin(own.at, &by);
            if from >= own.text.len() {
                machine.native_mut::<Tokenizer>(id)?.at = from;
                return Some(Err(throw(machine, "java.util.NoSuchElementException")));
            }
            let end = own.end(from, &by);
            machine.native_mut::<Tokenizer>(id)?.at = end;
            let part: String = own.text.iter().take(end).skip(from).collect();
            Ok(machine.fresh_text(&part))
        }
        _ => return None,
    })
}
