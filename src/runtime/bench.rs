//! The bench: one operation with its inputs and surroundings, ready to run.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::subject::Subject;
use crate::app::surroundings::Surroundings;
use crate::app::wiring::Injected;
use crate::request::case::{Case, CaseBody, Reading};
use crate::request::signature::Signature;
use crate::request::text_forms::Converted;
use mastor_java::interpret::Codes;
use mastor_java::interpret::paths::condition::{Cond, Defect};
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::ids::MemberId;

/// Everything needed to run one operation.
pub struct Bench<'a> {
    /// The operation.
    pub subject: &'a Subject<'a>,
    /// Its inputs.
    pub signature: Signature,
    /// The middleware that applies to it.
    pub surroundings: Surroundings,
    /// The linked bodies.
    pub codes: Codes<'a>,
    /// Cached answers of the container.
    pub injected: Rc<Injected>,
    /// Interpreter steps that requests have used so far.
    pub spent: Cell<u64>,
    /// The user that sends its requests, once it was worked out which callers are let in.
    pub sender: OnceCell<Option<Rc<str>>>,
    /// The `main` that starts its server, for a server that code starts itself; or the reason why it is unknown.
    pub main: OnceCell<Result<MemberId, &'static str>>,
}

impl<'a> Bench<'a> {
    /// Sets up an operation.
    pub fn new(subject: &'a Subject<'a>) -> Self {
        let signature = Signature::of(subject);
        let codes = Codes::new(&subject.shared.resolver).with_marks(subject.endpoint.framework.beans.marks);
        let surroundings = crate::app::surroundings::surroundings(subject, &codes);
        let (spent, sender, main) = (Cell::new(0), OnceCell::new(), OnceCell::new());
        Self { subject, signature, surroundings, codes, injected: Rc::default(), spent, sender, main }
    }

    /// Whether a case satisfies a path condition, including conditions on defects of inputs.
    pub fn holds(&self, cond: &Cond, case: &Case) -> Option<bool> {
        let reading = Reading { case, signature: &self.signature };
        match cond {
            Cond::Input(input, Defect::Missing) => Some(!reading.is_given(input)),
            Cond::Input(_, Defect::Unreadable) => Some(case.body == CaseBody::Malformed),
            Cond::Input(input, Defect::NotA(_)) => {
                let text = case.params.get(input)?;
                match self.signature.slot(input) {
                    Some(slot) if slot.ty != Type::Str => match slot.convert(text) {
                        Converted::Value(_) | Converted::Made => Some(false),
                        Converted::Refused => Some(true),
                        Converted::Unknown => None,
                    },
                    _ => match mastor_java::interpret::values::function::Function::ParseLong
                        .apply(&[Scalar::text(text)])
                    {
                        mastor_java::interpret::values::function::Applied::Value(_) => Some(false),
                        mastor_java::interpret::values::function::Applied::Throws(..) => Some(true),
                        mastor_java::interpret::values::function::Applied::Unknown => None,
                    },
                }
            }
            Cond::Not(inner) => self.holds(inner, case).map(|value| !value),
            other => other.holds(&reading),
        }
    }
}
