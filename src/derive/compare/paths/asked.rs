//! Conditions of a pair of paths on which base and head differ: which of them matter, and whether callers rarely meet
//! them.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::compare::edits::changed::{ChangedCode, Nearness};
use mastor_java::interpret::opaque::expand::SIZE;
use mastor_java::interpret::opaque::failures::is_static_of_library;
use mastor_java::interpret::opaque::found::THERE;
use mastor_java::interpret::opaque::objects::is_state;
use mastor_java::interpret::opaque::state::{THROWS, says_failing};
use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::known::PathConstraints;
use mastor_java::interpret::paths::path::Taken;
use mastor_java::interpret::values::function::Function;
use mastor_java::interpret::values::scalar::Scalar;
use mastor_java::interpret::values::term::{Canon, InputPlace, Opaque, Origin, Term};
use mastor_java::ir::body::BinaryOp;
use mastor_runtime::server::opaquely::ComparablePath;

/// Package of the objects in which a validator lists violations (Spring).
const VIOLATIONS: &str = "org.springframework.validation.";

/// Conditions, each with how near to the changed code it is tested.
pub(in crate::compare) type Asked = Vec<(Nearness, Cond)>;

/// Whether a condition is informative. One that only states the usual case is not: a value is present, no call fails.
pub(in crate::compare) fn is_telling(cond: &Cond) -> bool {
    let is_usual = |cond: &Cond| matches!(cond, Cond::Input(..) | Cond::IsNull(_)) || says_failing(cond);
    !matches!(cond, Cond::Not(inner) if is_usual(inner))
}

/// Whether a condition says that a value is not null.
pub(in crate::compare) fn says_present(cond: &Cond) -> bool {
    matches!(cond, Cond::Not(inner) if matches!(**inner, Cond::IsNull(_)))
}

/// The conditions of a pair of paths, without duplicates, each with how near to the changed code it is tested: a validator
/// or a caller may have tested first, on either side (`evaluated`), what the changed code tests again.
pub(in crate::compare) fn asked(changed: &ChangedCode, conditions: [&[Taken]; 2], evaluated: [&[Taken]; 2]) -> Asked {
    let mut all: Asked = Vec::new();
    let again = |cond: &Cond| {
        let opposite = cond.negate();
        let tests =
            evaluated.into_iter().enumerate().flat_map(|(side, tests)| tests.iter().map(move |one| (side, one)));
        let tests = tests.filter(|(_, one)| one.cond == *cond || one.cond == opposite);
        tests.filter_map(|(side, one)| Some(changed.nearness(side, one.site?))).max()
    };
    for (side, conditions) in conditions.into_iter().enumerate() {
        for taken in conditions {
            let own = taken.site.map(|site| changed.nearness(side, site));
            // What only the framework tests goes without saying.
            let Some(near) = own.max(again(&taken.cond)) else { continue };
            if !is_telling(&taken.cond) && !says_present(&taken.cond) && near < Nearness::Member {
                continue;
            }
            // How an answer lists violations does not decide whether there are any.
            if near == Nearness::Elsewhere && rests_on(&taken.cond).iter().any(|one| one.callee.starts_with(VIOLATIONS))
            {
                continue;
            }
            match all.iter_mut().find(|(_, known)| known.to_string() == taken.cond.to_string()) {
                Some(known) => known.0 = known.0.max(near),
                None => all.push((near, taken.cond.clone())),
            }
        }
    }
    all
}

/// Whether callers rarely take this pair of paths, or it says little: a value is null, a call fails, or both base and
/// head fail.
pub(in crate::compare) fn is_seldom(before: &ComparablePath, after: &ComparablePath) -> bool {
    (fails(before) && fails(after))
        || both(before, after).any(is_hardly_met)
        || finds_below_one(before, after)
        || finds_by_nothing(before, after)
        || [before, after].into_iter().any(is_slip)
}

/// The number of conditions of a pair of paths that callers hardly ever meet, and of its library calls whose arguments are
/// all null, which usually fail.
pub(in crate::compare) fn hardly_met(before: &ComparablePath, after: &ComparablePath) -> usize {
    both(before, after).filter(|cond| is_hardly_met(cond)).count() + before.given_null.max(after.given_null)
}

/// The number of conditions of a pair of paths about what earlier requests have left in fields: that one is still null is
/// how the service starts.
pub(in crate::compare) fn states_left(before: &ComparablePath, after: &ComparablePath) -> usize {
    let is_initial = |cond: &Cond| matches!(cond, Cond::IsNull(term) if matches!(&**term, Term::Opaque(_)));
    let asks = |cond: &&Cond| rests_on(cond).iter().any(|one| is_state(one)) && !is_initial(cond);
    both(before, after).filter(asks).count()
}

/// Whether a path finds a row by a number below one. Databases count the keys that they generate from one.
fn finds_below_one(before: &ComparablePath, after: &ComparablePath) -> bool {
    let below = |cond: &Cond| match cond {
        Cond::Compare(op, prim, term, bound) if prim.is_integral() => {
            let Term::Const(bound) = &**bound else { return None };
            let most = match op {
                BinaryOp::Eq | BinaryOp::Le => bound.as_double()?,
                BinaryOp::Lt => bound.as_double()? - 1.0,
                _ => return None,
            };
            (most <= 0.0).then(|| Canon::Term(term.clone()))
        }
        _ => None,
    };
    let below: Vec<Canon> = both(before, after).filter_map(below).collect();
    let finds = |cond: &Cond| match cond {
        Cond::Not(inner) => matches!(**inner, Cond::IsNull(_)),
        Cond::Test(_) => !says_failing(cond),
        _ => false,
    };
    let is_by_key = |call: &Rc<Opaque>| {
        ["ById", "by Id"].iter().any(|name| call.callee.contains(name))
            && call.operands.iter().any(|operand| below.contains(operand))
    };
    !below.is_empty() && both(before, after).any(|cond| finds(cond) && rests_on(cond).iter().any(is_by_key))
}

/// Whether a path finds something by a text that is null or blank, which no row has.
fn finds_by_nothing(before: &ComparablePath, after: &ComparablePath) -> bool {
    fn blank(cond: &Cond, found: &mut Vec<Canon>) {
        match cond {
            Cond::IsNull(term) => found.push(Canon::Term(term.clone())),
            Cond::Test(term) => {
                if let Term::Apply(Function::IsBlank | Function::IsEmpty, of) = &**term {
                    found.extend(of.first().cloned().map(Canon::Term));
                }
            }
            Cond::Any(parts) | Cond::All(parts) => parts.iter().for_each(|part| blank(part, found)),
            _ => {}
        }
    }
    let mut blanks = Vec::new();
    both(before, after).for_each(|cond| blank(cond, &mut blanks));
    let is_look_up = |call: &Rc<Opaque>| {
        call.origin == Origin::Call && call.operands.iter().skip(1).any(|operand| blanks.contains(operand))
    };
    let finds = |cond: &Cond| match cond {
        Cond::Not(inner) => {
            matches!(&**inner, Cond::IsNull(term) if matches!(&**term, Term::Opaque(call) if is_look_up(call)))
        }
        Cond::Test(term) => match &**term {
            Term::Opaque(there) if &*there.callee == THERE => {
                there.operands.first().and_then(Canon::as_opaque).is_some_and(is_look_up)
            }
            _ => false,
        },
        _ => false,
    };
    !blanks.is_empty() && both(before, after).any(finds)
}

/// Whether one path has a call that fails, and the other path has a call of the same method with other arguments that
/// does not fail.
pub(in crate::compare) fn fails_apart(before: &ComparablePath, after: &ComparablePath) -> bool {
    let of = |ended: &ComparablePath| -> Vec<(Rc<Opaque>, bool)> {
        ended.conditions.iter().filter_map(|taken| failing(&taken.cond)).collect()
    };
    let asked: BTreeSet<u128> =
        after.asked.iter().filter_map(|taken| failing(&taken.cond)).map(|(call, _)| call.key).collect();
    // Calls of base that head does not make. They are compared with head's calls of the same method.
    let was: Vec<(Rc<Opaque>, bool)> = of(before).into_iter().filter(|(call, _)| !asked.contains(&call.key)).collect();
    of(after).iter().any(|(call, fails)| {
        let other = was.iter().find(|(own, _)| own.callee == call.callee);
        other.is_some_and(|(_, failed)| failed != fails)
    })
}

/// The call whose failure a condition tests, and whether it fails.
fn failing(cond: &Cond) -> Option<(Rc<Opaque>, bool)> {
    let (cond, fails) = match cond {
        Cond::Not(inner) => (&**inner, false),
        cond => (cond, true),
    };
    let Cond::Test(term) = cond else { return None };
    match &**term {
        Term::Opaque(part) if &*part.callee == THROWS => Some((part.operands.first()?.as_opaque()?.clone(), fails)),
        _ => None,
    }
}

/// Whether a condition in the changed part requires one exact number.
pub(in crate::compare) fn pins_number(asked: &Asked) -> bool {
    asked.iter().any(|(near, cond)| {
        *near == Nearness::Part
            && counted(cond).is_none()
            && matches!(cond, Cond::Compare(BinaryOp::Eq, prim, ..) if prim.is_integral())
    })
}

/// How many values must happen to equal a constant text, how many collections must be empty, how many objects of a library
/// must be none of the class that code asks for, and how many pairs of values must be equal that head alone compares, for a
/// pair of paths to be taken.
pub(in crate::compare) fn coincidences(before: &ComparablePath, after: &ComparablePath) -> usize {
    let is_text = |term: &Term| matches!(term, Term::Const(Scalar::Str(_)));
    let happens = |taken: &&Taken| match &taken.cond {
        Cond::Same(a, b) => is_text(a) || is_text(b),
        cond => is_empty(cond) || is_blank(cond) || relates_classes(cond) || is_of_no_class(cond),
    };
    let asks_too = |cond: &Cond| before.conditions.iter().any(|taken| taken.cond == *cond);
    let of_head = |taken: &&Taken| equates_values(&taken.cond) && !asks_too(&taken.cond);
    before.conditions.iter().chain(&after.conditions).filter(happens).count()
        + after.conditions.iter().filter(of_head).count()
        + found_by_others(before, after).count()
}

/// The conditions that only head tests, by which a look-up gives something for another argument than in base.
pub(in crate::compare) fn found_by_others<'e>(
    before: &'e ComparablePath,
    after: &'e ComparablePath,
) -> impl Iterator<Item = &'e Cond> {
    let asked: BTreeSet<(Rc<str>, u128)> = before
        .asked
        .iter()
        .chain(&before.conditions)
        .filter_map(|taken| looked_up(&taken.cond))
        .map(|call| (call.callee.clone(), call.key))
        .collect();
    let is_of_other = move |cond: &&Cond| {
        let call = if says_present(cond) || says_found(cond) { looked_up(cond) } else { None };
        call.is_some_and(|call| {
            !asked.contains(&(call.callee.clone(), call.key)) && asked.iter().any(|(callee, _)| *callee == call.callee)
        })
    };
    after.conditions.iter().map(|taken| &taken.cond).filter(is_of_other)
}

/// Whether a condition only says that a query finds a row, which goes without saying.
pub(in crate::compare) fn says_found(cond: &Cond) -> bool {
    matches!(cond, Cond::Test(term) if matches!(&**term, Term::Opaque(one) if &*one.callee == THERE))
}

/// The call with arguments of which a condition says whether its result is null, or whether it finds a row.
fn looked_up(cond: &Cond) -> Option<Rc<Opaque>> {
    let call = match plain(cond) {
        Cond::IsNull(term) => match &**term {
            Term::Opaque(call) => call.clone(),
            _ => return None,
        },
        Cond::Test(term) => match &**term {
            Term::Opaque(there) if &*there.callee == THERE => there.operands.first()?.as_opaque()?.clone(),
            _ => return None,
        },
        _ => return None,
    };
    let has_arguments = call.operands.iter().skip(1).any(|operand| !operand.is_mark());
    (call.origin == Origin::Call && has_arguments).then_some(call)
}

/// Whether a condition says that a text is empty or blank.
fn is_blank(cond: &Cond) -> bool {
    let Cond::Test(term) = cond else { return false };
    matches!(&**term, Term::Apply(Function::IsBlank | Function::IsEmpty, _))
}

/// Whether a condition says that an exception class of a library is below another one, which its sources would tell. Most
/// are not.
fn relates_classes(cond: &Cond) -> bool {
    let Cond::Test(term) = cond else { return false };
    let Term::Opaque(part) = &**term else { return false };
    part.callee.starts_with("is a ") && matches!(part.operands.first(), Some(Canon::Named(_)))
}

/// Whether a condition says that what a call gives is no object of a class. Code asks for the class that it expects.
fn is_of_no_class(cond: &Cond) -> bool {
    let Cond::Not(inner) = cond else { return false };
    let Cond::Test(term) = &**inner else { return false };
    let Term::Opaque(test) = &**term else { return false };
    let of_call = || test.operands.first().and_then(Canon::as_opaque).is_some_and(|of| of.origin == Origin::Call);
    test.callee.starts_with("instanceof ") && of_call()
}

/// Whether a condition says that two values are equal, neither of which is a constant.
fn equates_values(cond: &Cond) -> bool {
    let is_open = |term: &Term| !matches!(term, Term::Const(_));
    match cond {
        Cond::Same(a, b) => is_open(a) && is_open(b),
        Cond::Test(term) => match &**term {
            Term::Apply(Function::EqualsIgnoreCase, parts) => parts.iter().all(|part| is_open(part)),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a condition says that a collection has no elements.
fn is_empty(cond: &Cond) -> bool {
    let Cond::Compare(op, _, _, bound) = cond else { return false };
    let number = match &**bound {
        Term::Const(number) => number.as_int(),
        _ => None,
    };
    counted(cond).is_some() && matches!((op, number), (BinaryOp::Eq | BinaryOp::Le, Some(0)) | (BinaryOp::Lt, Some(1)))
}

/// Whether a path ends in an exception of the Java runtime for a wrong index or class.
fn is_slip(ended: &ComparablePath) -> bool {
    let slips = [
        "java.lang.ArrayIndexOutOfBoundsException",
        "java.lang.ClassCastException",
        "java.lang.StringIndexOutOfBoundsException",
    ];
    ended.thrown.as_ref().is_some_and(|(class, _)| slips.contains(&&**class))
}

/// Whether callers rarely meet a condition: a value is null, an opaque call fails, or an opaque call with a null
/// argument gives a result.
fn is_hardly_met(cond: &Cond) -> bool {
    let takes_null =
        || rests_on(cond).iter().any(|one| one.origin == Origin::Call && one.operands.contains(&Canon::null()));
    let is_null = || matches!(cond, Cond::IsNull(term) if !is_often_null(term));
    is_null() || says_failing(cond) || (!matches!(cond, Cond::Not(_)) && takes_null())
}

/// Calls that often return null: a value that the request does not contain, that has not been set yet, or that no
/// filter has determined.
const OFTEN_NULL: [&str; 9] = [
    "getAuthentication",
    "getAttribute",
    "getCookies",
    "getHeader",
    "getHeaderString",
    "getIfPresent",
    "getParameter",
    "getQueryString",
    "getSession",
];

fn is_often_null(term: &Term) -> bool {
    let call = match term {
        // At first nothing has set it.
        Term::Opaque(field) if is_state(field) => return true,
        Term::Opaque(call) => call,
        // A parameter that callers may leave out, or a part of it.
        Term::Input(input) => {
            return matches!(input.place, InputPlace::Query | InputPlace::Header | InputPlace::Cookie);
        }
        _ => return false,
    };
    let name = call.callee.split(['/', '(']).next().unwrap_or_default();
    OFTEN_NULL.contains(&name.rsplit(['.', '#']).next().unwrap_or_default())
}

/// How unlikely the failures on a pair of paths are. The failure of a collaborator's call is the least unlikely.
/// Failures of constructors, of static methods and of the JDK are more unlikely, and so are exceptions of another
/// library.
pub(in crate::compare) fn unlikely_failures(before: &ComparablePath, after: &ComparablePath) -> usize {
    let of = |cond: &Cond| -> usize {
        let Cond::Test(term) = cond else { return 0 };
        let Term::Opaque(part) = &**term else { return 0 };
        if says_failing(cond) {
            let call = part.operands.first().and_then(Canon::as_opaque);
            return call.map_or(0, |call| match &*call.callee {
                callee if callee.contains("<init>") => 2,
                callee if callee.starts_with("java.") && !callee.starts_with("java.sql.") => 1,
                _ => usize::from(is_static_of_library(call)),
            });
        }
        let fails = part.operands.first().and_then(Canon::as_opaque).filter(|fails| &*fails.callee == THROWS);
        let call = fails.and_then(|fails| fails.operands.first().and_then(Canon::as_opaque).cloned());
        let class = part.callee.strip_prefix("is a ").filter(|class| !class.starts_with("java"));
        match (call, class) {
            (Some(call), Some(class)) => usize::from(call.callee.contains('.') && maker(&call.callee) != maker(class)),
            _ => 0,
        }
    };
    both(before, after).map(of).sum()
}

/// The vendor of a library: the first two parts of its package names.
fn maker(name: &str) -> Vec<&str> {
    name.split('.').take(2).collect()
}

/// The collection size that a condition compares.
pub(in crate::compare) fn counted(cond: &Cond) -> Option<&Term> {
    let is_size = |term: &&Rc<Term>| match &***term {
        Term::Opaque(part) => part.origin == Origin::Part && &*part.callee == SIZE,
        Term::Apply(Function::Size, _) => true,
        _ => false,
    };
    let Cond::Compare(_, _, a, b) = plain(cond) else { return None };
    [a, b].into_iter().find(is_size).map(|term| &**term)
}

/// Everything that holds on a pair of paths.
pub(in crate::compare) fn holding(before: &ComparablePath, after: &ComparablePath) -> PathConstraints {
    let mut holds = PathConstraints::default();
    both(before, after).for_each(|cond| holds.add(cond.clone()));
    holds
}

/// Whether a path ends in an exception, or in an error answer.
pub(in crate::compare) fn fails(ended: &ComparablePath) -> bool {
    ended.thrown.is_some() || ended.status.is_some_and(|status| status >= 400)
}

/// The reason why a condition rests on an unknown value.
pub(in crate::compare) fn left_open(cond: &Cond) -> Option<String> {
    if let Cond::Unknown(_, why) = plain(cond) {
        return Some(why.to_string());
    }
    rests_on(cond).iter().flat_map(|one| one.operands.iter()).find_map(Canon::unknown).map(|why| why.to_string())
}

fn plain(cond: &Cond) -> &Cond {
    match cond {
        Cond::Not(inner) => plain(inner),
        other => other,
    }
}

/// The conditions of both paths of a pair.
fn both<'e>(before: &'e ComparablePath, after: &'e ComparablePath) -> impl Iterator<Item = &'e Cond> {
    before.conditions.iter().chain(&after.conditions).map(|taken| &taken.cond)
}

/// The opaque values on which a condition depends.
pub(in crate::compare) fn rests_on(cond: &Cond) -> Vec<Rc<Opaque>> {
    let mut all = Vec::new();
    cond.opaque(&mut all);
    all
}

/// Identifies the inputs and opaque values that a condition tests, and the arguments of the calls whose results it tests.
pub(in crate::compare) fn subjects(cond: &Cond) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut add = |term: &Rc<Term>| add_subjects(&Canon::Term(term.clone()), &mut all);
    match plain(cond) {
        Cond::Compare(_, _, a, b) | Cond::Same(a, b) => [a, b].into_iter().for_each(&mut add),
        Cond::IsNull(term) | Cond::Test(term) => add(term),
        Cond::Input(input, _) => add(&Rc::new(Term::Input(input.clone()))),
        Cond::All(parts) | Cond::Any(parts) => all.extend(parts.iter().flat_map(subjects)),
        Cond::Not(_) | Cond::Const(_) | Cond::Unknown(..) => {}
    }
    all
}

fn add_subjects(value: &Canon, all: &mut BTreeSet<String>) {
    let Canon::Term(term) = value else {
        all.insert(value.text());
        return;
    };
    let mut of = |term: &Rc<Term>| add_subjects(&Canon::Term(term.clone()), all);
    match &**term {
        Term::Const(_) => {}
        Term::Binary(_, _, a, b) => [a, b].into_iter().for_each(&mut of),
        Term::Unary(_, _, a) | Term::Cast(_, a) => of(a),
        Term::Apply(_, parts) => parts.iter().for_each(&mut of),
        Term::Opaque(one) if one.origin == Origin::Part && &*one.callee == SIZE => {
            one.operands.iter().for_each(|operand| add_subjects(operand, all));
        }
        Term::Opaque(one) if one.origin == Origin::Call => {
            one.operands.iter().filter(|operand| !operand.is_mark()).for_each(|operand| add_subjects(operand, all));
            all.insert(value.text());
        }
        Term::Input(_) | Term::Opaque(_) => _ = all.insert(value.text()),
    }
}
