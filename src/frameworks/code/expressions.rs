//! Queries on lowered bodies: the parts of an expression, and its constant string value.

use mastor_java::ir::body::{BinaryOp, Body, ExprId, ExprKind, LambdaBody, Lit, StmtId, StmtKind, SwitchArm};
use mastor_java::ir::constant::Constant;
use mastor_java::ir::facts::Value;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// The direct subexpressions, with the body of a lambda that is an expression. Block bodies of lambdas and arms of
/// switches are left out.
pub fn children(body: &Body, at: ExprId) -> Vec<ExprId> {
    match &body.expr(at).kind {
        ExprKind::Field { target, .. } => vec![*target],
        ExprKind::Index { target, index } => vec![*target, *index],
        ExprKind::Call { target, args, .. } => target.iter().chain(args).copied().collect(),
        ExprKind::New { outer, args, .. } => outer.iter().chain(args).copied().collect(),
        ExprKind::NewArray { lengths, init, .. } => lengths.iter().chain(init).copied().collect(),
        ExprKind::ArrayInit(items) => items.clone(),
        ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } | ExprKind::InstanceOf { operand, .. } => {
            vec![*operand]
        }
        ExprKind::Binary { left, right, .. } => vec![*left, *right],
        ExprKind::Assign { target, value, .. } => vec![*target, *value],
        ExprKind::IncDec { target, .. } => vec![*target],
        ExprKind::Conditional { condition, then, otherwise } => vec![*condition, *then, *otherwise],
        ExprKind::MethodRef { target, .. } => target.iter().copied().collect(),
        ExprKind::Switch { selector, .. } => vec![*selector],
        ExprKind::Lambda { body: LambdaBody::Expr(inner), .. } => vec![*inner],
        _ => Vec::new(),
    }
}

/// An expression and all of its subexpressions, outer ones first, including expression bodies of lambdas.
pub fn below(body: &Body, at: ExprId) -> Vec<ExprId> {
    let mut all = vec![at];
    let mut next = 0;
    while let Some(id) = all.get(next).copied() {
        all.extend(children(body, id));
        next += 1;
    }
    all
}

/// The name of the method that an expression calls.
pub fn called(body: &Body, at: ExprId) -> Option<String> {
    match &body.expr(at).kind {
        ExprKind::Call { name, .. } => Some(name.to_string()),
        _ => None,
    }
}

/// The statements directly inside a statement.
pub fn inner(body: &Body, at: StmtId) -> Vec<StmtId> {
    let arms = |arms: &[SwitchArm]| arms.iter().flat_map(|arm| arm.body.clone()).collect::<Vec<_>>();
    match &body.stmt(at).kind {
        StmtKind::Block(all) => all.clone(),
        StmtKind::If { then, otherwise, .. } => std::iter::once(*then).chain(*otherwise).collect(),
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::ForEach { body, .. } => vec![*body],
        StmtKind::For { init, body, .. } => init.iter().copied().chain([*body]).collect(),
        StmtKind::Try { resources, body, catches, finally } => {
            resources.iter().copied().chain([*body]).chain(catches.iter().map(|one| one.body)).chain(*finally).collect()
        }
        StmtKind::Switch { arms: all, .. } => arms(all),
        StmtKind::Labeled { body, .. } | StmtKind::Synchronized { body, .. } => vec![*body],
        _ => Vec::new(),
    }
}

/// The expressions directly inside a statement.
pub fn held(body: &Body, at: StmtId) -> Vec<ExprId> {
    match &body.stmt(at).kind {
        StmtKind::Local(locals) => locals.iter().filter_map(|local| local.init).collect(),
        StmtKind::Expr(expr) | StmtKind::Throw(expr) | StmtKind::Yield(expr) => vec![*expr],
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } => {
            vec![*condition]
        }
        StmtKind::For { condition, update, .. } => condition.iter().chain(update).copied().collect(),
        StmtKind::ForEach { items, .. } => vec![*items],
        StmtKind::Return(value) => value.iter().copied().collect(),
        StmtKind::Switch { selector, .. } => vec![*selector],
        StmtKind::Synchronized { lock, .. } => vec![*lock],
        StmtKind::ConstructorCall { args, .. } => args.clone(),
        _ => Vec::new(),
    }
}

/// The constant string value of an expression, with the constants that it depends on. Handles literals, constants,
/// their concatenation, and locals that are set once.
pub fn string_of(project: &Project, scope: TypeId, body: &Body, at: ExprId) -> Option<(String, Vec<MemberId>)> {
    let value = value_of(body, at, 0)?;
    let evaluated = project.eval(scope, &value);
    match evaluated.value {
        Constant::Str(text) => Some((text, evaluated.used)),
        Constant::Char(unit) => Some((String::from_utf16_lossy(&[unit]), evaluated.used)),
        _ => None,
    }
}

/// The expression as a constant expression, if it has the form of one.
fn value_of(body: &Body, at: ExprId, depth: u32) -> Option<Value> {
    if depth > 32 {
        return None;
    }
    Some(match &body.expr(at).kind {
        ExprKind::Lit(Lit::Str(text)) => Value::Str(text.clone()),
        ExprKind::Lit(Lit::Char(unit)) => Value::Char(*unit),
        ExprKind::Lit(Lit::Int(number)) => Value::Int(i64::from(*number)),
        ExprKind::Lit(Lit::Long(number)) => Value::Int(*number),
        ExprKind::Name(name) => match local(body, name) {
            Some(init) => value_of(body, init, depth + 1)?,
            None => Value::Name(name.to_string()),
        },
        ExprKind::Field { .. } => Value::Name(dotted(body, at)?),
        ExprKind::Binary { op: BinaryOp::Add, left, right } => Value::Binary(
            "+".to_owned(),
            Box::new(value_of(body, *left, depth + 1)?),
            Box::new(value_of(body, *right, depth + 1)?),
        ),
        _ => return None,
    })
}

/// `a.b.c` as text.
pub fn dotted(body: &Body, at: ExprId) -> Option<String> {
    match &body.expr(at).kind {
        ExprKind::Name(name) => Some(name.to_string()),
        ExprKind::Field { target, name } => match &body.expr(*target).kind {
            ExprKind::This(_) => Some(name.to_string()),
            _ => Some(format!("{}.{name}", dotted(body, *target)?)),
        },
        _ => None,
    }
}

/// The initialiser of a local variable that is declared once and never assigned.
pub fn local(body: &Body, name: &str) -> Option<ExprId> {
    let mut found = None;
    for stmt in &body.stmts {
        if let StmtKind::Local(locals) = &stmt.kind {
            for local in locals.iter().filter(|local| local.name == name) {
                if found.is_some() {
                    return None;
                }
                found = Some(local.init?);
            }
        }
    }
    let assigned = body.exprs.iter().any(|expr| match &expr.kind {
        ExprKind::Assign { target, .. } => matches!(&body.expr(*target).kind, ExprKind::Name(other) if other == name),
        _ => false,
    });
    found.filter(|_| !assigned)
}

/// The declared type of a name in a member: a local, a parameter, or a field of the type, an enclosing type or a
/// supertype.
pub fn declared_type(
    project: &Project,
    member: MemberId,
    body: &Body,
    name: &str,
) -> Option<(mastor_java::ir::facts::TypeRef, TypeId)> {
    for stmt in &body.stmts {
        if let StmtKind::Local(locals) = &stmt.kind {
            for local in locals.iter().filter(|local| local.name == name) {
                if local.ty.name != "var" {
                    return Some((local.ty.clone(), member.ty));
                }
                if let Some(ExprKind::New { ty, .. }) = local.init.map(|init| &body.expr(init).kind) {
                    return Some((ty.clone(), member.ty));
                }
            }
        }
    }
    if let Some(param) = project.member(member).params.iter().find(|param| param.name == name) {
        return Some((param.ty.clone(), member.ty));
    }
    field(project, member.ty, name).and_then(|field| Some((project.member(field).ty.clone()?, field.ty)))
}

/// The field of this name that is visible in a type: its own, inherited, or of an enclosing type.
pub fn field(project: &Project, ty: TypeId, name: &str) -> Option<MemberId> {
    use mastor_java::ir::facts::MemberKind;
    let mut around = Some(ty);
    while let Some(scope) = around {
        for above in super::inheritance::lineage(project, scope) {
            let found = project.members(above).find(|member| {
                let facts = project.member(*member);
                facts.name == name
                    && matches!(facts.kind, MemberKind::Field | MemberKind::RecordComponent | MemberKind::EnumConstant)
            });
            if found.is_some() {
                return found;
            }
        }
        around = project.outer(scope);
    }
    None
}
