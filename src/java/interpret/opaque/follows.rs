//! What a run with opaque values follows.

use crate::java::ids::{MemberId, TypeId};

/// What a member that is not followed may do beside giving a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effects {
    /// It may change what it is given.
    pub changes_arguments: bool,
    /// It may call what writes.
    pub writes: bool,
}

/// Which members of the project a run with opaque values follows; all others are opaque, as a whole.
pub trait Follows {
    /// Whether a member is followed.
    fn opens(&self, member: MemberId) -> bool;
    /// Whether a member changed, or leads to what changed.
    fn changes(&self, member: MemberId) -> bool;
    /// Whether base and head are held against each other: what asks the same in other words is one value then.
    fn compares(&self) -> bool {
        false
    }
    /// What a member may do that is not followed.
    fn effects(&self, member: MemberId) -> Effects;
    /// Whether a member that is not followed, by its symbol, may throw an exception of a class of the project: its code, or code that it leads to, makes one.
    fn may_throw(&self, _symbol: &str, _class: TypeId) -> bool {
        true
    }
}
