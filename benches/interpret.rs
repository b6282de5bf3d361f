//! The interpreter's speed: counted operations a second on arithmetic loops, and the time of one small method.
//!
//! `cargo bench --bench interpret`. An operation is one counted step: an expression or statement that is evaluated.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints its figures, and ends where it cannot measure"
)]

use std::time::Instant;

use mastor::java::interpret::values::value::Value;
use mastor::java::interpret::{Bounds, Codes, Context, Outcome, Wiring, explore};
use mastor::java::ir::ids::TypeId;
use mastor::java::project::index::Project;
use mastor::java::resolve::resolver::Resolver;

/// Nothing is injected.
struct Nothing;

impl Wiring for Nothing {
    fn bean(&self, _: TypeId, _: &str) -> Option<TypeId> {
        None
    }

    fn property(&self, _: &str) -> Option<String> {
        None
    }
}

const SOURCE: &str = r#"
class T {
    static int ints(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i * 3 ^ (s >> 2); if (s % 7 == 0) s--; } return s; }
    static long longs(int n) { long s = 1; for (int i = 1; i < n; i++) { s = s * 31 + i; s ^= s >>> 7; } return s; }
    static double doubles(int n) { double s = 0; for (int i = 1; i < n; i++) { s += 1.0 / i - s * 0.001; } return s; }
    static int arrays(int n) { int[] a = new int[64]; for (int i = 0; i < n; i++) { a[i & 63] += i; a[(i * 7) & 63] ^= a[i & 63]; } return a[3]; }
    static int calls(int n) { int s = 0; for (int i = 0; i < n; i++) s += twice(i) - half(s); return s; }
    static int twice(int x) { return x * 2; }
    static int half(int x) { return x / 2; }
    static String small(int n) {
        if (n < 0) throw new IllegalArgumentException("negative");
        String kind = n % 2 == 0 ? "even" : "odd";
        switch (n) { case 0: return "zero"; case 1: return "one"; default: return kind + n; }
    }
}
"#;

fn main() {
    let project = Project::from_sources(&[("src/main/java/T.java", SOURCE)]);
    let resolver = Resolver::new(&project);
    let codes = Codes::new(&resolver);
    let bounds = Bounds { steps: u64::MAX, total_steps: u64::MAX, ..Bounds::default() };
    let cx = Context { codes: &codes, wiring: &Nothing, bounds, follows: None };
    let run = |name: &str, n: i32| {
        let method = project.by_symbol(&format!("T#{name}(int)")).expect("a method");
        let started = Instant::now();
        let found = explore(&cx, |machine| machine.invoke(method, None, vec![Value::int(n)]));
        let path = found.paths.first().expect("a path");
        assert!(matches!(path.outcome, Outcome::Returned(_)) && path.unknowns.is_empty(), "{name} is exact");
        (path.steps, started.elapsed().as_secs_f64())
    };
    println!("{:<10} {:>12} {:>9} {:>14}", "loop", "operations", "seconds", "a second");
    let (mut operations, mut seconds) = (0, 0.0);
    for name in ["ints", "longs", "doubles", "arrays", "calls"] {
        let (steps, time) = run(name, 1_000_000);
        println!("{name:<10} {steps:>12} {time:>9.2} {:>12.1} M", steps as f64 / time / 1e6);
        operations += steps;
        seconds += time;
    }
    println!("{:<10} {operations:>12} {seconds:>9.2} {:>12.1} M", "all", operations as f64 / seconds / 1e6);
    let started = Instant::now();
    for n in 0..10_000 {
        run("small", n);
    }
    println!("small method: {:.2} µs a run", started.elapsed().as_secs_f64() * 1e6 / 10_000.0);
}
