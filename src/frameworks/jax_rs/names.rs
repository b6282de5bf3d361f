//! Names of JAX-RS annotations, in both packages.

/// `@Path`.
pub const PATH: [&str; 2] = ["javax.ws.rs.Path", "jakarta.ws.rs.Path"];
/// `@ApplicationPath`.
pub const APPLICATION_PATH: [&str; 2] = ["javax.ws.rs.ApplicationPath", "jakarta.ws.rs.ApplicationPath"];
/// `@HttpMethod`.
pub const HTTP_METHOD: [&str; 2] = ["javax.ws.rs.HttpMethod", "jakarta.ws.rs.HttpMethod"];
/// `@Consumes`.
pub const CONSUMES: [&str; 2] = ["javax.ws.rs.Consumes", "jakarta.ws.rs.Consumes"];
/// `@Produces`.
pub const PRODUCES: [&str; 2] = ["javax.ws.rs.Produces", "jakarta.ws.rs.Produces"];
/// `@DefaultValue`.
pub const DEFAULT_VALUE: [&str; 2] = ["javax.ws.rs.DefaultValue", "jakarta.ws.rs.DefaultValue"];
/// Annotations of methods, with their HTTP methods.
pub const METHODS: [(&str, &str); 7] = [
    ("GET", "GET"),
    ("POST", "POST"),
    ("PUT", "PUT"),
    ("DELETE", "DELETE"),
    ("PATCH", "PATCH"),
    ("HEAD", "HEAD"),
    ("OPTIONS", "OPTIONS"),
];

/// Annotations of libraries with `@HttpMethod("PATCH")`, from the time before JAX-RS had its own.
pub const PATCHES: [&str; 4] = [
    "io.dropwizard.jersey.PATCH",
    "io.swagger.jaxrs.PATCH",
    "org.apache.cxf.jaxrs.ext.PATCH",
    "org.jboss.resteasy.annotations.PATCH",
];

/// The name in both packages.
pub fn both(simple: &str) -> [String; 2] {
    [format!("javax.ws.rs.{simple}"), format!("jakarta.ws.rs.{simple}")]
}
