//! Path prefixes of resources: `@ApplicationPath`, servlet mappings in `web.xml` and in code, and the runtime's
//! properties.

use super::names::APPLICATION_PATH;
use crate::code::annotations::find;
use crate::code::expressions::{below, string_of};
use crate::files::properties::{module_of, shared};
use crate::files::resources::is_aside;
use crate::files::xml;
use crate::paths;
use crate::routing::Inputs;
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::ids::TypeId;

/// Keys that set the path of the whole application, then of its resources.
const KEYS: [&[&str]; 2] = [
    &["server.servlet.context-path", "server.context-path", "quarkus.http.root-path", "micronaut.server.context-path"],
    &[
        "spring.jersey.application-path",
        "cxf.path",
        "quarkus.rest.path",
        "quarkus.resteasy-reactive.path",
        "quarkus.resteasy.path",
        "resteasy.jaxrs.defaultPath",
    ],
];

/// Servlet classes that run JAX-RS.
const SERVLETS: [&str; 7] = [
    "org.glassfish.jersey.servlet.ServletContainer",
    "com.sun.jersey.spi.container.servlet.ServletContainer",
    "com.sun.jersey.spi.spring.container.servlet.SpringServlet",
    "org.jboss.resteasy.plugins.server.servlet.HttpServletDispatcher",
    "org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher",
    "org.apache.cxf.transport.servlet.CXFServlet",
    "org.apache.cxf.jaxrs.servlet.CXFNonSpringJaxrsServlet",
];

/// One declaration of a prefix.
struct Application {
    prefix: String,
    /// File of the declaration.
    file: String,
    /// The types that it applies to; empty for all.
    names: Vec<TypeId>,
}

/// All declarations of prefixes.
#[derive(Default)]
pub struct Applications {
    found: Vec<Application>,
    servlets: Vec<Application>,
}

impl Applications {
    /// Reads applications, `web.xml` and servlet registrations.
    pub fn read(inputs: &Inputs<'_>) -> Self {
        let mut all = Self::default();
        for ty in inputs.project.types() {
            let facts = inputs.project.ty(ty);
            if facts.annotations.iter().any(|annotation| annotation.simple() == "ApplicationPath")
                && let Some(found) = find(inputs.project, ty, &facts.annotations, &APPLICATION_PATH)
            {
                let path = found.string(inputs.project, &["value"]).unwrap_or_default();
                let file = inputs.project.path_of(ty).to_owned();
                all.found.push(Application { prefix: paths::prefix(&path), file, names: named_by(inputs, ty) });
            }
        }
        for (path, text) in inputs.resources.ending("web.xml") {
            if !is_aside(path) {
                all.servlets.extend(web_xml(inputs, path, text));
            }
        }
        all.servlets.extend(registered(inputs));
        all
    }

    /// The `@ApplicationPath` prefix of a resource. It is part of the route, since it is code.
    pub fn prefix(&self, inputs: &Inputs<'_>, ty: TypeId) -> (String, Option<String>) {
        match self.nearest(&self.found, ty, inputs.project.path_of(ty)) {
            Some(application) => (application.prefix.clone(), Some(application.file.clone())),
            None => (String::new(), None),
        }
    }

    /// The prefix that configuration sets for a resource, with the files and properties that set it.
    pub fn context_path(&self, inputs: &Inputs<'_>, ty: TypeId) -> (String, Vec<String>) {
        let near = inputs.project.path_of(ty);
        let mut used = Vec::new();
        let mut path = String::new();
        let mut add = |prefix: &str, by: String, path: &mut String| {
            if !prefix.is_empty() {
                *path = paths::join(path, prefix);
            }
            used.push(by);
        };
        let by_key = |keys: &[&str]| keys.iter().find_map(|key| inputs.properties.get(near, key));
        if let Some(property) = by_key(KEYS[0]) {
            add(&paths::prefix(&property.value), format!("{}#{}", property.file, property.key), &mut path);
        }
        let application = self.nearest(&self.found, ty, near);
        let servlet = self.nearest(&self.servlets, ty, near);
        match (application, by_key(KEYS[1]), servlet) {
            (Some(_), ..) => {}
            (None, Some(property), _) => {
                add(&paths::prefix(&property.value), format!("{}#{}", property.file, property.key), &mut path)
            }
            (None, None, Some(servlet)) => add(&servlet.prefix, servlet.file.clone(), &mut path),
            (None, None, None) => {}
        }
        (path, used)
    }

    /// The declaration that names the type, else the nearest of those that name none.
    fn nearest<'a>(&self, all: &'a [Application], ty: TypeId, near: &str) -> Option<&'a Application> {
        let naming = all.iter().find(|one| one.names.contains(&ty));
        naming.or_else(|| {
            let open = all.iter().filter(|one| one.names.is_empty() || all.len() == 1);
            open.max_by_key(|one| {
                (shared(module_of(&one.file), near), shared(&one.file, near), std::cmp::Reverse(one.file.clone()))
            })
        })
    }
}

/// Types that an application's members name as class literals.
fn named_by(inputs: &Inputs<'_>, ty: TypeId) -> Vec<TypeId> {
    let project = inputs.project;
    let mut found = Vec::new();
    for member in project.members(ty) {
        let Some(body) = project.body(member) else { continue };
        for expr in &body.exprs {
            let named = match &expr.kind {
                ExprKind::ClassLit(named) => named,
                ExprKind::New { ty: named, .. } => named,
                _ => continue,
            };
            if let mastor_java::ir::named::Named::Project(id) = project.resolve(ty, &named.name) {
                found.push(id);
            }
        }
    }
    let is_resource = |id: &TypeId| find(project, *id, &project.ty(*id).annotations, &super::names::PATH).is_some();
    if found.iter().any(is_resource) { found } else { Vec::new() }
}

fn web_xml(inputs: &Inputs<'_>, path: &str, text: &str) -> Vec<Application> {
    let Some(root) = xml::parse(text) else { return Vec::new() };
    let mut found = Vec::new();
    for servlet in root.all("servlet") {
        let class = servlet.child_text("servlet-class").unwrap_or_default();
        let name = servlet.child_text("servlet-name").unwrap_or_default();
        let is_application = inputs.project.by_fqn(name).is_some() && class.is_empty();
        if !SERVLETS.contains(&class) && !is_application && !name.ends_with("ws.rs.core.Application") {
            continue;
        }
        let mapping = root.all("servlet-mapping").find(|mapping| mapping.child_text("servlet-name") == Some(name));
        if let Some(pattern) = mapping.and_then(|mapping| mapping.child_text("url-pattern")) {
            found.push(Application { prefix: paths::prefix(pattern), file: path.to_owned(), names: Vec::new() });
        }
    }
    found
}

/// Servlet registrations in code, with the servlet in the call or in a local of the same body: `addServlet(new
/// ServletHolder(new ServletContainer(…)), "/api/*")`, `new ServletRegistrationBean(new ServletContainer(…), "/api/*")`
/// and the like.
fn registered(inputs: &Inputs<'_>) -> Vec<Application> {
    const RUNTIMES: [&str; 3] = ["ServletContainer", "HttpServletDispatcher", "CXFServlet"];
    let project = inputs.project;
    let mut found = Vec::new();
    for file in project.files() {
        let facts = &project.file(file).facts;
        let imported = facts.imports.iter().any(|import| SERVLETS.contains(&import.path.as_str()));
        if !imported {
            continue;
        }
        for ty in project.types().filter(|ty| project.file_of(*ty) == file) {
            for member in project.members(ty) {
                let Some(body) = project.body(member) else { continue };
                let is_runtime =
                    |id| matches!(&body.expr(id).kind, ExprKind::New { ty, .. } if RUNTIMES.contains(&ty.simple()));
                if !body
                    .exprs
                    .iter()
                    .any(|expr| matches!(&expr.kind, ExprKind::New { ty, .. } if RUNTIMES.contains(&ty.simple())))
                {
                    continue;
                }
                for expr in &body.exprs {
                    let args = match &expr.kind {
                        ExprKind::Call { name, args, .. }
                            if matches!(name.as_str(), "addServlet" | "addMapping" | "addUrlMappings") =>
                        {
                            args
                        }
                        ExprKind::New { ty, args, .. } if ty.simple() == "ServletRegistrationBean" => args,
                        _ => continue,
                    };
                    let pattern = args.iter().find_map(|arg| string_of(project, ty, &body, *arg));
                    let direct = args.iter().any(|arg| {
                        let through = match &body.expr(*arg).kind {
                            ExprKind::Name(name) => crate::code::expressions::local(&body, name),
                            _ => Some(*arg),
                        };
                        through.is_some_and(|id| below(&body, id).into_iter().any(is_runtime))
                    });
                    let mapping = matches!(&expr.kind, ExprKind::Call { name, .. } if name != "addServlet");
                    if let (Some((pattern, _)), true) = (pattern, direct || mapping) {
                        found.push(Application {
                            prefix: paths::prefix(&pattern),
                            file: project.path_of(ty).to_owned(),
                            names: Vec::new(),
                        });
                    }
                }
            }
        }
    }
    found
}
