//! The pages below `docs/`: the site that mdbook makes of them, the reference that is made from the program, and their examples, which are run.

mod commands;
mod examples;
mod exits;
mod markdown;
mod sessions;
mod settings;
mod site;

use std::path::{Path, PathBuf};

/// A path of the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The text of a file of the project.
fn text(path: &str) -> String {
    std::fs::read_to_string(project(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every Markdown page below a folder of the project, by its path from the root, sorted; pictures and the example have none.
fn pages_below(folder: &str) -> Vec<String> {
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(project(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        match entry.file_type().unwrap().is_dir() {
            true if path != "docs/pictures" => pages.extend(pages_below(&path)),
            false if path.ends_with(".md") => pages.push(path),
            _ => {}
        }
    }
    pages.sort();
    pages
}

/// What a user reads: the README and all pages of `docs/`, but for the list of the site and the roadmap, which is for developers.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    pages.extend(
        pages_below("docs").into_iter().filter(|path| !matches!(path.as_str(), "docs/SUMMARY.md" | "docs/ROADMAP.md")),
    );
    pages
}

/// Holds a page that is made against the committed one, or writes it with `MASTOR_BLESS=1`.
#[track_caller]
fn is_as_made(path: &str, made: &str) {
    if std::env::var_os("MASTOR_BLESS").is_some() {
        std::fs::write(project(path), made).unwrap();
    }
    let known = std::fs::read_to_string(project(path)).unwrap_or_default();
    if known != made {
        let differs = known.lines().zip(made.lines()).find(|(was, is)| was != is);
        let (was, is) = differs.unwrap_or(("another number of lines", ""));
        panic!("{path} is out of date (MASTOR_BLESS=1 cargo nextest run docs):\n- {was}\n+ {is}");
    }
}
