//! Rival routes: other routes that a request for an operation may match.

use super::segments::{Segment, may_meet, segments};
use crate::subject::Subject;

/// Other routes that a request may match instead. Computed once, since there can be thousands.
pub struct Rivals<'s> {
    /// The segments of the operation's route.
    pub route: Vec<Segment>,
    /// Routes of the same length with a literal where this route has a variable.
    pub as_long: Vec<&'s [Segment]>,
    /// Overlapping routes of the same method, if one of the two routes has a regular expression. Which route wins is
    /// not modelled.
    pub bound: Vec<&'s [Segment]>,
}

impl<'s> Rivals<'s> {
    /// The rivals of an operation.
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
