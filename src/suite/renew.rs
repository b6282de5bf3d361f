//! Upgrades suite files of older versions to the current one.

use serde_json::{Map, Value, json};

use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::evidence::EvidenceId;

/// Upgrades the content of a suite or sequence file from `version`.
pub fn renew(file: &mut Value, version: u64) {
    if version < 2 {
        for list in ["oracles", "sequences"] {
            let entries = file.get_mut(list).and_then(Value::as_array_mut);
            entries.into_iter().flatten().filter_map(Value::as_object_mut).for_each(apart);
        }
    }
}

/// Version 1 had one list, `assumes`. For the rules engine it held data that the service starts with (now `given`); for
/// agents and people it held assumptions.
fn apart(entry: &mut Map<String, Value>) {
    let Some(Value::Array(all)) = entry.remove("assumes") else { return };
    let by_rules = entry.get("origin").and_then(|origin| origin.get("engine")).is_some_and(|engine| engine == "rules");
    let (mut given, mut assumes) = (Vec::new(), Vec::new());
    for mut one in all {
        let what = one.get("what").and_then(Value::as_str).unwrap_or_default().to_owned();
        let Some(fields) = one.as_object_mut() else { continue };
        if by_rules {
            fields.remove("what");
            let kind = if what.starts_with("the record of ") { "row" } else { "state" };
            fields.insert(kind.to_owned(), json!(what));
            given.push(one);
        } else if let Some(evidence) = fields.get("evidence").cloned()
            && let Ok(evidence) = serde_json::from_value::<EvidenceId>(evidence)
        {
            assumes.push(json!(Assumption::of(what, evidence)));
        }
    }
    for (name, list) in [("given", given), ("assumes", assumes)] {
        if !list.is_empty() {
            entry.insert(name.to_owned(), Value::Array(list));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::renew;

    #[test]
    fn what_is_given_and_what_is_assumed_are_told_apart() {
        let mut file = json!({"schema_version": 1, "oracles": [
            {"origin": {"engine": "rules"}, "assumes": [
                {"what": "the record of todos with id 7 that data.sql inserts", "evidence": "e:0011223344556677", "read": 1},
                {"what": "Counter.next as the service makes it when it starts", "evidence": "e:0011223344556677"}]},
            {"origin": {"engine": "agents"}, "assumes": [{"what": "an empty table", "evidence": "e:0011223344556677"}]},
            {"origin": {"engine": "rules"}}]});
        renew(&mut file, 1);
        let oracles = file["oracles"].as_array().unwrap();
        assert_eq!(oracles[0]["given"][0]["row"], "the record of todos with id 7 that data.sql inserts");
        assert_eq!(oracles[0]["given"][0]["read"], 1);
        assert_eq!(oracles[0]["given"][1]["state"], "Counter.next as the service makes it when it starts");
        assert!(oracles[0].get("assumes").is_none());
        assert_eq!(oracles[1]["assumes"][0]["what"], "an empty table");
        assert_eq!(oracles[1]["assumes"][0]["id"].as_str().unwrap().len(), 8);
        assert!(oracles[2].get("given").is_none() && oracles[2].get("assumes").is_none());
    }
}
