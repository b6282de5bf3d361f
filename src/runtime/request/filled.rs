//! Objects that the framework fills from parameters (`ModelAttributeMethodProcessor` of Spring, `@BeanParam` of
//! JAX-RS), for one request or symbolic inputs. The rule `model-attributes`.

use super::binding::type_name;
use super::paged;
use super::signature::Slot;
use super::slot::Part;
use crate::server::serve::Server;
use mastor_frameworks::record::Objects;
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::frameworks::validation_errors::{BIND, NOT_VALID};
use mastor_java::interpret::library::frameworks::{pages, sorts};
use mastor_java::interpret::paths::condition::{Cond, Defect};
use mastor_java::interpret::values::term::Term;
use mastor_java::interpret::values::value::{Type, Value};
use mastor_java::ir::facts::{MemberKind, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};

impl Server<'_> {
    /// Binds an object that the framework fills from parameters; `None` if that is not modelled.
    pub fn bind_model(&self, machine: &mut Machine<'_>, slot: &Slot) -> Option<Eval> {
        if slot.part != Some(Part::Whole) {
            return None;
        }
        let all = self.bench.signature.slots.iter();
        let parts: Vec<&Slot> = all.filter(|one| one.index == slot.index && one.is_part()).collect();
        Some(match slot.ty.project() {
            Some(_) if self.framework().binding.objects == Objects::Fields => self.inject(machine, slot, &parts),
            Some(id) => self.fill(machine, slot, id, &parts),
            None => self.page_of(machine, slot, &parts),
        })
    }

    fn page_of(&self, machine: &mut Machine<'_>, slot: &Slot, parts: &[&Slot]) -> Eval {
        machine.models.insert("pages");
        let Some(case) = self.case else {
            let number = |wanted: Part| {
                let part = parts.iter().find(|part| part.part == Some(wanted))?;
                Some(Value::symbol(Term::Input(part.input.clone()), part.ty.clone(), false))
            };
            return Ok(match number(Part::Page).zip(number(Part::Size)) {
                Some((page, size)) => pages::open_request(machine, page, size),
                None => Value::unknowable("how rows are to be sorted", slot.ty.clone()),
            });
        };
        let asked = paged::asked(self.bench.subject, slot, &case.params, parts);
        Ok(match asked {
            Some(request) if slot.ty.library() == Some(sorts::SORT) => sorts::of(machine, &request.order),
            Some(request) => pages::asked_for(machine, &request),
            None => {
                machine.doubt("how rows are to be sorted is not modelled");
                machine.unknown("which page is asked for", slot.ty.clone())
            }
        })
    }

    /// Creates a JAX-RS bean and injects its fields.
    fn inject(&self, machine: &mut Machine<'_>, slot: &Slot, parts: &[&Slot]) -> Eval {
        machine.models.insert("model-attributes");
        let made = machine.construct_type(&slot.ty, Vec::new())?;
        for part in parts {
            let Some(Part::Property(member)) = part.part else { continue };
            let value = self.bind(machine, part)?;
            machine.write_member(&made, member, value)?;
        }
        if slot.validated {
            self.validate_slot(machine, &made, slot)?;
        }
        Ok(made)
    }

    /// Creates a model attribute and sets its properties from the request.
    fn fill(&self, machine: &mut Machine<'_>, slot: &Slot, id: TypeId, parts: &[&Slot]) -> Eval {
        machine.models.insert("model-attributes");
        let mut values: Vec<(MemberId, Option<Value>)> = Vec::new();
        let mut is_refused = false;
        for part in parts {
            let Some(Part::Property(member)) = part.part else { continue };
            let value = match self.case {
                None => Some(self.open_part(machine, slot, part)?),
                Some(case) => match case.params.get(&part.input) {
                    None => None,
                    Some(text) => {
                        let value = self.read_text(machine, part, case, text)?;
                        // Null is not a value of a primitive.
                        let value = value.filter(|value| !value.is_null() || !matches!(part.ty, Type::Prim(_)));
                        is_refused |= value.is_none();
                        value
                    }
                },
            };
            values.push((member, value));
        }
        let made = match machine.project.ty(id).kind {
            TypeKind::Record => {
                let components = machine
                    .project
                    .members(id)
                    .filter(|member| machine.project.member(*member).kind == MemberKind::RecordComponent);
                let mut args = Vec::new();
                for component in components.collect::<Vec<MemberId>>() {
                    let given =
                        values.iter().find(|(member, _)| *member == component).and_then(|(_, value)| value.clone());
                    args.push(match (given, machine.field_type(component)) {
                        (Some(value), _) => value,
                        (None, Type::Prim(prim)) => {
                            machine.doubt("what a component becomes that is not sent is not known");
                            Value::Scalar(prim.zero())
                        }
                        (None, _) => Value::NULL,
                    });
                }
                let made = machine.construct_type(&slot.ty, args);
                if matches!(made, Err(Stop::Throw(_))) {
                    machine.doubt("what the constructor of a model attribute throws is not modelled");
                }
                made?
            }
            _ => {
                let made = machine.construct_type(&slot.ty, Vec::new())?;
                for (member, value) in values {
                    let Some(value) = value else { continue };
                    // An exception of a setter becomes a binding error of its property.
                    let depth = machine.frames.len();
                    match machine.set_property(&made, id, member, value) {
                        Err(Stop::Throw(_)) => {
                            machine.frames.truncate(depth);
                            is_refused = true;
                        }
                        set => drop(set?),
                    }
                }
                made
            }
        };
        if is_refused {
            return Err(self.refuse_model(machine, slot));
        }
        if slot.validated {
            self.validate_slot(machine, &made, slot)?;
        }
        Ok(made)
    }

    /// The value of a property for symbolic inputs.
    fn open_part(&self, machine: &mut Machine<'_>, slot: &Slot, part: &Slot) -> Eval {
        if let Some(typed) = type_name(machine, part)
            && machine.decide(Cond::Input(part.input.clone(), Defect::NotA(typed)), None)?
        {
            return Err(self.refuse_model(machine, slot));
        }
        let nullable = !matches!(part.ty, Type::Prim(_));
        Ok(Value::symbol(Term::Input(part.input.clone()), part.ty.clone(), nullable))
    }

    /// Throws the framework's exception for a model attribute with binding errors.
    fn refuse_model(&self, machine: &mut Machine<'_>, slot: &Slot) -> Stop {
        machine.exit = None;
        let class = self.model_exception(machine);
        self.thrown_with_errors(machine, class, &slot.ty, None)
    }

    /// The exception class for a model attribute with errors; since Spring 6 the same as for an invalid body.
    pub fn model_exception(&self, machine: &mut Machine<'_>) -> &'static str {
        let subject = self.bench.subject;
        match subject.build.boot(&subject.endpoint.file) {
            Some((..3, _)) => BIND,
            Some(_) => NOT_VALID,
            None => {
                machine.doubt("which exception a model attribute with errors causes is not known");
                NOT_VALID
            }
        }
    }
}
