//! `switch`, as a statement and as an expression, over constants and patterns (JLS §14.11, §15.28).

use std::rc::Rc;

use super::exec::Flow;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::linking::branches::Way;
use crate::interpret::linking::code::{Code, PatternLink};
use crate::interpret::paths::condition::Cond;
use crate::interpret::paths::path::Site;
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Type, Value};
use crate::ir::body::{BinaryOp, ExprId, ExprKind, Lit, StmtId, SwitchArm};
use crate::ir::calls::Declares;

impl Machine<'_> {
    /// Evaluates a switch expression.
    pub fn switch_value(&mut self, code: &Code, id: ExprId, selector: ExprId, arms: &[SwitchArm]) -> Eval {
        match self.switch(code, Declares::Expr(id), selector, arms)? {
            Some(Flow::Yield(value)) => Ok(value),
            None => Err(self.throw("java.lang.MatchException", Value::NULL)),
            _ => self.unknown_call("a switch was not understood", &[], Type::Unknown),
        }
    }

    /// Runs a switch statement; `None` if no arm matches.
    pub fn switch_stmt(&mut self, code: &Code, id: StmtId, selector: ExprId, arms: &[SwitchArm]) -> Eval<Option<Flow>> {
        self.switch(code, Declares::Stmt(id), selector, arms)
    }

    /// Runs the arm that matches; `None` if none does.
    fn switch(&mut self, code: &Code, by: Declares, selector: ExprId, arms: &[SwitchArm]) -> Eval<Option<Flow>> {
        let value = self.eval(code, selector)?;
        let site = self.at(code.body.expr(selector).span);
        let is_null = |label: &ExprId| matches!(code.body.expr(*label).kind, ExprKind::Lit(Lit::Null));
        let takes_null = arms.iter().position(|arm| arm.labels.iter().any(is_null));
        match takes_null {
            None => self.not_null(&value)?,
            Some(at) => {
                let null = self.is_null(&value);
                if self.truth(&null, site)? {
                    self.goes(code, selector, Way::Arm(at));
                    return self.run_arms(code, arms, at);
                }
            }
        }
        let none = Vec::new();
        let patterns = code.arms.get(&by).unwrap_or(&none);
        let mut chosen = None;
        'arms: for (index, arm) in arms.iter().enumerate() {
            for label in arm.labels.iter().filter(|label| !is_null(label)) {
                if self.label_fits(code, &value, *label, site)? && self.guard(code, arm)? {
                    chosen = Some(index);
                    break 'arms;
                }
            }
            for pattern in patterns.get(index).unwrap_or(&Vec::new()) {
                if self.pattern_fits(code, &value, pattern, site)? && self.guard(code, arm)? {
                    chosen = Some(index);
                    break 'arms;
                }
            }
        }
        let chosen = chosen.or_else(|| arms.iter().position(|arm| arm.default));
        if self.is_covering {
            self.goes(code, selector, chosen.map_or(Way::NoArm, Way::Arm));
        }
        match chosen {
            Some(chosen) => self.run_arms(code, arms, chosen),
            None => Ok(None),
        }
    }

    fn run_arms(&mut self, code: &Code, arms: &[SwitchArm], from: usize) -> Eval<Option<Flow>> {
        for arm in &arms[from..] {
            match self.run_all(code, &arm.body)? {
                Flow::Next if arm.arrow => return Ok(Some(Flow::Next)),
                Flow::Next => {}
                other => return Ok(Some(other)),
            }
        }
        Ok(Some(Flow::Next))
    }

    fn pattern_fits(&mut self, code: &Code, value: &Value, pattern: &PatternLink, site: Site) -> Eval<bool> {
        let fits = self.matches(code, value, pattern, site)?;
        self.truth(&fits, site)
    }

    fn guard(&mut self, code: &Code, arm: &SwitchArm) -> Eval<bool> {
        match arm.guard {
            None => Ok(true),
            Some(guard) => self.condition(code, guard),
        }
    }

    fn label_fits(&mut self, code: &Code, value: &Value, label: ExprId, site: Site) -> Eval<bool> {
        let class = match value {
            Value::Scalar(Scalar::Enum(class, _)) => Some(class.clone()),
            Value::Symbol(symbol) => match &symbol.ty {
                Type::Class(class, _) => Some(class.clone()),
                _ => None,
            },
            _ => None,
        };
        let wanted = match (&code.body.expr(label).kind, class) {
            (ExprKind::Name(name), Some(class)) => Value::Scalar(Scalar::Enum(class, Rc::from(name.as_str()))),
            _ => self.eval(code, label)?,
        };
        let same = match (value, &wanted) {
            (Value::Unknown(_), _) => value.clone(),
            (Value::Scalar(a), Value::Scalar(b)) => {
                Value::bool(a == b || a.as_long().is_some() && a.as_long() == b.as_long())
            }
            _ => match (value.term(), wanted.term(), value.prim()) {
                (Some(a), Some(b), Some(prim)) => Value::cond(Cond::Compare(BinaryOp::Eq, prim, a, b)),
                (Some(a), Some(b), None) => Value::cond(Cond::Same(a, b)),
                _ => self.unknown("a switch was not understood", Type::Prim(Prim::Bool)),
            },
        };
        let same = match same {
            // An unknown selector makes the choice unknown for the same reasons, whatever its type.
            Value::Unknown(unknown) => Value::Unknown(Rc::new(crate::interpret::values::value::Unknown {
                reasons: unknown.reasons.clone(),
                ty: Type::Prim(Prim::Bool),
                present: false,
                ends: None,
            })),
            other => other,
        };
        self.truth(&same, site)
    }
}
