//! Selects the members that a run with opaque values follows.

use crate::ir::ids::{MemberId, TypeId};

/// Possible effects of a member that is not followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effects {
    /// It may change its arguments.
    pub changes_arguments: bool,
    /// It may call code that writes.
    pub writes: bool,
}

/// Selects the project members that a run with opaque values follows; all others are opaque as a whole.
pub trait FollowedMembers {
    /// Whether a member is followed.
    fn opens(&self, member: MemberId) -> bool;
    /// Whether a member changed, or reaches code that changed.
    fn changes(&self, member: MemberId) -> bool;
    /// Whether base and head are compared: equivalent queries then give the same value.
    fn compares(&self) -> bool {
        false
    }
    /// Whether the run ends when this member returns or throws.
    fn ends(&self, _member: MemberId) -> bool {
        false
    }
    /// The effects of a member that is not followed.
    fn effects(&self, member: MemberId) -> Effects;
    /// Whether a member that is not followed, given by its symbol, may throw an exception of this project class: its
    /// code, or code that it reaches, creates one.
    fn may_throw(&self, _symbol: &str, _class: TypeId) -> bool {
        true
    }
}
