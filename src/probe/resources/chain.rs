//! Chains: a write that creates a resource, a second write to that resource, reads that show the effect, and the second write once more.
//!
//! A follow-up shows the effect of one write. Some behaviour needs two writes, such as an order that cannot be paid twice: only a chain shows it.

use std::collections::BTreeMap;

use super::follow::{Followed, reach, stable_assertions};
use crate::answers::judge::{Captures, judge};
use crate::answers::unstable::{Moment, Unstable};
use crate::fits::{plain, singular};
use mastor_types::OpId;
use mastor_types::http::Method;
use mastor_types::results::outcome::Answer;
use mastor_types::suite::assertion::Assertion;
use mastor_types::suite::binds::captured;
use mastor_types::suite::input::{Body, Input};
use mastor_types::suite::oracle::{Confirmation, Oracle, Quarantined};
use mastor_types::suite::request::{Piece, pieces};
use mastor_types::suite::sequence::{Sequence, Step};

/// Maximum number of reads after the second write.
const READS: usize = 3;

/// The chain of a followed write and a second write to the resource that it created. `written` is the answer to the first write. `None` if the first write
/// created nothing that the second one uses.
pub fn chain(tour: &Sequence, written: &Answer, second: &Oracle, readers: &[OpId]) -> Option<Sequence> {
    let first = tour.steps.first()?;
    if second.op_id == first.op_id {
        return None;
    }
    let bound = in_path(first, written, second).or_else(|| by_name(first, second))?;
    let (input, binds) = (bound.input, bound.binds);
    let write = Step {
        op_id: second.op_id.clone(),
        as_user: second.as_user.clone(),
        input: input.clone(),
        captures: BTreeMap::new(),
        binds: binds.clone(),
        assertions: Vec::new(),
    };
    let mut reads: Vec<Step> = Vec::new();
    let of_same_path = readers.iter().filter(|reader| is_read_of(reader, &second.op_id));
    let path_binds: BTreeMap<String, String> =
        binds.iter().filter(|(place, _)| place.starts_with("path.")).map(|(a, b)| (a.clone(), b.clone())).collect();
    for reader in of_same_path {
        let input = Input {
            path: input.path.clone(),
            headers: first.input.headers.iter().filter(|(name, _)| !is_of_body(name)).cloned().collect(),
            cookies: first.input.cookies.clone(),
            ..Input::default()
        };
        reads.push(Step { op_id: reader.clone(), input, binds: path_binds.clone(), ..write.clone() });
    }
    for read in tour.steps.iter().skip(1) {
        if reads.iter().all(|known| known.op_id != read.op_id) {
            reads.push(read.clone());
        }
    }
    // Reads of the created resource come first: they show more than lists that contain it.
    reads.sort_by_key(|read| read.binds.is_empty());
    reads.truncate(READS);
    let mut captures = first.captures.clone();
    captures.extend(bound.captures);
    let mut steps = vec![Step { captures, ..first.clone() }, write.clone()];
    steps.extend(reads);
    steps.push(write);
    Some(Sequence {
        s_id: Sequence::identity(&steps),
        test_id: format!("{}_then_{}", tour.test_id.trim_end_matches("_then_read"), name(&second.op_id)),
        confirmation: Confirmation::none(),
        steps,
        ..tour.clone()
    })
}

/// The chain as several runs on fresh state have shown it. The second write must succeed with the same status in each run. Reads are kept if they answer
/// differently than in `before`, the answers after the first write alone, by operation. The repeated second write is kept if its status differs from the
/// first time. `None` if nothing is kept.
pub fn chained(
    chain: &Sequence,
    runs: &[Vec<Answer>],
    before: &BTreeMap<&OpId, &Answer>,
    moment: &Moment,
) -> Option<Followed> {
    let (first, rest) = chain.steps.split_first()?;
    let holds = |run: &&Vec<Answer>| {
        run.first().is_some_and(|answer| judge(&first.assertions, answer, &Captures::new()).is_empty())
    };
    let runs: Vec<&Vec<Answer>> = runs.iter().filter(holds).collect();
    if runs.len() < 2 {
        return None;
    }
    let (mut steps, mut unsteady) = (vec![first.clone()], Vec::<(usize, OpId, Vec<Unstable>)>::new());
    let mut status = None;
    for (n, step) in rest.iter().enumerate() {
        let answers: Vec<&Answer> = runs.iter().filter_map(|run| run.get(n + 1)).collect();
        let found = (answers.len() == runs.len()).then(|| stable_assertions(step, &answers, moment)).flatten();
        let is_last = n + 1 == rest.len();
        let Some((assertions, varies)) = found else {
            if n == 0 {
                return None;
            }
            continue;
        };
        let answer = answers.last()?;
        let kept = match n {
            0 => {
                status = Some(answer.status);
                answer.status < 400
            }
            _ if is_last => Some(answer.status) != status,
            _ => is_new(&assertions, before.get(&step.op_id).copied()),
        };
        if !kept {
            if n == 0 {
                return None;
            }
            continue;
        }
        steps.push(Step { assertions, ..step.clone() });
        unsteady.push((steps.len(), step.op_id.clone(), varies));
    }
    if steps.len() < 3 {
        return None;
    }
    let bound: Vec<String> = steps.iter().flat_map(|step| step.binds.values().cloned()).collect();
    if let Some(first) = steps.first_mut() {
        first.captures.retain(|name, _| bound.iter().any(|bind| captured(bind) == Some(name)));
    }
    let (mut quarantined, mut varies) = (Vec::new(), Vec::new());
    for (number, op_id, of_step) in unsteady {
        for one in of_step {
            let Quarantined { path, why } = one.quarantined();
            quarantined.push(Quarantined { path: format!("{number}:{path}"), why });
            varies.push((op_id.clone(), one));
        }
    }
    let shown: Vec<&str> = steps.iter().skip(2).map(|step| step.op_id.as_str()).collect();
    let sequence = Sequence {
        description: format!(
            "{}; then {}; then {}, as was seen.",
            chain.description.trim_end_matches('.'),
            steps.get(1)?.op_id,
            shown.join(" and ")
        ),
        s_id: Sequence::identity(&steps),
        confirmation: Confirmation::confirmed(u32::try_from(runs.len()).unwrap_or(u32::MAX), quarantined),
        steps,
        ..chain.clone()
    };
    Some(Followed { observed: sequence.steps.iter().skip(1).map(|step| step.assertions.len()).sum(), sequence, varies })
}

/// Whether a read answers differently after the second write than before it; a read that was not sent before counts as different.
fn is_new(assertions: &[Assertion], before: Option<&Answer>) -> bool {
    before.is_none_or(|before| !judge(assertions, before, &Captures::new()).is_empty())
}

/// A second write whose input refers to values that the first write captures.
struct BoundWrite {
    input: Input,
    binds: BTreeMap<String, String>,
    captures: BTreeMap<String, String>,
}

/// The second write, if its path leads through the created resource: `POST /orders`, then `PUT /orders/{id}/status`.
fn in_path(first: &Step, written: &Answer, second: &Oracle) -> Option<BoundWrite> {
    let segments: Vec<&str> = second.op_id.path().split('/').filter(|segment| !segment.is_empty()).collect();
    let made = (1..=segments.len()).find_map(|length| {
        let prefix = OpId::new(Method::Get, &format!("/{}", segments.get(..length)?.join("/")));
        let (_, reach) = reach(&prefix, (&first.op_id, &first.input), written)?;
        let (name, from) = reach.bound?;
        Some((reach.path, name, from))
    })?;
    let (path, name, from) = made;
    let mut input = second.input.clone();
    input.path.extend(path);
    Some(BoundWrite {
        input,
        binds: BTreeMap::from([(format!("path.{name}"), format!("$captures.{name}"))]),
        captures: BTreeMap::from([(name, from)]),
    })
}

/// The second write, if a field names the created resource: `POST /customers`, then `POST /orders` with a `customerId`.
fn by_name(first: &Step, second: &Oracle) -> Option<BoundWrite> {
    let collection = first.op_id.path().rsplit('/').find(|segment| !segment.is_empty() && !segment.contains('{'))?;
    let wanted = format!("{}id", singular(&plain(collection)));
    // Taken from the body, since a JSON field may need the id as a number.
    let (name, from) = first.captures.iter().find(|(_, from)| from.starts_with("body:"))?;
    let capture = format!("$captures.{name}");
    let fits = |field: &str| plain(field) == wanted;
    let mut places: Vec<String> = Vec::new();
    places.extend(second.input.query.iter().filter(|(name, _)| fits(name)).map(|(name, _)| format!("query.{name}")));
    match &second.input.body {
        Some(Body::Json { json }) => {
            let fields = json.as_object().into_iter().flatten();
            places.extend(fields.filter(|(name, _)| fits(name)).map(|(name, _)| format!("body.{name}")));
        }
        Some(Body::Form { form }) => {
            places.extend(form.iter().filter(|(name, _)| fits(name)).map(|(name, _)| format!("form.{name}")));
        }
        _ => {}
    }
    let binds: BTreeMap<String, String> = places.into_iter().map(|place| (place, capture.clone())).collect();
    (!binds.is_empty()).then(|| BoundWrite {
        input: second.input.clone(),
        binds,
        captures: BTreeMap::from([(name.clone(), from.clone())]),
    })
}

fn is_of_body(header: &str) -> bool {
    header.to_ascii_lowercase().starts_with("content-")
}

/// Whether an operation is the `GET` on the path of another one.
fn is_read_of(reader: &OpId, of: &OpId) -> bool {
    reader.method() == Method::Get && reader.path() == of.path()
}

/// An operation as part of a test's name: `put_orders_status`.
fn name(op_id: &OpId) -> String {
    let fixed = |segment: &&str| matches!(pieces(segment).as_slice(), [Piece::Literal(_)]);
    let segments = op_id.path().split('/').filter(|segment| !segment.is_empty()).filter(fixed);
    let method = op_id.method().as_str().to_ascii_lowercase();
    let all: Vec<String> = std::iter::once(method).chain(segments.map(str::to_owned)).collect();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    all.join("_").chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::resources::follow::follow_up;
    use mastor_types::suite::assertion::{Check, StatusSet};
    use mastor_types::suite::oracle::Effect;

    fn op(text: &str) -> OpId {
        OpId::parse(text).unwrap()
    }

    fn answer(status: u16, body: Value) -> Answer {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Answer { status, headers, body: body.to_string().into_bytes(), cut: false, millis: 1.0 }
    }

    fn write(op_id: &str, path: &[(&str, &str)], body: Option<Value>) -> Oracle {
        let path = path.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let input = Input { path, body: body.map(|json| Body::Json { json }), ..Input::default() };
        let expected = Assertion::derived(Check::Status { expected: StatusSet::One(201) });
        Oracle { assertions: vec![expected], ..Oracle::question(&op(op_id), "anonymous", input, Effect::Writes) }
    }

    fn readers() -> Vec<OpId> {
        ["GET /orders", "GET /orders/{id}", "GET /orders/{id}/lines"].map(op).into()
    }

    fn placed() -> (Sequence, Answer) {
        let made = answer(201, json!({"id": 9, "state": "NEW"}));
        let tour = follow_up(&write("POST /orders", &[], Some(json!({"note": "x"}))), &made, &readers()).unwrap();
        (tour, made)
    }

    fn asked(chain: &Sequence) -> Vec<String> {
        chain
            .steps
            .iter()
            .map(|step| format!("{} {}", step.op_id, step.binds.keys().cloned().collect::<String>()))
            .collect()
    }

    #[test]
    fn a_second_write_goes_to_what_the_first_one_made() {
        let (tour, made) = placed();
        let pay = write("PUT /orders/{id}/status", &[("id", "1")], Some(json!({"status": "PAID"})));
        let one = chain(&tour, &made, &pay, &readers()).unwrap();
        assert_eq!(
            asked(&one),
            [
                "POST /orders ",
                "PUT /orders/{id}/status path.id",
                "GET /orders/{id} path.id",
                "GET /orders ",
                "PUT /orders/{id}/status path.id"
            ]
        );
        assert_eq!(one.steps[0].captures["id"], "body:id");
        let line = write("POST /orders/{orderId}/lines", &[("orderId", "1")], Some(json!({"sku": "a"})));
        let one = chain(&tour, &made, &line, &["GET /orders/{orderId}/lines"].map(op)).unwrap();
        assert_eq!(
            asked(&one)[1..3],
            ["POST /orders/{orderId}/lines path.orderId", "GET /orders/{orderId}/lines path.orderId"]
        );
        let invoice = write("POST /invoices", &[], Some(json!({"orderId": 1, "sum": 3})));
        assert_eq!(asked(&chain(&tour, &made, &invoice, &[]).unwrap())[1], "POST /invoices body.orderId");
        let other = write("PUT /customers/{id}", &[("id", "1")], Some(json!({"name": "x"})));
        assert_eq!(chain(&tour, &made, &other, &readers()), None, "what the first write made is not asked for");
    }

    #[test]
    fn a_chain_keeps_what_the_second_write_has_done_and_how_it_is_refused_then() {
        let (tour, made) = placed();
        let pay = write("PUT /orders/{id}/status", &[("id", "1")], None);
        let one = chain(&tour, &made, &pay, &readers()).unwrap();
        let run = |again: u16| {
            let paid = answer(200, json!({"id": 9, "state": "PAID"}));
            vec![made.clone(), paid.clone(), paid, answer(200, json!([9])), answer(again, json!({"error": "paid"}))]
        };
        let (alone, list) = (answer(200, json!({"id": 9, "state": "NEW"})), answer(200, json!([9])));
        let (read, all) = (op("GET /orders/{id}"), op("GET /orders"));
        let before = BTreeMap::from([(&read, &alone), (&all, &list)]);
        let moment = Moment { now: 1_795_279_680, authority: "127.0.0.1:8080".to_owned(), ..Moment::default() };
        let kept = chained(&one, &[run(409), run(409)], &before, &moment).unwrap().sequence;
        let asked: Vec<&str> = kept.steps.iter().map(|step| step.op_id.as_str()).collect();
        assert_eq!(asked, ["POST /orders", "PUT /orders/{id}/status", "GET /orders/{id}", "PUT /orders/{id}/status"]);
        assert!(kept.is_follow_up() && kept.steps.iter().skip(1).all(|step| !step.assertions.is_empty()));
        let asked_once = chained(&one, &[run(200), run(200)], &before, &moment).unwrap().sequence;
        assert_eq!(asked_once.steps.len(), 3, "the second write is answered alike when it is asked again");
        assert_eq!(chained(&one, &[run(409)], &before, &moment), None, "seen once is not seen");
    }
}
