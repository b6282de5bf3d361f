//! Trials: requests without a derived answer, for comparing two running revisions.

use std::collections::BTreeMap;

use super::explore::{Settled, TriedRequest, settle};
use crate::inputs::solve::{Candidate, Pool};
use mastor_java::interpret::values::term::{Input, InputPlace};
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::Case;
use mastor_runtime::server::serve::Run;
use mastor_types::Method;
use mastor_types::suite::input;

/// Maximum number of trials of one operation.
const MOST: usize = 240;
/// Maximum number of trials that change one value of a tried request.
const NEAR: usize = 120;
/// Maximum number of requests with different answers from which others are made.
const STARTS: usize = 6;
/// Maximum number of values of one input.
const VALUES: usize = 24;
/// More integers, for relations between several inputs.
const NUMBERS: [&str; 6] = ["4", "5", "6", "10", "12", "100"];

/// Requests of an operation that only reads: tried requests with one value changed, then combinations of pool values.
/// The values come from conditions in the code, so that they are on both sides of the conditions.
pub fn trials(bench: &Bench<'_>, open: &Run, tried: &[TriedRequest]) -> Vec<input::Input> {
    if bench.subject.endpoint.method != Method::Get {
        return Vec::new();
    }
    let pool = Pool::of(bench, &[open]);
    let values: BTreeMap<Input, Vec<Candidate>> = pool
        .inputs()
        .filter(|input| input.place != InputPlace::Body)
        .map(|input| (input.clone(), values(pool.of_input(input))))
        .filter(|(_, values)| !values.is_empty())
        .collect();
    if values.is_empty() {
        return Vec::new();
    }
    let mut made = TrialBuilder { pool: &pool, tried, cases: Vec::new() };
    let starts = starts(&pool, tried);
    'near: for at in 0..VALUES {
        for start in &starts {
            for (input, values) in &values {
                if let Some(value) = values.get(at) {
                    made.add(start, &[(input, value)]);
                }
                if made.cases.len() >= NEAR {
                    break 'near;
                }
            }
        }
    }
    if let (Some(start), true) = (starts.first(), values.len() > 1) {
        for turn in 0..4 * MOST {
            if made.cases.len() >= MOST {
                break;
            }
            let chosen: Vec<(&Input, &Candidate)> = values
                .iter()
                .enumerate()
                .filter_map(|(at, (input, values))| Some((input, values.get(mixed(turn, at) % values.len())?)))
                .collect();
            made.add(start, &chosen);
        }
    }
    made.cases.iter().map(|case| case.request(&bench.signature)).collect()
}

struct TrialBuilder<'a, 'b> {
    pool: &'a Pool<'b>,
    tried: &'a [TriedRequest],
    cases: Vec<Case>,
}

impl TrialBuilder<'_, '_> {
    fn add(&mut self, start: &Case, chosen: &[(&Input, &Candidate)]) {
        let mut case = start.clone();
        let put = chosen.iter().all(|(input, value)| self.pool.put(&mut case, input, value));
        let known = |case: &Case| self.tried.iter().any(|one| one.case == *case) || self.cases.contains(case);
        if put && self.pool.is_sendable(&case) && !known(&case) {
            self.cases.push(case);
        }
    }
}

/// Values of an input from conditions. For numbers and made-up strings there are a few more, so that several inputs can
/// be in any order.
fn values(of_pool: &[Candidate]) -> Vec<Candidate> {
    let mut values: Vec<Candidate> = of_pool
        .iter()
        .filter(|value| matches!(value, Candidate::Text(_) | Candidate::Absent))
        .take(VALUES - NUMBERS.len())
        .cloned()
        .collect();
    let texts: Vec<&str> = of_pool
        .iter()
        .filter_map(|value| if let Candidate::Text(text) = value { Some(text.as_str()) } else { None })
        .collect();
    let mut more: Vec<String> = Vec::new();
    // The first value decides whether the input is a number, since a condition may compare a number with a word too.
    if !texts.is_empty() && texts[0].parse::<f64>().is_ok() {
        more.extend(NUMBERS.iter().map(|number| (*number).to_owned()));
    } else {
        let made = texts.iter().filter(|text| text.len() > 1 && crate::inputs::samples::filler(text.len()) == ***text);
        more.extend(made.map(|text| text.chars().filter_map(|c| char::from_u32(u32::from(c) + 8)).collect::<String>()));
    }
    for text in more {
        let value = Candidate::Text(text);
        if values.len() < VALUES && !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Requests with different derived answers.
fn starts(pool: &Pool<'_>, tried: &[TriedRequest]) -> Vec<Case> {
    let mut seen: Vec<Option<Settled>> = Vec::new();
    let mut starts = Vec::new();
    for one in tried {
        let settled = settle(&one.run);
        if starts.len() < STARTS && !seen.contains(&settled) {
            seen.push(settled);
            starts.push(one.case.clone());
        }
    }
    if starts.is_empty() {
        starts.push(pool.valid());
    }
    starts
}

/// A pseudo-random number that is the same in every run.
fn mixed(turn: usize, at: usize) -> usize {
    let mut x = (turn as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add((at as u64 + 1).wrapping_mul(0xd1b5_4a32_d192_ed03));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(of_pool: &[&str]) -> Vec<String> {
        let of_pool: Vec<Candidate> = of_pool.iter().map(|text| Candidate::Text((*text).to_owned())).collect();
        let text = |value: Candidate| if let Candidate::Text(text) = value { text } else { String::new() };
        values(&of_pool).into_iter().map(text).collect()
    }

    #[test]
    fn a_number_has_further_numbers_though_a_condition_names_a_word() {
        assert_eq!(texts(&["1", "0", "abc"]), ["1", "0", "abc", "4", "5", "6", "10", "12", "100"]);
        assert_eq!(texts(&["sample", "abcde"]), ["sample", "abcde", "ijklm"]);
    }

    #[test]
    fn however_much_conditions_name_there_is_room_for_more() {
        let many: Vec<String> = (1000..1040).map(|n| n.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(texts(&many).contains(&"100".to_owned()) && texts(&many).len() == VALUES);
    }
}
