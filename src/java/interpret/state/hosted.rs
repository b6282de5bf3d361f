//! State that outlives requests on servers that code starts itself: the objects behind its handlers.

use std::collections::BTreeSet;

use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::Machine;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, LambdaCode, ObjId, Value};
use crate::ir::facts::{MemberKind, Modifiers};
use crate::ir::ids::MemberId;

/// Maximum number of objects visited.
const MOST: usize = 20_000;

impl Machine<'_> {
    /// Makes unknown what earlier requests may have changed among the objects reachable from a value. The value existed before this request.
    pub fn keep_between_requests(&mut self, root: Value) {
        let mut seen: BTreeSet<ObjId> = BTreeSet::new();
        let mut open = vec![root];
        while let Some(value) = open.pop() {
            match value {
                Value::Lambda(lambda) => {
                    let receiver = match &lambda.code {
                        LambdaCode::Method { receiver, .. } => receiver.as_ref(),
                        LambdaCode::Lambda { .. } => None,
                    };
                    for held in receiver.into_iter().chain(&lambda.around.this).chain(&lambda.around.slots) {
                        self.keep_held(held, &mut open);
                    }
                }
                Value::Ref(id) if seen.insert(id) => {
                    if seen.len() > MOST {
                        self.escape(&Value::Ref(id), "there are many objects");
                        continue;
                    }
                    self.keep_object(id, &mut open);
                }
                _ => {}
            }
        }
    }

    /// Visits a value that is not stored in a field; makes it unknown if code may change it.
    fn keep_held(&mut self, held: &Value, open: &mut Vec<Value>) {
        if let Value::Ref(id) = held {
            let is_plain = match &self.object(*id).kind {
                Kind::Plain | Kind::Bean | Kind::Modelled => true,
                Kind::Native(native) => native.is_frozen(),
                Kind::List { .. } | Kind::Body(_) | Kind::Escaped(_) | Kind::Opaque(_) => false,
            };
            if !is_plain && !self.is_left_alone(held) {
                self.escape(held, "what handlers share may change between requests");
                return;
            }
        }
        open.push(held.clone());
    }

    fn keep_object(&mut self, id: ObjId, open: &mut Vec<Value>) {
        if matches!(self.object(id).kind, Kind::Escaped(_) | Kind::Bean) {
            return;
        }
        if !matches!(self.object(id).class, ClassRef::Project(_)) {
            let held = match &self.object(id).kind {
                Kind::List { items, .. } => items.clone(),
                Kind::Native(native) => native.children(),
                _ => Vec::new(),
            };
            let parts: Vec<Value> = self.object(id).parts.values().cloned().collect();
            for value in held.iter().chain(&parts) {
                self.keep_held(value, open);
            }
            return;
        }
        let around: Vec<Value> = (self.object(id).captured.iter())
            .flat_map(|(_, around)| around.this.iter().chain(&around.slots).cloned())
            .collect();
        for held in &around {
            self.keep_held(held, open);
        }
        let fields: Vec<(MemberId, Value)> =
            self.object(id).fields.iter().map(|(field, value)| (*field, value.clone())).collect();
        for (field, value) in fields {
            let facts = self.project.member(field);
            let name = format!("{}.{}", self.simple_name(field.ty), facts.name);
            let settled = facts.modifiers.has(Modifiers::FINAL) || facts.kind == MemberKind::RecordComponent;
            let generated = has(&self.project.ty(field.ty).annotations, &["Data", "Setter"]);
            let value = if !settled && (generated || self.is_assigned_later(field)) {
                let ty = self.field_type(field);
                self.unknown(&format!("{name} changes while the service runs"), ty)
            } else {
                self.kept(value, field, Some(id), &name)
            };
            self.object_mut(id).fields.insert(field, value.clone());
            open.push(value);
        }
    }

    /// Makes unknown what earlier requests may have changed in the values of static fields.
    pub fn keep_statics_between_requests(&mut self) {
        let held: Vec<(MemberId, Value)> = self.statics.iter().map(|(field, value)| (*field, value.clone())).collect();
        for (field, value) in held {
            let facts = self.project.member(field);
            let name = format!("{}.{}", self.simple_name(field.ty), facts.name);
            let value = if !facts.modifiers.has(Modifiers::FINAL) && self.is_set_by_methods(field) {
                let ty = self.field_type(field);
                self.unknown(&format!("{name} changes while the service runs"), ty)
            } else {
                self.kept(value, field, None, &name)
            };
            self.statics.insert(field, value.clone());
            self.keep_between_requests(value);
        }
    }

    fn is_set_by_methods(&self, field: MemberId) -> bool {
        let facts = self.project.member(field);
        let seen_elsewhere = !facts.modifiers.has(Modifiers::PRIVATE)
            && self.cx.wiring.usage().is_none_or(|usage| usage.sets(&facts.name));
        let set_by = |member: MemberId| {
            let kind = self.project.member(member).kind;
            !matches!(kind, MemberKind::Initializer | MemberKind::StaticInitializer)
        };
        seen_elsewhere || self.assigning_members(field).into_iter().any(set_by)
    }
}
