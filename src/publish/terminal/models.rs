//! Lists the modelled library types: how each is modelled, its members, and its documentation.

use std::fmt::Write as _;

use mastor_java::models::registry::{ModelKind, documentation, types};

/// The list, two or three lines for each type, with a count at the end.
pub fn text() -> String {
    let mut out = String::new();
    let (mut members, mut in_java) = (0, 0);
    for (fqn, known) in types() {
        let how = match known.how {
            ModelKind::Java => "Java",
            ModelKind::Rust => "Rust",
        };
        members += known.members.len();
        in_java += usize::from(known.how == ModelKind::Java);
        let _ = writeln!(out, "{fqn}  {how}{}", documentation(fqn).map(|at| format!("  {at}")).unwrap_or_default());
        for is_static in [true, false] {
            let of_kind: Vec<String> = known
                .members
                .iter()
                .filter(|member| member.is_static == is_static)
                .map(|member| member.written())
                .collect();
            if !of_kind.is_empty() {
                let _ = writeln!(out, "  {}{}", if is_static { "static " } else { "" }, of_kind.join(" "));
            }
        }
    }
    let count = types().len();
    let _ = writeln!(out, "{count} types are modelled, {in_java} of them in Java, with {members} members");
    out
}
