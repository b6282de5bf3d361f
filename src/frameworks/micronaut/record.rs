//! How Micronaut handles a request (Micronaut reference, "The HTTP Server").

use super::thrown::{CARRIER, CODEC, CONVERSION, THROWN, UNSATISFIED};
use crate::record::{
    Advice, Beans, Binding, Body, Failures, Json, Kinds, Middleware, NOT_MODELLED, Record, Refusals, RequestFilters,
    Routing, Serving, Threads, Validation,
};

/// The exceptions for rejected requests ("Simple Request Binding").
static KINDS: Kinds = Kinds {
    missing_header: UNSATISFIED,
    missing_cookie: UNSATISFIED,
    missing_parameter: UNSATISFIED,
    unreadable: CODEC,
    mismatch: CONVERSION,
};

/// Annotations that make a class a bean, besides the shared ones of JSR 330.
const STEREOTYPES: &[&str] = &[
    "Bean",
    "Client",
    "ClientFilter",
    "ConfigurationProperties",
    "Context",
    "Controller",
    "EachBean",
    "EachProperty",
    "Factory",
    "Filter",
    "Infrastructure",
    "JdbcRepository",
    "MongoRepository",
    "Prototype",
    "R2dbcRepository",
    "Repository",
    "ServerFilter",
];

/// Annotations of controller methods that do not change what a call returns or throws.
const MARKS: &[&str] = &[
    "Blocking",
    "Consumes",
    "Delete",
    "Error",
    "ExecuteOn",
    "Get",
    "Head",
    "NonBlocking",
    "Options",
    "Patch",
    "Post",
    "Produces",
    "Put",
    "SingleResult",
    "Status",
];

/// Types that run around controllers.
const AROUND: &[(&str, &str)] = &[
    ("HttpFilter", "filters every request"),
    ("HttpServerFilter", "filters every request"),
    ("OncePerRequestHttpServerFilter", "filters every request"),
    ("MethodInterceptor", "intercepts calls"),
    ("ArgumentBinder", "binds arguments"),
    ("TypedRequestArgumentBinder", "binds arguments"),
    ("AnnotatedRequestArgumentBinder", "binds arguments"),
    ("TypeConverter", "converts parameters"),
    ("MessageBodyReader", "reads bodies"),
    ("MessageBodyWriter", "writes bodies"),
    ("ErrorResponseProcessor", "writes errors"),
    ("SecurityRule", "guards every request"),
];

/// Controllers.
pub static CONTROLLERS: Record = Record {
    name: "micronaut",
    serving: Serving::Method,
    beans: Beans { stereotypes: STEREOTYPES, marks: MARKS, ..NOT_MODELLED.beans },
    routing: Routing { ignores_final_slash: true, ..NOT_MODELLED.routing },
    binding: Binding {
        refusals: Refusals::ByKind(&KINDS),
        requires_body: true,
        names_from_classes: true,
        extensions: true,
        ..NOT_MODELLED.binding
    },
    validation: Validation { violation: "jakarta.validation.ConstraintViolationException", ..NOT_MODELLED.validation },
    failures: Failures {
        carriers: &[CARRIER],
        exceptions: THROWN,
        advice: Advice::Mappers,
        asks_causes: false,
        ..NOT_MODELLED.failures
    },
    body: Body {
        null_status: Some(404),
        fills_errors: true,
        runs_publishers: true,
        json: Json::Jackson,
        omits_empty: true,
        ..NOT_MODELLED.body
    },
    middleware: Middleware { request_filters: RequestFilters::Apart, around: AROUND, ..NOT_MODELLED.middleware },
    threads: Threads::OfRequest,
};
