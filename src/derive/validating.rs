//! Validating: the constraints of parameters and bodies, before a handler runs.

use super::serve::Server;
use super::signature::{Slot, element};
use super::validation;
use crate::java::facts::MemberKind;
use crate::java::interpret::machine::{Eval, Machine, Stop};
use crate::java::interpret::scalar::Scalar;
use crate::java::interpret::term::Input;
use crate::java::interpret::value::{Kind, Type, Value};

impl Server<'_> {
    /// Constraints on a parameter: what a violation answers depends on versions and annotations, so only values that satisfy them are certain.
    pub(super) fn check_param(&self, machine: &mut Machine<'_>, slot: &Slot, value: &Value) -> Eval<()> {
        for annotation in &slot.constraints {
            if validation::is_constraint(machine.project, self.bench.subject.endpoint.entry.ty, annotation)
                != Some(true)
            {
                continue;
            }
            let violated = validation::violated(machine, annotation, &slot.input.to_string(), value)?;
            let holds = match violated {
                Value::Scalar(Scalar::Bool(value)) => value,
                Value::Cond(cond) => machine.decide((*cond).clone(), None)?,
                _ => true,
            };
            if holds {
                machine.doubt("what a constraint on a parameter answers is not modelled");
            }
        }
        Ok(())
    }

    /// The constraints on the fields of a value.
    pub(super) fn validate(&self, machine: &mut Machine<'_>, value: &Value, ty: &Type, label: &str) -> Eval<()> {
        let Some(id) = ty.project() else { return Ok(()) };
        if !matches!(value, Value::Ref(_)) {
            return Ok(());
        }
        let present = self.bench.subject.build.uses("validat").is_some();
        let members: Vec<_> = machine.project.members(id).collect();
        for annotation in &machine.project.ty(id).annotations {
            if validation::is_constraint(machine.project, id, annotation) == Some(true) {
                machine.doubt(&format!("@{} on {} is not followed", annotation.simple(), machine.project.ty(id).name));
            }
        }
        let mut violated_any = false;
        for member in members {
            let facts = machine.project.member(member);
            if matches!(facts.kind, MemberKind::Method) && facts.params.is_empty() {
                // Constraints on getters.
                for annotation in &facts.annotations {
                    if validation::is_constraint(machine.project, id, annotation) == Some(true) {
                        machine.doubt(&format!("@{} on {} is not followed", annotation.simple(), facts.name));
                    }
                }
            }
            if !matches!(facts.kind, MemberKind::Field | MemberKind::RecordComponent) {
                continue;
            }
            let name = if label.is_empty() { facts.name.clone() } else { format!("{label}.{}", facts.name) };
            let constraints: Vec<_> = facts
                .annotations
                .iter()
                .filter(|a| validation::is_constraint(machine.project, id, a) == Some(true))
                .cloned()
                .collect();
            let cascades = facts.annotations.iter().any(|a| a.simple() == "Valid");
            let field_type = machine.field_type(member);
            let nested =
                field_type.project().is_some() || element(&field_type).is_some_and(|ty| ty.project().is_some());
            if constraints.is_empty() && !cascades && !nested {
                continue;
            }
            let field = machine.read_member(value, member)?;
            for annotation in constraints {
                let violated = validation::violated(machine, &annotation, &name, &field)?;
                let holds = match violated {
                    Value::Scalar(Scalar::Bool(value)) => value,
                    Value::Cond(cond) => machine.decide((*cond).clone(), None)?,
                    _ => false,
                };
                if holds {
                    if self.case.is_none() {
                        return Err(self.invalid(machine, present));
                    }
                    violated_any = true;
                }
            }
            if cascades && field_type.project().is_some() {
                self.validate(machine, &field, &field_type, &name)?;
            }
            if let (Some(element_type), Value::Ref(list)) = (element(&field_type), &field)
                && element_type.project().is_some()
                && let Kind::List { items, .. } = &machine.object(*list).kind
            {
                let items = items.clone();
                for (index, item) in items.iter().enumerate() {
                    // `List<@Valid T>` and `@Valid List<T>` are not told apart here: elements that satisfy their constraints pass either way.
                    let before = machine.exit;
                    match self.validate(machine, item, &element_type, &format!("{name}[{index}]")) {
                        Ok(()) => {}
                        Err(Stop::Throw(_)) => {
                            machine.exit = before;
                            if cascades {
                                violated_any = true;
                            } else {
                                machine.doubt("whether elements of a list are validated is not known");
                            }
                        }
                        Err(cut) => return Err(cut),
                    }
                    if item.is_null() {
                        machine.doubt("whether elements of a list are validated is not known");
                    }
                }
            }
        }
        if violated_any {
            return Err(self.invalid(machine, present));
        }
        Ok(())
    }

    fn invalid(&self, machine: &mut Machine<'_>, present: bool) -> Stop {
        if !present {
            machine.doubt("no implementation of Bean Validation is seen in the build");
        }
        machine.exit = None;
        if self.is_jax_rs() {
            machine.doubt("what a violated constraint answers is not modelled");
            return machine.throw("jakarta.validation.ConstraintViolationException", Value::NULL);
        }
        machine.throw(
            "org.springframework.web.bind.MethodArgumentNotValidException",
            Value::unknown("message of the framework", Type::Str),
        )
    }
}

/// The input that a label of the body stands for.
pub fn body_input(name: &str) -> Input {
    Input::new(crate::java::interpret::term::Place::Body, name)
}
