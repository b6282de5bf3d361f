//! Operations that a library provides, without a handler in the project; recognised only if the build uses that
//! library.

use super::files::build::Build;
use super::files::properties::Properties;
use super::paths;
use mastor_types::Method;

/// Endpoint names of Spring Boot's actuator, all versions.
const ACTUATOR: [&str; 40] = [
    "actuator",
    "auditevents",
    "autoconfig",
    "beans",
    "caches",
    "conditions",
    "configprops",
    "docs",
    "dump",
    "env",
    "flyway",
    "health",
    "heapdump",
    "httpexchanges",
    "httptrace",
    "info",
    "integrationgraph",
    "jolokia",
    "liquibase",
    "logfile",
    "loggers",
    "mappings",
    "metrics",
    "prometheus",
    "quartz",
    "refresh",
    "resume",
    "restart",
    "sbom",
    "scheduledtasks",
    "sessions",
    "shutdown",
    "startup",
    "threaddump",
    "trace",
    "pause",
    "bus-refresh",
    "features",
    "gateway",
    "service-registry",
];

/// The library that provides an operation, and how that is known; `None` if no library of the build does.
pub fn reason(build: &Build, properties: &Properties, method: Method, path: &str, tags: &[String]) -> Option<String> {
    let path = paths::key(path);
    let because = |what: &str, by: &str| Some(format!("{what}, by {by}"));
    let boot = [
        "spring-boot-starter-web",
        "spring-boot-starter-webflux",
        "spring-boot-starter-jersey",
        "spring-boot-starter-tomcat",
        "spring-boot-starter-actuator",
    ];
    if (path == "/error" || path.ends_with("/error") && tags.iter().any(|tag| tag == "basic-error-controller"))
        && let Some(by) = boot.iter().find_map(|name| build.uses(name)).or_else(|| build.uses("spring-boot"))
    {
        return because("error page of Spring Boot (BasicErrorController)", by);
    }
    if let Some(by) = build.uses("spring-boot-starter-actuator").or_else(|| build.uses("spring-boot-actuator"))
        && is_actuator(properties, &path, tags)
    {
        return because("endpoint of Spring Boot's actuator", by);
    }
    if let Some(by) = build.uses("springdoc-openapi") {
        let own = path.starts_with("/v3/api-docs") || path.starts_with("/swagger-ui") || path == "/swagger-ui.html";
        if own || configured(properties, "springdoc.api-docs.path").is_some_and(|set| path.starts_with(&set)) {
            return because("API document or console of springdoc", by);
        }
    }
    if let Some(by) = build.uses("springfox")
        && (path.starts_with("/v2/api-docs")
            || path.starts_with("/v3/api-docs")
            || path.starts_with("/swagger-resources")
            || path.starts_with("/swagger-ui"))
    {
        return because("API document or console of springfox", by);
    }
    if let Some(by) = build.uses("swagger-jaxrs").or_else(|| build.uses("swagger-jersey"))
        && matches!(
            path.as_str(),
            "/swagger.json" | "/swagger.yaml" | "/swagger.{}" | "/openapi.json" | "/openapi.yaml" | "/openapi.{}"
        )
    {
        return because("API document of swagger-core", by);
    }
    if let Some(by) = build.uses("spring-boot-starter-data-rest").or_else(|| build.uses("spring-data-rest")) {
        let base = configured(properties, "spring.data.rest.base-path").unwrap_or_default();
        let rest = path.strip_prefix(base.as_str()).unwrap_or(&path);
        if rest.is_empty()
            || rest == "/"
            || rest == "/profile"
            || rest.starts_with("/profile/")
            || rest.starts_with("/explorer")
        {
            return because("root, profile or explorer of Spring Data REST", by);
        }
    }
    if let Some(by) = build.uses("h2").filter(|_| path.starts_with("/h2-console")) {
        return because("console of H2", by);
    }
    let login = matches!(path.as_str(), "/login" | "/logout")
        && (path == "/logout" || matches!(method, Method::Get | Method::Post));
    if let Some(by) = build.uses("spring-boot-starter-security").filter(|_| login) {
        return because("log-in and log-out of Spring Security", by);
    }
    if let Some(by) =
        build.uses("spring-security-oauth2").filter(|_| path.starts_with("/oauth/") || path.starts_with("/oauth2/"))
    {
        return because("endpoint of Spring Security OAuth", by);
    }
    if let Some(by) = build.uses("quarkus-").filter(|_| path.starts_with("/q/")) {
        return because("management endpoint of Quarkus", by);
    }
    None
}

fn configured(properties: &Properties, key: &str) -> Option<String> {
    properties.get("", key).map(|property| paths::prefix(&property.value))
}

fn is_actuator(properties: &Properties, path: &str, tags: &[String]) -> bool {
    let set =
        ["management.endpoints.web.base-path", "management.context-path", "management.server.servlet.context-path"];
    let base = set.iter().find_map(|key| configured(properties, key)).filter(|base| !base.is_empty());
    let is_endpoint = |rest: &str| {
        let name = rest.trim_start_matches('/').split(['/', '.']).next().unwrap_or_default();
        ACTUATOR.contains(&name)
    };
    if let Some(rest) = base.as_deref().and_then(|base| path.strip_prefix(base)) {
        return rest.is_empty() || is_endpoint(rest);
    }
    if let Some(at) = path.find("/actuator") {
        let rest = &path[at + "/actuator".len()..];
        return rest.is_empty() || rest.starts_with('/');
    }
    // Before Spring Boot 2, the endpoints were at the root. The shape of the path must match too, so that a path of the
    // project is not mistaken for an endpoint.
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let by_tag =
        tags.iter().any(|tag| tag.ends_with("-mvc-endpoint") || tag == "operation-handler" || tag == "Actuator");
    match parts.as_slice() {
        [name] => is_endpoint(name),
        [name, "{}"] => is_endpoint(name) && (by_tag || matches!(*name, "env" | "metrics" | "loggers")),
        _ => false,
    }
}
