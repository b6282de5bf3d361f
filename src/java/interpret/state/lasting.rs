//! State that outlives requests and that requests change: static data and bean fields. It is followed from its
//! startup state, like stores.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::interpret::engine::machine::Machine;
use crate::interpret::library;
use crate::interpret::stores::state::{FollowedField, StoreOperation};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, ObjId, Value};
use crate::ir::ids::MemberId;

/// Maximum number of objects visited behind one field.
const MOST: usize = 20_000;

impl Machine<'_> {
    /// Records the value of a field as its initial state, if the field's state is followed.
    pub(super) fn follow(&mut self, value: &Value, field: MemberId, holder: Option<ObjId>, name: &str) -> bool {
        if self.stores().is_none() || !self.cx.wiring.follows_state(field) {
            return false;
        }
        // A request cannot observe the state of loggers and metrics.
        if let Value::Ref(id) = value
            && let ClassRef::Library(fqn) = &self.object(*id).class
            && library::is_silent(fqn)
        {
            return true;
        }
        let Some(mark) = self.mark(value) else { return false };
        self.store.lasting.push(FollowedField { field, name: Rc::from(name), holder, mark });
        true
    }

    /// Records which followed fields this request has changed. If the request should only read, earlier requests of its kind, such as health
    /// checks, may have changed them too, so the path gets a doubt.
    pub fn note_lasting(&mut self, only_reads: bool) {
        for at in 0..self.store.lasting.len() {
            let one = self.store.lasting[at].clone();
            let now = match one.holder {
                Some(holder) => self.object(holder).fields.get(&one.field).cloned(),
                None => self.statics.get(&one.field).cloned(),
            };
            let mark = now.and_then(|value| self.mark(&value));
            if mark == Some(one.mark) {
                continue;
            }
            self.effects.push(Rc::from(format!("{} is set", one.name)));
            self.store.deeds.push(StoreOperation::Kept { owner: one.field.ty });
            if only_reads {
                self.doubt(&format!("reading changes {}", one.name));
            }
            match mark {
                Some(mark) => self.store.lasting[at].mark = mark,
                None => self.doubt(&format!("{} was handed to code that is not followed", one.name)),
            }
        }
    }

    /// A hash of everything reachable from a value; `None` if some of it is unknown.
    fn mark(&self, value: &Value) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        let mut seen: BTreeSet<ObjId> = BTreeSet::new();
        let mut open = vec![value.clone()];
        while let Some(value) = open.pop() {
            let id = match value {
                Value::Ref(id) => id,
                Value::Lambda(_) => continue,
                other => {
                    format!("{other:?}").hash(&mut hasher);
                    continue;
                }
            };
            id.0.hash(&mut hasher);
            if !seen.insert(id) {
                continue;
            }
            if seen.len() > MOST {
                return None;
            }
            let object = self.object(id);
            match &object.kind {
                Kind::Escaped(_) | Kind::Body(_) | Kind::Opaque(_) => return None,
                Kind::Bean => continue,
                Kind::List { items, .. } => open.extend(items.iter().cloned()),
                Kind::Native(native) => {
                    format!("{native:?}").hash(&mut hasher);
                    open.extend(native.children());
                }
                Kind::Plain | Kind::Modelled => {}
            }
            for (name, part) in &object.parts {
                name.hash(&mut hasher);
                open.push(part.clone());
            }
            for (field, part) in &object.fields {
                field.hash(&mut hasher);
                open.push(part.clone());
            }
        }
        Some(hasher.finish())
    }
}
