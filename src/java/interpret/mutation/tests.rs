//! Tests of mutations on small sources: which are found, and what the mutants return.

use super::super::tests::OnlyImplementation;
use crate::interpret::Codes;
use crate::interpret::engine::machine::{Bounds, Context, explore};
use crate::interpret::paths::path::Outcome;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::value::Value;
use crate::project::index::Project;
use crate::resolve::resolver::Resolver;

/// Each mutation of `static T run(int a, int b)` as line, kind, and the mutant's result for these arguments.
fn mutants(members: &str, args: [i32; 2]) -> Vec<String> {
    let source = format!("import java.util.*;\nclass T {{\n{members}\n}}");
    let project = Project::from_sources(&[("src/main/java/T.java", &source)]);
    let wiring = OnlyImplementation(&project, true);
    let resolver = Resolver::new(&project);
    let codes = Codes::new(&resolver);
    let bounds = Bounds { steps: 5_000, ..Bounds::default() };
    let cx = Context { codes: &codes, wiring: &wiring, bounds, follows: None };
    let method = project.methods_named("run", 2)[0];
    let run = || {
        let args = args.map(|number| Value::Scalar(Scalar::Int(number))).to_vec();
        let found = explore(&cx, |machine| machine.invoke(method, None, args.clone()));
        match &found.paths[0].outcome {
            Outcome::Returned(Value::Scalar(value)) => value.to_string(),
            Outcome::Returned(_) => "an object".to_owned(),
            Outcome::Thrown(_) => "thrown".to_owned(),
            Outcome::Cut(bound) => bound.describe().to_owned(),
        }
    };
    let plain = run();
    let all = codes.mutations(method);
    let told = all
        .iter()
        .map(|mutation| format!("{} {} {}", mutation.line, mutation.mutator.as_str(), codes.mutated(mutation, run)));
    let told = told.collect();
    assert_eq!(run(), plain, "a mutation stays");
    told
}

#[test]
fn comparisons_have_a_boundary_and_two_ways_and_arithmetic_another_operator() {
    assert_eq!(
        mutants("static int run(int a, int b) {\n  if (a < b) {\n    return a - b;\n  }\n  return a * b;\n}", [3, 3]),
        [
            "4 ConditionalsBoundary 0",
            "4 RemoveConditional_ORDER_ELSE 9",
            "4 RemoveConditional_ORDER_IF 0",
            "5 Math 9",
            "5 PrimitiveReturns 9",
            "7 Math 1",
            "7 PrimitiveReturns 0",
        ]
    );
}

#[test]
fn a_jump_of_or_is_taken_for_true_where_it_is_always_taken() {
    assert_eq!(
        mutants("static boolean run(int a, int b) {\n  return !(a == 1 || b == 2);\n}", [0, 2]),
        [
            "4 RemoveConditional_EQUAL_ELSE false",
            "4 RemoveConditional_EQUAL_IF false",
            "4 RemoveConditional_EQUAL_ELSE false",
            "4 RemoveConditional_EQUAL_IF true",
            "4 BooleanTrueReturnVals true",
        ]
    );
}

#[test]
fn counters_negations_calls_and_returned_values() {
    let source = "int n;\nvoid add(int by) { n += by; }\nstatic int run(int a, int b) {\n  T t = new T();\n  t.add(-a);\n  int i = 5;\n  i++;\n  return t.n + i;\n}";
    assert_eq!(
        mutants(source, [1, 0]),
        ["7 InvertNegs 7", "7 VoidMethodCall 6", "9 Increments 3", "10 Math -7", "10 PrimitiveReturns 0"]
    );
    let source = "static String run(int a, int b) {\n  List<Integer> all = List.of(b, a);\n  int n = all.stream().mapToInt(x -> x * 2).sum();\n  return \"n\" + n;\n}";
    assert_eq!(mutants(source, [1, 4]), ["5 Math \"n2\"", "5 PrimitiveReturns \"n0\"", "6 EmptyObjectReturnVals \"\""]);
}

#[test]
fn loops_that_would_not_end_are_bounded_or_left_alone() {
    let source = "static int run(int a, int b) {\n  int x = 0;\n  for (int i = 0; i < a; i++) {\n    x += b;\n  }\n  return x;\n}";
    assert_eq!(
        mutants(source, [2, 3]),
        [
            "5 ConditionalsBoundary 9",
            "5 RemoveConditional_ORDER_ELSE 0",
            "5 RemoveConditional_ORDER_IF it takes too many steps",
            "6 Math -6",
            "8 PrimitiveReturns 0",
        ]
    );
}
