//! The constants of media types that JAX-RS and Spring name: `MediaType` of both, by their texts.

/// `MediaType` of Spring.
pub const SPRING: &str = "org.springframework.http.MediaType";
/// `MediaType` of JAX-RS, in both of its packages.
pub const JAX_RS: [&str; 2] = ["jakarta.ws.rs.core.MediaType", "javax.ws.rs.core.MediaType"];

/// Media types by what their constants are named after, and their texts.
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

/// The media type that a constant of this name stands for, whether it is a text or an object.
pub fn named(name: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The text that the constant `name` of the class `fqn` is, where it is one: Spring's `…_VALUE`, and those of JAX-RS without `_TYPE`.
pub fn text(fqn: &str, name: &str) -> Option<&'static str> {
    if fqn == SPRING {
        return named(name.strip_suffix("_VALUE")?);
    }
    JAX_RS.contains(&fqn).then(|| named(name)).flatten()
}
