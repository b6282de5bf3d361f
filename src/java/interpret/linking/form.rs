//! Normal forms of bodies: variables are numbered instead of named, and a negated condition swaps its branches. Two
//! bodies with the same form are equivalent (alpha equivalence; `if (!c) a else b` equals `if (c) b else a`).

use std::collections::BTreeMap;

use super::code::{Code, Link, On, PatternLink};
use crate::interpret::library::environment::loggers::is_logger;
use crate::interpret::values::java_type::Type;
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::ir::body::{BinaryOp, ExprId, ExprKind, LambdaBody, Lit, Root, StmtId, StmtKind, SwitchArm, UnaryOp};
use crate::ir::calls::{Declares, Target};
use crate::ir::ids::MemberId;
use crate::project::index::Project;

/// One token of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A keyword, an operator, a constant, or the declaration that a name refers to.
    Text(String),
    /// A variable, by slot.
    Variable(u32),
}

/// Writes the forms of one body.
#[derive(Clone, Copy)]
pub struct Forms<'f> {
    project: &'f Project,
    code: &'f Code,
}

impl<'f> Forms<'f> {
    /// For the code of a member of this project.
    pub fn of(project: &'f Project, code: &'f Code) -> Self {
        Self { project, code }
    }

    /// The form of the whole body; `None` if some part is not supported.
    pub fn whole(&self) -> Option<Vec<Token>> {
        let mut writer = Writer::new(*self);
        writer.root();
        writer.done()
    }

    /// The form of the whole body with some expressions replaced by other expressions of the body; unresolved names are kept as written.
    pub fn whole_with(&self, instead: &'f BTreeMap<ExprId, ExprId>) -> Option<Vec<Token>> {
        let mut writer = Writer { takes_names: true, instead: Some(instead), ..Writer::new(*self) };
        writer.root();
        writer.done()
    }

    /// The form of the whole body with unresolved names as written. Comparable only between files with the same imports.
    pub fn whole_as_written(&self) -> Option<Vec<Token>> {
        let mut writer = Writer { takes_names: true, ..Writer::new(*self) };
        writer.root();
        writer.done()
    }

    /// The form of consecutive statements.
    pub fn statements(&self, ids: &[StmtId]) -> Option<Vec<Token>> {
        let mut writer = Writer::new(*self);
        writer.all(ids, Last::No);
        writer.done()
    }

    /// The form of an expression.
    pub fn expression(&self, id: ExprId) -> Option<Vec<Token>> {
        let mut writer = Writer::new(*self);
        writer.expr(id);
        writer.done()
    }

    /// The form of an expression with unresolved names as written. Comparable only within one file, or between files
    /// with the same imports.
    pub fn as_written(&self, id: ExprId) -> Option<Vec<Token>> {
        let mut writer = Writer { takes_names: true, ..Writer::new(*self) };
        writer.expr(id);
        writer.done()
    }

    /// The form of the clauses of a `try` after its block.
    pub fn clauses(&self, id: StmtId) -> Option<Vec<Token>> {
        let mut writer = Writer::new(*self);
        writer.clauses(id);
        writer.done()
    }

    /// Statements in order, with blocks flattened, and without pure log statements.
    pub fn flat(&self, ids: &[StmtId]) -> Vec<StmtId> {
        let mut found = Vec::new();
        for id in ids {
            match &self.code.body.stmt(*id).kind {
                StmtKind::Block(inner) => found.extend(self.flat(inner)),
                StmtKind::Empty => {}
                StmtKind::Expr(expr) if self.logs(*expr) => {}
                _ => found.push(*id),
            }
        }
        found
    }

    /// Whether an expression only logs values that are safe to evaluate.
    fn logs(&self, id: ExprId) -> bool {
        let ExprKind::Call { args, .. } = &self.code.body.expr(id).kind else { return false };
        let Link::Call(call) = self.code.link(id) else { return false };
        call.library.as_deref().is_some_and(is_logger) && args.iter().all(|arg| self.is_there(*arg))
    }

    /// Whether evaluating an expression has no effect and cannot fail.
    fn is_there(&self, id: ExprId) -> bool {
        match &self.code.body.expr(id).kind {
            ExprKind::Lit(_) | ExprKind::Name(_) | ExprKind::This(_) => true,
            ExprKind::Field { target, .. } => matches!(self.code.body.expr(*target).kind, ExprKind::This(_)),
            // A concatenation that starts with a string literal is safe; any other sum may unbox, which may fail.
            ExprKind::Binary { op: BinaryOp::Add, left, right } => {
                let is_text =
                    matches!(self.code.body.expr(*left).kind, ExprKind::Lit(Lit::Str(_)) | ExprKind::Binary { .. })
                        || matches!(self.code.link(*left), Link::Const(Scalar::Str(_), _));
                is_text && self.is_there(*left) && self.is_there(*right)
            }
            _ => false,
        }
    }

    /// Whether statements never complete normally.
    fn leaves(&self, ids: &[StmtId]) -> bool {
        let flat = self.flat(ids);
        flat.last().is_some_and(|last| match &self.code.body.stmt(*last).kind {
            StmtKind::Return(_)
            | StmtKind::Throw(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Yield(_) => true,
            StmtKind::If { then, otherwise: Some(otherwise), .. } => {
                self.leaves(&[*then]) && self.leaves(&[*otherwise])
            }
            _ => false,
        })
    }

    /// Strips negations off a condition; also returns whether their number is odd.
    fn upright(&self, id: ExprId) -> (ExprId, bool) {
        let (mut at, mut turned) = (id, false);
        while let ExprKind::Unary { op: UnaryOp::Not, operand } = self.code.body.expr(at).kind {
            if matches!(self.code.link(at), Link::Const(..)) {
                break;
            }
            (at, turned) = (operand, !turned);
        }
        (at, turned)
    }

    /// A type in a form that is comparable between revisions.
    pub fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Class(class, args) if args.is_empty() => self.class(class),
            Type::Class(class, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.ty(arg)).collect();
                format!("{}<{}>", self.class(class), args.join(","))
            }
            Type::Array(element) => format!("{}[]", self.ty(element)),
            other => format!("{other:?}"),
        }
    }

    fn class(&self, class: &ClassRef) -> String {
        match class {
            ClassRef::Project(ty) => self.project.fqn(*ty).to_owned(),
            ClassRef::Library(fqn) => fqn.to_string(),
        }
    }
}

/// Whether anything runs after the statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Other statements may follow.
    No,
    /// The body ends: a final `return;` is redundant.
    OfBody,
    /// The iteration of a loop ends: a final `continue;` is redundant.
    OfLoop,
}

struct Writer<'f> {
    forms: Forms<'f>,
    out: Vec<Token>,
    /// Whether some part is not supported.
    is_open: bool,
    /// Whether unresolved names are written as they are.
    takes_names: bool,
    /// Replacements of expressions.
    instead: Option<&'f BTreeMap<ExprId, ExprId>>,
    /// Number of enclosing lambdas, whose result type differs from the body's.
    lambdas: usize,
}

impl<'f> Writer<'f> {
    fn new(forms: Forms<'f>) -> Self {
        Self { forms, out: Vec::new(), is_open: false, takes_names: false, instead: None, lambdas: 0 }
    }

    fn done(self) -> Option<Vec<Token>> {
        (!self.is_open).then_some(self.out)
    }

    fn root(&mut self) {
        match self.forms.code.body.root {
            Some(Root::Stmt(root)) => self.all(&[root], Last::OfBody),
            Some(Root::Expr(expr)) => self.expr(expr),
            None => {}
        }
    }

    fn text(&mut self, text: impl Into<String>) {
        self.out.push(Token::Text(text.into()));
    }

    fn variable(&mut self, slot: u32) {
        self.out.push(Token::Variable(slot));
    }

    fn symbols(&mut self, members: &[MemberId]) {
        let mut symbols: Vec<String> = members.iter().map(|member| self.forms.project.symbol(*member)).collect();
        symbols.sort();
        self.text(symbols.join(" "));
    }

    fn declared(&mut self, slot: u32) {
        let ty = self.forms.code.locals.get(slot as usize).map_or_else(String::new, |ty| self.forms.ty(ty));
        self.text(ty);
        self.variable(slot);
    }

    /// Writes statements in the order in which they run.
    fn all(&mut self, ids: &[StmtId], last: Last) {
        let body = &self.forms.code.body;
        let flat = self.forms.flat(ids);
        let mut rest = flat.as_slice();
        while let [first, behind @ ..] = rest {
            match (&body.stmt(*first).kind, behind) {
                (StmtKind::Return(None), []) if last == Last::OfBody => {}
                (StmtKind::Continue(None), []) if last == Last::OfLoop => {}
                // A local variable that is only returned is replaced by its value.
                (StmtKind::Local(locals), [next])
                    if let ([local], StmtKind::Return(Some(value))) = (locals.as_slice(), &body.stmt(*next).kind)
                        && let Some(init) = local.init.filter(|_| self.is_only(*first, *value)) =>
                {
                    self.text("return");
                    self.expr(init);
                    return;
                }
                (StmtKind::If { condition, then, otherwise }, _) => {
                    if self.conditional(*condition, (*then, *otherwise), behind, last) {
                        return;
                    }
                }
                _ => self.one(*first),
            }
            rest = behind;
        }
    }

    /// Whether an expression is the single variable that a statement declares, of the type of its value or of the body's
    /// result.
    fn is_only(&self, declaring: StmtId, value: ExprId) -> bool {
        let code = self.forms.code;
        let slot = code.slot(declaring);
        let ty = code.locals.get(slot as usize);
        let is_alike = match self.lambdas {
            0 => ty.is_some_and(|ty| ty.is_reference() && code.result.is_reference() || *ty == code.result),
            _ => ty.is_some_and(Type::is_reference),
        };
        let is_inferred = || match &code.body.stmt(declaring).kind {
            StmtKind::Local(locals) => locals.iter().all(|local| local.ty.name == "var"),
            _ => false,
        };
        (is_alike || is_inferred()) && matches!(code.link(value), Link::Local(other) if *other == slot)
    }

    /// Writes an `if`. If only one branch continues, the statements after it belong to that branch. Returns whether
    /// they were included.
    fn conditional(
        &mut self,
        condition: ExprId,
        (then, otherwise): (StmtId, Option<StmtId>),
        behind: &[StmtId],
        last: Last,
    ) -> bool {
        let (upright, turned) = self.forms.upright(condition);
        let mut then = vec![then];
        let mut otherwise: Vec<StmtId> = otherwise.into_iter().collect();
        let takes = match (self.forms.leaves(&then), self.forms.leaves(&otherwise)) {
            (true, false) => {
                otherwise.extend(behind);
                true
            }
            (false, true) => {
                then.extend(behind);
                true
            }
            (true, true) => true,
            (false, false) => behind.is_empty(),
        };
        let (upright_then, upright_otherwise) = if turned { (otherwise, then) } else { (then, otherwise) };
        let last = if takes { last } else { Last::No };
        self.text("if");
        self.expr(upright);
        self.block(&upright_then, last);
        self.block(&upright_otherwise, last);
        takes
    }

    fn block(&mut self, ids: &[StmtId], last: Last) {
        self.text("{");
        self.all(ids, last);
        self.text("}");
    }

    fn one(&mut self, id: StmtId) {
        let code = self.forms.code;
        match &code.body.stmt(id).kind {
            StmtKind::Block(inner) => self.all(inner, Last::No),
            StmtKind::Empty | StmtKind::If { .. } => self.all(&[id], Last::No),
            StmtKind::Local(locals) => {
                for (at, local) in (0..).zip(locals) {
                    self.text("variable");
                    self.declared(code.slot(id).saturating_add(at));
                    self.maybe(local.init);
                }
            }
            StmtKind::LocalType(at) => self.text(format!("type {at}")),
            StmtKind::Expr(expr) => {
                self.text("do");
                self.expr(*expr);
            }
            StmtKind::While { condition, body } => {
                self.text("while");
                self.expr(*condition);
                self.block(&[*body], Last::OfLoop);
            }
            StmtKind::DoWhile { body, condition } => {
                self.text("do while");
                self.expr(*condition);
                self.block(&[*body], Last::OfLoop);
            }
            StmtKind::For { init, condition, update, body } => {
                self.text("for");
                self.block(init, Last::No);
                self.maybe(*condition);
                self.exprs(update);
                self.block(&[*body], Last::OfLoop);
            }
            StmtKind::ForEach { items, body, .. } => {
                self.text("for each");
                self.declared(code.slot(id));
                self.expr(*items);
                self.block(&[*body], Last::OfLoop);
            }
            StmtKind::Return(value) => {
                self.text("return");
                self.maybe(*value);
            }
            StmtKind::Throw(value) => {
                self.text("throw");
                self.expr(*value);
            }
            StmtKind::Try { resources, body, .. } => {
                self.text("try");
                self.block(resources, Last::No);
                self.block(&[*body], Last::No);
                self.clauses(id);
            }
            StmtKind::Switch { selector, arms } => self.switch(Declares::Stmt(id), *selector, arms),
            StmtKind::Break(label) => self.text(format!("break {label:?}")),
            StmtKind::Continue(label) => self.text(format!("continue {label:?}")),
            StmtKind::Labeled { label, body } => {
                self.text(format!("label {label}"));
                self.block(&[*body], Last::No);
            }
            StmtKind::Synchronized { lock, body } => {
                self.text("synchronized");
                self.expr(*lock);
                self.block(&[*body], Last::No);
            }
            StmtKind::Assert { condition, message } => {
                self.text("assert");
                self.expr(*condition);
                self.maybe(*message);
            }
            StmtKind::Yield(value) => {
                self.text("yield");
                self.expr(*value);
            }
            StmtKind::ConstructorCall { is_super, outer, args } => {
                self.text(format!("construct {is_super}"));
                match code.resolved.constructor_calls.get(&id) {
                    Some(Target::Methods(found)) => self.symbols(found),
                    other => self.text(format!("{}", other.is_some())),
                }
                self.maybe(*outer);
                self.exprs(args);
            }
            StmtKind::Unknown(_) => self.is_open = true,
        }
    }

    fn clauses(&mut self, id: StmtId) {
        let code = self.forms.code;
        let StmtKind::Try { catches, finally, .. } = &code.body.stmt(id).kind else { return };
        for (at, catch) in catches.iter().enumerate() {
            let types = code.catches.get(&id).and_then(|all| all.get(at));
            let types: Vec<String> = types.into_iter().flatten().map(|ty| self.forms.ty(ty)).collect();
            self.text(format!("catch {}", types.join("|")));
            if let Some(slot) = code.resolved.slots.get(&(Declares::Stmt(id), at as u32)) {
                self.variable(*slot);
            }
            self.block(&[catch.body], Last::No);
        }
        if let Some(finally) = finally {
            self.text("finally");
            self.block(&[*finally], Last::No);
        }
    }

    fn switch(&mut self, by: Declares, selector: ExprId, arms: &[SwitchArm]) {
        let code = self.forms.code;
        self.text("switch");
        self.expr(selector);
        for (at, arm) in arms.iter().enumerate() {
            self.text(format!("case {} {}", arm.default, arm.arrow));
            for label in &arm.labels {
                match (&code.body.expr(*label).kind, code.link(*label)) {
                    // The name of a constant of the selector's enum.
                    (ExprKind::Name(name), Link::Plain) => self.text(name.to_string()),
                    _ => self.expr(*label),
                }
            }
            for pattern in code.arms.get(&by).and_then(|all| all.get(at)).into_iter().flatten() {
                self.pattern(pattern);
            }
            self.maybe(arm.guard);
            self.block(&arm.body, Last::No);
        }
        self.text("end");
    }

    fn pattern(&mut self, pattern: &PatternLink) {
        match pattern {
            PatternLink::Any => self.text("_"),
            PatternLink::Type { ty, slot, total } => {
                self.text(format!("{} {total:?}", self.forms.ty(ty)));
                if let Some(slot) = slot {
                    self.variable(*slot);
                }
            }
            PatternLink::Record { ty, components, parts } => {
                self.text(self.forms.ty(ty));
                self.symbols(components);
                parts.iter().for_each(|part| self.pattern(part));
            }
        }
    }

    fn maybe(&mut self, id: Option<ExprId>) {
        match id {
            Some(id) => self.expr(id),
            None => self.text("nothing"),
        }
    }

    fn exprs(&mut self, ids: &[ExprId]) {
        self.text(format!("({}", ids.len()));
        ids.iter().for_each(|id| self.expr(*id));
    }

    fn expr(&mut self, id: ExprId) {
        let code = self.forms.code;
        if let Some(other) = self.instead.and_then(|instead| instead.get(&id)) {
            return self.expr(*other);
        }
        let link = code.link(id);
        match link {
            Link::Const(Scalar::Enum(class, name), _) => {
                return self.text(format!("{}.{name}", self.forms.class(class)));
            }
            Link::Const(value, _) => return self.text(format!("{value:?}")),
            Link::Local(slot) => return self.variable(*slot),
            Link::Static(field) => return self.symbols(&[*field]),
            Link::Library { ty, name } => return self.text(format!("{ty}.{name}")),
            _ => {}
        }
        match &code.body.expr(id).kind {
            ExprKind::Lit(literal) => self.text(format!("{literal:?}")),
            ExprKind::Name(name) => match link {
                Link::Field(field) => {
                    self.symbols(&[*field]);
                    self.text("this");
                }
                Link::Captured => self.text(format!("around {name}")),
                Link::Type(ty) => self.text(self.forms.ty(ty)),
                _ if self.takes_names => self.text(format!("unexplained {name}")),
                _ => self.is_open = true,
            },
            ExprKind::Field { target, name } => match link {
                Link::Type(ty) => self.text(self.forms.ty(ty)),
                Link::Field(field) => {
                    self.symbols(&[*field]);
                    self.expr(*target);
                }
                _ => {
                    self.text(format!(".{name}"));
                    self.expr(*target);
                }
            },
            ExprKind::Index { target, index } => {
                self.text("[]");
                self.exprs(&[*target, *index]);
            }
            ExprKind::Call { target, name, type_args, args } => {
                self.text(format!("call {name} {type_args:?}"));
                self.call(link, *target);
                self.exprs(args);
            }
            ExprKind::New { ty, diamond, outer, args, anonymous } => {
                self.text(format!("new {ty:?} {diamond} {anonymous:?}"));
                if let Link::New(made) = link {
                    self.text(self.forms.ty(&made.class));
                    self.symbols(&made.constructors);
                }
                self.maybe(*outer);
                self.exprs(args);
            }
            ExprKind::NewArray { ty, lengths, init } => {
                self.text(format!("new {ty:?}"));
                self.exprs(lengths);
                self.maybe(*init);
            }
            ExprKind::ArrayInit(items) => {
                if let Link::Array(ty) = link {
                    self.text(self.forms.ty(ty));
                }
                self.exprs(items);
            }
            ExprKind::Unary { op, operand } => {
                self.text(format!("{op:?}"));
                self.expr(*operand);
            }
            ExprKind::Binary { op, left, right } => self.binary(link, *op, [*left, *right]),
            ExprKind::Assign { op, target, value } => {
                self.text(format!("assign {op:?}"));
                self.exprs(&[*target, *value]);
            }
            ExprKind::IncDec { increment, prefix, target } => {
                self.text(format!("step {increment} {prefix}"));
                self.expr(*target);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (upright, turned) = self.forms.upright(*condition);
                let ways = if turned { [*otherwise, *then] } else { [*then, *otherwise] };
                if let Link::Conditional(to) = link {
                    self.text(format!("? {to:?}"));
                }
                self.expr(upright);
                self.exprs(&ways);
            }
            ExprKind::Cast { ty, operand } => {
                self.text(format!("cast {ty:?}"));
                if let Link::Type(ty) = link {
                    self.text(self.forms.ty(ty));
                }
                self.expr(*operand);
            }
            ExprKind::InstanceOf { operand, .. } => {
                self.text("instance of");
                if let Link::Pattern(pattern) = link {
                    self.pattern(pattern);
                }
                self.expr(*operand);
            }
            ExprKind::Lambda { params, body } => self.lambda(link, params.len(), *body),
            ExprKind::MethodRef { target, name, .. } => {
                self.text(format!("::{name}"));
                let Link::Reference(reference) = link else {
                    self.is_open = true;
                    return;
                };
                self.symbols(&reference.methods);
                match &reference.class {
                    Some(class) => self.text(self.forms.ty(class)),
                    None => self.maybe(*target),
                }
            }
            ExprKind::Switch { selector, arms } => self.switch(Declares::Expr(id), *selector, arms),
            ExprKind::This(None) => self.text("this"),
            ExprKind::This(outer) | ExprKind::Super(outer) => {
                self.text(format!("{:?} {outer:?}", matches!(&code.body.expr(id).kind, ExprKind::This(_))));
                if let Link::Type(ty) = link {
                    self.text(self.forms.ty(ty));
                }
            }
            ExprKind::ClassLit(ty) => {
                self.text(format!("class {ty:?}"));
                if let Link::Type(ty) = link {
                    self.text(self.forms.ty(ty));
                }
            }
            ExprKind::Unknown(_) => self.is_open = true,
        }
    }

    fn call(&mut self, link: &Link, target: Option<ExprId>) {
        let code = self.forms.code;
        let Link::Call(call) = link else {
            self.is_open = true;
            return;
        };
        self.symbols(&call.methods);
        self.text(call.library.as_deref().unwrap_or_default());
        match &call.on {
            On::Value(on) if matches!(code.body.expr(*on).kind, ExprKind::This(None)) => {
                self.text(format!("this {}", self.forms.project.fqn(code.member.ty)));
            }
            On::Value(on) => self.expr(*on),
            On::Class(class) => self.text(self.forms.ty(class)),
            On::This(ty) => self.text(format!("this {}", self.forms.project.fqn(*ty))),
            On::Super => self.text("super"),
            On::Nothing => {
                self.text("nothing");
                self.maybe(target);
            }
        }
    }

    fn binary(&mut self, link: &Link, op: BinaryOp, sides: [ExprId; 2]) {
        self.text(format!("{op:?}"));
        if let Link::Binary { text, boxed } = link {
            self.text(format!("{text:?} {boxed:?}"));
        }
        self.exprs(&sides);
    }

    fn lambda(&mut self, link: &Link, params: usize, body: LambdaBody) {
        let Link::Lambda(first, types, result) = link else {
            self.is_open = true;
            return;
        };
        self.text(format!("lambda {}", self.forms.ty(result)));
        for at in 0..params {
            let ty = types.get(at).map_or_else(String::new, |ty| self.forms.ty(ty));
            self.text(ty);
            self.variable(first.saturating_add(at as u32));
        }
        self.lambdas += 1;
        match body {
            LambdaBody::Expr(value) => {
                self.text("->");
                self.expr(value);
            }
            LambdaBody::Block(block) => self.block(&[block], Last::No),
        }
        self.lambdas -= 1;
    }
}
