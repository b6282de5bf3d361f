//! Which methods that derive a publisher from another are modelled, and whether their result is a `Mono` or a `Flux`.

use super::state::{FLUX, MONO};
use crate::interpret::library::base::invocation::LibraryCall;

/// Methods that keep the kind of publisher, with their minimum and maximum number of arguments.
const SAME: &[(&str, usize, usize)] = &[
    ("map", 1, 1),
    ("mapNotNull", 1, 1),
    ("filter", 1, 1),
    ("switchIfEmpty", 1, 1),
    ("defaultIfEmpty", 1, 1),
    ("onErrorResume", 1, 2),
    ("onErrorReturn", 1, 2),
    ("onErrorMap", 1, 2),
    ("doOnNext", 1, 1),
    ("doOnError", 1, 1),
    ("log", 0, 1),
    ("subscribeOn", 1, 1),
    ("publishOn", 1, 1),
    ("checkpoint", 0, 1),
];

/// Methods of `Mono` only, with the class of their result.
const OF_MONO: &[(&str, usize, usize, &str)] = &[
    ("flatMap", 1, 1, MONO),
    ("flatMapMany", 1, 1, FLUX),
    ("flatMapIterable", 1, 1, FLUX),
    ("doOnSuccess", 1, 1, MONO),
    ("then", 0, 1, MONO),
    ("thenReturn", 1, 1, MONO),
    ("thenMany", 1, 1, FLUX),
    ("zipWith", 1, 2, MONO),
    ("hasElement", 0, 0, MONO),
    ("flux", 0, 0, FLUX),
    ("single", 0, 0, MONO),
];

/// Methods of `Flux` only, with the class of their result.
const OF_FLUX: &[(&str, usize, usize, &str)] = &[
    ("flatMap", 1, 1, FLUX),
    ("concatMap", 1, 1, FLUX),
    ("flatMapSequential", 1, 1, FLUX),
    ("flatMapIterable", 1, 1, FLUX),
    ("collectList", 0, 0, MONO),
    ("next", 0, 0, MONO),
    ("count", 0, 0, MONO),
    ("hasElements", 0, 0, MONO),
    ("take", 1, 1, FLUX),
    ("skip", 1, 1, FLUX),
    ("then", 0, 1, MONO),
];

/// The name of a modelled method, as a static string.
pub(super) fn known(call: &LibraryCall<'_>) -> Option<&'static str> {
    find(call).map(|(name, _)| name)
}

/// The publisher class that a call returns.
pub(super) fn class_after(call: &LibraryCall<'_>) -> Option<&'static str> {
    find(call).map(|(_, class)| class)
}

fn find(call: &LibraryCall<'_>) -> Option<(&'static str, &'static str)> {
    let count = call.args.len();
    let own = if call.fqn == FLUX { FLUX } else { MONO };
    let fits = |name: &str, low: usize, high: usize| name == call.name && (low..=high).contains(&count);
    if let Some((name, ..)) = SAME.iter().find(|(name, low, high)| fits(name, *low, *high)) {
        return Some((name, own));
    }
    let table = if own == FLUX { OF_FLUX } else { OF_MONO };
    table.iter().find(|(name, low, high, _)| fits(name, *low, *high)).map(|(name, _, _, class)| (*name, *class))
}
