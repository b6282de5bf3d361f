//! The media type constants of JAX-RS and Spring (`MediaType` of both) with their texts.

/// The class `MediaType` of Spring.
pub const SPRING: &str = "org.springframework.http.MediaType";
/// The class `MediaType` of JAX-RS, in both of its packages.
pub const JAX_RS: [&str; 2] = ["jakarta.ws.rs.core.MediaType", "javax.ws.rs.core.MediaType"];

/// Constant names without affixes, with the media types that they denote.
const KNOWN: &[(&str, &str)] = &[
    ("ALL", "*/*"),
    ("WILDCARD", "*/*"),
    ("APPLICATION_JSON", "application/json"),
    ("APPLICATION_JSON_UTF8", "application/json;charset=UTF-8"),
    ("APPLICATION_JSON_PATCH_JSON", "application/json-patch+json"),
    ("APPLICATION_MERGE_PATCH_JSON", "application/merge-patch+json"),
    ("APPLICATION_PROBLEM_JSON", "application/problem+json"),
    ("APPLICATION_NDJSON", "application/x-ndjson"),
    ("APPLICATION_XML", "application/xml"),
    ("APPLICATION_ATOM_XML", "application/atom+xml"),
    ("APPLICATION_XHTML_XML", "application/xhtml+xml"),
    ("APPLICATION_SVG_XML", "application/svg+xml"),
    ("APPLICATION_FORM_URLENCODED", "application/x-www-form-urlencoded"),
    ("APPLICATION_PDF", "application/pdf"),
    ("MULTIPART_FORM_DATA", "multipart/form-data"),
    ("APPLICATION_OCTET_STREAM", "application/octet-stream"),
    ("TEXT_PLAIN", "text/plain"),
    ("TEXT_XML", "text/xml"),
    ("TEXT_HTML", "text/html"),
    ("TEXT_EVENT_STREAM", "text/event-stream"),
    ("SERVER_SENT_EVENTS", "text/event-stream"),
];

/// The media type of a constant with this name, whether the constant is a string or an object.
pub fn named(name: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The value of the constant `name` of the class `fqn`, if it is a string: Spring's constants with `_VALUE`, JAX-RS's
/// without `_TYPE`.
pub fn text(fqn: &str, name: &str) -> Option<&'static str> {
    if fqn == SPRING {
        return named(name.strip_suffix("_VALUE")?);
    }
    JAX_RS.contains(&fqn).then(|| named(name)).flatten()
}
