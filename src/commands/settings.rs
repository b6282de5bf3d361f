//! `mastor config show` and `mastor schema`.

use clap::ValueEnum;
use serde_json::json;

use super::context::Context;
use crate::cli::Format;
use mastor_config::{FailOn, ModelOverrides, Origin, Overrides, did_you_mean};
use mastor_publish::schema;
use mastor_types::error::{Exit, Failure};
use mastor_types::model::EngineName;

/// Prints the settings in force and their origins.
///
/// # Errors
/// Exit 2 for an invalid `mastor.toml`.
pub fn show(context: &Context, format: Format) -> Result<Exit, Failure> {
    let workspace = context.workspace(said_by_environment()?)?;
    let head = workspace.head(None)?;
    let services = workspace.services(&head.tree)?;
    if format == Format::Json {
        let services: Vec<_> = services
            .iter()
            .map(|service| {
                let rows = service.rows();
                let settings: Vec<_> = rows
                    .iter()
                    .map(|(key, value, origin)| json!({"key": key, "value": value, "origin": origin}))
                    .collect();
                json!({"name": service.name, "dir": service.dir, "settings": settings})
            })
            .collect();
        context.console.json(&json!({"schema_version": 1, "command": "config show", "services": services}));
        return Ok(Exit::Clean);
    }
    let mut out = String::new();
    for service in &services {
        out.push_str(&format!(
            "# {} ({})\n",
            service.name,
            if service.dir.is_empty() { "repository root" } else { &service.dir }
        ));
        for (key, value, origin) in service.rows() {
            out.push_str(&format!("{:<40} # {origin}\n", format!("{key} = {value}")));
        }
    }
    context.console.result(&out);
    Ok(Exit::Clean)
}

/// The overrides from environment variables.
///
/// # Errors
/// Exit 2 for an invalid value.
fn said_by_environment() -> Result<Overrides, Failure> {
    let engine = variable("MASTOR_ENGINE", |text| EngineName::from_str(text, true))?;
    let max_usd = variable("MASTOR_MAX_USD", |text| text.parse().map_err(|_| "a number is expected".to_owned()))?;
    let max_tokens = variable("MASTOR_MAX_TOKENS", |text| text.parse().map_err(|_| "a number is expected".to_owned()))?;
    let fail_on = variable("MASTOR_FAIL_ON", |text| FailOn::from_str(text, true))?;
    Ok(Overrides { fail_on, models: ModelOverrides { engine, max_usd, max_tokens }, ..Overrides::default() })
}

/// The parsed value of a variable with its origin; `None` where it is unset or empty.
fn variable<T>(name: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<(T, Origin)>, Failure> {
    let Some(text) = mastor_env::var(name).filter(|text| !text.is_empty()) else { return Ok(None) };
    match read(&text) {
        Ok(value) => Ok(Some((value, Origin::Environment(name.to_owned())))),
        Err(why) => Err(Failure::new(Exit::Usage, format!("{name} is `{text}`: {why}"))),
    }
}

/// Prints a JSON Schema of the published formats, or their names.
///
/// # Errors
/// Exit 2 for an unknown name.
pub fn schema(context: &Context, name: Option<&str>) -> Result<Exit, Failure> {
    let names: Vec<(&str, &str)> = schema::names().chain([("config", "mastor.toml")]).collect();
    let Some(name) = name else {
        let list: Vec<String> = names.iter().map(|(name, what)| format!("{name:<16} {what}\n")).collect();
        context.console.result(&list.concat());
        return Ok(Exit::Clean);
    };
    let found = if name == "config" {
        Some(mastor_publish::json::to_value(&mastor_config::json_schema()))
    } else {
        schema::schema(name)
    };
    match found {
        Some(found) => context.console.json(&found),
        None => {
            let failure = Failure::new(Exit::Usage, format!("no contract is named {name}"));
            return Err(match did_you_mean(name, names.iter().map(|(name, _)| *name)) {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure.hint("`mastor schema` lists them"),
            });
        }
    }
    Ok(Exit::Clean)
}
