//! Settings of models, budgets and redaction.

use std::collections::BTreeMap;

use super::file::ConfigFile;
use super::models_file::ModelTable;
use super::origin::Origin;
use super::service::{host, is_loopback};
use super::within::Within;
use mastor_types::model::{EngineName, ModelSettings, ModelsSettings};

/// Flags and environment variables for engine and budget, each with its origin.
#[derive(Debug, Clone, Default)]
pub struct ModelOverrides {
    /// The engine.
    pub engine: Option<(EngineName, Origin)>,
    /// Maximum cost in USD.
    pub max_usd: Option<(f64, Origin)>,
    /// Maximum number of tokens.
    pub max_tokens: Option<(u64, Origin)>,
}

impl ModelOverrides {
    pub(super) fn engine_over(&self, file: Option<EngineName>) -> Option<EngineName> {
        self.engine.as_ref().map(|(name, _)| *name).or(file)
    }

    pub(super) fn max_usd_over(&self, file: Option<f64>) -> Option<f64> {
        self.max_usd.as_ref().map(|(usd, _)| *usd).or(file)
    }

    pub(super) fn max_tokens_over(&self, file: Option<u64>) -> Option<u64> {
        self.max_tokens.as_ref().map(|(tokens, _)| *tokens).or(file)
    }

    /// The keys that are overridden, with the origin of the new value.
    pub(super) fn origins(&self) -> Vec<(&'static str, Origin)> {
        let engine = self.engine.as_ref().map(|(_, origin)| ("ci.engine", origin.clone()));
        let max_usd = self.max_usd.as_ref().map(|(_, origin)| ("ci.max-usd", origin.clone()));
        let max_tokens = self.max_tokens.as_ref().map(|(_, origin)| ("ci.max-tokens", origin.clone()));
        [engine, max_usd, max_tokens].into_iter().flatten().collect()
    }
}

/// Default context size in tokens.
const CONTEXT: u64 = 128_000;
/// Default maximum tokens of a reply, if the context has room for them.
const MAX_OUTPUT: u64 = 16_384;
/// Default number of concurrent calls.
const CONCURRENCY: usize = 4;
/// Default time limit of a call.
const WITHIN: Within = Within::seconds(300);

/// The models that a settings file configures; `None` where it configures none.
///
/// # Errors
/// A sentence about the value that cannot be used.
pub(super) fn settings(file: &ConfigFile) -> Result<Option<ModelsSettings>, String> {
    let Some(primary) = &file.model.primary else {
        return match file.model.challenger {
            Some(_) => Err("[model.challenger] needs a [model.primary]".to_owned()),
            None => Ok(None),
        };
    };
    let challenger = file.model.challenger.as_ref().map(|table| table.after(primary));
    let primary = one("primary", primary)?;
    let challenger = challenger.map(|table| one("challenger", &table)).transpose()?;
    Ok(Some(ModelsSettings { primary, challenger }))
}

impl ModelTable {
    /// The challenger's table, completed from the primary's. Key and headers are taken over only for the same endpoint,
    /// price and context only for the same model.
    fn after(&self, primary: &Self) -> Self {
        if self.base_url.is_some() && self.base_url != primary.base_url {
            return self.clone();
        }
        let same_model = self.model.is_none() || self.model == primary.model;
        let of_model = |own: Option<u64>, other: Option<u64>| own.or(other.filter(|_| same_model));
        Self {
            base_url: primary.base_url.clone(),
            model: self.model.clone().or_else(|| primary.model.clone()),
            key_env: self.key_env.clone().or_else(|| primary.key_env.clone()),
            price: self.price.or(primary.price.filter(|_| same_model)),
            headers: self.headers.clone().or_else(|| primary.headers.clone()),
            context: of_model(self.context, primary.context),
            max_output: of_model(self.max_output, primary.max_output),
            concurrency: self.concurrency.or(primary.concurrency),
            requests_per_minute: self.requests_per_minute.or(primary.requests_per_minute),
            tokens_per_minute: self.tokens_per_minute.or(primary.tokens_per_minute),
            within: self.within.or(primary.within),
        }
    }
}

fn one(role: &str, table: &ModelTable) -> Result<ModelSettings, String> {
    let wrong = |what: &str| format!("[model.{role}] {what}");
    let text = |key: &str, value: &Option<String>| {
        let value = value.as_deref().map(str::trim).filter(|value| !value.is_empty());
        value.map(str::to_owned).ok_or_else(|| wrong(&format!("{key} is missing")))
    };
    let base_url = text("base-url", &table.base_url)?.trim_end_matches('/').to_owned();
    if host(&base_url).is_none() || base_url.contains(['?', '#']) {
        return Err(wrong(&format!("base-url `{base_url}` is no http or https URL")));
    }
    let key_env = table.key_env.clone();
    if let Some(name) = key_env.as_ref().filter(|name| name.is_empty() || name.contains(['=', '\0', ' '])) {
        return Err(wrong(&format!("key-env `{name}` is no name of a variable")));
    }
    let context = table.context.unwrap_or(CONTEXT);
    let max_output = table.max_output.unwrap_or_else(|| MAX_OUTPUT.min(context / 4).max(1));
    let zero = [
        ("context", context == 0),
        ("max-output", max_output == 0),
        ("concurrency", table.concurrency == Some(0)),
        ("requests-per-minute", table.requests_per_minute == Some(0)),
        ("tokens-per-minute", table.tokens_per_minute == Some(0)),
    ];
    if let Some((key, _)) = zero.iter().find(|(_, zero)| *zero) {
        return Err(wrong(&format!("{key} is 0: nothing could be asked")));
    }
    if max_output >= context {
        return Err(wrong(&format!("max-output ({max_output}) leaves no room for a prompt in context ({context})")));
    }
    if table.price.is_some_and(|price| {
        [price.input, price.cached, price.output].iter().any(|usd| !(*usd >= 0.0 && usd.is_finite()))
    }) {
        return Err(wrong("price holds a number below 0"));
    }
    Ok(ModelSettings {
        base_url,
        model: text("model", &table.model)?,
        key_env,
        headers: table.headers.clone().unwrap_or_default(),
        price: table.price,
        context,
        max_output,
        concurrency: table.concurrency.unwrap_or(CONCURRENCY),
        requests_per_minute: table.requests_per_minute,
        tokens_per_minute: table.tokens_per_minute,
        within: table.within.unwrap_or(WITHIN).0,
    })
}

/// The first invalid limit or redaction setting; `None` where all are valid.
pub(super) fn problem(file: &ConfigFile) -> Option<String> {
    if file.ci.max_usd.is_some_and(|usd| !(usd >= 0.0 && usd.is_finite())) {
        return Some("[ci] max-usd is below 0".to_owned());
    }
    let glob = file
        .redact
        .never_send
        .iter()
        .find_map(|glob| globset::Glob::new(glob).err().map(|error| (glob, error.to_string())));
    if let Some((glob, error)) = glob {
        return Some(format!("[redact] never-send `{glob}` is no glob: {error}"));
    }
    let pattern = file
        .redact
        .patterns
        .iter()
        .find_map(|text| regex::Regex::new(text).err().map(|error| (text, error.to_string())));
    pattern.map(|(text, error)| {
        let error = error.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        format!("[redact] patterns: `{text}` is no regular expression: {error}")
    })
}

/// The origin of each model setting in the file.
pub(super) fn origins(file: &ConfigFile, path: &str) -> BTreeMap<&'static str, Origin> {
    let mut said = vec![
        ("ci.engine", file.ci.engine.is_some()),
        ("ci.max-usd", file.ci.max_usd.is_some()),
        ("ci.max-tokens", file.ci.max_tokens.is_some()),
        ("redact.never-send", !file.redact.never_send.is_empty()),
        ("redact.patterns", !file.redact.patterns.is_empty()),
    ];
    said.extend(keys(&PRIMARY, file.model.primary.as_ref()));
    said.extend(keys(&CHALLENGER, file.model.challenger.as_ref()));
    let origin = |said| if said { Origin::File(path.to_owned()) } else { Origin::Default };
    said.into_iter().map(|(key, said)| (key, origin(said))).collect()
}

/// The keys of one table, in the order of [`values`].
type Keys = [&'static str; 11];

const PRIMARY: Keys = [
    "model.primary.base-url",
    "model.primary.model",
    "model.primary.key-env",
    "model.primary.headers",
    "model.primary.price",
    "model.primary.context",
    "model.primary.max-output",
    "model.primary.concurrency",
    "model.primary.requests-per-minute",
    "model.primary.tokens-per-minute",
    "model.primary.within",
];

const CHALLENGER: Keys = [
    "model.challenger.base-url",
    "model.challenger.model",
    "model.challenger.key-env",
    "model.challenger.headers",
    "model.challenger.price",
    "model.challenger.context",
    "model.challenger.max-output",
    "model.challenger.concurrency",
    "model.challenger.requests-per-minute",
    "model.challenger.tokens-per-minute",
    "model.challenger.within",
];

fn keys(names: &Keys, table: Option<&ModelTable>) -> Vec<(&'static str, bool)> {
    let Some(table) = table else { return Vec::new() };
    let said = [
        table.base_url.is_some(),
        table.model.is_some(),
        table.key_env.is_some(),
        table.headers.is_some(),
        table.price.is_some(),
        table.context.is_some(),
        table.max_output.is_some(),
        table.concurrency.is_some(),
        table.requests_per_minute.is_some(),
        table.tokens_per_minute.is_some(),
        table.within.is_some(),
    ];
    names.iter().copied().zip(said).collect()
}

/// The model settings in force, as keys and values.
pub(super) fn rows(models: Option<&ModelsSettings>) -> Vec<(&'static str, String)> {
    let Some(models) = models else {
        return vec![("model.primary", "none: the rules engine works alone".to_owned())];
    };
    let mut rows: Vec<_> = PRIMARY.into_iter().zip(values(&models.primary)).collect();
    match &models.challenger {
        Some(challenger) => rows.extend(CHALLENGER.into_iter().zip(values(challenger))),
        None => rows.push(("model.challenger", "the primary".to_owned())),
    }
    rows
}

fn values(model: &ModelSettings) -> [String; 11] {
    let no_limit = || "no limit".to_owned();
    // Header values may be secrets, so only names are shown.
    let names: Vec<&str> = model.headers.keys().map(String::as_str).collect();
    let price = model.price.map(|p| format!("{{ input = {}, cached = {}, output = {} }}", p.input, p.cached, p.output));
    let warned = if model.base_url.starts_with("http:") && !is_loopback(&model.base_url) {
        " (not encrypted: others can read what is sent)"
    } else {
        ""
    };
    [
        format!("{:?}{warned}", model.base_url),
        format!("{:?}", model.model),
        model.key_env.as_ref().map_or_else(|| "none".to_owned(), |name| format!("{name:?}")),
        format!("{names:?}"),
        price.unwrap_or_else(|| "unknown".to_owned()),
        model.context.to_string(),
        model.max_output.to_string(),
        model.concurrency.to_string(),
        model.requests_per_minute.map_or_else(no_limit, |n| n.to_string()),
        model.tokens_per_minute.map_or_else(no_limit, |n| n.to_string()),
        format!("\"{}\"", Within(model.within)),
    ]
}
