//! Requests for stored data: if an input is looked up in a store, the values of existing rows, and one of no row.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::solve::{Candidate, Pool};
use crate::search::tried::{Add, Purpose, TriedRequest};
use mastor_frameworks::Location;
use mastor_java::interpret::stores::data::{Cell, Keys, Row, Stores};
use mastor_java::interpret::stores::state::{LookupValue, StoreOperation};
use mastor_java::interpret::values::term::{Input, InputPlace};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::{Case, CaseBody};

/// Number of rounds. Each round derives requests from those of the round before.
const ROUNDS: usize = 3;
/// Maximum number of values of one input.
const VALUES: usize = 3;
/// Maximum number of requests of one operation.
const MOST: usize = 24;

/// A string that is in no row.
pub const ABSENT: &str = "nosuch";

/// A valid document identifier that most likely identifies no document.
const IDENTIFIER: &str = "65a50c2be1f2a3b4c5d6e7f8";

/// Tries requests for existing rows, and for a missing one.
pub fn cases(bench: &Bench<'_>, pool: &Pool<'_>, tried: &mut Vec<TriedRequest>, add: &Add<'_>) {
    let stores = &bench.subject.shared.stores;
    let mut seen: BTreeSet<(Input, TypeId, MemberId)> = BTreeSet::new();
    let mut done: BTreeSet<(Input, String)> = BTreeSet::new();
    let mut identifiers: BTreeMap<Input, usize> = BTreeMap::new();
    let (mut from, mut made) = (0, 0);
    without_key(bench, pool, tried, add);
    for _ in 0..ROUNDS {
        let upto = tried.len();
        for at in from..upto {
            if let Some(case) = together(bench, pool, &tried[at])
                && made < MOST
            {
                made += usize::from(add(case, Purpose::Plain, tried).is_some());
            }
            for (input, values) in looked(stores, &tried[at]) {
                for value in &values {
                    let mut case = tried[at].case.clone();
                    if made < MOST
                        && !done.contains(&(input.clone(), value.to_string()))
                        && pool.put(&mut case, &input, &candidate(&input, value))
                    {
                        done.insert((input.clone(), value.to_string()));
                        made += usize::from(add(case, Purpose::Sample(input.clone()), tried).is_some());
                    }
                }
            }
            for input in identified(&tried[at]) {
                let value = json!(IDENTIFIER);
                let mut case = tried[at].case.clone();
                let tries = identifiers.entry(input.clone()).or_default();
                *tries += 1;
                if made < MOST && *tries <= ROUNDS && pool.put(&mut case, &input, &candidate(&input, &value)) {
                    made += usize::from(add(case, Purpose::Sample(input.clone()), tried).is_some());
                }
            }
            for (input, entity, field, text) in asked(&tried[at]) {
                if !seen.insert((input.clone(), entity, field)) {
                    continue;
                }
                for value in values(stores, entity, field, &text) {
                    let mut case = tried[at].case.clone();
                    if made < MOST && pool.put(&mut case, &input, &candidate(&input, &value)) {
                        made += usize::from(add(case, Purpose::Sample(input.clone()), tried).is_some());
                    }
                }
            }
        }
        from = upto;
    }
}

/// The request with values of the first rows for all inputs that were looked up, if there are several.
fn together(bench: &Bench<'_>, pool: &Pool<'_>, tried: &TriedRequest) -> Option<Case> {
    let stores = &bench.subject.shared.stores;
    let mut case = tried.case.clone();
    let mut inputs: BTreeSet<Input> = BTreeSet::new();
    for (input, entity, field, text) in asked(tried) {
        let first = values(stores, entity, field, &text).into_iter().next()?;
        if !inputs.contains(&input) && pool.put(&mut case, &input, &candidate(&input, &first)) {
            inputs.insert(input);
        }
    }
    (inputs.len() > 1 && case != tried.case).then_some(case)
}

/// If the body is an entity with a key that the store generates, tries the plain request without the key.
fn without_key(bench: &Bench<'_>, pool: &Pool<'_>, tried: &mut Vec<TriedRequest>, add: &Add<'_>) {
    let stores = &bench.subject.shared.stores;
    for slot in bench.signature.slots.iter().filter(|slot| slot.location == Location::Body) {
        let entity = slot.ty.project().and_then(|ty| stores.entities.get(&ty));
        let Some(entity) = entity.filter(|entity| entity.keys == Keys::Generated) else { continue };
        let Some(name) = entity.fields.iter().find(|field| field.member == entity.id).map(|field| &field.name) else {
            continue;
        };
        let input = slot.input.field(name);
        let mut case = pool.valid();
        if pool.put(&mut case, &input, &Candidate::Absent) {
            add(case, Purpose::Sample(input), tried);
        }
    }
}

fn candidate(input: &Input, value: &Json) -> Candidate {
    match (input.place, value) {
        (InputPlace::Body, value) => Candidate::Json(value.clone()),
        (_, Json::String(text)) => Candidate::Text(text.clone()),
        (_, other) => Candidate::Text(other.to_string()),
    }
}

/// The inputs of a request that were looked up in a store, each with the entity, its field, and the input's string.
fn asked(tried: &TriedRequest) -> Vec<(Input, TypeId, MemberId, String)> {
    let mut out = Vec::new();
    for deed in tried.run.served.iter().flat_map(|served| &served.path.store.deeds) {
        let StoreOperation::Asked { entity, field, value: LookupValue::Text(text), .. } = deed else { continue };
        for input in inputs_of(&tried.case, text) {
            let one = (input, *entity, *field, text.clone());
            if !out.contains(&one) {
                out.push(one);
            }
        }
    }
    out
}

/// The inputs of a request that were parsed as document identifiers and are invalid.
fn identified(tried: &TriedRequest) -> Vec<Input> {
    let mut out = Vec::new();
    for deed in tried.run.served.iter().flat_map(|served| &served.path.store.deeds) {
        let StoreOperation::Identified { text } = deed else { continue };
        let inputs = inputs_of(&tried.case, text).into_iter();
        out.extend(inputs.filter(|_| **text != *IDENTIFIER));
    }
    out
}

/// The inputs of a request that an SQL statement looked up, each with the existing values of the column.
fn looked(stores: &Stores, tried: &TriedRequest) -> Vec<(Input, Vec<Json>)> {
    let mut out: Vec<(Input, Vec<Json>)> = Vec::new();
    for deed in tried.run.served.iter().flat_map(|served| &served.path.store.deeds) {
        let StoreOperation::Looked { table, column, value: LookupValue::Text(text) } = deed else { continue };
        let rows = stores.tables.get(&**table).map(|table| table.rows.as_slice()).unwrap_or_default();
        for input in inputs_of(&tried.case, text) {
            if !out.iter().any(|(known, _)| *known == input) {
                out.push((input, chosen(rows, column, text)));
            }
        }
    }
    out
}

/// The inputs of a request with this string value.
pub(crate) fn inputs_of(case: &Case, text: &str) -> Vec<Input> {
    let params = case.params.iter().filter(|(_, value)| *value == text).map(|(input, _)| input.clone());
    let mut found: Vec<Input> = params.collect();
    if let CaseBody::Json(json) = &case.body {
        leaves(json, &Input::new(InputPlace::Body, ""), text, &mut found);
    }
    found
}

fn leaves(json: &Json, at: &Input, text: &str, found: &mut Vec<Input>) {
    match json {
        Json::Object(map) => map.iter().for_each(|(name, inner)| leaves(inner, &at.field(name), text, found)),
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(index, inner)| leaves(inner, &at.element(index), text, found));
        }
        Json::String(own) if own == text => found.push(at.clone()),
        Json::Number(number) if number.to_string() == text => found.push(at.clone()),
        _ => {}
    }
}

/// Values of a field in the existing rows: the first ones and the last, and one of no row.
fn values(stores: &Stores, entity: TypeId, field: MemberId, asked: &str) -> Vec<Json> {
    let Some(entity) = stores.entities.get(&entity) else { return Vec::new() };
    let rows = stores.tables.get(&entity.table).map(|table| table.rows.as_slice()).unwrap_or_default();
    entity.field_of(field).map_or_else(|| chosen(&[], "", asked), |column| chosen(rows, column, asked))
}

/// Values of a column: of the first rows and the last, and one of no row.
fn chosen(rows: &[Row], column: &str, asked: &str) -> Vec<Json> {
    let mut all: Vec<&Json> = Vec::new();
    for row in rows {
        if let Some(Cell::Value(json)) = row.get(column)
            && !all.contains(&json)
        {
            all.push(json);
        }
    }
    let mut out: Vec<Json> = all.iter().take(VALUES - 1).chain(all.last()).map(|value| (*value).clone()).collect();
    out.dedup();
    out.push(match asked.parse::<i64>() {
        Ok(_) => json!(99_999),
        Err(_) => match asked.split_once('@') {
            Some((_, host)) => json!(format!("{ABSENT}@{host}")),
            None => json!(ABSENT),
        },
    });
    out
}
