//! Response headers with certain values, set by the handler, or by servlet filters before they pass the request on.
//! The rule `headers`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::serve::Run;
use mastor_java::interpret::library::frameworks::named_headers::{self, Named, OPEN};
use mastor_types::suite::assertion::{Assertion, Check, FieldOp};

/// Headers that servers, frameworks or security set or change themselves.
const THEIRS: &[&str] = &[
    "allow",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "etag",
    "expires",
    "keep-alive",
    "last-modified",
    "location",
    "pragma",
    "server",
    "set-cookie",
    "strict-transport-security",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "vary",
    "www-authenticate",
    "x-content-type-options",
    "x-frame-options",
    "x-xss-protection",
];

/// Headers with known values that all paths of a request agree on.
pub fn agreed(run: &Run) -> BTreeMap<String, String> {
    let mut each = run.served.iter().map(|served| served.answer.headers.as_ref());
    let Some(Some(first)) = each.next() else { return BTreeMap::new() };
    let rest: Vec<Option<&Named>> = each.collect();
    let is_sure = |name: &String, value: &String| {
        rest.iter().all(|other| other.is_some_and(|other| other.get(name).and_then(Option::as_ref) == Some(value)))
    };
    let known = first.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    known.filter(|(name, value)| is_sure(name, value)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Assertions on the headers of an answer, without those that another answer of the operation already showed with the
/// same value.
pub fn assertions(
    status: u16,
    headers: &BTreeMap<String, String>,
    shown: &mut BTreeSet<(String, String)>,
) -> Vec<Assertion> {
    if status >= 400 {
        return Vec::new();
    }
    let is_plain = |text: &str| {
        !text.is_empty()
            && text.trim() == text
            && !text.contains(OPEN)
            && text.bytes().all(|byte| (b' '..0x7f).contains(&byte))
    };
    let own = headers.iter().filter(|(name, value)| {
        let is_theirs = THEIRS.contains(&name.as_str()) || name.starts_with("proxy-") || name.starts_with("sec-");
        !is_theirs && is_plain(value)
    });
    let fresh = own.filter(|(name, value)| shown.insert(((*name).clone(), (*value).clone())));
    fresh
        .map(|(name, value)| {
            let name = named_headers::titled(name);
            Assertion::derived(Check::Header { name, op: FieldOp::Equals, expected: Some(json!(value)) })
        })
        .collect()
}
