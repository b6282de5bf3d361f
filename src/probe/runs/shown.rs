//! Exchanges for display: without secrets, and limited in size.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::auth::Users;
use crate::auth::secret::MASK;
use crate::http::Request;
use mastor_types::results::outcome::{Answer, Exchange, NoAnswer};
use mastor_types::suite::sequence::Step;

/// Maximum bytes kept of a body: `EACH` while all bodies together are below `TOGETHER`, then `LEAST`.
const EACH: usize = 64 << 10;
const TOGETHER: usize = 32 << 20;
const LEAST: usize = 512;

/// Total size of kept bodies, limited so that memory does not grow with the number of failures.
#[derive(Debug, Default)]
pub struct Shown(AtomicUsize);

impl Shown {
    /// Truncates the bodies of an exchange to what is kept.
    pub fn bound(&self, exchange: &mut Exchange) {
        let room = if self.0.load(Ordering::Relaxed) < TOGETHER { EACH } else { LEAST };
        let mut kept = 0;
        if let Some(body) = &mut exchange.body {
            body.truncate(room);
            body.shrink_to_fit();
            kept += body.len();
        }
        if let Ok(answer) = &mut exchange.answer {
            answer.cut |= answer.body.len() > room;
            answer.body.truncate(room);
            answer.body.shrink_to_fit();
            kept += answer.body.len();
        }
        self.0.fetch_add(kept, Ordering::Relaxed);
    }
}

/// An exchange with all secrets masked.
pub fn exchange(users: &Users, step: usize, of: &Step, request: Request, answer: Result<Answer, NoAnswer>) -> Exchange {
    let secrets = users.secrets();
    let mut exchange = Exchange {
        step,
        op_id: of.op_id.clone(),
        as_user: of.as_user.clone(),
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: request.body,
        answer,
    };
    if let Ok(answer) = &mut exchange.answer {
        let cookies = answer.headers.iter_mut().filter(|(name, _)| name == "set-cookie");
        cookies.for_each(|(_, value)| *value = masked_cookie(value));
    }
    if secrets.is_empty() {
        return exchange;
    }
    let hide = |bytes: &mut Vec<u8>| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            *bytes = secrets.hide(text).into_bytes();
        }
    };
    exchange.url = secrets.hide(&exchange.url);
    exchange.headers.iter_mut().for_each(|(_, value)| *value = secrets.hide(value));
    exchange.body.iter_mut().for_each(hide);
    users.shown(&of.as_user, &mut exchange.url, &mut exchange.headers);
    match &mut exchange.answer {
        Ok(answer) => {
            answer.headers.iter_mut().for_each(|(_, value)| *value = secrets.hide(value));
            hide(&mut answer.body);
        }
        Err(NoAnswer::NoLogin { why, .. } | NoAnswer::Refused { why } | NoAnswer::Garbled { why }) => {
            *why = secrets.hide(why);
        }
        Err(_) => {}
    }
    exchange
}

/// A `Set-Cookie` header without the cookie's value, which may identify a session.
fn masked_cookie(line: &str) -> String {
    let (pair, attributes) = line.split_once(';').map_or((line, None), |(pair, rest)| (pair, Some(rest)));
    let name = pair.split('=').next().unwrap_or_default();
    match attributes {
        Some(attributes) => format!("{name}={MASK};{attributes}"),
        None => format!("{name}={MASK}"),
    }
}
