//! The settled answer of a request: the parts on which all of its paths agree.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use mastor_java::interpret::paths::path::Site;
use mastor_runtime::body::shape::{AnswerBody, Shape};
use mastor_runtime::server::guards::DENIED;
use mastor_runtime::server::headers;
use mastor_runtime::server::serve::{Run, Served};

/// The parts of an answer on which all paths of a request agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// Status.
    pub status: u16,
    /// Body.
    pub body: AnswerBody,
    /// Where it is decided; `None` for the framework.
    pub exit: Option<Site>,
    /// The exception, by its simple name.
    pub exception: Option<String>,
    /// The generated key at the end of the `Location` of a created object.
    pub made: Option<Rc<str>>,
    /// The path to which the client is redirected.
    pub location: Option<String>,
    /// Headers that code sets, by lower-case name.
    pub headers: BTreeMap<String, String>,
}

/// The certain answer of a request; `None` if there is a doubt, a bound was met, or the statuses differ.
pub fn settle(run: &Run) -> Option<Settled> {
    run.served.iter().all(Served::is_certain).then(|| agreed(run))?
}

/// The answer of a request under its assumptions, with these assumptions; `None` if something else is uncertain.
pub fn settle_assuming(run: &Run) -> Option<(Settled, BTreeSet<Rc<str>>)> {
    let is_certain = |served: &Served| served.path.is_certain_assuming() && served.answer.status.is_some();
    let settled = run.served.iter().all(is_certain).then(|| agreed(run))??;
    Some((settled, run.served.iter().flat_map(|served| served.path.doubts.iter().cloned()).collect()))
}

fn agreed(run: &Run) -> Option<Settled> {
    let first = run.served.first().filter(|_| run.complete)?;
    let status = first.answer.status?;
    let mut settled = Settled {
        status,
        body: first.answer.body.clone(),
        exit: first.path.exit,
        exception: first.answer.exception.clone(),
        made: first.answer.made.clone(),
        location: first.answer.location.clone(),
        headers: headers::agreed(run),
    };
    for served in &run.served {
        if served.answer.status != Some(status) {
            return None;
        }
        settled.body = meet(&settled.body, &served.answer.body);
        if served.answer.made != settled.made {
            settled.made = None;
        }
        if served.answer.location != settled.location {
            settled.location = None;
        }
        if served.path.exit != settled.exit {
            settled.exit = None;
        }
    }
    Some(settled)
}

/// Whether an answer is a guard's denial of access.
pub fn is_denied(settled: &Settled) -> bool {
    settled.exit.is_none() && settled.exception.as_deref() == DENIED.rsplit('.').next()
}

fn meet(a: &AnswerBody, b: &AnswerBody) -> AnswerBody {
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (AnswerBody::Json(a), AnswerBody::Json(b)) => match a.meet(b) {
            Shape::Unknown => AnswerBody::Unknown,
            shape => AnswerBody::Json(shape),
        },
        _ => AnswerBody::Unknown,
    }
}
