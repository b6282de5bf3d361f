//! Scalars: fully known values without parts: `null`, primitives, strings and enum constants.

use std::rc::Rc;

use crate::ir::ids::TypeId;

/// A class of the project or of a library.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClassRef {
    /// Declared in the project.
    Project(TypeId),
    /// Declared elsewhere, by its fully qualified name.
    Library(Rc<str>),
}

impl ClassRef {
    /// A library class by its fully qualified name.
    pub fn library(fqn: &str) -> Self {
        Self::Library(Rc::from(fqn))
    }
}

/// A primitive type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the Java type of that name")]
pub enum Prim {
    Bool,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
}

impl Prim {
    /// The primitive type with this keyword.
    pub fn of_keyword(word: &str) -> Option<Self> {
        Some(match word {
            "boolean" => Self::Bool,
            "byte" => Self::Byte,
            "short" => Self::Short,
            "char" => Self::Char,
            "int" => Self::Int,
            "long" => Self::Long,
            "float" => Self::Float,
            "double" => Self::Double,
            _ => return None,
        })
    }

    /// The primitive type of this box class in `java.lang`.
    pub fn of_box(fqn: &str) -> Option<Self> {
        Some(match fqn.strip_prefix("java.lang.")? {
            "Boolean" => Self::Bool,
            "Byte" => Self::Byte,
            "Short" => Self::Short,
            "Character" => Self::Char,
            "Integer" => Self::Int,
            "Long" => Self::Long,
            "Float" => Self::Float,
            "Double" => Self::Double,
            _ => return None,
        })
    }

    /// Simple name of its box class.
    pub fn box_name(self) -> &'static str {
        match self {
            Self::Bool => "Boolean",
            Self::Byte => "Byte",
            Self::Short => "Short",
            Self::Char => "Character",
            Self::Int => "Integer",
            Self::Long => "Long",
            Self::Float => "Float",
            Self::Double => "Double",
        }
    }

    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Bool => "boolean",
            Self::Byte => "byte",
            Self::Short => "short",
            Self::Char => "char",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// `byte` to `long`, and `char`.
    pub fn is_integral(self) -> bool {
        matches!(self, Self::Byte | Self::Short | Self::Char | Self::Int | Self::Long)
    }

    /// The default value of a field of this type.
    pub fn zero(self) -> Scalar {
        match self {
            Self::Bool => Scalar::Bool(false),
            Self::Byte => Scalar::Byte(0),
            Self::Short => Scalar::Short(0),
            Self::Char => Scalar::Char(0),
            Self::Int => Scalar::Int(0),
            Self::Long => Scalar::Long(0),
            Self::Float => Scalar::Float(0.0),
            Self::Double => Scalar::Double(0.0),
        }
    }
}

/// What is known about a string's identity, for `==`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// Interned: a literal or constant expression, identical to every equal interned string.
    Pooled,
    /// Created at run time in the step with this number, and identical to no other string.
    Fresh(u64),
    /// Unknown.
    Open,
}

/// A string. Lengths and indices count UTF-16 units, as in Java. A string with unpaired surrogates is unknown
/// instead.
#[derive(Debug, Clone)]
pub struct JStr {
    /// The text.
    pub text: Rc<str>,
    /// Its identity.
    pub identity: Identity,
}

impl PartialEq for JStr {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// A fully known value without parts.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each variant is the Java type of that name")]
pub enum Scalar {
    Null,
    Bool(bool),
    Byte(i8),
    Short(i16),
    Char(u16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Str(JStr),
    /// A constant of an enum.
    Enum(ClassRef, Rc<str>),
}

impl Scalar {
    /// A string of unknown identity.
    pub fn text(text: &str) -> Self {
        Self::Str(JStr { text: Rc::from(text), identity: Identity::Open })
    }

    /// An interned string.
    pub fn pooled(text: &str) -> Self {
        Self::Str(JStr { text: Rc::from(text), identity: Identity::Pooled })
    }

    /// The text of a string.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(&text.text),
            _ => None,
        }
    }

    /// The primitive type, also of a boxed value.
    pub fn prim(&self) -> Option<Prim> {
        Some(match self {
            Self::Bool(_) => Prim::Bool,
            Self::Byte(_) => Prim::Byte,
            Self::Short(_) => Prim::Short,
            Self::Char(_) => Prim::Char,
            Self::Int(_) => Prim::Int,
            Self::Long(_) => Prim::Long,
            Self::Float(_) => Prim::Float,
            Self::Double(_) => Prim::Double,
            Self::Null | Self::Str(_) | Self::Enum(..) => return None,
        })
    }

    /// The value of an integral number as a `long`.
    pub fn as_long(&self) -> Option<i64> {
        Some(match *self {
            Self::Byte(x) => x.into(),
            Self::Short(x) => x.into(),
            Self::Char(x) => x.into(),
            Self::Int(x) => x.into(),
            Self::Long(x) => x,
            _ => return None,
        })
    }

    /// The value of an integral number of at most 32 bits as an `int`.
    pub fn as_int(&self) -> Option<i32> {
        match self {
            Self::Long(_) => None,
            other => other.as_long().and_then(|x| i32::try_from(x).ok()),
        }
    }

    /// The value of a number as a `double` (JLS §5.1.2).
    pub fn as_double(&self) -> Option<f64> {
        match *self {
            Self::Float(x) => Some(x.into()),
            Self::Double(x) => Some(x),
            _ => self.as_long().map(|x| x as f64),
        }
    }

    /// The result of `String.valueOf`; `None` if uncertain, since Java releases write some floating-point numbers
    /// differently.
    pub fn to_java_string(&self) -> Option<String> {
        Some(match self {
            Self::Null => "null".to_owned(),
            Self::Bool(x) => x.to_string(),
            Self::Char(x) => String::from_utf16(&[*x]).ok()?,
            Self::Str(x) => x.text.to_string(),
            Self::Float(x) => return super::floats::float_text(*x).or_else(|| super::decimal_text::of_float(*x)),
            Self::Double(x) => return super::floats::double_text(*x).or_else(|| super::decimal_text::of_double(*x)),
            Self::Enum(..) => return None,
            other => other.as_long()?.to_string(),
        })
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Str(text) => write!(f, "\"{}\"", text.text.escape_debug()),
            Self::Char(unit) => match String::from_utf16(&[*unit]) {
                Ok(text) => write!(f, "'{}'", text.escape_debug()),
                Err(_) => write!(f, "'\\u{unit:04x}'"),
            },
            Self::Float(x) => write!(f, "{x:?}"),
            Self::Double(x) => write!(f, "{x:?}"),
            Self::Enum(_, name) => f.write_str(name),
            other => f.write_str(&other.to_java_string().unwrap_or_default()),
        }
    }
}
