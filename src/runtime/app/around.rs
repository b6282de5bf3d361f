//! The middleware of a project, read once: filters, interceptors, security, error pages, converters, and framework
//! configuration.

use std::collections::BTreeSet;

use crate::app::catching::{Caught, caught};
use crate::body::mixed;
use mastor_frameworks::code::annotations::imports_of;
use mastor_frameworks::code::expressions::{declared_type, dotted};
use mastor_frameworks::jax_rs::filters::RequestFilter;
use mastor_frameworks::servlet::mappings;
use mastor_frameworks::servlet::registrations::{Registration, order, registrations};
use mastor_frameworks::spring::security::Security;
use mastor_java::interpret::classes::objects::has;
use mastor_java::ir::body::{Body, ExprId, ExprKind, StmtKind};
use mastor_java::ir::facts::{MemberKind, Modifiers, TypeKind};
use mastor_java::ir::ids::{FileId, MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::project::index::Project;

/// Prefix of the doubts about response filters.
pub const RESPONSE_FILTER: &str = "a response filter: ";

/// Library types of middleware that is not interpreted; project subtypes of these raise a doubt with this text.
const OPAQUE: &[(&str, &str)] = &[
    ("WebFilter", "a web filter"),
    ("WebRequestInterceptor", "an interceptor"),
    ("ResponseBodyAdvice", "an advice on bodies"),
    ("RequestBodyAdvice", "an advice on bodies"),
    ("WriterInterceptor", "an interceptor of bodies"),
    ("ReaderInterceptor", "an interceptor of bodies"),
    ("MethodInterceptor", "a method interceptor"),
    ("HttpServerFilter", "a filter"),
    ("OncePerRequestHttpServerFilter", "a filter"),
    ("TypedRequestArgumentBinder", "an argument binder"),
    ("AnnotatedRequestArgumentBinder", "an argument binder"),
    ("SecurityRule", "a security rule"),
];

/// Annotations of methods that run around requests and are not interpreted, with the kind of doubt that they raise.
const MARKED: &[(&str, &str)] = &[
    ("ServerRequestFilter", "a request filter"),
    ("ServerResponseFilter", "a response filter"),
    ("RouteFilter", "a filter"),
];

/// Base types of servlet filters.
const FILTERS: &[&str] = &["Filter", "HttpFilter", "OncePerRequestFilter", "GenericFilterBean"];
/// Base types of handler interceptors.
const INTERCEPTORS: &[&str] = &["HandlerInterceptor", "HandlerInterceptorAdapter", "AsyncHandlerInterceptor"];
/// Base types of classes that may resolve an exception first, or render the error page.
const ERRORS: &[(&str, &str)] = &[
    ("HandlerExceptionResolver", "an exception resolver"),
    ("AbstractHandlerExceptionResolver", "an exception resolver"),
    ("ErrorController", "an error controller"),
    ("AbstractErrorController", "an error controller"),
    ("BasicErrorController", "an error controller"),
    ("ErrorAttributes", "the contents of error pages"),
];
/// Library filters that pass on every request of a plain client.
const HARMLESS: &[&str] = &[
    "CharacterEncodingFilter",
    "CorsFilter",
    "ForwardedHeaderFilter",
    "CommonsRequestLoggingFilter",
    "ShallowEtagHeaderFilter",
    "RequestContextFilter",
    "LocaleChangeInterceptor",
    "OpenEntityManagerInViewFilter",
];

/// A conversion that the project registers.
#[derive(Debug, Clone)]
pub struct Conversion {
    /// The class that implements it.
    pub owner: TypeId,
    /// Simple name of the target type; `None` for any type.
    pub to: Option<String>,
    /// Whether it converts from text.
    pub of_text: bool,
}

/// A servlet filter of the project.
#[derive(Debug, Clone)]
pub struct ServletFilter {
    /// Its class.
    pub ty: TypeId,
    /// The path patterns that code maps it to; `None` if they could not be read.
    pub patterns: Option<Vec<String>>,
    /// Its position in the chain; lower values run first.
    pub order: i64,
    /// Whether a container certainly runs it: for these patterns or, as a bean, for all paths.
    pub is_sure: bool,
    /// Its answer to exceptions of the rest of the chain, if it catches them.
    pub caught: Option<Caught>,
}

/// The middleware of a project, independent of the operation; each entry has the class that it comes from.
#[derive(Debug, Clone, Default)]
pub struct Around {
    /// Reasons why no status is certain.
    pub doubts: Vec<(TypeId, String)>,
    /// Reasons why the form of JSON bodies is not certain.
    pub serialisation: Vec<(TypeId, String)>,
    /// JSON mappers of the project that differ from a plain mapper only in mix-ins, with the classes that have one.
    pub mixed: Vec<(TypeId, BTreeSet<TypeId>)>,
    /// Reasons why the form of JSON bodies is not certain if Gson writes them.
    pub gson: Vec<(TypeId, String)>,
    /// Reasons why no error status is certain.
    pub errors: Vec<(TypeId, String)>,
    /// Servlet filters.
    pub filters: Vec<ServletFilter>,
    /// JAX-RS request filters, in the order in which they run.
    pub request_filters: Vec<RequestFilter>,
    /// Handler interceptors.
    pub interceptors: Vec<TypeId>,
    /// Resolvers of handler parameters that the framework has no rule for.
    pub resolvers: Vec<(TypeId, String)>,
    /// Aspects.
    pub aspects: Vec<TypeId>,
    /// Conversions of parameters.
    pub conversions: Vec<Conversion>,
    /// The configuration of Spring Security.
    pub security: Security,
}

/// Whether an aspect may be active: it is a bean, another file names it, or a compiler weaves it in. Otherwise
/// nothing runs it.
fn may_be_used(project: &Project, aspect: TypeId) -> bool {
    const PLAIN: &[&str] = &["Aspect", "Slf4j", "Log4j2", "Log", "Order", "ManagedResource", "RequiredArgsConstructor"];
    let facts = project.ty(aspect);
    let is_named = |file: FileId| {
        let facts = &project.file(file).facts;
        file != project.file_of(aspect) && facts.type_words.binary_search(&project.ty(aspect).name).is_ok()
    };
    let in_build = |path: &str, text: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let woven = ["aspectj-maven-plugin", "aspectj.post-compile-weaving", "io.freefair.aspectj"];
        (name == "pom.xml" || name.contains(".gradle")) && woven.iter().any(|plugin| text.contains(plugin))
    };
    facts.annotations.iter().any(|annotation| !PLAIN.contains(&annotation.simple()))
        || project.files().any(is_named)
        || project.tree().files().any(|file| {
            let is_xml = file.path.ends_with(".xml") || file.path.contains(".gradle");
            is_xml
                && project
                    .tree()
                    .text(&file.path)
                    .is_ok_and(|text| text.text.contains(&facts.name) || in_build(&file.path, &text.text))
        })
}

impl Around {
    /// Reads the middleware of a project.
    pub fn of(project: &Project) -> Self {
        let mut found = Self { security: Security::of(project), ..Self::default() };
        let registered = registrations(project);
        for ty in project.types() {
            found.ty(project, ty, &registered);
            for member in project.members(ty).filter(|member| project.member(*member).kind == MemberKind::Method) {
                found.method(project, member, &registered);
            }
        }
        found.be_sure(project);
        found.filters.sort_by_key(|filter| filter.order);
        found.request_filters.sort_by_key(|filter| (!filter.is_early, filter.priority));
        found
    }

    /// Marks the filters that certainly run. Spring Boot registers every filter bean unless a registration bean says
    /// otherwise, and registers `@WebFilter` classes only with `@ServletComponentScan` (Spring Boot reference,
    /// "Servlets, Filters, and Listeners").
    fn be_sure(&mut self, project: &Project) {
        let bears = |names: &[&str]| project.types().any(|ty| has(&project.ty(ty).annotations, names));
        let registers = |member: MemberId| {
            project.member(member).ty.as_ref().is_some_and(|ty| ty.simple() == "FilterRegistrationBean")
        };
        let is_told_where = project.types().any(|ty| project.members(ty).any(registers));
        let looks = bears(&["ServletComponentScan"]) || !bears(&["SpringBootApplication", "EnableAutoConfiguration"]);
        for filter in &mut self.filters {
            let marks = &project.ty(filter.ty).annotations;
            filter.is_sure = match filter.patterns {
                Some(_) => looks || !has(marks, &["WebFilter"]),
                None => has(marks, &["Component", "Service"]) && !is_told_where,
            };
        }
    }

    fn ty(&mut self, project: &Project, ty: TypeId, registered: &[Registration]) {
        let facts = project.ty(ty);
        if has(&facts.annotations, &["Aspect"]) && may_be_used(project, ty) {
            self.aspects.push(ty);
        }
        if has(&facts.annotations, &["ServerFilter"]) {
            self.doubts.push((ty, format!("a filter: {}", facts.name)));
        }
        if has(&facts.annotations, &["JsonComponent"]) {
            self.serialisation.push((ty, format!("a JSON component: {}", facts.name)));
        }
        if facts.kind == TypeKind::Interface || facts.modifiers.has(Modifiers::ABSTRACT) {
            return;
        }
        for parent in web_supers(project, ty) {
            let simple = parent.rsplit('.').next().unwrap_or(&parent);
            let named = |table: &'static [(&'static str, &'static str)]| {
                table.iter().find(|(name, _)| *name == simple).map(|(_, what)| *what)
            };
            if let Some(what) = named(OPAQUE) {
                self.doubts.push((ty, format!("{what}: {}", facts.name)));
            }
            if let Some(what) = named(ERRORS) {
                self.errors.push((ty, format!("{what}: {}", facts.name)));
            }
            if simple == "HandlerMethodArgumentResolver" {
                self.resolvers.push((ty, format!("an argument resolver: {}", facts.name)));
            }
            if FILTERS.contains(&simple) && !self.filters.iter().any(|filter| filter.ty == ty) {
                self.filters.push(ServletFilter {
                    ty,
                    patterns: mappings::patterns(project, ty, registered),
                    order: order(project, ty, registered),
                    is_sure: false,
                    caught: caught(project, ty),
                });
            }
            if INTERCEPTORS.contains(&simple) && !self.interceptors.contains(&ty) {
                self.interceptors.push(ty);
            }
            match simple {
                "ContainerRequestFilter" => self.request_filters.push(RequestFilter::of(project, ty)),
                "ContainerResponseFilter" if !adds_headers(project, ty) => {
                    self.doubts.push((ty, format!("{RESPONSE_FILTER}{}", facts.name)));
                }
                _ => {}
            }
            if matches!(
                simple,
                "ContextResolver" | "MessageBodyWriter" | "MessageBodyReader" | "ObjectMapperCustomizer"
            ) {
                self.serialisation.push((ty, format!("{} configures JSON", facts.name)));
            }
            if matches!(simple, "Converter" | "Formatter" | "ParamConverterProvider" | "ParamConverter") {
                self.conversions.push(conversion(project, ty, simple));
            }
        }
    }

    fn method(&mut self, project: &Project, member: MemberId, registered: &[Registration]) {
        let (method, owner) = (project.member(member), &project.ty(member.ty).name);
        if has(&method.annotations, &["ModelAttribute", "InitBinder"]) {
            self.doubts.push((member.ty, format!("{} of {owner} runs before handlers", method.name)));
        }
        for (mark, what) in MARKED {
            if has(&method.annotations, &[mark]) {
                self.doubts.push((member.ty, format!("{what}: {owner}.{}", method.name)));
            }
        }
        if has(&method.annotations, &["Bean", "Produces", "Provides"]) {
            self.bean(project, member, registered);
        }
        let configures = matches!(
            method.name.as_str(),
            "configureMessageConverters"
                | "extendMessageConverters"
                | "configureContentNegotiation"
                | "addInterceptors"
                | "addFormatters"
                | "configurePathMatch"
                | "addArgumentResolvers"
                | "configureHandlerExceptionResolvers"
        );
        let body = if configures { project.body(member) } else { None };
        if let Some(body) = body.filter(|body| !body.stmts.is_empty() && body.exprs.len() > 1)
            && !(method.name == "addInterceptors" && adds_known(project, member, &body, "addInterceptor"))
        {
            let of = if method.name == "addArgumentResolvers" { &mut self.resolvers } else { &mut self.doubts };
            of.push((member.ty, format!("{} of {owner} configures the framework", method.name)));
        }
    }

    fn bean(&mut self, project: &Project, member: MemberId, registered: &[Registration]) {
        let method = project.member(member);
        let made = method.ty.as_ref().map(|ty| ty.simple()).unwrap_or_default();
        if matches!(made, "MappingJackson2HttpMessageConverter")
            && let Some(targets) = mixed::targets(project, member)
        {
            self.mixed.push((member.ty, targets));
            return;
        }
        match made {
            "ObjectMapper"
            | "Jackson2ObjectMapperBuilder"
            | "Jackson2ObjectMapperBuilderCustomizer"
            | "JsonMapper"
            | "MappingJackson2HttpMessageConverter"
            | "GsonHttpMessageConverter"
            | "HttpMessageConverters"
            | "Module"
            | "SimpleModule"
            | "JsonMapperBuilderCustomizer" => {
                self.serialisation.push((member.ty, format!("{} configures JSON", method.name)));
            }
            "Gson" | "GsonBuilder" | "GsonBuilderCustomizer" => {
                self.gson.push((member.ty, format!("{} configures JSON", method.name)));
            }
            "FilterRegistrationBean" | "Filter" => {
                let is_own = registered.iter().any(|one| one.member == member && one.is_certain());
                let known =
                    is_own || project.body(member).is_some_and(|body| registers_known(project, member.ty, &body));
                if !known {
                    self.doubts.push((member.ty, format!("a servlet filter: {}", method.name)));
                }
            }
            _ => {}
        }
    }
}

/// Supertypes of a class from web libraries, since other libraries also have a `Filter`. An unresolved supertype
/// counts if a package of a web library is imported by wildcard.
fn web_supers(project: &Project, ty: TypeId) -> Vec<String> {
    let is_web = |name: &str| ["servlet", "springframework", "ws.rs", "quarkus"].iter().any(|part| name.contains(part));
    let mut found: Vec<String> =
        project.library_supers(ty).into_iter().filter(|name| is_web(name)).map(str::to_owned).collect();
    for at in std::iter::once(ty).chain(project.all_supers(ty)) {
        let imports = imports_of(project, at);
        for above in project.supers(at) {
            if let Named::Unknown(name) = &above.named
                && imports.iter().any(|import| import.wildcard && is_web(&import.path))
            {
                found.push(name.clone());
            }
        }
    }
    found
}

/// Calls by which a JAX-RS filter reads requests and responses, and adds response headers. None of them changes what
/// is asserted of an answer.
const OF_HEADERS: &[&str] = &[
    "getHeaders",
    "getStringHeaders",
    "getHeaderString",
    "getRequestHeaders",
    "getMethod",
    "getStatus",
    "add",
    "addAll",
    "addFirst",
    "putSingle",
    "containsKey",
    "equals",
    "equalsIgnoreCase",
    "contains",
    "startsWith",
    "endsWith",
    "isEmpty",
    "toString",
];

/// Whether the methods of a response filter only add headers. Constructors are ignored, since they run before any
/// request.
fn adds_headers(project: &Project, ty: TypeId) -> bool {
    let runs = |member: &MemberId| project.member(*member).kind == MemberKind::Method;
    let bodies: Vec<_> = project.members(ty).filter(runs).filter_map(|member| project.body(member)).collect();
    let plain = |expr: &ExprKind| match expr {
        ExprKind::Call { name, .. } => OF_HEADERS.contains(&name.as_ref()),
        ExprKind::New { .. } => false,
        _ => true,
    };
    let throws = |body: &Body| body.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Throw(_)));
    !bodies.is_empty() && bodies.iter().all(|body| !throws(body) && body.exprs.iter().all(|expr| plain(&expr.kind)))
}

/// Whether every filter that a method creates is a project class, which is interpreted, or lets all requests through.
fn registers_known(project: &Project, scope: TypeId, body: &Body) -> bool {
    let mut any = false;
    for expr in &body.exprs {
        let ExprKind::New { ty, .. } = &expr.kind else { continue };
        if ty.simple().ends_with("Filter") {
            any = true;
            let known =
                HARMLESS.contains(&ty.simple()) || matches!(project.resolve(scope, &ty.name), Named::Project(_));
            if !known {
                return false;
            }
        }
    }
    any
}

/// Whether every argument of calls with this name is a project class or a library filter that lets all requests
/// through.
fn adds_known(project: &Project, member: MemberId, body: &Body, call: &str) -> bool {
    let known_type = |scope: TypeId, name: &str| {
        let simple = name.rsplit('.').next().unwrap_or(name);
        HARMLESS.contains(&simple) || matches!(project.resolve(scope, name), Named::Project(_))
    };
    let known = |at: ExprId| match &body.expr(at).kind {
        ExprKind::New { ty, .. } => known_type(member.ty, &ty.name),
        ExprKind::Call { target: None, name, args, .. } => {
            let made = project.find_method(member.ty, name, args.len());
            made.first()
                .and_then(|made| project.member(*made).ty.clone())
                .is_some_and(|ty| known_type(member.ty, &ty.name))
        }
        ExprKind::Name(_) | ExprKind::Field { .. } => dotted(body, at)
            .and_then(|name| declared_type(project, member, body, &name))
            .is_some_and(|(ty, scope)| known_type(scope, &ty.name)),
        _ => false,
    };
    let mut added = Vec::new();
    for expr in &body.exprs {
        if let ExprKind::Call { name, args, .. } = &expr.kind
            && name == call
        {
            added.extend(args.first().copied());
        }
    }
    !added.is_empty() && added.into_iter().all(known)
}

fn conversion(project: &Project, ty: TypeId, simple: &str) -> Conversion {
    let declared = std::iter::once(ty).chain(project.all_supers(ty)).find_map(|at| {
        project.supers(at).iter().find(|parent| match &parent.named {
            Named::Library(name) | Named::Unknown(name) => name.rsplit('.').next() == Some(simple),
            _ => false,
        })
    });
    let args: Vec<&str> =
        declared.map(|parent| parent.args.iter().map(|arg| arg.simple()).collect()).unwrap_or_default();
    match (simple, args.as_slice()) {
        ("Converter", [from, to]) => {
            let of_text = matches!(*from, "String" | "CharSequence" | "Object" | "?");
            Conversion { owner: ty, to: Some((*to).to_owned()), of_text }
        }
        ("Formatter" | "ParamConverter", [to]) => Conversion { owner: ty, to: Some((*to).to_owned()), of_text: true },
        _ => Conversion { owner: ty, to: None, of_text: true },
    }
}
