//! Values of a path in which numbers stand that its conditions leave no choice about: where `page == 0` holds, `page` is 0.

use std::rc::Rc;

use mastor_java::interpret::paths::condition::Cond;
use mastor_java::interpret::paths::known::PathConstraints;
use mastor_java::interpret::values::scalar::{Prim, Scalar};
use mastor_java::interpret::values::term::{Canon, Opaque, Term};

/// The value with numbers in place of the terms that must have them.
pub(in crate::compare) fn settled(value: &Canon, known: &PathConstraints) -> Canon {
    // Only terms that a condition compares with a number can be settled.
    if known.all().iter().any(|cond| cond.bound().is_some()) { within(value, known) } else { value.clone() }
}

fn within(value: &Canon, known: &PathConstraints) -> Canon {
    match value {
        Canon::Term(term) => Canon::Term(of_term(term, known)),
        Canon::Object(class, parts) => {
            Canon::Object(class.clone(), parts.iter().map(|(name, part)| (name.clone(), within(part, known))).collect())
        }
        other => other.clone(),
    }
}

fn of_term(term: &Rc<Term>, known: &PathConstraints) -> Rc<Term> {
    if let Some(number) = only_number(term, known) {
        return Rc::new(Term::Const(number));
    }
    match &**term {
        Term::Opaque(call) if !call.operands.is_empty() => {
            let operands: Vec<Canon> = call.operands.iter().map(|operand| within(operand, known)).collect();
            if operands.iter().zip(call.operands.iter()).all(|(new, old)| new == old) {
                return term.clone();
            }
            let made = Opaque::new(call.origin, &call.callee, operands, call.sort.clone(), &call.words);
            Rc::new(Term::Opaque(Rc::new(Opaque { noun: call.noun.clone(), ..made })))
        }
        _ => term.clone(),
    }
}

/// The only number that a term can be, in the type in which a condition compares it.
fn only_number(term: &Rc<Term>, known: &PathConstraints) -> Option<Scalar> {
    let compared = known.all().iter().find_map(|cond| match cond {
        Cond::Compare(_, prim, of, _) if of == term => Some(*prim),
        _ => None,
    })?;
    let number = known.only_integer(term)?;
    match compared {
        Prim::Int => i32::try_from(number).ok().map(Scalar::Int),
        Prim::Long => Some(Scalar::Long(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::settled;
    use mastor_java::interpret::paths::condition::Cond;
    use mastor_java::interpret::paths::known::PathConstraints;
    use mastor_java::interpret::values::scalar::{Prim, Scalar};
    use mastor_java::interpret::values::term::{Canon, Opaque, Origin, Sort, Term};
    use mastor_java::ir::body::BinaryOp;
    use std::rc::Rc;

    #[test]
    fn a_term_that_two_bounds_enclose_is_a_number() {
        let page = Opaque::new(Origin::Given, "page", Vec::new(), Sort::Prim(Prim::Int), "page");
        let page = Rc::new(Term::Opaque(Rc::new(page)));
        let zero = || Rc::new(Term::Const(Scalar::Int(0)));
        let find = |of: &Rc<Term>| {
            let call = Opaque::new(Origin::Call, "find/1", vec![Canon::Term(of.clone())], Sort::Object, "find");
            Canon::Term(Rc::new(Term::Opaque(Rc::new(call))))
        };
        let mut known = PathConstraints::default();
        known.add(Cond::Compare(BinaryOp::Ge, Prim::Int, page.clone(), zero()));
        assert_eq!(settled(&find(&page), &known), find(&page));
        known.add(Cond::Compare(BinaryOp::Le, Prim::Int, page.clone(), zero()));
        assert_eq!(settled(&find(&page), &known), find(&zero()));
    }
}
