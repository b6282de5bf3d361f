//! How the code of a project uses objects that it did not just create: names of called methods, fields set on other
//! objects, and kinds of shared collections that it changes. Matching is by name, so the result may be too large but
//! never too small.

use std::collections::BTreeSet;

use crate::ir::body::{Body, ExprId, ExprKind, Lit, StmtKind};
use crate::ir::facts::TypeRef;
use crate::ir::ids::MemberId;
use crate::project::index::Project;

/// Methods that change a collection.
const CHANGING: &[&str] = &[
    "add",
    "addAll",
    "addFirst",
    "addLast",
    "clear",
    "compute",
    "computeIfAbsent",
    "computeIfPresent",
    "merge",
    "offer",
    "poll",
    "pollFirst",
    "pollLast",
    "pop",
    "push",
    "put",
    "putAll",
    "putIfAbsent",
    "remove",
    "removeAll",
    "removeFirst",
    "removeIf",
    "removeLast",
    "replace",
    "replaceAll",
    "retainAll",
    "set",
    "sort",
];

/// Whether a method of this name changes a collection.
pub fn is_changing(name: &str) -> bool {
    CHANGING.contains(&name)
}

/// Methods of `Collections` that change their first argument.
const HELPERS: &[&str] = &["addAll", "fill", "replaceAll", "reverse", "rotate", "shuffle", "sort", "swap"];
/// Methods without arguments that return a string.
const TEXTS: &[&str] = &["toString", "toLowerCase", "toUpperCase", "trim", "strip"];
/// Placeholder for an unknown type.
const OPEN: &str = "?";

/// Called names, fields set on other objects, and changed kinds of collections.
#[derive(Debug, Clone, Default)]
pub struct Usage {
    called: BTreeSet<String>,
    set: BTreeSet<String>,
    changed: BTreeSet<String>,
}

impl Usage {
    /// Reads every body of a project.
    pub fn of(project: &Project) -> Self {
        let mut found = Self::default();
        for ty in project.types() {
            for member in project.members(ty) {
                if let Some(body) = project.body(member) {
                    found.read(project, member, &body);
                }
            }
        }
        found
    }

    /// Whether a method of this name is called or referenced.
    pub fn calls(&self, name: &str) -> bool {
        self.called.contains(name)
    }

    /// Whether a field of this name is set on an object other than `this`.
    pub fn sets(&self, name: &str) -> bool {
        self.set.contains(name)
    }

    /// Whether code changes a collection of one of these types that it did not create itself.
    pub fn changes(&self, types: &[&str]) -> bool {
        self.changed.contains(OPEN) || types.iter().any(|name| self.changed.contains(*name))
    }

    fn read(&mut self, project: &Project, member: MemberId, body: &Body) {
        for expr in &body.exprs {
            match &expr.kind {
                ExprKind::Call { target, name, args, .. } => {
                    self.called.insert(name.to_string());
                    let helper = target.is_some_and(|at| is_name(body, at, "Collections"));
                    let changed = if helper {
                        args.first().copied().filter(|_| HELPERS.contains(&name.as_str()))
                    } else {
                        target
                            .filter(|at| CHANGING.contains(&name.as_str()) && !is_of_text(body, *at, name, args.len()))
                    };
                    self.changed.extend(changed.and_then(|at| kind(project, member, body, at)));
                }
                ExprKind::MethodRef { target, name, .. } => {
                    self.called.insert(name.to_string());
                    if CHANGING.contains(&name.as_str()) {
                        let kind = target.map_or(Some(OPEN.to_owned()), |at| kind(project, member, body, at));
                        self.changed.extend(kind);
                    }
                }
                ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => {
                    if let ExprKind::Field { target, name } = &body.expr(*target).kind
                        && !matches!(body.expr(*target).kind, ExprKind::This(_))
                    {
                        self.set.insert(name.to_string());
                    }
                }
                _ => {}
            }
        }
    }
}

fn is_name(body: &Body, at: ExprId, wanted: &str) -> bool {
    matches!(&body.expr(at).kind, ExprKind::Name(name) if name == wanted)
}

/// Whether a call is on a string. `replaceAll` with two arguments exists only on strings; `replace` also needs a
/// receiver that is one.
fn is_of_text(body: &Body, target: ExprId, name: &str, args: usize) -> bool {
    let gives_text = match &body.expr(target).kind {
        ExprKind::Lit(Lit::Str(_)) => true,
        ExprKind::Call { name, args, .. } => match (name.as_str(), args.len()) {
            ("replaceAll", 2) => true,
            (called, 0) => TEXTS.contains(&called),
            ("substring", 1 | 2) => true,
            _ => false,
        },
        _ => false,
    };
    matches!((name, args), ("replaceAll", 2)) || (name, args) == ("replace", 2) && gives_text
}

/// The simple type of the changed object; `None` if the body created it.
fn kind(project: &Project, member: MemberId, body: &Body, at: ExprId) -> Option<String> {
    let open = || Some(OPEN.to_owned());
    let simple = |ty: &TypeRef| {
        let name = ty.simple();
        // `var` or a type variable may be any type.
        if name == "var" || name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit()) { OPEN } else { name }
            .to_owned()
    };
    let field = |name: &str| {
        let own = project.find_field(member.ty, name).and_then(|field| project.member(field).ty.clone());
        own.map(|ty| simple(&ty))
    };
    match &body.expr(at).kind {
        ExprKind::New { .. } => None,
        ExprKind::Field { target, name } if matches!(body.expr(*target).kind, ExprKind::This(_)) => {
            field(name).or_else(open)
        }
        ExprKind::Name(name) => {
            let mut declared = Vec::new();
            for stmt in &body.stmts {
                if let StmtKind::Local(locals) = &stmt.kind {
                    declared.extend(locals.iter().filter(|local| local.name == *name));
                }
            }
            let assigned = body.exprs.iter().any(|expr| match &expr.kind {
                ExprKind::Assign { target, .. } => is_name(body, *target, name),
                _ => false,
            });
            match declared.as_slice() {
                [] => {
                    let param = project.member(member).params.iter().find(|param| param.name == *name);
                    param.map(|param| simple(&param.ty)).or_else(|| field(name)).or_else(open)
                }
                [only]
                    if !assigned
                        && only.init.is_some_and(|init| matches!(body.expr(init).kind, ExprKind::New { .. })) =>
                {
                    None
                }
                [only] => Some(simple(&only.ty)),
                _ => open(),
            }
        }
        _ => open(),
    }
}

#[cfg(test)]
mod tests {
    use super::Usage;
    use crate::build::layout::Scope;
    use crate::project::index::Project;
    use mastor_revision::SourceTree;

    fn usage(body: &str) -> Usage {
        let text = format!("package a; import java.util.*; class C {{ List<String> own; {body} }}");
        let tree = SourceTree::from_memory([("src/main/java/a/C.java", text)]);
        Usage::of(&Project::load(&tree, None, &Scope::default()))
    }

    #[test]
    fn only_what_a_body_did_not_make_counts_as_changed() {
        let made = usage(
            "void f() { List<String> x = new ArrayList<>(); x.add(\"a\"); Set<String> y = given(); y.add(\"b\"); }",
        );
        assert!(!made.changes(&["List"]));
        assert!(made.changes(&["Set"]));
        assert!(usage("void f() { own.add(\"a\"); }").changes(&["List"]));
        assert!(usage("void f(List<String> x) { Collections.sort(x); }").changes(&["List"]));
        // Strings have methods with the same names as changing methods of collections, and are not changed.
        let text = usage("String f(String x) { return g(x).replaceAll(\"a\", \"b\").trim().replace(\"c\", \"d\"); }");
        assert!(!text.changes(&["List", "Map"]));
        assert!(usage("void f() { given().replaceAll(x -> x); }").changes(&["List"]));
        // The result of a call may be any collection.
        assert!(usage("void f() { given().clear(); }").changes(&["Map"]));
    }

    #[test]
    fn calls_and_fields_count_by_their_names() {
        let usage = usage("void f(C other) { other.own = null; this.own = null; g(); }");
        assert!(usage.calls("g") && !usage.calls("h"));
        assert!(usage.sets("own"));
    }
}
