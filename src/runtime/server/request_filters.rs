//! Runs JAX-RS request filters before the resource method's parameters are bound. The rule `jax-rs-filters`.

use super::filters::{method, package};
use super::respond::returned;
use super::serve::Server;
use crate::body::shape::Answer;
use mastor_frameworks::jax_rs::filters::{Registered, RequestFilter};
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::frameworks::container::{self, FilterOutcome, Resource};
use mastor_java::interpret::values::value::Value;

const RULE: &str = "jax-rs-filters";

impl Server<'_> {
    /// Runs the JAX-RS request filters; returns an answer if one of them aborts the request.
    pub fn request_filters(&self, machine: &mut Machine<'_>) -> Eval<Option<Answer>> {
        for filter in &self.bench.surroundings.request_filters {
            if let Some(answer) = self.one_request_filter(machine, filter)? {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    fn one_request_filter(&self, machine: &mut Machine<'_>, filter: &RequestFilter) -> Eval<Option<Answer>> {
        let (project, endpoint) = (self.bench.subject.project, self.bench.subject.endpoint);
        let name = &project.ty(filter.ty).name;
        let own = method(machine, filter.ty, "filter", 1);
        let (Some(own), Some(runs)) = (own, filter.runs_for(project, endpoint.entry, endpoint.receiver)) else {
            machine.presume(&format!("a request filter: {name}"));
            return Ok(None);
        };
        if !runs {
            return Ok(None);
        }
        machine.models.insert(RULE);
        let like = package(machine, own);
        let (request, _) = self.exchange(machine, &like);
        let chosen = Resource { method: endpoint.entry, class: endpoint.receiver };
        container::choose(machine, request, (!filter.is_early).then_some(chosen));
        let context = container::context(machine, &like, request);
        // A filter that passes the request on contributes nothing, so its members and effects are discarded.
        let (members, effects) = (machine.members.clone(), machine.effects.len());
        let this = Value::Ref(machine.bean(filter.ty)?);
        let ran = machine.invoke(own, Some(this), vec![Value::Ref(context)]);
        machine.exit = None;
        let answer = match (ran, container::left(machine, context)) {
            (Ok(_), FilterOutcome::Passed) => {
                machine.members = members;
                machine.effects.truncate(effects);
                return Ok(None);
            }
            (Ok(_), FilterOutcome::Open) => {
                machine.presume(&format!("a request filter: {name}"));
                return Ok(None);
            }
            (Ok(_), FilterOutcome::Aborted(response)) => returned(machine, self.bench, &response, own, None)?,
            (Err(Stop::Throw(thrown)), _) => {
                machine.frames.clear();
                machine.catching = 0;
                self.thrown(machine, &thrown)?
            }
            (Err(cut), _) => return Err(cut),
        };
        if filter.registered == Registered::Open {
            machine.presume(&format!("whether the request filter {name} is registered"));
        }
        Ok(Some(answer))
    }
}
