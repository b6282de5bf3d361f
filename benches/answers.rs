//! The interpreter's answers against a running service: for each operation that only reads, some two hundred requests over its branches, each
//! answered by the rules engine first and by the service then.
//!
//! `cargo bench --bench answers -- [-v] REPOSITORY BASE_URL [REQUESTS]`. *Exact* is status and whole body, *status* the status alone, *open* what the
//! engine does not claim to know; *wrong* must be 0, and each wrong one is printed.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints its figures, and ends where it cannot measure"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use mastor::config::{Overrides, services};
use mastor::derive::inputs::solve::{Candidate, Pool};
use mastor::derive::oracles::candidates::candidates;
use mastor::derive::search::explore::{Purpose, Settled, TriedRequest, search, settle};
use mastor::extract;
use mastor::java::interpret::paths::path::Outcome;
use mastor::java::interpret::values::scalar::Prim;
use mastor::java::interpret::values::term::Input;
use mastor::java::interpret::values::value::Type;
use mastor::java::ir::body::{ExprKind, Lit};
use mastor::probe::auth::Users;
use mastor::probe::http::Limits;
use mastor::probe::job::Job;
use mastor::probe::runs::run::{Options, Target, run, runtime};
use mastor::revision::Repo;
use mastor::runtime::Subject;
use mastor::runtime::bench::Bench;
use mastor::runtime::body::shape::{Answer, AnswerBody, read};
use mastor::runtime::request::case::Case;
use mastor::runtime::server::serve::Run;
use mastor::types::event::Events;
use mastor::types::results::outcome::RunVerdict;
use mastor::types::suite::oracle::Effect;

/// Requests that are drawn for one that is taken, at most: the rest are repetitions, or cannot be sent.
const DRAWS: usize = 400;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let verbose = arguments.iter().any(|a| a == "-v");
    arguments.retain(|a| a != "-v");
    let [repository, url, rest @ ..] = arguments.as_slice() else {
        println!("cargo bench --bench answers -- [-v] REPOSITORY BASE_URL [REQUESTS]");
        return;
    };
    let wanted = rest.first().and_then(|n| n.parse().ok()).unwrap_or(200);
    let repo = Repo::discover(Path::new(repository)).expect("a repository");
    let tree = repo.tree_at(repo.head().expect("a commit").id).expect("its tree");
    let settings = services(&tree, &Overrides::default()).expect("settings").remove(0);
    let surface = extract::surface(&tree, &settings, None, &Events::silent()).expect("a surface");
    let analysis = extract::analyse(surface, &Events::silent());
    let surface = &analysis.surface;
    let shared = mastor::runtime::Shared::of(&mastor::frameworks::persistence::initial::Files {
        project: &surface.project,
        resources: &surface.resources,
        properties: &surface.properties,
        build: &surface.build,
        near: surface.endpoints.first().map_or("", |endpoint| endpoint.file.as_str()),
    });
    println!(
        "{:<48} {:>8} {:>7} {:>6} {:>6} {:>6} {:>6}",
        "operation", "requests", "answers", "exact", "status", "open", "wrong"
    );
    let mut sum = Row::default();
    for operation in &analysis.operations {
        let Some(subject) = mastor::pipeline::subject(&analysis, &shared, &operation.op_id) else { continue };
        let row = measure(&subject, url, wanted, verbose);
        row.print(&operation.op_id.to_string());
        sum.add(&row);
    }
    sum.print("all");
}

/// The figures of one operation, or of all.
#[derive(Default)]
struct Row {
    requests: usize,
    answers: usize,
    exact: usize,
    status: usize,
    open: usize,
    wrong: usize,
}

impl Row {
    fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.answers += other.answers;
        self.exact += other.exact;
        self.status += other.status;
        self.open += other.open;
        self.wrong += other.wrong;
    }

    fn print(&self, name: &str) {
        println!(
            "{name:<48} {:>8} {:>7} {:>6} {:>6} {:>6} {:>6}",
            self.requests, self.answers, self.exact, self.status, self.open, self.wrong
        );
    }
}

fn measure(subject: &Subject<'_>, url: &str, wanted: usize, verbose: bool) -> Row {
    let bench = Bench::new(subject);
    let open = bench.open();
    let tried = requests(&bench, &open, wanted);
    let settled: Vec<Settled> = tried.iter().filter_map(|one| settle(&one.run)).collect();
    let mut made = candidates(&bench, &open, &tried);
    made.retain(|one| one.oracle.effect == Effect::Reads);
    let mut row = Row { requests: tried.len(), open: tried.len() - settled.len(), ..Row::default() };
    let mut answers: BTreeMap<String, usize> = BTreeMap::new();
    for one in &settled {
        let exact = match &one.body {
            AnswerBody::Empty => true,
            AnswerBody::Text(text, label) => read(text, *label).is_some(),
            AnswerBody::Json(shape) => shape.exact().is_some(),
            AnswerBody::Unknown => false,
        };
        *(if exact { &mut row.exact } else { &mut row.status }) += 1;
        let answer = Answer::of(Some(one.status), one.body.clone());
        *answers.entry(answer.describe()).or_default() += 1;
    }
    row.answers = answers.len();
    if verbose {
        for one in tried.iter().filter(|one| settle(&one.run).is_none()) {
            let why: BTreeSet<&str> =
                one.run.served.iter().flat_map(|served| served.path.unknowns.iter().map(|why| &**why)).collect();
            let bounds = one.run.served.iter().filter(|served| matches!(served.path.outcome, Outcome::Cut(_))).count();
            let why: Vec<&str> = why.into_iter().collect();
            *answers.entry(format!("open: {} paths cut, {}", bounds, why.join("; "))).or_default() += 1;
        }
        for (answer, count) in &answers {
            println!("{count:>8} {answer}");
        }
    }
    let jobs: Vec<Arc<Job>> = made.iter().map(|one| Arc::new(Job::of_oracle(&one.oracle))).collect();
    let target = Arc::new(Target::new(url, Users::none(), Limits::default(), 4).expect("a service"));
    let options = Options { concurrency: 4, ..Options::default() };
    let outcomes = runtime(4).expect("a runtime").block_on(run(&target, &jobs, &options, &Events::silent()));
    for (outcome, one) in outcomes.iter().zip(&made) {
        if outcome.verdict != RunVerdict::Held {
            row.wrong += 1;
            println!("wrong: {} {:?}", one.oracle.op_id, one.oracle.input.path);
            for miss in &outcome.misses {
                println!("       expected {:?}, seen {}", miss.expected, miss.seen);
            }
        }
    }
    row
}

/// The requests of the search, and variations of them until there are enough.
fn requests(bench: &Bench<'_>, open: &Run, wanted: usize) -> Vec<TriedRequest> {
    let pool = Pool::of(bench, &[open]);
    let mut draw = Draw(0x9E37_79B9_7F4A_7C15);
    let mut all = search(bench, open);
    all.truncate(wanted);
    let inputs: Vec<Input> = bench.signature.slots.iter().map(|slot| slot.input.clone()).collect();
    let literals = literals(bench, &all);
    let seeds: Vec<Case> =
        if all.is_empty() { vec![pool.valid()] } else { all.iter().map(|t| t.case.clone()).collect() };
    for _ in 0..wanted * DRAWS {
        if all.len() >= wanted || inputs.is_empty() {
            break;
        }
        let mut case = draw.one_of(&seeds).clone();
        for _ in 0..=draw.below(inputs.len()) {
            let input = draw.one_of(&inputs).clone();
            let Some(slot) = bench.signature.slot(&input) else { continue };
            let mut known = pool.of_input(&input).to_vec();
            if slot.ty == Type::Str {
                known.extend(literals.iter().cloned());
            }
            let value = draw.value(&slot.ty, &known);
            pool.put(&mut case, &input, &value);
        }
        if pool.is_sendable(&case) && all.iter().all(|known| known.case != case) {
            let run = bench.try_case(&case);
            all.push(TriedRequest { case, purpose: Purpose::Sample(inputs[0].clone()), run, tells: None });
        }
    }
    all
}

/// The texts that stand in the code that these requests ran.
fn literals(bench: &Bench<'_>, tried: &[TriedRequest]) -> Vec<Candidate> {
    let project = bench.subject.project;
    let members: BTreeSet<_> =
        tried.iter().flat_map(|one| &one.run.served).flat_map(|served| served.path.members.iter().copied()).collect();
    let bodies = members.into_iter().filter_map(|member| project.body(member));
    let mut texts = BTreeSet::new();
    for body in bodies {
        texts.extend(body.exprs.iter().filter_map(|expr| match &expr.kind {
            ExprKind::Lit(Lit::Str(text)) => Some(text.to_string()),
            _ => None,
        }));
    }
    texts.into_iter().filter(|text| !text.is_empty()).map(Candidate::Text).collect()
}

/// Numbers that look drawn and are the same in every run.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn one_of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    /// A value of a type: one that conditions speak of, one near it, or another one.
    fn value(&mut self, ty: &Type, known: &[Candidate]) -> Candidate {
        let known: Vec<&Candidate> = known.iter().filter(|one| matches!(one, Candidate::Text(_))).collect();
        let text = match known.is_empty() {
            true => String::new(),
            false => match self.one_of(&known) {
                Candidate::Text(text) => text.clone(),
                _ => String::new(),
            },
        };
        match ty {
            Type::Prim(Prim::Double | Prim::Float) | Type::Boxed(Prim::Double | Prim::Float) => {
                Candidate::Text(match self.below(4) {
                    0 if !text.is_empty() => text,
                    // With an exponent: a point in the last segment reads as a file's suffix for old frameworks.
                    1 => format!("{}e{}", self.near(0, 30), self.near(0, 3)),
                    2 => format!("{}e-1", self.near(60, 70)),
                    _ => format!("{}e-2", self.near(200, 220)),
                })
            }
            Type::Prim(_) | Type::Boxed(_) => Candidate::Text(match (self.below(4), text.parse::<i64>()) {
                (0, _) if !text.is_empty() => text,
                (1, Ok(number)) => self.near(number, 3).to_string(),
                (2, _) => self.near(6, 8).to_string(),
                _ => self.near(0, 2_000).to_string(),
            }),
            _ => Candidate::Text(self.text(&text, &known)),
        }
    }

    fn near(&mut self, number: i64, reach: i64) -> i64 {
        let width = usize::try_from(reach * 2 + 1).unwrap_or(1);
        number.saturating_add(i64::try_from(self.below(width)).unwrap_or(0) - reach)
    }

    /// A text like one that is known: changed at one place, cut, longer, in capitals, or joined with another.
    fn text(&mut self, text: &str, known: &[&Candidate]) -> String {
        const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_";
        let letter = char::from(*self.one_of(LETTERS));
        let mut letters: Vec<char> = text.chars().collect();
        match self.below(7) {
            0 | 1 => {}
            2 if !letters.is_empty() => {
                let at = self.below(letters.len());
                letters[at] = letter;
            }
            3 if letters.len() > 1 => {
                letters.remove(self.below(letters.len()));
            }
            4 => letters.insert(self.below(letters.len() + 1), letter),
            5 => letters = text.to_uppercase().chars().collect(),
            _ => {
                if let Some(Candidate::Text(other)) = (!known.is_empty()).then(|| *self.one_of(known)) {
                    letters.extend(other.chars());
                } else {
                    letters = (0..=self.below(6)).map(|_| char::from(*self.one_of(LETTERS))).collect();
                }
            }
        }
        letters.into_iter().collect()
    }
}
