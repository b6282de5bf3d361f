//! The cause of a difference: where base and head diverge on a request, so that all effects of one code change are
//! reported as one change.

use std::collections::BTreeSet;

use crate::judge::oracle::place;
use crate::search::explore::{Settled, settle};
use mastor_java::interpret::paths::path::{Site, Taken};
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::Case;
use mastor_runtime::server::serve::{Run, Served};
use mastor_runtime::subject::Subject;
use mastor_types::results::change::Place;
use mastor_types::suite::input;

/// Where the answers to one request diverge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cause {
    /// Names of the places where the decision is made; requests that share a name have the same cause. Empty if the
    /// code does not show it.
    pub names: BTreeSet<String>,
    /// Whether the diverging condition is tested outside the one edited member, on a value that this member produced.
    pub is_elsewhere: bool,
    /// Where base makes the decision.
    pub before: Option<Place>,
    /// Where head makes the decision.
    pub after: Option<Place>,
}

/// One revision of an operation, with its paths on open inputs.
struct RevisionRun<'a> {
    bench: Bench<'a>,
    open: Run,
}

/// The run of one revision on one request.
struct RequestRun<'h> {
    /// Paths on open inputs that the request may take.
    paths: Vec<&'h Served>,
    run: Run,
    settled: Option<Settled>,
}

impl RequestRun<'_> {
    /// Whether this condition is the last one of a path.
    fn ends_with(&self, taken: &Taken) -> bool {
        self.paths.iter().any(|served| served.path.conditions.last() == Some(taken))
    }
}

/// Both revisions of one operation.
pub struct CauseFinder<'a> {
    old: RevisionRun<'a>,
    new: RevisionRun<'a>,
    changed: &'a BTreeSet<String>,
    member: Option<&'a str>,
}

impl<'a> CauseFinder<'a> {
    /// Compares these two revisions; `changed` are the symbols that differ, `member` is the edited one, if only one was
    /// edited.
    pub fn new(
        base: &'a Subject<'a>,
        head: &'a Subject<'a>,
        changed: &'a BTreeSet<String>,
        member: Option<&'a str>,
    ) -> Self {
        Self { old: RevisionRun::of(base), new: RevisionRun::of(head), changed, member }
    }

    /// Why base and head diverge on this request: the condition that differs; if all conditions agree, the changed
    /// members that ran.
    pub fn cause(&self, request: &input::Input) -> Cause {
        let (Some(before), Some(after)) = (self.old.way(request), self.new.way(request)) else {
            return Cause::default();
        };
        let mut cause = Cause::default();
        let (was, is) = (parting(&before, &after), parting(&after, &before));
        cause.names.extend(was.map(|taken| self.old.asks("before", taken)));
        cause.names.extend(is.map(|taken| self.new.asks("after", taken)));
        let refused = |way: &RequestRun<'_>| way.settled.as_ref().filter(|settled| settled.status >= 400)?.exit;
        // If the condition is the one that rejects the request, or none is known, the rejection itself names the cause.
        let unknown = cause.names.is_empty() && !same_status(&before, &after);
        let old = refused(&before).filter(|_| unknown || was.is_some_and(|taken| before.ends_with(taken)));
        let new = refused(&after).filter(|_| unknown || is.is_some_and(|taken| after.ends_with(taken)));
        cause.names.extend(old.map(|site| self.old.named("before", site)));
        cause.names.extend(new.map(|site| self.new.named("after", site)));
        let mut ran = self.old.changed_of(&before, self.changed);
        ran.extend(self.new.changed_of(&after, self.changed));
        if cause.names.is_empty() && !ran.is_empty() {
            cause.names.insert(rests_on(ran.iter().map(String::as_str)));
        }
        // A condition outside the edited member differs because of the value that the member produced.
        let of = |half: &RevisionRun<'_>, taken: Option<&Taken>, site: Option<Site>| -> Vec<String> {
            let sites = taken.and_then(|taken| taken.site).into_iter().chain(site);
            sites.map(|site| half.bench.subject.project.symbol(site.member)).collect()
        };
        let places = [of(&self.old, was, old), of(&self.new, is, new)].concat();
        if let Some(member) = self.member.filter(|member| ran.contains(*member))
            && !places.iter().any(|symbol| symbol == member)
        {
            cause.names.insert(rests_on(std::iter::once(member)));
            cause.is_elsewhere = !places.is_empty();
        }
        let exit = |way: &RequestRun<'_>| way.settled.as_ref().and_then(|settled| settled.exit);
        let asked = |taken: Option<&Taken>| taken.and_then(|taken| taken.site);
        cause.before = exit(&before).or(asked(was)).map(|site| place(self.old.bench.subject, site));
        cause.after = exit(&after).or(asked(is)).map(|site| place(self.new.bench.subject, site));
        cause
    }
}

impl<'a> RevisionRun<'a> {
    fn of(subject: &'a Subject<'a>) -> Self {
        let bench = Bench::new(subject);
        let open = bench.open();
        Self { bench, open }
    }

    fn way(&self, request: &input::Input) -> Option<RequestRun<'_>> {
        let case = Case::of_request(request, &self.bench.signature)?;
        let met = |taken: &Taken| taken.cond.is_unknown() || self.bench.holds(&taken.cond, &case) == Some(true);
        let paths = self.open.served.iter().filter(|served| served.path.conditions.iter().all(met)).collect();
        let run = self.bench.try_case(&case);
        let settled = settle(&run);
        Some(RequestRun { paths, run, settled })
    }

    fn named(&self, side: &str, site: Site) -> String {
        let place = place(self.bench.subject, site);
        format!("{side} {}:{}:{}", place.file, site.span.start, site.span.end)
    }

    /// The name of a condition: its place in the code; for a condition of the framework, its words.
    fn asks(&self, side: &str, taken: &Taken) -> String {
        taken.site.map_or_else(|| format!("{side} {}", taken.cond), |site| self.named(side, site))
    }

    fn changed_of(&self, way: &RequestRun<'_>, changed: &BTreeSet<String>) -> BTreeSet<String> {
        let project = self.bench.subject.project;
        let members = way.run.served.iter().flat_map(|served| &served.path.members);
        members.map(|member| project.symbol(*member)).filter(|symbol| changed.contains(symbol)).collect()
    }
}

/// The first condition of a run that no path of the other run tests.
fn parting<'w>(way: &'w RequestRun<'_>, other: &RequestRun<'_>) -> Option<&'w Taken> {
    if other.paths.is_empty() {
        return None;
    }
    let others: BTreeSet<String> =
        other.paths.iter().flat_map(|served| &served.path.conditions).map(|taken| taken.cond.to_string()).collect();
    let known = way.paths.iter().flat_map(|served| &served.path.conditions).filter(|taken| !taken.cond.is_unknown());
    known.into_iter().find(|taken| !others.contains(&taken.cond.to_string()))
}

fn rests_on<'n>(names: impl Iterator<Item = &'n str>) -> String {
    format!("rests on {}", names.collect::<Vec<_>>().join(", "))
}

fn same_status(a: &RequestRun<'_>, b: &RequestRun<'_>) -> bool {
    match (&a.settled, &b.settled) {
        (Some(a), Some(b)) => a.status == b.status,
        _ => false,
    }
}
