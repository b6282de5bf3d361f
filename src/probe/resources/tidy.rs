//! Removes what a request created by the service's own operations, so that the next job finds nearly the initial state.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::follow::reach;
use crate::answers::judge::take;
use crate::job::Job;
use mastor_types::OpId;
use mastor_types::http::Method;
use mastor_types::results::outcome::Answer;
use mastor_types::suite::assertion::statuses;
use mastor_types::suite::input::{Body, Input};
use mastor_types::suite::oracle::{Effect, Oracle};
use mastor_types::suite::sequence::Step;

/// Maximum distance (see `follow::reach`) between the creating operation and one that removes its result.
const NEAR: usize = 2;

/// `DELETE` operations, each with a user and a request that is expected to succeed.
#[derive(Debug, Default)]
pub struct Removers(BTreeMap<OpId, (String, Input)>);

impl Removers {
    /// The `DELETE` steps of these jobs that expect success.
    pub fn of<'j>(jobs: impl IntoIterator<Item = &'j Job>) -> Self {
        let mut found = BTreeMap::new();
        for step in jobs.into_iter().flat_map(|job| &job.steps) {
            let is_let_through = statuses(&step.assertions).iter().all(|code| *code < 400);
            if step.op_id.method() == Method::Delete && is_let_through {
                found.entry(step.op_id.clone()).or_insert_with(|| (step.as_user.clone(), step.input.clone()));
            }
        }
        Self(found)
    }

    /// Whether no removing operation is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The requests that remove what a job created, the last creation first.
    pub fn removals(&self, job: &Job, answers: &[Answer]) -> Vec<Arc<Job>> {
        let steps = job.steps.iter().zip(answers).rev();
        steps.filter_map(|(step, answer)| self.removal(step, answer)).collect()
    }

    fn removal(&self, step: &Step, answer: &Answer) -> Option<Arc<Job>> {
        let is_placed = !step.binds.keys().any(|place| place.starts_with("path."));
        if step.op_id.method() != Method::Post || !(200..300).contains(&answer.status) || !is_placed {
            return None;
        }
        let near = |(op_id, known): (&'_ OpId, &(String, Input))| {
            let (far, reach) = reach(op_id, (&step.op_id, &step.input), answer).filter(|(far, _)| *far <= NEAR)?;
            // A value that the request itself named may have existed before.
            let (name, from) = reach.bound?;
            let value = take(&from, answer).ok().filter(|value| !names(&step.input, value))?;
            let mut path = reach.path;
            path.insert(name, text(&value));
            let (as_user, input) = known;
            let input = Input { path, ..input.clone() };
            Some((far, Oracle::question(op_id, as_user, input, Effect::Writes)))
        };
        let nearest = self.0.iter().filter_map(near).min_by_key(|(far, _)| *far);
        nearest.map(|(_, oracle)| Arc::new(Job::of_oracle(&oracle)))
    }
}

/// Whether a request contains this value in path, query, headers, cookies or body.
fn names(input: &Input, value: &Value) -> bool {
    let value = text(value);
    let pairs = [&input.query, &input.headers, &input.cookies].into_iter().flatten();
    let in_body = match &input.body {
        Some(Body::Json { json }) => holds(json, &value),
        Some(Body::Form { form }) => form.iter().any(|(_, own)| *own == value),
        Some(Body::Multipart { multipart }) => multipart.iter().any(|part| part.text == value),
        Some(Body::Text { text, .. }) => text.contains(&value),
        Some(Body::Base64 { .. }) | None => false,
    };
    in_body || pairs.map(|(_, own)| own).chain(input.path.values()).any(|own| *own == value)
}

fn holds(json: &Value, value: &str) -> bool {
    match json {
        Value::Array(items) => items.iter().any(|item| holds(item, value)),
        Value::Object(fields) => fields.values().any(|field| holds(field, value)),
        leaf => text(leaf) == value,
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use mastor_types::suite::assertion::{Assertion, Check, StatusSet};

    fn job(op_id: &str, path: &[(&str, &str)], body: Option<Value>, status: u16) -> Job {
        let path = path.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let input = Input { path, body: body.map(|json| Body::Json { json }), ..Input::default() };
        let question = Oracle::question(&OpId::parse(op_id).unwrap(), "anonymous", input, Effect::Writes);
        let expected = Check::Status { expected: StatusSet::One(status) };
        Job::of_oracle(&Oracle { assertions: vec![Assertion::derived(expected)], ..question })
    }

    fn removed(by: &[Job], job: &Job, status: u16, body: &Value) -> Vec<String> {
        let answer =
            Answer { status, headers: Vec::new(), body: body.to_string().into_bytes(), cut: false, millis: 1.0 };
        let removals = Removers::of(by).removals(job, &[answer]);
        removals.iter().map(|job| format!("{} {:?}", job.steps[0].op_id, job.steps[0].input.path)).collect()
    }

    #[test]
    fn what_was_made_is_removed_where_an_operation_is_known_to_do_it() {
        let by = [
            job("DELETE /orders/{id}", &[("id", "1")], None, 204),
            job("DELETE /tags/{name}", &[("name", "red")], None, 204),
            job("DELETE /secrets/{id}", &[("id", "1")], None, 403),
        ];
        let place = job("POST /orders", &[], Some(json!({"note": "x"})), 201);
        assert_eq!(removed(&by, &place, 201, &json!({"id": 9})), [r#"DELETE /orders/{id} {"id": "9"}"#]);
        let nothing: Vec<String> = Vec::new();
        assert_eq!(removed(&by, &place, 400, &json!({"id": 9})), nothing, "what is refused makes nothing");
        let tag = job("POST /tags/{name}", &[("name", "blue")], None, 201);
        assert_eq!(removed(&by, &tag, 201, &json!({"name": "blue"})), nothing, "it may have been there before");
        let kept = job("POST /orders", &[], Some(json!({"id": 9})), 201);
        assert_eq!(removed(&by, &kept, 201, &json!({"id": 9})), nothing, "it may have been there before");
        let within = job("POST /orders", &[], Some(json!({"lines": [{"order": "9"}]})), 201);
        assert_eq!(removed(&by, &within, 201, &json!({"id": 9})), nothing, "however deep it stands");
        let mut asked = job("POST /orders", &[], None, 201);
        asked.steps[0].input.query = vec![("id".to_owned(), "9".to_owned())];
        assert_eq!(removed(&by, &asked, 201, &json!({"id": 9})), nothing, "or in the query");
        let change = job("PUT /orders/{id}", &[("id", "1")], None, 200);
        assert_eq!(removed(&by, &change, 200, &json!({"id": 1})), nothing, "what was there before stays");
        let secret = job("POST /secrets", &[], None, 201);
        assert_eq!(removed(&by, &secret, 201, &json!({"id": 9})), nothing, "it is known to be refused alone");
    }
}
