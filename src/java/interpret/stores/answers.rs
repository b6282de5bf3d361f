//! Converts the rows of a repository query to the method's declared result type.

use super::data::Entity;
use super::derived::Purpose;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, library_type, open, throw};
use crate::interpret::library::frameworks::pages::{self, PageRows, PageTotal, Request};
use crate::interpret::library::functions::{optional, stream_state};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::value::{ObjId, Type, Value};

/// The class of an optional row.
pub const OPTIONAL: &str = "java.util.Optional";

impl<'p> Machine<'p> {
    /// Applies the purpose of a query to its rows: returns, counts, tests or deletes them. `free` if the query defines no order.
    pub(super) fn settle_query(
        &mut self,
        entity: &'p Entity,
        purpose: Purpose,
        found: Vec<ObjId>,
        free: bool,
        result: &Type,
    ) -> Answer {
        match purpose {
            Purpose::Count => Ok(counted(found.len(), result)),
            Purpose::Exists => Ok(Value::bool(!found.is_empty())),
            Purpose::Delete => {
                let count = found.len();
                for row in &found {
                    if self.store.is_row(entity, *row) {
                        self.remove_row(entity, *row)?;
                    }
                }
                match result {
                    Type::Void => Ok(Value::NULL),
                    Type::Prim(_) | Type::Boxed(_) => Ok(counted(count, result)),
                    result => self.give(result, found),
                }
            }
            Purpose::Find => {
                if free && found.len() > 1 {
                    self.store.is_unordered = true;
                }
                self.give(result, found)
            }
        }
    }

    /// Rows in the declared result type of a method.
    pub(super) fn give(&mut self, result: &Type, found: Vec<ObjId>) -> Answer {
        let found = self.as_given(found)?;
        let one = |machine: &mut Self, found: &[ObjId]| -> Answer {
            match found {
                [] => Ok(Value::NULL),
                [only] => Ok(Value::Ref(*only)),
                _ => Err(throw(machine, "org.springframework.dao.IncorrectResultSizeDataAccessException")),
            }
        };
        match result {
            Type::Class(ClassRef::Project(_), _) => one(self, &found),
            Type::Class(ClassRef::Library(fqn), _) if **fqn == *OPTIONAL => {
                let value = one(self, &found)?;
                Ok(optional::of(self, OPTIONAL, value))
            }
            Type::Class(ClassRef::Library(fqn), _) if **fqn == *"java.util.stream.Stream" => {
                let items = found.into_iter().map(Value::Ref).collect();
                Ok(stream_state::of(self, items, None))
            }
            result => self.give_list(result, found),
        }
    }

    /// Rows as the code receives them: documents are copied.
    fn as_given(&mut self, found: Vec<ObjId>) -> Answer<Vec<ObjId>> {
        let mut given = Vec::new();
        for row in found {
            given.push(self.read_document(row)?);
        }
        Ok(given)
    }

    /// A page of the rows in an order. Its contents are unknown if the order leaves open which rows it includes.
    pub(super) fn give_page(
        &mut self,
        mut rows: Vec<ObjId>,
        order: &[(String, bool)],
        (pageable, request): (&Value, &Request),
        result: &Type,
    ) -> Answer {
        let before = std::mem::replace(&mut self.store.is_unordered, order.is_empty() && rows.len() > 1);
        let sorted = if order.is_empty() { Ok(()) } else { self.sort_rows(&mut rows, order) };
        let is_free = self.store.is_unordered;
        self.store.is_unordered |= before;
        sorted?;
        let total = rows.len();
        let (from, size) = match request.part {
            None => (0, total),
            Some((page, size)) => {
                let (page, size) = (usize::try_from(page).unwrap_or(0), usize::try_from(size).unwrap_or(0));
                (page.saturating_mul(size).min(total), size)
            }
        };
        let to = from.saturating_add(size).min(total);
        let count = to - from;
        let content = match is_free && count > 0 && count < total {
            true => {
                self.store.is_unordered = before;
                None
            }
            false => {
                let part = rows.get(from..to).unwrap_or_default().to_vec();
                Some(self.give_list(&library_type("java.util.List"), part)?)
            }
        };
        let whole = match result.library() {
            Some("org.springframework.data.domain.Slice") => PageTotal::More(to < total),
            _ => PageTotal::Total(i64::try_from(total).unwrap_or(i64::MAX)),
        };
        match (result, content) {
            (Type::Unknown, content) => Ok(pages::page(self, PageRows { content, count, whole }, pageable.clone())),
            (Type::Class(ClassRef::Library(fqn), _), content)
                if matches!(
                    &**fqn,
                    "org.springframework.data.domain.Page" | "org.springframework.data.domain.Slice"
                ) =>
            {
                Ok(pages::page(self, PageRows { content, count, whole }, pageable.clone()))
            }
            (Type::Class(ClassRef::Library(fqn), _), Some(content)) if **fqn == *"java.util.List" => Ok(content),
            _ => open("which rows come first is not known"),
        }
    }

    pub(super) fn give_list(&mut self, result: &Type, found: Vec<ObjId>) -> Answer {
        let found = self.as_given(found)?;
        match result {
            Type::Unknown => {}
            Type::Class(ClassRef::Library(fqn), _)
                if matches!(
                    &**fqn,
                    "java.util.List" | "java.util.Set" | "java.util.Collection" | "java.lang.Iterable"
                ) => {}
            _ => return open("rows in another form"),
        }
        let unordered = self.store.is_unordered;
        let list = self.collection(result, found, None)?;
        self.store.is_unordered = unordered;
        Ok(list)
    }
}

/// A count in the declared result type of a method.
pub(super) fn counted(count: usize, result: &Type) -> Value {
    let count = count as i64;
    match result {
        Type::Prim(Prim::Int) | Type::Boxed(Prim::Int) => Value::int(i32::try_from(count).unwrap_or(i32::MAX)),
        Type::Prim(Prim::Bool) | Type::Boxed(Prim::Bool) => Value::bool(count > 0),
        _ => Value::Scalar(Scalar::Long(count)),
    }
}
