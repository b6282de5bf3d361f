//! Dependency injection as the closure sees it: which objects a container injects where, and call edges that no code
//! states.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ir::ids::{MemberId, TypeId};

/// A container that creates objects and injects them.
pub trait Injection: Sync {
    /// The types that can be injected into this field, in the order of ids; `None` if nothing is known to be
    /// injected.
    fn injected(&self, field: MemberId) -> Option<Vec<TypeId>>;
    /// For a field that is a collection, a provider or similar: the types of the objects that the container can put into
    /// it. For a constructor or annotated method: those that it can pass in a parameter of this kind.
    fn elements(&self, _: MemberId) -> &[TypeId] {
        &[]
    }
    /// The beans of this type or a subtype.
    fn of_type(&self, _: TypeId) -> &[TypeId] {
        &[]
    }
    /// The beans with this name.
    fn named(&self, _: &str) -> &[TypeId] {
        &[]
    }
    /// The beans with this annotation, directly or through a composed one.
    fn annotated(&self, _: TypeId) -> &[TypeId] {
        &[]
    }
    /// Every bean, in the order of ids.
    fn all(&self) -> &[TypeId] {
        &[]
    }
    /// Whether `ty` can belong to the same application as `from`, so that its container manages it and frameworks
    /// call it.
    fn sees(&self, _from: TypeId, _ty: TypeId) -> bool {
        true
    }
    /// Whether only the container creates objects of this type, so that code reaches them only where they are
    /// injected or named.
    fn managed(&self, ty: TypeId) -> bool;
}

/// No container: an object of any type may be anywhere.
pub struct NoInjection;

impl Injection for NoInjection {
    fn injected(&self, _: MemberId) -> Option<Vec<TypeId>> {
        None
    }

    fn managed(&self, _: TypeId) -> bool {
        false
    }
}

/// The source of an edge that no code reference makes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeSource {
    /// A reached member.
    Member(MemberId),
    /// A touched type.
    Type(TypeId),
    /// A persistent type, touched where persistent objects may be created, changed or removed.
    Stored(TypeId),
    /// An annotation with this simple name on any reached declaration.
    Annotation(String),
    /// A call of this library member (simple type and name, such as `ApplicationEventPublisher.publishEvent`).
    Library(String),
}

/// Edges that frameworks add: aspects, events, converters, bean factories, named queries, mappers.
#[derive(Debug, Clone, Default)]
pub struct ExtraEdges {
    edges: BTreeMap<EdgeSource, Vec<(MemberId, Arc<str>)>>,
}

impl ExtraEdges {
    /// Adds edges of one kind; `why` prints `kind`, such as `listens to the event`.
    pub fn add(&mut self, from: EdgeSource, to: impl IntoIterator<Item = MemberId>, kind: &str) {
        let list = self.edges.entry(from).or_default();
        let kind: Arc<str> = kind.into();
        list.extend(to.into_iter().map(|member| (member, kind.clone())));
        list.sort();
        list.dedup();
    }

    /// The targets of the edges from this source.
    pub fn from(&self, source: &EdgeSource) -> &[(MemberId, Arc<str>)] {
        self.edges.get(source).map(Vec::as_slice).unwrap_or_default()
    }
}
