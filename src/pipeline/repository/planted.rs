//! Refuses checkouts that bring along a cache, the output of a run or symbolic links below `.mastor`: these could forge
//! results or lead out of the repository.

use std::path::Path;

use mastor_revision::Tracked;
use mastor_store::links;
use mastor_suite::{CACHE_DIR, LOCK_DIR, OUT_DIR, SUITE_DIR};
use mastor_types::error::{Exit, Failure};

/// Refuses a repository that tracks files in its `.mastor` folders that only a run of mastor makes, or that has a
/// symbolic link where mastor writes.
///
/// # Errors
/// Exit 2 with the path.
pub fn refuse(tracked: &[Tracked], root: &Path) -> Result<(), Failure> {
    for path in tracked {
        if let Some(what) = what_is_wrong(&path.path, path.is_file) {
            return Err(Failure::new(Exit::Usage, format!("`{}` is tracked by git: {what}", path.path))
                .hint(format!("take it out with `git rm -r --cached {}`", path.path)));
        }
    }
    for folder in [OUT_DIR, CACHE_DIR, SUITE_DIR, LOCK_DIR, ".mastor/out/export", ".mastor/out/logs"] {
        if let Some(link) = links::first(&root.join(folder)) {
            let shown = link.strip_prefix(root).unwrap_or(&link).display().to_string();
            return Err(Failure::new(
                Exit::Usage,
                format!("`{shown}` is a symbolic link: nothing is read or written through one"),
            )
            .hint("put a folder in its place"));
        }
    }
    Ok(())
}

/// Why a path of a `.mastor` folder must not be tracked, if it must not. Letter case is ignored, as some file systems
/// do.
fn what_is_wrong(path: &str, is_file: bool) -> Option<&'static str> {
    let lower = path.to_ascii_lowercase();
    let mut parts = lower.split('/').skip_while(|part| *part != ".mastor").skip(1);
    match parts.next() {
        None => Some("only a folder may have this name"),
        Some("cache") => Some("a cache is made by the machine that uses it"),
        Some("out") => Some("what a run puts out is no source of another"),
        Some(_) if !is_file => Some("no symbolic link and no other repository may stand here"),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_may_be_tracked_and_nothing_that_a_run_makes() {
        for path in [".mastor/suite/a.json", "a/.mastor/lock/a.lock", ".mastor/.gitattributes"] {
            assert_eq!(what_is_wrong(path, true), None, "{path}");
            assert!(what_is_wrong(path, false).is_some(), "{path}");
        }
        for path in [".mastor", "a/.mastor/cache/facts/00/11", ".Mastor/OUT", ".mastor/out/report.json"] {
            assert!(what_is_wrong(path, true).is_some(), "{path}");
        }
    }
}
