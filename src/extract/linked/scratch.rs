//! The marks that a walk sets while it follows one entry; reused by the next walk.

use super::marks::{Flags, Marks};
use crate::members::closure::Edge;
use mastor_java::ir::ids::MemberId;

/// The closure has the type, even if its values are only passed on. The lower bits are those of
/// [`mastor_java::objects::library_uses::ImplicitCalls::bits`].
pub const TOUCHED: u32 = 1 << 3;
/// Objects of the type can be receivers of calls.
pub const LIVE: u32 = 1 << 4;
/// Its static initialisers run.
pub const STATICS: u32 = 1 << 5;
/// Code or a container creates objects of it.
pub const MADE: u32 = 1 << 6;
/// Its objects are serialised.
pub const SERIALISED: u32 = 1 << 7;
/// A store creates objects of it.
pub const MATERIALISED: u32 = 1 << 8;
/// Its objects are created through constructors and setters, from data that is read.
pub const FILLED: u32 = 1 << 9;
/// A library calls those of its methods that override the library's own.
pub const CALLED_BACK: u32 = 1 << 10;
/// Its values are passed where any object is accepted.
pub const HIDDEN: u32 = 1 << 11;

/// Code or a serialiser uses a member of it, beyond creating and filling objects.
pub const USED: u32 = 1 << 12;

/// Code that runs names the type; it is not only passed on, and not only above a named type.
pub const NAMED: u32 = 1 << 13;
/// A store or a reader creates objects of the type or of a subtype, so the fields declared here are filled.
pub const PARTLY_MATERIALISED: u32 = 1 << 14;
/// As [`PARTLY_MATERIALISED`], for data that is read.
pub const PARTLY_FILLED: u32 = 1 << 15;
/// The type is named, or is a supertype of a named type.
pub const ABOVE: u32 = 1 << 16;

/// Marks of one walk.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Members that are reached.
    pub members: Marks,
    /// Reused buffer for the members with their edges; empty between walks.
    pub reached: Vec<(MemberId, Edge)>,
    /// Flags of the types.
    pub types: Flags,
    /// Virtual calls that have been followed.
    pub calls: Marks,
    /// Library types of the values that are passed to libraries.
    pub behind: Marks,
    /// Members that frameworks call.
    pub framework_called: Marks,
    /// Calls of library members.
    pub library: Marks,
    /// Library members that receive any object.
    pub handed_any: Marks,
    /// Calls for which no method was found.
    pub unresolved: Marks,
    /// Type names that nothing declares.
    pub missing: Marks,
}

impl Scratch {
    /// Removes every mark.
    pub fn clear(&mut self) {
        self.reached.clear();
        self.types.clear();
        for marks in [
            &mut self.members,
            &mut self.calls,
            &mut self.behind,
            &mut self.framework_called,
            &mut self.library,
            &mut self.handed_any,
            &mut self.unresolved,
            &mut self.missing,
        ] {
            marks.clear();
        }
    }
}
