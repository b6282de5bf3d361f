//! Follow-up reads: finds the reads that may show the effect of a write, and turns what they show into assertions.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::answers::judge::{Captures, Parsed, judge, take};
use crate::answers::observe::observed;
use crate::answers::unstable::{Moment, Unstable, unstable};
use mastor_types::OpId;
use mastor_types::http::Method;
use mastor_types::results::outcome::Answer;
use mastor_types::suite::assertion::Assertion;
use mastor_types::suite::binds::captured;
use mastor_types::suite::input::{Body, Input};
use mastor_types::suite::oracle::{Confirmation, Effect, Oracle, Quarantined};
use mastor_types::suite::request::{Piece, pieces};
use mastor_types::suite::sequence::{Pattern, Sequence, Step, shared_with_follow_up};

/// Maximum number of reads after one write.
const READS: usize = 3;
/// Maximum number of path segments that a write may have beyond those of the read.
const ABOVE: usize = 2;

/// The result of following a write.
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    /// The write with the reads that show its effect.
    pub sequence: Sequence,
    /// Number of its observed assertions.
    pub observed: usize,
    /// Varying places, by the operation of the read.
    pub varies: Vec<(OpId, Unstable)>,
}

/// A sequence of a write and the reads that may show it: of the same resource, of the one it created, or of a
/// collection above. `answer` is the write's answer. `None` where the write fails or no read is related.
pub fn follow_up(write: &Oracle, answer: &Answer, readers: &[OpId]) -> Option<Sequence> {
    if answer.status >= 400 || write.effect != Effect::Writes {
        return None;
    }
    let mut found: Vec<(usize, &OpId, Reach)> = readers
        .iter()
        .filter(|reader| **reader != write.op_id && reader.method() == Method::Get)
        .filter_map(|reader| {
            reach(reader, (&write.op_id, &write.input), answer).map(|(rank, read)| (rank, reader, read))
        })
        .collect();
    found.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    let headers = write.input.headers.iter().filter(|(name, _)| !name.to_ascii_lowercase().starts_with("content-"));
    let headers: Vec<(String, String)> = headers.cloned().collect();
    let mut captures = BTreeMap::new();
    let mut steps = Vec::new();
    for (_, reader, read) in found.into_iter().take(READS) {
        let mut binds = BTreeMap::new();
        if let Some((name, from)) = read.bound {
            binds.insert(format!("path.{name}"), format!("$captures.{name}"));
            captures.insert(name, from);
        }
        let input = Input {
            path: read.path,
            headers: headers.clone(),
            cookies: write.input.cookies.clone(),
            ..Input::default()
        };
        steps.push(step(reader, &write.as_user, input, binds));
    }
    if steps.is_empty() {
        return None;
    }
    let first = Step {
        captures,
        assertions: shared_with_follow_up(&write.assertions),
        ..step(&write.op_id, &write.as_user, write.input.clone(), BTreeMap::new())
    };
    steps.insert(0, first);
    Some(Sequence {
        s_id: Sequence::identity(&steps),
        test_id: format!("{}_then_read", write.test_id),
        description: write.description.clone(),
        pattern: Pattern::StatePropagation,
        effect: Effect::Writes,
        given: write.given.clone(),
        assumes: write.assumes.clone(),
        steps,
        evidence: write.evidence.clone(),
        origin: write.origin.clone(),
        confirmation: Confirmation::none(),
    })
}

/// The sequence with the names, evidence and assertions of the write's settled oracle.
pub fn with_settled_oracle(tour: &Sequence, write: &Oracle) -> Sequence {
    let mut tour = Sequence {
        test_id: format!("{}_then_read", write.test_id),
        description: write.description.clone(),
        given: write.given.clone(),
        assumes: write.assumes.clone(),
        evidence: write.evidence.clone(),
        ..tour.clone()
    };
    if let Some(first) = tour.steps.first_mut() {
        first.assertions = shared_with_follow_up(&write.assertions);
    }
    tour
}

fn step(op_id: &OpId, as_user: &str, input: Input, binds: BTreeMap<String, String>) -> Step {
    let (captures, assertions) = Default::default();
    Step { op_id: op_id.clone(), as_user: as_user.to_owned(), input, captures, binds, assertions }
}

/// How a related operation is requested after a write.
pub(crate) struct Reach {
    /// Values of its path parameters.
    pub path: BTreeMap<String, String>,
    /// A path parameter filled from the write's answer, and its place there.
    pub bound: Option<(String, String)>,
}

/// How closely an operation is related to a write, and its request; `None` where it is unrelated. 0: it has the write's
/// path. 1 and 2: the resource that the write created. Higher: resources above.
pub(crate) fn reach(to: &OpId, (write, input): (&OpId, &Input), answer: &Answer) -> Option<(usize, Reach)> {
    let (to, from) = (segments(to), segments(write));
    let plain = |path| Reach { path, bound: None };
    if to.is_empty() {
        return None;
    }
    if to.len() <= from.len()
        && from.len() - to.len() <= ABOVE
        && let Some(path) = values(&to, &from, input)
    {
        let above = from.len() - to.len();
        return Some((if above == 0 { 0 } else { above + 2 }, plain(path)));
    }
    // The created resource lies below the collection, or beside the verb that created it: `POST /orders/place` → `GET
    // /orders/{id}`.
    let (last, before) = to.split_last()?;
    let [Piece::Parameter(name)] = last.as_slice() else { return None };
    let verb = matches!(from.last().map(Vec::as_slice), Some([Piece::Literal(_)]));
    let rank = match () {
        () if before.len() == from.len() => 1,
        () if before.len() + 1 == from.len() && verb => 2,
        () => return None,
    };
    let mut path = values(before, from.get(..before.len())?, input)?;
    let location = "header:Location#tail";
    if take(location, answer).is_ok_and(|tail| tail.as_str().is_some_and(|tail| !tail.is_empty())) {
        path.insert(name.clone(), String::new());
        return Some((rank, Reach { path, bound: Some((name.clone(), location.to_owned())) }));
    }
    if let Some(key) = Parsed::of(answer).into_value().and_then(|body| identifier(name, &body)) {
        path.insert(name.clone(), String::new());
        return Some((rank, Reach { path, bound: Some((name.clone(), format!("body:{key}"))) }));
    }
    let Some(Body::Json { json }) = &input.body else { return None };
    let value = json.get(identifier(name, json)?)?;
    path.insert(name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    Some((rank, plain(path)))
}

/// The segments of an operation's path, each split into pieces.
fn segments(op_id: &OpId) -> Vec<Vec<Piece>> {
    op_id.path().split('/').filter(|segment| !segment.is_empty()).map(pieces).collect()
}

/// Path parameters of a read whose segments match those of the write; `None` where a segment differs.
fn values(to: &[Vec<Piece>], from: &[Vec<Piece>], input: &Input) -> Option<BTreeMap<String, String>> {
    let mut out = BTreeMap::new();
    for (to, from) in to.iter().zip(from) {
        if to.len() != from.len() {
            return None;
        }
        for (to, from) in to.iter().zip(from) {
            match (to, from) {
                (Piece::Literal(a), Piece::Literal(b)) if a == b => {}
                (Piece::Parameter(name), Piece::Parameter(known)) => {
                    out.insert(name.clone(), input.path.get(known)?.clone());
                }
                _ => return None,
            }
        }
    }
    Some(out)
}

/// The key in an object that holds the value for a path parameter: one with the parameter's name or the end of it, or `id`.
fn identifier(name: &str, body: &Value) -> Option<String> {
    let object = body.as_object()?;
    let plain = |key: &str| key.to_lowercase().replace(['_', '-'], "");
    let wanted = plain(name);
    let usable =
        |value: &Value| value.is_i64() || value.is_u64() || value.as_str().is_some_and(|text| !text.is_empty());
    let simple = |key: &str| key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let find = |fits: &dyn Fn(&str) -> bool| {
        let mut keys = object.iter().filter(|(key, value)| simple(key) && usable(value) && fits(&plain(key)));
        keys.next().map(|(key, _)| key.clone())
    };
    find(&|key| key == wanted)
        .or_else(|| find(&|key| !key.is_empty() && key.len() > 1 && wanted.ends_with(key)))
        .or_else(|| find(&|key| key == "id"))
}

/// The reads of a sequence as independent requests, with captured values from the write's answer.
pub fn baselines(tour: &Sequence, written: &Answer) -> Vec<Oracle> {
    let first = tour.steps.first().map(|step| &step.captures);
    let value = |bind: &str| {
        let from = first?.get(captured(bind)?)?;
        let value = take(from, written).ok()?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let one = |step: &Step| {
        let mut input = step.input.clone();
        for (place, bind) in &step.binds {
            let Some(name) = place.strip_prefix("path.") else { continue };
            input.path.insert(name.to_owned(), value(bind).unwrap_or_default());
        }
        Oracle::question(&step.op_id, &step.as_user, input, Effect::Reads)
    };
    tour.steps.iter().skip(1).map(one).collect()
}

/// The follow-up shown by several runs on fresh state. It keeps reads that answer the same in each run and differently
/// from `without`, their answers without the write (in the order of the steps). `None` where no read shows the write.
pub fn followed(
    tour: &Sequence,
    runs: &[Vec<Answer>],
    without: &[Option<Answer>],
    moment: &Moment,
) -> Option<Followed> {
    let (write, reads) = tour.steps.split_first()?;
    let held = |run: &&Vec<Answer>| {
        run.first().is_some_and(|answer| judge(&write.assertions, answer, &Captures::new()).is_empty())
    };
    let runs: Vec<&Vec<Answer>> = runs.iter().filter(held).collect();
    if runs.len() < 2 {
        return None;
    }
    let (mut steps, mut varies, mut quarantined) = (vec![write.clone()], Vec::new(), Vec::new());
    for (n, read) in reads.iter().enumerate() {
        let answers: Vec<&Answer> = runs.iter().filter_map(|run| run.get(n + 1)).collect();
        let Some(Some(without)) = without.get(n) else { continue };
        let Some((assertions, unsteady)) = stable_assertions(read, &answers, moment) else { continue };
        if judge(&assertions, without, &Captures::new()).is_empty() {
            continue;
        }
        steps.push(Step { assertions, ..read.clone() });
        let number = steps.len();
        quarantined.extend(unsteady.iter().map(|one| {
            let Quarantined { path, why } = one.quarantined();
            Quarantined { path: format!("{number}:{path}"), why }
        }));
        varies.extend(unsteady.into_iter().map(|one| (read.op_id.clone(), one)));
    }
    if steps.len() < 2 {
        return None;
    }
    let bound: Vec<String> = steps.iter().flat_map(|step| step.binds.values().cloned()).collect();
    if let Some(first) = steps.first_mut() {
        first.captures.retain(|name, _| bound.iter().any(|bind| captured(bind) == Some(name)));
    }
    let runs = u32::try_from(runs.len()).unwrap_or(u32::MAX);
    let shown: Vec<&str> = steps.iter().skip(1).map(|step| step.op_id.as_str()).collect();
    let shows = if shown.len() == 1 { "shows" } else { "show" };
    let sequence = Sequence {
        description: format!("{}; {} {shows} it.", tour.description.trim_end_matches('.'), shown.join(" and ")),
        s_id: Sequence::identity(&steps),
        confirmation: Confirmation::confirmed(runs, quarantined),
        steps,
        ..tour.clone()
    };
    Some(Followed { observed: sequence.steps.iter().skip(1).map(|step| step.assertions.len()).sum(), sequence, varies })
}

/// The assertions that hold in all answers to a step, and the places that vary; `None` if the statuses differ or are 5xx.
pub(crate) fn stable_assertions(
    step: &Step,
    answers: &[&Answer],
    moment: &Moment,
) -> Option<(Vec<Assertion>, Vec<Unstable>)> {
    let last = answers.last()?;
    if last.status >= 500 || answers.iter().any(|answer| answer.status != last.status) {
        return None;
    }
    let bodies: Vec<Option<Value>> = answers.iter().map(|answer| Parsed::of(answer).into_value()).collect();
    let moment = &moment.of(&step.op_id);
    let unsteady = unstable(&bodies, moment);
    let question = Oracle::question(&step.op_id, &step.as_user, step.input.clone(), Effect::Reads);
    let mut assertions = observed(&question, last, &unsteady, moment);
    let holds = |assertion: &Assertion, answer: &Answer| {
        judge(std::slice::from_ref(assertion), answer, &Captures::new()).is_empty()
    };
    assertions.retain(|assertion| answers.iter().all(|answer| holds(assertion, answer)));
    Some((assertions, unsteady))
}

/// Whether the reads of a follow-up hold in each of these runs.
pub fn reads_hold(known: &Sequence, runs: &[Vec<Answer>]) -> bool {
    let holds = |run: &Vec<Answer>| {
        let steps = known.steps.iter().zip(run).skip(1);
        steps.into_iter().all(|(step, answer)| judge(&step.assertions, answer, &Captures::new()).is_empty())
    };
    !runs.is_empty() && runs.iter().all(holds)
}

/// The follow-up with assertions updated to these runs on the head; `None` where the write now fails or a run is
/// incomplete.
pub fn renewed(known: &Sequence, runs: &[Vec<Answer>], moment: &Moment) -> Option<Sequence> {
    let last = runs.last()?;
    if last.first()?.status >= 400 {
        return None;
    }
    let mut sequence = known.clone();
    let mut quarantined = Vec::new();
    for (n, step) in sequence.steps.iter_mut().enumerate() {
        let answers: Vec<&Answer> = runs.iter().filter_map(|run| run.get(n)).collect();
        let holds = |assertion: &_| {
            answers.iter().all(|answer| judge(std::slice::from_ref(assertion), answer, &Captures::new()).is_empty())
        };
        step.assertions.retain(holds);
        let answer = last.get(n)?;
        let bodies: Vec<Option<Value>> = answers.iter().map(|answer| Parsed::of(answer).into_value()).collect();
        let moment = &moment.of(&step.op_id);
        let unsteady = unstable(&bodies, moment);
        let question = Oracle::question(&step.op_id, &step.as_user, step.input.clone(), Effect::Writes);
        let more = observed(&Oracle { assertions: step.assertions.clone(), ..question }, answer, &unsteady, moment);
        step.assertions.extend(more);
        if n == 0 {
            step.assertions = shared_with_follow_up(&step.assertions);
            continue;
        }
        quarantined.extend(unsteady.iter().map(|one| {
            let Quarantined { path, why } = one.quarantined();
            Quarantined { path: format!("{}:{path}", n + 1), why }
        }));
    }
    let runs = u32::try_from(runs.len()).unwrap_or(u32::MAX);
    sequence.confirmation = Confirmation::confirmed(runs, quarantined);
    Some(sequence)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use mastor_types::suite::assertion::{Check, StatusSet};

    fn op(text: &str) -> OpId {
        OpId::parse(text).unwrap()
    }

    fn answer(status: u16, location: Option<&str>, body: Value) -> Answer {
        let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        headers.extend(location.map(|location| ("location".to_owned(), location.to_owned())));
        Answer { status, headers, body: body.to_string().into_bytes(), cut: false, millis: 1.0 }
    }

    fn write(op_id: &str, path: &[(&str, &str)], body: Option<Value>, status: u16) -> Oracle {
        let path = path.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let input = Input { path, body: body.map(|json| Body::Json { json }), ..Input::default() };
        let expected = Assertion::derived(Check::Status { expected: StatusSet::One(status) });
        Oracle { assertions: vec![expected], ..Oracle::question(&op(op_id), "anonymous", input, Effect::Writes) }
    }

    fn readers() -> Vec<OpId> {
        ["GET /orders", "GET /orders/{id}", "GET /orders/{id}/lines", "GET /customers/{id}", "POST /orders"]
            .map(op)
            .into()
    }

    fn asked(tour: &Sequence) -> Vec<String> {
        let bound = |step: &Step| step.binds.keys().cloned().collect::<Vec<_>>().join(",");
        tour.steps.iter().skip(1).map(|step| format!("{} {:?} {}", step.op_id, step.input.path, bound(step))).collect()
    }

    #[test]
    fn the_reads_are_those_of_the_resource_what_was_made_and_the_collection() {
        let advance = write("PUT /orders/{orderId}/status", &[("orderId", "7")], None, 200);
        let made = follow_up(&advance, &answer(200, None, json!({})), &readers()).unwrap();
        assert_eq!(asked(&made), [r#"GET /orders/{id} {"id": "7"} "#, "GET /orders {} "]);
        let place = write("POST /orders", &[], Some(json!({"note": "x"})), 201);
        for (location, body, from) in [
            (Some("/orders/9"), json!({}), Some("header:Location#tail")),
            (None, json!({"id": 9, "customerId": 1}), Some("body:id")),
            (None, json!({"customerId": 9}), None),
        ] {
            let made = follow_up(&place, &answer(201, location, body), &readers()).unwrap();
            assert_eq!(made.steps[0].captures.get("id").map(String::as_str), from);
        }
        let put = write("POST /things", &[], Some(json!({"name": "a/b"})), 201);
        let made = follow_up(&put, &answer(201, None, json!(null)), &[op("GET /things/{thingName}")]).unwrap();
        assert_eq!(asked(&made), [r#"GET /things/{thingName} {"thingName": "a/b"} "#]);
        assert!(follow_up(&place, &answer(400, None, json!({})), &readers()).is_none(), "a refused write does nothing");
    }

    #[test]
    fn only_reads_that_show_the_write_are_kept_without_what_varies() {
        let close = write("PUT /orders/{id}/status", &[("id", "7")], None, 200);
        let made = follow_up(&close, &answer(200, None, json!({})), &readers()).unwrap();
        let run = |served: u32| {
            let one = answer(200, None, json!({"id": 7, "status": "PAID", "served": served}));
            vec![answer(200, None, json!({})), one, answer(200, None, json!([7, 8]))]
        };
        let without =
            [answer(200, None, json!({"id": 7, "status": "NEW", "served": 1})), answer(200, None, json!([7, 8]))];
        let moment = Moment { now: 1_795_279_680, authority: "127.0.0.1:8080".to_owned(), ..Moment::default() };
        let kept = followed(&made, &[run(4), run(5)], &without.clone().map(Some), &moment).unwrap();
        let ops: Vec<&str> = kept.sequence.steps.iter().map(|step| step.op_id.as_str()).collect();
        assert_eq!(ops, ["PUT /orders/{id}/status", "GET /orders/{id}"]);
        assert_eq!(kept.sequence.confirmation.quarantined[0].path, "2:served");
        assert!(kept.sequence.is_follow_up() && kept.sequence.first() == Some(close.o_id));
        assert!(reads_hold(&kept.sequence, &[run(6)]));

        let same: Vec<Answer> = run(6).drain(1..).collect();
        let shown = same.into_iter().map(Some).collect::<Vec<_>>();
        assert_eq!(followed(&made, &[run(4), run(5)], &shown, &moment), None, "nothing that the write has done");
        assert_eq!(followed(&made, &[run(4)], &without.map(Some), &moment), None, "seen once is not seen");
    }
}
