//! Keys of rows: simple, or composite with a key class (JPA, `@IdClass`).

use super::data::Entity;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, open};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{ObjId, Value};

/// The reason why code that needs a simple key leaves a composite key open.
pub const SEVERAL: &str = "a key of several values";

impl Machine<'_> {
    /// The key values of an object, in the order of the parts.
    pub(super) fn key_values(&mut self, entity: &Entity, object: ObjId) -> Answer<Vec<Value>> {
        let parts = if entity.parts.is_empty() { std::slice::from_ref(&entity.id) } else { &entity.parts };
        let mut values = Vec::new();
        for part in parts {
            values.push(self.read_member(&Value::Ref(object), *part)?);
        }
        Ok(values)
    }

    /// The values of a key argument; for a composite key, the fields of its key class.
    pub(super) fn given_key(&mut self, entity: &Entity, key: &Value) -> Answer<Vec<Value>> {
        if entity.parts.is_empty() {
            return Ok(vec![key.clone()]);
        }
        let Value::Ref(id) = key else { return open(SEVERAL) };
        let ClassRef::Project(class) = self.object(*id).class else { return open(SEVERAL) };
        let project = self.project;
        let mut values = Vec::new();
        for part in &entity.parts {
            let name = &project.member(*part).name;
            let Some(own) = project.members(class).find(|own| project.member(*own).name == *name) else {
                return open(SEVERAL);
            };
            values.push(self.read_member(key, own)?);
        }
        Ok(values)
    }

    /// Whether a row has these key values.
    pub(super) fn has_key(&mut self, entity: &Entity, row: ObjId, key: &[Value]) -> Answer<bool> {
        for (own, wanted) in self.key_values(entity, row)?.iter().zip(key) {
            if !self.same_in_store(own, wanted)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
