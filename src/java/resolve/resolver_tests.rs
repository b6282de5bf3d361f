//! Tests of the resolver: small projects, and the targets of the calls in one method.

use super::*;
use crate::ir::body::ExprKind;
use crate::ir::calls::Target;

/// The targets of each call, creation and method reference in a method, in source order.
fn calls(sources: &[&str], symbol: &str) -> Vec<String> {
    let files: Vec<(String, &str)> =
        sources.iter().enumerate().map(|(i, text)| (format!("src/main/java/F{i}.java"), *text)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let project = Project::from_sources(&files);
    let resolver = Resolver::new(&project);
    let member = project.by_symbol(symbol).unwrap_or_else(|| panic!("no {symbol}"));
    let body = resolver.body(member).unwrap();
    let resolved = resolver.resolve(member);
    let mut found: Vec<(u32, u32, String)> = Vec::new();
    for (index, expr) in body.exprs.iter().enumerate() {
        let name = match &expr.kind {
            ExprKind::Call { name, .. } | ExprKind::MethodRef { name, .. } => name.to_string(),
            ExprKind::New { ty, .. } => format!("new {}", ty.name),
            _ => continue,
        };
        let target = match resolved.targets.get(&crate::ir::body::ExprId(index as u32)) {
            Some(Target::Methods(ids)) => ids.iter().map(|id| project.symbol(*id)).collect::<Vec<_>>().join("|"),
            Some(Target::Library { ty, name }) => format!("lib {ty}.{name}"),
            Some(Target::Field(id)) => project.symbol(*id),
            Some(Target::Unresolved { name, arity }) => format!("? {name}/{arity}"),
            Some(other) => format!("{other:?}"),
            None => "none".to_owned(),
        };
        found.push((expr.span.end, expr.span.start, format!("{name} = {target}")));
    }
    found.sort();
    found.into_iter().map(|(_, _, text)| text).collect()
}

#[test]
fn overloads_are_told_apart_by_their_arguments() {
    let source =
        "class A { void m(long v, Integer i) { f(1); f(v); f(\"s\"); f(i); f((Object) null); f(1, 2, 3); f('c'); }
        void f(int i) {} void f(long l) {} void f(String s) {} void f(Object o) {} void f(int... all) {} }";
    let expected = ["int", "long", "String", "Object", "Object", "int...", "int"];
    assert_eq!(calls(&[source], "A#m(long,Integer)"), expected.map(|param| format!("f = A#f({param})")));
}

#[test]
fn what_a_method_of_the_class_does_not_take_is_asked_of_the_class_above() {
    let base =
        "package a; import org.lib.Base; class P extends Base { static Object find(String text, By by) { return null; }
        Object a(String name) { return find(\"name = ?1\", name); } Object b(By by) { return find(\"name\", by); }
        Object c(String name) { return P.find(\"name = ?1\", name); } } enum By { NAME }";
    assert_eq!(calls(&[base], "a.P#a(String)"), ["find = lib org.lib.Base.find"]);
    assert_eq!(calls(&[base], "a.P#b(By)"), ["find = a.P#find(String,By)"]);
    assert_eq!(calls(&[base], "a.P#c(String)"), ["find = lib org.lib.Base.find"]);
}

#[test]
fn generics_flow_through_streams_and_optionals() {
    let source = "import java.util.*; import java.util.stream.*; import java.util.function.*;
        class Item { String name() { return null; } Item parent() { return null; } List<Item> parts() { return null; } int size() { return 1; } }
        interface Repo { Optional<Item> find(long id); Map<String, List<Item>> all(); }
        class A { Repo repo;
          Object m(List<Item> items) {
            var names = items.stream().filter(i -> i.size() > 1).map(Item::parent).map(p -> p.parts()).flatMap(List::stream)
                .sorted(Comparator.comparing(Item::name)).collect(Collectors.toList());
            names.get(0).name();
            for (var e : repo.all().entrySet()) { e.getValue().get(0).parent(); }
            Map<String, Long> counts = items.stream().collect(Collectors.groupingBy(Item::name, Collectors.counting()));
            items.stream().collect(Collectors.groupingBy(x -> x.parent())).forEach((k, v) -> { k.name(); v.get(0).size(); });
            return repo.find(1).map(Item::parent).orElseThrow(() -> new RuntimeException()).name();
          } }";
    let found = calls(&[source], "A#m(List)");
    assert!(found.iter().all(|line| !line.contains("= ?") && !line.contains("none")), "{found:#?}");
    let project: Vec<&String> = found.iter().filter(|line| line.contains("= Item#")).collect();
    assert_eq!(
        project,
        [
            "size = Item#size()",
            "parent = Item#parent()",
            "parts = Item#parts()",
            "name = Item#name()",
            "name = Item#name()",
            "parent = Item#parent()",
            "name = Item#name()",
            "parent = Item#parent()",
            "name = Item#name()",
            "size = Item#size()",
            "parent = Item#parent()",
            "name = Item#name()"
        ]
    );
}

#[test]
fn inherited_generic_types_are_substituted() {
    let source = "abstract class Base<T, K> { T load(K k) { return null; } abstract T make(); T held; }
        class Order { Order next() { return null; } }
        class Orders extends Base<Order, String> { Order make() { return null; } void m() { load(\"a\").next(); make().next(); held.next(); super.load(\"b\").next(); } }";
    assert_eq!(
        calls(&[source], "Orders#m()"),
        [
            "load = Base#load(K)",
            "next = Order#next()",
            "make = Orders#make()",
            "next = Order#next()",
            "next = Order#next()",
            "load = Base#load(K)",
            "next = Order#next()"
        ]
    );
}

#[test]
fn anonymous_and_local_classes_see_the_variables_around() {
    let source = "class B { void hit() {} void miss() {} }
        class A { void m(B b) { final B c = b; Runnable r = new Runnable() { public void run() { c.hit(); own(); } void own() {} }; r.run(); } void own() {} }";
    assert_eq!(calls(&[source], "A.1#run()"), ["hit = B#hit()", "own = A.1#own()"]);
    assert_eq!(
        calls(&[source], "A#m(B)"),
        ["new Runnable = lib java.lang.Runnable.<init>", "run = lib java.lang.Runnable.run"]
    );
}

#[test]
fn generated_accessors_mean_their_fields() {
    let source = "import lombok.*; @Data @Builder class P { private String name; boolean open; static P of() { return P.builder().name(\"x\").build(); } }
        record R(P p, int n) { }
        class A { void m(P p, R r) { p.getName(); p.isOpen(); p.setName(\"a\"); r.p().getName().trim(); r.n(); p.toString(); } }";
    assert_eq!(
        calls(&[source], "A#m(P,R)"),
        [
            "getName = P#name",
            "isOpen = P#open",
            "setName = P#name",
            "p = R#p",
            "getName = P#name",
            "trim = lib java.lang.String.trim",
            "n = R#n",
            "toString = lib java.lang.Object.toString"
        ]
    );
    assert_eq!(calls(&[source], "P#of()")[2], "build = lib lombok.Builder.build");
}

#[test]
fn enums_patterns_switches_and_static_imports() {
    let enums = "package e; public enum Color { RED { String hex() { return \"f\"; } }, BLUE; String hex() { return \"\"; } static Color pick() { return RED; } }";
    let source = "package a; import e.Color; import static e.Color.*; import static java.util.Objects.requireNonNull;
        class A { sealed interface S permits C, D { } record C(Color c) implements S { } record D(String d) implements S { }
          Object m(S s, Color k, Object o) {
            if (o instanceof Color c && c.hex() != null) return c.hex();
            if (!(o instanceof C r)) return null;
            r.c().hex(); pick().hex(); requireNonNull(k).hex(); Color.valueOf(\"x\").hex(); values()[0].hex();
            return switch (s) { case C(var x) -> x.hex(); case D d when d.d().isEmpty() -> d.d(); default -> RED.hex(); };
          } }";
    let found = calls(&[enums, source], "a.A#m(S,Color,Object)");
    assert!(found.iter().all(|line| !line.contains("= ?")), "{found:#?}");
    assert_eq!(found.iter().filter(|line| **line == "hex = e.Color#hex()").count(), 9, "{found:#?}");
}

#[test]
fn what_libraries_give_can_only_be_what_they_were_given() {
    let source = "import org.lib.*; class Item { void use() {} } class Other { void use() {} }
        class A { Lib lib; void m(Item i, Unheard u) { lib.wrap(i).use(); lib.plain().use(); u.use(); i.gone(); } }";
    assert_eq!(
        calls(&[source], "A#m(Item,Unheard)"),
        [
            "wrap = lib org.lib.Lib.wrap",
            "use = Item#use()",
            "plain = lib org.lib.Lib.plain",
            "use = lib ?.use",
            "use = lib org.lib.Unheard.use",
            "gone = ? gone/0"
        ]
    );
}

#[test]
fn wildcards_of_libraries_hide_no_type() {
    let source = "import java.util.*; import static java.util.stream.Collectors.*; class W { int size() { return 1; } List<String> tags() { return null; } }
        class S { void setA(Integer i) {} void setB(int i) {} }
        class A { List<W> all() { return null; } void m(S s) {
          s.setA(all().stream().map(W::size).reduce(0, Integer::sum));
          s.setB((int) all().stream().map(W::tags).flatMap(List::stream).count()); } }";
    assert_eq!(
        calls(&[source], "A#m(S)").into_iter().filter(|line| line.contains("W#")).collect::<Vec<_>>(),
        ["size = W#size()", "tags = W#tags()"]
    );
}

const SELF_TYPED: &str = "class Order {} class Invoice { Invoice build() { return null; } }
    abstract class B<X, T extends B<X, T>> { T self() { return (T) this; } T name(String s) { return self(); } abstract X build(); X get() { return build(); }
      static <T extends B<Order, T>> T of() { return null; } }
    class Orders<T extends Orders<T>> extends B<Order, T> { T note(String s) { return self(); } Order build() { return null; } }
    class Plain extends Orders<Plain> { Plain last() { return this; } }
    class Old extends B { Object build() { return null; } }
    interface Setup<T extends Orders<T>> { void with(T t); }";

/// The targets of the calls in this body, if all are resolved.
fn self_typed(body: &str) -> Vec<String> {
    let source = format!(
        "class A {{ void with(Setup<?> s) {{}} <T extends Orders<T>> void each(java.util.function.Consumer<T> c) {{}} void m() {{ {body} }} }}"
    );
    let found = calls(&[SELF_TYPED, &source], "A#m()");
    assert!(found.iter().all(|line| !line.contains("= ?")), "{found:#?}");
    found.into_iter().filter(|line| line.starts_with("build") || line.starts_with("note")).collect()
}

#[test]
fn a_self_typed_builder_stays_of_the_type_of_its_receiver() {
    let (note, build) = ("note = Orders#note(String)", "build = Orders#build()");
    // The type is inferred from arguments, a wildcard, a raw type, or a variable of a method.
    assert_eq!(self_typed("Plain p = null; p.name(\"a\").last().note(\"b\").build();"), [note, build]);
    assert_eq!(self_typed("Orders<?> o = null; o.name(\"a\").note(\"b\").name(\"c\").build();"), [note, build]);
    assert_eq!(self_typed("Orders o = null; o.name(\"a\").note(\"b\").name(\"c\").build();"), [note, build]);
    assert_eq!(self_typed("new Orders<>().name(\"a\").note(\"b\").build();"), [note, build]);
    assert_eq!(self_typed("var o = B.of(); o.name(\"a\").name(\"b\").build();"), ["build = B#build()"]);
    assert_eq!(self_typed("B<Order, ?> o = null; o.name(\"a\").name(\"b\").build();"), ["build = B#build()"]);
    assert_eq!(self_typed("new Old().name(\"a\").name(\"b\").build();"), ["build = B#build()"]);
    assert_eq!(self_typed("each(o -> o.name(\"a\").note(\"b\").build());"), [note, build]);
    assert_eq!(self_typed("with(o -> o.name(\"a\").note(\"b\").build());"), [note, build]);
}

#[test]
fn what_has_no_bound_stays_open_and_every_bound_counts() {
    let source = "interface Named { String label(); } class Item { Item next() { return null; } }
        class Box<T> { T get() { return null; } }
        class A { <T extends Item & Named, S extends T> void m(S s, Box<?> b) { s.next(); s.label(); b.get().label(); } }";
    assert_eq!(
        calls(&[source], "A#m(S,Box)"),
        ["next = Item#next()", "label = Named#label()", "get = Box#get()", "label = ? label/0"]
    );
}

#[test]
fn deep_and_long_bodies_are_resolved_in_bounded_time_and_space() {
    let nested = format!("Object o = {}gone(){};", "f(".repeat(140), ")".repeat(140));
    let lambdas = format!("Runnable r = {}null;", "() -> (Object) ".repeat(70));
    let chain = format!("b{};", ".append(1)".repeat(5_000));
    let sum = format!("Object t = {};", vec!["\"a\""; 5_000].join(" + "));
    let source = format!(
        "class A {{ StringBuilder b; void m() {{ {nested} {lambdas} {chain} {sum} }} Object f(Object o) {{ return o; }} <T> T f(java.util.List<T> o) {{ return null; }} }}"
    );
    let start = std::time::Instant::now();
    assert_eq!(calls(&[&source], "A#m()").len(), 140 + 1 + 5_000);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
