//! Facts of one Java file: its package, imports, types, members and annotations, with their spans.
//!
//! Facts depend on the bytes of the file alone, so they are cached by blob id. Names stand as written; what they mean is for `names`.

use serde::{Deserialize, Serialize};

use crate::types::Hash;

/// A name as code says it: up to 24 bytes of it need no room of their own, and hardly any name is longer.
pub type Word = compact_str::CompactString;

/// A stretch of a file: byte offsets and the lines they lie in, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Line of the last byte, from 1.
    pub end_line: u32,
}

/// All that one file declares.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FileFacts {
    /// Package name; empty for the unnamed package.
    pub package: String,
    /// Imports in the order of the file.
    pub imports: Vec<Import>,
    /// Every type of the file, also nested, local and anonymous ones, an outer type before its inner ones.
    pub types: Vec<TypeFacts>,
    /// Every identifier that stands where a type may stand, and every capitalised identifier and dotted name in bodies, sorted: what the
    /// file can refer to.
    pub type_words: Vec<String>,
    /// Lines (from 1) at which the parser found something that is not Java as it knows it.
    pub error_lines: Vec<u32>,
    /// Lines (from 1) at which types were nested too deep, or the file was too large, to be read further.
    pub cut_lines: Vec<u32>,
    /// Annotations on `package` (only in `package-info.java`).
    pub package_annotations: Vec<Annotation>,
    /// True where an escape such as `\u000a` ends a line (JLS §3.3): code may stand where a comment seems to go on.
    pub escapes_line_ends: bool,
    /// True where the file is generated (`@Generated`, or a header comment that says so).
    pub generated: bool,
}

/// One `import`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// Dotted name without `.*`; for a static import with its member as the last part.
    pub path: String,
    /// `import static`.
    pub is_static: bool,
    /// `import a.b.*`.
    pub wildcard: bool,
    /// Line, from 1.
    pub line: u32,
}

/// What sort of type a declaration makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each variant is the Java keyword of that name")]
pub enum TypeKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

/// Where a type declaration stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Nesting {
    /// Directly in the file.
    Top,
    /// A member of another type.
    Member,
    /// Declared in a body.
    Local,
    /// The body of a `new T() { … }` or of an enum constant.
    Anonymous,
}

/// Java modifiers of a type or member, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Modifiers(pub u16);

#[expect(missing_docs, reason = "each constant is the Java modifier of that name")]
impl Modifiers {
    pub const PUBLIC: u16 = 1;
    pub const PROTECTED: u16 = 2;
    pub const PRIVATE: u16 = 4;
    pub const STATIC: u16 = 8;
    pub const FINAL: u16 = 16;
    pub const ABSTRACT: u16 = 32;
    pub const DEFAULT: u16 = 64;
    pub const SYNCHRONIZED: u16 = 128;
    pub const NATIVE: u16 = 256;
    pub const TRANSIENT: u16 = 512;
    pub const VOLATILE: u16 = 1024;
    pub const SEALED: u16 = 2048;
    pub const STRICTFP: u16 = 4096;

    /// Whether the modifier (one of the constants) is there.
    pub fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }

    /// The same, without `final`.
    #[must_use]
    pub fn without_final(self) -> Self {
        Self(self.0 & !Self::FINAL)
    }

    /// The same, without what says from where code may name it.
    #[must_use]
    pub fn without_access(self) -> Self {
        Self(self.0 & !(Self::PUBLIC | Self::PROTECTED | Self::PRIVATE))
    }
}

/// One type declaration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TypeFacts {
    /// Simple name; empty for an anonymous type.
    pub name: String,
    /// Class, interface, enum, record or annotation type.
    pub kind: TypeKind,
    /// Where it stands.
    pub nesting: Nesting,
    /// Index in [`FileFacts::types`] of the type around it.
    pub outer: Option<u32>,
    /// For local and anonymous types: index of the member of `outer` in whose body it stands.
    pub within: Option<u32>,
    /// Modifiers as written.
    pub modifiers: Modifiers,
    /// Type parameters with bounds.
    pub type_params: Vec<TypeParam>,
    /// `extends` of a class (at most one), or the type that an anonymous class is made from.
    pub extends: Vec<TypeRef>,
    /// `implements` of a class, `extends` of an interface.
    pub implements: Vec<TypeRef>,
    /// `permits`.
    pub permits: Vec<TypeRef>,
    /// Annotations on the declaration.
    pub annotations: Vec<Annotation>,
    /// Members in the order of the file; record components and enum constants first, as they stand.
    pub members: Vec<MemberFacts>,
    /// The whole declaration.
    pub span: Span,
    /// The name alone, or `new` for an anonymous type.
    pub name_span: Span,
    /// Tokens of the declaration without its body, comments and white space: annotations, modifiers, name, parameters, supertypes.
    pub header: Hash,
    /// The names that the header says, as [`MemberFacts::named`].
    pub named: Vec<u32>,
}

/// A type parameter such as `T extends Base & Comparable<T>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeParam {
    /// Its name.
    pub name: String,
    /// Its bounds, as written.
    pub bounds: Vec<TypeRef>,
}

/// What sort of member a declaration makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MemberKind {
    /// A field; each declarator of one statement is a member of its own.
    Field,
    /// A method.
    Method,
    /// A constructor, also the compact one of a record.
    Constructor,
    /// A static initialiser block.
    StaticInitializer,
    /// An instance initialiser block.
    Initializer,
    /// A constant of an enum.
    EnumConstant,
    /// A component of a record.
    RecordComponent,
    /// An element of an annotation type, `value` its default.
    AnnotationElement,
}

/// One member of a type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemberFacts {
    /// Field, method, constructor and so on.
    pub kind: MemberKind,
    /// Name; the type's simple name for constructors, `<clinit>` and `<init>` for the blocks.
    pub name: String,
    /// Modifiers as written.
    pub modifiers: Modifiers,
    /// Type parameters of a generic method or constructor.
    pub type_params: Vec<TypeParam>,
    /// Type of a field, component or element, return type of a method (`void` is a primitive type reference); `None` otherwise.
    pub ty: Option<TypeRef>,
    /// Parameters; empty where there are none. A compact constructor has the record's components.
    pub params: Vec<Param>,
    /// `throws`.
    pub throws: Vec<TypeRef>,
    /// Annotations on the declaration.
    pub annotations: Vec<Annotation>,
    /// The whole declaration (of a field: its statement from the modifiers on, to the end of its own declarator).
    pub span: Span,
    /// The name alone.
    pub name_span: Span,
    /// What runs: the block of a method, constructor or initialiser, the initialiser expression of a field, the arguments and class body of
    /// an enum constant, the default of an annotation element.
    pub body: Option<Span>,
    /// The constant expression of a field's initialiser or an element's default, where it has the form of one.
    pub value: Option<Value>,
    /// Tokens of the whole declaration, without comments and white space; anonymous and local types within it count too.
    pub tokens: Hash,
    /// String literals of its body, in order.
    pub literals: Vec<String>,
    /// The capitalised names that it says without a dot before them: places in [`FileFacts::type_words`], ascending.
    pub named: Vec<u32>,
}

impl MemberFacts {
    /// Name and erased parameter types as written, such as `find(String,List)`; fields and constants have the name alone.
    pub fn signature(&self) -> String {
        match self.kind {
            MemberKind::Method | MemberKind::Constructor => {
                let params: Vec<String> = self
                    .params
                    .iter()
                    .map(|p| format!("{}{}", p.ty.erased(), if p.varargs { "..." } else { "" }))
                    .collect();
                format!("{}({})", self.name, params.join(","))
            }
            _ => self.name.clone(),
        }
    }
}

/// One parameter of a method, constructor or lambda.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type; for a varargs parameter the type of one element.
    pub ty: TypeRef,
    /// `T... name`.
    pub varargs: bool,
    /// Annotations on it.
    pub annotations: Vec<Annotation>,
    /// Where it stands.
    pub span: Span,
}

/// A reference to a type, as written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct TypeRef {
    /// Dotted name without type arguments: `Map.Entry`, `java.util.List`, `int`, `void`, `var`, `?`.
    pub name: Word,
    /// Type arguments; empty for a raw type, for `<>` and for a plain one. A wildcard is named `?` and has its `extends` bound as its only
    /// argument; a `super` bound counts as none.
    pub args: Vec<TypeRef>,
    /// Number of array dimensions.
    pub dims: u8,
}

impl TypeRef {
    /// A reference by name alone.
    pub fn named(name: impl Into<Word>) -> Self {
        Self { name: name.into(), args: Vec::new(), dims: 0 }
    }

    /// Name and dimensions, without type arguments: `List`, `int[]`.
    pub fn erased(&self) -> String {
        format!("{}{}", self.name, "[]".repeat(usize::from(self.dims)))
    }

    /// Last part of the name: `Entry` of `Map.Entry`.
    pub fn simple(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// One of the eight primitive types or `void`, and no array.
    pub fn is_primitive(&self) -> bool {
        self.dims == 0 && is_primitive(&self.name)
    }
}

/// Whether this is the name of a primitive type, or `void`.
pub fn is_primitive(name: &str) -> bool {
    matches!(name, "boolean" | "byte" | "short" | "char" | "int" | "long" | "float" | "double" | "void")
}

impl std::fmt::Display for TypeRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        if self.name == "?" {
            if let Some(bound) = self.args.first() {
                write!(f, " extends {bound}")?;
            }
        } else if !self.args.is_empty() {
            let args: Vec<String> = self.args.iter().map(ToString::to_string).collect();
            write!(f, "<{}>", args.join(", "))?;
        }
        f.write_str(&"[]".repeat(usize::from(self.dims)))
    }
}

/// One annotation, its arguments not yet evaluated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Annotation {
    /// Name as written, possibly dotted.
    pub name: String,
    /// Arguments by element name; a single unnamed argument is named `value`.
    pub args: Vec<(String, Value)>,
    /// Where it stands.
    pub span: Span,
}

impl Annotation {
    /// The same, wherever it and those within it stand.
    #[must_use]
    pub fn without_places(&self) -> Self {
        fn of(value: &Value) -> Value {
            let boxed = |value: &Value| Box::new(of(value));
            match value {
                Value::Annotation(inner) => Value::Annotation(inner.without_places()),
                Value::Array(items) => Value::Array(items.iter().map(of).collect()),
                Value::Unary(op, a) => Value::Unary(op.clone(), boxed(a)),
                Value::Binary(op, a, b) => Value::Binary(op.clone(), boxed(a), boxed(b)),
                Value::Conditional(a, b, c) => Value::Conditional(boxed(a), boxed(b), boxed(c)),
                Value::Cast(ty, a) => Value::Cast(ty.clone(), boxed(a)),
                other => other.clone(),
            }
        }
        let args = self.args.iter().map(|(name, value)| (name.clone(), of(value))).collect();
        Self { name: self.name.clone(), args, span: Span::default() }
    }

    /// Last part of the name: `GetMapping` of `org.springframework.web.bind.annotation.GetMapping`.
    pub fn simple(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// The argument of this name, where given.
    pub fn arg(&self, name: &str) -> Option<&Value> {
        self.args.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }
}

/// A constant expression (JLS §15.29) or annotation argument (JLS §9.7.1), not yet evaluated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// A string or text block, unescaped.
    Str(String),
    /// A UTF-16 unit.
    Char(u16),
    /// An integer literal of type `int` or `long`.
    Int(i64),
    /// A floating literal.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
    /// A simple or dotted name: a constant of this or another class, or an enum constant.
    Name(String),
    /// `T.class`.
    Class(TypeRef),
    /// `{a, b}`.
    Array(Vec<Value>),
    /// A nested annotation.
    Annotation(Annotation),
    /// A unary operator (`-`, `+`, `!`, `~`) and its operand.
    Unary(String, Box<Value>),
    /// A binary operator as written, with both operands; `+` also concatenates.
    Binary(String, Box<Value>, Box<Value>),
    /// `c ? a : b`.
    Conditional(Box<Value>, Box<Value>, Box<Value>),
    /// A cast to a primitive type or `String`.
    Cast(TypeRef, Box<Value>),
    /// Something else, such as a method call: not constant.
    Other,
}
