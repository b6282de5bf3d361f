//! The README and the pages beside it: every link has a target, every command exists, and the pictures show the demo's current output.

use std::path::{Path, PathBuf};

use crate::support::Repo;
use crate::tools::finds_nothing;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The Markdown pages in the root, `docs`, `docs/reference` and `benches`.
fn pages() -> Vec<PathBuf> {
    let of = |folder: &str| std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "md");
    ["README.md", "CHANGELOG.md", "SECURITY.md"].iter().for_each(|page| assert!(root().join(page).exists(), "{page}"));
    of(".").chain(of("docs")).chain(of("docs/reference")).chain(of("benches")).filter(is_page).collect()
}

/// The link targets of a page, without external URLs.
fn targets(text: &str) -> Vec<&str> {
    let after = |mark: &'static str, end: char| text.split(mark).skip(1).filter_map(move |rest| rest.split(end).next());
    let all = after("](", ')').chain(after("src=\"", '"')).chain(after("srcset=\"", '"'));
    all.filter(|target| !target.contains("://") && !target.contains(' ')).collect()
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap();
    let headings =
        text.lines().filter_map(|line| line.strip_prefix('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    headings.map(|line| line.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

#[test]
fn every_link_of_the_pages_leads_somewhere() {
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for target in targets(&text) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(path.exists(), "{}: {target}", page.display());
            let is_there = anchor.is_empty() || anchors(&path).contains(&anchor.to_owned());
            assert!(is_there, "{}: no heading for {target}", page.display());
            count += 1;
        }
    }
    assert!(count > 150, "{count} links");
}

#[test]
fn every_path_that_the_pages_for_developers_name_is_there() {
    let folders = ["src/", "tests/", "benches/", "docs/", "templates/", "prompts/", "examples/", ".github/"];
    let mut count = 0;
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/ROADMAP.md", "benches/RESULTS.md"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let is_path = |word: &&str| folders.iter().any(|folder| word.starts_with(folder)) && !word.contains(' ');
        for path in text.split('`').skip(1).step_by(2).filter(is_path) {
            assert!(root().join(path).exists(), "{page}: {path}");
            count += 1;
        }
    }
    assert!(count > 200, "{count} paths");
}

/// Every Rust file below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => found.extend(sources(&path)),
            false if path.extension().is_some_and(|kind| kind == "rs") => found.push(path),
            false => {}
        }
    }
    found
}

#[test]
fn every_section_that_comments_cite_is_there() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut count = 0;
    for path in sources(&root().join("src")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let words = |line: &str| line.trim_start_matches([' ', '/', '!']).to_owned();
        let text = text.lines().map(words).collect::<Vec<_>>().join(" ");
        for cited in text.split("ARCHITECTURE.md, *").skip(1).filter_map(|rest| rest.split('*').next()) {
            assert!(page.contains(&format!("# {cited}\n")), "{}: {cited}", path.display());
            count += 1;
        }
    }
    assert!(count > 0, "{count} sections");
}

#[test]
fn forms_and_citation_are_what_they_should_be() {
    let forms = ["told-wrongly.yml", "fault.yml"].map(|name| format!(".github/ISSUE_TEMPLATE/{name}"));
    finds_nothing("check-jsonschema", &["--builtin-schema", "vendor.github-issue-forms"], &forms);
    let config = [".github/ISSUE_TEMPLATE/config.yml".to_owned()];
    finds_nothing("check-jsonschema", &["--builtin-schema", "vendor.github-issue-config"], &config);
    let citation = ["CITATION.cff".to_owned()];
    finds_nothing("check-jsonschema", &["--builtin-schema", "vendor.citation-file-format"], &citation);
}

#[test]
fn every_command_of_the_readme_is_one() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let words = |line: &str| line.strip_prefix("mastor ").and_then(|rest| rest.split(' ').next()).map(str::to_owned);
    let mut commands: Vec<String> = text.lines().filter_map(words).collect();
    assert!(
        ["cargo install --locked --git", "cargo binstall --git", "docker build", "- uses: "]
            .iter()
            .all(|way| text.contains(way))
    );
    commands.sort();
    commands.dedup();
    assert!(commands.len() > 10, "{commands:?}");
    let folder = Repo::bare_folder();
    for command in &commands {
        let help = folder.run([command.as_str(), "--help"]).ends(0).out;
        assert!(help.contains("Usage: mastor"), "{command}: {help}");
    }
}

#[test]
fn the_pictures_show_what_the_demo_says() {
    let folder = Repo::bare_folder();
    let said = folder.run(["demo", "--no-service", "--dir", "demo"]).ends(0);
    let picture = std::fs::read_to_string(root().join("docs/pictures/demo-light.svg")).unwrap();
    let plain =
        |text: &str| text.replace("&quot;", "\"").replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&");
    let texts = picture.split("font-size=\"14\">").skip(1).filter_map(|rest| rest.split("</text>").next()).map(plain);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = words(&texts.collect::<Vec<_>>().join(" "));
    let report = said.out.split("\n\n").next().unwrap();
    let (report, _seconds) = report.rsplit_once(" · ").unwrap();
    let found = said.err.split("What was planted").nth(1).unwrap().lines().take(4).collect::<Vec<_>>().join(" ");
    let wanted = words(&format!("$ mastor ci --since main {report} What was planted{found}"));
    assert_eq!(shown, wanted, "run docs/pictures/make.py");
}
