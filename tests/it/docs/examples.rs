//! The examples of the docs: settings are parsed by the program, workflows checked by a linter, and commands run on a small service. Commands whose
//! requirements no test has are only parsed.

use std::collections::BTreeSet;

use clap::Parser as _;
use mastor::cli::Cli;

use super::markdown::{Block, blocks};
use super::{pages, project, text};
use crate::support::Repo;
use crate::tools::finds_nothing;

/// Allowed languages of code blocks.
const LANGUAGES: [&str; 8] = ["sh", "console", "toml", "yaml", "text", "java", "mermaid", "json"];

/// The code blocks of all pages in one language, each with its page.
fn examples(language: &str) -> Vec<(String, Block)> {
    let of = |page: String| blocks(&text(&page)).into_iter().map(move |block| (page.clone(), block));
    pages().into_iter().flat_map(of).filter(|(_, block)| block.language == language).collect()
}

#[test]
fn every_block_says_what_it_is() {
    for page in pages() {
        for block in blocks(&text(&page)) {
            assert!(LANGUAGES.contains(&block.language.as_str()), "{page}:{}: {:?}", block.line, block.language);
        }
        let (mut fenced, mut blank) = (false, true);
        for (at, line) in text(&page).lines().enumerate() {
            fenced ^= line.trim_start().starts_with("```");
            assert!(fenced || !blank || !line.starts_with("    "), "{page}:{}: a block without a fence", at + 1);
            blank = line.is_empty();
        }
    }
}

#[test]
fn every_example_of_settings_is_read() {
    let examples = examples("toml");
    assert!(examples.len() > 12, "{}", examples.len());
    for (page, block) in examples {
        if page == "docs/study.md" {
            mastor::config::study("study.toml", &block.text).unwrap_or_else(|error| panic!("{page}: {error:?}"));
            continue;
        }
        let templates = ["mastor-templates", "templates"].map(|folder| format!("{folder}/readable/index.md"));
        let built_in = std::fs::read(project("templates/readable/index.md")).unwrap();
        let repo = templates.iter().fold(Repo::new(), |repo, path| repo.file(path, &built_in));
        let repo = repo
            .file("mastor.toml", &block.text)
            .file("openapi.yaml", "openapi: 3.0.3\npaths: {}\n")
            .commit("Settings");
        let ran = repo.run(["config", "show"]);
        assert_eq!(ran.code, 0, "{page}:{}: {}", block.line, ran.err);
    }
}

/// A whole workflow that contains this part, because the docs show some parts alone.
fn whole_workflow(part: &str) -> String {
    if part.starts_with("name:") || part.starts_with("on:") {
        return part.to_owned();
    }
    let of = |from: &str| {
        let lines: Vec<&str> = part.lines().skip_while(|line| !line.starts_with(from)).collect();
        let own = lines.iter().take(1).chain(lines.iter().skip(1).take_while(|line| line.starts_with([' ', '-'])));
        own.map(|line| format!("    {line}\n")).collect::<String>()
    };
    let steps = if part.starts_with('-') {
        format!("    steps:\n{}", part.lines().map(|line| format!("      {line}\n")).collect::<String>())
    } else {
        of("steps:")
    };
    format!("on: pull_request\njobs:\n  job:\n    runs-on: ubuntu-24.04\n{}{steps}", of("permissions:"))
}

#[test]
fn every_example_in_yaml_is_read_by_what_reads_it() {
    let examples = examples("yaml");
    assert!(examples.len() > 2, "{}", examples.len());
    let mut workflows = Vec::new();
    let folder = Repo::bare_folder();
    for (page, block) in examples {
        if block.text.starts_with("auth:") {
            let read =
                mastor::probe::auth::Users::read("auth.yaml", &block.text, |name| Some(format!("value of {name}")));
            read.unwrap_or_else(|error| panic!("{page}:{}: {error}", block.line));
            continue;
        }
        let path = folder.path().join(format!("{}-{}.yml", page.replace('/', "-"), block.line));
        std::fs::write(&path, whole_workflow(&block.text)).unwrap();
        workflows.push(path.to_str().unwrap().to_owned());
    }
    finds_nothing("actionlint", &[], &workflows);
}

/// One command of a block, split into words.
#[derive(Debug)]
struct Line {
    place: String,
    words: Vec<String>,
}

/// The commands of all shell blocks, without variable assignments, comments and operators that join commands.
fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for (page, block) in examples("sh") {
        for (at, line) in block.text.replace("\\\n", " ").lines().enumerate() {
            let words = shlex::split(line).unwrap_or_else(|| panic!("{page}: {line}"));
            for words in words.split(|word| matches!(word.as_str(), "&&" | "||" | "|" | ";")) {
                let is_variable = |word: &&String| {
                    word.split_once('=')
                        .is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
                };
                let words: Vec<String> = words.iter().skip_while(is_variable).cloned().collect();
                if !words.is_empty() {
                    lines.push(Line { place: format!("{page}:{}", block.line + 1 + at), words });
                }
            }
        }
    }
    lines
}

/// Other programs than `mastor` in examples. They are not run.
const OTHERS: [&str; 13] = [
    "cargo",
    "cd",
    "curl",
    "docker",
    "echo",
    "gh",
    "git",
    "mvn",
    "newman",
    "podman",
    "rustup",
    "sha256sum",
    "tests/run",
];

#[test]
fn every_command_of_an_example_is_one_that_the_command_line_takes() {
    let lines = lines();
    let ours: Vec<&Line> = lines.iter().filter(|line| line.words[0] == "mastor").collect();
    assert!(ours.len() > 60, "{}", ours.len());
    for line in ours {
        if let Err(error) = Cli::try_parse_from(&line.words) {
            let is_help =
                matches!(error.kind(), clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion);
            assert!(is_help, "{}: {:?}: {error}", line.place, line.words);
        }
    }
    for line in lines.iter().filter(|line| line.words[0] != "mastor") {
        let program = line.words[0].as_str();
        assert!(OTHERS.contains(&program) || program.starts_with(".github/"), "{}: {:?}", line.place, line.words);
    }
}

/// Why a command is not run here; `None` if it is.
fn needs(words: &[String]) -> Option<&'static str> {
    let has = |word: &str| words.iter().any(|known| known == word);
    match words[1].as_str() {
        "check" | "replay" => Some("a running service"),
        "doctor" if has("--service") => Some("a service that it builds and starts"),
        "slice" => Some("a build by Maven"),
        "export" if has("slices") => Some("a build by Maven"),
        "strength" if !has("--fast") => Some("a build by Maven"),
        "study" => Some("projects to study"),
        "demo" => Some("nothing: the pictures of the README and the tutorial run it"),
        "merge" => Some("the parts of shards"),
        "propose" => Some("a pull request and a token"),
        "comment" if !has("--print") => Some("a pull request"),
        "accept" if has("--from") => Some("an artifact of a run"),
        _ if has("--engine") || has("--replay") || has("--record") || has("--show-prompts") => Some("a chat model"),
        _ if has("--slices") && !has("off") => Some("a build by Maven"),
        _ if has("--base-url") => Some("a running service"),
        _ => None,
    }
}

const CONTROLLER: &str = "package a;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
class OrderController {
    @GetMapping(\"/orders/{id}\")
    ResponseEntity<String> find(@PathVariable int id) {
        return id < 1 ? ResponseEntity.notFound().build() : ResponseEntity.ok(\"order\");
    }

    @GetMapping(\"/quotes\")
    int quote(@RequestParam int quantity) {
        return quantity * 3;
    }
}
";

/// A service with two operations and its suite on `main`, a branch with a change, a refactoring and a merge, and the id of the proposal.
fn service() -> (Repo, String) {
    let path = "src/main/java/a/OrderController.java";
    let repo = Repo::new().file(path, CONTROLLER).commit("A service");
    repo.run(["generate", "--all", "--no-service"]).ends(0);
    let repo =
        repo.commit("Its suite").branch("feature").edit(path, "notFound()", "noContent()").commit("Answer otherwise");
    let repo = repo.edit(path, "quantity * 3", "3 * quantity").commit("The same in other words").branch("side");
    let repo = repo.file("NOTES.md", "Nothing").commit("Notes").branch("feature").merge("side");
    repo.run(["ci", "--since", "main"]).ends(1);
    let proposed: serde_json::Value = serde_json::from_str(&repo.read(".mastor/out/proposed.json")).unwrap();
    let id = proposed["proposals"][0]["after"]["o_id"].as_str().unwrap().to_owned();
    (repo, id)
}

#[test]
fn every_command_that_needs_no_more_than_source_runs() {
    let (repo, id) = service();
    let (mut done, mut left) = (BTreeSet::new(), BTreeSet::new());
    let ours = lines().into_iter().filter(|line| line.words[0] == "mastor");
    // Commands with the proposal's id run first, before another run replaces the proposals.
    let (of_one, others): (Vec<Line>, Vec<Line>) = ours.partition(|line| line.words.iter().any(|word| word == "ID"));
    for line in of_one.into_iter().chain(others) {
        if let Some(reason) = needs(&line.words) {
            left.insert(reason);
            continue;
        }
        let words: Vec<&str> =
            line.words[1..].iter().map(|word| if word == "ID" { id.as_str() } else { word }).collect();
        if !done.insert(words.join(" ")) {
            continue;
        }
        let ran = repo.run(words.iter().copied());
        let may = if words[0] == "ci" { 1 } else { 0 };
        assert!(
            ran.code == 0 || ran.code == may,
            "{}: {words:?} ends with {}\n{}\n{}",
            line.place,
            ran.code,
            ran.out,
            ran.err
        );
        repo.git(["reset", "-q", "--hard"]);
        repo.git(["clean", "-q", "-d", "--force"]);
    }
    assert!(done.len() > 20, "{done:?}");
    assert!(left.len() > 4, "{left:?}");
}
