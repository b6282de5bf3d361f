//! Recorded answers of a JVM, for machines without a JDK or with one that is too old.
//!
//! `tests/fixtures/corpus-answers` has a file for each corpus: a line `= name hash` for each family, then one answer a line. The hash covers the family's
//! sources and calls, so that outdated answers are detected. `MASTOR_RECORD=1` writes the JVM's current answers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mastor::types::Hash;

use super::cases::Family;

fn path(corpus: &str) -> PathBuf {
    super::folder("corpus-answers").join(format!("{corpus}.txt"))
}

fn hash(family: &Family) -> String {
    let calls = family.cases.iter().map(|case| {
        let args: String = case.args.iter().map(|arg| format!("\t{}", arg.sent())).collect();
        format!("{}{args}", case.calls)
    });
    let sources = family.sources.iter().map(|(_, text)| text.clone());
    let parts: Vec<String> = sources.chain(calls).collect();
    Hash::of_parts(parts.iter().map(String::as_bytes)).to_string().chars().take(24).collect()
}

/// Recorded answers by family, each with the family's hash.
fn read(corpus: &str) -> BTreeMap<String, (String, Vec<String>)> {
    let text = std::fs::read_to_string(path(corpus)).unwrap_or_default();
    let mut found: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    let mut at = None;
    for line in text.split('\n') {
        if let Some((name, hash)) = line.strip_prefix("= ").and_then(|head| head.split_once(' ')) {
            at = Some(found.entry(name.to_owned()).or_insert((hash.to_owned(), Vec::new())));
        } else if let Some(answer) = line.strip_prefix('|')
            && let Some((_, answers)) = &mut at
        {
            answers.push(answer.to_owned());
        }
    }
    found
}

/// The recorded answers for these families.
pub fn answers(corpus: &str, families: &[Family]) -> Vec<String> {
    let known = read(corpus);
    let of = |family: &Family| {
        let (asked, answers) = known.get(&family.name).unwrap_or_else(|| panic!("no answers to {}", family.name));
        assert_eq!(*asked, hash(family), "{} has changed: record it with a JVM (MASTOR_RECORD=1)", family.name);
        answers.clone()
    };
    families.iter().flat_map(of).collect()
}

/// Fails if recorded answers are outdated; with `MASTOR_RECORD`, records the answers instead.
pub fn keep(corpus: &str, families: &[Family], answers: &[String]) {
    let mut known = read(corpus);
    let mut rest = answers.iter();
    let mut stale = Vec::new();
    for family in families {
        let own: Vec<String> = rest.by_ref().take(family.cases.len()).cloned().collect();
        let (asked, count) = (hash(family), own.len());
        // Answers are not compared: some differ from run to run, such as the order of `Map.of`, and are *unknown* in the interpreter.
        if known.get(&family.name).is_none_or(|(old, answers)| *old != asked || answers.len() != count) {
            stale.push(family.name.clone());
            known.insert(family.name.clone(), (asked, own));
        }
    }
    if stale.is_empty() || std::env::var_os("MASTOR_CORPUS_DIR").is_some() {
        return;
    }
    assert!(std::env::var_os("MASTOR_RECORD").is_some(), "record what the JVM answers to {stale:?} (MASTOR_RECORD=1)");
    let mut text = String::new();
    for (name, (hash, answers)) in known {
        text += &format!("= {name} {hash}\n");
        answers.iter().for_each(|answer| text += &format!("|{answer}\n"));
    }
    std::fs::create_dir_all(path(corpus).parent().unwrap()).unwrap();
    std::fs::write(path(corpus), text).unwrap();
}
