//! What runs around requests, read off a project once: filters, interceptors, guards, error pages, converters, and what configures the framework.

use std::collections::BTreeSet;

use crate::frameworks::annotations::imports_of;
use crate::frameworks::expressions::{declared_type, dotted};
use crate::frameworks::jax_rs::filters::RequestFilter;
use crate::frameworks::servlet::mappings;
use crate::frameworks::servlet::registrations::{Registration, order, registrations};
use crate::frameworks::spring::security::Security;
use crate::java::body::{Body, ExprId, ExprKind, StmtKind};
use crate::java::facts::{MemberKind, Modifiers, TypeKind};
use crate::java::ids::{FileId, MemberId, TypeId};
use crate::java::interpret::objects::has;
use crate::java::named::Named;
use crate::java::project::Project;
use crate::runtime::app::catching::{Caught, caught};
use crate::runtime::body::mixed;

/// Library types whose project subtypes run around requests in a way that is not followed, with what they are.
const OPAQUE: &[(&str, &str)] = &[
    ("WebFilter", "a web filter"),
    ("WebRequestInterceptor", "an interceptor"),
    ("ResponseBodyAdvice", "an advice on bodies"),
    ("RequestBodyAdvice", "an advice on bodies"),
    ("WriterInterceptor", "an interceptor of bodies"),
    ("ReaderInterceptor", "an interceptor of bodies"),
    ("MethodInterceptor", "a method interceptor"),
];

/// Servlet filters.
const FILTERS: &[&str] = &["Filter", "HttpFilter", "OncePerRequestFilter", "GenericFilterBean"];
/// Interceptors of handlers.
const INTERCEPTORS: &[&str] = &["HandlerInterceptor", "HandlerInterceptorAdapter", "AsyncHandlerInterceptor"];
/// What may answer an exception before anything else, or show it.
const ERRORS: &[(&str, &str)] = &[
    ("HandlerExceptionResolver", "an exception resolver"),
    ("AbstractHandlerExceptionResolver", "an exception resolver"),
    ("ErrorController", "an error controller"),
    ("AbstractErrorController", "an error controller"),
    ("BasicErrorController", "an error controller"),
    ("ErrorAttributes", "the contents of error pages"),
];
/// Filters of libraries that let every request through that a plain client sends.
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

/// A conversion that the project adds.
#[derive(Debug, Clone)]
pub struct Conversion {
    /// The class.
    pub owner: TypeId,
    /// Simple name of the type that it makes; `None` for any.
    pub to: Option<String>,
    /// Whether it makes it from a text.
    pub of_text: bool,
}

/// A servlet filter of the project.
#[derive(Debug, Clone)]
pub struct ServletFilter {
    /// Its class.
    pub ty: TypeId,
    /// The patterns of paths that code maps it to, where that is understood.
    pub patterns: Option<Vec<String>>,
    /// Its place among the others, low ones first.
    pub order: i64,
    /// Whether it is sure that a container runs it, for these paths or, as a bean, for all.
    pub is_sure: bool,
    /// What it answers for exceptions of the rest of the chain, where it catches them.
    pub caught: Option<Caught>,
}

/// What runs around requests, whatever the operation; each with the class that it comes from.
#[derive(Debug, Clone, Default)]
pub struct Around {
    /// Why no status is certain.
    pub doubts: Vec<(TypeId, String)>,
    /// Why the form of JSON bodies is not certain.
    pub serialisation: Vec<(TypeId, String)>,
    /// Classes for which a mapper of the project's own, plain but for that, has mix-ins.
    pub mixed: Vec<(TypeId, BTreeSet<TypeId>)>,
    /// Why the form of JSON bodies is not certain where Gson writes them.
    pub gson: Vec<(TypeId, String)>,
    /// Why no status of an error is certain.
    pub errors: Vec<(TypeId, String)>,
    /// Servlet filters.
    pub filters: Vec<ServletFilter>,
    /// Request filters of JAX-RS, in the order in which they run.
    pub request_filters: Vec<RequestFilter>,
    /// Interceptors of handlers.
    pub interceptors: Vec<TypeId>,
    /// What finds the values of parameters that the framework has no rule for.
    pub resolvers: Vec<(TypeId, String)>,
    /// Aspects.
    pub aspects: Vec<TypeId>,
    /// Conversions of parameters.
    pub conversions: Vec<Conversion>,
    /// What guards requests.
    pub security: Security,
}

/// Whether an aspect may advise anything: it is a bean, or something else names it, or a compiler weaves it in. One that is none of these is code
/// that nobody runs.
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
    /// Reads a project.
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

    /// Says of which filters it is sure that they run: Spring Boot takes all that are beans, unless it is told where, and finds `@WebFilter` only
    /// where it is told to look (Spring Boot reference, "Servlets, Filters, and Listeners").
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
                    self.doubts.push((ty, format!("a response filter: {}", facts.name)));
                }
                _ => {}
            }
            if matches!(simple, "ContextResolver" | "MessageBodyWriter" | "MessageBodyReader") {
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

/// Types of the web's libraries above a class: `Filter` is also a name elsewhere. Where whole packages are imported, one of the web may be meant.
fn web_supers(project: &Project, ty: TypeId) -> Vec<String> {
    let is_web = |name: &str| ["servlet", "springframework", "ws.rs"].iter().any(|part| name.contains(part));
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

/// Calls by which a filter reads a request and a response of JAX-RS, and adds to its headers; what is asserted of an answer stays what it is.
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

/// Whether the code of a response filter does nothing but add headers; how it is made is over before a request.
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

/// Whether all that a method news up and registers as filters are classes of the project, which are run, or let everything through.
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

/// Whether all that is handed to calls of this name is of the project, or lets everything through.
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
