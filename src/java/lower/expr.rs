//! Lowering of expressions.

use super::members::{BodyLowerer, MAX_DEPTH, TOO_DEEP};
use crate::ir::body::{BinaryOp, ExprId, ExprKind, LambdaBody, UnaryOp};
use crate::ir::facts::{Param, TypeRef};
use crate::ir::few::SmallList;
use crate::syntax::literals;
use crate::syntax::tree::{self, Ask, Node};
use crate::syntax::type_refs::{children, dims, first_child, is_type, type_arguments_of, type_ref};

impl BodyLowerer<'_> {
    /// Lowers one expression.
    pub(crate) fn expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let node = bare(node);
        if depth > MAX_DEPTH {
            return self.unknown(TOO_DEEP, tree::span(node));
        }
        if node.is_missing() {
            return self.unknown("MISSING", tree::span(node));
        }
        match node.kind_name() {
            "binary_expression" => self.binary(node, depth),
            "ternary_expression" => self.ternary(node, depth),
            "method_invocation" | "field_access" | "array_access" => self.postfix(node, depth),
            "identifier" | "type_identifier" | "underscore_pattern" => {
                self.add(ExprKind::Name(self.word(node)), tree::span(node))
            }
            "scoped_type_identifier" | "scoped_identifier" => self.qualified(node),
            "this" => self.add(ExprKind::This(None), tree::span(node)),
            "super" => self.add(ExprKind::Super(None), tree::span(node)),
            "object_creation_expression" => self.creation(node, depth),
            "array_creation_expression" => self.array_creation(node, depth),
            "array_initializer" | "element_value_array_initializer" => {
                let items = self.args(node, depth);
                self.add(ExprKind::ArrayInit(items), tree::span(node))
            }
            "lambda_expression" => self.lambda(node, depth),
            "method_reference" => self.method_reference(node, depth),
            "class_literal" => {
                let ty = first_type(node).map(|ty| type_ref(ty, self.text)).unwrap_or_default();
                self.add(ExprKind::ClassLit(ty), tree::span(node))
            }
            "assignment_expression" => self.assignment(node, depth),
            "unary_expression" => self.unary(node, depth),
            "update_expression" => self.update(node, depth),
            "cast_expression" => self.cast(node, depth),
            "instanceof_expression" => self.instance_of(node, depth),
            "switch_expression" => {
                let (selector, arms) = self.switch(node, true, depth);
                match selector {
                    Some(selector) => self.add(ExprKind::Switch { selector, arms }, tree::span(node)),
                    None => self.unknown("switch_expression", tree::span(node)),
                }
            }
            kind => {
                match literals::literal(kind, tree::text(node, self.text)).filter(|_| !interpolated(node, self.text)) {
                    Some(lit) => self.add(ExprKind::Lit(lit), tree::span(node)),
                    None => self.unknown(kind, tree::span(node)),
                }
            }
        }
    }

    /// Lowers the expression in this field of the node, or adds an unknown one if it is missing.
    pub(crate) fn field(&mut self, node: Node<'_>, field: &str, depth: u32) -> ExprId {
        match node.by_field(field) {
            Some(child) => self.expr(child, depth + 1),
            None => self.unknown("MISSING", tree::span(node)),
        }
    }

    /// Lowers a left-deep chain of operators, from its first operand on.
    fn binary(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut spine = SmallList::none(node);
        let mut at = node;
        while at.kind_name() == "binary_expression" {
            spine.push(at);
            match at.by_field("left") {
                Some(left) => at = bare(left),
                None => break,
            }
        }
        let mut left = if at.kind_name() == "binary_expression" {
            self.field(at, "left", depth)
        } else {
            self.expr(at, depth + 1)
        };
        for node in spine.iter().rev().copied() {
            let right = self.field(node, "right", depth);
            let op = node.by_field("operator").and_then(|op| binary_op(tree::text(op, self.text)));
            left = match op {
                Some(op) => self.add(ExprKind::Binary { op, left, right }, tree::span(node)),
                None => self.unknown("binary_expression", tree::span(node)),
            };
        }
        left
    }

    /// Lowers a chain `a ? x : b ? y : z`, innermost alternative first.
    fn ternary(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut heads = Vec::new();
        let mut at = node;
        while at.kind_name() == "ternary_expression" {
            let condition = self.field(at, "condition", depth);
            let then = self.field(at, "consequence", depth);
            heads.push((at, condition, then));
            match at.by_field("alternative") {
                Some(alternative) => at = bare(alternative),
                None => break,
            }
        }
        let mut otherwise = if at.kind_name() == "ternary_expression" {
            self.unknown("MISSING", tree::span(at))
        } else {
            self.expr(at, depth + 1)
        };
        for (node, condition, then) in heads.into_iter().rev() {
            otherwise = self.add(ExprKind::Conditional { condition, then, otherwise }, tree::span(node));
        }
        otherwise
    }

    /// Lowers a chain of calls, field accesses and index accesses, from its first target on.
    fn postfix(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut spine = SmallList::none(node);
        spine.push(node);
        let mut base = None;
        let mut at = node;
        while let Some(target) = target_of(at) {
            let target = bare(target);
            if matches!(target.kind_name(), "method_invocation" | "field_access" | "array_access") && !is_outer(target)
            {
                spine.push(target);
                at = target;
            } else {
                base = Some(target);
                break;
            }
        }
        if spine.len() == 1 && is_outer(node) {
            return self.outer(node);
        }
        let is_super = |lower: &Self, node| lower.says_super && is_super_call(node);
        let mut target = base.filter(|_| !is_super(self, at)).map(|base| self.expr(base, depth + 1));
        for node in spine.iter().rev().copied() {
            let span = tree::span(node);
            if is_super(self, node) {
                let qualifier = target_of(node).map(|target| self.str(target));
                target = Some(self.add(ExprKind::Super(qualifier), span));
            }
            let name = |lower: &Self, field| node.by_field(field).map(|n| lower.word(n)).unwrap_or_default();
            target = Some(match (node.kind_name(), target) {
                ("method_invocation", target) => {
                    // A call without type arguments has at most four children: target, dot, name and arguments.
                    let type_args = Some(node).filter(|node| node.child_count() > 4);
                    let type_args = type_args.and_then(|node| node.by_field("type_arguments"));
                    let type_args = type_args.map(|args| type_arguments_of(args, self.text)).unwrap_or_default();
                    let args = node.by_field("arguments").map(|list| self.args(list, depth));
                    let name = name(self, "name");
                    self.add(ExprKind::Call { target, name, type_args, args: args.unwrap_or_default() }, span)
                }
                ("array_access", Some(target)) => {
                    let index = self.field(node, "index", depth);
                    self.add(ExprKind::Index { target, index }, span)
                }
                ("field_access", Some(target)) => {
                    let name = name(self, "field");
                    self.add(ExprKind::Field { target, name }, span)
                }
                (kind, _) => self.unknown(kind, span),
            });
        }
        target.unwrap_or_else(|| self.unknown(node.kind_name(), tree::span(node)))
    }

    /// Lowers `Outer.this` or `Outer.super` as a target.
    fn outer(&mut self, node: Node<'_>) -> ExprId {
        let qualifier = node.by_field("object").map(|object| self.str(object));
        self.add(ExprKind::This(qualifier), tree::span(node))
    }

    /// Lowers a dotted name that the parser read as a type.
    fn qualified(&mut self, node: Node<'_>) -> ExprId {
        let span = tree::span(node);
        let name = type_ref(node, self.text).name;
        let mut parts = name.split('.');
        let mut id = self.add(ExprKind::Name(parts.next().unwrap_or_default().into()), span);
        for part in parts {
            id = self.add(ExprKind::Field { target: id, name: part.into() }, span);
        }
        id
    }

    fn creation(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let outer = first_child(node).filter(|_| node.child(0).is_some_and(|c| c.kind_name() != "new"));
        let outer = outer.map(|outer| self.expr(outer, depth + 1));
        let ty_node = node.by_field("type");
        let ty = ty_node.map(|ty| type_ref(ty, self.text)).unwrap_or_default();
        let diamond = ty.args.is_empty() && ty_node.is_some_and(|ty| ty.kind_name() == "generic_type");
        let args = node.by_field("arguments").map(|list| self.args(list, depth)).unwrap_or_default();
        // Only a creation with a class body ends in `}`.
        let has_body = self.text.as_bytes().get(node.end_byte().wrapping_sub(1)) == Some(&b'}');
        let mut inside = Some(node).filter(|_| has_body).map(children).into_iter().flatten();
        let class_body = inside.find(|child| child.kind_name() == "class_body");
        let anonymous = self.anonymous(node, class_body);
        if class_body.is_some() && anonymous.is_none() {
            return self.unknown("class_body", tree::span(node));
        }
        self.add(ExprKind::New { ty, diamond, outer, args, anonymous }, tree::span(node))
    }

    fn array_creation(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut ty = node.by_field("type").map(|ty| type_ref(ty, self.text)).unwrap_or_default();
        let mut lengths = Vec::new();
        for child in children(node) {
            match child.kind_name() {
                "dimensions_expr" => {
                    ty.dims = ty.dims.saturating_add(1);
                    let length = children(child).iter().rfind(|c| !c.kind_name().ends_with("annotation")).copied();
                    if let Some(length) = length {
                        let length = self.expr(length, depth + 1);
                        lengths.push(length);
                    }
                }
                "dimensions" => ty.dims = ty.dims.saturating_add(dims(child, self.text)),
                _ => {}
            }
        }
        let init = node.by_field("value").map(|value| self.expr(value, depth + 1));
        self.add(ExprKind::NewArray { ty, lengths, init }, tree::span(node))
    }

    fn lambda(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let params = node.by_field("parameters").map(|params| self.lambda_params(params));
        let body = match node.by_field("body") {
            Some(body) if body.kind_name() == "block" => LambdaBody::Block(self.stmt(body, depth + 1)),
            Some(body) => LambdaBody::Expr(self.expr(body, depth + 1)),
            None => LambdaBody::Expr(self.unknown("MISSING", tree::span(node))),
        };
        self.add(ExprKind::Lambda { params: params.unwrap_or_default(), body }, tree::span(node))
    }

    fn lambda_params(&self, node: Node<'_>) -> Vec<Param> {
        let param = |name: Node<'_>, ty: TypeRef, varargs: bool, whole: Node<'_>| Param {
            name: self.str(name),
            ty,
            varargs,
            annotations: Vec::new(),
            of_elements: Vec::new(),
            span: tree::span(whole),
        };
        if node.kind_name() == "identifier" {
            return vec![param(node, TypeRef::named("var"), false, node)];
        }
        let mut params = Vec::new();
        for child in children(node) {
            let ty = child.by_field("type").map(|ty| type_ref(ty, self.text)).unwrap_or_default();
            let declarator = match child.kind_name() {
                "identifier" => {
                    params.push(param(child, TypeRef::named("var"), false, child));
                    continue;
                }
                "spread_parameter" => children(child).into_iter().find(|c| c.kind_name() == "variable_declarator"),
                "formal_parameter" => Some(child),
                _ => None,
            };
            let Some(declarator) = declarator else { continue };
            if let Some(name) = declarator.by_field("name") {
                let ty = self.with_dims(ty, declarator);
                params.push(param(name, ty, child.kind_name() == "spread_parameter", child));
            }
        }
        params
    }

    /// A declared type with the extra dimensions after the declarator's name.
    pub(super) fn with_dims(&self, mut ty: TypeRef, declarator: Node<'_>) -> TypeRef {
        if let Some(node) = declarator.by_field("dimensions") {
            ty.dims = ty.dims.saturating_add(dims(node, self.text));
        }
        ty
    }

    fn method_reference(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let span = tree::span(node);
        let count = node.child_count();
        let name = count.checked_sub(1).and_then(|last| node.child(last)).map(|n| self.word(n));
        let Some(first) = first_child(node) else { return self.unknown("method_reference", span) };
        let (target, ty) = if matches!(
            first.kind_name(),
            "generic_type" | "array_type" | "annotated_type" | "integral_type" | "floating_point_type" | "boolean_type"
        ) {
            (None, Some(type_ref(first, self.text)))
        } else {
            (Some(self.expr(first, depth + 1)), None)
        };
        self.add(ExprKind::MethodRef { target, ty, name: name.unwrap_or_default() }, span)
    }

    fn assignment(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let target = self.field(node, "left", depth);
        let value = self.field(node, "right", depth);
        let op = node.by_field("operator").map(|op| self.str(op)).unwrap_or_default();
        match op.strip_suffix('=') {
            Some("") => self.add(ExprKind::Assign { op: None, target, value }, tree::span(node)),
            Some(op) if binary_op(op).is_some() => {
                self.add(ExprKind::Assign { op: binary_op(op), target, value }, tree::span(node))
            }
            _ => self.unknown("assignment_expression", tree::span(node)),
        }
    }

    fn unary(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let operand = self.field(node, "operand", depth);
        let op = match node.by_field("operator").map(|op| tree::text(op, self.text)) {
            Some("+") => UnaryOp::Plus,
            Some("-") => UnaryOp::Minus,
            Some("!") => UnaryOp::Not,
            Some("~") => UnaryOp::BitNot,
            _ => return self.unknown("unary_expression", tree::span(node)),
        };
        self.add(ExprKind::Unary { op, operand }, tree::span(node))
    }

    fn update(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let span = tree::span(node);
        let first = node.child(0).map(|n| n.kind_name()).unwrap_or_default();
        let last = node.child(node.child_count().saturating_sub(1)).map(|n| n.kind_name()).unwrap_or_default();
        let prefix = matches!(first, "++" | "--");
        let increment = if prefix { first } else { last } == "++";
        match first_child(node) {
            Some(target) => {
                let target = self.expr(target, depth + 1);
                self.add(ExprKind::IncDec { increment, prefix, target }, span)
            }
            None => self.unknown("update_expression", span),
        }
    }

    /// Lowers a cast; an intersection cast keeps the first type that has methods.
    fn cast(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let operand = self.field(node, "value", depth);
        let mut cursor = node.walk();
        let types: Vec<TypeRef> = node
            .children_by_field_name("type", &mut cursor)
            .filter(|ty| ty.is_named())
            .map(|ty| type_ref(ty, self.text))
            .collect();
        // The grammar parses `(A) - b` as a cast, but it is a subtraction: a signed operand can only be cast to a
        // primitive type (JLS §15.16).
        let signed = node.by_field("value").is_some_and(|value| tree::text(value, self.text).starts_with(['+', '-']));
        if signed && !types.iter().any(|ty| ty.dims == 0 && ty.is_primitive()) {
            return self.unknown("cast_expression", tree::span(node));
        }
        let marker = |ty: &&TypeRef| !matches!(ty.simple(), "Serializable" | "Cloneable");
        match types.iter().find(marker).or(types.first()) {
            Some(ty) => self.add(ExprKind::Cast { ty: ty.clone(), operand }, tree::span(node)),
            None => self.unknown("cast_expression", tree::span(node)),
        }
    }

    fn instance_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let operand = self.field(node, "left", depth);
        let pattern = if let Some(record) = node.by_field("pattern") {
            self.pattern(record, depth + 1)
        } else {
            let ty = node.by_field("right").map(|ty| type_ref(ty, self.text)).unwrap_or_default();
            crate::ir::body::Pattern::Type { ty, name: node.by_field("name").map(|name| self.str(name)) }
        };
        self.add(ExprKind::InstanceOf { operand, pattern }, tree::span(node))
    }
}

/// The expression inside any number of parentheses.
pub(super) fn bare(mut node: Node<'_>) -> Node<'_> {
    while node.kind_name() == "parenthesized_expression" {
        match first_child(node) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// First child that is a type.
fn first_type(node: Node<'_>) -> Option<Node<'_>> {
    children(node).into_iter().find(|child| is_type(child.kind_name()))
}

/// The target of a call, field access or index access.
fn target_of(node: Node<'_>) -> Option<Node<'_>> {
    node.by_field(if node.kind_name() == "array_access" { "array" } else { "object" })
}

/// Whether a node is `Outer.this`.
fn is_outer(node: Node<'_>) -> bool {
    node.kind_name() == "field_access" && node.by_field("field").is_some_and(|field| field.kind_name() == "this")
}

/// Whether a node is `Type.super.name…`: `super` comes between the target and the name.
fn is_super_call(node: Node<'_>) -> bool {
    let object = node.by_field("object");
    // Usually only a dot precedes the name. That check is much faster than a scan of all children.
    let name = node.by_field("name").or_else(|| node.by_field("field"));
    if let (Some(object), Some(name)) = (object, name)
        && name.start_byte() < object.end_byte() + "super".len()
    {
        return false;
    }
    let object = object.map(|object| object.id());
    children(node).into_iter().any(|child| child.kind_name() == "super" && Some(child.id()) != object)
}

/// Whether a node is a string template with embedded expressions.
fn interpolated(node: Node<'_>, source: &str) -> bool {
    node.kind_name() == "string_literal"
        && tree::text(node, source).split('\\').skip(1).any(|after| after.starts_with('{'))
        && children(node).iter().any(|child| child.kind_name() == "string_interpolation")
}

fn binary_op(op: &str) -> Option<BinaryOp> {
    Some(match op {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "%" => BinaryOp::Rem,
        "<<" => BinaryOp::Shl,
        ">>" => BinaryOp::Shr,
        ">>>" => BinaryOp::UShr,
        "<" => BinaryOp::Lt,
        "<=" => BinaryOp::Le,
        ">" => BinaryOp::Gt,
        ">=" => BinaryOp::Ge,
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        "&" => BinaryOp::BitAnd,
        "|" => BinaryOp::BitOr,
        "^" => BinaryOp::BitXor,
        "&&" => BinaryOp::And,
        "||" => BinaryOp::Or,
        _ => return None,
    })
}
