//! Handlers of router functions: the request that they receive, and the answer to their exceptions. The rule
//! `router-functions`.

use super::serve::Server;
use crate::request::case::CaseBody;
use mastor_frameworks::{BoundParam, Location};
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::frameworks::router_functions::{self, Request, RequestBody};
use mastor_java::interpret::linking::code::{Code, Link};
use mastor_java::interpret::values::value::{Type, Value};
use mastor_java::ir::body::ExprId;

impl Server<'_> {
    /// The result of the handler of a functional route.
    pub fn handle_functional(&self, machine: &mut Machine<'_>) -> Eval {
        machine.models.insert("router-functions");
        let endpoint = self.bench.subject.endpoint;
        let is_context = |param: &&BoundParam| param.location == Location::Context;
        let own = endpoint.params.iter().find(is_context).map(|param| param.ty.clone());
        let ty = own.map_or(Type::Unknown, |ty| machine.type_of(endpoint.entry.ty, &ty));
        let fqn = ty.library().unwrap_or_default().to_owned();
        let given = match router_functions::is_request(&fqn) {
            Some(reactive) => {
                let request = self.read(machine, reactive)?;
                router_functions::request(machine, &fqn, request)
            }
            None => machine.unknown("the request is given by the framework", ty),
        };
        let this =
            if machine.is_static(endpoint.entry) { None } else { Some(Value::Ref(machine.bean(endpoint.receiver)?)) };
        if let Some(lambda) = endpoint.lambda {
            return self.handle_by_lambda(machine, lambda, this, given);
        }
        machine.invoke(endpoint.entry, this, vec![given])
    }

    /// The result of a handler lambda inside a route factory method, whose parameters the container injects.
    fn handle_by_lambda(&self, machine: &mut Machine<'_>, at: ExprId, this: Option<Value>, given: Value) -> Eval {
        let entry = self.bench.subject.endpoint.entry;
        let open = |machine: &mut Machine<'_>, why: &str| machine.unknown_call(why, &[], Type::Unknown);
        let Some(code) = machine.codes.code(entry) else { return open(machine, "a handler without a body") };
        let params = machine.project.member(entry).params.clone();
        if takes_locals(&code, at, params.len()) {
            return open(machine, "a handler that takes variables of the method around it");
        }
        let mut slots = vec![Value::NULL; code.locals.len().max(params.len())];
        for (place, param) in slots.iter_mut().zip(&params) {
            let ty = machine.type_of(entry.ty, &param.ty);
            *place = machine.injected(&ty, &param.name, &param.annotations)?;
        }
        machine.members.insert(entry);
        let made = machine.framed(code.clone(), this, slots, |machine| machine.eval(&code, at))?;
        match made {
            Value::Lambda(lambda) => machine.apply(&lambda, vec![given]),
            _ => open(machine, "a handler that is no lambda"),
        }
    }

    /// The request with everything that the handler may read from it.
    fn read(&self, machine: &mut Machine<'_>, reactive: bool) -> Eval<Request> {
        let mut request =
            Request { variables: Vec::new(), query: Vec::new(), headers: Vec::new(), body: RequestBody::Open };
        for slot in &self.bench.signature.slots {
            let name = slot.input.name.to_string();
            match slot.location {
                Location::Path => request.variables.push((name, self.bind(machine, slot)?)),
                Location::Query => request.query.push((name, self.bind(machine, slot)?)),
                Location::Header => request.headers.push((name.to_lowercase(), self.bind(machine, slot)?)),
                Location::Body => {
                    // For WebFlux a missing body is an empty publisher; Spring MVC checks the media type first.
                    if self.case.is_some_and(|case| case.body == CaseBody::None) {
                        request.body = if reactive { RequestBody::Nothing } else { RequestBody::Open };
                        continue;
                    }
                    request.body = match self.bind(machine, slot) {
                        Ok(value) => RequestBody::Read(value),
                        Err(Stop::Throw(thrown)) => match thrown.object {
                            Some(id) => RequestBody::Refused(Value::Ref(id)),
                            None => RequestBody::Open,
                        },
                        Err(cut) => return Err(cut),
                    };
                }
                _ => {}
            }
        }
        Ok(request)
    }
}

/// Whether a lambda captures local variables of the enclosing method. These are unknown here, since the method is not
/// run.
fn takes_locals(code: &Code, at: ExprId, params: usize) -> bool {
    let Link::Lambda(first, ..) = code.link(at) else { return true };
    let around = code.body.expr(at).span;
    let ids = (0..).map(ExprId).zip(&code.body.exprs);
    let mut inside = ids.filter(|(_, expr)| around.start <= expr.span.start && expr.span.end <= around.end);
    inside.any(|(id, _)| matches!(code.link(id), Link::Local(slot) if *slot as usize >= params && slot < first))
}
