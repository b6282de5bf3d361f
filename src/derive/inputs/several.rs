//! Requests whose lists contain several different elements, unsorted and one of them twice. Code that sorts a list or
//! removes duplicates answers them differently than a list of one element.

use serde_json::{Value as Json, json};

use super::solve::{Candidate, Pool};
use mastor_frameworks::Location;
use mastor_java::interpret::values::term::Input;
use mastor_java::interpret::values::value::Type;
use mastor_runtime::request::case::{Case, CaseBody};
use mastor_runtime::request::signature::element;

/// Maximum number of lists that are filled.
const MOST: usize = 6;
/// Maximum depth of these lists in the body.
const DEPTH: usize = 2;

/// How the elements differ: suffixes of strings, and offsets of numbers. Strings and numbers are in different orders.
const ELEMENTS: [(&str, i64); 4] = [("b", 3), ("c", 1), ("a", 2), ("b", 3)];

/// Requests with one of the body's lists filled this way.
pub fn lists(pool: &Pool<'_>, start: &Case) -> Vec<Case> {
    let CaseBody::Json(_) = start.body else { return Vec::new() };
    let Some(slot) = pool.bench.signature.slots.iter().find(|slot| slot.location == Location::Body) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    within(pool, (&slot.input, &slot.ty), 0, &mut found);
    let filled = found.into_iter().take(MOST).filter_map(|(input, of)| {
        let mut case = start.clone();
        let elements = ELEMENTS.map(|by| differing(pool, &of, by)).to_vec();
        pool.put(&mut case, &input, &Candidate::Json(Json::Array(elements))).then_some(case)
    });
    filled.collect()
}

/// The lists in a type, with their element types.
fn within(pool: &Pool<'_>, (input, ty): (&Input, &Type), depth: usize, found: &mut Vec<(Input, Type)>) {
    if let Some(of) = element(ty) {
        found.push((input.clone(), of));
        return;
    }
    let fields = ty.project().and_then(|id| pool.bench.signature.fields(id)).unwrap_or_default();
    for field in fields.iter().filter(|_| depth < DEPTH) {
        within(pool, (&input.field(&field.name), &field.ty), depth + 1, found);
    }
}

/// A sample of a type with different unconstrained strings and numbers.
fn differing(pool: &Pool<'_>, ty: &Type, by: (&str, i64)) -> Json {
    let sample = pool.sample(ty, 1);
    let fields = ty.project().and_then(|id| pool.bench.signature.fields(id));
    let (Some(fields), Json::Object(mut object)) = (fields, sample.clone()) else { return changed(ty, sample, by) };
    for field in fields {
        let annotations = &pool.bench.subject.project.member(field.member).annotations;
        if annotations.iter().all(|one| one.simple() == "JsonProperty")
            && let Some(value) = object.get_mut(&field.name)
        {
            *value = changed(&field.ty, value.take(), by);
        }
    }
    Json::Object(object)
}

fn changed(ty: &Type, value: Json, (letter, number): (&str, i64)) -> Json {
    match (ty, &value) {
        (Type::Str, Json::String(text)) => json!(format!("{text}{letter}")),
        (Type::Prim(_) | Type::Boxed(_), Json::Number(own)) => match (own.as_i64(), own.as_f64()) {
            (Some(own), _) => json!(own + number),
            (None, Some(own)) => json!(own + number as f64),
            _ => value,
        },
        _ => value,
    }
}
