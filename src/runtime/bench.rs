//! The bench: one operation with its inputs and surroundings, ready to run.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::subject::Subject;
use crate::java::interpret::Codes;
use crate::java::interpret::paths::condition::{Cond, Defect};
use crate::java::interpret::values::scalar::Scalar;
use crate::java::interpret::values::value::Type;
use crate::java::ir::ids::MemberId;
use crate::runtime::app::surroundings::Surroundings;
use crate::runtime::app::wiring::Injected;
use crate::runtime::request::case::{Case, CaseBody, Reading};
use crate::runtime::request::signature::Signature;
use crate::runtime::request::text_forms::Converted;

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
    pub(crate) injected: Rc<Injected>,
    /// Interpreter steps that requests have used so far.
    pub(crate) spent: Cell<u64>,
    pub(crate) sender: OnceCell<Option<Rc<str>>>,
    /// The `main` that starts its server, for a server that code starts itself; or the reason why it is unknown.
    pub(crate) main: OnceCell<Result<MemberId, &'static str>>,
}

impl<'a> Bench<'a> {
    /// Sets up an operation.
    pub fn new(subject: &'a Subject<'a>) -> Self {
        let signature = Signature::of(subject);
        let codes = Codes::new(&subject.shared.resolver).with_marks(subject.endpoint.framework.beans.marks);
        let surroundings = crate::runtime::app::surroundings::surroundings(subject, &codes);
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
                    _ => match crate::java::interpret::values::function::Function::ParseLong
                        .apply(&[Scalar::text(text)])
                    {
                        crate::java::interpret::values::function::Applied::Value(_) => Some(false),
                        crate::java::interpret::values::function::Applied::Throws(..) => Some(true),
                        crate::java::interpret::values::function::Applied::Unknown => None,
                    },
                }
            }
            Cond::Not(inner) => self.holds(inner, case).map(|value| !value),
            other => other.holds(&reading),
        }
    }
}
