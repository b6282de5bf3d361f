//! Handlers of router functions: the request that they are given, and when what they throw is followed. The rule `router-functions`.

use super::case::CaseBody;
use super::serve::Server;
use crate::frameworks::Location;
use crate::java::interpret::library::frameworks::router_functions::{self, Held, Request};
use crate::java::interpret::machine::{Eval, Machine, Stop};
use crate::java::interpret::value::{Type, Value};

impl Server<'_> {
    /// What the handler of a functional route gives.
    pub(super) fn handle_functional(&self, machine: &mut Machine<'_>) -> Eval {
        machine.models.insert("router-functions");
        let endpoint = self.bench.subject.endpoint;
        let own = machine.project.member(endpoint.entry).params.first().map(|param| param.ty.clone());
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
        machine.invoke(endpoint.entry, this, vec![given])
    }

    /// The request with what the handler may read of it.
    fn read(&self, machine: &mut Machine<'_>, reactive: bool) -> Eval<Request> {
        let mut request = Request { variables: Vec::new(), query: Vec::new(), headers: Vec::new(), body: Held::Open };
        for slot in &self.bench.signature.slots {
            let name = slot.input.name.to_string();
            match slot.location {
                Location::Path => request.variables.push((name, self.bind(machine, slot)?)),
                Location::Query => request.query.push((name, self.bind(machine, slot)?)),
                Location::Header => request.headers.push((name.to_lowercase(), self.bind(machine, slot)?)),
                Location::Body => {
                    // What is not sent is no element of a publisher; Spring MVC looks at the media type first.
                    if self.case.is_some_and(|case| case.body == CaseBody::None) {
                        request.body = if reactive { Held::Nothing } else { Held::Open };
                        continue;
                    }
                    request.body = match self.bind(machine, slot) {
                        Ok(value) => Held::Read(value),
                        Err(Stop::Throw(thrown)) => match thrown.object {
                            Some(id) => Held::Refused(Value::Ref(id)),
                            None => Held::Open,
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
