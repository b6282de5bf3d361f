//! A core: everything that one member reaches, kept so that walks can take it over as a whole.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::linked::links::{HandedAny, LibraryLink, Targets, UnresolvedLink};
use crate::linked::reach::Reach;
use crate::linked::shared::Numbered;
use crate::members::closure::{Cause, Members, Widening};
use mastor_java::build::layout::ModuleId;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::name::Name;

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
    pub(crate) numbers: Vec<u32>,
    /// Types with their flags in the walk.
    pub(crate) types: Vec<(u32, u32)>,
    pub(crate) alive: Vec<TypeId>,
    pub(crate) is_alive: FxHashSet<TypeId>,
    pub(crate) answering: Vec<TypeId>,
    pub(crate) calls: Vec<u32>,
    pub(crate) behind: Vec<u32>,
    pub(crate) framework_called: Vec<u32>,
    pub(crate) virtuals: FxHashMap<TypeId, Vec<(&'r Targets, Cause)>>,
    pub(crate) hidden: Vec<(TypeId, Cause)>,
    pub(crate) handed_any: Vec<(&'r Numbered<HandedAny>, Cause)>,
    pub(crate) unresolved: Vec<(&'r Numbered<UnresolvedLink>, Cause)>,
    pub(crate) library: Vec<(&'r Numbered<LibraryLink>, Cause)>,
    pub(crate) missing: Vec<&'r Numbered<Name>>,
    pub(crate) linked: Vec<(MemberId, Cause)>,
    pub(crate) widenings: Vec<Widening>,
    pub(crate) takes_any: bool,
    pub(crate) changes: Option<Cause>,
    pub(crate) stored: Vec<TypeId>,
}

impl<'r> Cores<'r> {
    /// The core that begins at a member, for entries of this class.
    pub(crate) fn at(&self, reach: &Reach<'_>, home: Option<TypeId>, id: MemberId) -> Option<&Core<'r>> {
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
