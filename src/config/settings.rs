//! The settings in force for each service, and how files, variables and flags make them.

use std::collections::BTreeMap;

use crate::file::{self, ConfigFile, ExportKind, FailOn, OpenApiSetting};
use crate::ignore::IgnoreEntry;
use crate::models::{self, ModelOverrides};
use crate::models_file::Redact;
use crate::origin::{self, Origin, join};
use crate::service::{self, AuthOf, ServiceOverrides, ServiceSettings};
use crate::slices::SlicesSetting;
use crate::strength::StrengthSetting;
use crate::trust;
use crate::within::Within;
use mastor_revision::SourceTree;
use mastor_types::entry_pattern::EntryPattern;
use mastor_types::error::{Exit, Failure};
use mastor_types::model::{EngineName, ModelsSettings};

/// Name of the settings file; there is one for each service, in the service's folder.
pub const FILE_NAME: &str = "mastor.toml";

/// The settings in force for one service.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Name of the service.
    pub name: String,
    /// Folder of the service, from the repository's root; `""` for the root.
    pub dir: String,
    /// Path of the settings file, from the repository's root.
    pub path: String,
    /// The OpenAPI document.
    pub openapi: OpenApiSetting,
    /// Source roots, from the repository's root; `None` to find them.
    pub source: Option<Vec<String>>,
    /// Additional patterns of entry methods.
    pub entry: Vec<EntryPattern>,
    /// The service, if it can be started or reached.
    pub service: Option<ServiceSettings>,
    /// A service that the file describes but switches off; only `doctor --service` starts it.
    pub switched_off: Option<ServiceSettings>,
    /// Chat models, if configured.
    pub models: Option<ModelsSettings>,
    /// Redaction of what is sent to models.
    pub redact: Redact,
    /// The engine that makes oracles, if chosen.
    pub engine: Option<EngineName>,
    /// Maximum cost of models in one run, in USD.
    pub max_usd: Option<f64>,
    /// Maximum number of tokens in one run.
    pub max_tokens: Option<u64>,
    /// Time limit of a run of `ci`.
    pub within: Option<Within>,
    /// What makes `ci` end with 1.
    pub fail_on: FailOn,
    /// Whether `ci` runs mutation tests on the changed members.
    pub strength: StrengthSetting,
    /// Whether `ci` and `generate` run slices.
    pub slices: SlicesSetting,
    /// Kinds of exports that `ci` writes, and `generate` if they are committed.
    pub export_kinds: Vec<ExportKind>,
    /// Whether `generate` writes the exports into the repository.
    pub export_commit: bool,
    /// Folder of committed exports, from the service's folder.
    pub export_dir: String,
    /// Folder of the user's own templates, from the repository's root.
    pub export_templates: Option<String>,
    /// Entries of `[[ignore]]`.
    pub ignore: Vec<IgnoreEntry>,
    /// The origin of each setting, by its key in the file.
    pub origins: BTreeMap<&'static str, Origin>,
    /// The parsed file.
    pub file: ConfigFile,
}

/// Settings from flags and environment variables; `None` where not given.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// `--fail-on` and its origin.
    pub fail_on: Option<(FailOn, Origin)>,
    /// `--config`: the only settings file to read, from the repository's root; it may have any name.
    pub config: Option<String>,
    /// `--slices`.
    pub slices: Option<(SlicesSetting, Origin)>,
    /// `--within` of `ci`.
    pub within: Option<(Within, Origin)>,
    /// `--openapi`.
    pub openapi: Option<(String, Origin)>,
    /// Engine and budget.
    pub models: ModelOverrides,
    /// Flags of the service, such as `--start-command`.
    pub service: ServiceOverrides,
}

/// The services of a revision: one for each `mastor.toml`, or one at the root where there is none; with `--config`,
/// only that file's.
///
/// # Errors
/// A [`Failure`] with exit 2 for a file with invalid settings, or where the file of `--config` does not exist.
pub fn services(tree: &SourceTree, overrides: &Overrides) -> Result<Vec<Settings>, Failure> {
    let paths = overrides.config.as_ref().map_or_else(|| config_paths(tree), |path| vec![path.clone()]);
    let mut found = Vec::new();
    for path in paths {
        found.push(settings(&path, folder(&path), file::parse(&path, &text(tree, &path, overrides)?)?, overrides)?);
    }
    if found.is_empty() {
        found.push(settings(FILE_NAME, "", ConfigFile::default(), overrides)?);
    }
    Ok(found)
}

/// The services of a head in CI. Settings that [`trust`] assigns to the base are read from the base's file; without a
/// base they are unset. A service of the base with a suite, whose folder still contains Java in the head, remains a
/// service whatever the head did to its file.
///
/// # Errors
/// As for [`services`], also for the base's file.
pub fn services_in_ci(
    head: &SourceTree,
    base: Option<&SourceTree>,
    overrides: &Overrides,
) -> Result<Vec<Settings>, Failure> {
    let mut paths = overrides.config.as_ref().map_or_else(|| config_paths(head), |path| vec![path.clone()]);
    if overrides.config.is_none() {
        if paths.is_empty() {
            paths.push(FILE_NAME.to_owned());
        }
        let stays =
            |path: &String| base.is_some_and(|base| has_suite(base, folder(path)) && has_java(head, folder(path)));
        let of_base =
            base.map(config_paths).filter(|paths| !paths.is_empty()).unwrap_or_else(|| vec![FILE_NAME.to_owned()]);
        for path in of_base.into_iter().filter(stays) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths.sort();
    }
    let known = overrides.config.is_some();
    let of_path = |path: String| {
        let ours = if known || head.get(&path).is_some() { text(head, &path, overrides)? } else { String::new() };
        file::parse(&path, &ours)?;
        let of_base = format!("{path} of the base");
        let theirs = match base.filter(|base| base.get(&path).is_some()) {
            Some(base) => text(base, &path, &Overrides::default())?,
            None => String::new(),
        };
        file::parse(&of_base, &theirs)?;
        let table = |text: &str| text.parse::<toml::Table>().map_err(|error| unusable(&path, error.message()));
        let (merged, taken) = trust::merged(&table(&ours)?, &table(&theirs)?);
        let file: ConfigFile = merged.try_into().map_err(|error: toml::de::Error| unusable(&path, error.message()))?;
        let mut settings = settings(&path, folder(&path), file, overrides)?;
        for (key, origin) in &mut settings.origins {
            let is_taken = taken.iter().any(|taken| *key == taken || key.starts_with(&format!("{taken}.")));
            if is_taken && matches!(origin, Origin::File(_)) {
                *origin = Origin::File(of_base.clone());
            }
        }
        if let Some(auth) = settings.service.as_mut().and_then(|service| service.auth.as_mut()) {
            auth.of = auth_in_ci(head, base, &auth.path)?;
        }
        Ok(settings)
    };
    paths.into_iter().map(of_path).collect()
}

/// The auth file to use in CI: the base's, or, where the base has none, an uncommitted file that the workflow has
/// written; never one that the head adds.
fn auth_in_ci(head: &SourceTree, base: Option<&SourceTree>, path: &str) -> Result<AuthOf, Failure> {
    match base.filter(|base| base.get(path).is_some()) {
        Some(base) => Ok(AuthOf::Base(text(base, path, &Overrides::default())?)),
        None if head.get(path).is_some() => {
            let failure =
                Failure::new(Exit::Usage, format!("the auth file {path} is the head's: in CI only the base's counts"));
            Err(failure.hint("commit it to the base first, or have the workflow write it"))
        }
        None => Ok(AuthOf::Disk),
    }
}

fn text(tree: &SourceTree, path: &str, overrides: &Overrides) -> Result<String, Failure> {
    let text = tree.text(path).map_err(|e| match &overrides.config {
        Some(_) => {
            Failure::new(Exit::Usage, format!("--config: {e}")).hint("it names a file of the repository, from its root")
        }
        None => Failure::new(Exit::Usage, e.to_string()),
    })?;
    Ok(text.text.to_string())
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

fn is_below(path: &str, dir: &str) -> bool {
    dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
}

fn has_suite(tree: &SourceTree, dir: &str) -> bool {
    let suite = join(dir, ".mastor/suite");
    tree.files().any(|entry| is_below(&entry.path, &suite))
}

fn has_java(tree: &SourceTree, dir: &str) -> bool {
    tree.files().any(|entry| entry.path.ends_with(".java") && is_below(&entry.path, dir))
}

/// Paths of all `mastor.toml` files of services; those below folders of examples, tests and build output are skipped.
fn config_paths(tree: &SourceTree) -> Vec<String> {
    let apart = ["test", "tests", "fixtures", "examples", "example", "target", "build", "node_modules", "testdata"];
    tree.files()
        .map(|entry| entry.path.as_str())
        .filter(|path| path.rsplit('/').next() == Some(FILE_NAME))
        .filter(|path| !path.split('/').rev().skip(1).any(|part| apart.contains(&part)))
        .map(str::to_owned)
        .collect()
}

fn settings(path: &str, dir: &str, file: ConfigFile, overrides: &Overrides) -> Result<Settings, Failure> {
    let mut origins = BTreeMap::new();
    let mut note = |key: &'static str, set: bool| {
        origins.insert(key, if set { Origin::File(path.to_owned()) } else { Origin::Default });
    };
    note("api.name", file.api.name.is_some());
    note("api.openapi", file.api.openapi.is_some());
    note("api.source", file.api.source.is_some());
    note("api.entry", !file.api.entry.is_empty());
    note("ci.fail-on", file.ci.fail_on.is_some());
    note("ci.strength", file.ci.strength.is_some());
    note("ci.slices", file.ci.slices.is_some());
    note("ci.within", file.ci.within.is_some());
    note("export.kinds", file.export.kinds.is_some());
    note("export.commit", file.export.commit.is_some());
    note("export.dir", file.export.dir.is_some());
    note("export.templates", file.export.templates.is_some());
    note("ignore", !file.ignore.is_empty());
    let templates = templates(dir, &file).map_err(|what| unusable(path, &what))?;
    let mut fail_on = file.ci.fail_on.unwrap_or_default();
    if let Some((value, origin)) = &overrides.fail_on {
        fail_on = *value;
        origins.insert("ci.fail-on", origin.clone());
    }
    let mut slices = file.ci.slices.unwrap_or_default();
    if let Some((value, origin)) = &overrides.slices {
        slices = *value;
        origins.insert("ci.slices", origin.clone());
    }
    let mut limit = file.ci.within;
    if let Some((value, origin)) = &overrides.within {
        limit = Some(*value);
        origins.insert("ci.within", origin.clone());
    }
    let mut openapi = within(dir, file.api.openapi.clone().unwrap_or_default());
    if let Some((value, origin)) = &overrides.openapi {
        openapi = OpenApiSetting::Path(value.clone());
        origins.insert("api.openapi", origin.clone());
    }
    if let Some(problem) = file.ignore.iter().find_map(IgnoreEntry::problem).or_else(|| models::problem(&file)) {
        return Err(unusable(path, &problem));
    }
    let chosen = models::settings(&file).map_err(|what| unusable(path, &what))?;
    origins.extend(models::origins(&file, path));
    origins.extend(overrides.models.origins());
    let last = dir.rsplit('/').next().filter(|name| !name.is_empty());
    let given =
        service::settings(dir, path, &file.service, &overrides.service).map_err(|what| unusable(path, &what))?;
    origins.extend(given.origins);
    Ok(Settings {
        name: file.api.name.clone().unwrap_or_else(|| last.unwrap_or("service").to_owned()),
        dir: dir.to_owned(),
        path: path.to_owned(),
        openapi,
        source: file.api.source.as_ref().map(|roots| roots.iter().map(|root| join(dir, root)).collect()),
        entry: file.api.entry.clone(),
        service: given.service,
        switched_off: given.switched_off,
        models: chosen,
        redact: file.redact.clone(),
        engine: overrides.models.engine_over(file.ci.engine),
        max_usd: overrides.models.max_usd_over(file.ci.max_usd),
        max_tokens: overrides.models.max_tokens_over(file.ci.max_tokens),
        within: limit,
        fail_on,
        strength: file.ci.strength.unwrap_or_default(),
        slices,
        export_kinds: file.export.kinds.clone().unwrap_or_else(|| ExportKind::USUAL.to_vec()),
        export_commit: file.export.commit.unwrap_or(false),
        ignore: file.ignore.clone(),
        export_dir: file.export.dir.clone().unwrap_or_else(|| "mastor-tests".to_owned()),
        export_templates: templates,
        origins,
        file,
    })
}

/// The folder of the user's own templates, from the repository's root; an error where it lies outside.
fn templates(dir: &str, file: &ConfigFile) -> Result<Option<String>, String> {
    let Some(path) = &file.export.templates else { return Ok(None) };
    let inside = origin::inside(dir, path).filter(|path| !path.is_empty());
    inside.map(Some).ok_or_else(|| format!("[export] templates: `{path}` is no folder below the repository's root"))
}

/// The failure for a value that has the right type but cannot be used.
fn unusable(path: &str, what: &str) -> Failure {
    Failure::new(Exit::Usage, format!("{path}: {what}")).hint("`mastor config show` prints what is in force")
}

fn within(dir: &str, openapi: OpenApiSetting) -> OpenApiSetting {
    match openapi {
        OpenApiSetting::Path(path) => OpenApiSetting::Path(join(dir, &path)),
        other => other,
    }
}

/// The JSON Schema of `mastor.toml`.
pub fn json_schema() -> schemars::Schema {
    schemars::schema_for!(ConfigFile)
}

impl Settings {
    /// The settings in force as `(key, value, origin)`, sorted by key.
    pub fn rows(&self) -> Vec<(&'static str, String, String)> {
        let openapi = match &self.openapi {
            OpenApiSetting::Find => "found".to_owned(),
            OpenApiSetting::Path(path) => format!("{path:?}"),
            OpenApiSetting::None => "false".to_owned(),
        };
        let kinds: Vec<String> = self.export_kinds.iter().map(|kind| format!("{:?}", kind.as_str())).collect();
        let mut rows = vec![
            ("api.name", format!("{:?}", self.name)),
            ("api.openapi", openapi),
            ("api.source", self.source.as_ref().map_or_else(|| "found".to_owned(), |roots| format!("{roots:?}"))),
            ("api.entry", format!("{} patterns", self.entry.len())),
            ("ci.fail-on", format!("{:?}", self.fail_on.as_str())),
            (
                "ci.engine",
                self.engine.map_or_else(|| "chosen by what is there".to_owned(), |name| format!("{:?}", name.as_str())),
            ),
            ("ci.max-usd", self.max_usd.map_or_else(|| "no limit".to_owned(), |usd| usd.to_string())),
            ("ci.max-tokens", self.max_tokens.map_or_else(|| "no limit".to_owned(), |tokens| tokens.to_string())),
            ("ci.within", self.within.map_or_else(|| "no limit".to_owned(), |limit| format!("\"{limit}\""))),
            ("ci.strength", self.strength.shown().to_owned()),
            ("ci.slices", format!("{:?}", self.slices.as_str())),
            ("redact.never-send", format!("{:?}", self.redact.never_send)),
            ("redact.patterns", format!("{:?}", self.redact.patterns)),
            ("export.kinds", format!("[{}]", kinds.join(", "))),
            ("export.commit", self.export_commit.to_string()),
            ("export.dir", format!("{:?}", self.export_dir)),
            (
                "export.templates",
                self.export_templates.as_ref().map_or_else(|| "built in".to_owned(), |path| format!("{path:?}")),
            ),
            ("ignore", format!("{} entries", self.ignore.len())),
        ];
        match self.service.as_ref().or(self.switched_off.as_ref()) {
            Some(service) => rows.extend(service.rows()),
            None => rows.push(("service.start", "none: nothing is started or reached".to_owned())),
        }
        if self.switched_off.is_some() {
            rows.push(("service.enabled", "false".to_owned()));
        }
        rows.extend(models::rows(self.models.as_ref()));
        rows.sort_unstable();
        let origin = |key| self.origins.get(key).map(ToString::to_string).unwrap_or_default();
        rows.into_iter().map(|(key, value)| (key, value, origin(key))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::AuthFile;
    use crate::service_file::{Ready, ResetSetting};

    fn load(files: &[(&str, &str)]) -> Result<Vec<Settings>, Failure> {
        services(&SourceTree::from_memory(files.iter().map(|(p, t)| (*p, *t))), &Overrides::default())
    }

    #[test]
    fn without_a_file_there_is_one_service_at_the_root() {
        let services = load(&[("pom.xml", "")]).unwrap();
        assert_eq!(services.len(), 1);
        assert_eq!(services[0].fail_on, FailOn::Unaccepted);
        assert!(services[0].origins.values().all(|origin| *origin == Origin::Default));
    }

    #[test]
    fn each_service_has_its_folder_and_paths_stay_inside_the_repository() {
        let text = "[api]\nopenapi = \"../../../api.yaml\"\nsource = [\"src\"]\n[ci]\nfail-on = \"stale\"\n";
        let services =
            load(&[("a/b/mastor.toml", text), ("c/mastor.toml", ""), ("examples/x/mastor.toml", "")]).unwrap();
        assert_eq!(services.iter().map(|s| s.dir.as_str()).collect::<Vec<_>>(), ["a/b", "c"]);
        assert_eq!(services[0].openapi, OpenApiSetting::Path("api.yaml".to_owned()));
        assert_eq!(services[0].source, Some(vec!["a/b/src".to_owned()]));
        assert_eq!(services[0].fail_on, FailOn::Stale);
        assert_eq!(services[1].name, "c");
    }

    #[test]
    fn an_unknown_key_or_value_names_the_place_and_what_was_meant() {
        let failure = load(&[("mastor.toml", "[api]\nopenapy = \"x\"\n")]).unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
        assert_eq!(failure.message, "mastor.toml:2:1: unknown key `openapy`");
        assert_eq!(failure.hint.as_deref(), Some("did you mean `openapi`?"));
        let failure = load(&[("mastor.toml", "[ci]\nfail-on = \"unacepted\"\n")]).unwrap_err();
        assert_eq!(failure.hint.as_deref(), Some("did you mean `unaccepted`?"));
        let failure = load(&[("mastor.toml", "[api\n")]).unwrap_err();
        assert!(failure.message.starts_with("mastor.toml:1:"), "{}", failure.message);
    }

    #[test]
    fn the_example_of_a_service_is_read() {
        let text = r#"[service]
            dir = "server"
            port = 8080
            build = "mvn -q -DskipTests package"
            start = "java -jar target/orders.jar --server.port={port}"
            base-url = "http://127.0.0.1:{port}/"
            ready = { url = "/actuator/health", status = 200, within = "90s" }
            reset = { post = "/test/reset" }
            auth = "auth.yaml"
            env = { SPRING_PROFILES_ACTIVE = "test" }
        "#;
        let settings = load(&[("a/mastor.toml", text)]).unwrap().remove(0);
        let service = settings.service.as_ref().unwrap();
        assert_eq!((service.dir.as_str(), service.port), ("a/server", Some(8080)));
        assert_eq!(service.base_url, "http://127.0.0.1:{port}");
        assert_eq!(service.ready, Ready::Url("/actuator/health".to_owned(), Some(200)));
        assert_eq!(service.ready_within.as_secs(), 90);
        assert_eq!(service.reset, ResetSetting::Post("/test/reset".to_owned()));
        assert_eq!(service.auth, Some(AuthFile { path: "a/auth.yaml".to_owned(), of: AuthOf::Disk }));
        let rows = settings.rows();
        assert!(rows.iter().any(|row| row.0 == "service.env" && row.1 == "[\"SPRING_PROFILES_ACTIVE\"]"));
        assert!(rows.iter().any(|row| row.0 == "service.start" && row.2 == "a/mastor.toml"));
        let minimal = load(&[("mastor.toml", "[service]\nstart = \"./run\"\n")]).unwrap().remove(0).service.unwrap();
        assert_eq!(minimal.ready, Ready::Url("/".to_owned(), None));
        assert_eq!(minimal.reset, ResetSetting::Restart);
        assert!(load(&[("mastor.toml", "[service]\nbuild = \"make\"\n")]).unwrap()[0].service.is_none());
    }

    #[test]
    fn what_a_service_cannot_mean_is_said() {
        for (text, message, hint) in [
            ("stat = \"x\"", "mastor.toml:2:1: unknown key `stat`", "did you mean `start`?"),
            ("ready = { urll = \"/\" }", "unknown key `urll`", "did you mean `url`?"),
            ("ready = { url = \"/\", port = true }", "only one of `url`, `log` and `port`", ""),
            ("ready = { status = 200 }", "`status` belongs to `url`", ""),
            ("ready = { port = true, within = \"soon\" }", "`soon` is no time limit", ""),
            ("reset = \"restrat\"", "unknown value `restrat`", "did you mean `restart`?"),
            ("reset = { pots = \"/x\" }", "unknown key `pots`", "did you mean `post`?"),
            ("reset = 3", "invalid type: integer", ""),
            ("base-url = \"127.0.0.1:8080\"", "is no http or https URL", ""),
            ("base-url = \"http://127.0.0.1:{port}\"", "base-url needs a port", ""),
            ("start = \"x\"\nenv = { \"A=B\" = \"\" }", "is no name of a variable", ""),
        ] {
            let failure = load(&[("mastor.toml", &format!("[service]\n{text}\n"))]).unwrap_err();
            assert!(failure.message.contains(message), "{text}: {}", failure.message);
            assert!(failure.hint.as_deref().unwrap_or_default().contains(hint), "{text}: {:?}", failure.hint);
            assert_eq!(failure.exit, Exit::Usage);
        }
    }

    #[test]
    fn in_ci_a_pull_request_cannot_send_requests_or_credentials_elsewhere() {
        let head = "[service]\nstart = \"./new\"\nbuild = \"make new\"\nbase-url = \"http://evil.example\"\nauth = \"mine.yaml\"\n\
                    inherit = [\"SECRET\"]\nready = { url = \"http://evil.example/\" }\nreset = { post = \"https://evil.example\" }\n";
        let base = "[service]\nstart = \"./old\"\nauth = \"auth.yaml\"\nready = { port = true }\n";
        let tree = |text: &str| SourceTree::from_memory([("mastor.toml", text), ("auth.yaml", text)]);
        let protected = |base: &str, overrides: &Overrides| {
            services_in_ci(&tree(head), Some(&tree(base)), overrides).unwrap().remove(0)
        };
        let settings = protected(base, &Overrides::default());
        let service = settings.service.clone().unwrap();
        assert_eq!((service.start.as_deref(), service.build.as_deref()), (Some("./new"), Some("make new")));
        assert_eq!(service.base_url, "http://127.0.0.1:{port}");
        assert_eq!(service.auth, Some(AuthFile { path: "auth.yaml".to_owned(), of: AuthOf::Base(base.to_owned()) }));
        assert_eq!((service.ready, service.reset), (Ready::Port, ResetSetting::Restart));
        assert!(service.inherit.is_empty());
        assert_eq!(settings.origins["service.auth"].to_string(), "mastor.toml of the base");
        // URLs from the base's file or from flags may refer to other machines.
        let service = protected("[service]\nbase-url = \"http://evil.example\"\n", &Overrides::default()).service;
        assert_eq!(service.unwrap().base_url, "http://evil.example");
        let flags = ServiceOverrides { base_url: Some("http://test.example".to_owned()), ..Default::default() };
        let settings = protected(base, &Overrides { service: flags, ..Default::default() });
        let service = settings.service.unwrap();
        assert_eq!((service.base_url.as_str(), service.start), ("http://test.example", None));
        assert_eq!(settings.origins["service.base-url"], Origin::Flag("--base-url"));
    }

    const MODELS: &str = "[model.primary]\nbase-url = \"https://models.example/v1/\"\nmodel = \"large\"\nkey-env = \"KEY\"\n\
                          headers = { x-team = \"hidden-value\" }\nprice = { input = 2, cached = 0.5, output = 8 }\ncontext = 32000\n";

    #[test]
    fn models_are_read_with_what_is_left_out() {
        let text = format!(
            "{MODELS}[model.challenger]\nmodel = \"other\"\nwithin = \"90s\"\n[ci]\nengine = \"hybrid\"\nmax-usd = 1.5\n"
        );
        let settings = load(&[("mastor.toml", &text)]).unwrap().remove(0);
        let models = settings.models.clone().unwrap();
        let primary = &models.primary;
        assert_eq!(
            (primary.base_url.as_str(), primary.max_output, primary.concurrency),
            ("https://models.example/v1", 8000, 4)
        );
        let challenger = models.challenger.unwrap();
        assert_eq!((challenger.model.as_str(), challenger.base_url.as_str()), ("other", "https://models.example/v1"));
        assert_eq!((challenger.key_env.as_deref(), challenger.context), (Some("KEY"), 128_000));
        assert_eq!((challenger.price, challenger.within.as_secs()), (None, 90));
        assert_eq!((settings.engine, settings.max_usd), (Some(EngineName::Hybrid), Some(1.5)));
        let rows = settings.rows();
        let row = |key: &str| rows.iter().find(|row| row.0 == key).cloned().unwrap();
        assert_eq!(row("model.primary.headers").1, "[\"x-team\"]");
        assert_eq!(row("model.primary.base-url").2, "mastor.toml");
        assert_eq!(row("model.primary.concurrency").2, "default");
        assert!(!format!("{rows:?}").contains("hidden-value"));
        // A challenger at another endpoint gets no key, header or price of the primary.
        let elsewhere =
            format!("{MODELS}[model.challenger]\nbase-url = \"http://127.0.0.1:1/v1\"\nmodel = \"small\"\n");
        let challenger = load(&[("mastor.toml", &elsewhere)]).unwrap().remove(0).models.unwrap().challenger.unwrap();
        assert_eq!((challenger.key_env, challenger.headers.len()), (None, 0));
        assert!(load(&[("mastor.toml", "")]).unwrap()[0].models.is_none());
    }

    #[test]
    fn what_a_model_cannot_mean_is_said() {
        for (text, message, hint) in [
            ("base-ulr = \"x\"", "unknown key `base-ulr`", "did you mean `base-url`?"),
            ("model = \"m\"", "[model.primary] base-url is missing", ""),
            ("base-url = \"https://m.example\"", "[model.primary] model is missing", ""),
            ("base-url = \"m.example\"\nmodel = \"m\"", "is no http or https URL", ""),
            ("base-url = \"https://user@m.example\"\nmodel = \"m\"", "is no http or https URL", ""),
            ("base-url = \"https://m.example\"\nmodel = \"m\"\ncontext = 0", "context is 0", ""),
            ("base-url = \"https://m.example\"\nmodel = \"m\"\nmax-output = 200000", "leaves no room", ""),
            ("base-url = \"https://m.example\"\nmodel = \"m\"\nprice = { input = -1 }", "below 0", ""),
            (
                "base-url = \"https://m.example\"\nmodel = \"m\"\nprice = { imput = 1 }",
                "unknown key `imput`",
                "did you mean `input`?",
            ),
            (
                "base-url = \"https://m.example\"\nmodel = \"m\"\n[ci]\nengine = \"hybird\"",
                "unknown value `hybird`",
                "did you mean `hybrid`?",
            ),
            ("base-url = \"https://m.example\"\nmodel = \"m\"\n[ci]\nmax-usd = -1.0", "max-usd is below 0", ""),
            (
                "base-url = \"https://m.example\"\nmodel = \"m\"\n[redact]\npatterns = [\"(\"]",
                "is no regular expression",
                "",
            ),
            ("base-url = \"https://m.example\"\nmodel = \"m\"\n[redact]\nnever-send = [\"a{\"]", "is no glob", ""),
        ] {
            let failure = load(&[("mastor.toml", &format!("[model.primary]\n{text}\n"))]).unwrap_err();
            assert!(failure.message.contains(message), "{text}: {}", failure.message);
            assert!(failure.hint.as_deref().unwrap_or_default().contains(hint), "{text}: {:?}", failure.hint);
            assert_eq!(failure.exit, Exit::Usage);
        }
        let alone = load(&[("mastor.toml", "[model.challenger]\nmodel = \"m\"\n")]).unwrap_err();
        assert!(alone.message.contains("needs a [model.primary]"));
    }

    #[test]
    fn in_ci_a_pull_request_cannot_choose_models_or_redaction() {
        let head = "[model.primary]\nbase-url = \"https://evil.example/v1\"\nmodel = \"m\"\nkey-env = \"KEY\"\n[model.challenger]\nmodel = \"x\"\n\
                    [ci]\nengine = \"agents\"\nmax-usd = 1000.0\n[redact]\nnever-send = []\n";
        let base = format!("{MODELS}[ci]\nmax-tokens = 5\n[redact]\nnever-send = [\"**/*.pem\"]\n");
        let tree = |text: &str| SourceTree::from_memory([("mastor.toml", text)]);
        let protected = |base: &str, overrides: &Overrides| {
            services_in_ci(&tree(head), Some(&tree(base)), overrides).unwrap().remove(0)
        };
        let settings = protected(&base, &Overrides::default());
        let models = settings.models.clone().unwrap();
        assert_eq!((models.primary.base_url.as_str(), models.challenger), ("https://models.example/v1", None));
        assert_eq!((settings.engine, settings.max_usd, settings.max_tokens), (None, None, Some(5)));
        assert_eq!(settings.redact.never_send, ["**/*.pem"]);
        assert_eq!(settings.origins["model.primary.base-url"].to_string(), "mastor.toml of the base");
        assert!(!settings.origins.contains_key("model.challenger.model"));
        assert!(!format!("{:?}", settings.file).contains("evil.example"));
        // Without models in the base's file there are none, whatever the head's file says.
        assert!(protected("", &Overrides::default()).models.is_none());
        let flag = Origin::Flag("--max-usd");
        let given = ModelOverrides { max_usd: Some((2.0, flag.clone())), ..Default::default() };
        let settings = protected(&base, &Overrides { models: given, ..Default::default() });
        assert_eq!((settings.max_usd, &settings.origins["ci.max-usd"]), (Some(2.0), &flag));
    }

    #[test]
    fn templates_stay_inside_the_repository_and_in_ci_are_those_of_the_base() {
        let templates = |files: &[(&str, &str)]| Ok(load(files)?.remove(0).export_templates);
        let named = |path: &str| format!("[export]\ntemplates = {path:?}\n");
        assert_eq!(templates(&[("a/mastor.toml", &named("../own"))]).unwrap().as_deref(), Some("own"));
        assert_eq!(templates(&[("mastor.toml", &named("a/./b/"))]).unwrap().as_deref(), Some("a/b"));
        for outside in ["..", "../own", "/etc", "C:\\own", ".", "", "a/../../b"] {
            let failure: Failure = templates(&[("mastor.toml", &named(outside))]).unwrap_err();
            assert!(failure.message.contains("is no folder below the repository's root"), "{outside}: {failure:?}");
        }
        let tree = |text: &str| SourceTree::from_memory([("mastor.toml", text)]);
        let protected = |head: &str, base: &str| {
            services_in_ci(&tree(head), Some(&tree(base)), &Overrides::default()).unwrap().remove(0)
        };
        let settings = protected(&named("mine"), &named("ours"));
        assert_eq!(settings.export_templates.as_deref(), Some("ours"));
        assert_eq!(settings.origins["export.templates"].to_string(), "mastor.toml of the base");
        assert_eq!(protected(&named("mine"), "").export_templates, None);
    }

    #[test]
    fn the_schema_knows_the_service() {
        let schema = serde_json::to_value(json_schema()).unwrap();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let valid = serde_json::json!({"service": {"start": "x", "ready": {"log": "Started", "within": "60s"}, "reset": {"post": "/r"}}});
        assert!(
            validator.is_valid(&valid),
            "{:?}",
            validator.iter_errors(&valid).map(|e| e.to_string()).collect::<Vec<_>>()
        );
        assert!(validator.is_valid(&serde_json::json!({"service": {"reset": "restart"}})));
        assert!(!validator.is_valid(&serde_json::json!({"service": {"ready": {"urll": "x"}}})));
        assert!(!validator.is_valid(&serde_json::json!({"service": {"reset": "restrat"}})));
        let model = serde_json::json!({"base-url": "https://m.example/v1", "model": "m", "price": {"input": 1.0}});
        assert!(
            validator.is_valid(
                &serde_json::json!({"model": {"primary": model}, "ci": {"engine": "hybrid", "max-usd": 1.0}})
            )
        );
        assert!(!validator.is_valid(&serde_json::json!({"model": {"secondary": model}})));
        assert!(!validator.is_valid(&serde_json::json!({"ci": {"engine": "magic"}})));
    }
}
