//! The media types that an operation accepts, and the `Content-Type` of its requests.

use crate::subject::Subject;
use mastor_frameworks::UNKNOWN_MEDIA;
use mastor_frameworks::endpoint::Location;

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const PARTS: &str = "multipart/form-data";
/// The media type that Spring assumes for a request without one.
const BYTES: &str = "application/octet-stream";

/// The kind of content that a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carried {
    /// No body.
    Nothing,
    /// Form fields.
    Form,
    /// A JSON body.
    Json,
}

/// The media types that an operation accepts.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedMediaTypes {
    /// Types and ranges that its mapping includes; empty for any.
    names: Vec<String>,
    /// Types and ranges that its mapping excludes.
    excluded: Vec<String>,
    /// The media type of JSON bodies that are sent.
    json: Option<String>,
    /// Whether the mapping compares the media type even for a request without a body.
    looks_without_body: bool,
}

/// Whether the body is always read as a form: only Spring's form converter reads a `MultiValueMap`
/// (`FormHttpMessageConverter`).
fn reads_form(subject: &Subject<'_>) -> bool {
    let mut params = subject.endpoint.params.iter();
    params.any(|param| param.location == Location::Body && param.ty.simple() == "MultiValueMap")
}

impl AcceptedMediaTypes {
    /// Reads the media types of the mapping; for a mapping generated from the document, those of the document.
    pub fn of(subject: &Subject<'_>) -> Self {
        let endpoint = subject.endpoint;
        let documented = documented(subject);
        let is_generated = endpoint.framework.routing.from_document;
        let written = match endpoint.consumes.is_empty() {
            true if is_generated => documented.clone(),
            true if reads_form(subject) => vec![FORM.to_owned(), PARTS.to_owned()],
            _ => endpoint.consumes.clone(),
        };
        let (excluded, names): (Vec<String>, Vec<String>) =
            written.into_iter().partition(|name| name.trim_start().starts_with('!'));
        let excluded = excluded.iter().map(|name| name.trim_start_matches([' ', '!']).to_owned()).collect();
        let looks_without_body = endpoint.framework.routing.compares_media_without_body;
        let mut taken = Self { names, excluded, json: None, looks_without_body };
        taken.json = taken.json_of(&documented);
        taken
    }

    /// The media type of JSON bodies: `application/json` if accepted, else the first other JSON type.
    fn json_of(&self, documented: &[String]) -> Option<String> {
        let says_other = self.names.is_empty() && !documented.iter().any(|range| includes(range, JSON));
        let other = documented.iter().find(|name| is_json(name) && self.takes(name));
        if let Some(other) = other.filter(|_| says_other || !self.takes(JSON)) {
            return Some(other.clone());
        }
        if self.takes(JSON) {
            return Some(JSON.to_owned());
        }
        let of_range = |name: &&String| includes(name, "application/hal+json");
        let own = self.names.iter().find(|name| is_json(name)).cloned();
        own.or_else(|| self.names.iter().find(of_range).map(|_| "application/hal+json".to_owned()))
    }

    fn takes(&self, kind: &str) -> bool {
        (self.names.is_empty() || self.names.iter().any(|range| includes(range, kind)))
            && !self.excluded.iter().any(|range| includes(range, kind))
    }

    /// The media type of JSON bodies.
    pub fn json(&self) -> &str {
        self.json.as_deref().unwrap_or(JSON)
    }

    /// The `Content-Type` header that a request needs in addition to the default of its body.
    pub fn header(&self, carried: Carried) -> Option<&str> {
        match carried {
            Carried::Json => self.json.as_deref().filter(|kind| *kind != JSON),
            Carried::Nothing if self.looks_without_body && !self.takes(BYTES) => self.bare(),
            Carried::Nothing | Carried::Form => None,
        }
    }

    /// The media type of a request without a body.
    fn bare(&self) -> Option<&str> {
        let is_plain = |name: &&String| is_known(name) && !name.contains('*') && !name.starts_with("multipart/");
        self.json.as_deref().or_else(|| self.names.iter().find(is_plain).map(String::as_str))
    }

    /// The reason why a generated request does not reach the operation; `None` if it does.
    pub fn stops(&self, carried: Carried) -> Option<String> {
        let reaches = match carried {
            Carried::Json => self.json.is_some(),
            Carried::Form => self.takes(FORM),
            Carried::Nothing => !self.looks_without_body || self.takes(BYTES) || self.bare().is_some(),
        };
        if reaches {
            return None;
        }
        Some(match self.names.as_slice() {
            [] => "the media type of its requests is excluded by its mapping".to_owned(),
            names if !names.iter().all(|name| is_known(name)) => "which media types it takes is not known".to_owned(),
            names => format!("a body of {} is not made", names.join(" or ")),
        })
    }
}

/// The media types of the request body in the document.
fn documented(subject: &Subject<'_>) -> Vec<String> {
    let Some(document) = subject.document else { return Vec::new() };
    let made_from = subject.endpoint.made_from.as_deref().and_then(|op_id| document.operation(op_id));
    let body =
        made_from.or_else(|| document.operation(subject.op_id.as_str())).and_then(|one| one.request_body.as_ref());
    body.map(|body| body.content.iter().map(|media| media.name.clone()).collect()).unwrap_or_default()
}

/// Whether a text is a media type. A constant with an unknown value appears under its own name, which is not one.
pub fn is_known(name: &str) -> bool {
    name.contains('/') && name != UNKNOWN_MEDIA
}

/// Type and subtype in lower case, without parameters.
fn parts(name: &str) -> Option<(String, String)> {
    let bare = name.split(';').next().unwrap_or_default().trim().to_lowercase();
    bare.split_once('/').map(|(kind, sub)| (kind.to_owned(), sub.to_owned()))
}

/// Whether a media type without wildcards is JSON for the libraries that read it.
fn is_json(name: &str) -> bool {
    parts(name).is_some_and(|(kind, sub)| {
        kind == "application" && !sub.contains('*') && (sub == "json" || sub.ends_with("+json"))
    })
}

/// Whether a range, possibly `application/*+json`, includes a media type.
fn includes(range: &str, kind: &str) -> bool {
    let (Some((range_type, range_sub)), Some((own_type, own_sub))) = (parts(range), parts(kind)) else { return false };
    let sub = match range_sub.strip_prefix('*') {
        Some(suffix) => own_sub.ends_with(suffix),
        None => range_sub == own_sub,
    };
    (range_type == "*" || range_type == own_type) && sub
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(names: &[&str]) -> AcceptedMediaTypes {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let mut taken = AcceptedMediaTypes { names, excluded: Vec::new(), json: None, looks_without_body: true };
        taken.json = taken.json_of(&[]);
        taken
    }

    #[test]
    fn json_goes_out_as_what_is_taken() {
        assert_eq!(taken(&[]).header(Carried::Json), None);
        assert_eq!(taken(&["application/xml", "application/json;charset=utf-8"]).header(Carried::Json), None);
        assert_eq!(taken(&["application/json-patch+json"]).header(Carried::Json), Some("application/json-patch+json"));
        assert_eq!(taken(&["application/*+json"]).header(Carried::Json), Some("application/hal+json"));
        assert_eq!(taken(&["*/*"]).header(Carried::Nothing), None);
        assert_eq!(taken(&["application/vnd.a+json"]).header(Carried::Nothing), Some("application/vnd.a+json"));
    }

    #[test]
    fn what_cannot_be_made_is_named() {
        assert_eq!(taken(&["text/xml"]).stops(Carried::Json).as_deref(), Some("a body of text/xml is not made"));
        assert!(taken(&["multipart/form-data"]).stops(Carried::Nothing).is_some());
        assert!(taken(&[UNKNOWN_MEDIA]).stops(Carried::Json).is_some_and(|why| why.contains("not known")));
        assert_eq!(taken(&["application/json"]).stops(Carried::Nothing), None);
    }
}
