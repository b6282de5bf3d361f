//! Models text encodings: `Base64`, `URLEncoder` and `URLDecoder`.

use super::texts::is_utf8;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{
    Answer, array, array_items, native, open, reference, settle, text, throw,
};
use crate::interpret::values::scalar::{Prim, Scalar};
use crate::interpret::values::value::{Native, Type, Value};

const BASE64: &str = "java.util.Base64";

/// The state of a Base64 encoder or decoder.
#[derive(Debug, Clone, Copy)]
struct Coder {
    url: bool,
    padded: bool,
    decodes: bool,
}

impl Native for Coder {
    native_state!(leaf);

    fn is_frozen(&self) -> bool {
        true
    }

    fn is_value(&self) -> bool {
        true
    }
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match (call.fqn, call.receiver) {
        (BASE64, None) => {
            let (url, decodes) = match call.name {
                "getEncoder" => (false, false),
                "getUrlEncoder" => (true, false),
                "getDecoder" => (false, true),
                "getUrlDecoder" => (true, true),
                _ => return None,
            };
            let class = if decodes { "java.util.Base64$Decoder" } else { "java.util.Base64$Encoder" };
            Ok(native(machine, class, Coder { url, padded: true, decodes }))
        }
        ("java.util.Base64$Decoder" | "java.util.Base64$Encoder", Some(receiver)) => {
            let coder = *machine.native::<Coder>(reference(receiver)?)?;
            coded(machine, coder, call)?
        }
        ("java.net.URLEncoder", None) if call.name == "encode" => url_encoded(machine, call.args)?,
        ("java.net.URLDecoder", None) if call.name == "decode" => url_decoded(machine, call.args)?,
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

/// The bytes of an array, or of a text whose characters each stand for one byte.
pub(in crate::interpret::library) fn bytes_of(machine: &Machine<'_>, value: &Value) -> Option<Vec<u8>> {
    if let Some(text) = text(value) {
        return text.is_ascii().then(|| text.as_bytes().to_vec());
    }
    array_items(machine, value)?
        .iter()
        .map(|item| match item {
            Value::Scalar(Scalar::Byte(byte)) => Some(*byte as u8),
            _ => None,
        })
        .collect()
}

/// A new array of bytes.
pub(super) fn byte_array(machine: &mut Machine<'_>, bytes: &[u8]) -> Value {
    let items = bytes.iter().map(|byte| Value::Scalar(Scalar::Byte(*byte as i8))).collect();
    array(machine, items, Type::Prim(Prim::Byte))
}

fn coded(machine: &mut Machine<'_>, coder: Coder, call: &LibraryCall<'_>) -> Option<Answer> {
    if let ("withoutPadding", []) = (call.name, call.args) {
        return Some(Ok(native(machine, call.fqn, Coder { padded: false, ..coder })));
    }
    let [given] = call.args else { return None };
    if given.is_null() {
        return Some(Err(throw(machine, "NullPointerException")));
    }
    let Some(bytes) = bytes_of(machine, given) else { return Some(open("bytes are not known")) };
    Some(match call.name {
        "encodeToString" => {
            let text = encoded(&bytes, coder);
            Ok(machine.fresh_text(&text))
        }
        "encode" => {
            let text = encoded(&bytes, coder);
            Ok(byte_array(machine, text.as_bytes()))
        }
        "decode" if coder.decodes => match decoded(&bytes, coder.url) {
            Some(bytes) => Ok(byte_array(machine, &bytes)),
            None => Err(throw(machine, "IllegalArgumentException")),
        },
        _ => return None,
    })
}

fn digit(value: u32, url: bool) -> char {
    match value as u8 {
        value @ 0..26 => char::from(b'A' + value),
        value @ 26..52 => char::from(b'a' + value - 26),
        value @ 52..62 => char::from(b'0' + value - 52),
        62 if url => '-',
        62 => '+',
        _ if url => '_',
        _ => '/',
    }
}

fn encoded(bytes: &[u8], coder: Coder) -> String {
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let all = three.iter().fold(0_u32, |all, byte| all << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for at in 0..4 {
            if at <= three.len() {
                out.push(digit(all >> (18 - 6 * at) & 63, coder.url));
            } else if coder.padded {
                out.push('=');
            }
        }
    }
    out
}

fn decoded(bytes: &[u8], url: bool) -> Option<Vec<u8>> {
    let end = bytes.iter().position(|byte| *byte == b'=').unwrap_or(bytes.len());
    let (digits, padding) = bytes.split_at(end);
    // Padding may be omitted; if present, it must be complete.
    let whole = match digits.len() % 4 {
        0 => padding.is_empty(),
        2 => padding.is_empty() || padding == b"==",
        3 => padding.is_empty() || padding == b"=",
        _ => false,
    };
    if !whole {
        return None;
    }
    let (mut all, mut bits, mut out) = (0_u32, 0, Vec::new());
    for byte in digits {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' if !url => 62,
            b'/' if !url => 63,
            b'-' if url => 62,
            b'_' if url => 63,
            _ => return None,
        };
        all = all << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((all >> bits) as u8);
        }
    }
    Some(out)
}

fn url_encoded(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer> {
    let (given, rest) = args.split_first()?;
    if given.is_null() {
        return Some(Err(throw(machine, "NullPointerException")));
    }
    let own = text(given)?.to_owned();
    if !rest.first().map_or(own.is_ascii(), is_utf8) {
        return Some(open("another charset"));
    }
    let out: String = form_urlencoded::byte_serialize(own.as_bytes()).collect();
    Some(Ok(machine.fresh_text(&out)))
}

fn url_decoded(machine: &mut Machine<'_>, args: &[Value]) -> Option<Answer> {
    let (given, rest) = args.split_first()?;
    if given.is_null() {
        return Some(Err(throw(machine, "NullPointerException")));
    }
    let own = text(given)?.to_owned();
    if !rest.first().is_some_and(is_utf8) {
        return Some(open("another charset"));
    }
    let (mut out, mut rest) = (Vec::new(), own.as_bytes());
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'+' => out.push(b' '),
            b'%' => {
                let hex = |byte: u8| char::from(byte).to_digit(16);
                match after {
                    [a, b, after @ ..] => match (hex(*a), hex(*b)) {
                        (Some(a), Some(b)) => {
                            out.push((a * 16 + b) as u8);
                            rest = after;
                        }
                        _ if matches!(a, b'+' | b'-') => return Some(open("an odd escape")),
                        _ => return Some(Err(throw(machine, "IllegalArgumentException"))),
                    },
                    _ => return Some(Err(throw(machine, "IllegalArgumentException"))),
                }
            }
            other => out.push(*other),
        }
    }
    Some(match String::from_utf8(out) {
        Ok(text) => Ok(machine.fresh_text(&text)),
        Err(_) => open("bytes that are no text"),
    })
}
