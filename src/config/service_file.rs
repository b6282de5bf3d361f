//! The table `[service]` of `mastor.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::within::Within;

/// `[service]`
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ServiceTable {
    /// `false` switches it off: nothing is built, started or asked, as without this table. `true` when left out.
    pub enabled: Option<bool>,
    /// `false`: where neither head nor base can be built and started, a run says so and ends by what it found without them. `true` when left out:
    /// it ends with 4.
    pub required: Option<bool>,
    /// Where the commands run, from this file's folder.
    pub dir: Option<String>,
    /// Port that the service listens on; a free one when left out.
    pub port: Option<u16>,
    /// Command that builds it, run by the shell in `dir`.
    pub build: Option<String>,
    /// Time limit of the build.
    pub build_within: Option<Within>,
    /// Command that starts it, run by the shell in `dir`; `{port}` stands for the port, which is the variable `PORT` too, `{instance}` for
    /// `head` or `base`.
    pub start: Option<String>,
    /// Where it answers; `http://127.0.0.1:{port}` when left out. Without `start`: a service that runs already.
    pub base_url: Option<String>,
    /// What says that it is ready; when left out: something answers at `base-url`.
    pub ready: Option<ReadyTable>,
    /// What brings it back to its first state; `restart` when left out, `none` for a service that runs already.
    pub reset: Option<ResetSetting>,
    /// Time limit of a reset.
    pub reset_within: Option<Within>,
    /// How long it may take to end when it is asked to.
    pub stop_within: Option<Within>,
    /// Path of a Web Fuzzing Commons auth file, from this file's folder.
    pub auth: Option<String>,
    /// Variables of both commands, beside those of an allow-list.
    pub env: BTreeMap<String, String>,
    /// Names of our own variables that both commands inherit too.
    pub inherit: Vec<String>,
}

/// `ready`: one of `url`, `log` and `port`.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(try_from = "ReadyKeys", into = "ReadyKeys")]
#[schemars(with = "ReadyKeys")]
pub struct ReadyTable {
    /// What is waited for; `None` for the default.
    pub what: Option<Ready>,
    /// How long.
    pub within: Option<Within>,
}

/// When a service counts as ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ready {
    /// This URL (or path below the base URL) answers with this status; without one, with any status below 500.
    Url(String, Option<u16>),
    /// A line of its log contains this text.
    Log(String),
    /// Its port accepts connections.
    Port,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ReadyKeys {
    /// Path below the base URL, or a whole URL, that is asked by GET.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// The status that it has to answer with; any below 500 when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// Text that a line of the log holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    /// `true`: the port accepts connections.
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<bool>,
    /// Time limit, from the start on.
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<Within>,
}

impl TryFrom<ReadyKeys> for ReadyTable {
    type Error = &'static str;

    fn try_from(keys: ReadyKeys) -> Result<Self, Self::Error> {
        if keys.status.is_some() && keys.url.is_none() {
            return Err("`status` belongs to `url`");
        }
        if keys.status.is_some_and(|status| !(100..=599).contains(&status)) {
            return Err("`status` lies between 100 and 599");
        }
        let what = match (keys.url, keys.log, keys.port.unwrap_or(false)) {
            (None, None, false) if keys.port.is_some() || keys.within.is_none() => {
                return Err("one of `url`, `log` and `port = true` is needed");
            }
            (None, None, false) => None,
            (Some(url), None, false) => Some(Ready::Url(url, keys.status)),
            (None, Some(log), false) if !log.is_empty() => Some(Ready::Log(log)),
            (None, Some(_), false) => return Err("`log` is empty"),
            (None, None, true) => Some(Ready::Port),
            _ => return Err("only one of `url`, `log` and `port` can be waited for"),
        };
        Ok(Self { what, within: keys.within })
    }
}

impl From<ReadyTable> for ReadyKeys {
    fn from(table: ReadyTable) -> Self {
        let mut keys = Self { within: table.within, ..Self::default() };
        match table.what {
            Some(Ready::Url(url, status)) => (keys.url, keys.status) = (Some(url), status),
            Some(Ready::Log(log)) => keys.log = Some(log),
            Some(Ready::Port) => keys.port = Some(true),
            None => {}
        }
        keys
    }
}

/// How a service is reset to its initial state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResetSetting {
    /// A POST without body to this URL (or path below the base URL), which must answer with a status below 300.
    Post(String),
    /// A shell command, which must end with exit code 0.
    Command(String),
    /// Stop and restart the service.
    Restart,
    /// No reset.
    None,
}

impl<'de> Deserialize<'de> for ResetSetting {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ResetVisitor)
    }
}

struct ResetVisitor;

impl<'de> serde::de::Visitor<'de> for ResetVisitor {
    type Value = ResetSetting;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("{ post = \"…\" }, { command = \"…\" }, \"restart\" or \"none\"")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<ResetSetting, E> {
        match text {
            "restart" => Ok(ResetSetting::Restart),
            "none" => Ok(ResetSetting::None),
            other => Err(E::unknown_variant(other, &["restart", "none"])),
        }
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<ResetSetting, A::Error> {
        let keys = ResetKeys::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        match (keys.post, keys.command) {
            (Some(post), None) => Ok(ResetSetting::Post(post)),
            (None, Some(command)) => Ok(ResetSetting::Command(command)),
            _ => Err(serde::de::Error::custom("one of `post` and `command` is needed")),
        }
    }
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResetKeys {
    /// Path below the base URL, or a whole URL, that is asked by POST.
    post: Option<String>,
    /// Command, run by the shell in `dir`.
    command: Option<String>,
}

impl schemars::JsonSchema for ResetSetting {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Reset".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let keys = generator.subschema_for::<ResetKeys>();
        schemars::json_schema!({"anyOf": [{"enum": ["restart", "none"]}, keys]})
    }
}
