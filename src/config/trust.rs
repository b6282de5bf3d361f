//! The source of each setting in CI: the head's file, or only sources that a pull request cannot change: the base's
//! file, the environment and flags.
//!
//! This table is the only definition, for all commands; a test compares it with the table in `docs/trust.md`.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::service::{is_absolute, is_loopback};

/// The source of a setting in CI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decides {
    /// The head's file: the setting allows nothing that code of the head could not do anyway.
    Head,
    /// The head's file if its URLs refer to this machine, otherwise the base's.
    HeadForThisMachine,
    /// The head's file. It may change how the service is started or reached, but where it no longer configures a
    /// service, the base's service applies.
    HeadUnlessLeftOut,
    /// The base's file only.
    Base,
}

impl Decides {
    /// The description used in the docs.
    pub fn words(self) -> &'static str {
        match self {
            Self::Head => "the head",
            Self::HeadForThisMachine => "the head for a URL of this machine, else the base",
            Self::HeadUnlessLeftOut => {
                "the head; where it names no service any more, the base's whole `[service]` stands"
            }
            Self::Base => "the base",
        }
    }
}

/// The source of each key; a key that names a table applies to all its keys.
pub const TABLE: &[(&str, Decides)] = &[
    ("api.name", Decides::Head),
    ("api.openapi", Decides::Head),
    ("api.source", Decides::Base),
    ("api.entry", Decides::Base),
    ("service.enabled", Decides::HeadUnlessLeftOut),
    ("service.required", Decides::Base),
    ("service.dir", Decides::Head),
    ("service.port", Decides::Head),
    ("service.build", Decides::Head),
    ("service.build-within", Decides::Head),
    ("service.start", Decides::HeadUnlessLeftOut),
    ("service.base-url", Decides::HeadForThisMachine),
    ("service.ready", Decides::HeadForThisMachine),
    ("service.reset", Decides::HeadForThisMachine),
    ("service.reset-within", Decides::Head),
    ("service.stop-within", Decides::Head),
    ("service.auth", Decides::Base),
    ("service.env", Decides::Head),
    ("service.inherit", Decides::Base),
    ("model.primary", Decides::Base),
    ("model.challenger", Decides::Base),
    ("ci.fail-on", Decides::Base),
    ("ci.engine", Decides::Base),
    ("ci.max-usd", Decides::Base),
    ("ci.max-tokens", Decides::Base),
    ("ci.within", Decides::Base),
    ("ci.strength", Decides::Base),
    ("ci.slices", Decides::Base),
    ("export.kinds", Decides::Head),
    ("export.commit", Decides::Head),
    ("export.dir", Decides::Head),
    ("export.templates", Decides::Base),
    ("redact.never-send", Decides::Base),
    ("redact.patterns", Decides::Base),
    ("ignore", Decides::Base),
];

/// The source of a key such as `model.primary.base-url`; `None` for a key that is not in the table.
pub fn decides(key: &str) -> Option<Decides> {
    let covers = |known: &str| key == known || key.strip_prefix(known).is_some_and(|rest| rest.starts_with('.'));
    TABLE.iter().find(|(known, _)| covers(known)).map(|(_, decides)| *decides)
}

/// Merges the files of head and base for CI. Also returns the keys taken from the base. A key that is not in the table
/// is taken from the base.
pub(super) fn merged(head: &Table, base: &Table) -> (Table, BTreeSet<String>) {
    let (mut out, mut of_base) = (head.clone(), BTreeSet::new());
    for key in keys(head).into_iter().chain(keys(base)) {
        let (ours, theirs) = (at(head, &key), at(base, &key));
        let trusted = match decides(&key).unwrap_or(Decides::Base) {
            Decides::Head | Decides::HeadUnlessLeftOut => true,
            Decides::HeadForThisMachine => ours.is_none_or(stays_here),
            Decides::Base => false,
        };
        if !trusted {
            put(&mut out, &key, theirs);
            of_base.insert(key);
        }
    }
    let is_on = |table: &Table| at(table, "service.enabled").and_then(Value::as_bool).unwrap_or(true);
    let names = |table: &Table| {
        is_on(table) && ["service.start", "service.base-url"].iter().any(|key| at(table, key).is_some())
    };
    if names(base) && !names(&out) {
        put(&mut out, "service", base.get("service"));
        of_base.extend(keys(base).into_iter().filter(|key| key.starts_with("service.")));
    }
    (out, of_base)
}

/// The keys of a file, at most two levels deep: `api.source`, `ignore`.
fn keys(file: &Table) -> BTreeSet<String> {
    let of = |(name, value): (&String, &Value)| match value {
        Value::Table(inner) => inner.keys().map(|key| format!("{name}.{key}")).collect(),
        _ => vec![name.clone()],
    };
    file.iter().flat_map(of).collect()
}

fn at<'t>(file: &'t Table, key: &str) -> Option<&'t Value> {
    match key.split_once('.') {
        Some((section, key)) => file.get(section)?.as_table()?.get(key),
        None => file.get(key),
    }
}

fn put(file: &mut Table, key: &str, value: Option<&Value>) {
    let (table, name) = match key.split_once('.') {
        Some((section, name)) => {
            let inner = file.entry(section).or_insert_with(|| Value::Table(Table::new()));
            let Value::Table(inner) = inner else { return };
            (inner, name)
        }
        None => (file, key),
    };
    match value {
        Some(value) => drop(table.insert(name.to_owned(), value.clone())),
        None => drop(table.remove(name)),
    }
}

/// Whether all URLs in a setting refer to this machine. A plain text must be such a URL; in a table, paths below the
/// base URL are allowed too.
fn stays_here(value: &Value) -> bool {
    match value {
        Value::String(url) => is_loopback(url) || matches!(url.as_str(), "restart" | "none"),
        Value::Table(keys) => ["url", "post"]
            .iter()
            .filter_map(|key| keys.get(*key))
            .all(|url| url.as_str().is_some_and(|url| !is_absolute(url) || is_loopback(url))),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_schema;

    /// A harmful value in the head's file for every key of the schema; one value for each table that the base decides
    /// as a whole.
    const HOSTILE: &str = r#"
        ignore = [{ op = "GET /a", reason = "evil" }]
        [api]
        name = "evil"
        openapi = "evil.json"
        source = ["evil"]
        entry = [{ annotation = "evil.Evil" }]
        [service]
        enabled = true
        required = false
        dir = "evil"
        port = 1
        build = "evil"
        build-within = "1s"
        start = "evil"
        base-url = "http://evil.example"
        ready = { url = "http://evil.example/" }
        reset = { post = "http://evil.example/" }
        reset-within = "1s"
        stop-within = "1s"
        auth = "evil.yaml"
        env = { EVIL = "evil" }
        inherit = ["SECRET"]
        [model]
        primary = { base-url = "http://evil.example", model = "evil", key-env = "SECRET" }
        challenger = { base-url = "http://evil.example", model = "evil", key-env = "SECRET" }
        [ci]
        fail-on = "never"
        engine = "agents"
        max-usd = 1000.0
        max-tokens = 1000
        within = "1s"
        strength = "fast"
        slices = "on"
        [export]
        kinds = ["html"]
        commit = true
        dir = "evil"
        templates = "evil"
        [redact]
        never-send = []
        patterns = []
    "#;

    /// The keys of the schema, at most two levels deep.
    fn of_schema() -> BTreeSet<String> {
        let schema = serde_json::to_value(json_schema()).unwrap();
        let mut keys = BTreeSet::new();
        for (section, property) in schema["properties"].as_object().unwrap() {
            let named = property["$ref"].as_str().and_then(|name| name.rsplit('/').next());
            match named.and_then(|name| schema["$defs"][name]["properties"].as_object()) {
                Some(inner) => keys.extend(inner.keys().map(|key| format!("{section}.{key}"))),
                None => drop(keys.insert(section.clone())),
            }
        }
        keys
    }

    #[test]
    fn every_key_of_the_schema_has_a_decision_and_a_hostile_value() {
        let known: BTreeSet<String> = TABLE.iter().map(|(key, _)| (*key).to_owned()).collect();
        assert_eq!(of_schema(), known);
        assert_eq!(of_schema(), keys(&HOSTILE.parse().unwrap()));
    }

    #[test]
    fn no_hostile_value_of_the_head_takes_effect_where_the_base_decides() {
        let hostile: Table = HOSTILE.parse().unwrap();
        let base: Table =
            "[service]\nstart = \"./ours\"\nready = { port = true }\nauth = \"ours.yaml\"\n[ci]\nfail-on = \"stale\"\n\
                           [redact]\npatterns = [\"ours\"]\n"
                .parse()
                .unwrap();
        for base in [base, Table::new()] {
            let (out, of_base) = merged(&hostile, &base);
            for (key, decides) in TABLE {
                let wanted = match decides {
                    Decides::Head | Decides::HeadUnlessLeftOut => at(&hostile, key),
                    Decides::HeadForThisMachine | Decides::Base => at(&base, key),
                };
                assert_eq!(at(&out, key), wanted, "{key}");
                assert_eq!(
                    of_base.contains(*key),
                    matches!(decides, Decides::HeadForThisMachine | Decides::Base),
                    "{key}"
                );
            }
        }
    }

    #[test]
    fn a_head_names_urls_of_this_machine_and_does_not_do_without_the_service_of_the_base() {
        let here: Table = "[service]\nstart = \"a\"\nbase-url = \"http://127.0.0.1:{port}/x\"\nready = { url = \"/up\" }\nreset = \"none\"\n"
            .parse()
            .unwrap();
        assert_eq!(merged(&here, &Table::new()), (here.clone(), BTreeSet::new()));
        let (out, of_base) = merged(&"[service]\nport = 3\n".parse().unwrap(), &here);
        assert_eq!((out, of_base.len()), (here.clone(), 4));
        let off: Table = "[service]\nenabled = false\nstart = \"b\"\n".parse().unwrap();
        assert_eq!(merged(&off, &here).0, here);
        assert_eq!(merged(&off, &Table::new()).0, off);
        assert_eq!(merged(&here, &off).0, here);
    }

    #[test]
    fn docs_have_the_table() {
        let rows: Vec<String> =
            TABLE.iter().map(|(key, decides)| format!("| `{key}` | {} |", decides.words())).collect();
        let docs = include_str!("../../docs/trust.md").replace("\r\n", "\n");
        assert!(
            docs.contains(&format!("|---|---|\n{}\n<!-- end -->", rows.join("\n"))),
            "docs/trust.md: {}",
            rows.join("\n")
        );
    }

    #[test]
    fn a_key_below_a_table_is_decided_with_it() {
        assert_eq!(decides("model.primary.base-url"), Some(Decides::Base));
        assert_eq!(decides("service.env"), Some(Decides::Head));
        assert_eq!(decides("service.environment"), None);
    }
}
