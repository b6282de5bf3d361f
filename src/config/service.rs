//! Settings of the service under test: build, start, URL, readiness and reset.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use super::origin::{Origin, join};
use super::service_file::{Ready, ResetSetting, ServiceTable};
use super::within::Within;

/// A service that mastor can start or reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceSettings {
    /// Whether a run ends with 4 where neither head nor base can be built and started.
    pub required: bool,
    /// Where the commands run, from the repository's root.
    pub dir: String,
    /// A fixed port; `None` to choose a free one.
    pub port: Option<u16>,
    /// Build command.
    pub build: Option<String>,
    /// Time limit of the build.
    pub build_within: Duration,
    /// Start command; `None` for a service that is running already.
    pub start: Option<String>,
    /// Base URL, with `{port}`.
    pub base_url: String,
    /// The readiness check.
    pub ready: Ready,
    /// Time limit for becoming ready.
    pub ready_within: Duration,
    /// How the service is reset to its initial state.
    pub reset: ResetSetting,
    /// Time limit of a reset.
    pub reset_within: Duration,
    /// Time to shut down before the service is killed.
    pub stop_within: Duration,
    /// The auth file.
    pub auth: Option<AuthFile>,
    /// Environment variables of the commands.
    pub env: BTreeMap<String, String>,
    /// Names of mastor's own environment variables that the commands inherit.
    pub inherit: Vec<String>,
}

/// The location of the auth file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthFile {
    /// Path from the repository's root.
    pub path: String,
    /// The revision whose file is used.
    pub of: AuthOf,
}

/// Source of the auth file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthOf {
    /// The file on disk, which is often not committed.
    Disk,
    /// This text of the base's file: in CI, credentials must not come from what a pull request writes.
    Base(String),
}

impl AuthFile {
    /// The file's content.
    ///
    /// # Errors
    /// Where the file on disk cannot be read.
    pub fn text(&self, root: &std::path::Path) -> std::io::Result<String> {
        match &self.of {
            AuthOf::Disk => fs_err::read_to_string(root.join(&self.path)),
            AuthOf::Base(text) => Ok(text.clone()),
        }
    }
}

/// Flags and environment variables for the service; they apply to every service.
#[derive(Debug, Clone, Default)]
pub struct ServiceOverrides {
    /// `--start-command`.
    pub start: Option<String>,
    /// `--base-url`; without `--start-command` it means a service that is running already.
    pub base_url: Option<String>,
    /// `--ready-url`.
    pub ready_url: Option<String>,
}

impl ServiceOverrides {
    /// The table with the flags' values, and the flag for each key that it changed.
    fn over(&self, table: &ServiceTable) -> (ServiceTable, BTreeMap<&'static str, Origin>) {
        let mut table = table.clone();
        let mut origins = BTreeMap::new();
        if let Some(url) = &self.base_url {
            table.base_url = Some(url.clone());
            table.start = None;
            table.build = None;
            for key in ["service.base-url", "service.start", "service.build"] {
                origins.insert(key, Origin::Flag("--base-url"));
            }
        }
        if let Some(start) = &self.start {
            table.start = Some(start.clone());
            origins.insert("service.start", Origin::Flag("--start-command"));
        }
        if let Some(url) = &self.ready_url {
            let within = table.ready.as_ref().and_then(|ready| ready.within);
            table.ready = Some(super::service_file::ReadyTable { what: Some(Ready::Url(url.clone(), None)), within });
            origins.insert("service.ready", Origin::Flag("--ready-url"));
        }
        (table, origins)
    }
}

/// Default base URL.
const BASE_URL: &str = "http://127.0.0.1:{port}";

/// The service that a table configures.
#[derive(Debug, Default)]
pub(super) struct ConfiguredService {
    /// The service; `None` where the table gives neither start command nor URL, or switches the service off.
    pub(super) service: Option<ServiceSettings>,
    /// The service that the table describes and switches off.
    pub(super) switched_off: Option<ServiceSettings>,
    /// The origin of each setting.
    pub(super) origins: BTreeMap<&'static str, Origin>,
}

/// Reads a `[service]` table. A flag that starts or reaches a service also switches it on.
///
/// # Errors
/// A lower-case sentence about the value that cannot be used.
pub(super) fn settings(
    dir: &str,
    path: &str,
    table: &ServiceTable,
    overrides: &ServiceOverrides,
) -> Result<ConfiguredService, String> {
    let is_off = table.enabled == Some(false) && overrides.start.is_none() && overrides.base_url.is_none();
    let mut origins: BTreeMap<&'static str, Origin> = said(table)
        .into_iter()
        .map(|(key, said)| (key, if said { Origin::File(path.to_owned()) } else { Origin::Default }))
        .collect();
    let (table, flags) = overrides.over(table);
    origins.extend(flags);
    if table.start.is_none() && table.base_url.is_none() {
        return Ok(ConfiguredService { origins, ..ConfiguredService::default() });
    }
    let runs_already = table.start.is_none();
    let ready = table.ready.clone();
    let service = ServiceSettings {
        required: table.required.unwrap_or(true),
        dir: join(dir, table.dir.as_deref().unwrap_or_default()),
        port: table.port,
        build: table.build.clone().filter(|_| !runs_already),
        build_within: table.build_within.unwrap_or(Within::seconds(900)).0,
        start: table.start.clone(),
        base_url: table.base_url.clone().unwrap_or_else(|| BASE_URL.to_owned()).trim_end_matches('/').to_owned(),
        ready: ready.clone().and_then(|ready| ready.what).unwrap_or(Ready::Url("/".to_owned(), None)),
        ready_within: ready.and_then(|ready| ready.within).unwrap_or(Within::seconds(60)).0,
        reset: table.reset.clone().unwrap_or(if runs_already { ResetSetting::None } else { ResetSetting::Restart }),
        reset_within: table.reset_within.unwrap_or(Within::seconds(30)).0,
        stop_within: table.stop_within.unwrap_or(Within::seconds(10)).0,
        auth: table.auth.as_ref().map(|file| AuthFile { path: join(dir, file), of: AuthOf::Disk }),
        env: table.env.clone(),
        inherit: table.inherit.clone(),
    };
    service.check()?;
    let (service, switched_off) = if is_off { (None, Some(service)) } else { (Some(service), None) };
    Ok(ConfiguredService { service, switched_off, origins })
}

/// Each key of the table, and whether it says anything.
fn said(table: &ServiceTable) -> [(&'static str, bool); 15] {
    [
        ("service.enabled", table.enabled.is_some()),
        ("service.required", table.required.is_some()),
        ("service.dir", table.dir.is_some()),
        ("service.port", table.port.is_some()),
        ("service.build", table.build.is_some()),
        ("service.build-within", table.build_within.is_some()),
        ("service.start", table.start.is_some()),
        ("service.base-url", table.base_url.is_some()),
        ("service.ready", table.ready.is_some()),
        ("service.reset", table.reset.is_some()),
        ("service.reset-within", table.reset_within.is_some()),
        ("service.stop-within", table.stop_within.is_some()),
        ("service.auth", table.auth.is_some()),
        ("service.env", !table.env.is_empty()),
        ("service.inherit", !table.inherit.is_empty()),
    ]
}

impl ServiceSettings {
    /// Whether two instances can run at once, because the start command has a placeholder for the instance.
    pub fn side_by_side(&self) -> bool {
        self.start.as_ref().is_some_and(|start| start.contains("{instance}"))
    }

    fn check(&self) -> Result<(), String> {
        let url = self.base_url.replace("{port}", "1");
        if host(&url).is_none() {
            return Err(format!("[service] base-url `{}` is no http or https URL", self.base_url));
        }
        if self.start.is_none() && self.port.is_none() && self.base_url.contains("{port}") {
            return Err("[service] base-url needs a port: set `port`, or write it into the URL".to_owned());
        }
        if self.start.is_none() && matches!(self.ready, Ready::Log(_)) {
            return Err("[service] ready cannot wait for a log line of a service that is not started".to_owned());
        }
        if self.start.is_none() && self.reset == ResetSetting::Restart {
            return Err("[service] reset cannot restart a service that is not started: there is no `start`".to_owned());
        }
        let named = self.env.keys().chain(&self.inherit);
        match named.into_iter().find(|name| name.is_empty() || name.contains(['=', '\0'])) {
            Some(name) => Err(format!("[service] `{name}` is no name of a variable")),
            None => Ok(()),
        }
    }

    /// The service settings in force, as keys and values.
    pub(super) fn rows(&self) -> Vec<(&'static str, String)> {
        let text = |text: &Option<String>| text.as_ref().map_or_else(|| "none".to_owned(), |text| format!("{text:?}"));
        let within = |limit: Duration| format!("\"{}\"", Within(limit));
        let ready = match &self.ready {
            Ready::Url(url, Some(status)) => format!("url = {url:?}, status = {status}"),
            Ready::Url(url, None) => format!("url = {url:?}"),
            Ready::Log(log) => format!("log = {log:?}"),
            Ready::Port => "port = true".to_owned(),
        };
        let reset = match &self.reset {
            ResetSetting::Post(url) => format!("{{ post = {url:?} }}"),
            ResetSetting::Command(command) => format!("{{ command = {command:?} }}"),
            ResetSetting::Restart => "\"restart\"".to_owned(),
            ResetSetting::None => "\"none\"".to_owned(),
        };
        let auth = self.auth.as_ref().map(|auth| auth.path.clone());
        // Values may be secrets, so only names are shown.
        let names: Vec<&str> = self.env.keys().map(String::as_str).collect();
        vec![
            ("service.required", self.required.to_string()),
            ("service.dir", format!("{:?}", if self.dir.is_empty() { "." } else { &self.dir })),
            ("service.port", self.port.map_or_else(|| "a free one".to_owned(), |port| port.to_string())),
            ("service.build", text(&self.build)),
            ("service.build-within", within(self.build_within)),
            ("service.start", text(&self.start)),
            ("service.base-url", format!("{:?}", self.base_url)),
            ("service.ready", format!("{{ {ready}, within = {} }}", within(self.ready_within))),
            ("service.reset", reset),
            ("service.reset-within", within(self.reset_within)),
            ("service.stop-within", within(self.stop_within)),
            ("service.auth", text(&auth)),
            ("service.env", format!("{names:?}")),
            ("service.inherit", format!("{:?}", self.inherit)),
        ]
    }
}

/// Whether a URL is absolute rather than a path below the base URL.
pub fn is_absolute(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

/// A URL below a base URL; an absolute URL is returned unchanged.
pub fn below(base_url: &str, url: &str) -> String {
    if is_absolute(url) {
        return url.to_owned();
    }
    format!("{}/{}", base_url.trim_end_matches('/'), url.trim_start_matches('/'))
}

/// Whether a URL certainly refers to this machine.
pub fn is_loopback(url: &str) -> bool {
    let url = url.replace("{port}", "1");
    let Some(host) = host(&url) else { return false };
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The host of an http or https URL without user information; `None` for anything that URL parsers may read
/// differently.
pub(super) fn host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    if authority.is_empty() || !authority.chars().all(plain) {
        return None;
    }
    let (host, port) = match authority.rfind(']') {
        Some(end) => (&authority[..=end], authority[end + 1..].strip_prefix(':')),
        None => authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port))),
    };
    (!host.is_empty() && port.is_none_or(|port| port.parse::<u16>().is_ok())).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_surely_stays_here_is_loopback() {
        for url in [
            "http://127.0.0.1:{port}",
            "http://localhost:8080/a",
            "https://[::1]:1",
            "http://127.9.9.9",
            "http://LOCALHOST",
        ] {
            assert!(is_loopback(url), "{url}");
        }
        for url in [
            "http://example.com",
            "http://127.0.0.1@example.com",
            "http://127.0.0.1.example.com",
            "http://127.0.0.1\\@example.com",
            "http://127.0.0.1\t.example.com",
            "http://example.com#127.0.0.1",
            "http://0.0.0.0",
            "http://2130706433",
            "//127.0.0.1",
            "ftp://127.0.0.1",
            "http://{port}.example.com",
            "http://localhost:80:80",
        ] {
            assert!(!is_loopback(url), "{url}");
        }
    }

    #[test]
    fn a_path_never_leads_away_from_the_base() {
        assert_eq!(below("http://127.0.0.1:1/api", "/health"), "http://127.0.0.1:1/api/health");
        assert_eq!(below("http://127.0.0.1:1", "//example.com/x"), "http://127.0.0.1:1/example.com/x");
        assert_eq!(below("http://127.0.0.1:1", "@example.com"), "http://127.0.0.1:1/@example.com");
        assert_eq!(below("http://127.0.0.1:1", "http://127.0.0.1:2/x"), "http://127.0.0.1:2/x");
    }
}
