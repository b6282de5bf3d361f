//! Conditions: what must hold for a path to be taken, as it stands in the code, simplified, and printed for people.

use std::rc::Rc;

use super::function::{Function, compare_scalars};
use super::scalar::{Prim, Scalar};
use super::term::{Input, Inputs, Term, operator};
use crate::java::body::BinaryOp;

/// What the framework finds wrong with an input before the handler runs.
#[derive(Debug, Clone, PartialEq)]
pub enum Defect {
    /// A required input is not there.
    Missing,
    /// Its text is none of the type (named for people).
    NotA(Rc<str>),
    /// The body is not what the type can be read from.
    Unreadable,
}

/// A condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Cond {
    /// Always or never.
    Const(bool),
    /// A comparison of numbers (or `==`/`!=` of booleans).
    Compare(BinaryOp, Prim, Rc<Term>, Rc<Term>),
    /// Both are the same value: enum constants, or `equals` of strings and boxes.
    Same(Rc<Term>, Rc<Term>),
    /// It is null (not given, for an optional input).
    IsNull(Rc<Term>),
    /// A boolean term.
    Test(Rc<Term>),
    /// An input is not as the framework needs it.
    Input(Input, Defect),
    /// Not.
    Not(Rc<Cond>),
    /// All of them.
    All(Vec<Cond>),
    /// One of them.
    Any(Vec<Cond>),
    /// A condition that could not be followed: as it stands in the source, and why.
    Unknown(Rc<str>, Rc<str>),
}

impl Cond {
    /// The opposite, without needless `Not`. Comparisons of floating point keep their `Not`, because of NaN.
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
                // A constant stands on the right.
                Self::Compare(op, prim, a, b) if matches!(*a, Term::Const(_)) => {
                    Self::Compare(mirrored(op), prim, b, a)
                }
                Self::Same(a, b) if matches!(*a, Term::Const(_)) => Self::Same(b, a),
                other => other,
            },
        }
    }

    /// Whether it holds on these inputs; `None` where that is not known.
    pub fn holds(&self, inputs: &dyn Inputs) -> Option<bool> {
        match self {
            Self::Const(value) => Some(*value),
            Self::Compare(op, _, a, b) => compare_scalars(*op, &a.evaluate(inputs)?, &b.evaluate(inputs)?),
            Self::Same(a, b) => super::function::equals(&a.evaluate(inputs)?, &b.evaluate(inputs)?),
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

    /// Whether some part of it could not be followed.
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Unknown(..) => true,
            Self::Not(inner) => inner.is_unknown(),
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::is_unknown),
            _ => false,
        }
    }

    /// The comparison with an integral constant in it, as term, operator and constant.
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

/// The operator with its operands exchanged.
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

impl std::fmt::Display for Cond {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let joined = |parts: &[Self], word: &str| {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| match part {
                    Self::All(_) | Self::Any(_) => format!("({part})"),
                    _ => part.to_string(),
                })
                .collect();
            parts.join(word)
        };
        match self {
            Self::Const(value) => write!(f, "{}", if *value { "always" } else { "never" }),
            Self::Compare(op, _, a, b) => write!(f, "{a} {} {b}", operator(*op)),
            Self::Same(a, b) => write!(f, "{a} equals {b}"),
            Self::IsNull(a) => write!(f, "{a} is null"),
            Self::Test(a) => a.fmt(f),
            Self::Input(input, Defect::Missing) => write!(f, "{input} is missing"),
            Self::Input(input, Defect::NotA(what)) => write!(f, "{input} is no {what}"),
            Self::Input(input, Defect::Unreadable) => write!(f, "{input} cannot be read"),
            Self::Not(inner) => match &**inner {
                Self::IsNull(a) => write!(f, "{a} is not null"),
                Self::Same(a, b) => write!(f, "{a} is not {b}"),
                Self::Test(a) => match &**a {
                    Term::Apply(function, args) => {
                        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
                        match function.describe_negated(&args) {
                            Some(text) => f.write_str(&text),
                            None => write!(f, "not {}", function.describe(&args)),
                        }
                    }
                    other => write!(f, "{other} is false"),
                },
                Self::Input(input, Defect::Missing) => write!(f, "{input} is given"),
                Self::Input(input, Defect::NotA(what)) => write!(f, "{input} is a valid {what}"),
                Self::Input(input, Defect::Unreadable) => write!(f, "{input} can be read"),
                other => write!(f, "not ({other})"),
            },
            Self::All(parts) => f.write_str(&joined(parts, " and ")),
            Self::Any(parts) => f.write_str(&joined(parts, " or ")),
            Self::Unknown(text, _) => write!(f, "`{text}`"),
        }
    }
}

/// What is known from the conditions already taken: decides whether another one can only hold, or can only fail.
#[derive(Debug, Clone, Default)]
pub struct Known {
    taken: Vec<Cond>,
}

impl Known {
    /// Adds a condition that holds.
    pub fn add(&mut self, cond: Cond) {
        self.taken.push(cond);
    }

    /// Whether a condition follows from what is known, or contradicts it.
    pub fn decides(&self, cond: &Cond) -> Option<bool> {
        if self.taken.contains(cond) {
            return Some(true);
        }
        if self.taken.contains(&cond.negate()) {
            return Some(false);
        }
        match cond {
            Cond::Not(inner) => self.decides(inner).map(|value| !value),
            Cond::Same(term, other) => {
                let wanted = constant(other)?;
                self.value_of(term).map(|value| value == *wanted).or_else(|| {
                    self.taken.iter().any(|known| matches!(known, Cond::IsNull(t) if t == term)).then_some(false)
                })
            }
            Cond::IsNull(term) => self.value_of(term).map(|value| value == Scalar::Null),
            _ => {
                let (term, op, limit) = cond.bound()?;
                if let Some(value) = self.value_of(term).as_ref().and_then(Scalar::as_long) {
                    return compare_scalars(op, &Scalar::Long(value), &Scalar::Long(limit));
                }
                self.by_range(term, op, limit)
            }
        }
    }

    /// The value that a term must have by what is known.
    fn value_of(&self, term: &Rc<Term>) -> Option<Scalar> {
        for known in &self.taken {
            match known {
                Cond::Same(t, c) if t == term => return constant(c).cloned(),
                Cond::Compare(BinaryOp::Eq, _, t, c) if t == term => return constant(c).cloned(),
                Cond::IsNull(t) if t == term => return Some(Scalar::Null),
                _ => {}
            }
        }
        // A function of a term whose value is known.
        if let Term::Apply(function, args) = &**term {
            let args: Option<Vec<Scalar>> =
                args.iter().map(|arg| constant(arg).cloned().or_else(|| self.value_of(arg))).collect();
            if let super::function::Applied::Value(value) = function.apply(&args?) {
                return Some(value);
            }
        }
        None
    }

    /// Smallest and largest integer that a term can be by what is known.
    pub fn range(&self, term: &Rc<Term>) -> (i64, i64) {
        let (mut low, mut high) = (i64::MIN, i64::MAX);
        if matches!(&**term, Term::Apply(Function::Length | Function::Size, _)) {
            low = 0;
        }
        for known in &self.taken {
            let Some((t, op, limit)) = known.bound() else { continue };
            if t != term {
                continue;
            }
            match op {
                BinaryOp::Lt => high = high.min(limit.saturating_sub(1)),
                BinaryOp::Le => high = high.min(limit),
                BinaryOp::Gt => low = low.max(limit.saturating_add(1)),
                BinaryOp::Ge => low = low.max(limit),
                BinaryOp::Eq => {
                    low = low.max(limit);
                    high = high.min(limit);
                }
                _ => {}
            }
        }
        (low, high)
    }

    fn by_range(&self, term: &Rc<Term>, op: BinaryOp, limit: i64) -> Option<bool> {
        let (low, high) = self.range(term);
        match op {
            BinaryOp::Lt if high < limit => Some(true),
            BinaryOp::Lt if low >= limit => Some(false),
            BinaryOp::Le if high <= limit => Some(true),
            BinaryOp::Le if low > limit => Some(false),
            BinaryOp::Gt if low > limit => Some(true),
            BinaryOp::Gt if high <= limit => Some(false),
            BinaryOp::Ge if low >= limit => Some(true),
            BinaryOp::Ge if high < limit => Some(false),
            BinaryOp::Eq if limit < low || limit > high => Some(false),
            BinaryOp::Ne if limit < low || limit > high => Some(true),
            BinaryOp::Eq if low == high && low == limit => Some(true),
            BinaryOp::Ne if low == high && low == limit => Some(false),
            _ => None,
        }
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
    use crate::java::interpret::term::Place;

    fn length() -> Rc<Term> {
        Rc::new(Term::Apply(Function::Length, vec![Rc::new(Term::Input(Input::new(Place::Path, "code")))]))
    }

    fn cmp(op: BinaryOp, limit: i32) -> Cond {
        Cond::Compare(op, Prim::Int, length(), Rc::new(Term::Const(Scalar::Int(limit))))
    }

    #[test]
    fn ranges_decide_what_follows() {
        let mut known = Known::default();
        known.add(cmp(BinaryOp::Ge, 2));
        known.add(cmp(BinaryOp::Le, 3));
        assert_eq!(known.decides(&cmp(BinaryOp::Lt, 2)), Some(false));
        assert_eq!(known.decides(&cmp(BinaryOp::Gt, 3)), Some(false));
        assert_eq!(known.decides(&cmp(BinaryOp::Eq, 2)), None);
        assert_eq!(known.decides(&cmp(BinaryOp::Eq, 4)), Some(false));
        assert_eq!(known.range(&length()), (2, 3));
    }

    #[test]
    fn conditions_read_as_sentences() {
        assert_eq!(cmp(BinaryOp::Lt, 2).to_string(), "length of code < 2");
        assert_eq!(cmp(BinaryOp::Lt, 2).negate().to_string(), "length of code >= 2");
        let code = Rc::new(Term::Input(Input::new(Place::Path, "code")));
        assert_eq!(Cond::IsNull(code).negate().to_string(), "code is not null");
    }
}
