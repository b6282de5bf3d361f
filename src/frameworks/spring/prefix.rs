//! Path prefixes of controllers: context path, servlet path, and prefixes that configuration code adds.

use crate::code::annotations::has;
use crate::code::expressions::{called, string_of};
use crate::code::inheritance::lineage;
use crate::paths;
use crate::routing::Inputs;
use mastor_java::ir::body::ExprKind;
use mastor_java::ir::ids::TypeId;

/// Keys of the context path and of the servlet path, in the order in which they are joined; in each group the first key
/// with a value counts.
const KEYS: [&[&str]; 2] = [
    &[
        "server.servlet.context-path",
        "server.context-path",
        "spring.webflux.base-path",
        "micronaut.server.context-path",
    ],
    &["spring.mvc.servlet.path", "server.servlet.path", "server.servlet-path"],
];

/// The configured prefix of every path of the code in `near`, with the properties that set it.
pub fn context_path(inputs: &Inputs<'_>, near: &str) -> (String, Vec<String>) {
    let mut path = String::new();
    let mut used = Vec::new();
    for keys in KEYS {
        let Some(property) = keys.iter().find_map(|key| inputs.properties.get(near, key)) else { continue };
        let value =
            inputs.properties.expand(near, &property.value).map_or_else(|_| property.value.clone(), |(value, _)| value);
        used.push(format!("{}#{}", property.file, property.key));
        let prefix = paths::prefix(&value);
        if !prefix.is_empty() {
            path = paths::join(&path, &prefix);
        }
    }
    (path, used)
}

/// Prefixes that `PathMatchConfigurer.addPathPrefix` adds, with the types to which they apply.
#[derive(Debug, Default)]
pub struct Prefixes {
    found: Vec<(String, PrefixScope)>,
}

#[derive(Debug)]
enum PrefixScope {
    All,
    Annotated(String, TypeId),
    Package(String),
}

impl Prefixes {
    /// Reads the bodies of `configurePathMatch` methods.
    pub fn read(inputs: &Inputs<'_>) -> Self {
        let mut found = Vec::new();
        for member in inputs
            .project
            .methods_named("configurePathMatch", 1)
            .into_iter()
            .chain(inputs.project.methods_named("configurePathMatching", 1))
        {
            let Some(body) = inputs.project.body(member) else { continue };
            for expr in &body.exprs {
                let ExprKind::Call { name, args, .. } = &expr.kind else { continue };
                let (true, [prefix, predicate]) = (name == "addPathPrefix", args.as_slice()) else { continue };
                let Some((prefix, _)) = string_of(inputs.project, member.ty, &body, *prefix) else { continue };
                let holds = match called(&body, *predicate).as_deref() {
                    Some("forAnnotation") => annotation_of(&body, *predicate)
                        .map_or(PrefixScope::All, |name| PrefixScope::Annotated(name, member.ty)),
                    Some("forBasePackage") => {
                        let ExprKind::Call { args, .. } = &body.expr(*predicate).kind else { continue };
                        let package = args.first().and_then(|arg| string_of(inputs.project, member.ty, &body, *arg));
                        package.map_or(PrefixScope::All, |(package, _)| PrefixScope::Package(package))
                    }
                    _ => annotation_of(&body, *predicate)
                        .map_or(PrefixScope::All, |name| PrefixScope::Annotated(name, member.ty)),
                };
                let prefix = inputs
                    .properties
                    .expand(inputs.project.path_of(member.ty), &prefix)
                    .map_or(prefix, |(prefix, _)| prefix);
                found.push((prefix, holds));
            }
        }
        Self { found }
    }

    /// The path with the prefix of its controller.
    pub fn apply(&self, inputs: &Inputs<'_>, ty: TypeId, path: &str) -> String {
        let project = inputs.project;
        let holds = |holds: &PrefixScope| match holds {
            PrefixScope::All => true,
            PrefixScope::Package(package) => project.fqn(ty).starts_with(&format!("{package}.")),
            PrefixScope::Annotated(name, scope) => {
                let fqn = match project.resolve(*scope, name) {
                    mastor_java::ir::named::Named::Library(fqn) | mastor_java::ir::named::Named::Unknown(fqn) => fqn,
                    mastor_java::ir::named::Named::Project(id) => {
                        return lineage(project, ty).into_iter().any(|above| {
                            project.ty(above).annotations.iter().any(|annotation| {
                                project.resolve(above, &annotation.name) == mastor_java::ir::named::Named::Project(id)
                            })
                        });
                    }
                    _ => return false,
                };
                lineage(project, ty)
                    .into_iter()
                    .any(|above| has(project, above, &project.ty(above).annotations, &[fqn.as_str()]))
            }
        };
        match self.found.iter().find(|(_, scope)| holds(scope)) {
            Some((prefix, _)) => paths::join(prefix, path),
            None => path.to_owned(),
        }
    }
}

/// The name of the first class literal in an expression.
fn annotation_of(body: &mastor_java::ir::body::Body, at: mastor_java::ir::body::ExprId) -> Option<String> {
    crate::code::expressions::below(body, at).into_iter().find_map(|id| match &body.expr(id).kind {
        ExprKind::ClassLit(ty) => Some(ty.name.to_string()),
        _ => None,
    })
}
