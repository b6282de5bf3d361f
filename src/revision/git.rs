//! The gateway to git, the only file that uses git2. A user's repository is only read, except for writing a requested
//! commit object that no branch points to. Only repositories made by [`Scratch::create`], such as the demo's, are
//! changed further.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use git2::{AttrCheckFlags, AttrValue, ErrorCode, ObjectType, Oid, Repository, Status, StatusOptions};

use super::commit::{Commit, HistoryKind};
use super::eol::Conversion;
use super::error::RevisionError;
use super::id::{BlobId, CommitId};
use super::objects::{Files, whole_file};
use super::tree::{BlobSource, FileEntry, Listing, ReadFailure, SourceTree};
use mastor_types::Warning;

type Result<T, E = RevisionError> = std::result::Result<T, E>;

/// A git repository, opened for reading. Cheap to clone and usable from many threads.
#[derive(Clone)]
pub struct Repo {
    handles: Arc<Handles>,
}

/// How a path of the work tree differs from HEAD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathState {
    /// Path from the root; that of a nested repository ends in `/`.
    pub path: Vec<u8>,
    /// Whether the path exists on disk (otherwise it was deleted).
    pub on_disk: bool,
}

/// A path that the index tracks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracked {
    /// Path from the root.
    pub path: String,
    /// Whether it is a regular file: neither a symbolic link nor a submodule.
    pub is_file: bool,
}

/// Mask of the file-type bits in an index entry's mode, and the value for a regular file.
const KIND_OF_FILE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;

/// A pool of open repository handles: libgit2's cannot be shared between threads, so each thread borrows one.
struct Handles {
    git_dir: PathBuf,
    work_dir: Option<PathBuf>,
    /// Whether the repository has another owner, see [`open`].
    foreign: bool,
    free: Mutex<Vec<Repository>>,
}

impl Repo {
    /// Finds the repository at `dir` or in the nearest parent folder; also a linked work tree, a bare repository, or
    /// one of another owner.
    pub fn discover(dir: &Path) -> Result<Self> {
        // git verified every object when it was received; hashing each again would cost as much as parsing it.
        git2::opts::strict_hash_verification(false);
        let no_repository = |_| RevisionError::NoRepository { dir: dir.to_owned() };
        let git_dir = Repository::discover_path(dir, std::iter::empty::<&Path>()).map_err(no_repository)?;
        let (repository, foreign) = match open(&git_dir, false) {
            Err(error) if error.code() == ErrorCode::Owner => (open(&git_dir, true), true),
            other => (other, false),
        };
        let repository = repository.map_err(failed("open the repository"))?;
        let work_dir = repository.workdir().map(Path::to_owned);
        let handles = Handles { git_dir, work_dir, foreign, free: Mutex::new(vec![repository]) };
        Ok(Self { handles: Arc::new(handles) })
    }

    /// Root of the work tree; `None` for a bare repository.
    pub fn workdir(&self) -> Option<&Path> {
        self.handles.work_dir.as_deref()
    }

    /// The git folder: `.git`, or that of a linked work tree.
    pub fn git_dir(&self) -> &Path {
        &self.handles.git_dir
    }

    /// The folder of git hooks: `core.hooksPath`, or the repository's own.
    pub fn hooks_dir(&self) -> Result<PathBuf> {
        self.handles.with(|repository| {
            let configured = repository.config().and_then(|config| config.get_path("core.hooksPath")).ok();
            let root = self.workdir().unwrap_or(self.git_dir());
            Ok(configured.map_or_else(|| repository.commondir().join("hooks"), |dir| root.join(dir)))
        })
    }

    /// The path of a folder from the root, with `/`; empty for the root itself.
    pub fn relative(&self, dir: &Path) -> Result<String> {
        let root = self.workdir().ok_or(RevisionError::NoWorkTree)?;
        let outside = || RevisionError::OutsideRepository { dir: dir.to_owned(), root: root.to_owned() };
        let io = |source| RevisionError::Io { path: dir.display().to_string(), source };
        let real_root = fs_err::canonicalize(root).map_err(io)?;
        let real = fs_err::canonicalize(dir).map_err(io)?;
        let below = real.strip_prefix(&real_root).map_err(|_| outside())?;
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        parts.map(|parts| parts.join("/")).ok_or_else(outside)
    }

    /// The commit that HEAD names, detached or on a branch.
    pub fn head(&self) -> Result<Commit> {
        self.handles.with(|repository| match repository.head() {
            Ok(head) => head.peel_to_commit().map(|commit| describe(&commit)).map_err(failed("read HEAD")),
            Err(error) if error.code() == ErrorCode::UnbornBranch => Err(RevisionError::NoCommits),
            Err(error) => Err(failed("read HEAD")(error)),
        })
    }

    /// Name of the current branch; `None` where HEAD is detached.
    pub fn branch(&self) -> Option<String> {
        self.handles
            .with(|repository| {
                let head = repository.find_reference("HEAD").map_err(failed("read HEAD"))?;
                let name = head.symbolic_target().ok().flatten().and_then(|name| name.strip_prefix("refs/heads/"));
                Ok(name.map(str::to_owned))
            })
            .ok()
            .flatten()
    }

    /// The default branch of a remote, as recorded when it was cloned.
    pub fn branch_of_remote(&self, remote: &str) -> Option<String> {
        self.handles
            .with(|repository| {
                let head = repository.find_reference(&format!("refs/remotes/{remote}/HEAD"));
                let head = head.map_err(failed("read the remote's HEAD"))?;
                let prefix = format!("refs/remotes/{remote}/");
                let name = head.symbolic_target().ok().flatten().and_then(|name| name.strip_prefix(&prefix));
                Ok(name.map(str::to_owned))
            })
            .ok()
            .flatten()
    }

    /// The commit that a name, an id or an expression such as `HEAD~2` stands for.
    pub fn resolve(&self, spec: &str) -> Result<Commit> {
        self.handles.with(|repository| {
            let commit = repository.revparse_single(spec).and_then(|object| object.peel_to_commit());
            commit.map(|commit| describe(&commit)).map_err(|_| RevisionError::UnknownRevision { spec: spec.to_owned() })
        })
    }

    /// The commit with this id; `None` where the repository does not have it.
    pub fn commit(&self, id: CommitId) -> Option<Commit> {
        self.handles
            .with(|repository| Ok(repository.find_commit(oid(id)?).map(|commit| describe(&commit)).ok()))
            .ok()?
    }

    /// The parents that the commit object records, even at the boundary of a shallow clone.
    pub fn written_parents(&self, id: CommitId) -> Vec<CommitId> {
        let read = self.handles.with(|repository| {
            let odb = repository.odb().map_err(failed("read a commit"))?;
            let object = odb.read(oid(id)?).map_err(failed("read a commit"))?;
            let text = String::from_utf8_lossy(object.data()).into_owned();
            let head = text.lines().take_while(|line| !line.is_empty());
            let parents = head.filter_map(|line| Oid::from_str(line.strip_prefix("parent ")?).ok());
            Ok(parents.map(commit_id).collect())
        });
        read.unwrap_or_default()
    }

    /// The best common ancestor according to libgit2; `None` where there is none or the history is cut off before it.
    pub fn merge_base(&self, one: CommitId, two: CommitId) -> Result<Option<CommitId>> {
        self.handles.with(|repository| match repository.merge_base(oid(one)?, oid(two)?) {
            Ok(base) => Ok(Some(commit_id(base))),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            // Opened without the owner check, libgit2 does not know the shallow boundary and fails on missing parents.
            Err(_) if repository.is_shallow() => Ok(None),
            Err(error) => Err(failed("find the merge base")(error)),
        })
    }

    /// Whether the history is cut off (`git clone --depth`).
    pub fn is_shallow(&self) -> bool {
        self.handles.with(|repository| Ok(repository.is_shallow())).unwrap_or(false)
    }

    /// The remote to fetch from: `origin`, or else the first one.
    pub fn remote(&self) -> Option<String> {
        self.handles
            .with(|repository| {
                let names = repository.remotes().map_err(failed("list the remotes"))?;
                let mut names: Vec<String> =
                    names.iter_bytes().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
                names.sort_by_key(|name| (name != "origin", name.clone()));
                Ok(names.into_iter().next())
            })
            .ok()
            .flatten()
    }

    /// Short names of all branches, remote branches and tags, sorted.
    pub fn reference_names(&self) -> Vec<String> {
        let names = self.handles.with(|repository| {
            let references = repository.references().map_err(failed("list the references"))?;
            let short = |reference: git2::Reference<'_>| reference.shorthand().ok().map(str::to_owned);
            Ok(references.filter_map(|reference| short(reference.ok()?)).collect::<BTreeSet<_>>())
        });
        names.unwrap_or_default().into_iter().collect()
    }

    /// The last `count` commits (or merges) of the first-parent line that ends in `from`, newest first.
    pub fn history(&self, from: CommitId, count: usize, kind: HistoryKind) -> Result<Vec<Commit>> {
        self.handles.with(|repository| {
            let mut found = Vec::new();
            let mut next = Some(oid(from)?);
            while let Some(id) = next.filter(|_| found.len() < count) {
                // A missing parent marks the boundary of a shallow clone.
                let commit = match repository.find_commit(id) {
                    Err(error) if error.code() == ErrorCode::NotFound && id != oid(from)? => break,
                    other => describe(&other.map_err(failed("read the history"))?),
                };
                next = commit.parents.first().map(|parent| oid(*parent)).transpose()?;
                if kind == HistoryKind::Commits || commit.parents.len() > 1 {
                    found.push(commit);
                }
            }
            Ok(found)
        })
    }

    /// The source tree of a commit.
    pub fn tree_at(&self, id: CommitId) -> Result<SourceTree> {
        Ok(SourceTree::new(id.short(), self.listing_at(id)?, Some(self.blobs())))
    }

    /// The list of files in a commit.
    pub(super) fn listing_at(&self, id: CommitId) -> Result<Listing> {
        self.handles.with(|repository| {
            let tree = repository.find_commit(oid(id)?).and_then(|commit| commit.tree());
            let mut listing = Listing::default();
            list(repository, &tree.map_err(failed("read the tree of a commit"))?, "", &mut listing);
            Ok(listing)
        })
    }

    /// The source of blob contents.
    pub(super) fn blobs(&self) -> Arc<dyn BlobSource> {
        self.handles.clone()
    }

    /// The paths at which index or work tree differ from HEAD, including untracked files that are not ignored.
    pub(super) fn states(&self) -> Result<Vec<PathState>> {
        self.handles.with(|repository| {
            let mut options = StatusOptions::new();
            options.include_untracked(true).recurse_untracked_dirs(true).exclude_submodules(true);
            let statuses = repository.statuses(Some(&mut options)).map_err(failed("compare the work tree"))?;
            let index = repository.index().map_err(failed("read the index"))?;
            let state = |entry: git2::StatusEntry<'_>| {
                let (path, status) = (entry.path_bytes(), entry.status());
                // A sparse checkout leaves files out on purpose, so such a file is not deleted: HEAD's version counts.
                let sparse =
                    || index.get_path(&native(path)?, 0).map(|entry| entry.flags_extended & SKIP_WORKTREE != 0);
                if status == Status::WT_DELETED && sparse().unwrap_or(false) {
                    return None;
                }
                let deleted = status.contains(Status::WT_DELETED)
                    || (status.contains(Status::INDEX_DELETED) && !status.contains(Status::WT_NEW));
                Some(PathState { path: path.to_owned(), on_disk: !deleted })
            };
            Ok(statuses.iter().filter_map(state).collect())
        })
    }

    /// Tracked paths that have a folder of this name (in any case) or are named so; empty where there is no index.
    pub fn tracked_in_folder(&self, name: &str) -> Result<Vec<Tracked>> {
        self.handles.with(|repository| {
            let index = repository.index().map_err(failed("read the index"))?;
            let entries = index.iter().map(|entry| Tracked {
                path: String::from_utf8_lossy(&entry.path).into_owned(),
                is_file: entry.mode & KIND_OF_FILE == REGULAR,
            });
            Ok(entries.filter(|entry| entry.path.split('/').any(|part| part.eq_ignore_ascii_case(name))).collect())
        })
    }

    /// The line-ending conversion that attributes and configuration ask for.
    pub(super) fn conversion(&self, path: &str) -> Conversion {
        let conversion = self.handles.with(|repository| {
            // libgit2 encodes set and unset in the address of the returned string, so it must be examined before it is
            // copied.
            let attribute = |name| repository.get_attr(Path::new(path), name, AttrCheckFlags::FILE_THEN_INDEX);
            match AttrValue::from_string(attribute("text").ok().flatten()) {
                AttrValue::True => return Ok(Conversion::Always),
                AttrValue::False => return Ok(Conversion::Never),
                AttrValue::String("auto") => return Ok(Conversion::Auto),
                _ => {}
            }
            if matches!(attribute("eol"), Ok(Some("lf" | "crlf"))) {
                return Ok(Conversion::Always);
            }
            let setting = repository.config().and_then(|config| config.get_string("core.autocrlf"));
            let on = setting.is_ok_and(|setting| setting == "input" || setting == "true");
            Ok(if on { Conversion::Auto } else { Conversion::Never })
        });
        conversion.unwrap_or(Conversion::Never)
    }
}

/// `GIT_INDEX_ENTRY_SKIP_WORKTREE`.
const SKIP_WORKTREE: u16 = 1 << 14;

/// The blob id that git gives these bytes.
pub fn blob_id(bytes: &[u8]) -> BlobId {
    // Hashing bytes in memory fails only when memory is exhausted.
    Oid::hash_object(ObjectType::Blob, bytes).map_or(BlobId::from_bytes([0; 20]), blob)
}

impl Handles {
    fn with<T>(&self, work: impl FnOnce(&Repository) -> Result<T>) -> Result<T> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let repository = match free {
            Some(repository) => repository,
            None => open(&self.git_dir, self.foreign).map_err(failed("open the repository"))?,
        };
        let result = work(&repository);
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(repository);
        result
    }
}

impl BlobSource for Handles {
    fn read(&self, blob: BlobId, limit: u64) -> Result<Vec<u8>, ReadFailure> {
        let read = |repository: &Repository| {
            let read = || {
                let (odb, id) = (repository.odb()?, Oid::from_bytes(blob.as_bytes())?);
                let size = odb.read_header(id)?.0 as u64;
                Ok(if size > limit { Err(ReadFailure::TooLarge(size)) } else { Ok(odb.read(id)?.data().to_vec()) })
            };
            Ok(read().unwrap_or_else(|error: git2::Error| match error.code() {
                ErrorCode::NotFound => Err(ReadFailure::Missing),
                _ => Err(ReadFailure::Failed(error.message().to_owned())),
            }))
        };
        self.with(read).unwrap_or_else(|error| Err(ReadFailure::Failed(error.to_string())))
    }

    fn first_missing(&self, blobs: &[BlobId]) -> Option<usize> {
        let find = |repository: &Repository| {
            let odb = repository.odb().map_err(failed("read objects"))?;
            let is_missing = |blob: &BlobId| Oid::from_bytes(blob.as_bytes()).is_ok_and(|id| !odb.exists(id));
            Ok(blobs.iter().position(is_missing))
        };
        self.with(find).ok().flatten()
    }
}

/// Opens the repository with this git folder.
///
/// libgit2 refuses a repository of another owner unless `safe.directory` names it. This happens in container jobs,
/// where the checkout belongs to the host's user. The check prevents a foreign repository's configuration from running
/// commands (hooks, monitors, filters). This gateway only reads objects and runs none of these, so it opens a `foreign`
/// repository as if it were bare, which skips the check, and then sets its work tree.
fn open(git_dir: &Path, foreign: bool) -> std::result::Result<Repository, git2::Error> {
    if !foreign {
        return Repository::open(git_dir);
    }
    let repository = Repository::open_bare(git_dir)?;
    let config = repository.config()?;
    let linked = fs_err::read_to_string(git_dir.join("gitdir")).ok();
    let work_dir = match (linked, config.get_path("core.worktree")) {
        (Some(link), _) => Path::new(link.trim()).parent().map(Path::to_owned),
        (None, Ok(set)) => Some(git_dir.join(set)),
        (None, Err(_)) if config.get_bool("core.bare").unwrap_or(false) => None,
        (None, Err(_)) => git_dir.parent().map(Path::to_owned),
    };
    if let Some(work_dir) = work_dir {
        repository.set_workdir(&work_dir, false)?;
    }
    Ok(repository)
}

/// Lists a tree recursively; entries that a source tree cannot hold become warnings.
fn list(repository: &Repository, tree: &git2::Tree<'_>, prefix: &str, listing: &mut Listing) {
    for entry in tree {
        let Ok(name) = std::str::from_utf8(entry.name_bytes()) else {
            let path = format!("{prefix}{}", String::from_utf8_lossy(entry.name_bytes()));
            listing.warnings.insert(path_not_utf8(&path));
            continue;
        };
        let path = format!("{prefix}{name}");
        match (entry.kind(), entry.filemode()) {
            (Some(ObjectType::Tree), _) if is_own_output(&path) => {}
            (Some(ObjectType::Tree), _) => match repository.find_tree(entry.id()) {
                Ok(below) => list(repository, &below, &format!("{path}/"), listing),
                Err(error) => {
                    let message = format!("the folder is missing from the git repository: {}", error.message());
                    listing.warnings.insert(Warning::new("object-missing", message, Some(&path)));
                }
            },
            (_, SYMLINK) => drop(listing.warnings.insert(symlink(&path))),
            (Some(ObjectType::Blob), _) => listing.files.push(FileEntry { path, blob: blob(entry.id()) }),
            _ => drop(listing.warnings.insert(submodule(&path))),
        }
    }
}

/// A repository created by mastor, in which it may commit.
pub struct Scratch {
    repository: Repository,
    clock: std::cell::Cell<i64>,
}

impl Scratch {
    /// Creates a repository in an empty folder, on branch `branch`. Identity and times are fixed, so that commit ids
    /// are reproducible.
    pub fn create(dir: &Path, branch: &str) -> Result<Self> {
        let mut options = git2::RepositoryInitOptions::new();
        options.initial_head(branch).external_template(false).no_reinit(true);
        let repository = Repository::init_opts(dir, &options).map_err(failed("make a repository"))?;
        let mut config = repository.config().map_err(failed("open the configuration"))?;
        config.set_bool("core.autocrlf", false).map_err(failed("write the configuration"))?;
        Ok(Self { repository, clock: std::cell::Cell::new(1_767_225_600) })
    }

    /// Commits the whole folder, dated one minute after the previous commit.
    pub fn commit_all(&self, message: &str) -> Result<CommitId> {
        let mut index = self.repository.index().map_err(failed("open the index"))?;
        index.add_all(["*"], git2::IndexAddOption::DEFAULT, None).map_err(failed("add files"))?;
        index.update_all(["*"], None).map_err(failed("add files"))?;
        index.write().map_err(failed("write the index"))?;
        let tree = index.write_tree().and_then(|id| self.repository.find_tree(id)).map_err(failed("write a tree"))?;
        self.clock.set(self.clock.get() + 60);
        let time = git2::Time::new(self.clock.get(), 0);
        let author = git2::Signature::new("mastor demo", "demo@mastor.invalid", &time).map_err(failed("sign"))?;
        let parent = self.repository.head().ok().and_then(|head| head.peel_to_commit().ok());
        let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
        let id = self.repository.commit(Some("HEAD"), &author, &author, message, &tree, &parents);
        id.map(commit_id).map_err(failed("commit"))
    }

    /// Creates a branch at HEAD and checks it out.
    pub fn start_branch(&self, name: &str) -> Result<()> {
        let head = self.repository.head().and_then(|head| head.peel_to_commit()).map_err(failed("read HEAD"))?;
        self.repository.branch(name, &head, false).map_err(failed("make a branch"))?;
        self.repository.set_head(&format!("refs/heads/{name}")).map_err(failed("go to the branch"))
    }
}

/// A line diff of two texts with three lines of context, prefixed by `-`, `+` or a space.
pub fn line_difference(old: &str, new: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let patch = git2::Patch::from_buffers(old.as_bytes(), None, new.as_bytes(), None, None);
    let printed = patch.and_then(|mut patch| {
        patch.print(&mut |_, _, line| {
            if matches!(line.origin(), '-' | '+' | ' ') {
                let text = String::from_utf8_lossy(line.content());
                lines.push(format!("{}{}", line.origin(), text.trim_end_matches(['\n', '\r'])));
            }
            true
        })
    });
    match printed {
        Ok(()) => lines,
        Err(_) => {
            let all = |text: &str, sign: char| text.lines().map(|line| format!("{sign}{line}")).collect::<Vec<_>>();
            [all(old, '-'), all(new, '+')].concat()
        }
    }
}

impl Repo {
    /// A patch for `git apply` that changes files of `tree` to `files`; empty where nothing differs.
    pub fn patch(&self, tree: &SourceTree, files: &Files) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        for (path, new) in files {
            let old = if tree.get(path).is_some() { Some(tree.read(path)?) } else { None };
            match (old, new) {
                (Some(old), Some(new)) if *old == **new => {}
                (Some(old), Some(new)) => {
                    let path = Path::new(path);
                    let mut patch = git2::Patch::from_buffers(&old, Some(path), new, Some(path), None)
                        .map_err(failed("compare two files"))?;
                    out.extend_from_slice(&patch.to_buf().map_err(failed("write a patch"))?);
                }
                (None, Some(new)) => out.extend(whole_file(path, new, true)),
                (Some(old), None) => out.extend(whole_file(path, &old, false)),
                (None, None) => {}
            }
        }
        Ok(out)
    }

    /// Creates a commit on top of `parent` with these file contents, as an object only: no branch points to it, and
    /// work tree and index stay unchanged.
    pub fn commit_on(&self, parent: CommitId, files: &Files, message: &str) -> Result<CommitId> {
        self.handles.with(|repository| {
            let parent = repository.find_commit(oid(parent)?).map_err(failed("read a commit"))?;
            let tree = parent.tree().map_err(failed("read a tree"))?;
            let mut update = git2::build::TreeUpdateBuilder::new();
            for (path, new) in files {
                match new {
                    Some(bytes) => {
                        let blob = repository.blob(bytes).map_err(failed("write a file"))?;
                        update.upsert(path.as_str(), blob, git2::FileMode::Blob);
                    }
                    None => {
                        update.remove(path.as_str());
                    }
                }
            }
            let tree = update.create_updated(repository, &tree).and_then(|id| repository.find_tree(id));
            let tree = tree.map_err(failed("write a tree"))?;
            let author = git2::Signature::now("mastor", "mastor@users.invalid").map_err(failed("sign"))?;
            let id = repository.commit(None, &author, &author, message, &tree, &[&parent]);
            id.map(commit_id).map_err(failed("commit"))
        })
    }

    /// The full message of a commit; `None` where the commit is not here.
    pub fn message(&self, id: CommitId) -> Option<String> {
        let read = |repository: &Repository| {
            let commit = repository.find_commit(oid(id)?).map_err(failed("read a commit"))?;
            Ok(String::from_utf8_lossy(commit.message_bytes()).into_owned())
        };
        self.handles.with(read).ok()
    }
}

/// Mode of a symbolic link in a tree.
const SYMLINK: i32 = 0o120_000;

/// Whether a path lies in a folder that mastor writes and git ignores.
pub(super) fn is_own_output(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    parts.windows(2).any(|pair| pair[0] == ".mastor" && matches!(pair[1], "out" | "cache"))
}

pub(super) fn path_not_utf8(path: &str) -> Warning {
    Warning::new("path-not-utf8", "left out: its name is not UTF-8", Some(path))
}

pub(super) fn symlink(path: &str) -> Warning {
    Warning::new("symlink-not-followed", "a symbolic link, which is never followed", Some(path))
}

pub(super) fn submodule(path: &str) -> Warning {
    Warning::new("submodule-not-read", "a repository of its own, which is not read", Some(path))
}

fn describe(commit: &git2::Commit<'_>) -> Commit {
    let subject = commit.summary_bytes().map(String::from_utf8_lossy);
    Commit {
        id: commit_id(commit.id()),
        parents: commit.parent_ids().map(commit_id).collect(),
        subject: subject.unwrap_or_default().into_owned(),
        author_time: commit.author().when().seconds(),
        committer_time: commit.time().seconds(),
    }
}

fn failed(doing: &'static str) -> impl Fn(git2::Error) -> RevisionError {
    move |error| RevisionError::Git { doing, message: error.message().to_owned() }
}

fn oid(id: CommitId) -> Result<Oid> {
    Oid::from_bytes(id.as_bytes()).map_err(failed("read a commit id"))
}

fn commit_id(id: Oid) -> CommitId {
    CommitId::from_bytes(first_twenty(id))
}

fn blob(id: Oid) -> BlobId {
    BlobId::from_bytes(first_twenty(id))
}

/// This build of libgit2 opens no repositories with 32-byte ids.
fn first_twenty(id: Oid) -> [u8; 20] {
    let mut bytes = [0; 20];
    for (to, from) in bytes.iter_mut().zip(id.as_bytes()) {
        *to = *from;
    }
    bytes
}

fn native(path: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(path).ok().map(PathBuf::from)
}
