//! Models locations: the names of `File`s, and `URI`s of a simple form.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{Answer, open, reference, settle, text};
use crate::interpret::values::function::Function;
use crate::interpret::values::scalar::Scalar;
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Type, Value};

const FILE: &str = "java.io.File";
const URI: &str = "java.net.URI";

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let answer = match (call.fqn, call.receiver) {
        (FILE, None) => file(machine, call)?,
        (FILE, Some(receiver)) => {
            let path = machine.object(reference(receiver)?).parts.get("path")?.clone();
            on_file(machine, &path, call)?
        }
        (URI, None) if matches!(call.name, "<init>" | "create") => {
            let [given] = call.args else { return None };
            match text(given) {
                None if is_plain_with_keys(given) => Ok(machine.modelled(URI, &[("text", given.clone())])),
                Some(own) if is_plain(own) => Ok(machine.modelled(URI, &[("text", given.clone())])),
                Some(_) => open("a URI of a rare form"),
                None => return None,
            }
        }
        (URI, Some(receiver)) => {
            let own = machine.object(reference(receiver)?).parts.get("text")?.clone();
            on_uri(machine, &own, call)?
        }
        _ => return None,
    };
    Some(settle(machine, call, answer))
}

/// Whether a text consists of unreserved parts and generated keys.
pub fn is_plain_with_keys(value: &Value) -> bool {
    fn plain(term: &Term) -> bool {
        match term {
            Term::Const(Scalar::Str(text)) => is_plain(&text.text),
            Term::Apply(Function::Concat, parts) => parts.iter().all(|part| plain(part)),
            term => term.is_key(),
        }
    }
    matches!(value, Value::Symbol(symbol) if plain(&symbol.term))
}

/// A path as `File` stores it; `None` unless it is simple.
fn normal(path: &str) -> Option<String> {
    let plain = !path.contains("//") && !path.contains(['\\', ':', '\0']) && (path == "/" || !path.ends_with('/'));
    plain.then(|| path.to_owned())
}

fn file(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    if call.name != "<init>" {
        return None;
    }
    let own = match call.args {
        [path] if text(path).is_some() => normal(text(path)?),
        [parent, child] if text(parent).is_some_and(|parent| !parent.is_empty()) && text(child).is_some() => {
            let (parent, child) = (text(parent)?.trim_end_matches('/'), text(child)?.trim_start_matches('/'));
            normal(&format!("{parent}/{child}"))
        }
        [Value::Ref(parent), child] if text(child).is_some() => {
            let parent = text(machine.object(*parent).parts.get("path")?)?.trim_end_matches('/').to_owned();
            normal(&format!("{parent}/{}", text(child)?.trim_start_matches('/')))
        }
        [Value::Unknown(path)] if path.ty == Type::Str => {
            let path = Value::Unknown(path.clone());
            // Null throws; any other text is a valid path.
            return Some(match machine.may_throw("the path of a file is not known") {
                Ok(()) => Ok(machine.modelled(FILE, &[("path", path)])),
                Err(stop) => Err(stop.into()),
            });
        }
        _ => return None,
    };
    let path = match own {
        Some(own) => machine.fresh_text(&own),
        None => Value::unknown("a path of a rare form", Type::Str),
    };
    Some(Ok(machine.modelled(FILE, &[("path", path)])))
}

fn on_file(machine: &mut Machine<'_>, path: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    let own = text(path).map(str::to_owned);
    Some(match (call.name, call.args, own) {
        ("getPath" | "toString", [], _) => Ok(path.clone()),
        ("getName", [], Some(own)) => {
            let name = own.rsplit('/').next().unwrap_or_default().to_owned();
            Ok(machine.fresh_text(&name))
        }
        ("getParent", [], Some(own)) if own != "/" => Ok(match own.rsplit_once('/') {
            Some(("", _)) => machine.fresh_text("/"),
            Some((parent, _)) => machine.fresh_text(parent),
            None => Value::NULL,
        }),
        ("getName", [], None) => Ok(machine.unknown("the path of a file is not known", Type::Str)),
        _ => return None,
    })
}

/// Whether a URI is simple: unreserved characters, an optional scheme and host, a path and a query.
fn is_plain(own: &str) -> bool {
    let letters = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~'))
    };
    let (scheme, rest) = match own.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, own),
    };
    if scheme.is_some_and(|scheme| !matches!(scheme, "http" | "https")) || scheme.is_none() && !own.starts_with('/') {
        return false;
    }
    let (host, path) = match (scheme, rest.find(['/', '?'])) {
        (None, _) => (None, rest),
        (Some(_), Some(at)) => (Some(&rest[..at]), &rest[at..]),
        (Some(_), None) => (Some(rest), ""),
    };
    let good_host = host.is_none_or(|host| {
        let (name, port) = host.split_once(':').unwrap_or((host, "80"));
        letters(name) && !name.contains(['_', '~']) && !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit())
    });
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    good_host
        && !path.starts_with("//")
        && path.split('/').all(|part| part.is_empty() || letters(part))
        && query.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~' | b'=' | b'&'))
}

fn on_uri(machine: &mut Machine<'_>, own: &Value, call: &LibraryCall<'_>) -> Option<Answer> {
    if let ("toString" | "toASCIIString", []) = (call.name, call.args)
        && (text(own).is_some_and(str::is_ascii) || matches!(own, Value::Unknown(_) | Value::Symbol(_)))
    {
        return Some(Ok(own.clone()));
    }
    let whole = text(own).filter(|own| is_plain(own))?.to_owned();
    let (scheme, rest) = match whole.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, whole.as_str()),
    };
    let at = if scheme.is_some() { rest.find(['/', '?']).unwrap_or(rest.len()) } else { 0 };
    let (host, path) = rest.split_at(at);
    let (path, query) = match path.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (path, None),
    };
    let (name, port) = host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port)));
    let part = match (call.name, call.args) {
        ("getPath" | "getRawPath", []) => Some(path),
        ("getQuery" | "getRawQuery", []) => query,
        ("getScheme", []) => scheme,
        ("getHost", []) => scheme.map(|_| name),
        ("getPort", []) => {
            return Some(match port.map(str::parse::<i32>) {
                None => Ok(Value::int(-1)),
                Some(Ok(port)) => Ok(Value::int(port)),
                Some(Err(_)) => open("a port"),
            });
        }
        ("getFragment", []) => None,
        _ => return None,
    };
    Some(Ok(part.map_or(Value::NULL, |part| machine.fresh_text(part))))
}
