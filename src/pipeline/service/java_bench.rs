//! The bench of `mastor strength` and `mastor slice`: builds the project, compiles mastor's own Java sources next to
//! it, and runs the processes that need both.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::pipeline::repository::workspace::unwritable;
use crate::pipeline::service::revisions::service_failure;
use mastor_config::ServiceSettings;
use mastor_frameworks::launch::Launch;
use mastor_probe::service::command::Command;
use mastor_probe::service::log::{Log, TAIL};
use mastor_probe::service::{Place, build, environment};
use mastor_publish::Exported;
use mastor_spawn as spawn;
use mastor_template::Templates;
use mastor_types::Hash;
use mastor_types::error::{Exit, Failure};
use mastor_types::event::Events;

/// The separator of class path entries.
const BETWEEN: &str = if cfg!(windows) { ";" } else { ":" };
/// Flags for Maven that skip front ends (frontend-maven-plugin) and style checks: no class path needs them, and many
/// builds run them first.
const ASIDE: [&str; 10] = [
    "-Dskip.installnodenpm",
    "-Dskip.npm",
    "-Dskip.installyarn",
    "-Dskip.yarn",
    "-Dskip.gulp",
    "-Dskip.bower",
    "-Dskip.webpack",
    "-Dcheckstyle.skip",
    "-Dspotless.check.skip",
    "-Denforcer.skip",
];
/// JVM flags that keep HTTP clients in the project's code from reaching anything: proxies that do not exist.
pub const NOWHERE: [&str; 8] = [
    "-DsocksProxyHost=127.0.0.1",
    "-DsocksProxyPort=1",
    "-DsocksNonProxyHosts=",
    "-Dhttp.proxyHost=127.0.0.1",
    "-Dhttp.proxyPort=1",
    "-Dhttps.proxyHost=127.0.0.1",
    "-Dhttps.proxyPort=1",
    "-Dhttp.nonProxyHosts=",
];
/// Time limit of Maven and the compiler.
const PATIENCE: Duration = Duration::from_secs(900);
/// Sources that are compiled with the exported tests.
const SOURCES: [&str; 5] =
    ["ApplicationStartsTest.java", "Between.java", "Branches.java", "Rounds.java", "Strength.java"];
/// Interfaces of PITest that one of these sources implements.
const SERVICES: [&str; 2] = [
    "org.pitest.mutationtest.environment.EnvironmentResetPlugin",
    "org.pitest.mutationtest.environment.TransformationPlugin",
];

/// Where the project is built and mastor's Java code is compiled and run.
pub struct Bench<'a> {
    /// The environment and the folder of commands.
    pub spec: ServiceSettings,
    /// The checkout, and where logs go.
    pub place: Place,
    /// The folder of all files that are made.
    pub dir: PathBuf,
    /// Where events go.
    pub events: &'a Events,
}

/// What a class path is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassPath {
    /// The application as it is shipped.
    Application,
    /// Its tests.
    Tests,
}

/// The result of compiling sources.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The folder of the classes.
    pub folder: String,
    /// File, line and text of each error; there are classes only if there is no error.
    pub errors: Vec<(String, usize, String)>,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ran {
    /// It ended by itself, with success.
    Done,
    /// It was stopped at its time limit.
    Cut,
}

impl Bench<'_> {
    /// The same bench, with one more environment variable.
    #[must_use]
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut spec = self.spec.clone();
        spec.env.insert(name.to_owned(), value.to_owned());
        Self { spec, place: self.place.clone(), dir: self.dir.clone(), events: self.events }
    }

    /// Runs a command line to its end, or until the time is up.
    ///
    /// # Errors
    /// Exit 4 with its last lines if it fails.
    pub async fn run(&self, kind: &str, line: &str, within: Duration) -> Result<Ran, Failure> {
        let path = self.place.log(kind);
        let log = Log::create(&path, environment::secrets(&self.spec)).map_err(unwritable)?;
        let mut command = Command::start(line, &self.spec, &self.place, None, &log).map_err(service_failure)?;
        let ended = command.wait(within).await;
        command.stop().await;
        log.settle(Duration::from_millis(300));
        match ended {
            Some(ended) if ended.well() => Ok(Ran::Done),
            None => Ok(Ran::Cut),
            Some(ended) => Err(Failure::new(Exit::NotReady, format!("{kind}: `{line}` ended with {ended}"))
                .lines(log.tail(TAIL).lines)
                .hint(format!("the whole log: {}", path.display()))),
        }
    }

    async fn must(&self, kind: &str, line: &str) -> Result<(), Failure> {
        match self.run(kind, line, PATIENCE).await? {
            Ran::Done => Ok(()),
            Ran::Cut => Err(Failure::new(
                Exit::NotReady,
                format!("{kind}: `{line}` was not done within {} s", PATIENCE.as_secs()),
            )),
        }
    }

    /// A program of the JDK that the service runs on.
    fn jdk(&self, name: &str) -> String {
        let home = self.spec.env.get("JAVA_HOME").cloned().or_else(|| mastor_env::var("JAVA_HOME"));
        match home.filter(|home| !home.is_empty()) {
            Some(home) => Path::new(&home).join("bin").join(name).display().to_string(),
            None => name.to_owned(),
        }
    }

    /// Checks that there is a JDK of at least this version, and gives its version if it tells one. `otherwise` ends the
    /// hint.
    ///
    /// # Errors
    /// Exit 2 without such a JDK.
    pub fn check_java(&self, oldest: u32, what: &str, otherwise: &str) -> Result<Option<u32>, Failure> {
        let hint = format!("install a JDK {oldest} or later, or set JAVA_HOME to one{otherwise}");
        let ran = spawn::run(&self.jdk("javac"), ["-version"], Path::new("."), &[]);
        let Ok(output) = ran.as_ref().map(|output| format!("{}{}", output.out, output.err)) else {
            return Err(Failure::new(Exit::Usage, "there is no `javac`").hint(hint));
        };
        let number = output.split_whitespace().find_map(|word| {
            let word = word.strip_prefix("1.").unwrap_or(word);
            word.split(['.', '-', '+']).next()?.parse::<u32>().ok()
        });
        match number {
            Some(number) if number < oldest => {
                Err(Failure::new(Exit::Usage, format!("{what} needs Java {oldest}, `javac` is of Java {number}"))
                    .hint(hint))
            }
            number => Ok(number),
        }
    }

    /// Builds the project by its own command, or compiles its classes only, and gives a class path, with the folder of
    /// the module's classes first.
    ///
    /// # Errors
    /// Exit 2 without a Maven project or without Maven; exit 4 where the project does not build.
    pub async fn class_path(&self, launch: Option<&Launch>, of: ClassPath) -> Result<Vec<String>, Failure> {
        let module = launch.map(|launch| launch.module.as_str()).unwrap_or_default();
        let root = &self.place.root;
        if !root.join(module).join("pom.xml").is_file() {
            return Err(Failure::new(Exit::Usage, "the application is in no Maven module").hint(
                "build it, and hand in where its classes and libraries are: `--class-path build/classes/java/main:…`",
            ));
        }
        let line = self.spec.build.clone().or_else(|| launch.map(|launch| launch.build.clone()));
        let line = line.unwrap_or_else(|| "mvn -q -DskipTests compile".to_owned());
        let line = with_wrapper(&root.join(&self.spec.dir), line);
        let maven = maven(&line);
        self.check_maven(maven)?;
        let scope = match of {
            ClassPath::Application => "runtime",
            ClassPath::Tests => "test",
        };
        if of == ClassPath::Application {
            let spec = ServiceSettings { build: Some(line.clone()), ..self.spec.clone() };
            build::build(&spec, &self.place, self.events).await.map_err(service_failure)?;
        }
        let is_flag = |word: &&str| word.starts_with("-P") || word.starts_with("-D") && *word != "-DskipTests";
        let mut flags: Vec<&str> = line.split_whitespace().filter(is_flag).collect();
        if of == ClassPath::Tests {
            flags.extend(ASIDE);
        }
        let from = self.spec.dir.trim_matches('/');
        let below = module.strip_prefix(from).map(|rest| rest.trim_start_matches('/'));
        let reactor = match below {
            Some("") if of == ClassPath::Application => String::new(),
            Some("") => " compile".to_owned(),
            Some(below) if root.join(from).join("pom.xml").is_file() => format!(" compile -pl {below} -am"),
            _ if of == ClassPath::Tests => {
                format!(" compile -f {}", quoted(&root.join(module).join("pom.xml").display().to_string()))
            }
            _ => format!(" -f {}", quoted(&root.join(module).join("pom.xml").display().to_string())),
        };
        let file = root.join(module).join("target/mastor.class-path");
        let _ = fs_err::remove_file(&file);
        let line = format!(
            "{maven} -B -q -DskipTests {}{reactor} dependency:build-classpath -DincludeScope={scope} -Dmdep.outputFile=target/mastor.class-path",
            flags.join(" ")
        );
        self.events.detail(line.clone());
        if let Err(failure) = self.must("class-path", &line).await {
            // Modules that unpack the artifacts of others need these to be packaged (MDEP-98).
            let packaged = line.replacen(" compile ", " package ", 1);
            if of != ClassPath::Tests || packaged == line || self.must("class-path", &packaged).await.is_err() {
                return Err(failure);
            }
        }
        let libraries =
            fs_err::read_to_string(&file).map_err(|error| Failure::new(Exit::NotReady, error.to_string()))?;
        let classes = root.join(module).join("target/classes");
        let split = libraries.trim().split(BETWEEN).filter(|path| !path.is_empty()).map(str::to_owned);
        Ok([classes.display().to_string()].into_iter().chain(split).collect())
    }

    fn check_maven(&self, maven: &str) -> Result<(), Failure> {
        if maven != "mvn" || spawn::run(maven, ["--version"], Path::new("."), &[]).is_ok() {
            return Ok(());
        }
        Err(Failure::new(Exit::Usage, "there is no `mvn`")
            .hint("install Maven; it builds the project and fetches PITest"))
    }

    /// The class path of PITest, JaCoCo and the libraries of the exported tests; Maven fetches what is missing.
    ///
    /// # Errors
    /// Exit 2 without Maven, exit 4 where it cannot fetch them.
    pub async fn tools(&self) -> Result<Vec<String>, Failure> {
        let (pom, file) = (self.dir.join("tools/pom.xml"), self.dir.join("tools/class-path"));
        let text = part("strength/pom.xml")?;
        if let Some(known) = fetched((&pom, text), &file) {
            return Ok(known);
        }
        self.check_maven("mvn")?;
        mastor_store::write(&pom, text.as_bytes()).map_err(unwritable)?;
        let line = |offline: &str| {
            format!(
                "mvn -B -q{offline} -f {} dependency:build-classpath -Dmdep.outputFile={}",
                quoted(&pom.display().to_string()),
                quoted(&file.display().to_string())
            )
        };
        if self.must("tools", &line(" -o")).await.is_err() {
            self.events.started("fetching PITest", None);
            self.must("tools", &line(""))
                .await
                .map_err(|failure| failure.hint("Maven has to reach a repository once"))?;
        }
        let found = fs_err::read_to_string(&file).map_err(|error| Failure::new(Exit::NotReady, error.to_string()))?;
        Ok(split(found.trim()))
    }

    /// The jar of an artifact, without its dependencies; Maven fetches it if it is missing.
    ///
    /// # Errors
    /// Exit 2 without Maven, exit 4 where it cannot fetch it.
    pub async fn artifact(&self, (group, name, version): (&str, &str, &str)) -> Result<Vec<String>, Failure> {
        let (pom, file) = (self.dir.join(name).join("pom.xml"), self.dir.join(name).join("class-path"));
        let text = format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>mastor</groupId><artifactId>beside</artifactId><version>1</version>\
             <dependencies><dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>\
             </dependencies></project>\n"
        );
        if let Some(known) = fetched((&pom, &text), &file) {
            return Ok(known);
        }
        self.check_maven("mvn")?;
        mastor_store::write(&pom, text.as_bytes()).map_err(unwritable)?;
        let line = format!(
            "mvn -B -q -f {} dependency:build-classpath -DexcludeTransitive=true -Dmdep.outputFile={}",
            quoted(&pom.display().to_string()),
            quoted(&file.display().to_string())
        );
        self.must("artifact", &line).await?;
        let found = fs_err::read_to_string(&file).map_err(|error| Failure::new(Exit::NotReady, error.to_string()))?;
        Ok(split(found.trim()))
    }

    /// Compiles the exported tests and the driver of PITest. Gives the folder of the classes.
    ///
    /// # Errors
    /// Exit 4 where they do not compile.
    pub async fn compile(&self, exported: &Exported, tools: &[String]) -> Result<String, Failure> {
        let (sources, classes) = self.emptied()?;
        let mut names = Vec::new();
        let mut write = |name: &str, bytes: &[u8]| {
            names.push(sources.join(name).display().to_string());
            mastor_store::write(&sources.join(name), bytes).map_err(unwritable)
        };
        for (path, bytes) in exported.files.iter().filter(|(path, _)| path.ends_with(".java")) {
            write(path.rsplit('/').next().unwrap_or(path), bytes)?;
        }
        for name in SOURCES {
            write(name, part(&format!("strength/{name}"))?.as_bytes())?;
        }
        for service in SERVICES {
            mastor_store::write(&classes.join("META-INF/services").join(service), b"mastor.Between\n")
                .map_err(unwritable)?;
        }
        let classes = classes.display().to_string();
        self.javac(&classes, tools, names).await?;
        Ok(classes)
    }

    /// Compiles sources of mastor against the application, unless an earlier run compiled them against the same
    /// libraries. Gives the folder of the classes.
    ///
    /// # Errors
    /// Exit 4 where they do not compile.
    pub async fn compile_beside(&self, parts: &[&str], application: &[String]) -> Result<String, Failure> {
        let mut known = format!("{} {}", self.jdk("javac"), joined(application));
        for name in parts {
            known.push_str(part(name)?);
        }
        let known = Hash::of(known.as_bytes()).hex();
        let (done, classes) = (self.dir.join("compiled"), self.dir.join("classes").display().to_string());
        if fs_err::read_to_string(&done).is_ok_and(|text| text == known) {
            return Ok(classes);
        }
        let (sources, _) = self.emptied()?;
        let mut names = Vec::new();
        for name in parts {
            let path = sources.join(name.rsplit('/').next().unwrap_or(name));
            mastor_store::write(&path, part(name)?.as_bytes()).map_err(unwritable)?;
            names.push(path.display().to_string());
        }
        self.javac(&classes, application, names).await?;
        mastor_store::write(&done, known.as_bytes()).map_err(unwritable)?;
        Ok(classes)
    }

    /// Compiles sources, given by their paths, with one source of mastor, against the application.
    ///
    /// # Errors
    /// Exit 4 where the compiler cannot be run, exit 70 where files cannot be written.
    pub async fn compile_texts(
        &self,
        part_name: &str,
        texts: &BTreeMap<String, &str>,
        application: &[String],
    ) -> Result<Compiled, Failure> {
        let (sources, classes) = self.emptied()?;
        let own = sources.join(part_name.rsplit('/').next().unwrap_or(part_name));
        mastor_store::write(&own, part(part_name)?.as_bytes()).map_err(unwritable)?;
        let mut names = vec![own.display().to_string()];
        for (path, text) in texts {
            mastor_store::write(&sources.join(path), text.as_bytes()).map_err(unwritable)?;
            names.push(sources.join(path).display().to_string());
        }
        let folder = classes.display().to_string();
        let said = self.dir.join("compile.txt");
        let options = ["-nowarn", "-proc:none", "-encoding", "UTF-8", "-Xmaxerrs", "10000", "-d", &folder, "-Xstdout"];
        let all = options.iter().map(|option| (*option).to_owned());
        // Old libraries of the project cannot read class files of a newer Java.
        let java = application.first().and_then(|classes| java_of(Path::new(classes)));
        let target = java.iter().flat_map(|java| ["-source", java.as_str(), "-target", java.as_str()]);
        let all = target.map(str::to_owned).collect::<Vec<_>>().into_iter().chain(all);
        let all = all.chain([said.display().to_string(), "-cp".to_owned(), application.join(BETWEEN)]).chain(names);
        let line = self.line("javac", "compile", all)?;
        let ran = self.must("compile", &line).await;
        let text = fs_err::read_to_string(&said).unwrap_or_default();
        let errors: Vec<(String, usize, String)> = text.lines().filter_map(compile_error).collect();
        match ran {
            Err(failure) if errors.is_empty() => Err(failure.lines(text.lines().map(str::to_owned).collect())),
            _ => Ok(Compiled { folder, errors }),
        }
    }

    /// The folders for sources and classes, emptied.
    fn emptied(&self) -> Result<(PathBuf, PathBuf), Failure> {
        let folders = (self.dir.join("sources"), self.dir.join("classes"));
        let _ = fs_err::remove_file(self.dir.join("compiled"));
        for folder in [&folders.0, &folders.1] {
            let _ = fs_err::remove_dir_all(folder);
            mastor_store::create_dir(folder).map_err(unwritable)?;
        }
        Ok(folders)
    }

    async fn javac(&self, classes: &str, class_path: &[String], sources: Vec<String>) -> Result<(), Failure> {
        let options = ["-nowarn", "-proc:none", "-encoding", "UTF-8", "-d", classes, "-cp"];
        let all = options.iter().map(|option| (*option).to_owned()).chain([class_path.join(BETWEEN)]).chain(sources);
        let line = self.line("javac", "compile", all)?;
        self.must("compile", &line).await
    }

    /// A command line of a program of the JDK, with its arguments in a file: no command is too long, and the shell
    /// interprets no argument.
    ///
    /// # Errors
    /// Exit 70 where the file cannot be written.
    pub fn line(
        &self,
        program: &str,
        name: &str,
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<String, Failure> {
        let quoted_argument =
            |argument: String| format!("\"{}\"\n", argument.replace('\\', "\\\\").replace('"', "\\\""));
        let text: String = arguments.into_iter().map(quoted_argument).collect();
        let file = self.dir.join(format!("{name}.arguments"));
        mastor_store::write(&file, text.as_bytes()).map_err(unwritable)?;
        Ok(format!("{} {}", quoted(&self.jdk(program)), quoted(&format!("@{}", file.display()))))
    }

    /// Writes a properties file for the driver of PITest; a list becomes a value of several lines. Gives its path.
    ///
    /// # Errors
    /// Exit 70 where that fails.
    pub fn properties(&self, name: &str, values: &BTreeMap<&str, Vec<String>>) -> Result<String, Failure> {
        let value = |lines: &Vec<String>| lines.join("\n").replace('\\', "\\\\").replace('\n', "\\n");
        let text: String = values.iter().map(|(name, lines)| format!("{name}={}\n", value(lines))).collect();
        let file = self.dir.join(format!("{name}.properties"));
        mastor_store::write(&file, text.as_bytes()).map_err(unwritable)?;
        Ok(file.display().to_string())
    }
}

/// The class path that an earlier run fetched for this project file, if all its files still exist.
fn fetched((pom, text): (&Path, &str), class_path: &Path) -> Option<Vec<String>> {
    fs_err::read_to_string(pom).ok().filter(|there| there == text)?;
    let known = split(fs_err::read_to_string(class_path).ok()?.trim());
    known.iter().all(|path| Path::new(path).is_file()).then_some(known)
}

/// The version of Java that the classes in a folder are compiled for, as the compiler names it; `None` if there is no
/// class.
pub fn java_of(folder: &Path) -> Option<String> {
    /// The class file version of Java 8 (JVMS §4.1).
    const EIGHT: u16 = 52;
    for entry in fs_err::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if let Some(found) = java_of(&path) {
                return Some(found);
            }
        } else if path.extension().is_some_and(|end| end == "class") {
            let bytes = fs_err::read(&path).ok()?;
            let major = u16::from_be_bytes([*bytes.get(6)?, *bytes.get(7)?]).max(EIGHT);
            return Some(if major == EIGHT { "1.8".to_owned() } else { (major - 44).to_string() });
        }
    }
    None
}

/// Parses an error of the compiler: file, line, message.
fn compile_error(line: &str) -> Option<(String, usize, String)> {
    let (place, what) = line.split_once(": error: ")?;
    let (path, number) = place.rsplit_once(':')?;
    Some((path.to_owned(), number.parse().ok()?, what.to_owned()))
}

/// The version of a library on a class path; `name` is the beginning of its jar's name (`spring-core-`).
pub fn version_of(class_path: &[String], name: &str) -> Option<String> {
    let mut files = class_path.iter().filter_map(|path| path.rsplit(['/', '\\']).next());
    files.find_map(|file| file.strip_prefix(name)?.strip_suffix(".jar").map(str::to_owned))
}

/// The entries joined to one class path.
pub fn joined(entries: &[String]) -> String {
    entries.join(BETWEEN)
}

/// The entries of a class path.
pub fn split(class_path: &str) -> Vec<String> {
    class_path.split(BETWEEN).filter(|path| !path.is_empty()).map(str::to_owned).collect()
}

/// The command, run by `sh` if its Maven wrapper is not executable.
fn with_wrapper(dir: &Path, line: String) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let runs = |data: std::fs::Metadata| data.permissions().mode() & 0o111 != 0;
        let is_plain = std::fs::metadata(dir.join("mvnw")).is_ok_and(|data| !runs(data));
        if is_plain && line.starts_with("./mvnw ") {
            return format!("sh {line}");
        }
    }
    line
}

/// The Maven program in a build command.
fn maven(line: &str) -> &str {
    if line.starts_with("sh ./mvnw ") {
        return "sh ./mvnw";
    }
    line.split_whitespace().find(|word| word.ends_with("mvn") || word.ends_with("mvnw")).unwrap_or("mvn")
}

fn part(name: &str) -> Result<&'static str, Failure> {
    Templates::built_in().part(name, &[]).map_err(|error| Failure::new(Exit::Internal, error.to_string()))
}

/// A text, quoted as one word for the shell.
fn quoted(text: &str) -> String {
    if cfg!(windows) { format!("\"{text}\"") } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_word_of_the_shell() {
        if !cfg!(windows) {
            assert_eq!(quoted("a b'$c"), "'a b'\\''$c'");
        }
        assert_eq!(maven("./mvnw -q -DskipTests package"), "./mvnw");
        assert_eq!(maven("make build"), "mvn");
    }
}
