//! The stores of one running path: which rows are there, what was looked up, and what was changed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::data::Entity;
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::value::{ObjId, Object, Value};

/// The part of a collection of rows that says that the store chose their order.
pub const CHOSEN: &str = "order of the store";

/// A row of a store.
#[derive(Debug, Clone)]
pub struct Held {
    /// The object that stands for it.
    pub object: ObjId,
    /// Its place among the rows of its table, where it was there from the start.
    pub at: Option<usize>,
    /// What it held when it was last kept.
    pub kept: Option<Rc<Object>>,
}

/// Something that a path did with a store.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum Deed {
    /// Looked rows up by the value of a field, or by all of a list.
    Asked { entity: TypeId, field: MemberId, value: Wanted, found: usize },
    /// Read a text as an identifier of documents.
    Identified { text: Rc<str> },
    /// Looked rows of a table up by the value of a column.
    Looked { table: Rc<str>, column: Rc<str>, value: Wanted },
    /// Went through all rows.
    Listed { entity: TypeId },
    /// Inserted a row.
    Inserted { entity: TypeId, row: ObjId },
    /// Kept another state of a row.
    Changed { entity: TypeId, row: ObjId },
    /// Removed a row.
    Removed { entity: TypeId, row: ObjId },
    /// Removed all documents, also those that are not known.
    Emptied { entity: TypeId },
    /// Changed what a field of this class keeps.
    Kept { owner: TypeId },
}

/// What was asked for: a text as a request would hold it, or a key that a store made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// A scalar's text.
    Text(String),
    /// A key that a store made, by its name.
    Key(Rc<str>),
    /// Something else.
    Other,
}

/// A field whose initial state a path rests on.
#[derive(Debug, Clone)]
pub struct Lasting {
    /// The field.
    pub field: MemberId,
    /// Its name, with that of its class.
    pub name: Rc<str>,
    /// The object that holds it; `None` for a static one.
    pub holder: Option<ObjId>,
    /// What it held, as a number that another state is unlikely to have.
    pub mark: u64,
}

/// The stores of one path.
#[derive(Debug, Clone, Default)]
pub struct StoreState {
    /// Rows that are removed with one that is on its way out.
    pub removing: Vec<ObjId>,
    /// Rows by their entity, of a hierarchy the one at its top, as far as they were needed.
    pub rows: BTreeMap<TypeId, Vec<Held>>,
    /// Rows of tables that no entity stands for, as far as they were needed.
    pub sql: BTreeMap<Rc<str>, Rc<Vec<BTreeMap<String, Value>>>>,
    /// Entities whose rows are being made, and wait for what they are referred to by.
    pub loading: Vec<TypeId>,
    /// What outlives requests besides rows, and is followed from its initial state.
    pub lasting: Vec<Lasting>,
    /// Variables of the environment that are taken as not set, each with who looks for it when the service starts.
    pub unset: BTreeSet<(Rc<str>, MemberId)>,
    /// What was done, in order.
    pub deeds: Vec<Deed>,
    /// Keys made so far.
    pub keys: usize,
    /// Rows whose state was saved by name.
    pub saved: BTreeSet<ObjId>,
    /// Entities of which not all rows are known, and why: those that are there were written by this path.
    pub partial: BTreeMap<TypeId, String>,
    /// Entities whose documents something that is not followed may have changed: also those that this path wrote.
    pub lost: BTreeSet<TypeId>,
    /// The collection in which the documents of a class are, and whether a codec of the driver keeps them there.
    pub collections: BTreeMap<TypeId, (Rc<str>, bool)>,
    /// Whether what runs at the start has run, or runs.
    pub is_started: bool,
    /// Whether it runs.
    pub is_starting: bool,
    /// Numbers of keys made at the start.
    pub counters: BTreeMap<Option<TypeId>, i64>,
    /// Whether the store chose the order of several rows that were given.
    pub is_unordered: bool,
}

impl StoreState {
    /// Whether this object stands for a row of an entity, or of one of its hierarchy.
    pub fn is_row(&self, entity: &Entity, object: ObjId) -> bool {
        self.rows.get(&entity.root).is_some_and(|rows| rows.iter().any(|row| row.object == object))
    }
}
