//! The closure of an entry: every member that can run, or decides what runs, when it is called, with the edge that reached each.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::java::ids::{MemberId, TypeId};
use crate::types::places::Places;

/// Why a member is in the closure: what its parent does with it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// It is the entry.
    Entry,
    /// Calls it, or refers to it.
    Calls,
    /// Calls what it implements or overrides.
    Dispatches,
    /// Names it for a link to it: it does not run.
    Links,
    /// Reads or writes it.
    Uses,
    /// Makes an object of its type, so it runs.
    Makes,
    /// Touches its type, whose static initialiser runs.
    Initialises,
    /// Gives an object of its type to a library, which calls it.
    CalledBack,
    /// Its type is written out.
    Serialises,
    /// Its type is made by a library: read from a request, a file or a store.
    Materialises,
    /// An object of its type is injected.
    Injects,
    /// A call of this name was not resolved.
    Widens,
    /// A framework makes the edge: in what way.
    Framework(Arc<str>),
}

impl EdgeKind {
    /// In words, as `why` prints it behind the member.
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
    /// From which member; `None` for the entry.
    pub from: Option<MemberId>,
    /// In what way.
    pub kind: EdgeKind,
    /// Line in the parent, where one is known.
    pub line: Option<u32>,
}

/// Where a walk has something from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cause {
    /// The member; `None` for the entry.
    pub(super) from: Option<MemberId>,
    /// The line in it.
    pub(super) line: Option<u32>,
}

/// Members with the edge that reached each first, in the order of ids.
#[derive(Debug, Clone, Default)]
pub struct Members {
    own: Vec<(MemberId, Kept)>,
    /// The kinds of their edges, each once.
    kinds: Vec<EdgeKind>,
    /// What many closures hold alike.
    shared: Vec<Arc<Members>>,
    /// The numbers of all of them.
    numbers: Places,
}

/// An edge as it is kept: of a large project there are millions.
#[derive(Debug, Clone, Copy)]
struct Kept {
    from: MemberId,
    line: u32,
    kind: u32,
}

/// Stands for no member, by its index, and for no line.
const NONE: u32 = u32::MAX;

impl Kept {
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
    /// These members, each of which is there once. `dense` numbers the members of a project below `count` in the order of their ids.
    pub fn of(members: &[(MemberId, Edge)], dense: impl Fn(MemberId) -> usize, count: usize) -> Self {
        let numbers: Places = members.iter().map(|(id, _)| dense(*id) as u32).collect();
        let mut kinds = Vec::new();
        let mut keep = |(id, edge): &(MemberId, Edge)| (*id, Kept::of(edge, &mut kinds));
        let own = if members.len() < count / 8 {
            let mut sorted: Vec<(MemberId, Kept)> = members.iter().map(keep).collect();
            sorted.sort_unstable_by_key(|(id, _)| *id);
            sorted
        } else {
            // The place of each member that is there.
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

    /// These, and those that other closures hold too.
    #[must_use]
    pub fn with(mut self, shared: Vec<Arc<Members>>) -> Self {
        shared.iter().for_each(|members| self.numbers.join(&members.numbers));
        Self { shared, ..self }
    }

    /// The numbers of the members, which ascend as their ids do.
    pub fn numbers(&self) -> &Places {
        &self.numbers
    }

    /// The members, in the order of ids.
    pub fn keys(&self) -> impl Iterator<Item = &MemberId> {
        let mut lists: Vec<std::slice::Iter<'_, (MemberId, Kept)>> = std::iter::once(self)
            .chain(self.shared.iter().map(Arc::as_ref))
            .map(|members| members.own.iter())
            .collect();
        lists.retain(|list| !list.as_slice().is_empty());
        std::iter::from_fn(move || {
            if let [only] = lists.as_mut_slice() {
                return only.next();
            }
            // What several hold counts once.
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

    /// The edge that reached a member first; `None` where it is not reached.
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

/// Something that made the closure larger than what is certainly reached, or that could not be followed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Widening {
    /// The member in which it stands.
    pub at: MemberId,
    /// Line, from 1.
    pub line: u32,
    /// What could not be followed.
    pub what: String,
}

/// All that one entry reaches.
#[derive(Debug, Clone, Default)]
pub struct Closure {
    /// Members with the edge that reached each first, in the order of ids.
    pub members: Members,
    /// Types whose declaration the members rest on, in the order of ids.
    pub types: Vec<TypeId>,
    /// Those of which a member is used by code or a serialiser, not only run to make and fill objects, in the order of ids.
    pub used: Vec<TypeId>,
    /// What could not be followed.
    pub widenings: Vec<Widening>,
    /// Library members called, as simple type and name, in the order in which they were reached; some more than once.
    pub library: Vec<Arc<str>>,
    /// Type names that no file declares.
    pub missing: BTreeSet<String>,
}

impl Closure {
    /// How a member was reached, the entry first; empty where it was not.
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
