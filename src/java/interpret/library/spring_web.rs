//! Spring's `HttpHeaders` and builders of URIs: what they hold decides no status, only whether a body's type is set by hand.

use super::invocation::LibraryCall;
use super::support::{reference, text};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::value::{Type, Value};

/// `HttpHeaders`.
pub const HEADERS: &str = "org.springframework.http.HttpHeaders";

const COMPONENTS: &str = "org.springframework.web.util.UriComponents";

fn is_builder(fqn: &str) -> bool {
    matches!(
        fqn,
        "org.springframework.web.util.UriComponentsBuilder"
            | "org.springframework.web.servlet.support.ServletUriComponentsBuilder"
    )
}

/// The model.
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
        let why = "the address of the service";
        return Some(Ok(match (call.name, call.args) {
            ("toUri", []) => {
                let text = machine.unknown(why, Type::Str);
                machine.modelled("java.net.URI", &[("text", text)])
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
    if !matches!(machine.object(id).kind, crate::java::interpret::value::Kind::Modelled) {
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
    if let Some(kind) = kind {
        machine.object_mut(id).parts.insert("content-type", kind);
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
        return Some(Ok(machine.modelled(call.fqn, &[("template", template)])));
    };
    let id = reference(receiver)?;
    let template = text(machine.object(id).parts.get("template")?)?.to_owned();
    match (call.name, call.args) {
        ("path" | "pathSegment", [more]) => {
            let template = format!("{template}{}", text(more)?);
            let template = machine.fresh_text(&template);
            machine.object_mut(id).parts.insert("template", template);
            Some(Ok(receiver.clone()))
        }
        ("buildAndExpand", args) => {
            let args = super::support::spread(machine, args);
            let plain =
                args.iter().all(|arg| matches!(arg, Value::Scalar(_) | Value::Symbol(_)) || arg.prim().is_some());
            if !(plain && template.matches('{').count() == args.len())
                && let Err(stop) = machine.may_throw("the variables of a URI")
            {
                return Some(Err(stop));
            }
            let template = machine.fresh_text(&template);
            Some(Ok(machine.modelled(COMPONENTS, &[("template", template)])))
        }
        ("build", []) => {
            let template = machine.fresh_text(&template);
            Some(Ok(machine.modelled(COMPONENTS, &[("template", template)])))
        }
        _ => None,
    }
}
