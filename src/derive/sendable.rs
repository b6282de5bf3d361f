//! Sendable: whether a request reaches its own operation and no other, and means one thing only.

use super::case::Case;
use super::inputs::Pool;
use super::segments::{Segment, may_meet, segments};
use super::subject::Subject;
use super::text_forms::Converted;
use crate::frameworks::Location;

/// Other routes that a request may reach instead: looked up once, since there can be thousands.
pub struct Rivals<'s> {
    route: Vec<Segment>,
    /// Routes as long as this one with a text where this one has a variable.
    as_long: Vec<&'s [Segment]>,
    /// Routes of the same method of which one is bound by a regular expression, where it is not followed which of two is taken.
    bound: Vec<&'s [Segment]>,
}

impl<'s> Rivals<'s> {
    fn of(subject: &'s Subject<'s>) -> Self {
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

impl Pool<'_> {
    /// Whether a case reaches this operation and no other, and its texts mean one thing only.
    pub fn is_sendable(&self, case: &Case) -> bool {
        let Rivals { route, as_long, bound } = self.rivals.get_or_init(|| Rivals::of(self.bench.subject));
        let mut asked = route.clone();
        for slot in self.bench.signature.slots.iter().filter(|slot| slot.location == Location::Path) {
            let Some(text) = case.params.get(&slot.input) else { return false };
            let is_own =
                |segment: &Segment| matches!(segment, Segment::Variable { name, .. } if **name == *slot.input.name);
            // A template that is only part of a segment may not match.
            let Some(at) = route.iter().position(is_own).filter(|at| route[*at].takes(text)) else { return false };
            // Old versions cut what looks like a file's suffix off the last segment.
            if at + 1 == route.len() && text.contains('.') && !self.keeps_suffixes() {
                return false;
            }
            asked[at] = Segment::Text(text.clone());
            if as_long.iter().any(|parts| parts.get(at) == asked.get(at)) {
                return false;
            }
        }
        if bound.iter().any(|parts| may_meet(&asked, parts)) {
            return false;
        }
        // The value of every parameter must be read in one way.
        self.bench.signature.slots.iter().all(|slot| match case.params.get(&slot.input) {
            Some(text) => !matches!(slot.convert(text), Converted::Unknown),
            None => true,
        })
    }
}
