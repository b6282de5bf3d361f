//! Tests of constant evaluation: constants of small projects, with the values that Java gives them.

use super::*;

fn texts(fields: &str) -> Vec<String> {
    let text = format!("class A {{ {fields} }}");
    let project = Project::from_sources(&[("A.java", &text)]);
    let scope = project.by_fqn("A").unwrap();
    project
        .members(scope)
        .map(|id| match project.eval_member(id).value {
            Constant::Unknown(why) => format!("? {why}"),
            other => other.text().unwrap_or_else(|| format!("{other:?}")),
        })
        .collect()
}

#[test]
fn arithmetic_is_that_of_java() {
    let fields = "static final int A = 2147483647 + 1, B = -7 / 2, C = -7 % 2, D = -8 >>> 28, E = 1 << 33, F = 'a' + 1; \
        static final long G = 2147483647 + 1L, H = 1L << 33, I = Integer.MAX_VALUE; static final char J = 'a' + 1; \
        static final byte K = (byte) 200; static final double L = 1 / 2, M = 1 / 2.0, N = 1e10, O = 1.0E-5; \
        static final boolean P = 1 < 2 && !(3 == 4); static final int Q = P ? 1 : 2, R = ~5, S = 1 / 0, T = (int) 3.99e20; \
        static final float U = 0.1f; static final double V = 0.1f;";
    let expected = [
        "-2147483648",
        "-3",
        "-1",
        "15",
        "2",
        "98",
        "2147483648",
        "8589934592",
        "2147483647",
        "b",
        "-56",
        "0.0",
        "0.5",
        "1.0E10",
        "1.0E-5",
        "true",
        "1",
        "-6",
        "? division by zero",
        "2147483647",
        "0.1",
        "0.10000000149011612",
    ];
    assert_eq!(texts(fields), expected);
}

#[test]
fn strings_are_put_together() {
    let fields = r#"static final String A = "/a" + 1 + 'c' + 2.0 + true + null, B = A + "/{id}", C = 1 + 2 + "x" + 1 + 2;
        static final boolean D = "a" + "b" == "ab"; String e = "x"; static final String F = e + "y"; static final String G = f();"#;
    let expected = [
        "/a1c2.0truenull",
        "/a1c2.0truenull/{id}",
        "3x12",
        "true",
        "? A#e is no constant",
        "? A#e is no constant",
        "? A#G is no constant",
    ];
    assert_eq!(texts(fields), expected);
}

#[test]
fn cycles_and_blow_ups_end() {
    assert_eq!(texts("static final int A = B + 1, B = A;"), ["? cycle", "? cycle"]);
    let mut fields = "static final String S0 = \"xxxxxxxxxx\";".to_owned();
    for n in 1..60 {
        fields += &format!("static final String S{n} = S{} + S{};", n - 1, n - 1);
    }
    assert_eq!(texts(&fields).last().map(String::as_str), Some("? the text is too long"));
    let mut fields = "static final int I0 = 1;".to_owned();
    for n in 1..5000 {
        fields += &format!("static final int I{n} = I{} + 1;", n - 1);
    }
    let project = Project::from_sources(&[("A.java", &format!("class A {{ {fields} }}"))]);
    let last = project.by_symbol("A#I4999").unwrap();
    assert_eq!(project.eval_member(last).value, Constant::Unknown("nested too deep".to_owned()));
}

#[test]
fn constants_come_from_everywhere() {
    let project = Project::from_sources(&[
        (
            "p/A.java",
            "package p; import static q.K.BASE; import q.K; import q.Color; import org.x.Media; \
             class Top { static final String ROOT = \"r\"; class A implements Names { \
             @Ann({BASE + NAME, K.Deep.PATH, ROOT}) void f() {} @Ann(color = Color.RED, type = java.util.List[].class, m = Media.JSON, \
             sub = @Sub(1)) void g() {} } }",
        ),
        ("p/Names.java", "package p; interface Names { String NAME = \"name\"; }"),
        (
            "p/Ann.java",
            "package p; @interface Ann { String[] value() default {}; Color color(); String d() default \"x\" + 1; }",
        ),
        (
            "q/K.java",
            "package q; public class K { public static final String BASE = \"/b/\"; static class Deep { static final String PATH = BASE + \"p\"; } }",
        ),
        ("q/Color.java", "package q; public enum Color { RED }"),
    ]);
    let scope = project.by_fqn("p.Top.A").unwrap();
    let annotation = |symbol: &str| &project.member(project.by_symbol(symbol).unwrap()).annotations[0];
    let first = project.annotation_arg(scope, annotation("p.Top.A#f()"), "value").unwrap();
    let texts: Vec<&str> = first.value.elements().iter().filter_map(Constant::as_str).collect();
    assert_eq!(texts, ["/b/name", "/b/p", "r"]);
    let used: Vec<String> = first.used.iter().map(|id| project.symbol(*id)).collect();
    assert_eq!(used, ["q.K#BASE", "p.Names#NAME", "q.K.Deep#PATH", "p.Top#ROOT"]);
    let second = annotation("p.Top.A#g()");
    let arg = |name: &str| project.annotation_arg(scope, second, name).unwrap().value;
    assert_eq!(
        arg("color"),
        Constant::Enum { ty: Named::Project(project.by_fqn("q.Color").unwrap()), name: "RED".to_owned() }
    );
    assert_eq!(arg("type"), Constant::Class { named: Named::Library("java.util.List".to_owned()), dims: 1 });
    assert_eq!(arg("m"), Constant::Enum { ty: Named::Library("org.x.Media".to_owned()), name: "JSON".to_owned() });
    assert!(matches!(arg("sub"), Constant::Annotation { args, .. } if args[0].1 == Constant::Int(1)));
    assert_eq!(arg("d").text().as_deref(), Some("x1"));
    assert!(project.annotation_arg(scope, second, "none").is_none());
}
