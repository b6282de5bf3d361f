//! Serving: runs one request through binding, validation, handler and exception handling on the interpreter.

use std::cell::RefCell;

use super::respond;
use crate::app::wiring::Container;
use crate::bench::Bench;
use crate::body::shape::Answer;
use crate::request::case::Case;
use mastor_frameworks::record::Serving;
use mastor_frameworks::spring::reads::is_followed;
use mastor_frameworks::spring::security::Caller;
use mastor_frameworks::{Framework, Location};
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::library::functions::optional;
use mastor_java::interpret::paths::path::{Exploration, Path};
use mastor_java::interpret::values::value::Value;
use mastor_java::interpret::{Bounds, Context, explore};

/// One path through an operation with its answer.
#[derive(Debug, Clone)]
pub struct Served {
    /// The path.
    pub path: Path,
    /// The answer.
    pub answer: Answer,
}

impl Served {
    /// Whether the answer's status is certain for every request on this path.
    pub fn is_certain(&self) -> bool {
        self.path.is_certain() && self.answer.status.is_some()
    }
}

/// All paths of one run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The paths.
    pub served: Vec<Served>,
    /// Whether there are no other paths.
    pub complete: bool,
}

impl Bench<'_> {
    /// Runs the operation on symbolic inputs.
    pub fn open(&self) -> Run {
        self.run(None, Bounds { steps: 40_000, total_steps: 800_000, ..Bounds::default() })
    }

    /// Runs the operation on one concrete request.
    pub fn try_case(&self, case: &Case) -> Run {
        self.try_within(case, 200_000)
    }

    /// Runs the operation on one concrete request, within this number of steps.
    pub fn try_within(&self, case: &Case, steps: u64) -> Run {
        let run =
            self.run(Some(case), Bounds { paths: 24, forks: 16, steps, total_steps: steps * 2, ..Bounds::default() });
        let steps: u64 = run.served.iter().map(|served| served.path.steps).sum();
        self.spent.set(self.spent.get() + steps);
        run
    }

    fn run(&self, case: Option<&Case>, bounds: Bounds) -> Run {
        // With symbolic inputs, the content of the stores is open.
        let container = Container::of(*self.subject, case.is_some(), &self.injected);
        let cx = Context { codes: &self.codes, wiring: &container, bounds, follows: None };
        let answers: RefCell<Vec<Answer>> = RefCell::new(Vec::new());
        let Exploration { paths, complete } = explore(&cx, |machine| {
            for doubt in &self.surroundings.doubts {
                match self.surroundings.is_served {
                    true => machine.presume(doubt),
                    false => machine.doubt(doubt),
                }
            }
            let answer = Server { bench: self, case }.serve(machine);
            machine.note_lasting(self.subject.endpoint.method.is_safe());
            let (answer, end) = match answer {
                Ok(answer) => (answer, Ok(Value::NULL)),
                Err(stop) => (Answer::unknown(), Err(stop)),
            };
            answers.borrow_mut().push(answer);
            end
        });
        let served =
            paths.into_iter().zip(answers.into_inner()).map(|(path, answer)| Served { path, answer }).collect();
        Run { served, complete }
    }
}

/// Serves one request.
pub struct Server<'b> {
    /// The operation.
    pub bench: &'b Bench<'b>,
    /// The concrete request; `None` for symbolic inputs.
    pub case: Option<&'b Case>,
}

impl Server<'_> {
    /// The framework that serves the operation.
    pub fn framework(&self) -> Framework {
        self.bench.subject.endpoint.framework
    }

    /// Runs the request from binding to the answer.
    ///
    /// # Errors
    /// A bound of the interpreter was reached.
    pub fn serve(&self, machine: &mut Machine<'_>) -> Eval<Answer> {
        if self.framework().serving == Serving::Exchange {
            return self.serve_hosted(machine);
        }
        if let Some(answer) = self.filter(machine)? {
            return Ok(answer);
        }
        let caller = self.caller(machine)?;
        if let Some(answer) = self.guard(machine, &caller)? {
            return Ok(answer);
        }
        if let Some(why) = self.case.and_then(|case| case.stopped(&self.bench.signature)) {
            machine.doubt(&why);
        }
        if let Some(answer) = self.request_filters(machine)? {
            return Ok(answer);
        }
        if let Some(answer) = self.intercept(machine)? {
            return Ok(answer);
        }
        for doubt in &self.bench.surroundings.bound {
            machine.presume(doubt);
        }
        // Project code does not catch exceptions of calls that are not interpreted, so they reach the framework.
        let result = self.handle(machine, Some(&caller)).and_then(|value| self.settle(machine, value));
        self.end(machine, result)
    }

    /// The answer for the handler's result or exception.
    pub fn end(&self, machine: &mut Machine<'_>, result: Eval) -> Eval<Answer> {
        match result {
            Ok(value) => {
                let endpoint = self.bench.subject.endpoint;
                respond::returned(machine, self.bench, &value, endpoint.entry, endpoint.success_status)
            }
            Err(Stop::Throw(thrown)) => {
                machine.frames.clear();
                machine.catching = 0;
                self.thrown(machine, &thrown)
            }
            Err(cut) => Err(cut),
        }
    }

    /// Runs the handler without a security check of the caller.
    pub fn handle_anyone(&self, machine: &mut Machine<'_>) -> Eval {
        self.handle(machine, None)
    }

    fn handle(&self, machine: &mut Machine<'_>, caller: Option<&Caller>) -> Eval {
        let endpoint = self.bench.subject.endpoint;
        if is_followed(endpoint) {
            return self.handle_functional(machine);
        }
        let params = machine.project.member(endpoint.entry).params.clone();
        let mut args = vec![None; params.len()];
        let mut checked = Vec::new();
        for slot in self.bench.signature.slots.iter().filter(|slot| slot.is_read() && !slot.is_part()) {
            let value = self.bind(machine, slot)?;
            let is_text =
                matches!(slot.location, Location::Path | Location::Query | Location::Header | Location::Cookie);
            let is_checked = is_text || slot.location == Location::Body && self.checks_handlers();
            if is_checked && !slot.constraints.is_empty() {
                checked.push((slot, value.clone()));
            }
            let value = match slot.is_wrapped {
                true => optional::of(machine, "java.util.Optional", value),
                false => value,
            };
            if let Some(place) = args.get_mut(slot.index) {
                *place = Some(value);
            }
        }
        let mut given = Vec::new();
        for (arg, param) in args.into_iter().zip(&params) {
            given.push(match arg {
                Some(value) => value,
                None => {
                    let ty = machine.type_of(endpoint.entry.ty, &param.ty);
                    machine.given_by_framework(&param.name, ty)
                }
            });
        }
        if let Some(caller) = caller {
            self.guard_method(machine, caller)?;
        }
        // A validating proxy around the handler checks the parameters after all arguments are bound.
        for (slot, value) in checked {
            self.check_param(machine, slot, &value)?;
        }
        let this =
            if machine.is_static(endpoint.entry) { None } else { Some(Value::Ref(machine.bean(endpoint.receiver)?)) };
        machine.invoke(endpoint.entry, this, given)
    }
}
