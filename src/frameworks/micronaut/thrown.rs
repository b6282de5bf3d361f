//! Exceptions of Micronaut with their statuses (Micronaut reference, "Error Handling").

use mastor_java::project::brought::{Carries, LibraryException};

/// The exception that carries a status.
pub const CARRIER: &str = "io.micronaut.http.exceptions.HttpStatusException";
/// Thrown if a required argument is missing.
pub const UNSATISFIED: &str = "io.micronaut.web.router.exceptions.UnsatisfiedRouteException";
/// Thrown if a value cannot be converted to the argument's type.
pub const CONVERSION: &str = "io.micronaut.core.convert.exceptions.ConversionErrorException";
/// Thrown if a body cannot be read.
pub const CODEC: &str = "io.micronaut.http.codec.CodecException";

/// All of these exceptions.
pub static THROWN: &[LibraryException] = &[
    LibraryException::new("io.micronaut.http.exceptions.HttpException", "java.lang.RuntimeException"),
    LibraryException::new(CARRIER, "io.micronaut.http.exceptions.HttpException").carrying(Carries::Status(None)),
    LibraryException::new(
        "io.micronaut.web.router.exceptions.RoutingException",
        "io.micronaut.http.exceptions.HttpException",
    ),
    LibraryException::new(UNSATISFIED, "io.micronaut.web.router.exceptions.RoutingException"),
    LibraryException::new(CONVERSION, "java.lang.RuntimeException"),
    LibraryException::new(CODEC, "java.lang.RuntimeException"),
    LibraryException::new("io.micronaut.http.client.exceptions.HttpClientException", "java.lang.RuntimeException"),
    LibraryException::new(
        "io.micronaut.http.client.exceptions.HttpClientResponseException",
        "io.micronaut.http.client.exceptions.HttpClientException",
    ),
    LibraryException::new("io.micronaut.data.exceptions.DataAccessException", "java.lang.RuntimeException"),
    LibraryException::new(
        "io.micronaut.data.exceptions.EmptyResultException",
        "io.micronaut.data.exceptions.DataAccessException",
    ),
];

/// The statuses with which the framework's own handlers answer (`ExceptionHandler` beans of `micronaut-http-server` and
/// of `micronaut-validation`).
pub const DEFAULTS: [(&str, u16); 7] = [
    (UNSATISFIED, 400),
    (CONVERSION, 400),
    (CODEC, 400),
    ("jakarta.validation.ConstraintViolationException", 400),
    ("javax.validation.ConstraintViolationException", 400),
    ("java.net.URISyntaxException", 400),
    ("io.micronaut.data.exceptions.EmptyResultException", 404),
];
