//! What the operations of one revision share: what runs around requests, and which types factory methods make; read once.

use std::collections::BTreeSet;

use crate::frameworks::Endpoint;
use crate::frameworks::persistence::initial::Files;
use crate::frameworks::persistence::stores;
use crate::frameworks::seeds::Seeds;
use crate::java::facts::{MemberKind, TypeKind};
use crate::java::ids::MemberId;
use crate::java::interpret::objects::has;
use crate::java::interpret::stores::data::Stores;
use crate::java::project::Project;
use crate::java::resolver::Resolver;
use crate::types::OpId;

/// Library types whose project subtypes run around requests, with what they are.
const AROUND: &[(&str, &str)] = &[
    ("Filter", "a servlet filter"),
    ("OncePerRequestFilter", "a servlet filter"),
    ("GenericFilterBean", "a servlet filter"),
    ("WebFilter", "a web filter"),
    ("HandlerInterceptor", "an interceptor"),
    ("HandlerInterceptorAdapter", "an interceptor"),
    ("WebRequestInterceptor", "an interceptor"),
    ("HandlerExceptionResolver", "an exception resolver"),
    ("AbstractHandlerExceptionResolver", "an exception resolver"),
    ("ErrorController", "an error controller"),
    ("AbstractErrorController", "an error controller"),
    ("BasicErrorController", "an error controller"),
    ("ResponseBodyAdvice", "an advice on bodies"),
    ("RequestBodyAdvice", "an advice on bodies"),
    ("ContainerRequestFilter", "a request filter"),
    ("ContainerResponseFilter", "a response filter"),
    ("WriterInterceptor", "an interceptor of bodies"),
    ("ReaderInterceptor", "an interceptor of bodies"),
    ("ParamConverterProvider", "a parameter converter"),
    ("Converter", "a converter"),
    ("Formatter", "a formatter"),
    ("HandlerMethodArgumentResolver", "an argument resolver"),
    ("MethodInterceptor", "a method interceptor"),
    ("WebSecurityConfigurerAdapter", "a security configuration"),
];

/// What runs around requests, whatever the operation.
#[derive(Debug, Clone, Default)]
pub struct Around {
    /// Why no status is certain.
    pub doubts: Vec<String>,
    /// Why the form of JSON bodies is not certain.
    pub serialisation: Vec<String>,
    /// Methods that make a chain of security filters: what they let through depends on the path.
    pub chains: Vec<MemberId>,
    /// Whether the project configures security.
    pub secured: bool,
}

/// What the operations of one revision share.
pub struct Shared<'a> {
    /// What names and calls in bodies mean.
    pub resolver: Resolver<'a>,
    /// What runs around requests.
    pub around: Around,
    /// Simple names of the types that factory methods return.
    pub produced: BTreeSet<String>,
    /// What is there when the service starts.
    pub seeds: Seeds,
    /// The operations of the revision, as they are named.
    pub names: Vec<OpId>,
    /// The stores with all their rows.
    pub stores: Stores,
}

impl<'a> Shared<'a> {
    /// Reads a project and the files beside it.
    pub fn of(files: &Files<'a>) -> Self {
        let project = files.project;
        let seeds = Seeds::of(project, files.resources);
        let (resolver, stores) = (Resolver::new(project), stores(files));
        Self { resolver, around: around(project), produced: produced(project), seeds, stores, names: Vec::new() }
    }
}

impl Shared<'_> {
    /// The name of an endpoint's operation.
    pub fn name_of(&self, endpoint: &Endpoint) -> OpId {
        let own = OpId::new(endpoint.method, &endpoint.path);
        let found = self.names.iter().find(|name| **name == own);
        found.or_else(|| self.names.iter().find(|name| name.erased() == own.erased())).cloned().unwrap_or(own)
    }
}

fn produced(project: &Project) -> BTreeSet<String> {
    let members = project.types().flat_map(|ty| &project.ty(ty).members);
    let factories = members.filter(|member| {
        member.kind == MemberKind::Method && has(&member.annotations, &["Bean", "Produces", "Provides", "MockBean"])
    });
    factories.filter_map(|member| member.ty.as_ref().map(|ty| ty.simple().to_owned())).collect()
}

fn around(project: &Project) -> Around {
    let mut found = Around::default();
    for ty in project.types() {
        let facts = project.ty(ty);
        for parent in project.library_supers(ty) {
            let simple = parent.rsplit('.').next().unwrap_or(parent);
            // Of libraries' interfaces only those of the web count: `Filter` is also a name elsewhere.
            let web = ["servlet", "springframework", "ws.rs"].iter().any(|part| parent.contains(part));
            if let Some((_, what)) = AROUND.iter().find(|(name, _)| *name == simple && web) {
                if simple == "WebSecurityConfigurerAdapter" {
                    found.secured = true;
                }
                if facts.kind != TypeKind::Interface {
                    found.doubts.push(format!("{what}: {}", facts.name));
                }
            }
        }
        if has(&facts.annotations, &["Aspect"]) {
            found.doubts.push(format!("an aspect: {}", facts.name));
        }
        if has(&facts.annotations, &["JsonComponent"]) {
            found.serialisation.push(format!("a JSON component: {}", facts.name));
        }
        for member in project.members(ty).filter(|member| project.member(*member).kind == MemberKind::Method) {
            method(project, member, &mut found);
        }
    }
    found
}

fn method(project: &Project, member: MemberId, found: &mut Around) {
    let (method, owner) = (project.member(member), &project.ty(member.ty).name);
    if has(&method.annotations, &["ModelAttribute", "InitBinder"]) {
        found.doubts.push(format!("{} of {owner} runs before handlers", method.name));
    }
    if has(&method.annotations, &["Bean", "Produces", "Provides"]) {
        match method.ty.as_ref().map(|ty| ty.simple()).unwrap_or_default() {
            "ObjectMapper"
            | "Jackson2ObjectMapperBuilder"
            | "Jackson2ObjectMapperBuilderCustomizer"
            | "JsonMapper"
            | "MappingJackson2HttpMessageConverter"
            | "GsonHttpMessageConverter"
            | "HttpMessageConverters"
            | "Module"
            | "SimpleModule"
            | "Gson"
            | "JsonMapperBuilderCustomizer" => found.serialisation.push(format!("{} configures JSON", method.name)),
            "FilterRegistrationBean" | "Filter" => found.doubts.push(format!("a servlet filter: {}", method.name)),
            "SecurityFilterChain" | "SecurityWebFilterChain" => {
                found.secured = true;
                found.chains.push(member);
            }
            _ => {}
        }
    }
    if matches!(
        method.name.as_str(),
        "configureMessageConverters"
            | "extendMessageConverters"
            | "configureContentNegotiation"
            | "addInterceptors"
            | "addFormatters"
            | "configurePathMatch"
            | "addArgumentResolvers"
            | "configureHandlerExceptionResolvers"
    ) && project.body(member).is_some_and(|body| !body.stmts.is_empty() && body.exprs.len() > 1)
    {
        found.doubts.push(format!("{} of {owner} configures the framework", method.name));
    }
}
