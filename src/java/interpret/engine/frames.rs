//! Invocations: binds arguments to variables, pushes a frame, and runs the body.

use std::rc::Rc;

use super::machine::{Eval, Frame, Machine, Stop};
use crate::interpret::linking::code::Code;
use crate::interpret::linking::link::is_static;
use crate::interpret::opaque::follows::FollowedMembers;
use crate::interpret::paths::path::Bound;
use crate::interpret::values::scalar::{ClassRef, Prim};
use crate::interpret::values::types::known_type;
use crate::interpret::values::value::{Kind, Type, Value};
use crate::ir::body::{ExprKind, StmtKind};
use crate::ir::ids::MemberId;

/// Maximum number of expressions of a helper that only tests its arguments.
const PLAIN: usize = 16;

impl Machine<'_> {
    /// Runs a method with these arguments.
    pub fn invoke(&mut self, method: MemberId, this: Option<Value>, args: Vec<Value>) -> Eval {
        self.invoke_with(method, this, args, None)
    }

    /// Runs a method; `spread` says whether the last argument is a single variable argument or the array of them.
    pub fn invoke_with(
        &mut self,
        method: MemberId,
        this: Option<Value>,
        args: Vec<Value>,
        spread: Option<bool>,
    ) -> Eval {
        if let Some(follows) = self.cx.follows
            && !self.is_starting
            && !follows.opens(method)
            && !self.project.is_model(method.ty)
            && !self.is_simple_helper(method, &args, follows)
        {
            return self.opaque_member(method, this, args);
        }
        let Some(code) = self.codes.code(method) else {
            let name = self.project.member(method).name.clone();
            // Lombok or a record generates it in the class of the object.
            if let Some(Value::Ref(id)) = &this
                && let ClassRef::Project(ty) = self.object(*id).class
                && let Some(result) = self.accessor(*id, ty, &name, &args)?
            {
                return Ok(result);
            }
            // If none of the methods that dispatch may select is followed, the call is opaque.
            let is_followed =
                |follows: &dyn FollowedMembers| self.project.overriders(method).iter().any(|one| follows.opens(*one));
            if self.cx.follows.is_some_and(|follows| !is_followed(follows)) {
                return self.opaque_member(method, this, args);
            }
            let what = format!("{}.{name} has no body", self.simple_name(method.ty));
            let result = known_type(&self.codes.resolver.types.signature(method).ret);
            return self.unknown_call(&what, &args, result);
        };
        for doubt in &code.doubts {
            if !self.doubts.contains(doubt) {
                self.doubt(doubt);
            }
        }
        if code.is_native {
            return self.unknown_call(&format!("{} is native", code.name), &args, code.result.clone());
        }
        let fallbacks = self.project.fallbacks(method);
        let handed = (!fallbacks.is_empty()).then(|| (this.clone(), args.clone()));
        let Some(slots) = self.bind_params(&code, args, spread)? else {
            return self.unknown_call(
                &format!("the arguments of {} are not resolved", code.name),
                &[],
                code.result.clone(),
            );
        };
        if is_static(self.project, method) {
            self.enter_class(method.ty)?;
        }
        self.ran(method);
        let result = self.or_fallback(&fallbacks, handed, |machine| {
            let value = machine.framed(code.clone(), this, slots, |machine| machine.run_root(&code))?;
            match &code.result {
                Type::Void => Ok(Value::NULL),
                result => machine.assigned(value, result),
            }
        });
        match self.cx.follows {
            Some(follows) if !self.is_starting && follows.ends(method) => Err(self.ended(result)),
            _ => result,
        }
    }

    /// Whether a member that nothing asks to follow is followed all the same, since it only computes: see
    /// [`Self::is_function_of_constants`] and [`Self::is_plain_test`]. One that calls itself is not.
    fn is_simple_helper(&self, method: MemberId, args: &[Value], follows: &dyn FollowedMembers) -> bool {
        (self.is_function_of_constants(method, args) || self.is_plain_test(method))
            && !self.frames.iter().any(|frame| frame.code.member == method)
            && !follows.effects(method).writes
    }

    /// Whether a static method takes constants alone, and gives a number, a truth value or a text: what it gives is worked
    /// out then, whether or not the comparison depends on its code.
    fn is_function_of_constants(&self, method: MemberId, args: &[Value]) -> bool {
        !args.is_empty()
            && args.iter().all(|arg| matches!(arg, Value::Scalar(_)))
            && is_static(self.project, method)
            && matches!(
                known_type(&self.codes.resolver.types.signature(method).ret),
                Type::Prim(_) | Type::Boxed(_) | Type::Str
            )
    }

    /// Whether a static method does no more than test its arguments in one expression, as `isNotEmpty(list)` of a project's
    /// own helpers does.
    fn is_plain_test(&self, method: MemberId) -> bool {
        if !is_static(self.project, method)
            || known_type(&self.codes.resolver.types.signature(method).ret) != Type::Prim(Prim::Bool)
        {
            return false;
        }
        self.codes.code(method).is_some_and(|code| {
            matches!(
                code.body.stmts.iter().map(|stmt| &stmt.kind).collect::<Vec<_>>().as_slice(),
                [StmtKind::Return(Some(_)), StmtKind::Block(_)] | [StmtKind::Block(_), StmtKind::Return(Some(_))]
            ) && code.body.exprs.len() <= PLAIN
                && !code
                    .body
                    .exprs
                    .iter()
                    .any(|expr| matches!(expr.kind, ExprKind::Lambda { .. } | ExprKind::New { .. }))
        })
    }

    /// Ends the run with what this member returned or threw.
    fn ended(&mut self, result: Eval) -> Stop {
        match result {
            Ok(value) => self.opaque.answered = Some(self.canon(&value)),
            Err(Stop::Throw(thrown)) => self.opaque.ended_by = Some(thrown),
            Err(cut) => return cut,
        }
        Stop::Cut(Bound::Reached)
    }

    /// Binds arguments to variables and gathers variable arguments; `None` if it is unclear how.
    pub fn bind_params(&mut self, code: &Code, args: Vec<Value>, spread: Option<bool>) -> Eval<Option<Vec<Value>>> {
        let mut slots = vec![Value::NULL; code.locals.len().max(code.params.len())];
        let fixed = code.params.len() - usize::from(code.varargs);
        if args.len() < fixed || (args.len() > fixed && !code.varargs) {
            return Ok(None);
        }
        let mut args = args.into_iter();
        for (place, ty) in slots.iter_mut().zip(&code.params).take(fixed) {
            let Some(arg) = args.next() else { return Ok(None) };
            *place = self.assigned(arg, ty)?;
        }
        if let (true, Some(element)) = (code.varargs, code.params.last()) {
            let rest: Vec<Value> = args.collect();
            let Some(value) = self.gather(rest, element, spread)? else { return Ok(None) };
            slots[fixed] = value;
        }
        Ok(Some(slots))
    }

    fn gather(&mut self, rest: Vec<Value>, element: &Type, spread: Option<bool>) -> Eval<Option<Value>> {
        let array = Type::Array(Box::new(element.clone()));
        if let [only] = rest.as_slice() {
            let whole = match (spread, only) {
                (Some(spread), _) => Some(!spread),
                (None, Value::Scalar(crate::interpret::values::scalar::Scalar::Null)) => None,
                (None, Value::Scalar(_) | Value::Cond(_) | Value::Class(_) | Value::Lambda(_)) => Some(false),
                (None, Value::Ref(id)) => {
                    let is_array = self.object(*id).class == ClassRef::library("array")
                        && matches!(self.object(*id).kind, Kind::List { .. });
                    Some(is_array && self.is_instance(only, &array) != Some(false))
                }
                (None, Value::Symbol(_)) => Some(false),
                (None, Value::Unknown(_)) => return Ok(Some(Value::unknown("variable arguments", array))),
            };
            match whole {
                Some(true) => return Ok(Some(only.clone())),
                Some(false) => {}
                None => return Ok(None),
            }
        }
        let mut items = Vec::with_capacity(rest.len());
        for value in rest {
            items.push(self.assigned(value, element)?);
        }
        Ok(Some(self.array(items, element.clone())))
    }

    /// Runs a function in a frame of its own.
    pub fn framed<T>(
        &mut self,
        code: Rc<Code>,
        this: Option<Value>,
        slots: Vec<Value>,
        run: impl FnOnce(&mut Self) -> Eval<T>,
    ) -> Eval<T> {
        if self.frames.len() >= self.cx.bounds.depth {
            return Err(Stop::Cut(Bound::Depth));
        }
        let depth = self.frames.len();
        self.frames.push(Frame { code, this, slots, serial: self.entered });
        self.entered += 1;
        self.deepest.0 = self.deepest.0.max(self.frames.len());
        // Whether the result of this call is discarded does not matter for calls within it.
        let discarded = self.opaque.discarded.take();
        let result = run(self);
        self.opaque.discarded = discarded;
        self.frames.truncate(depth);
        result
    }

    /// Runs a function in the frame of a field initialiser or similar code.
    pub fn within<T>(
        &mut self,
        code: &Rc<Code>,
        this: Option<Value>,
        run: impl FnOnce(&mut Self) -> Eval<T>,
    ) -> Eval<T> {
        self.framed(code.clone(), this, vec![Value::NULL; code.locals.len()], run)
    }

    /// Runs code that ran when the service started: its exceptions, doubts and effects do not concern this request. `None` if it threw.
    pub fn quietly<T>(&mut self, run: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<Option<T>> {
        let (doubts, exit, effects, catching) =
            (self.doubts.clone(), self.exit, self.effects.len(), std::mem::take(&mut self.catching));
        let frames = self.frames.len();
        let result = run(self);
        self.frames.truncate(frames);
        self.doubts = doubts;
        self.exit = exit;
        self.effects.truncate(effects);
        self.catching = catching;
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Throw(_)) => Ok(None),
            Err(cut) => Err(cut),
        }
    }
}
