//! Reactive routes: methods with `@Route` (Quarkus guides, "Using Reactive Routes"). Their routes and parameters are
//! found; how they answer is not modelled.

use super::record::REACTIVE_ROUTES;
use super::rest_data::hyphenated;
use crate::code::annotations::{find, find_all, of_parameter, on_parameter};
use crate::code::constraints;
use crate::code::inheritance::is_concrete;
use crate::endpoint::{BoundParam, Endpoint, Location, Returns};
use crate::paths;
use crate::record::Framework;
use crate::routing::{Inputs, Routes};
use mastor_java::ir::ids::MemberId;
use mastor_types::Method;

const ROUTE: &str = "io.quarkus.vertx.web.Route";
const BASE: &str = "io.quarkus.vertx.web.RouteBase";
const ROOT: &str = "quarkus.http.root-path";

/// Annotations of parameters, with the source of the value; `@Param` is of the path or of the query.
const BINDINGS: [(&str, Location); 3] = [
    ("io.quarkus.vertx.web.Param", Location::Query),
    ("io.quarkus.vertx.web.Header", Location::Header),
    ("io.quarkus.vertx.web.Body", Location::Body),
];

/// The methods of a route that names none.
const ALL: [Method; 5] = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];

/// All reactive routes.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    let mut routes = Routes::default();
    let project = inputs.project;
    for ty in project.types().filter(|ty| is_concrete(project, *ty)) {
        let base = find(project, ty, &project.ty(ty).annotations, &[BASE])
            .and_then(|found| found.string(project, &["path"]))
            .unwrap_or_default();
        for member in project.members(ty) {
            for found in find_all(project, ty, &project.member(member).annotations, &[ROUTE]) {
                // A handler of failures serves no request of its own.
                if found.names("type").iter().any(|name| name == "FAILURE") {
                    continue;
                }
                if found.args.contains_key("regex") {
                    let message = "a route by a regular expression has no path that can be known".to_owned();
                    routes.warnings.push(inputs.warn("path-not-constant", message, ty, found.span.line));
                    continue;
                }
                let own = match found.strings(project, &["path"]) {
                    Ok((said, _)) => said.into_iter().next(),
                    Err(why) => {
                        let message = format!("the path of @Route has no value that can be known: {why}");
                        routes.warnings.push(inputs.warn("path-not-constant", message, ty, found.span.line));
                        continue;
                    }
                };
                let own = own.unwrap_or_else(|| hyphenated(&project.member(member).name));
                let raw = with_variables(&paths::join(&base, &own));
                let named: Vec<Method> = found.names("methods").iter().filter_map(|name| Method::parse(name)).collect();
                let media = |name: &str| found.strings(project, &[name]).map(|(said, _)| said).unwrap_or_default();
                for method in if named.is_empty() { ALL.to_vec() } else { named.clone() } {
                    let mut endpoint = endpoint(inputs, member, (method, &raw));
                    endpoint.any_method = named.is_empty();
                    endpoint.consumes = media("consumes");
                    endpoint.produces = media("produces");
                    routes.endpoints.push(endpoint);
                }
            }
        }
    }
    routes
}

/// A path of Vert.x with its variables in braces: `/plants/:id`.
fn with_variables(path: &str) -> String {
    let segment = |one: &str| match one.strip_prefix(':') {
        Some(name) => format!("{{{name}}}"),
        None => one.to_owned(),
    };
    path.split('/').map(segment).collect::<Vec<_>>().join("/")
}

fn endpoint(inputs: &Inputs<'_>, entry: MemberId, (method, raw): (Method, &str)) -> Endpoint {
    let place = inputs.place(entry);
    let (path, variables) = paths::template(raw);
    let root = inputs.properties.get(&place.0, ROOT);
    let names: Vec<String> = variables.into_iter().map(|variable| variable.name).collect();
    Endpoint {
        raw_path: raw.to_owned(),
        context_path: root.map_or_else(String::new, |property| paths::prefix(&property.value)),
        rests_on_files: root.iter().map(|property| format!("{}#{}", property.file, property.key)).collect(),
        params: params(inputs, entry, &names),
        returns: Returns::Value,
        ..Endpoint::undeclared(
            (method, &path),
            (entry, entry.ty),
            Framework(&REACTIVE_ROUTES),
            place,
            "@Route".to_owned(),
        )
    }
}

fn params(inputs: &Inputs<'_>, entry: MemberId, path: &[String]) -> Vec<BoundParam> {
    let project = inputs.project;
    let bind = |(index, param): (usize, &mastor_java::ir::facts::Param)| {
        let constraints = of_parameter(project, &[entry], index);
        let bound = on_parameter(project, &[entry], index, &BINDINGS);
        let name = bound.as_ref().and_then(|(_, found)| found.string(project, &["value"]));
        let name = name.unwrap_or_else(|| param.name.clone());
        let location = match bound {
            Some((Location::Query, _)) if path.contains(&name) => Location::Path,
            Some((location, _)) => location,
            None => Location::Context,
        };
        BoundParam {
            required: location == Location::Path,
            name,
            location,
            ty: param.ty.clone(),
            default: None,
            index,
            validated: constraints::is_validated(&constraints),
            constraints,
        }
    };
    project.member(entry).params.iter().enumerate().map(bind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_vertx_stand_in_braces() {
        assert_eq!(with_variables("/plants/:id/beds"), "/plants/{id}/beds");
        assert_eq!(hyphenated("helloWorld"), "hello-world");
    }
}
