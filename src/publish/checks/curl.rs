//! Renders a request as a `curl` command for a POSIX shell.

use std::fmt::Write as _;

use mastor_types::http::Method;
use mastor_types::results::outcome::Exchange;

/// Maximum length of a body that is written out.
const BODY: usize = 16 << 10;

/// The command; credentials are shown as `***`.
pub fn curl(exchange: &Exchange) -> String {
    let mut out = String::new();
    let body = exchange.body.as_deref().unwrap_or_default();
    let text = std::str::from_utf8(body).ok().filter(|text| !text.contains('\0'));
    let shown = body.len() <= BODY;
    if text.is_none() && shown {
        let _ = write!(out, "printf %s {} | base64 -d | ", base64(body));
    }
    out.push_str("curl -sS");
    match exchange.method {
        Method::Get if exchange.body.is_none() => out.push_str(" -i"),
        Method::Head => out.push_str(" -I"),
        method => {
            let _ = write!(out, " -i -X {method}");
        }
    }
    // curl would interpret brackets and braces in a URL as patterns.
    if exchange.url.contains(['[', ']', '{', '}']) {
        out.push_str(" -g");
    }
    for (name, value) in &exchange.headers {
        // curl sends a header without a value only if it ends in a semicolon.
        let header = if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") };
        let _ = write!(out, " -H {}", quoted(&header));
    }
    let typed = exchange.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    if exchange.body.is_some() {
        if !typed {
            out.push_str(" -H Content-Type:");
        }
        match text {
            _ if !shown => {
                let _ = write!(out, " --data-binary @body-of-{}-bytes", body.len());
            }
            Some(text) => {
                let _ = write!(out, " --data-raw {}", quoted(text));
            }
            None => out.push_str(" --data-binary @-"),
        }
    }
    let _ = write!(out, " {}", quoted(&exchange.url));
    out
}

/// Quotes a text for a POSIX shell, as one line of printable characters.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~/:=@,+%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    if !text.chars().any(|c| c.is_control() || !c.is_ascii() && mastor_template::escape::plain(&c.to_string()) == " ") {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    let mut out = String::from("$'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => {
                let _ = write!(out, "\\{c}");
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || mastor_template::escape::plain(&c.to_string()) == " " && c != ' ' => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(out, "\\x{byte:02x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let part = |n: usize| u32::from(chunk.get(n).copied().unwrap_or_default());
        let bits = part(0) << 16 | part(1) << 8 | part(2);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use mastor_types::op_id::OpId;
    use mastor_types::results::outcome::NoAnswer;

    fn exchange(method: Method, body: Option<&[u8]>) -> Exchange {
        Exchange {
            step: 0,
            op_id: OpId::new(method, "/a"),
            as_user: "anonymous".into(),
            method,
            url: "http://h:1/a?b=c&d=%20".into(),
            headers: vec![("X-It".into(), "it's".into()), ("Content-Type".into(), "a/b".into())],
            body: body.map(<[u8]>::to_vec),
            answer: Err(NoAnswer::Closed),
        }
    }

    #[test]
    fn a_request_becomes_one_line_for_a_shell() {
        assert_eq!(
            curl(&exchange(Method::Get, None)),
            r"curl -sS -i -H 'X-It: it'\''s' -H 'Content-Type: a/b' 'http://h:1/a?b=c&d=%20'"
        );
        assert_eq!(
            curl(&exchange(Method::Post, Some(b"{\"a\": 1}\n'"))),
            r#"curl -sS -i -X POST -H 'X-It: it'\''s' -H 'Content-Type: a/b' --data-raw $'{"a": 1}\n\'' 'http://h:1/a?b=c&d=%20'"#
        );
        let binary = curl(&exchange(Method::Put, Some(&[0xff, 0, 0x80, 1])));
        assert!(binary.starts_with("printf %s /wCAAQ== | base64 -d | curl -sS -i -X PUT"), "{binary}");
        assert!(curl(&exchange(Method::Put, Some(&[b'a'; 20_000]))).contains("@body-of-20000-bytes"));
    }
}
