//! Names of Spring's annotations and types.

/// Package of the web annotations.
pub const WEB: &str = "org.springframework.web.bind.annotation";

/// Annotations that make a class a controller.
pub const CONTROLLERS: [&str; 5] = [
    "org.springframework.stereotype.Controller",
    "org.springframework.web.bind.annotation.RestController",
    "org.springframework.data.rest.webmvc.BasePathAwareController",
    "org.springframework.data.rest.webmvc.RepositoryRestController",
    "org.springframework.boot.actuate.endpoint.web.annotation.RestControllerEndpoint",
];

/// `@RequestMapping`.
pub const REQUEST_MAPPING: &str = "org.springframework.web.bind.annotation.RequestMapping";

/// Mapping annotations of methods, with the HTTP method that they set (`None` for any).
pub const MAPPINGS: [(&str, Option<mastor_types::Method>); 11] = {
    use mastor_types::Method;
    [
        (REQUEST_MAPPING, None),
        ("org.springframework.web.bind.annotation.GetMapping", Some(Method::Get)),
        ("org.springframework.web.bind.annotation.PostMapping", Some(Method::Post)),
        ("org.springframework.web.bind.annotation.PutMapping", Some(Method::Put)),
        ("org.springframework.web.bind.annotation.DeleteMapping", Some(Method::Delete)),
        ("org.springframework.web.bind.annotation.PatchMapping", Some(Method::Patch)),
        ("org.springframework.web.service.annotation.GetExchange", Some(Method::Get)),
        ("org.springframework.web.service.annotation.PostExchange", Some(Method::Post)),
        ("org.springframework.web.service.annotation.PutExchange", Some(Method::Put)),
        ("org.springframework.web.service.annotation.DeleteExchange", Some(Method::Delete)),
        ("org.springframework.web.service.annotation.PatchExchange", Some(Method::Patch)),
    ]
};

/// `@ResponseStatus`.
pub const RESPONSE_STATUS: &str = "org.springframework.web.bind.annotation.ResponseStatus";

/// `@ResponseBody`.
pub const RESPONSE_BODY: &str = "org.springframework.web.bind.annotation.ResponseBody";

/// `@Bean`.
pub const BEAN: &str = "org.springframework.context.annotation.Bean";
