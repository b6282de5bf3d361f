//! How exported tests start the application inside their own JVM.

use std::collections::BTreeMap;

use serde::Serialize;

use mastor_config::{JavaCommand, Ready, ResetSetting, ServiceSettings, below, is_absolute};
use mastor_frameworks::launch::Launch;

/// Default time limit for becoming ready, in seconds.
const WITHIN: u64 = 60;

/// What is known about starting the application by its main class.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InJvm {
    /// The main class.
    pub main: Option<String>,
    /// Folder of its module, from the repository's root.
    pub module: String,
    /// The fixed port that it listens on, if any.
    pub port: Option<u16>,
    /// Options of the JVM.
    pub options: Vec<String>,
    /// System properties; `{port}` is replaced.
    pub properties: Vec<(String, String)>,
    /// Arguments; `{port}` is replaced.
    pub arguments: Vec<String>,
    /// Path between the server's root and the operations' paths.
    pub base_path: String,
    /// Path of the readiness check with its status; `None` means that an open port is enough.
    pub ready: Option<(String, Option<u16>)>,
    /// Time limit for becoming ready, in seconds.
    pub within: u64,
    /// Path or URL to POST to before each test.
    pub reset: Option<String>,
    /// Environment variables that it needs.
    pub env: BTreeMap<String, String>,
    /// What cannot be done inside the JVM, as sentences.
    pub not_done: Vec<String>,
}

impl InJvm {
    /// Combines the service's settings with what was found in the project; `path` is the operations' base path.
    pub fn of(service: Option<&ServiceSettings>, launch: Option<&Launch>, path: &str) -> Self {
        let said = service.and_then(|service| service.start.as_deref());
        let own = said.and_then(JavaCommand::of);
        let found = launch.and_then(|launch| JavaCommand::of(&launch.start));
        let mut not_done = Vec::new();
        if said.is_some() && own.is_none() {
            not_done.push(
                "The start command of the service is no plain `java …`: what else it does is not done.".to_owned(),
            );
        }
        let command = own.or(found).unwrap_or_default();
        let base_url = service.map_or("", |service| service.base_url.as_str());
        let mut env = service.map(|service| service.env.clone()).unwrap_or_default();
        let variable = launch.filter(|_| said.is_none()).and_then(|launch| launch.port_variable.clone());
        env.extend(variable.map(|name| (name, "{port}".to_owned())));
        Self {
            main: command.main.or_else(|| launch.map(|launch| launch.main.clone())),
            module: launch.map(|launch| launch.module.clone()).unwrap_or_default(),
            port: service.and_then(|service| service.port).or_else(|| launch.and_then(|launch| launch.port)),
            options: command.options,
            properties: command.properties,
            arguments: command.arguments,
            base_path: format!("{}{path}", path_of(base_url)),
            ready: service.and_then(ready),
            within: service.map_or(WITHIN, |service| service.ready_within.as_secs().max(1)),
            reset: service.and_then(|service| reset(service, &mut not_done)),
            env,
            not_done,
        }
    }
}

fn ready(service: &ServiceSettings) -> Option<(String, Option<u16>)> {
    match &service.ready {
        Ready::Url(url, status) if !is_absolute(url) => Some((below(path_of(&service.base_url), url), *status)),
        Ready::Url(..) | Ready::Log(_) | Ready::Port => None,
    }
}

fn reset(service: &ServiceSettings, not_done: &mut Vec<String>) -> Option<String> {
    let cannot = match &service.reset {
        ResetSetting::Post(url) if is_absolute(url) => return Some(url.clone()),
        ResetSetting::Post(url) => return Some(below(path_of(&service.base_url), url)),
        ResetSetting::Command(_) => "by a command, which the tests do not run",
        ResetSetting::Restart => "by a restart, which tests in its own JVM cannot do",
        ResetSetting::None => "by nothing",
    };
    not_done.push(format!(
        "The service is brought back to its first state {cannot}: of what one test writes, later ones find all but what H2 keeps in memory."
    ));
    None
}

/// The path of a URL, without a trailing slash.
fn path_of(url: &str) -> &str {
    let rest = url.find("://").map_or(url, |at| &url[at + 3..]);
    rest.find('/').map_or("", |at| rest[at..].trim_end_matches('/'))
}

/// Variables of the template for the class that starts the application.
#[derive(Debug, Serialize)]
pub(super) struct Starts {
    port: String,
    properties: Vec<Property>,
    arguments: String,
    base_path: String,
    ready_path: Option<String>,
    ready_status: Option<u16>,
    within: u64,
}

#[derive(Debug, Serialize)]
struct Property {
    name: String,
    value: String,
}

impl From<&InJvm> for Starts {
    fn from(known: &InJvm) -> Self {
        let property = |(name, value): &(String, String)| Property { name: name.clone(), value: value.clone() };
        Self {
            port: known.port.unwrap_or_default().to_string(),
            properties: known.properties.iter().map(property).collect(),
            arguments: known.arguments.join(" "),
            base_path: known.base_path.clone(),
            ready_path: known.ready.as_ref().map(|(path, _)| path.clone()),
            ready_status: known.ready.as_ref().and_then(|(_, status)| *status),
            within: known.within.max(1),
        }
    }
}

/// Variables of the README about starting the application.
#[derive(Debug, Serialize)]
pub(crate) struct Said {
    command: String,
    arguments: String,
    reset: Option<String>,
    options: String,
    variables: String,
    not_done: Vec<String>,
}

impl From<&InJvm> for Said {
    fn from(known: &InJvm) -> Self {
        // Values may be secrets, so only names are shown.
        let variables: Vec<&str> = known.env.keys().map(String::as_str).collect();
        let needed = |option: &&String| option.starts_with("--");
        let options: Vec<String> = known.options.iter().filter(needed).cloned().collect();
        Self {
            command: format!(
                "MASTOR_MAIN={} MASTOR_CLASSPATH=… mvn test",
                known.main.as_deref().unwrap_or("com.example.Main")
            ),
            arguments: known.arguments.join(" "),
            reset: known.reset.as_ref().map(|path| format!("POST {path}")),
            options: options.join(" "),
            variables: variables.join(", "),
            not_done: known.not_done.clone(),
        }
    }
}
