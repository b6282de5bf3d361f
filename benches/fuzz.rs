//! Mutated Java: tokens dropped, doubled, swapped, texts cut; every body is lowered, resolved and run. Nothing may panic, all must end.
//!
//! `cargo bench --bench fuzz -- SECONDS DIRECTORY …`. Prints the seed of what failed; `--seed N` runs that one again.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures, and ends where it cannot measure")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use mastor::java::interpret::values::term::{Input, InputPlace};
use mastor::java::interpret::{Bounds, Codes, Context, Wiring, explore};
use mastor::java::ir::facts::MemberKind;
use mastor::java::ir::ids::TypeId;
use mastor::java::project::index::Project;
use mastor::java::resolve::resolver::Resolver;

/// The first class that fits is injected.
struct First<'p>(&'p Project);

impl Wiring for First<'_> {
    fn bean(&self, declared: TypeId, _: &str) -> Option<TypeId> {
        Some(self.0.all_subtypes(declared).first().copied().unwrap_or(declared))
    }

    fn property(&self, _: &str) -> Option<String> {
        None
    }
}

/// Numbers that look random and are the same for a seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let seconds: u64 = arguments.first().and_then(|a| a.parse().ok()).unwrap_or(60);
    let mut only = None;
    let mut files = Vec::new();
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        if argument == "--seed" {
            only = rest.next().and_then(|seed| seed.parse::<u64>().ok());
        } else {
            collect(Path::new(argument), &mut files);
        }
    }
    files.sort();
    let texts: Vec<String> = files.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    assert!(!texts.is_empty(), "no Java files");
    let started = Instant::now();
    let (mut seed, mut bodies, mut slowest) = (0, 0, 0.0_f64);
    while only.is_some() || started.elapsed().as_secs() < seconds {
        let at = only.unwrap_or(seed);
        let begun = Instant::now();
        let source = mutated(&texts, at);
        let run = std::panic::catch_unwind(|| all_methods(&source));
        match run {
            Ok(count) => bodies += count,
            Err(_) => println!("seed {at} panics"),
        }
        let time = begun.elapsed().as_secs_f64();
        if time > slowest {
            slowest = time;
            println!("seed {at}: {time:.2} s");
        }
        if only.is_some() {
            break;
        }
        seed += 1;
    }
    println!("{seed} texts, {bodies} methods run, slowest {slowest:.2} s");
}

fn collect(at: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(at) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|ext| ext == "java") {
            into.push(path);
        }
    }
}

/// A text with some tokens dropped, doubled, swapped or taken from elsewhere, and sometimes cut.
fn mutated(texts: &[String], seed: u64) -> String {
    let mut random = Random(seed);
    let text = &texts[random.below(texts.len())];
    let other = &texts[random.below(texts.len())];
    let (mut tokens, others) = (tokens(text), tokens(other));
    if tokens.len() > 6_000 {
        tokens.truncate(6_000);
    }
    for _ in 0..=random.below(12) {
        if tokens.is_empty() {
            break;
        }
        let (a, b) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(7) {
            0 => drop(tokens.remove(a)),
            1 => tokens.insert(a, tokens[b]),
            2 => tokens.swap(a, b),
            3 if !others.is_empty() => tokens[a] = others[random.below(others.len())],
            4 => {
                let count = random.below(30).min(tokens.len() - a);
                let copy: Vec<&str> = tokens[a..a + count].to_vec();
                tokens.splice(b..b, copy);
            }
            5 => {
                const ODD: &[&str] = &[
                    "null",
                    "0x7fffffff",
                    "-1",
                    "1e308",
                    "\"\\uD800\"",
                    "'\\u0000'",
                    "new int[]{}",
                    "this",
                    "super",
                    "switch",
                    "->",
                    "::",
                    "?",
                    "...",
                    "var",
                    "yield",
                    "0/0",
                ];
                tokens[a] = ODD[random.below(ODD.len())];
            }
            _ => {
                let count = random.below(20).min(tokens.len() - a);
                tokens.drain(a..a + count);
            }
        }
    }
    if random.below(10) == 0 {
        let keep = random.below(tokens.len() + 1);
        tokens.truncate(keep);
    }
    tokens.join(" ")
}

/// Words, numbers, literals and single signs.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                at += 1;
            }
        } else if byte == b'"' {
            at += 1;
            while at < bytes.len() && bytes[at] != b'"' && bytes[at] != b'\n' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at = (at + 1).min(bytes.len());
        } else if text[at..].starts_with("//") {
            at = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
            continue;
        } else if text[at..].starts_with("/*") {
            at = text[at..].find("*/").map_or(bytes.len(), |end| at + end + 2);
            continue;
        } else {
            at += 1;
        }
        while !text.is_char_boundary(at.min(text.len())) {
            at += 1;
        }
        at = at.min(text.len());
        if let Some(token) = text.get(start..at) {
            found.push(token);
        }
    }
    found
}

/// Runs every method on open inputs, within small bounds.
fn all_methods(source: &str) -> usize {
    let project = Project::from_sources(&[("src/main/java/F.java", source)]);
    let resolver = Resolver::new(&project);
    let codes = Codes::new(&resolver);
    let wiring = First(&project);
    let bounds = Bounds { paths: 30, steps: 20_000, total_steps: 60_000, ..Bounds::default() };
    let cx = Context { codes: &codes, wiring: &wiring, bounds, follows: None };
    let mut count = 0;
    for ty in project.types() {
        for method in project.members(ty) {
            if project.member(method).kind != MemberKind::Method || project.member(method).body.is_none() {
                continue;
            }
            count += 1;
            let found = explore(&cx, |machine| {
                let params = project.member(method).params.clone();
                let mut args = Vec::new();
                for param in &params {
                    let ty = machine.type_of(method.ty, &param.ty);
                    let nullable = ty.is_reference();
                    args.push(machine.input(Input::new(InputPlace::Query, &param.name), &ty, nullable));
                }
                let this = if machine.is_static(method) {
                    None
                } else {
                    Some(mastor::java::interpret::values::value::Value::Ref(machine.bean(method.ty)?))
                };
                machine.invoke(method, this, args)
            });
            for path in &found.paths {
                for taken in &path.conditions {
                    assert!(taken.cond.to_string().len() < 1_000_000, "a condition that nobody can read");
                }
            }
        }
    }
    count
}
