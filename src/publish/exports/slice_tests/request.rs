//! The request of a test, as a call to `MockMvcRequestBuilders`.

use crate::request::{Piece, media_type, pieces};
use mastor_types::suite::input::{Body, canonical};
use mastor_types::suite::oracle::Oracle;

/// A text as a Java string literal.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ' '..='~' if c != '`' => out.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
    out
}

/// The request of an oracle; `before` is the path before the operation's path inside the application.
///
/// # Errors
/// Why `MockMvc` cannot send it.
pub(super) fn request(oracle: &Oracle, before: &str) -> Result<String, &'static str> {
    let method = oracle.op_id.method().as_str().to_ascii_lowercase();
    if !matches!(method.as_str(), "get" | "post" | "put" | "patch" | "delete" | "head" | "options") {
        return Err("`MockMvc` has no requests of this method");
    }
    let mut path = before.trim_end_matches('/').to_owned();
    let mut variables = Vec::new();
    for piece in pieces(oracle.op_id.path()) {
        match piece {
            Piece::Literal(text) => path.push_str(&text),
            Piece::Parameter(name) => {
                path.push_str(&format!("{{{name}}}"));
                let value = oracle.input.path.get(&name).map_or("", String::as_str);
                if value.is_empty() || value.contains('/') {
                    return Err("a parameter of its path is no single segment");
                }
                variables.push(literal(value));
            }
        }
    }
    if !oracle.input.cookies.is_empty() {
        return Err("cookies are not written");
    }
    let arguments: Vec<String> = [literal(&path)].into_iter().chain(variables).collect();
    let mut out = format!("{method}({})", arguments.join(", "));
    for (name, value) in &oracle.input.query {
        out.push_str(&format!(".param({}, {})", literal(name), literal(value)));
    }
    for (name, value) in &oracle.input.headers {
        if !name.eq_ignore_ascii_case("Content-Type") || oracle.input.body.is_none() {
            out.push_str(&format!(".header({}, {})", literal(name), literal(value)));
        }
    }
    let header = oracle.input.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("Content-Type"));
    let header = header.map(|(_, value)| value.as_str());
    let mut content = |media: &str, text: &str| {
        let media = match header.unwrap_or(media) {
            "application/json" => "`org.springframework.http|MediaType`.APPLICATION_JSON".to_owned(),
            other => literal(other),
        };
        out.push_str(&format!(".contentType({media}).content({})", literal(text)));
    };
    match &oracle.input.body {
        None => {}
        Some(body @ Body::Json { json }) => content(&media_type(body), &canonical(json)),
        Some(body @ Body::Text { text, .. }) => content(&media_type(body), text),
        Some(body @ Body::Form { form }) => {
            out.push_str(&format!(".contentType({})", literal(&media_type(body))));
            for (name, value) in form {
                out.push_str(&format!(".param({}, {})", literal(name), literal(value)));
            }
        }
        Some(Body::Base64 { .. } | Body::Multipart { .. }) => return Err("bodies of this kind are not written"),
    }
    Ok(out)
}
