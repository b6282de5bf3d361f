//! `try`: resources closed in reverse order with suppressed exceptions, `catch` clauses, and `finally` (JLS §14.20).

use std::rc::Rc;

use super::exec::Flow;
use crate::interpret::classes::hierarchy;
use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::linking::code::Code;
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::path::Thrown;
use crate::interpret::values::scalar::{ClassRef, Prim};
use crate::interpret::values::term::{Canon, Opaque, Origin, Sort, Term};
use crate::interpret::values::value::{Kind, Type, Value};
use crate::ir::body::{Catch, StmtId, StmtKind};

impl Machine<'_> {
    /// Runs a `try`.
    pub fn try_catch(
        &mut self,
        code: &Code,
        id: StmtId,
        resources: &[StmtId],
        inner: StmtId,
        catches: &[Catch],
        finally: Option<StmtId>,
    ) -> Eval<Flow> {
        let frames = self.frames.len();
        let catching = self.catching;
        let listens = !catches.is_empty() || finally.is_some();
        self.catching += usize::from(listens);
        let mut result = self.with_resources(code, resources, inner);
        // An exception unwinds the frames of nested calls.
        self.frames.truncate(frames);
        self.catching = catching;
        if let Err(Stop::Throw(thrown)) = &result {
            let thrown = (**thrown).clone();
            self.catching += usize::from(finally.is_some());
            if let Some(index) = self.catcher(code, id, &thrown, catches)?
                && let Some(catch) = catches.get(index)
            {
                let types = code.catches.get(&id).and_then(|types| types.get(index));
                let ty = match types.map(Vec::as_slice) {
                    Some([only]) => only.clone(),
                    _ => Type::Class(ClassRef::library("java.lang.Throwable"), Vec::new()),
                };
                let value = self.caught(&thrown, ty);
                if let Some(slot) = code.resolved.slots.get(&(crate::ir::calls::Declares::Stmt(id), index as u32)) {
                    self.set_local(*slot, value);
                }
                result = self.run(code, catch.body);
                self.frames.truncate(frames);
            }
            self.catching = catching;
        }
        if let Some(finally) = finally
            && !matches!(result, Err(Stop::Cut(_)))
        {
            let exit = self.exit;
            match self.run(code, finally)? {
                Flow::Next => self.exit = exit,
                other => return Ok(other),
            }
        }
        result
    }

    /// The exception as an object of this type.
    pub(in crate::interpret) fn caught(&mut self, thrown: &Thrown, ty: Type) -> Value {
        match thrown.object {
            Some(id) => Value::Ref(id),
            None => match self.opaque_exception(ty) {
                Some(value) if self.is_opaque() => value,
                _ => self.unknown("an exception that is not known", Type::Unknown),
            },
        }
    }

    /// Opens the resources in order, runs the block, and closes them in reverse order.
    fn with_resources(&mut self, code: &Code, resources: &[StmtId], inner: StmtId) -> Eval<Flow> {
        let Some((first, rest)) = resources.split_first() else { return self.run(code, inner) };
        let resource = match &code.body.stmt(*first).kind {
            StmtKind::Expr(expr) => self.eval(code, *expr)?,
            _ => {
                self.run(code, *first)?;
                self.local(code.slot(*first))
            }
        };
        let frames = self.frames.len();
        let catching = self.catching;
        // The resource's `close` sees the exception of the block. This matters only if the project implements it.
        let own = matches!(&resource, Value::Ref(id) if matches!(self.object(*id).class, ClassRef::Project(_)));
        self.catching += usize::from(own);
        let result = self.nested(|machine| machine.with_resources(code, rest, inner));
        self.frames.truncate(frames);
        self.catching = catching;
        if matches!(result, Err(Stop::Cut(_))) {
            return result;
        }
        let exit = self.exit;
        let closed = self.close(&resource);
        self.frames.truncate(frames);
        self.exit = exit;
        match (result, closed) {
            (_, Err(cut @ Stop::Cut(_))) => Err(cut),
            (Err(Stop::Throw(thrown)), Err(Stop::Throw(second))) => {
                if let (Some(first), Some(second)) = (thrown.object, second.object) {
                    self.suppress(Value::Ref(first), Value::Ref(second));
                }
                Err(Stop::Throw(thrown))
            }
            (Ok(_), Err(thrown)) => Err(thrown),
            (result, _) => result,
        }
    }

    fn close(&mut self, resource: &Value) -> Eval<()> {
        let null = self.is_null(resource);
        match (&null, resource) {
            (Value::Scalar(_), _) if null.scalar() == Some(&crate::interpret::values::scalar::Scalar::Bool(true)) => {
                Ok(())
            }
            (_, Value::Ref(id))
                if matches!(self.object(*id).class, ClassRef::Project(_))
                    || matches!(self.object(*id).kind, Kind::Modelled | Kind::Native(_)) =>
            {
                self.call_method(resource.clone(), "close", Vec::new()).map(|_| ())
            }
            _ => {
                self.unknowns.insert(Rc::from("closing a resource is not followed"));
                self.effects.push(Rc::from("a resource is closed"));
                Ok(())
            }
        }
    }

    /// Adds an exception to the suppressed exceptions of another one.
    pub fn suppress(&mut self, thrown: Value, suppressed: Value) {
        let Value::Ref(id) = thrown else { return };
        let held = match self.object(id).parts.get("suppressed") {
            Some(Value::Ref(list)) => Some(*list),
            _ => None,
        };
        match held {
            Some(list) => {
                if let Kind::List { items, .. } = &mut self.object_mut(list).kind {
                    items.push(suppressed);
                }
            }
            None => {
                let list = self.list(vec![suppressed], "java.util.ArrayList");
                self.object_mut(id).parts.insert("suppressed", list);
            }
        }
    }

    /// The clause that catches an exception. An exception of unknown class may be caught by any clause, or by none.
    fn catcher(&mut self, code: &Code, id: StmtId, thrown: &Thrown, catches: &[Catch]) -> Eval<Option<usize>> {
        let none = Vec::new();
        let types = code.catches.get(&id).unwrap_or(&none);
        for (index, catch) in catches.iter().enumerate() {
            for (number, ty) in catch.types.iter().enumerate() {
                let Some(Type::Class(wanted, _)) = types.get(index).and_then(|types| types.get(number)) else {
                    // An unresolved class is compared by name.
                    if matches!(&thrown.class, Some(ClassRef::Library(class)) if **class == *ty.name) {
                        return Ok(Some(index));
                    }
                    if !self.is_opaque() {
                        self.doubt(&format!("the exception type {} is not resolved", ty.name));
                    }
                    if self.may_be_caught(thrown, &ty.name)? {
                        return Ok(Some(index));
                    }
                    continue;
                };
                let all = matches!(wanted, ClassRef::Library(fqn) if matches!(&**fqn, "java.lang.Exception" | "java.lang.Throwable"));
                let caught = match &thrown.class {
                    None => all.then_some(true),
                    Some(class) => hierarchy::is_below(self.project, class, wanted),
                };
                match caught {
                    Some(true) => return Ok(Some(index)),
                    Some(false) => {}
                    None if self.opaque.throwing.is_some() && thrown.class.is_none() => {
                        let name = self.class_name(wanted);
                        if let Some(cond) = self.is_opaque_exception(&name)
                            && self.decide(cond, thrown.site)?
                        {
                            return Ok(Some(index));
                        }
                    }
                    None => {
                        if thrown.class.is_some() && !self.is_opaque() {
                            self.doubt(&format!("whether {} is caught is not decided", ty.name));
                        }
                        let name = self.class_name(wanted);
                        if self.may_be_caught(thrown, &name)? {
                            return Ok(Some(index));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// Forks on whether an exception is of a class, if the hierarchy does not decide it; base and head share the
    /// condition.
    fn may_be_caught(&mut self, thrown: &Thrown, wanted: &str) -> Eval<bool> {
        if !self.is_opaque() {
            return Ok(self.choose(2)? == 0);
        }
        let short = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
        let (of, class) = match &thrown.class {
            Some(class) => {
                let class = self.class_name(class);
                (Canon::Named(Rc::from(class.as_str())), short(&class))
            }
            None => match self.is_opaque_exception(wanted) {
                Some(cond) => return self.decide(cond, thrown.site),
                None => (Canon::Unknown(Rc::from("which exception is thrown")), "an exception".to_owned()),
            },
        };
        let words = format!("{class} is {}", short(wanted));
        let of = vec![of];
        let is = Opaque::new(Origin::Part, &format!("is a {wanted}"), of, Sort::Prim(Prim::Bool), &words);
        self.decide(Cond::Test(Rc::new(Term::Opaque(Rc::new(is)))), thrown.site)
    }
}
