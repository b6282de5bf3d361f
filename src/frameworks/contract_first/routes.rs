//! Routes of contract-first services: implementations of interfaces that the build generates from a document.

use super::names::expected;
use crate::code::annotations;
use crate::code::inheritance::{is_concrete, methods};
use crate::endpoint::{Endpoint, Returns};
use crate::files::build::Generator;
use crate::openapi_driven::binding::bound_by_document;
use crate::record::Framework;
use crate::routing::{Inputs, Routes};
use crate::spring::prefix::{Prefixes, context_path};
use crate::spring::records::GENERATED_INTERFACES;
use crate::{jax_rs, paths, spring};
use mastor_java::ir::ids::TypeId;
use mastor_java::ir::named::Named;
use mastor_openapi::{Document, Operation, read};
use mastor_types::Warning;

/// All endpoints whose handlers implement generated interfaces.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    let mut routes = Routes::default();
    let prefixes = Prefixes::read(inputs);
    for generator in inputs.build.generators().filter(|generator| is_server(generator)) {
        let own = match inputs.document {
            Some(document) if document.path == generator.document => None,
            _ => match read(inputs.tree, &generator.document) {
                Ok(document) => Some(document),
                Err(error) => {
                    let message =
                        format!("the document that {} generates from cannot be read: {error}", generator.build_file);
                    routes.warnings.push(Warning::new("contract-unreadable", message, Some(&generator.build_file)));
                    continue;
                }
            },
        };
        let Some(document) = own.as_ref().or(inputs.document) else { continue };
        document_routes(inputs, generator, document, &prefixes, &mut routes);
    }
    routes
}

/// Whether a generator makes server interfaces in Java.
fn is_server(generator: &Generator) -> bool {
    let name = generator.generator.as_str();
    generator.options.get("generateApis").is_none_or(|value| value != "false")
        && (name.is_empty()
            || name.contains("spring")
            || name.contains("jaxrs")
            || matches!(name, "java-camel" | "java-micronaut-server" | "java-helidon-server"))
}

/// A type that implements a generated interface.
struct Implementation {
    ty: TypeId,
    interface: String,
    /// Whether the type is a delegate of a generated controller.
    delegate: bool,
}

fn implementations(inputs: &Inputs<'_>, generator: &Generator) -> Vec<Implementation> {
    let project = inputs.project;
    let mut found = Vec::new();
    for ty in project.types().filter(|ty| is_concrete(project, *ty)) {
        let mut above = vec![ty];
        above.extend(project.all_supers(ty));
        for scope in above {
            for parent in project.supers(scope) {
                let name = match &parent.named {
                    Named::Library(name) | Named::Unknown(name) => name.as_str(),
                    Named::Project(made) if project.origin(*made).is_some() => project.fqn(*made),
                    _ => continue,
                };
                let simple = name.rsplit('.').next().unwrap_or(name);
                let package = name.rsplit_once('.').map_or("", |(package, _)| package);
                let fits_package =
                    package.is_empty() || generator.api_package.is_empty() || package == generator.api_package;
                let base = simple.strip_suffix("Delegate");
                let is_api = base.unwrap_or(simple).ends_with(&generator.api_suffix);
                if fits_package && is_api {
                    found.push(Implementation {
                        ty,
                        interface: base.unwrap_or(simple).to_owned(),
                        delegate: base.is_some(),
                    });
                }
            }
        }
    }
    found
}

fn document_routes(
    inputs: &Inputs<'_>,
    generator: &Generator,
    document: &Document,
    prefixes: &Prefixes,
    routes: &mut Routes,
) {
    let implementations = implementations(inputs, generator);
    for operation in &document.operations {
        let (interfaces, name) = expected(generator, operation);
        let by_interface: Vec<&Implementation> =
            implementations.iter().filter(|one| interfaces.contains(&one.interface)).collect();
        let mut found = serving(inputs, &by_interface, &name);
        if found.is_empty() {
            let all: Vec<&Implementation> = implementations.iter().collect();
            found = serving(inputs, &all, &name);
            if found.len() > 1 {
                found.clear();
            }
        }
        for (one, entry) in found {
            routes.endpoints.push(endpoint(inputs, generator, document, operation, prefixes, one, entry));
        }
    }
}

fn serving<'x>(
    inputs: &Inputs<'_>,
    among: &[&'x Implementation],
    name: &str,
) -> Vec<(&'x Implementation, mastor_java::ir::ids::MemberId)> {
    let mut found = Vec::new();
    for one in among {
        for method in methods(inputs.project, one.ty) {
            if inputs.project.member(method.entry).name == name {
                found.push((*one, method.entry));
            }
        }
    }
    found
}

fn endpoint(
    inputs: &Inputs<'_>,
    generator: &Generator,
    document: &Document,
    operation: &Operation,
    prefixes: &Prefixes,
    one: &Implementation,
    entry: mastor_java::ir::ids::MemberId,
) -> Endpoint {
    let project = inputs.project;
    let near = project.path_of(entry.ty);
    let (file, line) = inputs.place(entry);
    let is_jax_rs = generator.generator.contains("jaxrs");
    let class = if is_jax_rs { &jax_rs::names::PATH[..] } else { &[spring::names::REQUEST_MAPPING][..] };
    let prefix = annotations::find(project, one.ty, &project.ty(one.ty).annotations, class);
    let mut rests_on = Vec::new();
    let prefix = match prefix.map(|found| found.strings(project, &["path", "value"])) {
        Some(Ok((strings, used))) => {
            rests_on.extend(used);
            let first = strings.into_iter().next().unwrap_or_default();
            inputs.properties.expand(near, &first).map_or(first, |(path, _)| path)
        }
        _ => String::new(),
    };
    let raw = prefixes.apply(inputs, one.ty, &paths::join(&prefix, &operation.path));
    let (path, _) = paths::template(&raw);
    let (context, mut files) = context_path(inputs, near);
    files.extend([document.path.clone(), generator.build_file.clone()]);
    Endpoint {
        method: operation.method,
        path,
        raw_path: raw,
        context_path: context,
        entry,
        receiver: one.ty,
        framework: Framework(&GENERATED_INTERFACES),
        how: format!(
            "{}{} generated from {} by {} (operationId names the method)",
            one.interface,
            if one.delegate { "Delegate" } else { "" },
            document.path,
            generator.build_file
        ),
        rests_on,
        rests_on_files: files,
        file,
        line,
        consumes: Vec::new(),
        produces: Vec::new(),
        params: bound_by_document(inputs, operation, entry),
        returns: match project.member(entry).ty.as_ref().map(|ty| ty.simple().to_owned()).as_deref() {
            Some("void") => Returns::Nothing,
            Some("ResponseEntity" | "Response" | "Mono" | "Flux") => Returns::Response,
            _ => Returns::Value,
        },
        success_status: None,
        any_method: false,
        lambda: None,
        made_from: Some(operation.op_id.clone()),
    }
}
