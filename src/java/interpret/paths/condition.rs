//! Path conditions: simplified conditions under which a path is taken, with a readable form.

use std::rc::Rc;

use crate::interpret::values::function::{Function, compare_scalars};
use crate::interpret::values::scalar::{ClassRef, Prim, Scalar};
use crate::interpret::values::term::{Input, Inputs, Opaque, Term, Truth};
use crate::ir::body::BinaryOp;

/// A defect of an input that the framework finds before the handler runs.
#[derive(Debug, Clone, PartialEq)]
pub enum Defect {
    /// A required input is missing.
    Missing,
    /// The text cannot be converted to the type (by its display name).
    NotA(Rc<str>),
    /// The body cannot be read as the declared type.
    Unreadable,
}

/// A condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Cond {
    /// Always or never.
    Const(bool),
    /// A comparison of numbers (or `==`/`!=` of booleans).
    Compare(BinaryOp, Prim, Rc<Term>, Rc<Term>),
    /// Equality of values: of enum constants, or by `equals` of strings and boxes.
    Same(Rc<Term>, Rc<Term>),
    /// The term is null; for an optional input, it is missing.
    IsNull(Rc<Term>),
    /// A boolean term.
    Test(Rc<Term>),
    /// The input has this defect.
    Input(Input, Defect),
    /// Not.
    Not(Rc<Cond>),
    /// All of them.
    All(Vec<Cond>),
    /// One of them.
    Any(Vec<Cond>),
    /// A condition that could not be followed: its source text, and the reason.
    Unknown(Rc<str>, Rc<str>),
}

/// Whether a term concatenates texts, one of which is a constant that is not blank.
fn has_letters(made: &Term) -> bool {
    let is_plain = |part: &Rc<Term>| match &**part {
        Term::Const(scalar) => scalar.to_java_string().is_some_and(|text| !text.trim().is_empty()),
        part => has_letters(part),
    };
    matches!(made, Term::Apply(Function::Concat, parts) if parts.iter().any(is_plain))
}

/// Whether a concatenated text certainly differs from a constant, because it starts or ends differently.
fn is_other_text(made: &Term, constant: &Term) -> bool {
    let text = |term: &Term| match term {
        Term::Const(scalar) => scalar.to_java_string(),
        _ => None,
    };
    let Term::Const(Scalar::Str(_)) = constant else { return false };
    let (Some(whole), Term::Apply(Function::Concat, parts)) = (text(constant), made) else { return false };
    let outermost = |at: fn(&[Rc<Term>]) -> Option<&Rc<Term>>| {
        let mut part = at(parts);
        while let Some(Term::Apply(Function::Concat, inner)) = part.map(|part| &**part) {
            part = at(inner);
        }
        part.and_then(|part| text(part))
    };
    let (begins, ends) = (outermost(|parts| parts.first()), outermost(|parts| parts.last()));
    begins.is_some_and(|begins| !whole.starts_with(&begins)) || ends.is_some_and(|ends| !whole.ends_with(&ends))
}

impl Cond {
    /// The negation, without redundant `Not`. Comparisons of floating point numbers keep their `Not`, because of NaN.
    #[must_use]
    pub fn negate(&self) -> Self {
        match self {
            Self::Const(value) => Self::Const(!value),
            Self::Not(inner) => (**inner).clone(),
            Self::Compare(op, prim, a, b) if prim.is_integral() || matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                Self::Compare(opposite(*op), *prim, a.clone(), b.clone())
            }
            Self::All(parts) => Self::Any(parts.iter().map(Self::negate).collect()),
            Self::Any(parts) => Self::All(parts.iter().map(Self::negate).collect()),
            other => Self::Not(Rc::new(other.clone())),
        }
    }

    /// The condition with constants folded.
    #[must_use]
    pub fn simplify(self) -> Self {
        struct Nothing;
        impl Inputs for Nothing {
            fn scalar(&self, _: &Input) -> Option<Scalar> {
                None
            }
            fn size(&self, _: &Input) -> Option<i32> {
                None
            }
        }
        match self.holds(&Nothing) {
            Some(value) => Self::Const(value),
            None => match self {
                Self::All(parts) => Self::joined(parts, true),
                Self::Any(parts) => Self::joined(parts, false),
                // Moves a constant to the right.
                Self::Compare(op, prim, a, b) if matches!(*a, Term::Const(_)) => {
                    Self::Compare(mirrored(op), prim, b, a)
                }
                Self::Same(a, b) if a == b => Self::Const(true),
                Self::Same(a, b) if matches!(*a, Term::Const(_)) => Self::Same(b, a),
                other => other,
            },
        }
    }

    /// The conjunction or disjunction of the parts: flattened, without duplicates and neutral parts.
    fn joined(parts: Vec<Self>, all: bool) -> Self {
        let mut kept: Vec<Self> = Vec::new();
        for part in parts {
            let inner = match (part.simplify(), all) {
                (Self::Const(value), _) if value == all => continue,
                (Self::Const(value), _) => return Self::Const(value),
                (Self::All(inner), true) | (Self::Any(inner), false) => inner,
                (other, _) => vec![other],
            };
            for one in inner {
                // An unknown condition may have another value each time, so it is never a duplicate.
                if one.is_unknown() {
                    kept.push(one);
                    continue;
                }
                if kept.contains(&one.negate()) {
                    return Self::Const(!all);
                }
                if !kept.contains(&one) {
                    kept.push(one);
                }
            }
        }
        match (kept.len(), kept.pop()) {
            (_, None) => Self::Const(all),
            (1, Some(only)) => only,
            (_, Some(last)) => {
                kept.push(last);
                if all { Self::All(kept) } else { Self::Any(kept) }
            }
        }
    }

    /// Its value for these inputs; `None` if unknown.
    pub fn holds(&self, inputs: &dyn Inputs) -> Option<bool> {
        match self {
            Self::Const(value) => Some(*value),
            Self::Compare(op, _, a, b) => compare_scalars(*op, &a.evaluate(inputs)?, &b.evaluate(inputs)?),
            Self::Same(a, b) if is_other_text(a, b) || is_other_text(b, a) => Some(false),
            Self::Same(a, b) => crate::interpret::values::function::equals(&a.evaluate(inputs)?, &b.evaluate(inputs)?),
            Self::Test(a)
                if let Term::Apply(Function::IsBlank | Function::IsEmpty, of) = &**a
                    && of.first().is_some_and(|of| has_letters(of)) =>
            {
                Some(false)
            }
            // A text that `+` makes is never null (JLS §15.18.1).
            Self::IsNull(a) if matches!(**a, Term::Apply(Function::Concat, _)) => Some(false),
            Self::IsNull(a) => Some(a.evaluate(inputs)? == Scalar::Null),
            Self::Test(a) => match a.evaluate(inputs)? {
                Scalar::Bool(value) => Some(value),
                _ => None,
            },
            Self::Input(..) | Self::Unknown(..) => None,
            Self::Not(inner) => inner.holds(inputs).map(|value| !value),
            Self::All(parts) => every(parts, inputs, true),
            Self::Any(parts) => every(parts, inputs, false),
        }
    }

    /// Number of its nodes, counted up to `limit`.
    pub fn size(&self, limit: usize) -> usize {
        match self {
            Self::Const(_) | Self::Unknown(..) | Self::Input(..) => 1,
            Self::Compare(_, _, a, b) | Self::Same(a, b) => 1 + a.size(limit) + b.size(limit),
            Self::IsNull(a) | Self::Test(a) => 1 + a.size(limit),
            Self::Not(inner) => 1 + inner.size(limit),
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().fold(1, |sum: usize, part| if sum >= limit { sum } else { sum + part.size(limit - sum) })
            }
        }
    }

    /// All inputs in it, each once.
    pub fn inputs(&self, into: &mut Vec<Input>) {
        match self {
            Self::Const(_) | Self::Unknown(..) => {}
            Self::Compare(_, _, a, b) | Self::Same(a, b) => {
                a.inputs(into);
                b.inputs(into);
            }
            Self::IsNull(a) | Self::Test(a) => a.inputs(into),
            Self::Input(input, _) => {
                if !into.contains(input) {
                    into.push(input.clone());
                }
            }
            Self::Not(inner) => inner.inputs(into),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.inputs(into)),
        }
    }

    /// All opaque values in it.
    pub fn opaque(&self, into: &mut Vec<Rc<Opaque>>) {
        match self {
            Self::Const(_) | Self::Unknown(..) | Self::Input(..) => {}
            Self::Compare(_, _, a, b) | Self::Same(a, b) => {
                a.opaque(into);
                b.opaque(into);
            }
            Self::IsNull(a) | Self::Test(a) => a.opaque(into),
            Self::Not(inner) => inner.opaque(into),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.opaque(into)),
        }
    }

    /// The condition with the classes of enum constants replaced, see [`Term::with_classes`].
    #[must_use]
    pub fn with_classes(&self, of: &dyn Fn(&ClassRef) -> Option<ClassRef>) -> Self {
        let each = |term: &Rc<Term>| term.with_classes(of);
        match self {
            Self::Compare(op, prim, a, b) => Self::Compare(*op, *prim, each(a), each(b)),
            Self::Same(a, b) => Self::Same(each(a), each(b)),
            Self::IsNull(a) => Self::IsNull(each(a)),
            Self::Test(a) => Self::Test(each(a)),
            Self::Not(inner) => Self::Not(Rc::new(inner.with_classes(of))),
            Self::All(parts) => Self::All(parts.iter().map(|part| part.with_classes(of)).collect()),
            Self::Any(parts) => Self::Any(parts.iter().map(|part| part.with_classes(of)).collect()),
            Self::Const(_) | Self::Unknown(..) | Self::Input(..) => self.clone(),
        }
    }

    /// Whether some part of it is an unknown condition.
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Unknown(..) => true,
            Self::Not(inner) => inner.is_unknown(),
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::is_unknown),
            _ => false,
        }
    }

    /// If it compares a term with an integral constant: the term, the operator and the constant.
    pub fn bound(&self) -> Option<(&Rc<Term>, BinaryOp, i64)> {
        match self {
            Self::Compare(op, prim, a, b) if prim.is_integral() => match &**b {
                Term::Const(value) => Some((a, *op, value.as_long()?)),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Truth for Cond {
    fn holds_on(&self, inputs: &dyn Inputs) -> Option<bool> {
        self.holds(inputs)
    }

    fn opaque_in(&self, into: &mut Vec<Rc<Opaque>>) {
        self.opaque(into);
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }

    fn words(&self) -> String {
        self.to_string()
    }
}

fn every(parts: &[Cond], inputs: &dyn Inputs, all: bool) -> Option<bool> {
    let mut open = false;
    for part in parts {
        match part.holds(inputs) {
            Some(value) if value != all => return Some(!all),
            Some(_) => {}
            None => open = true,
        }
    }
    (!open).then_some(all)
}

/// The operator of the negated comparison.
pub fn opposite(op: BinaryOp) -> BinaryOp {
    use BinaryOp as B;
    match op {
        B::Lt => B::Ge,
        B::Le => B::Gt,
        B::Gt => B::Le,
        B::Ge => B::Lt,
        B::Eq => B::Ne,
        B::Ne => B::Eq,
        other => other,
    }
}

/// The operator for exchanged operands.
pub fn mirrored(op: BinaryOp) -> BinaryOp {
    use BinaryOp as B;
    match op {
        B::Lt => B::Gt,
        B::Le => B::Ge,
        B::Gt => B::Lt,
        B::Ge => B::Le,
        other => other,
    }
}

/// The value of a constant term.
pub fn constant(term: &Rc<Term>) -> Option<&Scalar> {
    match &**term {
        Term::Const(value) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::values::term::InputPlace;

    #[test]
    fn a_concatenated_text_is_not_null_and_not_blank_if_a_part_is_not() {
        let open = || Rc::new(Term::Input(Input::new(crate::interpret::values::term::InputPlace::Query, "name")));
        let made =
            |text: &str| Rc::new(Term::Apply(Function::Concat, vec![Rc::new(Term::Const(Scalar::text(text))), open()]));
        let blank = |term| Cond::Test(Rc::new(Term::Apply(Function::IsBlank, vec![term])));
        assert_eq!(Cond::IsNull(made(" ")).simplify(), Cond::Const(false));
        assert_eq!(blank(made("a")).simplify(), Cond::Const(false));
        assert_eq!(blank(made(" ")).simplify(), blank(made(" ")));
        assert_eq!(Cond::IsNull(open()).simplify(), Cond::IsNull(open()));
    }

    #[test]
    fn joined_conditions_lose_what_says_nothing() {
        let test = |name: &str| Cond::Test(Rc::new(Term::Input(Input::new(InputPlace::Query, name))));
        let (a, b) = (test("a"), test("b"));
        let all = Cond::All(vec![a.clone(), Cond::Const(true), Cond::All(vec![b.clone(), a.clone()])]);
        assert_eq!(all.simplify(), Cond::All(vec![a.clone(), b]));
        assert_eq!(Cond::Any(vec![a.clone(), a.negate()]).simplify(), Cond::Const(true));
        assert_eq!(Cond::Any(vec![Cond::Const(false), a.clone()]).simplify(), a);
    }
}
