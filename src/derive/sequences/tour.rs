//! Tours: several consecutive requests on the same stores, each with its answer.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::search::explore::{Settled, settle};
use mastor_java::interpret::engine::machine::{Machine, Stop};
use mastor_java::interpret::library::base::support::Fail;
use mastor_java::interpret::paths::path::{Exploration, Path};
use mastor_java::interpret::stores::state::StoreOperation;
use mastor_java::interpret::values::value::Value;
use mastor_java::interpret::{Bounds, Context, explore};
use mastor_runtime::app::wiring::Container;
use mastor_runtime::bench::Bench;
use mastor_runtime::body::shape::Answer;
use mastor_runtime::request::case::Case;
use mastor_runtime::server::serve::{Run, Served, Server};

/// One request of a tour.
pub struct Visit<'b> {
    /// The operation.
    pub bench: &'b Bench<'b>,
    /// The request.
    pub case: Case,
}

/// The result of one request of a tour.
#[derive(Debug, Clone)]
pub struct StepResult {
    /// The answer, if all paths agree on it.
    pub settled: Option<Settled>,
    /// Its store operations on the first path.
    pub deeds: Vec<StoreOperation>,
}

/// The result of a tour.
#[derive(Debug, Clone)]
pub struct TourResult {
    /// The results of its requests.
    pub came: Vec<StepResult>,
    /// All paths, as one run of the last request.
    pub run: Run,
}

impl TourResult {
    /// Whether every request has a certain answer.
    pub fn is_settled(&self) -> bool {
        self.came.iter().all(|came| came.settled.is_some())
    }
}

/// An answer, its store operations, and whether the answer is certain.
type Answered = (Answer, Vec<StoreOperation>, bool);

/// Runs requests one after another.
pub fn tour(stops: &[Visit<'_>]) -> Option<TourResult> {
    let first = stops.first()?.bench;
    let container = Container::of(*first.subject, true, &first.injected);
    let bounds = Bounds { paths: 8, forks: 12, steps: 400_000, total_steps: 800_000, ..Bounds::default() };
    let cx = Context { codes: &first.codes, wiring: &container, bounds, follows: None };
    let all: RefCell<Vec<Vec<Answered>>> = RefCell::new(Vec::new());
    let Exploration { paths, complete } = explore(&cx, |machine| {
        let mut came = Vec::new();
        let mut end = Ok(Value::NULL);
        for stop in stops {
            match one(machine, stop) {
                Ok(answer) => came.push(answer),
                Err(cut) => {
                    end = Err(cut);
                    break;
                }
            }
        }
        all.borrow_mut().push(came);
        end
    });
    let all = all.into_inner();
    let mut came = Vec::new();
    for at in 0..stops.len() {
        let served: Option<Vec<Served>> =
            paths.iter().zip(&all).map(|(path, answers)| served(path, answers.get(at)?)).collect();
        let deeds = all.first().and_then(|answers| answers.get(at)).map(|(_, deeds, _)| deeds.clone());
        let settled = served.and_then(|served| settle(&Run { served, complete }));
        came.push(StepResult { settled, deeds: deeds.unwrap_or_default() });
    }
    let last = |path: Path, mut answers: Vec<Answered>| {
        let answer = answers.pop().map_or_else(Answer::unknown, |(answer, _, _)| answer);
        Served { path, answer }
    };
    let served = paths.into_iter().zip(all).map(|(path, answers)| last(path, answers)).collect();
    Some(TourResult { came, run: Run { served, complete } })
}

fn served(path: &Path, (answer, _, certain): &Answered) -> Option<Served> {
    // Uncertainty in later requests does not affect earlier ones.
    certain.then(|| Served {
        path: Path {
            conditions: Vec::new(),
            outcome: mastor_java::interpret::Outcome::Returned(Value::NULL),
            exit: path.exit,
            members: path.members.clone(),
            models: path.models.clone(),
            library_calls: BTreeMap::new(),
            unknowns: path.unknowns.clone(),
            doubts: std::collections::BTreeSet::new(),
            assumed: std::collections::BTreeSet::new(),
            effects: path.effects.clone(),
            store: Default::default(),
            heap: Default::default(),
            steps: 0,
        },
        answer: answer.clone(),
    })
}

fn one(machine: &mut Machine<'_>, stop: &Visit<'_>) -> Result<Answered, Stop> {
    for doubt in &stop.bench.surroundings.doubts {
        machine.doubt(doubt);
    }
    let members = std::mem::take(&mut machine.members);
    let before = machine.store.clone();
    let from = before.deeds.len();
    machine.store.is_unordered = false;
    machine.exit = None;
    machine.frames.clear();
    machine.catching = 0;
    // Each request has its own exchange.
    machine.exchange = None;
    machine.header_setters.clear();
    let answer = Server { bench: stop.bench, case: Some(&stop.case) }.serve(machine)?;
    machine.note_lasting(stop.bench.subject.endpoint.method.is_safe());
    let deeds = machine.store.deeds.get(from..).unwrap_or_default().to_vec();
    if answer.exception.is_some() {
        machine.roll_back(&before);
    }
    match machine.end_request() {
        Ok(()) => {}
        Err(Fail::Open(why)) => machine.doubt(&why),
        Err(Fail::Stop(stop)) => return Err(stop),
    }
    machine.members.extend(members);
    let certain = machine.doubts.is_empty() && answer.status.is_some();
    Ok((answer, deeds, certain))
}
