//! `[[ignore]]`: operations, fields or oracles that a team ignores for a time, each with a reason. Every report names
//! them until they expire.

use serde::{Deserialize, Serialize};

/// One entry: an operation, a field of it, or an oracle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct IgnoreEntry {
    /// The operation, as `GET /orders/{id}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
    /// A field of its answers, by its path; the whole operation where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// An oracle or sequence, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oracle: Option<String>,
    /// Why.
    pub reason: String,
    /// The last day on which it counts, as `2027-03-01`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub until: Option<Day>,
}

/// A calendar day, written as a TOML date or as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(jiff::civil::Date);

impl Day {
    /// Today, in UTC.
    pub fn today() -> Self {
        Self(jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date())
    }
}

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Day {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a date such as 2027-03-01")]
        enum Raw {
            Date(toml::value::Datetime),
            Text(String),
        }
        let text = match Raw::deserialize(deserializer)? {
            Raw::Date(date) => date.to_string(),
            Raw::Text(text) => text,
        };
        text.parse().map(Self).map_err(|_| serde::de::Error::custom(format!("`{text}` is no date such as 2027-03-01")))
    }
}

impl IgnoreEntry {
    /// Whether the entry is still in force on this day.
    pub fn counts(&self, today: Day) -> bool {
        self.until.is_none_or(|until| today <= until)
    }

    /// What the entry ignores, in words.
    pub fn what(&self) -> String {
        match (&self.op, &self.field, &self.oracle) {
            (Some(op), Some(field), _) => format!("{field} of {op}"),
            (Some(op), None, Some(oracle)) => format!("{oracle} of {op}"),
            (Some(op), None, None) => op.clone(),
            (None, _, Some(oracle)) => format!("oracle {oracle}"),
            (None, ..) => String::new(),
        }
    }

    /// Whether the entry names this operation; names of path parameters are not compared.
    pub fn names(&self, op_id: &mastor_types::OpId) -> bool {
        let asked = self.op.as_deref().and_then(mastor_types::OpId::parse);
        asked.is_some_and(|asked| asked == *op_id || asked.erased() == op_id.erased())
    }

    /// Whether the entry ignores a result of this operation and oracle as a whole, and not only one field.
    pub fn covers(&self, op_id: &mastor_types::OpId, id: Option<&str>) -> bool {
        let operation = self.op.is_none() || self.names(op_id);
        let oracle = self.oracle.as_deref().is_none_or(|oracle| id.is_some_and(|id| id.starts_with(oracle)));
        self.field.is_none() && operation && oracle
    }

    /// Why the entry is invalid; `None` where it is valid.
    pub fn problem(&self) -> Option<String> {
        match () {
            () if self.op.is_none() && self.oracle.is_none() => {
                Some("an [[ignore]] names nothing: give it `op` or `oracle`".to_owned())
            }
            () if self.field.is_some() && self.op.is_none() => {
                Some("an [[ignore]] with `field` needs the `op` that answers it".to_owned())
            }
            () if self.oracle.as_ref().is_some_and(|oracle| oracle.len() < 4) => {
                Some("an [[ignore]] names an oracle by fewer than four digits of its id".to_owned())
            }
            () if self.reason.trim().is_empty() => Some(format!("the [[ignore]] of {} gives no reason", self.what())),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_types::OpId;

    fn entry(text: &str) -> IgnoreEntry {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn an_entry_counts_until_its_day_and_covers_what_it_names() {
        let ignored = entry("op = \"GET /orders/{id}\"\nfield = \"updatedAt\"\nreason = \"x\"\nuntil = 2027-03-01\n");
        let day = |text: &str| Day(text.parse().unwrap());
        assert!(ignored.counts(day("2027-03-01")) && !ignored.counts(day("2027-03-02")));
        assert_eq!(ignored.what(), "updatedAt of GET /orders/{id}");
        let op_id = OpId::parse("GET /orders/{orderId}").unwrap();
        assert!(ignored.names(&op_id) && !ignored.covers(&op_id, None));
        let whole = entry("oracle = \"1a2b\"\nreason = \"x\"\nuntil = \"2027-03-01\"\n");
        assert!(
            whole.covers(&op_id, Some("1a2b3c"))
                && !whole.covers(&op_id, Some("2a2b3c"))
                && !whole.covers(&op_id, None)
        );
        assert!(entry("reason = \"x\"\n").problem().is_some());
        assert!(toml::from_str::<IgnoreEntry>("op = \"GET /x\"\nreason = \"x\"\nuntil = \"soon\"\n").is_err());
    }
}
