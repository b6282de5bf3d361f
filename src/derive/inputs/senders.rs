//! The sender of an operation's requests.

use std::rc::Rc;

use super::solve::Pool;
use crate::derive::search::explore::{is_denied, settle};
use crate::runtime::bench::Bench;
use crate::runtime::request::case::Case;
use crate::types::user::User;

impl Bench<'_> {
    /// The user that sends the operation's requests: `None` if callers without credentials are let in, else the first
    /// user who is.
    pub fn sender(&self) -> Option<Rc<str>> {
        self.sender.get_or_init(|| self.let_in()).clone()
    }

    fn let_in(&self) -> Option<Rc<str>> {
        let users = &self.subject.shared.users;
        let case = Pool::of(self, &[]).anonymous();
        let denied = |case: &Case| settle(&self.try_case(case)).map(|settled| is_denied(&settled));
        if users.is_empty() || denied(&case) != Some(true) {
            return None;
        }
        let named = |user: &User| -> Rc<str> { user.name.as_str().into() };
        let let_in = |user: &&User| denied(&Case { as_user: Some(named(user)), ..case.clone() }) == Some(false);
        users.iter().find(let_in).map(named)
    }
}
