//! Resolves the arms of switches, and patterns with the variables that they declare.

use super::resolve_body::BodyResolver;
use crate::ir::body::{ExprId, Pattern, SwitchArm};
use crate::ir::calls::{Declares, Target};
use crate::ir::facts::MemberKind;
use crate::ir::ty::Ty;

impl BodyResolver<'_, '_> {
    /// Resolves the arms of a switch over a value of this type.
    pub(crate) fn arms(&mut self, owner: Declares, selector: &Ty, arms: &[SwitchArm]) {
        let mark = self.locals.len();
        let mut declared = 0;
        for arm in arms {
            for label in &arm.labels {
                self.label(selector, *label);
            }
            for pattern in &arm.patterns {
                declared = self.patterns_of(owner, declared, pattern, selector);
            }
            if let Some(guard) = arm.guard {
                self.expr(guard, &Ty::prim("boolean"));
            }
            arm.body.iter().for_each(|stmt| self.stmt(*stmt));
            if arm.arrow {
                self.locals.truncate(mark);
            }
        }
        self.locals.truncate(mark);
    }

    /// Resolves a case label: a constant of the selector's enum, or an expression.
    fn label(&mut self, selector: &Ty, label: ExprId) {
        if let crate::ir::body::ExprKind::Name(name) = &self.body.expr(label).kind
            && let Some((field, ty)) = self.types.field(selector, name)
            && self.types.project.member(field).kind == MemberKind::EnumConstant
        {
            self.out.targets.insert(label, Target::Field(field));
            self.out.types[label.0 as usize] = ty;
            return;
        }
        self.expr(label, selector);
    }

    /// Declares the variables of a pattern, numbered from `first`; returns the next number.
    pub(super) fn patterns_of(&mut self, owner: Declares, first: u32, pattern: &Pattern, value: &Ty) -> u32 {
        let around = std::mem::replace(&mut self.patterns, (owner, first));
        self.pattern(pattern, value);
        std::mem::replace(&mut self.patterns, around).1
    }

    fn pattern(&mut self, pattern: &Pattern, value: &Ty) {
        match pattern {
            Pattern::Type { ty, name } => {
                let read = self.read(ty);
                let ty = if ty.name == "var" { value.clone() } else { read };
                if let Some(name) = name {
                    self.declare(self.patterns, name, ty);
                    self.patterns.1 += 1;
                }
            }
            Pattern::Record { ty, parts } => {
                let mut ty = self.read(ty);
                if self.types.supers_of(value).first().is_some_and(|own| own.erased() == ty.erased()) {
                    ty = value.clone();
                }
                let components = self.components(&ty);
                for (index, part) in parts.iter().enumerate() {
                    self.pattern(part, components.get(index).unwrap_or(&Ty::Unknown));
                }
            }
            Pattern::Any => {}
        }
    }

    fn components(&self, record: &Ty) -> Vec<Ty> {
        let Some(id) = record.as_project() else { return Vec::new() };
        let project = self.types.project;
        project
            .members(id)
            .filter(|member| project.member(*member).kind == MemberKind::RecordComponent)
            .filter_map(|member| self.types.field(record, &project.member(member).name).map(|(_, ty)| ty))
            .collect()
    }
}
