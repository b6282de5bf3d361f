//! Machine-readable output: one object for each command; flat for a single service, with a list `services` for several.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use mastor_types::results::report::{Exit, MatchStatus, OperationRow, Report, SCHEMA_VERSION, ServiceReport};
use mastor_types::warning::Warning;

/// What every command's object holds around its own fields.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Envelope<T> {
    /// A repository with several services.
    Many {
        /// Version of the object.
        schema_version: u32,
        /// The command.
        command: String,
        /// One object a service.
        services: Vec<Named<T>>,
    },
    /// A repository with one service: its fields stand at the top.
    One {
        /// Version of the object.
        schema_version: u32,
        /// The command.
        command: String,
        /// The fields of the command.
        #[serde(flatten)]
        fields: T,
    },
}

/// The fields of a command for one of several services.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Named<T> {
    /// Name of the service.
    pub name: String,
    /// The fields of the command.
    #[serde(flatten)]
    pub fields: T,
}

impl<T> Envelope<T> {
    /// The object of `command` for these services.
    pub fn new(command: &str, mut services: Vec<(String, T)>) -> Self {
        let (schema_version, command) = (SCHEMA_VERSION, command.to_owned());
        match services.pop() {
            Some((_, fields)) if services.is_empty() => Self::One { schema_version, command, fields },
            last => {
                services.extend(last);
                let services = services.into_iter().map(|(name, fields)| Named { name, fields }).collect();
                Self::Many { schema_version, command, services }
            }
        }
    }
}

/// Fields of `mastor operations`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Operations {
    /// Every operation, sorted by name.
    pub operations: Vec<OperationRow>,
    /// Number of operations by status; every status is there.
    pub counts: BTreeMap<String, usize>,
    /// What was read in part or not at all.
    pub warnings: Vec<Warning>,
}

impl Operations {
    /// Sorts and counts these rows.
    pub fn new(mut operations: Vec<OperationRow>, warnings: Vec<Warning>) -> Self {
        operations.sort_by(|a, b| a.op_id.cmp(&b.op_id));
        let statuses =
            [MatchStatus::Matched, MatchStatus::Unmatched, MatchStatus::Undocumented, MatchStatus::Framework];
        let counts = statuses
            .into_iter()
            .map(|s| (status_name(s).to_owned(), operations.iter().filter(|o| o.status == s).count()))
            .collect();
        Self { operations, counts, warnings }
    }
}

/// The name of a status.
pub fn status_name(status: MatchStatus) -> &'static str {
    match status {
        MatchStatus::Matched => "matched",
        MatchStatus::Unmatched => "unmatched",
        MatchStatus::Undocumented => "undocumented",
        MatchStatus::Framework => "framework",
    }
}

/// What `report.json` holds and `ci --format json` prints.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "one value a run")]
pub enum ReportObject {
    /// Several services.
    Many {
        /// Version of the object.
        schema_version: u32,
        /// `ci`.
        command: String,
        /// One report a service.
        services: Vec<ServiceReport>,
        /// The first exit that applies.
        exit: Exit,
        /// Seconds the run took; not in files.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds: Option<f64>,
    },
    /// One service: its report stands at the top.
    One {
        /// Version of the object.
        schema_version: u32,
        /// `ci`.
        command: String,
        /// The report.
        #[serde(flatten)]
        service: ServiceReport,
        /// The exit.
        exit: Exit,
        /// Seconds the run took; not in files.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds: Option<f64>,
    },
}

/// Whether an object includes durations: on standard output, but not in files, which are the same on every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// Include durations.
    Shown,
    /// Leave durations out.
    LeftOut,
}

/// The report as one JSON object.
pub fn report(report: &Report, times: Times) -> Value {
    let (schema_version, command) = (report.schema_version, report.command.clone());
    let seconds = (times == Times::Shown).then_some(report.seconds);
    let exit = report.exit.clone();
    let object = match report.services.as_slice() {
        [service] => ReportObject::One { schema_version, command, service: service.clone(), exit, seconds },
        services => ReportObject::Many { schema_version, command, services: services.to_vec(), exit, seconds },
    };
    let mut value = to_value(&object);
    if times == Times::LeftOut {
        leave_out_seconds(&mut value);
    }
    value
}

/// Parses a report from its JSON, in either form.
///
/// # Errors
/// What is invalid.
pub fn read_report(text: &str) -> Result<Report, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match value.get("schema_version").and_then(Value::as_u64) {
        Some(version) if version == u64::from(SCHEMA_VERSION) => {}
        Some(version) => return Err(format!("its version is {version}; this mastor reads {SCHEMA_VERSION}")),
        None => return Err("it has no `schema_version`".to_owned()),
    }
    let object = if value.get("services").is_some() {
        serde_json::from_value::<Many>(value).map(|Many { services, exit, seconds }| (services, exit, seconds))
    } else {
        serde_json::from_value::<One>(value).map(|One { service, exit, seconds }| (vec![service], exit, seconds))
    };
    let (services, exit, seconds) = object.map_err(|error| error.to_string())?;
    let seconds = seconds.unwrap_or_default();
    Ok(Report { schema_version: SCHEMA_VERSION, command: "ci".to_owned(), services, exit, seconds })
}

/// [`ReportObject::Many`] for parsing; an untagged enum's errors would not name the field.
#[derive(Deserialize)]
struct Many {
    services: Vec<ServiceReport>,
    exit: Exit,
    seconds: Option<f64>,
}

/// [`ReportObject::One`] for parsing.
#[derive(Deserialize)]
struct One {
    #[serde(flatten)]
    service: ServiceReport,
    exit: Exit,
    seconds: Option<f64>,
}

fn leave_out_seconds(value: &mut Value) {
    let services = match value.get_mut("services") {
        Some(Value::Array(services)) => services.iter_mut().collect(),
        _ => vec![value],
    };
    for service in services {
        if let Some(usage) = service.pointer_mut("/generate/usage").and_then(Value::as_object_mut) {
            usage.remove("seconds");
        }
    }
}

/// Converts plain data to JSON. This cannot fail, since keys are strings and no number is NaN.
pub fn to_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

/// JSON text for files and standard output: indented by two spaces, with a newline at the end.
pub fn to_text(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
