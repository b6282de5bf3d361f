//! What a member that serves many operations does for the requests of one: the conditions on a request's path and method
//! that are known then, and filters that skip such requests.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::joint::{ALONE, Joint, ROUNDS, RunScope};
use super::round::{Product, Ran, Unit, UnitResult};
use crate::compare::objects::callers::reached_through;
use crate::compare::paths::asked::rests_on;
use crate::compare::paths::difference::calls;
use crate::compare::paths::of_request::RequestTest;
use crate::compare::sides::side::Side;
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::{Canon, Term};
use mastor_java::ir::facts::{MemberKind, Modifiers};
use mastor_java::ir::ids::MemberId;
use mastor_java::project::index::Project;
use mastor_runtime::server::opaquely::ComparablePath;

/// The method of a filter that says which requests it leaves alone, and the one that runs for the others (Spring,
/// `OncePerRequestFilter`).
const SKIPS: &str = "shouldNotFilter";
const FILTERS: &str = "doFilterInternal";

/// Methods of filters and interceptors that a framework calls (Servlet API; Spring, `OncePerRequestFilter` and
/// `HandlerInterceptor`).
const AROUND: [&str; 6] = ["doFilter", FILTERS, "preHandle", "postHandle", "afterCompletion", SKIPS];

/// Tests of a request's path or method, each with its outcome for the requests of an operation.
pub(super) type Decided = [(RequestTest, bool)];

/// For the method of a filter that handles requests: the method of the same class that says which requests are skipped.
pub(super) fn skips(project: &Project, member: MemberId) -> Option<MemberId> {
    let is_named = |id: &MemberId| project.member(*id).name == SKIPS && project.member(*id).body.is_some();
    let is_filter = project.member(member).name == FILTERS;
    project.members(member.ty).find(is_named).filter(|_| is_filter)
}

/// Compares a unit on the requests for which the tests in `sure` have these outcomes; on all requests if `sure` is empty.
/// `skips` is the method of the filter that says which requests it skips, if there is one. `joint` makes a run of both
/// sides, and `compared` compares the unit under conditions.
pub(super) fn on_requests<'j>(
    (unit, skips): (Unit, Option<Unit>),
    sure: &Decided,
    joint: impl Fn(RunScope) -> Joint<'j>,
    compared: impl Fn(&[Cond]) -> UnitResult,
) -> UnitResult {
    let scope = |(was, is): Unit| RunScope::Members([was, is]);
    if sure.is_empty() {
        let mut found = compared(&[]);
        if !found.0.requests.is_empty() {
            let mut asked = joint(scope(unit));
            asked.collect_tests();
            found.0.requests.extend(asked.tests.into_inner().into_keys());
        }
        if let Some(skips) = skips {
            let mut asked = joint(scope(skips));
            asked.is_always_true(sure);
            found.0.requests.extend(asked.tests.into_inner().into_keys());
        }
        return found;
    }
    let mut all = joint(scope(unit));
    let ran: [Ran; 2] = all.best().1;
    all.collect_tests();
    if skips.is_some_and(|skips| joint(scope(skips)).is_always_true(sure)) {
        return (Product::default(), ran);
    }
    let mut found = compared(&all.given_by(sure));
    // What such requests never reach does not matter to them.
    if found.0.changes.is_empty() && found.0.stopped.is_empty() {
        cover((all.old, unit.0), &mut found.1[0]);
        cover((all.new, unit.1), &mut found.1[1]);
    }
    found
}

/// Counts a member, and what only it calls in its class, as covered.
fn cover((side, member): (&Side<'_>, MemberId), ran: &mut Ran) {
    let project = side.bench.subject.project;
    let is_called_alone = |one: MemberId| {
        let facts = project.member(one);
        facts.kind == MemberKind::Method
            && facts.modifiers.has(Modifiers::PRIVATE)
            && reached_through(side, one, |other| other == member).is_some_and(|tops| !tops.is_empty())
    };
    let is_own = |one: &MemberId| *one == member || is_called_alone(*one);
    project.members(member.ty).filter(is_own).for_each(|own| cover_alone((side, own), ran));
}

/// Counts all statements and branches of a member as covered.
pub(super) fn cover_alone((side, member): (&Side<'_>, MemberId), (members, covered): &mut Ran) {
    members.insert(member);
    covered.performed.extend(side.bench.codes.executed(member).into_iter().map(|one| ((member, one.at), true)));
    covered.ways.extend(side.bench.codes.branches(member).into_iter().map(|one| (member, one.at, one.way)));
}

/// Whether a framework calls a member around the handler of the operation: a method of a filter or an interceptor.
pub(super) fn is_filtering(side: &Side<'_>, member: MemberId) -> bool {
    let around = &side.bench.surroundings;
    let mut filters = around.filters.iter().map(|filter| filter.ty).chain(around.interceptors.iter().copied());
    AROUND.contains(&side.bench.subject.project.member(member).name.as_str()) && filters.any(|ty| ty == member.ty)
}

impl Joint<'_> {
    /// Collects the tests that requests reach which meet none of those so far, such as those behind the first element of a
    /// long list of paths.
    fn collect_tests(&mut self) {
        for _ in 0..ROUNDS {
            self.given = self.tests.borrow().values().map(Cond::negate).collect();
            for (paths, _) in [self.before(&[], ALONE), self.after(&[])] {
                self.note_tests(&paths);
            }
            if self.tests.borrow().len() == self.given.len() {
                break;
            }
        }
        self.given.clear();
    }

    /// The conditions of the paths so far that these outcomes decide.
    fn given_by(&self, sure: &Decided) -> Vec<Cond> {
        let tests = self.tests.borrow();
        let of = |(test, holds): &(RequestTest, bool)| {
            let cond = tests.get(test)?;
            Some(if *holds { cond.clone() } else { cond.negate() })
        };
        sure.iter().filter_map(of).collect()
    }

    /// Whether both sides give `true` on every path of requests that decide these tests. Members that the result depends
    /// on are opened.
    fn is_always_true(&mut self, sure: &Decided) -> bool {
        let is_true = |ended: &ComparablePath| {
            matches!(&ended.given, Some(Canon::Term(term)) if **term == Term::Const(Scalar::Bool(true)))
                && ended.thrown.is_none()
        };
        for _ in 0..ROUNDS {
            let runs = [self.before(&[], ALONE), self.after(&[])];
            if runs.iter().all(|(paths, is_whole)| *is_whole && !paths.is_empty() && paths.iter().all(is_true)) {
                return true;
            }
            let paths = || runs.iter().flat_map(|(paths, _)| paths);
            runs.iter().for_each(|(paths, _)| self.note_tests(paths));
            let given = self.given_by(sure);
            let tested = paths().flat_map(|ended| &ended.asked).flat_map(|taken| rests_on(&taken.cond));
            let results = paths().filter_map(|ended| ended.given.as_ref()).flat_map(calls);
            let blamed: BTreeSet<Rc<str>> =
                tested.chain(results).map(|call| call.callee.clone()).filter(|callee| callee.contains('#')).collect();
            let is_opened = [self.reaches.0.open(&blamed), self.reaches.1.open(&blamed)].contains(&true);
            if !is_opened && given == self.given {
                return false;
            }
            self.given = given;
        }
        false
    }
}
