//! Judges oracles with given data: the status that the code answers if its opaque calls return what the oracle gives.

use serde_json::Value as Json;

use crate::oracles::opaque::{is_opaque, stub_id, told};
use mastor_java::interpret::paths::path::Taken;
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::{Input, InputPlace, Inputs};
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::{Case, CaseBody, at_path};
use mastor_runtime::server::opaquely::ComparablePath;
use mastor_types::suite::oracle::Oracle;

/// A path that a request takes if calls return what the oracle gives, with its status; `None` if there is none, or if
/// there are several with different statuses.
pub(super) fn way<'e>(
    bench: &Bench<'_>,
    ways: &'e [ComparablePath],
    (oracle, case): (&Oracle, &Case),
) -> Option<(u16, &'e ComparablePath)> {
    let given: Vec<&str> =
        oracle.given.iter().filter_map(|given| given.stub.as_ref()).map(|stub| stub.id.as_str()).collect();
    let may_take = |ended: &&ComparablePath| {
        let is_denied =
            |taken: &Taken| is_opaque(&taken.cond) && given.contains(&stub_id(&taken.cond.negate()).as_str());
        let mut asked = ended.path.conditions.iter().filter(|taken| !is_opaque(&taken.cond));
        !ended.conditions.iter().any(is_denied)
            && asked
                .all(|taken| bench.holds(&taken.cond, case).or_else(|| taken.cond.holds(&AsSent(case))) != Some(false))
    };
    let mut found: Option<(u16, &ComparablePath)> = None;
    for ended in ways.iter().filter(may_take) {
        let status = told(ended)?;
        match found {
            Some((known, _)) if known != status => return None,
            Some(_) => {}
            None => found = Some((status, ended)),
        }
    }
    found
}

/// The values of a request as sent, for inputs of unknown type.
struct AsSent<'c>(&'c Case);

impl Inputs for AsSent<'_> {
    fn scalar(&self, input: &Input) -> Option<Scalar> {
        if input.place != InputPlace::Body {
            return Some(self.0.params.get(input).map_or(Scalar::Null, |text| Scalar::text(text)));
        }
        let CaseBody::Json(body) = &self.0.body else { return None };
        match at_path(body, &input.name) {
            None | Some(Json::Null) => Some(Scalar::Null),
            Some(Json::String(text)) => Some(Scalar::text(text)),
            Some(Json::Bool(value)) => Some(Scalar::Bool(*value)),
            Some(Json::Number(number)) => number.as_i64().map(Scalar::Long),
            Some(_) => None,
        }
    }

    fn size(&self, _input: &Input) -> Option<i32> {
        None
    }
}
