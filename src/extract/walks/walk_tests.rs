//! Tests of the closure: small projects, and the members that an entry reaches.

use super::super::cores::CoreThresholds;
use super::*;
use mastor_java::objects::injection::{ExtraEdges, Injection, NoInjection};
use mastor_java::project::index::Project;
use mastor_java::resolve::resolver::Resolver;

/// Makes the container of a project.
type MakeBeans<'a> = &'a dyn Fn(&Project) -> Box<dyn Injection>;

fn with<T>(
    sources: &[&str],
    beans: Option<MakeBeans<'_>>,
    entry: &str,
    look: impl FnOnce(&Project, &Closure) -> T,
) -> T {
    let files: Vec<(String, &str)> =
        sources.iter().enumerate().map(|(i, text)| (format!("src/main/java/F{i}.java"), *text)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let project = Project::from_sources(&files);
    let injection = beans.map_or_else(|| Box::new(NoInjection) as Box<dyn Injection>, |beans| beans(&project));
    let extra = ExtraEdges::default();
    let reach = Reach::new(Resolver::new(&project), injection.as_ref(), &extra);
    let member = project.by_symbol(entry).unwrap_or_else(|| panic!("no {entry}"));
    look(&project, &closure(&reach, &Cores::default(), start(member)))
}

/// An entry with safe HTTP methods.
fn start(entry: MemberId) -> Start {
    Start { entry, receiver: entry.ty, reads: true }
}

/// Symbols of the members that an entry reaches.
fn reached(sources: &[&str], entry: &str) -> Vec<String> {
    with(sources, None, entry, |project, found| found.members.keys().map(|id| project.symbol(*id)).collect())
}

/// Fails unless the entry reaches all of `yes` and none of `no`.
fn check(sources: &[&str], entry: &str, yes: &[&str], no: &[&str]) {
    let found = reached(sources, entry);
    for symbol in yes {
        assert!(found.iter().any(|known| known == symbol), "{symbol} is not in {found:#?}");
    }
    for symbol in no {
        assert!(!found.iter().any(|known| known == symbol), "{symbol} is in {found:#?}");
    }
}

#[test]
fn overloads_that_are_not_called_are_not_reached() {
    let a = "class A { void e(B b) { b.f(1); } } class B { void f(int i) { g(); } void f(String s) { h(); } void g() {} void h() {} }";
    check(&[a], "A#e(B)", &["B#f(int)", "B#g()"], &["B#f(String)", "B#h()"]);
}

#[test]
fn a_class_object_that_is_only_asked_for_its_name_makes_nothing() {
    let text = |second: &str| {
        format!(
            "class A {{ void e() {{ put(P.class, 1); }} static void put(Class<?> c, int n) {{ N.of(c); }} }}
            class N {{ static String of(Class<?> c) {{ {second} return c.getSimpleName(); }} }} class P {{ P() {{ x(); }} void x() {{}} }}"
        )
    };
    check(&[&text("")], "A#e()", &["N#of(Class)"], &["P#P()"]);
    check(&[&text("Object o = c;")], "A#e()", &["P#P()"], &[]);
}

#[test]
fn calls_run_what_objects_below_have() {
    let a = "class A { void e(I i) { i.f(); } } interface I { void f(); default void d() {} }
        class Base { public void f() { x(); } void x() {} } class P extends Base implements I {} class Q implements I { public void f() {} }
        class R extends Q { public void f() { super.f(); } } class Other { public void f() {} }";
    check(&[a], "A#e(I)", &["I#f()", "Base#f()", "Base#x()", "Q#f()", "R#f()"], &["Other#f()", "I#d()"]);
}

#[test]
fn private_static_and_super_calls_run_one_method() {
    let a = "class A { void e(B b) { b.f(); } } class B { void f() { p(); } private void p() {} } class C extends B { void p() { no(); } void no() {} void f() { super.f(); } }";
    check(&[a], "A#e(B)", &["B#f()", "B#p()", "C#f()"], &["C#p()", "C#no()"]);
}

#[test]
fn making_an_object_runs_initialisers_of_the_hierarchy() {
    let a = "class A { void e() { new C(); } void other() { new D(); } }
        class B { int x = Q.one(); B() { init(); } void init() {} static { Q.two(); } static int k = Q.three(); static final int PLAIN = 3; }
        class C extends B { { Q.four(); } } class D { int y = Q.five(); }
        class Q { static int one() { return 1; } static int two() { return 1; } static int three() { return 1; } static int four() { return 1; } static int five() { return 1; } }";
    check(
        &[a],
        "A#e()",
        &["B#B()", "B#init()", "B#x", "B#k", "B#<clinit>", "C#<init>", "Q#one()", "Q#two()", "Q#three()", "Q#four()"],
        &["D#y", "Q#five()"],
    );
}

#[test]
fn lambdas_references_and_anonymous_classes_belong_to_the_closure() {
    let a = "import java.util.*; import java.util.function.*;
        class A { void e(List<B> bs) { bs.forEach(b -> b.one()); bs.stream().map(B::two).toList(); bs.sort(new Comparator<B>() { public int compare(B x, B y) { return x.three(); } });
          Supplier<B> s = B::new; s.get(); run(() -> bs.get(0).four()); } void run(Runnable r) { r.run(); } }
        class B { B() { five(); } void one() {} int two() { return 1; } int three() { return 1; } void four() {} void five() {} void six() {} }";
    check(
        &[a],
        "A#e(List)",
        &["B#one()", "B#two()", "B#three()", "B#four()", "B#B()", "B#five()", "A.1#compare(B,B)"],
        &["B#six()"],
    );
}

#[test]
fn library_callbacks_are_reached_where_objects_are_handed_over() {
    let a = "import java.util.*;
        class A { void e(List<B> bs) { Collections.sort(bs, new ByName()); } void other() { new Thread(new Job()).start(); } }
        class B { String name() { return null; } } class ByName implements Comparator<B> { @Override public int compare(B a, B b) { return key(a); } int key(B b) { b.name(); return 0; } }
        class Job implements Runnable { public void run() {} }";
    check(&[a], "A#e(List)", &["ByName#compare(B,B)", "ByName#key(B)", "B#name()"], &["Job#run()"]);
    check(&[a], "A#other()", &["Job#run()"], &["ByName#compare(B,B)"]);
    // A library's implementation of a project interface may pass on its arguments.
    let a = "import java.util.*;
        class A { void e(Rows rows) { rows.all(new Holder().order); } }
        interface Rows { List<B> all(Comparator<B> order); }
        class Holder { Comparator<B> order = new Comparator<B>() { public int compare(B x, B y) { return x.key(); } }; }
        class B { int key() { return 1; } }";
    check(&[a], "A#e(Rows)", &["Holder.1#compare(B,B)", "B#key()"], &[]);
}

#[test]
fn text_and_sets_call_the_methods_of_every_object() {
    let a = "import java.util.*; class A { String e(B b) { return \"x\" + b; } boolean s(Set<B> set, B b) { return set.contains(b); } }
        class B { public String toString() { return t(); } String t() { return null; } public int hashCode() { return 1; } public boolean equals(Object o) { return true; } }";
    check(&[a], "A#e(B)", &["B#toString()", "B#t()"], &["B#hashCode()"]);
    check(&[a], "A#s(Set,B)", &["B#hashCode()", "B#equals(Object)"], &["B#toString()"]);
}

#[test]
fn what_is_returned_is_written_out_and_what_is_taken_is_filled() {
    let a = "import com.fasterxml.jackson.annotation.*; import java.util.*;
        class A { Out e(In in) { return null; } }
        class Out { public String getName() { return calc(); } String calc() { return null; } public List<Part> getParts() { return null; } @JsonIgnore public Secret getSecret() { return null; } public void setName(String s) {} }
        class Part { public boolean isOpen() { return true; } } class Secret { public int getX() { return 1; } }
        class In { public In() { made(); } void made() {} public void setSub(Sub sub) { } public int getY() { return 1; } } class Sub { public void setZ(int z) { } }";
    check(
        &[a],
        "A#e(In)",
        &[
            "Out#getName()",
            "Out#calc()",
            "Out#getParts()",
            "Part#isOpen()",
            "In#In()",
            "In#made()",
            "In#setSub(Sub)",
            "Sub#setZ(int)",
        ],
        &["Out#getSecret()", "Secret#getX()", "Out#setName(String)", "In#getY()"],
    );
}

#[test]
fn values_that_lose_their_type_are_followed_to_the_library() {
    let a = "class A { void e(B b) { wrap(b); } Object wrap(Object value) { return javax.ws.rs.core.Response.ok(value); } void other(B b) { quiet(b); } void quiet(Object o) {} }
        class B { public String getName() { return null; } }";
    check(&[a], "A#e(B)", &["B#getName()"], &[]);
}

#[test]
fn enums_with_bodies_and_records() {
    let a = "class A { int e(Kind k) { return k.f() + new R(1).twice(); } } enum Kind { ONE { int f() { return Q.one(); } }, TWO(Q.two()); Kind(int i) {} Kind() {} int f() { return 0; } }
        record R(int n) { R { Q.three(); } int twice() { return n() * 2; } static int unused() { return 1; } }
        class Q { static int one() { return 1; } static int two() { return 1; } static int three() { return 1; } }";
    check(
        &[a],
        "A#e(Kind)",
        &[
            "Kind#f()",
            "Kind.1#f()",
            "Kind#ONE",
            "Kind#TWO",
            "Kind#Kind(int)",
            "Q#one()",
            "Q#two()",
            "R#twice()",
            "R#R(int)",
            "Q#three()",
            "R#n",
        ],
        &["R#unused()"],
    );
}

#[test]
fn generic_supertypes_and_constraint_validators() {
    let a = "import javax.validation.*; abstract class Base<T> { T get() { return load(); } abstract T load(); }
        class Orders extends Base<Order> { Order load() { return new Order(); } void e() { get().total(); } } class Order { void total() {} }
        @Constraint(validatedBy = Check.class) @interface Valid { } class Check implements ConstraintValidator<Valid, Req> { public boolean isValid(Req r, ConstraintValidatorContext c) { return r.ok(); } }
        class Req { boolean ok() { return true; } } class B { void e(@Valid Req r) { } }";
    check(&[a], "Orders#e()", &["Base#get()", "Base#load()", "Orders#load()", "Order#total()"], &["Req#ok()"]);
    check(&[a], "B#e(Req)", &["Check#isValid(Req,ConstraintValidatorContext)", "Req#ok()"], &[]);
}

#[test]
fn calls_that_nothing_was_found_for_widen_and_are_named() {
    let a = "class A { Gone g; B b; void e() { g.next().work(); } } class B { void work() {} void work(int i) {} }";
    let far = "class Far { void work() {} }";
    with(&[a, far], None, "A#e()", |project, found| {
        let symbols: Vec<String> = found.members.keys().map(|id| project.symbol(*id)).collect();
        assert!(symbols.contains(&"B#work()".to_owned()) && symbols.contains(&"Far#work()".to_owned()), "{symbols:?}");
        assert!(!symbols.contains(&"B#work(int)".to_owned()));
        let named: Vec<&str> = found.widenings.iter().map(|w| w.what.as_str()).collect();
        assert_eq!(named, ["unresolved call: work/0"]);
        assert!(found.missing.contains("Gone"));
    });
}

#[test]
fn reflection_is_named_and_followed_where_the_name_is_written() {
    let a = "class A { void e(String s) throws Exception { Class.forName(\"B\").newInstance(); Class.forName(s); } } class B { public B() { made(); } void made() {} }";
    with(&[a], None, "A#e(String)", |project, found| {
        assert!(found.members.keys().any(|id| project.symbol(*id) == "B#made()"));
        assert!(found.widenings.iter().any(|w| w.what == "reflection: Class.forName()"), "{:?}", found.widenings);
    });
}

struct Beans {
    field: Option<MemberId>,
    gives: Vec<TypeId>,
    managed: Vec<TypeId>,
}

impl Injection for Beans {
    fn injected(&self, field: MemberId) -> Option<Vec<TypeId>> {
        (Some(field) == self.field).then(|| self.gives.clone())
    }

    fn managed(&self, ty: TypeId) -> bool {
        self.managed.contains(&ty)
    }
}

#[test]
fn injected_beans_narrow_what_an_interface_runs() {
    let a = "class A { Svc svc; void e() { svc.run(); } } interface Svc { void run(); }
        class One implements Svc { One() { start(); } void start() {} public void run() {} } class Two implements Svc { public void run() {} }";
    let beans = |project: &Project| {
        let (one, two) = (project.by_fqn("One").unwrap(), project.by_fqn("Two").unwrap());
        let field = project.by_symbol("A#svc");
        Box::new(Beans { field, gives: vec![one], managed: vec![one, two] }) as Box<dyn Injection>
    };
    with(&[a], Some(&beans), "A#e()", |project, found| {
        let symbols: Vec<String> = found.members.keys().map(|id| project.symbol(*id)).collect();
        assert!(
            symbols.contains(&"One#run()".to_owned()) && symbols.contains(&"One#start()".to_owned()),
            "{symbols:?}"
        );
        assert!(!symbols.contains(&"Two#run()".to_owned()), "{symbols:?}");
        let run = project.by_symbol("One#run()").unwrap();
        let chain: Vec<String> =
            found.why(run).iter().map(|(id, edge)| format!("{} {:?}", project.symbol(*id), edge.kind)).collect();
        assert_eq!(chain, ["A#e() Entry", "One#run() Dispatches"]);
    });
}

#[test]
fn files_reach_what_they_name() {
    use crate::api::imports::import_closure;
    let project = Project::from_sources(&[
        ("a/A.java", "package a; import b.*; import static c.C.one; class A { B b; Near n; d.D d; }"),
        ("a/Near.java", "package a; interface Near { }"),
        ("b/B.java", "package b; public class B { }"),
        ("b/Unused.java", "package b; public class Unused { }"),
        ("c/C.java", "package c; public class C { public static int one; }"),
        ("d/D.java", "package d; public class D { }"),
        ("e/Impl.java", "package e; import a.Near; public class Impl implements Near { }"),
    ]);
    let found = import_closure(&project, project.file_at("a/A.java").unwrap());
    let paths: Vec<&str> = found.iter().map(|file| project.file(*file).path.as_str()).collect();
    assert_eq!(paths, ["a/A.java", "a/Near.java", "b/B.java", "c/C.java", "d/D.java", "e/Impl.java"]);
}

/// A registry of commands behind a service of each entry, types that become live on either side, values that lose their
/// type, and ambiguous names.
const SHARED: [&str; 4] = [
    "package a; import java.util.*; public class Registry { static final Map<String, Command> ALL = new HashMap<>();
       static Object hidden; static Shape shape = new Square();
       public Object run(String name, Object in) { Command c = ALL.get(name); hidden = in; log(in); return c.run(new Input(name)).toString() + shape.area(); }
       void log(Object o) { System.out.println(\"\" + o); missing(o).open(o); } }",
    "package a; public interface Command { Result run(Input in); } interface Shape { int area(); } class Square implements Shape { public int area() { return Deep.square(); } }
     class Input { String name; Input(String n) { name = n; } public String toString() { return Deep.text(); } }
     class Result { public String toString() { return Deep.result(); } } class Deep { static int square() { return 1; } static String text() { return \"\"; } static String result() { return \"\"; }
       static int own(Shape s) { return s.area(); } }",
    "package a; class First implements Command { public Result run(Input in) { return new Wide(); } } class Wide extends Result { public String toString() { return Deep.text(); } void open(Object o) { Deep.result(); } }
     class Round implements Shape { public int area() { return Deep.square(); } } class Late extends Input { Late() { super(\"\"); } public String toString() { return Far.text(); } } class Far { static String text() { return \"\"; } }",
    "package a; public class Api { Registry r = new Registry();
       Object a() { return new A(r).go(); } Object b() { return new B(r).go(); } Object c() { new Round(); return r.run(\"c\", new Late()); } Object d() { return Deep.own(new Round()); } }
     class A { Registry r; A(Registry r) { this.r = r; Registry.ALL.put(\"a\", new First()); } Object go() { return r.run(\"a\", this); } public String toString() { return \"A\"; } }
     class B { Registry r; B(Registry r) { this.r = r; } Object go() { Shape s = new Round(); return r.run(\"b\", s) + \"\" + s.area(); } }",
];

#[test]
fn what_entries_share_is_followed_once_and_changes_no_closure() {
    let files: Vec<(String, &str)> =
        SHARED.iter().enumerate().map(|(i, text)| (format!("src/main/java/F{i}.java"), *text)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let project = Project::from_sources(&files);
    let extra = ExtraEdges::default();
    let reach = Reach::new(Resolver::new(&project), &NoInjection, &extra);
    let entry = |name: &str| project.by_symbol(&format!("a.Api#{name}()")).unwrap();
    let mut entries: Vec<_> = ["a", "b", "c", "d"].map(|name| (entry(name), entry(name).ty)).to_vec();
    entries.sort();
    let none = Cores::default();
    let cores = Cores::of(&reach, &entries, &none, CoreThresholds { entries: 2, members: 5 });
    let registry = project.by_symbol("a.Registry#run(String,Object)").unwrap();
    assert!(cores.at(&reach, Some(entry("a").ty), registry).is_some());
    for (entry, receiver) in entries {
        assert_eq!(entry.ty, receiver);
        let (plain, shared) = (closure(&reach, &none, start(entry)), closure(&reach, &cores, start(entry)));
        let names = |found: &Closure| -> Vec<String> { found.members.keys().map(|id| project.symbol(*id)).collect() };
        assert!(names(&plain).len() > 5);
        assert_eq!(names(&shared), names(&plain), "{}", project.symbol(entry));
        assert_eq!((&shared.types, &shared.used, &shared.missing), (&plain.types, &plain.used, &plain.missing));
        let sorted = |found: &Closure| {
            let mut library: Vec<_> = found.library.iter().map(ToString::to_string).collect();
            library.sort();
            library.dedup();
            (library, found.widenings.clone())
        };
        assert_eq!(sorted(&shared), sorted(&plain));
        for member in shared.members.keys() {
            let chain = shared.why(*member);
            assert_eq!(chain.first().map(|(first, _)| *first), Some(entry), "{}", project.symbol(*member));
        }
    }
}

#[test]
fn what_class_objects_that_were_found_make_is_reached() {
    let sources = [
        "package a; public class Scan { Class<? extends Part> found() { return org.vendor.Finder.find(); }
           void make() throws Exception { found().newInstance(); }
           void built() throws Exception { Part p = found().getDeclaredConstructor().newInstance(); }
           void by() { org.vendor.Makes.one(found()); }
           void load() { java.util.ServiceLoader.load(Part.class); }
           void names() { String s = found().getSimpleName(); } }",
        "package a; public interface Part { String text(); } class One implements Part { One() { made(); } void made() {} public String text() { return \"\"; } }
         abstract class Half implements Part { Half() { half(); } void half() {} } class Other { Other() { other(); } void other() {} }",
    ];
    check(&sources, "a.Scan#load()", &["a.One#made()"], &["a.Other#other()"]);
    for entry in ["make", "built", "by"] {
        check(&sources, &format!("a.Scan#{entry}()"), &["a.One#made()"], &["a.Half#half()", "a.Other#other()"]);
    }
    check(&sources, "a.Scan#names()", &["a.Scan#found()"], &["a.One#made()"]);
}

#[test]
fn a_class_object_is_no_object_of_its_class() {
    let sources = ["package a; class Logs { static final org.slf4j.Logger LOG = org.slf4j.LoggerFactory.getLogger(Source.class); void run() { LOG.info(\"\"); } }
         class Source implements java.util.Iterator<String> { public boolean hasNext() { return Deep.more(); } public String next() { return \"\"; } }
         class Deep { static boolean more() { return true; } static void own() {} }
         class Users implements java.io.Closeable { public void close() { Deep.more(); } public void all() { Deep.own(); } }
         class Closes { void run(Users users) { org.apache.commons.io.IOUtils.closeQuietly(users); } void reads(Source one) { org.vendor.Lists.of(one); } }"];
    check(&sources, "a.Logs#run()", &["a.Logs#LOG"], &["a.Source#hasNext()"]);
    check(&sources, "a.Closes#reads(Source)", &["a.Source#hasNext()"], &[]);
    check(&sources, "a.Closes#run(Users)", &["a.Users#close()"], &["a.Users#all()"]);
}
