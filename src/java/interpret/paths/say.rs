//! Readable text for conditions.

use super::condition::{Cond, Defect};
use crate::interpret::values::term::{Term, operator};
use crate::ir::body::BinaryOp;

impl std::fmt::Display for Cond {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let joined = |parts: &[Self], word: &str| {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| match part {
                    Self::All(_) | Self::Any(_) => format!("({part})"),
                    _ => part.to_string(),
                })
                .collect();
            parts.join(word)
        };
        match self {
            Self::Const(value) => write!(f, "{}", if *value { "always" } else { "never" }),
            Self::Compare(op, _, a, b) => match number_of(*op, a, b).or_else(|| order_of(*op, a, b)) {
                Some(text) => f.write_str(&text),
                None => write!(f, "{a} {} {b}", operator(*op)),
            },
            Self::Same(a, b) => {
                let (a, b) = told_apart(a, b);
                write!(f, "{a} equals {b}")
            }
            Self::IsNull(a) => write!(f, "{a} is null"),
            Self::Test(a) => a.fmt(f),
            Self::Input(input, Defect::Missing) => write!(f, "{input} is missing"),
            Self::Input(input, Defect::NotA(what)) => write!(f, "{input} is no {what}"),
            Self::Input(input, Defect::Unreadable) => write!(f, "{input} cannot be read"),
            Self::Not(inner) => match &**inner {
                Self::IsNull(a) => write!(f, "{a} is not null"),
                Self::Same(a, b) => {
                    let (a, b) = told_apart(a, b);
                    write!(f, "{a} is not {b}")
                }
                Self::Test(a) => match &**a {
                    Term::Apply(function, args) => {
                        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
                        match function.describe_negated(&args) {
                            Some(text) => f.write_str(&text),
                            None => write!(f, "not {}", function.describe(&args)),
                        }
                    }
                    Term::Opaque(opaque) => f.write_str(&denied(&opaque.words)),
                    other => write!(f, "{other} is false"),
                },
                Self::Input(input, Defect::Missing) => write!(f, "{input} is given"),
                Self::Input(input, Defect::NotA(what)) => write!(f, "{input} is a valid {what}"),
                Self::Input(input, Defect::Unreadable) => write!(f, "{input} can be read"),
                other => write!(f, "not ({other})"),
            },
            Self::All(parts) => match range(parts, true) {
                Some(text) => f.write_str(&text),
                None => f.write_str(&joined(parts, " and ")),
            },
            Self::Any(parts) => match range(parts, false) {
                Some(text) => f.write_str(&text),
                None => f.write_str(&joined(parts, " or ")),
            },
            Self::Unknown(text, _) => write!(f, "`{text}`"),
        }
    }
}

/// The text for the negation.
fn denied(words: &str) -> String {
    for (says, denies) in [
        (" finds an ", " finds no "),
        (" finds a ", " finds no "),
        (" is there", " is not there"),
        (" fails", " does not fail"),
    ] {
        if words.contains(says) {
            return words.replacen(says, denies, 1);
        }
    }
    // A negated `is a`: the object is not of the class.
    if let Some((object, class)) =
        words.rsplit_once(" is a ").filter(|(_, class)| class.starts_with(char::is_uppercase))
    {
        return format!("{object} is no {class}");
    }
    format!("{words} is false")
}

/// The text for a comparison of a number of elements with 0, 1 or 2.
fn number_of(op: BinaryOp, what: &Term, number: &Term) -> Option<String> {
    let (Term::Opaque(opaque), Term::Const(number)) = (what, number) else { return None };
    let of = opaque.words.strip_prefix("number of ")?;
    match (op, number.as_int()?) {
        (BinaryOp::Eq, 0) => Some(format!("{of} is empty")),
        (BinaryOp::Ne, 0) | (BinaryOp::Gt, 0) | (BinaryOp::Ge, 1) => Some(format!("{of} is not empty")),
        (BinaryOp::Eq, 1) => Some(format!("{of} holds one")),
        (BinaryOp::Eq, 2) => Some(format!("{of} holds two")),
        _ => None,
    }
}

/// The text for a comparison of two objects by `compareTo`: `price < 0`.
fn order_of(op: BinaryOp, what: &Term, number: &Term) -> Option<String> {
    let (Term::Opaque(opaque), Term::Const(number)) = (what, number) else { return None };
    let (one, other) = opaque.words.strip_suffix(')')?.rsplit_once(".compareTo(")?;
    let is_whole = opaque.callee.ends_with(".compareTo/1") && !other.contains('(') && number.as_int() == Some(0);
    is_whole.then(|| format!("{one} {} {other}", operator(op)))
}

/// The text for two limits of one term as a range: `x within 2..3` for a conjunction, `x outside 2..3` for a
/// disjunction.
fn range(parts: &[Cond], all: bool) -> Option<String> {
    let [a, b] = parts else { return None };
    let ((x, op_a, c), (y, op_b, d)) = (a.bound()?, b.bound()?);
    if x != y {
        return None;
    }
    // Converts each limit to an inclusive limit of the range.
    let limit = |op: BinaryOp, c: i64| match (op, all) {
        (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => Some((Some(c), None)),
        (BinaryOp::Gt, true) | (BinaryOp::Le, false) => Some((Some(c.checked_add(1)?), None)),
        (BinaryOp::Le, true) | (BinaryOp::Gt, false) => Some((None, Some(c))),
        (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => Some((None, Some(c.checked_sub(1)?))),
        _ => None,
    };
    let (low, high) = match (limit(op_a, c)?, limit(op_b, d)?) {
        ((Some(low), None), (None, Some(high))) | ((None, Some(high)), (Some(low), None)) => (low, high),
        _ => return None,
    };
    (low <= high).then(|| format!("{x} {} {low}..{high}", if all { "within" } else { "outside" }))
}

/// Two values in words; two inputs of one name also say where they are.
fn told_apart(a: &Term, b: &Term) -> (String, String) {
    let place = |term: &Term| match term {
        Term::Input(input) => Some(input.place.as_str()),
        _ => None,
    };
    let (one, other) = (a.to_string(), b.to_string());
    match (place(a), place(b)) {
        (Some(from), Some(to)) if one == other && from != to => {
            (format!("{one} of the {from}"), format!("{other} of the {to}"))
        }
        _ => (one, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    use crate::interpret::values::function::Function;
    use crate::interpret::values::scalar::{Prim, Scalar};
    use crate::interpret::values::term::{Input, InputPlace};

    fn length() -> Rc<Term> {
        Rc::new(Term::Apply(Function::Length, vec![Rc::new(Term::Input(Input::new(InputPlace::Path, "code")))]))
    }

    fn cmp(op: BinaryOp, limit: i32) -> Cond {
        Cond::Compare(op, Prim::Int, length(), Rc::new(Term::Const(Scalar::Int(limit))))
    }

    #[test]
    fn conditions_read_as_sentences() {
        assert_eq!(cmp(BinaryOp::Lt, 2).to_string(), "length of code < 2");
        assert_eq!(cmp(BinaryOp::Lt, 2).negate().to_string(), "length of code >= 2");
        let code = Rc::new(Term::Input(Input::new(InputPlace::Path, "code")));
        assert_eq!(Cond::IsNull(code).negate().to_string(), "code is not null");
    }

    #[test]
    fn two_limits_are_a_range() {
        let outside = Cond::Any(vec![cmp(BinaryOp::Lt, 2), cmp(BinaryOp::Gt, 3)]);
        assert_eq!(outside.to_string(), "length of code outside 2..3");
        assert_eq!(outside.negate().to_string(), "length of code within 2..3");
    }
}
