//! Chooses the OpenAPI document of a service: among several, the one whose operations match the routes of the code.

use mastor_extract::Surface;
use mastor_extract::api::matching::{self, Sides};
use mastor_frameworks::Endpoint;
use mastor_openapi::{self as openapi, Document};
use mastor_revision::SourceTree;
use mastor_types::results::report::MatchStatus;

/// Maximum number of documents read.
const MOST: usize = 24;

/// The chosen document, and the reasons.
#[derive(Default)]
pub(super) struct Chosen {
    /// Its path, from the repository's root; `None` where no document matches.
    pub(super) path: Option<String>,
    /// Whether documents exist but none matches.
    pub(super) is_refused: bool,
    /// Which documents were taken or not, one line each.
    pub(super) said: Vec<String>,
}

/// A readable document and how well it matches.
struct Fit {
    path: String,
    generates_code: bool,
    matched: usize,
    operations: usize,
}

/// Chooses among the documents in the service's folder and those of the repository outside of other services' folders.
pub(super) fn choose(
    tree: &SourceTree,
    surface: &Surface,
    endpoints: &[Endpoint],
    dir: &str,
    others: &[&str],
) -> Chosen {
    let mut candidates = openapi::discover(tree, dir);
    let is_others = |path: &str| others.iter().any(|other| !other.is_empty() && path.starts_with(&format!("{other}/")));
    let beside = if dir.is_empty() { Vec::new() } else { openapi::discover(tree, "") };
    for candidate in beside {
        if !is_others(&candidate.path) && candidates.iter().all(|known| known.path != candidate.path) {
            candidates.push(candidate);
        }
    }
    candidates.retain(|candidate| !is_others(&candidate.path));
    let (mut fits, mut said) = (Vec::new(), Vec::new());
    for candidate in candidates.iter().take(MOST) {
        match openapi::read(tree, &candidate.path) {
            Ok(document) => fits.push(Fit {
                matched: matched(surface, endpoints, &document),
                operations: document.operations.len(),
                path: candidate.path.clone(),
                generates_code: candidate.generates_code,
            }),
            Err(error) => said.push(format!("  not taken: {}: it cannot be read: {error}", candidate.path)),
        }
    }
    decide(fits, said, endpoints.len(), candidates.len() > MOST)
}

/// How many operations of a document are served by these routes.
fn matched(surface: &Surface, endpoints: &[Endpoint], document: &Document) -> usize {
    let sides = Sides {
        document: Some(document),
        endpoints,
        project: &surface.project,
        build: &surface.build,
        properties: &surface.properties,
    };
    matching::matches(&sides).iter().filter(|one| one.status == MatchStatus::Matched).count()
}

fn decide(mut fits: Vec<Fit>, mut unreadable: Vec<String>, routes: usize, is_cut: bool) -> Chosen {
    // A document from which the build generates code comes first, since its routes may not exist before the build. Ties
    // keep the order of discovery.
    fits.sort_by_key(|fit| (!fit.generates_code, std::cmp::Reverse(fit.matched), fit.operations - fit.matched));
    let is_taken = |fit: &Fit| fit.generates_code || fit.matched > 0 || routes == 0;
    let describes =
        |fit: &Fit| format!("{} of its {} operations are among the {routes} routes", fit.matched, fit.operations);
    let mut chosen = Chosen::default();
    let mut rest = fits.as_slice();
    if let Some((first, others)) = fits.split_first().filter(|(first, _)| is_taken(first)) {
        let why = match (first.generates_code, others.is_empty()) {
            (true, _) => "the build makes code of it".to_owned(),
            (false, true) => describes(first),
            (false, false) => format!("it fits best: {}", describes(first)),
        };
        chosen.said.push(format!("document: {} ({why})", first.path));
        chosen.path = Some(first.path.clone());
        rest = others;
        let also = rest.iter().filter(|other| other.matched > 0).count();
        if also > 0 && first.matched < routes {
            chosen.said.push(format!(
                "  {also} more describe routes of it; one document is read for a service, the routes it lacks count as undocumented"
            ));
        }
    } else if fits.is_empty() && unreadable.is_empty() {
        chosen.said.push("document: none found; the routes are the operations".to_owned());
    } else {
        chosen.is_refused = true;
        chosen.said.push("document: none of those found describes a route; the routes are the operations".to_owned());
    }
    chosen.said.extend(rest.iter().take(5).map(|other| format!("  not taken: {} ({})", other.path, describes(other))));
    chosen.said.append(&mut unreadable);
    if rest.len() > 5 || is_cut {
        chosen.said.push("  and others; `[api] openapi` names the one to take".to_owned());
    }
    chosen
}
