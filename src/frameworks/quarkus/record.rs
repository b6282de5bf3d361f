//! How Quarkus REST handles a request (Quarkus guides, "Writing REST services with Quarkus REST").

use super::names::{self, NAME};
use super::thrown::THROWN;
use crate::jax_rs;
use crate::record::{
    Beans, Binding, Body, Failures, Guards, Middleware, NOT_MODELLED, Places, Record, Refusals, Routing, Validation,
};

/// The exceptions for rejected requests. A body that is no JSON is a `WebApplicationException` with 400, one that does
/// not fit the type Jackson's `MismatchedInputException`, which Quarkus answers with 400 unless a mapper is closer.
static PLACES: Places = Places {
    not_found: "jakarta.ws.rs.NotFoundException",
    bad_request: "jakarta.ws.rs.BadRequestException",
    unreadable: "com.fasterxml.jackson.databind.exc.MismatchedInputException",
    shared: &[
        "DatabindException",
        "Exception",
        "IOException",
        "InvalidFormatException",
        "JacksonException",
        "JsonMappingException",
        "JsonParseException",
        "JsonProcessingException",
        "MismatchedInputException",
        "RuntimeException",
        "StreamReadException",
        "Throwable",
        "WebApplicationException",
    ],
};

/// Who may call a resource (Quarkus guides, "Authorization of web endpoints").
const GUARDS: Guards = Guards {
    asking: &["Authenticated", "DenyAll", "PermissionsAllowed", "RolesAllowed"],
    open: &["PermitAll"],
    permissions: "quarkus.http.auth.permission.",
    otherwise: &[
        "quarkus.security.jaxrs.deny-unannotated-endpoints",
        "quarkus.security.jaxrs.default-roles-allowed",
        "quarkus.security.deny-unannotated-members",
    ],
};

/// Annotations of resource methods that decide nothing of a call: where it runs, and what documents say of it.
const MARKS: &[&str] = &[
    "APIResponse",
    "ActivateRequestContext",
    "Authenticated",
    "APIResponseSchema",
    "APIResponses",
    "Blocking",
    "Counted",
    "Extension",
    "Extensions",
    "ExternalDocumentation",
    "NonBlocking",
    "Parameters",
    "RequestBody",
    "RequestBodySchema",
    "PermissionsAllowed",
    "ResponseHeader",
    "ResponseStatus",
    "RunOnVirtualThread",
    "SecurityRequirements",
    "ServerExceptionMapper",
    "Startup",
    "WithSession",
    "WithSessionOnDemand",
    "WithSpan",
    "WithTransaction",
];

/// Resources of Quarkus REST.
pub static RESOURCES: Record = Record {
    name: NAME,
    beans: Beans { stereotypes: &["Path", "Provider"], marks: MARKS, ..NOT_MODELLED.beans },
    routing: Routing { behind_servlet: false, ..jax_rs::record::RESOURCES.routing },
    binding: Binding {
        refusals: Refusals::ByPlace(&PLACES),
        converts_texts: true,
        iso_dates: true,
        wraps_optionals: true,
        ..jax_rs::record::RESOURCES.binding
    },
    validation: Validation { checker: Some("quarkus-hibernate-validator"), ..jax_rs::record::RESOURCES.validation },
    failures: Failures {
        exceptions: THROWN,
        asks_causes: false,
        sends_carried: true,
        ..jax_rs::record::RESOURCES.failures
    },
    body: Body {
        labels_texts: true,
        runs_publishers: true,
        json_by_default: true,
        text_dates: Some("quarkus.jackson.write-dates-as-timestamps"),
        ..jax_rs::record::RESOURCES.body
    },
    middleware: Middleware { guards: GUARDS, ..jax_rs::record::RESOURCES.middleware },
    ..jax_rs::record::RESOURCES
};

/// Resources of Quarkus's older runtime, RESTEasy Classic: JAX-RS with Quarkus's JSON, validation and security.
pub static CLASSIC: Record = Record {
    name: names::CLASSIC,
    beans: RESOURCES.beans,
    validation: RESOURCES.validation,
    failures: Failures { exceptions: THROWN, sends_carried: true, ..jax_rs::record::RESOURCES.failures },
    body: Body {
        json_by_default: true,
        text_dates: Some("quarkus.jackson.write-dates-as-timestamps"),
        ..jax_rs::record::RESOURCES.body
    },
    middleware: RESOURCES.middleware,
    ..jax_rs::record::RESOURCES
};

/// Resources that REST Data with Panache makes.
pub static REST_DATA: Record = Record { name: "quarkus-rest-data", ..NOT_MODELLED };

/// Reactive routes.
pub static REACTIVE_ROUTES: Record = Record { name: "quarkus-reactive-routes", ..NOT_MODELLED };
