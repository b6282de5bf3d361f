//! Compares constructors of wired classes field by field: an added or removed field only affects code that names it,
//! which is compared itself.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::compare::objects::handed::handed;
use crate::compare::sides::side::Side;
use mastor_java::interpret::linking::code::{Code, Link};
use mastor_java::ir::body::{ExprId, ExprKind, Root, StmtKind};
use mastor_java::ir::facts::{MemberFacts, MemberKind, Modifiers, Param};
use mastor_java::ir::ids::{MemberId, TypeId};

/// Depth to which the constructors of created objects are compared.
const DEEP: usize = 6;

/// Given a constructor of a wired class in one or both revisions: whether the class's constructors give the common
/// fields the same values.
pub(in crate::compare) fn sets_alike(old: &Side<'_>, new: &Side<'_>, members: [Option<MemberId>; 2]) -> bool {
    let Some((side, member)) = members[0].map(|id| (old, id)).or(members[1].map(|id| (new, id))) else { return false };
    let project = side.bench.subject.project;
    if project.member(member).kind != MemberKind::Constructor || !handed(side).wired.contains(&member.ty) {
        return false;
    }
    let name = project.fqn(member.ty);
    match (old.class(name), new.class(name)) {
        (Some(was), Some(is)) => are_alike((old, was), (new, is), DEEP),
        // Objects of the class are created by the container, or by code that changed with the class.
        _ => true,
    }
}

/// Whether a constructor only assigns its parameters to the fields, like the one that Lombok generates for the class in
/// the other revision.
pub(in crate::compare) fn is_as_generated(side: &Side<'_>, other: &Side<'_>, constructor: MemberId) -> bool {
    let (project, of_other) = (side.bench.subject.project, other.bench.subject.project);
    let Some(twin) = other.class(project.fqn(constructor.ty)) else { return false };
    let said: Vec<&str> = of_other.ty(twin).annotations.iter().map(|one| one.simple()).collect();
    let takes_all = said.iter().any(|one| ["AllArgsConstructor", "Value"].contains(one));
    let takes_required = said.iter().any(|one| ["RequiredArgsConstructor", "Data"].contains(one));
    let has_own = of_other.members(twin).any(|member| of_other.member(member).kind == MemberKind::Constructor);
    if has_own || takes_all == takes_required {
        return false;
    }
    let fields = of_other.members(twin).map(|member| of_other.member(member)).filter(|facts| {
        let is_final = facts.modifiers.has(Modifiers::FINAL);
        let is_required = is_final || facts.annotations.iter().any(|one| one.simple() == "NonNull");
        facts.kind == MemberKind::Field
            && !facts.modifiers.has(Modifiers::STATIC)
            && !(facts.body.is_some() && is_final)
            && (takes_all || is_required && facts.body.is_none())
    });
    let params = &project.member(constructor).params;
    let Some(code) = side.bench.codes.code(constructor) else { return false };
    let Some(set) = assigned(&code).filter(|set| set.variables.is_empty() && set.fields.len() == params.len()) else {
        return false;
    };
    let fields: Vec<_> = fields.collect();
    let is_set = |(field, param): (&&MemberFacts, &Param)| {
        let value = set.fields.get(&field.name).map(|at| &code.body.expr(*at).kind);
        field.ty.as_ref() == Some(&param.ty)
            && matches!(value, Some(ExprKind::Name(name)) if name.as_str() == param.name)
    };
    fields.len() == params.len() && fields.iter().zip(params).all(is_set)
}

fn are_alike((old, was): (&Side<'_>, TypeId), (new, is): (&Side<'_>, TypeId), deep: usize) -> bool {
    let (Some(before), Some(after)) = (constructor(old, was), constructor(new, is)) else { return false };
    let (Some(set_before), Some(set_after)) = (assigned(&before), assigned(&after)) else { return false };
    let declared = |side: &Side<'_>, ty: TypeId, name: &str| {
        let project = side.bench.subject.project;
        let field = project.members(ty).find(|id| {
            let facts = project.member(*id);
            facts.kind == MemberKind::Field && facts.name == name
        });
        field.and_then(|id| project.member(id).ty.clone())
    };
    let forms = Forms { old, new, before: (&before, &set_before), after: (&after, &set_after) };
    let names: BTreeSet<&String> = set_before.fields.keys().chain(set_after.fields.keys()).collect();
    // A local variable that only one constructor has may hide a call that only this constructor makes.
    set_before.variables.keys().eq(set_after.variables.keys())
        && set_before.variables.keys().all(|name| forms.variables_alike(name, deep))
        && names.into_iter().all(|name| {
            let (a, b) = (declared(old, was, name), declared(new, is, name));
            let values = (set_before.fields.get(name), set_after.fields.get(name));
            match values {
                // A field that only one revision has, or with another type, is read by changed code.
                _ if a.is_none() || b.is_none() || a != b => {
                    values.0.is_none_or(|at| is_quiet(&before, *at)) && values.1.is_none_or(|at| is_quiet(&after, *at))
                }
                (Some(a), Some(b)) => forms.alike(*a, *b, deep),
                _ => false,
            }
        })
}

/// Whether evaluating an expression only reads values or creates objects of them.
fn is_quiet(code: &Code, at: ExprId) -> bool {
    match &code.body.expr(at).kind {
        ExprKind::Lit(_) | ExprKind::Name(_) | ExprKind::This(_) | ExprKind::ClassLit(_) => true,
        ExprKind::Field { target, .. } => is_quiet(code, *target),
        ExprKind::New { args, anonymous: None, .. } => args.iter().all(|arg| is_quiet(code, *arg)),
        _ => false,
    }
}

/// The only constructor of a class.
fn constructor(side: &Side<'_>, ty: TypeId) -> Option<Rc<Code>> {
    let project = side.bench.subject.project;
    let mut all = project.members(ty).filter(|id| project.member(*id).kind == MemberKind::Constructor);
    let only = all.next().filter(|_| all.next().is_none())?;
    side.bench.codes.code(only)
}

/// The expressions that a constructor assigns to fields and local variables, by name.
#[derive(Default)]
struct Assigned {
    fields: BTreeMap<String, ExprId>,
    variables: BTreeMap<String, ExprId>,
}

/// The assignments to fields and local variables in a constructor; `None` if it does anything else.
fn assigned(code: &Code) -> Option<Assigned> {
    let Some(Root::Stmt(root)) = code.body.root else { return None };
    let StmtKind::Block(all) = &code.body.stmt(root).kind else { return None };
    let mut found = Assigned::default();
    for stmt in all {
        let expr = match &code.body.stmt(*stmt).kind {
            StmtKind::Expr(expr) => *expr,
            StmtKind::Local(locals) => {
                for local in locals {
                    found.variables.insert(local.name.to_string(), local.init?);
                }
                continue;
            }
            _ => return None,
        };
        let ExprKind::Assign { op: None, target, value } = &code.body.expr(expr).kind else { return None };
        let name = match &code.body.expr(*target).kind {
            ExprKind::Field { target, name } if matches!(code.body.expr(*target).kind, ExprKind::This(None)) => name,
            ExprKind::Name(name) if matches!(code.links[target.0 as usize], Link::Field(_)) => name,
            _ => return None,
        };
        found.fields.insert(name.to_string(), *value);
    }
    Some(found)
}

/// Expressions of two constructors, for comparison.
struct Forms<'f> {
    old: &'f Side<'f>,
    new: &'f Side<'f>,
    before: (&'f Code, &'f Assigned),
    after: (&'f Code, &'f Assigned),
}

impl Forms<'_> {
    /// Whether a variable with this name has the same value in both.
    fn variables_alike(&self, name: &str, deep: usize) -> bool {
        match (self.before.1.variables.get(name), self.after.1.variables.get(name)) {
            (Some(a), Some(b)) => self.alike(*a, *b, deep),
            _ => false,
        }
    }

    /// Whether two expressions are equal, given parameters with the same names and types.
    fn alike(&self, a: ExprId, b: ExprId, deep: usize) -> bool {
        let (was, is) = (&self.before.0.body.expr(a).kind, &self.after.0.body.expr(b).kind);
        let all =
            |a: &[ExprId], b: &[ExprId]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.alike(*a, *b, deep));
        match (was, is) {
            (ExprKind::Lit(a), ExprKind::Lit(b)) => a == b,
            (ExprKind::This(a), ExprKind::This(b)) => a == b,
            (ExprKind::ClassLit(a), ExprKind::ClassLit(b)) => a == b,
            (ExprKind::Name(x), ExprKind::Name(y)) => {
                // Variables are compared where they are assigned.
                let is_variable = |one: &(&Code, &Assigned)| one.1.variables.contains_key(x.as_str());
                x == y && (is_variable(&self.before) && is_variable(&self.after) || self.means_alike(a, b))
            }
            (ExprKind::Field { target: s, name: x }, ExprKind::Field { target: t, name: y }) => {
                x == y && self.alike(*s, *t, deep)
            }
            (
                ExprKind::Call { target: s, name: x, args: p, .. },
                ExprKind::Call { target: t, name: y, args: q, .. },
            ) => {
                let on = match (s, t) {
                    (Some(s), Some(t)) => self.alike(*s, *t, deep),
                    (None, None) => true,
                    _ => false,
                };
                x == y && on && all(p, q)
            }
            (
                ExprKind::New { ty: x, args: p, anonymous: None, .. },
                ExprKind::New { ty: y, args: q, anonymous: None, .. },
            ) => x == y && (all(p, q) || deep > 0 && self.made_alike((a, p), (b, q), deep - 1)),
            _ => false,
        }
    }

    /// Whether two equal names mean the same: parameters of one type, or one constant.
    fn means_alike(&self, a: ExprId, b: ExprId) -> bool {
        let param = |side: &Side<'_>, code: &Code, place: u32| {
            let project = side.bench.subject.project;
            project.member(code.member).params.get(place as usize).map(|param| param.ty.clone())
        };
        let symbol = |side: &Side<'_>, member: MemberId| side.bench.subject.project.symbol(member).to_string();
        match (&self.before.0.links[a.0 as usize], &self.after.0.links[b.0 as usize]) {
            (Link::Local(s), Link::Local(t)) => {
                let (was, is) = (param(self.old, self.before.0, *s), param(self.new, self.after.0, *t));
                was.is_some() && was == is
            }
            (Link::Static(s) | Link::Field(s), Link::Static(t) | Link::Field(t)) => {
                symbol(self.old, *s) == symbol(self.new, *t)
            }
            (Link::Local(_) | Link::Static(_) | Link::Field(_), _) => false,
            (_, Link::Local(_) | Link::Static(_) | Link::Field(_)) => false,
            _ => true,
        }
    }

    /// Whether two objects of a wired class are created from the same arguments, comparing only the parameters that the
    /// constructors of both revisions have.
    fn made_alike(&self, (a, p): (ExprId, &[ExprId]), (b, q): (ExprId, &[ExprId]), deep: usize) -> bool {
        let (Link::New(was), Link::New(is)) = (&self.before.0.links[a.0 as usize], &self.after.0.links[b.0 as usize])
        else {
            return false;
        };
        let (Some(x), Some(y)) = (was.class.project(), is.class.project()) else { return false };
        let ([c], [d]) = (was.constructors.as_slice(), is.constructors.as_slice()) else { return false };
        let params = |side: &Side<'_>, member: MemberId| side.bench.subject.project.member(member).params.clone();
        let (of_old, of_new) = (params(self.old, *c), params(self.new, *d));
        let is_wired = handed(self.old).wired.contains(&x) && handed(self.new).wired.contains(&y);
        is_wired
            && (of_old.len(), of_new.len()) == (p.len(), q.len())
            && are_alike((self.old, x), (self.new, y), deep)
            && of_old.iter().zip(p).all(|(param, arg)| {
                let twin = of_new.iter().position(|other| other.name == param.name && other.ty == param.ty);
                twin.is_none_or(|at| self.alike(*arg, q[at], deep))
            })
    }
}
