//! Startup state: bean fields that a `@PostConstruct` method sets after injection.

use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::linking::code::Link;
use crate::interpret::values::value::{ObjId, Value};
use crate::ir::body::ExprKind;
use crate::ir::facts::{MemberKind, Modifiers};
use crate::ir::ids::MemberId;

impl Machine<'_> {
    /// The `@PostConstruct` method that sets a field, if nothing else sets it after construction.
    pub(super) fn post_construct_of(&self, field: MemberId) -> Option<MemberId> {
        let facts = self.project.member(field);
        let usage = self.cx.wiring.usage()?;
        let is_set = !facts.modifiers.has(Modifiers::PRIVATE) && usage.sets(&facts.name);
        let all = self.assigning_members(field);
        let mut methods = all.into_iter().filter(|member| self.project.member(*member).kind != MemberKind::Constructor);
        let (only, None) = (methods.next()?, methods.next()) else { return None };
        let of = self.project.member(only);
        let is_begun = of.kind == MemberKind::Method
            && only.ty == field.ty
            && of.params.is_empty()
            && has(&of.annotations, &["PostConstruct"])
            && !usage.calls(&of.name);
        (is_begun && !is_set).then_some(only)
    }

    /// Runs `@PostConstruct` methods for the fields that they alone set. A result counts only if the method can be
    /// followed to its end and touches no store.
    pub(in crate::interpret) fn run_post_construct(&mut self, id: ObjId, later: &[(MemberId, MemberId)]) -> Eval<()> {
        let mut done: Vec<(MemberId, bool)> = Vec::new();
        for (field, method) in later {
            let known = done.iter().find(|(known, _)| known == method).map(|(_, is_done)| *is_done);
            let is_done = match known {
                Some(is_done) => is_done,
                None => {
                    let names = later.iter().filter(|(_, other)| other == method);
                    let names: Vec<&str> = names.map(|(field, _)| self.project.member(*field).name.as_str()).collect();
                    let is_done = self.does_only(*method, &names) && self.run_alone(id, *method)?;
                    done.push((*method, is_done));
                    is_done
                }
            };
            let name = format!("{}.{}", self.simple_name(field.ty), self.project.member(*field).name);
            let field_type = self.field_type(*field);
            let value = match self.object(id).fields.get(field).cloned() {
                Some(value) if is_done => self.kept(value, *field, Some(id), &name),
                _ => self.left_by_requests(&name, field_type),
            };
            self.object_mut(id).fields.insert(*field, value);
        }
        Ok(())
    }

    /// Whether a method assigns only these fields and calls no project code, which might do more.
    fn does_only(&self, method: MemberId, fields: &[&str]) -> bool {
        let assigned = self.codes.assignments(self.project.file_of(method.ty));
        let mut other = assigned.iter().filter(|((name, indexed), _)| *indexed || !fields.contains(&name.as_str()));
        let Some(code) = self.codes.code(method) else { return false };
        other.all(|(_, members)| !members.contains(&method))
            && code.body.exprs.iter().all(|expr| !matches!(expr.kind, ExprKind::MethodRef { .. }))
            && code.links.iter().all(|link| !matches!(link, Link::Call(call) if !call.methods.is_empty()))
    }

    /// Whether a bean's method runs to its end without a doubt, a fork or an access to the stores.
    fn run_alone(&mut self, id: ObjId, method: MemberId) -> Eval<bool> {
        let doubts = std::mem::take(&mut self.doubts);
        let (store, was) = (self.store.clone(), std::mem::replace(&mut self.is_starting, true));
        let conditions = self.conditions.len();
        let frames = std::mem::take(&mut self.frames);
        let done = self.quietly(|machine| {
            machine.doubts.clear();
            machine.invoke(method, Some(Value::Ref(id)), Vec::new())?;
            Ok(machine.doubts.is_empty())
        });
        self.frames = frames;
        (self.doubts, self.is_starting) = (doubts, was);
        let touched = self.store.deeds.len() != store.deeds.len() || self.conditions.len() != conditions;
        if touched {
            self.store = store;
        }
        Ok(done? == Some(true) && !touched)
    }
}
