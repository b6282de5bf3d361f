//! The path between the URL of a service and the paths of its operations.

use std::collections::BTreeMap;

use mastor_extract::Surface;
use mastor_types::OpId;

/// The path to insert between `base_url` and the path of an operation: empty if the URL has a path itself; else the
/// prefix that most routes of the code have before the documented path, context path included; without such routes, the
/// document's base path.
pub fn service_path(surface: &Surface, base_url: &str) -> String {
    let host = base_url.find("://").map_or(base_url, |at| &base_url[at + 3..]);
    if host.trim_end_matches('/').contains('/') {
        return String::new();
    }
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    for found in &surface.matches {
        let Some(endpoint) = found.endpoints.first().and_then(|at| surface.endpoints.get(*at)) else { continue };
        let full = OpId::new(endpoint.method, &format!("{}/{}", endpoint.context_path, endpoint.path));
        if let Some(prefix) = prefix(&found.op_id, &full) {
            *votes.entry(prefix).or_default() += 1;
        }
    }
    let most = votes.into_iter().max_by_key(|(prefix, count)| (*count, std::cmp::Reverse(prefix.len())));
    let documented = || surface.document.as_ref().and_then(|document| document.base_paths.first());
    match most {
        Some((prefix, _)) => prefix,
        None => documented().map(|base| base.trim_end_matches('/').to_owned()).unwrap_or_default(),
    }
}

/// The prefix that a route has before the path of the operation; `None` if the route does not end in that path.
fn prefix(op_id: &OpId, route: &OpId) -> Option<String> {
    let path = |op_id: &OpId| op_id.erased().split_once(' ').map(|(_, path)| path.trim_end_matches('/').to_owned());
    let prefix = path(route)?.strip_suffix(&path(op_id)?)?.to_owned();
    (!prefix.contains('{')).then_some(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_is_what_the_route_has_more() {
        let of = |op: &str, route: &str| prefix(&OpId::parse(op).unwrap(), &OpId::parse(route).unwrap());
        assert_eq!(of("GET /a/{id}", "GET /rest//a/{code}"), Some("/rest".to_owned()));
        assert_eq!(of("GET /a", "GET /a/"), Some(String::new()));
        assert_eq!(of("GET /", "GET /rest"), Some("/rest".to_owned()));
        assert_eq!(of("GET /rest/a", "GET /a"), None);
        assert_eq!(of("GET /a", "GET /{tenant}/a"), None);
    }
}
