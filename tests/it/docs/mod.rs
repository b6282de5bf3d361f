//! The pages below `docs/`: the site that mdbook builds, the generated reference, and the examples, which are run.

mod commands;
mod examples;
mod exits;
mod markdown;
mod sessions;
mod settings;
mod site;

use std::path::{Path, PathBuf};

/// A path in the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The text of a file of the project.
fn text(path: &str) -> String {
    std::fs::read_to_string(project(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Paths of all Markdown pages below a folder of the project, sorted; folders of pictures and of the example are skipped.
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

/// The pages for users: the README and `docs/`, without the table of contents and the roadmap.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    pages.extend(
        pages_below("docs").into_iter().filter(|path| !matches!(path.as_str(), "docs/SUMMARY.md" | "docs/ROADMAP.md")),
    );
    pages
}

/// Compares a generated page with the committed one, or writes it with `MASTOR_BLESS=1`.
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
