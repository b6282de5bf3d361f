//! Routes of controllers that a document names: by `x-swagger-router-controller`, or by a configured package with tag
//! and `operationId`.

use super::binding::bound_by_document;
use super::names::camel;
use super::record::DISPATCHED;
use super::settings::is_inflector;
use crate::code::inheritance::is_concrete;
use crate::endpoint::{Endpoint, Returns};
use crate::files::resources::folder;
use crate::paths;
use crate::record::Framework;
use crate::routing::{Inputs, Routes};
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_openapi::{Document, In, Operation, SpecVersion, read};

/// Extensions with which an operation, path or document names its controller.
const EXTENSIONS: [&str; 2] = ["x-swagger-router-controller", "x-openapi-router-controller"];

/// Configuration of swagger-inflector.
#[derive(Debug, Default)]
struct Dispatch {
    file: String,
    package: String,
    document: Option<String>,
    root_path: String,
}

/// All endpoints to which documents dispatch.
pub fn routes(inputs: &Inputs<'_>) -> Routes {
    let mut routes = Routes::default();
    let configured: Vec<Dispatch> = inputs
        .resources
        .iter()
        .filter(|(path, _)| is_inflector(path))
        .filter_map(|(path, text)| dispatch(path, text))
        .collect();
    for dispatch in &configured {
        let named = dispatch.document.as_deref().and_then(|url| find_document(inputs, dispatch, url));
        let own = named.and_then(|path| read(inputs.tree, &path).ok());
        if let Some(document) = own.as_ref() {
            document_routes(inputs, document, dispatch, &mut routes);
        }
        if let Some(document) =
            inputs.document.filter(|document| own.as_ref().is_none_or(|own| own.path != document.path))
        {
            let mut more = Routes::default();
            document_routes(inputs, document, dispatch, &mut more);
            let known: Vec<_> = routes.endpoints.iter().map(|known| (known.method, paths::key(&known.path))).collect();
            routes
                .endpoints
                .extend(more.endpoints.into_iter().filter(|new| !known.contains(&(new.method, paths::key(&new.path)))));
        }
    }
    if configured.is_empty()
        && let Some(document) = inputs.document
    {
        document_routes(inputs, document, &Dispatch::default(), &mut routes);
    }
    routes
}

fn dispatch(path: &str, text: &str) -> Option<Dispatch> {
    let value: serde_json::Value = yaml_serde::from_str(text).ok()?;
    let get = |name: &str| value.get(name).and_then(|value| value.as_str()).map(str::to_owned);
    Some(Dispatch {
        file: path.to_owned(),
        package: get("controllerPackage").unwrap_or_default(),
        document: get("swaggerUrl").or_else(|| get("openApiUrl")),
        root_path: paths::prefix(&get("rootPath").unwrap_or_default()),
    })
}

/// The document that a configuration refers to: next to it, at the root, in the usual folders, or the first file whose
/// path ends in it.
fn find_document(inputs: &Inputs<'_>, dispatch: &Dispatch, url: &str) -> Option<String> {
    let url = url.trim_start_matches("./").trim_start_matches('/');
    let beside = paths::join(folder(&dispatch.file), url);
    let beside = beside.trim_start_matches('/').to_owned();
    let places = [
        beside,
        url.to_owned(),
        format!("src/main/{url}"),
        format!("src/main/resources/{url}"),
        format!("src/main/webapp/{url}"),
    ];
    places.into_iter().find(|path| inputs.tree.get(path).is_some()).or_else(|| {
        let tail = format!("/{url}");
        let mut all = inputs.tree.files().filter(|entry| entry.path.ends_with(&tail));
        all.next().map(|entry| entry.path.clone())
    })
}

fn document_routes(inputs: &Inputs<'_>, document: &Document, dispatch: &Dispatch, routes: &mut Routes) {
    for operation in &document.operations {
        let Some(name) = operation.operation_id.as_deref() else { continue };
        let Some((controller, by)) = controller_of(inputs, operation, dispatch) else { continue };
        let mut members: Vec<MemberId> = inputs
            .project
            .members(controller)
            .filter(|member| {
                let facts = inputs.project.member(*member);
                facts.kind == MemberKind::Method && facts.name == name && facts.body.is_some()
            })
            .collect();
        if members.is_empty() {
            members = (0..12).flat_map(|arity| inputs.project.find_method(controller, name, arity)).collect();
        }
        if members.is_empty() {
            let message = format!("{} names {by}, which has no method `{name}`", operation.op_id);
            routes.warnings.push(mastor_types::Warning::new(
                "controller-method-missing",
                message,
                Some(&document.path),
            ));
        }
        // Among overloads, the one with these parameters: the request, the parameters of the document, and the body.
        let body = operation.parameters.iter().all(|param| !matches!(param.location, In::Body | In::FormData));
        let wanted = 1 + operation.parameters.len() + usize::from(body && operation.request_body.is_some());
        let fits = |member: &MemberId| inputs.project.member(*member).params.len() == wanted;
        if members.iter().any(fits) {
            members.retain(fits);
        }
        for member in members {
            routes.endpoints.push(endpoint(inputs, document, operation, dispatch, controller, member, &by));
        }
    }
}

/// The controller of an operation: by extension, else by tag and the configured package.
fn controller_of(inputs: &Inputs<'_>, operation: &Operation, dispatch: &Dispatch) -> Option<(TypeId, String)> {
    if let Some(name) = EXTENSIONS.iter().find_map(|extension| operation.extension(extension)) {
        return by_name(inputs, name, dispatch).map(|ty| (ty, format!("{name} by extension")));
    }
    if dispatch.file.is_empty() {
        return None;
    }
    let tag = operation.tags.first().map_or("Default", String::as_str);
    let base = camel(tag, true);
    [format!("{base}Controller"), base.clone(), "Default".to_owned()].iter().find_map(|name| {
        by_name(inputs, name, dispatch).map(|ty| (ty, format!("{name} by tag `{tag}` and {}", dispatch.file)))
    })
}

fn by_name(inputs: &Inputs<'_>, name: &str, dispatch: &Dispatch) -> Option<TypeId> {
    let project = inputs.project;
    let qualified = if name.contains('.') || dispatch.package.is_empty() {
        name.to_owned()
    } else {
        format!("{}.{name}", dispatch.package)
    };
    project.by_fqn(&qualified).or_else(|| {
        let simple = name.rsplit('.').next().unwrap_or(name);
        let concrete: Vec<TypeId> =
            project.by_simple(simple).iter().copied().filter(|ty| is_concrete(project, *ty)).collect();
        match concrete.as_slice() {
            [only] if !name.contains('.') => Some(*only),
            _ => None,
        }
    })
}

/// The prefix of a document's paths: Inflector uses only the last part of a server's address, but all of a base path.
fn context_path(document: &Document, dispatch: &Dispatch, base: &str) -> String {
    if dispatch.root_path.is_empty() {
        return base.to_owned();
    }
    let base = base.trim_end_matches('/');
    let own = match (document.version, base.rfind('/')) {
        (SpecVersion::V20, _) => base,
        (_, Some(at)) => &base[at..],
        (_, None) => "",
    };
    format!("{}{own}", dispatch.root_path)
}

fn endpoint(
    inputs: &Inputs<'_>,
    document: &Document,
    operation: &Operation,
    dispatch: &Dispatch,
    controller: TypeId,
    member: MemberId,
    by: &str,
) -> Endpoint {
    let (file, line) = inputs.place(member);
    let mut files = vec![document.path.clone()];
    if !dispatch.file.is_empty() {
        files.push(dispatch.file.clone());
    }
    let base = document.base_paths.first().cloned().unwrap_or_default();
    Endpoint {
        method: operation.method,
        path: operation.path.clone(),
        raw_path: operation.path.clone(),
        context_path: context_path(document, dispatch, &base),
        entry: member,
        receiver: controller,
        framework: Framework(&DISPATCHED),
        how: format!("{} dispatches to {by}, method by operationId", document.path),
        rests_on: Vec::new(),
        rests_on_files: files,
        file,
        line,
        consumes: Vec::new(),
        produces: Vec::new(),
        params: bound_by_document(inputs, operation, member),
        returns: Returns::Response,
        success_status: None,
        any_method: false,
        lambda: None,
        made_from: Some(operation.op_id.clone()),
    }
}
