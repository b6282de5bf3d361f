//! Validates parameters and bodies before a handler runs.

use super::constraint_validators::{self, ConstraintResult};
use super::constraints;
use crate::request::signature::{Slot, element};
use crate::server::serve::Server;
use mastor_frameworks::Location;
use mastor_frameworks::code::annotations;
use mastor_frameworks::code::inheritance::lineage;
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::frameworks::constraint_context::ViolationMessage;
use mastor_java::interpret::library::frameworks::validation_errors::{self, Violation};
use mastor_java::interpret::values::term::Input;
use mastor_java::interpret::values::value::{Kind, Type, Value};
use mastor_java::ir::facts::{Annotation, MemberKind};
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;

/// Maximum nesting depth of validated objects, since a symbolic body can be nested without end.
const NESTED: usize = 8;

impl Server<'_> {
    /// Checks the constraints on a parameter. The answer to a violation depends on versions and annotations, so only
    /// satisfying values are certain, unless a proxy validates the class and throws an exception.
    pub fn check_param(&self, machine: &mut Machine<'_>, slot: &Slot, value: &Value) -> Eval<()> {
        for annotation in &slot.constraints {
            let scope = self.bench.subject.endpoint.entry.ty;
            if constraints::is_constraint(machine.project, scope, annotation) != Some(true) {
                continue;
            }
            let label = slot.input.to_string();
            let said = self.judged(machine, (scope, annotation), &label, value)?;
            let holds = constraints::decided(machine, &said.violated)?;
            match self.thrown_by_proxy() {
                Some(exception) if holds => {
                    machine.exit = None;
                    let args: Vec<String> =
                        annotation.args.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
                    let message =
                        machine.said_by_framework(&format!("{label}: {} {}", annotation.simple(), args.join(" ")));
                    return Err(machine.throw(exception, message));
                }
                _ if holds => machine.doubt("what a constraint on a parameter answers is not modelled"),
                _ => {}
            }
        }
        Ok(())
    }

    /// The exception that a validating proxy throws for a violated parameter constraint, if the handler's class has
    /// one: by the record, or with `@Validated` on it or a supertype, and Spring Boot with an implementation of Bean Validation.
    fn thrown_by_proxy(&self) -> Option<&'static str> {
        const VALIDATED: &str = "org.springframework.validation.annotation.Validated";
        let subject = self.bench.subject;
        let (project, endpoint) = (subject.project, subject.endpoint);
        if self.checks_handlers() {
            return Some(self.framework().validation.violation);
        }
        let is_validated = lineage(project, endpoint.receiver)
            .into_iter()
            .any(|ty| annotations::has(project, ty, &project.ty(ty).annotations, &[VALIDATED]));
        let boot = subject.build.boot(&endpoint.file)?;
        let has_validator = subject.build.uses("spring-boot-starter-validation").is_some()
            || subject.build.uses("hibernate-validator").is_some();
        let adapts = subject.properties.all.iter().any(|one| one.key.contains("adapt-constraint-violations"));
        (is_validated && has_validator && !adapts && self.framework().validation.proxies).then_some(if boot >= (3, 0) {
            "jakarta.validation.ConstraintViolationException"
        } else {
            "javax.validation.ConstraintViolationException"
        })
    }

    /// Whether an artifact of the build checks the constraints of every handler.
    pub fn checks_handlers(&self) -> bool {
        let (build, near) = (self.bench.subject.build, &self.bench.subject.endpoint.file);
        self.framework().validation.checker.is_some_and(|artifact| build.uses_near(near, artifact))
    }

    /// Checks the constraints on the fields of a body, or of an object filled from parameters.
    pub fn validate_slot(&self, machine: &mut Machine<'_>, value: &Value, slot: &Slot) -> Eval<()> {
        match self.violations(machine, value, &slot.ty, "")?.as_slice() {
            [] => Ok(()),
            // For symbolic inputs only the first violation is searched for.
            [only] if self.case.is_some() && !only.is_told_by_code => Err(self.invalid(machine, slot, Some(only))),
            _ => Err(self.invalid(machine, slot, None)),
        }
    }

    /// The constraints that the fields of a value violate; for symbolic inputs only the first one.
    fn violations(&self, machine: &mut Machine<'_>, value: &Value, ty: &Type, label: &str) -> Eval<Vec<Violation>> {
        let mut found = Vec::new();
        let Some(id) = ty.project() else { return Ok(found) };
        if !matches!(value, Value::Ref(_)) {
            return Ok(found);
        }
        if label.matches(['.', '[']).count() >= NESTED {
            machine.doubt(&format!("constraints nested more than {NESTED} deep are not followed"));
            return Ok(found);
        }
        let members: Vec<_> = machine.project.members(id).collect();
        let project = machine.project;
        for annotation in &project.ty(id).annotations {
            if constraints::is_constraint(project, id, annotation) != Some(true) {
                continue;
            }
            let (name, whole) = (&project.ty(id).name, if label.is_empty() { "the body" } else { label });
            match constraint_validators::check_constraint(machine, (id, annotation), whole, value)? {
                Some(said) if constraints::decided(machine, &said.violated)? => {
                    found.push(told(said, violation(project, (id, annotation), label, value)));
                    if self.case.is_none() {
                        return Ok(found);
                    }
                }
                Some(_) => {}
                None => machine.doubt(&format!("@{} on {name} is not followed", annotation.simple())),
            }
        }
        for member in members {
            let facts = machine.project.member(member);
            if matches!(facts.kind, MemberKind::Method) && facts.params.is_empty() {
                // Constraints on getters.
                for annotation in &facts.annotations {
                    if constraints::is_constraint(machine.project, id, annotation) == Some(true) {
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
                .filter(|a| constraints::is_constraint(machine.project, id, a) == Some(true))
                .cloned()
                .collect();
            for annotation in facts.annotations.iter().chain(&facts.of_elements) {
                if constraints::may_constrain(machine.project, id, annotation) {
                    machine.doubt(&format!("whether @{} on {name} constrains it is not known", annotation.simple()));
                }
            }
            let is_valid = |annotations: &[Annotation]| annotations.iter().any(|one| one.simple() == "Valid");
            let cascades = is_valid(&facts.annotations) || is_valid(&facts.of_elements);
            let field_type = machine.field_type(member);
            let nested =
                field_type.project().is_some() || element(&field_type).is_some_and(|ty| ty.project().is_some());
            let of_elements: Vec<Annotation> = facts
                .of_elements
                .iter()
                .filter(|one| constraints::is_constraint(machine.project, id, one) == Some(true))
                .cloned()
                .collect();
            if constraints.is_empty() && !cascades && !nested && of_elements.is_empty() {
                continue;
            }
            // Of a list, each element; of other types with arguments, which argument an annotation is on is not followed.
            let is_of_each = element(&field_type).is_some()
                && facts.ty.as_ref().is_some_and(|ty| matches!(ty.args.as_slice(), [only] if only.args.is_empty()));
            let field = machine.read_member(value, member)?;
            for annotation in constraints {
                let said = self.judged(machine, (id, &annotation), &name, &field)?;
                if constraints::decided(machine, &said.violated)? {
                    found.push(told(said, violation(project, (id, &annotation), &name, &field)));
                    if self.case.is_none() {
                        return Ok(found);
                    }
                }
            }
            if !of_elements.is_empty() {
                let items = match &field {
                    Value::Ref(list) => match &machine.object(*list).kind {
                        Kind::List { items, .. } => Some(items.clone()),
                        _ => None,
                    },
                    _ => None,
                };
                match items.filter(|_| is_of_each) {
                    Some(items) => {
                        let found_in = self.of_items(machine, (id, &of_elements), (&name, &items))?;
                        found.extend(found_in);
                        if self.case.is_none() && !found.is_empty() {
                            return Ok(found);
                        }
                    }
                    None if field.is_null() => {}
                    None => machine.doubt(&format!("the constraints on what {name} holds are not followed")),
                }
            }
            if cascades && field_type.project().is_some() {
                found.extend(self.violations(machine, &field, &field_type, &name)?);
                if self.case.is_none() && !found.is_empty() {
                    return Ok(found);
                }
            }
            if let (Some(element_type), Value::Ref(list)) = (element(&field_type), &field)
                && element_type.project().is_some()
                && let Kind::List { items, .. } = &machine.object(*list).kind
            {
                let items = items.clone();
                for (index, item) in items.iter().enumerate() {
                    // `List<@Valid T>` and `@Valid List<T>` are treated alike: valid elements pass either way.
                    let of_item = self.violations(machine, item, &element_type, &format!("{name}[{index}]"))?;
                    if cascades {
                        found.extend(of_item);
                    } else if !of_item.is_empty() {
                        machine.doubt("whether elements of a list are validated is not known");
                    }
                    if self.case.is_none() && !found.is_empty() {
                        return Ok(found);
                    }
                    if item.is_null() {
                        machine.doubt("whether elements of a list are validated is not known");
                    }
                }
            }
        }
        Ok(found)
    }

    /// The constraints that elements of a list violate; for symbolic inputs only the first one.
    fn of_items(
        &self,
        machine: &mut Machine<'_>,
        (scope, on_each): (TypeId, &[Annotation]),
        (label, items): (&str, &[Value]),
    ) -> Eval<Vec<Violation>> {
        let mut found = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let name = format!("{label}[{index}]");
            for annotation in on_each {
                let said = self.judged(machine, (scope, annotation), &name, item)?;
                if constraints::decided(machine, &said.violated)? {
                    found.push(told(said, violation(machine.project, (scope, annotation), &name, item)));
                    if self.case.is_none() {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Checks a constraint on a field's value.
    fn judged(
        &self,
        machine: &mut Machine<'_>,
        (scope, annotation): (TypeId, &Annotation),
        label: &str,
        value: &Value,
    ) -> Eval<ConstraintResult> {
        Ok(match constraint_validators::check_constraint(machine, (scope, annotation), label, value)? {
            Some(said) => said,
            None => ConstraintResult::plain(constraints::violated(machine, (scope, annotation), label, value)?),
        })
    }

    /// Throws the framework's exception for an invalid body; it reports the violation if there is exactly one.
    fn invalid(&self, machine: &mut Machine<'_>, slot: &Slot, only: Option<&Violation>) -> Stop {
        if self.bench.subject.build.uses("validat").is_none() {
            machine.doubt("no implementation of Bean Validation is seen in the build");
        }
        machine.exit = None;
        if self.checks_handlers() {
            return machine.throw(self.framework().validation.violation, Value::NULL);
        }
        if !self.framework().validation.tells_fields {
            machine.doubt("what a violated constraint answers is not modelled");
            return machine.throw(self.framework().validation.violation, Value::NULL);
        }
        let class = match (self.is_reactive(), slot.location) {
            (true, _) => validation_errors::EXCHANGE,
            (false, Location::Body) => validation_errors::NOT_VALID,
            (false, _) => self.model_exception(machine),
        };
        self.thrown_with_errors(machine, class, &slot.ty, only)
    }

    /// Throws an exception that reports one violation, or leaves its list of errors open.
    pub fn thrown_with_errors(
        &self,
        machine: &mut Machine<'_>,
        class: &str,
        ty: &Type,
        only: Option<&Violation>,
    ) -> Stop {
        let message = machine.said_by_framework(&format!(
            "{}: {:?}",
            machine.type_name(ty),
            only.map(|one| (&one.field, &one.code))
        ));
        let stop = machine.throw(class, message);
        if let (true, Stop::Throw(thrown)) = (self.is_reactive(), &stop)
            && let Some(id) = thrown.object
        {
            machine.object_mut(id).parts.insert("status", Value::int(400));
        }
        let Stop::Throw(thrown) = &stop else { return stop };
        let Some(exception) = thrown.object else { return stop };
        let object = ty.project().map(|id| {
            let mut letters = machine.project.ty(id).name.chars();
            letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect::<String>()
        });
        match (only, object) {
            (Some(violation), Some(object)) => validation_errors::tell(machine, exception, &object, violation),
            (_, object) => validation_errors::leave_open(machine, exception, &object.unwrap_or_default()),
        }
        stop
    }
}

/// Adjusts a violation that a validator of the project reports itself.
fn told(said: ConstraintResult, violation: Violation) -> Violation {
    let code = said.part.unwrap_or_else(|| violation.code.clone());
    let violation = Violation { code, ..violation };
    match said.told {
        ViolationMessage::Default => violation,
        ViolationMessage::One(message) => Violation { message, ..violation },
        ViolationMessage::Open => Violation { is_told_by_code: true, ..violation },
    }
}

/// The reported violation of a field constraint, with the constraint's own message if that is plain text.
fn violation(project: &Project, (scope, annotation): (TypeId, &Annotation), field: &str, value: &Value) -> Violation {
    let declared = project.resolve(scope, &annotation.name).project().and_then(|ty| {
        let facts = project.ty(ty).members.iter().find(|facts| facts.name == "message")?;
        match facts.value.as_ref()? {
            mastor_java::ir::facts::Value::Str(text) => Some(text.as_str()),
            _ => None,
        }
    });
    let message =
        constraints::text_arg(annotation, "message").or(declared.filter(|_| annotation.arg("message").is_none()));
    let message = message.filter(|text| constraints::is_plain(text));
    Violation {
        field: field.to_owned(),
        code: annotation.simple().to_owned(),
        message: message.map(str::to_owned),
        rejected: value.clone(),
        is_told_by_code: false,
    }
}

/// The input of a body field's label.
pub fn body_input(name: &str) -> Input {
    Input::new(mastor_java::interpret::values::term::InputPlace::Body, name)
}
