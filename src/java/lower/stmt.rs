//! Lowering of statements.

use super::expr::bare;
use super::members::{BodyLowerer, MAX_DEPTH, TOO_DEEP};
use crate::ir::body::{Catch, ExprId, Local, StmtId, StmtKind};
use crate::ir::facts::TypeRef;
use crate::syntax::tree::{self, Ask, Node};
use crate::syntax::type_refs::{children, first_child, is_type, type_ref};

impl BodyLowerer<'_> {
    /// Lowers one statement.
    pub(crate) fn stmt(&mut self, node: Node<'_>, depth: u32) -> StmtId {
        let span = tree::span(node);
        if depth > MAX_DEPTH {
            return self.unknown_stmt(TOO_DEEP, span);
        }
        let kind = match node.kind_name() {
            "block" | "constructor_body" => {
                let body = children(node).into_iter().map(|child| self.stmt(child, depth + 1)).collect();
                StmtKind::Block(body)
            }
            "local_variable_declaration" => self.locals(node, depth),
            "class_declaration" | "record_declaration" | "interface_declaration" | "enum_declaration" => {
                match self.type_index(node) {
                    Some(index) => StmtKind::LocalType(index),
                    None => return self.unknown_stmt(node.kind_name(), span),
                }
            }
            "expression_statement" => match first_child(node) {
                Some(inner) if inner.kind_name() == "switch_expression" => return self.stmt(inner, depth),
                Some(inner) => StmtKind::Expr(self.expr(inner, depth + 1)),
                None => StmtKind::Empty,
            },
            "if_statement" => return self.if_chain(node, depth),
            "while_statement" => {
                let condition = self.field(node, "condition", depth);
                StmtKind::While { condition, body: self.inner(node, "body", depth) }
            }
            "do_statement" => {
                let body = self.inner(node, "body", depth);
                StmtKind::DoWhile { body, condition: self.field(node, "condition", depth) }
            }
            "for_statement" => self.for_loop(node, depth),
            "enhanced_for_statement" => self.for_each(node, depth),
            "return_statement" => StmtKind::Return(self.first(node, depth)),
            "throw_statement" => match self.first(node, depth) {
                Some(thrown) => StmtKind::Throw(thrown),
                None => return self.unknown_stmt("throw_statement", span),
            },
            "yield_statement" => match self.first(node, depth) {
                Some(value) => StmtKind::Yield(value),
                None => return self.unknown_stmt("yield_statement", span),
            },
            "try_statement" | "try_with_resources_statement" => self.try_block(node, depth),
            "switch_expression" => match self.switch(node, false, depth) {
                (Some(selector), arms) => StmtKind::Switch { selector, arms },
                (None, _) => return self.unknown_stmt("switch_expression", span),
            },
            "break_statement" => StmtKind::Break(first_child(node).map(|label| self.str(label))),
            "continue_statement" => StmtKind::Continue(first_child(node).map(|label| self.str(label))),
            "labeled_statement" => {
                let label = first_child(node).map(|label| self.str(label)).unwrap_or_default();
                let mut cursor = node.walk();
                let body =
                    node.children(&mut cursor).skip_while(|c| c.kind_name() != ":").skip(1).find(|c| !c.is_extra());
                StmtKind::Labeled { label, body: self.inner_node(node, body, depth) }
            }
            "synchronized_statement" => match self.first(node, depth) {
                Some(lock) => StmtKind::Synchronized { lock, body: self.inner(node, "body", depth) },
                None => return self.unknown_stmt("synchronized_statement", span),
            },
            "assert_statement" => {
                let mut parts = children(node).into_iter();
                match parts.next() {
                    Some(condition) => {
                        let condition = self.expr(condition, depth + 1);
                        let message = parts.next().map(|message| self.expr(message, depth + 1));
                        StmtKind::Assert { condition, message }
                    }
                    None => return self.unknown_stmt("assert_statement", span),
                }
            }
            "explicit_constructor_invocation" => {
                let outer = node.by_field("object").map(|outer| self.expr(outer, depth + 1));
                let is_super = node.by_field("constructor").is_some_and(|c| c.kind_name() == "super");
                let args = node.by_field("arguments").map(|list| self.args(list, depth)).unwrap_or_default();
                StmtKind::ConstructorCall { is_super, outer, args }
            }
            ";" => StmtKind::Empty,
            other => return self.unknown_stmt(other, span),
        };
        self.add_stmt(kind, span)
    }

    /// Lowers the first expression among the children.
    fn first(&mut self, node: Node<'_>, depth: u32) -> Option<ExprId> {
        first_child(node).map(|child| self.expr(child, depth + 1))
    }

    /// Lowers the statement in this field.
    fn inner(&mut self, node: Node<'_>, field: &str, depth: u32) -> StmtId {
        self.inner_node(node, node.by_field(field), depth)
    }

    fn inner_node(&mut self, node: Node<'_>, inner: Option<Node<'_>>, depth: u32) -> StmtId {
        match inner {
            Some(inner) => self.stmt(inner, depth + 1),
            None => self.unknown_stmt("MISSING", tree::span(node)),
        }
    }

    /// Lowers `if … else if … else …`, last branch first.
    fn if_chain(&mut self, node: Node<'_>, depth: u32) -> StmtId {
        let mut heads = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at.filter(|node| node.kind_name() == "if_statement") {
            let condition = self.field(node, "condition", depth);
            let then = self.inner(node, "consequence", depth);
            heads.push((node, condition, then));
            at = node.by_field("alternative");
        }
        let mut otherwise = at.map(|last| self.stmt(last, depth + 1));
        let mut whole = None;
        for (node, condition, then) in heads.into_iter().rev() {
            let id = self.add_stmt(StmtKind::If { condition, then, otherwise }, tree::span(node));
            otherwise = Some(id);
            whole = Some(id);
        }
        whole.unwrap_or_else(|| self.unknown_stmt("if_statement", tree::span(node)))
    }

    /// Lowers the declarators of a local variable declaration.
    fn locals(&mut self, node: Node<'_>, depth: u32) -> StmtKind {
        let ty = node.by_field("type").map(|ty| type_ref(ty, self.text)).unwrap_or_default();
        let parts = children(node);
        let is_final = parts.iter().any(|child| {
            child.kind_name() == "modifiers"
                && tree::text(*child, self.text).split_whitespace().any(|word| word == "final")
        });
        let mut locals = Vec::new();
        for declarator in parts.into_iter().filter(|child| child.kind_name() == "variable_declarator") {
            let name = declarator.by_field("name").map(|name| self.word(name)).unwrap_or_default();
            let init = declarator.by_field("value").map(|value| self.expr(value, depth + 1));
            locals.push(Local { ty: self.with_dims(ty.clone(), declarator), name, init, is_final });
        }
        StmtKind::Local(locals)
    }

    fn for_loop(&mut self, node: Node<'_>, depth: u32) -> StmtKind {
        let mut cursor = node.walk();
        let starts: Vec<Node<'_>> =
            node.children_by_field_name("init", &mut cursor).filter(|n| n.is_named() && !n.is_extra()).collect();
        let mut init = Vec::new();
        for start in starts {
            let id = if start.kind_name() == "local_variable_declaration" {
                self.stmt(start, depth + 1)
            } else {
                let expr = self.expr(start, depth + 1);
                self.add_stmt(StmtKind::Expr(expr), tree::span(start))
            };
            init.push(id);
        }
        let condition = node.by_field("condition").map(|condition| self.expr(condition, depth + 1));
        let mut cursor = node.walk();
        let steps: Vec<Node<'_>> =
            node.children_by_field_name("update", &mut cursor).filter(|n| n.is_named() && !n.is_extra()).collect();
        let update = steps.into_iter().map(|step| self.expr(step, depth + 1)).collect();
        StmtKind::For { init, condition, update, body: self.inner(node, "body", depth) }
    }

    fn for_each(&mut self, node: Node<'_>, depth: u32) -> StmtKind {
        let ty = node.by_field("type").map(|ty| type_ref(ty, self.text)).unwrap_or_default();
        let ty = self.with_dims(ty, node);
        let name = node.by_field("name").map(|name| self.str(name)).unwrap_or_default();
        let items = self.field(node, "value", depth);
        StmtKind::ForEach { ty, name, items, body: self.inner(node, "body", depth) }
    }

    fn try_block(&mut self, node: Node<'_>, depth: u32) -> StmtKind {
        let mut resources = Vec::new();
        if let Some(list) = node.by_field("resources") {
            for resource in children(list).into_iter().filter(|child| child.kind_name() == "resource") {
                let id = self.resource(resource, depth);
                resources.push(id);
            }
        }
        let body = self.inner(node, "body", depth);
        let (mut catches, mut finally) = (Vec::new(), None);
        for child in children(node) {
            match child.kind_name() {
                "catch_clause" => {
                    let catch = self.catch(child, depth);
                    catches.push(catch);
                }
                "finally_clause" => {
                    let block = children(child).into_iter().find(|c| c.kind_name() == "block");
                    finally = block.map(|block| self.stmt(block, depth + 1));
                }
                _ => {}
            }
        }
        StmtKind::Try { resources, body, catches, finally }
    }

    fn resource(&mut self, node: Node<'_>, depth: u32) -> StmtId {
        let span = tree::span(node);
        let Some(name) = node.by_field("name") else {
            return match self.first(node, depth) {
                Some(expr) => self.add_stmt(StmtKind::Expr(expr), span),
                None => self.unknown_stmt("resource", span),
            };
        };
        let ty = node.by_field("type").map(|ty| type_ref(ty, self.text)).unwrap_or_default();
        let init = Some(self.field(node, "value", depth));
        let local = Local { ty: self.with_dims(ty, node), name: self.word(name), init, is_final: false };
        self.add_stmt(StmtKind::Local(vec![local]), span)
    }

    fn catch(&mut self, node: Node<'_>, depth: u32) -> Catch {
        let param = children(node).into_iter().find(|child| child.kind_name() == "catch_formal_parameter");
        let list = param.and_then(|param| children(param).into_iter().find(|child| child.kind_name() == "catch_type"));
        let listed = list.map(children).into_iter().flatten();
        let types: Vec<TypeRef> =
            listed.filter(|ty| is_type(ty.kind_name())).map(|ty| type_ref(ty, self.text)).collect();
        let name = param.and_then(|param| param.by_field("name")).map(|name| self.str(name));
        let body = self.inner(node, "body", depth);
        Catch { types, name: name.unwrap_or_default(), body, span: tree::span(node) }
    }

    /// Lowers the code after an arrow to one statement: a block, a `throw`, or an expression; `value` if the
    /// expression is the arm's value.
    pub(super) fn arrow_body(&mut self, node: Node<'_>, value: bool, depth: u32) -> StmtId {
        if node.kind_name() != "expression_statement" {
            return self.stmt(node, depth + 1);
        }
        match first_child(node).map(bare) {
            Some(inner) if inner.kind_name() == "switch_expression" && !value => self.stmt(inner, depth + 1),
            Some(inner) => {
                let expr = self.expr(inner, depth + 1);
                let kind = if value { StmtKind::Yield(expr) } else { StmtKind::Expr(expr) };
                self.add_stmt(kind, tree::span(node))
            }
            None => self.unknown_stmt("MISSING", tree::span(node)),
        }
    }
}
