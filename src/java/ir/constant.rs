//! Values of constant expressions: plain data, with Java's arithmetic and string conversion.

use serde::{Deserialize, Serialize};

use super::ids::MemberId;
use super::named::Named;

/// The value of a constant expression or an annotation argument. `byte` and `short` are [`Constant::Int`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "a variant without a sentence is the Java type of that name")]
pub enum Constant {
    Str(String),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Bool(bool),
    /// A UTF-16 unit.
    Char(u16),
    Null,
    /// `{a, b}`.
    Array(Vec<Constant>),
    /// `T[].class`.
    Class {
        /// The class, or the element class of an array class.
        named: Named,
        /// Number of array dimensions.
        dims: u8,
    },
    /// An enum constant; also any static member of a library type whose value is unknown.
    Enum {
        /// The type.
        ty: Named,
        /// Name of the constant.
        name: String,
    },
    /// A nested annotation.
    Annotation {
        /// Its type.
        named: Named,
        /// Its explicit arguments, evaluated.
        args: Vec<(String, Constant)>,
    },
    /// Not evaluated, with the reason.
    Unknown(String),
}

/// An evaluated constant with the constants that it uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// The value.
    pub value: Constant,
    /// The project's constants that the value depends on, directly or indirectly, in the order in which they were
    /// visited.
    pub used: Vec<MemberId>,
}

impl Constant {
    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::Str(text) = self { Some(text) } else { None }
    }

    /// The value of an integer of any width or a character.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(i64::from(*n)),
            Self::Long(n) => Some(*n),
            Self::Char(n) => Some(i64::from(*n)),
            _ => None,
        }
    }

    /// The value as a number.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Float(n) => Some(f64::from(*n)),
            Self::Double(n) => Some(*n),
            _ => self.as_i64().map(|n| n as f64),
        }
    }

    /// The value of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// The elements of an array. Any other value is its own single element, as `@A("x")` means `@A({"x"})`.
    pub fn elements(&self) -> &[Self] {
        if let Self::Array(values) = self { values } else { std::slice::from_ref(self) }
    }

    /// The name of an enum constant.
    pub fn enum_name(&self) -> Option<&str> {
        if let Self::Enum { name, .. } = self { Some(name) } else { None }
    }

    /// Whether the value has no unknown part.
    pub fn is_known(&self) -> bool {
        match self {
            Self::Unknown(_) => false,
            Self::Array(values) => values.iter().all(Self::is_known),
            Self::Annotation { args, .. } => args.iter().all(|(_, value)| value.is_known()),
            _ => true,
        }
    }

    /// The string conversion (JLS §5.1.11); `None` for a value without a constant text.
    pub fn text(&self) -> Option<String> {
        Some(match self {
            Self::Str(text) => text.clone(),
            Self::Int(n) => n.to_string(),
            Self::Long(n) => n.to_string(),
            Self::Float(n) => float_text(f64::from(*n), format!("{n}"), format!("{n:e}")),
            Self::Double(n) => float_text(*n, format!("{n}"), format!("{n:e}")),
            Self::Bool(value) => value.to_string(),
            Self::Char(unit) => String::from_utf16_lossy(&[*unit]),
            Self::Null => "null".to_owned(),
            _ => return None,
        })
    }
}

/// `Double.toString`: decimal notation between 10⁻³ and 10⁷, scientific notation outside.
fn float_text(value: f64, plain: String, scientific: String) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let size = value.abs();
    if size == 0.0 || (1e-3..1e7).contains(&size) {
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    match scientific.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => format!("{digits}E{exponent}"),
        Some((digits, exponent)) => format!("{digits}.0E{exponent}"),
        None => scientific,
    }
}
