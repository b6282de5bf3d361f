//! Slots: the values that stubs returned during a request, and those that they could return instead.

use serde_json::{Value, json};

use mastor_types::suite::given::{GivenValue, Gives, Stub};
use mastor_types::suite::given::{part, short};

/// Constants of an enum, or exceptions, that are tried in one place, at most.
const OTHERS: usize = 3;

/// A place in the result of a stub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    /// The call: `com.acme.Rows#find`.
    call: String,
    /// The place in the result; empty for the whole result.
    at: String,
    /// The sort of value: `flag`, `number`, `text`, `constant`, `holder`, `object`, `void` or `failure`; for something
    /// that the request itself lacks, `missing` or `replace`.
    sort: String,
    /// The value there; for objects the class, empty for null.
    value: String,
    /// Other possible values.
    options: Vec<String>,
}

/// Parses the harness's report.
pub(super) fn parse(text: &str) -> Vec<Slot> {
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [call, at, sort, value, options] = fields.as_slice() else { return None };
        let options = options.split(',').filter(|one| !one.is_empty()).map(str::to_owned).collect();
        let text = |text: &&str| (*text).to_owned();
        Some(Slot { call: text(call), at: text(at), sort: text(sort), value: text(value), options })
    };
    text.lines().filter_map(line).collect()
}

impl Slot {
    /// Whether it is the whole result of a call.
    pub(super) fn is_whole(&self) -> bool {
        self.at.is_empty() && self.call.contains('#')
    }

    /// A field that the request's body lacks, with a value for it.
    pub(super) fn missing(&self) -> Option<(&str, Value)> {
        let value = (self.sort == "missing").then(|| serde_json::from_str(&self.value).ok()).flatten()?;
        Some((&self.at, value))
    }

    /// A text of the request that was not understood, and a replacement.
    pub(super) fn replaced(&self) -> Option<(&str, &str)> {
        (self.sort == "replace").then_some((&self.at, &self.value))
    }

    pub(super) fn call(&self) -> &str {
        &self.call
    }

    /// How deep it lies in the result of a call.
    fn depth(&self) -> usize {
        self.at.split('.').filter(|step| !step.is_empty() && !step.starts_with('[') && *step != "get()").count()
    }

    /// Other values for this place, each with a rank: lower ranks are tried first. Values from the code are tried in
    /// places of their type.
    fn others(&self, named: &[Value]) -> Vec<(u8, GivenValue)> {
        let is = |value: &Value| GivenValue::Is(value.clone());
        match self.sort.as_str() {
            "flag" => vec![(0, GivenValue::Is(json!(self.value != "true")))],
            "holder" if !self.value.is_empty() => vec![(1, GivenValue::Empty)],
            "object" if !self.value.is_empty() && self.is_whole() => vec![(1, GivenValue::Null)],
            "constant" => {
                let others = self.options.iter().filter(|one| **one != self.value).take(OTHERS);
                others.map(|one| (2, GivenValue::Constant(one.clone()))).collect()
            }
            "text" => named.iter().filter(|one| one.is_string()).map(|one| (3, is(one))).collect(),
            "number" => {
                let mut all: Vec<Value> = named.iter().filter(|one| one.is_i64()).cloned().collect();
                all.push(json!(0));
                all.iter().filter(|one| one.to_string() != self.value).map(|one| (4, is(one))).collect()
            }
            "failure" => self.options.iter().take(OTHERS).map(|one| (5, GivenValue::Throws(one.clone()))).collect(),
            _ => Vec::new(),
        }
    }
}

/// Values that the stubs of a request could return instead, one at a time: deeper places come later, and the last calls
/// come first, since the answer depends on them most.
pub(super) fn alternatives(slots: &[Slot], named: &[Value]) -> Vec<Gives> {
    let mut all: Vec<((usize, u8, usize), Gives)> = Vec::new();
    for (place, slot) in slots.iter().enumerate() {
        for (rank, value) in slot.others(named) {
            let at = if slot.sort == "failure" { String::new() } else { slot.at.clone() };
            let gives = Gives { call: slot.call.clone(), at, value };
            all.push(((slot.depth(), rank, slots.len() - place), gives));
        }
    }
    all.sort_by_key(|(key, _)| *key);
    all.into_iter().map(|(_, gives)| gives).collect()
}

/// The results of a request's stubs, as givens of an oracle. Calls without a result are left out.
pub(super) fn given(slots: &[Slot], gives: &[Gives]) -> Vec<Stub> {
    let mut all: Vec<Stub> = Vec::new();
    for slot in slots.iter().filter(|slot| slot.is_whole() && slot.sort != "void") {
        let own: Vec<Gives> = gives.iter().filter(|one| one.call == slot.call).cloned().collect();
        let when = words(slot, &own);
        all.push(Stub::of(&slot.call, own, when));
    }
    for one in gives {
        if all.iter().all(|stub| stub.calls[0] != one.call) {
            let own: Vec<Gives> = gives.iter().filter(|other| other.call == one.call).cloned().collect();
            all.push(Stub::giving(&one.call, own));
        }
    }
    all
}

/// The result of a call in words: `Notes.findById finds a Note, its hidden is true`.
fn words(slot: &Slot, gives: &[Gives]) -> String {
    let whole = gives.iter().find(|one| one.at.is_empty());
    let first = match (whole, slot.sort.as_str()) {
        (Some(one), _) => part(one),
        (None, "flag" | "number" | "constant") => format!("is {}", slot.value),
        (None, "text") => format!("is \"{}\"", slot.value),
        (None, "holder") if slot.value.is_empty() => "finds nothing".to_owned(),
        (None, "holder") => format!("finds a {}", slot.value),
        (None, _) if slot.value.is_empty() => "gives null".to_owned(),
        (None, _) => format!("gives a {}", slot.value),
    };
    let parts = gives.iter().filter(|one| !one.at.is_empty()).map(part);
    let all: Vec<String> = [first].into_iter().chain(parts).collect();
    format!("{} {}", short(&slot.call), all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &str = "a.Notes#findById\t\tholder\tNote\t\na.Notes#findById\tget().hidden\tflag\ttrue\t\n\
                        a.Notes#findById\tget().state\tconstant\tOPEN\tOPEN,DONE\na.Users#exists\t\tflag\ttrue\t\n\
                        a.Mail#send\t\tvoid\t\t\na.Mail#send\t!\tfailure\t\tjava.io.IOException\n";

    #[test]
    fn what_lies_on_top_and_was_asked_last_is_tried_first() {
        let all = alternatives(&parse(TOLD), &[]);
        let told: Vec<String> = all.iter().map(|one| format!("{} {}", short(&one.call), part(one))).collect();
        assert_eq!(
            told,
            [
                "Users.exists is false",
                "Notes.findById finds nothing",
                "Notes.findById its hidden is false",
                "Notes.findById its state is DONE",
                "Mail.send fails with IOException",
            ]
        );
    }

    #[test]
    fn what_stubs_gave_is_told_with_what_was_put_in_its_place() {
        let hidden = Gives {
            call: "a.Notes#findById".to_owned(),
            at: "get().hidden".to_owned(),
            value: GivenValue::Is(json!(false)),
        };
        let all = given(&parse(TOLD), std::slice::from_ref(&hidden));
        let told: Vec<&str> = all.iter().map(|stub| stub.when.as_str()).collect();
        assert_eq!(told, ["Notes.findById finds a Note, its hidden is false", "Users.exists is true"]);
        assert_eq!((all[0].gives.as_slice(), all[1].gives.len()), (&[hidden][..], 0));
    }
}
