//! The surroundings of a handler: the middleware that applies to one operation and may change its answer, each by
//! name.
//!
//! Middleware that is not interpreted makes every expectation of the operations that it may affect uncertain. This
//! file records the reasons.

use std::collections::{BTreeMap, BTreeSet};

use super::applies::{counts, is_reactive, may_run, runs_with};
use super::around::ServletFilter;
use super::aspects::{an_aspect, only_looks_on};
use super::guarded::guards;
use crate::request::dispatched::Dispatched;
use crate::subject::Subject;
use mastor_frameworks::Location;
use mastor_frameworks::jax_rs::filters::RequestFilter;
use mastor_frameworks::paths;
use mastor_frameworks::record::{RequestFilters, Serving};
use mastor_frameworks::spring::binding;
use mastor_frameworks::spring::reads::is_followed;
use mastor_frameworks::spring::security::Generation;
use mastor_java::interpret::Codes;
use mastor_java::ir::ids::TypeId;
use mastor_openapi::Document;
use mastor_types::Method;

/// The middleware and doubts of one operation.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// Reasons why no status of the operation is certain.
    pub doubts: Vec<String>,
    /// Whether the simulation knows how the framework calls the handler.
    pub is_served: bool,
    /// Reasons why the form of JSON bodies is not certain.
    pub serialisation: Vec<String>,
    /// The classes with a mix-in, if a mapper of the project writes bodies that differs from a plain one only in
    /// mix-ins.
    pub mixed: Option<BTreeSet<TypeId>>,
    /// Reasons why no status of an error page is certain.
    pub errors: Vec<String>,
    /// Servlet filters that run before the handler.
    pub filters: Vec<ServletFilter>,
    /// JAX-RS request filters that may run before the handler, in their order.
    pub request_filters: Vec<RequestFilter>,
    /// Reasons why nothing is certain once parameters are bound.
    pub bound: Vec<String>,
    /// Interceptors that run before the handler.
    pub interceptors: Vec<TypeId>,
    /// Whether WebFlux serves the operation.
    pub is_reactive: bool,
    /// The dispatch settings, if the document dispatches the operation.
    pub dispatched: Option<Dispatched>,
    /// The release of Spring Security, if the build files state it.
    pub generation: Option<Generation>,
}

/// Settings of Jackson that change neither names nor compared values.
const PLAIN: &[&str] = &[
    "serialization.indentoutput",
    // Checked where dates are written.
    "serialization.writedatesastimestamps",
    "serialization.writedurationsastimestamps",
    "serialization.failonemptybeans",
    "deserialization.failonunknownproperties",
    "timezone",
    "dateformat",
    "locale",
    "jodadatetimeformat",
    // Quarkus's own names (Quarkus guides, "All configuration options", Jackson).
    "failonunknownproperties",
    "failonemptybeans",
    "writedatesastimestamps",
    "writedurationsastimestamps",
];

/// Prefixes of the settings of Jackson.
const JACKSON: [&str; 2] = ["spring.jackson.", "quarkus.jackson."];

/// Prefix of the settings that decide which input values Jackson accepts; they change no names and forms.
const OF_READING: &str = "spring.jackson.deserialization.";

impl Surroundings {
    /// Whether JSON has its default names and forms.
    pub fn has_plain_forms(&self) -> bool {
        self.serialisation.iter().all(|why| why.starts_with(OF_READING))
    }
}

/// The reason why an undocumented operation does not belong to the documented service: no application runs both.
fn elsewhere(subject: &Subject<'_>) -> Option<String> {
    let document = subject.document.filter(|document| document.operation(subject.op_id.as_str()).is_none())?;
    let base = document.base_paths.first().map(String::as_str).unwrap_or_default();
    if !base.is_empty() && subject.endpoint.context_path != base {
        return Some("below which path of the document's it stands is not known".to_owned());
    }
    is_of_another_application(subject, document)
        .then(|| "it belongs to another application than the document's".to_owned())
}

/// Whether the document describes another application than the one that serves the operation.
pub fn is_of_another_application(subject: &Subject<'_>, document: &Document) -> bool {
    let module = |file: &str| subject.build.module_of(file).map(|module| module.dir.as_str());
    let own = module(&subject.endpoint.file);
    // One file represents each module.
    let mut others: BTreeMap<Option<&str>, &str> = BTreeMap::new();
    for endpoint in subject.endpoints {
        others.entry(module(&endpoint.file)).or_insert(&endpoint.file);
    }
    others.remove(&own);
    if others.is_empty() {
        return false;
    }
    let described: BTreeSet<(Method, String)> =
        document.operations.iter().map(|operation| (operation.method, paths::key(&operation.path))).collect();
    let served = |by: &str| {
        let endpoints = subject.endpoints.iter().filter(|endpoint| runs_with(subject, by, &endpoint.file));
        let keys = endpoints.map(|endpoint| (endpoint.method, paths::key(&endpoint.path)));
        keys.filter(|key| described.contains(key)).collect::<BTreeSet<_>>().len()
    };
    // The document describes the application that serves most of its operations.
    let here = served(&subject.endpoint.file);
    let apart = others.values().filter(|other| !runs_with(subject, &subject.endpoint.file, other));
    apart.into_iter().any(|other| served(other) > here)
}

/// Whether Gson reads and writes JSON bodies. Spring prefers Jackson if present, unless a property says otherwise.
fn writes_by_gson(subject: &Subject<'_>) -> bool {
    let (near, build) = (&subject.endpoint.file, subject.build);
    let keys = ["spring.http.converters.preferred-json-mapper", "spring.mvc.converters.preferred-json-mapper"];
    let preferred = keys.iter().find_map(|key| subject.properties.get(near, key));
    let is_there = |name: &str| build.uses_near(near, name);
    let bringing = ["jackson", "starter-web", "starter-json", "starter-jersey", "starter-data-rest", "starter-hateoas"];
    let jackson = bringing.iter().any(|name| is_there(name));
    match preferred {
        Some(property) => property.value.trim() == "gson",
        None => is_there("gson") && !jackson,
    }
}

/// Collects the surroundings of an operation.
pub fn surroundings(subject: &Subject<'_>, codes: &Codes<'_>) -> Surroundings {
    let mut found = Surroundings { is_served: true, ..Surroundings::default() };
    let endpoint = subject.endpoint;
    found.is_reactive = is_reactive(subject);
    if found.is_reactive && subject.build.uses_near(&endpoint.file, "security") {
        found.doubts.push("how Spring Security guards reactive services is not modelled".to_owned());
    }
    match endpoint.framework.serving {
        Serving::Method | Serving::Exchange => {}
        Serving::RouterFunction if is_followed(endpoint) => {}
        Serving::Document => match Dispatched::of(subject) {
            Ok(dispatched) => found.dispatched = Some(dispatched),
            Err(why) => {
                found.is_served = false;
                found.doubts.push(why);
            }
        },
        Serving::RouterFunction | Serving::NotModelled => {
            found.is_served = false;
            found.doubts.push(format!("how {} answers is not modelled", endpoint.framework));
        }
    }
    let around = &subject.shared.around;
    let own = |all: &[(TypeId, String)]| -> Vec<String> {
        all.iter().filter(|(ty, _)| counts(subject, *ty)).map(|(_, why)| why.clone()).collect()
    };
    let types = |all: &[TypeId]| -> Vec<TypeId> { all.iter().copied().filter(|ty| counts(subject, *ty)).collect() };
    let middleware = &endpoint.framework.middleware;
    found.doubts.extend(own(&around.doubts));
    // Resolvers of the project run after the framework's resolvers of its own annotations and types.
    if middleware.resolvers && !is_followed(endpoint) && !endpoint.params.iter().all(binding::is_settled) {
        found.doubts.extend(own(&around.resolvers));
    }
    for aspect in around.aspects.iter().filter(|ty| counts(subject, **ty)) {
        if !only_looks_on(subject, codes, *aspect) {
            found.doubts.push(an_aspect(subject.project, *aspect));
        }
    }
    found.serialisation = own(&around.serialisation);
    let mixed = || around.mixed.iter().filter(|(owner, _)| counts(subject, *owner));
    if mixed().next().is_some() {
        found.mixed = Some(mixed().flat_map(|(_, targets)| targets.iter().copied()).collect());
    }
    if middleware.chooses_json && writes_by_gson(subject) {
        found.serialisation.extend(own(&around.gson));
        found.serialisation.push("Gson writes JSON".to_owned());
    }
    found.errors = own(&around.errors);
    // WebFlux does not run servlet filters and interceptors.
    if !found.is_reactive {
        found.filters = around.filters.iter().filter(|filter| counts(subject, filter.ty)).cloned().collect();
    }
    let filters = around.request_filters.iter().filter(|filter| counts(subject, filter.ty));
    match middleware.request_filters {
        RequestFilters::Run => found.request_filters = filters.cloned().collect(),
        RequestFilters::Apart => {}
        RequestFilters::Unknown => {
            found.doubts.extend(filters.map(|one| format!("a request filter: {}", subject.project.ty(one.ty).name)));
        }
    }
    if middleware.interceptors && !found.is_reactive {
        found.interceptors = types(&around.interceptors);
    }
    for conversion in around.conversions.iter().filter(|conversion| counts(subject, conversion.owner)) {
        let touched = conversion.of_text
            && endpoint.params.iter().any(|param| {
                let text =
                    matches!(param.location, Location::Path | Location::Query | Location::Header | Location::Cookie);
                text && conversion.to.as_deref().is_none_or(|to| to == param.ty.simple())
            });
        if touched {
            found.bound.push(format!("a converter: {}", subject.project.ty(conversion.owner).name));
        }
    }
    found.bound.extend(crate::request::injected::injected(subject));
    found.doubts.extend(guards(subject));
    if let Some(why) = elsewhere(subject) {
        found.doubts.push(why);
    }
    found.generation = Generation::of(subject.build, &endpoint.file);
    let odd: Vec<_> = subject
        .properties
        .all
        .iter()
        .filter_map(|p| Some((p, JACKSON.iter().find_map(|start| p.key.strip_prefix(start))?)))
        .filter(|(p, rest)| {
            let name = mastor_frameworks::files::properties::relaxed(rest);
            !PLAIN.contains(&name.as_str()) && may_run(subject, &p.file)
        })
        .map(|(p, _)| p)
        .collect();
    // A setting that changes names and forms is the more important reason than one that changes which values are
    // accepted.
    if let Some(property) = odd.iter().find(|p| !p.key.starts_with(OF_READING)).or(odd.first()) {
        found.serialisation.push(format!("{} configures JSON", property.key));
    }
    for list in [&mut found.doubts, &mut found.bound, &mut found.serialisation, &mut found.errors] {
        list.sort();
        list.dedup();
    }
    found
}
