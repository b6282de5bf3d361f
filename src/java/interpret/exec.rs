//! Statements: how a body runs on one path.

use super::condition::Cond;
use super::function::Function;
use super::hierarchy;
use super::machine::{Eval, Machine, Stop};
use super::path::{Bound, Thrown};
use super::scalar::{ClassRef, Scalar};
use super::term::Term;
use super::value::{Kind, Object, Type, Value};
use crate::java::body::{BinaryOp, Body, Catch, ExprId, StmtId, StmtKind, SwitchArm};
use crate::java::facts::TypeRef;
use std::rc::Rc;

/// How a statement ends when nothing is thrown.
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

impl Machine<'_> {
    /// Runs statements until one does not end normally.
    pub fn run_all(&mut self, body: &Body, ids: &[StmtId]) -> Eval<Flow> {
        for id in ids {
            match self.run(body, *id)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn locals(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.locals.len())
    }

    fn forget_locals(&mut self, to: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.truncate(to);
        }
    }

    /// Runs one statement.
    pub fn run(&mut self, body: &Body, id: StmtId) -> Eval<Flow> {
        self.step()?;
        let stmt = body.stmt(id);
        match &stmt.kind {
            StmtKind::Block(inner) => {
                let mark = self.locals();
                let flow = self.run_all(body, inner);
                self.forget_locals(mark);
                flow
            }
            StmtKind::Local(locals) => {
                for local in locals {
                    let ty = self.type_of(self.scope(), &local.ty);
                    let value = match local.init {
                        Some(init) => {
                            let value = self.eval(body, init)?;
                            self.convert(value, &ty)
                        }
                        // Definite assignment: never read before it is set.
                        None => Value::NULL,
                    };
                    self.bind(&local.name, ty, value);
                }
                Ok(Flow::Next)
            }
            StmtKind::LocalType(_) | StmtKind::Empty | StmtKind::Assert { .. } => Ok(Flow::Next),
            StmtKind::Expr(expr) => self.eval(body, *expr).map(|_| Flow::Next),
            StmtKind::If { condition, then, otherwise } => {
                let mark = self.locals();
                let holds = self.condition(body, *condition)?;
                let flow = match (holds, otherwise) {
                    (true, _) => self.run(body, *then)?,
                    (false, Some(otherwise)) => self.run(body, *otherwise)?,
                    (false, None) => Flow::Next,
                };
                // Pattern variables stay in scope after `if (!(x instanceof T t)) return;`.
                let _ = mark;
                Ok(flow)
            }
            StmtKind::While { condition, body: inner } => self.turns(body, Some(*condition), &[], *inner, false, None),
            StmtKind::DoWhile { condition, body: inner } => self.turns(body, Some(*condition), &[], *inner, true, None),
            StmtKind::For { init, condition, update, body: inner } => {
                let mark = self.locals();
                self.run_all(body, init)?;
                let flow = self.turns(body, *condition, update, *inner, false, None);
                self.forget_locals(mark);
                flow
            }
            StmtKind::ForEach { ty, name, items, body: inner } => self.for_each(body, ty, name, *items, *inner, None),
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(body, *value)?,
                    None => Value::NULL,
                };
                self.exit = self.site(stmt.span);
                Ok(Flow::Return(value))
            }
            StmtKind::Throw(value) => {
                let value = self.eval(body, *value)?;
                self.exit = self.site(stmt.span);
                Err(self.throw_value(&value))
            }
            StmtKind::Try { resources, body: inner, catches, finally } => {
                self.try_catch(body, resources, *inner, catches, *finally)
            }
            StmtKind::Switch { selector, arms } => {
                let mark = self.locals();
                let flow = self.switch(body, *selector, arms)?;
                self.forget_locals(mark);
                Ok(match flow {
                    None | Some(Flow::Break(None)) => Flow::Next,
                    Some(other) => other,
                })
            }
            StmtKind::Break(label) => Ok(Flow::Break(label.clone())),
            StmtKind::Continue(label) => Ok(Flow::Continue(label.clone())),
            StmtKind::Labeled { label, body: inner } => {
                let inner_stmt = body.stmt(*inner);
                let flow = match &inner_stmt.kind {
                    StmtKind::While { condition, body: b } => {
                        self.turns(body, Some(*condition), &[], *b, false, Some(label))
                    }
                    StmtKind::DoWhile { condition, body: b } => {
                        self.turns(body, Some(*condition), &[], *b, true, Some(label))
                    }
                    StmtKind::For { init, condition, update, body: b } => {
                        let mark = self.locals();
                        self.run_all(body, init)?;
                        let flow = self.turns(body, *condition, update, *b, false, Some(label));
                        self.forget_locals(mark);
                        flow
                    }
                    StmtKind::ForEach { ty, name, items, body: b } => {
                        self.for_each(body, ty, name, *items, *b, Some(label))
                    }
                    _ => self.run(body, *inner),
                }?;
                Ok(match flow {
                    Flow::Break(Some(l)) if l == *label => Flow::Next,
                    other => other,
                })
            }
            StmtKind::Synchronized { body: inner, .. } => self.run(body, *inner),
            StmtKind::Yield(value) => Ok(Flow::Yield(self.eval(body, *value)?)),
            StmtKind::ConstructorCall { .. } => Ok(Flow::Next),
            StmtKind::Unknown(kind) => {
                self.unknown_call(&format!("{kind} is not understood"), &[], Type::Unknown)?;
                Ok(Flow::Next)
            }
        }
    }

    /// Which way a condition goes.
    fn condition(&mut self, body: &Body, id: ExprId) -> Eval<bool> {
        let value = self.eval(body, id)?;
        let site = self.at(body.expr(id).span);
        self.truth(&value, site)
    }

    fn turns(
        &mut self,
        body: &Body,
        condition: Option<ExprId>,
        update: &[ExprId],
        inner: StmtId,
        first: bool,
        label: Option<&str>,
    ) -> Eval<Flow> {
        let mut open = 0;
        let mut skip = first;
        loop {
            let before = self.conditions.len();
            let holds = match condition {
                _ if skip => true,
                Some(condition) => self.condition(body, condition)?,
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
            if let Some(end) = self.turn(body, inner, label)? {
                return Ok(end);
            }
            for expr in update {
                self.eval(body, *expr)?;
            }
            self.step()?;
        }
    }

    /// One turn of a loop; `Some` where the loop ends.
    fn turn(&mut self, body: &Body, inner: StmtId, label: Option<&str>) -> Eval<Option<Flow>> {
        let own = |l: &Option<String>| l.is_none() || l.as_deref() == label;
        Ok(match self.run(body, inner)? {
            Flow::Break(l) if own(&l) => Some(Flow::Next),
            Flow::Continue(l) if own(&l) => None,
            Flow::Next => None,
            other => Some(other),
        })
    }

    fn for_each(
        &mut self,
        body: &Body,
        ty: &TypeRef,
        name: &str,
        items: ExprId,
        inner: StmtId,
        label: Option<&str>,
    ) -> Eval<Flow> {
        let value = self.eval(body, items)?;
        self.not_null(&value)?;
        let site = self.at(body.expr(items).span);
        let ty = self.type_of(self.scope(), ty);
        let elements = self.elements(&value, Some(site))?;
        for element in elements {
            let mark = self.locals();
            let element = self.convert(element, &ty);
            self.bind(name, ty.clone(), element);
            let end = self.turn(body, inner, label);
            self.forget_locals(mark);
            if let Some(end) = end? {
                return Ok(end);
            }
        }
        Ok(Flow::Next)
    }

    /// The elements of a collection: those of a known one; of a list of the body none or one, and more are cut; of another one none.
    pub fn elements(&mut self, value: &Value, site: Option<super::path::Site>) -> Eval<Vec<Value>> {
        if let Value::Ref(id) = value
            && let Kind::List { items, .. } = &self.object(*id).kind
        {
            return Ok(items.clone());
        }
        if let Value::Symbol(symbol) = value
            && let Term::Input(input) = &*symbol.term
        {
            let element = match &symbol.ty {
                Type::Class(_, args) => args.first().cloned().unwrap_or(Type::Unknown),
                Type::Array(element) => (**element).clone(),
                _ => Type::Unknown,
            };
            let size = Rc::new(Term::Apply(Function::Size, vec![symbol.term.clone()]));
            let is = |n: i32| {
                Cond::Compare(
                    BinaryOp::Eq,
                    super::scalar::Prim::Int,
                    size.clone(),
                    Rc::new(Term::Const(Scalar::Int(n))),
                )
            };
            let input = input.clone();
            if self.decide(is(0), site)? {
                return Ok(Vec::new());
            }
            if self.decide(is(1), site)? {
                let item = self.input(input.element(0), &element, true);
                return Ok(vec![item]);
            }
            return Err(Stop::Cut(Bound::Turns));
        }
        let text = site.map_or_else(|| "a collection".to_owned(), |site| self.source(site));
        let why = match value {
            Value::Unknown(unknown) => unknown.reasons.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("; "),
            _ => "a collection is not known".to_owned(),
        };
        self.may_throw(&format!("{why}: its elements are not known"))?;
        if self.decide(Cond::Unknown(Rc::from(format!("{text} has no element")), Rc::from(why)), site)? {
            return Ok(Vec::new());
        }
        Err(Stop::Cut(Bound::Turns))
    }

    /// Throws a value.
    fn throw_value(&mut self, value: &Value) -> Stop {
        match value {
            Value::Ref(id) => {
                let class = self.object(*id).class.clone();
                Stop::Throw(Thrown { class: Some(class), object: Some(*id), site: self.exit })
            }
            Value::Scalar(Scalar::Null) => self.throw("java.lang.NullPointerException", Value::NULL),
            Value::Unknown(unknown) => {
                let class = match &unknown.ty {
                    Type::Class(class, _) => Some(class.clone()),
                    _ => None,
                };
                // A declared type says what it is at most; only for a class made right here is it exact.
                let _ = class;
                Stop::Throw(Thrown { class: None, object: None, site: self.exit })
            }
            _ => Stop::Throw(Thrown { class: None, object: None, site: self.exit }),
        }
    }

    fn try_catch(
        &mut self,
        body: &Body,
        resources: &[StmtId],
        inner: StmtId,
        catches: &[Catch],
        finally: Option<StmtId>,
    ) -> Eval<Flow> {
        let mark = self.locals();
        let frames = self.frames.len();
        let catching = self.catching;
        let listens = !catches.is_empty() || finally.is_some();
        self.catching += usize::from(listens);
        let mut result = match self.run_all(body, resources) {
            Ok(Flow::Next) => self.run(body, inner),
            other => other,
        };
        if !resources.is_empty() {
            self.unknowns.insert(Rc::from("closing a resource is not followed"));
            self.effects.push(Rc::from("a resource is closed"));
        }
        // An exception leaves the frames that were under way.
        self.frames.truncate(frames);
        self.catching = catching;
        self.forget_locals(mark);
        if let Err(Stop::Throw(thrown)) = &result {
            let thrown = thrown.clone();
            self.catching += usize::from(finally.is_some());
            if let Some(catch) = self.catcher(&thrown, catches)? {
                let value = match thrown.object {
                    Some(id) => Value::Ref(id),
                    None => self.unknown("an exception that is not known", Type::Unknown),
                };
                self.bind(&catch.name, Type::Unknown, value);
                result = self.run(body, catch.body);
                self.frames.truncate(frames);
                self.forget_locals(mark);
            }
            self.catching = catching;
        }
        if let Some(finally) = finally
            && !matches!(result, Err(Stop::Cut(_)))
        {
            let exit = self.exit;
            match self.run(body, finally)? {
                Flow::Next => self.exit = exit,
                other => return Ok(other),
            }
        }
        result
    }

    /// The clause that catches an exception. One of an unknown class may be caught by any, or by none.
    fn catcher<'b>(&mut self, thrown: &Thrown, catches: &'b [Catch]) -> Eval<Option<&'b Catch>> {
        for catch in catches {
            for ty in &catch.types {
                let Type::Class(wanted, _) = self.type_of(self.scope(), ty) else {
                    if self.choose(2)? == 0 {
                        self.doubt(&format!("the exception type {} is not resolved", ty.name));
                        return Ok(Some(catch));
                    }
                    self.doubt(&format!("the exception type {} is not resolved", ty.name));
                    continue;
                };
                let all = matches!(&wanted, ClassRef::Library(fqn) if matches!(&**fqn, "java.lang.Exception" | "java.lang.Throwable"));
                let caught = match &thrown.class {
                    None => all.then_some(true),
                    Some(class) => hierarchy::is_below(self.project, class, &wanted),
                };
                match caught {
                    Some(true) => return Ok(Some(catch)),
                    Some(false) => {}
                    None => {
                        if thrown.class.is_some() {
                            self.doubt(&format!("whether {} is caught is not decided", ty.name));
                        }
                        if self.choose(2)? == 0 {
                            return Ok(Some(catch));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// A switch as an expression.
    pub fn switch_value(&mut self, body: &Body, selector: ExprId, arms: &[SwitchArm]) -> Eval {
        let mark = self.locals();
        let flow = self.switch(body, selector, arms)?;
        self.forget_locals(mark);
        match flow {
            Some(Flow::Yield(value)) => Ok(value),
            None => Err(self.throw("java.lang.MatchException", Value::NULL)),
            _ => self.unknown_call("a switch was not understood", &[], Type::Unknown),
        }
    }

    /// Runs the arm that fits; `None` where none does.
    fn switch(&mut self, body: &Body, selector: ExprId, arms: &[SwitchArm]) -> Eval<Option<Flow>> {
        let value = self.eval(body, selector)?;
        let site = self.at(body.expr(selector).span);
        self.not_null(&value)?;
        let mut chosen = None;
        'arms: for (index, arm) in arms.iter().enumerate() {
            for label in &arm.labels {
                if self.label_fits(body, &value, *label, site)? && self.guard(body, arm)? {
                    chosen = Some(index);
                    break 'arms;
                }
            }
            for pattern in &arm.patterns {
                let fits = self.matches_pattern(&value, pattern)?;
                if self.truth(&fits, site)? && self.guard(body, arm)? {
                    chosen = Some(index);
                    break 'arms;
                }
            }
        }
        let Some(chosen) = chosen.or_else(|| arms.iter().position(|arm| arm.default)) else { return Ok(None) };
        for arm in &arms[chosen..] {
            match self.run_all(body, &arm.body)? {
                Flow::Next if arm.arrow => return Ok(Some(Flow::Next)),
                Flow::Next => {}
                other => return Ok(Some(other)),
            }
        }
        Ok(Some(Flow::Next))
    }

    fn guard(&mut self, body: &Body, arm: &SwitchArm) -> Eval<bool> {
        match arm.guard {
            None => Ok(true),
            Some(guard) => self.condition(body, guard),
        }
    }

    fn label_fits(&mut self, body: &Body, value: &Value, label: ExprId, site: super::path::Site) -> Eval<bool> {
        use crate::java::body::ExprKind;
        let class = match value {
            Value::Scalar(Scalar::Enum(class, _)) => Some(class.clone()),
            Value::Symbol(symbol) => match &symbol.ty {
                Type::Class(class, _) => Some(class.clone()),
                _ => None,
            },
            _ => None,
        };
        let wanted = match (&body.expr(label).kind, class) {
            (ExprKind::Name(name), Some(class)) => Value::Scalar(Scalar::Enum(class, Rc::from(name.as_str()))),
            _ => self.eval(body, label)?,
        };
        if wanted.is_null() {
            return Ok(false);
        }
        let same = match (value, &wanted) {
            (Value::Unknown(_), _) => value.clone(),
            (Value::Scalar(a), Value::Scalar(b)) => {
                Value::bool(a == b || a.as_long().is_some() && a.as_long() == b.as_long())
            }
            _ => match (value.term(), wanted.term(), value.prim()) {
                (Some(a), Some(b), Some(prim)) => Value::cond(Cond::Compare(BinaryOp::Eq, prim, a, b)),
                (Some(a), Some(b), None) => Value::cond(Cond::Same(a, b)),
                _ => self.unknown("a switch was not understood", Type::Prim(super::scalar::Prim::Bool)),
            },
        };
        self.truth(&same, site)
    }

    /// Whether a value is an instance of a class; null counts as one. `None` where that is not decided.
    pub fn is_instance(&self, value: &Value, wanted: &Type) -> Option<bool> {
        let class = match value {
            Value::Scalar(Scalar::Null) => return Some(true),
            Value::Scalar(Scalar::Str(_)) => ClassRef::library("java.lang.String"),
            Value::Scalar(Scalar::Enum(class, _)) => class.clone(),
            Value::Scalar(scalar) => ClassRef::library(&format!("java.lang.{}", scalar.prim()?.box_name())),
            Value::Ref(id) => self.object(*id).class.clone(),
            Value::Symbol(symbol) => match &symbol.ty {
                Type::Str => ClassRef::library("java.lang.String"),
                Type::Boxed(prim) => ClassRef::library(&format!("java.lang.{}", prim.box_name())),
                Type::Class(class, _) => class.clone(),
                _ => return None,
            },
            _ => return None,
        };
        let wanted = match wanted {
            Type::Str => ClassRef::library("java.lang.String"),
            Type::Boxed(prim) => ClassRef::library(&format!("java.lang.{}", prim.box_name())),
            Type::Class(class, _) => class.clone(),
            _ => return None,
        };
        if class == wanted || matches!(&wanted, ClassRef::Library(fqn) if &**fqn == "java.lang.Object") {
            return Some(true);
        }
        if let (ClassRef::Project(a), ClassRef::Project(b)) = (&class, &wanted)
            && self.project.all_supers(*a).contains(b)
        {
            return Some(true);
        }
        match (&class, &wanted) {
            // Final classes of the library are nothing else; interfaces they have are not listed here.
            (ClassRef::Library(a), ClassRef::Library(b)) if is_final(a) && is_final(b) => Some(false),
            (ClassRef::Library(a), ClassRef::Project(_)) if is_final(a) => Some(false),
            _ => match hierarchy::is_below(self.project, &class, &wanted) {
                Some(true) => Some(true),
                Some(false) if self.is_class(&wanted) => Some(false),
                _ => None,
            },
        }
    }

    fn is_class(&self, class: &ClassRef) -> bool {
        match class {
            ClassRef::Project(ty) => self.project.ty(*ty).kind != crate::java::facts::TypeKind::Interface,
            ClassRef::Library(fqn) => hierarchy::library_super(fqn).is_some(),
        }
    }

    /// A new object of a library class that a model knows.
    pub fn modelled(&mut self, fqn: &str, parts: &[(&'static str, Value)]) -> Value {
        let mut object = Object::new(ClassRef::library(fqn), Kind::Modelled);
        object.parts.extend(parts.iter().cloned());
        Value::Ref(self.allocate(object))
    }
}

fn is_final(fqn: &str) -> bool {
    fqn == "java.lang.String" || super::scalar::Prim::of_box(fqn).is_some()
}
