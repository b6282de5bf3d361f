//! Lowering of `switch` with its labels and patterns.

use super::members::{BodyLowerer, MAX_DEPTH};
use crate::ir::body::{ExprId, Pattern, SwitchArm};
use crate::syntax::tree::{self, Ask, Node};
use crate::syntax::type_refs::{children, is_type, type_ref};

impl BodyLowerer<'_> {
    /// Lowers the selector and the arms of a switch; `value` for a switch expression.
    pub(crate) fn switch(&mut self, node: Node<'_>, value: bool, depth: u32) -> (Option<ExprId>, Vec<SwitchArm>) {
        let selector = node.by_field("condition").map(|condition| self.expr(condition, depth + 1));
        let mut arms = Vec::new();
        for group in node.by_field("body").map(children).into_iter().flatten() {
            match group.kind_name() {
                "switch_rule" => self.rule(group, value, depth, &mut arms),
                "switch_block_statement_group" => self.group(group, depth, &mut arms),
                _ => {}
            }
        }
        (selector, arms)
    }

    /// `case A, B -> …`.
    fn rule(&mut self, node: Node<'_>, value: bool, depth: u32, arms: &mut Vec<SwitchArm>) {
        let mut arm = None;
        for child in children(node) {
            if child.kind_name() == "switch_label" {
                arm = Some(self.label(child, depth));
            } else if child.kind_name() != "ERROR" {
                let body = self.arrow_body(child, value, depth);
                arm.get_or_insert_with(empty_arm).body.push(body);
            }
        }
        arms.extend(arm.map(|arm| SwitchArm { arrow: true, ..arm }));
    }

    /// `case A: case B: …`: one arm for each label; only the last has statements.
    fn group(&mut self, node: Node<'_>, depth: u32, arms: &mut Vec<SwitchArm>) {
        let first = arms.len();
        for child in children(node) {
            if child.kind_name() == "switch_label" {
                let arm = self.label(child, depth);
                arms.push(arm);
            } else if child.kind_name() != "ERROR" {
                let body = self.stmt(child, depth + 1);
                if let Some(arm) = arms[first..].last_mut() {
                    arm.body.push(body);
                }
            }
        }
    }

    fn label(&mut self, node: Node<'_>, depth: u32) -> SwitchArm {
        let mut arm = empty_arm();
        let mut cursor = node.walk();
        arm.default = node.children(&mut cursor).any(|child| tree::text(child, self.text) == "default");
        for child in children(node) {
            match child.kind_name() {
                "pattern" => {
                    let pattern = self.pattern(child, depth + 1);
                    arm.patterns.push(pattern);
                }
                "guard" => arm.guard = children(child).first().map(|guard| self.expr(*guard, depth + 1)),
                "ERROR" => {}
                "identifier" if tree::text(child, self.text) == "default" => {}
                _ => {
                    let label = self.expr(child, depth + 1);
                    arm.labels.push(label);
                }
            }
        }
        arm
    }

    /// Lowers a pattern.
    pub(crate) fn pattern(&mut self, node: Node<'_>, depth: u32) -> Pattern {
        if depth > MAX_DEPTH {
            return Pattern::Any;
        }
        let parts = children(node);
        match node.kind_name() {
            "pattern" => parts.first().map_or(Pattern::Any, |inner| self.pattern(*inner, depth + 1)),
            "type_pattern" | "record_pattern_component" => {
                let ty = parts.iter().find(|part| is_type(part.kind_name()));
                let name = parts.iter().rfind(|part| part.kind_name() == "identifier");
                match ty {
                    Some(ty) => Pattern::Type { ty: type_ref(*ty, self.text), name: name.map(|name| self.str(*name)) },
                    None => Pattern::Any,
                }
            }
            "record_pattern" => {
                let Some(ty) = parts.first().map(|ty| type_ref(*ty, self.text)) else { return Pattern::Any };
                let body = parts.iter().find(|part| part.kind_name() == "record_pattern_body");
                let inner = body.map(|body| children(*body)).into_iter().flatten();
                let parts = inner.map(|part| self.pattern(part, depth + 1)).collect();
                Pattern::Record { ty, parts }
            }
            _ => Pattern::Any,
        }
    }
}

fn empty_arm() -> SwitchArm {
    SwitchArm { labels: Vec::new(), patterns: Vec::new(), default: false, guard: None, arrow: false, body: Vec::new() }
}
