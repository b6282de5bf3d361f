//! Rows beyond one session of the store: which objects they are, and what they refer to when a request ends.

use super::data::{Entity, Mapping};
use crate::java::interpret::library::support::{Answer, open};
use crate::java::interpret::machine::Machine;
use crate::java::interpret::scalar::ClassRef;
use crate::java::interpret::value::{ObjId, Value};

impl<'p> Machine<'p> {
    /// Whether two references to one row may be two objects, read in two sessions: each transaction has its own where none lasts for the request.
    pub fn may_be_apart(&self, row: ObjId) -> bool {
        let ClassRef::Project(ty) = self.object(row).class else { return false };
        let Some(entity) = self.stores().and_then(|stores| stores.entities.get(&ty)) else { return false };
        if !self.store.is_row(entity, row) {
            return false;
        }
        let lasts = self.cx.wiring.keeps_session() || matches!(self.transaction(), Some(Some(_)));
        // Where a class says itself what makes two objects equal, it says so of two of one row as well.
        let is_equality =
            self.frames.last().is_some_and(|frame| self.project.member(frame.code.member).name == "equals");
        (entity.is_document || !lasts) && !is_equality
    }

    /// Has a row refer to rows, where code gave it other objects of their keys: nothing else of those is kept.
    pub(super) fn refer_to_rows(&mut self, entity: &'p Entity, row: ObjId) -> Answer<()> {
        let Some(stores) = self.stores() else { return Ok(()) };
        if entity.is_document {
            return Ok(());
        }
        'fields: for field in &entity.fields {
            let (target, cascade, is_one) = match &field.mapping {
                Mapping::One { target, cascade, .. } => (target, cascade, true),
                Mapping::ManyIn { target, cascade, .. } => (target, cascade, false),
                _ => continue,
            };
            let Some(target) = stores.entities.get(target) else { continue };
            let value = self.read_member(&Value::Ref(row), field.member)?;
            let items = match is_one {
                true => vec![value],
                false => self.given_items(&value).unwrap_or_default(),
            };
            let (mut rows, mut is_other) = (Vec::new(), false);
            for item in items {
                let Value::Ref(id) = item else { continue 'fields };
                if self.store.is_row(target, id) {
                    rows.push(id);
                    continue;
                }
                match self.row_like(target, id)? {
                    Some(_) if cascade.persist => return open("what is merged together with a row"),
                    Some(own) => rows.push(own),
                    None => continue 'fields,
                }
                is_other = true;
            }
            if is_other {
                let declared = self.field_type(field.member);
                let value = match (is_one, rows.first()) {
                    (true, Some(own)) => Value::Ref(*own),
                    _ => self.with_its_order(|machine| machine.collection(&declared, rows, field.order.as_ref()))?,
                };
                self.object_mut(row).fields.insert(field.member, value);
            }
        }
        Ok(())
    }
}
