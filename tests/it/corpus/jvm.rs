//! The other side: `javac` once, then every case in one JVM.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const RUN: &str = include_str!("Run.java");

/// A JDK: the one that `JAVA_HOME` or the path names.
pub struct Jdk {
    home: Option<PathBuf>,
    /// Libraries beside what is compiled.
    jars: Vec<PathBuf>,
}

impl Jdk {
    /// The JDK that the environment names.
    pub fn default() -> Self {
        let home = std::env::var_os("JAVA_HOME").map(PathBuf::from).filter(|home| home.join("bin/javac").exists());
        Self { home, jars: Vec::new() }
    }

    /// The same with the libraries of a folder.
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

    /// A class path of what is compiled into a folder, and the libraries.
    fn class_path(&self, classes: PathBuf) -> std::ffi::OsString {
        std::env::join_paths(std::iter::once(classes).chain(self.jars.iter().cloned())).unwrap()
    }

    /// A JDK that knows Java 21: the usual one, or one of those that are installed beside it.
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

    /// Compiles the sources and runs the cases of these classes: what each gives, by `Class.method`.
    pub fn run(&self, sources: &[(String, String)], classes: &[String], dir: &Path) -> BTreeMap<String, String> {
        let mut files = Vec::new();
        for (name, text) in sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).chain([("Run.java", RUN)])
        {
            let file = dir.join(name);
            std::fs::write(&file, text).unwrap();
            files.push(file);
        }
        let compiled = self
            .tool("javac")
            .args([
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-nowarn",
                "-Xlint:none",
                "-encoding",
                "UTF-8",
                "-parameters",
            ])
            .args(self.jars.is_empty().then_some("-proc:none"))
            .arg("-cp")
            .arg(self.class_path(dir.join("classes")))
            .arg("-d")
            .arg(dir.join("classes"))
            .args(&files)
            .output()
            .unwrap_or_else(|error| {
                panic!("cannot run javac ({error}): run tests/tools.sh, or name it in MASTOR_TEST_WITHOUT")
            });
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let results = dir.join("results");
        let ran = self
            .tool("java")
            .args([
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Duser.language=en",
                "-Duser.country=US",
                "-Duser.timezone=UTC",
                "-Dfile.encoding=UTF-8",
                "-cp",
            ])
            .arg(self.class_path(dir.join("classes")))
            .arg("Run")
            .arg(&results)
            .args(classes)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let text = std::fs::read_to_string(&results).unwrap();
        text.lines()
            .filter_map(|line| line.split_once('\t'))
            .map(|(name, result)| (name.to_owned(), result.to_owned()))
            .collect()
    }
}
