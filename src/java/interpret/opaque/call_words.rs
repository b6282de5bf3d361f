//! Calls and their operands in words.

use super::calls::Unfollowed;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::numeric::decimal::Decimal;
use crate::interpret::values::function::Function;
use crate::interpret::values::term::{OPERATOR, Term};
use crate::interpret::values::value::{ObjId, Value};

/// Approximate maximum length of the text for a call.
const LONG: usize = 70;

impl Machine<'_> {
    /// A readable form of a call: `articleRepository.findBySlug(slug)`.
    pub(super) fn words_of(&self, call: &Unfollowed<'_>) -> String {
        let on = match call.receiver {
            Some(Value::Symbol(symbol)) => match &*symbol.term {
                Term::Binary(..) | Term::Apply(Function::Concat, _) => format!("({})", self.name_of(&symbol.term)),
                term => self.name_of(term),
            },
            Some(value @ Value::Ref(_)) => self.word(value),
            _ => {
                let owner = call.callee.split(['#', '/']).next().unwrap_or_default();
                let owner = owner.strip_suffix(call.name).unwrap_or(owner).trim_end_matches('.');
                owner.rsplit('.').next().unwrap_or_default().to_owned()
            }
        };
        let words: Vec<String> = call.args.iter().map(|arg| self.word(arg)).collect();
        let with = |args: &[String]| match call.name {
            _ if let Some(op) = call.callee.strip_prefix(OPERATOR) => match (op, args) {
                ("==", [a, b]) => format!("{a} is {b}"),
                (op, [a, b]) => format!("{a} {op} {b}"),
                _ => format!("{op}({})", args.join(", ")),
            },
            _ if let Some(class) = call.callee.strip_prefix("instanceof ") => {
                format!("{} is a {}", args.join(", "), class.rsplit(['.', '$']).next().unwrap_or(class))
            }
            // The callee is unknown; the reason names the call.
            "" if call.callee.contains(' ') => {
                let of = call.callee.trim_start_matches("the arguments of ");
                format!("{}({})", of.split([' ', ':']).next().unwrap_or(of), args.join(", "))
            }
            "<init>" => format!("new {on}({})", args.join(", ")),
            name => format!("{on}.{name}({})", args.join(", ")),
        };
        let is_long = |text: &str| text.chars().count() > LONG;
        // Long arguments are shortened first.
        let brief = |arg: &String| if arg.chars().count() > LONG / 3 { "…".to_owned() } else { arg.clone() };
        let whole = with(&words);
        let parts = if is_long(&whole) { with(&words.iter().map(brief).collect::<Vec<_>>()) } else { whole };
        let text = if is_long(&parts) { with(&["…".to_owned()]) } else { parts };
        // A long chain of calls is shortened to its end, which starts at a call.
        match text.char_indices().rev().nth(LONG) {
            Some((at, _)) => {
                let end = text.get(at..).unwrap_or_default();
                format!("…{}", end.find('.').map_or(end, |dot| &end[dot..]))
            }
            None => text,
        }
    }

    fn word(&self, value: &Value) -> String {
        match value {
            Value::Scalar(scalar) => scalar.to_string(),
            Value::Symbol(symbol) => self.name_of(&symbol.term),
            Value::Cond(cond) => cond.to_string(),
            Value::Ref(id) => match self.base_of(*id) {
                Some(term) => self.name_of(&term),
                None => match self.native::<Decimal>(*id).and_then(Decimal::to_plain) {
                    Some(number) => number,
                    None => self.noun(*id),
                },
            },
            Value::Class(ty) => self.type_name(ty),
            Value::Lambda(_) => "a lambda".to_owned(),
            Value::Unknown(_) => "a value".to_owned(),
        }
    }

    /// A variable name for an object, derived from its class.
    pub(super) fn noun(&self, id: ObjId) -> String {
        let class = self.class_name(&self.object(id).class);
        let class = class.rsplit(['.', '$']).next().unwrap_or_default();
        match class.chars().next() {
            Some(first) if first.is_alphabetic() => first.to_lowercase().chain(class.chars().skip(1)).collect(),
            _ => "an anonymous class".to_owned(),
        }
    }
}
