//! Finds the documents of a service in the conventional places.
//!
//! Candidates are files named `*.json`, `*.yaml` or `*.yml` that contain `openapi` or `swagger`, and `paths`. They are
//! ranked by these criteria, in this order: whether the service's build generates server code from them; the place (the
//! service's root, `src/main/resources`, `src/main/webapp`, a folder such as `docs` or `api`, elsewhere, outside the
//! service but named after it); the name (`openapi`, `swagger`, `api-docs`, a name with one of these, any other);
//! depth; path. Tests, build output, dependencies and hidden folders are skipped.

use std::sync::LazyLock;

use regex::Regex;
use regex::bytes::Regex as Bytes;

use super::files::Files;
use super::format;
use super::version::SpecVersion;

/// A file that looks like the service's OpenAPI document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Path from the repository's root.
    pub path: String,
    /// Version family as a first look shows it.
    pub version: SpecVersion,
    /// Whether the build generates server code from this file. The document is then the source of that code.
    pub generates_code: bool,
    /// Why the file is a candidate, and why it has this rank.
    pub reason: String,
}

const LEFT_OUT: [&str; 12] = [
    "test",
    "tests",
    "it",
    "integrationtest",
    "testdata",
    "fixtures",
    "target",
    "node_modules",
    "build",
    "out",
    "dist",
    "bin",
];
const FOLDERS: [&str; 14] = [
    "docs",
    "doc",
    "api",
    "apis",
    "spec",
    "specs",
    "openapi",
    "swagger",
    "api-docs",
    "apidocs",
    "contract",
    "contracts",
    "schema",
    "etc",
];

static SAYS_VERSION: LazyLock<Option<Bytes>> = LazyLock::new(|| {
    Bytes::new(r#"(?m)(?:^|[{,]\s*|^\s+)["']?(openapi|swagger)["']?\s*:\s*["']?([0-9]+(?:\.[0-9]+)*)"#).ok()
});
static SAYS_PATHS: LazyLock<Option<Bytes>> =
    LazyLock::new(|| Bytes::new(r#"(?m)(?:^|[{,\s])["']?paths["']?\s*:"#).ok());
static INPUT_SPEC: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?:<inputSpec>\s*|inputSpec(?:\.set)?\s*[=(]?\s*\(?\s*(?:file\()?["'])([^"'<]+?)\s*(?:<|["'])"#).ok()
});
static SERVER_GENERATOR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?:generatorName|<language>|language)[^A-Za-z]*(?:set\()?["'>\s]*(?:spring|jaxrs|java-(?:play|vertx|undertow|msf4j|micronaut-server|helidon-server|pkmst|inflector)|kotlin-(?:spring|server))"#).ok()
});

/// The candidates for the document of the service in `service_dir` (`""` is the repository's root), best first.
pub fn discover(files: &dyn Files, service_dir: &str) -> Vec<Candidate> {
    let service = service_dir.trim_matches('/');
    let mut all = files.list();
    all.sort();
    let named = named_by_build(files, &all, service);
    let mut found = Vec::new();
    for path in &all {
        let build = named.iter().find(|(spec, _)| spec == path).map(|(_, build)| build);
        let Some(ranked) = rank(path, service).or(build.map(|_| Rank::outside(path))) else { continue };
        let Some((version, defect)) = files.read(path).and_then(|bytes| recognise(path, &bytes)) else { continue };
        let mut reason = match build {
            Some(build) => format!("{build} generates server code from it"),
            None => ranked.reason.clone(),
        };
        if let Some(defect) = defect {
            reason = format!("{reason}; but {defect}");
        }
        let order = (build.is_none(), ranked.place, ranked.name, path.matches('/').count(), path.clone());
        found.push((order, Candidate { path: path.clone(), version, generates_code: build.is_some(), reason }));
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

struct Rank {
    place: u8,
    name: u8,
    reason: String,
}

impl Rank {
    fn outside(path: &str) -> Self {
        Self { place: 5, name: name_rank(path), reason: "outside the service's folder".to_owned() }
    }
}

fn name_rank(path: &str) -> u8 {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_ascii_lowercase();
    match stem.as_str() {
        "openapi" => 0,
        "swagger" => 1,
        "api-docs" | "apidocs" | "api-doc" | "api_docs" => 2,
        stem if ["openapi", "swagger", "api-docs", "apidocs", "oas"].iter().any(|word| stem.contains(word)) => 3,
        stem if ["api", "spec", "contract"].iter().any(|word| stem.contains(word)) => 4,
        _ => 5,
    }
}

/// Ranks a file by its place and name; `None` for a file that is not considered.
fn rank(path: &str, service: &str) -> Option<Rank> {
    let (stem, extension) = path.rsplit_once('.')?;
    if !["json", "yaml", "yml"].contains(&extension.to_ascii_lowercase().as_str()) {
        return None;
    }
    let name = name_rank(path);
    let inside = if service.is_empty() {
        Some(path)
    } else {
        path.strip_prefix(service).and_then(|rest| rest.strip_prefix('/'))
    };
    let Some(inside) = inside else {
        let last = service.rsplit('/').next().unwrap_or(service).to_ascii_lowercase();
        let folder = path.split('/').next().unwrap_or_default().to_ascii_lowercase();
        let fits = !last.is_empty() && stem.to_ascii_lowercase().contains(&last) && FOLDERS.contains(&folder.as_str());
        let reason = format!("in {folder}/, named after the service");
        return fits.then_some(Rank { place: 6, name, reason });
    };
    let folders: Vec<String> = inside.split('/').map(str::to_ascii_lowercase).collect();
    let folders = &folders[..folders.len().saturating_sub(1)];
    if folders.iter().any(|folder| folder.starts_with('.') || LEFT_OUT.contains(&folder.as_str())) {
        return None;
    }
    let (place, reason) = match folders.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => (0, "at the service's root".to_owned()),
        ["src", "main", "resources", ..] => (1, "in src/main/resources".to_owned()),
        ["src", "main", "webapp", ..] => (2, "in src/main/webapp".to_owned()),
        [first, ..] if FOLDERS.contains(&first) => (3, format!("in {first}/")),
        _ if name <= 3 => (4, "by its name".to_owned()),
        _ => return None,
    };
    Some(Rank { place, name, reason })
}

/// The version that a file declares, and the error that keeps it from being parsed; `None` for anything but an OpenAPI
/// document.
fn recognise(path: &str, bytes: &[u8]) -> Option<(SpecVersion, Option<String>)> {
    let said = SAYS_VERSION.as_ref()?.captures(bytes)?;
    if !SAYS_PATHS.as_ref()?.is_match(bytes) {
        return None;
    }
    let version = match (&said[1], &said[2]) {
        (b"swagger", _) => SpecVersion::V20,
        (_, number) if number.starts_with(b"3.0") => SpecVersion::V30,
        _ => SpecVersion::V31,
    };
    match format::parse(path, bytes) {
        Ok((value, _)) => {
            let top = value.as_object()?;
            let known = (top.contains_key("openapi") || top.contains_key("swagger")) && top.contains_key("paths");
            known.then_some((version, None))
        }
        // A broken document is still the service's document: reading it later reports exactly what is wrong.
        Err(error) => Some((version, Some(format!("it cannot be read: {error}")))),
    }
}

/// Documents from which a build file of the service generates server code, each with that build file.
fn named_by_build(files: &dyn Files, all: &[String], service: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for name in ["pom.xml", "build.gradle", "build.gradle.kts"] {
        let build = if service.is_empty() { name.to_owned() } else { format!("{service}/{name}") };
        let Some(text) = files.read(&build).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) else { continue };
        let (Some(input), Some(server)) = (INPUT_SPEC.as_ref(), SERVER_GENERATOR.as_ref()) else { continue };
        if !server.is_match(&text) {
            continue;
        }
        for spec in input.captures_iter(&text).map(|found| found[1].to_owned()) {
            // The text up to the last variable is the module's own folder, whatever the variable is called.
            let relative = spec.rsplit('}').next().unwrap_or(&spec);
            let relative = ["$projectDir", "$rootDir", "$basedir"]
                .iter()
                .find_map(|v| relative.strip_prefix(v))
                .unwrap_or(relative);
            let relative = relative.trim_start_matches(['/', '.']);
            let inside = if service.is_empty() { relative.to_owned() } else { format!("{service}/{relative}") };
            if let Some(path) = [inside, relative.to_owned()].into_iter().find(|path| all.binary_search(path).is_ok()) {
                found.push((path, build.clone()));
            }
        }
    }
    found
}
