//! `mastor config show` and `mastor schema`.

use serde_json::json;

use super::context::Context;
use crate::cli::Format;
use crate::config::did_you_mean;
use crate::error::{Exit, Failure};
use crate::publish::schema;

/// Prints what is in force, and where each setting came from.
///
/// # Errors
/// Exit 2 for a `mastor.toml` that cannot be read.
pub fn show(context: &Context, format: Format) -> Result<Exit, Failure> {
    let workspace = context.workspace(Default::default())?;
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

/// Prints the JSON Schema of a contract, or lists them.
///
/// # Errors
/// Exit 2 for a name that is none.
pub fn schema(context: &Context, name: Option<&str>) -> Result<Exit, Failure> {
    let names: Vec<(&str, &str)> = schema::names().chain([("config", "mastor.toml")]).collect();
    let Some(name) = name else {
        let list: Vec<String> = names.iter().map(|(name, what)| format!("{name:<16} {what}\n")).collect();
        context.console.result(&list.concat());
        return Ok(Exit::Clean);
    };
    let found = if name == "config" {
        Some(crate::publish::json::to_value(&crate::config::json_schema()))
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
