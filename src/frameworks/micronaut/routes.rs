//! Routes of controllers: the URI of the class and of each mapped method (Micronaut reference, "HTTP Routing").

use super::names::{CONSUMES, CONTROLLER, MAPPINGS, PRODUCES, STATUS, WRAPPERS};
use super::record::CONTROLLERS;
use crate::code::annotations::{MatchedAnnotation, find};
use crate::code::inheritance::{Implemented, is_concrete, lineage, methods};
use crate::endpoint::{Endpoint, Returns, UNKNOWN_MEDIA};
use crate::paths;
use crate::record::Framework;
use crate::routing::{Inputs, Routes};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_types::{Method, status};

/// All endpoints of Micronaut's controllers.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    let mut routes = Routes::default();
    let project = inputs.project;
    for ty in project.types().filter(|ty| is_concrete(project, *ty)) {
        let Some(found) = find(project, ty, &project.ty(ty).annotations, &[CONTROLLER]) else { continue };
        let Some(own) = read(inputs, ty, &found, &mut routes) else { continue };
        for method in methods(project, ty) {
            mapped(inputs, ty, &method, &own, &mut routes);
        }
    }
    routes
}

/// The URIs of an annotation, with the constants and settings that they depend on.
struct Mapping {
    uris: Vec<String>,
    rests_on: Vec<MemberId>,
    files: Vec<String>,
    written: String,
}

/// Reads the URIs of `@Controller` or of a mapping; `None` if one of them is not constant.
fn read(inputs: &Inputs<'_>, scope: TypeId, found: &MatchedAnnotation, routes: &mut Routes) -> Option<Mapping> {
    let (written, used) = match found.strings(inputs.project, &["value", "uri", "uris"]) {
        Ok(read) => read,
        Err(why) => {
            let message = format!("an argument of @{} has no value that can be known: {why}", found.written);
            routes.warnings.push(inputs.warn("path-not-constant", message, scope, found.span.line));
            return None;
        }
    };
    let (mut uris, files) = inputs.filled(written, (scope, found.span.line), &mut routes.warnings);
    if uris.is_empty() {
        uris.push("/".to_owned());
    }
    let rests_on = found.members.iter().copied().chain(used).collect();
    Some(Mapping { uris, rests_on, files, written: found.written.clone() })
}

fn mapped(inputs: &Inputs<'_>, ty: TypeId, method: &Implemented, class: &Mapping, routes: &mut Routes) {
    let project = inputs.project;
    for (fqn, verb) in MAPPINGS {
        let on = |declared: &MemberId| {
            let found = find(project, declared.ty, &project.member(*declared).annotations, &[fqn])?;
            Some((*declared, found))
        };
        let Some((declared, found)) = method.declarations.iter().find_map(on) else { continue };
        let Some(own) = read(inputs, declared.ty, &found, routes) else { continue };
        for prefix in &class.uris {
            for uri in &own.uris {
                let (path, query) = uri_template(&paths::join(prefix, uri));
                let endpoint = endpoint(inputs, (ty, method, declared), (verb, path, &query), (class, &own, &found));
                routes.endpoints.push(endpoint);
            }
        }
    }
}

/// The path of a URI template (RFC 6570, as far as Micronaut supports it), and the names of its query parameters.
/// `{+path}` may contain slashes, `{/rest}` starts with one, `{id:4}` limits the length, and `{?max,offset}` is the
/// query.
fn uri_template(raw: &str) -> (String, Vec<String>) {
    let (mut path, mut query) = (String::new(), Vec::new());
    let mut rest = raw;
    while let Some(open) = rest.find('{') {
        let Some(length) = paths::closing(&rest[open..]) else { break };
        path.push_str(&rest[..open]);
        let inner = &rest[open + 1..open + length];
        match inner.chars().next() {
            Some('?' | '&' | '#') => {
                let names = inner[1..].split(',').map(|name| name.trim().trim_end_matches('*').to_owned());
                query.extend(names);
            }
            Some('/') => {
                path.push_str(&format!("/{{{}}}", name_of(&inner[1..])));
            }
            Some('+') => path.push_str(&format!("{{{}:.*}}", name_of(&inner[1..]))),
            Some('.') => path.push_str(&format!(".{{{}}}", name_of(&inner[1..]))),
            _ => match inner.split_once(':') {
                // A number limits the length; anything else is a regular expression.
                Some((name, limit)) if limit.trim().parse::<u32>().is_ok() => path.push_str(&format!("{{{name}}}")),
                _ => path.push_str(&format!("{{{inner}}}")),
            },
        }
        rest = &rest[open + length + 1..];
    }
    path.push_str(rest);
    let trimmed = path.trim_end_matches('/');
    (if trimmed.is_empty() { "/".to_owned() } else { trimmed.to_owned() }, query)
}

/// The name of a variable without its limit.
fn name_of(inner: &str) -> &str {
    inner.split([':', ',', '*']).next().unwrap_or(inner).trim()
}

fn endpoint(
    inputs: &Inputs<'_>,
    (ty, method, declared): (TypeId, &Implemented, MemberId),
    (verb, raw_path, query): (Method, String, &[String]),
    (class, own, found): (&Mapping, &Mapping, &MatchedAnnotation),
) -> Endpoint {
    let project = inputs.project;
    let (path, variables) = paths::template(&raw_path);
    let (file, line) = inputs.place(method.entry);
    let mut rests_on: Vec<MemberId> = class.rests_on.iter().chain(&own.rests_on).copied().collect();
    rests_on.extend(method.declarations.iter().filter(|member| **member != method.entry));
    rests_on.sort_unstable();
    rests_on.dedup();
    let mut how = format!("@{}", own.written);
    if declared != method.entry {
        how += &format!(" on {}", project.symbol(declared));
    }
    how += &format!(" below @{} of the class", class.written);
    let mut files: Vec<String> = class.files.iter().chain(&own.files).cloned().collect();
    let context = inputs.properties.get(&file, "micronaut.server.context-path");
    let context_path = context.map_or_else(String::new, |property| {
        files.push(format!("{}#{}", property.file, property.key));
        paths::prefix(&property.value)
    });
    let media = |argument: &str, fqn: &str| {
        if let Ok((said, _)) = found.strings(project, &[argument])
            && !said.is_empty()
        {
            return said;
        }
        let on_method = find(project, declared.ty, &project.member(declared).annotations, &[fqn]);
        let on_class = || {
            lineage(project, ty)
                .into_iter()
                .find_map(|above| find(project, above, &project.ty(above).annotations, &[fqn]))
        };
        let Some(found) = on_method.or_else(on_class) else { return Vec::new() };
        found.strings(project, &["value"]).map_or_else(|_| vec![UNKNOWN_MEDIA.to_owned()], |(said, _)| said)
    };
    let names: Vec<String> = variables.into_iter().map(|variable| variable.name).collect();
    let status = method.declarations.iter().find_map(|declared| {
        let found = find(project, declared.ty, &project.member(*declared).annotations, &[STATUS])?;
        status::of_names(&found.names("value"))
    });
    Endpoint {
        method: verb,
        path,
        raw_path,
        context_path,
        entry: method.entry,
        receiver: ty,
        framework: Framework(&CONTROLLERS),
        how,
        rests_on,
        rests_on_files: files,
        file,
        line,
        consumes: media("consumes", CONSUMES),
        produces: media("produces", PRODUCES),
        params: super::binding::params(inputs, method, verb, (&names, query)),
        returns: returns(inputs, method.entry),
        success_status: status,
        any_method: false,
        lambda: None,
        made_from: None,
    }
}

fn returns(inputs: &Inputs<'_>, member: MemberId) -> Returns {
    let facts = inputs.project.member(member);
    if facts.annotations.iter().any(|annotation| annotation.simple() == "View") {
        return Returns::View;
    }
    let Some(mut returned) = facts.ty.as_ref() else { return Returns::Value };
    while WRAPPERS.contains(&returned.simple()) {
        match returned.args.first() {
            Some(inner) => returned = inner,
            None => return Returns::Value,
        }
    }
    match returned.simple() {
        "void" | "Void" | "Completable" => Returns::Nothing,
        "HttpResponse" | "MutableHttpResponse" => Returns::Response,
        "ModelAndView" => Returns::View,
        _ => Returns::Value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_give_the_path_and_the_names_of_the_query() {
        let query = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(uri_template("/books/{id}"), ("/books/{id}".to_owned(), query(&[])));
        assert_eq!(uri_template("/books{?max,offset}"), ("/books".to_owned(), query(&["max", "offset"])));
        assert_eq!(uri_template("/books/{id:4}/"), ("/books/{id}".to_owned(), query(&[])));
        assert_eq!(uri_template("/books/{isbn:[0-9]{3}}"), ("/books/{isbn:[0-9]{3}}".to_owned(), query(&[])));
        assert_eq!(uri_template("/files{/name}"), ("/files/{name}".to_owned(), query(&[])));
        assert_eq!(uri_template("/files/{+path}"), ("/files/{path:.*}".to_owned(), query(&[])));
        assert_eq!(uri_template("/"), ("/".to_owned(), query(&[])));
    }
}
