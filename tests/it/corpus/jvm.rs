//! The JVM's side: one JVM compiles and runs one batch of cases after another.

use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::cases::Family;

const RUN: &str = include_str!("Run.java");

/// A JDK, found by `JAVA_HOME` or the search path.
pub struct Jdk {
    home: Option<PathBuf>,
    /// Libraries on the class path.
    jars: Vec<PathBuf>,
}

impl Jdk {
    /// The JDK that the environment selects.
    pub fn default() -> Self {
        let home = std::env::var_os("JAVA_HOME").map(PathBuf::from).filter(|home| home.join("bin/javac").exists());
        Self { home, jars: Vec::new() }
    }

    /// The same JDK with the libraries of a folder.
    pub fn with_jars(mut self, dir: &Path) -> Self {
        let entries = std::fs::read_dir(dir).unwrap_or_else(|error| {
            panic!(
                "no libraries in {} ({error}): run tests/tools.sh, or name maven in MASTOR_TEST_WITHOUT",
                dir.display()
            )
        });
        self.jars = entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "jar"))
            .collect();
        self.jars.sort();
        self
    }

    /// A JDK that supports Java 21: the default one, or another installed one.
    pub fn newer() -> Option<Self> {
        let mut found: Vec<(u32, Self)> = Vec::new();
        let mut homes: Vec<Option<PathBuf>> = vec![None, std::env::var_os("JAVA_HOME").map(PathBuf::from)];
        homes.extend(
            std::env::vars_os()
                .filter(|(name, _)| name.to_string_lossy().starts_with("JAVA_HOME_"))
                .map(|(_, home)| Some(PathBuf::from(home))),
        );
        if let Ok(entries) = std::fs::read_dir("/usr/lib/jvm") {
            homes.extend(entries.flatten().map(|entry| Some(entry.path())));
        }
        for home in homes {
            let jdk = Self { home, jars: Vec::new() };
            if let Some(version) = jdk.version().filter(|version| *version >= 21) {
                found.push((version, jdk));
            }
        }
        found.sort_by_key(|(version, _)| *version);
        found.into_iter().next().map(|(_, jdk)| jdk)
    }

    fn tool(&self, name: &str) -> Command {
        match &self.home {
            Some(home) => Command::new(home.join("bin").join(name)),
            None => Command::new(name),
        }
    }

    /// The version of its compiler.
    pub fn version(&self) -> Option<u32> {
        let output = self.tool("javac").arg("-version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        text.split_whitespace().nth(1)?.split('.').next()?.parse().ok()
    }

    /// Starts a JVM.
    pub fn start(&self) -> Jvm {
        let dir = tempfile::Builder::new().prefix("mastor-jvm-").tempdir().unwrap();
        let file = dir.path().join("Run.java");
        std::fs::write(&file, RUN).unwrap();
        let errors = std::fs::File::create(dir.path().join("stderr")).unwrap();
        let mut child = self
            .tool("java")
            .args([
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx1500m",
                "-Duser.language=en",
                "-Duser.country=US",
                "-Duser.timezone=UTC",
                "-Dfile.encoding=UTF-8",
            ])
            .arg(&file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .unwrap_or_else(|error| {
                panic!("cannot run java ({error}): run tests/tools.sh, or name it in MASTOR_TEST_WITHOUT")
            });
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Jvm { dir, jars: self.jars.clone(), child, stdin, stdout: BufReader::new(stdout) }
    }
}

/// A running JVM; it ends when the value is dropped.
pub struct Jvm {
    dir: tempfile::TempDir,
    jars: Vec<PathBuf>,
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Jvm {
    /// Compiles the families and runs their cases; returns the answers in order.
    pub fn run(&mut self, families: &[Family]) -> Vec<String> {
        let dir = tempfile::Builder::new().prefix("mastor-corpus-").tempdir().unwrap();
        let file = |name: &str| dir.path().join(name);
        for (name, text) in families.iter().flat_map(|family| &family.sources) {
            std::fs::write(file(name), text).unwrap();
        }
        let classes = file("classes");
        std::fs::create_dir(&classes).unwrap();
        let path: Vec<&Path> = std::iter::once(classes.as_path()).chain(self.jars.iter().map(AsRef::as_ref)).collect();
        let joined = std::env::join_paths(&path).unwrap();
        let mut options = vec![
            "-nowarn",
            "-Xlint:none",
            "-parameters",
            "-d",
            classes.to_str().unwrap(),
            "-cp",
            joined.to_str().unwrap(),
        ];
        if self.jars.is_empty() {
            options.push("-proc:none");
        }
        let path: Vec<&str> = path.iter().map(|entry| entry.to_str().unwrap()).collect();
        let mut cases = String::new();
        for family in families {
            for case in &family.cases {
                let args: String = case.args.iter().map(|arg| format!("\t{}", arg.sent())).collect();
                cases += &format!("{}\t{}{args}\n", family.class, case.calls);
            }
        }
        std::fs::write(file("options"), options.join("\n")).unwrap();
        std::fs::write(file("path"), path.join("\n")).unwrap();
        std::fs::write(file("cases"), cases).unwrap();
        writeln!(self.stdin, "{}", dir.path().display()).unwrap();
        let mut answer = String::new();
        self.stdout.read_line(&mut answer).unwrap();
        let said = |path: PathBuf| std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(answer.trim(), "done", "{}{}", said(file("errors")), said(self.dir.path().join("stderr")));
        said(file("results")).lines().map(str::to_owned).collect()
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
