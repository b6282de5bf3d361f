//! Security requirements of an operation: none, or credentials of a kind that the code names; left out if they are not
//! known.

use std::collections::BTreeMap;

use openapiv3::{SecurityRequirement, SecurityScheme};

use mastor_frameworks::spring::security::chain::Entries;
use mastor_frameworks::spring::security::{Caller, Generation, Verdict};
use mastor_java::ir::facts::Value as Arg;
use mastor_java::ir::ids::TypeId;
use mastor_java::project::index::Project;
use mastor_runtime::bench::Bench;
use mastor_runtime::server::serve::Server;
use mastor_types::suite::source_context::SourceContext;

/// The requirements, with the schemes that they name.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct SecurityRequirements {
    /// Alternatives; empty if no credentials are required, `None` if that is not known.
    pub(super) requirements: Option<Vec<SecurityRequirement>>,
    pub(super) schemes: BTreeMap<String, SecurityScheme>,
}

/// Annotations of several libraries that guard a handler or its class.
const GUARDS: &[&str] = &[
    "Authenticated",
    "DenyAll",
    "PostAuthorize",
    "PreAuthorize",
    "RequiresAuthentication",
    "RequiresPermissions",
    "RequiresRoles",
    "RolesAllowed",
    "SaCheckLogin",
    "SaCheckPermission",
    "SaCheckRole",
    "Secured",
];

/// The security requirements of an operation.
pub(super) fn asked(bench: &Bench<'_>, context: &SourceContext) -> SecurityRequirements {
    let refuses = |status: u16| context.response_schema.error_cases.iter().any(|case| case.status == status);
    let is_refused = refuses(401) || refuses(403);
    let subject = bench.subject;
    let server = Server { bench, case: None };
    let verdict = match server.chain() {
        Ok(None) => Some((false, Entries::default())),
        Ok(Some(chain)) => {
            let generation = bench.surroundings.generation.unwrap_or(Generation::Five);
            match chain.lets(subject.endpoint.method, &server.path(), generation, &Caller::Nobody) {
                Verdict::Open => Some((false, chain.entries)),
                Verdict::Refused(_) => Some((true, chain.entries)),
                Verdict::Unknown(_) => None,
            }
        }
        Err(_) => None,
    };
    let Some((is_guarded, entries)) = verdict else { return SecurityRequirements::default() };
    let is_marked = is_marked(bench);
    if !is_guarded && !is_refused && !is_marked {
        // Code that is not followed may still require credentials.
        let is_known = bench.surroundings.doubts.is_empty() && bench.surroundings.request_filters.is_empty();
        return SecurityRequirements { requirements: is_known.then(Vec::new), ..SecurityRequirements::default() };
    }
    if !is_guarded && !is_marked {
        return SecurityRequirements::default();
    }
    let (by_bearer, by_basic) = read_by_filters(bench);
    let mut asked = SecurityRequirements::default();
    let mut requirements = Vec::new();
    for (is_there, name, scheme) in
        [(entries.basic || by_basic, "basicAuth", "basic"), (entries.bearer || by_bearer, "bearerAuth", "bearer")]
    {
        if is_there {
            requirements.push(SecurityRequirement::from_iter([(name.to_owned(), Vec::new())]));
            asked.schemes.insert(name.to_owned(), http(scheme));
        }
    }
    asked.requirements = Some(requirements).filter(|all| !all.is_empty());
    asked
}

/// A scheme for the `Authorization` header.
fn http(scheme: &str) -> SecurityScheme {
    SecurityScheme::HTTP {
        scheme: scheme.to_owned(),
        bearer_format: None,
        description: None,
        extensions: Default::default(),
    }
}

/// Whether an annotation guards the handler or its class.
fn is_marked(bench: &Bench<'_>) -> bool {
    let (project, endpoint) = (bench.subject.project, bench.subject.endpoint);
    let on_class = [endpoint.receiver, endpoint.entry.ty].into_iter().chain(project.all_supers(endpoint.receiver));
    let mut all = project
        .member(endpoint.entry)
        .annotations
        .iter()
        .chain(on_class.collect::<Vec<_>>().into_iter().flat_map(|ty| &project.ty(ty).annotations));
    all.any(|annotation| GUARDS.contains(&annotation.simple()))
}

/// Whether filters of the project read a bearer token, and basic credentials.
fn read_by_filters(bench: &Bench<'_>) -> (bool, bool) {
    let project = bench.subject.project;
    let around = &bench.surroundings;
    let filters: Vec<TypeId> = around
        .filters
        .iter()
        .map(|filter| filter.ty)
        .chain(around.request_filters.iter().map(|filter| filter.ty))
        .chain(around.interceptors.iter().copied())
        .collect();
    let says = |word: &str| filters.iter().any(|ty| says(project, *ty, word));
    (says("Bearer"), says("Basic"))
}

/// Whether a class contains a string that starts with a word.
fn says(project: &Project, ty: TypeId, word: &str) -> bool {
    let begins = |text: &str| text.trim_start_matches('^').starts_with(word);
    project.ty(ty).members.iter().any(|member| {
        let is_constant = matches!(&member.value, Some(Arg::Str(text)) if begins(text));
        is_constant || member.literals.iter().any(|text| begins(text))
    })
}
