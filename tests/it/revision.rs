//! Revisions of real git repositories: commits, the work tree, and everything that is not a plain UTF-8 file.

use mastor::revision::{ChangeKind, HistoryKind, RevisionError, SourceTree, TEXT_LIMIT, changes};

use crate::support::Repo;

fn open(repo: &Repo) -> mastor::revision::Repo {
    mastor::revision::Repo::discover(repo.path()).unwrap()
}

fn at_head(repo: &Repo) -> SourceTree {
    let repo = open(repo);
    repo.tree_at(repo.head().unwrap().id).unwrap()
}

fn work_tree(repo: &Repo) -> SourceTree {
    open(repo).work_tree().unwrap()
}

fn paths(tree: &SourceTree) -> Vec<&str> {
    tree.files().map(|file| file.path.as_str()).collect()
}

fn warned(tree: &SourceTree) -> Vec<String> {
    tree.warnings().iter().map(|w| format!("{} {}", w.code, w.file.as_deref().unwrap_or("-"))).collect()
}

#[test]
fn a_commit_is_read_without_a_checkout() {
    let repo = Repo::new().file("src/A.java", "class A {}").file("b.txt", "b").commit("first");
    let first = open(&repo).head().unwrap();
    let repo = repo.remove("b.txt").file("src/A.java", "class A { int x; }").commit("second");
    let tree = open(&repo).tree_at(first.id).unwrap();
    assert_eq!(paths(&tree), ["b.txt", "src/A.java"]);
    assert_eq!(tree.text("src/A.java").unwrap().text, "class A {}");
    assert_eq!(tree.label(), first.short());
    assert_eq!(tree.get("b.txt").unwrap().blob.to_string(), repo.git(["rev-parse", "HEAD~1:b.txt"]));
    assert_eq!((first.subject.as_str(), first.parents.len()), ("first", 0));
}

#[test]
fn a_repository_is_found_from_a_folder_below() {
    let repo = Repo::new().file("a/b/c.txt", "").commit("first");
    let found = mastor::revision::Repo::discover(&repo.path().join("a/b")).unwrap();
    assert_eq!(found.relative(&repo.path().join("a/b")).unwrap(), "a/b");
    assert_eq!(found.relative(repo.path()).unwrap(), "");
    assert!(matches!(found.relative(&repo.path().join("..")), Err(RevisionError::OutsideRepository { .. })));
    assert_eq!(found.branch().as_deref(), Some("main"));
}

#[test]
fn outside_a_repository_is_an_error_that_names_the_folder() {
    let folder = Repo::bare_folder();
    let error = mastor::revision::Repo::discover(folder.path()).err().unwrap();
    assert!(matches!(error, RevisionError::NoRepository { .. }), "{error}");
}

#[test]
fn no_commits_is_an_error_for_head_and_a_work_tree_of_new_files() {
    let repo = Repo::new().file("A.java", "class A {}");
    assert!(matches!(open(&repo).head(), Err(RevisionError::NoCommits)));
    assert!(matches!(open(&repo).base("main"), Err(RevisionError::NoCommits)));
    assert_eq!(open(&repo).branch().as_deref(), Some("main"));
    assert_eq!(paths(&work_tree(&repo)), ["A.java"]);
}

#[test]
fn a_detached_head_is_a_head() {
    let repo = Repo::new().commit("first").commit("second");
    repo.git(["checkout", "-q", "--detach", "HEAD~1"]);
    assert_eq!(open(&repo).head().unwrap().subject, "first");
    assert_eq!(open(&repo).branch(), None);
    assert_eq!(open(&repo).base("main").unwrap().merge_base.subject, "first");
}

#[test]
fn the_work_tree_is_head_with_what_is_changed_new_and_gone() {
    let repo = Repo::new().file(".gitignore", "*.log\nbuild/\n").file("same", "1").file("changed", "1");
    let repo = repo.file("gone", "1").file("staged-gone", "1").file("kept", "1").commit("first");
    assert!(!open(&repo).is_dirty().unwrap());
    let repo = repo.file("x.log", "").file("build/y", "").file(".mastor/out/r", "").file(".mastor/cache/c", "");
    assert!(!open(&repo).is_dirty().unwrap());
    let repo = repo.file("changed", "2").file("new/file", "3").file("staged", "4").remove("gone");
    repo.git(["rm", "-q", "staged-gone"]);
    repo.git(["rm", "-q", "--cached", "kept"]);
    repo.git(["add", "staged"]);
    assert!(open(&repo).is_dirty().unwrap());
    let tree = work_tree(&repo);
    assert_eq!(paths(&tree), [".gitignore", "changed", "kept", "new/file", "same", "staged"]);
    assert_eq!(&*tree.read("changed").unwrap(), b"2");
    assert_eq!(&*tree.read("new/file").unwrap(), b"3");
    assert_eq!(&*tree.read("same").unwrap(), b"1");
    assert_eq!(tree.get("changed").unwrap().blob.to_string(), repo.git(["hash-object", "changed"]));
    assert_eq!(tree.label(), "work tree");
    assert!(tree.warnings().is_empty());
}

#[test]
fn what_this_program_writes_is_no_part_of_a_commit_either() {
    let repo =
        Repo::new().file("svc/.mastor/out/report.json", "{}").file("svc/.mastor/suite/a.json", "{}").commit("all");
    assert_eq!(paths(&at_head(&repo)), ["svc/.mastor/suite/a.json"]);
}

#[test]
fn a_suite_that_is_not_committed_makes_the_work_tree_dirty() {
    let repo = Repo::new().commit("first").file(".mastor/suite/a.json", "{}");
    assert!(open(&repo).is_dirty().unwrap());
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_named_and_not_followed() {
    use std::os::unix::fs::symlink;
    let repo = Repo::new().file("real/A.java", "class A {}");
    symlink("real/A.java", repo.path().join("link.java")).unwrap();
    symlink("real", repo.path().join("folder")).unwrap();
    let repo = repo.commit("first");
    let expected = ["symlink-not-followed folder", "symlink-not-followed link.java"];
    assert_eq!(paths(&at_head(&repo)), ["real/A.java"]);
    assert_eq!(warned(&at_head(&repo)), expected);
    assert_eq!(warned(&work_tree(&repo)), expected);

    symlink("/etc/hostname", repo.path().join("untracked")).unwrap();
    let repo = repo.remove("real/A.java");
    symlink("/etc/hostname", repo.path().join("real/A.java")).unwrap();
    let repo = repo.remove("link.java").file("link.java", "class B {}");
    let tree = work_tree(&repo);
    assert_eq!(paths(&tree), ["link.java"]);
    assert_eq!(
        warned(&tree),
        ["symlink-not-followed folder", "symlink-not-followed real/A.java", "symlink-not-followed untracked"]
    );
}

#[test]
fn submodules_and_repositories_inside_are_named_and_not_read() {
    let inner = Repo::new().file("Inner.java", "class Inner {}").commit("inner");
    let repo = Repo::new().file("A.java", "class A {}");
    let url = format!("file://{}", inner.path().display());
    repo.git(["submodule", "--quiet", "add", &url, "libs/inner"]);
    let repo = repo.commit("first");
    assert_eq!(paths(&at_head(&repo)), [".gitmodules", "A.java"]);
    assert_eq!(warned(&at_head(&repo)), ["submodule-not-read libs/inner"]);
    assert_eq!(paths(&work_tree(&repo)), [".gitmodules", "A.java"]);
    assert!(!open(&repo).is_dirty().unwrap());
    repo.git(["clone", "-q", &url, "nested"]);
    assert_eq!(paths(&work_tree(&repo)), [".gitmodules", "A.java"]);
    assert_eq!(warned(&work_tree(&repo)), ["submodule-not-read libs/inner", "submodule-not-read nested"]);
}

#[test]
fn text_that_is_not_utf8_is_read_and_named() {
    let repo = Repo::new().file("L.java", b"// caf\xe9".as_slice()).file("U.java", "// é").commit("first");
    let tree = at_head(&repo);
    assert_eq!(tree.text("L.java").unwrap().text, "// café");
    assert!(!tree.text("U.java").unwrap().lossy);
    assert_eq!(warned(&tree), ["not-utf8 L.java"]);
}

#[test]
fn a_file_over_the_limit_is_named_when_it_is_asked_for() {
    let big = vec![b' '; TEXT_LIMIT as usize + 1];
    let repo = Repo::new().file("Big.java", &big).commit("first");
    for tree in [at_head(&repo), work_tree(&repo.file("New.java", &big))] {
        assert!(warned(&tree).is_empty());
        for entry in tree.files() {
            assert!(matches!(tree.text(&entry.path), Err(RevisionError::FileTooLarge { .. })));
        }
        assert_eq!(tree.warnings().len(), tree.files().len());
    }
}

#[test]
fn line_ends_of_a_changed_file_are_those_that_git_would_store() {
    let repo = Repo::new().file("auto.txt", "a\n").file("crlf.txt", "a\r\n").commit("first");
    repo.git(["config", "core.autocrlf", "true"]);
    let repo = repo.file("auto.txt", "a\r\nb\r\n").file("crlf.txt", "a\r\nb\r\n").file("bin", "\0\r\n");
    let tree = work_tree(&repo);
    for file in ["auto.txt", "crlf.txt", "bin"] {
        repo.git(["add", file]);
        assert_eq!(tree.get(file).unwrap().blob.to_string(), repo.git(["rev-parse", &format!(":{file}")]), "{file}");
    }
    assert_eq!(&*tree.read("auto.txt").unwrap(), b"a\nb\n");
    assert_eq!(&*tree.read("crlf.txt").unwrap(), b"a\r\nb\r\n");
}

#[test]
fn attributes_decide_line_ends_before_the_configuration() {
    let repo = Repo::new().file(".gitattributes", "*.lf text\n*.raw -text\n*.eol eol=lf\n").commit("first");
    repo.git(["config", "core.autocrlf", "true"]);
    let repo = repo.file("a.lf", "1\r\n").file("a.raw", "1\r\n").file("a.eol", "1\r\n");
    let tree = work_tree(&repo);
    assert_eq!(&*tree.read("a.lf").unwrap(), b"1\n");
    assert_eq!(&*tree.read("a.raw").unwrap(), b"1\r\n");
    assert_eq!(&*tree.read("a.eol").unwrap(), b"1\n");
}

#[test]
fn a_linked_work_tree_is_a_repository_with_a_head_of_its_own() {
    let repo = Repo::new().file("A.java", "class A {}").commit("first");
    let linked = Repo::bare_folder();
    repo.git(["worktree", "add", "-q", "-b", "side", linked.path().to_str().unwrap()]);
    let linked = linked.file("B.java", "class B {}");
    let found = open(&linked);
    assert_eq!(found.branch().as_deref(), Some("side"));
    assert_eq!(found.workdir().unwrap().canonicalize().unwrap(), linked.path().canonicalize().unwrap());
    assert_eq!(paths(&found.work_tree().unwrap()), ["A.java", "B.java"]);
    assert_eq!(paths(&work_tree(&repo)), ["A.java"]);
}

#[test]
fn a_bare_repository_has_commits_and_no_work_tree() {
    let repo = Repo::new().file("A.java", "class A {}").commit("first").cloned(&["--bare"]);
    assert_eq!(paths(&at_head(&repo)), ["A.java"]);
    assert!(!open(&repo).is_dirty().unwrap());
    assert!(matches!(open(&repo).work_tree(), Err(RevisionError::NoWorkTree)));
}

#[test]
fn a_sparse_checkout_is_as_complete_as_its_commit() {
    let repo = Repo::new().file("in/A.java", "class A {}").file("out/B.java", "class B {}").commit("first");
    repo.git(["sparse-checkout", "set", "in"]);
    assert!(!repo.path().join("out/B.java").exists());
    assert!(!open(&repo).is_dirty().unwrap());
    assert_eq!(paths(&work_tree(&repo)), ["in/A.java", "out/B.java"]);
}

#[test]
fn an_object_that_git_lacks_is_named() {
    let repo = Repo::new().file("A.java", "class A {}").file("B.java", "class B {}").commit("first");
    let blob = repo.git(["rev-parse", "HEAD:A.java"]);
    std::fs::remove_file(repo.path().join(".git/objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    let tree = at_head(&repo);
    assert_eq!(tree.text("B.java").unwrap().text, "class B {}");
    assert!(matches!(tree.text("A.java"), Err(RevisionError::ObjectMissing { .. })));
    assert_eq!(warned(&tree), ["object-missing A.java"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_utf8_is_named_and_left_out() {
    use std::os::unix::ffi::OsStrExt;
    let repo = Repo::new().file("A.java", "class A {}");
    std::fs::write(repo.path().join(std::ffi::OsStr::from_bytes(b"\xe9.java")), "class E {}").unwrap();
    let named = ["path-not-utf8 \u{fffd}.java"];
    assert_eq!(warned(&work_tree(&repo)), named);
    let repo = repo.commit("first");
    assert_eq!(paths(&at_head(&repo)), ["A.java"]);
    assert_eq!(warned(&at_head(&repo)), named);
}

#[cfg(target_os = "linux")]
#[test]
fn a_repository_of_another_owner_is_read_as_in_a_container_job() {
    let repo = Repo::new().file("A.java", "class A {}").commit("first");
    let linked = Repo::bare_folder();
    repo.git(["worktree", "add", "-q", "-b", "side", linked.path().to_str().unwrap()]);
    for folder in [repo.path(), linked.path()] {
        let owned = Repo::bare_folder().command("chown").args(["-R", "12345"]).arg(folder).status();
        if !owned.unwrap().success() {
            eprintln!("not run: only root can give a folder away");
            return;
        }
    }
    for repo in &[repo.file("B.java", "class B {}"), linked.file("B.java", "class B {}")] {
        assert_eq!(paths(&at_head(repo)), ["A.java"]);
        assert_eq!(paths(&work_tree(repo)), ["A.java", "B.java"]);
        assert!(open(repo).is_dirty().unwrap());
    }
}

#[test]
fn history_follows_the_first_parents() {
    let repo = Repo::new().commit("one").branch("side").file("s", "").commit("on side").branch("main");
    let repo = repo.commit("two").merge("side").commit("three");
    let git = open(&repo);
    let head = git.head().unwrap();
    let subjects = |count, kind| -> Vec<String> {
        git.history(head.id, count, kind).unwrap().into_iter().map(|commit| commit.subject).collect()
    };
    assert_eq!(subjects(9, HistoryKind::Commits), ["three", "Merge side", "two", "one"]);
    assert_eq!(subjects(2, HistoryKind::Commits), ["three", "Merge side"]);
    assert_eq!(subjects(9, HistoryKind::Merges), ["Merge side"]);
    assert!(head.committer_time > git.resolve("HEAD~2").unwrap().committer_time);
}

#[test]
fn changes_between_commits_find_renames() {
    let body = "class A {\n  int one() { return 1; }\n  int two() { return 2; }\n}\n";
    let repo = Repo::new().file("a/A.java", body).file("b.txt", "1\n").file("c.txt", "1").commit("first");
    let repo =
        repo.rename("a/A.java", "x/y/A.java").file("b.txt", "2\n").remove("c.txt").file("d.md", "new").commit("next");
    let git = open(&repo);
    let base = git.tree_at(git.resolve("HEAD~1").unwrap().id).unwrap();
    let found: Vec<_> = changes(&base, &at_head(&repo)).into_iter().map(|c| (c.kind, c.path, c.old_path)).collect();
    let expected = [
        (ChangeKind::Modified, "b.txt", None),
        (ChangeKind::Deleted, "c.txt", None),
        (ChangeKind::Added, "d.md", None),
        (ChangeKind::Renamed, "x/y/A.java", Some("a/A.java")),
    ];
    assert_eq!(found, expected.map(|(kind, path, old)| (kind, path.to_owned(), old.map(str::to_owned))));
}

#[test]
fn many_threads_read_one_tree() {
    use rayon::prelude::*;
    let repo = (0..200).fold(Repo::new(), |repo, n| repo.file(&format!("f{n}"), format!("{n}"))).commit("all");
    repo.git(["gc", "-q"]);
    let tree = at_head(&repo);
    tree.entries().par_iter().for_each(|entry| assert_eq!(tree.text(&entry.path).unwrap().text, entry.path[1..]));
}
