//! Senders: as whom an operation is asked.

use std::rc::Rc;

use super::solve::Pool;
use crate::derive::search::explore::{is_denied, settle};
use crate::runtime::bench::Bench;
use crate::runtime::request::case::Case;
use crate::types::user::User;

impl Bench<'_> {
    /// The user as whom the operation is asked: nobody where a guard lets nobody in particular through, else the first who is let in.
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
