//! `[ci] slices`: whether `ci` and `generate` run slices.

use serde::{Deserialize, Serialize};

/// Whether `ci` and `generate` run slices: the project's own handlers in one JVM, with stubs where a database or a neighbour would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum SlicesSetting {
    /// Where no service is configured or `--no-service` given, and Maven builds the project; never in CI, where `on` says that it may
    #[default]
    Auto,
    /// Always, also beside a service; a build or a start that fails ends with 4
    On,
    /// Never
    Off,
}

impl SlicesSetting {
    /// The value as written in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::On => "on",
            Self::Off => "off",
        }
    }

    /// Whether slices are run. `has_service` is set where this run asks a service, or where `--no-service` forbids any
    /// build.
    pub fn runs(self, has_service: bool) -> bool {
        match self {
            Self::On => true,
            Self::Off => false,
            Self::Auto => !has_service && !mastor_env::in_ci(),
        }
    }
}
