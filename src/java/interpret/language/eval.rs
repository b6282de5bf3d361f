//! Evaluates expressions on one path.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::linking::branches::Way;
use crate::interpret::linking::code::{Code, Link};
use crate::interpret::opaque::calls::Unfollowed;
use crate::interpret::opaque::does::CallEffect;
use crate::interpret::paths::path::{Bound, Site};
use crate::interpret::values::arith;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::term::{OPERATOR, operator};
use crate::interpret::values::value::{Captured, Lambda, LambdaCode, Type, Value};
use crate::ir::body::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::ir::facts::Span;
use crate::ir::ids::{MemberId, TypeId};

/// Maximum combined nesting of expressions, statements and calls.
pub(in crate::interpret) const MAX_NESTING: u32 = 20_000;

/// Minimum remaining stack at each check, and by how much the stack grows.
const RED_ZONE: usize = 1 << 20;
const GROWTH: usize = 8 << 20;

impl Machine<'_> {
    /// Evaluates an expression of the running body.
    pub fn eval(&mut self, code: &Code, id: ExprId) -> Eval {
        self.step()?;
        if self.is_covering {
            return self.covered(code, id);
        }
        self.worked_out(code, id)
    }

    #[inline]
    fn worked_out(&mut self, code: &Code, id: ExprId) -> Eval {
        match code.link(id) {
            Link::Const(value, None) => return Ok(Value::Scalar(value.clone())),
            Link::Const(value, Some(used)) => {
                let value = value.clone();
                self.note_members(used);
                return Ok(Value::Scalar(value));
            }
            Link::Local(slot) => return Ok(self.identical(self.local(*slot))),
            _ => {}
        }
        let value = self.nested(|machine| machine.compute(code, id))?;
        if let (Value::Unknown(unknown), true) = (&value, self.is_opaque()) {
            let ty = unknown.ty.clone();
            return self.opaque_operator(code, id, value, &ty);
        }
        Ok(value)
    }

    /// The opaque result of an undecided `instanceof`, if its operand is a variable; any other value unchanged.
    #[cold]
    fn opaque_operator(&mut self, code: &Code, id: ExprId, value: Value, ty: &Type) -> Eval {
        let (callee, operands) = match &code.body.expr(id).kind {
            ExprKind::InstanceOf { operand, .. } => match code.link(id) {
                Link::Pattern(pattern) => (format!("instanceof {}", self.pattern_class(pattern)), vec![*operand]),
                _ => return Ok(value),
            },
            _ => return Ok(value),
        };
        // Only operands without side effects are evaluated a second time.
        if !operands.iter().all(|operand| matches!(code.link(*operand), Link::Local(_))) {
            return Ok(value);
        }
        let args = self.eval_all(code, &operands)?;
        if let (Link::Pattern(pattern), [value]) = (code.link(id), args.as_slice())
            && let Some(holds) = self.by_other_tests(value, pattern)
        {
            return Ok(Value::bool(holds));
        }
        let call = Unfollowed {
            callee: &callee,
            name: "get",
            receiver: None,
            args: &args,
            ty: ty.clone(),
            does: CallEffect::Known { writes: false },
        };
        self.unfollowed(&call)
    }

    #[cold]
    fn covered(&mut self, code: &Code, id: ExprId) -> Eval {
        self.cover(code, id);
        let value = self.worked_out(code, id);
        if !self.is_starting
            && let Some(covered) = self.codes.covered.borrow_mut().as_mut()
        {
            covered.ended(code, id, value.is_ok());
        }
        let value = value?;
        if let Value::Scalar(Scalar::Bool(holds)) = &value {
            self.goes(code, id, Way::Holds(*holds));
        }
        Ok(value)
    }

    /// Decides an undecided boolean value, and records the outcome for its condition.
    pub(super) fn went(&mut self, code: &Code, id: ExprId, value: &Value, site: Site) -> Eval<bool> {
        let holds = self.truth(value, site)?;
        if self.is_covering && self.is_opaque() {
            let (mut at, mut way) = (id, holds);
            loop {
                self.goes(code, at, Way::Holds(way));
                match &code.body.expr(at).kind {
                    // The last part decides.
                    ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, right, .. } => at = *right,
                    ExprKind::Unary { op: UnaryOp::Not, operand } => (at, way) = (*operand, !way),
                    _ => break,
                }
            }
        }
        Ok(holds)
    }

    /// Records the outcome of a condition or a switch.
    #[cold]
    pub(super) fn goes(&self, code: &Code, at: ExprId, way: Way) {
        if !self.is_starting
            && let Some(covered) = self.codes.covered.borrow_mut().as_mut()
        {
            covered.ways.insert((code.member, at, way));
        }
    }

    fn cover(&self, code: &Code, id: ExprId) {
        if let Some(covered) = self.codes.covered.borrow_mut().as_mut() {
            let noted = if self.is_starting { &mut covered.started } else { &mut covered.asked };
            noted.insert((code.member, id));
        }
    }

    /// Runs one nesting level deeper: bounded, and with enough stack on any thread.
    pub fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        self.nesting += 1;
        self.deepest.1 = self.deepest.1.max(self.nesting);
        let result = if self.nesting & 15 != 0 {
            run(self)
        } else if self.nesting > MAX_NESTING {
            Err(Stop::Cut(Bound::Depth))
        } else {
            stacker::maybe_grow(RED_ZONE, GROWTH, || run(self))
        };
        self.nesting -= 1;
        result
    }

    /// Records the members that a value depends on.
    pub fn note_members(&mut self, used: &[MemberId]) {
        if !used.iter().all(|member| self.members.contains(member)) {
            self.members.extend(used);
        }
    }

    fn compute(&mut self, code: &Code, id: ExprId) -> Eval {
        match &code.body.expr(id).kind {
            ExprKind::Binary { op, left, right } => self.operate(code, id, *op, *left, *right),
            ExprKind::Name(name) => self.name(code, id, name),
            ExprKind::Field { target, name } => self.field_access(code, id, *target, name),
            ExprKind::Index { target, index } => {
                let (array, index) = (self.eval(code, *target)?, self.eval(code, *index)?);
                self.element(&array, &index)
            }
            ExprKind::Call { name, args, .. } => self.call(code, id, name, args),
            ExprKind::New { outer, args, .. } => self.creation(code, id, *outer, args),
            ExprKind::NewArray { lengths, init, .. } => self.new_array(code, id, lengths, *init),
            ExprKind::ArrayInit(items) => {
                let items = self.eval_all(code, items)?;
                let element = match code.link(id) {
                    Link::Array(element) => element.clone(),
                    _ => Type::Unknown,
                };
                let items = items.into_iter().map(|item| self.convert(item, &element)).collect();
                Ok(self.array(items, element))
            }
            ExprKind::Unary { op, operand } => {
                let value = self.eval(code, *operand)?;
                self.unary(*op, value)
            }
            ExprKind::Assign { op: None, target, value } => self.assign(code, *target, *value),
            ExprKind::Assign { op: Some(op), target, value } => self.assign_by(code, *op, *target, *value),
            ExprKind::IncDec { increment, prefix, target } => self.step_by_one(code, *increment, *prefix, *target),
            ExprKind::Conditional { .. } => self.conditional(code, id),
            ExprKind::Cast { ty, operand } => {
                let value = self.eval(code, *operand)?;
                match code.link(id) {
                    Link::Type(to) => {
                        let from = crate::interpret::values::types::known_type(code.resolved.ty(*operand));
                        self.cast(to, &from, &ty.name, value)
                    }
                    _ => Ok(value),
                }
            }
            ExprKind::InstanceOf { operand, .. } => {
                let value = self.eval(code, *operand)?;
                match code.link(id) {
                    Link::Pattern(pattern) => self.matches(code, &value, pattern, self.at(code.body.expr(id).span)),
                    _ => Ok(self.unknown(
                        "a pattern is not understood",
                        Type::Prim(crate::interpret::values::scalar::Prim::Bool),
                    )),
                }
            }
            ExprKind::Lambda { .. } => Ok(self.lambda(LambdaCode::Lambda { at: id })),
            ExprKind::MethodRef { target, name, .. } => self.method_reference(code, id, *target, name),
            ExprKind::Switch { selector, arms } => self.switch_value(code, id, *selector, arms),
            ExprKind::This(None) | ExprKind::Super(_) => Ok(self.this()),
            ExprKind::This(Some(_)) => Ok(match code.link(id) {
                Link::Type(Type::Class(crate::interpret::values::scalar::ClassRef::Project(outer), _)) => {
                    self.this_of(*outer)
                }
                _ => self.unknown("an object around is not resolved", Type::Unknown),
            }),
            ExprKind::ClassLit(_) => Ok(match code.link(id) {
                Link::Type(ty) => Value::Class(ty.clone()),
                _ => self.unknown("a class is not resolved", Type::Unknown),
            }),
            ExprKind::Lit(_) => Ok(self.unknown("a string that is no text", Type::Str)),
            ExprKind::Unknown(kind) => self.unknown_call(&format!("{kind} is not understood"), &[], Type::Unknown),
        }
    }

    fn operate(&mut self, code: &Code, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Eval {
        let a = self.eval(code, left)?;
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let site = self.at(code.body.expr(left).span);
            if self.went(code, left, &a, site)? == (op == BinaryOp::Or) {
                return Ok(Value::bool(op == BinaryOp::Or));
            }
            let value = self.eval(code, right)?;
            self.not_null(&value)?;
            return Ok(value);
        }
        let b = self.eval(code, right)?;
        if self.is_opaque() {
            // An operand next to a number is a number itself.
            let (a, b) = match (a.prim(), b.prim(), op) {
                (None, Some(prim), _) => (self.typed(a, &Type::Prim(prim)), b),
                (Some(prim), None, _) => (a, self.typed(b, &Type::Prim(prim))),
                (
                    None,
                    None,
                    BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Sub | BinaryOp::Mul,
                ) => {
                    let number = Type::Prim(Prim::Long);
                    (self.typed(a, &number), self.typed(b, &number))
                }
                _ => (a, b),
            };
            let doubts = self.doubts.clone();
            let value = self.operated(code, id, op, a.clone(), b.clone())?;
            let Value::Unknown(unknown) = &value else { return Ok(value) };
            self.doubts = doubts;
            // Two known boxes are compared by value: code that compares boxes by identity does so with small, cached
            // values.
            if let (Value::Scalar(a), Value::Scalar(b), BinaryOp::Eq | BinaryOp::Ne) = (&a, &b, op)
                && let Some((a, b)) = a.as_long().zip(b.as_long())
            {
                return Ok(Value::bool((a == b) == (op == BinaryOp::Eq)));
            }
            // A box compared with a number is unboxed (JLS §15.21.1).
            let are_boxes = matches!(code.link(id), Link::Binary { boxed: (Some(true), Some(true)), .. });
            if let (Value::Symbol(_), Value::Scalar(number)) | (Value::Scalar(number), Value::Symbol(_)) = (&a, &b)
                && matches!(op, BinaryOp::Eq | BinaryOp::Ne)
                && !are_boxes
                && number.as_long().is_some()
                && a.prim().is_some()
                && b.prim().is_some()
            {
                self.not_null(&a)?;
                self.not_null(&b)?;
                let same = self.same(a, b, (Some(false), Some(false)))?;
                return if op == BinaryOp::Eq { Ok(same) } else { self.unary(UnaryOp::Not, same) };
            }
            // `!=` is the negation of `==`, so that both share one opaque condition.
            let (asked, is_turned) = if op == BinaryOp::Ne { (BinaryOp::Eq, true) } else { (op, false) };
            let (callee, ty) = (format!("{OPERATOR}{}", operator(asked)), unknown.ty.clone());
            let args = [a, b];
            let call = Unfollowed {
                callee: &callee,
                name: "get",
                receiver: None,
                args: &args,
                ty,
                does: CallEffect::Known { writes: false },
            };
            let said = self.unfollowed(&call)?;
            return if is_turned { self.unary(UnaryOp::Not, said) } else { Ok(said) };
        }
        self.operated(code, id, op, a, b)
    }

    fn operated(&mut self, code: &Code, id: ExprId, op: BinaryOp, a: Value, b: Value) -> Eval {
        let Link::Binary { text, boxed } = code.link(id) else { return self.binary(op, a, b) };
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            if let (Value::Scalar(Scalar::Int(x)), Value::Scalar(Scalar::Int(y))) = (&a, &b)
                && (boxed.0 == Some(false) || boxed.1 == Some(false))
            {
                return Ok(Value::bool((x == y) == (op == BinaryOp::Eq)));
            }
            let same = self.same(a, b, *boxed)?;
            return if op == BinaryOp::Eq { Ok(same) } else { self.unary(UnaryOp::Not, same) };
        }
        if op == BinaryOp::Add && *text == Some(true) {
            return self.concat(&a, &b);
        }
        match (&a, &b) {
            (Value::Scalar(Scalar::Int(x)), Value::Scalar(Scalar::Int(y))) => {
                if let Some(value) = arith::ints(op, *x, *y) {
                    return Ok(Value::Scalar(value));
                }
            }
            (Value::Scalar(Scalar::Double(x)), Value::Scalar(Scalar::Double(y))) => {
                if let Some(value) = arith::doubles(op, *x, *y) {
                    return Ok(Value::Scalar(value));
                }
            }
            _ => {}
        }
        self.binary(op, a, b)
    }

    /// Evaluates a chain `c ? a : d ? b : …`, with the type to which the branches are promoted (JLS §15.25).
    fn conditional(&mut self, code: &Code, id: ExprId) -> Eval {
        let (mut at, mut prims, mut open) = (id, Vec::new(), false);
        while let ExprKind::Conditional { condition, then, otherwise } = &code.body.expr(at).kind {
            if let Link::Const(..) = code.link(at) {
                break;
            }
            let value = self.eval(code, *condition)?;
            let site = self.at(code.body.expr(*condition).span);
            match code.link(at) {
                Link::Conditional(Some(prim)) => prims.push(*prim),
                // A branch of unknown type next to a number or another unknown type: the result may be promoted.
                _ => {
                    let sides = [code.resolved.ty(*then), code.resolved.ty(*otherwise)]
                        .map(crate::interpret::values::types::known_type);
                    let number = |ty: &Type| matches!(ty, Type::Prim(prim) | Type::Boxed(prim) if *prim != Prim::Bool);
                    open |= sides.contains(&Type::Unknown) && sides.iter().all(|ty| *ty == Type::Unknown || number(ty));
                }
            }
            if self.went(code, *condition, &value, site)? {
                at = *then;
                break;
            }
            at = *otherwise;
        }
        let mut value = self.eval(code, at)?;
        if open && !self.is_opaque() && value.prim().is_some_and(|prim| prim != Prim::Bool) {
            return Ok(self.unknown("the type of a conditional expression is not known", Type::Unknown));
        }
        for prim in prims.into_iter().rev() {
            self.not_null(&value)?;
            value = self.convert(value, &Type::Prim(prim));
        }
        Ok(value)
    }

    /// Evaluates several expressions in order.
    pub fn eval_all(&mut self, code: &Code, ids: &[ExprId]) -> Eval<Vec<Value>> {
        ids.iter().map(|id| self.eval(code, *id)).collect()
    }

    /// A site in the running member.
    pub fn at(&self, span: Span) -> Site {
        let nowhere = MemberId { ty: TypeId(0), index: 0 };
        if let Some(site) = self.modelled_at.filter(|_| self.is_in_model()) {
            return site;
        }
        Site { member: self.frames.last().map_or(nowhere, |frame| frame.code.member), span }
    }

    /// A variable of the running body.
    pub fn local(&self, slot: u32) -> Value {
        match self.frames.last().and_then(|frame| frame.slots.get(slot as usize)) {
            Some(value) => value.clone(),
            None => Value::unknown("a variable is out of reach", Type::Unknown),
        }
    }

    /// Sets a variable of the running body.
    pub fn set_local(&mut self, slot: u32, value: Value) {
        if let Some(place) = self.frames.last_mut().and_then(|frame| frame.slots.get_mut(slot as usize)) {
            *place = value;
        }
    }

    /// `this`.
    pub fn this(&self) -> Value {
        match self.frames.last().and_then(|frame| frame.this.clone()) {
            Some(this) => this,
            None => Value::unknown("there is no object here", Type::Unknown),
        }
    }

    fn lambda(&mut self, code: LambdaCode) -> Value {
        match self.surroundings() {
            Some(around) => Value::Lambda(Rc::new(Lambda { around, code })),
            None => Value::unknown("a lambda outside a body", Type::Unknown),
        }
    }

    /// The surroundings that a lambda or class body captures here.
    pub fn surroundings(&self) -> Option<Rc<Captured>> {
        let frame = self.frames.last()?;
        Some(Rc::new(Captured { code: Some(frame.code.clone()), slots: frame.slots.clone(), this: frame.this.clone() }))
    }

    fn method_reference(&mut self, code: &Code, id: ExprId, target: Option<ExprId>, name: &str) -> Eval {
        let Link::Reference(link) = code.link(id) else {
            return Ok(self.unknown("a method reference is not resolved", Type::Unknown));
        };
        let receiver = match (&link.class, target) {
            (None, Some(target)) => {
                let value = self.eval(code, target)?;
                if !matches!(code.body.expr(target).kind, ExprKind::Super(_)) {
                    self.not_null(&value)?;
                }
                Some(value)
            }
            _ => None,
        };
        Ok(self.lambda(LambdaCode::Method { receiver, link: link.clone(), name: Rc::from(name) }))
    }
}
