//! The file of `mastor study`: which configurations run over which projects.

use serde::Deserialize;

use super::file::ConfigFile;
use super::models_file::Model;
use crate::error::{Exit, Failure};
use crate::types::model::{EngineName, ModelsSettings};

/// What stands in the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StudyFile {
    /// Folder of copies, rows and tables, from the file's folder.
    #[serde(default = "out")]
    pub out: String,
    /// The projects.
    #[serde(rename = "project")]
    pub projects: Vec<StudyProject>,
    /// The configurations.
    #[serde(rename = "configuration")]
    pub configurations: Vec<StudyConfiguration>,
}

/// One project: a git repository whose HEAD is studied.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StudyProject {
    /// Its name in the tables.
    pub name: String,
    /// Its folder, from the file's folder.
    pub path: String,
}

/// One configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StudyConfiguration {
    /// Its name in the tables.
    pub name: String,
    /// The engine.
    pub engine: EngineName,
    /// Whether sequences are made.
    #[serde(default = "yes")]
    pub multi_op: bool,
    /// Whether challengers review.
    #[serde(default = "yes")]
    pub challenger: bool,
    /// Reviews of one suite, at most.
    #[serde(default = "once")]
    pub review_rounds: u8,
    /// Whether confirmed oracles are completed by what is seen.
    #[serde(default = "yes")]
    pub observe: bool,
    /// Most that models may cost on one project, in USD.
    pub max_usd: Option<f64>,
    /// Most tokens on one project.
    pub max_tokens: Option<u64>,
    /// Models instead of the project's own.
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
    /// The models that it names; none where the project's own are meant.
    ///
    /// # Errors
    /// What cannot be meant, as a sentence.
    pub fn models(&self) -> Result<Option<ModelsSettings>, String> {
        super::models::settings(&ConfigFile { model: self.model.clone(), ..ConfigFile::default() })
    }
}

/// Reads the text of a study.
///
/// # Errors
/// Exit 2 with what is wrong, where names are missing or stand twice too.
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
