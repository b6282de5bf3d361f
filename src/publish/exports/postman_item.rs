//! Items of a Postman collection, and the encoding of texts for Postman.

use serde_json::{Value, json};

/// Why a request cannot be expressed in Postman.
pub(crate) type Cannot = String;

const TEMPLATED: &str = "Postman would take {{…}} in a header, cookie or text body for one of its variables";

/// A request with its scripts.
pub(crate) fn item(name: &str, description: &str, mut request: Value, before: Option<&str>, test: &str) -> Value {
    let listen = |event: &str, text: &str| json!({"listen": event, "script": {"type": "text/javascript", "exec": text.lines().collect::<Vec<_>>()}});
    let mut events = Vec::new();
    events.extend(before.map(|text| listen("prerequest", text)));
    events.push(listen("test", test));
    request["description"] = text(description);
    json!({
        "name": name,
        "request": request,
        "event": events,
        // Do not follow redirects, keep requests independent of cookies, and send bodies with every method.
        "protocolProfileBehavior": {"followRedirects": false, "disableCookies": true, "disableBodyPruning": true},
    })
}

/// A plain-text description; Postman would render it as Markdown by default.
pub(crate) fn text(content: &str) -> Value {
    json!({"content": content, "type": "text/plain"})
}

/// Headers in the collection's format.
pub(crate) fn headers(pairs: Vec<(String, String)>) -> Vec<Value> {
    pairs.into_iter().map(|(key, value)| json!({"key": key, "value": value})).collect()
}

/// A text that Postman sends unchanged; an error if it contains a variable.
pub(super) fn verbatim(text: &str) -> Result<String, Cannot> {
    if text.contains("{{") { Err(TEMPLATED.to_owned()) } else { Ok(text.to_owned()) }
}

/// A header value with each byte of its UTF-8 as one character, since Postman writes each character as one byte.
pub(super) fn bytewise(text: &str) -> String {
    text.bytes().map(char::from).collect()
}
