//! Overlapping functional routes: their order, not how specific they are, decides which one serves a request.

use crate::endpoint::Endpoint;

/// Whether the first route may serve a request of the second one: some path matches both, and the first route is not
/// the more literal one.
pub fn takes_from(first: &Endpoint, second: &Endpoint) -> bool {
    if first.method != second.method || first.raw_path == second.raw_path && first.entry == second.entry {
        return false;
    }
    let parts = |path: &str| path.trim_matches('/').split('/').map(str::to_owned).collect::<Vec<_>>();
    let (one, two) = (parts(&first.path), parts(&second.path));
    if first.path.contains('*') || second.path.contains('*') {
        return true;
    }
    let is_open = |part: &str| part.contains('{');
    let fits = one.len() == two.len() && one.iter().zip(&two).all(|(a, b)| a == b || is_open(a) || is_open(b));
    let is_literal = one.iter().zip(&two).all(|(a, b)| !is_open(a) || is_open(b)) && first.path != second.path;
    fits && !is_literal
}
