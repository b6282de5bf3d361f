//! Bounds of inputs in code: values that are rejected on every path, however the conditions are written.

use std::collections::BTreeMap;

use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::known::PathConstraints;
use mastor_java::interpret::paths::path::Site;
use mastor_java::interpret::values::function::Function;
use mastor_java::interpret::values::scalar::{Prim, Scalar};
use mastor_java::interpret::values::term::{Input, InputPlace, Term};
use mastor_java::ir::body::BinaryOp;
use mastor_java::ir::ids::MemberId;
use mastor_runtime::bench::Bench;
use mastor_runtime::server::serve::{Run, Served};
use mastor_types::suite::evidence::EvidenceId;
use mastor_types::suite::source_context::{Constraint, ConstraintKind, Location as Wire, RequestParam};
use std::rc::Rc;

/// A term that code compares with constants: its type, and the constants.
struct Compared {
    term: Rc<Term>,
    prim: Prim,
    sample: Scalar,
    limits: Vec<i64>,
}

impl Compared {
    /// The knowledge that the term has this value; `None` if its type cannot hold the value.
    fn at(&self, value: i64) -> Option<PathConstraints> {
        let constant = match self.sample {
            Scalar::Int(_) => Scalar::Int(i32::try_from(value).ok()?),
            Scalar::Short(_) => Scalar::Short(i16::try_from(value).ok()?),
            Scalar::Byte(_) => Scalar::Byte(i8::try_from(value).ok()?),
            Scalar::Char(_) => Scalar::Char(u16::try_from(value).ok()?),
            Scalar::Long(_) => Scalar::Long(value),
            _ => return None,
        };
        let mut known = PathConstraints::default();
        known.add(Cond::Compare(BinaryOp::Eq, self.prim, self.term.clone(), Rc::new(Term::Const(constant))));
        Some(known)
    }
}

/// Collects the comparisons of terms with constants in a condition.
fn comparisons<'c>(cond: &'c Cond, into: &mut Vec<(&'c Rc<Term>, Prim, &'c Scalar, i64)>) {
    match cond {
        Cond::Not(inner) => comparisons(inner, into),
        Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|part| comparisons(part, into)),
        Cond::Compare(_, prim, _, constant) => {
            if let (Some((term, _, limit)), Term::Const(sample)) = (cond.bound(), &**constant) {
                into.push((term, *prim, sample, limit));
            }
        }
        _ => {}
    }
}

/// The input that a term denotes; with `true` if the term is the input's length instead of its value.
fn measured(term: &Term) -> Option<(&Input, bool)> {
    match term {
        Term::Input(input) => Some((input, false)),
        Term::Apply(Function::Length | Function::Size, args) => match args.first().map(AsRef::as_ref) {
            Some(Term::Input(input)) => Some((input, true)),
            _ => None,
        },
        _ => None,
    }
}

fn fails(served: &Served) -> bool {
    served.answer.status.is_some_and(|status| status >= 400)
}

/// Where a value of a term is rejected, whatever else is sent; `None` if it may be accepted.
fn refused(open: &Run, compared: &Compared, known: &PathConstraints) -> Option<Site> {
    let possible = |served: &Served| !served.path.conditions.iter().any(|c| known.decides(&c.cond) == Some(false));
    // Conditions that an input is present are ignored.
    let follows = |served: &Served| {
        served.path.conditions.iter().all(|taken| {
            known.decides(&taken.cond) == Some(true)
                || matches!(&taken.cond, Cond::Not(inner) if matches!(**inner, Cond::Input(..)))
        })
    };
    if open.complete && open.served.iter().any(|served| !fails(served) && possible(served)) {
        return None;
    }
    let failing = open.served.iter().filter(|served| fails(served) && possible(served));
    failing.filter(|served| open.complete || follows(served)).find_map(|served| {
        served.path.conditions.iter().rev().find_map(|taken| {
            let mut all = Vec::new();
            comparisons(&taken.cond, &mut all);
            all.iter().any(|(own, ..)| **own == compared.term).then_some(taken.site)?
        })
    })
}

/// The least and the greatest accepted value, and where the code decides that.
fn range(open: &Run, compared: &Compared, length: bool) -> Option<(Option<i64>, Option<i64>, Site)> {
    let around = |limit: &i64| [limit.saturating_sub(1), *limit, limit.saturating_add(1)];
    let mut points: Vec<i64> = compared.limits.iter().flat_map(around).collect();
    points.sort_unstable();
    points.dedup();
    points.retain(|point| !length || *point >= 0);
    let known: Vec<(i64, PathConstraints)> =
        points.iter().filter_map(|point| Some((*point, compared.at(*point)?))).collect();
    let sites: Vec<Option<Site>> = known.iter().map(|(_, known)| refused(open, compared, known)).collect();
    let first = sites.iter().position(Option::is_none)?;
    let last = sites.iter().rposition(Option::is_none)?;
    // A gap between accepted values is not a bound.
    if sites[first..=last].iter().any(Option::is_some) {
        return None;
    }
    let site = sites.iter().flatten().next()?;
    let min = (first > 0).then(|| known[first].0);
    let max = (last + 1 < known.len()).then(|| known[last].0);
    Some((min, max, *site))
}

/// Adds the bounds of the code to the parameters.
pub fn draw(open: &Run, params: &mut [RequestParam], cited: &mut impl FnMut(MemberId) -> EvidenceId) {
    let mut drawn: BTreeMap<(Input, bool), Compared> = BTreeMap::new();
    for taken in open.served.iter().flat_map(|served| &served.path.conditions) {
        let mut all = Vec::new();
        comparisons(&taken.cond, &mut all);
        for (term, prim, sample, limit) in all {
            let Some((input, length)) = measured(term) else { continue };
            let compared = drawn.entry((input.clone(), length)).or_insert_with(|| Compared {
                term: term.clone(),
                prim,
                sample: sample.clone(),
                limits: Vec::new(),
            });
            compared.limits.push(limit);
        }
    }
    for ((input, length), compared) in drawn {
        let Some((min, max, site)) = range(open, &compared, length) else { continue };
        let name = input.name.replace("[0]", "[*]");
        let is_input = |param: &&mut RequestParam| place(param.location) == input.place && param.name == name;
        let Some(param) = params.iter_mut().find(is_input) else {
            continue;
        };
        let kind = if length {
            ConstraintKind::Length { min, max }
        } else {
            let text = |bound: Option<i64>| bound.map(|x| x.to_string());
            ConstraintKind::Range { min: text(min), max: text(max), exclusive_min: false, exclusive_max: false }
        };
        if !param.constraints.iter().any(|constraint| constraint.kind == kind) {
            param.constraints.push(Constraint { kind, evidence: cited(site.member) });
        }
    }
}

/// The location of a request value for the interpreter.
fn place(location: Wire) -> InputPlace {
    match location {
        Wire::Path => InputPlace::Path,
        Wire::Query => InputPlace::Query,
        Wire::Header => InputPlace::Header,
        Wire::Cookie => InputPlace::Cookie,
        Wire::Form => InputPlace::Form,
        Wire::Body => InputPlace::Body,
    }
}

/// The input for a parameter.
pub fn input_of(bench: &Bench<'_>, param: &RequestParam) -> Option<Input> {
    let place = place(param.location);
    let input = Input::new(place, &param.name.replace("[*]", "[0]"));
    let known = place == InputPlace::Body || bench.signature.slots.iter().any(|slot| slot.input == input);
    known.then_some(input)
}
