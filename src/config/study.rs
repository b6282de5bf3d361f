//! The file of `mastor study`: which configurations run on which projects.

use serde::Deserialize;

use super::file::ConfigFile;
use super::models_file::Model;
use mastor_types::error::{Exit, Failure};
use mastor_types::model::{EngineName, ModelsSettings};

/// The content of the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StudyFile {
    /// Output folder, relative to the file's folder.
    #[serde(default = "out")]
    pub out: String,
    /// The projects.
    #[serde(rename = "project")]
    pub projects: Vec<StudyProject>,
    /// The configurations.
    #[serde(rename = "configuration")]
    pub configurations: Vec<StudyConfiguration>,
}

/// A project: a git repository whose HEAD is studied.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StudyProject {
    /// Name in the tables.
    pub name: String,
    /// Path of its folder, relative to the file's folder.
    pub path: String,
    /// Operations that are studied; empty for all.
    #[serde(default)]
    pub operations: Vec<String>,
}

/// One configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StudyConfiguration {
    /// Name in the tables.
    pub name: String,
    /// The engine.
    pub engine: EngineName,
    /// Whether multi-operation sequences are generated.
    #[serde(default = "yes")]
    pub multi_op: bool,
    /// Whether challengers review.
    #[serde(default = "yes")]
    pub challenger: bool,
    /// Maximum number of review rounds.
    #[serde(default = "once")]
    pub review_rounds: u8,
    /// Whether confirmed oracles are extended by observed values.
    #[serde(default = "yes")]
    pub observe: bool,
    /// Maximum cost of models on one project, in USD.
    pub max_usd: Option<f64>,
    /// Maximum number of tokens on one project.
    pub max_tokens: Option<u64>,
    /// Folder of recorded replies, from the study's folder: they are read instead of asking a model.
    pub replay: Option<String>,
    /// Models to use instead of the project's own.
    #[serde(default)]
    pub model: Model,
}

fn out() -> String {
    "study".to_owned()
}

fn yes() -> bool {
    true
}

fn once() -> u8 {
    1
}

impl StudyConfiguration {
    /// The models of this configuration; `None` to use the project's own.
    ///
    /// # Errors
    /// A sentence about the value that cannot be used.
    pub fn models(&self) -> Result<Option<ModelsSettings>, String> {
        super::models::settings(&ConfigFile { model: self.model.clone(), ..ConfigFile::default() })
    }
}

/// Parses the text of a study file.
///
/// # Errors
/// Exit 2 for invalid content, including missing or duplicate names.
pub fn study(path: &str, text: &str) -> Result<StudyFile, Failure> {
    let file: StudyFile = toml::from_str(text).map_err(|error| {
        Failure::new(Exit::Usage, format!("{path}: {}", error.to_string().trim_end()))
            .hint("docs/study.md shows a whole file")
    })?;
    let wrong =
        |what: String| Failure::new(Exit::Usage, format!("{path}: {what}")).hint("docs/study.md shows a whole file");
    for names in [
        file.projects.iter().map(|one| &one.name).collect::<Vec<_>>(),
        file.configurations.iter().map(|one| &one.name).collect(),
    ] {
        if names.is_empty() {
            return Err(wrong("a study needs a [[project]] and a [[configuration]]".to_owned()));
        }
        for (n, name) in names.iter().enumerate() {
            let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
            if !plain || name.starts_with('.') {
                return Err(wrong(format!("{name:?} is no name: letters, digits, `-`, `_` and `.`")));
            }
            if names.iter().take(n).any(|other| other == name) {
                return Err(wrong(format!("{name} stands twice")));
            }
        }
    }
    for configuration in &file.configurations {
        configuration.models().map_err(|what| wrong(format!("{}: {what}", configuration.name)))?;
    }
    Ok(file)
}
