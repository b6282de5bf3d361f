//! The sender of an operation's requests.

use std::rc::Rc;

use crate::search::settled::{is_denied, settle};
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::Case;
use mastor_types::user::User;

/// The user that sends the operation's requests: `None` if callers without credentials are let in, else the first user
/// who is. `anonymous` gives the request of a caller without credentials.
pub fn sender(bench: &Bench<'_>, anonymous: impl FnOnce() -> Case) -> Option<Rc<str>> {
    bench.sender.get_or_init(|| let_in(bench, anonymous())).clone()
}

fn let_in(bench: &Bench<'_>, case: Case) -> Option<Rc<str>> {
    let users = &bench.subject.shared.users;
    let denied = |case: &Case| settle(&bench.try_case(case)).map(|settled| is_denied(&settled));
    if users.is_empty() || denied(&case) != Some(true) {
        return None;
    }
    let named = |user: &User| -> Rc<str> { user.name.as_str().into() };
    let let_in = |user: &&User| denied(&Case { as_user: Some(named(user)), ..case.clone() }) == Some(false);
    users.iter().find(let_in).map(named)
}
