//! The site that mdbook builds: every page is in the table of contents once, no page links to a file outside it, and no built link is dead.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{pages, pages_below, project, text};
use crate::support::Repo;
use crate::tools;

/// The links of a text: what stands between `mark` and `end`.
fn links<'t>(text: &'t str, mark: &'t str, end: char) -> impl Iterator<Item = &'t str> {
    text.split(mark).skip(1).filter_map(move |rest| rest.split(end).next())
}

#[test]
fn every_page_stands_once_in_the_summary() {
    let summary = text("docs/SUMMARY.md");
    let listed: Vec<String> = links(&summary, "](", ')').map(|path| format!("docs/{path}")).collect();
    let all: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(all.len(), listed.len(), "a page stands twice: {listed:?}");
    let wanted: BTreeSet<String> = pages().into_iter().filter(|page| page.starts_with("docs/")).collect();
    assert_eq!(all, wanted);
    let parts: Vec<&str> = summary.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    assert_eq!(parts, ["Summary", "Tutorial", "How-to", "Reference", "Explanation"]);
}

#[test]
fn no_page_of_the_site_leads_to_a_file_that_is_not_on_it() {
    let off = ["SUMMARY.md", "ROADMAP.md"];
    for page in pages_below("docs").iter().filter(|page| *page != "docs/ROADMAP.md") {
        let text = text(page);
        for target in links(&text, "](", ')').filter(|target| !target.contains("://")) {
            assert!(!off.iter().any(|name| target.starts_with(name)), "{page}: {target}");
            let folder = Path::new(page).parent().unwrap();
            let depth = folder.components().count() - 1;
            assert!(target.matches("../").count() <= depth, "{page}: {target} leaves the site");
        }
    }
}

/// Every file below a folder with this suffix.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(files(&path, end));
        } else if path.to_str().unwrap().ends_with(end) {
            out.push(path);
        }
    }
    out
}

#[test]
fn the_site_is_built_and_no_link_of_it_is_dead() {
    let Some(mdbook) = tools::path("mdbook") else { return };
    let folder = Repo::bare_folder();
    let to = folder.path().join("site");
    let output = Command::new(mdbook).arg("build").arg(project("")).arg("--dest-dir").arg(&to).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("WARN"), "{said}");
    let pages: BTreeMap<PathBuf, String> =
        files(&to, ".html").into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect();
    let mut count = 0;
    for (page, text) in pages.iter().filter(|(page, _)| !page.ends_with("404.html") && !page.ends_with("print.html")) {
        let main = text.split("<main>").nth(1).and_then(|rest| rest.split("</main>").next()).unwrap_or(text);
        for link in links(main, "href=\"", '"').chain(links(main, "src=\"", '"')) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", page.display());
            let target = target.canonicalize().unwrap();
            let has = |text: &String| anchor.is_empty() || text.contains(&format!("id=\"{anchor}\""));
            assert!(pages.get(&target).is_none_or(has), "{}: {link}", page.display());
            count += 1;
        }
    }
    assert!(pages.len() > 20 && count > 200, "{} pages, {count} links", pages.len());
}
