//! Reads modules from build files: names, dependencies within the repository, and configured source folders. Nothing
//! is executed.

use quick_xml::events::Event;

use super::build_kind::BuildKind;

/// The contents of one build file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuildFile {
    /// The build tool that reads it.
    pub kind: BuildKind,
    /// Artifact id; empty for Gradle, whose settings file names the modules.
    pub name: String,
    /// Artifact ids or Gradle project paths of the dependencies.
    pub deps: Vec<String>,
    /// Configured folders of main sources, relative to the module's folder.
    pub sources: Vec<String>,
    /// Configured folders of test sources, relative to the module's folder.
    pub test_sources: Vec<String>,
}

impl BuildFile {
    /// A build file without contents.
    pub fn empty(kind: BuildKind) -> Self {
        Self { kind, ..Self::default() }
    }

    fn add_source(&mut self, place: &str, test: bool) {
        let place = ["${project.basedir}", "${basedir}", "$projectDir", "${projectDir}"]
            .iter()
            .fold(place.trim(), |place, prefix| place.strip_prefix(prefix).unwrap_or(place));
        // A path with a property reference points into the build output or cannot be resolved.
        if !place.contains('$') {
            let list = if test { &mut self.test_sources } else { &mut self.sources };
            list.push(place.to_owned());
        }
    }
}

/// Whether a file of this name is a build file.
pub fn is_build_file(name: &str) -> bool {
    matches!(name, "pom.xml" | "build.gradle" | "build.gradle.kts" | "settings.gradle" | "settings.gradle.kts")
}

/// Reads a `pom.xml` or `build.gradle`.
pub fn read(name: &str, text: &str) -> BuildFile {
    if name == "pom.xml" { pom(text) } else { gradle(text) }
}

/// Normalises a module name, so that `:core:web-api` and `projects.core.webApi` compare as equal.
pub fn comparable(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, ':' | '.' | '-' | '_')).flat_map(char::to_lowercase).collect()
}

fn pom(text: &str) -> BuildFile {
    let mut found = BuildFile::empty(BuildKind::Maven);
    let mut reader = quick_xml::Reader::from_str(text);
    let mut path: Vec<String> = Vec::new();
    let mut goal_is_test = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => path.push(start.local_name().as_ref().to_owned()),
            Ok(Event::End(_)) => {
                path.pop();
            }
            Ok(Event::Text(content)) => {
                let content = content.trim().to_owned();
                let last: Vec<&str> = path.iter().map(String::as_str).skip(1).collect();
                match last.as_slice() {
                    ["artifactId"] => found.name = content,
                    [.., "dependencies", "dependency", "artifactId"]
                        if !last.contains(&"dependencyManagement") && !last.contains(&"plugin") =>
                    {
                        found.deps.push(content);
                    }
                    [.., "build", "sourceDirectory"] => found.add_source(&content, false),
                    [.., "build", "testSourceDirectory"] => found.add_source(&content, true),
                    [.., "goal"] => goal_is_test = content.starts_with("add-test"),
                    [.., "sources", "source"] => found.add_source(&content, goal_is_test),
                    _ => {}
                }
            }
            Ok(Event::Eof) | Err(_) => return found,
            Ok(_) => {}
        }
    }
}

fn gradle(text: &str) -> BuildFile {
    let mut found = BuildFile::empty(BuildKind::Gradle);
    for rest in after(text, "project") {
        let rest = rest.trim_start();
        if let Some(args) = rest.strip_prefix('(') {
            found.deps.extend(quoted(args).into_iter().take(1).filter(|name| name.starts_with(':')));
        }
    }
    for rest in after(text, "projects") {
        let name: String = rest
            .strip_prefix('.')
            .unwrap_or_default()
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
            .collect();
        if !name.is_empty() {
            found.deps.push(name);
        }
    }
    for word in ["srcDir", "srcDirs"] {
        for place in after(text, word).flat_map(quoted) {
            let test = place.split('/').any(|part| part.starts_with("test") || part == "it");
            found.add_source(&place, test);
        }
    }
    found
}

/// The modules that Gradle settings include: project path and folder.
pub fn settings(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = after(text, "include")
        .flat_map(quoted)
        .map(|name| (format!(":{}", name.trim_start_matches(':')), name.trim_start_matches(':').replace(':', "/")))
        .collect();
    for rest in after(text, "project") {
        let line = rest.lines().next().unwrap_or_default();
        let Some((name, place)) = line.split_once(".projectDir") else { continue };
        let (Some(name), Some(place)) = (first_quoted(name), first_quoted(place)) else { continue };
        if let Some(module) = found.iter_mut().find(|module| module.0 == name) {
            module.1 = place;
        }
    }
    found
}

/// The text after each occurrence of a whole word outside line comments.
fn after<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).filter_map(move |(at, _)| {
        let rest = &text[at + word.len()..];
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        let whole = !line.ends_with(is_part) && !rest.starts_with(is_part);
        (whole && !line.contains("//")).then_some(rest)
    })
}

/// The quoted strings of the list that starts here, such as `("a", "b")` or ` 'a', 'b'` or ` = ["a"]`.
fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "(,=+[:".contains(c));
        rest = ["path", "setOf", "listOf", "files", "file"]
            .iter()
            .fold(rest, |rest, word| rest.strip_prefix(word).unwrap_or(rest))
            .trim_start_matches(|c: char| c.is_whitespace() || "(=:".contains(c));
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return found };
        let Some((content, after)) = rest[1..].split_once(quote) else { return found };
        found.push(content.to_owned());
        // The list ends at the first string that no comma follows, so that the next line is not read.
        if !after.trim_start().starts_with(',') {
            return found;
        }
        rest = after;
    }
}

fn first_quoted(text: &str) -> Option<String> {
    let at = text.find(['"', '\''])?;
    quoted(&text[at..]).into_iter().next()
}
