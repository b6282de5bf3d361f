//! Settings: merges `mastor.toml`, environment variables and flags.
//!
//! Comes in: settings files of base and head, variables and flags. Goes out: the settings in force, each with where it
//! comes from. Never here: acting on a setting.
//!
//! Precedence: flag, environment (`MASTOR_…`), file, default. In CI, the keys that [`trust`] assigns to the base are
//! read from the base revision's file.

mod file;
mod ignore;
mod java_command;
mod models;
mod models_file;
mod origin;
mod service;
mod service_file;
mod settings;
mod slices;
mod strength;
mod study;
mod suggest;
pub mod trust;
mod within;

pub use file::{ConfigFile, ExportKind, FailOn, OpenApiSetting};
pub use ignore::{Day, IgnoreEntry};
pub use java_command::JavaCommand;
pub use models::ModelOverrides;
pub use models_file::Redact;
pub use origin::{Origin, join};
pub use service::{AuthFile, AuthOf, ServiceOverrides, ServiceSettings, below, is_absolute, is_loopback};
pub use service_file::{Ready, ResetSetting};
pub use settings::{FILE_NAME, Overrides, Settings, json_schema, services, services_in_ci};
pub use slices::SlicesSetting;
pub use strength::StrengthSetting;
pub use study::{StudyConfiguration, StudyFile, StudyProject, study};
pub use suggest::did_you_mean;
pub use within::Within;
