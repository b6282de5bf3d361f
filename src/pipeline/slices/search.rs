//! Search in slices: sends an operation requests, with stub values that are made by type and varied one at a time,
//! until it answers successfully or the runs are used up (ARCHITECTURE.md, *Slices*; EvoSuite's regression mode and
//! DiffGen search in a similar way). No code is interpreted.

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Map, Value};

use super::jobs::{INCONCLUSIVE, THROWN, answers, header};
use super::proposed::{Proposed, inputs};
use super::session::Session;
use super::slots::{self, Slot, alternatives};
use mastor_probe::answers::shapes::shape_of;
use mastor_types::OpId;
use mastor_types::error::Failure;
use mastor_types::hash::Hash;
use mastor_types::results::outcome::Answer;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::given::{Given, Gives};
use mastor_types::suite::input::{Body, Input};
use mastor_types::suite::oracle::{Effect, Oracle};
use mastor_types::suite::request::ANONYMOUS;

/// Requests of one operation that are tried before stubs are varied, at most.
const REQUESTS: usize = 8;
/// Values that are varied together, at most.
const TOGETHER: usize = 3;
/// Stubs that an oracle names, at most: those that were varied come first.
const NAMED: usize = 6;
/// Stubs that a report names if none was varied, at most.
const TOLD: usize = 2;

/// An operation to search.
#[derive(Debug, Clone)]
pub(super) struct SearchTarget {
    pub(super) op_id: OpId,
    /// Its handler: `com.acme.Orders#find`.
    pub(super) handler: String,
    /// The code of the handler.
    pub(super) evidence: Evidence,
    /// Requests that were derived for it.
    pub(super) seeds: Vec<Input>,
    /// Texts and numbers in the code that decides its answer.
    pub(super) named: Vec<Value>,
    /// Fingerprint of the operation at this revision.
    pub(super) made_from: Option<Hash>,
}

/// When a search ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// At a good answer, after each of its values was varied. Answers of one form count as the same.
    Good,
    /// When all runs are used. Answers with other values count as different: two revisions may differ in any of them.
    RunsUsed,
}

/// A request with what stubs returned, and the answer.
#[derive(Debug, Clone)]
pub(super) struct SearchAttempt {
    /// What was asked: an oracle that expects nothing yet.
    pub(super) oracle: Oracle,
    /// The values that replace those that stubs make by type.
    pub(super) gives: Vec<Gives>,
    pub(super) answer: Answer,
    slots: Vec<Slot>,
}

impl SearchAttempt {
    /// Whether the operation answered successfully.
    pub(super) fn is_good(&self) -> bool {
        (200..400).contains(&self.answer.status) && header(&self.answer, THROWN).is_none()
    }

    /// Number of calls that stubs answered: how far the code got.
    fn calls(&self) -> usize {
        self.slots.iter().filter(|slot| slot.is_whole()).count()
    }

    /// Distinguishes answers: by status, exception and form.
    pub(super) fn seen(&self) -> String {
        format!("{} {}", header(&self.answer, THROWN).unwrap_or_default(), shape_of(&self.answer))
    }

    /// Distinguishes paths through the code: by the answer, and by the calls that were made.
    fn way(&self, until: Until) -> String {
        let calls: Vec<&str> = self.slots.iter().filter(|slot| slot.is_whole()).map(Slot::call).collect();
        let body = match until {
            Until::Good => String::new(),
            Until::RunsUsed => String::from_utf8_lossy(&self.answer.body).into_owned(),
        };
        format!("{} {} {body}", self.seen(), calls.join(" "))
    }
}

/// The result of a search.
#[derive(Debug, Default)]
pub(super) struct Searched {
    /// The requests that were tried; each took another path through the code.
    pub(super) tried: Vec<SearchAttempt>,
    /// Why the first inconclusive request was inconclusive.
    pub(super) why: Option<String>,
    runs: usize,
    ways: BTreeSet<String>,
}

/// Searches an operation, in at most `runs` runs.
///
/// # Errors
/// Exit 4 where the harness does not answer.
pub(super) async fn search(
    session: &mut Session<'_>,
    proposed: &[Proposed],
    sought: &SearchTarget,
    (runs, until): (usize, Until),
) -> Result<Searched, Failure> {
    let mut searched = Searched::default();
    let mut requests = inputs(proposed, &sought.op_id, session.base_path(), Some(&sought.handler));
    for seed in &sought.seeds {
        if !requests.contains(seed) {
            requests.push(seed.clone());
        }
    }
    for input in requests.into_iter().take(REQUESTS) {
        searched.run(session, sought, until, (input, Vec::new())).await?;
        if until == Until::Good && searched.good().is_some() {
            break;
        }
    }
    // Successful requests are varied first, then those that got furthest.
    let mut first: Vec<usize> = (0..searched.tried.len()).collect();
    first.sort_by_key(|at| std::cmp::Reverse((searched.tried[*at].is_good(), searched.tried[*at].calls())));
    let mut open: VecDeque<(Input, Vec<Gives>, usize)> = VecDeque::new();
    for at in first {
        open.extend(searched.tried[at].next(&sought.named));
    }
    let mut good = searched.good();
    while let Some((input, gives, before)) = open.pop_front() {
        if searched.runs >= runs {
            break;
        }
        let Some(at) = searched.run(session, sought, until, (input, gives)).await? else { continue };
        let one = &searched.tried[at];
        // Only the first good answer is varied further; with `Until::Good` all other requests are dropped.
        if good.is_none() && one.is_good() {
            good = Some(at);
            if until == Until::Good {
                open.clear();
            }
            open.extend(one.next(&sought.named));
        } else if good.is_none() {
            let next = one.next(&sought.named);
            match one.calls() > before {
                true => next.into_iter().rev().for_each(|one| open.push_front(one)),
                false => open.extend(next),
            }
        }
    }
    Ok(searched)
}

impl Searched {
    /// Index of the first successful answer.
    pub(super) fn good(&self) -> Option<usize> {
        self.tried.iter().position(SearchAttempt::is_good)
    }

    /// Why no answer was successful, in words.
    pub(super) fn reason(&self) -> String {
        let last = self.tried.iter().max_by_key(|one| one.calls());
        match (last, &self.why) {
            (Some(one), _) => match header(&one.answer, THROWN) {
                Some(thrown) => format!("nothing caught {thrown}"),
                None => format!("it answers {}", one.answer.status),
            },
            (None, Some(why)) => why.clone(),
            (None, None) => "no request could be made".to_owned(),
        }
    }

    /// Sends one request, and keeps it if it took a new path. Gives its index among those that were tried.
    async fn run(
        &mut self,
        session: &mut Session<'_>,
        sought: &SearchTarget,
        until: Until,
        (input, gives): (Input, Vec<Gives>),
    ) -> Result<Option<usize>, Failure> {
        self.runs += 1;
        let asked = asked(sought, input.clone(), &[], &gives);
        let outcome = session.ask_once(&asked, None).await;
        let Some(answer) = answers(std::slice::from_ref(&outcome)).pop() else { return Ok(None) };
        if let Some(why) = header(&answer, INCONCLUSIVE) {
            self.why.get_or_insert(why);
            return Ok(None);
        }
        let slots = slots::parse(&session.tells("asked").await?);
        let oracle = self::asked(sought, input, &slots, &gives);
        let tried = SearchAttempt { oracle, gives, answer, slots };
        if !self.ways.insert(tried.way(until)) {
            return Ok(None);
        }
        self.tried.push(tried);
        Ok(Some(self.tried.len() - 1))
    }
}

impl SearchAttempt {
    /// What to try next: this request with one more stub value, or with one part of the request changed; each with the
    /// number of calls that this request reached.
    fn next(&self, named: &[Value]) -> Vec<(Input, Vec<Gives>, usize)> {
        if self.gives.len() >= TOGETHER {
            return Vec::new();
        }
        let lies_in = |at: &str, whole: &str| whole.is_empty() || at == whole || at.starts_with(&format!("{whole}."));
        let is_set = |one: &Gives| self.gives.iter().any(|set| set.call == one.call && lies_in(&one.at, &set.at));
        let others = alternatives(&self.slots, named).into_iter().filter(|one| !is_set(one));
        let with = |one: Gives| self.gives.iter().cloned().chain([one]).collect::<Vec<Gives>>();
        let of_stubs = others.map(|one| (self.oracle.input.clone(), with(one), self.calls()));
        let hinted = hinted(&self.oracle.input, &self.slots);
        let requests = hinted.into_iter().chain(varied(&self.oracle.input, named));
        let of_request = requests.map(|input| (input, self.gives.clone(), self.calls()));
        in_turn(of_request, of_stubs)
    }
}

/// Alternates the items of both; the rest of the longer one follows.
fn in_turn<T>(mut one: impl Iterator<Item = T>, mut other: impl Iterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    loop {
        let next = [one.next(), other.next()];
        if next.iter().all(Option::is_none) {
            return all;
        }
        all.extend(next.into_iter().flatten());
    }
}

/// Requests that mend what the harness reported for this one: with all missing fields, or with another text for one that was not understood.
fn hinted(input: &Input, slots: &[Slot]) -> Vec<Input> {
    let mut all = Vec::new();
    let missing: Vec<(&str, Value)> = slots.iter().filter_map(Slot::missing).collect();
    if let (Some(Body::Json { json: Value::Object(fields) }), false) = (&input.body, missing.is_empty()) {
        // The placeholder for any entry of a map is removed once real fields are known.
        let mut fields = if fields.len() == 1 && fields.contains_key("key") { Map::new() } else { fields.clone() };
        fields.extend(missing.into_iter().map(|(name, value)| (name.to_owned(), value)));
        all.push(Input { body: Some(Body::Json { json: Value::Object(fields) }), ..input.clone() });
    }
    all.extend(slots.iter().filter_map(Slot::replaced).map(|(old, new)| replaced(input, old, new)));
    all.retain(|one| one != input);
    all
}

/// The request with `new` in place of every text that is `old`, in any letter case.
fn replaced(input: &Input, old: &str, new: &str) -> Input {
    let other = |text: &mut String| {
        if text.eq_ignore_ascii_case(old) {
            new.clone_into(text);
        }
    };
    let mut with = input.clone();
    with.path.values_mut().for_each(other);
    with.query.iter_mut().for_each(|(_, value)| other(value));
    if let Some(Body::Json { json }) = &mut with.body {
        texts(json, &other);
    }
    with
}

/// Changes every text in a value.
fn texts(value: &mut Value, change: &impl Fn(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| texts(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|field| texts(field, change)),
        _ => {}
    }
}

/// Requests that differ from this one in one place: a query parameter or a field is missing, or a value is replaced by
/// one from the code.
fn varied(input: &Input, named: &[Value]) -> Vec<Input> {
    let mut all = Vec::new();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let fields = match &input.body {
        Some(Body::Json { json: Value::Object(fields) }) => fields.clone(),
        _ => Map::new(),
    };
    let with_body =
        |fields: Map<String, Value>| Input { body: Some(Body::Json { json: Value::Object(fields) }), ..input.clone() };
    for name in fields.keys() {
        let mut without = fields.clone();
        without.remove(name);
        all.push(with_body(without));
    }
    for at in 0..input.query.len() {
        let mut without = input.clone();
        without.query.remove(at);
        all.push(without);
    }
    for value in named {
        for (name, old) in &fields {
            if old != value && (old.is_number() && value.is_number() || old.is_string() && value.is_string()) {
                let mut with = fields.clone();
                with.insert(name.clone(), value.clone());
                all.push(with_body(with));
            }
        }
        for at in 0..input.query.len() {
            let mut with = input.clone();
            with.query[at].1 = text(value);
            all.push(with);
        }
        for name in input.path.keys() {
            let mut with = input.clone();
            with.path.insert(name.clone(), text(value));
            all.push(with);
        }
    }
    all.retain(|one| one != input);
    all
}

/// The requests that two revisions tried, to be sent to both: equal requests with the same values are joined, with the stubs that either revision named.
pub(super) fn together(base: Vec<SearchAttempt>, head: Vec<SearchAttempt>) -> Vec<Oracle> {
    let mut all: Vec<(Vec<Gives>, Oracle)> = Vec::new();
    let mut of_base = base.into_iter();
    let mut of_head = head.into_iter();
    loop {
        let next = [of_base.next(), of_head.next()];
        if next.iter().all(Option::is_none) {
            return all.into_iter().map(|(_, oracle)| telling(oracle)).collect();
        }
        for one in next.into_iter().flatten() {
            let same =
                |(gives, oracle): &&mut (Vec<Gives>, Oracle)| *gives == one.gives && oracle.input == one.oracle.input;
            match all.iter_mut().find(same) {
                Some((_, known)) => {
                    // Only stubs are compared: the evidence of the two handlers differs.
                    let is_new = |given: &Given| known.given.iter().all(|own| own.stub != given.stub);
                    let more = one.oracle.given.into_iter().filter(is_new);
                    known.given.extend(more.collect::<Vec<Given>>());
                }
                None => all.push((one.gives, one.oracle)),
            }
        }
    }
}

/// The oracle with the stubs that are worth naming: those whose values were replaced, else the first ones.
fn telling(mut oracle: Oracle) -> Oracle {
    let is_put = |given: &Given| given.stub.as_ref().is_some_and(|stub| !stub.gives.is_empty());
    oracle.given.sort_by_key(|given| !is_put(given));
    let put = oracle.given.iter().filter(|given| is_put(given)).count();
    oracle.given.truncate(if put > 0 { put } else { TOLD });
    oracle
}

/// A request with its stub values, as an oracle without assertions.
pub(super) fn asked(sought: &SearchTarget, input: Input, slots: &[Slot], gives: &[Gives]) -> Oracle {
    let mut stubs = slots::given(slots, gives);
    stubs.sort_by_key(|stub| stub.gives.is_empty());
    stubs.truncate(NAMED);
    let given: Vec<Given> = stubs.into_iter().map(|stub| Given::stub(stub, sought.evidence.id())).collect();
    let effect = if sought.op_id.method().is_safe() { Effect::Reads } else { Effect::Writes };
    Oracle {
        o_id: Oracle::identity_given(&sought.op_id, ANONYMOUS, &input, &given),
        given,
        evidence: vec![sought.evidence.id()],
        ..Oracle::question(&sought.op_id, ANONYMOUS, input, effect)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use mastor_types::http::Method;
    use mastor_types::suite::given::GivenValue;

    fn body(json: Value) -> Input {
        Input { body: Some(Body::Json { json }), ..Input::default() }
    }

    fn sought() -> SearchTarget {
        let evidence =
            Evidence { symbol: "a.Notes#add(Map)".to_owned(), tokens_sha256: mastor_types::hash::Hash::of(b"") };
        let op_id = OpId::new(Method::Post, "/notes");
        SearchTarget {
            op_id,
            handler: "a.Notes#add".to_owned(),
            evidence,
            seeds: Vec::new(),
            named: Vec::new(),
            made_from: None,
        }
    }

    fn tried(input: &Input, slots: &str, gives: Vec<Gives>, status: u16) -> SearchAttempt {
        let slots = slots::parse(slots);
        let answer = Answer { status, headers: Vec::new(), body: Vec::new(), cut: false, millis: 1.0 };
        SearchAttempt { oracle: asked(&sought(), input.clone(), &slots, &gives), gives, answer, slots }
    }

    fn flag(value: bool) -> Gives {
        Gives { call: "a.Rows#isTaken".to_owned(), at: String::new(), value: GivenValue::Is(json!(value)) }
    }

    #[test]
    fn a_request_is_mended_by_what_was_missed_and_not_understood() {
        let slots = slots::parse("request\tday\tmissing\t\"2020-01-01\"\t\nrequest\tTITLE\treplace\tOPEN\t\n");
        let all = hinted(&body(json!({"key": "title"})), &slots);
        assert_eq!(all, [body(json!({"day": "2020-01-01"})), body(json!({"key": "OPEN"}))]);
        assert!(hinted(&body(json!({"key": "title"})), &[]).is_empty());
    }

    #[test]
    fn one_place_of_a_request_varies_at_a_time() {
        let input =
            Input { query: vec![("q".to_owned(), "x".to_owned())], ..body(json!({"n": 1, "day": "2020-01-01"})) };
        let all = varied(&input, &[json!(7)]);
        let with = |json: Value, query: &[(&str, &str)]| Input {
            query: query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            ..body(json)
        };
        assert!(all.contains(&with(json!({"day": "2020-01-01"}), &[("q", "x")])));
        assert!(all.contains(&with(json!({"n": 1, "day": "2020-01-01"}), &[])));
        assert!(all.contains(&with(json!({"n": 7, "day": "2020-01-01"}), &[("q", "x")])));
        assert!(all.contains(&with(json!({"n": 1, "day": "2020-01-01"}), &[("q", "7")])));
        assert!(!all.contains(&input));
    }

    #[test]
    fn answers_of_other_values_are_another_way_only_where_revisions_are_compared() {
        let answered = |body: &str| {
            let mut one = tried(&Input::default(), "", Vec::new(), 200);
            one.answer.headers = vec![("content-type".to_owned(), "application/json".to_owned())];
            one.answer.body = body.as_bytes().to_vec();
            one
        };
        let (one, other) = (answered("{\"large\":true}"), answered("{\"large\":false}"));
        assert_eq!(one.way(Until::Good), other.way(Until::Good));
        assert_ne!(one.way(Until::RunsUsed), other.way(Until::RunsUsed));
    }

    #[test]
    fn further_values_are_put_beside_those_that_were_put_and_in_no_place_twice() {
        let told = "a.Rows#isTaken\t\tflag\tfalse\t\na.Rows#all\t\tholder\tNote\t\na.Rows#all\t[0].hid\tflag\ttrue\t\n\
                    a.Rows#all\t[0].hidden\tflag\ttrue\t\n";
        let of_rows = |at: &str, value: GivenValue| Gives { call: "a.Rows#all".to_owned(), at: at.to_owned(), value };
        let no = || GivenValue::Is(json!(false));
        let hid = of_rows("[0].hid", no());
        let next = tried(&body(json!({})), told, vec![flag(false), hid.clone()], 500).next(&[]);
        let gives: Vec<Vec<Gives>> = next.into_iter().map(|(_, gives, _)| gives).collect();
        let with = |one: Gives| vec![flag(false), hid.clone(), one];
        assert_eq!(gives, [with(of_rows("", GivenValue::Empty)), with(of_rows("[0].hidden", no()))]);
    }

    #[test]
    fn what_both_revisions_tried_is_asked_once_and_told_with_what_was_put() {
        let input = body(json!({}));
        let base = tried(&input, "a.Rows#isTaken\t\tflag\tfalse\t\n", vec![flag(false)], 200);
        let head =
            tried(&input, "a.Rows#isTaken\t\tflag\tfalse\t\na.Rows#save\t\tobject\tNote\t\n", vec![flag(false)], 200);
        let plain = tried(&input, "a.Rows#isTaken\t\tflag\ttrue\t\n", Vec::new(), 409);
        let all = together(vec![base], vec![plain, head]);
        let given = |oracle: &Oracle| oracle.given.iter().map(Given::what).collect::<Vec<String>>();
        let told: Vec<Vec<String>> = all.iter().map(given).collect();
        assert_eq!(told, [vec!["Rows.isTaken is false".to_owned()], vec!["Rows.isTaken is true".to_owned()]]);
        assert_ne!(all[0].o_id, all[1].o_id);
    }
}
