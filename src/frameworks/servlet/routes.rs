//! Routes of plain servlets: `@WebServlet` and `web.xml`, one endpoint for each `doGet`, `doPost` and so on.

use super::record::SERVLETS;
use crate::code::annotations::find;
use crate::code::inheritance::{Implemented, is_concrete, methods};
use crate::endpoint::{Endpoint, Returns};
use crate::files::xml;
use crate::paths;
use crate::record::Framework;
use crate::routing::{Inputs, Routes};
use mastor_java::ir::ids::TypeId;
use mastor_types::Method;

/// `@WebServlet` in both packages.
const WEB_SERVLET: [&str; 2] = ["javax.servlet.annotation.WebServlet", "jakarta.servlet.annotation.WebServlet"];

/// All endpoints of servlets of the project.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    let project = inputs.project;
    let mut routes = Routes::default();
    for ty in project.types() {
        let annotations = &project.ty(ty).annotations;
        if !is_concrete(project, ty) || !annotations.iter().any(|annotation| annotation.simple() == "WebServlet") {
            continue;
        }
        let Some(found) = find(project, ty, annotations, &WEB_SERVLET) else { continue };
        if let Ok((patterns, _)) = found.strings(project, &["urlPatterns", "value"]) {
            servlet(inputs, ty, &patterns, "@WebServlet", None, &mut routes);
        }
    }
    for (path, text) in inputs.resources.ending("web.xml") {
        let Some(root) = xml::parse(text) else { continue };
        for declared in root.all("servlet") {
            let Some(ty) = declared.child_text("servlet-class").and_then(|class| project.by_fqn(class)) else {
                continue;
            };
            let name = declared.child_text("servlet-name");
            let mappings = root.all("servlet-mapping").filter(|mapping| mapping.child_text("servlet-name") == name);
            let patterns: Vec<String> = mappings
                .flat_map(|mapping| mapping.all("url-pattern").map(|pattern| pattern.text.clone()).collect::<Vec<_>>())
                .collect();
            servlet(inputs, ty, &patterns, "servlet mapping in web.xml", Some(path), &mut routes);
        }
    }
    routes
}

fn servlet(inputs: &Inputs<'_>, ty: TypeId, patterns: &[String], how: &str, by: Option<&str>, routes: &mut Routes) {
    for method in methods(inputs.project, ty) {
        let name = inputs.project.member(method.entry).name.as_str();
        let verb = name.strip_prefix("do").and_then(Method::parse);
        for pattern in patterns {
            if let Some(verb) = verb {
                routes.endpoints.push(endpoint(inputs, ty, &method, verb, pattern, how, by));
            }
        }
    }
}

fn endpoint(
    inputs: &Inputs<'_>,
    ty: TypeId,
    method: &Implemented,
    verb: Method,
    pattern: &str,
    how: &str,
    by: Option<&str>,
) -> Endpoint {
    let (file, line) = inputs.place(method.entry);
    let raw = match pattern.strip_suffix("/*") {
        Some(prefix) => paths::join(prefix, "{path}"),
        None => paths::join("", pattern),
    };
    let (context_path, mut files) = crate::spring::prefix::context_path(inputs, &file);
    files.extend(by.map(str::to_owned));
    Endpoint {
        method: verb,
        path: raw.clone(),
        raw_path: raw,
        context_path,
        entry: method.entry,
        receiver: ty,
        framework: Framework(&SERVLETS),
        how: how.to_owned(),
        rests_on: Vec::new(),
        rests_on_files: files,
        file,
        line,
        consumes: Vec::new(),
        produces: Vec::new(),
        params: Vec::new(),
        returns: Returns::Written,
        success_status: None,
        any_method: false,
        lambda: None,
        made_from: None,
    }
}
