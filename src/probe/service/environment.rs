//! Environment variables of the service's commands: an allow-list of mastor's own, and the configured ones.

use std::collections::BTreeMap;

use super::place::Place;
use mastor_config::ServiceSettings;

/// Variables that every command inherits: for finding programs, folders and locales. None usually holds a secret.
const INHERITED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
    "JAVA_HOME",
    "JDK_HOME",
    "JAVA_OPTS",
    "JAVA_TOOL_OPTIONS",
    "MAVEN_HOME",
    "M2_HOME",
    "MAVEN_OPTS",
    "MAVEN_ARGS",
    "GRADLE_HOME",
    "GRADLE_USER_HOME",
    "GRADLE_OPTS",
    "DOCKER_HOST",
    "CI",
    // On Windows.
    "SystemRoot",
    "SystemDrive",
    "ComSpec",
    "PATHEXT",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "ProgramData",
    "ProgramFiles",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
];

/// The variables of a command; a build has no port.
pub fn variables(spec: &ServiceSettings, place: &Place, port: Option<u16>) -> BTreeMap<String, String> {
    let names = INHERITED.iter().copied().chain(spec.inherit.iter().map(String::as_str));
    let mut variables = mastor_env::of_names(names);
    if let Some(port) = port {
        for name in ["PORT", "SERVER_PORT"] {
            variables.insert(name.to_owned(), port.to_string());
        }
    }
    for (name, value) in &spec.env {
        variables.insert(name.clone(), filled(value, place, port));
    }
    variables
}

/// Replaces `{port}` and `{instance}` in a text.
pub fn filled(text: &str, place: &Place, port: Option<u16>) -> String {
    let text = text.replace("{instance}", place.instance.as_str());
    match port {
        Some(port) => text.replace("{port}", &port.to_string()),
        None => text,
    }
}

/// Values to mask in logs: of explicitly inherited variables, and of mastor's variables with secret-looking names,
/// which code of the head could read from a parent process.
pub fn secrets(spec: &ServiceSettings) -> Vec<String> {
    let values = mastor_env::of_names(spec.inherit.iter().map(String::as_str)).into_values();
    // Masking shorter values would hide too much of the log.
    let mut all: Vec<String> =
        values.chain(mastor_env::secrets().into_values()).filter(|value| value.len() >= 6).collect();
    // Longest first, since one may contain another.
    all.sort_by_key(|value| std::cmp::Reverse(value.len()));
    all.dedup();
    all
}
