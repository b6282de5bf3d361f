//! Runs statements on one path.

use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::library::base::support::Fail;
use crate::interpret::library::collections::iterators;
use crate::interpret::linking::code::Code;
use crate::interpret::paths::path::{Bound, Site, Thrown};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Kind, ObjId, Type, Value};
use crate::ir::body::{ExprId, Root, StmtId, StmtKind};

/// How a statement completes without an exception.
#[derive(Debug, Clone)]
pub enum Flow {
    /// The next statement runs.
    Next,
    /// The body returns.
    Return(Value),
    /// `break`, with its label.
    Break(Option<String>),
    /// `continue`, with its label.
    Continue(Option<String>),
    /// `yield`.
    Yield(Value),
}

/// A `while`, `do` or `for` loop: condition, update and body.
#[derive(Clone, Copy)]
struct Loop<'a> {
    condition: Option<ExprId>,
    update: &'a [ExprId],
    body: StmtId,
    /// The first iteration runs without a check of the condition (`do … while`).
    first: bool,
    label: Option<&'a str>,
}

impl Machine<'_> {
    /// Runs a body from its start.
    pub fn run_root(&mut self, code: &Code) -> Eval {
        match code.body.root {
            Some(Root::Stmt(stmt)) => match self.run(code, stmt)? {
                Flow::Return(value) => Ok(value),
                _ => Ok(Value::NULL),
            },
            Some(Root::Expr(expr)) => self.eval(code, expr),
            None => Ok(Value::NULL),
        }
    }

    /// Runs statements until one does not complete normally.
    pub fn run_all(&mut self, code: &Code, ids: &[StmtId]) -> Eval<Flow> {
        for id in ids {
            match self.run(code, *id)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    /// Runs one statement.
    pub fn run(&mut self, code: &Code, id: StmtId) -> Eval<Flow> {
        self.step()?;
        match &code.body.stmt(id).kind {
            StmtKind::Expr(expr) => {
                // Nested statements set and restore their own value.
                let was = self.opaque.discarded.replace((code.member, *expr));
                let value = self.eval(code, *expr);
                self.opaque.discarded = was;
                value.map(|_| Flow::Next)
            }
            StmtKind::LocalType(_) | StmtKind::Empty | StmtKind::Assert { .. } => Ok(Flow::Next),
            // Constructor calls run before the body, in `construct`.
            StmtKind::ConstructorCall { .. } => Ok(Flow::Next),
            StmtKind::Break(label) => Ok(Flow::Break(label.clone())),
            StmtKind::Continue(label) => Ok(Flow::Continue(label.clone())),
            _ => self.nested(|machine| machine.execute(code, id, None)),
        }
    }

    fn execute(&mut self, code: &Code, id: StmtId, label: Option<&str>) -> Eval<Flow> {
        let stmt = code.body.stmt(id);
        match &stmt.kind {
            StmtKind::Block(inner) => self.run_all(code, inner),
            StmtKind::Local(locals) => {
                let first = code.slot(id);
                for (index, local) in locals.iter().enumerate() {
                    // Definite assignment guarantees that a variable is set before it is read.
                    let Some(init) = local.init else { continue };
                    let value = self.eval(code, init)?;
                    let slot = first.saturating_add(index as u32);
                    let value = match code.locals.get(slot as usize) {
                        Some(ty) => self.assigned(value, ty)?,
                        None => value,
                    };
                    self.set_local(slot, value);
                }
                Ok(Flow::Next)
            }
            StmtKind::If { .. } => {
                let mut at = id;
                while let StmtKind::If { condition, then, otherwise } = &code.body.stmt(at).kind {
                    if self.condition(code, *condition)? {
                        return self.run(code, *then);
                    }
                    match otherwise {
                        Some(next) => at = *next,
                        None => return Ok(Flow::Next),
                    }
                    self.step()?;
                }
                self.run(code, at)
            }
            StmtKind::While { condition, body } => {
                self.turns(code, Loop { condition: Some(*condition), update: &[], body: *body, first: false, label })
            }
            StmtKind::DoWhile { condition, body } => {
                self.turns(code, Loop { condition: Some(*condition), update: &[], body: *body, first: true, label })
            }
            StmtKind::For { init, condition, update, body } => {
                self.run_all(code, init)?;
                self.turns(code, Loop { condition: *condition, update, body: *body, first: false, label })
            }
            StmtKind::ForEach { items, body, .. } => self.for_each(code, id, *items, *body, label),
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.returned_value(code, *value)?,
                    None => Value::NULL,
                };
                self.exit = self.site(stmt.span);
                Ok(Flow::Return(value))
            }
            StmtKind::Throw(value) => {
                let value = self.eval(code, *value)?;
                self.exit = self.site(stmt.span);
                Err(self.throw_value(&value))
            }
            StmtKind::Try { resources, body, catches, finally } => {
                self.try_catch(code, id, resources, *body, catches, *finally)
            }
            StmtKind::Switch { selector, arms } => Ok(match self.switch_stmt(code, id, *selector, arms)? {
                None | Some(Flow::Break(None)) => Flow::Next,
                Some(other) => other,
            }),
            StmtKind::Labeled { label, body } => {
                Ok(match self.nested(|machine| machine.execute(code, *body, Some(label)))? {
                    Flow::Break(Some(l)) if l == *label => Flow::Next,
                    other => other,
                })
            }
            StmtKind::Synchronized { lock, body } => {
                let lock = self.eval(code, *lock)?;
                self.not_null(&lock)?;
                self.run(code, *body)
            }
            StmtKind::Yield(value) => Ok(Flow::Yield(self.eval(code, *value)?)),
            StmtKind::Unknown(kind) => {
                self.unknown_call(&format!("{kind} is not understood"), &[], Type::Unknown)?;
                Ok(Flow::Next)
            }
            _ => self.run(code, id),
        }
    }

    /// The value of `return`. In runs with opaque values a condition forks here, so that both outcomes are compared.
    fn returned_value(&mut self, code: &Code, id: ExprId) -> Eval {
        let value = self.eval(code, id)?;
        if !matches!(value, Value::Cond(_)) || !self.is_opaque() {
            return Ok(value);
        }
        let site = self.at(code.body.expr(id).span);
        Ok(Value::bool(self.went(code, id, &value, site)?))
    }

    /// Decides a condition.
    pub fn condition(&mut self, code: &Code, id: ExprId) -> Eval<bool> {
        let value = self.eval(code, id)?;
        if let Value::Scalar(Scalar::Bool(holds)) = value {
            return Ok(holds);
        }
        let site = self.at(code.body.expr(id).span);
        self.went(code, id, &value, site)
    }

    fn turns(&mut self, code: &Code, turns: Loop<'_>) -> Eval<Flow> {
        let (mut open, mut skip) = (0, turns.first);
        loop {
            let before = self.conditions.len();
            let holds = match turns.condition {
                _ if skip => true,
                Some(condition) => self.condition(code, condition)?,
                None => true,
            };
            skip = false;
            if !holds {
                return Ok(Flow::Next);
            }
            if self.conditions.len() > before {
                open += 1;
                if open > self.cx.bounds.turns {
                    return Err(Stop::Cut(Bound::Turns));
                }
            }
            if let Some(end) = self.turn(code, turns.body, turns.label)? {
                return Ok(end);
            }
            for expr in turns.update {
                self.eval(code, *expr)?;
            }
            self.step()?;
        }
    }

    /// Runs one iteration of a loop; `Some` if the loop ends.
    fn turn(&mut self, code: &Code, inner: StmtId, label: Option<&str>) -> Eval<Option<Flow>> {
        let own = |l: &Option<String>| l.is_none() || l.as_deref() == label;
        Ok(match self.run(code, inner)? {
            Flow::Break(l) if own(&l) => Some(Flow::Next),
            Flow::Continue(l) if own(&l) => None,
            Flow::Next => None,
            other => Some(other),
        })
    }

    fn for_each(&mut self, code: &Code, id: StmtId, items: ExprId, inner: StmtId, label: Option<&str>) -> Eval<Flow> {
        let value = self.eval(code, items)?;
        self.not_null(&value)?;
        let site: Site = self.at(code.body.expr(items).span);
        let slot = code.slot(id);
        let ty = code.locals.get(slot as usize).cloned().unwrap_or(Type::Unknown);
        let value = self.enumerated_by(&value, &ty)?;
        if let Value::Ref(list) = &value
            && self.object(*list).class == ClassRef::library("array")
            && let Kind::List { items, .. } = &self.object(*list).kind
        {
            let (list, length) = (*list, items.len());
            return self.over_list(code, list, length, (slot, &ty), inner, label);
        }
        if let Value::Ref(_) = &value {
            match iterators::iterator(self, &value) {
                Ok(iterator) => return self.over_iterator(code, &iterator, (slot, &ty), inner, label),
                Err(Fail::Stop(stop)) => return Err(stop),
                Err(Fail::Open(_)) => {}
            }
        }
        let elements = self.elements(&value, Some(site))?;
        for element in elements {
            self.step()?;
            let element = self.assigned(element, &ty)?;
            self.set_local(slot, element);
            if let Some(end) = self.turn(code, inner, label)? {
                return Ok(end);
            }
        }
        Ok(Flow::Next)
    }

    /// Iterates over a collection with its iterator, which detects concurrent changes.
    fn over_iterator(
        &mut self,
        code: &Code,
        iterator: &Value,
        (slot, ty): (u32, &Type),
        inner: StmtId,
        label: Option<&str>,
    ) -> Eval<Flow> {
        loop {
            self.step()?;
            match iterators::advance(self, iterator) {
                Ok(None) => return Ok(Flow::Next),
                Ok(Some(element)) => {
                    let element = self.assigned(element, ty)?;
                    self.set_local(slot, element);
                    if let Some(end) = self.turn(code, inner, label)? {
                        return Ok(end);
                    }
                }
                Err(Fail::Stop(stop)) => return Err(stop),
                Err(Fail::Open(why)) => {
                    self.may_throw(&why)?;
                    return Err(Stop::Cut(Bound::Turns));
                }
            }
        }
    }

    /// Iterates over an array, whose elements may change during the loop.
    fn over_list(
        &mut self,
        code: &Code,
        list: ObjId,
        length: usize,
        (slot, ty): (u32, &Type),
        inner: StmtId,
        label: Option<&str>,
    ) -> Eval<Flow> {
        for index in 0..length {
            self.step()?;
            let element = match &self.object(list).kind {
                Kind::List { items, .. } if items.len() == length => items.get(index).cloned(),
                _ => None,
            };
            let Some(element) = element else {
                self.doubt("a collection is changed while a loop goes over it");
                return Err(Stop::Cut(Bound::Turns));
            };
            let element = self.assigned(element, ty)?;
            self.set_local(slot, element);
            if let Some(end) = self.turn(code, inner, label)? {
                return Ok(end);
            }
        }
        let whole = matches!(&self.object(list).kind, Kind::List { items, .. } if items.len() == length);
        if !whole {
            self.doubt("a collection is changed while a loop goes over it");
            return Err(Stop::Cut(Bound::Turns));
        }
        Ok(Flow::Next)
    }

    /// Throws a value.
    pub fn throw_value(&mut self, value: &Value) -> Stop {
        match value {
            Value::Ref(id) => {
                let class = self.object(*id).class.clone();
                Stop::thrown(Thrown { class: Some(class), object: Some(*id), site: self.exit })
            }
            Value::Scalar(Scalar::Null) => self.null_pointer(),
            other => {
                let symbol = match other {
                    Value::Symbol(symbol) => Some(symbol),
                    _ => None,
                };
                self.opaque.throwing = symbol.and_then(|symbol| match &*symbol.term {
                    Term::Opaque(opaque) => Some(Self::throwing_of(opaque)),
                    _ => None,
                });
                // The declared type is only an upper bound; the class is exact if the object is created right here.
                let class = symbol.filter(|symbol| self.is_made(symbol)).and_then(|symbol| match &symbol.ty {
                    Type::Class(class, _) => Some(class.clone()),
                    _ => None,
                });
                Stop::thrown(Thrown { class, object: None, site: self.exit })
            }
        }
    }
}
