//! The cause: where base and head part on a request, so that what follows from one change in the code is told as one change.

use std::collections::BTreeSet;

use crate::derive::judge::oracle::place;
use crate::derive::search::explore::{Settled, settle};
use crate::java::interpret::path::{Site, Taken};
use crate::runtime::bench::Bench;
use crate::runtime::request::case::Case;
use crate::runtime::server::serve::{Run, Served};
use crate::runtime::subject::Subject;
use crate::types::change::Place;
use crate::types::oracle;

/// Where the answers to one request part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cause {
    /// Names of what it rests on; requests that share one have the same cause. Empty where the code does not say.
    pub names: BTreeSet<String>,
    /// Whether what goes otherwise is asked elsewhere than in the one member that was edited, of what that member gave.
    pub is_elsewhere: bool,
    /// Where the base decides it.
    pub before: Option<Place>,
    /// Where the head does.
    pub after: Option<Place>,
}

/// One revision of an operation, with its open paths.
struct Half<'a> {
    bench: Bench<'a>,
    open: Run,
}

/// What one revision makes of one request.
struct Way<'h> {
    /// Open paths that it may take.
    paths: Vec<&'h Served>,
    run: Run,
    settled: Option<Settled>,
}

impl Way<'_> {
    /// Whether this condition is the last one on the way.
    fn ends_with(&self, taken: &Taken) -> bool {
        self.paths.iter().any(|served| served.path.conditions.last() == Some(taken))
    }
}

/// Both revisions of one operation.
pub struct Parting<'a> {
    old: Half<'a>,
    new: Half<'a>,
    changed: &'a BTreeSet<String>,
    member: Option<&'a str>,
}

impl<'a> Parting<'a> {
    /// Compares these two; `changed` are the symbols that differ between them, `member` the one of these that was edited, where only one was.
    pub fn new(
        base: &'a Subject<'a>,
        head: &'a Subject<'a>,
        changed: &'a BTreeSet<String>,
        member: Option<&'a str>,
    ) -> Self {
        Self { old: Half::of(base), new: Half::of(head), changed, member }
    }

    /// Why base and head part on this request: the condition that goes otherwise; where all go the same way, the changed members that ran.
    pub fn cause(&self, request: &oracle::Input) -> Cause {
        let (Some(before), Some(after)) = (self.old.way(request), self.new.way(request)) else {
            return Cause::default();
        };
        let mut cause = Cause::default();
        let (was, is) = (parting(&before, &after), parting(&after, &before));
        cause.names.extend(was.map(|taken| self.old.asks("before", taken)));
        cause.names.extend(is.map(|taken| self.new.asks("after", taken)));
        let refused = |way: &Way<'_>| way.settled.as_ref().filter(|settled| settled.status >= 400)?.exit;
        // Where the condition is the one that refuses, or none is known, the refusal itself names the cause.
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
        // What is asked elsewhere goes otherwise for what the edited member gave.
        let of = |half: &Half<'_>, taken: Option<&Taken>, site: Option<Site>| -> Vec<String> {
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
        let exit = |way: &Way<'_>| way.settled.as_ref().and_then(|settled| settled.exit);
        let asked = |taken: Option<&Taken>| taken.and_then(|taken| taken.site);
        cause.before = exit(&before).or(asked(was)).map(|site| place(self.old.bench.subject, site));
        cause.after = exit(&after).or(asked(is)).map(|site| place(self.new.bench.subject, site));
        cause
    }
}

impl<'a> Half<'a> {
    fn of(subject: &'a Subject<'a>) -> Self {
        let bench = Bench::new(subject);
        let open = bench.open();
        Self { bench, open }
    }

    fn way(&self, request: &oracle::Input) -> Option<Way<'_>> {
        let case = Case::of_request(request, &self.bench.signature)?;
        let met = |taken: &Taken| taken.cond.is_unknown() || self.bench.holds(&taken.cond, &case) == Some(true);
        let paths = self.open.served.iter().filter(|served| served.path.conditions.iter().all(met)).collect();
        let run = self.bench.try_case(&case);
        let settled = settle(&run);
        Some(Way { paths, run, settled })
    }

    fn named(&self, side: &str, site: Site) -> String {
        let place = place(self.bench.subject, site);
        format!("{side} {}:{}:{}", place.file, site.span.start, site.span.end)
    }

    /// A condition by where it is asked; what the framework asks, by its words.
    fn asks(&self, side: &str, taken: &Taken) -> String {
        taken.site.map_or_else(|| format!("{side} {}", taken.cond), |site| self.named(side, site))
    }

    fn changed_of(&self, way: &Way<'_>, changed: &BTreeSet<String>) -> BTreeSet<String> {
        let project = self.bench.subject.project;
        let members = way.run.served.iter().flat_map(|served| &served.path.members);
        members.map(|member| project.symbol(*member)).filter(|symbol| changed.contains(symbol)).collect()
    }
}

/// The first condition of a way that no path of the other asks.
fn parting<'w>(way: &'w Way<'_>, other: &Way<'_>) -> Option<&'w Taken> {
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

fn same_status(a: &Way<'_>, b: &Way<'_>) -> bool {
    match (&a.settled, &b.settled) {
        (Some(a), Some(b)) => a.status == b.status,
        _ => false,
    }
}
