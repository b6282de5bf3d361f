//! How long analysis takes against reading and parsing alone, and how it grows.
//!
//! `cargo bench --bench analysis -- [REPOSITORY]…` measures git repositories of yours (they are cloned, never changed); without one, synthetic
//! services of 120 and 1,200 files. The best of three runs counts, of parsing and analysis in turn the best of fifteen; quote the ratios, which are of one run on one machine.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints its figures, and ends where it cannot measure"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mastor::config::{Overrides, services};
use mastor::extract;
use mastor::java::build::layout;
use mastor::java::syntax::tree;
use mastor::revision::{Repo, Scratch, SourceTree};
use mastor::types::event::Events;
use rayon::prelude::*;

/// How often parsing and analysis are measured in turn.
const ROUNDS: usize = 15;

/// As the command has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let repositories: Vec<PathBuf> =
        std::env::args().skip(1).filter(|a| !a.starts_with("--")).map(PathBuf::from).collect();
    println!("threads: {}", rayon::current_num_threads());
    for repository in &repositories {
        measure(&repository.display().to_string(), &cloned(repository));
    }
    if repositories.is_empty() {
        let small = measure("synthetic, 120 files", &synthetic(120));
        let large = measure("synthetic, 1,200 files", &synthetic(1_200));
        println!(
            "ten times the files: cold {:.1}x, warm plan {:.1}x",
            ratio(large.0, small.0),
            ratio(large.1, small.1)
        );
    }
    println!("mastor --version: {:.1} ms", best(|| run(Path::new("."), &["--version"]).0).as_secs_f64() * 1000.0);
}

/// Cold analysis and warm plan of one repository.
fn measure(name: &str, dir: &tempfile::TempDir) -> (Duration, Duration) {
    let root = dir.path();
    let repo = Repo::discover(root).expect("a repository");
    let tree = repo.tree_at(repo.head().expect("a commit").id).expect("its tree");
    let settings = services(&tree, &Overrides::default()).expect("settings").remove(0);
    let parsed = || {
        tree.entries().par_iter().filter(|e| is_source(&e.path)).for_each(|entry| {
            if let Ok(text) = tree.text(&entry.path) {
                std::hint::black_box(tree::parse(&text.text));
            }
        });
    };
    let analysed = || {
        let surface = extract::surface(&tree, &settings, None, &Events::silent()).expect("a surface");
        extract::analyse(surface, &Events::silent())
    };
    let (parse, cold) = in_turn(parsed, analysed);
    let mut change = Change::of(root, &tree);
    change.make();
    change.commit();
    let plan = |since| run(root, &["plan", "--since", since, "--quiet", "--format", "json"]);
    let (first, peak) = plan("HEAD~1");
    // Each change is a new one: a plan that was made before is read from the cache.
    let committed = || {
        change.make();
        change.commit();
        plan("HEAD~1").0
    };
    let warm = best(committed);
    let in_work_tree = || {
        change.make();
        plan("HEAD").0
    };
    let dirty = best(in_work_tree);
    println!(
        "{name}: parse {:.2} s, cold analysis {:.2} s ({:.2}x parsing), plan from cold {:.2} s, \
         warm plan after a commit {:.3} s, after an edit in the work tree {:.3} s, peak memory {} MB",
        parse.as_secs_f64(),
        cold.as_secs_f64(),
        ratio(cold, parse),
        first.as_secs_f64(),
        warm.as_secs_f64(),
        dirty.as_secs_f64(),
        peak / 1024
    );
    (cold, warm)
}

fn is_source(path: &str) -> bool {
    path.ends_with(".java") && !layout::is_test_path(path)
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// The shortest of several runs of each until its result is there, taken in turn: what else the machine does meets both alike.
fn in_turn<A, B>(one: impl Fn() -> A, other: impl Fn() -> B) -> (Duration, Duration) {
    fn timed<R>(run: &impl Fn() -> R) -> Duration {
        let begin = Instant::now();
        let result = std::hint::black_box(run());
        let time = begin.elapsed();
        drop(result);
        time
    }
    let rounds: Vec<(Duration, Duration)> = (0..ROUNDS).map(|_| (timed(&one), timed(&other))).collect();
    let shortest = |times: &mut dyn Iterator<Item = Duration>| times.min().unwrap_or_default();
    (shortest(&mut rounds.iter().map(|round| round.0)), shortest(&mut rounds.iter().map(|round| round.1)))
}

fn best(mut one: impl FnMut() -> Duration) -> Duration {
    (0..3).map(|_| one()).min().unwrap_or_default()
}

/// Runs the binary; wall time, and peak memory in kB where the system tells it.
fn run(dir: &Path, arguments: &[&str]) -> (Duration, u64) {
    let begin = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_mastor"));
    let mut child = command
        .args(arguments)
        .env("MASTOR_SLICES", "off")
        .current_dir(dir)
        .stdout(Stdio::null())
        .spawn()
        .expect("mastor runs");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("mastor runs").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(peak);
        std::thread::sleep(Duration::from_millis(1));
    }
    (begin.elapsed(), peak)
}

fn cloned(repository: &Path) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let status = Command::new("git").args(["clone", "-q"]).arg(repository).arg(dir.path()).status().expect("git runs");
    assert!(status.success(), "cannot clone {}", repository.display());
    dir
}

/// A statement before the first `return` of the largest file, another each time it is made.
struct Change<'r> {
    root: &'r Path,
    path: String,
    text: String,
    at: usize,
    made: usize,
}

impl<'r> Change<'r> {
    fn of(root: &'r Path, tree: &SourceTree) -> Self {
        let files = tree.entries().iter().filter(|e| is_source(&e.path));
        let texts = files.filter_map(|e| Some((tree.text(&e.path).ok()?.text, e.path.clone())));
        let (text, path) = texts.max_by_key(|(text, _)| text.len()).expect("a Java file");
        let at = text.find("return ").expect("a method that returns");
        Self { root, path, text, at, made: 0 }
    }

    fn make(&mut self) {
        self.made += 1;
        let (before, after) = self.text.split_at(self.at);
        let changed = format!("{before}if (System.nanoTime() == {}) {{ System.gc(); }} {after}", self.made);
        std::fs::write(self.root.join(&self.path), changed).expect("written");
    }

    fn commit(&self) {
        let identity = ["-c", "user.name=bench", "-c", "user.email=bench@mastor.invalid"];
        let mut commit = Command::new("git");
        commit.args(identity).args(["commit", "-qam", "change"]).current_dir(self.root);
        assert!(commit.status().expect("git runs").success());
    }
}

/// A service of layers: each controller calls an interface, its implementation a helper.
fn synthetic(files: usize) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let source = dir.path().join("src/main/java/com/example");
    std::fs::create_dir_all(&source).expect("made");
    let write = |name: String, text: String| {
        std::fs::write(source.join(format!("{name}.java")), format!("package com.example;\n{text}")).expect("written");
    };
    for n in 0..files / 4 {
        let part = |k: usize| {
            format!(
                "    public String part{k}(String a, int b) {{\n        if (b > {k} && a.length() < {n}) {{ return a + b; }}\n        \
                 return Helper{n}.join(a, String.valueOf(b * {k}));\n    }}\n"
            )
        };
        let parts: String = (0..40).map(part).collect();
        write(
            format!("Thing{n}Controller"),
            format!(
                "import org.springframework.web.bind.annotation.*;\n@RestController @RequestMapping(\"/things{n}\")\n\
                 public class Thing{n}Controller {{\n    private final Thing{n}Service service;\n    \
                 public Thing{n}Controller(Thing{n}Service service) {{ this.service = service; }}\n    \
                 @GetMapping(\"/{{id}}\") public String get(@PathVariable String id) {{ return service.find(id); }}\n    \
                 @PostMapping public String add(@RequestBody String body) {{ return service.add(body); }}\n}}\n"
            ),
        );
        write(
            format!("Thing{n}Service"),
            format!("public interface Thing{n}Service {{ String find(String id); String add(String body); }}\n"),
        );
        write(
            format!("DefaultThing{n}Service"),
            format!(
                "import org.springframework.stereotype.Service;\n@Service public class DefaultThing{n}Service implements Thing{n}Service {{\n    \
                 public String find(String id) {{ return part1(id, id.length()); }}\n    \
                 public String add(String body) {{ return part2(body, 3); }}\n{parts}}}\n"
            ),
        );
        write(
            format!("Helper{n}"),
            format!(
                "public final class Helper{n} {{\n    static final int LIMIT = {n};\n    \
                 static String join(String a, String b) {{ return a.length() > LIMIT ? a : a + b; }}\n}}\n"
            ),
        );
    }
    Scratch::create(dir.path(), "main").and_then(|repository| repository.commit_all("seed")).expect("a commit");
    dir
}
