//! Return types of library methods without a model.

use crate::interpret::values::scalar::Prim;
use crate::interpret::values::value::Type;

/// The return type of a library method, for the few methods that conditions and bodies often depend on.
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
