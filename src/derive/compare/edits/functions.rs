//! Functions that code hands on: where two bodies differ within one lambda alone, the lambda runs by itself, on open
//! arguments and from any state.

use std::rc::Rc;

use mastor_java::interpret::engine::region::{EnclosingBlock, Region, RegionCode, Variable};
use mastor_java::interpret::linking::alike::read_alike;
use mastor_java::interpret::linking::code::{Code, Link};
use mastor_java::ir::body::{ExprId, ExprKind, LambdaBody, Root, StmtKind};
use mastor_java::ir::facts::Span;
use mastor_java::project::index::Project;

/// A body and its project.
type Of<'c> = (&'c Project, &'c Code);

/// The innermost lambda of two bodies within which they differ, as a region of each; `None` if they differ elsewhere too.
pub(in crate::compare) fn function_regions(old: Of<'_>, new: Of<'_>) -> Option<[Region; 2]> {
    if !read_alike(old, new) {
        return None;
    }
    let sides = [Side::of(old)?, Side::of(new)?];
    let mut within = [sides[0].whole, sides[1].whole];
    let mut found: Option<[ExprId; 2]> = None;
    while let Some(pair) = differing(&sides, within) {
        found = Some(pair);
        within = [sides[0].span(pair[0]), sides[1].span(pair[1])];
    }
    let pair = found?;
    let shared = shared([old.1, new.1], pair)?;
    let region = |at: usize| {
        let (project, code) = [old, new][at];
        let ExprKind::Lambda { body, .. } = &code.body.expr(pair[at]).kind else { return None };
        let middle = match body {
            LambdaBody::Expr(value) => RegionCode::Value(*value),
            LambdaBody::Block(block) => match &code.body.stmt(*block).kind {
                StmtKind::Block(statements) => RegionCode::Statements(statements.clone()),
                _ => return None,
            },
        };
        let variables: Vec<Variable> = shared
            .iter()
            .map(|(slots, name)| Variable { slot: slots[at], key: slots[0], name: name.clone(), is_used: false })
            .collect();
        let levels = [EnclosingBlock { before: Vec::new(), around: None }];
        Some(Region::of(project, code, (&levels, &middle), &variables, false).of_function())
    };
    Some([region(0)?, region(1)?])
}

/// The variables that both lambdas know from outside, and their parameters by position, each with its slots in base and head;
/// `None` if they do not stand among the same variables, or take other ones.
fn shared(codes: [&Code; 2], pair: [ExprId; 2]) -> Option<Vec<([u32; 2], Rc<str>)>> {
    let first = |at: usize| match codes[at].link(pair[at]) {
        Link::Lambda(first, types, _) => Some((*first as usize, types.clone())),
        _ => None,
    };
    let params = |at: usize| match &codes[at].body.expr(pair[at]).kind {
        ExprKind::Lambda { params, .. } => Some(params.iter().map(|param| param.ty.clone()).collect::<Vec<_>>()),
        _ => None,
    };
    let [(was, _), (is, _)] = [first(0)?, first(1)?];
    let names = |at: usize| codes[at].resolved.locals.iter().map(|variable| &variable.name);
    let is_declared_alike = params(0)? == params(1)? && names(0).take(was).eq(names(1).take(is));
    if was != is || !is_declared_alike {
        return None;
    }
    let end = was + params(0)?.len();
    let all = names(0).take(end).enumerate();
    Some(all.map(|(slot, name)| ([slot as u32; 2], Rc::from(name.as_str()))).collect())
}

struct Side<'c> {
    code: &'c Code,
    text: String,
    whole: Span,
}

impl<'c> Side<'c> {
    fn of((project, code): Of<'c>) -> Option<Self> {
        let Some(Root::Stmt(root)) = code.body.root else { return None };
        let text = project.text(project.file_of(code.member.ty))?;
        Some(Self { code, text, whole: code.body.stmt(root).span })
    }

    fn span(&self, at: ExprId) -> Span {
        self.code.body.expr(at).span
    }

    /// The text between two places, without white space outside of literals.
    fn read(&self, from: u32, to: u32) -> Option<String> {
        let text = self.text.get(from as usize..to as usize)?;
        let (mut read, mut within, mut is_escaped) = (String::new(), None, false);
        for one in text.chars() {
            match within {
                Some(_) if is_escaped => is_escaped = false,
                Some(_) if one == '\\' => is_escaped = true,
                Some(quote) if one == quote => within = None,
                None if one == '"' || one == '\'' => within = Some(one),
                None if one.is_whitespace() => continue,
                _ => {}
            }
            read.push(one);
        }
        Some(read)
    }

    /// The lambdas within a span that no other one encloses there, in the order of the text.
    fn lambdas(&self, within: Span) -> Vec<ExprId> {
        let is_within = |own: Span, of: Span| own != of && of.start <= own.start && own.end <= of.end;
        let all: Vec<ExprId> = (0..)
            .map(ExprId)
            .zip(&self.code.body.exprs)
            .filter(|(at, expr)| matches!(expr.kind, ExprKind::Lambda { .. }) && is_within(self.span(*at), within))
            .map(|(at, _)| at)
            .collect();
        let is_inner = |at: &ExprId| all.iter().any(|other| is_within(self.span(*at), self.span(*other)));
        let mut outer: Vec<ExprId> = all.iter().copied().filter(|at| !is_inner(at)).collect();
        outer.sort_by_key(|at| self.span(*at).start);
        outer
    }
}

/// The two lambdas within these spans that differ, if all else there reads alike.
fn differing(sides: &[Side<'_>; 2], within: [Span; 2]) -> Option<[ExprId; 2]> {
    let lambdas = [0, 1].map(|at| sides[at].lambdas(within[at]));
    if lambdas[0].len() != lambdas[1].len() {
        return None;
    }
    let read = |at: usize, from: u32, to: u32| sides[at].read(from, to);
    let mut pairs = lambdas[0].iter().zip(&lambdas[1]).filter(|(was, is)| {
        let [was, is] = [sides[0].span(**was), sides[1].span(**is)];
        read(0, was.start, was.end) != read(1, is.start, is.end)
    });
    let (was, is) = pairs.next().filter(|_| pairs.next().is_none())?;
    let [old, new] = [sides[0].span(*was), sides[1].span(*is)];
    let is_alike = read(0, within[0].start, old.start)? == read(1, within[1].start, new.start)?
        && read(0, old.end, within[0].end)? == read(1, new.end, within[1].end)?;
    is_alike.then_some([*was, *is])
}
