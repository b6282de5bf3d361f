//! Handling of code that cannot be followed: unknown values, doubts on a path, possible exceptions, and objects that
//! such code receives.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::machine::{Eval, Machine, Stop};
use crate::interpret::opaque::calls::Unfollowed;
use crate::interpret::opaque::does::CallEffect;
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::path::{Taken, Thrown};
use crate::interpret::values::value::{Kind, Type, Unknown, Value};

impl Machine<'_> {
    /// Records a reason and returns an unknown value.
    pub fn unknown(&mut self, reason: &str, ty: Type) -> Value {
        if self.is_opaque() && self.is_starting {
            return self.given(reason, reason, ty);
        }
        self.unknowns.insert(Rc::from(reason));
        Value::unknown(reason, ty)
    }

    /// Records a reason why nothing after this point is exact.
    pub fn doubt(&mut self, reason: &str) {
        self.unknowns.insert(Rc::from(reason));
        self.doubts.insert(Rc::from(reason));
    }

    /// Records a doubt that may be assumed away, such as middleware that probably has no effect here.
    pub fn presume(&mut self, reason: &str) {
        self.assumed.insert(Rc::from(reason));
        self.doubt(reason);
    }

    /// An unknown value derived from another unknown value.
    pub fn unknown_of(&mut self, value: &Value, ty: Type) -> Value {
        match value {
            Value::Unknown(unknown) => {
                Value::Unknown(Rc::new(Unknown { reasons: unknown.reasons.clone(), ty, present: false, ends: None }))
            }
            _ => self.unknown("which object a text of the request is", ty),
        }
    }

    /// A call that cannot be followed: it may change its arguments, throw, and return anything.
    pub fn unknown_call(&mut self, reason: &str, given: &[Value], ty: Type) -> Eval {
        if self.is_opaque() && !given.is_empty() {
            let (callee, name) = (reason, "");
            let ty = self.opaque.expected.take().filter(|_| ty == Type::Unknown).unwrap_or(ty);
            return self.unfollowed(&Unfollowed {
                callee,
                name,
                receiver: None,
                args: given,
                ty,
                does: CallEffect::ByName,
            });
        }
        self.unknowns.insert(Rc::from(reason));
        self.effects.push(Rc::from(reason));
        for value in given {
            self.escape(value, reason);
        }
        self.may_throw(reason)?;
        let mut reasons: BTreeSet<Rc<str>> = BTreeSet::from([Rc::from(reason)]);
        for value in given {
            if let Value::Unknown(unknown) = value {
                reasons.extend(unknown.reasons.iter().cloned());
            }
        }
        Ok(Value::Unknown(Rc::new(Unknown { reasons, ty, present: false, ends: None })))
    }

    /// Handles a possible exception of code that cannot be followed: forks if project code may catch it, else records
    /// a doubt.
    pub fn may_throw(&mut self, reason: &str) -> Eval<()> {
        if self.is_opaque() {
            return Ok(());
        }
        if self.catching == 0 {
            self.doubt(&format!("{reason}; it may throw"));
            return Ok(());
        }
        let said = [" cannot be followed", " is not modelled"].iter().find_map(|end| reason.strip_suffix(end));
        let said = said.unwrap_or(reason);
        if self.choose(2)? == 1 {
            let site = self.here();
            self.conditions
                .push(Taken { cond: Cond::Unknown(Rc::from(format!("{said} fails")), Rc::from(reason)), site });
            return Err(Stop::thrown(Thrown { class: None, object: None, site }));
        }
        self.conditions.push(Taken {
            cond: Cond::Unknown(Rc::from(format!("{said} does not fail")), Rc::from(reason)),
            site: self.here(),
        });
        Ok(())
    }

    /// Makes everything unknown that is reachable from a value which was passed to code that cannot be followed.
    pub fn escape(&mut self, value: &Value, reason: &str) {
        let mut open = vec![value.clone()];
        while let Some(value) = open.pop() {
            match value {
                Value::Ref(id) => {
                    let object = self.object(id);
                    if matches!(object.kind, Kind::Escaped(_) | Kind::Bean) {
                        continue;
                    }
                    if let Kind::List { items, .. } = &object.kind {
                        open.extend(items.iter().cloned());
                    }
                    if let Kind::Native(native) = &object.kind {
                        if native.is_frozen() && native.children().is_empty() {
                            continue;
                        }
                        open.extend(native.children());
                    }
                    open.extend(object.fields.values().cloned());
                    open.extend(object.parts.values().cloned());
                    self.object_mut(id).kind = Kind::Escaped(Rc::from(reason));
                }
                Value::Lambda(lambda) => {
                    open.extend(lambda.around.this.iter().cloned());
                    open.extend(lambda.around.slots.iter().cloned());
                    self.doubt(&format!("{reason}; it may run a lambda"));
                }
                _ => {}
            }
        }
    }
}
