//! Edges to code that runs around every request or is called by name: advice, filters, converters, factories,
//! listeners.

use crate::record::{Framework, Serving};
use crate::registry::FRAMEWORKS;
use std::collections::{BTreeMap, BTreeSet};

use crate::advice::{ExceptionRule, Thrown};
use crate::code::annotations;
use crate::code::inheritance::is_concrete;
use crate::code::stereotypes::is_component;
use crate::endpoint::Endpoint;
use crate::routing::Inputs;
use crate::servlet::mappings::annotated;
use crate::servlet::registrations::{Registration, may_run, registered, registrations};
use crate::spring::names::BEAN;
use crate::spring::security::credentials::checks_credentials;
use mastor_java::ir::facts::{MemberKind, Modifiers, TypeKind, TypeRef};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::ir::named::Named;
use mastor_java::objects::injection::{EdgeSource, ExtraEdges};
use mastor_java::project::index::Project;

/// Simple names of library types whose project subtypes run around every request, with any framework.
const AROUND: &[(&str, &str)] = &[
    ("Filter", "filters every request"),
    ("OncePerRequestFilter", "filters every request"),
    ("GenericFilterBean", "filters every request"),
    ("AbstractAuthenticationProcessingFilter", "filters every request"),
    ("UsernamePasswordAuthenticationFilter", "filters every request"),
    ("BasicAuthenticationFilter", "filters every request"),
    ("WebFilter", "filters every request"),
    ("ErrorController", "answers errors"),
    ("AbstractErrorController", "answers errors"),
    ("BasicErrorController", "answers errors"),
    ("ErrorAttributes", "answers errors"),
    ("DefaultErrorAttributes", "answers errors"),
    ("WebSecurityConfigurerAdapter", "configures security"),
    ("SecurityConfigurerAdapter", "configures security"),
    ("AbstractHttpConfigurer", "configures security"),
    ("GlobalMethodSecurityConfiguration", "configures security"),
    ("ResourceServerConfigurerAdapter", "configures security"),
    ("UserDetailsService", "authenticates"),
    ("AuthenticationProvider", "authenticates"),
    ("AuthenticationManager", "authenticates"),
    ("AuthenticationEntryPoint", "answers who is not authenticated"),
    ("BasicAuthenticationEntryPoint", "answers who is not authenticated"),
    ("AccessDeniedHandler", "answers who is not allowed"),
    ("AuthenticationSuccessHandler", "authenticates"),
    ("AuthenticationFailureHandler", "authenticates"),
    ("PermissionEvaluator", "decides who is allowed"),
    ("AccessDecisionVoter", "decides who is allowed"),
    ("PasswordEncoder", "checks passwords"),
    ("ServletContextInitializer", "configures the web layer"),
    ("Module", "configures serialisation"),
    ("SimpleModule", "configures serialisation"),
];

/// Return types of factory methods that configure every request.
const CONFIGURES: &[&str] = &[
    "SecurityFilterChain",
    "SecurityWebFilterChain",
    "WebSecurityCustomizer",
    "ObjectMapper",
    "Jackson2ObjectMapperBuilder",
    "Jackson2ObjectMapperBuilderCustomizer",
    "JsonMapper",
    "Gson",
    "GsonBuilder",
    "WebMvcConfigurer",
    "CorsFilter",
    "CorsConfigurationSource",
    "FilterRegistrationBean",
    "Filter",
    "LocaleResolver",
    "MultipartResolver",
    "HttpMessageConverters",
    "MappingJackson2HttpMessageConverter",
    "AuthenticationProvider",
    "AuthenticationManager",
    "UserDetailsService",
    "PasswordEncoder",
    "MessageSource",
    "Validator",
    "LocalValidatorFactoryBean",
    "MethodValidationPostProcessor",
    "ServletRegistrationBean",
    "RequestContextListener",
    "ErrorPageRegistrar",
    "WebServerFactoryCustomizer",
    "EmbeddedServletContainerCustomizer",
    "Module",
];

/// Whether a factory method with this return type configures every request: the type is listed, or its object makes
/// servlet filters (`ShiroFilterFactoryBean`).
fn configures_all(ty: &str) -> bool {
    CONFIGURES.contains(&ty) || ty.ends_with("FilterFactoryBean")
}

/// The kinds in [`AROUND`] that check the credentials of a request.
const CREDENTIALS: [&str; 2] = ["authenticates", "checks passwords"];

/// The types in [`CONFIGURES`] that check the credentials of a request.
const CHECKS: [&str; 4] = ["AuthenticationProvider", "AuthenticationManager", "UserDetailsService", "PasswordEncoder"];

const HANDLERS: [&str; 3] = [
    "org.springframework.web.bind.annotation.InitBinder",
    "org.springframework.web.bind.annotation.ModelAttribute",
    "org.springframework.web.bind.annotation.ExceptionHandler",
];
/// Annotations of methods that run before or after every request (Micronaut reference, "Filter Methods"; Quarkus REST,
/// "Request or response filters"; Quarkus guides, "Reactive routes").
const FILTERING: [&str; 5] = [
    "io.micronaut.http.annotation.RequestFilter",
    "io.micronaut.http.annotation.ResponseFilter",
    "org.jboss.resteasy.reactive.server.ServerRequestFilter",
    "org.jboss.resteasy.reactive.server.ServerResponseFilter",
    "io.quarkus.vertx.web.RouteFilter",
];
const CONFIGURATION: &str = "org.springframework.context.annotation.Configuration";
const ADVICE: [&str; 2] = [
    "org.springframework.web.bind.annotation.ControllerAdvice",
    "org.springframework.web.bind.annotation.RestControllerAdvice",
];
const LISTENERS: [&str; 2] = [
    "org.springframework.context.event.EventListener",
    "org.springframework.transaction.event.TransactionalEventListener",
];

/// Adds all of these edges.
pub(super) fn add(inputs: &Inputs<'_>, endpoints: &[Endpoint], exceptions: &[ExceptionRule], edges: &mut ExtraEdges) {
    let project = inputs.project;
    let mut entries: Vec<MemberId> = endpoints.iter().map(|e| e.entry).collect();
    entries.sort();
    entries.dedup();
    let all = registrations(project);
    let below = |patterns: &[String]| -> Vec<MemberId> {
        let run = |entry: &MemberId| endpoints.iter().any(|e| e.entry == *entry && may_run(patterns, e));
        entries.iter().copied().filter(run).collect()
    };
    let mut add = |entries: &[MemberId], members: &[MemberId], kind: &str| {
        for entry in entries {
            edges.add(EdgeSource::Member(*entry), members.iter().copied(), kind);
        }
    };
    let credentials = checks_credentials(inputs);
    // Exception handlers run for the exceptions that they handle.
    let answering: BTreeSet<MemberId> = exceptions.iter().filter_map(|rule| rule.handler).collect();
    let by_framework = by_framework(endpoints);
    for ty in project.types() {
        if let Some(kind) = around(project, ty).filter(|kind| credentials || !CREDENTIALS.contains(kind)) {
            match filtered(inputs, ty, &all) {
                Some(patterns) => add(&below(&patterns), &runnable(project, ty), kind),
                None => add(&entries, &runnable(project, ty), kind),
            }
        }
        for (framework, entries) in &by_framework {
            if let Some(kind) = above(project, ty, framework.middleware.around) {
                let members = runnable(project, ty).into_iter().filter(|member| !answering.contains(member));
                add(entries, &members.collect::<Vec<_>>(), kind);
            }
        }
        let advice = annotations::has(project, ty, &project.ty(ty).annotations, &ADVICE);
        let configuration = annotations::has(project, ty, &project.ty(ty).annotations, &[CONFIGURATION]);
        for member in project.members(ty) {
            let facts = project.member(member);
            if advice && annotations::has(project, ty, &facts.annotations, &HANDLERS[..2]) {
                add(&entries, &[member], "prepares every request");
            }
            if annotations::has(project, ty, &facts.annotations, &FILTERING) {
                add(&entries, &[member], "filters every request");
            }
            if configuration && configures(project, member) {
                add(&entries, &[member], "configures every request");
            }
            if facts.kind == MemberKind::Method
                && annotations::has(project, ty, &facts.annotations, &[BEAN])
                && facts.ty.as_ref().is_some_and(|ty| configures_all(ty.simple()))
                && (credentials || facts.ty.as_ref().is_none_or(|ty| !CHECKS.contains(&ty.simple())))
            {
                let registration = all.iter().find(|one| one.member == member);
                match registration.and_then(|one| one.patterns.as_ref()) {
                    Some(patterns) => add(&below(patterns), &[member], "registers a filter"),
                    None => add(&entries, &[member], "configures every request"),
                }
            }
        }
    }
    if !credentials {
        credential_edges(project, edges);
    }
    exception_rules(project, endpoints, exceptions, edges);
    locals(project, endpoints, &answering, edges);
    factories(project, edges);
    listeners(project, edges);
}

/// Adds edges for services whose filter chain does not authenticate requests: credential checks run when code calls
/// them.
fn credential_edges(project: &Project, edges: &mut ExtraEdges) {
    const ASKS: [&str; 5] = [
        "AuthenticationManager.authenticate",
        "ProviderManager.authenticate",
        "AuthenticationProvider.authenticate",
        "DaoAuthenticationProvider.authenticate",
        "ReactiveAuthenticationManager.authenticate",
    ];
    for ty in project.types() {
        let of_type =
            around(project, ty).filter(|kind| CREDENTIALS.contains(kind)).map(|kind| (runnable(project, ty), kind));
        let makes = |member: &MemberId| {
            let facts = project.member(*member);
            facts.kind == MemberKind::Method
                && facts.ty.as_ref().is_some_and(|made| CHECKS.contains(&made.simple()))
                && annotations::has(project, ty, &facts.annotations, &[BEAN])
        };
        let beans: Vec<MemberId> = project.members(ty).filter(makes).collect();
        for (members, kind) in of_type.into_iter().chain([(beans, "checks passwords")]) {
            for asks in ASKS {
                edges.add(EdgeSource::Library(asks.to_owned()), members.iter().copied(), kind);
            }
        }
    }
}

/// Whether a method of a configuration class receives a library's object to configure it, as
/// `configureGlobal(AuthenticationManagerBuilder)` does.
fn configures(project: &Project, member: MemberId) -> bool {
    let facts = project.member(member);
    let library = |name: &str| matches!(project.resolve_at(member, name), Named::Library(_) | Named::Unknown(_));
    facts.kind == MemberKind::Method
        && facts.annotations.iter().any(|a| matches!(a.simple(), "Autowired" | "Inject"))
        && facts.params.iter().any(|param| library(&param.ty.name))
}

/// The kind of a type that runs around every request; `None` for other types.
fn around(project: &Project, ty: TypeId) -> Option<&'static str> {
    above(project, ty, AROUND)
}

/// The kind of a class, by its first library supertype that is in the table.
fn above(project: &Project, ty: TypeId, table: &'static [(&'static str, &'static str)]) -> Option<&'static str> {
    if project.ty(ty).kind == TypeKind::Interface {
        return None;
    }
    let names = std::iter::once(ty).chain(project.all_supers(ty)).flat_map(|above| project.supers(above));
    names.filter_map(|above| above.named.library()).find_map(|fqn| {
        let simple = fqn.rsplit('.').next().unwrap_or(fqn);
        let web = ["servlet", "springframework", "ws.rs", "jackson", "gson", "glassfish", "dropwizard"]
            .iter()
            .any(|part| fqn.contains(part));
        table.iter().find(|(name, _)| *name == simple && (web || !fqn.contains('.'))).map(|(_, kind)| *kind)
    })
}

/// For each framework, the entries that it serves, and the entries of frameworks whose request handling is not
/// modelled.
fn by_framework(endpoints: &[Endpoint]) -> Vec<(Framework, Vec<MemberId>)> {
    let registered = FRAMEWORKS.iter().map(|one| Framework(one.record));
    let mut all: Vec<Framework> = Vec::new();
    for framework in registered.chain(endpoints.iter().map(|endpoint| endpoint.framework)) {
        if !framework.middleware.around.is_empty() && !all.contains(&framework) {
            all.push(framework);
        }
    }
    let entries = |framework: Framework| {
        let may_run = |endpoint: &&Endpoint| {
            endpoint.framework == framework || endpoint.framework.serving == Serving::NotModelled
        };
        let mut entries: Vec<MemberId> = endpoints.iter().filter(may_run).map(|endpoint| endpoint.entry).collect();
        entries.sort();
        entries.dedup();
        entries
    };
    all.into_iter().map(|framework| (framework, entries(framework))).collect()
}

/// The path patterns of a servlet filter, if they are certain: it is registered by beans or by its annotation, and in
/// no other way.
fn filtered(inputs: &Inputs<'_>, filter: TypeId, all: &[Registration]) -> Option<Vec<String>> {
    let project = inputs.project;
    let name = &project.ty(filter).name;
    let described = |(path, text): (&str, &str)| path.ends_with(".xml") && text.contains(name.as_str());
    if inputs.resources.iter().any(described) {
        return None;
    }
    // A subclass runs the inherited code for its own paths.
    let below = std::iter::once(filter).chain(project.all_subtypes(filter)).filter(|ty| is_concrete(project, *ty));
    let mut found = None;
    for ty in below {
        let by_bean = registered(project, ty, all);
        let own = match annotated(project, ty) {
            Some(found) => found.filter(|_| by_bean.is_none() && !is_component(project, ty)),
            None => by_bean,
        };
        found.get_or_insert_with(Vec::new).extend(own?);
    }
    found
}

/// Non-private methods, constructors and initialisers: the members that a library can call on an object of the type.
fn runnable(project: &Project, ty: TypeId) -> Vec<MemberId> {
    let wanted = |member: &MemberId| {
        let facts = project.member(*member);
        match facts.kind {
            // If the bean does not configure requests, the edge comes from the code that receives it.
            MemberKind::Method if facts.annotations.iter().any(|a| a.simple() == "Bean") => {
                facts.ty.as_ref().is_some_and(|ty| configures_all(ty.simple()))
            }
            MemberKind::Method => !facts.modifiers.has(Modifiers::PRIVATE) && !facts.modifiers.has(Modifiers::STATIC),
            MemberKind::Constructor | MemberKind::Initializer | MemberKind::StaticInitializer => true,
            _ => false,
        }
    };
    project.members(ty).filter(wanted).collect()
}

/// Edges to exception handlers: from the exception's type if the project declares it, else from every entry that the
/// handler covers.
fn exception_rules(project: &Project, endpoints: &[Endpoint], exceptions: &[ExceptionRule], edges: &mut ExtraEdges) {
    for rule in exceptions {
        let Some(handler) = rule.handler else { continue };
        match rule.exception {
            Thrown::Project(exception) => {
                for ty in std::iter::once(exception).chain(project.all_subtypes(exception)) {
                    edges.add(EdgeSource::Type(ty), [handler], "answers the exception");
                }
            }
            Thrown::Library(_) => {
                for endpoint in endpoints.iter().filter(|endpoint| rule.scope.covers(project, endpoint)) {
                    edges.add(EdgeSource::Member(endpoint.entry), [handler], "answers exceptions");
                }
            }
        }
    }
}

/// Edges from each entry to the members that its route depends on, and to the controller's own binders, model
/// attributes and exception handlers, without those in `answering`.
fn locals(project: &Project, endpoints: &[Endpoint], answering: &BTreeSet<MemberId>, edges: &mut ExtraEdges) {
    for endpoint in endpoints {
        let leads = endpoint.rests_on.iter().copied().filter(|m| project.member(*m).body.is_some());
        edges.add(EdgeSource::Member(endpoint.entry), leads, "leads to it");
        let own = std::iter::once(endpoint.receiver).chain(project.all_supers(endpoint.receiver));
        for ty in own {
            let locals = project
                .members(ty)
                .filter(|m| annotations::has(project, ty, &project.member(*m).annotations, &HANDLERS))
                .filter(|m| !answering.contains(m));
            edges.add(EdgeSource::Member(endpoint.entry), locals, "prepares or ends requests of its controller");
        }
    }
}

/// Edges to `@Bean` and `@Produces` methods: from the type that they make, and from every type with a field or
/// parameter of it.
fn factories(project: &Project, edges: &mut ExtraEdges) {
    let produces =
        [BEAN, "javax.enterprise.inject.Produces", "jakarta.enterprise.inject.Produces", "com.google.inject.Provides"];
    let mut given: Option<TypeUsers<'_>> = None;
    for ty in project.types() {
        for member in project.members(ty) {
            let facts = project.member(member);
            if facts.kind != MemberKind::Method || !annotations::has(project, ty, &facts.annotations, &produces) {
                continue;
            }
            let Some(made) = &facts.ty else { continue };
            match project.resolve_at(member, &made.name) {
                Named::Project(made) => {
                    for below in std::iter::once(made).chain(project.all_subtypes(made)) {
                        edges.add(EdgeSource::Type(below), [member], "makes the bean");
                    }
                }
                _ => {
                    let given = given.get_or_insert_with(|| TypeUsers::of(project));
                    for user in given.types.get(made.simple()).into_iter().flatten() {
                        edges.add(EdgeSource::Type(*user), [member], "makes a bean that is injected");
                    }
                    let takers = given.factories.get(made.simple()).into_iter().flatten();
                    for user in takers.filter(|user| **user != member) {
                        edges.add(EdgeSource::Member(*user), [member], "makes a bean that is injected");
                    }
                }
            }
        }
    }
}

/// Users of a type, by its simple name: the types with a field or constructor parameter of the type, and the factory
/// methods with a parameter of it.
#[derive(Default)]
struct TypeUsers<'p> {
    types: BTreeMap<&'p str, BTreeSet<TypeId>>,
    factories: BTreeMap<&'p str, BTreeSet<MemberId>>,
}

impl<'p> TypeUsers<'p> {
    fn of(project: &'p Project) -> Self {
        let mut given = Self::default();
        for ty in project.types() {
            for member in project.members(ty) {
                let facts = project.member(member);
                let params = facts.params.iter().map(|param| &param.ty);
                match facts.kind {
                    MemberKind::Field => facts.ty.iter().for_each(|of| given.note_type(of, ty)),
                    MemberKind::Constructor => params.for_each(|of| given.note_type(of, ty)),
                    MemberKind::Method
                        if facts.annotations.iter().any(|a| matches!(a.simple(), "Bean" | "Produces" | "Provides")) =>
                    {
                        params.for_each(|of| {
                            given.factories.entry(of.simple()).or_default().insert(member);
                        });
                    }
                    _ => {}
                }
            }
        }
        given
    }

    fn note_type(&mut self, of: &'p TypeRef, ty: TypeId) {
        self.types.entry(of.simple()).or_default().insert(ty);
    }
}

/// Edges to event listeners: from the event's type; for a library's events, from the code that publishes.
fn listeners(project: &Project, edges: &mut ExtraEdges) {
    let publish = || EdgeSource::Library("ApplicationEventPublisher.publishEvent".to_owned());
    for ty in project.types() {
        for member in project.members(ty) {
            let facts = project.member(member);
            let observed = facts
                .params
                .iter()
                .any(|p| p.annotations.iter().any(|a| matches!(a.simple(), "Observes" | "ObservesAsync")));
            if !observed && !annotations::has(project, ty, &facts.annotations, &LISTENERS) {
                continue;
            }
            let events: Vec<TypeId> =
                facts.params.iter().filter_map(|p| project.resolve_at(member, &p.ty.name).project()).collect();
            for event in &events {
                for below in std::iter::once(*event).chain(project.all_subtypes(*event)) {
                    edges.add(EdgeSource::Type(below), [member], "listens to the event");
                }
            }
            if events.is_empty() {
                edges.add(publish(), [member], "listens to events");
            }
        }
        for above in project
            .supers(ty)
            .iter()
            .filter(|above| above.named.library().is_some_and(|fqn| fqn.ends_with("ApplicationListener")))
        {
            let methods: Vec<MemberId> =
                project.members(ty).filter(|m| project.member(*m).name == "onApplicationEvent").collect();
            match above.args.first().and_then(|event| project.resolve(ty, &event.name).project()) {
                Some(event) => edges.add(EdgeSource::Type(event), methods, "listens to the event"),
                None => edges.add(publish(), methods, "listens to events"),
            }
        }
    }
}
