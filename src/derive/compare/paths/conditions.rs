//! Chooses the conditions that are shown with a difference: those that distinguish the paths on which base and head
//! differ from the paths on which they are alike.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::asked::{Asked, counted, is_telling, says_found, says_present};
use super::brief::brief;
use crate::compare::edits::changed::Nearness;
use mastor_java::interpret::opaque::state::says_failing;
use mastor_java::interpret::paths::condition::{Cond, mirrored, opposite};
use mastor_java::interpret::paths::known::PathConstraints;
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::{Canon, Term};
use mastor_java::ir::body::BinaryOp;

/// Up to this number, conditions nearest to the change are shown even if they do not tell the difference apart.
const SHOWN: usize = 2;

/// Maximum number of conditions in one sentence. A report shows the first two of them in its headline.
const MOST: usize = 5;

/// The conditions of the paths that show a difference.
pub(in crate::compare) struct PathConditions<'m> {
    /// Those tested on all of these paths.
    pub on_all: &'m Asked,
    /// Those tested on one of them.
    pub on_one: &'m Asked,
    /// Everything that holds on that path.
    pub holds: &'m PathConstraints,
    /// Everything that holds on each path with the same difference.
    pub same: &'m [&'m PathConstraints],
    /// Whether base refuses the request or fails on each of these paths.
    pub is_refused: bool,
    /// For each other difference that callers usually meet, or that is the reverse of this one, everything that holds on each
    /// of its paths.
    pub rivals: &'m [Vec<&'m PathConstraints>],
}

/// The conditions of a difference, and whether they are a sample, which holds on one path of the difference but not on
/// all. There are none if the difference needs no condition. On the paths `alike` both sides agree; on the paths `others`
/// they differ in another way. Conditions that rule out paths of either kind are shown, since a condition which leaves
/// another difference possible does not say when this one is met.
pub(in crate::compare) fn when(
    met: &PathConditions<'_>,
    (alike, answered): (&[PathConstraints], &[PathConstraints]),
    others: &[&PathConstraints],
) -> (Vec<Cond>, bool) {
    let (on_all, on_one) = (telling(met.on_all, met.rivals), telling(met.on_one, met.rivals));
    let told = |known: &PathConstraints| on_one.iter().any(|(_, cond)| rules_out(cond, known));
    // Leaves out paths that only contradict conditions which are not shown (a value is present, no call fails).
    let is_near = |known: &&PathConstraints| told(known) || !met.holds.contradicts(known);
    let near: Vec<&PathConstraints> = alike.iter().filter(is_near).collect();
    let near_answered: Vec<&PathConstraints> = answered.iter().filter(is_near).collect();
    // Paths with another difference from which the conditions of this one tell it apart.
    let apart: Vec<&PathConstraints> = others.iter().copied().filter(|known| told(known)).collect();
    let ruled_out_of = |asked: &Asked, ways: &[&PathConstraints]| {
        let ways = ways.iter().chain(&apart);
        ways.filter(|known| asked.iter().any(|(_, cond)| rules_out(cond, known))).count()
    };
    let ruled_out = |asked: &Asked| ruled_out_of(asked, &near);
    // If the conditions of one path rule out more of the paths that are alike or differ in another way than the
    // conditions of all paths do, those of one path are shown.
    // Paths on which both sides fail need no sample: what a request needs so that it is answered goes without saying.
    let is_needed = met.is_refused || ruled_out_of(&on_all, &near_answered) < ruled_out_of(&on_one, &near_answered);
    let mut is_sample = is_needed && ruled_out(&on_all) < ruled_out(&on_one);
    let ways = alike.iter().chain(apart.iter().copied());
    let mut decisive = deciding(if is_sample { &on_one } else { &on_all }, ways);
    // If both sides agree on some paths, the difference needs a condition.
    // That a call before the changed part does not fail goes without saying.
    let is_said = |(near, cond): &&(Nearness, Cond)| match cond {
        Cond::Not(inner) if says_failing(inner) => *near >= Nearness::Part,
        cond => *near >= Nearness::Member || !says_present(cond),
    };
    let near_all: Asked = met.on_all.iter().filter(is_said).cloned().collect();
    let of_one = if met.is_refused { alike } else { answered };
    for (asked, ways) in [(&on_one, &every(of_one)), (&near_all, &every(alike)), (&on_one, &others.to_vec())] {
        if decisive.is_empty() && !ways.is_empty() {
            decisive = deciding(asked, ways.iter().copied());
            is_sample |= !decisive.is_empty();
        }
    }
    // What base refuses or fails on is not the usual case, so that also a value that is there may decide.
    if decisive.is_empty() && met.is_refused {
        decisive = deciding(met.on_all, every(alike).into_iter().chain(others.iter().copied()));
        return (chosen(&decisive, met, &every(alike), others), is_sample);
    }
    (chosen(&decisive, met, &near, &apart), is_sample)
}

/// The conditions that are informative. In changed members also that a value is present: the change may be about it.
/// In other members only if another difference needs the value to be null.
fn telling(asked: &Asked, rivals: &[Vec<&PathConstraints>]) -> Asked {
    let is_rivalled =
        |cond: &Cond| rivals.iter().any(|paths| !paths.is_empty() && paths.iter().all(|known| rules_out(cond, known)));
    let tells = |(near, cond): &&(Nearness, Cond)| {
        is_telling(cond) || says_present(cond) && (*near >= Nearness::Member || is_rivalled(cond))
    };
    asked.iter().filter(tells).cloned().collect()
}

fn every(ways: &[PathConstraints]) -> Vec<&PathConstraints> {
    ways.iter().collect()
}

/// Whether the known facts make a condition false.
fn rules_out(cond: &Cond, known: &PathConstraints) -> bool {
    known.decides(cond) == Some(false)
}

/// The conditions that matter: those tested in the changed part or around it, and those that contradict one of these
/// paths.
fn deciding<'k>(asked: &Asked, ways: impl Iterator<Item = &'k PathConstraints> + Clone) -> Asked {
    let decides = |(near, cond): &&(Nearness, Cond)| {
        *near >= Nearness::Around || ways.clone().any(|known| rules_out(cond, known))
    };
    asked.iter().filter(decides).cloned().collect()
}

/// A condition to show, and the conditions from which it was merged.
struct MergedCondition {
    near: Nearness,
    cond: Cond,
    of: Vec<Cond>,
}

/// Conditions in words.
pub(in crate::compare) fn in_words(conditions: &[Cond]) -> String {
    let whole: Vec<String> = conditions.iter().map(Cond::to_string).collect();
    let short: Vec<String> = whole.iter().map(|cond| brief(cond)).collect();
    // Two conditions about different values do not become conditions about one.
    let subject = |cond: &str| cond.split(" is ").next().unwrap_or_default().to_owned();
    let subjects = |all: &[String]| all.iter().map(|cond| subject(cond)).collect::<BTreeSet<_>>().len();
    if subjects(&short) < subjects(&whole) { whole } else { short }.join(" and ")
}

/// The conditions to show: those tested nearest to the change, and among them those that exclude most of the paths
/// that are alike or differ in another way; then those of the changed members that exclude the rest of these paths, and
/// last those of other members. A condition that is tested neither in the changed part nor around it, and that does not
/// hold on all paths with the difference, is shown only if it excludes paths that are alike, or all paths of another
/// difference.
fn chosen(
    asked: &Asked,
    met: &PathConditions<'_>,
    alike: &[&PathConstraints],
    others: &[&PathConstraints],
) -> Vec<Cond> {
    let nearest = asked.iter().map(|(near, _)| *near).max();
    let is_shown =
        |(near, cond): &&(Nearness, Cond)| Some(*near) == nearest || (*near >= Nearness::Member && !says_found(cond));
    let mut all: Vec<MergedCondition> = Vec::new();
    let may_show = |told: &&(Nearness, Cond)| is_shown(told) || !says_found(&told.1);
    for (near, cond) in asked.iter().filter(may_show) {
        // The last condition about a collection's size suffices.
        let is_replaced = |known: &MergedCondition| {
            known.near <= *near && counted(&known.cond).is_some() && counted(&known.cond) == counted(cond)
        };
        all.retain(|known| !is_replaced(known));
        let met = all.iter().enumerate().find_map(|(at, known)| Some((at, meeting(&known.cond, cond)?)));
        match met {
            Some((at, value)) => {
                all[at].near = all[at].near.max(*near);
                all[at].cond = value;
                all[at].of.push(cond.clone());
            }
            None => all.push(MergedCondition { near: *near, cond: cond.clone(), of: vec![cond.clone()] }),
        }
    }
    // "Fails with an exception" implies "fails".
    let said: Vec<String> = all.iter().map(|told| told.cond.to_string()).collect();
    let is_said =
        |one: &str| one.ends_with(" fails") && said.iter().any(|other| other.starts_with(&format!("{one} with ")));
    let mut open: Vec<usize> = (0..all.len()).filter(|at| !is_said(&said[*at])).collect();
    // If one condition implies another, only the stronger one is shown.
    let includes = |one: usize, other: usize| {
        if let Some(implied) = implies(&all[one].cond, &all[other].cond) {
            return implied;
        }
        if needs_present(&all[one].cond, &all[other].cond) || is_closer(&all[one].cond, &all[other].cond) {
            return true;
        }
        let mut known = PathConstraints::default();
        known.add(all[one].cond.clone());
        known.decides(&all[other].cond) == Some(true)
    };
    let idle: Vec<usize> = open
        .iter()
        .copied()
        .filter(|at| open.iter().any(|by| by != at && includes(*by, *at) && !(includes(*at, *by) && by < at)))
        .collect();
    open.retain(|at| !idle.contains(at));
    // The conditions that rule out each path. Paths that the same conditions rule out count once: they differ in what
    // does not matter here.
    let ruled_by = |known: &&PathConstraints| -> BTreeSet<usize> {
        let rules = |at: &usize| all[*at].of.iter().any(|cond| rules_out(cond, known));
        open.iter().copied().filter(rules).collect()
    };
    let varying: BTreeSet<usize> = open
        .iter()
        .copied()
        .filter(|at| all[*at].near < Nearness::Around)
        .filter(|at| all[*at].of.iter().any(|cond| met.same.iter().any(|known| rules_out(cond, known))))
        .collect();
    let mut left: BTreeSet<BTreeSet<usize>> = alike.iter().map(ruled_by).collect();
    left.extend(others.iter().map(ruled_by).map(|by| by.difference(&varying).copied().collect()));
    // The conditions that rule out another difference whatever its path.
    left.extend(
        met.rivals.iter().filter_map(|paths| {
            paths.iter().map(ruled_by).reduce(|all, own| all.intersection(&own).copied().collect())
        }),
    );
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < MOST {
        let gain = |at: usize| left.iter().filter(|by| by.contains(&at)).count();
        let is_nearest = |at: usize| Some(all[at].near) == nearest;
        let encloses = |at: usize| all[at].near == Nearness::Around;
        let is_changed = |at: usize| is_nearest(at) || all[at].near >= Nearness::Member;
        let of_part = |at: usize| all[at].near == Nearness::Part;
        // What the changed part itself tests is shown also beside others.
        let has_room = |at: usize| {
            chosen.len() < SHOWN || (of_part(at) && chosen.iter().filter(|one| of_part(**one)).count() < SHOWN)
        };
        // Among conditions that rule out the same number of paths, the last one tested is chosen.
        let best = open
            .iter()
            .copied()
            .filter(|at| {
                let is_shown = encloses(*at) || (is_nearest(*at) && has_room(*at));
                gain(*at) > 0 || (is_shown && !varying.contains(at))
            })
            .max_by_key(|at| (gain(*at) > 0 && is_nearest(*at), encloses(*at), is_changed(*at), gain(*at), *at));
        let Some(best) = best else { break };
        left.retain(|by| !by.contains(&best));
        open.retain(|at| *at != best);
        chosen.push(best);
    }
    if chosen.len() <= SHOWN {
        chosen.sort_unstable();
    }
    chosen.into_iter().map(|at| all[at].cond.clone()).collect()
}

/// The conditions of a request that base and head answer differently. The difference shows only where the conditions of
/// both sides hold: all of them are given with `needs_both`, otherwise those of `leads`, and of `others` the bounds of
/// numbers that `leads` bounds too.
pub(in crate::compare) fn narrowed(leads: Vec<Cond>, others: &[Cond], needs_both: bool) -> Vec<Cond> {
    let bounded = |cond: &Cond| match cond {
        Cond::Compare(_, _, term, _) => Some(term.clone()),
        Cond::Not(inner) => match &**inner {
            Cond::Compare(_, _, term, _) => Some(term.clone()),
            _ => None,
        },
        _ => None,
    };
    let numbers: Vec<Rc<Term>> = leads.iter().filter_map(bounded).collect();
    let is_of_both =
        |cond: &&Cond| (needs_both && is_telling(cond)) || bounded(cond).is_some_and(|term| numbers.contains(&term));
    let more = others.iter().filter(is_of_both);
    let mut all: Vec<Cond> = Vec::new();
    for cond in leads.iter().chain(more) {
        match all.iter().enumerate().find_map(|(at, known)| Some((at, meeting(known, cond)?))) {
            Some((at, value)) => all[at] = value,
            None if !all.contains(cond) => all.push(cond.clone()),
            None => {}
        }
    }
    let idle = |at: usize| (0..all.len()).any(|by| by != at && implies(&all[by], &all[at]) == Some(true));
    (0..all.len()).filter(|at| !idle(*at)).map(|at| all[at].clone()).collect()
}

/// Whether a number that equals a constant lies within a bound, whatever the kind of number; `None` for other conditions.
fn implies(equality: &Cond, bound: &Cond) -> Option<bool> {
    let parts = |cond: &Cond| match cond {
        Cond::Compare(op, _, term, limit) => match &**limit {
            Term::Const(limit) => Some((*op, term.clone(), limit.as_double()?)),
            _ => None,
        },
        _ => None,
    };
    let ((BinaryOp::Eq, term, value), (op, other, limit)) = (parts(equality)?, parts(bound)?) else { return None };
    let holds = match op {
        BinaryOp::Lt => value < limit,
        BinaryOp::Le => value <= limit,
        BinaryOp::Gt => value > limit,
        BinaryOp::Ge => value >= limit,
        BinaryOp::Ne => value != limit,
        _ => return None,
    };
    (term == other).then_some(holds)
}

/// Whether a condition says that a value is there, and the other one compares that value or calls a method on it.
fn needs_present(cond: &Cond, present: &Cond) -> bool {
    let Cond::Not(inner) = present else { return false };
    let Cond::IsNull(term) = &**inner else { return false };
    let asked = match cond {
        Cond::Not(inner) if matches!(**inner, Cond::Test(_)) => &**inner,
        cond => cond,
    };
    let is_of = |other: &Term| other != &**term && is_made_from(other, term);
    match asked {
        Cond::Compare(_, _, a, b) => [a, b].iter().any(|one| one == &term || is_of(one)),
        Cond::Same(a, b) => [a, b].contains(&term) && matches!((&**a, &**b), (Term::Const(_), _) | (_, Term::Const(_))),
        Cond::Test(of) => is_of(of),
        _ => false,
    }
}

/// Whether a value is a part of another one, or what a method of it gives or a function makes of it. What a call only takes
/// as an argument may be null.
fn is_made_from(value: &Term, from: &Term) -> bool {
    if value == from {
        return true;
    }
    match value {
        Term::Const(_) | Term::Input(_) => false,
        Term::Binary(_, _, a, b) => [a, b].into_iter().any(|one| is_made_from(one, from)),
        Term::Unary(_, _, one) | Term::Cast(_, one) => is_made_from(one, from),
        Term::Apply(_, parts) => parts.iter().any(|one| is_made_from(one, from)),
        Term::Opaque(one) => {
            one.operands.first().is_some_and(|first| matches!(first, Canon::Term(term) if is_made_from(term, from)))
        }
    }
}

/// Whether `one` implies `other`, if both compare the same two values: `a < b` implies `a <= b`.
fn is_closer(one: &Cond, other: &Cond) -> bool {
    let parts = |cond: &Cond| match cond {
        Cond::Compare(op, prim, a, b) => Some((*op, *prim, a.clone(), b.clone())),
        Cond::Not(inner) => match &**inner {
            Cond::Compare(op, prim, a, b) if prim.is_integral() => Some((opposite(*op), *prim, a.clone(), b.clone())),
            _ => None,
        },
        _ => None,
    };
    let (Some((own, _, a, b)), Some((wide, _, c, d))) = (parts(one), parts(other)) else { return false };
    let wide = match () {
        () if (&a, &b) == (&c, &d) => wide,
        () if (&a, &b) == (&d, &c) => mirrored(wide),
        () => return false,
    };
    matches!(
        (own, wide),
        (BinaryOp::Lt, BinaryOp::Le | BinaryOp::Ne)
            | (BinaryOp::Gt, BinaryOp::Ge | BinaryOp::Ne)
            | (BinaryOp::Eq, BinaryOp::Le | BinaryOp::Ge)
    )
}

/// The equality that results if two bounds leave only one value.
fn meeting(one: &Cond, other: &Cond) -> Option<Cond> {
    // If one of the two bounds holds, the number is no NaN, so that the negation of the other is a bound as well.
    let bounds = |cond: &Cond| match cond {
        Cond::Compare(op, prim, term, bound) => Some((*op, *prim, term.clone(), bound.clone(), true)),
        Cond::Not(inner) => match &**inner {
            Cond::Compare(op, prim, term, bound) => Some((opposite(*op), *prim, term.clone(), bound.clone(), false)),
            _ => None,
        },
        _ => None,
    };
    let ((op, prim, term, bound, holds), (other_op, _, other_term, other_bound, other_holds)) =
        (bounds(one)?, bounds(other)?);
    if !holds && !other_holds {
        return None;
    }
    let equals = || Cond::Compare(BinaryOp::Eq, prim, term.clone(), bound.clone());
    if term != other_term {
        return None;
    }
    let is_closed = matches!((op, other_op), (BinaryOp::Ge, BinaryOp::Le) | (BinaryOp::Le, BinaryOp::Ge));
    if is_closed && bound == other_bound {
        return Some(equals());
    }
    // The least and the greatest integer that a bound admits.
    let whole = |op: &BinaryOp, bound: &Term| -> Option<(i32, i32)> {
        let Term::Const(Scalar::Int(bound)) = bound else { return None };
        match op {
            BinaryOp::Ge => Some((*bound, i32::MAX)),
            BinaryOp::Gt => Some((bound.checked_add(1)?, i32::MAX)),
            BinaryOp::Le => Some((i32::MIN, *bound)),
            BinaryOp::Lt => Some((i32::MIN, bound.checked_sub(1)?)),
            _ => None,
        }
    };
    let (a, b) = (whole(&op, &bound)?, whole(&other_op, &other_bound)?);
    let (least, greatest) = (a.0.max(b.0), a.1.min(b.1));
    let only = Rc::new(Term::Const(Scalar::Int(least)));
    (prim.is_integral() && least == greatest).then(|| Cond::Compare(BinaryOp::Eq, prim, term.clone(), only))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_java::interpret::opaque::expand::SIZE;
    use mastor_java::interpret::values::scalar::Prim;
    use mastor_java::interpret::values::term::{Input, InputPlace, Opaque, Origin, Sort};

    #[test]
    fn a_value_that_a_call_takes_may_be_null_where_its_result_is_tested() {
        let input = |name: &str| Rc::new(Term::Input(Input::new(InputPlace::Query, name)));
        let (rows, to) = (input("rows"), input("to"));
        let of = |operands: Vec<Canon>| {
            let call = Opaque::new(Origin::Call, "rows.find/1", operands, Sort::Object, "rows.find(to)");
            let size = Opaque::new(
                Origin::Part,
                SIZE,
                vec![Canon::Term(Rc::new(Term::Opaque(Rc::new(call))))],
                Sort::Prim(Prim::Int),
                "number of rows.find(to)",
            );
            let one = Rc::new(Term::Const(Scalar::Int(1)));
            Cond::Compare(BinaryOp::Eq, Prim::Int, Rc::new(Term::Opaque(Rc::new(size))), one)
        };
        let holds_one = of(vec![Canon::Term(rows.clone()), Canon::Term(to.clone())]);
        let is_there = |term: &Rc<Term>| Cond::IsNull(term.clone()).negate();
        assert!(needs_present(&holds_one, &is_there(&rows)));
        assert!(!needs_present(&holds_one, &is_there(&to)));
    }
}
