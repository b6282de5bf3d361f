//! Items of a Postman collection, and texts as Postman sends them.

use serde_json::{Value, json};

/// Why a request cannot be said in this form.
pub(super) type Cannot = String;

const TEMPLATED: &str = "Postman would take {{…}} in a header, cookie or text body for one of its variables";

/// A request of the collection with its scripts.
pub(super) fn item(name: &str, description: &str, mut request: Value, before: Option<&str>, test: &str) -> Value {
    let listen = |event: &str, text: &str| json!({"listen": event, "script": {"type": "text/javascript", "exec": text.lines().collect::<Vec<_>>()}});
    let mut events = Vec::new();
    events.extend(before.map(|text| listen("prerequest", text)));
    events.push(listen("test", test));
    request["description"] = text(description);
    json!({
        "name": name,
        "request": request,
        "event": events,
        // The answer itself is judged, each request stands alone, and a body goes out with whatever method.
        "protocolProfileBehavior": {"followRedirects": false, "disableCookies": true, "disableBodyPruning": true},
    })
}

/// A description that Postman shows as it stands: by default it would read it as Markdown.
pub(super) fn text(content: &str) -> Value {
    json!({"content": content, "type": "text/plain"})
}

/// Headers as a request has them.
pub(super) fn headers(pairs: Vec<(String, String)>) -> Vec<Value> {
    pairs.into_iter().map(|(key, value)| json!({"key": key, "value": value})).collect()
}

/// Text that Postman sends as it stands.
pub(super) fn verbatim(text: &str) -> Result<String, Cannot> {
    if text.contains("{{") { Err(TEMPLATED.to_owned()) } else { Ok(text.to_owned()) }
}

/// Text of a header, each byte of its UTF-8 as a character: Postman writes no others, and each as one byte.
pub(super) fn bytewise(text: &str) -> String {
    text.bytes().map(char::from).collect()
}
