//! Names of the annotations and types of Quarkus REST.

/// The framework's name as users see it.
pub const NAME: &str = "quarkus";
/// The name of its older runtime.
pub const CLASSIC: &str = "quarkus-resteasy";
/// `@ResponseStatus`.
pub const RESPONSE_STATUS: &str = "org.jboss.resteasy.reactive.ResponseStatus";
/// The package of Quarkus REST.
pub const PACKAGE: &str = "org.jboss.resteasy.reactive.";
/// `@ServerExceptionMapper`.
pub const EXCEPTION_MAPPER: &str = "org.jboss.resteasy.reactive.server.ServerExceptionMapper";
/// `@Path`, in both packages.
pub const PATH: [&str; 2] = ["javax.ws.rs.Path", "jakarta.ws.rs.Path"];
/// Types that Quarkus REST hands to a parameter without an annotation (Quarkus REST, "Accessing context objects").
pub const CONTEXT: [&str; 14] = [
    "ContainerRequestContext",
    "HttpHeaders",
    "HttpServerRequest",
    "HttpServerResponse",
    "Request",
    "ResourceContext",
    "ResourceInfo",
    "RoutingContext",
    "SecurityContext",
    "ServerRequestContext",
    "SimpleResourceInfo",
    "Sse",
    "SseEventSink",
    "UriInfo",
];
