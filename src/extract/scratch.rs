//! What a walk marks while it follows one entry; used again for the next.

use super::closure::Edge;
use super::marks::{Flags, Marks};
use crate::java::ids::MemberId;

/// Flags of a type, above those of [`crate::java::library_uses::Implied::bits`].
pub const TOUCHED: u32 = 1 << 3;
/// It can be the receiver of calls.
pub const LIVE: u32 = 1 << 4;
/// Its static initialisers run.
pub const STATICS: u32 = 1 << 5;
/// Code or a container makes objects of it.
pub const MADE: u32 = 1 << 6;
/// It is written out.
pub const SERIALISED: u32 = 1 << 7;
/// A store makes objects of it.
pub const MATERIALISED: u32 = 1 << 8;
/// It is made through constructors and setters, of data that is read.
pub const FILLED: u32 = 1 << 9;
/// A library calls what overrides its own methods.
pub const CALLED_BACK: u32 = 1 << 10;
/// Its values go where any object may stand.
pub const HIDDEN: u32 = 1 << 11;

/// A member of it is used by code or a serialiser, not only run to make and fill objects.
pub const USED: u32 = 1 << 12;

/// It is named by code that runs, not only handed on, and not only above a type that is.
pub const NAMED: u32 = 1 << 13;
/// A store or a reader makes objects of it or of a type below it: its own part is made.
pub const PARTLY_MATERIALISED: u32 = 1 << 14;
/// As [`PARTLY_MATERIALISED`], of data that is read.
pub const PARTLY_FILLED: u32 = 1 << 15;
/// It stands above a type that is named.
pub const ABOVE: u32 = 1 << 16;

/// Marks of one walk.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Members that are reached.
    pub members: Marks,
    /// Room for them with the edges that reach them; empty between walks.
    pub reached: Vec<(MemberId, Edge)>,
    /// What has been done for a type.
    pub types: Flags,
    /// Virtual calls that are followed.
    pub calls: Marks,
    /// Library types behind which values were given to libraries.
    pub behind: Marks,
    /// Members that frameworks call.
    pub framework_called: Marks,
    /// Calls of library members.
    pub library: Marks,
    /// Library members that got any object.
    pub handed_any: Marks,
    /// Calls that nothing was found for.
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
