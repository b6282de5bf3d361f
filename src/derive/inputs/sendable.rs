//! Sendable requests: a request must reach its own operation only, and have one meaning.

use super::solve::Pool;
use mastor_frameworks::Location;
use mastor_runtime::request::case::Case;
use mastor_runtime::request::rivals::Rivals;
use mastor_runtime::request::segments::{Segment, may_meet};
use mastor_runtime::request::text_forms::Converted;

impl Pool<'_> {
    /// Whether a case reaches this operation only, and its strings have one meaning.
    pub fn is_sendable(&self, case: &Case) -> bool {
        let Rivals { route, as_long, bound } = self.rivals.get_or_init(|| Rivals::of(self.bench.subject));
        let mut asked = route.clone();
        for slot in self.bench.signature.slots.iter().filter(|slot| slot.location == Location::Path) {
            let Some(text) = case.params.get(&slot.input) else { return false };
            let is_own =
                |segment: &Segment| matches!(segment, Segment::Variable { name, .. } if **name == *slot.input.name);
            // A variable that is only part of a segment may not match.
            let Some(at) = route.iter().position(is_own).filter(|at| route[*at].takes(text)) else { return false };
            // Old framework versions remove a file suffix from the last segment.
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
        // Every parameter value must have only one reading.
        self.bench.signature.slots.iter().all(|slot| match case.params.get(&slot.input) {
            Some(text) => !matches!(slot.convert(text), Converted::Unknown),
            None => true,
        })
    }
}
