//! Constraints that the project declares (Bean Validation 3.0, §3): evaluates their composing constraints, and runs
//! their validators on the value. The rule `constraint-validators`.

use super::constraints;
use crate::server::filters::{method, package_of};
use mastor_java::interpret::classes::objects::has;
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::frameworks::annotated;
use mastor_java::interpret::library::frameworks::constraint_context::{self, ViolationMessage};
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::state::beans::INJECTED;
use mastor_java::interpret::values::scalar::{ClassRef, Scalar};
use mastor_java::interpret::values::value::{Type, Value};
use mastor_java::ir::body::UnaryOp;
use mastor_java::ir::facts::{Annotation, MemberKind, Value as Arg};
use mastor_java::ir::ids::TypeId;
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

const RULE: &str = "constraint-validators";
/// Maximum depth of composed constraints.
const DEEPEST: usize = 4;

/// The result of checking one constraint on a value.
#[derive(Debug, Clone)]
pub struct ConstraintResult {
    /// Whether the value violates it, as a boolean value.
    pub violated: Value,
    /// How the violation is reported.
    pub told: ViolationMessage,
    /// Simple name of the composing constraint that reports the violation, if one does.
    pub part: Option<String>,
}

/// Checks a value against a constraint of the project; `None` for any other annotation, or if the check is not
/// modelled.
///
/// # Errors
/// The machine's stop, including exceptions of a validator, which Bean Validation wraps.
pub fn check_constraint(
    machine: &mut Machine<'_>,
    (scope, annotation): (TypeId, &Annotation),
    label: &str,
    value: &Value,
) -> Eval<Option<ConstraintResult>> {
    judge(machine, (scope, annotation), label, value, DEEPEST)
}

fn judge(
    machine: &mut Machine<'_>,
    (scope, annotation): (TypeId, &Annotation),
    label: &str,
    value: &Value,
    depth: usize,
) -> Eval<Option<ConstraintResult>> {
    let project = machine.project;
    let Some(ty) = project.resolve(scope, &annotation.name).project() else { return Ok(None) };
    let facts = project.ty(ty);
    let Some(constraint) = facts.annotations.iter().find(|own| own.simple() == "Constraint") else { return Ok(None) };
    let overrides = |member: &mastor_java::ir::facts::MemberFacts| has(&member.annotations, &["OverridesAttribute"]);
    // Validation groups are not modelled.
    let is_grouped = annotation.arg("groups").is_some();
    if is_grouped || depth == 0 || facts.members.iter().any(overrides) {
        return Ok(None);
    }
    let Some(validators) = validators(project, ty, constraint.arg("validatedBy")) else { return Ok(None) };
    let composed: Vec<&Annotation> =
        facts.annotations.iter().filter(|own| constraints::is_constraint(project, ty, own) == Some(true)).collect();
    let unsure = |own: &Annotation| constraints::may_constrain(project, ty, own) && !is_meta(own);
    if facts.annotations.iter().any(unsure) || validators.is_empty() && composed.is_empty() {
        return Ok(None);
    }
    let is_single = has(&facts.annotations, &["ReportAsSingleViolation"]);
    let mut found: Option<ConstraintResult> = None;
    for part in composed {
        let of_part = match judge(machine, (ty, part), label, value, depth - 1)? {
            Some(of_part) => of_part,
            None if project.resolve(ty, &part.name).project().is_some() => return Ok(None),
            None => ConstraintResult::plain(constraints::violated(machine, (ty, part), label, value)?),
        };
        match &mut found {
            None if constraints::decided(machine, &of_part.violated)? => found = Some(told_by(part, of_part)),
            None => {}
            // A second violated constraint reports a violation of its own, so the report is open.
            Some(found) if !is_false(&of_part.violated) => found.told = ViolationMessage::Open,
            Some(_) => {}
        }
    }
    machine.models.insert(RULE);
    if let Some(found) = found {
        return Ok(Some(match (is_single, validators.is_empty()) {
            (true, _) => ConstraintResult { told: ViolationMessage::Default, part: None, ..found },
            (false, true) => found,
            (false, false) => ConstraintResult { told: ViolationMessage::Open, ..found },
        }));
    }
    if validators.is_empty() {
        return Ok(Some(ConstraintResult::plain(Value::bool(false))));
    }
    let Some(validator) = chosen(machine, &validators, value) else { return Ok(None) };
    let Some(mut said) = run(machine, validator, (ty, scope), annotation, value)? else { return Ok(None) };
    if let Value::Unknown(unknown) = &said.violated {
        let text = format!("{label} violates @{}", annotation.simple());
        let why = unknown.reasons.first().cloned().unwrap_or_else(|| "a constraint that is not followed".into());
        said.violated = Value::cond(Cond::Unknown(text.as_str().into(), why));
    }
    Ok(Some(said))
}

impl ConstraintResult {
    /// A result that is reported in the default way.
    pub fn plain(violated: Value) -> Self {
        Self { violated, told: ViolationMessage::Default, part: None }
    }
}

fn is_false(value: &Value) -> bool {
    matches!(value, Value::Scalar(Scalar::Bool(false)))
}

/// A violation that a composing constraint reports: its own message if it is plain text, since library messages
/// depend on the locale.
fn told_by(part: &Annotation, said: ConstraintResult) -> ConstraintResult {
    let told = match said.told {
        ViolationMessage::Default => ViolationMessage::One(constraints::plain_message(part).map(str::to_owned)),
        other => other,
    };
    ConstraintResult {
        violated: Value::bool(true),
        told,
        part: Some(said.part.unwrap_or_else(|| part.simple().to_owned())),
    }
}

/// Annotations of the language and of Bean Validation on a constraint type that do not constrain values.
fn is_meta(annotation: &Annotation) -> bool {
    matches!(
        annotation.simple(),
        "Constraint"
            | "Target"
            | "Retention"
            | "Documented"
            | "Inherited"
            | "Repeatable"
            | "ReportAsSingleViolation"
            | "SupportedValidationTarget"
    )
}

/// The project classes in a constraint's `validatedBy`; `None` if one of them belongs to a library.
fn validators(project: &Project, ty: TypeId, named: Option<&Arg>) -> Option<Vec<TypeId>> {
    match named {
        None => Some(Vec::new()),
        Some(Arg::Class(class)) => Some(vec![project.resolve(ty, &class.name).project()?]),
        Some(Arg::Array(items)) => {
            let of = |item: &Arg| match item {
                Arg::Class(class) => project.resolve(ty, &class.name).project(),
                _ => None,
            };
            items.iter().map(of).collect()
        }
        Some(_) => None,
    }
}

/// The validator for a value: the only one, or the one for exactly its class.
fn chosen(machine: &Machine<'_>, validators: &[TypeId], value: &Value) -> Option<TypeId> {
    if let [only] = validators {
        return Some(*only);
    }
    let class = match value {
        Value::Scalar(Scalar::Str(_)) => "java.lang.String".to_owned(),
        Value::Scalar(scalar) => format!("java.lang.{}", scalar.prim()?.box_name()),
        Value::Ref(id) => match &machine.object(*id).class {
            ClassRef::Library(fqn) => fqn.to_string(),
            ClassRef::Project(ty) => machine.project.fqn(*ty).to_owned(),
        },
        _ => return None,
    };
    let is_for = |ty: &&TypeId| {
        let of = machine.project.supers(**ty).iter().find(|one| one.args.len() == 2)?;
        Some(match machine.project.resolve(**ty, &of.args[1].name) {
            Named::Library(fqn) => fqn == class,
            Named::Project(id) => machine.project.fqn(id) == class,
            _ => false,
        })
    };
    validators.iter().find(|ty| is_for(ty) == Some(true)).copied()
}

/// Creates a validator, initialises it with the constraint, and calls `isValid`.
fn run(
    machine: &mut Machine<'_>,
    validator: TypeId,
    (constraint, scope): (TypeId, TypeId),
    annotation: &Annotation,
    value: &Value,
) -> Eval<Option<ConstraintResult>> {
    let Some(asks) = method(machine, validator, "isValid", 2) else { return Ok(None) };
    let like = package_of(machine, asks, 1);
    let ran = (|| -> Eval<(Value, Value)> {
        let this = made(machine, validator)?;
        if let Some(starts) = method(machine, validator, "initialize", 1) {
            let shown = annotated::instance(machine, (constraint, scope), annotation);
            machine.invoke(starts, Some(this.clone()), vec![shown])?;
        }
        let context = constraint_context::made(machine, &like);
        let valid = machine.invoke(asks, Some(this), vec![value.clone(), context.clone()])?;
        Ok((valid, context))
    })();
    machine.exit = None;
    match ran {
        Ok((valid, context)) => {
            let violated = machine.unary(UnaryOp::Not, valid)?;
            Ok(Some(ConstraintResult { violated, told: constraint_context::told(machine, &context), part: None }))
        }
        Err(Stop::Throw(thrown)) => {
            machine.frames.clear();
            machine.catching = 0;
            let package = if like.starts_with("jakarta.") { "jakarta" } else { "javax" };
            let cause = thrown.object.map_or(Value::NULL, Value::Ref);
            let stop = machine.throw(&format!("{package}.validation.ValidationException"), Value::NULL);
            if let Stop::Throw(wrapped) = &stop
                && let Some(id) = wrapped.object
            {
                machine.object_mut(id).parts.insert("cause", cause);
            }
            Err(stop)
        }
        Err(cut) => Err(cut),
    }
}

/// Creates a validator: by the container if it has injected members, else by its constructor without parameters.
fn made(machine: &mut Machine<'_>, validator: TypeId) -> Eval {
    let project = machine.project;
    let mut constructors = Vec::new();
    let mut is_filled = false;
    for member in project.members(validator) {
        let facts = project.member(member);
        match facts.kind {
            MemberKind::Constructor => {
                is_filled |= !facts.params.is_empty();
                constructors.push(member);
            }
            MemberKind::Field => is_filled |= has(&facts.annotations, INJECTED),
            _ => {}
        }
    }
    let lombok = has(&project.ty(validator).annotations, &["RequiredArgsConstructor", "AllArgsConstructor"]);
    if is_filled || lombok {
        return Ok(Value::Ref(machine.bean(validator)?));
    }
    machine.construct_by(&Type::Class(ClassRef::Project(validator), Vec::new()), &constructors, Vec::new(), None)
}
