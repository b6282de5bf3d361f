//! Hostile code: the interpretation of any method ends within counted bounds and reports the bound that was reached.

use std::fmt::Write as _;

use mastor::java::interpret::paths::path::Exploration;
use mastor::java::interpret::values::term::{Input, InputPlace};
use mastor::java::interpret::{Bounds, Codes, Context, Outcome, Wiring, explore};
use mastor::java::ir::ids::TypeId;
use mastor::java::project::index::Project;
use mastor::java::resolve::resolver::Resolver;

struct Nothing;

impl Wiring for Nothing {
    fn bean(&self, _: TypeId, _: &str) -> Option<TypeId> {
        None
    }

    fn property(&self, _: &str) -> Option<String> {
        None
    }
}

/// Explores the method `run` of class `T` on unknown inputs.
fn run(members: &str) -> Exploration {
    let source = format!("class T {{ {members} }}");
    let project = Project::from_sources(&[("src/main/java/T.java", &source)]);
    let resolver = Resolver::new(&project);
    let codes = Codes::new(&resolver);
    let cx = Context { codes: &codes, wiring: &Nothing, bounds: Bounds::default(), follows: None };
    let method = (0..4).flat_map(|n| project.methods_named("run", n)).next().unwrap();
    explore(&cx, |machine| {
        let params = project.member(method).params.clone();
        let mut args = Vec::new();
        for param in &params {
            let ty = machine.type_of(method.ty, &param.ty);
            args.push(machine.input(Input::new(InputPlace::Query, &param.name), &ty, false));
        }
        machine.invoke(method, None, args)
    })
}

/// The ends of all paths: the text of a bound, or `value`.
fn ends(found: &Exploration) -> Vec<String> {
    let mut all: Vec<String> = found
        .paths
        .iter()
        .map(|path| match &path.outcome {
            Outcome::Cut(bound) => bound.describe().to_owned(),
            Outcome::Returned(_) => "value".to_owned(),
            Outcome::Thrown(_) => "exception".to_owned(),
        })
        .collect();
    if !found.complete {
        all.push("and more".to_owned());
    }
    all.dedup();
    all
}

#[test]
fn endless_loops_and_recursion_meet_their_bounds() {
    assert_eq!(ends(&run("static int run() { int n = 0; for (;;) { n++; } }")), ["it takes too many steps"]);
    assert_eq!(ends(&run("static int run() { do { } while (true); }")), ["it takes too many steps"]);
    assert_eq!(ends(&run("static int run() { return run(); }")), ["calls are nested too deeply"]);
    assert_eq!(
        ends(&run(
            "static int run() { return ping(1) + 1; } static int ping(int n) { return pong(n) + 1; } static int pong(int n) { return ping(n) + 1; }"
        )),
        ["calls are nested too deeply"]
    );
    let lambdas = "interface F { int of(F f); } static int run() { F f = g -> g.of(g); return f.of(f); }";
    assert_eq!(ends(&run(lambdas)), ["calls are nested too deeply"]);
    let objects =
        "T next; static int run() { T last = null; while (true) { T t = new T(); t.next = last; last = t; } }";
    assert_eq!(ends(&run(objects)), ["it takes too many steps"]);
    let arrays = "static int run() { Object[] all = new Object[1000]; int i = 0; while (true) { all[i++ % 1000] = new long[900000]; } }";
    assert_eq!(ends(&run(arrays)), ["it takes too many steps"]);
}

#[test]
fn exponential_branches_are_cut() {
    let mut code = "static int run(int a, int b) { int n = 0;".to_owned();
    for i in 0..60 {
        let _ = write!(code, " if (a % {} == b) n += {i};", i + 2);
    }
    let found = run(&format!("{code} return n; }}"));
    assert!(!found.complete);
    assert!(found.paths.len() <= Bounds::default().paths);
    let grows = "static String run(String s) { for (int i = 0; i < 100; i++) s = s + s; return s; }";
    assert_eq!(ends(&run(grows)), ["value"]);
    let grows = "static int run() { String s = \"ab\"; for (int i = 0; i < 60; i++) s += s; return s.length(); }";
    assert!(run(grows).paths.iter().all(|path| path.unknowns.iter().any(|why| why.contains("too long"))));
    let grows =
        "static boolean run(boolean a, boolean b) { for (int i = 0; i < 200; i++) a = a ^ b | a & !b; return a; }";
    assert!(run(grows).paths.len() <= 2);
}

#[test]
fn long_methods_deep_nests_and_huge_constants_run() {
    let long: String = (0..10_000).map(|i| format!("x += {i} % 3;\n")).collect();
    assert_eq!(ends(&run(&format!("static int run() {{ int x = 0; {long} return x; }}"))), ["value"]);
    let chain = " + one()".repeat(5_000);
    assert_eq!(
        ends(&run(&format!("static int one() {{ return 1; }} static int run() {{ return 0{chain}; }}"))),
        ["value"]
    );
    let calls = ".self()".repeat(5_000);
    let fluent = format!("T self() {{ return this; }} static Object run() {{ return new T(){calls}; }}");
    assert_eq!(ends(&run(&fluent)), ["value"]);
    let elses: String = (0..3_000).map(|i| format!("if (n == {i}) return {i}; else ")).collect();
    let found = run(&format!("static int run(int n) {{ {elses} return -1; }}"));
    assert_eq!(ends(&found), ["value", "too many conditions are open"]);
    let nest = format!("{}1{}", "(".repeat(20_000), ")".repeat(20_000));
    assert_eq!(ends(&run(&format!("static int run() {{ return {nest}; }}"))), ["value"]);
    let blocks = format!("{}return 1;{}", "{".repeat(5_000), "}".repeat(5_000));
    assert_eq!(run(&format!("static int run() {{ {blocks} }}")).paths.len(), 1);
    let text = "x".repeat(1_000_000);
    assert_eq!(ends(&run(&format!("static int run() {{ String s = \"{text}\"; return s.length(); }}"))), ["value"]);
    let number = "9".repeat(100_000);
    assert_eq!(run(&format!("static int run() {{ return {number}; }}")).paths.len(), 1);
    let mut chain = String::new();
    for i in 0..5_000 {
        let _ = write!(chain, "static final int C{i} = C{} + 1;", i + 1);
    }
    assert_eq!(run(&format!("{chain} static final int C5000 = 0; static int run() {{ return C0; }}")).paths.len(), 1);
}
