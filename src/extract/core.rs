//! A core: everything that one member reaches, kept so that walks can take it over as a whole.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::closure::{Cause, Members, Widening};
use super::links::{HandedAny, LibraryLink, Targets, UnresolvedLink};
use super::reach::Reach;
use super::shared::Known;
use crate::java::ids::{MemberId, TypeId};
use crate::java::layout::ModuleId;
use crate::java::name::Name;

/// The cores of a project, keyed by the module of the entries' class and by the member where the core begins: a
/// container injects beans of one application only.
#[derive(Default)]
pub struct Cores<'r> {
    pub(super) by_member: FxHashMap<(ModuleId, MemberId), Core<'r>>,
}

/// Everything that one member reaches.
pub struct Core<'r> {
    /// Its members.
    pub members: Arc<Members>,
    /// Their numbers.
    pub(super) numbers: Vec<u32>,
    /// Types with their flags in the walk.
    pub(super) types: Vec<(u32, u32)>,
    pub(super) alive: Vec<TypeId>,
    pub(super) is_alive: FxHashSet<TypeId>,
    pub(super) answering: Vec<TypeId>,
    pub(super) calls: Vec<u32>,
    pub(super) behind: Vec<u32>,
    pub(super) framework_called: Vec<u32>,
    pub(super) virtuals: FxHashMap<TypeId, Vec<(&'r Targets, Cause)>>,
    pub(super) hidden: Vec<(TypeId, Cause)>,
    pub(super) handed_any: Vec<(&'r Known<HandedAny>, Cause)>,
    pub(super) unresolved: Vec<(&'r Known<UnresolvedLink>, Cause)>,
    pub(super) library: Vec<(&'r Known<LibraryLink>, Cause)>,
    pub(super) missing: Vec<&'r Known<Name>>,
    pub(super) linked: Vec<(MemberId, Cause)>,
    pub(super) widenings: Vec<Widening>,
    pub(super) takes_any: bool,
    pub(super) changes: Option<Cause>,
    pub(super) stored: Vec<TypeId>,
}

impl<'r> Cores<'r> {
    /// The core that begins at a member, for entries of this class.
    pub(super) fn at(&self, reach: &Reach<'_>, home: Option<TypeId>, id: MemberId) -> Option<&Core<'r>> {
        if self.by_member.is_empty() {
            return None;
        }
        self.by_member.get(&(reach.resolver.project().module_of(home?), id))
    }
}

impl<'r> Core<'r> {
    /// The virtual calls that members of this core make on receivers of this static type, with their causes.
    pub(super) fn calls_on(&self, ty: TypeId) -> &[(&'r Targets, Cause)] {
        self.virtuals.get(&ty).map(Vec::as_slice).unwrap_or_default()
    }
}
