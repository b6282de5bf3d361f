//! What is known of the stores of a project before anything runs: entities, the repositories that hold them, and the rows that are there.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::java::ids::{MemberId, TypeId};

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// `NULL`.
    Null,
    /// A text, a number or a truth value.
    Value(Json),
    /// An expression that is no literal: it is there, and not known.
    Unknown,
}

/// A column as the schema declares it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Column {
    /// What a row holds that does not name the column.
    pub default: Option<Cell>,
    /// Whether the database counts it up.
    pub is_counted: bool,
    /// Whether `NULL` is refused.
    pub is_required: bool,
    /// The longest text.
    pub length: Option<usize>,
    /// Whether no two rows have the same value.
    pub is_unique: bool,
}

/// A row: its values by the plain name of the column.
pub type Row = BTreeMap<String, Cell>;

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Columns in the order in which they were declared; empty where no script declares the table.
    pub columns: Vec<(String, Column)>,
    /// Rows in the order in which they were inserted.
    pub rows: Vec<Row>,
    /// Why its rows are not known.
    pub open: Option<String>,
    /// Other tables that refuse to lose a row of this one: column there, and table here.
    pub references: Vec<(String, String)>,
    /// Other tables that do something else instead.
    pub yielding: Vec<(String, String, OnDelete)>,
    /// Columns that are unique together.
    pub together: Vec<Vec<String>>,
    /// The highest number that the database counted to.
    pub counted: i64,
    /// Whether a script gave a row the number that the database would have counted.
    pub is_numbered: bool,
    /// From where the database counts on: a script says so, or it numbered all rows itself.
    pub restarts: Option<i64>,
}

/// What happens to a row where one that it refers to is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDelete {
    /// Nothing may be removed that it refers to.
    Refuses,
    /// It goes as well.
    Goes,
    /// It refers to something else, or nothing.
    Changes,
}

impl Table {
    /// A column.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(own, _)| own == name).map(|(_, column)| column)
    }
}

/// What is done to a row that is done to the rows it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cascade {
    /// Inserting.
    pub persist: bool,
    /// Taking over the state of an object.
    pub merge: bool,
    /// Removing.
    pub remove: bool,
}

impl Cascade {
    /// What is done by either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            persist: self.persist || other.persist,
            merge: self.merge || other.merge,
            remove: self.remove || other.remove,
        }
    }
}

/// What a field of an entity is in its store.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum Mapping {
    /// A value of one column; an enum by its place where `ordinal`.
    Basic { column: String, ordinal: bool },
    /// Another row, by a column of this one.
    One { target: TypeId, column: String, cascade: Cascade },
    /// The other row whose field refers to this one.
    OneBy { target: TypeId, by: String, cascade: Cascade },
    /// All other rows whose field refers to this one.
    ManyBy { target: TypeId, by: String, cascade: Cascade, orphans: bool },
    /// All other rows by a table of pairs: column of this row, column of the other.
    ManyIn { target: TypeId, table: String, own: String, other: String, cascade: Cascade },
    /// The other side of such a table of pairs.
    ManyInBy { target: TypeId, by: String },
    /// No part of the store.
    Transient,
    /// Something else.
    Open,
}

/// A field of an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    /// The field.
    pub member: MemberId,
    /// Its name.
    pub name: String,
    /// What it is.
    pub mapping: Mapping,
    /// The field by which a collection is ordered, and whether downwards.
    pub order: Option<(String, bool)>,
    /// Whether null is refused.
    pub is_required: bool,
    /// Whether two rows may not have the same value.
    pub is_unique: bool,
    /// The longest text, where the entity makes the schema.
    pub length: Option<usize>,
    /// Whether another field of the same column is what keeps it.
    pub is_read_only: bool,
}

/// How the identifiers of an entity come about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// The code sets them.
    Assigned,
    /// The store makes them.
    Generated,
    /// They are those of another row.
    Shared,
}

/// How the numbers of keys are counted that a store makes while the service starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// For each table.
    Table,
    /// For all tables together.
    Shared,
    /// In a way that is not followed.
    Open,
}

/// How a database compares texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Texts {
    /// Letter by letter.
    Exactly,
    /// It tells apart what differs in the case of letters, or in blanks at the end, and sorts by the rules of a language.
    Apart,
    /// By a collation that is not known.
    #[default]
    Open,
}

/// Who numbers new rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbered {
    /// The column itself.
    Column,
    /// A sequence beside the table.
    Sequence,
    /// What the framework takes where nothing is said.
    Open,
}

/// Code that fills stores when the service starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Starter {
    /// The class that holds it.
    pub ty: TypeId,
    /// What runs.
    pub method: MemberId,
    /// Whether that makes what runs.
    pub is_factory: bool,
    /// The entities that it may store.
    pub entities: Vec<TypeId>,
}

/// How the classes of a hierarchy of entities are kept (JPA, `InheritanceType`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// All in one table.
    Single,
    /// What each class adds in a table of its own.
    Joined,
    /// Each class in a table of its own.
    Each,
}

/// An entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// Its class.
    pub ty: TypeId,
    /// The entity at the top of its hierarchy, whose rows are kept together; itself where there is none.
    pub root: TypeId,
    /// Itself and the entities below it.
    pub kin: Vec<TypeId>,
    /// How its hierarchy is kept.
    pub strategy: Strategy,
    /// The column that tells the classes of one table apart, and its value for this one.
    pub told_by: Option<(String, String)>,
    /// Its name in queries.
    pub name: String,
    /// Its table.
    pub table: String,
    /// Its fields, those of superclasses first.
    pub fields: Vec<Mapped>,
    /// Its identifier; the first part of one of several values.
    pub id: MemberId,
    /// All parts of an identifier of several values, which a class of its own holds by the same names; none where it is one value.
    pub parts: Vec<MemberId>,
    /// How that comes about.
    pub keys: Keys,
    /// How the numbers of keys are counted.
    pub counting: Counting,
    /// Who numbers new rows.
    pub numbered: Numbered,
    /// Whether what is read is a copy, and changes are kept only where they are saved.
    pub is_document: bool,
    /// Methods that the store calls before a row is inserted, and before it is changed.
    pub callbacks: Vec<(&'static str, MemberId)>,
    /// Why it cannot be followed.
    pub open: Option<String>,
}

impl Stores {
    /// The entity with whose rows those of a class are kept.
    pub fn root(&self, ty: TypeId) -> TypeId {
        self.entities.get(&ty).map_or(ty, |entity| entity.root)
    }

    /// The tables of an entity's hierarchy.
    pub fn tables_of(&self, entity: &Entity) -> impl Iterator<Item = &str> {
        let kin = self.entities.get(&entity.root).map(|root| root.kin.as_slice()).unwrap_or_default();
        kin.iter().filter_map(|ty| self.entities.get(ty)).map(|one| one.table.as_str())
    }

    /// Whether the rows of an entity lie in several tables that scripts make, whose rules are not joined.
    pub fn is_parted(&self, entity: &Entity) -> bool {
        entity.has_kin() && entity.strategy == Strategy::Joined && self.has_schema
    }

    /// The entities above one in its hierarchy.
    pub fn above(&self, ty: TypeId) -> impl Iterator<Item = TypeId> {
        let of = self.entities.values().filter(move |one| one.ty != ty && one.kin.contains(&ty));
        of.map(|one| one.ty)
    }
}

impl Entity {
    /// A field by its name.
    pub fn field(&self, name: &str) -> Option<&Mapped> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The name of a field.
    pub fn field_name(&self, member: MemberId) -> Option<&str> {
        self.fields.iter().find(|field| field.member == member).map(|field| field.name.as_str())
    }

    /// Whether it belongs to a hierarchy.
    pub fn has_kin(&self) -> bool {
        self.root != self.ty || self.kin.len() > 1
    }

    /// Whether a field is the identifier, or a part of it.
    pub fn is_key(&self, member: MemberId) -> bool {
        self.id == member || self.parts.contains(&member)
    }

    /// The identifier, where it is one value.
    pub fn single(&self) -> Option<MemberId> {
        self.parts.is_empty().then_some(self.id)
    }

    /// The column of a plain field.
    pub fn field_of(&self, member: MemberId) -> Option<&str> {
        let field = self.fields.iter().find(|field| field.member == member)?;
        match &field.mapping {
            Mapping::Basic { column, .. } => Some(column),
            _ => None,
        }
    }
}

/// The stores of a project.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stores {
    /// Entities by their class.
    pub entities: BTreeMap<TypeId, Entity>,
    /// Entities by the interface of the repository that holds them.
    pub repositories: BTreeMap<TypeId, TypeId>,
    /// Classes of the project that implement methods of a repository, by its interface.
    pub implementations: BTreeMap<TypeId, Vec<TypeId>>,
    /// Code that runs when the service starts, in its order.
    pub starters: Vec<Starter>,
    /// Whether code runs at the start, or by a clock, that may change tables by SQL.
    pub fills_by_code: bool,
    /// Tables by their plain names.
    pub tables: BTreeMap<String, Table>,
    /// Why nothing is known of tables that are not listed; else they are empty.
    pub open: Option<String>,
    /// Whether the scripts of the service make the schema, and not its entities.
    pub has_schema: bool,
    /// Whether the tables are made from the entities when the service starts, with all that these say of their columns.
    pub is_made: bool,
    /// Whether tables that scripts make are changed to what the entities say, as far as the release does that.
    pub alters: bool,
    /// Whether the store comes with the packages of Jakarta, and so with rules of later releases.
    pub is_jakarta: bool,
    /// Whether a column that numbers rows goes on behind a number that a script gave.
    pub goes_on: bool,
    /// How the database compares texts.
    pub texts: Texts,
    /// Whether the column numbers rows where nothing is said.
    pub by_column: bool,
    /// Whether an implementation of Bean Validation is there, which looks at rows before they are inserted.
    pub validates: bool,
    /// The files that the rows come from, or the settings that say that there is none.
    pub sources: Vec<String>,
}

/// A name by which columns, tables, fields and classes are compared: naming strategies differ in case and underscores alone.
pub fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
