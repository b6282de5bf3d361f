//! Models Spring's `HttpHeaders` and URI builders: their content does not decide the status, only whether the media
//! type of a body is set explicitly.

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::base::invocation::LibraryCall;
use crate::interpret::library::base::support::{reference, text};
use crate::interpret::library::frameworks::named_headers;
use crate::interpret::values::value::{ObjId, Type, Value};

/// The class `HttpHeaders`.
pub const HEADERS: &str = "org.springframework.http.HttpHeaders";

const COMPONENTS: &str = "org.springframework.web.util.UriComponents";

fn is_builder(fqn: &str) -> bool {
    matches!(
        fqn,
        "org.springframework.web.util.UriComponentsBuilder"
            | "org.springframework.web.servlet.support.ServletUriComponentsBuilder"
    )
}

/// Models a library call.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    if call.fqn == HEADERS {
        return headers(machine, call);
    }
    if is_builder(call.fqn) {
        return builder(machine, call);
    }
    if call.fqn == COMPONENTS {
        let id = reference(call.receiver?)?;
        machine.object(id).parts.get("template")?;
        let shown = machine.object(id).parts.get("shown").cloned();
        let why = "the address of the service";
        return Some(Ok(match (call.name, call.args) {
            ("toUri", []) => {
                let text = machine.unknown(why, Type::Str);
                let mut parts = vec![("text", text)];
                parts.extend(shown.map(|shown| ("shown", shown)));
                machine.modelled("java.net.URI", &parts)
            }
            ("toUriString" | "toString" | "getPath", []) => machine.unknown(why, Type::Str),
            ("encode" | "normalize", []) => call.receiver?.clone(),
            _ => return None,
        }));
    }
    None
}

fn headers(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let Some(receiver) = call.receiver else {
        return (call.name == "<init>" && call.args.is_empty()).then(|| Ok(machine.modelled(HEADERS, &[])));
    };
    let id = reference(receiver)?;
    if !matches!(machine.object(id).kind, crate::interpret::values::value::Kind::Modelled) {
        return None;
    }
    let kind = match (call.name, call.args) {
        ("setContentType", [kind]) => Some(kind.clone()),
        ("set" | "add", [name, value]) => {
            let name = text(name)?;
            name.eq_ignore_ascii_case("content-type").then(|| value.clone())
        }
        (
            "setLocation"
            | "setETag"
            | "setCacheControl"
            | "setLastModified"
            | "setExpires"
            | "setContentLength"
            | "setContentDisposition"
            | "setContentDispositionFormData"
            | "setAllow"
            | "setDate"
            | "setAccessControlAllowOrigin"
            | "setAccessControlExposeHeaders"
            | "setBearerAuth"
            | "setPragma",
            _,
        ) => None,
        _ => return None,
    };
    named_headers::said(machine, receiver, (call.name, call.args));
    if let Some(kind) = kind {
        machine.object_mut(id).parts.insert("content-type", kind);
        return Some(Ok(Value::NULL));
    }
    match (call.name, call.args) {
        ("setLocation", [place]) => {
            let shown = named_headers::place(machine, place);
            named_headers::note(machine, receiver, "Location", shown);
        }
        ("set" | "add", [name, value]) => {
            let name = text(name)?.to_owned();
            named_headers::note(machine, receiver, &name, named_headers::shown(value));
        }
        _ => named_headers::note_open(machine, receiver),
    }
    Some(Ok(Value::NULL))
}

fn builder(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    let Some(receiver) = call.receiver else {
        let made = match (call.name, call.args) {
            (
                "newInstance"
                | "fromCurrentRequest"
                | "fromCurrentRequestUri"
                | "fromCurrentContextPath"
                | "fromCurrentServletMapping",
                [],
            ) => "",
            ("fromPath", [path]) => text(path)?,
            _ => return None,
        };
        let template = machine.fresh_text(made);
        // Addresses built from the current request are equal in both revisions.
        let origin = if call.name.starts_with("fromCurrent") { call.name } else { "" };
        let origin = machine.fresh_text(origin);
        return Some(Ok(machine.modelled(call.fqn, &[("template", template), ("origin", origin)])));
    };
    let id = reference(receiver)?;
    let template = text(machine.object(id).parts.get("template")?)?.to_owned();
    match (call.name, call.args) {
        ("path" | "pathSegment", [more]) => {
            let template = format!("{template}{}", text(more)?);
            let template = machine.fresh_text(&template);
            let parts = &mut machine.object_mut(id).parts;
            parts.insert("template", template);
            if call.name == "pathSegment" {
                // `pathSegment` inserts slashes around its arguments.
                parts.remove("origin");
            }
            Some(Ok(receiver.clone()))
        }
        ("buildAndExpand", args) => {
            let args = crate::interpret::library::base::support::spread(machine, args);
            let plain =
                args.iter().all(|arg| matches!(arg, Value::Scalar(_) | Value::Symbol(_)) || arg.prim().is_some());
            if !(plain && template.matches('{').count() == args.len())
                && let Err(stop) = machine.may_throw("the variables of a URI")
            {
                return Some(Err(stop));
            }
            let shown = whole(machine, id, &expanded(&template, &args));
            let template = machine.fresh_text(&template);
            let mut parts = vec![("template", template)];
            parts.extend(shown.map(|shown| ("shown", shown)));
            Some(Ok(machine.modelled(COMPONENTS, &parts)))
        }
        ("build", []) => {
            let shown = whole(machine, id, &template);
            let template = machine.fresh_text(&template);
            let mut parts = vec![("template", template)];
            parts.extend(shown.map(|shown| ("shown", shown)));
            Some(Ok(machine.modelled(COMPONENTS, &parts)))
        }
        _ => None,
    }
}

/// A URI template with its variables filled in; a value that may need encoding becomes an unknown part.
fn expanded(template: &str, args: &[Value]) -> String {
    let mut out = String::new();
    let mut args = args.iter();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((_, after)) = behind.split_once('}') else { break };
        let plain =
            |text: &String| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        let value = args.next().and_then(named_headers::shown).filter(plain);
        out.push_str(before);
        out.push_str(value.as_deref().unwrap_or(named_headers::OPEN));
        rest = after;
    }
    out + rest
}

/// The address built so far, with its origin, if that is known.
fn whole(machine: &Machine<'_>, builder: ObjId, path: &str) -> Option<Value> {
    let origin = text(machine.object(builder).parts.get("origin")?)?;
    Some(Value::text(&format!("{origin}{path}")))
}
