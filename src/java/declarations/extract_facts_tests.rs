//! Tests of fact extraction on small source texts.

use super::*;
use crate::ir::facts::*;

fn names(text: &str) -> Vec<String> {
    let facts = facts_of(text);
    facts
        .types
        .iter()
        .map(|ty| {
            let members: Vec<String> = ty.members.iter().map(MemberFacts::signature).collect();
            let within = ty.outer.map(|o| format!("@{o}")).unwrap_or_default();
            format!("{:?} {:?} {}{within}: {}", ty.nesting, ty.kind, ty.name, members.join(" "))
        })
        .collect()
}

#[test]
fn every_kind_of_type_and_member_is_read() {
    let text = r#"
package com.acme;
import java.util.List;
import static com.acme.Util.*;
@Entity(name = "o" + "s") public class Orders<T extends Base & Cmp<T>> extends Sup<T> implements A, B {
  static final int A = 1, B[] = {2};
  static { init(); }
  { x(new Runnable() { public void run() { class L { int z; } } }); }
  Orders(int a) throws E { }
  public <R> Map.Entry<R, ? extends List<int[]>> find(final String[] id, @Q("x") Long... more) { return null; }
  enum Color implements C { RED, GREEN(1) { int f() { return 1; } }; int code; }
  record Point(int x, @NotNull String... y) { Point { check(); } }
  @interface Ann { String value() default "d"; int[] n() default {}; }
  interface I { int K = 3; default void d() {} }
}"#;
    let expected = [
        "Top Class Orders: A B <clinit> <init> Orders(int) find(String[],Long...)",
        "Anonymous Class @0: run()",
        "Local Class L@1: z",
        "Member Enum Color@0: RED GREEN code",
        "Anonymous Class @3: f()",
        "Member Record Point@0: x y Point(int,String...)",
        "Member Annotation Ann@0: value n",
        "Member Interface I@0: K d()",
    ];
    assert_eq!(names(text), expected);
    let facts = facts_of(text);
    assert_eq!(facts.package, "com.acme");
    assert_eq!(facts.imports.len(), 2);
    assert!(facts.imports[1].is_static && facts.imports[1].wildcard && facts.imports[1].path == "com.acme.Util");
    assert_eq!(facts.error_lines, Vec::<u32>::new());
    let orders = &facts.types[0];
    assert_eq!(orders.annotations[0].arg("name"), Some(&Value::Str("os".to_owned())));
    assert_eq!(orders.type_params[0].bounds[1].to_string(), "Cmp<T>");
    assert_eq!(orders.extends[0].to_string(), "Sup<T>");
    assert_eq!(orders.implements.len(), 2);
    assert_eq!(orders.members[0].value, Some(Value::Int(1)));
    assert_eq!(orders.members[1].ty.as_ref().map(TypeRef::erased), Some("int[]".to_owned()));
    let find = &orders.members[5];
    assert_eq!(find.ty.as_ref().map(ToString::to_string), Some("Map.Entry<R, ? extends List<int[]>>".to_owned()));
    assert!(find.params[1].varargs && find.params[1].annotations[0].simple() == "Q");
    assert_eq!(facts.types[1].within, Some(3));
    assert_eq!(facts.types[1].extends[0].name, "Runnable");
    assert_eq!(facts.types[4].within, Some(1));
    assert_eq!(facts.types[6].members[0].value, Some(Value::Str("d".to_owned())));
}

#[test]
fn comments_and_formatting_change_no_hash() {
    let plain = facts_of("class A { int a = 1, b = 2; void f(int x) { g(x); } }");
    let other =
        facts_of("/** doc */\nclass  A\n{ int a=1 /* y */,\n b = 2;\n\n void f( int x )\n { // c\n g( x ) ; } }");
    let hashes = |facts: &FileFacts| facts.types[0].members.iter().map(|m| m.tokens).collect::<Vec<_>>();
    assert_eq!(plain.types[0].header, other.types[0].header);
    assert_eq!(hashes(&plain), hashes(&other));
    let changed = facts_of("class A { int a = 1, b = 3; void f(int x) { g(x); } }");
    let same: Vec<bool> = hashes(&plain).iter().zip(hashes(&changed)).map(|(a, b)| *a == b).collect();
    assert_eq!(same, [true, false, true]);
}

#[test]
fn a_broken_file_is_used_as_far_as_it_goes() {
    let facts = facts_of("class A {\n int a;\n void f() { x( ; }\n void g() { }\n");
    assert!(!facts.error_lines.is_empty());
    let members: Vec<&str> = facts.types[0].members.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(facts.types[0].name, "A");
    assert!(members.contains(&"a"), "{members:?}");
    let facts = facts_of("class A {\n int a;\n @@ ## \n void g() { }\n}\nclass B { int b; }");
    assert_eq!(facts.types.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["A", "B"]);
    assert_eq!(facts.types[0].members.len(), 2);
}

#[test]
fn an_unclosed_file_still_has_its_type() {
    for text in [
        "package p; import q.Q; @Path(\"/a\") public class A extends B {\n int a;\n @GET public void f(int x) { g(); }\n void h() { if (",
        "package p; import q.Q; @Path(\"/a\") public class A extends B {\n int a;\n @GET public void f(int x) { g(); }\n void h() { \"abc",
    ] {
        let facts = facts_of(text);
        assert_eq!(facts.package, "p");
        assert!(!facts.error_lines.is_empty());
        let ty = &facts.types[0];
        assert_eq!((ty.name.as_str(), ty.extends.len(), ty.annotations.len()), ("A", 1, 1));
        let members: Vec<String> = ty.members.iter().map(MemberFacts::signature).collect();
        assert!(members.starts_with(&["a".to_owned(), "f(int)".to_owned()]), "{members:?}");
    }
    let facts = facts_of("class A { int a; }\nclass B { int b; void f() { if (x) {");
    let names: Vec<&str> = facts.types.iter().map(|ty| ty.name.as_str()).collect();
    assert_eq!(names, ["A", "B"]);
}

#[test]
fn deep_nesting_is_cut_and_named() {
    let parens = format!("class A {{ int a = {}1{}; int b; }}", "(".repeat(10_000), ")".repeat(10_000));
    assert_eq!(facts_of(&parens).types[0].members.len(), 2);
    let sums = format!("class A {{ int a = {}1; }}", "1 + ".repeat(10_000));
    assert_eq!(facts_of(&sums).types[0].members[0].value, None);
    let text = format!("class A {{ String a = {}\"x\"; }}", "\"a\" + ".repeat(10_000));
    assert!(matches!(&facts_of(&text).types[0].members[0].value, Some(Value::Str(s)) if s.len() == 10_001));
    let types = facts_of(&format!("{}{}", "class A { ".repeat(3_000), "}".repeat(3_000)));
    assert!(!types.cut_lines.is_empty());
    let lambdas = format!("class A {{ Object a = {}1; }}", "x -> ".repeat(5_000));
    assert_eq!(facts_of(&lambdas).types.len(), 1);
    let news = format!("class A {{ Object a = {}1{}; }}", "new A(".repeat(5_000), ") { }".repeat(5_000));
    assert!(!facts_of(&news).types.is_empty());
    let generics = format!("class A {{ {}A{} a; }}", "A<".repeat(5_000), ">".repeat(5_000));
    assert!(!facts_of(&generics).types.is_empty());
}

#[test]
fn generated_files_say_so() {
    assert!(facts_of("// Code generated by X. DO NOT EDIT.\nclass A {}").generated);
    assert!(facts_of("@javax.annotation.Generated(\"x\") class A {}").generated);
    assert!(!facts_of("/* licence */ class A { @Generated int a; }").generated);
}

proptest::proptest! {
    #[test]
    fn any_text_gives_facts(text in "\\PC{0,200}") {
        facts_of(&text);
    }

    #[test]
    fn any_mixture_of_java_tokens_gives_facts(parts in proptest::collection::vec(
        proptest::sample::select(vec![
            "class", "A", "{", "}", "(", ")", "interface", "enum", "record", "@", "\"x\"", "\"\"\"", "'", "new", "<", ">", ",", ";", "=",
            "int", "static", "import", "package", "a.b", ".", "->", "/*", "*/", "//\n", "\\", "é", "1", "default", "extends", "[", "]",
        ]), 0..60)) {
        facts_of(&parts.join(" "));
        facts_of(&parts.concat());
    }
}
