//! Tests of loading projects from small sources.

use super::*;

#[test]
fn types_and_members_have_full_names() {
    let project = Project::from_sources(&[
        (
            "src/main/java/a/B.java",
            "package a; class B { int x; void f() { new Object() {}; class L {} } void g() { class L {} } class C { void h(int[] a) {} } }",
        ),
        ("src/test/java/a/BTest.java", "package a; class BTest {}"),
        ("src/main/kotlin/K.kt", "class K"),
    ]);
    let names: Vec<&str> = project.types().map(|id| project.fqn(id)).collect();
    assert_eq!(names, ["a.B", "a.B.1", "a.B.1L", "a.B.2L", "a.B.C"]);
    let member = project.by_symbol("a.B.C#h(int[])").unwrap();
    assert_eq!(project.symbol(member), "a.B.C#h(int[])");
    assert!(project.by_symbol("a.B#x").is_some());
    assert_eq!(project.opaque(), ["src/main/kotlin/K.kt"]);
    assert_eq!(
        project.within(project.by_fqn("a.B.2L").unwrap()).map(|m| project.symbol(m)).as_deref(),
        Some("a.B#g()")
    );
}

#[test]
fn a_file_whose_line_ends_are_escapes_counts_as_a_whole() {
    let project = Project::from_sources(&[
        ("A.java", "package p; class A { void f() { // harmless \\uu000a throw new Error();\n } }"),
        ("B.java", "package p; class B { String s = \"\\\\u000a\"; char c = '\\u0041'; }"),
    ]);
    assert_eq!(project.opaque(), ["A.java"]);
    let warnings: Vec<&str> = project.warnings().iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(warnings, ["escaped-line-end"]);
}

#[test]
fn the_hierarchy_is_known_in_both_directions() {
    let project = Project::from_sources(&[
        ("A.java", "package p; interface A { void f(String s); }"),
        ("B.java", "package p; class B { public void f(String t) {} }"),
        ("C.java", "package p; class C extends B implements A, java.io.Serializable { }"),
        ("D.java", "package p; class D<T> implements G<T> { public void g(T t) {} public void g(int t) {} }"),
        ("G.java", "package p; interface G<T> { void g(String t); }"),
    ]);
    let id = |name: &str| project.by_fqn(name).unwrap();
    let symbols = |members: Vec<MemberId>| members.into_iter().map(|m| project.symbol(m)).collect::<Vec<_>>();
    assert_eq!(project.all_supers(id("p.C")), [id("p.B"), id("p.A")]);
    assert_eq!(project.all_subtypes(id("p.A")), [id("p.C")]);
    assert_eq!(project.extenders_of_library("java.io.Serializable"), [id("p.C")]);
    assert_eq!(symbols(project.overriders(project.by_symbol("p.A#f(String)").unwrap())), ["p.B#f(String)"]);
    assert_eq!(symbols(project.overriders(project.by_symbol("p.G#g(String)").unwrap())), ["p.D#g(T)"]);
    assert_eq!(symbols(project.overridden(project.by_symbol("p.D#g(T)").unwrap())), ["p.G#g(String)"]);
    assert_eq!(symbols(project.find_method(id("p.C"), "f", 1)), ["p.B#f(String)"]);
}

#[test]
fn cyclic_inheritance_and_duplicate_types_end() {
    let project = Project::from_sources(&[
        ("A.java", "class A extends B { class I extends A.J {} class J extends B.I {} }"),
        ("B.java", "class B extends A { class K extends J {} }"),
        ("C.java", "class C extends C {} interface D extends E, E {} interface E extends D {}"),
        ("x/A.java", "class A {}"),
    ]);
    assert_eq!(project.by_fqn_all("A").len(), 2);
    for id in project.types() {
        project.all_supers(id);
        project.all_subtypes(id);
        project.find_method(id, "f", 0);
    }
    assert_eq!(project.subtypes(project.by_fqn("E").unwrap()).len(), 1);
}

#[test]
fn facts_come_from_the_cache_and_are_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let tree = SourceTree::from_memory([("A.java", b"class A { int a = 1; } // \xe9".to_vec())]);
    let cache = Arc::new(Cache::open(dir.path()));
    let cold = Project::load(&tree, Some(&cache), &Scope::default());
    let facts = cold.file(FileId(0)).facts.clone();
    drop(cold);
    let again = SourceTree::from_memory([("A.java", b"class A { int a = 1; } // \xe9".to_vec())]);
    let warm = Project::load(&again, Some(&cache), &Scope::default());
    assert_eq!(facts, warm.file(FileId(0)).facts);
    assert_eq!(tree.warnings(), again.warnings());
    assert_eq!(again.warnings().len(), 1);
}

#[test]
fn what_could_not_be_read_is_named() {
    let deep = format!("class A {{ {}{} }}", "class B { ".repeat(100), "}".repeat(100));
    let project = Project::from_sources(&[("A.java", &deep), ("B.java", "class B {\n void f( { }\n}")]);
    let codes: Vec<&str> = project.warnings().iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, ["nested-too-deep", "parse-error"]);
}

#[test]
fn revisions_hold_what_is_the_same_in_them_once() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (cache, other) = (Arc::new(Cache::open(dir.path())), Arc::new(Cache::open(other.path())));
    let tree = |b: &str| {
        let same = b"class A { int a() { return 1; } } // \xe9".to_vec();
        SourceTree::from_memory([("A.java", same), ("B.java", b.as_bytes().to_vec())])
    };
    let (base, head) = (tree("class B { int b() { return 1; } }"), tree("class B { int b() { return 2; } }"));
    let load = |tree: &SourceTree, cache: &Arc<Cache>| Project::load(tree, Some(cache), &Scope::default());
    let (old, new) = rayon::join(|| load(&base, &cache), || load(&head, &cache));
    let far = load(&head, &other);
    let is_one = |one: &Project, two: &Project, symbol: &str| {
        let body = |project: &Project| project.body(project.by_symbol(symbol).unwrap()).unwrap();
        Arc::ptr_eq(&body(one), &body(two))
    };
    assert!(is_one(&old, &new, "A#a()") && !is_one(&old, &new, "B#b()"));
    // A project writes the files that it reads into its own cache.
    assert!(!is_one(&new, &far, "A#a()") && other.size().records > 0);
    for tree in [base, head] {
        let codes: Vec<String> = tree.warnings().into_iter().map(|warning| warning.code).collect();
        assert_eq!(codes, ["not-utf8"]);
    }
}
