//! The request of an oracle as sent: encoded target and rendered body. Exports and mastor's own runner share it.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::input::{Body, Input, Part, canonical};
use crate::op_id::OpId;

/// The user without credentials.
pub const ANONYMOUS: &str = "anonymous";

/// Characters to percent-encode: all but the unreserved ones of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Characters to percent-encode in a whole path: those of [`RESERVED`] without the slash.
const RESERVED_OF_PATHS: &AsciiSet = &RESERVED.remove(b'/');

/// Percent-encodes all but the unreserved characters of RFC 3986, so that a value cannot end its path segment or
/// parameter.
pub fn percent(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Percent-encodes the segments of a path and keeps its slashes.
pub fn percent_path(path: &str) -> String {
    utf8_percent_encode(path, RESERVED_OF_PATHS).to_string()
}

/// A piece of a path template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Literal text, encoded as sent.
    Literal(String),
    /// The value of the parameter with this name.
    Parameter(String),
}

/// Splits a path template; `{name:regex}` counts as `{name}`, an unmatched brace as text.
pub fn pieces(template: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some(end) = closing(after) else { break };
        if !before.is_empty() {
            out.push(Piece::Literal(literal(before)));
        }
        let name = after[..end].split(':').next().unwrap_or_default().trim();
        out.push(Piece::Parameter(name.to_owned()));
        rest = &after[end + 1..];
    }
    if !rest.is_empty() {
        out.push(Piece::Literal(literal(rest)));
    }
    out
}

fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Encodes the literal text of a template. Characters that a URL allows in a path, and existing percent-encodings, are
/// kept.
fn literal(text: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@/%".contains(c);
    text.chars().map(|c| if keep(c) { c.to_string() } else { percent(c.encode_utf8(&mut [0; 4])) }).collect()
}

/// Path and query as sent. A parameter without a value is sent empty.
pub fn target(op_id: &OpId, input: &Input) -> String {
    target_with(op_id, input, |_, value| percent(value))
}

/// Path and query with values encoded by `encode`, which receives the place (`path.id`, `query.lang`) and the value.
pub fn target_with(op_id: &OpId, input: &Input, encode: impl Fn(&str, &str) -> String) -> String {
    let mut out = String::new();
    for piece in pieces(op_id.path()) {
        match piece {
            Piece::Literal(text) => out.push_str(&text),
            Piece::Parameter(name) => {
                let value = input.path.get(&name).map_or("", String::as_str);
                out.push_str(&encode(&format!("path.{name}"), value));
            }
        }
    }
    for (n, (name, value)) in input.query.iter().enumerate() {
        out.push(if n == 0 { '?' } else { '&' });
        out.push_str(&percent(name));
        out.push('=');
        out.push_str(&encode(&format!("query.{name}"), value));
    }
    out
}

/// An `application/x-www-form-urlencoded` body with values encoded by `encode`, which receives the place (`form.name`)
/// and the value.
pub fn form_with(form: &[(String, String)], encode: impl Fn(&str, &str) -> String) -> String {
    let pairs: Vec<String> =
        form.iter().map(|(k, v)| format!("{}={}", percent(k), encode(&format!("form.{k}"), v))).collect();
    pairs.join("&")
}

/// The boundary of a multipart body: deterministic, and not contained in any part.
pub fn boundary(parts: &[Part]) -> String {
    let mut n = 0u32;
    loop {
        let candidate = format!("mastor-part-{n}");
        if !parts.iter().any(|part| part.text.contains(&candidate)) {
            return candidate;
        }
        n += 1;
    }
}

/// A `multipart/form-data` body (RFC 7578).
pub fn multipart(parts: &[Part]) -> String {
    let boundary = boundary(parts);
    let quoted = |text: &str| text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
    let mut out = String::new();
    for part in parts {
        let _ = write!(out, "--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"", quoted(&part.name));
        if let Some(filename) = &part.filename {
            let _ = write!(out, "; filename=\"{}\"", quoted(filename));
        }
        out.push_str("\r\n");
        if let Some(media_type) = &part.media_type {
            let _ = write!(out, "Content-Type: {}\r\n", media_type.replace(['\r', '\n'], " "));
        }
        let _ = write!(out, "\r\n{}\r\n", part.text);
    }
    let _ = write!(out, "--{boundary}--\r\n");
    out
}

/// The media type that a body is sent as.
pub fn media_type(body: &Body) -> String {
    match body {
        Body::Json { .. } => "application/json".to_owned(),
        Body::Text { media_type, .. } | Body::Base64 { media_type, .. } => media_type.clone(),
        Body::Form { .. } => "application/x-www-form-urlencoded".to_owned(),
        Body::Multipart { multipart } => format!("multipart/form-data; boundary={}", boundary(multipart)),
    }
}

/// The request on one line, for display: `GET /v2/alpha/abcd as admin, X-Tenant: a, body {"a":1}`.
pub fn in_words(op_id: &OpId, as_user: &str, input: &Input) -> String {
    let mut out = format!("{} {}", op_id.method(), target(op_id, input));
    if as_user != ANONYMOUS {
        let _ = write!(out, " as {as_user}");
    }
    for (name, value) in &input.headers {
        let _ = write!(out, ", {name}: {value}");
    }
    for (name, value) in &input.cookies {
        let _ = write!(out, ", cookie {name}={value}");
    }
    match &input.body {
        None => {}
        Some(Body::Json { json }) => {
            let _ = write!(out, ", body {}", canonical(json));
        }
        Some(Body::Text { text, media_type }) => {
            let _ = write!(out, ", body {text:?} ({media_type})");
        }
        Some(Body::Base64 { base64, media_type }) => {
            let _ = write!(out, ", body of base64 {base64} ({media_type})");
        }
        Some(Body::Form { form }) => {
            let _ = write!(out, ", form {}", form_with(form, |_, value| percent(value)));
        }
        Some(Body::Multipart { multipart }) => {
            let names: Vec<&str> = multipart.iter().map(|part| part.name.as_str()).collect();
            let _ = write!(out, ", multipart with {}", names.join(", "));
        }
    }
    out
}

/// Decodes base64 in the standard or URL alphabet; `None` for anything else.
pub fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0_u32);
    let digits = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    for digit in digits.take_while(|byte| *byte != b'=') {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        held = (held << 6 | u32::from(value)) & 0x3fff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((held >> bits & 0xff) as u8);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Method;

    #[test]
    fn values_are_encoded_exactly_once() {
        let op_id = OpId::new(Method::Get, "/a b/{id}/x%20y/{n:[0-9]{2}}");
        let input = Input {
            path: [("id".to_owned(), "a/b%2F é".to_owned()), ("n".to_owned(), "12".to_owned())].into(),
            query: vec![("q".to_owned(), "a&b=c+d".to_owned()), ("q".to_owned(), String::new())],
            ..Input::default()
        };
        assert_eq!(target(&op_id, &input), "/a%20b/a%2Fb%252F%20%C3%A9/x%20y/12?q=a%26b%3Dc%2Bd&q=");
    }

    #[test]
    fn a_boundary_stands_in_no_part() {
        let part = Part { name: "a".into(), filename: None, media_type: None, text: "--mastor-part-0".into() };
        assert_eq!(boundary(std::slice::from_ref(&part)), "mastor-part-1");
    }

    #[test]
    fn base64_is_read_in_both_alphabets() {
        assert_eq!(base64_bytes("/wCA"), Some(vec![0xff, 0, 0x80]));
        assert_eq!(base64_bytes("aGkgw6k="), Some("hi é".as_bytes().to_vec()));
        assert_eq!(base64_bytes("_wCA"), Some(vec![0xff, 0, 0x80]));
        assert_eq!(base64_bytes("a*"), None);
    }
}
