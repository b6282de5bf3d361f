//! Merging: copies the state of a detached object to its row (Jakarta Persistence 3.1, section 3.2.7.1).

use super::data::{Entity, Mapped, Mapping};
use super::state::StoreOperation;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, open};
use crate::interpret::values::value::{ObjId, Value};

/// Merged objects with their rows.
type Merged = Vec<(ObjId, ObjId)>;

impl<'p> Machine<'p> {
    /// Copies the state of an object to a row, and to referenced rows if merging cascades to them. References are
    /// replaced by the rows with the same keys.
    pub(super) fn overwrite(&mut self, entity: &'p Entity, row: ObjId, object: ObjId) -> Answer<ObjId> {
        self.merge_into(entity, row, object, &mut Merged::new())
    }

    fn merge_into(&mut self, entity: &'p Entity, row: ObjId, object: ObjId, merged: &mut Merged) -> Answer<ObjId> {
        if self.object(row).class != self.object(object).class && entity.has_kin() {
            return open("a row of another class has this key");
        }
        merged.push((object, row));
        let removes = |field: &&Mapped| matches!(field.mapping, Mapping::ManyBy { orphans: true, .. });
        for field in entity.fields.iter().filter(removes) {
            // Orphan removal would delete rows that the new collection lacks.
            let own = self.read_member(&Value::Ref(row), field.member)?;
            if self.given_items(&own).is_none_or(|items| !items.is_empty()) {
                return open("rows that merging removes");
            }
        }
        for field in entity.fields.iter().filter(|field| field.mapping != Mapping::Transient) {
            let value = self.read_member(&Value::Ref(object), field.member)?;
            self.object_mut(row).fields.insert(field.member, value);
        }
        self.refer_by(entity, row, false, &mut |machine, target, id, cascade| {
            machine.merged_reference(target, id, cascade.merge, merged)
        })?;
        self.leave_read_only(entity, row)?;
        self.check(entity, row)?;
        self.cascade_save(entity, row)?;
        self.store.saved.insert(row);
        self.store.deeds.push(StoreOperation::Changed { entity: entity.ty, row });
        Ok(row)
    }

    /// The replacement of an object that a merged object refers to; the object itself if it has no row.
    fn merged_reference(
        &mut self,
        entity: &'p Entity,
        object: ObjId,
        goes_on: bool,
        merged: &mut Merged,
    ) -> Answer<ObjId> {
        if let Some((_, row)) = merged.iter().find(|(from, _)| *from == object) {
            return Ok(*row);
        }
        match self.row_like(entity, object)? {
            Some(row) if goes_on => {
                let own = self.own_entity(entity, row);
                self.merge_into(own, row, object, merged)
            }
            Some(row) => Ok(row),
            None => Ok(object),
        }
    }
}
