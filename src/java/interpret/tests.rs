//! Tests on small sources: each compares the paths of a run with the expected ones.

use std::fmt::Write as _;
use std::rc::Rc;

use super::engine::machine::{Bounds, Context, Wiring, explore};
use super::paths::path::{Exploration, Outcome, Path};
use super::values::scalar::Scalar;
use super::values::term::{Input, InputPlace};
use super::values::value::Value;
use crate::interpret::Codes;
use crate::ir::ids::TypeId;
use crate::project::index::Project;
use crate::resolve::resolver::Resolver;

pub(super) struct OnlyImplementation<'p>(pub(super) &'p Project, pub(super) bool);

impl Wiring for OnlyImplementation<'_> {
    fn bean(&self, declared: TypeId, _: &str) -> Option<TypeId> {
        let concrete = |ty: &TypeId| self.0.ty(*ty).kind == crate::ir::facts::TypeKind::Class;
        let mut found: Vec<TypeId> = self.0.all_subtypes(declared).into_iter().filter(concrete).collect();
        if concrete(&declared) {
            found.push(declared);
        }
        if let [only] = found.as_slice() { Some(*only) } else { None }
    }

    fn property(&self, _: &str) -> Option<String> {
        None
    }

    fn starts_fresh(&self) -> bool {
        self.1
    }
}

fn run(source: &str, args: Option<Vec<Value>>) -> (Project, Exploration) {
    run_as(source, args, false)
}

fn run_as(source: &str, args: Option<Vec<Value>>, fresh: bool) -> (Project, Exploration) {
    let project = Project::from_sources(&[("src/main/java/T.java", source)]);
    let exploration = {
        let wiring = OnlyImplementation(&project, fresh);
        let resolver = Resolver::new(&project);
        let codes = Codes::new(&resolver);
        let cx = Context { codes: &codes, wiring: &wiring, bounds: Bounds::default(), follows: None };
        let method = project
            .methods_named("run", 0)
            .into_iter()
            .chain((1..5).flat_map(|n| project.methods_named("run", n)))
            .next()
            .unwrap();
        explore(&cx, |machine| {
            let params = project.member(method).params.clone();
            let args = match &args {
                Some(args) => args.clone(),
                None => params
                    .iter()
                    .map(|param| {
                        let ty = machine.type_of(method.ty, &param.ty);
                        let is_body =
                            ty.project().is_some_and(|ty| project.ty(ty).kind == crate::ir::facts::TypeKind::Record);
                        let place = if is_body { "" } else { param.name.as_str() };
                        let nullable = ty.is_reference();
                        machine.input(Input::new(InputPlace::Query, place), &ty, nullable)
                    })
                    .collect(),
            };
            let this = if machine.is_static(method) { None } else { Some(Value::Ref(machine.bean(method.ty)?)) };
            machine.invoke(method, this, args)
        })
    };
    (project, exploration)
}

fn show(project: &Project, path: &Path) -> String {
    let mut line = String::new();
    for (index, taken) in path.conditions.iter().enumerate() {
        let _ = write!(line, "{}{}", if index == 0 { "" } else { ", " }, taken.cond);
    }
    line += " => ";
    match &path.outcome {
        Outcome::Returned(value) => line += &show_value(project, path, value),
        Outcome::Thrown(thrown) => match (&thrown.class, thrown.object.and_then(|id| path.object(id))) {
            (Some(class), object) => {
                let class = match class {
                    super::values::scalar::ClassRef::Project(ty) => project.fqn(*ty),
                    super::values::scalar::ClassRef::Library(fqn) => fqn.rsplit('.').next().unwrap_or(fqn),
                };
                let _ = write!(line, "throws {class}");
                let message = object.and_then(|object| object.parts.get("message"));
                if let Some(message) = message.filter(|message| !matches!(message, Value::Unknown(_))) {
                    let _ = write!(line, "({})", show_value(project, path, message));
                }
            }
            _ => line += "throws something",
        },
        Outcome::Cut(bound) => line += bound.describe(),
    }
    for doubt in &path.doubts {
        let _ = write!(line, " [doubt: {doubt}]");
    }
    line
}

fn show_value(project: &Project, path: &Path, value: &Value) -> String {
    match value {
        Value::Scalar(scalar) => scalar.to_string(),
        Value::Symbol(symbol) => symbol.term.to_string(),
        Value::Cond(cond) => cond.to_string(),
        Value::Unknown(unknown) => {
            format!("unknown ({})", unknown.reasons.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join("; "))
        }
        Value::Ref(id) => match path.object(*id) {
            Some(object) => {
                let fields: Vec<String> = object
                    .fields
                    .iter()
                    .map(|(field, value)| {
                        format!("{}: {}", project.member(*field).name, show_value(project, path, value))
                    })
                    .chain(
                        object
                            .parts
                            .iter()
                            .map(|(name, value)| format!("{name}: {}", show_value(project, path, value))),
                    )
                    .collect();
                format!("{{{}}}", fields.join(", "))
            }
            None => "?".to_owned(),
        },
        other => format!("{other:?}"),
    }
}

pub(super) fn paths(source: &str) -> String {
    let (project, exploration) = run(source, None);
    let mut lines: Vec<String> = exploration.paths.iter().map(|path| show(&project, path)).collect();
    if !exploration.complete {
        lines.push("and more".to_owned());
    }
    lines.join("\n")
}

/// The result of `run()` in a class that nothing else has used.
pub(super) fn value(source: &str) -> String {
    let (project, exploration) = run_as(source, Some(Vec::new()), true);
    let lines: Vec<String> = exploration.paths.iter().map(|path| show(&project, path)).collect();
    lines.join("\n").trim_start_matches(" => ").to_owned()
}

pub(super) fn result(source: &str, args: &[Scalar]) -> String {
    let (project, exploration) = run(source, Some(args.iter().cloned().map(Value::Scalar).collect()));
    let lines: Vec<String> = exploration.paths.iter().map(|path| show(&project, path)).collect();
    lines.join("\n").trim_start_matches(" => ").to_owned()
}

#[test]
fn guards_become_paths_with_their_conditions() {
    insta::assert_snapshot!(paths(
        r#"class T { static int run(String code) {
            if (code.length() < 2 || code.length() > 3) throw new IllegalArgumentException("bad " + code);
            return code.equals("DE") ? 1 : 2;
        } }"#
    ), @r#"
    code is null => throws NullPointerException
    code is not null, length of code < 2 => throws IllegalArgumentException("bad " + code)
    code is not null, length of code >= 2, length of code > 3 => throws IllegalArgumentException("bad " + code)
    code is not null, length of code >= 2, length of code <= 3, code equals "DE" => 1
    code is not null, length of code >= 2, length of code <= 3, code is not "DE" => 2
    "#);
}

#[test]
fn loops_run_and_java_arithmetic_is_exact() {
    let source = "class T { static int run(int n) { int sum = 0; for (int i = 1; i <= n; i++) { if (i % 2 == 0) continue; sum += i; } return sum; } }";
    assert_eq!(result(source, &[Scalar::Int(5)]), "9");
    let source = "class T { static long run(int n) { long x = n * n; x += 1.9; return x; } }";
    assert_eq!(result(source, &[Scalar::Int(65536)]), "1");
    let source = "class T { static int run(int n) { return 10 / n; } }";
    assert_eq!(result(source, &[Scalar::Int(0)]), "throws ArithmeticException(\"/ by zero\")");
    let source = "class T { static char run(int n) { char c = 'a'; c += n; return c; } }";
    assert_eq!(result(source, &[Scalar::Int(2)]), "'c'");
    let source = "class T { static double run(double[] unused) { double cof[] = {1.5, 2.5}; double s = 0; for (int j = 0; j <= 1; j++) s += cof[j] / 2; return s; } }";
    assert_eq!(result(source, &[Scalar::Null]), "2.0");
}

#[test]
fn strings_are_compared_by_reference_where_the_code_does_so() {
    let source = r#"class T { static boolean run(String s) { String a = "x"; String b = "x" ; return a == b && s.substring(0, 1) != a; } }"#;
    assert_eq!(result(source, &[Scalar::text("xy")]), "true");
    let source = r#"class T { static boolean run(Integer a, Integer b) { return a == b; } }"#;
    assert_eq!(result(source, &[Scalar::Int(5), Scalar::Int(5)]), "true");
    assert!(result(source, &[Scalar::Int(500), Scalar::Int(500)]).contains("unknown"));
    assert_eq!(result(source, &[Scalar::Int(500), Scalar::Int(501)]), "false");
}

#[test]
fn exceptions_are_caught_by_their_classes() {
    let source = r#"
        class Base extends RuntimeException { final int code; Base(String m, int code) { super(m); this.code = code; } int code() { return code; } }
        class Sub extends Base { Sub(int c) { super("sub", c * 2); } }
        class T { static String run(int n) {
            try { if (n == 1) throw new Sub(4); if (n == 2) throw new IllegalStateException("x"); return "none"; }
            catch (Base e) { return e.getMessage() + e.code(); }
            finally { n = 7; }
        } }"#;
    assert_eq!(result(source, &[Scalar::Int(1)]), "\"sub8\"");
    assert_eq!(result(source, &[Scalar::Int(2)]), "throws IllegalStateException(\"x\")");
    assert_eq!(result(source, &[Scalar::Int(3)]), "\"none\"");
}

#[test]
fn enums_records_and_switches() {
    insta::assert_snapshot!(paths(
        "enum S { NEW(1), PAID(2), OVER(3); final int rank; S(int r) { rank = r; } boolean to(S next) { return this == NEW ? next == PAID : next == OVER && rank == 2; } }
         record R(S s, boolean ok) { }
         class T { static R run(S from, S to) { if (from == to) throw new IllegalArgumentException(\"same\"); return new R(from, from.to(to)); } }"
    ), @r#"
    from equals to => throws IllegalArgumentException("same")
    from is not to, from is null => throws NullPointerException
    from is not to, from is not null, from equals NEW => {s: from, ok: to equals PAID}
    from is not to, from is not null, from is not NEW, to equals OVER, from equals PAID => {s: from, ok: true}
    from is not to, from is not null, from is not NEW, to equals OVER, from is not PAID => {s: from, ok: false}
    from is not to, from is not null, from is not NEW, to is not OVER => {s: from, ok: false}
    "#);
    let source = r#"class T { static String run(int n) { switch (n) { case 1: case 2: return "low"; case 3: n = 9; default: return "n" + n; } } }"#;
    assert_eq!(result(source, &[Scalar::Int(2)]), "\"low\"");
    assert_eq!(result(source, &[Scalar::Int(3)]), "\"n9\"");
    assert_eq!(result(source, &[Scalar::Int(4)]), "\"n4\"");
    let source = r#"class T { static int run(String s) { return switch (s) { case "a", "b" -> 1; case "c" -> { int x = 2; yield x; } default -> 3; }; } }"#;
    assert_eq!(result(source, &[Scalar::text("b")]), "1");
    assert_eq!(result(source, &[Scalar::text("c")]), "2");
}

#[test]
fn what_is_not_known_is_named_and_taints_what_follows() {
    insta::assert_snapshot!(paths(
        r#"interface Repo { boolean has(long id); void save(Object o); }
           class T { private final Repo repo; T(Repo repo) { this.repo = repo; }
             int run(long id) {
               if (id < 0) throw new IllegalArgumentException("negative");
               if (!repo.has(id)) throw new IllegalStateException("none " + id);
               return 1; } }"#
    ), @r#"
    id < 0 => throws IllegalArgumentException("negative")
    id >= 0, `!repo.has(id)` => throws IllegalStateException("none " + id) [doubt: Repo.has cannot be followed; it may throw]
    id >= 0, not (`!repo.has(id)`) => 1 [doubt: Repo.has cannot be followed; it may throw]
    "#);
    insta::assert_snapshot!(paths(
        r#"interface Repo { int count(); }
           class T { private final Repo repo; T(Repo repo) { this.repo = repo; }
             int run(long id) {
               try { int n = repo.count(); return id > 3 ? n : 0; } catch (RuntimeException e) { return 2; } } }"#
    ), @r#"
    `Repo.count does not fail`, id > 3 => unknown (Repo is made at run time; Repo.count cannot be followed)
    `Repo.count does not fail`, id <= 3 => 0
    `Repo.count fails` => 2
    `Repo.count fails` => throws something
    "#);
}

#[test]
fn a_format_of_what_is_not_known_fails_only_where_a_place_may_not_take_it() {
    insta::assert_snapshot!(paths(
        r#"class T { String run(Long id, String name) { return String.format("%s has %d of %8s%n", name, id, id); } }"#
    ), @" => unknown (its text is not known)");
    insta::assert_snapshot!(paths(
        r#"class T { String run(Long id, String name) { return String.format("%d of %.2f", name, id); } }"#
    ), @" => unknown (String.format: what is formatted) [doubt: String.format: what is formatted; it may throw]");
}

#[test]
fn bodies_of_requests_are_objects_whose_fields_are_inputs() {
    insta::assert_snapshot!(paths(
        r#"record Line(String sku, Integer quantity) { }
           record Order(Long customer, java.util.List<Line> lines, boolean gift, String note) { }
           class T { static int run(Order order) {
               if (order.gift() && order.note() == null) throw new IllegalArgumentException("note");
               int sum = 0;
               for (Line line : order.lines()) { if (line.quantity() > 10) throw new IllegalStateException("many"); sum += line.quantity(); }
               return sum; } }"#
    ), @r#"
    gift, note is null => throws IllegalArgumentException("note")
    gift, note is not null, lines is null => throws NullPointerException
    gift, note is not null, lines is not null, number of lines == 0 => 0
    gift, note is not null, lines is not null, number of lines != 0, number of lines == 1, lines[0].quantity is null => throws NullPointerException
    gift, note is not null, lines is not null, number of lines != 0, number of lines == 1, lines[0].quantity is not null, lines[0].quantity > 10 => throws IllegalStateException("many")
    gift, note is not null, lines is not null, number of lines != 0, number of lines == 1, lines[0].quantity is not null, lines[0].quantity <= 10 => 0 + lines[0].quantity
    gift, note is not null, lines is not null, number of lines != 0, number of lines != 1 => a loop turns too often
    gift is false, lines is null => throws NullPointerException
    gift is false, lines is not null, number of lines == 0 => 0
    gift is false, lines is not null, number of lines != 0, number of lines == 1, lines[0].quantity is null => throws NullPointerException
    gift is false, lines is not null, number of lines != 0, number of lines == 1, lines[0].quantity is not null, lines[0].quantity > 10 => throws IllegalStateException("many")
    gift is false, lines is not null, number of lines != 0, number of lines == 1, lines[0].quantity is not null, lines[0].quantity <= 10 => 0 + lines[0].quantity
    gift is false, lines is not null, number of lines != 0, number of lines != 1 => a loop turns too often
    "#);
}

#[test]
fn beans_are_wired_by_their_only_implementation() {
    insta::assert_snapshot!(paths(
        r#"interface Service { int twice(int n); }
           class Impl implements Service { private final int factor = 2; private int calls; public int twice(int n) { calls++; return n * factor; } }
           class T { private final Service service; T(Service service) { this.service = service; }
             int run(int n) { return service.twice(n) + 1; } }"#
    ), @" => (n * 2) + 1");
}

#[test]
fn optionals_lambdas_and_method_references() {
    let source = r#"import java.util.Optional;
        class E extends RuntimeException { E(String m) { super(m); } }
        class T { static String find(int n) { return n > 0 ? "ab" : null; }
          static int run(int n) { return Optional.ofNullable(find(n)).map(String::length).orElseThrow(() -> new E("none " + n)); } }"#;
    assert_eq!(result(source, &[Scalar::Int(1)]), "2");
    assert_eq!(result(source, &[Scalar::Int(0)]), "throws E(\"none 0\")");
}

#[test]
fn runs_are_deterministic_and_bounded() {
    let source = "class T { static int run(int n) { int x = 0; while (n > x) { x++; } return x; } }";
    let first = paths(source);
    assert_eq!(first, paths(source));
    assert!(first.contains("a loop turns too often"));
    let endless = "class T { static int run(int n) { while (true) { n++; } } }";
    assert!(result(endless, &[Scalar::Int(1)]).contains("too many steps"));
    let deep = "class T { static int run(int n) { return run(n + 1); } }";
    assert!(result(deep, &[Scalar::Int(1)]).contains("nested too deeply"));
    let _ = Rc::new(());
}

#[test]
fn a_number_whose_last_digit_is_open_makes_no_path_uncertain() {
    let source = "class T { static double run() { double x = Math.exp(Math.log(3.7)) + Math.pow(1.1, 2.2); return Math.max(Math.abs(x), Math.sqrt(x)); } }";
    let (_, found) = run(source, None);
    let [path] = found.paths.as_slice() else { panic!("one path") };
    assert!(path.is_certain(), "{:?} {:?}", path.doubts, path.unknowns);
    assert!(matches!(&path.outcome, Outcome::Returned(Value::Unknown(_))));
}

#[test]
fn what_static_initialisers_left_is_taken_over_as_if_they_had_run() {
    // The first path runs the initialisers. The second runs them too and caches their state. The third and fourth
    // take it over.
    let source = r#"import java.util.*; import java.util.regex.Pattern;
        enum Kind { LOW(1), HIGH(5); final int weight; Kind(int weight) { this.weight = weight; } }
        class Base { static final List<String> NAMES = List.of("a", "b"); static final Pattern WORD = Pattern.compile("[a-z]+"); }
        class Keys extends Base {
          static final Map<String, Integer> PLACES = new HashMap<>();
          static final List<String> ALL = names();
          static int calls;
          static { for (String name : NAMES) { PLACES.put(name, PLACES.size() + Kind.HIGH.weight); } }
          static List<String> names() { calls++; return NAMES.stream().map(String::toUpperCase).toList(); } }
        class Failing { static final int[] NONE = {}; static final int FIRST = NONE[0]; }
        class Open { static final String HOME = System.getenv("HOME"); }
        class T { static String run(boolean a, boolean b) {
          int n = 0;
          if (a) { n = 1; } else { n = 2; }
          if (b) { n = n + 1; } else { n = n + 2; }
          return Keys.ALL.get(0) + Keys.NAMES.size() + Keys.calls + Failing.FIRST + Open.HOME + Keys.PLACES.size() + Kind.HIGH.weight + (n > 0);
        } }"#;
    let (project, exploration) = run(source, None);
    let told = |path: &Path, more: u32| {
        let shown = show(&project, path);
        let answer = shown.split_once(" => ").map(|(_, answer)| answer.to_owned());
        let Path { members, models, library_calls, unknowns, doubts, effects, steps, .. } = path.clone();
        format!(
            "{answer:?} {members:?} {models:?} {library_calls:?} {unknowns:?} {doubts:?} {effects:?} {}",
            steps - u64::from(more)
        )
    };
    let paths = &exploration.paths;
    // Other forks come after the two conditions, each of which takes one more step if it does not hold.
    let ways = paths.chunks(paths.len() / 4).zip([0, 1, 1, 2]);
    let ways: Vec<Vec<String>> = ways.map(|(way, more)| way.iter().map(|path| told(path, more)).collect()).collect();
    assert!(ways.len() == 4 && ways[1..].iter().all(|way| *way == ways[0]), "{ways:#?}");
    let taken_over = |path: Option<&Path>| path.is_some_and(|path| path.heap.shared() > 0);
    assert!(!taken_over(paths.first()) && taken_over(paths.last()), "nothing was taken over");
}
