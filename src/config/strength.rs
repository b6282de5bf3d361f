//! `[ci] strength`: whether and how `ci` runs mutation tests on the changed members.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Whether `ci` runs mutation tests on the changed members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StrengthSetting {
    /// `false`.
    #[default]
    Off,
    /// `true`: with PITest.
    Full,
    /// `"fast"`: with the interpreter instead of a JVM.
    Fast,
}

impl StrengthSetting {
    /// The value as written in the file.
    pub fn shown(self) -> &'static str {
        match self {
            Self::Off => "false",
            Self::Full => "true",
            Self::Fast => "\"fast\"",
        }
    }
}

impl Serialize for StrengthSetting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Fast => serializer.serialize_str("fast"),
            other => serializer.serialize_bool(*other == Self::Full),
        }
    }
}

impl<'de> Deserialize<'de> for StrengthSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "`true`, `false` or \"fast\"")]
        enum Raw {
            Bool(bool),
            Fast(Fast),
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Fast {
            Fast,
        }
        Ok(match Raw::deserialize(deserializer)? {
            Raw::Bool(false) => Self::Off,
            Raw::Bool(true) => Self::Full,
            Raw::Fast(Fast::Fast) => Self::Fast,
        })
    }
}

impl schemars::JsonSchema for StrengthSetting {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "StrengthSetting".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"enum": [true, false, "fast"]})
    }
}
