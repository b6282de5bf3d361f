//! MapStruct's built-in conversions, as Java expressions.

use mastor_java::ir::facts::TypeKind;
use mastor_java::ir::ty::{Ty, widens};
use mastor_java::types::typing::Types;

/// The simple name of a library type or primitive: `String`, `Integer`, `int`.
fn short(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::Prim(name) => Some(name),
        Ty::Library { fqn, .. } => fqn.rsplit('.').next(),
        _ => None,
    }
}

/// The primitive type of a number or boolean, boxed or not.
pub fn primitive(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::Prim(name) => Some(name),
        _ => ty.unboxed(),
    }
}

fn is_string(ty: &Ty) -> bool {
    ty.library_name() == Some("java.lang.String")
}

fn enum_name(types: &Types<'_>, ty: &Ty) -> Option<String> {
    let id = ty.as_project()?;
    (types.project().ty(id).kind == TypeKind::Enum).then(|| types.project().fqn(id).to_owned())
}

/// The expression that converts the non-null `value` from type `from` to type `to`; `None` if there is no such
/// conversion, or it is not followed.
pub fn convert(types: &Types<'_>, from: &Ty, to: &Ty, value: &str, date_format: Option<&str>) -> Option<String> {
    if let Some(format) = date_format {
        let pattern = format!("java.time.format.DateTimeFormatter.ofPattern({format:?})");
        let is_time = |ty: &Ty| matches!(short(ty), Some("LocalDate" | "LocalDateTime" | "LocalTime"));
        return match (is_time(from), is_time(to)) {
            (true, false) if is_string(to) => Some(format!("{pattern}.format({value})")),
            (false, true) if is_string(from) => Some(format!("{}.parse({value}, {pattern})", to.library_name()?)),
            _ => None,
        };
    }
    if is_string(to) {
        if enum_name(types, from).is_some() {
            return Some(format!("{value}.name()"));
        }
        let iso = |name: &str| Some(format!("java.time.format.DateTimeFormatter.ISO_LOCAL_{name}.format({value})"));
        return match short(from)? {
            _ if primitive(from).is_some() => Some(format!("String.valueOf({value})")),
            "BigDecimal" | "BigInteger" | "UUID" | "Instant" | "Duration" | "Period" | "URL" => {
                Some(format!("{value}.toString()"))
            }
            "LocalDate" => iso("DATE"),
            "LocalTime" => iso("TIME"),
            "LocalDateTime" => iso("DATE_TIME"),
            _ => None,
        };
    }
    if is_string(from) {
        if let Some(name) = enum_name(types, to) {
            return Some(format!("Enum.valueOf({name}.class, {value})"));
        }
        let class = to.boxed();
        return match (primitive(to), short(to)?) {
            (Some("int"), _) => Some(format!("Integer.parseInt({value})")),
            (Some("char"), _) => Some(format!("{value}.charAt(0)")),
            (Some(name), _) => {
                let mut letters = name.chars();
                let parse: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
                Some(format!("{}.parse{parse}({value})", class.library_name()?))
            }
            (None, "BigDecimal" | "BigInteger") => Some(format!("new {}({value})", to.library_name()?)),
            (None, "UUID") => Some(format!("java.util.UUID.fromString({value})")),
            (None, "LocalDate" | "LocalDateTime" | "LocalTime" | "Instant" | "Duration" | "Period") => {
                Some(format!("{}.parse({value})", to.library_name()?))
            }
            _ => None,
        };
    }
    match (primitive(from), primitive(to)) {
        (Some(a), Some(b)) if a == b => Some(value.to_owned()),
        (Some(a), Some(b)) if is_number(a) && is_number(b) => Some(match from {
            Ty::Prim(_) if widens(a, b) && matches!(to, Ty::Prim(_)) => value.to_owned(),
            Ty::Prim(_) => format!("(({b}) {value})"),
            _ => format!("{value}.{b}Value()"),
        }),
        (Some(a), None) if is_number(a) => match short(to)? {
            "BigDecimal" | "BigInteger" if matches!(a, "float" | "double") && short(to) == Some("BigInteger") => None,
            "BigDecimal" if matches!(a, "float" | "double") => Some(format!("java.math.BigDecimal.valueOf({value})")),
            "BigDecimal" => Some(format!("java.math.BigDecimal.valueOf({value})")),
            "BigInteger" => Some(format!("java.math.BigInteger.valueOf({value})")),
            _ => None,
        },
        (None, Some(b)) if is_number(b) && matches!(short(from)?, "BigDecimal" | "BigInteger") => {
            Some(format!("{value}.{b}Value()"))
        }
        _ => None,
    }
}

fn is_number(name: &str) -> bool {
    matches!(name, "byte" | "short" | "int" | "long" | "float" | "double")
}

/// A constant from an annotation as an expression of a type.
pub fn literal(types: &Types<'_>, text: &str, to: &Ty) -> Option<String> {
    if is_string(to) {
        return Some(crate::contract_first::values::quoted(text));
    }
    if let Some(name) = enum_name(types, to) {
        return Some(format!("{name}.{text}"));
    }
    match primitive(to)? {
        "int" | "short" | "byte" => text.parse::<i32>().ok().map(|value| value.to_string()),
        "long" => text.trim_end_matches(['l', 'L']).parse::<i64>().ok().map(|value| format!("{value}L")),
        "double" => text.parse::<f64>().ok().map(|_| format!("{text}d")),
        "boolean" => text.parse::<bool>().ok().map(|value| value.to_string()),
        _ => None,
    }
}
