//! Settings of swagger-inflector for reading requests and writing answers.

use crate::files::resources::file_name;

/// Keys that affect neither.
const PLAIN: &[&str] = &[
    "controllerPackage",
    "modelPackage",
    "modelMappings",
    "swaggerUrl",
    "openApiUrl",
    "exposedSpecOptions",
    "entityProcessors",
    "swaggerProcessors",
    "rootPath",
    "swaggerBase",
    "prettyPrint",
    "exampleProcessors",
    "unimplementedModels",
    "invalidRequestCode",
];

/// The settings in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The status for requests that cannot be converted, or that lack a required value.
    pub invalid: u16,
    /// A setting that is not followed.
    pub odd: Option<String>,
}

/// Whether a file contains such settings.
pub fn is_inflector(path: &str) -> bool {
    let name = file_name(path);
    name.starts_with("inflector") && (name.ends_with(".yaml") || name.ends_with(".yml"))
}

/// Parses a file.
pub fn read(text: &str) -> Option<Settings> {
    let value: serde_json::Value = yaml_serde::from_str(text).ok()?;
    let map = value.as_object()?;
    let odd = map.keys().find(|key| !PLAIN.contains(&key.as_str())).cloned();
    let processors = map.get("entityProcessors").and_then(|list| list.as_array());
    let no_json = processors.is_some_and(|list| !list.iter().any(|one| one.as_str() == Some("json")));
    let invalid = map.get("invalidRequestCode").and_then(serde_json::Value::as_u64);
    Some(Settings {
        invalid: invalid.and_then(|code| u16::try_from(code).ok()).unwrap_or(400),
        odd: if no_json { Some("entityProcessors".to_owned()) } else { odd },
    })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn what_is_not_followed_is_named() {
        let plain = read("controllerPackage: a\nentityProcessors: [json]\n").unwrap();
        assert_eq!((plain.invalid, plain.odd), (400, None));
        assert_eq!(
            read("validatePayloads: [in]\ninvalidRequestCode: 422\n").unwrap().odd.as_deref(),
            Some("validatePayloads")
        );
        assert_eq!(read("entityProcessors: [xml]\n").unwrap().odd.as_deref(), Some("entityProcessors"));
    }
}
