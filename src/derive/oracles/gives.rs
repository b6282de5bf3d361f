//! Return values of stubs: the values of opaque calls for which the conditions of a path hold, in the form that a slice
//! takes.

use std::rc::Rc;

use serde_json::json;

use crate::inputs::assignment::Assignment;
use mastor_java::interpret::opaque::state::THROWS;
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::{Canon, Inputs as _, Opaque, Origin, Sort, Term};
use mastor_types::suite::given::{GivenValue, Gives};

/// The return values of a condition's calls under an assignment that satisfies it. `method` names the method of a
/// callee that a stub can replace.
pub fn gives(cond: &Cond, on: &Assignment, method: &dyn Fn(&str) -> Option<String>) -> Vec<Gives> {
    let mut all = Vec::new();
    cond.opaque(&mut all);
    let mut found: Vec<Gives> = Vec::new();
    for one in all {
        let Some((call, at, value)) = value_of(&one, on) else { continue };
        let Some(call) = method(&call) else { continue };
        let gives = Gives { call, at, value };
        if !found.contains(&gives) {
            found.push(gives);
        }
    }
    found
}

/// The call behind an opaque value, the location in its result, and the value; `None` if the stub may return anything.
fn value_of(one: &Rc<Opaque>, on: &Assignment) -> Option<(String, String, GivenValue)> {
    let value = on.opaque(one)?;
    if one.origin == Origin::Part
        && let Some(of) = held_by(one)
    {
        let holds = value == Scalar::Bool(true);
        if let Some(class) = one.callee.strip_prefix("is a ").filter(|_| &*of.callee == THROWS) {
            let (call, at) = place(held_by(of)?)?;
            return holds.then(|| (call, at, GivenValue::Throws(class.to_owned())));
        }
        let (call, at) = place(of)?;
        return match (&*one.callee, holds) {
            ("is there", true) => Some((call, at, GivenValue::Present)),
            ("is there", false) => Some((call, at, GivenValue::Empty)),
            ("size", _) => {
                let is_empty = value.as_int()? == 0;
                Some((call, at, if is_empty { GivenValue::Empty } else { GivenValue::Present }))
            }
            (THROWS, true) => Some((call, at, GivenValue::Throws("java.lang.RuntimeException".to_owned()))),
            (THROWS, false) => None,
            _ => place(one).zip(plain(&value, &one.sort)).map(|((call, at), value)| (call, at, value)),
        };
    }
    let (call, at) = place(one)?;
    Some((call, at, plain(&value, &one.sort)?))
}

/// The opaque value that contains a part.
fn held_by(one: &Opaque) -> Option<&Rc<Opaque>> {
    match one.operands.first()? {
        Canon::Term(term) => match &**term {
            Term::Opaque(of) => Some(of),
            _ => None,
        },
        _ => None,
    }
}

/// The callee behind an opaque value, and the location in its result.
fn place(one: &Rc<Opaque>) -> Option<(String, String)> {
    match one.origin {
        Origin::Call => Some((one.callee.to_string(), String::new())),
        Origin::Given | Origin::Constant => None,
        Origin::Part => {
            let (call, at) = place(held_by(one)?)?;
            let at = match &*one.callee {
                "held" => join(&at, "get()"),
                name if name.starts_with('[') => format!("{at}{name}"),
                name => join(&at, name.strip_prefix('.')?),
            };
            Some((call, at))
        }
    }
}

fn join(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}

/// A value in the form of a stub; `None` if only its presence is known.
fn plain(value: &Scalar, sort: &Sort) -> Option<GivenValue> {
    Some(match value {
        Scalar::Null => GivenValue::Null,
        Scalar::Enum(_, name) => GivenValue::Constant(name.to_string()),
        _ if *sort == Sort::Object => return None,
        Scalar::Bool(value) => GivenValue::Is(json!(value)),
        Scalar::Int(value) => GivenValue::Is(json!(value)),
        Scalar::Long(value) => GivenValue::Is(json!(value)),
        Scalar::Double(value) => GivenValue::Is(json!(value)),
        other => GivenValue::Is(json!(other.as_text()?)),
    })
}
