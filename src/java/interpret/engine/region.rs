//! Regions: a part of a body that runs on its own. Enclosing conditions decide whether it is reached; enclosing loops
//! run one iteration from any state.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::machine::{Eval, Machine};
use crate::interpret::language::exec::Flow;
use crate::interpret::linking::code::{Code, Link, NO_SLOT};
use crate::interpret::linking::form::{Forms, Token};
use crate::interpret::linking::link::is_static;
use crate::interpret::paths::path::Site;
use crate::interpret::values::term::Canon;
use crate::interpret::values::value::{Type, Value};
use crate::ir::body::{Body, ExprId, ExprKind, Root, Stmt, StmtId, StmtKind};
use crate::ir::facts::Span;
use crate::ir::ids::MemberId;
use crate::project::index::Project;

/// The outcome of a region that completes normally.
pub const GOES_ON: &str = "goes on";

/// One block on the way from the body to a region.
#[derive(Debug, Clone)]
pub struct EnclosingBlock {
    /// The statements of the block before the region, or before the statement that encloses it.
    pub before: Vec<StmtId>,
    /// The statement of the block that encloses the region; `None` at the last level.
    pub around: Option<(StmtId, EnclosingPart)>,
}

/// The part of an enclosing statement that contains a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnclosingPart {
    /// The branch of an `if` for this value of the condition.
    Branch(bool),
    /// In the body of a loop.
    Loop,
    /// In the block of a `try`.
    Try,
    /// The initialiser, condition or update of a loop.
    Header,
}

/// The code of a region.
#[derive(Debug, Clone)]
pub enum RegionCode {
    /// Statements.
    Statements(Vec<StmtId>),
    /// Expressions, for their effects.
    Expressions(Vec<ExprId>),
    /// An expression, for its value.
    Value(ExprId),
}

/// A variable that a region shares with the surrounding code.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its slot in the body.
    pub slot: u32,
    /// Its number, which both revisions share.
    pub key: u32,
    /// Its name.
    pub name: Rc<str>,
    /// Whether the region uses it in base or head, so that its final value is compared.
    pub is_used: bool,
}

/// A region that can be run by itself.
#[derive(Debug, Clone)]
pub struct Region {
    /// The member whose body contains it.
    pub member: MemberId,
    code: Rc<Code>,
    /// Variables that start with an arbitrary value.
    given: Vec<Variable>,
    /// Variables whose final values are compared.
    left: Vec<Variable>,
    /// The spans of its parts.
    spans: Vec<Span>,
    /// The span shown for it.
    span: Span,
    /// Whether the region is a single expression whose value is compared.
    pub is_value: bool,
    /// Whether it is the body of a lambda that the member passes to a call.
    pub is_function: bool,
}

impl Region {
    /// Builds a region of a body; `variables` are the variables that both revisions share around it. With `is_exact`,
    /// variables that are set only in their declaration keep their values; otherwise they are arbitrary.
    pub fn of(
        project: &Project,
        code: &Code,
        (levels, middle): (&[EnclosingBlock], &RegionCode),
        variables: &[Variable],
        is_exact: bool,
    ) -> Self {
        let forms = Forms::of(project, code);
        let mut needed: BTreeSet<u32> = variables.iter().filter(|one| one.is_used).map(|one| one.slot).collect();
        for level in levels {
            if let Some((at, EnclosingPart::Branch(_) | EnclosingPart::Loop)) = level.around
                && let Some(condition) = condition_of(&code.body, at)
            {
                needed.extend(variables_of(forms.expression(condition)));
            }
        }
        let kept = if is_exact { kept(&forms, code, levels, needed) } else { BTreeSet::new() };
        let mut made = RegionBuilder { body: Body::clone(&code.body), declared: code.declared.clone() };
        let root = made.enclosed(levels, middle, &kept);
        made.body.root = Some(Root::Stmt(root));
        let set: BTreeSet<u32> = kept.iter().map(|id| code.slot(*id)).collect();
        let params = code.params.len() as u32;
        let is_given = |one: &&Variable| one.slot >= params && !set.contains(&one.slot);
        let given = variables.iter().filter(is_given).cloned().collect();
        let left = variables.iter().filter(|one| one.is_used).cloned().collect();
        let spans = spans_of(&code.body, middle);
        let before = || levels.iter().rev().find_map(|level| level.before.last()).map(|id| code.body.stmt(*id).span);
        let span = spans.first().copied().or_else(before).unwrap_or(project.member(code.member).name_span);
        let member = code.member;
        let code = Rc::new(Code { body: Arc::new(made.body), declared: made.declared, ..code.clone() });
        let is_value = matches!(middle, RegionCode::Value(_));
        Self { member, code, given, left, spans, span, is_value, is_function: false }
    }

    /// Marks it as the body of a lambda that the member passes to a call.
    #[must_use]
    pub fn of_function(self) -> Self {
        Self { is_function: true, ..self }
    }

    /// Whether the region contains an expression of the body.
    pub fn holds(&self, at: ExprId) -> bool {
        let span = self.code.body.expr(at).span;
        self.spans.iter().any(|own| own.start <= span.start && span.end <= own.end)
    }

    /// The spans of its parts.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The variables that a region uses.
    pub fn uses(project: &Project, code: &Code, middle: &RegionCode) -> BTreeSet<u32> {
        used(&Forms::of(project, code), middle)
    }
}

/// The span of each part of a region.
fn spans_of(body: &Body, middle: &RegionCode) -> Vec<Span> {
    match middle {
        RegionCode::Statements(ids) => ids.iter().map(|id| body.stmt(*id).span).collect(),
        RegionCode::Expressions(ids) => ids.iter().map(|id| body.expr(*id).span).collect(),
        RegionCode::Value(id) => vec![body.expr(*id).span],
    }
}

fn used(forms: &Forms<'_>, middle: &RegionCode) -> BTreeSet<u32> {
    match middle {
        RegionCode::Statements(ids) => variables_of(forms.statements(ids)),
        RegionCode::Expressions(ids) => ids.iter().flat_map(|id| variables_of(forms.expression(*id))).collect(),
        RegionCode::Value(id) => variables_of(forms.expression(*id)),
    }
}

fn variables_of(form: Option<Vec<Token>>) -> BTreeSet<u32> {
    let slot = |token: Token| match token {
        Token::Variable(slot) => Some(slot),
        Token::Text(_) => None,
    };
    form.into_iter().flatten().filter_map(slot).collect()
}

fn condition_of(body: &Body, id: StmtId) -> Option<ExprId> {
    match &body.stmt(id).kind {
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => Some(*condition),
        StmtKind::For { condition, .. } => *condition,
        _ => None,
    }
}

/// The declarations before a region that set the `needed` variables, if these are never assigned again.
fn kept(forms: &Forms<'_>, code: &Code, levels: &[EnclosingBlock], mut needed: BTreeSet<u32>) -> BTreeSet<StmtId> {
    let body = &code.body;
    let assigned: BTreeSet<u32> = body
        .exprs
        .iter()
        .filter_map(|expr| match &expr.kind {
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => match code.link(*target) {
                Link::Local(slot) => Some(*slot),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let mut kept = BTreeSet::new();
    for id in levels.iter().rev().flat_map(|level| level.before.iter().rev()) {
        let StmtKind::Local(locals) = &body.stmt(*id).kind else { continue };
        let ([local], slot) = (locals.as_slice(), code.slot(*id)) else { continue };
        if let Some(init) = local.init
            && needed.contains(&slot)
            && !assigned.contains(&slot)
        {
            kept.insert(*id);
            needed.extend(variables_of(forms.expression(init)));
        }
    }
    kept
}

struct RegionBuilder {
    body: Body,
    declared: Vec<u32>,
}

impl RegionBuilder {
    fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.body.stmts.push(Stmt { kind, span: Span::default() });
        self.declared.push(NO_SLOT);
        StmtId((self.body.stmts.len() - 1) as u32)
    }

    /// The region with its enclosing statements.
    fn enclosed(&mut self, levels: &[EnclosingBlock], middle: &RegionCode, kept: &BTreeSet<StmtId>) -> StmtId {
        let ids = match middle {
            RegionCode::Statements(ids) => ids.clone(),
            RegionCode::Expressions(ids) => ids.iter().map(|id| self.stmt(StmtKind::Expr(*id))).collect(),
            RegionCode::Value(id) => vec![self.stmt(StmtKind::Yield(*id))],
        };
        let mut inner = self.stmt(StmtKind::Block(ids));
        for level in levels.iter().rev() {
            if let Some((at, within)) = level.around {
                inner = self.around(at, within, inner);
            }
            let mut all: Vec<StmtId> = level.before.iter().filter(|id| kept.contains(id)).copied().collect();
            all.push(inner);
            inner = self.stmt(StmtKind::Block(all));
        }
        inner
    }

    fn around(&mut self, at: StmtId, within: EnclosingPart, inner: StmtId) -> StmtId {
        let condition = condition_of(&self.body, at);
        match (within, condition) {
            (EnclosingPart::Branch(_) | EnclosingPart::Loop, Some(condition)) => {
                let leave = self.stmt(StmtKind::Return(None));
                let (then, otherwise) =
                    if within == EnclosingPart::Branch(false) { (leave, inner) } else { (inner, leave) };
                self.stmt(StmtKind::If { condition, then, otherwise: Some(otherwise) })
            }
            (EnclosingPart::Try, _) => {
                // The `try` is rebuilt in place, because its clauses are found by its index.
                if let StmtKind::Try { body, .. } = &mut self.body.stmts[at.0 as usize].kind {
                    *body = inner;
                }
                at
            }
            _ => inner,
        }
    }
}

impl Machine<'_> {
    /// Runs a region with these arguments. Returns the value of its body, or the final values of its variables.
    pub fn run_region(&mut self, region: &Region, this: Option<Value>, args: Vec<Value>) -> Eval<Canon> {
        let code = region.code.clone();
        let symbol = self.project.symbol(region.member);
        let Some(mut slots) = self.bind_params(&code, args, Some(false))? else {
            return Ok(Canon::Unknown(Rc::from("the arguments of a region")));
        };
        for Variable { slot, key, name, .. } in &region.given {
            let ty = code.locals.get(*slot as usize).cloned().unwrap_or(Type::Unknown);
            let value = self.given_as(&format!("variable {key} of {symbol}"), name, ty);
            if let Some(place) = slots.get_mut(*slot as usize) {
                *place = value;
            }
        }
        if is_static(self.project, region.member) {
            self.enter_class(region.member.ty)?;
        }
        self.ran(region.member);
        self.framed(code.clone(), this, slots, |machine| {
            let Some(Root::Stmt(root)) = code.body.root else { return Ok(Canon::null()) };
            let mut values: Vec<Value> = Vec::new();
            let mut names: Vec<Rc<str>> = Vec::new();
            let ends = match machine.run(&code, root)? {
                Flow::Return(value) => return Ok(machine.canon(&value)),
                // An evaluated condition may set variables too.
                Flow::Yield(value) if region.left.is_empty() => return Ok(machine.canon(&value)),
                Flow::Yield(value) => {
                    values.push(value);
                    names.push(Rc::from(""));
                    "asks".to_owned()
                }
                Flow::Next => GOES_ON.to_owned(),
                Flow::Break(label) => format!("leaves the loop {}", label.unwrap_or_default()),
                Flow::Continue(label) => format!("goes to the next turn {}", label.unwrap_or_default()),
            };
            machine.exit = Some(Site { member: region.member, span: region.span });
            values.extend(region.left.iter().map(|one| machine.local(one.slot)));
            names.extend(region.left.iter().map(|one| one.name.clone()));
            Ok(Canon::Object(Rc::from(ends.trim_end()), names.into_iter().zip(machine.canons(&values)).collect()))
        })
    }
}
