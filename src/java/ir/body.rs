//! Lowered bodies: the code of a method, constructor, initialiser or field initialiser as an arena, with the span of
//! every node.
//!
//! Nodes refer to one another by index, so a body is compact, cacheable and cheap to walk. A qualified name `a.b.c`
//! is lowered to nested [`ExprKind::Field`]s over an [`ExprKind::Name`]; the resolver decides whether `a` is a
//! variable, a type or a package.

use serde::{Deserialize, Serialize};

use super::facts::{Param, Span, TypeRef, Word};

/// Index of an expression in [`Body::exprs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExprId(pub u32);

/// Index of a statement in [`Body::stmts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StmtId(pub u32);

/// One lowered body.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Body {
    /// All expressions, an operand before the expression that uses it.
    pub exprs: Vec<Expr>,
    /// All statements, an inner one before the statement around it.
    pub stmts: Vec<Stmt>,
    /// The code that runs; `None` for an empty body.
    pub root: Option<Root>,
    /// Kinds of syntax nodes that could not be lowered, sorted. Each is an `Unknown` node in the arena.
    pub unknown: Vec<String>,
}

/// The root node of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Root {
    /// A block.
    Stmt(StmtId),
    /// The initialiser of a field.
    Expr(ExprId),
}

/// An expression with its span.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expr {
    /// The expression's kind and operands.
    pub kind: ExprKind,
    /// The source span.
    pub span: Span,
}

/// A statement with its span.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stmt {
    /// The statement's kind and parts.
    pub kind: StmtKind,
    /// The source span.
    pub span: Span,
}

/// A literal after decoding: escapes resolved, underscores and suffixes removed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each variant is the Java type of that name")]
pub enum Lit {
    Null,
    Bool(bool),
    Char(u16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Str(String),
    /// The UTF-16 units of a string that contains an unpaired surrogate and so is not valid text.
    Utf16(Vec<u16>),
}

/// Unary operators, without increments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named for the operator")]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
}

/// Binary operators (JLS §15.17–15.24).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named for the operator")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    UShr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
}

/// Kinds of expressions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum ExprKind {
    /// A literal.
    Lit(Lit),
    /// A simple name: a variable, a field, a type or the first part of a package name.
    Name(Word),
    /// `target.name`.
    Field { target: ExprId, name: Word },
    /// `target[index]`.
    Index { target: ExprId, index: ExprId },
    /// `target.name(args)`, or `name(args)` without target.
    Call { target: Option<ExprId>, name: Word, type_args: Vec<TypeRef>, args: Vec<ExprId> },
    /// `new T(args)`; `anonymous` is the index in the file of its anonymous class body, if it has one. `diamond` is
    /// set for `<>`.
    New { ty: TypeRef, diamond: bool, outer: Option<ExprId>, args: Vec<ExprId>, anonymous: Option<u32> },
    /// `new T[a][]…` or `new T[] {…}`; `ty` includes all dimensions.
    NewArray { ty: TypeRef, lengths: Vec<ExprId>, init: Option<ExprId> },
    /// `{a, b}` as the initialiser of an array.
    ArrayInit(Vec<ExprId>),
    /// `-x`, `!x`.
    Unary { op: UnaryOp, operand: ExprId },
    /// `x + y`.
    Binary { op: BinaryOp, left: ExprId, right: ExprId },
    /// `target = value`, or `target op= value`.
    Assign { op: Option<BinaryOp>, target: ExprId, value: ExprId },
    /// `x++`, `--x`.
    IncDec { increment: bool, prefix: bool, target: ExprId },
    /// `c ? a : b`.
    Conditional { condition: ExprId, then: ExprId, otherwise: ExprId },
    /// `(T) x`.
    Cast { ty: TypeRef, operand: ExprId },
    /// `x instanceof P`.
    InstanceOf { operand: ExprId, pattern: Pattern },
    /// `(params) -> body`. Parameters without a declared type have the type `var`.
    Lambda { params: Vec<Param>, body: LambdaBody },
    /// `target::name`; a constructor reference has the name `new`. Exactly one of `target` and `ty` is set: `ty`
    /// where the syntax can only be a type (`int[]::new`, `List<String>::new`).
    MethodRef { target: Option<ExprId>, ty: Option<TypeRef>, name: Word },
    /// `switch (x) { … }` as an expression.
    Switch { selector: ExprId, arms: Vec<SwitchArm> },
    /// `this`, or `Outer.this`.
    This(Option<String>),
    /// `super` before a dot, or `Type.super`.
    Super(Option<String>),
    /// `T.class`.
    ClassLit(TypeRef),
    /// A syntax node that could not be lowered, with its kind.
    Unknown(String),
}

/// The body of a lambda.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LambdaBody {
    /// An expression.
    Expr(ExprId),
    /// A block.
    Block(StmtId),
}

/// A pattern of `instanceof` or `case`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum Pattern {
    /// `T`, or `T name`.
    Type { ty: TypeRef, name: Option<String> },
    /// `R(p, q)`.
    Record { ty: TypeRef, parts: Vec<Pattern> },
    /// `_`, or a pattern that could not be lowered.
    Any,
}

/// One `case` of a switch with the code that it runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SwitchArm {
    /// The constants of `case A, B`; an enum constant is an [`ExprKind::Name`].
    pub labels: Vec<ExprId>,
    /// Patterns (`case T t`).
    pub patterns: Vec<Pattern>,
    /// True for `default` and `case null, default`.
    pub default: bool,
    /// `when` condition.
    pub guard: Option<ExprId>,
    /// True for `->`, which has no fall-through. An expression body is a single [`StmtKind::Expr`] in a switch
    /// statement and a [`StmtKind::Yield`] in a switch expression.
    pub arrow: bool,
    /// Statements.
    pub body: Vec<StmtId>,
}

/// One `catch`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Catch {
    /// Types caught (`A | B`).
    pub types: Vec<TypeRef>,
    /// Name of the exception variable.
    pub name: String,
    /// Block.
    pub body: StmtId,
    /// The source span.
    pub span: Span,
}

/// One declarator of a local variable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Local {
    /// The type including the declarator's own dimensions; `var` if inferred.
    pub ty: TypeRef,
    /// Name.
    pub name: Word,
    /// Initialiser.
    pub init: Option<ExprId>,
    /// Declared `final`. With a constant initialiser it is a constant variable (JLS §4.12.4).
    pub is_final: bool,
}

/// Kinds of statements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the sentence of a variant names its fields")]
pub enum StmtKind {
    /// `{ … }`.
    Block(Vec<StmtId>),
    /// Local variables of one declaration.
    Local(Vec<Local>),
    /// A declaration of a local type, by its index in the file.
    LocalType(u32),
    /// An expression statement.
    Expr(ExprId),
    /// `if`.
    If { condition: ExprId, then: StmtId, otherwise: Option<StmtId> },
    /// `while`.
    While { condition: ExprId, body: StmtId },
    /// `do … while`.
    DoWhile { body: StmtId, condition: ExprId },
    /// `for (init; condition; update)`.
    For { init: Vec<StmtId>, condition: Option<ExprId>, update: Vec<ExprId>, body: StmtId },
    /// `for (T x : items)`.
    ForEach { ty: TypeRef, name: String, items: ExprId, body: StmtId },
    /// `return`.
    Return(Option<ExprId>),
    /// `throw`.
    Throw(ExprId),
    /// `try`; resources are local declarations or expression statements.
    Try { resources: Vec<StmtId>, body: StmtId, catches: Vec<Catch>, finally: Option<StmtId> },
    /// `switch` as a statement.
    Switch { selector: ExprId, arms: Vec<SwitchArm> },
    /// `break`, with its label.
    Break(Option<String>),
    /// `continue`, with its label.
    Continue(Option<String>),
    /// `label: statement`.
    Labeled { label: String, body: StmtId },
    /// `synchronized`.
    Synchronized { lock: ExprId, body: StmtId },
    /// `assert`.
    Assert { condition: ExprId, message: Option<ExprId> },
    /// `yield`, or the value of an arrow arm.
    Yield(ExprId),
    /// `this(…)` or `super(…)` as the first statement of a constructor.
    ConstructorCall { is_super: bool, outer: Option<ExprId>, args: Vec<ExprId> },
    /// `;`
    Empty,
    /// A syntax node that could not be lowered, with its kind.
    Unknown(String),
}

impl Body {
    /// The expression at this index.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// The statement at this index.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.0 as usize]
    }
}
