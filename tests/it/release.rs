//! The release scripts, run on a copy of the files that they read and write.
#![cfg(unix)]

use std::path::Path;

use crate::support::{Ran, Repo};
use crate::workflows::ours;

const CHANGELOG: &str =
    "# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.0.9 - 2026-01-01\n\n- An older thing.\n";
const TO: [&str; 2] = ["--repository", "https://git.example/acme/oracles"];

/// A repository with the files that a release reads, as before the first release: with a changelog entry and without a repository URL.
fn repo() -> Repo {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copied = ["Cargo.toml", "Cargo.lock", "README.md", ".github/release.sh"];
    let repo =
        copied.iter().fold(Repo::new(), |repo, path| repo.file(path, std::fs::read(project.join(path)).unwrap()));
    let repo = repo.folder(&project.join("docs"), "docs").folder(&project.join(".github/release"), ".github/release");
    assert!(repo.command("chmod").args(["-R", "+x", ".github"]).status().unwrap().success());
    let repo = repo.file("CHANGELOG.md", CHANGELOG).commit("As it was");
    let known = env!("CARGO_PKG_REPOSITORY");
    if known.is_empty() {
        return repo;
    }
    let forget = |text: String| {
        let text = text.replace(&format!("repository = \"{known}\"\n"), "");
        text.replace(known, "https://github.com/OWNER/mastor").replace(&ours(), "OWNER/mastor")
    };
    let files = repo.git(["grep", "--files-with-matches", "--fixed-strings", &ours()]);
    files
        .lines()
        .fold(repo, |repo, file| {
            let text = forget(repo.read(file));
            repo.file(file, text)
        })
        .commit("As it was at first")
}

/// Runs a script with a fixed date.
fn run(repo: &Repo, script: &str, arguments: &[&str]) -> Ran {
    let mut command = repo.command("bash");
    let output = command.arg(script).args(arguments).env("SOURCE_DAY", "2026-11-28").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
}

fn cut(repo: &Repo, version: &str, more: &[&str]) -> Ran {
    run(repo, ".github/release.sh", &[&[version, "--checks", "true"], more].concat())
}

/// The next two minor versions.
fn next() -> [String; 2] {
    let minor: u64 = env!("CARGO_PKG_VERSION_MINOR").parse().unwrap();
    [1, 2].map(|more| format!("{}.{}.0", env!("CARGO_PKG_VERSION_MAJOR"), minor + more))
}

#[test]
fn one_command_sets_the_version_and_the_repository_everywhere_and_dates_the_changelog() {
    let (repo, [version, later]) = (repo(), next());
    let said = cut(&repo, &version, &TO)
        .ends(0)
        .says(&["git push origin main", "gh workflow run release.yml --repo acme/oracles --ref main"]);
    assert!(said.out.ends_with(&format!(" --raw-field version={version}\n")), "{}", said.out);
    assert_eq!(repo.git(["status", "--porcelain"]), "");
    assert_eq!(repo.git(["log", "-1", "--format=%s"]), format!("Release {version}"));
    let cargo: toml::Table = repo.read("Cargo.toml").parse().unwrap();
    let (package, workspace) =
        (cargo["package"].as_table().unwrap(), cargo["workspace"]["package"].as_table().unwrap());
    assert_eq!((workspace["version"].as_str(), package["repository"].as_str()), (Some(version.as_str()), Some(TO[1])));
    let lock: toml::Table = repo.read("Cargo.lock").parse().unwrap();
    let is_ours =
        |one: &&toml::Value| one["name"].as_str().is_some_and(|name| name == "mastor" || name.starts_with("mastor-"));
    let ours: Vec<&toml::Value> = lock["package"].as_array().unwrap().iter().filter(is_ours).collect();
    assert!(ours.len() > 20 && ours.iter().all(|one| one["version"].as_str() == Some(version.as_str())), "{ours:?}");
    assert_eq!(
        repo.read("CHANGELOG.md"),
        CHANGELOG.replace("## Unreleased\n", &format!("## Unreleased\n\n## {version} - 2026-11-28\n"))
    );
    // Neither README nor docs contain the old version or the placeholder for the owner.
    let old = format!("v{}", env!("CARGO_PKG_VERSION"));
    for file in repo
        .git(["ls-files", "README.md", "docs"])
        .lines()
        .filter(|file| !file.ends_with(".png") && *file != "docs/ROADMAP.md")
    {
        let text = repo.read(file);
        assert!(!text.contains(&old) && !text.contains("OWNER/mastor"), "{file}");
    }
    let readme = repo.read("README.md");
    assert!(readme.contains(&format!("  - uses: acme/oracles@v{version}\n")), "{readme}");
    assert!(
        repo.read("docs/ci/sharded.yml").contains(&format!("uses: acme/oracles/setup@{} # v{version}", "0".repeat(40)))
    );
    assert!(repo.read("docs/ci/gitlab-ci.yml").contains(&format!("{}/releases/download/v{version}/mastor-", TO[1])));
    // The workflow's check before the build, and the release notes.
    run(&repo, ".github/release/check.sh", &[&version, TO[1]]).ends(0);
    run(&repo, ".github/release/check.sh", &[&version, "https://git.example/else/where"])
        .ends(1)
        .says(&["another repository"]);
    run(&repo, ".github/release/check.sh", &[&later, TO[1]]).ends(1).says(&["Cargo.lock has another version"]);
    let notes = run(&repo, ".github/release/notes.sh", &[&version]).ends(0).out;
    assert_eq!(notes, "\n### Added\n\n- A thing.\n\n");

    // The next release knows the repository's URL.
    cut(&repo, &later, &[]).ends(1).says(&["nothing under Unreleased"]);
    let changelog = repo.read("CHANGELOG.md").replace("## Unreleased\n", "## Unreleased\n\n- Another thing.\n");
    let repo = repo.file("CHANGELOG.md", changelog).commit("Go on");
    cut(&repo, &later, &[]).ends(0).says(&["--repo acme/oracles"]);
    assert!(repo.read("README.md").contains(&format!("acme/oracles@v{later}\n")));
    let moved = repo.read("CHANGELOG.md").replace("## Unreleased\n", "## Unreleased\n\n- It moved.\n");
    let repo = repo.file("CHANGELOG.md", moved).commit("Move");
    cut(&repo, &later, &[]).ends(1).says(&["CHANGELOG.md has", "already"]);
}

#[test]
fn a_release_that_cannot_be_made_changes_nothing() {
    let [version, _] = next();
    let repo = repo();
    let head = repo.git(["rev-parse", "HEAD"]);
    cut(&repo, &version, &[]).ends(1).says(&["say where mastor lives"]);
    cut(&repo, "next", &TO).ends(1).says(&["say the version"]);
    cut(&repo, "0.0.1", &TO).ends(1).says(&["is older than"]);
    cut(&repo, &version, &["--repository", "git.example/acme"]).ends(1).says(&["say where mastor lives"]);
    // A failure before the commit undoes all changes.
    run(&repo, ".github/release.sh", &[&[version.as_str(), "--checks", "exit 3"], &TO[..]].concat())
        .ends(3)
        .says(&["nothing was changed"]);
    assert_eq!(repo.git(["status", "--porcelain"]), "");
    repo.git(["tag", &format!("v{version}")]);
    cut(&repo, &version, &TO).ends(1).says(&["is there already"]);
    repo.git(["tag", "--delete", &format!("v{version}")]);
    repo.git(["checkout", "-q", "-b", "feature"]);
    cut(&repo, &version, &TO).ends(1).says(&["is made of main"]);
    repo.git(["checkout", "-q", "main"]);
    let repo = repo.file("README.md", "edited");
    cut(&repo, &version, &TO).ends(1).says(&["not clean"]);
    repo.git(["checkout", "-q", "README.md"]);
    assert_eq!(repo.git(["rev-parse", "HEAD"]), head);
    // In a clone, the repository's URL comes from the remote.
    repo.git(["remote", "add", "origin", "git@git.example:acme/oracles.git"]);
    cut(&repo, &version, &[]).ends(0);
    assert!(repo.read("Cargo.toml").contains("repository = \"https://git.example/acme/oracles\""));
}
