//! Rivals: other routes that a request of an operation may reach.

use super::segments::{Segment, may_meet, segments};
use crate::runtime::subject::Subject;

/// Other routes that a request may reach instead: looked up once, since there can be thousands.
pub struct Rivals<'s> {
    /// The segments of the own route.
    pub route: Vec<Segment>,
    /// Routes as long as this one with a text where this one has a variable.
    pub as_long: Vec<&'s [Segment]>,
    /// Routes of the same method of which one is bound by a regular expression, where it is not followed which of two is taken.
    pub bound: Vec<&'s [Segment]>,
}

impl<'s> Rivals<'s> {
    /// Of an operation.
    pub fn of(subject: &'s Subject<'s>) -> Self {
        let route = segments(&subject.endpoint.raw_path);
        let is_bound = |segment: &Segment| matches!(segment, Segment::Variable { pattern: Some(_), .. });
        let is_text_within = |parts: &[Segment]| {
            let mut pairs = parts.iter().zip(&route);
            pairs.any(|(other, own)| matches!((other, own), (Segment::Text(_), Segment::Variable { .. })))
        };
        let (mut as_long, mut bound) = (Vec::new(), Vec::new());
        for (other, parts) in subject.endpoints.iter().zip(subject.shared.routes(subject.endpoints)) {
            if parts.len() != route.len() {
                continue;
            }
            if is_text_within(parts) {
                as_long.push(parts.as_slice());
            }
            let is_other = other.method == subject.endpoint.method && other.raw_path != subject.endpoint.raw_path;
            if is_other && route.iter().chain(parts).any(is_bound) && may_meet(&route, parts) {
                bound.push(parts.as_slice());
            }
        }
        Self { route, as_long, bound }
    }
}
