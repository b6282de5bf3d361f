//! How Spring handles a request: records of its controllers, router functions and exported repositories.

use super::thrown::THROWN;
use crate::record::{
    Advice, Beans, Binding, Body, Failures, Json, Kinds, Middleware, NOT_MODELLED, Objects, Record, Refusals,
    RequestFilters, Routing, Serving, Threads, Validation,
};

/// The exceptions of Spring MVC for rejected requests (`DefaultHandlerExceptionResolver`).
static KINDS: Kinds = Kinds {
    missing_header: "org.springframework.web.bind.MissingRequestHeaderException",
    missing_cookie: "org.springframework.web.bind.MissingRequestCookieException",
    missing_parameter: "org.springframework.web.bind.MissingServletRequestParameterException",
    unreadable: "org.springframework.http.converter.HttpMessageNotReadableException",
    mismatch: "org.springframework.web.method.annotation.MethodArgumentTypeMismatchException",
};

/// Annotations that make a class a bean.
const STEREOTYPES: &[&str] = &[
    "Component",
    "Service",
    "Repository",
    "Controller",
    "RestController",
    "Configuration",
    "ControllerAdvice",
    "RestControllerAdvice",
    "SpringBootApplication",
    "SpringBootConfiguration",
    "BasePathAwareController",
    "RepositoryRestController",
    "Aspect",
];

/// Types that run around handlers behind Spring's dispatcher.
const AROUND: &[(&str, &str)] = &[
    ("HandlerInterceptor", "intercepts every request"),
    ("HandlerInterceptorAdapter", "intercepts every request"),
    ("AsyncHandlerInterceptor", "intercepts every request"),
    ("WebRequestInterceptor", "intercepts every request"),
    ("HandlerMethodArgumentResolver", "resolves arguments"),
    ("HandlerMethodReturnValueHandler", "handles return values"),
    ("HandlerExceptionResolver", "answers exceptions"),
    ("AbstractHandlerExceptionResolver", "answers exceptions"),
    ("ResponseEntityExceptionHandler", "answers exceptions"),
    ("ResponseBodyAdvice", "changes every body"),
    ("RequestBodyAdvice", "changes every body"),
    ("HttpMessageConverter", "converts bodies"),
    ("AbstractHttpMessageConverter", "converts bodies"),
    ("WebMvcConfigurer", "configures the web layer"),
    ("WebMvcConfigurerAdapter", "configures the web layer"),
    ("WebMvcConfigurationSupport", "configures the web layer"),
    ("WebFluxConfigurer", "configures the web layer"),
    ("RepositoryRestConfigurer", "configures the web layer"),
    ("RepositoryRestConfigurerAdapter", "configures the web layer"),
    ("LocaleResolver", "resolves the locale"),
];

/// The common record of everything that Spring's dispatcher serves.
const SPRING: Record = Record {
    name: "spring",
    beans: Beans { session_per_request: true, stereotypes: STEREOTYPES, ..NOT_MODELLED.beans },
    routing: Routing { compares_media_without_body: true, ..NOT_MODELLED.routing },
    binding: Binding {
        refusals: Refusals::ByKind(&KINDS),
        requires_body: true,
        nobody_is_null: true,
        ..NOT_MODELLED.binding
    },
    validation: Validation { proxies: true, tells_fields: true, ..NOT_MODELLED.validation },
    failures: Failures {
        uncaught: 500,
        carriers: &["org.springframework.web.server.ResponseStatusException"],
        exceptions: THROWN,
        asks_causes: true,
        has_error_page: true,
        denies_by_chain: true,
        names_views: true,
        advice: Advice::Controllers,
        ..NOT_MODELLED.failures
    },
    body: Body { knows_problems: true, json: Json::Jackson, boot_writes_dates: true, ..NOT_MODELLED.body },
    middleware: Middleware {
        security: true,
        guards_by_default: true,
        interceptors: true,
        resolvers: true,
        chooses_json: true,
        request_filters: RequestFilters::Apart,
        around: AROUND,
        ..NOT_MODELLED.middleware
    },
    threads: Threads::ByBuild,
    ..NOT_MODELLED
};

/// Annotated controllers of Spring MVC or WebFlux.
pub static MVC: Record = Record {
    name: "spring-mvc",
    serving: Serving::Method,
    routing: Routing { cuts_suffixes: true, ..SPRING.routing },
    binding: Binding { converts_texts: true, names_from_classes: true, objects: Objects::Properties, ..SPRING.binding },
    body: Body { null_is_empty: true, names_views: true, labels_texts: true, ..SPRING.body },
    ..SPRING
};

/// `RouterFunction`s.
pub static ROUTER_FUNCTIONS: Record = Record {
    name: "spring-functional",
    serving: Serving::RouterFunction,
    failures: Failures { advice: Advice::Uncertain, ..SPRING.failures },
    ..SPRING
};

/// Repositories that Spring Data REST exports.
pub static DATA_REST: Record = Record { name: "spring-data-rest", ..SPRING };

/// Controllers that implement interfaces which the build generates from a document.
pub static GENERATED_INTERFACES: Record = Record {
    name: "contract-first",
    serving: Serving::Method,
    routing: Routing { from_document: true, ..NOT_MODELLED.routing },
    binding: Binding { converts_texts: true, ..SPRING.binding },
    ..SPRING
};
