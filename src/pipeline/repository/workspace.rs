//! The workspace: the repository that a command runs in, with its base, its head and its cache.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use mastor_config::{self as config, Overrides, Settings};
use mastor_llm::ModelsError;
use mastor_revision::{Base, Commit, CommitId, Credentials, Deepening, Repo, RevisionError, SourceTree};
use mastor_store::Cache;
use mastor_suite::CACHE_DIR;
use mastor_types::ci_run::CiSystem;
use mastor_types::deadline::Deadline;
use mastor_types::error::{Exit, Failure};
use mastor_types::event::Events;

/// The repository that a command runs in.
pub struct Workspace {
    /// The repository.
    pub repo: Repo,
    /// The root of its work tree.
    pub root: PathBuf,
    /// Where events go.
    pub events: Events,
    /// Settings from flags and environment.
    pub overrides: Overrides,
    /// The cache, with parsed facts of files and results of earlier runs.
    pub cache: Arc<Cache>,
    /// Set once the user was told that the cache keeps nothing.
    told: OnceLock<()>,
    /// Set once the user was told which entries of the cache are damaged.
    told_damage: OnceLock<()>,
    /// The base whose settings apply in CI.
    trusted: OnceLock<Option<BaseRevision>>,
    /// The time budget of the run.
    deadline: OnceLock<Deadline>,
    /// Whether work was left undone because the budget was spent.
    was_cut: AtomicBool,
}

/// The head: a commit or the work tree.
#[derive(Clone)]
pub struct Head {
    /// Its files.
    pub tree: SourceTree,
    /// A commit's short id, or `work tree`.
    pub label: String,
    /// The commit itself, or the one that the work tree is based on.
    pub commit: Commit,
}

impl Drop for Workspace {
    fn drop(&mut self) {
        self.tell_of_cache();
    }
}

impl Head {
    /// The full id of the commit; `None` for a work tree.
    pub fn whole_id(&self) -> Option<String> {
        (self.label == self.commit.short()).then(|| self.commit.id.to_string())
    }
}

/// How the base is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Since {
    /// The merge base of the head and this branch, tag or commit.
    MergeBaseWith(String),
    /// This commit itself.
    Commit(CommitId),
}

/// The revision that the head is compared with.
#[derive(Clone)]
pub struct BaseRevision {
    /// Its files.
    pub tree: SourceTree,
    /// The reference as the user gave it, or its remote branch.
    pub reference: String,
    /// The commit.
    pub commit: Commit,
}

impl Workspace {
    /// Opens the repository around `dir`.
    ///
    /// # Errors
    /// Exit 2 outside a repository, or in a bare one.
    pub fn open(dir: &Path, events: Events, overrides: Overrides) -> Result<Self, Failure> {
        let repo = Repo::discover(dir).map_err(failure)?;
        let root = repo.workdir().ok_or_else(|| failure(RevisionError::NoWorkTree))?.to_owned();
        crate::pipeline::repository::planted::refuse(&repo.tracked_in_folder(".mastor").map_err(failure)?, &root)?;
        let cache = Arc::new(Cache::open(&root.join(CACHE_DIR)));
        Ok(Self {
            repo,
            root,
            events,
            overrides,
            cache,
            told: OnceLock::new(),
            told_damage: OnceLock::new(),
            trusted: OnceLock::new(),
            deadline: OnceLock::new(),
            was_cut: AtomicBool::new(false),
        })
    }

    /// Sets the time budget of the run; only the first call counts.
    pub fn give_time(&self, deadline: Deadline) {
        let _ = self.deadline.set(deadline);
    }

    /// The time budget of the run; `None` where it has none.
    pub fn deadline(&self) -> Option<Deadline> {
        self.deadline.get().copied()
    }

    /// The time budget if it is spent; records that the caller leaves work undone.
    pub fn out_of_time(&self) -> Option<Deadline> {
        let spent = self.deadline().filter(Deadline::is_over);
        if spent.is_some() {
            self.was_cut.store(true, Ordering::Relaxed);
        }
        spent
    }

    /// Waits until this budget is spent, and records that the caller leaves work undone; waits for ever if there is no
    /// budget.
    pub async fn time_up(&self, deadline: Option<Deadline>) -> Deadline {
        let Some(deadline) = deadline else { return std::future::pending().await };
        tokio::time::sleep(deadline.left()).await;
        self.was_cut.store(true, Ordering::Relaxed);
        deadline
    }

    /// Whether work was left undone because the time budget was spent.
    pub fn was_cut(&self) -> bool {
        self.was_cut.load(Ordering::Relaxed)
    }

    /// Reports once which cache entries are damaged, and once that the cache could not be written.
    pub fn tell_of_cache(&self) {
        let damaged = self.cache.damaged();
        if !damaged.is_empty() && self.told_damage.set(()).is_ok() {
            let shown: Vec<&str> = damaged.iter().take(5).map(String::as_str).collect();
            let more = damaged.len().saturating_sub(shown.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            self.events.said(format!("cache entries that are damaged were not used: {}{more}", shown.join(", ")));
        }
        if let Some(warning) = self.cache.warning()
            && self.told.set(()).is_ok()
        {
            self.events.said(warning.message.clone());
        }
    }

    /// The head: the commit that was asked for, else the work tree if it is dirty, else HEAD.
    ///
    /// # Errors
    /// Exit 2 for a name that is no commit, exit 3 in a repository without commits.
    pub fn head(&self, asked: Option<&str>) -> Result<Head, Failure> {
        if let Some(spec) = asked {
            let commit = self.repo.resolve(spec).map_err(failure)?;
            let tree = self.repo.tree_at(commit.id).map_err(failure)?;
            return Ok(Head { tree, label: commit.short(), commit });
        }
        let commit = self.repo.head().map_err(failure)?;
        if let Some(tree) = self.repo.work_tree_if_dirty().map_err(failure)? {
            self.events.detail(format!("head is the work tree: it differs from HEAD ({})", commit.short()));
            return Ok(Head { tree, label: "work tree".to_owned(), commit });
        }
        let tree = self.repo.tree_at(commit.id).map_err(failure)?;
        self.events.detail(format!("head is HEAD ({})", commit.short()));
        Ok(Head { tree, label: commit.short(), commit })
    }

    /// Finds base and head in parallel: reading the work tree takes as long as listing a revision.
    ///
    /// # Errors
    /// As for [`Workspace::head`] and [`Workspace::base`].
    pub fn range(&self, since: Option<&str>, head: Option<&str>) -> Result<(BaseRevision, Head), Failure> {
        let commit = head.map_or_else(|| self.repo.head(), |spec| self.repo.resolve(spec)).map_err(failure)?;
        let (head, base) = rayon::join(|| self.head(head), || self.base_of(since, &commit));
        let head = head?;
        Ok((base?, head))
    }

    /// What to compare with: what `--since` says, else the CI event.
    ///
    /// # Errors
    /// Exit 2 where nothing says what to compare with.
    fn since(&self, since: Option<&str>, head: &Commit) -> Result<Since, Failure> {
        if let Some(since) = since {
            return Ok(Since::MergeBaseWith(since.to_owned()));
        }
        if let Some((since, said)) = self.since_of_run(head) {
            self.events.said(said);
            return Ok(since);
        }
        let event = mastor_env::ci_run().map(|run| format!(" (the event is `{}`)", run.event)).unwrap_or_default();
        Err(Failure::new(Exit::Usage, format!("nothing says what to compare with{event}"))
            .hint("add `--since main`, or the branch that the change goes to"))
    }

    /// The base that the CI event names, and a sentence on it.
    fn since_of_run(&self, head: &Commit) -> Option<(Since, String)> {
        let run = mastor_env::ci_run()?;
        if let [first, second] = self.repo.written_parents(head.id).as_slice()
            && run.is_merge_into(&second.to_string())
        {
            let said = "comparing with the first parent of HEAD, the merge commit of the pull request";
            return Some((Since::Commit(*first), said.to_owned()));
        }
        let base = run.base?;
        let said = format!("comparing with {}, as {} says", base.spec, base.said_by);
        Some((Since::MergeBaseWith(base.spec), said))
    }

    /// The base that `since` names, or that the CI event gives.
    ///
    /// # Errors
    /// Exit 5 with the fetch command where the base is not in this clone; exit 2 where nothing says what to compare
    /// with.
    pub fn base(&self, since: Option<&str>, head: &Head) -> Result<BaseRevision, Failure> {
        self.base_of(since, &head.commit)
    }

    fn base_of(&self, since: Option<&str>, head: &Commit) -> Result<BaseRevision, Failure> {
        let base = self.base_at(&self.since(since, head)?, head).map_err(failure)?;
        let _ = self.trusted.set(Some(base.clone()));
        Ok(base)
    }

    fn base_at(&self, since: &Since, head: &Commit) -> Result<BaseRevision, RevisionError> {
        let (reference, commit) = match since {
            Since::MergeBaseWith(name) => {
                let Base { ref_name, merge_base, .. } = self.repo.base_of(name, head.clone())?;
                (ref_name, merge_base)
            }
            Since::Commit(id) => {
                let commit = self.repo.commit(*id).ok_or_else(|| self.repo.missing_base(&id.to_string()))?;
                (commit.short(), commit)
            }
        };
        let tree = self.repo.tree_at(commit.id)?;
        Ok(BaseRevision { tree, reference, commit })
    }

    /// The same as [`Workspace::base`]; with `deepen`, a shallow clone is deepened step by step until it has the merge
    /// base.
    ///
    /// # Errors
    /// As [`Workspace::base`], where nothing more can be fetched.
    pub fn base_in_clone(&mut self, since: Option<&str>, head: &Head, deepen: bool) -> Result<BaseRevision, Failure> {
        if !deepen {
            return self.base(since, head);
        }
        let since = self.since(since, &head.commit)?;
        // GitLab's runner leaves credentials for git in the clone; GitHub's checkout may not.
        let run = mastor_env::ci_run().filter(|run| run.system == CiSystem::GitHub);
        let token = mastor_env::host_token(CiSystem::GitHub);
        let repository = run.as_ref().and_then(|run| run.repository.as_ref());
        let credentials = repository.zip(token.as_deref()).map(|(repository, token)| Credentials { repository, token });
        let name = match &since {
            Since::MergeBaseWith(name) => name.clone(),
            Since::Commit(id) => id.to_string(),
        };
        let mut deepening = Deepening::to(&name, head.commit.clone(), credentials);
        loop {
            let missing = match self.base_at(&since, &head.commit) {
                Err(missing @ RevisionError::BaseMissing { .. }) => missing,
                other => return other.map_err(failure),
            };
            let command = deepening.next(&self.repo).map_err(failure)?.ok_or_else(|| failure(missing))?;
            self.events.said(format!("fetched what the clone lacks: {command}"));
            // The end of a shallow history is read only when a repository is opened.
            self.repo = Repo::discover(&self.root).map_err(failure)?;
        }
    }

    /// The services of a revision. In CI, the settings that [`config::trust`] assigns to the base come from the base
    /// that this run compares with.
    ///
    /// # Errors
    /// Exit 2 for a `mastor.toml` that cannot be read.
    pub fn services(&self, tree: &SourceTree) -> Result<Vec<Settings>, Failure> {
        if !mastor_env::in_ci() {
            return config::services(tree, &self.overrides);
        }
        config::services_in_ci(tree, self.trusted().map(|base| &base.tree), &self.overrides)
    }

    /// The services of a revision that is compared with this base.
    ///
    /// # Errors
    /// As for [`Workspace::services`].
    pub fn services_since(&self, tree: &SourceTree, base: &SourceTree) -> Result<Vec<Settings>, Failure> {
        if !mastor_env::in_ci() {
            return config::services(tree, &self.overrides);
        }
        config::services_in_ci(tree, Some(base), &self.overrides)
    }

    /// The base whose settings apply in CI: the one that a command compares with, else the one that `MASTOR_SINCE` or
    /// the event names. Reports once which it is.
    fn trusted(&self) -> Option<&BaseRevision> {
        let found = self.trusted.get_or_init(|| {
            let head = self.repo.head().ok()?;
            let since = mastor_env::var("MASTOR_SINCE").map(Since::MergeBaseWith);
            let since = since.or_else(|| self.since_of_run(&head).map(|(since, _)| since));
            let base = since.and_then(|since| self.base_at(&since, &head).ok());
            self.events.said(match &base {
                Some(base) => format!("what only the base decides comes from mastor.toml of {}", base.commit.short()),
                None => "no base is known here: in CI, what only the base decides is as without a mastor.toml \
                         (MASTOR_SINCE names a base; docs/trust.md lists what that is)"
                    .to_owned(),
            });
            base
        });
        found.as_ref()
    }

    /// The folder of a service on disk.
    pub fn service_dir(&self, settings: &Settings) -> PathBuf {
        if settings.dir.is_empty() { self.root.clone() } else { self.root.join(&settings.dir) }
    }
}

/// The failure for an error of the repository, with its exit and a hint. A new variant does not compile without both.
pub fn failure(error: RevisionError) -> Failure {
    let message = error.to_string();
    match error {
        RevisionError::BaseMissing { command, .. } => {
            let failure = Failure::new(Exit::BaseMissing, message);
            match command {
                Some(command) => failure.hint(format!("run `{command}`")),
                None => failure.hint("`git branch --all` lists what can be compared with"),
            }
        }
        RevisionError::NoRepository { .. } => Failure::new(Exit::Usage, message)
            .hint("run it inside a clone of the service's repository, or name one with `-C DIR`"),
        RevisionError::NoCommits => {
            Failure::new(Exit::Nothing, message).hint("commit the service first: `git add -A && git commit`")
        }
        RevisionError::NoWorkTree => Failure::new(Exit::Usage, message).hint("run it in a clone with a work tree"),
        RevisionError::OutsideRepository { .. } | RevisionError::UnknownRevision { .. } => {
            Failure::new(Exit::Usage, message).hint("`git log --oneline --all` lists the commits that are here")
        }
        RevisionError::ObjectMissing { .. } => Failure::new(Exit::BaseMissing, message)
            .hint("run `git fetch --refetch --no-filter` to complete the clone, or clone without `--filter`"),
        RevisionError::NoSuchFile { .. } | RevisionError::FileTooLarge { .. } => Failure::new(Exit::Usage, message),
        RevisionError::Io { .. } | RevisionError::Git { .. } => {
            Failure::new(Exit::Internal, message).hint("`mastor doctor` checks the repository")
        }
    }
}

/// The failure of finding no operation at all.
pub fn nothing_found() -> Failure {
    Failure::new(Exit::Nothing, "no operations were found: neither an OpenAPI document nor a route in the Java source")
        .hint("`mastor doctor` says what was looked at; `[api] openapi`, `source` and `entry` in mastor.toml name what is elsewhere")
}

/// Makes an output folder, with its own file that makes git ignore it.
///
/// # Errors
/// Exit 70 where the folder cannot be made.
pub fn out_folder(dir: &std::path::Path) -> Result<(), Failure> {
    mastor_store::create_ignored(dir).map_err(unwritable)
}

/// Makes the cache folder of a service, which git ignores.
///
/// # Errors
/// Exit 70 where the folder cannot be made.
pub fn cache_folder(service: &std::path::Path) -> Result<std::path::PathBuf, Failure> {
    let dir = service.join(CACHE_DIR);
    out_folder(&dir)?;
    Ok(dir)
}

/// The failure of writing or removing a file. A failed write leaves the old file as it was.
pub fn unwritable(error: impl std::error::Error + 'static) -> Failure {
    if mastor_store::error::is_of_link(&error) {
        return Failure::new(Exit::Usage, error.to_string()).hint("put a folder in its place");
    }
    Failure::new(Exit::Internal, error.to_string())
        .hint("what stood there before still stands; free some room or make the folder writable, then run it again")
}

/// The failure of models that cannot be used.
pub fn failure_of_model(error: ModelsError) -> Failure {
    let message = error.to_string();
    match error {
        ModelsError::NoKey { name, .. } => Failure::new(Exit::ModelUnavailable, message)
            .hint(format!("set {name}, or run with `--engine rules`, which needs no model")),
        _ => Failure::new(Exit::Usage, message).hint("`mastor config show` prints the models in force"),
    }
}
