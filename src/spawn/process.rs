//! Starts, signals and ends processes: the only file that does.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, PipeWriter};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use crate::processes;

/// Environment variable that marks every descendant of a process started by mastor, including those that left its
/// process group.
pub const MARK: &str = "MASTOR_RUN";

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With this exit code.
    Code(i32),
    /// Killed by this signal.
    Signal(i32),
}

impl Ended {
    /// Whether the exit code is 0.
    pub fn well(self) -> bool {
        self == Self::Code(0)
    }

    fn of(status: ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        Self::Code(status.code().unwrap_or(-1))
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(9) => f.write_str("signal 9 (killed; was there too little memory?)"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// Result of a program that has ended.
#[derive(Debug, Clone)]
pub struct Output {
    /// Exit code or signal.
    pub ended: Ended,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs a program to its end, with mastor's environment and the variables in `env`.
///
/// # Errors
/// Where it cannot be started.
pub fn run<S: AsRef<OsStr>>(
    program: &str,
    arguments: impl IntoIterator<Item = S>,
    dir: &Path,
    env: &[(&str, &str)],
) -> io::Result<Output> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(dir).envs(env.iter().copied());
    finished(command)
}

/// Whether a file may be executed.
#[cfg(unix)]
pub fn may_run(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs_err::metadata(path).is_ok_and(|known| known.permissions().mode() & 0o111 != 0)
}

/// Whether a file may be executed: here, every file.
#[cfg(not(unix))]
pub fn may_run(_: &Path) -> bool {
    true
}

/// Runs git in a folder, ignoring a repository that the environment names (as it does within a hook), and without
/// password prompts.
///
/// # Errors
/// Where it is not installed.
pub fn git<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>, dir: &Path) -> io::Result<Output> {
    git_with(arguments, dir, &[])
}

/// Runs git as [`git`] does, with additional environment variables.
///
/// # Errors
/// Where it is not installed.
pub fn git_with<S: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = S>,
    dir: &Path,
    env: &[(&str, &str)],
) -> io::Result<Output> {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(dir).env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    command.envs(env.iter().copied());
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"] {
        command.env_remove(name);
    }
    finished(command)
}

fn finished(mut command: Command) -> io::Result<Output> {
    let output = command.stdin(Stdio::null()).output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Output { ended: Ended::of(output.status), out: text(&output.stdout), err: text(&output.stderr) })
}

/// A command that runs in a process group of its own. Dropping it ends the whole group.
#[derive(Debug)]
pub struct Group {
    child: Box<dyn ChildWrapper>,
    id: u32,
    mark: String,
    ended: Option<Ended>,
}

impl Group {
    /// Starts a shell command with only these environment variables and without input; standard output and standard
    /// error both go to `out`.
    ///
    /// # Errors
    /// Where the shell or the folder does not exist.
    pub fn shell(
        line: &str,
        dir: &Path,
        env: &BTreeMap<String, String>,
        mark: &str,
        out: PipeWriter,
    ) -> io::Result<Self> {
        let errors = out.try_clone()?;
        let mut command = shell(line);
        command.current_dir(dir).env_clear().envs(env).env(MARK, mark);
        command.stdin(Stdio::null()).stdout(out).stderr(errors);
        let mut wrapped = CommandWrap::from(command);
        #[cfg(unix)]
        wrapped.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        wrapped.wrap(process_wrap::std::JobObject);
        let child = wrapped.spawn()?;
        let id = child.id();
        Ok(Self { child, id, mark: mark.to_owned(), ended: None })
    }

    /// The id of the group, which is that of its first process.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// How the first process ended; `None` while it runs.
    pub fn ended(&mut self) -> Option<Ended> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().ok().flatten().map(Ended::of);
        }
        self.ended
    }

    /// Whether the first process or any descendant is still running.
    pub fn is_running(&mut self) -> bool {
        self.ended().is_none() || group_runs(self.id, &self.mark)
    }

    /// Ids of all running processes of the group, where the operating system tells.
    pub fn members(&self) -> Vec<u32> {
        let mut members = processes::in_group(self.id).unwrap_or_default();
        members.extend(processes::marked(MARK, &self.mark));
        members.sort_unstable();
        members.dedup();
        members
    }

    /// Asks all processes of the group to end (SIGTERM).
    pub fn ask_to_end(&mut self) {
        #[cfg(unix)]
        signal_all(self.id, &self.mark, nix::sys::signal::Signal::SIGTERM);
        #[cfg(not(unix))]
        self.kill();
    }

    /// Kills all processes of the group.
    pub fn kill(&mut self) {
        let _ = self.child.start_kill();
        #[cfg(unix)]
        signal_all(self.id, &self.mark, nix::sys::signal::Signal::SIGKILL);
    }

    /// Asks the group to end, waits at most `grace`, and kills what is left. Blocks.
    pub fn end(&mut self, grace: Duration) {
        if !self.is_running() {
            return;
        }
        self.ask_to_end();
        let asked = Instant::now();
        while self.is_running() && asked.elapsed() < grace {
            std::thread::sleep(Duration::from_millis(10));
        }
        // Repeated, since a process may be created between the check and the signal.
        for _ in 0..50 {
            if !self.is_running() {
                return;
            }
            self.kill();
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

#[cfg(unix)]
fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line);
    command
}

#[cfg(windows)]
fn shell(line: &str) -> Command {
    use std::os::windows::process::CommandExt;
    let mut command = Command::new("cmd");
    command.arg("/D").arg("/S").arg("/C").raw_arg(format!("\"{line}\""));
    command
}

/// Whether any process of the group, or with its mark, is running.
fn group_runs(id: u32, mark: &str) -> bool {
    match processes::in_group(id) {
        Some(members) => !members.is_empty() || !processes::marked(MARK, mark).is_empty(),
        None => group_exists(id),
    }
}

#[cfg(unix)]
fn group_exists(id: u32) -> bool {
    pid(id).is_some_and(|id| nix::sys::signal::killpg(id, None).is_ok())
}

#[cfg(not(unix))]
fn group_exists(_: u32) -> bool {
    false
}

#[cfg(unix)]
fn signal_all(id: u32, mark: &str, signal: nix::sys::signal::Signal) {
    if let Some(id) = pid(id) {
        let _ = nix::sys::signal::killpg(id, signal);
    }
    for marked in processes::marked(MARK, mark).into_iter().filter_map(pid) {
        let _ = nix::sys::signal::kill(marked, signal);
    }
}

/// A process id that may be signalled: 0 would mean mastor's own group, 1 the machine's first process.
#[cfg(unix)]
fn pid(id: u32) -> Option<nix::unistd::Pid> {
    i32::try_from(id).ok().filter(|id| *id > 1).map(nix::unistd::Pid::from_raw)
}

/// The start time of a process, which tells it from later processes with the same id; `None` where there is no such
/// process.
pub fn started(pid: u32) -> Option<String> {
    if processes::available() {
        return processes::started(pid);
    }
    #[cfg(unix)]
    {
        let output = run("ps", ["-o", "lstart=", "-p", &pid.to_string()], Path::new("/"), &[("LC_ALL", "C")]).ok()?;
        Some(output.out.trim().to_owned()).filter(|text| !text.is_empty())
    }
    #[cfg(not(unix))]
    {
        let script = format!("(Get-Process -Id {pid}).StartTime.Ticks");
        let output = run("powershell", ["-NoProfile", "-Command", &script], Path::new("."), &[]).ok()?;
        Some(output.out.trim().to_owned()).filter(|text| !text.is_empty())
    }
}

/// Kills a process group that an earlier run left behind, identified by its mark or by the start time of its first
/// process. Returns whether there was one.
///
/// An unrelated process that has the same id by now is not touched.
pub fn end_left_behind(id: u32, first_started: &str, mark: &str) -> bool {
    let same = started(id).is_some_and(|now| now == first_started);
    let marked = processes::marked(MARK, mark);
    if !same && marked.is_empty() {
        return false;
    }
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, kill, killpg};
        for _ in 0..50 {
            if let Some(id) = pid(id).filter(|_| same) {
                let _ = killpg(id, Signal::SIGKILL);
            }
            let left: Vec<_> = processes::marked(MARK, mark).into_iter().filter_map(pid).collect();
            for id in &left {
                let _ = kill(*id, Signal::SIGKILL);
            }
            if left.is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    #[cfg(windows)]
    drop(run("taskkill", ["/T", "/F", "/PID", &id.to_string()], Path::new("."), &[]));
    true
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::Read;

    use super::*;

    fn start(line: &str, mark: &str) -> (Group, io::PipeReader) {
        let (reader, writer) = io::pipe().unwrap();
        let env = BTreeMap::from([("PATH".to_owned(), std::env::var("PATH").unwrap()), ("A".into(), "b".into())]);
        (Group::shell(line, Path::new("/"), &env, mark, writer).unwrap(), reader)
    }

    #[test]
    fn a_command_sees_its_variables_only_and_its_end_is_told() {
        let (mut group, mut reader) = start("env | sort | cut -d= -f1; echo \"$A\" >&2; exit 3", "t-1");
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert!(
            text.lines().all(|name| ["A", "b", "MASTOR_RUN", "PATH", "PWD", "_", "SHLVL", "OLDPWD"].contains(&name)),
            "{text}"
        );
        assert!(text.ends_with("b\n"), "{text}");
        while group.ended().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(group.ended(), Some(Ended::Code(3)));
        assert!(!group.is_running());
    }

    #[test]
    fn all_that_came_from_a_command_ends_with_it() {
        let line = "sleep 100 & (trap '' TERM; sleep 100) & command -v setsid >/dev/null && setsid sleep 100 & sleep 0.2; exit 0";
        let (mut group, _reader) = start(line, "t-2");
        while group.ended().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(group.is_running());
        let members = group.members();
        assert!(members.len() >= 2 || !processes::available(), "{members:?}");
        group.end(Duration::from_millis(100));
        assert!(!group.is_running());
        assert!(
            members
                .iter()
                .all(|pid| processes::started(*pid).is_none() || processes::in_group(group.id()) == Some(vec![]))
        );
    }

    #[test]
    fn a_process_that_only_has_the_same_number_is_left_alone() {
        let (mut group, _reader) = start("sleep 100", "t-3");
        assert!(!end_left_behind(group.id(), "another time", "another mark"));
        assert!(group.ended().is_none());
        let at = started(group.id()).unwrap();
        assert!(end_left_behind(group.id(), &at, "another mark"));
        while group.ended().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(group.ended(), Some(Ended::Signal(9)));
    }
}
