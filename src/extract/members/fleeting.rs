//! Fleeting types: local and anonymous classes whose objects cannot outlive the call that creates them.
//!
//! A call of an interface runs the methods of all classes below it, since an earlier request or the start-up can have
//! created and kept such objects. The object of an anonymous class that is only passed on as an argument cannot be kept
//! if no field, and no collection in a field, is declared with one of its types. It exists only while the enclosing
//! member runs. Without this rule a callback interface would join all operations that use it.

use std::collections::BTreeSet;

use mastor_java::ir::facts::{MemberKind, TypeRef};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// For each type, by its index, whether its objects exist only while the enclosing member runs.
pub fn fleeting(project: &Project) -> Vec<bool> {
    let mut held = held(project);
    let local: Vec<TypeId> = project.types().filter(|ty| project.within(*ty).is_some()).collect();
    let mut found = vec![false; project.types().len()];
    loop {
        let before = held.len();
        for ty in &local {
            let is = is_handed_on(project, *ty) && !project.all_supers(*ty).iter().any(|above| held.contains(above));
            found[ty.0 as usize] = is;
            // An object that can be kept also keeps the parameters that it captured from the enclosing member.
            if !is && project.supers(*ty).iter().any(|above| above.named.project().is_some()) {
                let around = project.within(*ty).into_iter();
                for member in around {
                    let params = &project.member(member).params;
                    params.iter().for_each(|param| collect(project, member, &param.ty, &mut held));
                }
            }
        }
        if held.len() == before {
            return found;
        }
    }
}

/// Whether a type is declared in a method or constructor body and has only project types above it. A library could keep
/// an object of a library type.
fn is_handed_on(project: &Project, ty: TypeId) -> bool {
    let in_body = project
        .within(ty)
        .is_some_and(|member| matches!(project.member(member).kind, MemberKind::Method | MemberKind::Constructor));
    let own = |ty: TypeId| {
        project.supers(ty).iter().all(|above| match &above.named {
            Named::Project(_) => true,
            Named::Library(name) => name == "java.lang.Object",
            _ => false,
        })
    };
    let above = project.all_supers(ty);
    in_body && !above.is_empty() && own(ty) && above.into_iter().all(own)
}

/// Every project type in the declared type of a field, type arguments included, or in the type arguments of a
/// supertype.
fn held(project: &Project) -> BTreeSet<TypeId> {
    let mut found = BTreeSet::new();
    for ty in project.types() {
        for above in project.supers(ty) {
            above.args.iter().for_each(|arg| project.named_in(ty, arg, &mut found));
        }
        for member in project.members(ty) {
            let facts = project.member(member);
            if matches!(facts.kind, MemberKind::Field | MemberKind::RecordComponent) {
                facts.ty.iter().for_each(|ty| collect(project, member, ty, &mut found));
            }
        }
    }
    found
}

fn collect(project: &Project, at: MemberId, reference: &TypeRef, found: &mut BTreeSet<TypeId>) {
    found.extend(project.resolve_at(at, &reference.name).project());
    reference.args.iter().for_each(|arg| collect(project, at, arg, found));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The members around the fleeting types.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let project = Project::from_sources(files);
        let fleeting = fleeting(&project);
        let of = |ty: &TypeId| fleeting[ty.0 as usize];
        project.types().filter(of).map(|ty| project.member(project.within(ty).unwrap()).name.clone()).collect()
    }

    const CALLBACK: (&str, &str) = ("a/C.java", "package a; public interface C { void done(String s); }");
    const USER: (&str, &str) =
        ("a/U.java", "package a; class U { void use(G g) { g.get(new C() { public void done(String s) { } }); } }");

    #[test]
    fn what_is_only_handed_on_is_fleeting() {
        let maker = ("a/G.java", "package a; class G { void get(C c) { c.done(\"x\"); } }");
        assert_eq!(found(&[CALLBACK, USER, maker]), ["use"]);
    }

    #[test]
    fn what_a_field_or_a_kept_object_can_hold_is_not() {
        let field = ("a/G.java", "package a; class G { private C last; void get(C c) { last = c; } }");
        assert_eq!(found(&[CALLBACK, USER, field]), [""; 0]);
        let list = (
            "a/G.java",
            "package a; import java.util.*; class G { List<C> all = new ArrayList<>(); void get(C c) { all.add(c); } }",
        );
        assert_eq!(found(&[CALLBACK, USER, list]), [""; 0]);
        let kept = (
            "a/G.java",
            "package a; interface L { void on(); } class G { L l; void get(C c) { l = new L() { public void on() { c.done(\"x\"); } }; } }",
        );
        assert_eq!(found(&[CALLBACK, USER, kept]), [""; 0]);
    }

    #[test]
    fn what_a_library_knows_is_not() {
        let user =
            ("a/U.java", "package a; class U { void use(G g) { g.get(new Runnable() { public void run() { } }); } }");
        assert_eq!(found(&[("a/G.java", "package a; class G { void get(Runnable r) { } }"), user]), [""; 0]);
    }
}
