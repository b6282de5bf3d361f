//! Discovery: builds requests from values in the service's own answers, so that they address existing data.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use crate::pipeline::service::live::Live;
use mastor_frameworks::{Endpoint, Location};
use mastor_probe::answers::judge::Parsed;
use mastor_probe::answers::unstable::Moment;
use mastor_probe::job::Job;
use mastor_probe::resources::known::DiscoveredValues;
use mastor_probe::runs::check::target;
use mastor_probe::runs::run::{Keep, Options, run};
use mastor_probe::service::{Running, ServiceError};
use mastor_publish::wording::words;
use mastor_suite::load::OperationSuite;
use mastor_types::results::outcome::{Answer, Outcome};
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::input::{Body, Input};
use mastor_types::suite::oracle::{Candidate, Confirmation, Effect, Oracle, Origin, Strategy};
use mastor_types::{Method, OpId};

/// Rounds of reading: each round uses values from the answers of the round before.
const ROUNDS: usize = 4;
/// Reads of one operation in a round, at most.
const READS: usize = 4;
/// Reads in all rounds together, at most.
const ALL_READS: usize = 240;
/// Requests that are built for one operation, at most.
const LEADS: usize = 12;
/// Further valid requests of an operation that are filled with known values, at most.
const OTHERS: usize = 4;
/// Length of the part of a test's name that lists values, in characters.
const NAME: usize = 48;

/// Known requests of each operation, as patterns for further ones: valid ones come first.
#[derive(Debug, Default)]
pub struct Patterns {
    by_operation: BTreeMap<OpId, Vec<Candidate>>,
    forms: BTreeMap<OpId, Vec<String>>,
    trials: BTreeMap<OpId, Vec<Input>>,
}

impl Patterns {
    /// Adds the oracles of a suite.
    pub fn of_suite(&mut self, suite: &OperationSuite) {
        for oracle in &suite.oracles {
            let cited = |id| suite.context.evidence.get(id).cloned();
            let citations: Vec<Evidence> = oracle.evidence.iter().filter_map(cited).collect();
            self.add(Candidate { oracle: oracle.clone(), citations });
        }
    }

    /// Adds a request, unless it is known.
    pub fn add(&mut self, candidate: Candidate) {
        let known = self.by_operation.entry(candidate.oracle.op_id.clone()).or_default();
        if known.iter().all(|one| one.oracle.o_id != candidate.oracle.o_id) {
            known.push(candidate);
        }
    }

    /// Adds what else is known of an operation: the fields of its form, and further requests to try.
    pub fn further(&mut self, op_id: &OpId, endpoint: Option<&Endpoint>, trials: &[Input]) {
        let params = endpoint.into_iter().flat_map(|endpoint| &endpoint.params);
        let fields = params.filter(|param| param.location == Location::Form).map(|param| param.name.clone());
        self.forms.insert(op_id.clone(), fields.collect());
        self.trials.insert(op_id.clone(), trials.to_vec());
    }

    /// Adds a request without assertions to an operation that has no pattern yet; gives whether it did.
    pub fn plain(&mut self, suite: &OperationSuite) -> bool {
        let context = &suite.context;
        let op_id = &context.op_id;
        let trial = self.trials.get(op_id).and_then(|trials| trials.first()).cloned();
        let input = trial.or_else(|| (!op_id.path().contains('{')).then(Input::default));
        let entry = context.entry.as_ref().map(|entry| format!("{}#{}", entry.class, entry.method));
        let cited = context.evidence.values().find(|evidence| Some(&evidence.symbol) == entry.as_ref());
        let (Some(input), Some(cited), None) = (input, cited, self.of(op_id).next()) else { return false };
        let effect = if op_id.method().is_safe() { Effect::Reads } else { Effect::Writes };
        let oracle = Oracle::question(op_id, mastor_types::suite::request::ANONYMOUS, input, effect);
        self.add(Candidate { oracle, citations: vec![cited.clone()] });
        true
    }

    /// The pattern's input; if it has no body and the operation takes a form, with a filled form.
    fn input(&self, pattern: &Candidate) -> Input {
        let mut input = pattern.oracle.input.clone();
        let fields = self.forms.get(&pattern.oracle.op_id).filter(|fields| !fields.is_empty());
        if let (None, Some(fields)) = (&input.body, fields) {
            let form = fields.iter().map(|name| (name.clone(), "sample".to_owned())).collect();
            input.body = Some(Body::Form { form });
        }
        input
    }

    /// The requests of an operation, valid ones first.
    fn of(&self, op_id: &OpId) -> impl Iterator<Item = &Candidate> {
        let of_kind = |valid: bool| {
            let all = self.by_operation.get(op_id).into_iter().flatten();
            all.filter(move |one| (one.oracle.strategy == Strategy::Fv) == valid)
        };
        of_kind(true).chain(of_kind(false))
    }

    fn reads(&self, op_id: &OpId) -> Option<&Candidate> {
        let by_rights = matches!(op_id.method(), Method::Get);
        let all_read = self.of(op_id).all(|one| one.oracle.effect == Effect::Reads);
        self.of(op_id).find(|one| one.oracle.input.body.is_none()).filter(|_| by_rights && all_read)
    }
}

/// The search for existing data: each round uses what the round before has shown.
pub(in crate::pipeline) struct Discovery<'a> {
    patterns: &'a Patterns,
    user: String,
    moment: Moment,
    known: DiscoveredValues,
    asked: BTreeSet<String>,
    rounds: usize,
}

impl<'a> Discovery<'a> {
    /// A search that has sent nothing yet; `moment` is when its answers are given.
    pub(in crate::pipeline) fn new(live: &Live<'_>, patterns: &'a Patterns, moment: Moment) -> Self {
        let user = live.user_names().into_iter().next().unwrap_or_else(|| "anonymous".to_owned());
        let known = DiscoveredValues::new(patterns.by_operation.keys());
        Self { patterns, user, moment, known, asked: BTreeSet::new(), rounds: 0 }
    }

    /// The requests of the next round; none when there is nothing left to ask.
    pub(in crate::pipeline) fn next_round(&mut self) -> Vec<Oracle> {
        self.rounds += 1;
        if self.rounds > ROUNDS {
            return Vec::new();
        }
        let mut questions: Vec<Oracle> = Vec::new();
        for op_id in self.patterns.by_operation.keys() {
            let Some(pattern) = self.patterns.reads(op_id) else { continue };
            let inputs = match pattern.oracle.input.path.is_empty() {
                true => with_and_without_query(&pattern.oracle.input),
                false => {
                    let rows = self.known.rows(op_id, READS);
                    rows.into_iter().filter_map(|row| with(&pattern.oracle.input, row)).collect()
                }
            };
            let all = inputs.into_iter().map(|input| Oracle::question(op_id, &self.user, input, Effect::Reads));
            questions.extend(all.filter(|one| !self.asked.contains(&one.o_id)));
        }
        questions.truncate(ALL_READS.saturating_sub(self.asked.len()));
        self.asked.extend(questions.iter().map(|one| one.o_id.clone()));
        questions
    }

    /// Learns from the answers of a round, one for each request.
    pub(in crate::pipeline) fn learn(&mut self, questions: &[Oracle], answers: &[Option<Answer>]) {
        for (question, answer) in questions.iter().zip(answers) {
            let Some(answer) = answer.as_ref().filter(|answer| (200..300).contains(&answer.status)) else { continue };
            if let Some(body) = Parsed::of(answer).into_value() {
                self.known.learn(&question.op_id, &question.input.path, &body, &self.moment);
            }
        }
    }

    /// The values that were found.
    pub(in crate::pipeline) fn known(self) -> DiscoveredValues {
        self.known
    }
}

/// Searches the service for existing data with requests that only read, starting from plain lists. `note` gets the
/// requests of each round with their answers.
///
/// # Errors
/// Where the service's URL is invalid.
pub async fn discover(
    live: &Live<'_>,
    running: &Running,
    patterns: &Patterns,
    mut note: impl FnMut(&[Oracle], &[Option<Answer>]),
) -> Result<DiscoveredValues, ServiceError> {
    let mut discovery = Discovery::new(live, patterns, live.moment(running.base_url()));
    loop {
        let questions = discovery.next_round();
        if questions.is_empty() {
            return Ok(discovery.known());
        }
        let answers = ask(live, running, &questions).await?;
        note(&questions, &answers);
        discovery.learn(&questions, &answers);
    }
}

/// Sends requests that read; gives the answer to each, if there is one.
///
/// # Errors
/// Where the service's URL is invalid.
async fn ask(live: &Live<'_>, running: &Running, questions: &[Oracle]) -> Result<Vec<Option<Answer>>, ServiceError> {
    let target = target(running, live.users(), live.options())?;
    let options = Options { keep: Keep::All, ..live.options().run.clone() };
    let jobs: Vec<Arc<Job>> = questions.iter().map(|one| Arc::new(Job::of_oracle(one))).collect();
    let outcomes = run(&target, &jobs, &options, &mastor_types::event::Events::silent()).await;
    let answer = |outcome: Outcome| outcome.exchanges.into_iter().next_back()?.answer.ok();
    Ok(outcomes.into_iter().map(answer).collect())
}

/// The input, and also the input without its query, which may only narrow a list.
fn with_and_without_query(input: &Input) -> Vec<Input> {
    let plain = Input { query: Vec::new(), ..input.clone() };
    if input.query.is_empty() { vec![plain] } else { vec![input.clone(), plain] }
}

/// The pattern's input with these values in the path; `None` if it has other path parameters.
fn with(input: &Input, row: BTreeMap<String, String>) -> Option<Input> {
    input.path.keys().eq(row.keys()).then(|| Input { path: row, ..input.clone() })
}

/// Open requests for known data of these operations; the service's answers complete them. With `writes` false (the
/// service cannot be reset), no request writes.
pub fn leads(
    live: &Live<'_>,
    writes: bool,
    known: &DiscoveredValues,
    patterns: &Patterns,
    op_ids: &[OpId],
) -> Vec<Candidate> {
    let user = live.user_names().into_iter().next().unwrap_or_else(|| "anonymous".to_owned());
    op_ids.iter().flat_map(|op_id| leads_of(op_id, &user, writes, known, patterns)).collect()
}

fn leads_of(op_id: &OpId, user: &str, writes: bool, known: &DiscoveredValues, patterns: &Patterns) -> Vec<Candidate> {
    let mut made = Made { user, writes, asked: BTreeSet::new(), leads: Vec::new() };
    let Some(first) = patterns.of(op_id).next() else { return made.leads };
    // Requests of other users, and requests that need stubs, have not been sent as this user.
    let asked = patterns.of(op_id).map(|one| &one.oracle).filter(|oracle| !oracle.needs_stubs());
    made.asked.extend(asked.map(|oracle| Oracle::identity(op_id, &oracle.as_user, &oracle.input)));
    let given = &first.oracle.input.path;
    let mut rows = known.rows(op_id, LEADS);
    if rows.is_empty() && given.is_empty() {
        rows.push(BTreeMap::new());
    }
    // An existing parent with a member that does not exist: for requests that create a member.
    let fresh = known.within(op_id, given);
    let top = rows.first().or(fresh.first()).cloned();
    for row in rows.into_iter().chain(fresh) {
        if let Some(input) = with(&patterns.input(first), row) {
            made.add(first, named(op_id, input, known));
        }
    }
    if let (Some(row), Method::Get) = (&top, op_id.method())
        && let Some(input) = with(&patterns.input(first), row.clone())
    {
        other_case(&input).into_iter().for_each(|input| made.add(first, input));
    }
    for pattern in patterns.of(op_id).filter(|one| one.oracle.strategy == Strategy::Fv).take(OTHERS) {
        for row in top.iter().chain([&pattern.oracle.input.path]) {
            let Some(input) = with(&patterns.input(pattern), row.clone()) else { continue };
            made.add(pattern, named(op_id, input.clone(), known));
            made.add(pattern, input);
        }
    }
    for input in patterns.trials.get(op_id).into_iter().flatten() {
        made.add(first, input.clone());
    }
    made.leads
}

/// The input with the letter case of its last path value swapped: the answer shows whether case matters.
fn other_case(input: &Input) -> Option<Input> {
    let (name, value) = input.path.iter().next_back()?;
    let swap = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let other: String = value.chars().map(swap).collect();
    let mut path = input.path.clone();
    (other != *value).then(|| path.insert(name.clone(), other))?;
    Some(Input { path, ..input.clone() })
}

/// The requests built for one operation.
struct Made<'a> {
    user: &'a str,
    writes: bool,
    asked: BTreeSet<String>,
    leads: Vec<Candidate>,
}

impl Made<'_> {
    fn add(&mut self, pattern: &Candidate, input: Input) {
        let o_id = Oracle::identity(&pattern.oracle.op_id, self.user, &input);
        if (self.writes || pattern.oracle.effect == Effect::Reads) && self.asked.insert(o_id.clone()) {
            self.leads.push(lead(pattern, self.user, o_id, input));
        }
    }
}

/// The input with known values of the same name in its query, its form and the outermost fields of its body; each
/// further one takes another value.
fn named(op_id: &OpId, mut input: Input, known: &DiscoveredValues) -> Input {
    let before = DiscoveredValues::before(op_id, &input.path);
    let mut taken = 0;
    let mut value = |name: &str| {
        let values = known.named(name, &before);
        let value = values.get(taken % values.len().max(1)).cloned();
        taken += usize::from(value.is_some());
        value
    };
    let mut pairs = |pairs: &mut Vec<(String, String)>| {
        for (name, text) in pairs {
            if let Some(known) = value(name) {
                *text = known;
            }
        }
    };
    pairs(&mut input.query);
    match &mut input.body {
        Some(Body::Form { form }) => pairs(form),
        Some(Body::Json { json: Value::Object(fields) }) => {
            for (name, inner) in fields.iter_mut() {
                let Some(text) = value(name) else { continue };
                match inner {
                    Value::String(_) => *inner = Value::String(text),
                    Value::Number(_) => *inner = text.parse().map_or_else(|_| inner.clone(), Value::Number),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    input
}

fn lead(pattern: &Candidate, user: &str, o_id: String, input: Input) -> Candidate {
    let mut said: Vec<String> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let of_query = input.query.iter().filter(|pair| !pattern.oracle.input.query.contains(pair));
    let of_query = of_query.map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in input.path.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(of_query) {
        said.push(format!("{name} is {value:?}"));
        names.push(words::identifier(value));
    }
    let when = if said.is_empty() { String::new() } else { format!(" when {}", said.join(" and ")) };
    let named: String = names.join("_").chars().take(NAME).collect();
    let named = named.trim_matches('_');
    let strategy = Strategy::Fv;
    let plain = pattern.oracle.test_id.split_once('_').map_or("plain", |(_, rest)| rest);
    let test_id = format!("{}_{}", strategy.as_str(), if named.is_empty() { plain } else { named });
    let oracle = Oracle {
        o_id,
        op_id: pattern.oracle.op_id.clone(),
        test_id,
        description: format!("Answers as was seen{when}."),
        strategy,
        as_user: user.to_owned(),
        input,
        assertions: Vec::new(),
        events: Vec::new(),
        effect: pattern.oracle.effect,
        given: Vec::new(),
        assumes: Vec::new(),
        evidence: pattern.citations.iter().map(Evidence::id).collect(),
        rationale: "The cited code answers this request, which asks for what the service says is there; what it answers is not derived.".to_owned(),
        origin: Origin::rules(),
        confirmation: Confirmation::none(),
    };
    Candidate { oracle, citations: pattern.citations.clone() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use mastor_probe::answers::unstable::Moment;

    fn pattern(op_id: &OpId, path: &[(&str, &str)], effect: Effect) -> Candidate {
        let path = path.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let oracle = Oracle::question(op_id, "anonymous", Input { path, ..Input::default() }, effect);
        Candidate { oracle, citations: Vec::new() }
    }

    fn asked(leads: &[Candidate]) -> Vec<String> {
        let path = |lead: &Candidate| lead.oracle.input.path.values().cloned().collect::<Vec<_>>().join(" ");
        leads.iter().map(path).collect()
    }

    #[test]
    fn what_is_there_is_asked_for_and_what_is_not_beside_it() {
        let list = OpId::new(Method::Get, "/shops");
        let one = OpId::new(Method::Get, "/shops/{shop}");
        let close = OpId::new(Method::Delete, "/shops/{shop}");
        let rooms = OpId::new(Method::Get, "/shops/{shop}/rooms");
        let room = OpId::new(Method::Post, "/shops/{shop}/rooms/{room}");
        let mut patterns = Patterns::default();
        patterns.add(pattern(&list, &[], Effect::Reads));
        patterns.add(pattern(&one, &[("shop", "sample")], Effect::Reads));
        patterns.add(pattern(&close, &[("shop", "sample")], Effect::Writes));
        patterns.add(pattern(&rooms, &[("shop", "sample")], Effect::Reads));
        patterns.add(pattern(&room, &[("room", "sample"), ("shop", "sample")], Effect::Writes));
        patterns.forms.insert(room.clone(), vec!["nextRoom".to_owned(), "colour".to_owned()]);
        let mut known = DiscoveredValues::new(patterns.by_operation.keys());
        let moment = Moment { now: 1_795_279_680, authority: "127.0.0.1:1".to_owned(), ..Moment::default() };
        known.learn(&list, &BTreeMap::new(), &json!([{"shopName": "north"}]), &moment);
        let north = BTreeMap::from([("shop".to_owned(), "north".to_owned())]);
        known.learn(&rooms, &north, &json!(["attic"]), &moment);
        let leads = |op_id: &OpId, writes: bool| leads_of(op_id, "anonymous", writes, &known, &patterns);
        assert_eq!(asked(&leads(&one, false)), ["north", "NORTH"]);
        assert_eq!(leads(&one, false)[0].oracle.test_id, "fv_north");
        assert_eq!(leads(&close, false), []);
        assert_eq!(asked(&leads(&close, true)), ["north"]);
        let made = leads(&room, true);
        assert_eq!(asked(&made)[..2], ["attic north", "sample north"]);
        let form = vec![("nextRoom".to_owned(), "attic".to_owned()), ("colour".to_owned(), "sample".to_owned())];
        assert_eq!(made[0].oracle.input.body, Some(Body::Form { form }));
    }

    #[test]
    fn a_read_that_writes_is_not_used_to_look_around() {
        let list = OpId::new(Method::Get, "/shops");
        let mut patterns = Patterns::default();
        patterns.add(pattern(&list, &[], Effect::Writes));
        assert!(patterns.reads(&list).is_none());
    }
}
