//! Thinning: keeps only the tried requests that show something new.

use std::collections::BTreeSet;

use super::rows_alike;
use super::settled::{Settled, is_denied, settle};
use super::tried::{Purpose, TriedRequest};
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::path::{Site, Taken};
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::{Input, Inputs as _, Term};
use mastor_java::ir::body::{Body, ExprKind, LambdaBody, StmtKind};
use mastor_java::ir::facts::Span;
use mastor_runtime::bench::Bench;
use mastor_runtime::request::case::{Case, Reading};
use mastor_runtime::server::serve::Run;

/// Maximum number of requests that differ only in loop iterations.
const ALIKE: usize = 2;

/// The decisions on a path with their locations. For decisions that are repeated for one element after another, only
/// the distinct outcomes.
type Way = BTreeSet<(Option<Site>, String)>;

fn way(bench: &Bench<'_>, taken: &[Taken]) -> Way {
    let told = |taken: &Taken| match taken.site {
        Some(site) if is_repeated(bench, site) => match outcome(&taken.cond) {
            Some(outcome) => outcome.to_owned(),
            None => taken.cond.to_string(),
        },
        _ => taken.cond.to_string(),
    };
    taken.iter().map(|taken| (taken.site, told(taken))).collect()
}

/// The outcome of an equality test with a string or number; `None` for more informative conditions, such as those on
/// enum constants, which usually select different code.
fn outcome(cond: &Cond) -> Option<&'static str> {
    let is_plain = |term: &Term| match term {
        Term::Const(Scalar::Enum(..)) => None,
        Term::Const(_) => Some(true),
        _ => Some(false),
    };
    match cond {
        Cond::Same(a, b) if is_plain(a)? != is_plain(b)? => Some("the same"),
        Cond::Not(inner) if matches!(&**inner, Cond::Same(..)) => outcome(inner).map(|_| "not the same"),
        _ => None,
    }
}

/// Whether a location is in a loop or a lambda.
fn is_repeated(bench: &Bench<'_>, site: Site) -> bool {
    let Some(code) = bench.codes.code(site.member) else { return false };
    let body: &Body = &code.body;
    let holds = |span: Span| span.start <= site.span.start && site.span.end <= span.end;
    let in_loop = body.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => holds(stmt.span),
        StmtKind::ForEach { body: inner, .. } => holds(body.stmt(*inner).span),
        _ => false,
    });
    let in_lambda = |body: &Body| {
        body.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Lambda { body: LambdaBody::Expr(inner), .. } => holds(body.expr(*inner).span),
            ExprKind::Lambda { body: LambdaBody::Block(inner), .. } => holds(body.stmt(*inner).span),
            _ => false,
        })
    };
    in_loop || in_lambda(body)
}

/// Number of steps on all paths of a request.
fn steps(run: &Run) -> u64 {
    run.served.iter().map(|served| served.path.steps).sum()
}

/// Whether two requests are rejected at the same location, for the same reason and after the same number of steps.
/// Bodies are not compared, since they may name the requested object.
fn is_same_refusal(one: &(TriedRequest, Option<Settled>), run: &Run, settled: &Option<Settled>) -> bool {
    let ((TriedRequest { run: known, .. }, Some(one)), Some(other)) = (one, settled) else { return false };
    one.status >= 400
        && one.exit.is_some()
        && (one.status, one.exit, &one.exception) == (other.status, other.exit, &other.exception)
        && steps(known) == steps(run)
}

/// Whether two answers agree in everything except their bodies, which may contain values of the request.
fn is_alike(one: &Settled, other: &Settled) -> bool {
    (one.status, one.exit, &one.exception) == (other.status, other.exit, &other.exception)
}

/// The length of an input's string; `None` if it is a number.
fn length(bench: &Bench<'_>, case: &Case, input: &Input) -> Option<usize> {
    match (Reading { case, signature: &bench.signature }).scalar(input) {
        Some(Scalar::Str(text)) => Some(text.text.chars().count()).filter(|_| text.text.parse::<f64>().is_err()),
        _ => None,
    }
}

/// Whether two requests are on the same side of the same boundary: with strings of the same length and equal answers.
fn is_same_side(bench: &Bench<'_>, one: (&TriedRequest, &Settled), other: (&TriedRequest, &Settled)) -> bool {
    let (Purpose::Boundary(input), Purpose::Boundary(same)) = (&one.0.purpose, &other.0.purpose) else { return false };
    let lengths = (length(bench, &one.0.case, input), length(bench, &other.0.case, input));
    let echo = |(tried, settled): (&TriedRequest, &Settled)| {
        let text = match (Reading { case: &tried.case, signature: &bench.signature }).scalar(input) {
            Some(Scalar::Str(text)) => text.text.to_string(),
            _ => String::new(),
        };
        let body = format!("{:?}", settled.body);
        if text.chars().count() > 4 { body.replace(&text, "") } else { body }
    };
    let is_same = is_alike(one.1, other.1)
        && steps(&one.0.run) == steps(&other.0.run)
        && (one.1.status >= 400 || echo(one) == echo(other));
    input == same && lengths.0.is_some() && lengths.0 == lengths.1 && is_same
}

/// The decisions on the paths of a run on open inputs.
struct PathDecisions {
    taken: Vec<Way>,
    /// Inputs that are compared with one element after another.
    held: BTreeSet<Input>,
}

impl PathDecisions {
    fn of(bench: &Bench<'_>, open: &Run) -> Self {
        let taken = open.served.iter().map(|served| way(bench, &served.path.conditions)).collect();
        let mut inputs = Vec::new();
        for taken in open.served.iter().flat_map(|served| &served.path.conditions) {
            if outcome(&taken.cond).is_some() && taken.site.is_some_and(|site| is_repeated(bench, site)) {
                taken.cond.inputs(&mut inputs);
            }
        }
        Self { taken, held: inputs.into_iter().collect() }
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        matches!((self.taken.get(one), self.taken.get(other)), (Some(one), Some(other)) if one == other)
    }
}

/// Whether enough kept requests have a string of the same length for this input, and the same answer.
fn is_one_of_many(
    bench: &Bench<'_>,
    kept: &[(TriedRequest, Option<Settled>)],
    one: &TriedRequest,
    settled: &Option<Settled>,
) -> bool {
    let (Purpose::Boundary(input), Some(settled)) = (&one.purpose, settled) else { return false };
    let Some(own) = length(bench, &one.case, input) else { return false };
    let is_like = |(known, other): &&(TriedRequest, Option<Settled>)| {
        length(bench, &known.case, input) == Some(own) && other.as_ref().is_some_and(|other| is_alike(other, settled))
    };
    kept.iter().filter(is_like).count() >= ALIKE
}

/// Drops requests that show nothing new, such as requests with the same answer after the same decisions as an earlier
/// one. `refused` is the answer to the plainest request if none succeeded: a boundary request with this answer shows
/// nothing.
pub fn thin(
    (bench, open): (&Bench<'_>, &Run),
    tried: Vec<TriedRequest>,
    refused: Option<&Settled>,
) -> Vec<TriedRequest> {
    let ways = PathDecisions::of(bench, open);
    let mut kept: Vec<(TriedRequest, Option<Settled>)> = Vec::new();
    for one in tried {
        let settled = settle(&one.run);
        // A guard's answer is the same for every request.
        let denied = settled.as_ref().is_some_and(is_denied);
        let again = match one.purpose {
            // For inputs that the code reads by hand, one value for each path is enough.
            Purpose::Sample(ref input)
                if bench.signature.slot(input).is_some_and(crate::inputs::by_hand::is_by_hand) =>
            {
                let is_same_way = |known: &(TriedRequest, Option<Settled>)| match (&known.1, &settled) {
                    (Some(known_as), Some(settled)) => {
                        is_alike(known_as, settled) && steps(&known.0.run) == steps(&one.run)
                    }
                    (None, None) => true,
                    _ => false,
                };
                kept.iter().any(is_same_way)
            }
            Purpose::Sample(_) => {
                kept.iter().any(|known| known.1 == settled || is_same_refusal(known, &one.run, &settled))
                    || settled.as_ref().is_some_and(|settled| {
                        let is_like = |(known, other): &&(TriedRequest, Option<Settled>)| {
                            other.as_ref().is_some_and(|other| rows_alike::are_alike((&one, settled), (known, other)))
                        };
                        kept.iter().filter(is_like).count() >= ALIKE
                    })
            }
            Purpose::Path(index) => {
                let is_same =
                    |(known, other): &&(TriedRequest, Option<Settled>)| match (&known.purpose, other, &settled) {
                        (Purpose::Path(known), Some(other), Some(settled)) => {
                            ways.are_alike(*known, index) && is_alike(other, settled)
                        }
                        _ => false,
                    };
                kept.iter().filter(is_same).count() >= ALIKE
            }
            // After a few requests, equality with another element shows nothing more.
            Purpose::Boundary(ref input)
                if ways.held.contains(input) && is_one_of_many(bench, &kept, &one, &settled) =>
            {
                true
            }
            Purpose::Boundary(_) => settled.as_ref().is_some_and(|settled| {
                refused.is_some_and(|refused| is_alike(refused, settled))
                    || kept.iter().any(|(known, other)| {
                        other.as_ref().is_some_and(|other| is_same_side(bench, (known, other), (&one, settled)))
                    })
            }),
            // One value of each wrong type is enough.
            Purpose::Mistyped(_) => {
                kept.iter().any(|(known, other)| matches!(known.purpose, Purpose::Mistyped(_)) && *other == settled)
            }
            _ => false,
        };
        let seen = again || denied && kept.iter().any(|(_, other)| *other == settled);
        if !seen {
            kept.push((one, settled));
        }
    }
    kept.into_iter().map(|(one, _)| one).collect()
}
