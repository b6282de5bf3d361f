//! Rows across persistence sessions: object identity, and references at the end of a request.

use super::data::{Cascade, Entity, Mapping};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, open};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{ObjId, Value};

impl<'p> Machine<'p> {
    /// Whether two references to one row may be two objects from different sessions: without a session that spans the
    /// request, each transaction has its own.
    pub fn may_be_apart(&self, row: ObjId) -> bool {
        let ClassRef::Project(ty) = self.object(row).class else { return false };
        let Some(entity) = self.stores().and_then(|stores| stores.entities.get(&ty)) else { return false };
        if !self.store.is_row(entity, row) {
            return false;
        }
        let lasts = self.cx.wiring.keeps_session() || matches!(self.transaction(), Some(Some(_)));
        // Within `equals`, identity does not matter: two objects of one row are equal by their fields too.
        let is_equality =
            self.frames.last().is_some_and(|frame| self.project.member(frame.code.member).name == "equals");
        (entity.is_document || !lasts) && !is_equality
    }

    /// Replaces detached objects that a row refers to by the rows with their keys.
    pub(super) fn refer_to_rows(&mut self, entity: &'p Entity, row: ObjId) -> Answer<()> {
        self.refer_by(entity, row, true, &mut |machine, target, id, cascade| match machine.row_like(target, id)? {
            Some(_) if cascade.persist => open("what is merged together with a row"),
            found => Ok(found.unwrap_or(id)),
        })
    }

    /// Replaces the unsaved objects that a row refers to; with `own`, only in fields with a column or join table of their own. A field with an
    /// unknown value stays unchanged.
    pub(super) fn refer_by(
        &mut self,
        entity: &'p Entity,
        row: ObjId,
        own: bool,
        becomes: &mut dyn FnMut(&mut Self, &'p Entity, ObjId, Cascade) -> Answer<ObjId>,
    ) -> Answer<()> {
        let Some(stores) = self.stores() else { return Ok(()) };
        if entity.is_document {
            return Ok(());
        }
        'fields: for field in entity.fields.iter().filter(|field| !field.is_read_only) {
            let (target, cascade, is_one) = match &field.mapping {
                Mapping::One { target, cascade, .. } => (target, *cascade, true),
                Mapping::ManyIn { target, cascade, .. } => (target, *cascade, false),
                Mapping::OneBy { target, cascade, .. } if !own => (target, *cascade, true),
                Mapping::ManyBy { target, cascade, .. } if !own => (target, *cascade, false),
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
                let into = if self.store.is_row(target, id) { id } else { becomes(self, target, id, cascade)? };
                is_other |= into != id;
                rows.push(into);
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
