//! The driver of the integration tests: temporary git repositories in a scrubbed environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A git repository in a temporary folder, built step by step: `Repo::new().file("A.java", "class A {}").commit("first")`.
///
/// Identity and dates are fixed, so commit ids are the same in every run. The machine's git configuration is ignored.
pub struct Repo {
    _temp: TempDir,
    root: PathBuf,
    home: PathBuf,
    commits: u32,
}

/// What starts a JVM quickly that lives for seconds.
const SHORT_LIVED: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/// Maven, whose own JVM and those that it starts live for seconds.
pub fn maven() -> Command {
    let mut command = Command::new("mvn");
    command.env("JAVA_TOOL_OPTIONS", SHORT_LIVED);
    command
}

impl Repo {
    /// An empty repository on branch `main`.
    pub fn new() -> Self {
        let repo = Self::bare_folder();
        repo.git(["init", "-q", "-b", "main", "."]);
        // libgit2 runs in the test's own process and reads the machine's configuration; these settings override it.
        repo.git(["config", "core.autocrlf", "false"]);
        repo.git(["config", "core.excludesFile", ""]);
        repo
    }

    /// A temporary folder without a repository, for `git clone` and the like.
    pub fn bare_folder() -> Self {
        let temp = tempfile::Builder::new().prefix("mastor-it-").tempdir().unwrap();
        let (root, home) = (temp.path().join("repo"), temp.path().join("home"));
        std::fs::create_dir(&root).unwrap();
        std::fs::create_dir(&home).unwrap();
        Self { _temp: temp, root, home, commits: 0 }
    }

    /// A clone of this repository by `file://`, so that options such as `--depth 1` take effect.
    pub fn cloned(&self, options: &[&str]) -> Self {
        let clone = Self::bare_folder();
        let url = format!("file://{}", self.root.display());
        let arguments = ["clone", "-q"].into_iter().chain(options.iter().copied()).chain([url.as_str(), "."]);
        clone.git(arguments);
        clone.git(["config", "core.autocrlf", "false"]);
        clone
    }

    /// Writes a file and creates missing folders.
    pub fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        let file = self.root.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
        self
    }

    /// The bundled example without its `mastor.toml`, so that no service is started; committed on `main`.
    pub fn example() -> Self {
        Self::new().example_files().remove("mastor.toml").commit("An order service")
    }

    /// The bundled example with its `mastor.toml`, whose service Maven builds; committed on `main`.
    pub fn example_with_service() -> Self {
        Self::new().example_files().commit("An order service")
    }

    fn example_files(self) -> Self {
        self.folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/orders"), "")
    }

    /// Copies a folder without build output.
    pub fn folder(self, from: &Path, to: &str) -> Self {
        let mut entries: Vec<_> = std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap()).collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        entries.into_iter().fold(self, |repo, entry| {
            let name = entry.file_name().into_string().unwrap();
            let path = if to.is_empty() { name.clone() } else { format!("{to}/{name}") };
            match entry.file_type().unwrap().is_dir() {
                true if matches!(name.as_str(), "target" | ".mastor" | ".git") => repo,
                true => repo.folder(&entry.path(), &path),
                false => repo.file(&path, std::fs::read(entry.path()).unwrap()),
            }
        })
    }

    /// Replaces a text, which must exist.
    pub fn edit(self, path: &str, from: &str, to: &str) -> Self {
        let text = self.read(path);
        assert!(text.contains(from), "{path} does not hold {from}");
        self.file(path, text.replace(from, to))
    }

    /// The text of a file.
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// Removes a file, or a folder with its content.
    pub fn remove(self, path: &str) -> Self {
        let path = self.root.join(path);
        if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }.unwrap();
        self
    }

    /// Moves a file.
    pub fn rename(self, from: &str, to: &str) -> Self {
        std::fs::create_dir_all(self.root.join(to).parent().unwrap()).unwrap();
        std::fs::rename(self.root.join(from), self.root.join(to)).unwrap();
        self
    }

    /// Commits the whole folder, dated one second after the previous commit.
    pub fn commit(mut self, message: &str) -> Self {
        self.commits += 1;
        self.git(["add", "-A"]);
        self.git(["commit", "-q", "--allow-empty", "-m", message]);
        self
    }

    /// Checks out a branch, which is created at HEAD if it does not exist.
    pub fn branch(self, name: &str) -> Self {
        if self.try_git(["checkout", "-q", name]).is_err() {
            self.git(["checkout", "-q", "-b", name]);
        }
        self
    }

    /// Merges a branch with a merge commit.
    pub fn merge(mut self, name: &str) -> Self {
        self.commits += 1;
        self.git(["merge", "-q", "--no-ff", "-m", &format!("Merge {name}"), name]);
        self
    }

    /// The root of the work tree.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// Runs git in this folder; returns its trimmed output.
    pub fn git<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> String {
        self.try_git(arguments).unwrap_or_else(|error| panic!("git failed: {error}"))
    }

    /// Like [`Repo::git`], for commands that may fail.
    pub fn try_git<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Result<String, String> {
        let arguments: Vec<&str> = arguments.into_iter().collect();
        let output = self.command("git").args(&arguments).output().unwrap();
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        Err(format!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    /// A program in this folder with a scrubbed environment: `PATH`, a temporary home, and a fixed git identity and date.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let date = format!("2026-01-01T00:{:02}:{:02}Z", self.commits / 60 % 60, self.commits % 60);
        let mut command = Command::new(program);
        command.current_dir(&self.root).env_clear();
        command.envs(std::env::vars_os().filter(|(name, _)| name == "PATH" || name == "SystemRoot"));
        command.env("HOME", &self.home).env("GIT_CONFIG_NOSYSTEM", "1").env("LC_ALL", "C").env("TZ", "UTC");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "Test").env(format!("GIT_{role}_EMAIL"), "test@example.com");
            command.env(format!("GIT_{role}_DATE"), &date);
        }
        command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "protocol.file.allow");
        command.env("GIT_CONFIG_VALUE_0", "always");
        command.env("MAVEN_OPTS", SHORT_LIVED);
        // Slices would build each example with Maven, so only tests of slices switch them on.
        command.env("MASTOR_SLICES", "off");
        command
    }

    /// `mastor` with these arguments in this folder, ready to assert on.
    pub fn mastor<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> assert_cmd::Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_mastor"));
        command.args(arguments);
        assert_cmd::Command::from_std(command)
    }

    /// Runs `mastor` without checking its exit code.
    pub fn run<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Ran {
        let output = self.mastor(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Ran { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Runs `mastor`, which must end with 0, and reads what it printed as one JSON object.
    pub fn json<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> serde_json::Value {
        self.run(arguments).ends(0).json()
    }
}

/// The result of a run of `mastor`.
#[derive(Debug)]
pub struct Ran {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Ran {
    /// Fails unless the run ended with this code.
    #[track_caller]
    pub fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\n{}", self.out, self.err);
        self
    }

    /// Fails unless the output contains all of these texts.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.out.contains(part) || self.err.contains(part), "no `{part}` in\n{}\n{}", self.out, self.err);
        }
        self
    }

    /// Standard output as one JSON object.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}
