//! What a request is answered for certain: what all of its paths agree on.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::java::interpret::path::Site;
use crate::runtime::body::shape::{AnswerBody, Shape};
use crate::runtime::server::guards::DENIED;
use crate::runtime::server::headers;
use crate::runtime::server::serve::{Run, Served};

/// What all paths of a request agree on.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// Status.
    pub status: u16,
    /// Body.
    pub body: AnswerBody,
    /// Where it was decided; `None` for the framework.
    pub exit: Option<Site>,
    /// The exception, by its simple name.
    pub exception: Option<String>,
    /// The key that a store made, in which the address of what was made ends.
    pub made: Option<Rc<str>>,
    /// The path that the client is sent to.
    pub location: Option<String>,
    /// Headers that code sets, by their names in lower case.
    pub headers: BTreeMap<String, String>,
}

/// What a request is answered for certain; `None` where a doubt, a bound or two statuses stand in the way.
pub fn settle(run: &Run) -> Option<Settled> {
    run.served.iter().all(Served::is_certain).then(|| agreed(run))?
}

/// What a request is answered where what may be assumed is so, with all that is assumed; `None` where something else stands in the way.
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

/// Whether an answer is that of a guard which denies access.
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
