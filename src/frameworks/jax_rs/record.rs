//! How JAX-RS handles a request (Jakarta RESTful Web Services 3.1, chapters 3 and 4).

use super::thrown::{THROWN, VIOLATION};
use crate::record::{
    Advice, Beans, Binding, Body, Failures, Json, Middleware, NOT_MODELLED, Objects, Places, Record, Refusals,
    RequestFilters, Routing, Serving, Validation,
};

/// The exceptions for rejected requests (section 3.2), and Jackson's for malformed JSON.
static PLACES: Places = Places {
    not_found: "jakarta.ws.rs.NotFoundException",
    bad_request: "jakarta.ws.rs.BadRequestException",
    unreadable: "com.fasterxml.jackson.core.JsonParseException",
    shared: &["JsonParseException", "JsonMappingException", "JsonProcessingException", "StreamReadException"],
};

/// Types that run around resource methods.
const AROUND: &[(&str, &str)] = &[
    ("ContainerRequestFilter", "filters every request"),
    ("ContainerResponseFilter", "filters every request"),
    ("ReaderInterceptor", "reads every body"),
    ("WriterInterceptor", "writes every body"),
    ("MessageBodyReader", "reads bodies"),
    ("MessageBodyWriter", "writes bodies"),
    ("ContextResolver", "configures serialisation"),
    ("ParamConverterProvider", "converts parameters"),
    ("DynamicFeature", "configures every resource"),
    ("Feature", "configures every resource"),
    ("ResourceConfig", "configures every resource"),
    ("ExceptionMapper", "answers exceptions"),
];

/// Resources, `javax` or `jakarta`.
pub static RESOURCES: Record = Record {
    name: "jax-rs",
    serving: Serving::Method,
    beans: Beans { stereotypes: &["Path", "Provider"], ..NOT_MODELLED.beans },
    routing: Routing { behind_servlet: true, ignores_final_slash: true, ..NOT_MODELLED.routing },
    binding: Binding {
        refusals: Refusals::ByPlace(&PLACES),
        zero_for_missing: true,
        objects: Objects::Fields,
        extensions: true,
        constant_converters: &["dropwizard"],
        ..NOT_MODELLED.binding
    },
    validation: Validation { violation: VIOLATION, ..NOT_MODELLED.validation },
    failures: Failures {
        carriers: &["javax.ws.rs.WebApplicationException", "jakarta.ws.rs.WebApplicationException"],
        exceptions: THROWN,
        advice: Advice::Mappers,
        reader_answers: true,
        ..NOT_MODELLED.failures
    },
    body: Body { empty_status: 204, json: Json::OfBuild, ..NOT_MODELLED.body },
    middleware: Middleware { request_filters: RequestFilters::Run, around: AROUND, ..NOT_MODELLED.middleware },
    ..NOT_MODELLED
};
