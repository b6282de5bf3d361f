//! The path constraints of a path: whether a condition follows from them or contradicts them.

use std::rc::Rc;

use super::condition::{Cond, constant};
use crate::java::interpret::values::function::{Applied, Function, compare_scalars};
use crate::java::interpret::values::scalar::Scalar;
use crate::java::interpret::values::term::{Canon, Term};
use crate::java::ir::body::BinaryOp;

/// The conditions taken so far; decides whether another one must hold or must fail.
#[derive(Debug, Clone, Default)]
pub struct PathConstraints {
    taken: Vec<Cond>,
}

impl PathConstraints {
    /// Adds a condition that holds.
    pub fn add(&mut self, cond: Cond) {
        if let Cond::All(parts) = &cond {
            parts.iter().for_each(|part| self.add(part.clone()));
        }
        self.taken.push(cond);
    }

    /// The conditions taken so far.
    pub fn all(&self) -> &[Cond] {
        &self.taken
    }

    /// Whether a condition of this set certainly contradicts the other set.
    pub fn contradicts(&self, other: &Self) -> bool {
        self.taken.iter().any(|cond| other.decides(cond) == Some(false))
    }

    /// Whether a condition must hold (`true`) or must fail (`false`); `None` if undecided.
    pub fn decides(&self, cond: &Cond) -> Option<bool> {
        if self.taken.contains(cond) {
            return Some(true);
        }
        if self.taken.contains(&cond.negate()) {
            return Some(false);
        }
        let every = |parts: &[Cond], all: bool| {
            let mut open = false;
            for part in parts {
                match self.decides(part) {
                    Some(value) if value != all => return Some(!all),
                    Some(_) => {}
                    None => open = true,
                }
            }
            (!open).then_some(all)
        };
        match cond {
            Cond::Not(inner) => self.decides(inner).map(|value| !value),
            Cond::All(parts) => every(parts, true),
            Cond::Any(parts) => every(parts, false),
            Cond::Same(term, other) => {
                let wanted = constant(other)?;
                self.value_of(term).map(|value| value == *wanted).or_else(|| {
                    self.taken.iter().any(|known| matches!(known, Cond::IsNull(t) if t == term)).then_some(false)
                })
            }
            Cond::IsNull(term) => self.value_of(term).map(|value| value == Scalar::Null),
            Cond::Compare(op, _, a, b)
                if cond.bound().is_none()
                    && let Some(limit) = self.value_of(a).as_ref().and_then(Scalar::as_long) =>
            {
                self.by_range(b, turned(*op), limit)
            }
            _ => {
                let (term, op, limit) = cond.bound()?;
                if let Some(value) = self.value_of(term).as_ref().and_then(Scalar::as_long) {
                    return compare_scalars(op, &Scalar::Long(value), &Scalar::Long(limit));
                }
                self.by_range(term, op, limit)
            }
        }
    }

    /// The only possible value of a term, if there is one.
    fn value_of(&self, term: &Rc<Term>) -> Option<Scalar> {
        for known in &self.taken {
            match known {
                Cond::Same(t, c) if t == term => return constant(c).cloned(),
                Cond::Compare(BinaryOp::Eq, _, t, c) if t == term => return constant(c).cloned(),
                Cond::IsNull(t) if t == term => return Some(Scalar::Null),
                _ => {}
            }
        }
        // A function of a term with a known value.
        if let Term::Apply(function, args) = &**term {
            let args: Option<Vec<Scalar>> =
                args.iter().map(|arg| constant(arg).cloned().or_else(|| self.value_of(arg))).collect();
            if let Applied::Value(value) = function.apply(&args?) {
                return Some(value);
            }
        }
        None
    }

    /// The smallest and the largest possible integer value of a term.
    pub fn range(&self, term: &Rc<Term>) -> (i64, i64) {
        let (mut low, mut high) = (i64::MIN, i64::MAX);
        if matches!(&**term, Term::Apply(Function::Length | Function::Size, _)) {
            low = 0;
        }
        if let Some(limit) = random_below(term) {
            (low, high) = (0, limit.unwrap_or(i64::MAX));
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

/// The operator for exchanged operands.
fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

/// For a term that is a result of `Random.nextInt(n)`: the greatest possible result, if known (documentation of
/// `java.util.Random`).
fn random_below(term: &Rc<Term>) -> Option<Option<i64>> {
    const RANDOM: &[&str] = &[
        "java.security.SecureRandom.nextInt/1",
        "java.util.Random.nextInt/1",
        "java.util.concurrent.ThreadLocalRandom.nextInt/1",
    ];
    let Term::Opaque(call) = &**term else { return None };
    if !RANDOM.contains(&&*call.callee) {
        return None;
    }
    let limit = call.operands.get(1).and_then(|operand| match operand {
        Canon::Term(term) => constant(term)?.as_long(),
        _ => None,
    });
    Some(limit.map(|limit| limit - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::java::interpret::values::scalar::Prim;
    use crate::java::interpret::values::term::{Input, InputPlace};

    fn length() -> Rc<Term> {
        Rc::new(Term::Apply(Function::Length, vec![Rc::new(Term::Input(Input::new(InputPlace::Path, "code")))]))
    }

    fn cmp(op: BinaryOp, limit: i32) -> Cond {
        Cond::Compare(op, Prim::Int, length(), Rc::new(Term::Const(Scalar::Int(limit))))
    }

    #[test]
    fn ranges_decide_what_follows() {
        let mut known = PathConstraints::default();
        known.add(cmp(BinaryOp::Ge, 2));
        known.add(cmp(BinaryOp::Le, 3));
        assert_eq!(known.decides(&cmp(BinaryOp::Lt, 2)), Some(false));
        assert_eq!(known.decides(&cmp(BinaryOp::Gt, 3)), Some(false));
        assert_eq!(known.decides(&cmp(BinaryOp::Eq, 2)), None);
        assert_eq!(known.decides(&cmp(BinaryOp::Eq, 4)), Some(false));
        assert_eq!(known.range(&length()), (2, 3));
    }
}
