//! What a container of beans does to a program, as the closure asks it: which objects it puts where, and edges that no code states.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ids::{MemberId, TypeId};

/// A container that makes objects and injects them.
pub trait Injection: Sync {
    /// The types of the objects that can be injected into this field, in the order of ids; `None` where nothing is known to be injected.
    fn injected(&self, field: MemberId) -> Option<Vec<TypeId>>;
    /// The types of the objects that the container can put into the collection, the provider or the like that this field is, or hand to this
    /// constructor or annotated method as part of one.
    fn elements(&self, _: MemberId) -> &[TypeId] {
        &[]
    }
    /// The beans that are of this type or of one below it.
    fn of_type(&self, _: TypeId) -> &[TypeId] {
        &[]
    }
    /// The beans of this name.
    fn named(&self, _: &str) -> &[TypeId] {
        &[]
    }
    /// The beans that carry this annotation, or one that carries it.
    fn annotated(&self, _: TypeId) -> &[TypeId] {
        &[]
    }
    /// Every bean, in the order of ids.
    fn all(&self) -> &[TypeId] {
        &[]
    }
    /// Whether a type can be in the application that has another one: the container takes its objects, and frameworks call it.
    fn sees(&self, _from: TypeId, _ty: TypeId) -> bool {
        true
    }
    /// Whether only the container makes objects of this type, so that they are reached where they are injected or named and nowhere else.
    fn managed(&self, ty: TypeId) -> bool;
}

/// No container: every type may be anywhere.
pub struct NoInjection;

impl Injection for NoInjection {
    fn injected(&self, _: MemberId) -> Option<Vec<TypeId>> {
        None
    }

    fn managed(&self, _: TypeId) -> bool {
        false
    }
}

/// What an edge without a reference starts from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeSource {
    /// A member that is reached.
    Member(MemberId),
    /// A type that is touched.
    Type(TypeId),
    /// A stored type that is touched where something stored may be made, changed or removed.
    Stored(TypeId),
    /// An annotation, by its simple name, on anything that is reached.
    Annotation(String),
    /// A call of this member (simple type and name, such as `ApplicationEventPublisher.publishEvent`) of a library.
    Library(String),
}

/// Edges that frameworks make: aspects, events, converters, bean factories, named queries, mappers.
#[derive(Debug, Clone, Default)]
pub struct ExtraEdges {
    edges: BTreeMap<EdgeSource, Vec<(MemberId, Arc<str>)>>,
}

impl ExtraEdges {
    /// Adds edges of one kind; `kind` is what `why` prints, such as `listens to the event`.
    pub fn add(&mut self, from: EdgeSource, to: impl IntoIterator<Item = MemberId>, kind: &str) {
        let list = self.edges.entry(from).or_default();
        let kind: Arc<str> = kind.into();
        list.extend(to.into_iter().map(|member| (member, kind.clone())));
        list.sort();
        list.dedup();
    }

    /// Where the edges from this source lead.
    pub fn from(&self, source: &EdgeSource) -> &[(MemberId, Arc<str>)] {
        self.edges.get(source).map(Vec::as_slice).unwrap_or_default()
    }
}
