//! Traces: the path of one request, as the locations of its decisions; and coverage figures of an operation's run on
//! open inputs.

use std::collections::BTreeMap;

use mastor_java::interpret::Outcome;
use mastor_java::interpret::paths::path::{Modelled, Site};
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::Case;
use mastor_runtime::server::serve::Served;
use mastor_runtime::subject::Subject;
use mastor_types::results::trace::{Step, Trace};
use mastor_types::suite::input;

/// The path of a user's request; `None` if the request contains values that the operation does not bind.
pub fn trace(subject: &Subject<'_>, as_user: &str, request: &input::Input) -> Option<Trace> {
    let bench = Bench::new(subject);
    let case = Case::of_request(request, &bench.signature)?.sent_by(as_user);
    let run = bench.try_case(&case);
    let served = run.served.first()?;
    // The run of the concrete request has no conditions, since the request decides them all. The open path that the
    // request takes has them as conditions on inputs.
    let open = bench.open();
    let takes =
        |other: &&Served| other.path.conditions.iter().all(|taken| bench.holds(&taken.cond, &case) == Some(true));
    let shown = open.served.iter().find(takes).unwrap_or(served);
    let place = |site: Site| place(subject, site);
    let conditions = shown
        .path
        .conditions
        .iter()
        .map(|taken| Step { what: taken.cond.to_string(), place: taken.site.map(place) })
        .collect();
    let path = &served.path;
    let models = path
        .library_calls
        .iter()
        .filter(|(_, modelled)| **modelled == Modelled::Answered)
        .map(|(name, _)| name.to_string());
    Some(Trace {
        conditions,
        members: path.members.iter().map(|member| subject.project.symbol(*member)).collect(),
        decided: path.exit.map(place),
        models: models.collect(),
        unknown: path.unknowns.iter().map(ToString::to_string).collect(),
        bound: match path.outcome {
            Outcome::Cut(bound) => Some(bound.describe().to_owned()),
            _ => None,
        },
    })
}

fn place(subject: &Subject<'_>, site: Site) -> (String, u32) {
    subject.project.shown(site.member.ty, site.span.line)
}

/// Figures of an operation's run on open inputs.
#[derive(Debug, Clone, Default)]
pub struct Reached {
    /// Calls of library methods, and whether a model answered them.
    pub calls: BTreeMap<String, Modelled>,
    /// Number of paths.
    pub paths: usize,
    /// Number of paths that were cut off, by bound.
    pub cut: BTreeMap<&'static str, usize>,
    /// Number of paths with a certain outcome.
    pub certain: usize,
}

/// Runs an operation on open inputs, and counts.
pub fn reached(subject: &Subject<'_>) -> Reached {
    let bench = Bench::new(subject);
    let mut found = Reached::default();
    for served in bench.open().served {
        found.paths += 1;
        found.certain += usize::from(served.is_certain());
        if let Outcome::Cut(bound) = served.path.outcome {
            *found.cut.entry(bound.describe()).or_default() += 1;
        }
        for (name, modelled) in &served.path.library_calls {
            let known = found.calls.entry(name.to_string()).or_insert(*modelled);
            *known = (*known).max(*modelled);
        }
    }
    found
}
