//! A core: everything that one member reaches, kept so that walks can take it over as a whole.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::extract::linked::links::{HandedAny, LibraryLink, Targets, UnresolvedLink};
use crate::extract::linked::reach::Reach;
use crate::extract::linked::shared::Numbered;
use crate::extract::members::closure::{Cause, Members, Widening};
use crate::java::build::layout::ModuleId;
use crate::java::ir::ids::{MemberId, TypeId};
use crate::java::ir::name::Name;

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
    pub(in crate::extract) numbers: Vec<u32>,
    /// Types with their flags in the walk.
    pub(in crate::extract) types: Vec<(u32, u32)>,
    pub(in crate::extract) alive: Vec<TypeId>,
    pub(in crate::extract) is_alive: FxHashSet<TypeId>,
    pub(in crate::extract) answering: Vec<TypeId>,
    pub(in crate::extract) calls: Vec<u32>,
    pub(in crate::extract) behind: Vec<u32>,
    pub(in crate::extract) framework_called: Vec<u32>,
    pub(in crate::extract) virtuals: FxHashMap<TypeId, Vec<(&'r Targets, Cause)>>,
    pub(in crate::extract) hidden: Vec<(TypeId, Cause)>,
    pub(in crate::extract) handed_any: Vec<(&'r Numbered<HandedAny>, Cause)>,
    pub(in crate::extract) unresolved: Vec<(&'r Numbered<UnresolvedLink>, Cause)>,
    pub(in crate::extract) library: Vec<(&'r Numbered<LibraryLink>, Cause)>,
    pub(in crate::extract) missing: Vec<&'r Numbered<Name>>,
    pub(in crate::extract) linked: Vec<(MemberId, Cause)>,
    pub(in crate::extract) widenings: Vec<Widening>,
    pub(in crate::extract) takes_any: bool,
    pub(in crate::extract) changes: Option<Cause>,
    pub(in crate::extract) stored: Vec<TypeId>,
}

impl<'r> Cores<'r> {
    /// The core that begins at a member, for entries of this class.
    pub(in crate::extract) fn at(&self, reach: &Reach<'_>, home: Option<TypeId>, id: MemberId) -> Option<&Core<'r>> {
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
