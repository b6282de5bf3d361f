//! Reactive services: how WebFlux refuses inputs, and how the result of a publisher is written. The rules `reactive`
//! and `mutiny`.

use super::serve::Server;
use mastor_frameworks::Location;
use mastor_frameworks::record::Threads;
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::base::support::{Answer, Fail};
use mastor_java::interpret::library::frameworks::{mutiny, reactive, router_functions};
use mastor_java::interpret::paths::condition::Defect;
use mastor_java::interpret::values::scalar::{ClassRef, Prim};
use mastor_java::interpret::values::value::{Type, Value};

/// WebFlux's exception for a refused input.
const INPUT: &str = "org.springframework.web.server.ServerWebInputException";
const MISSING: &str = "org.springframework.web.server.MissingRequestValueException";

const DECODING: &str = "org.springframework.core.codec.DecodingException";
const MISMATCH: &str = "org.springframework.beans.TypeMismatchException";

impl Server<'_> {
    /// Whether WebFlux serves the operation.
    pub fn is_reactive(&self) -> bool {
        self.bench.surroundings.is_reactive
    }

    /// Throws WebFlux's exception for a defect of an input.
    pub fn refuse_reactively(
        &self,
        machine: &mut Machine<'_>,
        defect: &Defect,
        (location, message): (Location, Value),
    ) -> Stop {
        let missing = *defect == Defect::Missing && location != Location::Body;
        let class = if missing { MISSING } else { INPUT };
        let stop = machine.throw(class, message.clone());
        if let Stop::Throw(thrown) = &stop
            && let Some(id) = thrown.object
        {
            machine.object_mut(id).parts.insert("status", Value::int(400));
            machine.object_mut(id).parts.insert("reason", message.clone());
            let cause = match defect {
                Defect::Missing => return stop,
                Defect::Unreadable => machine.modelled(DECODING, &[("message", message)]),
                // The mismatch has a cause of its own, whose class depends on the type.
                Defect::NotA(_) => machine.modelled(MISMATCH, &[("message", message)]),
            };
            machine.object_mut(id).parts.insert("cause", cause);
        }
        stop
    }

    /// The result of a handler after its publishers ran.
    pub fn settle(&self, machine: &mut Machine<'_>, value: Value) -> Eval {
        if self.framework().threads != Threads::ByBuild && !self.framework().body.runs_publishers {
            return Ok(value);
        }
        let settled = self.run(machine, value)?;
        let held = match &settled {
            Value::Ref(id) => match &machine.object(*id).class {
                ClassRef::Library(fqn)
                    if router_functions::is_response(fqn)
                        || **fqn == *mastor_java::interpret::library::web::spring::ENTITY
                        || **fqn == *mastor_java::interpret::library::frameworks::micronaut::RESPONSE =>
                {
                    machine.object(*id).parts.get("body").cloned().map(|body| (*id, body))
                }
                _ => None,
            },
            _ => None,
        };
        if let Some((id, body)) = held
            && mutiny::is_publisher(machine, &body)
        {
            let body = self.run(machine, body)?;
            machine.object_mut(id).parts.insert("body", body);
        }
        Ok(settled)
    }

    fn run(&self, machine: &mut Machine<'_>, value: Value) -> Eval {
        let (answer, is_several): (Answer, bool) =
            match (reactive::class(machine, &value), mutiny::class(machine, &value)) {
                (Some(class), _) => {
                    machine.models.insert("reactive");
                    (reactive::run::settled(machine, &value), class == reactive::FLUX)
                }
                (None, Some(class)) => {
                    machine.models.insert("mutiny");
                    (mutiny::run::settled(machine, &value), class == mutiny::MULTI)
                }
                (None, None) => return Ok(value),
            };
        match answer {
            Ok(settled) => {
                // WebFlux and Quarkus REST concatenate texts.
                let is_text =
                    machine.given_items(&settled).is_some_and(|items| is_several && items.iter().any(text_like));
                if is_text {
                    return Ok(machine.unknown("texts of a publisher", Type::Unknown));
                }
                Ok(settled)
            }
            Err(Fail::Stop(stop)) => Err(stop),
            Err(Fail::Open(why)) => machine.unknown_call(&why, &[value], Type::Unknown),
        }
    }
}

fn text_like(value: &Value) -> bool {
    match value {
        Value::Scalar(scalar) => scalar.prim().is_none() || scalar.prim() == Some(Prim::Char),
        Value::Symbol(symbol) => symbol.ty == Type::Str,
        Value::Unknown(_) => true,
        _ => false,
    }
}
