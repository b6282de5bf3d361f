//! The interpreter compared with a JVM on small and generated methods: its result is the same bit for bit, or *unknown*.
//!
//! A JDK that is missing is a failure, unless `MASTOR_TEST_WITHOUT=java` names it.

mod cases;
mod encode;
mod generated;
mod generated_arguments;
mod generated_collections;
mod generated_values;
mod jvm;
mod recorded;
mod references;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use cases::Family;
use encode::Answer;
use jvm::{Jdk, Jvm};
use mastor::java::interpret::Codes;
use mastor::java::models::registry::ModelKind;
use mastor::java::resolve::resolver::Resolver;

/// Whether `MASTOR_TEST_WITHOUT` names the JDK.
#[expect(clippy::print_stdout, reason = "what is left out is named where the tests run")]
fn without_java() -> bool {
    let named = without("java");
    if named {
        println!("recorded answers stand in for a JVM, and generated code is left out (MASTOR_TEST_WITHOUT)");
    }
    named
}

fn without(tool: &str) -> bool {
    std::env::var("MASTOR_TEST_WITHOUT").unwrap_or_default().split(',').any(|name| name.trim() == tool)
}

/// The counts of one family.
#[derive(Default)]
struct Tally {
    methods: usize,
    cases: usize,
    exact: usize,
    /// Exceptions with the right class and an unknown message.
    open: usize,
    unknown: usize,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.methods += other.methods;
        self.cases += other.cases;
        self.exact += other.exact;
        self.open += other.open;
        self.unknown += other.unknown;
    }
}

/// Runs families on both sides and compares the answers.
fn compare(jvm: &mut Jvm, families: &[Family]) -> Compared {
    hold_against(&jvm.run(families), families)
}

/// Wrong answers, counts by family, and reasons for unknown answers with their numbers.
type Compared = (Vec<String>, BTreeMap<String, Tally>, BTreeMap<String, usize>);

/// Runs families in the interpreter and compares the answers with those of a JVM.
fn hold_against(expected: &[String], families: &[Family]) -> Compared {
    assert_eq!(expected.len(), families.iter().map(|family| family.cases.len()).sum::<usize>(), "not all cases ran");
    let project = encode::project(families);
    let resolver = Resolver::new(&project);
    let codes = Codes::new(&resolver);
    let interpreted = encode::Side { project: &project, codes: &codes, answered: Default::default() };
    let (mut wrong, mut tallies, mut reasons) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    let mut expected = expected.iter();
    for family in families {
        let mut tally = Tally { methods: family.methods(), ..Tally::default() };
        for (case, real) in family.cases.iter().zip(expected.by_ref()) {
            tally.cases += 1;
            match interpreted.answer(&family.class, case) {
                Answer::Exact(text) if text == *real => tally.exact += 1,
                Answer::Class(text) if real.starts_with(&text) => tally.open += 1,
                Answer::Exact(text) | Answer::Class(text) => {
                    wrong.push(format!("{}\n  java: {real}\n  here: {text}", case.said))
                }
                Answer::Unknown(why) => {
                    tally.unknown += 1;
                    for reason in why {
                        *reasons.entry(format!("{reason}  [{}]", case.said)).or_default() += 1;
                    }
                }
            }
        }
        tallies.insert(family.name.clone(), tally);
    }
    (wrong, tallies, reasons)
}

fn table(tallies: &BTreeMap<String, Tally>) -> String {
    let mut out =
        format!("{:<18}{:>9}{:>8}{:>8}{:>14}{:>9}\n", "family", "methods", "cases", "exact", "open message", "unknown");
    let mut sum = Tally::default();
    let mut line = |name: &str, tally: &Tally| {
        let share = (tally.unknown * 1000).checked_div(tally.cases).unwrap_or_default();
        let _ = writeln!(
            out,
            "{name:<18}{:>9}{:>8}{:>8}{:>14}{:>7}.{}%",
            tally.methods,
            tally.cases,
            tally.exact,
            tally.open,
            share / 10,
            share % 10
        );
    };
    for (name, tally) in tallies {
        line(name, tally);
        sum.methods += tally.methods;
        sum.cases += tally.cases;
        sum.exact += tally.exact;
        sum.open += tally.open;
        sum.unknown += tally.unknown;
    }
    line("all", &sum);
    out
}

/// Compares a corpus with a JVM and its recorded answers; without a JVM, with the recorded answers only.
fn check(corpus: &str, jdk: Option<&Jdk>, families: &[Family]) {
    let answers = match jdk {
        Some(jdk) => {
            let answers = jdk.start().run(families);
            recorded::keep(corpus, families, &answers);
            answers
        }
        None => recorded::answers(corpus, families),
    };
    let (wrong, tallies, reasons) = hold_against(&answers, families);
    judge(&wrong, &tallies, &reasons, families);
}

#[expect(clippy::print_stdout, reason = "the share of unknown is what one runs it for")]
fn judge(wrong: &[String], tallies: &BTreeMap<String, Tally>, reasons: &BTreeMap<String, usize>, families: &[Family]) {
    println!("{}", table(tallies));
    if std::env::var_os("MASTOR_CORPUS_REASONS").is_some() {
        for (reason, count) in reasons {
            println!("{count:>5} {reason}");
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let rotten: Vec<String> = families
        .iter()
        .filter_map(|family| {
            let tally = tallies.get(&family.name)?;
            (tally.unknown * 100 > family.unknown * tally.cases).then(|| {
                format!(
                    "{}: {} of {} are unknown, at most {}% may be",
                    family.name, tally.unknown, tally.cases, family.unknown
                )
            })
        })
        .collect();
    assert!(rotten.is_empty(), "{}", rotten.join("\n"));
}

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

#[test]
fn every_method_of_the_corpus_gives_what_a_jvm_gives_or_unknown() {
    let only = std::env::var("MASTOR_CORPUS_ONLY").ok();
    let dir = std::env::var_os("MASTOR_CORPUS_DIR").map_or_else(|| folder("corpus"), std::path::PathBuf::from);
    let mut families = cases::families(&dir);
    families.retain(|family| only.as_ref().is_none_or(|only| only.split(',').any(|one| one == family.name)));
    check("corpus", (!without_java()).then(Jdk::default).as_ref(), &families);
}

/// Libraries (Gson, Jackson, Lombok) that `tests/tools.sh` downloads.
#[test]
fn libraries_give_what_a_jvm_gives_or_unknown() {
    let tools = std::env::var_os("MASTOR_TOOLS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools"), std::path::PathBuf::from);
    let only = std::env::var("MASTOR_CORPUS_ONLY").ok();
    let mut families = cases::families(&folder("corpus-libraries"));
    families.retain(|family| only.as_ref().is_none_or(|only| only.split(',').any(|one| one == family.name)));
    let runs = !without_java() && !without("maven");
    check("corpus-libraries", runs.then(|| Jdk::default().with_jars(&tools.join("libraries"))).as_ref(), &families);
}

#[test]
fn newer_java_gives_what_a_jvm_gives_or_unknown() {
    let jdk = if without_java() { None } else { Jdk::newer() };
    check("corpus-21", jdk.as_ref(), &cases::families(&folder("corpus-21")));
}

/// Whether the corpus can test a type: not if its objects come from a container, a database driver or the machine.
fn is_on_a_class_path(fqn: &str) -> bool {
    const HANDED_OVER: [&str; 8] = [
        "java.io.OutputStream",
        "java.io.PrintStream",
        "java.lang.ClassLoader",
        "java.lang.System",
        "java.lang.reflect.Method",
        "java.lang.reflect.ParameterizedType",
        "java.security.Principal",
        "java.sql.ResultSet",
    ];
    let read = ["java.", "com.fasterxml.", "com.google.gson.", "org.apache.commons.lang3."];
    read.iter().any(|start| fqn.starts_with(start)) && !HANDED_OVER.contains(&fqn)
}

#[test]
fn the_registry_and_the_corpus_name_the_same_members() {
    let mut answered = std::collections::BTreeSet::new();
    for corpus in ["corpus", "corpus-libraries", "corpus-21"] {
        let families = cases::families(&folder(corpus));
        let project = encode::project(&families);
        let resolver = Resolver::new(&project);
        let codes = Codes::new(&resolver);
        let side = encode::Side { project: &project, codes: &codes, answered: Default::default() };
        for family in &families {
            family.cases.iter().for_each(|case| drop(side.answer(&family.class, case)));
        }
        answered.extend(
            side.answered.into_inner().into_iter().map(|name| name.replace('$', ".").replace("ZoneRegion", "ZoneId")),
        );
    }
    let known = mastor::java::models::registry::types();
    assert!(answered.len() > 1000, "{}", answered.len());
    let is_known = |name: &String| {
        let (fqn, member) = name.rsplit_once('.').unwrap_or_default();
        let fqn = if fqn == "java.util.Arrays.ArrayList" { "java.util.List" } else { fqn };
        known.get(fqn).is_some_and(|known| {
            known.how == ModelKind::Java || known.members.iter().any(|one| one.name == member || one.name == "*")
        })
    };
    let strangers: Vec<&String> = answered.iter().filter(|name| !is_known(name)).collect();
    assert!(strangers.is_empty(), "answered by a model, and not in models/rust.txt: {strangers:?}");
    let mut without = Vec::new();
    for (fqn, known) in known.iter().filter(|(fqn, _)| is_on_a_class_path(fqn)) {
        // Methods of a model's class also run on objects of its subclasses, in the same package.
        let package = fqn.rsplit_once('.').map_or("", |(package, _)| package);
        let is_answered = |name: &str| match known.how {
            ModelKind::Rust => answered.contains(&format!("{fqn}.{name}")),
            ModelKind::Java => {
                answered.iter().any(|one| one.starts_with(package) && one.rsplit('.').next() == Some(name))
            }
        };
        for member in known.members.iter().filter(|member| !is_answered(member.name)) {
            without.push(format!("{fqn} {}", member.written()));
        }
    }
    assert!(without.is_empty(), "{} members without a case:\n{}", without.len(), without.join("\n"));
}

#[test]
fn a_method_reference_is_the_lambda_that_says_the_same_for_every_member_of_the_registry() {
    let (asked, certain, found) = references::differences();
    assert!(asked > 1500 && certain > 300, "{asked} were tried, of {certain} something certain came");
    assert!(found.is_empty(), "{} of {asked} differ:\n{}", found.len(), found.join("\n"));
}

/// A number that the environment sets.
fn set(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// Generated methods on generated inputs: `MASTOR_PROPERTY_CASES` cases (default: a thousand) for the seed `MASTOR_PROPERTY_SEED`.
#[test]
fn generated_code_gives_what_a_jvm_gives_or_unknown() {
    if without_java() {
        return;
    }
    let count = set("MASTOR_PROPERTY_CASES", 1000);
    let mut generator = generated::Generator::new(set("MASTOR_PROPERTY_SEED", 1) as u64);
    let mut jvm = Jdk::default().start();
    let (mut wrong, mut tallies, mut reasons) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    let (mut batch, mut done) = (0, 0);
    let mut last = Vec::new();
    while done < count {
        let families = generator.families(generated::BATCH.min(count - done));
        let (more, some, why) = compare(&mut jvm, &families);
        done += families.iter().map(|family| family.cases.len()).sum::<usize>();
        report(batch, done, &more);
        batch += 1;
        wrong.extend(more);
        for (name, tally) in &some {
            tallies.entry(name.clone()).or_insert_with(Tally::default).add(tally);
        }
        for (reason, count) in why {
            *reasons.entry(reason).or_default() += count;
        }
        last = families;
    }
    judge(&wrong, &tallies, &reasons, &last);
}

/// Prints a batch's wrong answers at once, because a long run may be interrupted.
#[expect(clippy::print_stdout, reason = "a long run is watched")]
fn report(batch: usize, done: usize, wrong: &[String]) {
    println!("batch {batch}, {done} cases so far, {} wrong\n{}", wrong.len(), wrong.join("\n"));
}
