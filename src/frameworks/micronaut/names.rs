//! Names of Micronaut's annotations and types.

use mastor_types::Method;

/// `@Controller`.
pub const CONTROLLER: &str = "io.micronaut.http.annotation.Controller";
/// `@Error`.
pub const ERROR: &str = "io.micronaut.http.annotation.Error";
/// `@Status`.
pub const STATUS: &str = "io.micronaut.http.annotation.Status";
/// `@Consumes`.
pub const CONSUMES: &str = "io.micronaut.http.annotation.Consumes";
/// `@Produces`.
pub const PRODUCES: &str = "io.micronaut.http.annotation.Produces";
/// Annotations that map a method, with the HTTP method.
pub const MAPPINGS: [(&str, Method); 7] = [
    ("io.micronaut.http.annotation.Get", Method::Get),
    ("io.micronaut.http.annotation.Post", Method::Post),
    ("io.micronaut.http.annotation.Put", Method::Put),
    ("io.micronaut.http.annotation.Patch", Method::Patch),
    ("io.micronaut.http.annotation.Delete", Method::Delete),
    ("io.micronaut.http.annotation.Head", Method::Head),
    ("io.micronaut.http.annotation.Options", Method::Options),
];
/// Types that wrap one asynchronous or optional value.
pub const WRAPPERS: [&str; 8] =
    ["Mono", "Single", "Maybe", "Publisher", "CompletableFuture", "CompletionStage", "Optional", "SingleResult"];
