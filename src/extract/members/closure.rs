//! The closure of an entry: every member that can run, or decides what runs, when the entry is called, with the edge
//! that reached it first.

use std::collections::BTreeSet;
use std::sync::Arc;

use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_types::places::IndexSet;

/// Why a member is in the closure: what the parent member does with it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// The member is the entry.
    Entry,
    /// The parent calls the member, or refers to it.
    Calls,
    /// The parent calls a method that the member implements or overrides.
    Dispatches,
    /// The parent names the member to build a link to it; the member does not run.
    Links,
    /// The parent reads or writes the member.
    Uses,
    /// The parent creates an object of the member's type, so the member runs.
    Makes,
    /// The parent touches the member's type, whose static initialiser runs.
    Initialises,
    /// The parent passes an object of the member's type to a library, which calls the member.
    CalledBack,
    /// The member's type is serialised.
    Serialises,
    /// A library creates objects of the member's type, from a request, a file or a store.
    Materialises,
    /// An object of the member's type is injected.
    Injects,
    /// A call of this name was not resolved.
    Widens,
    /// A framework adds the edge; the text says how.
    Framework(Arc<str>),
}

impl EdgeKind {
    /// The edge in words, as `why` prints it after the member.
    pub fn words(&self) -> String {
        match self {
            Self::Entry => "entry".to_owned(),
            Self::Calls => "called".to_owned(),
            Self::Dispatches => "implements what is called".to_owned(),
            Self::Links => "named in a link".to_owned(),
            Self::Uses => "read or written".to_owned(),
            Self::Makes => "runs when an object is made".to_owned(),
            Self::Initialises => "runs when its type is first used".to_owned(),
            Self::CalledBack => "called back by a library".to_owned(),
            Self::Serialises => "written out".to_owned(),
            Self::Materialises => "read in".to_owned(),
            Self::Injects => "injected".to_owned(),
            Self::Widens => "may be what an unresolved name means".to_owned(),
            Self::Framework(how) => how.to_string(),
        }
    }
}

/// How a member was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The member that it was reached from; `None` for the entry.
    pub from: Option<MemberId>,
    /// Kind of the edge.
    pub kind: EdgeKind,
    /// Line in the parent, if known.
    pub line: Option<u32>,
}

/// The member and line that caused a step of a walk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cause {
    /// The member; `None` for the entry.
    pub(crate) from: Option<MemberId>,
    /// The line in it.
    pub(crate) line: Option<u32>,
}

/// Members with the edge that reached each first, in the order of ids.
#[derive(Debug, Clone, Default)]
pub struct Members {
    own: Vec<(MemberId, CompactEdge)>,
    /// The distinct kinds of their edges.
    kinds: Vec<EdgeKind>,
    /// Members that are shared with other closures.
    shared: Vec<Arc<Members>>,
    /// The numbers of all members, shared ones included.
    numbers: IndexSet,
}

/// An edge in compact form: a large project has millions.
#[derive(Debug, Clone, Copy)]
struct CompactEdge {
    from: MemberId,
    line: u32,
    kind: u32,
}

/// Index of a missing parent, and value of a missing line.
const NONE: u32 = u32::MAX;

impl CompactEdge {
    fn of(edge: &Edge, kinds: &mut Vec<EdgeKind>) -> Self {
        let known = kinds.iter().position(|kind| *kind == edge.kind);
        let kind = known.unwrap_or_else(|| {
            kinds.push(edge.kind.clone());
            kinds.len() - 1
        });
        let from = edge.from.unwrap_or(MemberId { ty: TypeId(NONE), index: NONE });
        Self { from, line: edge.line.unwrap_or(NONE), kind: kind as u32 }
    }
}

impl Members {
    /// Builds from distinct members. `dense` numbers the members of a project below `count`, in the order of their ids.
    pub fn of(members: &[(MemberId, Edge)], dense: impl Fn(MemberId) -> usize, count: usize) -> Self {
        let numbers: IndexSet = members.iter().map(|(id, _)| dense(*id) as u32).collect();
        let mut kinds = Vec::new();
        let mut keep = |(id, edge): &(MemberId, Edge)| (*id, CompactEdge::of(edge, &mut kinds));
        let own = if members.len() < count / 8 {
            let mut sorted: Vec<(MemberId, CompactEdge)> = members.iter().map(keep).collect();
            sorted.sort_unstable_by_key(|(id, _)| *id);
            sorted
        } else {
            // Position in `members` by number.
            let mut places: Vec<u32> = vec![0; count];
            for (at, (id, _)) in members.iter().enumerate() {
                places[dense(*id)] = at as u32;
            }
            let mut sorted = Vec::with_capacity(members.len());
            sorted.extend(numbers.iter().map(|number| keep(&members[places[number as usize] as usize])));
            sorted
        };
        Self { own, kinds, shared: Vec::new(), numbers }
    }

    /// Adds members that are shared with other closures.
    #[must_use]
    pub fn with(mut self, shared: Vec<Arc<Members>>) -> Self {
        shared.iter().for_each(|members| self.numbers.join(&members.numbers));
        Self { shared, ..self }
    }

    /// The numbers of the members, in ascending order; they follow the order of ids.
    pub fn numbers(&self) -> &IndexSet {
        &self.numbers
    }

    /// The members, in the order of ids.
    pub fn keys(&self) -> impl Iterator<Item = &MemberId> {
        let mut lists: Vec<std::slice::Iter<'_, (MemberId, CompactEdge)>> = std::iter::once(self)
            .chain(self.shared.iter().map(Arc::as_ref))
            .map(|members| members.own.iter())
            .collect();
        lists.retain(|list| !list.as_slice().is_empty());
        std::iter::from_fn(move || {
            if let [only] = lists.as_mut_slice() {
                return only.next();
            }
            // A member that several lists hold is returned once.
            let heads = lists.iter().filter_map(|list| list.as_slice().first());
            let least = heads.min_by_key(|(id, _)| *id)?;
            lists.iter_mut().filter(|list| list.as_slice().first().is_some_and(|(id, _)| *id == least.0)).for_each(
                |list| {
                    list.next();
                },
            );
            Some(least)
        })
        .map(|(id, _)| id)
    }

    /// The members with their edges, in the order of ids.
    pub fn iter(&self) -> impl Iterator<Item = (&MemberId, Edge)> {
        self.keys().filter_map(|id| Some((id, self.get(*id)?)))
    }

    /// The edge that reached a member first; `None` if it was not reached.
    pub fn get(&self, member: MemberId) -> Option<Edge> {
        let own = self.own.binary_search_by_key(&member, |(id, _)| *id).ok();
        let own = own.and_then(|at| self.own.get(at)).and_then(|(_, kept)| {
            Some(Edge {
                from: Some(kept.from).filter(|from| from.index != NONE),
                kind: self.kinds.get(kept.kind as usize)?.clone(),
                line: Some(kept.line).filter(|line| *line != NONE),
            })
        });
        own.or_else(|| self.shared.iter().find_map(|members| members.get(member)))
    }
}

/// A place that could not be followed, or that adds members which may not be reached.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Widening {
    /// The member that contains the place.
    pub at: MemberId,
    /// Line, from 1.
    pub line: u32,
    /// What could not be followed.
    pub what: String,
}

/// Everything that one entry reaches.
#[derive(Debug, Clone, Default)]
pub struct Closure {
    /// Members with the edge that reached each first, in the order of ids.
    pub members: Members,
    /// Types on whose declarations the members depend, in the order of ids.
    pub types: Vec<TypeId>,
    /// Those of the types that code or a serialiser uses, beyond creating and filling their objects; in the order of
    /// ids.
    pub used: Vec<TypeId>,
    /// Places that could not be followed.
    pub widenings: Vec<Widening>,
    /// Library members called, as simple type and name, in the order in which they were reached; may contain
    /// duplicates.
    pub library: Vec<Arc<str>>,
    /// Type names that no file declares.
    pub missing: BTreeSet<String>,
}

impl Closure {
    /// The chain of edges that reached a member, from the entry; empty if it was not reached.
    pub fn why(&self, member: MemberId) -> Vec<(MemberId, Edge)> {
        let mut chain = Vec::new();
        let mut at = Some(member);
        while let Some(edge) = at.and_then(|member| self.members.get(member)) {
            let from = edge.from;
            if let Some(member) = at {
                chain.push((member, edge));
            }
            at = from.filter(|from| chain.iter().all(|(known, _)| known != from));
        }
        chain.reverse();
        chain
    }
}
