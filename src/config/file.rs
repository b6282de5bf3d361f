//! The tables and keys of `mastor.toml`.

use serde::{Deserialize, Serialize};

use super::ignore::IgnoreEntry;
use super::models_file::{Model, Redact};
use super::service_file::ServiceTable;
use super::slices::SlicesSetting;
use super::strength::StrengthSetting;
use super::suggest::did_you_mean;
use super::within::Within;
use mastor_types::entry_pattern::EntryPattern;
use mastor_types::error::{Exit, Failure};
use mastor_types::model::EngineName;

/// `mastor.toml`. Everything may be left out.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ConfigFile {
    /// The API: its document and source.
    pub api: Api,
    /// The service: how it is started or reached.
    pub service: ServiceTable,
    /// Chat models; none: the rules engine works alone.
    pub model: Model,
    /// `mastor ci`.
    pub ci: Ci,
    /// Exports.
    pub export: Export,
    /// What never reaches a model.
    pub redact: Redact,
    /// What is left aside for a time.
    pub ignore: Vec<IgnoreEntry>,
}

/// `[api]`
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Api {
    /// Name of the service; its folder's name when left out.
    pub name: Option<String>,
    /// Path of the OpenAPI document from this file's folder; found when left out; `false`: there is none.
    pub openapi: Option<OpenApiSetting>,
    /// Source roots from this file's folder; found when left out.
    pub source: Option<Vec<String>>,
    /// Further ways to find entries.
    pub entry: Vec<EntryPattern>,
}

/// `[ci]`
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Ci {
    /// What makes `ci` end with 1.
    pub fail_on: Option<FailOn>,
    /// Which engine makes oracles; when left out, `hybrid` where a model and its key are there, else `rules`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineName>,
    /// Most that the models of one run may cost, in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_usd: Option<f64>,
    /// Most tokens that one run may use, of prompts and replies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Time limit of a run, such as `"90s"`: what it does not suffice for is left out and named. None when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<Within>,
    /// Whether `ci` also measures by mutants the members that changed: `true` by PITest, `"fast"` without a JVM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<StrengthSetting>,
    /// Whether `ci` and `generate` run slices: `"auto"` (the default), `"on"` or `"off"`. In CI only `"on"` does, in the base's file.
    pub slices: Option<SlicesSetting>,
}

/// `[export]`
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Export {
    /// Kinds that `ci` and, where they are committed, `generate` write (the page is never committed); `junit`, `postman` and `readable` when left out.
    pub kinds: Option<Vec<ExportKind>>,
    /// Whether `generate` writes them into the repository.
    pub commit: Option<bool>,
    /// Folder of committed exports, from this file's folder.
    pub dir: Option<String>,
    /// Folder of your own templates, from this file's folder; `mastor init --templates DIR` writes those that are built in.
    pub templates: Option<String>,
}

/// Where the OpenAPI document is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(untagged)]
pub enum OpenApiSetting {
    /// Search the conventional places.
    #[default]
    Find,
    /// The file at this path.
    Path(String),
    /// The project has no document.
    None,
}

impl<'de> Deserialize<'de> for OpenApiSetting {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a path, or `false` for none")]
        enum Raw {
            Bool(bool),
            Path(String),
        }
        match Raw::deserialize(deserializer)? {
            Raw::Bool(false) => Ok(Self::None),
            Raw::Bool(true) => Ok(Self::Find),
            Raw::Path(path) => Ok(Self::Path(path)),
        }
    }
}

impl schemars::JsonSchema for OpenApiSetting {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OpenApiSetting".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": ["string", "boolean"]})
    }
}

/// What makes `ci` end with 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// Nothing; every other exit code stands.
    Never,
    /// A confirmed oracle of the base's suite is seen broken on the head, and the head's suite does not say so.
    Broken,
    /// That, or an operation with a suite was removed, or a change of one, derived or seen, contradicts the base's suite or breaks clients, and
    /// the head's suite does not say so.
    #[default]
    Unaccepted,
    /// That, or the head's suite is stale for an operation that the change affects.
    Stale,
    /// That, or anything is told that may break clients, or an operation is undecided.
    Any,
}

impl FailOn {
    /// The name in files and flags.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Broken => "broken",
            Self::Unaccepted => "unaccepted",
            Self::Stale => "stale",
            Self::Any => "any",
        }
    }
}

/// Kinds of exports.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum ExportKind {
    /// A Maven module of JUnit 5 and REST Assured tests.
    Junit,
    /// Slices as tests of the project's own: JUnit 5, Mockito, `MockMvc`; builds the project, and is written by `mastor export` alone.
    Slices,
    /// A Postman collection v2.1 with its environment.
    Postman,
    /// Markdown for people.
    Readable,
    /// One page for a browser, without network.
    Html,
    /// The report of the last `mastor ci` as SARIF 2.1.0; every run writes it to `.mastor/out/report.sarif` too.
    Sarif,
    /// What the code does as an OpenAPI 3.0 document; reads all code of the service, and is written by `mastor export` alone.
    Openapi,
}

impl ExportKind {
    /// The default kinds.
    pub const USUAL: [Self; 3] = [Self::Junit, Self::Postman, Self::Readable];

    /// The name in files, flags and folders.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Junit => "junit",
            Self::Slices => "slices",
            Self::Postman => "postman",
            Self::Readable => "readable",
            Self::Html => "html",
            Self::Sarif => "sarif",
            Self::Openapi => "openapi",
        }
    }
}

/// Parses the text of a `mastor.toml`.
///
/// # Errors
/// Exit 2 with file, line and column, and a suggestion for a misspelt name.
pub fn parse(path: &str, text: &str) -> Result<ConfigFile, Failure> {
    let file: ConfigFile = toml::from_str(text).map_err(|error| {
        let place = error.span().map(|span| place(text, span.start)).unwrap_or_default();
        let (message, hint) = explain(error.message());
        let failure = Failure::new(Exit::Usage, format!("{path}{place}: {message}"));
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure.hint("`mastor schema config` prints what may stand there"),
        }
    })?;
    let own = [
        (ExportKind::Slices, "they are built and run; `mastor export slices` writes them"),
        (ExportKind::Sarif, "`mastor ci` writes it to `.mastor/out/report.sarif`"),
        (ExportKind::Openapi, "it describes the whole service; `mastor export openapi` writes it"),
    ];
    for (kind, hint) in own {
        if file.export.kinds.as_ref().is_some_and(|kinds| kinds.contains(&kind)) {
            let what = format!("{path}: `{}` is no kind that every run exports", kind.as_str());
            return Err(Failure::new(Exit::Usage, what).hint(hint));
        }
    }
    Ok(file)
}

fn place(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!(":{line}:{column}")
}

/// Rewords serde's message for an unknown name and finds the most similar known name.
fn explain(message: &str) -> (String, Option<String>) {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let kind = if message.starts_with("unknown field") {
        "key"
    } else if message.starts_with("unknown variant") {
        "value"
    } else {
        return (message.lines().collect::<Vec<_>>().join(" "), None);
    };
    let Some((found, known)) = names.split_first() else { return (message.to_owned(), None) };
    let hint = did_you_mean(found, known.iter().copied())
        .map(|near| format!("did you mean `{near}`?"))
        .or_else(|| (!known.is_empty()).then(|| format!("known are: {}", known.join(", "))));
    (format!("unknown {kind} `{found}`"), hint)
}
