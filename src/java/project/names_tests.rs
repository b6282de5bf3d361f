//! Tests of name resolution in small projects, by the rules of the language.

use super::*;

fn check(sources: &[(&str, &str)], scope: &str, expected: &[(&str, &str)]) {
    let project = Project::from_sources(sources);
    let scope = project.by_fqn(scope).unwrap();
    for (name, meaning) in expected {
        let found = match project.resolve(scope, name) {
            Named::Project(id) => format!("{}:{}", project.path_of(id), project.fqn(id)),
            Named::Library(fqn) => format!("lib {fqn}"),
            Named::TypeVar(name) => format!("var {name}"),
            Named::Primitive => "primitive".to_owned(),
            Named::Unknown(name) => format!("unknown {name}"),
        };
        assert_eq!(&found, meaning, "{name}");
    }
}

#[test]
fn the_order_of_scopes_is_that_of_the_language() {
    check(
        &[
            (
                "A.java",
                "package p; import q.X; import q.w.*; import java.util.List; import static q.S.In; \
                 class A<T> extends Base { class Mine {} void f() { class Loc {} class Use extends Loc { } } class Shadow {} }",
            ),
            ("Base.java", "package p; class Base { class Inherited { class Deep {} } class Mine {} }"),
            ("Same.java", "package p; class Same {} class Shadow {} class String {}"),
            ("q/X.java", "package q; public class X { public static class Y {} }"),
            ("q/S.java", "package q; public class S { public static class In {} }"),
            ("w/W.java", "package q.w; public class W {} class Same {}"),
        ],
        "p.A",
        &[
            ("T", "var T"),
            ("Mine", "A.java:p.A.Mine"),
            ("Inherited", "Base.java:p.Base.Inherited"),
            ("Inherited.Deep", "Base.java:p.Base.Inherited.Deep"),
            ("Shadow", "A.java:p.A.Shadow"),
            ("Same", "Same.java:p.Same"),
            ("String", "Same.java:p.String"),
            ("Integer", "lib java.lang.Integer"),
            ("List", "lib java.util.List"),
            ("X.Y", "q/X.java:q.X.Y"),
            ("q.X", "q/X.java:q.X"),
            ("In", "q/S.java:q.S.In"),
            ("W", "w/W.java:q.w.W"),
            ("Nowhere", "unknown Nowhere"),
            ("java.util.Map.Entry", "lib java.util.Map.Entry"),
            ("q.Gone", "unknown q.Gone"),
            ("int", "primitive"),
        ],
    );
}

#[test]
fn a_package_is_no_type_of_a_wildcard() {
    check(
        &[("A.java", "package p; import org.lib.*; class A {}")],
        "p.A",
        &[("Widget", "lib org.lib.Widget"), ("java.util.regex.Pattern", "lib java.util.regex.Pattern")],
    );
}

#[test]
fn local_types_are_seen_where_they_stand() {
    let sources = [("A.java", "class A { <R> void f() { class L {} class M extends L { } } void g() { class L {} } }")];
    check(&sources, "A.1M", &[("L", "A.java:A.1L"), ("R", "var R")]);
    let project = Project::from_sources(&sources);
    let f = project.by_symbol("A#f()").unwrap();
    assert_eq!(project.resolve_at(f, "R"), Named::TypeVar("R".to_owned()));
    assert_eq!(project.resolve_at(f, "L").project(), project.by_fqn("A.1L"));
    assert_eq!(project.supers(project.by_fqn("A.1M").unwrap())[0].named.project(), project.by_fqn("A.1L"));
}

#[test]
fn one_library_wildcard_brings_what_nothing_else_has() {
    check(
        &[("A.java", "import java.util.*; import lib.x.*; class A {}")],
        "A",
        &[("List", "lib java.util.List"), ("Thing", "lib lib.x.Thing")],
    );
    check(&[("A.java", "import lib.y.*; import lib.x.*; class A {}")], "A", &[("Thing", "unknown Thing")]);
}

#[test]
fn a_header_does_not_see_the_body() {
    let project = Project::from_sources(&[
        ("A.java", "package p; class A extends B { class B {} }"),
        ("B.java", "package p; class B {}"),
    ]);
    let supers = project.supers(project.by_fqn("p.A").unwrap());
    assert_eq!(supers[0].named.project(), project.by_fqn("p.B"));
}

#[test]
fn a_module_sees_its_own_type_then_those_it_depends_on() {
    let pom = |name: &str, dep: &str| {
        format!(
            "<project><artifactId>{name}</artifactId><dependencies><dependency><artifactId>{dep}</artifactId>\
             </dependency></dependencies></project>"
        )
    };
    let (one, two, three) = (pom("one", "two"), pom("two", "x"), pom("three", "x"));
    check(
        &[
            ("aaa/pom.xml", &three),
            ("aaa/src/main/java/p/D.java", "package p; class D {}"),
            ("one/pom.xml", &one),
            ("one/src/main/java/p/A.java", "package p; class A {}"),
            ("two/pom.xml", &two),
            ("two/src/main/java/p/D.java", "package p; class D {}"),
        ],
        "p.A",
        &[("D", "two/src/main/java/p/D.java:p.D")],
    );
}

#[test]
fn static_imports_bring_members() {
    let project = Project::from_sources(&[
        ("A.java", "import static p.K.LIMIT; import static p.K.*; import static java.util.Map.entry; class A {}"),
        ("K.java", "package p; class K extends L { static int LIMIT = 1; int own; static void go() {} }"),
        ("L.java", "package p; interface L { int OLD = 2; }"),
    ]);
    let scope = project.by_fqn("A").unwrap();
    let member = |symbol: &str| vec![StaticName::Member(project.by_symbol(symbol).unwrap())];
    assert_eq!(project.resolve_static(scope, "LIMIT"), member("p.K#LIMIT"));
    assert_eq!(project.resolve_static(scope, "go"), member("p.K#go()"));
    assert_eq!(project.resolve_static(scope, "own"), []);
    assert_eq!(project.resolve_static(scope, "entry"), [StaticName::Library("java.util.Map.entry".to_owned())]);
}
