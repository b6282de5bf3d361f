//! Numeric constants of boxes, `Math` and patterns.

use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::Value;

/// A constant of these classes.
pub fn constant(fqn: &str, name: &str) -> Option<Value> {
    if fqn == "java.util.regex.Pattern" {
        return flag(name).map(Value::int);
    }
    let class = fqn.strip_prefix("java.lang.")?;
    if let ("SIZE" | "BYTES", Some(bytes)) = (name, bytes_of(class)) {
        return Some(Value::int(if name == "SIZE" { bytes * 8 } else { bytes }));
    }
    Some(Value::Scalar(match (class, name) {
        ("Integer", "MAX_VALUE") => Scalar::Int(i32::MAX),
        ("Integer", "MIN_VALUE") => Scalar::Int(i32::MIN),
        ("Long", "MAX_VALUE") => Scalar::Long(i64::MAX),
        ("Long", "MIN_VALUE") => Scalar::Long(i64::MIN),
        ("Short", "MAX_VALUE") => Scalar::Short(i16::MAX),
        ("Short", "MIN_VALUE") => Scalar::Short(i16::MIN),
        ("Byte", "MAX_VALUE") => Scalar::Byte(i8::MAX),
        ("Byte", "MIN_VALUE") => Scalar::Byte(i8::MIN),
        ("Character", "MAX_VALUE") => Scalar::Char(u16::MAX),
        ("Character", "MIN_VALUE") => Scalar::Char(0),
        ("Character", "MIN_RADIX") => Scalar::Int(2),
        ("Character", "MAX_RADIX") => Scalar::Int(36),
        ("Double", "MAX_VALUE") => Scalar::Double(f64::MAX),
        ("Double", "MIN_VALUE") => Scalar::Double(5e-324),
        ("Double", "MIN_NORMAL") => Scalar::Double(f64::MIN_POSITIVE),
        ("Double", "NaN") => Scalar::Double(f64::NAN),
        ("Double", "POSITIVE_INFINITY") => Scalar::Double(f64::INFINITY),
        ("Double", "NEGATIVE_INFINITY") => Scalar::Double(f64::NEG_INFINITY),
        ("Float", "MAX_VALUE") => Scalar::Float(f32::MAX),
        ("Float", "MIN_VALUE") => Scalar::Float(f32::from_bits(1)),
        ("Float", "MIN_NORMAL") => Scalar::Float(f32::MIN_POSITIVE),
        ("Float", "NaN") => Scalar::Float(f32::NAN),
        ("Float", "POSITIVE_INFINITY") => Scalar::Float(f32::INFINITY),
        ("Float", "NEGATIVE_INFINITY") => Scalar::Float(f32::NEG_INFINITY),
        ("Math" | "StrictMath", "PI") => Scalar::Double(std::f64::consts::PI),
        ("Math" | "StrictMath", "E") => Scalar::Double(std::f64::consts::E),
        ("Boolean", "TRUE") => Scalar::Bool(true),
        ("Boolean", "FALSE") => Scalar::Bool(false),
        _ => return None,
    }))
}

fn bytes_of(class: &str) -> Option<i32> {
    Some(match class {
        "Byte" => 1,
        "Short" | "Character" => 2,
        "Integer" | "Float" => 4,
        "Long" | "Double" => 8,
        _ => return None,
    })
}

fn flag(name: &str) -> Option<i32> {
    Some(match name {
        "UNIX_LINES" => 1,
        "CASE_INSENSITIVE" => 2,
        "COMMENTS" => 4,
        "MULTILINE" => 8,
        "LITERAL" => 16,
        "DOTALL" => 32,
        "UNICODE_CASE" => 64,
        "CANON_EQ" => 128,
        "UNICODE_CHARACTER_CLASS" => 256,
        _ => return None,
    })
}
