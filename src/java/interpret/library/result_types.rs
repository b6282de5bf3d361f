//! What methods of library classes return, where no model says it.

use crate::java::interpret::scalar::Prim;
use crate::java::interpret::value::Type;

/// The type that a method of a library class returns, for the few that conditions and bodies often rest on.
pub fn result_type(fqn: &str, name: &str) -> Type {
    match (fqn, name) {
        (
            "java.lang.String",
            "trim" | "strip" | "toLowerCase" | "toUpperCase" | "substring" | "replace" | "concat" | "format" | "join"
            | "repeat" | "valueOf" | "replaceAll",
        ) => Type::Str,
        ("java.lang.String", "matches" | "regionMatches" | "contains" | "isBlank" | "equalsIgnoreCase") => {
            Type::Prim(Prim::Bool)
        }
        ("java.lang.String", "indexOf" | "lastIndexOf" | "hashCode" | "compareToIgnoreCase" | "compareTo") => {
            Type::Prim(Prim::Int)
        }
        (
            "java.lang.Math",
            "sin" | "cos" | "tan" | "exp" | "log" | "log10" | "pow" | "cbrt" | "atan" | "atan2" | "random",
        ) => Type::Prim(Prim::Double),
        ("java.lang.System", "currentTimeMillis" | "nanoTime") => Type::Prim(Prim::Long),
        _ => Type::Unknown,
    }
}
