//! Time limits in the form `"60s"`, `"2m"`, `"500ms"`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Within(pub Duration);

impl Within {
    /// A time limit in seconds.
    pub const fn seconds(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }
}

impl std::str::FromStr for Within {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no time limit: write \"500ms\", \"60s\", \"2m\" or \"1h\"");
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let (number, unit) = text.split_at(end);
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let millis = match unit.trim() {
            "ms" => 1,
            "s" => 1000,
            "m" | "min" => 60_000,
            "h" => 3_600_000,
            _ => return Err(wrong()),
        };
        // At most one day, which is longer than any build and keeps sums of limits from overflowing.
        let limit = number.checked_mul(millis).filter(|millis| (1..=86_400_000).contains(millis)).ok_or_else(wrong)?;
        Ok(Self(Duration::from_millis(limit)))
    }
}

impl std::fmt::Display for Within {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.as_millis() {
            millis if millis % 60_000 == 0 => write!(f, "{}m", millis / 60_000),
            millis if millis % 1000 == 0 => write!(f, "{}s", millis / 1000),
            millis => write!(f, "{millis}ms"),
        }
    }
}

impl Serialize for Within {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Within {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl schemars::JsonSchema for Within {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Within".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "pattern": "^\\s*[0-9]+\\s*(ms|s|m|min|h)\\s*$", "examples": ["60s"]})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_printed() {
        for (text, millis) in [("500ms", 500), ("60s", 60_000), ("2m", 120_000), ("1h", 3_600_000), (" 5 s", 5000)] {
            assert_eq!(text.parse::<Within>().unwrap().0.as_millis(), millis, "{text}");
        }
        assert_eq!("90s".parse::<Within>().unwrap().to_string(), "90s");
        assert_eq!("1h".parse::<Within>().unwrap().to_string(), "60m");
        for text in ["", "60", "s", "0s", "25h", "1.5s", "99999999999999999999h", "1d"] {
            assert!(text.parse::<Within>().is_err(), "{text}");
        }
    }
}
