//! Facts of one Java file: its package, imports, types, members and annotations, with their spans.
//!
//! Facts depend only on the bytes of the file, so they are cached by blob id. Names are kept as written; `names`
//! resolves them.

use serde::{Deserialize, Serialize};

use mastor_types::Hash;

/// A name in code. Up to 24 bytes are stored inline, and few names are longer.
pub type Word = compact_str::CompactString;

/// A range of a file: byte offsets and line numbers, which start at 1.
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

/// All declarations of one file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FileFacts {
    /// Package name; empty for the unnamed package.
    pub package: String,
    /// Imports in source order.
    pub imports: Vec<Import>,
    /// Every type of the file, including nested, local and anonymous types; an outer type comes before its inner
    /// types.
    pub types: Vec<TypeFacts>,
    /// The names that may refer to types, sorted: every identifier at a type position, and every capitalised
    /// identifier and dotted name in bodies.
    pub type_words: Vec<String>,
    /// Lines (from 1) with syntax errors.
    pub error_lines: Vec<u32>,
    /// Lines (from 1) where reading stopped because types were nested too deep or the file was too large.
    pub cut_lines: Vec<u32>,
    /// Annotations on `package` (only in `package-info.java`).
    pub package_annotations: Vec<Annotation>,
    /// True if an escape such as `\u000a` ends a line (JLS §3.3): code may follow where a line comment seems to
    /// continue.
    pub escapes_line_ends: bool,
    /// True if the file is generated (`@Generated`, or a header comment that says so).
    pub generated: bool,
}

/// One `import`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// Dotted name without `.*`; a static import includes the member as the last part.
    pub path: String,
    /// `import static`.
    pub is_static: bool,
    /// `import a.b.*`.
    pub wildcard: bool,
    /// Line, from 1.
    pub line: u32,
}

/// Kinds of type declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each variant is the Java keyword of that name")]
pub enum TypeKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

/// The position of a type declaration.
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

/// Java modifiers of a type or member, as a bit set.
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

    /// Whether the set contains the modifier (one of the constants).
    pub fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }

    /// The modifiers without `final`.
    #[must_use]
    pub fn without_final(self) -> Self {
        Self(self.0 & !Self::FINAL)
    }

    /// The modifiers without access modifiers.
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
    /// The position of the declaration.
    pub nesting: Nesting,
    /// Index of the enclosing type in [`FileFacts::types`].
    pub outer: Option<u32>,
    /// For a local or anonymous type: index of the member of `outer` whose body contains it.
    pub within: Option<u32>,
    /// Modifiers as written.
    pub modifiers: Modifiers,
    /// Type parameters with bounds.
    pub type_params: Vec<TypeParam>,
    /// `extends` of a class (at most one), or the type that an anonymous class extends or implements.
    pub extends: Vec<TypeRef>,
    /// `implements` of a class, `extends` of an interface.
    pub implements: Vec<TypeRef>,
    /// `permits`.
    pub permits: Vec<TypeRef>,
    /// Annotations on the declaration.
    pub annotations: Vec<Annotation>,
    /// Members in source order; record components and enum constants come first.
    pub members: Vec<MemberFacts>,
    /// The whole declaration.
    pub span: Span,
    /// The span of the name alone, or of `new` for an anonymous type.
    pub name_span: Span,
    /// Hash of the tokens from the start of the declaration to its body.
    pub header: Hash,
    /// The names that the header contains, as in [`MemberFacts::named`].
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

/// Kinds of members.
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
    /// An element of an annotation type; [`MemberFacts::value`] is its default.
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
    /// Type of a field, component or element; return type of a method (`void` is a primitive type reference);
    /// otherwise `None`.
    pub ty: Option<TypeRef>,
    /// Parameters. A compact constructor has the record's components.
    pub params: Vec<Param>,
    /// `throws`.
    pub throws: Vec<TypeRef>,
    /// Annotations on the declaration.
    pub annotations: Vec<Annotation>,
    /// Annotations on type arguments of a field's or component's type: `List<@NotBlank String>`.
    pub of_elements: Vec<Annotation>,
    /// The whole declaration; for a field, from the modifiers of its statement to the end of its own declarator.
    pub span: Span,
    /// The span of the name.
    pub name_span: Span,
    /// The code of the member: the block of a method, constructor or initialiser, the initialiser expression of a
    /// field, the arguments and class body of an enum constant, the default of an annotation element.
    pub body: Option<Span>,
    /// The initialiser of a field or the default of an element, if it has the form of a constant expression.
    pub value: Option<Value>,
    /// Hash of the tokens of the whole declaration, without comments and white space; includes anonymous and local
    /// types within it.
    pub tokens: Hash,
    /// String literals of its body, in source order.
    pub literals: Vec<String>,
    /// The capitalised names in it that no dot precedes: indexes into [`FileFacts::type_words`], ascending.
    pub named: Vec<u32>,
}

impl MemberFacts {
    /// The annotations on the declaration, on its parameters, and on type arguments of their types.
    pub fn every_annotation(&self) -> impl Iterator<Item = &Annotation> {
        let of_params = self.params.iter().flat_map(|param| param.annotations.iter().chain(&param.of_elements));
        self.annotations.iter().chain(&self.of_elements).chain(of_params)
    }

    /// The name with erased parameter types as written, such as `find(String,List)`; the name alone for fields and
    /// constants.
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
    /// Its type; the element type of a varargs parameter.
    pub ty: TypeRef,
    /// `T... name`.
    pub varargs: bool,
    /// Annotations on it.
    pub annotations: Vec<Annotation>,
    /// Annotations on type arguments of its type.
    pub of_elements: Vec<Annotation>,
    /// The source span.
    pub span: Span,
}

/// The name of the argument that keeps the place of an annotation on a type argument, which no annotation declares.
pub const PLACE: &str = "<place>";

/// A reference to a type, as written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct TypeRef {
    /// Dotted name without type arguments: `Map.Entry`, `java.util.List`, `int`, `void`, `var`, `?`.
    pub name: Word,
    /// Type arguments; empty for a raw type, for `<>` and for a non-generic type. A wildcard is named `?`, with its
    /// `extends` bound as its only argument; a `super` bound is dropped.
    pub args: Vec<TypeRef>,
    /// Number of array dimensions.
    pub dims: u8,
}

impl TypeRef {
    /// A type reference without arguments and dimensions.
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

    /// Whether this is one of the eight primitive types or `void`, and not an array.
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

/// An annotation with unevaluated arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Annotation {
    /// Name as written, possibly dotted.
    pub name: String,
    /// Arguments by element name; a single unnamed argument has the name `value`.
    pub args: Vec<(String, Value)>,
    /// The source span.
    pub span: Span,
}

impl Annotation {
    /// The annotation with all spans cleared, including those of nested annotations.
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

    /// The explicit argument with this name.
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
    /// A simple or dotted name that refers to a constant of any class, or to an enum constant.
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
    /// Anything else, such as a method call: not constant.
    Other,
}
